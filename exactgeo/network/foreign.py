"""Files of other programs, told by their name or their first bytes, and what to do with them.

>>> foreign_format("model.onnx", b"\\x08\\x07")[:23]
'it is an ONNX model, no'
>>> foreign_format("net.json", b'{"format": "exactgeo-network/1"')
''
>>> foreign_format("net.proof", b'{"format":"exactgeo-certificate/1"')
'it is a certificate, not a network; python -m proofs_check FILE checks it'
"""

__all__ = ["foreign_format"]

_SUFFIXES = {
    ".pt": "a PyTorch checkpoint",
    ".pth": "a PyTorch checkpoint",
    ".ckpt": "a checkpoint",
    ".onnx": "an ONNX model",
    ".npz": "a NumPy archive",
    ".npy": "a NumPy array",
    ".safetensors": "a safetensors file",
    ".pkl": "a pickle",
    ".pickle": "a pickle",
    ".h5": "an HDF5 file",
    ".hdf5": "an HDF5 file",
    ".keras": "a Keras model",
    ".nnet": "an NNet file",
}

_BEGINNINGS = {
    b"PK\x03\x04": "an archive, such as a PyTorch checkpoint or a NumPy archive",
    b"\x93NUMPY": "a NumPy array",
    b"\x89HDF": "an HDF5 file",
    b"\x80": "a pickle",
    b"\x1f\x8b": "a gzip file",
}


def foreign_format(name: str, data: bytes) -> str:
    """What a file is instead of a network in JSON, for a message; "" where it may be one."""
    if data.lstrip()[:1] in (b"{", b"[") and b"\0" not in data[:16]:  # a length may begin with the byte of a brace
        if b'"exactgeo-certificate/1"' in data[:64]:
            return "it is a certificate, not a network; python -m proofs_check FILE checks it"
        return ""
    suffix = next((suffix for suffix in _SUFFIXES if name.lower().endswith(suffix)), None)
    kind = _SUFFIXES.get(suffix or "") or next(
        (what for start, what in _BEGINNINGS.items() if data.startswith(start)), ""
    )
    if not kind and data[6:9] == b"\0\0{":  # the length of the header in 8 bytes, then the header
        kind = "a safetensors file"
    if not kind:
        return ""
    if kind == "a gzip file":
        return f"it is {kind}, not JSON; unpack it first"
    return (
        f"it is {kind}, not a network in JSON; read its arrays in Python and give them to exactgeo.Network.mlp or "
        "Network.from_arrays, then write_network"
    )

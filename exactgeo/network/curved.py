"""Layers that people ask for and exactgeo cannot have, or has under another name, with what to do instead.

exactgeo is about piecewise-affine functions: softmax, GELU or layer normalisation are not among them, and no exact
count of linear regions exists for a network with one. Some have a piecewise-affine relative; some are affine once the
network is trained, and belong into the linear layer beside them; some are another kind with linear layers around it.

>>> advice("GELU")
'; gelu is not piecewise affine: relu is its piecewise-affine relative'
>>> advice("softmax_attention")
'; softmax_attention is not piecewise affine: attention is its limit at temperature zero'
>>> advice("relu")
''
"""

__all__ = ["advice"]

_RELU = "relu is its piecewise-affine relative"
_CLIPPED = "hard_tanh, with linear layers around it, is its piecewise-affine relative"
_NORM = "leave it out, or fix its scale and fold it into the linear layer after it"
_LIMIT = "attention is its limit at temperature zero"

_CURVED = {
    **dict.fromkeys(("softmax", "softmin", "logsoftmax", "scaleddotproductattention"), _LIMIT),
    **dict.fromkeys(("gelu", "silu", "swish", "mish", "elu", "selu", "celu", "softplus", "quickgelu"), _RELU),
    **dict.fromkeys(("glu", "swiglu", "geglu", "reglu", "bilinear", "square"), "ffn is its piecewise-affine relative"),
    **dict.fromkeys(("tanh", "sigmoid", "logistic", "logsigmoid", "softsign", "erf", "atan"), _CLIPPED),
    **dict.fromkeys(("exp", "log", "sin", "cos", "sine", "gaussian", "rbf", "sqrt", "hardswish"), _RELU),
    **dict.fromkeys(("layernorm", "layernormalization", "rmsnorm", "groupnorm", "instancenorm"), _NORM),
}

_AFFINE = {
    **dict.fromkeys(("batchnorm", "batchnorm1d", "batchnorm2d", "batchnormalization"), "a trained one is affine"),
    **dict.fromkeys(("conv", "conv1d", "conv2d", "conv3d", "convolution"), "it is affine"),
    **dict.fromkeys(("dense", "fc", "gemm", "matmul", "affine", "fullyconnected"), "it is affine"),
    **dict.fromkeys(("flatten", "reshape", "dropout", "identity"), "leave it out where it changes no number, else"),
}

_SAME = {
    **dict.fromkeys(("relu6", "clip", "clamp", "hardsigmoid"), "hard_tanh, with linear layers around it"),
    **dict.fromkeys(("max", "maxpool", "maxpool1d", "maxpool2d"), "maxout, with the rows of the identity as weight"),
    **dict.fromkeys(("multiheadattention", "mha", "hardattention"), "attention, with constant keys and values"),
}


def advice(name: str) -> str:
    """What to say of a layer kind that exactgeo does not have, as the end of a message; "" where there is nothing."""
    plain = "".join(letter for letter in name.lower() if letter.isalnum())
    known = _known(plain)
    if known in _CURVED:
        return f"; {name.lower()} is not piecewise affine: {_CURVED[known]}"
    if known in _AFFINE:
        return f"; {_AFFINE[known]}: write it as linear, with its matrix as weight"
    if known in _SAME:
        return f"; write it as {_SAME[known]}"
    return ""


def _known(plain: str) -> str:
    """The name itself, or else the longest that it begins with: gelu for gelu_new, softmax for softmax_attention."""
    names = {*_CURVED, *_AFFINE, *_SAME}
    beginnings = [name for name in names if len(name) > 3 and plain.startswith(name)]
    return plain if plain in names else max(beginnings, key=len, default="")

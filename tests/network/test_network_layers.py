"""Layer kinds: one file each; a layer's own value is its stage's; what is no kind is told in a way that helps."""

import copy
import json
import pickle
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exactgeo.network
from exactgeo.errors import BadInput, BadNetwork
from exactgeo.network import Network, load_network, read_network
from exactgeo.network.layers import KINDS
from exactgeo.network.layers.parts import MAX_BITS
from exactgeo.network.reading import MAX_LARGE
from exactgeo.rational.rows import Point
from tests.known.networks import NETWORKS
from tests.oracles.random_networks import MIXED, Maker, Taste

PACKAGE = Path(exactgeo.network.__file__).parent.parent


@pytest.mark.parametrize("kind", list(KINDS))
def test_a_kind_stands_in_one_file(kind: str) -> None:
    """As the name of a ``Kind``, or where anything depends on it; networks of that kind are made elsewhere, too."""
    spelled = re.compile(rf'Kind\("{kind}"|[=!]= "{kind}"|case "{kind}"|"{kind}":')
    [home] = [path for path in PACKAGE.rglob("*.py") if spelled.search(path.read_text())]
    assert home.parent == PACKAGE / "network" / "layers"


def _by_stages(network: Network, point: Point) -> Point:
    """The value at a point by the stages alone, ties as means."""
    for stage in network.stages:
        forms = stage.forms.at(point)
        values = []
        for selector in stage.selectors:
            most = max(forms[candidate.score] for candidate in selector.candidates)
            won = [candidate.value for candidate in selector.candidates if forms[candidate.score] == most]
            values += [sum(forms[i] for i in entries) / len(won) for entries in zip(*won, strict=True)]
        mixed = stage.mix.at(values)
        point = tuple(b + m for b, m in zip(stage.base.at(point), mixed, strict=True))
    return point


@pytest.mark.parametrize("seed", range(100))
def test_layers_and_stages_are_one_function(seed: int) -> None:
    """On points with small integer coordinates, where ties are frequent."""
    rng = random.Random(seed)
    taste = Taste(MIXED, dimensions=(1, 2, 3), layers=4, hidden=3, domains=("all",))
    network = Network.from_arrays(Maker(rng.randint, taste).document())
    for _ in range(20):
        point = [rng.randint(-2, 2) for _ in range(network.input_dim)]
        assert network.evaluate(point) == _by_stages(network, tuple(map(exactgeo.exact, point)))


def test_a_network_keeps_layers_and_rows_as_read() -> None:
    rows = [[1, 0], ["1/2", 1], [1, -1], [0, 0], [2, 2]]
    layers = [{"type": "relu"}, {"type": "linear", "weight": [[1]]}, {"type": "abs"}]
    network = Network.from_arrays({"input_dim": 1, "domain": {"inequalities": rows}, "layers": layers})
    assert network.listed_rows == ((1, 0), (1, 2), (1, -1), (0, 0), (1, 1))
    assert network.domain_rows == ((1, 2), (1, -1), (1, 1))
    assert len(network.layers) == 3
    assert len(network.stages) == 2


@pytest.mark.parametrize("name", list(NETWORKS))
def test_networks_tell_what_they_are_and_can_be_kept(name: str) -> None:
    document, _ = NETWORKS[name]()
    network = Network.from_arrays(document)
    assert len(repr(network)) <= 200
    assert repr(network).startswith(f"<Network R^{network.input_dim} -> R^{network.output_dim}, ")
    assert "\n" not in repr(network)
    for twin in (pickle.loads(pickle.dumps(network)), copy.copy(network), copy.deepcopy(network)):
        assert twin == network
        assert (twin.layers, twin.listed_rows, twin.sha256) == (network.layers, network.listed_rows, network.sha256)


def test_layers_too_wide_for_any_memory() -> None:
    """A file of 8 MB, 180,000 units, once took 20 GB."""
    wide = {"type": "linear", "weight": [[1]] * 5001}
    message = _refusal({"input_dim": 1, "layers": [wide, {"type": "relu"}]})
    assert message.startswith("layers[1]: expected layers whose outputs have squares of 25,000,000 at most together")
    narrow = {"type": "linear", "weight": [[1]] * 50}
    layers = [narrow, *[{"type": "relu"}] * 3]
    assert len(Network.from_arrays({"input_dim": 1, "layers": layers}).stages) == 3


def _refusal(document: dict[str, Any]) -> str:
    with pytest.raises(BadNetwork) as caught:
        Network.from_arrays(document)
    return str(caught.value)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("ReLU", "; did you mean relu?"),
        ("LeakyReLU", "; did you mean leaky_relu?"),
        ("attn", "; did you mean attention?"),
        ("cut", ""),
        ("Linear", "; did you mean linear?"),
        ("softmax", "; softmax is not piecewise affine: attention is its limit at temperature zero"),
        ("GELU", "; gelu is not piecewise affine: relu is"),
        ("silu", "; silu is not piecewise affine: relu is"),
        ("tanh", "; tanh is not piecewise affine: hard_tanh, with"),
        ("sigmoid", "; sigmoid is not piecewise affine: hard_tanh, with"),
        ("layer_norm", "; layer_norm is not piecewise affine: leave it out, or"),
        ("LayerNorm", "; layernorm is not piecewise affine: leave it out, or"),
        ("batch_norm", "; a trained one is affine: write it as linear"),
        ("conv2d", "; it is affine: write it as linear, with its matrix as weight"),
        ("relu6", "; write it as hard_tanh, with linear layers around it"),
        ("MaxPool2d", "; write it as maxout, with the rows of the identity as weight"),
        ("gelu_new", "; gelu_new is not piecewise affine: relu is"),
        ("softmax_attention", "; softmax_attention is not piecewise affine: attention is its limit"),
        ("LayerNorm1d", "; layernorm1d is not piecewise affine: leave it out, or"),
        ("expand", ""),
        ("multihead_attention", "; write it as attention, with constant keys and values"),
    ],
)
def test_an_unknown_kind(kind: str, words: str) -> None:
    message = _refusal({"input_dim": 1, "layers": [{"type": kind}]})
    assert message.startswith(f"layers[0].type: expected one of {', '.join(KINDS)}, got the string ")
    assert words in message
    assert bool(words) == (";" in message)


@pytest.mark.parametrize(
    ("key", "words"),
    [("weights", "; did you mean weight?"), ("Bias", "; did you mean bias?"), ("wight", "; did you mean weight?")],
)
def test_an_unknown_key(key: str, words: str) -> None:
    entry = {"type": "linear", "weight": [[1]], "bias": [0]}
    entry[key] = entry.pop("weight" if "eight" in key or "ight" in key else "bias")
    assert _refusal({"input_dim": 1, "layers": [entry]}).endswith(words)


@pytest.mark.parametrize(("key", "words"), [("Type", "; did you mean type?"), ("kind", "")])
def test_a_layer_without_a_type(key: str, words: str) -> None:
    message = _refusal({"input_dim": 1, "layers": [{"weight": [[1]], key: "linear"}]})
    assert message == f'layers[0]: expected the key "type", got an object without it{words}'


def test_a_key_that_is_there_is_not_suggested() -> None:
    entry = {"type": "linear", "weight": [[1]], "weights": [[1]]}
    assert "did you mean" not in _refusal({"input_dim": 1, "layers": [entry]})


def test_a_weight_that_does_not_fit_the_box() -> None:
    box = {"box": [[0, 1], [0, 1]]}
    with pytest.raises(BadNetwork) as caught:
        Network.mlp([np.ones((2, 3)), np.ones((1, 3))], domain=box)
    assert str(caught.value) == (
        "layers[0].weight[0]: expected a list of 2 numbers, got a list of 3; "
        "the transpose of weight would fit: weights are output by input"
    )
    with pytest.raises(BadNetwork) as caught:
        Network.mlp([np.ones((4, 3)), np.ones((1, 4))], domain=box)
    assert str(caught.value) == "layers[0].weight[0]: expected a list of 2 numbers, got a list of 3"


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.pt", b"PK\x03\x04abc", "it is a PyTorch checkpoint"),
        ("a.pth", b"\x80\x02", "it is a PyTorch checkpoint"),
        ("a.onnx", b"\x08\x07\x12", "it is an ONNX model"),
        ("a.npz", b"PK\x03\x04", "it is a NumPy archive"),
        ("a.npy", b"\x93NUMPY", "it is a NumPy array"),
        ("a.safetensors", b"\x40\0\0\0\0\0\0\0{", "it is a safetensors file"),
        ("a.bin", b"\x40\0\0\0\0\0\0\0{", "it is a safetensors file"),
        ("a.bin", b"\x7b\0\0\0\0\0\0\0{", "it is a safetensors file"),  # 0x7b is a brace
        ("a.json", b"PK\x03\x04", "it is an archive, such as"),
        ("a.json", b"\x93NUMPY", "it is a NumPy array"),
        ("a.json.gz", b"\x1f\x8b\x08", "it is a gzip file, not JSON; unpack it"),
    ],
)
def test_files_of_other_programs(name: str, data: bytes, words: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(BadInput, match=words):
        load_network(tmp_path / name)


def test_a_network_may_have_any_name(tmp_path: Path) -> None:
    document, _ = NETWORKS[next(iter(NETWORKS))]()
    network = Network.from_arrays(document)
    (tmp_path / "a.pt").write_bytes(network.document)
    assert load_network(str(tmp_path / "a.pt")) == network


def test_exponents_that_stand_for_too_many_digits() -> None:
    number = MAX_LARGE // 3900 + 1
    layers = [{"type": "linear", "weight": [["1e3900"]] * number}]
    data = json.dumps({"format": "exactgeo-network/1", "input_dim": 1, "layers": layers}).encode()
    with pytest.raises(BadNetwork, match="exponents that stand for over 5,000,000 digits in all"):
        read_network(data)


def test_unlike_denominators_that_are_too_long_together() -> None:
    weights = [[f"1/{10**300 + 2 * k + 1}" for k in range(40)]] * 20
    bits = 40 * 300 * 3
    assert bits * 20 * 41 > MAX_BITS
    message = _refusal({"input_dim": 40, "layers": [{"type": "linear", "weight": weights}]})
    assert message.startswith("layers[0]: the common denominator of these weights has ")
    assert message.endswith(" bits, too many for a map of this size")


def _chain(number: int, weight: list[list[str]]) -> dict[str, object]:
    return {"input_dim": len(weight), "layers": [{"type": "linear", "weight": weight}] * number}


def test_products_of_linear_layers_that_are_too_long() -> None:
    """Forty factors of 4,000 digits would make a number of 160,000; each step is longer than the one before."""
    message = _refusal(_chain(40, [["1/" + "3" * 4000]]))
    assert message.endswith("]: the product of this layer and the linear ones before it has too long numbers")
    assert 2 < int(message.split("]")[0].removeprefix("layers[")) < 39
    assert len(Network.from_arrays(_chain(3, [["1/" + "3" * 4000]])).layers) == 3
    short = Network.from_arrays(_chain(40, [["1/3", "2"], ["-1", "1/7"]]))  # short numbers in any number of layers
    assert len(short.layers) == 40


def test_one_linear_layer_may_be_as_long_as_its_numbers() -> None:
    """Over a common denominator of 40,000 bits, integers have more."""
    weights = [["1" + "0" * 3999, *[f"1/{10**3999 + k}" for k in (1, 3, 7)]]]
    network = Network.from_arrays({"input_dim": 4, "layers": [{"type": "linear", "weight": weights}]})
    assert network.evaluate([1, 0, 0, 0])[0] == 10**3999
    assert network.stages[0].base.denominator.bit_length() < 40_000 < max(network.stages[0].base.rows[0]).bit_length()

"""Networks from Python values and arrays, the canonical dump, and files."""

import hashlib
import io
import json
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flint import fmpq, fmpq_mat, fmpz_mat
from hypothesis import given
from hypothesis import strategies as st

from exactgeo.certificate import Counts, write_certificate
from exactgeo.counting import count
from exactgeo.errors import BadInput, BadNetwork
from exactgeo.network import Network, canonical_document, load_network, network, read_network, write_network
from tests.oracles.random_networks import Document
from tests.oracles.strategies import spelled

F = Fraction


def one_weight(value: object) -> Network:
    return Network.from_arrays({"input_dim": 1, "layers": [{"type": "linear", "weight": [[value]]}]})


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_means_its_binary_value(value: float) -> None:
    assert one_weight(value).evaluate([1]) == (F(value),)
    assert one_weight(np.float64(value)).evaluate([1]) == (F(value),)


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_a_single_precision_float_means_its_binary_value(value: float) -> None:
    assert one_weight(np.float32(value)).evaluate([1]) == (F(value),)
    weight = np.array([[value]], dtype=np.float32)
    document = {"input_dim": 1, "layers": [{"type": "linear", "weight": weight}]}
    assert Network.from_arrays(document).evaluate([1]) == (F(value),)


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        (3, F(3)),
        (F(1, 3), F(1, 3)),
        ("0.1", F(1, 10)),
        (Decimal("0.1"), F(1, 10)),
        (0.1, F(3602879701896397, 36028797018963968)),
        (np.float32(0.1), F(13421773, 134217728)),
        (np.float16(0.1), F(819, 8192)),
        (np.longdouble(0.5), F(1, 2)),
        (np.int8(-5), F(-5)),
        (np.uint64(2**64 - 1), F(2**64 - 1)),
        (np.array(7), F(7)),
        (np.array(F(1, 7), dtype=object), F(1, 7)),
    ],
    ids=repr,
)
def test_what_may_stand_for_a_number(value: object, meant: Fraction) -> None:
    assert one_weight(value).evaluate([1]) == (meant,)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (float("nan"), "nan is not a finite number"),
        (np.float32("inf"), "is not a finite number"),
        (Decimal("NaN"), "NaN is not a finite number"),
        (Decimal("1e99999999"), "has an exponent beyond"),
        (True, "expected a rational number, got true"),
        (np.bool_(True), "expected a rational number, got true"),
        (None, "expected a rational number, got null"),
        (1j, "1j is not a rational number"),
        (np.array([1.0]), "expected a rational number, got a list of 1"),
        (10**4000, "has more than 4000 digits"),
        (object, "<class 'object'> is not a rational number"),
        ("one", "'one' is not a rational number"),
    ],
    ids=repr,
)
def test_what_may_not(value: object, words: str) -> None:
    with pytest.raises(BadNetwork) as caught:
        one_weight(value)
    assert words in str(caught.value)
    assert caught.value.place == "layers[0].weight[0][0]"


def test_a_nan_in_an_array_is_found() -> None:
    weight = np.ones((2, 3))
    weight[1, 2] = np.nan
    with pytest.raises(BadNetwork, match="finite") as caught:
        Network.mlp([weight, [[1, 1]]], [np.zeros(2), None])
    assert caught.value.place == "layers[0].weight[1][2]"


@pytest.mark.parametrize(
    ("document", "place", "words"),
    [
        ({"input_dim": 1, "layers": [{1: 2}]}, "layers[0]", "expected keys that are strings, got one of type int"),
        ({"input_dim": 1, "layers": [{"type": "relu", "\n": object()}]}, r'layers[0]."\n"', "rational number"),
        ({"input_dim": 1.5, "layers": [{"type": "relu"}]}, "input_dim", 'got the string "3/2"'),
        ({"input_dim": 1, "layers": [{"type": "ffn", "residual": "no"}]}, "layers[0]", 'the key "hidden"'),
        ([], "", "expected an object"),
    ],
)
def test_structures_that_are_no_network(document: object, place: str, words: str) -> None:
    with pytest.raises(BadNetwork) as caught:
        Network.from_arrays(document)
    assert words in str(caught.value)
    assert caught.value.place == place


def test_a_list_that_contains_itself_is_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(BadNetwork, match="levels of nesting"):
        Network.from_arrays({"input_dim": 1, "layers": endless})


def test_mlp_is_linear_relu_linear() -> None:
    first, second = np.array([[1.0, -1.0], [0.5, 0.25]], dtype=np.float32), np.array([[1, -2]])
    made = Network.mlp([first, second], [np.array([0.0, 1.0]), [3]], domain={"box": np.array([[0, 1], [0, 1]])})
    layers = [
        {"type": "linear", "weight": [[1, -1], ["1/2", "1/4"]], "bias": [0, 1]},
        {"type": "relu"},
        {"type": "linear", "weight": [[1, -2]], "bias": [3]},
    ]
    box = {"box": [[0, 1], [0, 1]]}
    document = {"format": "exactgeo-network/1", "input_dim": 2, "domain": box, "layers": layers}
    assert json.loads(made.document) == document
    assert list(json.loads(made.document)) == list(document)
    assert made.sha256 == hashlib.sha256(made.document).hexdigest()
    assert Network.mlp([first, second]) != made


def test_mlp_of_flint_matrices() -> None:
    made = Network.mlp([fmpz_mat([[1, 2, 3], [4, 5, 6]]), fmpq_mat(1, 2, [fmpq(1, 2), fmpq(-1, 3)])])
    assert made == Network.mlp([[[1, 2, 3], [4, 5, 6]], [["1/2", "-1/3"]]])


@pytest.mark.parametrize(
    ("weights", "biases"), [([], []), ([[[1]]], []), ([[1]], None), ([[]], None), ([np.array(1)], None)], ids=repr
)
def test_mlp_refuses_what_is_no_list_of_matrices(weights: list[object], biases: list[object] | None) -> None:
    with pytest.raises(BadInput, match="expected"):
        Network.mlp(weights, biases)


@given(spelled())
def test_the_canonical_dump_is_canonical(document: Document) -> None:
    data = canonical_document(document)
    read = read_network(data)
    assert read == read_network(json.dumps(document).encode())
    assert canonical_document(json.loads(data)) == data == read.document
    backwards = json.loads(data, object_pairs_hook=lambda pairs: dict(reversed(pairs)))
    assert canonical_document(backwards) == data


def test_equality_is_of_functions_not_of_spellings() -> None:
    one = read_network(
        b'{"format": "exactgeo-network/1", "input_dim": 1, "layers": [{"type":"linear","weight":[[0.5]]}]}'
    )
    other = one_weight("2/4")
    assert one == other
    assert hash(one) == hash(other)
    assert one.sha256 != other.sha256


def test_a_file_is_written_back_unchanged(tmp_path: Path) -> None:
    data = (
        b'{ "layers" : [ {"weight": [[0.10, "2/4"]],\r\n"type":"linear"} ],\n\n "input_dim":2, "domain": null,'
        b' "format":"exactgeo-network\\/1"}  \n'
    )
    source, target = tmp_path / "source.json", tmp_path / "target.json"
    source.write_bytes(data)
    loaded = load_network(source)
    write_network(loaded, str(target))
    assert target.read_bytes() == data
    assert loaded.sha256 == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize(
    "path", [None, 3, True, b"net.json", "", [], io.BytesIO()], ids=lambda path: type(path).__name__
)
def test_what_is_no_path(path: Any) -> None:
    """A number was once taken for an open file, and written into."""
    made = one_weight(1)
    asks: list[Callable[[], object]] = [
        lambda: load_network(path),
        lambda: write_network(made, path),
        lambda: write_certificate(made, Counts(1), path),
    ]
    for ask in asks:
        with pytest.raises(BadInput, match=": expected a path, got "):
            ask()


def test_the_name_of_standard_output_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = one_weight(1)
    asks: list[Callable[[], object]] = [
        lambda: write_network(made, "-"),
        lambda: write_certificate(made, Counts(1), "-"),
        lambda: count(made, certificate="-"),
    ]
    for ask in asks:
        with pytest.raises(BadInput, match=" -: expected the name of a file, as standard output has the answer"):
            ask()
    write_network(made, "./-")
    assert load_network("-") == made


def test_weights_in_any_order_of_containers() -> None:
    stack = np.ones((2, 3, 3))
    assert Network.mlp(stack) == Network.mlp(list(stack)) == Network.mlp(iter(stack), iter([None, None]))
    for weights in (None, 3):
        with pytest.raises(BadInput, match="expected a list of weights"):
            Network.mlp(weights)  # type: ignore[arg-type]


def test_files_that_cannot_be_read_or_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match=r"cannot read the network file .*No such file"):
        load_network(tmp_path / "missing.json")
    with pytest.raises(BadInput, match=r"cannot read the network file .*directory"):
        load_network(tmp_path)
    with pytest.raises(BadInput, match="null byte"):
        load_network("a\0b")
    with pytest.raises(BadInput, match="there is no folder"):
        write_network(one_weight(1), tmp_path / "missing" / "target.json")
    (tmp_path / "large.json").write_bytes(b" " * 101)
    monkeypatch.setattr(network, "MAX_FILE_BYTES", 100)
    with pytest.raises(BadInput, match="more than 100 bytes"):
        load_network(tmp_path / "large.json")

"""Every way to break the file format, with the place and the words of the answer."""

import contextlib
import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactgeo.errors import BadInput, BadNetwork
from exactgeo.network import Network, read_network

Document = dict[str, Any]

GOOD: Document = {
    "format": "exactgeo-network/1",
    "input_dim": 2,
    "domain": {"box": [["0", "1"], ["0", "1"]]},
    "layers": [
        {
            "type": "attention",
            "residual": True,
            "heads": [
                {
                    "query": {"weight": [["1", "0"], ["0", "0"]], "bias": ["0", "1"]},
                    "keys": [["1/4", "-1/32"], ["3/4", "-9/32"]],
                    "score_bias": ["0", "0"],
                    "values": [["-1/4"], ["-3/4"]],
                },
                {"query": {"weight": [["0", "1"]]}, "keys": [["1/4"]], "values": [["-1/4"]]},
            ],
        },
        {
            "type": "attention",
            "residual": True,
            "heads": [{"query": {"weight": [[1, 1]]}, "keys": [[1], [2]], "values": [[1, 2, 3], [4, 5, 6]]}],
            "output": {"weight": [[1, 0, 0], [0, 1, 0]], "bias": [0, 0]},
        },
        {
            "type": "ffn",
            "residual": True,
            "hidden": {"weight": [[1, 2], [3, 4], [5, 6]], "bias": [0, 0, 0]},
            "output": {"weight": [[1, 2, 3], [4, 5, 6]], "bias": [0.1, 1e-3]},
        },
        {"type": "linear", "weight": [[1, 2], [3, 4], [5, 6]], "bias": [1, 2, 3]},
        {"type": "relu"},
        {"type": "leaky_relu", "slope": "1/10"},
        {"type": "abs"},
        {"type": "hard_tanh"},
        {"type": "maxout", "units": [{"weight": [[1, 0, 0], [0, 1, 0]], "bias": [0, 0]}, {"weight": [[1, 1, 1]]}]},
        {
            "type": "tropical_attention",
            "heads": [{"query": {"weight": [[1, 0]]}, "keys": [[1], [2]], "log_values": [[0, 1, 2], [2, 1, 0]]}],
        },
    ],
}


class Missing:
    """Stands for a key that is taken out. Its name, unlike an address, is the same in every process of the suite."""

    def __repr__(self) -> str:
        return "missing"


MISSING = Missing()
HEAD = "layers.0.heads.0"

# path, what is put there, place of the refusal, words in it
MUTATIONS: list[tuple[str, object, str, str]] = [
    ("format", MISSING, "", 'expected the key "format"'),
    ("format", "exactgeo-network/2", "format", 'expected "exactgeo-network/1", got the string "exactgeo-network/2"'),
    ("format", 1, "format", "got 1"),
    ("input_dim", MISSING, "", 'expected the key "input_dim"'),
    ("input_dim", 0, "input_dim", "expected an integer from 1 to 1000, got 0"),
    ("input_dim", -2, "input_dim", "got -2"),
    ("input_dim", 1001, "input_dim", "got 1001"),
    ("input_dim", 10**40, "input_dim", "expected an integer from 1 to 1000"),
    ("input_dim", 2.0, "input_dim", "got 2.0"),
    ("input_dim", "2", "input_dim", 'got the string "2"'),
    ("input_dim", True, "input_dim", "got true"),
    ("input_dim", None, "input_dim", "got null"),
    ("input_dim", 3, "domain.box", "expected a list of 3 pairs of bounds, got a list of 2"),
    ("layers", MISSING, "", 'expected the key "layers"'),
    ("layers", [], "layers", "expected a list of layers, got an empty list"),
    ("layers", {}, "layers", "expected a list of layers, got an object"),
    ("layers.0", 5, "layers[0]", "expected an object, got 5"),
    ("layers.0", [], "layers[0]", "expected an object, got a list of 0"),
    ("layers.0.type", MISSING, "layers[0]", 'expected the key "type"'),
    ("layers.0.type", "softmax", "layers[0].type", 'tropical_attention, got the string "softmax"'),
    ("layers.0.type", 3, "layers[0].type", "expected one of attention, ffn"),
    ("layer", [], "", 'got the unknown key "layer"'),
    ("layers.4.slope", "1", "layers[4]", 'expected only the keys type, got the unknown key "slope"'),
    ("layers.3.weigth", [], "layers[3]", 'the unknown key "weigth"'),
    ("layers.3.weight", MISSING, "layers[3]", 'expected the key "weight", got an object without it'),
    ("layers.3.weight", [], "layers[3].weight", "expected a list of rows, got an empty list"),
    ("layers.3.weight", "1", "layers[3].weight", 'expected a list of rows, got the string "1"'),
    ("layers.3.weight.1", [1], "layers[3].weight[1]", "expected a list of 2 numbers, got a list of 1"),
    ("layers.3.weight.1", 7, "layers[3].weight[1]", "expected a list of 2 numbers, got 7"),
    ("layers.3.weight.0", [], "layers[3].weight[0]", "expected a list of 2 numbers, got a list of 0"),
    ("layers.3.weight.2.1", True, "layers[3].weight[2][1]", "expected a rational number, got true"),
    ("layers.3.weight.2.1", None, "layers[3].weight[2][1]", "expected a rational number, got null"),
    ("layers.3.weight.2.1", [1], "layers[3].weight[2][1]", "expected a rational number, got a list of 1"),
    ("layers.3.weight.2.1", {}, "layers[3].weight[2][1]", "expected a rational number, got an object"),
    ("layers.3.weight.2.1", "1/0", "layers[3].weight[2][1]", "'1/0' has denominator 0"),
    ("layers.3.weight.2.1", "pi", "layers[3].weight[2][1]", "'pi' is not a rational number"),
    ("layers.3.weight.2.1", "", "layers[3].weight[2][1]", "'' is not a rational number"),
    ("layers.3.weight.2.1", " 1", "layers[3].weight[2][1]", "' 1' is not a rational number"),
    ("layers.3.weight.2.1", "\uff11", "layers[3].weight[2][1]", "is not a rational number"),
    ("layers.3.weight.2.1", "NaN", "layers[3].weight[2][1]", "'NaN' is not a rational number"),
    ("layers.3.weight.2.1", float("nan"), "layers[3].weight[2][1]", "got NaN, which is no number"),
    ("layers.3.weight.2.1", float("-inf"), "layers[3].weight[2][1]", "got -Infinity, which is no number"),
    ("layers.3.weight.2.1", "1e999999999", "layers[3].weight[2][1]", "'1e999999999' has an exponent beyond 4000"),
    ("layers.3.weight.2.1", "1e-4001", "layers[3].weight[2][1]", "an exponent beyond 4000"),
    ("layers.3.weight.2.1", "9" * 4001, "layers[3].weight[2][1]", "has more than 4000 digits"),
    ("layers.3.weight.2.1", "9" * 10**6, "layers[3].weight[2][1]", "has 1000000 characters"),
    ("layers.3.bias", [1, 2], "layers[3].bias", "expected a list of 3 numbers, got a list of 2"),
    ("layers.3.bias", None, "layers[3].bias", "expected a list of 3 numbers, got null"),
    ("layers.3.bias.0", "x", "layers[3].bias[0]", "expected a rational number"),
    ("layers.5.slope", MISSING, "layers[5]", 'expected the key "slope"'),
    ("layers.5.slope", True, "layers[5].slope", "expected a rational number, got true"),
    (HEAD + ".query", MISSING, "layers[0].heads[0]", 'expected the key "query"'),
    (HEAD + ".query.weight.0", [1], "layers[0].heads[0].query.weight[0]", "expected a list of 2 numbers"),
    (HEAD + ".query.bias", [1], "layers[0].heads[0].query.bias", "expected a list of 2 numbers"),
    (HEAD + ".keys", [], "layers[0].heads[0].keys", "expected a list of rows, got an empty list"),
    (HEAD + ".keys.1", [1], "layers[0].heads[0].keys[1]", "expected a list of 2 numbers, got a list of 1"),
    (HEAD + ".keys.1.0", "k", "layers[0].heads[0].keys[1][0]", "'k' is not a rational number"),
    (HEAD + ".score_bias", [1], "layers[0].heads[0].score_bias", "expected a list of 2 numbers, got a list of 1"),
    (HEAD + ".values", [["1"]], "layers[0].heads[0].values", "expected a list of 2 rows, got a list of 1"),
    (HEAD + ".values", [[], []], "layers[0].heads[0].values[0]", "expected a list of numbers, got an empty list"),
    (HEAD + ".values.1", [1, 2], "layers[0].heads[0].values[1]", "expected a list of 1 numbers, got a list of 2"),
    (HEAD + ".values", [[1, 2], [3, 4]], "layers[0].heads[1].values", "expected values of 2 numbers as in heads[0]"),
    (HEAD + ".log_values", [[1]], "layers[0].heads[0]", 'the unknown key "log_values"'),
    ("layers.0.heads", [], "layers[0].heads", "expected a list of heads, got an empty list"),
    ("layers.0.heads", copy.deepcopy(GOOD["layers"][0]["heads"][:1]), "layers[0].heads", "expected 2 outputs for"),
    ("layers.0.residual", "true", "layers[0].residual", 'expected true or false, got the string "true"'),
    ("layers.0.residual", 1, "layers[0].residual", "expected true or false, got 1"),
    (
        "layers.1.output.weight",
        [[1, 0, 0]],
        "layers[1].output.weight",
        "expected 2 rows for the residual, got a list of 1",
    ),
    ("layers.1.output.weight.0", [1, 0], "layers[1].output.weight[0]", "expected a list of 3 numbers, got a list of 2"),
    (
        "layers.2.output.weight",
        [[1, 2, 3]],
        "layers[2].output.weight",
        "expected 2 rows for the residual, got a list of 1",
    ),
    ("layers.2.output.weight.0", [1], "layers[2].output.weight[0]", "expected a list of 3 numbers, got a list of 1"),
    ("layers.2.hidden.weight", [[1]], "layers[2].hidden.weight[0]", "expected a list of 2 numbers, got a list of 1"),
    ("layers.2.hidden.weight", [], "layers[2].hidden.weight", "got an empty list"),
    ("layers.2.residual", None, "layers[2].residual", "expected true or false, got null"),
    ("layers.8.units", [], "layers[8].units", "expected a list of units, got an empty list"),
    ("layers.8.units.1.weight", [], "layers[8].units[1].weight", "expected a list of rows, got an empty list"),
    ("layers.8.units.1.weight.0", [1], "layers[8].units[1].weight[0]", "expected a list of 3 numbers"),
    ("layers.8.units.0.bias", [1], "layers[8].units[0].bias", "expected a list of 2 numbers, got a list of 1"),
    ("layers.9.heads.0.log_values.1", [1], "layers[9].heads[0].log_values[1]", "expected a list of 3 numbers"),
    ("layers.9.heads.0.values", [[1]], "layers[9].heads[0]", 'the unknown key "values"'),
    ("layers.9.residual", True, "layers[9]", 'the unknown key "residual"'),
    ("domain", [], "domain", "expected an object, got a list of 0"),
    ("domain", {}, "domain", 'expected one of "box" and "inequalities", got an empty object'),
    ("domain.inequalities", [], "domain", 'expected one of "box" and "inequalities", got both'),
    ("domain.ball", 1, "domain", 'the unknown key "ball"'),
    ("domain.box.1", [0], "domain.box[1]", "expected a list of 2 numbers, got a list of 1"),
    ("domain.box.1", ["0", "inf"], "domain.box[1][1]", "'inf' is not a rational number"),
    ("domain", {"inequalities": [[1, 2]]}, "domain.inequalities[0]", "expected a list of 3 numbers, got a list of 2"),
    ("x" * 1000, 1, "", "got the unknown key"),
    ("line\nbreak", 1, "", r'the unknown key "line\nbreak"'),
]


def mutated(path: str, value: object) -> bytes:
    document = copy.deepcopy(GOOD)
    *steps, last = path.split(".")
    target: Any = document
    for step in steps:
        target = target[int(step) if step.isdigit() else step]
    key = int(last) if last.isdigit() else last
    if value is MISSING:
        del target[key]
    else:
        target[key] = value
    return json.dumps(document).encode()


def test_the_unbroken_document_is_read() -> None:
    network = read_network(json.dumps(GOOD).encode())
    assert (network.input_dim, network.output_dim, len(network.stages)) == (2, 3, 9)


@pytest.mark.parametrize(("path", "value", "place", "words"), MUTATIONS, ids=lambda value: repr(value)[:40])
def test_a_broken_document_is_refused_at_its_place(path: str, value: object, place: str, words: str) -> None:
    with pytest.raises(BadNetwork) as caught:
        read_network(mutated(path, value))
    assert caught.value.place == place
    message = str(caught.value)
    assert words in message
    assert message.isprintable()
    assert len(message) < 250


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "expected JSON, got nothing"),
        (b"x", "expected JSON, got a syntax error at line 1 column 1"),
        (b"{", "syntax error at line 1 column 2"),
        (b"{}{}", "Extra data"),
        (b'{"a": 01}', "syntax error"),
        (b"not json", "expected JSON"),
        (b"[]", "expected an object, got a list of 0"),
        (b"3", "expected an object, got 3"),
        (b"null", "expected an object, got null"),
        (b"NaN", "got NaN"),
        (b'{"format": "\xff"}', "expected JSON in UTF-8, got the byte 0xff at offset 12"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        ("{}".encode("utf-16"), "byte order mark"),
        (b'{"format": "a", "format": "b"}', 'got an object with the key "format" twice'),
        (b"[" * 10**6, "nested beyond reason"),
        (b'{"a":' * 10**5, "nested beyond reason"),
        (b'{"format": "\\ud800"}', r"\ud800"),
        (b'{"format": "\x01"}', "Invalid control character"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_bytes_that_are_no_document_are_refused(data: bytes, words: str) -> None:
    with pytest.raises(BadNetwork) as caught:
        read_network(data)
    assert words in str(caught.value)
    assert str(caught.value).isprintable()
    assert isinstance(caught.value, BadInput)


@pytest.mark.parametrize("place", ["layers[3]", "layers[0].heads[0].query", "domain"])
def test_a_repeated_key_is_refused_at_its_place(place: str) -> None:
    text = json.dumps(GOOD)
    opening = {
        "layers[3]": '{"type": "linear", ',
        "layers[0].heads[0].query": '"query": {',
        "domain": '"domain": {',
    }[place]
    repeated = opening + ('"type": "linear", ' if place == "layers[3]" else '"twice": 1, "twice": 1, ')
    with pytest.raises(BadNetwork, match="twice") as caught:
        read_network(text.replace(opening, repeated, 1).encode())
    assert caught.value.place == place


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats()
    | st.text(max_size=3)
    | st.sampled_from(["1/2", "1e9"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["weight", "type", "x"]), inner),
    max_leaves=6,
)


@given(st.data())
def test_any_change_is_read_or_refused_in_one_line(data: st.DataObject) -> None:
    document: Any = copy.deepcopy(GOOD)
    target = document
    while True:  # walk down to some entry and replace it
        key = data.draw(st.sampled_from(list(target) if isinstance(target, dict) else range(len(target))))
        if not isinstance(target[key], dict | list) or not target[key] or data.draw(st.integers(0, 4)) == 0:
            break
        target = target[key]
    target[key] = data.draw(json_values)
    try:
        read_network(json.dumps(document).encode())
    except BadNetwork as error:
        refusal = str(error)
        assert refusal.isprintable()
        assert len(refusal) < 250


@given(st.binary(max_size=6), st.integers(0, 2000), st.integers(0, 6))
def test_any_bytes_are_read_or_refused(noise: bytes, start: int, length: int) -> None:
    text = json.dumps(GOOD).encode()
    with contextlib.suppress(BadNetwork):
        read_network(text[:start] + noise + text[start + length :])


LEGAL: list[tuple[str, Callable[[Document], object]]] = [
    ("no domain", lambda d: d.pop("domain")),
    ("null domain", lambda d: d.update(domain=None)),
    ("no inequality", lambda d: d.update(domain={"inequalities": []})),
    ("a negative slope", lambda d: d["layers"][5].update(slope="-7/3")),
    ("no residual", lambda d: d["layers"][2].pop("residual")),
    ("a plus sign", lambda d: d["layers"][3]["bias"].__setitem__(0, "+1")),
    ("the largest numbers", lambda d: d["layers"][3]["bias"].__setitem__(0, "-" + "9" * 4000 + "/" + "7" * 4000)),
]


@pytest.mark.parametrize(("name", "change"), LEGAL, ids=[name for name, _ in LEGAL])
def test_legal_variants_are_read(name: str, change: Callable[[Document], object]) -> None:
    document = copy.deepcopy(GOOD)
    change(document)
    assert read_network(json.dumps(document).encode()).output_dim == 3


def test_heads_of_different_sizes_need_no_residual_or_an_output() -> None:
    heads = [
        {"query": {"weight": [[1, 0, 0]]}, "keys": [[1]], "values": [[1]]},
        {"query": {"weight": [[1, 0, 0]]}, "keys": [[1]], "values": [[1, 2]]},
    ]

    def read(**extra: object) -> int:
        layer = {"type": "attention", "heads": heads, **extra}
        document = {"format": "exactgeo-network/1", "input_dim": 3, "layers": [layer]}
        return read_network(json.dumps(document).encode()).output_dim

    assert read() == 3
    assert read(residual=True, output={"weight": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}) == 3
    with pytest.raises(BadNetwork, match="because of the residual"):
        read(residual=True)


def test_numbers_are_read_exactly() -> None:
    document = {"format": "exactgeo-network/1", "input_dim": 1, "layers": [{"type": "linear", "weight": [[0]]}]}

    def read(text: str) -> tuple[int, int]:
        before, after = json.dumps(document).split("0")
        return read_network(f"{before}{text}{after}".encode()).evaluate([1])[0].as_integer_ratio()

    assert read("0.1") == read('"0.1"') == read('"1/10"') == read("1e-1") == (1, 10)
    assert read("1E+40") == (10**40, 1)
    assert read("123456789012345678901234567890.000000000000000000000000000001") == (
        123456789012345678901234567890 * 10**30 + 1,
        10**30,
    )
    assert read("-0.0") == (0, 1)
    assert read("9" * 3000) == (10**3000 - 1, 1)


@pytest.mark.parametrize("layers", [1, 2])
def test_a_common_denominator_of_a_million_digits_is_refused(layers: int) -> None:
    """24,000 unrelated 60-digit denominators once kept the reader busy for ten minutes."""
    weight = [[f"1/{10**60 + 41 * i + j}" for j in range(40)] for i in range(60)]
    rows = [[f"1/{10**60 + 41 * i + j}" for j in range(40)] for i in range(3)]
    document = {
        "input_dim": 40,
        "layers": [{"type": "linear", "weight": weight}, {"type": "relu"}][:layers],
    }
    with pytest.raises(BadNetwork, match=r"^layers\[0\]: the weights of a map have a common denominator beyond"):
        Network.from_arrays(document)
    Network.from_arrays({"input_dim": 40, "layers": [{"type": "linear", "weight": rows}]})

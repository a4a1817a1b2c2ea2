"""The compiled proof search writes what the search in Python writes, byte for byte."""

import random
import subprocess
import sys
from fractions import Fraction
from itertools import pairwise
from math import gcd
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from exactgeo import Network, load_network
from exactgeo.cells import choice
from exactgeo.cells.choice import Terms
from exactgeo.certificate import Counts, compiled_tree
from exactgeo.certificate import search_kernel as kernel
from exactgeo.certificate.certificate import certificate_lines
from exactgeo.certificate.compiled_tree import CompiledProver, CompiledProvers
from exactgeo.certificate.records import LeafBlock, RecordBlock
from exactgeo.certificate.tree import Prover
from proofs_check import check
from tests.certificate.proving import Document, counts_of, network_of, weighed
from tests.known.degenerate import DEGENERATE
from tests.oracles.strategies import documents

WORKLOADS = Path(__file__).parents[1] / "known" / "workloads"
RELU: Document = {"type": "relu"}
SMALL = [
    *("w1_d2_n50", "w1_d3_n25", "w1_d4_n12", "w1_d5_n12", "w1_d6_n12", "w2_d2_H4_N10", "w2_d3_H2_N8", "w2_d3_H3_N6"),
    *("w2_d3_H4_N8", "w2_d3_H6_N15", "w2_d4_H2_N7", "w2_d4_H3_N7", "w2_d4_H4_N10", "w3_2-16-16-1_box"),
    *("w3_2-32-32-1_all", "w3_3-10-10-1_box", "w3_3-10-10-1_all", "w3_4-8-8-1_box", "w3_4-8-8-1_all"),
    *("w3x_3-10-10-1_box", "w3x_4-8-8-1_box", "t_d2_H2_N6_ff8_L1", "t_d2_H2_N6_ff8_L2", "t_d2_H2_N6_ff8_L3"),
    *("t_d2_H4_N16_ff16_L2", "t_d3_H3_N6_ff6_L1", "t_d3_H3_N6_ff6_L2", "t_d4_H2_N5_ff6_L2"),
]


def certificate_of(network: Network, counts: Counts, compiled: bool, multipliers: bool = False) -> list[bytes]:
    """The lines of the certificate, by either search; what the compiled one does not take is done in Python."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(choice.TERMS, "compiled", Terms(("split",), dimensions=9, candidates=63, entries=4_000_000))
        return list(certificate_lines(network, counts, multipliers, core=None if compiled else "python"))


def agree(network: Network, multipliers: bool = False) -> list[bytes]:
    """Both searches give the same lines, which are the answer."""
    counts = counts_of(network)
    expected = certificate_of(network, counts, False, multipliers)
    assert certificate_of(network, counts, True, multipliers) == expected
    return expected


def handed_back(network: Network) -> tuple[int, int]:
    """How many nodes the kernel hands back, and how many it begins with."""
    prover = CompiledProver(network, False, True)
    for _ in prover.run():
        pass
    return prover.handed_back, int(prover.control[kernel.NODES])


def linear(*rows: list[int | str]) -> Document:
    return {"type": "linear", **weighed(list(rows))}


# The same bytes


@pytest.mark.parametrize("name", SMALL)
def test_workloads(name: str) -> None:
    network = load_network(WORKLOADS / f"{name}.json")
    agree(network)
    back, nodes = handed_back(network)
    assert back == 0 < nodes


@pytest.mark.parametrize("name", ["w2_d3_H4_N8", "t_d2_H2_N6_ff8_L2", "w3_2-16-16-1_all"])
def test_multipliers(name: str, tmp_path: Path) -> None:
    network = load_network(WORKLOADS / f"{name}.json")
    lines = agree(network, multipliers=True)
    (tmp_path / "proof").write_bytes(b"".join(lines))
    assert check(str(tmp_path / "proof")).cells == counts_of(network).cells


@given(document=documents(max_dim=3, max_units=3), multipliers=st.booleans())
@settings(max_examples=100)
def test_degenerate_networks(document: Document, multipliers: bool) -> None:
    """Dead, repeated and parallel units, ties, lineality, every kind of layer."""
    agree(Network.from_arrays(document), multipliers)


@pytest.mark.parametrize("name", DEGENERATE)
def test_known_degenerate_networks(name: str, tmp_path: Path) -> None:
    document, expected = DEGENERATE[name]()
    lines = agree(Network.from_arrays(document))
    (tmp_path / "proof").write_bytes(b"".join(lines))
    assert check(str(tmp_path / "proof")).cells == expected["cells"]


def stretched(value: Any, factor: Fraction) -> Any:
    """Weights times a factor."""
    if isinstance(value, list):
        return [stretched(entry, factor) for entry in value]
    return str(Fraction(value) * factor)


@given(document=documents(), bits=st.sampled_from([20, 40, 55, 62, 80, 130, 300]))
@settings(max_examples=60)
def test_long_numbers(document: Document, bits: int) -> None:
    """Numbers around the limits of one word, of two, and beyond."""
    factor = Fraction(2**bits - 1, 2 ** (bits // 2) + 1)
    for layer in document["layers"]:
        for part in (layer, layer.get("hidden"), *layer.get("units", ())):
            if part is not None and "weight" in part:
                part["weight"] = stretched(part["weight"], factor)
    agree(Network.from_arrays(document))


def mlp(rng: random.Random, widths: list[int], size: int, domain: Document | None) -> Network:
    layers: list[Document] = []
    for inputs, outputs in pairwise(widths):
        rows: list[list[int | str]] = [[rng.randint(-size, size) for _ in range(inputs + 1)] for _ in range(outputs)]
        layers += [linear(*rows), RELU]
    return network_of(widths[0], layers[:-1], domain)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("bits", [8, 31, 45, 64])
def test_networks_of_units(seed: int, bits: int) -> None:
    rng = random.Random(100 * bits + seed)
    dimension = 1 + seed % 4
    box: Document = {"box": [[-3, 2 + k] for k in range(dimension)]}
    widths = [dimension, 7 - dimension // 2, 5, 1]
    agree(mlp(rng, widths, 2**bits, box if seed % 2 else None))


@pytest.mark.parametrize("seed", range(8))
def test_heads_of_many_sizes(seed: int) -> None:
    """Several heads with ties, biases and values of several entries, then units, then heads again."""
    rng = random.Random(seed)

    def numbers(rows: int, columns: int, size: int = 5) -> list[list[int]]:
        return [[rng.randint(-size, size) for _ in range(columns)] for _ in range(rows)]

    def attention(dimension: int) -> Document:
        heads = []
        for _ in range(rng.randint(1, 3)):
            keys = rng.randint(1, 7)
            head = {"query": {"weight": numbers(2, dimension), "bias": numbers(1, 2)[0]}, "keys": numbers(keys, 2)}
            heads.append({**head, "score_bias": numbers(1, keys)[0], "values": numbers(keys, 2)})
        output = {"weight": numbers(dimension, 2 * len(heads)), "bias": numbers(1, dimension)[0]}
        return {"type": "attention", "heads": heads, "output": output, "residual": bool(seed % 2)}

    dimension = rng.randint(1, 3)
    hidden = {"weight": numbers(3, dimension), "bias": numbers(1, 3)[0]}
    ffn = {"type": "ffn", "hidden": hidden, "output": {"weight": numbers(dimension, 3)}, "residual": True}
    box: Document = {"box": [[-2, 2]] * dimension}
    agree(network_of(dimension, [attention(dimension), ffn, attention(dimension)], box if seed % 3 else None))


def test_without_selectors() -> None:
    box: Document = {"box": [[-1, 2], [-2, 1]]}
    agree(network_of(2, [linear([1, 2, 3])], box))
    agree(network_of(2, [linear([1, 2, 3]), RELU, linear([1, 2])], box))
    agree(network_of(2, [{"type": "maxout", "units": [{"weight": [[1, 0]]}]}, linear([0, 3])]))


# What the kernel does not do


def test_few_cells_do_without() -> None:
    """Where nothing has loaded the kernel, a network with few cells does not either; one with many does."""
    command = """
import sys
from exactgeo import Network, load_network
from exactgeo.certificate import Counts
from exactgeo.certificate.certificate import certificate_lines
list(certificate_lines(load_network(sys.argv[1]), Counts(int(sys.argv[2]))))
print("numba" in sys.modules)
"""
    for name, cells, loaded in (("w1_d3_n15", 576, "False"), ("w1_d2_n50", 1276, "True")):
        arguments = [sys.executable, "-c", command, str(WORKLOADS / f"{name}.json"), str(cells)]
        assert subprocess.run(arguments, capture_output=True, check=True, text=True).stdout.strip() == loaded


def test_long_weights_are_handed_back() -> None:
    """Numbers of more than 126 bits arise on the way, not before."""
    network = mlp(random.Random(5), [3, 4, 3, 1], 2**24, {"box": [[-1, 1]] * 3})
    back, nodes = handed_back(network)
    assert 0 < back < nodes
    agree(network)


@pytest.mark.parametrize("keys", [[[1], [-1]], [[1], [-1], [0]]])
def test_a_row_beyond_the_kernel(keys: list[list[int]]) -> None:
    """Scores of 126 bits whose difference, divided by 2, has as many and one more."""
    query = {
        "weight": [[5568961966841720067347745048445385880, 5661368933385476892054314931375770137]],
        "bias": [-4781551692638089517650934385202176577],
    }
    head = {"query": query, "keys": keys, "values": [[0, 0] for _ in keys]}
    layers: list[Document] = [
        {"type": "linear", "weight": [["9/8", 0], [0, "9/8"]]},
        RELU,
        {"type": "attention", "residual": True, "heads": [head]},
    ]
    network = network_of(2, layers, {"inequalities": [[0, 1, 0], [0, 0, 1], [1, -1, -1]]})
    assert handed_back(network)[0] > 0
    agree(network)


def test_weights_beyond_the_kernel() -> None:
    network = mlp(random.Random(6), [2, 4, 2], 2**200, {"box": [[-1, 1]] * 2})
    assert CompiledProvers().prover(network, False, True) is None
    agree(network)


def test_giving_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where most nodes come back none goes in any more."""
    monkeypatch.setattr(compiled_tree, "TRIES", 2)
    network = mlp(random.Random(5), [3, 8, 1], 2**42, {"box": [[-1, 1]] * 3})
    prover = CompiledProver(network, False, True)
    for _ in prover.run():
        pass
    assert not prover.loading
    agree(network)


def test_more_rows_than_bits() -> None:
    """A polygon with 80 sides."""
    rows: list[list[int | str]] = [[k * k + 900, 60, 2 * k] for k in range(-40, 41)]
    network = network_of(2, [linear([0, 1, 1], [1, 1, -2], [-9, 0, 1]), RELU], {"inequalities": rows})
    agree(network)


# Room and pauses


@pytest.mark.parametrize("name", ["w2_d3_H4_N8", "w3_4-8-8-1_box", "t_d2_H4_N16_ff16_L2", "w3_4-8-8-1_all"])
def test_room_pauses_and_blocks_change_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    network = load_network(WORKLOADS / f"{name}.json")
    expected = agree(network)
    for constant, value in {"ROOM": 1, "STEPS": 3, "TEXT": 0, "LEAVES": 1}.items():
        monkeypatch.setattr(compiled_tree, constant, value)
    blocks = [item for item in CompiledProver(network, False, True).run() if isinstance(item, RecordBlock)]
    assert len(blocks) > 50
    assert certificate_of(network, counts_of(network), True) == expected


def test_cells_alone_need_no_leaves() -> None:
    network = load_network(WORKLOADS / "w3_2-16-16-1_box.json")
    counts = Counts(counts_of(network).cells)
    assert certificate_of(network, counts, True) == certificate_of(network, counts, False)


def test_leaves() -> None:
    """Those of the kernel have the cells of those in Python, and their sketches."""
    network = load_network(WORKLOADS / "t_d2_H2_N6_ff8_L2.json")
    found = [item for item in CompiledProver(network, False, True).run() if isinstance(item, LeafBlock)]
    leaves = [block.leaf(k) for block in found for k in range(block.leaves)]
    expected = [item for item in Prover(network, False).run() if not isinstance(item, list)]
    assert [leaf.point for leaf in leaves] == [leaf.point for leaf in expected]
    assert [leaf.sketch() for leaf in leaves] == [leaf.sketch() for leaf in expected]
    for one, two in zip(leaves, expected, strict=True):
        assert one.cell.classes == two.cell.classes
        assert one.map == two.map
        assert {face.row for face in one.cell.body.faces()} == {face.row for face in two.cell.body.faces()}


# Numbers


@njit
def _gcd(a: Any, b: Any) -> Any:
    return kernel._gcd4(a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3])


@njit
def _cross(v: Any, y: Any, o: Any, x: Any) -> Any:
    sign = kernel._cross_sign(v[0], v[1], y[0], y[1], o[0], o[1], x[0], x[1])
    return kernel._cross4(v[0], v[1], y[0], y[1], o[0], o[1], x[0], x[1]), sign


@njit
def _rounded(a: Any) -> Any:
    return kernel._float(a[0], a[1])


@njit
def _quotient(a: Any, g: Any) -> Any:
    twos, length = kernel._trailing4(g[0], g[1], g[2], g[3]), kernel._length4(g[0], g[1], g[2], g[3])
    o = kernel._right4(g[0], g[1], g[2], g[3], twos)
    inverse = kernel._inverse2(o[0], o[1])
    return kernel._divided(a[0], a[1], a[2], a[3], twos, length, inverse[0], inverse[1])


def words(number: int, count: int) -> Any:
    return np.frombuffer((number % 2 ** (64 * count)).to_bytes(8 * count, "little"), "<u8")


def value(found: Any) -> int:
    number = sum(int(word) << 64 * k for k, word in enumerate(found))
    return number - (1 << 64 * len(found)) if number >> (64 * len(found) - 1) else number


def integers(bits: int) -> st.SearchStrategy[int]:
    """Of all lengths up to so many bits, near powers of two too."""
    size = st.integers(0, bits)
    near = st.builds(lambda n, e: 2**n + e if n else e, size, st.integers(-2, 2))
    free = size.flatmap(lambda n: st.integers(0, 2**n))
    return st.builds(
        lambda x, sign: max(min(sign * x, 2**bits - 1), 1 - 2**bits), st.one_of(near, free), st.sampled_from([1, -1])
    )


@given(integers(126), integers(126), integers(126), integers(126))
def test_crossings(v: int, y: int, o: int, x: int) -> None:
    found, sign = _cross(words(v, 2), words(y, 2), words(o, 2), words(x, 2))
    expected = v * y - o * x
    assert value(found) == expected
    assert sign == (expected > 0) - (expected < 0)


@given(integers(120), integers(120), integers(120))
def test_common_divisors(one: int, two: int, factor: int) -> None:
    a, b = abs(one * factor), abs(two * factor)
    assert value(_gcd(words(a, 4), words(b, 4))) == gcd(a, b)


@given(integers(126))
@settings(max_examples=500)
def test_floats(number: int) -> None:
    assert _rounded(words(number, 2)) == float(number)


@given(integers(123), integers(126))
def test_exact_division(quotient: int, divisor: int) -> None:
    if divisor:
        low, high, fits = _quotient(words(quotient * abs(divisor), 4), words(abs(divisor), 4))
        assert fits
        assert value((low, high)) == quotient

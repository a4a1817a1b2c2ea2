"""Long integers in the kernel against Python's, and networks whose stages need them."""

from itertools import pairwise
from math import gcd
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactgeo.cells import count_cells, enumerate_cells
from exactgeo.cells import kernel as kernels
from exactgeo.cells.arrays import put_long
from exactgeo.cells.compiled import Compiled
from exactgeo.network import Network
from exactgeo.network.stages import SKETCH_PRIME

BITS = 64 * kernels.LIMBS


def words(bits: int) -> st.SearchStrategy[int]:
    """Integers of so many bits and a sign, the first and the last ones among them, and runs of ones."""
    top = 2**bits
    edges = [
        0,
        1,
        -1,
        top - 1,
        1 - top,
        *[sign * (2**k + e) for k in (31, 63, 64) for e in (-1, 0, 1) for sign in (1, -1)],
    ]
    return st.one_of(st.integers(1 - top, top - 1), st.sampled_from([x for x in edges if abs(x) < top]))


def long(value: int) -> Any:
    found = np.zeros((1, 1, kernels.LIMBS), np.uint64)
    put_long([[value]], found)
    return found[0, 0]


def value(found: Any) -> int:
    return int.from_bytes(found.astype("<u8").tobytes(), "little", signed=True)


@given(words(190), words(190), words(62))
def test_sums_and_products(total: int, term: int, factor: int) -> None:
    found = long(total)
    kernels._add(found, long(term), np.int64(factor))
    assert value(found) == total + term * factor
    if factor > 0:
        found = long(term)
        kernels._multiply(found, np.int64(factor))
        assert value(found) == term * factor


@given(st.lists(st.tuples(words(62), words(60)), max_size=6))
def test_sums_in_two_words(terms: list[tuple[int, int]]) -> None:
    longs = np.zeros((max(1, len(terms)), 1, kernels.LIMBS), np.uint64)
    put_long([[term] for term, _ in terms] or [[0]], longs)
    factors = np.array([factor for _, factor in terms], np.int64)
    found = long(-1)
    kernels._sum_double(found, longs, np.int64(0), factors, np.arange(len(terms)), np.int64(len(terms)))
    assert value(found) == sum(term * factor for term, factor in terms)


@given(words(254))
def test_floats_and_residues(number: int) -> None:
    rounded = kernels._rounded(long(number))
    assert abs(int(rounded) - number) * 2**52 <= abs(number)
    assert (rounded == 0) == (number == 0)
    assert kernels._residue(long(number)) == number % SKETCH_PRIME


@given(words(100), st.integers(0, 150))
def test_powers_of_two(number: int, power: int) -> None:
    found = long(number << power)
    if number:
        assert kernels._trailing(found) == power + (number & -number).bit_length() - 1
    kernels._shift(found, np.int64(power))
    assert value(found) == number


@given(words(90), words(90), words(70))
def test_common_divisors(one: int, two: int, factor: int) -> None:
    found = long(abs(one * factor))
    kernels._divide_out(found, long(abs(two * factor)))
    assert value(found) == gcd(one * factor, two * factor)


@pytest.mark.parametrize("bits", [10, 14, 18])
def test_lines_that_are_long_on_the_way(bits: int) -> None:
    """Bias-free heads on all of R^4: generators slide along lines, by numbers that are long before they are divided."""
    random = np.random.default_rng(bits)
    keys = random.integers(-(2**bits), 2**bits, (3, 6, 4))
    head = {"query": {"weight": np.eye(4, dtype=int)}, "values": np.arange(6)[:, None]}
    heads = [{**head, "keys": own} for own in keys]
    network = Network.from_arrays({"input_dim": 4, "layers": [{"type": "attention", "heads": heads}]})
    compiled = Compiled(network)
    slow = [cell.pattern for cell in enumerate_cells(network, "split", core="python")]
    assert [cell.pattern for cell in enumerate_cells(network, "split", core=compiled)] == slow
    assert sum(count_cells(network, "split", core=compiled)) == len(slow)


@pytest.mark.parametrize("widths", [(2, 8, 8, 1), (3, 6, 6, 2), (2, 6, 6, 6, 1), (1, 5, 5, 5, 5, 1)])
def test_weights_that_are_floats(widths: tuple[int, ...]) -> None:
    """As they come from PyTorch: no stage is handed back, and the cells are those of integers of any length."""
    random = np.random.default_rng(sum(widths))
    pairs = list(pairwise(widths))
    weights = [random.standard_normal((after, before)).astype(np.float32) for before, after in pairs]
    biases = [random.standard_normal(after).astype(np.float32) for _, after in pairs]
    network = Network.mlp(weights, biases, {"box": [[-1, 1]] * widths[0]})
    compiled = Compiled(network)
    listed = list(enumerate_cells(network, "split", core=compiled))
    slow = list(enumerate_cells(network, "split", core="python"))
    assert [cell.pattern for cell in listed] == [cell.pattern for cell in slow]
    assert [cell.sketch() for cell in listed] == [cell.sketch() for cell in slow]
    assert sum(count_cells(network, "split", core=compiled)) == len(slow) > 5
    assert compiled.report().handed_back == 0


def test_ties_of_long_rows() -> None:
    """Two units of the second layer are the same where one of the first is off, by integers of more than 64 bits."""
    big = 2**50 + 1
    weights = [[[big, 3], [1, -big], [7, big]], [[big, big, 1], [big, -big, 1], [big, 5, -big]], [[1, 2, 3]]]
    network = Network.mlp(weights, [[1, 2, 3], [4, 4, 5], [0]], {"box": [[-1, 1], [-1, 1]]})
    compiled = Compiled(network)
    slow = [cell.pattern for cell in enumerate_cells(network, "split", core="python")]
    assert [cell.pattern for cell in enumerate_cells(network, "split", core=compiled)] == slow
    assert sum(count_cells(network, "split", core=compiled)) == len(slow)


def test_sums_beyond_floats() -> None:
    """Each entry of a row is a float, but not their sum: nothing is decided by that, and nothing warned of."""
    big = 17 * 10**307
    layers = [
        {"type": "linear", "weight": [[big, big - 1], [-big, big], [1, 1]], "bias": [big, 0, 1]},
        {"type": "relu"},
    ]
    network = Network.from_arrays({"input_dim": 2, "layers": layers})
    compiled = Compiled(network)
    slow = [cell.pattern for cell in enumerate_cells(network, "split", core="python")]
    assert [cell.pattern for cell in enumerate_cells(network, "split", core=compiled)] == slow
    assert sum(count_cells(network, "split", core=compiled)) == len(slow) == 7

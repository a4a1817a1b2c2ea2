"""The compiled kernel against the same split in Python: the same cells, in the same order, with the same sketches."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactgeo import Cell, Network, enumerate_cells, linear_regions
from exactgeo.cells import compiled as module
from exactgeo.cells import kernel
from exactgeo.cells.compiled import Compiled
from exactgeo.cells.cores import Signs
from exactgeo.cells.node import root_node
from tests.known.manifest import network_of
from tests.oracles.strategies import documents

MOST = 400


def _by_kernel(network: Network) -> tuple[list[Cell], Signs]:
    made = Compiled(network)
    cells = list(made.cells(root_node(network), len(network.stages)))
    assert sum(Compiled(network).count(root_node(network))) == len(cells)
    return cells, made.report()


def _agree(network: Network) -> Signs:
    expected = list(islice(enumerate_cells(network, "split", core="python"), MOST))
    cells, tests = _by_kernel(network)
    if len(expected) < MOST:
        assert len(cells) == len(expected)
    for one, two in zip(cells, expected, strict=False):
        assert one.pattern == two.pattern
        assert one.classes == two.classes
        assert one.sketch() == two.sketch()
        assert one.map == two.map
        assert set(one.irredundant_rows()) == set(two.irredundant_rows())
    return tests


@given(documents(max_dim=3, max_units=4))
def test_kernel_lists_the_cells_of_split_on_degenerate_networks(document: dict[str, Any]) -> None:
    _agree(Network.from_arrays(document))


def _stretched(value: Any, factor: Fraction) -> Any:
    """A document with all weights times a factor."""
    if isinstance(value, list):
        return [_stretched(entry, factor) for entry in value]
    if isinstance(value, dict):
        return {key: _stretched(entry, factor) if key not in _FIXED else entry for key, entry in value.items()}
    return str(Fraction(value) * factor) if isinstance(value, str) else value


_FIXED = ("format", "input_dim", "domain", "type", "residual", "slope")


@given(
    documents(max_dim=3, max_units=3),
    st.fractions(min_value=10**6, max_value=10**12, max_denominator=10**12),
)
def test_kernel_is_exact_where_numbers_are_long_and_zeros_abound(document: dict[str, Any], factor: Fraction) -> None:
    _agree(Network.from_arrays(_stretched(document, factor)))


@given(st.randoms(use_true_random=False), st.integers(1, 4), st.integers(1, 3))
def test_kernel_is_exact_on_floats(random: Any, dimension: int, layers: int) -> None:
    sizes = [dimension, *[random.randint(1, 5) for _ in range(layers)], 1]
    weights = [[[_float(random) for _ in range(a)] for _ in range(b)] for a, b in pairwise(sizes)]
    biases = [[_float(random) for _ in range(b)] for b in sizes[1:]]
    domain = random.choice([None, {"box": [[-2, 2]] * dimension}])
    _agree(Network.mlp(weights, biases, domain))


def _float(random: Any) -> float:
    """Some are zero, as in a pruned network."""
    return 0.0 if random.random() < 0.3 else random.gauss(0, 1)


def test_every_way_of_deciding_a_sign_is_used() -> None:
    """Rows that make long rays in R^6."""
    arrangement = _by_listing("w1_d6_n16")
    assert arrangement.floats > 100_000
    assert arrangement.zeros > 0
    assert arrangement.handed_back > 0
    assert _by_listing("w1_d4_n30").modular > 0
    small = _by_listing("w1_d2_n50")
    assert small.integers == small.total > 0


def _by_listing(name: str) -> Signs:
    network = network_of(name)
    made = Compiled(network)
    assert sum(1 for _ in made.cells(root_node(network), 1)) > 0
    return made.report()


def test_minors_are_put_off_until_a_float_does_not_decide() -> None:
    network = network_of("w1_d6_n16")
    made = Compiled(network)
    assert sum(1 for _ in made.cells(root_node(network), 1)) == 14893
    assert 0 < made.tests[kernel.MINORS] < made.tests[kernel.CROSSINGS] / 100


@pytest.mark.parametrize("seed", range(12))
def test_hyperplanes_that_nearly_meet_in_a_point(seed: int) -> None:
    """Combinations of others, or next to them: vertices of long coordinates on, and barely off, further hyperplanes."""
    random = Random(seed)
    dimension, bits = random.choice([(3, 60), (4, 30), (4, 50), (5, 25)])
    rows = [[random.randint(-(2**bits), 2**bits) for _ in range(dimension + 1)] for _ in range(dimension + 1)]
    for _ in range(3):
        factors = [random.randint(-2, 2) for _ in rows]
        sums = [sum(f * x for f, x in zip(factors, column, strict=True)) for column in zip(*rows, strict=True)]
        sums[random.randrange(dimension + 1)] += random.choice([-1, 0, 1])
        rows.append(sums)
    domain = random.choice([None, {"box": [[-2, 3]] * dimension}])
    _agree(Network.mlp([[row[1:] for row in rows], [[1] * len(rows)]], [[row[0] for row in rows], [0]], domain))


def test_an_undecided_sign_is_settled_in_long_integers() -> None:
    """Three lines through one point, with entries of 300 bits: no float, no 64-bit integer and no prime decides."""
    a, b = 3**190, 5**130
    rows = [[a, b, 0], [0, b, a], [a, 2 * b, a]]  # the last is the sum
    network = Network.mlp([[row[1:] for row in rows], [[1, 1, 1]]], [[row[0] for row in rows], [0]])
    tests = _agree(network)
    assert tests.handed_back > 0


def _head(weight: list[list[int]], keys: list[list[int]], bias: list[int], values: list[list[int]]) -> dict[str, Any]:
    return {"query": {"weight": weight}, "keys": keys, "score_bias": bias, "values": values}


def test_residues_on_both_sides_of_2_to_the_63() -> None:
    """Two scores whose difference is short and whose residues are far apart: only unsigned integers may wrap."""
    far, near = -(2**40), 2**20
    first = [_head([[0, -1], [1, 0]], [[0, 1], [far, 0]], [0, 0], [[1], [0]])]
    second = [
        _head([[0, 1], [0, 0]], [[0, 0], [1, 0]], [0, 0], [[0], [0]]),
        _head([[0, 0], [1, 1]], [[0, 0], [0, -1]], [0, -near], [[-3], [0]]),
    ]
    third = [_head([[-2, 0], [0, 0]], [[far, 0], [near, 0], [near, 0]], [0, 0, 1], [[0], [0], [0]])]
    layers = [
        {"type": "attention", "residual": residual, "heads": heads, "output": {"weight": weight}}
        for heads, residual, weight in (
            (first, True, [[0], [2]]),
            (second, True, [[0, -2], [0, 0]]),
            (third, False, [[0], [0]]),
        )
    ]
    network = Network.from_arrays({"input_dim": 2, "layers": layers})
    assert sum(Compiled(network).count(root_node(network))) == 13
    _agree(network)


def test_a_line_along_which_long_scores_nearly_agree() -> None:
    """The two pieces differ little, but each is too long to be multiplied by a line."""
    long = 2**62
    units = [
        {"weight": [[1, 0], [0, 0]], "bias": [0, 0]},
        {"weight": [[1, long], [0, long]], "bias": [3, 0]},
    ]
    domain = {"inequalities": [[5, 1, 0], [5, -1, 0]]}
    network = Network.from_arrays({"input_dim": 2, "domain": domain, "layers": [{"type": "maxout", "units": units}]})
    assert sum(Compiled(network).count(root_node(network))) == 3
    _agree(network)


@pytest.mark.parametrize("size", [10**150, 31 * 10**306])
def test_numbers_at_the_end_of_the_range_of_floats(size: int) -> None:
    box = {"box": [[5, 6], [0, 5], [0, 5]]}
    row = [size + 1, size, -size - 3, -size + 7]
    plain = Network.mlp([[row[1:], [1, 1, 1]], [[1, 1]]], [[row[0], -5], [0]], box)
    _agree(plain)
    pieces = {"weight": [row[1:], [0, 0, 0], [1, 0, 0]], "bias": [row[0], 0, 0]}
    network = Network.from_arrays({"input_dim": 3, "domain": box, "layers": [{"type": "maxout", "units": [pieces]}]})
    _agree(network)


def test_two_pieces_of_work_go_on_side_by_side() -> None:
    network = network_of("w3_2-16-16-1_all")
    made = Compiled(network)
    expected = [cell.pattern for cell in enumerate_cells(network, "split", core="python")]
    ways = [made.cells(root_node(network), 2) for _ in range(2)]
    pairs = [(one.pattern, two.pattern) for one, two in zip(*ways, strict=True)]
    assert pairs == [(pattern, pattern) for pattern in expected]


def test_a_cone_with_more_rows_than_bits_is_split_in_python() -> None:
    """A polygon with 80 sides around the unit circle, cut by two lines."""
    rows = [[str(Fraction(1)), str(x), str(y)] for x, y in islice(_directions(), 80)]
    document = {
        "input_dim": 2,
        "domain": {"inequalities": rows},
        "layers": [{"type": "relu"}, {"type": "linear", "weight": [["1", "1"], ["1", "-2"]]}, {"type": "relu"}],
    }
    _agree(Network.from_arrays(document))


def _directions() -> Iterator[tuple[Fraction, Fraction]]:
    """Rational points of the unit circle."""
    for k in range(1, 100):
        t = Fraction(k, 25) - 2
        yield (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)


@pytest.mark.parametrize("name", ["w3_2-16-16-1_all", "t_d2_H2_N6_ff8_L2", "w2_d3_H4_N8"])
def test_room_pauses_and_blocks_change_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    network = network_of(name)
    expected = [cell.pattern for cell in enumerate_cells(network, "split", core="python")]
    monkeypatch.setattr(module, "ROOM", 16)
    monkeypatch.setattr(module, "STEPS", 3)
    monkeypatch.setattr(module, "BLOCK", 5)
    cells, _ = _by_kernel(network)
    assert [cell.pattern for cell in cells] == expected


def test_cells_of_the_first_stages() -> None:
    network = network_of("t_d2_H2_N6_ff8_L2")
    for stages in range(1, len(network.stages) + 1):
        expected = [cell.pattern for cell in enumerate_cells(network, "split", stages, core="python")]
        assert [cell.pattern for cell in Compiled(network).cells(root_node(network), stages)] == expected


def test_regions_are_the_same() -> None:
    """A transformer in which cells share maps across jumps, and one unit that is twice there."""
    for name in ("t_d2_H4_N16_ff16_L2", "w3_4-8-8-1_all"):
        network = network_of(name)
        plain = linear_regions(enumerate_cells(network, "split", core="python"))
        quick = linear_regions(_by_kernel(network)[0])
        assert quick.members == plain.members
        assert quick.affine_maps == plain.affine_maps

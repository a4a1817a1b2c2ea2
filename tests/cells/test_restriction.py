"""Counting by restriction, against listing, against characteristic polynomials, and on degenerate arrangements."""

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactgeo import Network, count_cells
from exactgeo.cells import compiled as module
from exactgeo.cells.compiled import Compiled
from exactgeo.cells.cores import Signs
from exactgeo.cells.node import root_node
from exactgeo.cells.restriction import coordinates, count_on_slice
from exactgeo.network.stages import SKETCH_PRIME
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.rows import dot
from tests.known.arrangements import ARRANGEMENTS, Document, arrangement
from tests.known.degenerate import DEGENERATE
from tests.known.manifest import network_of
from tests.oracles.strategies import documents, domains
from tests.oracles.zaslavsky import regions

KNOWN = {**ARRANGEMENTS, **DEGENERATE}
P = SKETCH_PRIME


def _counted(network: Network) -> tuple[int, Signs]:
    made = Compiled(network)
    instalments = list(made.count(root_node(network)))
    assert min(instalments) > 0
    return sum(instalments), made.report()


def _agree(document: Document) -> Signs:
    network = Network.from_arrays(document)
    cells, signs = _counted(network)
    assert cells == sum(count_cells(network, "split", core="python"))
    return signs


@pytest.mark.parametrize("name", KNOWN)
def test_known_counts(name: str) -> None:
    document, expected = KNOWN[name]()
    network = Network.from_arrays(document)
    if network.stages:
        assert _counted(network)[0] == expected["cells"]


@st.composite
def _rows(draw: st.DrawFn, dimension: int, most: int) -> list[list[int]]:
    """Rows among which some are repeated, opposite, parallel, combinations of two, or constant."""
    small = st.integers(-2, 2)
    rows: list[list[int]] = [draw(st.lists(small, min_size=dimension + 1, max_size=dimension + 1))]
    for _ in range(draw(st.integers(0, most - 1))):
        one, two = draw(st.sampled_from(rows)), draw(st.sampled_from(rows))
        a, b = draw(small), draw(small)
        rows.append(
            draw(
                st.one_of(
                    st.lists(small, min_size=dimension + 1, max_size=dimension + 1),
                    st.just([a * x + b * y for x, y in zip(one, two, strict=True)]),
                    st.just([a, *one[1:]]),
                )
            )
        )
    return rows


@st.composite
def _arrangements(draw: st.DrawFn, most: int = 7) -> Document:
    dimension = draw(st.integers(1, 4))
    factor = draw(st.sampled_from([1, 1, 10**6 + 3, P, 2**40, 7**60]))
    rows = [[factor * x for x in row] for row in draw(_rows(dimension, most))]
    return arrangement(dimension, rows, draw(domains(dimension)))


@given(_arrangements())
def test_arrangements_in_polyhedra(document: Document) -> None:
    _agree(document)


@given(st.integers(1, 4).flatmap(lambda d: st.tuples(st.just(d), _rows(d, 8))))
def test_arrangements_have_as_many_cells_as_their_polynomial_says(drawn: tuple[int, list[list[int]]]) -> None:
    dimension, rows = drawn
    cells, _ = _counted(Network.from_arrays(arrangement(dimension, rows)))
    assert cells == regions(dimension, [[Fraction(x) for x in row] for row in rows if any(row[1:])])


@given(documents(max_dim=3, max_units=4))
def test_networks(document: Document) -> None:
    if Network.from_arrays(document).stages:
        _agree(document)


@pytest.mark.parametrize(("dimension", "number"), [(1, 50), (2, 60), (3, 20), (4, 12), (5, 10), (6, 9)])
def test_in_general_position_nothing_is_built(dimension: int, number: int) -> None:
    """On the moment curve: each slice adds one to the count, and points on lines are told apart by residues alone."""
    rows = [[t**k for k in range(dimension + 1)] for t in range(2, number + 2)]
    cells, signs = _counted(Network.from_arrays(arrangement(dimension, rows)))
    assert cells == sum(comb(number, k) for k in range(dimension + 1))
    # The one node, and the slices with forms before the one that makes them, points not among them.
    assert signs.nodes <= 1 + sum(comb(number, k) for k in range(dimension))
    assert signs.handed_back == 0


def test_a_hyperplane_that_only_touches_does_not_cut() -> None:
    """The diagonals of a square, and lines through its corners, along its sides and past it."""
    rows = [[0, 1, -1], [-1, 1, 1], [0, 1, 1], [-2, 1, 1], [0, 1, 0], [1, 0, -1], [5, 1, 1], [0, 2, -1]]
    box = {"box": [["0", "1"], ["0", "1"]]}
    assert _counted(Network.from_arrays(arrangement(2, rows, box)))[0] == 6
    _agree(arrangement(2, rows, box))


def test_planes_through_one_line_coincide_on_every_plane_across() -> None:
    """Two planes coincide on a third without being the same: a pencil, cut across, in a cube and in space."""
    pencil = [[0, 1, k, 0] for k in range(-3, 4)]
    for domain in (None, {"box": [["-1", "1"]] * 3}):
        assert _counted(Network.from_arrays(arrangement(3, [*pencil, [0, 0, 0, 1]], domain)))[0] == 28
        assert _counted(Network.from_arrays(arrangement(3, [[0, 0, 0, 1], *pencil], domain)))[0] == 28


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([[1, P, 0], [0, 0, P], [1, 1, 1]], id="zero modulo the prime"),
        pytest.param([[0, 1, 0], [5, 1, P], [3, 2, 1]], id="parallel modulo the prime"),
        pytest.param([[0, 1, 2], [P, 1, 2], [0, 1, 2 + P], [1, 1, 1]], id="the same modulo the prime"),
        pytest.param([[0, 1, 0], [0, 0, 1], [P, 1, 1], [0, 1, 2]], id="through one point modulo the prime"),
        pytest.param([[0, 1, 0, 0], [0, 0, 1, 0], [0, 1, 1, P], [1, 0, 0, 1]], id="through one line modulo the prime"),
        pytest.param([[7**90, 1, 0], [7**90, 0, 1], [2 * 7**90, 1, 1], [1, 1, -1]], id="through one point, long"),
        pytest.param([[7**90, 2, 4], [2 * 7**90, 4, 8], [1, 1, 0]], id="the same, long"),
    ],
)
def test_what_agrees_modulo_the_prime_is_decided_exactly(rows: list[list[int]]) -> None:
    dimension = len(rows[0]) - 1
    for domain in (None, {"box": [["-3", "3"]] * dimension}, {"inequalities": [["1", *["1"] * dimension]]}):
        for order in (rows, rows[::-1], [*rows[1:], rows[0]]):
            _agree(arrangement(dimension, order, domain))


def test_a_slice_that_is_handed_back() -> None:
    """Of lines that are parallel modulo the prime only, the slice that has no residue is counted in Python."""
    signs = _agree(arrangement(2, [[0, 1, 0], [5, 1, P], [3, 2, 1]]))
    assert signs.handed_back == signs.undecided == 1


@pytest.mark.parametrize("name", ["w3_2-16-16-1_all", "w3_4-8-8-1_box", "w1_d3_n25", "t_d3_H3_N6_ff6_L1"])
@pytest.mark.parametrize(("most", "few"), [(2048, 0), (4, 64), (1, 64)])
def test_splitting_first_changes_nothing(name: str, most: int, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    network = network_of(name)
    expected, _ = _counted(network)
    monkeypatch.setattr(module, "MOST_FORMS", most)
    monkeypatch.setattr(module, "FEW_FORMS", few)
    assert _counted(network)[0] == expected


@pytest.mark.parametrize("name", ["w3_2-16-16-1_all", "w1_d4_n18", "w3_3-10-10-1_box"])
def test_pauses_change_nothing_and_each_sum_is_a_bound(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    network = network_of(name)
    expected, _ = _counted(network)
    monkeypatch.setattr(module, "ROOM", 16)
    monkeypatch.setattr(module, "STEPS", 3)
    instalments = list(Compiled(network).count(root_node(network)))
    assert len(instalments) > 20
    assert min(instalments) > 0
    assert sum(instalments) == expected


def test_parallel_lines_in_a_box_are_split_first() -> None:
    """No two of 300 lines meet: with restriction alone there would be a test for each two of them."""
    rows = [[-k, 1, 1] for k in range(300)]
    cells, signs = _counted(Network.from_arrays(arrangement(2, rows, {"box": [["-300", "300"]] * 2})))
    assert cells == 301
    assert signs.total < 300 * 150


def test_a_mixed_stage_splits_what_is_no_hyperplane_first() -> None:
    random = Random(7)

    def unit(pieces: int) -> dict[str, Any]:
        rows = [[random.randint(-9, 9) for _ in range(3)] for _ in range(pieces)]
        return {"weight": [row[1:] for row in rows], "bias": [row[0] for row in rows]}

    layer = {"type": "maxout", "units": [unit(k) for k in (2, 4, 2, 3, 2, 2, 1)]}
    for domain in (None, {"box": [["-5", "5"]] * 2}):
        _agree({"input_dim": 2, "domain": domain, "layers": [layer]})


@given(st.integers(2, 4).flatmap(lambda d: st.tuples(st.just(d), _rows(d, 4))), st.integers(1, 3))
def test_coordinates_of_a_flat(drawn: tuple[int, list[list[int]]], wanted: int) -> None:
    dimension, rows = drawn
    chain = _independent(dimension, rows)[:wanted]
    if not chain:
        return
    basis = coordinates(chain)
    assert len(basis) == dimension + 1 - len(chain)
    assert basis[0][0] > 0
    assert all(vector[0] == 0 for vector in basis[1:])
    assert all(dot(row, vector) == 0 for row in chain for vector in basis)


def _independent(dimension: int, rows: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """Rows whose normals are independent, so that they vanish together somewhere."""
    chosen: list[tuple[int, ...]] = []
    reduced: list[list[Fraction]] = []
    for row in rows:
        rest = [Fraction(x) for x in row[1:]]
        for other in reduced:
            lead = next(k for k in range(dimension) if other[k])
            rest = [x - rest[lead] / other[lead] * y for x, y in zip(rest, other, strict=True)]
        if any(rest):
            reduced.append(rest)
            chosen.append(tuple(row))
    return chosen


def test_a_slice_of_a_cube() -> None:
    """The hexagon x + y + z = 0 of a cube, and its three lines through the middle, one of them twice."""
    cube = Cone.of([row for k in (1, 2, 3) for row in ((1, *_unit(k, 1)), (1, *_unit(k, -1)))], 3)
    assert cube is not None
    hexagon = [(0, 1, 1, 1)]
    lines = [(0, 1, -1, 0), (0, 0, 1, -1), (0, 1, 0, -1), (0, 2, 1, 0)]
    assert sum(count_on_slice(cube, hexagon, lines)) == 6
    # The same line again, a form that is constant there, a line past the hexagon, one that cuts a corner off.
    others = [(0, 2, 0, 1), (1, 1, 1, 1), (-2, 1, 0, 0)]
    assert sum(count_on_slice(cube, hexagon, [*lines, *others])) == 6
    assert sum(count_on_slice(cube, hexagon, [*lines, *others, (-9, 10, 0, 0)])) == 8


def _unit(place: int, sign: int) -> tuple[int, ...]:
    return tuple(sign * int(k == place) for k in (1, 2, 3))

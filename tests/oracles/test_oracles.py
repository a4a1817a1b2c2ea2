"""The oracles against each other: an oracle that is wrong proves nothing."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.known.arrangements import ARRANGEMENTS, Known, arrangement, hyperplanes
from tests.known.degenerate import DEGENERATE
from tests.known.networks import NETWORKS
from tests.oracles import strategies
from tests.oracles.brute import brute_cells, brute_counts, domain_rows
from tests.oracles.forward import forward
from tests.oracles.simplex import Form, strict_point, value
from tests.oracles.zaslavsky import bounded_regions, characteristic_polynomial, regions, regions_inside

SMALL = {
    name: known
    for name, build in {**ARRANGEMENTS, **NETWORKS, **DEGENERATE}.items()
    if (known := build())[1]["cells"] <= 50 and known[0]["input_dim"] <= 4
}


def solvable(dimension: int, rows: list[Form]) -> bool:
    """Strict solvability by Fourier-Motzkin elimination of the last coordinate."""
    if dimension == 0:
        return all(row[0] > 0 for row in rows)
    below = [tuple(x / row[-1] for x in row[:-1]) for row in rows if row[-1] > 0]
    above = [tuple(x / row[-1] for x in row[:-1]) for row in rows if row[-1] < 0]
    rest = [row[:-1] for row in rows if not row[-1]]
    # -low < x_d < -high is possible exactly if low - high > 0.
    pairs = [tuple(x - y for x, y in zip(low, high, strict=True)) for low in below for high in above]
    return solvable(dimension - 1, rest + pairs)


@st.composite
def systems(draw: st.DrawFn) -> tuple[int, list[Form], list[Form]]:
    dimension = draw(st.integers(1, 3))
    form = st.lists(strategies.weights.map(Fraction), min_size=dimension + 1, max_size=dimension + 1).map(tuple)
    return dimension, draw(st.lists(form, max_size=6)), draw(st.lists(form, max_size=1))


@given(systems())
def test_simplex_agrees_with_elimination(system: tuple[int, list[Form], list[Form]]) -> None:
    dimension, rows, equations = system
    point = strict_point(dimension, rows, equations)
    if point is not None:
        assert all(value(row, point) > 0 for row in rows)
        assert all(value(row, point) == 0 for row in equations)
    if not equations:
        assert (point is not None) == solvable(dimension, rows)
    else:
        # h = 0 meets the open set exactly if h takes both signs on it, or h vanishes identically.
        opposite = [tuple(-x for x in row) for row in equations]
        both = solvable(dimension, rows + equations) and solvable(dimension, rows + opposite)
        assert (point is not None) == (both or (not any(equations[0]) and solvable(dimension, rows)))


@pytest.mark.parametrize(
    ("lines", "polynomial", "total", "bounded"),
    [
        ([], [0, 0, 1], 1, 0),
        ([(0, 1, 0), (1, 1, 0)], [0, -2, 1], 3, 0),  # parallel: t^2 - 2t
        ([(0, 1, 0), (0, 0, 1)], [1, -2, 1], 4, 0),  # crossing: (t - 1)^2
        ([(0, 1, 0), (0, 0, 1), (0, 1, 1)], [2, -3, 1], 6, 0),  # concurrent
        ([(0, 1, 0), (0, 0, 1), (-1, 1, 1)], [3, -3, 1], 7, 1),  # a triangle
        ([(0, 1, 0), (1, 1, 0), (0, 0, 1), (1, 0, 1)], [4, -4, 1], 9, 1),  # a square
        ([(0, 1, 0), (0, -2, 0), (0, 5, 0)], [0, -1, 1], 2, 0),  # one line, three times
    ],
)
def test_characteristic_polynomials_of_few_lines(
    lines: list[tuple[int, ...]], polynomial: list[int], total: int, bounded: int
) -> None:
    rows = [tuple(Fraction(entry) for entry in line) for line in lines]
    assert characteristic_polynomial(2, rows) == polynomial
    assert regions(2, rows) == total
    assert bounded_regions(2, rows) == bounded


@pytest.mark.parametrize("name", ARRANGEMENTS)
def test_zaslavsky_reproduces_published_counts(name: str) -> None:
    document, expected = ARRANGEMENTS[name]()
    assert regions_inside(document["input_dim"], hyperplanes(document), domain_rows(document)) == expected["cells"]


@pytest.mark.parametrize("known", SMALL.values(), ids=SMALL.keys())
def test_brute_force_reproduces_known_counts(known: Known) -> None:
    document, expected = known
    counts = dict(zip(("cells", "regions", "affine_maps"), brute_counts(document), strict=True))
    assert {key: counts[key] for key in expected} == expected


@st.composite
def arrangements(draw: st.DrawFn) -> dict[str, Any]:
    dimension = draw(st.integers(1, 3))
    rows = draw(strategies.hyperplanes(dimension))
    document = arrangement(dimension, [], draw(strategies.domains(dimension)))
    document["layers"][0] = {"type": "linear", "weight": [row[1:] for row in rows], "bias": [row[0] for row in rows]}
    return document


@settings(max_examples=40)
@given(arrangements())
def test_brute_force_agrees_with_zaslavsky(document: dict[str, Any]) -> None:
    count = regions_inside(document["input_dim"], hyperplanes(document), domain_rows(document))
    assert brute_counts(document) == (count, count, count)


@settings(max_examples=20)
@given(arrangements())
def test_walls_connect_the_cells_of_a_constant(document: dict[str, Any]) -> None:
    """Times zero, every arrangement is one region: its dual graph is connected."""
    units = len(document["layers"][0]["weight"])
    document["layers"].append({"type": "linear", "weight": [["0"] * units]})
    assert brute_counts(document)[1:] == (1, 1)


@settings(max_examples=60)
@given(strategies.documents())
def test_brute_cells_partition_the_domain(document: dict[str, Any]) -> None:
    """A point without ties lies in exactly one cell, and there the cell's map is the network's value."""
    cells = brute_cells(document)
    assert len({cell.pattern for cell in cells}) == len(cells)
    inside = domain_rows(document)
    steps = [Fraction(-17, 7), Fraction(-5, 6), Fraction(-1, 11), Fraction(3, 8), Fraction(19, 13)]
    points = [*product(steps, repeat=document["input_dim"]), *[cell.witness for cell in cells]]
    for point in points:
        if not all(value(row, point) > 0 for row in inside):
            continue
        result, ties = forward(document, point)
        homes = [cell for cell in cells if all(value(row, point) > 0 for row in cell.rows)]
        assert len(homes) == 1 if not ties else len(homes) <= 1
        for cell in homes:
            assert tuple(value(row, point) for row in cell.affine_map) == result

"""Named polyhedra with what is known of them, and Hypothesis strategies in which degeneracy is the norm."""

from dataclasses import dataclass
from itertools import combinations, permutations, product

from hypothesis import strategies as st

from exactgeo.polyhedron.polyhedron import Polyhedron
from exactgeo.rational.rows import Row

__all__ = ["NAMED", "Named", "System", "systems"]

System = tuple[int, list[Row]]


@dataclass(frozen=True)
class Named:
    """A polyhedron with its affine dimension (-1 if empty), number of facets, points (modulo lines), rays and lines."""

    name: str
    body: Polyhedron
    affine_dimension: int
    facets: int
    points: int
    rays: int
    lines: int


def _simplex(d: int) -> Polyhedron:
    """x_i >= 0, sum(x) <= 1."""
    return Polyhedron.from_rows([*[[0, *[int(i == j) for j in range(d)]] for i in range(d)], [1, *[-1] * d]])


def _cross(d: int) -> Polyhedron:
    """sum |x_i| <= 1."""
    return Polyhedron.from_rows([[1, *signs] for signs in product((1, -1), repeat=d)])


def _permutahedron(n: int) -> Polyhedron:
    """conv of all permutations of (1, ..., n): sum over S of x_i >= 1 + ... + |S|, equality for S = everything."""
    rows: list[list[int]] = []
    for size in range(1, n + 1):
        for chosen in combinations(range(n), size):
            rows.append([-size * (size + 1) // 2, *[int(i in chosen) for i in range(n)]])
    return Polyhedron.from_rows([*rows, [n * (n + 1) // 2, *[-1] * n]])


def _moment(*points: int) -> Polyhedron:
    """Tangents of a parabola: y >= 2tx - t^2."""
    return Polyhedron.from_rows([[t * t, -2 * t, 1] for t in points])


NAMED = [
    Named("point 0-dimensional", Polyhedron.space(0), 0, 0, 1, 0, 0),
    Named("empty 0-dimensional", Polyhedron.nothing(0), -1, 0, 0, 0, 0),
    Named("line R^1", Polyhedron.space(1), 1, 0, 1, 0, 1),
    Named("half-line", Polyhedron.from_rows([[-3, 2]]), 1, 1, 1, 1, 0),
    Named("interval", Polyhedron.box([("-1/3", "1/2")]), 1, 2, 2, 0, 0),
    Named("number", Polyhedron.box([("1/2", "1/2")]), 0, 0, 1, 0, 0),
    Named("empty interval", Polyhedron.box([(1, 0)]), -1, 0, 0, 0, 0),
    Named("whole space", Polyhedron.space(3), 3, 0, 1, 0, 3),
    Named("whole space, trivial rows", Polyhedron.from_rows([[0, 0, 0], [5, 0, 0], [0, 0, 0]]), 2, 0, 1, 0, 2),
    Named("empty by a constant", Polyhedron.from_rows([[0, 1, 0], [-1, 0, 0]]), -1, 0, 0, 0, 0),
    Named("half-space through 0", Polyhedron.from_rows([[0, 1, -1, 0]]), 3, 1, 1, 1, 2),
    Named("strip", Polyhedron.from_rows([[0, 1, 1], [3, -1, -1], [4, -1, -1], [0, 2, 2]]), 2, 2, 2, 0, 1),
    Named("line in the plane", Polyhedron.from_rows([[1, 1, 1], [-1, -1, -1]]), 1, 0, 1, 0, 1),
    Named("quadrant", Polyhedron.from_rows([[0, 1, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]]), 2, 2, 1, 2, 0),
    Named("segment in space", Polyhedron.box([(0, 1), (2, 2), ("1/7", "1/7")]), 1, 2, 2, 0, 0),
    Named("square", Polyhedron.box([(0, 1), (0, 1)]), 2, 4, 4, 0, 0),
    Named("cube", Polyhedron.box([(-1, 1)] * 3), 3, 6, 8, 0, 0),
    Named("5-cube", Polyhedron.box([(0, 1)] * 5), 5, 10, 32, 0, 0),
    Named("simplex", _simplex(4), 4, 5, 5, 0, 0),
    Named("cross-polytope", _cross(3), 3, 8, 6, 0, 0),
    Named("4-cross-polytope", _cross(4), 4, 16, 8, 0, 0),
    Named("permutahedron", _permutahedron(3), 2, 6, 6, 0, 0),
    Named("4-permutahedron", _permutahedron(4), 3, 14, 24, 0, 0),
    Named("parabola", _moment(-2, -1, 0, 1, 2, 0), 2, 5, 4, 2, 0),
    Named("sliver", Polyhedron.from_rows([[0, 1, 0], [1, -(10**60), 0], [0, 0, 1], [1, 0, -1]]), 2, 4, 4, 0, 0),
    Named("flat by three rows", Polyhedron.from_rows([[0, 1, 0], [0, 0, 1], [0, -1, -1]]), 0, 0, 1, 0, 0),
    Named("empty by three rows", Polyhedron.from_rows([[0, 1, 0], [0, 0, 1], [-1, -1, -1]]), -1, 0, 0, 0, 0),
]

PERMUTATIONS_OF_4 = sorted(permutations(range(1, 5)))


@st.composite
def systems(draw: st.DrawFn, most_rows: int = 6, most_dimensions: int = 3) -> System:
    """A dimension and rows with entries in -2..2, among them zero, constant, repeated, opposite and dependent rows."""
    dimension = draw(st.integers(1, most_dimensions))
    row = st.tuples(*[st.integers(-2, 2)] * (dimension + 1))
    rows: list[Row] = list(draw(st.lists(row, max_size=most_rows)))
    twisted = draw(st.booleans())
    if rows and twisted:
        source = draw(st.sampled_from(rows))
        factor = draw(st.sampled_from([1, 2, -1, -2]))
        shift = draw(st.sampled_from([0, 0, 1, -1]))
        place = draw(st.integers(0, len(rows)))
        rows.insert(place, (factor * source[0] + shift, *[factor * entry for entry in source[1:]]))
    return dimension, rows

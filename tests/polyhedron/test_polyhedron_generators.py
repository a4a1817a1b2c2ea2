"""Vertices, rays, lines and images: against solving all d-subsets of rows, and against elimination."""

from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactgeo.errors import Inconsistent
from exactgeo.polyhedron import generators as module
from exactgeo.polyhedron.generators import Generators, generators, mapped, rows_of
from exactgeo.polyhedron.polyhedron import Polyhedron
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Point, Row, dot
from tests.oracles.fourier_motzkin import same_set, solvable, weak
from tests.polyhedron.polytopes import NAMED, PERMUTATIONS_OF_4, Named, System, systems


def solution(rows: tuple[Row, ...], dimension: int) -> Point | None:
    """The only point where all rows vanish, by Gauss and Jordan with fractions; None if there is none or more."""
    table = [[Fraction(entry) for entry in (*row[1:], -row[0])] for row in rows]
    for column in range(dimension):
        pivot = next((i for i in range(column, len(table)) if table[i][column]), None)
        if pivot is None:
            return None
        table[column], table[pivot] = table[pivot], table[column]
        table[column] = [entry / table[column][column] for entry in table[column]]
        for i, row in enumerate(table):
            if i != column:
                table[i] = [x - row[column] * y for x, y in zip(row, table[column], strict=True)]
    return tuple(table[i][dimension] for i in range(dimension))


def vertices_by_subsets(rows: list[Row], dimension: int) -> set[Point]:
    found = {solution(chosen, dimension) for chosen in combinations(rows, dimension)}
    body = Polyhedron.from_rows(rows, dimension)
    return {point for point in found if point is not None and body.contains(point)}


@given(systems(most_rows=7))
def test_vertices_are_the_feasible_solutions_of_d_rows(system: System) -> None:
    dimension, rows = system
    parts = generators(rows, dimension)
    assert set(parts.vertices) == vertices_by_subsets(rows, dimension)
    assert bool(parts.points) == solvable(weak(rows))


@given(systems(most_rows=7))
def test_rays_are_the_vertices_of_the_recession_cone_cut_off(system: System) -> None:
    """Without lines, the directions of P, cut where the rows' normals sum to 1, form a polytope: its vertices."""
    dimension, rows = system
    parts = generators(rows, dimension)
    if parts.points and not parts.lines:
        recession: list[Row] = [(0, *row[1:]) for row in rows]
        total = tuple(sum(row[k] for row in rows) for k in range(1, dimension + 1))
        cut = vertices_by_subsets([*recession, (-1, *total), (1, *[-entry for entry in total])], dimension)
        slices = {tuple(Fraction(x, dot(total, ray)) for x in ray) for ray in parts.rays}
        assert slices == cut


@given(systems(most_rows=7))
def test_lines_and_all_generators_lie_in_the_set_that_they_span(system: System) -> None:
    dimension, rows = system
    parts = generators(rows, dimension)
    assert all(dot(row[1:], line) == 0 for row in rows for line in parts.lines) or not parts.points
    assert all(dot(row[1:], ray) >= 0 for row in rows for ray in parts.rays)
    assert same_set(rows, rows_of(parts))
    assert generators(rows_of(parts), dimension) == parts


@pytest.mark.parametrize("named", NAMED, ids=lambda named: named.name)
def test_named_polyhedra(named: Named) -> None:
    parts = named.body.generators()
    assert (len(parts.points), len(parts.rays), len(parts.lines)) == (named.points, named.rays, named.lines)
    assert parts.vertices == (() if named.lines else parts.points)
    assert parts.bounded == (not named.rays and not named.lines)
    assert Polyhedron(named.body.dimension, rows_of(parts)).canonical() == named.body.canonical()


def test_the_permutahedron_is_what_it_is_called() -> None:
    body = next(named.body for named in NAMED if named.name == "4-permutahedron")
    assert list(body.generators().vertices) == PERMUTATIONS_OF_4


def test_a_cone_has_its_apex() -> None:
    """cddlib leaves out the vertex of a polyhedron whose rows all have b = 0."""
    parts = generators([(0, 1, 0), (0, 0, 1)], 2)
    assert parts == Generators(2, ((Fraction(0), Fraction(0)),), ((0, 1), (1, 0)), ())


SMALL = st.sampled_from([-2, -1, 0, 1, 2])


@settings(max_examples=60)
@given(systems(most_rows=5), st.data())
def test_images_by_elimination(system: System, data: st.DataObject) -> None:
    """y is in the image iff {x in P : f(x) = y} is solvable."""
    dimension, rows = system
    output = data.draw(st.integers(1, 2))
    table = data.draw(st.lists(st.tuples(*[SMALL] * (dimension + 1)), min_size=output, max_size=output))
    map_ = AffineMap.of(table, dimension)
    image = Polyhedron.from_rows(rows, dimension).image(map_)
    assert image.dimension == output
    for target in product((-2, -1, 0, 1, 3), repeat=output):
        fibre = [(row[0] - y, *row[1:]) for row, y in zip(table, target, strict=True)]
        opposite = [tuple(-entry for entry in row) for row in fibre]
        assert image.contains(target) == solvable(weak([*rows, *fibre, *opposite]))


@given(systems(most_rows=5), st.data())
def test_images_compose(system: System, data: st.DataObject) -> None:
    dimension, rows = system
    body = Polyhedron.from_rows(rows, dimension)
    first = AffineMap.of(data.draw(st.lists(st.tuples(*[SMALL] * (dimension + 1)), min_size=2, max_size=2)), dimension)
    second = AffineMap.of(data.draw(st.lists(st.tuples(*[SMALL] * 3), min_size=1, max_size=3)), 2)
    assert body.image(first).image(second).equal(body.image(second.compose(first)))
    assert body.image(AffineMap.identity(dimension)).equal(body)


def test_images_that_collapse() -> None:
    square = Polyhedron.box([(0, 1), (0, 1)])
    assert square.image(AffineMap.of([[3, 0, 0], [0, 1, 1]])).equal(Polyhedron.box([(3, 3), (0, 2)]))
    assert square.image(AffineMap.of([], 2)) == Polyhedron.space(0)
    assert Polyhedron.nothing(2).image(AffineMap.of([[1, 1, 1]])).is_empty()
    strip = Polyhedron.from_rows([[0, 1, 0], [1, -1, 0]])
    assert strip.image(AffineMap.of([[0, 1, 0]])).equal(Polyhedron.box([(0, 1)]))  # the line goes to a point
    assert strip.image(AffineMap.of([[0, 0, 1]])).equal(Polyhedron.space(1))
    quadrant = Polyhedron.from_rows([[0, 1, 0], [0, 0, 1]])
    assert quadrant.image(AffineMap.of([[0, 1, -1]])).equal(Polyhedron.space(1))  # opposite rays make a line
    assert mapped(quadrant.generators(), AffineMap.of([[0, 1, 1]])).rays == ((1,),)


@pytest.mark.parametrize(
    "lie",
    [
        ([(1, -1)], []),  # the point -1, outside
        ([(1, 0), (0, -1)], []),  # the direction -1, outside
        ([(1, 0)], [(0, 1)]),  # a line, in a half-line
        ([(1, 0)], [(1, 1)]),  # a line that is no direction
    ],
)
def test_generators_outside_the_polyhedron_are_refused(
    monkeypatch: pytest.MonkeyPatch, lie: tuple[list[Row], list[Row]]
) -> None:
    monkeypatch.setattr(module, "_cone_generators", lambda rows, width: lie)
    with pytest.raises(Inconsistent):
        generators([(0, 1)], 1)

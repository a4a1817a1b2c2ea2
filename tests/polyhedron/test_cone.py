"""Cones cut by hyperplanes: against cddlib's generators, facets by linear programs, and their own invariants."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactgeo.polyhedron.cone import Cone, point_of
from exactgeo.polyhedron.echelon import echelon, reduced
from exactgeo.polyhedron.facets import irredundant
from exactgeo.polyhedron.generators import generators
from exactgeo.polyhedron.lp import NoInterior
from exactgeo.rational.rows import Point, Row, dot, negated, primitive
from tests.oracles.fourier_motzkin import solvable
from tests.polyhedron.polytopes import NAMED, Named, System, systems


@st.composite
def bodies(draw: st.DrawFn) -> System:
    """Rows in few positions, each turned so that one generic point is inside: many rays, much degeneracy."""
    dimension = draw(st.integers(2, 4))
    row = st.tuples(*[st.integers(-2, 2)] * (dimension + 1)).filter(lambda entries: any(entries[1:]))
    inside = (1001, 89, -34, 55, 8)[: dimension + 1]
    rows = draw(st.lists(row, min_size=dimension, max_size=10))
    return dimension, [row if dot(row, inside) > 0 else negated(row) for row in rows]


wide = st.one_of(systems(most_rows=9, most_dimensions=4), bodies())


def generated(cone: Cone) -> tuple[tuple[Point, ...], tuple[Row, ...], tuple[Row, ...]]:
    """Points, rays and lines of the polyhedron in the canonical form of ``Generators``."""
    lines, pivots = echelon(cone.lines)
    moved = [primitive(reduced(ray, lines, pivots)) for ray in cone.rays]
    assert len(set(moved)) == len(moved)  # each extreme ray once
    points = sorted(point_of(ray) for ray in moved if ray[0])
    rays = sorted(ray[1:] for ray in moved if not ray[0])
    return tuple(points), tuple(rays), tuple(line[1:] for line in lines)


def check_invariants(cone: Cone) -> None:
    assert cone.rows[0] == (1,) + (0,) * cone.dimension
    assert len(cone.rays) == len(cone.tight) == len(cone.marks)
    for ray, tight in zip(cone.rays, cone.tight, strict=True):
        assert ray == primitive(ray)
        values = [dot(row, ray) for row in cone.rows]
        assert min(values) >= 0
        assert tight == sum(1 << k for k, value in enumerate(values) if value == 0)
    assert len(echelon(cone.lines)[0]) == len(cone.lines)
    assert not any(dot(row, line) for row in cone.rows for line in cone.lines)
    assert all(dot(row, cone.interior()) > 0 for row in cone.rows)


def has_interior(rows: list[Row]) -> bool:
    """By elimination of the variables, without generators or linear programs."""
    return solvable((row, True) for row in rows if any(row))


@given(wide)
def test_generators_are_those_of_cddlib(system: System) -> None:
    dimension, rows = system
    cone = Cone.of(rows, dimension)
    assert (cone is not None) == has_interior(rows)
    if cone is not None:
        check_invariants(cone)
        parts = generators(rows, dimension)
        assert generated(cone) == (parts.points, parts.rays, parts.lines)


@given(wide)
def test_facets_are_those_of_linear_programs(system: System) -> None:
    dimension, rows = system
    cone = Cone.of(rows, dimension)
    answer = irredundant(rows, dimension)
    if cone is None:
        assert isinstance(answer, NoInterior)
        return
    assert not isinstance(answer, NoInterior)
    faces = cone.faces()
    found = [face.row for face in faces]
    assert len(found) == len(set(found))
    assert set(found) == {facet.row for facet in answer.facets}
    for face in faces:
        assert face.complete
        assert face.lines == cone.lines
        assert set(face.rays) == {ray for ray in cone.rays if dot(face.row, ray) == 0}
        point = face.point()
        assert point[0] > 0
        assert dot(face.row, point) == 0
        assert all(dot(row, point) > 0 for row in found if row != face.row)


@given(wide, st.data())
def test_a_split_is_two_cuts(system: System, data: st.DataObject) -> None:
    dimension, rows = system
    cone = Cone.of(rows, dimension)
    if cone is None:
        return
    entry = st.integers(-3, 3)
    row = primitive(data.draw(st.tuples(*[entry] * (dimension + 1)).filter(any)))
    for half, kept, side in zip(cone.split(row), (cone.keep(row), cone.keep(negated(row))), (1, -1), strict=True):
        signed = row if side > 0 else negated(row)
        assert (half is not None) == (kept is not None) == has_interior([*rows, signed])
        if half is None or kept is None:
            continue
        assert generated(half) == generated(kept)
        check_invariants(half)
        check_invariants(kept)
        assert dot(signed, half.interior()) > 0
        parts = generators([*rows, signed], dimension)
        assert generated(half) == (parts.points, parts.rays, parts.lines)


@given(wide, st.data())
def test_a_trimmed_cone_is_the_same_cone(system: System, data: st.DataObject) -> None:
    """Also for what is cut off later: the facets alone decide which rays are adjacent."""
    dimension, rows = system
    cone = Cone.of(rows, dimension)
    if cone is None:
        return
    trimmed = cone.trimmed()
    check_invariants(trimmed)
    assert generated(trimmed) == generated(cone)
    assert {face.row for face in trimmed.faces()} == {face.row for face in cone.faces()} == {*trimmed.rows[1:]}
    assert trimmed.trimmed().rows == trimmed.rows
    row = primitive(data.draw(st.tuples(*[st.integers(-3, 3)] * (dimension + 1)).filter(any)))
    for one, two in zip(trimmed.split(row), cone.split(row), strict=True):
        assert (one is None) == (two is None)
        if one is not None and two is not None:
            assert generated(one) == generated(two)


@given(systems(most_rows=7), st.data())
def test_order_does_not_matter(system: System, data: st.DataObject) -> None:
    dimension, rows = system
    one, two = Cone.of(rows, dimension), Cone.of(data.draw(st.permutations(rows)), dimension)
    assert (one is None) == (two is None)
    if one is not None and two is not None:
        assert generated(one) == generated(two)


@given(wide)
def test_lines_are_the_kernel_of_the_normals(system: System) -> None:
    dimension, rows = system
    cone = Cone.of(rows, dimension)
    if cone is not None:
        rank = len(echelon([row[1:] for row in rows])[0])
        assert len(cone.lines) == dimension - rank


@given(wide, st.data())
def test_marks_are_the_winners_at_every_ray(system: System, data: st.DataObject) -> None:
    """The mark of a crossing is the AND of its ends' marks where that is not empty, and is computed afresh elsewhere.

    With marks for the largest of some forms, this is always the set of the largest at the ray itself: a maximum of
    affine forms is convex.
    """
    dimension, rows = system
    form = st.tuples(*[st.integers(-2, 2)] * (dimension + 1))
    forms = data.draw(st.lists(form, min_size=1, max_size=4, unique=True))

    def largest(ray: Row) -> int:
        values = [dot(row, ray) for row in forms]
        return sum(1 << i for i, value in enumerate(values) if value == max(values))

    def mark(ray: Row, known: int) -> int:
        return known or largest(ray)

    cone: Cone | None = Cone.space(dimension).marked(mark)
    for row in rows:
        if cone is None or not any(row):
            continue
        cone = cone.keep(primitive(row), mark)
    if cone is not None:
        assert cone.marks == [largest(ray) for ray in cone.rays]
        for half in cone.split(primitive((1, *[2] * dimension)), mark):
            if half is not None:
                assert half.marks == [largest(ray) for ray in half.rays]
        assert cone.unmarked().marked(lambda ray, known: 7 + known).marks == [7] * len(cone.rays)


@settings(max_examples=30)
@given(systems(most_rows=8, most_dimensions=3), st.integers(1, 6))
def test_a_bound_on_rays_claims_nothing(system: System, most: int) -> None:
    dimension, rows = system
    bounded, free = Cone.of(rows, dimension, most), Cone.of(rows, dimension)
    if bounded is not None:
        assert free is not None
        assert generated(bounded) == generated(free)


def test_a_cube_has_too_many_rays() -> None:
    rows = [(1, *[sign * int(i == j) for j in range(5)]) for i, sign in product(range(5), (1, -1))]
    cube = Cone.of(rows, 5)
    assert cube is not None
    assert len(cube.rays) == 32
    assert Cone.of(rows, 5, 15) is None


@pytest.mark.parametrize("named", [named for named in NAMED if named.body.dimension], ids=lambda named: named.name)
def test_named_polyhedra(named: Named) -> None:
    cone = Cone.of(named.body.rows, named.body.dimension)
    assert (cone is not None) == (named.affine_dimension == named.body.dimension)
    if cone is not None:
        points, rays, lines = generated(cone)
        assert (len(points), len(rays), len(lines)) == (named.points, named.rays, named.lines)
        assert len(cone.faces()) == named.facets


def test_the_face_at_infinity_is_no_facet() -> None:
    """The half-line x > 0: its cone has two facets, one of them at infinity, which still bounds the comparison."""
    half_line = Cone.of([(0, 1)], 1)
    assert half_line is not None
    assert [face.row for face in half_line.faces()] == [(0, 1)]
    assert half_line.keep((1, 1)) is half_line  # x > -1 cuts nothing off


def test_slivers_are_cut_exactly() -> None:
    """0 < x < 10^-60 in the unit square has four corners, and its half has four."""
    thin = Cone.of([(0, 1, 0), (1, -(10**60), 0), (0, 0, 1), (1, 0, -1)], 2)
    assert thin is not None
    left, right = thin.split((-1, 2 * 10**60, 0))
    assert left is not None
    assert right is not None
    assert (len(thin.rays), len(left.rays), len(right.rays)) == (4, 4, 4)
    assert (
        0 < point_of(right.interior())[0] < Fraction(1, 2 * 10**60) < point_of(left.interior())[0] < Fraction(1, 10**60)
    )

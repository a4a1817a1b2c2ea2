"""The evidence of shared certificates: anchors, implied rows, projections."""

from fractions import Fraction

import pytest
from flint import fmpz_mat
from hypothesis import assume, given
from hypothesis import strategies as st

from exactgeo.cells.projection import Projection
from exactgeo.certificate.anchors import Anchors
from exactgeo.certificate.references import implied
from exactgeo.errors import Inconsistent
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.rows import Row, dot, integer_row, primitive

small = st.integers(-3, 3)


@st.composite
def cones(draw: st.DrawFn, dimension: int = 2) -> Cone:
    """The cone over a polyhedron, bounded or not, with and without lines."""
    rows = draw(st.lists(st.tuples(st.integers(0, 4), *[small] * dimension), max_size=5))
    cone = Cone.of([row for row in rows if any(row[1:])], dimension)
    assume(cone is not None)
    assert cone is not None
    return cone.trimmed()


@st.composite
def inside(draw: st.DrawFn, cone: Cone) -> Row:
    """A homogeneous point strictly inside."""
    weights = draw(st.lists(st.integers(1, 9), min_size=len(cone.rays), max_size=len(cone.rays)))
    shifts = draw(st.lists(st.integers(-9, 9), min_size=len(cone.lines), max_size=len(cone.lines)))
    parts = [*zip(weights, cone.rays, strict=True), *zip(shifts, cone.lines, strict=True)]
    total = [sum(weight * vector[k] for weight, vector in parts) for k in range(cone.dimension + 1)]
    return primitive(total)


@given(st.data(), st.integers(1, 3))
def test_anchors_are_inside_and_span_what_is_wanted(data: st.DataObject, dimension: int) -> None:
    cone = data.draw(cones(dimension))
    wanted = data.draw(st.lists(inside(cone), min_size=1, max_size=12))
    anchors = Anchors.around(cone, wanted)
    for anchor in anchors.points:
        assert anchor[0] > 0
        assert all(dot(row, anchor) > 0 for row in cone.rows[1:])
    for point in wanted:
        shares = anchors.coordinates(point)
        assert min(shares) >= 0
        total = [sum(c * v[k] for c, v in zip(shares, anchors.points, strict=True)) for k in range(dimension + 1)]
        assert primitive(total) == point


def test_few_points_are_their_own_anchors() -> None:
    square = Cone.of([(0, 1, 0), (1, -1, 0), (0, 0, 1), (1, 0, -1)], 2)
    assert square is not None
    anchors = Anchors.around(square, [(3, 1, 2), (2, 1, 1), (3, 1, 2)])
    assert anchors.points == ((2, 1, 1), (3, 1, 2))
    assert anchors.coordinates((3, 1, 2)) == (0, 1)


def test_a_point_outside_the_anchors_is_a_defect() -> None:
    line = Cone.of([(0, 1), (1, -1)], 1)
    assert line is not None
    anchors = Anchors.around(line, [(4, 1), (4, 2), (4, 3)])
    assert sorted(anchors.points) == [(4, 1), (4, 3)]
    with pytest.raises(Inconsistent, match="not in the cone of its anchors"):
        anchors.coordinates((8, 1))


@given(st.data(), st.integers(1, 3))
def test_implied_rows_add_up(data: st.DataObject, dimension: int) -> None:
    """A combination of rows and a positive constant is found again as one, by rows with independent normals."""
    cone = data.draw(cones(dimension))
    rows = cone.rows[1:]
    shares = data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    form = [sum(c * row[k] for c, row in zip(shares, rows, strict=True)) for k in range(dimension + 1)]
    form[0] += data.draw(st.integers(0, 2))
    assume(any(form))
    assume(any(form[1:]) or form[0] > 0)
    goal = primitive(form)
    evidence = implied(cone, {row: number for number, row in enumerate(rows)}, goal)
    assert list(evidence) == sorted(evidence)
    assert all(factor > 0 for factor in evidence.values())
    total = [sum(factor * rows[number][k] for number, factor in evidence.items()) for k in range(dimension + 1)]
    if any(goal[1:]):
        mu = next(Fraction(total[k], goal[k]) for k in range(1, dimension + 1) if goal[k])
        assert mu > 0
        assert [mu * a for a in goal[1:]] == total[1:]
        assert mu * goal[0] >= total[0]
        normals = [list(rows[number][1:]) for number in evidence]
        assert fmpz_mat(normals).rank() == len(normals)
    else:
        assert evidence == {}


@pytest.mark.parametrize(
    ("form", "expected"),
    [((0, 0), "is not positive"), ((-1, 0), "is not positive"), ((1, -3), "is negative somewhere")],
)
def test_forms_that_are_not_implied(form: Row, expected: str) -> None:
    line = Cone.of([(0, 1), (1, -1)], 1)
    assert line is not None
    with pytest.raises(Inconsistent, match=expected):
        implied(line, {(0, 1): 0, (1, -1): 1}, form)


def test_rows_that_are_not_those_of_the_cone() -> None:
    """A cone whose tight rows were forgotten proves nothing."""
    line = Cone.of([(0, 1), (1, -1)], 1)
    assert line is not None
    forgetful = Cone(line.rows, line.rays, [0] * len(line.rays), line.marks, line.lines)
    with pytest.raises(Inconsistent, match="no combination of its rows"):
        implied(forgetful, {(0, 1): 0, (1, -1): 1}, (1, 1))


@given(st.data())
def test_projections(data: st.DataObject) -> None:
    """Forms pulled back and factored again, and points over points."""
    entries = data.draw(st.lists(st.lists(small, min_size=4, max_size=4), min_size=1, max_size=3))
    matrix = fmpz_mat([[data.draw(st.integers(1, 3)), 0, 0, 0], *entries])
    assume(matrix.rank() == len(entries) + 1)
    projection = Projection(matrix)
    form = integer_row(data.draw(st.lists(small, min_size=len(entries) + 1, max_size=len(entries) + 1)))
    assert projection.factor(projection.pulled(form)) == form
    cone = data.draw(cones(3))
    above = data.draw(inside(cone))
    below = primitive([dot(row, above) for row in projection.rows])
    lifted = projection.lifted(below, cone)
    assert primitive([dot(row, lifted) for row in projection.rows]) == below
    assert all(dot(row, lifted) > 0 for row in cone.rows)


def test_what_cannot_be_projected() -> None:
    with pytest.raises(Inconsistent, match="not onto"):
        Projection(fmpz_mat([[1, 0, 0], [0, 1, 1], [0, 2, 2]]))
    first = Projection(fmpz_mat([[1, 0, 0], [0, 1, 0]]))
    with pytest.raises(Inconsistent, match="does not depend on the image alone"):
        first.factor((0, 1, 1))
    square = Cone.of([(0, 1, 0), (1, -1, 0), (0, 0, 1), (1, 0, -1)], 2)
    assert square is not None
    with pytest.raises(Inconsistent, match=r"no point of a node lies over \(1, 2\)"):
        first.lifted((1, 2), square)

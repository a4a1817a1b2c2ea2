"""Evidence and points from generators: the identity holds, the kernel is one-dimensional, the numbers are small."""

from itertools import product
from math import gcd

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from exactgeo.certificate.farkas import Evidence, beaten, evidence_or_point
from exactgeo.certificate.witness import simple_point
from exactgeo.errors import Inconsistent
from exactgeo.polyhedron.cone import Cone
from exactgeo.polyhedron.echelon import echelon
from exactgeo.rational.rows import Row, dot, is_constant, negated, primitive

entries = st.integers(-3, 3)


@st.composite
def cones(draw: st.DrawFn) -> Cone:
    """The cone over a random polyhedron with an interior, often degenerate, unbounded, or with lines."""
    dimension = draw(st.integers(1, 4))
    row = st.tuples(*[entries] * (dimension + 1))
    cone = Cone.of(draw(st.lists(row, max_size=7)), dimension)
    assume(cone is not None)
    assert cone is not None
    return cone


def check_evidence(rows: dict[int, Row], evidence: Evidence) -> None:
    """FORMAT.md, section 5, with and without multipliers."""
    assert list(evidence) == sorted(evidence)
    assert all(factor > 0 for factor in evidence.values())
    assert gcd(*evidence.values()) == 1
    cited = [rows[k] for k in evidence]
    total = [sum(evidence[k] * x for k, x in zip(evidence, column, strict=True)) for column in zip(*cited, strict=True)]
    assert not any(total[1:])
    assert total[0] < 0 or (total[0] == 0 and any(not is_constant(row) for row in cited))
    assert len(echelon([row[1:] for row in cited])[0]) == len(cited) - 1  # left kernel of dimension one


@given(cones(), st.data())
def test_a_form_that_is_nowhere_positive(cone: Cone, data: st.DataObject) -> None:
    """against = -(a nonnegative combination of rows, the constant among them)."""
    numbers = [-1, *[10 + 3 * k for k in range(1, len(cone.rows))]]
    factors = data.draw(st.lists(st.integers(0, 2), min_size=len(cone.rows), max_size=len(cone.rows)))
    total = [sum(f * x for f, x in zip(factors, column, strict=True)) for column in zip(*cone.rows, strict=True)]
    assume(any(total))
    against = negated(primitive(total))
    evidence = beaten(cone, numbers, against, 7)
    assert 7 in evidence
    check_evidence({7: against, **dict(zip(numbers[1:], cone.rows[1:], strict=True))}, evidence)
    assert len(evidence) <= cone.dimension + 1


def shut_out(cone: Cone, numbers: list[int], rivals: list[tuple[Row, int]]) -> Evidence | None:
    """Evidence that no point of the cone is strictly inside all rivals, by cutting with one after the other."""
    known = list(numbers)
    for row, number in rivals:
        part = cone.keep(row)
        if part is None:
            return beaten(cone, known, row, number)
        if part is not cone:
            known.append(number)
            cone = part
    return None


@given(cones(), st.data())
def test_generators_and_linear_programs_agree(cone: Cone, data: st.DataObject) -> None:
    """Rows that leave no room, or a point: what cutting says, the linear program says too."""
    row = st.tuples(*[entries] * (cone.dimension + 1)).filter(any)
    rivals = [(primitive(entry), 100 + k) for k, entry in enumerate(data.draw(st.lists(row, min_size=1, max_size=4)))]
    numbers = [-1, *range(1, len(cone.rows))]
    everything = {**dict(enumerate(cone.rows)), **{number: entry for entry, number in rivals}}
    answer = evidence_or_point([(everything[k], k) for k in everything if k], cone.dimension)
    if isinstance(answer, dict):
        check_evidence(everything, answer)
        cut = shut_out(cone, numbers, rivals)
        assert cut is not None
        check_evidence(everything, cut)
    else:
        assert all(dot(entry, answer) > 0 for k, entry in everything.items() if k)
        assert shut_out(cone, numbers, rivals) is None


def test_at_a_vertex_of_a_square() -> None:
    """x + y - 3 on [0, 1]^2 is largest at (1, 1): (x + y - 3) + (1 - x) + (1 - y) = -1."""
    square = Cone.of([(0, 1, 0), (1, -1, 0), (0, 0, 1), (1, 0, -1)], 2)
    assert square is not None
    assert beaten(square, [-1, 0, 1, 2, 3], (-3, 1, 1), 9) == {1: 1, 3: 1, 9: 1}
    # -x is largest on a whole side: row 0 alone is needed.
    assert beaten(square, [-1, 0, 1, 2, 3], (0, -1, 0), 9) == {0: 1, 9: 1}


def test_at_the_apex_of_a_pyramid() -> None:
    """z <= 1 - |x|, z <= 1 - |y|, z >= 0: four facets at the apex, of which two or three prove z - 2x/3 - y/3 <= 1."""
    pyramid = Cone.of([(1, 1, 0, -1), (1, -1, 0, -1), (1, 0, 1, -1), (1, 0, -1, -1), (0, 0, 0, 1)], 3)
    assert pyramid is not None
    rows = dict(enumerate(pyramid.rows))
    for against in ((-3, -2, -1, 3), (-1, 0, 0, 1), (-2, 1, 1, 2), (-5, 1, 1, 2)):
        evidence = beaten(pyramid, list(range(-1, 5)), against, 9)
        check_evidence({k - 1: row for k, row in rows.items()} | {9: against}, evidence)
        assert len(evidence) <= 4


def test_a_constant_that_is_negative() -> None:
    assert beaten(Cone.space(2), [-1], (-1, 0, 0), 4) == {4: 1}


@pytest.mark.parametrize("against", [(0, 1, 0), (-1, 0, 1), (1, 0, 0), (0, 0, -1)])
def test_no_evidence_for_what_is_not_so(against: Row) -> None:
    """On {x >= 0}, with the line (0, 0, 1)."""
    half = Cone.of([(0, 1, 0)], 2)
    assert half is not None
    with pytest.raises(Inconsistent, match="positive somewhere"):
        beaten(half, [-1, 0], against, 4)


@pytest.mark.parametrize("signs", list(product((-1, 1), repeat=3)))
def test_the_point_of_an_orthant(signs: tuple[int, ...]) -> None:
    orthant = Cone.of([(0, *[s * int(i == j) for j in range(3)]) for i, s in enumerate(signs)], 3)
    assert orthant is not None
    assert simple_point(orthant) == (1, *signs)


@given(cones())
def test_points_are_inside(cone: Cone) -> None:
    point = simple_point(cone)
    assert point[0] > 0
    assert gcd(*point) == 1
    assert all(dot(row, point) > 0 for row in cone.rows)


@pytest.mark.parametrize("size", [10**3, 10**30, 10**300])
def test_points_have_few_digits(size: int) -> None:
    """A triangle at (0, 1/3), (1/7, 1) with long numbers; a cone with long directions; a strip far away."""
    triangle = Cone.of([(1, 3 * size + 1, -2), (7, 7 * size, -1), (-1, 0, 5 * size)], 2)
    wide = Cone.of([(0, size, 1 - size), (0, 1 - size, size)], 2)
    far = Cone.of([(-size, 1, 0), (size + 1, -1, 0)], 2)
    for cone, most in ((triangle, 3 * len(str(size))), (wide, 4), (far, 3 * len(str(size)))):
        assert cone is not None
        point = simple_point(cone)
        assert all(dot(row, point) > 0 for row in cone.rows)
        assert sum(len(str(abs(entry))) for entry in point) <= most + 6


def test_a_thin_cone_falls_back_on_the_sum_of_its_rays() -> None:
    """10^-40 wide: 64 binary digits are not enough to get inside."""
    size = 10**40
    thin = Cone.of([(0, size, 1 - size), (0, -size, size)], 2)
    assert thin is not None
    point = simple_point(thin)
    assert point == thin.interior()

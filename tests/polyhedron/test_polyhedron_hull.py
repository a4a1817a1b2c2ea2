"""Relative interior, affine hull, canonical form: evidence verified, sets compared by elimination."""

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactgeo.errors import Inconsistent
from exactgeo.polyhedron import hull as module
from exactgeo.polyhedron.echelon import echelon, reduced
from exactgeo.polyhedron.hull import Canonical, RelativeInterior, canonical, check_relative_interior, relative_interior
from exactgeo.polyhedron.lp import NoInterior
from exactgeo.polyhedron.polyhedron import Polyhedron
from exactgeo.rational.rows import Row, dot, homogeneous
from tests.oracles.fourier_motzkin import same_set, solvable, weak
from tests.polyhedron.polytopes import NAMED, Named, System, systems


@st.composite
def flat_systems(draw: st.DrawFn) -> System:
    """Systems with several opposite pairs or cancelling triples, so that flatness comes in stages."""
    dimension, rows = draw(systems(most_rows=3))
    for _ in range(draw(st.integers(0, 2))):
        row = draw(st.tuples(*[st.integers(-1, 1)] * (dimension + 1)))
        rows += [row, tuple(-entry for entry in row)]
    return dimension, draw(st.permutations(rows))


def verify(rows: list[Row], answer: RelativeInterior) -> None:
    point = homogeneous(answer.point)
    for index, row in enumerate(rows):
        assert dot(row, point) == 0 if index in answer.multipliers or not any(row) else dot(row, point) > 0
    assert all(factor > 0 for factor in answer.multipliers.values())
    for column in range(len(point)):
        assert sum(factor * rows[index][column] for index, factor in answer.multipliers.items()) == 0


@given(flat_systems())
def test_the_relative_interior_has_evidence(system: System) -> None:
    dimension, rows = system
    answer = relative_interior(rows, dimension)
    if isinstance(answer, NoInterior):
        assert not answer.flat
        assert not solvable(weak(rows))
    else:
        verify(rows, answer)


@given(flat_systems())
def test_the_canonical_form_is_the_same_set(system: System) -> None:
    dimension, rows = system
    form = canonical(rows, dimension)
    assert same_set(rows, form.rows)
    assert canonical(form.rows, dimension) == form
    if not form.empty:
        for place in range(len(form.inequalities)):
            fewer = Canonical(dimension, form.equations, form.inequalities[:place] + form.inequalities[place + 1 :])
            assert not same_set(rows, fewer.rows)


@given(flat_systems(), flat_systems())
def test_equal_canonical_forms_are_equal_sets(one: System, two: System) -> None:
    if one[0] == two[0]:
        dimension = one[0]
        left, right = Polyhedron.from_rows(one[1], dimension), Polyhedron.from_rows(two[1], dimension)
        assert left.equal(right) == same_set(one[1], two[1])
        both = left.intersection(right)
        assert both.equal(right.intersection(left))
        assert left.equal(both) == same_set(one[1], one[1] + two[1])


@given(flat_systems(), st.data())
def test_the_canonical_form_does_not_see_how_a_set_is_written(system: System, data: st.DataObject) -> None:
    dimension, rows = system
    weights = data.draw(st.lists(st.tuples(*[st.integers(0, 2)] * (len(rows) + 1)), max_size=3))
    implied = [
        tuple(
            sum(w * row[k] for w, row in zip(some, rows, strict=False)) + (some[-1] if k == 0 else 0)
            for k in range(dimension + 1)
        )
        for some in weights
    ]
    scaled = [tuple(3 * entry for entry in row) for row in rows]
    mixed = data.draw(st.permutations(scaled + rows[:2] + implied))
    assert canonical(mixed, dimension) == canonical(rows, dimension)


@pytest.mark.parametrize("named", NAMED, ids=lambda named: named.name)
def test_named_polyhedra(named: Named) -> None:
    form = named.body.canonical()
    assert form.affine_dimension == named.affine_dimension
    assert form.empty == (named.affine_dimension < 0) == named.body.is_empty()
    assert len(form.inequalities) == named.facets + form.empty
    answer = named.body.relative_interior()
    if isinstance(answer, RelativeInterior):
        verify(list(named.body.rows), answer)
        assert named.body.contains(answer.point)


def test_a_chain_of_equations_that_appear_one_after_another() -> None:
    """x_1 = 0 makes x_2 <= 0 and x_2 >= 0 meet, and so on; the last row depends on all of them."""
    rows: list[Row] = [
        (0, 1, 0, 0),
        (0, -1, 0, 0),
        (0, 1, 1, 0),
        (0, 2, -1, 0),
        (0, 0, 1, 1),
        (0, 5, 7, -1),
        (0, 1, 1, 1),
    ]
    answer = relative_interior(rows, 3)
    assert isinstance(answer, RelativeInterior)
    verify(rows, answer)
    assert answer.multipliers.keys() == set(range(7))
    assert canonical(rows, 3).equations == ((0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))


@pytest.mark.parametrize(
    ("point", "multipliers"),
    [
        ((0, 1), {}),  # row 0 is zero there, but not cited
        ((0, 1), {0: 1}),  # does not cancel
        ((0, 1), {0: -1, 1: -1}),
        ((1, 1), {0: 1, 1: 1}),  # not on the equation
        ((0, 0), {0: 1, 1: 1}),  # in P, but on its boundary
    ],
)
def test_false_evidence_is_refused(point: tuple[int, int], multipliers: dict[int, int]) -> None:
    rows: list[Row] = [(0, 1, 0), (0, -1, 0), (0, 0, 1)]
    check_relative_interior(rows, 2, RelativeInterior((Fraction(0), Fraction(1)), {0: 1, 1: 1}))
    with pytest.raises(Inconsistent):
        check_relative_interior(rows, 2, RelativeInterior((Fraction(point[0]), Fraction(point[1])), multipliers))


def test_echelon_bases_are_canonical() -> None:
    rng = random.Random(2)
    for _ in range(200):
        width, count = rng.randint(1, 5), rng.randint(0, 4)
        vectors = [tuple(rng.randint(-2, 2) for _ in range(width)) for _ in range(count)]
        basis, pivots = echelon(vectors)
        assert pivots == sorted(set(pivots))
        for row, pivot in zip(basis, pivots, strict=True):
            assert row[pivot] > 0
            assert not any(row[:pivot])
            assert [other[pivot] for other in basis if other is not row] == [0] * (len(basis) - 1)
        assert all(not any(reduced(vector, basis, pivots)) for vector in vectors)
        mixed = [tuple(x - 2 * y for x, y in zip(one, two, strict=True)) for one in vectors for two in vectors]
        assert echelon([*mixed, *reversed(vectors)]) == (basis, pivots)


def test_contradictions_between_methods_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[Row] = [(0, 1), (0, -1)]
    empty = NoInterior({0: 1}, flat=False)
    answers = [NoInterior({0: 1, 1: 1}, flat=True), empty]
    with monkeypatch.context() as patch:
        patch.setattr(module, "interior", lambda rows, dimension: answers.pop(0))
        with pytest.raises(Inconsistent, match="then empty"):
            relative_interior(rows, 1)
    with monkeypatch.context() as patch:
        patch.setattr(module, "irredundant", lambda rows, dimension: empty)
        with pytest.raises(Inconsistent, match="relative interior point, but"):
            canonical(rows, 1)

"""Interior points, Farkas proofs and single facets: the evidence is checked here, and its existence by elimination."""

import random
from fractions import Fraction
from math import gcd

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactgeo.errors import Inconsistent
from exactgeo.polyhedron.lp import (
    Interior,
    NoInterior,
    OnFacet,
    Redundant,
    check_interior,
    check_no_interior,
    check_on_facet,
    check_redundant,
    interior,
    relative_interior_on,
)
from exactgeo.rational.rows import Point, Row
from tests.oracles.fourier_motzkin import implies, solvable, weak
from tests.polyhedron.polytopes import System, systems


def value(row: Row, point: Point) -> Fraction:
    return row[0] + sum((a * x for a, x in zip(row[1:], point, strict=True)), Fraction(0))


def combination(rows: list[Row], multipliers: dict[int, int], dimension: int) -> list[int]:
    return [
        sum(factor * rows[index][column] for index, factor in multipliers.items()) for column in range(dimension + 1)
    ]


def proportional(row: Row, other: Row) -> bool:
    """Positive multiples of one another, both with a normal."""
    left, right = gcd(*row), gcd(*other)
    return any(row[1:]) and [entry * right for entry in row] == [entry * left for entry in other]


def verify_interior(rows: list[Row], dimension: int, answer: Interior | NoInterior) -> None:
    if isinstance(answer, Interior):
        assert len(answer.point) == dimension
        assert all(value(row, answer.point) > 0 for row in rows if any(row))
    else:
        assert answer.multipliers
        assert min(answer.multipliers.values()) > 0
        assert gcd(*answer.multipliers.values()) == 1
        assert list(answer.multipliers) == sorted(answer.multipliers)
        total = combination(rows, answer.multipliers, dimension)
        assert not any(total[1:])
        assert total[0] == 0 if answer.flat else total[0] < 0
        assert not answer.flat or any(any(rows[index][1:]) for index in answer.multipliers)


@given(systems())
def test_interior_has_evidence_and_agrees_with_elimination(system: System) -> None:
    dimension, rows = system
    answer = interior(rows, dimension)
    verify_interior(rows, dimension, answer)
    assert isinstance(answer, Interior) == solvable([(row, True) for row in rows if any(row)])
    closed = solvable(weak(rows))
    assert closed == (isinstance(answer, Interior) or answer.flat)


@given(systems(most_rows=5), st.data())
def test_one_row_is_a_facet_or_redundant_with_evidence(system: System, data: st.DataObject) -> None:
    dimension, rows = system
    if not rows:
        rows = [(1,) + (0,) * dimension]
    index = data.draw(st.integers(0, len(rows) - 1))
    row = rows[index]
    others = [other for other in rows if any(other) and not proportional(other, row)]
    answer = relative_interior_on(rows, dimension, index)
    full = solvable([(other, True) for other in rows if any(other)])
    if isinstance(answer, OnFacet):
        assert any(row[1:])
        assert value(row, answer.point) == 0
        assert all(value(other, answer.point) > 0 for other in others)
        assert full
    elif isinstance(answer, Redundant):
        total = combination(rows, answer.multipliers, dimension)
        total[0] += answer.constant
        assert total == [answer.factor * entry for entry in row]
        assert answer.factor > 0
        assert answer.constant >= 0
        assert index not in answer.multipliers
        assert all(factor > 0 for factor in answer.multipliers.values())
        assert implies(others, row) or not any(row[1:])
    else:
        verify_interior(rows, dimension, answer)
        assert not full
    if full:
        hyperplane = [(row, False), (tuple(-entry for entry in row), False)]
        facet = any(row[1:]) and solvable([*hyperplane, *[(other, True) for other in others]])
        assert isinstance(answer, OnFacet) == facet
        assert isinstance(answer, Redundant) != facet


def test_no_rows_at_all() -> None:
    assert interior([], 0) == Interior(())
    assert interior([], 3) == Interior((Fraction(0),) * 3)


def test_dimension_zero_is_decided_by_constants() -> None:
    assert interior([(3,), (0,)], 0) == Interior(())
    assert interior([(3,), (-2,)], 0) == NoInterior({1: 1}, flat=False)


def test_a_constant_row_that_is_negative_is_the_whole_proof() -> None:
    assert interior([(0, 1), (-7, 0), (0, -1)], 1) == NoInterior({1: 1}, flat=False)
    assert relative_interior_on([(0, 1), (-7, 0)], 1, 1) == NoInterior({1: 1}, flat=False)
    assert relative_interior_on([(0, 1), (-7, 0)], 1, 0) == NoInterior({1: 1}, flat=False)


def test_zero_and_constant_rows_are_redundant_by_themselves() -> None:
    assert relative_interior_on([(0, 0), (4, 0), (0, 1)], 1, 0) == Redundant({}, 1, 0)
    assert relative_interior_on([(0, 0), (4, 0), (0, 1)], 1, 1) == Redundant({}, 1, 4)


def test_both_copies_of_a_repeated_row_are_facets_for_the_caller_to_choose() -> None:
    rows = [(0, 1, 0), (0, 3, 0), (0, 0, 1)]
    assert isinstance(relative_interior_on(rows, 2, 0), OnFacet)
    assert isinstance(relative_interior_on(rows, 2, 1), OnFacet)


def test_opposite_rows_are_flat_whichever_is_asked() -> None:
    rows = [(1, 2, -4), (5, 1, 1), (-3, -6, 12)]  # 3 * row 0 + row 2 = 0
    for index in (0, 2):
        assert relative_interior_on(rows, 2, index) == NoInterior({0: 3, 2: 1}, flat=True)


def test_parallel_rows() -> None:
    rows = [(0, 1), (1, 1), (5, -1)]  # x >= 0 implies x + 1 >= 0
    assert relative_interior_on(rows, 1, 1) == Redundant({0: 1}, 1, 1)
    assert relative_interior_on(rows, 1, 2) == OnFacet((Fraction(5),))


def test_slivers_and_scales_that_no_float_can_see() -> None:
    """Nearly dependent rows with 40-digit coefficients, on which cddlib's linear programs crash."""
    rng = random.Random(7)
    seen = set()
    for _ in range(300):
        dimension = rng.randint(1, 4)
        rows: list[Row] = [tuple(rng.randint(-2, 2) for _ in range(dimension + 1))]
        for _ in range(rng.randint(1, 8)):
            if rng.random() < 0.5:
                rows.append(tuple(rng.randint(-(10**40), 10 ** rng.choice([1, 40])) for _ in range(dimension + 1)))
            else:
                one, two = rng.choice(rows), rng.choice(rows)
                left, right = rng.randint(-3, 3) * 10 ** rng.choice([0, 30]), rng.randint(-3, 3) * 10**35
                mixed = [left * x + right * y for x, y in zip(one, two, strict=True)]
                rows.append((mixed[0] + rng.choice([0, 0, 1, -1]), *mixed[1:]))
        answer = interior(rows, dimension)
        verify_interior(rows, dimension, answer)
        seen.add((type(answer), getattr(answer, "flat", None)))
        for index in range(len(rows)):
            kind = type(relative_interior_on(rows, dimension, index))
            assert kind is not (OnFacet if isinstance(answer, NoInterior) else NoInterior)
    assert len(seen) == 3


def test_a_sliver_has_an_interior_and_its_closure_by_one_unit_has_none() -> None:
    thin = 10**80
    inside = interior([(0, thin), (1, -thin)], 1)  # 0 < x < 1e-80
    assert isinstance(inside, Interior)
    assert 0 < inside.point[0] < Fraction(1, thin)
    assert interior([(0, thin), (0, -thin)], 1) == NoInterior({0: 1, 1: 1}, flat=True)
    assert interior([(0, thin), (-1, -thin)], 1) == NoInterior({0: 1, 1: 1}, flat=False)


ROWS: list[Row] = [(0, 1), (1, -1), (2, -1)]


@pytest.mark.parametrize("point", [0, 1, -1, Fraction(3, 2)])
def test_false_interior_points_are_refused(point: Fraction) -> None:
    with pytest.raises(Inconsistent):
        check_interior(ROWS, Interior((Fraction(point),)))


@pytest.mark.parametrize(
    "lie",
    [
        NoInterior({0: 1, 1: 1}, flat=False),  # 1 is not negative
        NoInterior({0: 1, 1: 1}, flat=True),
        NoInterior({0: -1, 1: -1}, flat=False),  # multipliers must be positive
        NoInterior({0: 1}, flat=True),  # the normals do not cancel
        NoInterior({3: 1}, flat=True),  # the zero row proves nothing
        NoInterior({}, flat=True),
    ],
)
def test_false_farkas_proofs_are_refused(lie: NoInterior) -> None:
    with pytest.raises(Inconsistent):
        check_no_interior([*ROWS, (0, 0)], 1, lie)


def test_false_facet_points_are_refused() -> None:
    for index, point in ((0, 1), (2, 2), (0, -1)):
        with pytest.raises(Inconsistent):
            check_on_facet(ROWS, index, OnFacet((Fraction(point),)))
    with pytest.raises(Inconsistent):
        check_on_facet([(0, 0)], 0, OnFacet((Fraction(0),)))


@pytest.mark.parametrize(
    "lie",
    [
        Redundant({2: 1}, 1, 0),  # a row is no proof of itself
        Redundant({1: 1}, 1, 0),  # 2 - x is 1 - x plus 1, not plus 0
        Redundant({1: -1}, -1, -1),
    ],
)
def test_false_proofs_of_redundancy_are_refused(lie: Redundant) -> None:
    check_redundant(ROWS, 1, 2, Redundant({0: 1, 1: 2}, 1, 0))  # x + 2 (1 - x) = 2 - x
    with pytest.raises(Inconsistent):
        check_redundant(ROWS, 1, 2, lie)

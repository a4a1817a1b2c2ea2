"""Integer rows: canonical up to a positive factor."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactgeo.rational.rows import dot, homogeneous, hyperplane, integer_row, is_constant, negated, primitive

rows = st.lists(st.integers(-9, 9), min_size=1, max_size=4)
factors = st.integers(1, 60)


@given(rows, factors)
def test_primitive_forgets_positive_factors_only(row: list[int], factor: int) -> None:
    assert primitive([factor * entry for entry in row]) == primitive(row)
    assert primitive(primitive(row)) == primitive(row)
    assert primitive(negated(row)) == negated(primitive(row))
    assert (primitive(negated(row)) == primitive(row)) == (not any(row))


@given(rows, st.lists(st.fractions(min_value=1, max_value=9), min_size=1, max_size=1))
def test_integer_row_is_the_primitive_multiple(row: list[int], factor: list[Fraction]) -> None:
    assert integer_row([factor[0] * entry for entry in row]) == primitive(row)


@given(rows, st.integers(-9, 9).filter(bool))
def test_a_hyperplane_has_two_sides(row: list[int], factor: int) -> None:
    if is_constant(row):
        with pytest.raises(ValueError, match="no normal"):
            hyperplane(row)
        return
    plane, side = hyperplane(row)
    assert tuple(side * entry for entry in plane) == primitive(row)
    assert hyperplane([factor * entry for entry in row]) == (plane, side if factor > 0 else -side)


@given(st.lists(st.fractions(max_denominator=30), min_size=1, max_size=3), st.data())
def test_homogeneous_points_evaluate_forms(point: list[Fraction], data: st.DataObject) -> None:
    row = data.draw(st.lists(st.integers(-9, 9), min_size=len(point) + 1, max_size=len(point) + 1))
    scaled = homogeneous(point)
    assert scaled[0] > 0
    assert [Fraction(entry, scaled[0]) for entry in scaled[1:]] == point
    value = row[0] + sum(a * x for a, x in zip(row[1:], point, strict=True))
    assert dot(row, scaled) == scaled[0] * value

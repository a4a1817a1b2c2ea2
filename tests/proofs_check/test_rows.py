"""Kernels and corners against their definitions, by rational elimination (Hypothesis)."""

from __future__ import annotations

from fractions import Fraction
from math import gcd

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs_check import Rejected, Unreadable
from proofs_check.core.rows import Row, ascending, corners, kernel, primitive, tangent, values
from proofs_check.extensions.implied import implied, remainder
from proofs_check.lowering.evaluate import Rows

ENTRIES = st.sampled_from([0, 0, 0, 1, -1, 2, -3, 5, 10**20])


@st.composite
def matrices(draw: st.DrawFn, square: bool = False) -> list[Row]:
    columns = draw(st.integers(1, 8 if square else 5))
    rows = columns if square else draw(st.integers(1, 6))
    found = [tuple(draw(ENTRIES) for _ in range(columns)) for _ in range(rows)]
    if rows > 1 and draw(st.booleans()):  # a row that depends on another
        found[-1] = tuple(draw(st.integers(-1, 1)) * value for value in found[0])
    return found


def rank(rows: list[Row]) -> int:
    work = [[Fraction(value) for value in row] for row in rows]
    found = 0
    for c in range(len(rows[0])):
        pivot = next((i for i in range(found, len(work)) if work[i][c]), None)
        if pivot is None:
            continue
        work[found], work[pivot] = work[pivot], work[found]
        for i in range(found + 1, len(work)):
            factor = work[i][c] / work[found][c]
            work[i] = [a - factor * b for a, b in zip(work[i], work[found], strict=True)]
        found += 1
    return found


@given(matrices())
def test_the_kernel_is_a_line_or_nothing_or_more(vectors: list[Row]) -> None:
    found = kernel(vectors)
    dimension = len(vectors) - rank(vectors)
    if dimension == 0:
        assert found == []
    elif dimension > 1:
        assert found is None
    else:
        assert found
        assert gcd(*found) == 1
        sums = [sum(a * b for a, b in zip(found, column, strict=True)) for column in zip(*vectors, strict=True)]
        assert not any(sums)


@given(matrices(square=True))
def test_corners_are_dual_to_the_rows(rows: list[Row]) -> None:
    for own in (rows, rows[::-1], [row[::-1] for row in rows]):
        found = corners(own)
        if rank(own) < len(own):
            assert found is None
            continue
        assert found is not None
        heights = [values(own, vector) for vector in found]
        assert len({height[m] for m, height in enumerate(heights)}) == 1
        assert all(height[m] > 0 and height.count(0) == len(own) - 1 for m, height in enumerate(heights))


@given(matrices(), st.data())
def test_corners_of_a_tangent_cone_are_those_with_the_constant(rows: list[Row], data: st.DataObject) -> None:
    size = len(rows[0])
    rows = [tuple(data.draw(ENTRIES) for _ in range(size + 1)) for _ in range(size)]
    found, square = tangent(rows), corners([(1, *[0] * size), *rows])
    assert (found is None) == (square is None)
    if found is not None and square is not None:
        assert [primitive(vector) for vector in found] == [primitive(vector) for vector in square]


LONG = st.sampled_from([0, 1, -1, 7, 2**31, -(2**31), 2**62 - 1, -(2**62) + 1, 2**62, 2**63, -(2**63), 10**30])


@given(st.integers(1, 6), st.integers(1, 40), st.data())
def test_packed_values_are_the_values(width: int, count: int, data: st.DataObject) -> None:
    entries = data.draw(st.sampled_from([ENTRIES.filter(lambda x: abs(x) < 100), LONG]))
    rows = data.draw(st.lists(st.lists(entries, min_size=width, max_size=width), min_size=count, max_size=count))
    packed = Rows(rows, many=0)
    for _ in range(5):
        point = data.draw(st.lists(LONG, min_size=width, max_size=width))
        assert packed(point) == values(rows, point)


def test_too_many_unknowns() -> None:
    with pytest.raises(Unreadable) as failure:
        kernel([tuple(int(i == j) for j in range(70)) for i in range(65)])
    assert failure.value.rule == "limit-kernel"


@given(st.lists(ENTRIES, min_size=1, max_size=7), st.integers(1, 4))
def test_values_in_every_dimension(point: list[int], count: int) -> None:
    rows = [tuple((3 * i + j) % 5 - 2 for j in range(len(point))) for i in range(count)]
    assert values(rows, point) == [sum(a * b for a, b in zip(row, point, strict=True)) for row in rows]


def test_primitive_rows() -> None:
    assert primitive((4, -6, 0)) == (2, -3, 0)
    assert primitive((0, 0)) == (0, 0)
    assert primitive((-3,)) == (-1,)


@pytest.mark.parametrize("numbers", [[-1], [0, 0], [3, 2], [-1, 4]])
def test_numbers_that_do_not_ascend(numbers: list[int]) -> None:
    with pytest.raises(Rejected) as failure:
        ascending(numbers)
    assert failure.value.rule == "cited-order"


def test_implied_forms() -> None:
    x: Row = (0, 1, 0)
    y: Row = (0, 0, 1)
    implied((0, 2, 0), [x], None)  # 2x
    implied((1, 2, 3), [x, y], None)  # 2x + 3y + 1
    implied((0, 2, 3), [x, y], [2, 3])
    implied((5, 0, 0), [], None)
    cases: list[tuple[Row, list[Row], list[int] | None, str]] = [
        ((-1, 2, 0), [x], None, "implied-constant"),
        ((0, -1, 0), [x], None, "implied-normal"),
        ((0, 1, 1), [x], None, "implied-normal"),
        ((0, 1, -1), [x, y], None, "kernel-sign"),
        ((0, 1, 1), [x, y], [1, 2], "implied-normal"),
        ((0, 1, 1), [x, y], [1], "multipliers"),
        ((0, 0, 0), [], None, "implied-constant"),
        ((-1, 0, 0), [], None, "implied-constant"),
        ((1, 0, 0), [x], None, "implied-normal"),
        ((0, 1, 0), [], None, "implied-normal"),
    ]
    for form, rows, given_, rule in cases:
        with pytest.raises(Rejected) as failure:
            implied(form, rows, given_)
        assert failure.value.rule == rule


def test_remainders() -> None:
    assert remainder([3, 2, 0], (1, 1, 0)) == (2, 1)  # (3 + 2x) - 2 (1 + x) = 1
    assert remainder([3, 2, 0], (1, -1, 0)) == (-2, 5)  # mu = -2, r = 5
    assert remainder([3, 2, 1], (1, 1, 0)) is None

"""Fourier-Motzkin elimination: is a system of strict and weak linear inequalities solvable?

A condition is (row, strict): b + a.x > 0 or b + a.x >= 0. Eliminating a variable pairs every lower bound with every
upper bound on it; what is left after the last variable is decided by signs. Doubly exponential, and independent of
everything in exactgeo: no pivots, no duality, no generators (A. Schrijver, *Theory of Linear and Integer Programming*,
Section 12.2).

>>> solvable([((0, 1), True), ((1, -1), True)]), solvable([((0, 1), True), ((0, -1), False)])
(True, False)
"""

from collections.abc import Iterable, Sequence
from math import gcd

__all__ = ["Condition", "implies", "same_set", "solvable", "weak"]

Condition = tuple[tuple[int, ...], bool]


def weak(rows: Iterable[Sequence[int]]) -> list[Condition]:
    return [(tuple(row), False) for row in rows]


def solvable(conditions: Iterable[Condition]) -> bool:
    """Whether some rational x satisfies all conditions."""
    system = {_plain(condition) for condition in conditions}
    while system and any(any(row[1:]) for row, _ in system):
        columns = range(1, max(len(row) for row, _ in system))
        column = min(columns, key=lambda k: _work(system, k))
        lower = [condition for condition in system if condition[0][column] > 0]
        upper = [condition for condition in system if condition[0][column] < 0]
        system = {condition for condition in system if condition[0][column] == 0}
        for low, low_strict in lower:
            for high, high_strict in upper:
                row = tuple(low[column] * y - high[column] * x for x, y in zip(low, high, strict=True))
                system.add(_plain((row, low_strict or high_strict)))
    return all(row[0] > 0 or (row[0] == 0 and not strict) for row, strict in system)


def implies(rows: Sequence[Sequence[int]], row: Sequence[int]) -> bool:
    """Whether b + a.x >= 0 wherever all ``rows`` are nonnegative."""
    return not solvable([*weak(rows), (tuple(-entry for entry in row), True)])


def same_set(left: Sequence[Sequence[int]], right: Sequence[Sequence[int]]) -> bool:
    return all(implies(left, row) for row in right) and all(implies(right, row) for row in left)


def _plain(condition: Condition) -> Condition:
    row, strict = condition
    divisor = gcd(*row)
    return (tuple(entry // divisor for entry in row) if divisor else row), strict


def _work(system: set[Condition], column: int) -> int:
    """How many conditions elimination of this variable adds; those that occur nowhere come last."""
    lower = sum(row[column] > 0 for row, _ in system)
    upper = sum(row[column] < 0 for row, _ in system)
    return lower * upper - lower - upper if lower or upper else len(system) ** 2

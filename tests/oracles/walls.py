"""Oracle: the walls between open convex polyhedra, pair by pair, one linear program per candidate hyperplane.

Two disjoint open polyhedra share a wall iff for some row h of the one and -h of the other (up to a positive factor)
there is a point with h = 0 at which every other row of both is positive: around it, {h = 0} belongs to both closures.
Two convex sets share at most one wall.

>>> brute_walls(1, [[(0, 1)], [(0, -1), (3, 1)], [(-3, -1)]])
{(0, 1): (0, 1), (1, 2): (3, 1)}
"""

from collections.abc import Sequence
from fractions import Fraction
from math import gcd

from tests.oracles.simplex import strict_point

__all__ = ["brute_walls"]

Row = tuple[int, ...]


def brute_walls(dimension: int, cells: Sequence[Sequence[Row]]) -> dict[tuple[int, int], Row]:
    """For each pair of positions i < j that share a wall its hyperplane, with a positive first entry in the normal."""
    plain = [{_primitive(row) for row in rows if any(row[1:])} for rows in cells]
    walls = {}
    for j, second in enumerate(plain):
        for i, first in enumerate(plain[:j]):
            for h in first:
                opposite = tuple(-entry for entry in h)
                if opposite in second and _meet(dimension, (first | second) - {h, opposite}, h):
                    walls[i, j] = max(h, opposite, key=lambda row: row[1:])
    return dict(sorted(walls.items()))


def _meet(dimension: int, rows: set[Row], h: Row) -> bool:
    exact = [tuple(map(Fraction, row)) for row in sorted(rows)]
    return strict_point(dimension, exact, [tuple(map(Fraction, h))]) is not None


def _primitive(row: Row) -> Row:
    divisor = gcd(*row)
    return tuple(entry // divisor for entry in row)

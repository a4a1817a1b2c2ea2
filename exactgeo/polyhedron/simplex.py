"""The exact simplex method: a point strictly inside rows, or multipliers that prove there is none.

Given integer rows (b_i, a_i) with nonzero normals, solve

    maximise t   subject to   s_i = b_i + a_i.x - t >= 0 for all i,   s_cap = 1 - t >= 0,   x and t free,

which x = 0, t = min(b_1, ..., b_n, 1) satisfies and the cap bounds. The method stops as soon as t > 0, which is all
that is asked. Otherwise it ends at an optimum t* <= 0, where the dictionary reads t = t* - sum(lambda_i s_i) with
lambda >= 0. That is an identity of affine forms in (x, t), hence sum(lambda a) = 0, sum(lambda b) = t* and sum(lambda)
= 1 (the cap's lambda is zero, because t* < 1).

*Why not cddlib's linear programs.* Even in its rational build cddlib 0.94m first runs the linear program in floating
point and repairs the result. On nearly degenerate rows with 40-digit coefficients that stage runs into its pivot limit
and was seen to corrupt the heap. Floats may propose, but they may not crash: this is the textbook method in integers,
for the small programs here about as fast as the round trip into cddlib.

The dictionary is kept in integers over one common denominator, the determinant of the basis up to sign, so that every
division is exact and entries are minors of the input (J. Edmonds, *Systems of distinct representatives and linear
algebra*, 1967; E. H. Bareiss, 1968). A free variable enters once and never leaves. Among slack variables the one with
the largest coefficient enters until a pivot is degenerate, then R. G. Bland's rule (1977) holds until t grows again,
so no basis repeats and the method is finite.

>>> strictly_inside([(0, 1), (1, -2)], 1)     # 0 < x < 1/2, as the homogeneous point (3, 1), x = 1/3
(3, 1)
>>> strictly_inside([(-1, 2), (0, -3)], 1)    # 1/2 < x < 0: 3 * row 0 + 2 * row 1 = -3
{0: 3, 1: 2}
"""

from collections.abc import Sequence
from math import gcd

from exactgeo.errors import Inconsistent
from exactgeo.rational.rows import Row, primitive

__all__ = ["strictly_inside"]


def strictly_inside(rows: Sequence[Row], dimension: int) -> Row | dict[int, int]:
    """A homogeneous point (x_0 > 0, x) strictly inside every row, or the Farkas multipliers of the optimum t* <= 0.

    Every row must have a nonzero normal. The multipliers are positive integers without common factor, sorted by row.
    """
    lowest = min(range(len(rows)), key=lambda index: rows[index][0], default=-1)
    if lowest < 0 or rows[lowest][0] > 0:
        return (1,) + (0,) * dimension
    dictionary = _Dictionary(rows, dimension, lowest)
    while not dictionary.inside():
        if not dictionary.step():
            return dictionary.multipliers()
    return dictionary.point()


class _Dictionary:
    """Basic variables as affine functions of the nonbasic ones, integers over the common denominator ``scale`` > 0.

    Variables are numbered: x_1 .. x_d are -1 .. -d, the slack of row i is i >= 0, the cap's slack is len(rows).
    ``table[r][0] / scale`` is the value of the basic variable ``basic[r]``, ``table[r][c] / scale`` its coefficient at
    the nonbasic variable ``nonbasic[c]`` (``nonbasic[0]`` is a placeholder). The objective t is kept apart.
    Invariant: every basic slack has value >= 0.
    """

    def __init__(self, rows: Sequence[Row], dimension: int, lowest: int) -> None:
        # t enters for the slack of the lowest row: t = b + a.x - s, and s_i = (b_i - b) + (a_i - a).x + s.
        bottom = rows[lowest]
        self.scale = 1
        self.dimension = dimension
        self.nonbasic = [0, *range(-1, -dimension - 1, -1), lowest]
        self.objective = [*bottom, -1]
        self.basic = [index for index in range(len(rows)) if index != lowest]
        self.table = [[x - y for x, y in zip(rows[index], bottom, strict=True)] + [1] for index in self.basic]
        self.basic.append(len(rows))
        self.table.append([1 - bottom[0], *[-entry for entry in bottom[1:]], 1])
        self.degenerate = False

    def inside(self) -> bool:
        return self.objective[0] > 0

    def step(self) -> bool:
        """One pivot that does not lower t; False if there is none, t being optimal."""
        entering = self._entering()
        if not entering:
            return False
        rising = self.objective[entering] > 0
        leaving, top, bottom = -1, 0, 1
        for place, variable in enumerate(self.basic):
            if variable < 0:
                continue
            row = self.table[place]
            slope = -row[entering] if rising else row[entering]
            if slope > 0:
                # The smallest ratio value / slope blocks; the lowest variable among equal ones, for Bland's rule.
                order = row[0] * bottom - top * slope if leaving >= 0 else -1
                if order < 0 or (order == 0 and variable < self.basic[leaving]):
                    leaving, top, bottom = place, row[0], slope
        if leaving < 0:
            raise Inconsistent("a linear program with the bound t <= 1 is unbounded")
        self.degenerate = top == 0
        self._pivot(leaving, entering)
        return True

    def _entering(self) -> int:
        """The column of a nonbasic variable that can raise t, 0 if there is none."""
        best = 0
        for column in range(1, len(self.nonbasic)):
            coefficient, variable = self.objective[column], self.nonbasic[column]
            if variable < 0:
                if coefficient:
                    return column
            elif coefficient > 0 and (
                not best or (variable < self.nonbasic[best] if self.degenerate else coefficient > self.objective[best])
            ):
                best = column
        return best

    def _pivot(self, leaving: int, entering: int) -> None:
        """Exchange basic ``leaving`` and nonbasic ``entering``; the new denominator is the absolute pivot."""
        old, pivot_row = self.scale, self.table[leaving]
        pivot = pivot_row[entering]
        if pivot < 0:
            # Substituting with the row's negative keeps the new denominator positive:
            # -old * y = |pivot| * z - (rest), so that z = (old * (-y) + rest) / |pivot|.
            size, sign, minus = -pivot, -1, pivot_row
        else:
            size, sign, minus = pivot, 1, [-entry for entry in pivot_row]
        for place, row in enumerate(self.table):
            if place != leaving:
                self.table[place] = _substituted(row, minus, entering, size, sign, old)
        self.objective = _substituted(self.objective, minus, entering, size, sign, old)
        exchanged = list(minus)
        exchanged[entering] = sign * old
        self.table[leaving] = exchanged
        self.scale = size
        self.basic[leaving], self.nonbasic[entering] = self.nonbasic[entering], self.basic[leaving]

    def point(self) -> Row:
        """The current x as a homogeneous point; a nonbasic x_j is zero."""
        point = [0] * (self.dimension + 1)
        point[0] = self.scale
        for place, variable in enumerate(self.basic):
            if variable < 0:
                point[-variable] = self.table[place][0]
        return primitive(point)

    def multipliers(self) -> dict[int, int]:
        weights = {
            variable: -self.objective[column]
            for column, variable in enumerate(self.nonbasic)
            if column and variable >= 0 and self.objective[column]
        }
        divisor = gcd(*weights.values())
        return {index: weights[index] // divisor for index in sorted(weights)}


def _substituted(row: list[int], minus: list[int], entering: int, size: int, sign: int, old: int) -> list[int]:
    """``row`` after the entering variable is replaced: (size * row[j] + row[entering] * minus[j]) / old, exactly."""
    factor = row[entering]
    if not factor and size == old:
        return row
    if old == 1:
        result = [size * x + factor * y for x, y in zip(row, minus, strict=True)]
    else:
        result = [(size * x + factor * y) // old for x, y in zip(row, minus, strict=True)]
    result[entering] = sign * factor
    return result

"""Integer rows: affine forms up to a positive factor.

A row (b, a_1, ..., a_d) stands for the affine form b + a.x, and as a condition for b + a.x >= 0 (cddlib's
convention). Two rows are the same condition when they are positive multiples of one another; the primitive row, whose
entries are integers without a common factor, is the canonical one. A *homogeneous point* is a vector (x_0, ..., x_d)
with x_0 >= 0: the point (x_1, ..., x_d)/x_0 if x_0 > 0, the direction (x_1, ..., x_d) if x_0 = 0, so that the value of
a form at a point and its slope along a direction are both ``dot(row, point)`` up to the factor x_0.

>>> primitive((4, -6, 0))
(2, -3, 0)
>>> integer_row([Fraction(1, 2), Fraction(-1, 3)])
(3, -2)
>>> dot((2, -3), (1, 1))
-1
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd, lcm
from operator import mul

__all__ = ["Point", "Row", "dot", "homogeneous", "hyperplane", "integer_row", "is_constant", "negated", "primitive"]

Row = tuple[int, ...]
Point = tuple[Fraction, ...]


def dot(row: Sequence[int], point: Sequence[int]) -> int:
    """sum(row_i * point_i)."""
    return sum(map(mul, row, point))


def primitive(row: Sequence[int]) -> Row:
    """The positive multiple of ``row`` whose entries have no common factor; the zero row is its own."""
    divisor = gcd(*row)
    return tuple(row) if divisor <= 1 else tuple([entry // divisor for entry in row])


def negated(row: Sequence[int]) -> Row:
    return tuple([-entry for entry in row])


def hyperplane(row: Sequence[int]) -> tuple[Row, int]:
    """The hyperplane of ``row`` in canonical form (primitive, first nonzero normal entry positive), and the side.

    ``row`` is a positive multiple of side * hyperplane.
    """
    reduced = primitive(row)
    for entry in reduced[1:]:
        if entry:
            return (reduced, 1) if entry > 0 else (negated(reduced), -1)
    raise ValueError(f"the row {tuple(row)} has no normal, so no hyperplane")


def is_constant(row: Sequence[int]) -> bool:
    return not any(row[1:])


def integer_row(values: Iterable[Fraction | int]) -> Row:
    """The primitive integer row that is a positive multiple of ``values``."""
    fractions = list(values)
    scale = lcm(*[value.denominator for value in fractions])
    return primitive([value.numerator * (scale // value.denominator) for value in fractions])


def homogeneous(point: Iterable[Fraction | int]) -> Row:
    """The homogeneous point (x_0, x_0 * point), primitive with x_0 > 0."""
    return integer_row([Fraction(1), *point])

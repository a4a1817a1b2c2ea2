"""The arithmetic of the forward pass: rows evaluated at a vector, largest scores, signs.

Part in the soundness theorem: *Leaves*. A vector x is a list [q, p] of integers, x = p/q with q > 0. Nothing of this is
used to lower a layer to the normal form, and nothing of that here: so the two are opinions about one network.
"""

from operator import mul
from struct import Struct

from ..core.rows import values
from ..core.stage import Tied
from .layer import Vector
from .numbers import Affine, integers, stack

__all__ = ["Rows", "affine", "composed", "largest", "plus", "signs"]

MANY = 100  # entries of a matrix that is packed, if it is not too long

_LOW, _HIGH, _BOTH = (0,), (1,), (0, 1)


class Rows:
    """Integer rows (b, a), to be evaluated at one vector after the other; many of them are packed.

    Packed, a column of 64 bits for each row is one long integer. The sum of the columns times the coordinates, plus
    2^63 in each 64 bits, has the digits v + 2^63 to the base 2^64, where v are the values, if all |v| < 2^63. To change
    the first bit of such a digit makes it v in two's complement. Where values may be larger, they are found one by one.
    """

    def __init__(self, rows: list[list[int]], many: int = MANY) -> None:
        self.rows = rows
        columns = list(zip(*rows, strict=True))
        self._sizes = [max(map(abs, column)) for column in columns]
        self._packed = len(rows) * len(columns) > many and len(columns) <= 2 * len(rows) and max(self._sizes) >> 62 == 0
        if self._packed:
            self._digits = Struct(f"<{len(rows)}q")
            self._half = int.from_bytes(b"\0\0\0\0\0\0\0\x80" * len(rows), "little")
            self._columns = [
                (int.from_bytes(self._digits.pack(*column), "little") ^ self._half) - self._half for column in columns
            ]

    def __call__(self, x: Vector) -> Vector:
        """q (b + a.p/q) for each row, at the vector [q, p]."""
        if not self._packed or sum(map(mul, self._sizes, map(abs, x))) >> 63:
            return values(self.rows, x)
        total = sum(map(mul, self._columns, x)) + self._half
        return list(self._digits.unpack((total ^ self._half).to_bytes(self._digits.size, "little")))


def affine(*maps: Affine) -> Rows:
    """An affine map, or several of the same input stack, over a common denominator, which is a row before them."""
    denominator, rows = integers(stack(*maps))
    return Rows([[denominator, *[0] * (len(rows[0]) - 1)], *rows])


def composed(outer: Rows, inner: Rows) -> list[list[int]]:
    """The rows of outer o inner: a column is outer at a column of inner."""
    columns = [outer(list(column)) for column in zip(*inner.rows, strict=True)]
    return [list(row) for row in zip(*columns, strict=True)]


def largest(scores: list[int]) -> tuple[int, ...]:
    """The candidates with the largest score."""
    top = max(scores)
    if scores.count(top) == 1:
        return (scores.index(top),)
    return tuple([j for j, score in enumerate(scores) if score == top])


def signs(x: Vector) -> Tied:
    """The winners of units with the scores 0 and x_i, or -x_i and x_i."""
    return [_HIGH if v > 0 else _LOW if v < 0 else _BOTH for v in x[1:]]


def plus(y: Vector, x: Vector) -> Vector:
    """y + x."""
    times, over = divmod(y[0], x[0])
    if over:
        times, y = y[0], [x[0] * value for value in y]
    total = [a + times * b for a, b in zip(y, x, strict=True)]
    total[0] = y[0]
    return total

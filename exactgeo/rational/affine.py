"""Affine maps with rational coefficients, in one canonical integer form.

The map x -> (b_i + a_i.x)_i is kept as integer rows (b_i, a_i) over one common positive denominator, without a factor
common to all of them. So two maps are equal as functions exactly when they are equal as values, and hashing a map is
hashing a function.

>>> half = AffineMap.of([[0, "1/2"]])
>>> half.compose(half) == AffineMap.of([[0, "1/4"]]), half.at((Fraction(3),))
(True, (Fraction(3, 2),))
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from exactgeo.errors import BadInput, NotRational
from exactgeo.rational.numbers import Number, exact, exact_point
from exactgeo.rational.rows import Point, Row, dot, homogeneous

__all__ = ["MAX_DENOMINATOR_BITS", "AffineMap"]

MAX_DENOMINATOR_BITS = 50_000
"""Longest common denominator accepted for the weights of one map; certificates are checked up to the same length."""


@dataclass(frozen=True, slots=True)
class AffineMap:
    """y_i = (rows[i][0] + rows[i][1:] . x) / denominator.

    Invariants: denominator > 0; gcd of the denominator and all entries is 1; all rows have length input_dim + 1.
    """

    input_dim: int
    denominator: int
    rows: tuple[Row, ...]

    @staticmethod
    def scaled(input_dim: int, denominator: int, rows: Iterable[Sequence[int]]) -> "AffineMap":
        """The canonical map of integer ``rows`` over a positive ``denominator``."""
        table = [tuple(row) for row in rows]
        divisor = gcd(denominator, *[entry for row in table for entry in row])
        if divisor > 1:
            table = [tuple([entry // divisor for entry in row]) for row in table]
        return AffineMap(input_dim, denominator // divisor, tuple(table))

    @staticmethod
    def of(rows: Iterable[Iterable[Number]], input_dim: int | None = None) -> "AffineMap":
        """The map with the rational rows (b_i, a_i); ``input_dim`` is needed only where there is no row."""
        table = [[exact(entry) for entry in row] for row in rows]
        if not table and input_dim is None:
            raise BadInput("a map without rows needs its input dimension")
        width = len(table[0]) - 1 if input_dim is None else input_dim
        for index, row in enumerate(table):
            if len(row) != width + 1:
                raise BadInput(f"row {index} of a map has {len(row)} entries, expected {width + 1}: b, a_1, ..., a_d")
        scale = _common_denominator(entry.denominator for row in table for entry in row)
        return AffineMap.scaled(
            width, scale, [[entry.numerator * (scale // entry.denominator) for entry in row] for row in table]
        )

    @staticmethod
    def identity(dim: int) -> "AffineMap":
        return AffineMap(dim, 1, tuple([(0,) * (i + 1) + (1,) + (0,) * (dim - i - 1) for i in range(dim)]))

    @property
    def output_dim(self) -> int:
        return len(self.rows)

    def at(self, point: Iterable[Number]) -> Point:
        """The image of a point."""
        scaled = homogeneous(exact_point(point, self.input_dim))
        scale = self.denominator * scaled[0]
        return tuple(Fraction(dot(row, scaled), scale) for row in self.rows)

    def fractions(self) -> tuple[Point, ...]:
        """The rational rows (b_i, a_i)."""
        return tuple(tuple(Fraction(entry, self.denominator) for entry in row) for row in self.rows)

    def compose(self, inner: "AffineMap") -> "AffineMap":
        """self after inner."""
        if self.input_dim != inner.output_dim:
            raise BadInput(f"a map of R^{self.input_dim} cannot follow one into R^{inner.output_dim}")
        columns = list(zip(*inner.rows, strict=True)) if inner.rows else [()] * (inner.input_dim + 1)
        constant = inner.denominator
        rows = []
        for row in self.rows:
            image = [dot(row[1:], column) for column in columns]
            image[0] += row[0] * constant
            rows.append(image)
        return AffineMap.scaled(inner.input_dim, self.denominator * inner.denominator, rows)


def _common_denominator(denominators: Iterable[int]) -> int:
    """The least common multiple; refused where numbers would become absurdly long."""
    common = 1
    for denominator in set(denominators):
        common = lcm(common, denominator)
        if common.bit_length() > MAX_DENOMINATOR_BITS:
            raise NotRational(f"the weights of a map have a common denominator beyond {MAX_DENOMINATOR_BITS} bits")
    return common

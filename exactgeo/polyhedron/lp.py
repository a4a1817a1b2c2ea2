"""Interior points and Farkas proofs: the two linear programs that decide about a polyhedron given by rows.

Rows (b, a) stand for b + a.x >= 0 in R^d. Either some point is strictly inside every row that is not identically
zero, or there is a *Farkas proof* that none is: positive integers lambda on cited rows with

    sum(lambda a) = 0,   S = sum(lambda b),   S < 0, or S = 0 and some cited row has a nonzero normal.

S < 0 says that the closed polyhedron is empty; S = 0 that it lies in the hyperplane of each cited row with a normal
(it is *flat*). Both answers come from one linear program over the rows with a nonzero normal,

    maximise t   subject to   b_i + a_i.x >= t for all i,   t <= 1,

which is feasible and bounded whatever the rows are. Its optimum t* decides: if t* > 0 the optimal x is inside; if
t* <= 0 the constraint t <= 1 is slack, so the dual solution has sum(lambda) = 1, sum(lambda a) = 0 and
sum(lambda b) = t* <= 0, which is the proof (A. Schrijver, *Theory of Linear and Integer Programming*, Corollary 7.1g
and Section 7.8). Asking the same on the hyperplane of one row, with one coordinate eliminated, tells whether the row
is a facet.

The linear program is solved exactly in integers (``simplex``), and it stops at the first t > 0. Nothing is taken on
trust: every point and every proof is verified before it is returned.

>>> interior([(0, 1), (1, -2)], 1)                  # 0 < x < 1/2
Interior(point=(Fraction(1, 3),))
>>> interior([(-1, 2), (0, -3)], 1)                 # 1/2 < x < 0: 3 * row 0 + 2 * row 1 is -3
NoInterior(multipliers={0: 3, 1: 2}, flat=False)
>>> relative_interior_on([(0, 1), (1, 2)], 1, 1)    # 2x + 1 >= 0 follows from x >= 0: it is 2 * row 0 + 1
Redundant(multipliers={0: 2}, factor=1, constant=1)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd

from exactgeo.errors import Inconsistent
from exactgeo.polyhedron.simplex import strictly_inside
from exactgeo.rational.rows import Point, Row, dot, homogeneous, is_constant

__all__ = [
    "Interior",
    "NoInterior",
    "OnFacet",
    "Redundant",
    "check_interior",
    "check_no_interior",
    "check_on_facet",
    "check_redundant",
    "interior",
    "relative_interior_on",
]


@dataclass(frozen=True, slots=True)
class Interior:
    """``point`` is strictly inside every row that is not identically zero."""

    point: Point


@dataclass(frozen=True, slots=True)
class NoInterior:
    """No point is strictly inside all rows: sum(multipliers[i] * rows[i]) is the constant S <= 0.

    ``flat`` is S = 0: the closed polyhedron is not empty, but lies in the hyperplane of each cited row. Otherwise
    S < 0 and it is empty. Invariants: the multipliers are positive, without common factor, in the order of the rows;
    if S = 0, some cited row has a nonzero normal.
    """

    multipliers: dict[int, int]
    flat: bool


@dataclass(frozen=True, slots=True)
class OnFacet:
    """``point`` is on the row's hyperplane and strictly inside every other row that is not proportional to it."""

    point: Point


@dataclass(frozen=True, slots=True)
class Redundant:
    """The row follows from others: factor * row = sum(multipliers[i] * rows[i]) + constant.

    Invariants: factor > 0, constant >= 0, every multiplier is positive and on another row, no common factor.
    """

    multipliers: dict[int, int]
    factor: int
    constant: int


def interior(rows: Sequence[Row], dimension: int) -> Interior | NoInterior:
    """A rational point strictly inside every row that is not identically zero, or the proof that there is none."""
    cutting = []
    for index, row in enumerate(rows):
        if not is_constant(row):
            cutting.append(index)
        elif row[0] < 0:
            return NoInterior({index: 1}, flat=False)
    found = strictly_inside([rows[index] for index in cutting], dimension)
    if isinstance(found, tuple):
        answer = Interior(tuple([Fraction(entry, found[0]) for entry in found[1:]]))
        check_interior(rows, answer)
        return answer
    multipliers = {cutting[place]: factor for place, factor in found.items()}
    flat = not sum(factor * rows[index][0] for index, factor in multipliers.items())
    return _proof(rows, dimension, multipliers, flat)


def relative_interior_on(rows: Sequence[Row], dimension: int, index: int) -> OnFacet | Redundant | NoInterior:
    """Whether the row ``index`` is a facet of the polyhedron, with evidence for each of the three answers.

    * ``OnFacet``: the polyhedron has an interior, and the row's hyperplane carries a facet of it. Rows that are
      positively proportional to it are ignored, so that each copy of a repeated row gets this answer: it is for the
      caller to keep the first.
    * ``Redundant``: the row follows from rows that are not positively proportional to it.
    * ``NoInterior``: the polyhedron is flat or empty, and the question has no meaning. (Where it is so, the answer may
      also be ``Redundant``, which is true regardless; never ``OnFacet``.)

    One coordinate is eliminated with the row's equation, and the question becomes ``interior`` in one dimension less.
    With pivot p = a_k, the row i becomes |p| row_i - sign(p) a_ik row; from sum(lambda_i (...)) = S <= 0 follows
    sum(lambda_i |p| row_i) + mu row = S with mu = -sign(p) sum(lambda_i a_ik), a proof of redundancy if mu < 0 and of
    flatness or emptiness otherwise.
    """
    row = rows[index]
    if is_constant(row):
        return Redundant({}, 1, row[0]) if row[0] >= 0 else NoInterior({index: 1}, flat=False)
    pivot = next(column for column in range(1, dimension + 1) if row[column])
    size, sign = abs(row[pivot]), 1 if row[pivot] > 0 else -1
    restricted: list[Row] = []
    places: list[int] = []
    for place, other in enumerate(rows):
        shift = sign * other[pivot]
        reduced = tuple([size * x - shift * y for x, y in zip(other, row, strict=True)])
        if any(reduced):
            restricted.append(reduced[:pivot] + reduced[pivot + 1 :])
            places.append(place)
        elif shift < 0:
            # The row and its opposite: size * other + |shift| * row is identically zero.
            return _proof(rows, dimension, {place: size, index: -shift}, flat=True)
    found = interior(restricted, dimension - 1)
    if isinstance(found, Interior):
        before, after = found.point[: pivot - 1], found.point[pivot - 1 :]
        value = _value(row, (*before, Fraction(0), *after))
        facet = OnFacet((*before, -value / row[pivot], *after))
        check_on_facet(rows, index, facet)
        return facet
    multipliers = {places[place]: factor * size for place, factor in found.multipliers.items()}
    mu = -sign * sum(factor * rows[places[place]][pivot] for place, factor in found.multipliers.items())
    if mu < 0:
        constant = -sum(factor * restricted[place][0] for place, factor in found.multipliers.items())
        divisor = gcd(mu, constant, *multipliers.values())
        redundant = Redundant(
            {place: factor // divisor for place, factor in multipliers.items()}, -mu // divisor, constant // divisor
        )
        check_redundant(rows, dimension, index, redundant)
        return redundant
    if mu:
        multipliers[index] = mu
    return _proof(rows, dimension, multipliers, found.flat)


def check_interior(rows: Sequence[Row], answer: Interior) -> None:
    """Raise ``Inconsistent`` unless the point is strictly inside every row that is not identically zero."""
    point = homogeneous(answer.point)
    for row in rows:
        if dot(row, point) <= 0 and any(row):
            raise Inconsistent(f"the point {answer.point} is not strictly inside the row {row}")


def check_no_interior(rows: Sequence[Row], dimension: int, answer: NoInterior) -> None:
    """Raise ``Inconsistent`` unless the multipliers prove that no point is strictly inside all rows."""
    total = _combination(rows, dimension, answer.multipliers)
    negative = total[0] < 0 and not answer.flat
    zero = total[0] == 0 and answer.flat and any(not is_constant(rows[index]) for index in answer.multipliers)
    if any(total[1:]) or not (negative or zero) or min(answer.multipliers.values(), default=0) <= 0:
        raise Inconsistent(f"{answer} is no proof of emptiness or flatness for the rows {list(rows)}")


def check_on_facet(rows: Sequence[Row], index: int, answer: OnFacet) -> None:
    """Raise ``Inconsistent`` unless the point is in the relative interior of the facet of the row ``index``."""
    point, row = homogeneous(answer.point), rows[index]
    if is_constant(row) or dot(row, point):
        raise Inconsistent(f"the point {answer.point} is not on a hyperplane of the row {row}")
    for other in rows:
        if dot(other, point) <= 0 and any(other) and not _same_halfspace(other, row):
            raise Inconsistent(f"the point {answer.point} on the row {row} is not strictly inside the row {other}")


def check_redundant(rows: Sequence[Row], dimension: int, index: int, answer: Redundant) -> None:
    """Raise ``Inconsistent`` unless the multipliers prove the row ``index`` from other rows."""
    total = _combination(rows, dimension, answer.multipliers)
    expected = [answer.factor * entry for entry in rows[index]]
    expected[0] -= answer.constant
    positive = min(answer.multipliers.values(), default=1) > 0 and answer.factor > 0 and answer.constant >= 0
    if total != expected or not positive or index in answer.multipliers:
        raise Inconsistent(f"{answer} is no proof of redundancy of the row {rows[index]} among {list(rows)}")


def _value(row: Row, point: Point) -> Fraction:
    """b + a.x."""
    return sum((a * x for a, x in zip(row[1:], point, strict=True)), Fraction(row[0]))


def _combination(rows: Sequence[Row], dimension: int, multipliers: dict[int, int]) -> list[int]:
    """sum(multipliers[i] * rows[i])."""
    total = [0] * (dimension + 1)
    for index, factor in multipliers.items():
        for column, entry in enumerate(rows[index]):
            total[column] += factor * entry
    return total


def _same_halfspace(row: Row, other: Row) -> bool:
    """Whether two rows with a nonzero normal are positive multiples of one another."""
    pivot = next(column for column in range(1, len(other)) if other[column])
    left, right = row[pivot], other[pivot]
    return left * right > 0 and all(right * x == left * y for x, y in zip(row, other, strict=True))


def _proof(rows: Sequence[Row], dimension: int, multipliers: dict[int, int], flat: bool) -> NoInterior:
    """The checked proof with these multipliers, without their common factor and in the order of the rows."""
    divisor = gcd(*multipliers.values())
    proof = NoInterior({index: multipliers[index] // divisor for index in sorted(multipliers)}, flat)
    check_no_interior(rows, dimension, proof)
    return proof

"""The relative interior, the affine hull and the canonical form of a polyhedron that may be flat or empty.

Let P = {x in R^d : b_k + a_k.x >= 0} be not empty. The rows that vanish on all of P, its *implicit equations*, are
exactly those that some identity sum(lambda_k row_k) = 0 with lambda >= 0 cites with lambda_k > 0 (A. Schrijver,
*Theory of Linear and Integer Programming*, Section 8.2). The affine hull of P is where they vanish, and a point of P
that is strictly inside all other rows is in the relative interior. So one point and one identity, citing every row
that is zero at the point, prove what the affine hull is.

>>> diagonal = [(0, 1, -1), (0, -1, 1), (0, 1, 1), (1, -2, 0)]
>>> relative_interior(diagonal, 2)
RelativeInterior(point=(Fraction(1, 4), Fraction(1, 4)), multipliers={0: 1, 1: 1})
>>> canonical(diagonal, 2)
Canonical(dimension=2, equations=((0, 1, -1),), inequalities=((0, 0, 1), (1, 0, -2)))
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from exactgeo.errors import Inconsistent
from exactgeo.polyhedron.echelon import echelon, reduced
from exactgeo.polyhedron.facets import irredundant
from exactgeo.polyhedron.lp import NoInterior, interior
from exactgeo.rational.rows import Point, Row, dot, homogeneous, is_constant, negated, primitive

__all__ = ["Canonical", "RelativeInterior", "canonical", "check_relative_interior", "relative_interior"]


@dataclass(frozen=True, slots=True)
class RelativeInterior:
    """A point in the relative interior, and the proof of what the affine hull is.

    ``multipliers`` are positive integers without common factor with sum(multipliers[k] * rows[k]) = 0, so every cited
    row vanishes on the polyhedron; ``point`` is strictly inside every other row that is not identically zero. Hence
    the affine hull is where the cited rows are zero. No row is cited iff the polyhedron is full-dimensional.
    """

    point: Point
    multipliers: dict[int, int]


@dataclass(frozen=True, slots=True)
class Canonical:
    """A polyhedron's canonical form: two polyhedra are the same set iff their canonical forms are equal.

    ``equations`` (b + a.x = 0) are the basis of all equations of the affine hull in reduced echelon form, the constant
    counting as the last column. ``inequalities`` are the facets, each the one primitive row without the pivot
    coordinates, sorted. The empty set has the one inequality -1 >= 0.
    """

    dimension: int
    equations: tuple[Row, ...]
    inequalities: tuple[Row, ...]

    @property
    def empty(self) -> bool:
        return bool(self.inequalities) and is_constant(self.inequalities[0])

    @property
    def affine_dimension(self) -> int:
        """The dimension of the affine hull, -1 for the empty set."""
        return -1 if self.empty else self.dimension - len(self.equations)

    @property
    def rows(self) -> tuple[Row, ...]:
        """The same set by rows alone: each equation twice, with either sign, then the inequalities."""
        pairs = [row for equation in self.equations for row in (equation, negated(equation))]
        return (*pairs, *self.inequalities)


def relative_interior(rows: Sequence[Row], dimension: int) -> RelativeInterior | NoInterior:
    """A point in the relative interior with all implicit equations; or the proof, with flat = False, of emptiness.

    Implicit equations are found a few at a time, as the rows cited by a proof of flatness, and used to eliminate
    coordinates from all rows until these have an interior. Each row carries, behind its own entries, its coefficients
    in the rows given: a positive one at itself and any at equations found before. So what a proof among reduced rows
    says of the rows given is a sum of those tails, with the wrong sign at most on equations that are known already,
    and enough of the known identity added makes it positive.
    """
    count, width = len(rows), dimension + 1
    tagged: list[Row] = [(*row, *[int(k == index) for k in range(count)]) for index, row in enumerate(rows)]
    solved: list[tuple[Row, int]] = []  # equations and their pivots; no equation has another one's pivot coordinate
    identity: Row = (0,) * count
    found = interior(rows, dimension)
    while isinstance(found, NoInterior):
        if not found.flat:
            if solved:
                raise Inconsistent(f"the rows {list(rows)} are flat by {identity}, but then empty by {found}")
            return found
        cited = [tagged[index] for index in found.multipliers]
        factors = list(found.multipliers.values())
        identity = _united(
            identity, [dot(factors, column) for column in zip(*[row[width:] for row in cited], strict=True)]
        )
        for index in found.multipliers:
            equation = tagged[index]
            pivot = next((column for column in range(1, width) if equation[column]), None)
            if pivot is not None:
                equation = equation if equation[pivot] > 0 else negated(equation)
                tagged = [primitive(reduced(row, [equation], [pivot])) for row in tagged]
                solved = [(reduced(row, [equation[:width]], [pivot]), known) for row, known in solved]
                solved.append((equation[:width], pivot))
        for index, row in enumerate(tagged):
            # A combination of equations is one too, cited or not.
            if not any(row[:width]) and not identity[index] and any(rows[index]):
                identity = _united(identity, row[width:])
        found = interior([row[:width] for row in tagged], dimension)
    point = list(found.point)
    free = [column for column in range(1, width) if column not in {pivot for _, pivot in solved}]
    for row, pivot in solved:
        point[pivot - 1] = -(row[0] + sum((row[k] * found.point[k - 1] for k in free), Fraction(0))) / row[pivot]
    answer = RelativeInterior(tuple(point), {index: factor for index, factor in enumerate(identity) if factor})
    check_relative_interior(rows, dimension, answer)
    return answer


def _united(identity: Row, fresh: Sequence[int]) -> Row:
    """fresh + n * identity, primitive, with the least n >= 0 that makes it positive wherever ``identity`` is."""
    enough = max((-entry // known + 1 for entry, known in zip(fresh, identity, strict=True) if known), default=0)
    return primitive([x + max(enough, 0) * y for x, y in zip(fresh, identity, strict=True)])


def check_relative_interior(rows: Sequence[Row], dimension: int, answer: RelativeInterior) -> None:
    """Raise ``Inconsistent`` unless the point and the identity prove each other's claim."""
    point = homogeneous(answer.point)
    total = [0] * (dimension + 1)
    for index, row in enumerate(rows):
        factor = answer.multipliers.get(index, 0)
        total = [x + factor * y for x, y in zip(total, row, strict=True)]
        if factor < 0 or (dot(row, point) <= 0 and any(row) and not factor) or (factor and dot(row, point)):
            raise Inconsistent(f"{answer} is not a relative interior point: see row {index} of {list(rows)}")
    if any(total):
        raise Inconsistent(f"the multipliers of {answer} do not combine the rows {list(rows)} to zero")


def canonical(rows: Sequence[Row], dimension: int) -> Canonical:
    """The canonical form: the affine hull in echelon form, and the facets modulo it."""
    hull = relative_interior(rows, dimension)
    if isinstance(hull, NoInterior):
        return Canonical(dimension, (), ((-1,) + (0,) * dimension,))
    # The constant goes last: an equation of a set that is not empty has a nonzero normal, and that holds the pivot.
    equations, pivots = echelon([_turned(rows[index]) for index in hull.multipliers])
    rest = [_turned(row) for index, row in enumerate(rows) if index not in hull.multipliers]
    found = irredundant([_back(primitive(reduced(row, equations, pivots))) for row in rest], dimension)
    if isinstance(found, NoInterior):
        raise Inconsistent(f"{hull} is a relative interior point, but {found}, rows {list(rows)}")
    return Canonical(
        dimension, tuple([_back(row) for row in equations]), tuple(sorted(facet.row for facet in found.facets))
    )


def _turned(row: Row) -> Row:
    return (*row[1:], row[0])


def _back(row: Row) -> Row:
    return (row[-1], *row[:-1])

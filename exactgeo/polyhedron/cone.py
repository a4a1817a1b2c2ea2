"""Polyhedra kept by their generators, to be cut by one hyperplane after another.

A full-dimensional polyhedron P = {x : b_k + a_k.x >= 0} is kept as the cone over it,

    K = {(x_0, x) : x_0 >= 0, b_k x_0 + a_k.x >= 0},

by the extreme rays of its pointed part (integer vectors: vertices of P where x_0 > 0, directions of P where x_0 = 0)
and a basis of its lineality space. With each extreme ray goes ``tight``, the set of rows that vanish on it, as the bits
of an integer. Cutting by a row is one step of the double description method (Motzkin, Raiffa, Thompson and Thrall 1953;
Fukuda and Prodon 1996), kept for both sides at once:

- If some line l has row(l) != 0, the cut runs through all of K: l becomes a ray of one side and -l of the other, and
  every other generator is moved along l onto the hyperplane.
- Otherwise the rays on either side stay, and each *adjacent* pair across the hyperplane adds the ray where the face
  they span meets it. Two rays are adjacent iff no third ray is tight wherever both are; that is exact in every
  degenerate position, provided the rows contain every facet of K, which cutting maintains. Where one of the two is
  *simple*, tight on as few rows as an extreme ray can be, counting their common rows is enough.

A side has an interior iff some ray is strictly on it: K is full-dimensional, so K n {row >= 0} is full-dimensional iff
row > 0 somewhere on K. No LP is needed, and all arithmetic is on integers.

A cone may carry ``marks``, one integer for each ray, for a caller who wants to know something at each ray: a crossing
of rays i and j gets ``mark(ray, marks[i] & marks[j])``.

>>> square = Cone.of([(0, 1, 0), (1, -1, 0), (0, 0, 1), (1, 0, -1)], 2)
>>> sorted(square.rays)
[(1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1)]
>>> right, left = square.split((-1, 2, 0))
>>> point_of(right.interior()), point_of(left.interior()), square.split((1, 1, 0))[1]
((Fraction(2, 3), Fraction(1, 2)), (Fraction(1, 3), Fraction(1, 2)), None)
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from operator import mul

from exactgeo.rational.rows import Point, Row, dot, negated, primitive

__all__ = ["Cone", "Face", "Mark", "point_of"]

Mark = Callable[[Row, int], int]


def _unmarked(ray: Row, known: int) -> int:
    return 0


@dataclass(frozen=True, slots=True)
class Face:
    """A facet of a full-dimensional polyhedron: its row, primitive and nonnegative on the polyhedron, and generators.

    ``rays`` positively span the cone over the facet together with ``lines``; where generators are not known, ``rays``
    holds one homogeneous point in the relative interior, and ``complete`` is false.
    """

    row: Row
    rays: tuple[Row, ...]
    lines: tuple[Row, ...] = ()
    complete: bool = True

    def point(self) -> Row:
        """A homogeneous point in the relative interior: a positive combination of all rays."""
        return primitive([sum(column) for column in zip(*self.rays, strict=True)])


class Cone:
    """The cone over a full-dimensional polyhedron. Values: no method changes its cone.

    Invariants: rows[0] is (1, 0, ..., 0); every facet of the cone is among ``rows``; every row is nonnegative on all
    rays and zero on all lines; bit k of tight[i] is set iff rows[k] vanishes on rays[i]; rays and lines are primitive.
    """

    __slots__ = ("lines", "marks", "rays", "rows", "tight")

    def __init__(
        self, rows: tuple[Row, ...], rays: list[Row], tight: list[int], marks: list[int], lines: tuple[Row, ...]
    ) -> None:
        self.rows = rows
        self.rays = rays
        self.tight = tight
        self.marks = marks
        self.lines = lines

    def __repr__(self) -> str:
        numbers = f"rows={len(self.rows)}, rays={len(self.rays)}, lines={len(self.lines)}"
        return f"Cone(dimension={self.dimension}, {numbers})"

    @staticmethod
    def space(dimension: int) -> "Cone":
        """The cone over all of R^d."""
        unit = [tuple(int(i == j) for j in range(dimension + 1)) for i in range(dimension + 1)]
        return Cone((unit[0],), [unit[0]], [0], [0], tuple(unit[1:]))

    @staticmethod
    def of(rows: Iterable[Row], dimension: int, most: int | None = None) -> "Cone | None":
        """The cone over {x : row(x) >= 0 for all rows}; None if that has no interior.

        With ``most``, None too where a cone on the way has more than that many rays: then nothing is claimed.
        """
        cone = Cone.space(dimension)
        for row in rows:
            part = cone.keep(primitive(row)) if any(row) else cone
            if part is None or (most is not None and len(part.rays) > most):
                return None
            cone = part
        return cone

    @property
    def dimension(self) -> int:
        return len(self.rows[0]) - 1

    def split(self, row: Row, mark: Mark = _unmarked) -> "tuple[Cone | None, Cone | None]":
        """The parts where row >= 0 and where row <= 0, each None where it has no interior. ``row`` is primitive."""
        for line in self.lines:
            if dot(row, line):
                return self._across(row, line, mark)
        rays = self.rays
        values = [sum(map(mul, row, ray)) for ray in rays]
        if min(values) >= 0:
            return self, None
        if max(values) <= 0:
            return None, self
        bit = 1 << len(self.rows)
        tight, marks = self.tight, self.marks
        new_rays, new_tight, new_marks = self._crossings(values, bit, mark)
        halves = []
        for side, signed in ((1, row), (-1, negated(row))):
            kept_rays, kept_tight, kept_marks = list(new_rays), list(new_tight), list(new_marks)
            for i, value in enumerate(values):
                if value * side >= 0:
                    kept_rays.append(rays[i])
                    kept_tight.append(tight[i] if value else tight[i] | bit)
                    kept_marks.append(marks[i])
            halves.append(Cone((*self.rows, signed), kept_rays, kept_tight, kept_marks, self.lines))
        return halves[0], halves[1]

    def keep(self, row: Row, mark: Mark = _unmarked) -> "Cone | None":
        """The part where row >= 0, None where it has no interior. ``row`` is primitive and not zero."""
        for line in self.lines:
            if dot(row, line):
                return self._across(row, line, mark)[0]
        rays = self.rays
        values = [sum(map(mul, row, ray)) for ray in rays]
        if max(values) <= 0:
            return None
        if min(values) >= 0:
            return self
        bit = 1 << len(self.rows)
        tight, marks = self.tight, self.marks
        kept_rays, kept_tight, kept_marks = self._crossings(values, bit, mark)
        for i, value in enumerate(values):
            if value >= 0:
                kept_rays.append(rays[i])
                kept_tight.append(tight[i] if value else tight[i] | bit)
                kept_marks.append(marks[i])
        return Cone((*self.rows, row), kept_rays, kept_tight, kept_marks, self.lines)

    def _crossings(self, values: Sequence[int], bit: int, mark: Mark) -> tuple[list[Row], list[int], list[int]]:
        """The rays where edges of the cone cross the hyperplane that takes ``values`` on the rays."""
        rays, tight, marks = self.rays, self.tight, self.marks
        # An edge of the pointed part, of dimension D = d + 1 - lines, is tight on at least D - 2 rows.
        least = len(rays[0]) - len(self.lines) - 2
        positive = [i for i, value in enumerate(values) if value > 0]
        negative = [i for i, value in enumerate(values) if value < 0]
        new_rays: list[Row] = []
        new_tight: list[int] = []
        new_marks: list[int] = []
        sizes = [rows.bit_count() for rows in tight]
        for i in positive:
            tight_i, value_i, ray_i = tight[i], values[i], rays[i]
            simple = sizes[i] == least + 1
            for j in negative:
                common = tight_i & tight[j]
                if common.bit_count() < least:
                    continue
                # A ray with just D - 1 tight rows has them independent, and D - 2 of them define an edge.
                # Otherwise rays i and j must be the only two that are tight on all of ``common``.
                if not simple and sizes[j] != least + 1 and [rows & common for rows in tight].count(common) > 2:
                    continue
                value_j = -values[j]
                ray = [value_j * x + value_i * y for x, y in zip(ray_i, rays[j], strict=True)]
                divisor = gcd(*ray)
                crossing = tuple([x // divisor for x in ray]) if divisor > 1 else tuple(ray)
                new_rays.append(crossing)
                new_tight.append(common | bit)
                new_marks.append(mark(crossing, marks[i] & marks[j]))
        return new_rays, new_tight, new_marks

    def _across(self, row: Row, line: Row, mark: Mark) -> "tuple[Cone, Cone]":
        """Both parts where ``row`` is not zero on ``line``: every generator slides along the line to the hyperplane."""
        slope = dot(row, line)
        if slope < 0:
            slope, line = -slope, negated(line)
        bit = 1 << len(self.rows)

        def slide(vector: Row) -> Row:
            value = dot(row, vector)
            return primitive([slope * x - value * y for x, y in zip(vector, line, strict=True)])

        rays = [slide(ray) for ray in self.rays]
        tight = [rows | bit for rows in self.tight]
        marks = [mark(ray, 0) for ray in rays]
        lines = tuple(slide(other) for other in self.lines if other != line and other != negated(line))
        halves = [
            Cone((*self.rows, signed), [*rays, end], [*tight, bit - 1], [*marks, mark(end, 0)], lines)
            for signed, end in ((row, line), (negated(row), negated(line)))
        ]
        return halves[0], halves[1]

    def marked(self, mark: Mark) -> "Cone":
        """The same cone, each ray with what ``mark`` makes of it and its mark."""
        marks = [mark(ray, known) for ray, known in zip(self.rays, self.marks, strict=True)]
        return Cone(self.rows, self.rays, self.tight, marks, self.lines)

    def unmarked(self) -> "Cone":
        """The same cone with all marks zero."""
        return Cone(self.rows, self.rays, self.tight, [0] * len(self.rays), self.lines)

    def interior(self) -> Row:
        """A homogeneous point strictly inside every facet: a positive combination of all rays."""
        return primitive([sum(column) for column in zip(*self.rays, strict=True)])

    def facet_rows(self) -> list[tuple[int, int]]:
        """The facets of the polyhedron: index of the row, and the rays on it as a bit set.

        The rays on a valid row span a face; faces are ordered as their ray sets are, so a row is a facet of the cone
        iff its ray set is maximal among the proper ones. The face at infinity (row 0) counts in the comparison but is
        no facet of the polyhedron. Of rows on the same facet the first is named.
        """
        on = [0] * len(self.rows)
        for i, rows in enumerate(self.tight):
            bit = 1 << i
            while rows:
                low = rows & -rows
                on[low.bit_length() - 1] |= bit
                rows ^= low
        found: list[tuple[int, int]] = []
        seen: set[int] = set()
        for k, face in enumerate(on):
            if face in seen:
                continue
            seen.add(face)
            if k and not any(face & other == face for other in on if other != face):
                found.append((k, face))
        return found

    def faces(self) -> list[Face]:
        """The facets of the polyhedron, each with its generators."""
        rays, lines = self.rays, self.lines
        return [
            Face(self.rows[k], tuple([ray for i, ray in enumerate(rays) if face >> i & 1]), lines)
            for k, face in self.facet_rows()
        ]

    def trimmed(self) -> "Cone":
        """The same cone with the row at infinity and the facets as its only rows, and no marks."""
        kept = [0, *[k for k, _ in self.facet_rows()]]
        if len(kept) == len(self.rows):
            return self
        tight = [sum((rows >> k & 1) << position for position, k in enumerate(kept)) for rows in self.tight]
        return Cone(tuple(self.rows[k] for k in kept), self.rays, tight, [0] * len(self.rays), self.lines)


def point_of(vector: Sequence[int]) -> Point:
    """The point of a homogeneous vector with x_0 > 0."""
    return tuple(Fraction(x, vector[0]) for x in vector[1:])

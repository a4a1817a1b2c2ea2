"""Anchors of a template: a few points inside a polyhedron whose convex hull contains some given points of its interior.

Let K be the pointed cone over a polyhedron, with extreme rays g_i, and c a vector inside it. Choose a linear form e
that is positive on all rays: the constant 1 where the polyhedron is bounded, else the sum of all rows. For N > 0 the
map

    M x = N x + e(x) c

sends every ray to a vector inside K. These are the anchors, v_i = M g_i: vertices drawn a little towards c, and far
points in the directions of the other rays. The cone over their hull is M K, and since

    N (N + e(c)) M^-1 z = (N + e(c)) z - e(z) c,

it contains z iff every row of K is nonnegative at the right side, which is so as soon as N is large enough. Then the
right side is a nonnegative combination of the g_i, found by peeling off one after the other, and z is a positive
multiple of the same combination of the v_i. Where K contains lines it is first cut by a box that is large enough.

All points are homogeneous, and coordinates multiply the anchors as they are written.

>>> square = Cone.of([(0, 1, 0), (1, -1, 0), (0, 0, 1), (1, 0, -1)], 2)
>>> wanted = [(8, x, y) for x in (1, 4, 7) for y in (1, 4, 7)]
>>> anchors = Anchors.around(square, wanted)
>>> anchors.points
((8, 7, 7), (8, 1, 7), (8, 7, 1), (8, 1, 1))
>>> anchors.coordinates((8, 1, 4))
(0, 1, 0, 1)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd

from exactgeo.errors import Inconsistent
from exactgeo.polyhedron.cone import Cone
from exactgeo.polyhedron.echelon import echelon
from exactgeo.rational.rows import Row, dot, integer_row, primitive

__all__ = ["Anchors"]


@dataclass(frozen=True, slots=True)
class Anchors:
    """``points`` are the anchors; the other fields are what coordinates are computed from.

    points[i] * factors[i] = pull * rays[i] + form(rays[i]) * centre. Without a cone the anchors are the points wanted.
    """

    points: tuple[Row, ...]
    cone: Cone | None = None
    form: Row = ()
    centre: Row = ()
    pull: int = 0
    factors: tuple[int, ...] = ()

    @staticmethod
    def around(cone: Cone, wanted: Sequence[Row]) -> "Anchors":
        """Anchors of the polyhedron of a cone whose hull contains the points ``wanted``, all of its interior."""
        wanted = sorted(set(wanted))
        if len(wanted) <= len(cone.rays):
            return Anchors(tuple(wanted))
        pointed = _without_lines(cone, wanted)
        bounded = all(ray[0] for ray in pointed.rays)
        form = pointed.rows[0] if bounded else tuple(map(sum, zip(*pointed.rows, strict=True)))
        centre = pointed.interior()
        rows = [row for row in pointed.rows if any(dot(row, ray) for ray in pointed.rays)]
        pull = 1
        for point in wanted:
            for row in rows:
                # (pull + e(c)) row(z) >= e(z) row(c), rounded up
                need = -(-dot(form, point) * dot(row, centre) // dot(row, point)) - dot(form, centre)
                pull = max(pull, need)
        drawn = [
            tuple([pull * x + dot(form, ray) * y for x, y in zip(ray, centre, strict=True)]) for ray in pointed.rays
        ]
        factors = tuple([gcd(*point) for point in drawn])
        return Anchors(tuple([primitive(point) for point in drawn]), pointed, form, centre, pull, factors)

    def coordinates(self, point: Row) -> Row:
        """Nonnegative integers c with sum(c_i points[i]) a positive multiple of ``point``."""
        if self.cone is None:
            return tuple([int(anchor == point) for anchor in self.points])
        total, value = self.pull + dot(self.form, self.centre), dot(self.form, point)
        inner = [total * x - value * y for x, y in zip(point, self.centre, strict=True)]
        shares = _combination(self.cone, inner)
        return integer_row([share * factor for share, factor in zip(shares, self.factors, strict=True)])


def _without_lines(cone: Cone, wanted: Sequence[Row]) -> Cone:
    """The part of a polyhedron within a box along its lines, with the points ``wanted`` in its interior."""
    part: Cone | None = cone
    basis, pivots = echelon(cone.lines)  # each line is the only one that moves its pivot
    for line, place in zip(basis, pivots, strict=True):
        size = 1 + max(abs(point[place]) // point[0] + 1 for point in wanted)
        for sign in (1, -1):
            row = [0] * len(line)
            row[0], row[place] = size, sign
            part = part and part.keep(tuple(row))
    if part is None or part.lines:
        raise Inconsistent(f"a box of a polyhedron with the lines {cone.lines} is empty or has lines")
    return part


def _combination(cone: Cone, vector: Sequence[int]) -> list[Fraction]:
    """The vector of a pointed cone as a nonnegative combination of its rays, of no more than there are dimensions."""
    shares = [Fraction(0)] * len(cone.rays)
    rest = [Fraction(entry) for entry in vector]
    while any(rest):
        values = [sum([a * x for a, x in zip(row, rest, strict=True)], Fraction()) for row in cone.rows]
        if min(values) < 0:
            raise Inconsistent(f"the vector {list(vector)} is not in the cone of its anchors")
        zero = sum([1 << k for k, value in enumerate(values) if not value])
        place = next(i for i, tight in enumerate(cone.tight) if tight & zero == zero)
        ray = cone.rays[place]
        sizes = [dot(row, ray) for row in cone.rows]
        share = min(value / size for value, size in zip(values, sizes, strict=True) if size)
        shares[place] += share
        rest = [x - share * y for x, y in zip(rest, ray, strict=True)]
    return shares

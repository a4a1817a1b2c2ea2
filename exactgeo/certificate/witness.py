"""A point of a cell with small numbers, because every digit is written, stored and checked.

In a bounded cell, round the centre to multiples of 1/q, q = 1, 2, 4, ..., until the rounded point is strictly inside.
In an unbounded one the entries of its directions, not the denominators, are what is large: there the rays are scaled to
the same size and added up, and the sum is rounded as a homogeneous point, to 1, 2, 3, ... binary digits. Rounding only
proposes; if no proposal is inside, the answer is the sum of all rays, which always is.
"""

from collections.abc import Iterator, Sequence

from exactgeo.certificate.piece import Piece
from exactgeo.rational.rows import Row, dot, primitive

__all__ = ["simple_point"]

DIGITS = 64
"""Binary digits to which scaled rays are added up."""


def simple_point(piece: Piece) -> Row:
    """A homogeneous point strictly inside the polyhedron."""
    supporting = 1  # every facet is among the rows that vanish on some ray; row 0 keeps the point out of infinity
    for tight in piece.tight:
        supporting |= tight
    rows = [row for k, row in enumerate(piece.rows) if supporting >> k & 1]
    centre = primitive([sum(column) for column in zip(*piece.rays, strict=True)])
    bounded = all(ray[0] for ray in piece.rays)
    for point in _multiples(centre) if bounded else _directions(piece.rays):
        if all(dot(row, point) > 0 for row in rows):
            return primitive(point)
    return centre


def _multiples(centre: Row) -> Iterator[Row]:
    """The centre rounded to multiples of 1, 1/2, 1/4, ..."""
    weight = centre[0]
    q = 1
    while q < weight:
        yield (q, *[(2 * q * x + weight) // (2 * weight) for x in centre[1:]])
        q *= 2


def _directions(rays: Sequence[Row]) -> Iterator[Row]:
    """The sum of all rays, each divided by its largest entry, with more and more digits."""
    one = 1 << DIGITS
    scaled = [[x * one // size for x in ray] for ray in rays for size in [max(map(abs, ray))]]
    total = [sum(column) for column in zip(*scaled, strict=True)]
    for cut in range(max(map(abs, total)).bit_length() - 1, 0, -1):
        yield tuple([(x + (1 << cut - 1)) >> cut for x in total])

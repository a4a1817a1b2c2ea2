"""A point of a cell with small numbers, because every digit is written, stored and checked.

In a bounded cell, round the mean of the vertices to multiples of 1/q for powers q of two, until the rounded point is
strictly inside. In an unbounded one the entries of its directions, not the denominators, are what is large: there the
rays are scaled to the same size and added up, and the sum is rounded as a homogeneous point, to 1, 2, 3, ... binary
digits. Rounding only proposes; if no proposal is inside, the answer is the sum of all rays, which always is.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from math import floor, frexp, ldexp
from operator import add, mul, sub, truediv

from exactgeo.certificate.piece import NodePiece
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.rows import Row, primitive

__all__ = ["simple_point"]

DIGITS = 64
"""Binary digits of the finest grid."""
FAR = 2.0**200
"""Vertices that are farther away are not rounded to a grid."""
LUCK = 1
"""The widest mesh that is tried, in binary digits: one step from the cell's width for each dimension but so many."""


def simple_point(piece: NodePiece | Cone) -> Row:
    """A homogeneous point strictly inside the polyhedron of a piece without columns."""
    rays = piece.rays
    supporting = 1  # every facet is among the rows that vanish on some ray; row 0 keeps the point out of infinity
    for tight in piece.tight:
        supporting |= tight
    rows = [row for k, row in enumerate(piece.rows) if supporting >> k & 1]
    for point in _multiples(rays) if all(ray[0] for ray in rays) else _directions(rays):
        for k, row in enumerate(rows):
            if sum(map(mul, row, point)) <= 0:
                # A row that is missed once is often missed again, so it comes first.
                rows[0], rows[k] = row, rows[0]
                break
        else:
            return primitive(point)
    return primitive([sum(column) for column in zip(*rays, strict=True)])


def _multiples(rays: Sequence[Row]) -> Iterator[Row]:
    """The mean of the vertices rounded to multiples of 1/q, q a power of two."""
    weights, *coordinates = zip(*rays, strict=True)
    try:
        columns = [_quotients(column, weights) for column in coordinates]
    except OverflowError:  # a vertex too far away for floats
        return
    lowest, highest = list(map(min, columns)), list(map(max, columns))
    if max(highest) > FAR or min(lowest) < -FAR:
        return
    extent = max(map(sub, highest, lowest))
    # 2^-power is the mesh of the grid. A cell is the thinner the more dimensions it has.
    first = max(len(columns) - LUCK - frexp(extent)[1], 0) if extent else DIGITS
    means = [reduce(add, column) / len(rays) for column in columns]  # ``sum`` is rounded as Python's version has it
    for power in range(first, DIGITS):
        q = 1 << power
        yield (q, *[floor(mean * q + 0.5) for mean in means])


def _directions(rays: Sequence[Row]) -> Iterator[Row]:
    """The sum of all rays, each divided by its largest entry, with more and more digits."""
    scaled = [_quotients(ray, [max(map(abs, ray))] * len(ray)) for ray in rays]
    total = [reduce(add, column) for column in zip(*scaled, strict=True)]
    exponent = frexp(max(map(abs, total)))[1]
    for digits in range(1, DIGITS):
        yield tuple([floor(ldexp(x, digits - exponent) + 0.5) for x in total])


def _quotients(tops: Sequence[int], bottoms: Sequence[int]) -> list[float]:
    """Quotients of floats, or of integers where there are no such floats."""
    try:
        return list(map(truediv, map(float, tops), map(float, bottoms)))
    except OverflowError:
        return list(map(truediv, tops, bottoms))

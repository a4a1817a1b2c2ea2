"""Bounds: simplices around a node, each of which shows that many classes are beaten (B records of FORMAT.md).

Let K be the cone over a node's polyhedron, pointed, with rows, extreme rays and their tight rows (``piece``). Row 0 is
the constant 1, so a ray may be a direction as well, and a tangent cone is a simplex with row 0 among its faces. Let v
be a *simple* ray, tight on just d rows, and u_i the ray at the other end of the edge that leaves the i-th of them. For
any row k with k(v) > 0 these d rows and k are a basis of the forms, and the cone where all of them are nonnegative,
which contains K, has the generators v and

    c_i = k(v) u_i - k(u_i) v:

on c_i all of these rows vanish but the i-th, which is positive, as it is on u_i. So a form f that is nonnegative on K
is a nonnegative combination of the d + 1 rows just if

    f(c_i) = k(v) f(u_i) - k(u_i) f(v) >= 0 for all i,

and everything is known from the values of f and k at the rays of K. With k = 0, the constant, that says that f is least
at v. All choices of v and k are tried at once, in floating point, to propose the simplex that covers most of the forms
not yet covered, and so on. (Only operations on single entries, which are rounded alike everywhere.) What a proposal
covers is decided by integers, at its corners v and c_i.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy

from exactgeo.certificate.piece import Piece
from exactgeo.certificate.tables import Table, exact, image, times
from exactgeo.rational.rows import Row, dot, primitive

__all__ = ["bounds", "common_vertex"]

MOST_TRIED = 1_000_000
"""Comparisons in one numpy operation."""

Owner = TypeVar("Owner")


def common_vertex(piece: Piece, forms: Sequence[Sequence[int]]) -> int | None:
    """A simple ray that is a vertex where all the forms, given by their values at the rays, are least."""
    rays, tight, size = piece.rays, piece.tight, piece.width - 1
    first = forms[0]
    best, top, bottom = -1, 0, 0
    for place, ray in enumerate(rays):
        weight = ray[0]
        if weight > 0 and tight[place].bit_count() == size and (best < 0 or first[place] * bottom < top * weight):
            best, top, bottom = place, first[place], weight
    if best < 0:
        return None
    for values in forms:
        top = values[best]
        for value, ray in zip(values, rays, strict=True):
            if value * bottom < top * ray[0]:
                return None
    return best


def bounds(
    piece: Piece, owners: Sequence[Owner], forms: Table, decide: Callable[[Table], set[Owner]]
) -> Iterator[tuple[list[int], set[Owner]]]:
    """Simplices around the piece, each with what it covers: the numbers of their rows, and owners of forms.

    ``forms`` is an image of the forms' values at the rays, a row for each owner; ``decide`` tells what is covered by a
    simplex with these corners, the columns of a table. An owner that no proposal covers is left.
    """
    edges = _edges(piece)
    if not edges:
        return
    width = piece.width
    rays = exact([ray[:width] for ray in piece.rays]).T
    heights = image(times(exact(piece.rows), rays))
    places, ends = numpy.array(list(edges)), numpy.array(list(edges.values()))
    # A tangent cone cites one row less, so it is taken where it covers as much.
    tangent = numpy.array([[not k or piece.tight[place] & 1 for place in edges] for k in range(len(heights))]).ravel()
    left = dict.fromkeys(owners)
    step = max(MOST_TRIED // (ends.size * len(heights)), 1)
    for start in range(0, len(owners), step):
        tried = owners[start : start + step]
        covers = _covers(forms[start : start + step], heights, places, ends)
        rest = numpy.array([owner in left for owner in tried])
        while rest.any():
            weights = 2 * covers[rest].sum(axis=0, dtype=numpy.int64)
            best = int((weights + (weights.astype(bool) & tangent)).argmax())
            if not weights[best]:
                break
            covers[:, best] = False
            k, position = divmod(best, len(places))
            place = int(places[position])
            covered = decide(exact(_corners(piece, place, edges[place], k)).T)
            if not covered.isdisjoint(left):
                tight = piece.tight[place] | 1 << k
                yield sorted([piece.numbers[i] for i in range(1, len(piece.rows)) if tight >> i & 1]), covered
                for owner in covered:
                    left.pop(owner, None)
                rest = numpy.array([owner in left for owner in tried])


def _edges(piece: Piece) -> dict[int, list[int]]:
    """The simple rays, each with the other ends of its edges."""
    tight, size = piece.tight, piece.width - 1
    simple: dict[int, list[int]] = {}
    ends: dict[int, list[int]] = {}
    for place, rows in enumerate(tight):
        if rows.bit_count() == size:
            simple[place] = edges = []
            rest = rows
            while rest:
                bit = rest & -rest
                rest ^= bit
                edges.append(rows ^ bit)
                ends.setdefault(rows ^ bit, []).append(place)
    for place, edges in simple.items():
        for i, edge in enumerate(edges):
            # The rays tight on an edge are its two ends; where the other is simple too, it is known already.
            both = ends[edge]
            if len(both) == 1:
                both.append(next(other for other, rows in enumerate(tight) if rows & edge == edge and other != place))
            edges[i] = both[0] if both[1] == place else both[1]
    return simple


def _covers(values: Table, heights: Table, places: Table, ends: Table) -> Table:
    """Which forms (rows) the simplex of row k and ray v seems to cover (columns, by k and v)."""
    at, there = heights[:, places], heights[:, ends]  # k(v), by k and v; k(u_i), by k, v and i
    good = values[:, None, ends] * at[:, :, None] >= there * values[:, None, places, None]
    covers = good.all(axis=3) & (at > 0)
    return covers.reshape(len(values), -1)


def _corners(piece: Piece, place: int, ends: Sequence[int], k: int) -> list[Row]:
    """v and c_i = k(v) u_i - k(u_i) v, for all i; primitive."""
    width = piece.width
    row, v = piece.rows[k], piece.rays[place][:width]
    height = dot(row, v)
    corners = [v]
    for end in ends:
        u = piece.rays[end][:width]
        other = dot(row, u)
        corners.append(primitive([height * x - other * y for x, y in zip(u, v, strict=True)]))
    return corners

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
at v. One simplex covers all of some forms if k(u_i) / k(v) is at most the least f(u_i) / f(v), for all i.

Where that fails, all choices of v and k are tried at once, in floating point, to propose the simplex that covers most
of the forms not yet covered, and so on. (Only operations on single entries, which are rounded alike everywhere.) What a
proposal covers is decided by integers, at its corners v and c_i.
"""

from collections.abc import Callable, Iterator, Sequence
from operator import mul

import numpy

from exactgeo.certificate.piece import Piece
from exactgeo.certificate.tables import Table, exact, image, size_of, times
from exactgeo.rational.rows import Row, primitive

__all__ = ["bounds", "enclosing", "tangents"]

MOST_TRIED = 1_000_000
"""Comparisons in one numpy operation."""
MOST_CORNERS = 6
"""Corners of simplices that are tried for few forms."""
FEW = 8
"""Forms that are all looked at one by one."""


class Simplex:
    """The cone of the rows tight at the ray v and of row k; ``ends`` are the other ends of the edges of v."""

    __slots__ = ("ends", "k", "piece", "v")

    def __init__(self, piece: Piece, v: int, ends: Sequence[int], k: int) -> None:
        self.piece = piece
        self.v = v
        self.ends = ends
        self.k = k

    def numbers(self) -> list[int]:
        """The numbers of its rows, the constant aside."""
        rows = self.piece.tight[self.v] | 1 << self.k
        return sorted([number for k, number in enumerate(self.piece.numbers) if rows >> k & 1 and k])

    def corners(self) -> list[Row]:
        """v and c_i = k(v) u_i - k(u_i) v, for all i; primitive."""
        width = self.piece.width
        row, v = self.piece.rows[self.k], self.piece.rays[self.v][:width]
        height = sum(map(mul, row, v))
        corners = [v]
        for end in self.ends:
            u = self.piece.rays[end][:width]
            other = sum(map(mul, row, u))
            corners.append(primitive([height * x - other * y for x, y in zip(u, v, strict=True)]) if other else u)
        return corners


def enclosing(piece: Piece, forms: Sequence[Sequence[int]]) -> Simplex | None:
    """One simplex that covers all the forms, given by their values at the rays, if that is found quickly."""
    rays, tight, width = piece.rays, piece.tight, piece.width
    # A corner where many forms are least is tried first.
    votes = [0] * len(rays)
    for values in forms:
        best, top, bottom = -1, 0, 0
        for place, ray in enumerate(rays):
            weight = ray[0]
            if weight and (best < 0 or values[place] * bottom < top * weight):
                best, top, bottom = place, values[place], weight
        votes[best] += 1
    simple = [place for place, own in enumerate(tight) if own.bit_count() == width - 1]
    simple.sort(key=votes.__getitem__, reverse=True)
    supporting = 1
    for own in tight:
        supporting |= own
    for v in simple[:MOST_CORNERS]:
        own = tight[v]
        # f(u_i) / f(v) is at least top / bottom, for all forms f; a form that is zero at v does not matter.
        least = []
        rest = own
        while rest:
            edge = own ^ (rest & -rest)
            rest &= rest - 1
            for u, other in enumerate(tight):
                if other & edge == edge and u != v:
                    break
            top, bottom = 1, 0
            for values in forms:
                here = values[v]
                if here and values[u] * bottom < top * here:
                    top, bottom = values[u], here
            least.append((u, top, bottom))
        corner = rays[v]
        rest = supporting & ~own
        while rest:
            k = (rest & -rest).bit_length() - 1
            rest &= rest - 1
            row = piece.rows[k]
            height = sum(map(mul, row, corner))
            for end, top, bottom in least:
                if sum(map(mul, row, rays[end])) * bottom > top * height:
                    break
            else:
                return Simplex(piece, v, [end for end, _, _ in least], k)
    return None


def tangents(piece: Piece, forms: Sequence[Sequence[int]]) -> Iterator[tuple[list[int], list[int]]]:
    """Tangent cones at simple vertices, each with the forms that are least there: numbers of rows, and positions.

    The forms are given by their values at the rays. A form that is least at no simple vertex is left, and so is one
    that is least where another was covered before.
    """
    rays, tight, size = piece.rays, piece.tight, piece.width - 1
    simple = [(place, ray[0]) for place, ray in enumerate(rays) if ray[0] and tight[place].bit_count() == size]
    left = list(range(len(forms)))
    while simple and left:
        values = forms[left[0]]
        best, top, bottom = -1, 0, 0
        for place, weight in simple:
            if best < 0 or values[place] * bottom < top * weight:
                best, top, bottom = place, values[place], weight
        covered = []
        for position in left:
            values = forms[position]
            top = values[best]
            for value, ray in zip(values, rays, strict=True):
                if value * bottom < top * ray[0]:
                    break
            else:
                covered.append(position)
        if covered:
            yield Simplex(piece, best, (), 0).numbers(), covered
        left = [position for position in left[1:] if position not in covered]


def bounds(piece: Piece, forms: Table, decide: Callable[[Sequence[Row]], Table]) -> Iterator[tuple[list[int], Table]]:
    """Simplices around the piece, by the numbers of their rows, each with the forms that are still left after it.

    ``forms`` are the forms' values at the rays, a row for each; ``decide`` tells which of them are covered by a simplex
    with these corners. A form that no proposal covers is left to the end.
    """
    left = numpy.ones(len(forms), dtype=bool)
    number = len(forms)
    while number:
        chosen = forms[left]
        if number > FEW:
            # A simplex that covers those forms which are least at some ray, compared with their size, covers most.
            rounded = image(chosen)
            least = (rounded / rounded.max(axis=1)[:, None]).argmin(axis=0)
            chosen = chosen[sorted(set(least.tolist()))]
        simplex = enclosing(piece, chosen.tolist())
        if simplex is None:
            break
        left = left & ~decide(simplex.corners())
        yield simplex.numbers(), left
        number = int(left.sum())
    if left.any():
        yield from _by_all_choices(piece, image(forms), left, decide)


def _by_all_choices(
    piece: Piece, forms: Table, left: Table, decide: Callable[[Sequence[Row]], Table]
) -> Iterator[tuple[list[int], Table]]:
    """The same from an image of the values, all v and k tried at once."""
    edges = _edges(piece)
    if not edges:
        return
    rows, rays, width = piece.rows, piece.rays, piece.width
    if len(rays[0]) > width:
        rays = [ray[:width] for ray in rays]
    sizes = size_of(rows), size_of(rays)
    heights = image(times(exact(rows, sizes[0]), exact(rays, sizes[1]).T, sizes[0] * sizes[1] * width))
    places, ends = numpy.array(list(edges)), numpy.array(list(edges.values()))
    step = max(MOST_TRIED // (ends.size * len(heights)), 1)
    for start in range(0, len(forms), step):
        tried = slice(start, start + step)
        covers = _covers(forms[tried], heights, places, ends)
        while left[tried].any():
            # Where two cover as much the first is taken: a tangent cone, k = 0, which cites one row less.
            best = int(covers[left[tried]].sum(axis=0).argmax())
            if not (covers[:, best] & left[tried]).any():
                break
            covers[:, best] = False
            k, position = divmod(best, len(places))
            simplex = Simplex(piece, int(places[position]), ends[position].tolist(), k)
            rest = left & ~decide(simplex.corners())
            if (rest != left).any():
                left = rest
                yield simplex.numbers(), left


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

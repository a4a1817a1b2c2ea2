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
from math import inf
from operator import mul, truediv

import numpy

from exactgeo.certificate.piece import NodePiece
from exactgeo.certificate.tables import LIMIT, Table, exact, image, size_of, times
from exactgeo.rational.rows import Row, primitive

__all__ = ["FEW_FORMS", "Simplex", "bounds", "enclosing", "tangents"]

MOST_TRIED = 1_000_000
"""Comparisons in one numpy operation."""
MOST_CORNERS = 6
"""Corners of simplices that are tried for few forms."""
CLOSE = 1 + 2.0**-49
"""Quotients that are so close may be equal."""
FEW_FORMS = 12
"""Forms for which one simplex is looked for in integers; for more, all simplices are tried at once."""


class Simplex:
    """The cone of the rows tight at the simple ray v and of row k."""

    __slots__ = ("k", "piece", "v")

    def __init__(self, piece: NodePiece, v: int, k: int) -> None:
        self.piece = piece
        self.v = v
        self.k = k

    def numbers(self) -> list[int]:
        """The numbers of its rows, the constant aside."""
        rest, numbers = self.piece.tight[self.v] | 1 << self.k, self.piece.numbers
        found = []
        while rest:
            found.append(numbers[(rest & -rest).bit_length() - 1])
            rest &= rest - 1
        found.sort()
        return found[1:] if found[0] < 0 else found

    def corners(self) -> list[Row]:
        """v and c_i = k(v) u_i - k(u_i) v, for all i; primitive."""
        width = self.piece.width
        row, v = self.piece.rows[self.k], self.piece.rays[self.v][:width]
        height = sum(map(mul, row, v))
        corners = [v]
        for end in _ends(self.piece.tight, self.v):
            u = self.piece.rays[end][:width]
            other = sum(map(mul, row, u))
            corners.append(primitive([height * x - other * y for x, y in zip(u, v, strict=True)]) if other else u)
        return corners

    def covers(self, forms: Table, largest: int) -> Table:
        """Which forms are nonnegative at all corners; they are given by their values at the rays, up to ``largest``."""
        rays, row = self.piece.rays, self.piece.rows[self.k]
        ends = _ends(self.piece.tight, self.v)
        height = sum(map(mul, row, rays[self.v]))
        others = [sum(map(mul, row, rays[end])) for end in ends]
        here, there = forms[:, self.v, None], forms[:, ends]
        if forms.dtype != object and largest * max(height, *others) >= LIMIT:
            here, there = here.astype(object), there.astype(object)
        return (there * height >= here * numpy.array(others, dtype=here.dtype)).all(axis=1)


def _ends(tight: Sequence[int], v: int) -> list[int]:
    """The other ends of the edges that leave the rows tight at a simple ray, one after the other."""
    own = rest = tight[v]
    ends = []
    while rest:
        edge = own ^ (rest & -rest)
        rest &= rest - 1
        for u, other in enumerate(tight):
            if other & edge == edge and u != v:
                ends.append(u)
                break
    return ends


def enclosing(piece: NodePiece, forms: Sequence[Sequence[int]]) -> Simplex | None:
    """One simplex that covers all the forms, given by their values at the rays, if that is found quickly.

    Quotients of floats propose a simplex; products of integers decide.
    """
    try:
        return _enclosing(piece, forms)
    except OverflowError:  # an integer that is too large for a float
        return None


def _enclosing(piece: NodePiece, forms: Sequence[Sequence[int]]) -> Simplex | None:
    rays, tight, size = piece.rays, piece.tight, piece.width - 1
    weights = [ray[0] for ray in rays]
    rounded, images = list(map(float, weights)), [list(map(float, values)) for values in forms]
    # A corner where many forms are least is tried first.
    votes = [0] * len(rays)
    if all(weights):
        for image_ in images:
            heights = list(map(truediv, image_, rounded))
            votes[heights.index(min(heights))] += 1
    else:
        for image_ in images:
            heights = [x / y if y else inf for x, y in zip(image_, rounded, strict=True)]
            votes[heights.index(min(heights))] += 1
    simple = [place for place, own in enumerate(tight) if own.bit_count() == size]
    simple.sort(key=votes.__getitem__, reverse=True)
    supporting = 1
    for own in tight:
        supporting |= own
    for v in simple[:MOST_CORNERS]:
        if votes[v] == len(forms):
            # All are least here, or almost so.
            weight = weights[v]
            for values in forms:
                least = values[v]
                if min([x * weight - least * y for x, y in zip(values, weights, strict=True)]) < 0:
                    break
            else:
                return Simplex(piece, v, 0)
        ends = _ends(tight, v)
        # f(u_i) / f(v) is at least top, for all forms f; a form that is zero at v does not matter.
        pairs = [(values, here) for values in forms if (here := values[v])]
        slopes = [(image_, about) for image_ in images if (about := image_[v])]
        edges = [(rays[u], min([image_[u] / about for image_, about in slopes], default=inf)) for u in ends]
        corner, rest = rays[v], supporting & ~tight[v]
        while rest:
            k = (rest & -rest).bit_length() - 1
            rest &= rest - 1
            row = piece.rows[k]
            height = sum(map(mul, row, corner))
            about = float(height)
            others = []
            for end, top in edges:
                other = sum(map(mul, row, end))
                if float(other) > top * about:
                    break
                others.append(other)
            else:
                places = list(zip(ends, others, strict=True))
                if all(values[u] * height >= other * here for values, here in pairs for u, other in places):
                    return Simplex(piece, v, k)
    return None


def tangents(piece: NodePiece, forms: Sequence[Sequence[int]]) -> Iterator[tuple[list[int], list[int]]]:
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
            yield Simplex(piece, best, 0).numbers(), covered
        left = [position for position in left[1:] if position not in covered]


Decide = Callable[[Simplex, Table], Table]
"""Which forms a simplex is good for, given which of them it covers."""


def bounds(piece: NodePiece, forms: Table, decide: Decide) -> Iterator[tuple[list[int], Table]]:
    """Simplices around the piece, by the numbers of their rows, each with the forms that are still left after it.

    ``forms`` are the forms' values at the rays, a row for each. A form that no proposal covers is left to the end. If
    there are few forms the caller has tried to find an ``enclosing`` simplex, and there is none.
    """
    values, largest = image(forms), int(forms.max())
    if len(forms) > FEW_FORMS:
        # A simplex that covers those forms which are least at some ray, compared with their size, covers most.
        least = (values / values.max(axis=1)[:, None]).argmin(axis=0)
        simplex = enclosing(piece, forms[sorted(set(least.tolist()))].tolist())
        if simplex is not None:
            found = decide(simplex, simplex.covers(forms, largest))
            if found.all():
                yield simplex.numbers(), ~found
                return
    yield from _by_all_choices(piece, forms, values, largest, decide)


def _by_all_choices(
    piece: NodePiece, forms: Table, values: Table, largest: int, decide: Decide
) -> Iterator[tuple[list[int], Table]]:
    """The same, all v and k tried at once; ``values`` are an image of the forms', which go up to ``largest``."""
    edges = _edges(piece)
    if not edges:
        return
    tight, rays, width = piece.tight, piece.rays, piece.width
    supporting = 1
    for own in tight:
        supporting |= own
    chosen = [k for k in range(len(piece.rows)) if supporting >> k & 1]
    rows = [piece.rows[k] for k in chosen]
    if len(rays[0]) > width:
        rays = [ray[:width] for ray in rays]
    sizes = size_of(rows), size_of(rays)
    heights = image(times(exact(rows, sizes[0]), exact(rays, sizes[1]).T, sizes[0] * sizes[1] * width))
    places, ends = list(edges), numpy.array(list(edges.values()))

    def judged(k: int, position: int) -> tuple[Simplex, Table]:
        simplex = Simplex(piece, places[position], chosen[k])
        return simplex, decide(simplex, simplex.covers(forms, largest))

    left = numpy.ones(len(forms), dtype=bool)
    whole = _around(values, heights, places, ends)
    if whole >= 0:
        simplex, found = judged(*divmod(whole, len(places)))
        if found.all():
            yield simplex.numbers(), ~found
            return
    step = max(MOST_TRIED // (ends.size * len(rows)), 1)
    for start in range(0, len(forms), step):
        tried = slice(start, start + step)
        covers = _covers(values[tried], heights, places, ends)
        while (open_ := left[tried]).any():
            # Where two cover as much the first is taken: a tangent cone, k = 0, which cites one row less.
            count = covers[open_].sum(axis=0)
            best = int(count.argmax())
            if not count[best]:
                break
            covers[:, best] = False
            simplex, found = judged(*divmod(best, len(places)))
            rest = left & ~found
            if (rest != left).any():
                left = rest
                yield simplex.numbers(), left


def _around(values: Table, heights: Table, places: Sequence[int], ends: Table) -> int:
    """The first simplex, by k and v, that seems to cover all forms; -1 if there is none."""
    with numpy.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # What is 0/0 does not matter.
        least = numpy.fmin.reduce(values[:, ends] / values[:, places, None], axis=0)
        covers = (heights[:, ends] / heights[:, places, None] <= least * CLOSE).all(axis=2)
        covers &= heights[:, places] > 0
    best = int(covers.argmax())
    return best if covers.flat[best] else -1


def _edges(piece: NodePiece) -> dict[int, list[int]]:
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


def _covers(values: Table, heights: Table, places: Sequence[int], ends: Table) -> Table:
    """Which forms (rows) the simplex of row k and ray v seems to cover (columns, by k and v)."""
    at = heights[:, places]  # k(v), by k and v
    covers = numpy.broadcast_to(at > 0, (len(values), *at.shape)).copy()
    here = values[:, None, places]
    for end in ends.T:  # u_i, by v
        covers &= values[:, None, end] * at >= heights[:, end] * here
    return covers.reshape(len(values), -1)

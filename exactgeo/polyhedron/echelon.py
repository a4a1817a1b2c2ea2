"""Reduced row echelon form in integers: the canonical basis of a rational linear space.

A basis is *in reduced echelon form* if each vector's first nonzero entry, its pivot, is positive, stands to the right
of the previous one's, and is the only nonzero entry of its column. Every linear space has exactly one such basis of
primitive integer vectors, so two spaces are equal iff their echelon bases are.

>>> echelon([(2, 4, 0), (1, 2, 1), (3, 6, 1)])
([(1, 2, 0), (0, 0, 1)], [0, 2])
>>> reduced((5, 1, 7), [(1, 2, 0), (0, 0, 1)], [0, 2])
(0, -9, 0)
"""

from collections.abc import Iterable, Sequence

from exactgeo.rational.rows import Row, negated, primitive

__all__ = ["echelon", "reduced"]


def echelon(vectors: Iterable[Sequence[int]]) -> tuple[list[Row], list[int]]:
    """The reduced echelon basis of the span, and its pivot columns."""
    basis: list[Row] = []
    pivots: list[int] = []
    for vector in vectors:
        rest = primitive(reduced(vector, basis, pivots))
        pivot = next((column for column, entry in enumerate(rest) if entry), None)
        if pivot is None:
            continue
        if rest[pivot] < 0:
            rest = negated(rest)
        basis = [primitive(reduced(other, [rest], [pivot])) for other in basis]
        place = sum(known < pivot for known in pivots)
        basis.insert(place, rest)
        pivots.insert(place, pivot)
    return basis, pivots


def reduced(vector: Sequence[int], basis: Sequence[Row], pivots: Sequence[int]) -> Row:
    """A positive multiple of ``vector`` plus a combination of the ``basis``, with zeros in all pivot columns."""
    rest = tuple(vector)
    for row, pivot in zip(basis, pivots, strict=True):
        entry = rest[pivot]
        if entry:
            size = row[pivot]
            rest = tuple([size * x - entry * y for x, y in zip(rest, row, strict=True)])
    return rest

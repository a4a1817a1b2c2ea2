"""Selectors on one convex parent: candidates grouped into classes.

On a parent cell the scores of a selector are affine forms of the input, given as integer rows with one common positive
factor. Candidates whose rows are equal there are *identical*: they form one class, which wins or loses as a whole. A
class is named by its lowest candidate. After grouping, two classes tie on a hyperplane (a wall) or nowhere.

>>> classes_of([(0, 1), (0, -1), (0, 1)])
Classes(members=((0, 2), (1,)), rows=((0, 1), (0, -1)))
"""

from collections.abc import Sequence
from dataclasses import dataclass

from exactgeo.rational.rows import Point, Row, homogeneous, primitive

__all__ = ["Classes", "Winners", "classes_of", "difference", "winners_near"]

Winners = tuple[int, ...]
"""For each selector the position of the winning class."""


@dataclass(frozen=True, slots=True)
class Classes:
    """A selector's classes on a parent: their members (ascending), and the score row of each."""

    members: tuple[tuple[int, ...], ...]
    rows: tuple[Row, ...]


def classes_of(scores: Sequence[Row]) -> Classes:
    """Group candidates with equal score rows, in the order of their lowest members."""
    groups: dict[Row, list[int]] = {}
    for index, row in enumerate(scores):
        groups.setdefault(row, []).append(index)
    return Classes(tuple(tuple(group) for group in groups.values()), tuple(groups))


def difference(first: Row, second: Row) -> Row:
    """The primitive row of first - second."""
    return primitive([x - y for x, y in zip(first, second, strict=True)])


def winners_near(point: Point, selectors: Sequence[Classes]) -> Winners:
    """The winners at point + (eps, eps^2, ..., eps^d) for all small eps > 0.

    Scores are compared by value at the point, then by slope along each axis in turn. Two classes cannot agree in all
    of these, so the winner is unique: the perturbed point lies in an open cell, wherever the point lies.
    """
    at = homogeneous(point)
    winners = []
    for classes in selectors:
        keys = [(sum(x * y for x, y in zip(row, at, strict=True)), *row[1:]) for row in classes.rows]
        winners.append(max(range(len(keys)), key=keys.__getitem__))
    return tuple(winners)

"""The cells of one stage inside a convex parent, by walking their adjacency graph on H-representations.

Inside one convex parent the cells of a stage form a face-to-face complex (each selector's cells are the linearity
domains of a maximum of affine forms, and the common refinement of such complexes is one), and its dual graph is
connected: a segment between generic points of two cells crosses only walls. So the search

    take a cell, find its facets exactly, step through each, look the neighbour up, until nothing is new

is complete. A facet on a row of the parent is not crossed.

Beyond a facet. Let p be in the relative interior of a facet with row r, r(p) = 0, and n = -a the direction that leaves
the cell. A selector whose rows are all positive at p keeps its winner w. In any other, the classes i with
score_w - score_i proportional to r tie with w at p; no further class does, since p is in the relative interior. The
winner at p + eps n, eps infinitesimal, is the steepest along n of those that tie. It is unique, because p + eps n is
inside an open cell. So coincident hyperplanes flip together, and selectors with many classes turn to the right one.

The first cell is the one at an interior point of the parent moved by (eps, eps^2, ..., eps^d).

>>> from exactgeo.partition.selectors import classes_of
>>> body = Facetted.of([], 1)
>>> relu = classes_of([(0, 0), (0, 1)])
>>> [(won, cell.interior()) for won, cell in search(body, (relu, relu))]
[((1, 1), (1, 1)), ((0, 0), (1, -1))]
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from exactgeo.errors import Inconsistent
from exactgeo.partition.selectors import Classes, Winners, difference, winners_near
from exactgeo.polyhedron.cone import Face, point_of
from exactgeo.polyhedron.facets import irredundant
from exactgeo.polyhedron.lp import NoInterior
from exactgeo.rational.rows import Row, dot, is_constant

__all__ = ["Facetted", "search"]


@dataclass(frozen=True, slots=True)
class Facetted:
    """A full-dimensional polyhedron by its facets, each with a point, and an interior point."""

    dimension: int
    inside: Row
    facets: tuple[Face, ...]

    def __repr__(self) -> str:
        return f"Facetted(dimension={self.dimension}, facets={len(self.facets)})"

    @staticmethod
    def of(rows: Sequence[Row], dimension: int) -> "Facetted":
        """The polyhedron of these rows, which must have an interior."""
        found = irredundant(rows, dimension)
        if isinstance(found, NoInterior):
            raise Inconsistent(f"a cell without interior was reached, {found}: {list(rows)}")
        faces = tuple(Face(facet.row, (facet.at,), complete=False) for facet in found.facets)
        return Facetted(dimension, found.at, faces)

    def interior(self) -> Row:
        return self.inside

    def faces(self) -> list[Face]:
        return list(self.facets)


def search(parent: Facetted, selectors: Sequence[Classes]) -> Iterator[tuple[Winners, Facetted]]:
    """Every cell of the selectors inside the parent: its winners and its shape, breadth first."""
    fixed = {face.row: None for face in parent.facets}  # a set in order
    first = winners_near(point_of(parent.inside), selectors)
    seen = {first}
    queue = deque([first])
    while queue:
        won = queue.popleft()
        ties = _rows(won, selectors)
        cell = Facetted.of(list(dict.fromkeys([*fixed, *ties])), parent.dimension)
        yield won, cell
        for face in cell.facets:
            if face.row in fixed:
                continue
            beyond = _beyond(won, face.row, ties[face.row], selectors)
            if beyond not in seen:
                seen.add(beyond)
                queue.append(beyond)


def _rows(won: Winners, selectors: Sequence[Classes]) -> dict[Row, list[tuple[int, int]]]:
    """The rows of a cell that are not constant, each with the (selector, losing class) pairs it comes from."""
    rows: dict[Row, list[tuple[int, int]]] = {}
    for g, (classes, w) in enumerate(zip(selectors, won, strict=True)):
        for i, score in enumerate(classes.rows):
            if i != w:
                row = difference(classes.rows[w], score)
                if not is_constant(row):
                    rows.setdefault(row, []).append((g, i))
    return rows


def _beyond(won: Winners, row: Row, tied: Sequence[tuple[int, int]], selectors: Sequence[Classes]) -> Winners:
    """The winners across the facet of ``row``: in each selector that ties there, the steepest class outwards."""
    outward = (0, *[-a for a in row[1:]])
    winners = list(won)
    steepest: dict[int, int] = {}
    for g, i in tied:
        slope = dot(selectors[g].rows[i], outward)
        if g not in steepest or slope > steepest[g]:
            steepest[g] = slope
            winners[g] = i
    return tuple(winners)

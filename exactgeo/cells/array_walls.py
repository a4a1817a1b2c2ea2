"""Walls between cells that come in arrays: what arrays can tell is found there, and the rest is settled in Python.

A compiled core compares the cells that were listed in arrays (``cells.listed``), as far as its integers reach, and
names what it leaves open. This completes its answer by the same comparison in integers of any length
(``cells.facing``), for that and for all pairs with a cell that is not in arrays. No wall is made before somebody asks
for it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np

from exactgeo.cells.cell import Cell
from exactgeo.cells.facing import Planes, Wall, add, between, on_planes, side_on
from exactgeo.cells.listed import Listed
from exactgeo.cells.python_walls import PythonWalls
from exactgeo.cells.walls import Walls
from exactgeo.rational.rows import hyperplane

__all__ = ["ArrayWalls", "Found"]


@dataclass(frozen=True, slots=True)
class Found:
    """Walls between listed cells, by their places in the list, and what is left to do.

    ``first, second`` are the cells of a wall, ``facet`` its number among the facets of the first one, or -1, and then
    ``plane`` is its hyperplane, a row of ``planes``. ``undecided`` are (cell, cell, plane) where a wall may be.

    ``unsettled`` are cells of which not all facets were looked at: for each the numbers of those facets and the planes
    on which its walls are known. ``loose`` are (cell, plane) where settled cells may have more walls, but with
    unsettled cells only.
    """

    first: Any
    second: Any
    facet: Any
    plane: Any
    planes: Any = ()
    undecided: list[tuple[int, int, int]] = field(default_factory=list)
    unsettled: dict[int, tuple[frozenset[int], frozenset[int]]] = field(default_factory=dict)
    loose: Any = ()


@dataclass(frozen=True, slots=True)
class ArrayWalls:
    """A core (``cells.wall_cores``) from what is compiled.

    ``find`` compares cells in arrays, ``by_sketch`` is the core's ``alike`` where some cells are in arrays, and
    ``load`` is its ``ready``.
    """

    find: Callable[[Sequence[Listed]], Found]
    by_sketch: Callable[[Sequence[Cell]], list[int]]
    load: Callable[[], None]

    def ready(self) -> None:
        self.load()

    def alike(self, cells: Sequence[Cell]) -> list[int]:
        some = any(isinstance(cell, Listed) for cell in cells)
        return self.by_sketch(cells) if some else PythonWalls().alike(cells)

    def walls(self, cells: Sequence[Cell]) -> Walls:
        listed = [k for k, cell in enumerate(cells) if isinstance(cell, Listed)]
        if not listed:
            return PythonWalls().walls(cells)
        found = self.find([cell for cell in cells if isinstance(cell, Listed)])
        at = np.array(listed)
        one, two = at[found.first], at[found.second]
        where = np.where(found.facet >= 0, found.facet, ~found.plane)
        planes = found.planes
        rest, in_python = _in_python(cells, listed, found)
        walls = list(rest)
        if walls:
            one = np.concatenate([one, [wall.first for wall in walls]])
            two = np.concatenate([two, [wall.second for wall in walls]])
            where = np.concatenate([where, [~(len(planes) + k) for k in range(len(walls))]])
            planes = [*planes, *[wall.row for wall in walls]]
        # The facet is numbered among those of the first cell.
        order = np.lexsort((two, one))
        return Walls(cells, one[order], two[order], where[order], planes, in_python)


def _in_python(cells: Sequence[Cell], listed: Sequence[int], found: Found) -> tuple[Iterator[Wall], int]:
    """What arrays could not tell: pairs that are undecided, and all pairs with a cell that was not looked at."""
    rows = {p: tuple(found.planes[p].tolist()) for p in {p for _, _, p in found.undecided}}
    meetings = (
        between(rows[p], *[side_on(rows[p], listed[c], cells[listed[c]]) for c in (a, b)])
        for a, b, p in found.undecided
    )
    planes: Planes = {}
    skipped = {listed[c]: known for c, known in found.unsettled.items()}
    for k, cell in enumerate(cells):
        if not isinstance(cell, Listed) or k in skipped:
            numbers, known = skipped.get(k, (frozenset(), frozenset()))
            matched = {tuple(found.planes[p].tolist()) for p in known}
            faces = cell.body.faces()
            some = [face for n, face in enumerate(faces) if n not in numbers and hyperplane(face.row)[0] not in matched]
            add(planes, k, cell, faces, some)
    if planes and len(found.loose):
        others = {p: tuple(found.planes[p].tolist()) for p in set(found.loose[:, 1].tolist())}
        for c, p in found.loose.tolist():
            if others[p] in planes and listed[c] not in skipped:
                side = side_on(others[p], listed[c], cells[listed[c]], compared=True)
                if side is not None:
                    planes[others[p]][hyperplane(side.face.row)[1] < 0].append(side)
    return chain(filter(None, meetings), on_planes(planes)), len(found.undecided) + len(skipped)

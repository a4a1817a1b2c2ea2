"""Walls, equal maps and regions of all cells that the native core has listed, found by it as well.

The core lists the same cells again, numbered as before, and tells walls and regions by these numbers (``native/src/
walls.hpp`` says why none is missed). That is for whole enumerations by split on generators. Anything else, some of the
cells, or in another order, or with cells from elsewhere among them, is for Python (``cells.python_walls``).
"""

from array import array
from collections.abc import Sequence
from typing import Any, overload

from exactgeo import native
from exactgeo.cells.cell import Cell
from exactgeo.cells.choice import native_way
from exactgeo.cells.listed import Listed
from exactgeo.cells.python_walls import PythonWalls
from exactgeo.cells.turns import turns
from exactgeo.cells.walls import Walls
from exactgeo.network import Staged
from exactgeo.network.lowering import lowered
from exactgeo.partition.selectors import difference
from exactgeo.rational.rows import Row, hyperplane

__all__ = ["ListedWalls"]


class ListedWalls:
    """A core (``cells.wall_cores``)."""

    def walls(self, cells: Sequence[Cell]) -> Walls:
        job = _job(cells, all_walls=True)
        if job is None:
            return PythonWalls().walls(cells)
        ends = memoryview(job.walls).cast("i")
        first, second = array("i", ends[0::6]), array("i", ends[1::6])
        recipes = array("i", [x for k in range(2, 6) for x in ends[k::6]])
        return Walls(cells, first, second, range(-1, -len(first) - 1, -1), _Planes(cells, first, recipes))

    def alike(self, cells: Sequence[Cell]) -> list[int]:
        found = self.regions(cells)
        if found is None:
            return PythonWalls().alike(cells)
        maps = found[0]
        often = bytearray(len(maps))
        for number in maps:
            often[number] = min(2, often[number] + 1)
        return [position for position, number in enumerate(maps) if often[number] > 1]

    def regions(self, cells: Sequence[Cell]) -> tuple[Sequence[int], Sequence[int]] | None:
        """Of each cell the number of its map and of its region; None where that is not for this core."""
        job = _job(cells, all_walls=False)
        return None if job is None else (memoryview(job.map_of).cast("I"), memoryview(job.region_of).cast("I"))


def _job(cells: Sequence[Cell], all_walls: bool) -> Any:
    """The core's work on these cells, done; None where they are not all cells of an enumeration, in its order."""
    network = _enumerated(cells)
    if network is None or native_way(network, "split", counting=False) != "split":
        return None
    job = native.core.WallsJob(lowered(network, mapped=not all_walls), all_walls, limit=len(cells))
    try:
        for _ in turns(job):
            pass
    finally:
        job.stop()
    return job if job.complete and job.cells == len(cells) else None


def _enumerated(cells: Sequence[Cell]) -> Staged | None:
    """The network of which these are the first cells, as the native core has listed them by split."""
    blocks = list(dict.fromkeys([cell.block for cell in cells if isinstance(cell, Listed)]))
    if not blocks or sum(map(len, blocks)) != len(cells) or not blocks[0].split:
        return None
    number = 0
    for block in blocks:
        here = cells[number : number + len(block)]
        if block.source is not blocks[0].source or block.number != number:
            return None
        if [cell.place if isinstance(cell, Listed) and cell.block is block else -1 for cell in here] != list(
            range(len(block))
        ):
            return None
        number += len(block)
    return blocks[0].source.network


class _Planes(Sequence[Row]):
    """The hyperplanes of walls: where the scores of two candidates of a selector of the first cell are equal."""

    def __init__(self, cells: Sequence[Cell], first: Sequence[int], recipes: Sequence[int]) -> None:
        self.cells = cells
        self.first = first
        self.recipes = recipes

    def __len__(self) -> int:
        return len(self.first)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        level, selector, winner, loser = self.recipes[index :: len(self)]
        pulled = self.cells[self.first[index]].trail[level].pulled
        scores, positions = pulled.selectors[selector].rows, pulled.positions[selector]
        return hyperplane(difference(scores[positions[winner]], scores[positions[loser]]))[0]

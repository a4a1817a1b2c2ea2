"""Cores for walls: whoever finds the walls between listed cells, and which of these may have the same map.

``WALL_CORES`` are all there are; ``cells.choice`` says which one is used. Callers ask ``walls_between``, ``joined`` and
``alike``.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

from exactgeo.cells.cell import Cell
from exactgeo.cells.choice import Entry, entry, for_walls
from exactgeo.cells.listed import Listed
from exactgeo.cells.walls import Walls

__all__ = ["WALL_CORES", "WallCore", "alike", "joined", "regions_known", "wall_core", "walls_between"]


class WallCore(Protocol):
    """What compares cells of one network with one another, whoever has listed them."""

    def walls(self, cells: Sequence[Cell]) -> Walls:
        """Every wall between the cells, in the order of their ends."""
        ...

    def alike(self, cells: Sequence[Cell]) -> list[int]:
        """Positions, ascending, of some cells, all those among them whose map another cell has too.

        Cells are told apart by their sketches, so that nearly all others are left out.
        """
        ...

    def regions(self, cells: Sequence[Cell]) -> tuple[Sequence[int], Sequence[int]] | None:
        """Of each cell the number of its map and of its region, by first cells; None where it is to be found from maps
        and walls."""
        ...


def _native() -> WallCore:
    from exactgeo.cells.listed_walls import ListedWalls

    return ListedWalls()


def _python() -> WallCore:
    from exactgeo.cells.python_walls import PythonWalls

    return PythonWalls()


WALL_CORES: dict[str, Entry[WallCore]] = {
    "native": Entry("exactgeo.cells.listed_walls", _native),
    "python": Entry("exactgeo.cells.python_walls", _python),
}


def wall_core(cells: Sequence[Cell], name: str | None = None) -> WallCore:
    """The core of this name, or the one that is chosen for these cells."""
    if name is None:
        name = for_walls(sum([isinstance(cell, Listed) for cell in cells]), len(cells), WALL_CORES)
    return entry(WALL_CORES, name).load()


def walls_between(cells: Sequence[Cell], core: str | None = None) -> Walls:
    """Every wall between the cells."""
    return wall_core(cells, core).walls(cells)


def joined(cells: Sequence[tuple[int, Cell]], core: str | None = None) -> Iterator[tuple[int, int]]:
    """The ends of every wall between the given cells, each with its position."""
    for one, two in walls_between([cell for _, cell in cells], core).ends():
        yield cells[one][0], cells[two][0]


def alike(cells: Sequence[Cell], core: str | None = None) -> list[int]:
    """Positions, ascending, of some cells, all those among them whose map another cell has too."""
    return wall_core(cells, core).alike(cells)


def regions_known(cells: Sequence[Cell], core: str | None = None) -> tuple[Sequence[int], Sequence[int]] | None:
    """Of each cell the number of its map and of its region, where a core tells that at once."""
    return wall_core(cells, core).regions(cells)

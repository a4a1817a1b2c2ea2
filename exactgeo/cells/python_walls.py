"""Walls between cells in Python: facets compared hyperplane by hyperplane, in integers of any length."""

from collections import Counter
from collections.abc import Sequence

from exactgeo.cells.cell import Cell
from exactgeo.cells.facing import find_walls
from exactgeo.cells.walls import Walls

__all__ = ["PythonWalls"]


class PythonWalls:
    """A core (``cells.wall_cores``) for any cells."""

    def walls(self, cells: Sequence[Cell]) -> Walls:
        return Walls.of(cells, find_walls(list(enumerate(cells))))

    def alike(self, cells: Sequence[Cell]) -> list[int]:
        sketches = [cell.sketch() for cell in cells]
        counted = Counter(sketches)
        return [position for position, sketch in enumerate(sketches) if counted[sketch] > 1]

    def regions(self, cells: Sequence[Cell]) -> None:
        return None

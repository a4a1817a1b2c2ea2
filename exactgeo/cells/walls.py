"""The walls between some cells as a sequence: their ends are known, a wall is made when somebody asks for it.

Who finds them is the matter of ``cells.wall_cores``, and what they are that of ``cells.facing``.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, overload

from exactgeo.cells.cell import Cell
from exactgeo.cells.facing import Wall, between, side_on
from exactgeo.errors import Inconsistent
from exactgeo.polyhedron.cone import Face, point_of
from exactgeo.rational.rows import hyperplane

__all__ = ["Walls"]


class Walls(Sequence[Wall]):
    """All walls between some cells, ordered by their ends; each wall is made when somebody asks for it.

    ``first`` and ``second`` are the ends of all walls, as positions in ``cells``, in arrays where the cells were. The
    hyperplane of wall k is that of facet where[k] of its first cell, or else it is row ~where[k] of ``planes``.
    ``in_python`` is the number of pairs of facets for which 64 bits did not suffice.
    """

    def __init__(
        self, cells: Sequence[Cell], first: Any, second: Any, where: Any, planes: Sequence[Any], in_python: int = 0
    ) -> None:
        self.cells = cells
        self.first = first
        self.second = second
        self.in_python = in_python
        self._where = where
        self._planes = planes
        self._known: dict[int, Wall] = {}
        self._faces: dict[int, list[Face]] = {}

    @staticmethod
    def of(cells: Sequence[Cell], walls: Iterable[Wall]) -> "Walls":
        """The walls that are known already."""
        known = sorted(walls, key=_ends)
        made = Walls(cells, [wall.first for wall in known], [wall.second for wall in known], [], [])
        made._known = dict(enumerate(known))
        return made

    def __repr__(self) -> str:
        return f"Walls(walls={len(self)}, cells={len(self.cells)})"

    def __eq__(self, other: object) -> bool:
        """Two cells have at most one wall, so that walls are known by their ends."""
        if not isinstance(other, Walls):
            return NotImplemented
        return list(self.ends()) == list(other.ends()) and list(self.cells) == list(other.cells)

    def __hash__(self) -> int:
        return hash((len(self), len(self.cells)))

    def __getstate__(self) -> dict[str, object]:
        """Without what is made again on request."""
        known = self._known if not len(self._where) else {}
        return {**self.__dict__, "_known": known, "_faces": {}}

    def __len__(self) -> int:
        return len(self.first)

    @overload
    def __getitem__(self, index: int) -> Wall: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Wall, ...]: ...
    def __getitem__(self, index: int | slice) -> Wall | tuple[Wall, ...]:
        positions = range(len(self))
        if isinstance(index, slice):
            return tuple([self._wall(k) for k in positions[index]])
        return self._wall(positions[index])

    def ends(self) -> Iterator[tuple[int, int]]:
        """The two cells of each wall."""
        first, second = (list(map(int, part)) for part in (self.first, self.second))
        return zip(first, second, strict=True)

    def _wall(self, k: int) -> Wall:
        if k not in self._known:
            self._known[k] = self._made(int(self.first[k]), int(self.second[k]), int(self._where[k]))
        return self._known[k]

    def _made(self, first: int, second: int, where: int) -> Wall:
        if where >= 0:
            face = self._faces_of(first)[where]
            return Wall(first, second, hyperplane(face.row)[0], point_of(face.point()))
        plane = tuple([int(x) for x in self._planes[~where]])
        wall = between(plane, *[side_on(plane, k, self.cells[k], self._faces_of(k)) for k in (first, second)])
        if wall is None:
            raise Inconsistent(f"cells {first} and {second} have no wall on {plane}")
        return wall

    def _faces_of(self, position: int) -> list[Face]:
        if position not in self._faces:
            self._faces[position] = self.cells[position].body.faces()
        return self._faces[position]


def _ends(wall: Wall) -> tuple[int, int]:
    return wall.first, wall.second

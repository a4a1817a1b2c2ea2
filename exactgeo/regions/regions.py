"""Maximal linear regions (Definition III.1 of arXiv 2604.14727).

A region is a maximal connected union of cells, joined across walls, on which the network is one affine map. Cells that
touch in a vertex or an edge only are not joined: the interior of their union is not connected. So regions are the
components of the dual graph without the walls across which the map changes. Only cells with equal maps can merge: walls
are looked for inside each class of equal maps, and a map that occurs once is a region by itself.

    affine_maps <= regions <= cells, and all three can differ.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, overload

from exactgeo.cells.cell import Cell
from exactgeo.cells.graph import DualGraph
from exactgeo.cells.walls import Wall, find_walls
from exactgeo.rational.affine import AffineMap

__all__ = ["Forest", "Region", "Regions", "equal_maps", "linear_regions"]


@dataclass(frozen=True, slots=True)
class Region:
    """A maximal linear region: the cells it is made of; the network's map is the same on all of them."""

    cells: tuple[Cell, ...]

    @property
    def map(self) -> AffineMap:
        return self.cells[0].map


@dataclass(frozen=True, slots=True)
class Regions(Sequence[Region]):
    """All maximal linear regions, ordered by their first cells.

    ``cells`` are all cells of the network, ``members`` for each region the positions of its cells among them, and
    ``affine_maps`` the number of different maps.
    """

    cells: tuple[Cell, ...]
    affine_maps: int
    members: tuple[tuple[int, ...], ...]

    def __len__(self) -> int:
        return len(self.members)

    @overload
    def __getitem__(self, index: int) -> Region: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Region, ...]: ...
    def __getitem__(self, index: int | slice) -> Region | tuple[Region, ...]:
        if isinstance(index, slice):
            return tuple(self[k] for k in range(*index.indices(len(self))))
        return Region(tuple(self.cells[position] for position in self.members[index]))


def linear_regions(source: DualGraph | Iterable[Cell]) -> Regions:
    """The maximal linear regions of all cells of a network, from its dual graph or from the cells themselves.

    From cells, only the walls inside classes of equal maps are computed.
    """
    listed = list(source.cells if isinstance(source, DualGraph) else source)
    classes = equal_maps(listed)
    forest = Forest()
    if isinstance(source, DualGraph):
        walls: Iterable[Wall] = (wall for wall in source.walls if source.same_map(wall))
    else:
        shared = (members for members in classes if len(members) > 1)
        walls = (wall for members in shared for wall in find_walls([(k, listed[k]) for k in members]))
    for wall in walls:
        forest.join(wall.first, wall.second)
    regions: list[tuple[int, ...]] = []
    for members in classes:
        components: dict[int, list[int]] = {}
        for position in members:
            components.setdefault(forest.root(position), []).append(position)
        regions.extend(tuple(positions) for positions in components.values())
    return Regions(tuple(listed), len(classes), tuple(sorted(regions)))


class Mapped(Protocol):
    """Whatever has an affine map, and a sketch that is the same for equal maps."""

    @property
    def map(self) -> AffineMap: ...

    def sketch(self) -> tuple[int, ...]: ...


def equal_maps(cells: Sequence[Mapped]) -> list[list[int]]:
    """The positions of the cells, grouped by affine map: a cheap sketch first, the map itself where sketches agree."""
    sketches: dict[tuple[int, ...], list[int]] = {}
    for position, cell in enumerate(cells):
        sketches.setdefault(cell.sketch(), []).append(position)
    groups: list[list[int]] = []
    for members in sketches.values():
        if len(members) == 1:
            groups.append(members)
            continue
        maps: dict[AffineMap, list[int]] = {}
        for position in members:
            maps.setdefault(cells[position].map, []).append(position)
        groups.extend(maps.values())
    return groups


class Forest:
    """Components of positions 0, 1, ..., joined one pair at a time; the root of a component is its lowest position."""

    def __init__(self) -> None:
        self._parent: dict[int, int] = {}

    def root(self, position: int) -> int:
        parents = self._parent
        while (parent := parents.get(position, position)) != position:
            parents[position] = position = parents.get(parent, parent)
        return position

    def join(self, first: int, second: int) -> bool:
        """Join two components; false if they are one already."""
        one, two = self.root(first), self.root(second)
        self._parent[max(one, two)] = min(one, two)
        return one != two

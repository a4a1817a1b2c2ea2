"""Maximal linear regions (Definition III.1 of arXiv 2604.14727).

A region is a maximal connected union of cells, joined across walls, on which the network is one affine map. Cells that
touch in a vertex or an edge only are not joined: the interior of their union is not connected. So regions are the
components of the dual graph without the walls across which the map changes. Only cells with equal maps can merge: walls
are looked for inside each class of equal maps, and a map that occurs once is a region by itself.

    affine_maps <= regions <= cells, and all three can differ.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, overload

from exactgeo.cells.cell import Cell
from exactgeo.cells.forest import Forest
from exactgeo.cells.graph import DualGraph
from exactgeo.cells.together import check_together
from exactgeo.cells.wall_cores import alike, joined, regions_known
from exactgeo.rational.affine import AffineMap

__all__ = ["Region", "Regions", "equal_maps", "linear_regions", "shared_maps"]


@dataclass(frozen=True, slots=True)
class Region:
    """A maximal linear region: the cells it is made of; the network's map is the same on all of them."""

    cells: tuple[Cell, ...]

    @property
    def map(self) -> AffineMap:
        return self.cells[0].map

    def __repr__(self) -> str:
        return f"Region(dimension={self.cells[0].dimension}, cells={len(self.cells)})"


@dataclass(frozen=True)
class Regions(Sequence[Region]):
    """All maximal linear regions, ordered by their first cells.

    ``cells`` are all cells of the network, ``joined`` the regions of more than one cell, each by the positions of its
    cells, ``affine_maps`` the number of different maps.
    """

    cells: tuple[Cell, ...]
    affine_maps: int
    joined: tuple[tuple[int, ...], ...]

    @cached_property
    def members(self) -> tuple[tuple[int, ...], ...]:
        """For each region the positions of its cells."""
        among = {position for positions in self.joined for position in positions}
        alone = [(position,) for position in range(len(self.cells)) if position not in among]
        return tuple(sorted([*alone, *self.joined]))

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """For each cell the number of its region."""
        numbers = [0] * len(self.cells)
        for number, positions in enumerate(self.members):
            for position in positions:
                numbers[position] = number
        return tuple(numbers)

    def __repr__(self) -> str:
        return f"Regions(regions={len(self)}, cells={len(self.cells)}, affine_maps={self.affine_maps})"

    def __len__(self) -> int:
        return len(self.cells) - sum(len(positions) - 1 for positions in self.joined)

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

    From cells, only the walls inside classes of equal maps are computed. ``BadInput`` where these are of two networks,
    or one is there twice.
    """
    if isinstance(source, DualGraph):
        cells = source.cells
    else:
        cells = tuple(source)
        check_together(cells)
    known = regions_known(cells)
    if known is not None:
        return _numbered(cells, *known)
    shared = shared_maps(cells)
    forest = Forest()
    if isinstance(source, DualGraph):
        number = {position: k for k, members in enumerate(shared) for position in members}
        ends: Iterable[tuple[int, int]] = (
            (one, two) for one, two in source.walls.ends() if one in number and number[one] == number.get(two)
        )
    else:
        ends = (pair for members in shared for pair in joined([(k, cells[k]) for k in members]))
    for one, two in ends:
        forest.join(one, two)
    regions: list[tuple[int, ...]] = []
    for members in shared:
        components: dict[int, list[int]] = {}
        for position in members:
            components.setdefault(forest.root(position), []).append(position)
        regions.extend(tuple(positions) for positions in components.values() if len(positions) > 1)
    maps = len(cells) - sum(len(members) - 1 for members in shared)
    return Regions(cells, maps, tuple(sorted(regions)))


def _numbered(cells: tuple[Cell, ...], maps: Sequence[int], regions: Sequence[int]) -> Regions:
    """The regions of cells of which the numbers are known."""
    members: dict[int, list[int]] = {}
    for position, region in enumerate(regions):
        members.setdefault(region, []).append(position)
    joined = tuple(sorted([tuple(positions) for positions in members.values() if len(positions) > 1]))
    return Regions(cells, max(maps, default=-1) + 1, joined)


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
        groups.extend(_by_map(cells, members) if len(members) > 1 else [members])
    return groups


def shared_maps(cells: Sequence[Cell], core: str | None = None) -> list[list[int]]:
    """Of the groups of ``equal_maps`` those of more than one cell, without a look at most cells alone.

    ``core`` is the name of who compares them (``cells.wall_cores``), None is to choose.
    """
    positions = alike(cells, core)
    groups = equal_maps([cells[position] for position in positions])
    return [[positions[place] for place in members] for members in groups if len(members) > 1]


def _by_map(cells: Sequence[Mapped], members: Iterable[int]) -> Iterable[list[int]]:
    maps: dict[AffineMap, list[int]] = {}
    for position in members:
        maps.setdefault(cells[position].map, []).append(position)
    return maps.values()

"""Cells as the compiled kernel lists them: a pattern and a sketch each, everything else found on request.

The kernel writes down, block by block, for each cell the lowest members of its winning classes, the sketch of its map,
a name for its parent, where its rows come from, and its rays if they are short. Rows are named by their *origin*: a row
of the node's cone, or the difference of two scores of a stage. So a cell is exact whatever the kernel kept of it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby, pairwise
from operator import attrgetter
from typing import Any

from exactgeo.cells.cell import Body, Cell, Pattern, Settled
from exactgeo.cells.node import Node
from exactgeo.errors import Inconsistent
from exactgeo.network import Network
from exactgeo.network.stages import PulledStage
from exactgeo.partition.selectors import Winners, difference
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.rows import Row, negated, primitive

__all__ = ["Block", "Family", "Listed", "Parent", "cone_of", "places", "rows_of"]


class Parent:
    """A cell of the stages before the last, in a node, found from the pattern of one of its cells.

    ``first`` tells for each stage where its selectors begin in a pattern.
    """

    def __init__(self, network: Network, first: Sequence[int], node: Node, pattern: Sequence[int]) -> None:
        self.network = network
        self.first = first
        self.node = node
        self.pattern = pattern
        self._rows: dict[tuple[int, ...], Row] = {}

    def rows(self, origins: Sequence[Sequence[int]]) -> list[Row]:
        """The rows with these origins."""
        keys = [tuple(origin) for origin in origins]
        new = [key for key in keys if key not in self._rows]
        stages = [*[settled.pulled for settled in self.trail[len(self.node.cell.trail) :]], self.pulled]
        self._rows.update(zip(new, rows_of(new, self.node, stages), strict=True))
        return [self._rows[key] for key in keys]

    @cached_property
    def trail(self) -> tuple[Settled, ...]:
        """The stages before the last."""
        return self._path[0]

    @cached_property
    def pulled(self) -> PulledStage:
        """The last stage."""
        return self._path[1]

    @cached_property
    def _path(self) -> tuple[tuple[Settled, ...], PulledStage]:
        trail, pulled, first = self.node.cell.trail, self.node.pulled, self.first
        for level in range(len(trail), len(first)):
            if first[level + 1] >= len(self.pattern):
                break
            key = tuple(self.pattern[: first[level + 1]])
            known = self.node.below.get(key)
            if known is None:
                settled = Settled(pulled, _winners(pulled, key[first[level] :]))
                known = self.node.below[key] = settled, self.network.stages[level + 1].pull_back(settled.outer())
            trail, pulled = (*trail, known[0]), known[1]
        return trail, pulled


@dataclass(frozen=True, slots=True)
class Family:
    """The parents in a node, by their names: made where somebody asks, and once each.

    ``first`` as in ``Parent``; ``net`` are the network's arrays.
    """

    network: Network
    first: Sequence[int]
    net: Any
    node: Node
    known: dict[int, Parent] = field(default_factory=dict)

    def parent(self, name: int, pattern: Any) -> Parent:
        """The parent with this name, ``pattern`` being that of any of its cells."""
        if name not in self.known:
            self.known[name] = Parent(self.network, self.first, self.node, pattern.tolist())
        return self.known[name]


class Listed(Cell):
    """A cell as the kernel has listed it: its pattern and its sketch are there, the rest is found on request."""

    __slots__ = ("block", "place")

    def __init__(self, block: "Block", place: int) -> None:
        # Trail and body are not there yet: their slots stay empty until somebody asks.
        self.domain = block.family.node.cell.domain
        self._matrix = None
        self.block = block
        self.place = place

    @property
    def pattern(self) -> Pattern:
        names = self.block.pattern[self.place].tolist()
        first = self.block.family.first
        return tuple([tuple(names[a:b]) for a, b in pairwise(first) if b <= len(names)])

    def sketch(self) -> tuple[int, ...]:
        sketch = self.block.sketch[self.place].tolist()
        return tuple(sketch) if sketch[0] >= 0 else super().sketch()

    @property
    def parent(self) -> Parent:
        """The cell of the stages before the last: the same object for all its cells."""
        return self.block.family.parent(int(self.block.parent[self.place]), self.block.pattern[self.place])

    @property
    def trail(self) -> tuple[Settled, ...]:
        if not hasattr(self, "_trail"):
            self._trail = self._find_trail()
        return self._trail

    @property
    def body(self) -> Body:
        if not hasattr(self, "_body"):
            self._body = self._find_body()
        return self._body

    def _find_trail(self) -> tuple[Settled, ...]:
        parent = self.parent
        names = self.block.pattern[self.place, parent.first[len(parent.trail)] :].tolist()
        return (*parent.trail, Settled(parent.pulled, _winners(parent.pulled, names)))

    def _find_body(self) -> Cone:
        block, place, parent = self.block, self.place, self.parent
        rows = parent.rows(block.rows[block.first_row[place] : block.first_row[place + 1]].tolist())
        first, last = block.first_ray[place : place + 2].tolist()
        if first == last:
            return cone_of(rows)
        rays = [primitive(ray) for ray in block.rays[first:last].tolist()]
        tight = block.tight[first:last].tolist()
        infinity = (1,) + (0,) * parent.node.cone.dimension
        if infinity in rows:
            # It comes first in a cone.
            at = rows.index(infinity)
            rows = [infinity, *rows[:at], *rows[at + 1 :]]
            tight = [(t >> at & 1) | (t & (1 << at) - 1) << 1 | t >> at + 1 << at + 1 for t in tight]
        else:
            rows = [infinity, *rows]
            tight = [t << 1 for t in tight]
        return Cone(tuple(rows), rays, tight, [0] * len(rays), ())


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """What the kernel has listed at one time: arrays over cells, rows and rays; see ``kernel.Out``."""

    family: Family
    pattern: Any
    sketch: Any
    parent: Any
    first_row: Any
    rows: Any
    first_ray: Any
    rays: Any
    tight: Any


def places(cells: Sequence[Listed]) -> Iterator[tuple[Block, list[int]]]:
    """Where the cells are in the blocks: for each run of cells of one block their places, in the order of the cells."""
    for block, run in groupby(cells, attrgetter("block")):
        yield block, [cell.place for cell in run]


def _winners(pulled: PulledStage, names: Sequence[int]) -> Winners:
    """The classes with these lowest members."""
    return tuple([positions[name] for positions, name in zip(pulled.positions, names, strict=True)])


def rows_of(origins: Sequence[Sequence[int]], node: Node, stages: Sequence[PulledStage]) -> list[Row]:
    """The rows that the kernel names by where they come from: a node's cone, or two classes of a stage."""
    begun = len(node.cell.trail)
    rows: list[Row] = []
    for level, g, winner, loser, negative in origins:
        if level == -1:
            row = node.cone.rows[g]
        else:
            scores = stages[level - begun].selectors[g].rows
            row = difference(scores[winner], scores[loser])
        rows.append(negated(row) if negative else row)
    return rows


def cone_of(rows: Sequence[Row]) -> Cone:
    cone = Cone.of(rows, len(rows[0]) - 1)
    if cone is None:
        raise Inconsistent("the kernel has a node without interior")
    return cone

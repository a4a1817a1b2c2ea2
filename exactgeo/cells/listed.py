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
from exactgeo.network import Staged
from exactgeo.network.stages import PulledStage, Stage
from exactgeo.partition.selectors import Winners, difference
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.rows import Row, negated, primitive

__all__ = ["Block", "Family", "Listed", "Parent", "Run", "cone_of", "places", "rows_of", "runs"]


class Parent:
    """A cell of the stages before the last, in a node, found from the pattern of one of its cells.

    ``first`` tells for each stage where its selectors begin in a pattern.
    """

    def __init__(self, network: Staged, first: Sequence[int], node: Node, pattern: Sequence[int]) -> None:
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

    network: Staged
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

    block: "Block"

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

    @property
    def dimension(self) -> int:
        return self.block.family.node.cone.dimension

    @property
    def stages(self) -> tuple[Stage, ...]:
        return self.block.stages

    def __reduce__(self) -> tuple[object, ...]:
        """As a cell like any other: it does not take its block with it, and nothing is kept that was made for that."""
        trail = self._trail if hasattr(self, "_trail") else self._find_trail()
        body = self._body if hasattr(self, "_body") else self._find_body()
        return Cell(self.domain, trail, body).__reduce__()

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

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages that are settled on the cells."""
        width = self.pattern.shape[1]
        return self.family.network.stages[: sum([end <= width for end in self.family.first[1:]])]


@dataclass(frozen=True, slots=True)
class Run:
    """Some cells, one after the other, of one network: its domain and stages, and for each cell a name.

    Different cells of a network have different names, whether they come in blocks or not.
    """

    domain: tuple[Row, ...]
    stages: tuple[Stage, ...]
    names: list[object]


def runs(cells: Sequence[Cell]) -> Iterator[Run]:
    """The cells in runs, without a look at the trail of one that comes in a block."""
    for block, run in groupby(cells, attrgetter("block")):
        if block is None:
            yield from map(_alone, run)
            continue
        patterns = block.pattern[list(map(attrgetter("place"), run))]
        width = patterns.shape[1]
        names = patterns.view(f"V{width}")[:, 0].tolist() if width else [b""] * len(patterns)
        yield Run(block.family.node.cell.domain, block.stages, names)


def _alone(cell: Cell) -> Run:
    pattern = [name for names in cell.pattern for name in names]
    return Run(cell.domain, cell.stages, [bytes(pattern) if max(pattern, default=0) < 256 else tuple(pattern)])


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

"""Cells as the native core lists them: a pattern and rows by their origin, everything else found on request.

The core writes down, block by block, for each cell the lowest members of its winning classes, and where its rows come
from: a row of the domain, or the difference of two scores of a stage. That is enough: the stages on the cell follow
from the pattern, exactly, and the rows from the stages. What is found for the parents of cells, the stages pulled back
along the patterns, is kept by the ``Family`` and shared by all cells of one enumeration.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby, pairwise
from operator import attrgetter
from typing import Any

from exactgeo.cells.cell import Body, Cell, Pattern, Settled
from exactgeo.errors import Inconsistent
from exactgeo.network import Staged
from exactgeo.network.stages import PulledStage, Stage, homogeneous_matrix
from exactgeo.partition.search import Facetted
from exactgeo.partition.selectors import difference
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Row

__all__ = ["Block", "Family", "Listed", "Run", "cell_of", "runs"]

Trail = tuple[Settled, ...]


@dataclass(frozen=True)
class Family:
    """The cells of one enumeration: ``network`` has its stages and no more.

    ``generators``: whether a cell is small enough to be kept by its generators.
    """

    network: Staged
    generators: bool
    known: dict[bytes, tuple[Trail, PulledStage]] = field(default_factory=dict, repr=False)

    @cached_property
    def first(self) -> tuple[int, ...]:
        """Where the selectors of each stage begin in a pattern, and where the last ones end."""
        sizes = [len(stage.selectors) for stage in self.network.stages]
        return tuple([sum(sizes[:s]) for s in range(len(sizes) + 1)])

    def trail(self, names: Any) -> Trail:
        """The stages on the cell with this pattern, an array of the lowest members of the winning classes."""
        trail: Trail = ()
        stages, first = self.network.stages, self.first
        for level, stage in enumerate(stages):
            key = names[: first[level]].tobytes()
            known = self.known.get(key)
            if known is None:
                matrix = trail[-1].outer() if trail else homogeneous_matrix(AffineMap.identity(self.network.input_dim))
                known = self.known[key] = trail, stage.pull_back(matrix)
            before, pulled = known
            own = names[first[level] : first[level + 1]].tolist()
            winners = tuple([positions[name] for positions, name in zip(pulled.positions, own, strict=True)])
            trail = (*before, Settled(pulled, winners))
        return trail

    def __getstate__(self) -> dict[str, object]:
        """Without what is found again on request."""
        return {"network": self.network, "generators": self.generators, "known": {}}


def cell_of(family: Family, names: Any) -> Cell:
    """The cell with this pattern, its shape found from all its rows."""
    trail = family.trail(names)
    domain = family.network.domain_rows
    rows = list(dict.fromkeys([*domain, *[row for settled in trail for row in settled.rows()]]))
    return Cell(domain, trail, _body(rows, family))


class Listed(Cell):
    """A cell as the core has listed it: the pattern is there, the rest is found on request."""

    __slots__ = ("block", "place")

    block: "Block"

    def __init__(self, block: "Block", place: int) -> None:
        # Trail and body are not there yet: their slots stay empty until somebody asks.
        self.domain = block.family.network.domain_rows
        self._matrix = None
        self.block = block
        self.place = place

    @property
    def pattern(self) -> Pattern:
        names = self.block.pattern[self.place].tolist()
        return tuple([tuple(names[a:b]) for a, b in pairwise(self.block.family.first)])

    @property
    def dimension(self) -> int:
        return self.block.family.network.input_dim

    @property
    def stages(self) -> tuple[Stage, ...]:
        return self.block.family.network.stages

    def __reduce__(self) -> tuple[object, ...]:
        """As a cell like any other: it does not take its block with it, and nothing is kept that was made for that."""
        trail = self._trail if hasattr(self, "_trail") else self._find_trail()
        body = self._body if hasattr(self, "_body") else self._find_body(trail)
        return Cell(self.domain, trail, body).__reduce__()

    @property
    def trail(self) -> Trail:
        if not hasattr(self, "_trail"):
            self._trail = self._find_trail()
        return self._trail

    @property
    def body(self) -> Body:
        if not hasattr(self, "_body"):
            self._body = self._find_body(self.trail)
        return self._body

    def _find_trail(self) -> Trail:
        return self.block.family.trail(self.block.pattern[self.place])

    def _find_body(self, trail: Trail) -> Body:
        first, last = self.block.first_row[self.place : self.place + 2].tolist()
        rows: list[Row] = []
        for level, g, winner, loser in self.block.rows[first:last].tolist():
            if level < 0:
                rows.append(self.domain[g])
            else:
                scores = trail[level].selectors[g].rows
                rows.append(difference(scores[winner], scores[loser]))
        return _body(rows, self.block.family)


def _body(rows: Sequence[Row], family: Family) -> Body:
    """The shape of a cell, from rows among which are those of all its facets."""
    dimension = family.network.input_dim
    if not family.generators:
        return Facetted.of(rows, dimension)
    cone = Cone.of(rows, dimension)
    if cone is None:
        raise Inconsistent("a cell without interior was listed")
    return cone


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Some cells, one after the other: patterns, a row each; and origins of rows, from first_row[k] on those of cell k.

    An origin is a stage, a selector, and the classes that win and lose; or -1 and a row of the domain.
    """

    family: Family
    pattern: Any
    first_row: Any
    rows: Any

    def __len__(self) -> int:
        return len(self.pattern)

    def cells(self) -> Iterator[Listed]:
        for place in range(len(self)):
            yield Listed(self, place)


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
        names: list[object] = [block.pattern[cell.place].tobytes() for cell in run]
        yield Run(block.family.network.domain_rows, block.family.network.stages, names)


def _alone(cell: Cell) -> Run:
    from array import array

    pattern = array("H", [name for names in cell.pattern for name in names])
    return Run(cell.domain, cell.stages, [pattern.tobytes()])

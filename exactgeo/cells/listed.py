"""Cells as the native core lists them, in blocks of arrays: a pattern each, and where its rows come from.

All else is made on request (``cells.from_pattern``), by what is shared by the cells of one enumeration.
"""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from exactgeo.cells.cell import Cell
from exactgeo.cells.from_pattern import Patterned, Patterns
from exactgeo.network.stages import Stage
from exactgeo.rational.rows import Row

__all__ = ["Block", "Listed", "Run", "runs"]


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Some cells, one after the other, the first of them the cell of this ``number`` of an enumeration.

    ``pattern``: the patterns, one after the other; ``rows``: the origins of rows (``cells.from_pattern``), four numbers
    each, from number first_row[k] on those of cell k. ``split``: whether the enumeration is by split.
    """

    source: Patterns
    split: bool
    number: int
    pattern: "memoryview[int]"
    first_row: "memoryview[int]"
    rows: "memoryview[int]"

    @staticmethod
    def of(source: Patterns, split: bool, number: int, pattern: bytes, first_row: bytes, rows: bytes) -> "Block":
        """The block, as the core has written it: integers of 16, 64 and 32 bits."""
        views = (memoryview(pattern).cast("H"), memoryview(first_row).cast("q"), memoryview(rows).cast("i"))
        return Block(source, split, number, *views)

    def __reduce__(self) -> tuple[object, ...]:
        views = (self.pattern, self.first_row, self.rows)
        return Block.of, (self.source, self.split, self.number, *[view.tobytes() for view in views])

    def __len__(self) -> int:
        return len(self.first_row) - 1

    def names(self, place: int) -> "memoryview[int]":
        """The pattern of a cell."""
        width = self.source.first[-1]
        return self.pattern[place * width : (place + 1) * width]

    def cells(self) -> Iterator["Listed"]:
        for place in range(len(self)):
            yield Listed(self, place)


class Listed(Patterned):
    """A cell in a block."""

    __slots__ = ("block", "place")

    block: Block

    def __init__(self, block: Block, place: int) -> None:
        # What is in the block is read where somebody asks.
        self.domain = block.source.network.domain_rows
        self._matrix = None
        self._source = block.source
        self.block = block
        self.place = place

    @property
    def number(self) -> int:
        """Its place in the enumeration."""
        return self.block.number + self.place

    @property
    def names(self) -> tuple[int, ...]:
        return tuple(self.block.names(self.place))

    @property
    def origins(self) -> list[tuple[int, int, int, int]]:
        first, last = self.block.first_row[self.place : self.place + 2]
        entries = iter(self.block.rows[4 * first : 4 * last])
        return list(zip(entries, entries, entries, entries, strict=True))


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
        names: list[object] = [block.names(cell.place).tobytes() for cell in run if isinstance(cell, Listed)]
        network = block.source.network
        yield Run(network.domain_rows, network.stages, names)


def _alone(cell: Cell) -> Run:
    return Run(cell.domain, cell.stages, [array("H", [name for names in cell.pattern for name in names]).tobytes()])

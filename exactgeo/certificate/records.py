"""The records that both proof searches write, and the leaves that go with them."""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import overload

from exactgeo.cells.cell import Cell
from exactgeo.certificate.farkas import Evidence
from exactgeo.certificate.limits import MAX_DIGITS, MAX_RECORD
from exactgeo.errors import BadInput
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Row

__all__ = ["Leaf", "LeafBlock", "Leaves", "Record", "RecordBlock", "elimination", "too_long"]

Record = list[object]


class Leaf(ABC):
    """A leaf of the tree with its point. Its cell, with all that may be asked of it, is made on request."""

    def __init__(self, point: Row) -> None:
        self.point = point

    @cached_property
    def cell(self) -> Cell:
        return self._cell()

    @property
    def map(self) -> AffineMap:
        return self.cell.map

    @abstractmethod
    def _cell(self) -> Cell: ...

    @abstractmethod
    def sketch(self) -> tuple[int, ...]:
        """Equal for leaves of one tree with equal maps, and almost always different for different maps."""


class RecordBlock:
    """Many records at once: their lines, how many they are, and how many of them are leaves."""

    def __init__(self, lines: bytes, records: int, leaves: int) -> None:
        self.lines = lines
        self.records = records
        self.leaves = leaves


class LeafBlock(RecordBlock, ABC):
    """A block that keeps its leaves.

    ``sketched`` are pairs of doubles, for each leaf a number of its map and its error: numbers farther apart than their
    errors prove that maps differ.
    """

    sketched: bytes

    @abstractmethod
    def leaf(self, place: int) -> Leaf:
        """One of its leaves."""


class Leaves(Sequence[Leaf]):
    """The leaves of a tree, in their order. Those of blocks are made when they are asked for."""

    def __init__(self) -> None:
        self._parts: list[Leaf | LeafBlock] = []
        self._starts: list[int] = []
        self._length = 0
        self._made: dict[int, Leaf] = {}

    def add(self, part: Leaf | LeafBlock) -> None:
        self._parts.append(part)
        self._starts.append(self._length)
        self._length += part.leaves if isinstance(part, RecordBlock) else 1

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Leaf: ...
    @overload
    def __getitem__(self, index: slice) -> list[Leaf]: ...
    def __getitem__(self, index: int | slice) -> Leaf | list[Leaf]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        leaf = self._made.get(index)
        if leaf is None:
            if not 0 <= index < self._length:
                raise IndexError(index)
            at = bisect_right(self._starts, index) - 1
            part = self._parts[at]
            leaf = part.leaf(index - self._starts[at]) if isinstance(part, RecordBlock) else part
            self._made[index] = leaf
        return leaf

    def alike(self) -> list[int]:
        """The positions, ascending, of all leaves whose map may be that of another one."""
        blocks = [part for part in self._parts if isinstance(part, LeafBlock)]
        if len(blocks) == len(self._parts):
            return _close(b"".join([block.sketched for block in blocks]))
        sketches = [leaf.sketch() for leaf in self]
        counted = Counter(sketches)
        return [k for k, sketch in enumerate(sketches) if counted[sketch] > 1]


def _close(pairs: bytes) -> list[int]:
    """The positions of all numbers that are within their error and that of another number.

    Errors are at least 4 units in the last place of their numbers, so sums of both need no care.
    """
    import numpy

    values, errors = numpy.frombuffer(pairs).reshape(-1, 2).T
    order = numpy.argsort(values)
    # What is no number is close to everything.
    known = numpy.isfinite(values) & (errors < numpy.inf)
    low = numpy.where(known, values - errors, -numpy.inf)[order]
    high = numpy.where(known, values + errors, numpy.inf)[order]
    before, after = numpy.maximum.accumulate(high), numpy.minimum.accumulate(low[::-1])[::-1]
    close = numpy.zeros(len(values), dtype=bool)
    close[order[1:]] = low[1:] <= before[:-1]
    close[order[:-1]] |= high[:-1] >= after[1:]
    found: list[int] = numpy.flatnonzero(close).tolist()
    return found


def too_long() -> BadInput:
    """What is said where numbers are too long for any certificate."""
    return BadInput(
        f"a certificate of this network would need integers of more than {MAX_DIGITS} digits, "
        f"or records of more than {MAX_RECORD} bytes"
    )


def elimination(selector: int, name: int, evidence: Evidence, multipliers: bool) -> Record:
    """The record that the class of this name cannot win; the multipliers may be left to the checker."""
    return ["E", selector, name, list(evidence), *([list(evidence.values())] if multipliers else [])]

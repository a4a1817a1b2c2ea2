"""The records that both proof searches write, and the leaves that go with them."""

from abc import ABC, abstractmethod
from functools import cached_property

from exactgeo.cells.cell import Cell
from exactgeo.certificate.farkas import Evidence
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Row

__all__ = ["Leaf", "Record", "elimination"]

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


def elimination(selector: int, name: int, evidence: Evidence, multipliers: bool) -> Record:
    """The record that the class of this name cannot win; the multipliers may be left to the checker."""
    return ["E", selector, name, list(evidence), *([list(evidence.values())] if multipliers else [])]

"""The records that both proof searches write, and the leaves that go with them."""

from dataclasses import dataclass

from exactgeo.cells.cell import Cell
from exactgeo.certificate.farkas import Evidence
from exactgeo.rational.rows import Row

__all__ = ["Leaf", "Record", "elimination"]

Record = list[object]


@dataclass(frozen=True, slots=True)
class Leaf:
    """A cell and its point in the certificate."""

    cell: Cell
    point: Row


def elimination(selector: int, name: int, evidence: Evidence, multipliers: bool) -> Record:
    """The record that the class of this name cannot win; the multipliers may be left to the checker."""
    return ["E", selector, name, list(evidence), *([list(evidence.values())] if multipliers else [])]

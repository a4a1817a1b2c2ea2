"""How a certificate numbers rows (FORMAT.md, sections 3 and 4).

Rows of the domain come first, as the network file lists them: constant rows, which the engine drops, keep their
numbers. Then come the candidates of all stages, counted through; D + c names the row of score_w - score_c, w being the
winner of c's selector in the node at hand.
"""

from dataclasses import dataclass

from exactgeo.cells.cell import Cell
from exactgeo.network import Staged
from exactgeo.partition.selectors import difference
from exactgeo.rational.rows import Row

__all__ = ["Numbering"]


@dataclass(frozen=True)
class Numbering:
    """``domain``: each row of the domain and its first number; ``first[t][g]``: that of selector g's candidate 0."""

    domain: dict[Row, int]
    first: tuple[tuple[int, ...], ...]

    @staticmethod
    def of(network: Staged) -> "Numbering":
        listed = network.listed_rows
        domain: dict[Row, int] = {}
        for number, row in enumerate(listed):
            domain.setdefault(row, number)
        count = len(listed)
        first = []
        for stage in network.stages:
            starts = []
            for selector in stage.selectors:
                starts.append(count)
                count += len(selector.candidates)
            first.append(tuple(starts))
        return Numbering(domain, tuple(first))

    def loser(self, stage: int, selector: int, candidate: int) -> int:
        """The number of the row in which ``candidate`` loses its selector."""
        return self.first[stage][selector] + candidate

    def rows(self, cell: Cell, stages: int | None = None) -> dict[Row, int]:
        """Every citable row of a cell, or of its first stages, with its first number; zero and constant rows too."""
        rows = dict(self.domain)
        for t, settled in enumerate(cell.trail[:stages]):
            for g, (classes, w) in enumerate(zip(settled.selectors, settled.winners, strict=True)):
                for i, score in enumerate(classes.rows):
                    if i != w:
                        row = difference(classes.rows[w], score)
                        rows.setdefault(row, self.loser(t, g, classes.members[i][0]))
        return rows

"""The split tree where generators are too many: the same records, found by linear programs on rows.

A cube in dimension 20 has a million vertices, so nodes are kept by their citable rows. At each node every possible
class of every open selector is tried by one exact linear program: a point, or the evidence that it cannot win. That is
one program for each class and node, so this is for networks with few units in high dimension; ``tree`` is the one for
all others.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from exactgeo.cells.cell import Cell, Settled
from exactgeo.cells.node import pull_back, root
from exactgeo.certificate.farkas import evidence_or_point
from exactgeo.certificate.numbering import Numbering
from exactgeo.certificate.records import Leaf, Record, elimination
from exactgeo.network import Staged
from exactgeo.network.stages import PulledStage
from exactgeo.partition.search import Facetted
from exactgeo.partition.selectors import Classes, difference
from exactgeo.rational.rows import Row

__all__ = ["ProverByRows"]

Rows = tuple[tuple[Row, int], ...]


@dataclass(frozen=True, slots=True)
class _Node:
    """``rows`` are citable, with their numbers; ``winners`` holds the settled selectors, ``possible`` the others."""

    parent: Cell
    pulled: PulledStage
    rows: Rows
    winners: dict[int, int]
    possible: dict[int, tuple[int, ...]]

    @property
    def selectors(self) -> tuple[Classes, ...]:
        return self.pulled.selectors


class _ListedLeaf(Leaf):
    def __init__(self, point: Row, cell: Cell) -> None:
        super().__init__(point)
        self.listed = cell

    def _cell(self) -> Cell:
        return self.listed

    def sketch(self) -> tuple[int, ...]:
        return self.listed.sketch()


class ProverByRows:
    """The search, one node after the other."""

    def __init__(self, network: Staged, multipliers: bool) -> None:
        self.network = network
        self.multipliers = multipliers
        self.numbering = Numbering.of(network)

    def run(self) -> Iterator[Record | Leaf]:
        """The records of the whole tree."""
        return self.below(self.root())

    def root(self) -> _Node:
        """The domain, where the first stage begins."""
        rows = tuple((row, self.numbering.domain[row]) for row in self.network.domain_rows)
        return _begin(self.network, root(self.network, "search"), rows)

    def below(self, node: _Node) -> Iterator[Record | Leaf]:
        """The records of the tree below a node in their order; each L is followed by its leaf."""
        network, numbering, dimension = self.network, self.numbering, self.network.input_dim
        stack = [node]
        while stack:
            node = stack.pop()
            stage = len(node.parent.trail)

            def winning(g: int, j: int, node: _Node = node, stage: int = stage) -> Rows:
                classes = node.selectors[g]
                return tuple(
                    (difference(classes.rows[j], score), numbering.loser(stage, g, classes.members[i][0]))
                    for i, score in enumerate(classes.rows)
                    if i != j
                )

            rows = node.rows
            winners, possible = dict(node.winners), dict(node.possible)
            for g, classes in node.possible.items():
                left = []
                for j in classes:
                    answer = evidence_or_point([*rows, *winning(g, j)], dimension)
                    if isinstance(answer, dict):
                        yield elimination(g, node.selectors[g].members[j][0], answer, self.multipliers)
                    else:
                        left.append(j)
                if len(left) == 1:
                    winners[g] = left[0]
                    rows += winning(g, left[0])
                    del possible[g]
                else:
                    possible[g] = tuple(left)
            if possible:
                g = min(possible)
                yield ["M", g]
                rest = {k: classes for k, classes in possible.items() if k != g}
                for j in reversed(possible[g]):
                    child = _Node(node.parent, node.pulled, rows + winning(g, j), {**winners, g: j}, rest)
                    stack.append(child)
                continue
            won = tuple(winners[g] for g in range(len(node.selectors)))
            settled = Settled(node.pulled, won)
            trail = (*node.parent.trail, settled)
            body = Facetted.of([row for row, _ in rows], dimension)
            cell = Cell(node.parent.domain, trail, body)
            if len(trail) < len(network.stages):
                stack.append(_begin(network, cell, rows))
            else:
                yield ["L", *body.inside]
                yield _ListedLeaf(body.inside, cell)


def _begin(network: Staged, parent: Cell, rows: Rows) -> _Node:
    pulled = pull_back(network, parent)
    selectors = pulled.selectors
    winners = {g: 0 for g, classes in enumerate(selectors) if len(classes.rows) == 1}
    possible = {g: tuple(range(len(c.rows))) for g, c in enumerate(selectors) if len(c.rows) > 1}
    return _Node(parent, pulled, rows, winners, possible)

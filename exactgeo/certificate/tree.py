"""The split tree of a certificate: its records, and the cells at its leaves.

The tree is searched from the stages of the network and not from a list of cells, so that it can contradict such a
list, although it cuts cones in the same way as ``partition.split``; what it leaves behind is evidence that stands
alone. Nodes are kept by generators (``polyhedron.cone``) with marks (``partition.split``), stage after stage on one
stack. At each node

1. every class that has become impossible is eliminated with evidence, as high in the tree as it is noticed: the losers
   of a selector that is settled here, and in open selectors a class that some other class beats at every generator;
2. a node whose selectors are all settled begins the next stage, or is a leaf with a point;
3. any other node is branched on a selector that really cuts it; before that, its classes that cannot win are
   eliminated.

So every E is the first on its path, M has at least two nonempty children, and X never occurs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from exactgeo.cells.cell import Cell, Settled
from exactgeo.cells.enumerate import choose_method, pull_back, root
from exactgeo.certificate.farkas import beaten, shut_out
from exactgeo.certificate.numbering import Numbering
from exactgeo.certificate.records import Leaf, Record, elimination
from exactgeo.certificate.tree_by_rows import prove_by_rows
from exactgeo.certificate.witness import simple_point
from exactgeo.errors import Inconsistent
from exactgeo.network import Network
from exactgeo.network.stages import PulledStage
from exactgeo.partition.selectors import Classes, difference
from exactgeo.partition.split import Marks, step
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.rows import Row, dot

__all__ = ["prove"]


@dataclass(frozen=True, slots=True)
class _Stage:
    """One stage on one parent cell."""

    parent: Cell
    pulled: PulledStage
    marks: Marks

    @property
    def selectors(self) -> tuple[Classes, ...]:
        return self.pulled.selectors


@dataclass(frozen=True, slots=True)
class _Node:
    """``numbers`` are those of the cone's rows; ``possible`` maps each unsettled selector to its possible classes."""

    stage: _Stage
    cone: Cone
    numbers: tuple[int, ...]
    possible: dict[int, tuple[int, ...]]
    path: int


class _Prover:
    def __init__(self, network: Network, multipliers: bool) -> None:
        self.network = network
        self.numbering = Numbering.of(network)
        self.multipliers = multipliers

    def run(self) -> Iterator[Record | Leaf]:
        top = root(self.network, "split")
        if not isinstance(top.body, Cone):
            raise Inconsistent("the domain is not kept by its generators")
        numbers = (-1, *[self.numbering.domain[row] for row in top.body.rows[1:]])
        stack = [self._begin(top, top.body, numbers)]
        while stack:
            node = stack.pop()
            common, still = node.stage.marks.unsettled(node.cone, list(node.possible))
            yield from self._eliminate(node, common, still)
            if still:
                yield from self._branch(node, still, stack)
                continue
            stage = node.stage
            settled = Settled(stage.pulled, stage.marks.winners(common))
            cell = Cell(stage.parent.domain, (*stage.parent.trail, settled), node.cone)
            if len(cell.trail) < len(self.network.stages):
                kept = dict(zip(node.cone.rows, node.numbers, strict=True))
                cone = node.cone.trimmed()
                stack.append(self._begin(cell, cone, tuple(kept[row] for row in cone.rows)))
            else:
                point = simple_point(node.cone)
                yield ["L", *point]
                yield Leaf(cell, point)

    def _begin(self, parent: Cell, cone: Cone, numbers: tuple[int, ...]) -> _Node:
        pulled = pull_back(self.network, parent)
        marks = Marks(pulled.selectors)
        possible = {g: tuple(range(len(c.rows))) for g, c in enumerate(pulled.selectors) if len(c.rows) > 1}
        return _Node(_Stage(parent, pulled, marks), marks.mark(cone), numbers, possible, 1)

    def _eliminate(self, node: _Node, common: int, still: Sequence[int]) -> Iterator[Record]:
        """The classes that some other class beats at every generator. Shortens ``node.possible``."""
        marks, open_here = node.stage.marks, set(still)
        for g in list(node.possible):
            if g not in open_here:
                won = marks.winner(common, g)
                for j in node.possible.pop(g):
                    if j != won:
                        yield self._beaten(node, g, j, won)
            elif len(node.possible[g]) > 2:
                left = []
                for j in node.possible[g]:
                    rival = _beats_everywhere(node, g, j)
                    if rival is None:
                        left.append(j)
                    else:
                        yield self._beaten(node, g, j, rival)
                node.possible[g] = tuple(left)

    def _branch(self, node: _Node, still: Sequence[int], stack: list[_Node]) -> Iterator[Record]:
        g = still[node.path % len(still)]
        stage, cone = node.stage, node.cone
        parts = stage.marks.children(cone, g, still, node.possible[g])
        for j in node.possible[g]:
            if parts[j] is None:
                yield self._impossible(node, g, j)
        yield ["M", g]
        rest = {k: classes for k, classes in node.possible.items() if k != g}
        children = []
        for j, part in parts.items():
            if part is not None:
                numbers = (*node.numbers, *self._numbers(stage, g, j, part.rows[len(cone.rows) :]))
                children.append(_Node(stage, part, numbers, dict(rest), step(node.path, j + 1)))
        if len(children) < 2:
            raise Inconsistent(f"selector {g} is unsettled and has {len(children)} winners")
        stack.extend(reversed(children))

    def _numbers(self, stage: _Stage, g: int, j: int, rows: Sequence[Row]) -> list[int]:
        """The numbers of rows in which class j of selector g wins."""
        classes = stage.selectors[g]
        known = {difference(classes.rows[j], score): self._loser(stage, g, i) for i, score in enumerate(classes.rows)}
        return [known[row] for row in rows]

    def _loser(self, stage: _Stage, g: int, i: int) -> int:
        return self.numbering.loser(len(stage.parent.trail), g, stage.selectors[g].members[i][0])

    def _beaten(self, node: _Node, g: int, j: int, rival: int) -> Record:
        classes = node.stage.selectors[g]
        against = difference(classes.rows[j], classes.rows[rival])
        evidence = beaten(node.cone, node.numbers, against, self._loser(node.stage, g, rival))
        return elimination(g, classes.members[j][0], evidence, self.multipliers)

    def _impossible(self, node: _Node, g: int, j: int) -> Record:
        classes = node.stage.selectors[g]
        rivals = [
            (difference(classes.rows[j], score), self._loser(node.stage, g, i))
            for i, score in enumerate(classes.rows)
            if i != j
        ]
        return elimination(g, classes.members[j][0], shut_out(node.cone, node.numbers, rivals), self.multipliers)


def _beats_everywhere(node: _Node, g: int, j: int) -> int | None:
    """A class that attains the maximum somewhere and is at least as large as class j at every generator."""
    marks, cone = node.stage.marks, node.cone
    offset, field = marks.offsets[g], marks.fields[g]
    own = 1 << offset + j
    # Where j attains the maximum, so must the class that beats it.
    seen, able = 0, field & ~own
    for mark in cone.marks:
        seen |= mark
        if mark & own:
            able &= mark
            if not able:
                return None
    able = (able & seen) >> offset
    scores = node.stage.selectors[g].rows
    for i in node.possible[g]:
        if able >> i & 1:
            gap = difference(scores[i], scores[j])
            if all(dot(gap, ray) >= 0 for ray in cone.rays) and not any(dot(gap, line) for line in cone.lines):
                return i
    return None


def prove(network: Network, multipliers: bool = False) -> Iterator[Record | Leaf]:
    """The records of the tree in their order; each L is followed by its leaf."""
    if choose_method(network) == "search":
        return prove_by_rows(network, multipliers)
    return _Prover(network, multipliers).run()

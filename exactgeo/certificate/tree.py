"""The split tree of a certificate: its records, and the cells at its leaves.

The tree is searched from the stages of the network and not from a list of cells, so that it can contradict such a
list, and it shares neither polyhedra nor order with the engine; what it leaves behind is evidence that stands alone.
Nodes are kept by generators (``piece``), which carry the values of the scores that are not settled, stage after stage
on one stack. At each node

1. every class that some other class beats at every generator is eliminated, as high in the tree as it is noticed: many
   at once by bounds (``bounds``), the others one by one with Farkas evidence (``farkas``);
2. a node whose selectors are all settled begins the next stage, or is a leaf with a point;
3. any other node is branched on a selector that really cuts it; before that, its classes that cannot win, because
   several others together beat them, are eliminated.

So M has at least two nonempty children, and X never occurs. The selector to branch on is picked by a hash of the path
from the root: it needs no state, and keeps the tree balanced where a fixed order would not.

An unsettled selector with two possible classes a < b carries one form, score_b - score_a; one with more carries the
scores of all of them.

The native core has a search of its own (``native_prover``), on another tree and with other records. This one is the
readable reference, the independent judge in the tests, and what proves where the core was not built or does not reach.
"""

from collections.abc import Container, Generator, Iterator, Sequence
from operator import ge, sub

import numpy

from exactgeo.cells.cell import Cell, Settled
from exactgeo.cells.choice import few_generators
from exactgeo.cells.node import root
from exactgeo.certificate.bounds import FEW_FORMS, Simplex, bounds, enclosing, tangents
from exactgeo.certificate.farkas import Evidence, beaten
from exactgeo.certificate.frames import Frame, Layout
from exactgeo.certificate.limits import boundable
from exactgeo.certificate.numbering import Numbering
from exactgeo.certificate.piece import NodePiece
from exactgeo.certificate.records import Leaf, Record, elimination
from exactgeo.certificate.tables import Table, exact, size_of
from exactgeo.certificate.tree_by_rows import ProverByRows
from exactgeo.certificate.witness import simple_point
from exactgeo.errors import Inconsistent
from exactgeo.network import Staged
from exactgeo.network.stages import PulledStage, homogeneous_matrix
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Row, negated

__all__ = ["MOST_PAIRS", "Begun", "Node", "Prover", "PythonProvers", "prove"]

Choice = tuple[int, Sequence[int]]
"""A selector and its possible classes."""

Columns = list[Sequence[int]]
"""Values of one form after the other, at rays or at lines."""

NARROW = 24
"""Candidates of a stage that are looked at one by one; more are in tables."""
VERY_FEW = 4
"""Classes for which two tangent cones are looked for."""
PAIRS = 8
"""Selectors with two candidates that are looked at one by one; more are in tables."""
CORNERS = 12
"""Unsettled selectors of which one is chosen that cuts off a corner. More are cut in pieces of about the same size."""
MOST_PAIRS = 10**6
"""Pairs of a possible class and a class that a checker compares in a B record (FORMAT.md, section 9)."""


class Begun:
    """A stage begun on a parent: ``settled`` holds the winners so far."""

    __slots__ = ("_pulled", "before", "frame", "number", "settled", "winners")

    def __init__(self, frame: Frame, before: "Begun | None", winners: Sequence[int]) -> None:
        self.frame = frame
        self.before = before
        self.winners = winners  # of the stage before
        self.number: int = before.number + 1 if before else 0
        self.settled: list[int] = frame.layout.first.copy()
        self._pulled: PulledStage | None = None

    def trail(self, network: Staged, winners: Sequence[int]) -> tuple[Settled, ...]:
        """The stages so far as the engine keeps them, where this one has these winners."""
        path = [(self, winners)]
        while (last := path[-1][0]).before is not None:
            path.append((last.before, last.winners))
        trail: list[Settled] = []
        for begun, won in reversed(path):
            if begun._pulled is None:
                matrix = trail[-1].outer() if trail else homogeneous_matrix(AffineMap.identity(network.input_dim))
                begun._pulled = network.stages[len(trail)].pull_back(matrix)
            positions = tuple([begun.frame.leads(g).index(w) for g, w in enumerate(won)])
            trail.append(Settled(begun._pulled, positions))
        return tuple(trail)


class Node:
    """``open`` are the unsettled selectors with their possible classes, in the order of the columns of ``piece``.

    ``won`` are the selectors settled since the stage began, with their winners. ``fresh`` is a node where the stage
    begins, with no columns yet. ``columns`` are those of the unsettled selectors, at rays and at lines, once the node
    has been looked at.
    """

    __slots__ = ("begun", "columns", "fresh", "open", "path", "piece", "won")

    def __init__(
        self, begun: Begun, piece: NodePiece, selectors: Sequence[Choice], won: tuple[tuple[int, int], ...], path: int
    ) -> None:
        self.begun = begun
        self.piece = piece
        self.open = selectors
        self.won = won
        self.path = path
        self.fresh = False
        self.columns: tuple[Columns, Columns] = ([], [])

    def winners(self) -> list[int]:
        winners = self.begun.settled.copy()
        for g, w in self.won:
            winners[g] = w
        return winners


class _TreeLeaf(Leaf):
    def __init__(self, point: Row, network: Staged, begun: Begun, winners: Sequence[int], piece: NodePiece) -> None:
        super().__init__(point)
        self.network = network
        self.begun = begun
        self.winners = winners
        self.piece = piece

    def _cell(self) -> Cell:
        return Cell(self.network.domain_rows, self.begun.trail(self.network, self.winners), self.piece.cone())

    def sketch(self) -> tuple[int, ...]:
        return self.begun.frame.sketch(self.winners)


class Prover:
    """The search, one node after the other."""

    def __init__(self, network: Staged, multipliers: bool) -> None:
        self.network = network
        self.multipliers = multipliers
        self.layouts = [Layout(stage) for stage in network.stages]
        numbering = Numbering.of(network)
        self.domain = numbering.domain
        # Row numbers of losing candidates: those of a stage follow one another, after those of the stages before.
        self.offsets = [starts[0] if starts else 0 for starts in numbering.first]

    def run(self) -> Iterator[Record | Leaf]:
        """The records of the whole tree."""
        return self.below(self.root())

    def below(self, node: Node) -> Iterator[Record | Leaf]:
        """The records of the tree below a node in their order; each L is followed by its leaf."""
        stack = [node]
        while stack:
            yield from self.step(stack.pop(), stack)

    def root(self) -> Node:
        """The domain, where the first stage begins."""
        cone = root(self.network, "split").body
        if not isinstance(cone, Cone):
            raise Inconsistent("the domain is not kept by its generators")
        numbers = (-1, *[self.domain[row] for row in cone.rows[1:]])
        size = self.network.input_dim + 1
        identity = exact([[int(i == j) for j in range(size)] for i in range(size)], 1)
        return self._begin(NodePiece.of(cone, numbers), (identity, 1), None, ())

    def step(self, node: Node, stack: list[Node]) -> Iterator[Record | Leaf]:
        """The records of a node, whose children are put on the stack."""
        if node.fresh:
            yield from self._begin_stage(node)
        elif node.open:
            node.columns = _columns(node.piece)
            yield from self._eliminate(node)
        if node.open:
            yield from self._branch(node, stack)
            return
        begun, winners, piece = node.begun, node.winners(), node.piece.bare()
        if begun.number + 1 < len(self.layouts):
            stack.append(self._begin(piece, begun.frame.outer(winners), begun, winners))
        else:
            point = simple_point(piece)
            yield ["L", *point]
            yield _TreeLeaf(point, self.network, begun, winners, piece)

    def _begin(self, piece: NodePiece, inner: tuple[Table, int], before: Begun | None, winners: Sequence[int]) -> Node:
        """The node where the next stage begins, ``inner`` being the map so far and the size of its entries."""
        layout = self.layouts[before.number + 1 if before else 0]
        node = Node(Begun(Frame(layout, *inner), before, winners), piece.trimmed(), (), (), 1)
        node.fresh = True
        return node

    def _begin_stage(self, node: Node) -> Iterator[Record]:
        """Eliminate what is beaten where the stage begins, and give the piece its columns."""
        piece, frame = node.piece, node.begun.frame
        layout = frame.layout
        node.fresh = False
        columns, along = _columns(piece)
        size = len(piece.rays)
        if layout.binary:
            table = frame.gap_values([*piece.rays, *piece.lines])
            if table.dtype != object and not piece.lines and len(table) > PAIRS:
                values = yield from self._eliminate_in_pairs(node, table)
                node.columns = [*columns, *values], [*along, *[()] * len(values)]
                return
            listed = table.tolist()
            values = [own for own in listed if any(own)]
            frame.ties = frame.equal(~table.any(axis=1)) if len(values) < len(listed) else {}
            node.open = frame.choices()
        else:
            scores = frame.values([*piece.rays, *piece.lines])
            node.open = frame.choices()
            if len(layout.selector) > NARROW:
                yield from self._eliminate_in_tables(node, scores)
            listed = scores.tolist()
            values = []
            for _, classes in node.open:
                own = [listed[c] for c in classes]
                values += own if len(own) > 2 else [list(map(sub, own[1], own[0]))]
        node.columns = [*columns, *[own[:size] for own in values]], [*along, *[own[size:] for own in values]]
        if layout.binary or len(layout.selector) <= NARROW:
            yield from self._eliminate(node)
            for g, w in node.won:
                node.begun.settled[g] = w
            node.won = ()

    def _eliminate_in_pairs(self, node: Node, table: Table) -> Generator[Record, None, list[list[int]]]:
        """Eliminate what is beaten where a stage begins whose selectors have two classes.

        ``table`` are the values of score_high - score_low at the rays. The values of the selectors that are left.
        """
        frame = node.begun.frame
        layout = frame.layout
        up, down = table.min(axis=1) >= 0, table.max(axis=1) <= 0
        tied = up & down
        frame.ties = frame.equal(tied) if tied.any() else {}
        up ^= tied
        lost = up | (down ^ tied)
        places = lost.nonzero()[0]
        if len(places):
            rises = up[places]
            high, low = layout.high[places], layout.low[places]
            lost_, rivals = numpy.where(rises, low, high), numpy.where(rises, high, low)
            yield from self._written_here(node, lost_, rivals, numpy.abs(table[places]))
            settled = node.begun.settled
            for w in high[rises].tolist():
                settled[layout.selector[w]] = w
        left = (~lost & ~tied).nonzero()[0]
        node.open = [layout.choices[k] for k in left.tolist()]
        values: list[list[int]] = table[left].tolist()
        return values

    def _eliminate_in_tables(self, node: Node, scores: Table) -> Iterator[Record]:
        """Eliminate what is beaten where a stage with many classes begins; ``scores`` are those at rays and lines."""
        begun, piece, frame = node.begun, node.piece, node.begun.frame
        layout, possible = frame.layout, frame.contenders
        if piece.lines:
            scores = numpy.concatenate([scores, -scores[:, len(piece.rays) :]], axis=1)
        rivals = frame.beaten(scores, possible, not piece.lines and layout.pairs <= MOST_PAIRS)
        lost = numpy.flatnonzero(rivals >= 0)
        if len(lost):
            yield from self._written_here(node, lost, rivals[lost], scores[rivals[lost]] - scores[lost], possible)
        left = numpy.flatnonzero(possible & (rivals < 0))
        by_selector: dict[int, list[int]] = {}
        for c in left.tolist():
            by_selector.setdefault(layout.selector[c], []).append(c)
        for g, classes in by_selector.items():
            if len(classes) == 1:
                begun.settled[g] = classes[0]
        node.open = [(g, classes) for g, classes in by_selector.items() if len(classes) > 1]

    def _eliminate(self, node: Node) -> Iterator[Record]:
        """Eliminate what is beaten here, and drop its columns."""
        piece = node.piece
        columns, along = node.columns
        width = piece.width
        kept, kept_along = columns[:width], along[:width]
        found: list[Choice] = []
        won = list(node.won)
        lost: list[int] = []
        rivals: list[int] = []
        values: list[Sequence[int]] = []
        place = width
        many = False
        for g, classes in node.open:
            if len(classes) == 2:
                column, low, high = columns[place], *classes
                if min(column) >= 0 and not any(along[place]):
                    lost.append(low)
                    rivals.append(high)
                    values.append(column)
                    won.append((g, high))
                elif max(column) <= 0 and not any(along[place]):
                    lost.append(high)
                    rivals.append(low)
                    values.append([-value for value in column])
                    won.append((g, low))
                else:
                    found.append((g, classes))
                    kept.append(column)
                    kept_along.append(along[place])
                place += 1
                continue
            many = True
            end = place + len(classes)
            for j, i in _dominated(columns[place:end], along[place:end]):
                lost.append(classes[j])
                rivals.append(classes[i])
                values.append(list(map(sub, columns[place + i], columns[place + j])))
            found.append((g, classes))
            kept += columns[place:end]
            kept_along += along[place:end]
            place = end
        if not lost:
            return
        table = exact(values, size_of(values))
        yield from self._written_here(node, numpy.array(lost), numpy.array(rivals), table)
        if many:
            found, kept, kept_along = _shrunk(found, kept, kept_along, width, set(lost), won)
        node.open = found
        node.won = tuple(won)
        node.columns = kept, kept_along

    def _written_here(
        self, node: Node, lost: Table, rivals: Table, forms: Table, possible: Table | None = None
    ) -> Iterator[Record]:
        """Evidence against the classes lost, each beaten by its rival: by bounds as far as they go, then one by one.

        ``forms`` are the values of score_rival - score_lost at the rays, and ``possible`` tells the candidates that are
        so, where that is known. Two tangent cones are taken at once, where it is clear what each eliminates: of
        selectors with two classes.
        """
        frame, piece = node.begun.frame, node.piece
        layout = frame.layout
        rest = numpy.ones(len(lost), dtype=bool)
        if (
            not piece.lines
            and (layout.pairs <= MOST_PAIRS or sum([len(own) * layout.sizes[g] for g, own in node.open]) <= MOST_PAIRS)
            and boundable(piece.rows)
        ):
            if len(lost) <= FEW_FORMS:
                values = forms.tolist()
                simplex = enclosing(piece, values)
                if simplex is not None:
                    yield ["B", simplex.numbers()]
                    return
                if len(lost) <= VERY_FEW and all(layout.sizes[layout.selector[c]] == 2 for c in lost.tolist()):
                    cones = list(tangents(piece, values))
                    if len(cones) == 2 and sum([len(covered) for _, covered in cones]) == len(lost):
                        for numbers, _ in cones:
                            yield ["B", numbers]
                        return
            if possible is None and not layout.binary:
                possible = numpy.zeros(len(layout.selector), dtype=bool)
                possible[[c for _, classes in node.open for c in classes]] = True
            for numbers, left in bounds(piece, forms, _Judge(frame, lost, possible)):
                yield ["B", numbers]
                rest = left
        if rest.any():
            cone, offset = piece.cone(), self.offsets[node.begun.number]
            for c, i in zip(lost[rest].tolist(), rivals[rest].tolist(), strict=True):
                yield self._eliminated(frame, c, beaten(cone, piece.numbers, frame.row(c, i), offset + i))

    def _eliminated(self, frame: Frame, c: int, evidence: Evidence) -> Record:
        g = frame.layout.selector[c]
        return elimination(g, c - frame.layout.first[g], evidence, self.multipliers)

    def _branch(self, node: Node, stack: list[Node]) -> Iterator[Record]:
        chosen = self._chosen(node)
        g, classes = node.open[chosen]
        rest = [*node.open[:chosen], *node.open[chosen + 1 :]]
        first = node.piece.width + sum([_width(own) for _, own in node.open[:chosen]])
        if len(classes) == 2:
            parts = self._halves(node, classes, first)
        else:
            parts = []
            whole = node.piece.with_columns(*node.columns)
            smaller: dict[int, NodePiece] = {}
            for position, c in enumerate(classes):
                part = self._won(node, whole, smaller, classes, position, first)
                if isinstance(part, NodePiece):
                    parts.append((c, part))
                else:
                    yield self._eliminated(node.begun.frame, c, part)
        yield ["M", g]
        if len(parts) < 2:
            raise Inconsistent(f"selector {g} is unsettled and has {len(parts)} winners")
        for c, part in reversed(parts):
            stack.append(Node(node.begun, part, rest, (*node.won, (g, c)), _step(node.path, c)))

    def _chosen(self, node: Node) -> int:
        """The selector to branch on, by its place among the unsettled ones."""
        chosen = node.path % len(node.open)
        if len(node.open) > CORNERS or node.piece.lines:
            return chosen
        # The one that cuts off the fewest rays: beyond it most others are settled, with one piece of evidence.
        columns, place, least = node.columns[0], node.piece.width, len(node.piece.rays)
        for k, (_, classes) in enumerate(node.open):
            if len(classes) == 2:
                column = columns[place]
                above = len([1 for value in column if value > 0])
                cut = min(above, len(column) - above - column.count(0))
                if cut < least:
                    chosen, least = k, cut
                    if cut == 1:
                        break
            place += _width(classes)
        return chosen

    def _halves(self, node: Node, classes: Sequence[int], place: int) -> list[tuple[int, NodePiece]]:
        """The parts in which either of two classes wins; their form is in the column ``place``."""
        columns, along = node.columns
        values, slopes = columns.pop(place), along.pop(place)
        low, high = classes
        row, offset = node.begun.frame.row(high, low), self.offsets[node.begun.number]
        above, below = node.piece.with_columns(columns, along).split(
            values, slopes, (row, offset + low), (negated(row), offset + high)
        )
        return [(c, part) for c, part in ((low, below), (high, above)) if part is not None]

    def _won(
        self,
        node: Node,
        whole: NodePiece,
        smaller: dict[int, NodePiece],
        classes: Sequence[int],
        position: int,
        first: int,
    ) -> NodePiece | Evidence:
        """The part in which the class at this position wins, or evidence that there is none.

        The scores are in the columns from ``first`` on. What the first cut of the whole takes away contains the part of
        the rival: it is kept among the ``smaller`` pieces, from which the parts of some positions are cut. All rows cut
        by are differences of the class and another, so that evidence may cite them.
        """
        frame, offset, last = node.begun.frame, self.offsets[node.begun.number], first + len(classes)
        own = first + position
        part = smaller.pop(position, whole)
        while True:
            place = _rival(part, first, last, own) - first
            if place < 0:
                rays, lines = ([v[:first] + v[last:] for v in vectors] for vectors in (part.rays, part.lines))
                return NodePiece(part.rows, part.numbers, rays, part.tight, lines)
            values = [ray[own] - ray[first + place] for ray in part.rays]
            slopes = [line[own] - line[first + place] for line in part.lines]
            c, rival = classes[position], classes[place]
            shared = part is whole and place > position and place not in smaller
            face = frame.row(c, rival), offset + rival
            won, other = part.split(values, slopes, face, (frame.row(rival, c), offset + c) if shared else None)
            if won is None:
                return beaten(part.cone(), part.numbers, *face)
            if shared and other is not None:
                smaller[place] = other
            part = won


class _Judge:
    """Tells which of the classes lost, each beaten by its rival, are eliminated by a simplex.

    A checker compares all possible classes with all others. What it eliminates is beaten on the node, so it is among
    the classes lost: a class that is not possible is itself beaten by one that is, because one that several others have
    eliminated together belongs to a selector that is branched at once. Where selectors have two classes (``possible``
    is None) there is nothing else to compare.
    """

    def __init__(self, frame: Frame, lost: Table, possible: Table | None) -> None:
        self.frame = frame
        self.lost = lost
        self.possible = possible

    def __call__(self, simplex: Simplex, covered: Table) -> Table:
        """``covered`` are those that their own rivals beat at the corners."""
        if self.possible is None or covered.all():
            return covered
        return self.frame.beaten(self.frame.values(simplex.corners()), self.possible)[self.lost] >= 0


def _columns(piece: NodePiece) -> tuple[Columns, Columns]:
    """The columns of a piece: at its rays, and at its lines."""
    columns: Columns = list(zip(*piece.rays, strict=True))
    return columns, list(zip(*piece.lines, strict=True)) if piece.lines else [()] * len(columns)


def _dominated(columns: Columns, along: Columns) -> list[tuple[int, int]]:
    """The classes of a selector that some other one beats at every ray, each with such a one, by their places."""
    if not any(along):
        largest = list(map(max, *columns))
        for i, column in enumerate(columns):
            if list(column) == largest:
                return [(j, i) for j in range(len(columns)) if j != i]
    found = []
    for j, (own, slopes) in enumerate(zip(columns, along, strict=True)):
        for i, column in enumerate(columns):
            if i != j and all(map(ge, column, own)) and list(along[i]) == list(slopes):
                found.append((j, i))
                break
    return found


def _rival(piece: NodePiece, first: int, last: int, own: int) -> int:
    """The class to cut by where one shall win: one that differs along a line, or wins most rays; -1 if it has won.

    The classes are columns, from ``first`` to ``last``.
    """
    for line in piece.lines:
        for rival in range(first, last):
            if line[rival] != line[own]:
                return rival
    lost: dict[int, int] = {}
    for ray in piece.rays:
        scores = ray[first:last]
        best = max(scores)
        if ray[own] < best:
            rival = scores.index(best)
            lost[rival] = lost.get(rival, 0) + 1
    return first + max(lost, key=lost.__getitem__) if lost else -1


def _shrunk(
    selectors: Sequence[Choice],
    columns: Columns,
    along: Columns,
    width: int,
    removed: Container[int],
    won: list[tuple[int, int]],
) -> tuple[list[Choice], Columns, Columns]:
    """The unsettled selectors without the classes removed, and their columns; what that settles is added to ``won``."""
    found: list[Choice] = []
    kept, kept_along = columns[:width], along[:width]
    place = width
    for g, classes in selectors:
        left = [k for k, c in enumerate(classes) if c not in removed]
        if len(left) == 1:
            won.append((g, classes[left[0]]))
        else:
            found.append((g, [classes[k] for k in left]))
            if len(classes) == 2:
                kept.append(columns[place])
                kept_along.append(along[place])
            elif len(left) == 2:
                low, high = place + left[0], place + left[1]
                kept.append(list(map(sub, columns[high], columns[low])))
                kept_along.append(list(map(sub, along[high], along[low])))
            else:
                kept += [columns[place + k] for k in left]
                kept_along += [along[place + k] for k in left]
        place += _width(classes)
    return found, kept, kept_along


def _width(classes: Sequence[int]) -> int:
    """The number of columns of a selector with these possible classes."""
    return 1 if len(classes) == 2 else len(classes)


def _step(path: int, branch: int) -> int:
    """A hash of the path to a child (the multiplier is Knuth's for 64-bit linear congruential generators)."""
    return ((path + branch) * 6364136223846793005 + 1442695040888963407 & 0xFFFFFFFFFFFFFFFF) >> 3


def prove(network: Staged, multipliers: bool = False) -> Iterator[Record | Leaf]:
    """The records of the tree in their order, found in Python; each L is followed by its leaf."""
    return PythonProvers().prover(network, multipliers, True).run()


class PythonProvers:
    """Provers in Python (``certificate.provers``): by generators, or by rows where there are too many of these."""

    def prover(self, network: Staged, multipliers: bool, listing: bool) -> Prover | ProverByRows:
        """Leaves are there whether they will be asked for or not: they are made on request."""
        return Prover(network, multipliers) if few_generators(network) else ProverByRows(network, multipliers)

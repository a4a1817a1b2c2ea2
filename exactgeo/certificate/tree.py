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
"""

from collections.abc import Generator, Iterator, Sequence
from operator import ge, sub

from exactgeo.cells.cell import Cell, Settled
from exactgeo.cells.enumerate import choose_method, root
from exactgeo.certificate.bounds import bounds, common_vertex
from exactgeo.certificate.farkas import beaten, shut_out
from exactgeo.certificate.frames import MOST_PAIRS, Frame, Layout, Possible
from exactgeo.certificate.numbering import Numbering
from exactgeo.certificate.piece import Piece
from exactgeo.certificate.records import Leaf, Record, elimination
from exactgeo.certificate.tables import Table, exact, image
from exactgeo.certificate.tree_by_rows import prove_by_rows
from exactgeo.certificate.witness import simple_point
from exactgeo.errors import Inconsistent
from exactgeo.network import Network
from exactgeo.network.stages import PulledStage, homogeneous_matrix
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Row, negated

__all__ = ["prove"]

Lost = tuple[int, int]
"""A selector and a class of it that cannot win."""


class _Begun:
    """A stage begun on a parent: ``settled`` holds the winners so far, by name, -1 where there is none."""

    __slots__ = ("_pulled", "frame", "parent", "settled", "winners")

    def __init__(self, frame: Frame, parent: "_Begun | None", winners: Sequence[int]) -> None:
        self.frame = frame
        self.parent = parent
        self.winners = winners  # of the stage before
        self.settled: list[int] = [0] * len(frame.layout.sizes)
        self._pulled: PulledStage | None = None

    @property
    def number(self) -> int:
        """The number of the stage."""
        return self.parent.number + 1 if self.parent else 0

    def trail(self, network: Network, winners: Sequence[int]) -> tuple[Settled, ...]:
        """The stages so far as the engine keeps them, where this one has these winners."""
        before = self.parent.trail(network, self.winners) if self.parent else ()
        if self._pulled is None:
            matrix = before[-1].outer() if before else homogeneous_matrix(AffineMap.identity(network.input_dim))
            self._pulled = network.stages[len(before)].pull_back(matrix)
        positions = tuple([self.frame.leads(g).index(w) for g, w in enumerate(winners)])
        return (*before, Settled(self._pulled, positions))


class _Node:
    """``open`` are the unsettled selectors with their possible classes, in the order of the columns of ``piece``.

    ``won`` are the selectors settled since the stage began, with their winners. ``fresh`` is a node where the stage
    begins, with no columns yet; ``joint`` tells that some class was eliminated by several others together.
    """

    __slots__ = ("begun", "fresh", "joint", "open", "path", "piece", "won")

    def __init__(
        self,
        begun: _Begun,
        piece: Piece,
        selectors: Sequence[tuple[int, Sequence[int]]],
        won: tuple[Lost, ...],
        path: int,
        joint: bool,
    ) -> None:
        self.begun = begun
        self.piece = piece
        self.open = selectors
        self.won = won
        self.path = path
        self.joint = joint
        self.fresh = False


class _TreeLeaf(Leaf):
    def __init__(self, point: Row, network: Network, begun: _Begun, winners: Sequence[int], piece: Piece) -> None:
        super().__init__(point)
        self.network = network
        self.begun = begun
        self.winners = winners
        self.piece = piece

    def _cell(self) -> Cell:
        return Cell(self.network.domain_rows, self.begun.trail(self.network, self.winners), self.piece.cone())

    def sketch(self) -> tuple[int, ...]:
        return self.begun.frame.sketch(self.winners)


class _Prover:
    def __init__(self, network: Network, multipliers: bool) -> None:
        self.network = network
        self.numbering = Numbering.of(network)
        self.multipliers = multipliers
        self.layouts = [Layout(stage) for stage in network.stages]

    def run(self) -> Iterator[Record | Leaf]:
        cone = root(self.network, "split").body
        if not isinstance(cone, Cone):
            raise Inconsistent("the domain is not kept by its generators")
        numbers = (-1, *[self.numbering.domain[row] for row in cone.rows[1:]])
        size = self.network.input_dim + 1
        identity = exact([[int(i == j) for j in range(size)] for i in range(size)])
        stack = [self._begin(Piece.of(cone, numbers), identity, None, ())]
        while stack:
            node = stack.pop()
            yield from self._begin_stage(node) if node.fresh else self._eliminate(node)
            if node.open:
                yield from self._branch(node, stack)
                continue
            begun = node.begun
            winners = begun.settled.copy()
            for g, w in node.won:
                winners[g] = w
            if begun.number + 1 < len(self.layouts):
                stack.append(self._begin(node.piece, begun.frame.outer(winners), begun, winners))
            else:
                point = simple_point(node.piece)
                yield ["L", *point]
                yield _TreeLeaf(point, self.network, begun, winners, node.piece)

    def _begin(self, piece: Piece, inner: Table, before: _Begun | None, winners: Sequence[int]) -> _Node:
        """The node where the next stage begins, ``inner`` being the map so far."""
        layout = self.layouts[before.number + 1 if before else 0]
        node = _Node(_Begun(Frame.of(layout, inner), before, winners), piece.trimmed(), (), (), 1, False)
        node.fresh = True
        return node

    def _begin_stage(self, node: _Node) -> Iterator[Record]:
        """Eliminate what is beaten where the stage begins, and give the piece its columns."""
        begun, piece, frame = node.begun, node.piece, node.begun.frame
        choices = frame.choices()
        if choices:
            points = exact([*piece.rays, *piece.lines, *map(negated, piece.lines)]).T
            scores = frame.values(points)
            lost = frame.beaten(scores, choices)
            removed: set[Lost] = set()
            if lost:
                rounded = image(scores)
                first = frame.layout.first
                better, worse = [first[g] + i for g, _, i in lost], [first[g] + j for g, j, _ in lost]
                removed = yield from self._written(node, lost, rounded[better] - rounded[worse], choices)
            gone: dict[int, set[int]] = {}
            for g, j in removed:
                gone.setdefault(g, set()).add(j)
            found: list[tuple[int, Sequence[int]]] = []
            forms: list[Row] = []
            for g, classes in choices.items():
                if g in gone:
                    classes = [j for j in classes if j not in gone[g]]
                    if len(classes) == 1:
                        begun.settled[g] = classes[0]
                        continue
                found.append((g, classes))
                forms += [frame.row(g, classes[1], classes[0])] if len(classes) == 2 else frame.rows(g, classes)
            node.open = found
            node.piece = piece.carrying(forms)
        node.fresh = False

    def _eliminate(self, node: _Node) -> Iterator[Record]:
        """Eliminate what is beaten here, and drop its columns."""
        piece = node.piece
        columns, along = _columns(piece)
        places: list[int] = []
        lost: list[tuple[int, int, int]] = []
        values: list[Sequence[int]] = []
        place = piece.width
        for g, classes in node.open:
            places.append(place)
            if len(classes) == 2:
                column = columns[place]
                if not any(along[place]):
                    if min(column) >= 0:
                        lost.append((g, classes[0], classes[1]))
                        values.append(column)
                    elif max(column) <= 0:
                        lost.append((g, classes[1], classes[0]))
                        values.append([-value for value in column])
                place += 1
                continue
            for j, class_j in enumerate(classes, place):
                for i, class_i in enumerate(classes, place):
                    if i != j and all(map(ge, columns[i], columns[j])) and along[i] == along[j]:
                        lost.append((g, class_j, class_i))
                        values.append(list(map(sub, columns[i], columns[j])))
                        break
            place += len(classes)
        if not lost:
            return
        vertex = None if node.joint or piece.lines else common_vertex(piece, values)
        if vertex is not None and _pairs(node.begun.frame, dict(node.open)) <= MOST_PAIRS:
            tight = piece.tight[vertex]
            yield ["B", sorted([number for k, number in enumerate(piece.numbers) if tight >> k & 1])]
            removed = {(g, j) for g, j, _ in lost}
        else:
            removed = yield from self._written(node, lost, image(exact(values)), dict(node.open))
        kept, kept_along = columns[: piece.width], along[: piece.width]
        found: list[tuple[int, Sequence[int]]] = []
        for (g, classes), place in zip(node.open, places, strict=True):
            left = [k for k, j in enumerate(classes) if (g, j) not in removed]
            if len(left) == 1:
                node.won = (*node.won, (g, classes[left[0]]))
                continue
            if len(classes) == 2:
                kept.append(columns[place])
                kept_along.append(along[place])
            elif len(left) == 2:
                low, high = place + left[0], place + left[1]
                kept.append(tuple(map(sub, columns[high], columns[low])))
                kept_along.append(tuple(map(sub, along[high], along[low])))
            else:
                kept += [columns[place + k] for k in left]
                kept_along += [along[place + k] for k in left]
            found.append((g, [classes[k] for k in left]))
        node.open = found
        node.piece = piece.with_columns(kept, kept_along)

    def _written(
        self, node: _Node, lost: Sequence[tuple[int, int, int]], forms: Table, possible: Possible
    ) -> Generator[Record, None, set[Lost]]:
        """Evidence against the classes lost, by bounds as far as it goes; all that has been eliminated.

        ``lost`` are selector, class and a rival that beats it; ``forms`` an image of the values of score_rival -
        score_class at the rays. A checker's bounds may eliminate more than that only where ``node.joint``: a class that
        is beaten by one that several others have eliminated together.
        """
        frame, piece = node.begun.frame, node.piece
        rest = {(g, j): i for g, j, i in lost}
        removed = set(rest)
        if not piece.lines and _pairs(frame, possible) <= MOST_PAIRS:

            def decide(corners: Table) -> set[Lost]:
                return {(g, j) for g, j, _ in frame.beaten(frame.values(corners), possible)}

            for rows, covered in bounds(piece, list(rest), forms, decide):
                yield ["B", rows]
                removed |= covered
                for owner in covered:
                    rest.pop(owner, None)
        if rest:
            cone = piece.cone()
            for (g, j), i in rest.items():
                evidence = beaten(cone, piece.numbers, frame.row(g, j, i), self._loser(node, g, i))
                yield elimination(g, j, evidence, self.multipliers)
        return removed

    def _branch(self, node: _Node, stack: list[_Node]) -> Iterator[Record]:
        chosen = node.path % len(node.open)
        g, classes = node.open[chosen]
        rest = [*node.open[:chosen], *node.open[chosen + 1 :]]
        first = node.piece.width + sum([_width(own) for _, own in node.open[:chosen]])
        if len(classes) == 2:
            parts = self._halves(node, g, classes, first)
        else:
            parts = []
            for position, j in enumerate(classes):
                part = self._won(node, g, classes, position, first)
                if part is None:
                    yield self._impossible(node, g, j)
                    node.joint = True
                else:
                    parts.append((j, part))
        yield ["M", g]
        if len(parts) < 2:
            raise Inconsistent(f"selector {g} is unsettled and has {len(parts)} winners")
        for j, part in reversed(parts):
            stack.append(_Node(node.begun, part, rest, (*node.won, (g, j)), _step(node.path, j + 1), node.joint))

    def _halves(self, node: _Node, g: int, classes: Sequence[int], place: int) -> list[tuple[int, Piece]]:
        """The parts in which either of two classes wins; their form is in the column ``place``."""
        columns, along = _columns(node.piece)
        values, slopes = columns.pop(place), along.pop(place)
        low, high = classes
        row = node.begun.frame.row(g, high, low)
        above, below = node.piece.with_columns(columns, along).split(
            values, slopes, (row, self._loser(node, g, low)), (negated(row), self._loser(node, g, high))
        )
        return [(j, part) for j, part in ((low, below), (high, above)) if part is not None]

    def _won(self, node: _Node, g: int, classes: Sequence[int], position: int, first: int) -> Piece | None:
        """The part in which the class at this position wins; the scores are in the columns from ``first`` on."""
        own, frame = first + position, node.begun.frame
        part: Piece | None = node.piece
        for k, i in enumerate(classes, first):
            if k != own and part is not None:
                values, along = [ray[own] - ray[k] for ray in part.rays], [line[own] - line[k] for line in part.lines]
                if min(values) < 0 or any(along):
                    face = frame.row(g, classes[position], i), self._loser(node, g, i)
                    part, _ = part.split(values, along, face, None)
        if part is None:
            return None
        columns, along_lines = _columns(part)
        del columns[first : first + len(classes)], along_lines[first : first + len(classes)]
        return part.with_columns(columns, along_lines)

    def _impossible(self, node: _Node, g: int, j: int) -> Record:
        frame = node.begun.frame
        rivals = [(frame.row(g, j, i), self._loser(node, g, i)) for i in frame.leads(g) if i != j]
        return elimination(g, j, shut_out(node.piece.cone(), node.piece.numbers, rivals), self.multipliers)

    def _loser(self, node: _Node, g: int, i: int) -> int:
        return self.numbering.loser(node.begun.number, g, i)


def _columns(piece: Piece) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """The columns of a piece: at its rays, and at its lines."""
    columns = list(zip(*piece.rays, strict=True))
    return columns, list(zip(*piece.lines, strict=True)) if piece.lines else [()] * len(columns)


def _width(classes: Sequence[int]) -> int:
    """The number of columns of a selector with these possible classes."""
    return 1 if len(classes) == 2 else len(classes)


def _pairs(frame: Frame, possible: Possible) -> int:
    """How many pairs of classes a checker compares in a B record."""
    sizes = frame.layout.sizes
    return sum([len(classes) * sizes[g] for g, classes in possible.items()])


def _step(path: int, branch: int) -> int:
    """A hash of the path to a child (the multiplier is Knuth's for 64-bit linear congruential generators)."""
    return ((path + branch) * 6364136223846793005 + 1442695040888963407 & 0xFFFFFFFFFFFFFFFF) >> 3


def prove(network: Network, multipliers: bool = False) -> Iterator[Record | Leaf]:
    """The records of the tree in their order; each L is followed by its leaf."""
    if choose_method(network) == "search":
        return prove_by_rows(network, multipliers)
    return _Prover(network, multipliers).run()

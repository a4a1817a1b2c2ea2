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

from collections.abc import Container, Generator, Iterator, Sequence
from operator import ge, sub

import numpy

from exactgeo.cells.cell import Cell, Settled
from exactgeo.cells.enumerate import choose_method, root
from exactgeo.certificate.bounds import bounds, enclosing, tangents
from exactgeo.certificate.farkas import Evidence, beaten, shut_out
from exactgeo.certificate.frames import Frame, Layout
from exactgeo.certificate.numbering import Numbering
from exactgeo.certificate.piece import Piece
from exactgeo.certificate.records import Leaf, Record, elimination
from exactgeo.certificate.tables import Table, exact, image, size_of
from exactgeo.certificate.tree_by_rows import prove_by_rows
from exactgeo.certificate.witness import simple_point
from exactgeo.errors import Inconsistent
from exactgeo.network import Network
from exactgeo.network.stages import PulledStage, homogeneous_matrix
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Row, negated

__all__ = ["prove"]

Choice = tuple[int, Sequence[int]]
"""A selector and its possible classes."""

NARROW = 24
"""Candidates of a stage that are looked at one by one; more are in tables."""
FEW = 4
"""Classes that are worth one tangent cone each."""
MOST_PAIRS = 10**6
"""Pairs of a possible class and a class that a checker compares in a B record (FORMAT.md, section 9)."""


class _Begun:
    """A stage begun on a parent: ``settled`` holds the winners so far."""

    __slots__ = ("_pulled", "before", "frame", "number", "settled", "winners")

    def __init__(self, frame: Frame, before: "_Begun | None", winners: Sequence[int]) -> None:
        self.frame = frame
        self.before = before
        self.winners = winners  # of the stage before
        self.number: int = before.number + 1 if before else 0
        self.settled: list[int] = frame.layout.first.copy()
        self._pulled: PulledStage | None = None

    def trail(self, network: Network, winners: Sequence[int]) -> tuple[Settled, ...]:
        """The stages so far as the engine keeps them, where this one has these winners."""
        trail = self.before.trail(network, self.winners) if self.before else ()
        if self._pulled is None:
            matrix = trail[-1].outer() if trail else homogeneous_matrix(AffineMap.identity(network.input_dim))
            self._pulled = network.stages[len(trail)].pull_back(matrix)
        positions = tuple([self.frame.leads(g).index(w) for g, w in enumerate(winners)])
        return (*trail, Settled(self._pulled, positions))


class _Node:
    """``open`` are the unsettled selectors with their possible classes, in the order of the columns of ``piece``.

    ``won`` are the selectors settled since the stage began, with their winners. ``fresh`` is a node where the stage
    begins, with no columns yet; ``joint`` tells that some class was eliminated by several others together.
    """

    __slots__ = ("begun", "fresh", "joint", "open", "path", "piece", "won")

    def __init__(
        self, begun: _Begun, piece: Piece, selectors: Sequence[Choice], won: tuple[tuple[int, int], ...], path: int
    ) -> None:
        self.begun = begun
        self.piece = piece
        self.open = selectors
        self.won = won
        self.path = path
        self.joint = False
        self.fresh = False

    def winners(self) -> list[int]:
        winners = self.begun.settled.copy()
        for g, w in self.won:
            winners[g] = w
        return winners


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
        self.multipliers = multipliers
        self.layouts = [Layout(stage) for stage in network.stages]
        numbering = Numbering.of(network)
        self.domain = numbering.domain
        # Row numbers of losing candidates: those of a stage follow one another, after those of the stages before.
        self.offsets = [starts[0] if starts else 0 for starts in numbering.first]

    def run(self) -> Iterator[Record | Leaf]:
        cone = root(self.network, "split").body
        if not isinstance(cone, Cone):
            raise Inconsistent("the domain is not kept by its generators")
        numbers = (-1, *[self.domain[row] for row in cone.rows[1:]])
        size = self.network.input_dim + 1
        identity = exact([[int(i == j) for j in range(size)] for i in range(size)], 1)
        stack = [self._begin(Piece.of(cone, numbers), (identity, 1), None, ())]
        while stack:
            node = stack.pop()
            if node.fresh:
                yield from self._begin_stage(node)
            elif node.open:
                yield from self._eliminate(node)
            if node.open:
                yield from self._branch(node, stack)
                continue
            begun, winners = node.begun, node.winners()
            if begun.number + 1 < len(self.layouts):
                stack.append(self._begin(node.piece, begun.frame.outer(winners), begun, winners))
            else:
                point = simple_point(node.piece)
                yield ["L", *point]
                yield _TreeLeaf(point, self.network, begun, winners, node.piece)

    def _begin(self, piece: Piece, inner: tuple[Table, int], before: _Begun | None, winners: Sequence[int]) -> _Node:
        """The node where the next stage begins, ``inner`` being the map so far and the size of its entries."""
        layout = self.layouts[before.number + 1 if before else 0]
        node = _Node(_Begun(Frame(layout, *inner), before, winners), piece.trimmed(), (), (), 1)
        node.fresh = True
        return node

    def _begin_stage(self, node: _Node) -> Iterator[Record]:
        """Eliminate what is beaten where the stage begins, and give the piece its columns."""
        begun, piece, frame = node.begun, node.piece, node.begun.frame
        layout = frame.layout
        node.fresh = False
        wide = len(layout.selector) > NARROW
        if wide:
            left = yield from self._eliminate_in_tables(node)
            # A selector of which one class is left is settled.
            number = numpy.bincount(layout.owner[left], minlength=len(layout.sizes))
            for c in left[number[layout.owner[left]] == 1].tolist():
                begun.settled[layout.selector[c]] = c
            by_selector: dict[int, list[int]] = {}
            for c in left[number[layout.owner[left]] > 1].tolist():
                by_selector.setdefault(layout.selector[c], []).append(c)
            node.open = list(by_selector.items())
        else:
            node.open = [(g, leads) for g in range(len(layout.sizes)) if len(leads := frame.leads(g)) > 1]
        forms: list[Row] = []
        for _, classes in node.open:
            if len(classes) == 2:
                forms.append(frame.row(classes[1], classes[0]))
            else:
                forms += map(frame.score, classes)
        node.piece = piece.carrying(forms)
        if node.open and not wide:
            yield from self._eliminate(node)

    def _eliminate_in_tables(self, node: _Node) -> Generator[Record, None, Table]:
        """Eliminate what is beaten where a stage with many classes begins; all classes that are left."""
        piece, frame = node.piece, node.begun.frame
        scores = frame.values([*piece.rays, *piece.lines, *map(negated, piece.lines)])
        if frame.without_ties(scores):
            frame.ties = {}
        possible = frame.choices
        by_bounds = not piece.lines and frame.layout.pairs <= MOST_PAIRS
        rivals = frame.beaten(scores, possible, by_bounds)
        lost = numpy.flatnonzero(rivals >= 0)
        if not len(lost):
            return numpy.flatnonzero(possible)
        rounded = image(scores)
        removed = yield from self._written(
            node, lost, rivals[lost], rounded[rivals[lost]] - rounded[lost] if by_bounds else None, possible
        )
        return numpy.flatnonzero(possible & ~removed)

    def _eliminate(self, node: _Node) -> Iterator[Record]:
        """Eliminate what is beaten here, and drop its columns."""
        piece = node.piece
        columns, along = _columns(piece)
        places: list[int] = []
        lost: list[int] = []
        rivals: list[int] = []
        values: list[Sequence[int]] = []
        place = piece.width
        for _, classes in node.open:
            places.append(place)
            if len(classes) == 2:
                column = columns[place]
                if not any(along[place]):
                    if min(column) >= 0:
                        lost.append(classes[0])
                        rivals.append(classes[1])
                        values.append(column)
                    elif max(column) <= 0:
                        lost.append(classes[1])
                        rivals.append(classes[0])
                        values.append([-value for value in column])
                place += 1
                continue
            for j, loser in enumerate(classes, place):
                for i, rival in enumerate(classes, place):
                    if i != j and all(map(ge, columns[i], columns[j])) and along[i] == along[j]:
                        lost.append(loser)
                        rivals.append(rival)
                        values.append(list(map(sub, columns[i], columns[j])))
                        break
            place += len(classes)
        if not lost:
            return
        removed = yield from self._written_here(node, lost, rivals, values)
        kept, kept_along = columns[: piece.width], along[: piece.width]
        found: list[Choice] = []
        for (g, classes), place in zip(node.open, places, strict=True):
            left = [k for k, c in enumerate(classes) if c not in removed]
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

    def _written_here(
        self, node: _Node, lost: Sequence[int], rivals: Sequence[int], values: Sequence[Sequence[int]]
    ) -> Generator[Record, None, Container[int]]:
        """Evidence against the classes lost, each beaten by its rival; all that has been eliminated.

        ``values`` are those of score_rival - score_lost at the rays. By tangent cones, where these are few and it is
        clear what each eliminates: of selectors with two classes, or everything.
        """
        frame, piece = node.begun.frame, node.piece
        layout = frame.layout
        by_bounds = not piece.lines and sum([len(own) * layout.sizes[g] for g, own in node.open]) <= MOST_PAIRS
        if by_bounds and not node.joint:
            simplex = enclosing(piece, values)
            if simplex is not None:
                yield ["B", simplex]
                return lost
            if len(lost) <= FEW and all(layout.sizes[layout.selector[c]] == 2 for c in lost):
                cones = list(tangents(piece, values))
                if sum([len(covered) for _, covered in cones]) == len(lost):
                    for numbers, _ in cones:
                        yield ["B", numbers]
                    return lost
        possible = numpy.zeros(len(layout.selector), dtype=bool)
        possible[[c for _, classes in node.open for c in classes]] = True
        forms = image(exact(values, size_of(values))) if by_bounds else None
        removed = yield from self._written(node, numpy.array(lost), numpy.array(rivals), forms, possible)
        return set(numpy.flatnonzero(removed).tolist())

    def _written(
        self, node: _Node, lost: Table, rivals: Table, forms: Table | None, possible: Table
    ) -> Generator[Record, None, Table]:
        """Evidence against the classes lost, by bounds as far as they go, if forms are given; all that was eliminated.

        ``forms`` is an image of the values of score_rival - score_lost at the rays. A checker's bounds may eliminate
        more than what is lost only where ``node.joint``: a class beaten by one that several others have eliminated
        together.
        """
        frame, piece = node.begun.frame, node.piece
        removed = numpy.zeros(len(possible), dtype=bool)
        removed[lost] = True
        rest = numpy.ones(len(lost), dtype=bool)
        if forms is not None:
            covered = removed

            def decide(corners: Sequence[Row]) -> Table:
                nonlocal covered
                scores = frame.values(corners)
                good = (scores[rivals] >= scores[lost]).all(axis=1)
                if frame.layout.binary or (good.all() and not node.joint):
                    return good
                covered = frame.beaten(scores, possible) >= 0
                return covered[lost]

            for numbers, left in bounds(piece, forms, decide):
                yield ["B", numbers]
                removed |= covered
                rest = left
        if rest.any():
            cone, offset = piece.cone(), self.offsets[node.begun.number]
            for c, i in zip(lost[rest].tolist(), rivals[rest].tolist(), strict=True):
                yield self._eliminated(frame, c, beaten(cone, piece.numbers, frame.row(c, i), offset + i))
        return removed

    def _eliminated(self, frame: Frame, c: int, evidence: Evidence) -> Record:
        g = frame.layout.selector[c]
        return elimination(g, c - frame.layout.first[g], evidence, self.multipliers)

    def _branch(self, node: _Node, stack: list[_Node]) -> Iterator[Record]:
        chosen = node.path % len(node.open)
        g, classes = node.open[chosen]
        rest = [*node.open[:chosen], *node.open[chosen + 1 :]]
        first = node.piece.width + sum([_width(own) for _, own in node.open[:chosen]])
        if len(classes) == 2:
            parts = self._halves(node, classes, first)
        else:
            parts = []
            for position, c in enumerate(classes):
                part = self._won(node, classes, position, first)
                if part is None:
                    yield self._impossible(node, g, c)
                    node.joint = True
                else:
                    parts.append((c, part))
        yield ["M", g]
        if len(parts) < 2:
            raise Inconsistent(f"selector {g} is unsettled and has {len(parts)} winners")
        for c, part in reversed(parts):
            child = _Node(node.begun, part, rest, (*node.won, (g, c)), _step(node.path, c))
            child.joint = node.joint
            stack.append(child)

    def _halves(self, node: _Node, classes: Sequence[int], place: int) -> list[tuple[int, Piece]]:
        """The parts in which either of two classes wins; their form is in the column ``place``."""
        columns, along = _columns(node.piece)
        values, slopes = columns.pop(place), along.pop(place)
        low, high = classes
        row, offset = node.begun.frame.row(high, low), self.offsets[node.begun.number]
        above, below = node.piece.with_columns(columns, along).split(
            values, slopes, (row, offset + low), (negated(row), offset + high)
        )
        return [(c, part) for c, part in ((low, below), (high, above)) if part is not None]

    def _won(self, node: _Node, classes: Sequence[int], position: int, first: int) -> Piece | None:
        """The part in which the class at this position wins; the scores are in the columns from ``first`` on."""
        own, frame, offset = first + position, node.begun.frame, self.offsets[node.begun.number]
        part: Piece | None = node.piece
        for k, i in enumerate(classes, first):
            if k != own and part is not None:
                values, along = [ray[own] - ray[k] for ray in part.rays], [line[own] - line[k] for line in part.lines]
                if min(values) < 0 or any(along):
                    part, _ = part.split(values, along, (frame.row(classes[position], i), offset + i), None)
        if part is None:
            return None
        columns, along_lines = _columns(part)
        del columns[first : first + len(classes)], along_lines[first : first + len(classes)]
        return part.with_columns(columns, along_lines)

    def _impossible(self, node: _Node, g: int, c: int) -> Record:
        frame, offset = node.begun.frame, self.offsets[node.begun.number]
        rivals = [(frame.row(c, i), offset + i) for i in frame.leads(g) if i != c]
        return self._eliminated(frame, c, shut_out(node.piece.cone(), node.piece.numbers, rivals))


def _columns(piece: Piece) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """The columns of a piece: at its rays, and at its lines."""
    columns = list(zip(*piece.rays, strict=True))
    return columns, list(zip(*piece.lines, strict=True)) if piece.lines else [()] * len(columns)


def _width(classes: Sequence[int]) -> int:
    """The number of columns of a selector with these possible classes."""
    return 1 if len(classes) == 2 else len(classes)


def _step(path: int, branch: int) -> int:
    """A hash of the path to a child (the multiplier is Knuth's for 64-bit linear congruential generators)."""
    return ((path + branch) * 6364136223846793005 + 1442695040888963407 & 0xFFFFFFFFFFFFFFFF) >> 3


def prove(network: Network, multipliers: bool = False) -> Iterator[Record | Leaf]:
    """The records of the tree in their order; each L is followed by its leaf."""
    if choose_method(network) == "search":
        return prove_by_rows(network, multipliers)
    return _Prover(network, multipliers).run()

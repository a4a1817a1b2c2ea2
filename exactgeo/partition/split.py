"""The cells of one stage inside a convex parent, by splitting the parent on what really cuts it.

The parent is kept by its generators (``polyhedron.cone``). For each generator the *mark* is the set of classes that
attain the largest score there, for every selector at once, as bits of one integer. Everything follows from marks:

- A class w wins its selector on all of a node iff it attains the maximum at every generator: then score_w - score_i is
  nonnegative on all generators, hence on the node, and not identically zero, hence positive inside. So the AND of the
  marks shows which selectors are *settled*; for a line of the cone both the line and its negative must agree.
- The mark at a new generator between two old ones is the AND of theirs wherever that is not empty, because the maximum
  of affine forms is convex: a common winner at both ends wins in between, and one that loses at an end loses there. So
  scores are evaluated only where the two ends disagree.

A node with an unsettled selector is branched on it: with two classes by one hyperplane, otherwise class by class,
cutting by score_w - score_i for those i that beat w at some generator. A node whose selectors are all settled is a
cell. Complete, because the closed branches cover the node; no cell twice, because branches of a node have different
winners; every cell has an interior, because every node does.

The selector to branch on is picked by a hash of the path from the root: it needs no state, so the result does not
depend on who computes which branch, and it keeps the tree balanced where a fixed order would not.

>>> from exactgeo.partition.selectors import classes_of
>>> line = Cone.space(1)
>>> relu = classes_of([(0, 0), (0, 1)])
>>> [(won, cone.interior()) for won, cone in split(line, (relu,))]
[((0,), (1, -1)), ((1,), (1, 1))]
>>> sum(count(line, (relu,)))
2
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress
from operator import mul, sub

from exactgeo.partition.largest import largest
from exactgeo.partition.selectors import Classes, Winners, difference
from exactgeo.polyhedron.cone import Cone, Mark
from exactgeo.rational.rows import Row, dot, negated

__all__ = ["Marks", "branches", "count", "split", "step"]


class Marks:
    """Where each selector's classes lie among the bits of a mark, and how a mark is computed."""

    def __init__(self, selectors: Sequence[Classes]) -> None:
        self.offsets: list[int] = []
        self.fields: list[int] = []
        self.scores: list[tuple[Row, ...]] = []
        self.evaluate: dict[int, Callable[[Row], list[int]]] = {}  # where there are not two
        self.rows: list[Row | None] = []  # second minus first score, where there are two classes
        width = 0
        for classes in selectors:
            size = len(classes.rows)
            self.offsets.append(width)
            self.fields.append((1 << size) - 1 << width)
            self.scores.append(classes.rows)
            if size == 2:
                self.rows.append(difference(classes.rows[1], classes.rows[0]))
            else:
                self.rows.append(None)
                self.evaluate[len(self.rows) - 1] = largest(classes.rows)
            width += size
        self.everything = range(len(selectors))

    def complete(self, ray: Row, known: int, which: Sequence[int]) -> int:
        """``known`` with the empty fields of the selectors ``which`` filled in from the scores at ``ray``."""
        mark = known
        fields, offsets, rows = self.fields, self.offsets, self.rows
        for g in which:
            if known & fields[g]:
                continue
            row = rows[g]
            if row:
                value = sum(map(mul, row, ray))
                mark |= (2 if value > 0 else 1 if value < 0 else 3) << offsets[g]
                continue
            for j in self.evaluate[g](ray):
                mark |= 1 << offsets[g] + j
        return mark

    def unsettled(self, cone: Cone, which: Sequence[int]) -> tuple[int, list[int]]:
        """The AND of all marks, and those selectors of ``which`` that no single class wins on the cone."""
        common = -1
        for mark in cone.marks:
            common &= mark
        for line in cone.lines:
            common &= self.complete(line, 0, self.everything) & self.complete(negated(line), 0, self.everything)
        fields = self.fields
        return common, [g for g in which if not common & fields[g]]

    def mark(self, cone: Cone) -> Cone:
        """The cone with marks for these selectors."""
        return cone.unmarked().marked(lambda ray, known: self.complete(ray, known, self.everything))

    def winner(self, common: int, g: int) -> int:
        """The class that wins a settled selector, from the AND of all marks."""
        return ((common & self.fields[g]) >> self.offsets[g]).bit_length() - 1

    def winners(self, common: int) -> Winners:
        """The winners of all selectors of a cell, from the AND of all marks: it has one bit in each field."""
        bits = f"{common:b}"[::-1]
        return tuple(map(sub, compress(range(len(bits)), map("1".__eq__, bits)), self.offsets))

    def children(
        self, cone: Cone, g: int, open_selectors: Sequence[int], classes: Iterable[int] | None = None
    ) -> dict[int, Cone | None]:
        """For each class of selector g the part of the cone in which it wins, None where that has no interior.

        With ``classes``, only for these.
        """

        # Sliding along a line leaves nothing known of a ray; a crossing knows the winners of all settled selectors.
        fresh = self.everything if cone.lines else open_selectors
        row = self.rows[g]
        if row is not None:
            above, below = cone.split(row, lambda ray, known: self.complete(ray, known, fresh))
            return {0: below, 1: above}
        chosen = range(len(self.scores[g])) if classes is None else classes
        parts: dict[int, Cone | None] = {}
        for w in chosen:
            # On the way to a part only selector g matters: most rays of the way are cut off again.
            part = self._won(cone, g, w, lambda ray, known: self.complete(ray, known, (g,)))
            parts[w] = None if part is None else part.marked(lambda ray, known: self.complete(ray, known, fresh))
        return parts

    def number(self, cone: Cone, g: int) -> int:
        """How many classes of an unsettled selector g win somewhere inside the cone.

        A class that alone attains the largest score at a generator does, near that generator.
        """
        if self.rows[g] is not None:
            return 2
        field, offset = self.fields[g], self.offsets[g]
        alone = {mark & field for mark in cone.marks if (mark & field).bit_count() == 1}
        found = len(alone)
        for w in range(len(self.scores[g])):
            if 1 << offset + w not in alone:
                found += self._won(cone, g, w, lambda ray, known: self.complete(ray, known, (g,))) is not None
        return found

    def _won(self, cone: Cone, g: int, w: int, mark: Mark) -> Cone | None:
        """The part of the cone in which class w wins selector g, None where it has no interior.

        Each cut is by score_w - score_i for a class i that beats w somewhere, and i never beats w again: at most one
        cut for each class.
        """
        scores, offset, field = self.scores[g], self.offsets[g], self.fields[g]
        won = 1 << offset + w
        part: Cone | None = cone
        while part is not None:
            rival = self._rival_on_line(part, g, w)
            if rival is None:
                lost = [m & field for m in part.marks if not m & won]
                if not lost:
                    return part
                rival = (Counter(lost).most_common(1)[0][0] >> offset).bit_length() - 1
            part = part.keep(difference(scores[w], scores[rival]), mark)
        return None

    def _rival_on_line(self, cone: Cone, g: int, w: int) -> int | None:
        """A class whose score differs from that of w along a line of the cone."""
        scores = self.scores[g]
        for line in cone.lines:
            own = dot(scores[w], line)
            for i, score in enumerate(scores):
                if dot(score, line) != own:
                    return i
        return None


def split(cone: Cone, selectors: Sequence[Classes], path: int = 1) -> Iterator[tuple[Winners, Cone]]:
    """Every cell of the selectors inside the polyhedron of ``cone``: its winners and its cone.

    ``path`` is that of the node whose cone it is (see ``step``), 1 at the root.
    """
    marks = Marks(selectors)
    for part, common, _ in _nodes(marks, cone, path, counting=False):
        yield marks.winners(common), part


def branches(cone: Cone, selectors: Sequence[Classes], path: int) -> Iterator[tuple[Winners | int, Cone]]:
    """The tree of ``split`` from a node on whose path is given (see ``step``): every cell, with its winners.

    Where the cone has lines, only down to nodes without lines, which come with their paths.
    """
    marks = Marks(selectors)
    stop = bool(cone.lines)
    stack: list[tuple[Cone, Sequence[int], int]] = [(marks.mark(cone), marks.everything, path)]
    while stack:
        node, which, path = stack.pop()
        common, still = marks.unsettled(node, which)
        if not still:
            yield marks.winners(common), node
        elif stop and not node.lines:
            yield path, node
        else:
            stack.extend(_branched(marks, node, still, path))


def count(cone: Cone, selectors: Sequence[Classes], path: int = 1) -> Iterator[int]:
    """The number of cells of the selectors inside the polyhedron of ``cone``, in instalments that add up to it.

    ``path`` as in ``split``.
    """
    for _, _, leaves in _nodes(Marks(selectors), cone, path, counting=True):
        yield leaves


def _nodes(marks: Marks, cone: Cone, path: int, counting: bool) -> Iterator[tuple[Cone, int, int]]:
    """The leaves of the split tree, depth first, with the number of cells in each.

    With ``counting``, a node that a single selector still cuts is a leaf with several cells, most of which need not be
    built.
    """
    stack: list[tuple[Cone, Sequence[int], int]] = [(marks.mark(cone), marks.everything, path)]
    while stack:
        node, which, path = stack.pop()
        common, still = marks.unsettled(node, which)
        if not still:
            yield node, common, 1
        elif counting and len(still) == 1:
            yield node, common, marks.number(node, still[0])
        else:
            stack.extend(_branched(marks, node, still, path))


def _branched(marks: Marks, node: Cone, still: list[int], path: int) -> list[tuple[Cone, Sequence[int], int]]:
    """The children of a node, the first one last, with the selectors still open and their paths."""
    parts = [part for part in marks.children(node, still[path % len(still)], still).values() if part is not None]
    return [(part, still, step(path, number)) for number, part in reversed([*enumerate(parts, 1)])]


def step(path: int, branch: int) -> int:
    """A hash of the path to a child (the multiplier is Knuth's for 64-bit linear congruential generators)."""
    return ((path + branch) * 6364136223846793005 + 1442695040888963407 & 0xFFFFFFFFFFFFFFFF) >> 3

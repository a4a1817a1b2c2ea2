"""The split tree (FORMAT.md, section 4): the main one, or that of a template.

Part in the soundness theorem: *Points of a node, Branches, Bounds, Leaves*. Invariant: the current node and the nodes
still open on the stack, together with the leaves and the nodes closed as empty or by a reference, contain every point
of the open domain that has a pattern, each in one of them. A record keeps the invariant or is rejected; so at the end
the leaves and the cells referred to are all the cells.

One path is stored. What belongs to a stage begun is a `Level`; a branch remembers how long the level's lists were,
and going to the next child cuts them back. A stage is begun only when a record needs it, which changes nothing: a
selector of a stage just begun is settled only if it has one class, and such a selector has no rows. So the last level
of a path always holds something that a record did.
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass
from operator import ge

from .farkas import refute
from .frames import Frame
from .limits import LIMITS, demand
from .maps import Map, measured
from .rows import Row, affordable, ascending, corners, tangent, values
from .stage import Model, Tied
from .verdict import Rejected, Unreadable, show

__all__ = ["Space", "Tree", "image", "strictly_inside"]


@dataclass(frozen=True)
class Space:
    """Where a tree lives: `rows` of the open set, and the `map` from there to the input of stage `first`.

    For the main tree that is the domain, and `inner` is false: the forward pass begins with the first layer.
    """

    first: int
    map: Map
    rows: list[Row]
    inner: bool = False

    def point(self, given: list[int]) -> list[int]:
        """The point [q, p] that a record gives."""
        if len(given) != len(self.map[1]) or given[0] <= 0:
            raise Rejected("point", "", f"{len(given)} entries, the first {show(given[0]) if given else None}")
        return given


class Level:
    """A stage begun on the current path: `possible` classes of each selector, and `won`, the members of the winners.

    What is in `won` of a selector that is not settled means nothing; `unsettled` are these selectors. There is `room`
    for so many sums.
    """

    __slots__ = ("frame", "order", "possible", "room", "sums", "trail", "unsettled", "won")

    def __init__(self, frame: Frame, room: int) -> None:
        self.frame = frame
        self.room = room
        self.possible = frame.names.copy()
        self.won: list[tuple[int, ...]] = [()] * len(frame.classes)
        self.unsettled = {g for g, names in enumerate(frame.names) if len(names) > 1}
        self.trail: list[tuple[int, list[int] | int]] = []  # (selector, what was possible before, or what no longer is)
        self.order: list[tuple[int, int]] = []  # (selector, winner) as they were settled
        self.sums: list[tuple[int, Map]] = [(0, frame.start())]  # (i, sum of the first i of `order`), as needed


class Branch:
    """An M record whose children are not all visited, and the state to go back to."""

    __slots__ = ("child", "level", "names", "order", "selector", "trail")

    def __init__(self, tree: Tree, selector: int) -> None:
        level = tree.levels[-1]
        self.level, self.selector, self.names, self.child = len(tree.levels), selector, level.possible[selector], 0
        self.trail, self.order = len(level.trail), len(level.order)


class Tree:
    """The path to the current node. `cells` and `done` tell how far the proof is.

    `rows` are those of the domain that are not zero; `pattern` is an integer with the winner of selector g of stage t
    in `shift[t][g]` and the next bits; `unsettled` are the selectors of the last stage begun with more than one
    possible class.
    """

    def __init__(self, model: Model, space: Space) -> None:
        self.model, self.space = model, space
        self.dimension = len(space.map[1]) - 1
        self.most = model.begin(space.first, self.dimension)
        self.levels: list[Level] = []
        self.stack: list[Branch] = []
        self.rows: list[Row] = [row for row in space.rows if any(row)]
        self.unsettled: set[int] = set()
        self.pattern = 0
        self.cells = 0
        self.done = False

    # -- moving --

    def _settle(self, level: Level, t: int, g: int, w: int) -> None:
        """Class w is the winner of selector g: its rows become citable."""
        level.order.append((g, w))
        level.unsettled.discard(g)
        level.won[g] = level.frame.classes[g][w]
        self.pattern |= w << self.model.shift[t][g]

    def stage(self) -> int:
        """The number of the next stage to begin."""
        return self.space.first + len(self.levels)

    def begin(self, last: int) -> None:
        """Begin the stages before `last` whose predecessors are settled."""
        if self.done:
            raise Rejected("tree-closed", "", f"after {show(self.cells)} cells")
        while not self.unsettled and (t := self.stage()) < last:
            f, stage = self.composed(), self.model.stages[t]
            length = measured(f, self.most) // len(f[1][0]) + len(f[1]) * (8 + stage.bits // 8)  # of an output
            room = 1 + LIMITS["SUMS"].most // (length * len(stage.base) * len(self.model.stages))
            level = Level(Frame(stage, f), room)
            self.levels.append(level)
            self.unsettled = level.unsettled
            if len(self.unsettled) < len(level.possible):
                for g, names in enumerate(level.possible):
                    if len(names) == 1:
                        self._settle(level, t, g, names[0])

    def composed(self) -> Map:
        """The map of the stages begun, all of them settled."""
        if not self.levels:
            return self.space.map
        level = self.levels[-1]
        done, total = level.sums[-1]
        room = level.room
        ends = [len(level.order)]
        for branch in reversed(self.stack):  # where the path may go on
            if branch.level < len(self.levels) or branch.order <= done or len(ends) > room:
                break
            ends.append(branch.order)
        for end in reversed(ends):
            if end > done:
                total = level.frame.add(total, level.order[done:end])
                level.sums.append((end, total))
                done = end
        del level.sums[1:-room]
        return level.frame.finish(total)

    def _next(self) -> None:
        """Enter the next open node, the current one being closed."""
        if not self.stack:
            self.done = True
            return
        branch = self.stack[-1]
        if len(self.levels) > branch.level:
            del self.levels[branch.level :]
            self.pattern &= (1 << 8 * self.model.stage_end[self.stage()]) - 1
        level, g, t = self.levels[-1], branch.selector, self.stage() - 1
        self.unsettled = level.unsettled
        while len(level.trail) > branch.trail:
            selector, before = level.trail.pop()
            if isinstance(before, int):
                insort(level.possible[selector], before)
            else:
                level.possible[selector] = before
            self.unsettled.add(selector)
        for selector, w in level.order[branch.order :]:
            self.pattern ^= w << self.model.shift[t][selector]
        del level.order[branch.order :]
        while level.sums[-1][0] > branch.order:
            level.sums.pop()
        w = branch.names[branch.child]
        branch.child += 1
        if branch.child == len(branch.names):
            self.stack.pop()
        level.trail.append((g, branch.names))
        level.possible[g] = [w]
        self._settle(level, t, g, w)

    def _unsettled(self, g: int) -> list[int]:
        """The possible classes of selector g of the current stage, which must be unsettled."""
        self.begin(len(self.model.stages))
        if not self.levels or not 0 <= g < len(self.levels[-1].possible):
            raise Rejected("selector", "", show(g))
        names = self.levels[-1].possible[g]
        if len(names) < 2:
            raise Rejected("settled", "", f"selector {g} has the winner {names[0]}")
        return names

    def cited(self, numbers: list[int], selector: int = -1, winner: int = -1) -> list[Row]:
        """The rows with these numbers; in an E record `winner` of `selector` of the current stage is supposed."""
        domain, owner, levels, first = self.space.rows, self.model.owner, self.levels, self.space.first
        ascending(numbers)
        rows: list[Row] = []
        for number in numbers:
            if number < len(domain):
                rows.append(domain[number])
                continue
            if number - len(domain) >= len(owner):
                raise Rejected("not-citable", "", f"row {show(number)}: no such candidate")
            t, g, c = owner[number - len(domain)]
            if not first <= t < first + len(levels):
                raise Rejected("not-citable", "", f"row {number}: its stage has not begun")
            level = levels[t - first]
            if g == selector and t - first == len(levels) - 1:
                w = winner
            else:
                names = level.possible[g]
                if len(names) > 1:
                    raise Rejected("not-citable", "", f"row {number}: its selector is not settled")
                w = names[0]
            if c == w or c not in level.frame.classes[g]:
                raise Rejected("not-citable", "", f"row {number}: candidate {c} does not name a losing class")
            rows.append(level.frame.row(g, w, c))
        return rows

    def _refuted(self, numbers: list[int], given: list[int] | None, selector: int = -1, winner: int = -1) -> None:
        if not numbers:
            raise Rejected("cited-none", "", "no row")
        refute(self.cited(numbers, selector, winner), given)

    # -- records --

    def branch(self, g: int) -> None:
        """["M",g]"""
        self._unsettled(g)
        self.stack.append(Branch(self, g))
        self._next()

    def exclude(self, g: int, j: int, numbers: list[int], given: list[int] | None = None) -> None:
        """["E",g,j,...]"""
        names = self._unsettled(g)
        if j not in names:
            raise Rejected("class", "", f"{show(j)} of selector {g}")
        self._refuted(numbers, given, g, j)
        level = self.levels[-1]
        if names is level.frame.names[g]:
            level.trail.append((g, names))
            level.possible[g] = names = names.copy()
        else:
            level.trail.append((g, j))
        names.remove(j)
        if len(names) == 1:
            self._settle(level, self.stage() - 1, g, names[0])

    def bounds(self, numbers: list[int]) -> None:
        """["B",[...]]: score_i - score_j = sum(l_m R_m) with all l_m >= 0 just if i is nowhere less at the corners."""
        self.begin(len(self.model.stages))
        d = self.dimension
        if not d <= len(numbers) <= d + 1:
            raise Rejected("bounds-size", "", f"{len(numbers)} rows in dimension {d}")
        demand("BOUNDED", d)
        rows = self.cited(numbers)
        if not affordable(rows):
            raise Unreadable("limit-bounds", "", f"{len(rows)} rows of long integers")
        points = corners(rows) if len(rows) > d else tangent(rows)
        if points is None:
            raise Rejected("bounds-singular", "", f"rows {show(numbers)}")
        kept = self._undominated(points) if self.unsettled else {}
        if not kept:
            raise Rejected("bounds-nothing", "", f"rows {show(numbers)}")
        level, t = self.levels[-1], self.stage() - 1
        for g, names in kept.items():
            level.trail.append((g, level.possible[g]))
            level.possible[g] = names
            if len(names) == 1:
                self._settle(level, t, g, names[0])

    def _undominated(self, points: list[Row]) -> dict[int, list[int]]:
        """For each selector of which some possible class is nowhere more than another at the points: the others."""
        level = self.levels[-1]
        frame, possible, kept = level.frame, level.possible, {}
        if frame.gaps:
            gaps = [frame.gaps[g] for g in self.unsettled]
            at = [values(gaps, point) for point in points]
            for g, low, high in zip(self.unsettled, map(min, *at), map(max, *at), strict=True):
                if low >= 0:
                    kept[g] = [1]
                elif high <= 0:
                    kept[g] = [0]
            return kept
        demand("PAIRS", sum([len(possible[g]) * len(frame.names[g]) for g in self.unsettled]))
        for g in self.unsettled:
            scores, names = frame.stage.scores[g], frame.names[g]
            rows = [frame.pulled[scores[c]] for c in names]
            left = _front(names, possible[g], [values(rows, point) for point in points])
            if not left:
                raise Rejected("bounds-all", "", f"selector {g}")
            if len(left) < len(possible[g]):
                kept[g] = left
        return kept

    def close(self, numbers: list[int], given: list[int] | None = None) -> None:
        """["X",...]"""
        self.begin(0)
        self._refuted(numbers, given)
        self._next()

    def leaf(self, given: list[int]) -> tuple[Map, int]:
        """["L",...]: the affine map and the pattern of the leaf."""
        self.begin(len(self.model.stages))
        if self.unsettled:
            raise Rejected("not-final", "", f"{len(self.unsettled)} selectors of stage {self.stage() - 1}")
        point = self.space.point(given)
        output, winners = self._passed(point)
        if min(values(self.rows, point), default=1) <= 0 or winners != [level.won for level in self.levels]:
            strictly_inside(self.citable(), point)
            raise Rejected("forward-winners", "", f"point {show(point)}")
        found, pattern = self.composed(), self.pattern
        if not _same(image(found, point), output):
            raise Rejected("forward-output", "", f"at the point {show(point)}")
        self.count(1)
        return found, pattern

    def _passed(self, point: list[int]) -> tuple[list[int], list[Tied]]:
        """The forward pass: the output as a list [q, p], and for each stage the candidates that win, with all ties.

        By induction over the stages the pass reads what the maps of the path give, as long as its winners are those of
        the path. So they are, in all stages, just if the point is strictly inside all rows of the path: these need not
        be evaluated.
        """
        if not self.space.inner:
            return self.model.forward(point)
        return self.model.forward(image(self.space.map, point), self.space.first)

    def citable(self) -> list[Row]:
        """The citable rows that are not zero, by number."""
        rows = self.rows.copy()
        for level in self.levels:
            for g, names in enumerate(level.possible):
                if len(names) == 1:
                    rows += level.frame.losers(g, names[0])
        return rows

    def count(self, cells: int) -> None:
        """Close the current node, which has so many cells."""
        self.cells += cells
        self._next()


def strictly_inside(rows: list[Row], point: list[int]) -> None:
    """Rejected unless the rows are positive at the point."""
    for row, value in zip(rows, values(rows, point), strict=True):
        if value <= 0:
            raise Rejected("point-row", "", f"point {show(point)}, row {show(row)}")


def image(f: Map, point: list[int]) -> list[int]:
    """f at the point, as a list [q, p]."""
    den, columns = f
    return [den * point[0], *values(zip(*columns, strict=True), point)]


def _same(x: list[int], y: list[int]) -> bool:
    """Whether two lists [q, p] mean the same point."""
    times, over = divmod(y[0], x[0])
    if over:
        times, y = y[0], [x[0] * value for value in y]
    return [times * value for value in x] == y if times != 1 else x == y


def _front(classes: list[int], names: list[int], at: list[list[int]]) -> list[int]:
    """Those of the names for which no other class is nowhere less at the points; `at` are the classes' scores there.

    A class that is nowhere less than another has a larger sum, and so has one for which there is none such.
    """
    top = at[0].index(max(at[0]))
    if all(heights[top] == max(heights) for heights in at):  # it is nowhere less than any other
        return [classes[top]] if classes[top] in names else []
    vectors = list(zip(*at, strict=True))
    front: dict[int, Row] = {}
    for _, c, vector in sorted(zip(map(sum, vectors), classes, vectors, strict=True), reverse=True):
        if not any(all(map(ge, other, vector)) for other in front.values()):
            front[c] = vector
    return [name for name in names if name in front]

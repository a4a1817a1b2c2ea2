"""The split tree (FORMAT.md, section 4).

Part in the soundness theorem: *Points of a node, Branches, Leaves*. Invariant: the current node and the nodes still
open on the stack, together with the leaves and the nodes closed as empty, contain every point of the open domain that
has a pattern, each in one of them. A record keeps the invariant or is rejected; so at the end the leaves are all the
cells.

One path is stored. What belongs to a stage begun is a `Level`; a branch remembers how long the level's lists were,
and going to the next child cuts them back. A stage is begun only when a record needs it, which changes nothing: a
selector of a stage just begun is settled only if it has one class, and such a selector has no rows.
"""

from __future__ import annotations

from operator import mul

from .farkas import refute
from .forward import Forward
from .network import Row
from .stages import Frame, Map, Model, Sum
from .verdict import Rejected, show

__all__ = ["Tree", "least"]


def least(rows: list[Row], point: list[int]) -> int:
    """The least value of q (b + a.x) over the rows at the point [q, p]; 1 if there is no row."""
    if not rows:
        return 1
    if len(point) == 2:
        q, x = point
        return min([b * q + a * x for b, a in rows])
    if len(point) == 3:
        q, x, y = point
        return min([b * q + a * x + c * y for b, a, c in rows])
    if len(point) == 4:
        q, x, y, z = point
        return min([b * q + a * x + c * y + e * z for b, a, c, e in rows])
    if len(point) == 5:
        q, x, y, z, u = point
        return min([b * q + a * x + c * y + e * z + f * u for b, a, c, e, f in rows])
    values: list[int] = [sum(map(mul, row, point)) for row in rows]
    return min(values)


class Level:
    """A stage begun on the current path: `possible` classes of each selector, `won` members of the winners."""

    __slots__ = ("frame", "order", "possible", "sums", "trail", "won")

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.possible = [list(classes) for classes in frame.classes]
        self.won: list[tuple[int, ...]] = [()] * len(frame.classes)
        self.trail: list[tuple[int, list[int]]] = []  # (selector, what was possible before)
        self.order: list[tuple[int, int]] = []  # (selector, winner) as they were settled
        self.sums: list[Sum] = [frame.start()]  # sums[i]: with the first i of `order`; made when needed


class Branch:
    """An M record whose children are not all visited, and the state to go back to."""

    __slots__ = ("active", "child", "level", "names", "order", "pattern", "selector", "trail", "unsettled")

    def __init__(self, tree: Tree, selector: int) -> None:
        level = tree.levels[-1]
        self.level, self.selector, self.names, self.child = len(tree.levels), selector, level.possible[selector], 0
        self.trail, self.order, self.active = len(level.trail), len(level.order), len(tree.active)
        self.unsettled, self.pattern = tree.unsettled, tree.pattern


class Tree:
    """The path to the current node. `leaves` and `done` tell how far the proof is.

    `active` are the rows of the domain that are not zero and all other citable rows; `pattern` is an integer with the
    winner of selector g of stage t in `shift[t][g]` and the next bits.
    """

    def __init__(self, model: Model, forward: Forward) -> None:
        self.model, self.forward = model, forward
        self.levels: list[Level] = []
        self.stack: list[Branch] = []
        self.active: list[Row] = [row for row in model.domain if any(row)]
        self.unsettled = 0
        self.pattern = 0
        self.leaves = 0
        self.done = False
        self.shift: list[list[int]] = []
        self.stage_end: list[int] = [0]  # in bytes: a stage begins at a byte
        for stage in model.stages:
            shifts, at = [], 8 * self.stage_end[-1]
            for selector in stage.selectors:
                shifts.append(at)
                at += (len(selector) - 1).bit_length()
            self.shift.append(shifts)
            self.stage_end.append((at + 7) // 8)

    # -- moving --

    def _settle(self, level: Level, t: int, g: int, w: int) -> None:
        """Class w is the winner of selector g: its rows become citable."""
        level.order.append((g, w))
        level.won[g] = level.frame.classes[g][w]
        self.active += level.frame.losers(g, w)
        self.pattern |= w << self.shift[t][g]
        self.unsettled -= 1

    def _begin(self) -> None:
        """Begin the stages whose predecessors are settled."""
        if self.done:
            raise Rejected("tree-closed", "", f"after {self.leaves} leaves")
        while not self.unsettled and len(self.levels) < len(self.model.stages):
            t = len(self.levels)
            level = Level(Frame(self.model.stages[t], self._map()))
            self.levels.append(level)
            self.unsettled = len(level.possible)
            for g, names in enumerate(level.possible):
                if len(names) == 1:
                    self._settle(level, t, g, names[0])

    def _map(self) -> Map:
        """The map of the stages begun, all of them settled."""
        if not self.levels:
            return self.model.first
        level = self.levels[-1]
        sums = level.sums
        for g, w in level.order[len(sums) - 1 :]:
            sums.append(level.frame.add(sums[-1], g, w))
        return level.frame.finish(sums[-1])

    def _next(self) -> None:
        """Close the current node and enter the next open one."""
        if not self.stack:
            self.done = True
            return
        branch = self.stack[-1]
        del self.levels[branch.level :]
        level, g = self.levels[-1], branch.selector
        while len(level.trail) > branch.trail:
            selector, names = level.trail.pop()
            level.possible[selector] = names
        del level.order[branch.order :], level.sums[branch.order + 1 :], self.active[branch.active :]
        self.unsettled, self.pattern = branch.unsettled, branch.pattern
        w = branch.names[branch.child]
        branch.child += 1
        if branch.child == len(branch.names):
            self.stack.pop()
        level.trail.append((g, branch.names))
        level.possible[g] = [w]
        self._settle(level, branch.level - 1, g, w)

    def _unsettled(self, g: int) -> list[int]:
        """The possible classes of selector g of the current stage, which must be unsettled."""
        self._begin()
        if not self.levels or not 0 <= g < len(self.levels[-1].possible):
            raise Rejected("selector", "", show(g))
        names = self.levels[-1].possible[g]
        if len(names) < 2:
            raise Rejected("settled", "", f"selector {g} has the winner {names[0]}")
        return names

    def _cited(self, numbers: list[int], selector: int = -1, winner: int = -1) -> list[Row]:
        """The rows with these numbers; in an E record `winner` of `selector` of the current stage is supposed."""
        domain, owner, levels = self.model.domain, self.model.owner, self.levels
        if not numbers:
            raise Rejected("cited-none", "", "no row")
        rows: list[Row] = []
        last = -1
        for number in numbers:
            if number <= last:
                raise Rejected("cited-order", "", f"{show(number)} after {show(last)}")
            last = number
            if number < len(domain):
                rows.append(domain[number])
                continue
            if number - len(domain) >= len(owner):
                raise Rejected("not-citable", "", f"row {show(number)}: no such candidate")
            t, g, c = owner[number - len(domain)]
            if t >= len(levels):
                raise Rejected("not-citable", "", f"row {number}: its stage has not begun")
            level = levels[t]
            if g == selector and t == len(levels) - 1:
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

    # -- records --

    def branch(self, g: int) -> None:
        """["M",g]"""
        self._unsettled(g)
        self.stack.append(Branch(self, g))
        self._next()

    def exclude(self, g: int, j: int, numbers: list[int], given: list[int] | None) -> None:
        """["E",g,j,...]"""
        names = self._unsettled(g)
        if j not in names:
            raise Rejected("class", "", f"{show(j)} of selector {g}")
        refute(self._cited(numbers, g, j), given)
        level = self.levels[-1]
        level.trail.append((g, names))
        level.possible[g] = rest = [name for name in names if name != j]
        if len(rest) == 1:
            self._settle(level, len(self.levels) - 1, g, rest[0])

    def close(self, numbers: list[int], given: list[int] | None) -> None:
        """["X",...]"""
        if self.done:
            raise Rejected("tree-closed", "", f"after {self.leaves} leaves")
        refute(self._cited(numbers), given)
        self._next()

    def leaf(self, point: list[int]) -> tuple[Map, int]:
        """["L",...]: the affine map and the pattern of the leaf."""
        self._begin()
        if self.unsettled:
            raise Rejected("not-final", "", f"{self.unsettled} selectors of stage {len(self.levels) - 1}")
        if len(point) != self.model.dimension + 1 or point[0] <= 0:
            raise Rejected("point", "", f"{len(point)} entries, the first {show(point[0])}")
        if least(self.active, point) <= 0:
            row = next(row for row in self.active if sum(map(mul, row, point)) <= 0)
            raise Rejected("point-row", "", f"point {show(point)}, row {show(row)}")
        found, pattern = self._map(), self.pattern
        self._compare(point, found)
        self.leaves += 1
        self._next()
        return found, pattern

    def _compare(self, point: list[int], found: Map) -> None:
        """The forward pass at the point finds the winners of the path, with all ties, and the output of its map."""
        (q, output), winners = self.forward(point)
        for t, (tied, level) in enumerate(zip(winners, self.levels, strict=True)):
            if tied != level.won:
                raise Rejected("forward-winners", "", f"stage {t} at the point {show(point)}")
        den, rows = found
        left, right = den * point[0], q
        if [right * sum(map(mul, row, point)) for row in rows] != [left * value for value in output]:
            raise Rejected("forward-output", "", f"at the point {show(point)}")

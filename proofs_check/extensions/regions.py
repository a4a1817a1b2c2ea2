"""Walls, separations, and the bounds lo..hi on the number of regions (FORMAT.md, section 7).

Part in the soundness theorem: *Merges, Separations, Bounds*, and the number of affine maps.

Per leaf: its pattern (packed), its point (as text), the number of its affine map. Rows of a leaf are recomputed from
its pattern. Leaves are in depth-first order, so those that agree in the first s stages are consecutive.

Open pairs without comparing all pairs. Let leaves a, b with the same map, in different components, first differ in
stage t, and let the pair not be free: at every selector of stage t with different winners v, v', the row of score_v -
score_v' is proportional to h. All these rows, and h, are positive on a, so they are positive multiples of one
another: *equal*, being primitive. Which b can this be, given a, t and the row h?
- A selector g of stage t with winner w on a, and a class c with row(w, c) = h: score_c > score_w on b, where h < 0.
  So w does not win g on b: g is one of the selectors that differ.
- So g's winner on b is a class c with row(w, c) = h. Of these, score_c = score_w - k_c h with k_c > 0 the content of
  the difference, and different classes have different k_c; on b, where h < 0, the largest k_c wins.
- A selector without such a class has the same winner on b as on a.
So the winners of b in the stages 0..t are determined: one look-up for each (prefix, t, row). Conversely a pair of
leaves found in this way first differs in stage t, and only at selectors whose rows equal h: it is not free. Below the
two prefixes found, blocks of leaves are compared, larger blocks first: a block pair in one component, or covered by
an N record, is done. A pair once joined in `lo` needs no second look, for joining it again would change nothing.
"""

from __future__ import annotations

import hashlib
from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterator
from math import gcd
from operator import mul

from ..core.farkas import combine, multipliers
from ..core.frames import Frame
from ..core.limits import LIMITS
from ..core.maps import Map, measured
from ..core.reading import grammar
from ..core.rows import Row, ascending, key, primitive, values
from ..core.stage import Model, Stage
from ..core.verdict import Rejected, show
from .implied import remainder

__all__ = ["RECORDS", "Maps", "Regions"]

RECORDS = grammar(W="I,I(?:,LIST)?", N="A,A,LIST,LIST(?:,LIST,LIST)?")


class Table:
    """A hash table of numbers, 8 to 32 bytes for each; key(i) is the key of number i."""

    def __init__(self, key: Callable[[int], bytes]) -> None:
        self._key = key
        self._slots = array("q", [-1]) * 8
        self._used = 0

    def _slot(self, key: bytes) -> int:
        """The slot that holds the key's number, or the free one where it belongs."""
        slots, mask = self._slots, len(self._slots) - 1
        at = hash(key) & mask
        while slots[at] >= 0 and self._key(slots[at]) != key:
            at = (at + 1) & mask
        return at

    def find(self, key: bytes) -> int:
        """The number with this key, or -1."""
        return self._slots[self._slot(key)]

    def add(self, key: bytes, number: int) -> None:
        """Enter a number whose key is not there."""
        if 2 * self._used >= len(self._slots):
            old = self._slots
            self._slots = array("q", [-1]) * (4 * len(old))
            for other in old:
                if other >= 0:
                    self._slots[self._slot(self._key(other))] = other
        self._slots[self._slot(key)] = number
        self._used += 1


class Maps:
    """Different affine maps, by the SHA-256 of their reduced integers."""

    def __init__(self) -> None:
        self._digests = bytearray()
        self._table = Table(lambda i: bytes(self._digests[32 * i : 32 * i + 32]))
        self.count = 0

    def number(self, found: Map) -> int:
        """The map's number; maps are numbered as they first appear."""
        digest = hashlib.sha256(key(found)).digest()
        known = self._table.find(digest)
        if known >= 0:
            return known
        self._digests += digest
        self._table.add(digest, self.count)
        self.count += 1
        return self.count - 1


def _root(parent: array[int], i: int) -> int:
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


def _join(parent: array[int], i: int, j: int) -> bool:
    """Join two components; False if they are one already."""
    i, j = _root(parent, i), _root(parent, j)
    parent[max(i, j)] = min(i, j)
    return i != j


def _proportional(row: Row, h: Row) -> bool:
    """Whether the primitive row is a rational multiple of the primitive row h, which is not zero."""
    return row == h or not any(row) or row == tuple([-value for value in h])


class _Frame(Frame):
    """A stage begun at some leaves."""

    __slots__ = ("_beyond",)

    def __init__(self, stage: Stage, f: Map) -> None:
        super().__init__(stage, f)
        self._beyond: dict[tuple[int, int], dict[bytes, int]] = {}

    def beyond(self, g: int, w: int) -> dict[bytes, int]:
        """For the key of each row of class w of selector g: the class that wins beyond, with the largest difference."""
        found: dict[bytes, tuple[int, int]] = {}
        if (g, w) not in self._beyond:
            for c in self.classes[g]:
                if c != w:
                    difference = self.difference(g, w, c)
                    row, steep = key(primitive(difference)), (gcd(*difference), c)
                    found[row] = max(found.get(row, steep), steep)
            if len(self._beyond) * len(found) * len(self.pulled[0]) > LIMITS["ROWS"].most:
                self._beyond.clear()
            self._beyond[g, w] = {row: c for row, (_, c) in found.items()}
        return self._beyond[g, w]


class Regions:
    """The leaves, the W records as a union of leaves, the N records as pairs of prefixes."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.stages = len(model.stages)
        self._most = model.begin(0, model.dimension)
        self._shift, self._end = model.shift, model.stage_end
        self._size = model.stage_end[-1]
        self._patterns = bytearray()
        self._points, self._point_end = bytearray(), array("Q", [0])
        self._map_of = array("q")
        self._parent = array("q")
        self._separated: set[tuple[int, int, int, int]] = set()  # (s, first leaf, s', first leaf), lesser first
        self._levels: set[tuple[int, int]] = set()  # the pairs (s, s') in it
        self._frames: OrderedDict[tuple[int, bytes], _Frame] = OrderedDict()
        widest = max((len(stage.forms) + len(stage.selectors) for stage in model.stages), default=1)
        self._frames_kept = 2 * self.stages + LIMITS["FRAMES"].most // (widest * (model.dimension + 1))
        self.components = 0

    def add(self, pattern: int, point: str, map_number: int) -> None:
        """The next leaf."""
        self._patterns += pattern.to_bytes(self._size, "little")
        self._points += point.encode()
        self._point_end.append(len(self._points))
        self._parent.append(len(self._map_of))
        self._map_of.append(map_number)
        self.components += 1

    # -- leaves and their rows --

    def _prefix(self, leaf: int, s: int) -> bytes:
        """The winners of the first s stages."""
        start = leaf * self._size
        return bytes(self._patterns[start : start + self._end[s]])

    def _point(self, leaf: int) -> list[int]:
        text = self._points[self._point_end[leaf] : self._point_end[leaf + 1]]
        return [int(part) for part in text.split(b",")]

    def _winner(self, leaf: int, t: int, g: int) -> int:
        """That of selector g of stage t."""
        shift, size = self._shift[t][g], (len(self.model.stages[t].selectors[g]) - 1).bit_length()
        start = leaf * self._size
        own = self._patterns[start + shift // 8 : start + (shift + size + 7) // 8]
        return (int.from_bytes(own, "little") >> shift % 8) & ((1 << size) - 1)

    def _winners(self, leaf: int, t: int) -> list[int]:
        bits = int.from_bytes(self._prefix(leaf, t + 1), "little")
        selectors = self.model.stages[t].selectors
        return [
            (bits >> shift) & ((1 << (len(selector) - 1).bit_length()) - 1)
            for shift, selector in zip(self._shift[t], selectors, strict=True)
        ]

    def _frame(self, leaf: int, t: int) -> _Frame:
        """Stage t begun with the map of the leaf's stages before it."""
        s = t
        while (frame := self._frames.get((s, self._prefix(leaf, s)))) is None and s:
            s -= 1
        if frame is None:
            frame = self._keep(0, leaf, self.model.first)
        while s < t:
            total = frame.add(frame.start(), list(enumerate(self._winners(leaf, s))))
            s += 1
            frame = self._keep(s, leaf, frame.finish(total))
        return frame

    def _keep(self, s: int, leaf: int, f: Map) -> _Frame:
        """A new frame, in the place of the one made longest ago if there are too many."""
        measured(f, self._most)
        frame = _Frame(self.model.stages[s], f)
        self._frames[s, self._prefix(leaf, s)] = frame
        if len(self._frames) > self._frames_kept:
            self._frames.popitem(last=False)
        return frame

    def _rows(self, leaf: int) -> Iterator[list[Row]]:
        """All rows of the leaf, some at a time."""
        yield self.model.domain
        for t in range(self.stages):
            frame = self._frame(leaf, t)
            winners = enumerate(self._winners(leaf, t))
            yield [frame.row(g, w, c) for g, w in winners for c in frame.classes[g] if c != w]

    def _hyperplane(self, a: int, b: int) -> tuple[int, Row]:
        """The first stage in which two leaves differ, and h there."""
        t = 0
        while t < self.stages and self._prefix(a, t + 1) == self._prefix(b, t + 1):
            t += 1
        if t == self.stages:
            raise Rejected("leaf-number", "", f"leaves {a} and {b} are the same")
        pairs = zip(self._winners(a, t), self._winners(b, t), strict=True)
        g, (w, v) = next((g, pair) for g, pair in enumerate(pairs) if pair[0] != pair[1])
        return t, self._frame(a, t).row(g, w, v)

    def _leaf(self, number: int) -> int:
        if not 0 <= number < len(self._map_of):
            raise Rejected("leaf-number", "", f"{show(number)} of {len(self._map_of)}")
        return number

    # -- records --

    def wall(self, a: int, b: int, point: list[int] | None = None) -> None:
        """["W",a,b] or ["W",a,b,point]"""
        if self._leaf(a) >= self._leaf(b):
            raise Rejected("leaf-number", "", f"{a} is not less than {b}")
        if self._map_of[a] != self._map_of[b]:
            raise Rejected("other-map", "", f"leaves {a} and {b}")
        _, h = self._hyperplane(a, b)
        if point is None:
            p, q = self._point(a), self._point(b)
            above, below = sum(map(mul, h, p)), -sum(map(mul, h, q))  # both positive
            point = [below * u + above * v for u, v in zip(p, q, strict=True)]
        if len(point) != self.model.dimension + 1 or point[0] <= 0:
            raise Rejected("point", "", f"{len(point)} entries")
        if sum(map(mul, h, point)):
            raise Rejected("wall-hyperplane", "", f"point {show(point)}, h {show(h)}")
        for leaf in (a, b):
            for rows in self._rows(leaf):
                for row, value in zip(rows, values(rows, point), strict=True):
                    if value <= 0 and not _proportional(row, h):
                        raise Rejected("wall-row", "", f"point {show(point)}, row {show(row)} of leaf {leaf}")
        self.components -= _join(self._parent, a, b)

    def separation(self, one: object, other: object, lists: list[list[int]]) -> None:
        """["N",A,B,ka,kb] or ["N",A,B,ka,la,kb,lb]"""
        (a, s), (b, r) = self._side(one), self._side(other)
        t, h = self._hyperplane(a, b)
        if t >= s or t >= r:
            raise Rejected("prefix", "", f"leaves {a} and {b} first differ in stage {t}")
        cited = [lists[0], lists[1]] if len(lists) == 2 else [lists[0], lists[2]]
        rows = self._cited(a, s, cited[0]) + self._cited(b, r, cited[1])
        if not rows:
            raise Rejected("cited-none", "", "no row")
        for row in rows:
            if _proportional(row, h):
                raise Rejected("proportional", "", f"row {show(row)}, h {show(h)}")
        if len(lists) == 2:
            given = multipliers([row[1:] for row in [*rows, h]], free=1)
        else:
            if len(lists[1]) != len(lists[0]):
                raise Rejected("multipliers", "", f"{len(lists[1])} for {len(lists[0])} rows")
            given = lists[1] + lists[3]
        total = combine(rows, given)
        found = remainder(total, h)  # T + mu h with any mu
        if found is None:
            raise Rejected("separation-normal", "", f"T {show(total)}, h {show(h)}")
        if found[1] > 0:
            raise Rejected("separation-constant", "", show(found[1]))
        ends = sorted([(s, self._first(a, s)), (r, self._first(b, r))])
        self._separated.add((*ends[0], *ends[1]))
        self._levels.add((ends[0][0], ends[1][0]))

    def _side(self, side: object) -> tuple[int, int]:
        """(leaf, number of stages) of a or [a,s]; a leaf alone is all stages."""
        if isinstance(side, int):
            return self._leaf(side), self.stages
        leaf, s = side if isinstance(side, list) else (-1, -1)
        if not 1 <= s <= self.stages:
            raise Rejected("prefix", "", f"{show(s)} stages")
        return self._leaf(leaf), s

    def _cited(self, leaf: int, s: int, numbers: list[int]) -> list[Row]:
        """Rows of the domain and of the leaf's first s stages, by number."""
        domain, owner = self.model.domain, self.model.owner
        ascending(numbers)
        rows = []
        for number in numbers:
            if number < len(domain):
                rows.append(domain[number])
                continue
            t, g, c = owner[number - len(domain)] if number - len(domain) < len(owner) else (s, 0, 0)
            if t >= s:
                raise Rejected("not-citable", "", f"row {show(number)}: not of the first {s} stages")
            w, frame = self._winner(leaf, t, g), self._frame(leaf, t)
            if c == w or c not in frame.classes[g]:
                raise Rejected("not-citable", "", f"row {number}: candidate {c} does not name a losing class")
            rows.append(frame.row(g, w, c))
        return rows

    def _first(self, leaf: int, s: int) -> int:
        """The first leaf that agrees with this one in the first s stages (they are consecutive: bisection)."""
        if s == self.stages:
            return leaf
        prefix = self._prefix(leaf, s)
        low, high = 0, leaf
        while low < high:
            middle = (low + high) // 2
            if self._prefix(middle, s) == prefix:
                high = middle
            else:
                low = middle + 1
        return low

    # -- the end --

    def bounds(self) -> tuple[int, int]:
        """(lo, hi)."""
        lower = array("q", self._parent)
        joined = 0
        for leaves in self._same_map():
            if any(_root(lower, leaf) != _root(lower, leaves[0]) for leaf in leaves):
                for t in range(self.stages):
                    for first, second in self._neighbours(leaves, t):
                        joined += self._join_open(lower, leaves, t, first, second)
        return self.components - joined, self.components

    def _same_map(self) -> Iterator[array[int]]:
        """The leaves of each affine map that has several, ascending (a counting sort)."""
        end = array("q", bytes(8 * (max(self._map_of, default=0) + 1)))
        for number in self._map_of:
            end[number] += 1
        for number in range(1, len(end)):
            end[number] += end[number - 1]
        order = array("q", bytes(8 * len(self._map_of)))
        for leaf in range(len(self._map_of) - 1, -1, -1):
            end[self._map_of[leaf]] -= 1
            order[end[self._map_of[leaf]]] = leaf
        for number, start in enumerate(end):
            stop = end[number + 1] if number + 1 < len(end) else len(order)
            if stop - start > 1:
                yield order[start:stop]

    def _blocks(self, leaves: array[int], start: int, stop: int, s: int) -> Iterator[tuple[int, int]]:
        """leaves[start:stop] cut into blocks that agree in the first s stages."""
        while start < stop:
            prefix = self._prefix(leaves[start], s)
            end = start + 1
            while end < stop and self._prefix(leaves[end], s) == prefix:
                end += 1
            yield start, end
            start = end

    def _neighbours(self, leaves: array[int], t: int) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """Pairs of blocks whose leaves first differ in stage t and are not free there, each pair once."""
        starts, stops = array("q"), array("q")
        table = Table(lambda i: self._prefix(leaves[starts[i]], t + 1))
        for start, stop in self._blocks(leaves, 0, len(leaves), t + 1):
            starts.append(start)
            stops.append(stop)
            table.add(self._prefix(leaves[start], t + 1), len(starts) - 1)
        for i, start in enumerate(starts):
            leaf = leaves[start]
            frame = self._frame(leaf, t)
            across: dict[bytes, int] = {}  # key of a row -> what changes in the pattern where it is crossed
            for g, w in enumerate(self._winners(leaf, t)):
                for row, c in frame.beyond(g, w).items():
                    across[row] = across.get(row, 0) ^ (w ^ c) << self._shift[t][g]
            bits = int.from_bytes(self._prefix(leaf, t + 1), "little")
            for change in across.values():
                k = table.find((bits ^ change).to_bytes(self._end[t + 1], "little"))
                if k > i:
                    yield (start, stops[i]), (starts[k], stops[k])

    def _join_open(
        self, lower: array[int], leaves: array[int], t: int, first: tuple[int, int], second: tuple[int, int]
    ) -> int:
        """Join the open pairs between two blocks of stage t; how many components that saves."""
        joined = 0
        todo = [(*first, t + 1, *second, t + 1)]
        while todo:
            i, j, s, k, m, r = todo.pop()
            roots = {_root(lower, leaf) for leaf in leaves[i:j]}
            if len(roots) == 1 and roots == {_root(lower, leaf) for leaf in leaves[k:m]}:
                continue
            if self._covered(leaves[i], s, leaves[k], r):
                continue
            if s == r == self.stages:
                levels = [(p, q) for p, q in self._levels if min(p, q) > t]
                if not any(self._covered(leaves[i], p, leaves[k], q) for p, q in levels) and not any(
                    self._covered(leaves[i], q, leaves[k], p) for p, q in levels
                ):
                    joined += _join(lower, leaves[i], leaves[k])
            elif s <= r:
                todo += [(u, v, s + 1, k, m, r) for u, v in self._blocks(leaves, i, j, s + 1)]
            else:
                todo += [(i, j, s, u, v, r + 1) for u, v in self._blocks(leaves, k, m, r + 1)]
        return joined

    def _covered(self, a: int, s: int, b: int, r: int) -> bool:
        """Whether an N record separates the leaves that agree with a in s stages from those with b in r."""
        ends = [(s, a), (r, b)] if s <= r else [(r, b), (s, a)]
        if (ends[0][0], ends[1][0]) not in self._levels:
            return False
        ends = sorted((level, self._first(leaf, level)) for level, leaf in ends)
        return (*ends[0], *ends[1]) in self._separated

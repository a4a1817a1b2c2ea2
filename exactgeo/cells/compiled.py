"""Cells by the compiled kernel; see ``cells.kernel`` for what it does and why it is exact.

Here the network becomes arrays, and nodes go in and come back. What the kernel hands back is settled in exact integers
of any length: a node with an undecided sign is split in Python for the rest of its stage, and a leaf whose next stage
does not fit into 62 bits gets that stage from Python and goes in again. A cone with lines is split in Python until it
has none. Cells come in the order of ``partition.split``.

Work on a node that was handed back needs a second set of arrays, as the first is in the middle of its work: a
``Bench`` for each depth of nesting.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from exactgeo.cells import kernel
from exactgeo.cells.cell import Cell, Pattern, Settled
from exactgeo.errors import Inconsistent
from exactgeo.network import Network
from exactgeo.network.stages import SKETCH_PRIME, PulledStage
from exactgeo.partition.selectors import Winners, difference
from exactgeo.partition.split import branches
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.rows import Row, negated, primitive

__all__ = ["Compiled", "Node", "Signs"]

BLOCK = 1024
"""Cells listed at a time."""

ROOM = 2048
"""Rays to begin with; the arrays grow."""

STEPS = 50_000
"""Small nodes between two chances to show progress and to be interrupted: a fraction of a second."""

WHOLE = 2**62


@dataclass(frozen=True, slots=True)
class Signs:
    """How the kernel decided signs: by 64-bit integers, by floats with an error bound, by integers modulo 2^64, zeros
    by primes. ``handed_back`` of its ``nodes`` were settled in exact integers of any length."""

    integers: int
    floats: int
    modular: int
    zeros: int
    undecided: int
    nodes: int
    handed_back: int

    @property
    def total(self) -> int:
        return self.integers + self.floats + self.modular + self.zeros + self.undecided


@dataclass(frozen=True, slots=True)
class Node:
    """A cone inside a cell of the stages before, to be split by the next stage; ``path`` as in ``partition.split``.

    ``below`` remembers stages on parents inside the cone, by their patterns, for cells that ask for them.
    """

    cell: Cell
    pulled: PulledStage
    cone: Cone
    path: int = 1
    below: dict[tuple[int, ...], tuple[Settled, PulledStage]] = field(default_factory=dict)


class Compiled:
    """A network in arrays, ready to have its cells counted or listed."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.net = _network_arrays(network)
        self.selectors = [len(stage.selectors) for stage in network.stages]
        self.first = [sum(self.selectors[:s]) for s in range(len(self.selectors) + 1)]
        self.words = max(1, *[_layout([len(g.candidates) for g in stage.selectors])[1] for stage in network.stages])
        self.tests = np.zeros(8, np.int64)
        self.handed_back = 0
        self._spare: list[Bench] = []

    def ready(self) -> "Compiled":
        """Load the kernel, or compile it where that was never done: by a run on nothing."""
        bench = Bench(self)
        self._spare.append(bench)
        bench.run()
        bench.enter(0)
        kernel.sketches(self.net, bench.levels, bench.control, 0)
        return self

    def report(self) -> Signs:
        """How signs were decided so far."""
        integers, floats, modular, zeros, undecided = (int(x) for x in self.tests[: kernel.OPEN + 1])
        return Signs(integers, floats, modular, zeros, undecided, int(self.tests[kernel.NODES]), self.handed_back)

    def count(self, node: Node) -> Iterator[int]:
        """The number of cells in a node, in instalments."""
        for found in Work(self, len(self.selectors) - 1, False, self._benches()).on(node):
            yield found if isinstance(found, int) else 1

    def cells(self, node: Node, stages: int) -> Iterator[Cell]:
        """The cells of the first ``stages`` stages in a node."""
        for found in Work(self, stages - 1, True, self._benches()).on(node):
            if isinstance(found, int):
                raise TypeError("a listing has cells")
            yield found

    def _benches(self) -> list["Bench"]:
        """Those that nobody works at: two pieces of work may go on side by side."""
        taken, self._spare = self._spare, []
        return taken


@dataclass(frozen=True, slots=True)
class Work:
    """All cells of the stages up to ``last`` in nodes: numbers of them, or themselves."""

    compiled: Compiled
    last: int
    listing: bool
    benches: "list[Bench]"

    def on(self, node: Node, depth: int = 0) -> Iterator[int | Cell]:
        """The cells in a node, at the bench of this depth."""
        if len(self.benches) == depth:
            self.benches.append(Bench(self.compiled))
        bench = self.benches[depth]
        if not bench.load(node, self.last, self.listing):
            yield from self._by_hand(node, depth)
            return
        while True:
            outcome = bench.run()
            if self.listing:
                yield from bench.listed(node, self.last)
            elif bench.control[kernel.CELLS]:
                yield int(bench.control[kernel.CELLS])
            bench.control[kernel.CELLS] = 0
            if bench.control[kernel.LEFT]:
                left, undecided = bench.left(node)
                bench.control[kernel.LEFT] = 0
                if undecided:
                    yield from self._by_hand(left, depth + 1)
                else:
                    self.compiled.handed_back += 1
                    yield from self.on(left, depth + 1)
            if outcome == kernel.DONE:
                return

    def _by_hand(self, node: Node, depth: int) -> Iterator[int | Cell]:
        """The same, in Python for the rest of the stage, or, where there are lines, until there are none."""
        self.compiled.handed_back += 1
        for won, cone in branches(node.cone, node.pulled.selectors, node.path):
            if isinstance(won, int):
                yield from self.on(Node(node.cell, node.pulled, cone, won), depth)
                continue
            cell = Cell(node.cell.domain, (*node.cell.trail, Settled(node.pulled, won)), cone)
            s = len(cell.trail)
            if s > self.last:
                yield cell
            else:
                pulled = self.compiled.network.stages[s].pull_back(cell.matrix)
                yield from self.on(Node(cell, pulled, cone.trimmed()), depth)


class Parent:
    """A cell of the stages before the last, in a node, found from the pattern of one of its cells."""

    def __init__(self, compiled: Compiled, node: Node, pattern: Sequence[int]) -> None:
        self.compiled = compiled
        self.node = node
        self.pattern = pattern
        self._rows: dict[tuple[int, ...], Row] = {}

    def rows(self, origins: Sequence[Sequence[int]]) -> list[Row]:
        """The rows with these origins."""
        keys = [tuple(origin) for origin in origins]
        new = [key for key in keys if key not in self._rows]
        stages = [*[settled.pulled for settled in self.trail[len(self.node.cell.trail) :]], self.pulled]
        self._rows.update(zip(new, _rows(new, self.node, stages), strict=True))
        return [self._rows[key] for key in keys]

    @cached_property
    def trail(self) -> tuple[Settled, ...]:
        """The stages before the last."""
        return self._path[0]

    @cached_property
    def pulled(self) -> PulledStage:
        """The last stage."""
        return self._path[1]

    @cached_property
    def _path(self) -> tuple[tuple[Settled, ...], PulledStage]:
        compiled, trail, pulled = self.compiled, self.node.cell.trail, self.node.pulled
        first = compiled.first
        for level in range(len(trail), len(first)):
            if first[level + 1] >= len(self.pattern):
                break
            key = tuple(self.pattern[: first[level + 1]])
            known = self.node.below.get(key)
            if known is None:
                settled = Settled(pulled, _winners(pulled, key[first[level] :]))
                known = self.node.below[key] = settled, compiled.network.stages[level + 1].pull_back(settled.outer())
            trail, pulled = (*trail, known[0]), known[1]
        return trail, pulled


class Listed(Cell):
    """A cell as the kernel has listed it: its pattern and its sketch are there, the rest is found on request."""

    __slots__ = ("_parent", "_place")

    def __init__(self, domain: tuple[Row, ...], parent: Parent, block: "Block", place: int) -> None:
        super().__init__(domain, None, None)
        self._parent = parent
        self._place = (block, place)

    @property
    def pattern(self) -> Pattern:
        block, place = self._place
        names = block.pattern[place].tolist()
        first = self._parent.compiled.first
        return tuple([tuple(names[a:b]) for a, b in pairwise(first) if b <= len(names)])

    def sketch(self) -> tuple[int, ...]:
        block, place = self._place
        sketch = block.sketch[place]
        return tuple(sketch) if sketch[0] >= 0 else super().sketch()

    def _find_trail(self) -> tuple[Settled, ...]:
        block, place = self._place
        parent = self._parent
        names = block.pattern[place, parent.compiled.first[len(parent.trail)] :].tolist()
        return (*parent.trail, Settled(parent.pulled, _winners(parent.pulled, names)))

    def _find_body(self) -> Cone:
        block, place = self._place
        node = self._parent.node
        rows = self._parent.rows(block.rows[block.first_row[place] : block.first_row[place + 1]].tolist())
        first, last = block.first_ray[place : place + 2]
        if first == last:
            return _cone(rows)
        rays = [primitive(ray) for ray in block.rays[first:last].tolist()]
        tight = block.tight[first:last].tolist()
        infinity = (1,) + (0,) * node.cone.dimension
        if infinity in rows:
            # It comes first in a cone.
            at = rows.index(infinity)
            rows = [infinity, *rows[:at], *rows[at + 1 :]]
            tight = [(t >> at & 1) | (t & (1 << at) - 1) << 1 | t >> at + 1 << at + 1 for t in tight]
        else:
            rows = [infinity, *rows]
            tight = [t << 1 for t in tight]
        return Cone(tuple(rows), rays, tight, [0] * len(rays), ())


@dataclass(frozen=True, slots=True)
class Block:
    """What the kernel has listed at one time."""

    pattern: Any
    sketch: list[list[int]]
    first_row: list[int]
    rows: Any
    first_ray: list[int]
    rays: Any
    tight: Any


def _winners(pulled: PulledStage, names: Sequence[int]) -> Winners:
    """The classes with these lowest members."""
    return tuple([positions[name] for positions, name in zip(pulled.positions, names, strict=True)])


def _rows(origins: Sequence[Sequence[int]], node: Node, stages: Sequence[PulledStage]) -> list[Row]:
    """The rows that the kernel names by where they come from: a node's cone, or two classes of a stage."""
    begun = len(node.cell.trail)
    rows: list[Row] = []
    for level, g, winner, loser, negative in origins:
        if level == -1:
            row = node.cone.rows[g]
        else:
            scores = stages[level - begun].selectors[g].rows
            row = difference(scores[winner], scores[loser])
        rows.append(negated(row) if negative else row)
    return rows


def _cone(rows: Sequence[Row]) -> Cone:
    cone = Cone.of(rows, len(rows[0]) - 1)
    if cone is None:
        raise Inconsistent("the kernel has a node without interior")
    return cone


class Bench:
    """Arrays for one piece of work in progress."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.width = compiled.network.input_dim + 1
        self.levels = _level_arrays(compiled.net, self.width)
        self.control = np.zeros(10, np.int64)
        self.parents: tuple[int, Parent] | None = None
        total, most = compiled.first[-1], max(1, int(compiled.net.sizes[:, 4].max()))
        self.out = kernel.Out(
            np.zeros((BLOCK, total), np.int64),
            np.zeros((BLOCK, self.width), np.int64),
            np.zeros(BLOCK, np.int64),
            np.zeros(BLOCK, np.int64),
            np.zeros((max(BLOCK * 16, kernel.BITS), 5), np.int64),
            np.zeros(BLOCK, np.int64),
            np.zeros((BLOCK * 32, self.width), np.int64),
            np.zeros(BLOCK * 32, np.uint64),
            np.zeros((1, 2), np.int64),
            np.zeros((1, total), np.int64),
            np.zeros((1, kernel.BITS, 5), np.int64),
            np.zeros(1, np.uint64),
        )
        self.values = np.zeros((most, self.width), np.int64)
        self.scale = 1
        self._allocate()

    def _allocate(self) -> None:
        width, scale, words = self.width, self.scale, self.compiled.words
        rays, members, rows, nodes = ROOM * scale, 4 * ROOM * scale, ROOM * scale, ROOM // 4 * scale
        self.rays = kernel.Rays(
            np.zeros((rays, width), np.int64),
            np.zeros((rays, width), np.float64),
            np.zeros(rays, np.float64),
            np.zeros(rays, np.float64),
            np.zeros((rays, words), np.uint64),
        )
        self.rows = kernel.Rows(
            np.zeros((rows, width), np.int64),
            np.zeros((rows, width), np.float64),
            np.zeros(rows, np.float64),
            np.zeros((rows, 4), np.int64),
        )
        self.stack = kernel.Stack(
            np.zeros((nodes, 10), np.int64),
            np.zeros(nodes, np.uint64),
            np.zeros((nodes, kernel.BITS), np.int64),
            np.zeros(members, np.int64),
            np.zeros(members, np.uint64),
            np.zeros(32 * max(1, *self.compiled.selectors) * scale, np.int64),
        )
        self.scratch = kernel.Scratch(
            np.zeros(members, np.int64),
            np.zeros(1 << width, np.int64),
            np.zeros(1 << width, np.float64),
            np.zeros(1 << width, np.float64),
            np.zeros(width, np.int64),
            np.zeros((width, width + 1), np.int64),
            np.zeros(width, np.int64),
            np.zeros(width, np.float64),
            np.zeros(kernel.BITS, np.int64),
            np.arange(max(1, *self.compiled.selectors), dtype=np.int64),
            np.zeros(words, np.uint64),
            np.zeros(kernel.BITS, np.int64),
            np.zeros((kernel.BITS, 3), np.int64),
            np.zeros((kernel.BITS, kernel.BITS), np.int64),
            self.values,
        )

    def _grow(self) -> None:
        """Twice the room, with the work as it stands."""
        old = (self.rays, self.rows, self.stack)
        self.scale *= 2
        self._allocate()
        for before, after in zip(old, (self.rays, self.rows, self.stack), strict=True):
            for source, target in zip(before, after, strict=True):
                target[: len(source)] = source

    def run(self) -> int:
        """Go on with the work until something is to be said: ``DONE``, ``PAUSED`` or ``FULL``."""
        compiled = self.compiled
        while True:
            outcome = kernel.run(
                compiled.net,
                self.levels,
                self.rays,
                self.rows,
                self.stack,
                self.scratch,
                self.out,
                self.control,
                compiled.tests,
                STEPS,
            )
            if outcome != kernel.GROW:
                return int(outcome)
            self._grow()

    def load(self, node: Node, last: int, listing: bool) -> bool:
        """Put a node on the stack; false where it is not for the kernel."""
        s = len(node.cell.trail)
        cone = node.cone
        generators = [*cone.rays, *cone.lines]
        count, number = len(generators), len(cone.rows)
        if number > kernel.BITS:
            return False
        while count > len(self.rays.size) or count > len(self.stack.member):
            self.scale *= 2
            self._allocate()
        for level, settled in enumerate(node.cell.trail if listing else ()):
            for g, (winner, name) in enumerate(zip(settled.winners, settled.names(), strict=True)):
                self.levels.won[level, g] = winner
                self.levels.low[level, self.compiled.net.start[level, g] + winner] = name
        try:
            self._load_stage(s, node.pulled)
            _put(generators, self.rays.ints, self.rays.floats)
            _put(cone.rows, self.rows.ints, self.rows.floats)
        except OverflowError:  # beyond the range of floats
            return False
        sizes = np.abs(self.rays.floats[:count]).max(axis=1)
        self.rays.size[:count] = sizes
        self.rays.error[:count] = sizes * 2.0**-52
        self.rays.marks[:count] = 0
        self.rows.size[:number] = np.abs(self.rows.floats[:number]).sum(axis=1)
        self.rows.origin[:number] = [[-1, k, 0, 0] for k in range(number)]
        stack, opened = self.stack, self.compiled.selectors[s]
        stack.member[:count] = range(count)
        stack.tight[:count] = np.array([*cone.tight, *[0] * len(cone.lines)], dtype=np.uint64)
        stack.table[0] = [2 * k if k < number else -1 for k in range(kernel.BITS)]
        stack.open[:opened] = range(opened)
        stack.nodes[0] = [s, 0, len(cone.rays), 0, opened, count, count, number, opened, len(cone.lines)]
        stack.path[0] = node.path
        self.control[:] = 0
        self.control[kernel.LAST] = last
        self.control[kernel.LISTING] = listing
        self.parents = None
        if s == last:
            kernel.sketches(self.compiled.net, self.levels, self.control, s)
        return self.enter(s)

    def enter(self, s: int) -> bool:
        """Mark the rays of the one node on the stack; false where a sign is undecided."""
        compiled = self.compiled
        return bool(
            kernel.enter(
                compiled.net,
                self.levels,
                self.rays,
                self.rows,
                self.stack,
                self.scratch,
                self.control,
                compiled.tests,
                s,
            )
        )

    def _load_stage(self, s: int, pulled: PulledStage) -> None:
        """The stage of a node in arrays, whatever the length of its integers."""
        lv, start = self.levels, self.compiled.net.start[s].tolist()
        number = len(pulled.forms)
        _put(pulled.forms, lv.rows[s], lv.floats[s])
        lv.size[s, :number] = np.abs(lv.floats[s, :number]).sum(axis=1)
        inner = [[int(entry) for entry in row] for row in pulled.inner.tolist()]
        lv.whole[s] = int(
            max(abs(x) for row in inner for x in row) < WHOLE and lv.size[s, :number].max(initial=0) < WHOLE
        )
        if lv.whole[s]:
            lv.inner[s, : len(inner)] = inner
        places, lv.words[s] = _layout([len(classes.rows) for classes in pulled.selectors])
        for g, classes in enumerate(pulled.selectors):
            lv.classes[s, g] = len(classes.rows)
            lv.place[s, g] = places[g]
            for c, members in enumerate(classes.members):
                lv.low[s, start[g] + c] = members[0]
                lv.members[s, start[g] + c] = len(members)
                for j in members:
                    lv.class_of[s, start[g] + j] = c
            if len(classes.rows) == 2:
                gap = difference(classes.rows[1], classes.rows[0])
                _put([gap], lv.gap[s, g : g + 1], lv.gap_floats[s, g : g + 1])
                lv.gap_size[s, g] = np.abs(lv.gap_floats[s, g]).sum()

    def listed(self, node: Node, last: int) -> Iterator[Cell]:
        """The cells listed since the last time."""
        number = int(self.control[kernel.LISTED])
        out, domain = self.out, node.cell.domain
        until = self.compiled.first[last + 1]
        block = Block(
            out.pattern[:number, :until].copy(),
            out.sketch[:number].tolist(),
            [*out.first_row[:number].tolist(), int(self.control[kernel.ROWS_LISTED])],
            out.rows[: self.control[kernel.ROWS_LISTED]].copy(),
            [*out.first_ray[:number].tolist(), int(self.control[kernel.RAYS_LISTED])],
            out.rays[: self.control[kernel.RAYS_LISTED]].copy(),
            out.tight[: self.control[kernel.RAYS_LISTED]].copy(),
        )
        self.control[[kernel.LISTED, kernel.ROWS_LISTED, kernel.RAYS_LISTED]] = 0
        for place, name in enumerate(out.parent[:number].tolist()):
            if self.parents is None or self.parents[0] != name:
                self.parents = (name, Parent(self.compiled, node, block.pattern[place].tolist()))
            yield Listed(domain, self.parents[1], block, place)

    def left(self, node: Node) -> tuple[Node, bool]:
        """The node that was handed back, rebuilt in exact integers, and whether that was for an undecided sign."""
        s, reason = (int(x) for x in self.out.left[0])
        undecided = reason == kernel.BY_SIGN
        won = [int(x) for x in self.out.left_won[0]]
        compiled, cell, pulled = self.compiled, node.cell, node.pulled
        begun = len(cell.trail)
        trail = [pulled]
        for level in range(begun, s if undecided else s + 1):
            winners: Winners = tuple(won[compiled.first[level] : compiled.first[level + 1]])
            cell = Cell(cell.domain, (*cell.trail, Settled(pulled, winners)), node.cone)
            pulled = compiled.network.stages[level + 1].pull_back(cell.matrix)
            trail.append(pulled)
        cone = _cone(_rows([origin for origin in self.out.left_rows[0].tolist() if origin[0] > -2], node, trail))
        return Node(cell, pulled, cone, int(self.out.left_path[0]) if undecided else 1), undecided


def _put(rows: Sequence[Sequence[int]], ints: Any, floats: Any) -> None:
    """Integers modulo 2^64, and rounded; ``OverflowError`` where no float has that size."""
    number = len(rows)
    if not number:
        return
    try:
        ints[:number] = rows
    except OverflowError:
        ints[:number] = [[(x + 2**63) % 2**64 - 2**63 for x in row] for row in rows]
    floats[:number] = [[float(x) for x in row] for row in rows]


def _layout(sizes: Sequence[int]) -> tuple[list[int], int]:
    """The first bit of each field of a mark, no field across two words, and the number of words."""
    places = []
    place = 0
    for size in sizes:
        if place % 64 + size > 64:
            place = (place | 63) + 1
        places.append(place)
        place += size
    return places, (place + 63) // 64


def _network_arrays(network: Network) -> kernel.Net:
    stages = network.stages
    number = len(stages)
    forms = max(len(stage.forms.rows) for stage in stages)
    inputs = max(stage.input_dim for stage in stages)
    outputs = max(stage.output_dim for stage in stages)
    selectors = max(1, *[len(stage.selectors) for stage in stages])
    candidates = max(1, *[sum(len(g.candidates) for g in stage.selectors) for stage in stages])
    lengths = [[len(g.candidates[0].value) for g in stage.selectors] for stage in stages]
    values = max(sum(length) for length in lengths)
    longest = max([1, *[size for length in lengths for size in length]])
    net = kernel.Net(
        np.zeros((number, 6), np.int64),
        np.zeros((number, forms, inputs + 1), np.int64),
        np.zeros((number, forms), np.float64),
        np.zeros((number, selectors + 1), np.int64),
        np.zeros((number, candidates), np.int64),
        np.zeros((number, candidates, longest), np.int64),
        np.zeros((number, selectors), np.int64),
        np.zeros((number, outputs, inputs + 1), np.int64),
        np.zeros((number, outputs), np.float64),
        np.zeros((number, outputs, max(1, values)), np.int64),
        np.zeros((number, outputs), np.float64),
        np.zeros((number, 2), np.int64),
        np.array([x % SKETCH_PRIME for x in stages[-1].functional[0]], np.int64),
        np.array([x % SKETCH_PRIME for x in stages[-1].functional[1]], np.int64),
    )
    for s, stage in enumerate(stages):
        total = sum(lengths[s])
        fits = _fill(net.forms[s], net.forms_size[s], stage.forms.rows)
        fits &= _fill(net.base[s], net.base_size[s], stage.base.rows)
        fits &= _fill(net.mix[s], net.mix_size[s], [row[1:] for row in stage.mix.rows])
        scales = (stage.base.denominator, stage.mix.denominator * stage.forms.denominator)
        if max(scales) < WHOLE:
            net.scales[s] = scales
        else:
            fits = False
        net.sizes[s] = (
            len(stage.forms.rows),
            len(stage.selectors),
            stage.input_dim,
            stage.output_dim,
            total,
            int(fits),
        )
        at = 0
        for g, selector in enumerate(stage.selectors):
            net.start[s, g] = at
            net.lengths[s, g] = lengths[s][g]
            for candidate in selector.candidates:
                net.score[s, at] = candidate.score
                net.values[s, at, : lengths[s][g]] = candidate.value
                at += 1
            net.start[s, g + 1] = at
    return net


def _fill(target: Any, sizes: Any, rows: Sequence[Sequence[int]]) -> bool:
    """Copy rows whose sums of absolute values stay below 2^62; false where one does not."""
    if not rows or not rows[0]:
        return True
    totals = [sum(map(abs, row)) for row in rows]
    if max(totals) >= WHOLE:
        return False
    target[: len(rows), : len(rows[0])] = rows
    sizes[: len(rows)] = totals
    return True


def _level_arrays(net: kernel.Net, width: int) -> kernel.Levels:
    number, forms, inputs = net.forms.shape
    selectors, candidates = net.lengths.shape[1], net.score.shape[1]
    return kernel.Levels(
        np.zeros((number, max(inputs, net.base.shape[1] + 1), width), np.int64),
        np.zeros(number, np.int64),
        np.zeros((number, forms, width), np.int64),
        np.zeros((number, forms, width), np.float64),
        np.zeros((number, forms), np.float64),
        np.zeros((number, selectors), np.int64),
        np.zeros((number, selectors), np.int64),
        np.zeros((number, candidates), np.int64),
        np.zeros((number, candidates), np.int64),
        np.zeros((number, candidates), np.int64),
        np.zeros((number, selectors, width), np.int64),
        np.zeros((number, selectors, width), np.float64),
        np.zeros((number, selectors), np.float64),
        np.zeros(number, np.int64),
        np.zeros((number, selectors), np.int64),
        np.zeros((candidates, width), np.int64),
        np.zeros(width, np.int64),
    )


if __name__ == "__main__":
    # Compile the kernel ahead of its first use.
    Compiled(Network.mlp([[[1], [1]], [[1, 1]]])).ready()

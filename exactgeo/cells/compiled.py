"""Cells by the compiled kernel; see ``cells.kernel`` for what it does and why it is exact.

Nodes go in and come back. What the kernel hands back is settled in exact integers of any length: a node with an
undecided sign is split in Python for the rest of its stage, a leaf whose next stage does not fit into long integers
gets that stage from Python and goes in again, and a slice of a count by restriction is counted in Python. Cells come in
the order of ``partition.split``.

Work on a node that was handed back needs a second set of arrays, as the first is in the middle of its work: a
``Bench`` for each depth of nesting.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat

import numpy as np

from exactgeo.cells import kernel
from exactgeo.cells.arrays import WHOLE, layout, level_arrays, network_arrays, put, put_long, sizes
from exactgeo.cells.cell import Cell, Settled
from exactgeo.cells.cores import Signs
from exactgeo.cells.listed import Block, Family, Listed, cone_of, rows_of
from exactgeo.cells.node import Node
from exactgeo.cells.restriction import count_on_slice
from exactgeo.network import Network, Staged
from exactgeo.network.stages import SKETCH_PRIME, PulledStage
from exactgeo.partition.selectors import Winners, difference
from exactgeo.partition.split import branches
from exactgeo.rational.rows import Row

__all__ = ["Compiled"]

BLOCK = 1024
"""Cells listed at a time."""

ROOM = 2048
"""Rays to begin with; the arrays grow."""

MOST_FORMS = 2048
"""Hyperplanes that are counted by restriction; what more of them cut is split first."""

FEW_FORMS = 64
"""If there are more, and few of them meet in a node, it is split first, too."""

STEPS = 50_000
"""Small nodes between two chances to show progress and to be interrupted: a fraction of a second."""


class Compiled:
    """A network in arrays, ready to have its cells counted or listed: a core (``cells.cores``)."""

    arrays = True

    def __init__(self, network: Staged) -> None:
        self.network = network
        self.net = network_arrays(network)
        self.selectors = [len(stage.selectors) for stage in network.stages]
        self.first = [sum(self.selectors[:s]) for s in range(len(self.selectors) + 1)]
        self.words = max(1, *[layout([len(g.candidates) for g in stage.selectors])[1] for stage in network.stages])
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
                left, reason = bench.left(node)
                bench.control[kernel.LEFT] = 0
                if reason == kernel.BY_SLICE:
                    self.compiled.handed_back += 1
                    yield from count_on_slice(left.cone, *bench.slice(left))
                elif reason == kernel.BY_SIGN:
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


class Bench:
    """Arrays for one piece of work in progress."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.width = compiled.network.input_dim + 1
        self.levels = level_arrays(compiled.net, self.width)
        self.control = np.zeros(14, np.int64)
        self.family: Family | None = None
        total, most = compiled.first[-1], max(1, int(compiled.net.sizes[:, 4].max()))
        self.out = kernel.Out(
            np.zeros((BLOCK, total), np.uint8),
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
            np.zeros((1, 2 + self.width + max(1, *compiled.selectors)), np.int64),
        )
        forms = min(max(1, *compiled.selectors), MOST_FORMS)
        self.slices = kernel.Slices(
            np.zeros((self.width, 7), np.int64),
            np.zeros((self.width, forms), np.int64),
            np.zeros((self.width, forms, self.width), np.uint64),
            np.zeros((self.width, forms), np.int64),
            np.zeros(self.width, np.int64),
            np.zeros((self.width, kernel.BITS), np.int64),
            np.zeros(forms, np.uint64),
            np.zeros(2 << forms.bit_length(), np.int64),
            np.zeros(self.levels.gap.shape, np.int64),
        )
        self.values = np.zeros((most, self.width), np.int64)
        self.scale = 1
        self._allocate()

    def _allocate(self) -> None:
        width, scale, words = self.width, self.scale, self.compiled.words
        most_values = len(self.values)
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
            np.zeros((*self.values.shape, kernel.LIMBS), np.uint64),
            np.zeros(kernel.LIMBS, np.uint64),
            np.zeros(kernel.LIMBS, np.uint64),
            np.zeros((width, kernel.LIMBS), np.uint64),
            np.zeros(self.levels.inner.shape[1] + most_values, np.int64),
            np.zeros(width, np.float64),
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
                self.slices,
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
            put(generators, self.rays.ints, self.rays.floats)
            put(cone.rows, self.rows.ints, self.rows.floats)
        except OverflowError:  # beyond the range of floats
            return False
        most = np.abs(self.rays.floats[:count]).max(axis=1)
        self.rays.size[:count] = most
        self.rays.error[:count] = most * 2.0**-52
        self.rays.marks[:count] = 0
        self.rows.size[:number] = sizes(self.rows.floats[:number])
        self.rows.origin[:number] = [[-1, k, 0, 0] for k in range(number)]
        stack, opened = self.stack, self.compiled.selectors[s]
        stack.member[:count] = range(count)
        stack.tight[:count] = np.array([*cone.tight, *[0] * len(cone.lines)], dtype=np.uint64)
        stack.table[0] = [2 * k if k < number else -1 for k in range(kernel.BITS)]
        stack.open[:opened] = range(opened)
        stack.nodes[0] = [s, 0, len(cone.rays), 0, opened, count, count, number, opened, len(cone.lines)]
        stack.path[0] = node.path
        self.control[: kernel.USES] = 0  # uses of the hash table are numbered through
        self.control[kernel.LAST] = last
        self.control[kernel.FEW] = FEW_FORMS
        self.control[kernel.LISTING] = listing
        self.family = None
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
        put(pulled.forms, lv.rows[s], lv.floats[s])
        lv.size[s, :number] = sizes(lv.floats[s, :number])
        inner = [[int(entry) for entry in row] for row in pulled.inner.tolist()]
        most = max(*[abs(x) for row in inner for x in row], lv.size[s, :number].max(initial=0))
        lv.whole[s] = 1 if most < WHOLE else (2 if most < kernel.LONGEST else 0)
        if lv.whole[s] == 1:
            lv.inner[s, : len(inner)] = inner
        elif lv.whole[s] == 2:
            put_long(inner, lv.inner_long[s])
            put_long(pulled.forms, lv.rows_long[s])
        if lv.whole[s] and kernel.classes(self.compiled.net, lv, s, self.slices.long, self.scratch.total):
            return
        places, lv.words[s] = layout([len(classes.rows) for classes in pulled.selectors])
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
                put([gap], lv.gap[s, g : g + 1], lv.gap_floats[s, g : g + 1])
                lv.gap_size[s, g] = sizes(lv.gap_floats[s, g : g + 1])[0]
                if lv.gap_size[s, g] >= kernel.WHOLE:
                    self.slices.long[s, g] = [x % SKETCH_PRIME for x in gap]

    def listed(self, node: Node, last: int) -> Iterator[Cell]:
        """The cells listed since the last time."""
        number, rows, rays = self.control[[kernel.LISTED, kernel.ROWS_LISTED, kernel.RAYS_LISTED]].tolist()
        out = self.out
        if self.family is None:
            self.family = Family(self.compiled.network, self.compiled.first, self.compiled.net, node)
        block = Block(
            self.family,
            out.pattern[:number, : self.compiled.first[last + 1]].copy(),
            out.sketch[:number].astype(np.int32),
            out.parent[:number].copy(),
            np.append(out.first_row[:number], rows),
            out.rows[:rows].astype(np.int32),
            np.append(out.first_ray[:number], rays),
            out.rays[:rays].copy(),
            out.tight[:rays].copy(),
        )
        self.control[[kernel.LISTED, kernel.ROWS_LISTED, kernel.RAYS_LISTED]] = 0
        return map(Listed, repeat(block), range(number))

    def left(self, node: Node) -> tuple[Node, int]:
        """The node that was handed back, rebuilt in exact integers, and the reason."""
        s, reason = (int(x) for x in self.out.left[0])
        undecided = reason != kernel.BY_SIZE
        won = [int(x) for x in self.out.left_won[0]]
        compiled, cell, pulled = self.compiled, node.cell, node.pulled
        begun = len(cell.trail)
        trail = [pulled]
        for level in range(begun, s if undecided else s + 1):
            winners: Winners = tuple(won[compiled.first[level] : compiled.first[level + 1]])
            cell = Cell(cell.domain, (*cell.trail, Settled(pulled, winners)), node.cone)
            pulled = compiled.network.stages[level + 1].pull_back(cell.matrix)
            trail.append(pulled)
        cone = cone_of(rows_of([origin for origin in self.out.left_rows[0].tolist() if origin[0] > -2], node, trail))
        return Node(cell, pulled, cone, int(self.out.left_path[0]) if undecided else 1), reason

    def slice(self, left: Node) -> tuple[list[Row], list[Row]]:
        """The slice of that node that was handed back: rows that vanish on it, and rows that may cut it."""
        length, number, *selectors = self.out.left_slice[0].tolist()
        gaps = [difference(*left.pulled.selectors[g].rows) for g in selectors[: length + number]]
        return gaps[:length], gaps[length:]


if __name__ == "__main__":
    # Compile the kernels ahead of their first use.
    from exactgeo.cells.wall_arrays import ready

    Compiled(Network.mlp([[[1], [1]], [[1, 1]]])).ready()
    ready()

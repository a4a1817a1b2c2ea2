"""The split tree of a certificate by the compiled search: arrays in, records and leaves out.

See ``search_kernel`` for what is compiled, and ``tree`` for the search itself, which it repeats byte for byte. What it
hands back (a long integer, a line, a class that only several others beat together, evidence that is rare) is one step
of one node: ``tree`` takes that step, and its children go in again if they fit. So the stack here holds nodes of
``tree`` and numbers n, which stand for the n nodes on top of the kernel's own stack; nothing is done twice.

Records come as *blocks*: many lines at once, already spelled, and what is kept of the leaves among them.
"""

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any

import numpy as np

from exactgeo.cells.cell import Cell, Settled
from exactgeo.certificate import search_kernel as kernel
from exactgeo.certificate.frames import Frame, sketch_point
from exactgeo.certificate.piece import NodePiece
from exactgeo.certificate.records import Leaf, LeafBlock, Record, RecordBlock
from exactgeo.certificate.tables import exact, size_of
from exactgeo.certificate.tree import MOST_PAIRS, Begun, Node, Prover
from exactgeo.network import Network, Staged
from exactgeo.network.stages import PulledStage, homogeneous_matrix
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.affine import AffineMap

__all__ = ["CompiledProver", "CompiledProvers", "Found", "ready"]

STEPS, PATIENCE = 20_000, 0.2
"""Nodes between two chances to be interrupted at most, and as many fewer as take so many seconds."""
TEXT, LEAVES = 1 << 20, 4096
"""Bytes and leaves of a block."""
ROOM = 64
"""Nodes on the stack, and rays of one of them, to begin with; the arrays grow."""
TRIES, SHARE = 200, 4
"""Nodes that go in or come back before it is asked whether that pays: as it does if so many times as many are done."""
MOST_PULLED = 10_000
"""Stages on parents that are kept for the cells of leaves."""

SHORT = kernel.LONGEST - 2
"""Bits of numbers that go in."""


class CompiledProvers:
    """Compiled provers (``certificate.provers``)."""

    def ready(self) -> None:
        ready()

    def prover(self, network: Staged, multipliers: bool, listing: bool) -> "CompiledProver | None":
        """The compiled search; None where an integer of the network is too long for it."""
        prover = CompiledProver(network, multipliers, listing)
        return prover if prover.fits else None


class CompiledProver:
    """The search through one network."""

    def __init__(self, network: Staged, multipliers: bool, listing: bool) -> None:
        self.network = network
        self.prover = Prover(network, multipliers)
        self.layouts = self.prover.layouts
        self.width = network.input_dim + 1
        self.handed_back = 0
        self.loaded = 0
        self.loading = True
        self.steps = min(STEPS, 64)
        self.patterns = _Patterns(network, [layout.first for layout in self.layouts])
        self.fits = all(layout.pairs <= MOST_PAIRS and max(layout.sizes, default=0) < 256 for layout in self.layouts)
        try:
            self.net, self.levels = self._network()
        except OverflowError:
            self.fits = False
            return
        self.control = np.zeros(12, np.int64)
        self.control[kernel.MULTIPLIERS] = multipliers
        self.control[kernel.LISTING] = listing
        self.control[kernel.SHARED] = -1
        self.known: list[tuple[int, Begun] | None] = [None] * len(self.layouts)
        self.room = ROOM
        self.most = int(self.net.sizes[:, 5].max())
        self._allocate()
        self._allocate_out(LEAVES)

    # -- the loop --

    def run(self) -> Iterator[Record | Leaf | RecordBlock]:
        """The records of the whole tree."""
        return self.below(self.root())

    def root(self) -> Node:
        """The domain, where the first stage begins."""
        return self.prover.root()

    def below(self, node: Node) -> Iterator[Record | Leaf | RecordBlock]:
        """The records of the tree below a node in their order, leaves after theirs."""
        stack: list[Node | int] = []
        self._put(stack, [node])
        while stack:
            top = stack.pop()
            if isinstance(top, Node):
                children: list[Node] = []
                yield from self.prover.step(top, children)
                self._put(stack, children)
                continue
            control = self.control
            control[kernel.BASE] = control[kernel.TOP] - top
            outcome = kernel.PAUSED
            while outcome in (kernel.PAUSED, kernel.GROW, kernel.FULL):
                outcome = self._go_on()
                if outcome == kernel.GROW:
                    self._grow()
                elif outcome == kernel.FULL:
                    if not control[kernel.WRITTEN] and not control[kernel.LEAVES]:
                        self._allocate_out(2 * len(self.out.sketch))
                    yield self._block()
            if control[kernel.RECORDS]:
                yield self._block()
            if outcome == kernel.LEFT:
                node = self._returned()
                left = int(control[kernel.TOP] - control[kernel.BASE])
                stack += [left, node] if left else [node]

    def _put(self, stack: list[Node | int], nodes: Sequence[Node]) -> None:
        """Put nodes on the stack, those that fit on the kernel's own."""
        moved = self.loaded + self.handed_back
        if moved > TRIES and SHARE * moved > self.control[kernel.NODES]:
            self.loading = False
        for node in nodes:
            if not (self.loading and self._load(node)):
                stack.append(node)
            elif stack and isinstance(stack[-1], int):
                stack[-1] += 1
            else:
                stack.append(1)

    def _go_on(self) -> int:
        """Some more nodes: so many that they take a moment, whatever a node costs."""
        before, steps = perf_counter(), self.steps
        outcome = int(
            kernel.run(self.net, self.levels, self.stack, self.scratch, self.out, self.control, self.width, steps)
        )
        if outcome == kernel.PAUSED:
            quick = perf_counter() - before < PATIENCE / 2
            self.steps = min(2 * steps, STEPS) if quick else max(steps // 2, 1)
        return outcome

    def _block(self) -> RecordBlock:
        """What was written since the last time."""
        written, records, leaves, rows, rays = self.control[kernel.WRITTEN : kernel.LEAF_RAYS + 1].tolist()
        out = self.out
        lines = out.text[:written].tobytes()
        self.control[kernel.WRITTEN : kernel.LEAF_RAYS + 1] = 0
        if not self.control[kernel.LISTING]:
            return RecordBlock(lines, records, leaves)
        size = 2 * self.width
        return Found(
            lines,
            records,
            leaves,
            self.patterns,
            self.patterns.packed(out.pattern[:leaves]),
            out.sketch[:leaves].copy(),
            out.point[:leaves].copy(),
            np.append(out.first_row[:leaves], rows),
            _packed(out.rows[: rows * size]),
            np.append(out.first_ray[:leaves], rays),
            _packed(out.rays[: rays * size]),
            out.tight[:rays].copy(),
        )

    # -- arrays --

    def _network(self) -> tuple[kernel.Net, kernel.Levels]:
        layouts, width = self.layouts, self.width
        stages = self.network.stages
        number = len(stages)
        forms = max(1, *[len(layout.forms) for layout in layouts])
        inputs = 1 + max(stage.input_dim for stage in stages)
        wide = max([inputs, *[1 + stage.output_dim for stage in stages[:-1]]])
        selectors = max(1, *[len(layout.sizes) for layout in layouts])
        candidates = max(1, *[len(layout.selector) for layout in layouts])
        lengths = [layout.widths for layout in layouts]
        values = max(1, *[sum(own) for own in lengths])
        longest = max([1, *[size for own in lengths for size in own]])
        net = kernel.Net(
            np.zeros((number, 7), np.int64),
            np.zeros(number * forms * inputs * 2, np.uint64),
            np.zeros(number, np.int64),
            np.zeros((number, selectors + 1), np.int64),
            np.zeros((number, candidates), np.int64),
            np.zeros((number, candidates), np.int64),
            np.zeros((number, candidates, longest), np.int64),
            np.zeros((number, selectors), np.int64),
            np.zeros(number * (wide - 1) * inputs * 2, np.uint64),
            np.zeros(number, np.int64),
            np.zeros(number * (wide - 1) * values * 2, np.uint64),
            np.zeros(number, np.int64),
            np.zeros(number * 2, np.uint64),
            np.array(self.prover.offsets, np.int64),
            np.array(layouts[-1].sketching.base_residues, np.int64),
            np.array(layouts[-1].sketching.residues, np.int64, order="C"),
            np.array(sketch_point(width), np.int64),
        )
        for s, (layout, stage) in enumerate(zip(layouts, stages, strict=True)):
            net.sizes[s] = (
                len(layout.forms),
                len(layout.sizes),
                stage.input_dim,
                stage.output_dim,
                sum(layout.widths),
                len(layout.selector),
                layout.binary,
            )
            net.start[s, : len(layout.sizes)] = layout.first
            net.start[s, len(layout.sizes)] = len(layout.selector)
            net.selector[s, : len(layout.selector)] = layout.selector
            net.score[s, : len(layout.scores)] = layout.scores
            for c, value in enumerate(layout.values):
                net.values[s, c, : len(value)] = value
            net.lengths[s, : len(layout.widths)] = layout.widths
            net.forms_bits[s] = _put_table(net.forms.reshape(number, forms, inputs, 2)[s], layout.forms)
            net.scale.reshape(number, 2)[s] = _words([layout.scale])
            if s < number - 1:
                net.base_bits[s] = _put_table(net.base.reshape(number, wide - 1, inputs, 2)[s], layout.base)
                net.mix_bits[s] = _put_table(net.mix.reshape(number, wide - 1, values, 2)[s], layout.mix)
        self.shape = (wide, values)
        levels = kernel.Levels(
            np.zeros(number * wide * width * 2, np.uint64),
            np.zeros(number, np.int64),
            np.zeros(number * forms * width * 2, np.uint64),
            np.zeros((number, forms), np.int64),
            np.zeros((number, candidates), np.int64),
            np.zeros(number, np.int64),
            np.zeros((number, selectors), np.int64),
            np.zeros(number, np.int64),
            np.zeros(candidates, np.int64),
            np.zeros(1, np.int64),
        )
        return net, levels

    def _allocate(self) -> None:
        width, most = self.width, self.most
        rays = nodes = self.room
        total = 16 * self.room
        selectors = self.net.lengths.shape[1]
        self.stack = kernel.Stack(
            np.empty((nodes, kernel.FIELDS), np.int64),
            np.empty(nodes, np.uint64),
            np.empty(total * 2 * (width + most), np.uint64),
            np.empty(total, np.uint64),
            np.empty(total, np.int64),
            np.empty(total, np.int64),
            np.empty(nodes * kernel.BITS, np.int64),
            np.empty(nodes * 16 * width * 2, np.uint64),
            np.empty(nodes * 16, np.int64),
            np.empty(nodes * 16, np.int64),
            np.empty(nodes * (2 * selectors + most), np.int64),
            np.empty(nodes * selectors, np.int64),
        )
        wide, values = self.shape
        self.scratch = kernel.Scratch(
            np.empty(most, np.int64),
            np.empty(most, np.int64),
            np.empty(most * rays * 2, np.uint64),
            np.empty(most * rays, np.float64),
            np.empty(rays * 2, np.uint64),
            np.empty(rays, np.float64),
            np.empty(rays, np.int64),
            np.empty(2 * max(rays * 16, most), np.int64),
            np.empty(4 * width, np.uint64),
            np.empty(kernel.BITS * rays, np.float64),
            np.empty(width * (rays + 1), np.int64),
            np.empty(rays, np.int64),
            np.empty(kernel.BITS, np.int64),
            np.empty(width * rays, np.float64),
            np.empty(kernel.MOST_TRIED + kernel.BITS * rays, np.uint8),
            np.empty(max(most, kernel.BITS * rays), np.int64),
            np.empty(most, np.int64),
            np.empty(most, np.int64),
            np.empty(most, np.int64),
            np.empty(width, np.float64),
            np.empty(2 * width, np.uint64),
            np.empty(width + 1, np.int64),
            np.empty(6, np.int64),
            np.empty((2 * most + 4, 6), np.int64),
            np.empty((most, 6), np.int64),
            np.empty((3, 6), np.int64),
            np.empty(most, np.int64),
            np.empty(most, np.int64),
            np.empty(4, np.int64),
            np.empty(width, np.int64),
            np.empty(max(width, most), np.float64),
            np.empty(wide * width * 4, np.uint64),
            np.empty(values * width * 2, np.uint64),
        )

    def _grow(self) -> None:
        """Twice the room, with the stack as it stands."""
        old = self.stack
        self.room *= 2
        self._allocate()
        for before, after in zip(old, self.stack, strict=True):
            after[: len(before)] = before

    def _allocate_out(self, leaves: int) -> None:
        size, total = 2 * self.width, sum(len(layout.sizes) for layout in self.layouts)
        room = (2 * self.most + 4) * (64 + 20 * (self.width + 1))
        kept = leaves if self.control[kernel.LISTING] else 1
        self.out = kernel.Out(
            np.empty(TEXT + 2 * room, np.uint8),
            np.empty((kept, total), np.int32),
            np.empty(kept, np.int64),
            np.empty((kept, self.width), np.int64),
            np.empty(kept, np.int64),
            np.empty(kept * 16 * size, np.uint64),
            np.empty(kept, np.int64),
            np.empty(kept * 32 * size, np.uint64),
            np.empty(kept * 32, np.uint64),
        )

    # -- nodes in and out --

    def _load(self, node: Node) -> bool:
        """Put a node on the kernel's stack; false where it does not fit."""
        piece, s = node.piece, node.begun.number
        if piece.lines:
            return False
        piece = piece.trimmed(kernel.BITS // 2)
        if len(piece.rows) > kernel.BITS:
            return False
        bits, rows_bits = size_of(piece.rays).bit_length(), size_of(piece.rows).bit_length()
        if max(bits, rows_bits) > SHORT:
            return False
        if not self._load_levels(node.begun):
            return False
        if not node.fresh and not kernel.frame(self.net, self.levels, self.width, s):
            return False
        control, width = self.control, self.width
        t = int(control[kernel.TOP])
        columns, selectors = len(piece.rays[0]) - width, len(self.layouts[s].sizes)
        opened = [x for g, classes in node.open for x in (g, len(classes), *classes)]
        tops = self.stack.nodes[t - 1, kernel.NUM_TOP :].tolist() if t else [0] * 6
        ends = [
            tops[0] + len(piece.rays) * 2 * (width + columns),
            tops[1] + len(piece.rays),
            tops[2] + len(piece.rows),
            tops[3] + len(piece.rows),
            tops[4] + len(opened),
            tops[5] + selectors,
        ]
        while True:
            st = self.stack
            if t < len(st.nodes) and all(
                end <= len(room)
                for end, room in zip(ends, (st.num, st.tight, st.ids, st.names, st.open, st.won), strict=True)
            ):
                break
            self._grow()
        st.num[tops[0] : ends[0]] = _words([x for ray in piece.rays for x in ray])
        st.tight[tops[1] : ends[1]] = np.array(piece.tight, np.uint64)
        st.bits[tops[1] : ends[1]] = bits
        st.short[tops[1] : ends[1]] = size_of([ray[:width] for ray in piece.rays]).bit_length() if columns else bits
        st.ids[tops[2] : ends[2]] = range(tops[3], ends[3])
        st.rows[tops[3] * 2 * width : ends[3] * 2 * width] = _words([x for row in piece.rows for x in row])
        st.rows_bits[tops[3] : ends[3]] = rows_bits
        st.names[tops[3] : ends[3]] = piece.numbers
        st.open[tops[4] : ends[4]] = opened
        st.won[tops[5] : ends[5]] = node.winners()
        own = [s, node.fresh, tops[0], columns, tops[1], len(piece.rays), tops[2], len(piece.rows)]
        st.nodes[t] = [*own, len(node.open), tops[4], len(opened), tops[5], *ends[:3], *ends[3:]]
        st.path[t] = node.path
        control[kernel.TOP] = t + 1
        self.loaded += 1
        return True

    def _load_levels(self, begun: Begun) -> bool:
        """Have the levels be those of a stage begun, and of the stages before it."""
        path = [begun]
        while (before := path[-1].before) is not None:
            path.append(before)
        path.reverse()
        levels = self.levels
        for t, own in enumerate(path):
            if t:
                levels.won[t - 1, : len(own.winners)] = own.winners
            if self._known(t) is own:
                continue
            if own.frame.inner_size.bit_length() > SHORT:
                return False
            inner = own.frame.inner
            wide = self.shape[0]
            target = levels.inner.reshape(-1, wide, self.width, 2)[t]
            levels.inner_bits[t] = _put_table(target, inner)
            self.control[kernel.EPOCH] += 1
            levels.epoch[t] = self.control[kernel.EPOCH]
            self.known[t] = (int(levels.epoch[t]), own)
        return True

    def _known(self, t: int) -> Begun | None:
        """The stage begun that is in level t, where it is known."""
        known = self.known[t]
        return known[1] if known is not None and known[0] == self.levels.epoch[t] else None

    def _begun(self, s: int) -> Begun:
        """The same, made where it is not."""
        before = None
        for t in range(s + 1):
            own = self._known(t)
            if own is None:
                layout, wide = self.layouts[t], self.shape[0]
                rows = self.network.stages[t].input_dim + 1
                words = self.levels.inner.reshape(-1, wide, self.width, 2)[t, :rows]
                listed = _rows(words.reshape(-1), self.width)
                size = size_of(listed)
                winners = self.levels.won[t - 1, : len(self.layouts[t - 1].sizes)].tolist() if t else ()
                own = Begun(Frame(layout, exact(listed, size), size), before, winners)
                self.known[t] = (int(self.levels.epoch[t]), own)
            before = own
        assert before is not None
        return before

    def _returned(self) -> Node:
        """The node that is handed back, taken from the kernel's stack."""
        st, width = self.stack, self.width
        t = int(self.control[kernel.TOP]) - 1
        self.control[kernel.TOP] = t
        self.handed_back += 1
        own = st.nodes[t].tolist()
        s, fresh, num, columns, ray, rays, row, rows, opens, at = own[:10]
        size = width + columns
        vectors = _rows(st.num[num : num + rays * 2 * size], size)
        ids = st.ids[row : row + rows]
        listed = _rows(st.rows.reshape(-1, 2 * width)[ids].reshape(-1), width)
        piece = NodePiece(
            tuple(listed), tuple(st.names[ids].tolist()), vectors, st.tight[ray : ray + rays].tolist(), []
        )
        begun = self._begun(s)
        if fresh:
            node = Node(begun, piece, (), (), 1)
            node.fresh = True
            return node
        opened: list[tuple[int, Sequence[int]]] = []
        for _ in range(opens):
            g, classes = st.open[at : at + 2].tolist()
            opened.append((g, st.open[at + 2 : at + 2 + classes].tolist()))
            at += 2 + classes
        won = st.won[own[kernel.WON] : own[kernel.WON] + len(self.layouts[s].sizes)].tolist()
        return Node(begun, piece, opened, tuple(enumerate(won)), int(st.path[t]))


# -- leaves --


class _Patterns:
    """The winners of leaves, in few bytes, and what follows from them.

    Of each winner its place in its selector is kept: a byte, or a bit where there are never more than two candidates.
    """

    def __init__(self, network: Staged, first: Sequence[Sequence[int]]) -> None:
        self.network = network
        self.numbers = [len(own) for own in first]
        self.starts = np.array([start for own in first for start in own], np.int32)
        self.bits = all(len(selector.candidates) <= 2 for stage in network.stages for selector in stage.selectors)
        self.pulled: dict[tuple[int, bytes], PulledStage] = {}

    def packed(self, winners: Any) -> Any:
        """Patterns of some leaves from their winners, which are counted through the stage."""
        names = (winners - self.starts).astype(np.uint8)
        return np.packbits(names, axis=1) if self.bits else names

    def trail(self, packed: Any) -> tuple[Settled, ...]:
        """The stages of a leaf as the engine keeps them."""
        names = np.unpackbits(packed, count=len(self.starts)) if self.bits else packed
        trail: list[Settled] = []
        at = 0
        for t, number in enumerate(self.numbers):
            key = t, names[:at].tobytes()
            pulled = self.pulled.get(key)
            if pulled is None:
                identity = AffineMap.identity(self.network.input_dim)
                matrix = trail[-1].outer() if trail else homogeneous_matrix(identity)
                if len(self.pulled) >= MOST_PULLED:
                    self.pulled.clear()
                self.pulled[key] = pulled = self.network.stages[t].pull_back(matrix)
            positions = [
                [members[0] for members in classes.members].index(name)
                for classes, name in zip(pulled.selectors, names[at : at + number].tolist(), strict=True)
            ]
            trail.append(Settled(pulled, tuple(positions)))
            at += number
        return tuple(trail)


class Found(LeafBlock):
    """A block with its leaves."""

    def __init__(
        self,
        lines: bytes,
        records: int,
        leaves: int,
        patterns: _Patterns,
        pattern: Any,
        sketch: Any,
        point: Any,
        first_row: Any,
        rows: Any,
        first_ray: Any,
        rays: Any,
        tight: Any,
    ) -> None:
        super().__init__(lines, records, leaves)
        self.patterns = patterns
        self.pattern = pattern
        self.sketch = sketch
        self.points = point
        self.first_row = first_row
        self.rows = rows
        self.first_ray = first_ray
        self.rays = rays
        self.tight = tight

    def sketches(self) -> list[int]:
        found: list[int] = self.sketch.tolist()
        return found

    def leaf(self, place: int) -> Leaf:
        return _CompiledLeaf(self, place)


class _CompiledLeaf(Leaf):
    def __init__(self, block: Found, place: int) -> None:
        super().__init__(tuple(block.points[place].tolist()))
        self.block = block
        self.place = place

    def _cell(self) -> Cell:
        block, place = self.block, self.place
        network = block.patterns.network
        width = network.input_dim + 1
        first, last = block.first_row[place : place + 2].tolist()
        rows = _unpacked(block.rows, first, last, width)
        first, last = block.first_ray[place : place + 2].tolist()
        rays = _unpacked(block.rays, first, last, width)
        cone = Cone(tuple(rows), rays, block.tight[first:last].tolist(), [0] * len(rays), ())
        return Cell(network.domain_rows, block.patterns.trail(block.pattern[place]), cone)

    def sketch(self) -> tuple[int, ...]:
        return (int(self.block.sketch[self.place]),)


# -- integers and words --


def _words(numbers: Sequence[int]) -> Any:
    """Integers of up to 128 bits in words; ``OverflowError`` where one is longer."""
    try:
        low = np.array(numbers, np.int64)
        return np.stack([low, low >> 63], axis=1).view(np.uint64).reshape(-1)
    except OverflowError:  # of more than 64 bits
        pass
    return np.frombuffer(b"".join([x.to_bytes(16, "little", signed=True) for x in numbers]), "<u8")


def _put_table(target: Any, table: Any) -> int:
    """Copy a table of integers; a bound on their bits. ``OverflowError`` where one is too long."""
    if not table.size:
        return 0
    listed = table.reshape(-1).tolist()
    bits = size_of([listed]).bit_length()
    if bits > SHORT:
        raise OverflowError("an integer is too long for the compiled search")
    target[: table.shape[0], : table.shape[1]] = _words(listed).reshape(*table.shape, 2)
    return bits


def _rows(words: Any, width: int) -> list[tuple[int, ...]]:
    """Words as rows of integers."""
    low, high = words[::2].tolist(), words[1::2].view(np.int64).tolist()
    numbers = [(b << 64) + a for a, b in zip(low, high, strict=True)]
    return [tuple(numbers[k : k + width]) for k in range(0, len(numbers), width)]


def _packed(words: Any) -> Any:
    """A copy, of the lower words alone where these are the numbers."""
    low = words[::2].astype(np.int64)
    return low if np.array_equal(words[1::2].view(np.int64), low >> 63) else words.copy()


def _unpacked(packed: Any, first: int, last: int, width: int) -> list[tuple[int, ...]]:
    """Some rows of numbers that were packed."""
    if packed.dtype == np.uint64:
        return _rows(packed[first * 2 * width : last * 2 * width], width)
    return list(map(tuple, packed[first * width : last * width].reshape(-1, width).tolist()))


def ready() -> None:
    """Load the kernel, or compile it where that was never done: by a network of one unit."""
    prover = CompiledProver(Network.mlp([[[1], [1]], [[1, 1]]]), False, True)
    for _ in prover.run():
        pass
    kernel.frame(prover.net, prover.levels, prover.width, 0)


if __name__ == "__main__":
    # Compile the kernel ahead of its first use.
    ready()

"""The proof search of the native core: the split tree on generators, which writes records as it goes.

The core visits the same nodes as when it counts, and writes for each of them what removes the classes that cannot win
there (``native/src/proof.hpp``). Records come in blocks of lines. A leaf of a block is its pattern, the line with its
point, and a *sketch* of its map, one number with a bound on its error: maps whose sketches are farther apart than their
errors are different, and only what is left has to be compared. Its cell is made on request.

>>> from exactgeo.network import Network
>>> prover = NativeProvers().prover(Network.mlp([[[1]], [[2]]], domain={"box": [[-1, 1]]}), False, True)
>>> [block] = [item for item in prover.below(prover.root()) if item.leaves]
>>> block.lines.split()
[b'["M",0]', b'["L",2,-1]', b'["L",2,1]']
>>> block.leaf(1).point, block.leaf(1).cell.pattern
((2, 1), ((1,),))
"""

import json
from array import array
from collections.abc import Iterator

from exactgeo import native
from exactgeo.cells.cell import Cell
from exactgeo.cells.choice import native_way
from exactgeo.cells.from_pattern import Patterns
from exactgeo.cells.turns import turns
from exactgeo.certificate.limits import MAX_DIGITS, MAX_RECORD
from exactgeo.certificate.numbering import Numbering
from exactgeo.certificate.records import Leaf, LeafBlock, RecordBlock, too_long
from exactgeo.network import Staged
from exactgeo.network.lowering import lowered

__all__ = ["NativeProver", "NativeProvers"]


class NativeProvers:
    """Provers of the core (``certificate.provers``)."""

    def prover(self, network: Staged, multipliers: bool, listing: bool) -> "NativeProver | None":
        """None where the core was not built, or the network is not for a split on generators."""
        fits = native.why_not() is None and native_way(network, "split", counting=False) == "split"
        return NativeProver(network, multipliers, listing) if fits else None


class NativeProver:
    """The search through one network. There is one node to begin at, its domain."""

    def __init__(self, network: Staged, multipliers: bool, listing: bool) -> None:
        self.network = network
        self.multipliers = multipliers
        self.listing = listing

    def root(self) -> None:
        """The domain."""

    def below(self, node: None) -> Iterator[RecordBlock]:
        """The records of the whole tree, in blocks."""
        network = self.network
        numbering = Numbering.of(network).domain
        job = native.core.ProofJob(
            lowered(network, functional=self.listing),
            [numbering[row] for row in network.domain_rows],
            len(network.listed_rows),
            self.multipliers,
            self.listing,
        )
        patterns = Patterns(network)
        try:
            for _ in turns(job):
                while (taken := job.take()) is not None:
                    if job.longest > MAX_RECORD or job.digits > MAX_DIGITS:
                        raise too_long()
                    lines, records, leaves, *rest = taken
                    if self.listing:
                        yield NativeBlock(lines, records, leaves, patterns, *rest)
                    else:
                        yield RecordBlock(lines, records, leaves)
                yield RecordBlock(b"", 0, 0)  # whoever reads has a look at the clock
        finally:
            job.stop()


class NativeBlock(LeafBlock):
    """A block with its leaves."""

    def __init__(
        self, lines: bytes, records: int, leaves: int, patterns: Patterns, pattern: bytes, first: bytes, sketch: bytes
    ) -> None:
        super().__init__(lines, records, leaves)
        self.patterns = patterns
        self.pattern = pattern
        self.first = array("q", first)
        self.sketched = sketch

    def leaf(self, place: int) -> Leaf:
        start = self.first[place]
        _, *point = json.loads(self.lines[start : self.lines.index(b"\n", start)])
        width = len(self.pattern) // self.leaves
        names = array("H", self.pattern[place * width : (place + 1) * width])
        return _NativeLeaf(tuple(point), self.patterns, tuple(names))


class _NativeLeaf(Leaf):
    def __init__(self, point: tuple[int, ...], patterns: Patterns, names: tuple[int, ...]) -> None:
        super().__init__(point)
        self.patterns = patterns
        self.names = names

    def _cell(self) -> Cell:
        return self.patterns.cell(self.names)

    def sketch(self) -> tuple[int, ...]:
        return self.cell.sketch()

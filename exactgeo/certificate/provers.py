"""Provers: whoever searches for the proof below a node of the split tree (``proofs_check/FORMAT.md``, section 4).

Each writes records of its own, and all are verified alike. ``PROVERS`` are all there are; ``cells.choice`` says which
one is used.
"""

from collections.abc import Iterator
from typing import Any, Protocol, TypeVar

from exactgeo.cells.choice import Entry, entry, for_proof
from exactgeo.certificate.records import Leaf, Record, RecordBlock
from exactgeo.errors import Inconsistent
from exactgeo.network import Staged

__all__ = ["PROVERS", "Item", "Prover", "Provers", "proof"]

Item = Record | Leaf | RecordBlock
"""What a proof is made of: records, each L followed by its leaf, or many of them at once, spelled already."""

N = TypeVar("N")


class Prover(Protocol[N]):
    """The proof search through one network; a node is whatever the prover takes for one."""

    def root(self) -> N:
        """The domain, where the first stage begins."""
        ...

    def below(self, node: N) -> Iterator[Item]:
        """The records of the tree below a node, in their order."""
        ...


class Provers(Protocol):
    """Where provers come from."""

    def prover(self, network: Staged, multipliers: bool, listing: bool) -> Prover[Any] | None:
        """A prover for this network; None where one finds that it cannot.

        ``multipliers`` are spelled or left to the checker; ``listing``: the leaves will be asked for.
        """
        ...


def _native() -> Provers:
    from exactgeo.certificate.native_prover import NativeProvers

    return NativeProvers()


def _python() -> Provers:
    from exactgeo.certificate.tree import PythonProvers

    return PythonProvers()


PROVERS: dict[str, Entry[Provers]] = {
    "native": Entry("exactgeo.certificate.native_prover", _native),
    "python": Entry("exactgeo.certificate.tree", _python),
}


def proof(network: Staged, multipliers: bool, listing: bool, core: str | None = None) -> Iterator[Item]:
    """The proof of a network's cells, by the prover of this name, or else by one that is chosen."""
    for name in for_proof(network, PROVERS) if core is None else [core]:
        prover = entry(PROVERS, name).load().prover(network, multipliers, listing)
        if prover is not None:
            return prover.below(prover.root())
    raise Inconsistent("no prover takes this network")

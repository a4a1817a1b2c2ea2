"""Cores for cells: whoever counts or lists the cells below a node, by the method split.

The order of the cells is that of ``partition.split``, so that it depends on the network alone. ``CELL_CORES`` are all
there are; ``cells.choice`` says which one is used.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from exactgeo.cells.cell import Cell
from exactgeo.cells.choice import Entry, Method, choose_method, entry, for_cells
from exactgeo.cells.node import Node
from exactgeo.network import Staged

__all__ = ["CELL_CORES", "CellCore", "CellCores", "Signs", "cell_core", "core_for"]


@dataclass(frozen=True, slots=True)
class Signs:
    """How a core decided signs: by 64-bit integers, by floats with an error bound, by integers modulo 2^64.

    ``zeros``: by primes whether something is zero, a row on a ray, or, in a count by restriction, a form on a slice or
    the difference of two. ``handed_back`` of the ``nodes`` and slices were settled in integers of any length.
    """

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


class CellCore(Protocol):
    """A network, ready to have its cells counted or listed below nodes."""

    @property
    def arrays(self) -> bool:
        """Whether cells are listed in blocks of arrays (``cells.listed``)."""
        ...

    def ready(self) -> object:
        """Load, or compile, all that counting and listing need, ahead of their first use."""
        ...

    def count(self, node: Node) -> Iterator[int]:
        """The number of cells of all stages in a node, in instalments that add up to it, each proved as it comes."""
        ...

    def cells(self, node: Node, stages: int) -> Iterator[Cell]:
        """The cells of the first ``stages`` stages in a node, which is of fewer stages, in the order of split."""
        ...

    def report(self) -> Signs | None:
        """How signs were decided so far; None where all are decided in integers of any length."""
        ...


CellCores = dict[str, Entry[Callable[[Staged], CellCore]]]


def _compiled() -> Callable[[Staged], CellCore]:
    from exactgeo.cells.compiled import Compiled

    return Compiled


def _python() -> Callable[[Staged], CellCore]:
    from exactgeo.cells.python_core import PythonCore

    return PythonCore


CELL_CORES: CellCores = {
    "compiled": Entry("exactgeo.cells.compiled", _compiled),
    "python": Entry("exactgeo.cells.python_core", _python),
}


def cell_core(network: Staged, name: str | None = None) -> CellCore:
    """The core of this name, or the one that is chosen, loaded and ready for the network."""
    core = entry(CELL_CORES, name or for_cells(network, CELL_CORES)).load()(network)
    core.ready()
    return core


def core_for(network: Staged, method: Method | None = None) -> CellCore | None:
    """The core that will count and list the cells of a network, loaded; None for search, which does without."""
    return cell_core(network) if (method or choose_method(network)) == "split" else None

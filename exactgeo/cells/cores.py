"""Cores for cells: whoever counts or lists the cells of a network.

The order of cells depends on the network alone. Split on generators lists them in the order of ``partition.split``,
whoever does it; split on rows and search of the native core in the order of their patterns, search in Python as it
meets them. ``CELL_CORES`` are all there are; ``cells.choice`` says which one is used.
"""

from collections.abc import Callable, Iterator
from typing import Protocol

from exactgeo.cells.cell import Cell
from exactgeo.cells.choice import Entry, Method, choose_method, entry, for_cells
from exactgeo.cells.signs import Signs
from exactgeo.network import Staged

__all__ = ["CELL_CORES", "CellCore", "CellCores", "cell_core"]


class CellCore(Protocol):
    """A network, to have its cells counted or listed by one method. ``limit``: beyond so many, the work may end."""

    @property
    def way(self) -> str:
        """How the work that was begun last is done, in a few words."""
        ...

    def count(self, limit: int | None = None, workers: int = 1) -> Iterator[int]:
        """The number of cells of all stages, in instalments that add up to it, each proved as it comes."""
        ...

    def cells(self, stages: int, limit: int | None = None, workers: int = 1) -> Iterator[Cell]:
        """The cells of the first ``stages`` stages."""
        ...

    @property
    def joins(self) -> bool:
        """Whether it counts regions as well, without a list of cells."""
        ...

    def regions(self, limit: int | None = None, workers: int = 1) -> Iterator[int]:
        """As ``count``; and once that is done, ``joined`` has the numbers of regions and of affine maps."""
        ...

    @property
    def joined(self) -> tuple[int, int] | None: ...

    def report(self) -> Signs | None:
        """How signs were decided in the work that was done last; None where all are decided in integers."""
        ...


CellCores = dict[str, Entry[Callable[[Staged, Method], CellCore]]]


def _native() -> Callable[[Staged, Method], CellCore]:
    from exactgeo.cells.native_core import NativeCore

    return NativeCore


def _python() -> Callable[[Staged, Method], CellCore]:
    from exactgeo.cells.python_core import PythonCore

    return PythonCore


CELL_CORES: CellCores = {
    "native": Entry("exactgeo.cells.native_core", _native),
    "python": Entry("exactgeo.cells.python_core", _python),
}


def cell_core(network: Staged, method: Method | None = None, name: str | None = None) -> CellCore:
    """The core of this name, or the one that is chosen, for the network and the method, or the one that is chosen."""
    return entry(CELL_CORES, name or for_cells(CELL_CORES)).load()(network, method or choose_method(network))

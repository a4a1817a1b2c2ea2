"""Cells by the native core: counted and listed in a thread of its own, without the interpreter lock.

The thread is waited for in short turns, between which Python is itself: signals are handled, budgets are looked at, and
whoever stops going through the cells stops the work.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from exactgeo import native
from exactgeo.cells.cell import Cell
from exactgeo.cells.choice import Method, Way, native_way
from exactgeo.cells.from_pattern import Patterns
from exactgeo.cells.listed import Block
from exactgeo.cells.signs import Signs
from exactgeo.cells.turns import turns
from exactgeo.errors import Inconsistent
from exactgeo.network import Staged
from exactgeo.network.lowering import lowered

__all__ = ["NativeCore"]

NO_LIMIT = 2**62
"""More cells than anybody counts one by one."""


class NativeCore:
    """A core (``cells.cores``)."""

    def __init__(self, network: Staged, method: Method) -> None:
        self.network = network
        self.method = method
        self.way: Way = native_way(network, method, counting=False)
        self.joined: tuple[int, int] | None = None
        self._signs: Signs | None = None

    @property
    def joins(self) -> bool:
        return native_way(self.network, self.method, counting=False) == "split"

    def regions(self, limit: int | None = None, workers: int = 1) -> Iterator[int]:
        self.way = native_way(self.network, self.method, counting=False)
        with self._watched(native.core.WallsJob(lowered(self.network, mapped=True), limit=_most(limit))) as job:
            yield from _found(job)
            if job.complete:
                self.joined = (job.regions, job.affine_maps)

    def report(self) -> Signs | None:
        return self._signs

    def count(self, limit: int | None = None, workers: int = 1) -> Iterator[int]:
        self.way = native_way(self.network, self.method, counting=True)
        with self._watched(self._job(self.network, False, limit, workers)) as job:
            yield from _found(job)

    def cells(self, stages: int, limit: int | None = None, workers: int = 1) -> Iterator[Cell]:
        network = self.network
        if stages < len(network.stages):
            network = Staged(network.input_dim, network.listed_rows, network.stages[:stages])
        self.way = native_way(network, self.method, counting=False)
        source = Patterns(network)
        number = 0
        with self._watched(self._job(network, True, limit, workers)) as job:
            for _ in turns(job):
                while (found := job.take()) is not None:
                    block = Block.of(source, self.method == "split", number, *found)
                    yield from block.cells()
                    number += len(block)

    def _job(self, network: Staged, listed: bool, limit: int | None, workers: int) -> Any:
        return native.core.CellsJob(
            lowered(network), self.way, listed=listed, rows=listed, limit=_most(limit), workers=workers
        )

    @contextmanager
    def _watched(self, job: Any) -> Iterator[Any]:
        """A piece of work, which ends when the block is left, whatever the reason."""
        try:
            yield job
            self._signs = Signs.of(job.tally)
        finally:
            job.stop()
        if not job.cells:
            raise Inconsistent("a network's domain has no interior")


def _most(limit: int | None) -> int:
    return NO_LIMIT if limit is None else min(limit, NO_LIMIT)


def _found(job: Any) -> Iterator[int]:
    """The number of cells that a job finds, in instalments."""
    told = 0
    for _ in turns(job):
        found = job.cells
        yield found - told  # nothing new is a chance to look at budgets
        told = found

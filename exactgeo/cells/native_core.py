"""Cells by the native core: counted and listed in a thread of its own, without the interpreter lock.

The thread is waited for in short turns, between which Python is itself: signals are handled, budgets are looked at, and
whoever stops going through the cells stops the work.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from exactgeo import native
from exactgeo.cells.cell import Cell
from exactgeo.cells.choice import Method, Way, native_way
from exactgeo.cells.listed import Block, Family
from exactgeo.cells.signs import Signs
from exactgeo.network import Staged
from exactgeo.network.lowering import lowered

__all__ = ["TURN", "NativeCore"]

TURN = 0.05
"""Seconds between two chances to be interrupted."""


class NativeCore:
    """A core (``cells.cores``)."""

    def __init__(self, network: Staged, method: Method) -> None:
        self.network = network
        self.method = method
        self.way: Way = native_way(network, method, counting=False)
        self._signs: Signs | None = None

    def report(self) -> Signs | None:
        return self._signs

    def count(self, limit: int | None = None, workers: int = 1) -> Iterator[int]:
        self.way = native_way(self.network, self.method, counting=True)
        with self._job(self.network, self.way, False, limit, workers) as job:
            told = 0
            done = False
            while not done:
                done = job.wait(TURN)
                found = job.cells
                if found > told:
                    yield found - told
                    told = found

    def cells(self, stages: int, limit: int | None = None, workers: int = 1) -> Iterator[Cell]:
        network = self.network
        if stages < len(network.stages):
            network = Staged(network.input_dim, network.listed_rows, network.stages[:stages])
        self.way = native_way(network, self.method, counting=False)
        family = Family(network, self.way == "split")
        width = family.first[-1]
        with self._job(network, self.way, True, limit, workers) as job:
            done = False
            while not done:
                done = job.wait(TURN)
                while (found := job.take()) is not None:
                    pattern, first_row, rows = [
                        np.frombuffer(data, kind)
                        for data, kind in zip(found, (np.uint16, np.int64, np.int32), strict=True)
                    ]
                    block = Block(family, pattern.reshape(len(first_row) - 1, width), first_row, rows.reshape(-1, 4))
                    yield from block.cells()

    @contextmanager
    def _job(self, network: Staged, way: Way, listed: bool, limit: int | None, workers: int) -> Iterator[Any]:
        """A piece of work, which ends when the block is left, whatever the reason."""
        most = {} if limit is None else {"limit": min(limit, 2**62)}
        job = native.core.CellsJob(lowered(network), way, listed=listed, rows=listed, **most)
        try:
            yield job
            self._signs = Signs.of(job.tally)
        finally:
            job.stop()

"""One run of a command: its budgets, its signals, and what it can still say when it is stopped.

``--timeout``, Ctrl-C and SIGTERM raise wherever the work happens to be. What was counted until then is proved, because
each cell is counted when it is found, once; so the unfinished answer is a lower bound, and labelled as one.
"""

import argparse
import json
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NoReturn

from exactgeo.cells import Cell
from exactgeo.errors import BudgetExceeded
from exactgeo.network import Network
from exactgeo.report.progress import Progress

__all__ = ["Job", "Terminated", "complain", "signals", "unfinished"]


AGAIN = 2.0
"""Seconds after which a stop is repeated: code that calls back into Python may have swallowed the exception."""


class Terminated(KeyboardInterrupt):
    """SIGTERM: ends the work as Ctrl-C does."""


@dataclass
class Job:
    """One run of a command: what an unfinished answer needs to know."""

    arguments: argparse.Namespace
    progress: Progress = field(default_factory=Progress)
    network: Network | None = None
    start: float = 0.0

    def begin(self, network: Network) -> None:
        """The network is there; ``seconds`` are counted from here."""
        self.network = network
        self.start = time.perf_counter()
        self.progress.enter("listing cells")

    def seconds(self) -> float:
        return time.perf_counter() - self.start

    @contextmanager
    def untimed(self) -> Iterator[None]:
        """What is done in the block, loading of code, does not count as ``seconds``."""
        before = time.perf_counter()
        try:
            yield
        finally:
            self.start += time.perf_counter() - before

    def finish(self) -> None:
        """The work is done: no budget can strike any more, and the terminal is free for the answer."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        self.progress.clear()

    def within(self, cells: Iterable[Cell]) -> Iterator[Cell]:
        """The cells as they come, counted; ``BudgetExceeded`` at the first one beyond ``--max-cells``."""
        for cell in self.progress.watch(cells):
            self.check_cells()
            yield cell

    def at_least(self, cells: int) -> None:
        """So many cells are proved; ``BudgetExceeded`` where they are more than ``--max-cells``."""
        self.progress.at_least(cells)
        self.check_cells()

    def check_cells(self) -> None:
        """Raise ``BudgetExceeded`` where more than ``--max-cells`` are counted."""
        most = self.arguments.max_cells
        if most is not None and self.progress.cells > most:
            raise BudgetExceeded(f"--max-cells {most}", self.progress.cells)


def complain(text: str, code: int) -> int:
    print(f"exactgeo: {' '.join(text.split())}", file=sys.stderr)
    return code


def unfinished(job: Job, reason: str, code: int) -> int:
    """Tell a proved lower bound, labelled as one."""
    job.finish()
    if not hasattr(job.arguments, "timeout"):
        return complain(reason, code)
    if getattr(job.arguments, "table", False):  # many networks: a bound on their cells would mean nothing
        return complain(f"{reason} while {job.progress.phase}", code)
    # A network that could be read has a domain with interior points, hence a cell.
    proved = max(job.progress.cells, 0 if job.network is None else 1)
    if job.arguments.json:
        answer = {"cells": None, "cells_at_least": proved, "regions": None, "affine_maps": None, "stopped": reason}
        if job.network is not None:
            answer |= {"dimension": job.network.input_dim, "network_sha256": job.network.sha256}
        print(json.dumps({**answer, "seconds": job.seconds() if job.network else None}), flush=True)
    cells = f"{proved:,} cell{'' if proved == 1 else 's'}"
    return complain(f"{reason} while {job.progress.phase}; not the full count, but proved: at least {cells}", code)


@contextmanager
def signals(job: Job) -> Iterator[None]:
    """Within the block ``--timeout``, Ctrl-C and SIGTERM raise, whatever is being done, and the last two only once.

    A second Ctrl-C must not cut the tidying up of the first. Signals that the caller ignores stay ignored. A stop that
    is swallowed, since it came where nothing can be raised (a finalizer, a compiler's callback), comes again, and needs
    no word.
    """

    stopped: list[type[KeyboardInterrupt]] = []

    def alarm(signum: int, frame: object) -> NoReturn:
        if stopped:
            raise stopped[0]
        raise BudgetExceeded(f"--timeout {job.arguments.timeout:g} s", job.progress.cells)

    def stop(signum: int, frame: object) -> NoReturn:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        stopped.append(Terminated if signum == signal.SIGTERM else KeyboardInterrupt)
        signal.setitimer(signal.ITIMER_REAL, AGAIN, AGAIN)
        raise stopped[0]

    tell = sys.unraisablehook

    def swallowed(failure: "sys.UnraisableHookArgs") -> None:
        if not issubclass(failure.exc_type, (BudgetExceeded, KeyboardInterrupt)):
            tell(failure)

    before = {number: signal.getsignal(number) for number in (signal.SIGALRM, signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGALRM, alarm)
    for number in (signal.SIGINT, signal.SIGTERM):
        if before[number] != signal.SIG_IGN:
            signal.signal(number, stop)
    seconds = getattr(job.arguments, "timeout", None)
    sys.unraisablehook = swallowed
    try:
        # The timer counts microseconds, and 0 would mean never.
        signal.setitimer(signal.ITIMER_REAL, 0 if seconds is None else max(seconds, 1e-3), AGAIN)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.unraisablehook = tell
        for number, handler in before.items():
            signal.signal(number, handler)

"""One run of a command: its signals, and what it can still say when it is stopped.

``--timeout``, Ctrl-C, SIGTERM and SIGHUP raise wherever the work happens to be. What was counted until then is proved,
because each cell is counted when it is found, once; so the unfinished answer is a lower bound, and labelled as one, or
all numbers, where a file was still being written. Budgets of cells and states are kept by the ``Watch`` that goes with
the work.
"""

import argparse
import gc
import json
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from exactgeo import native
from exactgeo.counting import Answer, Request, Run
from exactgeo.errors import BudgetExceeded
from exactgeo.files import left_behind, shown
from exactgeo.network import Network
from exactgeo.report.progress import ProgressLine
from exactgeo.request import Watch

__all__ = ["Job", "Terminated", "complain", "say_what_is_missing", "signals", "unfinished"]


AGAIN = 2.0
"""Seconds after which a stop is repeated: code that calls back into Python may have swallowed the exception."""


class Terminated(KeyboardInterrupt):
    """SIGTERM, or SIGHUP: ends the work as Ctrl-C does."""


@dataclass
class Job:
    """One run of a command: what an unfinished answer needs to know."""

    arguments: argparse.Namespace
    progress: ProgressLine = field(default_factory=ProgressLine)
    watch: Watch = field(default_factory=Watch)
    network: Network | None = None
    run: Run | None = None

    def check_work_files(self, *places: Path | None) -> None:
        """Name what killed runs have left behind beside these files."""
        for place in places:
            for part in [] if place is None else left_behind(place):
                complain(f"{shown(part)} was left behind by a run that was killed; it is replaced", 0)

    def enter(self, phase: str) -> None:
        """Name what is being done from now on, where it is not a count."""
        self.watch.phase = phase
        self.progress.enter(phase)

    def begin(self, network: Network, request: Request) -> Run:
        """The network is there: work on a request, within its budgets."""
        self.watch = request.watch(self.progress)
        gc.freeze()  # what is loaded stays: the collector need not visit it again and again
        say_what_is_missing()
        self.run = Run(network, request, self.watch)
        self.network = network
        return self.run

    def answer(self, run: Run) -> Answer:
        """The answer; then no budget can strike any more."""
        answer = run.answer()
        self.watch.phase = "telling the answer"
        self.finish()
        return answer

    def finish(self) -> None:
        """The work is done: no budget can strike any more, and the terminal is free for the answer."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        self.progress.clear()


def complain(text: str, code: int) -> int:
    print(f"exactgeo: {' '.join(text.split())}", file=sys.stderr)
    return code


def say_what_is_missing() -> None:
    """One line where the native core cannot be used, and everything takes much longer."""
    missing = native.why_not()
    if missing is not None:
        complain(f"{missing}; Python does the work, which takes much longer", 0)


def unfinished(job: Job, reason: str, code: int) -> int:
    """Tell a proved lower bound, labelled as one; or the numbers, if they are complete."""
    job.finish()
    if not hasattr(job.arguments, "timeout"):
        return complain(reason, code)
    while_ = f"{reason} while {job.watch.phase.split(';')[0]}"
    if getattr(job.arguments, "table", False):  # many networks: a bound on their cells would mean nothing
        return complain(while_, code)
    if job.run is not None and job.run.counted is not None:
        counted = job.run.counted
        if job.arguments.json:
            print(json.dumps({**counted.as_dict(), "cells_at_least": counted.cells, "stopped": reason}), flush=True)
        rest = f"; {job.run.unwritten} is not written" if job.run.unwritten else ""
        return complain(f"{while_}; the count is complete: {counted.numbers_text()}{rest}", code)
    # A network that could be read has a domain with interior points, hence a cell.
    proved = max(job.watch.cells, 0 if job.network is None else 1)
    if job.arguments.json:
        answer = {"cells": None, "cells_at_least": proved, "regions": None, "affine_maps": None, "stopped": reason}
        if job.network is not None:
            answer |= {"dimension": job.network.input_dim, "network_sha256": job.network.sha256}
        print(json.dumps({**answer, "seconds": job.watch.seconds() if job.network else None}), flush=True)
    cells = f"{proved:,} cell{'' if proved == 1 else 's'}"
    return complain(f"{while_}; not the full count, but proved: at least {cells}", code)


STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def signals(job: Job) -> Iterator[None]:
    """Within the block ``--timeout`` and the signals that stop raise, whatever is being done, and the latter only once.

    A second Ctrl-C must not cut the tidying up of the first. Signals that the caller ignores stay ignored. A stop that
    is swallowed, since it came where nothing can be raised (a finalizer, a compiler's callback), comes again, and needs
    no word.
    """

    stopped: list[type[KeyboardInterrupt]] = []

    def alarm(signum: int, frame: object) -> NoReturn:
        if stopped:
            raise stopped[0]
        raise BudgetExceeded(f"--timeout {job.arguments.timeout:g} s", job.watch.cells)

    def stop(signum: int, frame: object) -> NoReturn:
        for number in STOPS:
            signal.signal(number, signal.SIG_IGN)
        stopped.append(KeyboardInterrupt if signum == signal.SIGINT else Terminated)
        signal.setitimer(signal.ITIMER_REAL, AGAIN, AGAIN)
        raise stopped[0]

    tell = sys.unraisablehook

    def swallowed(failure: "sys.UnraisableHookArgs") -> None:
        if not issubclass(failure.exc_type, (BudgetExceeded, KeyboardInterrupt)):
            tell(failure)

    before = {number: signal.getsignal(number) for number in (signal.SIGALRM, *STOPS)}
    signal.signal(signal.SIGALRM, alarm)
    for number in STOPS:
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

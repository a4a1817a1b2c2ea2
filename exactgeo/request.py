"""What is asked of a count, and what it may cost.

A ``Request`` has the options of ``exactgeo count``, checked: the same in Python and on the command line. A ``Watch``
goes with the work: it is told whatever is proved, looks at the clock and the budget wherever cells come in, and passes
on how far the work is. Nothing here sets a timer or touches a signal, so that it works in any thread.
"""

import math
import operator
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from pathlib import Path
from typing import Literal, Protocol, TypeVar, cast, runtime_checkable

from exactgeo.cells.choice import METHODS, Method
from exactgeo.cells.graph import GRAPH_SUFFIXES
from exactgeo.errors import BadInput, BudgetExceeded, brief_repr, did_you_mean
from exactgeo.files import check_writable, new_path, shown
from exactgeo.report.progress import ProgressLine, brief

__all__ = [
    "COUNTING_METHODS",
    "LONGEST",
    "MOST_STATES",
    "STATES",
    "Progress",
    "Request",
    "Watch",
    "limit_text",
    "progress_of",
]

T = TypeVar("T")

STATES: Literal["states"] = "states"
"""The method that counts each image once for all cells that are sent onto it."""

COUNTING_METHODS: tuple[Method | Literal["states"], ...] = (*METHODS, STATES)

MOST_STATES = 1_000_000
"""The budget of states where ``max_states`` does not tell."""

LONGEST = 1e8
"""Seconds, three years: a timeout is shorter."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to count and what to write; ``of`` makes one from what a user gives, and refuses what makes no sense."""

    count_only: bool = False
    method: Method | Literal["states"] | None = None
    cross_check: bool = False
    certificate: Path | None = None
    multipliers: bool = False
    graph: Path | None = None
    max_cells: int | None = None
    max_states: int | None = None
    max_memory: int | None = None
    timeout: float | None = None
    workers: int = 1

    @staticmethod
    def of(
        *,
        count_only: object = False,
        method: object = None,
        cross_check: object = False,
        certificate: object = None,
        multipliers: object = False,
        graph: object = None,
        max_cells: object = None,
        max_states: object = None,
        max_memory: object = None,
        timeout: object = None,
        workers: object = 1,
    ) -> "Request":
        """The request of these options; ``BadInput`` names the one that is wrong, or two that exclude each other."""
        request = Request(
            _flag("count_only", count_only),
            _method(method),
            _flag("cross_check", cross_check),
            _path("certificate", certificate),
            _flag("multipliers", multipliers),
            _path("graph", graph),
            _positive("max_cells", max_cells),
            _positive("max_states", max_states),
            _positive("max_memory", max_memory),
            _seconds("timeout", timeout),
            _positive("workers", 1 if workers is None else workers) or 1,
        )
        request._check_together()
        return request

    def _check_together(self) -> None:
        if self.graph is not None:
            if self.graph.suffix not in GRAPH_SUFFIXES:
                raise BadInput(f"--graph {shown(self.graph)}: expected a name ending in {' or '.join(GRAPH_SUFFIXES)}")
            if self.count_only:
                raise BadInput("--graph and --count-only exclude each other: a graph needs every cell")
            if self.method == STATES:
                raise BadInput("--graph and --method states exclude each other: a graph needs every cell")
        if self.multipliers and self.certificate is None:
            raise BadInput("--multipliers belongs to --certificate: there is nothing to write them into")

    def check_places(self, network: str | os.PathLike[str] | None = None) -> None:
        """Refuse places that cannot be written, and the file of the network itself."""
        for place in (self.graph, self.certificate):
            if place is not None:
                check_writable(place, other_than=network)
        if (
            self.graph is not None
            and self.certificate is not None
            and self.certificate.resolve() == self.graph.resolve()
        ):
            raise BadInput(f"--graph and --certificate name the same file, {shown(self.graph)}")

    def watch(self, progress: "Progress | None" = None) -> "Watch":
        """A watch over the budgets of this request; its time begins now."""
        return Watch(self.max_cells, self.timeout, progress, self.max_memory)


# -- options -----------------------------------------------------------------------------------------------------------


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise BadInput(f"{name}: expected True or False, got {brief_repr(value)}")
    return value


def _method(value: object) -> Method | Literal["states"] | None:
    if value is None:
        return None
    for known in COUNTING_METHODS:
        if isinstance(value, str) and value == known:
            return known
    hint = did_you_mean(value, COUNTING_METHODS) if isinstance(value, str) else ""
    raise BadInput(f"method: expected {', '.join(METHODS)} or {STATES}, got {brief_repr(value)}{hint}")


def _path(name: str, value: object) -> Path | None:
    return None if value is None else new_path(name, value)


def _positive(name: str, value: object) -> int | None:
    if value is None:
        return None
    try:
        number = 0 if isinstance(value, bool) else operator.index(cast(int, value))
    except TypeError:
        number = 0
    if number < 1:
        raise BadInput(f"{name}: expected a positive integer, got {brief_repr(value)}")
    return number


def _seconds(name: str, value: object) -> float | None:
    if value is None:
        return None
    try:
        seconds = math.nan if isinstance(value, bool) or not isinstance(value, Real | Decimal) else float(value)
    except OverflowError:
        seconds = math.inf
    if not 0 < seconds < LONGEST:  # NaN is not, either
        raise BadInput(f"{name}: expected a positive number of seconds, got {brief_repr(value)}")
    return seconds


def limit_text(limit: int) -> str:
    """A limit in a message: as it was given, unless Python might refuse to print it."""
    return str(limit) if limit < 10**100 else brief(limit)


# -- memory ------------------------------------------------------------------------------------------------------------

WEIGHED_EVERY = 0.05
"""Seconds between two looks at the size of the process."""


def resident_bytes() -> int:
    """The memory that the process has now; where the system does not tell, the most that it had."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


# -- watching ----------------------------------------------------------------------------------------------------------


@runtime_checkable
class Progress(Protocol):
    """Whoever wants to know how far a count is."""

    def enter(self, phase: str) -> object:
        """From now on this is being done."""

    def at_least(self, cells: int) -> object:
        """So many cells are proved."""

    def proved(self, cells: int) -> object:
        """So many of the cells that were counted are in the certificate."""


class _Called:
    """A function of the phase and the number of cells in it, as a ``Progress``."""

    def __init__(self, function: Callable[[str, int], object]) -> None:
        self._function = function
        self._phase = ""
        self._cells = 0

    def enter(self, phase: str) -> None:
        self._phase = phase
        self._function(phase, self._cells)

    def at_least(self, cells: int) -> None:
        self._cells = cells
        self._function(self._phase, cells)

    def proved(self, cells: int) -> None:
        self._function(self._phase, cells)


def progress_of(progress: object) -> Progress | None:
    """``True`` is a line on the terminal; a function is called with the phase and the number of cells."""
    if progress is None or progress is False:
        return None
    if progress is True:
        return ProgressLine()
    if isinstance(progress, Progress):
        return progress
    if callable(progress):
        return _Called(progress)
    raise BadInput(
        f"progress: expected True, a function of phase and cells, or an object with enter, at_least and proved, "
        f"got {brief_repr(progress)}"
    )


class Watch:
    """Keeps to the budget of a piece of work. ``cells`` is a proved lower bound at any moment, ``phase`` what is done.

    ``BudgetExceeded`` comes from where it is told of cells, so the work is stopped between two of them.
    """

    def __init__(
        self,
        max_cells: int | None = None,
        timeout: float | None = None,
        progress: Progress | None = None,
        max_memory: int | None = None,
    ) -> None:
        self.cells = 0
        self.phase = "reading the network"
        self._progress = progress
        self._max_cells = max_cells
        self._timeout = timeout
        self._deadline = math.inf if timeout is None else time.monotonic() + timeout
        self._max_memory = max_memory
        self._weighed = -math.inf
        self._start = time.perf_counter()

    def begin(self, phase: str) -> None:
        """The network is there, and has an interior point, hence a cell; ``seconds`` are counted from here."""
        self.cells = max(self.cells, 1)
        self._start = time.perf_counter()
        self.enter(phase)

    def seconds(self) -> float:
        return time.perf_counter() - self._start

    def enter(self, phase: str) -> None:
        """Name what is being done from now on."""
        if phase != self.phase:
            self.phase = phase
            if self._progress is not None:
                self._progress.enter(phase)
        self.look()

    def at_least(self, cells: int) -> None:
        """So many cells are proved; fewer than before are no news."""
        if cells > self.cells:
            self.cells = cells
        if self._progress is not None:
            self._progress.at_least(self.cells)
        if self._max_cells is not None and self.cells > self._max_cells:
            raise BudgetExceeded(f"--max-cells {limit_text(self._max_cells)}", self.cells)
        self.look()

    def proved(self, cells: int) -> None:
        """So many of the cells are in the certificate."""
        if self._progress is not None:
            self._progress.proved(cells)
        self.look()

    def each(self, items: Iterable[T]) -> Iterator[T]:
        """The items as they come, each counted as a cell."""
        for number, item in enumerate(items, 1):
            self.at_least(number)
            yield item

    def looked(self, items: Iterable[T]) -> Iterator[T]:
        """The items as they come, with a look at the clock before each."""
        for item in items:
            self.look()
            yield item

    def look(self) -> None:
        """Raise ``BudgetExceeded`` where the time is over, or the process has become too large."""
        now = time.monotonic()
        if now > self._deadline:
            raise BudgetExceeded(f"--timeout {self._timeout:g} s", self.cells)
        if self._max_memory is not None and now > self._weighed + WEIGHED_EVERY:
            self._weighed = now
            if resident_bytes() > self._max_memory * 10**6:
                raise BudgetExceeded(f"--max-memory {limit_text(self._max_memory)} MB", self.cells)

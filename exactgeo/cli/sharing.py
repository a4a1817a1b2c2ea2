"""Counting by states within the budgets of a command: by itself, or beside another method until one of them is done."""

from collections.abc import Iterable
from pathlib import Path

from exactgeo.cells.states import Counting, Trial
from exactgeo.certificate import Counts
from exactgeo.certificate.shared import MOST_TEMPLATES, write_shared_certificate
from exactgeo.cli.job import Job
from exactgeo.errors import BadInput, BudgetExceeded, Inconsistent
from exactgeo.network import Network
from exactgeo.regions.states import Bounds, region_bounds

__all__ = ["MOST_STATES", "STATES", "Beside", "Shared", "by_states"]

STATES = "states"
"""The name of the method."""

MOST_STATES = 1_000_000
"""The budget of states where ``--max-states`` does not tell."""


class Shared:
    """A count by states that is done. ``bounds`` are those of regions and of affine maps, where they were asked for."""

    def __init__(self, counting: Counting) -> None:
        self._counting = counting
        self.cells = counting.cells
        self.states = counting.states
        self.bounds: tuple[Bounds, Bounds] | None = region_bounds(counting) if counting.keep else None

    @property
    def exact(self) -> bool:
        """Whether all that was asked for is told by numbers, none of it by bounds."""
        return self.bounds is None or all(low == high for low, high in self.bounds)

    def certify(self, path: Path, multipliers: bool) -> Counts:
        """Write the certificate; what it claims."""
        counting = self._counting
        if not counting.keep:
            counting = Counting(counting.network, keep=True).run()
            if counting.cells != self.cells:
                raise Inconsistent(f"{self.cells} cells by states as they are seen, {counting.cells} as they are read")
        return write_shared_certificate(counting, path, self._counting.keep, multipliers)


def by_states(network: Network, job: Job) -> Shared:
    """Count by states alone."""
    most = job.arguments.max_states or MOST_STATES
    job.progress.enter("counting by states")
    counting = Counting(network, keep=not job.arguments.count_only)
    for _ in counting.steps():
        job.at_least(counting.cells)
        if counting.states > most:
            raise BudgetExceeded(f"--max-states {most}", job.progress.cells)
        if counting.states > MOST_TEMPLATES and job.arguments.certificate is not None:
            raise BadInput(f"a certificate holds at most {MOST_TEMPLATES:,} states, and here are more")
    job.progress.enter("telling regions apart")
    return Shared(counting)


class Beside:
    """Counting by states beside another method, at a small part of its cost unless images recur (``Trial``)."""

    def __init__(self, network: Network, job: Job) -> None:
        self._job = job
        self._trial: Trial | None = Trial(network)

    def answer(self, cells: int) -> Shared | None:
        """To be asked whenever the other method has found so many cells: the count by states, if it is done.

        Regions that come out as bounds are no answer here, and too many states no reason to stop, unless told so: then
        the other method goes on by itself.
        """
        if self._trial is None:
            return None
        counting = self._trial.counting
        done = self._within(counting, self._trial.advance(cells))
        if done and not counting.done:
            return None
        self._trial = None
        if done and not self._job.arguments.count_only:
            counting = Counting(counting.network, keep=True)
            done = self._within(counting, counting.steps())
        shared = Shared(counting) if done else None
        return shared if shared is not None and shared.exact else None

    def _within(self, counting: Counting, steps: Iterable[object]) -> bool:
        """Go on; whether that was possible with a number of states that is worth while."""
        job = self._job
        told, phase = job.arguments.max_states, job.progress.phase
        most = MOST_STATES if job.arguments.certificate is None else MOST_TEMPLATES
        for _ in steps:
            job.progress.phase = "counting by states"
            job.at_least(counting.cells)
            if told is not None and counting.states > told:
                raise BudgetExceeded(f"--max-states {told}", job.progress.cells)
            if counting.states > most:
                job.progress.phase = phase
                return False
        job.progress.phase = phase
        return True

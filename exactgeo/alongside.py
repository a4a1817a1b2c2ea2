"""Counting by states within the budgets of a request: by itself, or alongside another method until one is done."""

from collections.abc import Iterable
from pathlib import Path

from exactgeo.cells.states import Counting, Trial
from exactgeo.certificate import Counts
from exactgeo.certificate.shared import MOST_TEMPLATES, write_shared_certificate
from exactgeo.errors import BadInput, BudgetExceeded, Inconsistent
from exactgeo.network import Network
from exactgeo.regions.states import Bounds, region_bounds
from exactgeo.request import MOST_STATES, Request, Watch, limit_text

__all__ = ["StatesAlongside", "StatesCount", "count_by_states"]


class StatesCount:
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

    def certify(self, path: Path, multipliers: bool, watch: Watch) -> Counts:
        """Write the certificate; what it claims."""
        counting = self._counting
        if not counting.keep:
            counting = Counting(counting.network, keep=True)
            for _ in watch.looked(counting.steps()):
                pass
            if counting.cells != self.cells:
                raise Inconsistent(f"{self.cells} cells by states as they are seen, {counting.cells} as they are read")
        return write_shared_certificate(counting, path, self._counting.keep, multipliers, watch.look)


def count_by_states(network: Network, request: Request, watch: Watch) -> StatesCount:
    """Count by states alone."""
    limit = request.max_states or MOST_STATES
    watch.enter("counting by states")
    counting = Counting(network, keep=not request.count_only)
    for _ in counting.steps():
        watch.at_least(counting.cells)
        if counting.states > limit:
            raise BudgetExceeded(f"--max-states {limit_text(limit)}", watch.cells)
        if counting.states > MOST_TEMPLATES and request.certificate is not None:
            raise BadInput(f"a certificate holds at most {MOST_TEMPLATES:,} states, and here are more")
    watch.enter("telling regions apart")
    return StatesCount(counting)


class StatesAlongside:
    """Counting by states alongside another method, at a small part of its cost unless images recur (``Trial``)."""

    def __init__(self, network: Network, request: Request, watch: Watch) -> None:
        self._request = request
        self._watch = watch
        self._trial: Trial | None = Trial(network)

    def answer(self, cells: int) -> StatesCount | None:
        """To be asked whenever the other method has found so many cells: the count by states, if it is done.

        Regions that come out as bounds are no answer here, and too many states no reason to stop, unless the request
        says so: then the other method goes on by itself.
        """
        if self._trial is None:
            return None
        counting = self._trial.counting
        done = self._within(counting, self._trial.advance(cells))
        if done and not counting.done:
            return None
        self._trial = None
        if done and not self._request.count_only:
            counting = Counting(counting.network, keep=True)
            done = self._within(counting, counting.steps())
        count = StatesCount(counting) if done else None
        return count if count is not None and count.exact else None

    def _within(self, counting: Counting, steps: Iterable[object]) -> bool:
        """Go on; whether that was possible with a number of states that is worth while."""
        watch, limit = self._watch, self._request.max_states
        phase = watch.phase
        worth = MOST_STATES if self._request.certificate is None else MOST_TEMPLATES
        for _ in steps:
            watch.enter("counting by states")
            watch.at_least(counting.cells)
            if limit is not None and counting.states > limit:
                raise BudgetExceeded(f"--max-states {limit_text(limit)}", watch.cells)
            if counting.states > worth:
                watch.enter(phase)
                return False
        watch.enter(phase)
        return True

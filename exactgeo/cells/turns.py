"""Waiting for jobs of the native core: in short turns, between which Python is itself and may be interrupted."""

from collections.abc import Iterator
from typing import Protocol

__all__ = ["Job", "turns"]

TURNS = (0.005, 0.05)
"""Seconds of a turn: at first, and at most."""


class Job(Protocol):
    """A piece of work in threads of its own."""

    def wait(self, seconds: float) -> bool:
        """Wait so long, or until there is something to be taken: whether all is done."""
        ...


def turns(job: Job) -> Iterator[None]:
    """Wait until a job is done, and come back every now and then, and at last when it is."""
    turn, longest = TURNS
    done = False
    while not done:
        done = job.wait(turn)
        turn = min(1.5 * turn, longest)
        yield

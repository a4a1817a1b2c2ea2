"""A line on the terminal that tells how far a long job is: cells so far and cells per second.

It goes to stderr, only where that is a terminal, and is wiped before anything else is printed.
"""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

__all__ = ["Progress"]

T = TypeVar("T")


class Progress:
    """Counts what passes through it. ``cells`` is right at any moment, also when the job is cut short."""

    def __init__(self, quiet: bool = False) -> None:
        self.cells = 0
        self._shown = not quiet and sys.stderr.isatty()
        self._start = self._last = time.monotonic()
        self._drawn = False

    def count(self, amount: int) -> None:
        """Add to the number of cells; draw at most ten times a second."""
        self.cells += amount
        if self._shown and self.cells & 63 < amount:
            now = time.monotonic()
            if now - self._last > 0.1:
                self._last = now
                self._draw(
                    f"{self.cells:,} cells  {self.cells / (now - self._start):,.0f}/s  {now - self._start:.0f} s"
                )

    def watch(self, items: Iterable[T]) -> Iterator[T]:
        """The items as they come, each counted as a cell."""
        for item in items:
            self.count(1)
            yield item

    def say(self, text: str) -> None:
        """Show what is being done now."""
        if self._shown:
            self._draw(text)

    def _draw(self, text: str) -> None:
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()
        self._drawn = True

    def clear(self) -> None:
        if self._drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._drawn = False

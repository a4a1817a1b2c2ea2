"""A line on the terminal that tells how far a long job is: cells so far and cells per second.

It goes to stderr, only where that is a terminal, and is wiped before anything else is printed.

>>> brief(1276), brief(16**60)
('1,276', 'over 10^72')
"""

import os
import sys
import time

__all__ = ["ProgressLine", "brief"]

INTERVAL = 0.1
"""Seconds between two drawings at least; a job that is done sooner draws nothing."""


class ProgressLine:
    """What is being done, and to how many cells."""

    def __init__(self) -> None:
        self.cells = 0
        self.phase = "reading the network"
        self._shown = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._start = self._last = time.monotonic()
        self._drawn = False

    def at_least(self, cells: int) -> None:
        """So many cells are known; fewer than before are no news."""
        self.cells = max(self.cells, cells)
        if self._shown and (spent := self._due()):
            rate = f"  {self.cells / spent:,.0f}/s" if self.cells < 10**18 else ""
            self._draw(f"{self.phase}  {brief(self.cells)} cells{rate}  {spent:.0f} s")

    def proved(self, cells: int) -> None:
        """So many of the cells are done in this phase."""
        if self._shown and (spent := self._due()):
            self._draw(f"{self.phase}  {cells:,} of {brief(self.cells)} cells  {spent:.0f} s")

    def enter(self, phase: str) -> None:
        """Name what is being done from now on; at once where it is loading, for then nothing can be drawn."""
        self.phase = phase
        if self._shown and (phase.startswith("loading") or time.monotonic() - self._start > INTERVAL):
            self._draw(f"{phase}  {brief(self.cells)} cells" if self.cells else phase)

    def hush(self) -> None:
        """Draw nothing from now on: the terminal is wanted for something else."""
        self.clear()
        self._shown = False

    def clear(self) -> None:
        """Wipe the line."""
        if self._drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._drawn = False

    def _due(self) -> float:
        """Seconds since the beginning, if it is time to draw again; else 0."""
        now = time.monotonic()
        if now - self._last <= INTERVAL:
            return 0.0
        self._last = now
        return now - self._start

    def _draw(self, text: str) -> None:
        self._drawn = True  # before it is: a stop may come in between
        sys.stderr.write(f"\r\x1b[K{text[: _columns() - 1]}")
        sys.stderr.flush()


def _columns() -> int:
    """The columns of the terminal, 80 at most: of a line that goes over its edge only the end would be wiped."""
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):  # no terminal that can be asked
        columns = 0
    return min(columns, 80) if columns > 1 else 80


def brief(number: int) -> str:
    """A number in a few characters: all its digits, or a power of ten below it."""
    if number < 10**18:
        return f"{number:,}"
    power = number.bit_length() * 301 // 1000 - 1  # log10(2) = 0.30103
    while number >= 10 ** (power + 1):
        power += 1
    return f"over 10^{power}"

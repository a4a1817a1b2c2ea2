"""Every error of exactgeo: one hierarchy, each named for the situation and carrying its evidence.

``BadInput`` is what a user can mend: the message is one line that names the place and what was expected. ``Partial``
is a true but incomplete answer: it carries what is proved so far. ``Inconsistent`` is a defect of exactgeo itself, two
of its own methods contradicting each other; it must never be swallowed.
"""

import difflib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

__all__ = [
    "BadInput",
    "BadNetwork",
    "BudgetExceeded",
    "EmptyDomain",
    "ExactgeoError",
    "FlatDomain",
    "Inconsistent",
    "NotRational",
    "OutsideDomain",
    "Partial",
    "UnsoundFloats",
    "brief_repr",
    "did_you_mean",
]


class ExactgeoError(Exception):
    """The root of the hierarchy. Errors can be pickled, with what they carry, whatever their constructors take."""

    def __reduce__(self) -> tuple[Callable[..., "ExactgeoError"], tuple[Any, ...]]:
        return _restored, (type(self), self.args, dict(self.__dict__))


class BadInput(ExactgeoError, ValueError):
    """An argument, file or option that cannot be accepted."""


class NotRational(BadInput):
    """Something stands where a rational number belongs."""


class BadNetwork(BadInput):
    """A network document breaks the file format. ``place`` is the path inside the document, "" for the whole."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(f"{place}: {problem}" if place else problem)
        self.place = place
        self.problem = problem


class EmptyDomain(BadNetwork):
    """No point satisfies the domain's inequalities; ``multipliers`` is the Farkas proof, row index to integer."""

    def __init__(self, place: str, multipliers: dict[int, int], problem: str | None = None) -> None:
        situation = f"but it is empty: {_combination(multipliers)} is a negative constant"
        super().__init__(place, problem or f"expected a full-dimensional domain, {situation}")
        self.multipliers = multipliers


class FlatDomain(BadNetwork):
    """The domain has no interior; ``multipliers`` combine its rows to zero, so each row named is an equation."""

    def __init__(self, place: str, multipliers: dict[int, int], problem: str | None = None) -> None:
        situation = f"but it has no interior: {_combination(multipliers)} is identically 0"
        super().__init__(place, problem or f"expected a full-dimensional domain, {situation}")
        self.multipliers = multipliers


class OutsideDomain(BadInput):
    """A point is not in the open domain; ``row`` is the inequality that is not strict there."""

    def __init__(self, row: tuple[int, ...], on_boundary: bool) -> None:
        shown = f"the row {list(row)}" if _is_short(row) else f"a row of {len(row)} long entries"
        where = "on the boundary of" if on_boundary else "outside"
        super().__init__(f"the point is {where} the domain: expected b + a.x > 0 for {shown}")
        self.row = row


class Partial(ExactgeoError):
    """Work was stopped before it was complete; ``cells_at_least`` is a proved lower bound on the number of cells."""

    def __init__(self, reason: str, cells_at_least: int) -> None:
        # A power of two where Python might refuse to print all digits.
        long = cells_at_least >= 10**18
        shown = f"2^{cells_at_least.bit_length() - 1}" if long else f"{cells_at_least:,}"
        super().__init__(f"{reason}: at least {shown} cell{'' if cells_at_least == 1 else 's'}")
        self.reason = reason
        self.cells_at_least = cells_at_least


class BudgetExceeded(Partial):
    """A stated budget (cells, states, seconds) is used up; ``reason`` names it."""


class Inconsistent(ExactgeoError):
    """Two methods of exactgeo contradict each other: a defect, with the evidence in the message."""


class UnsoundFloats(ExactgeoError):
    """The processor's floating-point arithmetic is set to something that the native core's proofs do not cover."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a message about a word that is not known: what was meant, or nothing where nothing is near.

    >>> did_you_mean("ReLU", ["relu", "abs"]), did_you_mean("cuont", ["count", "cells"]), did_you_mean("x", ["count"])
    ('; did you mean relu?', '; did you mean count?', '')
    >>> did_you_mean("negative_slope", ["type", "slope"])
    '; did you mean slope?'
    """
    names, lower = list(known), word.lower()
    near = [name for name in names if name.lower() == lower]
    near = near or difflib.get_close_matches(word, names, 1) or difflib.get_close_matches(lower, names, 1)
    near = near or [name for name in names if name in lower.split("_")]
    return f"; did you mean {near[0]}?" if near else ""


def brief_repr(value: object) -> str:
    """A value in a message, on one line, its beginning where it is long."""
    if isinstance(value, int) and abs(value) >= 10**30:
        return "an integer beyond reason"
    text = " ".join(repr(value).split())
    text = text if text.isprintable() else ascii(text)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _restored(kind: type[ExactgeoError], args: tuple[Any, ...], state: dict[str, Any]) -> ExactgeoError:
    """An error as it was, without its constructor, which may take other arguments."""
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error


def _combination(multipliers: dict[int, int]) -> str:
    """A sum of rows in one readable line; the multipliers are left out where they would fill it."""
    rows = sorted(multipliers)
    if _is_short(list(multipliers.values())):
        return " + ".join(f"{multipliers[row]}*row {row}" for row in rows)
    named = ", ".join(map(str, rows[:8])) + (", ..." if len(rows) > 8 else "")
    return f"a positive combination of the {len(rows)} rows {named}"


def _is_short(numbers: Sequence[int]) -> bool:
    return len(numbers) <= 12 and all(abs(number) < 10**12 for number in numbers)

"""What ``exactgeo at`` shows on a terminal: winners, map, value and facets at a point, in lines of 80 columns.

Winners are named as in the network file: "layers[1].units  0 1 1" says which candidate wins in each unit of the second
layer (of a ReLU, 0 is off and 1 is on; of a head, the number of the key). Candidates that tie on the whole cell stand
in braces. What is long is cut, and says so: ``--json`` has every digit.

>>> formula(["-1/2", "1", "0", "-3"])
'-1/2 + x1 - 3*x3'
"""

import re
import textwrap
from collections.abc import Iterable, Sequence
from itertools import groupby

from exactgeo.cells import Cell, OnWall
from exactgeo.report.records import spelled_map

__all__ = ["cell_text", "formula", "wall_text"]

WIDTH = 80
MOST_DIGITS = 40
MOST_LINES = 12
_NAME = 9  # columns of the names to the left
_NUMBER = re.compile(r"[0-9]+")


def cell_text(cell: Cell, point: Sequence[str], value: Sequence[str]) -> str:
    """The cell at a point, and the network's map and value there."""
    rows = [[str(entry) for entry in row] for row in cell.irredundant_rows()]
    space = f"none: the cell is all of R^{len(point)}"
    return "\n".join(
        [
            *_section("point", [f"({', '.join(map(_cut, point))})"]),
            *_section("winners", _winners(cell) or ["none: the network is affine"]),
            *_section("map", [f"y{k} = {formula(row)}" for k, row in enumerate(spelled_map(cell.map), 1)]),
            *_section("value", [f"y{k} = {_cut(entry)}" for k, entry in enumerate(value, 1)]),
            *_section("facets", [f"{formula(row)} > 0" for row in rows] or [space]),
        ]
    )


def wall_text(wall: OnWall) -> str:
    """Why a point is in no cell."""
    *others, last = [str(candidate) for candidate in wall.tied]
    listed = ", ".join(others) if len(others) <= MOST_LINES else f"{', '.join(others[:MOST_LINES])}, ..."
    text = f"on a wall: at this point candidates {listed} and {last} of {wall.selector} tie, so no cell contains it"
    return "\n".join(_wrapped(text, WIDTH))


def formula(row: Sequence[str]) -> str:
    """b + a.x in the coordinates x1, x2, ...; zero terms are left out, long numbers are cut."""
    terms = [_cut(row[0])] if row[0] != "0" else []
    for k, entry in enumerate(row[1:], 1):
        if entry in ("1", "-1"):
            terms.append(f"{entry[:-1]}x{k}")
        elif entry != "0":
            terms.append(f"{_cut(entry)}*x{k}")
    return " + ".join(terms).replace("+ -", "- ") or "0"


def _winners(cell: Cell) -> list[str]:
    """For each run of selectors of one kind their common name and the winners."""
    named = [
        (re.sub(r"\[[0-9]+\]$", "", selector.name), _class(members))
        for settled, winners in zip(cell.trail, cell.classes, strict=True)
        for selector, members in zip(settled.pulled.stage.selectors, winners, strict=True)
    ]
    width = max((len(name) for name, _ in named), default=0)
    return [
        f"{name:<{width}}  {' '.join(winner for _, winner in group)}"
        for name, group in groupby(named, key=lambda pair: pair[0])
    ]


def _class(members: Sequence[int]) -> str:
    return str(members[0]) if len(members) == 1 else "{" + ",".join(map(str, members)) + "}"


def _section(name: str, entries: Iterable[str]) -> list[str]:
    """The entries beside their common name, each wrapped; both kinds of length are cut at MOST_LINES."""
    lines: list[str] = []
    listed = list(entries)
    for number, entry in enumerate(listed):
        if number == MOST_LINES and len(listed) > MOST_LINES + 1:
            lines.append(f"... and {len(listed) - number:,} more, all of them with --json")
            break
        wrapped = _wrapped(entry, WIDTH - _NAME, "    ")
        if len(wrapped) > MOST_LINES:
            wrapped[MOST_LINES - 1 :] = ["    ... (the whole of it with --json)"]
        lines += wrapped
    return [f"{name if k == 0 else '':<{_NAME}}{line}" for k, line in enumerate(lines)]


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """Lines of at most ``width`` columns, broken at spaces, but not between a sign and its term."""
    held = re.sub(r"(?<= [-+]) ", "\0", text)
    lines = textwrap.wrap(held, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


def _cut(number: str) -> str:
    """A number with its long runs of digits cut."""
    return _NUMBER.sub(_cut_digits, number)


def _cut_digits(match: re.Match[str]) -> str:
    digits = match[0]
    if len(digits) <= MOST_DIGITS:
        return digits
    return f"{digits[:6]}...{digits[-6:]}[{len(digits)} digits]"

"""Arguments and help. An error is one line on stderr and exit code 2."""

import argparse
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from exactgeo import __version__
from exactgeo.cells import METHODS
from exactgeo.cli import commands
from exactgeo.cli.job import Job
from exactgeo.cli.theorem import theorem as run_theorem
from exactgeo.errors import BadInput, did_you_mean
from exactgeo.files import new_path, shown
from exactgeo.request import COUNTING_METHODS, LONGEST, MOST_STATES

__all__ = ["parse"]


class _Parser(argparse.ArgumentParser):
    """argparse, but an error is one line, and options are written out, so that new ones cannot make old calls fail."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **options)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            known = [str(choice) for choice in action.choices]
            listed = ", ".join(map(repr, known))
            hint = did_you_mean(str(value), known)
            if action.metavar == "COMMAND" and (value == "-" or os.path.isfile(value)):
                hint = f"; did you mean {self.prog} count {shown(value)}?"
            raise argparse.ArgumentError(action, f"invalid choice: {value!r} (choose from {listed}){hint}")

    def options(self) -> list[str]:
        """The options that it knows."""
        return list(self._option_string_actions)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {' '.join(message.split())[:400]} (see {self.prog} --help)\n")


Subparsers: TypeAlias = "argparse._SubParsersAction[_Parser]"


def parse(argv: list[str]) -> argparse.Namespace:
    parser, of_commands = _parser()
    joined = _joined(argv)
    command = next((of_commands[word] for word in joined if word in of_commands), parser)
    # Before anything else is said, for what is missing may be there under a wrong name.
    if not {"-h", "--help", "--version"} & set(joined):
        _refuse(command, [word for word in _options(joined) if word.split("=")[0] not in command.options()])
    arguments, unknown = parser.parse_known_args(joined)
    if not hasattr(arguments, "run"):
        parser.error("expected a command: count, cells, at or theorem")
    _refuse(arguments.parser, unknown)
    return arguments


def _options(argv: list[str]) -> list[str]:
    """The long options among the arguments."""
    end = argv.index("--") if "--" in argv else len(argv)
    return [word for word in argv[:end] if word.startswith("--")]


def _refuse(parser: "_Parser", unknown: list[str]) -> None:
    """Say which arguments are not known, and which option may have been meant."""
    if unknown:
        hints = [did_you_mean(word.split("=")[0], parser.options()) for word in unknown if word.startswith("-")]
        parser.error(f"unknown arguments: {' '.join(unknown)}{next(filter(None, hints), '')}")


_EPILOG = """\
examples:
  exactgeo count net.json                    cells, regions and affine maps
  exactgeo count net.json --json             the same as one JSON object
  exactgeo cells net.json --out cells.jsonl  every cell, one JSON object a line
  exactgeo at net.json --point 1/3,-0.25     the cell and the map at a point
  exactgeo theorem V.7 --d 2 --N 3 --L 1     a theorem, confirmed by enumeration

exit codes: 0 done; 1 the answer is no; 2 bad input, or a budget is used up;
130 interrupted, 143 terminated or hung up. An unfinished count tells the lower
bound that it has proved."""

_COUNT_EPILOG = """\
cells are the open convex pieces with one activation pattern; regions are the
maximal linear regions, cells joined across walls where the map is the same;
affine maps are the different maps. All three are exact.

Counted "by states", cells that are sent onto the same set are refined once for
all of them. With --count-only, and where regions follow as well, that method is
chosen where it pays; with --method states, regions may come out as bounds.

examples:
  exactgeo count net.json
  exactgeo count net.json --count-only --timeout 60
  exactgeo count net.json --certificate net.proof.gz
  exactgeo count net.json --method states --json
  unzip -p nets.zip net.json | exactgeo count -
  exactgeo count net.json --graph dual.graphml --cross-check --json"""

_CELLS_EPILOG = """\
A line has "pattern" (for each stage, for each selector the winner; a list where
candidates tie on the whole cell), "rows" ([b, a1, ..., ad], meaning
b + a.x > 0, one for each facet), "map" ([b, a1, ..., ad] for each output) and
"point", which is inside. Numbers are texts "p/q". The file appears when it is
complete. With --regions a line has "region", too, a number from 0 on in the
order of the regions' first cells; for that all cells have to be listed before
the first line is written, and kept in memory.

examples:
  exactgeo cells net.json --out cells.jsonl
  exactgeo cells net.json --out cells.jsonl.gz --regions
  exactgeo cells - --out - < net.json | head -1"""

_AT_EPILOG = """\
x1, x2, ... are the coordinates, y1, y2, ... the outputs; layers[0] is the first
layer, as in the network file. A point on a wall is in no cell: exit code 1.

examples:
  exactgeo at net.json --point 1/3,-0.25
  exactgeo at net.json --point -1/2 1e-3 --json"""

_THEOREM_EPILOG = """\
Builds the network of Appendix F, enumerates it, and compares with (Nw)^(dL) and
(2wN)^(dL), w = floor(d_ff/2d). Exit code 1 if the bound fails.

examples:
  exactgeo theorem V.7 --d 2 --N 3 --L 1
  exactgeo theorem V.7 --d 1 --N 2 --L 3 --d-ff 6 --write-network v7.json
  exactgeo theorem V.7 --d 2 --N 2 --L 2 --certificate v7.proof.gz
  exactgeo theorem V.7 --d 3 --N 8 --L 20
  exactgeo theorem V.7 --table --max-cells 64"""


def _parser() -> tuple[_Parser, dict[str, _Parser]]:
    """The parser, and those of the commands."""
    about = "Every cell and every maximal linear region of a piecewise-affine network, exactly."
    parser = _Parser(prog="exactgeo", description=about, epilog=_EPILOG)
    parser.add_argument("--version", action="version", version=f"exactgeo {__version__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND")
    for add in (_add_count, _add_cells, _add_at, _add_theorem):
        add(subparsers)
    return parser, dict(subparsers.choices)


def _command(subparsers: Subparsers, name: str, run: Callable[[Job], int], text: str, epilog: str) -> _Parser:
    """The parser of a command."""
    parser: _Parser = subparsers.add_parser(name, help=text, description=f"{text.capitalize()}.", epilog=epilog)
    parser.set_defaults(run=run, parser=parser)
    return parser


_NETWORK = "network file, exactgeo-network/1; - is stdin"


def _add_count(subparsers: Subparsers) -> None:
    text = "count cells, maximal linear regions and affine maps"
    count = _command(subparsers, "count", commands.count, text, _COUNT_EPILOG)
    count.add_argument("network", metavar="NET", help=_NETWORK)
    count.add_argument("--count-only", action="store_true", help="count cells alone: faster, needs little memory")
    count.add_argument("--graph", type=_new_path, metavar="FILE", help="write the dual graph, .graphml or .json")
    _enumeration_options(count)


def _add_cells(subparsers: Subparsers) -> None:
    text = "list every cell: pattern, rows, affine map, interior point"
    cells = _command(subparsers, "cells", commands.cells, text, _CELLS_EPILOG)
    cells.add_argument("network", metavar="NET", help=_NETWORK)
    cells.add_argument(
        "--out",
        type=_path,
        required=True,
        metavar="FILE",
        help="JSON Lines, one cell a line; - is stdout, .gz compressed",
    )
    rows = cells.add_mutually_exclusive_group()
    rows.add_argument("--all-rows", action="store_true", help="every row that defines the cell, not its facets alone")
    rows.add_argument("--irredundant", action="store_true", help="rows of facets only: the default")
    cells.add_argument(
        "--regions", action="store_true", help="add region numbers; lists all cells before the first line"
    )
    _enumeration_options(cells, listing=True)


def _add_at(subparsers: Subparsers) -> None:
    at = _command(subparsers, "at", commands.at, "pattern, cell and affine map at a point", _AT_EPILOG)
    at.add_argument("network", metavar="NET", help=_NETWORK)
    at.add_argument("--point", required=True, metavar="X1,X2,...", help="rational coordinates, e.g. 1/3,-0.25")
    at.add_argument("--json", action="store_true", help="one JSON object on stdout")


def _add_theorem(subparsers: Subparsers) -> None:
    theorem = _command(subparsers, "theorem", run_theorem, "confirm a theorem by enumeration", _THEOREM_EPILOG)
    theorem.add_argument("name", choices=["V.7"], help="V.7: the constructive lower bound of arXiv 2604.14727")
    for name, text in (("d", "dimension, and number of heads"), ("N", "keys of each head"), ("L", "blocks")):
        theorem.add_argument(f"--{name}", type=_integer, help=text)
    theorem.add_argument("--d-ff", type=_integer, metavar="F", help="width of the FFN, at least 2d (default 2d)")
    theorem.add_argument("--write-network", type=_new_path, metavar="FILE", help="write the constructed network")
    theorem.add_argument(
        "--table",
        action="store_true",
        help="every size with at most --max-cells cells (default 100), each with a proof",
    )
    _enumeration_options(theorem)


def _enumeration_options(parser: argparse.ArgumentParser, listing: bool = False) -> None:
    """``listing``: the cells themselves are wanted, so that no method will do that only counts them."""
    methods = METHODS if listing else COUNTING_METHODS
    text = "how to enumerate (default: split"
    text += ")" if listing else "; states where images recur)"
    parser.add_argument("--method", choices=methods, help=text)
    if not listing:
        parser.add_argument("--cross-check", action="store_true", help="list by both methods and compare every cell")
        parser.add_argument("--certificate", type=_new_path, metavar="FILE", help="write a proof; .gz is compressed")
        parser.add_argument("--multipliers", action="store_true", help="spell the multipliers out in the certificate")
        parser.add_argument(
            "--max-states",
            type=_positive_integer,
            metavar="N",
            help=f"stop at more than N states (default {MOST_STATES:,}; by states only)",
        )
    parser.add_argument("--max-cells", type=_positive_integer, metavar="N", help="stop at more than N cells")
    parser.add_argument("--max-memory", type=_positive_integer, metavar="MB", help="stop at more than so much memory")
    parser.add_argument("--workers", type=_positive_integer, default=1, metavar="N", help="threads (default 1)")
    parser.add_argument("--timeout", type=_seconds, metavar="S", help="stop after S seconds")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")


def _path(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("expected a path, got nothing")
    return Path(text)


def _new_path(text: str) -> Path:
    try:
        return new_path("file", text)
    except BadInput as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _integer(text: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f"expected an integer of at most 18 digits, got {text[:40]!r}")
    return int(text)


def _positive_integer(text: str) -> int:
    number = _integer(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a positive integer, got {text}")
    return number


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < LONGEST:
        raise argparse.ArgumentTypeError(f"expected a positive number of seconds, got {text[:40]!r}")
    return seconds


_COORDINATES = re.compile(r"[-+.0-9][-+.,/eE0-9\s]*")


def _joined(argv: list[str]) -> list[str]:
    """Let --point take negative and separate coordinates: whatever looks like one after it belongs to it, but for -."""
    for start, argument in enumerate(argv):
        if argument == "--point" or argument.startswith("--point="):
            first = start + (argument == "--point")
            end = min(first + 1, len(argv))
            while end < len(argv) and argv[end] != "-" and _COORDINATES.fullmatch(argv[end]):
                end += 1
            taken = [entry.removeprefix("--point=") for entry in argv[first:end]]
            if not taken or taken[0].startswith("--"):
                return argv
            return [*argv[:start], f"--point={' '.join(taken)}", *argv[end:]]
    return argv

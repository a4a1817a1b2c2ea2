"""The command line: ``exactgeo count | cells | at | theorem``.

Exit codes: 0 done; 1 the answer is no (a theorem fails, a point lies on a wall, two methods disagree); 2 bad input or a
budget that is used up, 130 Ctrl-C. What goes wrong is told in one line on stderr, never as a traceback; an unfinished
count is told as what it proves, a lower bound.
"""

import argparse
import json
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from exactgeo import __version__
from exactgeo.cells import METHODS, Cell, OnWall, cell_at, choose_method, count_cells, dual_graph, enumerate_cells
from exactgeo.cells.graph import GRAPH_SUFFIXES, graph_text
from exactgeo.errors import BadInput, BudgetExceeded, ExactgeoError, Inconsistent
from exactgeo.network import Network, load_network
from exactgeo.rational.numbers import exact
from exactgeo.regions import linear_regions
from exactgeo.report.files import check_writable, written_whole
from exactgeo.report.progress import Progress
from exactgeo.report.records import cell_record, spelled_map
from exactgeo.report.tables import describe, table
from exactgeo.theory.lower_bound import construction, lower_bound

__all__ = ["main"]

INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code."""
    arguments = _parser().parse_args(_joined(list(sys.argv[1:] if argv is None else argv)))
    progress = Progress()
    sys.set_int_max_str_digits(0)  # input is bounded where it is read; exact output may be longer than 4300 digits
    try:
        code: int = arguments.run(arguments, progress)
        sys.stdout.flush()
        return code
    except BudgetExceeded as stop:
        progress.clear()
        return _unfinished(arguments, progress, str(stop), 2)
    except KeyboardInterrupt:
        progress.clear()
        return _unfinished(arguments, progress, "interrupted", INTERRUPTED)
    except Inconsistent as defect:
        progress.clear()
        return _complain(f"defect in exactgeo, please report it: {defect}", 1)
    except ExactgeoError as error:
        progress.clear()
        return _complain(str(error), 2)
    except MemoryError:
        progress.clear()
        return _unfinished(arguments, progress, "out of memory", 2)
    except BrokenPipeError:
        # The reader of our output has gone (``| head``): nothing more to say, also not when Python closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _complain(text: str, code: int) -> int:
    print(f"exactgeo: {' '.join(text.split())}", file=sys.stderr)
    return code


def _unfinished(arguments: argparse.Namespace, progress: Progress, reason: str, code: int) -> int:
    """Tell a proved lower bound, labelled as one."""
    if arguments.json:
        proved = {"cells": None, "cells_at_least": progress.cells, "regions": None, "affine_maps": None}
        print(json.dumps({**proved, "stopped": reason}))
    return _complain(f"{reason}: not finished, but there are at least {progress.cells:,} cells", code)


# -- commands ----------------------------------------------------------------------------------------------------------


def _count(arguments: argparse.Namespace, progress: Progress) -> int:
    network = load_network(arguments.network)
    if arguments.graph is not None:
        if arguments.graph.suffix not in GRAPH_SUFFIXES:
            raise BadInput(f"--graph {arguments.graph}: expected a name ending in {' or '.join(GRAPH_SUFFIXES)}")
        if arguments.count_only:
            raise BadInput("--graph and --count-only exclude each other: a graph needs every cell")
        check_writable(arguments.graph)
    counts = _counts(network, arguments, progress)
    if arguments.json:
        print(json.dumps(counts))
        return 0
    print(describe(network))
    rows = [(name, counts[key]) for name, key in _SHOWN if counts.get(key) is not None]
    print(table(rows))
    rate = counts["cells"] / counts["seconds"] if counts["seconds"] else 0
    print(f"{counts['seconds']:.3f} s by {counts['method']}, {rate:,.0f} cells/s")
    return 0


_SHOWN = (("cells", "cells"), ("regions", "regions"), ("affine maps", "affine_maps"), ("walls", "walls"))


def _counts(network: Network, arguments: argparse.Namespace, progress: Progress) -> dict[str, Any]:
    """What ``count`` and ``theorem`` report, within the budgets."""
    start = time.perf_counter()
    method = arguments.method or choose_method(network)
    walls = None
    with _budget(arguments, progress):
        if arguments.count_only:
            for amount in count_cells(network, method):
                progress.count(amount)
                _check_cells(arguments, progress)
            cells, regions, maps = progress.cells, None, None
        else:
            listed = _within(arguments, progress, enumerate_cells(network, method))
            if arguments.graph is not None:
                graph = dual_graph(listed)
                found = linear_regions(graph)
                walls = len(graph.walls)
            else:
                found = linear_regions(listed)
            cells, regions, maps = len(found.cells), len(found), found.affine_maps
        if arguments.cross_check:
            _cross_check(network, method, cells, progress)
    seconds = time.perf_counter() - start
    if walls is not None:
        with written_whole(arguments.graph) as file:
            file.write(graph_text(graph, arguments.graph.suffix))
    progress.clear()
    return {
        "cells": cells,
        "regions": regions,
        "affine_maps": maps,
        "dimension": network.input_dim,
        "network_sha256": network.sha256,
        "method": method,
        **({} if walls is None else {"walls": walls}),
        **({"cross_check": "agreed"} if arguments.cross_check else {}),
        "seconds": seconds,
    }


def _cross_check(network: Network, method: str, cells: int, progress: Progress) -> None:
    """List the patterns by both methods and demand that they are the same set, of the size that was counted."""
    listed = []
    for each in METHODS:
        progress.say(f"cross-check: listing by {each}")
        patterns = [cell.pattern for cell in enumerate_cells(network, each)]
        if len(set(patterns)) != len(patterns):
            raise Inconsistent(f"{each} lists a cell twice")
        listed.append(set(patterns))
    odd = listed[0] ^ listed[1]
    if odd:
        raise Inconsistent(f"{' and '.join(METHODS)} disagree on {len(odd)} cells, one of them {min(odd)}")
    if len(listed[0]) != cells:
        raise Inconsistent(f"{method} counted {cells} cells and listed {len(listed[0])}")


def _cells(arguments: argparse.Namespace, progress: Progress) -> int:
    network = load_network(arguments.network)
    if str(arguments.out) != "-":
        check_writable(arguments.out)
    start = time.perf_counter()
    with _budget(arguments, progress):
        listed = _within(arguments, progress, enumerate_cells(network, arguments.method))
        if str(arguments.out) == "-":
            for cell in listed:
                print(json.dumps(cell_record(cell, arguments.irredundant)))
            return 0
        with written_whole(arguments.out) as file:
            for cell in listed:
                file.write(json.dumps(cell_record(cell, arguments.irredundant)) + "\n")
    progress.clear()
    seconds = time.perf_counter() - start
    if arguments.json:
        done = {
            "cells": progress.cells,
            "out": str(arguments.out),
            "network_sha256": network.sha256,
            "seconds": seconds,
        }
        print(json.dumps(done))
    else:
        print(f"{progress.cells:,} cells written to {arguments.out}, one JSON object a line")
    return 0


def _at(arguments: argparse.Namespace, progress: Progress) -> int:
    network = load_network(arguments.network)
    point = [exact(text) for text in arguments.point.replace(",", " ").split()]
    found = cell_at(network, point)
    value = network.evaluate(point)
    if isinstance(found, OnWall):
        tied = ", ".join(map(str, found.tied))
        if arguments.json:
            wall = {"stage": found.stage, "selector": found.selector, "tied": found.tied}
            print(json.dumps({"cell": None, "wall": wall, "value": [str(x) for x in value]}))
        else:
            print(f"on a wall: in stage {found.stage}, {found.selector}, candidates {tied} tie, so no cell contains it")
        return 1
    if arguments.json:
        record = cell_record(found, irredundant=True)
        print(json.dumps({"cell": record, "wall": None, "value": [str(x) for x in value]}))
        return 0
    _print_cell(found, [str(x) for x in value])
    return 0


def _print_cell(cell: Cell, value: list[str]) -> None:
    for number, winners in enumerate(cell.classes):
        named = [str(one[0]) if len(one) == 1 else "{" + ",".join(map(str, one)) + "}" for one in winners]
        print(f"stage {number} winners  {' '.join(named) if named else '(linear)'}")
    for k, row in enumerate(spelled_map(cell.map)):
        print(f"y{k + 1} = {_formula(row)} = {value[k]} at the point")
    for facet in cell.irredundant_rows():
        print(f"facet {_formula([str(entry) for entry in facet])} > 0")


def _formula(row: Sequence[str]) -> str:
    terms = [row[0]] if row[0] != "0" else []
    terms += [f"{entry}*x{k}" for k, entry in enumerate(row[1:], 1) if entry != "0"]
    return " + ".join(terms).replace("+ -", "- ") or "0"


def _theorem(arguments: argparse.Namespace, progress: Progress) -> int:
    bound = lower_bound(arguments.d, arguments.N, arguments.L, arguments.d_ff)
    network = construction(bound)
    if arguments.write_network is not None:
        with written_whole(arguments.write_network) as file:
            file.write(network.document.decode())
    arguments.count_only, arguments.graph = False, None
    counts = _counts(network, arguments, progress)
    holds = counts["regions"] >= bound.paper_bound
    answer = {
        "theorem": "V.7",
        "d": bound.d,
        "N": bound.N,
        "L": bound.L,
        "d_ff": bound.d_ff,
        "w": bound.w,
        "paper_bound": bound.paper_bound,
        "construction_count": bound.construction_count,
        "holds": holds,
        **counts,
    }
    if arguments.json:
        print(json.dumps(answer))
    else:
        print(f"Theorem V.7 with d={bound.d} N={bound.N} L={bound.L} d_ff={bound.d_ff}, so w={bound.w}")
        rows: list[tuple[str, object]] = [
            ("cells enumerated", counts["cells"]),
            ("regions enumerated", counts["regions"]),
            ("(2wN)^(dL), the construction", bound.construction_count),
            ("(Nw)^(dL), the paper's bound", bound.paper_bound),
        ]
        print(table(rows))
        print(f"the bound {'holds' if holds else 'FAILS'}; {counts['seconds']:.3f} s by {counts['method']}")
    return 0 if holds else 1


# -- budgets -----------------------------------------------------------------------------------------------------------


@contextmanager
def _budget(arguments: argparse.Namespace, progress: Progress) -> Iterator[None]:
    """Stop the block after ``--timeout`` seconds, whatever it is doing."""
    if arguments.timeout is None:
        yield
        return

    def stop(signum: int, frame: object) -> NoReturn:
        raise BudgetExceeded(f"--timeout {arguments.timeout:g} s", progress.cells)

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, arguments.timeout)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _within(arguments: argparse.Namespace, progress: Progress, cells: Iterator[Cell]) -> Iterator[Cell]:
    for cell in progress.watch(cells):
        _check_cells(arguments, progress)
        yield cell


def _check_cells(arguments: argparse.Namespace, progress: Progress) -> None:
    if arguments.max_cells is not None and progress.cells > arguments.max_cells:
        raise BudgetExceeded(f"--max-cells {arguments.max_cells}", progress.cells)


# -- arguments ---------------------------------------------------------------------------------------------------------


class _Parser(argparse.ArgumentParser):
    """argparse, but an error is one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="exactgeo", description="Every cell and every linear region of a network, exactly.")
    parser.add_argument("--version", action="version", version=f"exactgeo {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    count = commands.add_parser("count", help="count cells, maximal linear regions and affine maps")
    count.add_argument("network", metavar="NET", help="network file, exactgeo-network/1")
    count.add_argument("--count-only", action="store_true", help="count cells alone: faster, needs little memory")
    count.add_argument("--graph", type=Path, metavar="FILE", help="write the dual graph, .graphml or .json")
    _enumeration_options(count)
    count.set_defaults(run=_count)

    cells = commands.add_parser("cells", help="list every cell: pattern, rows, affine map, interior point")
    cells.add_argument("network", metavar="NET", help="network file, exactgeo-network/1")
    cells.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="JSON Lines, one cell a line; - is stdout"
    )
    cells.add_argument("--irredundant", action="store_true", help="rows of facets only")
    _enumeration_options(cells, cross_check=False)
    cells.set_defaults(run=_cells)

    at = commands.add_parser("at", help="pattern, cell and affine map at a point")
    at.add_argument("network", metavar="NET", help="network file, exactgeo-network/1")
    at.add_argument("--point", required=True, metavar="X1,X2,...", help="rational coordinates, e.g. 1/3,-0.25")
    at.add_argument("--json", action="store_true", help="one JSON object on stdout")
    at.set_defaults(run=_at)

    theorem = commands.add_parser("theorem", help="confirm a theorem by enumeration")
    theorem.add_argument("name", choices=["V.7"], help="V.7: the constructive lower bound of arXiv 2604.14727")
    for name, text in (("d", "dimension, and number of heads"), ("N", "keys of each head"), ("L", "blocks")):
        theorem.add_argument(f"--{name}", type=_integer, required=True, help=text)
    theorem.add_argument("--d-ff", type=_integer, metavar="F", help="width of the FFN, at least 2d (default 2d)")
    theorem.add_argument("--write-network", type=Path, metavar="FILE", help="write the constructed network")
    _enumeration_options(theorem)
    theorem.set_defaults(run=_theorem)
    return parser


def _enumeration_options(parser: argparse.ArgumentParser, cross_check: bool = True) -> None:
    parser.add_argument("--method", choices=METHODS, help="how to enumerate (default: split unless the domain is huge)")
    if cross_check:
        parser.add_argument("--cross-check", action="store_true", help="list by both methods and compare every cell")
    parser.add_argument("--max-cells", type=_positive_integer, metavar="N", help="stop at more than N cells")
    parser.add_argument("--timeout", type=_seconds, metavar="S", help="stop after S seconds")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")


def _integer(text: str) -> int:
    if len(text) > 18:
        raise argparse.ArgumentTypeError("expected an integer of at most 18 characters")
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected an integer, got {text!r}") from None


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
    if not 0 < seconds < 1e8:
        raise argparse.ArgumentTypeError(f"expected a positive number of seconds, got {text[:40]!r}")
    return seconds


def _joined(argv: list[str]) -> list[str]:
    """Let --point take negative and separate coordinates: everything up to the next option is one argument."""
    if "--point" not in argv:
        return argv
    start = argv.index("--point") + 1
    end = start
    while end < len(argv) and not argv[end].startswith("--"):
        end += 1
    return [
        *argv[: start - 1],
        *([f"--point={','.join(argv[start:end])}"] if end > start else ["--point"]),
        *argv[end:],
    ]


if __name__ == "__main__":
    sys.exit(main())

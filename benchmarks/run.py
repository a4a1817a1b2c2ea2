"""Measure exactgeo beside the textbook search, write ``RESULTS.md`` and its summary in the README: ``make bench``.

Each workload is counted by the textbook search and by exactgeo in three ways, in one process and in turn, so that all
meet the same machine:

- *textbook*: ``benchmarks.textbook``, patterns of all cells;
- *count*: split, cells counted and not built (``exactgeo count --count-only``);
- *regions*: split, all cells, their maps, the maximal linear regions (``exactgeo count``);
- *search*: adjacency-graph search, all cells with their facets (``exactgeo count --method search``, cells alone).

Time runs from the parsed network to the counts, as in the command's ``seconds``, but it is processor time: each method
runs in one thread, and a neighbour on the machine should not be measured. Each measurement is repeated (``--repeat``)
until it has used up ``PATIENCE`` seconds; the best is compared, the worst is shown. All counts must agree with each
other and with the manifest of the workloads, else the run fails.
"""

import argparse
import gc
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.sections import RESULTS, sections
from benchmarks.textbook import textbook_cells
from exactgeo import Network, count_cells, enumerate_cells, linear_regions, load_network

__all__ = ["RESULTS", "WORKLOADS", "machine", "main"]

WORKLOADS = Path("tests/known/workloads")
README = Path("README.md")
SUMMARY = ("<!-- summary: written by make bench -->\n", "<!-- end of summary -->\n")

KINDS = {
    "hyperplane arrangements in R^2 to R^6": ("w1_",),
    "ReLU networks in R^2 to R^4": ("w3_", "w3x_", "m_"),
    "transformer blocks in R^2 to R^4": ("t_",),
    "bias-free attention heads in R^3 to R^5": ("w2_",),
}
"""Workloads by the beginnings of their names."""

CHOSEN = (
    *("w1_d2_n50", "w1_d3_n25", "w1_d4_n18", "w1_d5_n12", "w1_d6_n12"),
    *("w2_d3_H6_N15", "w2_d4_H4_N10", "w2_d5_H3_N9"),
    *("w3_2-32-32-1_box", "w3_2-32-32-1_all", "w3_3-10-10-1_all", "w3_4-8-8-1_all"),
    *("w3x_3-10-10-1_all", "w3x_4-8-8-1_all", "m_2-64-64_box"),
    *("t_d2_H4_N16_ff16_L2", "t_d3_H3_N6_ff6_L2", "t_d4_H2_N5_ff6_L2"),
)

PATIENCE = 6.0
"""A measurement that has taken this many seconds is not repeated."""

GOAL, GOAL_CELLS = 5, 1000
"""What is asked of exactgeo: so many times faster than the textbook where there are at least so many cells."""

Counts = dict[str, int]


def _textbook(network: Network) -> Counts:
    return {"cells": sum(1 for _ in textbook_cells(network))}


def _count(network: Network) -> Counts:
    return {"cells": sum(count_cells(network, "split"))}


def _regions(network: Network) -> Counts:
    found = linear_regions(enumerate_cells(network, "split"))
    return {"cells": len(found.cells), "regions": len(found), "affine_maps": found.affine_maps}


def _search(network: Network) -> Counts:
    return {"cells": sum(1 for _ in enumerate_cells(network, "search"))}


METHODS: dict[str, Callable[[Network], Counts]] = {
    "textbook": _textbook,
    "count": _count,
    "regions": _regions,
    "search": _search,
}


@dataclass(frozen=True, slots=True)
class Measured:
    """One workload: its counts, the longest coefficient of its facets, and all seconds of each method."""

    name: str
    counts: Counts
    bits: int
    seconds: dict[str, list[float]]

    def best(self, method: str) -> float:
        return min(self.seconds[method])

    def ratio(self, method: str) -> float:
        """How many times faster than the textbook."""
        return self.best("textbook") / self.best(method)

    def rate(self, method: str) -> float:
        """Cells per second."""
        return self.counts["cells"] / self.best(method)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, write; 1 if the goal is missed, an exception if counts disagree."""
    parser = argparse.ArgumentParser(prog="benchmarks.run", description="exactgeo beside the textbook search")
    parser.add_argument("workloads", nargs="*", default=CHOSEN, metavar="NAME", help="default: a choice of 18")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="measurements of each kind (default 3)")
    arguments = parser.parse_args(argv)
    started = time.perf_counter()
    commit = _commit()
    expected: dict[str, dict[str, Any]] = json.loads((WORKLOADS / "MANIFEST.json").read_text(encoding="utf-8"))
    measured = []
    print(f"{'workload':<22}{'cells':>8}{'textbook':>11}" + "".join(f"{m:>11}{'ratio':>7}" for m in list(METHODS)[1:]))
    for name in arguments.workloads:
        one = _measure(name, expected[name], arguments.repeat)
        measured.append(one)
        cells = "".join(f"{one.best(m):>10.3f}s{one.ratio(m):>6.1f}x" for m in list(METHODS)[1:])
        print(f"{name:<22}{one.counts['cells']:>8,}{one.best('textbook'):>10.3f}s{cells}", flush=True)
    verdict = _verdict(measured)
    print(verdict)
    if tuple(arguments.workloads) == CHOSEN:
        total = time.perf_counter() - started
        summary = _summary(measured)
        others = sections(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else ""
        RESULTS.write_text(_report(measured, verdict, summary, commit, total) + others, encoding="utf-8")
        page = README.read_text(encoding="utf-8")
        before, after = page.split(SUMMARY[0])[0], page.split(SUMMARY[1])[1]
        README.write_text(f"{before}{SUMMARY[0]}{summary}\n{SUMMARY[1]}{after}", encoding="utf-8")
        print(f"written to {RESULTS} and {README}, {total:.0f} s")
    return 0 if all(one.ratio("count") >= GOAL and one.ratio("regions") >= GOAL for one in _large(measured)) else 1


def _measure(name: str, expected: dict[str, Any], repeat: int) -> Measured:
    seconds: dict[str, list[float]] = {method: [] for method in METHODS}
    counts: Counts = {}
    for _ in range(repeat):
        for method, run in METHODS.items():
            if sum(seconds[method]) > PATIENCE:
                continue
            network = load_network(WORKLOADS / f"{name}.json")  # anew, so that nothing is remembered
            gc.collect()
            start = time.process_time()
            found = run(network)
            seconds[method].append(time.process_time() - start)
            for key, value in found.items():
                if counts.setdefault(key, value) != value or expected.get(key, value) != value:
                    raise ArithmeticError(f"{name}: {method} finds {value} {key}, not {counts[key]} or the manifest's")
    cells = enumerate_cells(load_network(WORKLOADS / f"{name}.json"), "split")
    bits = max(abs(entry).bit_length() for cell in cells for row in cell.irredundant_rows() for entry in row)
    return Measured(name, counts, bits, seconds)


def _large(measured: Sequence[Measured]) -> list[Measured]:
    return [one for one in measured if one.counts["cells"] >= GOAL_CELLS]


def _verdict(measured: Sequence[Measured]) -> str:
    """The least advantage over the textbook among the workloads that are large enough to tell."""
    large = _large(measured)
    if not large:
        return f"no workload has {GOAL_CELLS:,} cells"
    parts = []
    for method in list(METHODS)[1:]:
        least = min(large, key=lambda one: one.ratio(method))
        parts.append(f"{method} {least.ratio(method):.1f} ({least.name})")
    return f"least ratio to the textbook where there are at least {GOAL_CELLS:,} cells: {', '.join(parts)}"


# -- the report --------------------------------------------------------------------------------------------------------


REPORT = """# Measured

By `make bench`, in one run of {minutes} minutes. Seconds are processor time of one thread.
Machine: {machine}. Commit: {commit}.

*textbook* is breadth-first search with one exact cddlib redundancy removal for each cell (`benchmarks/textbook.py`);
*count* counts cells by split; *regions* lists all cells by split, with their maps, and finds the maximal linear
regions; *search* lists all cells with their facets by adjacency-graph search. All four agree on every count, and with
the known counts where there are any.

How many times faster than the textbook, by kind of workload:

{summary}

The {verdict}.

## Cells per second, and how many times the textbook's

{speed}

*bits* is the length of the largest integer in a facet's primitive row. `w1` are hyperplane arrangements, `w2` bias-free
attention heads, `w3`, `w3x` and `m` ReLU networks, `t` transformer blocks; see `tests/known/workloads/MANIFEST.json`.

## Seconds, best to worst

{times}
"""


def _summary(measured: Sequence[Measured]) -> str:
    """For each kind of workload how many times faster than the textbook, from the least to the most."""
    rows = []
    for kind, beginnings in KINDS.items():
        ours = [one for one in measured if one.name.startswith(beginnings)]
        cells = [one.counts["cells"] for one in ours]
        ratios = [[one.ratio(method) for one in ours] for method in list(METHODS)[1:]]
        spans = [f"{_short(min(values))} to {_short(max(values))}" for values in ratios]
        rows.append([kind, f"{min(cells):,} to {max(cells):,}", *spans])
    return _table(["workloads", "cells", *list(METHODS)[1:]], rows)


def _short(ratio: float) -> str:
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.1f}"


def _report(measured: Sequence[Measured], verdict: str, summary: str, commit: str, total: float) -> str:
    speed = [
        [
            f"`{one.name}`",
            f"{one.counts['cells']:,}",
            str(one.bits),
            f"{one.rate('textbook'):,.0f}",
            *(f"{one.rate(method):,.0f} (**{one.ratio(method):.1f}x**)" for method in list(METHODS)[1:]),
        ]
        for one in measured
    ]
    times = [[f"`{one.name}`", *(_spread(one.seconds[method]) for method in METHODS)] for one in measured]
    return REPORT.format(
        minutes=f"{total / 60:.0f}",
        machine=machine(),
        commit=commit,
        summary=summary,
        verdict=verdict,
        speed=_table(["workload", "cells", "bits", *METHODS], speed),
        times=_table(["workload", *METHODS], times),
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _spread(seconds: Sequence[float]) -> str:
    if len(seconds) == 1:
        return f"{seconds[0]:.3f}, once"
    return f"{min(seconds):.3f} to {max(seconds):.3f}"


def machine() -> str:
    model = platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.split(":", 1)[1].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        model = names[0] if names else model
    packages = ", ".join(f"{name} {version(name)}" for name in ("pycddlib", "python-flint"))
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{model}, {os.cpu_count()} cores; {python}, {packages}"


def _commit() -> str:
    def git(*words: str) -> str:
        return subprocess.run(["git", *words], capture_output=True, text=True, check=True).stdout.strip()

    try:
        commit = git("rev-parse", "--short=12", "HEAD")
        changed = bool(git("status", "--porcelain", "--", "exactgeo", "benchmarks/textbook.py"))
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{commit}{' with changes' if changed else ''}"


if __name__ == "__main__":
    sys.exit(main())

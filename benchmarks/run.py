"""Measure exactgeo beside every other tool that is installed, write ``RESULTS.md`` and its summary in the README.

``make bench``. All tools get the same networks in one run, workload by workload, each in a process of its own with one
thread (``benchmarks.peers`` says which tools there are and where they are looked for; a missing one is skipped with a
word). Of exactgeo two things are measured:

- *count*: cells counted and not built (``exactgeo count --count-only``); the other tools are compared with this;
- *regions*: the maximal linear regions and affine maps (``exactgeo count``): from all cells and their maps, except
  where a map determines its cell (``exactgeo.regions.injective``), as in one layer of units, and counting is enough.

Seconds are processor time, because the machine may be shared, from the parsed network to the counts, without start-up,
and imports. Each measurement is repeated (``--repeat``) until it has used up ``PATIENCE`` seconds; the
best ones are compared, the worst are shown. exactgeo is measured before and after the others. A tool that is over the
time limit gives a bound on the ratio.

exactgeo's counts must agree with each other, with the textbook search and with the manifest of the workloads, else the
run fails. What other tools answer is marked right or wrong.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.peers.problem import read_problem
from benchmarks.peers.tools import OURS, PEERS, REGIONS, Outcome, Tool, measure
from benchmarks.sections import RESULTS, sections

__all__ = ["RESULTS", "WORKLOADS", "commit", "machine", "main", "table"]

WORKLOADS = Path("tests/known/workloads")
README = Path("README.md")
SUMMARY = ("<!-- summary: written by make bench -->\n", "<!-- end of summary -->\n")

KINDS = {
    "hyperplane arrangements in R^2 to R^6": ("w1_",),
    "ReLU networks in R^2 to R^5": ("w3_", "w3x_", "m_"),
    "transformer blocks in R^2 to R^4": ("t_",),
    "bias-free attention heads in R^2 to R^5": ("w2_",),
}
"""Workloads by the beginnings of their names."""

SLOW = {
    "relucent": ("w1_d5_n12", "w3_3-10-10-1_all", "w3_4-8-8-1_all", "w3x_3-10-10-1_all"),
    "polymake": ("w1_d5_n12", "w2_d3_H4_N8", "w2_d3_H6_N15", "w2_d4_H4_N10", "w2_d5_H3_N9"),
}
"""Tools that take a minute or so for each workload are given these only, unless all are asked for."""

PATIENCE, LIMIT, ENOUGH = 3.0, 30.0, 120
"""A measurement that has taken so many seconds is not repeated; one that takes more than ``LIMIT``, and more than
``ENOUGH`` times as long as exactgeo, is given up; slow tools get three times the limit."""

HEAD = f"{'workload':<20}{'tool':<24}{'cells':>9}{'seconds':>10}{'to':>10}{'cells/s':>11}{'ratio':>9}{'MB':>6}  word"

LARGE = 1000
"""From so many cells on a network is large enough for ratios."""

SUMS = ("w2_d3_H6_N15", "w2_d4_H4_N10")
"""The larger Minkowski sums."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One workload: exactgeo's count and regions, and what the other tools made of it."""

    name: str
    count: Outcome
    regions: Outcome
    peers: Mapping[str, Outcome]

    @property
    def cells(self) -> int:
        if self.count.cells is None:
            raise ArithmeticError(f"{self.name}: {self.count.word or 'different counts in different runs'}")
        return self.count.cells

    def is_right(self, peer: str) -> bool:
        return peer in self.peers and self.peers[peer].cells == self.cells

    def is_bound(self, peer: str) -> bool:
        return peer in self.peers and self.peers[peer].waited is not None

    def ratio(self, peer: str) -> float | None:
        """How many times faster exactgeo counts, or more, than a peer that is right or was given up."""
        outcome = self.peers.get(peer)
        if outcome is None:
            return None
        if outcome.waited is not None:
            return outcome.waited / self.count.best
        return outcome.best / self.count.best if self.is_right(peer) else None

    def fastest(self) -> str | None:
        """The fastest peer that is right."""
        right = [name for name in self.peers if self.is_right(name)]
        return min(right, key=lambda name: self.peers[name].best, default=None)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, write; 1 if a goal is missed, an exception if counts disagree."""
    expected: dict[str, dict[str, Any]] = json.loads((WORKLOADS / "MANIFEST.json").read_text(encoding="utf-8"))
    parser = argparse.ArgumentParser(prog="benchmarks.run", description="exactgeo beside all other tools installed")
    parser.add_argument("workloads", nargs="*", metavar="NAME", help="default: all; only then results are written")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="measurements of each kind (default 3)")
    parser.add_argument("--limit", type=float, default=LIMIT, metavar="S", help=f"seconds each (default {LIMIT:.0f})")
    parser.add_argument("--slow", action="store_true", help="slow tools on every workload they can read")
    arguments = parser.parse_args(argv)
    started = time.perf_counter()
    at = commit()
    absent: dict[str, str] = {}
    measured = []
    print(
        f"{'workload':<20}{'tool':<24}{'cells':>9}{'seconds':>10}{'to':>10}{'cells/s':>11}{'ratio':>9}{'MB':>6}  word"
    )
    for name in arguments.workloads or expected:
        one = _measure(name, arguments.repeat, arguments.limit, arguments.slow, absent)
        _check(one, expected[name])
        measured.append(one)
    print(_ended(absent))
    goals = _goals(measured)
    print("\n".join(f"{'reached' if reached else 'MISSED '}  {text}" for reached, text in goals))
    if not arguments.workloads:
        total = time.perf_counter() - started
        summary = _summary(measured)
        others = sections(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else ""
        page = _report(measured, goals, summary, commit(at), total, absent)
        RESULTS.write_text(page + others, encoding="utf-8")
        page = README.read_text(encoding="utf-8")
        before, after = page.split(SUMMARY[0])[0], page.split(SUMMARY[1])[1]
        README.write_text(f"{before}{SUMMARY[0]}{summary}\n{SUMMARY[1]}{after}", encoding="utf-8")
        print(f"written to {RESULTS} and {README}, {total:.0f} s")
    return 0 if all(reached for reached, _ in goals) else 1


def _measure(name: str, repeat: int, limit: float, slow: bool, absent: dict[str, str]) -> Measured:
    path = WORKLOADS / f"{name}.json"
    problem = read_problem(path)

    def run(tool: Tool, limit: float = 600.0) -> Outcome:
        return measure(tool, path, problem, repeat, PATIENCE, limit)

    count = run(OURS)
    if not count.runs:
        raise ArithmeticError(f"{name}: {count.word}")
    regions = run(REGIONS)
    _print(name, regions, count)
    peers = {}
    for tool in PEERS:
        chosen = slow or name in SLOW.get(tool.name, (name,))
        if not tool.reads(problem) or not chosen or tool.name in absent:
            continue
        outcome = run(tool, max(3 * limit if tool.name in SLOW else limit, ENOUGH * count.best))
        if not outcome.installed:
            absent[tool.name] = outcome.word
            continue
        peers[tool.name] = outcome
        _print(name, outcome, count)
    again = run(OURS)  # after the others, so that all meet the same machine
    count = replace(count, runs=[*count.runs, *again.runs])
    _print(name, count, count)
    return Measured(name, count, regions, peers)


def _print(name: str, outcome: Outcome, count: Outcome) -> None:
    start = f"{name:<20}{outcome.tool.name:<24}"
    if not outcome.runs:
        print(f"{start}{'':>55}  {outcome.word}", flush=True)
        return
    word = "right" if outcome.cells == count.cells else "WRONG"
    signs = outcome.runs[0].get("signs")
    if signs:
        word = f"{signs / (count.cells or 1):.1f} signs per cell, {_exact_share(outcome)} by integers"
    best, cells = outcome.best, outcome.cells or 0
    numbers = f"{cells:>9,}{best:>10.4f}{max(outcome.seconds):>10.4f}{cells / best:>11,.0f}{best / count.best:>8.1f}x"
    print(f"{start}{numbers}{outcome.megabytes:>6.0f}  {word}", flush=True)


def _exact_share(outcome: Outcome) -> str:
    """The share of signs that integers decided."""
    run = outcome.runs[0]
    return f"{100 * run['exact'] / run['signs']:.2g}%" if run["exact"] else "0"


def _check(one: Measured, expected: Mapping[str, Any]) -> None:
    """exactgeo agrees with itself, the textbook and the manifest."""
    found: dict[str, Any] = {}
    ours = [*one.count.runs, *one.regions.runs, *(one.peers["textbook"].runs if "textbook" in one.peers else ())]
    for run in ours:
        for key in ("cells", "regions", "affine_maps"):
            if key in run and (found.setdefault(key, run[key]) != run[key] or expected.get(key, run[key]) != run[key]):
                raise ArithmeticError(f"{one.name}: {run[key]} {key}, not {found[key]} or the manifest's")
    for outcome in (one.count, one.regions):
        if not outcome.runs:
            raise ArithmeticError(f"{one.name}: {outcome.tool.name} {outcome.word}")


def _ended(absent: Mapping[str, str]) -> str:
    return "skipped: " + ("; ".join(absent.values()) or "nothing")


# -- what is asked -----------------------------------------------------------------------------------------------------


Goals = list[tuple[bool, str]]


def _ratio(peer: str, goal: float, one: Measured) -> float | None:
    """The ratio, unless it is a bound that does not decide whether the goal is reached."""
    ratio = one.ratio(peer)
    return None if ratio is not None and one.is_bound(peer) and ratio < goal else ratio


def _goals(measured: Sequence[Measured]) -> Goals:
    """Each goal with the workload that is worst for it; goals about tools that are not there are left out."""
    large = [one for one in measured if one.cells >= LARGE]
    small = [one for one in measured if one.cells < LARGE]
    goals: Goals = []

    def least(text: str, goal: float, ones: Iterable[Measured], ratio: Callable[[Measured], float | None]) -> None:
        ratios = [(value, one.name) for one in ones if (value := ratio(one)) is not None]
        if ratios:
            worst = min(ratios)
            reached = sum(value >= goal for value, _ in ratios)
            found = f"{reached} of {len(ratios)}, least {_short(worst[0])} ({worst[1]})"
            goals.append((reached == len(ratios), f"{text}: {found}"))

    def to_fastest(one: Measured) -> float | None:
        name = one.fastest()
        return one.ratio(name) if name else None

    cells = f"{LARGE:,} cells and more"
    least(f"{cells}: faster than the fastest other tool that is right", 1, large, to_fastest)
    least(f"{cells}: 3 times relu_edge_subdivision", 3, large, partial(_ratio, "relu_edge_subdivision", 3))
    least(f"{cells}: 100 times relucent", 100, large, partial(_ratio, "relucent", 100))
    least(f"{cells}: 100 times the textbook", 100, large, partial(_ratio, "textbook", 100))
    few = f"fewer than {LARGE:,} cells"
    least(f"{few}: not slower than the textbook", 1, small, partial(_ratio, "textbook", 1))
    sums = [one for one in measured if one.name in SUMS]
    for peer in ("scipy QuickHull", "normaliz", "gfan", "polymake"):
        least(f"larger Minkowski sums: faster than {peer}", 1, sums, partial(_ratio, peer, 1))
    least(
        f"{cells}: regions and affine maps in 5 times the time of counting (1/5 = 0.2)",
        0.2,
        large,
        lambda one: one.count.best / one.regions.best,
    )
    return goals


# -- the report --------------------------------------------------------------------------------------------------------


REPORT = """# Measured

By `make bench`, in one run of {minutes} minutes. Seconds are processor time; every tool runs in a process of its own
with one thread, start-up, and imports not counted.
Machine: {machine}. Commit: {commit}. Other tools: {versions}; {skipped}.

How many times faster exactgeo counts cells (`--count-only`), by kind of workload:

{summary}

*textbook* is breadth-first search with one exact cddlib redundancy removal for each cell (`benchmarks/textbook.py`); a
ratio with > is a bound, from the time limit. *regions* finds the maximal linear regions and affine maps
(`exactgeo count`): it lists all cells with their maps, except where the map tells the pattern (`w1`). exactgeo and the
textbook agree on every count, and with the known counts where there are any.

What is asked, and the least ratio:

{goals}

## Beside other tools

Seconds, and how many times exactgeo's. An empty place: the tool cannot read the network, or is slow and was not asked.

{beside}

`w1` are hyperplane arrangements, `w2` bias-free attention heads (cells are the vertices of a Minkowski sum), `w3`,
`w3x` and `m` ReLU networks, `t` transformer blocks; see `tests/known/workloads/MANIFEST.json`. QuickHull, normaliz add
head by head; gfan refines normal fans; polymake has Fukuda's sum, and chambers of arrangements. relu_edge_subdivision
works in float32 on a cube, for arrangements in one around all vertices, and counting cells from its vertices is
included; it fails where a hyperplane meets a vertex within rounding.

Peak memory of the process, in MB, with interpreter and libraries: {memory}.

## exactgeo: counting, and regions

Seconds, best to worst; *signs* are sign tests per cell in the native core, *exact* the share of them that
integers decided; *MB* is the peak memory of the process.

{ours}
"""


def _short(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.1f}" if ratio >= 1 else f"{ratio:.2f}"


def _span(values: Sequence[tuple[float, bool]]) -> str:
    """From the least to the most; with a sign where the value is a bound."""
    if not values:
        return ""
    low, high = min(values), max(values)
    texts = [f"{'>' if bound else ''}{_short(value)}" for value, bound in (low, high)]
    return texts[0] if len(values) == 1 else f"{texts[0]} to {texts[1]}"


def _summary(measured: Sequence[Measured]) -> str:
    """For each kind of workload how many times faster than the other tools, from the least to the most."""
    peers = [tool.name for tool in PEERS if any(tool.name in one.peers for one in measured)]
    rows = []
    for kind, beginnings in KINDS.items():
        ours = [one for one in measured if one.name.startswith(beginnings)]
        cells = [one.cells for one in ours]
        rates = [one.cells / one.count.best for one in ours]
        row = [kind, f"{min(cells):,} to {max(cells):,}", f"{min(rates):,.0f} to {max(rates):,.0f}"]
        for peer in peers:
            ratios = [(ratio, one.is_bound(peer)) for one in ours if (ratio := one.ratio(peer))]
            row.append(_span(ratios))
        rows.append(row)
    return table(["workloads", "cells", "cells per second", *peers], rows)


def _place(one: Measured, peer: str) -> str:
    outcome = one.peers.get(peer)
    if outcome is None:
        return ""
    if outcome.waited is not None:
        return f"{outcome.word} (>{_short(outcome.waited / one.count.best)}x)"
    if not outcome.runs:
        return "fails"
    if not one.is_right(peer):
        return f"wrong: {outcome.cells:,}" if outcome.cells is not None else "different counts"
    return f"{outcome.best:.4g} ({_short(outcome.best / one.count.best)}x)"


def _report(
    measured: Sequence[Measured], goals: Goals, summary: str, at: str, total: float, absent: Mapping[str, str]
) -> str:
    peers = [tool.name for tool in PEERS if any(tool.name in one.peers for one in measured)]
    beside = [
        [f"`{one.name}`", f"{one.cells:,}", f"{one.count.best:.4g}", *(_place(one, peer) for peer in peers)]
        for one in measured
    ]
    versions = {out.version: None for one in measured for out in one.peers.values() if out.version}
    ours = []
    for one in measured:
        signs = one.count.runs[0].get("signs")
        ours.append(
            [
                f"`{one.name}`",
                f"{one.cells:,}",
                _spread(one.count.seconds),
                f"{one.cells / one.count.best:,.0f}",
                f"{signs / one.cells:.1f}" if signs else "",
                _exact_share(one.count) if signs else "",
                f"{one.count.megabytes:.0f}",
                _spread(one.regions.seconds),
                _short(one.regions.best / one.count.best),
                f"{one.regions.megabytes:.0f}",
            ]
        )
    head = ["workload", "cells", "count", "cells/s", "signs", "exact", "MB", "regions", "of count", "MB"]
    return REPORT.format(
        minutes=f"{total / 60:.0f}",
        machine=machine(),
        commit=at,
        versions=", ".join(versions),
        skipped=_ended(absent),
        summary=summary,
        goals="\n".join(f"- {'' if reached else '**missed**: '}{text}" for reached, text in goals),
        beside=table(["workload", "cells", "exactgeo", *peers], beside),
        memory=_memory(measured, peers),
        ours=table(head, ours),
    )


def _memory(measured: Sequence[Measured], peers: Sequence[str]) -> str:
    spans = [("exactgeo", [one.count.megabytes for one in measured])]
    for peer in peers:
        spans.append(
            (peer, [one.peers[peer].megabytes for one in measured if peer in one.peers and one.peers[peer].runs])
        )
    return ", ".join(f"{name} {min(found):.0f} to {max(found):.0f}" for name, found in spans if found)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _spread(seconds: Sequence[float]) -> str:
    if len(seconds) == 1:
        return f"{seconds[0]:.4g}, once"
    return f"{min(seconds):.4f} to {max(seconds):.4f}"


def machine() -> str:
    model = platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.split(":", 1)[1].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        model = names[0] if names else model
    packages = ", ".join(f"{name} {version(name)}" for name in ("pycddlib", "python-flint"))
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{model}, {os.cpu_count()} cores; {python}, {packages}"


def commit(before: str | None = None) -> str:
    """The commit, and whether what is measured has been changed since; with ``before``, both where they differ."""

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], capture_output=True, text=True, check=True).stdout.strip()

    try:
        found = git("rev-parse", "--short=12", "HEAD")
        changed = bool(git("status", "--porcelain", "--", "exactgeo", "benchmarks/textbook.py"))
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    now = f"{found}{' with changes' if changed else ''}"
    return now if before in (None, now) else f"{before} at the beginning, {now} at the end"


if __name__ == "__main__":
    sys.exit(main())

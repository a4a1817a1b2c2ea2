"""How exactgeo's counting grows: ``python -m benchmarks.scaling`` writes its section of ``RESULTS.md`` and a plot.

One thing is varied at a time: the number of cells, the dimension d, heads H, keys N, depth L, the bits of coefficients.
Networks are random with fixed seeds, or the construction of Theorem V.7, so all counts are the same in every run. Each
is counted in a process of its own, growth in several rounds; measured are seconds (processor time, the best of a few
runs), sign tests, the share of them that integers decided, and peak memory.

In a log-log plot a power law y = c x^e is a line of slope e; exponents are fitted by least squares. If the work for a
cell does not depend on how many there are, seconds per cell and sign tests per cell have exponent 0.

n hyperplanes in general position make sum_{k<=d} C(n, k) cells (Schläfli), V.7 has (2wN)^(dL): with these the counts
are compared where they apply.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb, log
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.peers.tools import OURS, Outcome, Tool, measure
from benchmarks.plots import Panel, Series, draw
from benchmarks.run import WORKLOADS, commit, machine, table
from benchmarks.sections import RESULTS, write_section
from exactgeo import Network, write_network
from exactgeo.theory.lower_bound import construction, lower_bound

__all__ = ["exponent", "main"]

FIGURE = Path("benchmarks/figures/scaling.svg")
REPEAT, PATIENCE, LIMIT, ROUNDS = 3, 6.0, 600.0, 3
SEED = 20260416


@dataclass(frozen=True, slots=True)
class Case:
    """A network of a family, the value of what is varied, and the number of cells if theory knows it."""

    family: str
    value: int
    network: Network
    expected: int | None = None


def arrangement(d: int, n: int, bits: int = 16) -> Case:
    """n random hyperplanes with coefficients below 2^bits."""
    random = Random(f"{SEED} {d} {n} {bits}")
    rows = [[random.randint(-(2**bits), 2**bits) for _ in range(d + 1)] for _ in range(n)]
    layers = [{"type": "linear", "weight": [row[1:] for row in rows], "bias": [row[0] for row in rows]}]
    network = Network.from_arrays({"input_dim": d, "layers": [*layers, {"type": "relu"}]})
    return Case(f"arrangements, d = {d}", n, network, sum(comb(n, k) for k in range(d + 1)))


def heads(d: int, H: int, N: int) -> Network:
    """H hard attention heads with N random keys and score biases on R^d."""
    random = Random(f"{SEED} heads {d} {H} {N}")

    def number() -> int:
        return random.randint(-1000, 1000)

    identity = [[int(i == j) for j in range(d)] for i in range(d)]
    made = []
    for _ in range(H):
        keys = [[number() for _ in range(d)] for _ in range(N)]
        biases = [number() for _ in range(N)]
        made.append(
            {"query": {"weight": identity}, "keys": keys, "score_bias": biases, "values": [[j] for j in range(N)]}
        )
    layers = [{"type": "attention", "heads": made}]
    return Network.from_arrays({"input_dim": d, "layers": layers})


def deep(d: int, width: int, L: int) -> Network:
    """L layers of ReLU units with small random weights on [-4,4]^d."""
    random = Random(f"{SEED} deep {d} {width}")
    layers: list[dict[str, Any]] = []
    inputs = d
    for _ in range(L):
        weight = [[random.randint(-9, 9) for _ in range(inputs)] for _ in range(width)]
        layers += [{"type": "linear", "weight": weight, "bias": [random.randint(-9, 9) for _ in range(width)]}]
        layers += [{"type": "relu"}]
        inputs = width
    return Network.from_arrays({"input_dim": d, "domain": {"box": [[-4, 4]] * d}, "layers": layers})


def v7(N: int, L: int, family: str) -> Case:
    bound = lower_bound(2, N, L)
    return Case(family, L, construction(bound), bound.construction_count)


def growth() -> list[list[Case]]:
    """From ten thousand to a million cells."""
    return [
        [arrangement(2, n) for n in (141, 250, 447, 800, 1414)],
        [arrangement(3, n) for n in (39, 57, 84, 123, 182)],
        [v7(1, L, "V.7, d = 2, N = 1") for L in (7, 8, 9, 10)],
        [v7(5, L, "V.7, d = 2, N = 5") for L in (2, 3)],
    ]


def parameters() -> list[tuple[str, list[Case]]]:
    """Each with the letter of what is varied."""
    sizes = ((2, 77), (3, 26), (4, 17), (5, 14), (6, 13), (7, 12), (8, 12))
    dimensions = [Case("arrangements of about 3,000 cells", d, arrangement(d, n).network) for d, n in sizes]
    lengths = [Case("arrangements, d = 3, n = 40", b, arrangement(3, 40, b).network) for b in (8, 16, 32, 64, 128, 256)]
    return [
        ("d", dimensions),
        ("H", [Case("heads, d = 2, N = 4", H, heads(2, H, 4)) for H in (16, 32, 64, 128)]),
        ("N", [Case("heads, d = 2, H = 32", N, heads(2, 32, N)) for N in (4, 8, 16, 32, 60)]),
        ("L", [Case("ReLU, d = 2, width 24", L, deep(2, 24, L)) for L in (2, 3, 4, 6, 8)]),
        ("bits", lengths),
    ]


@dataclass(frozen=True, slots=True)
class Point:
    case: Case
    outcome: Outcome

    @property
    def cells(self) -> int:
        found = self.outcome.cells
        if found is None or found != (self.case.expected or found):
            raise ArithmeticError(f"{self.case.family}, {self.case.value}: {found or self.outcome.word}")
        return found

    @property
    def seconds_per_cell(self) -> float:
        return self.outcome.best / self.cells

    @property
    def signs_per_cell(self) -> float:
        return float(self.outcome.runs[0].get("signs", 0)) / self.cells

    @property
    def exact(self) -> float:
        """The share of signs that integers decided."""
        run = self.outcome.runs[0]
        return float(run["exact"] / run["signs"]) if run.get("signs") else 0.0

    @property
    def grown(self) -> float:
        """MB beyond what was there before."""
        return self.outcome.megabytes - float(self.outcome.runs[0]["loaded"])


def exponent(x: Sequence[float], y: Sequence[float]) -> float:
    """The slope of the line that is nearest to the points (log x, log y).

    >>> round(exponent([1, 10, 100], [3, 300, 30000]), 9)
    2.0
    """
    u, v = [log(value) for value in x], [log(value) for value in y]
    u0, v0 = sum(u) / len(u), sum(v) / len(v)
    return sum((a - u0) * (b - v0) for a, b in zip(u, v, strict=True)) / sum((a - u0) ** 2 for a in u)


def _measured(case: Case, folder: Path, tool: Tool = OURS) -> Point:
    path = folder / "network.json"
    write_network(case.network, path)
    point = Point(case, measure(tool, path, None, REPEAT, PATIENCE, LIMIT))
    cells, best = point.cells, point.outcome.best
    print(
        f"{case.family:<34}{case.value:>6}{cells:>11,}{best:>9.3f} s{cells / best:>10,.0f}/s"
        f"{point.signs_per_cell:>8.1f} signs{100 * point.exact:>7.2f}%{point.outcome.megabytes:>6.0f} MB",
        flush=True,
    )
    return point


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, write; 1 if a goal is missed."""
    parser = argparse.ArgumentParser(prog="benchmarks.scaling", description="how counting grows")
    parser.parse_args(argv)
    at = commit()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rounds = [[[_measured(case, folder) for case in family] for family in growth()] for _ in range(ROUNDS)]
        grown = [[_together(points) for points in zip(*found, strict=True)] for found in zip(*rounds, strict=True)]
        varied = [(letter, [_measured(case, folder) for case in cases]) for letter, cases in parameters()]
        listed = _measured(v7(4, 3, "V.7, d = 2, N = 4, nothing shared"), folder)
    walls = [_walls(workload) for workload in ("w1_d2_n50", "w1_d3_n25", "w3_4-8-8-1_all", "t_d3_H3_N6_ff6_L2")]
    goals = _goals(grown, rounds, listed, walls)
    print("\n".join(f"{'reached' if reached else 'MISSED '}  {text}" for reached, text in goals))
    print(draw(FIGURE, _panels(grown, varied)))
    write_section("scaling", "benchmarks.scaling", _report(grown, varied, listed, walls, goals, commit(at)))
    print(f"written to {RESULTS}")
    return 0 if all(reached for reached, _ in goals) else 1


def _together(points: Sequence[Point]) -> Point:
    """All runs of one case, in all rounds, with the largest peak."""
    first = points[0]
    runs = [run for point in points for run in point.outcome.runs]
    megabytes = max(point.outcome.megabytes for point in points)
    return Point(first.case, replace(first.outcome, runs=runs, megabytes=megabytes))


Walls = tuple[str, Outcome, Outcome]


def _walls(name: str) -> Walls:
    """Listing all cells, and all walls too."""

    def run(what: str) -> Outcome:
        tool = Tool(what, ("engine", what), "exact", lambda problem: True, own=True)
        found = measure(tool, WORKLOADS / f"{name}.json", None, REPEAT, PATIENCE, LIMIT)
        if not found.runs:
            raise ArithmeticError(f"{name}: {what}: {found.word}")
        return found

    cells, walls = run("list"), run("walls")
    print(
        f"{name:<34} list {cells.best:.3f} s, walls {walls.best:.3f} s, {walls.best / cells.best:.1f} times", flush=True
    )
    return name, cells, walls


def _goals(
    grown: Sequence[Sequence[Point]], rounds: Sequence[Sequence[Sequence[Point]]], listed: Point, walls: Sequence[Walls]
) -> list[tuple[bool, str]]:
    """What is asked; ratios of times are of the best of all rounds, and those of single rounds show the spread."""
    goals = []
    for family, each in zip(grown, zip(*rounds, strict=True), strict=True):
        spread = [points[-1].seconds_per_cell / points[0].seconds_per_cell for points in each]
        first, last = family[0], family[-1]
        span = f"{first.case.family}, {first.cells:,} to {last.cells:,} cells"
        signs = last.signs_per_cell / first.signs_per_cell
        goals.append((0.9 <= signs <= 1.1, f"{span}: sign tests per cell times {signs:.2f}, at most 1.1"))
        times = last.seconds_per_cell / first.seconds_per_cell
        shown = f"{times:.2f} ({min(spread):.2f} to {max(spread):.2f} in {len(spread)} rounds)"
        goals.append((times <= 1.5, f"{span}: time per cell times {shown}, at most 1.5"))
    peak = max((family[-1] for family in grown), key=lambda point: point.outcome.megabytes)
    text = f"memory for {peak.cells:,} cells: {peak.outcome.megabytes:.0f} MB ({peak.case.family}), at most 500"
    goals.append((peak.outcome.megabytes <= 500, text))
    rate = listed.cells / listed.outcome.best
    goals.append(
        (rate >= 50_000, f"{listed.case.family}, {listed.cells:,} cells: {rate:,.0f} per second, at least 50,000")
    )
    for name, cells, found in walls:
        ratio = found.best / cells.best
        goals.append((ratio <= 3, f"{name}: all walls in {ratio:.1f} times the time of listing, at most 3"))
    return goals


# -- the report --------------------------------------------------------------------------------------------------------


def _panels(grown: Sequence[Sequence[Point]], varied: Sequence[tuple[str, Sequence[Point]]]) -> list[Panel]:
    cells = [[float(point.cells) for point in family] for family in grown]
    names = [family[0].case.family for family in grown]

    def against_cells(title: str, y: str, values: Sequence[Sequence[float]]) -> Panel:
        series = [
            Series(f"{name} (exponent {exponent(x, v):.2f})", x, list(v), colour=k)
            for k, (name, x, v) in enumerate(zip(names, cells, values, strict=True))
        ]
        return Panel(title, "cells", y, series)

    panels = [
        against_cells("speed", "cells per second", [[1 / p.seconds_per_cell for p in f] for f in grown]),
        against_cells("sign tests", "per cell", [[p.signs_per_cell for p in f] for f in grown]),
        against_cells("peak memory", "MB", [[p.outcome.megabytes for p in f] for f in grown]),
    ]
    for letter, points in varied:
        x = [float(point.case.value) for point in points]
        rates = [1 / point.seconds_per_cell for point in points]
        signs = [point.signs_per_cell for point in points]
        series = [Series(f"cells per second ({exponent(x, rates):.2f})", x, rates)]
        if min(signs) >= 1:
            series.append(Series(f"sign tests per cell ({exponent(x, signs):.2f})", x, signs, "s--", 1))
        panels.append(Panel(points[0].case.family, letter, "", series))
    return panels


def _report(
    grown: Sequence[Sequence[Point]],
    varied: Sequence[tuple[str, Sequence[Point]]],
    listed: Point,
    walls: Sequence[Walls],
    goals: Sequence[tuple[bool, str]],
    at: str,
) -> str:
    head = ["family", "value", "cells", "seconds", "cells/s", "signs per cell", "exact", "peak MB", "MB grown"]

    def row(point: Point, letter: str) -> list[str]:
        seconds = point.outcome.seconds
        return [
            point.case.family,
            f"{letter} = {point.case.value}",
            f"{point.cells:,}",
            f"{min(seconds):.3g} to {max(seconds):.3g}",
            f"{point.cells / min(seconds):,.0f}",
            f"{point.signs_per_cell:.1f}" if point.signs_per_cell >= 1 else "",
            f"{100 * point.exact:.2g}%",
            f"{point.outcome.megabytes:.0f}",
            f"{point.grown:.1f}",
        ]

    rows = [row(p, "L" if "V.7" in p.case.family else "n") for family in grown for p in family]
    others = [row(point, letter) for letter, points in varied for point in points]
    fits = []
    for letter, points in [("cells", family) for family in grown] + [(a, list(b)) for a, b in varied]:
        x = [float(p.cells if letter == "cells" else p.case.value) for p in points]
        signs = [p.signs_per_cell for p in points]
        columns = [[float(p.cells) for p in points], [p.seconds_per_cell for p in points]]
        fitted = [f"{exponent(x, column):.2f}" for column in columns]
        fitted.append(f"{exponent(x, signs):.2f}" if min(signs) >= 1 else "")
        fits.append([points[0].case.family, letter, *fitted])
    lists = [
        [f"`{name}`", f"{cells.cells:,}", f"{found.runs[0]['walls']:,}", f"{cells.best:.3f}", f"{found.best:.3f}"]
        for name, cells, found in walls
    ]
    parts = [
        "## Scaling",
        f"By `python -m benchmarks.scaling`. Machine: {machine()}. Commit: {at}.\n"
        "Seconds are processor time of one thread, best to worst; *exact* is the share of signs that integers decided, "
        "*MB grown*\nwhat counting added to the peak memory of the process.",
        "\n".join(f"- {'' if reached else '**missed**: '}{text}" for reached, text in goals),
        "![cells per second, sign tests per cell and memory against cells, d, H, N, L and bits](figures/scaling.svg)",
        "Against the number of cells:",
        table(head, [*rows, row(listed, "L")]),
        "Against one parameter of the network:",
        table(head, others),
        "Exponents, fitted to the logarithms:",
        table(["family", "against", "cells", "seconds per cell", "signs per cell"], fits),
        "Listing all cells, and all walls between them (`dual_graph`), in seconds:",
        table(["workload", "cells", "walls", "list", "with walls"], lists),
    ]
    return "\n\n".join(parts)


if __name__ == "__main__":
    sys.exit(main())

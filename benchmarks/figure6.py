"""Figure 6 of "Expressivity of Transformers: A Tropical Geometry Perspective" (arXiv 2604.14727), with exact counts.

``python -m benchmarks.figure6`` writes its section of ``RESULTS.md`` and a plot. The paper's weights, box and seeds are
not given; here they are stated, so every number but the seconds can be had again.

(a) d = 2, L = 1, 2 blocks, N = 2..5 keys. The paper draws 2*10^6 points and counts different signatures (winning keys
    and signs of units). Each signature that is seen belongs to a cell, so samples bound cells from below; how far below
    is what the exact count tells. Here: two affine heads, FFN of width 8, residuals, Gaussian weights, all rounded to
    1/256, on [-4,4]^2. The sampler works in floats on the very same network, so its error has one more source: at a
    point near a wall, rounding can invent a signature that no cell has. Signatures that are found are therefore looked
    up among the patterns of the exact cells.

(b) d = 4, H = 1..3 bias-free heads, N = 2..7 Gaussian keys: vertices of the Minkowski sum of the key polytopes, the
    cells of the heads. Samples of directions, again 2*10^6, see the vertex that is extreme in each; N^H is the paper's
    bound, W_4(N, H) the sharp maximum (Weibel 2012): N^H for H <= 3. Gaussian keys lie in the interior of their hull
    only if N > 5 = d + 1, so for N <= 5 nothing but the sum itself keeps the count from N^H.

Each count is for ``SEEDS`` networks; the table has the means.
"""

import argparse
import sys
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.plots import Panel, Series, draw
from benchmarks.run import commit, machine, table
from benchmarks.scaling import exponent
from benchmarks.sections import RESULTS, write_section
from exactgeo import Network, enumerate_cells

__all__ = ["Counted", "blocks", "main", "sampled", "sums"]

FIGURE = Path("benchmarks/figures/figure6.svg")
SAMPLES, SEEDS, BLOCK = 2_000_000, 5, 100_000
STEPS = (100, 1000, 10_000, 100_000, 1_000_000, SAMPLES)
RADIUS, WIDTH, HEADS, GRID = 4, 8, 2, 256

Floats = NDArray[np.float64]
Table = list[list[Fraction]]


def _gaussian(random: Random, rows: int, columns: int, deviation: float = 1.0) -> Table:
    return [[Fraction(round(random.gauss(0, deviation) * GRID), GRID) for _ in range(columns)] for _ in range(rows)]


def blocks(N: int, L: int, seed: int) -> dict[str, Any]:
    """Transformer blocks with Gaussian weights, variance 1/inputs for the maps between layers."""
    random, d = Random(f"blocks {N} {L} {seed}"), 2
    layers: list[dict[str, Any]] = []
    for _ in range(L):
        heads = [
            {
                "query": {"weight": _gaussian(random, d, d, d**-0.5)},
                "keys": _gaussian(random, N, d),
                "score_bias": _gaussian(random, 1, N)[0],
                "values": _gaussian(random, N, d),
            }
            for _ in range(HEADS)
        ]
        mix = {"weight": _gaussian(random, d, HEADS * d, (HEADS * d) ** -0.5)}
        hidden = {"weight": _gaussian(random, WIDTH, d, d**-0.5), "bias": _gaussian(random, 1, WIDTH)[0]}
        out = {"weight": _gaussian(random, d, WIDTH, WIDTH**-0.5)}
        layers += [
            {"type": "attention", "residual": True, "heads": heads, "output": mix},
            {"type": "ffn", "residual": True, "hidden": hidden, "output": out},
        ]
    return {"input_dim": d, "domain": {"box": [[-RADIUS, RADIUS]] * d}, "layers": layers}


def sums(H: int, N: int, seed: int) -> dict[str, Any]:
    """Bias-free heads with Gaussian keys in R^4."""
    random, d = Random(f"sums {H} {N} {seed}"), 4
    identity = [[int(i == j) for j in range(d)] for i in range(d)]
    heads = [
        {"query": {"weight": identity}, "keys": _gaussian(random, N, d), "values": [[j] for j in range(N)]}
        for _ in range(H)
    ]
    return {"input_dim": d, "layers": [{"type": "attention", "heads": heads}]}


def _array(rows: Sequence[Sequence[Fraction | int]]) -> Floats:
    return np.array([[float(x) for x in row] for row in rows])


def _signatures(document: dict[str, Any], x: Floats) -> NDArray[np.int64]:
    """The winners of all selectors at each point, in floats."""
    found = []
    for layer in document["layers"]:
        if layer["type"] == "attention":
            parts = []
            for head in layer["heads"]:
                scores = x @ _array(head["query"]["weight"]).T @ _array(head["keys"]).T
                scores += _array([head.get("score_bias", [0] * len(head["keys"]))])
                winners = scores.argmax(axis=1)
                found.append(winners)
                parts.append(_array(head["values"])[winners])
            added = np.hstack(parts)
            if "output" in layer:
                added = added @ _array(layer["output"]["weight"]).T
        else:
            inner = x @ _array(layer["hidden"]["weight"]).T + _array([layer["hidden"]["bias"]])
            found += list((inner > 0).T.astype(np.int64))
            added = np.maximum(inner, 0) @ _array(layer["output"]["weight"]).T
        x = x + added if layer.get("residual") else added
    return np.stack(found, axis=1)


def sampled(document: dict[str, Any], samples: int, seed: int) -> dict[tuple[int, ...], int]:
    """The signatures that random points of the domain see, each with the number of the point that is the first to.

    Points are uniform in a box, Gaussian on R^d.
    """
    random = np.random.default_rng(seed)
    d = document["input_dim"]
    seen: dict[tuple[int, ...], int] = {}
    for start in range(0, samples, BLOCK):
        size = (min(BLOCK, samples - start), d)
        x = random.uniform(-RADIUS, RADIUS, size) if "domain" in document else random.standard_normal(size)
        signatures = _signatures(document, x)
        # One number for each signature makes them quick to compare.
        base = np.cumprod([1, *(signatures.max(axis=0) + 1)[:-1]], dtype=np.int64)
        _, first = np.unique(signatures @ base, return_index=True)
        for at in first.tolist():
            seen.setdefault(tuple(signatures[at].tolist()), start + at)
    return seen


@dataclass(frozen=True, slots=True)
class Counted:
    """Cells, the samples that first saw one of them, in order, and how many signatures were seen that no cell has."""

    cells: int
    firsts: tuple[int, ...]
    invented: int

    @property
    def seen(self) -> int:
        return len(self.firsts)

    def missed(self, samples: int) -> float:
        """The share of cells that so many samples miss."""
        return 1 - bisect_left(self.firsts, samples) / self.cells

    @staticmethod
    def of(document: dict[str, Any], samples: int, seed: int) -> "Counted":
        network = Network.from_arrays(document)
        patterns = {tuple(winner for stage in cell.pattern for winner in stage) for cell in enumerate_cells(network)}
        seen = sampled(document, samples, seed)
        firsts = sorted(at for signature, at in seen.items() if signature in patterns)
        return Counted(len(patterns), tuple(firsts), len(seen) - len(firsts))


Row = tuple[int, int, list[Counted]]
"""What a line of the plot has in common (L or H), N, and the counts of all seeds."""


def _panel_a(samples: int, seeds: int) -> Iterator[Row]:
    for L in (1, 2):
        for N in range(2, 6):
            yield L, N, [Counted.of(blocks(N, L, seed), samples, seed) for seed in range(seeds)]


def _panel_b(samples: int, seeds: int) -> Iterator[Row]:
    for H in (1, 2, 3):
        for N in range(2, 8):
            yield H, N, [Counted.of(sums(H, N, seed), samples, seed) for seed in range(seeds)]


def main(argv: Sequence[str] | None = None) -> int:
    """Count, sample, print, write."""
    parser = argparse.ArgumentParser(prog="benchmarks.figure6", description="Figure 6 with exact counts")
    parser.add_argument("--samples", type=int, default=SAMPLES, metavar="N", help=f"points each (default {SAMPLES:,})")
    parser.add_argument("--seeds", type=int, default=SEEDS, metavar="N", help=f"networks each (default {SEEDS})")
    arguments = parser.parse_args(argv)
    at = commit()
    a = [_printed("a", "L", row) for row in _panel_a(arguments.samples, arguments.seeds)]
    b = [_printed("b", "H", row) for row in _panel_b(arguments.samples, arguments.seeds)]
    if (arguments.samples, arguments.seeds) == (SAMPLES, SEEDS):
        print(draw(FIGURE, _panels(a, b), columns=3))
        write_section("figure", "benchmarks.figure6", _report(a, b, commit(at)))
        print(f"written to {RESULTS}")
    return 0


def _printed(panel: str, letter: str, row: Row) -> Row:
    value, N, counted = row
    print(f"({panel}) {letter} = {value}, N = {N}: {' | '.join(_columns(counted))}", flush=True)
    return row


def _columns(counted: Sequence[Counted]) -> list[str]:
    cells = [one.cells for one in counted]
    missed = [one.cells - one.seen for one in counted]
    complete = sum(count == 0 for count in missed)
    return [
        f"{fmean(cells):.1f} ({min(cells)} to {max(cells)})",
        f"{fmean(one.seen for one in counted):.1f}",
        f"{fmean(missed):.1f} ({max(missed)})",
        f"{complete} of {len(counted)}",
        str(sum(one.invented for one in counted)),
    ]


def _lines(rows: Sequence[Row]) -> dict[int, list[Row]]:
    return {value: [row for row in rows if row[0] == value] for value in dict.fromkeys(row[0] for row in rows)}


def _slopes(rows: Sequence[Row]) -> tuple[float, float]:
    """The exponents in N of the mean of the cells, and of the cells seen."""
    x = [float(N) for _, N, _ in rows]
    cells = [fmean(one.cells for one in counted) for _, _, counted in rows]
    return exponent(x, cells), exponent(x, [fmean(one.seen for one in counted) for _, _, counted in rows])


def _panels(a: Sequence[Row], b: Sequence[Row]) -> list[Panel]:
    panels = []
    titles = (("(a) blocks, d = 2: cells", "L", a), ("(b) Minkowski sums, d = 4: vertices", "H", b))
    for title, letter, rows in titles:
        series = []
        for colour, (value, line) in enumerate(_lines(rows).items()):
            x = [float(N) for _, N, _ in line]
            exact, seen = _slopes(line)
            cells = [fmean(one.cells for one in counted) for _, _, counted in line]
            found = [fmean(one.seen for one in counted) for _, _, counted in line]
            series.append(Series(f"{letter} = {value}, exact (slope {exact:.2f})", x, cells, "o-", colour))
            series.append(Series(f"{letter} = {value}, sampled (slope {seen:.2f})", x, found, "x:", colour))
            if letter == "H":
                series.append(Series("", x, [N**value for N in x], "--", 5))
        panels.append(Panel(title, "N", "", series))
    return [*panels, Panel("(c) share of cells missed", "samples", "", _missed(a, b))]


def _missed(a: Sequence[Row], b: Sequence[Row]) -> list[Series]:
    """Means of the shares, against the number of samples, for the largest networks."""
    lines = [("L = 1, N = 5", a, 1, 5), ("L = 2, N = 5", a, 2, 5), ("H = 2, N = 7", b, 2, 7), ("H = 3, N = 7", b, 3, 7)]
    series = []
    for colour, (name, rows, value, N) in enumerate(lines):
        counted = next(row[2] for row in rows if row[:2] == (value, N))
        shares = [(float(step), fmean(one.missed(step) for one in counted)) for step in STEPS]
        x, y = zip(*[(step, share) for step, share in shares if share], strict=True)
        series.append(Series(name, list(x), list(y), "o-", colour))
    return series


REPORT = """## Figure 6 with exact counts

By `python -m benchmarks.figure6`. Machine: {machine}. Commit: {commit}.
Means over {seeds} networks with Gaussian weights, rounded to 1/{grid}; {samples:,} samples for each network, as in the
paper. *missed* are cells that no sample met, on average (and at most); *complete* tells for how many networks samples
met every cell; *invented* are signatures that samples met and no cell has, by rounding near a wall.

![Figure 6 with exact counts and samples](figures/figure6.svg)

(c) shows the mean share of cells that are missed against the number of samples. Samples alone do not tell when
none is left.

(a) d = 2, {heads} affine heads and an FFN of width {width} in each of L blocks, on [-{radius},{radius}]^2.
Exponents of N, exact and sampled: {slopes_a}.

{table_a}

(b) d = 4, H bias-free heads with N keys: vertices of the Minkowski sum, directions sampled. Exponents:
{slopes_b}. For N <= 5 all keys are vertices (H = 1), and yet for H = 3 the sum falls short of
N^3 (dashed): interior points are not the reason.

{table_b}"""


def _report(a: Sequence[Row], b: Sequence[Row], at: str) -> str:
    head = ["cells", "sampled", "missed", "complete", "invented"]

    def slopes(letter: str, rows: Sequence[Row]) -> str:
        found = {value: _slopes(line) for value, line in _lines(rows).items()}
        return ", ".join(f"{letter} = {value}: {one:.2f} and {two:.2f}" for value, (one, two) in found.items())

    return REPORT.format(
        machine=machine(),
        commit=at,
        seeds=SEEDS,
        grid=GRID,
        samples=SAMPLES,
        heads=HEADS,
        width=WIDTH,
        radius=RADIUS,
        slopes_a=slopes("L", a),
        slopes_b=slopes("H", b),
        table_a=table(["L", "N", *head], [[str(L), str(N), *_columns(counted)] for L, N, counted in a]),
        table_b=table(["H", "N", "N^H", *head], [[str(H), str(N), str(N**H), *_columns(c)] for H, N, c in b]),
    )


if __name__ == "__main__":
    sys.exit(main())

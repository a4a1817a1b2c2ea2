"""Plots from plain data, by matplotlib where there is one: panels of log-log series, written as SVG.

matplotlib is looked for like the other tools that are measured (``benchmarks.peers``): in the interpreter that
``EXACTGEO_PEERS_PYTHON`` names, else in the running one. Without it ``draw`` says so, and the numbers stand alone. The
same data give the same bytes.
"""

import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from importlib import import_module
from math import ceil, floor, log10
from pathlib import Path
from typing import Any

from benchmarks.peers.workers.common import MISSING

__all__ = ["Panel", "Series", "draw"]

COLOURS = ("#1b6ca8", "#c8553d", "#3c8d53", "#8a5a9e", "#b08900", "#555555")


@dataclass(frozen=True, slots=True)
class Series:
    """Points of one name. ``style`` is matplotlib's (``o-``, ``x:``); series of one ``colour`` belong together."""

    name: str
    x: list[float]
    y: list[float]
    style: str = "o-"
    colour: int = 0


@dataclass(frozen=True, slots=True)
class Panel:
    title: str
    x: str
    y: str
    series: list[Series]


def draw(path: Path, panels: list[Panel], columns: int = 3) -> str:
    """Write the plot; the word that says what became of it."""
    job = json.dumps({"path": str(path), "columns": columns, "panels": [asdict(panel) for panel in panels]})
    python = os.environ.get("EXACTGEO_PEERS_PYTHON", sys.executable)
    words = [python, "-m", "benchmarks.plots"]
    done = subprocess.run(words, input=job, text=True, stderr=subprocess.PIPE, check=False)
    if done.returncode == MISSING:
        return f"{path} is not drawn: matplotlib is not installed"
    if done.returncode != 0:
        raise RuntimeError(f"{path} is not drawn: {done.stderr.strip().splitlines()[-1]}")
    return f"{path} is drawn"


def main() -> int:
    job: dict[str, Any] = json.load(sys.stdin)
    try:
        matplotlib = import_module("matplotlib")
    except ImportError:
        return MISSING
    matplotlib.use("svg")
    matplotlib.rcParams.update(
        {
            "svg.hashsalt": "exactgeo",
            "svg.fonttype": "none",
            "font.size": 8,
            "axes.titlesize": 9,
            "font.family": "sans-serif",
        }
    )
    pyplot = import_module("matplotlib.pyplot")
    columns = job["columns"]
    rows = -(-len(job["panels"]) // columns)
    figure, axes = pyplot.subplots(rows, columns, figsize=(3.3 * columns, 2.7 * rows), squeeze=False)
    for axis in axes.flat[len(job["panels"]) :]:
        axis.set_visible(False)
    for axis, panel in zip(axes.flat, job["panels"], strict=False):
        for series in panel["series"]:
            colour = COLOURS[series["colour"]]
            axis.plot(series["x"], series["y"], series["style"], color=colour, label=series["name"], ms=4, lw=1.2)
        axis.set_xscale("log")
        axis.set_yscale("log")
        every = [value for series in panel["series"] for value in series["y"]]
        # Whole decades, so that what is flat looks flat, with room for the legend.
        axis.set_ylim(10 ** floor(log10(min(every))), 3 * 10 ** ceil(log10(max(every))))
        ticks = sorted({value for series in panel["series"] for value in series["x"]})
        axis.minorticks_off()
        if ticks[-1] < 100 * ticks[0]:
            axis.set_xticks(ticks, [f"{value:g}" for value in ticks])
        axis.set(title=panel["title"], xlabel=panel["x"], ylabel=panel["y"])
        axis.grid(True, which="major", lw=0.4, alpha=0.5)
        axis.legend(fontsize=6.5, frameon=False, loc="best")
    figure.tight_layout()
    figure.savefig(job["path"], metadata={"Date": None, "Creator": None})
    return 0


if __name__ == "__main__":
    sys.exit(main())

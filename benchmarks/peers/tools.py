"""The tools to be measured, and one measurement: a worker process with a time limit."""

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.peers.problem import Heads, Problem, Units
from benchmarks.peers.workers.common import MISSING, processor

__all__ = ["OURS", "PEERS", "REGIONS", "Outcome", "Tool", "measure"]

PYTHON = "EXACTGEO_PEERS_PYTHON"


@dataclass(frozen=True, slots=True)
class Tool:
    """A worker, with its arguments; ``reads`` tells which problems it takes; ``own`` runs it in this interpreter."""

    name: str
    words: tuple[str, ...]
    arithmetic: str
    reads: Callable[[Problem | None], bool]
    own: bool = False

    @property
    def command(self) -> list[str]:
        python = sys.executable if self.own else os.environ.get(PYTHON, sys.executable)
        return [python, "-m", f"benchmarks.peers.workers.{self.words[0]}", *self.words[1:]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a measurement: runs, or the word why there are none."""

    tool: Tool
    runs: Sequence[dict[str, Any]] = ()
    version: str = ""
    megabytes: float = 0.0
    word: str = ""
    installed: bool = True
    waited: float | None = None
    """The processor time that was spent in vain, where the limit was hit."""

    @property
    def cells(self) -> int | None:
        """The count, if all runs agree on it."""
        counts = {run["cells"] for run in self.runs}
        return counts.pop() if len(counts) == 1 else None

    @property
    def seconds(self) -> list[float]:
        return [run["seconds"] for run in self.runs]

    @property
    def best(self) -> float:
        return min(self.seconds)


def _heads(problem: Problem | None) -> bool:
    return isinstance(problem, Heads)


def _units(problem: Problem | None) -> bool:
    return isinstance(problem, Units)


def _bounded_units(problem: Problem | None) -> bool:
    """A cube, or an arrangement, for which there is a cube around all vertices."""
    return isinstance(problem, Units) and (problem.radius is not None or problem.is_arrangement)


def _sums_and_arrangements(problem: Problem | None) -> bool:
    return isinstance(problem, Heads) or (isinstance(problem, Units) and problem.is_arrangement)


OURS = Tool("exactgeo", ("engine", "count"), "exact", lambda problem: True, own=True)
REGIONS = Tool("exactgeo, regions", ("engine", "regions"), "exact", lambda problem: True, own=True)

PEERS = (
    Tool("textbook", ("textbook",), "exact", lambda problem: True, own=True),
    Tool("relu_edge_subdivision", ("edges",), "float32", _bounded_units),
    Tool("relucent", ("relucent",), "floats, error bounds", _units),
    Tool("scipy QuickHull", ("quickhull",), "floats", _heads),
    Tool("normaliz", ("programs", "normaliz"), "exact", _heads, own=True),
    Tool("gfan", ("programs", "gfan"), "exact", _heads, own=True),
    Tool("polymake", ("programs", "polymake"), "exact", _sums_and_arrangements, own=True),
)
"""``textbook`` is ours too (``benchmarks.textbook``), and reads every network."""


def measure(tool: Tool, path: Path, problem: Problem | None, repeat: int, patience: float, limit: float) -> Outcome:
    """Run the worker; it and all it started are ended after ``limit`` seconds on the clock.

    (A limit of processor time, ``RLIMIT_CPU``, makes the processor's clock too coarse to read.)
    """
    job = {
        "path": str(path),
        "problem": problem.plain() if problem else None,
        "repeat": repeat,
        "patience": patience,
    }
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    worker = subprocess.Popen(
        tool.command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, **one_thread},
    )
    before = processor(resource.RUSAGE_CHILDREN)
    late = False
    try:
        out, err = worker.communicate(json.dumps(job), timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(worker.pid, signal.SIGKILL)
        out, err = worker.communicate()
        late = True
    spent = processor(resource.RUSAGE_CHILDREN) - before
    said: dict[str, Any] = {}
    runs = []
    for line in out.splitlines():
        part = json.loads(line) if line.endswith("}") else {}  # the last line may be torn
        runs += [part["run"]] if "run" in part else []
        said |= part
    if late and not runs:
        # What its own children took is not known if they were stopped with it, so this is a lower bound.
        return Outcome(tool, word=f"over {limit:.0f} s", waited=max(0.0, spent - said.get("ready", spent)))
    last = err.strip().splitlines()[-1] if err.strip() else "nothing said"
    if worker.returncode == MISSING:
        return Outcome(tool, word=last, installed=False)
    if worker.returncode != 0 and not late:
        return Outcome(tool, word=f"fails: {last[:70]}")
    return Outcome(tool, runs, said.get("version", ""), said.get("megabytes", 0.0))

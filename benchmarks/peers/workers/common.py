"""What all workers do: read a job from standard input, measure, write the answer. Standard library only.

A job is {"problem": ..., "path": ..., "repeat": n, "patience": seconds}; the answer is {"version": text, "runs":
[{"cells": n, "seconds": s, ...}], "megabytes": peak}. Seconds are processor time. A worker whose tool is not there ends
with ``MISSING``.
"""

import json
import resource
import sys
from collections.abc import Callable
from typing import Any

MISSING = 3

Run = dict[str, Any]


def job() -> dict[str, Any]:
    asked: dict[str, Any] = json.load(sys.stdin)
    return asked


def missing(what: str) -> None:
    print(f"{what} is not installed", file=sys.stderr)
    sys.exit(MISSING)


def repeated(asked: dict[str, Any], run: Callable[[], Run]) -> list[Run]:
    """Runs until there are enough of them, and short ones some more, or they have taken their time."""
    runs: list[Run] = []
    spent = 0.0
    while not runs or (spent <= asked["patience"] and (len(runs) < asked["repeat"] or _short(runs, spent))):
        runs.append(run())
        spent += runs[-1]["seconds"]
    return runs


def _short(runs: list[Run], spent: float) -> bool:
    return spent < 0.2 and len(runs) < 15


def processor(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def answer(version: str, runs: list[Run], who: int = resource.RUSAGE_SELF) -> None:
    kilobytes = resource.getrusage(who).ru_maxrss
    print(json.dumps({"version": version, "runs": runs, "megabytes": kilobytes / 1024}))

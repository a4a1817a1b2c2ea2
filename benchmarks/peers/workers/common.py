"""What all workers do: read a job from standard input, measure, write the answer. Standard library only.

A job is {"problem": ..., "path": ..., "repeat": n, "patience": seconds}. The answer is a line {"ready": s} when all is
loaded, a line {"run": {"cells": n, "seconds": s, ...}} after each run, and at the end {"version": text, "megabytes":
peak}. Seconds are processor time; lines come at once, so that of a worker that is stopped all it did is known. A worker
whose tool is not there ends with ``MISSING``.
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


def repeated(asked: dict[str, Any], run: Callable[[], Run]) -> None:
    """Runs until there are enough of them, and short ones some more, or they have taken their time."""
    _say({"ready": processor(resource.RUSAGE_SELF) + processor(resource.RUSAGE_CHILDREN)})
    number, spent = 0, 0.0
    while not number or (spent <= asked["patience"] and (number < asked["repeat"] or _is_short(number, spent))):
        done = run()
        _say({"run": done})
        number += 1
        spent += done["seconds"]


def _is_short(number: int, spent: float) -> bool:
    return spent < 0.2 and number < 15


def _say(what: dict[str, Any]) -> None:
    print(json.dumps(what), flush=True)


def processor(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def answer(version: str, who: int = resource.RUSAGE_SELF) -> None:
    _say({"version": version, "megabytes": resource.getrusage(who).ru_maxrss / 1024})

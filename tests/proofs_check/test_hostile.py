"""Hostile files, each in a process of its own under `python -S -E`: refused for the right reason, in 2 s and 64 MB.

Time is the processor time of the whole process, and memory its peak (VmHWM), both reported by the process itself; they
include the interpreter. The whole corpus of unreadable files is measured in the same way, together.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.proofs_check.checkers import ROOT
from tests.proofs_check.hostile import HOSTILE
from tests.proofs_check.make_corpus import HERE

SECONDS, MEGABYTES = 2.0, 64.0

# The limits only stop a checker that fails the test anyway.
PROCESS = """
import io, os, re, resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
sys.path.insert(0, sys.argv[1])
from proofs_check.__main__ import main
codes = [main(["--json", path]) for path in sys.argv[2:]]
times = os.times()
peak = re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())
print(codes, times.user + times.system, int(peak[1]) / 1024)
"""


def measured(*paths: Path) -> tuple[list[dict[str, Any]], float, float]:
    """The checker's answers, seconds of processor time, megabytes."""
    command = [sys.executable, "-S", "-E", "-c", PROCESS, str(ROOT.parent), *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, cwd="/")
    assert done.returncode == 0, f"{done.returncode}: {done.stderr[-500:]}"
    *answers, last = done.stdout.splitlines()
    _, seconds, megabytes = last.rsplit(" ", 2)
    return [json.loads(answer) for answer in answers], float(seconds), float(megabytes)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file(name: str, tmp_path: Path) -> None:
    rules, write = HOSTILE[name]
    (answer,), seconds, megabytes = measured(write(tmp_path))
    assert answer["verdict"] in ("REJECTED", "UNREADABLE")
    assert answer["rule"] in rules
    assert seconds <= SECONDS
    assert megabytes <= MEGABYTES


@pytest.mark.parametrize("kind", ["reject", "unreadable"])
def test_the_whole_corpus(kind: str) -> None:
    paths = sorted((HERE / kind).iterdir())
    answers, seconds, megabytes = measured(*paths)
    assert {answer["verdict"] for answer in answers} == {"REJECTED" if kind == "reject" else "UNREADABLE"}
    assert len(answers) == len(paths)
    assert seconds <= SECONDS
    assert megabytes <= MEGABYTES


def test_there_are_enough() -> None:
    assert len(HOSTILE) + len(list((HERE / "unreadable").iterdir())) >= 60

"""Running the command line, inside this process or as a process of its own, and the networks to run it on."""

import contextlib
import io
import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exactgeo.cli import main

__all__ = [
    "COMMAND",
    "FOLDS",
    "LAST_RESORT",
    "QUADRANTS",
    "SUMMED",
    "TRANSFORMER",
    "Answer",
    "Terminal",
    "execute",
    "refused",
    "run",
    "save",
    "tangents",
]

COMMAND = [sys.executable, "-m", "exactgeo"]
LAST_RESORT = 300
"""Seconds after which a process is given up; no test depends on its value."""

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON object on stdout."""
        assert self.out.count("\n") == 1
        return json.loads(self.out)


def run(*arguments: object) -> Answer:
    """The command in this process, which is quick; an exception that escapes it fails the test."""
    out, err = io.StringIO(), io.StringIO()
    digits = sys.get_int_max_str_digits()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as exit_:  # argparse
            code = exit_.code if isinstance(exit_.code, int) else 1
        finally:
            sys.set_int_max_str_digits(digits)
    return Answer(code, out.getvalue(), err.getvalue())


def execute(*arguments: object, environment: dict[str, str] | None = None, given: bytes = b"") -> Answer:
    """The command as a process of its own, with something on standard input."""
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        capture_output=True,
        input=given,
        check=False,
        timeout=LAST_RESORT,
        env={**os.environ, **(environment or {})},
    )
    return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())


def refused(answer: Answer) -> str:
    """The complaint of a command that refused its input: exit code 2, one to three lines on stderr, no answer."""
    assert answer.code == 2
    assert answer.out == ""
    assert 1 <= len(answer.err.splitlines()) <= 3
    assert "Traceback" not in answer.err
    assert answer.err.startswith("exactgeo")
    return answer.err


class Terminal:
    """A command whose stderr is a terminal; stdout is a pipe."""

    def __init__(self, arguments: Sequence[object]) -> None:
        self._master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [*COMMAND, *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=slave,
            text=True,
            env={**os.environ, "TERM": "xterm"},
        )
        os.close(slave)
        self._seen = ""

    def _chunks(self) -> Iterator[str]:
        while True:
            try:
                data = os.read(self._master, 4096)
            except OSError:  # the other end is closed: Linux tells so by an error
                return
            if not data:
                return
            yield data.decode()

    def wait_for(self, text: str) -> None:
        """Read the terminal until ``text`` has been shown."""
        for chunk in self._chunks():
            self._seen += chunk
            if text in self._seen:
                return
        raise AssertionError(f"{text!r} was never shown: {self._seen!r}")

    def finish(self) -> Answer:
        """Wait for the end; ``err`` is all that the terminal was sent."""
        for chunk in self._chunks():
            self._seen += chunk
        out, _ = self.process.communicate(timeout=LAST_RESORT)
        os.close(self._master)
        return Answer(self.process.returncode, out, self._seen)


def save(path: Path, document: object) -> Path:
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def tangents(number: int, dimension: int = 2) -> Document:
    """ReLU units in general position: C(n, 0) + C(n, 1) + ... + C(n, d) cells.

    Unit t is t^d + t^(d-1) x_1 + ... + x_d: a polynomial with leading coefficient 1, given by the others, at t. There
    is one with d roots given, and none with more.
    """
    units = range(1, number + 1)
    weight = [[t ** (dimension - k) for k in range(1, dimension + 1)] for t in units]
    layers = [{"type": "linear", "weight": weight, "bias": [t**dimension for t in units]}, {"type": "relu"}]
    return {"format": "exactgeo-network/1", "input_dim": dimension, "layers": layers}


QUADRANTS: Document = {"format": "exactgeo-network/1", "input_dim": 2, "layers": [{"type": "relu"}]}
"""Four cells, the quadrants of the plane."""

SUMMED: Document = {**QUADRANTS, "layers": [{"type": "relu"}, {"type": "linear", "weight": [[1, 1]]}]}
"""The same four cells, with maps that have to be compared."""

FOLDS: Document = {
    "format": "exactgeo-network/1",
    "input_dim": 2,
    "domain": {"box": [[-1, 1], ["-1/2", 1]]},
    "layers": [
        {"type": "linear", "weight": [[1, 2], [3, "-1/2"], [-1, 1]], "bias": ["1/3", 0, "-0.25"]},
        {"type": "relu"},
        {"type": "linear", "weight": [[1, -1, 2], ["1/7", 1, -1]], "bias": [-1, "1/5"]},
        {"type": "abs"},
        {"type": "linear", "weight": [[1, 1]]},
        {"type": "leaky_relu", "slope": "1/10"},
    ],
}
"""Three stages; cells, regions and maps differ in none."""

TRANSFORMER: Document = {
    "format": "exactgeo-network/1",
    "input_dim": 2,
    "domain": {"inequalities": [[0, 1, 0], [0, 0, 1], [1, -1, -1]]},
    "layers": [
        {
            "type": "attention",
            "residual": True,
            "heads": [
                {
                    "query": {"weight": [[1, 0], [0, 1]]},
                    "keys": [[2, 0], [0, 1], [1, 1], [0, 1]],
                    "score_bias": [0, "1/3", "-1/9", "1/3"],
                    "values": [[1, 0], [0, 1], ["1/2", "1/2"], [3, 1]],
                }
            ],
        },
        {
            "type": "ffn",
            "residual": True,
            "hidden": {"weight": [[1, -1], [1, 1], [0, 0]], "bias": [0, -1, 0]},
            "output": {"weight": [[1, 0, 1], [-1, 1, 1]]},
        },
        {"type": "maxout", "units": [{"weight": [[1, 0], [0, 1], [-1, -1]], "bias": [0, 0, 1]}]},
        {
            "type": "tropical_attention",
            "heads": [{"query": {"weight": [[1]]}, "keys": [[0], [1]], "log_values": [["0"], ["-3/2"]]}],
        },
    ],
}
"""Discontinuous, with keys 1 and 3 tied everywhere and a dead unit, on a triangle."""

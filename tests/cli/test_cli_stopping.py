"""Ctrl-C, SIGTERM, readers that go away, outputs that are full, and the line on the terminal."""

import json
import os
import signal
import subprocess
import sys
import time
from math import comb
from pathlib import Path

import pytest

from exactgeo.errors import BudgetExceeded
from tests.cli.running import COMMAND, LAST_RESORT, SUMMED, Terminal, execute, refused, run, save, tangents

WIPE = "\r\x1b[K"
CELLS = sum(comb(120, k) for k in range(6))


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    """A network with two hundred million cells; where they are listed, a hundred thousand small ones will do."""
    return save(tmp_path / "net.json", tangents(120, 5))


@pytest.mark.parametrize(
    ("signum", "code", "reason"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated"), (signal.SIGHUP, 143, "terminated")],
)
@pytest.mark.parametrize("command", ["count", "count --count-only --json", "cells --out OUT --json"])
def test_interrupted_work_leaves_a_lower_bound_and_no_file(
    command: str, signum: int, code: int, reason: str, endless: Path
) -> None:
    name, *options = command.split()
    if name == "cells":
        save(endless, tangents(500))
    out = endless.with_name("cells.jsonl")
    terminal = Terminal([name, endless, *[str(out) if option == "OUT" else option for option in options]])
    terminal.wait_for(" cells ")  # the progress line: the work is on
    terminal.process.send_signal(signum)
    answer = terminal.finish()
    assert answer.code == code
    assert "Traceback" not in answer.err
    last = answer.err.rsplit(WIPE, 1)[1]
    assert last.count("\n") == 1
    assert last.startswith(f"exactgeo: {reason} while listing cells; not the full count, but proved: at least ")
    if "--json" in options:
        bound = json.loads(answer.out)
        assert bound["cells"] is None
        assert 1 <= bound["cells_at_least"] <= CELLS
        assert f"at least {bound['cells_at_least']:,} cell" in last
    else:
        assert answer.out == ""
    assert os.listdir(endless.parent) == ["net.json"]


def test_a_second_ctrl_c_does_not_spoil_the_first(endless: Path) -> None:
    terminal = Terminal(["cells", save(endless, tangents(500)), "--out", endless.with_name("cells.jsonl")])
    terminal.wait_for(" cells ")
    for _ in range(5):
        terminal.process.send_signal(signal.SIGINT)
    answer = terminal.finish()
    assert answer.code == 130
    assert "Traceback" not in answer.err
    assert os.listdir(endless.parent) == ["net.json"]


def test_a_hang_up_that_is_ignored_stays_so(tmp_path: Path) -> None:
    """As ``nohup`` has it."""
    path = save(tmp_path / "net.json", tangents(150, 3))
    command = [*COMMAND, "count", str(path), "--count-only", "--json"]
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # which the process inherits
    try:
        started = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGHUP, before)
    with started as process:
        while process.poll() is None:
            process.send_signal(signal.SIGHUP)
            time.sleep(0.05)
        out, err = process.communicate(timeout=LAST_RESORT)
    assert (process.returncode, err) == (0, "")
    assert json.loads(out)["cells"] == sum(comb(150, k) for k in range(4))


SLOW_START = """
import importlib.abc, runpy, sys, time

class Slow(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "exactgeo.cli":
            print("loading", flush=True)
            try:
                time.sleep(1000)
            except BaseException:  # as some module might
                time.sleep(1000)

sys.meta_path.insert(0, Slow())
sys.argv = ["exactgeo", "count", "missing.json"]
runpy.run_module("exactgeo", run_name="__main__")
"""


@pytest.mark.parametrize(
    ("signum", "code", "reason"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated"), (signal.SIGHUP, 143, "terminated")],
)
def test_a_stop_while_starting(signum: int, code: int, reason: str) -> None:
    command = [sys.executable, "-c", SLOW_START]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "loading\n"
        process.send_signal(signum)
        out, err = process.communicate(timeout=LAST_RESORT)
    assert (process.returncode, out, err) == (code, "", f"exactgeo: {reason} while starting\n")


def test_nothing_heavy_comes_before_a_stop_can_be_told() -> None:
    program = "import signal, sys; before = {*sys.modules}; import exactgeo.__main__; print(*{*sys.modules} - before)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert {name for name in done.stdout.split() if name.startswith("exactgeo")} == {"exactgeo", "exactgeo.__main__"}
    assert len(done.stdout.split()) <= 10


def test_progress_is_shown_on_a_terminal_and_wiped(tmp_path: Path) -> None:
    path = save(tmp_path / "net.json", tangents(1200))
    answer = Terminal(["count", path, "--json"]).finish()
    assert json.loads(answer.out)["cells"] == 720_601
    assert f"{WIPE}listing cells  " in answer.err
    assert "/s" in answer.err
    assert answer.err.endswith(WIPE)
    assert "\n" not in answer.err
    assert execute("count", path, "--json").err == ""


def test_a_reader_that_goes_away(endless: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "cells", str(save(endless, tangents(500))), "--out", "-"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert "pattern" in json.loads(process.stdout.readline())
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(LAST_RESORT) == 0


def test_a_reader_that_is_gone_when_the_budget_is_used_up(endless: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [*COMMAND, "count", str(endless), "--json", "--timeout", "0.5"],
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
        timeout=LAST_RESORT,
    )
    os.close(write)
    assert b"Traceback" not in done.stderr


def test_an_answer_that_cannot_be_written(tmp_path: Path) -> None:
    path = save(tmp_path / "net.json", tangents(2))
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*COMMAND, "count", str(path)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=LAST_RESORT,
        )
    assert (done.returncode, done.stderr) == (2, "exactgeo: cannot write the answer: No space left on device\n")


@pytest.mark.parametrize(("closing", "code"), [(">&-", 0), ("2>&-", 0), (">&- 2>&-", 0)])
def test_closed_outputs(closing: str, code: int, tmp_path: Path) -> None:
    path = save(tmp_path / "net.json", tangents(2))
    for name, expected in ((path, code), (tmp_path / "missing", 2)):
        shell = ["sh", "-c", f'exec "$@" {closing}', "sh", *COMMAND, "count", str(name)]
        assert subprocess.run(shell, capture_output=True, check=False, timeout=LAST_RESORT).returncode == expected


def test_a_stop_that_is_swallowed_comes_again_without_a_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Finalized:
        def __del__(self) -> None:
            while True:
                pass

    def work(_: object) -> None:
        Finalized()
        while True:
            pass

    monkeypatch.setattr("exactgeo.cli.job.AGAIN", 0.2)
    monkeypatch.setattr("exactgeo.counting.linear_regions", work)
    answer = run("count", save(tmp_path / "net.json", SUMMED), "--cross-check", "--timeout", "0.2")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.count("\n") == 1


def test_a_stop_while_the_answer_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is missing then but the rest of the words."""

    def impatient(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr("exactgeo.network.Network.describe", impatient)
    answer = run("count", save(tmp_path / "net.json", SUMMED), "--certificate", tmp_path / "proof")
    assert answer.code == 130
    told = "interrupted while telling the answer; the count is complete: 4 cells, 4 regions, 4 affine maps"
    assert answer.err == f"exactgeo: {told}\n"
    assert (tmp_path / "proof").exists()


def test_a_stop_that_an_import_turns_into_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As numpy does with whatever is raised while its compiled parts are loaded."""

    def importing(_: object) -> None:
        try:
            while True:
                pass
        except BudgetExceeded as stop:
            raise ImportError("cannot load") from stop

    monkeypatch.setattr("exactgeo.counting.linear_regions", importing)
    answer = run("count", save(tmp_path / "net.json", SUMMED), "--cross-check", "--timeout", "0.2", "--json")
    assert answer.code == 2
    assert answer.json["cells_at_least"] == 4
    assert answer.json["stopped"] == "stopped by --timeout 0.2 s"


def test_out_of_memory_is_an_unfinished_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def greedy(_: object) -> None:
        raise MemoryError

    path = save(tmp_path / "net.json", SUMMED)
    monkeypatch.setattr("exactgeo.counting.linear_regions", greedy)
    answer = run("count", path, "--cross-check")
    assert (answer.code, answer.out) == (2, "")
    assert "out of memory while joining regions; not the full count, but proved: at least 4 cells" in answer.err
    monkeypatch.setattr("exactgeo.cli.commands.cell_at", greedy_at)
    assert refused(run("at", path, "--point", "0,1")) == "exactgeo: out of memory\n"


def greedy_at(network: object, point: object) -> None:
    raise MemoryError

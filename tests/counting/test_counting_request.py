"""What ``exactgeo.count`` refuses, how it stops, what it leaves alone, and what it tells on the way."""

import math
import os
import pickle
import signal
import subprocess
import sys
import threading
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exactgeo
from exactgeo import Answer, BadInput, BudgetExceeded, Counts, Network
from exactgeo import errors as errors_module
from exactgeo.counting import Request
from exactgeo.errors import (
    BadNetwork,
    EmptyDomain,
    ExactgeoError,
    FlatDomain,
    Inconsistent,
    NotRational,
    OutsideDomain,
    Partial,
    UnsoundFloats,
    did_you_mean,
)
from exactgeo.theory.lower_bound import construction, lower_bound
from tests.cli.running import FOLDS, QUADRANTS, SUMMED, TRANSFORMER, refused, run, save, tangents

# -- refusals ----------------------------------------------------------------------------------------------------------

VALUES: list[tuple[str, object]] = [
    *[("method", value) for value in ("foo", "Split", "", 1, b"split", np.zeros(2))],
    *[(name, value) for name in ("max_cells", "max_states") for value in (0, -5, 1.5, True, "7", np.float64(3), 10.0)],
    *[("timeout", value) for value in (0, -1, math.nan, math.inf, True, "1", 1e9, 10**400, np.float32("nan"))],
    *[(name, value) for name in ("certificate", "graph") for value in (3, b"proof", ["proof"], True)],
    *[(name, value) for name in ("count_only", "cross_check", "multipliers") for value in (1, None, "yes")],
    *[("progress", value) for value in (3, "yes", object())],
]


@pytest.mark.parametrize(("name", "value"), VALUES, ids=[f"{name}={value!r:.20}" for name, value in VALUES])
def test_values_that_are_no_option(name: str, value: object, tmp_path: Path) -> None:
    options: dict[str, Any] = {"multipliers": {"certificate": tmp_path / "proof"}}.get(name, {})
    with pytest.raises(BadInput) as caught:
        exactgeo.count(save(tmp_path / "net.json", QUADRANTS), **{**options, name: value})
    assert str(caught.value).startswith(f"{name}: expected ")
    assert len(str(caught.value)) < 200
    assert str(caught.value).isprintable()
    assert os.listdir(tmp_path) == ["net.json"]


def test_a_method_that_was_meant() -> None:
    network = Network.from_arrays(QUADRANTS)
    with pytest.raises(BadInput, match="did you mean states"):
        exactgeo.count(network, method="state")


@pytest.mark.parametrize("network", [3, None, b"net.json", {"input_dim": 2}], ids=repr)
def test_what_is_no_network(network: Any) -> None:
    with pytest.raises(BadInput, match="network: expected a Network or a path, got "):
        exactgeo.count(network)


@pytest.mark.parametrize(
    "options",
    [
        {"graph": "graph.txt"},
        {"graph": "graph.json", "count_only": True},
        {"graph": "graph.json", "method": "states"},
        {"multipliers": True},
        {"graph": "missing/graph.json"},
        {"certificate": "missing/proof"},
        {"certificate": "."},
        {"certificate": "NET"},
        {"certificate": "a\0b"},
        {"graph": "graph.json", "certificate": "./graph.json"},
    ],
    ids=str,
)
def test_the_command_line_says_the_same(
    options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    save(tmp_path / "NET", QUADRANTS)
    with pytest.raises(BadInput) as caught:
        exactgeo.count("NET", **options)
    words: list[object] = []
    for name, value in options.items():
        words += [f"--{name.replace('_', '-')}"] + ([] if value is True else [value])
    assert refused(run("count", "NET", *words)) == f"exactgeo: {caught.value}\n"
    assert os.listdir(tmp_path) == ["NET"]


@pytest.mark.parametrize("content", [b"hello", b"{}", b'{"format": "exactgeo-network/1", "input_dim": 0, "layers": 1}'])
def test_bad_networks_are_named(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "net.json"
    path.write_bytes(content)
    with pytest.raises(BadNetwork) as caught:
        exactgeo.count(path)
    assert refused(run("count", path)) == f"exactgeo: {caught.value}\n"
    assert str(path) in str(caught.value)
    with pytest.raises(BadInput, match="No such file"):
        exactgeo.count(tmp_path / "missing.json")


def test_numbers_of_any_kind_are_budgets(tmp_path: Path) -> None:
    network = Network.from_arrays(SUMMED)
    numbers: list[Any] = [4, np.int64(4), np.uint8(4)]
    for number in numbers:
        assert exactgeo.count(network, max_cells=number, max_states=number).cells == 4
    for seconds in (1000, 1e3, np.float32(1000), np.int16(1000), Fraction(1000)):
        assert exactgeo.count(network, timeout=seconds).cells == 4  # type: ignore[arg-type]
    request = Request.of(max_cells=np.int64(4), timeout=np.float32(0.5), certificate="proof")
    assert request == Request(max_cells=4, timeout=0.5, certificate=Path("proof"))
    assert (type(request.max_cells), type(request.timeout)) == (int, float)
    with pytest.raises(FrozenInstanceError):
        request.max_cells = 5  # type: ignore[misc]


# -- budgets -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"count_only": True}, {"method": "search"}, {"method": "states"}], ids=str)
def test_max_cells(options: dict[str, Any]) -> None:
    network = Network.from_arrays(tangents(5))  # 16 cells
    assert exactgeo.count(network, max_cells=16, **options).cells == 16
    with pytest.raises(BudgetExceeded) as caught:
        exactgeo.count(network, max_cells=15, **options)
    assert (caught.value.reason, caught.value.cells_at_least) == ("--max-cells 15", 16)
    assert str(caught.value) == "--max-cells 15: at least 16 cells"


def test_max_states() -> None:
    network = construction(lower_bound(2, 3, 12))
    every: list[dict[str, Any]] = [{}, {"method": "states"}, {"count_only": True}]
    for options in every:
        with pytest.raises(BudgetExceeded) as caught:
            exactgeo.count(network, max_states=5, **options)
        assert caught.value.reason == "--max-states 5"
        assert 1 < caught.value.cells_at_least < 6**24


@pytest.mark.parametrize("options", [{}, {"count_only": True}, {"method": "search"}], ids=str)
def test_timeout_in_a_thread(options: dict[str, Any]) -> None:
    network = Network.from_arrays(tangents(120, 5))
    caught: list[BudgetExceeded] = []

    def work() -> None:
        try:
            exactgeo.count(network, timeout=0.5, **options)
        except BudgetExceeded as stop:
            caught.append(stop)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert caught[0].reason == "--timeout 0.5 s"
    assert caught[0].cells_at_least >= 1


class Clock:
    """A clock that stands still until it has been looked at so many times more; then the time is over."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left = math.inf
        monkeypatch.setattr("exactgeo.request.time.monotonic", self.look)

    def look(self) -> float:
        self.left -= 1
        return 0.0 if self.left >= 0 else 2.0


@pytest.mark.parametrize(("options", "looks"), [({}, 1), ({"count_only": True, "method": "states"}, 4)], ids=str)
def test_a_timeout_while_the_certificate_is_written(
    options: dict[str, Any], looks: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch)
    seen: list[str] = []

    def late(phase: str, cells: int) -> None:
        if phase == "writing the certificate" and phase not in seen:
            clock.left = looks
        seen.append(phase)

    proof = tmp_path / "proof"
    with pytest.raises(BudgetExceeded) as caught:
        exactgeo.count(Network.from_arrays(FOLDS), certificate=proof, timeout=1, progress=late, **options)
    assert seen[-1] == "writing the certificate"
    assert caught.value.cells_at_least == exactgeo.count(Network.from_arrays(FOLDS)).cells
    assert os.listdir(tmp_path) == []


def test_a_timeout_in_the_cross_check(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)

    def late(phase: str, cells: int) -> None:
        if phase == "cross-checking by search":
            clock.left = 2

    with pytest.raises(BudgetExceeded, match=r"--timeout 1 s: at least 4 cells"):
        exactgeo.count(Network.from_arrays(SUMMED), cross_check=True, timeout=1, progress=late)


# -- what is left alone ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"timeout": 1000}, {"method": "states", "timeout": 1000}], ids=str)
def test_nothing_global_changes_and_nothing_is_said(
    options: dict[str, Any], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def state() -> object:
        handlers = [signal.getsignal(number) for number in signal.valid_signals()]
        timers = [signal.getitimer(timer) for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)]
        return handlers, timers, sys.get_int_max_str_digits(), sys.unraisablehook, os.getcwd(), dict(os.environ)

    import gc

    before, frozen = state(), gc.get_freeze_count()
    exactgeo.count(Network.from_arrays(tangents(50)), certificate=tmp_path / "proof", **options)
    assert state() == before
    assert gc.get_freeze_count() <= frozen
    assert capfd.readouterr() == ("", "")


def test_longer_numbers_than_python_prints(request: pytest.FixtureRequest) -> None:
    """16^3700 has 4456 digits, more than Python spells unless it is told to."""
    before = sys.get_int_max_str_digits()
    request.addfinalizer(lambda: sys.set_int_max_str_digits(before))
    sys.set_int_max_str_digits(4300)  # as it is unless a command ran in this process
    network = construction(lower_bound(1, 8, 3700))
    answer = exactgeo.count(network, count_only=True)
    assert answer.cells == answer.as_dict()["cells"] == 16**3700
    assert repr(answer).startswith("<Answer: over 10^4455 cells, by states in ")
    with pytest.raises(BudgetExceeded, match=r"at least 2\^\d+ cells"):
        exactgeo.count(network, count_only=True, max_cells=16**3600)


# -- progress ----------------------------------------------------------------------------------------------------------


class Listener:
    def __init__(self) -> None:
        self.heard: list[tuple[str, object]] = []

    def enter(self, phase: str) -> None:
        self.heard.append(("enter", phase))

    def at_least(self, cells: int) -> None:
        self.heard.append(("at_least", cells))

    def proved(self, cells: int) -> None:
        self.heard.append(("proved", cells))


def test_an_object_that_listens(tmp_path: Path) -> None:
    listener = Listener()
    answer = exactgeo.count(Network.from_arrays(SUMMED), certificate=tmp_path / "proof", progress=listener)
    assert answer.cells == 4
    phases = [what for kind, what in listener.heard if kind == "enter"]
    assert phases == ["listing cells", "writing the certificate"]
    assert [what for kind, what in listener.heard if kind == "at_least"][-1] == 4
    assert [what for kind, what in listener.heard if kind == "proved"][-1] == 4


def test_a_function_that_listens() -> None:
    heard: list[tuple[str, int]] = []
    exactgeo.count(Network.from_arrays(SUMMED), progress=lambda phase, cells: heard.append((phase, cells)))
    assert ("listing cells", 4) in heard
    exactgeo.count(
        Network.from_arrays(SUMMED), cross_check=True, progress=lambda phase, cells: heard.append((phase, cells))
    )
    assert ("joining regions", 4) in heard


def test_a_line_on_the_terminal(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("exactgeo.report.progress.INTERVAL", -1.0)
    network = Network.from_arrays(SUMMED)
    exactgeo.count(network, progress=True)
    assert capfd.readouterr() == ("", "")  # no terminal
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    exactgeo.count(network, progress=True)
    out, err = capfd.readouterr()
    assert out == ""
    assert "\r\x1b[Klisting cells  4 cells" in err
    assert err.endswith("\r\x1b[K")
    exactgeo.count(network, progress=False)
    assert capfd.readouterr() == ("", "")


def test_an_error_of_the_listener_is_the_callers(tmp_path: Path) -> None:
    def tired(phase: str, cells: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        exactgeo.count(Network.from_arrays(SUMMED), certificate=tmp_path / "proof", progress=tired)
    assert os.listdir(tmp_path) == []


# -- values ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("document", [QUADRANTS, TRANSFORMER, tangents(46)], ids=["quadrants", "transformer", "kernel"])
def test_answers_are_values(document: dict[str, Any], tmp_path: Path) -> None:
    answer = exactgeo.count(Network.from_arrays(document), certificate=tmp_path / "proof")
    again = pickle.loads(pickle.dumps(answer))
    assert again == answer
    assert hash(again) == hash(answer)
    assert repr(again) == repr(answer)
    assert again.as_dict() == answer.as_dict()
    with pytest.raises(FrozenInstanceError):
        answer.cells = 5  # type: ignore[misc]
    assert answer.claim == Counts(answer.cells, answer.regions, answer.affine_maps)


def test_the_line_that_an_answer_is() -> None:
    answer = Answer(104, 59, 57, 2, "0" * 64, "split", 0.0123)
    assert repr(answer) == "<Answer: 104 cells, 59 regions, 57 affine maps, by split in 0.012 s>"
    assert repr(replace(answer, cells=1, regions=1, affine_maps=1)).startswith(
        "<Answer: 1 cell, 1 region, 1 affine map,"
    )
    assert repr(replace(answer, regions=None, affine_maps=None)) == "<Answer: 104 cells, by split in 0.012 s>"
    huge = 10**18 - 1
    long = replace(
        answer,
        cells=huge,
        regions=None,
        affine_maps=None,
        regions_bounds=(huge, huge),
        affine_maps_bounds=(huge, huge),
        method="states",
        seconds=99_999_999.0,
    )
    assert len(repr(long)) <= 200
    assert "\n" not in repr(long)


ERRORS = [
    ExactgeoError("text"),
    BadInput("text"),
    NotRational("text"),
    BadNetwork("layers[0]", "expected more"),
    EmptyDomain("domain", {0: 1, 3: 2}),
    FlatDomain("domain", {0: 1, 3: 2}, "flat"),
    OutsideDomain((0, 1), on_boundary=True),
    Partial("stopped", 7),
    BudgetExceeded("--max-cells 3", 10**5000),
    Inconsistent("text"),
    UnsoundFloats("text"),
]


@pytest.mark.parametrize("error", ERRORS, ids=[type(error).__name__ for error in ERRORS])
def test_errors_can_be_pickled(error: ExactgeoError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (str(again), again.args, again.__dict__) == (str(error), error.args, error.__dict__)


def test_every_error_is_pickled_above() -> None:
    classes = {value for value in vars(errors_module).values() if isinstance(value, type)}
    assert {kind for kind in classes if issubclass(kind, ExactgeoError)} == {type(error) for error in ERRORS}


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("ReLU", ["relu", "leaky_relu"], "relu"),
        ("weights", ["weight", "bias"], "weight"),
        ("cuont", ["count", "cells", "at"], "count"),
        ("--certificat", ["--certificate", "--count-only"], "--certificate"),
        ("WEIGHTS", ["weight", "bias"], "weight"),
        ("xyz", ["relu", "abs"], None),
        ("", ["relu"], None),
    ],
)
def test_what_was_meant(word: str, known: list[str], meant: str | None) -> None:
    assert did_you_mean(word, known) == ("" if meant is None else f"; did you mean {meant}?")


def test_names_are_imported_when_they_are_asked_for() -> None:
    program = """
import sys, exactgeo
assert not [name for name in sys.modules if name.startswith("exactgeo.")]
for name in exactgeo.__all__:
    assert name in dir(exactgeo)
    assert getattr(exactgeo, name) is not None
assert exactgeo.errors.BadInput is exactgeo.BadInput
from exactgeo import *
assert count is exactgeo.count is exactgeo.counting.count
print(hasattr(exactgeo, "nonsense"))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("False\n", "")

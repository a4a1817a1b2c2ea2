"""Tools are measured in processes of their own: what they can read, what they answer, and what becomes of failures."""

import sys
from pathlib import Path

import pytest

from benchmarks import run
from benchmarks.peers.problem import Heads, Units, read_problem
from benchmarks.peers.tools import OURS, PEERS, Tool, measure

WORKLOADS = Path(__file__).parents[1] / "known" / "workloads"
ARRANGEMENT = WORKLOADS / "w1_d2_n20.json"
TOOLS = {tool.name: tool for tool in PEERS}


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(WORKLOADS.parents[2])


def _reads(name: str) -> set[str]:
    problem = read_problem(WORKLOADS / f"{name}.json")
    return {tool.name for tool in PEERS if tool.reads(problem)}


def test_problems() -> None:
    arrangement = read_problem(ARRANGEMENT)
    assert isinstance(arrangement, Units)
    assert arrangement.is_arrangement
    assert len(arrangement.layers[0][0]) == 20
    boxed = read_problem(WORKLOADS / "w3_3-10-10-1_box.json")
    assert isinstance(boxed, Units)
    assert boxed.radius == 1
    assert [len(bias) for _, bias in boxed.layers] == [10, 10]  # the last affine layer cuts nothing
    heads = read_problem(WORKLOADS / "w2_d3_H2_N8.json")
    assert isinstance(heads, Heads)
    assert [len(keys) for keys in heads.keys] == [8, 8]
    assert read_problem(WORKLOADS / "t_d2_H2_N6_ff8_L1.json") is None


def test_who_reads_what() -> None:
    assert _reads("t_d2_H2_N6_ff8_L1") == {"textbook"}
    assert _reads("w2_d3_H2_N8") == {"textbook", "scipy QuickHull", "normaliz", "gfan", "polymake"}
    assert _reads("w3_3-10-10-1_all") == {"textbook", "relucent"}
    assert _reads("w3_3-10-10-1_box") == {"textbook", "relucent", "relu_edge_subdivision"}
    assert _reads("w1_d2_n20") == {"textbook", "relucent", "relu_edge_subdivision", "polymake"}


@pytest.mark.parametrize("tool", [OURS, TOOLS["textbook"]], ids=lambda tool: tool.name)
def test_a_measurement(tool: Tool) -> None:
    found = measure(tool, ARRANGEMENT, read_problem(ARRANGEMENT), repeat=2, patience=0.0, limit=120)
    assert found.word == ""
    assert found.cells == 211
    assert len(found.runs) == 1  # patience is at an end
    assert found.best > 0
    assert found.megabytes > 1


def test_a_tool_that_is_missing_is_skipped_with_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EXACTGEO_EDGE_SUBDIVISION", raising=False)
    monkeypatch.setenv("EXACTGEO_PEERS_PYTHON", sys.executable)
    found = measure(TOOLS["relu_edge_subdivision"], ARRANGEMENT, read_problem(ARRANGEMENT), 1, 0.0, 120)
    assert not found.installed
    assert "is not installed" in found.word


def test_failures_and_time_limits_are_outcomes() -> None:
    broken = Tool("broken", ("engine",), "none", lambda problem: True, own=True)  # without its argument
    failed = measure(broken, ARRANGEMENT, None, 1, 0.0, 120)
    assert failed.word.startswith("fails: IndexError")
    late = measure(OURS, ARRANGEMENT, None, 1, 0.0, 0.01)
    assert late.word == "over 0 s"
    assert late.waited is not None
    assert late.runs == ()


def test_a_run_of_one_workload_prints_and_writes_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "PEERS", (TOOLS["textbook"],))
    before = run.RESULTS.read_bytes()
    run.main(["w2_d3_H2_N8", "--repeat", "1"])  # its answer depends on the machine
    assert run.RESULTS.read_bytes() == before
    printed = capsys.readouterr().out
    assert "skipped: nothing" in printed
    assert "fewer than 1,000 cells: not slower than the textbook" in printed

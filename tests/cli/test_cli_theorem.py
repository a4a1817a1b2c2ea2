"""``exactgeo theorem V.7``."""

import os
from pathlib import Path

import pytest

from tests.cli.running import refused, run


@pytest.mark.parametrize(
    ("d", "N", "L", "d_ff", "w"), [(1, 1, 1, 2, 1), (1, 3, 2, 5, 2), (2, 2, 1, 9, 2), (3, 1, 1, 6, 1)]
)
def test_bound_and_construction(d: int, N: int, L: int, d_ff: int, w: int) -> None:
    answer = run("theorem", "V.7", "--d", d, "--N", N, "--L", L, "--d-ff", d_ff, "--json")
    assert (answer.code, answer.err) == (0, "")
    found = answer.json
    assert (found["w"], found["holds"], found["theorem"]) == (w, True, "V.7")
    assert found["paper_bound"] == (N * w) ** (d * L)
    assert found["construction_count"] == found["cells"] == found["regions"] == (2 * w * N) ** (d * L)


def test_the_width_is_2d_unless_given() -> None:
    found = run("theorem", "V.7", "--d", 2, "--N", 1, "--L", 1, "--json").json
    assert (found["d_ff"], found["w"]) == (4, 1)


def test_the_table() -> None:
    lines = run("theorem", "V.7", "--d", 1, "--N", 2, "--L", 2, "--cross-check").out.splitlines()
    assert lines[:7] == [
        "Theorem V.7 with d=1 N=2 L=2 d_ff=2, so w=1",
        "cells counted                             16",
        "regions counted                           16",
        "(2wN)^(dL), promised by the construction  16",
        "(Nw)^(dL), the paper's lower bound         4",
        "the paper's bound holds; the construction's count is confirmed",
        "cross-check: split and search list the same 16 cells",
    ]


def test_the_network_can_be_kept_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "v7.json"
    built = run("theorem", "V.7", "--d", 2, "--N", 2, "--L", 1, "--d-ff", 5, "--write-network", path, "--json").json
    counted = run("count", path, "--json").json
    for key in ("network_sha256", "cells", "regions", "affine_maps", "dimension"):
        assert built[key] == counted[key]
    assert os.listdir(tmp_path) == ["v7.json"]


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ("2 2 1 3", "--d-ff 3: Theorem V.7 needs d_ff >= 2d, here at least 4"),
        ("2 0 1 4", "--N 0: expected a positive integer"),
        ("0 2 1 4", "--d 0"),
        ("2 2 -1 4", "--L -1"),
        ("1 2 1000000000000 2", "weights"),
        ("1 1000000000000 1 2", "weights"),
        ("10000000 1 1 20000000", "weights"),
        ("1.5 1 1 4", "expected an integer"),
    ],
)
def test_parameters_that_make_no_network(numbers: str, expected: str, tmp_path: Path) -> None:
    d, N, L, d_ff = numbers.split()
    path = tmp_path / "v7.json"
    command = ["theorem", "V.7", "--d", d, "--N", N, "--L", L, "--d-ff", d_ff, "--write-network", path]
    assert expected in refused(run(*command))
    assert expected in refused(run(*command, "--json"))
    assert os.listdir(tmp_path) == []


def test_a_network_that_cannot_be_kept(tmp_path: Path) -> None:
    command = ["theorem", "V.7", "--d", 1, "--N", 1, "--L", 1, "--write-network"]
    assert "there is no folder" in refused(run(*command, tmp_path / "missing" / "v7.json", "--json"))
    assert "it is a folder" in refused(run(*command, tmp_path))


def test_a_bound_that_fails_is_the_answer_no(monkeypatch: pytest.MonkeyPatch) -> None:
    from exactgeo.theory.lower_bound import LowerBound

    monkeypatch.setattr(LowerBound, "paper_bound", 5)
    answer = run("theorem", "V.7", "--d", 1, "--N", 2, "--L", 1, "--json")
    assert (answer.code, answer.json["holds"], answer.json["regions"]) == (1, False, 4)
    assert "the paper's bound FAILS" in run("theorem", "V.7", "--d", 1, "--N", 2, "--L", 1).out


def test_budget() -> None:
    stopped = run("theorem", "V.7", "--d", 1, "--N", 2, "--L", 2, "--max-cells", 15, "--json")
    assert (stopped.code, stopped.json["cells_at_least"]) == (2, 16)

"""Counting by states on the command line: chosen where it pays, forced, stopped."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from exactgeo.cells import states
from exactgeo.theory.constructions import folding, zigzag
from exactgeo.theory.lower_bound import construction, lower_bound
from proofs_check import check
from tests.cli.running import FOLDS, QUADRANTS, TRANSFORMER, refused, run, save, tangents

LARGE = ("--d", 2, "--N", 3, "--L", 12)
CELLS = 6**24


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """The network of Theorem V.7 with 6^24 cells."""
    path = tmp_path / "v7.json"
    path.write_bytes(construction(lower_bound(2, 3, 12)).document)
    return path


def test_theorem_v7_beyond_listing() -> None:
    answer = run("theorem", "V.7", *LARGE, "--json")
    assert (answer.code, answer.err) == (0, "")
    found = answer.json
    assert (found["method"], found["states"], found["holds"]) == ("states", 24, True)
    assert found["cells"] == found["regions"] == found["affine_maps"] == found["construction_count"] == CELLS


def test_what_is_said_of_it() -> None:
    lines = run("theorem", "V.7", *LARGE).out.splitlines()
    assert lines[1].split() == ["cells", "counted", f"{CELLS:,}"]
    assert lines[2].split() == ["regions", "counted", f"{CELLS:,}"]
    assert lines[-2] == "the paper's bound holds; the construction's count is confirmed"
    assert lines[-1].endswith(" s by states: 24 states for over 10^18 cells")


@pytest.mark.parametrize(
    "options", [[], ["--count-only"], ["--method", "states"], ["--method", "states", "--count-only"]]
)
def test_count_chooses_states_or_is_told_to(options: list[str], large: Path) -> None:
    counts = run("count", large, "--json", *options).json
    assert (counts["cells"], counts["method"], counts["states"]) == (CELLS, "states", 24)
    rest = None if "--count-only" in options else CELLS
    assert (counts["regions"], counts["affine_maps"]) == (rest, rest)
    assert "regions_bounds" not in counts
    shown = run("count", large, *options).out
    assert shown.splitlines()[1].split() == ["cells", f"{CELLS:,}"]
    assert " s by states: 24 states for over 10^18 cells\n" in shown


@pytest.mark.parametrize("document", [QUADRANTS, FOLDS, TRANSFORMER], ids=["quadrants", "folds", "transformer"])
def test_small_networks_by_states(document: Any, tmp_path: Path) -> None:
    path = save(tmp_path / "net.json", document)
    listed = run("count", path, "--json").json
    assert "states" not in listed
    by_states = run("count", path, "--json", "--method", "states").json
    assert by_states["cells"] == listed["cells"]
    for key in ("regions", "affine_maps"):
        if by_states[key] is None:
            low, high = by_states[f"{key}_bounds"]
            assert low <= listed[key] <= high
            assert low < high
        else:
            assert by_states[key] == listed[key]
            assert f"{key}_bounds" not in by_states
    alone = run("count", path, "--json", "--method", "states", "--count-only", "--cross-check").json
    assert (alone["cells"], alone["regions"], alone["cross_check"]) == (listed["cells"], None, "agreed")


def test_bounds_are_called_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folding whose last units are all off in some cells, which are then joined across folds, but not all of them."""
    path = tmp_path / "folding.json"
    path.write_bytes(folding(2, [4, 4, 4, 4, 3]).network.document)
    listed = run("count", path, "--json", "--method", "split").json
    exact = run("count", path, "--json", "--method", "states").json
    for key in ("cells", "regions", "affine_maps"):  # so few cells are listed to tell regions apart
        assert exact[key] == listed[key]
    monkeypatch.setattr("exactgeo.regions.states.LISTED", 1_000)
    counts = run("count", path, "--json", "--method", "states").json
    assert counts["cells"] == listed["cells"] == 4**4 * 7
    assert (counts["regions"], counts["affine_maps"]) == (None, None)
    for key in ("regions", "affine_maps"):
        low, high = counts[f"{key}_bounds"]
        assert 1 <= low < listed[key] < high <= counts["cells"]
    shown = run("count", path, "--method", "states").out.splitlines()
    for line, key in zip(shown[2:4], ("regions", "affine_maps"), strict=True):
        low, high = counts[f"{key}_bounds"]
        assert line == f"{key.replace('_', ' '):<11}  not decided, from {low:,} to {high:,}"
    assert "regions_bounds" not in listed


@pytest.mark.parametrize("options", [["--method", "states"], ["--count-only"], []])
def test_too_many_states(options: list[str], large: Path) -> None:
    stopped = run("count", large, "--json", "--max-states", 5, *options)
    assert stopped.code == 2
    assert stopped.json["cells"] is None
    assert 1 < stopped.json["cells_at_least"] < CELLS
    assert stopped.json["stopped"] == "stopped by --max-states 5"
    assert "while counting by states; not the full count, but proved: at least" in stopped.err
    assert run("count", large, "--json", "--max-states", 24, *options).json["cells"] == CELLS


def test_too_many_states_by_default(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Told to count by states, it stops; where it has chosen to try them, it goes on without them."""
    monkeypatch.setattr("exactgeo.alongside.MOST_STATES", 5)
    assert run("count", large, "--json", "--method", "states").json["stopped"] == "stopped by --max-states 5"
    stopped = run("count", large, "--json", "--count-only", "--timeout", "4").json
    assert stopped["stopped"] == "stopped by --timeout 4 s"


@pytest.mark.parametrize("options", [["--method", "states"], ["--count-only"], []])
def test_max_cells(options: list[str], large: Path) -> None:
    stopped = run("count", large, "--json", "--max-cells", 10**12, *options)
    assert stopped.code == 2
    assert 10**12 < stopped.json["cells_at_least"] <= CELLS
    assert stopped.json["stopped"] == f"stopped by --max-cells {10**12}"


def test_what_excludes_what(large: Path) -> None:
    told = refused(run("count", large, "--method", "states", "--graph", large.with_name("dual.json")))
    assert "--graph and --method states exclude each other" in told
    assert "invalid choice: 'states'" in refused(run("cells", large, "--method", "states", "--out", "-"))
    assert "--max-states and --table exclude" in refused(run("theorem", "V.7", "--table", "--max-states", 3))
    assert "expected a positive integer" in refused(run("count", large, "--max-states", 0))


def test_a_domain_with_too_many_corners(tmp_path: Path) -> None:
    layers = [{"type": "linear", "weight": [[1] * 12], "bias": [1]}, {"type": "relu"}]
    document = {"format": "exactgeo-network/1", "input_dim": 12, "domain": {"box": [[0, 1]] * 12}, "layers": layers}
    path = save(tmp_path / "net.json", document)
    assert "needs a domain with at most 300" in refused(run("count", path, "--method", "states"))
    assert run("count", path, "--json").json["cells"] == 1


def test_more_digits_than_python_prints() -> None:
    """Python refuses to print integers beyond a limit, here its least one; the command is not bound by it."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        answers = [
            run("theorem", "V.7", "--d", 2, "--N", 10, "--L", 220, "--d-ff", 8, *more) for more in ([], ["--json"])
        ]
    finally:
        sys.set_int_max_str_digits(before)
    assert [answer.code for answer in answers] == [0, 0]
    assert answers[1].json["cells"] == 40**440  # 705 digits
    assert f"{40**440:,}" in answers[0].out


def test_a_network_with_nothing_to_share_is_counted_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The trial goes on early here, finds nothing, and costs a bounded number of images."""
    monkeypatch.setattr(states, "FIRST", 10)
    document = tangents(12)
    document["layers"] += [{"type": "linear", "weight": [[1] * 12, [2, -1] * 6], "bias": [-40, 7]}, {"type": "relu"}]
    path = save(tmp_path / "net.json", document)
    counts = run("count", path, "--count-only", "--json").json
    assert counts["method"] == "split"
    assert "states" not in counts
    assert counts["cells"] == run("count", path, "--method", "search", "--count-only", "--json").json["cells"]


@pytest.mark.parametrize("options", [[], ["--count-only"], ["--method", "states", "--multipliers"]])
def test_certificates_of_counts_by_states(options: list[str], large: Path) -> None:
    proof = large.with_name("v7.proof.gz")
    counts = run("count", large, "--json", "--certificate", proof, *options).json
    rest = None if "--count-only" in options else CELLS
    assert counts["claim"] == {"cells": CELLS, "regions": rest, "affine_maps": rest}
    proved = check(str(proof), network=str(large))
    assert proved.cells == CELLS
    assert proved.regions == (rest or 1, CELLS)
    shown = run("count", large, "--certificate", proof, *options).out
    assert f"\ncertificate written to {proof}; python -m proofs_check checks it\n" in shown


def test_a_certificate_of_the_theorem(tmp_path: Path) -> None:
    proof = tmp_path / "v7.proof"
    assert run("theorem", "V.7", *LARGE, "--certificate", proof).code == 0
    size = [str(entry) for entry in LARGE]
    command = [sys.executable, "-m", "proofs_check", "--theorem", "V.7", *size, str(proof)]
    verdict = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert verdict.startswith(f"VERIFIED cells={CELLS} regions={CELLS} affine_maps={CELLS}\n")
    assert verdict.endswith(": holds\n")


def test_a_certificate_that_says_less_than_the_count(tmp_path: Path) -> None:
    """On the whole line the outer cells are sent onto half-lines: regions are known, but not by the certificate."""
    path, proof = tmp_path / "zigzag.json", tmp_path / "zigzag.proof"
    path.write_bytes(zigzag(1, 2, 30, bounded=False).network.document)
    counts = run("count", path, "--json", "--certificate", proof).json
    assert counts["cells"] == counts["regions"] == 3**30
    assert counts["claim"] == {"cells": 3**30, "regions": None, "affine_maps": None}
    assert "certificate of the cells alone written to" in run("count", path, "--certificate", proof).out
    assert check(str(proof)).cells == 3**30


def test_more_states_than_a_certificate_holds(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactgeo.alongside.MOST_TEMPLATES", 5)
    command = ["count", large, "--certificate", large.with_name("v7.proof")]
    assert "a certificate holds at most 5 states" in refused(run(*command, "--method", "states"))
    assert run(*command, "--timeout", "3", "--json").json["stopped"] == "stopped by --timeout 3 s"


def test_a_theorem_that_no_certificate_holds_is_not_counted_first(tmp_path: Path) -> None:
    """The network would have 21,000 candidates."""
    command = ["theorem", "V.7", "--d", 1, "--N", 1000, "--L", 21, "--certificate", tmp_path / "v7.proof"]
    assert "a certificate holds at most 20000 candidates" in refused(run(*command))
    assert list(tmp_path.iterdir()) == []

"""Certificates on the command line: ``count --certificate``, ``theorem V.7 --certificate`` and ``--table``."""

import gzip
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from exactgeo.cells import enumerate_cells
from tests.cli.running import (
    COMMAND,
    FOLDS,
    LAST_RESORT,
    QUADRANTS,
    SUMMED,
    TRANSFORMER,
    Answer,
    Document,
    Terminal,
    execute,
    refused,
    run,
    save,
    tangents,
)

CHECKER = Path(__file__).parents[2] / "proofs_check"


def checked(*arguments: object, folder: Path | None = None, isolated: bool = False) -> Answer:
    """``python -m proofs_check`` as a process of its own."""
    flags = ["-S", "-E"] if isolated else []
    command = [sys.executable, *flags, "-m", "proofs_check", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LAST_RESORT, cwd=folder)
    return Answer(done.returncode, done.stdout, done.stderr)


def header(path: Path) -> Any:
    data = path.read_bytes()
    return json.loads((gzip.decompress(data) if path.suffix == ".gz" else data).split(b"\n")[0])


# count


@pytest.mark.parametrize("document", [QUADRANTS, FOLDS, TRANSFORMER])
@pytest.mark.parametrize("options", [[], ["--multipliers"], ["--method", "search"], ["--cross-check"]])
def test_count_with_a_certificate(document: Document, options: list[str], tmp_path: Path) -> None:
    network, proof = save(tmp_path / "net.json", document), tmp_path / "net.proof.gz"
    counted = run("count", network, "--json", "--certificate", proof, *options).json
    assert counted["certificate"] == str(proof)
    claim = {key: counted[key] for key in ("cells", "regions", "affine_maps")}
    assert header(proof)["claim"] == claim
    verdict = checked(proof, "--network", network, "--json")
    assert (verdict.code, verdict.err) == (0, "")
    assert {key: verdict.json[key] for key in claim} == claim
    assert verdict.json["network_sha256"] == counted["network_sha256"]
    assert sorted(os.listdir(tmp_path)) == ["net.json", "net.proof.gz"]


def test_the_seconds_of_the_certificate_stand_beside_those_of_the_count(tmp_path: Path) -> None:
    network, proof = save(tmp_path / "net.json", FOLDS), tmp_path / "proof"
    counted = run("count", network, "--json", "--certificate", proof).json
    assert counted["certificate_seconds"] > 0
    assert "certificate_seconds" not in run("count", network, "--json").json
    line = r"\n\d+\.\d{3} s by split, [\d,]+ cells/s; certificate in \d+\.\d{3} s\n"
    assert re.search(line, run("count", network, "--certificate", proof).out)
    built = run("theorem", "V.7", "--d", 2, "--N", 3, "--L", 12, "--certificate", proof)
    assert re.search(r" s by states: 24 states for over 10\^18 cells; certificate in \d+\.\d{3} s\n$", built.out)


def test_count_only_claims_cells_alone(tmp_path: Path) -> None:
    network, proof = save(tmp_path / "net.json", tangents(6)), tmp_path / "proof"
    answer = run("count", network, "--count-only", "--certificate", proof)
    assert answer.code == 0
    assert f"certificate written to {proof}; python -m proofs_check checks it" in answer.out
    assert header(proof)["claim"] == {"cells": 22, "regions": None, "affine_maps": None}
    assert checked(proof).out == "VERIFIED cells=22 regions=1..22 affine_maps=1..22\n"


def test_multipliers_are_written_where_asked_for(tmp_path: Path) -> None:
    network = save(tmp_path / "net.json", TRANSFORMER)
    for name, options in (("without", []), ("with", ["--multipliers"])):
        assert run("count", network, "--certificate", tmp_path / name, *options).code == 0
    evidence = {
        name: [json.loads(line) for line in (tmp_path / name).read_text().splitlines() if line.startswith('["E"')]
        for name in ("without", "with")
    }
    assert [record[:4] for record in evidence["with"]] == evidence["without"]
    assert {len(record) for record in evidence["with"]} == {5}
    for name in ("without", "with"):
        assert checked(tmp_path / name).out == "VERIFIED cells=4 regions=1 affine_maps=1\n"


def test_bytes_do_not_depend_on_how_cells_were_counted(tmp_path: Path) -> None:
    network = save(tmp_path / "net.json", TRANSFORMER)
    for method in ("split", "search"):
        assert run("count", network, "--method", method, "--certificate", tmp_path / method).code == 0
    assert (tmp_path / "split").read_bytes() == (tmp_path / "search").read_bytes()


def test_another_network_is_rejected(tmp_path: Path) -> None:
    network, proof = save(tmp_path / "net.json", QUADRANTS), tmp_path / "proof"
    run("count", network, "--certificate", proof)
    assert checked(proof, "--network", network).code == 0
    other = save(tmp_path / "other.json", {**QUADRANTS, "domain": None})
    verdict = checked(proof, "--network", other)
    assert verdict.code == 1
    assert verdict.out.startswith("REJECTED network-hash at network: ")


def test_a_certificate_beside_a_graph(tmp_path: Path) -> None:
    network = save(tmp_path / "net.json", QUADRANTS)
    assert run("count", network, "--graph", tmp_path / "dual.json", "--certificate", tmp_path / "proof").code == 0
    assert sorted(os.listdir(tmp_path)) == ["dual.json", "net.json", "proof"]


def test_places_that_cannot_take_a_certificate(tmp_path: Path) -> None:
    network = save(tmp_path / "net.json", QUADRANTS)
    before = network.read_bytes()
    count = ["count", network, "--certificate"]
    assert "it is a folder" in refused(run(*count, tmp_path))
    assert "there is no folder" in refused(run(*count, tmp_path / "missing" / "proof"))
    assert "it is the network file" in refused(run(*count, network))
    (tmp_path / "link.json").symlink_to(network)
    assert "it is the network file" in refused(run(*count, tmp_path / "link.json"))
    (tmp_path / "link.json").unlink()
    graph = tmp_path / "dual.json"
    assert "name the same file" in refused(run(*count, graph, "--graph", graph))
    assert "name the same file" in refused(run(*count, tmp_path / ".." / tmp_path.name / "dual.json", "--graph", graph))
    assert os.listdir(tmp_path) == ["net.json"]
    assert network.read_bytes() == before


def test_a_budget_that_is_used_up_before_the_certificate(tmp_path: Path) -> None:
    network = save(tmp_path / "net.json", tangents(6))
    answer = run("count", network, "--certificate", tmp_path / "proof", "--max-cells", 21)
    assert answer.code == 2
    assert "stopped by --max-cells 21" in answer.err
    assert os.listdir(tmp_path) == ["net.json"]


@pytest.mark.parametrize(("signum", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 143)])
@pytest.mark.parametrize("name", ["proof", "proof.gz"])
def test_interrupted_while_writing(signum: int, code: int, name: str, tmp_path: Path) -> None:
    """The counts are there, the certificate is half done: nothing is left of it."""
    network, cells = save(tmp_path / "net.json", tangents(150)), 11326
    with subprocess.Popen(
        [*COMMAND, "count", str(network), "--count-only", "--certificate", str(tmp_path / name)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        part = tmp_path / f"{name}.part"
        while process.poll() is None and not (part.exists() and part.stat().st_size > 8192):
            time.sleep(0.005)
        process.send_signal(signum)
        out, err = process.communicate(timeout=LAST_RESORT)
    assert (process.returncode, out) == (code, "")
    assert err.count("\n") == 1
    told = f"while writing the certificate; the count is complete: {cells:,} cells; the certificate is not written\n"
    assert err.endswith(told)
    assert os.listdir(tmp_path) == ["net.json"]


def test_a_timeout_while_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written takes a while, so that the budget is used up."""
    from exactgeo.certificate import certificate

    def slow(*arguments: object) -> Any:
        for record in honest(*arguments):  # type: ignore[arg-type]
            time.sleep(1.0)
            yield record

    honest = certificate._records
    monkeypatch.setattr(certificate, "_records", slow)
    network = save(tmp_path / "net.json", tangents(5))
    old = tmp_path / "proof"
    old.write_text("old")
    answer = run("count", network, "--certificate", old, "--timeout", 0.5, "--json")
    assert answer.code == 2
    assert answer.json["cells_at_least"] == answer.json["cells"] == answer.json["regions"] == 16
    assert answer.json["stopped"] == "stopped by --timeout 0.5 s"
    assert "certificate" not in answer.json
    assert "stopped by --timeout 0.5 s while writing the certificate; the count is complete: 16 cells, " in answer.err
    assert sorted(os.listdir(tmp_path)) == ["net.json", "proof"]
    assert old.read_text() == "old"


def test_a_stop_while_the_graph_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The certificate is there by then, and is told of."""

    def endless(*_: object) -> str:
        while True:
            pass

    monkeypatch.setattr("exactgeo.counting.graph_text", endless)
    network, proof = save(tmp_path / "net.json", SUMMED), tmp_path / "proof"
    command = ["count", network, "--graph", tmp_path / "dual.json", "--certificate", proof, "--timeout", 1, "--json"]
    answer = run(*command)
    assert answer.code == 2
    assert (answer.json["cells"], answer.json["walls"], answer.json["certificate"]) == (4, 4, str(proof))
    told = "while writing the graph; the count is complete: 4 cells, 4 regions, 4 affine maps; the graph is not written"
    assert told in answer.err
    assert sorted(os.listdir(tmp_path)) == ["net.json", "proof"]


@pytest.mark.parametrize("name", ["proof", "proof.gz"])
def test_what_a_kill_leaves_behind_is_named_and_replaced(name: str, tmp_path: Path) -> None:
    network, proof = save(tmp_path / "net.json", tangents(150)), tmp_path / name
    part = tmp_path / f"{name}.part"
    command = ["count", network, "--count-only", "--certificate", proof]
    with subprocess.Popen([*COMMAND, *map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while process.poll() is None and not (part.exists() and part.stat().st_size > 8192):
            time.sleep(0.005)
        process.kill()
        process.communicate(timeout=LAST_RESORT)
    assert sorted(os.listdir(tmp_path)) == ["net.json", part.name]
    answer = run(*command, "--json")
    assert answer.err == f"exactgeo: {part} was left behind by a run that was killed; it is replaced\n"
    assert (answer.code, answer.json["cells"]) == (0, 11326)
    assert sorted(os.listdir(tmp_path)) == ["net.json", name]
    assert checked(proof, "--network", network).code == 0
    assert run(*command).err == ""


def test_the_progress_line_tells_of_the_certificate(tmp_path: Path) -> None:
    network = save(tmp_path / "net.json", tangents(250))
    answer = Terminal(["count", network, "--certificate", tmp_path / "proof"]).finish()
    assert answer.code == 0
    assert "writing the certificate" in answer.err


def test_engine_and_proof_search_that_disagree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cell that the engine misses is caught, loudly, and there is no certificate."""
    from exactgeo import counting
    from exactgeo.cells.python_core import PythonCore

    def forgetful(network: Any, method: Any, **options: Any) -> Any:
        return list(enumerate_cells(network, method))[1:]

    monkeypatch.setattr(counting, "enumerate_cells", forgetful)
    monkeypatch.setattr(counting, "cell_core", PythonCore)
    network = save(tmp_path / "net.json", SUMMED)
    answer = run("count", network, "--certificate", tmp_path / "proof", "--json")
    assert (answer.code, answer.out) == (1, "")
    assert "defect in exactgeo, please report it: the engine counts" in answer.err
    assert os.listdir(tmp_path) == ["net.json"]


# theorem V.7


@pytest.mark.parametrize(("d", "N", "L", "d_ff"), [(1, 2, 2, 2), (2, 2, 1, 5), (1, 1, 3, 3), (3, 1, 1, 6)])
def test_a_theorem_with_a_certificate(d: int, N: int, L: int, d_ff: int, tmp_path: Path) -> None:
    proof, kept = tmp_path / "v7.proof.gz", tmp_path / "v7.json"
    size = ["--d", d, "--N", N, "--L", L, "--d-ff", d_ff]
    built = run("theorem", "V.7", *size, "--certificate", proof, "--write-network", kept, "--json").json
    verdict = checked("--theorem", "V.7", *size, proof, "--network", kept, "--json")
    assert verdict.code == 0
    for key in ("cells", "regions", "affine_maps", "d", "N", "L", "d_ff", "w", "paper_bound", "construction_count"):
        assert verdict.json[key] == built[key]
    assert verdict.json["holds"] is True
    lines = checked("--theorem", "V.7", *size, proof).out.splitlines()
    assert len(lines) == 2
    assert lines[1].endswith("holds")
    other = checked("--theorem", "V.7", "--d", d, "--N", N + 1, "--L", L, "--d-ff", d_ff, proof)
    assert other.code == 1
    assert other.out.startswith("REJECTED theorem-network")


def test_the_width_is_2d_for_the_checker_too(tmp_path: Path) -> None:
    size = ["--d", 2, "--N", 1, "--L", 1]
    assert run("theorem", "V.7", *size, "--certificate", tmp_path / "proof", "--multipliers").code == 0
    assert checked("--theorem", "V.7", *size, tmp_path / "proof").code == 0


def test_a_certificate_of_another_network_is_not_of_the_theorem(tmp_path: Path) -> None:
    network = save(tmp_path / "net.json", QUADRANTS)
    run("count", network, "--certificate", tmp_path / "proof")
    verdict = checked("--theorem", "V.7", "--d", 2, "--N", 1, "--L", 1, tmp_path / "proof")
    assert verdict.out.startswith("REJECTED theorem-network at network: ")


def test_the_table() -> None:
    answer = run("theorem", "V.7", "--table", "--max-cells", 8)
    assert (answer.code, answer.err) == (0, "")
    head, *rows, verdict = answer.out.splitlines()
    assert head.split() == ["d", "N", "L", "d_ff", "w", "cells", "regions", "(2wN)^(dL)", "paper's", "bound"]
    assert rows[0].split() == ["1", "1", "1", "2", "1", "2", "2", "2", "1"]
    for row in rows:
        d, n, blocks, d_ff, w, cells, regions, count, bound = map(int, row.split())
        assert cells == regions == count == (2 * w * n) ** (d * blocks) <= 8
        assert (w, bound) == (d_ff // (2 * d), (n * w) ** (d * blocks))
    assert verdict == (
        f"{len(rows)} sizes, every count proved by a certificate that proofs_check verified: "
        "the paper's bound holds; the construction's count is confirmed"
    )


def test_the_table_as_json() -> None:
    found = run("theorem", "V.7", "--table", "--max-cells", 16, "--d", 2, "--json").json
    assert (found["theorem"], found["max_cells"], found["holds"]) == ("V.7", 16, True)
    sizes = [(row["d"], row["N"], row["L"], row["d_ff"]) for row in found["table"]]
    assert sorted(sizes) == [(2, 1, 1, 4), (2, 1, 1, 8), (2, 1, 2, 4), (2, 2, 1, 4)]
    for row in found["table"]:
        count = (2 * row["w"] * row["N"]) ** (2 * row["L"])
        assert row["cells"] == row["regions"] == row["construction_count"] == count
        assert row["holds"] is True


def test_a_table_in_which_the_checker_says_no(monkeypatch: pytest.MonkeyPatch) -> None:
    from exactgeo.cli import theorem

    def unproved(*arguments: object) -> None:
        network, _, place = arguments[:3]
        del network
        assert isinstance(place, Path)
        place.write_text("{}\n")

    monkeypatch.setattr(theorem, "write_certificate", unproved)
    answer = run("theorem", "V.7", "--table", "--max-cells", 2)
    assert (answer.code, answer.out) == (1, "")
    assert "proofs_check does not accept the certificate" in answer.err


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], "expected --d, or --table"),
        (["--d", 1, "--L", 1], "expected --N, or --table"),
        (["--d", 1, "--N", 1], "expected --L, or --table"),
        (["--table", "--certificate", "PROOF"], "--certificate and --table exclude each other"),
        (["--table", "--write-network", "PROOF"], "--write-network and --table exclude each other"),
        (["--table", "--method", "split"], "--method and --table exclude each other"),
        (["--table", "--cross-check"], "--cross-check and --table exclude each other"),
        (["--table", "--d", 9, "--max-cells", 16], "no size with these numbers"),
        (["--d", 1, "--N", 1, "--L", 1, "--certificate", "missing/PROOF"], "there is no folder"),
        (["--d", 1, "--N", 1, "--L", 1, "--certificate", "PROOF", "--write-network", "./PROOF"], "name the same file"),
    ],
)
def test_options_that_do_not_fit(
    options: list[object], expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert expected in refused(run("theorem", "V.7", *options))
    assert os.listdir(tmp_path) == []


# The checker alone


def test_the_checker_works_alone(tmp_path: Path) -> None:
    """Copied into an empty folder, without site-packages and environment."""
    alone = tmp_path / "alone"
    shutil.copytree(CHECKER, alone / "proofs_check", ignore=shutil.ignore_patterns("__pycache__"))
    network, proof = save(tmp_path / "net.json", TRANSFORMER), tmp_path / "net.proof.gz"
    counted = execute("count", network, "--certificate", proof, "--json").json
    verdict = checked(proof, "--network", network, folder=alone, isolated=True)
    assert (verdict.code, verdict.err) == (0, "")
    maps = counted["affine_maps"]
    assert verdict.out == f"VERIFIED cells={counted['cells']} regions={counted['regions']} affine_maps={maps}\n"
    code = """
import sys, proofs_check.__main__
print([name for name in sys.modules if name.split(".")[0] in ("exactgeo", "flint", "numpy", "cdd", "networkx")])
"""
    seen = subprocess.run(
        [sys.executable, "-S", "-E", "-c", code], cwd=alone, capture_output=True, text=True, check=True
    )
    assert seen.stdout == "[]\n"

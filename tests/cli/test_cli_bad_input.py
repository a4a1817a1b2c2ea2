"""Bad input: exit code 2, at most three lines that name the place, no traceback, nothing on disk, also with --json."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

from exactgeo.cli import main
from tests.cli.running import QUADRANTS, TRANSFORMER, execute, refused, run, save

Change = Callable[[Any], object]


def _with(**keys: object) -> dict[str, object]:
    return {**QUADRANTS, **keys}


def _layer(**keys: object) -> dict[str, object]:
    return {**QUADRANTS, "layers": [keys]}


def _number(number: object) -> dict[str, object]:
    return _layer(type="linear", weight=[[1, number]])


def _heads(first: list[list[int]], second: list[list[int]]) -> dict[str, object]:
    head = {"query": {"weight": [[1, 0]]}, "keys": [[1], [2]]}
    return _layer(type="attention", residual=True, heads=[{**head, "values": values} for values in (first, second)])


TEXT = json.dumps(QUADRANTS)
LINEAR = '{"format": "exactgeo-network/1", "input_dim": 1, "layers": [{"type": "linear", "weight": [[%s]]}]}'

# name: (file, what the complaint says)
FILES: dict[str, tuple[object, str]] = {
    "empty": (b"", "expected JSON, got nothing"),
    "not JSON": (b"hello", "line 1 column 1"),
    "cut short": (TEXT[:-2].encode(), "expected JSON"),
    "not UTF-8": (b'{"format": "\xe9"}', "byte 0xe9 at offset 12"),
    "UTF-16": (TEXT.encode("utf-16"), "byte order mark"),
    "nested": (b"[" * 100_000, "nested beyond reason"),
    "no object": ([], "expected an object"),
    "duplicate key": (TEXT.replace('"input_dim"', '"format": 1, "input_dim"').encode(), '"format" twice'),
    "duplicate inside": ((LINEAR % 1).replace('"type"', '"type": 0, "type"').encode(), "layers[0]"),
    "unknown format": (_with(format="exactgeo-network/2"), "format: expected"),
    "unknown key": (_with(weights=1), '"weights"'),
    "unknown key inside": (_layer(type="relu", slope=1), "layers[0]: expected only the keys type"),
    "a key with control characters": (_with(**{"a\n\n\n\nb\x1b[31m": 1}), "unknown key"),
    "missing key": ({"format": "exactgeo-network/1", "input_dim": 2}, '"layers"'),
    "missing key inside": (_layer(type="leaky_relu"), 'layers[0]: expected the key "slope"'),
    "unknown type": (_layer(type="softmax"), "layers[0].type: expected one of attention"),
    "boolean": (_number(True), "layers[0].weight[0][1]: expected a rational number, got true"),
    "null": (_number(None), "layers[0].weight[0][1]"),
    "exponent as text": (_number("1e999999999"), "exponent beyond"),
    "exponent": ((LINEAR % "1e999999999").encode(), "exponent beyond"),
    "NaN": ((LINEAR % "NaN").encode(), "layers[0].weight[0][0]"),
    "Infinity": ((LINEAR % "-Infinity").encode(), "-Infinity"),
    "blanks": (b" \n", "expected JSON, got nothing"),
    "a certificate": (b'{"format":"exactgeo-certificate/1","network":{}}\n["M",0]\n', "it is a certificate"),
    "text": (_number("one"), "'one' is not a rational number"),
    "denominator 0": (_number("1/0"), "denominator 0"),
    "digits of another script": (_number("\u0661"), "not a rational number"),
    "underscore": (_number("1_0"), "not a rational number"),
    "ragged": (_layer(type="linear", weight=[[1, 2], [3]]), "layers[0].weight[1]: expected a list of 2 numbers"),
    "too wide": (_layer(type="linear", weight=[[1, 2, 3]]), "layers[0].weight[0]: expected a list of 2 numbers"),
    "bias of another size": (_layer(type="linear", weight=[[1, 2]], bias=[1, 2]), "layers[0].bias"),
    "no rows": (_layer(type="linear", weight=[]), "layers[0].weight"),
    "heads of different sizes": (_heads([[1, 1], [2, 2]], [[1], [2]]), "layers[0].heads[1].values"),
    "heads too wide together": (_heads([[1, 1], [2, 2]], [[1, 1], [2, 2]]), "layers[0].heads: expected 2 outputs"),
    "empty domain": (_with(domain={"inequalities": [[-1, 1, 0], [0, -1, 0]]}), "1*row 0 + 1*row 1"),
    "flat domain": (_with(domain={"inequalities": [[-1, 1, 0], [1, -1, 0]]}), "no interior"),
    "impossible row": (_with(domain={"inequalities": [[-1, 0, 0]]}), "empty"),
    "reversed box": (_with(domain={"box": [[0, 1], [1, 0]]}), "domain.box[1]: expected lower < upper"),
    "flat box": (_with(domain={"box": [[0, 1], ["1/3", "1/3"]]}), "domain.box[1]"),
    "box of another size": (_with(domain={"box": [[0, 1]]}), "domain.box"),
    "box and inequalities": (_with(domain={"box": [[0, 1]] * 2, "inequalities": []}), "domain: expected one of"),
    "input_dim 0": (_with(input_dim=0), "input_dim: expected an integer from 1"),
    "input_dim negative": (_with(input_dim=-1), "input_dim"),
    "input_dim absurd": (_with(input_dim=10**30), "input_dim"),
    "input_dim a decimal": (_with(input_dim=2.0), "input_dim"),
    "input_dim a text": (_with(input_dim="2"), "input_dim"),
    "no layers": (_with(layers=[]), "layers: expected a list of layers, got an empty list"),
    "layers an object": (_with(layers={}), "layers"),
}


def _stored(folder: Path, content: object) -> Path:
    path = folder / "net.json"
    if isinstance(content, bytes):
        path.write_bytes(content)
        return path
    return save(path, content)


@pytest.mark.parametrize("name", FILES)
def test_a_bad_network_is_refused_with_its_place(name: str, tmp_path: Path) -> None:
    content, expected = FILES[name]
    path = _stored(tmp_path, content)
    for command in (
        ["count", path],
        ["count", path, "--json", "--graph", tmp_path / "graph.json"],
        ["cells", path, "--out", tmp_path / "cells.jsonl", "--json"],
        ["at", path, "--point", "0,0", "--json"],
    ):
        complaint = refused(run(*command))
        assert expected in complaint
        assert str(path) in complaint
        assert len(complaint) < 600
    assert os.listdir(tmp_path) == ["net.json"]


@pytest.mark.parametrize("name", ["not JSON", "nested", "ragged"])
def test_a_process_refuses_like_a_call(name: str, tmp_path: Path) -> None:
    path = _stored(tmp_path, FILES[name][0])
    assert refused(execute("count", path, "--json")) == refused(run("count", path, "--json"))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert "No such file" in refused(run("count", tmp_path / "missing.json"))
    assert "Is a directory" in refused(run("count", tmp_path, "--json"))
    assert "network: expected a path, got ''" in refused(run("count", ""))
    assert "expected a path, got nothing" in refused(run("cells", "NET", "--out", ""))
    assert "cannot read" in refused(run("count", tmp_path / "a\nb\nc\nd\ne.json"))
    assert "cannot read" in refused(run("count", "a\0b"))
    refused(run("count", "n" * 5000))


def test_permissions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """In process, because root may read and write everything: the system's refusals are put in its mouth."""
    path = save(tmp_path / "net.json", QUADRANTS)

    def refuse(*arguments: object, **options: object) -> NoReturn:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "access", lambda place, mode: False)
    assert main(["cells", str(path), "--out", str(tmp_path / "cells.jsonl")]) == 2
    monkeypatch.setattr("builtins.open", refuse)
    assert main(["count", str(path)]) == 2
    monkeypatch.undo()
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert all(line.endswith("ermission denied") for line in lines)
    assert os.listdir(tmp_path) == ["net.json"]


@pytest.mark.parametrize("option", [["count", "--graph"], ["cells", "--out"]])
def test_places_that_cannot_be_written(option: list[str], tmp_path: Path) -> None:
    path = save(tmp_path / "net.json", QUADRANTS)
    before = path.read_bytes()
    folder = tmp_path / "folder.json"
    folder.mkdir()
    command = [option[0], path, "--json", option[1]]
    assert "there is no folder" in refused(run(*command, tmp_path / "missing" / "out.json"))
    assert "it is a folder" in refused(run(*command, folder))
    assert "it is the network file" in refused(run(*command, tmp_path / "folder.json" / ".." / "net.json"))
    assert path.read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == ["folder.json", "net.json"]
    assert os.listdir(folder) == []


OPTIONS = [
    (["count", "NET", "--graph", "graph.txt"], ".graphml or .json"),
    (["count", "NET", "--graph", "graph.json", "--count-only"], "exclude each other"),
    (["count", "NET", "--max-cells", "0"], "positive integer"),
    (["count", "NET", "--max-cells", "-5"], "positive integer"),
    (["count", "NET", "--max-cells", "1.5"], "expected an integer"),
    (["count", "NET", "--max-cells", "1" * 5000], "expected an integer"),
    (["count", "NET", "--timeout", "0"], "positive number of seconds"),
    (["count", "NET", "--timeout", "nan"], "positive number of seconds"),
    (["count", "NET", "--timeout", "inf"], "positive number of seconds"),
    (["count", "NET", "--timeout", "soon"], "positive number of seconds"),
    (["count", "NET", "--method", "guess"], "choose from 'split', 'search'"),
    (["count", "NET", "--unknown"], "exactgeo count: unknown arguments: --unknown"),
    (["count", "NET", "--max", "5"], "unknown arguments"),
    (["count", "NET", "NET"], "unknown arguments"),
    (["count", "NET", "--a\n\n\n\nb"], "unknown arguments"),
    (["count"], "required: NET"),
    (["cells", "NET"], "required: --out"),
    (["cells", "NET", "--out", "-", "--json"], "exclude each other"),
    (["at", "NET"], "required: --point"),
    (["at", "NET", "--point"], "--point"),
    (["at", "NET", "--point", "--json"], "--point"),
    (["at", "NET", "--point", ""], "--point: expected a point with 2 coordinates, got 0"),
    (["at", "NET", "--point", "1"], "--point: expected a point with 2 coordinates, got 1"),
    (["at", "NET", "--point", "1,2,3", "--json"], "--point: expected a point with 2 coordinates, got 3"),
    (["at", "NET", "--point", "1,,2"], "--point: expected a rational number as coordinate 2 of a point, but ''"),
    (["at", "NET", "--point", "1,x"], "coordinate 2 of a point, but 'x'"),
    (["at", "NET", "--point", "1/0,1"], "denominator 0"),
    (["at", "NET", "--point", "1e99999999", "1"], "exponent beyond"),
    (["theorem"], "required"),
    (["theorem", "V.8", "--d", "1", "--N", "1", "--L", "1"], "V.7"),
    (["guess"], "invalid choice"),
    (["NET"], "did you mean exactgeo count NET?"),
    (["-"], "did you mean exactgeo count -?"),
    (["x" * 5000], "invalid choice"),
    (["count", "NET", "--certificate", "-"], "-: expected the name of a file, as standard output has the answer"),
    (["theorem", "V.7", "--d", "1", "--N", "1", "--L", "1", "--write-network", "-"], "-: expected the name of a file"),
    ([], "expected a command: count, cells, at or theorem"),
]


@pytest.mark.parametrize(("arguments", "expected"), OPTIONS, ids=range(len(OPTIONS)))
def test_bad_options(arguments: list[str], expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save(tmp_path / "NET", QUADRANTS)
    assert expected in refused(run(*arguments))
    assert os.listdir(tmp_path) == ["NET"]


MEANT = [
    (["count", "NET", "--certificat", "proof"], "unknown arguments: --certificat; did you mean --certificate?"),
    (["count", "NET", "--certificat=proof"], "unknown arguments: --certificat=proof; did you mean --certificate?"),
    (["count", "NET", "--JSON"], "unknown arguments: --JSON; did you mean --json?"),
    (["count", "NET", "-json"], "unknown arguments: -json; did you mean --json?"),
    (["count", "NET", "--max_cells", "5"], "did you mean --max-cells?"),
    (["count", "--timout", "5", "NET"], "did you mean --timeout?"),
    (["cells", "NET", "--ot", "x.jsonl"], "did you mean --out?"),  # not: --out is missing
    (["cells", "NET", "--out", "x.jsonl", "--region"], "did you mean --regions?"),
    (["at", "NET", "--pont", "1,2"], "did you mean --point?"),
    (["theorem", "V.7", "--tabel"], "did you mean --table?"),
    (["cuont", "NET"], "invalid choice: 'cuont' (choose from 'count', 'cells', 'at', 'theorem'); did you mean count?"),
    (["Count", "NET"], "did you mean count?"),
    (["theorm", "V.7"], "did you mean theorem?"),
    (["theorem", "V7"], "did you mean V.7?"),
    (["count", "NET", "--method", "serach"], "did you mean search?"),
]


@pytest.mark.parametrize(("arguments", "expected"), MEANT, ids=[" ".join(arguments) for arguments, _ in MEANT])
def test_what_was_meant(arguments: list[str], expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save(tmp_path / "NET", QUADRANTS)
    told = refused(run(*arguments))
    assert f"{expected} (see exactgeo" in told if expected.startswith(("unknown", "invalid")) else expected in told
    assert told.count("\n") == 1
    assert os.listdir(tmp_path) == ["NET"]


def test_nothing_is_meant_where_nothing_is_near(tmp_path: Path) -> None:
    path = save(tmp_path / "net.json", QUADRANTS)
    for command in (["count", path, "--xyz"], ["guess", path], ["count", path, "--method", "guess"]):
        assert "did you mean" not in refused(run(*command))


def test_help_is_given_whatever_else_is_there() -> None:
    assert run("count", "--help", "--xyz").code == 0


def test_points_outside_and_on_the_boundary(tmp_path: Path) -> None:
    path = save(tmp_path / "net.json", TRANSFORMER)  # the triangle x, y >= 0, x + y <= 1
    assert "outside the domain: expected b + a.x > 0 for the row [0, 0, 1]" in refused(
        run("at", path, "--point", "1/3", "-1/3")
    )
    assert "on the boundary of the domain" in refused(run("at", path, "--point", "1/2", "1/2", "--json"))

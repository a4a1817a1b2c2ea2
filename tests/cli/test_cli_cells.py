"""``exactgeo cells`` and ``exactgeo at``: every listed cell is true, by fractions and a plain forward pass."""

import gzip
import hashlib
import io
import json
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from proofs_check import check
from tests.cli.running import FOLDS, QUADRANTS, TRANSFORMER, execute, refused, run, save
from tests.oracles.forward import forward

DOCUMENTS = {"quadrants": QUADRANTS, "folds": FOLDS, "transformer": TRANSFORMER}


def _value(row: list[str], point: list[Fraction]) -> Fraction:
    """b + a.x."""
    constant, *normal = map(Fraction, row)
    return constant + sum((a * x for a, x in zip(normal, point, strict=True)), Fraction(0))


def _listed(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    "options", [[], ["--irredundant"], ["--all-rows"], ["--regions"], ["--method", "search"]], ids=" ".join
)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_listed_cell_is_true(name: str, options: list[str], tmp_path: Path) -> None:
    document = DOCUMENTS[name]
    path, out = save(tmp_path / "net.json", document), tmp_path / "cells.jsonl"
    answer = run("cells", path, "--out", out, "--json", *options)
    cells = _listed(out)
    assert answer.code == 0
    assert answer.json["cells"] == len(cells) == run("count", path, "--json").json["cells"]
    assert len({json.dumps(cell["pattern"]) for cell in cells}) == len(cells)
    for cell in cells:
        point = [Fraction(x) for x in cell["point"]]
        assert all(_value(row, point) > 0 for row in cell["rows"])
        value, _ = forward(document, point)
        assert [_value(row, point) for row in cell["map"]] == list(value)
        located = run("at", path, "--json", "--point", *cell["point"]).json
        assert located["wall"] is None
        assert located["value"] == [str(x) for x in value]
        assert (located["cell"]["pattern"], located["cell"]["map"]) == (cell["pattern"], cell["map"])
        # no other cell contains the point
        assert sum(all(_value(row, point) > 0 for row in other["rows"]) for other in cells) == 1
        facets = sorted(located["cell"]["rows"])
        if "--all-rows" in options:
            assert [row for row in facets if row not in cell["rows"]] == []
        else:
            assert sorted(cell["rows"]) == facets


def test_rows_of_facets_are_the_default(tmp_path: Path) -> None:
    path = save(tmp_path / "net.json", FOLDS)
    plain, same, whole = (
        run("cells", path, "--out", "-", *more).out for more in ([], ["--irredundant"], ["--all-rows"])
    )
    assert plain == same
    assert len(whole) > len(plain)
    both = refused(run("cells", path, "--out", "-", "--all-rows", "--irredundant"))
    assert "--irredundant: not allowed with argument --all-rows" in both


@pytest.mark.parametrize("name", DOCUMENTS)
def test_regions_are_numbered_by_their_first_cells(name: str, tmp_path: Path) -> None:
    path, out = save(tmp_path / "net.json", DOCUMENTS[name]), tmp_path / "cells.jsonl"
    done = run("cells", path, "--out", out, "--regions", "--json").json
    cells = _listed(out)
    numbers = [cell["region"] for cell in cells]
    assert list(dict.fromkeys(numbers)) == list(range(done["regions"]))
    assert done["regions"] == run("count", path, "--json").json["regions"]
    maps = {json.dumps(cell["map"]): cell["region"] for cell in cells}
    assert len({(json.dumps(cell["map"]), cell["region"]) for cell in cells}) == done["regions"] >= len(maps)
    plain = [{key: value for key, value in cell.items() if key != "region"} for cell in cells]
    run("cells", path, "--out", out)
    assert _listed(out) == plain
    told = run("cells", path, "--out", out, "--regions").out
    noun = "region" if done["regions"] == 1 else "regions"
    assert told.startswith(f"{len(cells):,} cells in {done['regions']:,} {noun} written to ")


def test_one_cell_is_a_cell(tmp_path: Path) -> None:
    linear = {**QUADRANTS, "layers": [{"type": "linear", "weight": [[1, 2]]}]}
    path, out = save(tmp_path / "net.json", linear), tmp_path / "cells.jsonl"
    assert run("cells", path, "--out", out).out.startswith("1 cell written to ")
    assert run("cells", path, "--out", out, "--regions").out.startswith("1 cell in 1 region written to ")


def test_a_name_that_ends_in_gz_is_compressed(tmp_path: Path) -> None:
    path = save(tmp_path / "net.json", FOLDS)
    for name in ("one.jsonl.gz", "two.jsonl.gz", "plain.jsonl"):
        assert run("cells", path, "--out", tmp_path / name, "--json").code == 0
    one, two = ((tmp_path / name).read_bytes() for name in ("one.jsonl.gz", "two.jsonl.gz"))
    assert one == two  # without name and time
    assert gzip.decompress(one) == (tmp_path / "plain.jsonl").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["net.json", "one.jsonl.gz", "plain.jsonl", "two.jsonl.gz"]


# -- standard input ----------------------------------------------------------------------------------------------------


def test_a_network_on_standard_input(tmp_path: Path) -> None:
    path, proof = save(tmp_path / "net.json", TRANSFORMER), tmp_path / "proof"
    data = path.read_bytes()
    given = execute("count", "-", "--json", "--certificate", proof, given=data).json
    read = run("count", path, "--json").json
    assert given["network_sha256"] == read["network_sha256"] == hashlib.sha256(data).hexdigest()
    assert (given["cells"], given["regions"]) == (read["cells"], read["regions"])
    assert check(str(proof), network=str(path)).cells == read["cells"]
    listed = execute("cells", "-", "--out", "-", given=data)
    assert listed.out == run("cells", path, "--out", "-").out
    for spelling in (["-", "--point", "1/3,1/5"], ["--point", "1/3", "1/5", "-"]):
        located = execute("at", *spelling, "--json", given=data)
        assert located.out == run("at", path, "--point", "1/3,1/5", "--json").out


def test_standard_input_that_is_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = json.dumps({**QUADRANTS, "input_dim": 0}).encode()
    for command in (["count", "-"], ["cells", "-", "--out", "-"], ["at", "-", "--point", "1"]):
        told = refused(execute(*command, given=bad))
        assert told.startswith("exactgeo: standard input: input_dim: expected an integer")
        assert "standard input: expected JSON" in refused(execute(*command, given=b""))
    told = refused(execute("count", "-", given=b'\x7b\0\0\0\0\0\0\0{"weight"'))
    assert told.startswith("exactgeo: cannot read standard input: it is a safetensors file, not a network in JSON")
    monkeypatch.setattr("exactgeo.network.network.MAX_FILE_BYTES", 10)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(bad)))
    assert "standard input: it has more than 10 bytes" in refused(run("count", "-"))
    monkeypatch.setattr("sys.stdin", None)
    assert "standard input: expected JSON" in refused(run("count", "-"))


def test_a_file_with_the_name_of_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save(tmp_path / "-", QUADRANTS)
    assert run("count", "./-", "--json").json["cells"] == 4
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(FOLDS).encode())))
    assert run("count", "-", "--json", "--certificate", "./-").json["certificate"] == "-"


def test_a_tie_on_a_whole_cell_is_a_list_of_winners(tmp_path: Path) -> None:
    path = save(tmp_path / "net.json", TRANSFORMER)
    run("cells", path, "--out", tmp_path / "cells.jsonl")
    winners = [cell["pattern"][0][0] for cell in _listed(tmp_path / "cells.jsonl")]
    assert [1, 3] in winners
    assert all(winner == [1, 3] or winner in (0, 2) for winner in winners)


def test_output_is_the_same_to_the_byte(tmp_path: Path) -> None:
    path = save(tmp_path / "net.json", TRANSFORMER)
    for method in ("split", "search"):
        outputs = set()
        for seed in ("0", "1", "4711"):
            out = tmp_path / f"{seed}.jsonl"
            answer = execute("cells", path, "--out", out, "--method", method, environment={"PYTHONHASHSEED": seed})
            assert answer.code == 0
            outputs.add(out.read_bytes())
        assert len(outputs) == 1
        assert run("cells", path, "--out", "-", "--method", method).out.encode() == outputs.pop()


def test_a_budget_leaves_the_old_file_alone(tmp_path: Path) -> None:
    path, out = save(tmp_path / "net.json", QUADRANTS), tmp_path / "cells.jsonl"
    out.write_text("precious")
    stopped = run("cells", path, "--out", out, "--max-cells", 3, "--json")
    assert stopped.code == 2
    assert stopped.json["cells_at_least"] == 4
    assert out.read_text() == "precious"
    assert sorted(os.listdir(tmp_path)) == ["cells.jsonl", "net.json"]
    assert run("cells", path, "--out", out, "--max-cells", 4).code == 0
    assert len(_listed(out)) == 4


# -- at ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spelling",
    [
        ["NET", "--point", "-1/2,-0.2"],
        ["NET", "--point", "-1/2, -0.2"],
        ["NET", "--point", "-1/2 -0.2"],
        ["NET", "--point", "-1/2", "-0.2"],
        ["NET", "--point=-1/2,-0.2"],
        ["NET", "--point=-1/2", "-2e-1"],
        ["--point", "-1/2", "-.2", "NET"],
    ],
    ids=" ".join,
)
def test_spellings_of_a_point(spelling: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save(tmp_path / "NET", FOLDS)
    expected = run("at", "NET", "--point=-1/2,-1/5", "--json")
    assert expected.code == 0
    assert run("at", *spelling, "--json") == expected
    assert run("at", "--json", *spelling) == expected


def test_a_point_on_a_wall(tmp_path: Path) -> None:
    path = save(tmp_path / "net.json", QUADRANTS)
    answer = run("at", path, "--point", "1,0", "--json")
    assert (answer.code, answer.err) == (1, "")
    assert answer.json == {
        "cell": None,
        "wall": {"stage": 0, "selector": "layers[0].units[1]", "tied": [0, 1]},
        "value": None,
    }
    plain = run("at", path, "--point", "1,0")
    assert plain.code == 1
    assert plain.out.startswith("on a wall: at this point candidates 0 and 1 of layers[0].units[1] tie")


def test_a_point_in_a_cell(tmp_path: Path) -> None:
    path = save(tmp_path / "net.json", QUADRANTS)
    assert run("at", path, "--point", "1/2,-3").out.splitlines() == [
        "point    (1/2, -3)",
        "winners  layers[0].units  1 0",
        "map      y1 = x1",
        "         y2 = 0",
        "value    y1 = 1/2",
        "         y2 = 0",
        "facets   x1 > 0",
        "         -x2 > 0",
    ]
    answer = run("at", path, "--point", "1/2,-3", "--json").json
    assert answer["wall"] is None
    assert answer["value"] == ["1/2", "0"]
    assert answer["cell"] == {
        "pattern": [[1, 0]],
        "rows": [["0", "1", "0"], ["0", "0", "-1"]],
        "map": [["0", "1", "0"], ["0", "0", "0"]],
        "point": ["1/2", "-3"],
    }

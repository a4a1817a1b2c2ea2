"""``exactgeo count``: its answers, budgets and files, and networks at the edge of what is meant to be quick."""

import json
import subprocess
import sys
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

import networkx
import pytest

from tests.cli.running import COMMAND, FOLDS, QUADRANTS, SUMMED, TRANSFORMER, execute, run, save, tangents

KEYS = {"cells", "regions", "affine_maps", "dimension", "network_sha256", "seconds"}


def test_json_is_one_object_with_the_keys_of_the_contract(tmp_path: Path) -> None:
    path = save(tmp_path / "net.json", tangents(4))
    answer = run("count", path, "--json")
    assert (answer.code, answer.err) == (0, "")
    counts = answer.json
    assert counts.keys() >= KEYS
    assert (counts["cells"], counts["regions"], counts["affine_maps"], counts["dimension"]) == (11, 11, 11, 2)
    assert (
        counts["network_sha256"]
        == subprocess.run(["sha256sum", path], capture_output=True, text=True, check=True).stdout.split()[0]
    )
    assert counts["seconds"] >= 0


def test_the_table_on_a_terminal(tmp_path: Path) -> None:
    lines = run("count", save(tmp_path / "net.json", tangents(60))).out.splitlines()
    assert lines[:4] == [
        "R^2 -> R^60, 1 stage, 60 selectors, domain all of the space",
        "cells        1,831",
        "regions      1,831",
        "affine maps  1,831",
    ]
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("method", ["split", "search"])
def test_count_only_gives_cells_alone(method: str, tmp_path: Path) -> None:
    counts = run("count", save(tmp_path / "net.json", FOLDS), "--count-only", "--json", "--method", method).json
    assert (counts["regions"], counts["affine_maps"]) == (None, None)
    assert counts.keys() >= KEYS
    assert counts["cells"] == run("count", tmp_path / "net.json", "--json").json["cells"]


@pytest.mark.parametrize("document", [QUADRANTS, FOLDS, TRANSFORMER], ids=["quadrants", "folds", "transformer"])
def test_methods_agree_and_cross_check_says_so(document: Any, tmp_path: Path) -> None:
    path = save(tmp_path / "net.json", document)
    wanted = ("cells", "regions", "affine_maps")
    answers = [run("count", path, "--json", "--cross-check", "--method", method).json for method in ("split", "search")]
    assert [answers[0][key] for key in wanted] == [answers[1][key] for key in wanted]
    assert [answer["cross_check"] for answer in answers] == ["agreed", "agreed"]
    assert run("count", path, "--json", "--cross-check", "--count-only").json["cells"] == answers[0]["cells"]
    assert "cross-check: split and search list the same" in run("count", path, "--cross-check").out


@pytest.mark.parametrize(
    "options", [[], ["--count-only"], ["--method", "search"], ["--method", "search", "--count-only"]]
)
def test_max_cells_stops_only_beyond(options: list[str], tmp_path: Path) -> None:
    path = save(tmp_path / "net.json", tangents(5))  # 16 cells
    assert run("count", path, "--json", "--max-cells", 16, *options).json["cells"] == 16
    stopped = run("count", path, "--json", "--max-cells", 15, *options)
    assert stopped.code == 2
    assert stopped.json.keys() >= KEYS
    assert (stopped.json["cells"], stopped.json["regions"], stopped.json["affine_maps"]) == (None, None, None)
    assert stopped.json["cells_at_least"] == 16
    assert stopped.json["stopped"] == "stopped by --max-cells 15"
    assert stopped.err.count("\n") == 1
    assert "not the full count" in stopped.err
    assert "at least 16 cells" in stopped.err
    plain = run("count", path, "--max-cells", 3, *options)
    assert (plain.code, plain.out) == (2, "")
    assert "stopped by --max-cells 3 while listing cells" in plain.err


@pytest.mark.parametrize("options", [[], ["--count-only"], ["--method", "search"]])
def test_timeout_gives_a_labelled_lower_bound(options: list[str], tmp_path: Path) -> None:
    path = save(tmp_path / "net.json", tangents(120, 5))
    stopped = execute("count", path, "--json", "--timeout", "1", *options)
    assert stopped.code == 2
    assert stopped.json["cells"] is None
    assert 0 <= stopped.json["cells_at_least"] <= sum(comb(120, k) for k in range(6))
    assert stopped.err.count("\n") == 1
    assert f"at least {stopped.json['cells_at_least']:,} cell" in stopped.err


def test_a_timeout_shorter_than_the_clock_can_tell_is_no_licence(tmp_path: Path) -> None:
    stopped = execute("count", save(tmp_path / "net.json", tangents(400)), "--timeout", "1e-9")
    assert (stopped.code, stopped.out) == (2, "")
    assert "stopped by --timeout" in stopped.err
    assert "at least" in stopped.err


def test_timeout_after_all_cells_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound is then the exact number, and still only called a bound."""

    def endless(_: object) -> None:
        while True:
            pass

    monkeypatch.setattr("exactgeo.counting.linear_regions", endless)
    stopped = run("count", save(tmp_path / "net.json", SUMMED), "--json", "--cross-check", "--timeout", "0.5")
    assert stopped.code == 2
    assert (stopped.json["cells"], stopped.json["cells_at_least"]) == (None, 4)
    assert "while joining regions" in stopped.err


def test_a_defect_is_one_line_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise ZeroDivisionError("one\ntwo")

    path = save(tmp_path / "net.json", SUMMED)
    monkeypatch.setattr("exactgeo.counting.linear_regions", broken)
    answer = run("count", path, "--json", "--cross-check")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("exactgeo: defect in exactgeo, please report it: test_cli_count.py:")
    assert answer.err.endswith("ZeroDivisionError: one two\n")


def test_methods_that_disagree_are_a_defect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from exactgeo.cells import enumerate_cells

    def lossy(network: Any, method: Any, **options: Any) -> Any:
        return list(enumerate_cells(network, method, **options))[int(method == "search") :]

    path = save(tmp_path / "net.json", QUADRANTS)
    monkeypatch.setattr("exactgeo.counting.enumerate_cells", lossy)
    answer = run("count", path, "--cross-check", "--json")
    assert (answer.code, answer.out) == (1, "")
    assert "split and search disagree on 1 cells" in answer.err


def test_graph_as_json(tmp_path: Path) -> None:
    path = save(tmp_path / "net.json", QUADRANTS)
    answer = run("count", path, "--json", "--graph", tmp_path / "dual.json")
    assert answer.json["walls"] == 4
    graph = json.loads((tmp_path / "dual.json").read_text())
    made = networkx.node_link_graph(graph, edges="links")
    assert (made.number_of_nodes(), made.number_of_edges()) == (4, 4)
    assert {tuple(link["row"]) for link in graph["links"]} == {("0", "1", "0"), ("0", "0", "1")}
    assert all(link["continuous"] and not link["same_map"] for link in graph["links"])
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["dual.json", "net.json"]


def test_graph_as_graphml(tmp_path: Path) -> None:
    path = save(tmp_path / "net.json", TRANSFORMER)
    answer = run("count", path, "--graph", tmp_path / "dual.graphml")
    assert "dual graph written to" in answer.out
    made = networkx.read_graphml(tmp_path / "dual.graphml")
    counts = run("count", path, "--json", "--graph", tmp_path / "dual.json").json
    assert (made.number_of_nodes(), made.number_of_edges()) == (counts["cells"], counts["walls"])
    same = made.edge_subgraph([edge for edge in made.edges if made.edges[edge]["same_map"]])
    joined: networkx.Graph[str] = networkx.Graph()
    joined.add_nodes_from(made.nodes)
    joined.add_edges_from(same.edges)
    assert networkx.number_connected_components(joined) == counts["regions"]


def test_counts_of_any_size_are_json_integers(tmp_path: Path) -> None:
    """Not rounded, and no float on the way: a count beyond 2^53 from the closed form of a theorem."""
    answer = run("theorem", "V.7", "--d", 1, "--N", 1, "--L", 1, "--d-ff", 3, "--json")
    assert all(isinstance(answer.json[key], int) for key in ("cells", "paper_bound", "construction_count"))
    document = {**QUADRANTS, "layers": [{"type": "linear", "weight": [["1/3", 10**4300 // 7**5000]]}]}
    path = save(tmp_path / "net.json", document)
    assert run("at", path, "--point", "1e-3000", "1e3000", "--json").code == 0


# -- sizes -------------------------------------------------------------------------------------------------------------


def _linear(outputs: int, inputs: int, seed: int = 7) -> dict[str, Any]:
    """A dense layer with small coefficients, scattered by a congruence; the hyperplanes are in general position."""
    entries = [(seed * (k + 1) ** 2 + 13 * (k + 1)) % 101 - 50 or 1 for k in range(outputs * inputs)]
    weight = [entries[i * inputs : (i + 1) * inputs] for i in range(outputs)]
    return {"type": "linear", "weight": weight, "bias": [i + 1 for i in range(outputs)]}


def _net(inputs: int, layers: list[dict[str, Any]], domain: object = None) -> dict[str, Any]:
    return {"format": "exactgeo-network/1", "input_dim": inputs, "domain": domain, "layers": layers}


def _box(dimension: int) -> dict[str, Any]:
    return {"box": [[-1, 1]] * dimension}


RELU: dict[str, Any] = {"type": "relu"}
ONE_KEY = {"query": {"weight": [[1, 2]]}, "keys": [[3]], "values": [[1, 2]]}

LARGE = {
    "a cube of dimension 30": (_net(30, [_linear(3, 30), RELU], _box(30)), 8),
    "R^50": (_net(50, [_linear(5, 50), RELU]), 32),
    "a cube of dimension 12": (_net(12, [_linear(4, 12), RELU], _box(12)), 16),
    "300 units on a line": (
        _net(1, [{"type": "linear", "weight": [[1]] * 300, "bias": list(range(300))}, RELU]),
        301,
    ),
    "affine": (_net(3, [_linear(4, 3), _linear(2, 4)]), 1),
    "one key": (_net(2, [{"type": "attention", "heads": [ONE_KEY]}], _box(2)), 1),
    "100 layers": (
        # abs makes four quadrants of the plane; after that every unit is on
        _net(2, [{"type": "abs"}, *[{"type": "linear", "weight": [[1, 1], [0, 1]]}, RELU] * 100]),
        4,
    ),
}


@pytest.mark.parametrize("name", LARGE)
def test_sizes_that_must_not_hurt(name: str, tmp_path: Path) -> None:
    document, cells = LARGE[name]
    counts = run("count", save(tmp_path / "net.json", document), "--json").json
    assert (counts["cells"], counts["dimension"]) == (cells, document["input_dim"])


def test_a_plain_count_loads_nothing_heavy(tmp_path: Path) -> None:
    """A tiny network is answered in a fraction of a second, so the big libraries must stay out."""
    path = save(tmp_path / "net.json", FOLDS)
    heavy = ("networkx", "numpy", "sympy", "numba", "scipy", "matplotlib", "hypothesis")
    program = f"import sys, exactgeo.cli; exactgeo.cli.main(['count', {str(path)!r}]); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not set(heavy) & set(done.stdout.split())


def test_script_module_and_help() -> None:
    script = Path(sys.executable).with_name("exactgeo")
    versions = [
        subprocess.run([*command, "--version"], capture_output=True, text=True, check=True).stdout
        for command in ([str(script)], COMMAND)
    ]
    assert versions[0] == versions[1] != ""
    for command, option in product(["count", "cells", "at", "theorem"], ["--help", "-h"]):
        answer = run(command, option)
        assert answer.code == 0
        assert "examples:" in answer.out
        assert "--json" in answer.out
        assert max(map(len, answer.out.splitlines())) <= 80
    assert all(command in run("--help").out for command in ("count", "cells", "at", "theorem", "exit codes"))

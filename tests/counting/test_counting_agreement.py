"""``exactgeo.count`` says what the command line says: from a path, a network, a thread, with and without files."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest

import exactgeo
from exactgeo import Answer, Network, load_network
from exactgeo.theory.constructions import folding
from exactgeo.theory.lower_bound import construction, lower_bound
from proofs_check import check
from tests.cli.running import FOLDS, QUADRANTS, SUMMED, TRANSFORMER, run, save, tangents
from tests.known.manifest import WORKLOADS
from tests.known.published import KNOWN

DOCUMENTS = {
    "quadrants": QUADRANTS,
    "summed": SUMMED,
    "folds": FOLDS,
    "transformer": TRANSFORMER,
    "nine dimensions": tangents(4, 9),
    "by the kernel": tangents(46),
    "listed by the kernel": {
        **tangents(46),
        "layers": [*tangents(46)["layers"], {"type": "linear", "weight": [[1] * 46]}],
    },
}
SEARCHED = list(DOCUMENTS)[:5]
"""Those with few cells, which search lists in no time."""

TIMES = ("seconds", "certificate_seconds")

OPTIONS: list[dict[str, Any]] = [
    {},
    {"count_only": True},
    {"method": "split"},
    {"method": "search"},
    {"method": "states"},
    {"method": "states", "count_only": True},
    {"cross_check": True},
    {"cross_check": True, "count_only": True},
    {"max_cells": 10**6, "max_states": 10**6, "timeout": 1000},
]


def timeless(counts: dict[str, Any]) -> dict[str, Any]:
    """What does not change from run to run, in its order; how the kernel decided signs depends on what came before."""
    return {key: 0 if key in TIMES else value for key, value in counts.items()}


def flags(options: dict[str, Any]) -> list[object]:
    """The options as the command line has them."""
    words: list[object] = []
    for name, value in options.items():
        words += [f"--{name.replace('_', '-')}"] if value is True else [f"--{name.replace('_', '-')}", value]
    return words


def agreed(path: Path, **options: Any) -> Answer:
    """The answer, which is that of the command line to the order of its keys."""
    answer = exactgeo.count(path, **options)
    printed = run("count", path, "--json", *flags(options))
    assert (printed.code, printed.err) == (0, "")
    assert list(timeless(printed.json).items()) == list(timeless(answer.as_dict()).items())
    return answer


@pytest.mark.parametrize(
    ("name", "options"),
    [
        (name, options)
        for name in DOCUMENTS
        for options in OPTIONS
        if name in SEARCHED or not ("cross_check" in options or options.get("method") == "search")
    ],
    ids=str,
)
def test_every_option(name: str, options: dict[str, Any], tmp_path: Path) -> None:
    agreed(save(tmp_path / "net.json", DOCUMENTS[name]), **options)


@pytest.mark.parametrize("name", KNOWN)
def test_known_networks(name: str, tmp_path: Path) -> None:
    document, expected = KNOWN[name]()
    network = Network.from_arrays(document)
    answer = exactgeo.count(network)
    assert {key: getattr(answer, key) for key in expected} == expected
    path = tmp_path / "net.json"
    exactgeo.write_network(network, path)
    assert timeless(run("count", path, "--json").json) == timeless(answer.as_dict())


@pytest.mark.parametrize("name", ["t_d2_H2_N6_ff8_L2", "w1_d3_n15", "w3_2-16-16-1_all", "m_2-64-64_box"])
def test_workloads(name: str, tmp_path: Path) -> None:
    path, proof = WORKLOADS / f"{name}.json", tmp_path / "net.proof.gz"
    answer = exactgeo.count(path, certificate=proof)
    printed = run("count", path, "--json").json
    assert [printed[key] for key in ("cells", "regions")] == [answer.cells, answer.regions]
    verdict = check(str(proof), network=str(path))
    assert (verdict.cells, verdict.regions) == (answer.cells, (answer.regions, answer.regions))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_path_a_text_and_a_network_are_the_same(name: str, tmp_path: Path) -> None:
    path = save(tmp_path / "net.json", DOCUMENTS[name])
    expected = timeless(run("count", path, "--json").json)
    for network in (path, str(path), load_network(path), load_network(str(path))):
        assert timeless(exactgeo.count(network).as_dict()) == expected


@pytest.mark.parametrize(
    "options", [{}, {"multipliers": True}, {"count_only": True}, {"method": "states"}, {"cross_check": True}], ids=str
)
@pytest.mark.parametrize("name", ["summed", "folds", "transformer"])
def test_certificates(name: str, options: dict[str, Any], tmp_path: Path) -> None:
    path = save(tmp_path / "net.json", DOCUMENTS[name])
    proof, other = tmp_path / "net.proof", tmp_path / "other.proof"
    answer = exactgeo.count(str(path), certificate=str(proof), **options)
    printed = run("count", path, "--json", "--certificate", other, *flags(options)).json
    assert proof.read_bytes() == other.read_bytes()
    assert {**timeless(printed), "certificate": str(proof)} == timeless(answer.as_dict())
    assert answer.claim is not None
    assert answer.certificate == str(proof)
    assert answer.certificate_seconds is not None
    assert answer.certificate_seconds > 0
    verdict = check(str(proof), network=str(path))
    assert verdict.cells == answer.cells == answer.claim.cells
    if answer.claim.regions is not None:
        assert verdict.regions == (answer.regions, answer.regions)
    assert list(answer.as_dict())[-2:] == ["seconds", "certificate_seconds"]


@pytest.mark.parametrize("suffix", [".json", ".graphml"])
@pytest.mark.parametrize("name", ["quadrants", "transformer", "listed by the kernel"])
def test_graphs(name: str, suffix: str, tmp_path: Path) -> None:
    path = save(tmp_path / "net.json", DOCUMENTS[name])
    one, two = tmp_path / f"one{suffix}", tmp_path / f"two{suffix}"
    answer = exactgeo.count(path, graph=one)
    printed = run("count", path, "--json", "--graph", two).json
    assert one.read_bytes() == two.read_bytes()
    assert timeless(answer.as_dict()) == timeless(printed)
    assert answer.walls == printed["walls"] > 0
    assert exactgeo.count(path, graph=one, certificate=tmp_path / "proof", cross_check=True).cross_check == "agreed"


def test_beyond_listing(tmp_path: Path) -> None:
    path = tmp_path / "v7.json"
    path.write_bytes(construction(lower_bound(2, 3, 12)).document)
    answer = agreed(path)
    assert answer.cells == answer.regions == answer.affine_maps == 6**24
    assert (answer.method, answer.states, answer.signs) == ("states", 24, None)
    proved = exactgeo.count(path, certificate=tmp_path / "proof.gz")
    assert check(str(tmp_path / "proof.gz")).cells == proved.cells == 6**24


def test_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactgeo.regions.states.LISTED", 1_000)
    path = tmp_path / "folding.json"
    path.write_bytes(folding(2, [4, 4, 4, 4, 3]).network.document)
    answer = agreed(path, method="states")
    assert (answer.regions, answer.affine_maps) == (None, None)
    for bounds in (answer.regions_bounds, answer.affine_maps_bounds):
        assert bounds is not None
        assert 1 <= bounds[0] < bounds[1] <= answer.cells
    assert json.loads(json.dumps(answer.as_dict())) == answer.as_dict()
    assert " regions " in repr(answer)
    exact = exactgeo.count(path, method="split")
    assert exact.regions_bounds is exact.affine_maps_bounds is None


def test_several_threads_at_once(tmp_path: Path) -> None:
    paths = [save(tmp_path / f"{k}.json", document) for k, document in enumerate(DOCUMENTS.values())]
    expected = [timeless(exactgeo.count(path).as_dict()) for path in paths]
    found: dict[int, dict[str, Any]] = {}

    def work(number: int) -> None:
        path = paths[number % len(paths)]
        answer = exactgeo.count(path, certificate=tmp_path / f"{number}.proof", timeout=1000, max_cells=10**6)
        found[number] = answer.as_dict()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(2 * len(paths))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, counts in sorted(found.items()):
        assert check(str(tmp_path / f"{number}.proof")).cells == counts["cells"]
        without = {key: value for key, value in counts.items() if key not in ("certificate", "claim", *TIMES[1:])}
        assert timeless(without) == expected[number % len(paths)]
    assert len(found) == len(threads)

"""The yardstick is right: the textbook search lists the patterns that exactgeo lists, degenerate networks included."""

import doctest
from pathlib import Path
from typing import Any

import pytest

from benchmarks import textbook
from exactgeo import Network, enumerate_cells, load_network

WORKLOADS = Path(__file__).parents[1] / "known" / "workloads"

TIED_HEAD = {"query": {"weight": [[1, 0], [0, 1]]}, "keys": [[1, 0], [1, 0], [-1, 1]], "values": [[0], [4], [1]]}
PARALLEL = {"weight": [[1, 0], [2, 0], [1, 0], [0, 0], [-1, 0]], "bias": [0, 0, -1, 1, 0]}

DEGENERATE: dict[str, list[dict[str, Any]]] = {
    "no selector": [{"type": "linear", "weight": [[1, 1]]}],
    "concurrent lines": [{"type": "linear", "weight": [[1, 0], [0, 1], [1, 1], [1, -1]]}, {"type": "relu"}],
    "parallel, repeated, opposite and dead units": [{"type": "linear", **PARALLEL}, {"type": "relu"}],
    "tied keys, then a collapsed image": [
        {"type": "attention", "heads": [TIED_HEAD]},
        {"type": "linear", "weight": [[1], [1]], "bias": [-2, -1]},
        {"type": "abs"},
    ],
}


@pytest.mark.parametrize("name", DEGENERATE)
@pytest.mark.parametrize("domain", [None, {"box": [[-2, 2], [-2, 3]]}, {"inequalities": [[0, 1, 0], [0, 2, 0]]}])
def test_textbook_on_degenerate_networks(name: str, domain: object) -> None:
    _compare(Network.from_arrays({"input_dim": 2, "domain": domain, "layers": DEGENERATE[name]}))


@pytest.mark.parametrize("name", ["w1_d2_n20", "w2_d3_H2_N8", "t_d2_H2_N6_ff8_L2"])
def test_textbook_on_workloads(name: str) -> None:
    _compare(load_network(WORKLOADS / f"{name}.json"))


def _compare(network: Network) -> None:
    patterns = list(textbook.textbook_cells(network))
    assert len(set(patterns)) == len(patterns)
    assert set(patterns) == {cell.pattern for cell in enumerate_cells(network)}


def test_doctest() -> None:
    assert doctest.testmod(textbook) == (0, 3)

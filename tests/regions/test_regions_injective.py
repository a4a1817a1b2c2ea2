"""Where a map determines its cell: against listing and brute force, and networks that only just fail."""

from typing import Any

import pytest
from hypothesis import given, settings

from exactgeo.cells import enumerate_cells
from exactgeo.network import Network
from exactgeo.regions import linear_regions
from exactgeo.regions.injective import map_determines_cell
from tests.known.degenerate import DEGENERATE
from tests.oracles import strategies
from tests.oracles.brute import brute_cells, brute_regions

Document = dict[str, Any]

RELU: Document = {"input_dim": 2, "layers": [{"type": "linear", "weight": [[1, 0], [1, 1], [2, 2]]}, {"type": "relu"}]}
HEAD: Document = {"query": {"weight": [[1]]}, "keys": [[0], [1], [2]], "score_bias": [0, 0, -1]}


def counts(network: Network) -> tuple[int, int, int]:
    found = linear_regions(enumerate_cells(network))
    return len(found.cells), len(found), found.affine_maps


@settings(max_examples=300)
@given(strategies.documents(max_layers=1))
def test_where_it_is_said_maps_differ(document: Document) -> None:
    if map_determines_cell(Network.from_arrays(document)):
        cells = brute_cells(document)
        assert (
            len(brute_regions(document["input_dim"], cells)) == len({cell.affine_map for cell in cells}) == len(cells)
        )


@pytest.mark.parametrize("name", sorted(DEGENERATE))
def test_degenerate(name: str) -> None:
    network = Network.from_arrays(DEGENERATE[name]()[0])
    if map_determines_cell(network):
        cells, regions, maps = counts(network)
        assert cells == regions == maps


def linear(*weight: list[int]) -> Document:
    return {"type": "linear", "weight": list(weight)}


INJECTIVE = {
    "no selector": {"input_dim": 1, "layers": [linear([1])]},
    "units that are parallel": RELU,
    "a linear layer that keeps all units": {
        **RELU,
        "layers": [*RELU["layers"], linear([1, 1, 0], [0, 1, 1], [1, 0, 1])],
    },
    "a dead unit": {"input_dim": 1, "layers": [linear([1], [0]), {"type": "relu"}]},
    "a residual": {
        "input_dim": 1,
        "layers": [{"type": "ffn", "residual": True, "hidden": {"weight": [[1]]}, "output": {"weight": [[1]]}}],
    },
    "a head with different values": {
        "input_dim": 1,
        "layers": [{"type": "attention", "heads": [{**HEAD, "values": [[1], [2], [3]]}]}],
    },
    "a repeated key, whose mean is another value": {
        "input_dim": 1,
        "layers": [
            {
                "type": "attention",
                "heads": [{"query": {"weight": [[1]]}, "keys": [[0], [1], [1]], "values": [[1], [0], [1]]}],
            }
        ],
    },
}

NOT_INJECTIVE = {
    "a unit of weight zero": {**RELU, "layers": [*RELU["layers"], linear([1, 0, 0], [0, 1, 0])]},
    "units that cancel": {"input_dim": 1, "layers": [linear([1], [-1]), {"type": "relu"}, linear([1, 1], [2, 2])]},
    "a head with a repeated value": {
        "input_dim": 1,
        "layers": [{"type": "attention", "heads": [{**HEAD, "values": [[1], [2], [1]]}]}],
    },
    "a repeated key, whose mean is the same value": {
        "input_dim": 1,
        "layers": [
            {
                "type": "attention",
                "heads": [{"query": {"weight": [[1]]}, "keys": [[0], [1], [1]], "values": [[1], [0], [2]]}],
            }
        ],
    },
    "two stages": {"input_dim": 1, "layers": [{"type": "relu"}, linear([1]), {"type": "relu"}]},
}


@pytest.mark.parametrize("name", INJECTIVE)
def test_injective(name: str) -> None:
    network = Network.from_arrays(INJECTIVE[name])
    assert map_determines_cell(network)
    cells, regions, maps = counts(network)
    assert cells == regions == maps


@pytest.mark.parametrize("name", NOT_INJECTIVE)
def test_not_injective(name: str) -> None:
    assert not map_determines_cell(Network.from_arrays(NOT_INJECTIVE[name]))

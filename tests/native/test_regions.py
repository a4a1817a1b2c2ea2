"""Regions and maps of the core are those of Python: where maps merge, are exact, or differ below rounding errors."""

from itertools import pairwise
from random import Random

import pytest

from exactgeo import Network
from exactgeo.cells.native_walls import all_walls, region_numbers
from tests.native.wall_networks import MODES, TASTES, known, known_of, networks


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("taste", TASTES)
def test_regions(taste: str, mode: str) -> None:
    merged = 0
    for seed, network in networks(taste, range(100, 160)):
        expected = known(taste, seed)
        found = region_numbers(network, **MODES[mode])
        assert found.cells == len(expected.cells), seed
        assert (found.map.tolist(), found.region.tolist()) == (expected.maps, expected.regions), seed
        assert (found.affine_maps, found.regions) == (len({*expected.maps}), len({*expected.regions})), seed
        merged += found.cells - found.regions
    assert merged > 20


def test_maps_that_differ_below_rounding_errors() -> None:
    """A unit whose weight is 2^-200, and one whose weight is zero: the first tells cells apart, the second does not."""
    tiny = 2.0**-200
    for weights, regions in (([1.0, tiny], 3), ([1.0, 0.0], 2)):
        network = Network.mlp([[[0.3], [0.7]], [weights]], [[0.1, -0.2], [0]])
        for faults in MODES.values():
            found = region_numbers(network, **faults)
            assert (found.cells, found.regions, found.affine_maps) == (3, regions, regions)


def test_equal_maps_apart() -> None:
    """The two outer cells of a hat have the same map, and no wall."""
    hat = Network.mlp([[[1], [1], [1]], [[1, -2, 1]]], [[1, 0, -1], [0]])
    found = region_numbers(hat)
    assert (found.cells, found.regions, found.affine_maps) == (4, 4, 3)
    assert found.map.tolist().count(0) == 2


def test_dead_halves_of_wide_floats() -> None:
    """A clipped output merges cells across walls of all stages; regions alone and among all walls are the same."""
    rng, merged = Random(7), 0
    for widths in ([2, 8, 6, 1], [3, 5, 4, 1], [1, 9, 7, 1], [2, 7, 7, 2]):
        layers: list[object] = []
        for inputs, outputs in pairwise(widths):
            weight = [[rng.gauss(0, 1) for _ in range(inputs)] for _ in range(outputs)]
            bias = [rng.gauss(0, 1) - (outputs == widths[-1]) for _ in range(outputs)]
            layers += [{"type": "linear", "weight": weight, "bias": bias}, {"type": "relu"}]
        domain = {"box": [[-2, 2]] * widths[0]}
        document = {"format": "exactgeo-network/1", "input_dim": widths[0], "domain": domain, "layers": layers}
        network = Network.from_arrays(document)
        expected = known_of(network)
        for faults in MODES.values():
            found, walls = region_numbers(network, **faults), all_walls(network, **faults)
            assert found.region.tolist() == walls.region.tolist() == expected.regions
            assert found.map.tolist() == expected.maps
        merged += found.cells - found.regions
    assert merged > 20

"""Regions and affine maps by states: within the bounds, and equal where the bounds meet."""

import pytest
from hypothesis import given, settings

from exactgeo import Network, enumerate_cells, linear_regions
from exactgeo.cells.states import Counting
from exactgeo.regions.states import Bounds, region_bounds
from exactgeo.theory.lower_bound import construction, lower_bound
from tests.known.arrangements import ARRANGEMENTS
from tests.known.degenerate import DEGENERATE
from tests.known.networks import NETWORKS
from tests.oracles.strategies import documents

KNOWN = {**ARRANGEMENTS, **NETWORKS, **DEGENERATE}


def bounds_agree(network: Network) -> tuple[Bounds, Bounds]:
    """The bounds by states, which hold what listing finds."""
    counting = Counting(network, keep=True).run()
    regions, maps = region_bounds(counting)
    listed = linear_regions(enumerate_cells(network))
    assert counting.cells == len(listed.cells)
    assert regions[0] <= len(listed) <= regions[1]
    assert maps[0] <= listed.affine_maps <= maps[1]
    return regions, maps


@given(documents())
@settings(max_examples=200)
def test_small_networks(document: dict[str, object]) -> None:
    bounds_agree(Network.from_arrays(document))


@given(documents(max_dim=3, max_layers=5, max_units=3))
@settings(max_examples=60)
def test_deeper_and_wider(document: dict[str, object]) -> None:
    bounds_agree(Network.from_arrays(document))


@pytest.mark.parametrize("name", KNOWN)
def test_known_networks(name: str) -> None:
    bounds_agree(Network.from_arrays(KNOWN[name]()[0]))


@pytest.mark.parametrize(("d", "N", "L", "d_ff"), [(1, 3, 100, 4), (2, 4, 40, 4), (3, 8, 20, 6), (2, 10, 50, 8)])
def test_theorem_v7_has_as_many_regions_as_cells(d: int, N: int, L: int, d_ff: int) -> None:
    bound = lower_bound(d, N, L, d_ff)
    found = bound.construction_count
    assert region_bounds(Counting(construction(bound), keep=True).run()) == ((found, found), (found, found))

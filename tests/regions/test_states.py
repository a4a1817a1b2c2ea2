"""Regions and affine maps by states: within the bounds, and equal where the bounds meet."""

import pytest
from hypothesis import given, settings

from exactgeo import Network, enumerate_cells, linear_regions
from exactgeo.cells.states import Counting
from exactgeo.regions.states import Bounds, region_bounds
from exactgeo.theory.lower_bound import construction, lower_bound
from tests.known.published import KNOWN
from tests.oracles.strategies import documents


def bounds_agree(network: Network, listed: int = 0) -> tuple[Bounds, Bounds]:
    """The bounds by states, which hold what listing finds."""
    counting = Counting(network, keep=True).run()
    regions, maps = region_bounds(counting, listed)
    found = linear_regions(enumerate_cells(network))
    assert counting.cells == len(found.cells)
    assert regions[0] <= len(found) <= regions[1]
    assert maps[0] <= found.affine_maps <= maps[1]
    return regions, maps


@given(documents())
@settings(max_examples=200)
def test_small_networks(document: dict[str, object]) -> None:
    """By walls alone there are bounds; where the cells are few enough to be listed, numbers."""
    network = Network.from_arrays(document)
    bounds_agree(network)
    regions, maps = bounds_agree(network, 10_000)
    assert regions[0] == regions[1]
    assert maps[0] == maps[1]


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


Layer = dict[str, object]


def folds(layers: list[Layer], depth: int) -> Network:
    """Both coordinates of the square folded ``depth`` times, then some other layers."""
    hidden = {"weight": [[1, 0], [1, 0], [0, 1], [0, 1]], "bias": [0, "-1/2", 0, "-1/2"]}
    fold = {"type": "ffn", "hidden": hidden, "output": {"weight": [[2, -4, 0, 0], [0, 0, 2, -4]]}}
    square = {"box": [[0, 1], [0, 1]]}
    return Network.from_arrays({"input_dim": 2, "domain": square, "layers": [*[fold] * depth, *layers]})


@pytest.mark.parametrize("depth", [1, 2, 3, 60])
def test_a_readout_that_kills_no_fold(depth: int) -> None:
    """x_1 + 2 x_2 after the folds has maps of rank one, but across every wall one of the two terms changes."""
    network = folds([{"type": "linear", "weight": [[1, 2]]}], depth)
    counting = Counting(network, keep=True).run()
    assert region_bounds(counting, 0)[0] == (4**depth, 4**depth)
    if depth < 4:
        assert bounds_agree(network)[0] == (4**depth, 4**depth)


def test_a_readout_that_kills_half_the_folds() -> None:
    """x_1 after the folds: the regions are stripes, which the pairs that are joined tell from below."""
    network = folds([{"type": "linear", "weight": [[1, 0]]}], 2)
    assert len(linear_regions(enumerate_cells(network))) == 4
    # The last stage has two stripes. Four of them make eight regions, and across two walls two pairs each are joined.
    assert bounds_agree(network)[0] == (4, 8)


def test_a_unit_that_is_seldom_off() -> None:
    """A last unit that is off in one corner: both directions are killed there."""
    unit: Layer = {"type": "ffn", "hidden": {"weight": [[4, 4]], "bias": [-1]}, "output": {"weight": [[1], [2]]}}
    regions, maps = bounds_agree(folds([unit], 2))
    # The walls of the second fold come to lie at the far sides, but those of the first at the near ones, where the
    # corner is: across each of the four, two pairs are joined. Four of these pairs are a circle, so one region is left.
    assert len(linear_regions(enumerate_cells(folds([unit], 2)))) == 32 - 8 + 1
    assert regions == (32 - 8, 32)
    assert maps == (1, 32)


def test_too_many_directions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactgeo.regions.states.MOST_AIMS", 0)
    network = folds([{"type": "linear", "weight": [[1, 2]]}], 2)
    assert bounds_agree(network)[0] == (1, 16)


def test_ends_that_meet_two_by_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three intervals of which two always overlap also have a point in common; of triangles that is not so."""
    # Three keys send thirds of the line onto sets that overlap two by two, without a point in all three.
    values = [["0", "0"], ["-3", "0"], ["-6", "1"]]
    head = {"query": {"weight": [[1, 0]]}, "keys": [[0], [1], [2]], "score_bias": [0, -2, -6], "values": values}
    network = Network.from_arrays(
        {
            "input_dim": 2,
            "domain": {"box": [[0, 6], [0, 1]]},
            "layers": [{"type": "attention", "residual": True, "heads": [head]}],
        }
    )
    assert bounds_agree(network)[0] == (3, 3)
    monkeypatch.setattr("exactgeo.regions.states.MOST_PAIRS", 0)
    assert bounds_agree(network)[0] == (3, 3)

"""Maximal linear regions: against brute force, and by their definition."""

from typing import Any

import networkx
import pytest
from hypothesis import given, settings

from exactgeo.cells import METHODS, dual_graph, enumerate_cells, to_networkx
from exactgeo.network import Network
from exactgeo.rational.affine import AffineMap
from exactgeo.regions import Region, linear_regions
from tests.known.degenerate import DEGENERATE
from tests.oracles import strategies
from tests.oracles.brute import brute_cells, brute_regions

Document = dict[str, Any]


@settings(max_examples=60)
@given(strategies.documents())
def test_regions_are_those_of_brute_force(document: Document) -> None:
    """As families of cells, each known by its map; not only as many."""
    cells = brute_cells(document)
    families = brute_regions(document["input_dim"], cells)
    expected = sorted(sorted(cells[k].affine_map for k in members) for members in families)
    for method in METHODS:
        found = linear_regions(enumerate_cells(Network.from_arrays(document), method))
        assert sorted(sorted(cell.map.fractions() for cell in region.cells) for region in found) == expected


@settings(max_examples=60)
@given(strategies.documents())
def test_regions_by_definition(document: Document) -> None:
    """A partition of the cells; each region connected, with one map; no wall between two regions with the same map."""
    graph = dual_graph(enumerate_cells(Network.from_arrays(document)))
    found = linear_regions(graph.cells)
    assert sorted(k for members in found.members for k in members) == list(range(len(graph.cells)))
    assert list(found.members) == sorted(found.members)
    assert found.affine_maps == len(set(graph.maps)) <= len(found) <= len(found.cells)
    made = to_networkx(graph)
    home = {k: number for number, members in enumerate(found.members) for k in members}
    for number, members in enumerate(found.members):
        assert list(members) == sorted(members)
        assert {graph.maps[k] for k in members} == {found[number].map}
        assert networkx.is_connected(made.subgraph(members))
    for wall in graph.walls:
        assert graph.same_map(wall) == (home[wall.first] == home[wall.second])


def test_regions_are_a_sequence() -> None:
    document, expected = DEGENERATE["region-with-a-hole"]()
    found = linear_regions(enumerate_cells(Network.from_arrays(document)))
    assert len(found) == expected["regions"] == 5
    assert sorted(len(region.cells) for region in found) == [2, 2, 2, 2, 8]
    assert found[-1] == found[4]
    assert found[1:3] == (found[1], found[2])
    assert isinstance(found[0], Region)
    with pytest.raises(IndexError):
        found[5]


def test_the_outside_of_the_square_is_one_region() -> None:
    """Eight cells around a hole, joined by walls: the interior of their union is connected, not simply."""
    document, _ = DEGENERATE["region-with-a-hole"]()
    found = linear_regions(enumerate_cells(Network.from_arrays(document)))
    outside = max(found, key=lambda region: len(region.cells))
    assert outside.map == AffineMap.of([[0, 0, 0]])


@pytest.mark.parametrize("name", ["checkerboard", "checkerboard-in-space"])
def test_a_vertex_or_an_edge_joins_nothing(name: str) -> None:
    document, _ = DEGENERATE[name]()
    for method in METHODS:
        found = linear_regions(enumerate_cells(Network.from_arrays(document), method))
        assert (len(found.cells), len(found), found.affine_maps) == (4, 4, 2)


def test_no_cells_no_regions() -> None:
    found = linear_regions([])
    assert (len(found), found.affine_maps, found.cells) == (0, 0, ())

"""The shared workloads: every count of the manifest, and for networks without one, one method against another."""

import pytest

from exactgeo.cells import Cell, count_cells, dual_graph, enumerate_cells
from exactgeo.polyhedron.generators import generators
from exactgeo.rational.rows import dot, homogeneous
from exactgeo.regions import linear_regions
from tests.known.manifest import BY_SEARCH, LISTED, MANIFEST, WORKLOADS, network_of

SMALL_ENOUGH_TO_SEARCH = ["t_d2_H2_N6_ff8_L1", "t_d2_H2_N6_ff8_L2", "t_d2_H2_N6_ff8_L3", "t_d3_H3_N6_ff6_L1"]
PLANAR = [name for name in MANIFEST if name.startswith(("t_d2", "m_2-32", "w3_2")) and "all" not in name]


def test_every_workload_is_in_the_manifest() -> None:
    assert {path.stem for path in WORKLOADS.glob("*.json")} == {*MANIFEST, "MANIFEST"}


@pytest.mark.parametrize("name", [name for name in MANIFEST if name not in LISTED])
def test_counting(name: str) -> None:
    entry = MANIFEST[name]
    expected = entry.get("cells") or entry.get("cells_if_generic") or BY_SEARCH[name]
    assert sum(count_cells(network_of(name))) == expected


@pytest.mark.parametrize("name", LISTED)
def test_listing(name: str) -> None:
    entry = MANIFEST[name]
    network = network_of(name)
    found = linear_regions(enumerate_cells(network))
    patterns = {cell.pattern for cell in found.cells}
    assert len(patterns) == len(found.cells) == sum(count_cells(network))
    assert len(found.cells) == entry.get("cells", BY_SEARCH.get(name, len(patterns)))
    assert found.affine_maps == entry.get("affine_maps", found.affine_maps)
    assert found.affine_maps <= len(found) <= len(found.cells)
    if name.startswith("w3_"):
        # Two cells of w3_4-8-8-1_all have one map, and share a wall. (The manifest says nothing of regions.)
        assert len(found) == entry["affine_maps"]


@pytest.mark.parametrize("name", SMALL_ENOUGH_TO_SEARCH)
def test_split_and_search_list_the_same_cells(name: str) -> None:
    network = network_of(name)

    def described(cell: Cell) -> object:
        return cell.classes, frozenset(cell.irredundant_rows()), cell.map

    by_split = {described(cell) for cell in enumerate_cells(network, "split")}
    by_search = {described(cell) for cell in enumerate_cells(network, "search")}
    assert by_split == by_search
    assert len(by_split) == sum(count_cells(network, "split")) == sum(count_cells(network, "search"))


@pytest.mark.parametrize("name", PLANAR)
def test_eulers_relation(name: str) -> None:
    """V - E + F = 1 in a square: its sides have as many vertices as edges, so count what is inside it.

    The edges inside are the walls, also where the network jumps and cells are not face to face: around a relative
    interior point of a wall there are its two cells and nothing else, so that no vertex lies on it.
    """
    network = network_of(name)
    graph = dual_graph(enumerate_cells(network))
    corners = {point for cell in graph.cells for point in generators(cell.irredundant_rows(), 2).vertices}
    inside = [p for p in corners if all(dot(row, homogeneous(p)) > 0 for row in network.domain_rows)]
    assert len(inside) - len(graph.walls) + len(graph.cells) == 1

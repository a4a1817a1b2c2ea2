"""Walls and the dual graph: against every pair of cells by linear programs, by evaluation, and by Euler's relation."""

import io
import json
from fractions import Fraction
from typing import Any

import networkx
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from exactgeo.cells import METHODS, DualGraph, Method, dual_graph, enumerate_cells, to_networkx
from exactgeo.cells.graph import graph_text
from exactgeo.network import Network
from exactgeo.polyhedron.generators import generators
from exactgeo.rational.rows import dot, homogeneous
from exactgeo.regions import linear_regions
from tests.cells.evidence import check_graph, walls_by_pattern
from tests.known.arrangements import Known
from tests.known.degenerate import DEGENERATE
from tests.known.networks import NETWORKS
from tests.known.published import KNOWN
from tests.oracles import strategies
from tests.oracles.strategies import jumping

Document = dict[str, Any]

SMALL = {
    name: known for name, build in KNOWN.items() if (known := build())[1]["cells"] <= 16 and known[0]["input_dim"] <= 3
}


def graph_of(document: Document, method: Method = "split") -> DualGraph:
    return dual_graph(enumerate_cells(Network.from_arrays(document), method))


@settings(max_examples=40)
@given(st.one_of(jumping(), strategies.documents()))
def test_walls_are_those_of_brute_force(document: Document) -> None:
    graphs = {method: graph_of(document, method) for method in METHODS}
    assume(len(graphs["split"].cells) <= 24)
    check_graph(document, graphs["split"])
    one, two = (walls_by_pattern(graph.cells, graph.walls) for graph in graphs.values())
    assert one == two


@settings(max_examples=10)
@given(strategies.documents(max_dim=3, max_layers=2))
def test_walls_in_space(document: Document) -> None:
    graph = graph_of(document)
    assume(len(graph.cells) <= 20)
    check_graph(document, graph)
    searched = graph_of(document, "search")
    assert walls_by_pattern(graph.cells, graph.walls) == walls_by_pattern(searched.cells, searched.walls)


@pytest.mark.parametrize("known", SMALL.values(), ids=SMALL.keys())
def test_walls_of_known_networks(known: Known) -> None:
    document, _ = known
    graph = graph_of(document)
    check_graph(document, graph)
    searched = graph_of(document, "search")
    assert walls_by_pattern(graph.cells, graph.walls) == walls_by_pattern(searched.cells, searched.walls)


def corners(graph: DualGraph, dimension: int) -> set[tuple[Fraction, ...]]:
    return {point for cell in graph.cells for point in generators(cell.irredundant_rows(), dimension).vertices}


@settings(max_examples=60)
@given(st.one_of(jumping(), strategies.documents(max_layers=4, max_units=3)), st.sampled_from(METHODS))
def test_eulers_relation_in_bounded_domains(document: Document, method: Method) -> None:
    """In the interior of a segment E - V = 1 with E cells and V walls; in a polygon's V - E + F = 1, E the walls.

    The boundary of a polygon has as many vertices as edges. A wall has no vertex inside it, jumps or not: around a
    relative interior point there are its two cells and nothing else.
    """
    network = Network.from_arrays(document)
    dimension = network.input_dim
    assume(generators(network.domain_rows, dimension).bounded)
    graph = graph_of(document, method)
    if dimension == 1:
        assert len(graph.cells) - len(graph.walls) == 1
        return
    inside = [p for p in corners(graph, 2) if all(dot(row, homogeneous(p)) > 0 for row in network.domain_rows)]
    assert len(inside) - len(graph.walls) + len(graph.cells) == 1


@pytest.mark.parametrize("size", [1, 2, 3])
def test_eulers_relation_in_a_cube(size: int) -> None:
    """A grid in the open cube: V - E + F - C = -1, and all four are known."""
    lines = [[str(-k), *[str(int(i == j)) for j in range(3)]] for i in range(3) for k in range(1, size + 1)]
    document = {
        "format": "exactgeo-network/1",
        "input_dim": 3,
        "domain": {"box": [["0", str(size + 1)]] * 3},
        "layers": [
            {"type": "linear", "weight": [row[1:] for row in lines], "bias": [row[0] for row in lines]},
            {"type": "relu"},
        ],
    }
    graph = graph_of(document)
    inside = [p for p in corners(graph, 3) if all(0 < x < size + 1 for x in p)]
    edges = 3 * size * size * (size + 1)
    assert (len(inside), len(graph.walls), len(graph.cells)) == (size**3, 3 * size * (size + 1) ** 2, (size + 1) ** 3)
    assert len(inside) - edges + len(graph.walls) - len(graph.cells) == -1


# Flags


@settings(max_examples=50)
@given(st.one_of(jumping(), strategies.documents()))
def test_flags_are_what_evaluation_shows(document: Document) -> None:
    """Continuous: the two maps agree in d affinely independent points of the wall's hyperplane. Same: everywhere."""
    graph = graph_of(document)
    dimension = document["input_dim"]
    for wall in graph.walls:
        one, two = graph.cells[wall.first].map, graph.cells[wall.second].map
        pivot = next(k for k in range(1, dimension + 1) if wall.row[k])
        points = [wall.point]
        for k in range(1, dimension + 1):
            if k != pivot:  # along e_k - (a_k / a_pivot) e_pivot the row does not change
                step = [Fraction(int(j == k)) for j in range(1, dimension + 1)]
                step[pivot - 1] = -Fraction(wall.row[k], wall.row[pivot])
                points.append(tuple(x + s for x, s in zip(wall.point, step, strict=True)))
        assert all(dot(wall.row, homogeneous(point)) == 0 for point in points)
        agree = all(one.at(point) == two.at(point) for point in points)
        assert graph.continuous(wall) == agree
        off = tuple(x + int(j == pivot - 1) for j, x in enumerate(wall.point))
        assert graph.same_map(wall) == (agree and one.at(off) == two.at(off))


def test_a_jump_is_not_continuous() -> None:
    """x + [x > 0] and |x|: the one jumps, the other bends."""
    jump = graph_of(NETWORKS["jump"]()[0])
    assert [jump.continuous(wall) for wall in jump.walls] == [False]
    bend = graph_of({"format": "exactgeo-network/1", "input_dim": 1, "layers": [{"type": "abs"}]})
    assert [bend.continuous(wall) for wall in bend.walls] == [True]
    assert [bend.same_map(wall) for wall in bend.walls] == [False]


def test_one_facet_may_border_several_cells() -> None:
    """Left of x = 0 the wall is y = 0, right of it y = -1/2: the upper left cell meets both right ones."""
    graph = graph_of(DEGENERATE["jump-along-a-wall"]()[0])
    assert len(graph.cells) == 4
    across = [wall for wall in graph.walls if wall.row == (0, 1, 0)]
    assert len(across) == 3
    assert len(graph.walls) == 5
    assert sum(graph.same_map(wall) for wall in across) == 1


@settings(max_examples=60)
@given(st.one_of(jumping(), strategies.documents()))
def test_regions_from_the_graph_are_regions_from_the_cells(document: Document) -> None:
    graph = graph_of(document)
    from_graph, from_cells = linear_regions(graph), linear_regions(graph.cells)
    assert from_graph.members == from_cells.members
    assert from_graph.affine_maps == from_cells.affine_maps


# Export


@settings(max_examples=15)
@given(jumping())
def test_networkx_export(document: Document) -> None:
    graph = graph_of(document)
    made = to_networkx(graph)
    assert list(made.nodes) == list(range(len(graph.cells)))
    for position, cell in enumerate(graph.cells):
        node = dict(made.nodes[position])
        assert node.pop("region") == graph.region_numbers[position]
        texts = {key: json.loads(text) for key, text in node.items()}
        assert texts.pop("pattern") == [list(names) for names in cell.pattern]
        assert tuple(map(Fraction, texts.pop("point"))) == cell.interior_point
        assert tuple(tuple(map(Fraction, row)) for row in texts.pop("map")) == cell.map.fractions()
        assert not texts
    assert {tuple(sorted(edge)) for edge in made.edges} == {(wall.first, wall.second) for wall in graph.walls}
    for wall in graph.walls:
        assert made.edges[wall.first, wall.second] == {
            "row": json.dumps([str(entry) for entry in wall.row]),
            "point": json.dumps([str(x) for x in wall.point]),
            "continuous": graph.continuous(wall),
            "same_map": graph.same_map(wall),
        }


@settings(max_examples=15)
@given(jumping())
def test_graph_files_are_read_back(document: Document) -> None:
    graph = graph_of(document)
    plain = to_networkx(graph)
    json_graph = networkx.node_link_graph(json.loads(graph_text(graph, ".json")), edges="links")
    xml_graph = networkx.read_graphml(io.BytesIO(graph_text(graph, ".graphml").encode()), node_type=int)
    for read in (json_graph, xml_graph):
        assert not read.is_directed()
        assert not read.is_multigraph()
        assert set(read.nodes) == set(plain.nodes)
        assert set(map(frozenset, read.edges)) == set(map(frozenset, plain.edges))

    def value(entry: Any, text: bool) -> Any:
        return json.loads(entry) if text else entry

    for read, text in ((json_graph, False), (xml_graph, True)):
        for node, data in read.nodes(data=True):
            cell = graph.cells[node]
            assert value(data["pattern"], text) == [list(names) for names in cell.pattern]
            assert tuple(Fraction(x) for x in value(data["point"], text)) == cell.interior_point
            rows = tuple(tuple(Fraction(x) for x in row) for row in value(data["map"], text))
            assert rows == cell.map.fractions()
            assert data["region"] == plain.nodes[node]["region"]
        for first, second, data in read.edges(data=True):
            edge = plain.edges[first, second]
            assert value(data["row"], text) == json.loads(edge["row"])
            assert value(data["point"], text) == json.loads(edge["point"])
            assert (data["continuous"], data["same_map"]) == (edge["continuous"], edge["same_map"])

"""Cells, walls and graphs as values: one short line each, pickled and copied, and refused where they do not belong."""

import copy
import io
import json
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import networkx
import pytest
from hypothesis import given, settings

from exactgeo import (
    Cell,
    DualGraph,
    Network,
    Polyhedron,
    Region,
    Wall,
    cell_at,
    dual_graph,
    enumerate_cells,
    linear_regions,
    to_networkx,
)
from exactgeo.cells import METHODS, OnWall
from exactgeo.cells.listed import Listed
from exactgeo.errors import BadInput
from exactgeo.polyhedron.cone import Cone
from tests.known.degenerate import DEGENERATE
from tests.known.manifest import network_of
from tests.oracles.strategies import documents

LONG = 10**5000
TINY = Network.mlp([[[1, 1], [1, -1]], [[1, 1]]], [[0, 0], [0]], {"box": [[-1, 1]] * 2})


def asked(cell: Cell) -> object:
    """All that one may ask of a cell."""
    return (
        (cell.pattern, cell.classes, cell.rows(), cell.irredundant_rows(), cell.map, cell.sketch()),
        (cell.interior_point, cell.dimension, [face.point() for face in cell.body.faces()]),
    )


COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
    "old pickle": lambda value: pickle.loads(pickle.dumps(value, 2)),
}


def listings(network: Network) -> dict[str, list[Cell]]:
    """By each method, and as the kernel lists them."""
    ways = {str(method): list(enumerate_cells(network, method)) for method in METHODS}
    return {**ways, "native": list(enumerate_cells(network, "split", core="native"))}


# One line


def one_line(value: object, *parts: str) -> str:
    text = repr(value)
    assert len(text) <= 200
    assert "\n" not in text
    assert " at 0x" not in text
    assert "fmpz" not in text
    for part in parts:
        assert part in text
    return text


def test_reprs() -> None:
    for cells in listings(TINY).values():
        graph = dual_graph(cells)
        regions = linear_regions(graph)
        assert re.fullmatch(r"Cell\(dimension=2, stages=1, pattern=\(\([01], [01]\),\)\)", one_line(cells[0]))
        assert one_line(graph) == "DualGraph(dimension=2, cells=4, walls=4)"
        assert one_line(graph.walls) == "Walls(walls=4, cells=4)"
        one_line(graph.walls[0], "Wall(first=0, second=", "row=(0, 1, ", "point=(")
        assert one_line(regions) == "Regions(regions=4, cells=4, affine_maps=4)"
        assert one_line(regions[0]) == "Region(dimension=2, cells=1)"
    (domain,) = enumerate_cells(TINY, stages=0)
    assert one_line(domain) == "Cell(dimension=2, stages=0, pattern=())"
    assert one_line(cell_at(TINY, (Fraction(0), Fraction(0)))).startswith("OnWall(stage=0, selector=")
    assert one_line(dual_graph([])) == "DualGraph(cells=0, walls=0)"
    assert one_line(Polyhedron.box([(0, LONG)] * 50)) == "Polyhedron(dimension=50, rows=100)"
    assert one_line(Cone.space(3)) == "Cone(dimension=3, rows=1, rays=1, lines=3)"


def test_reprs_of_long_things() -> None:
    point = tuple(Fraction(LONG + k, 7) for k in range(30))
    one_line(Wall(10**6, 10**6 + 1, (LONG, -LONG, *range(50)), point), "row=(~10^", "-~10^")
    one_line(OnWall(3, "layers[0]." * 100, tuple(range(1000))), "tied=(0, 1, 2")
    weights = [[[k + 1, 10**1000] for k in range(60)], [[1] * 60]]
    network = Network.mlp(weights, [[0] * 60, [0]])
    cell = next(enumerate_cells(network, core="python"))
    one_line(cell, "dimension=2", "pattern=((")
    one_line(cell.trail[0], "Settled(winners=")
    one_line(cell.body)
    one_line(Region((cell,)))


def test_a_repr_makes_nothing() -> None:
    cells = list(enumerate_cells(network_of("w1_d2_n50")))
    assert {repr(cell)[:32] for cell in cells} == {"Cell(dimension=2, stages=1, patt"}
    assert not any(hasattr(cell, "_body") or hasattr(cell, "_trail") for cell in cells)


# Copies


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("known", DEGENERATE)
def test_cells_are_copied(way: str, known: str) -> None:
    for cells in listings(Network.from_arrays(DEGENERATE[known]()[0])).values():
        loaded = COPIES[way](cells)
        assert [asked(cell) for cell in loaded] == [asked(cell) for cell in cells]
        assert loaded == cells
        assert list(map(hash, loaded)) == list(map(hash, cells))


@given(documents(max_dim=3))
@settings(max_examples=30)
def test_cells_of_random_networks_are_pickled(document: dict[str, Any]) -> None:
    for cells in listings(Network.from_arrays(document)).values():
        for loaded in (pickle.loads(pickle.dumps(cells)), [pickle.loads(pickle.dumps(cell)) for cell in cells]):
            assert [asked(cell) for cell in loaded] == [asked(cell) for cell in cells]
            assert dual_graph(loaded) == dual_graph(cells)
            assert linear_regions(loaded).members == linear_regions(cells).members


@pytest.mark.parametrize("way", COPIES)
def test_graphs_and_regions_are_copied(way: str) -> None:
    """As the kernel lists them, and their walls in arrays: attention jumps, and some walls are made from planes."""
    cells = list(enumerate_cells(network_of("t_d3_H3_N6_ff6_L2")))
    assert sum(isinstance(cell, Listed) for cell in cells) > 1000
    graph = dual_graph(cells)
    regions = linear_regions(cells)
    copied = COPIES[way](graph)
    assert copied == graph
    assert repr(copied) == repr(graph)
    assert copied.walls[::50] == graph.walls[::50]
    assert COPIES[way](graph.walls) == graph.walls
    assert hash(COPIES[way](graph.walls)) == hash(graph.walls)
    again = COPIES[way](regions)
    assert (again, len(again), again.members) == (regions, len(regions), regions.members)
    assert COPIES[way](regions[3]) == regions[3]
    assert COPIES[way](graph.walls[5]) == graph.walls[5]
    assert graph.walls != list(graph.walls)


@pytest.mark.parametrize("way", COPIES)
def test_other_values_are_copied(way: str) -> None:
    """A cell by one of its points, a wall instead of a cell, the domain, shapes, and what a listed cell is made of."""
    inside = cell_at(TINY, (Fraction(1, 2), Fraction(1, 3)))
    assert isinstance(inside, Cell)
    (domain,) = enumerate_cells(TINY, stages=0)
    assert asked(COPIES[way](inside)) == asked(inside)
    assert COPIES[way](domain).matrix == domain.matrix
    assert COPIES[way](domain) == domain
    for value in (cell_at(TINY, (Fraction(0), Fraction(0))), Polyhedron.box([(0, 1)] * 2), inside.trail[0].pulled):
        assert COPIES[way](value) == value
    for shape in (inside.body, domain.body, *[cells[0].body for cells in listings(TINY).values()]):
        assert COPIES[way](shape).faces() == shape.faces()
        assert COPIES[way](shape).interior() == shape.interior()
    cell = listings(TINY)["native"][1]
    assert isinstance(cell, Listed)
    assert asked(Listed(COPIES[way](cell.block), cell.place)) == asked(cell)


def test_pickled_cells_are_compared_anew() -> None:
    cells = list(enumerate_cells(network_of("w3_4-8-8-1_all")))
    loaded = pickle.loads(pickle.dumps(cells[:300]))
    assert dual_graph(loaded) == dual_graph(cells[:300])
    assert linear_regions([*loaded, *cells[300:]]).members == linear_regions(cells).members


def test_a_cell_does_not_take_the_others_with_it() -> None:
    """Nor is anything kept in it that was made on the way; its network is part of it."""
    cells = list(enumerate_cells(network_of("w1_d3_n25")))
    assert len(cells) > 2500
    assert len(pickle.dumps(cells[1000])) < 4 * len(pickle.dumps(network_of("w1_d3_n25").stages))
    assert not hasattr(cells[1000], "_body")


def test_pickles_are_read_where_nothing_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "cells"
    cells = list(enumerate_cells(network_of("w1_d2_n50")))[:20]
    path.write_bytes(pickle.dumps((cells, dual_graph(cells), linear_regions(cells))))
    command = """
import pickle, sys
from pathlib import Path
cells, graph, regions = pickle.loads(Path(sys.argv[1]).read_bytes())
print(len(graph.walls), len(regions), [cell.interior_point for cell in cells] != [], "numba" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", command, str(path)], capture_output=True, check=True, text=True)
    assert done.stdout.split() == [str(len(dual_graph(cells).walls)), "20", "True", "False"]


def test_equality() -> None:
    ways = listings(TINY)
    assert set(ways["split"]) == set(ways["search"]) == set(ways["native"])
    other = Network.mlp([[[1, 1], [1, -1]], [[1, 2]]], [[0, 0], [0]], {"box": [[-1, 1]] * 2})
    assert set(ways["split"]).isdisjoint(enumerate_cells(other))
    assert ways["split"][0] != ways["split"][0].pattern


# The graph


def test_a_graph_is_a_collection_of_cells() -> None:
    graph = dual_graph(enumerate_cells(network_of("t_d2_H2_N6_ff8_L2")))
    assert len(graph) == len(graph.cells)
    assert list(graph) == list(graph.cells)
    made = to_networkx(graph)
    for position in range(len(graph)):
        assert graph.neighbors(position) == tuple(sorted(made.neighbors(position)))
    assert graph.neighbors(-1) == graph.neighbors(len(graph) - 1)
    with pytest.raises(IndexError):
        graph.neighbors(len(graph))


@given(documents())
@settings(max_examples=20)
def test_regions_are_numbered_alike(document: dict[str, Any]) -> None:
    graph = dual_graph(enumerate_cells(Network.from_arrays(document)))
    regions = linear_regions(graph)
    assert graph.region_numbers == regions.numbers
    assert [tuple(k for k, n in enumerate(regions.numbers) if n == number) for number in range(len(regions))] == list(
        regions.members
    )


@pytest.mark.parametrize("name", ["t_d2_H2_N6_ff8_L1", "w1_d2_n20"])
def test_writers_of_networkx_take_the_graph(name: str, tmp_path: Path) -> None:
    graph = dual_graph(enumerate_cells(network_of(name)))
    made = to_networkx(graph)
    networkx.write_graphml(made, tmp_path / "graph.graphml")
    networkx.write_gexf(made, tmp_path / "graph.gexf")
    text = json.dumps(networkx.node_link_data(made, edges="links"))
    plain = io.BytesIO()
    networkx.write_gml(made, plain)
    read = [
        networkx.read_graphml(tmp_path / "graph.graphml", node_type=int),
        networkx.read_gexf(tmp_path / "graph.gexf", node_type=int),
        networkx.node_link_graph(json.loads(text), edges="links"),
    ]
    for again in read:
        for node, data in made.nodes(data=True):
            assert {key: again.nodes[node][key] for key in data} == data
        for one, two, data in made.edges(data=True):
            assert {key: again.edges[one, two][key] for key in data} == data
    kinds = {type(value) for _, data in made.nodes(data=True) for value in data.values()}
    assert kinds == {str, int}


# Cells that do not belong together


def test_cells_of_two_networks_are_refused() -> None:
    other = Network.mlp([[[1, 1], [1, -1]], [[1, 2]]], [[0, 0], [0]], {"box": [[-1, 1]] * 2})
    smaller = Network.mlp([[[1, 1], [1, -1]], [[1, 1]]], [[0, 0], [0]], {"box": [[-1, 1], [-1, 2]]})
    deeper = Network.mlp([[[1, 1], [1, -1]], [[1, 1]], [[1]]], [[0, 0], [0], [0]], {"box": [[-1, 1]] * 2})
    for cells in listings(TINY).values():
        for ask in (dual_graph, linear_regions):
            for network in (other, smaller):
                for foreign in listings(network).values():
                    with pytest.raises(BadInput, match="cells 0 and 2 are of different networks"):
                        ask([*cells[:2], *foreign[2:]])
            with pytest.raises(BadInput, match="cells 0 and 1 are of different numbers of stages, 1 and 2"):
                ask([cells[0], *enumerate_cells(deeper)])


def test_cells_of_two_enumerations_are_refused() -> None:
    ways = listings(TINY)
    again = listings(Network.mlp([[[1, 1], [1, -1]], [[1, 1]]], [[0, 0], [0]], {"box": [[-1, 1]] * 2}))
    for ask in (dual_graph, linear_regions):
        for one in ways.values():
            for two in (*ways.values(), *again.values(), pickle.loads(pickle.dumps(one))):
                with pytest.raises(BadInput, match=r"cells 1 and 4 are the same, with the pattern \(\("):
                    ask([*one, next(cell for cell in two if cell.pattern == one[1].pattern)])


def test_many_cells_of_two_enumerations_are_refused() -> None:
    network = network_of("w1_d2_n50")
    cells = [*enumerate_cells(network), *enumerate_cells(network)]
    for ask in (dual_graph, linear_regions):
        with pytest.raises(BadInput, match="cells 0 and 1276 are the same"):
            ask(cells)
        with pytest.raises(BadInput, match="cells 0 and 1000 are of different networks"):
            ask([*cells[:1000], *enumerate_cells(network_of("w1_d2_n20"), core="native")])


def test_what_is_no_cell_is_refused() -> None:
    cells = list(enumerate_cells(TINY))
    for ask in (dual_graph, linear_regions):
        with pytest.raises(BadInput, match="expected cells, got one of type NoneType at 1"):
            ask([cells[0], None])  # type: ignore[list-item]
        with pytest.raises(BadInput, match="expected cells, got one of type str at 0"):
            ask("cells")  # type: ignore[arg-type]


def test_some_cells_in_any_order_are_fine() -> None:
    network = network_of("w3_2-16-16-1_all")
    cells = list(enumerate_cells(network))
    every = {frozenset((cells[one].pattern, cells[two].pattern)) for one, two in dual_graph(cells).walls.ends()}
    some = Random(1).sample(cells, len(cells) // 2)
    patterns = {cell.pattern for cell in some}
    graph = dual_graph(some)
    found = {frozenset((some[one].pattern, some[two].pattern)) for one, two in graph.walls.ends()}
    assert found == {ends for ends in every if ends <= patterns}
    assert len(linear_regions(some)) == len(linear_regions(graph))


def test_names_beyond_a_byte() -> None:
    """300 keys on a circle: patterns are told apart whatever their numbers."""
    keys = [[k, -k * k] for k in range(300)]
    head = {"query": {"weight": [[1], [0]], "bias": [0, 1]}, "keys": keys, "values": [[k] for k in range(300)]}
    network = Network.from_arrays({"input_dim": 1, "layers": [{"type": "attention", "heads": [head]}]})
    cells = list(enumerate_cells(network))
    assert max(cell.pattern[0][0] for cell in cells) == 299
    assert len(dual_graph(cells).walls) == len(cells) - 1
    with pytest.raises(BadInput, match="are the same"):
        linear_regions([*cells, cells[280]])


def test_a_graph_by_hand_is_not_checked() -> None:
    graph = dual_graph(enumerate_cells(TINY))
    assert linear_regions(DualGraph(graph.cells, graph.walls)).members == linear_regions(graph).members

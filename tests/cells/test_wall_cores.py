"""Every core for walls, through one suite: the same walls in the same order, whoever has listed the cells."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from exactgeo import Cell, DualGraph, Network, dual_graph, enumerate_cells, linear_regions
from exactgeo.cells import choice
from exactgeo.cells.choice import Terms
from exactgeo.cells.cores import CELL_CORES
from exactgeo.cells.python_walls import PythonWalls
from exactgeo.cells.wall_cores import WALL_CORES, alike, joined, walls_between
from exactgeo.cells.walls import Walls
from tests.cells.evidence import check_graph
from tests.known.degenerate import DEGENERATE
from tests.known.manifest import network_of
from tests.oracles import strategies
from tests.oracles.strategies import jumping

Document = dict[str, Any]


def check_walls(name: str, document: Document, brute: bool = False) -> None:
    """Cells by every core, and mixed: some as one has listed them, some as another."""
    network = Network.from_arrays(document)
    ways = {core: tuple(enumerate_cells(network, "split", core=core)) for core in CELL_CORES}
    first, second = ways["native"], ways["python"]
    ways["mixed"] = tuple(pair[k % 2] for k, pair in enumerate(zip(first, second, strict=True)))
    expected = list(PythonWalls().walls(ways["python"]))
    for cells in ways.values():
        check_cells(name, cells)
        found = walls_between(cells, name)
        assert [(wall.first, wall.second, wall.row) for wall in found] == [
            (wall.first, wall.second, wall.row) for wall in expected
        ]
        if brute:
            check_graph(document, DualGraph(cells, found))


def check_cells(name: str, cells: Sequence[Cell]) -> None:
    """Ends in order, by position where one is given; all cells with a map that is not theirs alone are alike."""
    found = walls_between(cells, name)
    ends = list(found.ends())
    assert ends == sorted(set(ends))
    assert all(one < two for one, two in ends)
    by_position = [(5 * k + 2, cell) for k, cell in enumerate(cells)]
    assert sorted(joined(by_position, name)) == [(5 * one + 2, 5 * two + 2) for one, two in ends]
    positions = alike(cells, name)
    assert positions == sorted(set(positions))
    maps = [cell.map for cell in cells]
    assert {k for k, own in enumerate(maps) if maps.count(own) > 1} <= set(positions)


@pytest.fixture(params=WALL_CORES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("known", DEGENERATE)
def test_degenerate_networks(name: str, known: str) -> None:
    document, expected = DEGENERATE[known]()
    check_walls(name, document, brute=expected["cells"] <= 8)


@settings(max_examples=25)
@given(st.one_of(jumping(), strategies.documents(max_dim=3, max_units=3)))
def test_random_networks(document: Document) -> None:
    assume(sum(1 for _ in enumerate_cells(Network.from_arrays(document))) <= 40)
    for core in WALL_CORES:
        check_walls(core, document)


def test_cells_of_search(name: str) -> None:
    """They have facets and no generators."""
    cells = tuple(enumerate_cells(network_of("w1_d2_n20"), "search"))
    check_cells(name, cells)
    assert len(walls_between(cells, name)) == 400


def test_no_cells(name: str) -> None:
    assert list(walls_between((), name)) == []
    assert alike((), name) == []


# The choice


def test_a_further_core_is_one_more_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its terms in front it is chosen, and it goes through the same suite."""
    asked: list[str] = []

    class Watched(PythonWalls):
        def walls(self, cells: Sequence[Cell]) -> Walls:
            asked.append("walls")
            return super().walls(cells)

        def alike(self, cells: Sequence[Cell]) -> list[int]:
            asked.append("alike")
            return super().alike(cells)

    monkeypatch.setitem(WALL_CORES, "further", choice.Entry(__name__, Watched))
    monkeypatch.setattr(choice, "TERMS", {"further": Terms(), **choice.TERMS})
    cells = list(enumerate_cells(network_of("w1_d2_n50")))
    assert len(dual_graph(cells).walls) == 2500
    assert asked == ["walls"]
    assert len(linear_regions(cells)) == 1276
    assert asked == ["walls", "alike"]
    check_walls("further", DEGENERATE["half-line"]()[0])

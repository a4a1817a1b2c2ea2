"""Every core for cells, through one suite: the cells of split, in the same order, below any node."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings

from exactgeo import Network, count_cells, enumerate_cells
from exactgeo.cells import Cell, choice
from exactgeo.cells.cell import Settled
from exactgeo.cells.choice import Terms
from exactgeo.cells.cores import CELL_CORES, Signs, cell_core, core_for
from exactgeo.cells.node import Node, node_in, root_node
from exactgeo.cells.python_core import PythonCore
from exactgeo.errors import BadInput, Inconsistent
from exactgeo.partition.split import branches
from tests.cells.evidence import check_cell, described
from tests.known.degenerate import DEGENERATE
from tests.known.manifest import network_of
from tests.oracles.strategies import documents

Document = dict[str, Any]

MOST = 200


def check_list(name: str, document: Document) -> None:
    """The cells of the independent method, each with its evidence; the order of the split in Python."""
    network = Network.from_arrays(document)
    core = cell_core(network, name)
    cells = list(core.cells(root_node(network), len(network.stages)))
    assert sum(core.count(root_node(network))) == len(cells)
    assert [cell.pattern for cell in cells] == [cell.pattern for cell in enumerate_cells(network, "split")]
    for cell in cells[:MOST]:
        check_cell(network, document, cell)
    if len(cells) <= 30:
        searched = enumerate_cells(network, "search")
        assert {described(cell) for cell in cells} == {described(cell) for cell in searched}
    assert core.arrays or all(cell.block is None for cell in cells)
    report = core.report()
    assert report is None or (isinstance(report, Signs) and report.total >= 0)


def check_stages(name: str) -> None:
    """The cells of the first stages, and all cells below each of these, counted and listed."""
    network = network_of("t_d2_H2_N6_ff8_L2")
    core = cell_core(network, name)
    every = [cell.pattern for cell in PythonCore(network).cells(root_node(network), len(network.stages))]
    for stages in range(1, len(network.stages)):
        parents = list(core.cells(root_node(network), stages))
        assert [cell.pattern for cell in parents] == list(dict.fromkeys(pattern[:stages] for pattern in every))
        below: list[Any] = []
        for parent in parents:
            inside = [cell.pattern for cell in core.cells(node_in(network, parent), len(network.stages))]
            assert sum(core.count(node_in(network, parent))) == len(inside)
            below += inside
        assert below == every


def check_inside_a_stage(name: str) -> None:
    """On all of R^3, where the first cuts run along lines: below nodes in the midst of a stage, by their paths."""
    rows = [[1, 2, 0], [0, 1, 3], [2, 0, 1], [1, 1, 1], [1, -1, 2]]
    network = Network.mlp([rows, [[1, 2, 3, 4, 5], [1, -1, 1, -1, 1]], [[1, 1]]], [[1, 2, 3, 4, 5], [1, 2], [0]])
    core = cell_core(network, name)
    top = root_node(network)
    found: list[Any] = []
    nodes = 0
    for won, cone in branches(top.cone, top.pulled.selectors, top.path):
        if isinstance(won, int):
            node = Node(top.cell, top.pulled, cone, won)
            nodes += 1
        else:
            node = node_in(network, Cell(top.cell.domain, (Settled(top.pulled, won),), cone))
        inside = [cell.pattern for cell in core.cells(node, len(network.stages))]
        assert sum(core.count(node)) == len(inside)
        found += inside
    assert nodes > 1
    assert found == [cell.pattern for cell in enumerate_cells(network, "split")]


def check_side_by_side(name: str) -> None:
    """Two listings and a count go on in turn, and one may be left."""
    network = network_of("w3_2-16-16-1_all")
    core = cell_core(network, name)
    node, stages = root_node(network), len(network.stages)
    first, second = core.cells(node, stages), core.cells(node, stages)
    assert next(core.count(node)) > 0
    ways = [(one.pattern, two.pattern) for one, two in zip(first, second, strict=True)]
    assert ways == [(cell.pattern, cell.pattern) for cell in PythonCore(network).cells(node, stages)]


CHECKS: tuple[Callable[[str], None], ...] = (check_stages, check_inside_a_stage, check_side_by_side)


@pytest.fixture(params=CELL_CORES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("check", CHECKS)
def test_cores(name: str, check: Callable[[str], None]) -> None:
    check(name)


@pytest.mark.parametrize("known", DEGENERATE)
def test_degenerate_networks(name: str, known: str) -> None:
    document, expected = DEGENERATE[known]()
    check_list(name, document)
    assert sum(count_cells(Network.from_arrays(document), "split", name)) == expected["cells"]


@given(documents(max_dim=3, max_units=3))
@settings(max_examples=30)
def test_random_networks(document: Document) -> None:
    for core in CELL_CORES:
        check_list(core, document)


# The choice


def test_a_further_core_is_one_more_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its terms in front it is chosen, and it goes through the same suite."""
    asked: list[str] = []

    class Watched(PythonCore):
        def cells(self, node: Node, stages: int) -> Any:
            asked.append("cells")
            return super().cells(node, stages)

        def count(self, node: Node) -> Any:
            asked.append("count")
            return super().count(node)

    monkeypatch.setitem(CELL_CORES, "further", choice.Entry(__name__, lambda: Watched))
    monkeypatch.setattr(choice, "TERMS", {"further": Terms(dimensions=2), **choice.TERMS})
    flat, solid = network_of("w1_d2_n50"), network_of("w1_d3_n15")
    assert sum(count_cells(flat)) == 1276
    assert sum(1 for _ in enumerate_cells(flat)) == 1276
    assert asked == ["count", "cells"]
    assert sum(count_cells(solid)) == 576
    assert asked == ["count", "cells"]
    for check in CHECKS:
        check("further")
    check_list("further", DEGENERATE["half-line"]()[0])


def test_small_networks_do_without_the_compiled_core() -> None:
    small, large = Network.mlp([[[1, 0], [0, 1], [1, 1]], [[1, 1, 1]]]), network_of("w1_d2_n50")
    assert choice.most_cells(small) == 7 <= choice.FEW_CELLS
    assert choice.for_cells(small, CELL_CORES) == "python"
    assert choice.most_cells(large) == 1276
    assert choice.for_cells(large, CELL_CORES) == "compiled"
    assert sum(count_cells(large)) == sum(count_cells(large, core="python")) == 1276


def test_selectors_beyond_the_limits_do_without_the_compiled_core() -> None:
    keys = [[k, k * k] for k in range(70)]
    head = {"query": {"weight": [["1", "0"], ["0", "1"]]}, "keys": keys, "values": [[k] for k in range(70)]}
    network = Network.from_arrays({"input_dim": 2, "layers": [{"type": "attention", "heads": [head] * 2}]})
    assert choice.most_cells(network) > choice.FEW_CELLS
    assert choice.for_cells(network, CELL_CORES) == "python"


def test_search_has_no_core() -> None:
    network = network_of("w1_d2_n50")
    assert core_for(network, "search") is None
    assert core_for(network, "split") is not None
    for ask in (count_cells, enumerate_cells):
        with pytest.raises(BadInput, match="the method search has none"):
            next(iter(ask(network, "search", core="python")))


def test_a_core_of_no_name_is_refused() -> None:
    with pytest.raises(BadInput, match="no core is called 'fast'; there are compiled, python"):
        next(enumerate_cells(network_of("w1_d2_n50"), core="fast"))


def test_a_core_that_cannot_be_compiled_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing() -> Any:
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setitem(CELL_CORES, "compiled", choice.Entry("exactgeo.cells.compiled", failing))
    with pytest.raises(BadInput, match=r"set NUMBA_CACHE_DIR .* no locator available"):
        next(count_cells(network_of("w1_d2_n50")))


def test_no_core_at_all_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "TERMS", {})
    with pytest.raises(Inconsistent, match="no core takes this work"):
        choice.for_cells(network_of("w1_d2_n50"), CELL_CORES)


def test_cells_of_no_stage(name: str) -> None:
    (domain,) = enumerate_cells(network_of("w1_d2_n50"), "split", 0, name)
    assert isinstance(domain, Cell)
    assert domain.pattern == ()

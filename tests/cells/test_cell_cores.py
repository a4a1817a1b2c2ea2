"""Every core for cells, through one suite: the cells of split, in the same order, by either method."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings

from exactgeo import Network, count_cells, enumerate_cells, native
from exactgeo.cells import METHODS, Cell, choice
from exactgeo.cells.choice import Method, Terms
from exactgeo.cells.cores import CELL_CORES, cell_core
from exactgeo.cells.python_core import PythonCore
from exactgeo.cells.signs import Signs
from exactgeo.errors import BadInput, Inconsistent
from tests.cells.evidence import check_cell, described
from tests.known.degenerate import DEGENERATE
from tests.known.manifest import network_of
from tests.oracles.strategies import documents

Document = dict[str, Any]

MOST = 200


def check_list(name: str, document: Document) -> None:
    """The cells of the independent method, each with its evidence; the order of the split in Python."""
    network = Network.from_arrays(document)
    core = cell_core(network, "split", name)
    cells = list(core.cells(len(network.stages)))
    assert sum(core.count()) == len(cells)
    python = enumerate_cells(network, "split", core="python")
    assert [cell.pattern for cell in cells] == [cell.pattern for cell in python]
    for cell in cells[:MOST]:
        check_cell(network, document, cell)
    if len(cells) <= 30:
        searched = enumerate_cells(network, "search", core=name)
        assert {described(cell) for cell in cells} == {described(cell) for cell in searched}
    report = core.report()
    assert report is None or (isinstance(report, Signs) and report.total >= 0)


def check_stages(name: str) -> None:
    """The cells of the first stages, by both methods."""
    network = network_of("t_d2_H2_N6_ff8_L2")
    every = [cell.pattern for cell in PythonCore(network, "split").cells(len(network.stages))]
    for stages in range(1, len(network.stages)):
        parents = [cell.pattern for cell in cell_core(network, "split", name).cells(stages)]
        assert parents == list(dict.fromkeys(pattern[:stages] for pattern in every))
        found = {cell.pattern for cell in cell_core(network, "search", name).cells(stages)}
        assert found == set(parents)


def check_side_by_side(name: str) -> None:
    """Two listings and a count go on in turn, and one may be left."""
    network = network_of("w3_2-16-16-1_all")
    core, stages = cell_core(network, "split", name), len(network.stages)
    first, second = core.cells(stages), core.cells(stages)
    assert next(iter(core.count())) > 0
    ways = [(one.pattern, two.pattern) for one, two in zip(first, second, strict=True)]
    assert ways == [(cell.pattern, cell.pattern) for cell in PythonCore(network, "split").cells(stages)]


def check_limits(name: str) -> None:
    """Work that ends beyond a limit has proved more than that, and nothing that is not so."""
    network = network_of("w1_d2_n50")
    core = cell_core(network, "split", name)
    assert 100 < sum(core.count(limit=100)) <= 1276
    assert 100 < sum(1 for _ in core.cells(1, limit=100)) <= 1276


CHECKS: tuple[Callable[[str], None], ...] = (check_stages, check_side_by_side, check_limits)


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
        def cells(self, stages: int, limit: int | None = None, workers: int = 1) -> Any:
            asked.append("cells")
            return super().cells(stages, limit, workers)

        def count(self, limit: int | None = None, workers: int = 1) -> Any:
            asked.append("count")
            return super().count(limit, workers)

    monkeypatch.setitem(CELL_CORES, "further", choice.Entry(__name__, lambda: Watched))
    monkeypatch.setattr(choice, "TERMS", {"further": Terms(), **choice.TERMS})
    flat = network_of("w1_d2_n50")
    assert sum(count_cells(flat)) == 1276
    assert sum(1 for _ in enumerate_cells(flat)) == 1276
    assert asked == ["count", "cells"]
    for check in CHECKS:
        check("further")
    check_list("further", DEGENERATE["half-line"]()[0])


def test_the_native_core_is_chosen_where_it_was_built(monkeypatch: pytest.MonkeyPatch) -> None:
    assert choice.for_cells(CELL_CORES) == "native"
    monkeypatch.setattr(native, "_tried", ["it was not built"])
    assert choice.for_cells(CELL_CORES) == "python"
    network = network_of("w1_d2_n50")
    core = cell_core(network)
    assert sum(core.count()) == 1276
    assert (core.way, core.report()) == ("split in Python", None)


def boxed(dimension: int, units: int = 2) -> Network:
    weight = [[(i * j) % 3 - 1 for j in range(dimension)] for i in range(1, units + 1)]
    return Network.mlp([weight, [[1] * units]], domain={"box": [[-1, 2]] * dimension})


def test_ways_of_the_native_core() -> None:
    """By generators in few dimensions, by rows in many, flat by flat where hyperplanes on all of R^d are counted."""
    ways: dict[tuple[Method, bool], str] = {}
    for method in METHODS:
        for counting in (False, True):
            ways[method, counting] = choice.native_way(network_of("w1_d2_n50"), method, counting)
    assert ways == {
        ("split", False): "split",
        ("split", True): "flats",
        ("search", False): "search",
        ("search", True): "search",
    }
    assert choice.native_way(boxed(5), "split", True) == "split"
    assert choice.native_way(boxed(6), "split", True) == "rows"
    rows = [[k * k + 1, 2 * k, -1, 1, k] for k in range(-40, 40)]
    many = Network.from_arrays(
        {"input_dim": 4, "domain": {"inequalities": rows}, "layers": [{"type": "relu"}]},
    )
    assert choice.native_way(many, "split", False) == "rows"


@pytest.mark.parametrize("dimension", [1, 2, 3, 5, 6, 10])
def test_all_ways_count_the_same(dimension: int) -> None:
    network = boxed(dimension, 5)
    core = cell_core(network, "split", "native")
    searched = cell_core(network, "search", "native")
    count = sum(core.count())
    assert count == len(list(core.cells(1))) == len(list(searched.cells(1))) == sum(searched.count())
    if dimension < 6:
        assert count == sum(count_cells(network, "split", "python"))


def test_a_core_of_no_name_is_refused() -> None:
    with pytest.raises(BadInput, match="no core is called 'fast'; there are native, python"):
        next(enumerate_cells(network_of("w1_d2_n50"), core="fast"))


def test_no_core_at_all_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "TERMS", {})
    with pytest.raises(Inconsistent, match="no core takes this work"):
        choice.for_cells(CELL_CORES)


def test_cells_of_no_stage(name: str) -> None:
    (domain,) = enumerate_cells(network_of("w1_d2_n50"), "split", 0, name)
    assert isinstance(domain, Cell)
    assert domain.pattern == ()

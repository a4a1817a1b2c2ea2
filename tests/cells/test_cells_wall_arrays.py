"""Walls in arrays: against those in Python and against brute force, where rays are short, long, or not there."""

import inspect
from fractions import Fraction
from functools import cache
from math import comb
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from exactgeo.cells import Cell, DualGraph, dual_graph
from exactgeo.cells import kernel as counting_kernel
from exactgeo.cells import wall_kernel as kernel
from exactgeo.cells.compiled import Compiled
from exactgeo.cells.facing import find_walls
from exactgeo.cells.listed import Listed
from exactgeo.cells.node import root_node
from exactgeo.cells.wall_arrays import _rays, _rows, _scratch, find
from exactgeo.cells.wall_cores import joined, walls_between
from exactgeo.cells.walls import Walls
from exactgeo.errors import Inconsistent
from exactgeo.network import Network
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.rows import dot, primitive
from exactgeo.regions import linear_regions
from exactgeo.regions.regions import equal_maps, shared_maps
from tests.cells.evidence import check_graph
from tests.known.manifest import network_of
from tests.oracles import strategies
from tests.oracles.strategies import jumping

Document = dict[str, Any]


def listing(network: Network) -> list[Cell]:
    return list(Compiled(network).cells(root_node(network), len(network.stages)))


@cache
def workload(name: str) -> tuple[Cell, ...]:
    return tuple(listing(network_of(name)))


def in_arrays(cells: list[Cell] | tuple[Cell, ...]) -> Walls:
    """The walls with every listed cell in arrays, however few there are."""
    return walls_between(cells, "compiled")


def in_python(cells: list[Cell] | tuple[Cell, ...]) -> Walls:
    return walls_between(cells, "python")


def agree(cells: list[Cell] | tuple[Cell, ...]) -> Walls:
    """Hyperplanes and points are the same too."""
    found = in_arrays(cells)
    assert list(found) == list(in_python(cells))
    return found


def scaled(document: Document, random: Random, bits: int) -> Document:
    """The same network with every weight of its layers times a long number of its own: ties stay where it was zero."""

    def change(value: Any) -> Any:
        if isinstance(value, list):
            return [change(entry) for entry in value]
        if isinstance(value, dict):
            kept = ("type", "residual", "slope")
            return {key: entry if key in kept else change(entry) for key, entry in value.items()}
        return str(Fraction(value) * random.randint(2 ** (bits - 1), 2**bits))

    return {**document, "layers": change(document["layers"])}


# Random networks


@settings(max_examples=60)
@given(st.one_of(jumping(), strategies.documents(max_dim=3, max_units=4)))
def test_arrays_find_the_walls_in_python(document: Document) -> None:
    cells = listing(Network.from_arrays(document))
    assume(len(cells) <= 150)
    agree(cells)


@settings(max_examples=25)
@given(jumping())
def test_arrays_find_the_walls_of_brute_force(document: Document) -> None:
    cells = listing(Network.from_arrays(document))
    assume(len(cells) <= 20)
    check_graph(document, DualGraph(tuple(cells), in_arrays(cells)))


@settings(max_examples=40)
@given(
    st.one_of(jumping(), strategies.documents(max_dim=4, max_units=3)),
    st.randoms(use_true_random=False),
    st.sampled_from([8, 16, 24, 40, 70]),
)
def test_arrays_find_the_walls_where_numbers_are_long(document: Document, random: Random, bits: int) -> None:
    cells = listing(Network.from_arrays(scaled(document, random, bits)))
    assume(len(cells) <= 100)
    agree(cells)


@settings(max_examples=30)
@given(st.one_of(jumping(), strategies.documents(max_dim=3)), st.randoms(use_true_random=False))
def test_walls_of_some_cells_are_those_walls_of_all(document: Document, random: Random) -> None:
    """In any order: whether two cells share a wall is no matter of the others."""
    cells = listing(Network.from_arrays(document))
    assume(3 <= len(cells) <= 100)
    chosen = random.sample(range(len(cells)), 2 * len(cells) // 3)
    every = {frozenset((wall.first, wall.second)): wall.row for wall in in_python(cells)}
    some = in_arrays([cells[k] for k in chosen])
    assert {frozenset((chosen[wall.first], chosen[wall.second])): wall.row for wall in some} == {
        ends: row for ends, row in every.items() if ends <= set(chosen)
    }


@settings(max_examples=40)
@given(st.one_of(jumping(), strategies.documents(max_dim=3, max_units=4)))
def test_maps_are_grouped_in_arrays_as_in_python(document: Document) -> None:
    cells = listing(Network.from_arrays(document))
    expected = [members for members in equal_maps(cells) if len(members) > 1]
    assert sorted(shared_maps(cells, "compiled")) == sorted(shared_maps(cells, "python")) == sorted(expected)


# Networks whose walls are counted


@pytest.mark.parametrize(("name", "d", "n"), [("w1_d2_n50", 2, 50), ("w1_d3_n25", 3, 25), ("w1_d4_n30", 4, 30)])
def test_walls_of_simple_arrangements(name: str, d: int, n: int) -> None:
    """Each hyperplane is cut by the others as by n - 1 in general position in dimension d - 1."""
    cells = workload(name)
    assert len(cells) == sum(comb(n, k) for k in range(d + 1))
    found = walls_between(cells)
    assert len(found) == n * sum(comb(n - 1, k) for k in range(d))
    assert len(set(found.ends())) == len(found)
    assert found.in_python == 0


def test_rays_of_an_arrangement_are_too_long_to_be_listed() -> None:
    """So that its walls above were found by patterns."""
    assert all(isinstance(cell, Listed) for cell in workload("w1_d4_n30"))
    assert not any(len(cell.block.rays) for cell in workload("w1_d4_n30")[::1000] if isinstance(cell, Listed))


@pytest.mark.parametrize(
    ("name", "walls"), [("t_d3_H3_N6_ff6_L2", 5763), ("t_d4_H2_N5_ff6_L2", 10973), ("w3_4-8-8-1_all", 7545)]
)
def test_walls_of_deep_networks(name: str, walls: int) -> None:
    """Numbers in Python. In the first two, attention jumps, and a quarter of the cells and more have long rays."""
    found = walls_between(workload(name))
    assert (len(found), len(set(found.ends()))) == (walls, walls)


def test_walls_of_a_deep_network_are_those_in_python() -> None:
    agree(workload("t_d3_H3_N6_ff6_L2"))


def test_a_part_of_a_network_that_jumps_in_four_dimensions() -> None:
    cells = workload("t_d4_H2_N5_ff6_L2")
    agree(cells[100:300])


# What is made, and when


def test_no_wall_and_no_body_before_somebody_asks() -> None:
    cells = tuple(listing(network_of("w1_d2_n50")))
    graph = dual_graph(cells)
    assert len(graph.walls) == 2500
    assert len(linear_regions(graph)) == 1276
    assert not any(hasattr(cell, "_body") or hasattr(cell, "_trail") for cell in cells)
    ends = (graph.walls[7].first, graph.walls[7].second)
    assert sum(hasattr(cell, "_body") for cell in cells) == 1
    assert list(graph.walls.ends())[7] == ends == (int(graph.walls.first[7]), int(graph.walls.second[7]))


def test_walls_are_a_sequence() -> None:
    walls = walls_between(workload("w1_d2_n50"))
    assert walls[-1] == walls[len(walls) - 1]
    assert walls[3:5] == (walls[3], walls[4])
    assert list(walls.ends()) == sorted(walls.ends())
    with pytest.raises(IndexError):
        walls[len(walls)]


def test_many_cells_by_position() -> None:
    cells = [(3 * k, cell) for k, cell in enumerate(workload("w1_d2_n50"))]
    expected = [(3 * one, 3 * two) for one, two in in_python(workload("w1_d2_n50")).ends()]
    assert sorted(joined(cells)) == expected
    assert sorted((wall.first, wall.second) for wall in find_walls(cells)) == expected


def test_lists_that_are_no_lists_of_cells_are_refused() -> None:
    short = [cell for cell in workload("w1_d2_n50")[:3] if isinstance(cell, Listed)]
    with pytest.raises(Inconsistent, match="three cells have the same facet"):
        find([*short, *short, *short])
    long = [cell for cell in workload("w1_d4_n30")[:40] if isinstance(cell, Listed)]
    with pytest.raises(Inconsistent, match="two cells are beyond the same row"):
        find([*long, *long])


def test_a_wall_that_is_not_there_is_refused() -> None:
    walls = Walls(workload("w1_d2_n50"), [0], [1], [~0], [(1, 2, 3)])
    with pytest.raises(Inconsistent, match="no wall"):
        walls[0]


# The compiled parts


@given(st.lists(st.tuples(st.integers(-(2**58), 2**58), st.integers(-(2**62) + 1, 2**62 - 1)), min_size=2, max_size=10))
def test_signs_in_128_bits(pairs: list[tuple[int, int]]) -> None:
    """With a last product that cancels the others, or misses by little."""
    row, ray = ([*column] for column in zip(*pairs, strict=True))
    value = dot(row, ray)
    for last in (-value, 1 - value, -1 - value):
        if abs(last) < 2**62:
            longer = np.array([*row, 1], np.int64), np.array([*ray, last], np.int64)
            expected = (value + last > 0) - (value + last < 0)
            assert kernel._exact(*longer) == expected
    assert kernel._exact(np.array(row, np.int64), np.array(ray, np.int64)) == (value > 0) - (value < 0)


@settings(max_examples=60)
@given(st.integers(1, 4), st.integers(2, 40), st.integers(0, 6), st.randoms(use_true_random=False))
def test_rays_from_rows(dimension: int, bits: int, extra: int, random: Random) -> None:
    """Double description in the kernel's arithmetic finds the rays of a cone, or says that it cannot."""
    width = dimension + 1
    entries = [0, 1, -1] if bits == 2 else range(-(2**bits), 2**bits)
    rows = [tuple(random.choice(entries) for _ in range(width)) for _ in range(width + extra)]
    rows = list(dict.fromkeys(primitive(row) for row in [(1, *[0] * dimension), *rows] if any(row)))
    cone = Cone.of(rows, dimension)
    lines = _rows(len(rows), width)
    lines.ints[:] = rows
    lines.size[:] = [sum(map(abs, row)) for row in rows]
    rays, tight = _rays(kernel.MOST_RAYS, width), np.zeros(kernel.MOST_RAYS, np.uint64)
    count = kernel._double(lines, 0, len(rows), rays, 0, tight, _scratch(width, 1))
    if count < 0:
        assert cone is None or cone.lines or bits > 2
        return
    assert cone is not None
    assert count == len(cone.rays)
    vanishing = {frozenset(row for row in rows if dot(row, ray) == 0) for ray in cone.rays}
    assert {frozenset(row for k, row in enumerate(rows) if int(tight[i]) >> k & 1) for i in range(count)} == vanishing
    short = [i for i in range(count) if rays.chosen[i, 0] < 0]
    assert {tuple(rays.ints[i].tolist()) for i in short} <= set(cone.rays)


@pytest.mark.parametrize("name", ["_bits", "_lowest", "_bit", "_gcd"])
def test_what_stands_in_both_kernels_is_the_same(name: str) -> None:
    """A kernel is one file, because numba notices changes of a function's own file alone; so some lines stand twice."""
    one, two = getattr(kernel, name), getattr(counting_kernel, name)
    assert inspect.getsource(one.py_func) == inspect.getsource(two.py_func)
    assert kernel.WHOLE == counting_kernel.WHOLE

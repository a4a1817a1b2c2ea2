"""The cell at a point: inside every cell, on every wall, on the boundary and beyond it."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings

from exactgeo.cells import Cell, OnWall, cell_at, dual_graph, enumerate_cells
from exactgeo.errors import BadInput, OutsideDomain
from exactgeo.network import Network
from exactgeo.polyhedron.facets import Irredundant, irredundant
from exactgeo.rational.affine import AffineMap
from tests.cells.evidence import check_cell, described
from tests.known.networks import NETWORKS
from tests.oracles import strategies

Document = dict[str, Any]


@settings(max_examples=60)
@given(strategies.documents())
def test_the_cell_at_an_interior_point_is_that_cell(document: Document) -> None:
    network = Network.from_arrays(document)
    for cell in enumerate_cells(network):
        found = cell_at(network, cell.interior_point)
        assert isinstance(found, Cell)
        assert found.interior_point == cell.interior_point
        assert described(found) == described(cell)
        check_cell(network, document, found)


@settings(max_examples=60)
@given(strategies.documents())
def test_a_point_of_a_wall_is_in_no_cell(document: Document) -> None:
    """The two cells differ first in some stage; there, their classes tie, and the answer names a selector that ties."""
    network = Network.from_arrays(document)
    graph = dual_graph(enumerate_cells(network))
    for wall in graph.walls:
        found = cell_at(network, wall.point)
        assert isinstance(found, OnWall)
        names = [selector.name for selector in network.stages[found.stage].selectors]
        one, two = (graph.cells[end].classes for end in (wall.first, wall.second))
        assert one[: found.stage] == two[: found.stage]
        position = next(g for g, (a, b) in enumerate(zip(one[found.stage], two[found.stage], strict=True)) if a != b)
        assert found.selector == names[position]
        assert {*one[found.stage][position], *two[found.stage][position]} <= set(found.tied)
        assert found.tied == network.winners(wall.point)[found.stage][position]


@settings(max_examples=60)
@given(strategies.documents())
def test_the_boundary_is_outside_the_open_domain(document: Document) -> None:
    network = Network.from_arrays(document)
    shape = irredundant(network.domain_rows, network.input_dim)
    assert isinstance(shape, Irredundant)
    inside = shape.at
    for facet in shape.facets:
        with pytest.raises(OutsideDomain, match="on the boundary of the domain") as caught:
            cell_at(network, facet.point)
        assert caught.value.row == facet.row
        beyond = [2 * x - Fraction(y, inside[0]) for x, y in zip(facet.point, inside[1:], strict=True)]
        with pytest.raises(OutsideDomain, match="outside the domain"):
            cell_at(network, beyond)


def test_a_point_of_the_wrong_size() -> None:
    network = Network.from_arrays(NETWORKS["chessboard"]()[0])
    with pytest.raises(BadInput, match="expected a point with 2 coordinates, got 1"):
        cell_at(network, [Fraction(1)])


def test_where_many_walls_meet() -> None:
    """All four keys of the chessboard tie in the origin."""
    network = Network.from_arrays(NETWORKS["chessboard"]()[0])
    assert cell_at(network, [Fraction(0), Fraction(0)]) == OnWall(0, network.stages[0].selectors[0].name, (0, 1, 2, 3))


def test_a_tie_on_a_whole_cell_is_no_wall() -> None:
    """Two equal keys share their cell: the point is inside, and the class has both."""
    network = Network.from_arrays(NETWORKS["tied-keys"]()[0])
    found = cell_at(network, [Fraction(1)])
    assert isinstance(found, Cell)
    assert found.classes[0] == ((0, 1),)
    assert found.map == AffineMap.of([["1/2", 0], ["1/2", 0]])

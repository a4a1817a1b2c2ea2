"""What every listed cell must show, checked by the simplex oracle and by evaluation, not by the method that made it."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import networkx

from exactgeo.cells import Cell, DualGraph, Wall, to_networkx
from exactgeo.network import Network
from exactgeo.polyhedron.facets import irredundant
from exactgeo.polyhedron.lp import NoInterior, check_redundant
from exactgeo.rational.rows import Row, dot, homogeneous, negated
from tests.oracles.forward import forward
from tests.oracles.simplex import Form, strict_point
from tests.oracles.walls import brute_walls

__all__ = ["check_cell", "check_graph", "check_rows", "described", "walls_by_pattern"]


def check_cell(network: Network, document: dict[str, Any], cell: Cell) -> None:
    """The point is inside, and there the network picks the cell's classes and has the cell's map's value."""
    point = cell.interior_point
    at = homogeneous(point)
    assert all(dot(row, at) > 0 for row in cell.rows())
    assert network.winners(point) == cell.classes
    assert tuple(tuple(members[0] for members in stage) for stage in cell.classes) == cell.pattern
    assert network.evaluate(point) == cell.map.at(point) == forward(document, point)[0]


def check_rows(cell: Cell, dimension: int) -> None:
    """The irredundant rows describe the same set as all rows, and none of them can be left out."""
    rows, facets = cell.rows(), cell.irredundant_rows()
    assert len(set(rows)) == len(rows)
    assert len(set(facets)) == len(facets)
    assert set(facets) <= set(rows)
    for k, row in enumerate(facets):  # a point on the row's hyperplane, strictly inside the others
        others = [*facets[:k], *facets[k + 1 :]]
        assert strict_point(dimension, _exact(others), _exact([row])) is not None
    for row in set(rows) - set(facets):  # no point inside the facets beyond the row
        assert strict_point(dimension, _exact([*facets, negated(row)])) is None
    answer = irredundant(rows, dimension)
    assert not isinstance(answer, NoInterior)
    assert {facet.row for facet in answer.facets} == set(facets)
    assert len(answer.facets) + len(answer.redundant) == len(rows)
    for index, proof in answer.redundant.items():
        check_redundant(rows, dimension, index, proof)
        assert {rows[cited] for cited in proof.multipliers} <= set(facets)


def _exact(rows: Iterable[Row]) -> list[Form]:
    return [tuple(map(Fraction, row)) for row in rows]


def described(cell: Cell) -> object:
    """All of a cell that does not depend on the method."""
    return cell.classes, frozenset(cell.rows()), frozenset(cell.irredundant_rows()), cell.map


def walls_by_pattern(cells: tuple[Cell, ...], walls: Iterable[Wall]) -> set[tuple[frozenset[object], Row]]:
    """Each wall as its two patterns and its hyperplane."""
    return {(frozenset((cells[wall.first].pattern, cells[wall.second].pattern)), wall.row) for wall in walls}


def check_graph(document: dict[str, Any], graph: DualGraph) -> None:
    """Every wall of brute force and no other; each point in the wall's relative interior; the graph is connected."""
    dimension = document["input_dim"]
    expected = brute_walls(dimension, [cell.rows() for cell in graph.cells])
    assert {(wall.first, wall.second): wall.row for wall in graph.walls} == expected
    assert len(graph.walls) == len(expected)
    for wall in graph.walls:
        at = homogeneous(wall.point)
        assert dot(wall.row, at) == 0
        for end in (wall.first, wall.second):
            zero = [row for row in graph.cells[end].rows() if dot(row, at) <= 0]
            assert zero in ([wall.row], [tuple(-entry for entry in wall.row)])
    assert networkx.is_connected(to_networkx(graph))

"""The dual graph: cells as nodes, walls as edges.

``DualGraph`` keeps the cells and the ends of all walls; a wall is made on request. ``to_networkx`` makes the
``networkx.Graph``, and ``graph_text`` writes GraphML or JSON. For each wall the graph tells the hyperplane, a point in
the relative interior, whether the map is continuous across, and whether it is the same on both sides.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from exactgeo.cells.cell import Cell
from exactgeo.cells.facing import Wall, vanishes_on
from exactgeo.cells.wall_cores import walls_between
from exactgeo.cells.walls import Walls
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.numbers import spell
from exactgeo.rational.rows import Point

if TYPE_CHECKING:
    import networkx

__all__ = ["GRAPH_SUFFIXES", "DualGraph", "dual_graph", "graph_text", "to_networkx"]

GRAPH_SUFFIXES = (".graphml", ".json")


@dataclass(frozen=True)
class DualGraph:
    """The cells of a network in the order of their enumeration, and every wall between them."""

    cells: tuple[Cell, ...]
    walls: Walls

    @cached_property
    def maps(self) -> tuple[AffineMap, ...]:
        """The affine map of each cell."""
        return tuple(cell.map for cell in self.cells)

    def same_map(self, wall: Wall) -> bool:
        """Whether the map is the same on both sides of the wall."""
        return self.maps[wall.first] == self.maps[wall.second]

    def continuous(self, wall: Wall) -> bool:
        """Whether the two maps agree on the wall."""
        return vanishes_on(wall.row, self.maps[wall.first], self.maps[wall.second])


def dual_graph(cells: Iterable[Cell]) -> DualGraph:
    """The dual graph of all cells of a network: walls inside parents and between them, face to face or not."""
    listed = tuple(cells)
    return DualGraph(listed, walls_between(listed))


def to_networkx(graph: DualGraph) -> "networkx.Graph[int]":
    """Nodes 0, 1, ... with ``pattern, point, map``; edges with ``row, point, continuous, same_map``."""
    import networkx

    made: networkx.Graph[int] = networkx.Graph()
    for position, cell in enumerate(graph.cells):
        made.add_node(position, pattern=cell.pattern, point=cell.interior_point, map=graph.maps[position])
    for wall in graph.walls:
        made.add_edge(
            wall.first,
            wall.second,
            row=wall.row,
            point=wall.point,
            continuous=graph.continuous(wall),
            same_map=graph.same_map(wall),
        )
    return made


def graph_text(graph: DualGraph, suffix: str) -> str:
    """The graph as GraphML (attributes are JSON texts) or as one JSON object of ``nodes`` and ``links``."""
    nodes: list[dict[str, Any]] = [
        {"id": i, "pattern": cell.pattern, "point": _spelled(cell.interior_point), "map": _map(graph.maps[i])}
        for i, cell in enumerate(graph.cells)
    ]
    links: list[dict[str, Any]] = [
        {
            "source": wall.first,
            "target": wall.second,
            "row": [str(entry) for entry in wall.row],
            "point": _spelled(wall.point),
            "continuous": graph.continuous(wall),
            "same_map": graph.same_map(wall),
        }
        for wall in graph.walls
    ]
    if suffix == ".json":
        return json.dumps({"directed": False, "multigraph": False, "nodes": nodes, "links": links}) + "\n"
    import networkx

    made: networkx.Graph[int] = networkx.Graph()
    for node in nodes:
        made.add_node(node["id"], **_flat(node, "id"))
    for link in links:
        made.add_edge(link["source"], link["target"], **_flat(link, "source", "target"))
    return "\n".join(networkx.generate_graphml(made)) + "\n"


def _flat(record: dict[str, Any], *without: str) -> dict[str, Any]:
    """GraphML knows no lists: they are written as JSON texts."""
    return {
        key: value if isinstance(value, bool) else json.dumps(value)
        for key, value in record.items()
        if key not in without
    }


def _spelled(point: Point) -> list[str]:
    return [spell(x) for x in point]


def _map(function: AffineMap) -> list[list[str]]:
    return [_spelled(row) for row in function.fractions()]

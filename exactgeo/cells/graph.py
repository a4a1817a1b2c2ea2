"""The dual graph: cells as nodes, walls as edges.

``DualGraph`` keeps the cells and the ends of all walls; a wall is made on request. ``to_networkx`` makes the
``networkx.Graph``, and ``graph_text`` writes GraphML or JSON. For each wall the graph tells the hyperplane, a point in
the relative interior, whether the map is continuous across, and whether it is the same on both sides; for each cell its
pattern, a point inside, its map and the number of its region.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from exactgeo.cells.cell import Cell
from exactgeo.cells.facing import Wall, vanishes_on
from exactgeo.cells.forest import Forest
from exactgeo.cells.together import check_together
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
    """The cells of a network in the order of their enumeration, and every wall between them.

    Its length is the number of cells, and these are what one gets by going through it.
    """

    cells: tuple[Cell, ...]
    walls: Walls

    def __repr__(self) -> str:
        dimension = f"dimension={self.cells[0].dimension}, " if self.cells else ""
        return f"DualGraph({dimension}cells={len(self.cells)}, walls={len(self.walls)})"

    def __len__(self) -> int:
        return len(self.cells)

    def __iter__(self) -> Iterator[Cell]:
        return iter(self.cells)

    def neighbors(self, position: int) -> tuple[int, ...]:
        """The positions, ascending, of the cells across the walls of the cell at this position."""
        return self._neighbors[position]

    @cached_property
    def _neighbors(self) -> tuple[tuple[int, ...], ...]:
        across: list[list[int]] = [[] for _ in self.cells]
        for one, two in self.walls.ends():
            across[one].append(two)
            across[two].append(one)
        return tuple([tuple(sorted(positions)) for positions in across])

    @cached_property
    def maps(self) -> tuple[AffineMap, ...]:
        """The affine map of each cell."""
        return tuple(cell.map for cell in self.cells)

    @cached_property
    def region_numbers(self) -> tuple[int, ...]:
        """For each cell the number of its region, as ``regions.linear_regions`` orders them: by their first cells."""
        forest = Forest()
        for one, two in self.walls.ends():
            if self.maps[one] == self.maps[two]:
                forest.join(one, two)
        numbers: dict[int, int] = {}
        return tuple([numbers.setdefault(forest.root(k), len(numbers)) for k in range(len(self.cells))])

    def same_map(self, wall: Wall) -> bool:
        """Whether the map is the same on both sides of the wall."""
        return self.maps[wall.first] == self.maps[wall.second]

    def continuous(self, wall: Wall) -> bool:
        """Whether the two maps agree on the wall."""
        return vanishes_on(wall.row, self.maps[wall.first], self.maps[wall.second])


def dual_graph(cells: Iterable[Cell]) -> DualGraph:
    """The dual graph of all cells of a network: walls inside parents and between them, face to face or not.

    ``BadInput`` where cells are of two networks, or one is there twice.
    """
    listed = tuple(cells)
    check_together(listed)
    return DualGraph(listed, walls_between(listed))


def to_networkx(graph: DualGraph) -> "networkx.Graph[int]":
    """Nodes 0, 1, ... with ``pattern, point, map, region``; edges with ``row, point, continuous, same_map``.

    ``region`` is a number, ``continuous`` and ``same_map`` are true or false, and all else is a JSON text, so that
    every writer of networkx takes the graph.
    """
    import networkx

    made: networkx.Graph[int] = networkx.Graph()
    for node in _nodes(graph):
        made.add_node(node.pop("id"), **_flat(node))
    for link in _links(graph):
        made.add_edge(link.pop("source"), link.pop("target"), **_flat(link))
    return made


def graph_text(graph: DualGraph, suffix: str) -> str:
    """The graph as GraphML, as ``to_networkx`` has it, or as one JSON object of ``nodes`` and ``links``."""
    if suffix == ".json":
        nodes, links = list(_nodes(graph)), list(_links(graph))
        return json.dumps({"directed": False, "multigraph": False, "nodes": nodes, "links": links}) + "\n"
    import networkx

    return "\n".join(networkx.generate_graphml(to_networkx(graph))) + "\n"


def _nodes(graph: DualGraph) -> Iterator[dict[str, Any]]:
    for position, cell in enumerate(graph.cells):
        yield {
            "id": position,
            "pattern": cell.pattern,
            "point": _spelled(cell.interior_point),
            "map": [_spelled(row) for row in graph.maps[position].fractions()],
            "region": graph.region_numbers[position],
        }


def _links(graph: DualGraph) -> Iterator[dict[str, Any]]:
    for wall in graph.walls:
        yield {
            "source": wall.first,
            "target": wall.second,
            "row": [spell(entry) for entry in wall.row],
            "point": _spelled(wall.point),
            "continuous": graph.continuous(wall),
            "same_map": graph.same_map(wall),
        }


def _flat(record: dict[str, Any]) -> dict[str, Any]:
    """Lists, which GraphML does not know, as JSON texts."""
    return {key: value if isinstance(value, int) else json.dumps(value) for key, value in record.items()}


def _spelled(point: Point) -> list[str]:
    return [spell(x) for x in point]

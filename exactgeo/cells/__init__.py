"""All stages in turn: cells, the cell at a point, walls and the dual graph."""

from exactgeo.cells.cell import Cell, Pattern
from exactgeo.cells.enumerate import METHODS, Method, choose_method, count_cells, enumerate_cells
from exactgeo.cells.graph import DualGraph, dual_graph, to_networkx
from exactgeo.cells.locate import OnWall, cell_at
from exactgeo.cells.walls import Wall

__all__ = [
    "METHODS",
    "Cell",
    "DualGraph",
    "Method",
    "OnWall",
    "Pattern",
    "Wall",
    "cell_at",
    "choose_method",
    "count_cells",
    "dual_graph",
    "enumerate_cells",
    "to_networkx",
]

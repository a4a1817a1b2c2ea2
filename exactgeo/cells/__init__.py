"""All stages in turn: cells, the cell at a point, walls and the dual graph."""

from exactgeo.cells.cell import Cell, Pattern
from exactgeo.cells.choice import METHODS, Method, choose_method
from exactgeo.cells.enumerate import count_cells, enumerate_cells
from exactgeo.cells.facing import Wall
from exactgeo.cells.graph import DualGraph, dual_graph, to_networkx
from exactgeo.cells.locate import OnWall, cell_at

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

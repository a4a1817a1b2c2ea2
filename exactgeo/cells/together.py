"""Whether cells belong together: walls and regions mean something for cells of one network, each once.

Two cells are of the same network if they have the same domain and the same stages behind them, as values: cells may
have been pickled in between, or the network read twice. Among these, a cell is told by its pattern. Any of the cells,
in any order, are fine.
"""

from collections.abc import Sequence

from exactgeo.cells.cell import Cell
from exactgeo.cells.listed import runs
from exactgeo.errors import BadInput
from exactgeo.polyhedron.short import short

__all__ = ["check_together"]


def check_together(cells: Sequence[Cell]) -> None:
    """Raise ``BadInput`` where cells are of two networks, or a cell is there twice."""
    for position, cell in enumerate(cells):
        if not isinstance(cell, Cell):
            raise BadInput(f"expected cells, got one of type {type(cell).__name__} at {position}")
    known: set[tuple[int, ...]] = set()
    names: set[object] = set()
    at = 0
    for run in runs(cells):
        key = (id(run.domain), *map(id, run.stages))
        if key not in known:
            known.add(key)
            _same_network(cells[0], cells[at], at)
        names.update(run.names)
        at += len(run.names)
    if len(names) < len(cells):
        _refuse_twice(cells)


def _same_network(first: Cell, cell: Cell, position: int) -> None:
    if len(cell.stages) != len(first.stages):
        numbers = f"{len(first.stages)} and {len(cell.stages)}"
        raise BadInput(f"cells 0 and {position} are of different numbers of stages, {numbers}")
    if (cell.domain, cell.stages) != (first.domain, first.stages):
        raise BadInput(f"cells 0 and {position} are of different networks")


def _refuse_twice(cells: Sequence[Cell]) -> None:
    places: dict[object, int] = {}
    for position, cell in enumerate(cells):
        before = places.setdefault(cell.pattern, position)
        if before != position:
            raise BadInput(
                f"cells {before} and {position} are the same, with the pattern {short(cell.pattern)}: "
                f"the cells of one enumeration are wanted, each once"
            )

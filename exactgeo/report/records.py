"""Cells as JSON objects; numbers are integers or texts "p/q", so nothing is rounded."""

from typing import Any

from exactgeo.cells import Cell
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.numbers import spell

__all__ = ["cell_record", "spelled_map"]


def cell_record(cell: Cell, all_rows: bool = False) -> dict[str, Any]:
    """``pattern``: for each stage the winners, a list [i, j, ...] where these tie on the whole cell; ``rows``: [b, a].

    The cell is the set of points with b + a.x > 0 for all rows: those of its facets, or with ``all_rows`` those that
    define it, one for each candidate that does not win. ``map`` has a row [b, a] for each output.
    """
    rows = cell.rows() if all_rows else cell.irredundant_rows()
    return {
        "pattern": [[one[0] if len(one) == 1 else list(one) for one in stage] for stage in cell.classes],
        "rows": [[spell(entry) for entry in row] for row in rows],
        "map": spelled_map(cell.map),
        "point": [spell(x) for x in cell.interior_point],
    }


def spelled_map(function: AffineMap) -> list[list[str]]:
    """The rational rows (b, a) of a map as texts."""
    return [[spell(entry) for entry in row] for row in function.fractions()]

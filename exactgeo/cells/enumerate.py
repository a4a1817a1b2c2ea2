"""Every cell of a network, stage by stage, each parent refined by its next stage.

Let C be a cell of the first l stages and f the affine map of these stages on C. The scores of stage l+1, pulled back
along f, are affine forms on C, so the cells of stage l+1 inside C are those of selectors on one convex parent, which
``partition`` lists. Every point off the walls has one pattern, so the children of all parents are all cells of l+1
stages, each once. Nothing is assumed of f: it may jump between parents and collapse a parent to a line.

Two methods list the children of a parent. ``split`` cuts it, hyperplane by hyperplane; ``search`` walks the adjacency
graph of the children on their H-representations by exact linear programs. One checks the other. Both are depth first
over stages and stream.

Both have several cores (``cells.cores``); ``cells.choice`` chooses.
"""

from collections.abc import Iterator

from exactgeo.cells.cell import Cell
from exactgeo.cells.choice import Method, choose_method
from exactgeo.cells.cores import CellCore, cell_core
from exactgeo.cells.node import root
from exactgeo.network import Staged

__all__ = ["count_cells", "enumerate_cells"]


def enumerate_cells(
    network: Staged,
    method: Method | None = None,
    stages: int | None = None,
    core: CellCore | str | None = None,
    limit: int | None = None,
    workers: int = 1,
) -> Iterator[Cell]:
    """Every cell, each once, in an order that depends on the network and the method alone, however many ``workers``.

    With ``stages``, the cells of the first so many stages only; with a ``limit``, the work may end once there are more
    cells. ``core`` is who works: one that ``cells.cores.cell_core`` has given, or a name; None is to choose.
    """
    depth = len(network.stages) if stages is None else stages
    if depth:
        yield from _worker(network, method, core).cells(depth, limit, workers)
    else:
        yield root(network, method or choose_method(network))


def count_cells(
    network: Staged,
    method: Method | None = None,
    core: CellCore | str | None = None,
    limit: int | None = None,
    workers: int = 1,
) -> Iterator[int]:
    """The number of cells, in instalments that add up to it: the last cells are counted without building them.

    Each instalment is proved as it comes, so that whoever stops early has a lower bound; with a ``limit`` the work may
    end once there are more cells. ``core`` as above.
    """
    return _worker(network, method, core).count(limit, workers)


def _worker(network: Staged, method: Method | None, core: CellCore | str | None) -> CellCore:
    return cell_core(network, method, core) if core is None or isinstance(core, str) else core

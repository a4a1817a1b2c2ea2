"""Every cell of a network, stage by stage, each parent refined by its next stage.

Let C be a cell of the first l stages and f the affine map of these stages on C. The scores of stage l+1, pulled back
along f, are affine forms on C, so the cells of stage l+1 inside C are those of selectors on one convex parent, which
``partition`` lists. Every point off the walls has one pattern, so the children of all parents are all cells of l+1
stages, each once. Nothing is assumed of f: it may jump between parents and collapse a parent to a line.

Two methods list the children of a parent. ``split`` cuts its generators, hyperplane by hyperplane; ``search`` walks the
adjacency graph of the children on their H-representations by exact linear programs. They share no geometry, so one
checks the other. Both are depth first over stages and stream: beside the parents on the path, split keeps a few cones,
search the winners seen in one parent.

Split has several cores (``cells.cores``), which list the same cells in the same order; ``cells.choice`` chooses.
"""

from collections.abc import Iterator

from exactgeo.cells.cell import Cell, Settled
from exactgeo.cells.choice import Method, choose_method
from exactgeo.cells.cores import CellCore, cell_core
from exactgeo.cells.node import pull_back, root, root_node
from exactgeo.errors import BadInput
from exactgeo.network import Staged
from exactgeo.partition.search import Facetted, search

__all__ = ["count_cells", "enumerate_cells"]


def enumerate_cells(
    network: Staged,
    method: Method | None = None,
    stages: int | None = None,
    core: CellCore | str | None = None,
) -> Iterator[Cell]:
    """Every cell, each once, in an order that depends on the network and the method alone.

    With ``stages``, the cells of the first so many stages only. ``core`` is who splits: one that is ready, as
    ``cells.cores.core_for`` gives it, or a name; None is to choose.
    """
    depth = len(network.stages) if stages is None else stages
    chosen = method or choose_method(network)
    worker = _worker(network, chosen, core)
    if not depth:
        yield root(network, chosen)
    elif worker is None:
        yield from _searched(network, depth)
    else:
        yield from worker.cells(root_node(network), depth)


def count_cells(network: Staged, method: Method | None = None, core: CellCore | str | None = None) -> Iterator[int]:
    """The number of cells, in instalments that add up to it: the last cells are counted without building them.

    Each instalment is proved as it comes, so that whoever stops early has a lower bound. ``core`` as above.
    """
    worker = _worker(network, method or choose_method(network), core)
    if worker is not None:
        yield from worker.count(root_node(network))
        return
    for _ in _searched(network, len(network.stages)):
        yield 1


def _worker(network: Staged, method: Method, core: CellCore | str | None) -> CellCore | None:
    """Who splits; None where nobody does."""
    if method == "search":
        if core is not None:
            raise BadInput("cores split cells: the method search has none")
        return None
    return cell_core(network, core) if core is None or isinstance(core, str) else core


def _searched(network: Staged, depth: int) -> Iterator[Cell]:
    """The cells of the first stages by search, depth first over stages."""
    stack: list[Iterator[Cell]] = [iter([root(network, "search")])]
    while stack:
        cell = next(stack[-1], None)
        if cell is None:
            stack.pop()
        elif len(cell.trail) == depth:
            yield cell
        else:
            stack.append(_children(network, cell))


def _children(network: Staged, cell: Cell) -> Iterator[Cell]:
    """The cells of the next stage inside a cell."""
    if not isinstance(cell.body, Facetted):
        raise TypeError(f"search refines facets, not {type(cell.body).__name__}")
    pulled = pull_back(network, cell)
    for won, body in search(cell.body, pulled.selectors):
        yield Cell(cell.domain, (*cell.trail, Settled(pulled, won)), body)

"""Cells in Python, stage by stage, each parent refined by its next stage, in integers of any length.

This is the readable reference, the oracle of the tests, and what works where the native core was not built.
"""

from collections.abc import Iterator

from exactgeo.cells.cell import Cell, Settled
from exactgeo.cells.choice import Method
from exactgeo.cells.node import Node, node_in, pull_back, root, root_node
from exactgeo.network import Staged
from exactgeo.partition.search import Facetted, search
from exactgeo.partition.split import count, split

__all__ = ["PythonCore"]


class PythonCore:
    """A core (``cells.cores``) that is ready at once. Beside the parents on the path split keeps a few cones, search
    the winners seen in one parent."""

    def __init__(self, network: Staged, method: Method) -> None:
        self.network = network
        self.method = method

    @property
    def way(self) -> str:
        return f"{self.method} in Python"

    def report(self) -> None:
        return

    @property
    def joins(self) -> bool:
        return False

    @property
    def joined(self) -> None:
        return None

    def regions(self, limit: int | None = None, workers: int = 1) -> Iterator[int]:
        raise TypeError("in Python, regions are joined from listed cells")

    def count(self, limit: int | None = None, workers: int = 1) -> Iterator[int]:
        last = len(self.network.stages) - 1
        if self.method == "search":
            for _ in self.cells(last + 1):
                yield 1
        elif last == 0:
            yield from _counted(root_node(self.network))
        else:
            for parent in self.cells(last):
                yield from _counted(node_in(self.network, parent))

    def cells(self, stages: int, limit: int | None = None, workers: int = 1) -> Iterator[Cell]:
        stack: list[Iterator[Cell]] = [iter([root(self.network, self.method)])]
        while stack:
            cell = next(stack[-1], None)
            if cell is None:
                stack.pop()
            elif len(cell.trail) == stages:
                yield cell
            elif self.method == "split":
                stack.append(_children(node_in(self.network, cell)))
            else:
                stack.append(_searched(self.network, cell))


def _counted(node: Node) -> Iterator[int]:
    """The number of cells of the next stage in a node: the last of them are counted without building them."""
    return count(node.cone, node.pulled.selectors, node.path)


def _children(node: Node) -> Iterator[Cell]:
    """The cells of the next stage in a node."""
    for won, cone in split(node.cone, node.pulled.selectors, node.path):
        yield Cell(node.cell.domain, (*node.cell.trail, Settled(node.pulled, won)), cone)


def _searched(network: Staged, cell: Cell) -> Iterator[Cell]:
    """The same by search."""
    if not isinstance(cell.body, Facetted):
        raise TypeError(f"search refines facets, not {type(cell.body).__name__}")
    pulled = pull_back(network, cell)
    for won, body in search(cell.body, pulled.selectors):
        yield Cell(cell.domain, (*cell.trail, Settled(pulled, won)), body)

"""Cells below a node in Python: stage by stage, each parent split by its next stage, in integers of any length."""

from collections.abc import Iterator

from exactgeo.cells.cell import Cell, Settled
from exactgeo.cells.node import Node, node_in
from exactgeo.network import Staged
from exactgeo.partition.split import count, split

__all__ = ["PythonCore"]


class PythonCore:
    """A core (``cells.cores``) that is ready at once. Beside the parents on the path it keeps a few cones."""

    arrays = False

    def __init__(self, network: Staged) -> None:
        self.network = network

    def ready(self) -> None:
        return

    def report(self) -> None:
        return

    def count(self, node: Node) -> Iterator[int]:
        last = len(self.network.stages) - 1
        if len(node.cell.trail) == last:
            yield from _counted(node)
            return
        for parent in self.cells(node, last):
            yield from _counted(node_in(self.network, parent))

    def cells(self, node: Node, stages: int) -> Iterator[Cell]:
        stack = [_children(node)]
        while stack:
            cell = next(stack[-1], None)
            if cell is None:
                stack.pop()
            elif len(cell.trail) == stages:
                yield cell
            else:
                stack.append(_children(node_in(self.network, cell)))


def _counted(node: Node) -> Iterator[int]:
    """The number of cells of the next stage in a node: the last of them are counted without building them."""
    return count(node.cone, node.pulled.selectors, node.path)


def _children(node: Node) -> Iterator[Cell]:
    """The cells of the next stage in a node."""
    for won, cone in split(node.cone, node.pulled.selectors, node.path):
        yield Cell(node.cell.domain, (*node.cell.trail, Settled(node.pulled, won)), cone)

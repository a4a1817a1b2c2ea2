"""Nodes: a part of a cell, to be refined by the next stage. It is what split in Python works on."""

from dataclasses import dataclass

from exactgeo.cells.cell import Cell
from exactgeo.cells.choice import Method
from exactgeo.errors import Inconsistent
from exactgeo.network import Staged
from exactgeo.network.stages import PulledStage, homogeneous_matrix
from exactgeo.partition.search import Facetted
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.affine import AffineMap

__all__ = ["Node", "node_in", "pull_back", "root", "root_node"]


@dataclass(frozen=True, slots=True)
class Node:
    """A cone inside a cell of the stages before, to be split by the next stage; ``path`` as in ``partition.split``."""

    cell: Cell
    pulled: PulledStage
    cone: Cone
    path: int = 1


def root(network: Staged, method: Method) -> Cell:
    """The domain as a cell of no stages."""
    domain, dimension = network.domain_rows, network.input_dim
    matrix = homogeneous_matrix(AffineMap.identity(dimension))
    if method == "search":
        return Cell(domain, (), Facetted.of(domain, dimension), matrix)
    cone = Cone.of(domain, dimension)
    if cone is None:
        raise Inconsistent("a network's domain has no interior")
    return Cell(domain, (), cone, matrix)


def pull_back(network: Staged, cell: Cell) -> PulledStage:
    """The cell's next stage in input coordinates."""
    return network.stages[len(cell.trail)].pull_back(cell.matrix)


def node_in(network: Staged, cell: Cell) -> Node:
    """All of a cell, where its next stage begins."""
    if not isinstance(cell.body, Cone):
        raise TypeError(f"split refines cones, not {type(cell.body).__name__}")
    return Node(cell, pull_back(network, cell), cell.body.trimmed())


def root_node(network: Staged) -> Node:
    """The domain, where the first stage begins."""
    return node_in(network, root(network, "split"))

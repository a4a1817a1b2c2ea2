"""Every cell of a network, stage by stage, each parent refined by its next stage.

Let C be a cell of the first l stages and f the affine map of these stages on C. The scores of stage l+1, pulled back
along f, are affine forms on C, so the cells of stage l+1 inside C are those of selectors on one convex parent, which
``partition`` lists. Every point off the walls has one pattern, so the children of all parents are all cells of l+1
stages, each once. Nothing is assumed of f: it may jump between parents and collapse a parent to a line.

Two methods list the children of a parent. ``split`` cuts its generators, hyperplane by hyperplane; ``search`` walks the
adjacency graph of the children on their H-representations by exact linear programs. They share no geometry, so one
checks the other. Both are depth first over stages and stream: beside the parents on the path, split keeps a few cones,
search the winners seen in one parent.
"""

from collections.abc import Iterator
from typing import Literal

from exactgeo.cells.cell import Cell, Settled
from exactgeo.errors import Inconsistent
from exactgeo.network import Network
from exactgeo.network.stages import PulledStage, homogeneous_matrix
from exactgeo.partition.search import Facetted, search
from exactgeo.partition.split import count, split
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.affine import AffineMap

__all__ = [
    "METHODS",
    "MOST_GENERATORS",
    "Method",
    "choose_method",
    "count_cells",
    "enumerate_cells",
    "pull_back",
    "root",
]

Method = Literal["split", "search"]
METHODS: tuple[Method, ...] = ("split", "search")

MOST_GENERATORS = 300
"""Split keeps generators; a domain with more of them is left to search.

That is so from the cube in dimension 9 on. With six units split takes 0.13 s there in dimension 8, 4 s in dimension 9
and 14 s in dimension 10, search 0.7 s, 1.2 s and 1.2 s.
"""


def choose_method(network: Network) -> Method:
    """Split where the domain has few generators, else search."""
    return "search" if Cone.of(network.domain_rows, network.input_dim, MOST_GENERATORS) is None else "split"


def enumerate_cells(network: Network, method: Method | None = None, stages: int | None = None) -> Iterator[Cell]:
    """Every cell, each once, in an order that depends on the network and the method alone.

    With ``stages``, the cells of the first so many stages only.
    """
    chosen = method or choose_method(network)
    refine = _by_split if chosen == "split" else _by_search
    depth = len(network.stages) if stages is None else stages
    stack: list[Iterator[Cell]] = [iter([root(network, chosen)])]
    while stack:
        cell = next(stack[-1], None)
        if cell is None:
            stack.pop()
        elif len(cell.trail) == depth:
            yield cell
        else:
            stack.append(refine(cell, pull_back(network, cell)))


def count_cells(network: Network, method: Method | None = None) -> Iterator[int]:
    """The number of cells, in instalments that add up to it: listing without building the last cells.

    Each instalment is proved as it comes, so that whoever stops early has a lower bound.
    """
    chosen = method or choose_method(network)
    if chosen == "search":
        for _ in enumerate_cells(network, chosen):
            yield 1
        return
    for parent in enumerate_cells(network, chosen, len(network.stages) - 1):
        yield from count(_cone(parent), pull_back(network, parent).selectors)


def root(network: Network, method: Method) -> Cell:
    """The domain as a cell of no stages."""
    domain, dimension = network.domain_rows, network.input_dim
    matrix = homogeneous_matrix(AffineMap.identity(dimension))
    if method == "search":
        return Cell(domain, (), Facetted.of(domain, dimension), matrix)
    cone = Cone.of(domain, dimension)
    if cone is None:
        raise Inconsistent("a network's domain has no interior")
    return Cell(domain, (), cone, matrix)


def pull_back(network: Network, cell: Cell) -> PulledStage:
    """The cell's next stage in input coordinates."""
    return network.stages[len(cell.trail)].pull_back(cell.matrix)


def _cone(cell: Cell) -> Cone:
    if not isinstance(cell.body, Cone):
        raise TypeError(f"split refines cones, not {type(cell.body).__name__}")
    return cell.body.trimmed()


def _by_split(cell: Cell, pulled: PulledStage) -> Iterator[Cell]:
    for won, cone in split(_cone(cell), pulled.selectors):
        yield Cell(cell.domain, (*cell.trail, Settled(pulled, won)), cone)


def _by_search(cell: Cell, pulled: PulledStage) -> Iterator[Cell]:
    if not isinstance(cell.body, Facetted):
        raise TypeError(f"search refines facets, not {type(cell.body).__name__}")
    for won, body in search(cell.body, pulled.selectors):
        yield Cell(cell.domain, (*cell.trail, Settled(pulled, won)), body)

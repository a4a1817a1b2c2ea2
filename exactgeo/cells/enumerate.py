"""Every cell of a network, stage by stage, each parent refined by its next stage.

Let C be a cell of the first l stages and f the affine map of these stages on C. The scores of stage l+1, pulled back
along f, are affine forms on C, so the cells of stage l+1 inside C are those of selectors on one convex parent, which
``partition`` lists. Every point off the walls has one pattern, so the children of all parents are all cells of l+1
stages, each once. Nothing is assumed of f: it may jump between parents and collapse a parent to a line.

Two methods list the children of a parent. ``split`` cuts its generators, hyperplane by hyperplane; ``search`` walks the
adjacency graph of the children on their H-representations by exact linear programs. They share no geometry, so one
checks the other. Both are depth first over stages and stream: beside the parents on the path, split keeps a few cones,
search the winners seen in one parent.

Split has a compiled kernel (``cells.kernel``), which does the same in the same order. It is used where a network may
have many cells; loading it takes about a second.
"""

from collections.abc import Iterator
from math import comb, prod
from typing import TYPE_CHECKING, Literal

from exactgeo.cells.cell import Cell, Settled
from exactgeo.errors import BadInput, Inconsistent
from exactgeo.network import Staged
from exactgeo.network.stages import PulledStage, homogeneous_matrix
from exactgeo.partition.search import Facetted, search
from exactgeo.partition.split import count, split
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.affine import AffineMap

if TYPE_CHECKING:
    from exactgeo.cells.compiled import Compiled, Node

__all__ = [
    "FEW_CELLS",
    "METHODS",
    "MOST_GENERATORS",
    "Method",
    "choose_method",
    "count_cells",
    "enumerate_cells",
    "kernel_fits",
    "kernel_for",
    "most_cells",
    "pull_back",
    "root",
    "root_node",
]

Method = Literal["split", "search"]
METHODS: tuple[Method, ...] = ("split", "search")

MOST_GENERATORS = 300
"""Split keeps generators; a domain with more of them is left to search.

That is so from the cube in dimension 9 on. With six units split takes 0.13 s there in dimension 8, 4 s in dimension 9
and 14 s in dimension 10, search 0.7 s, 1.2 s and 1.2 s.
"""


FEW_CELLS = 1000
"""A network that cannot have more cells is done before the kernel would be loaded."""

KERNEL_DIMENSIONS, KERNEL_CANDIDATES, KERNEL_ENTRIES = 9, 63, 4_000_000
"""The kernel's limits: input dimensions, candidates of a selector, numbers in the arrays of a network."""


def most_cells(network: Staged) -> int:
    """An upper bound on the number of cells, without looking at weights.

    A stage cuts a parent by at most n hyperplanes, one for each two candidates of a selector, into at most the sum of
    binomials (n, 0) + ... + (n, d) parts (Schläfli), and has at most as many patterns as choices of candidates.
    """
    bound = 1
    for stage in network.stages:
        sizes = [len(selector.candidates) for selector in stage.selectors]
        planes = sum(comb(size, 2) for size in sizes)
        bound *= min(prod(sizes), sum(comb(planes, k) for k in range(network.input_dim + 1)))
    return bound


def kernel_fits(network: Staged, method: Method | None = None) -> bool:
    """Whether the network keeps to the limits of the kernels."""
    if (method or choose_method(network)) != "split":
        return False
    stages = network.stages
    if network.input_dim > KERNEL_DIMENSIONS:
        return False
    if any(len(selector.candidates) > KERNEL_CANDIDATES for stage in stages for selector in stage.selectors):
        return False
    entries = [(stage.input_dim + 1) * len(stage.forms.rows) for stage in stages]
    entries += [(stage.input_dim + 1 + stage.mix.input_dim) * stage.output_dim for stage in stages[:-1]]
    return len(stages) * max(entries) <= KERNEL_ENTRIES


def kernel_for(network: Staged, method: Method | None = None) -> "Compiled | None":
    """The compiled kernel, loaded, for the cells of this network; None where it does not pay or does not fit."""
    if most_cells(network) <= FEW_CELLS or not kernel_fits(network, method):
        return None
    try:
        from exactgeo.cells.compiled import Compiled
    except RuntimeError as error:  # numba's, while it looks for its cache
        raise BadInput(f"set NUMBA_CACHE_DIR to a folder for compiled code that can be written: {error}") from None
    return Compiled(network).ready()


def choose_method(network: Staged) -> Method:
    """Split where the domain has few generators, else search."""
    return "search" if Cone.of(network.domain_rows, network.input_dim, MOST_GENERATORS) is None else "split"


def enumerate_cells(
    network: Staged,
    method: Method | None = None,
    stages: int | None = None,
    kernel: "Compiled | Literal[False] | None" = None,
) -> Iterator[Cell]:
    """Every cell, each once, in an order that depends on the network and the method alone.

    With ``stages``, the cells of the first so many stages only. ``kernel`` is that of ``kernel_for``, if the caller has
    it already; False is to do without.
    """
    chosen = method or choose_method(network)
    depth = len(network.stages) if stages is None else stages
    compiled = kernel_for(network, chosen) if kernel is None else kernel
    if compiled and depth:
        yield from compiled.cells(root_node(network), depth)
        return
    refine = _by_split if chosen == "split" else _by_search
    stack: list[Iterator[Cell]] = [iter([root(network, chosen)])]
    while stack:
        cell = next(stack[-1], None)
        if cell is None:
            stack.pop()
        elif len(cell.trail) == depth:
            yield cell
        else:
            stack.append(refine(cell, pull_back(network, cell)))


def count_cells(
    network: Staged, method: Method | None = None, kernel: "Compiled | Literal[False] | None" = None
) -> Iterator[int]:
    """The number of cells, in instalments that add up to it: the last cells are counted without building them.

    Each instalment is proved as it comes, so that whoever stops early has a lower bound. ``kernel`` as above.
    """
    chosen = method or choose_method(network)
    compiled = kernel_for(network, chosen) if kernel is None else kernel
    if compiled:
        yield from compiled.count(root_node(network))
        return
    if chosen == "search":
        for _ in enumerate_cells(network, chosen):
            yield 1
        return
    for parent in enumerate_cells(network, chosen, len(network.stages) - 1, kernel=False):
        yield from count(_cone(parent), pull_back(network, parent).selectors)


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


def root_node(network: Staged) -> "Node":
    """The same as what goes into the compiled kernel, with the first stage."""
    from exactgeo.cells.compiled import Node

    top = root(network, "split")
    return Node(top, pull_back(network, top), _cone(top))


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

"""The plain textbook search, as a yardstick: breadth-first over cells, one exact redundancy removal for each.

Stage by stage, inside each convex parent: take a cell, write down all its rows, let cddlib (``cdd.gmp``, exact
rationals) remove the redundant ones, step across each row that remains, look the neighbour up. This is the common way
to enumerate arrangements and ReLU networks, made right for every position:

- Positive multiples of a row are written once, because cddlib calls *both* copies of a repeated row redundant.
- The neighbour across a row is the pattern at p + eps*n, for p in the relative interior of the facet and n pointing
  outwards. At such a p exactly those classes tie with the winner whose row is the facet's own, so p need not be
  computed: each selector with a tie turns to the tied class that is steepest along n.

It is not made slow on purpose: rows are matched to facets by one dictionary, a parent passes on its irredundant rows
only, and there is one linear program for each parent (a point for its first cell), none for a cell. Nearly all its time
is spent inside cddlib. Networks are read, and stages pulled back, by exactgeo as for every other method measured.

>>> lines = {"type": "linear", "weight": [[1, 0], [0, 1], [1, 1]]}
>>> concurrent = Network.from_arrays({"input_dim": 2, "layers": [lines, {"type": "relu"}]})
>>> len(set(textbook_cells(concurrent)))
6
"""

from collections import deque
from collections.abc import Iterator, Sequence

import cdd
from cdd import gmp
from flint import fmpz_mat

from exactgeo.cells import Pattern
from exactgeo.cells.cell import Settled
from exactgeo.network import Network
from exactgeo.network.stages import homogeneous_matrix
from exactgeo.partition.selectors import Classes, Winners, difference, winners_near
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Point, Row, dot, is_constant

__all__ = ["textbook_cells"]

Ties = dict[Row, list[tuple[int, int]]]
"""For each row of a cell the pairs (selector, losing class) that it comes from."""


def textbook_cells(network: Network) -> Iterator[Pattern]:
    """The pattern of every cell, each once."""
    identity = homogeneous_matrix(AffineMap.identity(network.input_dim))
    parents: deque[tuple[Pattern, list[Row], fmpz_mat]] = deque([((), _irredundant(network.domain_rows), identity)])
    for depth, stage in enumerate(network.stages, 1):
        for _ in range(len(parents)):
            pattern, rows, inner = parents.popleft()
            pulled = stage.pull_back(inner)
            for winners, cell_rows in _cells_of_one_stage(rows, pulled.selectors, network.input_dim):
                settled = Settled(pulled, winners)
                if depth == len(network.stages):
                    yield (*pattern, settled.names())
                else:
                    parents.append(((*pattern, settled.names()), cell_rows, settled.outer()))


def _cells_of_one_stage(
    parent: Sequence[Row], selectors: Sequence[Classes], dimension: int
) -> Iterator[tuple[Winners, list[Row]]]:
    """Every cell of the selectors inside the parent: its winners and its irredundant rows."""
    fixed = frozenset(parent)
    first = winners_near(_interior_point(parent, dimension), selectors)
    seen = {first}
    queue = deque([first])
    while queue:
        winners = queue.popleft()
        ties = _ties(winners, selectors)
        rows = _irredundant([*parent, *(row for row in ties if row not in fixed)])
        yield winners, rows
        for row in rows:
            if row not in fixed:
                beyond = _beyond(winners, row, ties[row], selectors)
                if beyond not in seen:
                    seen.add(beyond)
                    queue.append(beyond)


def _ties(winners: Winners, selectors: Sequence[Classes]) -> Ties:
    ties: Ties = {}
    for g, (classes, w) in enumerate(zip(selectors, winners, strict=True)):
        for i, score in enumerate(classes.rows):
            if i != w:
                row = difference(classes.rows[w], score)
                if not is_constant(row):
                    ties.setdefault(row, []).append((g, i))
    return ties


def _beyond(winners: Winners, row: Row, tied: Sequence[tuple[int, int]], selectors: Sequence[Classes]) -> Winners:
    """The winners at p + eps*n: of the classes that tie on the facet, the steepest along n = -a."""
    outwards = (0, *[-entry for entry in row[1:]])
    found = list(winners)
    for g, i in tied:
        if dot(selectors[g].rows[i], outwards) > dot(selectors[g].rows[found[g]], outwards):
            found[g] = i
    return tuple(found)


def _irredundant(rows: Sequence[Row]) -> list[Row]:
    """The rows that carry facets; ``rows`` are primitive and distinct, and their polyhedron has an interior."""
    distinct = list(dict.fromkeys(rows))
    if not distinct:
        return []
    redundant = gmp.redundant_rows(gmp.matrix_from_array(distinct, rep_type=cdd.RepType.INEQUALITY))
    return [row for k, row in enumerate(distinct) if k not in redundant]


def _interior_point(rows: Sequence[Row], dimension: int) -> Point:
    """Maximise t subject to b + a.x >= t for all rows, and t <= 1."""
    inequalities = [[*row, -1] for row in rows]
    bound = [1, *[0] * dimension, -1]
    objective = [0, *[0] * dimension, 1]
    program = gmp.linprog_from_array([*inequalities, bound, objective], obj_type=cdd.LPObjType.MAX)
    gmp.linprog_solve(program)
    if program.status != cdd.LPStatusType.OPTIMAL or program.obj_value <= 0:
        raise ArithmeticError(f"no interior point in the rows {list(rows)}")
    return tuple(program.primal_solution[:-1])

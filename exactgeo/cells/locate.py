"""The cell at a point.

Follow the point through the stages. In each, either one class of candidates has the largest score, and the point is
inside that class's cell, or several different classes tie and the point lies on a wall: then no cell contains it, and
the answer names the first stage and selector that tie.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from exactgeo.cells.cell import Cell, Settled
from exactgeo.errors import OutsideDomain
from exactgeo.network import Network
from exactgeo.network.stages import homogeneous_matrix
from exactgeo.partition.search import Facetted
from exactgeo.polyhedron.cone import Face
from exactgeo.polyhedron.short import short
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.numbers import Number, exact_point
from exactgeo.rational.rows import Row, dot, homogeneous

__all__ = ["OnWall", "cell_at"]


@dataclass(frozen=True, slots=True)
class OnWall:
    """The point lies on a wall: candidates ``tied`` of a selector share the largest score but are not identical."""

    stage: int
    selector: str
    tied: tuple[int, ...]

    def __repr__(self) -> str:
        return f"OnWall(stage={self.stage}, selector={short(self.selector)!r}, tied={short(self.tied)})"


@dataclass(frozen=True, slots=True)
class _Pointed:
    """The shape of a cell known by one interior point; its facets are computed on request."""

    inside: Row
    cell_rows: tuple[Row, ...]

    def interior(self) -> Row:
        return self.inside

    def faces(self) -> list[Face]:
        return Facetted.of(self.cell_rows, len(self.inside) - 1).faces()


def cell_at(network: Network, point: Iterable[Number]) -> Cell | OnWall:
    """The cell that contains a point of the domain's interior, or the wall that it lies on."""
    at = homogeneous(exact_point(point, network.input_dim))
    for row in network.domain_rows:
        if dot(row, at) <= 0:
            raise OutsideDomain(row, on_boundary=dot(row, at) == 0)
    trail: list[Settled] = []
    matrix = homogeneous_matrix(AffineMap.identity(network.input_dim))
    for number, stage in enumerate(network.stages):
        pulled = stage.pull_back(matrix)
        won = []
        for selector, classes in zip(stage.selectors, pulled.selectors, strict=True):
            values = [dot(row, at) for row in classes.rows]
            most = max(values)
            best = [i for i, value in enumerate(values) if value == most]
            if len(best) > 1:
                return OnWall(number, selector.name, tuple(sorted(j for i in best for j in classes.members[i])))
            won.append(best[0])
        trail.append(Settled(pulled, tuple(won)))
        matrix = trail[-1].outer()
    rows = Cell(network.domain_rows, tuple(trail), _Pointed(at, ())).rows()
    return Cell(network.domain_rows, tuple(trail), _Pointed(at, rows), matrix)

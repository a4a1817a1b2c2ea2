"""A cell: the inputs inside the domain with one pattern, with everything one may ask of it.

A cell is an open convex polyhedron with an interior, on which every selector of every stage has one winning class and
the network is one affine map. The cell keeps the trail that led to it: for each stage the pulled-back stage, the
classes of its selectors, and the winners. Rows, map and facets are derived on request, so that counting pays for none.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from flint import fmpz_mat

from exactgeo.network.stages import PulledStage, Stage
from exactgeo.partition.selectors import Classes, Winners, difference
from exactgeo.polyhedron.cone import Face, point_of
from exactgeo.polyhedron.short import short
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Point, Row, is_constant

if TYPE_CHECKING:
    from exactgeo.cells.listed import Block

__all__ = ["Body", "Cell", "Pattern", "Settled", "map_of"]

Pattern = tuple[tuple[int, ...], ...]
"""For each stage, for each selector, the lowest member of the winning class."""


class Body(Protocol):
    """What a method of enumeration knows of a cell's shape."""

    def interior(self) -> Row:
        """A homogeneous point strictly inside."""
        ...

    def faces(self) -> list[Face]:
        """The facets."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """One stage on a cell: the stage in input coordinates, and the winning classes of its selectors."""

    pulled: PulledStage
    winners: Winners

    def __repr__(self) -> str:
        return f"Settled(winners={short(self.winners, 120)})"

    @property
    def selectors(self) -> tuple[Classes, ...]:
        return self.pulled.selectors

    def names(self) -> tuple[int, ...]:
        return tuple(classes.members[w][0] for classes, w in zip(self.selectors, self.winners, strict=True))

    def members(self) -> tuple[tuple[int, ...], ...]:
        """The winning classes with all their members."""
        return tuple(classes.members[w] for classes, w in zip(self.selectors, self.winners, strict=True))

    def outer(self) -> fmpz_mat:
        """The homogeneous matrix of the map after this stage."""
        return self.pulled.outer(self.members())

    def rows(self) -> Iterable[Row]:
        """score_w - score_i for every selector and every class i other than the winner w, where it is not constant."""
        for classes, w in zip(self.selectors, self.winners, strict=True):
            for i, score in enumerate(classes.rows):
                if i != w:
                    row = difference(classes.rows[w], score)
                    if not is_constant(row):
                        yield row


class Cell:
    """One cell of a network. ``domain`` are the domain's rows."""

    __slots__ = ("_body", "_matrix", "_trail", "domain")

    def __init__(
        self,
        domain: tuple[Row, ...],
        trail: tuple[Settled, ...],
        body: Body,
        matrix: fmpz_mat | None = None,
    ) -> None:
        self.domain = domain
        self._trail = trail
        self._body = body
        self._matrix = matrix

    block: "Block | None" = None
    """The block of arrays that the cell comes in (``cells.listed``), if it does."""

    def __repr__(self) -> str:
        return f"Cell(dimension={self.dimension}, stages={len(self.stages)}, pattern={short(self.pattern, 120)})"

    def __eq__(self, other: object) -> bool:
        """The same set for the same reason: of the same network, with the same pattern."""
        if not isinstance(other, Cell):
            return NotImplemented
        return (self.domain, self.pattern, self.stages) == (other.domain, other.pattern, other.stages)

    def __hash__(self) -> int:
        return hash(self.pattern)

    def __copy__(self) -> "Cell":
        return self

    def __deepcopy__(self, memo: object) -> "Cell":
        """A cell is a value: nothing that is kept in it later changes what it answers."""
        return self

    def __reduce__(self) -> tuple[object, ...]:
        """Flint's matrices cannot be pickled: that of the map is made again, except for a cell of no stages."""
        rows = None if self._trail else [[int(entry) for entry in row] for row in self.matrix.tolist()]
        return _unpickled, (self.domain, self._trail, self._body, rows)

    @property
    def dimension(self) -> int:
        """The dimension of the input."""
        return int((self.trail[0].pulled.inner if self.trail else self.matrix).ncols()) - 1

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages of the network that are settled on this cell."""
        return tuple([settled.pulled.stage for settled in self.trail])

    @property
    def trail(self) -> tuple[Settled, ...]:
        """The stages settled so far."""
        return self._trail

    @property
    def body(self) -> Body:
        """The cell's shape, as far as the method of enumeration knows it."""
        return self._body

    @property
    def matrix(self) -> fmpz_mat:
        """The homogeneous matrix of the map so far; computed once, when first asked for."""
        if self._matrix is None:
            self._matrix = self.trail[-1].outer()
        return self._matrix

    @property
    def pattern(self) -> Pattern:
        """For each stage, for each selector, the lowest member of the winning class."""
        return tuple(settled.names() for settled in self.trail)

    @property
    def classes(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """The pattern with all members of each winning class: more than one where candidates tie on the whole cell."""
        return tuple(settled.members() for settled in self.trail)

    @property
    def map(self) -> AffineMap:
        """The network on this cell."""
        return map_of(self.matrix)

    def sketch(self) -> tuple[int, ...]:
        """Equal for cells with equal maps; cheaper than the map, and almost always different for different maps."""
        settled = self.trail[-1]
        return settled.pulled.sketch(settled.winners)

    @property
    def interior_point(self) -> Point:
        """A rational point strictly inside."""
        return point_of(self.body.interior())

    def rows(self) -> tuple[Row, ...]:
        """The H-representation by definition, b + a.x > 0: the domain and every losing class; each row once."""
        return tuple(dict.fromkeys([*self.domain, *(row for settled in self.trail for row in settled.rows())]))

    def irredundant_rows(self) -> tuple[Row, ...]:
        """The rows of the facets, one each."""
        return tuple(face.row for face in self.body.faces())


def _unpickled(domain: tuple[Row, ...], trail: tuple[Settled, ...], body: Body, rows: list[list[int]] | None) -> Cell:
    return Cell(domain, trail, body, None if rows is None else fmpz_mat(rows))


def map_of(matrix: fmpz_mat) -> AffineMap:
    """The affine map of a homogeneous matrix."""
    table: Sequence[Sequence[int]] = [[int(entry) for entry in row] for row in matrix.tolist()]
    return AffineMap.scaled(len(table[0]) - 1, table[0][0], table[1:])

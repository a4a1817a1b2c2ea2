"""One convex polyhedron by its inequalities, and every question about it answered with evidence.

    P = {x in R^d : b_k + a_k.x >= 0 for every row (b_k, a_k)},

a closed set: possibly empty, a point, flat, unbounded, without vertices, or all of R^d (no rows). A ``Polyhedron`` is
one way of writing the set; ``canonical`` is the same for all ways of writing it.

The work is done on rows in ``lp`` (interior points, Farkas proofs), ``facets`` (facets and redundant rows), ``hull``
(relative interior, canonical form) and ``generators`` (vertices, rays, lines, images); this is the facade.

>>> square = Polyhedron.box([(0, 1), (0, 1)])
>>> [(facet.row, facet.index) for facet in square.facets()]
[((0, 1, 0), 0), ((1, -1, 0), 1), ((0, 0, 1), 2), ((1, 0, -1), 3)]
>>> diagonal = Polyhedron.from_rows([[0, 1, -1], [0, -1, 1], [0, 1, 1], ["1/2", -1, 0]])
>>> diagonal.interior_point()
NoInterior(multipliers={0: 1, 1: 1}, flat=True)
>>> print(diagonal.canonical())                  # x_1 = x_2 between 0 and 1/2
Canonical(dimension=2, equations=((0, 1, -1),), inequalities=((0, 0, 1), (1, 0, -2)))
>>> square.intersection(diagonal).equal(diagonal)
True
>>> square.image(AffineMap.of([[0, 1, 1]])).canonical() == Polyhedron.box([(0, 2)]).canonical()
True
"""

from collections.abc import Iterable
from dataclasses import dataclass

from exactgeo.errors import BadInput
from exactgeo.polyhedron.facets import Facet, Irredundant, irredundant
from exactgeo.polyhedron.generators import Generators, generators, mapped, rows_of
from exactgeo.polyhedron.hull import Canonical, RelativeInterior, canonical, relative_interior
from exactgeo.polyhedron.lp import Interior, NoInterior, Redundant, interior
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.numbers import Number, exact, exact_point
from exactgeo.rational.rows import Row, dot, homogeneous, integer_row, negated

__all__ = ["Polyhedron"]


@dataclass(frozen=True, slots=True)
class Polyhedron:
    """{x in R^dimension : b + a.x >= 0 for every row (b, a) of rows}.

    Invariants: dimension >= 0; every row is a primitive integer tuple of length dimension + 1, whatever numbers it was
    given in. Rows keep their order and repetitions, so that the indices in an answer are those of the rows given.
    Equality of values is equality of rows; ``equal`` is equality of sets.
    """

    dimension: int
    rows: tuple[Row, ...]

    def __post_init__(self) -> None:
        if self.dimension < 0:
            raise BadInput(f"dimension {self.dimension}, expected 0 or more")
        rows = tuple([integer_row([exact(entry) for entry in row]) for row in self.rows])
        for index, row in enumerate(rows):
            if len(row) != self.dimension + 1:
                raise BadInput(f"row {index} has {len(row)} entries, expected {self.dimension + 1}: b, a_1, ..., a_d")
        object.__setattr__(self, "rows", rows)

    def __repr__(self) -> str:
        return f"Polyhedron(dimension={self.dimension}, rows={len(self.rows)})"

    @staticmethod
    def from_rows(rows: Iterable[Iterable[Number]], dimension: int | None = None) -> "Polyhedron":
        """The polyhedron of rational rows (b, a); ``dimension`` is needed only where there is no row."""
        table = tuple([tuple([exact(entry) for entry in row]) for row in rows])
        if dimension is None:
            if not table:
                raise BadInput("a polyhedron without rows needs its dimension")
            dimension = len(table[0]) - 1
        return Polyhedron(dimension, table)  # type: ignore[arg-type]

    @staticmethod
    def box(intervals: Iterable[tuple[Number, Number]]) -> "Polyhedron":
        """The product of closed intervals: for each coordinate the row x_i - low and the row high - x_i."""
        try:
            given = [(low, high) for low, high in intervals]
        except (TypeError, ValueError):
            raise BadInput("expected a box as a list of intervals (low, high), one for each coordinate") from None
        pairs = [(exact(low), exact(high)) for low, high in given]
        rows = []
        for place, (low, high) in enumerate(pairs):
            unit = [int(column == place) for column in range(len(pairs))]
            rows.append(integer_row([-low, *unit]))
            rows.append(integer_row([high, *negated(unit)]))
        return Polyhedron(len(pairs), tuple(rows))

    @staticmethod
    def space(dimension: int) -> "Polyhedron":
        """All of R^d."""
        return Polyhedron(dimension, ())

    @staticmethod
    def nothing(dimension: int) -> "Polyhedron":
        """The empty set."""
        return Polyhedron(dimension, ((-1,) + (0,) * dimension,))

    def contains(self, point: Iterable[Number]) -> bool:
        """Whether the point is in the closed polyhedron."""
        return self.violated(point) is None

    def violated(self, point: Iterable[Number]) -> int | None:
        """The index of a row that is negative at the point; None if the point is in the polyhedron."""
        vector = homogeneous(exact_point(point, self.dimension))
        return next((index for index, row in enumerate(self.rows) if dot(row, vector) < 0), None)

    def interior_point(self) -> Interior | NoInterior:
        """A point strictly inside every row that is not identically zero, or the Farkas proof that there is none."""
        return interior(self.rows, self.dimension)

    def relative_interior(self) -> RelativeInterior | NoInterior:
        """A point in the relative interior with all implicit equations; a proof, with flat = False, of emptiness."""
        return relative_interior(self.rows, self.dimension)

    def is_empty(self) -> bool:
        """Whether no point satisfies all rows; ``interior_point`` has the proof or its absence."""
        answer = self.interior_point()
        return isinstance(answer, NoInterior) and not answer.flat

    def irredundant(self) -> Irredundant | NoInterior:
        """Facets and redundant rows, each with its evidence; or the proof that the polyhedron has no interior."""
        return irredundant(self.rows, self.dimension)

    def facets(self) -> tuple[Facet, ...] | NoInterior:
        """The facets of a full-dimensional polyhedron: one for each geometric facet, with a relative-interior point."""
        answer = self.irredundant()
        return answer if isinstance(answer, NoInterior) else answer.facets

    def redundancies(self) -> dict[int, Redundant] | NoInterior:
        """The rows of a full-dimensional polyhedron that are no facets, each as a combination of facet rows."""
        answer = self.irredundant()
        return answer if isinstance(answer, NoInterior) else answer.redundant

    def generators(self) -> Generators:
        """Vertices (or points modulo lines), rays and lines, in canonical form."""
        return generators(self.rows, self.dimension)

    def canonical(self) -> Canonical:
        """The canonical form: the affine hull in echelon form, and the facets modulo it."""
        return canonical(self.rows, self.dimension)

    def equal(self, other: "Polyhedron") -> bool:
        """Whether both are the same set."""
        return self.canonical() == other.canonical()

    def intersection(self, other: "Polyhedron") -> "Polyhedron":
        """The rows of both, those of ``self`` first."""
        if other.dimension != self.dimension:
            raise BadInput(f"polyhedra in dimensions {self.dimension} and {other.dimension} do not meet")
        return Polyhedron(self.dimension, self.rows + other.rows)

    def image(self, map_: AffineMap) -> "Polyhedron":
        """The image under an affine map: closed, perhaps flat. Through the generators, of which there may be many."""
        if map_.input_dim != self.dimension:
            raise BadInput(f"a map of R^{map_.input_dim} cannot be applied in dimension {self.dimension}")
        return Polyhedron(map_.output_dim, rows_of(mapped(generators(self.rows, self.dimension), map_)))

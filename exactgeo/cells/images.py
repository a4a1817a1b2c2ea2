"""Images of polyhedra under affine maps, in a form that is equal for equal sets.

The image of a polyhedron under an affine map may be flat. It is kept in a *chart* of its affine hull, the coordinates
in which the hull can be written as a graph, and in these coordinates it is full-dimensional: so its generators, the
extreme rays of the cone over it and the lines in echelon form, are determined by the set. Under an injective map rays
go to rays and rows are carried along; otherwise the hull of the images is computed.

>>> square = Cone.of([(0, 1, 0), (1, -1, 0), (0, 0, 1), (1, 0, -1)], 2)
>>> diagonal = image_of(square, fmpz_mat([[1, 0, 0], [0, 1, 1], [0, 1, 1]]))    # (x, y) -> (x + y, x + y)
>>> diagonal.chart, diagonal.rows
(Chart(pivots=(0,), solved=((1, 0, 1),)), ((0, 1), (2, -1)))
>>> diagonal == image_of(square, fmpz_mat([[1, 0, 0], [0, 2, 0], [0, 2, 0]]))   # (x, y) -> (2x, 2x)
True
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from flint import fmpz_mat

from exactgeo.cells.projection import Projection
from exactgeo.errors import Inconsistent
from exactgeo.polyhedron.cone import Cone, point_of
from exactgeo.polyhedron.echelon import echelon, reduced
from exactgeo.polyhedron.generators import Generators, rows_of
from exactgeo.rational.rows import Row, dot, primitive

__all__ = ["Chart", "Image", "Sent", "image_of"]


@dataclass(frozen=True, slots=True)
class Chart:
    """An affine subspace of R^m as the image of psi: R^k -> R^m.

    psi has u_i at coordinate pivots[i], and (b + a.u)/q at the other coordinates, in their order, where solved has the
    primitive rows (q, b, a) with q > 0. The pivots are the first coordinates in which the subspace can be written so:
    equal subspaces have equal charts.
    """

    pivots: tuple[int, ...]
    solved: tuple[Row, ...]

    @property
    def dimension(self) -> int:
        return len(self.pivots)

    def matrix(self) -> fmpz_mat:
        """The homogeneous matrix of psi."""
        scale = lcm(*[row[0] for row in self.solved])
        size = self.dimension
        others = iter(self.solved)
        table = [[scale] + [0] * size]
        for coordinate in range(size + len(self.solved)):
            if coordinate in self.pivots:
                place = self.pivots.index(coordinate)
                table.append([0] + [scale if i == place else 0 for i in range(size)])
            else:
                q, *row = next(others)
                table.append([entry * (scale // q) for entry in row])
        return fmpz_mat(table)


def _chart_of(table: Sequence[Sequence[int]]) -> Chart:
    """The chart of the range of a map, given by the rows of its homogeneous matrix."""
    weight, width = table[0][0], len(table[0])
    size = len(table) - 1
    directions, factor, rank = fmpz_mat([[row[j] for row in table[1:]] for j in range(1, width)]).rref()
    basis = [[int(entry) for entry in row] for row in directions.tolist()[:rank]]
    common = int(factor)
    if common < 0:
        common, basis = -common, [[-entry for entry in row] for row in basis]
    pivots = tuple([next(j for j, entry in enumerate(row) if entry) for row in basis])
    if len(pivots) == size:
        return Chart(pivots, ())
    # The point table[.][0] / weight, moved along the basis to zeros at the pivots; every basis row is over ``common``.
    solved = []
    for j in range(size):
        if j not in pivots:
            column = [row[j] for row in basis]
            shift = sum([table[1 + pivot][0] * entry for pivot, entry in zip(pivots, column, strict=True)])
            constant = common * table[1 + j][0] - shift
            solved.append(primitive([weight * common, constant, *[weight * entry for entry in column]]))
    return Chart(pivots, tuple(solved))


class Image:
    """A polyhedron in some R^m, full-dimensional in its chart: equal and hashed as the set that it is.

    ``rays`` are the extreme rays of the cone over it in the chart's coordinates, modulo ``lines``, which are in echelon
    form; sorted. The cone itself is made when it is asked for.
    """

    __slots__ = ("_cone", "_hash", "_source", "chart", "lines", "rays")

    def __init__(self, chart: Chart, cone: Cone, source: fmpz_mat | None) -> None:
        """``source``: a matrix that takes ``cone`` onto the cone of the image, injective; None if it is that cone."""
        rays, lines = cone.rays, cone.lines
        if source is not None:
            table = [[int(entry) for entry in row] for row in source.tolist()]
            rays = [primitive([dot(row, ray) for row in table]) for ray in rays]
            lines = tuple([tuple([dot(row, line) for row in table]) for line in lines])
        if lines:
            basis, pivots = echelon(lines)
            lines = tuple(basis)
            rays = [primitive(reduced(ray, basis, pivots)) for ray in rays]
        self.chart = chart
        self.rays = tuple(sorted(rays))
        self.lines = lines
        self._source: tuple[Cone, fmpz_mat | None] | None = (cone, source)
        self._cone: Cone | None = None
        self._hash = hash((chart, self.rays, lines))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Image)
            and self._hash == other._hash
            and (self.chart, self.rays, self.lines) == (other.chart, other.rays, other.lines)
        )

    @property
    def dimension(self) -> int:
        return self.chart.dimension

    @property
    def cone(self) -> Cone:
        """The cone over the image in the chart's coordinates: facets as its rows, sorted; rays as in ``rays``."""
        if self._cone is None:
            if self._source is None:
                raise Inconsistent("an image without a source")
            cone, source = self._source
            rows = [cone.rows[k] for k, _ in cone.facet_rows()]
            if source is not None:
                size = abs(int(source.det()))
                inverse = [[int(entry * size) for entry in row] for row in source.inv().tolist()]
                columns = list(zip(*inverse, strict=True))
                rows = [primitive([dot(row, column) for column in columns]) for row in rows]
            table = (cone.rows[0][:1] + (0,) * self.dimension, *sorted(rows))
            tight = [sum([1 << k for k, row in enumerate(table) if not dot(row, ray)]) for ray in self.rays]
            self._cone = Cone(table, list(self.rays), tight, [0] * len(self.rays), self.lines)
            self._source = None
        return self._cone

    @property
    def rows(self) -> tuple[Row, ...]:
        """The facets in the chart's coordinates, sorted."""
        return self.cone.rows[1:]


@dataclass(frozen=True, slots=True)
class Sent:
    """A polyhedron by its cone, the homogeneous matrix of a map, and the image under it."""

    cone: Cone
    matrix: fmpz_mat
    image: Image

    @property
    def exact(self) -> bool:
        """Whether the polyhedron contains, in its interior, all that the map sends into the image's interior.

        It does if the map is injective, or if all that it forgets are lines of the polyhedron.
        """
        lost = self.cone.dimension - self.image.dimension
        if not lost or not self.cone.lines:
            return not lost
        lines = fmpz_mat([list(line) for line in self.cone.lines])
        return bool(len(self.cone.lines) - (lines * self.matrix.transpose()).rank() == lost)

    def projection(self) -> Projection:
        """The map, in the coordinates of the image's chart."""
        table = self.matrix.tolist()
        return Projection(fmpz_mat([table[0], *[table[1 + pivot] for pivot in self.image.chart.pivots]]))


def image_of(cone: Cone, matrix: fmpz_mat) -> Image:
    """The image of the polyhedron of a cone under the map of a homogeneous matrix."""
    table = [[int(entry) for entry in row] for row in matrix.tolist()]
    chart = _chart_of(table)
    sigma = [table[0], *[table[1 + pivot] for pivot in chart.pivots]]
    if chart.dimension == cone.dimension:
        return Image(chart, cone, fmpz_mat(sigma))
    return Image(chart, _projected(cone, sigma), None)


def _projected(cone: Cone, sigma: Sequence[Sequence[int]]) -> Cone:
    """The cone over the image of a polyhedron under a map onto a space of smaller dimension."""
    size = len(sigma) - 1
    if not size:
        return Cone.space(0)
    rays = [primitive([dot(row, ray) for row in sigma]) for ray in cone.rays]
    lines = [primitive([dot(row, line) for row in sigma]) for line in cone.lines]
    if size == 1 and not any(map(any, lines)):
        return _interval(rays)
    parts = Generators(
        size,
        tuple(dict.fromkeys([point_of(ray) for ray in rays if ray[0]])),
        tuple(dict.fromkeys([ray[1:] for ray in rays if not ray[0] and any(ray)])),
        tuple(dict.fromkeys([line[1:] for line in lines if any(line)])),
    )
    made = Cone.of(rows_of(parts), size)
    if made is None:
        raise Inconsistent(f"the image of a cell is flat in the chart of its affine hull: {parts}")
    return made


def _interval(rays: Sequence[Row]) -> Cone:
    """The cone over the hull of points and directions of a line."""
    rows: list[Row] = []
    for sign in (1, -1):
        # x >= p_1 / p_0 for the least point, unless some direction leads below it
        if all(ray[0] or sign * ray[1] >= 0 for ray in rays):
            q, p = min((ray for ray in rays if ray[0]), key=lambda ray: Fraction(sign * ray[1], ray[0]))
            rows.append(primitive((-sign * p, sign * q)))
    made = Cone.of(rows, 1)
    if made is None:
        raise Inconsistent(f"the interval of {rays} has no interior")
    return made

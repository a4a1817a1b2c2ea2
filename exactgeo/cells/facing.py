"""Walls: where the closures of two cells share a piece of dimension d-1.

Every wall lies on a facet of both its cells, in one hyperplane h, with the cells on opposite sides. So facets are
gathered by hyperplane, and on each hyperplane the facets of one side are compared with those of the other:

- Facets with the same generators are the same set: they are a wall, and since the cells of one side have disjoint
  interiors, no other wall lies on either of them. Inside one parent all walls are of this kind.
- Where generators are not known, two facets of cells of one parent are the same set iff a point in the relative
  interior of one is strictly inside every other row of the other cell: the cells of a parent meet face to face.
- Otherwise facets F and G meet in dimension d-1 iff some point of h is strictly inside every other row of both cells.
  The relative-interior points at hand are tried first; then a row that is nowhere positive on the other's generators
  refutes; the rest is decided by one exact linear program inside h.

The network need not be continuous across a wall. It is iff the difference of the two maps vanishes on h.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd

from exactgeo.cells.cell import Cell
from exactgeo.polyhedron.cone import Face, point_of
from exactgeo.polyhedron.echelon import echelon, reduced
from exactgeo.polyhedron.lp import Interior, interior
from exactgeo.polyhedron.short import short
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Point, Row, dot, homogeneous, hyperplane, primitive

__all__ = [
    "Planes",
    "Side",
    "Wall",
    "add",
    "between",
    "find_walls",
    "inside_plane",
    "on_planes",
    "side_on",
    "vanishes_on",
]


@dataclass(frozen=True, slots=True)
class Wall:
    """The wall between cells ``first`` and ``second`` (positions in the list of cells, first < second).

    ``row`` is its hyperplane in canonical form; ``point`` is in the relative interior of the wall.
    """

    first: int
    second: int
    row: Row
    point: Point

    def __repr__(self) -> str:
        return f"Wall(first={self.first}, second={self.second}, row={short(self.row)}, point={short(self.point)})"


@dataclass(frozen=True, slots=True)
class Side:
    """A facet on a hyperplane: its cell's position and last stage, the facet, all facet rows of the cell.

    ``compared`` says that it was compared already with all others of which that is said.
    """

    cell: int
    parent: object
    face: Face
    rows: tuple[Row, ...]
    compared: bool = False

    def holds(self, point: Row) -> bool:
        """Whether the point, on this facet's hyperplane, is strictly inside every other facet row of the cell."""
        own = self.face.row
        return all(dot(row, point) > 0 for row in self.rows if row is not own)

    def others(self) -> list[Row]:
        return [row for row in self.rows if row is not self.face.row]


Planes = dict[Row, tuple[list[Side], list[Side]]]
"""For each hyperplane the facets above it and below it."""


def find_walls(cells: Sequence[tuple[int, Cell]]) -> Iterator[Wall]:
    """Every wall between the given cells, each with its position, as it is found; in a deterministic order."""
    planes: Planes = {}
    for position, cell in cells:
        add(planes, position, cell, cell.body.faces())
    yield from on_planes(planes)


def add(planes: Planes, position: int, cell: Cell, faces: Sequence[Face], some: Sequence[Face] | None = None) -> None:
    """Put the facets of a cell, all or some, on their hyperplanes."""
    rows = tuple([face.row for face in faces])
    parent = cell.trail[-1].pulled if cell.trail else None
    for face in faces if some is None else some:
        plane, side = hyperplane(face.row)
        planes.setdefault(plane, ([], []))[side < 0].append(Side(position, parent, face, rows))


def side_on(
    plane: Row, position: int, cell: Cell, faces: Sequence[Face] | None = None, compared: bool = False
) -> Side | None:
    """The facet of a cell on a hyperplane, if it has one there."""
    known = cell.body.faces() if faces is None else faces
    face = next((face for face in known if hyperplane(face.row)[0] == plane), None)
    if face is None:
        return None
    parent = cell.trail[-1].pulled if cell.trail else None
    return Side(position, parent, face, tuple([other.row for other in known]), compared)


def between(plane: Row, one: Side | None, two: Side | None) -> Wall | None:
    """The wall between two facets on opposite sides of a hyperplane, if they are there and meet."""
    if one is None or two is None:
        return None
    above, below = (one, two) if hyperplane(one.face.row)[1] > 0 else (two, one)
    point = _meet(plane, above, below)
    return None if point is None else _wall(plane, above, below, point)


def on_planes(planes: Planes) -> Iterator[Wall]:
    for plane, (above, below) in planes.items():
        if above and below:
            yield from _on_plane(plane, above, below)


def _on_plane(plane: Row, above: list[Side], below: list[Side]) -> Iterator[Wall]:
    same = {_key(side.face): side for side in below if side.face.complete}
    left: list[Side] = []
    matched: set[int] = set()
    for side in above:
        twin = same.get(_key(side.face)) if side.face.complete else None
        if twin is None:
            left.append(side)
        else:
            matched.add(twin.cell)
            if not (side.compared and twin.compared):
                yield _wall(plane, side, twin, side.face.point())
    rest = [side for side in below if side.cell not in matched]
    for one in left:
        for two in rest:
            point = None if one.compared and two.compared else _meet(plane, one, two)
            if point is not None:
                yield _wall(plane, one, two, point)


def _wall(plane: Row, one: Side, two: Side, point: Row) -> Wall:
    return Wall(min(one.cell, two.cell), max(one.cell, two.cell), plane, point_of(point))


def _key(face: Face) -> tuple[tuple[Row, ...], frozenset[Row]]:
    """The same for two faces iff they are the same set: lines in echelon form, rays reduced modulo them."""
    if not face.lines:
        return (), frozenset(face.rays)
    basis, pivots = echelon(face.lines)
    return tuple(basis), frozenset(primitive(reduced(ray, basis, pivots)) for ray in face.rays)


def _meet(plane: Row, one: Side, two: Side) -> Row | None:
    """A homogeneous point of the plane strictly inside both facets, or None."""
    for side, other in ((one, two), (two, one)):
        point = side.face.point()
        if other.holds(point):
            return point
    if one.parent is two.parent:
        return None
    for side, other in ((one, two), (two, one)):
        face = side.face
        if face.complete and any(
            all(dot(row, ray) <= 0 for ray in face.rays) and not any(dot(row, line) for line in face.lines)
            for row in other.others()
        ):
            return None
    return _meet_by_lp(plane, (*one.others(), *two.others()))


def _meet_by_lp(plane: Row, rows: Sequence[Row]) -> Row | None:
    """A point of the plane strictly inside all rows: one coordinate is eliminated by the plane's equation."""
    answer = interior([inside_plane(row, plane)[0] for row in rows], len(plane) - 2)
    if not isinstance(answer, Interior):
        return None
    pivot = _pivot(plane)
    others = (*plane[1:pivot], *plane[pivot + 1 :])
    value = plane[0] + sum((a * x for a, x in zip(others, answer.point, strict=True)), Fraction())
    return homogeneous([*answer.point[: pivot - 1], -value / plane[pivot], *answer.point[pivot - 1 :]])


def inside_plane(row: Row, plane: Row) -> tuple[Row, Fraction]:
    """The row on a hyperplane, in the coordinates other than the plane's pivot, and its positive factor.

    With c > 0 the pivot entry of the canonical plane, c * row - (row's pivot entry) * plane is c * row on the plane.
    """
    pivot = _pivot(plane)
    factor, entry = plane[pivot], row[pivot]
    image = [factor * x - entry * y for j, (x, y) in enumerate(zip(row, plane, strict=True)) if j != pivot]
    divisor = gcd(*image) or 1
    return tuple([x // divisor for x in image]), Fraction(factor, divisor)


def _pivot(plane: Row) -> int:
    return next(j for j in range(1, len(plane)) if plane[j])


def vanishes_on(plane: Row, first: AffineMap, second: AffineMap) -> bool:
    """Whether two maps agree on a hyperplane: every row of their difference is a multiple of the plane."""
    pivot = _pivot(plane)
    for row, other in zip(first.rows, second.rows, strict=True):
        gap = [second.denominator * x - first.denominator * y for x, y in zip(row, other, strict=True)]
        if any(plane[pivot] * x != gap[pivot] * y for x, y in zip(gap, plane, strict=True)):
            return False
    return True

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

Many cells that the kernel has listed are compared in arrays (``cells.wall_kernel``), and no wall is made before
somebody asks for it. What integers of 64 bits do not settle there is settled here.

The network need not be continuous across a wall. It is iff the difference of the two maps vanishes on h.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from math import gcd
from typing import TYPE_CHECKING, Any, overload

from exactgeo.cells.cell import Cell
from exactgeo.cells.listed import Listed
from exactgeo.errors import Inconsistent
from exactgeo.polyhedron.cone import Face, point_of
from exactgeo.polyhedron.echelon import echelon, reduced
from exactgeo.polyhedron.lp import Interior, interior
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Point, Row, dot, homogeneous, hyperplane, primitive

if TYPE_CHECKING:
    from exactgeo.cells.wall_arrays import Found

__all__ = ["Wall", "Walls", "find_walls", "inside_plane", "joined", "vanishes_on", "walls_between"]

MANY = 500
"""Cells by the kernel, from which on their walls are found in arrays; loading what does so takes a while."""


@dataclass(frozen=True, slots=True)
class Wall:
    """The wall between cells ``first`` and ``second`` (positions in the list of cells, first < second).

    ``row`` is its hyperplane in canonical form; ``point`` is in the relative interior of the wall.
    """

    first: int
    second: int
    row: Row
    point: Point


class Walls(Sequence[Wall]):
    """All walls between some cells, ordered by their ends; each wall is made when somebody asks for it.

    ``first`` and ``second`` are the ends of all walls, as positions in ``cells``, in arrays where the cells were. The
    hyperplane of wall k is that of facet where[k] of its first cell, or else it is row ~where[k] of ``planes``.
    ``by_hand`` is the number of pairs of facets for which 64 bits did not suffice.
    """

    def __init__(
        self, cells: Sequence[Cell], first: Any, second: Any, where: Any, planes: Sequence[Any], by_hand: int = 0
    ) -> None:
        self.cells = cells
        self.first = first
        self.second = second
        self.by_hand = by_hand
        self._where = where
        self._planes = planes
        self._known: dict[int, Wall] = {}
        self._faces: dict[int, list[Face]] = {}

    @staticmethod
    def of(cells: Sequence[Cell], walls: Iterable[Wall]) -> "Walls":
        """The walls that are known already."""
        known = sorted(walls, key=_ends)
        made = Walls(cells, [wall.first for wall in known], [wall.second for wall in known], [], [])
        made._known = dict(enumerate(known))
        return made

    def __len__(self) -> int:
        return len(self.first)

    @overload
    def __getitem__(self, index: int) -> Wall: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Wall, ...]: ...
    def __getitem__(self, index: int | slice) -> Wall | tuple[Wall, ...]:
        positions = range(len(self))
        if isinstance(index, slice):
            return tuple([self._wall(k) for k in positions[index]])
        return self._wall(positions[index])

    def ends(self) -> Iterator[tuple[int, int]]:
        """The two cells of each wall."""
        first, second = (list(map(int, part)) for part in (self.first, self.second))
        return zip(first, second, strict=True)

    def _wall(self, k: int) -> Wall:
        if k not in self._known:
            self._known[k] = self._made(int(self.first[k]), int(self.second[k]), int(self._where[k]))
        return self._known[k]

    def _made(self, first: int, second: int, where: int) -> Wall:
        if where >= 0:
            face = self._faces_of(first)[where]
            return Wall(first, second, hyperplane(face.row)[0], point_of(face.point()))
        plane = tuple([int(x) for x in self._planes[~where]])
        wall = _between(plane, *[_side_on(plane, k, self.cells[k], self._faces_of(k)) for k in (first, second)])
        if wall is None:
            raise Inconsistent(f"cells {first} and {second} have no wall on {plane}")
        return wall

    def _faces_of(self, position: int) -> list[Face]:
        if position not in self._faces:
            self._faces[position] = self.cells[position].body.faces()
        return self._faces[position]


def _ends(wall: Wall) -> tuple[int, int]:
    return wall.first, wall.second


@dataclass(frozen=True, slots=True)
class _Side:
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


Planes = dict[Row, tuple[list[_Side], list[_Side]]]
"""For each hyperplane the facets above it and below it."""


def find_walls(cells: Sequence[tuple[int, Cell]]) -> Iterator[Wall]:
    """Every wall between the given cells, each with its position; in a deterministic order."""
    if _many([cell for _, cell in cells]):
        for wall in walls_between([cell for _, cell in cells]):
            one, two = cells[wall.first][0], cells[wall.second][0]
            yield Wall(min(one, two), max(one, two), wall.row, wall.point)
        return
    planes: Planes = {}
    for position, cell in cells:
        _add(planes, position, cell, cell.body.faces())
    yield from _on_planes(planes)


def joined(cells: Sequence[tuple[int, Cell]]) -> Iterator[tuple[int, int]]:
    """The ends of every wall between the given cells."""
    if _many([cell for _, cell in cells]):
        for one, two in walls_between([cell for _, cell in cells]).ends():
            yield cells[one][0], cells[two][0]
    else:
        yield from map(_ends, find_walls(cells))


def walls_between(cells: Sequence[Cell]) -> Walls:
    """Every wall between the cells: in arrays where the kernel has listed them and they are many."""
    if not _many(cells):
        return Walls.of(cells, find_walls(list(enumerate(cells))))
    import numpy as np

    from exactgeo.cells.wall_arrays import find

    listed = [k for k, cell in enumerate(cells) if isinstance(cell, Listed)]
    found = find([cell for cell in cells if isinstance(cell, Listed)])
    at = np.array(listed)
    one, two = at[found.first], at[found.second]
    where = np.where(found.facet >= 0, found.facet, ~found.plane)
    planes = found.planes
    rest, by_hand = _by_hand(cells, listed, found)
    walls = list(rest)
    if walls:
        one = np.concatenate([one, [wall.first for wall in walls]])
        two = np.concatenate([two, [wall.second for wall in walls]])
        where = np.concatenate([where, [~(len(planes) + k) for k in range(len(walls))]])
        planes = [*planes, *[wall.row for wall in walls]]
    # The facet is numbered among those of the first cell.
    order = np.lexsort((two, one))
    return Walls(cells, one[order], two[order], where[order], planes, by_hand)


def _many(cells: Sequence[Cell]) -> bool:
    return len(cells) >= MANY and sum(isinstance(cell, Listed) for cell in cells) >= MANY


def _by_hand(cells: Sequence[Cell], listed: Sequence[int], found: "Found") -> tuple[Iterator[Wall], int]:
    """What arrays could not tell: pairs that are undecided, and all pairs with a cell that was not looked at."""
    rows = {p: tuple(found.planes[p].tolist()) for p in {p for _, _, p in found.undecided}}
    meetings = (
        _between(rows[p], *[_side_on(rows[p], listed[c], cells[listed[c]]) for c in (a, b)])
        for a, b, p in found.undecided
    )
    planes: Planes = {}
    skipped = {listed[c]: known for c, known in found.unsettled.items()}
    for k, cell in enumerate(cells):
        if not isinstance(cell, Listed) or k in skipped:
            numbers, known = skipped.get(k, (frozenset(), frozenset()))
            matched = {tuple(found.planes[p].tolist()) for p in known}
            faces = cell.body.faces()
            some = [face for n, face in enumerate(faces) if n not in numbers and hyperplane(face.row)[0] not in matched]
            _add(planes, k, cell, faces, some)
    if planes and len(found.loose):
        others = {p: tuple(found.planes[p].tolist()) for p in set(found.loose[:, 1].tolist())}
        for c, p in found.loose.tolist():
            if others[p] in planes and listed[c] not in skipped:
                side = _side_on(others[p], listed[c], cells[listed[c]], compared=True)
                if side is not None:
                    planes[others[p]][hyperplane(side.face.row)[1] < 0].append(side)
    return chain(filter(None, meetings), _on_planes(planes)), len(found.undecided) + len(skipped)


def _add(planes: Planes, position: int, cell: Cell, faces: Sequence[Face], some: Sequence[Face] | None = None) -> None:
    """Put the facets of a cell, all or some, on their hyperplanes."""
    rows = tuple([face.row for face in faces])
    parent = cell.trail[-1].pulled if cell.trail else None
    for face in faces if some is None else some:
        plane, side = hyperplane(face.row)
        planes.setdefault(plane, ([], []))[side < 0].append(_Side(position, parent, face, rows))


def _side_on(
    plane: Row, position: int, cell: Cell, faces: Sequence[Face] | None = None, compared: bool = False
) -> _Side | None:
    """The facet of a cell on a hyperplane, if it has one there."""
    known = cell.body.faces() if faces is None else faces
    face = next((face for face in known if hyperplane(face.row)[0] == plane), None)
    if face is None:
        return None
    parent = cell.trail[-1].pulled if cell.trail else None
    return _Side(position, parent, face, tuple([other.row for other in known]), compared)


def _between(plane: Row, one: _Side | None, two: _Side | None) -> Wall | None:
    """The wall between two facets on opposite sides of a hyperplane, if they are there and meet."""
    if one is None or two is None:
        return None
    above, below = (one, two) if hyperplane(one.face.row)[1] > 0 else (two, one)
    point = _meet(plane, above, below)
    return None if point is None else _wall(plane, above, below, point)


def _on_planes(planes: Planes) -> Iterator[Wall]:
    for plane, (above, below) in planes.items():
        if above and below:
            yield from _on_plane(plane, above, below)


def _on_plane(plane: Row, above: list[_Side], below: list[_Side]) -> Iterator[Wall]:
    same = {_key(side.face): side for side in below if side.face.complete}
    left: list[_Side] = []
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


def _wall(plane: Row, one: _Side, two: _Side, point: Row) -> Wall:
    return Wall(min(one.cell, two.cell), max(one.cell, two.cell), plane, point_of(point))


def _key(face: Face) -> tuple[tuple[Row, ...], frozenset[Row]]:
    """The same for two faces iff they are the same set: lines in echelon form, rays reduced modulo them."""
    if not face.lines:
        return (), frozenset(face.rays)
    basis, pivots = echelon(face.lines)
    return tuple(basis), frozenset(primitive(reduced(ray, basis, pivots)) for ray in face.rays)


def _meet(plane: Row, one: _Side, two: _Side) -> Row | None:
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

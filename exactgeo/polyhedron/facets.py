"""The facets of a full-dimensional polyhedron, each with a point in its relative interior.

Let P = {x : b_k + a_k.x >= 0} have an interior. A facet of P is a face of dimension d - 1; its hyperplane is that of
some row, and a row carries a facet iff some point of its hyperplane is strictly inside every row that is not
proportional to it. Every other row is *redundant*: a nonnegative combination of facet rows plus a nonnegative
constant. Rows that are positive multiples of one another carry one facet, which is named once, by the first of them.
Zero rows and constant rows carry none.

Two exact methods, the faster of which depends on the shape:

- *double description* (``Cone``): all generators of P; the facets are the rows whose generator sets are maximal. Best
  where P has few generators, which is so for the cells of low-dimensional arrangements.
- *ray shooting* (K. L. Clarkson, *More output-sensitive geometric algorithms*, FOCS 1994): from an interior point, a
  ray that leaves P through a single row proves that row a facet. Each other row costs one small linear program among
  the facets found so far: it is redundant among them, or a point beyond shows the way to a new facet. Polynomial in
  every dimension, and it gives the multipliers of the redundant rows.

Microseconds for one random cell with n rows in dimension d, f of them facets (CPython 3.11), beside cddlib's exact
``redundant_rows`` and its double description with incidence:

     n   d      f    Cone  shooting  redundant_rows  cddlib double description
    50   2    4.9     450      3600            3200                       1100
    40   3    8.5     810      7200            4100                       3300
    18   4   11.8    1100      3300            1900                       3900
    30   5   16.5    6200      8900            8200                      27000
    12   6   11.9    2000      2000            2500                       9500
    20   8   19.5   66000      9600
    16  10   16.0   32000      4900

>>> [facet.row for facet in cell_facets([(0, 1), (0, 2), (1, -1), (5, -1), (3, 0)], 1).facets]
[(0, 1), (1, -1)]
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul

from exactgeo.errors import Inconsistent
from exactgeo.polyhedron.cone import Cone, point_of
from exactgeo.polyhedron.lp import (
    NoInterior,
    OnFacet,
    Redundant,
    check_on_facet,
    check_redundant,
    interior,
    relative_interior_on,
)
from exactgeo.rational.rows import Point, Row, dot, homogeneous, is_constant, primitive

__all__ = ["CellFacets", "Facet", "Irredundant", "cell_facets", "irredundant"]

MOST_RAYS = 150
"""Beyond this many generators on the way, double description gives way to ray shooting."""

MOST_DIMENSIONS = 8
"""Above this dimension double description is not tried."""


@dataclass(frozen=True, slots=True)
class Facet:
    """One facet: the primitive ``row`` that vanishes on it, the ``index`` of that row in the input, and a point.

    ``at`` is a homogeneous point (x_0 > 0) in the facet's relative interior: on the row's hyperplane, strictly inside
    every row that is not proportional to it.
    """

    row: Row
    index: int
    at: Row

    @property
    def point(self) -> Point:
        return point_of(self.at)


@dataclass(frozen=True, slots=True)
class CellFacets:
    """All facets of a full-dimensional polyhedron in the order of their rows; ``at`` is a homogeneous point inside."""

    at: Row
    facets: tuple[Facet, ...]

    @property
    def interior(self) -> Point:
        return point_of(self.at)


@dataclass(frozen=True, slots=True)
class Irredundant:
    """Every row of a full-dimensional polyhedron is either the row of a facet or a key of ``redundant``, never both.

    The multipliers in ``redundant`` cite facet rows only, so that all redundant rows can be dropped at once.
    """

    at: Row
    facets: tuple[Facet, ...]
    redundant: dict[int, Redundant]


def cell_facets(rows: Sequence[Row], dimension: int) -> CellFacets:
    """The facets of a polyhedron that is known to have an interior; it is ``Inconsistent`` if it has none."""
    if dimension <= MOST_DIMENSIONS:
        cone = Cone.of(rows, dimension, MOST_RAYS)
        if cone is not None:
            return _facets_of_cone(cone, rows)
    answer = irredundant(rows, dimension)
    if isinstance(answer, NoInterior):
        raise Inconsistent(f"a cell has no interior, {answer}, rows {list(rows)}")
    return CellFacets(answer.at, answer.facets)


def _facets_of_cone(cone: Cone, rows: Sequence[Row]) -> CellFacets:
    center = cone.interior()
    first: dict[Row, int] = {}
    for index, row in enumerate(rows):
        if dot(row, center) <= 0 and any(row):
            raise Inconsistent(f"the point {center} is not strictly inside the row {row}")
        first.setdefault(primitive(row), index)
    faces = [(first[face.row], face) for face in cone.faces()]
    faces.sort(key=lambda pair: pair[0])
    return CellFacets(center, tuple([Facet(face.row, index, face.point()) for index, face in faces]))


def irredundant(rows: Sequence[Row], dimension: int) -> Irredundant | NoInterior:
    """Facet or redundant, for every row and with evidence; or the proof that the polyhedron has no interior."""
    inside = interior(rows, dimension)
    if isinstance(inside, NoInterior):
        return inside
    shooting = _Shooting(rows, dimension, homogeneous(inside.point))
    for index in list(shooting.undecided):
        shooting.decide(index)
    return shooting.answer()


class _Shooting:
    """Clarkson's algorithm from one interior point.

    Invariants: ``on`` maps rows that are facets to points in their relative interior; ``redundant`` holds rows with
    proofs; ``undecided`` the others, in order. Together they are all rows, and the facets and the undecided rows
    alone describe the polyhedron.
    """

    def __init__(self, rows: Sequence[Row], dimension: int, center: Row) -> None:
        self.rows = rows
        self.dimension = dimension
        self.center = center
        self.on: dict[int, Row] = {}
        self.redundant: dict[int, Redundant] = {}
        self.undecided: dict[int, int] = {}  # row to its positive value at the center
        first: dict[Row, int] = {}
        for index, row in enumerate(rows):
            if is_constant(row):
                self.redundant[index] = Redundant({}, 1, row[0])
                continue
            known = first.setdefault(primitive(row), index)
            if known == index:
                self.undecided[index] = dot(row, center)
            else:
                # Two positive multiples of one primitive row: sizes give factor * row = multiplier * first copy.
                pivot = next(column for column in range(1, dimension + 1) if row[column])
                self.redundant[index] = _reduced({known: abs(row[pivot])}, abs(rows[known][pivot]), 0)

    def decide(self, index: int) -> None:
        """Move ``index`` out of the undecided rows, and perhaps others with it."""
        if index in self.undecided:
            self._shoot((0, *[-entry for entry in self.rows[index][1:]]))
        while index in self.undecided:
            found = self._among(index, [*self.on, index])
            if isinstance(found, OnFacet):
                target, center = homogeneous(found.point), self.center
                if not self._shoot([center[0] * x - target[0] * y for x, y in zip(target, center, strict=True)]):
                    # Several rows are met at once, so none is proved. Decide this one among all that may matter.
                    found = self._among(index, [*self.on, *self.undecided])
                    if isinstance(found, OnFacet):
                        self._facet(index, homogeneous(found.point))
            if isinstance(found, Redundant):
                self.redundant[index] = found
                del self.undecided[index]

    def _shoot(self, direction: Sequence[int]) -> bool:
        """Leave the polyhedron from the center; if that is through one row, this is a facet (True if it is new)."""
        best, top, bottom, alone = -1, 0, 1, False
        for known in (self.on, self.undecided):
            for index in known:
                row = self.rows[index]
                speed = -sum(map(mul, row, direction))
                if speed > 0:
                    value = self.undecided[index] if known is self.undecided else dot(row, self.center)
                    order = value * bottom - top * speed if best >= 0 else -1
                    if order < 0:
                        best, top, bottom, alone = index, value, speed, True
                    elif order == 0:
                        alone = False
        if not alone or best in self.on:
            return False
        self._facet(best, primitive([bottom * x + top * y for x, y in zip(self.center, direction, strict=True)]))
        return True

    def _facet(self, index: int, point: Row) -> None:
        self.on[index] = point
        del self.undecided[index]

    def _among(self, index: int, chosen: list[int]) -> OnFacet | Redundant:
        """Whether the row ``index`` is a facet among the ``chosen`` rows, in terms of all rows."""
        chosen = sorted(set(chosen))
        found = relative_interior_on([self.rows[place] for place in chosen], self.dimension, chosen.index(index))
        if isinstance(found, NoInterior):
            raise Inconsistent(f"the point {self.center} is inside rows of which {found} says that none is")
        if isinstance(found, Redundant):
            multipliers = {chosen[place]: factor for place, factor in found.multipliers.items()}
            return Redundant(multipliers, found.factor, found.constant)
        return found

    def answer(self) -> Irredundant:
        """The verified answer. A proof that cites a row which turned out redundant is made again among facets."""
        facets = []
        for index in sorted(self.on):
            at = self.on[index]
            check_on_facet(self.rows, index, OnFacet(point_of(at)))
            facets.append(Facet(primitive(self.rows[index]), index, at))
        redundant = {}
        for index in sorted(self.redundant):
            proof = self.redundant[index]
            if not proof.multipliers.keys() <= self.on.keys():
                proof = self._proof(index, proof)
            check_redundant(self.rows, self.dimension, index, proof)
            redundant[index] = proof
        return Irredundant(self.center, tuple(facets), redundant)

    def _proof(self, index: int, known: Redundant) -> Redundant:
        """A proof of redundancy that cites facets only, for a row whose proof cites others."""
        found = self._among(index, [*self.on, index])
        if isinstance(found, OnFacet):
            raise Inconsistent(f"the row {self.rows[index]} is redundant by {known} but cuts off a facet")
        return found


def _reduced(multipliers: dict[int, int], factor: int, constant: int) -> Redundant:
    numbers = primitive([factor, constant, *multipliers.values()])
    return Redundant(dict(zip(multipliers, numbers[2:], strict=True)), numbers[0], numbers[1])

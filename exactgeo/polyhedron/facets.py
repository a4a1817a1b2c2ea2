"""The facets of a full-dimensional polyhedron, each with a point in its relative interior.

Let P = {x : b_k + a_k.x >= 0} have an interior. A facet of P is a face of dimension d - 1; its hyperplane is that of
some row, and a row carries a facet iff some point of its hyperplane is strictly inside every row that is not
proportional to it. Every other row is *redundant*: a nonnegative combination of facet rows plus a nonnegative
constant. Rows that are positive multiples of one another carry one facet, which is named once, by the first of them.
Zero rows and constant rows carry none.

The method is ray shooting (K. L. Clarkson, *More output-sensitive geometric algorithms*, FOCS 1994): from an interior
point, a ray that leaves P through a single row proves that row a facet. Each other row costs one small linear program
among the facets found so far: it is redundant among them, or a point beyond shows the way to a new facet. It is
polynomial in every dimension, it lists no vertex, and it gives the multipliers of the redundant rows. Cells that are
kept by generators have their facets from those (``Cone.faces``), which is faster where generators are few.

>>> [facet.row for facet in irredundant([(0, 1), (0, 2), (1, -1), (5, -1), (3, 0)], 1).facets]
[(0, 1), (1, -1)]
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul

from exactgeo.errors import Inconsistent
from exactgeo.polyhedron.cone import point_of
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

__all__ = ["Facet", "Irredundant", "irredundant"]


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
class Irredundant:
    """Every row of a full-dimensional polyhedron is either the row of a facet or a key of ``redundant``, never both.

    The multipliers in ``redundant`` cite facet rows only, so that all redundant rows can be dropped at once.
    """

    at: Row
    facets: tuple[Facet, ...]
    redundant: dict[int, Redundant]


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

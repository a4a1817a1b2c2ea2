"""Merges and separations: the W and N records that prove a number of regions (FORMAT.md, section 7).

Merges. Inside a class of equal maps the walls are known (``cells.facing``); a spanning forest of them is enough, since
what is in one component needs no more evidence.

Separations. Two leaves of a class in different components need an N unless they are free: they first differ in some
stage t, with the same scores, and there in two selectors whose rows are not proportional. So a leaf a is not free with
b only across one hyperplane h among a's own rows of stage t: every selector of a with a row on h has turned to another
class on h (on the other side of h its winner has lost), and every other selector has kept its winner. Leaves are
looked up by their winners up to stage t, so all pairs that are not free are found without looking at the others.

For such a pair, first the two parents up to stage t are separated, which settles all leaves below them at once; where
that fails, the leaves themselves. In both cases the evidence is a Farkas proof inside h: one row that is negative
there, or two that are opposite there, which is all that stripes and grids need, or what a linear program finds.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import gcd, lcm, prod

from exactgeo.cells.cell import Cell, Settled
from exactgeo.cells.facing import find_walls, inside_plane
from exactgeo.cells.forest import Forest
from exactgeo.certificate.numbering import Numbering
from exactgeo.certificate.records import Leaves, Record
from exactgeo.errors import Inconsistent
from exactgeo.network import Network
from exactgeo.partition.selectors import Winners, difference
from exactgeo.polyhedron.lp import NoInterior, interior
from exactgeo.rational.rows import Row, dot, homogeneous, hyperplane, is_constant, negated
from exactgeo.regions.regions import equal_maps

__all__ = ["RegionRecords", "region_records"]

MOST_KNOWN = 1000
"""Cells whose rows are kept for the next separations."""


@dataclass(frozen=True, slots=True)
class RegionRecords:
    """The W and N records, and the numbers that they prove."""

    records: list[Record]
    regions: int
    affine_maps: int


def region_records(network: Network, leaves: Leaves, multipliers: bool) -> RegionRecords:
    """The records for all leaves of a tree."""
    prover = _RegionProver(network, leaves, multipliers)
    alike = leaves.alike()
    found = equal_maps([leaves[k] for k in alike])
    classes = [[alike[place] for place in members] for members in found if len(members) > 1]
    for members in classes:
        prover.merge(members)
    regions = len(leaves) - len(prover.records)  # every merge takes one away
    for members in classes:
        if len({prover.forest.root(k) for k in members}) > 1:
            prover.separate(members)
    return RegionRecords(prover.records, regions, len(leaves) - sum(len(members) - 1 for members in classes))


class _RegionProver:
    def __init__(self, network: Network, leaves: Leaves, multipliers: bool) -> None:
        self.dimension = network.input_dim
        self.numbering = Numbering.of(network)
        self.leaves = leaves
        self.multipliers = multipliers
        self.forest = Forest()
        self.records: list[Record] = []
        self.known_rows: dict[tuple[Winners, ...], _Rows] = {}
        self.parents_apart: dict[tuple[tuple[Winners, ...], tuple[Winners, ...]], bool] = {}

    def merge(self, members: Sequence[int]) -> None:
        """W records for a spanning forest of the walls between leaves with the same map."""
        for wall in find_walls([(k, self.leaves[k].cell) for k in members]):
            if self.forest.join(wall.first, wall.second):
                record: Record = ["W", wall.first, wall.second]
                if not self._on_segment(wall.first, wall.second, wall.row):
                    record.append(list(homogeneous(wall.point)))
                self.records.append(record)

    def _on_segment(self, a: int, b: int, plane: Row) -> bool:
        """Whether the wall is met by the segment between the leaves' points, strictly inside every other row."""
        first, second = self.leaves[a].point, self.leaves[b].point
        one, two = abs(dot(plane, first)), abs(dot(plane, second))
        point = [two * x + one * y for x, y in zip(first, second, strict=True)]
        return all(
            dot(face.row, point) > 0
            for k in (a, b)
            for face in self.leaves[k].cell.body.faces()
            if hyperplane(face.row)[0] != plane
        )

    def separate(self, members: Sequence[int]) -> None:
        """N records for all pairs of leaves with the same map that are neither joined nor free."""
        below: dict[tuple[Winners, ...], dict[Winners, list[int]]] = {}
        for k in members:
            won = _winners(self.leaves[k].cell)
            for t in range(len(won)):
                below.setdefault(won[:t], {}).setdefault(won[t], []).append(k)
        for a in members:
            won = _winners(self.leaves[a].cell)
            for t, settled in enumerate(self.leaves[a].cell.trail):
                siblings = below[won[:t]]
                for plane, turned in _across(settled, siblings):
                    for b in siblings[turned]:
                        if a < b and self.forest.root(a) != self.forest.root(b):
                            self._separate(a, b, t, plane)

    def _separate(self, a: int, b: int, t: int, plane: Row) -> None:
        one, two = self.leaves[a].cell, self.leaves[b].cell
        prefixes = (_winners(one)[: t + 1], _winners(two)[: t + 1])
        if t + 1 < len(one.trail):
            if prefixes not in self.parents_apart:
                self.parents_apart[prefixes] = self._evidence([a, t + 1], [b, t + 1], one, two, plane, t + 1)
            if self.parents_apart[prefixes]:
                return
        if not self._evidence(a, b, one, two, plane, None):
            raise Inconsistent(f"leaves {a} and {b} have a wall and the same map but were not joined")

    def _evidence(self, a: object, b: object, one: Cell, two: Cell, plane: Row, stages: int | None) -> bool:
        """Write an N record if the rows of the two cells (of their first stages) separate them inside the plane."""
        sides = (self._rows(one, stages).on(plane), self._rows(two, stages).on(plane))
        weights = _by_few(*sides)
        if weights is None:
            named = [(side, number) for side, here in enumerate(sides) for number in here.numbers]
            factors = [factor for here in sides for factor in here.factors]
            answer = interior([image for here in sides for image in here.images], self.dimension - 1)
            if not isinstance(answer, NoInterior):
                return False
            # An image is its row times the factor, on the plane; so lambda on the image is lambda * factor on the row.
            weights = {named[k]: multiplier * factors[k] for k, multiplier in answer.multipliers.items()}
        scale = lcm(*[weight.denominator for weight in weights.values()])
        self._separation(a, b, {name: int(weight * scale) for name, weight in weights.items()})
        return True

    def _separation(self, a: object, b: object, weights: dict[tuple[int, int], int]) -> None:
        """Write the N record with these multipliers, by side and number of the row."""
        cited: list[list[int]] = [[], []]
        factors: list[list[int]] = [[], []]
        for side, number in sorted(weights):
            cited[side].append(number)
            factors[side].append(weights[side, number])
        spelled = [x for pair in zip(cited, factors, strict=True) for x in pair] if self.multipliers else cited
        self.records.append(["N", a, b, *spelled])

    def _rows(self, cell: Cell, stages: int | None) -> "_Rows":
        """The facet rows of a cell, or all rows of its first stages.

        The last few are kept: a leaf meets all its partners in turn.
        """
        key = _winners(cell)[:stages]
        if key not in self.known_rows:
            if len(self.known_rows) >= MOST_KNOWN:
                del self.known_rows[next(iter(self.known_rows))]
            numbered = self.numbering.rows(cell, stages)
            if stages is None:
                numbered = {face.row: numbered[face.row] for face in cell.body.faces()}
            self.known_rows[key] = _Rows(numbered)
        return self.known_rows[key]


class _Rows:
    """The rows of a cell that are not constant, with their numbers; their images on a hyperplane on request.

    Constant rows separate nothing: those of a nonempty cell are positive or zero.
    """

    def __init__(self, numbered: dict[Row, int]) -> None:
        self._proper = [(row, number, hyperplane(row)[0]) for row, number in numbered.items() if not is_constant(row)]
        self._on: dict[Row, _Images] = {}

    def on(self, plane: Row) -> "_Images":
        if plane not in self._on:
            self._on[plane] = _Images([(row, number) for row, number, own in self._proper if own != plane], plane)
        return self._on[plane]


class _Images:
    """Rows on a hyperplane: image, number and factor of each, and for each direction u the least c with c + u.x > 0."""

    def __init__(self, rows: Sequence[tuple[Row, int]], plane: Row) -> None:
        self.numbers: list[int] = []
        self.images: list[Row] = []
        self.factors: list[Fraction] = []
        self.negative: tuple[int, Fraction] | None = None  # a row that is a negative constant on the plane
        self.least: dict[Row, tuple[Fraction, int, Fraction]] = {}
        for row, number in rows:
            image, factor = inside_plane(row, plane)
            self.numbers.append(number)
            self.images.append(image)
            self.factors.append(factor)
            size = gcd(*image[1:])
            if not size:
                if image[0] < 0:
                    self.negative = (number, factor)
                continue
            direction = tuple([entry // size for entry in image[1:]])
            found = (Fraction(image[0], size), number, factor / size)
            if direction not in self.least or found < self.least[direction]:
                self.least[direction] = found


def _by_few(one: _Images, two: _Images) -> dict[tuple[int, int], Fraction] | None:
    """A separation by a single row, or by two that are opposite on the plane: what stripes and grids need."""
    for side, images in enumerate((one, two)):
        if images.negative is not None:
            number, factor = images.negative
            return {(side, number): factor}
    for direction, (constant, number, factor) in one.least.items():
        opposite = two.least.get(negated(direction))
        if opposite is not None and constant + opposite[0] <= 0:
            return {(0, number): factor, (1, opposite[1]): opposite[2]}
    return None


def _winners(cell: Cell) -> tuple[Winners, ...]:
    return tuple(settled.winners for settled in cell.trail)


def _across(settled: Settled, siblings: Collection[Winners]) -> Iterator[tuple[Row, Winners]]:
    """For each hyperplane among a leaf's rows of one stage, the siblings beyond it with which the leaf is not free."""
    planes: dict[Row, dict[int, list[int]]] = {}
    for g, (classes, w) in enumerate(zip(settled.selectors, settled.winners, strict=True)):
        for i, score in enumerate(classes.rows):
            if i != w:
                row = difference(classes.rows[w], score)
                if not is_constant(row):
                    planes.setdefault(hyperplane(row)[0], {}).setdefault(g, []).append(i)
    for plane, turns in planes.items():
        if prod(len(classes) for classes in turns.values()) > len(siblings):
            for turned in siblings:
                if all(i in turns.get(g, (w,)) for g, (i, w) in enumerate(zip(turned, settled.winners, strict=True))):
                    yield plane, turned
            continue
        for choice in product(*turns.values()):
            won = list(settled.winners)
            for g, i in zip(turns, choice, strict=True):
                won[g] = i
            if tuple(won) in siblings:
                yield plane, tuple(won)

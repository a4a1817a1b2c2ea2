"""Regions and affine maps of a network whose cells were counted by states: exact numbers, or bounds.

*Different maps.* Say that every child of every state is exact: it contains all that its stage sends into the image of
its interior. Then by induction every cell is A^-1(Y), where psi o A is the network's map on it, A is onto the space of
the chart psi, and Y is the interior of an image of the last stage. Two cells with the same map have the same chart,
which is that of the map's range, and the same A; being disjoint they have disjoint Y. So if any two images of the last
stage with the same chart meet in their interiors, then all cells have different maps:

    affine_maps = regions = cells.

That is so in constructions that send every cell onto one and the same set.

*Walls.* Let R(l, P) be the number of regions of the stages from l on inside P; it is that of every cell that is sent
onto P, for walls and equality of maps carry over to preimages. Cells in different children of P that are joined touch
in a wall F of the two. Suppose that the two maps are injective, that they agree on F and that the two images are one
set Q. Their difference is the form of F times a vector v. The images of the cells that touch F touch the facet f(F) of
Q, all from the same side, so that two that touch each other are sent onto the same cell of Q: they have the same map g
from there on, and are joined iff the linear part of g *kills* v. So as many pairs are joined across F as Q has cells
that touch f(F) and whose maps kill v: that is a sum over those children of Q that have this facet, or more where one of
them is sent to a smaller dimension, and facets are lost sight of. Each pair that is joined makes at most one region
less. Children with a wall of any other kind are put into one group, of which nothing is said but that it has a region:

    R(l, P) >= sum over groups of (R of the child if it is alone, else 1) - sum over other walls of the pairs joined.

And R(l, P) <= sum of R of the children. In the last stage children are cells, joined across walls where their maps are
the same, and R is exact; and where a state has few cells they are listed, which is exact too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from exactgeo.cells import Cell, enumerate_cells
from exactgeo.cells.cell import map_of
from exactgeo.cells.facing import Wall, find_walls, vanishes_on
from exactgeo.cells.forest import Forest
from exactgeo.cells.images import Chart, Image
from exactgeo.cells.states import Child, Counting
from exactgeo.network import Staged
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.rows import Row, dot, negated, primitive
from exactgeo.regions.regions import linear_regions

__all__ = ["Bounds", "region_bounds"]

Bounds = tuple[int, int]

MOST_PAIRS = 2_000
"""Ends that do not all have a point in common are compared two by two, up to so many pairs."""

LISTED, LISTED_STATE = 20_000, 500
"""A network with so many cells is listed; and any other state with so many, until it is as many cells in all."""

MOST_AIMS = 100_000
"""Where walls lead to more questions about cells, they are not asked."""


def region_bounds(counting: Counting, listed: int | None = None) -> tuple[Bounds, Bounds]:
    """Bounds on the numbers of regions and of affine maps, from a count that is done and has kept its children.

    ``listed`` is how many cells may be listed for that.
    """
    cells = counting.cells
    if cells == 1 or different_maps(counting):
        return (cells, cells), (cells, cells)
    if counting.domain is None:
        raise ValueError("a count that has not begun")
    walls = _Walls(counting, LISTED if listed is None else listed)
    low, high, maps = walls.bounds(counting.domain.image)
    return (low, high), maps


def different_maps(counting: Counting) -> bool:
    """Whether it is proved that no two cells have the same affine map."""
    if counting.domain is None or not counting.domain.exact:
        return False
    for level in counting.children:
        if not all(child.image.dimension and child.exact for children in level.values() for child in children):
            return False
    charts: dict[Chart, list[Image]] = {}
    for end in counting.ends:
        charts.setdefault(end.chart, []).append(end)
    return all(_meet(ends) for ends in charts.values())


def _meet(ends: list[Image]) -> bool:
    """Whether the interiors of any two of these images, in one chart, meet."""
    common: Cone | None = ends[0].cone
    for end in ends[1:]:
        common = common and _intersection(common, end.cone)
    if common is not None:
        return True
    if len(ends) * (len(ends) - 1) // 2 > MOST_PAIRS:
        return False
    return all(_intersection(one.cone, two.cone) is not None for one, two in combinations(ends, 2))


def _intersection(one: Cone, two: Cone) -> Cone | None:
    """The intersection of two polyhedra; None where it has no interior."""
    part: Cone | None = one
    for row in two.rows[1:]:
        part = part and part.keep(row)
    return part


# -- walls -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Aim:
    """An image, a vector up to sign and size, and a facet of the image: whose cells touch this and kill that?

    Zero is killed by all. Without a facet, all cells are meant.
    """

    image: Image
    vector: Row
    facet: Row | None


@dataclass(frozen=True, slots=True)
class Across:
    """A wall between two children of a state: whether their maps are the same, and the aim where that decides it."""

    first: int
    second: int
    same: bool
    aim: Aim | None


class _Walls:
    """Bounds by states, from the last stage to the first."""

    def __init__(self, counting: Counting, listed: int) -> None:
        self.stages = counting.stages
        self.children = counting.children
        self._listed = self._left = listed
        self._cells = self._count()
        self._across: dict[int, list[Across]] = {}  # by the identity of a list of children, which equal stages share
        self._steps: dict[tuple[int, Row, Row | None], list[Aim | None]] = {}
        self._joined = self._pairs()

    def _count(self) -> list[dict[Image, int]]:
        """C(l, P) for every state."""
        found: list[dict[Image, int]] = [{} for _ in range(len(self.stages) + 1)]
        for place in reversed(range(len(self.stages))):
            for image, children in self.children[place].items():
                found[place][image] = sum(found[place + 1].get(child.image, 1) for child in children)
        return found

    def across(self, children: list[Child]) -> list[Across]:
        """The walls between the children of a state."""
        known = self._across.get(id(children))
        if known is None:
            cells = [Cell((), (child.settled,), child.cone, child.matrix) for child in children]
            known = [_across(children, wall) for wall in find_walls(list(enumerate(cells)))]
            self._across[id(children)] = known
        return known

    def steps(self, children: list[Child], aim: Aim) -> list[Aim | None]:
        """What an aim is in the images of the children it concerns; None for one whose image is a point."""
        key = (id(children), aim.vector, aim.facet)
        known = self._steps.get(key)
        if known is None:
            known = [
                _step(child, aim)
                for child in children
                if aim.facet is None or aim.facet in [child.cone.rows[k] for k, _ in child.cone.facet_rows()]
            ]
            self._steps[key] = known
        return known

    def _pairs(self) -> list[dict[Aim, int]] | None:
        """For every aim that matters, at most how many cells it holds; None where there are too many aims."""
        aims: list[dict[Aim, None]] = [{} for _ in range(len(self.stages) + 1)]
        number = 0
        for place, level in enumerate(self.children):
            found = aims[place + 1]
            for children in level.values():
                found.update({wall.aim: None for wall in self.across(children) if wall.aim is not None})
            for aim in aims[place]:
                found.update({step: None for step in self.steps(level[aim.image], aim) if step is not None})
            number += len(found)
            if number > MOST_AIMS:
                return None
        held: list[dict[Aim, int]] = [{} for _ in aims]
        held[-1] = {aim: int(not any(aim.vector)) for aim in aims[-1]}
        for place in reversed(range(len(self.stages))):
            for aim in aims[place]:
                steps = self.steps(self.children[place][aim.image], aim)
                held[place][aim] = sum(1 if step is None else held[place + 1][step] for step in steps)
        return held

    def bounds(self, start: Image) -> tuple[int, int, Bounds]:
        """Bounds on the regions of a network whose domain is sent onto ``start``, and on its affine maps."""
        following: dict[Image, Bounds] = {}
        maps: Bounds = (1, self._cells[0].get(start, 1))
        for place in reversed(range(len(self.stages))):
            level: dict[Image, Bounds] = {}
            for image, children in self.children[place].items():
                low, high = self._bounds(place, children, following)
                cells = self._cells[place][image]
                few = cells <= (min(LISTED_STATE, self._left) if place else self._listed)
                if few and (low < high or not place):
                    self._left -= cells
                    rest = Staged.after(map_of(image.chart.matrix()), image.rows, self.stages[place:])
                    found = linear_regions(enumerate_cells(rest))
                    low = high = len(found)
                    if not place:
                        maps = (found.affine_maps, found.affine_maps)
                level[image] = (low, high)
            following = level
        low, high = following.get(start, (1, 1))
        return low, high, (min(maps[0], low), min(maps[1], high))

    def _bounds(self, place: int, children: list[Child], following: dict[Image, Bounds]) -> Bounds:
        last = place == len(self.stages) - 1
        inside = [following.get(child.image, (1, 1)) for child in children]
        groups = Forest()
        decided: list[tuple[int, int, int]] = []
        for wall in self.across(children):
            if wall.aim is not None and self._joined is not None:
                decided.append((wall.first, wall.second, self._joined[place + 1][wall.aim]))
            elif wall.same or not last:
                groups.join(wall.first, wall.second)
        members: dict[int, list[int]] = {}
        for i in range(len(children)):
            members.setdefault(groups.root(i), []).append(i)
        low = sum(inside[each[0]][0] if len(each) == 1 else 1 for each in members.values())
        low -= sum(joined for i, j, joined in decided if groups.root(i) != groups.root(j))
        return max(low, 1), low if last else sum(high for _, high in inside)


def _across(children: list[Child], wall: Wall) -> Across:
    """The wall between two children."""
    i, j = wall.first, wall.second
    one, two = children[i], children[j]
    first, second = map_of(one.matrix), map_of(two.matrix)
    whole = one.image.dimension == one.cone.dimension
    if not whole or one.image != two.image or first == second or not vanishes_on(wall.row, first, second):
        return Across(i, j, first == second, None)
    # Every row of the difference is a multiple of the wall's row, whose entry at the pivot is not zero.
    pivot = next(k for k in range(1, len(wall.row)) if wall.row[k])
    gaps = [
        row[pivot] * second.denominator - other[pivot] * first.denominator
        for row, other in zip(first.rows, second.rows, strict=True)
    ]
    row = wall.row if dot(wall.row, one.cone.interior()) > 0 else negated(wall.row)
    return Across(i, j, False, Aim(one.image, _line(gaps), one.projection().factor(row)))


def _step(child: Child, aim: Aim) -> Aim | None:
    """An aim in the image of a child."""
    image = child.image
    if not image.dimension:
        return None
    inner = (0, *[aim.vector[pivot] for pivot in aim.image.chart.pivots])
    moved = [dot([int(entry) for entry in row], inner) for row in child.matrix.tolist()[1:]]
    whole = image.dimension == child.cone.dimension
    facet = child.projection().factor(aim.facet) if whole and aim.facet is not None else None
    return Aim(image, _line(moved), facet)


def _line(vector: Sequence[int]) -> Row:
    """The primitive vector on the line of a vector, its first entry that is not zero positive; zero is its own."""
    reduced = primitive(vector)
    return reduced if next((entry for entry in reduced if entry), 1) > 0 else negated(reduced)

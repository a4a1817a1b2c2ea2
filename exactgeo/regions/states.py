"""Regions and affine maps of a network whose cells were counted by states: exact numbers, or bounds.

*Different maps.* Say that every child of every state is exact: it contains all that its stage sends into the image of
its interior. Then by induction every cell is A^-1(Y), where psi o A is the network's map on it, A is onto the space of
the chart psi, and Y is the interior of an image of the last stage. Two cells with the same map have the same chart,
which is that of the map's range, and the same A; being disjoint they have disjoint Y. So if any two images of the last
stage with the same chart meet in their interiors, then all cells have different maps:

    affine_maps = regions = cells.

That is so in constructions that send every cell onto one and the same set.
"""

from itertools import combinations

from exactgeo.cells.states import Chart, Counting, Image
from exactgeo.polyhedron.cone import Cone

__all__ = ["Bounds", "region_bounds"]

Bounds = tuple[int, int]

MOST_PAIRS = 2000
"""Ends that do not all have a point in common are compared two by two, up to so many pairs."""


def region_bounds(counting: Counting) -> tuple[Bounds, Bounds]:
    """Bounds on the numbers of regions and of affine maps, from a count that is done and has kept its children."""
    cells = counting.cells
    if cells == 1 or different_maps(counting):
        return (cells, cells), (cells, cells)
    return (1, cells), (1, cells)


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

"""Walls, regions and shapes of all cells of a network, by the native core, in arrays.

A wall is a (d-1)-dimensional intersection of the closures of two cells; a region is a maximal set of cells with one
affine map, joined across walls. Cells are numbered in the order of split, from 0. The mathematics, and why nothing is
missed where hyperplanes coincide or the network jumps, stands at the head of ``native/src/walls.hpp``. The core lists
cells on generators, so that the input has at most ``MOST_DIMENSIONS`` dimensions.

>>> from exactgeo.network import Network
>>> tent = Network.mlp([[[1], [1]], [[2, -4]]], [[0, "-1/2"], [0]], domain={"box": [[-1, 1]]})
>>> regions = region_numbers(tent)
>>> regions.cells, regions.regions, regions.affine_maps, regions.region.tolist()
(3, 3, 3, [0, 1, 2])
>>> walls = all_walls(tent)
>>> list(zip(walls.first.tolist(), walls.second.tolist(), walls.selector.tolist()))
[(0, 1, 0), (1, 2, 1)]
>>> shapes = all_shapes(tent)
>>> sorted(shapes.vertices[shapes.first_vertex[1] : shapes.first_vertex[2], 0].tolist()), shapes.points[1].tolist()
([0.0, 0.5], [0.25])
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np

from exactgeo import native
from exactgeo.network import Staged
from exactgeo.network.lowering import lowered

__all__ = ["MOST_DIMENSIONS", "Regions", "Shapes", "Walls", "all_shapes", "all_walls", "region_numbers"]

MOST_DIMENSIONS = 5
"""From six on cells have no generators in the core."""

Array = Any


@dataclass(frozen=True, slots=True, eq=False)
class Regions:
    """Numbers of cells, regions and maps; of each cell the number of its region and of its map, by first cells."""

    cells: int
    regions: int
    affine_maps: int
    region: Array
    map: Array


@dataclass(frozen=True, slots=True, eq=False)
class Walls(Regions):
    """All walls, ordered by their ends first < second.

    A wall is where the candidate ``winner`` of a selector of a stage, which wins on the first cell, and ``loser`` have
    equal scores; beyond, in the second cell, the loser has the larger one.
    """

    first: Array
    second: Array
    stage: Array
    selector: Array
    winner: Array
    loser: Array


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """Vertices, facets and a point of each cell.

    Cell k has the vertices first_vertex[k], ..., first_vertex[k+1] - 1. A vertex is off by at most its ``error`` in
    each coordinate; one ``at_infinity`` is the direction of an unbounded edge. Lines that the cell contains are in
    ``lines``, integers (0, direction), those of cell k from first_line[k] on. ``exact`` has the same vertices as
    homogeneous integers, if they were asked for.

    Facet f of a cell, first_facet as above, has the row (level, selector, winner, loser) of ``facets``: as in
    ``Walls``, or, where the level is -1, row ``selector`` of the domain; the cell's vertices on it are
    members[first_member[f] : first_member[f+1]], counted from the cell's first. A facet at infinity has selector -1.

    ``points[k]`` is strictly inside cell k, exactly as it stands, unless cell k is in ``exact_points``: there it is, as
    homogeneous integers.
    """

    first_vertex: Array
    vertices: Array
    error: Array
    at_infinity: Array
    first_facet: Array
    facets: Array
    first_member: Array
    members: Array
    first_line: Array
    lines: list[list[int]]
    points: Array
    exact_points: Mapping[int, list[int]]
    exact: list[list[int]] | None


class _Job(Protocol):
    def wait(self, seconds: float) -> bool: ...


J = TypeVar("J", bound=_Job)


def _done(make: Callable[[], J]) -> J:
    """The job once it is done; the interpreter looks at its signals in between."""
    job = make()
    while not job.wait(0.05):
        pass
    return job


def _numbers(raw: bytes, kind: type) -> Array:
    return np.frombuffer(raw, kind)


def region_numbers(network: Staged, **faults: Any) -> Regions:
    """The regions of a network. ``faults`` are for tests: they change nothing but how it is decided."""
    lower = lowered(network, mapped=True)
    job = _done(lambda: native.core.WallsJob(lower, **faults))
    return Regions(job.cells, job.regions, job.affine_maps, *_of_cells(job))


def _of_cells(job: "native.core.WallsJob") -> tuple[Array, Array]:
    return _numbers(job.region_of, np.uint32), _numbers(job.map_of, np.uint32)


def all_walls(network: Staged, **faults: Any) -> Walls:
    """All walls of a network, and its regions."""
    lower = lowered(network, mapped=True)
    job = _done(lambda: native.core.WallsJob(lower, all=True, **faults))
    walls = _numbers(job.walls, np.int32).reshape(-1, 6).T
    return Walls(job.cells, job.regions, job.affine_maps, *_of_cells(job), *walls)


def all_shapes(network: Staged, exact: bool = False, **faults: Any) -> Shapes:
    """The shapes of all cells; with ``exact`` vertices in integers, too."""
    lower = lowered(network)
    job = _done(lambda: native.core.ShapesJob(lower, exact, **faults))
    first_vertex, vertices, error, at_infinity = job.vertices
    first_facet, facets, first_member, members = job.facets
    points, exact_points = job.points
    first_line, lines = job.lines
    width = network.input_dim
    return Shapes(
        _numbers(first_vertex, np.int64),
        _numbers(vertices, np.float64).reshape(-1, width),
        _numbers(error, np.float64),
        _numbers(at_infinity, np.bool_),
        _numbers(first_facet, np.int64),
        _numbers(facets, np.int32).reshape(-1, 4),
        _numbers(first_member, np.int64),
        _numbers(members, np.int32),
        _numbers(first_line, np.int64),
        lines,
        _numbers(points, np.float64).reshape(-1, width),
        exact_points,
        job.exact_rays if exact else None,
    )

"""Walls between listed cells in arrays: what ``wall_kernel`` is given, and what becomes of its answers.

Cells that the kernel has listed with their rays have their facets matched at once. Facets without a twin, and cells
whose rays are too long for the listing, need integer rows, which are pulled back along the patterns. They are matched
across selectors, and what then remains is compared on each hyperplane. What stays open for want of bits is named, to be
settled in integers of any length (``cells.array_walls``).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from exactgeo.cells import wall_kernel as kernel
from exactgeo.cells.array_walls import Found
from exactgeo.cells.arrays import WHOLE
from exactgeo.cells.listed import Block, Family, Listed, places
from exactgeo.errors import Inconsistent

__all__ = ["find", "ready"]


@dataclass(frozen=True, slots=True)
class _Gathered:
    """Cells one after the other, as in a block; ``runs`` are the places they come from."""

    runs: list[tuple[Block, Any]]
    first_row: Any
    origin: Any
    first_ray: Any
    rays: Any
    tight: Any


def _table(entries: int) -> Any:
    """An empty table for so many entries."""
    return np.full(1 << max(4, (2 * entries).bit_length()), -1, np.int64)


def _ranges(first: Any, at: Any) -> tuple[Any, Any]:
    """The entries first[k], ..., first[k + 1] - 1 for all k of ``at``, and how many each."""
    lengths = first[at + 1] - first[at]
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(first[at] - (ends - lengths), lengths) + np.arange(total), lengths


def _gather(cells: Sequence[Listed]) -> _Gathered:
    runs, row_counts, ray_counts, origins, rays, tights = [], [], [], [], [], []
    for block, taken in places(cells):
        at = np.array(taken)
        runs.append((block, at))
        if len(at) == len(block.parent) and (at[1:] > at[:-1]).all():
            row_counts.append(np.diff(block.first_row))
            ray_counts.append(np.diff(block.first_ray))
            origins.append(block.rows)
            rays.append(block.rays)
            tights.append(block.tight)
            continue
        entries, lengths = _ranges(block.first_row, at)
        row_counts.append(lengths)
        origins.append(block.rows[entries])
        entries, lengths = _ranges(block.first_ray, at)
        ray_counts.append(lengths)
        rays.append(block.rays[entries])
        tights.append(block.tight[entries])
    first_row, first_ray = np.zeros(len(cells) + 1, np.int64), np.zeros(len(cells) + 1, np.int64)
    np.cumsum(np.concatenate(row_counts), out=first_row[1:])
    np.cumsum(np.concatenate(ray_counts), out=first_ray[1:])
    return _Gathered(runs, first_row, np.concatenate(origins), first_ray, np.concatenate(rays), np.concatenate(tights))


def find(cells: Sequence[Listed]) -> Found:
    """All walls between cells of one network, as far as arrays can tell."""
    cone = _gather(cells)
    bodies = kernel.Bodies(cone.first_row, cone.first_ray, cone.tight)
    rays, rows, number = len(cone.rays), len(cone.origin), len(cells)
    reduced, names, stamp = np.empty_like(cone.rays), np.empty(rays, np.int64), np.full(rays, -1, np.int64)
    start, facet_cell = np.zeros(number + 1, np.int64), np.empty(rows, np.int64)
    facet_row, mate = np.empty(rows, np.int64), np.empty(rows, np.int64)
    found = kernel.match(
        bodies,
        cone.origin,
        cone.rays,
        reduced,
        names,
        (_table(rays), _table(rays), _table(rows)),
        stamp,
        np.empty(rows, np.uint64),
        np.empty(64, np.uint64),
        start,
        facet_cell,
        facet_row,
        mate,
    )
    if found < 0:
        raise Inconsistent("three cells have the same facet")
    facet_cell, facet_row, mate = facet_cell[:found], facet_row[:found], mate[:found]
    one = np.flatnonzero(mate > np.arange(found))
    first, second, facet = facet_cell[one], facet_cell[mate[one]], one - start[facet_cell[one]]
    alone = mate < 0
    without = cone.first_ray[1:] == cone.first_ray[:-1]
    if not alone.any() and not without.any():
        return Found(first, second, facet, np.full(len(first), -1, np.int64))
    families, node_first, node_rows, node_size, outside = _nodes(cone.runs, number)
    outer = cone.origin[:, 0] == -1
    owner = np.repeat(np.arange(number), np.diff(cone.first_row))
    outer[outer] = outside[node_first[owner[outer]] + cone.origin[outer, 1]]
    wanted = without.astype(np.int64)
    wanted[facet_cell[alone & ~outer[facet_row]]] = 1
    if not wanted.any():
        return Found(first, second, facet, np.full(len(first), -1, np.int64))
    asked = np.repeat(without, np.diff(cone.first_row))
    asked[facet_row[alone]] = True
    pulled, twin = _pull(families, cone, wanted, asked, node_first, node_rows, node_size)
    across = np.flatnonzero(twin > np.arange(rows))
    plane = np.concatenate([np.full(len(first), -1, np.int64), pulled.plane[across]])
    first = np.concatenate([first, owner[across]])
    second = np.concatenate([second, owner[twin[across]]])
    facet = np.concatenate([facet, np.full(len(across), -1, np.int64)])
    # Beyond a row that was matched, or has no twin, nothing else can be: the cells of a parent meet face to face.
    done = outer | (twin != -1)
    mate[twin[facet_row] >= 0] = 0
    wanted[:] = 0
    wanted[owner[~done & np.repeat(without, np.diff(cone.first_row))]] = 1
    wanted[facet_cell[(mate < 0) & ~done[facet_row]]] = 1
    single = np.flatnonzero(twin == -2)
    loose = np.stack([owner[single], pulled.plane[single]], axis=1)
    known = Found(first, second, facet, plane, pulled.canonical, loose=loose)
    if not wanted.any():
        return known
    shape = _Shape(cone, bodies, without, pulled, start, mate, facet_row, done, reduced, names)
    return _compare(shape, wanted, known, twin)


@dataclass(frozen=True, slots=True)
class _Shape:
    """What is known of the cells when facets without a twin are compared; see ``wall_kernel.find_rays``."""

    cone: _Gathered
    bodies: kernel.Bodies
    without: Any
    rows: kernel.Rows
    start: Any
    mate: Any
    facet_row: Any
    done: Any
    reduced: Any
    names: Any


def _nodes(runs: Sequence[tuple[Block, Any]], number: int) -> tuple[list[Family], Any, Any, Any, Any]:
    """The rows of the cones that cells were listed in: for each cell where they begin, and which are of the domain."""
    families: dict[int, int] = {}
    kept: list[Family] = []
    rows: list[tuple[int, ...]] = []
    outside: list[bool] = []
    first = np.empty(number, np.int64)
    at = 0
    for block, taken in runs:
        family = block.family
        if id(family) not in families:
            families[id(family)] = len(rows)
            kept.append(family)
            domain = set(family.node.cell.domain)
            rows.extend(family.node.cone.rows)
            # Nothing is beyond the domain, and nothing beyond infinity, which is row 0.
            outside.extend(not k or row in domain for k, row in enumerate(family.node.cone.rows))
        first[at : at + len(taken)] = families[id(family)]
        at += len(taken)
    totals = [sum(map(abs, row)) for row in rows]
    integers = np.array([row if total < WHOLE else (0,) * len(row) for row, total in zip(rows, totals, strict=True)])
    sizes = np.array([total if total < WHOLE else -1.0 for total in totals], np.float64)
    return kept, first, integers.astype(np.int64), sizes, np.array(outside, np.bool_)


def _pull(
    families: Sequence[Family],
    cone: _Gathered,
    wanted: Any,
    asked: Any,
    node_first: Any,
    node_rows: Any,
    node_size: Any,
) -> tuple[kernel.Rows, Any]:
    """The rows of the wanted cells, and for those that are asked for the same row of the cell beyond."""
    net = families[0].net
    width = cone.rays.shape[1]
    stages, forms, inputs = net.forms.shape
    candidates = net.score.shape[1]
    levels = kernel.Forms(
        np.zeros((stages, max(inputs, net.base.shape[1] + 1), width), np.int64),
        np.zeros((stages, forms, width), np.int64),
        np.zeros((stages, forms), np.float64),
        np.zeros((stages, candidates), np.int64),
        np.zeros((stages, candidates), np.int64),
        np.zeros((stages, candidates), np.int64),
        np.zeros((max(1, int(net.sizes[:, 4].max())), width), np.int64),
        np.zeros(stages, np.int64),
    )
    rows = _rows(len(cone.origin), width)
    pattern = np.concatenate([block.pattern[at] for block, at in cone.runs])
    number = len(cone.origin)
    match = kernel.Match(
        np.full(number, -1, np.int64),
        np.full(number, -1, np.int64),
        np.empty(number, np.uint64),
        np.full((1 << max(4, (2 * number).bit_length()), 2), -1, np.int64),
        np.zeros(net.start.shape[1], np.int64),
    )
    fine = kernel.pull(
        net,
        levels,
        np.array(families[0].first, np.int64),
        pattern,
        wanted,
        cone.first_row,
        cone.origin,
        node_first,
        node_rows,
        node_size,
        rows.ints,
        rows.size,
        _parents(pattern, families[0].first),
        asked,
        match,
        np.zeros((net.start.shape[1], width), np.int64),
    )
    if not fine:
        raise Inconsistent("two cells are beyond the same row")
    kernel.name(rows, wanted, cone.first_row, _table(number))
    return rows, match.twin


def _parents(pattern: Any, first: Sequence[int]) -> Any:
    """Numbers for the cells of the stages before the last: each is known by its pattern."""
    until = max((begin for begin in first if begin < pattern.shape[1]), default=0)
    if not until:
        return np.zeros(len(pattern), np.int64)
    texts = np.ascontiguousarray(pattern[:, :until]).view(np.dtype((np.void, until)))[:, 0]
    return np.unique(texts, return_inverse=True)[1].astype(np.int64)


def _rows(number: int, width: int) -> kernel.Rows:
    return kernel.Rows(
        np.empty((number, width), np.int64),
        np.empty(number, np.float64),
        np.arange(number),
        np.empty((number, width), np.int64),
    )


def _rays(number: int, width: int) -> kernel.Long:
    return kernel.Long(
        np.empty((number, width), np.int64),
        np.empty((number, width), np.float64),
        np.empty(number, np.float64),
        np.empty(number, np.float64),
        np.full((number, width - 1), -1, np.int64),
    )


def _scratch(width: int, facets: int) -> kernel.Scratch:
    return kernel.Scratch(
        np.zeros((width, width + 1), np.int64),
        np.zeros(width, np.int64),
        np.zeros(kernel.MOST_RAYS, np.int64),
        np.zeros(1 << width, np.int64),
        np.zeros(1 << width, np.float64),
        np.zeros(1 << width, np.float64),
        np.zeros(64, np.uint64),
        np.zeros(kernel.MOST_RAYS, np.int64),
        np.zeros(kernel.MOST_RAYS, np.float64),
        np.zeros(facets, np.int64),
        np.zeros(facets, np.int64),
    )


def _compare(shape: _Shape, wanted: Any, known: Found, twin: Any) -> Found:
    """The walls on facets without a twin, after the walls that are known."""
    cone, bodies, rows, start, mate = shape.cone, shape.bodies, shape.rows, shape.start, shape.mate
    most, width = rows.ints.shape
    asked = wanted.copy()
    room = (
        int(np.diff(cone.first_ray)[wanted > 0].sum())
        + 32 * int((shape.without & (wanted > 0)).sum())
        + kernel.MOST_RAYS
    )
    scratch = _scratch(width, most)
    facets = kernel.Facets(
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty((most, width - 1), np.float64),
        np.empty((most, width - 1), np.float64),
    )
    first_ray = np.zeros(len(wanted) + 1, np.int64)
    while True:
        rays = _rays(room, width)
        tight = np.empty(room, np.uint64)
        wanted[:] = asked
        number = kernel.find_rays(
            bodies,
            cone.origin,
            shape.reduced,
            shape.names,
            wanted,
            rows,
            start,
            mate,
            shape.facet_row,
            shape.done,
            rays,
            first_ray,
            tight,
            facets,
            scratch,
        )
        if number >= 0:
            break
        room *= 2
    facets = kernel.Facets(
        facets.cell[:number],
        facets.row[:number],
        facets.plane[:number],
        facets.side[:number],
        facets.low[:number],
        facets.high[:number],
    )
    kernel.boxes(bodies, rows, rays, first_ray, tight, facets)
    key, axis = np.zeros(number, np.float64), np.zeros(number, np.int64)
    kernel.axes(facets, np.argsort(facets.plane, kind="stable"), key, axis)
    order = np.lexsort((key, facets.plane))
    # Up to two dimensions fewer a hyperplane would have no coordinates left; nobody asks there.
    inside = max(2, width - 1)
    within = kernel.Within(_rows(64, inside), _rays(kernel.MOST_RAYS, inside), np.empty(kernel.MOST_RAYS, np.uint64))
    space = 4 * number + 16
    while True:
        pairs = np.empty((space, 3), np.int64)
        made = kernel.sweep(bodies, rows, rays, first_ray, tight, facets, order, axis, pairs, within, scratch)
        if made >= 0:
            break
        space *= 4
    pairs = pairs[:made]
    meet = pairs[pairs[:, 2] == kernel.MEET]
    one, two = facets.cell[meet[:, 0]], facets.cell[meet[:, 1]]
    undecided = [
        (int(facets.cell[f]), int(facets.cell[g]), int(facets.plane[f]))
        for f, g, answer in pairs.tolist()
        if answer == kernel.OPEN
    ]
    unsettled = {}
    for c in np.flatnonzero(wanted == 2).tolist():
        matched = np.flatnonzero(twin[cone.first_row[c] : cone.first_row[c + 1]] >= 0) + cone.first_row[c]
        numbers = np.flatnonzero(mate[start[c] : start[c + 1]] >= 0)
        unsettled[c] = frozenset(numbers.tolist()), frozenset(rows.plane[matched].tolist())
    none = np.full(len(meet), -1, np.int64)
    return Found(
        np.concatenate([known.first, np.minimum(one, two)]),
        np.concatenate([known.second, np.maximum(one, two)]),
        np.concatenate([known.facet, none]),
        np.concatenate([known.plane, facets.plane[meet[:, 0]]]),
        known.planes,
        undecided,
        unsettled,
        np.concatenate([known.loose, np.stack([facets.cell, facets.plane], axis=1)]),
    )


def ready() -> None:
    """Compile what was never compiled, by a network whose cells need all of it: its walls do not continue."""
    from exactgeo.cells.compiled import Compiled
    from exactgeo.cells.node import root_node
    from exactgeo.network import Network

    jump = {"query": {"weight": [[1, 0], [0, 1]]}, "keys": [[0, 0], [1, 0]], "values": [[0, 0], [0, 1]]}
    layers: list[dict[str, Any]] = [{"type": "attention", "residual": True, "heads": [jump]}, {"type": "abs"}]
    network = Network.from_arrays({"input_dim": 2, "layers": layers})
    cells = Compiled(network).cells(root_node(network), len(network.stages))
    find([cell for cell in cells if isinstance(cell, Listed)])

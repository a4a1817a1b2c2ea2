"""Networks and integers of any length in the arrays of the compiled kernel (``cells.kernel``), and what cells share."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from exactgeo.cells import kernel
from exactgeo.cells.cell import Cell
from exactgeo.cells.listed import Listed, places
from exactgeo.network import Staged
from exactgeo.network.stages import SKETCH_PRIME

__all__ = ["WHOLE", "alike", "layout", "level_arrays", "network_arrays", "put", "put_long", "sizes"]

WHOLE = 2**62


def put(rows: Sequence[Sequence[int]], ints: Any, floats: Any) -> None:
    """Integers modulo 2^64, and rounded; ``OverflowError`` where no float has that size."""
    number = len(rows)
    if not number:
        return
    try:
        ints[:number] = rows
    except OverflowError:
        ints[:number] = [[(x + 2**63) % 2**64 - 2**63 for x in row] for row in rows]
    floats[:number] = [[float(x) for x in row] for row in rows]


def sizes(floats: Any) -> Any:
    """The sum of absolute values of each row; infinite where no float is as large, and then it decides no sign."""
    with np.errstate(over="ignore"):
        return np.abs(floats).sum(axis=1)


def put_long(rows: Sequence[Sequence[int]], long: Any) -> None:
    """Integers below 2^255 as long ones."""
    size = 8 * kernel.LIMBS
    data = b"".join([x.to_bytes(size, "little", signed=True) for row in rows for x in row])
    long[: len(rows)] = np.frombuffer(data, "<u8").reshape(len(rows), -1, kernel.LIMBS)


def layout(sizes: Sequence[int]) -> tuple[list[int], int]:
    """The first bit of each field of a mark, no field across two words, and the number of words."""
    places = []
    place = 0
    for size in sizes:
        if place % 64 + size > 64:
            place = (place | 63) + 1
        places.append(place)
        place += size
    return places, (place + 63) // 64


def network_arrays(network: Staged) -> kernel.Net:
    stages = network.stages
    number = len(stages)
    forms = max(len(stage.forms.rows) for stage in stages)
    inputs = max(stage.input_dim for stage in stages)
    outputs = max([1, *[stage.output_dim for stage in stages[:-1]]])  # of the last stage no map is composed
    selectors = max(1, *[len(stage.selectors) for stage in stages])
    candidates = max(1, *[sum(len(g.candidates) for g in stage.selectors) for stage in stages])
    lengths = [[len(g.candidates[0].value) for g in stage.selectors] for stage in stages]
    values = max([1, *[sum(length) for length in lengths[:-1]]])
    longest = max([1, *[size for length in lengths for size in length]])
    net = kernel.Net(
        np.zeros((number, 6), np.int64),
        np.zeros((number, forms, inputs + 1), np.int64),
        np.zeros((number, forms), np.float64),
        np.zeros((number, selectors + 1), np.int64),
        np.zeros((number, candidates), np.int64),
        np.zeros((number, candidates, longest), np.int64),
        np.zeros((number, selectors), np.int64),
        np.zeros((number, outputs, inputs + 1), np.int64),
        np.zeros((number, outputs), np.float64),
        np.zeros((number, outputs, values), np.int64),
        np.zeros((number, outputs), np.float64),
        np.zeros((number, 3), np.int64),
        np.array([x % SKETCH_PRIME for x in stages[-1].functional[0]], np.int64),
        np.array([x % SKETCH_PRIME for x in stages[-1].functional[1]], np.int64),
    )
    for s, stage in enumerate(stages):
        total = sum(lengths[s])
        fits = _fill(net.forms[s], net.forms_size[s], stage.forms.rows)
        if s < number - 1:
            fits &= _fill(net.base[s], net.base_size[s], stage.base.rows)
            fits &= _fill(net.mix[s], net.mix_size[s], [row[1:] for row in stage.mix.rows])
        scales = (stage.base.denominator, stage.mix.denominator, stage.forms.denominator)
        if max(scales) < WHOLE:
            net.scales[s] = scales
        else:
            fits = False
        net.sizes[s] = (
            len(stage.forms.rows),
            len(stage.selectors),
            stage.input_dim,
            stage.output_dim,
            total,
            int(fits),
        )
        at = 0
        for g, selector in enumerate(stage.selectors):
            net.start[s, g] = at
            net.lengths[s, g] = lengths[s][g]
            for candidate in selector.candidates:
                net.score[s, at] = candidate.score
                net.values[s, at, : lengths[s][g]] = candidate.value
                at += 1
            net.start[s, g + 1] = at
    return net


def _fill(target: Any, sizes: Any, rows: Sequence[Sequence[int]]) -> bool:
    """Copy rows whose sums of absolute values stay below 2^62; false where one does not."""
    if not rows or not rows[0]:
        return True
    totals = [sum(map(abs, row)) for row in rows]
    if max(totals) >= WHOLE:
        return False
    target[: len(rows), : len(rows[0])] = rows
    sizes[: len(rows)] = totals
    return True


def level_arrays(net: kernel.Net, width: int) -> kernel.Levels:
    number, forms, inputs = net.forms.shape
    selectors, candidates = net.lengths.shape[1], net.score.shape[1]
    return kernel.Levels(
        np.zeros((number, max(inputs, net.base.shape[1] + 1), width), np.int64),
        np.zeros((number, max(inputs, net.base.shape[1] + 1), width, kernel.LIMBS), np.uint64),
        np.zeros(number, np.int64),
        np.zeros((number, forms, width), np.int64),
        np.zeros((number, forms, width, kernel.LIMBS), np.uint64),
        np.zeros((number, forms, width), np.float64),
        np.zeros((number, forms), np.float64),
        np.zeros((number, selectors), np.int64),
        np.zeros((number, selectors), np.int64),
        np.zeros((number, candidates), np.int64),
        np.zeros((number, candidates), np.int64),
        np.zeros((number, candidates), np.int64),
        np.zeros((number, selectors, width), np.int64),
        np.zeros((number, selectors, width), np.float64),
        np.zeros((number, selectors), np.float64),
        np.zeros(number, np.int64),
        np.zeros((number, selectors), np.int64),
        np.zeros((candidates, width), np.int64),
        np.zeros(width, np.int64),
    )


def alike(cells: Sequence[Cell]) -> list[int]:
    """Positions, ascending, of all cells whose sketch has a hash that another's has too.

    Equal sketches have equal hashes, so that a cell that is not named has a sketch, hence a map, of its own.
    """
    listed = [cell for cell in cells if isinstance(cell, Listed)]
    parts = [block.sketch[at] for block, at in places(listed)]
    sketches = np.zeros((len(cells), parts[0].shape[1]), np.uint64)
    if len(listed) == len(cells):
        sketches[:] = np.concatenate(parts)
    else:
        sketches[[isinstance(cell, Listed) for cell in cells]] = np.concatenate(parts)
    unknown = [k for k, cell in enumerate(cells) if not isinstance(cell, Listed)] if len(listed) < len(cells) else []
    # The kernel's -1, where it has no sketch.
    for k in [*unknown, *np.flatnonzero(sketches[:, 0] > SKETCH_PRIME).tolist()]:
        sketches[k] = np.array(cells[k].sketch(), np.int64).astype(np.uint64)
    state = 0x9E3779B97F4A7C15
    hashes = np.zeros(len(cells), np.uint64)
    for column in sketches.T:
        hashes += column * np.uint64(state)
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64 | 1
    order = np.argsort(hashes, kind="stable")
    twice = hashes[order][1:] == hashes[order][:-1]
    found = np.zeros(len(cells), np.bool_)
    found[order[1:][twice]] = True
    found[order[:-1][twice]] = True
    return np.flatnonzero(found).tolist()

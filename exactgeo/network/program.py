"""How the weights of the core's stages come from a document's numbers, once for all networks of one architecture.

``lowering.py`` makes the stages of one network in integers. Which products and sums of the document's numbers these
integers are is the same for all networks of one architecture. A *program* says it in *slots*, places for numbers: the
first three hold 0, 1 and -1, then come the entries of the arrays, then what the *products* give, products of matrices
of slots. A table for each stage has the slot of every weight. The core runs the program for each network.

The program knows no numbers: forms are the same only if they are made in the same way. That is enough, as the core
compares all scores anyway.

>>> from exactgeo.network.program import Slots, program
>>> slots = Slots()
>>> layer = {"type": "linear", "weight": slots.array((2, 1)), "bias": slots.array((2,))}
>>> found = program(1, [layer, {"type": "relu"}], slots)
>>> found.stages[0].table.tolist()  # 0, b_1 + w_1 x and b_2 + w_2 x
[[0, 0], [5, 3], [6, 4]]
>>> found.stages[0].sizes, found.stages[0].scores, found.products
([2, 2], [0, 1, 0, 2], [])
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from exactgeo.network.layers import KINDS
from exactgeo.network.slots import (
    ONE,
    Layer,
    Matrix,
    Product,
    Slots,
    SlotStage,
    constant_row,
    identity,
    plain,
    units,
    zeros,
)

__all__ = ["Product", "Program", "Slots", "StageShape", "program"]

# -- the program -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StageShape:
    """A stage for the core.

    ``table``: the slots of its forms in the terms before, the constant first for the first stage, last for others; then
    as in ``lowering.StageTable``.
    """

    table: Matrix
    sizes: list[int]
    scores: list[int]
    lengths: list[int]
    values: list[int]
    bases: list[int]


@dataclass(frozen=True, slots=True)
class Program:
    """The products in their order, and all stages."""

    products: list[Product]
    stages: list[StageShape]


def program(input_dim: int, layers: Sequence[Layer], slots: Slots) -> Program:
    """The program of an architecture, whose arrays have got these slots."""
    stages: list[SlotStage] = []
    pending = identity(input_dim)
    for layer in layers:
        in_slots = KINDS[layer["type"]].in_slots
        if in_slots is None:
            raise TypeError(f"a layer of the kind {layer['type']} is not made in slots")
        made = in_slots(slots, layer, pending)
        if isinstance(made, SlotStage):
            stages.append(made)
            pending = identity(len(made.base))
        else:
            pending = made
    if not stages:
        stages.append(plain(pending, 0))
    # From the last stage to the first, as in ``lowering.stage_tables``; the map after the last one is not asked for.
    shapes: list[StageShape] = []
    rows = stages[-1].matrix()
    bases: list[int] = []
    for stage, before in zip(stages[:0:-1], stages[-2::-1], strict=True):
        table, extra = _composed(slots, rows, before)
        shapes.append(_shape(table, stage, bases))
        own = before.matrix()
        rows = np.vstack([own, np.hstack([zeros(len(extra), 1), extra]), constant_row(before.width)])
        bases = list(range(len(own), len(rows)))
    shapes.append(_shape(rows, stages[0], bases))
    return Program(slots.products, shapes[::-1])


def _shape(table: Matrix, stage: SlotStage, bases: list[int]) -> StageShape:
    candidates = [candidate for selector in stage.selectors for candidate in selector]
    return StageShape(
        np.ascontiguousarray(table, np.int32),
        [len(selector) for selector in stage.selectors],
        [score for score, _ in candidates],
        [len(value) for _, value in candidates],
        [form for _, value in candidates for form in value],
        bases,
    )


def _composed(slots: Slots, after: Matrix, stage: SlotStage) -> tuple[Matrix, Matrix]:
    """Forms on the output of a stage in the terms after it, and the bases but the last, functionals of its input."""
    normals = after[:, 1:]
    constants = slots.product(after, np.vstack([[[ONE]], stage.base[:, :1]]).astype(np.int32))
    inner = stage.base[:, 1:]
    extra = np.array([*dict.fromkeys([tuple(row) for row in inner if row.any()])], np.int32)
    if len(extra) == 0:
        return np.hstack([slots.product(normals, stage.mix), constants]), zeros(0, stage.width - 1)
    if len(extra) > inner.shape[1]:  # the coordinates of the input are fewer
        extra, spread = units(inner.shape[1]), inner
    else:
        place = {tuple(row): k for k, row in enumerate(extra)}
        picks = [units(len(extra))[place[tuple(row)]] if row.any() else zeros(1, len(extra))[0] for row in inner]
        spread = np.stack(picks)
    return np.hstack([slots.product(normals, stage.mix), slots.product(normals, spread), constants]), extra

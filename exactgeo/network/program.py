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

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["LOWERINGS", "Matrix", "Product", "Program", "Slots", "StageShape", "program"]

Matrix = NDArray[np.int32]
"""Slots in rows; of an affine map the rows (b_i, a_i)."""
Layer = Mapping[str, Any]
"""A layer of a document, with slots in place of numbers."""

ZERO, ONE, MINUS = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Product:
    """The product of two matrices, in slots of its own."""

    left: Matrix
    right: Matrix


class Slots:
    """Slots are given out to arrays first, then to products."""

    def __init__(self) -> None:
        self.count = 3
        self.products: list[Product] = []

    def array(self, shape: tuple[int, ...]) -> Matrix:
        """The slots of an array."""
        size = int(np.prod(shape, dtype=np.int64))
        self.count += size
        return np.arange(self.count - size, self.count, dtype=np.int32).reshape(shape)

    def product(self, left: Matrix, right: Matrix) -> Matrix:
        """The product of two matrices, by itself where one of them only picks entries of the other."""
        picked = _picked(left, right)
        if picked is None:
            turned = _picked(right.T, left.T)
            picked = None if turned is None else turned.T
        if picked is not None:
            return np.ascontiguousarray(picked)
        terms = (left != ZERO).astype(np.int32) @ (right != ZERO).astype(np.int32)
        self.products.append(Product(np.ascontiguousarray(left), np.ascontiguousarray(right)))
        made = self.array((left.shape[0], right.shape[1]))
        return np.where(terms == 0, np.int32(ZERO), made)

    def times(self, factor: int, matrix: Matrix) -> Matrix:
        """Every entry times a slot."""
        return self.product(np.array([[factor]], np.int32), matrix.reshape(1, -1)).reshape(matrix.shape)

    def sum(self, one: Matrix, other: Matrix) -> Matrix:
        """Entry by entry."""
        both = np.where(one == ZERO, other, one)
        proper = (one != ZERO) & (other != ZERO)
        if proper.any():
            both[proper] = self.product(np.array([[ONE, ONE]], np.int32), np.stack([one[proper], other[proper]]))[0]
        return both

    def compose(self, outer: Matrix, inner: Matrix) -> Matrix:
        """The affine map ``outer`` after ``inner``."""
        return self.product(outer, np.vstack([_constant_row(inner.shape[1]), inner]))


def _picked(left: Matrix, right: Matrix) -> Matrix | None:
    """The product, where each row of ``left`` has one entry 1 at most and else zeros."""
    entries = left != ZERO
    if (left[entries] != ONE).any() or (entries.sum(axis=1) > 1).any():
        return None
    if left.shape[1] == 0:
        return zeros(left.shape[0], right.shape[1])
    return np.where(entries.any(axis=1)[:, None], right[entries.argmax(axis=1)], np.int32(ZERO))


# -- maps of slots -----------------------------------------------------------------------------------------------------


def zeros(rows: int, columns: int) -> Matrix:
    """Slots of zeros."""
    return np.full((rows, columns), ZERO, np.int32)


def units(size: int) -> Matrix:
    """Slots of the unit matrix."""
    return np.where(np.eye(size, dtype=bool), np.int32(ONE), np.int32(ZERO))


def _constant_row(width: int) -> Matrix:
    return units(width)[:1]


def _identity(size: int) -> Matrix:
    return np.hstack([zeros(size, 1), units(size)])


def _affine(part: Layer, weight: str = "weight", bias: str = "bias") -> Matrix:
    matrix: Matrix = part[weight]
    column = part[bias].reshape(-1, 1) if part.get(bias) is not None else zeros(len(matrix), 1)
    return np.hstack([column, matrix])


# -- stages ------------------------------------------------------------------------------------------------------------


@dataclass
class _Stage:
    """y = base(z) + mix . (winners' values), as in ``stages.Stage``; forms are added one by one, equal ones once."""

    width: int
    """Entries of a form."""
    base: Matrix
    mix: Matrix
    selectors: list[list[tuple[int, tuple[int, ...]]]] = field(default_factory=list)
    """Of each candidate the score and the entries of the value, forms."""
    rows: dict[tuple[int, ...], int] = field(default_factory=dict)

    def form(self, row: Sequence[int] | Matrix) -> int:
        return self.rows.setdefault(tuple(int(slot) for slot in row), len(self.rows))

    def constant(self, slot: int) -> int:
        return self.form((slot, *[ZERO] * (self.width - 1)))

    def maximum(self, rows: Matrix) -> None:
        """A selector with score = value."""
        forms = [self.form(row) for row in rows]
        self.selectors.append([(form, (form,)) for form in forms])

    def matrix(self) -> Matrix:
        return np.array([*self.rows], np.int32).reshape(-1, self.width)


def _plain(before: Matrix, outputs: int) -> _Stage:
    """Without a base; each selector has an output of its own."""
    return _Stage(before.shape[1], zeros(outputs, before.shape[1]), units(outputs))


def _base(slots: Slots, before: Matrix, output: Layer | None, outputs: int, residual: bool) -> Matrix:
    """The output's bias, plus the layer's input with a residual."""
    base = zeros(outputs, before.shape[1])
    if output is not None and output.get("bias") is not None:
        base[:, 0] = output["bias"]
    return slots.sum(base, before) if residual else base


def _rectified(slots: Slots, stage: _Stage, rows: Matrix, slope: int = ZERO) -> None:
    lower = slots.times(slope, rows)
    zero = stage.constant(ZERO)
    for row, low in zip(rows, lower, strict=True):
        upper = stage.form(row)
        stage.selectors.append([(zero, (stage.form(low),)), (upper, (upper,))])


def _relu(slots: Slots, layer: Layer, before: Matrix) -> _Stage:
    stage = _plain(before, len(before))
    _rectified(slots, stage, before)
    return stage


def _leaky_relu(slots: Slots, layer: Layer, before: Matrix) -> _Stage:
    stage = _plain(before, len(before))
    _rectified(slots, stage, before, int(layer["slope"]))
    return stage


def _abs(slots: Slots, layer: Layer, before: Matrix) -> _Stage:
    stage = _plain(before, len(before))
    for row, negative in zip(before, slots.times(MINUS, before), strict=True):
        stage.maximum(np.stack([negative, row]))
    return stage


def _hard_tanh(slots: Slots, layer: Layer, before: Matrix) -> _Stage:
    stage = _plain(before, len(before))
    low, high = slots.times(MINUS, before), before.copy()
    less = np.full(len(before), MINUS, np.int32)
    low[:, 0] = slots.sum(low[:, 0], less)
    high[:, 0] = slots.sum(high[:, 0], less)
    for below, row, above in zip(low, before, high, strict=True):
        ends = (stage.form(below), (stage.constant(MINUS),)), (stage.form(above), (stage.constant(ONE),))
        stage.selectors.append([ends[0], (stage.constant(ZERO), (stage.form(row),)), ends[1]])
    return stage


def _maxout(slots: Slots, layer: Layer, before: Matrix) -> _Stage:
    stage = _plain(before, len(layer["units"]))
    for unit in layer["units"]:
        stage.maximum(slots.compose(_affine(unit), before))
    return stage


def _ffn(slots: Slots, layer: Layer, before: Matrix) -> _Stage:
    output = layer["output"]
    base = _base(slots, before, output, len(output["weight"]), bool(layer.get("residual")))
    stage = _Stage(before.shape[1], base, output["weight"])
    _rectified(slots, stage, slots.compose(_affine(layer["hidden"]), before))
    return stage


def _scores(slots: Slots, head: Layer, before: Matrix) -> Matrix:
    query = slots.compose(_affine(head["query"]), before)
    return slots.compose(_affine(head, "keys", "score_bias"), query)


def _attention(slots: Slots, layer: Layer, before: Matrix) -> _Stage:
    output = layer.get("output")
    joined = sum(head["values"].shape[1] for head in layer["heads"])
    mix = units(joined) if output is None else output["weight"]
    stage = _Stage(before.shape[1], _base(slots, before, output, len(mix), bool(layer.get("residual"))), mix)
    for head in layer["heads"]:
        candidates = zip(_scores(slots, head, before), head["values"], strict=True)
        stage.selectors.append(
            [(stage.form(score), tuple(stage.constant(entry) for entry in value)) for score, value in candidates]
        )
    return stage


def _tropical_attention(slots: Slots, layer: Layer, before: Matrix) -> _Stage:
    widths = [head["log_values"].shape[1] for head in layer["heads"]]
    stage = _plain(before, sum(widths))
    columns = []
    first = 0
    for head, width in zip(layer["heads"], widths, strict=True):
        scores = _scores(slots, head, before)
        for channel, value in enumerate(head["log_values"].T, first):
            lifted = scores.copy()
            lifted[:, 0] = slots.sum(scores[:, 0], value)
            stage.maximum(lifted)
            columns.append(units(sum(widths))[channel])
        stage.maximum(scores)
        columns.append(np.where(np.isin(np.arange(sum(widths)), range(first, first + width)), MINUS, ZERO))
        first += width
    stage.mix = np.stack(columns, axis=1).astype(np.int32)
    return stage


LOWERINGS: dict[str, Callable[[Slots, Layer, Matrix], _Stage]] = {
    "relu": _relu,
    "leaky_relu": _leaky_relu,
    "abs": _abs,
    "hard_tanh": _hard_tanh,
    "maxout": _maxout,
    "ffn": _ffn,
    "attention": _attention,
    "tropical_attention": _tropical_attention,
}
"""The stage of each kind of layer but linear ones: ``stage`` of its class, in slots."""


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
    stages: list[_Stage] = []
    pending = _identity(input_dim)
    for layer in layers:
        if layer["type"] == "linear":
            pending = slots.compose(_affine(layer), pending)
        else:
            stages.append(LOWERINGS[layer["type"]](slots, layer, pending))
            pending = _identity(len(stages[-1].base))
    if not stages:
        stages.append(_plain(pending, 0))
    # From the last stage to the first, as in ``lowering.stage_tables``; the map after the last one is not asked for.
    shapes: list[StageShape] = []
    rows = stages[-1].matrix()
    bases: list[int] = []
    for stage, before in zip(stages[:0:-1], stages[-2::-1], strict=True):
        table, extra = _composed(slots, rows, before)
        shapes.append(_shape(table, stage, bases))
        own = before.matrix()
        rows = np.vstack([own, np.hstack([zeros(len(extra), 1), extra]), _constant_row(before.width)])
        bases = list(range(len(own), len(rows)))
    shapes.append(_shape(rows, stages[0], bases))
    return Program(slots.products, shapes[::-1])


def _shape(table: Matrix, stage: _Stage, bases: list[int]) -> StageShape:
    candidates = [candidate for selector in stage.selectors for candidate in selector]
    return StageShape(
        np.ascontiguousarray(table, np.int32),
        [len(selector) for selector in stage.selectors],
        [score for score, _ in candidates],
        [len(value) for _, value in candidates],
        [form for _, value in candidates for form in value],
        bases,
    )


def _composed(slots: Slots, after: Matrix, stage: _Stage) -> tuple[Matrix, Matrix]:
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

"""Slots: places for the numbers of a document, of which the weights of all networks of one architecture are made.

The first three hold 0, 1 and -1, then come the entries of the arrays, then what products of matrices of slots give. A
layer kind says in slots what its ``stage`` says in numbers (``layers.kind.Kind.in_slots``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "MINUS",
    "ONE",
    "ZERO",
    "Layer",
    "Matrix",
    "Product",
    "SlotStage",
    "Slots",
    "affine",
    "base_of",
    "constant_row",
    "identity",
    "plain",
    "rectified",
    "scores_of",
    "units",
    "zeros",
]

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
        return self.product(outer, np.vstack([constant_row(inner.shape[1]), inner]))


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


def constant_row(width: int) -> Matrix:
    return units(width)[:1]


def identity(size: int) -> Matrix:
    return np.hstack([zeros(size, 1), units(size)])


def affine(part: Layer, weight: str = "weight", bias: str = "bias") -> Matrix:
    matrix: Matrix = part[weight]
    column = part[bias].reshape(-1, 1) if part.get(bias) is not None else zeros(len(matrix), 1)
    return np.hstack([column, matrix])


# -- stages ------------------------------------------------------------------------------------------------------------


@dataclass
class SlotStage:
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


def plain(before: Matrix, outputs: int) -> SlotStage:
    """Without a base; each selector has an output of its own."""
    return SlotStage(before.shape[1], zeros(outputs, before.shape[1]), units(outputs))


def base_of(slots: Slots, before: Matrix, output: Layer | None, outputs: int, residual: bool) -> Matrix:
    """The output's bias, plus the layer's input with a residual."""
    base = zeros(outputs, before.shape[1])
    if output is not None and output.get("bias") is not None:
        base[:, 0] = output["bias"]
    return slots.sum(base, before) if residual else base


def rectified(slots: Slots, stage: SlotStage, rows: Matrix, slope: int = ZERO) -> None:
    lower = slots.times(slope, rows)
    zero = stage.constant(ZERO)
    for row, low in zip(rows, lower, strict=True):
        upper = stage.form(row)
        stage.selectors.append([(zero, (stage.form(low),)), (upper, (upper,))])


def scores_of(slots: Slots, head: Layer, before: Matrix) -> Matrix:
    query = slots.compose(affine(head["query"]), before)
    return slots.compose(affine(head, "keys", "score_bias"), query)

"""``relu``, ``leaky_relu``, ``abs``, ``hard_tanh``: a piecewise-affine function of one variable, on every coordinate.

Keys: none but the ``slope`` of leaky_relu, any rational. A unit is a selector; its candidates are the pieces of the
function, pairs (score form in z, value form in z):

==========  =========================================
relu        (0, 0), (z, z)
leaky_relu  (0, slope z), (z, z)
abs         (-z, -z), (z, z)
hard_tanh   (-z - 1, -1), (0, z), (z - 1, 1)
==========  =========================================

The scores decide, not the values, so that any slope is right.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from exactgeo.network.layers.kind import Cost, Kind, mean_of_largest
from exactgeo.network.layers.parts import Forms, zero
from exactgeo.network.reading import Node
from exactgeo.network.stages import Candidate, Selector, Stage
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Point

if TYPE_CHECKING:
    from exactgeo.network.slots import Layer, Matrix, Slots, SlotStage

__all__ = ["KINDS", "RELU", "Pointwise"]


@dataclass(frozen=True, slots=True)
class Piece:
    """One candidate of a unit: score and value are the forms b + a.z, as pairs (b, a)."""

    score: tuple[Fraction, Fraction]
    value: tuple[Fraction, Fraction]

    @staticmethod
    def of(score: tuple[int, int], value: tuple[Fraction | int, Fraction | int]) -> "Piece":
        return Piece((Fraction(score[0]), Fraction(score[1])), (Fraction(value[0]), Fraction(value[1])))


@dataclass(frozen=True, slots=True)
class Pointwise:
    """The piece with the largest score applies."""

    pieces: tuple[Piece, ...]

    def output_dim(self, input_dim: int) -> int:
        return input_dim

    def stage(self, before: AffineMap, name: str) -> Stage:
        forms = Forms(before.input_dim)
        width = before.output_dim
        selectors = self.selectors(forms, before, f"{name}.units")
        return forms.stage(selectors, zero(before.input_dim, width), AffineMap.identity(width))

    def selectors(self, forms: Forms, units: AffineMap, name: str) -> list[Selector]:
        """One selector per row of ``units``."""
        result = []
        for i, unit in enumerate(units.fractions()):
            candidates = []
            for piece in self.pieces:
                score = forms.add(_combine(piece.score, unit))
                value = score if piece.value == piece.score else forms.add(_combine(piece.value, unit))
                candidates.append(Candidate(score, (value,)))
            result.append(Selector(f"{name}[{i}]", tuple(candidates)))
        return result

    def at(self, point: Point) -> Point:
        return tuple(self._unit(z) for z in point)

    def _unit(self, z: Fraction) -> Fraction:
        scores = [piece.score[0] + piece.score[1] * z for piece in self.pieces]
        return mean_of_largest(scores, [(piece.value[0] + piece.value[1] * z,) for piece in self.pieces])[0]

    def cost(self, reads: int) -> Cost:
        count = len(self.pieces) * reads
        return Cost(count, 2 * count + 1, 4 * count + 1, vectors=reads, spread=reads, longest=1, base=1, width=reads)


def _combine(piece: tuple[Fraction, Fraction], unit: Point) -> Point:
    """b + a * unit, the form of one piece in the stage's input."""
    constant, factor = piece
    return (constant + factor * unit[0], *[factor * entry for entry in unit[1:]])


def _leaky(slope: Fraction) -> Pointwise:
    return Pointwise((Piece.of((0, 0), (0, slope)), Piece.of((0, 1), (0, 1))))


RELU = _leaky(Fraction(0))
ABS = Pointwise((Piece.of((0, -1), (0, -1)), Piece.of((0, 1), (0, 1))))
HARD_TANH = Pointwise((Piece.of((-1, -1), (-1, 0)), Piece.of((0, 0), (0, 1)), Piece.of((-1, 1), (1, 0))))


def _constant(layer: Pointwise) -> Callable[[Node, int], Pointwise]:
    """The reader of a kind that has no keys."""

    def read(node: Node, width: int) -> Pointwise:
        node.fields("type")
        return layer

    return read


def _read_leaky(node: Node, width: int) -> Pointwise:
    return _leaky(node.fields("type", "slope")["slope"].number())


def _relu_in_slots(slots: "Slots", layer: "Layer", before: "Matrix") -> "SlotStage":
    from exactgeo.network.slots import plain, rectified

    stage = plain(before, len(before))
    rectified(slots, stage, before)
    return stage


def _leaky_in_slots(slots: "Slots", layer: "Layer", before: "Matrix") -> "SlotStage":
    from exactgeo.network.slots import plain, rectified

    stage = plain(before, len(before))
    rectified(slots, stage, before, int(layer["slope"]))
    return stage


def _abs_in_slots(slots: "Slots", layer: "Layer", before: "Matrix") -> "SlotStage":
    import numpy as np

    from exactgeo.network.slots import MINUS, plain

    stage = plain(before, len(before))
    for row, negative in zip(before, slots.times(MINUS, before), strict=True):
        stage.maximum(np.stack([negative, row]))
    return stage


def _tanh_in_slots(slots: "Slots", layer: "Layer", before: "Matrix") -> "SlotStage":
    import numpy as np

    from exactgeo.network.slots import MINUS, ONE, ZERO, plain

    stage = plain(before, len(before))
    low, high = slots.times(MINUS, before), before.copy()
    less = np.full(len(before), MINUS, np.int32)
    low[:, 0] = slots.sum(low[:, 0], less)
    high[:, 0] = slots.sum(high[:, 0], less)
    for below, row, above in zip(low, before, high, strict=True):
        ends = (stage.form(below), (stage.constant(MINUS),)), (stage.form(above), (stage.constant(ONE),))
        stage.selectors.append([ends[0], (stage.constant(ZERO), (stage.form(row),)), ends[1]])
    return stage


KINDS = (
    Kind("relu", _constant(RELU), in_slots=_relu_in_slots),
    Kind("leaky_relu", _read_leaky, keys=("slope",), ranks={"slope": 0}, in_slots=_leaky_in_slots),
    Kind("abs", _constant(ABS), in_slots=_abs_in_slots),
    Kind("hard_tanh", _constant(HARD_TANH), in_slots=_tanh_in_slots),
)

"""Functions of one number, coordinate by coordinate: `relu`, `leaky_relu`, `abs`, `hard_tanh`."""

from dataclasses import dataclass
from functools import partial

from ...core.limits import Meter
from ...core.stage import Candidate, Stage
from .. import evaluate, forms, numbers
from ..layer import Layer, Passed, Reader, Step, Vector
from ..objects import fields

__all__ = ["KINDS", "Pointwise"]

Line = tuple[int, int]  # (a, b) for the form a z + b
Pieces = list[tuple[Line, Line]]  # score and value of each candidate


@dataclass(frozen=True)
class Pointwise(Layer):
    """The values of the `pieces` are over `den`; `passed` is the function at a point."""

    pieces: Pieces
    den: int
    passed: Step

    def lower(self, meter: Meter) -> Stage:
        found, selectors = forms.Forms(), []
        for i in range(self.outputs):
            along = forms.unit(i)
            pairs = [(found.add(forms.variable(i, *s)), found.add(forms.variable(i, *v))) for s, v in self.pieces]
            selectors.append([Candidate(score, value, along) for score, value in pairs])
        return Stage(found.all, selectors, forms.base([0] * self.outputs, 0), self.den)

    def step(self) -> Step:
        return self.passed


def _relu(x: Vector) -> Passed:
    return [v if v > 0 else 0 for v in x], evaluate.signs(x)


def _leaky(top: int, den: int, x: Vector) -> Passed:
    return [v * den if v > 0 else v * top for v in x], evaluate.signs(x)


def _abs(x: Vector) -> Passed:
    return [abs(v) for v in x], evaluate.signs(x)


def _hard_tanh(x: Vector) -> Passed:
    q = x[0]
    return [min(max(v, -q), q) for v in x], [evaluate.largest([-v - q, 0, v - q]) for v in x[1:]]


def _read_leaky(value: object, inputs: int, where: str, meter: Meter) -> Pointwise:
    slope = numbers.number(fields(value, where, ("type", "slope"))["slope"], f"{where}.slope")
    top, den = slope.numerator, slope.denominator
    return Pointwise(inputs, 2 * inputs, [((0, 0), (top, 0)), ((1, 0), (den, 0))], den, partial(_leaky, top, den))


def _read(pieces: Pieces, step: Step, value: object, inputs: int, where: str, meter: Meter) -> Pointwise:
    fields(value, where, ("type",))
    return Pointwise(inputs, len(pieces) * inputs, pieces, 1, step)


KINDS: dict[str, Reader] = {
    "relu": partial(_read, [((0, 0), (0, 0)), ((1, 0), (1, 0))], _relu),
    "leaky_relu": _read_leaky,
    "abs": partial(_read, [((-1, 0), (-1, 0)), ((1, 0), (1, 0))], _abs),
    "hard_tanh": partial(_read, [((-1, -1), (0, -1)), ((0, 0), (1, 0)), ((1, -1), (0, 1))], _hard_tanh),
}

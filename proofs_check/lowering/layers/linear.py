"""`linear`: y = Wx + b. It has no selectors: what is before it takes it in."""

from dataclasses import dataclass
from functools import partial

from ...core.limits import Meter
from ...core.stage import Stage
from .. import evaluate, forms, numbers
from ..layer import Layer, Passed, Reader, Step, Vector

__all__ = ["KINDS", "Linear"]


@dataclass(frozen=True)
class Linear(Layer):
    map: numbers.Affine

    def lower(self, meter: Meter) -> Stage:
        den, rows = numbers.integers(numbers.stack(self.map))
        return Stage([], [], [forms.form(row) for row in rows], den)

    def step(self) -> Step:
        return partial(_step, evaluate.affine(self.map))


def _step(apply: evaluate.Rows, x: Vector) -> Passed:
    return apply(x), None


def _read(value: object, inputs: int, where: str, meter: Meter) -> Linear:
    found = numbers.affine(value, inputs, where, None, ("type",))
    numbers.weigh([*found.weight, found.bias], meter)
    return Linear(len(found.weight), 0, found)


KINDS: dict[str, Reader] = {"linear": _read}

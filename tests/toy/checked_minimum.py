"""``minimum`` for the checker: the other file that the recipe in CONTRIBUTING.md asks for."""

from dataclasses import dataclass
from functools import partial

from proofs_check.core.limits import Meter
from proofs_check.core.stage import Candidate, Stage
from proofs_check.lowering import evaluate, forms, numbers
from proofs_check.lowering.layer import Layer, Passed, Reader, Step, Vector
from proofs_check.lowering.objects import fields

__all__ = ["KINDS", "Minimum"]


@dataclass(frozen=True)
class Minimum(Layer):
    """y = min(x) + top/den."""

    inputs: int
    top: int
    den: int

    def lower(self, meter: Meter) -> Stage:
        found = forms.Forms()
        pairs = [(found.add(forms.variable(i, -1)), found.add(forms.variable(i, self.den))) for i in range(self.inputs)]
        selector = [Candidate(score, value, forms.unit(0)) for score, value in pairs]
        return Stage(found.all, [selector], [(self.top, (), ())], self.den)

    def step(self) -> Step:
        return partial(_step, self.top, self.den)


def _step(top: int, den: int, x: Vector) -> Passed:
    q, *p = x
    return [q * den, min(p) * den + top * q], [evaluate.largest([-value for value in p])]


def _read(value: object, inputs: int, where: str, meter: Meter) -> Minimum:
    shift = numbers.number(fields(value, where, ("type", "shift"))["shift"], f"{where}.shift")
    return Minimum(1, inputs, inputs, shift.numerator, shift.denominator)


KINDS: dict[str, Reader] = {"minimum": _read}

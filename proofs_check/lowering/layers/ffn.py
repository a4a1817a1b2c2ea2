"""`ffn`: z = hidden(x); y = output(the positive parts of z), plus x where there is a residual connection."""

from dataclasses import dataclass
from functools import partial

from ...core.limits import Meter
from ...core.stage import Candidate, Stage
from .. import evaluate, forms, numbers
from ..layer import Layer, Passed, Reader, Step, Vector
from ..objects import fields, residual

__all__ = ["KINDS", "Ffn"]


@dataclass(frozen=True)
class Ffn(Layer):
    hidden: numbers.Affine
    output: numbers.Affine
    residual: bool

    def lower(self, meter: Meter) -> Stage:
        inner, hidden = numbers.integers(numbers.stack(self.hidden))
        outer, output = numbers.integers(numbers.stack(self.output))
        zero = len(hidden)
        constants, *columns = [list(column) for column in zip(*output, strict=True)]
        selectors = [
            [Candidate(zero, zero, ((), ())), Candidate(i, i, forms.sparse(column))] for i, column in enumerate(columns)
        ]
        base = forms.base([constant * inner for constant in constants], inner * outer if self.residual else 0)
        return Stage([*map(forms.form, hidden), (0, (), ())], selectors, base, inner * outer)

    def step(self) -> Step:
        return partial(_step, evaluate.affine(self.hidden), evaluate.affine(self.output), self.residual)


def _step(hidden: evaluate.Rows, output: evaluate.Rows, residual: bool, x: Vector) -> Passed:
    z = hidden(x)
    y = output([v if v > 0 else 0 for v in z])
    return evaluate.plus(y, x) if residual else y, evaluate.signs(z)


def _read(value: object, inputs: int, where: str, meter: Meter) -> Ffn:
    entry = fields(value, where, ("type", "hidden", "output"), ("residual",))
    added = residual(entry, where)
    hidden = numbers.affine(entry["hidden"], inputs, f"{where}.hidden")
    output = numbers.affine(entry["output"], len(hidden.weight), f"{where}.output", inputs if added else None)
    numbers.weigh([*hidden.weight, hidden.bias], meter)
    numbers.weigh([*output.weight, output.bias], meter)
    return Ffn(len(output.weight), 2 * len(hidden.weight), hidden, output, added)


KINDS: dict[str, Reader] = {"ffn": _read}

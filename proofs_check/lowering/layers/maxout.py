"""`maxout`: y_i is the largest of the entries of W_i x + b_i."""

from dataclasses import dataclass
from functools import partial

from ...core.limits import Meter
from ...core.stage import Candidate, Stage
from .. import evaluate, forms, numbers
from ..layer import Layer, Passed, Reader, Step, Vector
from ..objects import fields, nonempty

__all__ = ["KINDS", "Maxout"]


@dataclass(frozen=True)
class Maxout(Layer):
    units: list[numbers.Affine]

    def lower(self, meter: Meter) -> Stage:
        den, rows = numbers.integers(numbers.stack(*self.units))
        selectors: list[list[Candidate]] = []
        first = 0
        for i, unit in enumerate(self.units):
            vector = forms.unit(i)
            selectors.append([Candidate(k, k, vector) for k in range(first, first + len(unit.weight))])
            first += len(unit.weight)
        return Stage([forms.form(row) for row in rows], selectors, forms.base([0] * len(self.units), 0), den)

    def step(self) -> Step:
        return partial(_step, evaluate.affine(*self.units), [len(unit.weight) for unit in self.units])


def _step(apply: evaluate.Rows, sizes: list[int], x: Vector) -> Passed:
    z = apply(x)
    found, tied, start = z[:1], [], 1
    for size in sizes:
        pieces = z[start : start + size]
        start += size
        found.append(max(pieces))
        tied.append(evaluate.largest(pieces))
    return found, tied


def _read(value: object, inputs: int, where: str, meter: Meter) -> Maxout:
    entries = nonempty(fields(value, where, ("type", "units"))["units"], f"{where}.units")
    units = [numbers.affine(entry, inputs, f"{where}.units[{i}]") for i, entry in enumerate(entries)]
    numbers.weigh([row for unit in units for row in (*unit.weight, unit.bias)], meter)
    return Maxout(len(units), sum(len(unit.weight) for unit in units), units)


KINDS: dict[str, Reader] = {"maxout": _read}

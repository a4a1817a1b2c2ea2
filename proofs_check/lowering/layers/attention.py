"""`attention`: of every head the values of the key with the largest score, one after the other; an affine `output`."""

from dataclasses import dataclass
from functools import partial
from math import lcm

from ...core.limits import Meter
from ...core.stage import Candidate, Stage, longest
from ...core.verdict import Unreadable, show
from .. import evaluate, forms, heads, numbers
from ..layer import Layer, Passed, Reader, Step, Vector
from ..objects import fields, residual

__all__ = ["KINDS", "Attention"]


@dataclass(frozen=True)
class Attention(Layer):
    heads: list[heads.Head]
    output: numbers.Affine | None
    residual: bool

    def lower(self, meter: Meter) -> Stage:
        found, selectors = forms.Forms(), []
        one = found.add((1, (), ()))
        inner, values = numbers.integers([row for head in self.heads for row in head.values])
        outer = 1
        constants, columns = [0] * sum(head.width for head in self.heads), None
        if self.output is not None:
            outer, output = numbers.integers(numbers.stack(self.output))
            bits = longest(values) + longest(output)
            forms.make(meter, len(values) * len(output), max([len(row) for row in values]), bits)
            constants, *columns = [list(column) for column in zip(*output, strict=True)]
        start = first = 0
        for head in self.heads:
            candidates = []
            for row in heads.scores(head, meter)[1]:
                indices, coefficients = forms.sparse(values[first])
                vector = tuple([start + i for i in indices]), coefficients
                if columns is not None:
                    vector = forms.combine(columns, vector)
                candidates.append(Candidate(found.add(forms.form(row)), one, vector))
                first += 1
            start += head.width
            selectors.append(candidates)
        base = forms.base([constant * inner for constant in constants], inner * outer if self.residual else 0)
        return Stage(found.all, selectors, base, inner * outer)

    def step(self) -> Step:
        output = None if self.output is None else evaluate.affine(self.output)
        return partial(_step, heads.Scores(self.heads), output, self.residual)


def _step(scores: heads.Scores, output: evaluate.Rows | None, residual: bool, x: Vector) -> Passed:
    found, vectors = scores(x), scores.values
    tied = [evaluate.largest(found[start:stop]) for start, stop in scores.places]
    common = lcm(*map(len, tied))  # a tied value is a mean
    y, first = [scores.denominator * common], 0
    for winners, (start, stop) in zip(tied, scores.places, strict=True):
        if common == 1:
            y += vectors[first + winners[0]]
        else:
            share = common // len(winners)
            y += [share * sum(column) for column in zip(*[vectors[first + j] for j in winners], strict=True)]
        first += stop - start
    if output is not None:
        y = output(y)
    return evaluate.plus(y, x) if residual else y, tied


def _read(value: object, inputs: int, where: str, meter: Meter) -> Attention:
    entry = fields(value, where, ("type", "heads"), ("output", "residual"))
    added = residual(entry, where)
    own = heads.read(entry, inputs, where, "values", meter)
    widths, output = [head.width for head in own], None
    if "output" in entry:
        output = numbers.affine(entry["output"], sum(widths), f"{where}.output", inputs if added else None)
        numbers.weigh([*output.weight, output.bias], meter)
    elif added and (sum(widths) != inputs or len(set(widths)) > 1):
        raise Unreadable("network-shape", "network", f"{where}: values of {show(widths)} for {inputs} inputs")
    outputs = sum(widths) if output is None else len(output.weight)
    return Attention(outputs, sum(len(head.keys) for head in own), own, output, added)


KINDS: dict[str, Reader] = {"attention": _read}

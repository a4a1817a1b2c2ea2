"""`tropical_attention`: for each head and channel c, max_j(s_j + log_values_jc) - max_j(s_j), with the scores s_j."""

from dataclasses import dataclass
from functools import partial
from math import gcd, lcm

from ...core.limits import Meter
from ...core.stage import Candidate, Stage
from .. import evaluate, forms, heads, numbers
from ..layer import Layer, Passed, Reader, Step, Vector
from ..objects import fields

__all__ = ["KINDS", "Tropical"]


@dataclass(frozen=True)
class Tropical(Layer):
    """The `values` of its heads are the log_values."""

    heads: list[heads.Head]

    def lower(self, meter: Meter) -> Stage:
        found, selectors = forms.Forms(), []
        den, values = numbers.integers([row for head in self.heads for row in head.values])
        scores = [heads.scores(head, meter) for head in self.heads]
        common = den
        for other, _ in scores:
            common *= other // gcd(common, other)
            forms.make(meter, sum(len(rows) * len(rows[0]) for _, rows in scores), 0, common.bit_length())
        start = first = 0
        for other, rows in scores:
            rows = [[entry * (common // other) for entry in row] for row in rows]
            own = values[first : first + len(rows)]
            first += len(rows)
            channels = tuple(range(start, start + len(own[0])))
            start += len(own[0])
            forms.make(meter, len(rows) * len(rows[0]) * (1 + len(own[0])), 0, 0)
            for c, channel in zip(channels, zip(*own, strict=True), strict=True):
                lifted = [[row[0] + v * (common // den), *row[1:]] for row, v in zip(rows, channel, strict=True)]
                numerators, along = [found.add(forms.form(row)) for row in lifted], forms.unit(c)
                selectors.append([Candidate(k, k, along) for k in numerators])
            denominators, down = [found.add(forms.form(row)) for row in rows], (channels, (-1,) * len(channels))
            selectors.append([Candidate(k, k, down) for k in denominators])
        return Stage(found.all, selectors, forms.base([0] * start, 0), common)

    def step(self) -> Step:
        return partial(_step, heads.Scores(self.heads))


def _step(scores: heads.Scores, x: Vector) -> Passed:
    found = scores(x)
    common = lcm(scores.denominator, *[found[start - 1] for start, _ in scores.places])
    y, tied, first = [common], [], 0
    for start, stop in scores.places:
        times = common // found[start - 1]
        s = [times * score for score in found[start:stop]]
        for channel in zip(*scores.values[first : first + len(s)], strict=True):
            lifted = [a + b * (common // scores.denominator) for a, b in zip(s, channel, strict=True)]
            tied.append(evaluate.largest(lifted))
            y.append(max(lifted) - max(s))
        tied.append(evaluate.largest(s))
        first += len(s)
    return y, tied


def _read(value: object, inputs: int, where: str, meter: Meter) -> Tropical:
    own = heads.read(fields(value, where, ("type", "heads")), inputs, where, "log_values", meter)
    candidates = sum(len(head.keys) * (1 + head.width) for head in own)
    return Tropical(sum(head.width for head in own), candidates, own)


KINDS: dict[str, Reader] = {"tropical_attention": _read}

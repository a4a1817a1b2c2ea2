"""The network at one point, layer by layer: the second opinion at every leaf.

Part in the soundness theorem: none; the tree alone proves the count. But a mistake in `stages` (how scores are pulled
back, how classes are formed, how maps are composed) would be a mistake about *which* function is counted. This module
evaluates the layers as FORMAT.md's table states them, shares no code with `stages`, and works with values where that
module works with forms; `tree` demands that the two agree at the point of every leaf.

A vector is a list of integers over one positive denominator q. A layer's matrix is kept by rows and by columns.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import gcd, lcm

from .network import Affine, Attention, Ffn, Layer, Linear, Maxout, Network, Tropical, integers
from .rows import values

__all__ = ["Forward"]

Vector = tuple[int, list[int]]  # (q, x)
Tied = list[tuple[int, ...]]  # for each selector the candidates with the largest score
Step = Callable[[int, list[int]], tuple[Vector, Tied | None]]

_LOW, _HIGH, _BOTH = (0,), (1,), (0, 1)


class _Map:
    """An affine map with integer columns over a common denominator."""

    def __init__(self, maps: list[Affine]) -> None:
        """Several maps of the same input are stacked."""
        rows = [[b, *row] for each in maps for b, row in zip(each.bias, each.weight, strict=True)]
        self.denominator, self.rows = integers(rows)
        self.bias, *self.columns = [list(column) for column in zip(*self.rows, strict=True)]

    def __call__(self, q: int, x: list[int]) -> Vector:
        if len(x) < 5 or len(self.rows) < len(x):  # the same sums, in the order that is faster
            return q * self.denominator, values(self.rows, [q, *x])
        total = [q * b for b in self.bias]
        for value, column in zip(x, self.columns, strict=True):
            if value:
                total = [t + value * c for t, c in zip(total, column, strict=True)]
        return q * self.denominator, total


def _largest(scores: list[int]) -> tuple[int, ...]:
    top = max(scores)
    return tuple([j for j, score in enumerate(scores) if score == top])


def _signs(x: list[int]) -> Tied:
    return [_HIGH if v > 0 else _LOW if v < 0 else _BOTH for v in x]


def _linear(apply: _Map, q: int, x: list[int]) -> tuple[Vector, Tied | None]:
    return apply(q, x), None


def _relu(q: int, x: list[int]) -> tuple[Vector, Tied | None]:
    return (q, [v if v > 0 else 0 for v in x]), _signs(x)


def _leaky(numerator: int, denominator: int, q: int, x: list[int]) -> tuple[Vector, Tied | None]:
    return (q * denominator, [v * denominator if v > 0 else v * numerator for v in x]), _signs(x)


def _abs(q: int, x: list[int]) -> tuple[Vector, Tied | None]:
    return (q, [abs(v) for v in x]), _signs(x)


def _hard_tanh(q: int, x: list[int]) -> tuple[Vector, Tied | None]:
    return (q, [min(max(v, -q), q) for v in x]), [_largest([-v - q, 0, v - q]) for v in x]


def _maxout(apply: _Map, sizes: list[int], q: int, x: list[int]) -> tuple[Vector, Tied | None]:
    q, z = apply(q, x)
    values, tied, start = [], [], 0
    for size in sizes:
        pieces = z[start : start + size]
        start += size
        values.append(max(pieces))
        tied.append(_largest(pieces))
    return (q, values), tied


def _ffn(hidden: _Map, output: _Map, residual: bool, q: int, x: list[int]) -> tuple[Vector, Tied | None]:
    p, z = hidden(q, x)
    r, y = output(p, [v if v > 0 else 0 for v in z])
    if residual:
        factor = r // q  # r is q times the two denominators
        y = [a + factor * b for a, b in zip(y, x, strict=True)]
    return (r, y), _signs(z)


class _Heads:
    """The scores of all heads at a point, and their values over one denominator."""

    def __init__(self, layer: Attention | Tropical) -> None:
        self.query = _Map([head.query for head in layer.heads])
        self.sizes = [len(head.query.bias) for head in layer.heads]
        self.keys = [_Map([Affine(head.keys, head.score_bias)]) for head in layer.heads]
        self.denominator, stacked = integers([row for head in layer.heads for row in head.values])
        self.values: list[list[list[int]]] = []
        for head in layer.heads:
            self.values.append(stacked[: len(head.values)])
            del stacked[: len(head.values)]

    def scores(self, q: int, x: list[int]) -> list[Vector]:
        q, stacked = self.query(q, x)
        found, start = [], 0
        for size, keys in zip(self.sizes, self.keys, strict=True):
            found.append(keys(q, stacked[start : start + size]))
            start += size
        return found


def _attention(heads: _Heads, output: _Map | None, residual: bool, q: int, x: list[int]) -> tuple[Vector, Tied | None]:
    tied = [_largest(scores) for _, scores in heads.scores(q, x)]
    common = lcm(*map(len, tied))  # a tied value is a mean
    u: list[int] = []
    for winners, vectors in zip(tied, heads.values, strict=True):
        share = common // len(winners)
        u += [share * sum(column) for column in zip(*[vectors[j] for j in winners], strict=True)]
    r, y = heads.denominator * common, u
    if output is not None:
        r, y = output(r, y)
    if residual:
        r, y = r * q, [a * q + b * r for a, b in zip(y, x, strict=True)]
    return (r, y), tied


def _tropical(heads: _Heads, q: int, x: list[int]) -> tuple[Vector, Tied | None]:
    scores = heads.scores(q, x)
    common = lcm(heads.denominator, *[p for p, _ in scores])
    y: list[int] = []
    tied: Tied = []
    for (p, s), vectors in zip(scores, heads.values, strict=True):
        s = [score * (common // p) for score in s]
        for channel in zip(*vectors, strict=True):
            lifted = [a + b * (common // heads.denominator) for a, b in zip(s, channel, strict=True)]
            tied.append(_largest(lifted))
            y.append(max(lifted) - max(s))
        tied.append(_largest(s))
    return (common, y), tied


def _step(layer: Layer) -> Step:
    if isinstance(layer, Linear):
        return partial(_linear, _Map([layer.map]))
    if isinstance(layer, Maxout):
        return partial(_maxout, _Map(layer.units), [len(unit.weight) for unit in layer.units])
    if isinstance(layer, Ffn):
        return partial(_ffn, _Map([layer.hidden]), _Map([layer.output]), layer.residual)
    if isinstance(layer, Attention):
        output = None if layer.output is None else _Map([layer.output])
        return partial(_attention, _Heads(layer), output, layer.residual)
    if isinstance(layer, Tropical):
        return partial(_tropical, _Heads(layer))
    if layer.kind == "leaky_relu":
        return partial(_leaky, layer.slope.numerator, layer.slope.denominator)
    return {"relu": _relu, "abs": _abs, "hard_tanh": _hard_tanh}[layer.kind]


class Forward:
    """Winners and output at a point. `layers[t]` is the layer of stage t; `layers[S]` the number of layers."""

    def __init__(self, network: Network) -> None:
        self._steps = [_step(layer) for layer in network.layers]
        self.layers = [i for i, layer in enumerate(network.layers) if not isinstance(layer, Linear)]
        self.layers.append(len(network.layers))

    def __call__(self, q: int, x: list[int], first: int = 0) -> tuple[Vector, list[Tied]]:
        """From the layer `first`, which reads x/q: the output vector, and for each stage the tied candidates."""
        winners: list[Tied] = []
        for step in self._steps[first:]:
            (q, x), tied = step(q, x)
            if q >> 64 and (divisor := gcd(q, *x)) > 1:
                q, x = q // divisor, [v // divisor for v in x]
            if tied is not None:
                winners.append(tied)
        return (q, x), winners

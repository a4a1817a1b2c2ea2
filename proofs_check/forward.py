"""The network at one point, layer by layer: the second opinion at every leaf.

Part in the soundness theorem: none; the tree alone proves the count. But a mistake in `stages` (how scores are pulled
back, how classes are formed, how maps are composed) would be a mistake about *which* function is counted. This module
evaluates the layers as FORMAT.md's table states them, shares no code with `stages` but that of `rows` and `integers`,
and works with values where that module works with forms; `tree` demands that the two agree at the point of every leaf.

A vector x is a list [q, p] of integers, x = p/q with q > 0.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import gcd, lcm

from .network import Affine, Attention, Ffn, Layer, Linear, Maxout, Network, Tropical, integers
from .rows import Packed, values

__all__ = ["Forward"]

Vector = list[int]
Tied = list[tuple[int, ...]]  # for each selector the candidates with the largest score
Step = Callable[[Vector], tuple[Vector, Tied | None]]

MANY = 100  # entries of a matrix that is packed

_LOW, _HIGH, _BOTH = (0,), (1,), (0, 1)


class _Map:
    """An affine map with integer rows over a common denominator, which is a first row of its own."""

    def __init__(self, maps: list[Affine]) -> None:
        """Several maps of the same input are stacked."""
        stacked = [[b, *row] for each in maps for b, row in zip(each.bias, each.weight, strict=True)]
        denominator, rows = integers(stacked)
        self.rows = [[denominator, *[0] * (len(rows[0]) - 1)], *rows]
        self.packed = Packed(self.rows) if len(self.rows) * len(self.rows[0]) > MANY else None

    def __call__(self, x: Vector) -> Vector:
        return self.packed.values(x) if self.packed else values(self.rows, x)


def _largest(scores: list[int]) -> tuple[int, ...]:
    top = max(scores)
    if scores.count(top) == 1:
        return (scores.index(top),)
    return tuple([j for j, score in enumerate(scores) if score == top])


def _signs(x: Vector) -> Tied:
    signs: Tied = [_HIGH if v > 0 else _LOW if v < 0 else _BOTH for v in x]
    del signs[0]
    return signs


def _linear(apply: _Map, x: Vector) -> tuple[Vector, Tied | None]:
    return apply(x), None


def _relu(x: Vector) -> tuple[Vector, Tied | None]:
    return [v if v > 0 else 0 for v in x], _signs(x)


def _leaky(numerator: int, denominator: int, x: Vector) -> tuple[Vector, Tied | None]:
    return [v * denominator if v > 0 else v * numerator for v in x], _signs(x)


def _abs(x: Vector) -> tuple[Vector, Tied | None]:
    return [abs(v) for v in x], _signs(x)


def _hard_tanh(x: Vector) -> tuple[Vector, Tied | None]:
    q = x[0]
    return [min(max(v, -q), q) for v in x], [_largest([-v - q, 0, v - q]) for v in x[1:]]


def _maxout(apply: _Map, sizes: list[int], x: Vector) -> tuple[Vector, Tied | None]:
    z = apply(x)
    found, tied, start = z[:1], [], 1
    for size in sizes:
        pieces = z[start : start + size]
        start += size
        found.append(max(pieces))
        tied.append(_largest(pieces))
    return found, tied


def _residual(y: Vector, x: Vector) -> Vector:
    """y + x."""
    times, over = divmod(y[0], x[0])
    if over:
        times, y = y[0], [x[0] * value for value in y]
    total = [a + times * b for a, b in zip(y, x, strict=True)]
    total[0] = y[0]
    return total


def _ffn(hidden: _Map, output: _Map, residual: bool, x: Vector) -> tuple[Vector, Tied | None]:
    z = hidden(x)
    y = output([v if v > 0 else 0 for v in z])
    return _residual(y, x) if residual else y, _signs(z)


class _Heads:
    """The scores of all heads at a point, and their values over one denominator."""

    def __init__(self, layer: Attention | Tropical) -> None:
        self.maps = [(_Map([head.query]), _Map([Affine(head.keys, head.score_bias)])) for head in layer.heads]
        self.denominator, stacked = integers([row for head in layer.heads for row in head.values])
        self.values: list[list[list[int]]] = []
        for head in layer.heads:
            self.values.append(stacked[: len(head.values)])
            del stacked[: len(head.values)]

    def scores(self, x: Vector) -> list[Vector]:
        """For each head a vector."""
        return [keys(query(x)) for query, keys in self.maps]


def _attention(heads: _Heads, output: _Map | None, residual: bool, x: Vector) -> tuple[Vector, Tied | None]:
    tied = [_largest(scores[1:]) for scores in heads.scores(x)]
    common = lcm(*map(len, tied))  # a tied value is a mean
    y = [heads.denominator * common]
    for winners, vectors in zip(tied, heads.values, strict=True):
        if common == 1:
            y += vectors[winners[0]]
        else:
            share = common // len(winners)
            y += [share * sum(column) for column in zip(*[vectors[j] for j in winners], strict=True)]
    if output is not None:
        y = output(y)
    return _residual(y, x) if residual else y, tied


def _tropical(heads: _Heads, x: Vector) -> tuple[Vector, Tied | None]:
    scores = heads.scores(x)
    common = lcm(heads.denominator, *[p for p, *_ in scores])
    y = [common]
    tied: Tied = []
    for (p, *s), vectors in zip(scores, heads.values, strict=True):
        s = [score * (common // p) for score in s]
        for channel in zip(*vectors, strict=True):
            lifted = [a + b * (common // heads.denominator) for a, b in zip(s, channel, strict=True)]
            tied.append(_largest(lifted))
            y.append(max(lifted) - max(s))
        tied.append(_largest(s))
    return y, tied


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

    def __call__(self, x: Vector, first: int = 0) -> tuple[Vector, list[Tied]]:
        """From the layer `first`, which reads x: the output vector, and for each stage the tied candidates."""
        winners: list[Tied] = []
        for step in self._steps[first:]:
            x, tied = step(x)
            if x[0] >> 64 and (divisor := gcd(*x)) > 1:
                x = [v // divisor for v in x]
            if tied is not None:
                winners.append(tied)
        return x, winners

"""The network at one point, layer by layer: the proof that a leaf is a cell.

Part in the soundness theorem: *Leaves*. The winners at the point of a leaf, with all ties, must be those of its path:
so its pattern is the leaf's. They are found by evaluating the layers as FORMAT.md's table states them, in values where
`stages` works with forms, and without any of its code (but that of `rows` and `integers`). So this is a second opinion
too: a mistake in `stages` (how scores are pulled back, how classes are formed, how maps are composed) would be a
mistake about *which* function is counted, and would show in the winners or in the output, which `tree` compares.

A vector x is a list [q, p] of integers, x = p/q with q > 0.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import gcd, lcm

from .network import Affine, Attention, Ffn, Head, Layer, Linear, Maxout, Network, Tropical, integers
from .rows import Packed, values

__all__ = ["Forward"]

Vector = list[int]
Tied = list[tuple[int, ...]]  # for each selector the candidates with the largest score
Step = Callable[[Vector], tuple[Vector, Tied | None]]

MANY = 100  # entries of a matrix that is packed, if it is not too long

_LOW, _HIGH, _BOTH = (0,), (1,), (0, 1)


class _Rows:
    """Integer rows, to be evaluated at one vector after the other."""

    def __init__(self, rows: list[list[int]]) -> None:
        self.rows = rows
        self.packed = Packed(rows) if len(rows) * len(rows[0]) > MANY and len(rows[0]) <= 2 * len(rows) else None

    def __call__(self, x: Vector) -> Vector:
        return self.packed.values(x) if self.packed else values(self.rows, x)


def _map(*maps: Affine) -> _Rows:
    """An affine map, or several of the same input stacked, over a common denominator, which is a row before them."""
    denominator, rows = integers([[b, *row] for each in maps for b, row in zip(each.bias, each.weight, strict=True)])
    return _Rows([[denominator, *[0] * (len(rows[0]) - 1)], *rows])


def _composed(outer: _Rows, inner: _Rows) -> list[list[int]]:
    """The rows of outer o inner: a column is outer at a column of inner."""
    columns = [outer(list(column)) for column in zip(*inner.rows, strict=True)]
    return [list(row) for row in zip(*columns, strict=True)]


def _largest(scores: list[int]) -> tuple[int, ...]:
    top = max(scores)
    if scores.count(top) == 1:
        return (scores.index(top),)
    return tuple([j for j, score in enumerate(scores) if score == top])


def _signs(x: Vector) -> Tied:
    signs: Tied = [_HIGH if v > 0 else _LOW if v < 0 else _BOTH for v in x]
    del signs[0]
    return signs


def _linear(apply: _Rows, x: Vector) -> tuple[Vector, Tied | None]:
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


def _maxout(apply: _Rows, sizes: list[int], x: Vector) -> tuple[Vector, Tied | None]:
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


def _ffn(hidden: _Rows, output: _Rows, residual: bool, x: Vector) -> tuple[Vector, Tied | None]:
    z = hidden(x)
    y = output([v if v > 0 else 0 for v in z])
    return _residual(y, x) if residual else y, _signs(z)


class _Heads:
    """The scores of all heads, one after the other, and their values over one denominator.

    The scores of head h stand at `places[h]`, with a denominator before them, which is that of the head. Keys and query
    are composed where that makes them smaller.
    """

    def __init__(self, heads: list[Head]) -> None:
        self.denominator, self.values = integers([row for head in heads for row in head.values])
        self.places: list[tuple[int, int]] = []
        self.maps: list[tuple[_Rows, _Rows]] = []
        self.composed: _Rows | None = None
        m = len(heads[0].query.weight[0])
        start = factors = 0
        for head in heads:
            n, k = len(head.keys), len(head.keys[0])
            self.places.append((start + 1, start + 1 + n))
            start += 1 + n
            factors += (k + 1) * (n + m + 2)
        maps = ((_map(head.query), _map(Affine(head.keys, head.score_bias))) for head in heads)
        if start * (m + 1) <= factors:
            self.composed = _Rows([row for query, keys in maps for row in _composed(keys, query)])
        else:
            self.maps = list(maps)

    def scores(self, x: Vector) -> Vector:
        if self.composed:
            return self.composed(x)
        return [score for query, keys in self.maps for score in keys(query(x))]


def _attention(heads: _Heads, output: _Rows | None, residual: bool, x: Vector) -> tuple[Vector, Tied | None]:
    scores, vectors = heads.scores(x), heads.values
    tied = [_largest(scores[start:stop]) for start, stop in heads.places]
    common = lcm(*map(len, tied))  # a tied value is a mean
    y, first = [heads.denominator * common], 0
    for winners, (start, stop) in zip(tied, heads.places, strict=True):
        if common == 1:
            y += vectors[first + winners[0]]
        else:
            share = common // len(winners)
            y += [share * sum(column) for column in zip(*[vectors[first + j] for j in winners], strict=True)]
        first += stop - start
    if output is not None:
        y = output(y)
    return _residual(y, x) if residual else y, tied


def _tropical(heads: _Heads, x: Vector) -> tuple[Vector, Tied | None]:
    scores = heads.scores(x)
    common = lcm(heads.denominator, *[scores[start - 1] for start, _ in heads.places])
    y, tied, first = [common], [], 0
    for start, stop in heads.places:
        times = common // scores[start - 1]
        s = [times * score for score in scores[start:stop]]
        for channel in zip(*heads.values[first : first + len(s)], strict=True):
            lifted = [a + b * (common // heads.denominator) for a, b in zip(s, channel, strict=True)]
            tied.append(_largest(lifted))
            y.append(max(lifted) - max(s))
        tied.append(_largest(s))
        first += len(s)
    return y, tied


def _step(layer: Layer) -> Step:
    if isinstance(layer, Linear):
        return partial(_linear, _map(layer.map))
    if isinstance(layer, Maxout):
        return partial(_maxout, _map(*layer.units), [len(unit.weight) for unit in layer.units])
    if isinstance(layer, Ffn):
        return partial(_ffn, _map(layer.hidden), _map(layer.output), layer.residual)
    if isinstance(layer, Attention):
        output = None if layer.output is None else _map(layer.output)
        return partial(_attention, _Heads(layer.heads), output, layer.residual)
    if isinstance(layer, Tropical):
        return partial(_tropical, _Heads(layer.heads))
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

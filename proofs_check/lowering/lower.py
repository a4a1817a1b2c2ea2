"""A network as a model: its layers in normal form one after the other, and its forward pass.

Part in the soundness theorem: *Points of a node, Leaves*. A layer without selectors is an affine map: the stage before
it takes it in, or, before the first stage, the first map. Where a forward pass at the point of a leaf finds other
winners or another output than the path, the file is rejected.
"""

from dataclasses import replace
from math import gcd

from ..core.limits import LIMITS, Meter, demand
from ..core.maps import Map, measured, pull, reduced, transposed
from ..core.rows import key
from ..core.stage import Model, Stage, Tied, as_row, longest
from .forms import combine, form, keep, make
from .layer import Layer, Vector
from .network import Network

__all__ = ["Forward", "lower"]


def _fold(stage: Stage, linear: Stage, meter: Meter) -> Stage:
    """The stage followed by an affine map."""
    rows = [as_row(form, len(stage.base)) for form in linear.base]
    vectors = {key(candidate.vector): candidate.vector for selector in stage.selectors for candidate in selector}
    # base is a constant vector and a sparse matrix, whose columns are multiplied one by one
    width = 1 + max((max(form[1], default=-1) for form in stage.base), default=-1) + 1
    by_input: list[tuple[list[int], list[int]]] = [([], []) for _ in range(width)]
    for i, (constant, indices, coefficients) in enumerate(stage.base):
        for j, coefficient in zip((0, *(1 + j for j in indices)), (constant, *coefficients), strict=True):
            by_input[j][0].append(i)
            by_input[j][1].append(coefficient)
    terms = max([len(along[0]) for along in (*vectors.values(), *by_input)])
    make(meter, (len(vectors) + width) * len(rows), terms, stage.bits + longest(rows) + linear.den.bit_length())
    constants, *columns = [list(column) for column in zip(*rows, strict=True)]
    combined = {name: combine(columns, vector) for name, vector in vectors.items()}
    selectors = [[replace(c, vector=combined[key(c.vector)]) for c in selector] for selector in stage.selectors]
    total = [[0] * len(rows) for _ in range(width)]
    for j, (indices_of, coefficients_of) in enumerate(by_input):
        for i, value in zip(*combine(columns, (tuple(indices_of), tuple(coefficients_of))), strict=True):
            total[j][i] = value
    total[0] = [t + stage.den * c for t, c in zip(total[0], constants, strict=True)]
    base = [form(list(row)) for row in zip(*total, strict=True)]
    return Stage(stage.forms, selectors, base, stage.den * linear.den)


def _first(d: int, maps: list[Stage], meter: Meter) -> Map:
    """The composition of the affine maps before the first stage."""
    f: Map = 1, [[int(j == i + 1) for i in range(d)] for j in range(d + 1)]
    bits = 0
    for linear in maps:
        m, entries = len(f[1][0]), len(linear.base) * (d + 1)
        demand("PULLED", entries)
        if bits:
            own = longest([[constant, *own] for constant, _, own in linear.base])
            meter.spend("STEPS", entries * (m + 1) // 4 * (1 + (bits + own) // 64))
            rows = pull(linear.base, f)
        else:  # f is the identity, and composing with it would only cost time
            rows = [as_row(form, m) for form in linear.base]
        f = reduced(f[0] * linear.den, transposed(rows))
        bits = 8 * measured(f, min(LIMITS["ENTRY_BITS"].most, LIMITS["STAGE_BITS"].most // entries)) // entries
    return f


def lower(network: Network, meter: Meter) -> Model:
    """The network in selector normal form."""
    for layer in network.layers:
        meter.spend("CANDIDATES", layer.candidates)
    before: list[Stage] = []
    stages: list[Stage] = []
    for layer in network.layers:
        stage = layer.lower(meter)
        if stage.selectors:
            if stages:
                keep(meter, stages[-1])
            stages.append(stage)
        elif stages:
            stages[-1] = _fold(stages[-1], stage, meter)
        else:
            before.append(stage)
    if stages:
        keep(meter, stages[-1])
    first = _first(network.input_dim, before, meter)
    return Model(network.domain, first, stages, Forward(network.layers))


class Forward:
    """Winners and output at a point, layer by layer, without the normal form."""

    def __init__(self, layers: list[Layer]) -> None:
        self._steps = [layer.step() for layer in layers]
        self._layers = [i for i, layer in enumerate(layers) if layer.candidates]  # the layer of each stage,
        self._layers.append(len(layers))  # and of the end

    def __call__(self, x: Vector, stage: int | None = None) -> tuple[Vector, list[Tied]]:
        winners: list[Tied] = []
        for step in self._steps if stage is None else self._steps[self._layers[stage] :]:
            x, tied = step(x)
            if x[0] >> 64 and (divisor := gcd(*x)) > 1:
                x = [v // divisor for v in x]
            if tied is not None:
                winners.append(tied)
        return x, winners

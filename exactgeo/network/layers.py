"""Layers as exact values, and their compilation to stages.

Every layer is an affine map or a stage: selectors whose scores and values are affine in the layer's input.

=================  ====================================================================================================
layer              selectors
=================  ====================================================================================================
activation         one per coordinate z; its pieces are pairs (score form in z, value form in z)
ffn                one per hidden unit: candidates 0 and z, score = value; the output matrix is the stage's mix
maxout             one per unit: its k pieces, score = value
attention          one per head: score <q(x), k_j> + b_j, value v_j; the output matrix is the mix
tropical attention per channel c of a head: score = value = <q, k_j> + b_j + log v_jc; and one per head with score =
                   value = <q, k_j> + b_j, which the mix subtracts from each of the head's channels
=================  ====================================================================================================

A linear layer is no stage: it is composed into the forms of the next one, and a last one into the mix and base of the
stage before. So a ReLU network with L hidden layers has L stages.

>>> [stage] = compile_layers(2, [Linear(AffineMap.of([[0, 1, -1]])), RELU, Linear(AffineMap.of([[5, 3]]))])
>>> stage.forms.rows, stage.selectors[0].candidates[1], stage.base.rows, stage.mix.rows
(((0, 0, 0), (0, 1, -1)), Candidate(score=1, value=(1,)), ((5, 0, 0),), ((0, 3),))

Hard attention is the zero-temperature limit of softmax attention; tropical attention is the log-lifted attention of
Definition III.10, whose channel c is max_j (s_j + log v_jc) - max_l s_l.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from exactgeo.errors import BadNetwork, NotRational
from exactgeo.network.stages import Candidate, Selector, Stage
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Point

__all__ = [
    "ABS",
    "HARD_TANH",
    "RELU",
    "Activation",
    "Attention",
    "FeedForward",
    "Head",
    "Layer",
    "Linear",
    "Maxout",
    "StageLayer",
    "TropicalAttention",
    "TropicalHead",
    "compile_layers",
    "leaky_relu",
]


@dataclass(frozen=True, slots=True)
class Linear:
    """y = Wx + b."""

    map: AffineMap

    def output_dim(self, input_dim: int) -> int:
        return self.map.output_dim


class StageLayer(Protocol):
    """A layer with selectors."""

    def output_dim(self, input_dim: int) -> int:
        """The size of the output on an input of this size."""
        ...

    def stage(self, before: AffineMap, name: str) -> Stage:
        """The stage of x -> layer(before(x)); ``name`` is the layer's place in the document."""
        ...


Layer = Linear | StageLayer


@dataclass(frozen=True, slots=True)
class Piece:
    """One candidate of an activation: score and value are the forms b + a.z, as pairs (b, a)."""

    score: tuple[Fraction, Fraction]
    value: tuple[Fraction, Fraction]

    @staticmethod
    def of(score: tuple[int, int], value: tuple[Fraction | int, Fraction | int]) -> "Piece":
        return Piece((Fraction(score[0]), Fraction(score[1])), (Fraction(value[0]), Fraction(value[1])))


@dataclass(frozen=True, slots=True)
class Activation:
    """A piecewise-affine function of one variable, on every coordinate; the piece with the largest score applies."""

    pieces: tuple[Piece, ...]

    def output_dim(self, input_dim: int) -> int:
        return input_dim

    def stage(self, before: AffineMap, name: str) -> Stage:
        forms = _Forms(before.input_dim)
        width = before.output_dim
        selectors = self.selectors(forms, before, f"{name}.units")
        return forms.stage(selectors, _zero(before.input_dim, width), AffineMap.identity(width))

    def selectors(self, forms: "_Forms", units: AffineMap, name: str) -> list[Selector]:
        """One selector per row of ``units``."""
        result = []
        for i, unit in enumerate(units.fractions()):
            candidates = []
            for piece in self.pieces:
                score = forms.add(_combine(piece.score, unit))
                value = score if piece.value == piece.score else forms.add(_combine(piece.value, unit))
                candidates.append(Candidate(score, (value,)))
            result.append(Selector(f"{name}[{i}]", tuple(candidates)))
        return result


def leaky_relu(slope: Fraction) -> Activation:
    """z where z > 0, slope * z elsewhere, for any slope: the scores 0 and z decide, not the values."""
    return Activation((Piece.of((0, 0), (0, slope)), Piece.of((0, 1), (0, 1))))


RELU = Activation((Piece.of((0, 0), (0, 0)), Piece.of((0, 1), (0, 1))))
ABS = Activation((Piece.of((0, -1), (0, -1)), Piece.of((0, 1), (0, 1))))
HARD_TANH = Activation((Piece.of((-1, -1), (-1, 0)), Piece.of((0, 0), (0, 1)), Piece.of((-1, 1), (1, 0))))


@dataclass(frozen=True, slots=True)
class FeedForward:
    """y = output(ReLU(hidden(x))), plus x with a residual."""

    hidden: AffineMap
    output: AffineMap
    residual: bool

    def output_dim(self, input_dim: int) -> int:
        return self.output.output_dim

    def stage(self, before: AffineMap, name: str) -> Stage:
        forms = _Forms(before.input_dim)
        selectors = RELU.selectors(forms, self.hidden.compose(before), f"{name}.hidden")
        return forms.stage(selectors, _base(before, self.output, self.residual), _linear_part(self.output))


@dataclass(frozen=True, slots=True)
class Maxout:
    """y_i = the largest output of units[i]."""

    units: tuple[AffineMap, ...]

    def output_dim(self, input_dim: int) -> int:
        return len(self.units)

    def stage(self, before: AffineMap, name: str) -> Stage:
        forms = _Forms(before.input_dim)
        selectors = []
        for i, unit in enumerate(self.units):
            pieces = [forms.add(row) for row in unit.compose(before).fractions()]
            selectors.append(Selector(f"{name}.units[{i}]", tuple(Candidate(form, (form,)) for form in pieces)))
        width = len(self.units)
        return forms.stage(selectors, _zero(before.input_dim, width), AffineMap.identity(width))


@dataclass(frozen=True, slots=True)
class Head:
    """A hard attention head: row j of ``scores`` is <query(x), k_j> + b_j, and values[j] is v_j."""

    scores: AffineMap
    values: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Attention:
    """y = output(the heads' outputs, concatenated), plus x with a residual; without ``output`` the concatenation."""

    heads: tuple[Head, ...]
    output: AffineMap | None
    residual: bool

    def output_dim(self, input_dim: int) -> int:
        return self.output.output_dim if self.output else sum(len(head.values[0]) for head in self.heads)

    def stage(self, before: AffineMap, name: str) -> Stage:
        forms = _Forms(before.input_dim)
        selectors = []
        for h, head in enumerate(self.heads):
            scores = head.scores.compose(before).fractions()
            candidates = tuple(
                Candidate(forms.add(score), tuple(forms.add_constant(entry) for entry in value))
                for score, value in zip(scores, head.values, strict=True)
            )
            selectors.append(Selector(f"{name}.heads[{h}]", candidates))
        output = self.output or AffineMap.identity(self.output_dim(before.output_dim))
        return forms.stage(selectors, _base(before, output, self.residual), _linear_part(output))


@dataclass(frozen=True, slots=True)
class TropicalHead:
    """A log-lifted head: row j of ``scores`` is s_j = <query(x), k_j> + b_j, and log_values[j][c] is log v_jc."""

    scores: AffineMap
    log_values: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class TropicalAttention:
    """Channel c of a head is max_j (s_j + log v_jc) - max_l s_l; the heads are concatenated."""

    heads: tuple[TropicalHead, ...]

    def output_dim(self, input_dim: int) -> int:
        return sum(len(head.log_values[0]) for head in self.heads)

    def stage(self, before: AffineMap, name: str) -> Stage:
        forms = _Forms(before.input_dim)
        selectors = []
        columns: list[list[int]] = []  # of the mix: one column per selector
        width = self.output_dim(before.output_dim)
        first = 0
        for h, head in enumerate(self.heads):
            scores = head.scores.compose(before).fractions()
            channels = len(head.log_values[0])
            for c in range(channels):
                lifted = [
                    forms.add((score[0] + value[c], *score[1:]))
                    for score, value in zip(scores, head.log_values, strict=True)
                ]
                selectors.append(_maximum(f"{name}.heads[{h}].channels[{c}]", lifted))
                columns.append([int(i == first + c) for i in range(width)])
            selectors.append(_maximum(f"{name}.heads[{h}].denominator", [forms.add(score) for score in scores]))
            columns.append([-int(first <= i < first + channels) for i in range(width)])
            first += channels
        mix = AffineMap.scaled(len(columns), 1, [(0, *row) for row in zip(*columns, strict=True)])
        return forms.stage(selectors, _zero(before.input_dim, width), mix)


def compile_layers(input_dim: int, layers: Sequence[Layer]) -> tuple[Stage, ...]:
    """The stages whose composition is the composition of the layers; at least one."""
    stages: list[Stage] = []
    pending = AffineMap.identity(input_dim)  # from the last stage's output to the next layer's input
    for i, layer in enumerate(layers):
        if isinstance(layer, Linear):
            pending = layer.map.compose(pending)
        else:
            try:
                stages.append(layer.stage(pending, f"layers[{i}]"))
            except NotRational as error:
                raise BadNetwork(f"layers[{i}]", str(error)) from None
            pending = AffineMap.identity(stages[-1].output_dim)
    if not stages:
        return (_Forms(input_dim).stage([], pending, _zero(0, pending.output_dim)),)
    last = stages[-1]
    if pending != AffineMap.identity(last.output_dim):
        mix = _linear_part(pending).compose(last.mix)
        stages[-1] = Stage(last.forms, last.selectors, pending.compose(last.base), mix)
    return tuple(stages)


class _Forms:
    """The forms of a stage under construction: equal forms are kept once."""

    def __init__(self, input_dim: int) -> None:
        self.input_dim = input_dim
        self._index: dict[Point, int] = {}
        self._no_normal = (Fraction(0),) * input_dim

    def add(self, row: Point) -> int:
        """The index of the form (b, a)."""
        return self._index.setdefault(row, len(self._index))

    def add_constant(self, value: Fraction) -> int:
        return self.add((value, *self._no_normal))

    def stage(self, selectors: Iterable[Selector], base: AffineMap, mix: AffineMap) -> Stage:
        return Stage(AffineMap.of(self._index, self.input_dim), tuple(selectors), base, mix)


def _maximum(name: str, forms: Sequence[int]) -> Selector:
    """Score = value."""
    return Selector(name, tuple(Candidate(form, (form,)) for form in forms))


def _combine(piece: tuple[Fraction, Fraction], unit: Point) -> Point:
    """b + a * unit, the form of one piece in the stage's input."""
    constant, factor = piece
    return (constant + factor * unit[0], *[factor * entry for entry in unit[1:]])


def _zero(input_dim: int, output_dim: int) -> AffineMap:
    return AffineMap.scaled(input_dim, 1, [[0] * (input_dim + 1)] * output_dim)


def _linear_part(outer: AffineMap) -> AffineMap:
    return AffineMap.scaled(outer.input_dim, outer.denominator, [(0, *row[1:]) for row in outer.rows])


def _base(before: AffineMap, output: AffineMap, residual: bool) -> AffineMap:
    """The output's bias, plus the layer's input with a residual."""
    constants = [row[0] for row in output.fractions()]
    if not residual:
        return AffineMap.of([[constant, *[0] * before.input_dim] for constant in constants], before.input_dim)
    return AffineMap.of(
        [[constant + row[0], *row[1:]] for constant, row in zip(constants, before.fractions(), strict=True)]
    )

"""Layers as stages: selectors with candidates (FORMAT.md, section 3.2).

Part in the soundness theorem: *Points of a node*: what the scores and the values of a stage are.

A candidate (score s, value v) of any layer contributes the vector v(x) u to the layer's output, with v a scalar form
and u a fixed vector: y = (base(x) + sum over selectors of the winner's v(x) u) / den. A tie contributes the mean of
its members. A linear layer after a stage is folded into base and u; before the first stage it is part of the first f.
All is in integers: the scores of one selector have one positive factor in common, values one for the whole stage.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import accumulate
from math import gcd
from operator import mul

from .maps import INTEGER_BITS, Form, Map, Vector, measured, pull, reduced, transposed
from .network import (
    Affine,
    Attention,
    Ffn,
    Head,
    Layer,
    Linear,
    Maxout,
    Network,
    Pointwise,
    Tropical,
    integers,
)
from .rows import Row, key, values
from .verdict import Unreadable

__all__ = ["Model", "Stage", "classes_of"]

# Tighter than FORMAT.md asks for:
CANDIDATES = 20_000  # candidates of all stages,
INTEGERS = 350_000  # integers of all stages,
STAGE_BITS = 50_000_000  # their bits,
STEPS = 5_000_000  # operations of four, or of 64 bits, to compile them,
PULLED = 600_000  # integers in the frames of a path,
PRODUCTS = 40_000_000  # the products to make them,
BITS = 200_000_000  # and their bits

SHORT = 4  # a stage that reads no more coordinates has its forms as rows too


@dataclass(frozen=True, slots=True)
class Candidate:
    """`score` and `value` are numbers of forms of the stage."""

    score: int
    value: int
    vector: Vector


@dataclass(frozen=True)
class Stage:
    forms: list[Form]
    selectors: list[list[Candidate]]
    base: list[Form]
    den: int
    dense: list[Row] = field(default_factory=list)  # forms and base as rows, if the stage reads few coordinates

    @cached_property
    def scores(self) -> list[tuple[int, ...]]:
        """The forms that are the scores of each selector's candidates."""
        return [tuple([candidate.score for candidate in selector]) for selector in self.selectors]

    @cached_property
    def classes(self) -> list[dict[int, tuple[int, ...]]]:
        """The classes of each selector, where no two scores are equal; selectors of one size share them."""
        of_size = {size: classes_of(range(size)) for size in set(map(len, self.scores))}
        return [of_size[len(scores)] for scores in self.scores]

    @cached_property
    def names(self) -> list[list[int]]:
        of_size = {size: list(range(size)) for size in set(map(len, self.scores))}
        return [of_size[len(scores)] for scores in self.scores]

    @cached_property
    def effects(self) -> list[list[tuple[tuple[int, ...], tuple[int, ...], int] | None]]:
        """For each candidate its vector and its value, if they are not zero."""
        return [
            [None if not c.vector[0] or c.value == self.zero else (*c.vector, c.value) for c in selector]
            for selector in self.selectors
        ]

    @cached_property
    def repeated(self) -> bool:
        """Whether some candidates of a selector have the same score in every frame."""
        return any(len(set(scores)) < len(scores) for scores in self.scores)

    @cached_property
    def binary(self) -> bool:
        """Whether all selectors have two candidates."""
        return all(len(scores) == 2 for scores in self.scores)

    @cached_property
    def zero(self) -> int:
        """The form that is always zero; -1 if there is none."""
        return self.forms.index((0, (), ())) if (0, (), ()) in self.forms else -1

    @cached_property
    def bits(self) -> int:
        """The bits of its longest integer."""
        forms = [(constant, *own) for constant, _, own in (*self.forms, *self.base)]
        vectors = {id(candidate.vector): candidate.vector[1] for own in self.selectors for candidate in own}
        return _bits([[self.den], *forms, *vectors.values()])

    @cached_property
    def size(self) -> int:
        """How many integers it has."""
        vectors = {id(candidate.vector): len(candidate.vector[0]) for own in self.selectors for candidate in own}
        return sum(vectors.values()) + sum([1 + len(indices) for _, indices, _ in (*self.forms, *self.base)])


def classes_of(scores: Iterable[object]) -> dict[int, tuple[int, ...]]:
    """Candidates with equal scores are one class: its name, which is the lowest of them, and its members."""
    same: dict[object, list[int]] = {}
    for j, score in enumerate(scores):
        same.setdefault(score, []).append(j)
    return {members[0]: tuple(members) for members in same.values()}


# ---- compiling layers -------------------------------------------------------------------------------------------


@lru_cache
def _all(size: int) -> tuple[int, ...]:
    return tuple(range(size))


def _sparse(values: list[int]) -> Vector:
    if all(values):  # such vectors share their indices
        return _all(len(values)), tuple(values)
    indices = tuple([i for i, value in enumerate(values) if value])
    return indices, tuple([values[i] for i in indices])


def _form(row: list[int]) -> Form:
    """The form with the constant row[0] and the coefficients row[1:]."""
    return row[0], *_sparse(row[1:])


def _unit(i: int, factor: int = 1) -> Vector:
    return ((i,), (factor,)) if factor else ((), ())


def _variable(i: int, factor: int = 1, constant: int = 0) -> Form:
    return constant, *_unit(i, factor)


def _affine(maps: list[Affine]) -> tuple[int, list[list[int]]]:
    """Stacked maps as integer rows (b, a) over one denominator."""
    return integers([[b, *row] for each in maps for b, row in zip(each.bias, each.weight, strict=True)])


class _Meter:
    """What compiling has cost so far."""

    def __init__(self) -> None:
        self.steps = self.integers = self.bits = 0

    def make(self, entries: int, terms: int, bits: int) -> None:
        """So many integers are to be made, each of them a sum of so many products of so many bits."""
        if entries > INTEGERS or entries * bits > STAGE_BITS:
            raise Unreadable("limit-network", "network", f"{entries} integers of {bits} bits to make")
        self.spend(entries * (terms // 4 + bits // 64 + 1))

    def spend(self, steps: int) -> None:
        """So many steps are to be taken."""
        self.steps += steps
        if self.steps > STEPS:
            raise Unreadable("limit-network", "network", f"{self.steps} steps")

    def keep(self, stage: Stage) -> None:
        """The stage is kept."""
        self.integers += stage.size
        self.bits += stage.size * stage.bits
        if self.integers > INTEGERS or self.bits > STAGE_BITS:
            raise Unreadable("limit-network", "network", f"stages of {self.integers} integers, {self.bits} bits")


def _bits(rows: Iterable[Iterable[int]]) -> int:
    """The bits of the longest integer."""
    return max([max(map(int.bit_length, row), default=0) for row in rows], default=0)


class _Forms:
    """The forms of a stage while it is compiled; equal ones are one."""

    def __init__(self) -> None:
        self.all: list[Form] = []
        self._numbers: dict[bytes, int] = {}

    def add(self, form: Form) -> int:
        number = self._numbers.setdefault(key(form), len(self.all))
        if number == len(self.all):
            self.all.append(form)
        return number


def _base(constants: list[int], residual: int) -> list[Form]:
    """Constants, plus x times the factor `residual`."""
    return [_variable(i, residual, constant) for i, constant in enumerate(constants)]


def _pointwise(layer: Pointwise) -> Stage:
    forms, selectors = _Forms(), []
    top, den = layer.slope.numerator, layer.slope.denominator
    for i in range(layer.width):
        if layer.kind == "relu":
            pairs = [((0, (), ()),) * 2, (_variable(i),) * 2]
        elif layer.kind == "leaky_relu":
            pairs = [((0, (), ()), _variable(i, top)), (_variable(i), _variable(i, den))]
        elif layer.kind == "abs":
            pairs = [(_variable(i, -1),) * 2, (_variable(i),) * 2]
        else:
            one: Form = (1, (), ())
            pairs = [(_variable(i, -1, -1), (-1, (), ())), ((0, (), ()), _variable(i)), (_variable(i, 1, -1), one)]
        along = _unit(i)
        selectors.append([Candidate(forms.add(score), forms.add(value), along) for score, value in pairs])
    return Stage(forms.all, selectors, _base([0] * layer.width, 0), den)


def _maxout(layer: Maxout) -> Stage:
    den, rows = _affine(layer.units)
    selectors: list[list[Candidate]] = []
    first = 0
    for i, unit in enumerate(layer.units):
        vector = _unit(i)
        selectors.append([Candidate(k, k, vector) for k in range(first, first + len(unit.weight))])
        first += len(unit.weight)
    return Stage([_form(row) for row in rows], selectors, _base([0] * len(layer.units), 0), den)


def _ffn(layer: Ffn) -> Stage:
    inner, hidden = _affine([layer.hidden])
    outer, output = _affine([layer.output])
    zero = len(hidden)
    columns = [list(column) for column in zip(*output, strict=True)]
    selectors = [
        [Candidate(zero, zero, ((), ())), Candidate(i, i, _sparse(columns[1 + i]))] for i in range(len(hidden))
    ]
    base = _base([constant * inner for constant in columns[0]], inner * outer if layer.residual else 0)
    return Stage([*map(_form, hidden), (0, (), ())], selectors, base, inner * outer)


def _scores(head: Head, meter: _Meter) -> tuple[int, list[list[int]]]:
    """<query(x), keys_j> + score_bias_j as integer rows over one denominator."""
    p, query = _affine([head.query])
    q, keys = integers(head.keys)
    r, bias = integers([head.score_bias])
    meter.make(len(keys) * len(query[0]), len(query), _bits(query) + _bits(keys) + r.bit_length())
    columns = list(zip(*query, strict=True))
    rows = [[r * sum(map(mul, key, column)) for column in columns] for key in keys]
    for row, constant in zip(rows, bias[0], strict=True):
        row[0] += p * q * constant
    return p * q * r, rows


def _attention(layer: Attention, meter: _Meter) -> Stage:
    forms, selectors = _Forms(), []
    one = forms.add((1, (), ()))
    inner, values = integers([row for head in layer.heads for row in head.values])
    width = sum(len(head.values[0]) for head in layer.heads)
    outer = 1
    constants, columns = [0] * width, None
    if layer.output is not None:
        outer, output = _affine([layer.output])
        meter.make(len(values) * len(output), max([len(row) for row in values]), _bits(values) + _bits(output))
        constants, *columns = [list(column) for column in zip(*output, strict=True)]
    start = first = 0
    for head in layer.heads:
        candidates = []
        for row in _scores(head, meter)[1]:
            vector = _sparse(values[first])
            vector = tuple([start + i for i in vector[0]]), vector[1]
            if columns is not None:
                vector = _combine(columns, vector)
            candidates.append(Candidate(forms.add(_form(row)), one, vector))
            first += 1
        start += len(head.values[0])
        selectors.append(candidates)
    base = _base([constant * inner for constant in constants], inner * outer if layer.residual else 0)
    return Stage(forms.all, selectors, base, inner * outer)


def _tropical(layer: Tropical, meter: _Meter) -> Stage:
    forms, selectors = _Forms(), []
    den, values = integers([row for head in layer.heads for row in head.values])
    scores = [_scores(head, meter) for head in layer.heads]
    common = den
    for other, _ in scores:
        common *= other // gcd(common, other)
        meter.make(sum(len(rows) * len(rows[0]) for _, rows in scores), 0, common.bit_length())
    start = first = 0
    for other, rows in scores:
        rows = [[entry * (common // other) for entry in row] for row in rows]
        own = values[first : first + len(rows)]
        first += len(rows)
        channels = range(start, start + len(own[0]))
        start += len(own[0])
        meter.make(len(rows) * len(rows[0]) * (1 + len(own[0])), 0, 0)
        for c, channel in zip(channels, zip(*own, strict=True), strict=True):
            lifted = [[row[0] + v * (common // den), *row[1:]] for row, v in zip(rows, channel, strict=True)]
            numbers, along = [forms.add(_form(row)) for row in lifted], _unit(c)
            selectors.append([Candidate(k, k, along) for k in numbers])
        numbers = [forms.add(_form(row)) for row in rows]
        down: Vector = tuple(channels), (-1,) * len(channels)
        selectors.append([Candidate(k, k, down) for k in numbers])
    return Stage(forms.all, selectors, _base([0] * start, 0), common)


def _combine(columns: list[list[int]], vector: Vector) -> Vector:
    """The matrix with these columns, times the vector."""
    indices, coefficients = vector
    return _sparse(values(zip(*[columns[i] for i in indices], strict=True), coefficients))


def _fold(stage: Stage, layer: Linear, meter: _Meter) -> Stage:
    """The stage followed by a linear layer."""
    den, rows = _affine([layer.map])
    own = {id(candidate.vector): candidate.vector for selector in stage.selectors for candidate in selector}
    vectors = {key(vector): vector for vector in own.values()}
    # base is a constant vector and a sparse matrix, whose columns are multiplied one by one
    width = 1 + max((max(form[1], default=-1) for form in stage.base), default=-1) + 1
    by_input: list[tuple[list[int], list[int]]] = [([], []) for _ in range(width)]
    for i, (constant, indices, coefficients) in enumerate(stage.base):
        for j, coefficient in zip((0, *(1 + j for j in indices)), (constant, *coefficients), strict=True):
            by_input[j][0].append(i)
            by_input[j][1].append(coefficient)
    longest = max([len(along[0]) for along in (*vectors.values(), *by_input)])
    meter.make((len(vectors) + width) * len(rows), longest, stage.bits + _bits(rows) + den.bit_length())
    constants, *columns = [list(column) for column in zip(*rows, strict=True)]
    combined = {name: _combine(columns, vector) for name, vector in vectors.items()}
    folded = {number: combined[key(vector)] for number, vector in own.items()}
    selectors = [[replace(c, vector=folded[id(c.vector)]) for c in selector] for selector in stage.selectors]
    total = [[0] * len(rows) for _ in range(width)]
    for j, (indices_of, coefficients_of) in enumerate(by_input):
        for i, value in zip(*_combine(columns, (tuple(indices_of), tuple(coefficients_of))), strict=True):
            total[j][i] = value
    total[0] = [t + stage.den * c for t, c in zip(total[0], constants, strict=True)]
    return Stage(stage.forms, selectors, [_form(list(row)) for row in zip(*total, strict=True)], stage.den * den)


def _candidates(layer: Layer) -> int:
    """How many candidates the layer has; counted before any of them is made."""
    if isinstance(layer, Pointwise):
        return layer.width * (3 if layer.kind == "hard_tanh" else 2)
    if isinstance(layer, Maxout):
        return sum(len(unit.weight) for unit in layer.units)
    if isinstance(layer, Ffn):
        return 2 * len(layer.hidden.weight)
    if isinstance(layer, Attention):
        return sum(len(head.keys) for head in layer.heads)
    if isinstance(layer, Tropical):
        return sum(len(head.keys) * (1 + len(head.values[0])) for head in layer.heads)
    return 0


def _compile(layer: Layer, meter: _Meter) -> Stage:
    if isinstance(layer, Pointwise):
        return _pointwise(layer)
    if isinstance(layer, Maxout):
        return _maxout(layer)
    if isinstance(layer, Ffn):
        return _ffn(layer)
    if isinstance(layer, Attention):
        return _attention(layer, meter)
    if isinstance(layer, Tropical):
        return _tropical(layer, meter)
    raise Unreadable("network-shape", "network", "a linear layer is no stage")


def _row(form: Form, m: int) -> Row:
    constant, indices, coefficients = form
    entries = dict(zip(indices, coefficients, strict=True))
    return (constant, *[entries.get(i, 0) for i in range(m)])


def _demand(integers: int, products: int) -> None:
    """So many integers of frames or maps, made by so many products."""
    if integers > PULLED or products > PRODUCTS:
        raise Unreadable("limit-network", "", f"maps of {integers} integers, {products} products")


class Model:
    """The network as stages. `owner[c]` is (stage, selector, candidate) of the candidate numbered through c.

    In an integer that packs a pattern, the winner of selector g of stage t begins at the bit `shift[t][g]`; a stage
    begins at a byte, and ends before the byte `stage_end[t + 1]`. `reads[t]` is the length of the vector that stage t
    reads, and `reads[S]` that of the output.
    """

    def __init__(self, network: Network) -> None:
        self.dimension = d = network.input_dim
        self.domain = network.domain
        self.stages: list[Stage] = []
        composed = False  # the first f is the identity, and composing with it would only cost time
        f: Map = 1, [[int(j == i + 1) for i in range(d)] for j in range(d + 1)]
        if (candidates := sum(map(_candidates, network.layers))) > CANDIDATES:
            raise Unreadable("limit-network", "network", f"{candidates} candidates")
        meter, bits = _Meter(), 1
        for layer in network.layers:
            if not isinstance(layer, Linear):
                if self.stages:
                    meter.keep(self.stages[-1])
                self.stages.append(_compile(layer, meter))
            elif self.stages:
                self.stages[-1] = _fold(self.stages[-1], layer, meter)
            else:
                den, rows = _affine([layer.map])
                entries = len(rows) * (d + 1)
                _demand(entries, 0)
                if composed:
                    meter.spend(entries * len(rows[0]) // 4 * (1 + (bits + _bits(rows)) // 64))
                f = reduced(f[0] * den, transposed(pull([_form(row) for row in rows], f) if composed else rows))
                bits = 8 * measured(f, min(INTEGER_BITS, STAGE_BITS // entries)) // entries
                composed = True
        if self.stages:
            meter.keep(self.stages[-1])
        self.first: Map = f
        self.owner = [
            (t, g, j)
            for t, stage in enumerate(self.stages)
            for g, selector in enumerate(stage.selectors)
            for j in range(len(selector))
        ]
        self.reads = [len(f[1][0]), *[len(stage.base) for stage in self.stages]]
        for t, (m, stage) in enumerate(zip(self.reads, self.stages, strict=False)):
            if m <= SHORT:
                self.stages[t] = replace(stage, dense=[_row(form, m) for form in (*stage.forms, *stage.base)])
        self._rest = [(0, 0, 0)]  # from each stage on: forms and outputs, integers, the bits of the longest
        for stage in reversed(self.stages):
            forms, size, longest = self._rest[-1]
            forms += len(stage.forms) + len(stage.base)
            self._rest.append((forms, size + stage.size, max(longest, stage.bits)))
        self._rest.reverse()
        self.shift: list[list[int]] = []
        self.stage_end: list[int] = [0]
        for stage in self.stages:
            sizes = [(len(selector) - 1).bit_length() for selector in stage.selectors]
            *shifts, at = accumulate(sizes, initial=8 * self.stage_end[-1])
            self.shift.append(shifts)
            self.stage_end.append((at + 7) // 8)

    def begin(self, first: int, d: int) -> int:
        """A tree of R^d that begins with the stage `first`: how many bits the entries of its maps may have.

        Unreadable if all its frames are too much for one path.
        """
        forms, size, bits = self._rest[first]
        pulled = forms * (d + 1)
        _demand(pulled, size * (d + 1))
        if bits * pulled > BITS:
            raise Unreadable("limit-network", "", f"maps of {pulled} integers, each of them {bits} bits and more")
        return min(INTEGER_BITS, BITS // max(pulled, 1) - bits)

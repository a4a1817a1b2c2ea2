"""Layers as stages: selectors with candidates, pulled back to forms of the input (FORMAT.md, sections 3.2 and 3.3).

Part in the soundness theorem: *Points of a node*. Where the layers before a stage are one affine map f, the scores of
its candidates are forms of the input; equal forms are one class; the row of score_w - score_c is positive where w
wins. And the affine map of a leaf is that of its cell.

A candidate (score s, value v) of any layer contributes the vector v(x) u to the layer's output, with v a scalar form
and u a fixed vector: y = (base(x) + sum over selectors of the winner's v(x) u) / den. A tie contributes the mean of
its members. A linear layer after a stage is folded into base and u; before the first stage it is part of the first f.
All is in integers: the scores of one selector have one positive factor in common, values one for the whole stage.

Forms over a layer's input are sparse: (constant, indices, coefficients). A map R^d -> R^m is a pair (den, columns),
d+1 columns of m integers, that of the constants first, over a positive denominator, reduced: so equal maps are equal
pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import accumulate
from math import gcd
from operator import mul, sub

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
from .rows import Row, distinct, key, primitive, values
from .verdict import Unreadable

__all__ = ["Frame", "Map", "Model"]

Columns = list[list[int]]
Map = tuple[int, Columns]
Form = tuple[int, tuple[int, ...], tuple[int, ...]]
Vector = tuple[tuple[int, ...], tuple[int, ...]]  # sparse: indices, coefficients

# Tighter than FORMAT.md asks for:
CANDIDATES = 20_000  # candidates of all stages,
INTEGERS = 350_000  # integers of all stages,
STEPS = 5_000_000  # operations of four, or of 64 bits, to compile them,
PULLED = 600_000  # integers in the frames of a path,
PRODUCTS = 40_000_000  # the products to make them,
BITS = 200_000_000  # and their bits;
INTEGER_BITS = 100_000  # bits of an entry of a composed map, with its denominator

SHORT = 4  # a stage that reads no more coordinates has its forms as rows too
CACHED = 100_000  # integers in a frame's cache of rows


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
        of_size = {size: _classes(range(size)) for size in set(map(len, self.scores))}
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
        forms = max([max(map(int.bit_length, (constant, *own))) for constant, _, own in (*self.forms, *self.base)])
        vectors = {id(candidate.vector): candidate.vector[1] for own in self.selectors for candidate in own}
        return max(
            forms, *[max(map(int.bit_length, own), default=0) for own in vectors.values()], self.den.bit_length()
        )

    @cached_property
    def size(self) -> int:
        """How many integers it has."""
        vectors = {id(candidate.vector): len(candidate.vector[0]) for own in self.selectors for candidate in own}
        return sum(vectors.values()) + sum([1 + len(indices) for _, indices, _ in (*self.forms, *self.base)])


def _classes(scores: Iterable[object]) -> dict[int, tuple[int, ...]]:
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
        self.steps = 0

    def take(self, entries: int, steps: int) -> None:
        """Stages with so many integers, each of which takes so many steps more."""
        self.steps += entries * steps
        if entries > INTEGERS or self.steps > STEPS:
            raise Unreadable("limit-network", "network", f"stages of {entries} integers, {self.steps} steps")


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
        selectors.append([Candidate(forms.add(score), forms.add(value), _unit(i)) for score, value in pairs])
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
    meter.take(len(keys) * len(query[0]), len(query) // 4 + (p * q * r).bit_length() // 64 + 1)
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
        meter.take(len(values) * len(output), max([len(row) for row in values]) // 4 + 1)
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
        meter.take(sum(len(rows) * len(rows[0]) for _, rows in scores), common.bit_length() // 64)
    start = first = 0
    for other, rows in scores:
        rows = [[entry * (common // other) for entry in row] for row in rows]
        own = values[first : first + len(rows)]
        first += len(rows)
        channels = range(start, start + len(own[0]))
        start += len(own[0])
        meter.take(len(rows) * len(rows[0]) * (1 + len(own[0])), 1)
        for c, channel in zip(channels, zip(*own, strict=True), strict=True):
            lifted = [[row[0] + v * (common // den), *row[1:]] for row, v in zip(rows, channel, strict=True)]
            numbers = [forms.add(_form(row)) for row in lifted]
            selectors.append([Candidate(k, k, _unit(c)) for k in numbers])
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
    width = 1 + max((max(form[1], default=-1) for form in stage.base), default=-1) + 1
    longest = max((len(vector[0]) for vector in vectors.values()), default=0)
    meter.take((len(vectors) + width) * len(rows), longest // 4 + (den * stage.den).bit_length() // 64 + 1)
    constants, *columns = [list(column) for column in zip(*rows, strict=True)]
    combined = {name: _combine(columns, vector) for name, vector in vectors.items()}
    folded = {number: combined[key(vector)] for number, vector in own.items()}
    selectors = [[replace(c, vector=folded[id(c.vector)]) for c in selector] for selector in stage.selectors]
    # base is a constant vector and a sparse matrix, whose columns are multiplied one by one
    by_input: list[tuple[list[int], list[int]]] = [([], []) for _ in range(width)]
    for i, (constant, indices, coefficients) in enumerate(stage.base):
        for j, coefficient in zip((0, *(1 + j for j in indices)), (constant, *coefficients), strict=True):
            by_input[j][0].append(i)
            by_input[j][1].append(coefficient)
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


# ---- maps and frames --------------------------------------------------------------------------------------------


def measured(f: Map, most: int) -> Map:
    """The map; unreadable if an entry, with the denominator, has more than so many bits."""
    den, columns = f
    if len(key(f)) * 8 > most:  # or there are no long integers in it
        bits = max(*map(max, columns), -min(map(min, columns))).bit_length() + den.bit_length()
        if bits > most:
            raise Unreadable("limit-network", "", f"a map with entries of {bits} bits")
    return f


def reduced(den: int, columns: Columns) -> Map:
    """The one pair (den, columns) of this map with den > 0 and no common divisor."""
    divisor = den
    for column in columns:
        divisor = gcd(divisor, *column) if divisor > 1 else 1
    if divisor == 1:
        return den, columns
    return den // divisor, [[value // divisor for value in column] for column in columns]


def transposed(rows: Sequence[Sequence[int]]) -> Columns:
    return [list(column) for column in zip(*rows, strict=True)]


def pull(forms: list[Form], f: Map) -> list[Row]:
    """The forms composed with f, times the denominator of f."""
    den, columns = f
    zeros = (0,) * (len(columns) - 1)
    result: list[Row] = []
    for constant, indices, coefficients in forms:
        if not indices:
            result.append((constant * den, *zeros))
            continue
        if len(indices) == 1:
            (i,), (factor,) = indices, coefficients
            vector = [factor * column[i] for column in columns]
        elif len(indices) == len(columns[0]):
            vector = [sum(map(mul, coefficients, column)) for column in columns]
        else:
            vector = [sum(map(mul, coefficients, map(column.__getitem__, indices))) for column in columns]
        vector[0] += constant * den
        result.append(tuple(vector))
    return result


def pull_rows(rows: list[Row], f: Map) -> Columns:
    """The columns of the same for forms given as rows; faster where these are short."""
    den, (constants, *normals) = f
    return [values(rows, [den, *constants]), *[values(rows, [0, *normal]) for normal in normals]]


class Frame:
    """A stage begun with the map f: scores as forms of the input, classes, rows, and the composition of the next map.

    `classes[g]` takes the name of a class (its lowest candidate, ascending, as in `names[g]`) to its members; where no
    scores are equal both are the stage's own. `gaps[g]` is score_1 - score_0, if all selectors have two candidates. The
    map was `measured`.
    """

    __slots__ = (
        "_beyond",
        "_den",
        "_rows",
        "_start",
        "classes",
        "gaps",
        "names",
        "pulled",
        "stage",
    )

    def __init__(self, stage: Stage, f: Map) -> None:
        self.stage = stage
        self._den = f[0] * stage.den
        if stage.dense:
            columns, forms = pull_rows(stage.dense, f), len(stage.forms)
            self.pulled = pulled = list(zip(*[column[:forms] for column in columns], strict=True))
            self._start = [column[forms:] for column in columns]
        else:
            self.pulled = pulled = pull(stage.forms, f)
            self._start = transposed(pull(stage.base, f))
        self.gaps: list[Row] = []
        if stage.binary:
            zero = stage.zero
            for low, high in stage.scores:
                self.gaps.append(pulled[high] if low == zero else tuple(map(sub, pulled[high], pulled[low])))
        self.classes, self.names = stage.classes, stage.names
        if (0,) * len(self._start) in self.gaps if stage.binary else stage.repeated or not distinct(pulled):
            own = [[pulled[k] for k in scores] for scores in stage.scores]
            if not all(map(distinct, own)):
                self.classes = [_classes(map(key, rows)) for rows in own]
                self.names = list(map(list, self.classes))
        self._rows: dict[tuple[int, int, int], Row] = {}
        self._beyond: dict[tuple[int, int], dict[bytes, int]] = {}

    def difference(self, g: int, w: int, c: int) -> Row:
        """score_w - score_c of selector g, not yet primitive; the selector's factor is common to all its pairs."""
        scores = self.stage.scores[g]
        return tuple(map(sub, self.pulled[scores[w]], self.pulled[scores[c]]))

    def row(self, g: int, w: int, c: int) -> Row:
        """The row of score_w - score_c of selector g."""
        key = (g, w, c)
        row = self._rows.get(key)
        if row is None:
            row = primitive(self.difference(g, w, c))
            if len(self._rows) * len(row) > CACHED:
                self._rows.clear()
            self._rows[key] = row
        return row

    def losers(self, g: int, w: int) -> list[Row]:
        """The rows that hold where class w of selector g wins, ascending by loser; positive multiples of them."""
        return [self.difference(g, w, c) for c in self.names[g] if c != w]

    def beyond(self, g: int, w: int) -> dict[bytes, int]:
        """For the key of each row of class w of selector g: the class that wins beyond, with the largest difference."""
        found: dict[bytes, tuple[int, int]] = {}
        if (g, w) not in self._beyond:
            for c in self.classes[g]:
                if c != w:
                    difference = self.difference(g, w, c)
                    row, steep = key(primitive(difference)), (gcd(*difference), c)
                    found[row] = max(found.get(row, steep), steep)
            if len(self._beyond) * len(found) * len(self._start) > CACHED:
                self._beyond.clear()
            self._beyond[g, w] = {row: c for row, (_, c) in found.items()}
        return self._beyond[g, w]

    def start(self) -> Map:
        """The output before any selector is added: over a denominator beyond that of the frame."""
        return 1, self._start

    def add(self, total: Map, chosen: Sequence[tuple[int, int]]) -> Map:
        """The sum with the values of classes, each given by its selector: the mean over its members."""
        den, columns = total
        columns = [column.copy() for column in columns]
        effects, pulled = self.stage.effects, self.pulled
        tied = self.classes is not self.stage.classes
        whole: list[tuple[tuple[int, ...], Row]] = []
        for g, w in chosen:
            if tied and len(members := self.classes[g][w]) > 1:
                den, columns = self._add_mean(den, columns, g, members)
                continue
            effect = effects[g][w]
            if effect is None:
                continue
            indices, coefficients, number = effect
            if len(indices) == 1:
                (i,), (u,) = indices, coefficients
                u *= den
                for column, value in zip(columns, pulled[number], strict=True):
                    column[i] += u * value
            elif len(indices) == len(columns[0]):
                whole.append((coefficients, pulled[number]))
            else:
                _add(columns, (indices, coefficients), pulled[number], den)
        if whole:
            vectors, forms = zip(*whole, strict=True)
            outputs = list(zip(*vectors, strict=True))
            for c, own in enumerate(zip(*forms, strict=True)):
                if any(own):
                    sums = values(outputs, own)
                    columns[c] = [x + den * y for x, y in zip(columns[c], sums, strict=True)]
        return den, columns

    def _add_mean(self, den: int, columns: Columns, g: int, members: tuple[int, ...]) -> Map:
        """The sum with the mean of the members of one class."""
        candidates = self.stage.selectors[g]
        terms = [(candidates[j].vector, self.pulled[candidates[j].value]) for j in members]
        size = len(members)
        terms = [term for term in terms if term[0][0] and any(term[1])]
        if len(terms) == size and all(term == terms[0] for term in terms):
            terms, size = terms[:1], 1
        if terms and den % size:
            times = size // gcd(den, size)
            den, columns = den * times, [[times * value for value in column] for column in columns]
        for vector, form in terms:
            _add(columns, vector, form, den // size)
        return den, columns

    def finish(self, total: Map) -> Map:
        """The map of the stages so far, once every selector has been added."""
        return reduced(self._den * total[0], total[1])


def _add(columns: Columns, vector: Vector, form: Row, factor: int) -> None:
    """Add the form, times the vector and the factor."""
    for column, value in zip(columns, form, strict=True):
        if value:
            for i, u in zip(*vector, strict=True):
                column[i] += factor * u * value


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
        size, meter = 0, _Meter()
        for layer in network.layers:
            if not isinstance(layer, Linear):
                size += self.stages[-1].size if self.stages else 0
                self.stages.append(_compile(layer, meter))
            elif self.stages:
                self.stages[-1] = _fold(self.stages[-1], layer, meter)
            else:
                den, rows = _affine([layer.map])
                _demand(len(rows) * (d + 1), 0)
                if composed:
                    meter.take(len(rows) * len(rows[0]), d // 4 + 1)
                f = reduced(f[0] * den, transposed(pull([_form(row) for row in rows], f) if composed else rows))
                measured(f, INTEGER_BITS)
                composed = True
            meter.take(size + (self.stages[-1].size if self.stages else 0), 0)
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
        stages = self.stages[first:]
        pulled = sum([len(stage.forms) + len(stage.base) for stage in stages]) * (d + 1)
        _demand(pulled, sum([stage.size for stage in stages]) * (d + 1))
        bits = max([stage.bits for stage in stages], default=0)
        if bits * pulled > BITS:
            raise Unreadable("limit-network", "", f"maps of {pulled} integers, each of them {bits} bits and more")
        return min(INTEGER_BITS, BITS // max(pulled, 1) - bits)

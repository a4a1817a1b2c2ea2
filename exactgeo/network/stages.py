"""Stages: the one shape that every layer compiles to.

A *selector* is a list of candidates; candidate j has a score form and a value, an affine vector; it picks the largest
score. A *stage* holds selectors side by side, a base map and a mixing matrix:

    y = base(x) + mix . (value of the winner of selector 1, ..., value of the winner of selector H)

so the payload of candidate j of selector g is (columns of mix that belong to g) . value_j(x). Scores and values are
rows of one affine map, ``forms``, and candidates name them by index: a ReLU unit uses one form as its second
candidate's score and value, and pulling a stage back along an affine map is one matrix product.

Where several candidates of a selector tie as functions they form one class, and the class wins with the mean of its
members' values (the zero-temperature limit of softmax).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd, lcm

from flint import fmpz_mat, nmod_mat

from exactgeo.partition.selectors import Classes, Winners, classes_of
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Row, dot, primitive

__all__ = ["SKETCH_PRIME", "Candidate", "PulledStage", "Selector", "Stage", "homogeneous_matrix", "scattered"]

SKETCH_PRIME = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Candidate:
    """One choice: its score and the entries of its value, as indices into the stage's forms."""

    score: int
    value: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Selector:
    """The candidates, and the name of the selector in messages, e.g. "layers[0].heads[1]"."""

    name: str
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True)
class Stage:
    """y = base(x) + mix . (winners' values).

    Invariants: ``forms`` and ``base`` have the same input dimension; each selector's candidates have values of one
    length; ``mix`` is a linear map (constant entries 0) from the concatenated values to the output of ``base``.
    """

    forms: AffineMap
    selectors: tuple[Selector, ...]
    base: AffineMap
    mix: AffineMap

    @property
    def input_dim(self) -> int:
        return self.base.input_dim

    @property
    def output_dim(self) -> int:
        return self.base.output_dim

    def __getstate__(self) -> dict[str, object]:
        """The fields alone: flint's matrices cannot be pickled, and are made again where they are needed."""
        return {"forms": self.forms, "selectors": self.selectors, "base": self.base, "mix": self.mix}

    @cached_property
    def _matrices(self) -> tuple[fmpz_mat, fmpz_mat, fmpz_mat]:
        forms = _matrix(self.forms.rows, self.input_dim + 1)
        base = _matrix(self.base.rows, self.input_dim + 1)
        mix = _matrix([row[1:] for row in self.mix.rows], self.mix.input_dim)
        return forms, base, mix

    def mixes_independently(self) -> bool:
        """Whether the columns of mix are independent modulo a prime, hence linearly independent."""
        _, _, mix = self._matrices
        return int(nmod_mat(mix, SKETCH_PRIME).rank()) == mix.ncols()

    @cached_property
    def functional(self) -> tuple[Row, Row]:
        """One fixed functional with scattered coefficients, after the integer rows of the base and of the mix."""
        weights = scattered(self.output_dim)
        base = [dot(weights, column) for column in zip(*self.base.rows, strict=True)]
        mix = [dot(weights, [row[k + 1] for row in self.mix.rows]) for k in range(self.mix.input_dim)]
        return tuple(base), tuple(mix)

    def pull_back(self, inner: fmpz_mat) -> "PulledStage":
        """The stage as a function of the network's input, ``inner`` being the homogeneous matrix of the map so far."""
        forms, _, _ = self._matrices
        table = [[int(entry) for entry in row] for row in (forms * inner).tolist()]
        return PulledStage(self, inner, tuple(tuple(row) for row in table))


@dataclass(frozen=True)
class PulledStage:
    """A stage on one parent cell, in input coordinates.

    ``forms`` are integer rows: the stage's forms after the map so far, all times the same positive factor.
    """

    stage: Stage
    inner: fmpz_mat
    forms: tuple[Row, ...]

    def __reduce__(self) -> tuple[object, ...]:
        """Flint's matrices cannot be pickled, and all else is made from this one again."""
        return _pulled_back, (self.stage, [[int(entry) for entry in row] for row in self.inner.tolist()])

    @cached_property
    def scores(self) -> tuple[tuple[Row, ...], ...]:
        """For each selector the score row of each candidate."""
        forms = self.forms
        return tuple([tuple([forms[c.score] for c in selector.candidates]) for selector in self.stage.selectors])

    @cached_property
    def selectors(self) -> tuple[Classes, ...]:
        """For each selector its classes on this parent."""
        return tuple([classes_of(scores) for scores in self.scores])

    @cached_property
    def positions(self) -> tuple[dict[int, int], ...]:
        """For each selector the position of each class, by its lowest member."""
        return tuple([{members[0]: k for k, members in enumerate(classes.members)} for classes in self.selectors])

    def sketch(self, winners: Winners) -> Row:
        """A value that is the same for equal maps after this stage: one fixed functional of the output, modulo a prime.

        Cheap where the output is wide. Different sketches prove that maps differ; equal ones prove nothing. A rational
        with the prime in its denominator has no residue: the sketch is then -1 throughout.
        """
        denominator, base, parts = self._sketches
        chosen = [part[w] for part, w in zip(parts, winners, strict=True)]
        bottom, *row = primitive([denominator, *map(sum, zip(base, *chosen, strict=True))])
        if bottom % SKETCH_PRIME == 0:
            return (-1,) * len(row)
        inverse = pow(bottom, -1, SKETCH_PRIME)
        return tuple([entry * inverse % SKETCH_PRIME for entry in row])

    @cached_property
    def _sketches(self) -> tuple[int, Row, tuple[tuple[Row, ...], ...]]:
        """A denominator, the base's share of the sketch, and for each selector that of each class, as integer rows."""
        stage = self.stage
        mean = lcm(*[len(members) for classes in self.selectors for members in classes.members])
        base_scale = stage.base.denominator
        mix_scale = stage.mix.denominator * stage.forms.denominator * mean
        scale = lcm(base_scale, mix_scale)
        weights, mixed = stage.functional
        base = (fmpz_mat([list(weights)]) * self.inner).entries()
        parts = []
        first = 0
        for selector, classes in zip(stage.selectors, self.selectors, strict=True):
            width = len(selector.candidates[0].value)
            factors = [factor * (scale // mix_scale) for factor in mixed[first : first + width]]
            first += width
            parts.append(tuple([self._share(selector, members, factors, mean) for members in classes.members]))
        return scale * int(self.inner[0, 0]), tuple([int(x) * (scale // base_scale) for x in base]), tuple(parts)

    def _share(self, selector: Selector, members: Sequence[int], factors: Sequence[int], mean: int) -> Row:
        """sum(factors . value) over the members of a class, times mean / their number."""
        total = [0] * self.inner.ncols()
        for j in members:
            for factor, index in zip(factors, selector.candidates[j].value, strict=True):
                total = [x + factor * y for x, y in zip(total, self.forms[index], strict=True)]
        return tuple([x * (mean // len(members)) for x in total])

    def outer(self, winners: Sequence[Sequence[int]]) -> fmpz_mat:
        """The homogeneous matrix of the map after this stage where ``winners[g]`` is selector g's winning class."""
        stage, inner, forms = self.stage, self.inner, self.forms
        _, base, mix = stage._matrices
        mean = lcm(*[len(members) for members in winners])
        values: list[Row] = []
        for selector, members in zip(stage.selectors, winners, strict=True):
            share = mean // len(members)
            if len(members) == 1 and share == 1:
                values.extend([forms[index] for index in selector.candidates[members[0]].value])
                continue
            for indices in zip(*[selector.candidates[j].value for j in members], strict=True):
                values.append(tuple(share * sum(entries) for entries in zip(*[forms[i] for i in indices], strict=True)))
        # With q = inner's denominator: base part (base . inner)/(D_b q), mixed part (mix . values)/(D_m D_f mean q).
        base_scale = stage.base.denominator
        mix_scale = stage.mix.denominator * stage.forms.denominator * mean
        scale = lcm(base_scale, mix_scale)
        result = base * inner * (scale // base_scale)
        if values:
            result = result + mix * fmpz_mat(values) * (scale // mix_scale)
        return _reduced(scale * int(inner[0, 0]), result)


def scattered(length: int) -> Row:
    """A fixed row of numbers below 2^31 without a pattern."""
    numbers, state = [], 1
    for _ in range(length):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64  # Knuth's generator
        numbers.append(state >> 33)
    return tuple(numbers)


def _pulled_back(stage: Stage, inner: list[list[int]]) -> PulledStage:
    return stage.pull_back(fmpz_mat(inner))


def homogeneous_matrix(inner: AffineMap) -> fmpz_mat:
    """(x_0, x) -> (q x_0, q y): first row (q, 0, ..., 0), then the integer rows of the map; q its denominator."""
    return fmpz_mat([[inner.denominator] + [0] * inner.input_dim, *[list(row) for row in inner.rows]])


def _matrix(rows: Iterable[Sequence[int]], width: int) -> fmpz_mat:
    table = [list(row) for row in rows]
    return fmpz_mat(table) if table else fmpz_mat(0, width)


def _reduced(denominator: int, result: fmpz_mat) -> fmpz_mat:
    entries = [int(entry) for entry in result.entries()]
    divisor = gcd(denominator, *entries)
    width = result.ncols()
    reduced = [entry // divisor for entry in entries] if divisor > 1 else entries
    return fmpz_mat(1 + result.nrows(), width, [denominator // divisor] + [0] * (width - 1) + reduced)

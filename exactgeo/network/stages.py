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

from flint import fmpz_mat

from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Row

__all__ = ["Candidate", "PulledStage", "Selector", "Stage", "homogeneous_matrix"]


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

    @cached_property
    def sketched(self) -> "Stage":
        """The stage followed by one fixed functional with scattered coefficients."""
        weights = [(k + 1) * 2654435761 % 2**31 for k in range(self.output_dim)]
        functional = AffineMap.of([[0, *weights]])
        return Stage(self.forms, self.selectors, functional.compose(self.base), functional.compose(self.mix))

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

    @cached_property
    def scores(self) -> tuple[tuple[Row, ...], ...]:
        """For each selector the score row of each candidate."""
        forms = self.forms
        return tuple([tuple([forms[c.score] for c in selector.candidates]) for selector in self.stage.selectors])

    def sketch(self, winners: Sequence[Sequence[int]]) -> tuple[int, ...]:
        """A value that is the same for equal maps after this stage: one fixed functional of the output.

        Cheap where the output is wide. Different sketches prove that maps differ; equal ones prove nothing.
        """
        matrix = PulledStage(self.stage.sketched, self.inner, self.forms).outer(winners)
        return tuple([int(entry) for entry in matrix.entries()])

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

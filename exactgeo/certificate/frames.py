"""A stage on one parent cell, in tables: its scores, which classes are beaten, the map after it.

The proof search begins a stage on every cell of the stage before, so this is where most of its time goes. All selectors
are treated at once. ``Layout`` is what all parents share: the forms of a stage as one integer matrix, and of each
candidate the form that is its score and the forms of its value. On a parent with the homogeneous matrix ``inner`` of
the map so far, ``Frame`` has forms . inner, and with that the scores of all candidates.

Candidates with equal scores are one class, which is named by the lowest of them, its *lead*; the others never count.

A class j of a selector is *beaten* at some points if some other class i of it has score_i >= score_j at all of these.
With the rays of a node for points, j cannot win anywhere in the node. With the corners of a simplex around the node for
points, that is what a B record states and what a checker finds (FORMAT.md, section 4).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd, lcm

import numpy

from exactgeo.certificate.tables import Table, exact, image, largest, times
from exactgeo.network.stages import Stage
from exactgeo.partition.selectors import difference
from exactgeo.rational.rows import Row

__all__ = ["MOST_PAIRS", "Frame", "Layout", "Possible"]

Possible = Mapping[int, Sequence[int]]
"""Selectors with classes of theirs, by their names."""

MOST_COMPARED = 2_000_000
"""Comparisons of scores in one numpy operation."""
FEW = 40
"""Selectors with more classes are compared one by one."""
MOST_PAIRS = 10**6
"""Pairs of a possible class and a class that a checker compares in a B record (FORMAT.md, section 9)."""


class Layout:
    """A stage of the network, whatever the parent. Candidates are counted through all selectors of the stage."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        selectors = stage.selectors
        self.sizes = [len(selector.candidates) for selector in selectors]
        self.first = [sum(self.sizes[:g]) for g in range(len(selectors))]
        candidates = [candidate for selector in selectors for candidate in selector.candidates]
        self.scores = numpy.array([candidate.score for candidate in candidates], dtype=numpy.intp)
        self.values = [candidate.value for candidate in candidates]
        self.forms = _table(stage.forms.rows, stage.input_dim + 1)
        self.base = _table(stage.base.rows, stage.input_dim + 1)
        self.mix = _table([row[1:] for row in stage.mix.rows], stage.mix.input_dim)
        # The functional of sketches: for each candidate its factors at the entries of the value.
        self.factors: list[Row] = []
        start, (_, mix) = 0, stage.functional
        for selector in selectors:
            width = len(selector.candidates[0].value)
            self.factors += [mix[start : start + width]] * len(selector.candidates)
            start += width
        self.choices: Possible = {g: range(size) for g, size in enumerate(self.sizes) if size > 1}
        self.groups: dict[int, tuple[Table, Table]] | None = None
        self.groups = self.grouped(self.choices)

    def grouped(self, selectors: Possible) -> dict[int, tuple[Table, Table]]:
        """Selectors by size, which are compared together: their numbers, and the first candidate of each."""
        if selectors is self.choices and self.groups is not None:
            return self.groups
        by_size: dict[int, list[int]] = {}
        for g in selectors:
            by_size.setdefault(self.sizes[g], []).append(g)
        return {
            size: (numpy.array(members), numpy.array([self.first[g] for g in members]))
            for size, members in by_size.items()
        }


@dataclass(frozen=True)
class Frame:
    """A stage on the parent with the homogeneous matrix ``inner`` of the map so far; ``forms`` times one factor."""

    layout: Layout
    inner: Table
    forms: Table

    @staticmethod
    def of(layout: Layout, inner: Table) -> "Frame":
        return Frame(layout, inner, times(layout.forms, inner))

    @cached_property
    def scores(self) -> Table:
        """The score of each candidate as a row; all with one positive factor."""
        return self.forms[self.layout.scores]

    @cached_property
    def ties(self) -> dict[int, list[list[int]]]:
        """The classes, each a list of its members, of every selector with fewer classes than candidates."""
        layout, scores = self.layout, self.scores
        found = []
        for size, (members, first) in layout.grouped(layout.choices).items():
            if size == 2:
                same = (scores[first] == scores[first + 1]).all(axis=1)
                found += members[same].tolist()
            elif size > FEW:
                for g, start in zip(members.tolist(), first.tolist(), strict=True):
                    if len(set(map(tuple, scores[start : start + size].tolist()))) < size:
                        found.append(g)
            elif size > 2:
                own = scores[first[:, None] + numpy.arange(size)]
                same = (own[:, :, None] == own[:, None]).all(axis=3).sum(axis=(1, 2)) > size
                found += members[same].tolist()
        ties = {}
        for g in found:
            groups: dict[Row, list[int]] = {}
            start = layout.first[g]
            for j, row in enumerate(scores[start : start + layout.sizes[g]].tolist()):
                groups.setdefault(tuple(row), []).append(j)
            ties[g] = list(groups.values())
        return ties

    def leads(self, g: int) -> Sequence[int]:
        """The names of the classes of selector g."""
        ties = self.ties
        return [members[0] for members in ties[g]] if g in ties else range(self.layout.sizes[g])

    def choices(self) -> Possible:
        """All classes of the selectors that have several."""
        choices = self.layout.choices
        if not self.ties:
            return choices
        return {g: leads for g in choices if len(leads := self.leads(g)) > 1}

    def values(self, points: Table) -> Table:
        """The scores of all candidates at some points, the columns of a table."""
        return times(self.scores, points)

    def row(self, g: int, i: int, j: int) -> Row:
        """score_i - score_j of selector g, primitive."""
        start = self.layout.first[g]
        return difference(self.scores[start + i].tolist(), self.scores[start + j].tolist())

    def rows(self, g: int, classes: Sequence[int]) -> list[Row]:
        """The scores of some classes of selector g, all with one factor."""
        start = self.layout.first[g]
        return [tuple(self.scores[start + j].tolist()) for j in classes]

    def sketch(self, winners: Sequence[int]) -> tuple[int, int]:
        """A value that is the same for equal maps after this stage: one fixed functional of the output, at one point.

        Different sketches prove that maps differ; equal ones prove nothing.
        """
        denominator, total, shares = self._shares
        value = total + sum([shares[start + w] for start, w in zip(self.layout.first, winners, strict=True)])
        divisor = gcd(denominator, value)
        return denominator // divisor, value // divisor

    @cached_property
    def _shares(self) -> tuple[int, int, list[int]]:
        """A denominator, the base's share of the sketch, and that of each class at its lead, as integers."""
        layout, stage = self.layout, self.layout.stage
        mean = lcm(*[len(members) for classes in self.ties.values() for members in classes])
        base_scale = stage.base.denominator
        mix_scale = stage.mix.denominator * stage.forms.denominator * mean
        scale = lcm(base_scale, mix_scale)
        base, _ = stage.functional
        point = exact([[1], *[[(k + 2) * 2654435761 % 2**31] for k in range(self.inner.shape[1] - 1)]])
        total = int(times(exact([base]), times(self.inner, point))[0, 0]) * (scale // base_scale)
        values = times(self.forms, point)[:, 0].tolist()
        own = [
            sum([factor * values[index] for factor, index in zip(factors, indices, strict=True)])
            for factors, indices in zip(layout.factors, layout.values, strict=True)
        ]
        unit = scale // mix_scale
        shares = [mean * unit * share for share in own]
        for g, classes in self.ties.items():
            start = layout.first[g]
            for members in classes:
                shares[start + members[0]] = mean // len(members) * unit * sum([own[start + j] for j in members])
        return scale * int(self.inner[0, 0]), total, shares

    def outer(self, winners: Sequence[int]) -> Table:
        """The homogeneous matrix of the map after this stage; the winning classes are given by their names."""
        layout, stage, forms = self.layout, self.layout.stage, self.forms
        chosen: list[int] = [
            index for start, w in zip(layout.first, winners, strict=True) for index in layout.values[start + w]
        ]
        values = forms[numpy.array(chosen, dtype=numpy.intp)]
        mean = 1
        tied = [(g, members) for g, classes in self.ties.items() for members in classes if members[0] == winners[g]]
        tied = [(g, members) for g, members in tied if len(members) > 1]
        if tied:
            mean = lcm(*[len(members) for _, members in tied])
            values = values.astype(object) * mean
            width = [len(layout.values[start]) for start in layout.first]
            for g, members in tied:
                start = layout.first[g]
                own = [forms[list(layout.values[start + j])].astype(object) for j in members]
                at = sum(width[:g])
                values[at : at + width[g]] = sum(own) * (mean // len(members))
        # With q = inner's denominator: base part (base . inner)/(D_b q), mixed part (mix . values)/(D_m D_f mean q).
        base_scale = stage.base.denominator
        mix_scale = stage.mix.denominator * stage.forms.denominator * mean
        scale = lcm(base_scale, mix_scale)
        base, mixed = times(layout.base, self.inner), times(layout.mix, values)
        parts = [(base, scale // base_scale), (mixed, scale // mix_scale)]
        if max(largest(table) * factor for table, factor in parts) >= 2**61 or scale * int(self.inner[0, 0]) >= 2**63:
            parts = [(table.astype(object), factor) for table, factor in parts]
        (one, left), (two, right) = parts
        result = one * left + two * right
        head = numpy.zeros((1, result.shape[1]), dtype=result.dtype)
        head[0, 0] = scale * int(self.inner[0, 0])
        return _reduced(numpy.concatenate([head, result]))

    def beaten(self, scores: Table, possible: Possible) -> list[tuple[int, int, int]]:
        """The possible classes j of these selectors that are beaten at some points, as (selector, j, a rival).

        ``scores`` are those of all candidates at these points. The rival is one with a large score on the whole. All of
        them are found, except where there are more than ``MOST_PAIRS`` to compare: then those beaten by a class that is
        largest at some point.
        """
        layout, ties = self.layout, self.ties
        found: list[tuple[int, int, int]] = []
        for size, (members, first) in layout.grouped(possible).items():
            if size == 1:
                continue
            values = scores[first[:, None] + numpy.arange(size)]
            if size == 2:
                for j in (0, 1):
                    lost = members[(values[:, 1 - j] >= values[:, j]).all(axis=1)].tolist()
                    found += [(g, j, 1 - j) for g in lost if g not in ties]
            elif size <= FEW:
                names = members.tolist()
                barred = numpy.broadcast_to(numpy.eye(size, dtype=bool), (len(names), size, size)).copy()
                for place, g in enumerate(names):
                    if g in ties:
                        barred[place, self._followers(g)] = True
                every = _rivals(values, values, barred)
                found += [(names[place], j, i) for place, j, i in every if j in possible[names[place]]]
            else:
                for g, own in zip(members.tolist(), values, strict=True):
                    found += [(g, j, i) for j, i in self._beaten_among_many(g, own, possible[g])]
        return found

    def _followers(self, g: int) -> list[int]:
        """The candidates of a selector with ties that do not name their class."""
        return [j for members in self.ties[g] for j in members[1:]]

    def _beaten_among_many(self, g: int, values: Table, possible: Sequence[int]) -> Iterator[tuple[int, int]]:
        """The same for one selector with many classes, block by block."""
        size, points = values.shape
        if len(possible) * size > MOST_PAIRS:
            leads = sorted({int(values[:, point].argmax()) for point in range(points)})
        else:
            leads = list(self.leads(g))
        rivals = numpy.array(leads)
        step = max(MOST_COMPARED // (len(leads) * points), 1)
        for start in range(0, len(possible), step):
            block = numpy.array(possible[start : start + step])
            for _, j, i in _rivals(values[None, rivals], values[None, block], rivals[:, None] == block):
                yield int(block[j]), leads[i]


def _rivals(upper: Table, lower: Table, barred: Table) -> list[tuple[int, int, int]]:
    """Where upper[k, i] >= lower[k, j] at all points, for some i that is not barred: (k, j, the i with largest sum)."""
    one, two = image(upper), image(lower)
    above = (one[:, :, None] >= two[:, None]).all(axis=3) & ~barred
    if upper.dtype == object:
        # Where two images are equal, and only there, the integers have to be compared.
        for k, i, j in zip(*((one[:, :, None] == two[:, None]).any(axis=3) & above).nonzero(), strict=True):
            above[k, i, j] = (upper[k, i] >= lower[k, j]).all()
    places, names = above.any(axis=1).nonzero()
    sums = numpy.where(above, one.sum(axis=2)[:, :, None], -numpy.inf)
    best = sums.argmax(axis=1)[places, names]
    return list(zip(places.tolist(), names.tolist(), best.tolist(), strict=True))


def _table(rows: Iterable[Sequence[int]], width: int) -> Table:
    table = [list(row) for row in rows]
    return exact(table) if table else numpy.zeros((0, width), dtype=numpy.int64)


def _reduced(matrix: Table) -> Table:
    """Without a common factor, and in 64 bits if it fits."""
    divisor = int(numpy.gcd.reduce(matrix, axis=None))
    if divisor > 1:
        matrix = matrix // divisor
    return exact(matrix.tolist()) if matrix.dtype == object else matrix

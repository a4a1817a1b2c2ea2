"""A stage on one parent cell, in tables: its scores, which classes are beaten, the map after it.

A ``Frame`` is to the proof search what ``network.stages.PulledStage`` is to the engine: the same stage pulled back to
the same input, computed apart from it, and in arrays.

The proof search begins a stage on every cell of the stage before, so this is where much of its time goes. All selectors
are treated at once. ``Layout`` is what all parents share: the forms of a stage as one integer matrix, and of each
candidate the form that is its score and the forms of its value. On a parent with the homogeneous matrix ``inner`` of
the map so far, ``Frame`` has forms . inner, and with that the scores of all candidates.

Candidates are counted through all selectors of the stage. Those of one selector with equal scores are one class, for
which the lowest of them stands, its *lead*; the others never count.

A class j of a selector is *beaten* at some points if some other class i of it has score_i >= score_j at all of these.
With the rays of a node for points, j cannot win anywhere in the node. With the corners of a simplex around the node for
points, that is what a B record states and what a checker finds (FORMAT.md, section 4).
"""

from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from itertools import chain, combinations
from math import gcd, lcm
from operator import mul, sub

import numpy

from exactgeo.certificate.tables import LIMIT, Table, exact, image, size_of, times
from exactgeo.network.stages import Stage
from exactgeo.partition.selectors import difference
from exactgeo.rational.rows import Row

__all__ = ["Frame", "Layout", "sketch_point"]

MOST_COMPARED = 2_000_000
"""Comparisons of scores in one numpy operation."""
PRIME = 2**31 - 1
"""Sketches are residues."""
MOST_ROWS = 100_000
"""Differences of scores that are kept for the next node."""
SMALL = 24
"""Entries that are quicker to look at one by one."""
MOST_PAIRED = 40
"""Selectors with more classes are compared one by one."""


class Layout:
    """A stage of the network, whatever the parent."""

    def __init__(self, stage: Stage) -> None:
        selectors = stage.selectors
        self.sizes = [len(selector.candidates) for selector in selectors]
        self.first = [sum(self.sizes[:g]) for g in range(len(selectors))]
        self.selector = [g for g, size in enumerate(self.sizes) for _ in range(size)]
        candidates = [candidate for selector in selectors for candidate in selector.candidates]
        self.scores = [candidate.score for candidate in candidates]
        self.values = [candidate.value for candidate in candidates]
        self.widths = [len(selector.candidates[0].value) for selector in selectors]
        # y = base.x / D_b + mix.values / (D_m D_f), on the common denominator ``scale``.
        mix_scale = stage.mix.denominator * stage.forms.denominator
        self.scale = lcm(stage.base.denominator, mix_scale)
        base = [[entry * (self.scale // stage.base.denominator) for entry in row] for row in stage.base.rows]
        mix = [[entry * (self.scale // mix_scale) for entry in row[1:]] for row in stage.mix.rows]
        self.forms, self.forms_norm = _table(stage.forms.rows, stage.input_dim + 1)
        self.base, self.base_norm = _table(base, stage.input_dim + 1)
        self.mix, self.mix_norm = _table(mix, stage.mix.input_dim)
        self.output_dim = stage.output_dim
        self._rows = base, mix
        # All pairs of candidates of a selector, low and high, which are compared together; those of ``many`` candidates
        # are too many.
        spans = [
            (start, start + size) for start, size in zip(self.first, self.sizes, strict=True) if size <= MOST_PAIRED
        ]
        rows = stage.forms.rows
        pairs = [pair for span in spans for pair in combinations(range(*span), 2)]
        self.low = numpy.array([low for low, _ in pairs], dtype=numpy.intp)
        self.high = numpy.array([high for _, high in pairs], dtype=numpy.intp)
        # Where no selector has more than two candidates: the forms score_high - score_low.
        self.binary = max(self.sizes, default=0) <= 2
        scored = [(rows[self.scores[low]], rows[self.scores[high]]) for low, high in pairs if self.binary]
        self.gaps, self.gaps_norm = _table([list(map(sub, high, low)) for low, high in scored], stage.input_dim + 1)
        self.many = [g for g, size in enumerate(self.sizes) if size > MOST_PAIRED]
        self.choices = [
            (g, range(start, start + size))
            for g, (start, size) in enumerate(zip(self.first, self.sizes, strict=True))
            if size > 1
        ]
        self.pairs = sum(size * size for size in self.sizes)
        # Where all selectors have as many candidates: that number; else 0. And all pairs of them.
        self.uniform = self.sizes[0] if self.sizes and 1 < min(self.sizes) == max(self.sizes) <= MOST_PAIRED else 0
        self.places = numpy.array(self.scores, dtype=numpy.intp)
        self.starts = numpy.array(self.first, dtype=numpy.intp)
        pairs = list(combinations(range(self.uniform if self.uniform > 2 else 0), 2))
        self.below = numpy.array([low for low, _ in pairs], dtype=numpy.intp)
        self.above = numpy.array([high for _, high in pairs], dtype=numpy.intp)
        self.everyone = numpy.array([self.sizes[g] > 1 for g in self.selector], dtype=bool)

    @cached_property
    def sketching(self) -> "_Functional":
        """One fixed functional of scale * y, for sketches."""
        return _Functional(self, *self._rows)


class _Functional:
    """A functional of scale * y, y being the output of a stage.

    ``base`` are its coefficients at the input, and for each candidate ``factors`` those at the forms of its value,
    which have the numbers ``indices``. ``base_residues`` and ``residues`` are the same modulo the prime.
    """

    def __init__(self, layout: Layout, base: Sequence[Sequence[int]], mix: Sequence[Sequence[int]]) -> None:
        weights = _scattered(layout.output_dim)
        self.base = [sum(map(mul, weights, column)) for column in zip(*base, strict=True)]
        mixed = [sum(map(mul, weights, column)) for column in zip(*mix, strict=True)]
        starts = [sum(layout.widths[:g]) for g in range(len(layout.widths))]
        width = max(layout.widths, default=0)
        candidates = zip(layout.selector, layout.values, strict=True)
        padded = [(*own, *[0] * (width - len(own))) for own in layout.values]
        listed = [[*mixed[starts[g] : starts[g] + len(own)], *[0] * (width - len(own))] for g, own in candidates]
        self.factors = numpy.array(listed, dtype=object).reshape(len(padded), width)
        self.indices = numpy.array(padded, dtype=numpy.intp).reshape(len(padded), width)
        self.base_residues = numpy.array([entry % PRIME for entry in self.base], dtype=numpy.int64)
        self.residues = (self.factors % PRIME).astype(numpy.int64)


class Frame:
    """A stage on the parent with the homogeneous matrix ``inner`` of the map so far, with entries at most ``size``."""

    def __init__(self, layout: Layout, inner: Table, size: int) -> None:
        self.layout = layout
        self.inner = inner
        self.inner_size = size
        self.size = layout.forms_norm * size
        self._scores: dict[int, Row] = {}
        self._rows: dict[tuple[int, int], Row] = {}

    @cached_property
    def forms(self) -> Table:
        """The forms of the stage, all with one positive factor."""
        return times(self.layout.forms, self.inner, self.size)

    def score(self, c: int) -> Row:
        """The score of a candidate; those of all candidates have one positive factor."""
        if c not in self._scores:
            self._scores[c] = tuple(self.forms[self.layout.scores[c]].tolist())
        return self._scores[c]

    @cached_property
    def ties(self) -> dict[int, list[list[int]]]:
        """The classes, each a list of its members, of every selector with fewer classes than candidates."""
        if self.layout.binary:
            return self.equal(~self.gaps.any(axis=1))
        if self.layout.uniform and len(self.layout.selector) > SMALL and self.forms.dtype != object:
            # Forms are different where they are so modulo 2^64 at some point, as they nearly always are.
            values = (self.forms @ numpy.array(_scattered(self.forms.shape[1])))[self.layout.places]
            values = values.reshape(-1, self.layout.uniform)
            values.sort(axis=1)
            if (values[:, 1:] != values[:, :-1]).all():
                return {}
        forms = list(map(tuple, self.forms.tolist()))
        rows = [forms[k] for k in self.layout.scores]
        ties = {}
        for g, (start, size) in enumerate(zip(self.layout.first, self.layout.sizes, strict=True)):
            if size == 2:
                if rows[start] == rows[start + 1]:
                    ties[g] = [[start, start + 1]]
            elif size > 2 and len(set(rows[start : start + size])) < size:
                groups: dict[Row, list[int]] = {}
                for c in range(start, start + size):
                    groups.setdefault(rows[c], []).append(c)
                ties[g] = list(groups.values())
        return ties

    def equal(self, pairs: Table) -> dict[int, list[list[int]]]:
        """The ties of these pairs, where no selector has more than two candidates."""
        layout = self.layout
        return {layout.selector[low]: [[low, low + 1]] for low in layout.low[pairs].tolist()}

    def leads(self, g: int) -> Sequence[int]:
        """The classes of selector g."""
        if g in self.ties:
            return [members[0] for members in self.ties[g]]
        return range(self.layout.first[g], self.layout.first[g] + self.layout.sizes[g])

    def choices(self) -> Sequence[tuple[int, Sequence[int]]]:
        """The selectors with several classes, and these classes."""
        if not self.ties:
            return self.layout.choices
        return [(g, leads) for g, _ in self.layout.choices if len(leads := self.leads(g)) > 1]

    @cached_property
    def contenders(self) -> Table:
        """Of all candidates, those that stand for a class of a selector with several classes."""
        if not self.ties:
            return self.layout.everyone
        contenders = self.layout.everyone.copy()
        for classes in self.ties.values():
            contenders[classes[0] if len(classes) == 1 else [c for members in classes for c in members[1:]]] = False
        return contenders

    def row(self, a: int, b: int) -> Row:
        """score_a - score_b of two classes of a selector, primitive."""
        row = self._rows.get((a, b))
        if row is None:
            if len(self._rows) > MOST_ROWS:
                self._rows.clear()
            self._rows[a, b] = row = difference(self.score(a), self.score(b))
        return row

    # -- the map after this stage --

    def outer(self, winners: Sequence[int]) -> tuple[Table, int]:
        """The homogeneous matrix of the map after this stage, and the size of its entries."""
        layout, forms = self.layout, self.forms
        chosen = chain.from_iterable([layout.values[w] for w in winners])
        values = forms[numpy.fromiter(chosen, dtype=numpy.intp)]
        mean = 1
        if self.ties:
            tied = {g: next(own for own in self.ties[g] if own[0] == winners[g]) for g in self.ties}
            mean = lcm(*[len(members) for members in tied.values()])
            values = values.astype(object) * mean
            for g, members in tied.items():
                at = sum(layout.widths[:g])
                own = [forms[list(layout.values[c])].astype(object) for c in members]
                values[at : at + layout.widths[g]] = sum(own) * (mean // len(members))
        bound = mean * (layout.base_norm * self.inner_size + layout.mix_norm * self.size)
        result = times(layout.mix, values, bound)
        if layout.base_norm:
            base = times(layout.base, self.inner, bound)
            result = result + (base * mean if mean > 1 else base)
        denominator = layout.scale * int(self.inner[0, 0]) * mean
        if result.size > SMALL and result.dtype != object and denominator < LIMIT:
            divisor = gcd(denominator, int(numpy.gcd.reduce(result, axis=None)))
            outer = numpy.zeros((len(result) + 1, result.shape[1]), dtype=numpy.int64)
            outer[0, 0] = denominator
            outer[1:] = result
            if divisor > 1:
                outer //= divisor
            return outer, max(int(outer.max()), -int(outer.min()))
        rows = [[denominator] + [0] * (self.inner.shape[1] - 1), *result.tolist()]
        divisor = gcd(*chain.from_iterable(rows))
        if divisor > 1:
            rows = [[entry // divisor for entry in row] for row in rows]
        size = size_of(rows)
        return exact(rows, size), size

    def sketch(self, winners: Sequence[int]) -> tuple[int, ...]:
        """The same for equal maps after this stage: one fixed functional of the output at one point, modulo a prime.

        Different sketches prove that maps differ; equal ones prove nothing. -1 where there is no such residue.
        """
        denominator, total, shares = self._shares
        value = total + sum([shares[w] for w in winners])
        if denominator == 1:
            return (value % PRIME,)
        divisor = gcd(denominator, value)
        denominator //= divisor
        return (value // divisor * pow(denominator, -1, PRIME) % PRIME if denominator % PRIME else -1,)

    @cached_property
    def _shares(self) -> tuple[int, int, list[int]]:
        """A denominator, the base's share of the sketch, and that of each class.

        These are integers, or residues over the denominator 1, if it is not itself a multiple of the prime.
        """
        layout, functional = self.layout, self.layout.sketching
        point = sketch_point(self.inner.shape[1])
        denominator = layout.scale * int(self.inner[0, 0])
        if denominator % PRIME == 0:
            total = sum(map(mul, functional.base, [sum(map(mul, row, point)) for row in self.inner.tolist()]))
            values = times(self.forms, exact([point], max(point)).T, self.size * sum(point))[:, 0].astype(object)
            shares = (functional.factors * values[functional.indices]).sum(axis=1).tolist()
            mean = lcm(*[len(members) for classes in self.ties.values() for members in classes])
            means = [mean * share for share in shares]
            for members in chain.from_iterable(self.ties.values()):
                means[members[0]] = mean // len(members) * sum([shares[c] for c in members])
            return denominator * mean, mean * total, means
        inverse = pow(denominator, -1, PRIME)

        def at_point(rows: Table) -> Table:
            # A product of residues has 62 bits, and residues are added.
            products = (rows % PRIME).astype(numpy.int64, copy=False) * numpy.array(point) % PRIME
            return products.sum(axis=1) % PRIME * inverse % PRIME

        total = int((at_point(self.inner) * functional.base_residues % PRIME).sum())
        values = at_point(self.forms)
        shares = (functional.residues * values[functional.indices] % PRIME).sum(axis=1).tolist()
        for members in chain.from_iterable(self.ties.values()):
            shares[members[0]] = sum([shares[c] for c in members]) * pow(len(members), -1, PRIME) % PRIME
        return 1, total, shares

    # -- who is beaten --

    @cached_property
    def gaps(self) -> Table:
        """The forms score_high - score_low of all pairs, where no selector has more than two candidates."""
        return times(self.layout.gaps, self.inner, self.layout.gaps_norm * self.inner_size)

    def gap_values(self, points: Sequence[Row]) -> Table:
        """The values of these forms at some points, one column for each."""
        size = size_of(points)
        bound = self.layout.gaps_norm * self.inner_size * size * self.inner.shape[1]
        return times(self.gaps, exact(points, size).T, bound)

    def values(self, points: Sequence[Row]) -> Table:
        """The scores of all candidates at some points, one column for each."""
        size = size_of(points)
        values = times(self.forms, exact(points, size).T, self.size * size * self.inner.shape[1])
        return values[self.layout.scores]

    def beaten(self, scores: Table, possible: Table, exactly: bool = True) -> Table:
        """For each candidate another one that beats it at some points, -1 if there is none or it is not possible.

        ``scores`` are those of all candidates at these points. Of a selector one of whose classes beats all others it
        is that one, else the first that does. If not ``exactly``, those in selectors with many classes are found only
        if one beats them that is largest at some point.
        """
        layout = self.layout
        if layout.uniform > 2 and scores.dtype != object and not self.ties:
            found = self._beaten_in_all(scores)
            found[~possible] = -1
            return found
        low, high = layout.low, layout.high
        rounded = scores if scores.dtype != object else image(scores)
        gaps = rounded[high] - rounded[low]
        up, down = gaps.min(axis=1) >= 0, gaps.max(axis=1) <= 0
        if scores.dtype == object:
            # Where two images are equal, and only there, the integers have to be compared.
            for k in numpy.flatnonzero((up | down) & (gaps == 0).any(axis=1)):
                up[k] = (scores[high[k]] >= scores[low[k]]).all()
                down[k] = (scores[high[k]] <= scores[low[k]]).all()
        if self.ties:
            compared = self._leading[low] & self._leading[high]
            up &= compared
            down &= compared
        # The last that is written stays, so the first comes last.
        found = numpy.full(len(possible), -1)
        found[low[up][::-1]] = high[up][::-1]
        found[high[down][::-1]] = low[down][::-1]
        wins = numpy.bincount(high[up], minlength=len(possible)) + numpy.bincount(low[down], minlength=len(possible))
        for c in numpy.flatnonzero(wins).tolist():
            g = layout.selector[c]
            if wins[c] == len(self.leads(g)) - 1:
                own = numpy.array(self.leads(g))
                found[own[own != c]] = c
        for g in layout.many:
            own = numpy.array(self.leads(g))
            block = own[possible[own]]
            if len(block) > 1:
                found[block] = _beaten_among_many(scores, own, block, exactly)
        found[~possible] = -1
        return found

    def _beaten_in_all(self, scores: Table) -> Table:
        """The same where all selectors have as many classes, and all of these are possible.

        In most selectors one class is largest at all points, and beats all others.
        """
        layout = self.layout
        size, points = layout.uniform, scores.shape[1]
        grouped = scores.reshape(-1, size, points)
        largest = (grouped == grouped.max(axis=1)[:, None]).all(axis=2)
        winner = largest.argmax(axis=1)
        found = numpy.repeat(layout.starts + winner, size)
        found[layout.starts + winner] = -1
        rest = (~largest.any(axis=1)).nonzero()[0]
        if len(rest):
            gaps = grouped[rest][:, layout.above] - grouped[rest][:, layout.below]
            part = numpy.full((len(rest), size), -1)
            # Of several rivals the first is written last.
            places, pairs = (gaps[:, ::-1].min(axis=2) >= 0).nonzero()
            pairs = len(layout.below) - 1 - pairs
            part[places, layout.below[pairs]] = layout.starts[rest[places]] + layout.above[pairs]
            places, pairs = (gaps[:, ::-1].max(axis=2) <= 0).nonzero()
            pairs = len(layout.below) - 1 - pairs
            part[places, layout.above[pairs]] = layout.starts[rest[places]] + layout.below[pairs]
            found.reshape(-1, size)[rest] = part
        return found

    @cached_property
    def _leading(self) -> Table:
        """Which candidates stand for a class."""
        leading = numpy.ones(len(self.layout.selector), dtype=bool)
        leading[[c for classes in self.ties.values() for members in classes for c in members[1:]]] = False
        return leading


def _beaten_among_many(scores: Table, own: Table, block: Table, exactly: bool) -> Table:
    """For each of some classes of a selector one that beats it, or -1; a few at a time.

    ``own`` are all classes of the selector. If not ``exactly``, rivals are those that are largest at some point.
    """
    rivals = own if exactly else own[numpy.unique(scores[own].argmax(axis=0))]
    values = scores[rivals]
    first = rivals[(values == scores[own].max(axis=0)).all(axis=1)]
    if len(first):
        return numpy.where(block == first[0], -1, first[0])
    found = numpy.full(len(block), -1)
    step = max(MOST_COMPARED // values.size, 1)
    for start in range(0, len(block), step):
        part = block[start : start + step]
        above = (values[:, None] >= scores[part]).all(axis=2) & (rivals[:, None] != part)
        found[start : start + step] = numpy.where(above.any(axis=0), rivals[above.argmax(axis=0)], -1)
    return found


def _table(rows: Iterable[Sequence[int]], width: int) -> tuple[Table, int]:
    """Rows as a table, and the largest sum of absolute values of a row."""
    listed = [list(row) for row in rows]
    norm = max([sum(map(abs, row)) for row in listed], default=0)
    return exact(listed, norm) if listed else numpy.zeros((0, width), dtype=numpy.int64), norm


def sketch_point(width: int) -> list[int]:
    """The point where sketches are taken, homogeneous."""
    return [1, *_scattered(width)[1:]]


@cache
def _scattered(number: int) -> list[int]:
    """Fixed numbers of 31 bits without any pattern (the multiplier is Knuth's for 64-bit congruential generators)."""
    found, state = [], 1
    for _ in range(number):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        found.append(state >> 33)
    return found

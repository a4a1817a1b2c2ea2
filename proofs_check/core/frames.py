"""A stage begun at a node: scores as forms of the input, classes, rows, and the map after it (FORMAT.md, section 3.3).

Part in the soundness theorem: *Points of a node*. Where the layers before a stage are one affine map f, the scores of
its candidates are forms of the input; equal forms are one class; the row of score_w - score_c is positive where w
wins. And the affine map of a leaf is that of its cell.
"""

from collections.abc import Sequence
from math import gcd
from operator import sub

from .limits import LIMITS
from .maps import Columns, Map, Vector, pull, pull_rows, reduced, transposed
from .rows import Row, distinct, key, primitive, values
from .stage import Stage, classes_of

__all__ = ["Frame"]


class Frame:
    """A stage begun with the map f: scores as forms of the input, classes, rows, and the composition of the next map.

    `classes[g]` takes the name of a class (its lowest candidate, ascending, as in `names[g]`) to its members; where no
    scores are equal both are the stage's own. `gaps[g]` is score_1 - score_0, if all selectors have two candidates. The
    map was `measured`.
    """

    __slots__ = ("_den", "_rows", "_start", "classes", "gaps", "names", "pulled", "stage")

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
                self.classes = [classes_of(map(key, rows)) for rows in own]
                self.names = list(map(list, self.classes))
        self._rows: dict[tuple[int, int, int], Row] = {}

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
            if len(self._rows) * len(row) > LIMITS["ROWS"].most:
                self._rows.clear()
            self._rows[key] = row
        return row

    def losers(self, g: int, w: int) -> list[Row]:
        """The rows that hold where class w of selector g wins, ascending by loser; positive multiples of them."""
        return [self.difference(g, w, c) for c in self.names[g] if c != w]

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

"""A network in selector normal form: stages of selectors with candidates (FORMAT.md, section 3.2).

Part in the soundness theorem: *Points of a node*: what the scores and the values of a stage are. Whatever layers a
network has, `lowering` makes this of it, and nothing else is known here.

A candidate has a score s and a value v, forms of what the stage reads, and contributes the vector v(x) u, u fixed, to
the stage's output y = (base(x) + sum over selectors of the winner's v(x) u) / den. A tie contributes the mean of its
members. Between two stages, and before the first, there is at most an affine map; it is part of `base` and u of the
stage before it, or of the first map. All is in integers: the scores of one selector have one positive factor in common,
values one for the whole stage.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import Protocol

from .limits import LIMITS, demand
from .maps import Form, Map, Vector
from .rows import Row

__all__ = ["Candidate", "Forward", "Model", "Stage", "Tied", "as_row", "classes_of", "longest"]

Tied = list[tuple[int, ...]]  # for each selector the candidates with the largest score

SHORT = 4  # a stage that reads no more coordinates has its forms as rows too


@dataclass(frozen=True, slots=True)
class Candidate:
    """`score` and `value` are numbers of forms of the stage."""

    score: int
    value: int
    vector: Vector


@dataclass(frozen=True)
class Stage:
    """`forms` are all scores and values of its candidates; `base` is a form for each output, over `den` like values.

    What is cached follows from these, and is the same at every node.
    """

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
        """The names of these classes."""
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
        return longest([[self.den], *forms, *vectors.values()])

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


class Forward(Protocol):
    """The network at one point, by other means than the normal form: the second opinion about it at every leaf."""

    def __call__(self, x: list[int], stage: int | None = None) -> tuple[list[int], list[Tied]]:
        """From the input x, or from what the stage reads: the output, and the tied candidates of each stage passed.

        Vectors are lists [q, p] of integers, meaning p/q, q > 0.
        """


def longest(rows: Iterable[Iterable[int]]) -> int:
    """The bits of the longest integer."""
    return max([max(map(int.bit_length, row), default=0) for row in rows], default=0)


def as_row(form: Form, m: int) -> Row:
    """The form, of m coordinates, as a row."""
    constant, indices, coefficients = form
    if len(indices) == m:
        return (constant, *coefficients)
    entries = dict(zip(indices, coefficients, strict=True))
    return (constant, *[entries.get(i, 0) for i in range(m)])


class Model:
    """The network on its domain, as stages. `owner[c]` is (stage, selector, candidate) of the candidate with number c.

    `first` is the map before the first stage. In an integer that packs a pattern, the winner of selector g of stage t
    begins at the bit `shift[t][g]`; a stage begins at a byte, and ends before the byte `stage_end[t + 1]`. `reads[t]`
    is the length of the vector that stage t reads, and `reads[S]` that of the output.
    """

    def __init__(self, domain: list[Row], first: Map, stages: list[Stage], forward: Forward) -> None:
        self.domain, self.first, self.forward = domain, first, forward
        self.dimension = len(first[1]) - 1
        self.reads = [len(first[1][0]), *[len(stage.base) for stage in stages]]
        self.stages = [
            replace(stage, dense=[as_row(form, m) for form in (*stage.forms, *stage.base)]) if m <= SHORT else stage
            for m, stage in zip(self.reads, stages, strict=False)
        ]
        self.owner = [
            (t, g, j)
            for t, stage in enumerate(stages)
            for g, selector in enumerate(stage.selectors)
            for j in range(len(selector))
        ]
        self._rest = [(0, 0, 0)]  # from each stage on: forms and outputs, integers, the bits of the longest
        for stage in reversed(stages):
            forms, size, bits = self._rest[-1]
            forms += len(stage.forms) + len(stage.base)
            self._rest.append((forms, size + stage.size, max(bits, stage.bits)))
        self._rest.reverse()
        self.shift: list[list[int]] = []
        self.stage_end: list[int] = [0]
        for stage in stages:
            sizes = [(len(selector) - 1).bit_length() for selector in stage.selectors]
            *shifts, at = accumulate(sizes, initial=8 * self.stage_end[-1])
            self.shift.append(shifts)
            self.stage_end.append((at + 7) // 8)

    def begin(self, first: int, d: int) -> int:
        """A tree of R^d that begins with the stage `first`: how many bits the entries of its maps may have.

        Unreadable if all its stages begun are too much for one path.
        """
        forms, size, bits = self._rest[first]
        pulled = forms * (d + 1)
        demand("PULLED", pulled)
        demand("PRODUCTS", size * (d + 1))
        demand("PULLED_BITS", bits * pulled)
        return min(LIMITS["ENTRY_BITS"].most, LIMITS["PULLED_BITS"].most // max(pulled, 1) - bits)

"""A directed forger: it walks the live state of the honest checker and cheats where a random mutation would not.

A forgery is a whole certificate, complete except for one lie: if the lie closes a node, the records below the node are
left out and the claim is lowered; if it adds a cell, the claim is raised; if it joins or separates leaves, the claim
about regions is one that is false. So a checker that does not see the lie accepts a false count.

Evidence is forged as a prover would find it: *as if* some rows were citable (those of a selector not settled, of a
stage to come, of another child, with the winner and the loser exchanged, of a class that is only supposed to win), a
Farkas combination is computed by Fourier-Motzkin elimination from these rows and the true ones.

The file is long because the forgeries share the state of one walk through the checker.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import gcd, lcm
from typing import Any

from proofs_check.core.rows import Row, kernel
from proofs_check.core.tree import Tree
from tests.oracles.simplex import strict_point
from tests.proofs_check.bases import Base
from tests.proofs_check.checkers import Certificate, Checker, Record, Verdict
from tests.proofs_check.mutants import untrue
from tests.proofs_check.tiny_producer import solve, spelled
from tests.proofs_check.walking import Walk, citable

__all__ = ["MOVES", "Forger", "Forgery", "wrong"]

Numbered = dict[int, Row]
Evidence = list[list[int]]  # numbers, or numbers and multipliers
Move = Callable[["Forger"], Certificate | None]


@dataclass(frozen=True)
class Forgery:
    """`move` names the lie."""

    move: str
    certificate: Certificate


def wrong(forgery: Forgery, verdict: Verdict) -> str:
    """What is wrong with the verdict; empty if nothing is. A forgery may happen to be true."""
    if verdict.kind == "CRASHED":
        return f"crash {verdict.rule}"
    return untrue(forgery.certificate, verdict) if verdict.accepted else ""


def _dot(row: Row, point: list[int]) -> int:
    return sum(a * b for a, b in zip(row, point, strict=True))


def _integers(values: list[Fraction]) -> list[int]:
    scale = lcm(*[value.denominator for value in values])
    found = [int(value * scale) for value in values]
    divisor = gcd(*found) or 1
    return [value // divisor for value in found]


class Forger:
    """Forgeries of one true certificate."""

    def __init__(self, base: Base, seed: int) -> None:
        self.base, self.rng = base, random.Random(f"forger {base.name} {seed}")
        self.walk = Walk(base.certificate)
        self.records = base.certificate.records
        self.tree_records = self.records[: self.walk.size]
        self.d = self.walk.model.dimension
        self.first = len(self.walk.model.domain)  # D
        model = self.walk.model
        self.number = {owner: self.first + c for c, owner in enumerate(model.owner)}
        self.branches = list(self.walk.children)
        self.excluded = [i for i in range(self.walk.size) if self.records[i][0] == "E"]
        self.closed = [i for i in range(self.walk.size) if self.records[i][0] == "X"]
        self.points = [self.records[i][1:] for i in self.walk.leaves]
        self.cells, self.regions, self.maps = base.truth
        self._pairs: list[tuple[int, int, bool]] | None = None

    def forgeries(self, count: int, moves: list[Move] | None = None) -> Iterator[Forgery]:
        """That many forgeries, by random moves; fewer if the moves do not apply."""
        made = 0
        misses = 0
        while made < count and misses < (100 if moves is None else 4):
            move = self.rng.choice(moves or MOVES)
            certificate = next((c for _ in range(4) if (c := move(self)) is not None), None)
            if certificate is None:
                misses += 1
                continue
            made, misses = made + 1, 0
            yield Forgery(name_of(move), certificate)

    # -- completing a lie --

    def _with_tree(self, records: list[Record]) -> Certificate:
        """A certificate of cells only, with the number of cells that its leaves show."""
        cells = sum(record[0] == "L" for record in records)
        maps: int | None = None
        claim = {"cells": max(cells, 1), "regions": None, "affine_maps": maps}
        return Certificate(self.base.certificate.network, claim, records)

    def _closing(self, i: int, evidence: Evidence) -> Certificate:
        """Close the node current at record i."""
        return self._with_tree([*self.tree_records[:i], ["X", *evidence], *self.tree_records[self.walk.end[i] :]])

    def _excluding(self, i: int, child: int, evidence: Evidence) -> Certificate:
        """Exclude a child of the M at record i, and leave out its records."""
        names, spans = self.walk.children[i], self.walk.spans(i)
        g = self.records[i][1]
        rest = [record for k, (a, b) in enumerate(spans) if k != child for record in self.tree_records[a:b]]
        branch: list[Record] = [["M", g]] if len(names) > 2 else []
        new: list[Record] = [["E", g, names[child], *evidence], *branch]
        return self._with_tree([*self.tree_records[:i], *new, *rest, *self.tree_records[self.walk.end[i] :]])

    def _lie(self, i: int, make: Callable[[Tree, int, int], Evidence | None]) -> Certificate | None:
        """X at record i, or E of a child of the M there, with the evidence that `make(tree, selector, class)` finds."""
        tree = self.walk.at(i)
        if i in self.walk.children and self.rng.random() < 0.5:
            child = self.rng.randrange(len(self.walk.children[i]))
            evidence = make(tree, self.records[i][1], self.walk.children[i][child])
            return None if evidence is None else self._excluding(i, child, evidence)
        evidence = make(tree, -1, -1)
        return None if evidence is None else self._closing(i, evidence)

    def _node(self) -> int:
        """A record whose node has leaves below it."""
        return self.rng.choice([i for i in range(self.walk.size) if self.records[i][0] != "X"])

    def _true_rows(self, tree: Tree, g: int, j: int) -> Numbered:
        """What may be cited, with class j of selector g supposed to win if g >= 0."""
        rows = citable(tree)
        if g >= 0:
            t = len(tree.levels) - 1
            frame = tree.levels[t].frame
            rows |= {self.number[t, g, c]: frame.row(g, j, c) for c in frame.classes[g] if c != j}
        return rows

    def _combination(self, rows: Numbered) -> Evidence | None:
        """Evidence from these rows, as if all of them could be cited."""
        some = sorted((k, row) for k, row in rows.items() if any(row))
        if not some or len(some) > 14:
            some = sorted(self.rng.sample(some, 14)) if some else []
        answer = solve([row for _, row in some]) if some else []
        if isinstance(answer, list):
            return None
        support = sorted((some[i][0], value) for i, value in answer.items() if value)
        numbers, values = [k for k, _ in support], _integers([value for _, value in support])
        if self.rng.random() < 0.5 and kernel([rows[k][1:] for k in numbers]):
            return [numbers]
        return [numbers, values]

    # -- rows that may not be cited --

    def _not_settled(self) -> Certificate | None:
        """Rows of a selector that is not settled, as if one of its classes had won."""

        def make(tree: Tree, g: int, j: int) -> Evidence | None:
            rows = self._true_rows(tree, g, j)
            for t, level in enumerate(tree.levels):
                for other, names in enumerate(level.possible):
                    if len(names) > 1 and (other != g or t < len(tree.levels) - 1):
                        w = self.rng.choice([names[0], names[-1], self.rng.choice(names)])
                        for c in level.frame.classes[other]:
                            if c != w:
                                rows[self.number[t, other, c]] = level.frame.row(other, w, c)
            return self._combination(rows)

        return self._lie(self._node(), make)

    def _supposed_elsewhere(self) -> Certificate | None:
        """In an E, the class is supposed to win in an earlier stage too, at the selector with the same number."""

        def make(tree: Tree, g: int, j: int) -> Evidence | None:
            if g < 0:
                return None
            rows = self._true_rows(tree, g, j)
            for t, level in enumerate(tree.levels[:-1]):
                if g < len(level.possible) and j in level.frame.classes[g]:
                    for c in level.frame.classes[g]:
                        rows.pop(self.number[t, g, c], None)
                        if c != j:
                            rows[self.number[t, g, c]] = level.frame.row(g, j, c)
            return self._combination(rows)

        return self._lie(self._node(), make)

    def _another_class(self) -> Certificate | None:
        """In an E, another class is supposed to win than the one excluded."""

        def make(tree: Tree, g: int, j: int) -> Evidence | None:
            if g < 0:
                return None
            frame = tree.levels[-1].frame
            other = self.rng.choice(list(frame.classes[g]))
            return self._combination(self._true_rows(tree, g, other))

        return self._lie(self._node(), make)

    def _exchanged(self) -> Certificate | None:
        """Rows with winner and loser exchanged."""

        def make(tree: Tree, g: int, j: int) -> Evidence | None:
            rows = self._true_rows(tree, g, j)
            for k in rows:
                if k >= self.first and self.rng.random() < 0.5:
                    rows[k] = tuple(-value for value in rows[k])
            return self._combination(rows)

        return self._lie(self._node(), make)

    def _of_the_future(self) -> Certificate | None:
        """Rows that become citable only below the node, on the way to one of its leaves, or in another child."""
        i = self._node()
        later = self.rng.choice([k for k in self.walk.leaves if k >= i] or [i])
        future = citable(self.walk.at(later))

        def make(tree: Tree, g: int, j: int) -> Evidence | None:
            return self._combination(future | self._true_rows(tree, g, j))

        return self._lie(i, make)

    def _of_another_node(self) -> Certificate | None:
        """Rows of any other node."""
        i = self._node()
        elsewhere = citable(self.walk.at(self.rng.randrange(self.walk.size)))

        def make(tree: Tree, g: int, j: int) -> Evidence | None:
            return self._combination(self._true_rows(tree, g, j) | elsewhere)

        return self._lie(i, make)

    def _transplanted(self) -> Certificate | None:
        """The evidence of another record."""
        sources = self.excluded + self.closed
        if not sources:
            return None
        source = self.records[self.rng.choice(sources)]
        evidence = [list(entry) for entry in source if isinstance(entry, list)]
        return self._lie(self._node(), lambda tree, g, j: evidence)

    def _exclusion_into_closing(self) -> Certificate | None:
        """The evidence that one class cannot win, as if it closed the node."""
        if not self.excluded:
            return None
        i = self.rng.choice(self.excluded)
        return self._closing(i, [list(entry) for entry in self.records[i][3:]])

    def _beside_a_class(self) -> Certificate | None:
        """True rows, and a candidate that does not name a losing class: a member of a class, or the winner itself."""

        def make(tree: Tree, g: int, j: int) -> Evidence | None:
            rows = self._true_rows(tree, g, j)
            names = [k for k in self.number.values() if k not in rows]
            base = self._combination(rows)
            if not names or base is None:
                return None
            numbers = sorted({*base[0], self.rng.choice(names)})
            return [numbers, [1] * len(numbers)] if len(base) == 2 else [numbers]

        return self._lie(self._node(), make)

    def _no_such_row(self) -> Certificate | None:
        def make(tree: Tree, g: int, j: int) -> Evidence | None:
            numbers = sorted(self.rng.sample(range(-3, self.first + len(self.number) + 2), self.rng.randint(1, 2)))
            return [numbers] if self.rng.random() < 0.5 else [numbers, [1] * len(numbers)]

        return self._lie(self._node(), make)

    # -- bad arithmetic on true rows --

    def _zero_row(self) -> Certificate | None:
        """The zero row, alone or beside rows with the multiplier zero, or with too few multipliers."""
        zeros = [k for k, row in enumerate(self.walk.model.domain) if not any(row)]
        if not zeros:
            return None

        def make(tree: Tree, g: int, j: int) -> Evidence | None:
            zero = self.rng.choice(zeros)
            others = [k for k in self._true_rows(tree, g, j) if k != zero]
            choice = self.rng.randrange(5)
            if choice == 0 or not others:
                return [[zero]]
            if choice == 1:
                return [[zero], [self.rng.randint(1, 5)]]
            numbers = sorted([zero, self.rng.choice(others)])
            if choice == 2:
                return [numbers]
            if choice == 3:
                return [numbers, [int(k == zero) for k in numbers]]
            return [numbers, [1]]

        return self._lie(self._node(), make)

    def _zero_multipliers(self) -> Certificate | None:
        def make(tree: Tree, g: int, j: int) -> Evidence | None:
            rows = list(self._true_rows(tree, g, j))
            numbers = sorted(self.rng.sample(rows, min(len(rows), self.rng.randint(1, 3))))
            return [numbers, [0] * len(numbers)] if numbers else None

        return self._lie(self._node(), make)

    def _few_multipliers(self) -> Certificate | None:
        """Fewer multipliers than rows, or more: the rest cut off."""

        def make(tree: Tree, g: int, j: int) -> Evidence | None:
            rows = list(self._true_rows(tree, g, j))
            numbers = sorted(self.rng.sample(rows, min(len(rows), self.rng.randint(1, 3))))
            return [numbers, [1] * self.rng.choice([len(numbers) - 1, len(numbers) + 1])] if numbers else None

        return self._lie(self._node(), make)

    def _signed(self) -> Certificate | None:
        """A combination of true rows in which some multipliers are negative or zero."""

        def make(tree: Tree, g: int, j: int) -> Evidence | None:
            rows = self._true_rows(tree, g, j)
            for numbers in self._subsets(list(rows)):
                vector = kernel([rows[k][1:] for k in numbers])
                if not vector or min(vector) > 0 or max(vector) < 0:
                    continue
                total = sum(v * rows[k][0] for v, k in zip(vector, numbers, strict=True))
                vector = [-v for v in vector] if total > 0 else vector
                return [numbers, vector] if self.rng.random() < 0.5 else [numbers]
            return None

        return self._lie(self._node(), make)

    def _subsets(self, numbers: list[int]) -> list[list[int]]:
        sizes = range(1, min(self.d + 1, len(numbers)) + 1)
        found = [list(some) for size in sizes for some in combinations(sorted(numbers)[:9], size)]
        self.rng.shuffle(found)
        return found

    def _positive_constant(self) -> Certificate | None:
        """The normals cancel, but the constant is positive."""

        def make(tree: Tree, g: int, j: int) -> Evidence | None:
            rows = self._true_rows(tree, g, j)
            for numbers in self._subsets(list(rows)):
                vector = kernel([rows[k][1:] for k in numbers])
                if not vector or not (min(vector) > 0 or max(vector) < 0):
                    continue
                return [numbers, [abs(v) for v in vector]] if self.rng.random() < 0.5 else [numbers]
            return None

        return self._lie(self._node(), make)

    def _normals_left(self) -> Certificate | None:
        """The constant is negative or zero, but the normals do not cancel."""

        def make(tree: Tree, g: int, j: int) -> Evidence | None:
            rows = self._true_rows(tree, g, j)
            for numbers in self._subsets(list(rows)):
                vector = [self.rng.randint(1, 3) for _ in numbers]
                if sum(v * rows[k][0] for v, k in zip(vector, numbers, strict=True)) <= 0:
                    return [numbers, vector]
            return None

        return self._lie(self._node(), make)

    def _no_row(self) -> Certificate | None:
        nothing: list[Evidence] = [[[]], [[], []], [[], [1]]]
        return self._lie(self._node(), lambda tree, g, j: self.rng.choice(nothing))

    # -- branches --

    def _child_left_out(self) -> Certificate | None:
        if not self.branches:
            return None
        i = self.rng.choice(self.branches)
        start, stop = self.rng.choice(self.walk.spans(i))
        return self._with_tree([*self.tree_records[:start], *self.tree_records[stop:]])

    def _child_twice(self) -> Certificate | None:
        if not self.branches:
            return None
        start, stop = self.rng.choice(self.walk.spans(self.rng.choice(self.branches)))
        return self._with_tree([*self.tree_records[:stop], *self.tree_records[start:stop], *self.tree_records[stop:]])

    def _strange_branch(self) -> Certificate | None:
        """An M of a settled selector, of another stage's, or of none; then the node's records, once or twice."""
        i = self._node()
        width = len(self.walk.at(i).levels[-1].possible) if self.walk.model.stages else 0
        g = self.rng.choice([-1, -width, width, *range(width)])
        node = self.tree_records[i : self.walk.end[i]]
        again = node * self.rng.choice([1, 1, 2])
        return self._with_tree([*self.tree_records[:i], ["M", g], *again, *self.tree_records[self.walk.end[i] :]])

    def _stopped_early(self) -> Certificate | None:
        """The file ends before the tree."""
        i = self.rng.randrange(1, self.walk.size + 1)
        return self._with_tree(self.tree_records[:i])

    def _something_after_the_end(self) -> Certificate | None:
        return self._with_tree([*self.tree_records, *self.tree_records[self.rng.randrange(self.walk.size) :]])

    def _strange_class(self) -> Certificate | None:
        """An E of a class that is not possible, that is no class, or the last one."""
        i = self._node()
        tree = self.walk.at(i)
        if not tree.levels:
            return None
        g = self.rng.randrange(len(tree.levels[-1].possible))
        size = len(self.walk.model.stages[len(tree.levels) - 1].selectors[g])
        j = self.rng.randrange(-size, size + 1)
        evidence = self._combination(
            self._true_rows(tree, g, j) if j in tree.levels[-1].frame.classes[g] else citable(tree)
        )
        records: Record = ["E", g, j, *(evidence or [[0]])]
        end = self.walk.end[i] if self.rng.random() < 0.3 else i
        return self._with_tree([*self.tree_records[:i], records, *self.tree_records[end:]])

    # -- leaves --

    def _leaf_too_early(self) -> Certificate | None:
        """A leaf in the place of a node with more than one."""
        i = self._node()
        inside = [k for k in self.walk.leaves if i <= k < self.walk.end[i]]
        record = self.records[self.rng.choice(inside or self.walk.leaves)]
        return self._with_tree([*self.tree_records[:i], record, *self.tree_records[self.walk.end[i] :]])

    def _leaf_with_an_open_selector(self) -> Certificate | None:
        """A leaf in the place of an M: all but one selector settled, the last one as the leaf before has it."""
        if not self.branches:
            return None
        i = self.rng.choice(self.branches)
        start, stop = self.rng.choice(self.walk.spans(i))
        inside = [k for k in self.walk.leaves if start <= k < stop]
        if not inside:
            return None
        return self._with_tree(
            [*self.tree_records[:i], self.records[self.rng.choice(inside)], *self.tree_records[self.walk.end[i] :]]
        )

    def _another_point(self) -> Certificate | None:
        """A leaf's point moved: on the boundary, beyond it, with a denominator that is zero or negative."""
        i = self.rng.choice(self.walk.leaves)
        point = self._strange_point(self.walk.at(i))
        return self._with_tree([*self.tree_records[:i], ["L", *point], *self.tree_records[i + 1 :]])

    def _strange_point(self, tree: Tree) -> list[int]:
        """A point that satisfies only some of the node's rows."""
        domain = [row for row in self.walk.model.domain if any(row)]
        own = tree.citable()[len(domain) :]
        kind = self.rng.randrange(5)
        if kind == 0:  # inside the winners' rows, whatever the domain
            answer = solve(own) if own else [Fraction(self.rng.randint(-3, 3)) for _ in range(self.d)]
            if isinstance(answer, list):
                return spelled(answer)
        if kind == 1:  # inside the domain, whatever the winners
            answer = solve(domain) if domain else []
            if isinstance(answer, list) and answer:
                return spelled(answer)
        if kind == 2:  # positive rows with a denominator that is not
            found = self._small(lambda p: p[0] <= 0 and all(_dot(row, p) > 0 for row in tree.citable()))
            if found:
                return found
        if kind == 3:  # no row negative, some of them zero
            found = self._small(lambda p: p[0] > 0 and min([_dot(row, p) for row in tree.citable()], default=1) == 0)
            if found:
                return found
        point = self.rng.choice(self.points)
        return self.rng.choice([point, [-v for v in point], [0, *point[1:]], point[:-1], [*point, 1]])

    def _small(self, wanted: Callable[[list[int]], bool]) -> list[int]:
        found = [list(p) for p in product(range(-3, 4), repeat=self.d + 1) if wanted(list(p))]
        return self.rng.choice(found) if found else []

    def _leaf_in_an_empty_node(self) -> Certificate | None:
        """A leaf in the place of an X, or of an E that settles its selector."""
        if not self.closed and not self.excluded:
            return None
        i = self.rng.choice(self.closed + self.excluded)
        tree = self.walk.at(i)
        if self.records[i][0] == "X":
            leaf = ["L", *self._strange_point(tree)]
            return self._with_tree([*self.tree_records[:i], leaf, *self.tree_records[i + 1 :]])
        g, j = self.records[i][1:3]
        names = list(tree.levels[-1].possible[g])
        if len(names) != 2:
            return None
        tree.branch(g)
        if j == names[1]:
            tree._next()
        leaf = ["L", *self._strange_point(tree)]
        rest = self.tree_records[i + 1 : self.walk.end[i]]
        new = [leaf, *rest] if j == names[0] else [*rest, leaf]
        return self._with_tree([*self.tree_records[:i], ["M", g], *new, *self.tree_records[self.walk.end[i] :]])

    def _duplicate_leaf(self) -> Certificate | None:
        """The same leaf twice, at once or at the end; or in the place of another record."""
        record = self.records[self.rng.choice(self.walk.leaves)]
        i = self.rng.randrange(self.walk.size + 1)
        return self._with_tree([*self.tree_records[:i], record, *self.tree_records[i + self.rng.randrange(2) :]])

    # -- regions --

    def _pairs_of_leaves(self) -> list[tuple[int, int, bool]]:
        """Pairs of leaves, most of them with the same map, and whether they have a wall."""
        if self._pairs is None:
            self._pairs = []
            regions = self.walk.regions
            for a, b in combinations(range(self.cells), 2):
                _, h = regions._hyperplane(a, b)
                same = regions._map_of[a] == regions._map_of[b]
                if not same and self.rng.random() < 0.7:
                    continue
                rows = [row for leaf in (a, b) for some in regions._rows(leaf) for row in some]
                others = [
                    tuple(map(Fraction, row)) for row in rows if any(row) and row not in (h, tuple(-v for v in h))
                ]
                plane = tuple(map(Fraction, h))
                touching = self.d > 0 and any(h[1:]) and strict_point(self.d, others, [plane]) is not None
                self._pairs.append((a, b, touching))
        return self._pairs

    def _leaf_rows(self, leaf: int, stages: int) -> Numbered:
        """The rows of a leaf in its first stages, by number."""
        regions, model = self.walk.regions, self.walk.model
        found = dict(enumerate(model.domain))
        for t in range(stages):
            frame = regions._frame(leaf, t)
            for g, w in enumerate(regions._winners(leaf, t)):
                found |= {self.number[t, g, c]: frame.row(g, w, c) for c in frame.classes[g] if c != w}
        return found

    def _about_regions(self, extra: list[Record], dropped: Callable[[Record], bool], low: bool) -> Certificate:
        """The tree, the W and N records that are kept, more of them, and a claim below or above the truth."""
        kept = [record for record in self.records[self.walk.size :] if not dropped(record)]
        if low:
            most = max(1, self.regions - 1)
            regions: Any = self.rng.choice([most, [1, most]])
        else:
            least = self.regions + 1
            regions = self.rng.choice([least, [least, max(least, self.cells)]])
        claim = {"cells": self.cells, "regions": regions, "affine_maps": self.maps}
        new = [*extra, *kept] if self.rng.random() < 0.5 else [*kept, *extra]
        return Certificate(self.base.certificate.network, claim, [*self.tree_records, *new])

    def _false_wall(self) -> Certificate | None:
        """A W of leaves without a wall (or with different maps), with a point that breaks some of the conditions."""
        pairs = [(a, b) for a, b, touching in self._pairs_of_leaves() if not self._joined(a, b) or not touching]
        same = [(a, b) for a, b in pairs if self._joined(a, b)]
        if not pairs:
            return None
        a, b = self.rng.choice(same if same and self.rng.random() < 0.8 else pairs)
        record: Record = ["W", a, b] if self.rng.random() < 0.95 else ["W", b, a]
        point = self._wall_point(a, b)
        if point:
            record.append(point)
        return self._about_regions([record], lambda r: r[0] == "N" and self.rng.random() < 0.5, low=True)

    def _joined(self, a: int, b: int) -> bool:
        return bool(self.walk.regions._map_of[a] == self.walk.regions._map_of[b])

    def _wall_point(self, a: int, b: int) -> list[int]:
        """A point of the hyperplane, of one leaf, of the plane of another pair, or none (the segment's)."""
        regions = self.walk.regions
        _, h = regions._hyperplane(a, b)
        rows = [row for leaf in (a, b) for some in regions._rows(leaf) for row in some]
        kind = self.rng.randrange(7)
        if kind == 0:
            return list(self.rng.choice([self.points[a], self.points[b], self.rng.choice(self.points)]))
        if kind == 1:  # on the hyperplane, no row negative: a common vertex
            return self._small(lambda p: p[0] > 0 and not _dot(h, p) and all(_dot(row, p) >= 0 for row in rows))
        if kind == 2:  # anywhere on the hyperplane
            return self._small(lambda p: p[0] > 0 and not _dot(h, p))
        if kind == 3:  # on the hyperplane and inside one of the two
            own = [row for some in regions._rows(self.rng.choice([a, b])) for row in some if any(row)]
            others = [row for row in own if row not in (h, tuple(-v for v in h))]
            return self._small(lambda p: p[0] > 0 and not _dot(h, p) and all(_dot(row, p) > 0 for row in others))
        if kind == 4:  # positive rows and a denominator that is not
            others = [row for row in rows if any(row) and row not in (h, tuple(-v for v in h))]
            return self._small(lambda p: p[0] <= 0 and not _dot(h, p) and all(_dot(row, p) > 0 for row in others))
        if kind == 5:  # inside all other rows, off the hyperplane
            others = [row for row in rows if any(row) and row not in (h, tuple(-v for v in h))]
            return self._small(lambda p: p[0] > 0 and all(_dot(row, p) > 0 for row in others))
        return []

    def _false_separation(self) -> Certificate | None:
        """N between leaves that have a wall, by rows proportional to h, bad arithmetic, or rows beyond the prefix."""
        touching = [(a, b) for a, b, wall in self._pairs_of_leaves() if wall and self._joined(a, b)]
        if not touching:
            return None
        records = [record for a, b in touching if (record := self._separation(a, b)) is not None]
        if not records:
            return None
        self.rng.shuffle(records)
        return self._about_regions(records, lambda r: r[0] == "W", low=False)

    def _separation(self, a: int, b: int) -> Record | None:
        """An N record for a pair that touches, so it must be false."""
        stages = self.walk.regions.stages
        _, h = self.walk.regions._hyperplane(a, b)
        sides = (self._leaf_rows(a, stages), self._leaf_rows(b, stages))
        minus = tuple(-v for v in h)
        kind = self.rng.randrange(8)
        names: tuple[Any, Any] = (a, b)
        if self.rng.random() < 0.4:
            names = ([a, self.rng.randint(1, stages)], [b, self.rng.randint(1, stages)])
        if kind == 0:  # h of a and -h of b
            ka = [k for k, row in sides[0].items() if row == h][:1]
            kb = [k for k, row in sides[1].items() if row == minus][:1]
            if not ka or not kb:
                return None
            return self.rng.choice([["N", *names, ka, kb], ["N", *names, ka, [1], kb, [1]]])
        if kind == 1:  # the zero row
            zeros = [k for k, row in sides[0].items() if not any(row)][:1]
            if not zeros:
                return None
            both = self.rng.random() < 0.5
            return (
                ["N", *names, zeros, zeros if both else []]
                if self.rng.random() < 0.5
                else ["N", *names, zeros, [1], [], []]
            )
        if kind == 2:  # nothing cited
            return self.rng.choice([["N", *names, [], []], ["N", *names, [], [], [], []]])
        candidates = [(0, k, row) for k, row in sides[0].items()] + [(1, k, row) for k, row in sides[1].items()]
        usable = [entry for entry in candidates if any(entry[2]) and entry[2] not in (h, minus)]
        if not usable:
            return None
        chosen = sorted(self.rng.sample(usable, min(len(usable), self.rng.randint(1, 2))))
        ka, kb = [k for side, k, _ in chosen if not side], [k for side, k, _ in chosen if side]
        if kind in (3, 4):  # the kernel's multipliers, whatever their sign
            vector = kernel([*[row[1:] for _, _, row in chosen], h[1:]])
            if not vector:
                return None
            if kind == 3:
                return ["N", *names, ka, kb]
            if self.rng.random() < 0.5:
                vector = [-v for v in vector]
            return ["N", *names, ka, vector[: len(ka)], kb, vector[len(ka) : -1]]
        if kind == 5:  # zero multipliers
            return ["N", *names, ka, [0] * len(ka), kb, [0] * len(kb)]
        if kind == 6:  # a constant that is negative or zero, normals that do not cancel
            return ["N", *names, ka, [self.rng.randint(1, 3) for _ in ka], kb, [self.rng.randint(1, 3) for _ in kb]]
        # as many multipliers in all, but not on each side
        total = len(ka) + len(kb)
        cut = self.rng.randint(0, total)
        return ["N", *names, ka, [1] * cut, kb, [1] * (total - cut)]

    def _separation_of_others(self) -> Certificate | None:
        """A true N, said of other leaves: of whole prefixes, of longer or shorter ones, or of another pair."""
        separations = [record for record in self.records[self.walk.size :] if record[0] == "N"]
        if not separations:
            return None
        stages = self.walk.regions.stages
        wide = self.rng.random() < 0.6
        made: list[Record] = []
        for record in self.rng.sample(separations, self.rng.randint(1, len(separations))):
            a, b = (side[0] if isinstance(side, list) else side for side in record[1:3])
            if wide:
                names: list[Any] = [[a, self.rng.randint(1, stages)], [b, self.rng.randint(1, stages)]]
                if self.rng.random() < 0.3:
                    names[self.rng.randrange(2)] = self.rng.choice([a, b])
            else:
                a, b = self.rng.sample(range(self.cells), 2)
                names = [a, b]
            made.append(["N", *names, *record[3:]])
        return self._about_regions(made, lambda r: r[0] == "W", low=False)

    def _records_left_out(self) -> Certificate | None:
        """Without W or N records, claims that need them."""
        low = self.rng.random() < 0.5
        letter = self.rng.choice("WN")
        return self._about_regions([], lambda r: r[0] == letter or self.rng.random() < 0.3, low)

    def _false_claim(self) -> Certificate | None:
        claim: dict[str, Any] = {"cells": self.cells, "regions": self.regions, "affine_maps": self.maps}
        key = self.rng.choice(list(claim))
        claim[key] = max(1, claim[key] + self.rng.choice([-1, 1, 5]))
        records = self.records
        if key == "regions" and self.rng.random() < 0.5:
            claim[key] = self.rng.choice([[self.regions + 1, self.regions + 3], [1, max(1, self.regions - 1)]])
        elif key == "affine_maps" and self.rng.random() < 0.5:
            claim["regions"], records = None, self.tree_records
        return Certificate(self.base.certificate.network, claim, records)

    def _records_twice(self) -> Certificate | None:
        """W and N records said twice, with a claim that counts them twice."""
        again = [record for record in self.records[self.walk.size :] if record[0] == "W"]
        if not again:
            return None
        return self._about_regions(self.rng.sample(again, self.rng.randint(1, len(again))), lambda r: False, low=True)

    def _flat_domain(self) -> Certificate | None:
        """A domain without interior, through the point of a network's only leaf: there is no cell."""
        if self.walk.size > 1:
            return None
        q, *p = self.points[0]
        normal = [self.rng.randint(-2, 2) for _ in p]
        row = [-sum(a * x for a, x in zip(normal, p, strict=True)), *(q * a for a in normal)]
        network = {**self.base.certificate.network, "domain": {"inequalities": [row, [-v for v in row]]}}
        return Certificate(network, {"cells": 1, "regions": None, "affine_maps": None}, self.tree_records)

    def _another_network(self) -> Certificate | None:
        """The proof of one network for another of the same shape: a number of the network changed."""
        from tests.proofs_check.mutants import _network  # the same change, without any other

        copied = Certificate.of(self.base.certificate.data())
        return copied if _network(self.rng, copied) else None


MOVES: list[Move] = [
    Forger._not_settled,
    Forger._not_settled,
    Forger._supposed_elsewhere,
    Forger._another_class,
    Forger._exchanged,
    Forger._of_the_future,
    Forger._of_another_node,
    Forger._transplanted,
    Forger._exclusion_into_closing,
    Forger._beside_a_class,
    Forger._no_such_row,
    Forger._zero_row,
    Forger._zero_multipliers,
    Forger._few_multipliers,
    Forger._signed,
    Forger._positive_constant,
    Forger._normals_left,
    Forger._no_row,
    Forger._child_left_out,
    Forger._child_twice,
    Forger._strange_branch,
    Forger._stopped_early,
    Forger._something_after_the_end,
    Forger._strange_class,
    Forger._leaf_too_early,
    Forger._leaf_with_an_open_selector,
    Forger._another_point,
    Forger._leaf_in_an_empty_node,
    Forger._duplicate_leaf,
    Forger._false_wall,
    Forger._false_wall,
    Forger._false_separation,
    Forger._false_separation,
    Forger._separation_of_others,
    Forger._separation_of_others,
    Forger._records_left_out,
    Forger._records_left_out,
    Forger._records_twice,
    Forger._flat_domain,
    Forger._false_claim,
    Forger._another_network,
]


def name_of(move: Move) -> str:
    """The name under which a move is reported."""
    return str(getattr(move, "__name__", "")).strip("_")


def forgeries_of(bases: Iterable[Base], name: str, seed: int, rounds: int) -> Iterator[Forgery]:
    """Forgeries by one move, from all bases in turn, a few at a time."""
    moves = [move for move in MOVES if name_of(move) == name]
    forgers = [Forger(base, seed) for base in bases]
    for _ in range(rounds):
        for forger in forgers:
            yield from forger.forgeries(2, moves)


def run(checker: Checker, found: Iterator[Forgery]) -> Iterator[tuple[Forgery, Verdict, str]]:
    """Each forgery with its verdict and what is wrong with it."""
    for forgery in found:
        verdict = checker(forgery.certificate.data())
        yield forgery, verdict, wrong(forgery, verdict)

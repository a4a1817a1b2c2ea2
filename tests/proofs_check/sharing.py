"""Certificates with templates, references and bounds, made slowly and independently: an own reading of FORMAT.md.

Rational forms, Fourier-Motzkin elimination, and nothing of exactgeo or of proofs_check. A *place* is where a subtree
lives: rows of an open set, and the forms that the next stage reads. Where a stage begins, its place may be delegated:
the chart is the affine hull of the image, the rows are those of the image (by elimination of what the chart does not
see), and equal images share one template. A template without anchors is referred to exactly (Q). In one with anchors,
the anchors are the points of its own leaves and of its own references: convex coordinates are unit vectors.

The file is long because it is an implementation of its own of all that templates need.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import gcd, lcm
from typing import Any

from tests.proofs_check.checkers import Certificate
from tests.proofs_check.tiny_producer import (
    Farkas,
    Form,
    Producer,
    Row,
    plus,
    positive_kernel,
    primitive,
    solve,
    spelled,
    stage,
    times,
)

__all__ = ["LIES", "NoCertificate", "Sharing", "counted", "shared"]

Point = tuple[Fraction, ...]
Numbered = list[tuple[int, Row]]


@dataclass(frozen=True)
class At:
    """A point in a record, spelled at the end: by coordinates, or by anchors."""

    point: Point


@dataclass
class Growing:
    """A tree that is being made. `first` is D; `points` are those of leaves and lifts, in order of first use."""

    first: int
    anchored: bool
    records: list[list[Any]] = field(default_factory=list)
    points: list[Point] = field(default_factory=list)
    line: list[Point] = field(default_factory=list)  # two anchors for all points, by coordinates of any sign
    cells: int = 0
    ends: set[int] = field(default_factory=set)  # -2: not uniform

    def at(self, point: Point) -> At:
        if point not in self.points:
            self.points.append(point)
        return At(point)

    def spelled(self, entry: Any) -> Any:
        if isinstance(entry, At):
            if self.line:
                (a,), (b,) = self.line
                t = (entry.point[0] - a) / (b - a)  # (1 - t) a + t b; a and b are lists over q
                weights = [(1 - t) / a.denominator, t / b.denominator]
                scale = lcm(*[weight.denominator for weight in weights])
                return [int(weight * scale) for weight in weights]
            if self.anchored:
                return [int(point == entry.point) for point in self.points]
            return spelled(list(entry.point))
        return [self.spelled(part) for part in entry] if isinstance(entry, list) else entry

    def lines(self) -> list[list[Any]]:
        found = []
        for record in self.records:
            kind, *fields = [self.spelled(entry) for entry in record]
            found.append(["L", *fields[0]] if kind == "L" else [kind, *fields])
        return found


@dataclass
class Template:
    anchors: list[Point]
    rows: list[Row]
    cells: int
    ends: set[int]


def _inverse(matrix: list[list[Fraction]]) -> list[list[Fraction]] | None:
    n = len(matrix)
    work = [[*row, *[Fraction(int(i == j)) for j in range(n)]] for i, row in enumerate(matrix)]
    for c in range(n):
        found = next((i for i in range(c, n) if work[i][c]), None)
        if found is None:
            return None
        work[c], work[found] = work[found], work[c]
        work[c] = [value / work[c][c] for value in work[c]]
        for i in range(n):
            if i != c and work[i][c]:
                work[i] = [u - work[i][c] * v for u, v in zip(work[i], work[c], strict=True)]
    return [row[n:] for row in work]


def _coordinates(form: tuple[Fraction, ...], basis: list[tuple[Fraction, ...]]) -> list[Fraction] | None:
    """Coefficients of the vector in independent vectors; None if it is not in their span."""
    if not basis:
        return None if any(form) else []
    columns = [list(column) for column in zip(*basis, form, strict=True)]
    k = len(basis)
    for choice in combinations(range(len(columns)), k):
        inverse = _inverse([columns[i][:k] for i in choice])
        if inverse is not None:
            right = [columns[i][k] for i in choice]
            found = [sum((a * b for a, b in zip(row, right, strict=True)), Fraction(0)) for row in inverse]
            total = [sum((x * v[c] for x, v in zip(found, basis, strict=True)), Fraction(0)) for c in range(len(form))]
            return found if total == list(form) else None
    return None


def _times(form: Form, matrix: list[list[Fraction]]) -> list[Fraction]:
    return [sum((s * row[m] for s, row in zip(form, matrix, strict=True)), Fraction(0)) for m in range(len(form))]


def _project(system: list[Row], keep: int) -> list[tuple[Row, Farkas]]:
    """Fourier-Motzkin: rows in the first `keep` coordinates only, with the multipliers of the rows they come from."""
    rows: list[tuple[Form, Farkas]] = [(tuple(map(Fraction, r)), {i: Fraction(1)}) for i, r in enumerate(system)]
    for c in range(len(system[0]) - 1 if system else 0, keep, -1):
        up, down = [r for r in rows if r[0][c] > 0], [r for r in rows if r[0][c] < 0]
        rows = [r for r in rows if r[0][c] == 0]
        for form, farkas in up:
            for other, farkas_other in down:
                p, q = -other[c], form[c]
                total = dict.fromkeys({*farkas, *farkas_other}, Fraction(0))
                for source, factor in ((farkas, p), (farkas_other, q)):
                    for i, value in source.items():
                        total[i] += factor * value
                rows.append((plus(times(p, form), times(q, other)), total))
    found = []
    for form, farkas in rows:
        row = primitive(form[: keep + 1])
        if any(row[1:]):
            ratio = next(Fraction(a) / b for a, b in zip(row, form, strict=False) if b)
            found.append((row, {i: value * ratio for i, value in farkas.items()}))
    return found


def _ratio(form: Form) -> Fraction:
    """The primitive row of the form over the form."""
    return next((a / b for a, b in zip(primitive(form), form, strict=True) if b), Fraction(1))


def _evidence(rows: Any, farkas: Farkas) -> list[list[int]]:
    """Numbers of rows, and multipliers."""
    merged: dict[int, Fraction] = {}
    for i, value in farkas.items():
        if value:
            merged[rows[i][0]] = merged.get(rows[i][0], Fraction(0)) + value
    numbers = sorted(merged)
    scale = lcm(*[merged[k].denominator for k in numbers])
    return [numbers, [int(merged[k] * scale) for k in numbers]]


def _chart(x: list[Form]) -> tuple[list[int], list[list[int]]]:
    """Pivots and solved coordinates of the affine hull of the image."""
    pivots: list[int] = []
    for j, form in enumerate(x):
        if _coordinates(form[1:], [x[p][1:] for p in pivots]) is None:
            pivots.append(j)
    solved = []
    for j, form in enumerate(x):
        a = None if j in pivots else _coordinates(form[1:], [x[p][1:] for p in pivots])
        if a is not None:
            b = form[0] - sum((v * x[p][0] for v, p in zip(a, pivots, strict=True)), Fraction(0))
            scale = lcm(b.denominator, *[v.denominator for v in a])
            entries = [scale, int(b * scale), *[int(v * scale) for v in a]]
            solved.append([value // gcd(*entries) for value in entries])
    return pivots, solved


class Seen:
    """A place in the coordinates (u, y), u = sigma(x) and y some of the old ones.

    `forms` are the rows of the place in these; `image` has the rows of {u}, with the multipliers they come from.
    """

    def __init__(self, x: list[Form], pivots: list[int], rows: Numbered) -> None:
        self.d, self.k = len(x[0]) - 1, len(pivots)
        self.sigma = [x[p] for p in pivots]
        self.old = self._old()  # the old coordinates in the new ones
        self.forms = [self._changed(row) for _, row in rows]
        self.image: dict[Row, Farkas] = {}
        for row, farkas in _project([*map(primitive, self.forms)], self.k):
            self.image.setdefault(row, {i: v * _ratio(self.forms[i]) for i, v in farkas.items()})
        for row in sorted(self.image):  # drop what the others imply
            others = [other for other in self.image if other != row]
            if others and isinstance(solve([*others, tuple(-v for v in row)]), dict):
                del self.image[row]

    def _old(self) -> list[Form]:
        for extra in combinations(range(self.d), self.d - self.k):
            new = self.sigma + [tuple(Fraction(c == i + 1) for c in range(self.d + 1)) for i in extra]
            back = _inverse([list(form[1:]) for form in new])
            if back is not None:  # x_i = sum(back[i][c] (w_c - new[c][0]))
                return [(-sum((v * new[c][0] for c, v in enumerate(b)), Fraction(0)), *b) for b in back]
        raise NoCertificate

    def _changed(self, row: Row) -> Form:
        one = (Fraction(row[0]), *[Fraction(0)] * self.d)
        return plus(one, *[times(a, form) for a, form in zip(row[1:], self.old, strict=True)])

    def pulled(self, g: Row) -> Form:
        """g o sigma."""
        one = (Fraction(g[0]), *[Fraction(0)] * self.d)
        return plus(one, *[times(a, s) for a, s in zip(g[1:], self.sigma, strict=True)])

    def lift(self, v: Point, inside: bool) -> Point:
        """A point of the place over v. After a lie there may be none: then one over v, or one `inside` the place."""
        forms = [(f[0] + _dot(f[1 : self.k + 1], v), *f[self.k + 1 :]) for f in self.forms]
        y = solve([*map(primitive, forms)]) if forms else [Fraction(0)] * (self.d - self.k)
        w = [*v[: self.k], *(y if isinstance(y, list) else [Fraction(0)] * (self.d - self.k))]
        if inside and isinstance(y, dict):
            inner = solve([*map(primitive, self.forms)])
            w = inner if isinstance(inner, list) else w
        return tuple(form[0] + _dot(form[1:], w) for form in self.old)


def _dot(a: Iterable[Fraction], b: Iterable[Fraction]) -> Fraction:
    return sum((u * v for u, v in zip(a, b, strict=False)), Fraction(0))


class NoCertificate(Exception):
    """A lie that cannot be completed."""


LIES = (
    "chart",  # a solved coordinate of the chart is another
    "tightened",  # a row of the template leaves out a part of the image
    "loosened",  # a row lets in more than the image, and the reference is said to be exact
    "flipped",  # a row has the wrong sign
    "dropped",  # a row is missing, and the reference is said to be exact
    "rank",  # a coordinate that depends on the pivots is a pivot
    "skipped_stage",  # the template of a later stage
    "outside",  # the set is too large, and points lie over the anchors, but outside the node
    "beside",  # the set is too large, and points are in the node, but not over the anchors
    "no_anchors",  # the set is too large, and there are no anchors to lie over
    "exact_in_anchored",  # the set is too large, and what would have to be lifted is referred to exactly
    "coordinates",  # the set is too large, and points beyond the anchors have negative coordinates
    "bounds_corner",  # a class is removed that is larger at one corner
    "bounds_sign",  # a class is removed that is larger at all corners but one
    "bounds_uncitable",  # bounds by rows of a selector that is not settled
)
_TOO_LARGE = ("loosened", "dropped", "outside", "beside", "no_anchors", "exact_in_anchored", "coordinates")


class Sharing:
    """`records`: templates, then the main tree (from record `start` on).

    `share` is how often a place is delegated, `bound` how often B is tried. With a `lie` the first occasion for it is
    used (`lied` tells whether there was one), and all the rest is made as if it were true.
    """

    def __init__(
        self, network: dict[str, Any], seed: int = 0, share: float = 1.0, bound: float = 0.3, lie: str = ""
    ) -> None:
        self.network, self.rng = network, random.Random(f"sharing {seed}")
        self.share, self.bound, self.lie, self.lied = share, bound, lie, False
        self.exactly = False  # within a lie: everything is referred to exactly
        self.layers = network["layers"]
        self.stages = [i for i, layer in enumerate(self.layers) if layer["type"] != "linear"]
        self.known: dict[Any, int] = {}
        self.templates: list[Template] = []
        self.records: list[list[Any]] = []
        d = network["input_dim"]
        domain = Producer.domain(_Domain(network))  # type: ignore[arg-type]
        rows = [(k, row) for k, row in enumerate(domain) if any(row)]
        x = [tuple(Fraction(j == i + 1) for j in range(d + 1)) for i in range(d)]
        main = Growing(len(domain), anchored=False)
        self.begin(main, 0, x, rows)
        self.start = len(self.records)
        self.records += main.lines()
        self.cells = main.cells
        self.referred = any(record[0] in "RQ" for record in main.records)
        self.uniform = self.referred and -2 not in main.ends and len(main.ends) == 1

    def claim(self) -> dict[str, Any]:
        """What the records show; at least one cell."""
        cells = max(1, self.cells)
        return {
            "cells": cells,
            "regions": cells if self.uniform else None,
            "affine_maps": cells if self.uniform else None,
        }

    def _lies(self, *kinds: str) -> bool:
        """Whether to lie here and now, in one of these ways."""
        if self.lied or self.lie not in kinds or self.rng.random() < 0.3:
            return False
        self.lied = True
        return True

    # -- places --

    def begin(self, tree: Growing, index: int, x: list[Form], rows: Numbered, own: bool = False) -> None:
        """Go through linear layers to the next stage or to the end; delegate there, or go on (always if `own`)."""
        while index < len(self.layers) and self.layers[index]["type"] == "linear":
            x = stage(self.layers[index], x)[1]([])
            index += 1
        if not own and (self.rng.random() < self.share or self.exactly) and self.delegate(tree, index, x, rows):
            return
        if index == len(self.layers):
            point = solve([row for _, row in rows]) if rows else [Fraction(0)] * (len(x[0]) - 1)
            if isinstance(point, dict):
                raise NoCertificate
            tree.records.append(["L", tree.at(tuple(point))])
            tree.cells += 1
            tree.ends.add(len(self.templates) if own else -2)
            return
        self.split(tree, index, x, rows)

    def split(self, tree: Growing, index: int, x: list[Form], rows: Numbered) -> None:
        """One stage, selector by selector; then the next layer."""
        selectors, output = stage(self.layers[index], x)
        start = tree.first + sum(self._shape(i)[1] for i in self.stages if i < index)
        classes: list[dict[int, list[int]]] = []
        numbers = []
        for selector in selectors:
            same: dict[Form, list[int]] = {}
            for j, (score, _) in enumerate(selector):
                same.setdefault(score, []).append(j)
            classes.append({members[0]: members for members in same.values()})
            numbers.append(start)
            start += len(selector)

        def row(g: int, w: int, c: int) -> tuple[int, Row]:
            return numbers[g] + c, primitive(plus(selectors[g][w][0], times(-1, selectors[g][c][0])))

        def losers(g: int, w: int) -> Numbered:
            return [row(g, w, c) for c in classes[g] if c != w]

        def grow(possible: list[list[int]], rows: Numbered) -> None:
            if self.rng.random() < self.bound:
                open_ = [g for g, names in enumerate(possible) if len(names) > 1]
                extra = [r for g in open_ for r in losers(g, self.rng.choice(possible[g]))]
                found = self._bounds(selectors, classes, possible, rows, extra)
                if found is not None:
                    cited, left = found
                    tree.records.append(["B", cited])
                    for g, (old, new) in enumerate(zip(possible, left, strict=True)):
                        if len(old) > len(new) == 1:
                            rows = rows + losers(g, new[0])
                    grow(left, rows)
                    return
            unsettled = [g for g, names in enumerate(possible) if len(names) > 1]
            if not unsettled:
                values = []
                for g, (w,) in enumerate(possible):
                    members = [selectors[g][j][1] for j in classes[g][w]]
                    values.append([times(Fraction(1, len(members)), plus(*fs)) for fs in zip(*members, strict=True)])
                self.begin(tree, index + 1, output(values), rows)
                return
            g = self.rng.choice(unsettled)
            tree.records.append(["M", g])
            for w in possible[g]:
                inner = rows + losers(g, w)
                answer = solve([r for _, r in inner])
                if isinstance(answer, dict):
                    tree.records.append(["X", *_evidence(inner, answer)])
                else:
                    grow([[w] if i == g else names for i, names in enumerate(possible)], inner)

        possible = [list(names) for names in classes]
        grow(possible, rows)

    def _shape(self, index: int) -> tuple[int, int]:
        """The length of what a layer reads, and the number of its candidates."""
        m, candidates = self.network["input_dim"], 0
        for i, layer in enumerate(self.layers[: index + 1]):
            selectors, output = stage(layer, [(Fraction(0), Fraction(1))] * m)
            if i == index:
                candidates = sum(map(len, selectors))
            else:
                m = len(output([selector[0][1] for selector in selectors]))
        return m, candidates

    # -- evidence --

    def _implied(self, form: Form, rows: list[tuple[int, Form]], farkas: Farkas) -> list[Any]:
        """Evidence for a form: numbers with multipliers, or alone where the checker can find them."""
        if not any(form[1:]):
            return []
        numbers, given = _evidence(rows, farkas)
        by_number = dict(rows)
        normals = [primitive(by_number[k])[1:] for k in numbers] + [primitive(times(-1, form))[1:]]
        alone = self.rng.random() < 0.7 and positive_kernel(normals) is not None
        return numbers if alone else [numbers, given]

    def _bounds(self, selectors: Any, classes: Any, possible: list[list[int]], rows: Numbered, extra: Numbered) -> Any:
        """Rows for a B record, and what it leaves; None if none is found in a few tries."""
        d = len(selectors[0][0][0]) - 1 if selectors else 0
        nonzero = sorted(dict(rows).items())
        for _ in range(6):
            n = self.rng.choice([d, d + 1])
            if len(nonzero) < n:
                continue
            cited = sorted(self.rng.sample(nonzero, n))
            if n == d and extra and self._lies("bounds_uncitable"):
                cited = sorted([*cited[1:], self.rng.choice(extra)])
            matrix = [list(map(Fraction, row)) for _, row in cited]
            if n == d:
                matrix.append([Fraction(1), *[Fraction(0)] * d])
            inverse = _inverse(matrix)
            if inverse is None:
                continue
            weak = self.rng.randrange(d + 1) if self._lies("bounds_corner", "bounds_sign") else -1
            left: list[list[int]] = []
            for g, names in enumerate(possible):
                signs = [(0 if self.lie == "bounds_corner" else -1) if m == weak else 1 for m in range(d + 1)]
                vectors = {
                    c: [s * v for s, v in zip(signs, _times(selectors[g][c][0], inverse), strict=True)]
                    for c in classes[g]
                }
                kept = [
                    j
                    for j in names
                    if len(names) == 1
                    or not any(
                        i != j and all(a >= b for a, b in zip(v, vectors[j], strict=True)) for i, v in vectors.items()
                    )
                ]
                left.append(kept)
            if all(left) and left != possible:
                return [k for k, _ in cited], left
            if self.lie.startswith("bounds"):
                self.lied = False
        return None

    # -- delegation --

    def delegate(self, tree: Growing, index: int, x: list[Form], rows: Numbered) -> bool:
        """Close the place by a reference; False if it has a constant map."""
        rows = sorted(rows)
        pivots, solved = _chart(x)
        if not pivots:
            return False
        seen = Seen(x, pivots, rows)
        g_rows = sorted(seen.image)
        pulled = [seen.pulled(g) for g in g_rows]
        cited: list[tuple[int, Form]] = [(k, tuple(map(Fraction, row))) for k, row in rows]
        forward = [self._implied(p, cited, seen.image[g]) for p, g in zip(pulled, g_rows, strict=True)]
        backward = self._backward(cited, pulled)
        exact = backward is not None and (not tree.anchored or self.exactly)
        anchored = not exact or (not self.exactly and self.rng.random() < 0.2)
        lied = self._lies("chart", "tightened", "flipped", "rank", "skipped_stage", *_TOO_LARGE)
        if lied and not self._bend(index, pivots, solved, g_rows, forward, backward):
            lied = self.lied = False
        lie = self.lie if lied else ""
        line: list[Point] = []
        if lie in ("outside", "beside", "exact_in_anchored", "coordinates", "no_anchors"):
            exact, anchored = False, lie != "no_anchors"
        if lie == "coordinates":
            line = self._two_points(seen)
        if lie == "skipped_stage":
            index = next(i for i in [*self.stages, len(self.layers)] if i > index)
        before, self.exactly = self.exactly, self.exactly or lie == "exact_in_anchored"
        number = self.template(index, pivots, solved, g_rows, anchored, line)
        self.exactly = before
        template = self.templates[number]
        if exact:
            tree.records.append(["Q", number, forward, backward])
            tree.ends |= template.ends
        else:
            lifts = [tree.at(seen.lift(v, inside=lie == "beside")) for v in template.anchors]
            tree.records.append(["R", number, forward, lifts])
            tree.ends.add(-2)
        tree.cells += template.cells
        return True

    def _backward(self, cited: list[tuple[int, Form]], pulled: list[Form]) -> list[Any] | None:
        """Evidence for the node's rows from those of its image; None if they do not follow."""
        found: list[Any] = []
        numbered = list(enumerate(pulled))
        for _, row in cited:
            answer = solve([*map(primitive, pulled), primitive(times(-1, row))]) if any(row[1:]) else {}
            if isinstance(answer, list):
                return None
            farkas = {i: v * _ratio(pulled[i]) for i, v in answer.items() if i < len(pulled)}
            found.append(self._implied(row, numbered, farkas))
        return found

    def _two_points(self, seen: Seen) -> list[Point]:
        """Two points of an image in one dimension."""
        inner = solve([*map(primitive, seen.forms)])
        if seen.k != 1 or not isinstance(inner, list) or not inner:
            raise NoCertificate
        return [(inner[0],), (self._near(inner[0], list(seen.image)),)]

    def _near(self, u: Fraction, rows: list[Row]) -> Fraction:
        """Another point of the open interval beside u."""
        step = Fraction(1)
        while any(g[0] + g[1] * (u + step) <= 0 for g in rows):
            step /= 2
        return u + step

    def _bend(
        self,
        index: int,
        pivots: list[int],
        solved: Any,
        rows: list[Row],
        forward: list[Any],
        backward: list[Any] | None,
    ) -> bool:
        """The lie about the chart or the set, after all evidence has been found; False if it does not apply."""
        if self.lie == "chart":
            if not solved:
                return False
            line = self.rng.choice(solved)
            line[self.rng.randrange(1, len(line))] += self.rng.choice([1, -1])
            return gcd(*line) == 1
        if self.lie == "rank":
            m = len(pivots) + len(solved)
            others = [j for j in range(m) if j not in pivots]
            if not others:
                return False
            j = self.rng.choice(others)
            at = others.index(j)
            del solved[at]
            place = sum(p < j for p in pivots)
            pivots.insert(place, j)
            rows[:] = [(*row[: place + 1], 0, *row[place + 1 :]) for row in rows]
            for line in solved:
                line.insert(place + 2, 0)
            return True
        if self.lie == "skipped_stage":
            later = [i for i in [*self.stages, len(self.layers)] if i > index]
            return bool(later) and self._shape(later[0])[0] == len(pivots) + len(solved)
        if not rows:
            return False
        i = self.rng.randrange(len(rows))
        if self.lie == "flipped":
            rows[i] = tuple(-value for value in rows[i])
        elif self.lie == "tightened" or (self.lie in _TOO_LARGE and self.lie != "dropped" and self.rng.random() < 0.6):
            sign = -1 if self.lie == "tightened" else 1
            scale = self.rng.choice([1, 2, 4])
            rows[i] = primitive(
                (
                    Fraction(rows[i][0] * scale + sign * self.rng.randint(1, 3)),
                    *[Fraction(scale * a) for a in rows[i][1:]],
                )
            )
        else:
            del rows[i], forward[i]
            if backward is not None:
                backward[:] = [_without(entry, i) for entry in backward]
        return True

    def template(
        self,
        index: int,
        pivots: list[int],
        solved: list[list[int]],
        rows: list[Row],
        anchored: bool,
        line: list[Point],
    ) -> int:
        """The number of the template with this place, made if it is new."""
        key = (index, tuple(pivots), tuple(map(tuple, solved)), tuple(rows), anchored, self.exactly, tuple(line))
        if key in self.known:
            return self.known[key]
        k = len(pivots)
        lines = iter(solved)
        x: list[Form] = []
        m = len(pivots) + len(solved)
        for j in range(m):
            if j in pivots:
                x.append(tuple(Fraction(c == pivots.index(j) + 1) for c in range(k + 1)))
            else:
                q, *entries = next(lines)
                x.append(tuple(Fraction(value, q) for value in entries))
        tree = Growing(len(rows), anchored, line=line)
        self.begin(tree, index, x, list(enumerate(rows)), own=True)
        s = sum(i < index for i in self.stages)
        if line or (anchored and self.exactly):
            tree.points = line or tree.points[:1] or [tuple([Fraction(0)] * k)]
        anchors = [spelled(list(point)) for point in tree.points] if anchored else []
        self.records.append(["T", s, pivots, solved, [list(row) for row in rows], anchors])
        self.records += tree.lines()
        self.known[key] = len(self.templates)
        end = tree.ends if index < len(self.layers) else {len(self.templates)}
        self.templates.append(Template(tree.points if anchored else [], rows, tree.cells, end))
        return self.known[key]


def _without(entry: list[Any], i: int) -> list[Any]:
    """Evidence after row i is gone."""
    numbers, given = entry if entry and isinstance(entry[0], list) else (entry, [1] * len(entry))
    left = [(k - (k > i), value) for k, value in zip(numbers, given, strict=True) if k != i]
    return [[k for k, _ in left], [value for _, value in left]] if left else []


class _Domain:
    """What `Producer.domain` reads of a producer."""

    def __init__(self, network: dict[str, Any]) -> None:
        self.network, self.d = network, network["input_dim"]


def counted(records: list[list[Any]], start: int) -> int:
    """The cells that the records seem to show, if the main tree begins with record `start`; at least one."""
    done: list[int] = []
    cells = 0
    for i, record in enumerate(records):
        kind = record[0] if record else ""
        if (kind == "T" and i) or (i == start and i):
            done.append(cells)
            cells = 0
        if kind == "L":
            cells += 1
        elif kind in ("R", "Q") and len(record) > 1 and isinstance(record[1], int) and 0 <= record[1] < len(done):
            cells += done[record[1]]
    return max(1, cells)


def shared(network: dict[str, Any], seed: int = 0, share: float = 1.0, bound: float = 0.3) -> Certificate:
    """A true certificate; regions and affine maps are claimed where templates prove them."""
    made = Sharing(network, seed, share, bound)
    return Certificate(network, made.claim(), made.records, start=made.start)

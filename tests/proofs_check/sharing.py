"""Certificates with templates, references and bounds, made slowly and independently: an own reading of FORMAT.md.

Rational forms, Fourier-Motzkin elimination, and nothing of exactgeo or of proofs_check. A *place* is where a subtree
lives: rows of an open set, and the forms that the next stage reads. Where a stage begins, its place may be delegated: the
chart is the affine hull of the image, the rows are those of the image (by elimination of what the chart does not see),
and equal images share one template. A template without anchors is referred to exactly (Q). In one with anchors, the
anchors are the points of its own leaves and of its own references: convex coordinates are unit vectors.
"""

from __future__ import annotations

import random
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

__all__ = ["Sharing", "shared"]

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
    cells: int = 0
    ends: set[int] = field(default_factory=set)  # -2: not uniform

    def at(self, point: Point) -> At:
        if point not in self.points:
            self.points.append(point)
        return At(point)

    def spelled(self, entry: Any) -> Any:
        if isinstance(entry, At):
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


class Sharing:
    """`records`: templates, then the main tree. `share` is how often a place is delegated, `bound` how often B is tried."""

    def __init__(self, network: dict[str, Any], seed: int = 0, share: float = 1.0, bound: float = 0.3) -> None:
        self.network, self.rng = network, random.Random(f"sharing {seed}")
        self.share, self.bound = share, bound
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
        self.records += main.lines()
        self.cells = main.cells
        self.referred = any(record[0] in "RQ" for record in main.records)
        self.uniform = self.referred and -2 not in main.ends and len(main.ends) == 1

    # -- places --

    def begin(self, tree: Growing, index: int, x: list[Form], rows: Numbered, own: bool = False) -> None:
        """Go through linear layers to the next stage or to the end; delegate there, or go on (always if `own`)."""
        while index < len(self.layers) and self.layers[index]["type"] == "linear":
            x = stage(self.layers[index], x)[1]([])
            index += 1
        if not own and self.rng.random() < self.share and self.delegate(tree, index, x, rows):
            return
        if index == len(self.layers):
            point = solve([row for _, row in rows]) if rows else [Fraction(0)] * (len(x[0]) - 1)
            assert isinstance(point, list)
            tree.records.append(["L", tree.at(tuple(point))])
            tree.cells += 1
            tree.ends.add(len(self.templates) if own else -2)
            return
        self.split(tree, index, x, rows)

    def split(self, tree: Growing, index: int, x: list[Form], rows: Numbered) -> None:
        """One stage, selector by selector; then the next layer."""
        selectors, output = stage(self.layers[index], x)
        start = tree.first + sum(self._candidates(i) for i in self.stages if i < index)
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
                found = self._bounds(selectors, classes, possible, rows)
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
                    tree.records.append(["X", *self._evidence(inner, answer, split=True)])
                else:
                    grow([[w] if i == g else names for i, names in enumerate(possible)], inner)

        possible = [list(names) for names in classes]
        grow(possible, rows)

    def _candidates(self, index: int) -> int:
        m = self.network["input_dim"]
        for i, layer in enumerate(self.layers):
            one: list[Form] = [(Fraction(0), Fraction(1))] * m
            selectors, output = stage(layer, one)
            if i == index:
                return sum(map(len, selectors))
            m = len(output([selector[0][1] for selector in selectors]))
        raise IndexError(index)

    # -- evidence --

    def _evidence(self, rows: Numbered, farkas: Farkas, split: bool = False) -> Any:
        """Numbers with multipliers, or alone where the checker can find them; as one entry, or as two fields."""
        merged: dict[int, Fraction] = {}
        for i, value in farkas.items():
            if value:
                merged[rows[i][0]] = merged.get(rows[i][0], Fraction(0)) + value
        numbers = sorted(merged)
        scale = lcm(*[merged[k].denominator for k in numbers])
        given = [int(merged[k] * scale) for k in numbers]
        return [numbers, given] if split or self.rng.random() < 0.5 else [numbers, given]

    def _implied(self, form: Row, rows: Numbered, farkas: Farkas) -> list[Any]:
        numbers, given = self._evidence(rows, farkas)
        if not any(form[1:]):
            return []
        by_number = dict(rows)
        normals = [by_number[k][1:] for k in numbers] + [tuple(-value for value in form[1:])]
        if self.rng.random() < 0.7 and positive_kernel(normals) is not None:
            return list(numbers)
        return [numbers, given]

    def _bounds(self, selectors: Any, classes: Any, possible: list[list[int]], rows: Numbered) -> Any:
        """Rows for a B record, and what it leaves; None if none is found in a few tries."""
        d = len(selectors[0][0][0]) - 1 if selectors else 0
        nonzero = sorted({k: row for k, row in rows}.items())
        for _ in range(6):
            n = self.rng.choice([d, d + 1])
            if len(nonzero) < n:
                continue
            cited = sorted(self.rng.sample(nonzero, n))
            matrix = [list(map(Fraction, row)) for _, row in cited]
            if n == d:
                matrix.append([Fraction(1), *[Fraction(0)] * d])
            inverse = _inverse(matrix)
            if inverse is None:
                continue
            left: list[list[int]] = []
            for g, names in enumerate(possible):
                vectors = {
                    c: [sum((s * r[m] for s, r in zip(selectors[g][c][0], inverse, strict=True)), Fraction(0)) for m in range(d + 1)]
                    for c in classes[g]
                }
                kept = [
                    j
                    for j in names
                    if len(names) == 1
                    or not any(i != j and all(a >= b for a, b in zip(v, vectors[j], strict=True)) for i, v in vectors.items())
                ]
                left.append(kept)
            if all(left) and left != possible:
                return [k for k, _ in cited], left
        return None

    # -- delegation --

    def delegate(self, tree: Growing, index: int, x: list[Form], rows: Numbered) -> bool:
        """Close the place by a reference; False if it has a constant map."""
        rows = sorted(rows)
        d = len(x[0]) - 1
        pivots: list[int] = []
        solved = []
        for j, form in enumerate(x):
            found = _coordinates(form[1:], [x[p][1:] for p in pivots])
            if found is None:
                pivots.append(j)
        if not pivots:
            return False
        for j, form in enumerate(x):
            if j not in pivots:
                a = _coordinates(form[1:], [x[p][1:] for p in pivots])
                assert a is not None
                b = form[0] - sum((v * x[p][0] for v, p in zip(a, pivots, strict=True)), Fraction(0))
                scale = lcm(b.denominator, *[v.denominator for v in a])
                line = [scale, int(b * scale), *[int(v * scale) for v in a]]
                solved.append([value // gcd(*line) for value in line])
        sigma = [x[p] for p in pivots]
        k = len(pivots)
        # new coordinates (u, y): u = sigma(x), y some of the old ones
        for extra in combinations(range(d), d - k):
            new = sigma + [tuple(Fraction(c == i + 1) for c in range(d + 1)) for i in extra]
            back = _inverse([list(form[1:]) for form in new])
            if back is not None:
                break
        assert back is not None
        # x_i = sum(back[i][c] (w_c - new[c][0]))
        old = [
            (-sum((v * new[c][0] for c, v in enumerate(line)), Fraction(0)), *line) for line in back
        ]

        def changed(row: Row) -> Form:
            one = (Fraction(row[0]), *[Fraction(0)] * d)
            return plus(one, *[times(a, form) for a, form in zip(row[1:], old, strict=True)])

        images = [changed(row) for _, row in rows]
        ratios = [next((Fraction(a) / b for a, b in zip(primitive(f), f, strict=True) if b), Fraction(1)) for f in images]
        projected = _project([primitive(f) for f in images], k)
        unique: dict[Row, Farkas] = {}
        for row, farkas in projected:
            unique.setdefault(row, {i: v * ratios[i] for i, v in farkas.items()})
        for row in sorted(unique):  # drop what the others imply
            others = [other for other in unique if other != row]
            if others and isinstance(solve([*others, tuple(-v for v in row)]), dict):
                del unique[row]
        g_rows = sorted(unique)
        pulled = [plus((Fraction(g[0]), *[Fraction(0)] * d), *[times(a, s) for a, s in zip(g[1:], sigma, strict=True)]) for g in g_rows]
        backward: list[Any] | None = []
        for _, row in rows:
            need = primitive(tuple(map(Fraction, row)))
            if not any(need[1:]):
                backward.append([])  # type: ignore[union-attr]
                continue
            system = [primitive(p) for p in pulled] + [tuple(-v for v in need)]
            answer = solve(system)
            if isinstance(answer, list):
                backward = None
                break
            numbered = [(i, primitive(p)) for i, p in enumerate(pulled)]
            scales = [next(Fraction(a) / b for a, b in zip(primitive(p), p, strict=True) if b) for p in pulled]
            farkas = {i: v * scales[i] for i, v in answer.items() if i < len(pulled)}
            backward.append(self._implied(need, [(i, tuple(p)) for i, p in enumerate(pulled)], farkas) if numbered else [])  # type: ignore[union-attr, arg-type]
        exact = backward is not None and not tree.anchored
        anchored = not exact or self.rng.random() < 0.2
        number = self.template(index, pivots, solved, g_rows, anchored)
        template = self.templates[number]
        forward = [self._implied(primitive(p), rows, unique[g]) for p, g in zip(pulled, g_rows, strict=True)]
        if exact:
            tree.records.append(["Q", number, forward, backward])
            tree.ends |= template.ends
        else:
            lifts = []
            for v in template.anchors:
                system = [(f[0] + sum((a * b for a, b in zip(f[1 : k + 1], v, strict=True)), Fraction(0)), *f[k + 1 :]) for f in images]
                y = solve([primitive(f) for f in system]) if system else [Fraction(0)] * (d - k)
                assert isinstance(y, list)
                w = [*v, *y]
                lifts.append(tree.at(tuple(form[0] + sum((a * b for a, b in zip(form[1:], w, strict=True)), Fraction(0)) for form in old)))
            tree.records.append(["R", number, forward, lifts])
            tree.ends.add(-2)
        tree.cells += template.cells
        return True

    def template(self, index: int, pivots: list[int], solved: list[list[int]], rows: list[Row], anchored: bool) -> int:
        """The number of the template with this place, made if it is new."""
        key = (index, tuple(pivots), tuple(map(tuple, solved)), tuple(rows), anchored)
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
                q, *line = next(lines)
                x.append(tuple(Fraction(value, q) for value in line))
        tree = Growing(len(rows), anchored)
        self.begin(tree, index, x, list(enumerate(rows)), own=True)
        s = sum(i < index for i in self.stages)
        anchors = [spelled(list(point)) for point in tree.points] if anchored else []
        self.records.append(["T", s, pivots, solved, [list(row) for row in rows], anchors])
        self.records += tree.lines()
        self.known[key] = len(self.templates)
        end = tree.ends if index < len(self.layers) else {len(self.templates)}
        self.templates.append(Template(tree.points, rows, tree.cells, end))
        return self.known[key]


class _Domain:
    """What `Producer.domain` reads of a producer."""

    def __init__(self, network: dict[str, Any]) -> None:
        self.network, self.d = network, network["input_dim"]


def shared(network: dict[str, Any], seed: int = 0, share: float = 1.0, bound: float = 0.3) -> Certificate:
    """A true certificate; regions and affine maps are claimed where templates prove them."""
    made = Sharing(network, seed, share, bound)
    claim: dict[str, Any] = {"cells": made.cells, "regions": None, "affine_maps": None}
    if made.uniform:
        claim = dict.fromkeys(claim, made.cells)
    return Certificate(network, claim, made.records)

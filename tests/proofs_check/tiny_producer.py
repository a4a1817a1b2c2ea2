"""A slow and simple certificate producer: rational forms, Fourier-Motzkin with multipliers, all pairs of leaves.

It shares no code with exactgeo and none with proofs_check, so that it is also an independent reading of FORMAT.md.
Meant for networks with input_dim at most 3 and some dozens of cells.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import gcd, lcm
from typing import Any

Form = tuple[Fraction, ...]  # (b, a_1, ..., a_d)
Row = tuple[int, ...]
Selector = list[tuple[Form, list[Form]]]  # candidates (score, values)
Farkas = dict[int, Fraction]


def number(value: object) -> Fraction:
    text = str(value)
    top, _, bottom = text.partition("/")
    return Fraction(top) / Fraction(bottom or 1)


def plus(*forms: Form) -> Form:
    return tuple(sum(entries, Fraction(0)) for entries in zip(*forms, strict=True))


def times(factor: Fraction | int, form: Form) -> Form:
    return tuple(factor * entry for entry in form)


def affine(layer: dict[str, Any], x: list[Form], constant: Form) -> list[Form]:
    bias = layer.get("bias", [0] * len(layer["weight"]))
    return [
        plus(times(number(b), constant), *[times(number(w), form) for w, form in zip(row, x, strict=True)])
        for b, row in zip(bias, layer["weight"], strict=True)
    ]


def stage(layer: dict[str, Any], x: list[Form]) -> tuple[list[Selector], Callable[[list[list[Form]]], list[Form]]]:
    """The selectors of a layer, and its output as a function of the selectors' values."""
    one: Form = (Fraction(1), *[Fraction(0)] * (len(x[0]) - 1))
    zero = times(0, one)
    kind = layer["type"]

    def concatenated(values: list[list[Form]]) -> list[Form]:
        return [form for value in values for form in value]

    def residual(y: list[Form]) -> list[Form]:
        return [plus(a, b) for a, b in zip(y, x, strict=True)] if layer.get("residual") else y

    if kind == "linear":
        return [], lambda _: affine(layer, x, one)
    if kind == "relu":
        return [[(zero, [zero]), (z, [z])] for z in x], concatenated
    if kind == "leaky_relu":
        slope = number(layer["slope"])
        return [[(zero, [times(slope, z)]), (z, [z])] for z in x], concatenated
    if kind == "abs":
        return [[(times(-1, z), [times(-1, z)]), (z, [z])] for z in x], concatenated
    if kind == "hard_tanh":
        low, high = times(-1, one), one
        return [[(plus(times(-1, z), low), [low]), (zero, [z]), (plus(z, low), [high])] for z in x], concatenated
    if kind == "maxout":
        return [[(z, [z]) for z in affine(unit, x, one)] for unit in layer["units"]], concatenated
    if kind == "ffn":
        selectors: list[Selector] = [[(zero, [zero]), (z, [z])] for z in affine(layer["hidden"], x, one)]
        return selectors, lambda values: residual(affine(layer["output"], concatenated(values), one))
    selectors = []
    channels = []
    for head in layer["heads"]:
        query = affine(head["query"], x, one)
        bias = head.get("score_bias", [0] * len(head["keys"]))
        scores = [
            plus(times(number(b), one), *[times(number(k), q) for k, q in zip(key, query, strict=True)])
            for key, b in zip(head["keys"], bias, strict=True)
        ]
        if kind == "attention":
            values = [[times(number(v), one) for v in row] for row in head["values"]]
            selectors.append(list(zip(scores, values, strict=True)))
        else:
            for column in zip(*head["log_values"], strict=True):
                lifted = [plus(s, times(number(v), one)) for s, v in zip(scores, column, strict=True)]
                selectors.append([(form, [form]) for form in lifted])
            selectors.append([(form, [form]) for form in scores])
            channels.append(len(head["log_values"][0]))
    if kind == "attention":
        if "output" in layer:
            return selectors, lambda values: residual(affine(layer["output"], concatenated(values), one))
        return selectors, lambda values: residual(concatenated(values))

    def quotient(values: list[list[Form]]) -> list[Form]:
        flat, y = iter(concatenated(values)), []
        for count in channels:
            numerators = [next(flat) for _ in range(count)]
            denominator = next(flat)
            y += [plus(form, times(-1, denominator)) for form in numerators]
        return y

    return selectors, quotient


def primitive(form: Form) -> Row:
    scale = lcm(*[entry.denominator for entry in form])
    row = [int(entry * scale) for entry in form]
    divisor = gcd(*row) or 1
    return tuple(entry // divisor for entry in row)


def solve(rows: list[Row]) -> list[Fraction] | Farkas:
    """A point where all rows are positive, or multipliers of rows whose sum is a constant <= 0 (Fourier-Motzkin)."""
    system: list[tuple[Form, Farkas]] = [(tuple(map(Fraction, row)), {i: Fraction(1)}) for i, row in enumerate(rows)]
    dimension = len(rows[0]) - 1 if rows else 0
    steps: list[list[tuple[Form, Farkas]]] = []
    for c in range(dimension, 0, -1):
        steps.append(system)
        up = [entry for entry in system if entry[0][c] > 0]
        down = [entry for entry in system if entry[0][c] < 0]
        system = [entry for entry in system if entry[0][c] == 0]
        for form, farkas in up:
            for other, farkas_other in down:
                p, q = -other[c], form[c]
                total = dict.fromkeys({*farkas, *farkas_other}, Fraction(0))
                for source, factor in ((farkas, p), (farkas_other, q)):
                    for i, value in source.items():
                        total[i] += factor * value
                system.append((plus(times(p, form), times(q, other)), total))
    for form, farkas in system:
        if form[0] <= 0:
            return farkas
    point: list[Fraction] = []
    for c, step in zip(range(1, dimension + 1), reversed(steps), strict=True):
        lows: list[Fraction] = []
        highs: list[Fraction] = []
        for form, _ in step:
            value = form[0] + sum(a * x for a, x in zip(form[1:c], point, strict=True))
            if form[c]:
                (lows if form[c] > 0 else highs).append(-value / form[c])
        if lows and highs:
            point.append((max(lows) + min(highs)) / 2)
        else:
            point.append(max(lows) + 1 if lows else min(highs) - 1 if highs else Fraction(0))
    return point


def spelled(point: list[Fraction]) -> list[int]:
    q = lcm(*[entry.denominator for entry in point])
    return [q, *[int(entry * q) for entry in point]]


def evidence(cited: list[tuple[int, Row]], farkas: Farkas, compact: bool) -> list[list[int]]:
    """Row numbers and multipliers; without multipliers where that is allowed and `compact` is wanted."""
    support = sorted((cited[i][0], cited[i][1], value) for i, value in farkas.items() if value)
    if compact and len({k for k, _, _ in support}) == len(support):
        for size in range(1, len(cited[0][1]) + 1):
            for rows in combinations(support, size):
                total = positive_kernel([row[1:] for _, row, _ in rows])
                if total is None:
                    continue
                constant = sum(value * row[0] for value, (_, row, _) in zip(total, rows, strict=True))
                if constant < 0 or (constant == 0 and any(any(row[1:]) for _, row, _ in rows)):
                    return [[k for k, _, _ in rows]]
    scale = lcm(*[value.denominator for _, _, value in support])
    merged: dict[int, int] = {}
    for k, _, value in support:
        merged[k] = merged.get(k, 0) + int(value * scale)
    return [list(merged), list(merged.values())]


def positive_kernel(normals: list[Row]) -> list[Fraction] | None:
    """The positive vector spanning the left kernel, if it is a line with one (plain elimination)."""
    n = len(normals)
    matrix = [[Fraction(normal[c]) for normal in normals] for c in range(len(normals[0]))]
    pivots: list[int] = []
    for column in range(n):
        r = len(pivots)
        found = next((i for i in range(r, len(matrix)) if matrix[i][column]), None)
        if found is None:
            continue
        matrix[r], matrix[found] = matrix[found], matrix[r]
        matrix[r] = [value / matrix[r][column] for value in matrix[r]]
        for i, line in enumerate(matrix):
            if i != r and line[column]:
                matrix[i] = [u - line[column] * v for u, v in zip(line, matrix[r], strict=True)]
        pivots.append(column)
    if len(pivots) != n - 1:
        return None
    (free,) = set(range(n)) - set(pivots)
    vector = [Fraction(0)] * n
    vector[free] = Fraction(1)
    for r, column in enumerate(pivots):
        vector[column] = -matrix[r][free]
    return vector if min(vector) > 0 else None


@dataclass
class Leaf:
    pattern: list[list[int]]
    rows: list[tuple[int, Row]]  # numbered, zero rows left out
    scores: list[list[dict[int, Form]]]  # stage, selector, class -> score
    point: list[Fraction]
    output: list[Form]


class Producer:
    """`records` and `leaves` of a network; `compact` omits multipliers where possible."""

    def __init__(self, network: dict[str, Any], compact: bool = False) -> None:
        self.network, self.compact = network, compact
        self.d = network["input_dim"]
        self.records: list[list[Any]] = []
        self.leaves: list[Leaf] = []
        domain = self.domain()
        self.D = len(domain)
        x = [tuple(Fraction(j == i + 1) for j in range(self.d + 1)) for i in range(self.d)]
        self.layer(0, 0, x, [(k, row) for k, row in enumerate(domain) if any(row)], [], [])

    def domain(self) -> list[Row]:
        value = self.network.get("domain")
        if value is None:
            return []
        if "inequalities" in value:
            return [primitive(tuple(map(number, row))) for row in value["inequalities"]]
        rows = []
        for i, (low, high) in enumerate(value["box"]):
            unit = [Fraction(j == i) for j in range(self.d)]
            rows += [primitive((-number(low), *unit)), primitive((number(high), *times(-1, tuple(unit))))]
        return rows

    def layer(
        self,
        index: int,
        first: int,
        x: list[Form],
        rows: list[tuple[int, Row]],
        pattern: list[list[int]],
        scores: list[list[dict[int, Form]]],
    ) -> None:
        """Begin layer `index`, whose first candidate has the number `first`."""
        if index == len(self.network["layers"]):
            answer = solve([row for _, row in rows])
            point = answer if isinstance(answer, list) else []
            if not rows:
                point = [Fraction(0)] * self.d
            self.records.append(["L", *spelled(point)])
            self.leaves.append(Leaf(pattern, rows, scores, point, x))
            return
        selectors, output = stage(self.network["layers"][index], x)
        if not selectors:
            self.layer(index + 1, first, output([]), rows, pattern, scores)
            return
        classes: list[dict[int, list[int]]] = []
        starts = []
        for selector in selectors:
            same: dict[Form, list[int]] = {}
            for j, (score, _) in enumerate(selector):
                same.setdefault(score, []).append(j)
            classes.append({members[0]: members for members in same.values()})
            starts.append(first)
            first += len(selector)
        scores = [*scores, [{j: s[j][0] for j in c} for s, c in zip(selectors, classes, strict=True)]]

        def settle(g: int, winners: list[int], rows: list[tuple[int, Row]]) -> None:
            if g == len(selectors):
                values = []
                for selector, names, w in zip(selectors, classes, winners, strict=True):
                    members = [selector[j][1] for j in names[w]]
                    values.append(
                        [times(Fraction(1, len(members)), plus(*forms)) for forms in zip(*members, strict=True)]
                    )
                self.layer(index + 1, first, output(values), rows, [*pattern, winners], scores)
                return
            possible = []
            for j in classes[g]:
                own = [
                    (self.D + starts[g] + c, primitive(plus(selectors[g][j][0], times(-1, selectors[g][c][0]))))
                    for c in classes[g]
                    if c != j
                ]
                answer = solve([row for _, row in rows + own])
                if isinstance(answer, dict):
                    self.records.append(["E", g, j, *evidence(rows + own, answer, self.compact)])
                else:
                    possible.append((j, own))
            if len(possible) > 1:
                self.records.append(["M", g])
            for j, own in possible:
                settle(g + 1, [*winners, j], rows + own)

        settle(0, [], rows)

    # -- regions --

    def pairs(self) -> Iterator[tuple[int, int]]:
        for a, b in combinations(range(len(self.leaves)), 2):
            if self.leaves[a].output == self.leaves[b].output:
                yield a, b

    def differences(self, a: int, b: int) -> tuple[int, list[Row]]:
        """The first stage in which the leaves differ, and the rows score_w - score_w' of all selectors there."""
        one, other = self.leaves[a], self.leaves[b]
        t = next(t for t, (p, q) in enumerate(zip(one.pattern, other.pattern, strict=True)) if p != q)
        winners = zip(one.scores[t], one.pattern[t], other.pattern[t], strict=True)
        return t, [primitive(plus(score[w], times(-1, score[v]))) for score, w, v in winners if w != v]

    def regions(self, walls: bool = True, separations: bool = True) -> int:
        """Append W and N records; the number of regions (if both kinds are wanted)."""
        component = list(range(len(self.leaves)))
        apart: list[tuple[int, int, list[Any]]] = []
        for a, b in self.pairs():
            _, (h, *others) = self.differences(a, b)
            if any(row not in (h, tuple(-v for v in h)) for row in others):
                continue  # free
            i = next(i for i in range(1, self.d + 1) if h[i])

            def restricted(row: Row, h: Row = h, i: int = i) -> Row:
                form = [Fraction(row[j]) - Fraction(row[i] * h[j], h[i]) for j in range(self.d + 1) if j != i]
                return tuple(primitive(tuple(form)))

            cited = [
                (leaf, k, row)
                for leaf in (a, b)
                for k, row in self.leaves[leaf].rows
                if row not in (h, tuple(-v for v in h))
            ]
            scaled = [restricted(row) for _, _, row in cited]
            answer = solve(scaled)
            if isinstance(answer, list):
                point = answer if scaled else [Fraction(0)] * (self.d - 1)
                kept = [h[j] for j in range(1, self.d + 1) if j != i]
                slot = -(h[0] + sum(a * x for a, x in zip(kept, point, strict=True)))
                point = [*point[: i - 1], Fraction(slot) / h[i], *point[i - 1 :]]
                if walls:
                    self.records.append(["W", a, b, spelled(point)])
                    component = [component[a] if c == component[b] else c for c in component]
                continue
            factor = {}
            for n, value in answer.items():
                row = cited[n][2]
                raw = [Fraction(row[j]) - Fraction(row[i] * h[j], h[i]) for j in range(self.d + 1) if j != i]
                ratio = next((s / r for s, r in zip(scaled[n], raw, strict=True) if r), Fraction(1))
                factor[n] = value * ratio
            scale = lcm(*[value.denominator for value in factor.values()])
            lists: list[list[int]] = []
            for leaf in (a, b):
                chosen = sorted((cited[n][1], int(v * scale)) for n, v in factor.items() if v and cited[n][0] == leaf)
                lists += [[k for k, _ in chosen], [v for _, v in chosen]]
            apart.append((a, b, ["N", a, b, *lists]))
        if separations:
            self.records += [record for a, b, record in apart if component[a] != component[b]]
        return len(set(component))

    def maps(self) -> int:
        return len({tuple(leaf.output) for leaf in self.leaves})


def certificate(network: object, records: list[list[Any]], claim: dict[str, Any], sha: str = "0" * 64) -> bytes:
    """The file with these records, header and last line."""
    header = {"format": "exactgeo-certificate/1", "network": network, "network_sha256": sha, "claim": claim}
    lines = [json.dumps(entry, separators=(",", ":")) + "\n" for entry in [header, *records]]
    body = "".join(lines).encode()
    return body + f'["Z",{len(records)},"{hashlib.sha256(body).hexdigest()}"]\n'.encode()


def produce(network: dict[str, Any], compact: bool = False) -> bytes:
    """A full certificate: cells, regions, affine maps."""
    producer = Producer(network, compact)
    regions = producer.regions()
    claim = {"cells": len(producer.leaves), "regions": regions, "affine_maps": producer.maps()}
    return certificate(network, producer.records, claim)

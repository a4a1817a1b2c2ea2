"""Oracle: cells, regions and affine maps of a network document by brute force, one linear program per question.

The document is a parsed ``exactgeo-network/1`` object. The semantics are those of the definitions, word for word:

* Every layer is a list of selectors and a way to combine what they pick. All scores and values are kept as forms in
  the *input* x, pulled back along the affine map of the layers before.
* A selector's candidates whose score forms are equal are one class. Class w wins on the open set where
  score_w - score_i > 0 for every candidate i outside w; what it gives is the mean of its members' values.
* A cell is a nonempty open set of inputs inside the domain with one class per selector. ``brute_cells`` tries every
  class of every selector in turn and asks ``strict_point`` whether anything is left.
* Two cells with the same affine map are joined if they share a wall: some h with h > 0 a row of the one and -h > 0 a
  row of the other, and a point with h = 0 at which every other row of both is positive. (Around such a point both
  closures contain a (d-1)-dimensional ball of {h = 0}; conversely, a relative interior point of a wall is such a
  point.) Regions are the classes of cells so joined.

>>> layers = [{"type": "linear", "weight": [["1"], ["1"]], "bias": [0, -1]}, {"type": "relu"}]
>>> brute_counts({"input_dim": 1, "layers": layers})
(3, 3, 3)
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tests.oracles.simplex import Form, strict_point

__all__ = ["BruteCell", "brute_cells", "brute_counts", "brute_regions", "domain_rows"]

Document = dict[str, Any]
Rows = tuple[Form, ...]
Classes = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Candidate:
    score: Form
    value: Rows


@dataclass(frozen=True)
class Layer:
    """What one layer does on one cell: pick a value from each selector, then ``combine`` them."""

    selectors: list[list[Candidate]]
    combine: Callable[[list[Rows]], Rows]


@dataclass(frozen=True)
class BruteCell:
    """A nonempty cell: its pattern (the members of the winning class of each selector), strict rows, map, a point."""

    pattern: Classes
    rows: Rows
    affine_map: Rows
    witness: tuple[Fraction, ...]


def brute_counts(document: Document) -> tuple[int, int, int]:
    """(cells, regions, affine_maps)."""
    cells = brute_cells(document)
    return len(cells), len(brute_regions(document["input_dim"], cells)), len({cell.affine_map for cell in cells})


def brute_cells(document: Document) -> list[BruteCell]:
    """Every cell, in the lexicographic order of the patterns."""
    dimension = document["input_dim"]
    identity = tuple(_unit(dimension, i) for i in range(1, dimension + 1))
    states: list[tuple[Classes, Rows, Rows]] = [((), domain_rows(document), identity)]
    for description in document["layers"]:
        states = [
            (pattern + winners, rows, affine_map)
            for pattern, parent, inner in states
            for winners, rows, affine_map in _refined(dimension, parent, _layer(description, inner))
        ]
    cells = []
    for pattern, rows, affine_map in states:
        witness = strict_point(dimension, rows)
        if witness is not None:  # None only for an empty domain and no selector at all
            cells.append(BruteCell(pattern, rows, affine_map, witness))
    return cells


def brute_regions(dimension: int, cells: Sequence[BruteCell]) -> list[list[int]]:
    """The maximal linear regions, each as the indices of its cells."""
    leader = list(range(len(cells)))

    def find(index: int) -> int:
        while leader[index] != index:
            index = leader[index]
        return index

    for i, first in enumerate(cells):
        for j in range(i + 1, len(cells)):
            second = cells[j]
            if first.affine_map == second.affine_map and _share_a_wall(dimension, first.rows, second.rows):
                leader[find(j)] = find(i)
    regions: dict[int, list[int]] = {}
    for i in range(len(cells)):
        regions.setdefault(find(i), []).append(i)
    return list(regions.values())


def domain_rows(document: Document) -> Rows:
    """The strict rows of the interior of the document's domain; none for all of R^d."""
    dimension, domain = document["input_dim"], document.get("domain")
    if domain is None:
        return ()
    if "box" in domain:
        rows = []
        for i, (low, high) in enumerate(domain["box"], start=1):
            axis = _unit(dimension, i)
            rows += [
                _add(axis, _constant(dimension, -_number(low))),
                _add(_constant(dimension, _number(high)), axis, -1),
            ]
        return tuple(rows)
    rows = [tuple(_number(entry) for entry in row) for row in domain["inequalities"]]
    return tuple(row for row in rows if any(row[1:]) or row[0] < 0)  # 0 >= 0 and 1 >= 0 bound nothing


# Cells of one layer inside one parent


def _refined(dimension: int, parent: Rows, layer: Layer) -> list[tuple[Classes, Rows, Rows]]:
    found: list[tuple[Classes, Rows, list[Rows]]] = [((), parent, [])]
    for selector in layer.selectors:
        narrower = []
        for winners, rows, values in found:
            for members in _classes(selector):
                winner = selector[members[0]].score
                cuts = [_add(winner, other.score, -1) for other in selector if other.score != winner]
                inside = _distinct([*rows, *cuts])
                if strict_point(dimension, inside) is not None:
                    value = _mean([selector[j].value for j in members])
                    narrower.append(((*winners, members), inside, [*values, value]))
        found = narrower
    return [(winners, rows, layer.combine(values)) for winners, rows, values in found]


def _classes(selector: list[Candidate]) -> Classes:
    """The candidates grouped by equal scores, in the order of their first members."""
    groups: dict[Form, list[int]] = {}
    for j, candidate in enumerate(selector):
        groups.setdefault(candidate.score, []).append(j)
    return tuple(tuple(members) for members in groups.values())


def _mean(values: list[Rows]) -> Rows:
    return tuple(
        tuple(sum(entries, Fraction(0)) / len(values) for entries in zip(*rows, strict=True))
        for rows in zip(*values, strict=True)
    )


def _share_a_wall(dimension: int, first: Rows, second: Rows) -> bool:
    directions = {_direction(row) for row in second}
    for h in {_direction(row) for row in first if any(row[1:])}:
        opposite = tuple(-entry for entry in h)
        if opposite in directions:
            others = [row for row in (*first, *second) if _direction(row) not in (h, opposite)]
            if strict_point(dimension, others, [h]) is not None:
                return True
    return False


def _direction(row: Form) -> Form:
    """The positive multiple of a row whose first nonzero entry is 1 or -1."""
    scale = next((abs(entry) for entry in row if entry), Fraction(1))
    return tuple(entry / scale for entry in row)


def _distinct(rows: Iterable[Form]) -> Rows:
    return tuple(dict.fromkeys(_direction(row) for row in rows))


# Layers: selectors in input coordinates. ``y`` is the layer's input as rows in x.


def _layer(description: Document, y: Rows) -> Layer:
    return LAYERS[description["type"]](description, y)


def _linear(description: Document, y: Rows) -> Layer:
    result = _apply(description, y)
    return Layer([], lambda values: result)


def _relu(description: Document, y: Rows) -> Layer:
    return Layer([_positive_part(z) for z in y], _concatenated)


def _leaky_relu(description: Document, y: Rows) -> Layer:
    # slope * z where z < 0, z where z > 0, whatever the slope is.
    slope = _number(description["slope"])
    return Layer([[Candidate(_times(z, 0), (_times(z, slope),)), Candidate(z, (z,))] for z in y], _concatenated)


def _abs(description: Document, y: Rows) -> Layer:
    return Layer([[Candidate(_times(z, -1), (_times(z, -1),)), Candidate(z, (z,))] for z in y], _concatenated)


def _hard_tanh(description: Document, y: Rows) -> Layer:
    # -1 where -z - 1 > 0, 1 where z - 1 > 0, z where 0 is the largest of the three.
    selectors = []
    for z in y:
        one = _constant(len(z) - 1, Fraction(1))
        selectors.append(
            [
                Candidate(_add(_times(z, -1), one, -1), (_times(one, -1),)),
                Candidate(_times(z, 0), (z,)),
                Candidate(_add(z, one, -1), (one,)),
            ]
        )
    return Layer(selectors, _concatenated)


def _maxout(description: Document, y: Rows) -> Layer:
    return Layer([[Candidate(z, (z,)) for z in _apply(unit, y)] for unit in description["units"]], _concatenated)


def _ffn(description: Document, y: Rows) -> Layer:
    def combine(values: list[Rows]) -> Rows:
        return _residual(description, y, _apply(description["output"], _concatenated(values)))

    return Layer([_positive_part(z) for z in _apply(description["hidden"], y)], combine)


def _attention(description: Document, y: Rows) -> Layer:
    dimension = len(y[0]) - 1
    selectors = []
    for head in description["heads"]:
        values = [tuple(_constant(dimension, _number(v)) for v in token) for token in head["values"]]
        selectors.append([Candidate(s, v) for s, v in zip(_scores(head, y), values, strict=True)])

    def combine(picked: list[Rows]) -> Rows:
        joined = _concatenated(picked)
        return _residual(description, y, _apply(description["output"], joined) if "output" in description else joined)

    return Layer(selectors, combine)


def _tropical_attention(description: Document, y: Rows) -> Layer:
    # Channel c of a head: max_j (score_j + log_values[j][c]) - max_j score_j; all channels share the second maximum.
    selectors = []
    for head in description["heads"]:
        scores = _scores(head, y)
        selectors.append([Candidate(s, (_times(s, -1),)) for s in scores])
        for channel in zip(*head["log_values"], strict=True):
            lifted = [_add(s, _constant(len(s) - 1, _number(v))) for s, v in zip(scores, channel, strict=True)]
            selectors.append([Candidate(s, (s,)) for s in lifted])

    def combine(picked: list[Rows]) -> Rows:
        remaining, joined = iter(picked), []
        for head in description["heads"]:
            (denominator,) = next(remaining)
            joined += [_add(next(remaining)[0], denominator) for _ in head["log_values"][0]]
        return tuple(joined)

    return Layer(selectors, combine)


LAYERS: dict[str, Callable[[Document, Rows], Layer]] = {
    "abs": _abs,
    "attention": _attention,
    "ffn": _ffn,
    "hard_tanh": _hard_tanh,
    "leaky_relu": _leaky_relu,
    "linear": _linear,
    "maxout": _maxout,
    "relu": _relu,
    "tropical_attention": _tropical_attention,
}


def _positive_part(z: Form) -> list[Candidate]:
    zero = _times(z, 0)
    return [Candidate(zero, (zero,)), Candidate(z, (z,))]


def _scores(head: Document, y: Rows) -> list[Form]:
    """<query(y), key_j> + score_bias_j."""
    scores = list(_apply({"weight": head["keys"]}, _apply(head["query"], y)))
    if "score_bias" in head:
        scores = [_add(s, _constant(len(s) - 1, _number(c))) for s, c in zip(scores, head["score_bias"], strict=True)]
    return scores


def _residual(description: Document, y: Rows, result: Rows) -> Rows:
    if not description.get("residual", False):
        return result
    return tuple(_add(before, after) for before, after in zip(y, result, strict=True))


def _concatenated(values: list[Rows]) -> Rows:
    return tuple(row for rows in values for row in rows)


def _apply(affine: Document, y: Rows) -> Rows:
    """W y + b."""
    bias = affine.get("bias", [0] * len(affine["weight"]))
    result = []
    for weights, constant in zip(affine["weight"], bias, strict=True):
        total = _constant(len(y[0]) - 1, _number(constant))
        for weight, row in zip(weights, y, strict=True):
            total = _add(total, row, _number(weight))
        result.append(total)
    return tuple(result)


# Forms


def _number(value: str | int) -> Fraction:
    if isinstance(value, (bool, float)):
        raise TypeError(f"{value!r} is not an exact number")
    return Fraction(value)


def _unit(dimension: int, i: int) -> Form:
    return tuple(Fraction(k == i) for k in range(dimension + 1))


def _constant(dimension: int, value: Fraction) -> Form:
    return (value, *[Fraction(0)] * dimension)


def _times(form: Form, factor: Fraction | int) -> Form:
    return tuple(factor * entry for entry in form)


def _add(form: Form, other: Form, factor: Fraction | int = 1) -> Form:
    return tuple(x + factor * y for x, y in zip(form, other, strict=True))

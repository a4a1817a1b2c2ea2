"""Heads, which two kinds of layers have: query, keys, score_bias and a matrix of values (FORMAT.md, section 3.2)."""

from dataclasses import dataclass
from operator import mul

from ..core.limits import Meter
from ..core.stage import longest
from . import evaluate, forms, numbers
from .layer import Vector
from .objects import fields, nonempty

__all__ = ["Head", "Scores", "read", "scores"]


@dataclass(frozen=True)
class Head:
    query: numbers.Affine
    keys: numbers.Matrix
    score_bias: list[numbers.Rational]
    values: numbers.Matrix

    @property
    def width(self) -> int:
        return len(self.values[0])


def read(entry: dict[str, object], inputs: int, where: str, values: str, meter: Meter) -> list[Head]:
    """The heads of a layer; `values` is the key of their matrix of values."""
    heads = [
        _read(head, inputs, f"{where}.heads[{i}]", values)
        for i, head in enumerate(nonempty(entry["heads"], f"{where}.heads"))
    ]
    for head in heads:
        numbers.weigh([*head.query.weight, head.query.bias], meter)
        numbers.weigh([*head.keys, head.score_bias], meter)
    numbers.weigh([row for head in heads for row in head.values], meter)
    return heads


def _read(value: object, inputs: int, where: str, values: str) -> Head:
    entry = fields(value, where, ("query", "keys", values), ("score_bias",))
    query = numbers.affine(entry["query"], inputs, f"{where}.query")
    keys = numbers.matrix(entry["keys"], f"{where}.keys", None, len(query.weight))
    bias = numbers.bias(entry, "score_bias", len(keys), where)
    return Head(query, keys, bias, numbers.matrix(entry[values], f"{where}.{values}", len(keys)))


def scores(head: Head, meter: Meter) -> tuple[int, list[list[int]]]:
    """<query(x), keys_j> + score_bias_j as integer rows over one denominator."""
    p, query = numbers.integers(numbers.stack(head.query))
    q, keys = numbers.integers(head.keys)
    r, bias = numbers.integers([head.score_bias])
    forms.make(meter, len(keys) * len(query[0]), len(query), longest(query) + longest(keys) + r.bit_length())
    columns = list(zip(*query, strict=True))
    rows = [[r * sum(map(mul, key, column)) for column in columns] for key in keys]
    for row, constant in zip(rows, bias[0], strict=True):
        row[0] += p * q * constant
    return p * q * r, rows


class Scores:
    """For the forward pass: the scores of all heads, one after the other, and their values over one denominator.

    The scores of head h stand at `places[h]`, with a denominator before them, which is that of the head. Keys and query
    are composed where that makes them smaller.
    """

    def __init__(self, heads: list[Head]) -> None:
        self.denominator, self.values = numbers.integers([row for head in heads for row in head.values])
        self.places: list[tuple[int, int]] = []
        self.maps: list[tuple[evaluate.Rows, evaluate.Rows]] = []
        self.composed: evaluate.Rows | None = None
        m = len(heads[0].query.weight[0])
        start = factors = 0
        for head in heads:
            n, k = len(head.keys), len(head.keys[0])
            self.places.append((start + 1, start + 1 + n))
            start += 1 + n
            factors += (k + 1) * (n + m + 2)
        keys = (numbers.Affine(head.keys, head.score_bias) for head in heads)
        maps = ((evaluate.affine(head.query), evaluate.affine(own)) for head, own in zip(heads, keys, strict=True))
        if start * (m + 1) <= factors:
            self.composed = evaluate.Rows([row for inner, outer in maps for row in evaluate.composed(outer, inner)])
        else:
            self.maps = list(maps)

    def __call__(self, x: Vector) -> Vector:
        if self.composed:
            return self.composed(x)
        return [score for query, keys in self.maps for score in keys(query(x))]

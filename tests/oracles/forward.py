"""Oracle: the value of a network document at a rational point, and how clearly each selector decides there.

The forward pass of the file format, number by number: no forms, no cells. A tie at the point is decided by the mean of
the tied values, which is what a tie on a whole cell means; ``ties`` counts the selectors tied at the point, so that a
test can tell points on walls apart.

>>> layers = [{"type": "linear", "weight": [["1/2"], ["-1"]]}, {"type": "relu"}]
>>> forward({"input_dim": 1, "layers": layers}, [Fraction(3)])
((Fraction(3, 2), Fraction(0, 1)), 0)
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

__all__ = ["forward"]

Vector = list[Fraction]
Choice = tuple[Fraction, Vector]
"""(score, value)."""


def forward(document: dict[str, Any], point: Sequence[Fraction]) -> tuple[tuple[Fraction, ...], int]:
    """The output at ``point`` and the number of selectors with a tie for the largest score."""
    y, ties = list(point), 0
    for layer in document["layers"]:
        y, tied = _layer(layer, y)
        ties += tied
    return tuple(y), ties


def _layer(layer: dict[str, Any], y: Vector) -> tuple[Vector, int]:
    kind = layer["type"]
    if kind == "linear":
        return _affine(layer, y), 0
    if kind in ACTIVATIONS:
        return _pick_all([ACTIVATIONS[kind](layer, z) for z in y])
    if kind == "maxout":
        return _pick_all([[(z, [z]) for z in _affine(unit, y)] for unit in layer["units"]])
    if kind == "ffn":
        hidden, ties = _pick_all([_relu(layer, z) for z in _affine(layer["hidden"], y)])
        result = _affine(layer["output"], hidden)
    elif kind == "attention":
        values = [[[Fraction(v) for v in token] for token in head["values"]] for head in layer["heads"]]
        choices = [list(zip(_scores(h, y), v, strict=True)) for h, v in zip(layer["heads"], values, strict=True)]
        result, ties = _pick_all(choices)
        result = _affine(layer["output"], result) if "output" in layer else result
    elif kind == "tropical_attention":
        result, ties = [], 0
        for head in layer["heads"]:
            scores = _scores(head, y)
            ties += scores.count(max(scores)) > 1
            for channel in zip(*head["log_values"], strict=True):
                lifted = [s + Fraction(v) for s, v in zip(scores, channel, strict=True)]
                ties += lifted.count(max(lifted)) > 1
                result.append(max(lifted) - max(scores))
    else:
        raise ValueError(f"no such layer: {kind}")
    if layer.get("residual", False):
        result = [before + after for before, after in zip(y, result, strict=True)]
    return result, ties


def _relu(layer: dict[str, Any], z: Fraction) -> list[Choice]:
    return [(Fraction(0), [Fraction(0)]), (z, [z])]


def _leaky_relu(layer: dict[str, Any], z: Fraction) -> list[Choice]:
    return [(Fraction(0), [Fraction(layer["slope"]) * z]), (z, [z])]


def _abs(layer: dict[str, Any], z: Fraction) -> list[Choice]:
    return [(-z, [-z]), (z, [z])]


def _hard_tanh(layer: dict[str, Any], z: Fraction) -> list[Choice]:
    return [(-z - 1, [Fraction(-1)]), (Fraction(0), [z]), (z - 1, [Fraction(1)])]


ACTIVATIONS: dict[str, Callable[[dict[str, Any], Fraction], list[Choice]]] = {
    "abs": _abs,
    "hard_tanh": _hard_tanh,
    "leaky_relu": _leaky_relu,
    "relu": _relu,
}


def _pick_all(selectors: list[list[Choice]]) -> tuple[Vector, int]:
    result, ties = [], 0
    for choices in selectors:
        best = max(score for score, _ in choices)
        values = [value for score, value in choices if score == best]
        ties += len(values) > 1
        result += [sum(entries, Fraction(0)) / len(values) for entries in zip(*values, strict=True)]
    return result, ties


def _scores(head: dict[str, Any], y: Vector) -> Vector:
    query = _affine(head["query"], y)
    bias = head.get("score_bias", [0] * len(head["keys"]))
    return _affine({"weight": head["keys"], "bias": bias}, query)


def _affine(affine: dict[str, Any], y: Vector) -> Vector:
    bias = affine.get("bias", [0] * len(affine["weight"]))
    return [
        Fraction(b) + sum((Fraction(w) * x for w, x in zip(weights, y, strict=True)), Fraction(0))
        for weights, b in zip(affine["weight"], bias, strict=True)
    ]

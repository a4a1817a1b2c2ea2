"""Oracle: the value of a network document at a rational point, and how many selectors tie there.

The forward pass of the file format, number by number, each layer from its own definition: no stages, no forms, no
cells. A tie at the point is decided by the mean of the tied values, which is what a tie on a whole cell means; ``ties``
counts the selectors tied at the point, so that a test can tell points on walls apart.

>>> layers = [{"type": "linear", "weight": [["1/2"], ["-1"]]}, {"type": "relu"}]
>>> forward({"input_dim": 1, "layers": layers}, [Fraction(3)])
((Fraction(3, 2), Fraction(0, 1)), 0)
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

__all__ = ["LAYERS", "forward"]

Layer = dict[str, Any]
Vector = list[Fraction]


def forward(document: dict[str, Any], point: Sequence[Fraction]) -> tuple[tuple[Fraction, ...], int]:
    """The output at ``point`` and the number of selectors with a tie for the largest score."""
    x, ties = list(point), 0
    for layer in document["layers"]:
        x, tied = LAYERS[layer["type"]](layer, x)
        ties += tied
    return tuple(x), ties


def _linear(layer: Layer, x: Vector) -> tuple[Vector, int]:
    return _affine(layer, x), 0


def _relu(layer: Layer, x: Vector) -> tuple[Vector, int]:
    return [max(z, Fraction(0)) for z in x], x.count(Fraction(0))


def _leaky_relu(layer: Layer, x: Vector) -> tuple[Vector, int]:
    return [z if z > 0 else Fraction(layer["slope"]) * z for z in x], x.count(Fraction(0))


def _abs(layer: Layer, x: Vector) -> tuple[Vector, int]:
    return [abs(z) for z in x], x.count(Fraction(0))


def _hard_tanh(layer: Layer, x: Vector) -> tuple[Vector, int]:
    return [min(max(z, Fraction(-1)), Fraction(1)) for z in x], sum(abs(z) == 1 for z in x)


def _maxout(layer: Layer, x: Vector) -> tuple[Vector, int]:
    units = [_affine(unit, x) for unit in layer["units"]]
    return [max(unit) for unit in units], sum(_tied(unit) for unit in units)


def _ffn(layer: Layer, x: Vector) -> tuple[Vector, int]:
    hidden, ties = _relu(layer, _affine(layer["hidden"], x))
    return _plus_residual(layer, _affine(layer["output"], hidden), x), ties


def _attention(layer: Layer, x: Vector) -> tuple[Vector, int]:
    joined: Vector = []
    ties = 0
    for head in layer["heads"]:
        scores = _scores(head, x)
        ties += _tied(scores)
        best = [j for j, score in enumerate(scores) if score == max(scores)]
        for channel in zip(*head["values"], strict=True):
            joined.append(sum((Fraction(channel[j]) for j in best), Fraction(0)) / len(best))
    return _plus_residual(layer, _affine(layer["output"], joined) if "output" in layer else joined, x), ties


def _tropical_attention(layer: Layer, x: Vector) -> tuple[Vector, int]:
    result: Vector = []
    ties = 0
    for head in layer["heads"]:
        scores = _scores(head, x)
        ties += _tied(scores)
        for channel in zip(*head["log_values"], strict=True):
            lifted = [score + Fraction(value) for score, value in zip(scores, channel, strict=True)]
            ties += _tied(lifted)
            result.append(max(lifted) - max(scores))
    return result, ties


LAYERS: dict[str, Callable[[Layer, Vector], tuple[Vector, int]]] = {
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


def _tied(scores: Vector) -> bool:
    return scores.count(max(scores)) > 1


def _scores(head: dict[str, Any], x: Vector) -> Vector:
    bias = head.get("score_bias", [0] * len(head["keys"]))
    return _affine({"weight": head["keys"], "bias": bias}, _affine(head["query"], x))


def _affine(affine: dict[str, Any], x: Vector) -> Vector:
    bias = affine.get("bias", [0] * len(affine["weight"]))
    return [
        Fraction(b) + sum((Fraction(w) * z for w, z in zip(weights, x, strict=True)), Fraction(0))
        for weights, b in zip(affine["weight"], bias, strict=True)
    ]


def _plus_residual(layer: Layer, y: Vector, x: Vector) -> Vector:
    return [a + b for a, b in zip(y, x, strict=True)] if layer.get("residual", False) else y

"""What a peer can read of a network file, in plain numbers: layers of ReLU units, or the keys of bias-free heads.

Peers run in processes of their own, some under another interpreter, so a problem goes to them as JSON and is read
without exactgeo. Two kinds of networks are common ground:

- *units*: affine layers, each followed by ReLU, on a cube [-r, r]^d or on all of R^d. A last affine layer without ReLU
  cuts nothing and is left out. One layer on R^d is an arrangement of hyperplanes.
- *heads*: hard attention heads with scores <x, k>, no biases, on R^d. Their cells are the cones on which <x, .> has its
  maximum over the Minkowski sum of the heads' key polytopes at one vertex: as many as the sum has vertices.

Everything else is for exactgeo and the textbook search alone.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

__all__ = ["Heads", "Problem", "Units", "read_problem"]

Matrix = list[list[Fraction]]


@dataclass(frozen=True, slots=True)
class Units:
    """Layers (weight, bias), ReLU after each; ``radius`` None is all of R^d."""

    dimension: int
    layers: list[tuple[Matrix, list[Fraction]]]
    radius: Fraction | None

    @property
    def is_arrangement(self) -> bool:
        return len(self.layers) == 1 and self.radius is None

    def plain(self) -> dict[str, Any]:
        """For JSON, in floats; the weights of the workloads are dyadic or integers, so floats are exact."""
        layers = [
            [[[float(x) for x in row] for row in weight], [float(x) for x in bias]] for weight, bias in self.layers
        ]
        radius = None if self.radius is None else float(self.radius)
        return {"kind": "units", "dimension": self.dimension, "layers": layers, "radius": radius}


@dataclass(frozen=True, slots=True)
class Heads:
    """The integer keys of each head, on R^d."""

    dimension: int
    keys: list[list[list[int]]]

    def plain(self) -> dict[str, Any]:
        return {"kind": "heads", "dimension": self.dimension, "keys": self.keys}


Problem = Units | Heads


def read_problem(path: Path) -> Problem | None:
    """The problem in a network file, None if it is of neither kind."""
    document = json.loads(path.read_text(encoding="utf-8"), parse_float=Fraction)
    layers, dimension = document["layers"], document["input_dim"]
    if all(layer["type"] in ("linear", "relu") for layer in layers):
        return _units(layers, dimension, document.get("domain"))
    if len(layers) == 1 and layers[0]["type"] == "attention" and document.get("domain") is None:
        return _heads(layers[0]["heads"], dimension)
    return None


def _units(layers: Sequence[Mapping[str, Any]], dimension: int, domain: Mapping[str, Any] | None) -> Units | None:
    radius = None
    if domain is not None:
        sides = {(Fraction(low), Fraction(high)) for low, high in domain.get("box", [])}
        if len(sides) != 1:
            return None
        low, radius = sides.pop()
        if low != -radius:
            return None
    found = []
    for affine, activation in zip(layers[::2], [*layers[1::2], None], strict=False):
        if affine["type"] != "linear" or (activation is not None and activation["type"] != "relu"):
            return None
        if activation is not None:
            weight = [[Fraction(x) for x in row] for row in affine["weight"]]
            bias = [Fraction(x) for x in affine.get("bias", [0] * len(weight))]
            found.append((weight, bias))
    return Units(dimension, found, radius)


def _heads(heads: Sequence[Mapping[str, Any]], dimension: int) -> Heads | None:
    identity = [[int(i == j) for j in range(dimension)] for i in range(dimension)]
    plain = all(
        head["query"] == {"weight": identity} and not any(head.get("score_bias", [])) for head in heads
    ) and all(isinstance(x, int) for head in heads for key in head["keys"] for x in key)
    return Heads(dimension, [head["keys"] for head in heads]) if plain else None

"""A slow, plain forward pass from the document alone, and random documents for it.

Nothing here knows of stages, forms or selectors: each layer is computed from its own definition in fractions.
"""

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

Vector = list[Fraction]
Document = dict[str, Any]


def forward(document: Document, point: Vector) -> Vector:
    x = point
    for layer in document["layers"]:
        x = _layer(layer, x)
    return x


def _layer(layer: Document, x: Vector) -> Vector:
    kind = layer["type"]
    if kind == "linear":
        return _affine(layer, x)
    if kind == "relu":
        return [max(z, Fraction(0)) for z in x]
    if kind == "leaky_relu":
        return [z if z > 0 else Fraction(layer["slope"]) * z for z in x]
    if kind == "abs":
        return [abs(z) for z in x]
    if kind == "hard_tanh":
        return [min(max(z, Fraction(-1)), Fraction(1)) for z in x]
    if kind == "maxout":
        return [max(_affine(unit, x)) for unit in layer["units"]]
    if kind == "ffn":
        hidden = [max(z, Fraction(0)) for z in _affine(layer["hidden"], x)]
        return _plus_residual(layer, _affine(layer["output"], hidden), x)
    if kind == "attention":
        joined: Vector = []
        for head in layer["heads"]:
            scores = _scores(head, x)
            best = [j for j, score in enumerate(scores) if score == max(scores)]
            for column in zip(*head["values"], strict=True):
                joined.append(sum((Fraction(column[j]) for j in best), Fraction(0)) / len(best))
        return _plus_residual(layer, _affine(layer["output"], joined) if "output" in layer else joined, x)
    assert kind == "tropical_attention"
    result: Vector = []
    for head in layer["heads"]:
        scores = _scores(head, x)
        for column in zip(*head["log_values"], strict=True):
            result.append(max(s + Fraction(v) for s, v in zip(scores, column, strict=True)) - max(scores))
    return result


def _affine(part: Document, x: Vector) -> Vector:
    bias = part.get("bias", ["0"] * len(part["weight"]))
    return [
        Fraction(b) + sum((Fraction(w) * z for w, z in zip(row, x, strict=True)), Fraction(0))
        for b, row in zip(bias, part["weight"], strict=True)
    ]


def _scores(head: Document, x: Vector) -> Vector:
    query = _affine(head["query"], x)
    bias = head.get("score_bias", ["0"] * len(head["keys"]))
    return _affine({"weight": head["keys"], "bias": bias}, query)


def _plus_residual(layer: Document, y: Vector, x: Vector) -> Vector:
    return [a + b for a, b in zip(y, x, strict=True)] if layer.get("residual", False) else y


# Few distinct small numbers: ties, dead units and repeated rows are then common.
numbers = st.sampled_from(["0", "0", "1", "-1", "2", "1/2", "-1/3", "0.25", "-1.5e1", 1, -2])
coordinates = st.sampled_from([Fraction(n, d) for n in range(-4, 5) for d in (1, 2, 3)])


def _matrix(rows: int, columns: int) -> st.SearchStrategy[list[list[Any]]]:
    return st.lists(st.lists(numbers, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


@st.composite
def _weights(draw: st.DrawFn, rows: int, columns: int) -> Document:
    part: Document = {"weight": draw(_matrix(rows, columns))}
    if draw(st.booleans()):
        part["bias"] = draw(_matrix(1, rows))[0]
    return part


@st.composite
def _head(draw: st.DrawFn, width: int, size: int, values: str) -> Document:
    keys, key_size = draw(st.integers(1, 3)), draw(st.integers(1, 2))
    head: Document = {"query": draw(_weights(key_size, width)), "keys": draw(_matrix(keys, key_size))}
    head[values] = draw(_matrix(keys, size))
    if draw(st.booleans()):
        head["score_bias"] = draw(_matrix(1, keys))[0]
    return head


@st.composite
def _layers(draw: st.DrawFn, width: int) -> tuple[Document, int]:
    """A layer for inputs of this width, and the width of its output."""
    out = draw(st.integers(1, 3))
    kind = draw(
        st.sampled_from(
            ["linear", "relu", "leaky_relu", "abs", "hard_tanh", "maxout", "ffn", "attention", "tropical_attention"]
        )
    )
    if kind == "linear":
        return {"type": kind, **draw(_weights(out, width))}, out
    if kind == "leaky_relu":
        return {"type": kind, "slope": draw(numbers)}, width
    if kind in ("relu", "abs", "hard_tanh"):
        return {"type": kind}, width
    if kind == "maxout":
        return {"type": kind, "units": [draw(_weights(draw(st.integers(1, 3)), width)) for _ in range(out)]}, out
    if kind == "tropical_attention":
        sizes = draw(st.lists(st.integers(1, 2), min_size=1, max_size=2))
        return {"type": kind, "heads": [draw(_head(width, size, "log_values")) for size in sizes]}, sum(sizes)
    residual = draw(st.booleans())
    out = width if residual else out
    layer: Document = {"type": kind, "residual": residual} if residual or draw(st.booleans()) else {"type": kind}
    if kind == "ffn":
        units = draw(st.integers(1, 3))
        return layer | {"hidden": draw(_weights(units, width)), "output": draw(_weights(out, units))}, out
    if draw(st.booleans()):
        sizes = draw(st.lists(st.integers(1, 2), min_size=1, max_size=3))
        layer["output"] = draw(_weights(out, sum(sizes)))
    else:
        sizes = [1] * out
    layer["heads"] = [draw(_head(width, size, "values")) for size in sizes]
    return layer, out


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """A network of one to four layers of any type, on an unbounded domain."""
    width = draw(st.integers(1, 2))
    document: Document = {"format": "exactgeo-network/1", "input_dim": width, "layers": []}
    for _ in range(draw(st.integers(1, 4))):
        layer, width = draw(_layers(width))
        document["layers"].append(layer)
    return document


def points(dimension: int) -> st.SearchStrategy[Vector]:
    return st.lists(coordinates, min_size=dimension, max_size=dimension)

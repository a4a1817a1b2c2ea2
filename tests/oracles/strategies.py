"""Hypothesis strategies for small network documents, degenerate by construction.

Weights come from a coarse set with many zeros, so that units are dead, repeated, opposite and parallel, keys tie,
images collapse and hyperplanes meet in one point all the time; a few odd fractions keep the generic case present.
"""

from typing import Any

from hypothesis import strategies as st

__all__ = ["documents", "domains", "hyperplanes", "weights"]

weights = st.sampled_from(["0", "0", "1", "-1", "1", "-1", "2", "1/2", "-3/2", "7/5"])


def _matrix(rows: int, columns: int) -> st.SearchStrategy[list[list[str]]]:
    return st.lists(st.lists(weights, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


def _vector(size: int) -> st.SearchStrategy[list[str]]:
    return st.lists(weights, min_size=size, max_size=size)


@st.composite
def _affine(draw: st.DrawFn, inputs: int, outputs: int) -> dict[str, Any]:
    affine: dict[str, Any] = {"weight": draw(_matrix(outputs, inputs))}
    if draw(st.booleans()):
        affine["bias"] = draw(_vector(outputs))
    return affine


@st.composite
def hyperplanes(draw: st.DrawFn, dimension: int, most: int = 5) -> list[list[str]]:
    """Rows (b, a) with a != 0."""
    row = _vector(dimension + 1).filter(lambda entries: any(entry != "0" for entry in entries[1:]))
    return draw(st.lists(row, min_size=1, max_size=most))


@st.composite
def domains(draw: st.DrawFn, dimension: int) -> dict[str, Any] | None:
    """A box, a simplex with a repeated and a void row, a slab with lineality, or all of R^d; each full-dimensional."""
    kind = draw(st.sampled_from(["box", "simplex", "slab", "none"]))
    if kind == "box":
        lows = draw(st.lists(st.integers(-2, 0), min_size=dimension, max_size=dimension))
        return {"box": [[str(low), str(low + draw(st.integers(1, 3)))] for low in lows]}
    axes = [["1", *["1" if k == i else "0" for k in range(dimension)]] for i in range(dimension)]
    if kind == "simplex":
        return {"inequalities": [*axes, axes[0], ["2", *["-1"] * dimension], ["0", *["0"] * dimension]]}
    if kind == "slab":
        return {"inequalities": [axes[0], ["1", "-1", *["0"] * (dimension - 1)]]}
    return None


@st.composite
def documents(draw: st.DrawFn, max_dim: int = 2, max_layers: int = 3, max_units: int = 2) -> dict[str, Any]:
    """A network document with every kind of layer; few units, so that brute force stays quick."""
    dimension = draw(st.integers(1, max_dim))
    document: dict[str, Any] = {"format": "exactgeo-network/1", "input_dim": dimension}
    domain = draw(domains(dimension))
    if domain is not None:
        document["domain"] = domain
    layers: list[dict[str, Any]] = []
    width = dimension
    for _ in range(draw(st.integers(1, max_layers))):
        layer, width = draw(_layers(width, max_units))
        layers.append(layer)
    document["layers"] = layers
    return document


@st.composite
def _layers(draw: st.DrawFn, width: int, most: int) -> tuple[dict[str, Any], int]:
    """A layer on ``width`` inputs, and the number of its outputs."""
    kinds = ["linear", "maxout", "ffn", "attention", "tropical_attention", "relu", "leaky_relu", "abs", "hard_tanh"]
    kind = draw(st.sampled_from(kinds))
    units = draw(st.integers(1, most))
    if kind == "linear":
        return {"type": kind, **draw(_affine(width, units))}, units
    if kind == "maxout":
        return {"type": kind, "units": [draw(_affine(width, draw(st.integers(1, 3)))) for _ in range(units)]}, units
    if kind == "ffn":
        residual = draw(st.booleans())
        outputs = width if residual else draw(st.integers(1, 2))
        layer = {"type": kind, "hidden": draw(_affine(width, units)), "output": draw(_affine(units, outputs))}
        return {**layer, "residual": residual} if residual or draw(st.booleans()) else layer, outputs
    if kind == "attention":
        return draw(_attention(width, most))
    if kind == "tropical_attention":
        tokens, channels = draw(st.integers(1, 3)), draw(st.integers(1, 2))
        head = draw(_scored(width, tokens))
        return {"type": kind, "heads": [{**head, "log_values": draw(_matrix(tokens, channels))}]}, channels
    layer = {"type": kind}
    if kind == "leaky_relu":
        layer["slope"] = draw(st.sampled_from(["1/10", "0", "1", "2", "-1"]))
    return layer, width


@st.composite
def _attention(draw: st.DrawFn, width: int, most: int) -> tuple[dict[str, Any], int]:
    residual, mixed = draw(st.booleans()), draw(st.booleans())
    channels = width if residual and not mixed else draw(st.integers(1, 2))
    count = 1 if residual and not mixed else draw(st.integers(1, most))
    heads = []
    for _ in range(count):
        tokens = draw(st.integers(1, 3))
        heads.append({**draw(_scored(width, tokens)), "values": draw(_matrix(tokens, channels))})
    layer: dict[str, Any] = {"type": "attention", "heads": heads, "residual": residual}
    outputs = channels * count
    if mixed:
        outputs = width if residual else draw(st.integers(1, 2))
        layer["output"] = draw(_affine(channels * count, outputs))
    return layer, outputs


@st.composite
def _scored(draw: st.DrawFn, width: int, tokens: int) -> dict[str, Any]:
    """The query and keys of a head, with or without score_bias."""
    size = draw(st.integers(1, 2))
    head: dict[str, Any] = {"query": draw(_affine(width, size)), "keys": draw(_matrix(tokens, size))}
    if draw(st.booleans()):
        head["score_bias"] = draw(_vector(tokens))
    return head

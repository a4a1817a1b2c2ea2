"""The file format ``exactgeo-network/1``: from bytes to layers, strictly.

A network document is a JSON object with the keys ``format``, ``input_dim``, ``layers`` and, optionally, ``domain``.
A layer is an object with a ``type``; each kind's file in ``network.layers`` says which keys it has besides. Weights are
output by input, y = Wx + b. Every ``bias`` and ``score_bias``, an attention's ``output`` and every ``residual`` (then
false) may be left out; nothing else may, and no key is accepted that the format does not know.

``domain`` is {"box": [[lower, upper], ...]}, {"inequalities": [[b, a_1, ..., a_d], ...]} meaning b + a.x >= 0, or null.
Sizes are checked against the layer before, so an error is found where it is made:

>>> read_document(b'{"format": "exactgeo-network/1", "input_dim": 2, "layers": [{"type": "linear", "weight": [[1]]}]}')
Traceback (most recent call last):
exactgeo.errors.BadNetwork: layers[0].weight[0]: expected a list of 2 numbers, got a list of 1
"""

from dataclasses import dataclass

from exactgeo.errors import did_you_mean
from exactgeo.network.curved import advice
from exactgeo.network.domain import box_rows, inequality_rows
from exactgeo.network.layers import KINDS, Layer
from exactgeo.network.reading import Node, parse
from exactgeo.rational.rows import Row

__all__ = ["FORMAT", "MAX_INPUT_DIM", "Document", "read_document"]

FORMAT = "exactgeo-network/1"

MAX_INPUT_DIM = 1000
"""Cells beyond this dimension are out of reach of every exact method."""


@dataclass(frozen=True, slots=True)
class Document:
    """What a network document says; rows and layers in its order."""

    input_dim: int
    listed_rows: tuple[Row, ...]
    layers: tuple[Layer, ...]


def read_document(data: bytes) -> Document:
    """The document in ``data``, or ``BadNetwork`` with the first place that breaks the format."""
    root = parse(data)
    # The format is named before anything else is held against the document.
    if "format" in root and root["format"].text(f'"{FORMAT}"') != FORMAT:
        raise root["format"].refuse(f'"{FORMAT}"')
    fields = root.fields("format", "input_dim", "layers", optional=["domain"])
    input_dim = fields["input_dim"].integer(f"an integer from 1 to {MAX_INPUT_DIM}", 1, MAX_INPUT_DIM)
    rows = _domain(fields["domain"], input_dim) if "domain" in fields else ()
    layers: list[Layer] = []
    width = input_dim
    for node in fields["layers"].items("layers"):
        layer = _layer(node, width)
        width = layer.output_dim(width)
        layers.append(layer)
    return Document(input_dim, rows, tuple(layers))


def _domain(node: Node, input_dim: int) -> tuple[Row, ...]:
    if node.value is None:
        return ()
    fields = node.fields(optional=["box", "inequalities"])
    if len(fields) != 1:
        raise node.refuse('one of "box" and "inequalities"', "both" if fields else "an empty object")
    if "box" in fields:
        bounds = fields["box"].items("pairs of bounds", input_dim)
        lower_upper = [pair.vector(2) for pair in bounds]
        return box_rows(tuple((lower, upper) for lower, upper in lower_upper))
    rows = fields["inequalities"].items("rows", may_be_empty=True)
    return inequality_rows([row.vector(input_dim + 1) for row in rows], input_dim)


def _layer(node: Node, width: int) -> Layer:
    kinds = f"one of {', '.join(KINDS)}"
    if "type" not in node:
        hints = (did_you_mean(key, ["type"]) for key in node)
        raise node.refuse('the key "type"', "an object without it", next(filter(None, hints), ""))
    name = node["type"].text(kinds)
    if name not in KINDS:
        raise node["type"].refuse(kinds, hint=advice(name) or did_you_mean(name, KINDS))
    return KINDS[name].read(node, width)

"""The file format ``exactgeo-network/1``: from bytes to layers, strictly.

A network document is a JSON object with the keys ``format``, ``input_dim``, ``layers`` and, optionally, ``domain``.
Weights are output by input, y = Wx + b. Every ``bias`` and ``score_bias``, an attention's ``output`` and every
``residual`` (then false) may be left out; nothing else may, and no key is accepted that the format does not know.

=====================  =================================================================================================
``type``               keys
=====================  =================================================================================================
linear                 weight, bias?
relu, abs, hard_tanh   none
leaky_relu             slope, any rational
ffn                    hidden {weight, bias?}, output {weight, bias?}, residual?
maxout                 units [{weight, bias?}], each with as many rows as it has pieces
attention              heads [{query {weight, bias?}, keys, values, score_bias?}], output {weight, bias?}?, residual?
tropical_attention     heads [{query {weight, bias?}, keys, log_values, score_bias?}]
=====================  =================================================================================================

``domain`` is {"box": [[lower, upper], ...]}, {"inequalities": [[b, a_1, ..., a_d], ...]} meaning b + a.x >= 0, or null.
Sizes are checked against the layer before, so an error is found where it is made:

>>> read_document(b'{"format": "exactgeo-network/1", "input_dim": 2, "layers": [{"type": "linear", "weight": [[1]]}]}')
Traceback (most recent call last):
exactgeo.errors.BadNetwork: layers[0].weight[0]: expected a list of 2 numbers, got a list of 1
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from exactgeo.errors import BadNetwork, NotRational
from exactgeo.network.domain import box_rows, inequality_rows
from exactgeo.network.layers import (
    ABS,
    HARD_TANH,
    RELU,
    Attention,
    FeedForward,
    Head,
    Layer,
    Linear,
    Maxout,
    TropicalAttention,
    TropicalHead,
    leaky_relu,
)
from exactgeo.network.reading import Node, parse
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Point, Row

__all__ = ["FORMAT", "MAX_INPUT_DIM", "Document", "read_document"]

FORMAT = "exactgeo-network/1"

MAX_INPUT_DIM = 1000
"""Cells beyond this dimension are out of reach of every exact method."""

LAYER_TYPES = ("attention", "ffn", "linear", "relu", "leaky_relu", "abs", "hard_tanh", "maxout", "tropical_attention")


@dataclass(frozen=True, slots=True)
class Document:
    """What a network document says."""

    input_dim: int
    domain_rows: tuple[Row, ...]
    layers: tuple[Layer, ...]


def read_document(data: bytes) -> Document:
    """The document in ``data``, or ``BadNetwork`` with the first place that breaks the format."""
    root = parse(data)
    # The format is named before anything else is held against the document.
    if "format" in root and root["format"].text(f'"{FORMAT}"') != FORMAT:
        raise root["format"].refuse(f'"{FORMAT}"')
    fields = root.fields("format", "input_dim", "layers", optional=["domain"])
    input_dim = fields["input_dim"].integer(f"an integer from 1 to {MAX_INPUT_DIM}", 1, MAX_INPUT_DIM)
    domain = _domain(fields["domain"], input_dim) if "domain" in fields else ()
    layers: list[Layer] = []
    width = input_dim
    for node in fields["layers"].items("layers"):
        layer = _layer(node, width)
        width = layer.output_dim(width)
        layers.append(layer)
    return Document(input_dim, domain, tuple(layers))


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
    kinds = ", ".join(LAYER_TYPES)
    if "type" not in node:
        raise node.refuse('the key "type"', "an object without it")
    kind = node["type"].text(f"one of {kinds}")
    match kind:
        case "linear":
            return Linear(_affine(node, width, "type"))
        case "relu" | "abs" | "hard_tanh":
            node.fields("type")
            return {"relu": RELU, "abs": ABS, "hard_tanh": HARD_TANH}[kind]
        case "leaky_relu":
            return leaky_relu(node.fields("type", "slope")["slope"].number())
        case "ffn":
            return _feed_forward(node, width)
        case "maxout":
            units = node.fields("type", "units")["units"].items("units")
            return Maxout(tuple(_affine(unit, width) for unit in units))
        case "attention":
            return _attention(node, width)
        case "tropical_attention":
            heads = node.fields("type", "heads")["heads"].items("heads")
            return TropicalAttention(tuple(TropicalHead(*_head(head, width, "log_values")) for head in heads))
        case _:
            raise node["type"].refuse(f"one of {kinds}")


def _affine(node: Node, input_dim: int, *others: str, residual: int | None = None) -> AffineMap:
    """An object with a weight and perhaps a bias, as a map; ``others`` are keys that it must have besides.

    ``residual`` is the output's size if a residual is to be added to it.
    """
    fields = node.fields(*others, "weight", optional=["bias"])
    weight = fields["weight"].matrix(columns=input_dim)
    if residual not in (None, len(weight)):
        raise fields["weight"].refuse(f"{residual} rows for the residual")
    bias = fields["bias"].vector(len(weight)) if "bias" in fields else (Fraction(0),) * len(weight)
    return _map(node, bias, weight)


def _feed_forward(node: Node, width: int) -> FeedForward:
    fields = node.fields("type", "hidden", "output", optional=["residual"])
    hidden = _affine(fields["hidden"], width)
    residual = _residual(fields)
    output = _affine(fields["output"], hidden.output_dim, residual=width if residual else None)
    return FeedForward(hidden, output, residual)


def _attention(node: Node, width: int) -> Attention:
    fields = node.fields("type", "heads", optional=["output", "residual"])
    heads = tuple(Head(*_head(head, width, "values")) for head in fields["heads"].items("heads"))
    residual = _residual(fields)
    sizes = [len(head.values[0]) for head in heads]
    if "output" in fields:
        output = _affine(fields["output"], sum(sizes), residual=width if residual else None)
        return Attention(heads, output, residual)
    if residual:
        for head, size in zip(fields["heads"].items("heads"), sizes, strict=True):
            if size != sizes[0]:
                problem = f"expected values of {sizes[0]} numbers as in heads[0], because of the residual, got {size}"
                raise BadNetwork(f"{head.place}.values", problem)
        if sum(sizes) != width:
            got = f"{len(sizes)} heads with values of {sizes[0]} numbers"
            raise fields["heads"].refuse(f"{width} outputs for the residual", got)
    return Attention(heads, None, residual)


def _head(node: Node, width: int, values_key: str) -> tuple[AffineMap, tuple[Point, ...]]:
    """The score forms <query(x), k_j> + b_j of a head, and its values."""
    fields = node.fields("query", "keys", values_key, optional=["score_bias"])
    query = _affine(fields["query"], width)
    keys = fields["keys"].matrix(columns=query.output_dim)
    values = fields[values_key].matrix(rows=len(keys))
    bias = fields["score_bias"].vector(len(keys)) if "score_bias" in fields else (Fraction(0),) * len(keys)
    return _map(node, bias, keys).compose(query), values


def _map(node: Node, bias: Sequence[Fraction], weight: Sequence[Point]) -> AffineMap:
    try:
        return AffineMap.of([(constant, *row) for constant, row in zip(bias, weight, strict=True)])
    except NotRational as error:
        raise BadNetwork(node.place, str(error)) from None


def _residual(fields: dict[str, Node]) -> bool:
    return fields["residual"].boolean() if "residual" in fields else False

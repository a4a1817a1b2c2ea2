"""The embedded network, read strictly (FORMAT.md, section 3).

Part in the soundness theorem: the theorem is about *the network*, and this module says which one that is. Every number
is exact; unknown and missing keys, booleans for numbers and lists of the wrong length are errors. What a layer means is
said twice and independently: in `forward` (values at a point) and in `stages` (forms of the input).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from .reading import DIGITS, TOO_LONG, Spelling
from .rows import Row, primitive
from .verdict import Unreadable, show

__all__ = [
    "Affine",
    "Attention",
    "Ffn",
    "Head",
    "Layer",
    "Linear",
    "Maxout",
    "Network",
    "Pointwise",
    "Rational",
    "Tropical",
    "integers",
    "read_network",
]

Rational = int | Fraction
Matrix = list[list[Rational]]

INPUT_DIM = 1000
EXPONENT = 4000
# Tighter than FORMAT.md asks for: the bits of the common denominator of a matrix, and the sum over all matrices of
# these times the number of entries.
DENOMINATOR_BITS = 50_000
BITS = 100_000_000


@dataclass(frozen=True)
class Affine:
    """x -> Wx + b."""

    weight: Matrix
    bias: list[Rational]


@dataclass(frozen=True)
class Linear:
    map: Affine


@dataclass(frozen=True)
class Pointwise:
    """relu, leaky_relu, abs or hard_tanh, coordinate by coordinate; `slope` is that of leaky_relu, else 0."""

    kind: str
    width: int
    slope: Rational


@dataclass(frozen=True)
class Maxout:
    units: list[Affine]


@dataclass(frozen=True)
class Ffn:
    hidden: Affine
    output: Affine
    residual: bool


@dataclass(frozen=True)
class Head:
    """`values` are the log_values in a tropical head."""

    query: Affine
    keys: Matrix
    score_bias: list[Rational]
    values: Matrix


@dataclass(frozen=True)
class Attention:
    heads: list[Head]
    output: Affine | None
    residual: bool


@dataclass(frozen=True)
class Tropical:
    heads: list[Head]


Layer = Linear | Pointwise | Maxout | Ffn | Attention | Tropical


@dataclass(frozen=True)
class Network:
    """`domain`: the primitive rows b + a.x >= 0, in the order of their numbers."""

    input_dim: int
    domain: list[Row]
    layers: list[Layer]


# ---- numbers ----------------------------------------------------------------------------------------------------

_TOO_LARGE = 10**DIGITS
_PART = f"[0-9]{{1,{DIGITS}}}"
_DECIMAL = re.compile(rf"([+-]?)({_PART})?(?:\.({_PART})?)?(?:[eE]([+-]?{_PART}))?")
_FRACTION = re.compile(rf"([+-]?{_PART})/({_PART})")


def _number(value: object, where: str) -> Rational:
    """A JSON number, or a string that spells an integer, a decimal or a fraction."""
    if type(value) is int and -_TOO_LARGE < value < _TOO_LARGE:
        return value
    text = value.text if isinstance(value, Spelling) else value
    if type(value) is int or (isinstance(text, str) and TOO_LONG.search(text)):
        raise Unreadable("limit-digits", "network", f"{where}: more than {DIGITS} digits")
    if not isinstance(text, str):
        raise Unreadable("network-number", "network", f"{where}: {show(value)} is not a number")
    fraction = _FRACTION.fullmatch(text) if isinstance(value, str) else None
    if fraction:
        if not int(fraction[2]):
            raise Unreadable("network-number", "network", f"{where}: denominator 0")
        result = Fraction(int(fraction[1]), int(fraction[2]))
        return result.numerator if result.denominator == 1 else result
    decimal = _DECIMAL.fullmatch(text)
    if not decimal or not (decimal[2] or decimal[3]):
        raise Unreadable("network-number", "network", f"{where}: {show(text, 60)} is not a number")
    digits = int(decimal[2] or "0")
    after = decimal[3] or ""
    exponent = int(decimal[4] or "0")
    if not -EXPONENT <= exponent <= EXPONENT:
        raise Unreadable("network-number", "network", f"{where}: exponent {show(exponent)}")
    digits = digits * 10 ** len(after) + int(after or "0")
    exponent -= len(after)
    result = Fraction(digits * 10 ** max(exponent, 0), 10 ** max(-exponent, 0))
    if decimal[1] == "-":
        result = -result
    return result.numerator if result.denominator == 1 else result


def integers(rows: Matrix) -> tuple[int, list[list[int]]]:
    """The same matrix as integers over one positive denominator."""
    denominator = _denominator(rows)
    if denominator == 1:
        return 1, [[value.numerator for value in row] for row in rows]
    return denominator, [[value.numerator * (denominator // value.denominator) for value in row] for row in rows]


def _denominator(rows: Matrix) -> int:
    denominator = 1
    for row in rows:
        for value in row:
            if denominator % value.denominator:
                denominator = lcm(denominator, value.denominator)
                if (bits := denominator.bit_length()) > DENOMINATOR_BITS:
                    raise Unreadable("limit-network", "network", f"a common denominator of {bits} bits")
    return denominator


def _stacked(maps: list[Affine]) -> Matrix:
    return [*[row for each in maps for row in each.weight], *[each.bias for each in maps]]


def _matrices(layer: Layer) -> Iterator[Matrix]:
    """The matrices of a layer, each of which is over one denominator."""
    if isinstance(layer, Linear):
        yield _stacked([layer.map])
    elif isinstance(layer, Maxout):
        yield _stacked(layer.units)
    elif isinstance(layer, Ffn):
        yield from map(_stacked, ([layer.hidden], [layer.output]))
    elif isinstance(layer, Attention | Tropical):
        yield from (_stacked([head.query]) for head in layer.heads)
        yield from ([*head.keys, head.score_bias] for head in layer.heads)
        yield [row for head in layer.heads for row in head.values]
        if isinstance(layer, Attention) and layer.output is not None:
            yield _stacked([layer.output])


def _demand(matrices: Iterable[Matrix]) -> None:
    """Unreadable if the matrices as integers are too long in all."""
    total = 0
    for rows in matrices:
        total += sum(map(len, rows)) * _denominator(rows).bit_length()
        if total > BITS:
            raise Unreadable("limit-network", "network", f"numbers over common denominators of {total} bits in all")


# ---- objects ----------------------------------------------------------------------------------------------------


def _object(value: object, where: str, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, object]:
    if not isinstance(value, dict):
        raise Unreadable("network-shape", "network", f"{where}: not an object")
    for key in required:
        if key not in value:
            raise Unreadable("network-keys", "network", f"{where}: no key {key}")
    for key in value:
        if key not in required and key not in optional:
            raise Unreadable("network-keys", "network", f"{where}: unknown key {show(key, 60)}")
    return value


def _list(value: object, where: str) -> list[object]:
    if not isinstance(value, list) or not value:
        raise Unreadable("network-shape", "network", f"{where}: not a nonempty list")
    return value


def _vector(value: object, length: int, where: str) -> list[Rational]:
    if not isinstance(value, list) or len(value) != length:
        raise Unreadable("network-shape", "network", f"{where}: not a list of {length} numbers")
    return [_number(entry, where) for entry in value]


def _matrix(value: object, where: str, rows: int | None = None, columns: int | None = None) -> Matrix:
    """A matrix; `rows` and `columns`, where given, are the required numbers."""
    lines = _list(value, where)
    width = len(_list(lines[0], where)) if columns is None else columns
    if rows is not None and len(lines) != rows:
        raise Unreadable("network-shape", "network", f"{where}: {len(lines)} rows, not {rows}")
    return [_vector(line, width, where) for line in lines]


def _affine(value: object, inputs: int, where: str, outputs: int | None = None) -> Affine:
    entry = _object(value, where, ("weight",), ("bias",))
    return _affine_of(entry, inputs, where, outputs)


def _affine_of(entry: dict[str, object], inputs: int, where: str, outputs: int | None = None) -> Affine:
    weight = _matrix(entry["weight"], f"{where}.weight", outputs, inputs)
    bias: list[Rational] = [0] * len(weight)
    if "bias" in entry:
        bias = _vector(entry["bias"], len(weight), f"{where}.bias")
    return Affine(weight, bias)


def _flag(entry: dict[str, object], where: str) -> bool:
    value = entry.get("residual", False)
    if not isinstance(value, bool):
        raise Unreadable("network-shape", "network", f"{where}.residual: not true or false")
    return value


def _head(value: object, inputs: int, where: str, values: str) -> Head:
    entry = _object(value, where, ("query", "keys", values), ("score_bias",))
    query = _affine(entry["query"], inputs, f"{where}.query")
    keys = _matrix(entry["keys"], f"{where}.keys", None, len(query.weight))
    bias: list[Rational] = [0] * len(keys)
    if "score_bias" in entry:
        bias = _vector(entry["score_bias"], len(keys), f"{where}.score_bias")
    return Head(query, keys, bias, _matrix(entry[values], f"{where}.{values}", len(keys)))


def _heads(entry: dict[str, object], inputs: int, where: str, values: str) -> list[Head]:
    heads = _list(entry["heads"], f"{where}.heads")
    return [_head(head, inputs, f"{where}.heads[{i}]", values) for i, head in enumerate(heads)]


def _layer(value: object, inputs: int, where: str) -> tuple[Layer, int]:
    """The layer and the number of its outputs."""
    kind = value.get("type") if isinstance(value, dict) else None
    layer: Layer
    if kind == "linear":
        entry = _object(value, where, ("type", "weight"), ("bias",))
        layer = Linear(_affine_of(entry, inputs, where))
        return layer, len(layer.map.weight)
    if kind in ("relu", "abs", "hard_tanh"):
        _object(value, where, ("type",))
        return Pointwise(str(kind), inputs, 0), inputs
    if kind == "leaky_relu":
        entry = _object(value, where, ("type", "slope"))
        return Pointwise("leaky_relu", inputs, _number(entry["slope"], f"{where}.slope")), inputs
    if kind == "maxout":
        entry = _object(value, where, ("type", "units"))
        units = _list(entry["units"], f"{where}.units")
        layer = Maxout([_affine(unit, inputs, f"{where}.units[{i}]") for i, unit in enumerate(units)])
        return layer, len(units)
    if kind == "ffn":
        entry = _object(value, where, ("type", "hidden", "output"), ("residual",))
        residual = _flag(entry, where)
        hidden = _affine(entry["hidden"], inputs, f"{where}.hidden")
        output = _affine(entry["output"], len(hidden.weight), f"{where}.output", inputs if residual else None)
        return Ffn(hidden, output, residual), len(output.weight)
    if kind == "attention":
        entry = _object(value, where, ("type", "heads"), ("output", "residual"))
        residual = _flag(entry, where)
        heads = _heads(entry, inputs, where, "values")
        widths = [len(head.values[0]) for head in heads]
        if "output" in entry:
            out = _affine(entry["output"], sum(widths), f"{where}.output", inputs if residual else None)
            return Attention(heads, out, residual), len(out.weight)
        if residual and (sum(widths) != inputs or len(set(widths)) > 1):
            raise Unreadable("network-shape", "network", f"{where}: values of {show(widths)} for {inputs} inputs")
        return Attention(heads, None, residual), sum(widths)
    if kind == "tropical_attention":
        entry = _object(value, where, ("type", "heads"))
        heads = _heads(entry, inputs, where, "log_values")
        return Tropical(heads), sum(len(head.values[0]) for head in heads)
    raise Unreadable("network-keys", "network", f"{where}: no layer of type {show(kind, 60)}")


def _domain(value: object, dimension: int) -> list[Row]:
    if value is None:
        return []
    if not isinstance(value, dict) or list(value) not in (["box"], ["inequalities"]):
        raise Unreadable("network-domain", "network", "neither null nor {box} nor {inequalities}")
    rows: Matrix = []
    if "box" in value:
        for i, pair in enumerate(_matrix(value["box"], "domain.box", dimension, 2)):
            low, high = pair
            if low >= high:
                raise Unreadable("network-domain", "network", f"domain.box[{i}]: not lo < hi")
            unit = [int(j == i) for j in range(dimension)]
            rows += [[-low, *unit], [high, *(-entry for entry in unit)]]
    else:
        inequalities = value["inequalities"]
        if not isinstance(inequalities, list):
            raise Unreadable("network-domain", "network", "domain.inequalities: not a list")
        rows = [_vector(row, dimension + 1, f"domain.inequalities[{i}]") for i, row in enumerate(inequalities)]
        _demand([row] for row in rows)
    return [primitive(tuple(integers([row])[1][0])) for row in rows]


def read_network(value: object) -> Network:
    """The network of a JSON object, or Unreadable."""
    entry = _object(value, "network", ("format", "input_dim", "layers"), ("domain",))
    if entry["format"] != "exactgeo-network/1":
        raise Unreadable("network-keys", "network", f"format {show(entry['format'], 60)}")
    dimension = entry["input_dim"]
    if type(dimension) is not int or not 1 <= dimension <= INPUT_DIM:
        raise Unreadable("network-number", "network", f"input_dim: not an integer from 1 to {INPUT_DIM}")
    domain = _domain(entry.get("domain"), dimension)
    layers: list[Layer] = []
    width = dimension
    for i, item in enumerate(_list(entry["layers"], "layers")):
        layer, width = _layer(item, width, f"layers[{i}]")
        layers.append(layer)
    _demand(rows for layer in layers for rows in _matrices(layer))
    return Network(dimension, domain, layers)

"""Numbers, vectors, matrices and affine maps of a network, read exactly (FORMAT.md, section 3.1).

Part in the soundness theorem: that the network is the one which the header spells. Unknown and missing keys, booleans
for numbers and lists of the wrong length are errors.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from ..core.limits import LIMITS, Meter, demand
from ..core.reading import TOO_LONG
from ..core.verdict import Unreadable, show
from .objects import Spelling, fields, nonempty

__all__ = ["Affine", "Matrix", "Rational", "affine", "bias", "integers", "matrix", "number", "stack", "vector", "weigh"]

Rational = int | Fraction
Matrix = list[list[Rational]]


@dataclass(frozen=True)
class Affine:
    """x -> Wx + b."""

    weight: Matrix
    bias: list[Rational]


def stack(*maps: Affine) -> Matrix:
    """The rows (b, a) of maps with the same input, one after the other."""
    return [[b, *row] for each in maps for b, row in zip(each.bias, each.weight, strict=True)]


_DIGITS = LIMITS["DIGITS"].most
_TOO_LARGE = 10**_DIGITS
_PART = f"[0-9]{{1,{_DIGITS}}}"
_DECIMAL = re.compile(rf"([+-]?)({_PART})?(?:\.({_PART})?)?(?:[eE]([+-]?{_PART}))?")
_FRACTION = re.compile(rf"([+-]?{_PART})/({_PART})")


def number(value: object, where: str) -> Rational:
    """A JSON number, or a string that spells an integer, a decimal or a fraction."""
    if type(value) is int and -_TOO_LARGE < value < _TOO_LARGE:
        return value
    text = value.text if isinstance(value, Spelling) else value
    if type(value) is int or (isinstance(text, str) and TOO_LONG.search(text)):
        raise Unreadable("limit-digits", "network", f"{where}: more than {_DIGITS} digits")
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
    if abs(exponent) > LIMITS["EXPONENT"].most:
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
                demand("DENOMINATOR_BITS", denominator.bit_length())
    return denominator


def weigh(rows: Matrix, meter: Meter) -> None:
    """The matrix will be brought to one denominator."""
    meter.spend("MATRIX_BITS", sum(map(len, rows)) * _denominator(rows).bit_length())


def vector(value: object, length: int, where: str) -> list[Rational]:
    if not isinstance(value, list) or len(value) != length:
        raise Unreadable("network-shape", "network", f"{where}: not a list of {length} numbers")
    return [number(entry, where) for entry in value]


def matrix(value: object, where: str, rows: int | None = None, columns: int | None = None) -> Matrix:
    """A matrix; `rows` and `columns`, where given, are the required numbers."""
    lines = nonempty(value, where)
    width = len(nonempty(lines[0], where)) if columns is None else columns
    if rows is not None and len(lines) != rows:
        raise Unreadable("network-shape", "network", f"{where}: {len(lines)} rows, not {rows}")
    return [vector(line, width, where) for line in lines]


def affine(value: object, inputs: int, where: str, outputs: int | None = None, also: tuple[str, ...] = ()) -> Affine:
    """An affine object; `also` are other keys of it, and `outputs` is the required number."""
    entry = fields(value, where, ("weight", *also), ("bias",))
    weight = matrix(entry["weight"], f"{where}.weight", outputs, inputs)
    return Affine(weight, bias(entry, "bias", len(weight), where))


def bias(entry: dict[str, object], key: str, length: int, where: str) -> list[Rational]:
    """The vector with an optional key; zero without it."""
    return vector(entry[key], length, f"{where}.{key}") if key in entry else [0] * length

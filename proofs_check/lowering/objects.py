"""JSON objects, the header and a network file: strict, bounded, exact.

Part in the soundness theorem: that the network is the one which the file spells. No duplicate keys, no floats; digits,
brackets and values are counted before `json` sees them.
"""

import json
import re
from dataclasses import dataclass
from itertools import pairwise

from ..core.limits import LIMITS, demand, exceeded
from ..core.reading import depth
from ..core.verdict import Unreadable, show

__all__ = ["Spelling", "fields", "nonempty", "parse_object", "residual"]

_DIGITS, _CLAIM_DIGITS = LIMITS["DIGITS"].most, LIMITS["CLAIM_DIGITS"].most


@dataclass(frozen=True, slots=True)
class Spelling:
    """A JSON number that is not a plain integer (`1.50`, `1e-3`, `-0`), kept as it is spelled."""

    text: str


_TOO_LONG_CLAIM = re.compile(f"(?<![0-9])[0-9]{{{_CLAIM_DIGITS + 1}}}")
_LARGE = re.compile("[eE][+-]?0*([1-9][0-9]{2,3})|(?<![0-9])([0-9]{100,})")
_ESCAPED = re.compile(r"\\u00([0-7][0-9a-fA-F])")  # a character in ASCII


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) < len(pairs):
        keys = sorted(key for key, _ in pairs)
        raise Unreadable("duplicate-key", "", show(next(a for a, b in pairwise(keys) if a == b)))
    return result


def _integer(text: str) -> int | Spelling:
    if text == "-0":
        return Spelling(text)
    if len(text) <= _DIGITS:
        return int(text)
    digits, value = text.removeprefix("-"), 0
    for at in range(0, len(digits), _DIGITS):  # `int` alone may refuse so many digits
        piece = digits[at : at + _DIGITS]
        value = value * 10 ** len(piece) + int(piece)
    return -value if text.startswith("-") else value


def _constant(text: str) -> object:
    raise Unreadable("json", "", f"{text} is not JSON")


def parse_object(text: str) -> object:
    """Any JSON value, numbers exact: int, or Spelling for all other numbers.

    The brackets outside strings are counted first. Strings are found as JSON finds them, from the left, so up to
    the first error the count is that of the parser, which therefore never nests deeper than counted.
    """
    if not text.isascii() or "\0" in text:
        raise Unreadable("encoding", "", "not ASCII")
    if _TOO_LONG_CLAIM.search(text):
        raise exceeded("CLAIM_DIGITS")
    # a valid header has none of these signs within a string
    demand("VALUES", text.count(",") + text.count("[") + text.count("{"))
    demand("KEYS", text.count(":"))
    demand("STRINGS", (text.count('"') + 1) // 2)
    plain = _ESCAPED.sub(lambda escaped: chr(int(escaped[1], 16)), text) if "\\u00" in text else text
    large = sum(int(found[1]) if found[1] else len(found[2]) for found in _LARGE.finditer(plain))
    demand("LARGE", large, "network")
    demand("NESTING", depth(text))
    try:
        return json.loads(
            text, parse_int=_integer, parse_float=Spelling, parse_constant=_constant, object_pairs_hook=_pairs
        )
    except ValueError as error:
        raise Unreadable("json", "", show(str(error))) from None


def fields(value: object, where: str, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, object]:
    """An object with all required keys, perhaps the optional ones, and no other."""
    if not isinstance(value, dict):
        raise Unreadable("network-shape", "network", f"{where}: not an object")
    for key in required:
        if key not in value:
            raise Unreadable("network-keys", "network", f"{where}: no key {key}")
    for key in value:
        if key not in required and key not in optional:
            raise Unreadable("network-keys", "network", f"{where}: unknown key {show(key, 60)}")
    return value


def nonempty(value: object, where: str) -> list[object]:
    """A nonempty list."""
    if not isinstance(value, list) or not value:
        raise Unreadable("network-shape", "network", f"{where}: not a nonempty list")
    return value


def residual(entry: dict[str, object], where: str) -> bool:
    """Whether x is added to y."""
    value = entry.get("residual", False)
    if not isinstance(value, bool):
        raise Unreadable("network-shape", "network", f"{where}.residual: not true or false")
    return value

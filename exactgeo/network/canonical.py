"""The canonical dump of a network document: one spelling for networks that were made, not read.

The input has the structure of the file, as Python values: dictionaries, lists or tuples, and for each number or list
of numbers also an array (anything with ``tolist``: numpy, torch). A number may be an integer, a ``Fraction``, a
``Decimal``, a spelling such as "1/3" or "0.1", or a float of any width, which means its exact binary value. Nothing is
rounded.

The dump is UTF-8 without spaces and ends with a line feed; keys are in the format's order; integers are JSON integers
and all other numbers are strings "p/q" in lowest terms; a key whose value is None is left out.

>>> canonical_document({"input_dim": 1, "layers": [{"weight": [[0.5, "0.1"]], "bias": None, "type": "linear"}]})
b'{"input_dim":1,"layers":[{"type":"linear","weight":[["1/2","1/10"]]}]}\\n'
"""

import json
from fractions import Fraction

from exactgeo.errors import BadNetwork, NotRational
from exactgeo.network.reading import quoted
from exactgeo.rational.numbers import bounded, exact, exact_float, spell

__all__ = ["MAX_NESTING", "canonical_document"]

MAX_NESTING = 32
"""Deepest nesting of lists and objects accepted; the format itself needs 7 levels."""

KEY_ORDER = (
    *("format", "input_dim", "domain", "layers"),
    *("box", "inequalities"),
    *("type", "residual", "slope", "heads", "units", "hidden"),
    *("query", "keys", "score_bias", "values", "log_values"),
    *("weight", "bias", "output"),
)
_RANK = {key: rank for rank, key in enumerate(KEY_ORDER)}
_NOT_NUMBERS = ("format", "type", "residual")


def canonical_document(document: object) -> bytes:
    """The canonical bytes of a document; ``BadNetwork`` with the place of anything that is no number, list or object.

    Only numbers are examined here; whether the structure is a network is for the reader of the bytes.
    """
    return (json.dumps(_plain(document, "", 0), separators=(",", ":")) + "\n").encode()


def _plain(value: object, place: str, depth: int) -> object:
    """``value`` in JSON's own types, numbers in their canonical form."""
    if depth > MAX_NESTING:
        raise BadNetwork(place, f"expected at most {MAX_NESTING} levels of nesting, got more")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, dict):
        return _plain_object(value, place, depth)
    if isinstance(value, list | tuple):
        return [_plain(entry, f"{place}[{i}]", depth + 1) for i, entry in enumerate(value)]
    if hasattr(value, "tolist") and not hasattr(value, "as_integer_ratio"):
        return _plain(value.tolist(), place, depth + 1)
    try:
        number = bounded(_rational(value))
    except NotRational as error:
        raise BadNetwork(place, f"expected a rational number, but {error}") from None
    return number.numerator if number.denominator == 1 else spell(number)


def _plain_object(value: dict[object, object], place: str, depth: int) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, entry in value.items():
        if not isinstance(key, str):
            raise BadNetwork(place, f"expected keys that are strings, got one of type {type(key).__name__}")
        if key in _NOT_NUMBERS and isinstance(entry, str):
            found[key] = entry
        elif entry is not None:
            name = key if key in _RANK else quoted(key)
            found[key] = _plain(entry, f"{place}.{name}" if place else name, depth + 1)
    return dict(sorted(found.items(), key=lambda item: (_RANK.get(item[0], len(_RANK)), item[0])))


def _rational(value: object) -> Fraction:
    if isinstance(value, int | str | Fraction) or not hasattr(value, "as_integer_ratio"):
        return exact(value)
    if hasattr(value, "adjusted"):  # a Decimal: its spelling, because its ratio can be longer than memory
        return exact(str(value))
    return exact_float(value)  # type: ignore[arg-type]

"""The canonical dump of a network document: one spelling for networks that were made, not read.

The input has the structure of the file, as Python values: dictionaries, lists or tuples, and for each number or list
of numbers also an array (anything with ``tolist``: numpy, torch, flint). A number may be an integer, a ``Fraction``, a
``Decimal``, a spelling such as "1/3" or "0.1", or a float of any width, which means its exact binary value. Nothing is
rounded.

The dump is UTF-8 without spaces and ends with a line feed; keys are in the format's order; integers are JSON integers
and all other numbers are strings "p/q" in lowest terms; a key whose value is None is left out.

>>> canonical_document({"input_dim": 1, "layers": [{"weight": [[0.5, "0.1"]], "bias": None, "type": "linear"}]})
b'{"input_dim":1,"layers":[{"type":"linear","weight":[["1/2","1/10"]]}]}\\n'
"""

import json

from exactgeo.errors import BadNetwork, NotRational
from exactgeo.network.layers import KINDS
from exactgeo.network.reading import quoted
from exactgeo.rational.numbers import bounded, exact, spell

__all__ = ["MAX_NESTING", "canonical_document"]

MAX_NESTING = 32
"""Deepest nesting of lists and objects accepted; the format itself needs 7 levels."""

_NOT_NUMBERS = ("format", "type", "residual")


def _ranks() -> dict[str, int]:
    """The format's order of keys: those of the network, then those of layers, of each kind, and of affine maps."""
    kinds = [key for kind in KINDS.values() for key in kind.keys]
    order = ["format", "input_dim", "domain", "layers", "box", "inequalities", "type", "residual", *kinds]
    return {key: rank for rank, key in enumerate(dict.fromkeys([*order, "weight", "bias", "output"]))}


def canonical_document(document: object) -> bytes:
    """The canonical bytes of a document; ``BadNetwork`` with the place of anything that is no number, list or object.

    Only numbers are examined here; whether the structure is a network is for the reader of the bytes.
    """
    return (json.dumps(_plain(document, "", 0, _ranks()), separators=(",", ":")) + "\n").encode()


def _plain(value: object, place: str, depth: int, ranks: dict[str, int]) -> object:
    """``value`` in JSON's own types, numbers in their canonical form."""
    if depth > MAX_NESTING:
        raise BadNetwork(place, f"expected at most {MAX_NESTING} levels of nesting, got more")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, dict):
        return _plain_object(value, place, depth, ranks)
    if isinstance(value, list | tuple):
        return [_plain(entry, f"{place}[{i}]", depth + 1, ranks) for i, entry in enumerate(value)]
    if hasattr(value, "tolist") and not hasattr(value, "as_integer_ratio"):
        return _plain(value.tolist(), place, depth + 1, ranks)
    try:
        number = bounded(exact(value))
    except NotRational as error:
        raise BadNetwork(place, f"expected a rational number, but {error}") from None
    return number.numerator if number.denominator == 1 else spell(number)


def _plain_object(value: dict[object, object], place: str, depth: int, ranks: dict[str, int]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, entry in value.items():
        if not isinstance(key, str):
            raise BadNetwork(place, f"expected keys that are strings, got one of type {type(key).__name__}")
        if isinstance(entry, str) and (key in _NOT_NUMBERS or key not in ranks):  # the reader refuses unknown keys
            found[key] = entry
        elif entry is not None:
            name = key if key in ranks else quoted(key)
            found[key] = _plain(entry, f"{place}.{name}" if place else name, depth + 1, ranks)
    return dict(sorted(found.items(), key=lambda item: (ranks.get(item[0], len(ranks)), item[0])))

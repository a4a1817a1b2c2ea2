"""Strict reading of JSON: every value is met with what was expected there, and every refusal names its place.

JSON numbers keep their literal text until ``Node.number`` reads them exactly, so nothing passes through a float. What
JSON allows and a network does not (NaN, repeated keys) is kept as a marker in the tree, and refused when its place
is reached.

>>> root = parse(b'{"weight": [[1, "1/3"], [0.1, 1e-3]]}')
>>> root.fields("weight")["weight"].matrix(columns=2)[1]
(Fraction(1, 10), Fraction(1, 1000))
>>> root["weight"].matrix(columns=3)
Traceback (most recent call last):
exactgeo.errors.BadNetwork: weight[0]: expected a list of 3 numbers, got a list of 2
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from exactgeo.errors import BadNetwork, NotRational, did_you_mean
from exactgeo.rational.numbers import parse_rational
from exactgeo.rational.rows import Point

__all__ = ["Node", "parse", "quoted"]

MAX_LARGE = 5_000_000
"""Digits that the exponents of a document's large numbers may stand for together: it is read in seconds or refused."""

_LARGE = re.compile(r"[0-9.][eE][+-]?0*([1-9][0-9]{2,3})(?![0-9])", re.ASCII)
_INTEGER = re.compile(r"-?[0-9]{1,18}", re.ASCII)


class _Literal(str):
    """The text of a JSON number."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class _Repeated:
    """An object in which a key appears twice."""

    key: str


@dataclass(frozen=True, slots=True)
class _NotFinite:
    """NaN, Infinity or -Infinity, which Python's JSON lets pass."""

    text: str


def parse(data: bytes) -> "Node":
    """The root of a JSON document in UTF-8."""
    if data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise BadNetwork("", "expected JSON in UTF-8, got a file that starts with a byte order mark")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        problem = f"expected JSON in UTF-8, got the byte 0x{data[error.start]:02x} at offset {error.start}"
        raise BadNetwork("", problem) from None
    if not text or text.isspace():
        raise BadNetwork("", "expected JSON, got nothing")
    if sum(map(int, _LARGE.findall(text))) > MAX_LARGE:
        problem = (
            f"expected numbers of reasonable length, got exponents that stand for over {MAX_LARGE:,} digits in all"
        )
        raise BadNetwork("", problem)
    try:
        value = json.loads(
            text, parse_int=_Literal, parse_float=_Literal, parse_constant=_NotFinite, object_pairs_hook=_object
        )
    except json.JSONDecodeError as error:
        problem = f"expected JSON, got a syntax error at line {error.lineno} column {error.colno}: {error.msg}"
        raise BadNetwork("", problem) from None
    except RecursionError:
        raise BadNetwork("", "expected a network, got JSON nested beyond reason") from None
    return Node(value, "")


@dataclass(frozen=True, slots=True)
class Node:
    """A JSON value and its place in the document, e.g. "layers[2].heads[0].keys[3]"."""

    value: object
    place: str

    def refuse(self, expected: str, got: str | None = None, hint: str = "") -> BadNetwork:
        """The error for this place, to be raised by the caller; ``hint`` ends the message."""
        return BadNetwork(self.place, f"expected {expected}, got {got or _described(self.value)}{hint}")

    def __getitem__(self, key: str) -> "Node":
        """The value of a key that is known to be there."""
        return self._objects()[key]

    def __contains__(self, key: str) -> bool:
        return key in self._objects()

    def __iter__(self) -> Iterator[str]:
        return iter(self._objects())

    def fields(self, *required: str, optional: Iterable[str] = ()) -> dict[str, "Node"]:
        """The values of an object that has all the required keys and none but these and the optional ones."""
        found = self._objects()
        allowed = (*required, *optional)
        for key in found:
            if key not in allowed:
                hint = did_you_mean(key, [name for name in allowed if name not in found])
                raise self.refuse(f"only the keys {', '.join(allowed)}", f"the unknown key {quoted(key)}", hint)
        for key in required:
            if key not in found:
                raise self.refuse(f'the key "{key}"', "an object without it")
        return found

    def items(self, what: str, count: int | None = None, may_be_empty: bool = False) -> list["Node"]:
        """The entries of a list: exactly ``count``, or at least one, or any number."""
        listed = self._list(what, count, may_be_empty)
        return [Node(entry, f"{self.place}[{i}]") for i, entry in enumerate(listed)]

    def _list(self, what: str, count: int | None = None, may_be_empty: bool = False) -> list[object]:
        if not isinstance(self.value, list) or (count is not None and len(self.value) != count):
            raise self.refuse(f"a list of {what}" if count is None else f"a list of {count} {what}")
        if not self.value and not may_be_empty:
            raise self.refuse(f"a list of {what}", "an empty list")
        return self.value

    def number(self) -> Fraction:
        if not isinstance(self.value, str):
            raise self.refuse("a rational number")
        try:
            return parse_rational(self.value)
        except NotRational as error:
            raise BadNetwork(self.place, f"expected a rational number, but {error}") from None

    def integer(self, expected: str, lowest: int, highest: int) -> int:
        """A JSON integer in the closed range."""
        if not (isinstance(self.value, _Literal) and _INTEGER.fullmatch(self.value)):
            raise self.refuse(expected)
        if not lowest <= int(self.value) <= highest:
            raise self.refuse(expected)
        return int(self.value)

    def boolean(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.refuse("true or false")
        return self.value

    def text(self, expected: str) -> str:
        if not isinstance(self.value, str) or isinstance(self.value, _Literal):
            raise self.refuse(expected)
        return self.value

    def vector(self, count: int | None = None) -> Point:
        entries = self._list("numbers", count)
        try:
            return tuple([parse_rational(entry) for entry in entries])  # type: ignore[arg-type]
        except (NotRational, TypeError):  # now with the place of each
            return tuple([entry.number() for entry in self.items("numbers", count)])

    def matrix(self, rows: int | None = None, columns: int | None = None) -> tuple[Point, ...]:
        """Rows of one length, ``columns`` if given, otherwise the length of the first."""
        table: list[Point] = []
        listed = self.items("rows", rows)
        for entry in listed:
            width = len(table[0]) if table else columns
            if width is not None and not table and isinstance(entry.value, list) and len(entry.value) != width:
                raise entry.refuse(f"a list of {width} numbers", hint=self._transposed(width, len(entry.value)))
            table.append(entry.vector(width))
        return tuple(table)

    def _transposed(self, columns: int, width: int) -> str:
        """A word where rows of this width do not fit and the transpose of the matrix would have so many columns."""
        listed = self.value if isinstance(self.value, list) else []
        if len(listed) != columns or any(not isinstance(row, list) or len(row) != width for row in listed):
            return ""
        return f"; the transpose of {self.place.rpartition('.')[2]} would fit: weights are output by input"

    def _objects(self) -> dict[str, "Node"]:
        if not isinstance(self.value, dict):
            raise self.refuse("an object")
        prefix = f"{self.place}." if self.place else ""
        return {key: Node(value, prefix + key) for key, value in self.value.items()}


def _object(pairs: list[tuple[str, object]]) -> dict[str, object] | _Repeated:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            return _Repeated(key)
        found[key] = value
    return found


def _described(value: object) -> str:
    """A value in a few words, never at length."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case _Literal():
            return value if len(value) <= 40 else f"{value[:37]}..."
        case str():
            return f"the string {quoted(value)}"
        case list():
            return f"a list of {len(value)}"
        case _Repeated(key):
            return f"an object with the key {quoted(key)} twice"
        case _NotFinite(text):
            return f"{text}, which is no number"
        case _:
            return "an object"


def quoted(text: str) -> str:
    """A string for a message: escaped to ASCII, on one line, cut where it is long."""
    return json.dumps(text if len(text) <= 40 else text[:37] + "...")

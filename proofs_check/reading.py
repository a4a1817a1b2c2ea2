"""Bytes to lines to JSON: strict, bounded, streaming.

Part in the soundness theorem: none of the mathematics, but the guarantee that what is checked is what the file says:
one spelling for a record, no duplicate keys, no floats, nothing after the end, the hash over all bytes before the
last line.

Every bound is applied before the step that it protects: a line is cut off before it is stored, digits and brackets
are counted before `json` sees them. So no input makes the checker run out of memory or of stack.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import zlib
from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import BinaryIO

from .verdict import Unreadable, show

__all__ = ["TOO_LONG", "Lines", "Spelling", "parse_object", "parse_record", "read_whole", "same_object"]

HEADER_BYTES = 8_000_000
RECORD_BYTES = 1_000_000
DIGITS = 4000
CLAIM_DIGITS = 100_000
NESTING = 16
VALUES = 400_000  # tighter than FORMAT.md asks for: entries of lists and objects in a header
KEYS = 50_000  # likewise: keys of objects
LARGE = 1_000_000  # likewise: digits and exponents of its large numbers together, large being from 100 digits on
_BLOCK = 1 << 16


# ---- files and lines --------------------------------------------------------------------------------------------


def _open(path: str) -> BinaryIO:
    """A regular file, opened without waiting (a FIFO would wait for ever)."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:
        raise Unreadable("io", "file", show(getattr(error, "strerror", None) or str(error))) from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise Unreadable("io", "file", "not a regular file")
    return os.fdopen(handle, "rb")


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    while True:
        try:
            block = file.read(_BLOCK)
        except OSError as error:
            raise Unreadable("io", "file", show(error.strerror or "read error")) from None
        if not block:
            return
        yield block


def _inflated(file: BinaryIO) -> Iterator[bytes]:
    """The content of exactly one gzip member, in pieces of bounded size; a second member is refused."""
    packed = _blocks(file)
    stream = zlib.decompressobj(wbits=31)
    while not stream.eof:
        data = stream.unconsumed_tail or next(packed, b"")
        try:
            block = stream.decompress(data, 4 * _BLOCK)
        except zlib.error as error:
            raise Unreadable("gzip", "file", show(str(error))) from None
        if block:
            yield block
        elif not data and not stream.eof:
            raise Unreadable("gzip", "file", "the stream is cut off")
    if stream.unused_data or next(packed, b""):
        raise Unreadable("gzip", "file", "something follows the first member")


class Lines:
    """The lines of a certificate as text, without their LF; `number` is that of the last one given.

    A byte that is not ASCII becomes U+FFFD, which no grammar accepts. `sha` is over all bytes before the Z record.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self.number = 0
        self.sha = hashlib.sha256()

    def __iter__(self) -> Iterator[str]:
        with _open(self._path) as file:
            unfinished: list[bytes] = []  # the pieces of a line whose LF has not been seen
            size = 0
            for block in _inflated(file) if self._path.endswith(".gz") else _blocks(file):
                limit = RECORD_BYTES if self.number else HEADER_BYTES
                first, end = block.find(b"\n"), block.rfind(b"\n") + 1
                if size + (first if end else len(block)) > limit:
                    self.number += 1
                    raise Unreadable("limit-line", "", f"more than {limit} bytes")
                if not end:
                    unfinished.append(block)
                    size += len(block)
                    continue
                whole = b"".join((*unfinished, block[:end])) if unfinished else block[:end]
                unfinished, size = [block[end:]] if end < len(block) else [], len(block) - end
                last = 0 if whole.startswith(b'["Z"') else whole.find(b'\n["Z"') + 1 or len(whole)
                self.sha.update(whole[:last])
                lines = whole.decode("ascii", "replace").split("\n")
                lines.pop()
                for line in lines:
                    self.number += 1
                    yield line
            if size:
                self.number += 1
                raise Unreadable("cut-line", "", f"{size} bytes without a line feed")


def read_whole(path: str) -> bytes:
    """The bytes of a network file."""
    with _open(path) as file:
        pieces: list[bytes] = []
        size = 0
        for block in _blocks(file):
            size += len(block)
            if size > HEADER_BYTES:
                raise Unreadable("limit-line", "", f"more than {HEADER_BYTES} bytes")
            pieces.append(block)
    return b"".join(pieces)


# ---- JSON objects: the header, a network file -------------------------------------------------------------------


class Spelling:
    """A JSON number that is not a plain integer (`1.50`, `1e-3`, `-0`), kept as it is spelled."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
# tried only where digits begin: linear time
TOO_LONG = re.compile(f"(?<![0-9])[0-9]{{{DIGITS + 1}}}")
_TOO_LONG_CLAIM = re.compile(f"(?<![0-9])[0-9]{{{CLAIM_DIGITS + 1}}}")
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
    if len(text) <= DIGITS:
        return int(text)
    digits, value = text.removeprefix("-"), 0
    for at in range(0, len(digits), DIGITS):  # `int` alone may refuse so many digits
        piece = digits[at : at + DIGITS]
        value = value * 10 ** len(piece) + int(piece)
    return -value if text.startswith("-") else value


def _constant(text: str) -> object:
    raise Unreadable("json", "", f"{text} is not JSON")


def _depth(bare: str) -> int:
    """How deep brackets nest in a text without strings."""
    brackets = re.sub(r"[^][{}]++", "", bare)
    return max(accumulate((1 if bracket in "[{" else -1 for bracket in brackets), initial=0))


def parse_object(text: str) -> object:
    """Any JSON value, numbers exact: int, or Spelling for all other numbers.

    The brackets outside strings are counted first. Strings are found as JSON finds them, from the left, so up to
    the first error the count is that of the parser, which therefore never nests deeper than counted.
    """
    if not text.isascii() or "\0" in text:
        raise Unreadable("encoding", "", "not ASCII")
    if _TOO_LONG_CLAIM.search(text):
        raise Unreadable("limit-digits", "", f"more than {CLAIM_DIGITS} digits")
    # a valid header has none of these signs within a string
    if text.count(",") + text.count("[") + text.count("{") > VALUES or text.count(":") > KEYS:
        raise Unreadable("limit-values", "", f"more than {VALUES} values or {KEYS} keys")
    if text.count('"') > 2 * (VALUES + KEYS):
        raise Unreadable("limit-values", "", f"more than {VALUES + KEYS} strings")
    plain = _ESCAPED.sub(lambda escaped: chr(int(escaped[1], 16)), text) if "\\u00" in text else text
    if sum(int(large[1]) if large[1] else len(large[2]) for large in _LARGE.finditer(plain)) > LARGE:
        raise Unreadable("limit-network", "network", f"large numbers with more than {LARGE} digits in all")
    if _depth(_STRING.sub("", text)) > NESTING:
        raise Unreadable("limit-nesting", "", f"more than {NESTING} deep")
    try:
        return json.loads(
            text, parse_int=_integer, parse_float=Spelling, parse_constant=_constant, object_pairs_hook=_pairs
        )
    except ValueError as error:
        raise Unreadable("json", "", show(str(error))) from None


def same_object(one: object, other: object) -> bool:
    """Same keys, lists, strings, and numbers of the same spelling; true is not 1."""
    todo = [(one, other)]
    while todo:
        a, b = todo.pop()
        if isinstance(a, dict) and isinstance(b, dict):
            if a.keys() != b.keys():
                return False
            todo.extend((a[key], b[key]) for key in a)
        elif isinstance(a, list) and isinstance(b, list):
            if len(a) != len(b):
                return False
            todo.extend(zip(a, b, strict=True))
        elif isinstance(a, Spelling) and isinstance(b, Spelling):
            if a.text != b.text:
                return False
        elif type(a) is not type(b) or a != b:
            return False
    return True


# ---- records ----------------------------------------------------------------------------------------------------

_I = rf"(?:0|-?[1-9][0-9]{{0,{DIGITS - 1}}}+)"  # possessive: no backtracking, so linear time and no stack
_LIST = rf"\[(?:{_I}(?:,{_I})*+)?\]"
_A = rf"(?:{_I}|\[{_I},{_I}\])"
_LISTS = rf"\[(?:{_LIST}(?:,{_LIST})*+)?\]"
_EVIDENCE = rf"(?:{_LIST}|\[{_LIST},{_LIST}\])"
_ALL_EVIDENCE = rf"\[(?:{_EVIDENCE}(?:,{_EVIDENCE})*+)?\]"
_SHAPES = {
    "M": rf"{_I}",
    "E": rf"{_I},{_I},{_LIST}(?:,{_LIST})?",
    "B": rf"{_LIST}",
    "X": rf"{_LIST}(?:,{_LIST})?",
    "L": rf"{_I}(?:,{_I})*+",
    "T": rf"{_I},{_LIST},{_LISTS},{_LISTS},{_LISTS}",
    "R": rf"{_I},{_ALL_EVIDENCE},{_LISTS}",
    "Q": rf"{_I},{_ALL_EVIDENCE},{_ALL_EVIDENCE}",
    "W": rf"{_I},{_I}(?:,{_LIST})?",
    "N": rf"{_A},{_A},{_LIST},{_LIST}(?:,{_LIST},{_LIST})?",
    "Z": rf'{_I},"[0-9a-f]{{64}}"',
}
_RECORDS = {kind: re.compile(rf'\["{kind}",{shape}\]') for kind, shape in _SHAPES.items()}


_decode = json.JSONDecoder().raw_decode


def parse_record(line: str) -> list[object]:
    """The one array that is spelled like this; every other spelling is unreadable."""
    pattern = _RECORDS.get(line[2:3])
    if pattern is None or not pattern.fullmatch(line):
        raise _misspelled(line)
    record: list[object] = _decode(line)[0]
    return record


def _misspelled(line: str) -> Unreadable:
    """The reason why a line is no record: the first that applies."""
    if not line:
        return Unreadable("blank-line", "", "no record")
    if not line.isascii() or "\0" in line:
        return Unreadable("encoding", "", "not ASCII")
    if "\r" in line:
        return Unreadable("line-ending", "", "carriage return")
    if TOO_LONG.search(line):
        return Unreadable("limit-digits", "", f"more than {DIGITS} digits")
    if _depth(_STRING.sub("", line)) > NESTING:
        return Unreadable("limit-nesting", "", f"more than {NESTING} deep")
    return Unreadable("record", "", show(line[:60]))

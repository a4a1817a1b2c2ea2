"""Bytes to lines to records: strict, bounded, streaming (FORMAT.md, section 1).

Part in the soundness theorem: none of the mathematics, but the guarantee that what is checked is what the file says:
one spelling for a record, nothing after the end, the hash over all bytes before the last line.

Every bound is applied before the step that it protects: a line is cut off before it is stored, and `json` sees only
what a grammar has accepted. So no input makes the checker run out of memory or of stack.
"""

import hashlib
import json
import os
import re
import stat
import zlib
from collections.abc import Iterator
from itertools import accumulate
from typing import BinaryIO

from .limits import LIMITS, exceeded
from .verdict import Unreadable, show

__all__ = ["BLOCK", "RECORDS", "TOO_LONG", "Grammar", "Lines", "blocks", "depth", "grammar", "opened", "parse_record"]

BLOCK = 1 << 16
_DIGITS = LIMITS["DIGITS"].most


# ---- files and lines --------------------------------------------------------------------------------------------


def opened(path: str) -> BinaryIO:
    """A regular file, opened without waiting (a FIFO would wait for ever)."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:
        raise Unreadable("io", "file", show(getattr(error, "strerror", None) or str(error))) from None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise Unreadable("io", "file", "not a regular file")
    return os.fdopen(handle, "rb")


def blocks(file: BinaryIO) -> Iterator[bytes]:
    while True:
        try:
            block = file.read(BLOCK)
        except OSError as error:
            raise Unreadable("io", "file", show(error.strerror or "read error")) from None
        if not block:
            return
        yield block


def _inflated(file: BinaryIO) -> Iterator[bytes]:
    """The content of exactly one gzip member, in pieces of bounded size; a second member is refused."""
    packed = blocks(file)
    stream = zlib.decompressobj(wbits=31)
    while not stream.eof:
        data = stream.unconsumed_tail or next(packed, b"")
        try:
            block = stream.decompress(data, 4 * BLOCK)
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
        with opened(self._path) as file:
            unfinished: list[bytes] = []  # the pieces of a line whose LF has not been seen
            size = 0
            for block in _inflated(file) if self._path.endswith(".gz") else blocks(file):
                limit = "RECORD" if self.number else "HEADER"
                first, end = block.find(b"\n"), block.rfind(b"\n") + 1
                if size + (first if end else len(block)) > LIMITS[limit].most:
                    self.number += 1
                    raise exceeded(limit)
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


_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
# tried only where digits begin: linear time
TOO_LONG = re.compile(f"(?<![0-9])[0-9]{{{_DIGITS + 1}}}")


def depth(text: str) -> int:
    """How deep brackets nest outside strings."""
    brackets = re.sub(r"[^][{}]++", "", _STRING.sub("", text))
    return max(accumulate((1 if bracket in "[{" else -1 for bracket in brackets), initial=0))


# ---- records ----------------------------------------------------------------------------------------------------

Grammar = dict[str, re.Pattern[str]]

_I = rf"(?:0|-?[1-9][0-9]{{0,{_DIGITS - 1}}}+)"  # possessive: no backtracking, so linear time and no stack
_LIST = rf"\[(?:{_I}(?:,{_I})*+)?\]"
_LISTS = rf"\[(?:{_LIST}(?:,{_LIST})*+)?\]"
_EVIDENCE = rf"(?:{_LIST}|\[{_LIST},{_LIST}\])"
_ALL_EVIDENCE = rf"\[(?:{_EVIDENCE}(?:,{_EVIDENCE})*+)?\]"
_PARTS = {"I": _I, "A": rf"(?:{_I}|\[{_I},{_I}\])", "LIST": _LIST, "LISTS": _LISTS, "EVIDENCE": _ALL_EVIDENCE}


def grammar(**shapes: str) -> Grammar:
    """For each kind of record the one spelling of its fields: words of `_PARTS` in a regular expression."""
    words = re.compile(r"\b[A-Z]+\b")
    return {
        kind: re.compile(rf'\["{kind}",{words.sub(lambda word: _PARTS[word[0]], shape)}\]')
        for kind, shape in shapes.items()
    }


RECORDS = grammar(M="I", E="I,I,LIST(?:,LIST)?", B="LIST", X="LIST(?:,LIST)?", L="I(?:,I)*+", Z='I,"[0-9a-f]{64}"')

_decode = json.JSONDecoder().raw_decode


def parse_record(line: str, records: Grammar) -> list[object]:
    """The one array that is spelled like this; every other spelling is unreadable."""
    pattern = records.get(line[2:3])
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
        return exceeded("DIGITS")
    if depth(line) > LIMITS["NESTING"].most:
        return exceeded("NESTING")
    return Unreadable("record", "", show(line[:60]))

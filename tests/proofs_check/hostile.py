"""Hostile files that are too large to store, and networks that cost much more than they weigh.

Each is written into a folder when a test asks for it: (name, rule) -> a function that writes the file and returns its
path. What a certificate with a bad network or a bad byte says further down does not matter.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.proofs_check.checkers import Certificate
from tests.proofs_check.make_corpus import TWO, TWO_CLAIM, TWO_TREE

__all__ = ["HOSTILE"]

Write = Callable[[Path], Path]
Document = dict[str, Any]

HEADER = Certificate(TWO, TWO_CLAIM).header()
MEGA = 1_000_000


def _file(*pieces: bytes, name: str = "certificate.jsonl") -> Write:
    def write(folder: Path) -> Path:
        path = folder / name
        path.write_bytes(b"".join(pieces))
        return path

    return write


def _repeated(head: bytes, piece: bytes, times: int, tail: bytes = b"") -> Write:
    """A large file, written in pieces."""

    def write(folder: Path) -> Path:
        path = folder / "certificate.jsonl"
        block = piece * max(1, 65536 // len(piece))
        with open(path, "wb") as file:
            file.write(head)
            for _ in range(times * len(piece) // len(block)):
                file.write(block)
            file.write(tail)
        return path

    return write


def _sparse(head: bytes, size: int) -> Write:
    """A head, then zero bytes that take no room on the disk."""

    def write(folder: Path) -> Path:
        path = folder / "certificate.jsonl"
        with open(path, "wb") as file:
            file.write(head)
            file.truncate(size)
        return path

    return write


def _bomb(head: bytes, piece: bytes, size: int) -> Write:
    """A gzip file whose content is `size` bytes long."""

    def write(folder: Path) -> Path:
        path = folder / "certificate.jsonl.gz"
        block = piece * max(1, MEGA // len(piece))
        with gzip.GzipFile(path, "wb", compresslevel=9, mtime=0) as file:
            file.write(head)
            for _ in range(size // len(block)):
                file.write(block)
        return path

    return write


def _network(dimension: int, layers: list[Document], domain: Document | None = None) -> Write:
    document: Document = {"format": "exactgeo-network/1", "input_dim": dimension, "layers": layers}
    if domain is not None:
        document["domain"] = domain
    return _file(Certificate(document, {"cells": 2, "regions": None, "affine_maps": None}, [["M", 0]]).data())


def _later(make: Callable[[], Write]) -> Write:
    """Nothing large is made before it is asked for."""

    def write(folder: Path) -> Path:
        return make()(folder)

    return write


def _special(make: Callable[[Path], object]) -> Write:
    def write(folder: Path) -> Path:
        path = folder / "certificate.jsonl"
        make(path)
        return path

    return write


def _linear(rows: int, columns: int, value: object) -> Document:
    return {"type": "linear", "weight": [[value] * columns for _ in range(rows)]}


def _affine(rows: int, columns: int, value: object = 1) -> Document:
    return {"weight": [[value] * columns for _ in range(rows)]}


def _head(size: int, keys: int, value: object = 1) -> Document:
    return {"query": _affine(size, size, value), "keys": [[value] * size] * keys, "values": [[1]] * keys}


def _in_header(value: str) -> Write:
    return _file(HEADER.replace(b'"claim"', b'"x":' + value.encode() + b',"claim"'))


# Any of these rules is right where a file breaks several limits at once.
HOSTILE: dict[str, tuple[set[str], Write]] = {
    # lines
    "line of 400 MB": ({"limit-line"}, _sparse(b'{"format":"', 400 * MEGA)),
    "record of 400 MB": ({"limit-line"}, _sparse(HEADER + b'["L",1', 400 * MEGA)),
    "line of 400 MB without a hole": ({"limit-line"}, _repeated(b'{"format":"', b"x", 40 * MEGA)),
    "header of 8 MB and one byte": ({"limit-line"}, _repeated(b'{"', b"x", 8 * MEGA + 65536, b'":0}\n')),
    "header of white space": ({"json", "limit-line"}, _repeated(b"", b" ", 7 * MEGA, b"\n")),
    "header of one string": ({"header"}, _repeated(b'{"', b"x", 7 * MEGA, b'":0}\n')),
    "header of one string of quotes": ({"header", "limit-values"}, _repeated(b'{"', b'\\"', 3 * MEGA, b'":0}\n')),
    "header of backslashes": ({"json"}, _repeated(b'{"', b"\\", 7 * MEGA, b"\n")),
    "header of quotes": ({"json", "limit-values"}, _repeated(b"", b'"', 7 * MEGA, b"\n")),
    "record of a million brackets": ({"limit-nesting"}, _later(lambda: _file(HEADER, b"[" * 999_000, b"\n"))),
    "record of a million quotes": ({"record"}, _later(lambda: _file(HEADER, b'"' * 999_000, b"\n"))),
    "record of a million digits in lists": (
        {"tree-open", "cited-order"},
        _later(lambda: _file(HEADER, b'["X",[' + b"1," * 499_000 + b"1]]\n")),
    ),
    "leaf with half a million coordinates": (
        {"not-final"},
        _later(lambda: _file(HEADER, b'["L"' + b",1" * 499_000 + b"]\n")),
    ),
    "a million blank lines": ({"blank-line"}, _later(lambda: _file(HEADER, b"\n" * MEGA))),
    # compression
    "gzip bomb in the header": ({"limit-line"}, _bomb(b'{"format":"', b"x", 400 * MEGA)),
    "gzip bomb in a record": ({"limit-line"}, _bomb(HEADER + b'["L",', b"1", 400 * MEGA)),
    "gzip bomb of zeros": ({"limit-line"}, _bomb(b"", b"\0", 400 * MEGA)),
    "gzip bomb of records": ({"settled", "tree-closed"}, _bomb(HEADER, b'["M",0]\n', 100 * MEGA)),
    "gzip bomb of line feeds": ({"blank-line"}, _bomb(HEADER, b"\n", 100 * MEGA)),
    "gzip bomb in a gzip bomb": (
        {"encoding"},
        _later(
            lambda: _file(
                gzip.compress(gzip.compress(b"\n" * 50 * MEGA, mtime=0), mtime=0), name="certificate.jsonl.gz"
            )
        ),
    ),
    "gzip header only": (
        {"gzip"},
        _later(lambda: _file(gzip.compress(b"", mtime=0)[:10], name="certificate.jsonl.gz")),
    ),
    "gzip of nothing": (
        {"no-last-line"},
        _later(lambda: _file(gzip.compress(b"", mtime=0), name="certificate.jsonl.gz")),
    ),
    # digits
    "900,000 digits in a record": (
        {"limit-digits"},
        _later(lambda: _file(HEADER, b'["L",' + b"9" * 900_000 + b",1]\n")),
    ),
    "900,000 digits in a claim": (
        {"limit-digits"},
        _later(lambda: _file(HEADER.replace(b'"cells":2', b'"cells":' + b"9" * 900_000))),
    ),
    "900,000 digits in a weight": (
        {"limit-digits"},
        _later(lambda: _file(HEADER.replace(b'"bias":[0', b'"bias":[' + b"9" * 900_000))),
    ),
    "900,000 digits in a string": (
        {"limit-digits"},
        _later(lambda: _file(HEADER.replace(b'"bias":[0', b'"bias":["' + b"9" * 900_000 + b'"'))),
    ),
    "900,000 digits behind the point": (
        {"limit-digits"},
        _later(lambda: _file(HEADER.replace(b'"bias":[0', b'"bias":[0.' + b"9" * 900_000))),
    ),
    "900,000 digits in an exponent": (
        {"limit-digits"},
        _later(lambda: _file(HEADER.replace(b'"bias":[0', b'"bias":[1e' + b"9" * 900_000))),
    ),
    "900,000 zeros before a number": (
        {"limit-digits"},
        _later(lambda: _file(HEADER, b'["M",' + b"0" * 900_000 + b"]\n")),
    ),
    "exponent of a billion": (
        {"network-number"},
        _later(lambda: _file(HEADER.replace(b'"bias":[0', b'"bias":[1e999999999'))),
    ),
    "exponent of minus a billion": (
        {"network-number"},
        _later(lambda: _file(HEADER.replace(b'"bias":[0', b'"bias":["1e-999999999"'))),
    ),
    # nesting and numbers of values
    "500,000 brackets in the header": (
        {"limit-nesting", "limit-values"},
        _later(lambda: _in_header("[" * 500_000 + "]" * 500_000)),
    ),
    "500,000 brackets not closed": ({"limit-nesting", "limit-values"}, _later(lambda: _file(b"[" * 500_000 + b"\n"))),
    "500,000 braces": (
        {"limit-nesting", "limit-values"},
        _later(lambda: _in_header('{"a":' * 500_000 + "0" + "}" * 500_000)),
    ),
    "500,000 brackets in a record": (
        {"limit-nesting"},
        _later(lambda: _file(HEADER, b"[" * 400_000 + b"]" * 400_000 + b"\n")),
    ),
    "brackets that go up and down": (
        {"limit-values", "json", "header"},
        _later(lambda: _in_header("[" + "[]," * 1_000_000 + "[]]")),
    ),
    "three million zeros": ({"limit-values", "header"}, _later(lambda: _in_header("[" + "0," * 3_000_000 + "0]"))),
    "a million keys": (
        {"limit-values", "header"},
        _later(lambda: _in_header("{" + ",".join(f'"{i}":0' for i in range(500_000)) + "}")),
    ),
    "the same key a million times": (
        {"limit-values", "duplicate-key"},
        _later(lambda: _in_header("{" + '"a":0,' * MEGA + '"a":0}')),
    ),
    # not a file
    "a directory": ({"io"}, _special(lambda path: path.mkdir())),
    "a pipe": ({"io"}, _special(os.mkfifo)),
    "a device": ({"io"}, lambda folder: Path("/dev/zero")),
    "a file that does not exist": ({"io"}, lambda folder: folder / "none.jsonl"),
    "a link to itself": ({"io"}, _special(lambda path: path.symlink_to(path))),
    # networks that cost more than they weigh
    "1000 inputs and a thousand relu layers": (
        {"limit-network"},
        _later(lambda: _network(1000, [{"type": "relu"}] * 1000)),
    ),
    "1000 inputs and ten thousand relu layers": (
        {"limit-network", "limit-values"},
        _later(lambda: _network(1000, [{"type": "relu"}] * 10_000)),
    ),
    "1000 inputs and 200 hard_tanh layers": (
        {"limit-network"},
        _later(lambda: _network(1000, [{"type": "hard_tanh"}] * 200)),
    ),
    "390,000 weights 1e4000": ({"limit-network"}, _later(lambda: _network(1000, [_linear(390, 1000, "1e4000")]))),
    "390,000 weights 1e-4000": ({"limit-network"}, _later(lambda: _network(1000, [_linear(390, 1000, "1e-4000")]))),
    "380 inequalities of 1e4000": (
        {"limit-network"},
        _later(lambda: _network(1000, [{"type": "relu"}], {"inequalities": [["1e4000"] * 1001] * 380})),
    ),
    "40,000 units of 1e4000": (
        {"limit-network"},
        _later(lambda: _network(1, [{"type": "maxout", "units": [{"weight": [["1e4000"]]}] * 40_000}])),
    ),
    "an attention head of 1e4000": (
        {"limit-network"},
        _later(
            lambda: _network(
                1,
                [
                    {
                        "type": "attention",
                        "heads": [
                            {
                                "query": {"weight": [["1e4000"]] * 300},
                                "keys": [["1e4000"] * 300] * 600,
                                "values": [[1]] * 600,
                            }
                        ],
                    }
                ],
            )
        ),
    ),
    "390,000 weights": ({"selector", "limit-network"}, _later(lambda: _network(1000, [_linear(390, 1000, 7)]))),
    "120,000 hidden units": (
        {"limit-network"},
        _later(lambda: _network(1, [{"type": "ffn", "hidden": _affine(120_000, 1), "output": _affine(1, 120_000)}])),
    ),
    "130,000 keys": (
        {"limit-network", "limit-values"},
        _later(lambda: _network(1, [{"type": "attention", "heads": [_head(1, 130_000)]}])),
    ),
    "120,000 candidates": (
        {"limit-network", "limit-values"},
        _later(lambda: _network(1, [{"type": "maxout", "units": [_affine(120_000, 1)]}])),
    ),
    "an attention head of integers of 4000 digits": (
        {"not-citable", "settled", "limit-network", "tree-open"},
        _later(lambda: _network(31, [{"type": "attention", "heads": [_head(31, 31, int("7" * 3999))]}])),
    ),
    "3000 linear layers of 7e4000": ({"limit-network"}, _later(lambda: _network(1, [_linear(1, 1, "7e4000")] * 3000))),
    "490,000 weights": (
        {"selector", "limit-network", "limit-values"},
        _later(lambda: _network(1000, [_linear(490, 1000, 7)])),
    ),
    "denominators without a common factor": (
        {"limit-network"},
        _later(
            lambda: _network(
                1000, [{"type": "linear", "weight": [[f"1/{p}" for p in range(10**300 + 1, 10**300 + 2001, 2)]]}]
            )
        ),
    ),
    "a certificate of the wrong kind": (
        {"header"},
        _later(lambda: _file(json.dumps({"format": "exactgeo-network/1"}).encode() + b"\n")),
    ),
    "a certificate without end": (
        {"no-last-line"},
        _later(lambda: _file(Certificate(TWO, TWO_CLAIM, TWO_TREE).data().rsplit(b'["Z"', 1)[0])),
    ),
}

"""Hostile files that are too large to store, and networks that cost much more than they weigh.

Each is written into a folder when a test asks for it: (name, rule) -> a function that writes the file and returns its
path. What a certificate with a bad network or a bad byte says further down does not matter.

The file is long because it is one table, an entry for each way to cost more than a file weighs.
"""

from __future__ import annotations

import gzip
import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.proofs_check.checkers import Certificate
from tests.proofs_check.corpus_templates import FOLD, FOLD_CLAIM, FOLD_RECORDS
from tests.proofs_check.make_corpus import TWO, TWO_CLAIM, TWO_TREE

__all__ = ["HOSTILE"]

Write = Callable[[Path], Path]
Document = dict[str, Any]

HEADER = Certificate(TWO, TWO_CLAIM).header()
MEGA = 1_000_000
HASH = 2**61 - 1  # all multiples of it have the hash 0
ODD = [f"1/{10**97 + 2 * k + 1}" for k in range(150)]


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


def _varied(rows: int, columns: int) -> Document:
    return {"type": "linear", "weight": [[7 * j * j + 3 * i + 1 for j in range(columns)] for i in range(rows)]}


def _diagonal(size: int, value: object) -> Document:
    return {"type": "linear", "weight": [[value if i == j else 0 for j in range(size)] for i in range(size)]}


def _affine(rows: int, columns: int, value: object = 1) -> Document:
    return {"weight": [[value] * columns for _ in range(rows)]}


def _head(size: int, keys: int, value: object = 1) -> Document:
    return {"query": _affine(size, size, value), "keys": [[value] * size] * keys, "values": [[1]] * keys}


def _attention_head(inputs: int, keys: list[list[Any]], values: list[list[Any]]) -> Document:
    """A query of one coordinate."""
    return {"query": _affine(1, inputs), "keys": keys, "values": values}


def _attention(inputs: int, keys: list[list[Any]], values: list[list[Any]], residual: bool = False) -> Document:
    return {"type": "attention", "heads": [_attention_head(inputs, keys, values)], "residual": residual}


def _in_header(value: str) -> Write:
    return _file(HEADER.replace(b'"claim"', b'"x":' + value.encode() + b',"claim"'))


def _lines(*records: list[Any]) -> bytes:
    return b"".join(json.dumps(record, separators=(",", ":")).encode() + b"\n" for record in records)


FOLD_HEADER = Certificate(FOLD, FOLD_CLAIM).header()
END = (b'["Z",2,"' + b"0" * 64 + b'"]\n',)


def _deep(dimension: int, record: list[Any], size: int = 9) -> Write:
    """A record in a space of many dimensions, on a domain of generic rows."""
    rng = random.Random(dimension)
    rows = [[rng.randint(-size, size) for _ in range(dimension + 1)] for _ in range(dimension + 2)]
    network = {"format": "exactgeo-network/1", "input_dim": dimension, "domain": {"inequalities": rows}}
    network["layers"] = [{"type": "linear", "weight": [[1] * dimension]}, {"type": "relu"}]
    return _file(Certificate(network, {"cells": 2, "regions": None, "affine_maps": None}, [record]).data())


def _units(units: int, records: list[list[Any]]) -> Write:
    """Many units, on no domain at all."""
    network: Document = {"format": "exactgeo-network/1", "input_dim": 1, "domain": {"inequalities": [[-1, 0]]}}
    network["layers"] = [{"type": "linear", "weight": [[k + 1] for k in range(units)]}, {"type": "relu"}]
    return _file(Certificate(network, {"cells": 2, "regions": None, "affine_maps": None}, records).data())


def _long_branches(heads: int) -> Write:
    """Heads that add to one output in 999 dimensions, with integers of 8000 digits before them."""
    layers = [_linear(1, 999, 1), *[_linear(1, 1, 10**98 + 1)] * 80]
    head = _attention_head(1, [[0], [1]], [[1], [2]])
    output = {"weight": [[1] * heads]}
    layers += [{"type": "attention", "heads": [head] * heads, "output": output, "residual": True}, {"type": "relu"}]
    network: Document = {"format": "exactgeo-network/1", "input_dim": 999, "layers": layers}
    records: list[list[Any]] = [*[["M", g] for g in range(heads)], ["M", 0]]
    return _file(Certificate(network, {"cells": 2, "regions": None, "affine_maps": None}, records).data())


def _parabola(classes: int, records: list[list[Any]], domain: Document | None = None) -> Write:
    """A maxout unit of tangents of a parabola: each of them wins somewhere."""
    half = classes // 2
    unit = {"weight": [[2 * k - classes] for k in range(classes)], "bias": [-((k - half) ** 2) for k in range(classes)]}
    network: Document = {"format": "exactgeo-network/1", "input_dim": 1}
    network["domain"] = domain or {"box": [[-classes, classes]]}
    network["layers"] = [{"type": "maxout", "units": [unit]}]
    return _file(Certificate(network, {"cells": 2, "regions": None, "affine_maps": None}, records).data())


def _wide_chart(solved: list[list[int]], width: int | None = None, pivots: list[int] | None = None) -> Write:
    """A template at the end of a network with many outputs."""
    rows = (len(solved) + 1) if width is None else width
    network = {"format": "exactgeo-network/1", "input_dim": 1, "layers": [_linear(rows, 1, 1)]}
    records = [["T", 0, [0] if pivots is None else pivots, solved, [], []], ["L", 1, 0]]
    return _file(Certificate(network, {"cells": 2, "regions": None, "affine_maps": None}, records).data())


def _doubling(times: int) -> list[bytes]:
    """Templates of stage 1: the first refers to the end for both halves of the interval, the others to the last."""
    halves: list[list[Any]] = [["M", 0], *FOLD_RECORDS[4:6]]
    trees = [halves, *[[["Q", k, [[0], [1]], [[0], [1]]]] for k in range(1, times)]]
    return [_lines(FOLD_RECORDS[2], *tree) for tree in trees]


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
    "20,000 keys times 990 inputs": (
        {"limit-network"},
        _later(lambda: _network(990, [_attention(990, [[j] for j in range(19_000)], [[1]] * 19_000)])),
    ),
    "340 keys times 990 coordinates": (
        {"tree-open", "point-row"},
        _later(lambda: _network(1, [_linear(990, 1, 1000), _attention(990, [[j] for j in range(340)], [[1]] * 340)])),
    ),
    "190 layers that settle themselves": (
        {"limit-network"},
        _later(lambda: _network(1000, [_attention(1000, [[1]], [[1] * 1000], True)] * 190)),
    ),
    "ties in 1000 dimensions": (
        {"limit-network"},
        _later(lambda: _network(1000, [_linear(1, 1000, 0), _linear(1000, 1, 0), *[{"type": "relu"}] * 3])),
    ),
    "1000 coordinates through one before the first stage": (
        {"limit-network"},
        _later(lambda: _network(1000, [_linear(1, 1000, 1), _linear(45_000, 1, 1), _linear(1, 45_000, 1)])),
    ),
    "1000 coordinates through one after it": (
        {"limit-network"},
        _later(lambda: _network(1, [_linear(1000, 1, 1), {"type": "relu"}, _varied(1, 1000), _varied(19_000, 1)])),
    ),
    "25 matrices one after the other": (
        {"limit-network"},
        _later(lambda: _network(1000, [_varied(100, 1000), *[_varied(100, 100)] * 25, {"type": "relu"}])),
    ),
    "25 matrices after a stage": (
        {"limit-network"},
        _later(lambda: _network(1, [_linear(990, 1, 1), {"type": "relu"}, _varied(90, 990), *[_varied(90, 90)] * 25])),
    ),
    "19,000 scores with one hash": (
        {"tree-open"},
        _later(lambda: _network(1, [{"type": "maxout", "units": [{"weight": [[k * HASH] for k in range(19_000)]}]}])),
    ),
    "19,000 values with one hash": (
        {"tree-open"},
        _later(
            lambda: _network(
                1,
                [
                    _attention(1, [[k] for k in range(19_000)], [[k * HASH] for k in range(1, 19_001)]),
                    _linear(1, 1, 1),
                ],
            )
        ),
    ),
    "300,000 exponents behind escapes": (
        {"limit-network"},
        _later(
            lambda: _file(
                HEADER.replace(b'"bias":[0', b'"bias":[' + b",".join([b'"1\\u00654000"'] * 300_000)),
            )
        ),
    ),
    "long denominators in three layers": (
        {"limit-network"},
        _later(
            lambda: _network(
                1,
                [
                    {
                        "type": "ffn",
                        "hidden": {"weight": [[value] for value in [*ODD, *[1] * 3750]]},
                        "output": {"weight": [[*ODD, *[1] * 3750]]},
                    }
                ]
                * 3,
            )
        ),
    ),
    "long denominators in 24 inequalities": (
        {"limit-network"},
        _later(lambda: _network(1000, [{"type": "relu"}], {"inequalities": [[*ODD, *[1] * 851]] * 24})),
    ),
    "a long product before 19,000 keys": (
        {"limit-network"},
        _later(
            lambda: _network(
                1, [*[_linear(1, 1, 10**98 + 1)] * 300, _attention(1, [[k] for k in range(19_000)], [[0]] * 19_000)]
            )
        ),
    ),
    "9000 ties of two": (
        {"settled"},
        _later(
            lambda: _network(1, [{"type": "attention", "heads": [_attention_head(1, [[1], [1]], [[1], [2]])] * 9000}])
        ),
    ),
    "long diagonals before the first stage": (
        {"limit-network"},
        _later(lambda: _network(999, [_linear(11, 999, 1), *[_diagonal(11, 10**98 + 1)] * 145, {"type": "relu"}])),
    ),
    "matrices after a residual": (
        {"limit-network"},
        _later(
            lambda: _network(
                999,
                [
                    _attention(999, [[1]], [[0] * 999], True),
                    _varied(50, 999),
                    *[_varied(50, 50)] * 40,
                    {"type": "relu"},
                ],
            )
        ),
    ),
    "14 heads of one rank": (
        {"limit-network"},
        _later(
            lambda: _network(
                999,
                [
                    {
                        "type": "attention",
                        "heads": [_attention_head(999, [[10**90 + k] for k in range(340)], [[1]] * 340)] * 14,
                    }
                ],
            )
        ),
    ),
    # a path that is long
    "2000 branches with long maps": (
        {"tree-open", "no-last-line", "limit-network"},
        _later(lambda: _long_branches(2000)),
    ),
    "9900 branches on 9900 units": (
        {"no-last-line", "tree-open"},
        _later(lambda: _units(9900, [["M", k] for k in range(9900)])),
    ),
    "9900 exclusions on 9900 units": (
        {"no-last-line", "tree-open"},
        _later(lambda: _units(9900, [["E", k, 0, [0]] for k in range(9900)])),
    ),
    "15,000 exclusions of a unit of 19,000 pieces": (
        {"no-last-line", "tree-open"},
        _later(lambda: _parabola(19_000, [["E", 0, k, [0]] for k in range(15_000)], {"inequalities": [[-1, 0]]})),
    ),
    # evidence, bounds and templates that cost more than they weigh
    "a kernel of 64 rows of 99 digits": (
        {"limit-kernel"},
        _later(lambda: _deep(63, ["X", list(range(64))], 10**98)),
    ),
    "a kernel of 60 rows in 1000 dimensions": (
        {"limit-kernel"},
        _later(lambda: _deep(389, ["X", list(range(60))], 10**15)),
    ),
    "bounds of 32 rows of 99 digits": (
        {"limit-bounds"},
        _later(lambda: _deep(31, ["B", list(range(32))], 10**98)),
    ),
    "40,000 pivots with one hash": (
        {"template-chart"},
        _later(lambda: _wide_chart([], width=1000, pivots=[k * HASH for k in range(1, 40_001)])),
    ),
    "a kernel of 301 rows in 300 dimensions": ({"limit-kernel"}, _later(lambda: _deep(300, ["X", list(range(301))]))),
    "a kernel of 64 rows in 63 dimensions": ({"kernel-sign"}, _later(lambda: _deep(63, ["X", list(range(64))]))),
    "bounds in 300 dimensions": ({"limit-bounds"}, _later(lambda: _deep(300, ["B", list(range(300))]))),
    "bounds in 31 dimensions": (
        {"bounds-nothing", "bounds-singular"},
        _later(lambda: _deep(31, ["B", list(range(32))])),
    ),
    "bounds of 15,000 classes": ({"limit-bounds"}, _later(lambda: _parabola(15_000, [["B", [0]]]))),
    "bounds of 1000 classes": ({"bounds-nothing"}, _later(lambda: _parabola(1000, [["B", [0, 1]]]))),
    "templates without end": (
        {"limit-templates", "no-last-line"},
        _repeated(FOLD_HEADER, _lines(*FOLD_RECORDS[:2]), 12_000),
    ),
    "templates of 400,000 integers": (
        {"limit-templates"},
        _later(lambda: _file(FOLD_HEADER, *[_lines(["T", 2, [0], [], [[1, 1]] * 60_000, []], ["L", 1, 0])] * 5)),
    ),
    "a template of 150,000 rows": (
        {"hash"},
        _later(lambda: _file(FOLD_HEADER, _lines(["T", 2, [0], [], [[1, 1]] * 150_000, []], ["L", 1, 5]), *END)),
    ),
    "a template of 200 large integers": (
        {"hash"},
        _later(lambda: _file(FOLD_HEADER, _lines(["T", 2, [0], [], [[10**3999, 1]] * 200, []], ["L", 1, 0]), *END)),
    ),
    "anchors of 4000 digits": (
        {"hash"},
        _later(
            lambda: _file(
                FOLD_HEADER,
                _lines(["T", 2, [0], [], [[1, 1]], [[10**3998 + k, 1] for k in range(120)]], ["L", *[10**3998] * 120]),
                *END,
            )
        ),
    ),
    "a chart over many denominators": (
        {"limit-templates", "limit-network"},
        _later(lambda: _wide_chart([[10**3999 + 2 * k + 1, 0, 1] for k in range(120)])),
    ),
    "a chart of 1000 coordinates": ({"tree-open"}, _later(lambda: _wide_chart([[1, 0, 1]] * 999))),
    "a square chart of 1500 coordinates": (
        {"limit-templates"},
        _later(lambda: _wide_chart([], width=1500, pivots=list(range(1500)))),
    ),
    "a chain of 10,000 templates": (
        {"limit-templates", "tree-open", "no-last-line"},
        _later(lambda: _file(FOLD_HEADER, _lines(*FOLD_RECORDS[:2]), *_doubling(9_999))),
    ),
    "a claim of 100,000 digits": (
        {"tree-closed"},
        _later(
            lambda: _file(
                Certificate(TWO, TWO_CLAIM, TWO_TREE)
                .data()
                .replace(
                    b'"cells":2,"regions":2,"affine_maps":2',
                    b'"cells":' + b"9" * 100_000 + b',"regions":null,"affine_maps":null',
                )
                .rsplit(b'["Z"', 1)[0],
                b'["L",1,0]\n',
            )
        ),
    ),
    "a reference with half a million empty lists": (
        {"reference-size", "reference-template"},
        _later(lambda: _file(FOLD_HEADER, b'["Q",0,[' + b"[]," * 330_000 + b"[]],[]]\n")),
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

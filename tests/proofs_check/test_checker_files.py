"""Files that are none, hostile files, networks that are none, and the command line."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proofs_check import Rejected, Unreadable, check
from tests.proofs_check.tiny_producer import certificate, produce
from tests.proofs_check.verdicts import CLAIM, TREE, TWO_RELUS, rule_of

GOOD = certificate(TWO_RELUS, TREE, CLAIM)
PACKAGE = Path(__file__).parents[2] / "proofs_check"


def closed(lines: bytes) -> bytes:
    """The lines with a right last line."""
    count = lines.count(b"\n") - 1
    return lines + f'["Z",{count},"{hashlib.sha256(lines).hexdigest()}"]\n'.encode()


def with_record(record: bytes) -> bytes:
    """The header, then this line."""
    return closed(GOOD[: GOOD.index(b"\n") + 1] + record + b"\n")


FILES: list[tuple[str, bytes]] = [
    ("no-last-line", b""),
    ("blank-line", b"\n"),
    ("json", b"{\n"),
    ("json", b"hello\n"),
    ("header", b"[]\n"),
    ("header", b"{}\n"),
    ("header", GOOD.replace(b"certificate/1", b"certificate/2")),
    ("header", GOOD.replace(b'"claim"', b'"more":1,"claim"')),
    ("header", GOOD.replace(b"00000000", b"A0000000", 1)),
    ("encoding", b"\xef\xbb\xbf" + GOOD),
    ("encoding", GOOD.decode().encode("utf-16")),
    ("encoding", GOOD.decode().encode("utf-16-le")),
    ("line-ending", GOOD.replace(b"\n", b"\r\n")),
    ("line-ending", with_record(b'["M",0]\r')),
    ("blank-line", with_record(b"")),
    ("encoding", with_record(b'["M",\x00]')),
    ("encoding", with_record('["M",\u0661]'.encode())),  # an Arabic digit one
    ("json", GOOD.replace(b'"cells":2', b'"cells":NaN')),
    ("json", GOOD.replace(b'"cells":2', b'"cells":02')),
    ("header", GOOD.replace(b'"cells":2', b'"cells":-0')),
    ("header", GOOD.replace(b'"cells":2', b'"cells":2e0')),
    ("duplicate-key", GOOD.replace(b'"cells":2', b'"cells":2,"cells":2')),
    ("duplicate-key", GOOD.replace(b'"input_dim":1', b'"input_dim":1,"input_dim":1')),
    ("limit-nesting", b"[" * 300_000 + b"\n"),
    ("limit-nesting", b'{"a":' * 1000 + b"\n"),
    ("limit-values", b"[" + b"0," * 600_000 + b"0]\n"),
    ("limit-values", b"[" * 7_999_999 + b"\n"),
    ("limit-digits", GOOD.replace(b'"cells":2', b'"cells":' + b"9" * 900_000)),
    ("limit-digits", with_record(b'["M",' + b"9" * 900_000 + b"]")),
    ("limit-digits", with_record(b'["M",' + b"9" * 4001 + b"]")),
    ("selector", with_record(b'["M",' + b"9" * 4000 + b"]")),
    ("limit-nesting", with_record(b'["M",' + b"[" * 500_000 + b"]")),
    ("limit-line", with_record(b'["M",' + b" " * 1_000_000 + b"]")),
    ("limit-line", b" " * 8_000_001),
    ("limit-line", b" " * 8_000_001 + b"\n"),
    *[
        ("record", with_record(record))
        for record in (
            b'["M",00]',
            b'["M",-0]',
            b'["M",+0]',
            b'["M",0.0]',
            b'["M",0e0]',
            b'["M",true]',
            b'["M",null]',
            b'["M", 0]',
            b'["M",0] ',
            b' ["M",0]',
            b'["M",0,0]',
            b'["M",[0]]',
            b'["m",0]',
            b'["Q",0]',
            b'["MM",0]',
            b'["\\u004d",0]',
            b'["E",0,0]',
            b'["E",0,0,0]',
            b'["E",0,0,[0,]]',
            b'["E",0,0,[0],[1],[1]]',
            b'["X"]',
            b'["X",[0],1]',
            b'["L"]',
            b'["L",[1]]',
            b'["L",1,"2"]',
            b'["W",0]',
            b'["W",0,1,2]',
            b'["N",0,1,[0]]',
            b'["N",0,1,[0],[1],[0]]',
            b'["N",[0],1,[0],[1]]',
            b'["Z",1,"00"]',
            b'["Z",1,"' + b"A" * 64 + b'"]',
            b'{"M":0}',
            b"[]",
            b"null",
        )
    ],
]


@pytest.mark.parametrize(("rule", "data"), FILES)
def test_a_file_that_is_none(tmp_path: Path, rule: str, data: bytes) -> None:
    assert rule_of(tmp_path, data)[0] == rule


def test_special_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for name in (str(tmp_path / "none"), str(tmp_path), str(tmp_path / "fifo"), "/dev/zero", "a\0b"):
        with pytest.raises(Unreadable) as failure:
            check(name)
        assert (failure.value.rule, failure.value.place) == ("io", "file")


def test_gzip_by_name(tmp_path: Path) -> None:
    packed = gzip.compress(GOOD, mtime=0)
    path = tmp_path / "certificate.jsonl.gz"
    path.write_bytes(packed)
    assert check(str(path)).cells == 2
    bad: list[tuple[str, bytes]] = [
        ("gzip", GOOD),
        ("gzip", b""),
        ("gzip", packed[:-1]),
        ("gzip", packed[:40]),
        ("gzip", packed + b"x"),
        ("gzip", packed + gzip.compress(b"")),
        ("gzip", packed[:50] + bytes([packed[50] ^ 255]) + packed[51:]),
        ("gzip", packed[:-8] + bytes([packed[-8] ^ 1]) + packed[-7:]),
        ("limit-line", gzip.compress(bytes(100_000_000), 9)),
    ]
    for rule, data in bad:
        path.write_bytes(data)
        with pytest.raises(Unreadable) as failure:
            check(str(path))
        assert failure.value.rule == rule
    assert rule_of(tmp_path, packed)[0] in ("encoding", "cut-line")  # under a plain name


def test_a_huge_line_costs_little(tmp_path: Path) -> None:
    path = tmp_path / "huge.jsonl"
    with path.open("wb") as file:
        file.write(GOOD[: GOOD.index(b"\n") + 1] + b'["M",')
        file.truncate(400_000_000)
    run = subprocess.run(
        [sys.executable, "-S", "-E", "-m", "proofs_check", str(path)],
        cwd=PACKAGE.parent,
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (64_000_000, 64_000_000)),
    )
    assert (run.returncode, run.stderr) == (2, "")
    assert run.stdout == "UNREADABLE limit-line at line 2: more than 1000000 bytes\n"


def network(**changes: Any) -> dict[str, Any]:
    return {**TWO_RELUS, **changes}


def one_layer(**layer: Any) -> dict[str, Any]:
    return network(layers=[layer])


HEAD = {"query": {"weight": [[1]]}, "keys": [[1], [2]], "values": [[1], [2]]}
SLOPES: list[Any] = [True, None, [], "", ".", "-", "1/0", "1/-2", "1/2.5", " 1", "1 ", "1_0", "0x1", "nan", "1e"]
SLOPES += ["1e4001", "1e-4001", "\u0661"]
NETWORKS: list[tuple[str, dict[str, Any]]] = [
    ("network-keys", network(format="exactgeo-network/2")),
    ("network-keys", network(more=1)),
    ("network-keys", {key: value for key, value in TWO_RELUS.items() if key != "layers"}),
    ("network-number", network(input_dim="1")),
    ("network-number", network(input_dim=True)),
    ("network-number", network(input_dim=0)),
    ("network-number", network(input_dim=1001)),
    ("network-number", network(input_dim=1.0)),
    ("network-domain", network(domain={})),
    ("network-domain", network(domain=[])),
    ("network-domain", network(domain={"box": [[0, 1]], "inequalities": []})),
    ("network-domain", network(domain={"box": [[1, 1]]})),
    ("network-shape", network(domain={"box": [[0, 1], [0, 1]]})),
    ("network-shape", network(domain={"box": [[0, 1, 2]]})),
    ("network-shape", network(domain={"inequalities": [[0, 1, 2]]})),
    ("network-domain", network(domain={"inequalities": None})),
    ("network-shape", network(layers=[])),
    ("network-keys", network(layers=[1])),
    ("network-keys", one_layer(type="softmax")),
    ("network-keys", one_layer(type=["relu"])),
    ("network-keys", one_layer(type="relu", residual=True)),
    ("network-keys", one_layer(type="leaky_relu")),
    ("network-shape", one_layer(type="linear", weight=[])),
    ("network-shape", one_layer(type="linear", weight=[[]])),
    ("network-shape", one_layer(type="linear", weight=[[1, 2]])),
    ("network-shape", one_layer(type="linear", weight=[[1]], bias=[1, 2])),
    ("network-shape", one_layer(type="linear", weight=[[1]], bias=None)),
    ("network-shape", one_layer(type="maxout", units=[])),
    ("network-shape", one_layer(type="ffn", hidden={"weight": [[1]]}, output={"weight": [[1], [1]]}, residual=True)),
    ("network-shape", one_layer(type="ffn", hidden={"weight": [[1]]}, output={"weight": [[1]]}, residual=1)),
    ("network-shape", one_layer(type="ffn", hidden=[[1]], output={"weight": [[1]]})),
    ("network-shape", one_layer(type="attention", heads=[])),
    ("network-shape", one_layer(type="attention", heads=[HEAD, HEAD], residual=True)),
    ("network-shape", one_layer(type="attention", heads=[{**HEAD, "keys": [[1, 2]]}])),
    ("network-shape", one_layer(type="attention", heads=[{**HEAD, "values": [[1]]}])),
    ("network-shape", one_layer(type="attention", heads=[{**HEAD, "score_bias": [1]}])),
    ("network-keys", one_layer(type="tropical_attention", heads=[HEAD])),
    *[("network-number", one_layer(type="leaky_relu", slope=slope)) for slope in SLOPES],
    ("limit-network", one_layer(type="linear", weight=[[f"1/{10**3999 + i}"] for i in range(400)])),
]


@pytest.mark.parametrize(("rule", "bad"), NETWORKS)
def test_a_network_that_is_none(tmp_path: Path, rule: str, bad: dict[str, Any]) -> None:
    assert rule_of(tmp_path, certificate(bad, TREE, CLAIM)) == (rule, "network")


def run(*arguments: str, cwd: Path = PACKAGE.parent) -> tuple[int, str, str]:
    command = [sys.executable, "-S", "-E", "-m", "proofs_check", *arguments]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


def test_the_folder_alone_is_enough(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "proofs_check", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "good.jsonl").write_bytes(GOOD)
    expected = (0, "VERIFIED cells=2 regions=2 affine_maps=2\n", "")
    assert run("good.jsonl", cwd=tmp_path) == expected


def test_the_command_line(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_bytes(GOOD)
    bad.write_bytes(certificate(TWO_RELUS, TREE[:3], CLAIM))
    code, out, err = run(str(good), "--json")
    answer = json.loads(out)
    assert (code, err, answer.pop("seconds") >= 0) == (0, "", True)
    assert answer == {
        "verdict": "VERIFIED",
        "cells": 2,
        "regions": 2,
        "affine_maps": 2,
        "rule": None,
        "place": None,
        "detail": None,
        "network_sha256": "0" * 64,
        "records": 4,
    }
    assert run(str(bad)) == (1, "REJECTED tree-open at line 5: after 1 cells\n", "")
    code, out, _ = run(str(bad), "--json")
    assert (code, json.loads(out)["verdict"], json.loads(out)["rule"]) == (1, "REJECTED", "tree-open")
    code, out, err = run(str(tmp_path / "none"))
    assert (code, out.split()[:2], err) == (2, ["UNREADABLE", "io"], "")
    for options in ([], ["--no"], [str(good), "x"], [str(good), "--theorem", "V.8"], [str(good), "--d", "1"]):
        code, out, err = run(*options)
        assert (code, out, err.count("\n")) == (2, "", 1)
    for sizes in (["1", "1"], ["0", "1", "1"], ["1", "1", "1", "1"], ["1", "x", "1"], ["9" * 5000, "1", "1"]):
        names = ["--d", "--N", "--L", "--d-ff"]
        options = [part for pair in zip(names, sizes, strict=False) for part in pair]
        code, out, err = run(str(good), "--theorem", "V.7", *options)
        assert (code, out == "", err.count("\n")) in ((2, True, 1), (1, False, 0))


def construction(d: int, n: int, blocks: int, d_ff: int) -> dict[str, Any]:
    """Theorem V.7's network, written down a second time."""
    w = d_ff // (2 * d)
    identity = [[int(i == j) for j in range(d)] for i in range(d)]
    sites = [f"{2 * j - 1}/{2 * n}" for j in range(1, n + 1)]
    squares = [f"-{(2 * j - 1) ** 2}/{8 * n * n}" for j in range(1, n + 1)]
    heads = [
        {
            "query": {"weight": [identity[h], [0] * d], "bias": [0, 1]},
            "keys": [[p, s] for p, s in zip(sites, squares, strict=True)],
            "values": [["-" + p] for p in sites],
        }
        for h in range(d)
    ]
    hidden = [[n * entry for entry in identity[i]] for i in range(d) for _ in range(2 * w)]
    bias: list[Any] = [f"{w - m}/{2 * w}" for _ in range(d) for m in range(2 * w)]
    teeth = [2 * w] + [4 * w * (-1) ** m for m in range(1, 2 * w)]
    output = [[teeth[m] if i == k else 0 for k in range(d) for m in range(2 * w)] for i in range(d)]
    spare = d_ff - 2 * w * d
    hidden, bias = hidden + [[0] * d] * spare, bias + [0] * spare
    block = [
        {"type": "attention", "residual": True, "heads": heads},
        {
            "type": "ffn",
            "hidden": {"weight": hidden, "bias": bias},
            "output": {"weight": [r + [0] * spare for r in output]},
        },
    ]
    return {
        "format": "exactgeo-network/1",
        "input_dim": d,
        "domain": {"box": [[0, 1]] * d},
        "layers": block * blocks,
    }


@pytest.mark.parametrize(("d", "n", "blocks", "d_ff"), [(1, 2, 1, 2), (1, 2, 2, 3), (1, 3, 1, 4), (2, 2, 1, 5)])
def test_the_theorem(tmp_path: Path, d: int, n: int, blocks: int, d_ff: int) -> None:
    path = tmp_path / "v7.jsonl"
    path.write_bytes(produce(construction(d, n, blocks, d_ff)))
    w, exponent = d_ff // (2 * d), d * blocks
    options = ["--theorem", "V.7", "--d", f"{d}", "--N", f"{n}", "--L", f"{blocks}", "--d-ff", f"{d_ff}"]
    code, out, err = run(str(path), *options)
    count = (2 * w * n) ** exponent
    first, second = out.splitlines()
    assert (code, err) == (0, "")
    assert first.startswith(f"VERIFIED cells={count} regions={count} ")
    assert second == (
        f"Theorem V.7 d={d} N={n} L={blocks} d_ff={d_ff} w={w}: cells={count} regions={count} "
        f"(2wN)^(dL)={count} paper's bound (Nw)^(dL)={(n * w) ** exponent}: holds"
    )
    code, out, _ = run(str(path), "--json", *options)
    assert (code, json.loads(out)["holds"], json.loads(out)["construction_count"]) == (0, True, count)
    for place in (3, 5, 7):
        other = [*options]
        other[place] = str(int(other[place]) + 1)
        if place == 3:
            other[-1] = "1000"
        assert run(str(path), *other)[1].startswith("REJECTED theorem-network at network: ")


def test_another_network_is_not_the_theorem(tmp_path: Path) -> None:
    from proofs_check.extensions.theorem import Theorem

    good = construction(1, 2, 1, 2)
    theorem = Theorem(1, 2, 1, 2)
    path = tmp_path / "v7.jsonl"

    def verdict(bad: dict[str, Any]) -> str:
        path.write_bytes(certificate(bad, [], CLAIM))
        with pytest.raises(Rejected) as failure:
            check(str(path), None, theorem)
        return failure.value.rule

    assert verdict(good) == "tree-open"
    changes: list[Callable[[Any], Any]] = [
        lambda bad: bad.update(domain={"box": [[0, 2]]}),
        lambda bad: bad.update(layers=bad["layers"][::-1]),
        lambda bad: bad["layers"][0].pop("residual"),
        lambda bad: bad["layers"][1].update(residual=True),
        lambda bad: bad["layers"][0]["heads"][0].update(score_bias=[0, 1]),
        lambda bad: bad["layers"][0]["heads"][0]["keys"][0].reverse(),
        lambda bad: bad["layers"][0]["heads"][0]["values"].reverse(),
        lambda bad: bad["layers"][0]["heads"][0]["query"].update(bias=[1, 1]),
        lambda bad: bad["layers"][0].update(output={"weight": [[2]]}),
        lambda bad: bad["layers"][0].update(output={"weight": [[1]], "bias": [1]}),
        lambda bad: bad["layers"][1]["hidden"].update(weight=[[2], [3]]),
        lambda bad: bad["layers"][1]["hidden"].update(bias=[0, 0]),
        lambda bad: bad["layers"][1]["output"].update(bias=[1]),
        lambda bad: bad["layers"][1]["output"].update(weight=[[2, 4]]),
    ]
    for change in changes:
        bad = json.loads(json.dumps(good))
        change(bad)
        assert verdict(bad) == "theorem-network"
    spelled = json.loads(json.dumps(good).replace('"1/4"', '"0.250"'))
    spelled["layers"][0]["output"] = {"weight": [["2/2"]], "bias": ["0"]}
    assert verdict(spelled) == "tree-open"

"""Certificates with templates and bounds: random ones are true, and their counts may have any number of digits."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import proofs_check.__main__
from proofs_check import Rejected, Result, check
from proofs_check.__main__ import main
from proofs_check.extensions.theorem import Theorem
from proofs_check.lowering.objects import parse_object
from tests.proofs_check.bases import random_shared_base, shared_bases
from tests.proofs_check.checkers import Certificate, honest
from tests.proofs_check.corpus_templates import FOLD, FOLD_RECORDS
from tests.proofs_check.sharing import shared


def test_designed_networks(tmp_path: Path) -> None:
    checker = honest(tmp_path)
    for base in shared_bases():
        verdict = checker(base.certificate.data())
        assert verdict.accepted, f"{base.name}: {verdict.rule}"
        assert verdict.cells == base.truth[0]
        for bounds, truth in ((verdict.regions, base.truth[1]), (verdict.affine_maps, base.truth[2])):
            assert bounds[0] <= truth <= bounds[1], base.name


@pytest.mark.parametrize("part", range(4))
def test_random_networks(part: int, tmp_path: Path) -> None:
    checker = honest(tmp_path)
    kinds = set()
    for seed in range(part, 100, 4):
        base = random_shared_base(seed)
        verdict = checker(base.certificate.data())
        assert verdict.accepted, f"{base.name}: {verdict.rule}"
        assert verdict.cells == base.truth[0]
        kinds |= {record[0] for record in base.certificate.records}
    assert kinds == set("TRQBMLX")


def many_folds(times: int) -> Certificate:
    """FOLD with so many stages, each of them a template that refers to the next one twice: 2^times cells."""
    layer: list[dict[str, Any]] = FOLD["layers"][:2]
    interval = [[1, 1], [1, -1]]
    records: list[list[Any]] = [["T", times, [0], [], interval, []], ["L", 1, 0]]
    for s in reversed(range(times)):
        number, left, right = times - 1 - s, 3 + 2 * s, 2 + 2 * s
        records += [["T", s, [0], [], interval, []], ["M", 0]]
        records.append(["Q", number, [[0], [left]], [[0], [1], [1]]])
        records.append(["Q", number, [[1], [right]], [[1], [0], [1]]])
    records.append(["Q", times, [[0], [1]], [[0], [1]]])
    claim = dict.fromkeys(("cells", "regions", "affine_maps"), 2**times)
    return Certificate({**FOLD, "layers": layer * times}, claim, records)


def test_two_folds_are_those_of_the_corpus() -> None:
    assert many_folds(2).records[:6] == FOLD_RECORDS[:6]


def test_many_folds(tmp_path: Path) -> None:
    path = tmp_path / "folds.jsonl"
    path.write_bytes(many_folds(500).data())
    result = check(str(path))
    assert result.cells == 2**500
    assert result.regions == result.affine_maps == (2**500, 2**500)


def test_a_claim_of_5000_digits_is_read() -> None:
    """Python alone would refuse to read so many digits."""
    value: Any = parse_object('{"a":1' + "0" * 4999 + ',"b":-7' + "0" * 4999 + "}")
    assert value == {"a": 10**4999, "b": -7 * 10**4999}


def test_a_number_of_5000_digits_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cells = 10**4999
    found = Result(cells, (cells, cells), (1, cells), "0" * 64, 1)
    monkeypatch.setattr(proofs_check.__main__, "check", lambda *_: found)
    before = sys.get_int_max_str_digits()
    try:
        assert main(["file"]) == 0
        digits = "1" + "0" * 4999
        assert capsys.readouterr().out == f"VERIFIED cells={digits} regions={digits} affine_maps=1..{digits}\n"
        assert main(["file", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["cells"] == cells
    finally:
        sys.set_int_max_str_digits(before)


def test_a_wrong_claim_of_5000_digits(tmp_path: Path) -> None:
    certificate = many_folds(3)
    certificate.claim = {"cells": 10**4000, "regions": None, "affine_maps": None}
    path = tmp_path / "folds.jsonl"
    path.write_bytes(certificate.data())
    with pytest.raises(Rejected) as failure:
        check(str(path))
    assert (failure.value.rule, failure.value.detail) == ("cells", "8, not an integer of 13288 bits")


@pytest.mark.parametrize(("d", "n", "blocks"), [(1, 2, 3), (2, 2, 1)])
def test_theorem_v7_by_templates(d: int, n: int, blocks: int, tmp_path: Path) -> None:
    """The network of the theorem, with a certificate that the tests' own producer shares."""
    certificate = shared(theorem_network(d, n, blocks), share=1.0, bound=0.2)
    path = tmp_path / "v7.jsonl"
    path.write_bytes(certificate.data())
    result = check(str(path), theorem=Theorem(d, n, blocks, 2 * d))
    assert result.cells == (2 * n) ** (d * blocks)


def theorem_network(d: int, n: int, blocks: int) -> dict[str, Any]:
    """Theorem V.7 with w = 1, from its formulas."""
    unit = [[int(i == j) for j in range(d)] for i in range(d)]
    sites = [(2 * j - 1, 2 * n) for j in range(1, n + 1)]
    heads = [
        {
            "query": {"weight": [unit[h], [0] * d], "bias": [0, 1]},
            "keys": [[f"{p}/{q}", f"-{p * p}/{2 * q * q}"] for p, q in sites],
            "values": [[f"-{p}/{q}"] for p, q in sites],
        }
        for h in range(d)
    ]
    hidden = {
        "weight": [[n * value for value in unit[i]] for i in range(d) for _ in range(2)],
        "bias": ["1/2", "0"] * d,
    }
    output = {"weight": [[v for j in range(d) for v in ((2, -4) if i == j else (0, 0))] for i in range(d)]}
    layers = [
        {"type": "attention", "residual": True, "heads": heads},
        {"type": "ffn", "hidden": hidden, "output": output},
    ]
    return {"format": "exactgeo-network/1", "input_dim": d, "domain": {"box": [[0, 1]] * d}, "layers": layers * blocks}

"""The certificate of FORMAT.md, section 10, each kind of record, and each rule that rejects."""

from __future__ import annotations

import copy
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from proofs_check import RULES, check, lowering
from proofs_check.core.limits import LIMITS, Meter
from proofs_check.core.stage import Model
from proofs_check.lowering import Network
from tests.proofs_check.tiny_producer import Producer, certificate
from tests.proofs_check.verdicts import CLAIM, TREE, TWO_RELUS, rule_of, verdict

ROOT = Path(__file__).parents[2] / "proofs_check"
FORMAT = (ROOT / "FORMAT.md").read_text(encoding="utf-8")


def test_the_certificate_by_hand(tmp_path: Path) -> None:
    header, records = (block.strip() for block in re.findall(r"```\n(.*?)```", FORMAT, re.DOTALL)[:2])
    body = f"{header}\n{records}\n".encode()
    result = verdict(tmp_path, body + f'["Z",4,"{hashlib.sha256(body).hexdigest()}"]\n'.encode())
    assert (result.cells, result.regions, result.affine_maps, result.records) == (2, (2, 2), (2, 2), 4)


def test_the_templates_by_hand(tmp_path: Path) -> None:
    header, records = (block.strip() for block in re.findall(r"```\n(.*?)```", FORMAT, re.DOTALL)[2:4])
    body = f"{header}\n{records}\n".encode()
    result = verdict(tmp_path, body + f'["Z",9,"{hashlib.sha256(body).hexdigest()}"]\n'.encode())
    assert (result.cells, result.regions, result.affine_maps, result.records) == (4, (4, 4), (4, 4), 9)


def test_the_table_of_rules_is_that_of_the_format_and_of_the_source() -> None:
    section = FORMAT[FORMAT.index("## 8") : FORMAT.index("## 9")]
    assert dict(re.findall(r"^\| `([a-z-]+)` \| (.*) \|$", section, re.MULTILINE)) == RULES
    source = "".join(path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py"))
    raised = set(re.findall(r"(?:Rejected|Unreadable)\(\s*\"([a-z-]+)\"", source))
    assert raised | {limit.rule for limit in LIMITS.values() if limit.rule} == set(RULES)


def test_unclaimed_numbers_are_bounds(tmp_path: Path) -> None:
    result = verdict(tmp_path, certificate(TWO_RELUS, TREE, {"cells": 2, "regions": None, "affine_maps": None}))
    assert (result.regions, result.affine_maps) == ((1, 2), (1, 2))
    result = verdict(tmp_path, certificate(TWO_RELUS, TREE, {"cells": 2, "regions": None, "affine_maps": 2}))
    assert (result.regions, result.affine_maps) == ((1, 2), (2, 2))


def test_explicit_multipliers_and_an_empty_child(tmp_path: Path) -> None:
    # M on selector 0 instead of E: its child 0 (x < 0) is empty by the rows 0 and 3 of the domain and of the winner.
    records: list[list[Any]] = [["M", 0], ["X", [0, 3], [5, 5]], ["M", 1], ["L", 2, 1], ["L", 2, 3]]
    assert verdict(tmp_path, certificate(TWO_RELUS, records, CLAIM)).cells == 2


TREES: list[tuple[str, list[list[Any]]]] = [
    ("tree-open", TREE[:3]),
    ("tree-closed", [*TREE, ["L", 2, 3]]),
    ("tree-closed", [*TREE, ["X", [0, 3]]]),
    ("tree-open", [*TREE[:3], ["W", 0, 1], TREE[3]]),
    ("selector", [["M", 2]]),
    ("selector", [["M", -1]]),
    ("settled", [TREE[0], ["M", 0]]),
    ("settled", [TREE[0], ["E", 0, 1, [0, 3]]]),
    ("class", [["E", 0, 2, [0, 3]]]),
    ("class", [["E", 0, -1, [0, 3]]]),
    ("cited-none", [["E", 0, 0, []]]),
    ("cited-order", [["E", 0, 0, [3, 0]]]),
    ("cited-order", [["E", 0, 0, [0, 0]]]),
    ("cited-order", [["E", 0, 0, [-1, 3]]]),
    ("not-citable", [["E", 0, 0, [0, 6]]]),
    ("not-citable", [["E", 0, 0, [0, 5]]]),  # of the unsettled selector 1
    ("not-citable", [["E", 0, 0, [0, 2]]]),  # the class's own candidate
    ("not-citable", [["X", [0, 3]]]),  # only an E record may suppose a winner
    ("multipliers", [["E", 0, 0, [0, 3], [1]]]),
    ("multipliers", [["E", 0, 0, [0, 3], [1, 0]]]),
    ("multipliers", [["E", 0, 0, [0, 3], [-1, -1]]]),
    ("kernel", [["E", 0, 0, [0]]]),
    ("kernel", [["E", 0, 0, [0, 1, 3]]]),
    ("kernel-sign", [["E", 1, 1, [0, 4]]]),
    ("farkas-normal", [["E", 0, 0, [0, 3], [1, 2]]]),
    ("farkas-constant", [["E", 0, 1, [1, 2]]]),
    ("not-final", [["E", 0, 0, [0, 3]], ["L", 2, 1]]),
    ("point", [*TREE[:2], ["L", 2]]),
    ("point", [*TREE[:2], ["L", 2, 1, 1]]),
    ("point", [*TREE[:2], ["L", -2, -1]]),
    ("point", [*TREE[:2], ["L", 0, 1]]),
    ("point-row", [*TREE[:2], ["L", 1, 0]]),  # on the domain's boundary
    ("point-row", [*TREE[:2], ["L", 1, 1]]),  # on the wall
    ("point-row", [*TREE[:2], ["L", 2, 3]]),  # in the other cell
    ("leaf-number", [*TREE, ["W", 0, 2]]),
    ("leaf-number", [*TREE, ["W", -1, 1]]),
    ("leaf-number", [*TREE, ["W", 1, 0]]),
    ("leaf-number", [*TREE, ["W", 1, 1]]),
    ("leaf-number", [*TREE, ["N", 1, 1, [0], []]]),
    ("other-map", [*TREE, ["W", 0, 1]]),
]


@pytest.mark.parametrize(("rule", "records"), TREES)
def test_a_rejected_tree(tmp_path: Path, rule: str, records: list[list[Any]]) -> None:
    found, place = rule_of(tmp_path, certificate(TWO_RELUS, records, CLAIM))
    assert found == rule
    assert re.fullmatch(r"line \d+", place)


@pytest.mark.parametrize(
    ("rule", "claim"),
    [
        ("cells", {"cells": 3, "regions": 2, "affine_maps": 2}),
        ("cells", {"cells": 1, "regions": 1, "affine_maps": 1}),
        ("regions", {"cells": 2, "regions": 1, "affine_maps": 2}),
        ("regions", {"cells": 2, "regions": [3, 4], "affine_maps": 2}),
        ("affine-maps", {"cells": 2, "regions": 2, "affine_maps": 1}),
        ("header", {"cells": 2, "regions": 2, "affine_maps": None}),
        ("header", {"cells": True, "regions": 2, "affine_maps": 2}),
        ("header", {"cells": 2.0, "regions": 2, "affine_maps": 2}),
        ("header", {"cells": "2", "regions": 2, "affine_maps": 2}),
        ("header", {"cells": 2, "regions": [2, 1], "affine_maps": 2}),
        ("header", {"cells": 2, "regions": [2], "affine_maps": 2}),
        ("header", {"cells": 0, "regions": None, "affine_maps": None}),
        ("header", {"cells": 2, "regions": 2}),
    ],
)
def test_a_wrong_claim(tmp_path: Path, rule: str, claim: dict[str, Any]) -> None:
    assert rule_of(tmp_path, certificate(TWO_RELUS, TREE, claim))[0] == rule


def test_region_records_need_a_claim(tmp_path: Path) -> None:
    claim = {"cells": 2, "regions": None, "affine_maps": 2}
    assert rule_of(tmp_path, certificate(TWO_RELUS, [*TREE, ["W", 0, 1]], claim))[0] == "regions-unclaimed"


def test_a_zero_row_proves_nothing(tmp_path: Path) -> None:
    network = {**TWO_RELUS, "domain": {"inequalities": [[0, 0], [0, 1], [2, -1]]}}
    assert rule_of(tmp_path, certificate(network, [["X", [0]]], CLAIM))[0] == "farkas-proviso"
    assert rule_of(tmp_path, certificate(network, [["X", [0], [7]]], CLAIM))[0] == "farkas-proviso"


def test_an_empty_domain_has_no_certificate_of_a_cell(tmp_path: Path) -> None:
    network = {**TWO_RELUS, "domain": {"inequalities": [[-1, 0]]}}
    # the node is empty, and 0 cells cannot be claimed
    assert rule_of(tmp_path, certificate(network, [["X", [0]]], CLAIM))[0] == "cells"


HAT: dict[str, Any] = {  # 0 below 0, x on [0,1], 2-x on [1,2], 0 above 2
    "format": "exactgeo-network/1",
    "input_dim": 1,
    "layers": [
        {
            "type": "ffn",
            "hidden": {"weight": [[1], [1], [1]], "bias": [0, -1, -2]},
            "output": {"weight": [[1, -2, 1]]},
        }
    ],
}
DEAD: dict[str, Any] = {  # the unit x has no effect: two cells, one region
    "format": "exactgeo-network/1",
    "input_dim": 2,
    "layers": [{"type": "ffn", "hidden": {"weight": [[1, 0]]}, "output": {"weight": [[0]]}}],
}


def test_equal_maps_far_apart_are_two_regions(tmp_path: Path) -> None:
    producer = Producer(HAT)
    claim = {"cells": 4, "regions": 4, "affine_maps": 3}
    # leaves 0 and 3 differ in three selectors with three different hyperplanes: free, no N record is needed
    assert producer.regions() == 4
    assert [record[0] for record in producer.records].count("N") == 0
    assert verdict(tmp_path, certificate(HAT, producer.records, claim)).regions == (4, 4)


def test_walls_join_and_their_absence_leaves_bounds(tmp_path: Path) -> None:
    tree = [["M", 0], ["L", 1, -1, 0], ["L", 1, 1, 0]]
    one = {"cells": 2, "regions": 1, "affine_maps": 1}
    for wall in (["W", 0, 1], ["W", 0, 1, [1, 0, 5]]):
        assert verdict(tmp_path, certificate(DEAD, [*tree, wall], one)).regions == (1, 1)
    assert rule_of(tmp_path, certificate(DEAD, tree, one))[0] == "regions"
    bounds = {"cells": 2, "regions": [1, 2], "affine_maps": 1}
    assert verdict(tmp_path, certificate(DEAD, tree, bounds)).regions == (1, 2)
    two = {"cells": 2, "regions": 2, "affine_maps": 1}
    assert rule_of(tmp_path, certificate(DEAD, tree, two))[0] == "regions"
    assert rule_of(tmp_path, certificate(DEAD, [*tree, ["W", 0, 1, [1, 1, 0]]], one))[0] == "wall-hyperplane"
    assert rule_of(tmp_path, certificate(DEAD, [*tree, ["W", 0, 1, [1, 0]]], one))[0] == "point"
    assert rule_of(tmp_path, certificate(DEAD, [*tree, ["W", 0, 1, [-1, 0, 0]]], one))[0] == "point"
    # h and -h "separate" everything: rows proportional to h may not be cited
    assert rule_of(tmp_path, certificate(DEAD, [*tree, ["N", 0, 1, [1], [0]]], two))[0] == "proportional"


GATE: dict[str, Any] = {  # relu(relu(x) - 1): 0 for x < 0, 0 for 0 < x < 1, x - 1 beyond
    "format": "exactgeo-network/1",
    "input_dim": 1,
    "layers": [
        {"type": "relu"},
        {"type": "linear", "weight": [[1]], "bias": [-1]},
        {"type": "relu"},
    ],
}
# Leaves: 0: x < 0 (second stage: scores 0, -1 settled by a constant row), 1: 0 < x < 1, 2: x > 1.
GATE_TREE: list[list[Any]] = [
    ["M", 0],
    ["E", 0, 1, [2]],
    ["L", 1, -1],
    ["M", 0],
    ["L", 2, 1],
    ["L", 1, 2],
]


def test_two_stages(tmp_path: Path) -> None:
    claim = {"cells": 3, "regions": 2, "affine_maps": 2}
    assert verdict(tmp_path, certificate(GATE, [*GATE_TREE, ["W", 0, 1]], claim)).regions == (2, 2)
    bounds = {"cells": 3, "regions": [2, 3], "affine_maps": 2}
    assert verdict(tmp_path, certificate(GATE, GATE_TREE, bounds)).regions == (2, 3)
    assert rule_of(tmp_path, certificate(GATE, [["E", 0, 1, [2]]], claim))[0] == "not-citable"
    assert rule_of(tmp_path, certificate(GATE, [["M", 0], ["X", [2]]], claim))[0] == "not-citable"


STRIP: dict[str, Any] = {  # 5 on x < 0, 7 on 0 < x < 1, 5 on x > 1: the outer two have no wall
    "format": "exactgeo-network/1",
    "input_dim": 1,
    "layers": [
        {
            "type": "attention",
            "heads": [{"query": {"weight": [[1]]}, "keys": [[-1], [0], [1]], "score_bias": [0, 0, -1],
                       "values": [[5], [7], [5]]}],
        }
    ],
}  # fmt: skip
STRIP_TREE: list[list[Any]] = [["M", 0], ["L", 1, -1], ["L", 2, 1], ["L", 1, 2]]


def test_separations(tmp_path: Path) -> None:
    # h of the leaves 0 and 2 is -x - (x - 1) = 1 - 2x. Leaf 0 has -x > 0 (row 1): at h = 0, x = 1/2, it is negative.
    exact = {"cells": 3, "regions": 3, "affine_maps": 2}
    for separation in (
        ["N", 0, 2, [1], []],
        ["N", 2, 0, [], [1]],
        ["N", 0, 2, [1], [3], [], []],
        ["N", [0, 1], [2, 1], [], [1]],
        ["N", 0, [2, 1], [1], [1]],
    ):
        data = certificate(STRIP, [*STRIP_TREE, separation], exact)
        if separation[-1] == [1] and separation[3] == [1]:
            assert rule_of(tmp_path, data)[0] == "kernel"  # two rows and h: the kernel is a plane
        else:
            assert verdict(tmp_path, data).regions == (3, 3)
    assert rule_of(tmp_path, certificate(STRIP, STRIP_TREE, exact))[0] == "regions"
    bounds = {"cells": 3, "regions": [2, 3], "affine_maps": 2}
    assert verdict(tmp_path, certificate(STRIP, STRIP_TREE, bounds)).regions == (2, 3)
    for rule, record in (
        ("wall-row", ["W", 0, 2]),
        ("wall-row", ["W", 0, 2, [2, 1]]),
        ("cited-none", ["N", 0, 2, [], []]),
        ("cited-order", ["N", 0, 2, [2, 1], []]),
        ("not-citable", ["N", 0, 2, [0], []]),
        ("not-citable", ["N", 0, 2, [3], []]),
        ("proportional", ["N", 0, 2, [2], []]),
        ("multipliers", ["N", 0, 2, [1], [1, 1], [], []]),
        ("multipliers", ["N", 0, 2, [1], [0], [], []]),
        ("prefix", ["N", [0, 0], 2, [1], []]),
        ("prefix", ["N", [0, 2], 2, [1], []]),
        ("leaf-number", ["N", [7, 1], 2, [1], []]),
    ):
        assert rule_of(tmp_path, certificate(STRIP, [*STRIP_TREE, record], exact))[0] == rule


def test_a_separation_must_end_in_a_nonpositive_constant(tmp_path: Path) -> None:
    square = {**DEAD, "domain": {"box": [[-1, 1], [-1, 1]]}}
    tree = [["M", 0], ["L", 2, -1, 0], ["L", 2, 1, 0]]
    claim = {"cells": 2, "regions": 2, "affine_maps": 1}
    for rule, record in (
        ("separation-constant", ["N", 0, 1, [2, 3], [1, 1], [], []]),  # (y + 1) + (1 - y) = 2
        ("separation-constant", ["N", 0, 1, [0], []]),  # x + 1 - h = 1
        ("separation-normal", ["N", 0, 1, [2], [1], [], []]),
        ("kernel", ["N", 0, 1, [2], []]),
    ):
        assert rule_of(tmp_path, certificate(square, [*tree, record], claim))[0] == rule


def test_stages_named_in_a_separation_must_reach_the_difference(tmp_path: Path) -> None:
    claim = {"cells": 3, "regions": 2, "affine_maps": 2}
    # the leaves 1 and 2 differ in stage 1 only
    found = rule_of(tmp_path, certificate(GATE, [*GATE_TREE, ["N", [1, 1], 2, [0], []]], claim))
    assert found == ("prefix", "line 8")


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (lambda data: data.replace(b'["Z",4', b'["Z",5'), "records"),
        (lambda data: data[:-70] + bytes([data[-70] ^ 1]) + data[-69:], None),
        (lambda data: data + b'["M",0]\n', "after-last-line"),
        (lambda data: data + b"\n", "after-last-line"),
        (lambda data: data + b"x", "cut-line"),
        (lambda data: data[:-1], "cut-line"),
        (lambda data: data[: data.rindex(b'["Z"')], "no-last-line"),
        (lambda data: data.replace(b"[0,2]", b"[0,3]"), "hash"),
    ],
)
def test_the_last_line(tmp_path: Path, change: Any, rule: str | None) -> None:
    found = rule_of(tmp_path, change(certificate(TWO_RELUS, TREE, CLAIM)))[0]
    assert found == rule or rule is None


def test_the_network_file(tmp_path: Path) -> None:
    text = json.dumps(TWO_RELUS, indent=1)
    net = tmp_path / "net.json"
    net.write_text(text, encoding="utf-8")
    sha = hashlib.sha256(text.encode()).hexdigest()
    assert verdict(tmp_path, certificate(TWO_RELUS, TREE, CLAIM, sha), network=str(net)).network_sha256 == sha
    assert rule_of(tmp_path, certificate(TWO_RELUS, TREE, CLAIM), network=str(net)) == ("network-hash", "network")
    other = copy.deepcopy(TWO_RELUS)
    other["domain"]["box"][0][1] = "2"  # the same number in another spelling
    data = certificate(other, TREE, CLAIM, sha)
    assert rule_of(tmp_path, data, network=str(net)) == ("network-object", "network")
    data = certificate(TWO_RELUS, TREE, CLAIM, sha)
    assert rule_of(tmp_path, data, network=str(tmp_path / "none")) == ("io", "file")


def test_what_all_frames_share_is_never_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The frames of a stage share its classes where no scores are equal: who changed them would change all frames."""
    models: list[Model] = []

    def watched(network: Network, meter: Meter) -> Model:
        models.append(lowering.lower(network, meter))
        return models[-1]

    monkeypatch.setattr("proofs_check.checker.lower", watched)
    for path in sorted((Path(__file__).parent / "accept").iterdir()):
        check(str(path))
    seen = [stage for model in models for stage in model.stages]
    assert len(seen) > 50
    for stage in seen:
        sizes = [range(len(selector)) for selector in stage.selectors]
        assert stage.names == [list(size) for size in sizes]
        assert stage.classes == [{j: (j,) for j in size} for size in sizes]

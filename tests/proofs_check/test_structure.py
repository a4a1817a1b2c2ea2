"""The shape of the checker: a small core that stands alone, a file for each kind of layer, one table of limits."""

from __future__ import annotations

import ast
import gzip
import hashlib
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import proofs_check
from proofs_check import Rejected, Unreadable, check
from proofs_check.core.certificate import Proof, Result, run
from proofs_check.core.limits import LIMITS, Meter, demand
from proofs_check.core.stage import Candidate, Stage, Tied
from proofs_check.core.tree import Space, Tree
from proofs_check.lowering import forms, lower, read_header, read_network
from proofs_check.lowering.layer import Layer, Passed, Step, Vector
from proofs_check.lowering.layers import KINDS
from proofs_check.lowering.objects import fields
from tests.proofs_check.lines_of_code import lines_of_code
from tests.proofs_check.make_corpus import HERE
from tests.proofs_check.tiny_producer import certificate

ROOT = Path(proofs_check.__file__).parent
CORE = ROOT / "core"
FORMAT = (ROOT / "FORMAT.md").read_text(encoding="utf-8")


# ---- the core ---------------------------------------------------------------------------------------------------


def test_the_core_is_small() -> None:
    assert lines_of_code(CORE) <= 1000
    assert lines_of_code(ROOT) <= 2550


def test_the_core_imports_the_standard_library_and_itself() -> None:
    for path in CORE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert all(name.name.split(".")[0] in sys.stdlib_module_names for name in node.names), path
            elif isinstance(node, ast.ImportFrom):
                assert node.level <= 1, path
                assert node.level or (node.module or "").split(".")[0] in sys.stdlib_module_names, path


def test_the_core_knows_no_kind_of_layer() -> None:
    """But for `linear`, which is a word of algebra too."""
    words = {*KINDS, "leaky", "tanh", "tropical", "residual", "softmax", "query", "token"} - {"linear"}
    for path in CORE.rglob("*.py"):
        code = path.read_text(encoding="utf-8").lower()
        assert not {word for word in words if re.search(rf"\b{word}(?![a-z])", code)}, path


def test_core_and_lowering_alone_count_cells() -> None:
    """Without an extension: the same verdict about every certificate of cells that are listed."""

    def begin(line: str) -> Proof:
        network, claim = read_header(line)
        model = lower(read_network(network), Meter())
        return Proof(claim, Tree(model, Space(0, model.first, model.domain)))

    def verdict(path: Path, alone: bool) -> Result | tuple[str, str]:
        try:
            return run(str(path), begin) if alone else check(path)
        except (Rejected, Unreadable) as failure:
            return failure.rule, failure.detail

    counted = 0
    for path in sorted((*(HERE / "accept").iterdir(), *(HERE / "reject").iterdir())):
        lines = path.read_bytes().splitlines() if path.suffix != ".gz" else []
        plain = bool(lines) and json.loads(lines[0])["claim"]["affine_maps"] is None
        if plain and all(line[2:3] in b"EMBXLZ" for line in lines[1:]):
            assert verdict(path, True) == verdict(path, False), path.name
            counted += 1
    assert counted > 20


# ---- kinds of layers --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_kind_is_one_file(kind: str) -> None:
    """Its name, as a word of the code: `abs` is also a function."""
    spelled = [path for path in ROOT.rglob("*.py") if f'"{kind}"' in path.read_text(encoding="utf-8")]
    assert len(spelled) == 1
    assert spelled[0].parent == ROOT / "lowering" / "layers"
    if "_" in kind:
        assert [path for path in ROOT.rglob("*.py") if kind in path.read_text(encoding="utf-8")] == spelled


def test_the_kinds_are_those_of_the_format() -> None:
    section = FORMAT[FORMAT.index("### 3.2") : FORMAT.index("### 3.3")]
    assert set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == set(KINDS)


def test_the_forward_pass_shares_no_code_with_the_normal_form() -> None:
    """What makes the one does not name what makes the other."""
    for path in (*(ROOT / "lowering" / "layers").glob("[a-z]*.py"), ROOT / "lowering" / "heads.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                names = {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
                assert not {"forms", "evaluate"} <= names, (path.name, node.name)
                assert node.name not in ("lower", "scores") or "evaluate" not in names, path.name
    forward, normal = ((ROOT / "lowering" / f"{name}.py").read_text(encoding="utf-8") for name in ("evaluate", "forms"))
    assert not re.search(r"^from \.(forms|lower)\b", forward, re.MULTILINE)
    assert not re.search(r"^from \.(evaluate|layer|lower)\b", normal, re.MULTILINE)


@dataclass(frozen=True)
class _Larger(Layer):
    """y_i is the larger of x_i and the `bound`: a toy."""

    bound: int

    def lower(self, meter: Meter) -> Stage:
        found, selectors = forms.Forms(), []
        for i in range(self.outputs):
            numbers = [found.add((self.bound, (), ())), found.add(forms.variable(i))]
            selectors.append([Candidate(k, k, forms.unit(i)) for k in numbers])
        return Stage(found.all, selectors, forms.base([0] * self.outputs, 0), 1)

    def step(self) -> Step:
        def step(x: Vector) -> Passed:
            least = self.bound * x[0]
            tied: Tied = [(1,) if v > least else (0,) if v < least else (0, 1) for v in x[1:]]
            return [x[0], *[max(v, least) for v in x[1:]]], tied

        return step


def _read_larger(value: object, inputs: int, where: str, meter: Meter) -> Layer:
    bound: Any = fields(value, where, ("type", "bound"))["bound"]
    return _Larger(inputs, 2 * inputs, bound)


def test_a_kind_from_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """x -> max(x, 1) on [0, 2]: one entry in the table, and it is checked like any other."""
    layers = [{"type": "larger", "bound": 1}]
    network = {"format": "exactgeo-network/1", "input_dim": 1, "domain": {"box": [[0, 2]]}, "layers": layers}
    path = tmp_path / "toy.jsonl"
    claim = {"cells": 2, "regions": 2, "affine_maps": 2}
    path.write_bytes(certificate(network, [["M", 0], ["L", 2, 1], ["L", 2, 3]], claim))
    with pytest.raises(Unreadable, match="network-keys"):
        check(path)
    monkeypatch.setitem(KINDS, "larger", _read_larger)
    assert check(path).regions == (2, 2)
    path.write_bytes(certificate(network, [["M", 0], ["L", 2, 3], ["L", 2, 1]], claim))
    with pytest.raises(Rejected, match="point-row"):
        check(path)


# ---- limits -----------------------------------------------------------------------------------------------------


def test_the_table_of_limits_is_that_of_the_format() -> None:
    section = FORMAT[FORMAT.index("## 9") : FORMAT.index("## 10")]
    rows = re.findall(r"^\| `([A-Z_]+)` \| ([0-9,]+) \| (.*) \| (?:`([a-z-]+)`)? ?\|$", section, re.MULTILINE)
    told = {name: (int(most.replace(",", "")), rule, what) for name, most, what, rule in rows}
    assert told == {name: tuple(limit) for name, limit in LIMITS.items()}


def test_every_limit_is_asked() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py") if path.name != "limits.py")
    assert {name for name in LIMITS if f'"{name}"' not in source} == set()


def test_no_limit_stands_elsewhere() -> None:
    """A number of a thousand or more in the source is a limit, or the number of rows that are hashed as they are."""
    for path in ROOT.rglob("*.py"):
        if path != CORE / "limits.py":
            tree = ast.parse(path.read_text(encoding="utf-8"))
            large = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and type(n.value) is int]
            assert [value for value in large if value >= 1000] == [1000] * (path.name in ("rows.py", "verdict.py")), (
                path
            )


def test_the_meter() -> None:
    meter = Meter()
    meter.spend("CANDIDATES", LIMITS["CANDIDATES"].most - 1)
    meter.spend("CANDIDATES", 1)
    with pytest.raises(Unreadable) as failure:
        meter.spend("CANDIDATES", 1)
    assert (failure.value.rule, failure.value.detail) == ("limit-network", "more than 20000 candidates of all stages")
    demand("BOUNDED", 31)
    with pytest.raises(Unreadable, match="limit-bounds"):
        demand("BOUNDED", 32)


# ---- what one has to trust ----------------------------------------------------------------------------------------


def test_the_lines_that_one_has_to_trust() -> None:
    section = FORMAT[FORMAT.index("## 12") :]
    told = [int(lines.replace(",", "")) for lines in re.findall(r"\| ([0-9,]+) \|$", section, re.MULTILINE)]
    parts = [lines_of_code(CORE), lines_of_code(ROOT / "lowering")]
    parts.append(sum(parts))
    extensions = ROOT / "extensions"
    parts.append(lines_of_code(extensions / "regions.py", extensions / "implied.py", ROOT / "checker.py"))
    parts.append(lines_of_code(extensions / "templates.py"))
    parts.append(lines_of_code(extensions / "theorem.py"))
    parts.append(lines_of_code(ROOT / "__main__.py"))
    parts.append(lines_of_code(ROOT))
    assert told == parts


# ---- files that are taken for others ------------------------------------------------------------------------------

NETWORK: dict[str, Any] = {
    "format": "exactgeo-network/1",
    "input_dim": 1,
    "domain": {"box": [[0, 2]]},
    "layers": [{"type": "ffn", "hidden": {"weight": [[1], [1]], "bias": [0, -1]}, "output": {"weight": [[1, 1]]}}],
}
TREE: list[list[Any]] = [["E", 0, 0, [0, 3]], ["M", 1], ["L", 2, 1], ["L", 2, 3]]


@pytest.mark.parametrize("text", [json.dumps(NETWORK), json.dumps(NETWORK) + "\n", json.dumps(NETWORK, indent=1)])
def test_a_network_file_is_no_certificate(text: str, tmp_path: Path) -> None:
    path = tmp_path / "net.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Unreadable) as failure:
        check(path)
    assert (failure.value.rule, failure.value.place) == ("header", "line 1")
    hint = "this is a network file, not a certificate: exactgeo count NET --certificate FILE writes one"
    assert failure.value.detail == hint


def test_a_certificate_is_no_network_file(tmp_path: Path) -> None:
    net, proof = tmp_path / "net.json", tmp_path / "proof.jsonl"
    net.write_text(json.dumps(NETWORK), encoding="utf-8")
    sha = hashlib.sha256(net.read_bytes()).hexdigest()
    proof.write_bytes(certificate(NETWORK, TREE, {"cells": 2, "regions": 2, "affine_maps": 2}, sha))
    assert check(proof, network=net) == check(str(proof), network=str(net))  # a path of either kind
    with pytest.raises(Rejected) as failure:
        check(proof, network=proof)
    assert (failure.value.rule, failure.value.place) == ("network-hash", "network")
    assert failure.value.detail.startswith("this is a certificate, not a network file: ")
    proof.with_suffix(".gz").write_bytes(gzip.compress(proof.read_bytes()))
    with pytest.raises(Rejected, match="this is a gzip file, not a network file: "):
        check(proof, network=proof.with_suffix(".gz"))


def test_names_and_contents_of_gzip_files(tmp_path: Path) -> None:
    """The name tells how a file is read; where the content is another, that is said, under the same rule."""
    plain = certificate(NETWORK, TREE, {"cells": 2, "regions": 2, "affine_maps": 2}, "0" * 64)
    for name, content, rule, words in (
        ("packed.proof", gzip.compress(plain), "encoding", "a gzip file, without .gz at the end of its name"),
        ("plain.gz", plain, "gzip", "no gzip file, in spite of its name"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(Unreadable) as failure:
            check(tmp_path / name)
        assert failure.value.rule == rule
        assert failure.value.detail.endswith(f": {words}")

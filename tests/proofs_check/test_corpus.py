"""accept/, reject/ and unreadable/: each file gets its verdict, and each bad one is refused for its own lie.

The files are those of make_corpus.py; expected.json has the rule (or the numbers) for each.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from proofs_check import RULES, check
from proofs_check.core.limits import LIMITS
from tests.proofs_check.checkers import Checker, honest
from tests.proofs_check.make_corpus import HERE, corpus
from tests.proofs_check.sabotage import exposed_by_corpus, exposed_by_networks

EXPECTED = json.loads((HERE / "expected.json").read_text(encoding="utf-8"))
KINDS = {"accept": "VERIFIED", "reject": "REJECTED", "unreadable": "UNREADABLE"}


@pytest.fixture
def checker(tmp_path: Path) -> Checker:
    return honest(tmp_path)


@pytest.mark.parametrize(
    "path", [str(path.relative_to(HERE)) for kind in KINDS for path in sorted((HERE / kind).iterdir())]
)
def test_the_verdict_and_its_reason(path: str, checker: Checker) -> None:
    verdict = checker((HERE / path).read_bytes(), packed=path.endswith(".gz"))
    proved = [verdict.cells, list(verdict.regions), list(verdict.affine_maps)]
    found = (verdict.kind, proved if verdict.accepted else verdict.rule)
    assert found == (KINDS[path.partition("/")[0]], EXPECTED[path])


def test_the_files_are_those_of_make_corpus() -> None:
    files = corpus()
    assert {path: expected for path, (_, expected) in files.items()} == EXPECTED
    for path, (data, _) in files.items():
        assert (HERE / path).read_bytes() == data, f"{path}: run python -m tests.proofs_check.make_corpus"


def test_nearly_every_rule_is_broken_by_a_file() -> None:
    """The rest needs a large file (test_hostile), --network, --theorem, or two mistakes in the checker itself."""
    broken = {rule for rule in EXPECTED.values() if isinstance(rule, str)}
    elsewhere = {
        "io",
        "limit-line",
        "limit-values",
        "limit-network",
        "limit-kernel",
        "limit-bounds",
        "limit-templates",
        "network-hash",
        "network-object",
        "theorem-network",
    }
    assert broken | elsewhere | {"forward-winners", "forward-output"} == set(RULES)


def test_the_network_file(checker: Checker, tmp_path: Path) -> None:
    assert list(exposed_by_networks(checker, tmp_path)) == []


def test_the_honest_checker_is_not_exposed(checker: Checker) -> None:
    assert list(exposed_by_corpus(checker, corpus())) == []


def test_sums_of_maps_that_are_not_kept_are_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LIMITS, "SUMS", LIMITS["SUMS"]._replace(most=0))
    for path in sorted((HERE / "accept").iterdir()):
        proved = check(str(path))
        assert [proved.cells, list(proved.regions), list(proved.affine_maps)] == EXPECTED[f"accept/{path.name}"]

"""What CONTRIBUTING.md, SECURITY.md and CITATION.cff say of the tree is there."""

import ast
import re
from pathlib import Path

import pytest

import exactgeo

ROOT = Path(__file__).parents[2]
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
LONG: set[str] = set()
"""The compiled parts."""


def _paths() -> list[str]:
    """The words in backticks that name a file or a folder; a bare name follows the folder named last in its line."""
    found: list[str] = []
    for line in CONTRIBUTING.splitlines():
        folder = ""
        for word in re.findall(r"`([\w./]+(?:\.py|\.md|\.toml|/))`", line):
            if "/" in word.rstrip("/"):
                folder = word.rstrip("/") if word.endswith("/") else word.rpartition("/")[0]
                found.append(word)
            elif word.endswith("/") or (ROOT / word).exists() or not folder:
                found.append(word)
            else:
                found.append(f"{folder}/{word}")
    return sorted(set(found) - {"cli/", "kind.py", "sabotage.py", "corpus_templates.py"})


@pytest.mark.parametrize("path", _paths())
def test_paths_are_there(path: str) -> None:
    assert (ROOT / path).exists()


def test_targets_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^make (\w+)", CONTRIBUTING, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_version_to_cite() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {exactgeo.__version__}\n" in citation


def test_no_file_is_long_without_a_reason() -> None:
    for folder in ("exactgeo", "proofs_check", "tests", "benchmarks"):
        for path in (ROOT / folder).glob("**/*.py"):
            text = path.read_text(encoding="utf-8")
            if path.name not in LONG and len(text.splitlines()) > 600:
                assert "The file is long because " in (ast.get_docstring(ast.parse(text)) or ""), path

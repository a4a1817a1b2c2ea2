"""References to sections of FORMAT.md: the section exists, and is about what the reference is about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FORMAT = ROOT / "proofs_check" / "FORMAT.md"

TOPICS = {
    "1": "file|header|line|claim",
    "2": "row",
    "3": "network|numbers rows",
    "3.1": "network|number",
    "3.2": "layer|selector|head|kind",
    "3.3": "maps|class|stage",
    "4": "tree|node|bounds|B record|numbers rows|by definition",
    "5": "evidence|farkas|rows prove|multipliers",
    "6": "template|reference",
    "7": "region|wall|pair by pair",
    "8": "rule|theorem|verdict",
    "9": "limit|accepts|compares",
    "10": "certificate",
    "11": "theorem|soundness|argument|leaves",
    "12": "trust",
}
"""For each section what the words around a reference to it have to name one of."""

NUMBER = r"[0-9]+(?:\.[0-9]+)?"
REFERENCE = re.compile(rf"\bsections? ({NUMBER})(?: and ({NUMBER}))?")


def _references(path: Path) -> Iterator[tuple[str, str]]:
    """(section, the words around) of each reference in a file; elsewhere than in the checker FORMAT.md is named."""
    text = re.sub(r"\s*\n[\s#]*", " ", path.read_text(encoding="utf-8"))
    for found in REFERENCE.finditer(text):
        named = re.search(r"FORMAT\.md[`,]*,? $|(?<=FORMAT\.md, )$", text[: found.start()])
        if named or (ROOT / "proofs_check") in path.parents:
            for number in found.groups():
                if number:
                    yield number, text[max(0, found.start() - 110) : found.end() + 70]


FILES = sorted(
    path
    for folder in ("proofs_check", "exactgeo", "tests", "benchmarks")
    for path in (ROOT / folder).rglob("*.py")
    if "section" in path.read_text(encoding="utf-8") and path != Path(__file__)
)


@pytest.mark.parametrize("path", [FORMAT, *FILES], ids=lambda path: str(path.relative_to(ROOT)))
def test_references(path: Path) -> None:
    for number, words in _references(path):
        assert number in TOPICS, words
        assert re.search(TOPICS[number], words, re.IGNORECASE), f"section {number}: {words}"


def test_the_sections_are_those_of_the_format() -> None:
    text = FORMAT.read_text(encoding="utf-8")
    headings = re.findall(rf"^##+ ({NUMBER})\.? (.+)$", text, re.MULTILINE)
    assert [number for number, _ in headings] == list(TOPICS)
    for number, title in headings:
        if number not in ("2", "3.3", "10"):  # these are called by other words
            assert re.search(TOPICS[number] + "|object|what one", title, re.IGNORECASE), title
    contents = text[text.index("Contents:") : text.index("Revision 2")].replace("\n", " ")
    assert re.findall(r"[:,] ([0-9]+) ", contents) == [number for number, _ in headings if "." not in number]


def test_there_are_references_everywhere() -> None:
    found = [(path, number) for path in FILES for number, _ in _references(path)]
    assert len({number for _, number in found}) >= 10
    assert any("exactgeo" in path.parts for path, _ in found)
    assert len(found) > 40

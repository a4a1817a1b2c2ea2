"""Marked sections of ``RESULTS.md``: each benchmark writes its own and leaves the others as they are.

A section ``name`` stands between the lines ``<!-- name: written by ... -->`` and ``<!-- end of name -->``.
"""

import re
from pathlib import Path

__all__ = ["RESULTS", "sections", "write_section"]

RESULTS = Path("benchmarks/RESULTS.md")

_SECTION = re.compile(r"<!-- ([a-z]+): written by [^\n]* -->\n.*?<!-- end of \1 -->\n", re.DOTALL)


def sections(page: str) -> str:
    """All marked sections of a page, one after the other, each after a blank line: to be added to a page anew."""
    return "".join(f"\n{match[0]}" for match in _SECTION.finditer(page))


def write_section(name: str, author: str, text: str, path: Path = RESULTS) -> None:
    """Replace the section, or add it at the end of the page."""
    section = f"<!-- {name}: written by {author} -->\n{text.rstrip()}\n<!-- end of {name} -->\n"
    page = path.read_text(encoding="utf-8") if path.exists() else ""
    for match in _SECTION.finditer(page):
        if match[1] == name:
            path.write_text(page[: match.start()] + section + page[match.end() :], encoding="utf-8")
            return
    path.write_text(f"{page}\n{section}" if page else section, encoding="utf-8")

"""Each benchmark replaces its own section of a page, and nothing else."""

from pathlib import Path

from benchmarks.sections import sections, write_section

SECTION = "<!-- numbers: written by one -->\n## Numbers\n<!-- end of numbers -->\n"


def test_a_section_is_added_and_replaced(tmp_path: Path) -> None:
    page = tmp_path / "RESULTS.md"
    write_section("numbers", "one", "## Numbers\n\n", page)
    assert page.read_text() == SECTION
    page.write_text("# Measured\n")
    write_section("numbers", "one", "## Numbers", page)
    write_section("letters", "two", "## Letters", page)
    letters = SECTION.replace("numbers", "letters").replace("Numbers", "Letters").replace("one", "two")
    assert page.read_text() == f"# Measured\n\n{SECTION}\n{letters}"
    write_section("numbers", "one", "## Other", page)
    assert page.read_text() == f"# Measured\n\n{SECTION.replace('Numbers', 'Other')}\n{letters}"
    assert sections(page.read_text()) == f"\n{SECTION.replace('Numbers', 'Other')}\n{letters}"
    assert sections("# Measured\n") == ""

"""What holds of the tests themselves: what is shared lives in modules of its own, and is there once."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
IMPORTS = re.compile(
    r"^\s*(?:from|import)\s+(?:[\w.]*\.)?test_\w+|^\s*from\s+[\w.]+\s+import\s+[^\n]*\btest_", re.MULTILINE
)


def test_no_test_module_is_imported() -> None:
    """Not by another test, nor by a helper or a benchmark: who edits a test need not look for its users."""
    files = [path for folder in ("tests", "benchmarks") for path in (ROOT / folder).rglob("*.py")]
    assert len(files) > 50
    found = {str(path.relative_to(ROOT)): IMPORTS.findall(path.read_text(encoding="utf-8")) for path in files}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_imports_of_test_modules_are_seen() -> None:
    for line in (
        "from tests.cells.test_cells_walls import jumping",
        "    from tests.cells.test_cells_walls import (",
        "import tests.cells.test_cells_walls as walls",
        "from tests.cells import test_cells_walls",
    ):
        assert IMPORTS.search(f"import json\n{line}\n")
    assert not IMPORTS.search("from tests.cells.evidence import check_graph\n")

"""The command line parses and prints: it alone knows argparse, and none of its functions is long."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import exactgeo

PACKAGE = Path(str(exactgeo.__file__)).parent
MOST_STATEMENTS = 40


def _functions(path: Path) -> Iterator[tuple[str, int]]:
    """The functions of a module, and how many statements each has."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, sum(isinstance(part, ast.stmt) for part in ast.walk(node)) - 1


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


@pytest.mark.parametrize(
    "path",
    [*(PACKAGE / "cli").glob("*.py"), *[PACKAGE / f"{name}.py" for name in ("counting", "alongside", "request")]],
    ids=lambda path: path.name,
)
def test_no_function_is_long(path: Path) -> None:
    assert {name: number for name, number in _functions(path) if number > MOST_STATEMENTS} == {}


def test_only_the_command_line_knows_argparse() -> None:
    users = {path.relative_to(PACKAGE).parts[0] for path in PACKAGE.rglob("*.py") if "argparse" in _imported(path)}
    assert users == {"cli"}

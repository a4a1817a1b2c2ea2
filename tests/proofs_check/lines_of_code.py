"""Lines of code: those with a token that is neither a comment nor a docstring."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterable
from pathlib import Path

__all__ = ["lines_of_code"]

_NOTHING = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def _docstring(node: ast.AST) -> range:
    """The lines of the node's docstring."""
    if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
        first = node.body[0]
        return range(first.lineno, (first.end_lineno or first.lineno) + 1)
    return range(0)


def _of_file(path: Path) -> int:
    text = path.read_text(encoding="utf-8")
    told = {line for node in ast.walk(ast.parse(text)) for line in _docstring(node)}
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    lines = {line for token in tokens if token.type not in _NOTHING for line in range(token.start[0], token.end[0] + 1)}
    return len(lines - told)


def lines_of_code(*places: Path) -> int:
    """Of files, and of all Python files in folders."""
    files: Iterable[Path] = (
        file for place in places for file in (sorted(place.rglob("*.py")) if place.is_dir() else [place])
    )
    return sum(map(_of_file, files))

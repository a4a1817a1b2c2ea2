"""Tables for a terminal.

>>> print(table([("cells", 1276), ("regions", 92)]))
cells    1,276
regions     92
"""

from collections.abc import Sequence

__all__ = ["columns", "table"]


def table(rows: Sequence[tuple[str, object]]) -> str:
    """Names to the left, numbers to the right with thousands marked; texts follow their names."""
    width = max(len(name) for name, _ in rows)
    shown = [(name, f"{value:,}" if isinstance(value, int) else value) for name, value in rows]
    numbers = [text for (_, text), (_, value) in zip(shown, rows, strict=True) if isinstance(value, int)]
    column = max((len(str(text)) for text in numbers), default=0)
    lines = []
    for (name, text), (_, value) in zip(shown, rows, strict=True):
        lines.append(f"{name:<{width}}  {text!s:>{column}}" if isinstance(value, int) else f"{name:<{width}}  {text}")
    return "\n".join(lines)


def columns(heads: Sequence[str], rows: Sequence[Sequence[int]]) -> str:
    """Columns of numbers under their heads.

    >>> print(columns(("d", "cells"), [(1, 4), (2, 1296)]))
    d  cells
    1      4
    2  1,296
    """
    lines = [list(heads), *[[f"{value:,}" for value in row] for row in rows]]
    widths = [max(len(line[k]) for line in lines) for k in range(len(heads))]
    return "\n".join("  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True)) for line in lines)

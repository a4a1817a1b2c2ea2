"""Values in few characters, for ``repr``: long integers by their size, long tuples by their beginning.

>>> short((1, -2, Fraction(3, 4)))
'(1, -2, 3/4)'
>>> short(((1, 0), (7**100, -(7**100))))
'((1, 0), (~10^84, -~10^84))'
>>> short(tuple(range(1000)), 20)
'(0, 1, 2, 3, ...)'
"""

from fractions import Fraction

__all__ = ["short"]

LONGEST = 10**9
"""Integers that are shown digit by digit are smaller."""


def short(value: object, most: int = 60) -> str:
    """A text of at most ``most`` characters, of which there are more than ten."""
    if isinstance(value, tuple | list):
        parts: list[str] = []
        room = most - 2 - len(", ...")
        for entry in value:
            text = short(entry, max(room, 11))
            room -= len(text) + 2
            if room < 0:
                parts.append("...")
                break
            parts.append(text)
        return f"({parts[0]},)" if len(value) == 1 else f"({', '.join(parts)})"
    if isinstance(value, Fraction):
        bottom = "" if value.denominator == 1 else f"/{_integer(value.denominator)}"
        return _integer(value.numerator) + bottom
    text = _integer(value) if isinstance(value, int) else str(value)
    return text if len(text) <= most else f"{text[: most - 3]}..."


def _integer(value: int) -> str:
    size = abs(value)
    if size < LONGEST:
        return str(value)
    # Python refuses to spell integers of thousands of digits.
    return f"{'-' if value < 0 else ''}~10^{(size.bit_length() - 1) * 30103 // 100000}"

"""Integer rows and points, and the little linear algebra on them (FORMAT.md, section 2).

Part in the soundness theorem: `values` evaluates every row at every point. `corners` tests the vectors that `kernel`
finds, and so does `farkas`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd
from operator import mul

from .verdict import Rejected, Unreadable, show

__all__ = ["Row", "ascending", "corners", "kernel", "primitive", "values"]

Row = tuple[int, ...]

UNKNOWNS = 64  # tighter than FORMAT.md asks for: vectors to solve for at once


def primitive(row: Row) -> Row:
    """Divided by the greatest common divisor of the entries; the zero row is its own."""
    divisor = gcd(*row)
    return row if divisor <= 1 else tuple([value // divisor for value in row])


def values(rows: Iterable[Sequence[int]], point: Sequence[int]) -> list[int]:
    """q (b + a.x) for each row (b, a), at the point [q, p]; written out where most of the time goes."""
    if len(point) == 2:
        q, x = point
        return [b * q + a * x for b, a in rows]
    if len(point) == 3:
        q, x, y = point
        return [b * q + a * x + c * y for b, a, c in rows]
    if len(point) == 4:
        q, x, y, z = point
        return [b * q + a * x + c * y + e * z for b, a, c, e in rows]
    if len(point) == 5:
        q, x, y, z, u = point
        return [b * q + a * x + c * y + e * z + f * u for b, a, c, e, f in rows]
    return [sum(map(mul, row, point)) for row in rows]


def ascending(numbers: list[int]) -> None:
    """Rejected unless the numbers of rows are not negative and strictly ascending."""
    last = -1
    for number in numbers:
        if number <= last:
            raise Rejected("cited-order", "", f"{show(number)} after {show(last)}")
        last = number


def kernel(vectors: Sequence[Sequence[int]]) -> list[int] | None:
    """The primitive integer vector l that spans {l : sum(l_i a_i) = 0}, up to sign; [] if that is {0}, None if more.

    With a vector p that is not zero in the first coordinate, the vectors p_0 a_i - a_i0 p have one coordinate and one
    vector less; a solution l' of these gives l_i = p_0 l'_i and l_p = -sum(l'_i a_i0). Dividing by the p_0 before is
    exact and keeps the entries small (Bareiss, Sylvester's Identity and Multistep Integer-Preserving Gaussian
    Elimination, 1968).
    """
    if len(vectors) > len(vectors[0]) + 1:
        return None  # the kernel has dimension at least n - d
    if len(vectors) > UNKNOWNS:
        raise Unreadable("limit-kernel", "", f"{len(vectors)} unknowns")
    rest, last = [*vectors], 1
    steps: list[tuple[int, int, list[int]]] = []
    while len(rest[0]) and (len(rest), len(rest[0])) != (3, 2):
        firsts = [vector[0] for vector in rest]
        pivot = next((i for i, first in enumerate(firsts) if first), -1)
        if pivot < 0:
            rest = [vector[1:] for vector in rest]
            continue
        if len(rest) == 1:
            return []
        head, tail = firsts.pop(pivot), rest.pop(pivot)[1:]
        steps.append((pivot, head, firsts))
        rest = [
            [(head * u - first * v) // last for u, v in zip(vector[1:], tail, strict=True)]
            for first, vector in zip(firsts, rest, strict=True)
        ]
        last = head
    line = [1] if len(rest) == 1 else []
    if rest[0]:  # three vectors in the plane: their cross products
        (a, b), (c, d), (e, f) = rest
        line = [c * f - d * e, e * b - f * a, a * d - b * c]
    if not any(line):
        return None
    for pivot, head, firsts in reversed(steps):
        total = sum(map(mul, line, firsts))
        line = [head * value for value in line]
        line.insert(pivot, -total)
    divisor = gcd(*line)
    return [value // divisor for value in line]


def corners(rows: list[Row]) -> list[list[int]] | None:
    """For each row of a square matrix a vector at which it is positive and the others are 0; None if it is singular.

    So for any form s = sum(l_m R_m) the sign of l_m is that of s at corner m.
    """
    found = []
    for m in range(len(rows)):
        vector = kernel(list(zip(*rows[:m], *rows[m + 1 :], strict=True)))
        heights = values(rows, vector) if vector else []
        if not vector or not heights[m] or any(heights[:m]) or any(heights[m + 1 :]):
            return None
        found.append([value if heights[m] > 0 else -value for value in vector])
    return found

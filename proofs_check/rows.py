"""Integer rows and points, and the little linear algebra on them (FORMAT.md, section 2).

Part in the soundness theorem: `values` evaluates every row at every point. `corners` tests the vectors
that it finds, and `farkas` those of `kernel`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd
from operator import mul

from .verdict import Rejected, Unreadable, show

__all__ = ["Row", "ascending", "corners", "kernel", "primitive", "tangent", "values"]

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


_UNITS = [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)]


def _cofactors(rows: Sequence[Row]) -> tuple[int, list[Row]]:
    """For four rows, written out: D, and vectors x_m with R_m x_m = D and the other rows 0 there."""
    (a, b, c, d), (e, f, g, h), (i, j, k, m), (n, o, p, q) = rows
    s0, s1, s2, s3, s4, s5 = a * f - b * e, a * g - c * e, a * h - d * e, b * g - c * f, b * h - d * f, c * h - d * g
    t0, t1, t2, t3, t4, t5 = i * o - j * n, i * p - k * n, i * q - m * n, j * p - k * o, j * q - m * o, k * q - m * p
    return s0 * t5 - s1 * t4 + s2 * t3 + s3 * t2 - s4 * t1 + s5 * t0, [
        (f * t5 - g * t4 + h * t3, -e * t5 + g * t2 - h * t1, e * t4 - f * t2 + h * t0, -e * t3 + f * t1 - g * t0),
        (-b * t5 + c * t4 - d * t3, a * t5 - c * t2 + d * t1, -a * t4 + b * t2 - d * t0, a * t3 - b * t1 + c * t0),
        (o * s5 - p * s4 + q * s3, -n * s5 + p * s2 - q * s1, n * s4 - o * s2 + q * s0, -n * s3 + o * s1 - p * s0),
        (-j * s5 + k * s4 - m * s3, i * s5 - k * s2 + m * s1, -i * s4 + j * s2 - m * s0, i * s3 - j * s1 + k * s0),
    ]


def _inverse(rows: Sequence[Row]) -> tuple[int, list[Row]]:
    """The same for any number: the matrix (R, 1) is eliminated from its left, with divisions as in `kernel`."""
    work, last = [(*row, *[int(i == j) for j in range(len(rows))]) for i, row in enumerate(rows)], 1
    for k in range(len(rows)):
        pivot = next((i for i in range(k, len(rows)) if work[i][0]), -1)
        if pivot < 0:
            return 0, []
        row = work.pop(pivot)
        head = row[0]
        work = [
            tuple([(head * u - other[0] * v) // last for u, v in zip(other, row, strict=True)][1:]) for other in work
        ]
        work.insert(k, row[1:])
        last = head
    return last, list(zip(*work, strict=True))


def corners(rows: Sequence[Row]) -> list[Row] | None:
    """For each row of a square matrix a vector at which it is D > 0 and the others are 0; None if it is singular.

    So for any form s = sum(l_m R_m) the sign of l_m is that of s at corner m.
    """
    size = len(rows)
    if size > 4:
        det, found = _inverse(rows)
    else:  # units are added to small matrices
        det, found = _cofactors([*[(*row, 0, 0, 0)[:4] for row in rows], *_UNITS[size:]])
        found = [vector[:size] for vector in found[:size]]
    if not det:
        return None
    for m, vector in enumerate(found):
        heights = values(rows, vector)
        if heights[m] != det or heights.count(0) != size - 1:
            raise ArithmeticError(f"the rows {show(rows)} have no corner {show(vector)}")
    return found if det > 0 else [tuple([-value for value in vector]) for vector in found]


def tangent(rows: Sequence[Row]) -> list[Row] | None:
    """The corners of d rows and the constant 1, that of the constant first: they follow from those of the normals."""
    found = corners([row[1:] for row in rows])
    if found is None:
        return None
    det = sum(map(mul, rows[0][1:], found[0]))
    vertex = values(zip(*found, strict=True), [-row[0] for row in rows])
    return [(det, *vertex), *[(0, *vector) for vector in found]]

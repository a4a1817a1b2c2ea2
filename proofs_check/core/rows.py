"""Integer rows and points, and the little linear algebra on them (FORMAT.md, section 2).

Part in the soundness theorem: `values` evaluates every row at every point, and *Bounds* are read off at the points
found by `corners`. The vectors of `kernel` are tested by `farkas`.
"""

import marshal
from collections.abc import Iterable, Sequence
from math import gcd
from operator import mul, ne
from typing import Any

from .limits import LIMITS, exceeded
from .verdict import Rejected, show

__all__ = ["Row", "affordable", "ascending", "corners", "distinct", "kernel", "key", "primitive", "tangent", "values"]

Row = tuple[int, ...]

FEW = 1000  # rows that are hashed as they are


def primitive(row: Row) -> Row:
    """Divided by the greatest common divisor of the entries; the zero row is its own."""
    divisor = gcd(*row)
    return row if divisor <= 1 else tuple([value // divisor for value in row])


def key(value: Any) -> bytes:
    """A key for integers in lists and tuples: anyone can find many with one hash, but that of bytes is salted."""
    return marshal.dumps(value, 2)  # version 2 spells equal integers equally


def distinct(rows: Sequence[Row]) -> bool:
    """Whether no two rows are equal."""
    if len(rows) <= FEW:
        return len(set(rows)) == len(rows)
    ordered = sorted(rows)
    return all(map(ne, ordered, ordered[1:]))


def affordable(rows: Sequence[Sequence[int]]) -> bool:
    """Whether a linear system with these rows is not too much work; to divide takes the square of the length."""
    n, m = len(rows), len(rows[0])
    if n <= LIMITS["FREE"].most:
        return True
    bits = max([max(map(int.bit_length, row), default=0) for row in rows])
    return n <= LIMITS["UNKNOWNS"].most and n * n * m * (1 + (n * bits // 500) ** 2) <= LIMITS["WORK"].most


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
    if not affordable(vectors):
        raise exceeded("UNKNOWNS" if len(vectors) > LIMITS["UNKNOWNS"].most else "WORK")
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


_UNITS = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]


def _cofactors(rows: Sequence[Row]) -> tuple[int, list[Row]]:
    """The determinant of three or four rows, written out, and the columns of the adjugate matrix."""
    if len(rows) == 3:
        (a, b, c), (d, e, f), (g, h, i) = rows
        u, v, w = e * i - f * h, f * g - d * i, d * h - e * g
        return a * u + b * v + c * w, [
            (u, v, w),
            (h * c - i * b, i * a - g * c, g * b - h * a),
            (b * f - c * e, c * d - a * f, a * e - b * d),
        ]
    (a, b, c, d), (e, f, g, h), (i, j, k, m), (n, o, p, q) = rows
    s0, s1, s2, s3, s4, s5 = a * f - b * e, a * g - c * e, a * h - d * e, b * g - c * f, b * h - d * f, c * h - d * g
    t0, t1, t2, t3, t4, t5 = i * o - j * n, i * p - k * n, i * q - m * n, j * p - k * o, j * q - m * o, k * q - m * p
    return s0 * t5 - s1 * t4 + s2 * t3 + s3 * t2 - s4 * t1 + s5 * t0, [
        (f * t5 - g * t4 + h * t3, -e * t5 + g * t2 - h * t1, e * t4 - f * t2 + h * t0, -e * t3 + f * t1 - g * t0),
        (-b * t5 + c * t4 - d * t3, a * t5 - c * t2 + d * t1, -a * t4 + b * t2 - d * t0, a * t3 - b * t1 + c * t0),
        (o * s5 - p * s4 + q * s3, -n * s5 + p * s2 - q * s1, n * s4 - o * s2 + q * s0, -n * s3 + o * s1 - p * s0),
        (-j * s5 + k * s4 - m * s3, i * s5 - k * s2 + m * s1, -i * s4 + j * s2 - m * s0, i * s3 - j * s1 + k * s0),
    ]


def corners(rows: Sequence[Row]) -> list[Row] | None:
    """For a regular square matrix of rows R_m: points c_m at which R_m is D and all other rows are 0, with one D > 0.

    So for any form s = sum(l_m R_m) the sign of l_m is that of s at c_m. D is the absolute value of the determinant,
    and the corners are, up to a common sign, the columns of the adjugate: all are integers. None if the rows are
    dependent.

    Of many rows, by bordering. Let P be the adjugate of the first k rows in some k columns, and D, not 0, its
    determinant. Let r be the next row and u the next column, in these columns and rows, and e the entry of r in that
    column; x = rP and w = Pu. The matrix with r and u has the determinant E = De - xu, and if E is not 0, the adjugate
    with the columns (E P_m + x_m w)/D, with -x_m under it, for all m, and (-w, D): multiply out. As the adjugate of an
    integer matrix it is one, so the division is exact. If E is 0 for every column that is left, r depends on the rows
    before.
    """
    size = len(rows)
    if size < 3:  # units are added
        det, points = _cofactors([*[(*row, 0, 0)[:3] for row in rows], *_UNITS[size:]])
        points = [point[:size] for point in points[:size]]
    elif size < 5:
        det, points = _cofactors(rows)
    else:
        det, points = _bordered(rows)
    if det > 0:
        return points
    return [tuple([-value for value in point]) for point in points] if det else None


def _bordered(rows: Sequence[Row]) -> tuple[int, list[Row]]:
    """The same for five or more rows, up to a common sign; no columns if the determinant is 0."""
    det, points = _cofactors([row[:4] for row in rows[:4]])
    order = [0, 1, 2, 3]  # the columns, as they were taken
    if not det:
        det, points, order = 1, [], []
    for k in range(len(order), len(rows)):
        row = rows[k]
        x = values(points, [row[c] for c in order])
        for c in range(len(rows)):
            if c not in order:
                u = [above[c] for above in rows[:k]]
                new = det * row[c] - sum(map(mul, x, u))
                if new:
                    break
        else:
            return 0, []
        w = values(zip(*points, strict=True), u)
        points = [
            (*[(new * p + a * b) // det for p, b in zip(point, w, strict=True)], -a)
            for point, a in zip(points, x, strict=True)
        ]
        points.append((*[-b for b in w], det))
        det = new
        order.append(c)
    if order != sorted(order):
        places = [order.index(c) for c in range(len(rows))]
        points = [tuple([point[place] for place in places]) for point in points]
    return det, points


def tangent(rows: Sequence[Row]) -> list[Row] | None:
    """Those of d rows and the constant 1, that of the constant first: they follow from those of the normals."""
    found = corners([row[1:] for row in rows])
    if found is None:
        return None
    det = sum(map(mul, rows[0][1:], found[0]))
    vertex = values(zip(*found, strict=True), [-row[0] for row in rows])
    return [(det, *vertex), *[(0, *vector) for vector in found]]

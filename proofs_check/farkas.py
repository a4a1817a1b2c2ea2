"""When cited rows prove that no point satisfies them all (FORMAT.md, section 5).

Part in the soundness theorem: *Prunes*. Let r_i = b_i + a_i.x be rows, each nonnegative, and positive if not zero, at
every point of a node, and l_i > 0 with sum(l_i a_i) = 0 and S = sum(l_i b_i). At a point x of the node 0 <= sum(l_i
r_i(x)) = S. So S < 0 is impossible; and if some a_i is not zero, its row is not zero, hence positive, and S = 0 is
impossible too.

`kernel` only finds multipliers; `refute` tests them, whoever found them.
"""

from __future__ import annotations

from math import gcd
from operator import mul

from .network import Row
from .verdict import Rejected, show

__all__ = ["combine", "kernel", "multipliers", "refute"]


def kernel(normals: list[Row]) -> list[int] | None:
    """The primitive integer vector l that spans {l : sum(l_i a_i) = 0}, up to sign; None if it is not a line.

    Elimination without fractions of the equations sum(l_i a_i[c]) = 0, one for each coordinate c. With n-1 pivots one
    unknown is free and the others follow, the last pivot's first; the equations left over are tested.
    """
    n = len(normals)
    if n == 3 and len(normals[0]) == 2:  # the kernel of three vectors in the plane: their cross products
        (a, b), (c, d), (e, f) = normals
        return _primitive([c * f - d * e, e * b - f * a, a * d - b * c])
    if n > len(normals[0]) + 1:
        return None  # the kernel has dimension at least n - d
    pivots: list[tuple[int, list[int]]] = []
    rest: list[Row] = []
    for equation in zip(*normals, strict=True):
        if len(pivots) == n - 1:
            rest.append(equation)
            continue
        line = list(equation)
        for column, other in pivots:
            factor = line[column]
            if factor:
                head = other[column]
                line = [head * u - factor * v for u, v in zip(line, other, strict=True)]
        for column, value in enumerate(line):
            if value:
                pivots.append((column, line))
                break
    if len(pivots) < n - 1:
        return None
    result = [0] * n
    (free,) = set(range(n)).difference([column for column, _ in pivots])
    result[free] = 1
    for column, line in reversed(pivots):  # a line is zero in the columns of the pivots before it
        total, head = sum(map(mul, line, result)), line[column]
        if total % head:
            scale = head // gcd(total, head)
            result = [scale * value for value in result]
            total *= scale
        result[column] = -total // head
    if any(sum(map(mul, equation, result)) for equation in rest):
        return None
    return _primitive(result)


def _primitive(vector: list[int]) -> list[int] | None:
    divisor = gcd(*vector)
    return [value // divisor for value in vector] if divisor else None


def multipliers(normals: list[Row], free: int = 0) -> list[int]:
    """The kernel vector whose entries, except the last `free` ones, are all positive; those entries only."""
    vector = kernel(normals)
    if vector is None:
        raise Rejected("kernel", "", f"of the normals {show([show(normal) for normal in normals])}")
    vector = vector[: len(vector) - free]
    if max(vector) < 0:
        vector = [-value for value in vector]
    if min(vector) <= 0:
        raise Rejected("kernel-sign", "", show(vector))
    return vector


def combine(rows: list[Row], given: list[int]) -> list[int]:
    """sum(l_i r_i), after testing that the l_i are as many as the rows and positive."""
    if len(given) != len(rows) or min(given) <= 0:
        raise Rejected("multipliers", "", f"{show(given)} for {len(rows)} rows")
    return [sum(map(mul, given, column)) for column in zip(*rows, strict=True)]


def refute(rows: list[Row], given: list[int] | None) -> None:
    """Rejected unless the rows, with the multipliers given or found, exclude every point."""
    normals = [row[1:] for row in rows]
    constant, *normal = combine(rows, multipliers(normals) if given is None else given)
    if any(normal):
        raise Rejected("farkas-normal", "", show(normal))
    if constant > 0:
        raise Rejected("farkas-constant", "", show(constant))
    if constant == 0 and not any(map(any, normals)):
        raise Rejected("farkas-proviso", "", "only constant rows, and S = 0")

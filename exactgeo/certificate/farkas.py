"""Farkas evidence for a node: which citable rows prove that a class cannot win there.

Let K be the cone over a node's polyhedron, with extreme rays and lines (``polyhedron.cone``), and ``against`` a form
that is nowhere positive on K: score_j - score_i, where class i beats class j everywhere. Then f = -against is in the
dual cone of K, which the rows of K span, row 0 (the constant 1) among them. So f = s + sum(lambda_k row_k) with s >= 0
and lambda >= 0, which is the evidence: against + sum(lambda_k row_k) = -s. It is found by *peeling*, without a linear
program:

- Subtract as much of the constant as keeps f nonnegative on K: s is the least value of f, and f now vanishes at a
  vertex v.
- As long as f is not zero, take a row that vanishes wherever f does, among the generators, and subtract as much of it
  as keeps f nonnegative. Such a row exists, because f is a combination of facets that do. Now f vanishes on one more
  ray, on which that row does not.

The rows so found all vanish at v, and each is independent of those that follow, which vanish on a ray where it does
not. So their normals are independent, the left kernel of the normals together with that of ``against`` has dimension
one, and a certificate may omit the multipliers. There are at most d of them.

Where no single class beats j everywhere, the search (``tree``) cuts K by one row score_j - score_i after another, until
one of them is nowhere positive on what is left; the rows cut by are rows like any other.
"""

from collections.abc import Sequence
from math import gcd, lcm
from operator import mul

from exactgeo.errors import Inconsistent
from exactgeo.polyhedron.cone import Cone
from exactgeo.polyhedron.simplex import strictly_inside
from exactgeo.rational.rows import Row, dot, is_constant

__all__ = ["Evidence", "beaten", "evidence_or_point"]

Evidence = dict[int, int]
"""Number of a row to its multiplier, ascending."""


def beaten(cone: Cone, numbers: Sequence[int], against: Row, number: int) -> Evidence:
    """Evidence that the row ``against`` (score_j - score_i, with its number), nowhere positive on the cone, cannot be.

    ``numbers`` are those of the cone's rows.
    """
    if is_constant(against) and against[0] < 0:
        return {number: 1}
    rays, tight = cone.rays, cone.tight
    values = [-sum(map(mul, against, ray)) for ray in rays]
    if min(values) < 0 or any(dot(against, line) for line in cone.lines):
        raise Inconsistent(f"the row {against} is positive somewhere on the node that it should not cut")
    vertex = _least(values, [ray[0] for ray in rays])
    on = tight[vertex]
    top, bottom = values[vertex], rays[vertex][0]
    if top:
        values = [bottom * value - top * ray[0] for value, ray in zip(values, rays, strict=True)]
    if not cone.lines and on.bit_count() == cone.dimension:
        found, scale = _at_simple_vertex(cone, on, values)
    else:
        found, scale = _peeled(cone, values)
    # (bottom * scale) * against + sum(found) is constant; found are integers.
    found[-1] = bottom * scale if top else scale
    divisor = gcd(*found.values())
    named = [(number if k < 0 else numbers[k], factor // divisor) for k, factor in found.items()]
    return dict(sorted(named))


def _at_simple_vertex(cone: Cone, on: int, values: Sequence[int]) -> tuple[dict[int, int], int]:
    """Multipliers of rows, and that of f, where f takes ``values`` and vanishes at a vertex with d rows ``on`` it.

    Row k is the only one of them that does not vanish on the other end of the edge that leaves it, so the value of f
    there is that of its own term alone.
    """
    terms: dict[int, tuple[int, int]] = {}
    for ray, tight, value in zip(cone.rays, cone.tight, values, strict=True):
        left = on & ~tight
        if left and not left & (left - 1) and value:
            k = left.bit_length() - 1
            terms[k] = (value, dot(cone.rows[k], ray))
    scale = lcm(*[size for _, size in terms.values()])
    return {k: value * (scale // size) for k, (value, size) in terms.items()}, scale


def _peeled(cone: Cone, values: Sequence[int]) -> tuple[dict[int, int], int]:
    """Multipliers of rows, and that of f, where f takes ``values`` >= 0 and vanishes at a vertex."""
    rays, tight, rows = cone.rays, cone.tight, cone.rows
    found: dict[int, int] = {}
    scale = 1
    while any(values):
        usable = -1
        for value, on in zip(values, tight, strict=True):
            if not value:
                usable &= on
        if usable <= 0:
            raise Inconsistent("a form that is nonnegative on a node is no combination of its rows")
        k = usable.bit_length() - 1
        sizes = [dot(rows[k], ray) for ray in rays]
        place = _least(values, sizes)
        top, bottom = values[place], sizes[place]
        values = [bottom * value - top * size for value, size in zip(values, sizes, strict=True)]
        found = {index: bottom * factor for index, factor in found.items()}
        found[k] = top
        scale *= bottom
        divisor = gcd(scale, *found.values(), *values)
        if divisor > 1:
            values = [value // divisor for value in values]
            found = {index: factor // divisor for index, factor in found.items()}
            scale //= divisor
    return found, scale


def _least(values: Sequence[int], sizes: Sequence[int]) -> int:
    """The first place where value / size is least, among those with size > 0."""
    best, top, bottom = -1, 0, 0
    for place, size in enumerate(sizes):
        if size > 0 and (best < 0 or values[place] * bottom < top * size):
            best, top, bottom = place, values[place], size
    return best


def evidence_or_point(rows: Sequence[tuple[Row, int]], dimension: int) -> Evidence | Row:
    """Evidence that no point is strictly inside the numbered rows, or such a point, homogeneous.

    The multipliers are those of a basic solution of a linear program, so a certificate may omit them, too.
    """
    for row, number in rows:
        if is_constant(row) and row[0] < 0:
            return {number: 1}
    proper = [(row, number) for row, number in rows if not is_constant(row)]
    answer = strictly_inside([row for row, _ in proper], dimension)
    if isinstance(answer, tuple):
        return answer
    return dict(sorted((proper[k][1], factor) for k, factor in answer.items()))

"""Farkas evidence for a node: which citable rows prove that a class cannot win there.

Let K be the cone of a node, j a class and i another one with score_i - score_j >= 0 on K. The form score_i - score_j
takes its minimum over the polyhedron at a vertex v, where linear programming duality writes it as a nonnegative
combination of the rows tight at v, plus its nonnegative value there. Together with score_j - score_i, positive if j
wins, that is the evidence, found among the few rows that are tight at v. Where no single class beats j everywhere, or
the polyhedron has no vertex, the linear program is over all facets and all rivals.

The multipliers are those of a basic solution: their rows' normals have a left kernel of dimension one, so a
certificate may omit them.
"""

from collections.abc import Sequence

from exactgeo.errors import Inconsistent
from exactgeo.polyhedron.cone import Cone
from exactgeo.polyhedron.simplex import strictly_inside
from exactgeo.rational.rows import Row, dot, is_constant

__all__ = ["Evidence", "beaten", "evidence_or_point", "infeasible"]

Evidence = dict[int, int]
"""Number of a row to its multiplier, ascending."""


def beaten(cone: Cone, numbers: Sequence[int], against: Row, number: int) -> Evidence:
    """Evidence that the row ``against`` (score_j - score_i, with its number), nowhere positive on the cone, cannot be.

    ``numbers`` are those of the cone's rows.
    """
    if is_constant(against):
        return infeasible([(against, number)], cone.dimension)
    tight = _tight_at_maximum(cone, against)
    rows = [(cone.rows[k], numbers[k]) for k in range(1, len(cone.rows)) if tight >> k & 1]
    return infeasible([*rows, (against, number)], cone.dimension)


def _tight_at_maximum(cone: Cone, against: Row) -> int:
    """The rows tight at a vertex where ``against`` is largest; all rows where there is no vertex."""
    best = -1
    if not cone.lines:
        rays = cone.rays
        for i, ray in enumerate(rays):
            if ray[0] and (best < 0 or dot(against, ray) * rays[best][0] > dot(against, rays[best]) * ray[0]):
                best = i
    return -1 if best < 0 else cone.tight[best]


def infeasible(rows: Sequence[tuple[Row, int]], dimension: int) -> Evidence:
    """Evidence that no point is strictly inside the numbered rows, where that is known."""
    answer = evidence_or_point(rows, dimension)
    if not isinstance(answer, dict):
        raise Inconsistent(f"the proof search finds the point {answer} where there should be none")
    return answer


def evidence_or_point(rows: Sequence[tuple[Row, int]], dimension: int) -> Evidence | Row:
    """Evidence that no point is strictly inside the numbered rows, or such a point, homogeneous."""
    for row, number in rows:
        if is_constant(row) and row[0] < 0:
            return {number: 1}
    proper = [(row, number) for row, number in rows if not is_constant(row)]
    answer = strictly_inside([row for row, _ in proper], dimension)
    if isinstance(answer, tuple):
        return answer
    return dict(sorted((proper[k][1], factor) for k, factor in answer.items()))

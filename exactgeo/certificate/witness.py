"""A point of a cell with small numbers, because every digit is written, stored and checked.

Round the centre of the cell to multiples of 1/q, q = 1, 2, 4, ..., until the rounded point is strictly inside. It ends:
the centre has positive distance to every facet.
"""

from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.rows import Row, dot, primitive

__all__ = ["simple_point"]


def simple_point(cone: Cone) -> Row:
    """A homogeneous point strictly inside the polyhedron of a cone."""
    centre = cone.interior()
    weight = centre[0]
    supporting = 0  # every facet is among the rows that vanish on some ray
    for tight in cone.tight:
        supporting |= tight
    rows = [row for k, row in enumerate(cone.rows) if k and supporting >> k & 1]
    q = 1
    while q < weight:
        point = (q, *[(2 * q * x + weight) // (2 * weight) for x in centre[1:]])
        if all(dot(row, point) > 0 for row in rows):
            return primitive(point)
        q *= 2
    return centre

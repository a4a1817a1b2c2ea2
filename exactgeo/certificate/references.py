"""References to templates: the evidence that a node is sent into a template's set, and that it is all of what is.

Let sigma be the map of a node onto the coordinates of a template, G the template's rows. *Forward*: every g o sigma is
a combination of the node's citable rows, with positive multipliers, and a nonnegative constant. *Backward*: every
citable row is such a combination of the g o sigma; that needs a map that forgets nothing but lines of the node, and
then a row r is r' o sigma for a form r' on the template's space, so r' is looked for as a combination of G.

The combination is found by peeling, as in ``farkas``: a form that is nonnegative on a cone loses as much of the
constant as it can, then it vanishes at a vertex; and as much of a row that vanishes wherever it does, until nothing is
left. The normals so found are independent, so that a certificate may omit the multipliers.
"""

from fractions import Fraction

from exactgeo.certificate.farkas import Evidence
from exactgeo.errors import Inconsistent
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.rows import Row, dot, integer_row, is_constant

__all__ = ["Numbered", "implied"]

Numbered = list[tuple[Row, int]]
"""Rows with their numbers in a certificate, ascending."""


def implied(cone: Cone, numbers: dict[Row, int], form: Row) -> Evidence:
    """The rows of a cone, with multipliers, of which a form that is positive inside the cone is a combination."""
    if is_constant(form):
        if form[0] <= 0:
            raise Inconsistent(f"the constant {form[0]} is not positive")
        return {}
    if form in numbers:
        return {numbers[form]: 1}
    values = [Fraction(dot(form, ray)) for ray in cone.rays]
    if min(values) < 0 or any(dot(form, line) for line in cone.lines):
        raise Inconsistent(f"the form {form} is negative somewhere on a node")
    shares: dict[int, Fraction] = {}
    least = min(value / ray[0] for value, ray in zip(values, cone.rays, strict=True) if ray[0])
    values = [value - least * ray[0] for value, ray in zip(values, cone.rays, strict=True)]
    while any(values):
        usable = -1
        for value, tight in zip(values, cone.tight, strict=True):
            if not value:
                usable &= tight
        if usable <= 0:
            raise Inconsistent("a form that is nonnegative on a node is no combination of its rows")
        k = usable.bit_length() - 1
        sizes = [dot(cone.rows[k], ray) for ray in cone.rays]
        share = min(value / size for value, size in zip(values, sizes, strict=True) if size)
        shares[numbers[cone.rows[k]]] = share
        values = [value - share * size for value, size in zip(values, sizes, strict=True)]
    ordered = sorted(shares.items())
    return dict(zip([number for number, _ in ordered], integer_row([share for _, share in ordered]), strict=True))

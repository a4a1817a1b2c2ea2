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

from flint import fmpz_mat

from exactgeo.certificate.farkas import Evidence
from exactgeo.errors import Inconsistent
from exactgeo.polyhedron.cone import Cone
from exactgeo.polyhedron.lp import Interior, interior
from exactgeo.rational.rows import Row, dot, homogeneous, integer_row, is_constant, primitive

__all__ = ["Numbered", "Projection", "implied"]

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


class Projection:
    """An affine map R^d -> R^k that is onto, by its homogeneous matrix: first row (q, 0, ..., 0), q > 0."""

    def __init__(self, matrix: fmpz_mat) -> None:
        self.rows = [tuple([int(entry) for entry in row]) for row in matrix.tolist()]
        # Columns in which it is invertible: that of the constant, and those of k coordinates.
        echelon, _, rank = matrix.rref()
        if rank < matrix.nrows():
            raise Inconsistent("a projection that is not onto")
        self._columns = [next(j for j, entry in enumerate(row) if entry) for row in echelon.tolist()]
        square = fmpz_mat([[row[j] for j in self._columns] for row in self.rows])
        self._size = abs(int(square.det()))
        self._inverse = [[int(entry * self._size) for entry in row] for row in square.inv().tolist()]

    def pulled(self, form: Row) -> Row:
        """The primitive row of form o sigma."""
        return primitive([sum(map(int.__mul__, form, column)) for column in zip(*self.rows, strict=True)])

    def factor(self, form: Row) -> Row:
        """The primitive row of the form that is ``form`` after sigma; there must be one."""
        chosen = [form[j] for j in self._columns]
        found = primitive([dot(chosen, column) for column in zip(*self._inverse, strict=True)])
        if self.pulled(found) != primitive(form):
            raise Inconsistent(f"the form {form} does not depend on the image alone")
        return found

    def lifted(self, point: Row, cone: Cone) -> Row:
        """A homogeneous point inside the polyhedron of ``cone`` that sigma sends to ``point``; there must be one."""
        width = len(self.rows[0])
        # A point over it with zeros outside the columns, and a basis of the directions that sigma forgets.
        start = [0] * width
        for j, row in zip(self._columns, self._inverse, strict=True):
            start[j] = dot(row, point)
        free = [j for j in range(width) if j not in self._columns]
        if not free:
            return primitive(start)
        directions = []
        for j in free:
            column = [row[j] for row in self.rows]
            direction = [0] * width
            direction[j] = self._size
            for i, row in zip(self._columns, self._inverse, strict=True):
                direction[i] = -dot(row, column)
            directions.append(direction)
        rows = [
            integer_row([Fraction(dot(row, start), start[0]), *[dot(row, direction) for direction in directions]])
            for row in cone.rows[1:]
        ]
        answer = interior(rows, len(free))
        if not isinstance(answer, Interior):
            raise Inconsistent(f"no point of a node lies over {point}: {answer}")
        moved = [
            Fraction(start[i], start[0])
            + sum((y * direction[i] for y, direction in zip(answer.point, directions, strict=True)), Fraction())
            for i in range(1, width)
        ]
        return homogeneous(moved)

"""Affine maps onto a space: forms pulled back along them, forms that factor through them, points over a point.

>>> sum_of_two = Projection(fmpz_mat([[1, 0, 0], [0, 1, 1]]))
>>> sum_of_two.pulled((3, 2)), sum_of_two.factor((6, 4, 4))
((3, 2, 2), (3, 2))
>>> sum_of_two.lifted((1, 1), Cone.of([(0, 1, 0), (0, 0, 1)], 2))
(2, 1, 1)
"""

from fractions import Fraction

from flint import fmpz_mat

from exactgeo.errors import Inconsistent
from exactgeo.polyhedron.cone import Cone
from exactgeo.polyhedron.lp import Interior, interior
from exactgeo.rational.rows import Row, dot, homogeneous, integer_row, primitive

__all__ = ["Projection"]


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

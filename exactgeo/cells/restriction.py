"""Counting cells without listing them: deletion and restriction.

Let P be a polyhedron with interior in a flat of dimension k, and h_1, ..., h_n affine forms on that flat, each of which
*cuts* P: its zeros are a hyperplane of the flat that meets the interior of P. Forms with the same zeros *coincide*, and
one of them is kept. Let c(P; h_1, ..., h_n) be the number of parts into which the hyperplanes cut the interior of P.

**Theorem** (Zaslavsky 1975 for R^k; Alexanderson and Wetzel 1981, Zaslavsky 1977 for convex sets).

    c(P; h_1, ..., h_n) = 1 + sum_i c(P n {h_i = 0}; h_1, ..., h_{i-1})

where on the slice P n {h_i = 0}, of dimension k - 1, only the forms that cut the slice are kept, and one of those that
coincide *there*. For k = 0 and for n = 0 the count is 1, for k = 1 it is 1 + n.

*Proof.* Put in one hyperplane after the other. Those before h_i make parts; h_i adds as many parts as it cuts, because
each of these, being open and convex, becomes two. The parts that it cuts are met by {h_i = 0} in the parts that the
forms before it make of the slice: each of these lies in one part, and a part, being convex, meets the hyperplane in one
piece. A form before it that does not cut the slice has one sign on its interior, or is zero on all of it; the latter
would mean that it coincides with h_i, unless the slice is on P's boundary, which it is not. QED.

No general position is needed, P need not be bounded, and nothing is counted twice. Each slice that the sum comes to
adds one to the count, so there are no more of them than cells; what is added up so far is a lower bound at any time.
Beside a split, which computes all vertices of all cells, that is little: n hyperplanes in general position in R^d make
C(n, d) points in which only residues are compared, and C(n, d - 1) lines. On all of R^d a form cuts every flat on which
it is not constant, so that no vertex is ever computed.

This module settles in exact integers of any length what the compiled kernel hands back: one slice. The parts of a slice
are the cells of its forms in coordinates of its flat, which ``partition.split`` counts.

References: T. Zaslavsky, Facing up to arrangements, Memoirs AMS 154, 1975; A combinatorial analysis of topological
dissections, Advances in Mathematics 25, 1977; G. L. Alexanderson and J. E. Wetzel, Arrangements of planes in space,
Discrete Mathematics 34, 1981.

Two lines cross in a square, on its diagonal; a third passes through their point.

>>> square = Cone.of([(0, 1, 0), (1, -1, 0), (0, 0, 1), (1, 0, -1)], 2)
>>> sum(count_on_slice(square, [(0, 1, -1)], [(-1, 1, 1), (-1, 2, 0), (0, 1, 1)]))
2
>>> coordinates([(0, 1, -1)])
[(1, 0, 0), (0, 1, 1)]
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm

from exactgeo.cells.listed import cone_of
from exactgeo.partition.selectors import classes_of
from exactgeo.partition.split import count
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.rows import Row, dot, primitive

__all__ = ["coordinates", "count_on_slice"]


def count_on_slice(cone: Cone, chain: Sequence[Row], forms: Sequence[Row]) -> Iterator[int]:
    """The number of parts into which the forms cut the slice of a polyhedron on which all rows of ``chain`` vanish.

    The slice meets the interior of the polyhedron, and the rows of the chain are independent. In instalments.
    """
    basis = coordinates(chain)
    zero = (0,) * len(basis)
    inside = cone_of([(1, *zero[1:]), *[_restricted(row, basis) for row in cone.rows]])
    selectors = [classes_of([zero, _restricted(form, basis)]) for form in forms]
    yield from count(inside, selectors)


def _restricted(row: Row, basis: Sequence[Row]) -> Row:
    return tuple([dot(row, vector) for vector in basis])


def coordinates(chain: Sequence[Row]) -> list[Row]:
    """A basis of the space on which independent rows vanish: first a point, x_0 > 0, then directions, x_0 = 0.

    The rows are those of a flat: they vanish together where x_0 > 0.
    """
    width = len(chain[0])
    reduced: dict[int, list[Fraction]] = {}  # by the column in which it has a one, and the others nothing
    for row in chain:
        rest = [Fraction(x) for x in row]
        for column, other in reduced.items():
            rest = _without(rest, other, column)
        lead = next(k for k in range(1, width) if rest[k])
        rest = [x / rest[lead] for x in rest]
        reduced = {column: _without(other, rest, lead) for column, other in reduced.items()}
        reduced[lead] = rest
    basis = []
    for free in range(width):
        if free not in reduced:
            vector = [Fraction(int(k == free)) for k in range(width)]
            for column, other in reduced.items():
                vector[column] = -other[free]
            denominator = lcm(*[x.denominator for x in vector])
            basis.append(primitive([int(x * denominator) for x in vector]))
    return basis


def _without(row: Sequence[Fraction], other: Sequence[Fraction], column: int) -> list[Fraction]:
    """The row minus a multiple of the other, so that nothing is left in a column in which the other has a one."""
    return [x - row[column] * y for x, y in zip(row, other, strict=True)]

"""Generators of a polyhedron, and rows from generators: the double description, both ways, through cddlib.

Every polyhedron P = {x : b_k + a_k.x >= 0} that is not empty is

    P = conv(points) + cone(rays) + span(lines)

(Minkowski and Weyl; G. M. Ziegler, *Lectures on Polytopes*, Theorem 1.2). Both directions are one computation, the
extreme rays and the lineality space of a cone {y : row.y >= 0}: from rows to generators with the cone over P,
K = {(x_0, x) : x_0 >= 0, b_k x_0 + a_k.x >= 0}, and from generators to rows with the dual cone
{(b, a) : b g_0 + a.g >= 0 for all generators (g_0, g) of K}, whose lineality space holds the equations of P.

cddlib is only ever asked about cones, because for a polyhedron whose rows all have b = 0 it leaves out the vertex at
the origin. Its double description is rational throughout (unlike its linear programs, see ``simplex``).

>>> strip = generators([(0, 1, 0), (1, -1, 0)], 2)
>>> strip.points, strip.rays, strip.lines
(((Fraction(0, 1), Fraction(0, 1)), (Fraction(1, 1), Fraction(0, 1))), (), ((0, 1),))
>>> rows_of(generators([(0, 2), (6, -3)], 1))    # 0 <= x <= 2
((0, 1), (2, -1))
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cdd
import cdd.gmp

from exactgeo.errors import Inconsistent
from exactgeo.polyhedron.cone import point_of
from exactgeo.polyhedron.echelon import echelon, reduced
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Point, Row, dot, homogeneous, integer_row, negated, primitive

__all__ = ["Generators", "generators", "mapped", "rows_of"]


@dataclass(frozen=True, slots=True)
class Generators:
    """conv(points) + cone(rays) + span(lines); the empty set where there is no point.

    The values that ``generators`` returns are canonical, equal exactly when the sets are: the lines are the reduced
    echelon basis of the lineality space; points and rays, one for each minimal face and each extreme direction modulo
    lines, have zeros at its pivots; rays are primitive; everything is sorted.
    """

    dimension: int
    points: tuple[Point, ...]
    rays: tuple[Row, ...]
    lines: tuple[Row, ...]

    @property
    def vertices(self) -> tuple[Point, ...]:
        """The zero-dimensional faces: none where there is a line."""
        return () if self.lines else self.points

    @property
    def bounded(self) -> bool:
        return not self.rays and not self.lines


def generators(rows: Sequence[Row], dimension: int) -> Generators:
    """The generators of {x : row(x) >= 0 for all rows}, in canonical form, each verified against every row."""
    infinity = (1,) + (0,) * dimension
    extreme, lineality = _cone_generators([infinity, *rows], dimension + 1)
    if not any(ray[0] for ray in extreme):
        return Generators(dimension, (), (), ())
    # Lines have x_0 = 0, so that eliminating with them moves points and rays parallel to the lineality space.
    lines, pivots = echelon(lineality)
    points, rays = set(), set()
    for ray in extreme:
        if any(dot(row, ray) < 0 for row in rows):
            raise Inconsistent(f"the generator {ray} is outside the rows {list(rows)}")
        moved = primitive(reduced(ray, lines, pivots))
        if moved[0]:
            points.add(point_of(moved))
        else:
            rays.add(moved[1:])
    for line in lines:
        if line[0] or any(dot(row, line) for row in rows):
            raise Inconsistent(f"the direction {line} is no line in the rows {list(rows)}")
    return Generators(dimension, tuple(sorted(points)), tuple(sorted(rays)), tuple([line[1:] for line in lines]))


def mapped(parts: Generators, map_: AffineMap) -> Generators:
    """Generators of the image under an affine map, neither minimal nor in canonical form."""
    rays = [_direction(map_, ray) for ray in parts.rays]
    lines = [_direction(map_, line) for line in parts.lines]
    return Generators(
        map_.output_dim,
        tuple(dict.fromkeys(map_.at(point) for point in parts.points)),
        tuple(dict.fromkeys(ray for ray in rays if any(ray))),
        tuple(dict.fromkeys(line for line in lines if any(line))),
    )


def rows_of(parts: Generators) -> tuple[Row, ...]:
    """Irredundant primitive rows of the polyhedron with these generators, any generators; each equation as two rows."""
    empty = (-1,) + (0,) * parts.dimension
    if not parts.points:
        return (empty,)
    cone = [homogeneous(point) for point in parts.points]
    cone += [(0, *ray) for ray in parts.rays]
    lines = [(0, *line) for line in parts.lines]
    extreme, lineality = _cone_generators([*cone, *lines, *[negated(line) for line in lines]], parts.dimension + 1)
    equations, pivots = echelon([(*row[1:], row[0]) for row in lineality])
    rows = set()
    for row in extreme:
        # The constant last: an equation of a set that is not empty has a nonzero normal, which holds its pivot.
        turned = primitive(reduced((*row[1:], row[0]), equations, pivots))
        if any(turned[:-1]):
            rows.add((turned[-1], *turned[:-1]))
    for turned in equations:
        row = (turned[-1], *turned[:-1])
        rows |= {row, negated(row)}
    return tuple(sorted(rows))


def _direction(map_: AffineMap, vector: Row) -> Row:
    """The primitive image of a direction under the linear part."""
    return primitive([dot(row[1:], vector) for row in map_.rows]) if map_.rows else ()


def _cone_generators(rows: Iterable[Row], width: int) -> tuple[list[Row], list[Row]]:
    """Extreme rays, modulo lineality, and a lineality basis of the cone {y in R^width : row.y >= 0}."""
    distinct = list(dict.fromkeys(primitive(row) for row in rows if any(row)))
    if not distinct:
        return [], [tuple([int(i == j) for j in range(width)]) for i in range(width)]
    matrix = cdd.gmp.matrix_from_array([(0, *row) for row in distinct], rep_type=cdd.RepType.INEQUALITY)
    answer = cdd.gmp.copy_generators(cdd.gmp.polyhedron_from_matrix(matrix))
    lineality = answer.lin_set
    rays: list[Row] = []
    lines: list[Row] = []
    for index, generator in enumerate(answer.array):
        vector = integer_row(generator)
        if any(vector[1:]):
            (lines if index in lineality else rays).append(vector[1:])
    return rays, lines

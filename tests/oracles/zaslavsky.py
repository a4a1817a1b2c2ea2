"""Oracle: the number of regions of a hyperplane arrangement, from its characteristic polynomial.

A hyperplane is a row (b, a), the set {x in R^d : b + a.x = 0} with a != 0. The *flats* are the nonempty intersections
of hyperplanes, R^d itself among them, ordered by reverse inclusion; mu(R^d) = 1 and mu(F) = -sum of mu(G) over the
flats G strictly containing F. With chi(t) = sum over flats of mu(F) t^dim(F),

    number of regions         = |chi(-1)| = sum of |mu(F)|,
    number of bounded regions = |chi(1)|  (if the normals span R^d),

since mu(F) has the sign (-1)^(d - dim F). An open convex set K is cut into

    sum of |mu(F)| over the flats F that meet K

pieces: the proof by deletion and restriction goes through with K n F in place of F, and a flat that contains a flat
meeting K meets K too, so that mu does not change. Repeated, parallel and concurrent hyperplanes need no special care: a
flat is known by its reduced row echelon form.

>>> F = Fraction  # a triangle, one side of it given twice
>>> lines = [(F(0), F(1), F(0)), (F(0), F(0), F(1)), (F(1), F(-1), F(-1)), (F(0), F(2), F(0))]
>>> regions(2, lines), bounded_regions(2, lines), characteristic_polynomial(2, lines)
(7, 1, [3, -3, 1])

References: T. Zaslavsky, Facing up to arrangements: face-count formulas for partitions of space by hyperplanes, Mem.
AMS 154 (1975), Theorems A and C; R. P. Stanley, An introduction to hyperplane arrangements (2007), Theorem 2.5;
T. Zaslavsky, A combinatorial analysis of topological dissections, Adv. Math. 25 (1977), for convex sets.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.oracles.simplex import Form, strict_point

__all__ = ["Flat", "bounded_regions", "characteristic_polynomial", "flats", "regions", "regions_inside"]


@dataclass(frozen=True)
class Flat:
    """A nonempty intersection of hyperplanes: its equations in reduced echelon form, and which hyperplanes hold it."""

    equations: tuple[Form, ...]
    hyperplanes: frozenset[int]
    dimension: int
    mu: int


def regions(dimension: int, hyperplanes: Iterable[Sequence[Fraction]]) -> int:
    """The number of regions of R^d without the hyperplanes."""
    return sum(abs(flat.mu) for flat in flats(dimension, hyperplanes))


def bounded_regions(dimension: int, hyperplanes: Iterable[Sequence[Fraction]]) -> int:
    """The number of bounded regions; 0 if the normals do not span R^d, for then every region contains a line."""
    found = flats(dimension, hyperplanes)
    if all(flat.dimension for flat in found):
        return 0
    return abs(sum(flat.mu for flat in found))


def regions_inside(
    dimension: int, hyperplanes: Iterable[Sequence[Fraction]], convex: Sequence[Sequence[Fraction]]
) -> int:
    """The number of regions in the open convex set where every row of ``convex`` is positive; 0 if that is empty."""
    found = flats(dimension, hyperplanes)
    return sum(abs(flat.mu) for flat in found if strict_point(dimension, convex, flat.equations) is not None)


def characteristic_polynomial(dimension: int, hyperplanes: Iterable[Sequence[Fraction]]) -> list[int]:
    """The coefficients of 1, t, ..., t^d in chi."""
    coefficients = [0] * (dimension + 1)
    for flat in flats(dimension, hyperplanes):
        coefficients[flat.dimension] += flat.mu
    return coefficients


def flats(dimension: int, hyperplanes: Iterable[Sequence[Fraction]]) -> list[Flat]:
    """Every flat with its Möbius number, by falling dimension."""
    rows = [tuple(row) for row in hyperplanes]
    if any(len(row) != dimension + 1 or not any(row[1:]) for row in rows):
        raise ValueError("a hyperplane needs d + 1 entries and a nonzero normal")
    found: list[Flat] = []
    level: set[tuple[Form, ...]] = {()}
    while level:
        new: set[tuple[Form, ...]] = set()
        above = list(found)
        for equations in sorted(level):
            holds = frozenset(i for i, row in enumerate(rows) if not any(_reduced(row, equations)))
            # Strictly larger flats are those held by fewer hyperplanes, and they have larger dimension.
            mu = -sum(flat.mu for flat in above if flat.hyperplanes < holds) if equations else 1
            found.append(Flat(equations, holds, dimension - len(equations), mu))
            new |= {smaller for row in rows if (smaller := _meet(equations, row)) is not None}
        level = new
    return found


def _meet(equations: tuple[Form, ...], row: Form) -> tuple[Form, ...] | None:
    """The echelon form of the flat cut by a hyperplane; None if that is empty or the whole flat."""
    rest = _reduced(row, equations)
    pivot = _pivot(rest)
    if pivot is None:
        return None
    new = tuple(entry / rest[pivot] for entry in rest)
    return tuple(sorted((*[_reduced(old, (new,)) for old in equations], new), key=_pivot_key))


def _reduced(row: Form, equations: tuple[Form, ...]) -> Form:
    """``row`` minus the multiples of the echelon rows that clear their pivots."""
    for equation in equations:
        pivot = _pivot(equation)
        if pivot is not None and row[pivot]:
            row = tuple(x - row[pivot] * y for x, y in zip(row, equation, strict=True))
    return row


def _pivot(row: Form) -> int | None:
    """The first nonzero entry of the normal."""
    return next((k for k in range(1, len(row)) if row[k]), None)


def _pivot_key(row: Form) -> int:
    return _pivot(row) or len(row)

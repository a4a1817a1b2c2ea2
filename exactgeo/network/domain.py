"""The domain of a network: a full-dimensional rational polyhedron, as primitive integer rows b + a.x >= 0.

A box gives the rows x_i - lower_i >= 0 and upper_i - x_i >= 0, coordinate by coordinate; inequalities give one row
each, in the order of the file. A row without a normal is either true everywhere or makes the domain empty. No rows at
all is R^d. A domain that is empty or has no interior is refused with the Farkas proof:

>>> inequality_rows([(Fraction(-1, 2), Fraction(1)), (Fraction(1), Fraction(-1)), (Fraction(3), Fraction(0))], 1)
((-1, 2), (1, -1), (1, 0))
>>> inequality_rows([(Fraction(-2), Fraction(1)), (Fraction(1), Fraction(-1))], 1)
Traceback (most recent call last):
exactgeo.errors.EmptyDomain: domain.inequalities: expected a full-dimensional domain, but it is empty: \
1*row 0 + 1*row 1 is a negative constant
"""

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

from exactgeo.errors import EmptyDomain, FlatDomain
from exactgeo.rational.numbers import brief
from exactgeo.rational.rows import Point, Row, integer_row, is_constant

__all__ = ["Box", "box_rows", "check_domain", "inequality_rows", "rows_as_box"]

Box = tuple[tuple[Fraction, Fraction], ...]


def box_rows(box: Box) -> tuple[Row, ...]:
    """The rows of a box; an error names the first coordinate whose bounds do not enclose an interval."""
    rows = []
    for i, (lower, upper) in enumerate(box):
        before, after = (0,) * i, (0,) * (len(box) - i - 1)
        # Primitive, as fractions are in lowest terms.
        below = (-lower.numerator, *before, lower.denominator, *after)
        above = (upper.numerator, *before, -upper.denominator, *after)
        if lower >= upper:
            # With a = below's and -c = above's normal entry, c * below + a * above is the constant ac(upper - lower).
            a, c = below[i + 1], -above[i + 1]
            multipliers = {2 * i: c // gcd(a, c), 2 * i + 1: a // gcd(a, c)}
            problem = f"expected lower < upper in coordinate {i}, got {brief(lower)} and {brief(upper)}"
            refusal = FlatDomain if lower == upper else EmptyDomain
            raise refusal(f"domain.box[{i}]", multipliers, problem)
        rows += [below, above]
    return tuple(rows)


def inequality_rows(table: Sequence[Point], input_dim: int) -> tuple[Row, ...]:
    """The rows of a table of rational rows (b, a), one each, after the check that they enclose an open set."""
    place = "domain.inequalities"
    rows = [integer_row(values) for values in table]
    factors: dict[int, Fraction] = {}  # index of a row with a normal -> the positive factor that makes it primitive
    for index, (row, values) in enumerate(zip(rows, table, strict=True)):
        if not is_constant(row):
            pivot = next(i for i, entry in enumerate(row) if entry)
            factors[index] = row[pivot] / values[pivot]
        elif row[0] < 0:
            raise EmptyDomain(place, {index: 1})
    try:
        check_domain([rows[index] for index in factors], input_dim)
    except (EmptyDomain, FlatDomain) as error:
        # The proof is about primitive rows: in terms of the table's own rows each multiplier carries its row's factor.
        indices = list(factors)
        weights = {indices[i]: factor * factors[indices[i]] for i, factor in error.multipliers.items()}
        raise type(error)(place, _integers(weights)) from None
    return tuple(rows)


def check_domain(rows: Sequence[Row], input_dim: int) -> None:
    """Raise ``EmptyDomain`` or ``FlatDomain``, with the proof by row index, unless some point is inside every row."""
    if not rows:
        return
    from exactgeo.polyhedron.lp import NoInterior, interior  # only inequalities need a linear program

    answer = interior(rows, input_dim)
    if isinstance(answer, NoInterior):
        raise (FlatDomain if answer.flat else EmptyDomain)("domain", answer.multipliers)


def rows_as_box(rows: Sequence[Row], input_dim: int) -> Box | None:
    """The bounds of each coordinate if the rows say just that, both of them for every coordinate; otherwise None."""
    lower: dict[int, Fraction] = {}
    upper: dict[int, Fraction] = {}
    for row in rows:
        support = [i for i, entry in enumerate(row[1:]) if entry]
        if len(support) != 1:
            return None
        [i] = support
        bound = Fraction(-row[0], row[i + 1])
        if row[i + 1] > 0:
            lower[i] = max(bound, lower.get(i, bound))
        else:
            upper[i] = min(bound, upper.get(i, bound))
    if not len(lower) == len(upper) == input_dim:
        return None
    return tuple((lower[i], upper[i]) for i in range(input_dim))


def _integers(weights: dict[int, Fraction]) -> dict[int, int]:
    """The positive multiple of ``weights`` in integers without a common factor."""
    scale = lcm(*[weight.denominator for weight in weights.values()])
    scaled = {index: int(weight * scale) for index, weight in weights.items()}
    divisor = gcd(*scaled.values())
    return {index: weight // divisor for index, weight in scaled.items()}

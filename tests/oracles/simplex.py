"""Oracle: is a system of strict rational inequalities solvable? By the textbook simplex method, nothing else.

A row (b, a_1, ..., a_d) of Fractions stands for the affine form b + a.x. ``strict_point(d, rows, equations)`` returns
a point x with b + a.x > 0 for every row and b + a.x = 0 for every equation, or None if there is none.

Method. Equations are solved first, x = p + B y, and the rows pulled back to y. Then

    maximise t  subject to  b + a.y >= t for every row,  t <= 1,

whose optimum is positive exactly if the strict system is solvable. With y = u - v (u, v >= 0), t = s + m, where
m = min(0, all b), and s >= 0, this is the linear program

    maximise s  subject to  s - a.(u - v) <= b - m,  s <= 1 - m,  u, v, s >= 0

in standard form with nonnegative right-hand sides, so the origin is a first basic solution. Bland's rule (smallest
index enters, smallest index among the tight rows leaves) cannot cycle.

>>> F = Fraction
>>> strict_point(1, [(F(0), F(1)), (F(1), F(-1))]) is not None       # 0 < x < 1
True
>>> strict_point(1, [(F(0), F(1)), (F(0), F(-1))]) is None           # x > 0 and x < 0
True

References: R. G. Bland, New finite pivoting rules for the simplex method, Math. Oper. Res. 2 (1977);
V. Chvatal, Linear Programming (1983), chapters 2 and 3 (dictionaries).
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction

__all__ = ["Form", "solve", "strict_point", "value"]

Form = tuple[Fraction, ...]
"""(b, a_1, ..., a_d), standing for b + a.x."""

ZERO, ONE = Fraction(0), Fraction(1)


def value(form: Sequence[Fraction], point: Sequence[Fraction]) -> Fraction:
    """b + a.x."""
    return form[0] + sum((a * x for a, x in zip(form[1:], point, strict=True)), ZERO)


def strict_point(
    dimension: int, rows: Iterable[Sequence[Fraction]], equations: Iterable[Sequence[Fraction]] = ()
) -> tuple[Fraction, ...] | None:
    """A point strictly inside every row and on every equation; None if there is none."""
    rows, equations = list(rows), list(equations)
    parametrisation = solve(dimension, equations)
    if parametrisation is None:
        return None
    # parametrisation[i] = (p_i, B_i) is the form of coordinate x_i in the parameters y.
    free = len(parametrisation[0]) - 1 if dimension else 0
    pulled = [
        tuple(
            (row[0] if k == 0 else ZERO) + sum((a * x[k] for a, x in zip(row[1:], parametrisation, strict=True)), ZERO)
            for k in range(free + 1)
        )
        for row in rows
    ]
    parameters = _maximal_slack(free, pulled)
    if parameters is None:
        return None
    point = tuple(value(coordinate, parameters) for coordinate in parametrisation)
    if not all(value(row, point) > 0 for row in rows) or any(value(row, point) for row in equations):
        raise AssertionError("the simplex oracle contradicts itself")
    return point


def solve(dimension: int, equations: Iterable[Sequence[Fraction]]) -> list[Form] | None:
    """The solutions of b + a.x = 0 for all equations as forms x_i = p_i + B_i.y in free parameters; None if none."""
    table = [list(equation) for equation in equations]
    pivots: list[int] = []
    for column in range(1, dimension + 1):
        rank = len(pivots)
        row = next((i for i in range(rank, len(table)) if table[i][column]), None)
        if row is None:
            continue
        table[rank], table[row] = table[row], table[rank]
        table[rank] = [entry / table[rank][column] for entry in table[rank]]
        for i, other in enumerate(table):
            if i != rank and other[column]:
                table[i] = [x - other[column] * y for x, y in zip(other, table[rank], strict=True)]
        pivots.append(column)
    if any(row[0] for row in table[len(pivots) :]):
        return None
    parameters = [column for column in range(1, dimension + 1) if column not in pivots]
    forms: list[Form] = []
    for column in range(1, dimension + 1):
        if column in pivots:
            solved = table[pivots.index(column)]
            forms.append((-solved[0], *[-solved[k] for k in parameters]))
        else:
            forms.append((ZERO, *[Fraction(k == column) for k in parameters]))
    return forms


def _maximal_slack(dimension: int, rows: list[Form]) -> tuple[Fraction, ...] | None:
    """A point with every row positive, found while maximising the least of them (at most 1); None if there is none."""
    shift = min([ZERO, *[row[0] for row in rows]])
    # Nonbasic variables 0..2d: s, u_1..u_d, v_1..v_d. A dictionary line (c_0, c_1, ...) says
    # basic variable = c_0 + sum c_k * (nonbasic variable k).
    lines = [[row[0] - shift, -ONE, *row[1:], *[-a for a in row[1:]]] for row in rows]
    lines.append([ONE - shift, -ONE, *[ZERO] * (2 * dimension)])
    nonbasic = list(range(2 * dimension + 1))
    basic = list(range(2 * dimension + 1, 2 * dimension + 1 + len(lines)))
    objective = [shift, ONE, *[ZERO] * (2 * dimension)]  # t = shift + s
    while objective[0] <= 0:
        entering = min((k for k in range(len(nonbasic)) if objective[k + 1] > 0), key=lambda k: nonbasic[k], default=-1)
        if entering < 0:
            return None  # optimal, and the least slack is not positive
        column = entering + 1
        # t <= 1 bounds the objective, so some line limits the entering variable.
        leaving = min(
            (i for i, line in enumerate(lines) if line[column] < 0),
            key=lambda i: (lines[i][0] / -lines[i][column], basic[i]),
        )
        old = lines[leaving]
        solved = [entry / -old[column] for entry in old]
        solved[column] = ONE / old[column]
        for line in [*lines, objective]:
            factor = line[column]
            if line is not old and factor:
                line[column] = ZERO
                line[:] = [x + factor * y for x, y in zip(line, solved, strict=True)]
        lines[leaving] = solved
        nonbasic[entering], basic[leaving] = basic[leaving], nonbasic[entering]
    values = {name: line[0] for name, line in zip(basic, lines, strict=True)}
    return tuple(values.get(1 + i, ZERO) - values.get(1 + dimension + i, ZERO) for i in range(dimension))

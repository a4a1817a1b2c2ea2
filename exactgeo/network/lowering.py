"""Stages as the native core keeps them: each form in terms of the stage before, all in integers.

With y = base(z) + mix . v, where v are the winners' values of a stage and z is its input, a form f of the next stage is

    f(y) = f_0 + f' . base(z) + (f' . mix) . v.

The *terms* after a stage are its winners' values and its *bases*: functionals of z that are forms of the stage beside
those of its selectors. The last one is the constant 1. So f . mix and f . base are multiplied out once, and the core
never sees the output of a stage. Where the base is constant, as behind a ReLU layer, the constant is the only base.

Denominators are dropped: all forms of a stage, the bases and the constant among them, get the same positive factor, so
the integer in place of the constant 1 is their common denominator.

>>> from exactgeo import native
>>> from exactgeo.network import Network
>>> tent = Network.mlp([[[1], [1]], [[2, -4]]], [[0, "-1/2"], [3]], domain={"box": [[0, 1]]})
>>> tables = stage_tables(tent, output_rows(tent))
>>> tables[0][0]  # 0, x and x - 1/2, all times 2, and the constant 1
[(0, 0), (0, 2), (-1, 2), (2, 0)]
>>> tables[1][0]  # 3 + 2 v_1 - 4 v_2, and the constant 1
[[3, 2, -4], [1, 0, 0]]
"""

from collections.abc import Sequence
from math import gcd, lcm

from flint import fmpz_mat

from exactgeo import native
from exactgeo.network.staged import Staged
from exactgeo.network.stages import Stage, scattered
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Row

__all__ = ["StageTable", "lowered", "output_rows", "stage_tables"]

Table = Sequence[Sequence[int]]
_Selectors = tuple[list[int], list[int], list[int], list[int]]
StageTable = tuple[Table, list[int], list[int], list[int], list[int], list[int]]
"""Rows of the forms in the terms before, the constant first; of each selector the number of candidates; of each
candidate the score and the length of its value; all values; the bases."""


def lowered(network: Staged, mapped: bool = False, *, functional: bool = False) -> "native.core.Network":
    """The network for the core.

    If ``mapped``, a last stage has the output and the constant form; with ``functional``, one fixed functional of it.
    """
    output = None
    if mapped or functional:
        output = [(0, *scattered(network.output_dim))] if functional else output_rows(network)
    tables = stage_tables(network, output)
    return native.core.Network(network.input_dim, network.domain_rows, tables, output is not None)


def output_rows(network: Staged) -> list[Row]:
    """The coordinates of the output, as forms on it."""
    return [(0, *row[1:]) for row in AffineMap.identity(network.output_dim).rows]


def stage_tables(network: Staged, output: Sequence[Row] | None) -> list[StageTable]:
    """All stages, and one for these forms on the output."""
    tables: list[StageTable] = []
    # From the last stage to the first: the forms after a stage decide what its bases are.
    after = None if output is None else [*output, _constant(1, network.output_dim)]
    selectors: _Selectors = ([], [], [], [])
    bases: list[int] = []
    for stage in reversed(network.stages):
        rows: list[Row] = list(stage.forms.rows)
        if after is not None:
            composed, extra = _composed(after, stage)
            tables.append((composed, *selectors, bases))
            one = stage.forms.denominator
            rows += [(0, *[one * entry for entry in row]) for row in extra]
            rows.append(_constant(one, stage.input_dim))
        bases = list(range(len(stage.forms.rows), len(rows)))
        selectors = _selectors(stage)
        after = rows
    tables.append((after or [], *selectors, bases))
    return tables[::-1]


def _constant(one: int, width: int) -> Row:
    return (one,) + (0,) * width


def _selectors(stage: Stage) -> _Selectors:
    candidates = [candidate for selector in stage.selectors for candidate in selector.candidates]
    return (
        [len(selector.candidates) for selector in stage.selectors],
        [candidate.score for candidate in candidates],
        [len(candidate.value) for candidate in candidates],
        [form for candidate in candidates for form in candidate.value],
    )


def _composed(after: Sequence[Row], stage: Stage) -> tuple[Table, list[Row]]:
    """Forms on the output of a stage in the terms after it, times one positive factor, and the bases but the last."""
    base, mix, width = stage.base, stage.mix, stage.output_dim
    constant = all(not any(row[1:]) for row in base.rows)
    if constant and not any(row[0] for row in base.rows) and mix == AffineMap.identity(width):
        return after, []
    normals = fmpz_mat(len(after), width, [entry for row in after for entry in row[1:]])
    # base = (constants + spread . extra) / its denominator, unless the forms are fewer than these: then these forms
    # of the base are bases themselves.
    spread: Table = [()] * width
    extra: list[Row] = []
    narrow = False
    if not constant:
        spread, extra = _spanned([row[1:] for row in base.rows])
        if len(after) < len(extra):
            pulled = normals * fmpz_mat([list(row[1:]) for row in base.rows])
            spread, extra, narrow = [()] * width, _rows(pulled), True
    scale = lcm(base.denominator, mix.denominator)
    on_base, on_mix = scale // base.denominator, scale // mix.denominator
    terms = [
        [
            on_base * fixed[0],
            *[on_mix * entry for entry in mixed[1:]],
            *[on_base * entry for entry in part],
        ]
        for fixed, mixed, part in zip(base.rows, mix.rows, spread, strict=True)
    ]
    columns = 1 + mix.input_dim + (0 if narrow else len(extra))
    product = normals * (fmpz_mat(terms) if terms else fmpz_mat(0, columns))
    table = [list(row) for row in _rows(product)]
    for i, (row, form) in enumerate(zip(table, after, strict=True)):
        row[0] += scale * form[0]
        if narrow:
            row += [0] * i + [on_base] + [0] * (len(extra) - i - 1)
    divisor = gcd(*[entry for row in table for entry in row])
    if divisor > 1:
        table = [[entry // divisor for entry in row] for row in table]
    return table, extra


def _spanned(normals: Sequence[Row]) -> tuple[Table, list[Row]]:
    """Few rows that all of these are integer combinations of, and the coefficients: rows among them, or coordinates."""
    distinct = list(dict.fromkeys([row for row in normals if any(row)]))
    used = [k for k, column in enumerate(zip(*normals, strict=True)) if any(column)]
    if len(used) < len(distinct):
        width = len(normals[0])
        units = [(0,) * k + (1,) + (0,) * (width - k - 1) for k in used]
        return [[row[k] for k in used] for row in normals], units
    place = {row: k for k, row in enumerate(distinct)}
    return [[int(place.get(row) == k) for k in range(len(distinct))] for row in normals], distinct


def _rows(matrix: fmpz_mat) -> list[Row]:
    return [tuple([int(entry) for entry in row]) for row in matrix.tolist()]

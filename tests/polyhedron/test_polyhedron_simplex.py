"""The integer simplex method: against elimination, and against cddlib's exact linear programs on small numbers."""

import random

import cdd
import cdd.gmp
import pytest

from exactgeo.errors import Inconsistent
from exactgeo.polyhedron.simplex import _Dictionary, strictly_inside
from exactgeo.rational.rows import Row, dot


def optimum_is_positive(rows: list[Row], dimension: int) -> bool:
    """The sign of max t subject to rows >= t <= 1, from cddlib."""
    blank = (0,) * dimension
    table = [*[(*row, -1) for row in rows], (1, *blank, -1), (0, *blank, 1)]
    program = cdd.gmp.linprog_from_array(table, cdd.LPObjType.MAX)
    cdd.gmp.linprog_solve(program)
    assert program.status == cdd.LPStatusType.OPTIMAL
    return program.obj_value > 0


@pytest.mark.parametrize("dimension", range(1, 8))
@pytest.mark.parametrize("size", [1, 3, 50])
def test_against_cddlib(dimension: int, size: int) -> None:
    rng = random.Random(1000 * dimension + size)
    for _ in range(60):
        count = rng.randint(0, 2 * dimension + 4)
        rows = [tuple(rng.randint(-size, size) for _ in range(dimension + 1)) for _ in range(count)]
        rows = [row for row in rows if any(row[1:])]
        answer = strictly_inside(rows, dimension)
        assert isinstance(answer, tuple) == optimum_is_positive(rows, dimension)
        if isinstance(answer, tuple):
            assert answer[0] > 0
            assert all(dot(row, answer) > 0 for row in rows)
        else:
            total = [sum(factor * rows[index][k] for index, factor in answer.items()) for k in range(dimension + 1)]
            assert min(answer.values()) > 0
            assert not any(total[1:])
            assert total[0] <= 0
            assert len(answer) <= dimension + 1


def test_highly_degenerate_programs_end() -> None:
    """All hyperplanes through one point, every one of 2^d sign patterns and more: cycling would never return."""
    rng = random.Random(5)
    for dimension in (2, 3, 4):
        for _ in range(60):
            rows = [(0, *[rng.randint(-1, 1) for _ in range(dimension)]) for _ in range(20)]
            rows = [row for row in rows if any(row)]
            answer = strictly_inside(rows, dimension)
            if isinstance(answer, dict):
                assert not any(
                    sum(factor * rows[index][k] for index, factor in answer.items()) for k in range(dimension + 1)
                )


def test_the_origin_is_taken_where_it_will_do() -> None:
    assert strictly_inside([], 2) == (1, 0, 0)
    assert strictly_inside([(1, 5, -7)], 2) == (1, 0, 0)


def test_a_dictionary_without_its_cap_is_found_out() -> None:
    dictionary = _Dictionary([(-1, 1)], 1, 0)
    dictionary.table[0] = [1, 0, 0]
    with pytest.raises(Inconsistent, match="unbounded"):
        dictionary.step()

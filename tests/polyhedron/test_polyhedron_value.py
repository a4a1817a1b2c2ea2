"""The Polyhedron value: factories, membership, what is refused, and what each method answers."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from exactgeo.errors import BadInput, NotRational
from exactgeo.polyhedron.lp import Interior, NoInterior
from exactgeo.polyhedron.polyhedron import Polyhedron
from exactgeo.rational.affine import AffineMap


def test_rows_are_primitive_and_keep_order_and_copies() -> None:
    body = Polyhedron.from_rows([["1/2", "-1/3"], [6, -4], [0, 0]])
    assert body.rows == ((3, -2), (3, -2), (0, 0))
    assert body == Polyhedron.from_rows([[3, -2], [3, -2], [0, 0]], 1)
    assert len({body, Polyhedron(1, body.rows)}) == 1


@pytest.mark.parametrize("half", ["1/2", 0.5, Fraction(1, 2), Decimal("0.5"), np.float16(0.5), fmpq(1, 2)], ids=repr)
def test_numbers_of_any_kind(half: Any) -> None:
    for body in (Polyhedron(1, ((half, -1),)), Polyhedron.from_rows([[half, -1]]), Polyhedron.from_rows([[1, -2]])):
        assert body.rows == ((1, -2),)
        assert {type(entry) for entry in body.rows[0]} == {int}
        assert body.contains([half])
    assert Polyhedron.box([(-1, half)]).rows == ((1, 1), (1, -2))


def test_boxes_with_rational_corners() -> None:
    assert Polyhedron.box([("1/3", 2)]).rows == ((-1, 3), (2, -1))
    assert Polyhedron.box([]) == Polyhedron.space(0)


def test_membership_names_the_violated_row() -> None:
    square = Polyhedron.box([(0, 1), (0, 1)])
    assert square.contains((0, 1))
    assert square.violated((Fraction(1, 2), Fraction(4, 3))) == 3
    assert Polyhedron.space(2).contains((10**50, -1))
    assert not Polyhedron.nothing(2).contains((0, 0))


def test_facets_and_redundancies_of_a_square_with_spare_rows() -> None:
    body = Polyhedron.from_rows([[0, 1, 0], [1, -1, 0], [0, 0, 1], [1, 0, -1], [2, -1, -1], [0, 2, 0], [7, 0, 0]])
    facets, redundant = body.facets(), body.redundancies()
    assert isinstance(facets, tuple)
    assert [facet.index for facet in facets] == [0, 1, 2, 3]
    assert isinstance(redundant, dict)
    assert list(redundant) == [4, 5, 6]
    assert redundant[4].multipliers == {1: 1, 3: 1}
    assert isinstance(body.interior_point(), Interior)


def test_flat_polyhedra_say_so_with_a_proof() -> None:
    flat = Polyhedron.from_rows([[0, 1], [0, -1]])
    proof = NoInterior({0: 1, 1: 1}, flat=True)
    assert flat.interior_point() == flat.facets() == flat.redundancies() == flat.irredundant() == proof
    assert not flat.is_empty()
    assert flat.intersection(Polyhedron.from_rows([[-1, 1]])).is_empty()


def test_what_is_refused() -> None:
    square = Polyhedron.box([(0, 1), (0, 1)])
    with pytest.raises(BadInput, match="row 1 has 2 entries, expected 3"):
        Polyhedron.from_rows([[0, 1, 0], [0, 1]])
    with pytest.raises(BadInput, match="needs its dimension"):
        Polyhedron.from_rows([])
    with pytest.raises(BadInput, match="dimension -1"):
        Polyhedron.from_rows([[]])
    with pytest.raises(NotRational, match="nan is not a finite number"):
        Polyhedron.from_rows([[float("nan"), 1]])
    with pytest.raises(NotRational, match="inf is not a finite number"):
        Polyhedron(1, ((float("inf"), 1),))  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="row 0 has 1 entries, expected 3"):
        Polyhedron(2, ((1,),))
    with pytest.raises(NotRational, match="coordinate 2 of a point, but inf is not a finite number"):
        square.contains((0.5, float("inf")))
    with pytest.raises(BadInput, match="a point with 2 coordinates, got 1"):
        square.contains((0,))
    with pytest.raises(BadInput, match="do not meet"):
        square.intersection(Polyhedron.space(3))
    with pytest.raises(BadInput, match="cannot be applied"):
        square.image(AffineMap.identity(3))

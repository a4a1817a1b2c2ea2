"""Affine maps: equal as functions exactly when equal as values, and a category under composition."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactgeo.rational.affine import AffineMap

numbers = st.sampled_from([Fraction(p, q) for p in range(-5, 6) for q in (1, 2, 3, 4, 5)])


def maps(inputs: int, outputs: int) -> st.SearchStrategy[AffineMap]:
    row = st.lists(numbers, min_size=inputs + 1, max_size=inputs + 1)
    return st.lists(row, min_size=outputs, max_size=outputs).map(lambda table: AffineMap.of(table, inputs))


def points(size: int) -> st.SearchStrategy[list[Fraction]]:
    return st.lists(numbers, min_size=size, max_size=size)


sizes = st.integers(1, 3)


@given(st.data(), sizes, sizes, sizes)
def test_composition_is_application_in_turn(data: st.DataObject, a: int, b: int, c: int) -> None:
    inner, outer, point = data.draw(maps(a, b)), data.draw(maps(b, c)), data.draw(points(a))
    composed = outer.compose(inner)
    assert composed.at(point) == outer.at(inner.at(point))
    assert (composed.input_dim, composed.output_dim) == (a, c)


@given(st.data(), sizes, sizes)
def test_identity_and_associativity(data: st.DataObject, a: int, b: int) -> None:
    f, g, h = data.draw(maps(a, b)), data.draw(maps(b, a)), data.draw(maps(a, b))
    assert f.compose(AffineMap.identity(a)) == f == AffineMap.identity(b).compose(f)
    assert h.compose(g).compose(f) == h.compose(g.compose(f))


@given(st.data(), sizes, sizes, st.integers(1, 12))
def test_the_form_is_canonical(data: st.DataObject, a: int, b: int, factor: int) -> None:
    f = data.draw(maps(a, b))
    assert AffineMap.of(f.fractions(), a) == f
    scaled = AffineMap.scaled(a, factor * f.denominator, [[factor * entry for entry in row] for row in f.rows])
    assert scaled == f
    assert hash(scaled) == hash(f)


@given(st.data(), sizes)
def test_the_value_is_the_definition(data: st.DataObject, a: int) -> None:
    f, point = data.draw(maps(a, 2)), data.draw(points(a))
    expected = tuple(row[0] + sum(w * x for w, x in zip(row[1:], point, strict=True)) for row in f.fractions())
    assert f.at(point) == expected


def test_maps_without_outputs_or_inputs() -> None:
    nothing = AffineMap.of([], 2)
    assert (nothing.output_dim, nothing.at([1, 2]), nothing.compose(AffineMap.identity(2))) == (0, (), nothing)
    constant = AffineMap.of([["1/2"]])
    assert (constant.input_dim, constant.at([])) == (0, (Fraction(1, 2),))
    assert constant.compose(AffineMap.of([], 3)) == AffineMap.of([["1/2", 0, 0, 0]])


def test_a_point_must_fit() -> None:
    with pytest.raises(ValueError, match="expected a point with 2 coordinates, got 1"):
        AffineMap.identity(2).at([Fraction(1)])

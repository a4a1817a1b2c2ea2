"""Selectors on one convex parent: split and search against every combination of classes, one linear program each."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactgeo.errors import Inconsistent
from exactgeo.partition.search import Facetted, search
from exactgeo.partition.selectors import Classes, Winners, classes_of, difference, winners_near
from exactgeo.partition.split import count, split
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.rows import Row, dot, homogeneous, is_constant
from tests.oracles.simplex import strict_point
from tests.polyhedron.polytopes import System, systems

Stage = tuple[int, list[Row], list[Classes]]


@st.composite
def stages(draw: st.DrawFn) -> Stage:
    """A parent and a few selectors with scores in -2..2: repeated, parallel and concurrent all the time."""
    dimension, rows = draw(systems(most_rows=4))
    score = st.tuples(*[st.integers(-2, 2)] * (dimension + 1))
    selectors = draw(st.lists(st.lists(score, min_size=1, max_size=4), max_size=3))
    return dimension, rows, [classes_of(scores) for scores in selectors]


def rows_of_winners(won: Winners, selectors: list[Classes]) -> list[Row]:
    return [
        tuple(x - y for x, y in zip(classes.rows[w], score, strict=True))
        for classes, w in zip(selectors, won, strict=True)
        for i, score in enumerate(classes.rows)
        if i != w
    ]


def by_force(stage: Stage) -> set[Winners]:
    dimension, rows, selectors = stage
    found = set()
    for won in product(*[range(len(classes.rows)) for classes in selectors]):
        inside = [row for row in rows if any(row)] + rows_of_winners(won, selectors)
        if strict_point(dimension, [tuple(map(Fraction, row)) for row in inside]) is not None:
            found.add(won)
    return found


@given(stages())
def test_split_and_search_find_every_cell_once(stage: Stage) -> None:
    dimension, rows, selectors = stage
    cone = Cone.of(rows, dimension)
    if cone is None:
        with pytest.raises(Inconsistent, match="without interior"):
            Facetted.of(rows, dimension)
        return
    expected = by_force(stage)
    by_split = list(split(cone, selectors))
    by_search = list(search(Facetted.of(rows, dimension), selectors))
    assert sum(count(cone, selectors)) == len(by_split) == len(by_search) == len(expected)
    assert {won for won, _ in by_split} == {won for won, _ in by_search} == expected
    facets = {won: {face.row for face in body.faces()} for won, body in by_search}
    bodies: list[tuple[Winners, Cone | Facetted]] = [*by_split, *by_search]
    for won, body in bodies:
        inside = [row for row in rows if any(row)] + rows_of_winners(won, selectors)
        assert all(dot(row, body.interior()) > 0 for row in inside)
        assert {face.row for face in body.faces()} == facets[won]


@given(stages())
def test_counts_come_in_instalments(stage: Stage) -> None:
    """Whoever stops early has a lower bound: each instalment is at least 1."""
    dimension, rows, selectors = stage
    cone = Cone.of(rows, dimension)
    if cone is not None:
        assert min(count(cone, selectors)) >= 1


@given(systems(most_rows=0), st.data())
def test_winners_near_a_point(system: System, data: st.DataObject) -> None:
    """The same as at p + (eps, eps^2, ...) for an eps that is small enough for coefficients of this size."""
    dimension, _ = system
    entry = st.integers(-2, 2)
    score = st.tuples(*[entry] * (dimension + 1))
    selectors = [classes_of(data.draw(st.lists(score, min_size=1, max_size=5)))]
    point = tuple(Fraction(x, 3) for x in data.draw(st.tuples(*[entry] * dimension)))
    near = [x + Fraction(1, 1000) ** (k + 1) for k, x in enumerate(point)]
    values = [dot(row, homogeneous(near)) for row in selectors[0].rows]
    (winner,) = winners_near(point, selectors)
    assert [i for i, value in enumerate(values) if value == max(values)] == [winner]


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(-1, 1), st.integers(-1, 1)), min_size=1, max_size=6))
def test_classes_are_named_by_their_lowest_members(scores: list[Row]) -> None:
    classes = classes_of(scores)
    assert sorted(j for members in classes.members for j in members) == list(range(len(scores)))
    assert [members[0] for members in classes.members] == sorted(members[0] for members in classes.members)
    for members, row in zip(classes.members, classes.rows, strict=True):
        assert list(members) == [j for j, score in enumerate(scores) if score == row]


def test_no_selector_is_one_cell() -> None:
    cone = Cone.space(2)
    assert sum(count(cone, [])) == 1
    assert [won for won, _ in split(cone, [])] == [()]
    assert [won for won, _ in search(Facetted.of([], 2), [])] == [()]


def test_constant_differences_are_no_rows() -> None:
    """Scores 0 and 1: the second wins everywhere, by a row that is constant."""
    selector = classes_of([(0, 0), (1, 0)])
    assert is_constant(difference(*selector.rows))
    assert [won for won, _ in split(Cone.space(1), [selector])] == [(1,)]
    ((won, body),) = search(Facetted.of([], 1), [selector])
    assert won == (1,)
    assert body.faces() == []


def test_many_selectors_through_one_point() -> None:
    """Twenty lines through the origin of the plane, each twice: 40 sectors."""
    selectors = [classes_of([(0, 0, 0), (0, t, 10 - abs(t))]) for t in range(-9, 11) for _ in range(2)]
    cone = Cone.space(2)
    assert sum(count(cone, selectors)) == 40
    assert len({won for won, _ in split(cone, selectors)}) == 40
    assert len({won for won, _ in search(Facetted.of([], 2), selectors)}) == 40

"""Facets and redundant rows: both methods against elimination, and all evidence verified."""

from fractions import Fraction

import pytest
from hypothesis import given

from exactgeo.errors import Inconsistent
from exactgeo.polyhedron import facets as module
from exactgeo.polyhedron.cone import Cone
from exactgeo.polyhedron.facets import Irredundant, irredundant
from exactgeo.polyhedron.lp import NoInterior, Redundant
from exactgeo.rational.rows import Row, dot, primitive
from tests.oracles.fourier_motzkin import same_set, solvable
from tests.polyhedron.polytopes import NAMED, Named, System, systems


def facets_by_elimination(rows: list[Row]) -> list[int]:
    """The first index of each class of proportional rows whose hyperplane meets the open halfspaces of all others."""
    found = []
    for index, row in enumerate(rows):
        if not any(row[1:]) or any(primitive(other) == primitive(row) for other in rows[:index]):
            continue
        others = [(other, True) for other in rows if any(other) and primitive(other) != primitive(row)]
        if solvable([(row, False), (tuple(-entry for entry in row), False), *others]):
            found.append(index)
    return found


def rows_by_generators(rows: list[Row], dimension: int) -> set[Row]:
    """The facet rows by the other method, double description."""
    cone = Cone.of(rows, dimension)
    assert cone is not None
    return {face.row for face in cone.faces()}


def verify(rows: list[Row], answer: Irredundant) -> None:
    assert answer.at[0] > 0
    assert all(dot(row, answer.at) > 0 for row in rows if any(row))
    for facet in answer.facets:
        assert facet.row == primitive(rows[facet.index])
        assert facet.at[0] > 0
        assert facet.point == tuple(Fraction(entry, facet.at[0]) for entry in facet.at[1:])
        assert dot(facet.row, facet.at) == 0
        assert all(dot(row, facet.at) > 0 for row in rows if any(row) and primitive(row) != facet.row)
    kept = {facet.index for facet in answer.facets}
    assert kept.isdisjoint(answer.redundant)
    assert kept | answer.redundant.keys() == set(range(len(rows)))
    for index, proof in answer.redundant.items():
        total = [proof.constant, *[0] * (len(rows[index]) - 1)]
        for cited, factor in proof.multipliers.items():
            assert factor > 0
            total = [x + factor * y for x, y in zip(total, rows[cited], strict=True)]
        assert total == [proof.factor * entry for entry in rows[index]]
        assert proof.factor > 0
        assert proof.constant >= 0
        assert proof.multipliers.keys() <= kept


@given(systems(most_rows=7))
def test_both_methods_against_elimination(system: System) -> None:
    dimension, rows = system
    full = solvable([(row, True) for row in rows if any(row)])
    answer = irredundant(rows, dimension)
    assert isinstance(answer, Irredundant) == full
    if isinstance(answer, NoInterior):
        assert Cone.of(rows, dimension) is None
        return
    expected = facets_by_elimination(rows)
    verify(rows, answer)
    assert [facet.index for facet in answer.facets] == expected
    assert rows_by_generators(rows, dimension) == {primitive(rows[index]) for index in expected}
    assert same_set(rows, [facet.row for facet in answer.facets])


@given(systems(most_rows=9, most_dimensions=5))
def test_the_two_methods_agree_in_higher_dimension(system: System) -> None:
    dimension, rows = system
    answer = irredundant(rows, dimension)
    if isinstance(answer, Irredundant):
        verify(rows, answer)
        assert rows_by_generators(rows, dimension) == {facet.row for facet in answer.facets}


@pytest.mark.parametrize("named", NAMED, ids=lambda named: named.name)
def test_named_polyhedra(named: Named) -> None:
    body = named.body
    answer = irredundant(body.rows, body.dimension)
    if named.affine_dimension < body.dimension:
        assert isinstance(answer, NoInterior)
        assert answer.flat == (named.affine_dimension >= 0)
        return
    assert isinstance(answer, Irredundant)
    verify(list(body.rows), answer)
    assert len(answer.facets) == named.facets


def test_many_vertices_are_never_listed() -> None:
    rows: list[Row] = [(1, *[int(i == j) * sign for j in range(30)]) for i in range(30) for sign in (1, -1)]
    answer = irredundant(rows, 30)  # a cube with 2^30 vertices
    assert isinstance(answer, Irredundant)
    assert len(answer.facets) == 60


def test_a_row_that_touches_a_vertex_is_redundant_and_so_are_copies() -> None:
    rows: list[Row] = [(0, 2, 0), (0, 1, 1), (0, 1, 0), (0, 0, 1), (0, 0, 0), (0, 3, 0)]  # quadrant
    answer = irredundant(rows, 2)
    assert isinstance(answer, Irredundant)
    verify(rows, answer)
    assert [facet.index for facet in answer.facets] == [0, 3]
    assert answer.redundant[2].multipliers == {0: 1}
    assert answer.redundant[2].factor == 2  # 2 * (0, 1, 0) is row 0
    assert answer.redundant[1].multipliers == {0: 1, 3: 2}


def test_contradictions_between_methods_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    interval: list[Row] = [(0, 1), (1, -1)]
    shooting = module._Shooting([*interval, (2, -1)], 1, (2, 1))
    with pytest.raises(Inconsistent, match="cuts off a facet"):
        shooting._proof(2, Redundant({1: 1}, 1, 1))  # true, but no facet is known yet
    monkeypatch.setattr(module, "relative_interior_on", lambda rows, dimension, index: NoInterior({0: 1}, flat=True))
    with pytest.raises(Inconsistent, match="says that none is"):
        shooting._among(2, [0, 1, 2])

"""Domains: rows in the file's order, and refusals whose Farkas proof is verified against the file's own rows."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactgeo.errors import BadNetwork, EmptyDomain, FlatDomain, OutsideDomain
from exactgeo.network import Network, read_network
from exactgeo.network.domain import check_domain, rows_as_box

F = Fraction
Table = list[list[str]]


def network_on(domain: object, dimension: int) -> Network:
    layers = [{"type": "relu"}]
    document = {"format": "exactgeo-network/1", "input_dim": dimension, "domain": domain, "layers": layers}
    return read_network(json.dumps(document).encode())


def combination(table: Table, multipliers: dict[int, int]) -> list[Fraction]:
    assert multipliers
    assert all(factor > 0 for factor in multipliers.values())
    rows = [[factor * Fraction(entry) for entry in table[index]] for index, factor in multipliers.items()]
    return [sum(column, Fraction(0)) for column in zip(*rows, strict=True)]


def test_a_box_is_rows_by_coordinate() -> None:
    network = network_on({"box": [["0", "1/2"], [-1, 3]]}, 2)
    assert network.domain_rows == ((0, 1, 0), (1, -2, 0), (1, 0, 1), (3, 0, -1))
    assert network.box == ((F(0), F(1, 2)), (F(-1), F(3)))


def test_no_domain_is_the_whole_space() -> None:
    for network in (network_on(None, 2), network_on({"inequalities": []}, 2)):
        assert network.domain_rows == ()
        assert network.box is None


def test_inequalities_keep_their_order_and_lose_constant_rows() -> None:
    table = [["0", "0", "0"], ["2", "-4", "0"], ["3", "0", "0"], ["1/2", "1/3", "1"]]
    network = network_on({"inequalities": table}, 2)
    assert network.domain_rows == ((1, -2, 0), (3, 2, 6))
    assert network.box is None


def test_a_box_written_as_inequalities_is_a_box() -> None:
    rows = [(1, -1, 0), (0, 2, 0), (0, 0, 1), (5, 0, -1), (7, 0, -1)]
    assert rows_as_box(rows, 2) == ((F(0), F(1)), (F(0), F(5)))
    assert rows_as_box(rows[:3], 2) is None
    assert rows_as_box([(0, 1, 1)], 2) is None


@pytest.mark.parametrize(("lower", "upper"), [("1", "1"), ("1/2", "1/3"), ("0", "-1e-40"), ("1e40", "-1e40")])
def test_a_box_without_interior_names_its_coordinate(lower: str, upper: str) -> None:
    with pytest.raises((EmptyDomain, FlatDomain), match="expected lower < upper in coordinate 1, got") as caught:
        network_on({"box": [[0, 1], [lower, upper]]}, 2)
    assert caught.value.place == "domain.box[1]"
    assert len(str(caught.value)) < 150
    assert isinstance(caught.value, FlatDomain if lower == upper else EmptyDomain)
    low, high = Fraction(lower), Fraction(upper)
    # The rows 2 and 3 are x - lower and upper - x as primitive integer rows.
    factor, other = caught.value.multipliers[2], caught.value.multipliers[3]
    assert factor * low.denominator == other * high.denominator > 0
    constant = other * high.numerator - factor * low.numerator
    assert constant == 0 if lower == upper else constant < 0


@pytest.mark.parametrize(
    "table",
    [
        [["0", "0", "0"], ["-1/2", "0", "0"]],  # -1/2 >= 0
        [["5", "1", "0"], ["-1", "1/3", "1/7"], ["0", "-1/3", "-1/7"]],
        [["-1", "1", "0"], ["-1", "0", "1"], ["3/2", "-1", "-1"]],
        [["-1e-40", "1", "0"], ["0", "-1e40", "0"]],
    ],
)
def test_an_empty_domain_is_proved_empty(table: Table) -> None:
    with pytest.raises(EmptyDomain, match="negative constant") as caught:
        network_on({"inequalities": table}, 2)
    constant, *normal = combination(table, caught.value.multipliers)
    assert constant < 0
    assert not any(normal)
    assert caught.value.place == "domain.inequalities"


@pytest.mark.parametrize(
    "table",
    [
        [["3", "0", "0"], ["1", "2", "0"], ["-1/2", "-1", "0"]],  # a line
        [["0", "1", "0"], ["0", "0", "1"], ["0", "-1/2", "-1/2"]],  # a point
    ],
)
def test_a_flat_domain_is_proved_flat(table: Table) -> None:
    with pytest.raises(FlatDomain, match="no interior") as caught:
        network_on({"inequalities": table}, 2)
    assert not any(combination(table, caught.value.multipliers))
    assert any(any(map(Fraction, table[index][1:])) for index in caught.value.multipliers)


def test_a_long_proof_is_not_spelled_out() -> None:
    # x_0 >= 1 and x_i >= x_(i-1) for all i, against x_19 <= 0: the proof needs every row.
    size = 20
    table = [[0] * (size + 1) for _ in range(size + 1)]
    table[0][:2] = [-1, 1]
    for i in range(1, size):
        table[i][i], table[i][i + 1] = -1, 1
    table[size][size] = -1
    with pytest.raises(EmptyDomain, match="a positive combination of the 21 rows 0, 1, 2, 3, 4, 5, 6, 7, ") as caught:
        network_on({"inequalities": table}, size)
    assert set(caught.value.multipliers.values()) == {1}
    assert isinstance(caught.value, BadNetwork)


def test_a_violated_row_is_shown_unless_it_is_long() -> None:
    assert "outside the domain: expected b + a.x > 0 for the row [1, -2]" in str(OutsideDomain((1, -2), False))
    assert "on the boundary of the domain" in str(OutsideDomain((1, -2), True))
    assert "for a row of 2 long entries" in str(OutsideDomain((1, 10**5000), False))


entries = st.integers(-3, 3)


@given(st.lists(st.tuples(entries, entries, entries), max_size=6))
def test_rows_are_accepted_exactly_when_some_point_is_inside(table: list[tuple[int, int, int]]) -> None:
    text = [[str(entry) for entry in row] for row in table]
    refusal: EmptyDomain | FlatDomain | None = None
    try:
        rows = network_on({"inequalities": text}, 2).domain_rows
    except (EmptyDomain, FlatDomain) as error:
        refusal = error
    if refusal is None:
        check_domain(rows, 2)
        assert len(rows) == sum(any(row[1:]) for row in table)
    else:
        constant, *normal = combination(text, refusal.multipliers)
        assert not any(normal)
        assert constant == 0 if isinstance(refusal, FlatDomain) else constant < 0

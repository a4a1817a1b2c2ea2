"""Exact numbers: every spelling, every refusal."""

import re
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st

from exactgeo.errors import BadInput, NotRational
from exactgeo.rational.numbers import MAX_DIGITS, bounded, brief, exact, exact_float, exact_point, parse_rational, spell


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", Fraction(0)),
        ("-0", Fraction(0)),
        ("+7", Fraction(7)),
        ("007", Fraction(7)),
        ("-2/6", Fraction(-1, 3)),
        ("+2/4", Fraction(1, 2)),
        ("0.1", Fraction(1, 10)),
        (".5", Fraction(1, 2)),
        ("5.", Fraction(5)),
        ("1e-3", Fraction(1, 1000)),
        ("-1.25E+2", Fraction(-125)),
        ("1e40", Fraction(10**40)),
        ("1e-40", Fraction(1, 10**40)),
        ("0e4000", Fraction(0)),
    ],
)
def test_spellings(text: str, value: Fraction) -> None:
    assert parse_rational(text) == exact(text) == value


@pytest.mark.parametrize(
    "text",
    ["", " ", ".", "-", "e5", ".e5", "1e", "1 ", "1\n", "1/", "/2", "1/-2", "1/2/3", "1.5/2", "0x10", "1_000", "nan"],
)
def test_not_a_number(text: str) -> None:
    with pytest.raises(NotRational, match="is not a rational number"):
        parse_rational(text)


def test_what_is_not_even_a_text() -> None:
    values = {
        "None is not": None,
        "[1] is not": [1],
        "an object of type object is not": object(),
        "timedelta64(3,'s') is not": np.timedelta64(3, "s"),  # an integer, as numpy says
    }
    for words, value in values.items():
        with pytest.raises(NotRational, match=re.escape(f"{words} a rational number")):
            exact(value)


@pytest.mark.parametrize("text", ["\u0661", "1\u0660", "\uff11", "\u00bd", "\u22121"])
def test_unicode_digits_and_signs_are_refused(text: str) -> None:
    with pytest.raises(NotRational):
        parse_rational(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1/0", "denominator 0"),
        ("0/000", "denominator 0"),
        ("1e999999999", "exponent beyond"),
        ("1e-99999", "exponent beyond"),
        ("1e" + "0" * 5000, "exponent beyond"),
        ("9" * (MAX_DIGITS + 1), "more than 4000 digits"),
        ("1/" + "9" * (MAX_DIGITS + 1), "more than 4000 digits"),
        ("0." + "1" * (MAX_DIGITS + 1), "more than 4000 digits"),
        ("9" * 100 + "e3950", "more than 4000 digits"),
        ("1e-4000", "more than 4000 digits"),
        ("9" * 10**5, "characters"),
    ],
    ids=lambda text: text[:20],
)
def test_numbers_beyond_reason_are_refused_in_few_words(text: str, words: str) -> None:
    with pytest.raises(NotRational, match=words) as caught:
        parse_rational(text)
    assert len(str(caught.value)) < 120


@given(st.fractions())
def test_spelling_is_read_back(value: Fraction) -> None:
    assert exact(spell(value)) == value == exact(value)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=8))
def test_decimals_agree_with_fractions(value: object) -> None:
    assert parse_rational(str(value)) == Fraction(str(value))


def test_the_longest_numbers_are_read_back() -> None:
    for value in (Fraction(1 - 10**MAX_DIGITS), Fraction(-(10**MAX_DIGITS) + 1, 10**MAX_DIGITS - 2)):
        assert exact(spell(value)) == bounded(value) == value
    with pytest.raises(NotRational, match="digits"):
        bounded(Fraction(1, 10**MAX_DIGITS))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (float("nan"), "nan is not a finite number"),
        (float("-inf"), "-inf is not a finite number"),
        (np.float32("inf"), "inf is not a finite number"),
        (Decimal("NaN"), "NaN is not a finite number"),
        (Decimal("-Infinity"), "-Infinity is not a finite number"),
        (np.bool_(True), "boolean"),
        (np.array([1, 2]), "not a rational"),
        (np.complex64(1), "not a rational"),
        (arb(1), "not a rational"),
        (True, "boolean"),
        (None, "not a rational"),
        ([1], "not a rational"),
        (1j, "not a rational"),
    ],
)
def test_other_values_are_refused(value: object, words: str) -> None:
    with pytest.raises(NotRational, match=words):
        exact(value)


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        (0.1, Fraction(3602879701896397, 36028797018963968)),
        (np.float16(0.1), Fraction(819, 8192)),
        (np.float32(0.1), Fraction(13421773, 134217728)),
        (np.float64(0.1), Fraction(3602879701896397, 36028797018963968)),
        (np.longdouble("0.5"), Fraction(1, 2)),
        (np.int8(-3), Fraction(-3)),
        (np.uint64(2**64 - 1), Fraction(2**64 - 1)),
        (np.array(0.25), Fraction(1, 4)),
        (Decimal("0.1"), Fraction(1, 10)),
        (fmpz(7), Fraction(7)),
        (fmpq(-2, 6), Fraction(-1, 3)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_numbers_of_other_kinds(value: object, meant: Fraction) -> None:
    found = exact(value)
    assert found == meant
    assert type(found) is Fraction
    assert type(found.numerator) is type(found.denominator) is int


def test_points_of_every_kind() -> None:
    halves = (Fraction(1, 2), Fraction(-3))
    points: list[Any] = [[0.5, -3], ("1/2", "-3"), np.array([0.5, -3], np.float16), iter([Decimal("0.5"), fmpz(-3)])]
    for point in points:
        assert exact_point(point, 2) == halves
    wrong: list[Any] = ["12", b"12", 3, {0: 1, 1: 2}, {1, 2}, frozenset({1, 2})]
    for point in wrong:
        with pytest.raises(BadInput, match="expected a point as a list of 2 numbers"):
            exact_point(point, 2)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_exact_float_is_the_binary_value(value: float) -> None:
    assert exact_float(value) == Fraction(value)


def test_exact_float_of_any_width() -> None:
    assert exact_float(np.float32(0.1)) == Fraction(13421773, 134217728)
    assert exact(np.int64(3)) == 3


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_exact_float_refuses_what_is_not_finite(value: float) -> None:
    with pytest.raises(NotRational, match="finite"):
        exact_float(value)


def test_brief_is_brief() -> None:
    assert brief(Fraction(-1, 3)) == "-1/3"
    assert brief(-(10**40)) == "a number of about -2^132"
    assert brief(Fraction(1, 10**5000)) == "a number of about 2^-16609"


def test_numbers_beyond_pythons_limit_are_spelled() -> None:
    assert sys.get_int_max_str_digits() in (0, 4300)
    for value in (10**5000 + 7, -(10**5000), Fraction(10**6000 + 1, 10**5000)):
        above, _, below = spell(value).partition("/")
        assert all(set(part) <= set("-0123456789") for part in (above, below))
        found = fmpq(fmpz(above), fmpz(below or "1"))
        assert (int(found.p), int(found.q)) == (value.numerator, value.denominator)

"""Exact numbers: what may stand for a rational, and what is refused.

A number is exact or refused. ``exact`` takes integers, fractions, decimals and their spellings and returns the
``Fraction`` that was meant, "0.1" being 1/10. A float of any width, Python's or an array's, means its exact binary
value: the float 0.1 is 3602879701896397/36028797018963968. NaN and infinities are refused by name.

>>> exact("1/3"), exact("-2.50"), exact("1e-3"), exact(7)
(Fraction(1, 3), Fraction(-5, 2), Fraction(1, 1000), Fraction(7, 1))
>>> exact(0.1), exact_point([0.5, "1/3"], 2)
(Fraction(3602879701896397, 36028797018963968), (Fraction(1, 2), Fraction(1, 3)))
"""

import re
from collections.abc import Iterable, Mapping, Set
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any, SupportsFloat, SupportsInt

from exactgeo.errors import BadInput, NotRational

__all__ = [
    "MAX_DIGITS",
    "MAX_EXPONENT",
    "Number",
    "bounded",
    "brief",
    "exact",
    "exact_float",
    "exact_point",
    "parse_rational",
    "spell",
]

Number = str | int | float | Fraction | Decimal | SupportsInt | SupportsFloat
"""What ``exact`` takes: numpy's numbers and flint's are among those that can be made an int or a float."""

MAX_DIGITS = 4000
"""Longest numerator, denominator or decimal accepted; Python itself refuses to read more than 4300 digits."""

MAX_EXPONENT = 4000
"""Largest decimal exponent accepted, in absolute value: every float's exact value fits with room to spare."""

SHORT = 14_000
"""Bits of integers that Python spells whatever it was told: 4300 digits, its default, have 14,284."""

_LIMIT = 10**MAX_DIGITS
_DECIMAL = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?", re.ASCII)
_FRACTION = re.compile(r"([+-]?)([0-9]+)/([0-9]+)", re.ASCII)


def parse_rational(text: str) -> Fraction:
    """The rational that ``text`` spells: an integer, a decimal with or without exponent, or a fraction p/q."""
    if len(text) > 2 * MAX_DIGITS + 2:
        raise NotRational(f"{_shown(text)} has {len(text)} characters, more than any number accepted")
    fraction = _FRACTION.fullmatch(text)
    if fraction:
        sign, above, below = fraction.groups()
        if max(len(above), len(below)) > MAX_DIGITS:
            raise NotRational(f"{_shown(text)} has more than {MAX_DIGITS} digits")
        if not int(below):
            raise NotRational(f"{_shown(text)} has denominator 0")
        value = Fraction(int(above), int(below))
    else:
        decimal = _DECIMAL.fullmatch(text)
        if not decimal or not (decimal[2] or decimal[3]):
            raise NotRational(f"{_shown(text)} is not a rational number")
        sign, whole, part, exponent = decimal.groups()
        digits = (whole or "") + (part or "")
        if len(digits) > MAX_DIGITS:
            raise NotRational(f"{_shown(text)} has more than {MAX_DIGITS} digits")
        if exponent and (len(exponent) > 6 or abs(int(exponent)) > MAX_EXPONENT):
            raise NotRational(f"{_shown(text)} has an exponent beyond {MAX_EXPONENT}")
        power = int(exponent or 0) - len(part or "")
        value = Fraction(int(digits) * 10**power) if power >= 0 else Fraction(int(digits), 10**-power)
        if not exponent:
            return -value if sign == "-" else value
    return bounded(-value if sign == "-" else value)


def bounded(value: Fraction) -> Fraction:
    """``value`` itself; refused if its numerator or denominator has more than MAX_DIGITS digits."""
    if max(abs(value.numerator), value.denominator) >= _LIMIT:
        raise NotRational(f"{brief(value)} has more than {MAX_DIGITS} digits")
    return value


def exact(value: object) -> Fraction:
    """The rational that ``value`` is or spells; a float is its binary value. Booleans are refused."""
    if isinstance(value, Fraction):
        return value
    if isinstance(value, bool):
        raise NotRational(f"{value} is a boolean, not a number")
    if isinstance(value, str):
        return parse_rational(value)
    if isinstance(value, Rational):
        try:
            return Fraction(int(value.numerator), int(value.denominator))
        except TypeError:  # numpy's spans of time pass for integers
            raise _no_number(value) from None
    if isinstance(value, Decimal):  # by its spelling: its ratio can be longer than memory
        if not value.is_finite():
            raise NotRational(f"{value} is not a finite number")
        return parse_rational(str(value))
    if type(value).__module__.partition(".")[0] == "flint":
        return _exact_flint(value)
    if hasattr(value, "as_integer_ratio"):
        return exact_float(value)
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):  # an array of one number without axes
        inner = value.item()
        if type(inner) is not type(value):
            return exact(inner)
    raise _no_number(value)


def exact_float(value: Any) -> Fraction:
    """The exact binary value of a float of any width; NaN and infinities are refused."""
    try:
        numerator, denominator = value.as_integer_ratio()
    except (ValueError, OverflowError):
        raise NotRational(f"{value} is not a finite number") from None
    return Fraction(int(numerator), int(denominator))


def exact_point(point: Iterable[Number], dimension: int) -> tuple[Fraction, ...]:
    """A point with so many coordinates, each read by ``exact``; the refusal names the coordinate.

    Sets and mappings are refused: the one has no order, and of the other one would read the keys.
    """
    if isinstance(point, str | bytes | Set | Mapping) or not isinstance(point, Iterable):
        raise BadInput(f"expected a point as a list of {dimension} numbers, got {_shown(str(point))}")
    found = []
    for number, entry in enumerate(point, 1):
        try:
            found.append(exact(entry))
        except NotRational as error:
            raise NotRational(f"expected a rational number as coordinate {number} of a point, but {error}") from None
    if len(found) != dimension:
        plural = "" if dimension == 1 else "s"
        raise BadInput(f"expected a point with {dimension} coordinate{plural}, got {len(found)}")
    return tuple(found)


def _exact_flint(value: object) -> Fraction:
    from flint import fmpq, fmpz

    if isinstance(value, fmpz):
        return Fraction(int(value))
    if isinstance(value, fmpq):
        return Fraction(int(value.p), int(value.q))
    raise _no_number(value)


def spell(value: Fraction | int) -> str:
    """The canonical spelling, as ``exact`` reads it back: "3", "-1/2"; of any length, which Python's ``str`` is not."""
    if isinstance(value, Fraction) and value.denominator != 1:
        return f"{spell(value.numerator)}/{spell(value.denominator)}"
    number = value.numerator
    if number.bit_length() < SHORT:
        return str(number)
    from flint import fmpz

    return str(fmpz(number))


def brief(value: Fraction | int) -> str:
    """The number for a message: its spelling, or its size where that is long."""
    if max(abs(value.numerator), value.denominator) < 10**20:
        return spell(value)
    bits = value.numerator.bit_length() - value.denominator.bit_length()
    return f"a number of about {'-' if value < 0 else ''}2^{bits}"


def _no_number(value: object) -> NotRational:
    """The refusal of something that is not even a text; only its type is told where there is little else to tell."""
    plain = type(value).__repr__ is object.__repr__
    text = f"an object of type {type(value).__name__}" if plain else _cut(" ".join(repr(value).split()))
    return NotRational(f"{text} is not a rational number")


def _shown(text: str) -> str:
    return repr(_cut(text))


def _cut(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."

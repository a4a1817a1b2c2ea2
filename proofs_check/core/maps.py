"""Affine maps and forms in integers, and how they are composed (FORMAT.md, section 3.3).

Part in the soundness theorem: *Points of a node*: scores are pulled back to forms of the input by the map before them.

A map R^d -> R^m is a pair (den, columns), d+1 columns of m integers, that of the constants first, over a positive
denominator, reduced: so equal maps are equal pairs. Forms over a layer's input are sparse: (constant, indices,
coefficients).
"""

from collections.abc import Sequence
from math import gcd
from operator import mul

from .rows import Row, key, values
from .verdict import Unreadable

__all__ = ["Columns", "Form", "Map", "Vector", "measured", "pull", "pull_rows", "reduced", "transposed"]

Columns = list[list[int]]
Map = tuple[int, Columns]
Form = tuple[int, tuple[int, ...], tuple[int, ...]]
Vector = tuple[tuple[int, ...], tuple[int, ...]]  # sparse: indices, coefficients


def measured(f: Map, most: int) -> int:
    """The length of the map in bytes; unreadable if an entry, with the denominator, has more than so many bits."""
    length = len(key(f))
    if 8 * length > most:  # or there are no long integers in it
        den, columns = f
        bits = max(*map(max, columns), -min(map(min, columns))).bit_length() + den.bit_length()
        if bits > most:
            raise Unreadable("limit-network", "", f"a map with entries of {bits} bits")
    return length


def reduced(den: int, columns: Columns) -> Map:
    """The one pair (den, columns) of this map with den > 0 and no common divisor."""
    divisor = den
    for column in columns:
        divisor = gcd(divisor, *column) if divisor > 1 else 1
    if divisor == 1:
        return den, columns
    return den // divisor, [[value // divisor for value in column] for column in columns]


def transposed(rows: Sequence[Sequence[int]]) -> Columns:
    return [list(column) for column in zip(*rows, strict=True)]


def pull(forms: list[Form], f: Map) -> list[Row]:
    """The forms composed with f, times the denominator of f."""
    den, columns = f
    zeros = (0,) * (len(columns) - 1)
    result: list[Row] = []
    for constant, indices, coefficients in forms:
        if not indices:
            result.append((constant * den, *zeros))
            continue
        if len(indices) == 1:
            (i,), (factor,) = indices, coefficients
            vector = [factor * column[i] for column in columns]
        elif len(indices) == len(columns[0]):
            vector = [sum(map(mul, coefficients, column)) for column in columns]
        else:
            vector = [sum(map(mul, coefficients, map(column.__getitem__, indices))) for column in columns]
        vector[0] += constant * den
        result.append(tuple(vector))
    return result


def pull_rows(rows: list[Row], f: Map) -> Columns:
    """The columns of the same for forms given as rows; faster where these are short."""
    den, (constants, *normals) = f
    return [values(rows, [den, *constants]), *[values(rows, [0, *normal]) for normal in normals]]

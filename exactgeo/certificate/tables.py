"""Tables of exact integers: numpy's 64 bits where nothing can overflow, otherwise Python's integers.

A table is an array. ``times`` is the matrix product; that it fits in 64 bits is decided beforehand, by the largest
entries of its factors. ``image`` rounds exact integers to floats, which keeps their order and their signs: x > y in
the image means x > y, and only where two entries of the image are equal need the integers be compared.

>>> times(exact([(1, 2**40)]), exact([(1,), (2**40,)]))[0, 0] == 1 + 2**80
True
>>> image(exact([(3, -(2**2000))]))[0] < 0
array([False,  True])
"""

from collections.abc import Sequence
from typing import Any

import numpy

__all__ = ["Table", "exact", "image", "largest", "times"]

Table = Any
"""An array; of integers, unless it is called an image."""

MOST_BITS = 400
"""Larger integers are cut off before they are rounded, all of a table alike."""


def exact(rows: Sequence[Sequence[int]]) -> Table:
    """The rows as a table."""
    try:
        return numpy.array(rows, dtype=numpy.int64)
    except OverflowError:
        return numpy.array(rows, dtype=object)


def largest(table: Table) -> int:
    """The largest absolute value of an entry."""
    return max(int(table.max()), -int(table.min())) if table.size else 0


def times(left: Table, right: Table) -> Table:
    """The matrix product, whatever its size."""
    if left.dtype != object and right.dtype != object and largest(left) * largest(right) * len(right) < 2**63:
        return left @ right
    return left.astype(object) @ right.astype(object)


def image(table: Table) -> Table:
    """The entries as floats, in the same order and with the same signs."""
    if table.dtype == object and (excess := largest(table).bit_length() - MOST_BITS) > 0:
        # Away from zero, so that both are kept.
        table = numpy.frompyfunc(lambda entry: -(-entry >> excess) if entry > 0 else entry >> excess, 1, 1)(table)
    return table.astype(float)

"""Tables of exact integers: numpy's 64 bits where nothing can overflow, otherwise Python's integers.

A table is an array. Who multiplies tables knows a bound for the entries of the product, sums on the way included, and
it decides which integers are used. ``image`` rounds exact integers to floats, which keeps their order and their signs:
x > y in the image means x > y, and only where two entries of the image are equal need the integers be compared.

>>> times(exact([(1, 2**40)], 2**40), exact([(1,), (2**40,)], 2**40), 2**81)[0, 0] == 1 + 2**80
True
>>> image(exact([(3, -(2**2000))], 2**2000))[0] < 0
array([False,  True])
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy

__all__ = ["LIMIT", "Table", "exact", "image", "size_of", "times"]

Table = Any
"""An array; of integers, unless it is called an image."""

LIMIT = 2**62
"""What is smaller is kept in 64 bits, and so is the sum or difference of two of them."""
MOST_BITS = 400
"""Larger integers are cut off before they are rounded, all of a table alike."""


def size_of(rows: Iterable[Sequence[int]]) -> int:
    """The largest absolute value of an entry."""
    return max(map(abs, chain.from_iterable(rows)), default=0)


def exact(rows: Sequence[Sequence[int]], size: int) -> Table:
    """The rows as a table, ``size`` being a bound for their entries."""
    return numpy.array(rows, dtype=numpy.int64 if size < LIMIT else object)


def times(left: Table, right: Table, bound: int) -> Table:
    """The matrix product."""
    if bound < LIMIT:
        return left @ right
    return left.astype(object, copy=False) @ right.astype(object, copy=False)


def image(table: Table) -> Table:
    """The entries as floats, in the same order and with the same signs."""
    if table.dtype == object and table.size:
        excess = max(table.max(), -table.min()).bit_length() - MOST_BITS
        if excess > 0:
            # Away from zero, so that both are kept.
            cut = numpy.frompyfunc(lambda entry: -(-entry >> excess) if entry > 0 else entry >> excess, 1, 1)
            table = cut(table)
    return table.astype(float)

"""Which of many forms is the largest at a point: the inner loop of selectors with many classes.

Up to ``FEW_ROWS`` rows in Python integers. More in one numpy product, in 64-bit integers where no entry of it can
overflow, which is decided by the largest entries of rows and point; otherwise in Python integers again. Either way
exact.

>>> largest([(0, 1), (1, 0), (1, 1)])((1, 0))
[1, 2]
"""

from collections.abc import Callable, Sequence
from operator import mul

from exactgeo.rational.rows import Row

__all__ = ["largest"]

FEW_ROWS = 40
"""Below this many rows a numpy call costs more than it saves."""


def largest(rows: Sequence[Row]) -> Callable[[Row], list[int]]:
    """The function that maps a homogeneous point to the positions of the rows that are largest there, ascending."""

    def plain(point: Row) -> list[int]:
        values = [sum(map(mul, row, point)) for row in rows]
        best = max(values)
        if values.count(best) == 1:
            return [values.index(best)]
        return [j for j, value in enumerate(values) if value == best]

    size = max((abs(entry) for row in rows for entry in row), default=0)
    if len(rows) <= FEW_ROWS or size >= 2**62:
        return plain
    import numpy

    table = numpy.array(rows, dtype=numpy.int64)
    limit = 2**62 // (max(size, 1) * len(rows[0]))  # |point| <= limit keeps every partial sum below 2^62

    def vectorised(point: Row) -> list[int]:
        if max(point) > limit or min(point) < -limit:
            return plain(point)
        values = table @ numpy.array(point, dtype=numpy.int64)
        place = int(values.argmax())
        tied = values == values[place]
        return [place] if tied.sum() == 1 else [int(j) for j in tied.nonzero()[0]]

    return vectorised

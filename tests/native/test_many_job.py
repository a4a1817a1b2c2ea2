"""What the core refuses of programs; right ones are tested with ``count_many``."""

from typing import Any

import numpy as np
import pytest

from exactgeo import native

TABLE = np.array([[0, 0], [3, 4]], np.int32)


def _job(**changes: Any) -> "native.core.ManyJob":
    """One unit max(0, b + w x) on the interval from -1 to 1."""
    stage: Any = ([[0, 0], [0, 0]], [2], [0, 1], [1, 1], [0, 1], [])
    options: dict[str, Any] = {
        "arrays": [(np.array([[0.5, 1.0], [2.0, 1.0]]), 2, True)],
        "products": [],
        "tables": [TABLE],
        "count": 2,
    }
    return native.core.ManyJob(native.core.Network(1, [[1, 1], [1, -1]], [stage], False), **options | changes)


def _done(job: "native.core.ManyJob") -> "native.core.ManyJob":
    while not job.wait(0.05):
        pass
    return job


def test_a_program() -> None:
    job = _done(_job())
    assert np.frombuffer(job.cells, np.int64).tolist() == [2, 1]
    assert np.frombuffer(job.complete, np.bool_).tolist() == [True, True]
    assert job.done == 2


def test_products() -> None:
    """The bias is 2^-40 - 2^-40, or 3 2^70, which needs long integers on the way."""
    numbers = np.array([[2.0**-40, -(2.0**-40), 1.0], [2.0**70, 2.0**71, 1.0]])
    ones = np.array([[1, 1]], np.int32)
    product = (1, 2, 1, ones, np.array([[3], [4]], np.int32))
    job = _done(_job(arrays=[(numbers, 3, True)], products=[product], tables=[np.array([[0, 0], [6, 5]], np.int32)]))
    assert np.frombuffer(job.cells, np.int64).tolist() == [2, 1]


def test_nothing_is_read_before_the_end() -> None:
    with pytest.raises(RuntimeError, match="not done"):
        _ = _job().tally


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"count": -1}, "there are networks"),
        ({"workers": 0}, "there are networks"),
        ({"arrays": [(np.zeros(3), 2, True)]}, "as many numbers as networks need"),
        ({"arrays": [(np.zeros(4, np.int16), 2, True)]}, "doubles, floats or 64-bit integers"),
        ({"arrays": [(([1, 2], [1]), 2, False)]}, "each numerator has a denominator"),
        ({"arrays": [(([1, 2], [1, 0]), 2, False)]}, "a denominator is positive"),
        ({"tables": []}, "a table for each stage"),
        ({"tables": [TABLE[:1]]}, "a slot for each entry"),
        ({"tables": [TABLE + 1]}, "filled before it is used"),
        ({"tables": [TABLE - 1]}, "filled before it is used"),
        ({"products": [(-1, 1, 1, TABLE, TABLE)]}, "a size is not negative"),
    ],
)
def test_refusals(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _job(**changes)

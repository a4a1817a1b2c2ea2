"""Forms and vectors of a stage while a layer is lowered: sparse, in integers; and what making them costs.

Part in the soundness theorem: *Points of a node*. Nothing of this is used by the forward pass.
"""

from functools import lru_cache

from ..core.limits import Meter, demand
from ..core.maps import Form, Vector
from ..core.rows import key, values
from ..core.stage import Stage

__all__ = ["Forms", "base", "combine", "form", "keep", "make", "sparse", "unit", "variable"]


def make(meter: Meter, entries: int, terms: int, bits: int) -> None:
    """So many integers are to be made, each of them a sum of so many products of so many bits."""
    demand("INTEGERS", entries)
    demand("STAGE_BITS", entries * bits)
    meter.spend("STEPS", entries * (terms // 4 + bits // 64 + 1))


def keep(meter: Meter, stage: Stage) -> None:
    """The stage is kept."""
    meter.spend("INTEGERS", stage.size)
    meter.spend("STAGE_BITS", stage.size * stage.bits)


@lru_cache
def _all(size: int) -> tuple[int, ...]:
    return tuple(range(size))


def sparse(values: list[int]) -> Vector:
    if all(values):  # such vectors share their indices
        return _all(len(values)), tuple(values)
    indices = tuple([i for i, value in enumerate(values) if value])
    return indices, tuple([values[i] for i in indices])


def form(row: list[int]) -> Form:
    """The form with the constant row[0] and the coefficients row[1:]."""
    return row[0], *sparse(row[1:])


def unit(i: int, factor: int = 1) -> Vector:
    return ((i,), (factor,)) if factor else ((), ())


def variable(i: int, factor: int = 1, constant: int = 0) -> Form:
    return constant, *unit(i, factor)


class Forms:
    """The forms of a stage while it is compiled; equal ones are one."""

    def __init__(self) -> None:
        self.all: list[Form] = []
        self._numbers: dict[bytes, int] = {}

    def add(self, form: Form) -> int:
        number = self._numbers.setdefault(key(form), len(self.all))
        if number == len(self.all):
            self.all.append(form)
        return number


def base(constants: list[int], residual: int) -> list[Form]:
    """Constants, plus x times the factor `residual`."""
    return [variable(i, residual, constant) for i, constant in enumerate(constants)]


def combine(columns: list[list[int]], vector: Vector) -> Vector:
    """The matrix with these columns, times the vector."""
    indices, coefficients = vector
    return sparse(values(zip(*[columns[i] for i in indices], strict=True), coefficients))

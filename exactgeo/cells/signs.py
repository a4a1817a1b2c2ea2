"""How the native core decided signs: what every count reports."""

from dataclasses import dataclass, fields
from typing import Any

__all__ = ["Signs"]


@dataclass(frozen=True, slots=True)
class Signs:
    """Signs of forms at points by ``grids``, doubles that are exact, zeros included; by ``floats`` beyond their proved
    error; and by ``exact`` integers.

    ``refined`` forms were made again in pairs of doubles, ``exact_rays`` in integers; ``nodes`` are those of the tree.
    Of the linear ``programs``, ``points`` were decided by a point in doubles, ``multipliers`` by multipliers in doubles
    beyond their error, ``whole_multipliers`` by small integers, and ``exact_programs`` by integers.
    """

    grids: int
    floats: int
    exact: int
    refined: int
    exact_rays: int
    nodes: int
    programs: int
    points: int
    multipliers: int
    whole_multipliers: int
    exact_programs: int

    @staticmethod
    def of(tally: Any) -> "Signs":
        """What the core has noted down."""
        return Signs(*[int(getattr(tally, field.name)) for field in fields(Signs)])

    @property
    def total(self) -> int:
        """All signs that were decided."""
        return self.grids + self.floats + self.exact

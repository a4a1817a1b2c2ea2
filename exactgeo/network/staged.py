"""Stages in turn on a polyhedral domain: what is counted, listed and proved.

Every method of exactgeo asks this much of a network and no more. A ``Network`` is one that was read, and keeps its
layers and its document besides; parts of networks, such as what is left from some stage on, on the image of a cell,
are ``Staged`` by themselves.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from exactgeo.network.domain import Box, rows_as_box
from exactgeo.network.stages import Stage
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Row, is_constant

__all__ = ["Staged"]


@dataclass(frozen=True)
class Staged:
    """Stages and the domain of the first.

    Invariants: there is at least one stage; each stage's output dimension is the next one's input dimension, the first
    input being ``input_dim``; ``listed_rows`` are primitive, in the order in which they were given, constant ones
    included, and have an interior point in common; none at all means R^d.
    """

    input_dim: int
    listed_rows: tuple[Row, ...]
    stages: tuple[Stage, ...]

    @staticmethod
    def after(before: AffineMap, rows: Sequence[Row], stages: Sequence[Stage]) -> "Staged":
        """Some stages after an affine map, on the polyhedron of these rows in the space that the map reads."""
        first = stages[0]
        begun = Stage(first.forms.compose(before), first.selectors, first.base.compose(before), first.mix)
        return Staged(before.input_dim, tuple(rows), (begun, *stages[1:]))

    @property
    def output_dim(self) -> int:
        return self.stages[-1].output_dim

    @cached_property
    def domain_rows(self) -> tuple[Row, ...]:
        """The listed rows that have a normal: the others are true everywhere."""
        return tuple([row for row in self.listed_rows if not is_constant(row)])

    @property
    def box(self) -> Box | None:
        """(lower, upper) of each coordinate if the domain is written as a bounded box."""
        return rows_as_box(self.domain_rows, self.input_dim)

    def describe(self) -> str:
        """One line: dimensions, stages, selectors, domain."""
        selectors = sum(len(stage.selectors) for stage in self.stages)
        domain = (
            _plural(len(self.domain_rows), "inequality", "inequalities") if self.domain_rows else "all of the space"
        )
        if self.box is not None:
            domain = "a box"
        return (
            f"R^{self.input_dim} -> R^{self.output_dim}, {_plural(len(self.stages), 'stage')}, "
            f"{_plural(selectors, 'selector')}, domain {domain}"
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.describe()}>"


def _plural(number: int, noun: str, nouns: str = "") -> str:
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"

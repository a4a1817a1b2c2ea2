"""What a layer kind is: how it is read, and what a layer of it can be asked.

Every layer is an affine map (``linear.Linear``) or a stage: selectors whose scores and values are affine in the layer's
input. So a layer that is no affine map has a ``stage``, and the engine knows no more of it. Its value at a point,
``at``, is computed without that stage, straight from the definition: the two are compared in the tests.

What a layer costs the checker is told before any work is done, so that a network whose certificate would be refused is
refused at once (``certificate.limits``). It is an upper bound on what ``proofs_check`` makes of the layer.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from exactgeo.rational.rows import Point

if TYPE_CHECKING:
    from exactgeo.network.layers.linear import Linear
    from exactgeo.network.reading import Node
    from exactgeo.network.slots import Layer, Matrix, Slots, SlotStage
    from exactgeo.network.stages import Stage
    from exactgeo.rational.affine import AffineMap

__all__ = ["LONG", "Cost", "Kind", "StageLayer", "mean_of_largest"]

LONG = 4
"""Steps for an integer beside those for its terms, where these have factors and denominators of 60 bits."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What the checker makes of a layer with selectors, at most.

    There are so many candidates, ``forms`` (scores and values) with ``integers`` in all of them, and ``vectors`` that
    the values go along, with ``spread`` in all of these and ``longest`` in one; ``base`` integers in what is added to
    each of ``width`` outputs. All that takes so many ``steps``.
    """

    candidates: int
    forms: int
    integers: int
    vectors: int
    spread: int
    longest: int
    base: int
    width: int
    steps: int = 0


class StageLayer(Protocol):
    """A layer with selectors."""

    def output_dim(self, input_dim: int) -> int:
        """The size of the output on an input of this size."""
        ...

    def stage(self, before: "AffineMap", name: str) -> "Stage":
        """The stage of x -> layer(before(x)); ``name`` is the layer's place in the document."""
        ...

    def at(self, point: Point) -> Point:
        """The value at a point; where candidates tie there, the mean of theirs."""
        ...

    def cost(self, reads: int) -> Cost:
        """What the checker makes of it on an input of this size, at most."""
        ...


@dataclass(frozen=True, slots=True)
class Kind:
    """``read`` takes the layer's object and the size of its input, and refuses what breaks the format.

    ``keys`` are those of the kind's objects that no other part of the format has, in the order in which the canonical
    dump writes them. ``ranks`` tells how many axes the numbers under a key have, be it a number, a vector or a matrix:
    where there is one axis more, it is that of many networks (``exactgeo.many``). ``in_slots`` says of
    all of them at once what the layer's ``stage`` says, or what a linear layer makes of the map before it
    (``exactgeo.network.slots``); networks with a kind that has none are counted one by one.
    """

    name: str
    read: Callable[["Node", int], "Linear | StageLayer"]
    keys: tuple[str, ...] = ()
    ranks: Mapping[str, int] = field(default_factory=dict)
    in_slots: Callable[["Slots", "Layer", "Matrix"], "SlotStage | Matrix"] | None = None


def mean_of_largest(scores: Sequence[Fraction], values: Sequence[Point]) -> Point:
    """The value beside the largest score; where several are largest, the mean of theirs."""
    most = max(scores)
    won = [value for score, value in zip(scores, values, strict=True) if score == most]
    return tuple(sum(entries, Fraction(0)) / len(won) for entries in zip(*won, strict=True))

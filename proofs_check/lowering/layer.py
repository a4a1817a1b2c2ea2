"""What a kind of layer provides. Each kind is one file in `layers`, and one entry of the table there.

Part in the soundness theorem: what a layer means is said twice, and independently: by `lower`, in forms of what it
reads, which the proof is about; and by `step`, in values at a point. A mistake in one of them (which candidates there
are, what they add to the output) shows in the winners or in the output of a leaf, which the tree compares.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from ..core.limits import Meter
from ..core.stage import Stage, Tied

__all__ = ["Layer", "Passed", "Reader", "Step", "Vector"]

Vector = list[int]
"""[q, p] means the vector p/q; q > 0."""

Passed = tuple[Vector, Tied | None]
"""The output at a point, and for each selector the candidates with the largest score; None without selectors."""

Step = Callable[[Vector], Passed]


@dataclass(frozen=True)
class Layer(ABC):
    """A layer, as read: the length of its output, and the number of its candidates, told before any is made."""

    outputs: int
    candidates: int

    @abstractmethod
    def lower(self, meter: Meter) -> Stage:
        """Its selector normal form. Without selectors, its base is an affine map."""

    @abstractmethod
    def step(self) -> Step:
        """Its forward pass."""


Reader = Callable[[object, int, str, Meter], Layer]
"""The layer that a JSON object spells, given the number of its inputs, and its place for messages.

The meter weighs each matrix that will be brought to one denominator.
"""

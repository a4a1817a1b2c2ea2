"""``linear``: y = Wx + b. Keys: ``weight``, ``bias?``.

A linear layer is no stage: it is composed into the forms of the next one, and a last one into the mix and base of the
stage before. So a ReLU network with L hidden layers has L stages.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from exactgeo.network.layers.kind import Kind
from exactgeo.network.layers.parts import read_affine
from exactgeo.network.reading import Node
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Point

if TYPE_CHECKING:
    from exactgeo.network.slots import Layer, Matrix, Slots

__all__ = ["KIND", "Linear"]


@dataclass(frozen=True, slots=True)
class Linear:
    map: AffineMap

    def output_dim(self, input_dim: int) -> int:
        return self.map.output_dim

    def at(self, point: Point) -> Point:
        return self.map.at(point)


def _read(node: Node, width: int) -> Linear:
    return Linear(read_affine(node, width, "type"))


def _in_slots(slots: "Slots", layer: "Layer", before: "Matrix") -> "Matrix":
    from exactgeo.network.slots import affine

    return slots.compose(affine(layer), before)


KIND = Kind("linear", _read, ranks={"weight": 2, "bias": 1}, in_slots=_in_slots)

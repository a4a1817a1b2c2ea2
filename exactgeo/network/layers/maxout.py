"""``maxout``: y_i = the largest output of unit i. Keys: ``units``, a list of {``weight``, ``bias?``}.

Each unit has as many rows as it has pieces, and is a selector: its pieces, score = value.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from exactgeo.network.layers.kind import Cost, Kind
from exactgeo.network.layers.parts import Forms, maximum, read_affine, zero
from exactgeo.network.reading import Node
from exactgeo.network.stages import Stage
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Point

if TYPE_CHECKING:
    from exactgeo.network.slots import Layer, Matrix, Slots, SlotStage

__all__ = ["KIND", "Maxout"]


@dataclass(frozen=True, slots=True)
class Maxout:
    units: tuple[AffineMap, ...]

    def output_dim(self, input_dim: int) -> int:
        return len(self.units)

    def stage(self, before: AffineMap, name: str) -> Stage:
        forms = Forms(before.input_dim)
        selectors = [
            maximum(f"{name}.units[{i}]", [forms.add(row) for row in unit.compose(before).fractions()])
            for i, unit in enumerate(self.units)
        ]
        width = len(self.units)
        return forms.stage(selectors, zero(before.input_dim, width), AffineMap.identity(width))

    def at(self, point: Point) -> Point:
        return tuple(max(unit.at(point)) for unit in self.units)

    def cost(self, reads: int) -> Cost:
        units, count = len(self.units), sum(unit.output_dim for unit in self.units)
        return Cost(count, count, count * (reads + 1), vectors=units, spread=units, longest=1, base=1, width=units)


def _read(node: Node, width: int) -> Maxout:
    units = node.fields("type", "units")["units"].items("units")
    return Maxout(tuple(read_affine(unit, width) for unit in units))


def _in_slots(slots: "Slots", layer: "Layer", before: "Matrix") -> "SlotStage":
    from exactgeo.network.slots import affine, plain

    stage = plain(before, len(layer["units"]))
    for unit in layer["units"]:
        stage.maximum(slots.compose(affine(unit), before))
    return stage


KIND = Kind("maxout", _read, keys=("units",), in_slots=_in_slots)

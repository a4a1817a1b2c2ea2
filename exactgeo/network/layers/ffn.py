"""``ffn``: y = output(ReLU(hidden(x))), plus x with a residual. Keys: ``hidden``, ``output``, ``residual?``.

One selector per hidden unit z: candidates 0 and z, score = value; the output matrix is the stage's mix.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from exactgeo.network.layers.kind import Cost, Kind
from exactgeo.network.layers.parts import Forms, base, linear_part, read_affine, read_residual
from exactgeo.network.layers.pointwise import RELU
from exactgeo.network.reading import Node
from exactgeo.network.stages import Stage
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Point

if TYPE_CHECKING:
    from exactgeo.network.slots import Layer, Matrix, Slots, SlotStage

__all__ = ["KIND", "FeedForward"]


@dataclass(frozen=True, slots=True)
class FeedForward:
    hidden: AffineMap
    output: AffineMap
    residual: bool

    def output_dim(self, input_dim: int) -> int:
        return self.output.output_dim

    def stage(self, before: AffineMap, name: str) -> Stage:
        forms = Forms(before.input_dim)
        selectors = RELU.selectors(forms, self.hidden.compose(before), f"{name}.hidden")
        return forms.stage(selectors, base(before, self.output, self.residual), linear_part(self.output))

    def at(self, point: Point) -> Point:
        value = self.output.at([max(z, 0 * z) for z in self.hidden.at(point)])
        return tuple(x + y for x, y in zip(point, value, strict=True)) if self.residual else value

    def cost(self, reads: int) -> Cost:
        units, width = self.hidden.output_dim, self.output.output_dim
        return Cost(
            candidates=2 * units,
            forms=units + 1,
            integers=units * (reads + 1) + 1,
            vectors=units + 1,
            spread=units * width,
            longest=width,
            base=1 + reads * self.residual,
            width=width,
        )


def _read(node: Node, width: int) -> FeedForward:
    fields = node.fields("type", "hidden", "output", optional=["residual"])
    hidden = read_affine(fields["hidden"], width)
    residual = read_residual(fields)
    output = read_affine(fields["output"], hidden.output_dim, residual=width if residual else None)
    return FeedForward(hidden, output, residual)


def _in_slots(slots: "Slots", layer: "Layer", before: "Matrix") -> "SlotStage":
    from exactgeo.network.slots import SlotStage, affine, base_of, rectified

    output = layer["output"]
    base = base_of(slots, before, output, len(output["weight"]), bool(layer.get("residual")))
    stage = SlotStage(before.shape[1], base, output["weight"])
    rectified(slots, stage, slots.compose(affine(layer["hidden"]), before))
    return stage


KIND = Kind("ffn", _read, keys=("hidden",), in_slots=_in_slots)

"""``attention``: hard heads side by side, the zero-temperature limit of softmax attention.

Keys: ``heads``, a list of {``query`` {``weight``, ``bias?``}, ``keys``, ``values``, ``score_bias?``}; ``output?``
{``weight``, ``bias?``}; ``residual?``. A head gives the value v_j whose score <query(x), k_j> + b_j is the largest;

    y = output(the heads' values, concatenated), plus x with a residual; without ``output`` the concatenation.

One selector per head; the output matrix is the stage's mix.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from exactgeo.errors import BadNetwork
from exactgeo.network.layers.kind import LONG, Cost, Kind, mean_of_largest
from exactgeo.network.layers.parts import (
    Forms,
    Head,
    base,
    linear_part,
    read_affine,
    read_heads,
    read_residual,
)
from exactgeo.network.reading import Node
from exactgeo.network.stages import Candidate, Selector, Stage
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Point

if TYPE_CHECKING:
    from exactgeo.network.slots import Layer, Matrix, Slots, SlotStage

__all__ = ["KIND", "Attention"]


@dataclass(frozen=True, slots=True)
class Attention:
    heads: tuple[Head, ...]
    output: AffineMap | None
    residual: bool

    def output_dim(self, input_dim: int) -> int:
        return self.output.output_dim if self.output else sum(head.width for head in self.heads)

    def stage(self, before: AffineMap, name: str) -> Stage:
        forms = Forms(before.input_dim)
        selectors = []
        for h, head in enumerate(self.heads):
            scores = head.scores.compose(before).fractions()
            candidates = tuple(
                Candidate(forms.add(score), tuple(forms.add_constant(entry) for entry in value))
                for score, value in zip(scores, head.values, strict=True)
            )
            selectors.append(Selector(f"{name}.heads[{h}]", candidates))
        output = self.output or AffineMap.identity(self.output_dim(before.output_dim))
        return forms.stage(selectors, base(before, output, self.residual), linear_part(output))

    def at(self, point: Point) -> Point:
        heads = [mean_of_largest(head.keys.at(head.query.at(point)), head.values) for head in self.heads]
        joined = tuple(entry for value in heads for entry in value)
        value = self.output.at(joined) if self.output else joined
        return tuple(x + y for x, y in zip(point, value, strict=True)) if self.residual else value

    def cost(self, reads: int) -> Cost:
        keys = sum(len(head.values) for head in self.heads)
        width = sum(head.width for head in self.heads)
        longest = max(head.width for head in self.heads)
        spread = sum(len(head.values) * head.width for head in self.heads)
        steps = sum(head.steps(reads) for head in self.heads)
        if self.output is not None:
            width = self.output.output_dim
            spread = keys * width
            steps += spread * (longest // 4 + LONG)
            longest = width
        return Cost(
            candidates=keys,
            forms=keys + 1,
            integers=keys * (reads + 1) + 1,
            vectors=keys,
            spread=spread,
            longest=longest,
            base=1 + reads * self.residual,
            width=width,
            steps=steps,
        )


def _read(node: Node, width: int) -> Attention:
    fields = node.fields("type", "heads", optional=["output", "residual"])
    heads = read_heads(fields["heads"], width, "values")
    residual = read_residual(fields)
    sizes = [head.width for head in heads]
    if "output" in fields:
        output = read_affine(fields["output"], sum(sizes), residual=width if residual else None)
        return Attention(heads, output, residual)
    if residual:
        for head, size in zip(fields["heads"].items("heads"), sizes, strict=True):
            if size != sizes[0]:
                problem = f"expected values of {sizes[0]} numbers as in heads[0], because of the residual, got {size}"
                raise BadNetwork(f"{head.place}.values", problem)
        if sum(sizes) != width:
            got = f"{len(sizes)} heads with values of {sizes[0]} numbers"
            raise fields["heads"].refuse(f"{width} outputs for the residual", got)
    return Attention(heads, None, residual)


def _in_slots(slots: "Slots", layer: "Layer", before: "Matrix") -> "SlotStage":
    from exactgeo.network.slots import SlotStage, base_of, scores_of, units

    output = layer.get("output")
    joined = sum(head["values"].shape[1] for head in layer["heads"])
    mix = units(joined) if output is None else output["weight"]
    stage = SlotStage(before.shape[1], base_of(slots, before, output, len(mix), bool(layer.get("residual"))), mix)
    for head in layer["heads"]:
        candidates = zip(scores_of(slots, head, before), head["values"], strict=True)
        stage.selectors.append(
            [(stage.form(score), tuple(stage.constant(entry) for entry in value)) for score, value in candidates]
        )
    return stage


KEYS = ("heads", "query", "keys", "score_bias", "values")
RANKS = {"keys": 2, "score_bias": 1, "values": 2}
KIND = Kind("attention", _read, keys=KEYS, ranks=RANKS, in_slots=_in_slots)

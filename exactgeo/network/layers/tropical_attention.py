"""``tropical_attention``: the log-lifted attention of Definition III.10, heads concatenated.

Keys: ``heads``, a list of {``query`` {``weight``, ``bias?``}, ``keys``, ``log_values``, ``score_bias?``}. With s_j =
<query(x), k_j> + b_j, channel c of a head is

    max_j (s_j + log v_jc) - max_l s_l.

Per channel one selector with score = value = s_j + log v_jc; per head one more with score = value = s_j, which the mix
subtracts from each of the head's channels.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from exactgeo.network.layers.kind import LONG, Cost, Kind
from exactgeo.network.layers.parts import Forms, Head, maximum, read_heads, zero
from exactgeo.network.reading import Node
from exactgeo.network.stages import Stage
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Point

if TYPE_CHECKING:
    from exactgeo.network.slots import Layer, Matrix, Slots, SlotStage

__all__ = ["KIND", "TropicalAttention"]


@dataclass(frozen=True, slots=True)
class TropicalAttention:
    """``values[j][c]`` of a head is log v_jc."""

    heads: tuple[Head, ...]

    def output_dim(self, input_dim: int) -> int:
        return sum(head.width for head in self.heads)

    def stage(self, before: AffineMap, name: str) -> Stage:
        forms = Forms(before.input_dim)
        selectors = []
        columns: list[list[int]] = []  # of the mix: one column per selector
        width = self.output_dim(before.output_dim)
        first = 0
        for h, head in enumerate(self.heads):
            scores = head.scores.compose(before).fractions()
            for c in range(head.width):
                lifted = [
                    forms.add((score[0] + value[c], *score[1:]))
                    for score, value in zip(scores, head.values, strict=True)
                ]
                selectors.append(maximum(f"{name}.heads[{h}].channels[{c}]", lifted))
                columns.append([int(i == first + c) for i in range(width)])
            selectors.append(maximum(f"{name}.heads[{h}].denominator", [forms.add(score) for score in scores]))
            columns.append([-int(first <= i < first + head.width) for i in range(width)])
            first += head.width
        mix = AffineMap.scaled(len(columns), 1, [(0, *row) for row in zip(*columns, strict=True)])
        return forms.stage(selectors, zero(before.input_dim, width), mix)

    def at(self, point: Point) -> Point:
        found = []
        for head in self.heads:
            scores = head.keys.at(head.query.at(point))
            for channel in zip(*head.values, strict=True):
                lifted = [score + value for score, value in zip(scores, channel, strict=True)]
                found.append(max(lifted) - max(scores))
        return tuple(found)

    def cost(self, reads: int) -> Cost:
        count = sum(len(head.values) * (1 + head.width) for head in self.heads)
        width = sum(head.width for head in self.heads)
        return Cost(
            candidates=count,
            forms=count,
            integers=count * (reads + 1),
            vectors=width + len(self.heads),
            spread=2 * width,
            longest=max(head.width for head in self.heads),
            base=1,
            width=width,
            steps=sum(head.steps(reads) for head in self.heads) + (len(self.heads) + 1) * LONG * count * (reads + 1),
        )


def _read(node: Node, width: int) -> TropicalAttention:
    return TropicalAttention(read_heads(node.fields("type", "heads")["heads"], width, "log_values"))


def _in_slots(slots: "Slots", layer: "Layer", before: "Matrix") -> "SlotStage":
    import numpy as np

    from exactgeo.network.slots import MINUS, ZERO, plain, scores_of, units

    widths = [head["log_values"].shape[1] for head in layer["heads"]]
    stage = plain(before, sum(widths))
    columns = []
    first = 0
    for head, width in zip(layer["heads"], widths, strict=True):
        scores = scores_of(slots, head, before)
        for channel, value in enumerate(head["log_values"].T, first):
            lifted = scores.copy()
            lifted[:, 0] = slots.sum(scores[:, 0], value)
            stage.maximum(lifted)
            columns.append(units(sum(widths))[channel])
        stage.maximum(scores)
        columns.append(np.where(np.isin(np.arange(sum(widths)), range(first, first + width)), MINUS, ZERO))
        first += width
    stage.mix = np.stack(columns, axis=1).astype(np.int32)
    return stage


KIND = Kind("tropical_attention", _read, keys=("log_values",), ranks={"log_values": 2}, in_slots=_in_slots)

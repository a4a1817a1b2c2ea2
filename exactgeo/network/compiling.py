"""Layers to stages.

Linear layers are composed into the forms of the stage that follows, and a last one into the mix and base of the stage
before; every other layer is a stage.

>>> from exactgeo.network.layers.pointwise import RELU
>>> [stage] = compile_layers(2, [Linear(AffineMap.of([[0, 1, -1]])), RELU, Linear(AffineMap.of([[5, 3]]))])
>>> stage.forms.rows, stage.selectors[0].candidates[1], stage.base.rows, stage.mix.rows
(((0, 0, 0), (0, 1, -1)), Candidate(score=1, value=(1,)), ((5, 0, 0),), ((0, 3),))
"""

from collections.abc import Sequence

from exactgeo.errors import BadNetwork, NotRational
from exactgeo.network.layers import Layer, Linear
from exactgeo.network.layers.parts import LONG_DENOMINATOR, MAX_BITS, Forms, linear_part, zero
from exactgeo.network.stages import Stage
from exactgeo.rational.affine import AffineMap

__all__ = ["MAX_MIXED", "compile_layers"]

MAX_MIXED = 25_000_000
"""Squares of the outputs of all layers with selectors together: so many entries their maps to the outputs may have."""


def compile_layers(input_dim: int, layers: Sequence[Layer]) -> tuple[Stage, ...]:
    """The stages whose composition is the composition of the layers; at least one."""
    stages: list[Stage] = []
    pending = AffineMap.identity(input_dim)  # from the last stage's output to the next layer's input
    long = 0  # bits of what was composed
    mixed = 0
    for i, layer in enumerate(layers):
        if isinstance(layer, Linear) and pending == AffineMap.identity(pending.output_dim):
            pending = layer.map
        elif isinstance(layer, Linear):
            pending = layer.map.compose(pending)
            long += _long_bits(pending)
            if long > MAX_BITS:
                problem = "the product of this layer and the linear ones before it has too long numbers"
                raise BadNetwork(f"layers[{i}]", problem)
        else:
            # A file of a few bytes for each output would fill any memory.
            mixed += layer.output_dim(pending.output_dim) ** 2
            if mixed > MAX_MIXED:
                problem = (
                    f"expected layers whose outputs have squares of {MAX_MIXED:,} at most together, got wider ones"
                )
                raise BadNetwork(f"layers[{i}]", problem)
            try:
                stages.append(layer.stage(pending, f"layers[{i}]"))
            except NotRational as error:
                raise BadNetwork(f"layers[{i}]", str(error)) from None
            pending = AffineMap.identity(stages[-1].output_dim)
    if not stages:
        return (Forms(input_dim).stage([], pending, zero(0, pending.output_dim)),)
    last = stages[-1]
    if pending != AffineMap.identity(last.output_dim):
        mix = linear_part(pending).compose(last.mix)
        stages[-1] = Stage(last.forms, last.selectors, pending.compose(last.base), mix)
    return tuple(stages)


def _long_bits(map_: AffineMap) -> int:
    """The bits of all integers of a map, 0 where they are short. Products grow as no file's size bounds them."""
    numbers = [map_.denominator, *[abs(entry) for row in map_.rows for entry in row]]
    bits = max(numbers).bit_length()
    return bits * len(numbers) if bits > LONG_DENOMINATOR else 0

"""``minimum``, a layer kind that exactgeo does not have: y = min(x_1, ..., x_n) + shift. Keys: ``shift``.

This file is what the recipe in CONTRIBUTING.md asks for on the producer's side. One selector: candidate i has the score
-x_i and the value x_i; the base is the shift.
"""

from dataclasses import dataclass
from fractions import Fraction

from exactgeo.network.layers.kind import Cost, Kind
from exactgeo.network.layers.parts import Forms
from exactgeo.network.reading import Node
from exactgeo.network.stages import Candidate, Selector, Stage
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Point

__all__ = ["KIND", "Minimum"]


@dataclass(frozen=True, slots=True)
class Minimum:
    shift: Fraction

    def output_dim(self, input_dim: int) -> int:
        return 1

    def stage(self, before: AffineMap, name: str) -> Stage:
        forms = Forms(before.input_dim)
        candidates = tuple(
            Candidate(forms.add(tuple(-entry for entry in row)), (forms.add(row),)) for row in before.fractions()
        )
        base = AffineMap.of([[self.shift, *[0] * before.input_dim]])
        return forms.stage([Selector(f"{name}.minimum", candidates)], base, AffineMap.identity(1))

    def at(self, point: Point) -> Point:
        return (min(point) + self.shift,)

    def cost(self, reads: int) -> Cost:
        return Cost(reads, 2 * reads, 2 * reads * (reads + 1), vectors=reads, spread=reads, longest=1, base=1, width=1)


def _read(node: Node, width: int) -> Minimum:
    return Minimum(node.fields("type", "shift")["shift"].number())


KIND = Kind("minimum", _read, keys=("shift",))

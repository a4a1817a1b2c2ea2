"""What several kinds are made of: affine maps, residuals, heads; and the forms of a stage under construction."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from exactgeo.errors import BadNetwork, NotRational
from exactgeo.network.layers.kind import LONG
from exactgeo.network.reading import Node
from exactgeo.network.stages import Candidate, Selector, Stage
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Point

__all__ = [
    "LONG_DENOMINATOR",
    "MAX_BITS",
    "Forms",
    "Head",
    "base",
    "linear_part",
    "maximum",
    "read_affine",
    "read_heads",
    "read_residual",
    "zero",
]


LONG_DENOMINATOR, MAX_BITS = 1100, 5_000_000
"""Bits of a common denominator that nobody counts, every float's fit; and of all integers of a map where it is longer.
"""


# -- reading -----------------------------------------------------------------------------------------------------------


def read_affine(node: Node, input_dim: int, *others: str, residual: int | None = None) -> AffineMap:
    """An object with a weight and perhaps a bias, as a map; ``others`` are keys that it must have besides.

    ``residual`` is the output's size if a residual is to be added to it.
    """
    fields = node.fields(*others, "weight", optional=["bias"])
    weight = fields["weight"].matrix(columns=input_dim)
    if residual not in (None, len(weight)):
        raise fields["weight"].refuse(f"{residual} rows for the residual")
    bias = fields["bias"].vector(len(weight)) if "bias" in fields else (Fraction(0),) * len(weight)
    return _map(node, bias, weight)


def read_residual(fields: dict[str, Node]) -> bool:
    return fields["residual"].boolean() if "residual" in fields else False


@dataclass(frozen=True, slots=True)
class Head:
    """What scores values: row j of ``keys`` is (b_j, k_j), the score of value j is <query(x), k_j> + b_j."""

    query: AffineMap
    keys: AffineMap
    values: tuple[Point, ...]

    @property
    def scores(self) -> AffineMap:
        return self.keys.compose(self.query)

    @property
    def width(self) -> int:
        return len(self.values[0])

    def steps(self, reads: int) -> int:
        """What the checker takes to compose keys and query."""
        return len(self.values) * (reads + 1) * (self.keys.input_dim // 4 + LONG)


def read_heads(node: Node, width: int, values_key: str) -> tuple[Head, ...]:
    """Every head in a list of them; its values stand under ``values_key``."""
    return tuple(_head(head, width, values_key) for head in node.items("heads"))


def _head(node: Node, width: int, values_key: str) -> Head:
    fields = node.fields("query", "keys", values_key, optional=["score_bias"])
    query = read_affine(fields["query"], width)
    keys = fields["keys"].matrix(columns=query.output_dim)
    values = fields[values_key].matrix(rows=len(keys))
    bias = fields["score_bias"].vector(len(keys)) if "score_bias" in fields else (Fraction(0),) * len(keys)
    return Head(query, _map(node, bias, keys), values)


def _map(node: Node, bias: Sequence[Fraction], weight: Sequence[Point]) -> AffineMap:
    try:
        found = AffineMap.of([(constant, *row) for constant, row in zip(bias, weight, strict=True)])
    except NotRational as error:
        raise BadNetwork(node.place, str(error)) from None
    # Numbers of unlike denominators become as long as all of these together, which no file's size bounds.
    bits = found.denominator.bit_length()
    if bits > LONG_DENOMINATOR and bits * len(weight) * (found.input_dim + 1) > MAX_BITS:
        problem = f"the common denominator of these weights has {bits} bits, too many for a map of this size"
        raise BadNetwork(node.place, problem)
    return found


# -- lowering ----------------------------------------------------------------------------------------------------------


class Forms:
    """The forms of a stage under construction: equal forms are kept once."""

    def __init__(self, input_dim: int) -> None:
        self.input_dim = input_dim
        self._index: dict[Point, int] = {}
        self._no_normal = (Fraction(0),) * input_dim

    def add(self, row: Point) -> int:
        """The index of the form (b, a)."""
        return self._index.setdefault(row, len(self._index))

    def add_constant(self, value: Fraction) -> int:
        return self.add((value, *self._no_normal))

    def stage(self, selectors: Iterable[Selector], base: AffineMap, mix: AffineMap) -> Stage:
        return Stage(AffineMap.of(self._index, self.input_dim), tuple(selectors), base, mix)


def maximum(name: str, forms: Sequence[int]) -> Selector:
    """Score = value."""
    return Selector(name, tuple(Candidate(form, (form,)) for form in forms))


def zero(input_dim: int, output_dim: int) -> AffineMap:
    return AffineMap.scaled(input_dim, 1, [[0] * (input_dim + 1)] * output_dim)


def linear_part(outer: AffineMap) -> AffineMap:
    return AffineMap.scaled(outer.input_dim, outer.denominator, [(0, *row[1:]) for row in outer.rows])


def base(before: AffineMap, output: AffineMap, residual: bool) -> AffineMap:
    """The output's bias, plus the layer's input with a residual."""
    constants = [row[0] for row in output.fractions()]
    if not residual:
        return AffineMap.of([[constant, *[0] * before.input_dim] for constant in constants], before.input_dim)
    return AffineMap.of(
        [[constant + row[0], *row[1:]] for constant, row in zip(constants, before.fractions(), strict=True)]
    )

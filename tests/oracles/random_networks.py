"""One generator of random network documents, wherever the randomness comes from.

A source of randomness is one function, ``integer(low, high)``: ``random.Random(seed).randint`` where a seed is to name
a network, a draw of Hypothesis (``tests.oracles.strategies``) where a failing network is to shrink. Everything is made
of such integers, and whatever can be chosen is listed simplest first, so that smaller integers make simpler networks.

``LAYERS`` has one entry for each kind of layer: a function that makes one, and tells its number of outputs. A new kind
is one more entry; a test demands that the table holds all kinds of the engine and of the checker.

Networks are degenerate by construction. ``COARSE`` numbers have many zeros, so that units are dead, repeated, opposite
and parallel, keys tie, images collapse and hyperplanes meet in one point all the time; a few odd fractions keep the
generic case present. ``repeats`` makes rows multiples of others, with their constants or without. Domains are
full-dimensional, with and without bounds, lineality, repeated and void rows. Dimension one is always among the
dimensions.

>>> seeded(10, Taste(dimensions=(1,), layers=2)).document()["layers"]
[{'type': 'linear', 'weight': [['1']], 'bias': ['1/2']}, {'type': 'abs'}]
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeVar

__all__ = [
    "BOUNDED",
    "COARSE",
    "DOMAINS",
    "LAYERS",
    "MIXED",
    "ODD",
    "TINY",
    "UNBOUNDED",
    "Document",
    "Integer",
    "Maker",
    "Number",
    "Taste",
    "integers",
    "seeded",
]

Integer = Callable[[int, int], int]
"""``integer(low, high)``: one of low, ..., high."""
Number = int | str | float
Document = dict[str, Any]
Rows = list[list[Any]]
T = TypeVar("T")

COARSE: tuple[Number, ...] = ("0", "0", "1", "-1", "1", "-1", "2", "1/2", "-3/2", "7/5")
TINY: tuple[Number, ...] = ("0", "1", "-1", "0", "1")
ODD: tuple[Number, ...] = ("0", "-1", "11", "5/4", "1.25", "0.6", "3/7", "-2/9", "-0.35", "-13/8")
MIXED: tuple[Number, ...] = (0, "0", 0, 1, "1", -1, "-1", 2, -2, 3, "1/2", "-1/3", "-3/2", 1.5, "0.25", "-1.5e1")
"""Numbers in every spelling; the float is a decimal and a binary number alike."""
SLOPES: tuple[Number, ...] = ("0", "1", "-1", "2", "1/2", "1/10")
FACTORS = ("1", "1", "2", "-1", "1/3")
"""What a repeated row is multiplied with."""

BOUNDED = ("box", "box", "simplex", "crowded")
UNBOUNDED = ("all", "all", "slab", "band", "orthant", "half-space")
"""Names of domains, as often as they are chosen."""


@dataclass(frozen=True)
class Taste:
    """What networks are made of; every size is the largest one."""

    numbers: Sequence[Number] | int = COARSE
    """All weights; an integer n stands for the integers from -n to n."""
    dimensions: Sequence[int] = (1, 2)
    layers: int = 3
    units: int = 2
    """Outputs of linear layers, and maxout units."""
    hidden: int = 2
    heads: int = 2
    pieces: int = 3
    """Of a maxout unit; and the keys of a head."""
    width: int = 2
    """Of queries, of values, and of what output maps give."""
    repeats: int = 2
    """Of ten matrices with several rows, in so many one row is a multiple of another."""
    kinds: Sequence[str] | None = None
    """Of layers, as often as they are chosen; all of ``LAYERS`` alike if None."""
    domains: Sequence[str] = (*BOUNDED, *UNBOUNDED)


class Maker:
    """Makes networks and their parts from a source of randomness, to a taste."""

    def __init__(self, integer: Integer, taste: Taste | None = None) -> None:
        self.integer = integer
        self.taste = taste or Taste()

    # Choices

    def choice(self, options: Sequence[T]) -> T:
        return options[self.integer(0, len(options) - 1)]

    def flag(self) -> bool:
        return self.integer(0, 1) == 1

    def up_to(self, most: int) -> int:
        return self.integer(1, most)

    def shuffled(self, items: Sequence[T]) -> list[T]:
        rest = list(items)
        return [rest.pop(self.integer(0, len(rest) - 1)) for _ in items]

    # Parts of layers

    def number(self) -> Number:
        numbers = self.taste.numbers
        return self.integer(-numbers, numbers) if isinstance(numbers, int) else self.choice(numbers)

    def vector(self, size: int) -> list[Number]:
        return [self.number() for _ in range(size)]

    def rows(self, count: int, columns: int) -> Rows:
        """A matrix, in which one row may be a multiple of another."""
        rows: Rows = [self.vector(columns) for _ in range(count)]
        self._repeat(rows)
        return rows

    def _repeat(self, rows: Rows) -> list[Any] | None:
        """Make a row a multiple of another, perhaps; this row."""
        if len(rows) < 2 or not self.taste.repeats or self.integer(1, 10) <= 10 - self.taste.repeats:
            return None
        source, target = self.integer(0, len(rows) - 1), self.integer(0, len(rows) - 2)
        target += target >= source
        factor = Fraction(self.choice(FACTORS))
        rows[target] = [str(Fraction(entry) * factor) for entry in rows[source]]
        return rows[target]

    def units(self, inputs: int, outputs: int) -> Document:
        """An affine map with constants; where a row is repeated, units coincide, or are parallel."""
        rows: Rows = [self.vector(inputs + 1) for _ in range(outputs)]
        repeated = self._repeat(rows)
        if repeated is not None and self.flag():
            repeated[0] = self.number()
        return {"weight": [row[1:] for row in rows], "bias": [row[0] for row in rows]}

    def affine(self, inputs: int, outputs: int) -> Document:
        """An affine map, with constants or without."""
        return self.units(inputs, outputs) if self.flag() else {"weight": self.rows(outputs, inputs)}

    def scored(self, inputs: int, keys: int) -> Document:
        """The query and the keys of a head, with score_bias or without."""
        size = self.up_to(self.taste.width)
        head: Document = {"query": self.affine(inputs, size), "keys": self.rows(keys, size)}
        return {**head, "score_bias": self.vector(keys)} if self.flag() else head

    def residual(self, wanted: bool) -> Document:
        """The key, which may be left out where it is false."""
        return {"residual": wanted} if wanted or self.flag() else {}

    # Layers

    def layer(self, inputs: int, kind: str | None = None) -> tuple[Document, int]:
        """A layer of this kind, or of any, and the number of its outputs."""
        kind = kind or self.choice(self.taste.kinds or tuple(LAYERS))
        layer, outputs = LAYERS[kind](self, inputs)
        return {"type": kind, **layer}, outputs

    def layers(self, inputs: int, most: int | None = None) -> list[Document]:
        """One after the other: at least one, and at most so many."""
        found = []
        for _ in range(self.up_to(most or self.taste.layers)):
            layer, inputs = self.layer(inputs)
            found.append(layer)
        return found

    def mlp(self, widths: Sequence[int]) -> list[Document]:
        """Affine maps of these widths, ReLU between any two."""
        found: list[Document] = []
        for inputs, outputs in pairwise(widths):
            found += [{"type": "linear", **self.units(inputs, outputs)}, {"type": "relu"}]
        return found[:-1]

    def jump(self, dimension: int) -> Document:
        """Attention with a residual: the network jumps, and later walls do not continue across its walls."""
        keys = self.integer(2, 3)
        identity = [[str(int(i == j)) for j in range(dimension)] for i in range(dimension)]
        head = {"query": {"weight": identity}, "keys": self.rows(keys, dimension), "values": self.rows(keys, dimension)}
        return {"type": "attention", "residual": True, "heads": [head]}

    # Networks

    def domain(self, dimension: int) -> Document | None:
        return DOMAINS[self.choice(self.taste.domains)](self, dimension)

    def document(self) -> Document:
        """A network; all of R^d is a domain that is absent or null."""
        dimension = self.choice(self.taste.dimensions)
        document: Document = {"format": "exactgeo-network/1", "input_dim": dimension}
        domain = self.domain(dimension)
        if domain is not None or self.flag():
            document["domain"] = domain
        document["layers"] = self.layers(dimension)
        return document


def seeded(seed: int | str, taste: Taste | None = None) -> Maker:
    """The maker that a seed names."""
    return Maker(random.Random(seed).randint, taste)


def integers(rng: random.Random, size: int) -> Maker:
    """A maker of networks with integers up to a size, and no row repeated on purpose."""
    return Maker(rng.randint, Taste(numbers=size, repeats=0))


# Kinds of layers


def _linear(make: Maker, inputs: int) -> tuple[Document, int]:
    outputs = make.up_to(make.taste.units)
    return make.affine(inputs, outputs), outputs


def _as_it_is(make: Maker, inputs: int) -> tuple[Document, int]:
    return {}, inputs


def _leaky_relu(make: Maker, inputs: int) -> tuple[Document, int]:
    return {"slope": make.number() if make.flag() else make.choice(SLOPES)}, inputs


def _maxout(make: Maker, inputs: int) -> tuple[Document, int]:
    units = make.up_to(make.taste.units)
    return {"units": [make.affine(inputs, make.up_to(make.taste.pieces)) for _ in range(units)]}, units


def _ffn(make: Maker, inputs: int) -> tuple[Document, int]:
    hidden, residual = make.up_to(make.taste.hidden), make.flag()
    outputs = inputs if residual else make.up_to(make.taste.width)
    layer = {"hidden": make.affine(inputs, hidden), "output": make.affine(hidden, outputs)}
    return layer | make.residual(residual), outputs


def _attention(make: Maker, inputs: int) -> tuple[Document, int]:
    residual, mixed = make.flag(), make.flag()
    if residual and not mixed:  # values of one size, which are as wide as the input side by side
        count = make.choice([k for k in range(1, inputs + 1) if inputs % k == 0])
        channels = [inputs // count] * count
    else:
        channels = [make.up_to(make.taste.width) for _ in range(make.up_to(make.taste.heads))]
    layer: Document = {"heads": [_head(make, inputs, size, "values") for size in channels]}
    outputs = sum(channels)
    if mixed:
        outputs = inputs if residual else make.up_to(make.taste.width)
        layer["output"] = make.affine(sum(channels), outputs)
    return layer | make.residual(residual), outputs


def _tropical_attention(make: Maker, inputs: int) -> tuple[Document, int]:
    channels = [make.up_to(make.taste.width) for _ in range(make.up_to(make.taste.heads))]
    return {"heads": [_head(make, inputs, size, "log_values") for size in channels]}, sum(channels)


def _head(make: Maker, inputs: int, channels: int, values: str) -> Document:
    keys = make.up_to(make.taste.pieces)
    return make.scored(inputs, keys) | {values: make.rows(keys, channels)}


LAYERS: Mapping[str, Callable[[Maker, int], tuple[Document, int]]] = {
    "linear": _linear,
    "relu": _as_it_is,
    "abs": _as_it_is,
    "leaky_relu": _leaky_relu,
    "hard_tanh": _as_it_is,
    "maxout": _maxout,
    "ffn": _ffn,
    "attention": _attention,
    "tropical_attention": _tropical_attention,
}


# Domains: rows (b, a) mean b + a.x >= 0


def _axes(dimension: int) -> Rows:
    """x_i >= -1."""
    return [["1", *[str(int(k == i)) for k in range(dimension)]] for i in range(dimension)]


def _all(make: Maker, dimension: int) -> None:
    return None


def _box(make: Maker, dimension: int) -> Document:
    sides: Rows = []
    for _ in range(dimension):
        low = -make.integer(0, 2)
        sides.append([str(low), str(low + Fraction(make.choice(["1", "2", "3", "1/2"])))])
    return {"box": sides}


def _simplex(make: Maker, dimension: int) -> Document:
    return {"inequalities": [*_axes(dimension), ["2", *["-1"] * dimension]]}


def _crowded(make: Maker, dimension: int) -> Document:
    """The simplex with rows that are repeated, multiples, zero, and constant, in any order."""
    axes = _axes(dimension)
    rows = [*axes, ["2", *["-1"] * dimension], axes[-1], [str(2 * int(entry)) for entry in axes[0]]]
    return {"inequalities": make.shuffled([*rows, ["0"] * (dimension + 1), ["3", *["0"] * dimension]])}


def _orthant(make: Maker, dimension: int) -> Document:
    return {"inequalities": _axes(dimension)}


def _half_space(make: Maker, dimension: int) -> Document:
    return {"inequalities": [["1/2", *["1"] * dimension]]}


def _slab(make: Maker, dimension: int) -> Document:
    """Between two hyperplanes; of a line, a ray, since there would be bounds."""
    if dimension == 1:
        return _half_space(make, dimension)
    return {"inequalities": [["1", "1", *["0"] * (dimension - 1)], ["1", "-1", *["0"] * (dimension - 1)]]}


def _band(make: Maker, dimension: int) -> Document:
    """A slab that is oblique, in integers, with a zero and a repeated row; likewise."""
    if dimension == 1:
        return {"inequalities": [[1, 1], [0, 0], [2, 2]]}
    return {
        "inequalities": [[1, *[1] * dimension], [2, *[-1] * dimension], [0] * (dimension + 1), [2, *[-1] * dimension]]
    }


DOMAINS: Mapping[str, Callable[[Maker, int], Document | None]] = {
    "all": _all,
    "band": _band,
    "box": _box,
    "crowded": _crowded,
    "half-space": _half_space,
    "orthant": _orthant,
    "simplex": _simplex,
    "slab": _slab,
}

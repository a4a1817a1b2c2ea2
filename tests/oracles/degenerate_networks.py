"""Networks that are degenerate, or hard for floating point, by construction: a family each, all from one seed.

Where ``random_networks`` leaves degeneracy to coarse numbers, these are built to have it: units that are parallel,
coincident, opposite, repeated or dead, hyperplanes through one point or one unit in the last place beside it, ties of
keys and of pieces, jumps, residual blocks, more selectors than bits in a word, more rows of a domain than slots, chains
of narrow layers, weights at the ends of the range of doubles and beyond, integers at the edge of 2^53.

>>> sorted(FAMILIES)[:4]
['attention', 'chain', 'concurrent', 'constant']
>>> document("concurrent", 0)["input_dim"] in (1, 2, 3, 4)
True
"""

import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import cos, nextafter, sin

from tests.oracles.random_networks import (
    COARSE,
    DOMAINS,
    ODD,
    SLOPES,
    TINY,
    UNBOUNDED,
    Document,
    Maker,
    Number,
    Taste,
)

__all__ = ["EDGE", "FAMILIES", "LONG", "NUMBERS", "REAL", "WILD", "document"]

Rows = list[list[Number]]

REAL: tuple[Number, ...] = tuple(random.Random(5).gauss(0, 1) for _ in range(60))
LONG: tuple[Number, ...] = (
    *("0", "1", "-1", "1/3", "-2/7", "-1000000000000000000001/1000000000000000000000"),
    "123456789012345678901234567890/987654321098765432109876543211",
    "1000000000000000000000000000000000/333333333333333333333333333333331",
)
"""Rationals with long denominators."""
WILD: tuple[Number, ...] = (
    *("0", "1", "-1", "1/3", "1e-330", "1e330", "-3e-330", 5e-324, -5e-324, 2.2250738585072014e-308, 2.0**-500),
    *(1e300, -1.7976931348623157e308, 2.0**500, 0.1, 0.3),
)
"""From below the least subnormal double to beyond the largest one."""
EDGE: tuple[Number, ...] = (
    0,
    1,
    -1,
    2**53,
    2**53 - 1,
    -(2**53) - 1,
    2**52 + 1,
    2**27 + 1,
    -(2**26),
    2**63,
    -(2**63),
    3,
)
"""Integers at the edge of what doubles and words hold exactly."""
NUMBERS: Mapping[str, Sequence[Number] | int] = {
    "coarse": COARSE,
    "edge": EDGE,
    "integers": 3,
    "long": LONG,
    "odd": ODD,
    "real": REAL,
    "signs": 1,
    "tiny": TINY,
    "wild": WILD,
}


class _Family:
    """What a family draws from: a random generator, a maker, and numbers of one kind."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.numbers = rng.choice(sorted(NUMBERS))
        self.make = Maker(rng.randint, Taste(NUMBERS[self.numbers], units=3, hidden=4, pieces=5, repeats=4))

    def row(self, size: int) -> list[Number]:
        return self.make.vector(size)

    def domain(self, dimension: int, unbounded: bool | None = None) -> Document | None:
        names = sorted({*UNBOUNDED}) if unbounded else sorted(DOMAINS)
        return DOMAINS[self.rng.choice(names)](self.make, dimension)

    def network(self, dimension: int, layers: list[Document], domain: Document | None) -> Document:
        return {"format": "exactgeo-network/1", "input_dim": dimension, "layers": layers, "domain": domain}

    def activation(self) -> Document:
        kind = self.rng.choice(["relu", "relu", "abs", "hard_tanh", "leaky_relu"])
        return {"type": kind, "slope": self.rng.choice(SLOPES)} if kind == "leaky_relu" else {"type": kind}

    def dense(self, rows: Rows) -> Document:
        """Units from rows (b, a)."""
        return {"type": "linear", "weight": [row[1:] for row in rows], "bias": [row[0] for row in rows]}

    def activated(self, rows: Rows) -> list[Document]:
        return [self.dense(rows), self.activation()]

    def after(self, width: int, most: int = 3) -> list[Document]:
        """A few more units, so that errors and ties of the first stage have something to do."""
        if self.rng.random() < 0.3:
            return []
        return self.activated([self.row(width + 1) for _ in range(self.rng.randint(1, most))])


def _scaled(row: Sequence[Number], factor: Fraction) -> list[Number]:
    return [str(Fraction(x) * factor) for x in row]


def _units(f: _Family) -> Document:
    """Units that are parallel, coincident, opposite, repeated, multiples of each other, constant and dead."""
    dimension = f.rng.randint(1, 4)
    rows = [f.row(dimension + 1) for _ in range(f.rng.randint(1, 3))]
    for _ in range(f.rng.randint(1, 6)):
        source = f.rng.choice(rows)
        kind = f.rng.randrange(6)
        factor = Fraction(f.rng.choice(["1", "-1", "2", "-1/3", "1/1024", "-7/5"]))
        if kind <= 2:
            rows.append(_scaled(source, factor))
        elif kind == 3:
            rows.append([f.make.number(), *_scaled(source[1:], factor)])
        elif kind == 4:
            rows.append([f.make.number(), *[0] * dimension])
        else:
            rows.append([0] * (dimension + 1))
    rows = f.make.shuffled(rows)
    return f.network(dimension, [*f.activated(rows), *f.after(len(rows))], f.domain(dimension))


def _concurrent(f: _Family) -> Document:
    """Hyperplanes through one point."""
    dimension = f.rng.randint(1, 4)
    point = [Fraction(f.rng.choice(["0", "1/2", "1/3", "-1/7", "1"])) for _ in range(dimension)]
    rows: Rows = []
    for _ in range(f.rng.randint(2, {1: 6, 2: 12, 3: 7, 4: 6}[dimension])):
        normal = f.row(dimension)
        rows.append([str(-sum(Fraction(a) * x for a, x in zip(normal, point, strict=True))), *normal])
    return f.network(dimension, [*f.activated(rows), *f.after(len(rows), 2)], f.domain(dimension))


def _nearly(f: _Family) -> Document:
    """Hyperplanes through one point, some moved or turned by one unit in the last place."""
    dimension = f.rng.randint(1, 3)
    rows: Rows = []
    for _ in range(f.rng.randint(2, 5)):
        normal = [f.rng.choice([0.5, 1.0, -1.5, 0.1, 3.0, -0.3]) for _ in range(dimension)]
        row = [-sum(normal) * 0.5, *normal]
        for _ in range(f.rng.randint(1, 2)):
            k = f.rng.randrange(dimension + 1)
            near = list(row)
            near[k] = nextafter(near[k], f.rng.choice([-9.0, 9.0]))
            rows.append([*near])
        if f.rng.random() < 0.5:
            rows.append([*row])
    rows = rows[: {1: 9, 2: 8, 3: 6}[dimension]]
    return f.network(dimension, [*f.activated(rows), *f.after(len(rows), 2)], f.domain(dimension))


def _head(f: _Family, inputs: int, keys: Rows, values: str, width: int) -> Document:
    """A head whose keys and score biases are partly equal."""
    bias = [f.rng.choice([0, 0, f.make.number()]) for _ in keys]
    for k in range(1, len(keys)):
        if f.rng.random() < 0.3:
            source = f.rng.randrange(k)
            keys[k], bias[k] = list(keys[source]), bias[source]
    query = {"weight": [f.row(inputs) for _ in keys[0]]}
    if f.rng.random() < 0.5:
        query = {"weight": [[int(i == j) for j in range(inputs)] for i in range(inputs)]}
        keys = [f.row(inputs) if len(key) != inputs else key for key in keys]
    return {"query": query, "keys": keys, values: [f.row(width) for _ in keys], "score_bias": bias}


def _attention(f: _Family) -> Document:
    """Ties of keys, jumps, a residual, and units behind."""
    dimension = f.rng.randint(1, 3)
    heads = [
        _head(f, dimension, [f.row(2) for _ in range(f.rng.randint(1, 8))], "values", dimension)
        for _ in range(f.rng.randint(1, 2))
    ]
    layer: Document = {"type": "attention", "heads": heads[:1], "residual": f.rng.random() < 0.6}
    if len(heads) == 2 and not layer["residual"]:
        layer["heads"] = heads
    width = dimension * len(layer["heads"])
    return f.network(dimension, [layer, *f.activated([f.row(width + 1) for _ in range(2)])], f.domain(dimension))


def _tropical(f: _Family) -> Document:
    dimension = f.rng.randint(1, 3)
    head = _head(f, dimension, [f.row(2) for _ in range(f.rng.randint(1, 4))], "log_values", 2)
    layers = [{"type": "tropical_attention", "heads": [head]}, *f.after(2, 2)]
    return f.network(dimension, layers, f.domain(dimension))


def _pieces(f: _Family) -> Document:
    """Maxout units with pieces that are equal, dominated, or in another order in the next unit."""
    dimension = f.rng.randint(1, 3)
    pool = [f.row(dimension + 1) for _ in range(f.rng.randint(2, 5))]
    pool.append(_scaled(pool[0], Fraction(2)))
    units: list[Document] = []
    for _ in range(f.rng.randint(1, 3)):
        rows = [f.rng.choice(pool) for _ in range(f.rng.randint(1, 7))]
        units.append({"weight": [row[1:] for row in rows], "bias": [row[0] for row in rows]})
    return f.network(dimension, [{"type": "maxout", "units": units}, *f.after(len(units), 2)], f.domain(dimension))


def _many_keys(f: _Family) -> Document:
    """More classes than a list of them likes, of which few win."""
    dimension = f.rng.randint(1, 3)
    count = f.rng.randint(5, 20) if f.numbers == "wild" else f.rng.randint(20, 70)
    rows = [f.row(dimension + 1) for _ in range(count)]
    unit: Document = {"weight": [row[1:] for row in rows], "bias": [row[0] for row in rows]}
    return f.network(dimension, [{"type": "maxout", "units": [unit]}, *f.after(1, 1)], f.domain(dimension))


def _words(f: _Family) -> Document:
    """More selectors than a word has bits, on few hyperplanes; on a line also on many."""
    dimension = f.rng.randint(1, 2)
    pool = [f.row(dimension + 1) for _ in range(9 if dimension == 1 else 4)]
    rows = [_scaled(f.rng.choice(pool), Fraction(f.rng.choice([1, -1, 2]))) for _ in range(f.rng.randint(60, 70))]
    after = f.activated([f.row(len(rows) + 1)]) if f.rng.random() < 0.5 else []
    return f.network(dimension, [*f.activated(rows), *after], f.domain(dimension))


def _chain(f: _Family) -> Document:
    """Many narrow layers; where the slope is not 0, nothing dies on the way."""
    width = f.rng.choice([1, 1, 2, 3])
    dimension = f.rng.randint(1, 2)
    layers: list[Document] = []
    inputs = dimension
    for _ in range(f.rng.randint(5, 25) if width == 1 else f.rng.randint(3, 7)):
        layers.append(f.dense([f.row(inputs + 1) for _ in range(width)]))
        slope = f.rng.choice(["1/2", "-1/2", "1", "-1", "0.1"])
        layers.append({"type": "leaky_relu", "slope": slope} if f.rng.random() < 0.6 else f.activation())
        inputs = width
    return f.network(dimension, layers, f.domain(dimension))


def _residual(f: _Family) -> Document:
    """Blocks with residuals, one on the other: bases are read by later stages."""
    dimension = f.rng.randint(1, 3)
    layers: list[Document] = []
    for _ in range(f.rng.randint(1, 3)):
        hidden = f.rng.randint(1, 2)
        if f.rng.random() < 0.4:
            layers.append(f.make.jump(dimension))
            continue
        block = {
            "hidden": {"weight": [f.row(dimension) for _ in range(hidden)], "bias": f.row(hidden)},
            "output": {"weight": [f.row(hidden) for _ in range(dimension)]},
        }
        layers.append({"type": "ffn", "residual": True, **block})
    return f.network(dimension, [*layers, *f.after(dimension, 2)], f.domain(dimension))


def _crowded_domain(f: _Family) -> Document:
    """A polygon or a cone with more rows than slots, many of them redundant or repeated."""
    dimension = f.rng.randint(2, 3)
    sides: Rows = []
    for k in range(f.rng.randint(66, 80) if dimension == 2 else 24):
        turn = [cos(k), sin(k)] if dimension == 2 else [cos(k) * sin(7 * k), sin(k) * sin(7 * k), cos(7 * k)]
        normal = [str(Fraction(x).limit_denominator(100)) for x in turn]
        sides.append([f.rng.choice(["1", "1", "3/2"]), *normal])
    if f.rng.random() < 0.3:  # a cone: rows through the origin, all of which hold at (1, ..., 1)
        sides = [["0", *[str(f.rng.randint(0, 5)) for _ in range(dimension)]] for _ in range(70)]
    units = [f.row(dimension + 1) for _ in range(f.rng.randint(1, 3))]
    return f.network(dimension, f.activated(units), {"inequalities": sides})


def _lines(f: _Family) -> Document:
    """On domains with lines: what does not vary along them, and what does."""
    dimension = f.rng.randint(2, 4)
    ones = [f.row(dimension + 1) for _ in range(f.rng.randint(1, 2))]
    rows = [*ones, *[_scaled(f.rng.choice(ones), Fraction(f.rng.choice([1, -2]))) for _ in range(2)]]
    rows = [[f.make.number(), *row[1:]] if f.rng.random() < 0.6 else row for row in rows]
    unit: Document = {"weight": [row[1:] for row in rows], "bias": [row[0] for row in rows]}
    first = [{"type": "maxout", "units": [unit, unit]}] if f.rng.random() < 0.4 else f.activated(rows)
    width = 2 if len(first) == 1 else len(rows)
    domain = f.domain(dimension, unbounded=True)
    return f.network(dimension, [*first, *f.after(width, 2)], domain)


def _constant(f: _Family) -> Document:
    """Maps that are constant from some layer on, and networks without any selector."""
    dimension = f.rng.randint(1, 2)
    rows = [f.row(dimension + 1) for _ in range(2)]
    last = f.dense([[f.make.number(), 0, 0] for _ in range(2)])
    layers = [*f.activated(rows), last, *([f.activation()] if f.rng.random() < 0.7 else [])]
    return f.network(dimension, layers if f.rng.random() < 0.9 else [f.dense(rows)], f.domain(dimension))


FAMILIES: Mapping[str, Callable[[_Family], Document]] = {
    "attention": _attention,
    "chain": _chain,
    "concurrent": _concurrent,
    "constant": _constant,
    "crowded domain": _crowded_domain,
    "lines": _lines,
    "many keys": _many_keys,
    "nearly": _nearly,
    "pieces": _pieces,
    "residual": _residual,
    "tropical": _tropical,
    "units": _units,
    "words": _words,
}


def document(family: str, seed: int) -> Document:
    """The network of a family that a seed names."""
    return FAMILIES[family](_Family(random.Random(f"{family} {seed}")))

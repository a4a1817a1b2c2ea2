"""What a certificate can hold: the checker's limits (``proofs_check/FORMAT.md``, section 9), known before any work.

The checker compiles a network into stages of its own and refuses what would cost it more time and memory than a file
should. What it would count is estimated from the document, never too low where numbers have no more than 60 bits. What
it says of the bits of integers is not foreseen: they matter where there are thousands of them.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from exactgeo.errors import BadInput
from exactgeo.network import Network
from exactgeo.rational.rows import Row

__all__ = ["MAX_DIGITS", "MAX_HEADER", "MAX_RECORD", "boundable", "check_certifiable", "compiled", "spelled"]

MAX_HEADER, MAX_RECORD, MAX_DIGITS = 8_000_000, 1_000_000, 4000
"""Bytes of a header and of a record, and digits of an integer in it."""

MAX_UNKNOWNS = 12
"""In so many dimensions the checker finds multipliers that are not spelled, unless they are of thousands of bits."""

MAX_BOUNDED, FREE, WORK = 31, 6, 10_000_000
"""The dimensions of a B record; its rows, however long; and what more of them may cost."""

MAX_VALUES, MAX_KEYS = 400_000, 50_000
"""Values and keys of a header."""

MAX_CANDIDATES, MAX_INTEGERS, MAX_STEPS = 20_000, 350_000, 5_000_000
"""Candidates of all selectors; integers of all stages; operations of four, or of 64 bits, to compile them."""

MAX_PULLED, MAX_PRODUCTS = 600_000, 40_000_000
"""Integers of the scores and maps of all stages as forms of the input, and the products to find these."""


POINTWISE = {"relu": 2, "leaky_relu": 2, "abs": 2, "hard_tanh": 3}
"""Candidates of a unit."""

LONG = 4
"""Steps for an integer beside those for its terms, where these have factors and denominators of 60 bits."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """What the checker makes of a network, at most."""

    candidates: int
    integers: int
    steps: int
    pulled: int
    products: int


def check_certifiable(network: Network) -> None:
    """Refuse a network that no certificate can hold, before any work is done."""
    document = network.document
    if len(document) > MAX_HEADER - 1000:
        raise BadInput(f"the network has {len(document)} bytes: a certificate holds at most {MAX_HEADER - 1000}")
    if sum(map(document.count, (b",", b"[", b"{"))) > MAX_VALUES - 100 or document.count(b":") > MAX_KEYS - 100:
        raise BadInput(f"a certificate holds at most about {MAX_VALUES} numbers and {MAX_KEYS} keys of a network")
    found = compiled(network)
    for what, count, most in (
        ("candidates", found.candidates, MAX_CANDIDATES),
        ("integers in layers", found.integers, MAX_INTEGERS),
        ("steps to compile layers", found.steps, MAX_STEPS),
        ("integers in maps", found.pulled, MAX_PULLED),
        ("products to compose maps", found.products, MAX_PRODUCTS),
    ):
        if count > most:
            raise BadInput(f"a certificate holds at most {most} {what}, here are {count}")


@dataclass(frozen=True, slots=True)
class _Stage:
    """A layer with selectors, and the linear ones after it.

    There are at most so many candidates, ``forms`` (scores and values) with ``integers`` in all of them, and
    ``vectors`` that the values go along, with ``spread`` in all of these and ``longest`` in one; ``base`` integers in
    what is added to each of ``width`` outputs. All that takes so many ``steps``.
    """

    candidates: int
    forms: int
    integers: int
    vectors: int
    spread: int
    longest: int
    base: int
    width: int
    steps: int = 0


def compiled(network: Network) -> Compiled:
    """What the checker makes of it, at most."""
    reads = before = network.input_dim
    columns = reads + 1
    stages: list[_Stage] = []
    steps, composed, peak = 0, False, 0
    for layer in json.loads(network.document)["layers"]:
        if layer["type"] != "linear":
            stages.append(_stage(layer, reads))
            reads = stages[-1].width
            continue
        width = len(layer["weight"])
        if stages:
            last = stages[-1]
            made = (last.vectors + last.base) * width
            steps += made * (max(last.longest, last.width if last.base > 1 else 1) // 4 + LONG)
            peak = max(peak, made)
            stages[-1] = replace(last, width=width, spread=last.vectors * width, longest=width)
        else:
            steps += composed * width * (reads + 1) * columns
            before, composed = max(before, width), True
        reads = width
    integers = sum(stage.integers + stage.spread + stage.base * stage.width for stage in stages)
    return Compiled(
        candidates=sum(stage.candidates for stage in stages),
        integers=max(integers, peak),
        steps=steps + sum(stage.steps for stage in stages),
        pulled=max(before, sum(stage.forms + stage.width for stage in stages)) * columns,
        products=integers * columns,
    )


def _stage(layer: dict[str, Any], reads: int) -> _Stage:
    kind = layer["type"]
    if kind in POINTWISE:
        count = POINTWISE[kind] * reads
        return _Stage(count, 2 * count + 1, 4 * count + 1, vectors=reads, spread=reads, longest=1, base=1, width=reads)
    if kind == "maxout":
        units, count = len(layer["units"]), sum(len(unit["weight"]) for unit in layer["units"])
        return _Stage(count, count, count * (reads + 1), vectors=units, spread=units, longest=1, base=1, width=units)
    base = 1 + reads * bool(layer.get("residual"))
    if kind == "ffn":
        units, width = len(layer["hidden"]["weight"]), len(layer["output"]["weight"])
        return _Stage(
            candidates=2 * units,
            forms=units + 1,
            integers=units * (reads + 1) + 1,
            vectors=units + 1,
            spread=units * width,
            longest=width,
            base=base,
            width=width,
        )
    values = "values" if kind == "attention" else "log_values"
    heads = [(len(head["keys"]), len(head["keys"][0]), len(head[values][0])) for head in layer["heads"]]
    keys, width = sum(n for n, _, _ in heads), sum(own for _, _, own in heads)
    longest = max(own for _, _, own in heads)
    steps = sum(n * (reads + 1) * (k // 4 + LONG) for n, k, _ in heads)
    if kind == "tropical_attention":
        count = sum(n * (1 + own) for n, _, own in heads)
        return _Stage(
            candidates=count,
            forms=count,
            integers=count * (reads + 1),
            vectors=width + len(heads),
            spread=2 * width,
            longest=longest,
            base=1,
            width=width,
            steps=steps + (len(heads) + 1) * LONG * count * (reads + 1),
        )
    spread = sum(n * own for n, _, own in heads)
    if "output" in layer:
        width = len(layer["output"]["weight"])
        spread = keys * width
        steps += spread * (longest // 4 + LONG)
        longest = width
    return _Stage(
        candidates=keys,
        forms=keys + 1,
        integers=keys * (reads + 1) + 1,
        vectors=keys,
        spread=spread,
        longest=longest,
        base=base,
        width=width,
        steps=steps,
    )


def spelled(network: Network, multipliers: bool) -> bool:
    """Whether multipliers are spelled: where they are asked for, or might cost the checker too much to find."""
    return multipliers or network.input_dim > MAX_UNKNOWNS


def boundable(rows: Sequence[Row]) -> bool:
    """Whether a B record may cite any of these rows: the checker solves a linear system for it."""
    n = len(rows[0])
    if n - 1 > MAX_BOUNDED:
        return False
    if n <= FREE:
        return True
    bits = max(abs(value).bit_length() for row in rows for value in row)
    return n**3 * (1 + (n * bits // 500) ** 2) <= WORK

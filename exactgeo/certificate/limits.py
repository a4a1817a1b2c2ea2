"""What a certificate can hold: the checker's limits (``proofs_check/FORMAT.md``, section 9), known before any work.

The checker compiles a network into stages of its own and refuses what would cost it more time and memory than a file
should. What it would count is estimated from the document, never too low.
"""

import json
from dataclasses import dataclass, replace
from typing import Any

from exactgeo.errors import BadInput
from exactgeo.network import Network

__all__ = ["MAX_DIGITS", "MAX_HEADER", "MAX_RECORD", "MAX_UNKNOWNS", "check_certifiable", "compiled"]

MAX_HEADER, MAX_RECORD, MAX_DIGITS = 8_000_000, 1_000_000, 4000
"""Bytes of a header and of a record, and digits of an integer in it."""

MAX_UNKNOWNS = 24
"""In so many dimensions the checker finds multipliers that are not spelled, however long the integers are."""

MAX_VALUES, MAX_KEYS = 400_000, 50_000
"""Values and keys of a header."""

MAX_CANDIDATES, MAX_INTEGERS, MAX_STEPS = 20_000, 350_000, 5_000_000
"""Candidates of all selectors; integers of all stages; operations of four, or of 64 bits, to compile them."""

MAX_PULLED, MAX_PRODUCTS = 600_000, 40_000_000
"""Integers of the scores and maps of all stages as forms of the input, and the products to find these."""


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
    ``vectors`` that the values go along, with ``spread`` in all of these; ``base`` integers in what is added to each of
    ``width`` outputs. All that takes so many ``steps``, where denominators have less than 64 bits.
    """

    candidates: int
    forms: int
    integers: int
    vectors: int
    spread: int
    base: int
    width: int
    steps: int = 0


def compiled(network: Network) -> Compiled:
    """What the checker makes of it, at most."""
    reads = before = network.input_dim
    columns = reads + 1
    stages: list[_Stage] = []
    steps, composed = 0, False
    for layer in json.loads(network.document)["layers"]:
        if layer["type"] != "linear":
            stages.append(_stage(layer, reads))
            reads = stages[-1].width
            continue
        width = len(layer["weight"])
        if stages:
            last = stages[-1]
            longest = last.width if last.spread > 2 * last.vectors else 2
            steps += (last.vectors + last.base) * width * (longest // 4 + 1)
            stages[-1] = replace(last, width=width, spread=last.vectors * width)
        else:
            steps += composed * width * (reads + 1) * (columns // 4 + 1)
            before, composed = max(before, width), True
        reads = width
    integers = sum(stage.integers + stage.spread + stage.base * stage.width for stage in stages)
    return Compiled(
        candidates=sum(stage.candidates for stage in stages),
        integers=integers,
        steps=steps + sum(stage.steps for stage in stages),
        pulled=max(before, sum(stage.forms + stage.width for stage in stages)) * columns,
        products=integers * columns,
    )


POINTWISE = {"relu": 2, "leaky_relu": 2, "abs": 2, "hard_tanh": 3}
"""Candidates of a unit."""


def _stage(layer: dict[str, Any], reads: int) -> _Stage:
    kind = layer["type"]
    if kind in POINTWISE:
        count = POINTWISE[kind] * reads
        return _Stage(count, 2 * count + 1, 4 * count + 1, reads, reads, 1, reads)
    if kind == "maxout":
        units, count = len(layer["units"]), sum(len(unit["weight"]) for unit in layer["units"])
        return _Stage(count, count, count * (reads + 1), units, units, 1, units)
    base = 1 + reads * bool(layer.get("residual"))
    if kind == "ffn":
        units, width = len(layer["hidden"]["weight"]), len(layer["output"]["weight"])
        return _Stage(2 * units, units + 1, units * (reads + 1) + 1, units + 1, units * width, base, width)
    heads = layer["heads"]
    values = "values" if kind == "attention" else "log_values"
    length = sum(len(head[values][0]) for head in heads)
    keys = sum(len(head["keys"]) for head in heads)
    scores = keys * (reads + 1)
    steps = sum(len(head["keys"]) * (reads + 1) * (len(head["keys"][0]) // 4 + 1) for head in heads)
    if kind == "attention":
        width = len(layer["output"]["weight"]) if "output" in layer else length
        return _Stage(
            keys, keys + 1, scores + 1, keys, keys * width, base, width, steps + keys * width * (length // 4 + 1)
        )
    count = sum(len(head["keys"]) * (1 + len(head[values][0])) for head in heads)
    return _Stage(
        count, count, count * (reads + 1), length + len(heads), 2 * length, 1, length, steps + count * (reads + 1)
    )

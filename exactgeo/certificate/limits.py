"""What a certificate can hold: the checker's limits (``proofs_check/FORMAT.md``, section 9), known before any work.

The checker compiles a network into stages of its own and refuses what would cost it more time and memory than a file
should. What it would count is estimated from the document, never too low where numbers have no more than 60 bits. What
it says of the bits of integers is not foreseen: they matter where there are thousands of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from exactgeo.errors import BadInput
from exactgeo.network import Network, Staged
from exactgeo.network.layers import Cost, Linear
from exactgeo.network.layers.kind import LONG
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


def compiled(network: Network) -> Compiled:
    """What the checker makes of it, at most."""
    reads = before = network.input_dim
    columns = reads + 1
    stages: list[Cost] = []  # of each layer with selectors, and the linear ones after it
    steps, composed, peak = 0, False, 0
    for layer in network.layers:
        if not isinstance(layer, Linear):
            stages.append(layer.cost(reads))
            reads = stages[-1].width
            continue
        width = layer.map.output_dim
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


def spelled(network: Staged, multipliers: bool) -> bool:
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

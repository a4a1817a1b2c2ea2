"""True certificates to start from: designed networks, each with a feature that a lie needs, and random ones.

The truth about a network is that of brute force (`tests.oracles.brute`), which shares no code with engine, producers
and checker. The certificates are those of the tests' own slow producers: of `tiny_producer` without templates and
bounds, of `sharing` with them.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.oracles.brute import brute_counts
from tests.oracles.random_networks import LAYERS, Maker, Taste
from tests.proofs_check.checkers import Certificate
from tests.proofs_check.sharing import shared
from tests.proofs_check.tiny_producer import produce
from tests.proofs_check.walking import with_closed_children

__all__ = [
    "DESIGNED",
    "Base",
    "base",
    "designed_bases",
    "network",
    "random_base",
    "random_shared_base",
    "shared_base",
    "shared_bases",
    "truth",
]

Document = dict[str, Any]
Truth = tuple[int, int, int]


def network(dimension: int, layers: list[Document], domain: Document | None = None) -> Document:
    document: Document = {"format": "exactgeo-network/1", "input_dim": dimension}
    if domain is not None:
        document["domain"] = domain
    return {**document, "layers": layers}


def _ffn(hidden: list[list[int]], bias: list[int], output: list[list[int]], residual: bool = False) -> Document:
    layer: Document = {"type": "ffn", "hidden": {"weight": hidden, "bias": bias}, "output": {"weight": output}}
    return {**layer, "residual": True} if residual else layer


def _head(query: list[list[int]], keys: list[list[int]], bias: list[int], values: list[list[Any]]) -> Document:
    return {"query": {"weight": query}, "keys": keys, "score_bias": bias, "values": values}


_STEPS: Document = {"keys": [[-1], [0], [1]], "bias": [-1, 0, -1]}  # -1 beyond -1, 0 between, 1 beyond 1
_VOID = {"inequalities": [[0, 0], [1, 1], [1, -1], [1, 1], [3, 0]]}  # [-1, 1] with a zero, a repeated, a constant row
_VOID_2 = {"inequalities": [[0, 0, 0], [1, 1, 0], [1, -1, 0], [1, 0, 1], [1, 0, -1], [1, 1, 0]]}

DESIGNED: dict[str, Document] = {
    "two-relus": network(1, [_ffn([[1], [1]], [0, -1], [[1, 1]])], {"box": [[0, 2]]}),
    "hat": network(1, [_ffn([[1], [1], [1]], [0, -1, -2], [[1, -2, 1]])]),
    "dead-unit": network(2, [_ffn([[1, 0]], [0], [[0]])], {"box": [[-1, 1], [-1, 1]]}),
    "dead-unit-off-centre": network(2, [_ffn([[1, 0]], [0], [[0]])], {"box": [[-1, 1], [1, 2]]}),
    "dead-units": network(2, [_ffn([[1, 0], [0, 1]], [0, 0], [[0, 0]])], _VOID_2),
    "gate": network(1, [{"type": "relu"}, {"type": "linear", "weight": [[1]], "bias": [-1]}, {"type": "relu"}]),
    # equal values far apart: leaves 0 and 2 are not free and need an N
    "strip": network(
        1, [{"type": "attention", "heads": [_head([[1]], [[-1], [0], [1]], [0, 0, -1], [[5], [7], [5]])]}]
    ),
    "strip-2d": network(
        2,
        [{"type": "attention", "heads": [_head([[1, 1]], **_STEPS, values=[[5], [7], [5]])]}],
        {"box": [[-2, 2], [-2, 2]]},
    ),
    # Stage 0 halves the plane without effect; stage 1 has the values 5, 7, 5 below, between, above: an N between the
    # lower left and the upper right holds for those two leaves, not for the two halves.
    "halves": network(
        2,
        [
            _ffn([[1, 0]], [0], [[0], [0]], residual=True),
            {"type": "attention", "heads": [_head([[0, 1]], **_STEPS, values=[[5], [7], [5]])]},
        ],
    ),
    # 5, 7, 5 for x+ below 1/2, below 1, beyond: the leaf x < 0 knows nothing of the strip between it and the leaf x > 1
    "late-strip": network(
        1,
        [
            {"type": "relu"},
            {"type": "attention", "heads": [_head([[1]], [[0], [2], [4]], [0, -1, -3], [[5], [7], [5]])]},
        ],
    ),
    # the strip, then a stage without effect that splits each of its parts: an N of prefixes, named by any leaf
    "split-strip": network(
        2,
        [
            {"type": "linear", "weight": [[0, 0], [1, 0], [0, 1]]},
            {
                "type": "attention",
                "residual": True,
                "heads": [_head([[0, 1, 0]], [[-1], [0], [1]], [0, 0, -1], [[5], [7], [5]])],
                "output": {"weight": [[1], [0], [0]]},
            },
            _ffn([[0, 0, 1]], [0], [[0], [0], [0]], residual=True),
            {"type": "linear", "weight": [[1, 0, 0]]},
        ],
    ),
    # s = sign x, t = sign y in two stages, then 1 where s = t, else 0: equal quadrants touch in the origin only.
    "checkerboard": network(
        2,
        [
            {"type": "linear", "weight": [[0, 0], [1, 0], [0, 1]]},
            {
                "type": "attention",
                "residual": True,
                "heads": [_head([[0, 1, 0]], [[-1], [1]], [0, 0], [[-1], [1]])],
                "output": {"weight": [[1], [0], [0]]},
            },
            {
                "type": "attention",
                "residual": True,
                "heads": [_head([[0, 0, 1]], [[-1], [1]], [0, 0], [[-1], [1]])],
                "output": {"weight": [[1], [0], [0]]},
            },
            {"type": "attention", "heads": [_head([[1, 0, 0]], **_STEPS, values=[[1], [0], [1]])]},
        ],
        _VOID_2,
    ),
    # two selectors that turn on one hyperplane: leaves that differ in both are not free
    "twins": network(1, [_ffn([[1], [2], [-1]], [0, 0, 0], [[0, 0, 0]])], _VOID),
    "twins-2d": network(2, [_ffn([[1, 1], [-1, -1]], [0, 0], [[0, 0]])], _VOID_2),
    "parallel-scores": network(
        1, [{"type": "attention", "heads": [_head([[1]], [[0], [1], [2]], [0, 0, 0], [[5], [6], [5]])]}]
    ),
    "negative-fractions": network(1, [{"type": "maxout", "units": [{"weight": [["-1/2"], [1], ["1/2"]]}]}], _VOID),
    "leaky": network(1, [{"type": "leaky_relu", "slope": "1/2"}], _VOID),
    "ties": network(
        1, [{"type": "attention", "heads": [_head([[1]], [[1], [0], [1], [0]], [0, 0, 0, 0], [[0], [1], [2], [1]])]}]
    ),
    "ties-on-a-side": network(
        1,
        [
            {"type": "relu"},
            {"type": "attention", "heads": [_head([[1]], [[1], [2], [0]], [0, 0, -1], [[0], [1], ["1/2"]])]},
        ],
        _VOID,
    ),
    "tanh": network(1, [{"type": "hard_tanh"}, {"type": "abs"}], {"box": [[-3, 3]]}),
    "tanh-2d": network(2, [{"type": "hard_tanh"}, {"type": "linear", "weight": [[1, 0]]}, {"type": "abs"}]),
    "leaky-that-is-not": network(2, [{"type": "leaky_relu", "slope": "1"}], {"box": [[-1, 1], [0, 1]]}),
    "maxout": network(2, [{"type": "maxout", "units": [{"weight": [[1, 0], [0, 1], [1, 1]], "bias": [0, 0, -1]}]}]),
    "maxout-parallel": network(
        1, [{"type": "maxout", "units": [{"weight": [[0], [1], [2]], "bias": [0, 0, 0]}]}], _VOID
    ),
    "tropical": network(
        1,
        [
            {
                "type": "tropical_attention",
                "heads": [{"query": {"weight": [[1]]}, "keys": [[0], [1]], "log_values": [[0, 1], [0, 0]]}],
            }
        ],
    ),
    "beyond-the-box": network(2, [_ffn([[1, 0], [1, 1]], [-3, 0], [[1, 1]])], {"box": [[-1, 1], [-1, 1]]}),
    "all-beyond-the-box": network(1, [_ffn([[1]], [-3], [[1]])], {"box": [[-1, 1]]}),
    "no-stage": network(2, [{"type": "linear", "weight": [[1, 0]]}], _VOID_2),
    "constant": network(1, [_ffn([[0], [0]], [1, -1], [[1, 1]])], _VOID),
    "three-stages": network(
        1, [{"type": "abs"}, {"type": "linear", "weight": [[1]], "bias": [-1]}] * 3, {"box": [[-4, 4]]}
    ),
}


def _stretched(d: int, times: int) -> list[Document]:
    """x -> 1 - 2|x| in each coordinate, several times: every orthant of (-1, 1)^d onto all of it."""
    stretch = [[-2 * int(i == j) for j in range(d)] for i in range(d)]
    return [{"type": "abs"}, {"type": "linear", "weight": stretch, "bias": [1] * d}] * times


# networks whose images recur
SHARED: dict[str, Document] = {
    "folds": network(1, _stretched(1, 3), {"box": [[-1, 1]]}),
    "folds-2d": network(2, _stretched(2, 2), {"box": [[-1, 1], [-1, 1]]}),
    "folds-seen-from-the-side": network(
        2, [{"type": "linear", "weight": [[1, 0]]}, *_stretched(1, 2)], {"box": [[-1, 1], [-1, 1]]}
    ),
    "folds-of-half-planes": network(2, [{"type": "linear", "weight": [[1, 0]]}, {"type": "abs"}]),
    "folds-on-a-line": network(
        1, [*_stretched(1, 1), {"type": "linear", "weight": [[1], [2]], "bias": [0, 1]}, {"type": "relu"}], _VOID
    ),
    "folds-on-a-slope": network(
        1,
        [*_stretched(1, 1), {"type": "linear", "weight": [[6], [3], [2]], "bias": [1, 0, 0]}, {"type": "relu"}],
        _VOID,
    ),
    "folds-that-merge": network(1, [*_stretched(1, 2), {"type": "linear", "weight": [[0]]}], {"box": [[-1, 1]]}),
}


@dataclass(frozen=True)
class Base:
    """A true certificate and the truth (cells, regions, affine_maps)."""

    name: str
    certificate: Certificate
    truth: Truth


@cache
def _truth(text: str) -> Truth:
    return brute_counts(json.loads(text))


def truth(document: Document) -> Truth:
    """(cells, regions, affine_maps) by brute force."""
    return _truth(json.dumps(document, sort_keys=True))


def base(name: str, document: Document, multipliers: bool, closing: bool = False) -> Base:
    """The tiny producer's certificate, which must be true; with X in the place of E if `closing`."""
    certificate = Certificate.of(produce(document, compact=not multipliers))
    found = truth(document)
    if tuple(certificate.claim[key] for key in ("cells", "regions", "affine_maps")) != found:
        raise AssertionError(f"{name}: producer {certificate.claim}, brute force {found}")
    return Base(name, with_closed_children(certificate) if closing else certificate, found)


def shared_base(name: str, document: Document, seed: int, share: float, bound: float) -> Base:
    """A certificate with templates and bounds, which must be true."""
    certificate, found = shared(document, seed, share, bound), truth(document)
    for key, value in zip(("cells", "regions", "affine_maps"), found, strict=True):
        if certificate.claim[key] not in (None, value):
            raise AssertionError(f"{name}: producer {certificate.claim}, brute force {found}")
    return Base(name, certificate, found)


@cache
def designed_bases() -> tuple[Base, ...]:
    """Each designed network: without multipliers, with them, and with X in the place of E."""
    ways = ((False, False), (True, False), (False, True))
    return tuple(base(name, document, *way) for name, document in DESIGNED.items() for way in ways)


@cache
def shared_bases() -> tuple[Base, ...]:
    """Each designed network with templates everywhere, in part, and with bounds alone."""
    ways = ((1.0, 0.2), (0.6, 0.5), (0.0, 1.0))
    return tuple(
        shared_base(name, document, seed, *way)
        for seed, (name, document) in enumerate((SHARED | DESIGNED).items())
        for way in ways
    )


def _random_network(rng: random.Random) -> Document:
    """d <= 2 and few units: degenerate by construction, and quick to check."""
    return Maker(rng.randint, Taste(dimensions=(1, 1, 2), repeats=3, kinds=(*LAYERS, "ffn"))).document()


def random_base(seed: int, most: int = 14) -> Base:
    """The first random network from this seed on with at most so many cells (and at least two)."""
    rng = random.Random(seed)
    while True:
        document = _random_network(rng)
        if 2 <= truth(document)[0] <= most:
            return base(f"random-{seed}", document, bool(rng.getrandbits(1)), bool(rng.getrandbits(1)))


def random_shared_base(seed: int, most: int = 14) -> Base:
    """Likewise, with templates and bounds."""
    rng = random.Random(f"shared {seed}")
    while True:
        document = _random_network(rng)
        if 2 <= truth(document)[0] <= most:
            return shared_base(f"shared-{seed}", document, seed, rng.choice([1.0, 0.8, 0.5, 0.0]), rng.random())

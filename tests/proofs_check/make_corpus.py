"""The corpus: small certificates in accept/, reject/ and unreadable/, each bad one named for its lie.

    python -m tests.proofs_check.make_corpus

writes the files and expected.json, which tells the rule that each bad file breaks (or, in accept/, what it proves).
The last line is right wherever the lie is elsewhere. Everything is written by hand: no producer is involved.

The file is long because it is the corpus, written out.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.proofs_check.checkers import Certificate, Record, closed
from tests.proofs_check.corpus_templates import accepted, rejected, unreadable

__all__ = ["HERE", "corpus", "main"]

HERE = Path(__file__).parent
Document = dict[str, Any]
Files = dict[str, tuple[bytes, Any]]  # path below HERE -> (content, what is expected)


def _net(dimension: int, layers: list[Document], domain: Document | None = None) -> Document:
    document: Document = {"format": "exactgeo-network/1", "input_dim": dimension}
    if domain is not None:
        document["domain"] = domain
    return {**document, "layers": layers}


def _ffn(hidden: list[list[int]], bias: list[int], output: list[list[int]]) -> Document:
    return {"type": "ffn", "hidden": {"weight": hidden, "bias": bias}, "output": {"weight": output}}


def _claim(cells: Any, regions: Any = None, affine_maps: Any = None) -> Document:
    return {"cells": cells, "regions": regions, "affine_maps": affine_maps}


def _cert(network: Document, claim: Document, records: list[Record]) -> bytes:
    return Certificate(network, claim, records).data()


# The certificate of FORMAT.md, section 10. Rows: 0 is x, 1 is 2 - x; candidates 2, 3 (scores 0, x) and 4, 5 (0, x - 1).
TWO = _net(1, [_ffn([[1], [1]], [0, -1], [[1, 1]])], {"box": [[0, 2]]})
TWO_TREE: list[Record] = [["E", 0, 0, [0, 3]], ["M", 1], ["L", 2, 1], ["L", 2, 3]]
TWO_CLAIM = _claim(2, 2, 2)
TWO_WITH_X: list[Record] = [["M", 0], ["X", [0, 3]], ["M", 1], ["L", 2, 1], ["L", 2, 3]]

# The same on a domain with a zero row (0), a repeated row (3) and a constant one (4).
VOID = {**TWO, "domain": {"inequalities": [[0, 0], [0, 1], [2, -1], [0, 2], [5, 0]]}}
VOID_TREE: list[Record] = [["E", 0, 0, [1, 6]], ["M", 1], ["L", 2, 1], ["L", 2, 3]]

# One unit without effect on the square: rows 0..3 x + 1, 1 - x, y + 1, 1 - y; candidates 4, 5 (scores 0, x).
SQUARE = {"box": [[-1, 1], [-1, 1]]}
DEAD = _net(2, [_ffn([[1, 0]], [0], [[0]])], SQUARE)
DEAD_TREE: list[Record] = [["M", 0], ["L", 2, -1, 0], ["L", 2, 1, 0]]
# Two such units, with a zero row in the domain: row 0 is zero, 1..4 as above; candidates 5, 6 (0, x) and 7, 8 (0, y).
DEAD_VOID = _net(
    2,
    [_ffn([[1, 0], [0, 1]], [0, 0], [[0, 0]])],
    {"inequalities": [[0, 0, 0], [1, 1, 0], [1, -1, 0], [1, 0, 1], [1, 0, -1]]},
)
DEAD_VOID_TREE: list[Record] = [
    ["M", 0],
    ["M", 1],
    ["L", 2, -1, -1],
    ["L", 2, -1, 1],
    ["M", 1],
    ["L", 2, 1, -1],
    ["L", 2, 1, 1],
]
DEAD_VOID_WALLS: list[Record] = [["W", 0, 1], ["W", 0, 2], ["W", 1, 3]]

# Two stages, relu(relu(x) - 1) on the line: candidates 0, 1 (scores 0, x), then 2, 3.
GATE = _net(1, [{"type": "relu"}, {"type": "linear", "weight": [[1]], "bias": [-1]}, {"type": "relu"}])
GATE_TREE: list[Record] = [["M", 0], ["E", 0, 1, [2]], ["L", 1, -1], ["M", 0], ["L", 2, 1], ["L", 1, 2]]

# 5 for x < 0, 7 between 0 and 1, 5 beyond: candidates 0, 1, 2 with scores -x, 0, x - 1.
STRIP = _net(
    1,
    [
        {
            "type": "attention",
            "heads": [
                {
                    "query": {"weight": [[1]]},
                    "keys": [[-1], [0], [1]],
                    "score_bias": [0, 0, -1],
                    "values": [[5], [7], [5]],
                }
            ],
        }
    ],
)
STRIP_TREE: list[Record] = [["M", 0], ["L", 1, -1], ["L", 2, 1], ["L", 1, 2]]

# Candidates 0, 2 have the score x, 1, 3 the score 0: two classes of two members.
TIES = _net(
    1,
    [
        {
            "type": "attention",
            "heads": [{"query": {"weight": [[1]]}, "keys": [[1], [0], [1], [0]], "values": [[0], [4], [2], [6]]}],
        }
    ],
)
TIES_TREE: list[Record] = [["M", 0], ["L", 1, 1], ["L", 1, -1]]

# Stage 0 halves the plane at x = 0 without effect (candidates 0, 1: 0, x); stage 1 has the scores -y - 1, 0, y - 1
# (candidates 2, 3, 4) and the values 5, 7, 5. Leaves 0, 1, 2 on the left, from below; 3, 4, 5 on the right.
HALVES = _net(
    2,
    [
        {**_ffn([[1, 0]], [0], [[0], [0]]), "residual": True},
        {
            "type": "attention",
            "heads": [
                {
                    "query": {"weight": [[0, 1]]},
                    "keys": [[-1], [0], [1]],
                    "score_bias": [-1, 0, -1],
                    "values": [[5], [7], [5]],
                }
            ],
        },
    ],
)
HALVES_TREE: list[Record] = [
    ["M", 0],
    *[["M", 0], ["L", 1, -1, -2], ["L", 1, -1, 0], ["L", 1, -1, 2]],
    *[["M", 0], ["L", 1, 1, -2], ["L", 1, 1, 0], ["L", 1, 1, 2]],
]
HALVES_WALLS: list[Record] = [["W", 0, 3], ["W", 1, 4], ["W", 2, 5]]
# leaf 0 has -y - 1 > 0 (row 3), leaf 2 has y - 1 > 0 (row 3), likewise 3 and 5
HALVES_APART: list[Record] = [["N", 0, 2, [3], []], ["N", 3, 5, [3], []], ["N", 0, 5, [3], [3]], ["N", 2, 3, [3], [3]]]
HALVES_CLAIM = _claim(6, 3, 2)

# s = sign x and t = sign y in two stages, then 1 where they are equal, else 0: equal quadrants touch in the origin.
# Rows 0..3 of the square; candidates 4, 5 (-x, x), 6, 7 (-y, y), 8, 9, 10 (-u - 1, 0, u - 1 with u = s + t).
SIGN: Document = {"query": {"weight": [[0, 1, 0]]}, "keys": [[-1], [1]], "values": [[-1], [1]]}
CHECKERBOARD = _net(
    2,
    [
        {"type": "linear", "weight": [[0, 0], [1, 0], [0, 1]]},
        {"type": "attention", "residual": True, "heads": [SIGN], "output": {"weight": [[1], [0], [0]]}},
        {
            "type": "attention",
            "residual": True,
            "heads": [{**SIGN, "query": {"weight": [[0, 0, 1]]}}],
            "output": {"weight": [[1], [0], [0]]},
        },
        {
            "type": "attention",
            "heads": [
                {
                    "query": {"weight": [[1, 0, 0]]},
                    "keys": [[-1], [0], [1]],
                    "score_bias": [-1, 0, -1],
                    "values": [[1], [0], [1]],
                }
            ],
        },
    ],
    SQUARE,
)
# u = -2: scores 1, 0, -3; u = 0: -1, 0, -1; u = 2: -3, 0, 1. All are constants.
_LOW: list[Record] = [["E", 0, 1, [8]], ["E", 0, 2, [8]]]
_ZERO: list[Record] = [["E", 0, 0, [9]]]  # then the one class {0, 2} has lost, and 1 is left
_HIGH: list[Record] = [["E", 0, 0, [9]], ["E", 0, 1, [10]]]
CHECKERBOARD_TREE: list[Record] = [
    ["M", 0],
    *[["M", 0], *_LOW, ["L", 2, -1, -1], *_ZERO, ["L", 2, -1, 1]],
    *[["M", 0], *_ZERO, ["L", 2, 1, -1], *_HIGH, ["L", 2, 1, 1]],
]
# leaf 0 has -y > 0 (row 7), leaf 3 has y > 0 (row 6): their sum is zero
CHECKERBOARD_APART: list[Record] = [["N", 0, 3, [7], [6]], ["N", 1, 2, [6], [7]]]

# Two units that turn together at x = 0, without effect: the two leaves differ in both and are not free.
TWINS = _net(1, [_ffn([[1], [-2]], [0, 0], [[0, 0]])], {"box": [[-1, 1]]})
TWINS_TREE: list[Record] = [["M", 0], ["E", 1, 0, [3, 5]], ["L", 2, -1], ["E", 1, 1, [2, 4]], ["L", 2, 1]]

# A unit and its selector in a second stage with the same number: |x| - 1 in stage 0 and 1; candidates 0, 1 and 2, 3.
BENT = _net(1, [{"type": "abs"}, {"type": "linear", "weight": [[1]], "bias": [-1]}, {"type": "abs"}])
BENT_TREE: list[Record] = [["M", 0], ["M", 0], ["L", 2, -1], ["L", 1, -2], ["M", 0], ["L", 2, 1], ["L", 1, 2]]

# Candidates with scores x, x + 1 and -x: the first never wins.
BEATEN = _net(1, [{"type": "maxout", "units": [{"weight": [[1], [1], [-1]], "bias": [0, 1, 0]}]}])
BEATEN_TREE: list[Record] = [["E", 0, 0, [1]], ["M", 0], ["L", 1, 1], ["L", 1, -2]]

# The sign of x, and max(-10, -x, x, 2x - 2): candidate 0 of the second unit is excluded at the root, 3 where x < 0.
TWICE = _net(
    1,
    [
        {
            "type": "maxout",
            "units": [{"weight": [[-1], [1]]}, {"weight": [[0], [-1], [1], [2]], "bias": [-10, 0, 0, -2]}],
        }
    ],
    {"box": [[-4, 4]]},
)
TWICE_TREE: list[Record] = [
    ["E", 1, 0, [5, 6]],
    ["M", 0],
    ["E", 1, 3, [3, 6]],
    ["M", 1],
    ["L", 1, -1],
    ["X", [3, 5]],
    ["E", 1, 1, [2, 6]],
    ["M", 1],
    ["L", 1, 1],
    ["L", 1, 3],
]

# Scores 0, x and 2x: on both sides of 0 the rows of the two losing classes are equal, and the steeper one wins beyond.
PARALLEL = _net(
    1,
    [
        {
            "type": "attention",
            "heads": [{"query": {"weight": [[1]]}, "keys": [[0], [1], [2]], "values": [[5], [6], [5]]}],
        }
    ],
)
PARALLEL_TREE: list[Record] = [["E", 0, 1, [0, 2]], ["M", 0], ["L", 1, -1], ["L", 1, 1]]

# Maps that differ in their denominator alone (x/2, x), or run into one another when written without spaces.
LEAKY = _net(1, [{"type": "leaky_relu", "slope": "1/2"}])
LEAKY_TREE: list[Record] = [["M", 0], ["L", 1, -1], ["L", 1, 1]]
SPACED = _net(1, [{"type": "maxout", "units": [{"weight": [[17], [1]], "bias": [1, 17]}]}])
SPACED_TREE: list[Record] = [["M", 0], ["L", 1, 2], ["L", 1, 0]]

# Rows of the domain and of the winners that are not primitive as they are computed: 2x + 2 -> x + 1, 4x - 2 -> 2x - 1.
COARSE = _net(1, [_ffn([[4]], [8], [[1]])], {"inequalities": [[2, 2], [3, -3]]})
COARSE_TREE: list[Record] = [["E", 0, 0, [0, 3], [1, 1]], ["L", 1, 0]]

# STRIP with the candidate 3 beside candidate 1, and the same value.
STRIP_TIES = _net(
    1,
    [
        {
            "type": "attention",
            "heads": [
                {
                    "query": {"weight": [[1]]},
                    "keys": [[-1], [0], [1], [0]],
                    "score_bias": [0, 0, -1, 0],
                    "values": [[5], [7], [5], [7]],
                }
            ],
        }
    ],
)

# STRIP in the plane, then a stage without effect that splits each part at y = 0. Leaves 0, 1 left, 2, 3, then 4, 5.
SPLIT = _net(
    2,
    [
        {"type": "linear", "weight": [[0, 0], [1, 0], [0, 1]]},
        {
            "type": "attention",
            "residual": True,
            "heads": [
                {
                    "query": {"weight": [[0, 1, 0]]},
                    "keys": [[-1], [0], [1]],
                    "score_bias": [0, 0, -1],
                    "values": [[5], [7], [5]],
                }
            ],
            "output": {"weight": [[1], [0], [0]]},
        },
        {**_ffn([[0, 0, 1]], [0], [[0], [0], [0]]), "residual": True},
        {"type": "linear", "weight": [[1, 0, 0]]},
    ],
)
SPLIT_TREE: list[Record] = [["M", 0]]
for _x in (-2, 1, 4):
    SPLIT_TREE += [["M", 0], ["L", 2, _x, -1], ["L", 2, _x, 1]]
SPLIT_WALLS: list[Record] = [["W", 0, 1], ["W", 2, 3], ["W", 4, 5]]

# max(-x/2, -3x/2 - 1, x): signs of a fraction and of a decimal. Candidates 0, 1, 2.
SIGNS = _net(1, [{"type": "maxout", "units": [{"weight": [["-1/2"], ["-1.5"], [1.0]], "bias": [0, "-1e0", 0]}]}])
SIGNS_TREE: list[Record] = [["M", 0], ["L", 2, -1], ["L", 1, -2], ["L", 1, 1]]

# A domain that two constant rows contradict; their sum is zero.
CONTRADICTION = _net(1, [{"type": "linear", "weight": [[1]]}], {"inequalities": [[-1, 0], [1, 0]]})
FLAT = _net(1, [{"type": "linear", "weight": [[1]]}], {"inequalities": [[0, 1], [0, -1]]})
EMPTY = _net(1, [{"type": "linear", "weight": [[1]]}], {"inequalities": [[-1, 0]]})
PLAIN = _net(1, [{"type": "linear", "weight": [[1]]}])


def _accept() -> Files:
    files: dict[str, tuple[bytes, list[Any]]] = {
        "by-hand": (_cert(TWO, TWO_CLAIM, TWO_TREE), [2, [2, 2], [2, 2]]),
        "by-hand-with-an-empty-child": (_cert(TWO, TWO_CLAIM, TWO_WITH_X), [2, [2, 2], [2, 2]]),
        "cells-only": (_cert(TWO, _claim(2), TWO_TREE), [2, [1, 2], [1, 2]]),
        "cells-and-maps": (_cert(TWO, _claim(2, None, 2), TWO_TREE), [2, [1, 2], [2, 2]]),
        "bounds-wider-than-proved": (_cert(TWO, _claim(2, [1, 9], 2), TWO_TREE), [2, [2, 2], [2, 2]]),
        "void-rows": (_cert(VOID, TWO_CLAIM, VOID_TREE), [2, [2, 2], [2, 2]]),
        "zero-row-beside-true-evidence": (
            _cert(VOID, TWO_CLAIM, [["E", 0, 0, [0, 1, 6], [7, 1, 1]], *VOID_TREE[1:]]),
            [2, [2, 2], [2, 2]],
        ),
        "a-wall": (_cert(DEAD, _claim(2, 1, 1), [*DEAD_TREE, ["W", 0, 1]]), [2, [1, 1], [1, 1]]),
        "a-wall-with-its-point": (
            _cert(DEAD, _claim(2, 1, 1), [*DEAD_TREE, ["W", 0, 1, [2, 0, 1]]]),
            [2, [1, 1], [1, 1]],
        ),
        "an-open-pair": (_cert(DEAD, _claim(2, [1, 2], 1), DEAD_TREE), [2, [1, 2], [1, 1]]),
        "four-quadrants": (
            _cert(DEAD_VOID, _claim(4, 1, 1), [*DEAD_VOID_TREE, *DEAD_VOID_WALLS]),
            [4, [1, 1], [1, 1]],
        ),
        "excluded-above-and-below-a-branch": (_cert(TWICE, _claim(3), TWICE_TREE), [3, [1, 3], [1, 3]]),
        "two-stages": (_cert(GATE, _claim(3, 2, 2), [*GATE_TREE, ["W", 0, 1]]), [3, [2, 2], [2, 2]]),
        "a-separation": (_cert(STRIP, _claim(3, 3, 2), [*STRIP_TREE, ["N", 0, 2, [1], []]]), [3, [3, 3], [2, 2]]),
        "a-separation-of-prefixes": (
            _cert(STRIP, _claim(3, 3, 2), [*STRIP_TREE, ["N", [2, 1], [0, 1], [], [], [1], [3]]]),
            [3, [3, 3], [2, 2]],
        ),
        "ties": (_cert(TIES, _claim(2, 2, 2), TIES_TREE), [2, [2, 2], [2, 2]]),
        "halves": (_cert(HALVES, HALVES_CLAIM, [*HALVES_TREE, *HALVES_WALLS, *HALVES_APART]), [6, [3, 3], [2, 2]]),
        "checkerboard": (
            _cert(CHECKERBOARD, _claim(4, 4, 2), [*CHECKERBOARD_TREE, *CHECKERBOARD_APART]),
            [4, [4, 4], [2, 2]],
        ),
        "twins": (_cert(TWINS, _claim(2, 1, 1), [*TWINS_TREE, ["W", 0, 1]]), [2, [1, 1], [1, 1]]),
        "bent": (_cert(BENT, _claim(4, 4, 4), BENT_TREE), [4, [4, 4], [4, 4]]),
        "beaten": (_cert(BEATEN, _claim(2, 2, 2), BEATEN_TREE), [2, [2, 2], [2, 2]]),
        "parallel-scores": (_cert(PARALLEL, _claim(2, 1, 1), [*PARALLEL_TREE, ["W", 0, 1]]), [2, [1, 1], [1, 1]]),
        "maps-over-different-denominators": (_cert(LEAKY, _claim(2, 2, 2), LEAKY_TREE), [2, [2, 2], [2, 2]]),
        "maps-that-differ-in-a-space": (_cert(SPACED, _claim(2, 2, 2), SPACED_TREE), [2, [2, 2], [2, 2]]),
        "prefixes-named-by-any-leaf": (
            _cert(SPLIT, _claim(6, 3, 2), [*SPLIT_TREE, *SPLIT_WALLS, ["N", [1, 1], [5, 1], [1], []]]),
            [6, [3, 3], [2, 2]],
        ),
        "signs": (_cert(SIGNS, _claim(3, 3, 3), SIGNS_TREE), [3, [3, 3], [3, 3]]),
        "rows-made-primitive": (_cert(COARSE, _claim(1, 1, 1), COARSE_TREE), [1, [1, 1], [1, 1]]),
        "no-stage": (_cert(PLAIN, _claim(1, 1, 1), [["L", 1, 0]]), [1, [1, 1], [1, 1]]),
    }
    found: Files = {f"accept/{name}.jsonl": value for name, value in files.items()}
    found["accept/compressed.jsonl.gz"] = (_packed(files["by-hand"][0]), [2, [2, 2], [2, 2]])
    return found


def _packed(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def _reject() -> Files:
    """name -> (network, claim, records, rule)."""
    two, tree = TWO, TWO_TREE
    one_less = _claim(1)
    cases: dict[str, tuple[Document, Document, list[Record], str]] = {
        # claims
        "claims-a-cell-too-many": (two, _claim(3), tree, "cells"),
        "claims-a-cell-too-few": (two, _claim(1), tree, "cells"),
        "claims-a-map-too-many": (two, _claim(2, None, 3), tree, "affine-maps"),
        "claims-a-map-too-few": (two, _claim(2, 2, 1), tree, "affine-maps"),
        "claims-a-region-too-many": (two, _claim(2, 3, 2), tree, "regions"),
        "claims-a-region-too-few": (two, _claim(2, 1, 2), tree, "regions"),
        "claims-bounds-above-the-truth": (two, _claim(2, [3, 4], 2), tree, "regions"),
        "claims-bounds-below-the-truth": (two, _claim(2, [1, 1], 2), tree, "regions"),
        "claims-one-of-two-possible-numbers": (DEAD, _claim(2, 2, 1), DEAD_TREE, "regions"),
        "claims-the-other-of-two-possible-numbers": (DEAD, _claim(2, 1, 1), DEAD_TREE, "regions"),
        # the shape of the tree
        "proves-nothing": (two, one_less, [], "tree-open"),
        "drops-a-cell": (two, one_less, tree[:-1], "tree-open"),
        "drops-a-cell-and-lowers-no-claim": (two, TWO_CLAIM, tree[:-1], "tree-open"),
        "drops-a-branch": (two, TWO_CLAIM, [tree[0], *tree[2:]], "not-final"),
        "drops-an-empty-child": (two, TWO_CLAIM, [TWO_WITH_X[0], *TWO_WITH_X[2:]], "point-row"),
        "duplicates-a-leaf": (two, _claim(3), [*tree, tree[3]], "tree-closed"),
        "closes-a-node-after-the-end": (two, TWO_CLAIM, [*tree, ["X", [0, 3]]], "tree-closed"),
        "branches-after-the-end": (two, TWO_CLAIM, [*tree, ["M", 0]], "tree-closed"),
        "a-wall-before-the-tree-ends": (
            DEAD,
            _claim(2, 1, 1),
            [*DEAD_TREE[:2], ["W", 0, 1], DEAD_TREE[2]],
            "tree-open",
        ),
        "a-wall-where-no-regions-are-claimed": (
            DEAD,
            _claim(2, None, 1),
            [*DEAD_TREE, ["W", 0, 1]],
            "regions-unclaimed",
        ),
        "a-separation-where-no-regions-are-claimed": (
            STRIP,
            _claim(3),
            [*STRIP_TREE, ["N", 0, 2, [1], []]],
            "regions-unclaimed",
        ),
        # branches and classes
        "branches-on-a-settled-selector": (two, TWO_CLAIM, [tree[0], ["M", 0], *tree[1:]], "settled"),
        "branches-on-no-selector": (two, TWO_CLAIM, [tree[0], ["M", 2], *tree[2:]], "selector"),
        "branches-on-selector-minus-one": (two, TWO_CLAIM, [tree[0], ["M", -1], *tree[2:]], "selector"),
        "branches-where-there-is-no-stage": (PLAIN, _claim(1), [["M", 0], ["L", 1, 0]], "selector"),
        "excludes-the-last-class": (two, TWO_CLAIM, [tree[0], ["E", 0, 1, [0, 3]], *tree[1:]], "settled"),
        "excludes-a-class-twice": (BEATEN, _claim(2), [BEATEN_TREE[0], *BEATEN_TREE], "class"),
        "excludes-no-class": (two, TWO_CLAIM, [["E", 0, 2, [0, 3]], *tree[1:]], "class"),
        "excludes-a-member-of-a-class": (TIES, _claim(2), [["E", 0, 2, [1]], *TIES_TREE], "class"),
        # what may be cited
        "closes-a-node-by-constant-rows-without-multipliers": (CONTRADICTION, one_less, [["X", [0, 1]]], "kernel"),
        "cites-a-row-not-yet-citable": (two, one_less, [["X", [0, 3]]], "not-citable"),
        "cites-a-row-of-a-selector-not-settled": (
            two,
            one_less,
            [["E", 1, 1, [0, 3]], tree[0], ["L", 2, 1]],
            "not-citable",
        ),
        "cites-a-row-of-a-stage-to-come": (GATE, _claim(1), [*GATE_TREE[:3], ["X", [0, 2]]], "not-citable"),
        "closes-a-node-by-a-stage-to-come": (GATE, _claim(1), [["M", 0], ["X", [1, 3]], ["X", [0, 2]]], "not-citable"),
        "cites-the-winner-itself": (two, TWO_CLAIM, [["E", 0, 0, [0, 2, 3], [1, 1, 1]], *tree[1:]], "not-citable"),
        "cites-the-winner-of-a-settled-selector": (
            two,
            TWO_CLAIM,
            [tree[0], ["M", 1], ["X", [3]], ["L", 2, 3]],
            "not-citable",
        ),
        "cites-a-member-that-does-not-name-its-class": (
            TIES,
            _claim(1),
            [["M", 0], ["L", 1, 1], ["X", [0, 2], [1, 1]]],
            "not-citable",
        ),
        "cites-a-row-that-does-not-exist": (two, TWO_CLAIM, [["E", 0, 0, [0, 6]], *tree[1:]], "not-citable"),
        "cites-row-minus-one": (two, TWO_CLAIM, [["E", 0, 0, [-1, 0, 3], [1, 1, 1]], *tree[1:]], "cited-order"),
        "cites-a-row-twice": (two, TWO_CLAIM, [["E", 0, 0, [0, 0, 3], [1, 1, 2]], *tree[1:]], "cited-order"),
        "cites-rows-in-descending-order": (two, TWO_CLAIM, [["E", 0, 0, [3, 0]], *tree[1:]], "cited-order"),
        "cites-nothing": (two, TWO_CLAIM, [["E", 0, 0, []], *tree[1:]], "cited-none"),
        "closes-a-node-by-nothing": (two, one_less, [["X", []]], "cited-none"),
        "closes-a-node-by-nothing-times-nothing": (two, one_less, [["X", [], []]], "cited-none"),
        # Stage 0: candidates 0, 1 (scores -x, x). In stage 1 class 0 is supposed to win; so it is not in stage 0.
        "supposes-a-winner-in-a-stage-before": (
            BENT,
            _claim(3),
            [*BENT_TREE[:4], ["E", 0, 0, [0, 1]], ["L", 1, 2]],
            "not-citable",
        ),
        "supposes-another-class-to-win": (
            two,
            one_less,
            [["E", 0, 1, [0, 3]], ["E", 1, 1, [0, 3]], ["L", 2, 1]],
            "not-citable",
        ),
        # Farkas
        "all-zero-row-proves-anything": (
            VOID,
            _claim(1),
            [VOID_TREE[0], ["M", 1], ["X", [0]], ["L", 2, 3]],
            "farkas-proviso",
        ),
        "all-zero-row-times-seven-proves-anything": (
            VOID,
            _claim(1),
            [VOID_TREE[0], ["M", 1], ["X", [0], [7]], ["L", 2, 3]],
            "farkas-proviso",
        ),
        "all-zero-row-beside-a-row-times-zero": (
            VOID,
            _claim(1),
            [VOID_TREE[0], ["M", 1], ["X", [0, 1], [1, 0]], ["L", 2, 3]],
            "multipliers",
        ),
        "all-zero-row-beside-a-row-without-multiplier": (
            VOID,
            _claim(1),
            [VOID_TREE[0], ["M", 1], ["X", [0, 1], [1]], ["L", 2, 3]],
            "multipliers",
        ),
        "all-zero-row-beside-a-row-in-the-kernel": (
            VOID,
            _claim(1),
            [VOID_TREE[0], ["M", 1], ["X", [0, 1]], ["L", 2, 3]],
            "kernel-sign",
        ),
        "a-positive-constant-row-proves-emptiness": (
            VOID,
            _claim(1),
            [VOID_TREE[0], ["M", 1], ["X", [4]], ["L", 2, 3]],
            "farkas-constant",
        ),
        "zero-multipliers": (two, one_less, [tree[0], ["M", 1], ["X", [0, 1], [0, 0]], ["L", 2, 3]], "multipliers"),
        "negative-multipliers": (
            two,
            one_less,
            [tree[0], ["M", 1], ["X", [0, 1], [-1, -1]], ["L", 2, 3]],
            "multipliers",
        ),
        "a-multiplier-of-each-sign": (  # x - 1 > 0 and x > 0 in the second child: (x - 1) - x = -1
            two,
            one_less,
            [tree[0], ["M", 1], ["L", 2, 1], ["X", [0, 4], [-1, 1]]],
            "multipliers",
        ),
        "a-kernel-of-both-signs": (two, one_less, [tree[0], ["M", 1], ["L", 2, 1], ["X", [0, 4]]], "kernel-sign"),
        "fewer-multipliers-than-rows": (
            two,
            one_less,
            [tree[0], ["M", 1], ["X", [0, 1], [1]], ["L", 2, 3]],
            "multipliers",
        ),
        "more-multipliers-than-rows": (two, TWO_CLAIM, [["E", 0, 0, [0, 3], [1, 1, 1]], *tree[1:]], "multipliers"),
        "a-kernel-of-dimension-two": (two, TWO_CLAIM, [["E", 0, 0, [0, 1, 3]], *tree[1:]], "kernel"),
        "a-kernel-of-dimension-zero": (two, one_less, [tree[0], ["M", 1], ["X", [1]], ["L", 2, 3]], "kernel"),
        "normals-that-do-not-cancel": (
            two,
            one_less,
            [tree[0], ["M", 1], ["L", 2, 1], ["X", [4], [1]]],
            "farkas-normal",
        ),
        "a-constant-that-is-positive": (
            two,
            one_less,
            [tree[0], ["M", 1], ["X", [0, 5]], ["L", 2, 3]],
            "farkas-constant",
        ),
        "a-constant-that-is-positive-with-multipliers": (
            two,
            one_less,
            [tree[0], ["M", 1], ["X", [0, 5], [2, 2]], ["L", 2, 3]],
            "farkas-constant",
        ),
        # leaves
        "a-leaf-before-the-node-is-final": (two, one_less, [tree[0], ["L", 2, 1]], "not-final"),
        "a-leaf-at-the-root": (two, one_less, [["L", 2, 1]], "not-final"),
        "a-leaf-before-the-last-stage": (GATE, _claim(2), [["M", 0], ["L", 1, -1], ["L", 1, 2]], "not-final"),
        "a-leaf-where-a-class-is-excluded-elsewhere": (TWICE, _claim(2), [*TWICE_TREE[:7], TWICE_TREE[8]], "not-final"),
        # selector 1 has no effect, and the leaf before has the same winner there: only `not-final` can tell
        "a-leaf-that-leaves-a-selector-as-it-was": (
            DEAD_VOID,
            _claim(3),
            [*DEAD_VOID_TREE[:4], DEAD_VOID_TREE[6]],
            "not-final",
        ),
        "witness-on-the-edge-of-the-domain": (two, TWO_CLAIM, [*tree[:2], ["L", 1, 0], tree[3]], "point-row"),
        "witness-outside-the-domain": (two, TWO_CLAIM, [*tree[:3], ["L", 1, 3]], "point-row"),
        "witness-of-a-cell-outside-the-domain": (
            two,
            _claim(3),
            [["M", 0], ["E", 1, 1, [3, 4]], ["L", 1, -1], *tree[1:]],
            "point-row",
        ),
        "witness-on-a-wall": (two, TWO_CLAIM, [*tree[:2], ["L", 1, 1], tree[3]], "point-row"),
        "witness-in-another-cell": (two, TWO_CLAIM, [*tree[:2], tree[3], tree[3]], "point-row"),
        "witnesses-swapped": (two, TWO_CLAIM, [*tree[:2], tree[3], tree[2]], "point-row"),
        "witness-with-denominator-zero": (GATE, _claim(3), [*GATE_TREE[:2], ["L", 0, -1], *GATE_TREE[3:]], "point"),
        "witness-with-a-negative-denominator": (
            GATE,
            _claim(3),
            [*GATE_TREE[:2], ["L", -1, -1], *GATE_TREE[3:]],
            "point",
        ),
        "witness-too-short": (DEAD, _claim(2), [["M", 0], ["L", 2, -1], DEAD_TREE[2]], "point"),
        "witness-too-long": (two, TWO_CLAIM, [*tree[:2], ["L", 2, 1, 1], tree[3]], "point"),
        "witness-without-coordinates": (PLAIN, _claim(1), [["L", 1]], "point"),
        "witness-of-a-flat-domain": (FLAT, _claim(1), [["L", 1, 0]], "point-row"),
        "witness-of-an-empty-domain": (EMPTY, _claim(1), [["L", 1, 0]], "point-row"),
        "two-constants-that-cancel": (CONTRADICTION, _claim(1), [["X", [0, 1], [1, 1]]], "farkas-proviso"),
        "a-cell-of-an-empty-domain": (EMPTY, _claim(1), [["X", [0]]], "cells"),
        # walls
        "merges-across-a-jump": (STRIP, _claim(3, 2, 2), [*STRIP_TREE, ["W", 0, 1]], "other-map"),
        "merges-what-is-far-apart": (STRIP, _claim(3, 2, 2), [*STRIP_TREE, ["W", 0, 2]], "wall-row"),
        "merges-what-is-far-apart-at-a-point": (STRIP, _claim(3, 2, 2), [*STRIP_TREE, ["W", 0, 2, [2, 1]]], "wall-row"),
        "merges-what-touches-in-a-point": (
            CHECKERBOARD,
            _claim(4, 3, 2),
            [*CHECKERBOARD_TREE, CHECKERBOARD_APART[1], ["W", 0, 3, [1, 0, 0]]],
            "wall-row",
        ),
        "merges-what-touches-in-a-point-of-the-segment": (
            CHECKERBOARD,
            _claim(4, 3, 2),
            [*CHECKERBOARD_TREE, CHECKERBOARD_APART[1], ["W", 0, 3]],
            "wall-row",
        ),
        "merges-beyond-the-domain": (DEAD, _claim(2, 1, 1), [*DEAD_TREE, ["W", 0, 1, [1, 0, 2]]], "wall-row"),
        "merges-at-the-edge-of-the-domain": (DEAD, _claim(2, 1, 1), [*DEAD_TREE, ["W", 0, 1, [1, 0, 1]]], "wall-row"),
        "merges-off-the-hyperplane": (DEAD, _claim(2, 1, 1), [*DEAD_TREE, ["W", 0, 1, [2, 1, 0]]], "wall-hyperplane"),
        "merges-by-a-point-inside-one-leaf-only": (
            HALVES,
            _claim(6, 2, 2),
            [*HALVES_TREE, *HALVES_WALLS, ["W", 0, 5, [1, 0, 2]]],
            "wall-row",
        ),
        "merges-at-infinity": (DEAD, _claim(2, 1, 1), [*DEAD_TREE, ["W", 0, 1, [0, 0, 0]]], "point"),
        "merges-behind-infinity": (DEAD, _claim(2, 1, 1), [*DEAD_TREE, ["W", 0, 1, [-2, 0, 0]]], "point"),
        "merges-by-a-short-point": (DEAD, _claim(2, 1, 1), [*DEAD_TREE, ["W", 0, 1, [1, 0]]], "point"),
        "merges-a-leaf-with-itself": (DEAD, _claim(2, 1, 1), [*DEAD_TREE, ["W", 1, 1]], "leaf-number"),
        "merges-in-the-wrong-order": (DEAD, _claim(2, 1, 1), [*DEAD_TREE, ["W", 1, 0]], "leaf-number"),
        "merges-a-leaf-that-does-not-exist": (DEAD, _claim(2, 1, 1), [*DEAD_TREE, ["W", 0, 2]], "leaf-number"),
        "merges-leaf-minus-one": (DEAD, _claim(2, 1, 1), [*DEAD_TREE, ["W", -1, 0]], "leaf-number"),
        "counts-a-wall-twice": (
            HALVES,
            _claim(6, 2, 2),
            [*HALVES_TREE, *HALVES_WALLS, *HALVES_APART, HALVES_WALLS[0]],
            "regions",
        ),
        "merges-by-a-point-inside-the-other-leaf-only": (
            HALVES,
            _claim(6, 2, 2),
            [*HALVES_TREE, *HALVES_WALLS, ["W", 0, 5, [1, 0, -2]]],
            "wall-row",
        ),
        "a-wall-left-out": (HALVES, HALVES_CLAIM, [*HALVES_TREE, *HALVES_WALLS[1:], *HALVES_APART], "regions"),
        "two-separations-left-out": (HALVES, HALVES_CLAIM, [*HALVES_TREE, *HALVES_WALLS, *HALVES_APART[:2]], "regions"),
        "a-wall-left-out-of-parallel-scores": (PARALLEL, _claim(2, 2, 1), PARALLEL_TREE, "regions"),
        "different-maps-counted-once": (LEAKY, _claim(2, 1, 1), [*LEAKY_TREE, ["W", 0, 1]], "other-map"),
        "rows-that-are-not-primitive": (
            COARSE,
            _claim(1, 1, 1),
            [["E", 0, 0, [0, 3], [1, 2]], ["L", 1, 0]],
            "farkas-normal",
        ),
        "a-wall-left-out-of-the-twins": (TWINS, _claim(2, 2, 1), TWINS_TREE, "regions"),
        # separations
        "h-and-minus-h-separate-everything": (
            DEAD,
            _claim(2, 2, 1),
            [*DEAD_TREE, ["N", 0, 1, [5], [4]]],
            "proportional",
        ),
        "h-and-minus-h-with-multipliers": (
            DEAD,
            _claim(2, 2, 1),
            [*DEAD_TREE, ["N", 0, 1, [5], [1], [4], [1]]],
            "proportional",
        ),
        "h-alone-separates": (DEAD, _claim(2, 2, 1), [*DEAD_TREE, ["N", 0, 1, [5], [1], [], []]], "proportional"),
        "the-zero-row-separates-everything": (
            DEAD_VOID,
            _claim(4, 2, 1),
            [*DEAD_VOID_TREE, DEAD_VOID_WALLS[0], ["W", 2, 3], ["N", 0, 2, [0], []], ["N", 1, 3, [0], []]],
            "proportional",
        ),
        "separates-what-touches": (
            DEAD,
            _claim(2, 2, 1),
            [*DEAD_TREE, ["N", 0, 1, [2, 3], [1, 1], [], []]],
            "separation-constant",
        ),
        "separates-what-touches-by-the-kernel": (
            DEAD,
            _claim(2, 2, 1),
            [*DEAD_TREE, ["N", 0, 1, [0], []]],
            "separation-constant",
        ),
        "separates-by-normals-that-do-not-cancel": (
            DEAD,
            _claim(2, 2, 1),
            [*DEAD_TREE, ["N", 0, 1, [2], [1], [], []]],
            "separation-normal",
        ),
        "separates-by-nothing": (DEAD, _claim(2, 2, 1), [*DEAD_TREE, ["N", 0, 1, [], []]], "cited-none"),
        "separates-by-nothing-times-nothing": (
            DEAD,
            _claim(2, 2, 1),
            [*DEAD_TREE, ["N", 0, 1, [], [], [], []]],
            "cited-none",
        ),
        "separates-by-zero-multipliers": (
            DEAD,
            _claim(2, 2, 1),
            [*DEAD_TREE, ["N", 0, 1, [2, 3], [0, 0], [], []]],
            "multipliers",
        ),
        "separates-by-negative-multipliers": (
            DEAD,
            _claim(2, 2, 1),
            [*DEAD_TREE, ["N", 0, 1, [2, 3], [-1, -1], [], []]],
            "multipliers",
        ),
        "separates-by-a-kernel-of-both-signs": (  # in the quadrants y > 0, 1 - x > 0 and x + 1 > 0 are no help
            DEAD,
            _claim(2, 2, 1),
            [*DEAD_TREE, ["N", 0, 1, [2], [2]]],
            "kernel-sign",
        ),
        "separates-by-a-kernel-of-dimension-two": (
            STRIP,
            _claim(3, 3, 2),
            [*STRIP_TREE, ["N", 0, 2, [1], [1]]],
            "kernel",
        ),
        "separates-with-a-multiplier-on-the-wrong-side": (
            STRIP,
            _claim(3, 3, 2),
            [*STRIP_TREE, ["N", 0, 2, [1], [], [], [1]]],
            "multipliers",
        ),
        "separates-by-a-row-of-the-other-leaf": (
            STRIP,
            _claim(3, 3, 2),
            [*STRIP_TREE, ["N", 0, 2, [0], []]],
            "not-citable",
        ),
        "separates-by-a-row-that-does-not-exist": (
            STRIP,
            _claim(3, 3, 2),
            [*STRIP_TREE, ["N", 0, 2, [3], []]],
            "not-citable",
        ),
        "separates-by-a-member-that-does-not-name-its-class": (
            STRIP_TIES,
            _claim(3, 3, 2),
            [*STRIP_TREE, ["N", 0, 2, [3], []]],
            "not-citable",
        ),
        "separates-by-row-minus-one": (STRIP, _claim(3, 3, 2), [*STRIP_TREE, ["N", 0, 2, [-1], []]], "cited-order"),
        "separates-by-a-row-twice": (
            STRIP,
            _claim(3, 3, 2),
            [*STRIP_TREE, ["N", 0, 2, [1, 1], [1, 1], [], []]],
            "cited-order",
        ),
        "separates-a-leaf-from-itself": (STRIP, _claim(3, 3, 2), [*STRIP_TREE, ["N", 0, 0, [1], []]], "leaf-number"),
        "separates-a-leaf-that-does-not-exist": (
            STRIP,
            _claim(3, 3, 2),
            [*STRIP_TREE, ["N", 0, 3, [1], []]],
            "leaf-number",
        ),
        "separates-leaf-minus-one": (STRIP, _claim(3, 3, 2), [*STRIP_TREE, ["N", 0, -1, [1], []]], "leaf-number"),
        "separates-what-agrees-in-no-stage": (
            STRIP,
            _claim(3, 3, 2),
            [*STRIP_TREE, ["N", [0, 0], 2, [1], []]],
            "prefix",
        ),
        "separates-what-agrees-in-too-many-stages": (
            STRIP,
            _claim(3, 3, 2),
            [*STRIP_TREE, ["N", [0, 2], 2, [1], []]],
            "prefix",
        ),
        # one pair of leaves is apart; that is said of the two halves of the plane
        "separates-halves-by-rows-of-leaves": (
            HALVES,
            _claim(6, 5, 2),
            [*HALVES_TREE, HALVES_WALLS[1], *HALVES_APART[:2], ["N", [0, 1], [5, 1], [3], [3]]],
            "not-citable",
        ),
        "separates-by-a-prefix-that-does-not-reach": (
            HALVES,
            _claim(6, 3, 2),
            [*HALVES_TREE, *HALVES_WALLS, ["N", [0, 1], 2, [], [3]]],
            "prefix",
        ),
        "a-separation-left-out": (HALVES, HALVES_CLAIM, [*HALVES_TREE, *HALVES_WALLS, *HALVES_APART[1:]], "regions"),
        "a-separation-of-leaves-said-of-others": (
            HALVES,
            HALVES_CLAIM,
            [*HALVES_TREE, *HALVES_WALLS, *HALVES_APART[:3], HALVES_APART[0]],
            "regions",
        ),
        # another network
        "a-proof-of-another-network": ({**TWO, "domain": {"box": [[-1, 2]]}}, TWO_CLAIM, tree, "farkas-constant"),
        "a-proof-of-a-wider-domain": ({**TWO, "domain": {"box": [[0, 1]]}}, TWO_CLAIM, tree, "point-row"),
        "a-proof-with-another-weight": (
            {**TWO, "layers": [_ffn([[1], [1]], [0, -2], [[1, 1]])]},
            TWO_CLAIM,
            tree,
            "point-row",
        ),
    }
    found: Files = {
        f"reject/{name}.jsonl": (_cert(network, claim, records), rule)
        for name, (network, claim, records, rule) in cases.items()
    }
    good = _cert(TWO, TWO_CLAIM, TWO_TREE)
    lines = good.splitlines(keepends=True)
    found["reject/wrong-count-of-records.jsonl"] = good.replace(b'["Z",4', b'["Z",5'), "records"
    found["reject/negative-count-of-records.jsonl"] = good.replace(b'["Z",4', b'["Z",-4'), "records"
    found["reject/wrong-hash.jsonl"] = b"".join(lines[:-1]) + b'["Z",4,"' + b"0" * 64 + b'"]\n', "hash"
    found["reject/edited-after-closing.jsonl"] = good.replace(b'"0000', b'"1000', 1), "hash"
    found["reject/hash-of-the-compressed-bytes.jsonl"] = _hash_of_compressed(lines), "hash"
    return found


def _hash_of_compressed(lines: list[bytes]) -> bytes:
    import hashlib

    body = b"".join(lines[:-1])
    return body + b'["Z",4,"' + hashlib.sha256(_packed(body)).hexdigest().encode() + b'"]\n'


def _with_layers(layer: Document) -> Callable[[Document], Any]:
    return lambda network: {**network, "layers": [layer]}


def _unreadable() -> Files:
    good = _cert(TWO, TWO_CLAIM, TWO_TREE)
    lines = good.splitlines(keepends=True)
    header = lines[0]

    def with_header(text: bytes) -> bytes:
        return closed([text, *lines[1:-1]])

    def edited(old: bytes, new: bytes) -> bytes:
        """A change of the header, closed anew."""
        if header.count(old) != 1:
            raise ValueError(f"{old!r} occurs {header.count(old)} times")
        return with_header(header.replace(old, new))

    def records(*texts: bytes) -> bytes:
        return closed([header, *(text + b"\n" for text in texts)])

    found: dict[str, tuple[bytes, str]] = {
        # bytes
        "empty": (b"", "no-last-line"),
        "one-line-feed": (b"\n", "blank-line"),
        "cut-in-the-header": (good[:100], "cut-line"),
        "cut-in-a-record": (good[: good.index(b'["M"') + 3], "cut-line"),
        "cut-before-the-last-line-feed": (good[:-1], "cut-line"),
        "cut-after-the-header": (header, "no-last-line"),
        "cut-before-the-last-line": (b"".join(lines[:-1]), "no-last-line"),
        "binary": (bytes(range(256)) * 8 + b"\n", "encoding"),
        "nul": (with_header(header.replace(b'"claim"', b'"cla\0im"')), "encoding"),
        "nul-in-a-record": (records(b'["M",\x000]'), "encoding"),
        "bom": (b"\xef\xbb\xbf" + good, "encoding"),
        "utf-16": (good.decode().encode("utf-16"), "encoding"),
        "utf-16-without-bom": (good.decode().encode("utf-16-be"), "encoding"),
        "crlf": (good.replace(b"\n", b"\r\n"), "line-ending"),
        "crlf-in-the-records": (header + b"".join(lines[1:]).replace(b"\n", b"\r\n"), "line-ending"),
        "cr-alone": (good.replace(b"\n", b"\r"), "cut-line"),
        "blank-line-first": (b"\n" + good, "blank-line"),
        "blank-line-between": (closed([header, b"\n", *lines[1:-1]]), "blank-line"),
        "unicode-digits-in-a-record": (records('["M",١]'.encode()), "encoding"),
        "unicode-digits-in-the-header": (edited(b'"input_dim":1', '"input_dim":１'.encode()), "encoding"),
        "unicode-digits-in-a-string": (edited(b"[[0,2]]", '[["٠",2]]'.encode()), "encoding"),
        "escaped-unicode-digits-in-a-string": (edited(b"[[0,2]]", rb'[["\u0660",2]]'), "network-number"),
        "form-feed": (records(b'["M",\x0c0]'), "record"),
        # the last line
        "records-after-the-last-line": (good + b'["M",0]\n', "after-last-line"),
        "last-line-twice": (good + lines[-1], "after-last-line"),
        "blank-line-at-the-end": (good + b"\n", "after-last-line"),
        "text-after-the-last-line": (good + b"proved", "cut-line"),
        "last-line-without-hash": (b"".join(lines[:-1]) + b'["Z",4]\n', "record"),
        "last-line-with-a-short-hash": (b"".join(lines[:-1]) + b'["Z",4,"abc"]\n', "record"),
        "last-line-with-an-upper-case-hash": (
            b"".join(lines[:-1]) + lines[-1][:8] + lines[-1][8:-3].upper() + lines[-1][-3:],
            "record",
        ),
        "last-line-with-a-boolean": (b"".join(lines[:-1]) + b'["Z",true,' + lines[-1].split(b",")[2], "record"),
        # records
        "boolean-as-integer": (records(b'["M",true]'), "record"),
        "null-as-integer": (records(b'["M",null]'), "record"),
        "float-as-integer": (records(b'["M",0.0]'), "record"),
        "exponent-as-integer": (records(b'["M",0e0]'), "record"),
        "string-as-integer": (records(b'["M","0"]'), "record"),
        "list-as-integer": (records(b'["M",[0]]'), "record"),
        "nested-list-of-rows": (records(b'["X",[[0,3]]]'), "record"),
        "minus-zero": (records(b'["M",-0]'), "record"),
        "plus-sign": (records(b'["M",+0]'), "record"),
        "leading-zero": (records(b'["M",00]'), "record"),
        "nan": (records(b'["M",NaN]'), "record"),
        "infinity": (records(b'["L",1,-Infinity]'), "record"),
        "hexadecimal": (records(b'["M",0x0]'), "record"),
        "underscore-in-an-integer": (records(b'["L",1_0,1]'), "record"),
        "space-in-a-record": (records(b'["M", 0]'), "record"),
        "space-after-a-record": (records(b'["M",0] '), "record"),
        "tab-before-a-record": (records(b'\t["M",0]'), "record"),
        "trailing-comma": (records(b'["M",0,]'), "record"),
        "unknown-kind": (records(b'["A",0]'), "record"),
        "lower-case-kind": (records(b'["m",0]'), "record"),
        "kind-of-two-letters": (records(b'["MM",0]'), "record"),
        "kind-escaped": (records(rb'["\u004d",0]'), "record"),
        "kind-missing": (records(b"[0]"), "record"),
        "empty-record": (records(b"[]"), "record"),
        "record-is-an-object": (records(b'{"M":0}'), "record"),
        "record-is-a-number": (records(b"0"), "record"),
        "two-records-on-a-line": (records(b'["M",0]["M",0]'), "record"),
        "record-not-closed": (records(b'["M",0'), "record"),
        "branch-without-selector": (records(b'["M"]'), "record"),
        "branch-with-two-selectors": (records(b'["M",0,1]'), "record"),
        "exclusion-without-class": (records(b'["E",0,[0]]'), "record"),
        "exclusion-with-three-lists": (records(b'["E",0,0,[0],[1],[2]]'), "record"),
        "closing-without-evidence": (records(b'["X"]'), "record"),
        "leaf-without-a-point": (records(b'["L"]'), "record"),
        "leaf-with-a-list": (records(b'["L",[2,1]]'), "record"),
        "wall-of-one-leaf": (records(b'["W",0]'), "record"),
        "separation-with-three-lists": (records(b'["N",0,1,[0],[1],[2]]'), "record"),
        "separation-with-a-prefix-of-three": (records(b'["N",[0,1,2],1,[0],[1]]'), "record"),
        "an-integer-of-4001-digits": (records(b'["L",1' + b"0" * 4000 + b",1]"), "limit-digits"),
        "seventeen-brackets": (records(b"[" * 17 + b"]" * 17), "limit-nesting"),
        # header
        "header-is-a-list": (with_header(b'["exactgeo-certificate/1"]\n'), "header"),
        "header-is-missing": (closed(lines[1:-1]), "header"),
        "header-twice": (closed([header, header, *lines[1:-1]]), "record"),
        "header-not-closed": (with_header(header[:-2] + b"\n"), "json"),
        "header-with-a-trailing-comma": (with_header(header[:-2] + b",}\n"), "json"),
        "header-followed-by-text": (with_header(header[:-1] + b" x\n"), "json"),
        "header-of-another-version": (edited(b"exactgeo-certificate/1", b"exactgeo-certificate/2"), "header"),
        "header-with-a-key-too-many": (edited(b'"claim"', b'"comment":"","claim"'), "header"),
        "header-without-claim": (with_header(header[: header.index(b',"claim"')] + b"}\n"), "header"),
        "header-nested-17-deep": (edited(b'"claim"', b'"x":' + b"[" * 17 + b"]" * 17 + b',"claim"'), "limit-nesting"),
        "duplicate-key-in-the-header": (edited(b'"claim"', b'"network_sha256":"","claim"'), "duplicate-key"),
        "duplicate-key-in-the-claim": (edited(b'"cells":2', b'"cells":1,"cells":2'), "duplicate-key"),
        "duplicate-key-in-the-network": (edited(b'"input_dim":1', b'"input_dim":9,"input_dim":1'), "duplicate-key"),
        "duplicate-key-escaped": (edited(b'"cells":2', rb'"cells":2,"\u0063ells":2'), "duplicate-key"),
        "hash-in-upper-case": (edited(b'"' + b"0" * 64 + b'"', b'"' + b"A" * 64 + b'"'), "header"),
        "hash-of-63-digits": (edited(b'"' + b"0" * 64 + b'"', b'"' + b"0" * 63 + b'"'), "header"),
        "hash-with-a-line-feed": (edited(b'"' + b"0" * 64 + b'"', b'"' + b"0" * 64 + rb'\n"'), "header"),
        "hash-is-null": (edited(b'"' + b"0" * 64 + b'"', b"null"), "header"),
        "claim-is-a-number": (with_header(header[: header.index(b'"claim"')] + b'"claim":2}\n'), "header"),
        "claim-of-zero-cells": (edited(b'"cells":2', b'"cells":0'), "header"),
        "claim-of-minus-two-cells": (edited(b'"cells":2', b'"cells":-2'), "header"),
        "claim-of-true-cells": (edited(b'"cells":2', b'"cells":true'), "header"),
        "claim-of-no-cells": (edited(b'"cells":2', b'"cells":null'), "header"),
        "claim-of-2.0-cells": (edited(b'"cells":2', b'"cells":2.0'), "header"),
        "claim-of-2e0-cells": (edited(b'"cells":2', b'"cells":2e0'), "header"),
        "claim-of-nan-cells": (edited(b'"cells":2', b'"cells":NaN'), "json"),
        "claim-of-02-cells": (edited(b'"cells":2', b'"cells":02'), "json"),
        "claim-of-bounds-on-cells": (edited(b'"cells":2', b'"cells":[2,2]'), "header"),
        "claim-of-true-maps": (edited(b'"affine_maps":2', b'"affine_maps":true'), "header"),
        "claim-of-true-regions": (edited(b'"regions":2', b'"regions":true'), "header"),
        "claim-of-regions-between-true-and-2": (edited(b'"regions":2', b'"regions":[true,2]'), "header"),
        "claim-of-regions-backwards": (edited(b'"regions":2', b'"regions":[3,2]'), "header"),
        "claim-of-regions-from-zero": (edited(b'"regions":2', b'"regions":[0,2]'), "header"),
        "claim-of-one-bound": (edited(b'"regions":2', b'"regions":[2]'), "header"),
        "claim-of-three-bounds": (edited(b'"regions":2', b'"regions":[1,2,3]'), "header"),
        "claim-of-regions-without-maps": (edited(b'"affine_maps":2', b'"affine_maps":null'), "header"),
        "claim-without-maps": (edited(b',"affine_maps":2', b""), "header"),
        "claim-of-depth-too": (edited(b'"cells":2', b'"cells":2,"depth":1'), "header"),
    }
    changes: dict[str, tuple[Callable[[Document], Any], str]] = {
        "network-is-a-list": (lambda n: [n], "network-shape"),
        "network-is-null": (lambda n: None, "network-shape"),
        "network-of-another-format": (lambda n: {**n, "format": "exactgeo-network/2"}, "network-keys"),
        "network-without-layers": (lambda n: {k: v for k, v in n.items() if k != "layers"}, "network-keys"),
        "network-with-a-key-too-many": (lambda n: {**n, "name": "x"}, "network-keys"),
        "layers-empty": (lambda n: {**n, "layers": []}, "network-shape"),
        "layers-is-an-object": (lambda n: {**n, "layers": {"type": "relu"}}, "network-shape"),
        "layer-of-no-type": (lambda n: {**n, "layers": [{}]}, "network-keys"),
        "layer-of-unknown-type": (lambda n: {**n, "layers": [{"type": "softmax"}]}, "network-keys"),
        "layer-of-type-list": (lambda n: {**n, "layers": [{"type": ["relu"]}]}, "network-keys"),
        "layer-with-a-key-too-many": (lambda n: {**n, "layers": [{"type": "relu", "slope": 1}]}, "network-keys"),
        "layer-without-slope": (lambda n: {**n, "layers": [{"type": "leaky_relu"}]}, "network-keys"),
        "layer-is-a-number": (lambda n: {**n, "layers": [1]}, "network-keys"),
        "input-dim-zero": (lambda n: {**n, "input_dim": 0}, "network-number"),
        "input-dim-negative": (lambda n: {**n, "input_dim": -1}, "network-number"),
        "input-dim-huge": (lambda n: {**n, "input_dim": 10**30}, "network-number"),
        "input-dim-1001": (lambda n: {**n, "input_dim": 1001}, "network-number"),
        "input-dim-a-string": (lambda n: {**n, "input_dim": "1"}, "network-number"),
        "input-dim-true": (lambda n: {**n, "input_dim": True}, "network-number"),
        "input-dim-a-float": (lambda n: {**n, "input_dim": 1.0}, "network-number"),
        "input-dim-null": (lambda n: {**n, "input_dim": None}, "network-number"),
        "domain-is-a-list": (lambda n: {**n, "domain": [[0, 2]]}, "network-domain"),
        "domain-is-false": (lambda n: {**n, "domain": False}, "network-domain"),
        "domain-is-an-empty-object": (lambda n: {**n, "domain": {}}, "network-domain"),
        "domain-of-two-kinds": (lambda n: {**n, "domain": {"box": [[0, 2]], "inequalities": []}}, "network-domain"),
        "domain-of-unknown-kind": (lambda n: {**n, "domain": {"ball": 1}}, "network-domain"),
        "box-backwards": (lambda n: {**n, "domain": {"box": [[2, 0]]}}, "network-domain"),
        "box-without-interior": (lambda n: {**n, "domain": {"box": [[1, "2/2"]]}}, "network-domain"),
        "box-of-another-dimension": (lambda n: {**n, "domain": {"box": [[0, 2], [0, 2]]}}, "network-shape"),
        "box-of-triples": (lambda n: {**n, "domain": {"box": [[0, 1, 2]]}}, "network-shape"),
        "box-empty": (lambda n: {**n, "domain": {"box": []}}, "network-shape"),
        "inequality-of-another-dimension": (lambda n: {**n, "domain": {"inequalities": [[0, 1, 0]]}}, "network-shape"),
        "inequality-empty": (lambda n: {**n, "domain": {"inequalities": [[]]}}, "network-shape"),
        "inequalities-is-an-object": (lambda n: {**n, "domain": {"inequalities": {}}}, "network-domain"),
    }
    numbers: dict[str, Any] = {
        "boolean": True,
        "null": None,
        "list": [1],
        "object": {},
        "empty": "",
        "a-point": ".",
        "a-sign": "-",
        "a-space": " 1",
        "a-line-feed": "1\n",
        "an-underscore": "1_0",
        "hexadecimal": "0x1",
        "nan": "nan",
        "infinity": "Infinity",
        "an-exponent-without-digits": "1e",
        "a-fraction-over-zero": "1/0",
        "a-fraction-over-a-negative": "1/-2",
        "a-fraction-of-decimals": "0.5/2",
        "two-signs": "--1",
        "exponent-4001": "1e4001",
        "exponent-minus-4001": "1e-4001",
        "exponent-of-4001-digits": "1e" + "0" * 4001,
        "imaginary": "1j",
    }
    for name, value in numbers.items():
        rule = "limit-digits" if isinstance(value, str) and len(value) > 4000 else "network-number"
        changes[f"number-is-{name}"] = _with_layers({"type": "linear", "weight": [[value]]}), rule
    layers: dict[str, Document] = {
        "weight-empty": {"type": "linear", "weight": []},
        "weight-of-empty-rows": {"type": "linear", "weight": [[]]},
        "weight-ragged": {"type": "linear", "weight": [[1], [1, 2]]},
        "weight-for-other-inputs": {"type": "linear", "weight": [[1, 2]]},
        "weight-is-a-number": {"type": "linear", "weight": 1},
        "bias-too-long": {"type": "linear", "weight": [[1]], "bias": [0, 0]},
        "bias-is-a-number": {"type": "linear", "weight": [[1]], "bias": 0},
        "units-empty": {"type": "maxout", "units": []},
        "unit-without-candidates": {"type": "maxout", "units": [{"weight": []}]},
        "heads-empty": {"type": "attention", "heads": []},
        "head-without-keys": {"type": "attention", "heads": [{"query": {"weight": [[1]]}, "keys": [], "values": []}]},
        "head-with-empty-keys": {
            "type": "attention",
            "heads": [{"query": {"weight": [[1]]}, "keys": [[], []], "values": [[1], [1]]}],
        },
        "head-without-channels": {
            "type": "attention",
            "heads": [{"query": {"weight": [[1]]}, "keys": [[1]], "values": [[]]}],
        },
        "head-with-fewer-values-than-keys": {
            "type": "attention",
            "heads": [{"query": {"weight": [[1]]}, "keys": [[1], [2]], "values": [[1]]}],
        },
        "head-with-a-short-score-bias": {
            "type": "attention",
            "heads": [{"query": {"weight": [[1]]}, "keys": [[1]], "values": [[1]], "score_bias": []}],
        },
        "head-whose-keys-do-not-fit-the-query": {
            "type": "attention",
            "heads": [{"query": {"weight": [[1]]}, "keys": [[1, 1]], "values": [[1]]}],
        },
        "tropical-head-without-channels": {
            "type": "tropical_attention",
            "heads": [{"query": {"weight": [[1]]}, "keys": [[1]], "log_values": [[]]}],
        },
        "residual-is-a-number": {**_ffn([[1]], [0], [[1]]), "residual": 1},
        "residual-of-another-length": {**_ffn([[1]], [0], [[1], [1]]), "residual": True},
        "residual-of-heads-of-another-length": {
            "type": "attention",
            "residual": True,
            "heads": [{"query": {"weight": [[1]]}, "keys": [[1]], "values": [[1, 1]]}],
        },
        "hidden-layer-without-units": {"type": "ffn", "hidden": {"weight": []}, "output": {"weight": [[]]}},
        "output-for-other-units": {"type": "ffn", "hidden": {"weight": [[1]]}, "output": {"weight": [[1, 1]]}},
    }
    for name, layer in layers.items():
        changes[name] = _with_layers(layer), "network-shape"
    for name, (change, rule) in changes.items():
        found[name] = (_cert(change(PLAIN), _claim(1), [["L", 1, 0]]), rule)
    files: Files = {f"unreadable/{name}.jsonl": value for name, value in found.items()}
    packed = _packed(good)
    files["unreadable/not-compressed.jsonl.gz"] = good, "gzip"
    files["unreadable/compressed-without-the-name.jsonl"] = packed, "encoding"
    files["unreadable/compressed-and-cut-off.jsonl.gz"] = packed[:-20], "gzip"
    files["unreadable/compressed-and-damaged.jsonl.gz"] = packed[:60] + b"\xff\xff" + packed[62:], "gzip"
    files["unreadable/compressed-with-a-wrong-checksum.jsonl.gz"] = packed[:-8] + b"\0" * 8, "gzip"
    files["unreadable/compressed-twice.jsonl.gz"] = _packed(packed), "encoding"
    files["unreadable/two-members.jsonl.gz"] = packed + _packed(b'["M",0]\n'), "gzip"
    files["unreadable/compressed-with-text-behind.jsonl.gz"] = packed + b"proved", "gzip"
    return files


def corpus() -> Files:
    """Every file of the corpus and what is expected of it."""
    return {**_accept(), **_reject(), **_unreadable(), **_templates()}


def _templates() -> Files:
    """Bounds, templates and references."""
    files: Files = {f"accept/{name}.jsonl": (_cert(*case), what) for name, (case, what) in accepted().items()}
    files |= {f"reject/{name}.jsonl": (_cert(*case), rule) for name, (case, rule) in rejected().items()}
    return files | {f"unreadable/{name}.jsonl": value for name, value in unreadable().items()}


def main() -> None:
    """Write the corpus; a file that is no longer part of it is removed."""
    files = corpus()
    for folder in ("accept", "reject", "unreadable"):
        (HERE / folder).mkdir(exist_ok=True)
        for old in (HERE / folder).iterdir():
            if f"{folder}/{old.name}" not in files:
                old.unlink()
    for path, (content, _) in files.items():
        (HERE / path).write_bytes(content)
    expected = {path: what for path, (_, what) in sorted(files.items())}
    (HERE / "expected.json").write_text(json.dumps(expected, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

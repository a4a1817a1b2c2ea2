"""The part of the corpus with bounds, templates and references, by hand.

FOLD is x -> 1 - 2|x| twice on [-1, 1]: each half of (-1, 1) is stretched onto (-1, 1), so template 1 (stage 1) refers
to template 0 (the end) twice, and the main tree to template 1 twice. Rows 0, 1 are 1 + u, 1 - u everywhere; candidates
0, 1 (scores -x, x) are rows 2, 3, candidates 2, 3 are rows 4, 5. Where -u wins (row 5, -u > 0), sigma = 1 + 2u: 1 +
sigma = 2 (1 + u) is row 0, 1 - sigma = -2u is row 5; backward 1 + u is g_0, 1 - u = (2 + g_1)/2, -u is g_1.
"""

from __future__ import annotations

import json
from typing import Any

from tests.proofs_check.checkers import Certificate, Record

__all__ = ["FOLD", "FOLD_CLAIM", "FOLD_RECORDS", "accepted", "rejected", "unreadable"]

Document = dict[str, Any]
Case = tuple[Document, Document, list[Record]]


def _net(dimension: int, layers: list[Document], domain: Document | None = None) -> Document:
    document: Document = {"format": "exactgeo-network/1", "input_dim": dimension}
    return {**document, **({"domain": domain} if domain else {}), "layers": layers}


def _claim(cells: Any, regions: Any = None, affine_maps: Any = None) -> Document:
    return {"cells": cells, "regions": regions, "affine_maps": affine_maps}


_STRETCH: Document = {"type": "linear", "weight": [[-2]], "bias": [1]}
FOLD = _net(1, [{"type": "abs"}, _STRETCH, {"type": "abs"}, _STRETCH], {"box": [[-1, 1]]})
_INTERVAL = [[1, 1], [1, -1]]
FOLD_END: list[Record] = [["T", 2, [0], [], _INTERVAL, []], ["L", 1, 0]]
FOLD_LEFT: Record = ["Q", 0, [[0], [5]], [[0], [1], [1]]]
FOLD_RIGHT: Record = ["Q", 0, [[1], [4]], [[1], [0], [1]]]
FOLD_STAGE: list[Record] = [["T", 1, [0], [], _INTERVAL, []], ["M", 0], FOLD_LEFT, FOLD_RIGHT]
FOLD_MAIN: list[Record] = [["M", 0], ["Q", 1, [[0], [3]], [[0], [1], [1]]], ["Q", 1, [[1], [2]], [[1], [0], [1]]]]
FOLD_RECORDS: list[Record] = [*FOLD_END, *FOLD_STAGE, *FOLD_MAIN]
FOLD_CLAIM = _claim(4, 4, 4)
# the same without templates; the last stage by hand
FOLD_PLAIN: list[Record] = [["M", 0], ["M", 0], ["L", 4, -3], ["L", 4, -1], ["M", 0], ["L", 4, 3], ["L", 4, 1]]

# A square of which the network sees x alone: rows 0..3 are 1 + x, 1 - x, 1 + y, 1 - y. The root is not sigma^-1(-1, 1).
SHADOW = _net(2, [{"type": "linear", "weight": [[1, 0]]}, {"type": "abs"}], {"box": [[-1, 1], [-1, 1]]})
SHADOW_TEMPLATE: list[Record] = [
    ["T", 0, [0], [], _INTERVAL, [[2, -1], [2, 1]]],
    ["M", 0],
    ["L", 1, 0],
    ["L", 0, 1],
]
SHADOW_MAIN: Record = ["R", 0, [[0], [1]], [[2, -1, 0], [2, 1, 1]]]

# SHADOW with a second fold: template 1 has anchors, and refers to template 0 by convex coordinates.
DEEP_SHADOW = _net(
    2, [{"type": "linear", "weight": [[1, 0]]}, {"type": "abs"}, _STRETCH, {"type": "abs"}], SHADOW["domain"]
)
DEEP_RECORDS: list[Record] = [
    ["T", 1, [0], [], _INTERVAL, [[2, -1], [2, 1]]],
    ["M", 0],
    ["L", 1, 0],
    ["L", 0, 1],
    # 1 + 2u = -1/2, 1/2 at u = -3/4, -1/4; 1 - 2u at 3/4, 1/4
    ["T", 0, [0], [], _INTERVAL, [[4, -3], [4, 3]]],
    ["M", 0],
    ["R", 0, [[0], [3]], [[1, 0], [2, 1]]],
    ["R", 0, [[1], [2]], [[0, 1], [1, 2]]],
    ["R", 1, [[0], [1]], [[4, -3, 0], [4, 3, 0]]],
]

# x -> (x, 2x + 1) -> relu: the stage reads a line in the plane. Candidates 0, 1 (0, u), 2, 3 (0, 2u + 1), no domain.
LINE = _net(1, [{"type": "linear", "weight": [[1], [2]], "bias": [0, 1]}, {"type": "relu"}])
LINE_TREE: list[Record] = [["M", 0], ["M", 1], ["L", 1, -1], ["L", 4, -1], ["M", 1], ["X", [0, 3]], ["L", 1, 1]]
LINE_TEMPLATE: list[Record] = [["T", 0, [0], [[1, 1, 2]], [], []], *LINE_TREE]

# |x| in the plane: sigma is not injective, but the cells are sigma^-1(0, oo) and the maps differ.
HALF_PLANES = _net(2, [{"type": "linear", "weight": [[1, 0]]}, {"type": "abs"}])
HALF_RECORDS: list[Record] = [
    ["T", 1, [0], [], [[0, 1]], []],
    ["L", 1, 1],
    ["M", 0],
    ["Q", 0, [[1]], [[0]]],
    ["Q", 0, [[0]], [[0]]],
]

# Two equal dead halves: both nodes are the same image, but are one region.
DEAD = _net(1, [{"type": "ffn", "hidden": {"weight": [[1]]}, "output": {"weight": [[0]]}, "residual": True}])

# relus of x and x - 1 on [0, 2]: rows 0, 1 are x, 2 - x; candidates 0, 1 (rows 2, 3) and 2, 3 (rows 4, 5).
TWO = _net(
    1,
    [{"type": "ffn", "hidden": {"weight": [[1], [1]], "bias": [0, -1]}, "output": {"weight": [[1, 1]]}}],
    {"box": [[0, 2]]},
)
TWO_END: list[Record] = [["M", 1], ["L", 2, 1], ["L", 2, 3]]
VOID = {**TWO, "domain": {"inequalities": [[0, 0], [0, 1], [2, -1], [5, 0]]}}
# scores 0, x, 2x where x - 1 and -x - 1 are positive: nowhere
NOWHERE = _net(1, [{"type": "maxout", "units": [{"weight": [[0], [1], [2]]}]}], {"inequalities": [[-1, 1], [-1, -1]]})
# three classes on [1, 2]: 0, x, 2x; the last wins
STEEP = _net(1, [{"type": "maxout", "units": [{"weight": [[0], [1], [2]]}]}], {"box": [[1, 2]]})
# in the plane, on the square: x + 3 > 0 everywhere, x - y not
TWO_DIM = _net(
    2,
    [{"type": "ffn", "hidden": {"weight": [[1, 0], [1, -1]], "bias": [3, 0]}, "output": {"weight": [[1, 1]]}}],
    {"box": [[-1, 1], [-1, 1]]},
)
TWO_DIM_END: list[Record] = [["M", 1], ["L", 2, -1, 0], ["L", 2, 1, 0]]

# in R^4, where x, y, z, u and 1 - x - y - z - u are positive (2x and x + y as well): relus of x + 1, x - y, 2x - y and
# y - x + z, whose candidates have the rows 7 to 14
SPACE = _net(
    4,
    [
        {
            "type": "ffn",
            "hidden": {"weight": [[1, 0, 0, 0], [1, -1, 0, 0], [2, -1, 0, 0], [-1, 1, 1, 0]], "bias": [1, 0, 0, 0]},
            "output": {"weight": [[1, 1, 1, 1]]},
        }
    ],
    {
        "inequalities": [
            *[[0, *[int(i == j) for j in range(4)]] for i in range(4)],
            [1, -1, -1, -1, -1],
            [0, 2, 0, 0, 0],
            [0, 1, 1, 0, 0],
        ]
    },
)
SPACE_END: list[Record] = [
    ["M", 1],
    ["B", [0, 2, 3, 4, 10]],
    ["M", 2],
    ["L", 16, 1, 4, 1, 1],
    ["L", 16, 3, 4, 1, 1],
    ["B", [1, 2, 3, 4, 9]],
    ["M", 3],
    ["L", 16, 4, 1, 1, 1],
    ["L", 16, 2, 1, 3, 1],
]
# relus of x and 0
IDLE = _net(
    1,
    [{"type": "ffn", "hidden": {"weight": [[1], [0]], "bias": [0, 0]}, "output": {"weight": [[1, 1]]}}],
    {"box": [[-1, 1]]},
)
# a relu and 60 outputs, whose values at the leaves have more than 63 bits
LONG = _net(
    1,
    [{"type": "relu"}, {"type": "linear", "weight": [[2**61 - i] for i in range(60)], "bias": [2**61 - 1] * 60}],
    {"box": [[-1, 1]]},
)


def accepted() -> dict[str, tuple[Case, list[Any]]]:
    """name -> (network, claim, records), what is proved."""
    two = [2, [1, 2], [1, 2]]
    return {
        "bounds-at-a-vertex": ((TWO, _claim(2), [["B", [0]], *TWO_END]), two),
        "bounds-on-an-interval": ((TWO, _claim(2), [["B", [0, 1]], *TWO_END]), two),
        "bounds-beside-a-constant-row": ((VOID, _claim(2), [["B", [1, 3]], *TWO_END]), two),
        "bounds-of-three-classes": ((STEEP, _claim(1, 1, 1), [["B", [0]], ["L", 2, 3]]), [1, [1, 1], [1, 1]]),
        "bounds-in-the-plane": ((TWO_DIM, _claim(2, 2, 2), [["B", [0, 2]], *TWO_DIM_END]), [2, [2, 2], [2, 2]]),
        "bounds-in-four-dimensions": (
            (SPACE, _claim(4, 4, 4), [["B", [0, 1, 2, 3, 4]], *SPACE_END]),
            [4, [4, 4], [4, 4]],
        ),
        "a-dead-unit": ((IDLE, _claim(2, 2, 2), [["M", 0], ["L", 2, -1], ["L", 2, 1]]), [2, [2, 2], [2, 2]]),
        "many-long-outputs": ((LONG, _claim(2, 2, 2), [["M", 0], ["L", 9, -8], ["L", 9, 8]]), [2, [2, 2], [2, 2]]),
        "templates": ((FOLD, FOLD_CLAIM, FOLD_RECORDS), [4, [4, 4], [4, 4]]),
        "templates-with-multipliers": (
            (
                FOLD,
                FOLD_CLAIM,
                [
                    *FOLD_END,
                    *FOLD_STAGE[:2],
                    ["Q", 0, [[[0], [2]], [[5], [3]]], [[[0], [1]], [[1], [1]], [[1], [7]]]],
                    FOLD_RIGHT,
                    *FOLD_MAIN,
                ],
            ),
            [4, [4, 4], [4, 4]],
        ),
        "templates-for-cells-only": ((FOLD, _claim(4), FOLD_RECORDS), [4, [4, 4], [4, 4]]),
        "templates-not-used": ((FOLD, FOLD_CLAIM, [*FOLD_END, *FOLD_PLAIN]), [4, [4, 4], [4, 4]]),
        "templates-in-part": (
            (FOLD, _claim(4), [*FOLD_END, *FOLD_STAGE, *FOLD_MAIN[:2], ["M", 0], ["L", 4, 3], ["L", 4, 1]]),
            [4, [1, 4], [1, 4]],
        ),
        "the-whole-tree-is-a-template": (
            (
                FOLD,
                FOLD_CLAIM,
                [
                    *FOLD_END,
                    *FOLD_STAGE,
                    ["T", 0, [0], [], _INTERVAL, []],
                    *FOLD_MAIN,
                    ["Q", 2, [[0], [1]], [[0], [1]]],
                ],
            ),
            [4, [4, 4], [4, 4]],
        ),
        "anchors": ((SHADOW, _claim(2), [*SHADOW_TEMPLATE, SHADOW_MAIN]), two),
        "anchors-of-anchors": ((DEEP_SHADOW, _claim(4), DEEP_RECORDS), [4, [1, 4], [1, 4]]),
        "anchors-beside-an-exact-reference": (
            (
                FOLD,
                _claim(4),
                [
                    ["T", 1, [0], [], _INTERVAL, [[2, -1], [2, 1]]],
                    ["M", 0],
                    ["L", 1, 0],
                    ["L", 0, 1],
                    ["M", 0],
                    ["Q", 0, [[0], [3]], [[0], [1], [1]]],
                    ["Q", 0, [[1], [2]], [[1], [0], [1]]],
                ],
            ),
            [4, [1, 4], [1, 4]],
        ),
        "a-chart-of-a-line": ((LINE, _claim(3), [*LINE_TEMPLATE, ["Q", 0, [], []]]), [3, [1, 3], [1, 3]]),
        "a-projection-may-be-uniform": ((HALF_PLANES, _claim(2, 2, 2), HALF_RECORDS), [2, [2, 2], [2, 2]]),
        "an-empty-template": (
            (
                FOLD,
                FOLD_CLAIM,
                [*FOLD_END, *FOLD_STAGE, ["T", 1, [0], [], [[1, 1], [-1, -1]], []], ["X", [0, 1]], *FOLD_MAIN],
            ),
            [4, [4, 4], [4, 4]],
        ),
    }


def rejected() -> dict[str, tuple[Case, str]]:
    """name -> (network, claim, records), the rule that is broken."""
    four = _claim(4)

    def fold(*, end: Any = FOLD_END, stage: Any = FOLD_STAGE, main: Any = FOLD_MAIN, claim: Any = four) -> Case:
        return FOLD, claim, [*end, *stage, *main]

    def template(s: int, pivots: Any, solved: Any, rows: Any, anchors: Any) -> Case:
        return fold(end=[["T", s, pivots, solved, rows, anchors], ["L", 1, 0]])

    def left(record: Record) -> Case:
        return fold(stage=[*FOLD_STAGE[:2], record, FOLD_RIGHT])

    def shadow(*records: Record, template: Any = SHADOW_TEMPLATE) -> Case:
        return SHADOW, _claim(2), [*template, *records]

    return {
        # bounds
        "bounds-by-no-row": ((TWO, _claim(2), [["B", []], *TWO_END]), "bounds-size"),
        "bounds-by-too-many-rows": ((TWO, _claim(2), [["B", [0, 1, 2]], *TWO_END]), "bounds-size"),
        "bounds-by-too-few-rows": ((TWO_DIM, _claim(2), [["B", [0]], *TWO_DIM_END]), "bounds-size"),
        "bounds-by-a-zero-row": ((VOID, _claim(2), [["B", [0]], *TWO_END]), "bounds-singular"),
        "bounds-by-a-constant-row": ((VOID, _claim(2), [["B", [3]], *TWO_END]), "bounds-singular"),
        "bounds-by-parallel-rows": ((TWO_DIM, _claim(2), [["B", [0, 1]], *TWO_DIM_END]), "bounds-singular"),
        "a-point-where-a-unit-is-zero": ((TWO, _claim(2), [["B", [0]], *TWO_END[:2], ["L", 1, 1]]), "point-row"),
        "bounds-by-dependent-rows": ((SPACE, _claim(4), [["B", [0, 1, 2, 3, 6]], *SPACE_END]), "bounds-singular"),
        "bounds-by-equal-rows": ((SPACE, _claim(4), [["B", [0, 1, 2, 4, 5]], *SPACE_END]), "bounds-singular"),
        "bounds-by-a-simplex-too-large": ((SPACE, _claim(4), [["B", [1, 2, 3, 4, 6]], *SPACE_END]), "bounds-nothing"),
        "bounds-by-a-row-twice": ((TWO, _claim(2), [["B", [0, 0]], *TWO_END]), "cited-order"),
        "bounds-by-a-row-not-yet-citable": ((TWO, _claim(2), [["B", [2]], *TWO_END]), "not-citable"),
        "bounds-on-the-wrong-side": ((TWO, _claim(2), [["B", [1]], ["B", [0]], *TWO_END]), "bounds-nothing"),
        "bounds-for-the-second-time": ((TWO, _claim(2), [["B", [0]], ["B", [0]], *TWO_END]), "bounds-nothing"),
        "bounds-at-a-final-node": ((STEEP, _claim(1), [["B", [0]], ["B", [0]], ["L", 2, 3]]), "bounds-nothing"),
        "bounds-without-a-stage": (
            (_net(1, [{"type": "linear", "weight": [[1]]}], {"box": [[0, 1]]}), _claim(1), [["B", [0]], ["L", 2, 1]]),
            "bounds-nothing",
        ),
        "bounds-that-leave-no-class": ((NOWHERE, _claim(1), [["E", 0, 2, [0, 1]], ["B", [0]]]), "bounds-all"),
        "bounds-after-the-end": ((TWO, _claim(2), [["B", [0]], *TWO_END, ["B", [0]]]), "tree-closed"),
        "bounds-that-do-not-settle-the-other-unit": (
            (TWO, _claim(1), [["B", [0, 1]], ["L", 2, 3]]),
            "not-final",
        ),
        # templates
        "a-template-too-late": (fold(main=[FOLD_MAIN[0], *FOLD_END, *FOLD_MAIN[1:]]), "template-late"),
        "a-template-within-a-template": (fold(stage=[*FOLD_STAGE[:2], *FOLD_END, *FOLD_STAGE[2:]]), "tree-open"),
        "a-template-without-end": (fold(main=[], stage=FOLD_STAGE[:3]), "tree-open"),
        "templates-without-a-main-tree": (fold(main=[]), "tree-open"),
        "a-template-of-stage-minus-one": (template(-1, [0], [], _INTERVAL, []), "template-stage"),
        "a-template-beyond-the-end": (template(3, [0], [], _INTERVAL, []), "template-stage"),
        "a-template-without-pivots": (template(2, [], [[1, 0]], [], []), "template-chart"),
        "a-template-of-a-pivot-that-is-none": (template(2, [1], [], _INTERVAL, []), "template-chart"),
        "a-template-of-pivot-minus-one": (template(2, [-1], [], _INTERVAL, []), "template-chart"),
        "a-template-of-one-pivot-twice": (template(2, [0, 0], [], [], []), "template-chart"),
        "a-template-of-pivots-backwards": (
            (LINE, _claim(3), [["T", 0, [1, 0], [], [], []], *LINE_TREE, ["Q", 0, [], []]]),
            "template-chart",
        ),
        "a-template-of-a-pivot-beyond": (template(2, [0, 1], [], [], []), "template-chart"),
        "a-template-with-a-pivot-solved": (template(2, [0], [[1, 0, 1]], _INTERVAL, []), "template-chart"),
        "a-template-with-a-coordinate-missing": (
            (LINE, _claim(3), [["T", 0, [0], [], [], []], *LINE_TREE, ["Q", 0, [], []]]),
            "template-chart",
        ),
        "a-template-over-zero": (
            (LINE, _claim(3), [["T", 0, [0], [[0, 1, 2]], [], []], *LINE_TREE, ["Q", 0, [], []]]),
            "template-chart",
        ),
        "a-template-not-reduced": (
            (LINE, _claim(3), [["T", 0, [0], [[2, 2, 4]], [], []], *LINE_TREE, ["Q", 0, [], []]]),
            "template-chart",
        ),
        "a-template-solved-for-two-pivots": (
            (LINE, _claim(3), [["T", 0, [0], [[1, 1, 2, 0]], [], []], *LINE_TREE, ["Q", 0, [], []]]),
            "template-chart",
        ),
        "a-template-with-a-zero-row": (template(2, [0], [], [[1, 1], [0, 0]], []), "template-row"),
        "a-template-with-a-row-not-primitive": (template(2, [0], [], [[2, 2], [1, -1]], []), "template-row"),
        "a-template-with-a-short-row": (template(2, [0], [], [[1, 1], [1]], []), "template-row"),
        "an-anchor-over-zero": (shadow(template=[["T", 0, [0], [], [], [[0, 1]]]]), "point"),
        "an-anchor-of-another-dimension": (shadow(template=[["T", 0, [0], [], [], [[1, 1, 1]]]]), "point"),
        "a-leaf-of-a-template-outside": (fold(end=[FOLD_END[0], ["L", 1, 2]]), "point-row"),
        "a-leaf-of-a-template-with-negative-coordinates": (
            shadow(SHADOW_MAIN, template=[*SHADOW_TEMPLATE[:2], ["L", 2, -1], SHADOW_TEMPLATE[3]]),
            "point",
        ),
        "a-leaf-of-a-template-without-coordinates": (
            shadow(SHADOW_MAIN, template=[*SHADOW_TEMPLATE[:2], ["L", 0, 0], SHADOW_TEMPLATE[3]]),
            "point",
        ),
        "a-leaf-of-a-template-with-coordinates-to-spare": (
            shadow(SHADOW_MAIN, template=[*SHADOW_TEMPLATE[:2], ["L", 1, 0, 0], SHADOW_TEMPLATE[3]]),
            "point",
        ),
        "a-leaf-between-the-anchors": (
            shadow(SHADOW_MAIN, template=[*SHADOW_TEMPLATE[:2], ["L", 1, 1], SHADOW_TEMPLATE[3]]),
            "point-row",
        ),
        "cites-a-stage-before-the-template": (left(["Q", 0, [[0], [3]], [[0], [1], [1]]]), "not-citable"),
        # references
        "refers-to-itself": (left(["Q", 1, [[0], [5]], [[0], [1], [1]]]), "reference-template"),
        "refers-to-no-template": (fold(main=[["Q", 2, [[0], [1]], [[0], [1]]]]), "reference-template"),
        "refers-to-template-minus-one": (left(["Q", -1, [[0], [5]], [[0], [1], [1]]]), "reference-template"),
        "refers-to-the-end-too-early": (
            fold(main=[FOLD_MAIN[0], ["Q", 0, [[0], [3]], [[0], [1], [1]]], FOLD_MAIN[2]]),
            "reference-stage",
        ),
        "refers-to-a-stage-that-is-past": (
            fold(main=[FOLD_MAIN[0], ["M", 0], ["Q", 1, [[0], [3]], [[0], [1], [1]]], FOLD_MAIN[2]]),
            "reference-stage",
        ),
        "refers-to-a-stage-before-the-other-is-settled": (
            fold(main=[["Q", 1, [[0], [1]], [[0], [1]]]]),
            "reference-stage",
        ),
        "refers-to-another-line": (
            (LINE, _claim(3), [["T", 0, [0], [[1, 1, 3]], [], []], *LINE_TREE, ["Q", 0, [], []]]),
            "reference-chart",
        ),
        "refers-to-a-parallel-line": (
            (
                LINE,
                _claim(2),
                [
                    ["T", 0, [0], [[1, 0, 2]], [], []],
                    *[["M", 0], ["E", 1, 1, [1, 2]], ["L", 1, -1], ["E", 1, 0, [0, 3]], ["L", 1, 1]],
                    ["Q", 0, [], []],
                ],
            ),
            "reference-chart",
        ),
        "refers-to-the-plane-from-a-line": (
            (
                LINE,
                _claim(4),
                [
                    ["T", 0, [0, 1], [], [], []],
                    *[["M", 0], ["M", 1], ["L", 1, -1, -1], ["L", 1, -1, 1], ["M", 1], ["L", 1, 1, -1], ["L", 1, 1, 1]],
                    ["Q", 0, [], []],
                ],
            ),
            "reference-rank",
        ),
        "refers-without-anchors": (
            shadow(
                SHADOW_MAIN,
                template=[["T", 0, [0], [], _INTERVAL, []], ["M", 0], ["L", 2, -1], ["L", 2, 1]],
            ),
            "reference-kind",
        ),
        "refers-exactly-where-points-must-lift": (
            (DEEP_SHADOW, _claim(4), [*DEEP_RECORDS[:6], ["Q", 0, [[0], [3]], [[0], [1], [1]]], *DEEP_RECORDS[7:]]),
            "reference-kind",
        ),
        "refers-with-a-row-forgotten": (left(["Q", 0, [[0]], [[0], [1], [1]]]), "reference-size"),
        "refers-with-a-row-to-spare": (left(["Q", 0, [[0], [5], [5]], [[0], [1], [1]]]), "reference-size"),
        "refers-with-a-row-of-the-node-forgotten": (left(["Q", 0, [[0], [5]], [[0], [1]]]), "reference-size"),
        "refers-with-an-anchor-forgotten": (shadow(["R", 0, [[0], [1]], [[2, -1, 0]]]), "reference-size"),
        "refers-by-another-row": (left(["Q", 0, [[5], [5]], [[0], [1], [1]]]), "implied-normal"),
        "refers-by-two-rows-for-one": (left(["Q", 0, [[0, 1], [5]], [[0], [1], [1]]]), "kernel"),
        "refers-by-another-row-with-multipliers": (
            left(["Q", 0, [[[5], [1]], [5]], [[0], [1], [1]]]),
            "implied-normal",
        ),
        "refers-by-no-row": (left(["Q", 0, [[], [5]], [[0], [1], [1]]]), "implied-normal"),
        "refers-by-multipliers-of-nothing": (
            fold(
                stage=[["T", 1, [0], [], [*_INTERVAL, [1, 0]], []], ["M", 0], ["L", 2, -1], ["L", 2, 1]],
                main=[FOLD_MAIN[0], ["Q", 1, [[0], [3], [[], []]], [[0], [1], [1]]], FOLD_MAIN[2]],
            ),
            "cited-none",
        ),
        "refers-by-negative-multipliers": (left(["Q", 0, [[[5], [-1]], [5]], [[0], [1], [1]]]), "multipliers"),
        "refers-by-a-row-that-is-none": (left(["Q", 0, [[0], [5]], [[0], [1], [2]]]), "not-citable"),
        "refers-backwards-by-row-minus-one": (left(["Q", 0, [[0], [5]], [[0], [1], [-1]]]), "cited-order"),
        "a-template-that-is-not-empty": (
            (
                FOLD,
                _claim(1),
                [["T", 0, [0], [], [[1, 2], [1, -2]], []], ["X", [0, 1]], ["Q", 0, [[0], [1]], [[0], [1]]]],
            ),
            "farkas-constant",
        ),
        "refers-to-a-part-of-the-node": (
            fold(
                end=[["T", 2, [0], [], [[1, 2], [1, -2]], []], ["L", 1, 0]],
            ),
            "implied-constant",
        ),
        "refers-exactly-to-a-larger-set": (
            fold(end=[["T", 2, [0], [], [[2, 1], [2, -1]], []], ["L", 1, 0]]),
            "implied-constant",
        ),
        "refers-exactly-from-a-square-to-its-shadow": (
            shadow(["Q", 0, [[0], [1]], [[0], [1], [0], [1]]]),
            "implied-normal",
        ),
        "refers-to-nowhere": (
            (
                FOLD,
                _claim(1),
                [
                    ["T", 1, [0], [], [*_INTERVAL, [-1, 0]], []],
                    ["X", [2]],
                    ["M", 0],
                    ["Q", 0, [[0], [3], []], [[0], [1], [1]]],
                    ["M", 0],
                    ["L", 4, 3],
                    ["L", 4, 1],
                ],
            ),
            "implied-constant",
        ),
        "refers-to-all-by-a-row": (
            fold(
                stage=[["T", 1, [0], [], [*_INTERVAL, [1, 0]], []], ["M", 0], ["L", 2, -1], ["L", 2, 1]],
                main=[FOLD_MAIN[0], ["Q", 1, [[0], [3], [0]], [[0], [1], [1]]], FOLD_MAIN[2]],
            ),
            "implied-normal",
        ),
        "refers-from-outside-the-node": (shadow(["R", 0, [[0], [1]], [[2, -1, 0], [2, 1, 2]]]), "point-row"),
        "refers-from-another-point": (shadow(["R", 0, [[0], [1]], [[2, -1, 0], [3, 1, 0]]]), "reference-anchor"),
        "refers-from-a-point-over-minus-two": (
            shadow(["R", 0, [[0], [1]], [[-2, 1, 0], [2, 1, 0]]]),
            "point",
        ),
        "refers-by-coordinates-below-zero": (
            (DEEP_SHADOW, _claim(4), [*DEEP_RECORDS[:6], ["R", 0, [[0], [3]], [[1, 0], [-2, 1]]], *DEEP_RECORDS[7:]]),
            "point",
        ),
        "refers-after-the-end": (fold(main=[*FOLD_MAIN, FOLD_MAIN[1]]), "tree-closed"),
        # claims
        "templates-with-a-cell-too-many": (fold(claim=_claim(5)), "cells"),
        "templates-with-a-cell-too-few": (fold(claim=_claim(3)), "cells"),
        "templates-with-a-region-too-few": (fold(claim=_claim(4, 3, 4)), "regions"),
        "templates-with-a-map-too-few": (fold(claim=_claim(4, 4, 3)), "affine-maps"),
        "templates-with-a-wall": (fold(main=[*FOLD_MAIN, ["W", 0, 1]], claim=FOLD_CLAIM), "regions-references"),
        "templates-with-anchors-are-not-uniform": (
            (SHADOW, _claim(2, 2, 2), [*SHADOW_TEMPLATE, SHADOW_MAIN]),
            "affine-maps",
        ),
        "a-leaf-beside-references-is-not-uniform": (
            (
                FOLD,
                FOLD_CLAIM,
                [*FOLD_END, *FOLD_STAGE, *FOLD_MAIN[:2], ["M", 0], ["L", 4, 3], ["L", 4, 1]],
            ),
            "affine-maps",
        ),
        "points-over-one-end-are-not-uniform": (
            (
                SHADOW,
                _claim(2, 2, 2),
                [
                    ["T", 1, [0], [], [[0, 1], [1, -1]], [[2, 1]]],
                    ["L", 1],
                    ["M", 0],
                    ["R", 0, [[5], [0]], [[2, -1, 0]]],
                    ["R", 0, [[4], [1]], [[2, 1, 0]]],
                ],
            ),
            "affine-maps",
        ),
        "two-ends-are-not-uniform": (
            (
                DEAD,
                _claim(2, 2, 2),
                [
                    ["T", 1, [0], [], [[0, 1]], []],
                    ["L", 1, 1],
                    ["T", 1, [0], [], [[0, -1]], []],
                    ["L", 1, -1],
                    ["M", 0],
                    ["Q", 1, [[1]], [[0]]],
                    ["Q", 0, [[0]], [[0]]],
                ],
            ),
            "affine-maps",
        ),
        "a-template-of-leaves-is-not-uniform": (
            (LINE, _claim(3, 3, 3), [*LINE_TEMPLATE, ["Q", 0, [], []]]),
            "affine-maps",
        ),
    }


def unreadable() -> dict[str, tuple[bytes, str]]:
    """name -> (content, rule): records that are spelled wrong."""
    records = {
        "bounds-with-multipliers": '["B",[0],[1]]',
        "bounds-of-numbers": '["B",0]',
        "template-without-anchors": '["T",2,[0],[],[[1,1]]]',
        "template-with-a-flat-row": '["T",2,[0],[],[1,1],[]]',
        "template-with-a-deep-row": '["T",2,[0],[],[[[1,1]]],[]]',
        "template-with-a-space": '["T",2,[0],[],[[1, 1]],[]]',
        "reference-without-points": '["R",0,[[0],[1]]]',
        "reference-with-a-number-for-evidence": '["Q",0,[0,[1]],[[0]]]',
        "reference-with-three-lists-of-evidence": '["Q",0,[[[0],[1],[1]]],[[0]]]',
        "reference-with-deep-evidence": '["Q",0,[[[[0]],[1]]],[[0]]]',
        "reference-with-a-flat-point": '["R",0,[[0],[1]],[1,0]]',
    }
    good = Certificate(FOLD, _claim(4), FOLD_RECORDS).data()
    first = json.dumps(FOLD_RECORDS[0], separators=(",", ":")).encode()
    return {name: (good.replace(first, record.encode()), "record") for name, record in records.items()}

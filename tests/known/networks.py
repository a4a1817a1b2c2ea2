"""Networks with known counts: polytopes as attention heads and maxout layers, sharp bounds, depth, counterexamples.

One bias-free head, or one bias-free maxout unit, cuts R^d into the normal cones of the vertices of its key polytope;
several side by side into those of the Minkowski sum. With constants, the same holds for the upper vertices of lifted
polytopes. Every builder returns (document, expected counts); a count that is not known in advance is left out.

References:

* [MRZ] G. Montúfar, Y. Ren, L. Zhang, Sharp bounds for the number of regions of maxout networks and vertices of
  Minkowski sums, SIAM J. Appl. Algebra Geom. 6 (2022).
* [W] C. Weibel, Maximal f-vectors of Minkowski sums of large numbers of polytopes, Discrete Comput. Geom. 47 (2012).
* [P] A. Postnikov, Permutohedra, associahedra, and beyond, Int. Math. Res. Not. (2009).
* [T] The claims of arXiv 2604.14727, by number of theorem or example, true or not.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, permutations, product
from math import comb, factorial
from typing import Any

from tests.known.arrangements import Document, Expected, Known

__all__ = ["NETWORKS"]

Vector = Sequence[int | Fraction]
Layers = list[dict[str, Any]]


def _document(dimension: int, layers: Layers, domain: Document | None = None) -> Document:
    document: Document = {"format": "exactgeo-network/1", "input_dim": dimension, "layers": layers}
    if domain is not None:
        document["domain"] = domain
    return document


def _same(count: int) -> Expected:
    return {"cells": count, "regions": count, "affine_maps": count}


def _strings(rows: Iterable[Vector]) -> list[list[str]]:
    return [[str(entry) for entry in row] for row in rows]


def _identity(n: int) -> list[list[str]]:
    return _strings([[int(i == j) for j in range(n)] for i in range(n)])


def _head(keys: Sequence[Vector], values: Sequence[Vector] | None = None) -> dict[str, Any]:
    """A bias-free head with query x; without ``values`` token j has value (j)."""
    tokens = [[j] for j in range(len(keys))] if values is None else values
    return {"query": {"weight": _identity(len(keys[0]))}, "keys": _strings(keys), "values": _strings(tokens)}


def _heads(*keys: Sequence[Vector]) -> Document:
    return _document(len(keys[0][0]), [{"type": "attention", "heads": [_head(points) for points in keys]}])


def _unit(pieces: Sequence[Vector]) -> dict[str, Any]:
    """The maxout unit of the rows (b_i, a_i)."""
    return {"weight": _strings([row[1:] for row in pieces]), "bias": [str(row[0]) for row in pieces]}


# Polytopes: one head, as many cells as the polytope has vertices


def simplex(n: int) -> Known:
    """n + 1 affinely independent keys."""
    return _heads([[0] * n, *[[int(i == j) for j in range(n)] for i in range(n)]]), _same(n + 1)


def cube(n: int) -> Known:
    """2^n keys; the cells are the orthants."""
    return _heads(list(product((-1, 1), repeat=n))), _same(2**n)


def crosspolytope(n: int) -> Known:
    """2n keys +-e_i and, inside their hull, a key at 0 that never wins."""
    signed = [[sign * int(i == j) for j in range(n)] for i in range(n) for sign in (-1, 1)]
    return _heads([*signed, [0] * n]), _same(2 * n)


def cyclic_polytope(dimension: int, count: int) -> Known:
    """N points of the moment curve, d >= 2: all are vertices (D. Gale 1963)."""
    return _heads([[t**k for k in range(1, dimension + 1)] for t in range(count)]), _same(count)


def permutohedron(n: int) -> Known:
    """The permutations of 1..n as keys: n! cells, those of the braid arrangement."""
    return _heads(list(permutations(range(1, n + 1)))), _same(factorial(n))


def hypersimplex(n: int, k: int) -> Known:
    """The 0/1 vectors with k ones: C(n, k) cells, which are the top-k sets."""
    return _heads([[int(i in chosen) for i in range(n)] for chosen in combinations(range(n), k)]), _same(comb(n, k))


def associahedron(n: int) -> Known:
    """Units max(x_i, ..., x_j), i < j: Loday's associahedron as a sum of simplices, Catalan(n) vertices [P]."""
    units = [
        _unit([[0, *[int(k == m) for k in range(n)]] for m in range(i, j + 1)]) for i, j in combinations(range(n), 2)
    ]
    return _document(n, [{"type": "maxout", "units": units}]), _same(comb(2 * n, n) // (n + 1))


def permutohedron_by_segments(n: int) -> Known:
    """Units max(x_i, x_j), i < j: the permutohedron as a zonotope, n! vertices [P]."""
    units = [_unit([[0, *[int(k == m) for k in range(n)]] for m in pair]) for pair in combinations(range(n), 2)]
    return _document(n, [{"type": "maxout", "units": units}]), _same(factorial(n))


# Minkowski sums: several bias-free heads


def _family(a: int, b: int, slope: int, square: int, count: int) -> list[list[int]]:
    """t = 0..N-1: the keys (a t, b t, -square t^2 - slope t)."""
    return [[a * t, b * t, -square * t * t - slope * t] for t in range(count)]


def minkowski_in_space(heads: int, count: int) -> Known:
    """The first H of four families of N points on parabolas: W_3(N, H), the most vertices that are possible [W].

    N, N^2, 3N^2 - 3N + 2 and 6N^2 - 8N + 6 for H = 1, 2, 3, 4. With H = 3, N = 6: 92.
    """
    families = [
        _family(1, 0, 1, 1, count),
        _family(0, 1, 1, 1, count),
        _family(1, 1, 2, 1, count),
        _family(2, -2, 3, 2, count),
    ]
    vertices = [count, count**2, 3 * count**2 - 3 * count + 2, 6 * count**2 - 8 * count + 6]
    return _heads(*families[:heads]), _same(vertices[heads - 1])


def minkowski_in_plane(heads: int, count: int) -> Known:
    """H convex N-gons, no two edges with the same outer normal: their sum has H N edges, and as many vertices [W].

    Polygon h has the vertices (t, t^2) for t = h + k H, k < N. The edge from t to t' has slope t + t': the lower edges
    have slopes 2h + (2k+1) H, the upper ones 2h + (N-1) H, and 0 <= h < H makes them distinct.
    """
    polygons = [[[t, t * t] for t in range(h, h + heads * count, heads)] for h in range(heads)]
    return _heads(*polygons), _same(heads * count)


def maxout_without_bias(heads: int, count: int) -> Known:
    """The families of ``minkowski_in_space`` as maxout units: 9, 20, 14, 36 for (H, N) = (2,3), (3,3), (4,2), (4,3)."""
    document, expected = minkowski_in_space(heads, count)
    units = [{"weight": head["keys"]} for head in document["layers"][0]["heads"]]
    return _document(3, [{"type": "maxout", "units": units}]), expected


# Sharp counts with constants, and depth


def shallow_maxout(dimension: int, units: int, rank: int) -> Known:
    """m units of rank k in R^n: at most sum_{j<=n} C(m, j) (k-1)^j regions, attained by parallel families [MRZ].

    Unit g, max_i (i w_g.x - (1 + ... + i) B^g), breaks where w_g.x = i B^g, with w_g = (1, t, ..., t^(n-1)), t = g + 1.

    (n, m, k) = (1,2,3), (2,2,3), (2,3,3), (2,3,4), (3,2,4), (3,4,3), (2,5,3): 5, 9, 19, 37, 16, 65, 51; (3,3,6): 216.
    """
    pieces = [
        [[-(i * (i + 1) // 2) * 10 ** (4 * g), *[i * (g + 1) ** k for k in range(dimension)]] for i in range(rank)]
        for g in range(units)
    ]
    count = sum(comb(units, j) * (rank - 1) ** j for j in range(dimension + 1))
    return _document(dimension, [{"type": "maxout", "units": [_unit(unit) for unit in pieces]}]), _same(count)


def maxout_zigzag(dimension: int, rank: int, depth: int) -> Known:
    """Per coordinate and layer T = u - v, two units of rank K: (2K-1)^(n L) cells on all of R^n.

    T has slopes p, -p, p, ... with breaks i/p, p = 2K - 1, and T(0) = 0; u has slopes p, 3p, ... and breaks at the even
    i, v slopes 0, 2p, ... and breaks at the odd i. Each piece of T maps onto a set that contains [0, 1].
    """
    p = 2 * rank - 1
    # Slopes s_0 < s_1 < ... that break at b_1 < b_2 < ...: the constants are c_i = c_(i-1) - (s_i - s_(i-1)) b_i.
    u, v = [(0, p)], [(0, 0)]
    for i in range(1, rank):
        u.append((u[-1][0] - 2 * (2 * i), (2 * i + 1) * p))
        v.append((v[-1][0] - 2 * (2 * i - 1), 2 * i * p))
    layers: Layers = []
    for _ in range(depth):
        units = [
            _unit([[constant, *[slope * int(j == axis) for j in range(dimension)]] for constant, slope in pieces])
            for axis in range(dimension)
            for pieces in (u, v)
        ]
        mix = [[int(j == 2 * i) - int(j == 2 * i + 1) for j in range(2 * dimension)] for i in range(dimension)]
        layers += [{"type": "maxout", "units": units}, {"type": "linear", "weight": _strings(mix)}]
    return _document(dimension, layers), _same(p ** (dimension * depth))


def attention_zigzag(dimension: int, keys: int, pieces: int, depth: int, bounded: bool = True) -> Known:
    """The transformer of [T], Theorem V.7: (m N)^(d L) cells and regions on (0,1)^d; the theorem has m = 2w.

    Head i routes coordinate i to the nearest of p_j = (2j-1)/2N with the scores x_i p_j - p_j^2/2, and the residual
    leaves x_i - p_j in (-1/2N, 1/2N); m ReLU units fold that interval m times onto (0, 1). For odd m the map jumps
    between routing cells. On all of R^1 the unit at the left end counts: mN + 1 cells for L = 1 and (mN)^2 + 2 for
    L = 2, m even.
    """
    centres = [Fraction(2 * j - 1, 2 * keys) for j in range(1, keys + 1)]
    axes = range(dimension)
    heads = [
        {
            "query": {
                "weight": _strings([[int(k == i) for k in axes], [0] * dimension]),
                "bias": ["0", "1"],
            },
            "keys": _strings([[p, -p * p / 2] for p in centres]),
            "values": _strings([[-p] for p in centres]),
        }
        for i in axes
    ]
    attention: dict[str, Any] = {"type": "attention", "residual": True, "heads": heads}
    # Unit k of coordinate i: ReLU(y_i + 1/2N - k/mN), output weight mN (1, -2, 2, -2, ...).
    knots = [Fraction(1, 2 * keys) - Fraction(k, pieces * keys) for k in range(pieces)]
    slopes = [pieces * keys * (1 if k == 0 else 2 * (-1) ** k) for k in range(pieces)]
    ffn: dict[str, Any] = {
        "type": "ffn",
        "hidden": {
            "weight": _strings([[int(k == i) for k in axes] for i in axes for _ in knots]),
            "bias": [str(knot) for _ in axes for knot in knots],
        },
        "output": {"weight": _strings([[s * int(k == i) for k in axes for s in slopes] for i in axes])},
    }
    layers: Layers = [attention, ffn] * depth
    if bounded:
        return _document(dimension, layers, {"box": [["0", "1"]] * dimension}), _same(
            (pieces * keys) ** (dimension * depth)
        )
    count = {1: pieces * keys + 1, 2: (pieces * keys) ** 2 + 2}[depth]
    return _document(1, layers), {"cells": count}


def relu_zigzag(width: int, depth: int) -> Known:
    """n >= 3 units a layer on R^1: (n+1)^L pieces, as many as possible (Serra, Tjandraatmadja, Ramalingam 2018, Thm 5).

    The layer is a zigzag with breaks k/(n+1), k = 1..n, and slopes 2s, -s, s, -s, ..., s = n+1; it takes the values 1
    and 0 at the breaks in turn, so that each piece maps onto a set that contains (0, 1) with all breaks of the next.
    The unit of the third break is turned round, ReLU(3/(n+1) - x), and its weight -2s gives the slope on the far left.
    """
    s = width + 1
    rows: list[Vector] = [[-Fraction(k, s), 1] if k != 3 else [Fraction(3, s), -1] for k in range(1, width + 1)]
    jumps = [-3 * s, *[2 * s * (-1) ** k for k in range(2, width + 1)]]
    # f = c + sum of jump * unit; at the first break only the turned unit counts: c - 2s * 2/s = 1.
    mix: dict[str, Any] = {"type": "linear", "weight": _strings([jumps]), "bias": ["5"]}
    layers: Layers = [*_relu(rows), mix] * depth
    count = (width + 1) ** depth
    return _document(1, layers), {"cells": count, "regions": count}


def block_maximum(dimension: int, keys: int, units: int) -> Known:
    """One block with H = d affine heads: N^d R(d_ff, d) cells, the most possible for d_ff > d.

    Head i routes x_i to the nearest of 0, 1, ..., N-1 and subtracts it; then every cell of the routing, a unit cube or
    more, sees all of the units, which are in general position within a ball of radius 1/4.
    """
    heads = [
        {
            "query": {"weight": _strings([[int(k == i) for k in range(dimension)]])},
            "keys": _strings([[p] for p in range(keys)]),
            "score_bias": [str(-Fraction(p * p, 2)) for p in range(keys)],
            "values": _strings([[-p] for p in range(keys)]),
        }
        for i in range(dimension)
    ]
    # (1, t, ..., t^(d-1)).x = t^d / 1000: hyperplanes in general position (Vandermonde) that meet near 0.
    rows = [[-Fraction(t**dimension, 1000), *[t**k for k in range(dimension)]] for t in range(1, units + 1)]
    layers: Layers = [{"type": "attention", "residual": True, "heads": heads}, *_relu(rows)]
    count = keys**dimension * sum(comb(units, j) for j in range(dimension + 1))
    return _document(dimension, layers), {"cells": count}


def affine_heads(dimension: int, heads: int, keys: int) -> Known:
    """H heads with score biases: A_d(N, H) = sum_{j<=d} C(H, j) (N-1)^j cells, as for maxout; 216 for (3, 3, 6)."""
    document, expected = shallow_maxout(dimension, heads, keys)
    units = document["layers"][0]["units"]
    tokens = [[str(j)] for j in range(keys)]
    routing = [
        {
            "query": {"weight": _identity(dimension)},
            "keys": unit["weight"],
            "score_bias": unit["bias"],
            "values": tokens,
        }
        for unit in units
    ]
    return _document(dimension, [{"type": "attention", "heads": routing}]), expected


def top_k(scores: Sequence[Vector], k: int, count: int) -> Known:
    """The k largest of N scores (b, w): one token for each k-subset, its score the sum of its members' scores.

    Not all sets can win: n = 1 allows one more than the (k-1)-edges of N dual points, and n = 2 with Voronoi scores
    follows D. T. Lee, On k-nearest neighbor Voronoi diagrams in the plane (1982).
    """
    dimension = len(scores[0]) - 1
    chosen = list(combinations(scores, k))
    sums = [[sum(entries) for entries in zip(*members, strict=True)] for members in chosen]
    head = {
        "query": {"weight": _identity(dimension)},
        "keys": _strings([row[1:] for row in sums]),
        "score_bias": [str(row[0]) for row in sums],
        "values": _strings([[j] for j in range(len(sums))]),
    }
    return _document(dimension, [{"type": "attention", "heads": [head]}]), _same(count)


FOUR_ON_A_LINE: list[Vector] = [[7, -8], [6, -4], [1, 3], [11, 7]]
SIX_ON_A_LINE: list[Vector] = [[-10, 7], [-11, 8], [8, -8], [2, -4], [-8, 2], [-6, -7]]
VORONOI: list[Vector] = [[-Fraction(x * x + y * y, 2), x, y] for x, y in ((0, 0), (6, 0), (-3, 5), (-3, -5))]


# Examples and counterexamples of [T]


def _relu(rows: Sequence[Vector]) -> Layers:
    affine = _unit(rows)
    return [{"type": "linear", **affine}, {"type": "relu"}]


def relu_maximum_2_3_3() -> Known:
    """Example III.3: 34 is the most that a ReLU network 2-3-3 can have, not 49."""
    first = _relu([[0, 1, 0], [0, 0, 1], [-1, 1, 1]])
    second = _relu([[-5, 5, 6, -7], [2, -3, -2, 5], [-2, 4, 1, -7]])
    return _document(2, [*first, *second]), {"cells": 34, "regions": 34}


def parallel_first_layer() -> Known:
    """Example III.3: three parallel lines give 4, not "exactly" 7."""
    return _document(2, _relu([[0, 1, 0], [-1, 1, 0], [-2, 1, 0]])), _same(4)


def same_newton_polytope(constant: bool) -> Known:
    """Definition III.5: max(0, 2x) and max(0, x + 1, 2x) have one Newton polytope, and 2 and 3 regions."""
    pieces = [[0, 0], [1, 1], [0, 2]] if constant else [[0, 0], [0, 2]]
    return _document(1, [{"type": "maxout", "units": [_unit(pieces)]}]), _same(len(pieces))


def _tropical(keys: Sequence[Vector], log_values: Sequence[Vector]) -> Document:
    head = {"query": {"weight": _identity(len(keys[0]))}, "keys": _strings(keys), "log_values": _strings(log_values)}
    return _document(len(keys[0]), [{"type": "tropical_attention", "heads": [head]}])


def log_lifted_beyond_routing() -> Known:
    """Remark III.11: max(0, q - 1) - max(0, q) has 3 regions where the routing alone has 2 cells."""
    return _tropical([[0], [1]], [[0], [-1]]), _same(3)


def log_lifted_constant(count: int) -> Known:
    """Theorem III.12: with all log-values 0 the output is 0, one region made of N cells."""
    keys = [[t, t * t] for t in range(count)]
    return _tropical(keys, [[0]] * count), {"cells": count, "regions": 1, "affine_maps": 1}


def jump() -> Known:
    """III-E: keys -1, 1 and values 0, 1: x + attention jumps at 0."""
    head = _head([[-1], [1]], [[0], [1]])
    return _document(1, [{"type": "attention", "residual": True, "heads": [head]}]), _same(2)


def tied_keys() -> Known:
    """Theorem IV.3 with two equal keys: they share their cell, and its value is the mean of theirs."""
    head = _head([[1], [1], [-1]], [[1, 0], [0, 1], [0, 0]])
    return _document(1, [{"type": "attention", "heads": [head]}]), _same(2)


def tied_keys_cancel() -> Known:
    """Two equal keys whose mean value is the third's: two cells, one region."""
    head = _head([[1], [1], [-1]], [[1], [3], [2]])
    document = _document(1, [{"type": "attention", "heads": [head]}])
    return document, {"cells": 2, "regions": 1, "affine_maps": 1}


def interior_key() -> Known:
    """Theorem IV.3: of the keys 1, 2, 3 only the ends win, though the largest weight is the last one's."""
    return _heads([[1], [2], [3]]), _same(2)


def block_is_no_refinement(outward: bool) -> Known:
    """Appendix E: keys -e1, e1 and values +-2e1, then ReLU: 8 cells (three lines: 7); with the signs turned, 4."""
    shift = -2 if outward else 2
    head = _head([[-1, 0], [1, 0]], [[shift, 0], [-shift, 0]])
    layers: Layers = [{"type": "attention", "residual": True, "heads": [head]}, {"type": "relu"}]
    return _document(2, layers), {"cells": 4 if outward else 8}


def regions_do_not_multiply(two_blocks: bool) -> Known:
    """Appendix E: a layer with 2 regions (3 cells), then two parallel ReLU units (3 pieces): 7 regions, more than 6.

    The region of keys 1 and 2 is not convex: the strips 1 < z_2 < 2 and z_2 > 2 fall apart in it.
    """
    head = _head([[-1, 0], [1, 0], [0, 1]], [[0, 0], [0, 0], [0, Fraction(1, 2)]])
    layers: Layers = [{"type": "attention", "residual": True, "heads": [head]}]
    if not two_blocks:
        return _document(2, layers), {"cells": 3, "regions": 2, "affine_maps": 2}
    return _document(2, [*layers, *_relu([[-1, 0, 1], [-2, 0, 1]])]), {"cells": 9, "regions": 7, "affine_maps": 5}


def signatures_exceed_regions() -> Known:
    """VII-A: keys -1, 1, values 0, 1/2, then ReLU(y - 5): 3 signatures, 2 regions."""
    head = _head([[-1], [1]], [[0], [Fraction(1, 2)]])
    layers: Layers = [{"type": "attention", "residual": True, "heads": [head]}, *_relu([[-5, 1]])]
    return _document(1, layers), {"cells": 3, "regions": 2, "affine_maps": 2}


# All three counts different


def chessboard() -> Known:
    """Keys +-e1 with value 0 and +-e2 with value 1: equal maps face each other, but touch only in the origin."""
    head = _head([[1, 0], [0, 1], [-1, 0], [0, -1]], [[0], [1], [0], [1]])
    return _document(2, [{"type": "attention", "heads": [head]}]), {"cells": 4, "regions": 4, "affine_maps": 2}


def dead_units() -> Known:
    """ReLU(x), ReLU(-ReLU(x)), ReLU(x) - ReLU(x): the second layer is identically 0 and cuts nothing."""
    layers = [*_relu([[0, 1]]), *_relu([[0, -1], [0, 0]])]
    return _document(1, layers), {"cells": 2, "regions": 1, "affine_maps": 1}


def no_selector() -> Known:
    """One linear layer: one cell, the whole of R^3."""
    return _document(3, [{"type": "linear", "weight": [["1", "2", "3"]], "bias": ["1/2"]}]), _same(1)


def folded_line(folds: int) -> Known:
    """y -> |2y - 1|, L times, on (0, 1): 2^L pieces of a tent map (M. Telgarsky 2015)."""
    layer: Layers = [{"type": "linear", "weight": [["2"]], "bias": ["-1"]}, {"type": "abs"}]
    return _document(1, layer * folds, {"box": [["0", "1"]]}), _same(2**folds)


NETWORKS: dict[str, Callable[[], Known]] = {
    **{f"simplex-{n}": partial(simplex, n) for n in (1, 3, 5)},
    **{f"cube-{n}": partial(cube, n) for n in (1, 2, 4)},
    **{f"crosspolytope-{n}": partial(crosspolytope, n) for n in (1, 2, 4)},
    **{f"cyclic-polytope-{d}-{n}": partial(cyclic_polytope, d, n) for d, n in ((2, 6), (3, 7), (4, 9))},
    **{f"permutohedron-{n}": partial(permutohedron, n) for n in (2, 3, 4)},
    **{f"hypersimplex-{n}-{k}": partial(hypersimplex, n, k) for n, k in ((4, 2), (5, 2), (6, 3))},
    **{f"associahedron-{n}": partial(associahedron, n) for n in (2, 3, 4, 5)},
    **{f"permutohedron-by-segments-{n}": partial(permutohedron_by_segments, n) for n in (3, 4)},
    **{
        f"minkowski-in-space-{h}-{n}": partial(minkowski_in_space, h, n)
        for h, n in ((2, 4), (3, 3), (3, 4), (3, 6), (4, 2), (4, 3), (4, 4), (4, 5))
    },
    **{f"minkowski-in-plane-{h}-{n}": partial(minkowski_in_plane, h, n) for h, n in ((2, 3), (2, 6), (3, 3), (4, 5))},
    **{f"maxout-without-bias-{h}-{n}": partial(maxout_without_bias, h, n) for h, n in ((2, 3), (3, 3), (4, 2), (4, 3))},
    **{
        f"shallow-maxout-{n}-{m}-{k}": partial(shallow_maxout, n, m, k)
        for n, m, k in ((1, 2, 3), (2, 2, 3), (2, 3, 3), (2, 3, 4), (3, 2, 4), (3, 4, 3), (2, 5, 3), (3, 3, 6))
    },
    **{
        f"maxout-zigzag-{d}-{k}-{depth}": partial(maxout_zigzag, d, k, depth)
        for d, k, depth in (
            (1, 2, 1),
            (1, 2, 2),
            (1, 2, 3),
            (1, 2, 4),
            (1, 3, 1),
            (1, 3, 2),
            (1, 3, 3),
            (1, 4, 2),
            (2, 2, 2),
            (2, 3, 1),
        )
    },
    **{
        f"attention-zigzag-{d}-{n}-{m}-{depth}": partial(attention_zigzag, d, n, m, depth)
        for d, n, m, depth in (
            (1, 1, 2, 1),
            (1, 2, 2, 1),
            (1, 2, 2, 2),
            (1, 3, 4, 2),
            (1, 2, 3, 2),
            (2, 2, 2, 1),
            (2, 3, 2, 1),
            (2, 2, 3, 1),
            (2, 2, 2, 2),
            (3, 2, 2, 1),
        )
    },
    **{
        f"attention-zigzag-on-the-line-{n}-{m}-{depth}": partial(attention_zigzag, 1, n, m, depth, False)
        for n, m, depth in ((2, 2, 1), (3, 4, 1), (2, 2, 2), (3, 4, 2))
    },
    **{f"relu-zigzag-{n}-{depth}": partial(relu_zigzag, n, depth) for n, depth in ((3, 1), (3, 3), (4, 2), (7, 2))},
    **{
        f"block-maximum-{d}-{n}-{f}": partial(block_maximum, d, n, f)
        for d, n, f in ((1, 3, 4), (2, 2, 3), (2, 2, 4), (2, 4, 4), (3, 2, 4))
    },
    **{f"affine-heads-{d}-{h}-{n}": partial(affine_heads, d, h, n) for d, h, n in ((1, 2, 3), (2, 3, 3), (3, 3, 6))},
    "top-2-of-4-on-a-line": partial(top_k, FOUR_ON_A_LINE, 2, 4),
    "top-3-of-6-on-a-line": partial(top_k, SIX_ON_A_LINE, 3, 7),
    **{f"top-{k}-voronoi": partial(top_k, VORONOI, k, count) for k, count in ((1, 4), (2, 6), (3, 3))},
    "relu-maximum-2-3-3": relu_maximum_2_3_3,
    "parallel-first-layer": parallel_first_layer,
    "same-newton-polytope-2": partial(same_newton_polytope, False),
    "same-newton-polytope-3": partial(same_newton_polytope, True),
    "log-lifted-beyond-routing": log_lifted_beyond_routing,
    **{f"log-lifted-constant-{n}": partial(log_lifted_constant, n) for n in (2, 5)},
    "jump": jump,
    "tied-keys": tied_keys,
    "tied-keys-cancel": tied_keys_cancel,
    "interior-key": interior_key,
    "block-is-no-refinement-8": partial(block_is_no_refinement, False),
    "block-is-no-refinement-4": partial(block_is_no_refinement, True),
    "regions-do-not-multiply-2": partial(regions_do_not_multiply, False),
    "regions-do-not-multiply-7": partial(regions_do_not_multiply, True),
    "signatures-exceed-regions": signatures_exceed_regions,
    "chessboard": chessboard,
    "dead-units": dead_units,
    "no-selector": no_selector,
    **{f"folded-line-{folds}": partial(folded_line, folds) for folds in (1, 3, 6)},
}
"""Every network that the tests count, by name."""

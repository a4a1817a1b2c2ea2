"""Hyperplane arrangements with published numbers of regions, as networks.

``arrangement(d, rows)`` is the document of the network x -> ReLU(b_i + a_i.x)_i. Its cells are the regions of the
arrangement {b_i + a_i.x = 0}, and no two of them have the same affine map: where two sign patterns differ in unit i,
that unit is 0 on one side and the nonzero form b_i + a_i.x on the other. So cells = regions = affine_maps.

Every builder returns (document, expected counts). References:

* [S] R. P. Stanley, An introduction to hyperplane arrangements, in Geometric Combinatorics (2007).
* [H] J. E. Humphreys, Reflection Groups and Coxeter Groups (1990), chapter 2.
* [Z] T. Zaslavsky, Facing up to arrangements, Mem. AMS 154 (1975).
* [PS] A. Postnikov, R. P. Stanley, Deformations of Coxeter hyperplane arrangements, J. Combin. Theory A 91 (2000).
* OEIS numbers as given.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from math import comb, factorial, prod
from typing import Any

__all__ = ["ARRANGEMENTS", "Document", "Expected", "Known", "arrangement", "hyperplanes"]

Document = dict[str, Any]
Expected = dict[str, int]
Known = tuple[Document, Expected]
IntegerRow = Sequence[int]


def arrangement(dimension: int, rows: Iterable[IntegerRow], domain: Document | None = None) -> Document:
    """The network x -> ReLU(b_i + a_i.x)_i of the rows (b_i, a_i)."""
    table = [[str(entry) for entry in row] for row in rows]
    document: Document = {"format": "exactgeo-network/1", "input_dim": dimension}
    if domain is not None:
        document["domain"] = domain
    document["layers"] = [
        {"type": "linear", "weight": [row[1:] for row in table], "bias": [row[0] for row in table]},
        {"type": "relu"},
    ]
    return document


def hyperplanes(document: Document) -> list[tuple[Fraction, ...]]:
    """The rows (b_i, a_i) that ``arrangement`` was given."""
    linear = document["layers"][0]
    return [
        tuple(Fraction(entry) for entry in (bias, *weights))
        for bias, weights in zip(linear["bias"], linear["weight"], strict=True)
    ]


def _known(dimension: int, rows: Iterable[IntegerRow], count: int, domain: Document | None = None) -> Known:
    return arrangement(dimension, rows, domain), {"cells": count, "regions": count, "affine_maps": count}


def _difference(n: int, i: int, j: int, constant: int = 0, sign: int = -1) -> list[int]:
    """x_i + sign * x_j - constant, i and j counted from 1."""
    row = [-constant, *[0] * n]
    row[i], row[j] = 1, sign
    return row


def _pairs(n: int) -> Iterable[tuple[int, int]]:
    return combinations(range(1, n + 1), 2)


def _axis(n: int, i: int, constant: int = 0) -> list[int]:
    """x_i - constant."""
    return [-constant, *[int(k == i) for k in range(1, n + 1)]]


def coordinate(n: int) -> Known:
    """x_i = 0: the 2^n orthants."""
    return _known(n, [_axis(n, i) for i in range(1, n + 1)], 2**n)


def grid(n: int, lines: int) -> Known:
    """x_i = 1, ..., m: (m + 1)^n boxes; each family is parallel."""
    return _known(n, [_axis(n, i, c) for i in range(1, n + 1) for c in range(1, lines + 1)], (lines + 1) ** n)


def generic(dimension: int, count: int) -> Known:
    """t^d + t^(d-1) x_1 + ... + x_d = 0 for t = 1..n, in general position by Vandermonde: sum_{j<=d} C(n, j) [Z]."""
    rows = [[t ** (dimension - k) for k in range(dimension + 1)] for t in range(1, count + 1)]
    return _known(dimension, rows, sum(comb(count, j) for j in range(dimension + 1)))


def generic_central(dimension: int, count: int) -> Known:
    """The normals (1, t, ..., t^(d-1)), no constants: 2 sum_{j<d} C(n-1, j) (L. Schläfli; [S], lecture 2)."""
    rows = [[0, *[t**k for k in range(dimension)]] for t in range(1, count + 1)]
    return _known(dimension, rows, 2 * sum(comb(count - 1, j) for j in range(dimension)))


def near_pencil(count: int) -> Known:
    """n - 1 lines through one point and one line that misses it: 2(n-1) + n = 3n - 2."""
    rows = [[0, 1, t] for t in range(1, count)] + [[-1, 1, 0]]
    return _known(2, rows, 3 * count - 2)


def pencil_with_repeats(count: int) -> Known:
    """n lines through one point, each given three times (once turned round, once stretched): 2n."""
    rows = [row for t in range(count) for row in ([0, 1, t], [0, -1, -t], [0, 3, 3 * t])]
    return _known(2, rows, 2 * count)


def braid(n: int) -> Known:
    """x_i = x_j: n! regions, one per order of the coordinates; every region contains a line ([S], lecture 1)."""
    return _known(n, [_difference(n, i, j) for i, j in _pairs(n)], factorial(n))


def braid_in_cube(n: int) -> Known:
    """The braid arrangement on [0,1]^n: the n! simplices of the cube's staircase triangulation."""
    domain = {"box": [["0", "1"]] * n}
    return _known(n, [_difference(n, i, j) for i, j in _pairs(n)], factorial(n), domain)


def cycle_graph(n: int) -> Known:
    """x_1 = x_2, ..., x_n = x_1: the 2^n - 2 acyclic orientations of the cycle ([S], lecture 2)."""
    rows = [_difference(n, i, i % n + 1) for i in range(1, n + 1)]
    return _known(n, rows, 2**n - 2)


def shi(n: int) -> Known:
    """x_i - x_j = 0, 1 for i < j: (n+1)^(n-1) regions (J.-Y. Shi 1986; [S], lecture 5)."""
    return _known(n, [_difference(n, i, j, c) for i, j in _pairs(n) for c in (0, 1)], (n + 1) ** (n - 1))


def ish(n: int) -> Known:
    """x_i = x_j and x_1 - x_j = i for i < j: (n+1)^(n-1) regions (D. Armstrong, B. Rhoades, Trans. AMS 364 (2012))."""
    rows = [_difference(n, i, j) for i, j in _pairs(n)] + [_difference(n, 1, j, i) for i, j in _pairs(n)]
    return _known(n, rows, (n + 1) ** (n - 1))


def catalan(n: int) -> Known:
    """x_i - x_j = -1, 0, 1: n! C_n regions, C_n the Catalan number ([S], lecture 5)."""
    rows = [_difference(n, i, j, c) for i, j in _pairs(n) for c in (-1, 0, 1)]
    return _known(n, rows, factorial(n) * comb(2 * n, n) // (n + 1))


def semiorder(n: int) -> Known:
    """x_i - x_j = -1, 1: the labelled semiorders, 1, 3, 19, 183, 2371 ([S], lecture 5; OEIS A006531)."""
    rows = [_difference(n, i, j, c) for i, j in _pairs(n) for c in (-1, 1)]
    return _known(n, rows, [1, 3, 19, 183, 2371][n - 1])


def linial(n: int) -> Known:
    """x_i - x_j = 1 for i < j: 1, 2, 7, 36, 246, 2104 = 2^-n sum_k C(n,k) (k+1)^(n-1) ([PS]; OEIS A007889)."""
    count = sum(comb(n, k) * (k + 1) ** (n - 1) for k in range(n + 1)) // 2**n
    return _known(n, [_difference(n, i, j, 1) for i, j in _pairs(n)], count)


def type_b(n: int) -> Known:
    """x_i = 0 and x_i = +-x_j: the 2^n n! chambers of the hyperoctahedral group ([S], lecture 5)."""
    rows = [_axis(n, i) for i in range(1, n + 1)]
    rows += [_difference(n, i, j, sign=sign) for i, j in _pairs(n) for sign in (-1, 1)]
    return _known(n, rows, 2**n * factorial(n))


def type_d(n: int) -> Known:
    """x_i = +-x_j: 2^(n-1) n! chambers ([S], lecture 5)."""
    rows = [_difference(n, i, j, sign=sign) for i, j in _pairs(n) for sign in (-1, 1)]
    return _known(n, rows, 2 ** (n - 1) * factorial(n))


def type_f4() -> Known:
    """The 24 mirrors of the reflection group F4, of order 1152 [H]."""
    rows = [_axis(4, i) for i in range(1, 5)]
    rows += [_difference(4, i, j, sign=sign) for i, j in _pairs(4) for sign in (-1, 1)]
    rows += [[0, 1, *signs] for signs in product((-1, 1), repeat=3)]
    return _known(4, rows, 1152)


def type_g2() -> Known:
    """The 6 mirrors of G2 in R^3, each containing (1,1,1): 12 chambers times a line [H]."""
    long_roots = [[0, 2, -1, -1], [0, -1, 2, -1], [0, -1, -1, 2]]
    return _known(3, [*[_difference(3, i, j) for i, j in _pairs(3)], *long_roots], 12)


def threshold_functions(n: int) -> Known:
    """w_0 + w.x = 0 in the space of (w_0, w), for x in {0,1}^n: a region is a linear threshold function of n bits.

    4, 14, 104, 1882, 94572 for n = 1..5 (T. Cover 1965; OEIS A000609).
    """
    rows = [[0, 1, *x] for x in product((0, 1), repeat=n)]
    return _known(n + 1, rows, [4, 14, 104, 1882, 94572][n - 1])


def threshold_graphs(n: int) -> Known:
    """x_i + x_j = 0 for i < j: the labelled threshold graphs, 2, 8, 46, 332 for n = 2..5 ([S]; OEIS A005840)."""
    return _known(n, [_difference(n, i, j, sign=1) for i, j in _pairs(n)], [2, 8, 46, 332][n - 2])


def resonance(n: int) -> Known:
    """All nonzero 0/1 normals: 2, 6, 32, 370, 11292 for n = 1..5 (H. Kamiya, A. Takemura, H. Terao; OEIS A034997)."""
    rows = [[0, *normal] for normal in product((0, 1), repeat=n) if any(normal)]
    return _known(n, rows, [2, 6, 32, 370, 11292][n - 1])


def parallel_families(dimension: int, sizes: Sequence[int]) -> Known:
    """Families of parallel hyperplanes in general position: the sum over |S| <= d of the products of their sizes [Z].

    Family g is w_g.x = c B^g, c = 1..m_g, with w_g = (1, t, ..., t^(d-1)), t = g + 1. Any d of the w_g are independent,
    and no d+1 hyperplanes of different families meet: sum of c_g B^g V_g = 0 with nonzero Vandermonde cofactors V_g
    cannot hold once B exceeds their ratios times the c_g.
    """
    rows = [
        [-c * 10 ** (4 * g), *[(g + 1) ** k for k in range(dimension)]]
        for g, size in enumerate(sizes)
        for c in range(1, size + 1)
    ]
    count = sum(prod(chosen) for j in range(dimension + 1) for chosen in combinations(sizes, j))
    return _known(dimension, rows, count)


def rankings(count: int, dimension: int, regions: int) -> Known:
    """s_e = s_f for N generic scores s_e = t^(n+1) + t x_1 + ... + t^n x_n, t = 2^e: a region is a total ranking.

    Generic scores have sum_{j<=n} |s(N, N-j)| rankings, s the Stirling numbers of the first kind: 4, 7, 18, 46, 24 for
    (N, n) = (3,1), (4,1), (4,2), (5,2), (4,3) (I. J. Good, T. N. Tideman, J. Combin. Theory A 23 (1977)).
    """
    scores = [[t ** (dimension + 1), *[t**k for k in range(1, dimension + 1)]] for t in (2**e for e in range(count))]
    rows = [[x - y for x, y in zip(one, two, strict=True)] for one, two in combinations(scores, 2)]
    return _known(dimension, rows, regions)


ARRANGEMENTS: dict[str, Callable[[], Known]] = {
    **{f"coordinate-{n}": partial(coordinate, n) for n in (1, 2, 3, 6)},
    **{f"grid-{n}-{m}": partial(grid, n, m) for n, m in ((1, 5), (2, 3), (3, 2))},
    **{f"generic-{d}-{n}": partial(generic, d, n) for d, n in ((1, 4), (2, 7), (3, 6), (4, 6), (3, 2))},
    **{f"generic-central-{d}-{n}": partial(generic_central, d, n) for d, n in ((2, 5), (3, 6), (4, 6))},
    **{f"near-pencil-{n}": partial(near_pencil, n) for n in (3, 6)},
    "pencil-with-repeats-4": partial(pencil_with_repeats, 4),
    **{f"braid-{n}": partial(braid, n) for n in (2, 3, 4, 5)},
    **{f"braid-in-cube-{n}": partial(braid_in_cube, n) for n in (2, 3, 4)},
    **{f"cycle-graph-{n}": partial(cycle_graph, n) for n in (3, 5, 7)},
    **{f"shi-{n}": partial(shi, n) for n in (2, 3, 4)},
    **{f"ish-{n}": partial(ish, n) for n in (2, 3, 4)},
    **{f"catalan-{n}": partial(catalan, n) for n in (2, 3, 4)},
    **{f"semiorder-{n}": partial(semiorder, n) for n in (2, 3, 4)},
    **{f"linial-{n}": partial(linial, n) for n in (2, 3, 4, 5)},
    **{f"type-b-{n}": partial(type_b, n) for n in (1, 2, 3, 4)},
    **{f"type-d-{n}": partial(type_d, n) for n in (2, 3, 4)},
    "type-f4": type_f4,
    "type-g2": type_g2,
    **{f"threshold-functions-{n}": partial(threshold_functions, n) for n in (1, 2, 3, 4)},
    **{f"threshold-graphs-{n}": partial(threshold_graphs, n) for n in (2, 3, 4, 5)},
    **{f"resonance-{n}": partial(resonance, n) for n in (1, 2, 3, 4)},
    **{
        f"rankings-{n}-{d}": partial(rankings, n, d, count)
        for n, d, count in ((3, 1, 4), (4, 1, 7), (4, 2, 18), (5, 2, 46), (4, 3, 24))
    },
    **{
        f"parallel-families-{d}-{'.'.join(map(str, sizes))}": partial(parallel_families, d, sizes)
        for d, sizes in ((2, (2, 3, 1)), (3, (2, 2, 2, 2)), (2, (1, 1, 4)))
    },
}
"""Every arrangement that the tests count, by name."""

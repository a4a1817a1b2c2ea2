"""Networks with very many linear regions, each with its number of cells in closed form.

They are self-similar: each block cuts the cube [0,1]^n into boxes and sends every one of them onto the whole cube, so
that L blocks have (boxes)^L cells. ``cells.states`` counts them at any depth; the formulas below are what it is tested
against, never what it answers.

- ``folding`` (G. Montúfar, R. Pascanu, K. Cho, Y. Bengio, *On the Number of Linear Regions of Deep Neural Networks*,
  2014, Theorem 4): ReLU layers of widths n_1, ..., n_L on R^n. In each coordinate p = floor(n_l / n) units make the
  sawtooth p (z)_+ + 2p sum_{m=1}^{p-1} (-1)^m (z - m/p)_+ with p pieces; the last layer is an arrangement of n_L
  hyperplanes in general position with all its vertices inside the cube. Cells: prod_{l<L} p_l^n sum_{j<=n} C(n_L, j).
- ``zigzag`` (for the bound: G. Montúfar, Y. Ren, L. Zhang, *Sharp bounds for the number of regions of maxout networks
  and vertices of Minkowski sums*, 2021): for each coordinate two maxout units of rank K, u(z) = max_j (2j+1) p z -
  2j(j+1) and v(z) = max_j 2j p z - 2j^2, p = 2K - 1, 0 <= j < K. u - v has slopes p, -p, p, ... and breaks at i/p.
  Cells: p^(nL), on the cube as on all of R^n.
- ``jumping``: the network of Theorem V.7 of arXiv 2604.14727 with m = floor(d_ff / d) pieces of the sawtooth for each
  coordinate instead of 2 floor(d_ff / 2d). With an odd m the sawtooth ends at 1, so the map jumps where a head turns,
  and nothing is lost by it. Cells: (mN)^(dL).
- ``optimal``: h heads for each coordinate make 1 + h(N-1) intervals, each moved onto the first; then m >= 3 units make
  m + 1 pieces, because one of them faces the other way. With breaks at 1/2, 3/2, ..., m - 1/2 and slopes 2, -1, 1, -1,
  ..., the term -2 (5/2 - z)_+ has the slope of the first piece. Cells: ((1 + h(N-1)) (m + 1))^(dL), for d = 1 the most
  that any network of this kind has.

In all but ``folding`` every cell is sent by a map of its own onto the same set, up to what is unbounded: regions and
affine maps are as many.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, prod
from typing import Any

from exactgeo.errors import BadInput
from exactgeo.network import Network

__all__ = ["Construction", "folding", "jumping", "optimal", "zigzag"]

Layer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Construction:
    """A network, and how many cells it has by the formula; as many regions, if ``different`` maps are promised."""

    network: Network
    cells: int
    different: bool = True


def folding(n: int, widths: Sequence[int]) -> Construction:
    """Montúfar's folding on [0,1]^n with hidden layers of these widths; all but the last at least n."""
    _positive(n=n, **{f"widths[{place}]": width for place, width in enumerate(widths)})
    if not widths or min([*widths[:-1], n]) < n:
        raise BadInput(f"folding needs hidden layers, all but the last of width at least {n}, got {list(widths)}")
    *folds, last = widths
    layers: list[Layer] = []
    for width in folds:
        layers.append(_separate(n, width, _sawtooth(width // n)))
    # Hyperplane t is (x - c).(1, t, ..., t^(n-1)) = t^n / scale. Those of t_1, ..., t_n meet where the polynomial
    # prod(t - t_k) vanishes at their t: at c + y / scale with its coefficients y, none larger than (1 + last)^n.
    scale = 2 * (1 + last) ** n + 1
    weight = [[t**j for j in range(n)] for t in range(1, last + 1)]
    bias = [-Fraction(sum(row), 2) - Fraction(t**n, scale) for t, row in enumerate(weight, 1)]
    layers += [{"type": "linear", "weight": weight, "bias": bias}, {"type": "relu"}]
    cells = prod((width // n) ** n for width in folds) * sum(comb(last, j) for j in range(n + 1))
    return Construction(_on_cube(n, layers), cells, different=False)


def zigzag(n: int, K: int, L: int, bounded: bool = True, absorbed: bool = False) -> Construction:
    """The zigzag of maxout units of rank K, L layers deep, on [0,1]^n or on R^n.

    The difference of the two units of a coordinate is a linear layer; or it is ``absorbed`` in the weights of the next
    units, and the last one left out.
    """
    _positive(n=n, K=K, L=L)
    p = 2 * K - 1
    pieces = [
        ([(2 * j + 1) * p for j in range(K)], [-2 * j * (j + 1) for j in range(K)]),
        ([2 * j * p for j in range(K)], [-2 * j * j for j in range(K)]),
    ]
    difference = [[int(k == 2 * i) - int(k == 2 * i + 1) for k in range(2 * n)] for i in range(n)]
    layers: list[Layer] = []
    for depth in range(L):
        read = difference if absorbed and depth else [_unit(i, n) for i in range(n)]
        units = [
            {"weight": [[slope * entry for entry in read[i]] for slope in slopes], "bias": bias}
            for i in range(n)
            for slopes, bias in pieces
        ]
        layers.append({"type": "maxout", "units": units})
        if not absorbed:
            layers.append({"type": "linear", "weight": difference})
    network = _on_cube(n, layers) if bounded else Network.from_arrays({"input_dim": n, "layers": layers})
    return Construction(network, p ** (n * L))


def jumping(d: int, N: int, L: int, d_ff: int) -> Construction:
    """Theorem V.7's network with floor(d_ff / d) pieces for each coordinate, on [0,1]^d."""
    _positive(d=d, N=N, L=L)
    m = d_ff // d
    if m < 1:
        raise BadInput(f"expected d_ff >= d, got {d_ff} and {d}")
    block = [_attention(d, 1, N), _separate(d, d_ff, _sawtooth(m), scale=N)]
    return Construction(_on_cube(d, block * L), (m * N) ** (d * L))


def optimal(d: int, heads: int, N: int, L: int, d_ff: int) -> Construction:
    """The most pieces for each coordinate: ``heads`` heads with N keys and floor(d_ff / d) >= 3 units, on [0,1]^d."""
    _positive(d=d, heads=heads, N=N, L=L)
    m = d_ff // d
    if m < 3:
        raise BadInput(f"expected d_ff >= 3d, got {d_ff} and {d}")
    intervals = 1 + heads * (N - 1)
    block = [_attention(d, heads, N), _separate(d, d_ff, _two_sided(m), scale=intervals)]
    return Construction(_on_cube(d, block * L), (intervals * (m + 1)) ** (d * L))


# -- pieces ------------------------------------------------------------------------------------------------------------

Units = tuple[list[tuple[Fraction, Fraction]], list[int], int]
"""A function of one variable z on [0,1]: units max(0, a z + b) as pairs (a, b), their coefficients, and a constant."""


def _sawtooth(p: int) -> Units:
    """p pieces, each onto [0,1], by p units."""
    units = [(Fraction(1), -Fraction(m, p)) for m in range(p)]
    return units, [p if m == 0 else 2 * p * (-1) ** m for m in range(p)], 0


def _two_sided(m: int) -> Units:
    """m + 1 pieces, each onto [0,1], by m >= 3 units; the first is half as long as the others."""
    length = Fraction(2 * m + 1, 2)
    units = [(length, Fraction(1, 2) - k) for k in range(1, m + 1)]
    units[2] = (-length, Fraction(5, 2))
    return units, [-3, *[2 * (-1) ** k for k in range(2, m + 1)]], 5


def _separate(n: int, width: int, function: Units, scale: int = 1) -> Layer:
    """The function of z = scale * x_i in each coordinate, by a layer of this width; spare units are idle."""
    units, factors, constant = function
    spare = width - n * len(units)
    hidden = [[scale * a * x for x in _unit(i, n)] for i in range(n) for a, _ in units]
    output = [[factor if k == i else 0 for k in range(n) for factor in factors] + [0] * spare for i in range(n)]
    return {
        "type": "ffn",
        "hidden": {
            "weight": hidden + [[0] * n for _ in range(spare)],
            "bias": [b for _ in range(n) for _, b in units] + [0] * spare,
        },
        "output": {"weight": output, "bias": [constant] * n},
    }


def _attention(d: int, heads: int, N: int) -> Layer:
    """x_i less its integer part in units of 1/M, M = 1 + heads (N - 1): each head turns at every heads-th break.

    Key j has the score j x - c_j with c_j - c_(j-1) the j-th break of the head, so that key j wins between the j-th and
    the next; with the value -j/M.
    """
    M = 1 + heads * (N - 1)
    made = []
    for i in range(d):
        for h in range(heads):
            breaks = [Fraction(1 + h + heads * j, M) for j in range(N - 1)]
            made.append(
                {
                    "query": {"weight": [_unit(i, d)]},
                    "keys": [[j] for j in range(N)],
                    "score_bias": [-sum(breaks[:j], Fraction()) for j in range(N)],
                    "values": [[-Fraction(j, M)] for j in range(N)],
                }
            )
    mix = [[int(k // heads == i) for k in range(d * heads)] for i in range(d)]
    return {"type": "attention", "residual": True, "heads": made, "output": {"weight": mix}}


def _on_cube(n: int, layers: Sequence[Layer]) -> Network:
    return Network.from_arrays({"input_dim": n, "domain": {"box": [[0, 1]] * n}, "layers": list(layers)})


def _unit(i: int, n: int) -> list[int]:
    return [int(i == j) for j in range(n)]


def _positive(**numbers: int) -> None:
    for name, value in numbers.items():
        if value < 1:
            raise BadInput(f"expected {name} to be a positive integer, got {value}")

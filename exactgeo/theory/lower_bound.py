"""Theorem V.7 of "Expressivity of Transformers: A Tropical Geometry Perspective" (arXiv 2604.14727): the lower bound.

The theorem states that some transformer with d = d_model = H, N keys a head, L blocks and FFN width d_ff >= 2d has at
least (N^d w^d)^L maximal linear regions on [0,1]^d, w = floor(d_ff / 2d). Appendix F constructs it. Each block is

    x  ->  g(x + MHSA(x)),

- MHSA (Lemma F.1): head h has the query (x_h, 1) and the keys (p_j, -p_j^2/2), p_j = (j - 1/2)/N, so that the score
  x_h p_j - p_j^2/2 is largest for the p_j nearest to x_h; its value is -p_j. With the residual, x_h becomes
  x_h - p_j in [-1/2N, 1/2N] on the j-th of N equal intervals.
- g (Lemma F.2): z = N y + 1/2 is back in [0,1], and in each coordinate the sawtooth with w teeth
  s(z) = 2w max(0, z) + 4w sum_{m=1}^{2w-1} (-1)^m max(0, z - m/2w), which is 2w units. Units beyond 2wd have zero
  weights and are idle.

Each block maps each of its (2wN)^d boxes onto [0,1]^d by an affine bijection, with slopes of opposite sign on boxes
that share a wall. So the construction has (2wN)^(dL) cells and as many regions, more than the paper's (wN)^(dL) by the
factor 2^(dL) that its last formula drops. Neither number is taken on trust: ``exactgeo theorem V.7`` enumerates.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Any

from exactgeo.errors import BadInput
from exactgeo.network import Network

__all__ = ["LowerBound", "construction", "lower_bound", "small_lower_bounds"]


@dataclass(frozen=True, slots=True)
class LowerBound:
    """What Theorem V.7 and its construction promise for one (d, N, L, d_ff)."""

    d: int
    N: int
    L: int
    d_ff: int

    @property
    def w(self) -> int:
        """Teeth of the sawtooth."""
        return self.d_ff // (2 * self.d)

    @property
    def paper_bound(self) -> int:
        """(N^d w^d)^L, as stated in the theorem."""
        return int((self.N * self.w) ** (self.d * self.L))

    @property
    def construction_count(self) -> int:
        """(2wN)^(dL), the true number of cells and of regions of the construction."""
        return int((2 * self.w * self.N) ** (self.d * self.L))


def lower_bound(d: int, N: int, L: int, d_ff: int | None = None) -> LowerBound:
    """The theorem's numbers; ``d_ff`` is 2d where it is not given."""
    for name, value in (("d", d), ("N", N), ("L", L)):
        if value < 1:
            raise BadInput(f"--{name} {value}: expected a positive integer")
    width = 2 * d if d_ff is None else d_ff
    if width < 2 * d:
        raise BadInput(f"--d-ff {width}: Theorem V.7 needs d_ff >= 2d, here at least {2 * d}")
    return LowerBound(d, N, L, width)


def small_lower_bounds(
    most: int, d: int | None = None, N: int | None = None, L: int | None = None, d_ff: int | None = None
) -> Iterator[LowerBound]:
    """Every size whose construction has at most ``most`` cells, ordered by d, L, N, d_ff; those given are kept fixed.

    Widths are the multiples of 2d, one for each number of teeth, unless ``d_ff`` is given.
    """

    def sizes(fixed: int | None) -> Iterable[int]:
        return count(1) if fixed is None else (fixed,)

    for each_d in sizes(d):
        if 2**each_d > most:
            break
        for each_L in sizes(L):
            if 2 ** (each_d * each_L) > most:
                break
            for each_N in sizes(N):
                if (2 * each_N) ** (each_d * each_L) > most:
                    break
                for width in (2 * each_d * w for w in count(1)) if d_ff is None else (d_ff,):
                    bound = LowerBound(each_d, each_N, each_L, width)
                    if bound.construction_count > most:
                        break
                    if bound.w:
                        yield bound


def construction(bound: LowerBound) -> Network:
    """The network of Appendix F on [0,1]^d."""
    document: dict[str, Any] = {
        "format": "exactgeo-network/1",
        "input_dim": bound.d,
        "domain": {"box": [[0, 1]] * bound.d},
        "layers": [layer for _ in range(bound.L) for layer in (_attention(bound), _fold(bound))],
    }
    return Network.from_arrays(document)


def _attention(bound: LowerBound) -> dict[str, Any]:
    d = bound.d
    centres = [Fraction(2 * j - 1, 2 * bound.N) for j in range(1, bound.N + 1)]
    heads = [
        {
            "query": {"weight": [_unit(h, d), [0] * d], "bias": [0, 1]},
            "keys": [[p, -p * p / 2] for p in centres],
            "values": [[-p] for p in centres],
        }
        for h in range(d)
    ]
    return {
        "type": "attention",
        "residual": True,
        "heads": heads,
        "output": {"weight": [_unit(h, d) for h in range(d)]},
    }


def _fold(bound: LowerBound) -> dict[str, Any]:
    """z = N y + 1/2 and the sawtooth, coordinate by coordinate: unit (i, m) is max(0, z_i - m/2w)."""
    d, pieces, spare = bound.d, 2 * bound.w, bound.d_ff - 2 * bound.w * bound.d
    hidden = [[bound.N * x for x in _unit(i, d)] for i in range(d) for _ in range(pieces)]
    shifts = [Fraction(1, 2) - Fraction(m, pieces) for _ in range(d) for m in range(pieces)]
    slopes = [pieces if m == 0 else 2 * pieces * (-1) ** m for m in range(pieces)]
    output = [[slope if k == i else 0 for k in range(d) for slope in slopes] + [0] * spare for i in range(d)]
    return {
        "type": "ffn",
        "hidden": {"weight": hidden + [[0] * d for _ in range(spare)], "bias": [*shifts, *[0] * spare]},
        "output": {"weight": output},
    }


def _unit(i: int, d: int) -> list[int]:
    return [int(i == j) for j in range(d)]

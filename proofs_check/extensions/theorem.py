"""The network of Theorem V.7 (Appendix F of arXiv 2604.14727), rebuilt from its formulas.

On [0,1]^d, L times: attention with a residual connection, d heads of N keys; then a feed-forward layer. With p_j = (j
- 1/2)/N, j = 1..N, head h has the query (x_h, 1), the keys (p_j, -p_j^2/2) and the values (-p_j): it subtracts from
x_h the nearest p_j. With w = floor(d_ff/2d), hidden unit (i, m), m = 0..2w-1, is relu(N y_i + 1/2 - m/(2w)), numbered
2wi + m, and output i is 2w (unit (i,0)) + 4w sum_{m>=1} (-1)^m (unit (i,m)): a sawtooth. The d_ff - 2wd spare units
have zero weights.

The construction has (2wN)^(dL) regions; the theorem states at least (Nw)^(dL). A certificate for this network and
this module's verdict together are a proof of the number for these parameters.
"""

from dataclasses import dataclass
from fractions import Fraction

from ..core.verdict import Rejected, show
from ..lowering import Network
from ..lowering.heads import Head
from ..lowering.layers.attention import Attention
from ..lowering.layers.ffn import Ffn
from ..lowering.numbers import Affine, Matrix, Rational

__all__ = ["Theorem"]


def _differ(where: str) -> Rejected:
    return Rejected("theorem-network", "network", where)


def _unit(i: int, d: int) -> list[Rational]:
    return [int(j == i) for j in range(d)]


@dataclass(frozen=True)
class Theorem:
    """The parameters; d_ff >= 2d."""

    d: int
    N: int
    L: int
    d_ff: int

    @property
    def w(self) -> int:
        return self.d_ff // (2 * self.d)

    @property
    def construction_count(self) -> int:
        return int((2 * self.w * self.N) ** (self.d * self.L))

    @property
    def paper_bound(self) -> int:
        return int((self.N * self.w) ** (self.d * self.L))

    def demand(self, network: Network) -> None:
        """Rejected unless the network is that of the theorem: the same numbers, with omitted ones filled in.

        Sizes are compared first, so that nothing is made that is larger than what the file has.
        """
        d = self.d
        if network.input_dim != d:
            raise _differ(f"input_dim {network.input_dim}, not {show(d)}")
        box = {(0, *_unit(i, d)) for i in range(d)} | {(1, *[-entry for entry in _unit(i, d)]) for i in range(d)}
        if set(network.domain) != box:
            raise _differ("the domain is not [0,1]^d")
        if len(network.layers) != 2 * self.L:
            raise _differ(f"{len(network.layers)} layers, not {show(2 * self.L)}")
        for i, layer in enumerate(network.layers):
            kind, candidates = (Ffn, 2 * self.d_ff) if i % 2 else (Attention, d * self.N)
            if not isinstance(layer, kind) or layer.candidates != candidates:
                raise _differ(f"layers[{i}]: of another type or size")
            identity = isinstance(layer, Attention) and layer.output is not None
            if layer != (self._ffn() if i % 2 else self._attention(identity)):
                raise _differ(f"layers[{i}]: other numbers")

    def _attention(self, identity: bool) -> Attention:
        """With the identity as `output`, or without any."""
        d, N = self.d, self.N
        sites = [Fraction(2 * j - 1, 2 * N) for j in range(1, N + 1)]
        keys: Matrix = [[p, -p * p / 2] for p in sites]
        values: Matrix = [[-p] for p in sites]
        heads = [Head(Affine([_unit(h, d), [0] * d], [0, 1]), keys, [0] * N, values) for h in range(d)]
        output = Affine([_unit(i, d) for i in range(d)], [0] * d) if identity else None
        return Attention(d, d * N, heads, output, residual=True)

    def _ffn(self) -> Ffn:
        d, N, w = self.d, self.N, self.w
        units = [(i, m) for i in range(d) for m in range(2 * w)]
        spare = self.d_ff - len(units)
        weight = [[N * entry for entry in _unit(i, d)] for i, _ in units] + [[0] * d] * spare
        bias = [Fraction(1, 2) - Fraction(m, 2 * w) for _, m in units] + [0] * spare
        teeth = [(i, 2 * w if m == 0 else 4 * w * (-1) ** m) for i, m in units]
        output = [[slope * (owner == i) for owner, slope in teeth] + [0] * spare for i in range(d)]
        return Ffn(d, 2 * self.d_ff, Affine(weight, bias), Affine([*map(list, output)], [0] * d), residual=False)

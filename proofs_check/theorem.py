"""The network of Theorem V.7 (Appendix F of arXiv 2604.14727), rebuilt from its formulas.

On [0,1]^d, L times: attention with a residual connection, d heads of N keys; then a feed-forward layer. With p_j = (j
- 1/2)/N, j = 1..N, head h has the query (x_h, 1), the keys (p_j, -p_j^2/2) and the values (-p_j): it subtracts from
x_h the nearest p_j. With w = floor(d_ff/2d), hidden unit (i, m), m = 0..2w-1, is relu(N y_i + 1/2 - m/(2w)), numbered
2wi + m, and output i is 2w (unit (i,0)) + 4w sum_{m>=1} (-1)^m (unit (i,m)): a sawtooth. The d_ff - 2wd spare units
have zero weights.

The construction has (2wN)^(dL) regions; the theorem states at least (Nw)^(dL). A certificate for this network and
this module's verdict together are a proof of the number for these parameters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from .network import Affine, Attention, Ffn, Network, Rational
from .verdict import Rejected, show

__all__ = ["Theorem"]

Matrix = list[list[Rational]]


def _differ(where: str) -> Rejected:
    return Rejected("theorem-network", "network", where)


def _demand(found: Matrix, wanted: Iterator[list[Rational]], count: int, where: str) -> None:
    """The matrix has these rows; they are made one at a time, after the numbers of rows agree."""
    if len(found) != count:
        raise _differ(f"{where}: {len(found)} rows, not {show(count)}")
    for i, (row, right) in enumerate(zip(found, wanted, strict=True)):
        if row != right:
            raise _differ(f"{where}: row {i}")


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
        """Rejected unless the network is that of the theorem: the same numbers, with omitted ones filled in."""
        d = self.d
        if network.input_dim != d:
            raise _differ(f"input_dim {network.input_dim}, not {show(d)}")
        box = {(0, *_unit(i, d)) for i in range(d)} | {(1, *[-entry for entry in _unit(i, d)]) for i in range(d)}
        if set(network.domain) != box:
            raise _differ("the domain is not [0,1]^d")
        if len(network.layers) != 2 * self.L:
            raise _differ(f"{len(network.layers)} layers, not {show(2 * self.L)}")
        for i, layer in enumerate(network.layers):
            if i % 2 == 0 and isinstance(layer, Attention):
                self._attention(layer, f"layers[{i}]")
            elif i % 2 and isinstance(layer, Ffn):
                self._ffn(layer, f"layers[{i}]")
            else:
                raise _differ(f"layers[{i}]: of another type")

    def _attention(self, layer: Attention, where: str) -> None:
        d, N = self.d, self.N
        if not layer.residual or len(layer.heads) != d:
            raise _differ(f"{where}: residual {layer.residual}, {len(layer.heads)} heads")
        for h, head in enumerate(layer.heads):
            at = f"{where}.heads[{h}]"
            _demand(head.query.weight, iter([_unit(h, d), [0] * d]), 2, f"{at}.query.weight")
            _demand([head.query.bias], iter([[0, 1]]), 1, f"{at}.query.bias")
            sites = (Fraction(2 * j - 1, 2 * N) for j in range(1, N + 1))
            _demand(head.keys, ([p, -p * p / 2] for p in sites), N, f"{at}.keys")
            _demand([head.score_bias], iter([[0] * N]), 1, f"{at}.score_bias")
            sites = (Fraction(2 * j - 1, 2 * N) for j in range(1, N + 1))
            _demand(head.values, ([-p] for p in sites), N, f"{at}.values")
        if layer.output is not None:
            _demand(layer.output.weight, (_unit(i, d) for i in range(d)), d, f"{where}.output.weight")
            _demand([layer.output.bias], iter([[0] * d]), 1, f"{where}.output.bias")

    def _ffn(self, layer: Ffn, where: str) -> None:
        d, N, w = self.d, self.N, self.w
        if layer.residual or len(layer.hidden.weight) != self.d_ff:
            raise _differ(f"{where}: residual {layer.residual}, {len(layer.hidden.weight)} hidden units")
        units = [(i, m) for i in range(d) for m in range(2 * w)]
        spare = self.d_ff - len(units)
        hidden = Affine(
            [[N * entry for entry in _unit(i, d)] for i, _ in units] + [[0] * d] * spare,
            [Fraction(1, 2) - Fraction(m, 2 * w) for _, m in units] + [0] * spare,
        )
        tooth = [2 * w if m == 0 else 4 * w * (-1) ** m for _, m in units]
        output = [
            [slope if owner == i else 0 for (owner, _), slope in zip(units, tooth, strict=True)] + [0] * spare
            for i in range(d)
        ]
        _demand(layer.hidden.weight, iter(hidden.weight), self.d_ff, f"{where}.hidden.weight")
        _demand([layer.hidden.bias], iter([hidden.bias]), 1, f"{where}.hidden.bias")
        _demand(layer.output.weight, (list(row) for row in output), d, f"{where}.output.weight")
        _demand([layer.output.bias], iter([[0] * d]), 1, f"{where}.output.bias")

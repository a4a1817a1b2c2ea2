"""How many networks a second ``count_many`` counts: ``python -m benchmarks.many``.

Networks have random weights with a fixed seed and a box for domain. Beside the rate are the cells of all, which are the
same in every run; the rate of ``count``, network by network, on the first few; and how many of these agree.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from exactgeo import Network, count, count_many

__all__ = ["CASES", "Case", "main"]

SEED = 20260416
ROUNDS = 3
ONE_BY_ONE = 50
"""Networks that ``count`` gets."""

Draw = Callable[[np.random.Generator, tuple[int, ...]], Any]


@dataclass(frozen=True, slots=True)
class Case:
    """Networks linear, relu, ..., linear of these widths."""

    name: str
    widths: tuple[int, ...]
    networks: int
    draw: Draw

    def document(self) -> dict[str, Any]:
        rng = np.random.default_rng(SEED)
        layers: list[dict[str, Any]] = []
        for inputs, outputs in zip(self.widths[:-1], self.widths[1:], strict=True):
            weight = self.draw(rng, (self.networks, outputs, inputs))
            layers += [{"type": "linear", "weight": weight, "bias": self.draw(rng, weight.shape[:2])}, {"type": "relu"}]
        dimension = self.widths[0]
        return {"input_dim": dimension, "domain": {"box": [[-1, 1]] * dimension}, "layers": layers[:-1]}


def _integers(rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
    return rng.integers(-3, 4, shape)


def _single(rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
    return rng.standard_normal(shape).astype(np.float32)


def _double(rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
    return rng.standard_normal(shape)


CASES = (
    Case("2-3-3-1, integers from -3 to 3", (2, 3, 3, 1), 100_000, _integers),
    Case("2-8-8-1, float32", (2, 8, 8, 1), 20_000, _single),
    Case("2-8-8-1, float64", (2, 8, 8, 1), 20_000, _double),
    Case("3-8-8-1, float32", (3, 8, 8, 1), 4_000, _single),
    Case("6-6-6-1, float32", (6, 6, 6, 1), 400, _single),
)


def _network(document: dict[str, Any], k: int) -> Network:
    layers = [
        {key: entry if key == "type" else entry[k] for key, entry in layer.items()} for layer in document["layers"]
    ]
    return Network.from_arrays({**document, "layers": layers})


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each case."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.many", description=__doc__.split("\n")[0])
    parser.add_argument("--workers", type=int, default=1, help="threads (default: 1)")
    parser.add_argument("--share", type=float, default=1.0, help="count this share of the networks (default: 1)")
    options = parser.parse_args(arguments)
    print(f"{'networks':32} {'number':>8} {'cells':>10} {'networks/s':>11} {'one by one':>11} {'agree':>8}")
    for case in CASES:
        case = Case(case.name, case.widths, max(1, int(case.networks * options.share)), case.draw)
        document = case.document()
        best = float("inf")
        for _ in range(ROUNDS):
            start = time.perf_counter()
            found = count_many(document, workers=options.workers)
            best = min(best, time.perf_counter() - start)
        few = min(ONE_BY_ONE, case.networks)
        start = time.perf_counter()
        singles = [count(_network(document, k), count_only=True).cells for k in range(few)]
        single = time.perf_counter() - start
        agree = sum(int(a == b) for a, b in zip(singles, found.cells.tolist(), strict=False))
        print(
            f"{case.name:32} {case.networks:8,} {int(found.cells.sum()):10,} {case.networks / best:11,.0f} "
            f"{few / single:11,.0f} {agree:4}/{few}"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

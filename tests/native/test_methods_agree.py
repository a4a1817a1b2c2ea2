"""The trees and the search of the core list the same cells as Python's split, whatever tier decides.

Degenerate networks by construction: coincident and parallel rows, ties, selectors with up to five classes, domains of
all kinds. A search that takes a pattern for empty because its row alone does not lead there loses cells exactly where a
selector has three classes or more.
"""

import pytest

from exactgeo import Network, native
from exactgeo.cells.enumerate import count_cells
from exactgeo.network.lowering import lowered
from tests.oracles.random_networks import COARSE, Taste, seeded

TASTES = {
    "coarse": Taste(COARSE, (1, 2), 3, units=3, hidden=4, pieces=4),
    "integers": Taste(3, (2, 3), 3, units=3, hidden=4, pieces=4),
    "ternary": Taste(1, (3,), 3, units=3, hidden=4, pieces=5),
}
MODES: dict[str, dict[str, float]] = {
    "plain": {},
    "unsure": {"unsure": 1.0},
    "at times": {"unsure": 0.3, "refine": True},
    "no grids": {"no_grids": True},
}


@pytest.mark.parametrize("taste", TASTES)
@pytest.mark.parametrize("seed", range(20))
def test_methods_agree(taste: str, seed: int) -> None:
    network = Network.from_arrays(seeded(f"{taste} {seed}", TASTES[taste]).document())
    core = lowered(network)
    wanted = sum(count_cells(network, "split", "python"))
    in_order: set[bytes] = set()
    patterns: set[frozenset[bytes]] = set()
    for faults in MODES.values():
        for method in (native.core.split, native.core.split_on_rows, native.core.search):
            count, flat, _ = method(core, listed=True, **faults)  # type: ignore[arg-type]
            assert count == wanted
            step = len(flat) // count
            patterns.add(frozenset(flat[k * step : (k + 1) * step] for k in range(count)))
            if method is native.core.split:
                in_order.add(flat)
    assert len(patterns) == len(in_order) == 1

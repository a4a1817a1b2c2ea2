"""Random degenerate networks for walls, regions and shapes, and what Python says of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from exactgeo import Network
from exactgeo.cells.cell import Cell
from exactgeo.cells.forest import Forest
from exactgeo.cells.python_core import PythonCore
from exactgeo.cells.python_walls import PythonWalls
from exactgeo.regions.regions import equal_maps
from tests.oracles.random_networks import Taste, seeded

__all__ = ["JUMPS", "MODES", "TASTES", "Known", "known", "networks"]

JUMPS = ("attention", "relu", "linear", "ffn", "attention", "tropical_attention", "hard_tanh")
TASTES = {
    "all kinds": Taste(dimensions=(1, 2, 3)),
    "four dimensions": Taste(dimensions=(4,), layers=2, units=3, hidden=3),
    "jumps": Taste(dimensions=(2, 3), layers=4, units=3, hidden=3, pieces=4, kinds=JUMPS),
    "wide": Taste(dimensions=(2,), units=4, hidden=3, pieces=4),
    "integers": Taste(2, (1, 2, 3), layers=4, units=4, hidden=3, pieces=3),
}
MODES: dict[str, dict[str, float]] = {
    "plain": {},
    "unsure": {"unsure": 1.0},
    "at times": {"unsure": 1 / 3, "refine": True},
    "no grids": {"no_grids": True, "point_bits": 3},
}
FEW = 150
"""Cells, at most: Python needs a second for a thousand walls."""


@dataclass(frozen=True)
class Known:
    """The cells of a network in the order of split, the ends of all walls, of each cell its map and its region."""

    cells: list[Cell]
    ends: list[tuple[int, int]]
    maps: list[int]
    regions: list[int]


def networks(taste: str, seeds: range) -> Iterator[tuple[int, Network]]:
    """Those of a taste that have few cells."""
    for seed in seeds:
        network = Network.from_arrays(seeded(seed, TASTES[taste]).document())
        if _has_few_cells(network):
            yield seed, network


def _has_few_cells(network: Network) -> bool:
    cells = PythonCore(network, "split").cells(len(network.stages))
    return sum(1 for _ in zip(range(FEW + 1), cells, strict=False)) <= FEW


@cache
def known(taste: str, seed: int) -> Known:
    network = Network.from_arrays(seeded(seed, TASTES[taste]).document())
    return known_of(network)


def known_of(network: Network) -> Known:
    cells = list(PythonCore(network, "split").cells(len(network.stages)))
    ends = sorted(PythonWalls().walls(cells).ends())
    maps = [0] * len(cells)
    for members in equal_maps(cells):
        for position in members:
            maps[position] = min(members)
    forest = Forest()
    for one, two in ends:
        if maps[one] == maps[two]:
            forest.join(one, two)
    return Known(cells, ends, _numbered(maps), _numbered([forest.root(k) for k in range(len(cells))]))


def _numbered(names: list[int]) -> list[int]:
    """The same partition, numbered by first members."""
    numbers: dict[int, int] = {}
    return [numbers.setdefault(name, len(numbers)) for name in names]

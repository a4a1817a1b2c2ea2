"""The native core against the split in Python: the same cells in the same order, whoever decides the signs.

The split on generators lists cells in the order of ``partition.split``; the split on rows and the search list them in
the order of their patterns, since both take selectors and classes as they come. Neither order may depend on how signs
are decided, so each method lists them once more in each *tier*: faults are injected that leave a filter's verdict
unused, make levels or programs anew in other arithmetic, or spoil what floats propose.

What a cell is listed with is checked as well: its rows (``origins``) hold on it, and its facets are among them.
"""

import random
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from exactgeo import Network, enumerate_cells, native
from exactgeo.cells import Cell
from exactgeo.network.lowering import lowered
from exactgeo.partition.selectors import difference
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.rows import Row, dot, primitive
from tests.oracles.degenerate_networks import FAMILIES, NUMBERS
from tests.oracles.degenerate_networks import document as degenerate
from tests.oracles.random_networks import Document, Maker, Taste

__all__ = ["METHODS", "MOST_CELLS", "SIGN_TIERS", "TIERS", "agree", "agree_on", "check_rows", "drawn", "run", "summed"]

Faults = Mapping[str, float]
Flat = list[int]
"""A pattern without its nesting."""

METHODS = ("split", "rows", "search")
MOST_CELLS = 250
"""A network with more cells is left out: there are many small ones in the time of a large one."""
MOST_GENERATORS = 64
"""A domain with more of them is left to the search in Python, and to rows and search of the core."""
SPLIT_DIMENSIONS = 5

SIGN_TIERS: Mapping[str, Faults] = {
    "as it is": {},
    "no float sign": {"unsure": 1.0},
    "two float signs in three": {"unsure": 1 / 3},
    "49 float signs in 50": {"unsure": 1 / 50},
    "refined": {"refine": True},
    "no grids": {"no_grids": True},
    "refined, no grids, some signs": {"refine": True, "no_grids": True, "unsure": 1 / 3},
}
PROGRAM_TIERS: Mapping[str, Faults] = {
    "exact programs": {"programs": 1.0},
    "perturbed multipliers, some exact programs": {"perturbed": True, "programs": 1 / 3},
    "points of 3 bits": {"point_bits": 3},
    "spoilt in every way": {"point_bits": 3, "perturbed": True, "no_grids": True, "unsure": 1 / 3, "programs": 1 / 50},
}
TIERS: Mapping[str, Faults] = {**SIGN_TIERS, **PROGRAM_TIERS}


def run(
    core: "native.core.Network", method: str, listed: bool, faults: Faults, seed: int = 1
) -> tuple[int, bytes, "native.core.Tally"]:
    """How many cells the core finds, their patterns if ``listed``, and how it decided."""
    methods = {"split": native.core.split, "rows": native.core.split_on_rows, "search": native.core.search}
    return methods[method](core, listed=listed, seed=seed, **faults)  # type: ignore[arg-type]


def agree(network: Network, seed: int, most: int = MOST_CELLS) -> Counter[str]:
    """One network by every method in every tier; what was seen, or an ``ArithmeticError`` that says what differs."""
    cells = _cells_by_python(network, most)
    if cells is None:
        return Counter({"too many cells": 1})
    generated = network.input_dim <= SPLIT_DIMENSIONS and cells[1] == "split"
    expected = [[name for stage in cell.pattern for name in stage] for cell in cells[0]]
    in_order = {"split": expected, "rows": sorted(expected), "search": sorted(expected)}
    core = lowered(network, mapped=seed % 2 == 1)
    seen: Counter[str] = Counter({"networks": 1, "cells": len(expected)})
    for method in METHODS if generated else METHODS[1:]:
        for tier, faults in (SIGN_TIERS if method == "split" else TIERS).items():
            number, patterns, tally = run(core, method, True, faults, seed)
            found = _unpacked(patterns, number)
            if found != in_order[method]:
                kind = "the same in another order" if sorted(found) == in_order["search"] else "others"
                raise ArithmeticError(f"{method}, {tier}: {number} cells, expected {len(expected)}; {kind}")
            seen["lists"] += 1
            seen["exact signs"] += tally.exact
            seen["exact programs"] += tally.exact_programs
        number, _, _ = run(core, method, False, {}, seed)
        if number != len(expected):
            raise ArithmeticError(f"{method} counts {number} cells, and lists {len(expected)}")
        check_rows(core, method, cells[0][:20], seed)
    if _is_arrangement(network):
        number = _counted(core, "flats")
        if number != len(expected):
            raise ArithmeticError(f"flats: {number} cells, expected {len(expected)}")
        seen["by flats"] += 1
    return seen


def _cells_by_python(network: Network, most: int) -> tuple[list[Cell], str] | None:
    """The cells by split where the domain has few generators, else by search; None where there are more."""
    few = Cone.of(network.domain_rows, network.input_dim, MOST_GENERATORS) is not None
    cells: list[Cell] = []
    for cell in enumerate_cells(network, "split", core="python") if few else enumerate_cells(network, "search"):
        cells.append(cell)
        if len(cells) > most:
            return None
    if (
        few
        and len(cells) <= 8
        and {c.pattern for c in cells} != {c.pattern for c in enumerate_cells(network, "search")}
    ):
        raise ArithmeticError("split and search in Python disagree")
    return cells, "split" if few else "search"


def _is_arrangement(network: Network) -> bool:
    """Whether flats may count: one stage, with two candidates a selector, on all of R^d."""
    sizes = {len(selector.candidates) for stage in network.stages for selector in stage.selectors}
    return len(network.stages) == 1 and not network.domain_rows and sizes <= {1, 2}


def _unpacked(patterns: bytes, number: int) -> list[Flat]:
    flat = array("H")
    flat.frombytes(patterns)
    if not number:
        return []
    length, rest = divmod(len(flat), number)
    if rest:
        raise ArithmeticError(f"{number} cells cannot have {len(flat)} winners")
    return [flat[k * length : (k + 1) * length].tolist() for k in range(number)]


def _finished(job: "native.core.CellsJob") -> Iterator[tuple[bytes, bytes, bytes]]:
    """The blocks of a job, to its end."""
    done = False
    while not done:
        done = job.wait(10)
        while (block := job.take()) is not None:
            yield block


def _counted(core: "native.core.Network", method: str) -> int:
    job = native.core.CellsJob(core, method)
    if list(_finished(job)):
        raise ArithmeticError(f"{method} lists what it should count")
    return job.cells


def check_rows(core: "native.core.Network", method: str, cells: Sequence[Cell], seed: int) -> None:
    """The rows that cells are listed with are positive inside, and have all facets among them.

    But for facets of the domain where there are linear programs: bounds of variables are no rows.
    """
    by_pattern = {tuple(name for stage in cell.pattern for name in stage): cell for cell in cells}
    for patterns, firsts, origins in _finished(native.core.CellsJob(core, method, listed=True, rows=True, seed=seed)):
        first, origin = array("q"), array("i")
        first.frombytes(firsts)
        origin.frombytes(origins)
        for k, pattern in enumerate(_unpacked(patterns, len(first) - 1)):
            cell = by_pattern.get(tuple(pattern))
            if cell is None:
                continue
            point = cell.body.interior()
            rows = {_row(cell, *origin[4 * j : 4 * j + 4]) for j in range(first[k], first[k + 1])}
            if any(dot(row, point) <= 0 for row in rows):
                raise ArithmeticError(f"{method}: a row of cell {pattern} does not hold inside")
            given = rows if method == "split" else rows | {primitive(row) for row in cell.domain}
            if not {primitive(row) for row in cell.irredundant_rows()} <= given:
                raise ArithmeticError(f"{method}: a facet of cell {pattern} is not among its rows")


def _row(cell: Cell, level: int, selector: int, winner: int, loser: int) -> Row:
    if level < 0:
        return primitive(cell.domain[selector])
    rows = cell.trail[level].selectors[selector].rows
    return primitive(difference(rows[winner], rows[loser]))


def drawn(seed: int) -> tuple[Document, str]:
    """The network of a seed, and its kind: every third is of a family that is degenerate by construction."""
    if seed % 3 == 0:
        family = sorted(FAMILIES)[seed // 3 % len(FAMILIES)]
        return degenerate(family, seed), family
    rng = random.Random(seed)
    numbers = rng.choice(sorted(NUMBERS))
    dimensions = (6, 7, 8) if seed % 30 == 1 else (1, 1, 2, 2, 2, 3, 3, 4, 5)
    taste = Taste(
        NUMBERS[numbers],
        dimensions=dimensions,
        units=3,
        hidden=4,
        pieces=rng.choice([3, 4, 6]),
        repeats=rng.choice([1, 3, 9]),
    )
    return Maker(rng.randint, taste).document(), f"random, {numbers} numbers"


def agree_on(seed: int) -> Counter[str]:
    """``agree`` on the network of a seed, which an error names; documents that are no networks are counted as such."""
    made, kind = drawn(seed)
    try:
        network = Network.from_arrays(made)
    except ValueError as error:
        return Counter({f"refused: {type(error).__name__}": 1})
    try:
        seen = agree(network, seed)
    except Exception as error:
        raise ArithmeticError(f"seed {seed}, {kind}: {type(error).__name__}: {error}") from error
    seen[kind] += seen["networks"]
    return seen


def summed(seeds: range) -> Counter[str]:
    """``agree_on`` all of these."""
    total: Counter[str] = Counter()
    for seed in seeds:
        total.update(agree_on(seed))
    return total

"""Random networks on which engine, certificate, checker and brute force must agree: ``python -m benchmarks.agreement``.

For each network

- the engine lists all cells and joins them to regions (``exactgeo.linear_regions``);
- the compiled kernel, which so small a network would do without, lists and counts as many, each in its own way;
- the compiled proof search writes a certificate of these counts, which fails where its own leaves, maps or regions
  differ; the search in Python must write the same bytes;
- ``proofs_check`` reads the certificate and must prove exactly these numbers;
- where there are few cells, brute force (``tests.oracles.brute``) counts from the definitions, by linear programs.

Network number n comes from the seed n alone. By n mod 3 it is *repeated* (units, keys, pieces or rows of the domain are
copied, scaled or turned round, by construction), *unbounded* (all of R^d, an orthant, a half-space, or a slab with
lineality), or neither by construction. Multipliers are spelled out in every second certificate. A network with too
many cells is replaced by the next one of the same seed. Any disagreement ends the run with the seed.
"""

import argparse
import json
import multiprocessing
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from exactgeo import Network, count_cells, enumerate_cells, linear_regions
from exactgeo.cells import choose_method
from exactgeo.cells.compiled import Compiled
from exactgeo.certificate import Counts
from exactgeo.certificate.certificate import certificate_lines
from exactgeo.certificate.provers import PROVERS
from proofs_check import check
from tests.oracles.brute import brute_counts
from tests.oracles.random_networks import COARSE, LAYERS, ODD, TINY, UNBOUNDED, Maker, Taste

__all__ = ["KINDS", "agree", "document", "main"]

KINDS = ("repeated", "unbounded", "plain")
MOST_CELLS = 400
"""A network with more cells is replaced: there are many small ones in the time of a large one."""
MOST_BY_BRUTE_FORCE = 60

DOMAINS = {"repeated": ("crowded",), "unbounded": UNBOUNDED, "plain": ("box", "box", "simplex")}


def _taste(rng: random.Random, kind: str) -> Taste:
    """Blocks of transformers, ffn and attention, are made twice as often as other layers."""
    return Taste(
        rng.choice([COARSE, COARSE, TINY, ODD]),
        dimensions=(1, 1, 2, 2, 2, 3, 3, 4),
        units=3,
        hidden=4,
        pieces=4,
        repeats=10 if kind == "repeated" else 1,
        kinds=(*LAYERS, "ffn", "attention"),
        domains=DOMAINS[kind],
    )


def document(seed: int) -> tuple[dict[str, Any], str]:
    """The network of a seed, and its kind."""
    kind = KINDS[seed % 3]
    rng = random.Random(seed)
    while True:
        made = Maker(rng.randint, _taste(rng, kind)).document()
        if not any(cells > MOST_CELLS for cells, _ in enumerate(enumerate_cells(Network.from_arrays(made)), 1)):
            return made, kind


def agree(seed: int, folder: Path) -> Counter[str]:
    """One network, counted in every way; what was seen, or an ``ArithmeticError``."""
    made, kind = document(seed)
    network = Network.from_arrays(made)
    found = linear_regions(enumerate_cells(network))
    counts = Counts(len(found.cells), len(found), found.affine_maps)
    numbers = (counts.cells, counts.regions, counts.affine_maps)
    try:
        multipliers = seed % 2 == 1
        path = folder / f"{seed % 2}.jsonl"
        for prover in PROVERS:
            if PROVERS[prover].load().prover(network, multipliers, True) is None:
                continue
            lines = list(certificate_lines(network, counts, multipliers, core=prover))
            path.write_bytes(b"".join(lines))
            proved = check(str(path))
            claims = numbers[0], *numbers[1:2] * 2, *numbers[2:] * 2
            _demand((proved.cells, *proved.regions, *proved.affine_maps), claims)
        if network.stages and choose_method(network) == "split":
            core = Compiled(network).ready()
            listed = linear_regions(enumerate_cells(network, "split", core=core))
            _demand((len(listed.cells), len(listed), listed.affine_maps), numbers)
            _demand([sum(count_cells(network, "split", core=core))], numbers[:1])
        by_brute_force = counts.cells <= MOST_BY_BRUTE_FORCE
        if by_brute_force:
            _demand(brute_counts(json.loads(network.document)), numbers)
    except Exception as error:
        raise ArithmeticError(f"seed {seed}: {type(error).__name__}: {error}") from error
    seen: Counter[str] = Counter({"networks": 1, kind: 1, "cells": counts.cells, "by brute force": by_brute_force})
    seen["merged: fewer regions than cells"] = len(found) < counts.cells
    seen["separated: fewer maps than regions"] = found.affine_maps < len(found)
    seen["two stages or more"] = len(network.stages) > 1
    for line in lines[1:-1]:
        letter = line[2:3].decode()
        seen[f"records {letter}"] += 1
        if letter == "N" and line[5:6] == b"[":
            seen["records N on stages"] += 1
    return seen


def _demand(found: Sequence[int | None], expected: Sequence[int | None]) -> None:
    if tuple(found) != tuple(expected):
        raise ArithmeticError(f"{found}, the engine counts {expected}")


def _batch(seeds: range) -> Counter[str]:
    with tempfile.TemporaryDirectory(prefix="exactgeo-") as folder:
        return sum((agree(seed, Path(folder)) for seed in seeds), Counter())


def _each(seeds: Sequence[range], processes: int, done: Callable[[Counter[str]], None]) -> None:
    if processes == 1:
        for batch in seeds:
            done(_batch(batch))
        return
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for seen in pool.imap_unordered(_batch, seeds):
            done(seen)


def main(argv: Sequence[str] | None = None) -> int:
    """Run and print the summary; a disagreement is an exception that names the seed."""
    parser = argparse.ArgumentParser(prog="benchmarks.agreement", description="engine = certificate = checker = brute")
    parser.add_argument("--networks", type=int, default=10_000, metavar="N", help="how many (default 10,000)")
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="the first seed (default 0)")
    parser.add_argument("--processes", type=int, default=2, metavar="P")
    arguments = parser.parse_args(argv)
    started = time.perf_counter()
    last = arguments.first + arguments.networks
    total: Counter[str] = Counter()

    def done(seen: Counter[str]) -> None:
        total.update(seen)
        print(f"\r{total['networks']:,} networks agree", end="", file=sys.stderr, flush=True)

    _each([range(k, min(k + 50, last)) for k in range(arguments.first, last, 50)], arguments.processes, done)
    print(file=sys.stderr)
    print(f"engine, certificate and checker agree on all {total['networks']:,} networks, 0 disagreements;")
    print(f"brute force agrees on all {total['by brute force']:,} of them with at most {MOST_BY_BRUTE_FORCE} cells")
    for name in (*KINDS, *sorted(total.keys() - {*KINDS, "networks", "by brute force"})):
        print(f"{name:<36}{total[name]:>10,}")
    print(f"{time.perf_counter() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())

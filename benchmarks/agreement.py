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
from fractions import Fraction
from pathlib import Path
from typing import Any

from exactgeo import Network, count_cells, enumerate_cells, linear_regions
from exactgeo.cells import choose_method
from exactgeo.cells.compiled import Compiled
from exactgeo.certificate import Counts
from exactgeo.certificate.certificate import certificate_lines, framed
from exactgeo.certificate.compiled_tree import ready  # what is loaded is used for every certificate
from exactgeo.certificate.tree import prove
from proofs_check import check
from tests.oracles.brute import brute_counts

__all__ = ["KINDS", "agree", "document", "main"]

KINDS = ("repeated", "unbounded", "plain")
MOST_CELLS = 400
"""A network with more cells is replaced: there are many small ones in the time of a large one."""
MOST_BY_BRUTE_FORCE = 60

COARSE = ("0", "0", "1", "-1", "1", "-1", "2", "1/2", "-3/2", "7/5")
TINY = ("0", "1", "-1", "0", "1")
ODD = ("3/7", "-0.35", "11", "-2/9", "1.25", "-1", "0.6", "5/4", "-13/8", "0")

Rows = list[list[str]]


class _Maker:
    """One random document."""

    def __init__(self, rng: random.Random, kind: str) -> None:
        self.rng = rng
        self.kind = kind
        self.numbers = rng.choice([COARSE, COARSE, TINY, ODD])

    def document(self) -> dict[str, Any]:
        rng = self.rng
        dimension = rng.choice([1, 1, 2, 2, 2, 3, 3, 4])
        document: dict[str, Any] = {"format": "exactgeo-network/1", "input_dim": dimension}
        domain = self._unbounded(dimension) if self.kind == "unbounded" else self._domain(dimension)
        if domain is not None or rng.random() < 0.5:
            document["domain"] = domain
        layers: list[dict[str, Any]] = []
        width = dimension
        stages = rng.randint(1, 3)
        while stages:
            layer, width = self._layer(width)
            layers.append(layer)
            stages -= 1
        document["layers"] = layers
        return document

    def _number(self) -> str:
        return self.rng.choice(self.numbers)

    def _rows(self, count: int, columns: int) -> Rows:
        """A matrix; where things are to be repeated, a row of it is a multiple of another."""
        rng = self.rng
        rows = [[self._number() for _ in range(columns)] for _ in range(count)]
        if count > 1 and (self.kind == "repeated" or rng.random() < 0.1):
            source, target = rng.sample(range(count), 2)
            factor = Fraction(rng.choice(["1", "1", "2", "1/3", "-1"]))
            rows[target] = [str(Fraction(entry) * factor) for entry in rows[source]]
        return rows

    def _affine(self, inputs: int, outputs: int) -> dict[str, Any]:
        """Rows and constants are repeated together, so that whole units coincide."""
        if self.rng.random() < 0.6:
            rows = self._rows(outputs, inputs + 1)
            return {"weight": [row[1:] for row in rows], "bias": [row[0] for row in rows]}
        return {"weight": self._rows(outputs, inputs)}

    def _axes(self, dimension: int) -> Rows:
        return [["1", *[str(int(k == i)) for k in range(dimension)]] for i in range(dimension)]

    def _domain(self, dimension: int) -> dict[str, Any] | None:
        rng = self.rng
        if rng.random() < 0.6 and self.kind != "repeated":
            return {"box": [[-rng.randint(0, 2), rng.choice([1, 2, "1/2"])] for _ in range(dimension)]}
        axes = self._axes(dimension)
        rows = [*axes, ["2", *["-1"] * dimension]]
        if self.kind == "repeated":
            rows += [["2", *[str(2 * int(entry)) for entry in axes[0][1:]]], ["0"] * (dimension + 1)]
            rows += [["3", *["0"] * dimension], axes[-1]]
            rng.shuffle(rows)
        return {"inequalities": rows}

    def _unbounded(self, dimension: int) -> dict[str, Any] | None:
        axes = self._axes(dimension)
        shape = self.rng.randrange(5)
        if shape < 2:
            return None
        if shape == 2:
            return {"inequalities": axes}
        if shape == 3 or dimension == 1:
            return {"inequalities": [["1/2", *["1"] * dimension]]}
        return {"inequalities": [axes[0], ["1", "-1", *["0"] * (dimension - 1)]]}

    def _layer(self, width: int) -> tuple[dict[str, Any], int]:
        """A layer on ``width`` inputs, and the number of its outputs."""
        rng = self.rng
        kinds = ["linear", "relu", "leaky_relu", "abs", "hard_tanh", "maxout", "ffn", "ffn", "attention", "attention"]
        kind = rng.choice([*kinds, "tropical_attention"])
        if kind == "linear":
            outputs = rng.randint(1, 3)
            return {"type": kind, **self._affine(width, outputs)}, outputs
        if kind == "maxout":
            units = rng.randint(1, 2)
            return {"type": kind, "units": [self._affine(width, rng.randint(1, 4)) for _ in range(units)]}, units
        if kind == "ffn":
            hidden, residual = rng.randint(1, 4), rng.random() < 0.4
            outputs = width if residual else rng.randint(1, 2)
            ffn = {"hidden": self._affine(width, hidden), "output": self._affine(hidden, outputs)}
            return {"type": kind, "residual": residual, **ffn}, outputs
        if kind in ("attention", "tropical_attention"):
            return self._attention(kind, width)
        layer: dict[str, Any] = {"type": kind}
        if kind == "leaky_relu":
            layer["slope"] = rng.choice(["1/2", "0", "-1", "1", "2"])
        return layer, width

    def _attention(self, kind: str, width: int) -> tuple[dict[str, Any], int]:
        rng = self.rng
        values = "values" if kind == "attention" else "log_values"
        count, channels = rng.randint(1, 2), rng.randint(1, 2)
        heads = []
        for _ in range(count):
            size, keys = rng.randint(1, 2), rng.randint(1, 4)
            head = {"query": self._affine(width, size), "keys": self._rows(keys, size)}
            if rng.random() < 0.5:
                head["score_bias"] = [self._number() for _ in range(keys)]
            head[values] = self._rows(keys, channels)
            heads.append(head)
        layer: dict[str, Any] = {"type": kind, "heads": heads}
        outputs = count * channels
        residual = rng.random() < 0.5
        if kind == "attention" and (residual or rng.random() < 0.4):
            mixed = outputs
            outputs = width if residual else rng.randint(1, 2)
            layer |= {"output": self._affine(mixed, outputs), "residual": residual}
        return layer, outputs


def document(seed: int) -> tuple[dict[str, Any], str]:
    """The network of a seed, and its kind."""
    kind = KINDS[seed % 3]
    rng = random.Random(seed)
    while True:
        made = _Maker(rng, kind).document()
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
        lines = list(certificate_lines(network, counts, multipliers))
        tree = [item for item in prove(network, multipliers) if isinstance(item, list)]
        if list(framed(network, counts, tree))[1:-1] != lines[1 : 1 + len(tree)]:
            raise ArithmeticError("the compiled proof search and that in Python write different records")
        path = folder / f"{seed % 2}.jsonl"
        path.write_bytes(b"".join(lines))
        proved = check(str(path))
        if network.stages and choose_method(network) == "split":
            core = Compiled(network).ready()
            listed = linear_regions(enumerate_cells(network, "split", core=core))
            _demand((len(listed.cells), len(listed), listed.affine_maps), numbers)
            _demand([sum(count_cells(network, "split", core=core))], numbers[:1])
        _demand((proved.cells, *proved.regions, *proved.affine_maps), (numbers[0], *numbers[1:2] * 2, *numbers[2:] * 2))
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
    ready()
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

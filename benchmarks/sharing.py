"""Counting by states measured, ``python -m benchmarks.sharing``: beyond listing, and where there is nothing to share.

Each construction is counted by states, as fast as cells alone can be (*count*) and with regions told apart (*regions*);
its certificate is written and then checked by ``proofs_check``. Every count must be that of the closed formula, and of
the checker, else the run fails. The target is ``MOST`` seconds for each step.

Networks with nothing to share are counted by split alone and as ``exactgeo count --count-only`` does it, with states
tried beside it; and likewise with regions. The target is a ratio of at most ``MOST_RATIO``. What is tried before a
cell is counted, to choose the method, is told apart (*choice*).

Seconds are processor time of one thread. The tables go into their own section of ``RESULTS.md``.
"""

import argparse
import gc
import math
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from benchmarks.run import WORKLOADS, machine
from benchmarks.sections import RESULTS, write_section
from exactgeo import Network, count_cells, enumerate_cells, linear_regions, load_network
from exactgeo.cells.cores import cell_core
from exactgeo.cells.states import Counting, Trial
from exactgeo.certificate.shared import write_shared_certificate
from exactgeo.regions.states import region_bounds
from exactgeo.theory.constructions import Construction, folding, jumping, optimal, zigzag
from exactgeo.theory.lower_bound import construction, lower_bound
from proofs_check import check

__all__ = ["main"]

MOST, MOST_RATIO = 60, 1.2
"""The targets: seconds for each step; time with states tried over that without."""

REPEATED, QUICK = 5, 1.0
"""A measurement is repeated so many times, unless it takes more than so many seconds; the best is taken."""

T = TypeVar("T")


def _theorem(d: int, N: int, L: int, d_ff: int) -> Construction:
    bound = lower_bound(d, N, L, d_ff)
    return Construction(construction(bound), bound.construction_count)


CONSTRUCTIONS: dict[str, tuple[str, Callable[[], Construction]]] = {
    "Theorem V.7, d=3 N=8 L=20 w=1": ("16^60", lambda: _theorem(3, 8, 20, 6)),
    "Theorem V.7, d=2 N=10 L=50 d_ff=8": ("40^100", lambda: _theorem(2, 10, 50, 8)),
    "Theorem V.7, d=4 N=4 L=10 w=1": ("8^40", lambda: _theorem(4, 4, 10, 8)),
    "the same with jumps, d=2 N=10 L=50 d_ff=10": ("50^100", lambda: jumping(2, 10, 50, 10)),
    "optimal for d=1, 3 heads, N=8 L=50 d_ff=8": ("198^50", lambda: optimal(1, 3, 8, 50, 8)),
    "zigzag maxout, n=2 K=3 L=30": ("5^60", lambda: zigzag(2, 3, 30)),
    "the same on all of R^2": ("5^60", lambda: zigzag(2, 3, 30, bounded=False)),
    "the same without linear layers": ("5^60", lambda: zigzag(2, 3, 30, absorbed=True)),
    "Montúfar's folding, n=2, widths 8 (30 times) and 6": ("16^30 * 22", lambda: folding(2, [8] * 30 + [6])),
}

NOTHING = ("w3_2-32-32-1_all", "m_2-64-64_box", "m_3-32-32_box", "m_4-16-16_box", "m_5-12-12_box", "t_d3_H3_N6_ff6_L2")
"""Workloads without equal images; the three in the middle have more than 10,000 cells, where a trial begins."""


@dataclass(frozen=True, slots=True)
class Shared:
    """One construction; times in seconds."""

    name: str
    formula: str
    digits: int
    states: int
    count: float
    regions: float
    told: str
    templates: int
    produce: float
    size: int
    check: float
    proved: str


@dataclass(frozen=True, slots=True)
class Alone:
    """One workload with nothing to share: seconds without and with a trial of states."""

    name: str
    cells: int
    choice: float
    counting: tuple[float, float]
    listing: tuple[float, float]


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(prog="benchmarks.sharing", description="counting by states")
    parser.add_argument("--dry", action="store_true", help=f"leave {RESULTS} as it is")
    arguments = parser.parse_args(argv)
    shared = []
    for name, (formula, make) in CONSTRUCTIONS.items():
        shared.append(_construction(name, formula, make()))
        print(shared[-1], flush=True)
    alone = []
    for name in NOTHING:
        alone.append(_workload(name))
        print(alone[-1], flush=True)
    print(_verdict(shared, alone))
    if not arguments.dry:
        write_section("sharing", "benchmarks.sharing", _report(shared, alone))
        print(f"written to {RESULTS}")
    return 0


def _construction(name: str, formula: str, made: Construction) -> Shared:
    count, counting = _timed(lambda: Counting(made.network).run())
    regions, (kept, bounds) = _timed(lambda: _with_regions(made.network))
    if not counting.cells == kept.cells == made.cells == eval(formula.replace("^", "**"), {}):
        raise ArithmeticError(f"{name}: {counting.cells} and {kept.cells} cells, by the formula {made.cells}")
    if made.different and bounds != ((made.cells, made.cells),) * 2:
        raise ArithmeticError(f"{name}: not all of the {made.cells} maps are told apart")
    with tempfile.TemporaryDirectory(prefix="exactgeo-") as folder:
        path = Path(folder) / "proof.jsonl.gz"
        produce, claim = _timed(lambda: write_shared_certificate(kept, path, regions=True))
        checked, proved = _timed(lambda: check(str(path)))
        size = path.stat().st_size
    if (proved.cells, claim.cells) != (made.cells, made.cells):
        raise ArithmeticError(f"{name}: the checker proves {proved.cells} cells, not {made.cells}")
    low, high = bounds[0]
    return Shared(
        name=name,
        formula=formula,
        digits=int(math.log10(made.cells)) + 1,
        states=counting.states,
        count=count,
        regions=regions,
        told="as many" if low == made.cells else f"{low / made.cells:.3f} to {high / made.cells:.3f} of them",
        templates=kept.states + (claim.regions is not None),
        produce=produce,
        size=size,
        check=checked,
        proved="cells" if proved.regions[0] < made.cells else "cells, regions",
    )


def _with_regions(network: Network) -> tuple[Counting, tuple[tuple[int, int], tuple[int, int]]]:
    counting = Counting(network, keep=True).run()
    return counting, region_bounds(counting)


def _workload(name: str) -> Alone:
    network = load_network(WORKLOADS / f"{name}.json")
    core = cell_core(network)

    def cells(trial: Trial | None) -> int:
        return sum(_beside(trial, count_cells(network, "split", core), int))

    def regions(trial: Trial | None) -> int:
        listed = _beside(trial, enumerate_cells(network, "split", core=core), lambda _: 1)
        return len(linear_regions(listed).cells)

    numbers = []
    pairs = []
    choice = math.inf
    for way in (cells, regions):
        # In turn, so that both meet the same machine.
        times: list[list[float]] = [[], []]
        for _ in range(REPEATED):
            for column, tried in zip(times, (False, True), strict=True):
                gc.collect()
                start = time.process_time()
                trial = Trial(network)
                for _ in trial.advance(0):
                    pass
                begin = time.process_time()
                choice = min(choice, begin - start)
                numbers.append(way(trial if tried else None))
                column.append(time.process_time() - begin)
        pairs.append((min(times[0]), min(times[1])))
    if len(set(numbers)) > 1:
        raise ArithmeticError(f"{name}: counted as {sorted(set(numbers))}")
    return Alone(name, numbers[0], choice, pairs[0], pairs[1])


def _beside(trial: Trial | None, found: Iterator[T], size: Callable[[T], int]) -> Iterator[T]:
    """What a method finds, with states tried beside it as the command line does."""
    cells = 0
    for item in found:
        yield item
        cells += size(item)
        if trial is not None:
            for _ in trial.advance(cells):
                pass
            if trial.counting.done:
                raise ArithmeticError("a network with nothing to share was counted by states")


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    """Processor seconds, the best of some, and the answer."""
    best = math.inf
    for _ in range(REPEATED):
        gc.collect()
        start = time.process_time()
        answer = work()
        seconds = time.process_time() - start
        best = min(best, seconds)
        if seconds > QUICK:
            break
    return best, answer


# -- the report --------------------------------------------------------------------------------------------------------


def _verdict(shared: Sequence[Shared], alone: Sequence[Alone]) -> str:
    steps = [(seconds, one) for one in shared for seconds in (one.count, one.regions, one.produce, one.check)]
    slowest, one = max(steps, key=lambda pair: pair[0])
    ratios = [(tried / plain, each) for each in alone for plain, tried in (each.counting, each.listing)]
    worst, other = max(ratios, key=lambda pair: pair[0])
    return (
        f"Every step takes at most {slowest:.1f} s ({one.name}); the target is {MOST} s. With nothing to share, time "
        f"is at most {worst:.2f} times that without a trial ({other.name}); the target is {MOST_RATIO}."
    )


def _report(shared: Sequence[Shared], alone: Sequence[Alone]) -> str:
    head = ["construction", "cells", "digits", "states", "count", "with regions", "regions"]
    head += ["templates", "produce", "kB", "check", "proved"]
    first = [
        [
            one.name,
            one.formula.replace(" * ", " · "),
            str(one.digits),
            str(one.states),
            f"{one.count:.2f}",
            f"{one.regions:.2f}",
            one.told,
            f"{one.templates:,}",
            f"{one.produce:.2f}",
            f"{one.size / 1000:,.0f}",
            f"{one.check:.2f}",
            one.proved,
        ]
        for one in shared
    ]
    second = [
        [
            f"`{one.name}`",
            f"{one.cells:,}",
            f"{one.choice:.3f}",
            *[
                entry
                for plain, tried in (one.counting, one.listing)
                for entry in (f"{plain:.3f}", f"{tried:.3f}", f"{tried / plain:.2f}")
            ],
        ]
        for one in alone
    ]
    columns = ["workload", "cells", "choice", "count", "tried", "ratio", "regions", "tried", "ratio"]
    return f"""## Counting by states

By `python -m benchmarks.sharing`. Machine: {machine()}. Seconds are processor time of one thread: to *count* cells by
states, to count them *with regions*, to *produce* the certificate (*kB* compressed) and to *check* it with
`proofs_check`. All cells are those of the closed formulas, and were verified. {_verdict(shared, alone)}

{_table(head, first)}

Networks with nothing to share, counted and listed (with regions) by split alone, and with states *tried* beside it;
*choice* is what is tried before a cell is counted:

{_table(columns, second)}
"""


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    sys.exit(main())

"""The long attack on proofs_check: 1,000,000 mutants, 1,000,000 forgeries, every sabotaged checker.

    python -m benchmarks.attack [--units N] [--first K] [--jobs J]      (make attack)

A *unit* is one true certificate: the designed ones first, then random ones, without and with templates in turn; unit k
has the seed k, so every unit is the same in every run, and an attack that was stopped is resumed with --first. Of each
unit's certificate 250 mutants and 250 forgeries are checked. Wrong is: a crash, a certificate accepted that states what
is not true (by brute force), or one accepted that must be rejected. Whatever is wrong is printed with its bytes, and
the exit code is 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from multiprocessing import get_context

from tests.proofs_check import forger, mutants
from tests.proofs_check.bases import Base, designed_bases, random_base, random_shared_base, shared_bases
from tests.proofs_check.checkers import honest, sabotaged, scratch
from tests.proofs_check.forger_shared import SharedForger
from tests.proofs_check.make_corpus import corpus
from tests.proofs_check.sabotage import (
    SABOTAGE,
    Sabotage,
    exposed_by_corpus,
    exposed_by_forgeries,
    exposed_by_networks,
    exposed_by_truth,
    forgeries_for,
)

__all__ = ["main"]

EACH = 250
UNITS = 1_000_000 // EACH


@dataclass
class Tally:
    """What one unit, or all of them, came to. Keys are (attack, verdict)."""

    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.verdicts += other.verdicts
        self.rules += other.rules
        self.wrong += other.wrong


def _base(unit: int) -> Base:
    designed = (*designed_bases(), *shared_bases())
    if unit < len(designed):
        return designed[unit]
    return random_shared_base(unit) if unit % 2 else random_base(unit)


def _forgeries(base: Base, seed: int) -> Iterator[forger.Forgery]:
    """Those with templates for a certificate that has templates or bounds."""
    if any(record[0] in "BT" for record in base.certificate.records):
        return SharedForger(base, seed).forgeries(EACH)
    return forger.Forger(base, seed).forgeries(EACH)


def _attack(unit: int) -> Tally:
    """One unit."""
    tally, base = Tally(), _base(unit)
    with scratch() as folder:
        checker = honest(folder)
        if not checker(base.certificate.data()).accepted:
            tally.wrong.append(f"unit {unit}: a true certificate is refused\n{base.certificate.data()!r}")
        for mutant, verdict, reason in mutants.run(checker, mutants.mutants(base, unit, EACH)):
            tally.verdicts["mutants", verdict.kind] += 1
            tally.rules[verdict.rule] += 1
            if reason:
                tally.wrong.append(f"unit {unit}, mutant {mutant.change}: {reason}\n{mutant.data!r}")
        # a certificate to which few moves apply is made up for by another seed
        forgeries = chain(*(_forgeries(base, 1000 * unit + k) for k in range(3)))
        for (forgery, verdict, reason), _ in zip(forger.run(checker, forgeries), range(EACH), strict=False):
            tally.verdicts["forgeries", verdict.kind] += 1
            tally.rules[verdict.rule] += 1
            if reason:
                data = forgery.certificate.data()
                tally.wrong.append(f"unit {unit}, forgery {forgery.move}: {reason}\n{data!r}")
    return tally


def _sabotage(sabotage: Sabotage) -> tuple[str, str, str]:
    """How the copy was exposed: by the corpus, by the forger with its move, or not."""
    bases = (*designed_bases(), *shared_bases())
    with scratch() as folder, sabotaged(sabotage.name, sabotage.file, sabotage.old, sabotage.new, folder) as checker:
        ways = (
            exposed_by_corpus(checker, corpus()),
            exposed_by_networks(checker, folder),
            exposed_by_truth(checker, bases),
        )
        files = sum(1 for way in ways for _ in way)
        found, tried = "", 0
        if sabotage.move:
            found, tried = exposed_by_forgeries(checker, forgeries_for(sabotage))
        elif sabotage.equivalent:
            every = chain.from_iterable(islice(_forgeries(base, 3), 100) for base in bases)
            found, tried = exposed_by_forgeries(checker, every)
    by_forger = f"{tried}: {found}" if found else "-"
    return sabotage.name, str(files), by_forger


def _progress(results: Iterator[Tally], units: range) -> Tally:
    total, started, last = Tally(), time.monotonic(), 0.0
    for done, tally in enumerate(results, start=1):
        total.add(tally)
        for wrong in tally.wrong:
            print(f"WRONG {wrong}", flush=True)
        elapsed = time.monotonic() - started
        if elapsed - last > 30 or done == len(units):
            last = elapsed
            checked = sum(total.verdicts.values())
            print(
                f"{done} of {len(units)} units, {checked} checked, {elapsed:.0f} s, {len(total.wrong)} wrong",
                flush=True,
            )
    return total


def _table(total: Tally) -> None:
    kinds = ("VERIFIED", "REJECTED", "UNREADABLE", "CRASHED")
    print(f"\n{'':12}{'checked':>10}" + "".join(f"{kind.lower():>12}" for kind in kinds))
    for attack in ("mutants", "forgeries"):
        counts = [total.verdicts[attack, kind] for kind in kinds]
        print(f"{attack:12}{sum(counts):>10}" + "".join(f"{count:>12}" for count in counts))
    print(f"wrong: {len(total.wrong)}; rules met: {len([rule for rule in total.rules if rule])}")


def main(arguments: list[str] | None = None) -> int:
    """Attack; the exit code is 1 if anything was wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attack", description="The long attack on proofs_check.")
    parser.add_argument("--units", type=int, default=UNITS, help=f"certificates to attack (default {UNITS})")
    parser.add_argument("--first", type=int, default=0, help="the first unit, to resume")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--no-sabotage", action="store_true", help="leave out the sabotaged checkers")
    options = parser.parse_args(arguments)
    units = range(options.first, options.units)
    failed = False
    with get_context("spawn").Pool(options.jobs, maxtasksperchild=100) as pool:
        total = _progress(pool.imap(_attack, units, chunksize=4), units)
        _table(total)
        failed |= bool(total.wrong)
        if not options.no_sabotage:
            print(f"\n{'sabotaged checker':50} files  forger (moves tried)")
            by_name = {sabotage.name: sabotage for sabotage in SABOTAGE}
            survived = []
            for name, files, by_forger in pool.imap(_sabotage, SABOTAGE, chunksize=4):
                sabotage = by_name[name]
                exposed = files != "0" or by_forger != "-"
                print(f"{name:50} {files:>5}  {by_forger if exposed else 'equivalent: ' + sabotage.equivalent[:60]}")
                if exposed == bool(sabotage.equivalent) or (sabotage.move and by_forger == "-"):
                    survived.append(name)
            equivalent = sum(bool(sabotage.equivalent) for sabotage in SABOTAGE)
            print(f"\n{len(SABOTAGE)} sabotaged checkers, {equivalent} equivalent, wrong about: {survived or None}")
            failed |= bool(survived)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""The forger of templates, references and bounds.

A lie is told while a certificate is made (`sharing.LIES`), so that all the rest fits it: the template of a set that is
too large has a tree of that set, and the count is that of the tree. Or it is told in the records of a true certificate.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tests.proofs_check.bases import Base
from tests.proofs_check.checkers import Certificate, Record
from tests.proofs_check.forger import Forgery
from tests.proofs_check.sharing import LIES, NoCertificate, Sharing, counted

__all__ = ["SHARED_MOVES", "SharedForger", "shared_forgeries_of"]

Change = Callable[["SharedForger", list[Record]], bool]


class SharedForger:
    """Forgeries of one network's certificates with templates."""

    def __init__(self, base: Base, seed: int) -> None:
        self.base, self.rng = base, random.Random(f"shared forger {base.name} {seed}")
        self.start = base.certificate.start
        self.sources = [base.certificate]  # and lies

    def forgeries(self, count: int, moves: list[str] | None = None) -> Iterator[Forgery]:
        """That many forgeries, by random moves; fewer if the moves do not apply."""
        made = misses = 0
        while made < count and misses < (60 if moves is None else 4):
            # lies take long to make: one in thirty, and then others are told on top of them
            move = self.rng.choice(moves or (LIES if self.rng.random() < 1 / 30 else list(CHANGES)))
            certificate = next((c for _ in range(3) if (c := self.forged(move)) is not None), None)
            if certificate is None:
                misses += 1
                continue
            made, misses = made + 1, 0
            yield Forgery(move, certificate)

    def forged(self, move: str) -> Certificate | None:
        network = self.base.certificate.network
        if move in LIES:
            share, bound = self.rng.choice([1.0, 0.9, 0.6]), self.rng.choice([0.2, 0.8])
            try:
                made = Sharing(network, self.rng.randrange(10**6), share, bound, move)
            except NoCertificate:
                return None
            if not made.lied:
                return None
            self.sources.append(Certificate(network, made.claim(), made.records, start=made.start))
            return self.sources[-1]
        source = self.rng.choice(self.sources)
        self.start = source.start
        records = json.loads(json.dumps(source.records))
        if not CHANGES[move](self, records):
            return None
        cells = counted(records, self.start + len(records) - len(source.records))
        claim: dict[str, Any] = {"cells": cells, "regions": None, "affine_maps": None}
        if move == "false_uniform":
            claim = dict.fromkeys(claim, cells)
        return Certificate(network, claim, records, start=self.start)

    # -- changes of the records; the main tree keeps its length --

    def _some(self, records: list[Record], kinds: str) -> Record | None:
        found = [record for record in records if record[0] in kinds]
        return self.rng.choice(found) if found else None

    def _another_template(self, records: list[Record]) -> bool:
        """Another template, perhaps a later one or the node's own."""
        record = self._some(records, "RQ")
        if record is None:
            return False
        before = record[1]
        record[1] = self.rng.randrange(-1, sum(r[0] == "T" for r in records) + 1)
        return bool(record[1] != before)

    def _another_evidence(self, records: list[Record]) -> bool:
        """Evidence of another row, or of another record."""
        record, other = self._some(records, "RQ"), self._some(records, "Q")
        if record is None or other is None:
            return False
        entries = record[2] if record[0] == "R" or self.rng.random() < 0.5 else record[3]
        source = other[self.rng.choice([2, 3])]
        if not entries or not source:
            return False
        entries[self.rng.randrange(len(entries))] = copy.deepcopy(self.rng.choice(source))
        return True

    def _another_multiplier(self, records: list[Record]) -> bool:
        """Multipliers made up, zero and negative ones too."""
        record = self._some(records, "RQ")
        if record is None:
            return False
        entries = record[2] if record[0] == "R" or self.rng.random() < 0.5 else record[3]
        if not entries:
            return False
        i = self.rng.randrange(len(entries))
        numbers = entries[i][0] if entries[i] and isinstance(entries[i][0], list) else entries[i]
        length = max(0, len(numbers) + self.rng.choice([0, 0, 0, 1, -1]))
        entries[i] = [numbers, [self.rng.randint(-1, 3) for _ in range(length)]]
        return True

    def _evidence_left_out(self, records: list[Record]) -> bool:
        record = self._some(records, "RQ")
        entries = record[self.rng.choice([2, 3])] if record else []
        if not entries:
            return False
        del entries[self.rng.randrange(len(entries))]
        return True

    def _other_kind(self, records: list[Record]) -> bool:
        """Q in the place of R, or R in the place of Q."""
        record = self._some(records, "RQ")
        if record is None:
            return False
        template = [r for r in records if r[0] == "T"][record[1]]
        if record[0] == "Q":
            record[0], record[3] = "R", [list(anchor) for anchor in template[5]]
        else:
            record[0], record[3] = "Q", [[0] for _ in range(self.rng.randint(0, 4))]
        return True

    def _another_set(self, records: list[Record]) -> bool:
        """A row of a template moved, turned or left out, and the tree kept."""
        template = self._some(records, "T")
        if template is None or not template[4]:
            return False
        i = self.rng.randrange(len(template[4]))
        row = template[4][i]
        kind = self.rng.randrange(4)
        if kind == 0:
            row[self.rng.randrange(len(row))] += self.rng.choice([1, -1])
        elif kind == 1:
            template[4][i] = [-value for value in row]
        elif kind == 2:
            template[4][i] = [0] * len(row)
        else:
            del template[4][i]
        return True

    def _another_chart(self, records: list[Record]) -> bool:
        template = self._some(records, "T")
        if template is None or not template[3]:
            return False
        line = self.rng.choice(template[3])
        line[self.rng.randrange(len(line))] += self.rng.choice([1, -1, -2])
        return True

    def _another_anchor(self, records: list[Record]) -> bool:
        """An anchor moved, or a point over it."""
        record = self._some(records, "TR")
        points = (record[5] if record[0] == "T" else record[3]) if record else []
        if not points:
            return False
        point = self.rng.choice(points)
        point[self.rng.randrange(len(point))] += self.rng.choice([1, -1, 2])
        return True

    def _another_stage(self, records: list[Record]) -> bool:
        template = self._some(records, "T")
        if template is None:
            return False
        template[1] += self.rng.choice([1, -1])
        return True

    def _closed_by_reference(self, records: list[Record]) -> bool:
        """A reference of elsewhere in the place of a leaf or of an empty node."""
        record, other = self._some(records, "LX"), self._some(records, "RQ")
        if record is None or other is None:
            return False
        record[:] = copy.deepcopy(other)
        return True

    def _other_bounds(self, records: list[Record]) -> bool:
        """Bounds by other rows."""
        record = self._some(records, "B")
        if record is None:
            return False
        before = record[1]
        record[1] = sorted({max(0, k + self.rng.choice([0, 0, 1, -1, 2])) for k in before})
        return bool(record[1] != before)

    def _closed_by_bounds(self, records: list[Record]) -> bool:
        """A B in the place of an X, an M or an L."""
        record, other = self._some(records, "XML"), self._some(records, "B")
        if record is None or other is None:
            return False
        record[:] = copy.deepcopy(other)
        return True

    def _template_twice(self, records: list[Record]) -> bool:
        """The order of templates changed: a block of records moved to the front."""
        starts = [i for i, record in enumerate(records) if record[0] == "T"]
        if len(starts) < 2:
            return False
        k = self.rng.randrange(1, len(starts))
        end = starts[k + 1] if k + 1 < len(starts) else self.start
        records[:] = records[starts[k] : end] + records[: starts[k]] + records[end:]
        return True

    def _false_uniform(self, records: list[Record]) -> bool:
        """As many regions and maps as cells claimed."""
        return any(record[0] in "RQ" for record in records) and len(set(self.base.truth)) > 1


CHANGES: dict[str, Change] = {
    "another_template": SharedForger._another_template,
    "another_evidence": SharedForger._another_evidence,
    "another_multiplier": SharedForger._another_multiplier,
    "evidence_left_out": SharedForger._evidence_left_out,
    "other_kind": SharedForger._other_kind,
    "another_set": SharedForger._another_set,
    "another_chart": SharedForger._another_chart,
    "another_anchor": SharedForger._another_anchor,
    "another_stage": SharedForger._another_stage,
    "closed_by_reference": SharedForger._closed_by_reference,
    "other_bounds": SharedForger._other_bounds,
    "closed_by_bounds": SharedForger._closed_by_bounds,
    "template_twice": SharedForger._template_twice,
    "false_uniform": SharedForger._false_uniform,
}
SHARED_MOVES: list[str] = [*LIES, *CHANGES]


def shared_forgeries_of(bases: Iterable[Base], name: str, seed: int, rounds: int) -> Iterator[Forgery]:
    """Forgeries by one move, from all bases in turn, a few at a time."""
    forgers = [SharedForger(base, seed) for base in bases]
    for _ in range(rounds):
        for forger in forgers:
            yield from forger.forgeries(2, [name])

"""10,000 directed forgeries: accepted implies true. (1,000,000 with `make attack`.)"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.proofs_check.bases import Base, designed_bases, random_base, random_shared_base, shared_bases
from tests.proofs_check.checkers import honest, scratch
from tests.proofs_check.forger import MOVES, Forger, name_of, run
from tests.proofs_check.forger_shared import SHARED_MOVES, SharedForger


def _bases() -> list[Base]:
    return [*designed_bases(), *map(random_base, range(100, 140))]


@pytest.mark.parametrize("part", range(4))
def test_forgeries(part: int) -> None:
    bases = _bases()[part::4]
    each = 2500 // len(bases) + 1
    kinds: Counter[str] = Counter()
    moves: Counter[str] = Counter()
    with scratch() as folder:
        checker = honest(folder)
        for base in bases:
            for forgery, verdict, reason in run(checker, Forger(base, 0).forgeries(each)):
                assert not reason, f"{base.name}, {forgery.move}: {reason}\n{forgery.certificate.data()!r}"
                kinds[verdict.kind] += 1
                moves[forgery.move] += 1
    assert kinds["REJECTED"] > 2000
    assert sum(kinds.values()) >= 2500


def test_every_move_finds_something_to_forge() -> None:
    moves: Counter[str] = Counter()
    for base in _bases()[::2]:
        forger = Forger(base, 1)
        for move in MOVES:
            moves.update(forgery.move for forgery in forger.forgeries(1, [move]))
    assert set(moves) == {name_of(move) for move in MOVES}


@pytest.mark.parametrize("part", range(2))
def test_forgeries_of_templates(part: int) -> None:
    bases = [*shared_bases(), *map(random_shared_base, range(20, 40))][part::2]
    kinds: Counter[str] = Counter()
    with scratch() as folder:
        checker = honest(folder)
        for base in bases:
            for forgery, verdict, reason in run(checker, SharedForger(base, 0).forgeries(16)):
                assert not reason, f"{base.name}, {forgery.move}: {reason}\n{forgery.certificate.data()!r}"
                kinds[verdict.kind] += 1
    assert kinds["REJECTED"] > 500


def test_every_move_with_templates_finds_something_to_forge() -> None:
    moves: Counter[str] = Counter()
    for base in shared_bases()[::2]:
        forger = SharedForger(base, 1)
        for move in SHARED_MOVES:
            if move not in moves:
                moves.update(forgery.move for forgery in forger.forgeries(1, [move]))
    assert set(moves) == set(SHARED_MOVES)

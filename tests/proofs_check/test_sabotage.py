"""Sabotaged checkers: each is exposed, or equivalent with a written argument."""

from __future__ import annotations

from itertools import chain, islice

import pytest

from tests.proofs_check.bases import designed_bases, random_base, random_shared_base, shared_bases
from tests.proofs_check.checkers import sabotaged, scratch
from tests.proofs_check.forger import Forger
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

EXPOSED = [sabotage for sabotage in SABOTAGE if not sabotage.equivalent]
EQUIVALENT = [sabotage for sabotage in SABOTAGE if sabotage.equivalent]


def test_there_are_enough() -> None:
    assert len(EXPOSED) >= 40
    assert len({sabotage.name for sabotage in SABOTAGE}) == len(SABOTAGE)


@pytest.mark.parametrize("sabotage", EXPOSED, ids=lambda sabotage: str(sabotage.name))
def test_exposed(sabotage: Sabotage) -> None:
    with scratch() as folder, sabotaged(sabotage.name, sabotage.file, sabotage.old, sabotage.new, folder) as checker:
        if sabotage.move:  # the forger makes it accept what is false
            found, _ = exposed_by_forgeries(checker, forgeries_for(sabotage))
            assert found
            assert "crash" not in found
            return
        files = {path: file for path, file in corpus().items() if not path.startswith("unreadable")} | corpus()
        ways = (exposed_by_corpus(checker, files), exposed_by_networks(checker, folder))
        bases = (*designed_bases(), *shared_bases())
        assert any(True for way in (*ways, exposed_by_truth(checker, bases)) for _ in way)


@pytest.mark.parametrize("sabotage", EQUIVALENT, ids=lambda sabotage: str(sabotage.name))
def test_equivalent(sabotage: Sabotage) -> None:
    bases = [*designed_bases(), random_base(0), random_base(1)]
    shared = [*shared_bases(), random_shared_base(0), random_shared_base(1)]
    with scratch() as folder, sabotaged(sabotage.name, sabotage.file, sabotage.old, sabotage.new, folder) as checker:
        ways = (
            exposed_by_corpus(checker, corpus()),
            exposed_by_networks(checker, folder),
            exposed_by_truth(checker, [*bases, *shared]),
        )
        assert [found for way in ways for found in way] == []
        forgeries = chain.from_iterable(Forger(base, 2).forgeries(10) for base in bases)
        assert exposed_by_forgeries(checker, islice(forgeries, 800))[0] == ""
        forgeries = chain.from_iterable(SharedForger(base, 2).forgeries(5) for base in shared)
        assert exposed_by_forgeries(checker, islice(forgeries, 300))[0] == ""

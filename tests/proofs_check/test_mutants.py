"""10,000 random mutants: accepted implies true; some must be rejected. (1,000,000 with `make attack`.)"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.proofs_check.bases import designed_bases, random_base, random_shared_base, shared_bases
from tests.proofs_check.checkers import honest, scratch
from tests.proofs_check.mutants import mutants, run


@pytest.mark.parametrize("part", range(4))
def test_mutants(part: int) -> None:
    bases = [*designed_bases(), *map(random_base, range(40)), *shared_bases(), *map(random_shared_base, range(20))][
        part::4
    ]
    each = 2500 // len(bases) + 1
    kinds: Counter[str] = Counter()
    with scratch() as folder:
        checker = honest(folder)
        for base in bases:
            assert checker(base.certificate.data()).accepted
            for mutant, verdict, reason in run(checker, mutants(base, 0, each)):
                assert not reason, f"{base.name}, {mutant.change}: {reason}\n{mutant.data!r}"
                kinds[verdict.kind] += 1
    # the mutation reaches the semantic rules, and finds harmless changes too
    assert kinds["REJECTED"] > 1000
    assert kinds["UNREADABLE"] > 100
    assert kinds["VERIFIED"] > 50
    assert sum(kinds.values()) >= 2500

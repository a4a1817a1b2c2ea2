"""Samples see cells of the network that is counted, and no more than there are."""

from pathlib import Path

import pytest

from benchmarks import figure6
from benchmarks.figure6 import Counted, blocks, sums
from benchmarks.sections import RESULTS


@pytest.mark.parametrize("seed", range(3))
def test_samples_are_a_lower_bound(seed: int) -> None:
    """In coarse weights rounding has no room to invent a cell."""
    for document in (blocks(3, 2, seed), sums(2, 5, seed)):
        found = Counted.of(document, 5000, seed)
        assert 0 < found.seen <= found.cells
        assert found.invented == 0


def test_samples_find_every_cell_where_cells_are_large() -> None:
    found = Counted.of(sums(2, 2, 0), 20000, 0)  # a sum of two segments: a parallelogram
    assert (found.cells, found.seen, found.invented) == (4, 4, 0)
    assert found.firsts[0] == 0
    assert found.missed(0) == 1
    assert found.missed(1) == 0.75
    assert found.missed(20000) == 0


def test_few_samples_print_and_write_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    page = Path(__file__).parents[2] / RESULTS
    before = page.read_bytes()
    assert figure6.main(["--samples", "100", "--seeds", "1"]) == 0
    assert page.read_bytes() == before
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 8 + 18
    assert printed[0].startswith("(a) L = 1, N = 2: ")

"""The families of the scaling benchmark have the cells that theory says, and exponents are slopes."""

import doctest
from pathlib import Path

from benchmarks import scaling
from benchmarks.plots import Panel, Series, draw
from exactgeo import count_cells


def test_exponents() -> None:
    assert doctest.testmod(scaling).attempted > 0
    assert doctest.testmod(scaling).failed == 0


def test_small_members_of_the_families() -> None:
    for case in (
        scaling.arrangement(2, 12),
        scaling.arrangement(3, 8),
        scaling.v7(2, 1, "V.7"),
        scaling.v7(1, 3, "V.7"),
    ):
        assert sum(count_cells(case.network)) == case.expected
    assert sum(count_cells(scaling.heads(2, 2, 3))) > 1
    assert sum(count_cells(scaling.deep(2, 4, 2))) > 1


def test_a_plot_is_drawn_twice_alike_or_a_word_says_why_not(tmp_path: Path) -> None:
    panels = [Panel("powers", "x", "y", [Series("squares", [1, 2, 4], [1, 4, 16])])]
    words = [draw(tmp_path / name, panels) for name in ("one.svg", "two.svg")]
    if "not drawn" in words[0]:
        assert words[0].endswith("matplotlib is not installed")
    else:
        assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()

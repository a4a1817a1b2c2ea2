"""What people read fits 80 columns and says where it is cut."""

import io
import os
from collections.abc import Sequence
from fractions import Fraction

import pytest

from exactgeo import Cell, Network
from exactgeo.cells import OnWall, cell_at
from exactgeo.report import progress as progress_module
from exactgeo.report.location import cell_text, formula, wall_text
from exactgeo.report.progress import ProgressLine
from exactgeo.report.tables import table


def _located(network: Network, point: Sequence[Fraction]) -> str:
    cell = cell_at(network, point)
    assert isinstance(cell, Cell)
    return cell_text(cell, [str(x) for x in point], [str(x) for x in network.evaluate(point)])


def test_formulas() -> None:
    assert formula(["0", "0"]) == "0"
    assert formula(["0", "-1", "1"]) == "-x1 + x2"
    assert formula(["-1/2", "-2/3", "0", "11"]) == "-1/2 - 2/3*x1 + 11*x3"
    assert formula(["-" + "7" * 50 + "/3", "1"]) == "-777777...777777[50 digits]/3 + x1"


def test_many_units_and_long_numbers_stay_readable() -> None:
    units = 120
    weight = [[Fraction(3 * i + 1, 10**60), *[i + j for j in range(40)]] for i in range(units)]
    network = Network.from_arrays(
        {"input_dim": 41, "layers": [{"type": "linear", "weight": weight, "bias": [1] * units}, {"type": "relu"}]}
    )
    point = [Fraction(1, k + 3) for k in range(41)]
    lines = _located(network, point).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) < 400
    assert any("... and 108 more, all of them with --json" in line for line in lines)
    assert any("... (the whole of it with --json)" in line for line in lines)
    assert any("[61 digits]" in line for line in lines)
    assert not any(line.endswith((" +", " -")) for line in lines)


def test_winners_are_named_as_in_the_file() -> None:
    head = {"query": {"weight": [[1]]}, "keys": [[1], [2], [2]], "log_values": [[0, 1], [1, 0], [1, 0]]}
    network = Network.from_arrays(
        {
            "input_dim": 1,
            "domain": {"box": [[1, 2]]},
            "layers": [{"type": "linear", "weight": [[1]]}, {"type": "tropical_attention", "heads": [head, head]}],
        }
    )
    lines = _located(network, [Fraction(4, 3)]).splitlines()
    assert lines[1:5] == [
        "winners  layers[1].heads[0].channels     {1,2} {1,2}",
        "         layers[1].heads[0].denominator  {1,2}",
        "         layers[1].heads[1].channels     {1,2} {1,2}",
        "         layers[1].heads[1].denominator  {1,2}",
    ]


def test_no_selectors_and_no_facets() -> None:
    network = Network.from_arrays({"input_dim": 2, "layers": [{"type": "linear", "weight": [[1, -1]]}]})
    lines = _located(network, [Fraction(1), Fraction(1)]).splitlines()
    assert "winners  none: the network is affine" in lines
    assert "facets   none: the cell is all of R^2" in lines
    assert network.describe() == "R^2 -> R^1, 1 stage, 0 selectors, domain all of the space"


@pytest.mark.parametrize(("number", "words"), [(1, "1 inequality"), (2, "2 inequalities")])
def test_domains_in_words(number: int, words: str) -> None:
    rows = [[1, 1, 1], [1, -1, 2]][:number]
    network = Network.mlp([[[1, 2]]], domain={"inequalities": rows})
    assert repr(network) == f"<Network R^2 -> R^1, 1 stage, 0 selectors, domain {words}>"


def test_walls() -> None:
    text = wall_text(OnWall(0, "layers[0].heads[1]", (0, 2, 5)))
    assert " ".join(text.split()) == (
        "on a wall: at this point candidates 0, 2 and 5 of layers[0].heads[1] tie, so no cell contains it"
    )
    assert max(map(len, wall_text(OnWall(0, "layers[0].heads[1]", tuple(range(500)))).splitlines())) <= 80


def test_tables_line_numbers_up() -> None:
    assert table([("cells", 12345), ("a", 6), ("file", "net.json")]).splitlines() == [
        "cells  12,345",
        "a           6",
        "file   net.json",
    ]


class _Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def _screen(monkeypatch: pytest.MonkeyPatch) -> _Screen:
    """A terminal as stderr; not a fixture, because pytest puts its own stderr in place before each test."""
    made = _Screen()
    monkeypatch.setattr("sys.stderr", made)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress_module, "INTERVAL", -1.0)
    return made


def test_progress_tells_phase_and_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = _screen(monkeypatch)
    progress = ProgressLine()
    for cells in (1, 2, 3, 2):
        progress.at_least(cells)
    progress.enter("joining regions")
    progress.proved(2)
    progress.clear()
    progress.clear()
    assert progress.cells == 3
    drawn = screen.getvalue().split("\r\x1b[K")
    assert drawn[1].startswith("reading the network  1 cells  ")
    assert drawn[-3:] == ["joining regions  3 cells", "joining regions  2 of 3 cells  0 s", ""]


def test_progress_is_silent_where_it_would_disturb(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = _screen(monkeypatch)
    hushed = ProgressLine()
    hushed.hush()
    hushed.enter("loading the kernel")
    hushed.at_least(1)
    hushed.proved(1)
    monkeypatch.setenv("TERM", "dumb")
    ProgressLine().at_least(1)
    monkeypatch.setattr("sys.stderr", io.StringIO())
    ProgressLine().at_least(1)
    assert screen.getvalue() == ""


def test_progress_keeps_to_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line over the edge was once wiped at its end only."""
    screen = _screen(monkeypatch)
    for columns, most in ((20, 19), (200, 79), (0, 79)):
        monkeypatch.setattr(screen, "fileno", lambda: 2)
        monkeypatch.setattr("os.get_terminal_size", lambda number, columns=columns: os.terminal_size((columns, 24)))
        ProgressLine().enter("loading " + "x" * 300)
        assert len(screen.getvalue().split("\r\x1b[K")[-1]) == most

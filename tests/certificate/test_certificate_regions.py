"""Merges and separations: regions that touch in vertices only, large classes of equal maps, jumps, prefixes."""

from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactgeo import Network
from tests.certificate.proving import Document, network_of, prove_and_check, records_of, small, weighed
from tests.oracles.brute import brute_counts

BOX: Document = {"box": [[0, 8], [0, 8]]}


def stripes(axis: int, breaks: list[int | str], values: list[int], channels: int = 1) -> Document:
    """A head on R^2 whose winner is j where x_axis is between the breaks j-1 and j, with value (values[j], 0, ...).

    Keys 0, 1, 2, ...: the score j x - (b_1 + ... + b_j) overtakes the one before at x = b_j. Breaks are integers.
    """
    sums = [0]
    for entry in breaks:
        sums.append(sums[-1] + int(entry))
    weight = [[int(k == axis) for k in range(2)]]
    return {
        "query": {"weight": weight},
        "keys": [[j] for j in range(len(values))],
        "score_bias": [-total for total in sums],
        "values": [[value, *[0] * (channels - 1)] for value in values],
    }


def checkerboard(size: int) -> Network:
    """|h - k| with h, k the parities of the stripes in x and y: size^2 cells, two maps; squares touch at corners."""
    breaks: list[int | str] = list(range(1, size))
    parities = [j % 2 for j in range(size)]
    heads = [stripes(axis, breaks, parities) for axis in range(2)]
    layers: list[Document] = [
        {"type": "attention", "heads": heads},
        {"type": "linear", "weight": [[1, -1]]},
        {"type": "abs"},
    ]
    return network_of(2, layers, {"box": [[0, size], [0, size]]})


@pytest.mark.parametrize(("size", "multipliers"), [(2, False), (3, True), (4, False), (7, True)])
def test_checkerboards(size: int, multipliers: bool, tmp_path: Path) -> None:
    """Every square is a region. Diagonal neighbours are free, those in one row or column need a separation.

    The stage before the last settles them, so every N is on stages.
    """
    path = tmp_path / "proof"
    assert prove_and_check(checkerboard(size), path, multipliers) == (size**2, size**2, 2 if size > 1 else 1)
    records = records_of(path, "WN")
    assert all(record[0] == "N" and isinstance(record[1], list) for record in records)
    assert (len(records) > 0) == (size > 2)
    assert all(len(record) == (7 if multipliers else 5) for record in records)
    if size == 3:
        assert brute_counts(small(checkerboard(size))) == (9, 9, 2)


def shifted(shift: int, rows: int) -> Network:
    """Stripes of alternating value in y, on the right of x = 1 moved up by ``shift``: the map jumps on x = 1."""
    move = stripes(0, [1], [0, shift], channels=2)
    move["values"] = [[0, 0], [0, shift]]
    values = [j % 2 for j in range(rows)]
    layers: list[Document] = [
        {"type": "attention", "heads": [move], "residual": True},
        {"type": "attention", "heads": [stripes(1, list(range(1, rows)), values)]},
    ]
    return network_of(2, layers, {"box": [[0, 2], [0, rows]]})


def test_stripes_that_go_on(tmp_path: Path) -> None:
    """Moved by two, a multiple of the period: each stripe goes on across x = 1, but for the last ones.

    Left: the stripes 0 .. 5. Right, y + 2: 2 .. 5, the last one from y = 3 on, with value 1, beside the stripes
    y in (3, 4), (4, 5), (5, 6) on the left. So (0, 1), (1, 2), (2, 3) go on, (3, 4) and (5, 6) are joined through the
    last one on the right, and (4, 5) stands alone: 5 regions. Cells: 6 + 4.
    """
    network = shifted(2, 6)
    assert prove_and_check(network, tmp_path / "proof") == (10, 5, 2)
    assert brute_counts(small(network)) == (10, 5, 2)


def test_stripes_that_touch_in_vertices_only(tmp_path: Path) -> None:
    """Moved by one: stripes of equal value meet across x = 1 in vertices. The parents have a wall, so leaves differ.

    Left: 0 .. 4, right: 1 .. 4, the last one from y = 3 on, with value 0, beside (3, 4) with value 1 and (4, 5) with 0.
    Cells 5 + 4; joined is one pair: 8 regions.
    """
    network = shifted(1, 5)
    path = tmp_path / "proof"
    assert prove_and_check(network, path, multipliers=True) == (9, 8, 2)
    assert brute_counts(small(network)) == (9, 8, 2)
    assert len(records_of(path, "W")) == 1
    records = records_of(path, "N")
    assert any(isinstance(record[1], int) for record in records)  # leaf against leaf, across x = 1
    assert {type(record[1]) for record in records} == {type(record[2]) for record in records}


def test_a_separation_on_stages_settles_all_leaves_below(tmp_path: Path) -> None:
    """Columns of value 0, 1, 0 and rows of one value: two outer columns with one map, a wall apart from each other.

    The rows are cells all the same. One N on the first stage for each pair of cells in one row; those in different
    rows are free.
    """
    rows = 6
    heads = [stripes(0, [1, 2], [0, 1, 0]), stripes(1, list(range(1, rows)), [5] * rows)]
    network = network_of(
        2, [{"type": "attention", "heads": heads}, {"type": "hard_tanh"}], {"box": [[0, 3], [0, rows]]}
    )
    path = tmp_path / "proof"
    assert prove_and_check(network, path) == (3 * rows, 3, 2)
    records = records_of(path, "N")
    assert len(records) == rows
    assert all(isinstance(record[1], list) and record[1][1] == 1 for record in records)


def test_leaves_below_two_parents_share_one_record(tmp_path: Path) -> None:
    """Columns that move y by 0, 1/2, 0, and rows that cut every column: one N for two columns, not for two cells.

    The last layer throws the rows' values away, and keeps those of the columns: regions are the columns.
    """
    move = stripes(0, [1, 2], [0, 0, 0], channels=2)
    move["values"] = [[0, 0], [0, "1/2"], [0, 0]]
    rows = 6
    second = [stripes(1, list(range(1, rows)), [5] * rows), stripes(0, [1, 2], [0, 1, 0])]
    layers: list[Document] = [
        {"type": "attention", "heads": [move], "residual": True},
        {"type": "attention", "heads": second},
    ]
    network = network_of(2, layers, {"box": [[0, 3], [0, rows]]})
    path = tmp_path / "proof"
    assert prove_and_check(network, path) == (3 * rows, 3, 2)
    assert [record[1:3] for record in records_of(path, "N")] == [[[0, 1], [2 * rows, 1]]]


@given(
    breaks=st.tuples(*[st.lists(st.integers(1, 7), unique=True, min_size=1, max_size=3).map(sorted) for _ in range(2)]),
    data=st.data(),
)
@settings(max_examples=40)
def test_few_values_on_a_grid(breaks: tuple[list[int | str], list[int | str]], data: st.DataObject) -> None:
    """Two stages with values 0 and 1 alone, discontinuous: large classes of equal maps in many components."""
    heads = []
    for axis in range(2):
        size = len(breaks[axis]) + 1
        values = data.draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))
        heads.append(stripes(axis, breaks[axis], values))
    signs = st.sampled_from(["0", "1", "-1"])
    unit: list[list[int | str]] = [[data.draw(signs) for _ in range(3)] for _ in range(data.draw(st.integers(1, 2)))]
    output = {"weight": [["1"] * len(unit)]}
    attention: Document = {"type": "attention", "heads": heads}
    if data.draw(st.booleans()):
        attention |= {"residual": True, "output": {"weight": [["1", "0"], ["0", "1"]]}}
    network = network_of(2, [attention, {"type": "ffn", "hidden": weighed(unit), "output": output}], BOX)
    with TemporaryDirectory() as folder:
        numbers = prove_and_check(network, Path(folder) / "proof", data.draw(st.booleans()))
    if numbers[0] <= 9:
        assert numbers == brute_counts(small(network))


def test_merges_cite_a_point_only_where_the_segment_misses_the_wall(tmp_path: Path) -> None:
    """Cells of one map in a staircase: some walls are small and away from the segment of the leaves' points."""
    rows: list[list[int | str]] = [[-k, 1, k * k] for k in range(1, 6)]
    hidden: Document = {"type": "ffn", "hidden": weighed(rows), "output": {"weight": [[0] * 5]}}
    path = tmp_path / "proof"
    cells, regions, maps = prove_and_check(network_of(2, [hidden]), path)
    assert (regions, maps) == (1, 1)
    walls = records_of(path, "W")
    assert len(walls) == cells - 1  # a spanning tree
    assert {len(record) for record in walls} <= {3, 4}
    assert any(len(record) == 3 for record in walls)


def test_regions_in_dimension_one(tmp_path: Path) -> None:
    """A zigzag 0, 1, 0, 1, ... of constants on a line: 9 cells, 2 maps, 9 regions, and N across points."""
    values = [[j % 2] for j in range(9)]
    sums = [0]
    for before, after in pairwise(range(9)):
        sums.append(sums[-1] + before + after)
    head = {"query": {"weight": [[1]]}, "keys": [[j] for j in range(9)], "values": values}
    head["score_bias"] = [f"-{total}/2" for total in sums]
    network = network_of(1, [{"type": "attention", "heads": [head]}])
    assert prove_and_check(network, tmp_path / "proof") == (9, 9, 2)
    assert prove_and_check(network, tmp_path / "proof", True) == brute_counts(small(network))


def test_a_large_class_is_not_compared_pair_by_pair(tmp_path: Path) -> None:
    """A checkerboard of 12 x 12: 144 regions, 2 maps of 72 cells, 5,112 pairs, of which 1 in 7 needs a record."""
    path = tmp_path / "proof"
    assert prove_and_check(checkerboard(12), path) == (144, 144, 2)
    assert len(records_of(path, "N")) == 2 * 12 * 2 * (6 * 5 // 2)  # pairs of equal colour in a row or column

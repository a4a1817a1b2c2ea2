"""The split tree: both proof searches, many dimensions, row numbers, ties, lineality."""

import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactgeo import Network, count_cells
from exactgeo.cells.choice import few_generators
from exactgeo.certificate import Counts, tree, write_certificate
from exactgeo.certificate.piece import NodePiece
from exactgeo.certificate.records import Leaf
from exactgeo.certificate.tree import prove
from exactgeo.certificate.tree_by_rows import ProverByRows
from exactgeo.errors import Inconsistent
from tests.certificate.proving import Document, network_of, prove_in_python, records_of, weighed
from tests.known.degenerate import DEGENERATE
from tests.oracles.strategies import documents

RELU: Document = {"type": "relu"}


def linear(*rows: list[int | str]) -> Document:
    return {"type": "linear", **weighed(list(rows))}


def patterns(network: Network, by_rows: bool) -> list[object]:
    items = ProverByRows(network, False).run() if by_rows else prove(network)
    return [item.cell.classes for item in items if isinstance(item, Leaf)]


# The two searches


@given(document=documents(), multipliers=st.booleans())
@settings(max_examples=60)
def test_by_rows_and_by_generators(document: Document, multipliers: bool) -> None:
    """The same leaves, perhaps in another order, and both trees are accepted, with their regions."""
    network = Network.from_arrays(document)
    found = patterns(network, by_rows=True)
    assert len(set(found)) == len(found)
    assert set(found) == set(patterns(network, by_rows=False))
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        patch.setattr(tree, "few_generators", lambda _: False)
        prove_in_python(network, Path(folder) / "proof", multipliers)


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_networks_by_rows(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document, expected = DEGENERATE[name]()
    monkeypatch.setattr(tree, "few_generators", lambda _: False)
    cells, _, _ = prove_in_python(Network.from_arrays(document), tmp_path / "proof", multipliers=len(name) % 2 == 0)
    assert cells == expected["cells"]


@pytest.mark.parametrize("dimension", [9, 10, 12])
def test_boxes_of_many_dimensions(dimension: int, tmp_path: Path) -> None:
    """Units x_1, ..., x_4 and a sum with x_d, on a cube with 2^d vertices.

    The last unit, x_1 + x_2 + x_d, takes both signs in every orthant of x_1, ..., x_4: 2^5 cells.
    """
    units: list[list[int | str]] = [[0, *[int(k == i) for k in range(dimension)]] for i in range(4)]
    units.append([0, 1, 1, *[0] * (dimension - 3), 1])
    box: Document = {"box": [[-1, 1]] * dimension}
    first = network_of(dimension, [linear(*units), RELU], box)
    assert not few_generators(first)
    assert prove_in_python(first, tmp_path / "proof") == (32, 32, 32)
    second = network_of(
        dimension, [linear(*units), RELU, {"type": "maxout", "units": [{"weight": [[1, 0, 0, 0, 0]]}]}], box
    )
    # max over one piece: the output is ReLU(x_1), two regions.
    assert prove_in_python(second, tmp_path / "proof", multipliers=True) == (32, 2, 2)


def test_attention_in_ten_dimensions(tmp_path: Path) -> None:
    """A head with four keys, one of them twice, one of them inside the hull of the others; then one unit."""
    d = 10
    keys = [[1, *[0] * (d - 1)], [-1, *[0] * (d - 1)], [0] * d, [1, *[0] * (d - 1)], [0, 2, *[0] * (d - 2)]]
    identity = [[int(i == j) for j in range(d)] for i in range(d)]
    head = {"query": {"weight": identity}, "keys": keys, "values": [[0], [1], [7], [2], [3]]}
    network = network_of(
        d, [{"type": "attention", "heads": [head]}, linear([-1, 1]), RELU], {"box": [[-1, 1]] * (d - 1) + [[0, 3]]}
    )
    # The winners: keys 0 and 3 with the mean value 1, key 1 with 1, key 4 with 3. ReLU(v - 1) is 0, 0 and 2.
    # Ties at x = (0, -c, ...): keys 0 and 1 meet in the wall {x_1 = 0, x_2 < 0}, so they are one region.
    assert prove_in_python(network, tmp_path / "proof") == (3, 2, 2)


# Row numbers


DOMAIN: list[list[int | str]] = [
    [0, 0, 0],
    ["3/2", 0, 0],
    ["0.5", 1, 0],
    [1, 2, 0],
    [1, -1, 0],
    [0, 0, 0],
    [1, 0, 1],
    ["1/2", "1", 0],
    [1, 0, -1],
    [5, 0, 0],
    [100, -1, -1],
]
"""-1/2 < x < 1, |y| < 1 with zero rows, constant rows, copies and multiples, and a row that is nowhere tight."""


@pytest.mark.parametrize("seed", range(12))
def test_rows_of_the_domain_keep_their_numbers(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    rows = list(DOMAIN)
    rng.shuffle(rows)
    units: list[list[int | str]] = [[rng.randint(-2, 2), rng.randint(-3, 3), rng.randint(-3, 3)] for _ in range(3)]
    network = network_of(2, [linear(*units, [1, 1, 0], [-2, 0, 1]), RELU], {"inequalities": rows})
    for multipliers in (False, True):
        prove_in_python(network, tmp_path / "proof", multipliers)
    cited = {k for record in records_of(tmp_path / "proof", "B") for k in record[1] if k < len(rows)}
    constant = {k for k, row in enumerate(rows) if row[1:] == [0, 0]}
    copies = {k for k, row in enumerate(rows) if row[1:] in ([1, 0], [2, 0], ["1", 0])} - {
        min(k for k, row in enumerate(rows) if row[1:] in ([1, 0], [2, 0], ["1", 0]))
    }
    assert cited  # 1 + x > 0 is proved by x > -1/2
    assert not cited & (constant | copies)


def test_of_equal_rows_the_first_is_cited(tmp_path: Path) -> None:
    """x >= 0 as rows 1, 2 and 3; the unit x + 1 is always on: B cites row 1."""
    network = network_of(1, [linear([1, 1]), RELU], {"inequalities": [[2, 0], [0, 1], [0, 3], [0, "1/2"]]})
    assert prove_in_python(network, tmp_path / "proof", multipliers=True) == (1, 1, 1)
    assert records_of(tmp_path / "proof") == [["B", [1]], ["L", 1, 1]]


# Shapes of trees


def test_no_selector_at_all(tmp_path: Path) -> None:
    network = network_of(3, [linear([1, 2, 3, 4]), linear([0, 1])])
    assert prove_in_python(network, tmp_path / "proof") == (1, 1, 1)
    assert [record[0] for record in records_of(tmp_path / "proof")] == ["L"]


def test_selectors_without_a_choice(tmp_path: Path) -> None:
    """One key; keys that all tie; a maxout unit with one piece: nothing is branched, nothing eliminated."""
    one = {"query": {"weight": [[1]]}, "keys": [[3]], "values": [[2]]}
    tied = {"query": {"weight": [[1]]}, "keys": [[3], [3], [3]], "values": [[2], [3], [7]]}
    layers: list[Document] = [
        {"type": "attention", "heads": [one, tied], "output": {"weight": [[1, 1]]}, "residual": True},
        {"type": "maxout", "units": [{"weight": [[2]]}]},
    ]
    network = network_of(1, layers)
    assert prove_in_python(network, tmp_path / "proof") == (1, 1, 1)
    assert [record[0] for record in records_of(tmp_path / "proof")] == ["L"]
    assert network.evaluate([0])[0] == 12  # 2 (0 + 2 + (2 + 3 + 7) / 3)


def test_a_class_that_only_two_others_beat_together(tmp_path: Path) -> None:
    """Scores x, -x, -1/2 + 0 y: the third is beaten by no single class on the plane, and by both together.

    max(x, -x) >= 0 > -1/2. The evidence cites both rivals: (-1/2 - x) + (-1/2 + x) = -1.
    """
    head: Document = {
        "query": {"weight": [[1, 0]]},
        "keys": [[1], [-1], [0]],
        "score_bias": [0, 0, "-1/2"],
        "values": [[0], [1], [2]],
    }
    assert prove_in_python(network_of(2, [{"type": "attention", "heads": [head]}]), tmp_path / "proof", True) == (
        2,
        2,
        2,
    )
    assert records_of(tmp_path / "proof", "EM") == [["E", 0, 2, [0, 1], [1, 1]], ["M", 0]]


def test_a_class_that_ties_where_it_touches(tmp_path: Path) -> None:
    """The same with the third score 0: it ties on {x = 0} and wins nowhere. S = 0, so the proviso is needed."""
    head: Document = {"query": {"weight": [[1, 0]]}, "keys": [[1], [-1], [0]], "values": [[0], [1], [2]]}
    assert prove_in_python(network_of(2, [{"type": "attention", "heads": [head]}]), tmp_path / "proof", True) == (
        2,
        2,
        2,
    )
    assert records_of(tmp_path / "proof", "E") == [["E", 0, 2, [0, 1], [1, 1]]]


@pytest.mark.parametrize("dimension", [1, 2, 3, 5])
def test_classes_are_eliminated_as_high_as_possible(dimension: int, tmp_path: Path) -> None:
    """Bias-free heads tie at the origin, a vertex of every node below the first cut; that must hide no loser.

    Once x_1 > 0 is known (head 0), the key -e_1 of head 1 has lost to e_1 on the whole node, and is eliminated there
    and not in each of the cells below.
    """
    identity = [[int(i == j) for j in range(dimension)] for i in range(dimension)]
    signs = [[1, *[0] * (dimension - 1)], [-1, *[0] * (dimension - 1)]]
    keys = [*signs, *[[0, *row[1:]] for row in identity[1:]]]
    heads: list[Document] = [
        {"query": {"weight": identity}, "keys": signs, "values": [[0], [1]]},
        {"query": {"weight": identity}, "keys": keys, "values": [[j] for j in range(len(keys))]},
    ]
    network = network_of(dimension, [{"type": "attention", "heads": heads}])
    cells, _, _ = prove_in_python(network, tmp_path / "proof")
    assert cells == 2 * dimension  # for each sign of x_1, the largest of |x_1|, x_2, ..., x_d
    records = records_of(tmp_path / "proof")
    assert len([record for record in records if record[0] == "E"]) <= 2 * dimension


def test_deep_trees_need_no_recursion(tmp_path: Path) -> None:
    """A zigzag of 40 layers in which one piece in two is dead: 41 cells at depth 40, each layer cutting one off.

    x -> ReLU(x) - 1 on (0, inf), again and again: the layer k cuts at k and kills what is left of it.
    """
    layers: list[Document] = []
    for _ in range(40):
        layers += [RELU, linear([-1, 1])]
    network = network_of(1, layers)
    # Left of 0 the map is constant, and of the cells (k-1, k) too: their images go to 0 for good.
    cells, regions, maps = prove_in_python(network, tmp_path / "proof")
    assert cells == 41
    assert (regions, maps) == (2, 2)


def test_a_wide_network_of_one_wall(tmp_path: Path) -> None:
    """300 multiples of one unit: the first cut settles them all."""
    rows: list[list[int | str]] = [[0, k if k % 2 else -k, k] for k in range(1, 301)]
    same: list[list[int | str]] = [[0, k, k] for k in range(1, 301)]
    assert prove_in_python(network_of(2, [linear(*same), RELU]), tmp_path / "proof") == (2, 2, 2)
    assert prove_in_python(network_of(2, [linear(*rows), RELU]), tmp_path / "proof", True) == (4, 4, 4)


def test_a_search_that_misses_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A defect in the cutting of cones does not become a proof."""
    network = network_of(2, [RELU])
    assert sum(count_cells(network)) == 4
    honest = NodePiece.split

    def forgetful(*arguments: Any) -> tuple[NodePiece | None, NodePiece | None]:
        return honest(*arguments)[0], None

    monkeypatch.setattr(NodePiece, "split", forgetful)
    with pytest.raises(Inconsistent):
        write_certificate(network, Counts(4), tmp_path / "proof", core="python")
    assert list(tmp_path.iterdir()) == []

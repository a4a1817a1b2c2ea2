"""Bounds: simplices around random polyhedra, judged by solving for the multipliers, and B records in trees."""

import random
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactgeo import Network, load_network
from exactgeo.certificate.bounds import Simplex, bounds, enclosing, tangents
from exactgeo.certificate.frames import MOST_PAIRED
from exactgeo.certificate.piece import NodePiece
from exactgeo.certificate.records import Leaf
from exactgeo.certificate.tables import Table
from exactgeo.certificate.tree import prove
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.rows import Row, dot
from tests.certificate import proving
from tests.certificate.proving import Document, network_of, records_of, weighed

prove_and_check = partial(proving.prove_and_check, core="python")

WORKLOADS = Path(__file__).parents[1] / "known" / "workloads"
RELU: Document = {"type": "relu"}


def linear(*rows: list[int | str]) -> Document:
    return {"type": "linear", **weighed(list(rows))}


def scattered(rng: random.Random, count: int, dimension: int, size: int = 9) -> Document:
    rows: list[list[int | str]] = [[rng.randint(-size, size) for _ in range(dimension + 1)] for _ in range(count)]
    return linear(*rows)


# Simplices


def multipliers(rows: Sequence[Row], form: Row) -> list[Fraction]:
    """The solution of sum(l_m rows_m) = form; the rows are a basis."""
    size = len(form)
    table = [[Fraction(row[c]) for row in rows] + [Fraction(form[c])] for c in range(size)]
    for c in range(size):
        pivot = next(r for r in range(c, size) if table[r][c])
        table[c], table[pivot] = table[pivot], table[c]
        table[c] = [x / table[c][c] for x in table[c]]
        for r in range(size):
            if r != c:
                table[r] = [x - table[r][c] * y for x, y in zip(table[r], table[c], strict=True)]
    return [row[-1] for row in table]


def covered(piece: NodePiece, numbers: Sequence[int], form: Row) -> bool:
    """By definition (FORMAT.md, section 4)."""
    one = (1, *[0] * (piece.width - 1))
    rows = [piece.rows[piece.numbers.index(number)] for number in numbers]
    assert list(numbers) == sorted(set(numbers))
    assert len(rows) in (piece.width - 1, piece.width)
    return min(multipliers(rows if len(rows) == piece.width else [*rows, one], form)) >= 0


def random_piece(rng: random.Random, dimension: int, bounded: bool) -> NodePiece | None:
    """A pointed polyhedron around 0, or None where the rows at hand have none."""
    rows: list[Row] = [
        (rng.randint(1, 9), *[rng.randint(-6, 6) for _ in range(dimension)]) for _ in range(dimension + 4)
    ]
    if bounded:
        for k in range(dimension):
            unit = [int(i == k) for i in range(dimension)]
            rows += [(7, *unit), (7, *[-x for x in unit])]
    cone = Cone.of(rows, dimension)
    if cone is None or cone.lines:
        return None
    numbers = list(range(len(cone.rows) - 1))
    rng.shuffle(numbers)
    return NodePiece.of(cone, (-1, *numbers))


def random_forms(rng: random.Random, piece: NodePiece, count: int) -> list[Row]:
    """Forms that are nonnegative on the piece: positive combinations of some rows, and supporting hyperplanes."""
    forms: list[Row] = []
    while len(forms) < count:
        chosen = rng.sample(range(len(piece.rows)), rng.randint(1, min(3, len(piece.rows))))
        factors = [rng.randint(1, 5) for _ in chosen]
        form = [sum(f * piece.rows[k][c] for f, k in zip(factors, chosen, strict=True)) for c in range(piece.width)]
        forms.append(tuple(form))
    return forms


@given(seed=st.integers(0, 10**6), dimension=st.integers(1, 4), bounded=st.booleans(), count=st.integers(1, 25))
@settings(max_examples=80)
def test_what_simplices_cover(seed: int, dimension: int, bounded: bool, count: int) -> None:
    rng = random.Random(seed)
    piece = random_piece(rng, dimension, bounded)
    if piece is None:
        return
    forms = random_forms(rng, piece, count)
    values = [[dot(form, ray) for ray in piece.rays] for form in forms]
    simplex = enclosing(piece, values)
    if simplex is not None:
        assert all(covered(piece, simplex.numbers(), form) for form in forms)
        corners = simplex.corners()
        assert all(dot(form, corner) >= 0 for form in forms for corner in corners)
    seen: list[int] = []
    for numbers, positions in tangents(piece, values):
        seen += positions
        assert all(covered(piece, numbers, forms[k]) for k in positions)
        assert len(numbers) == dimension
    assert len(set(seen)) == len(seen)

    def decide(found: Simplex, told: Table) -> Table:
        corners = found.corners()
        assert told.tolist() == [all(dot(form, corner) >= 0 for corner in corners) for form in forms]
        return told

    before = numpy.ones(count, dtype=bool)
    for numbers, left in bounds(piece, numpy.array(values, dtype=object), decide):
        assert left.tolist() == [was and not covered(piece, numbers, f) for was, f in zip(before, forms, strict=True)]
        assert (before & ~left).any()  # each one does something
        before = left
    if all(rows.bit_count() == dimension for rows in piece.tight):
        assert not before.any()  # tangent cones at simple vertices cover every form


def test_of_two_classes_far_away_one_triangle_is_enough(tmp_path: Path) -> None:
    """On the triangle x, y > 0, x + y < 1 the units 2 + x, 2 + y, 2 - x - y, x - 3 have one sign: one B."""
    units: list[list[int | str]] = [[2, 1, 0], [2, 0, 1], [2, -1, -1], [-3, 1, 0]]
    domain: Document = {"inequalities": [[0, 1, 0], [0, 0, 1], [1, -1, -1]]}
    assert prove_and_check(network_of(2, [linear(*units), RELU], domain), tmp_path / "proof") == (1, 1, 1)
    assert [record[0] for record in records_of(tmp_path / "proof")] == ["B", "L"]


# Records


@pytest.mark.parametrize("name", ["w3_2-16-16-1_box", "w3_4-8-8-1_box", "w1_d3_n15"])
def test_units_are_eliminated_by_bounds_alone(name: str, tmp_path: Path) -> None:
    """In a bounded domain with simple cells no unit needs an E, and there is about one B for each cell."""
    cells, _, _ = prove_and_check(load_network(WORKLOADS / f"{name}.json"), tmp_path / "proof")
    assert records_of(tmp_path / "proof", "E") == []
    assert 0 < len(records_of(tmp_path / "proof", "B")) < 1.2 * cells


def test_along_lines_there_are_no_bounds(tmp_path: Path) -> None:
    """Units of x alone in R^3: every cell has two lines, no matrix of rows is regular, and each E has its evidence."""
    units: list[list[int | str]] = [[k, 1, 0, 0] for k in range(-3, 4)]
    assert prove_and_check(network_of(3, [linear(*units), RELU]), tmp_path / "proof", True) == (8, 8, 8)
    assert records_of(tmp_path / "proof", "B") == []
    assert len(records_of(tmp_path / "proof", "E")) >= 7


@pytest.mark.parametrize("kind", ["slab", "wedge", "half-line"])
@pytest.mark.parametrize("seed", range(4))
def test_unbounded_domains(kind: str, seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    dimension = 1 if kind == "half-line" else 3
    rows: dict[str, list[list[int | str]]] = {
        "slab": [[1, 1, 1, 0], [1, -1, -1, 0]],
        "wedge": [[0, 1, 0, 0], [0, 0, 1, 0], [0, 1, 1, 1]],
        "half-line": [[2, 3]],
    }
    layers = [scattered(rng, 5, dimension), RELU, scattered(rng, 4, 5), RELU]
    network = network_of(dimension, layers, {"inequalities": rows[kind]})
    for multipliers_spelled in (False, True):
        prove_and_check(network, tmp_path / "proof", multipliers_spelled)


@pytest.mark.parametrize("seed", range(6))
def test_dead_and_repeated_units(seed: int, tmp_path: Path) -> None:
    """Zero units, copies, multiples and opposites, in both layers; dead units tie with 0 on the whole cell."""
    rng = random.Random(seed)
    units: list[list[int | str]] = [[rng.randint(-3, 3), rng.randint(-3, 3), rng.randint(-3, 3)] for _ in range(4)]
    first: list[list[int | str]] = [
        *units,
        [0, 0, 0],
        [-1, 0, 0],
        units[0],
        [2 * int(x) for x in units[1]],
        [-int(x) for x in units[2]],
    ]
    second: list[list[int | str]] = [[rng.randint(-2, 2) for _ in range(10)] for _ in range(3)]
    second += [[0, *[0] * 9], [-1, *[0] * 9], second[0], [0, 0, 0, 0, 0, 1, 1, 0, 0, 0]]
    network = network_of(2, [linear(*first), RELU, linear(*second), RELU], {"box": [[-3, 2], [-2, 3]]})
    prove_and_check(network, tmp_path / "proof", multipliers=seed % 2 == 0)


def heads(rng: random.Random, keys: int, dimension: int, size: int) -> Document:
    def head() -> Document:
        return {
            "query": {"weight": [[rng.randint(-size, size) for _ in range(dimension)] for _ in range(2)]},
            "keys": [[rng.randint(-size, size), rng.randint(-size, size)] for _ in range(keys)],
            "score_bias": [rng.randint(-size, size) for _ in range(keys)],
            "values": [[rng.randint(-4, 4)] for _ in range(keys)],
        }

    return {"type": "attention", "heads": [head(), head()]}


@pytest.mark.parametrize("keys", [5, 16, MOST_PAIRED + 20])
@pytest.mark.parametrize("size", [3, 50, 10**12])
def test_heads_with_few_and_many_keys(keys: int, size: int, tmp_path: Path) -> None:
    """Repeated keys where sizes are small, integers of more than 64 bits where they are large, two stages."""
    rng = random.Random(keys * size)
    network = network_of(2, [heads(rng, keys, 2, size), heads(rng, keys, 2, 3), RELU], {"box": [[-2, 2], [-2, 2]]})
    for multipliers_spelled in (False, True):
        prove_and_check(network, tmp_path / "proof", multipliers_spelled)
    assert records_of(tmp_path / "proof", "B")


def test_more_classes_than_a_checker_compares(tmp_path: Path) -> None:
    """1001 keys x -> k x - k^2 / 2000 on (0, 1/2): more than 10^6 pairs, so no B at the root, and E instead.

    Key k wins around x = k / 1000: keys 0 to 500 win, and 501 is larger than 500 from x = 0.5005 on only.
    """
    count = 1001
    head: Document = {
        "query": {"weight": [[1]]},
        "keys": [[k] for k in range(count)],
        "score_bias": [f"{-k * k}/2000" for k in range(count)],
        "values": [[k] for k in range(count)],
    }
    network = network_of(1, [{"type": "attention", "heads": [head]}], {"box": [[0, "1/2"]]})
    assert prove_and_check(network, tmp_path / "proof") == (501, 501, 501)
    assert records_of(tmp_path / "proof", "B") == []
    assert len(records_of(tmp_path / "proof", "E")) == 500


@pytest.mark.parametrize("size", [10**3, 10**25])
def test_large_integers(size: int, tmp_path: Path) -> None:
    """Weights that fit in 64 bits, and weights that do not; the count does not depend on a common factor."""
    rng = random.Random(7)
    layers = [scattered(rng, 6, 3, size), RELU, scattered(rng, 20, 6, size), RELU, scattered(rng, 1, 20, size)]
    network = network_of(3, layers, {"box": [[-1, 1]] * 3})
    prove_and_check(network, tmp_path / "proof", multipliers=True)
    assert records_of(tmp_path / "proof", "E") == []


def test_a_class_beaten_by_one_that_others_have_beaten_together(tmp_path: Path) -> None:
    """Scores x, -x, -1/4, y - 5 and -1/2 on a box: -1/4 loses to x and -x together, and -1/2 to -1/4 alone, but to
    neither x nor -x alone. Where a second head has cut the box, bounds still agree with the checker's comparison."""
    first: Document = {
        "query": {"weight": [[1, 0], [0, 1]]},
        "keys": [[1, 0], [-1, 0], [0, 0], [0, 1], [0, 0]],
        "score_bias": [0, 0, "-1/4", -5, "-1/2"],
        "values": [[k] for k in range(5)],
    }
    second: Document = {
        "query": {"weight": [[1, 0], [0, 1]]},
        "keys": [[1, 1], [-1, 2], [0, 0], [2, -1], [1, -1]],
        "score_bias": [0, 1, "1/2", 0, "-1/3"],
        "values": [[k] for k in range(5)],
    }
    for heads_in_order in ([first, second], [second, first], [first, second, first]):
        network = network_of(2, [{"type": "attention", "heads": heads_in_order}], {"box": [[-3, 3], [-9, 9]]})
        prove_and_check(network, tmp_path / "proof")


# Maps


@given(seed=st.integers(0, 10**6))
@settings(max_examples=25)
def test_maps_and_sketches_of_leaves(seed: int) -> None:
    """The map composed in tables is the engine's; maps are equal just if their sketches are."""
    rng = random.Random(seed)
    tied: Document = {"query": {"weight": [[1, 0]]}, "keys": [[1], [1], [-2]], "values": [[1, 0], [2, 5], [3, "1/7"]]}
    layers = [
        scattered(rng, 5, 2),
        RELU,
        scattered(rng, 2, 5),
        {"type": "attention", "heads": [tied], "residual": True},
        scattered(rng, 3, 2),
        {"type": "abs"},
    ]
    network = network_of(2, layers, {"box": [[-4, 5], [-3, 3]]})
    found = []
    for leaf in prove(network):
        if isinstance(leaf, Leaf):
            matrix, _ = leaf.begun.frame.outer(leaf.winners)  # type: ignore[attr-defined]
            assert matrix.tolist() == [[int(x) for x in row] for row in leaf.cell.matrix.tolist()]
            found.append((leaf.cell.map, leaf.sketch()))
    for one, sketch in found:
        assert [one == two for two, _ in found] == [sketch == other for _, other in found]


def test_bytes_do_not_depend_on_what_came_before(tmp_path: Path) -> None:
    """One process, twice, with another network in between."""
    network = Network.from_arrays({"input_dim": 2, "layers": [scattered(random.Random(1), 12, 2), RELU]})
    prove_and_check(network, tmp_path / "one")
    prove_and_check(load_network(WORKLOADS / "t_d2_H2_N6_ff8_L1.json"), tmp_path / "other")
    prove_and_check(network, tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()

"""Counting by states against listing, and images as sets."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from flint import fmpz_mat
from hypothesis import given, settings
from hypothesis import strategies as st

from exactgeo import Network, count_cells, enumerate_cells
from exactgeo.cells.images import Chart, image_of
from exactgeo.cells.states import Counting, Stages, Trial, domain_sent, stages_as_read, stages_as_seen
from exactgeo.errors import BadInput
from exactgeo.network.stages import homogeneous_matrix
from exactgeo.polyhedron.cone import Cone
from exactgeo.polyhedron.polyhedron import Polyhedron
from exactgeo.rational.affine import AffineMap
from exactgeo.theory.constructions import zigzag
from exactgeo.theory.lower_bound import construction, lower_bound
from tests.known.published import KNOWN
from tests.oracles.strategies import documents, weights


def counted(network: Network, keep: bool = False) -> Counting:
    """The whole count; on the way the bound never falls."""
    counting = Counting(network, keep)
    best = 1
    for _ in counting.steps():
        assert counting.cells >= best
        best = counting.cells
    assert counting.done
    return counting


@given(documents())
@settings(max_examples=200)
def test_the_count_is_that_of_listing(document: dict[str, object]) -> None:
    network = Network.from_arrays(document)
    cells = sum(count_cells(network))
    assert counted(network).cells == counted(network, keep=True).cells == cells


@given(documents(max_dim=3, max_layers=5, max_units=3))
@settings(max_examples=60)
def test_deeper_and_wider(document: dict[str, object]) -> None:
    network = Network.from_arrays(document)
    assert counted(network).cells == sum(count_cells(network))


@pytest.mark.parametrize("name", KNOWN)
def test_known_networks(name: str) -> None:
    document, _ = KNOWN[name]()
    network = Network.from_arrays(document)
    assert counted(network).cells == sum(count_cells(network))


@pytest.mark.parametrize("stages_of", [stages_as_read, stages_as_seen])
@given(document=documents(max_dim=3))
@settings(max_examples=100)
def test_stages_are_the_same_function(stages_of: Callable[[Network], Stages], document: dict[str, object]) -> None:
    """As they are read and as they are seen, stages compute what the network computes."""
    network = Network.from_arrays(document)
    first, stages = stages_of(network)
    for cell in enumerate_cells(network):
        matrix = homogeneous_matrix(first)
        for stage, winners in zip(stages, cell.classes, strict=False):
            matrix = stage.pull_back(matrix).outer(winners)
        table = [[int(entry) for entry in row] for row in matrix.tolist()]
        assert AffineMap.scaled(network.input_dim, table[0][0], table[1:]) == cell.map


def test_only_what_is_seen_matters() -> None:
    """The zigzag of maxout units with differences in the next units' weights: 25 images as read, one as it is seen."""
    for absorbed in (False, True):
        network = zigzag(2, 3, 10, absorbed=absorbed).network
        assert counted(network).states == 10
        assert counted(network, keep=True).states == (1 + 25 * 9 if absorbed else 10)


@given(
    st.lists(st.lists(weights, min_size=3, max_size=3), min_size=1, max_size=4),
    st.sampled_from(["box", "cone", "slab"]),
)
@settings(max_examples=100)
def test_an_image_is_the_image(rows: list[list[str]], kind: str) -> None:
    """Against cddlib: the same set, whatever the map does to it."""
    map_ = AffineMap.of(rows)
    body = {
        "box": Polyhedron.box([(0, 1), (-1, 2)]),
        "cone": Polyhedron.from_rows([[1, 1, 0], [0, 1, 1]]),
        "slab": Polyhedron.from_rows([[1, 1, 0], [1, -1, 0]]),
    }[kind]
    cone = Cone.of(body.rows, 2)
    assert cone is not None
    image = image_of(cone, homogeneous_matrix(map_))
    size, chart = len(rows), image.chart
    lifted = [[Fraction(0)] * (size + 1) for _ in image.rows]
    for row, facet in zip(lifted, image.rows, strict=True):
        row[0] = Fraction(facet[0])
        for pivot, entry in zip(chart.pivots, facet[1:], strict=True):
            row[1 + pivot] = Fraction(entry)
    others = [j for j in range(size) if j not in chart.pivots]
    for j, (q, b, *a) in zip(others, chart.solved, strict=True):
        equation = [Fraction(b), *[Fraction(0)] * size]
        equation[1 + j] = Fraction(-q)
        for pivot, entry in zip(chart.pivots, a, strict=True):
            equation[1 + pivot] += entry
        lifted += [equation, [-entry for entry in equation]]
    assert Polyhedron.from_rows(lifted, size).equal(body.image(map_))


def test_equal_sets_are_equal_images() -> None:
    square = Cone.of([(0, 1, 0), (1, -1, 0), (0, 0, 1), (1, 0, -1)], 2)
    assert square is not None
    turned = image_of(square, homogeneous_matrix(AffineMap.of([[1, 0, -1], [0, 1, 0]])))
    straight = image_of(square, homogeneous_matrix(AffineMap.identity(2)))
    smaller = image_of(square, homogeneous_matrix(AffineMap.of([[0, "1/2", 0], [0, 0, 1]])))
    assert turned == straight != smaller
    assert hash(turned) == hash(straight)
    assert turned.cone.rows == straight.cone.rows == ((1, 0, 0), (0, 0, 1), (0, 1, 0), (1, -1, 0), (1, 0, -1))
    assert straight != "a square"
    flat = [image_of(square, homogeneous_matrix(AffineMap.of(rows))) for rows in ([[0, 1, 1]], [[2, -2, 0]])]
    assert flat[0] == flat[1]  # the segment from 0 to 2
    assert flat[0].rows == ((0, 1), (2, -1))


def test_a_chart_has_the_first_coordinates_that_do() -> None:
    plane = Cone.space(2)
    image = image_of(plane, homogeneous_matrix(AffineMap.of([[3, 0, 0], [1, 2, 4], [0, 1, 2], ["1/2", 0, 1]])))
    # x_1 = 3, x_2 free, x_3 = (x_2 - 1)/2, x_4 free
    assert image.chart == Chart((1, 3), ((1, 3, 0, 0), (2, -1, 1, 0)))
    assert image.chart.matrix() == fmpz_mat([[2, 0, 0], [6, 0, 0], [0, 2, 0], [-1, 1, 0], [0, 0, 2]])
    assert (image.rows, len(image.lines)) == ((), 2)


@pytest.mark.parametrize(
    ("d", "N", "L", "d_ff"), [(1, 3, 100, 4), (2, 4, 40, 4), (3, 8, 20, 6), (2, 10, 50, 8), (4, 4, 10, 8)]
)
def test_theorem_v7_beyond_listing(d: int, N: int, L: int, d_ff: int) -> None:
    """One state for each stage: its cube."""
    bound = lower_bound(d, N, L, d_ff)
    counting = counted(construction(bound))
    assert counting.cells == bound.construction_count
    assert counting.states == 2 * L
    assert counting.images == N**d + (2 * bound.w) ** d * (L > 1)  # equal blocks are refined once


def test_stopping_early_leaves_a_lower_bound() -> None:
    bound = lower_bound(2, 2, 3)
    for steps in range(1, 9):
        counting = Counting(construction(bound))
        for _ in zip(range(steps), counting.steps(), strict=False):
            pass
        assert 1 <= counting.cells <= bound.construction_count
        assert not counting.done


def test_a_domain_with_too_many_generators_is_refused() -> None:
    layers = [{"type": "linear", "weight": [[1] * 12], "bias": [1]}, {"type": "relu"}]
    network = Network.from_arrays({"input_dim": 12, "domain": {"box": [[0, 1]] * 12}, "layers": layers})
    with pytest.raises(BadInput, match="at most 300 vertices"):
        domain_sent(network, AffineMap.identity(12))


@pytest.mark.parametrize(
    "layers", [[{"type": "linear", "weight": [[0, 0]], "bias": [1]}], [{"type": "linear", "weight": [[1, 2]]}]]
)
def test_affine_networks(layers: list[dict[str, object]]) -> None:
    for more in ([], [{"type": "relu"}, {"type": "abs"}]):
        network = Network.from_arrays({"input_dim": 2, "layers": [*layers, *more]})
        assert counted(network).cells == sum(count_cells(network))


def trial_of(network: Network, cells: int) -> Trial:
    """A trial beside a method that has found so many cells."""
    trial = Trial(network)
    for bound in trial.advance(cells):
        assert bound == trial.counting.cells
    return trial


def tents(slopes: list[int]) -> Network:
    """Tents of different heights, each on what the one before reaches: two cells and one image for each."""
    layers = []
    height = 1
    for slope in slopes:
        hidden = {"weight": [[1], [1]], "bias": [0, -Fraction(height, 2)]}
        layers.append({"type": "ffn", "hidden": hidden, "output": {"weight": [[slope, -2 * slope]]}})
        height = Fraction(slope * height, 2)  # type: ignore[assignment]
    return Network.from_arrays({"input_dim": 1, "domain": {"box": [[0, 1]]}, "layers": layers})


def test_a_trial_costs_little() -> None:
    """Images of random units are all different: so many are computed as cells allow."""
    layers = [
        {"type": "linear", "weight": [[k * k % 31 - 15, k * k % 29 - 14] for k in range(1, 25)], "bias": [3, -2] * 12}
    ]
    layers += [{"type": "relu"}, {"type": "linear", "weight": [[1, -2] * 12, [3, 1, -2] * 8]}, {"type": "abs"}]
    network = Network.from_arrays({"input_dim": 2, "layers": layers})
    first = trial_of(network, 0)
    assert first.counting.images == 0
    assert trial_of(tents([3, 5] * 40), 2_000).counting.images >= 1
    assert list(first.advance(1_999)) == []
    assert list(trial_of(tents([3, 4, 5, 6]), 19_999).advance(0)) == []
    seen = [trial_of(network, cells).counting for cells in (20_000, 80_000, 320_000)]
    assert [counting.done for counting in seen] == [False] * 3
    assert [counting.images for counting in seen] == sorted({counting.images for counting in seen})
    assert all(
        counting.work <= cells // 2_000 + 100 for counting, cells in zip(seen, (20_000, 80_000, 320_000), strict=True)
    )
    again = Trial(network)
    for cells in (20_000, 30_000, 79_999):  # not due again before there are four times as many
        list(again.advance(cells))
    assert again.counting.images == seen[0].images
    for cells in (100_000, 400_000):  # what is allowed follows from the multiples passed, not from when they were
        list(again.advance(cells))
    assert again.counting.images == seen[2].images


def test_a_trial_goes_on_where_it_pays() -> None:
    """Where every eighth image is new at most; or where each image proves many cells, though every second is new."""
    assert trial_of(construction(lower_bound(2, 6, 10)), 10_000).counting.cells == 12**20
    assert trial_of(tents([3 + k % 5 for k in range(60)]), 20_000).counting.cells == 2**60
    assert not trial_of(tents([3]), 10**9).counting.images  # one stage: nothing can be shared
    assert not trial_of(tents([3, 4, 5]), 10**9).counting.images  # at most 64 cells: not worth while


def test_a_deep_network_is_tried_at_once() -> None:
    network = tents([2 + k % 3 for k in range(200)])
    trial = trial_of(network, 2_000)
    assert (trial.counting.cells, trial.counting.done) == (2**200, True)
    assert list(trial.advance(10**9)) == []

"""Cells made from their patterns are those that the enumeration in Python finds."""

import copy
import pickle
from random import Random

import pytest

from exactgeo import Network, enumerate_cells
from exactgeo.cells.from_pattern import Patterns
from exactgeo.partition.search import Facetted
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.rows import dot, homogeneous
from tests.known.degenerate import DEGENERATE
from tests.oracles.random_networks import COARSE, Taste, seeded


def check(network: Network) -> None:
    patterns = Patterns(network)
    cells = list(enumerate_cells(network, core="python"))
    Random(1).shuffle(cells)
    for cell in cells:
        made = patterns.cell([name for names in cell.pattern for name in names])
        assert made == cell
        assert (made.pattern, made.dimension, made.stages) == (cell.pattern, cell.dimension, cell.stages)
        assert made.classes == cell.classes
        assert made.map == cell.map
        assert made.sketch() == cell.sketch()
        assert set(made.rows()) == set(cell.rows())
        if isinstance(cell.body, Cone):
            assert set(made.irredundant_rows()) == set(cell.irredundant_rows())
        assert min((dot(row, homogeneous(made.interior_point)) for row in cell.rows()), default=1) > 0


@pytest.mark.parametrize("known", DEGENERATE)
def test_degenerate_networks(known: str) -> None:
    check(Network.from_arrays(DEGENERATE[known]()[0]))


def test_random_networks() -> None:
    for seed in range(60):
        check(Network.from_arrays(seeded(seed, Taste(COARSE, (1, 2, 3), 3)).document()))


def test_rows_that_are_named() -> None:
    """Facets alone are enough for a body."""
    network = Network.mlp([[[1, 0], [0, 1]], [[1, 1]]], domain={"box": [[-1, 1], [-1, 1]]})
    cell = Patterns(network).cell([1, 0], [(-1, 1, 0, 0), (-1, 2, 0, 0), (0, 0, 1, 0), (0, 1, 0, 1)])
    assert set(cell.irredundant_rows()) == {(1, -1, 0), (1, 0, 1), (0, 1, 0), (0, 0, -1)}
    assert cell.pattern == ((1, 0),)


def test_cells_of_the_first_stages() -> None:
    network = Network.mlp([[[1]], [[2]], [[1]]], [[0], [-1], [0]], domain={"box": [[-1, 1]]})
    patterns = Patterns(network)
    assert patterns.cell([1]).pattern == ((1,),)
    assert len(patterns.cell([1]).trail) == 1
    assert patterns.cell([1, 1]).map.rows == ((-1, 2),)


def test_a_copy_leaves_the_network_behind() -> None:
    network = Network.mlp([[[1]], [[2]]], domain={"box": [[-1, 1]]})
    cell = Patterns(network).cell([1])
    assert copy.deepcopy(cell) is cell
    again = pickle.loads(pickle.dumps(cell))
    assert again == cell
    assert again.map == cell.map


def test_many_dimensions_have_no_generators() -> None:
    network = Network.mlp([[[1] * 9], [[1]]], domain={"box": [[-1, 1]] * 9})
    cell = Patterns(network).cell([1])
    assert isinstance(cell.body, Facetted)
    assert len(cell.irredundant_rows()) == 19

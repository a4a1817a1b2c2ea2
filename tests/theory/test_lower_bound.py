"""Theorem V.7: the construction's count by enumeration, for every size up to 5,000 cells, and without the formula."""

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from math import prod
from typing import Any

import pytest

from exactgeo.cells import METHODS, Method, count_cells, dual_graph, enumerate_cells
from exactgeo.errors import BadInput
from exactgeo.network import Network
from exactgeo.regions import linear_regions
from exactgeo.theory.lower_bound import construction, lower_bound
from tests.oracles.brute import brute_cells, brute_counts

Size = tuple[int, int, int, int]
"""(d, N, L, w)."""

MOST_CELLS = 5000
MOST_LISTED = 600
"""Listing every cell and its map is some ten times as long as counting."""


def sizes() -> Iterator[Size]:
    """Every (d, N, L, w) with d <= 3 and at most 5,000 cells, but for d L = 1 at most 100.

    There the number of cells is 2wN, and the 22,000 factorizations of all numbers wN up to 2,500 say no more than a few
    do: ``LONG`` has the ends.
    """
    for d in (1, 2, 3):
        for L in range(1, 13):
            most = MOST_CELLS if d * L > 1 else 100
            pieces = 1
            while (2 * pieces) ** (d * L) <= most:
                yield from ((d, pieces // w, L, w) for w in range(1, pieces + 1) if pieces % w == 0)
                pieces += 1


LONG: list[Size] = [(1, 250, 1, 1), (1, 1, 1, 250), (1, 50, 1, 50), (1, 25, 1, 100)]


def named(size: Size) -> str:
    return "-".join(f"{name}{value}" for name, value in zip("dNLw", size, strict=True))


@pytest.mark.parametrize("size", [*sizes(), *LONG], ids=named)
def test_the_construction_has_as_many_cells_and_regions_as_promised(size: Size) -> None:
    d, N, L, w = size
    bound = lower_bound(d, N, L, 2 * d * w)
    network = construction(bound)
    assert bound.w == w
    assert bound.construction_count == prod([2 * w * N] * (d * L))
    if bound.construction_count > MOST_LISTED and size not in LONG:
        assert sum(count_cells(network)) == bound.construction_count
        return
    found = linear_regions(enumerate_cells(network))
    assert len(found) == len(found.cells) == bound.construction_count
    assert len(found) >= bound.paper_bound


LARGEST: list[Size] = [(1, 35, 2, 1), (2, 7, 1, 5), (3, 4, 1, 2), (1, 2, 6, 1), (2, 2, 3, 1), (3, 1, 4, 1)]


@pytest.mark.parametrize("size", LARGEST, ids=named)
def test_regions_of_the_largest(size: Size) -> None:
    d, N, L, w = size
    bound = lower_bound(d, N, L, 2 * d * w)
    assert bound.construction_count > 4000
    assert len(linear_regions(enumerate_cells(construction(bound)))) == bound.construction_count


@pytest.mark.parametrize("size", [(1, 3, 2, 2), (2, 2, 1, 2), (2, 1, 2, 1), (3, 2, 1, 1)], ids=named)
def test_search_agrees(size: Size) -> None:
    d, N, L, w = size
    bound = lower_bound(d, N, L, 2 * d * w)
    found = linear_regions(enumerate_cells(construction(bound), "search"))
    assert len(found) == len(found.cells) == bound.construction_count


@pytest.mark.parametrize(
    ("d", "N", "L", "d_ff", "w"), [(1, 2, 1, 3, 1), (1, 2, 2, 5, 2), (2, 2, 1, 5, 1), (2, 1, 2, 7, 1), (3, 1, 1, 17, 2)]
)
def test_spare_units_are_idle(d: int, N: int, L: int, d_ff: int, w: int) -> None:
    bound = lower_bound(d, N, L, d_ff)
    assert (bound.w, bound.paper_bound) == (w, (N * w) ** (d * L))
    network = construction(bound)
    found = linear_regions(enumerate_cells(network))
    assert len(found) == len(found.cells) == (2 * w * N) ** (d * L)
    widths = [len(layer["hidden"]["bias"]) for layer in document_of(network)["layers"] if layer["type"] == "ffn"]
    assert widths == [d_ff] * L


def test_the_map_is_continuous_and_folds() -> None:
    """The values -p_j and the sawtooth fit together: no jump at any wall, and the map changes at each."""
    graph = dual_graph(enumerate_cells(construction(lower_bound(2, 2, 1, 8))))
    assert all(graph.continuous(wall) and not graph.same_map(wall) for wall in graph.walls)
    assert len(graph.walls) == 2 * 8 * 7  # a grid of 8 x 8 boxes


@pytest.mark.parametrize(("N", "w"), [(1, 1), (2, 1), (3, 2), (1, 3)])
def test_on_the_whole_line(N: int, w: int) -> None:
    """On R^1 the unit at the left end counts as well: 2wN + 1 cells for one block, (2wN)^2 + 2 for two."""
    for L, expected in ((1, 2 * w * N + 1), (2, (2 * w * N) ** 2 + 2)):
        document = document_of(construction(lower_bound(1, N, L, 2 * w)))
        del document["domain"]
        network = Network.from_arrays(document)
        assert sum(count_cells(network, "split")) == sum(count_cells(network, "search")) == expected


@pytest.mark.parametrize("N", [1, 2, 5])
def test_bias_free_scores_do_not_route(N: int) -> None:
    """As the theorem is stated, q = x: on [0,1] the largest key wins everywhere, one routing cell."""
    document = document_of(construction(lower_bound(1, N, 1)))
    for head in document["layers"][0]["heads"]:
        head["query"] = {"weight": [[1]]}
        head["keys"] = [key[:1] for key in head["keys"]]
    document["layers"] = document["layers"][:1]
    assert sum(count_cells(Network.from_arrays(document))) == 1


# Weights moved by small rational amounts: the count has no formula any more.


def document_of(network: Network) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(network.document)
    return document


def perturbed(size: Size, seed: int) -> dict[str, Any]:
    d, N, L, w = size
    document = document_of(construction(lower_bound(d, N, L, 2 * d * w)))
    generator = random.Random(seed)

    def moved(part: Any) -> Any:
        if isinstance(part, list):
            return [moved(entry) for entry in part]
        return str(Fraction(part) + Fraction(generator.randint(-40, 40), 1000))

    for layer in document["layers"]:
        if layer["type"] == "attention":
            for head in layer["heads"]:
                head["keys"], head["values"] = moved(head["keys"]), moved(head["values"])
        else:
            for affine in (layer["hidden"], layer["output"]):
                affine.update({key: moved(value) for key, value in affine.items()})
    return document


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("size", [(1, 2, 2, 1), (1, 3, 1, 2), (1, 1, 3, 1), (2, 2, 1, 1), (2, 1, 2, 1)], ids=named)
def test_perturbed_weights_against_brute_force(size: Size, seed: int) -> None:
    document = perturbed(size, seed)
    network = Network.from_arrays(document)
    expected = brute_counts(document)
    for method in METHODS:
        found = linear_regions(enumerate_cells(network, method))
        assert (len(found.cells), len(found), found.affine_maps) == expected


@pytest.mark.parametrize(("size", "seed"), [((2, 2, 2, 1), 0), ((2, 3, 1, 2), 1), ((3, 2, 1, 1), 2)])
def test_perturbed_weights_by_split_and_search(size: Size, seed: int) -> None:
    network = Network.from_arrays(perturbed(size, seed))

    def listed(method: Method) -> set[object]:
        return {
            (cell.pattern, frozenset(cell.irredundant_rows()), cell.map) for cell in enumerate_cells(network, method)
        }

    assert listed("split") == listed("search")
    assert len(listed("split")) == sum(count_cells(network))


def test_perturbed_cells_are_those_of_brute_force() -> None:
    """Not only as many: the same maps, cell by cell."""
    document = perturbed((2, 2, 1, 1), 7)
    expected = sorted(cell.affine_map for cell in brute_cells(document))
    found = sorted(cell.map.fractions() for cell in enumerate_cells(Network.from_arrays(document)))
    assert found == expected


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0, 1, 1), "--d 0: expected a positive integer"),
        ((1, 0, 1), "--N 0: expected a positive integer"),
        ((1, 1, -3), "--L -3: expected a positive integer"),
        ((2, 1, 1, 3), "--d-ff 3: Theorem V.7 needs d_ff >= 2d, here at least 4"),
        ((2, 1, 1, -4), "--d-ff -4"),
    ],
    ids=str,
)
def test_sizes_that_the_theorem_excludes(arguments: tuple[int, ...], words: str) -> None:
    with pytest.raises(BadInput) as caught:
        lower_bound(*arguments)
    assert words in str(caught.value)


def test_width_defaults_to_2d() -> None:
    assert lower_bound(3, 2, 1).d_ff == 6

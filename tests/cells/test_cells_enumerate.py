"""Cells, regions and maps by both methods against brute force over patterns; the evidence of every cell."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactgeo import native
from exactgeo.cells import METHODS, Cell, Method, cell_at, choose_method, count_cells, enumerate_cells
from exactgeo.cells import python_core as module
from exactgeo.cells.node import node_in
from exactgeo.errors import Inconsistent
from exactgeo.network import Network, Staged
from exactgeo.partition.search import Facetted
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.affine import AffineMap
from exactgeo.regions import linear_regions
from tests.cells.evidence import check_cell, check_rows, described
from tests.known.arrangements import ARRANGEMENTS, Known, arrangement, hyperplanes
from tests.known.degenerate import DEGENERATE
from tests.known.networks import NETWORKS
from tests.oracles import strategies
from tests.oracles.brute import brute_cells, brute_counts, domain_rows
from tests.oracles.zaslavsky import regions_inside

Document = dict[str, Any]

SMALL = {
    name: known
    for name, build in {**ARRANGEMENTS, **NETWORKS, **DEGENERATE}.items()
    if (known := build())[1]["cells"] <= 20 and known[0]["input_dim"] <= 4
}


def counts(network: Network, method: Method) -> tuple[int, int, int]:
    found = linear_regions(enumerate_cells(network, method))
    return len(found.cells), len(found), found.affine_maps


@settings(max_examples=100)
@given(strategies.documents())
def test_counts_are_those_of_brute_force(document: Document) -> None:
    network = Network.from_arrays(document)
    expected = brute_counts(document)
    for method in METHODS:
        assert counts(network, method) == expected
        assert sum(count_cells(network, method)) == expected[0]


@settings(max_examples=20)
@given(strategies.documents(max_dim=3, max_layers=2))
def test_counts_in_space(document: Document) -> None:
    network = Network.from_arrays(document)
    expected = brute_counts(document)
    assert [counts(network, method) for method in METHODS] == [expected, expected]


@settings(max_examples=60)
@given(strategies.documents(max_layers=4, max_units=3))
def test_split_and_search_list_the_same_cells(document: Document) -> None:
    network = Network.from_arrays(document)
    by_split, by_search = list(enumerate_cells(network, "split")), list(enumerate_cells(network, "search"))
    assert len({cell.pattern for cell in by_split}) == len(by_split) == len(by_search)
    assert set(map(described, by_split)) == set(map(described, by_search))


@settings(max_examples=60)
@given(strategies.documents(), st.sampled_from(METHODS))
def test_every_cell_carries_its_evidence(document: Document, method: Method) -> None:
    network = Network.from_arrays(document)
    cells = list(enumerate_cells(network, method))
    assert len({cell.pattern for cell in cells}) == len(cells)
    for cell in cells:
        check_cell(network, document, cell)
        check_rows(cell, network.input_dim)


@settings(max_examples=60)
@given(strategies.documents())
def test_each_brute_cell_is_one_of_the_cells(document: Document) -> None:
    """Its witness lies in a cell with the same map, and different witnesses in different cells."""
    network = Network.from_arrays(document)
    listed = {cell.pattern: cell.map for cell in enumerate_cells(network)}
    met = set()
    for brute in brute_cells(document):
        home = cell_at(network, brute.witness)
        assert isinstance(home, Cell)
        assert listed[home.pattern].fractions() == brute.affine_map
        met.add(home.pattern)
    assert met == listed.keys()


@pytest.mark.parametrize("known", SMALL.values(), ids=SMALL.keys())
def test_known_networks_carry_their_evidence(known: Known) -> None:
    document, _ = known
    network = Network.from_arrays(document)
    by_split, by_search = list(enumerate_cells(network, "split")), list(enumerate_cells(network, "search"))
    assert set(map(described, by_split)) == set(map(described, by_search))
    for cell in by_split:
        check_cell(network, document, cell)
        check_rows(cell, network.input_dim)


@st.composite
def arrangements(draw: st.DrawFn) -> Document:
    dimension = draw(st.integers(1, 3))
    rows = draw(strategies.hyperplanes(dimension, most=8))
    document = arrangement(dimension, [], draw(strategies.domains(dimension)))
    document["layers"][0] = {"type": "linear", "weight": [row[1:] for row in rows], "bias": [row[0] for row in rows]}
    return document


@settings(max_examples=60)
@given(arrangements())
def test_arrangements_follow_zaslavsky(document: Document) -> None:
    """In boxes, simplices, slabs and all of R^d."""
    network = Network.from_arrays(document)
    expected = regions_inside(document["input_dim"], hyperplanes(document), domain_rows(document))
    assert counts(network, "split") == (expected, expected, expected)
    assert sum(count_cells(network, "split")) == expected


@settings(max_examples=40)
@given(strategies.documents(max_layers=2), st.sampled_from([10**40, Fraction(1, 10**40)]))
def test_counts_do_not_depend_on_the_unit_of_length(document: Document, unit: Fraction) -> None:
    """x -> unit * x in the domain, and x / unit as a first layer: the same cells, however large or small."""
    dimension = document["input_dim"]
    shrink = [[str(Fraction(int(i == j)) / unit) for j in range(dimension)] for i in range(dimension)]
    scaled = {**document, "layers": [{"type": "linear", "weight": shrink}, *document["layers"]]}
    domain = document.get("domain")
    if domain is not None and "box" in domain:
        scaled["domain"] = {"box": [[str(Fraction(bound) * unit) for bound in pair] for pair in domain["box"]]}
    elif domain is not None:
        scaled["domain"] = {
            "inequalities": [[str(Fraction(row[0]) * unit), *row[1:]] for row in domain["inequalities"]]
        }
    plain, large = Network.from_arrays(document), Network.from_arrays(scaled)
    assert [counts(large, method) for method in METHODS] == [counts(plain, "split")] * 2


@settings(max_examples=40)
@given(strategies.documents(max_layers=2), st.integers(0, 1), st.integers(-1, 1))
def test_slivers_next_to_every_wall(document: Document, axis: int, side: int) -> None:
    """One more unit 10^-60 off a wall through the origin, or two of them: cells thinner than any float can see."""
    axis = min(axis, document["input_dim"] - 1)
    gap = Fraction(1, 10**60)
    row = [str(int(k == axis)) for k in range(document["input_dim"])]
    sliver = {
        "type": "ffn",
        "residual": True,
        "hidden": {"weight": [row, row], "bias": ["0", str(side * gap)]},
        "output": {"weight": [["1", "-1"]] * document["input_dim"]},
    }
    thin = {**document, "layers": [sliver, *document["layers"]]}
    network = Network.from_arrays(thin)
    expected = brute_counts(thin)
    assert [counts(network, method) for method in METHODS] == [expected, expected]


# Interface


def test_stages_may_be_cut_short() -> None:
    document, _ = NETWORKS["regions-do-not-multiply-7"]()
    network = Network.from_arrays(document)
    lengths = [len(list(enumerate_cells(network, stages=depth))) for depth in range(len(network.stages) + 1)]
    assert lengths[0] == 1
    assert lengths[1] == 3
    assert lengths[-1] == 9
    for method in METHODS:
        (root,) = enumerate_cells(network, method, stages=0)
        assert root.pattern == ()
        assert root.map == AffineMap.identity(2)


def test_large_boxes_are_left_to_search_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """2^10 corners are too many generators to start from; the method is chosen by the domain alone."""
    monkeypatch.setattr(native, "_tried", ["it was not built"])
    wide: Document = {
        "format": "exactgeo-network/1",
        "input_dim": 10,
        "domain": {"box": [["0", "1"]] * 10},
        "layers": [{"type": "linear", "weight": [["1"] * 10], "bias": ["-1"]}, {"type": "relu"}],
    }
    network = Network.from_arrays(wide)
    assert choose_method(network) == "search"
    assert sum(count_cells(network)) == len(list(enumerate_cells(network))) == 2
    del wide["domain"]
    assert choose_method(Network.from_arrays(wide)) == "split"


def test_the_first_cells_come_before_the_last() -> None:
    """Counting streams: a network with 2^40 cells gives its first instalments at once."""
    document: Document = {
        "format": "exactgeo-network/1",
        "input_dim": 40,
        "layers": [{"type": "relu"}],
    }
    stream = count_cells(Network.from_arrays(document), "split")
    assert sum(next(stream) for _ in range(5)) >= 5


def test_a_method_refines_its_own_bodies_only() -> None:
    document, _ = DEGENERATE["half-line"]()
    network = Network.from_arrays(document)
    (by_split,) = enumerate_cells(network, "split", stages=0)
    (by_search,) = enumerate_cells(network, "search", stages=0)
    assert isinstance(by_split.body, Cone)
    assert isinstance(by_search.body, Facetted)
    with pytest.raises(TypeError, match="split refines cones, not Facetted"):
        node_in(network, by_search)
    with pytest.raises(TypeError, match="search refines facets, not Cone"):
        list(module._searched(network, by_split))


def test_a_domain_without_interior_is_a_defect_here() -> None:
    """Networks refuse such domains; an engine that is handed one must not call it empty and count nothing."""
    document, _ = DEGENERATE["half-line"]()
    network = Network.from_arrays(document)
    flat = Staged(1, ((0, 1), (0, -1)), network.stages)
    for method in METHODS:
        with pytest.raises(Inconsistent):
            list(enumerate_cells(flat, method))

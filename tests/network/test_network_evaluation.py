"""Stages against definitions: the compiled network agrees with a plain forward pass, ties included."""

import json
import pickle
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactgeo.errors import BadInput, NotRational
from exactgeo.network import Network, read_network
from exactgeo.network.stages import homogeneous_matrix
from exactgeo.rational.affine import AffineMap
from tests.oracles.forward import forward
from tests.oracles.random_networks import Document
from tests.oracles.strategies import spelled

F = Fraction

coordinates = st.sampled_from([Fraction(n, d) for n in range(-4, 5) for d in (1, 2, 3)])


def points(dimension: int) -> st.SearchStrategy[list[Fraction]]:
    return st.lists(coordinates, min_size=dimension, max_size=dimension)


def network_of(document: Document) -> Network:
    return read_network(json.dumps(document).encode())


@given(st.data())
def test_evaluation_is_the_plain_forward_pass(data: st.DataObject) -> None:
    document = data.draw(spelled())
    network = network_of(document)
    point = data.draw(points(network.input_dim))
    assert network.evaluate(point) == forward(document, point)[0]


@given(st.data())
def test_pulling_back_along_the_winners_gives_the_value(data: st.DataObject) -> None:
    # The stage's integer path (pull_back, outer) against its fraction path (evaluate), with ties as classes.
    network = network_of(data.draw(spelled()))
    point = data.draw(points(network.input_dim))
    inner = homogeneous_matrix(AffineMap.identity(network.input_dim))
    for stage, winners in zip(network.stages, network.winners(point), strict=True):
        inner = stage.pull_back(inner).outer(winners)
    table = [[int(entry) for entry in row] for row in inner.tolist()]
    assert AffineMap.scaled(network.input_dim, table[0][0], table[1:]).at(point) == network.evaluate(point)


@given(spelled())
def test_stages_fit_together(document: Document) -> None:
    network = network_of(document)
    widths = [network.input_dim, *[stage.output_dim for stage in network.stages]]
    assert [stage.input_dim for stage in network.stages] == widths[:-1]
    assert network.output_dim == widths[-1]
    for stage in network.stages:
        assert stage.forms.input_dim == stage.input_dim
        assert stage.mix.input_dim == sum(len(selector.candidates[0].value) for selector in stage.selectors)
        assert not any(row[0] for row in stage.mix.rows)
        assert len(set(stage.forms.rows)) == len(stage.forms.rows)
    assert len(network.stages) == max(1, sum(layer["type"] != "linear" for layer in document["layers"]))
    assert pickle.loads(pickle.dumps(network)) == network


def test_linear_layers_are_no_stages() -> None:
    weights = [[[1, 2], [3, 4]], [[1, 0], [0, -1], [1, 1]], [[2, 2, 2]]]
    network = Network.mlp(weights, [[1, 1], None, ["1/2"]])
    assert [len(stage.selectors) for stage in network.stages] == [2, 3]
    assert network.stages[0].forms.rows == ((0, 0, 0), (1, 1, 2), (1, 3, 4))


def test_a_network_without_selectors_is_one_stage() -> None:
    network = Network.mlp([[["1/2", 3]]], [[7]])
    [stage] = network.stages
    assert (stage.selectors, stage.base, stage.mix.input_dim) == ((), AffineMap.of([[7, "1/2", 3]]), 0)
    assert network.evaluate([2, -1]) == (F(5),)
    assert network.winners([2, -1]) == ((),)


def test_ties_are_means() -> None:
    # At x = 0 both keys score 0; at x = 1 the second wins.
    head = {"query": {"weight": [[1]]}, "keys": [[0], [1]], "values": [[10], [4]]}
    network = Network.from_arrays({"input_dim": 1, "layers": [{"type": "attention", "heads": [head]}]})
    assert [network.evaluate([x]) for x in (-1, 0, 1)] == [(F(10),), (F(7),), (F(4),)]
    assert [network.winners([x]) for x in (-1, 0, 1)] == [(((0,),),), (((0, 1),),), (((1,),),)]


def test_a_leaky_slope_above_one_is_no_maximum() -> None:
    network = Network.from_arrays({"input_dim": 1, "layers": [{"type": "leaky_relu", "slope": 3}]})
    assert [network.evaluate([x]) for x in (-2, 0, 2)] == [(F(-6),), (F(0),), (F(2),)]


def test_a_leaky_slope_of_one_still_has_two_candidates() -> None:
    network = Network.from_arrays({"input_dim": 1, "layers": [{"type": "leaky_relu", "slope": 1}]})
    [selector] = network.stages[0].selectors
    first, second = selector.candidates
    assert first.score != second.score
    assert first.value == second.value


def test_log_lifted_attention_shares_its_denominator() -> None:
    # s = (0, x): channel 0 is max(3, x) - max(0, x), channel 1 is max(0, x + 1) - max(0, x).
    head = {"query": {"weight": [[1]]}, "keys": [[0], [1]], "log_values": [[3, 0], [0, 1]]}
    network = Network.from_arrays({"input_dim": 1, "layers": [{"type": "tropical_attention", "heads": [head]}]})
    assert [network.evaluate([x]) for x in (-5, "-1/2", 2, 9)] == [
        (F(3), F(0)),
        (F(3), F(1, 2)),
        (F(1), F(1)),
        (F(0), F(1)),
    ]
    names = [selector.name for selector in network.stages[0].selectors]
    assert names == [
        "layers[0].heads[0].channels[0]",
        "layers[0].heads[0].channels[1]",
        "layers[0].heads[0].denominator",
    ]


def test_selectors_are_named_for_their_place() -> None:
    part = {"weight": [[1], [2]]}
    layers = [
        {"type": "linear", "weight": [[1]]},
        {"type": "ffn", "hidden": part, "output": {"weight": [[1, 1]]}},
        {"type": "maxout", "units": [part]},
        {"type": "attention", "heads": [{"query": part, "keys": [[1, 1]], "values": [[1]]}]},
        {"type": "abs"},
    ]
    network = Network.from_arrays({"input_dim": 1, "layers": layers})
    names = [selector.name for stage in network.stages for selector in stage.selectors]
    expected = ["layers[1].hidden[0]", "layers[1].hidden[1]", "layers[2].units[0]", "layers[3].heads[0]"]
    assert names == [*expected, "layers[4].units[0]"]


def test_a_point_must_fit() -> None:
    network = Network.mlp([[[1, 1]]])
    with pytest.raises(BadInput, match="expected a point with 2 coordinates, got 1"):
        network.evaluate([1])
    with pytest.raises(NotRational, match="coordinate 1 of a point, but nan is not a finite number"):
        network.evaluate([float("nan"), 1])
    with pytest.raises(BadInput, match="expected a point as a list of 2 numbers, got '12'"):
        network.evaluate("12")

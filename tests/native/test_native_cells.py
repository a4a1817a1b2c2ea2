"""Cells of the native core: by every method, in every tier, those of Python in the same order; limits; defects."""

import random
import time
from fractions import Fraction
from math import cos, sin
from typing import Any

import pytest

from exactgeo import Network, enumerate_cells, native
from exactgeo.errors import Inconsistent
from exactgeo.network.lowering import lowered
from tests.oracles.degenerate_networks import FAMILIES, document
from tests.oracles.native_cells import METHODS, SIGN_TIERS, TIERS, agree, agree_on, drawn, run
from tests.oracles.random_networks import Document

BOX = {"box": [["-1", "1"], ["-1", "1"]]}


def _network(dimension: int, layers: list[Document], domain: Document | None = None) -> Network:
    return Network.from_arrays(
        {"format": "exactgeo-network/1", "input_dim": dimension, "layers": layers, "domain": domain}
    )


@pytest.mark.parametrize("family", FAMILIES)
def test_networks_that_are_degenerate_by_construction(family: str) -> None:
    for seed in range(3):
        agree(Network.from_arrays(document(family, seed)), seed, most=100)


@pytest.mark.parametrize("first", range(100, 145, 15))
def test_random_networks(first: int) -> None:
    """``python -m benchmarks.agreement --networks 0 --native 10000`` takes more of them."""
    assert sum(agree_on(seed)["networks"] for seed in range(first, first + 15)) > 10


def _deep(depth: int, activation: Document) -> Network:
    rng = random.Random(1)
    layers: list[Document] = []
    for _ in range(depth):
        layers += [{"type": "linear", "weight": [[rng.gauss(0, 1) or 1.0]], "bias": [rng.gauss(0, 1)]}, activation]
    return _network(1, layers, {"box": [["-3", "3"]]})


@pytest.mark.parametrize("method", METHODS)
def test_520_layers_of_width_one(method: str) -> None:
    """Float weights, whose exact forms have tens of thousands of bits; neither recursion nor range is a limit."""
    for network in (_deep(520, {"type": "relu"}), _deep(60, {"type": "leaky_relu", "slope": 0.1})):
        expected = sum(1 for _ in enumerate_cells(network, core="python"))
        assert expected > 1
        for faults in ({}, {"unsure": 1 / 3}, {"refine": True}):
            assert run(lowered(network), method, True, faults)[0] == expected


def _pencil(real: bool, domain: Document | None, count: int) -> Network:
    """Units whose lines go through (1/2, 1/4)."""
    rows = [(cos(k), sin(k)) if real else (k + 1, 200 - 3 * k) for k in range(count)]
    bias = [str(-Fraction(a) / 2 - Fraction(b) / 4) for a, b in rows]
    return _network(
        2, [{"type": "linear", "weight": [list(row) for row in rows], "bias": bias}, {"type": "relu"}], domain
    )


@pytest.mark.parametrize("domain", [BOX, None])
@pytest.mark.parametrize("real", [False, True])
def test_200_units_through_one_point(real: bool, domain: Document | None) -> None:
    """n lines through a point cut the plane into 2 n sectors."""
    core = lowered(_pencil(real, domain, 200))
    for faults in SIGN_TIERS.values():
        assert run(core, "split", False, faults)[0] == 400
    assert run(core, "rows", False, {})[0] == 400
    assert run(lowered(_pencil(real, domain, 60)), "search", False, {})[0] == 120


def _keys(dimension: int, count: int) -> Network:
    rng = random.Random(3)
    rows = [[rng.gauss(0, 1) for _ in range(dimension)] for _ in range(count)]
    unit = {"weight": rows, "bias": [-sum(x * x for x in row) / 2 for row in rows]}
    return _network(dimension, [{"type": "maxout", "units": [unit]}], {"box": [["-5", "5"]] * dimension})


@pytest.mark.parametrize(("dimension", "count"), [(2, 512), (3, 300)])
def test_many_candidates(dimension: int, count: int) -> None:
    """A Voronoi diagram: every key is in its own cell, if it is in the box."""
    core = lowered(_keys(dimension, count))
    for faults in ({}, {"unsure": 1 / 50}):
        number, patterns, _ = run(core, "split", True, faults)
        assert number == count
        assert patterns == run(core, "rows", True, faults)[1]


def test_twelve_dimensions() -> None:
    rng = random.Random(12)
    rows = [[rng.gauss(0, 1) for _ in range(12)] for _ in range(6)]
    layers: list[Document] = [
        {"type": "linear", "weight": rows, "bias": [rng.gauss(0, 1) for _ in rows]},
        {"type": "relu"},
        {"type": "linear", "weight": [[rng.gauss(0, 1) for _ in range(6)] for _ in range(2)], "bias": [0, 1]},
        {"type": "abs"},
    ]
    core = lowered(_network(12, layers, {"box": [["-1", "1"]] * 12}))
    number, patterns, _ = run(core, "rows", True, {})
    assert number > 64
    for faults in TIERS.values():
        assert run(core, "rows", True, faults)[1] == patterns
    assert run(core, "search", True, {})[1] == patterns


def test_errors_that_are_no_numbers() -> None:
    """Weights of 2^40 that cancel: errors grow by as much in each layer, beyond doubles, and then times 0.

    What was compared then was compared with nothing: candidates with equal scores have to be found all the same.
    """
    big = 2.0**40 + 1
    layers: list[Document] = [{"type": "linear", "weight": [[0.1], [0.1], [1]]}]
    for _ in range(60):
        layers.append({"type": "linear", "weight": [[big, -big, 1], [big, -big, 1], [1, 0, 0]]})
        layers.append({"type": "leaky_relu", "slope": "1/2"})
    equal: list[Any] = [[f"{k}/97", f"{97 - k}/97", 0] for k in range(0, 97, 8)]
    layers.append({"type": "maxout", "units": [{"weight": equal}, {"weight": [*equal, [0, 0, 1]]}]})
    network = _network(1, layers, {"box": [["-1", "1"]]})
    assert agree(network, 0)["networks"] == 1
    assert agree(network, 1)["networks"] == 1


@pytest.mark.parametrize("method", METHODS)
def test_limits(method: str) -> None:
    """Once there are more cells than the limit the work ends, with a lower bound that exceeds it."""
    core = lowered(_pencil(True, BOX, 70))
    for limit in (0, 1, 17, 139):
        job = native.core.CellsJob(core, method, limit=limit)
        while not job.wait(10):
            pass
        assert limit < job.cells <= 140
        assert job.cells <= limit + 64
    for limit in (140, 10**9):
        job = native.core.CellsJob(core, method, limit=limit)
        while not job.wait(10):
            pass
        assert job.cells == 140


@pytest.mark.parametrize("method", METHODS)
def test_it_can_be_stopped(method: str) -> None:
    """Half a million cells; what is found before the stop is proved."""
    rng = random.Random(1)
    rows = [[rng.gauss(0, 1) for _ in range(4)] for _ in range(60)]
    layers: list[Any] = [{"type": "linear", "weight": rows, "bias": [0.1 * rng.gauss(0, 1) for _ in rows]}]
    core = lowered(_network(4, [*layers, {"type": "relu"}], {"box": [["-9", "9"]] * 4}))
    job = native.core.CellsJob(core, method, listed=True)  # nobody takes the blocks: at some time it waits for that
    while job.cells < 100:
        time.sleep(0.01)
    job.stop()
    while not job.wait(1):
        while job.take() is not None:
            pass
    assert 100 <= job.cells < 500_000


def test_arrangements_only_are_counted_by_flats() -> None:
    relu: Document = {"type": "relu"}
    units: Document = {"type": "linear", "weight": [[1, 0], [0, 1], [1, 1]]}
    units3: Document = {"type": "linear", "weight": [[1, 0, 1]]}
    piece: Document = {"type": "maxout", "units": [{"weight": [[1, 0], [0, 1], [1, 1]]}]}
    for network in (_network(2, [units, relu], BOX), _network(2, [piece]), _network(2, [units, relu, units3, relu])):
        with pytest.raises(ValueError, match="flats"):
            native.core.CellsJob(lowered(network), "flats")


@pytest.mark.parametrize("method", METHODS)
def test_defects_are_seen(method: str) -> None:
    """Signs that are turned round contradict each other; where that is seen it is said where."""
    seen: set[str] = set()
    places = 0
    for seed in range(130):
        network = Network.from_arrays(drawn(seed)[0])
        if network.input_dim > 4:
            continue
        try:
            run(lowered(network), method, False, {"lies": 0.2}, seed)
        except Inconsistent as defect:
            seen.add(str(defect).split(": ")[0])
            places += ": stage " in str(defect)
    assert seen >= DEFECTS[method]
    assert method != "split" or places > 1


DEFECTS = {
    "split": {"the rows of a ray do not determine it", "a row that is positive on a ray vanishes there"},
    "rows": {"a selector has no winner on a cell"},
    "search": {"search reached a cell without interior"},
}

"""Many networks in one call: each entry is what ``count`` says of that network."""

import copy
import random
import threading
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import exactgeo
from exactgeo import BadInput, ManyCounts, Network, count, count_many, native
from exactgeo.errors import BadNetwork, EmptyDomain
from exactgeo.network.layers import KINDS
from tests.many.documents import RANKS, drawn
from tests.oracles.random_networks import LAYERS, Taste
from tests.toy import minimum


def _cells(document: dict[str, Any]) -> int:
    return count(Network.from_arrays(document), count_only=True).cells


def _mlp(widths: list[int], draw: Callable[[tuple[int, ...]], object], count: int, side: int = 1) -> dict[str, Any]:
    layers: list[dict[str, object]] = []
    for inputs, outputs in pairwise(widths):
        layers.append({"type": "linear", "weight": draw((count, outputs, inputs)), "bias": draw((count, outputs))})
        layers.append({"type": "relu"})
    return {"input_dim": widths[0], "domain": {"box": [[-side, side]] * widths[0]}, "layers": layers[:-1]}


def _at(document: dict[str, Any], k: int) -> dict[str, Any]:
    """Network k of a document in which every array has an axis for networks."""
    layers = [
        {key: entry if key == "type" else entry[k] for key, entry in layer.items()} for layer in document["layers"]
    ]
    return {**document, "layers": layers}


# -- the law -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(120))
def test_entries_are_what_count_says(seed: int) -> None:
    many, singles = drawn(seed)
    found = count_many(many)
    assert found.cells.tolist() == [_cells(single) for single in singles]
    assert found.complete.all()


@pytest.mark.parametrize("kind", [kind for kind in LAYERS if kind != "linear"])
@pytest.mark.parametrize("seed", range(8))
def test_every_kind_after_linear_layers(kind: str, seed: int) -> None:
    """Products of linear layers, deep residuals."""
    taste = Taste(dimensions=(1, 2), layers=4, kinds=("linear", kind, kind))
    many, singles = drawn(1000 + seed, taste)
    assert count_many(many).cells.tolist() == [_cells(single) for single in singles]


@pytest.mark.parametrize("seed", range(6))
def test_many_dimensions(seed: int) -> None:
    """Beyond five, the split on rows."""
    many, singles = drawn(seed, Taste(dimensions=(5, 6), layers=2, domains=("box",), kinds=("linear", "relu", "ffn")))
    assert count_many(many).cells.tolist() == [_cells(single) for single in singles]


@pytest.mark.parametrize("seed", range(15))
def test_regions(seed: int) -> None:
    many, singles = drawn(seed, Taste(dimensions=(1, 2), layers=2))
    found = count_many(many, regions=True)
    assert found.regions is not None
    assert found.affine_maps is not None
    for k, single in enumerate(singles):
        answer = count(Network.from_arrays(single))
        assert (found.cells[k], found.regions[k], found.affine_maps[k]) == (
            answer.cells,
            answer.regions,
            answer.affine_maps,
        )


def test_all_kinds_have_a_lowering() -> None:
    assert all(kind.in_slots is not None for kind in KINDS.values())
    ranks = {key: rank for kind in KINDS.values() for key, rank in kind.ranks.items()}
    assert ranks == RANKS


def test_small_weights() -> None:
    """2-3-3-1 with weights from -1 to 1: zeros, duplicates and opposite units all the time."""
    rng = np.random.default_rng(0)
    many = _mlp([2, 3, 3, 1], lambda shape: rng.integers(-1, 2, shape), 2000)
    found = count_many(many)
    for k in random.Random(0).sample(range(2000), 60):
        assert found.cells[k] == _cells(_at(many, k))


def test_float_weights() -> None:
    rng = np.random.default_rng(0)
    many = _mlp([2, 8, 8, 1], lambda shape: rng.standard_normal(shape).astype(np.float32), 300)
    found = count_many(many)
    for k in range(0, 300, 50):
        assert found.cells[k] == _cells(_at(many, k))


def test_a_tree_that_is_used_again_is_as_new() -> None:
    """Large and small, dead and alive networks in any order, on domains with lines as well."""
    rng = np.random.default_rng(1)
    many = _mlp([2, 9, 3, 1], lambda shape: rng.integers(-3, 4, shape), 40)
    for k in range(0, 40, 3):
        many["layers"][0]["weight"][k] = 0
    for domain in (many["domain"], None, {"inequalities": [[1, 1, 0]]}, {"inequalities": [[1, 1, 0], [1, -1, 0]]}):
        many["domain"] = domain
        alone = [count_many(_sliced(many, k)).cells[0] for k in range(40)]
        assert count_many(many).cells.tolist() == alone
        assert count_many(many).cells[::4].tolist() == [_cells(_at(many, k)) for k in range(0, 40, 4)]


def _sliced(document: dict[str, Any], k: int) -> dict[str, Any]:
    layers = [
        {key: entry if key == "type" else entry[k : k + 1] for key, entry in layer.items()}
        for layer in document["layers"]
    ]
    return {**document, "layers": layers}


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 2.0**-60, 1.0, 2.0**60, 1e300])
def test_wild_scales(scale: float) -> None:
    """Subnormal and huge numbers beside ordinary ones; products that no float holds."""
    rng = np.random.default_rng(2)
    weight = rng.integers(-3, 4, (6, 3, 2)) * np.where(rng.random((6, 3, 2)) < 0.5, scale, 1.0)
    layer = {"type": "linear", "weight": weight, "bias": rng.integers(-1, 2, (6, 3)) * scale}
    second = {"type": "linear", "weight": rng.standard_normal((6, 3, 3)) * scale}
    many = {"input_dim": 2, "layers": [layer, second, {"type": "relu"}, second, second, {"type": "leaky_relu"}]}
    many["layers"][-1]["slope"] = np.full(6, scale)  # type: ignore[index]
    many["domain"] = {"box": [[-1, 1], [-1, 1]]}
    assert count_many(many).cells.tolist() == [_cells(_at(many, k)) for k in range(6)]


# -- threads and budgets -----------------------------------------------------------------------------------------------


def test_workers_agree() -> None:
    rng = np.random.default_rng(3)
    many = _mlp([2, 6, 6, 1], rng.standard_normal, 200)
    one = count_many(many)
    for workers in (2, 5):
        found = count_many(many, workers=workers)
        assert found.cells.tolist() == one.cells.tolist()
        assert found.signs == one.signs


def test_max_cells() -> None:
    rng = np.random.default_rng(4)
    many = _mlp([2, 6, 6, 1], rng.standard_normal, 50)
    whole = count_many(many).cells
    limit = int(np.median(whole))
    for workers in (1, 2):
        found = count_many(many, max_cells=limit, workers=workers)
        assert found.complete.tolist() == (whole <= limit).tolist()
        assert (found.cells[found.complete] == whole[found.complete]).all()
        cut = found.cells[~found.complete]
        assert ((cut > limit) & (cut <= whole[~found.complete])).all()
    joined = count_many(many, max_cells=limit, regions=True)
    assert joined.regions is not None
    assert joined.affine_maps is not None
    assert joined.complete.tolist() == (whole <= limit).tolist()
    assert (joined.regions[~joined.complete] == -1).all()
    assert (joined.affine_maps[~joined.complete] == -1).all()


@pytest.mark.parametrize("regions", [False, True])
def test_timeout(regions: bool) -> None:
    rng = np.random.default_rng(5)
    many = _mlp([3, 40, 40, 1], rng.standard_normal, 50)
    found = count_many(many, timeout=0.2, regions=regions, workers=2)
    assert not found.complete.all()
    assert (found.cells >= 1).all()
    assert (found.cells[-1], found.complete[-1]) == (1, False)  # not begun


@pytest.mark.parametrize("workers", [1, 3])
def test_an_interrupt_ends_all(workers: int) -> None:
    rng = np.random.default_rng(6)
    many = _mlp([4, 60, 60, 60, 1], rng.standard_normal, 3)
    before = threading.active_count()
    timer = threading.Timer(0.3, _interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        count_many(many, workers=workers)
    timer.join()
    assert threading.active_count() == before


def _interrupt() -> None:
    import signal

    signal.raise_signal(signal.SIGINT)


def test_from_a_thread() -> None:
    found: list[ManyCounts] = []
    many, singles = drawn(7)
    thread = threading.Thread(target=lambda: found.append(count_many(many)))
    thread.start()
    thread.join()
    assert found[0].cells.tolist() == [_cells(single) for single in singles]


# -- what may stand for numbers ----------------------------------------------------------------------------------------

TENT: dict[str, Any] = {
    "input_dim": 1,
    "domain": {"box": [[0, 1]]},
    "layers": [{"type": "linear", "weight": [[1], [1]], "bias": [[0, 0], [0, -0.5]]}, {"type": "relu"}],
}


def _tents(**keys: object) -> dict[str, Any]:
    document = copy.deepcopy(TENT)
    document["layers"][0].update(keys)
    return document


@pytest.mark.parametrize(
    "bias",
    [
        [[0, "-1/2"], ["0.0", Fraction(-2)], [0, Decimal("-0.5")]],
        np.array([[0, -0.5], [0, -2], [0, -0.5]], np.float16),
        np.array([[0, -0.5], [0, -2], [0, -0.5]], np.longdouble),
        np.array([[0, -0.5], [0, -2], [0, -0.5]])[:, ::-1],
        ((0, -0.5), (0, -2), (0, -0.5)),
        [np.array([0, -0.5]), np.array([0, -2]), np.array([0, -0.5])],
        np.array([["0", "-1/2"], ["0", "-2"], ["0", "-0.5"]]),
        np.array([[0, -0.5], [0, -2], [0, -0.5]]).data,
    ],
)
def test_spellings(bias: object) -> None:
    assert count_many(_tents(bias=bias)).cells.tolist() == [2, 1, 2]


def test_integers_that_floats_do_not_have() -> None:
    """x >= 2^53 + 1 is all of a domain that begins there, and numpy would round the bias beside a float."""
    edge = 2**53
    many = _tents(weight=[[1], [1]], bias=[[0, -edge - 1], [0.5, -edge - 1], [0, -edge]])
    many["domain"] = {"box": [[edge, edge + 2]]}
    assert count_many(many).cells.tolist() == [2, 2, 1]
    unsigned = np.array([[2**64 - 1, 2**63], [1, 0]], np.uint64)
    many = _tents(weight=[[-1], [-1]], bias=unsigned)
    many["domain"] = {"box": [[2**63 + 1, 2**64]]}
    assert count_many(many).cells.tolist() == [2, 1]
    low = np.array([[-(2**63), 0]], np.int64)
    many = _tents(bias=low)
    many["domain"] = {"box": [[2**63 - 1, 2**63 + 1]]}
    assert count_many(many).cells.tolist() == [2]


def test_no_networks() -> None:
    for regions in (False, True):
        found = count_many(_tents(bias=np.zeros((0, 2))), regions=regions)
        assert len(found) == 0
        assert found.cells.dtype == np.int64
        assert found.complete.dtype == np.bool_


def test_only_linear_layers() -> None:
    many = {"input_dim": 2, "layers": [{"type": "linear", "weight": np.ones((3, 1, 2))}]}
    assert count_many(many).cells.tolist() == [1, 1, 1]


def test_what_comes_back_is_frozen() -> None:
    found = count_many(TENT, regions=True)
    assert found.regions is not None
    assert found.signs is None
    assert repr(found).startswith("<ManyCounts: 2 of 2 networks counted, in ")
    for array in (found.cells, found.complete, found.regions, count_many(TENT).cells):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7
    with pytest.raises(AttributeError):
        found.seconds = 1.0  # type: ignore[misc]
    signs = count_many(TENT).signs
    assert signs is not None
    assert set(signs) == {"floats", "grids", "exact"}


# -- errors ------------------------------------------------------------------------------------------------------------


def _nan(shape: tuple[int, ...], index: tuple[int, ...], dtype: Any = np.float64) -> Any:
    array = np.zeros(shape, dtype)
    array[index] = np.nan
    return array


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"weight": _nan((20, 2, 1), (17, 1, 0))}, r"layers\[0\].weight\[17,1,0\]: .* but nan is not a finite number"),
        ({"weight": _nan((2, 1), (1, 0), np.float32)}, r"layers\[0\].weight\[1,0\]: .* but nan is not a finite number"),
        ({"bias": np.full((2, 2), -np.inf, np.float16)}, r"layers\[0\].bias\[0,0\]: .* but -inf is not a finite"),
        ({"bias": [[0, 1], [0, float("nan")]]}, r"layers\[0\].bias\[1,1\]: .* but nan is not a finite number"),
        ({"bias": np.ones((2, 2), bool)}, r"layers\[0\].bias\[0,0\]: .* but True is a boolean"),
        ({"bias": [[0, 1], [False, 0]]}, r"layers\[0\].bias\[1,0\]: .* but False is a boolean"),
        ({"bias": [[0, 1], ["a third", 0]]}, r"layers\[0\].bias\[1,0\]: .* but 'a third' is not a rational number"),
        ({"bias": np.zeros((2, 2), complex)}, r"layers\[0\].bias\[0,0\]: .* is not a rational number"),
        ({"bias": [[0, 1], [0]]}, r"layers\[0\].bias: expected lists of equal lengths"),
        (
            {"bias": np.zeros((3, 2)), "weight": np.zeros((4, 2, 1))},
            r"layers\[0\].bias: expected 4 networks as in layers",
        ),
        (
            {"bias": np.zeros((3, 2, 1))},
            r"layers\[0\].bias: expected 1 axis, or 2 axes with one for the networks, got 3",
        ),
        ({"weight": 3}, r"layers\[0\].weight: expected 2 axes, or 3 axes with one for the networks, got 0"),
        ({"weight": np.zeros((5, 2, 2))}, r"layers\[0\].weight\[0\]: expected a list of 1 numbers, got a list of 2"),
        ({"bias": np.zeros((5, 3))}, r"layers\[0\].bias: expected a list of 2 numbers, got a list of 3"),
        ({"bias": [0, 1]}, r"layers: expected an array with one axis more than in a file"),
        ({"wieght": 1}, r"layers\[0\]: .*the unknown key \"wieght\""),
    ],
)
@pytest.mark.parametrize("regions", [False, True])
def test_errors_name_the_place(keys: dict[str, object], message: str, regions: bool) -> None:
    with pytest.raises(BadNetwork, match=message):
        count_many(_tents(**keys), regions=regions)


def test_errors_of_the_whole_document() -> None:
    with pytest.raises(BadNetwork, match="expected an object"):
        count_many([TENT])
    with pytest.raises(BadNetwork, match=r'expected the key "layers"'):
        count_many({"input_dim": 1})
    with pytest.raises(EmptyDomain, match=r"domain.box\[0\]"):
        count_many({**TENT, "domain": {"box": [[1, 0]]}})
    nested: list[Any] = []
    for _ in range(10**4):
        nested = [nested]
    with pytest.raises(BadNetwork, match="nesting"):
        count_many({**TENT, "layers": nested})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"regions": 1}, "regions: expected True or False, got int"),
        ({"workers": 0}, "workers: expected a positive integer, got 0"),
        ({"workers": True}, "workers: expected a positive integer, got True"),
        ({"workers": 1.5}, "workers: expected a positive integer, got 1.5"),
        ({"max_cells": 0}, "max_cells: expected a positive integer"),
        ({"timeout": 0}, "timeout: expected a positive number of seconds"),
    ],
)
def test_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        count_many(TENT, **options)


# -- through Python ----------------------------------------------------------------------------------------------------


def test_a_kind_without_a_lowering(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "minimum", minimum.KIND)
    layers: list[dict[str, Any]] = [*TENT["layers"][:1], {"type": "minimum", "shift": 1}]
    many = {"input_dim": 1, "domain": {"box": [[0, 1]]}, "layers": [*layers, {"type": "relu"}]}
    found = count_many(many, workers=3, max_cells=10, timeout=1000)
    layers[0] = {**layers[0], "bias": [0, -0.5]}
    assert found.cells.tolist()[1] == _cells({**many, "layers": [*layers, {"type": "relu"}]})
    assert found.complete.all()
    assert found.signs is None


def test_without_the_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "why_not", lambda: "it was not built")
    assert count_many(TENT).cells.tolist() == [1, 2]


def test_tensors_by_their_lists() -> None:
    """What numpy cannot view, as a tensor that wants gradients."""

    class Tensor:
        def __array__(self, dtype: object = None, copy: object = None) -> Any:
            raise RuntimeError("a tensor that wants gradients")

        def tolist(self) -> list[list[float]]:
            return [[0.0, -0.5], [0.0, 0.0]]

    assert count_many(_tents(bias=Tensor())).cells.tolist() == [2, 1]


def test_it_is_exported() -> None:
    assert "count_many" in exactgeo.__all__
    assert "ManyCounts" in exactgeo.__all__


def test_what_no_entry_can_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting by states may give bounds of regions, and more cells than 64 bits hold."""
    answer = SimpleNamespace(cells=2**70, regions=None, affine_maps=None)
    monkeypatch.setattr("exactgeo.many.count", lambda *_, **__: answer)
    found = count_many(TENT, regions=True)
    assert found.cells.tolist() == [2**63 - 1] * 2
    assert found.regions is not None
    assert found.regions.tolist() == [-1, -1]
    assert not found.complete.any()

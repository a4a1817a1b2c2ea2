"""The generator makes every kind of layer and of domain, and every degenerate case that it promises."""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import find, settings

from exactgeo import Network
from exactgeo.network.layers import KINDS
from proofs_check.lowering.layers import KINDS as CHECKED
from tests.oracles import brute, forward
from tests.oracles.random_networks import DOMAINS, LAYERS, MIXED, UNBOUNDED, Maker, Taste, seeded
from tests.oracles.strategies import documents

MANY = [seeded(seed, Taste(dimensions=(1, 2, 3))).document() for seed in range(600)]


def test_every_kind_of_layer_is_made() -> None:
    """By the generator, and understood by both oracles."""
    assert set(LAYERS) == set(KINDS) == set(CHECKED) == set(brute.LAYERS) == set(forward.LAYERS)
    seen = Counter(layer["type"] for document in MANY for layer in document["layers"])
    assert set(seen) == set(LAYERS)
    assert min(seen.values()) > 60


@pytest.mark.parametrize("kind", list(LAYERS))
@pytest.mark.parametrize("inputs", [1, 2, 3])
def test_the_number_of_outputs_is_told(kind: str, inputs: int) -> None:
    make = seeded(f"{kind} {inputs}", Taste(MIXED))
    for _ in range(30):
        layer, outputs = make.layer(inputs, kind)
        assert Network.from_arrays({"input_dim": inputs, "layers": [layer]}).output_dim == outputs


@pytest.mark.parametrize("name", list(DOMAINS))
@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_domains_have_an_interior_and_bounds_as_promised(name: str, dimension: int) -> None:
    make = seeded(f"{name} {dimension}")
    for _ in range(10):
        domain = DOMAINS[name](make, dimension)
        network = Network.from_arrays({"input_dim": dimension, "domain": domain, "layers": [{"type": "relu"}]})
        assert brute.brute_cells({"input_dim": dimension, "domain": domain, "layers": []})
        rows = [tuple(row) for row in network.domain_rows]
        bounded = dimension + 1 <= len(rows) and not _has_a_direction(rows, dimension)
        assert bounded == (name not in UNBOUNDED)


def _has_a_direction(rows: list[tuple[int, ...]], dimension: int) -> bool:
    """A nonzero v with a.v >= 0 for every row, looked for among small integers; enough for these domains."""
    steps: list[list[int]] = [[]]
    for _ in range(dimension):
        steps = [[*step, x] for step in steps for x in (-1, 0, 1)]
    return any(
        any(step) and all(sum(a * x for a, x in zip(row[1:], step, strict=True)) >= 0 for row in rows) for step in steps
    )


def test_degenerate_cases_are_frequent() -> None:
    seen: Counter[str] = Counter()
    for document in MANY:
        seen["dimension one"] += document["input_dim"] == 1
        seen["unbounded"] += document.get("domain") is None
        seen["null"] += "domain" in document and document["domain"] is None
        for layer in document["layers"]:
            for part in (layer, layer.get("hidden", {}), *layer.get("units", [])):
                rows = list(zip(part.get("bias", ["0"] * 9), map(tuple, part.get("weight", [])), strict=False))
                seen["dead"] += any(set(row) == {"0"} for _, row in rows)
                seen["coincident"] += len(set(rows)) < len(rows)
                seen["parallel"] += any(one[1] == two[1] and one[0] != two[0] for one, two in combinations(rows, 2))
            for head in layer.get("heads", []):
                keys = [tuple(key) for key in head["keys"]]
                seen["tied keys"] += len(set(keys)) < len(keys)
                seen["one key"] += len(keys) == 1
            seen["residual"] += layer.get("residual", False)
            seen["residual: false"] += layer.get("residual") is False
            seen["several heads"] += len(layer.get("heads", [])) > 1
    assert len(seen) == 11
    assert min(seen.values()) > 12, seen


def test_what_is_repeated_is_a_multiple() -> None:
    make = Maker(random.Random(1).randint, Taste(repeats=10))
    for _ in range(50):
        rows = [tuple(map(Fraction, row)) for row in make.rows(3, 4)]
        assert any(
            all(one[i] * two[j] == one[j] * two[i] for i, j in combinations(range(4), 2))
            for one, two in combinations(rows, 2)
        )


def test_a_seed_names_a_network() -> None:
    assert [seeded(seed, Taste(dimensions=(1, 2, 3))).document() for seed in range(20)] == MANY[:20]


def test_networks_shrink() -> None:
    """To the one layer that matters, with one unit, in dimension one."""
    found = find(
        documents(max_dim=3, max_layers=4, max_units=4),
        lambda document: any(layer["type"] == "maxout" for layer in document["layers"]),
        settings=settings(derandomize=True, database=None, max_examples=300),
    )
    assert found["input_dim"] == 1
    assert found["layers"] == [{"type": "maxout", "units": [{"weight": [["0"]]}]}]

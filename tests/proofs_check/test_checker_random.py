"""Random networks with every type of layer: the tiny producer's certificates, the forward pass, the bounds."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from proofs_check.core.limits import Meter
from proofs_check.lowering import lower, read_network
from proofs_check.lowering.objects import parse_object
from tests.oracles.random_networks import MIXED, Taste, seeded
from tests.proofs_check.tiny_producer import Producer, certificate
from tests.proofs_check.verdicts import verdict


def network(seed: int) -> dict[str, Any]:
    return seeded(seed, Taste(MIXED, hidden=3)).document()


@pytest.mark.parametrize("seed", range(60))
def test_certificates_of_random_networks(tmp_path: Path, seed: int) -> None:
    net = network(seed)
    producer = Producer(net, compact=seed % 2 == 0)
    regions, cells = producer.regions(), len(producer.leaves)
    claim = {"cells": cells, "regions": regions, "affine_maps": producer.maps()}
    result = verdict(tmp_path, certificate(net, producer.records, claim))
    assert (result.cells, result.regions, result.affine_maps[0]) == (cells, (regions, regions), producer.maps())


def bounds_by_definition(producer: Producer, records: list[list[Any]]) -> tuple[int, int]:
    """FORMAT.md, section 7, pair by pair."""
    leaves = producer.leaves
    component = list(range(len(leaves)))

    def join(parts: list[int], a: int, b: int) -> list[int]:
        return [parts[a] if part == parts[b] else part for part in parts]

    def covers(side: Any, leaf: int) -> bool:
        a, s = side if isinstance(side, list) else (side, len(leaves[leaf].pattern))
        return leaves[leaf].pattern[:s] == leaves[a].pattern[:s]

    for record in records:
        if record[0] == "W":
            component = join(component, record[1], record[2])
    lower = component
    for a, b in combinations(range(len(leaves)), 2):
        if leaves[a].output != leaves[b].output or component[a] == component[b]:
            continue
        _, (h, *others) = producer.differences(a, b)
        free = any(row not in (h, tuple(-value for value in h)) for row in others)
        separated = any(
            (covers(r[1], a) and covers(r[2], b)) or (covers(r[1], b) and covers(r[2], a))
            for r in records
            if r[0] == "N"
        )
        if not free and not separated:
            lower = join(lower, a, b)
    return len(set(lower)), len(set(component))


@pytest.mark.parametrize("seed", range(60))
def test_bounds_when_records_are_missing(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    for number in range(seed * 100, seed * 100 + 100):
        net = network(number)
        producer = Producer(net)
        if producer.regions() < len(producer.leaves) or any(record[0] == "N" for record in producer.records):
            break
    records = []
    for record in producer.records:
        if record[0] in "WN" and rng.random() < 0.4:
            continue
        if record[0] == "N" and rng.random() < 0.6:  # on whole subtrees, as far up as the cited rows allow
            _, a, b, ka, la, kb, lb = record
            t, _ = producer.differences(a, b)
            record = ["N", [a, reach(producer, a, ka, t)], [b, reach(producer, b, kb, t)], ka, la, kb, lb]
        records.append(record)
    claim = {"cells": len(producer.leaves), "regions": [1, len(producer.leaves)], "affine_maps": producer.maps()}
    result = verdict(tmp_path, certificate(net, records, claim))
    assert result.regions == bounds_by_definition(producer, records)


def reach(producer: Producer, leaf: int, cited: list[int], t: int) -> int:
    """The least s > t such that the rows cited are of the domain and of the stages before s."""
    owner = [
        stage
        for stage, selectors in enumerate(
            lower(read_network(parse_object(json.dumps(producer.network))), Meter()).stages
        )
        for selector in selectors.selectors
        for _ in selector
    ]
    return max([t, *[owner[k - producer.D] for k in cited if k >= producer.D]]) + 1


NUMBERS = {
    "1/3": Fraction(1, 3),
    "+2/4": Fraction(1, 2),
    "-2.50": Fraction(-5, 2),
    "1e-3": Fraction(1, 1000),
    ".5": Fraction(1, 2),
    "5.": Fraction(5),
    "-0": Fraction(0),
    "1.5E+2": Fraction(150),
}


def test_numbers_are_exact() -> None:
    text = ",".join(f'"{key}"' for key in NUMBERS)
    net = f'{{"format":"exactgeo-network/1","input_dim":8,"layers":[{{"type":"linear","weight":[[{text}]]}}]}}'
    read: Any = read_network(parse_object(net)).layers[0]
    assert read.map.weight == [list(NUMBERS.values())]
    bare = net.replace(text, "-0,-2.50,1e-3,0.1,0e5,1E2,7,-0.0")
    read = read_network(parse_object(bare)).layers[0]
    tenth = Fraction(1, 10)
    assert read.map.weight == [[0, Fraction(-5, 2), Fraction(1, 1000), tenth, 0, 100, 7, 0]]


HEADS = [{"query": {"weight": [[1]], "bias": [1]}, "keys": [[1], [1], [-1]], "values": [[1], [2], [4]]}]
TROPICAL = [{"query": {"weight": [[1]]}, "keys": [[1], [-1]], "score_bias": [0, 1], "log_values": [[0, 3], [1, 0]]}]
AT_ONE_HALF: list[tuple[dict[str, Any], list[str], list[tuple[int, ...]]]] = [
    ({"type": "relu"}, ["1/2"], [(1,)]),
    ({"type": "leaky_relu", "slope": 5}, ["1/2"], [(1,)]),
    ({"type": "abs"}, ["1/2"], [(1,)]),
    ({"type": "hard_tanh"}, ["1/2"], [(1,)]),
    ({"type": "maxout", "units": [{"weight": [[1], [0], [-1]], "bias": [0, "1/2", 0]}]}, ["1/2"], [(0, 1)]),
    # query 3/2; scores 3/2, 3/2, -3/2: the mean of 1 and 2, then 2u + x
    (
        {"type": "attention", "heads": HEADS, "output": {"weight": [[2]]}, "residual": True},
        ["7/2"],
        [(0, 1)],
    ),
    # scores 1/2, 1/2; channel 0: 1/2, 3/2; channel 1: 7/2, 1/2; minus the denominator 1/2
    ({"type": "tropical_attention", "heads": TROPICAL}, ["1", "3"], [(1,), (0,), (0, 1)]),
    # units 1/2 and max(0, -1/4): 3/2 + 0 + 1, then + x
    (
        {
            "type": "ffn",
            "hidden": {"weight": [[1], [-1]], "bias": [0, "1/4"]},
            "output": {"weight": [[3, 9]], "bias": [1]},
            "residual": True,
        },
        ["3"],
        [(1,), (0,)],
    ),
]


@pytest.mark.parametrize(("made", "output", "winners"), AT_ONE_HALF)
def test_layers_at_one_half(made: dict[str, Any], output: list[str], winners: list[tuple[int, ...]]) -> None:
    net = read_network({"format": "exactgeo-network/1", "input_dim": 1, "layers": [made]})
    (q, *y), tied = lower(net, Meter()).forward([2, 1])
    assert [Fraction(value, q) for value in y] == list(map(Fraction, output))
    assert tied == [winners]


def test_below_and_on_the_kinks() -> None:
    for kind, point, value, winners in (
        ("relu", [1, -3], 0, (0,)),
        ("relu", [1, 0], 0, (0, 1)),
        ("leaky_relu", [1, -3], Fraction(-3, 2), (0,)),
        ("abs", [1, -3], 3, (0,)),
        ("hard_tanh", [1, -3], -1, (0,)),
        ("hard_tanh", [1, -1], -1, (0, 1)),
        ("hard_tanh", [1, 3], 1, (2,)),
    ):
        made = {"type": kind} | ({"slope": "1/2"} if kind == "leaky_relu" else {})
        net = read_network({"format": "exactgeo-network/1", "input_dim": 1, "layers": [made]})
        (q, y), tied = lower(net, Meter()).forward(point)
        assert (Fraction(y, q), tied) == (value, [[winners]])

"""Stages in tables: what tables of unusual shape or with unusual numbers once got wrong, or might."""

import random
from pathlib import Path

import pytest

from exactgeo.certificate.frames import PRIME
from tests.certificate.proving import Document, network_of, prove_and_check, weighed

BOX: Document = {"box": [[-1, 2], [-2, 1], [0, 3]]}
RELU: Document = {"type": "relu"}


def heads(rng: random.Random, count: int, keys: int, width: int) -> Document:
    """Attention with constant values, the heads' outputs one after the other."""

    def numbers(rows: int, columns: int) -> list[list[int]]:
        return [[rng.randint(-9, 9) for _ in range(columns)] for _ in range(rows)]

    listed = [
        {"query": {"weight": numbers(width, width), "bias": numbers(1, width)[0]}, "keys": numbers(keys, width)}
        | {"score_bias": numbers(1, keys)[0], "values": numbers(keys, 1)}
        for _ in range(count)
    ]
    return {"type": "attention", "heads": listed}


@pytest.mark.parametrize(("count", "keys"), [(2, 3), (6, 5)])
def test_a_stage_reads_fewer_coordinates_than_the_network(count: int, keys: int, tmp_path: Path) -> None:
    """Scores are forms of the input, whatever the stage reads."""
    rng = random.Random(count)
    layers = [{"type": "linear", **weighed([[0, 1, 2, 0], [1, 0, 1, -1]])}, heads(rng, count, keys, 2)]
    cells, _, _ = prove_and_check(network_of(3, layers, BOX), tmp_path / "proof")
    assert cells > 1


@pytest.mark.parametrize(("count", "keys"), [(3, 4), (9, 4)])
def test_candidates_that_are_equal_in_heads_of_one_size(count: int, keys: int, tmp_path: Path) -> None:
    rng = random.Random(keys)
    layer = heads(rng, count, keys, 2)
    for head in layer["heads"][::2]:
        head["keys"][-1], head["score_bias"][-1] = head["keys"][0], head["score_bias"][0]
    prove_and_check(network_of(2, [layer], {"box": [[-2, 2], [-2, 2]]}), tmp_path / "proof", multipliers=True)


def test_a_network_without_selectors(tmp_path: Path) -> None:
    linear: Document = {"type": "linear", **weighed([[1, 2, 3, 4]])}
    assert prove_and_check(network_of(3, [linear], BOX), tmp_path / "proof") == (1, 1, 1)


@pytest.mark.parametrize("scale", [f"1/{PRIME}", f"{PRIME}", "1"])
def test_sketches_with_the_prime_in_the_denominator(scale: str, tmp_path: Path) -> None:
    """max(|x| - 1/2, 0) and the same of y: 4 times 4 cells in 4 parents; the two in the middle of each have one map."""
    stripes: Document = {"type": "linear", **weighed([[0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]])}
    second: Document = {"type": "linear", **weighed([["-1/2", 1, 1, 0, 0], ["-1/2", 0, 0, 1, 1]])}
    scaled: Document = {"type": "linear", **weighed([[0, scale, 0], ["1/3", scale, scale]])}
    network = network_of(2, [stripes, RELU, second, RELU, scaled], {"box": [[-1, 1], [-1, 1]]})
    assert prove_and_check(network, tmp_path / "proof") == (16, 9, 9)


def test_quotients_that_are_too_large_for_floats(tmp_path: Path) -> None:
    """Units that differ by 400 digits: bounds are found, or single eliminations."""
    huge = str(10**400)
    rows: list[list[int | str]] = [[1, 1, 1], [huge, 1, -1], [-1, huge, huge], [f"-1/{huge}", 3, -1]]
    network = network_of(2, [{"type": "linear", **weighed(rows)}, RELU], {"box": [[-3, 3], [-3, 3]]})
    prove_and_check(network, tmp_path / "proof")

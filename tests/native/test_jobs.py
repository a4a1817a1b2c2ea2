"""Jobs: order and bytes are those of one worker, whoever did what; budgets, stopping, failing, dropping, forking.

Eager workers give tasks away at every chance, so that small networks, degenerate by construction, are cut into as many
pieces as they have nodes. Jobs that take longer are cut as it happens.
"""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from time import sleep
from typing import Any

import pytest

from exactgeo import Network, native
from exactgeo.network.lowering import lowered
from tests.oracles.random_networks import COARSE, Number, Taste, seeded

REAL: tuple[Number, ...] = tuple(Random(5).gauss(0, 1) for _ in range(40))
TASTES = {
    "coarse": Taste(COARSE, (1, 2, 3), 4, units=3, hidden=4, pieces=4),
    "real": Taste(REAL, (1, 2, 3), 5, units=3, hidden=4, pieces=4),
    "integers": Taste(3, (1, 2, 3), 4, units=4, hidden=4, pieces=5),
    "long": Taste(3, (1, 2), 2, units=3, hidden=3, heads=3, pieces=20),
}
METHODS = ("split", "rows")
TALLY = [name for name in dir(native.core.Tally) if not name.startswith("_")]


@dataclass(frozen=True)
class Found:
    """All that a job says. ``sizes``: how many rows each cell has."""

    cells: int
    reason: str | None
    patterns: bytes
    sizes: tuple[int, ...]
    rows: bytes
    tally: tuple[int, ...]


def job(network: Network, method: str, **options: Any) -> native.core.CellsJob:
    return native.core.CellsJob(lowered(network), method, **options)


def blocks(running: native.core.CellsJob) -> Iterator[tuple[bytes, bytes, bytes]]:
    done = False
    while not done:
        done = running.wait(1.0)
        while (block := running.take()) is not None:
            yield block


def found(running: native.core.CellsJob) -> Found:
    patterns, rows = bytearray(), bytearray()
    sizes: list[int] = []
    for pattern, first, row in blocks(running):
        patterns += pattern
        rows += row
        starts = memoryview(first).cast("q")
        assert starts[0] == 0
        assert len(row) == 16 * starts[-1]
        sizes += [starts[k + 1] - starts[k] for k in range(len(starts) - 1)]
    tally = tuple(getattr(running.tally, name) for name in TALLY)
    return Found(running.cells, running.reason, bytes(patterns), tuple(sizes), bytes(rows), tally)


def trained_like(widths: tuple[int, ...], seed: int, reach: int = 1) -> Network:
    """Normal weights of the usual sizes, on a cube."""
    rng = Random(seed)
    pairs = list(pairwise(widths))
    weights = [[[rng.gauss(0, (2 / a) ** 0.5) for _ in range(a)] for _ in range(b)] for a, b in pairs]
    biases = [[rng.gauss(0, 0.3) for _ in range(b)] for _, b in pairs]
    return Network.mlp(weights, biases, domain={"box": [[-reach, reach]] * widths[0]})


def attention(keys: int, seed: int) -> Network:
    """Two heads with random keys in the plane, one in each of two layers."""
    rng = Random(seed)

    def layer() -> dict[str, Any]:
        place = [[rng.gauss(0, 1), rng.gauss(0, 1)] for _ in range(keys)]
        bias = [-(x * x + y * y) / 2 for x, y in place]
        return {
            "type": "attention",
            "residual": True,
            "heads": [
                {
                    "query": {"weight": [[1, 0], [0, 1]]},
                    "keys": place,
                    "score_bias": bias,
                    "values": [[rng.gauss(0, 1), rng.gauss(0, 1)] for _ in range(keys)],
                }
            ],
        }

    return Network.from_arrays(
        {
            "format": "exactgeo-network/1",
            "input_dim": 2,
            "domain": {"box": [[-2, 2], [-2, 2]]},
            "layers": [layer(), layer()],
        }
    )


def folds(layers: int) -> Network:
    """2 |x| - 1 again and again, on the interval from -1 to 1: each layer doubles the cells, so tasks are deep."""
    layer = [{"type": "abs"}, {"type": "linear", "weight": [[2]], "bias": [-1]}]
    document = {"format": "exactgeo-network/1", "input_dim": 1, "domain": {"box": [[-1, 1]]}, "layers": layer * layers}
    return Network.from_arrays(document)


LARGER = {
    "wide": (trained_like((2, 24, 24, 1), 1), METHODS),
    "deep": (trained_like((2, *[8] * 8, 1), 2, 8), METHODS),
    "cube": (trained_like((3, 12, 12, 1), 3), METHODS),
    "line": (trained_like((1, 30, 30, 1), 4), METHODS),
    "long selectors": (attention(40, 5), METHODS),
    "many dimensions": (trained_like((6, 7, 7, 1), 6), ("rows",)),
    "folds": (folds(9), METHODS),
}
LONG = trained_like((3, 128, 128, 128, 1), 8, 4)
"""Takes minutes: for jobs that do not come to their end."""


def eager(seed: int) -> dict[str, Any]:
    """Every other job has to wait for the first piece with all that it gathers."""
    return {"eager": True, "most_behind": (0, 1 << 26)[seed % 2]}


@pytest.mark.parametrize("taste", TASTES)
@pytest.mark.parametrize("method", METHODS)
def test_any_number_of_workers_says_the_same(taste: str, method: str) -> None:
    for seed in range(60):
        network = Network.from_arrays(seeded(seed, TASTES[taste]).document())
        alone = found(job(network, method, listed=True, rows=True))
        assert alone.reason is None
        assert alone.cells == len(alone.sizes)
        for workers in (1, 2, 3, 7):
            together = found(job(network, method, listed=True, rows=True, workers=workers, **eager(seed)))
            assert together == alone
            counted = found(job(network, method, workers=workers, **eager(seed)))
            assert (counted.cells, counted.patterns, counted.reason) == (alone.cells, b"", None)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("faults", [{"unsure": 0.3}, {"refine": True, "no_grids": True}, {"programs": 0.5}])
def test_faults_change_nothing(method: str, faults: dict[str, Any]) -> None:
    for seed in range(30):
        network = Network.from_arrays(seeded(seed, TASTES["coarse"]).document())
        alone = found(job(network, method, listed=True))
        together = found(job(network, method, listed=True, workers=3, **eager(seed), **faults))
        assert (together.cells, together.patterns) == (alone.cells, alone.patterns)


@pytest.mark.parametrize("name", LARGER)
def test_the_same_on_larger_networks(name: str) -> None:
    network, methods = LARGER[name]
    for method in methods:
        alone = found(job(network, method, listed=True, rows=True))
        assert alone.cells > 20
        for options in ({"workers": 2}, {"workers": 3}, {"workers": 2, "eager": True}, {"workers": 7, "eager": True}):
            assert found(job(network, method, listed=True, rows=True, **options)) == alone


def test_methods_without_tasks_have_one_worker() -> None:
    network = trained_like((2, 8, 8, 1), 1)
    assert found(job(network, "search", listed=True, workers=3)) == found(job(network, "search", listed=True))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("workers", [1, 2, 5])
def test_more_cells_than_the_limit(method: str, workers: int) -> None:
    network, _ = LARGER["wide"]
    whole = found(job(network, method, listed=True, rows=True))
    for limit in (0, 1, 100, whole.cells - 1, whole.cells, whole.cells + 1):
        part = found(job(network, method, listed=True, rows=True, limit=limit, workers=workers, eager=True))
        assert part.reason == ("cells" if whole.cells > limit else None)
        assert min(limit + 1, whole.cells) <= part.cells <= whole.cells
        # What is listed is a beginning of the whole.
        assert len(part.sizes) <= part.cells
        assert whole.patterns.startswith(part.patterns)
        assert whole.rows.startswith(part.rows)
        assert whole.sizes[: len(part.sizes)] == part.sizes
    assert part.patterns == whole.patterns


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("workers", [1, 3])
def test_more_bytes_than_the_limit(method: str, workers: int) -> None:
    network, _ = LARGER["wide"]
    whole = found(job(network, method, listed=True, limit_bytes=1 << 40, workers=workers, eager=True))
    assert whole.reason is None
    part = found(job(network, method, listed=True, limit_bytes=2000, workers=workers, eager=True))
    assert part.reason == "memory"
    assert part.cells < whole.cells
    assert whole.patterns.startswith(part.patterns)


def test_what_nobody_takes_counts_as_bytes() -> None:
    running = job(LONG, "split", listed=True, rows=True, limit_bytes=1 << 20, workers=2)
    while running.reason is None:
        running.wait(0.01)
    assert running.reason == "memory"
    assert found(running).cells > 0


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("options", [{"workers": 1}, {"workers": 2}, {"workers": 3, "eager": True}])
def test_stopped(method: str, options: dict[str, Any]) -> None:
    running = job(LONG, method, listed=True, **options)
    while not running.cells:
        assert not running.wait(0.01)
    running.stop()
    part = found(running)
    assert part.reason == "stopped"
    assert part.cells >= len(part.sizes)
    again = job(LONG, method, listed=True)
    patterns = b""
    for pattern, _, _ in blocks(again):
        patterns += pattern
        if len(patterns) >= len(part.patterns):
            again.stop()
    assert patterns.startswith(part.patterns)


def wait_until_all_wait(running: native.core.CellsJob) -> None:
    """Nobody takes what they list, so that in the end the workers wait."""
    cells = -1
    while running.cells != cells:
        cells = running.cells
        sleep(0.3)


@pytest.mark.parametrize("eager", [False, True])
def test_stopped_while_all_wait(eager: bool) -> None:
    running = job(LONG, "split", listed=True, rows=True, workers=3, eager=eager, most_behind=1 << 16)
    wait_until_all_wait(running)
    running.stop()
    assert found(running).reason == "stopped"


def test_stopped_when_all_is_done() -> None:
    running = job(LARGER["line"][0], "split")
    while not running.wait(1.0):
        pass
    running.stop()
    assert running.reason is None


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("failing", [1, 2, 3, 10])
def test_a_task_that_fails_ends_the_job(method: str, failing: int) -> None:
    running = job(LARGER["wide"][0], method, listed=True, workers=3, eager=True, failing=failing)
    with pytest.raises(RuntimeError, match="a task that fails"):
        list(blocks(running))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_method_that_fails_ends_the_job(workers: int) -> None:
    running = job(LARGER["many dimensions"][0], "split", workers=workers)
    with pytest.raises(ValueError, match="dimensions 1 to 5"):
        list(blocks(running))


def test_what_makes_no_job() -> None:
    network = LARGER["line"][0]
    with pytest.raises(ValueError, match="at least one worker"):
        job(network, "split", workers=0)
    with pytest.raises(ValueError, match="a method is"):
        job(network, "flood")
    with pytest.raises(RuntimeError, match="not done"):
        _ = job(LONG, "split").tally


def test_seconds_of_any_kind() -> None:
    running = job(LONG, "split", workers=2)
    for seconds in (0.0, -1.0, float("-inf"), float("nan")):
        assert not running.wait(seconds)
    running.stop()
    assert running.wait(float("inf"))


def test_many_short_jobs() -> None:
    small, _ = LARGER["line"]
    cells = found(job(small, "split")).cells
    for k in range(300):
        assert found(job(small, "split", workers=1 + k % 4, eager=k % 2 == 1)).cells == cells


@pytest.mark.parametrize("method", METHODS)
def test_jobs_that_nobody_waits_for(method: str) -> None:
    for k in range(40):
        dropped = job(LONG, method, listed=k % 2 == 0, workers=1 + k % 3, eager=k % 4 > 1)
        if k % 5 == 0:
            dropped.wait(0.01)
        del dropped


def test_jobs_in_threads() -> None:
    small, _ = LARGER["cube"]
    alone = found(job(small, "split", listed=True, rows=True))
    with ThreadPoolExecutor(6) as pool:
        results = pool.map(
            lambda k: found(job(small, "split", listed=True, rows=True, workers=1 + k % 3, eager=k % 2 == 0)), range(24)
        )
        assert all(result == alone for result in results)


def test_jobs_of_another_process() -> None:
    """After a fork there is nothing to wait for, and nothing that waits."""
    running = job(LONG, "split", listed=True, workers=3, eager=True, most_behind=1 << 12)
    wait_until_all_wait(running)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            for call in (running.stop, running.take, lambda: running.wait(1.0)):
                with pytest.raises(RuntimeError, match="another process"):
                    call()
            del running
            own = job(LARGER["cube"][0], "split", workers=2, eager=True)
            assert found(own).cells > 0
            code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    running.stop()
    assert found(running).reason == "stopped"

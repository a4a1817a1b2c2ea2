"""Levels of the core along random paths: exact forms and classes are those of Python, doubles within their errors."""

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from random import Random

import pytest

from exactgeo import Network, native
from exactgeo.cells.node import root_node
from exactgeo.network.lowering import lowered
from tests.oracles.random_networks import COARSE, Number, Taste, seeded

WILD: tuple[Number, ...] = (*COARSE, "0", "1", 0.1, 0.3, 5e-324, 1e300, "-7/3", 10**40, -(2**63), 2**63)
REAL: tuple[Number, ...] = tuple(Random(5).gauss(0, 1) for _ in range(40))
TASTES = {
    "coarse": Taste(COARSE, (1, 2, 3), 4, units=3, hidden=3, pieces=4),
    "wild": Taste(WILD, (1, 2, 3), 4, units=3, hidden=3, pieces=4),
    "real": Taste(REAL, (1, 2, 3), 5, units=3, hidden=3, pieces=4),
    "integers": Taste(3, (1, 2), 5, units=4, hidden=3, pieces=4),
}
MODES: dict[str, dict[str, float]] = {
    "plain": {},
    "refine": {"refine": True},
    "no grids": {"no_grids": True},
    "both": {"refine": True, "no_grids": True},
    "unsure": {"unsure": 1.0},
    "at times": {"unsure": 0.3, "refine": True},
}


class Path:
    """A probe and the stage that Python has there, which go down together."""

    def __init__(self, network: Network, **faults: float) -> None:
        self.network = network
        self.core = lowered(network, mapped=True)
        self.probe = native.core.Probe(self.core, **faults)  # type: ignore[arg-type]
        self.pulled = root_node(network).pulled
        self.factor = self.one()

    def one(self) -> int:
        """The constant 1 in the weights of the current level."""
        return self.core.weights(self.probe.level)[-1][0]

    def down(self, rng: Random) -> bool:
        """To the next level; false where it is the map."""
        classes = self.pulled.selectors
        winners = [rng.randrange(len(found.members)) for found in classes]
        self.probe.settle(winners)
        self.factor *= self.one()
        outer = self.pulled.outer([found.members[w] for found, w in zip(classes, winners, strict=True)])
        if self.probe.level == self.core.depth:
            self.outer = outer
            return False
        self.pulled = self.network.stages[self.probe.level].pull_back(outer)
        return True

    def compare(self) -> None:
        """Classes and forms of this level."""
        assert self.probe.classes() == [[list(m) for m in found.members] for found in self.pulled.selectors]
        one = self.pulled.stage.forms.denominator * int(self.pulled.inner[0, 0])
        self.compare_forms([[Fraction(x, one) for x in row] for row in self.pulled.forms])
        for g, (row, size, error) in enumerate(zip(*self.probe.gaps(), strict=True)):
            classes = self.pulled.selectors[g]
            assert size >= sum(map(abs, row))
            if len(classes.rows) == 2:
                form = self.pulled.stage.selectors[g].candidates[classes.members[1][0]].score
                shift = self.shift(form) or self.shift(self.pulled.stage.selectors[g].candidates[0].score)
                gap = [Fraction(y - x, one) * self.factor for x, y in zip(*classes.rows, strict=True)]
                _within(row, gap, error, shift)

    def shift(self, form: int) -> int:
        """0 for the zero form, which has any."""
        return self.probe.shifts()[form] if any(self.pulled.forms[form]) else 0

    def compare_forms(self, expected: list[list[Fraction]]) -> None:
        exact = self.probe.exact()
        one = exact[-1][0]
        assert one > 0
        assert not any(exact[-1][1:])
        assert [[Fraction(x, one) for x in row] for row in exact[: len(expected)]] == expected
        rows, errors, grid = self.probe.doubles()
        if grid:
            assert not any(errors)
            assert all(Fraction(x) % Fraction(grid) == 0 for row in rows for x in row)
        highs, lows, pair_errors = self.probe.pairs()
        shifts = self.probe.shifts()
        for i, row in enumerate([[Fraction(x, one) * self.factor for x in row] for row in exact]):
            _within(rows[i], row, errors[i], shifts[i])
            sums = [Fraction(x) + Fraction(y) for x, y in zip(highs[i], lows[i], strict=True)]
            _within(sums, row, pair_errors[i], shifts[i])


def _within(found: Iterable[float | Fraction], row: list[Fraction], error: float, shift: int) -> None:
    if not error < math.inf:
        return
    factor = Fraction(2) ** shift
    for x, y in zip(found, row, strict=True):
        assert abs(Fraction(x) - y * factor) <= Fraction(error)


def _paths(network: Network, **faults: float) -> Iterator[Path]:
    for seed in range(3):
        path, rng = Path(network, **faults), Random(seed)
        yield path
        while path.down(rng):
            yield path
        one = int(path.outer[0, 0])
        path.compare_forms([[Fraction(int(x), one) for x in row] for row in path.outer.tolist()[1:]])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("taste", TASTES)
def test_random_networks(taste: str, mode: str) -> None:
    for seed in range(60):
        network = Network.from_arrays(seeded(seed, TASTES[taste]).document())
        for path in _paths(network, **MODES[mode]):
            path.compare()


def test_deep_networks() -> None:
    """520 layers, and 40 of width 5 with a residual: float weights whose integers have tens of thousands of bits."""
    rng = Random(3)
    narrow = Network.mlp(
        [[[rng.gauss(0, 1) or 1.0]] for _ in range(521)],
        [[rng.gauss(0, 1)] for _ in range(521)],
    )
    for faults in ({}, {"refine": True}):
        path = Path(narrow, **faults)
        while path.down(rng):
            if path.probe.level in (1, 30, 300, 519):
                path.compare()
        assert path.probe.level == 520

    def block() -> dict[str, object]:
        matrix = [[rng.gauss(0, 0.5) for _ in range(5)] for _ in range(5)]
        bias = [rng.gauss(0, 1) for _ in range(5)]
        hidden = {"weight": matrix, "bias": bias}
        return {"type": "ffn", "hidden": hidden, "output": {"weight": matrix}, "residual": True}

    first = {"type": "linear", "weight": [[rng.gauss(0, 1) for _ in range(2)] for _ in range(5)]}
    wide = Network.from_arrays(
        {"format": "exactgeo-network/1", "input_dim": 2, "layers": [first, *[block() for _ in range(40)]]}
    )
    path = Path(wide)
    while path.down(rng):
        if path.probe.level in (1, 10, 39):
            path.compare()


def test_a_level_depends_on_its_path_alone() -> None:
    """What was made of a level before, in any precision, is forgotten when it begins anew."""
    for seed in range(40):
        network = Network.from_arrays(seeded(seed, TASTES["real"]).document())
        probe = native.core.Probe(lowered(network, mapped=True))
        rng = Random(seed)
        winners: list[list[int]] = []
        for _ in range(4):
            while probe.level < len(network.stages):
                winners.append([rng.randrange(len(found)) for found in probe.classes()])
                probe.settle(winners[-1])
                probe.exact()
                probe.pairs()
            fresh = native.core.Probe(lowered(network, mapped=True))
            for won in winners:
                fresh.settle(won)
            assert fresh.exact() == probe.exact()
            assert fresh.doubles() == probe.doubles()
            assert fresh.pairs() == probe.pairs()
            for _ in range(rng.randint(1, probe.level)):
                probe.back()
                winners.pop()


def test_errors_say_something() -> None:
    """Weights of a trained kind: errors of two layers are a few units in the last place, and integers are exact."""
    rng = Random(1)

    def network(number: Callable[[], float]) -> Network:
        layers = [[[number() for _ in range(n)] for _ in range(m)] for n, m in ((2, 30), (30, 30), (30, 1))]
        return Network.mlp(layers)

    floats = Path(network(lambda: rng.gauss(0, 1)))
    floats.down(rng)
    rows, errors, grid = floats.probe.doubles()
    assert grid == 0.0
    assert all(error <= 1e-12 * max(map(abs, row), default=0.0) for row, error in zip(rows, errors, strict=True))
    integers = Path(network(lambda: rng.randint(-9, 9)))
    integers.down(rng)
    assert integers.probe.doubles()[1:] == ([0.0] * len(errors), 1.0)
    assert integers.probe.tally.exact == 0


def test_many_keys() -> None:
    """Classes of 300 keys, most of them repeated: compared by a functional first."""
    rng = Random(2)
    keys = [[rng.choice([0.1, 0.2, 0.3]) * rng.randint(1, 3) for _ in range(2)] for _ in range(300)]
    head = {"query": {"weight": [[1, 0], [0, 1]]}, "keys": keys, "values": keys}
    layers = [{"type": "attention", "heads": [head]}, {"type": "abs"}]
    network = Network.from_arrays({"format": "exactgeo-network/1", "input_dim": 2, "layers": layers})
    path = Path(network)
    path.compare()
    assert path.down(rng)
    path.compare()


def test_differences() -> None:
    for seed in range(30):
        path = Path(Network.from_arrays(seeded(seed, TASTES["coarse"]).document()))
        forms = path.probe.exact()
        rows, errors, _ = path.probe.doubles()
        for a in range(len(forms)):
            for b in range(len(forms)):
                row = [x - y for x, y in zip(forms[a], forms[b], strict=True)]
                divisor = math.gcd(*row) or 1
                assert path.probe.exact_difference(a, b) == [x // divisor for x in row]
                found, size, error, grid = path.probe.difference(a, b)
                assert size >= sum(map(abs, found))
                assert error >= 0.0
                assert grid >= 0.0
                if path.probe.shifts()[a] == path.probe.shifts()[b]:
                    exact = [Fraction(x) - Fraction(y) for x, y in zip(rows[a], rows[b], strict=True)]
                    _within(found, exact, error - errors[a] - errors[b] if not grid else 0.0, 0)


def test_what_a_probe_refuses() -> None:
    probe = native.core.Probe(lowered(Network.mlp([[[1]], [[1]]])))
    with pytest.raises(ValueError, match="no further stage"):
        probe.settle([0])
    with pytest.raises(ValueError, match="no stage before"):
        probe.back()
    with pytest.raises(IndexError, match="no such form"):
        probe.difference(0, 9)
    mapped = native.core.Probe(lowered(Network.mlp([[[1]], [[1]]]), mapped=True))
    with pytest.raises(ValueError, match="no such class"):
        mapped.settle([2])
    with pytest.raises(ValueError, match="a winner for each selector"):
        mapped.settle([])

"""A network as the core keeps it: integers come through whole, and its terms give what the layers give."""

from fractions import Fraction
from random import Random

import pytest

from exactgeo import Network, native
from exactgeo.network.lowering import StageTable, lowered, output_rows, stage_tables
from exactgeo.network.stages import scattered
from tests.oracles.random_networks import COARSE, Number, Taste, seeded

WILD: tuple[Number, ...] = (*COARSE, "0", "1", 0.1, 5e-324, 1e300, "-7/3", 10**40, -(2**63), 2**63)
TASTE = Taste(WILD, (1, 2, 3), 4, units=3, hidden=3)


def _output(tables: list[StageTable], point: tuple[Fraction, ...]) -> list[Fraction]:
    """The forms of the last stage at a point, divided by the constant form."""
    terms = [Fraction(1), *point]
    for rows, sizes, scores, lengths, values, bases in tables:
        forms = [sum((x * y for x, y in zip(row, terms, strict=True)), Fraction(0)) for row in rows]
        if not sizes and not bases:
            return [form / forms[-1] for form in forms[:-1]]
        terms = []
        starts = [sum(lengths[:j]) for j in range(len(lengths))]
        first = 0
        for size in sizes:
            own = range(first, first + size)
            most = max(forms[scores[j]] for j in own)
            winners = [j for j in own if forms[scores[j]] == most]
            terms += [
                sum((forms[values[starts[j] + k]] for j in winners), Fraction(0)) / len(winners)
                for k in range(lengths[first])
            ]
            first += size
        terms += [forms[base] for base in bases]
        terms = [terms[-1], *terms[:-1]]
    raise AssertionError("there is no output")


@pytest.mark.parametrize("seed", range(150))
def test_terms_give_what_the_layers_give(seed: int) -> None:
    """At random points, ties included: where a tie is none of functions, both take the mean."""
    network = Network.from_arrays(seeded(seed, TASTE).document())
    rng = Random(seed)
    functional = (0, *scattered(network.output_dim))
    for _ in range(5):
        point = tuple(Fraction(rng.randint(-4, 4), rng.randint(1, 3)) for _ in range(network.input_dim))
        expected = list(network.evaluate(point))
        assert _output(stage_tables(network, output_rows(network)), point) == expected
        [value] = _output(stage_tables(network, [functional]), point)
        assert value == sum(x * y for x, y in zip(functional[1:], expected, strict=True))


@pytest.mark.parametrize("seed", range(50))
def test_weights_come_through(seed: int) -> None:
    network = Network.from_arrays(seeded(seed, TASTE).document())
    for output in (None, output_rows(network)):
        tables = stage_tables(network, output)
        core = lowered(network, output is not None)
        assert (core.dimension, core.depth, core.mapped) == (
            network.input_dim,
            len(network.stages),
            output is not None,
        )
        for s, table in enumerate(tables):
            assert core.weights(s) == [list(row) for row in table[0]]


def test_a_relu_layer_has_one_base() -> None:
    """And a residual one has the coordinates, or what is read of them, if that is less."""
    relu = Network.mlp([[[1, 2], [3, 4]], [[1, 1], [1, -1]], [[1, 2]]])
    assert [len(table[5]) for table in stage_tables(relu, None)] == [1, 0]
    block = {"type": "ffn", "hidden": {"weight": [[1, 2, 3]]}, "output": {"weight": [[1], [1], [1]]}, "residual": True}
    residual = Network.from_arrays({"format": "exactgeo-network/1", "input_dim": 3, "layers": [block, block]})
    assert [len(table[5]) for table in stage_tables(residual, output_rows(residual))] == [4, 4, 0]
    assert [len(table[5]) for table in stage_tables(residual, [(0, 1, 1, 1)])] == [4, 3, 0]


NOTHING: StageTable = ([], [], [], [], [], [])


@pytest.mark.parametrize(
    ("stages", "told"),
    [
        ([], "there is a stage"),
        ([NOTHING, NOTHING], "the last base is the constant form"),
        ([([[1]], [], [], [], [], [])], "an entry for each term"),
        ([([[1, 1]], [1], [1], [1], [0], [])], "an index is that of a form"),
        ([([[1, 1]], [1], [0], [], [0], [])], "each candidate has a score and a length"),
        ([([[1, 1]], [1], [0], [2], [0], [])], "the lengths add up"),
        ([([[1, 1]], [1], [0], [-1], [0], [])], "a length is not negative"),
        ([([[1, 1]], [2], [0], [1], [0], [])], "the sizes add up"),
        ([([[1, 1]], [1], [0, 0], [1, 1], [0, 0], [])], "the sizes add up"),
        ([([[1, 1]], [2], [0, 0], [1, 0], [0], [])], "have one length"),
        ([([[1, 1]], [65537], [0] * 65537, [0] * 65537, [], [])], "at most 65,536 candidates"),
    ],
)
def test_tables_that_fit_no_network(stages: list[StageTable], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        native.core.Network(1, [], stages, False)


def test_other_types() -> None:
    with pytest.raises(TypeError, match="an int was expected"):
        native.core.Network(1, [], [([[1, 1.5]], [], [], [], [], [])], False)  # type: ignore[list-item]
    with pytest.raises(TypeError, match="rows of ints were expected"):
        native.core.Network(1, 5, [NOTHING], False)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a row of the domain"):
        native.core.Network(1, [[1]], [NOTHING], False)
    with pytest.raises(ValueError, match="a dimension is not negative"):
        native.core.Network(-1, [], [NOTHING], False)
    with pytest.raises(IndexError, match="no such stage"):
        native.core.Network(1, [], [NOTHING], False).weights(1)

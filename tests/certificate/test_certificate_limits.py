"""What the producer writes the checker can read: a network beyond the checker's limits is refused before any work."""

from pathlib import Path

import pytest

from exactgeo import enumerate_cells
from exactgeo.certificate import Counts, check_certifiable, limits, write_certificate
from exactgeo.certificate.shared import MOST_TEMPLATES
from exactgeo.errors import BadInput
from exactgeo.network import Network
from exactgeo.rational import affine
from proofs_check import check
from proofs_check.core.limits import LIMITS, Meter
from proofs_check.core.stage import Model
from proofs_check.lowering import lower, read_network
from proofs_check.lowering.objects import parse_object
from tests.oracles.random_networks import MIXED, Taste, seeded


def test_the_limits_of_both_sides_agree() -> None:
    """By name: MAX_STEPS of the producer is STEPS of the checker's table."""
    shared = ["MAX_HEADER", "MAX_RECORD", "MAX_DIGITS", "MAX_VALUES", "MAX_KEYS", "MAX_CANDIDATES", "MAX_INTEGERS"]
    shared += ["MAX_STEPS", "MAX_PULLED", "MAX_PRODUCTS", "MAX_BOUNDED", "FREE", "WORK"]
    for name in shared:
        assert getattr(limits, name) == LIMITS[name.removeprefix("MAX_")].most, name
    assert LIMITS["UNKNOWNS"].most >= limits.MAX_UNKNOWNS
    assert LIMITS["TEMPLATES"].most == MOST_TEMPLATES
    assert LIMITS["DENOMINATOR_BITS"].most == affine.MAX_DENOMINATOR_BITS


@pytest.mark.parametrize(("limit", "words"), [("MAX_VALUES", "numbers"), ("MAX_CANDIDATES", "candidates, here are 80")])
def test_networks_that_no_certificate_holds(limit: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    network = Network.from_arrays(
        {"input_dim": 1, "layers": [{"type": "linear", "weight": [[1]] * 40}, {"type": "relu"}]}
    )
    check_certifiable(network)
    monkeypatch.setattr(limits, limit, 79)
    with pytest.raises(BadInput, match=words):
        check_certifiable(network)


@pytest.mark.parametrize("seed", range(200))
def test_what_the_checker_compiles_is_never_more_than_estimated(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every kind of layer: the checker reads the network where each of its limits is what was estimated."""
    document = seeded(seed, Taste(MIXED, dimensions=(1, 2, 3), layers=5, hidden=3, domains=("all",))).document()
    network = Network.from_arrays(document)
    found = limits.compiled(network)
    for name, most in (
        ("CANDIDATES", found.candidates),
        ("INTEGERS", found.integers),
        ("STEPS", found.steps),
        ("PULLED", found.pulled),
        ("PRODUCTS", found.products),
    ):
        monkeypatch.setitem(LIMITS, name, LIMITS[name]._replace(most=most))
    assert _model(network).begin(0, network.input_dim) > 0


def _model(network: Network) -> Model:
    """What the checker makes of the network."""
    return lower(read_network(parse_object(network.document.decode())), Meter())


@pytest.mark.parametrize("limit", ["MAX_INTEGERS", "MAX_STEPS", "MAX_PULLED", "MAX_PRODUCTS"])
def test_a_network_that_costs_the_checker_too_much_is_refused(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    head = {
        "query": {"weight": [[1] * 4] * 3},
        "keys": [[1, 2, k] for k in range(9)],
        "values": [[k] for k in range(9)],
    }
    layers = [{"type": "attention", "heads": [head]}, {"type": "linear", "weight": [[1], [2]]}]
    network = Network.from_arrays({"input_dim": 4, "layers": layers})
    check_certifiable(network)
    monkeypatch.setattr(limits, limit, 10)
    with pytest.raises(BadInput, match="a certificate holds at most 10"):
        check_certifiable(network)


def test_folds_one_after_the_other_are_limited_each() -> None:
    head = {"query": {"weight": [[1]]}, "keys": [[k] for k in range(1000)], "values": [[k, 1] for k in range(1000)]}
    layers = [{"type": "attention", "heads": [head]}, _linear(400, 2), _linear(1, 400)]
    with pytest.raises(BadInput, match="integers in layers"):
        check_certifiable(Network.from_arrays({"input_dim": 1, "layers": layers}))


def test_layers_before_the_first_stage_are_not_integers_of_a_stage() -> None:
    layers = [_linear(590, 2), _linear(590, 590), _linear(1, 590), {"type": "relu"}]
    network = Network.from_arrays({"input_dim": 2, "layers": layers})
    check_certifiable(network)
    assert _model(network).reads == [1, 1]


def _linear(rows: int, columns: int) -> dict[str, object]:
    return {"type": "linear", "weight": [[i + j for j in range(columns)] for i in range(rows)]}


@pytest.mark.parametrize(("dimension", "size"), [(13, 9), (20, 10**110), (24, 10**400), (31, 10**19), (33, 9)])
def test_certificates_in_many_dimensions(dimension: int, size: int, tmp_path: Path) -> None:
    """A simplex with long coefficients, cut off at a corner: bounds where the checker takes them."""
    rows = [[0, *[size * (i == j) + (i + j) % 3 for j in range(dimension)]] for i in range(dimension)]
    rows.append([size, *[-1 - j % 2 for j in range(dimension)]])
    units = {"weight": [[1] * dimension, [-1] * dimension, [1] * dimension], "bias": [1, -1, 0]}
    layers = [{"type": "linear", **units}, {"type": "relu"}]
    document = {"input_dim": dimension, "domain": {"inequalities": rows}, "layers": layers}
    network = Network.from_arrays(document)
    counts = Counts(len(list(enumerate_cells(network))))
    write_certificate(network, counts, tmp_path / "proof")
    assert check(str(tmp_path / "proof")).cells == counts.cells

"""A layer kind added from outside, by the recipe of CONTRIBUTING.md: one file a side, one entry in each table.

Nothing else changes, and everything works: files, evaluation, both methods, states, regions, walls, certificates.
"""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import exactgeo
import proofs_check
from exactgeo.network import Network
from exactgeo.network.layers import KINDS
from proofs_check.lowering.layers import KINDS as CHECKED_KINDS
from tests.toy import checked_minimum, minimum

TENT: dict[str, Any] = {
    "format": "exactgeo-network/1",
    "input_dim": 2,
    "domain": {"box": [[-2, 2], [-2, 2]]},
    "layers": [
        {"type": "linear", "weight": [[1, 0], [0, 1], [-1, -1]]},
        {"type": "minimum", "shift": "1/3"},
        {"type": "relu"},
    ],
}


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "minimum", minimum.KIND)
    for name, reader in checked_minimum.KINDS.items():
        monkeypatch.setitem(CHECKED_KINDS, name, reader)


def test_it_is_read_written_and_evaluated() -> None:
    network = Network.from_arrays(TENT)
    assert b'{"type":"minimum","shift":"1/3"}' in network.document
    assert network.evaluate(["1/3", "1/4"]) == (Fraction(0),)
    assert network.evaluate([0.125, 0]) == (Fraction(5, 24),)
    with pytest.raises(exactgeo.ExactgeoError, match="did you mean shift"):
        Network.from_arrays({**TENT, "layers": [{"type": "minimum", "shfit": 1}]})


@pytest.mark.parametrize("method", ["split", "search", "states"])
def test_it_is_counted_and_proved(method: str, tmp_path: Path) -> None:
    """Three sectors, and in each the triangle where the minimum exceeds -1/3: around it all is zero, one region."""
    proof = tmp_path / "tent.proof"
    answer = exactgeo.count(Network.from_arrays(TENT), method=method, certificate=proof)
    assert answer.cells == 6
    found = proofs_check.check(proof)
    assert found.cells == 6
    if method != "states":
        assert (answer.regions, answer.affine_maps) == (4, 4)
        assert (found.regions, found.affine_maps) == ((4, 4), (4, 4))


def test_the_checker_has_its_own_opinion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the two files of a kind disagree, its certificates are rejected."""
    proof = tmp_path / "tent.proof"
    exactgeo.count(Network.from_arrays(TENT), certificate=proof)
    monkeypatch.setattr(checked_minimum.Minimum, "step", lambda self: lambda x: ([x[0], max(x[1:])], [(0,)]))
    with pytest.raises(proofs_check.Rejected) as caught:
        proofs_check.check(proof)
    assert caught.value.rule.startswith("forward-")

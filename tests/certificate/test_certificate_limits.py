"""What the producer writes the checker can read: a network beyond the checker's limits is refused before any work."""

from typing import Any

import pytest

import proofs_check.reading
import proofs_check.stages
from exactgeo.certificate import certificate, check_certifiable
from exactgeo.errors import BadInput
from exactgeo.network import Network
from exactgeo.rational import affine


def test_the_limits_of_both_sides_agree() -> None:
    assert certificate.MAX_HEADER == proofs_check.reading.HEADER_BYTES
    assert certificate.MAX_RECORD == proofs_check.reading.RECORD_BYTES
    assert certificate.MAX_DIGITS == proofs_check.reading.DIGITS
    assert (certificate.MAX_VALUES, certificate.MAX_KEYS) == (proofs_check.reading.VALUES, proofs_check.reading.KEYS)
    assert certificate.MAX_CANDIDATES == proofs_check.stages.CANDIDATES
    assert affine.MAX_DENOMINATOR_BITS == proofs_check.network.DENOMINATOR_BITS


@pytest.mark.parametrize(
    ("layers", "words"),
    [
        ([{"type": "linear", "weight": [[1]] * 210_000}, {"type": "linear", "weight": [[1] * 210_000]}], "numbers"),
        ([{"type": "linear", "weight": [[1]] * 31_000}, {"type": "relu"}], "60000 candidates, here are 62000"),
    ],
)
def test_networks_that_no_certificate_holds(layers: list[dict[str, Any]], words: str) -> None:
    network = Network.from_arrays({"input_dim": 1, "layers": layers})
    with pytest.raises(BadInput, match=words):
        check_certifiable(network)

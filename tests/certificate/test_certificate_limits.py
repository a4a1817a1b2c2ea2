"""What the producer writes the checker can read: a network beyond the checker's limits is refused before any work."""

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


@pytest.mark.parametrize(("limit", "words"), [("MAX_VALUES", "numbers"), ("MAX_CANDIDATES", "candidates, here are 80")])
def test_networks_that_no_certificate_holds(limit: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    network = Network.from_arrays(
        {"input_dim": 1, "layers": [{"type": "linear", "weight": [[1]] * 40}, {"type": "relu"}]}
    )
    check_certifiable(network)
    monkeypatch.setattr(certificate, limit, 79)
    with pytest.raises(BadInput, match=words):
        check_certifiable(network)

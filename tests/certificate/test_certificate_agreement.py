"""Engine, certificate, checker and brute force count the same, to exact numbers, on every network we know."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.agreement import KINDS, agree
from exactgeo import Network, load_network
from exactgeo.certificate import Counts, write_certificate
from proofs_check import check
from tests.certificate.proving import Document, counts_of, prove_and_check, records_of, small
from tests.known.arrangements import ARRANGEMENTS
from tests.known.degenerate import DEGENERATE
from tests.known.manifest import LISTED, MANIFEST, WORKLOADS
from tests.known.networks import NETWORKS
from tests.oracles.brute import brute_counts
from tests.oracles.strategies import documents

KNOWN = {**ARRANGEMENTS, **NETWORKS, **DEGENERATE}


@given(document=documents(), multipliers=st.booleans())
@settings(max_examples=100)
def test_engine_certificate_checker_and_brute_force(document: Document, multipliers: bool) -> None:
    network = Network.from_arrays(document)
    with TemporaryDirectory() as folder:
        assert prove_and_check(network, Path(folder) / "proof", multipliers) == brute_counts(small(network))


@given(document=documents(max_dim=3, max_units=3), multipliers=st.booleans())
@settings(max_examples=50)
def test_larger_networks(document: Document, multipliers: bool) -> None:
    with TemporaryDirectory() as folder:
        prove_and_check(Network.from_arrays(document), Path(folder) / "proof", multipliers)


@given(document=documents())
@settings(max_examples=50)
def test_what_is_not_claimed_is_not_proved(document: Document) -> None:
    network = Network.from_arrays(document)
    counts = counts_of(network)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "proof"
        write_certificate(network, Counts(counts.cells), path)
        proved = check(str(path))
        assert (proved.cells, proved.regions, proved.affine_maps) == (
            counts.cells,
            (1, counts.cells),
            (1, counts.cells),
        )
        write_certificate(network, Counts(counts.cells, None, counts.affine_maps), path)
        proved = check(str(path))
        assert proved.regions == (1, counts.cells)
        assert proved.affine_maps == (counts.affine_maps,) * 2
        assert records_of(path, "WN") == []


@pytest.mark.parametrize("name", KNOWN)
def test_known_counts(name: str, tmp_path: Path) -> None:
    document, expected = KNOWN[name]()
    multipliers = len(name) % 2 == 0
    proved = prove_and_check(Network.from_arrays(document), tmp_path / "proof", multipliers)
    found = dict(zip(("cells", "regions", "affine_maps"), proved, strict=True))
    assert {key: found[key] for key in expected} == expected


@pytest.mark.parametrize("name", LISTED)
def test_workloads(name: str, tmp_path: Path) -> None:
    """Those with at most 3,000 cells; the others are in ``benchmarks.certificates``."""
    cells, _, maps = prove_and_check(load_network(WORKLOADS / f"{name}.json"), tmp_path / "proof.gz")
    assert cells == MANIFEST[name].get("cells", cells)
    assert maps == MANIFEST[name].get("affine_maps", maps)


@pytest.mark.parametrize("kind", KINDS)
def test_the_networks_of_the_benchmark(kind: str, tmp_path: Path) -> None:
    for seed in range(1_000_000, 1_000_015):
        if KINDS[seed % 3] == kind:
            seen = agree(seed, tmp_path)
            assert (seen["networks"], seen[kind]) == (1, 1)

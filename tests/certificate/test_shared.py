"""Certificates of counts by states, all of them checked by ``proofs_check``."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactgeo import Counts, Network, count_cells
from exactgeo.cells.states import Counting
from exactgeo.certificate.shared import proves_regions, shared_records, write_shared_certificate
from exactgeo.errors import BadInput, Inconsistent
from exactgeo.regions.states import region_bounds
from exactgeo.theory.lower_bound import construction, lower_bound
from proofs_check import check
from tests.certificate.proving import records_of
from tests.known.arrangements import ARRANGEMENTS
from tests.known.degenerate import DEGENERATE
from tests.known.networks import NETWORKS
from tests.oracles.strategies import documents

KNOWN = {**ARRANGEMENTS, **NETWORKS, **DEGENERATE}


def prove_and_check(network: Network, path: Path, multipliers: bool = False) -> Counting:
    """The count by states, proved to the exact number of cells; regions where they can be, else nothing of them."""
    counting = Counting(network, keep=True).run()
    claimed = write_shared_certificate(counting, path, regions=True, multipliers=multipliers)
    proved = check(str(path))
    cells = counting.cells
    assert proved.cells == claimed.cells == cells
    if proves_regions(counting):
        assert region_bounds(counting) == ((cells, cells), (cells, cells))
        assert claimed == Counts(cells, cells, cells)
        assert proved.regions == proved.affine_maps == (cells, cells)
    else:
        assert claimed == Counts(cells)
        assert proved.regions == proved.affine_maps == (1, cells)
    assert proved.network_sha256 == network.sha256
    return counting


@given(document=documents(), multipliers=st.booleans())
@settings(max_examples=150)
def test_small_networks(document: dict[str, object], multipliers: bool) -> None:
    network = Network.from_arrays(document)
    with TemporaryDirectory() as folder:
        assert prove_and_check(network, Path(folder) / "proof", multipliers).cells == sum(count_cells(network))


@given(document=documents(max_dim=3, max_layers=5, max_units=3), multipliers=st.booleans())
@settings(max_examples=50)
def test_deeper_and_wider(document: dict[str, object], multipliers: bool) -> None:
    with TemporaryDirectory() as folder:
        prove_and_check(Network.from_arrays(document), Path(folder) / "proof", multipliers)


@pytest.mark.parametrize("name", KNOWN)
def test_known_networks(name: str, tmp_path: Path) -> None:
    prove_and_check(Network.from_arrays(KNOWN[name]()[0]), tmp_path / "proof", multipliers=len(name) % 2 == 0)


@pytest.mark.parametrize(("d", "N", "L", "d_ff"), [(1, 2, 60, 6), (2, 3, 12, 8), (3, 2, 4, 6)])
def test_theorem_v7(d: int, N: int, L: int, d_ff: int, tmp_path: Path) -> None:
    """One template for each stage and one for the end, and nothing but exact references."""
    bound = lower_bound(d, N, L, d_ff)
    path = tmp_path / "v7.proof"
    counting = prove_and_check(construction(bound), path)
    assert counting.cells == bound.construction_count
    assert proves_regions(counting)
    assert len(records_of(path, "T")) == 2 * L + 1
    assert len(records_of(path, "Q")) == L * (N**d + (2 * bound.w) ** d) + 1
    assert len(records_of(path, "L")) == 1
    assert records_of(path, "RWN") == []


FOLD = {"type": "ffn", "hidden": {"weight": [[1], [1]], "bias": [0, "-1/2"]}, "output": {"weight": [[2, -4]]}}


def test_a_map_that_forgets_a_coordinate(tmp_path: Path) -> None:
    """The square is projected to a segment, which is folded: references with points, on anchors."""
    layers = [{"type": "linear", "weight": [["1/2", "1/2"]]}, *[FOLD] * 30]
    network = Network.from_arrays({"input_dim": 2, "domain": {"box": [[0, 1], [0, 1]]}, "layers": layers})
    path = tmp_path / "fold.proof"
    assert prove_and_check(network, path).cells == 2**30
    assert all(len(record[5]) == 2 for record in records_of(path, "T"))
    assert len(records_of(path, "R")) == 1 + 2 * 29
    assert records_of(path, "Q") == []


def test_a_map_that_forgets_lines_only(tmp_path: Path) -> None:
    """A strip along a line is projected to its width: all that lies over the segment is in the strip."""
    layers = [{"type": "linear", "weight": [[1, 0]]}, *[FOLD] * 30]
    strip = {"inequalities": [[0, 1, 0], [1, -1, 0], [0, 0, 0], [5, 0, 0], [0, 1, 0]]}
    network = Network.from_arrays({"input_dim": 2, "domain": strip, "layers": layers})
    path = tmp_path / "fold.proof"
    counting = prove_and_check(network, path)
    assert counting.cells == 2**30
    assert proves_regions(counting)


def test_cells_alone(tmp_path: Path) -> None:
    counting = Counting(construction(lower_bound(1, 3, 5)), keep=True).run()
    assert write_shared_certificate(counting, tmp_path / "proof.gz", regions=False) == Counts(6**5)
    proved = check(str(tmp_path / "proof.gz"))
    assert (proved.cells, proved.regions) == (6**5, (1, 6**5))


def test_the_same_network_gives_the_same_bytes(tmp_path: Path) -> None:
    written = []
    for name in ("one", "two"):
        counting = Counting(construction(lower_bound(2, 2, 3)), keep=True).run()
        write_shared_certificate(counting, tmp_path / name, regions=True)
        written.append((tmp_path / name).read_bytes())
    assert written[0] == written[1]


def test_what_cannot_be_certified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network = construction(lower_bound(1, 2, 2))
    with pytest.raises(BadInput, match="done and has kept"):
        write_shared_certificate(Counting(network).run(), tmp_path / "proof", regions=False)
    counting = Counting(network, keep=True).run()
    with pytest.raises(Inconsistent, match="the engine counts 17 cells by states, their certificate 16"):
        list(shared_records(counting, Counts(17)))
    monkeypatch.setattr("exactgeo.certificate.shared.MOST_TEMPLATES", 3)
    with pytest.raises(BadInput, match="at most 3 states"):
        write_shared_certificate(counting, tmp_path / "proof", regions=False)


def test_children_that_the_proof_search_does_not_find(tmp_path: Path) -> None:
    network = construction(lower_bound(1, 2, 1))
    counting = Counting(network, keep=True).run()
    image, children = next(iter(counting.children[0].items()))
    counting.children[0][image] = children[1:]
    with pytest.raises(Inconsistent, match="the count does not"):
        list(shared_records(counting, Counts(4)))
    counting = Counting(network, keep=True).run()
    counting.children[0][image] = [*children, counting.children[1][counting.children[0][image][0].image][1]]
    with pytest.raises(Inconsistent, match="the proof search"):
        list(shared_records(counting, Counts(4)))

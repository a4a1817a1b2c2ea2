"""Proofs of the native core, each verified by the checker: degenerate networks of all kinds, all faults injected."""

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from exactgeo import Network, enumerate_cells, load_network, native
from exactgeo.cells.from_pattern import Patterns
from exactgeo.certificate.certificate import Counts, certificate_lines, framed
from exactgeo.certificate.native_prover import NativeBlock, NativeProvers
from exactgeo.certificate.numbering import Numbering
from exactgeo.certificate.records import RecordBlock
from exactgeo.errors import BadInput
from exactgeo.network.lowering import lowered
from proofs_check import check
from tests.certificate.proving import records_of
from tests.known.degenerate import DEGENERATE
from tests.known.manifest import LISTED, MANIFEST, WORKLOADS
from tests.oracles.random_networks import COARSE, TINY, UNBOUNDED, Number, Taste, seeded

WILD: tuple[Number, ...] = (*COARSE, "0", "1", 0.1, 0.3, 5e-324, 1e300, "-7/3", 10**40, -(2**63), 2**63)
REAL: tuple[Number, ...] = tuple(Random(5).gauss(0, 1) for _ in range(40))
HEADS = ("maxout", "attention", "tropical_attention", "abs", "relu")
TASTES = {
    "coarse": Taste(COARSE, (1, 2, 3), 3, units=3, hidden=3, pieces=4),
    "tiny": Taste(TINY, (1, 2, 3), 3, units=4, hidden=4, heads=3, pieces=6),
    "real": Taste(REAL, (1, 2, 3), 3, units=3, hidden=4, pieces=5),
    "wild": Taste(WILD, (1, 2), 3, units=3, hidden=3, pieces=4),
    "wide": Taste(1, (3, 4, 5), 2, units=4, hidden=4, pieces=4),
    "unbounded": Taste(COARSE, (2, 3), 2, units=3, hidden=3, pieces=5, heads=3, domains=UNBOUNDED),
    "heads": Taste(TINY, (2, 3), 2, units=4, pieces=12, heads=2, kinds=HEADS),
}
Faults = dict[str, float]
FAULTS: dict[str, Faults] = {
    "none": {},
    "unsure": {"unsure": 1.0},
    "at times": {"unsure": 0.3},
    "rarely": {"unsure": 0.02, "no_grids": True},
    "refine": {"refine": True},
}


def job_of(network: Network, multipliers: bool, listed: bool, **faults: float) -> "native.core.ProofJob":
    numbering = Numbering.of(network).domain
    numbers = [numbering[row] for row in network.domain_rows]
    core = lowered(network, functional=listed)
    return native.core.ProofJob(core, numbers, len(network.listed_rows), multipliers, listed, **faults)  # type: ignore[arg-type]


def taken(job: "native.core.ProofJob") -> list[Any]:
    found = []
    done = False
    while not done:
        done = job.wait(1.0)
        while (block := job.take()) is not None:
            found.append(block)
    return found


def proved(
    network: Network, path: Path, multipliers: bool = False, listed: bool = False, faults: Faults | None = None
) -> int:
    """The number of cells of the core's count, and of its proof, which the checker accepts."""
    cells, _, _ = native.core.split(lowered(network))
    blocks = taken(job_of(network, multipliers, listed, **faults or {}))
    records = [RecordBlock(lines, records, leaves) for lines, records, leaves, *_ in blocks]
    path.write_bytes(b"".join(framed(network, Counts(cells), records)))
    assert check(str(path)).cells == cells == sum(block.leaves for block in records)
    if multipliers:
        assert all(len(record) == 5 for record in records_of(path, "E"))
    return cells


@pytest.mark.parametrize("name", TASTES)
def test_random_networks(name: str, tmp_path: Path) -> None:
    faults = list(FAULTS.values())
    seen: Counter[str] = Counter()
    for seed in range(60):
        network = Network.from_arrays(seeded(f"{name}{seed}", TASTES[name]).document())
        if native.core.split(lowered(network), limit=1000)[0] > 1000:
            continue
        path = tmp_path / "proof"
        seen["cells"] += proved(network, path, seed % 3 == 0, seed % 2 == 0, faults[seed % len(faults)])
        seen.update(record[0] for record in records_of(path))
    assert min(seen["M"], seen["B"], seen["E"], seen["L"]) > 0


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("known", DEGENERATE)
def test_degenerate_networks(known: str, fault: str, tmp_path: Path) -> None:
    document, expected = DEGENERATE[known]()
    network = Network.from_arrays(document)
    assert network.input_dim <= 5
    for multipliers in (False, True):
        assert proved(network, tmp_path / "proof", multipliers, False, FAULTS[fault]) == expected["cells"]


@pytest.mark.parametrize("name", [name for name in LISTED if MANIFEST[name].get("cells", 0) <= 1500])
def test_workloads(name: str, tmp_path: Path) -> None:
    network = load_network(WORKLOADS / f"{name}.json")
    if network.input_dim <= 5:
        cells = proved(network, tmp_path / "proof")
        assert MANIFEST[name].get("cells", cells) == cells


def test_leaves(tmp_path: Path) -> None:
    """Patterns are those of the cells; the point of each is inside; sketches of different maps are apart."""
    for seed in range(40):
        network = Network.from_arrays(seeded(seed, TASTES["coarse"]).document())
        patterns = Patterns(network)
        found = {}
        for lines, records, leaves, *rest in taken(job_of(network, False, True)):
            block = NativeBlock(lines, records, leaves, patterns, *rest)
            for leaf in (block.leaf(place) for place in range(leaves)):
                found[leaf.cell.pattern] = leaf
                assert min((sum(map(int.__mul__, row, leaf.point)) for row in leaf.cell.rows()), default=1) > 0
        assert found.keys() == {cell.pattern for cell in enumerate_cells(network, core="python")}


def test_many_keys(tmp_path: Path) -> None:
    """Beyond 63 candidates; each class that wins nowhere has its evidence."""
    rng = Random(3)
    for keys, heads, dimension in ((70, 2, 2), (100, 1, 3), (24, 4, 2)):
        points = [[rng.randint(-50, 50) for _ in range(dimension)] for _ in range(keys)]
        query = {"weight": [[int(i == j) for j in range(dimension)] for i in range(dimension)]}
        layers = [
            {
                "type": "attention",
                "heads": [
                    {
                        "query": query,
                        "keys": rng.sample(points, len(points)),
                        "values": [[rng.randint(-9, 9)] for _ in points],
                        "score_bias": [-rng.randint(0, 1500) for _ in points],
                    }
                    for _ in range(heads)
                ],
            }
        ]
        for domain in ({"box": [[-9, 9]] * dimension}, None):
            network = Network.from_arrays({"input_dim": dimension, "layers": layers, "domain": domain})
            assert proved(network, tmp_path / "proof", domain is None) > 10


def test_more_pairs_than_a_bound_may_compare(tmp_path: Path) -> None:
    """With 1,010 pieces the checker would refuse a B record: classes have evidence of their own until few are left."""
    lines = [[j - 505] for j in range(1010)]
    layers = [{"type": "maxout", "units": [{"weight": lines, "bias": [-((j - 505) ** 2) for j in range(1010)]}]}]
    network = Network.from_arrays({"input_dim": 1, "layers": layers, "domain": {"box": [[-2, 2]]}})
    assert proved(network, tmp_path / "proof") == 3
    assert records_of(tmp_path / "proof")[0][0] == "E"


def test_a_witness_has_few_digits(tmp_path: Path) -> None:
    network = load_network(WORKLOADS / "w3_2-16-16-1_box.json")
    proved(network, tmp_path / "proof")
    sizes = sorted(max(map(abs, record[1:])).bit_length() for record in records_of(tmp_path / "proof", "L"))
    assert sizes[len(sizes) // 2] <= 12


def test_numbers_too_long_for_any_certificate() -> None:
    """A vertex has the product of two denominators, and the floats do not see the cell."""
    p, q = 10**2500, 10**2600
    rows = [[p, 0], [p + 1, 0], [0, q], [0, q + 1]]
    layers = [{"type": "linear", "weight": rows, "bias": [-1] * 4}, {"type": "relu"}]
    network = Network.from_arrays({"input_dim": 2, "layers": layers, "domain": {"box": [[-1, 1], [-1, 1]]}})
    with pytest.raises(BadInput, match="more than 4000 digits"):
        list(certificate_lines(network, Counts(9), core="native"))


def test_what_the_core_does_not_take() -> None:
    provers = NativeProvers()
    six = Network.mlp([[[1] * 6], [[1]]], domain={"box": [[-1, 1]] * 6})
    assert provers.prover(six, False, False) is None
    core = lowered(six)
    with pytest.raises(ValueError, match="dimensions 1 to 5"):
        native.core.ProofJob(core, [0] * 12, 12)
    one = Network.mlp([[[1]], [[1]]], domain={"box": [[-1, 1]]})
    with pytest.raises(ValueError, match="each row of the domain has a number"):
        native.core.ProofJob(lowered(one), [], 2)
    with pytest.raises(ValueError, match="one form of a network's output"):
        native.core.ProofJob(lowered(one), [0, 1], 2, False, True)


def test_a_job_that_is_stopped() -> None:
    network = load_network(WORKLOADS / "w1_d3_n60.json")
    job = job_of(network, False, False)
    job.stop()
    assert sum(block[2] for block in taken(job)) == job.cells < 30_000
    assert job.tally.nodes < 60_000

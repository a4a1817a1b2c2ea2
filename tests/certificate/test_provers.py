"""Every prover, through one suite: proofs that the checker verifies, with the leaves that Python finds."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from exactgeo import Network
from exactgeo.cells import choice
from exactgeo.cells.choice import Terms
from exactgeo.certificate import write_certificate
from exactgeo.certificate.certificate import Counts, _line, certificate_lines
from exactgeo.certificate.provers import PROVERS, Item, proof
from exactgeo.certificate.records import Leaf, LeafBlock, Leaves, RecordBlock
from exactgeo.certificate.tree import Node, Prover, PythonProvers
from exactgeo.certificate.tree_by_rows import ProverByRows
from exactgeo.errors import BadInput, Inconsistent
from exactgeo.network import Staged
from exactgeo.rational.rows import dot
from proofs_check import check
from tests.certificate.proving import Document, counts_of
from tests.known.degenerate import DEGENERATE
from tests.known.manifest import network_of
from tests.oracles.strategies import documents


def lines_of(items: Iterable[Item]) -> list[bytes]:
    """The lines of a proof, whether they come one by one or in blocks."""
    lines: list[bytes] = []
    for item in items:
        if isinstance(item, RecordBlock):
            own = item.lines.splitlines(keepends=True)
            assert (len(own), sum(line.startswith(b'["L"') for line in own)) == (item.records, item.leaves)
            lines += own
        elif not isinstance(item, Leaf):
            lines.append(_line(item))
    return lines


def leaves_of(items: Iterable[Item]) -> Iterator[Leaf]:
    for item in items:
        if isinstance(item, LeafBlock):
            yield from (item.leaf(place) for place in range(item.leaves))
        elif isinstance(item, Leaf):
            yield item


def prover_of(name: str, network: Network, multipliers: bool = False) -> Any:
    prover = PROVERS[name].load().prover(network, multipliers, True)
    assert prover is not None
    return prover


def check_proof(name: str, network: Network, path: Path) -> None:
    """A proof that the checker accepts, of the numbers of the engine; its leaves are those of the search in Python."""
    counts = counts_of(network)
    numbers = counts.cells, (counts.regions,) * 2, (counts.affine_maps,) * 2
    for multipliers in (False, True):
        path.write_bytes(b"".join(certificate_lines(network, counts, multipliers, core=name)))
        proved = check(str(path))
        assert (proved.cells, proved.regions, proved.affine_maps) == numbers
    found, expected = (
        {leaf.cell.pattern: leaf for leaf in leaves_of(proof(network, False, True, core))} for core in (name, "python")
    )
    assert found.keys() == expected.keys()
    for pattern, leaf in found.items():
        cell = expected[pattern].cell
        assert leaf.cell.classes == cell.classes
        assert set(leaf.cell.irredundant_rows()) == set(cell.irredundant_rows())
        assert min((dot(row, leaf.point) for row in cell.rows()), default=1) > 0


def check_alike(name: str, network: Network) -> None:
    """Leaves whose maps another one has are among those that are said to be alike; the others rarely."""
    leaves = Leaves()
    for item in proof(network, False, True, name):
        if isinstance(item, Leaf | LeafBlock):
            leaves.add(item)
    maps = [leaf.map for leaf in leaves]
    assert leaves.alike() == [k for k, own in enumerate(maps) if maps.count(own) > 1]


def check_below(name: str) -> None:
    """What is below the children of some nodes, one prover after the other, is what is below these."""
    network = network_of("t_d2_H2_N6_ff8_L2")
    prover, stepping = prover_of(name, network), Prover(network, False)
    expected = lines_of(stepping.run())
    top = prover.root()
    assert isinstance(top, Node)
    assert lines_of(prover.below(top)) == expected
    found: list[bytes] = []
    stack = [stepping.root()]
    steps = 0
    while stack:
        node = stack.pop()
        if steps < 7:
            steps += 1
            found += lines_of(stepping.step(node, stack))
        else:
            found += lines_of(prover_of(name, network).below(node))
    assert found == expected


@pytest.fixture(params=PROVERS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("known", DEGENERATE)
def test_degenerate_networks(name: str, known: str, tmp_path: Path) -> None:
    network = Network.from_arrays(DEGENERATE[known]()[0])
    if PROVERS[name].load().prover(network, False, True) is None:
        assert choice.for_proof(network, PROVERS)[-1] == "python"
    else:
        check_proof(name, network, tmp_path / "proof")


@given(document=documents())
@settings(max_examples=30)
def test_random_networks(document: Document, tmp_path_factory: pytest.TempPathFactory) -> None:
    for core in PROVERS:
        check_proof(core, Network.from_arrays(document), tmp_path_factory.mktemp("proof") / "proof")


def test_below_nodes() -> None:
    check_below("python")


@pytest.mark.parametrize("known", ["t_d2_H2_N6_ff8_L2", "w2_d2_H4_N10", "w3_2-16-16-1_all"])
def test_leaves_that_are_alike(name: str, known: str) -> None:
    check_alike(name, network_of(known))


# The choice


def test_a_further_prover_is_one_more_entry(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With its terms in front it is asked first, and it goes through the same suite."""
    asked: list[str] = []

    class Watched(PythonProvers):
        def prover(self, network: Staged, multipliers: bool, listing: bool) -> Prover | ProverByRows:
            asked.append("prover")
            return super().prover(network, multipliers, listing)

    monkeypatch.setitem(PROVERS, "further", choice.Entry(__name__, Watched))
    monkeypatch.setattr(choice, "TERMS", {"further": Terms(), **choice.TERMS})
    network = Network.from_arrays(DEGENERATE["half-line"]()[0])
    counts = counts_of(network)
    write_certificate(network, counts, tmp_path / "proof")
    assert asked == ["prover"]
    check_proof("further", network, tmp_path / "proof")
    check_below("further")


def test_one_that_cannot_leaves_it_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unable:
        def prover(self, network: Network, multipliers: bool, listing: bool) -> None:
            return

    monkeypatch.setitem(PROVERS, "unable", choice.Entry(__name__, Unable))
    monkeypatch.setattr(choice, "TERMS", {"unable": Terms(), **choice.TERMS})
    network = Network.from_arrays(DEGENERATE["half-line"]()[0])
    counts = counts_of(network)
    assert list(certificate_lines(network, counts)) == list(certificate_lines(network, counts, core="native"))
    with pytest.raises(Inconsistent, match="no prover takes this network"):
        list(certificate_lines(network, counts, core="unable"))
    with pytest.raises(BadInput, match="no core is called 'fast'"):
        list(certificate_lines(network, counts, core="fast"))


def test_the_native_core_comes_first() -> None:
    network = network_of("w1_d3_n15")
    assert choice.for_proof(network, PROVERS) == ["native", "python"]


def test_many_dimensions_are_for_python() -> None:
    layers: list[Document] = [{"type": "relu"}]
    network = Network.from_arrays({"input_dim": 9, "domain": {"box": [[-1, 1]] * 9}, "layers": layers})
    assert choice.for_proof(network, PROVERS) == ["python"]
    assert isinstance(prover_of("python", network), ProverByRows)
    assert Counts(512).cells == 2**9

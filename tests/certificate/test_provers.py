"""Every prover, through one suite: the same records below any node, and the same leaves."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from exactgeo import Network, enumerate_cells
from exactgeo.cells import choice
from exactgeo.cells.choice import Terms
from exactgeo.certificate import write_certificate
from exactgeo.certificate.certificate import Counts, _line, certificate_lines
from exactgeo.certificate.provers import PROVERS, Item, proof
from exactgeo.certificate.records import Leaf, LeafBlock, RecordBlock
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
    """A proof that the checker accepts, with its leaves: the cells, each with its point."""
    counts = counts_of(network)
    for multipliers in (False, True):
        found = list(certificate_lines(network, counts, multipliers, core=name))
        assert found == list(certificate_lines(network, counts, multipliers, core=name))
        path.write_bytes(b"".join(found))
        verdict = check(path)
        assert verdict.cells == counts.cells
        assert verdict.regions == (counts.regions, counts.regions)
        assert verdict.affine_maps == (counts.affine_maps, counts.affine_maps)
    leaves = list(leaves_of(proof(network, False, True, name)))
    patterns = {cell.pattern: cell for cell in enumerate_cells(network, core="python")}
    assert sorted(leaf.cell.pattern for leaf in leaves) == sorted(patterns)
    for leaf in leaves:
        cell = patterns[leaf.cell.pattern]
        assert leaf.cell.classes == cell.classes
        assert set(leaf.cell.irredundant_rows()) == set(cell.irredundant_rows())
        assert leaf.point[0] > 0
        assert all(dot(row, leaf.point) > 0 for row in cell.rows())


def check_below(name: str) -> None:
    """What is below the children of some nodes, one prover after the other, is what is below these: in Python."""
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


def test_many_dimensions_are_for_python() -> None:
    layers: list[Document] = [{"type": "relu"}]
    network = Network.from_arrays({"input_dim": 9, "domain": {"box": [[-1, 1]] * 9}, "layers": layers})
    assert choice.for_proof(network, PROVERS) == ["python"]
    assert isinstance(prover_of("python", network), ProverByRows)
    assert Counts(512).cells == 2**9

"""The file: its header, its bytes, compression, wrong claims, and whose files are left alone."""

import gzip
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from flint import fmpz

from exactgeo import Network, load_network
from exactgeo.certificate import Counts, certificate, check_certifiable, write_certificate
from exactgeo.certificate.certificate import certificate_lines
from exactgeo.certificate.records import Record
from exactgeo.errors import BadInput, Inconsistent
from exactgeo.network import read_network
from proofs_check import Rejected, check
from tests.certificate.proving import Document, counts_of, network_of, prove_and_check
from tests.cli.running import FOLDS, TRANSFORMER, save
from tests.known.manifest import WORKLOADS

SPELLED = """{
  "format" : "exactgeo-network/1", "input_dim":1,
\t"domain": {"box": [[-1e-3, "1/3"]]},\r
  "layers": [ {"type": "linear", "weight": [[0.1], [ "+2.50" ]], "bias": [1E+1, "-.5"]} ,
    {"type"\n:\n"relu"}
  ]
}

"""


def test_the_header_keeps_the_spelling_of_numbers(tmp_path: Path) -> None:
    network, path = tmp_path / "net.json", tmp_path / "proof"
    network.write_bytes(SPELLED.encode())
    loaded = load_network(network)
    assert prove_and_check(loaded, path) == (2, 2, 2)  # 10 + x/10 is positive, 5/2 x - 1/2 changes sign at 1/5
    header = path.read_bytes().split(b"\n")[0]
    for number in (b"-1e-3", b'"1/3"', b"0.1", b'"+2.50"', b"1E+1", b'"-.5"'):
        assert number in header
    assert b" " not in header
    assert hashlib.sha256(SPELLED.encode()).hexdigest().encode() in header
    check(str(path), str(network))


def test_the_network_file_must_be_the_one(tmp_path: Path) -> None:
    network, path = tmp_path / "net.json", tmp_path / "proof"
    network.write_bytes(SPELLED.encode())
    write_certificate(load_network(network), Counts(2), path)
    for old, new in ((b"0.1", b"0.2"), (b"0.1", b"0.10"), (b"\n\n", b"\n")):
        other = save(tmp_path / "other.json", {})
        other.write_bytes(SPELLED.encode().replace(old, new))
        with pytest.raises(Rejected) as failure:
            check(str(path), str(other))
        assert failure.value.rule == "network-hash"


def test_white_space_in_strings_is_not_touched() -> None:
    """Keys and numbers cannot have any, so this is only about escapes: a network may spell "relu" as "rel\\u0075"."""
    text = '{"format": "exactgeo-network/1", "input_dim": 1, "layers": [{"ty\\u0070e": "rel\\u0075"}]}'
    lines = list(certificate_lines(read_network(text.encode()), Counts(2, 2, 2)))
    assert b'{"ty\\u0070e":"rel\\u0075"}' in lines[0]
    assert json.loads(lines[0])["network"] == json.loads(text)


@pytest.mark.parametrize("name", ["w1_d2_n20", "t_d2_H2_N6_ff8_L2"])
def test_compressed_and_plain_hold_the_same_bytes(name: str, tmp_path: Path) -> None:
    network = load_network(WORKLOADS / f"{name}.json")
    counts = counts_of(network)
    for file in ("proof", "proof.gz", "again.gz"):
        write_certificate(network, counts, tmp_path / file)
    packed = (tmp_path / "proof.gz").read_bytes()
    assert gzip.decompress(packed) == (tmp_path / "proof").read_bytes()
    assert packed == (tmp_path / "again.gz").read_bytes()
    assert packed[3] == 0  # no flags: no name
    assert packed[4:8] == bytes(4)  # no time
    assert check(str(tmp_path / "proof.gz")) == check(str(tmp_path / "proof"))
    assert sorted(os.listdir(tmp_path)) == ["again.gz", "proof", "proof.gz"]


def test_the_last_line_closes_the_file() -> None:
    lines = list(certificate_lines(network_of(2, [{"type": "relu"}]), Counts(4, 4, 4)))
    body = b"".join(lines[:-1])
    assert lines[-1] == b'["Z",%d,"%s"]\n' % (len(lines) - 2, hashlib.sha256(body).hexdigest().encode())
    assert all(line.isascii() and line.count(b"\n") == 1 and b" " not in line for line in lines)


PROGRAM = """
import hashlib, sys
from exactgeo import Network, enumerate_cells, linear_regions, load_network
from exactgeo.certificate import Counts
from exactgeo.certificate.certificate import certificate_lines
from exactgeo.certificate.records import Record
for name in sys.argv[2:]:
    network = load_network(name)
    found = linear_regions(enumerate_cells(network, sys.argv[1]))
    counts = Counts(len(found.cells), len(found), found.affine_maps)
    for multipliers in (False, True):
        print(hashlib.sha256(b"".join(certificate_lines(network, counts, multipliers))).hexdigest())
"""


def test_bytes_depend_on_the_network_alone(tmp_path: Path) -> None:
    """Not on the process, the seed of hashes, or the method that counted."""
    names = [str(WORKLOADS / "w2_d3_H2_N8.json"), str(WORKLOADS / "t_d2_H2_N6_ff8_L1.json")]
    names += [str(save(tmp_path / "a.json", TRANSFORMER)), str(save(tmp_path / "b.json", FOLDS))]
    answers = set()
    for method, seed in (("split", "0"), ("split", "1"), ("search", "2")):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run(
            [sys.executable, "-c", PROGRAM, method, *names], env=environment, capture_output=True, text=True, check=True
        )
        answers.add(run.stdout)
    assert len(answers) == 1
    # Multipliers make a difference where there is an E; bounds have none.
    hashes = answers.pop().split()
    bare, spelled = hashes[::2], hashes[1::2]
    assert sum(one != two for one, two in zip(bare, spelled, strict=True)) == 3
    assert len(set(bare)) == len(names)


def test_numpy_is_loaded_for_certificates_alone() -> None:
    """A count without certificate does not pay for it."""
    program = "import sys, exactgeo, exactgeo.certificate; print('numpy' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


@pytest.mark.parametrize(
    "wrong", [Counts(3, 3, 3), Counts(5, 5, 5), Counts(4, 3, 4), Counts(4, 4, 3), Counts(5), Counts(4, None, 5)]
)
@pytest.mark.parametrize("name", ["proof", "proof.gz"])
def test_a_wrong_claim_is_no_certificate(wrong: Counts, name: str, tmp_path: Path) -> None:
    network = network_of(2, [{"type": "relu"}])
    with pytest.raises(Inconsistent, match="the engine counts"):
        write_certificate(network, wrong, tmp_path / name)
    assert os.listdir(tmp_path) == []
    # What was there before stays.
    (tmp_path / name).write_text("old")
    with pytest.raises(Inconsistent):
        write_certificate(network, wrong, tmp_path / name)
    assert (tmp_path / name).read_text() == "old"


@pytest.mark.parametrize("name", ["net", "net.gz"])
def test_a_part_that_is_already_there_is_somebodys(name: str, tmp_path: Path) -> None:
    """``exactgeo count net.part --certificate net`` once overwrote the network, and then removed it."""
    part = save(
        tmp_path / f"{name}.part", {"format": "exactgeo-network/1", "input_dim": 1, "layers": [{"type": "relu"}]}
    )
    before = part.read_bytes()
    assert prove_and_check(load_network(part), tmp_path / name) == (2, 2, 2)
    assert part.read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == [name, f"{name}.part"]


def test_a_network_that_no_certificate_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    network = network_of(2, [{"type": "relu"}])
    check_certifiable(network)
    monkeypatch.setattr("exactgeo.certificate.limits.MAX_HEADER", 1000 + len(network.document) - 1)
    with pytest.raises(BadInput, match="a certificate holds at most"):
        check_certifiable(network)


@pytest.mark.parametrize("digits", [300, 3000])
def test_a_sliver_between_long_numbers(digits: int, tmp_path: Path) -> None:
    """Units Mx - 1 and (M + 1)x - 1: between 1/(M + 1) and 1/M lies the mediant 2/(2M + 1), which is short enough."""
    large = 10**digits
    layers: list[Document] = [
        {"type": "linear", "weight": [[str(large)], [str(large + 1)]], "bias": [-1, -1]},
        {"type": "relu"},
    ]
    assert prove_and_check(network_of(1, layers, {"box": [[0, 1]]}), tmp_path / "proof") == (3, 3, 3)


@pytest.mark.parametrize(
    "point", [[10**4000], [10**4400], [-(10**4000), 1], [10**3999] * 300], ids=["4001", "4401", "negative", "long"]
)
def test_numbers_that_no_checker_reads(point: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def long_winded(*_: object) -> Iterator[Record]:
        yield ["L", 1, *[10**3999 if entry > 0 else 1 - 10**4000 for entry in point][:200]]  # just short enough
        yield ["L", 1, *point]

    monkeypatch.setattr(certificate, "_records", long_winded)
    with pytest.raises(BadInput, match="more than 4000 digits, or records of more than 1000000 bytes"):
        write_certificate(network_of(1, [{"type": "relu"}]), Counts(2), tmp_path / "proof")
    assert os.listdir(tmp_path) == []


def test_a_key_may_be_spelled_with_escapes(tmp_path: Path) -> None:
    """Constant rows of the domain have numbers too, however its key is spelled."""
    domain = '{"inequ\\u0061lities": [[1, 0], [1, 1], [1, -1]]}'
    layers = '[{"type": "linear", "weight": [[1], [2]], "bias": [0, 1]}, {"type": "relu"}]'
    text = f'{{"format": "exactgeo-network/1", "input_dim": 1, "domain": {domain}, "layers": {layers}}}'
    network = read_network(text.encode())
    path = tmp_path / "proof"
    write_certificate(network, Counts(3, 3, 3), path)
    assert check(str(path)).cells == 3


def test_it_reports_how_many_cells_are_proved(tmp_path: Path) -> None:
    network = Network.from_arrays({"input_dim": 2, "layers": [{"type": "relu"}, {"type": "abs"}]})
    reported: list[int] = []
    write_certificate(network, Counts(4), tmp_path / "proof", report=reported.append)
    assert reported[-1] == 4
    assert reported == sorted(reported)


def test_counts_of_every_kind() -> None:
    assert Counts(np.int64(5), fmpz(4), Fraction(3)) == Counts(5, 4, 3)  # type: ignore[arg-type]
    assert type(Counts(np.int64(5)).cells) is int  # type: ignore[arg-type]
    for wrong in (0, -1, "1/2", 2.5):
        with pytest.raises(BadInput, match="cells: expected a positive integer, got"):
            Counts(wrong)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="boolean"):
        Counts(5, True)

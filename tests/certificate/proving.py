"""Certificates in tests: written to a file, and checked by ``proofs_check`` in this process."""

import json
from pathlib import Path
from typing import Any

from exactgeo import Network, enumerate_cells, linear_regions
from exactgeo.certificate import Counts, write_certificate
from proofs_check import check

__all__ = ["Document", "Numbers", "counts_of", "network_of", "prove_and_check", "records_of", "small", "weighed"]

Document = dict[str, Any]
Numbers = tuple[int, int, int]
"""Cells, regions, affine maps."""


def network_of(dimension: int, layers: list[Document], domain: Document | None = None) -> Network:
    return Network.from_arrays({"input_dim": dimension, "layers": layers, "domain": domain})


def small(network: Network) -> Document:
    """The document as an object, for brute force."""
    document: Document = json.loads(network.document)
    return document


def counts_of(network: Network) -> Counts:
    """What the engine counts."""
    found = linear_regions(enumerate_cells(network))
    return Counts(len(found.cells), len(found), found.affine_maps)


def prove_and_check(network: Network, path: Path, multipliers: bool = False, core: str | None = None) -> Numbers:
    """What the engine counts, proved by a certificate in ``path`` to the exact numbers: never bounds."""
    counts = counts_of(network)
    write_certificate(network, counts, path, multipliers, core=core)
    proved = check(str(path))
    numbers = (proved.cells, proved.regions[0], proved.affine_maps[0])
    assert proved.regions[0] == proved.regions[1]
    assert proved.affine_maps[0] == proved.affine_maps[1]
    assert (counts.cells, counts.regions, counts.affine_maps) == numbers
    assert proved.network_sha256 == network.sha256
    return numbers


def records_of(path: Path, kinds: str = "MEBXLWN") -> list[list[Any]]:
    """The records of some kinds between header and last line."""
    lines = path.read_text(encoding="ascii").splitlines()[1:-1]
    return [record for record in map(json.loads, lines) if record[0] in kinds]


def weighed(rows: list[list[int | str]]) -> Document:
    """The affine object of rows (b, a)."""
    return {"weight": [row[1:] for row in rows], "bias": [row[0] for row in rows]}


def prove_in_python(network: Network, path: Path, multipliers: bool = False) -> Numbers:
    """The same by the search in Python."""
    return prove_and_check(network, path, multipliers, "python")

"""Writing a certificate: header, tree, regions, closing hash (``proofs_check/FORMAT.md``).

The claim stands in the first line, so the counts come from the engine, before the proof search begins. The proof search
does not look at them: where its leaves do not agree with the claim, exactgeo contradicts itself, and that is an error,
never a certificate. What makes the proof independent is not this search but the evidence it writes, and the checker.
"""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from exactgeo.certificate.limits import MAX_DIGITS, MAX_RECORD, check_certifiable, spelled
from exactgeo.certificate.provers import proof
from exactgeo.certificate.records import LeafBlock, Leaves, Record, RecordBlock, too_long
from exactgeo.certificate.region_records import region_records
from exactgeo.errors import BadInput, Inconsistent, brief_repr
from exactgeo.files import new_path, written_whole
from exactgeo.network import Network
from exactgeo.polyhedron.short import short
from exactgeo.rational.numbers import brief, exact

__all__ = [
    "Counts",
    "certificate_lines",
    "framed",
    "write_certificate",
    "write_lines",
]

_TOO_LONG = re.compile(rb"(?<![0-9])[0-9]{4001}")  # from the first digit on, else quadratic


@dataclass(frozen=True, slots=True, repr=False)
class Counts:
    """What is claimed; ``regions`` and ``affine_maps`` are None where cells alone are counted.

    Any numbers that are positive integers are taken, numpy's among them.
    """

    cells: int
    regions: int | None = None
    affine_maps: int | None = None

    def __post_init__(self) -> None:
        for name in ("cells", "regions", "affine_maps"):
            given = getattr(self, name)
            if given is not None:
                value = exact(given)
                if value.denominator != 1 or value < 1:
                    raise BadInput(f"{name}: expected a positive integer, got {brief(value)}")
                object.__setattr__(self, name, value.numerator)

    def __repr__(self) -> str:
        numbers = {"cells": self.cells, "regions": self.regions, "affine_maps": self.affine_maps}
        return f"Counts({', '.join(f'{name}={short(number)}' for name, number in numbers.items())})"


def certificate_lines(
    network: Network,
    counts: Counts,
    multipliers: bool = False,
    report: Callable[[int], None] | None = None,
    core: str | None = None,
) -> Iterator[bytes]:
    """The certificate, line by line; in a space of many dimensions multipliers are always spelled.

    ``report`` is called with the number of cells proved so far; ``core`` is the name of who proves, None is to choose.
    """
    for piece in _pieces(network, counts, multipliers, report, core):
        yield from piece.splitlines(keepends=True)


def _pieces(
    network: Network, counts: Counts, multipliers: bool, report: Callable[[int], None] | None, core: str | None
) -> Iterator[bytes]:
    return framed(network, counts, _records(network, counts, spelled(network, multipliers), report, core))


def framed(network: Network, counts: Counts, records: Iterable[Record | RecordBlock]) -> Iterator[bytes]:
    """A certificate with these records, some lines at a time: a header before them, number and hash at the end."""
    digest = hashlib.sha256()
    header = _header(network, counts)
    digest.update(header)
    yield header
    number = 0
    for record in records:
        if isinstance(record, RecordBlock):
            digest.update(record.lines)
            number += record.records
            if record.lines:
                yield record.lines
            continue
        line = _line(record)
        digest.update(line)
        number += 1
        yield line
    yield _line(["Z", number, digest.hexdigest()])


def _line(record: Record) -> bytes:
    """A record as a line; ``BadInput`` where its numbers are too long for any certificate.

    A record holds integers, lists of them, and its kind in front, so that Python spells it as JSON does, with blanks.
    """
    try:
        line = repr(record).replace(" ", "").replace("'", '"').encode() + b"\n"
    except ValueError:  # Python itself refuses to write an integer of more than 4300 digits, where it is not told to
        line = b""
    if not line or (len(line) > MAX_DIGITS and (len(line) > MAX_RECORD or _TOO_LONG.search(line))):
        raise too_long()
    return line


def write_certificate(
    network: Network,
    counts: Counts,
    path: str | os.PathLike[str],
    multipliers: bool = False,
    report: Callable[[int], None] | None = None,
    core: str | None = None,
) -> None:
    """Write the certificate of counts that the engine has found; a name ending in .gz is compressed.

    ``report`` is called with the number of cells proved so far; ``core`` is as in ``certificate_lines``.
    """
    if not isinstance(counts, Counts):
        raise BadInput(f"counts: expected Counts(cells, regions, affine_maps), got {brief_repr(counts)}")
    check_certifiable(network)
    write_lines(path, _pieces(network, counts, multipliers, report, core))


def write_lines(path: str | os.PathLike[str], lines: Iterable[bytes]) -> None:
    """Write the lines of a certificate; a name ending in .gz is compressed.

    The work in progress is plain; ``FILE`` appears when it is complete.
    """
    place = new_path("path", path)
    with written_whole(place, packed=place.suffix == ".gz") as file:
        for line in lines:
            file.write(line)


def _header(network: Network, counts: Counts) -> bytes:
    """The header's line; the network's numbers keep their spelling."""
    claim = {"cells": counts.cells, "regions": counts.regions, "affine_maps": counts.affine_maps}
    return b'{"format":"exactgeo-certificate/1","network":%s,"network_sha256":"%s","claim":%s}\n' % (
        _minified(network.document),
        network.sha256.encode(),
        json.dumps(claim, separators=(",", ":")).encode(),
    )


def _minified(document: bytes) -> bytes:
    """The document without white space between its tokens."""
    if b"\\" not in document:  # every second quotation mark ends a string
        parts = document.split(b'"')
        parts[::2] = [part.translate(None, b" \t\n\r\f\v") for part in parts[::2]]
        return b'"'.join(parts)
    return re.sub(rb'("(?:[^"\\]|\\.)*")|\s+', lambda token: token[1] or b"", document)


def _records(
    network: Network, counts: Counts, multipliers: bool, report: Callable[[int], None] | None, core: str | None
) -> Iterator[Record | RecordBlock]:
    leaves = Leaves()
    cells = 0
    listing = counts.affine_maps is not None
    for item in proof(network, multipliers, listing, core):
        if isinstance(item, list):  # the class of a leaf is abstract, and slow to ask for
            yield item
            continue
        if isinstance(item, RecordBlock):
            cells += item.leaves
            yield item
            if isinstance(item, LeafBlock):
                leaves.add(item)
        else:
            cells += 1
            if listing:
                leaves.add(item)
        if report is not None:
            report(cells)
    found = Counts(cells)
    if listing:
        regions = region_records(network, leaves, multipliers)
        if counts.regions is not None:
            yield from regions.records
        found = Counts(cells, counts.regions and regions.regions, regions.affine_maps)
    if found != counts:
        raise Inconsistent(f"the engine counts {counts}, the proof search {found}")

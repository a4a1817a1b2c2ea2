"""All of it together: the core, the lowering, the extensions.

Part in the soundness theorem: where records of templates and of regions are allowed (FORMAT.md, sections 6 and 7), and
what is proved of regions and affine maps.
"""

import hashlib
import os
from itertools import islice
from typing import Any

from .core.certificate import Bounds, Claim, Proof, Result, run
from .core.limits import LIMITS, Meter, demand
from .core.maps import Map
from .core.reading import BLOCK, RECORDS, blocks, opened
from .core.stage import Model
from .core.tree import Space, Tree
from .core.verdict import Rejected, Unreadable, show
from .extensions import regions, templates
from .extensions.templates import MIXED, Referring, Templates
from .extensions.theorem import Theorem
from .lowering import lower, read_header, read_network
from .lowering.objects import parse_object

__all__ = ["Result", "check"]

Path = str | os.PathLike[str]


class _Checker(Proof):
    """Templates before the main tree, and regions after it."""

    grammar = RECORDS | templates.RECORDS | regions.RECORDS
    main: Referring
    tree: Referring

    def __init__(self, claim: Claim, model: Model, meter: Meter) -> None:
        super().__init__(claim, Referring(model, Space(0, model.first, model.domain)))
        self.templates = Templates(model, meter)
        self.referred = False  # whether the main tree has a reference
        self.maps = regions.Maps() if claim.affine_maps is not None else None
        self.regions = regions.Regions(model) if claim.regions is not None else None

    def leaf(self, line: str, found: Map, pattern: int) -> None:
        self.tree.listed()
        if self.maps is not None and self.tree is self.main:
            number = self.maps.number(found)
            if self.regions is not None:
                self.regions.add(pattern, line[5:-1], number)

    def other(self, kind: str, fields: list[Any], line: str) -> None:
        if kind == "T":
            self._begin_template(line, fields)
        elif kind in "WN":
            self._of_regions(kind, fields)
        else:
            self.referred |= self.tree is self.main
            refer = self.templates.points if kind == "R" else self.templates.exact
            refer(self.tree, *fields)

    def grown(self, tree: Tree) -> None:
        self.templates.finish(self.tree)
        self.tree = self.main

    def _begin_template(self, line: str, fields: list[Any]) -> None:
        if self.main.levels or self.main.done:
            raise Rejected("template-late", "", "after the beginning of the main tree")
        if self.tree is not self.main:
            raise Rejected("tree-open", "", f"after {show(self.tree.cells)} cells of the template")
        self.tree = self.templates.begin(line, fields)

    def _of_regions(self, kind: str, fields: list[Any]) -> None:
        if self.regions is None:
            raise Rejected("regions-unclaimed", "", f"a record {kind}")
        if not self.main.done:
            raise Rejected("tree-open", "", f"a record {kind} after {show(self.main.cells)} cells")
        if self.referred:
            raise Rejected("regions-references", "", f"a record {kind}")
        if kind == "W":
            self.regions.wall(*fields)
        else:
            self.regions.separation(fields[0], fields[1], fields[2:])

    def proved(self) -> tuple[Bounds, Bounds]:
        cells = self.main.cells
        proved, maps = super().proved()
        if self.referred:
            if self.main.end != MIXED:  # uniform
                proved = maps = (cells, cells)
        elif self.maps is not None:
            maps = (self.maps.count, self.maps.count)
            if self.regions is not None:
                proved = self.regions.bounds()
        return proved, maps


# ---- the network file -------------------------------------------------------------------------------------------


GZIP = b"\x1f\x8b"


def _beginning(path: str) -> bytes:
    """As many bytes as a header may have, and some more."""
    with opened(path) as file:
        return b"".join(islice(blocks(file), 2 + LIMITS["HEADER"].most // BLOCK))


def _same_object(a: object, b: object) -> bool:
    """Same keys, lists, strings, and numbers of the same spelling; true is not 1."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same_object(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_same_object, a, b))
    return type(a) is type(b) and a == b


def _same_network(path: str, claim: Claim, embedded: object) -> None:
    """--network: the file's hash and object are those of the header."""
    data = _beginning(path)
    demand("HEADER", len(data))
    found = hashlib.sha256(data).hexdigest()
    if found != claim.network_sha256:
        kind = (
            "a certificate" if b'"exactgeo-certificate/1"' in data else "a gzip file" if data.startswith(GZIP) else ""
        )
        hint = kind and f"this is {kind}, not a network file: "
        raise Rejected("network-hash", "", f"{hint}{found}, not {claim.network_sha256}")
    if not _same_object(parse_object(data.decode("ascii", "replace")), embedded):
        raise Rejected("network-object", "", "not the embedded network")


def _told(path: str, failure: Unreadable) -> Unreadable:
    """The failure, with a word on what the file is where it is no certificate."""
    if failure.place not in ("line 1", "file") or failure.rule == "io":
        return failure
    start = _beginning(path)
    packed = start.startswith(GZIP)
    if packed != path.endswith(".gz"):
        why = "a gzip file, without .gz at the end of its name" if packed else "no gzip file, in spite of its name"
        failure.detail += f": {why}"
    elif b'"exactgeo-network/1"' in start and b'"exactgeo-certificate/' not in start:
        hint = "this is a network file, not a certificate: exactgeo count NET --certificate FILE writes one"
        return Unreadable("header", "line 1", hint)
    return failure


def check(path: Path, network: Path | None = None, theorem: Theorem | None = None) -> Result:
    """What the certificate proves; raises Rejected or Unreadable, each with a rule and a place."""

    def begin(line: str) -> Proof:
        embedded, claim = read_header(line)
        try:
            if network is not None:
                _same_network(os.fsdecode(network), claim, embedded)
            parsed, meter = read_network(embedded), Meter()
            if theorem is not None:
                theorem.demand(parsed)
            return _Checker(claim, lower(parsed, meter), meter)
        except (Rejected, Unreadable) as failure:
            failure.place = failure.place or "network"
            raise

    name = os.fsdecode(path)
    try:
        return run(name, begin)
    except Unreadable as failure:
        raise _told(name, failure) from None

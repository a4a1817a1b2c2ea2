"""All of it in order: header, templates, main tree, regions, last line, claims.

Part in the soundness theorem: the claims are compared with what was proved, and nothing is accepted before the last
line, the end of the tree and the hash have been seen.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Any

from .forward import Forward
from .network import Network, read_network
from .reading import Lines, parse_object, parse_record, read_whole, same_object
from .regions import Maps, Regions
from .stages import Model
from .templates import Templates
from .theorem import Theorem
from .tree import MIXED, Space, Tree
from .verdict import Rejected, Unreadable, show

__all__ = ["Result", "check"]

Bounds = tuple[int, int]


@dataclass(frozen=True)
class Result:
    """What was proved: `regions` and `affine_maps` lie between the bounds given, ends included."""

    cells: int
    regions: Bounds
    affine_maps: Bounds
    network_sha256: str
    records: int


@dataclass(frozen=True)
class _Header:
    network: object
    network_sha256: str
    cells: int
    regions: Bounds | None
    affine_maps: int | None


def _is_count(value: object) -> bool:
    return type(value) is int and value > 0


def _header(line: str) -> _Header:
    if line.isascii() and "\0" not in line and "\r" in line:
        raise Unreadable("line-ending", "", "carriage return")
    if not line:
        raise Unreadable("blank-line", "", "no header")
    header: Any = parse_object(line)
    if not isinstance(header, dict) or header.get("format") != "exactgeo-certificate/1":
        raise Unreadable("header", "", "not of the format exactgeo-certificate/1")
    if header.keys() != {"format", "network", "network_sha256", "claim"}:
        raise Unreadable("header", "", f"keys {show(sorted(header))}")
    sha, claim = header["network_sha256"], header["claim"]
    if not isinstance(sha, str) or not re.fullmatch("[0-9a-f]{64}", sha):
        raise Unreadable("header", "", "network_sha256: not 64 lower-case hexadecimal digits")
    if not isinstance(claim, dict) or claim.keys() != {"cells", "regions", "affine_maps"}:
        raise Unreadable("header", "", "claim: not an object with cells, regions, affine_maps")
    cells, regions, maps = claim["cells"], claim["regions"], claim["affine_maps"]
    if _is_count(regions):
        regions = [regions, regions]
    pair = isinstance(regions, list) and len(regions) == 2 and all(map(_is_count, regions)) and regions[0] <= regions[1]
    if not _is_count(cells) or not (maps is None or _is_count(maps)) or not (regions is None or pair):
        raise Unreadable("header", "", "claim: not positive integers")
    if regions is not None and maps is None:
        raise Unreadable("header", "", "claim: regions without affine_maps")
    return _Header(header["network"], sha, cells, None if regions is None else (regions[0], regions[1]), maps)


def _same_network(header: _Header, path: str) -> None:
    """--network: the file's hash and object are those of the header."""
    data = read_whole(path)
    found = hashlib.sha256(data).hexdigest()
    if found != header.network_sha256:
        raise Rejected("network-hash", "", f"{found}, not {header.network_sha256}")
    if not same_object(parse_object(data.decode("ascii", "replace")), header.network):
        raise Rejected("network-object", "", "not the embedded network")


class _Checker:
    """The state between records. `tree` is the tree that grows: a template's, or `main`."""

    def __init__(self, header: _Header, network: Network) -> None:
        self.header = header
        self.model, self.forward = Model(network), Forward(network)
        space = Space(0, self.model.first, self.model.domain, [], False)
        self.main = self.tree = Tree(self.model, self.forward, space, MIXED)
        self.templates = Templates(self.model)
        self.begun = self.referred = False  # whether the main tree has a record, and a reference
        self.maps = Maps() if header.affine_maps is not None else None
        self.regions = Regions(self.model) if header.regions is not None else None

    def record(self, line: str) -> None:
        """One record of a tree or of the regions."""
        record: list[Any] = parse_record(line)  # its grammar has fixed the number and the types of the fields
        kind, *fields = record
        tree = self.tree
        if kind == "T":
            self._begin_template(line, fields)
            return
        if tree is self.main:
            self.begun = True
            self.referred |= kind in "RQ"
        if kind == "L":
            found, pattern = tree.leaf(fields)
            if tree is self.main and self.maps is not None:
                number = self.maps.number(found)
                if self.regions is not None:
                    self.regions.add(pattern, line[5:-1], number)
        elif kind == "E":
            tree.exclude(*fields)
        elif kind == "M":
            tree.branch(*fields)
        elif kind == "B":
            tree.bounds(*fields)
        elif kind == "X":
            tree.close(*fields)
        elif kind == "R":
            self.templates.points(tree, *fields)
        elif kind == "Q":
            self.templates.exact(tree, *fields)
        else:
            self._of_regions(kind, fields)
        if tree is self.main:
            if tree.cells > self.header.cells:
                raise Rejected("cells", "", f"more than the {show(self.header.cells)} claimed")
        elif tree.done:
            self.templates.finish(tree)
            self.tree = self.main

    def _begin_template(self, line: str, fields: list[Any]) -> None:
        if self.begun:
            raise Rejected("template-late", "", "after the beginning of the main tree")
        if self.tree is not self.main:
            raise Rejected("tree-open", "", f"after {show(self.tree.cells)} cells of the template")
        self.tree = Tree(self.model, self.forward, *self.templates.begin(line, fields))

    def _of_regions(self, kind: object, fields: list[Any]) -> None:
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

    def _proved(self) -> tuple[Bounds, Bounds]:
        """Regions and affine maps; 1..cells where nothing more is claimed or known."""
        cells = self.main.cells
        regions = maps = (1, cells)
        if self.referred:
            if self.main.end != MIXED:  # uniform
                regions = maps = (cells, cells)
        elif self.maps is not None:
            maps = (self.maps.count, self.maps.count)
            if self.regions is not None:
                regions = self.regions.bounds()
        return regions, maps

    def result(self, records: int) -> Result:
        """The claims compared with what was proved."""
        header, cells = self.header, self.main.cells
        if not self.main.done:
            raise Rejected("tree-open", "", f"after {show(cells)} cells")
        if cells != header.cells:
            raise Rejected("cells", "", f"{show(cells)}, not {show(header.cells)}")
        regions, maps = self._proved()
        if header.affine_maps is not None and maps != (header.affine_maps, header.affine_maps):
            raise Rejected("affine-maps", "", f"{_bounds(maps)}, not {show(header.affine_maps)}")
        if header.regions is not None and not header.regions[0] <= regions[0] <= regions[1] <= header.regions[1]:
            raise Rejected("regions", "", f"{_bounds(regions)}, not within {show(header.regions)}")
        return Result(cells, regions, maps, header.network_sha256, records)


def _bounds(bounds: Bounds) -> str:
    return show(bounds[0]) if bounds[0] == bounds[1] else f"{show(bounds[0])}..{show(bounds[1])}"


def check(path: str, network: str | None = None, theorem: Theorem | None = None) -> Result:
    """What the certificate proves; raises Rejected or Unreadable, each with a rule and a place."""
    lines = Lines(path)
    place = ""
    try:
        stream = iter(lines)
        first = next(stream, None)
        if first is None:
            raise Unreadable("no-last-line", "file", "the file is empty")
        header = _header(first)
        if network is not None:
            place = "network"
            _same_network(header, network)
        place = "network"
        parsed = read_network(header.network)
        if theorem is not None:
            theorem.demand(parsed)
        checker = _Checker(header, parsed)
        place = ""
        for line in stream:
            if not line.startswith('["Z"'):
                checker.record(line)
                continue
            _, count, digest = parse_record(line)
            records, found = lines.number - 2, lines.sha.hexdigest()
            if next(stream, None) is not None:
                raise Unreadable("after-last-line", "", "something follows the last line")
            if count != records:
                raise Rejected("records", "", f"{records}, not {show(count)}")
            if digest != found:
                raise Rejected("hash", "", f"{found}, not {digest}")
            return checker.result(records)
        raise Unreadable("no-last-line", f"line {lines.number}", "the file ends without a Z record")
    except (Rejected, Unreadable) as failure:
        if not failure.place:
            failure.place = place or f"line {lines.number}"
        raise

"""A certificate from its first line to its last: header, records, closing hash, and the claim.

Part in the soundness theorem: the claim is compared with what was proved, and nothing is accepted before the last
line, the end of the tree and the hash have been seen.

`Proof` checks every certificate that counts cells by its main tree. Extensions know more kinds of records: they are
subclasses with a larger `grammar`, and refine `leaf`, `other`, `grown` and `proved`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from .maps import Map
from .reading import RECORDS, Grammar, Lines, parse_record
from .tree import Tree
from .verdict import Rejected, Unreadable, show

__all__ = ["Bounds", "Claim", "Proof", "Result", "run"]

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
class Claim:
    """What the header says of the network; None where it says nothing."""

    network_sha256: str
    cells: int
    regions: Bounds | None
    affine_maps: int | None


class Proof:
    """The state between records. `tree` is the tree that grows: the `main` one, unless an extension has another."""

    grammar: ClassVar[Grammar] = RECORDS

    def __init__(self, claim: Claim, main: Tree) -> None:
        self.claim, self.main, self.tree = claim, main, main

    def record(self, line: str) -> None:
        """One record; the grammar has fixed the number and the types of its fields."""
        record: list[Any] = parse_record(line, self.grammar)
        kind, *fields = record
        tree = self.tree
        if kind == "L":
            self.leaf(line, *tree.leaf(fields))
        elif kind == "E":
            tree.exclude(*fields)
        elif kind == "M":
            tree.branch(*fields)
        elif kind == "B":
            tree.bounds(*fields)
        elif kind == "X":
            tree.close(*fields)
        else:
            self.other(kind, fields, line)
        if tree.done and tree is not self.main:
            self.grown(tree)
        if self.main.cells > self.claim.cells:
            raise Rejected("cells", "", f"more than the {show(self.claim.cells)} claimed")

    def leaf(self, line: str, found: Map, pattern: int) -> None:
        """The record has closed a leaf of the tree, with this affine map and pattern."""

    def other(self, kind: str, fields: list[Any], line: str) -> None:
        """A record of an extension: the grammar here has none."""

    def grown(self, tree: Tree) -> None:
        """A tree of an extension is done."""

    def proved(self) -> tuple[Bounds, Bounds]:
        """Regions and affine maps: 1..cells, where nothing more is known."""
        return (1, self.main.cells), (1, self.main.cells)

    def result(self, records: int) -> Result:
        """The claim compared with what was proved."""
        claim, cells = self.claim, self.main.cells
        if not self.main.done:
            raise Rejected("tree-open", "", f"after {show(cells)} cells")
        if cells != claim.cells:
            raise Rejected("cells", "", f"{show(cells)}, not {show(claim.cells)}")
        regions, maps = self.proved()
        if claim.affine_maps is not None and maps != (claim.affine_maps, claim.affine_maps):
            raise Rejected("affine-maps", "", f"{_bounds(maps)}, not {show(claim.affine_maps)}")
        if claim.regions is not None and not claim.regions[0] <= regions[0] <= regions[1] <= claim.regions[1]:
            raise Rejected("regions", "", f"{_bounds(regions)}, not within {show(claim.regions)}")
        return Result(cells, regions, maps, claim.network_sha256, records)


def _bounds(bounds: Bounds) -> str:
    return show(bounds[0]) if bounds[0] == bounds[1] else f"{show(bounds[0])}..{show(bounds[1])}"


def run(path: str, begin: Callable[[str], Proof]) -> Result:
    """What the certificate proves, `begin` having read its header; raises Rejected or Unreadable, with the place."""
    lines = Lines(path)
    try:
        stream = iter(lines)
        first = next(stream, None)
        if first is None:
            raise Unreadable("no-last-line", "file", "the file is empty")
        proof = begin(first)
        for line in stream:
            if not line.startswith('["Z"'):
                proof.record(line)
                continue
            _, count, digest = parse_record(line, RECORDS)
            records, found = lines.number - 2, lines.sha.hexdigest()
            if next(stream, None) is not None:
                raise Unreadable("after-last-line", "", "something follows the last line")
            if count != records:
                raise Rejected("records", "", f"{records}, not {show(count)}")
            if digest != found:
                raise Rejected("hash", "", f"{found}, not {digest}")
            return proof.result(records)
        raise Unreadable("no-last-line", f"line {lines.number}", "the file ends without a Z record")
    except (Rejected, Unreadable) as failure:
        failure.place = failure.place or f"line {lines.number}"
        raise

"""The live state of the honest checker at any record of a true certificate, and where each node ends."""

from __future__ import annotations

import json
from typing import Any

from proofs_check.core.limits import Meter
from proofs_check.core.rows import Row
from proofs_check.core.tree import Space, Tree
from proofs_check.extensions.regions import Maps, Regions
from proofs_check.lowering import Network, lower, read_network
from proofs_check.lowering.objects import parse_object
from tests.proofs_check.checkers import Certificate, Record

__all__ = ["Walk", "citable", "with_closed_children"]

TREE = frozenset("MEBXL")


class Walk:
    """`children[i]`: classes of the M at record i; `end[i]`: one behind the last record of the current node."""

    def __init__(self, certificate: Certificate) -> None:
        self.certificate = certificate
        self.network: Network = read_network(parse_object(json.dumps(certificate.network)))
        self.model = lower(self.network, Meter())
        self.size = sum(record[0] in TREE for record in certificate.records)  # records of the tree
        self.tree, maps = self.planted(), Maps()
        self.regions = Regions(self.model)
        self.children: dict[int, list[int]] = {}
        for i, record in enumerate(certificate.records[: self.size]):
            if record[0] == "M":
                self.children[i] = list(self.tree._unsettled(record[1]))
            leaf = play(self.tree, record)
            if leaf is not None:
                found, pattern = leaf
                self.regions.add(pattern, ",".join(map(str, record[1:])), maps.number(found))
        self.leaves = [i for i in range(self.size) if certificate.records[i][0] == "L"]
        self.end = [0] * self.size
        for i in reversed(range(self.size)):
            kind = certificate.records[i][0]
            if kind in "EB":
                self.end[i] = self.end[i + 1]
            elif kind == "M":
                at = i + 1
                for _ in self.children[i]:
                    at = self.end[at]
                self.end[i] = at
            else:
                self.end[i] = i + 1

    def planted(self) -> Tree:
        """The tree before its first record."""
        return Tree(self.model, Space(0, self.model.first, self.model.domain))

    def at(self, i: int) -> Tree:
        """The tree just before record i, its stages begun."""
        tree = self.planted()
        for record in self.certificate.records[:i]:
            play(tree, record)
        if not tree.done:
            tree.begin(len(self.model.stages))
        return tree

    def spans(self, i: int) -> list[tuple[int, int]]:
        """The records of each child of the M at record i."""
        found, at = [], i + 1
        for _ in self.children[i]:
            found.append((at, self.end[at]))
            at = self.end[at]
        return found

    def leaves_in(self, start: int, stop: int) -> int:
        return sum(record[0] == "L" for record in self.certificate.records[start:stop])


def play(tree: Tree, record: Record) -> Any:
    """One record of the tree; the map and pattern of a leaf."""
    kind, *fields = record
    if kind == "M":
        tree.branch(fields[0])
    elif kind == "E":
        tree.exclude(fields[0], fields[1], fields[2], fields[3] if len(fields) == 4 else None)
    elif kind == "B":
        tree.bounds(fields[0])
    elif kind == "X":
        tree.close(fields[0], fields[1] if len(fields) == 2 else None)
    elif kind == "L":
        return tree.leaf(fields)
    return None


def citable(tree: Tree) -> dict[int, Row]:
    """Every citable row of the current node, by number."""
    domain = tree.model.domain
    found = dict(enumerate(domain))
    for c, (t, g, j) in enumerate(tree.model.owner):
        if t < len(tree.levels) and len(tree.levels[t].possible[g]) == 1:
            w, frame = tree.levels[t].possible[g][0], tree.levels[t].frame
            if j != w and j in frame.classes[g]:
                found[len(domain) + c] = frame.row(g, w, j)
    return found


def with_closed_children(certificate: Certificate) -> Certificate:
    """The same proof with M and X in the place of each E that settles its selector: X records to attack."""
    records = [list(record) for record in certificate.records]
    i = 0
    while i < len(records):
        if records[i][0] == "E":
            walk = Walk(Certificate(certificate.network, certificate.claim, records))
            g, j, *evidence = records[i][1:]
            names = walk.at(i)._unsettled(g)
            if len(names) == 2:
                rest, end = records[i + 1 : walk.end[i]], walk.end[i]
                child: list[Record] = [["X", *evidence]]
                records[i:end] = [["M", g], *(child + rest if j == names[0] else rest + child)]
        i += 1
    return Certificate(certificate.network, certificate.claim, records, certificate.sha)

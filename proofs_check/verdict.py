"""The two ways of failing, and the rules they name.

REJECTED: a well-formed file that is no proof. UNREADABLE: not such a file. What can be seen without the network and
without the tree (bytes, JSON, the shape of a record, limits, the network itself) is a matter of reading; everything
else is a matter of proof.
"""

from __future__ import annotations

__all__ = ["RULES", "Rejected", "Unreadable", "show"]

# Every rule, with its meaning. The same table stands in FORMAT.md, section 8; a test compares them.
RULES: dict[str, str] = {
    # UNREADABLE
    "io": "the file cannot be read, or is not a regular file",
    "gzip": "not one whole gzip member, or something follows it",
    "encoding": "a byte that is not ASCII, or NUL",
    "line-ending": "a carriage return",
    "blank-line": "an empty line",
    "cut-line": "the file ends within a line",
    "no-last-line": "the file ends without a Z record",
    "after-last-line": "something follows the Z record",
    "limit-line": "a line (or network file) that is too long",
    "limit-digits": "an integer with too many digits",
    "limit-nesting": "brackets nested too deep",
    "limit-values": "too many values in the header",
    "limit-network": "the network costs too much: its integers, or what is made of them",
    "limit-kernel": "too many vectors to solve for, or too long ones",
    "limit-bounds": "too many classes to compare in a B record, or too many or long rows",
    "limit-templates": "templates that are too many or too large",
    "json": "not JSON",
    "duplicate-key": "an object with the same key twice",
    "record": "a line that is no record of any kind",
    "header": "the header does not have the right keys or values",
    "network-keys": "an object of the network lacks a key or has one too many",
    "network-number": "a number of the network is not one, or out of range",
    "network-shape": "a list of the network has the wrong length or kind",
    "network-domain": "the domain is not one",
    # REJECTED: file
    "network-hash": "the file given with --network has another hash",
    "network-object": "the file given with --network has another object",
    "records": "the last line's number of records is wrong",
    "hash": "the last line's hash is wrong",
    # REJECTED: tree
    "tree-open": "the tree is not finished where it should be",
    "tree-closed": "a record of the tree after its end",
    "selector": "no such selector in the current stage",
    "settled": "the selector is settled already",
    "class": "not the name of a possible class",
    "cited-none": "evidence without a row",
    "cited-order": "row numbers are not strictly ascending",
    "not-citable": "a row that may not be cited here",
    "multipliers": "multipliers are not positive, or not as many as rows",
    "kernel": "without multipliers: the left kernel does not have dimension one",
    "kernel-sign": "without multipliers: the kernel vector has no one sign",
    "farkas-normal": "the normals do not cancel",
    "farkas-constant": "the constant is positive",
    "farkas-proviso": "the constant is zero and no cited row has a nonzero normal",
    "bounds-size": "bounds with neither d nor d+1 rows",
    "bounds-singular": "the matrix of the bounds is singular",
    "bounds-nothing": "the bounds remove no class",
    "bounds-all": "the bounds leave a selector without a class",
    "not-final": "a leaf where a selector is not settled",
    "point": "not a point: wrong length, or a denominator that is not positive",
    "point-row": "the point is not strictly inside a row",
    "forward-winners": "the forward pass finds other winners",
    "forward-output": "the forward pass finds another output",
    # REJECTED: templates
    "template-late": "a template after the beginning of the main tree",
    "template-stage": "no such stage",
    "template-chart": "pivots that are no ascending coordinates, or solved coordinates that do not fit them",
    "template-row": "a row of the template that is zero, not primitive, or of the wrong length",
    "reference-template": "no such template before this tree",
    "reference-stage": "the node is not where the template's stage begins",
    "reference-chart": "the node's map is not the template's chart after its pivots",
    "reference-rank": "the pivots of the node's map are not onto",
    "reference-kind": "R to a template without anchors, or Q in a template with anchors",
    "reference-size": "not as much evidence as rows, or not as many points as anchors",
    "reference-anchor": "the node's point does not lie over the anchor",
    "implied-normal": "no positive multiple of the form has the normal of the cited rows",
    "implied-constant": "the form is not positive where the cited rows are",
    # REJECTED: regions
    "regions-references": "a W or N record after a main tree with references",
    "regions-unclaimed": "a W or N record where no regions are claimed",
    "leaf-number": "no such leaf, or not in order, or the same leaf twice",
    "other-map": "a wall between leaves with different affine maps",
    "wall-hyperplane": "the wall's point is not on the hyperplane",
    "wall-row": "the wall's point is not strictly inside a row",
    "prefix": "a number of stages out of range, or leaves that do not differ within it",
    "proportional": "a cited row is proportional to the wall's hyperplane",
    "separation-normal": "no multiple of the hyperplane cancels the normals",
    "separation-constant": "the separation's constant is positive",
    # REJECTED: claims
    "cells": "another number of cells than claimed",
    "regions": "the proved bounds are not within the claim",
    "affine-maps": "another number of affine maps than claimed",
    "theorem-network": "not the network of the theorem",
}


class _Failure(Exception):
    """`rule` at `place`: `detail`. The place may be filled in by a caller who knows the line."""

    def __init__(self, rule: str, place: str, detail: str) -> None:
        super().__init__(rule, place, detail)
        self.rule, self.place, self.detail = rule, place, detail


class Rejected(_Failure):
    """A well-formed file that is no proof."""


class Unreadable(_Failure):
    """Not a certificate."""


def show(value: object, width: int = 160) -> str:
    """Numbers for a message: ASCII, one line, of bounded length whatever the size of the integers."""
    if isinstance(value, (list, tuple)):
        text = "(" + ", ".join(map(_entry, value[:20])) + (", ...)" if len(value) > 20 else ")")
    else:
        text = _entry(value)
    return text if len(text) <= width else text[: width - 4] + " ..."


def _entry(value: object) -> str:
    if isinstance(value, int) and value.bit_length() > 1000:  # decimal output of a huge integer is slow
        return f"an integer of {value.bit_length()} bits"
    if isinstance(value, str) and value.isascii() and value.isprintable():
        return value
    return ascii(value)

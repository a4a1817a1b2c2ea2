"""The first line of a certificate: the network and the claim (FORMAT.md, section 1)."""

import re
from typing import Any

from ..core.certificate import Claim
from ..core.verdict import Unreadable, show
from .objects import parse_object

__all__ = ["read_header"]


def _is_count(value: object) -> bool:
    return type(value) is int and value > 0


def read_header(line: str) -> tuple[object, Claim]:
    """The network, still as JSON, and what is claimed of it."""
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
    return header["network"], Claim(sha, cells, None if regions is None else (regions[0], regions[1]), maps)

"""What the checker says of bytes, and the certificate of FORMAT.md, section 10, in parts that tests put together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from proofs_check import RULES, Rejected, Result, Unreadable, check

__all__ = ["CLAIM", "TREE", "TWO_RELUS", "rule_of", "verdict"]

TWO_RELUS: dict[str, Any] = {
    "format": "exactgeo-network/1",
    "input_dim": 1,
    "domain": {"box": [[0, 2]]},
    "layers": [{"type": "ffn", "hidden": {"weight": [[1], [1]], "bias": [0, -1]}, "output": {"weight": [[1, 1]]}}],
}
TREE: list[list[Any]] = [["E", 0, 0, [0, 3]], ["M", 1], ["L", 2, 1], ["L", 2, 3]]
CLAIM: dict[str, Any] = {"cells": 2, "regions": 2, "affine_maps": 2}


def verdict(tmp_path: Path, data: bytes, **options: Any) -> Result:
    """The certificate is accepted."""
    path = tmp_path / "certificate.jsonl"
    path.write_bytes(data)
    return check(str(path), **options)


def rule_of(tmp_path: Path, data: bytes, **options: Any) -> tuple[str, str]:
    """The certificate is refused: the rule and the place."""
    with pytest.raises((Rejected, Unreadable)) as failure:
        verdict(tmp_path, data, **options)
    assert failure.value.rule in RULES
    assert failure.value.place
    assert failure.value.detail.isascii()
    return failure.value.rule, failure.value.place

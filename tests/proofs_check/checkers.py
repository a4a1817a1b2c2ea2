"""A checker to attack: the true one, or a sabotaged copy, asked about bytes.

`Certificate` is a certificate as objects; `data` spells it and closes it with the right number of records and the right
hash, so that a lie inside is met by the rule it breaks and not by the hash.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.util
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import proofs_check

__all__ = ["ROOT", "Certificate", "Checker", "Verdict", "closed", "honest", "sabotaged", "scratch"]

ROOT = Path(proofs_check.__file__).parent
Record = list[Any]
Bounds = tuple[int, int]


@dataclass(frozen=True)
class Verdict:
    """`kind` is VERIFIED, REJECTED, UNREADABLE or CRASHED; the bounds are those of a verified certificate."""

    kind: str
    rule: str = ""
    cells: int = 0
    regions: Bounds = (0, 0)
    affine_maps: Bounds = (0, 0)

    @property
    def accepted(self) -> bool:
        return self.kind == "VERIFIED"


@dataclass
class Certificate:
    """Header and records; `sha` is the header's network_sha256, `start` the first record of the main tree."""

    network: dict[str, Any]
    claim: dict[str, Any]
    records: list[Record] = field(default_factory=list)
    sha: str = "0" * 64
    start: int = 0

    def header(self) -> bytes:
        head = {
            "format": "exactgeo-certificate/1",
            "network": self.network,
            "network_sha256": self.sha,
            "claim": self.claim,
        }
        return json.dumps(head, separators=(",", ":")).encode() + b"\n"

    def data(self) -> bytes:
        return closed([self.header(), *(json.dumps(r, separators=(",", ":")).encode() + b"\n" for r in self.records)])

    @staticmethod
    def of(data: bytes) -> Certificate:
        """The certificate in well-formed bytes."""
        head, *records = [json.loads(line) for line in data.splitlines()]
        return Certificate(head["network"], head["claim"], records[:-1], head["network_sha256"])


def closed(lines: list[bytes]) -> bytes:
    """The lines (header first, each with its LF) and a right last line."""
    body = b"".join(lines)
    return body + f'["Z",{len(lines) - 1},"{hashlib.sha256(body).hexdigest()}"]\n'.encode()


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """A folder for certificates, in memory where the machine has one."""
    shm = Path("/dev/shm")
    where = str(shm) if shm.is_dir() and os.access(shm, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="exactgeo-attack-", dir=where) as folder:
        yield Path(folder)


class Checker:
    """Asks one copy of proofs_check; a crash is a verdict too, and always a defect of that copy."""

    def __init__(self, package: ModuleType, folder: Path) -> None:
        self._check = package.check
        self._failures = (package.Rejected, package.Unreadable)
        self._rejected = package.Rejected
        self._path = str(folder / f"{package.__name__}.jsonl")
        self.asked = 0

    def __call__(self, data: bytes, packed: bool = False, network: str | None = None) -> Verdict:
        """`packed`: under a name that ends in .gz; `network`: as with --network."""
        self.asked += 1
        path = self._path + ".gz" if packed else self._path
        with open(path, "wb", buffering=0) as file:
            file.write(data)
        try:
            result = self._check(path, network)
        except self._failures as failure:
            return Verdict("REJECTED" if isinstance(failure, self._rejected) else "UNREADABLE", failure.rule)
        except Exception as error:  # whatever a sabotaged copy may raise
            return Verdict("CRASHED", type(error).__name__)
        return Verdict("VERIFIED", "", result.cells, result.regions, result.affine_maps)


def honest(folder: Path) -> Checker:
    """The checker itself."""
    return Checker(proofs_check, folder)


@contextlib.contextmanager
def sabotaged(name: str, file: str, old: str, new: str, folder: Path) -> Iterator[Checker]:
    """A copy of the checker with `old` replaced by `new` in `file`; an error unless `old` occurs exactly once."""
    package = "sabotaged_" + "".join(c if c.isalnum() else "_" for c in name)
    home = folder / package
    home.mkdir()
    for source in (*ROOT.rglob("*.py"), ROOT / "FORMAT.md"):
        text, place = source.read_text(encoding="utf-8"), source.relative_to(ROOT)
        if place.as_posix() == file:
            if text.count(old) != 1:
                raise ValueError(f"sabotage {name}: {file} has {text.count(old)} times {old!r}")
            text = text.replace(old, new)
        (home / place).parent.mkdir(parents=True, exist_ok=True)
        (home / place).write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(package, home / "__init__.py", submodule_search_locations=[str(home)])
    if spec is None or spec.loader is None:
        raise ValueError(f"sabotage {name}: cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[package] = module
    try:
        spec.loader.exec_module(module)
        yield Checker(module, folder)
    finally:
        for key in [key for key in sys.modules if key == package or key.startswith(package + ".")]:
            del sys.modules[key]

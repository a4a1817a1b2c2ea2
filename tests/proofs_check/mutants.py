"""Random mutation of every field of a true certificate, with the last line repaired.

The test is "accepted implies true": another valid witness, or evidence that is valid in another way, is harmless. Some
mutants must be rejected whatever happens: without one of its M, L, X, R or Q records, with two witnesses swapped, or
with another claimed count.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.proofs_check.bases import Base, truth
from tests.proofs_check.checkers import Certificate, Checker, Record, Verdict
from tests.proofs_check.sharing import counted

__all__ = ["Mutant", "mutants", "wrong"]


@dataclass(frozen=True)
class Mutant:
    """`change` names the mutation; `hopeless`: it must be rejected, true or not."""

    change: str
    data: bytes
    hopeless: bool
    certificate: Certificate | None  # None where the bytes themselves were damaged


def wrong(mutant: Mutant, verdict: Verdict) -> str:
    """What is wrong with the verdict; empty if nothing is."""
    if verdict.kind == "CRASHED":
        return f"crash {verdict.rule}"
    if not verdict.accepted:
        return ""
    if mutant.hopeless:
        return "accepted what must be rejected"
    certificate = mutant.certificate or Certificate.of(mutant.data)
    return untrue(certificate, verdict)


def untrue(certificate: Certificate, verdict: Verdict) -> str:
    """What a verified certificate states that is not true; empty if nothing is."""
    cells, regions, maps = truth(certificate.network)
    claim = certificate.claim
    low, high = claim["regions"] if isinstance(claim["regions"], list) else [claim["regions"] or 1, claim["regions"]]
    if claim["cells"] != cells or verdict.cells != cells:
        return f"cells {claim['cells']}, {verdict.cells}: {cells}"
    if not low <= regions <= (high or cells) or not verdict.regions[0] <= regions <= verdict.regions[1]:
        return f"regions {claim['regions']}, {verdict.regions}: {regions}"
    if claim["affine_maps"] not in (None, maps) or not verdict.affine_maps[0] <= maps <= verdict.affine_maps[1]:
        return f"affine_maps {claim['affine_maps']}, {verdict.affine_maps}: {maps}"
    return ""


# ---- places ---------------------------------------------------------------------------------------------------------

KINDS_WITH_ROWS = ("E", "B", "X", "N")
Place = tuple[Any, Any]  # (container, key)


def _places(value: Any) -> Iterator[Place]:
    """Every entry of nested lists and objects."""
    for key, entry in value.items() if isinstance(value, dict) else enumerate(value):
        yield value, key
        if isinstance(entry, (dict, list)):
            yield from _places(entry)


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _kind(record: Record) -> str:
    """The letter of a record, if it still has one."""
    return record[0] if record and isinstance(record[0], str) else ""


def _nudged(rng: random.Random, value: int) -> int:
    return rng.choice([value + 1, value - 1, value + 1, value - 1, -value, 0, 2 * value, value + rng.randint(-4, 4)])


# ---- changes of the records -----------------------------------------------------------------------------------------


def _integer(rng: random.Random, c: Certificate) -> bool:
    places = [(box, key) for box, key in _places(c.records) if _is_integer(box[key])]
    box, key = rng.choice(places)
    before = box[key]
    if rng.random() < 0.2:
        other, at = rng.choice(places)
        box[key] = other[at]
    else:
        box[key] = _nudged(rng, before)
    return bool(box[key] != before)


def _list(rng: random.Random, c: Certificate) -> bool:
    """Delete, repeat or swap entries of a list inside a record."""
    lists = [record for record in c.records if len(record) > 1]
    lists += [box[key] for box, key in _places(lists) if isinstance(box[key], list)]
    entries = rng.choice(lists)
    if not entries:
        return False
    i, j = rng.randrange(len(entries)), rng.randrange(len(entries))
    kind = rng.randrange(4)
    before = list(entries)
    if kind == 0:
        del entries[i]
    elif kind == 1:
        entries.insert(j, entries[i])
    elif kind == 2:
        entries[i], entries[j] = entries[j], entries[i]
    else:
        entries.append(rng.randint(-1, 6))
    return bool(entries != before)


def _drop(rng: random.Random, c: Certificate) -> bool:
    del c.records[rng.randrange(len(c.records))]
    return True


def _repeat(rng: random.Random, c: Certificate) -> bool:
    c.records.insert(rng.randrange(len(c.records) + 1), copy.deepcopy(rng.choice(c.records)))
    return True


def _swap(rng: random.Random, c: Certificate) -> bool:
    i = rng.randrange(len(c.records))
    j = min(i + 1, len(c.records) - 1) if rng.random() < 0.5 else rng.randrange(len(c.records))
    c.records[i], c.records[j] = c.records[j], c.records[i]
    return c.records[i] != c.records[j]


def _letter(rng: random.Random, c: Certificate) -> bool:
    record = rng.choice(c.records)
    before = _kind(record)
    if not before:
        return False
    record[0] = rng.choice("MEBXLTRQWNZA")
    if (before, record[0]) == ("E", "X"):
        del record[1:3]
    elif (before, record[0]) == ("X", "E"):
        record[1:1] = [rng.randrange(2), rng.randrange(3)]
    return bool(record[0] != before)


def _multipliers(rng: random.Random, c: Certificate) -> bool:
    """Leave out multipliers, or invent them."""
    places = [i for i, record in enumerate(c.records) if _kind(record) in KINDS_WITH_ROWS]
    if not places:
        return False
    record = c.records[rng.choice(places)]
    lists = [i for i, entry in enumerate(record) if isinstance(entry, list) and (_kind(record) != "N" or i > 2)]
    if _kind(record) == "N" and len(lists) == 4:
        del record[lists[3]], record[lists[1]]
    elif _kind(record) == "N" and len(record) == 5 and all(isinstance(entry, list) for entry in record[3:]):
        record[3:] = [record[3], [rng.randint(0, 3) for _ in record[3]], record[4], [1 for _ in record[4]]]
    elif len(lists) == 2:
        del record[lists[1]]
    elif len(lists) == 1:
        record.append([rng.randint(-1, 3) for _ in record[lists[0]]])
    else:
        return False
    return True


def _new_record(rng: random.Random, c: Certificate) -> bool:
    """A made-up record anywhere."""

    def numbers() -> list[int]:
        return sorted(rng.sample(range(10), rng.randint(0, 3)))

    kind = rng.choice("MEBXLTRQWN")
    d = c.network["input_dim"]
    record: Record = [kind]
    if kind == "M":
        record += [rng.randint(0, 2)]
    elif kind == "E":
        record += [rng.randint(0, 2), rng.randint(0, 2), numbers()]
    elif kind in "XB":
        record += [numbers()]
    elif kind == "T":
        record += [
            rng.randint(0, 2),
            [0],
            [],
            [[1, 1]] if rng.random() < 0.5 else [],
            [[1, 0]] if rng.random() < 0.3 else [],
        ]
    elif kind in "RQ":
        record += [
            rng.randint(0, 2),
            [numbers()[:1] for _ in range(rng.randint(0, 3))],
            [[1, 0]] if kind == "R" else [numbers()],
        ]
    elif kind == "L":
        record += [rng.randint(0, 2), *(rng.randint(-2, 2) for _ in range(d))]
    else:
        a, b = rng.randrange(4), rng.randrange(4)
        record += [min(a, b), max(a, b)] if kind == "W" else [rng.choice([a, [a, 1]]), b, numbers(), numbers()]
    c.records.insert(rng.randrange(len(c.records) + 1), record)
    return True


# ---- changes of the header ------------------------------------------------------------------------------------------


def _claim(rng: random.Random, c: Certificate) -> bool:
    """Another claim; whether it is false depends on the network."""
    key = rng.choice(["cells", "regions", "affine_maps", "regions"])
    value = c.claim[key]
    if not _is_integer(value):
        return False
    if key == "regions" and rng.random() < 0.7:
        c.claim[key] = rng.choice([None, [1, c.claim["cells"]], [value, value], [value + 1, value + 2], [1, value - 1]])
    else:
        c.claim[key] = max(1, value + rng.choice([-1, 1, 2, -2]))
    return bool(c.claim[key] != value)


def _network(rng: random.Random, c: Certificate) -> bool:
    places = list(_places(c.network))
    box, key = rng.choice(places)
    before = copy.deepcopy(box[key])
    if _is_integer(box[key]):
        box[key] = _nudged(rng, box[key])
    elif isinstance(box[key], str) and key != "type":
        box[key] = rng.choice(["0", "1", "-1", "2", "1/2", "3"])
    elif isinstance(box[key], bool):
        box[key] = not box[key]
    elif key == "type":
        box[key] = rng.choice(["relu", "abs", "hard_tanh", "attention", "linear"])
    elif isinstance(box[key], list) and box[key]:
        entries = box[key]
        i, j = rng.randrange(len(entries)), rng.randrange(len(entries))
        kind = rng.randrange(3)
        if kind == 0:
            entries[i], entries[j] = entries[j], entries[i]
        elif kind == 1:
            entries[i] = copy.deepcopy(entries[j])
        else:
            del entries[i]
    elif key == "domain":
        del box[key]
        return True
    return bool(box[key] != before)


Change = Callable[[random.Random, Certificate], bool]
RECORDS: list[Change] = [
    _integer,
    _integer,
    _integer,
    _list,
    _list,
    _drop,
    _repeat,
    _swap,
    _letter,
    _multipliers,
    _multipliers,
    _new_record,
]
HEADER: list[Change] = [_claim, _network, _network]


# ---- hopeless ones --------------------------------------------------------------------------------------------------


def _hopeless(rng: random.Random, c: Certificate) -> str:
    """A change after which no checker may accept, as its name; empty if it does not apply."""
    kind = rng.randrange(3)
    if kind == 0:
        places = [i for i, record in enumerate(c.records) if record[0] in "MLXRQ"]  # each opens or closes nodes
        i = rng.choice(places)
        letter = c.records[i][0]
        del c.records[i]
        if letter == "L" and rng.random() < 0.5 and c.claim["cells"] > 1:
            c.claim = {"cells": c.claim["cells"] - 1, "regions": None, "affine_maps": None}
        return f"without one {letter}"
    if kind == 1:
        leaves = [i for i, record in enumerate(c.records) if record[0] == "L"]
        if len(leaves) < 2 or any(record[0] == "T" for record in c.records):
            return ""
        i, j = rng.sample(leaves, 2)
        c.records[i], c.records[j] = c.records[j], c.records[i]
        return "two witnesses swapped"
    key = rng.choice([key for key in c.claim if c.claim[key] is not None])
    c.claim[key] = c.claim[key] + rng.choice([1, 1, 2, -1]) or 1 + c.claim[key]
    return f"another claim of {key}"


def _damaged(rng: random.Random, data: bytes) -> bytes:
    """One byte or one line changed, without repair."""
    i = rng.randrange(len(data))
    kind = rng.randrange(4)
    if kind == 0:
        return data[:i] + bytes([rng.randrange(256)]) + data[i + 1 :]
    if kind == 1:
        return data[:i] + data[i + 1 :]
    if kind == 2:
        return data[:i]
    lines = data.splitlines(keepends=True)
    del lines[rng.randrange(len(lines))]
    return b"".join(lines)


def mutants(base: Base, seed: int, count: int) -> Iterator[Mutant]:
    """`count` mutants of one certificate."""
    rng = random.Random(f"mutants {base.name} {seed}")
    original = base.certificate.data()
    text = json.dumps([base.certificate.network, base.certificate.claim, base.certificate.records])
    made = 0
    while made < count:
        made += 1
        if rng.random() < 0.05:
            data = _damaged(rng, original)
            # an accepted one must be the original; anything else breaks the hash
            yield Mutant("damaged bytes", data, data != original, base.certificate)
            continue
        c = Certificate(*json.loads(text))
        if rng.random() < 0.15:
            name = _hopeless(rng, c)
            if name:
                yield Mutant(name, c.data(), True, c)
            else:
                made -= 1
            continue
        changes = rng.choices([*RECORDS, *HEADER], k=rng.choice([1, 1, 1, 2, 3]))
        if not all(change(rng, c) for change in changes if c.records):
            made -= 1
            continue
        how = rng.random()
        if how < 0.5:  # claim what the records seem to show
            moved = len(c.records) - len(base.certificate.records)
            start = base.certificate.start + rng.choice([0, moved]) if base.certificate.start else 0
            c.claim = {"cells": counted(c.records, start), "regions": None, "affine_maps": None}
            if how < 0.2:
                c.claim["affine_maps"] = max(1, base.truth[2] + rng.choice([0, 0, -1, 1]))
                near = max(1, base.truth[1] + rng.choice([-1, 0, 1]))
                c.claim["regions"] = rng.choice([None, [1, c.claim["cells"]], near])
            if c.claim["regions"] is None and how < 0.45:
                c.records = [record for record in c.records if _kind(record) not in ("W", "N")]
        yield Mutant("+".join(sorted({change.__name__[1:] for change in changes})), c.data(), False, c)


def run(checker: Checker, found: Iterator[Mutant]) -> Iterator[tuple[Mutant, Verdict, str]]:
    """Each mutant with its verdict and what is wrong with it."""
    for mutant in found:
        verdict = checker(mutant.data)
        yield mutant, verdict, wrong(mutant, verdict)

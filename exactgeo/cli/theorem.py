"""``exactgeo theorem``: a theorem of the field, confirmed by enumeration, for one size or for a table of them.

In a table every count is proved by a certificate that ``proofs_check`` checks in a process of its own, from the
formulas of the theorem: nothing in a line rests on this program alone.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from exactgeo.cells import choose_method, enumerate_cells
from exactgeo.certificate import Counts, check_certifiable, write_certificate
from exactgeo.cli.commands import counted, print_footer, told
from exactgeo.cli.job import Job
from exactgeo.errors import BadInput, Inconsistent
from exactgeo.files import check_writable, shown, written_whole
from exactgeo.regions import linear_regions
from exactgeo.report.tables import columns, table
from exactgeo.theory.lower_bound import LowerBound, construction, lower_bound, small_lower_bounds

__all__ = ["theorem"]

MOST_WEIGHTS = 2_000_000
"""Largest construction that is built; its file would be close to the largest that ``count`` reads."""

TABLE_CELLS = 100
"""The sizes in a table where ``--max-cells`` does not tell."""


def theorem(job: Job) -> int:
    arguments = job.arguments
    arguments.count_only, arguments.graph = False, None
    if arguments.table:
        return _table(job)
    for name in ("d", "N", "L"):
        if getattr(arguments, name) is None:
            raise BadInput(f"expected --{name}, or --table")
    bound = lower_bound(arguments.d, arguments.N, arguments.L, arguments.d_ff)
    weights = bound.L * bound.d * (3 * bound.N + 3 * bound.d + 2 * bound.d_ff)
    if weights > MOST_WEIGHTS:
        raise BadInput(f"the construction would have about {weights:,} weights, more than {MOST_WEIGHTS:,}")
    for place in (arguments.write_network, arguments.certificate):
        if place is not None:
            check_writable(place)
    kept, proof = arguments.write_network, arguments.certificate
    if kept is not None and proof is not None and kept.resolve() == proof.resolve():
        raise BadInput(f"--write-network and --certificate name the same file, {shown(kept)}")
    job.progress.enter("building the network")
    network = construction(bound)
    if proof is not None:
        check_certifiable(network)
    if arguments.write_network is not None:
        with written_whole(arguments.write_network) as file:
            file.write(network.document)
    job.begin(network)
    counts = counted(network, job)
    proved = counts["regions_bounds"][0] if counts["regions"] is None else counts["regions"]
    holds = proved >= bound.paper_bound
    if arguments.json:
        print(json.dumps({"theorem": "V.7", **_promised(bound), "holds": holds, **counts}))
    else:
        _print_one(bound, counts, holds)
        print_footer(counts, arguments)
    return 0 if holds else 1


def _promised(bound: LowerBound) -> dict[str, Any]:
    size = {"d": bound.d, "N": bound.N, "L": bound.L, "d_ff": bound.d_ff, "w": bound.w}
    return {**size, "paper_bound": bound.paper_bound, "construction_count": bound.construction_count}


def _print_one(bound: LowerBound, counts: dict[str, Any], holds: bool) -> None:
    print(f"Theorem V.7 with d={bound.d} N={bound.N} L={bound.L} d_ff={bound.d_ff}, so w={bound.w}")
    rows: list[tuple[str, object]] = [
        ("cells counted", told(counts, "cells")),
        ("regions counted", told(counts, "regions")),
        ("(2wN)^(dL), promised by the construction", bound.construction_count),
        ("(Nw)^(dL), the paper's lower bound", bound.paper_bound),
    ]
    print(table(rows))
    exactly = counts["cells"] == counts["regions"] == bound.construction_count
    print(
        f"the paper's bound {'holds' if holds else 'FAILS'}; "
        f"the construction's count is {'confirmed' if exactly else 'REFUTED'}"
    )


def _table(job: Job) -> int:
    """Every size whose construction has at most ``--max-cells`` cells, with the sizes that are given kept fixed."""
    arguments = job.arguments
    for name in ("write_network", "certificate", "method", "max_states"):
        if getattr(arguments, name) is not None:
            raise BadInput(f"--{name.replace('_', '-')} and --table exclude each other")
    if arguments.multipliers:
        raise BadInput("--multipliers and --table exclude each other: the certificates of a table are not kept")
    if arguments.cross_check:
        raise BadInput("--cross-check and --table exclude each other: in a table every count has a certificate")
    most, arguments.max_cells = arguments.max_cells or TABLE_CELLS, None
    fixed = [getattr(arguments, name) for name in ("d", "N", "L", "d_ff")]
    for name, value in zip(("d", "N", "L", "d-ff"), fixed, strict=True):
        if value is not None and value < 1:
            raise BadInput(f"--{name} {value}: expected a positive integer")
    rows: list[dict[str, Any]] = []
    try:
        with tempfile.TemporaryDirectory(prefix="exactgeo-") as folder:
            for bound in small_lower_bounds(most, *fixed):
                size = f"d={bound.d} N={bound.N} L={bound.L} d_ff={bound.d_ff}"
                job.progress.enter(f"proving {size}, {len(rows)} sizes done")
                rows.append(_proved(bound, Path(folder) / "proof.jsonl"))
    except OSError as error:
        raise BadInput(f"cannot have the certificates checked: {error.strerror}") from None
    if not rows:
        raise BadInput(f"no size with these numbers has a construction with at most {most} cells, see --max-cells")
    job.finish()
    holds = all(row["holds"] for row in rows)
    exactly = all(row["cells"] == row["regions"] == row["construction_count"] for row in rows)
    if arguments.json:
        print(json.dumps({"theorem": "V.7", "max_cells": most, "holds": holds, "table": rows}))
    else:
        heads = ("d", "N", "L", "d_ff", "w", "cells", "regions", "(2wN)^(dL)", "paper's bound")
        keys = ("d", "N", "L", "d_ff", "w", "cells", "regions", "construction_count", "paper_bound")
        print(columns(heads, [[row[key] for key in keys] for row in rows]))
        print(
            f"{len(rows)} size{'' if len(rows) == 1 else 's'}, every count proved by a certificate that proofs_check "
            f"verified: the paper's bound {'holds' if holds else 'FAILS'}; the construction's count is "
            f"{'confirmed' if exactly else 'REFUTED'}"
        )
    return 0 if holds else 1


def _proved(bound: LowerBound, place: Path) -> dict[str, Any]:
    """One line of the table, from the verdict of the checker on the certificate."""
    network = construction(bound)
    found = linear_regions(enumerate_cells(network, choose_method(network)))
    counts = Counts(len(found.cells), len(found), found.affine_maps)
    write_certificate(network, counts, place)
    size = [f"--d={bound.d}", f"--N={bound.N}", f"--L={bound.L}", f"--d-ff={bound.d_ff}"]
    # -P: a folder of this name in the current one must not pass for the checker.
    command = [sys.executable, "-P", "-m", "proofs_check", "--theorem", "V.7", *size, "--json", str(place)]
    checker = subprocess.run(command, capture_output=True, text=True, check=False)
    if checker.returncode:
        raise Inconsistent(
            f"proofs_check does not accept the certificate of {bound}: {checker.stdout or checker.stderr}"
        )
    verdict = json.loads(checker.stdout)
    if (verdict["cells"], verdict["regions"]) != (counts.cells, counts.regions):
        raise Inconsistent(f"the engine counts {counts}, proofs_check {verdict}")
    return {**_promised(bound), "cells": verdict["cells"], "regions": verdict["regions"], "holds": verdict["holds"]}

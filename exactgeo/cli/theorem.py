"""``exactgeo theorem``: a theorem of the field, confirmed by enumeration, for one size or for a table of them.

In a table every count is proved by a certificate that ``proofs_check`` checks in a process of its own, from the
formulas of the theorem: nothing in a line rests on this program alone.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from exactgeo.cells import choose_method, enumerate_cells
from exactgeo.certificate import Counts, write_certificate
from exactgeo.cli.answers import footer, regions_text
from exactgeo.cli.commands import request_of
from exactgeo.cli.job import Job
from exactgeo.counting import Answer
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
    return _table(job) if job.arguments.table else _one(job)


def _one(job: Job) -> int:
    """One size."""
    arguments = job.arguments
    for name in ("d", "N", "L"):
        if getattr(arguments, name) is None:
            raise BadInput(f"expected --{name}, or --table")
    bound = lower_bound(arguments.d, arguments.N, arguments.L, arguments.d_ff)
    weights = bound.L * bound.d * (3 * bound.N + 3 * bound.d + 2 * bound.d_ff)
    if weights > MOST_WEIGHTS:
        raise BadInput(f"the construction would have about {weights:,} weights, more than {MOST_WEIGHTS:,}")
    request, kept = request_of(arguments), arguments.write_network
    if kept is not None:
        check_writable(kept)
    request.check_places()
    if kept is not None and request.certificate is not None and kept.resolve() == request.certificate.resolve():
        raise BadInput(f"--write-network and --certificate name the same file, {shown(kept)}")
    job.check_work_files(kept, request.certificate)
    job.enter("building the network")
    network = construction(bound)
    run = job.begin(network, request)
    if kept is not None:
        with written_whole(kept) as file:
            file.write(network.document)
    answer = job.answer(run)
    proved = answer.regions if answer.regions_bounds is None else answer.regions_bounds[0]
    holds = proved is not None and proved >= bound.paper_bound
    if arguments.json:
        print(json.dumps({"theorem": "V.7", **_promised(bound), "holds": holds, **answer.as_dict()}))
    else:
        print("\n".join([*_lines(bound, answer, holds), *footer(answer, request)]))
    return 0 if holds else 1


def _promised(bound: LowerBound) -> dict[str, Any]:
    size = {"d": bound.d, "N": bound.N, "L": bound.L, "d_ff": bound.d_ff, "w": bound.w}
    return {**size, "paper_bound": bound.paper_bound, "construction_count": bound.construction_count}


def _lines(bound: LowerBound, answer: Answer, holds: bool) -> Iterator[str]:
    """One size beside what was promised."""
    yield f"Theorem V.7 with d={bound.d} N={bound.N} L={bound.L} d_ff={bound.d_ff}, so w={bound.w}"
    yield table(
        [
            ("cells counted", answer.cells),
            ("regions counted", regions_text(answer)),
            ("(2wN)^(dL), promised by the construction", bound.construction_count),
            ("(Nw)^(dL), the paper's lower bound", bound.paper_bound),
        ]
    )
    exactly = answer.cells == answer.regions == bound.construction_count
    yield (
        f"the paper's bound {'holds' if holds else 'FAILS'}; "
        f"the construction's count is {'confirmed' if exactly else 'REFUTED'}"
    )


def _table(job: Job) -> int:
    """Every size whose construction has at most ``--max-cells`` cells, with the sizes that are given kept fixed."""
    arguments = job.arguments
    _check_table(arguments)
    most = arguments.max_cells or TABLE_CELLS
    rows: list[dict[str, Any]] = []
    try:
        with tempfile.TemporaryDirectory(prefix="exactgeo-") as folder:
            for bound in small_lower_bounds(most, arguments.d, arguments.N, arguments.L, arguments.d_ff):
                size = f"d={bound.d} N={bound.N} L={bound.L} d_ff={bound.d_ff}"
                job.enter(f"proving {size}, {len(rows)} sizes done")
                rows.append(_proved(bound, Path(folder) / "proof.jsonl"))
    except OSError as error:
        raise BadInput(f"cannot have the certificates checked: {error.strerror}") from None
    if not rows:
        raise BadInput(f"no size with these numbers has a construction with at most {most} cells, see --max-cells")
    job.finish()
    holds = all(row["holds"] for row in rows)
    if arguments.json:
        print(json.dumps({"theorem": "V.7", "max_cells": most, "holds": holds, "table": rows}))
    else:
        print("\n".join(_table_lines(rows, holds)))
    return 0 if holds else 1


def _check_table(arguments: argparse.Namespace) -> None:
    """Refuse what does not go with ``--table``, and sizes that make no network."""
    for name in ("write_network", "certificate", "method", "max_states"):
        if getattr(arguments, name) is not None:
            raise BadInput(f"--{name.replace('_', '-')} and --table exclude each other")
    if arguments.multipliers:
        raise BadInput("--multipliers and --table exclude each other: the certificates of a table are not kept")
    if arguments.cross_check:
        raise BadInput("--cross-check and --table exclude each other: in a table every count has a certificate")
    for name in ("d", "N", "L", "d_ff"):
        value = getattr(arguments, name)
        if value is not None and value < 1:
            raise BadInput(f"--{name.replace('_', '-')} {value}: expected a positive integer")


def _table_lines(rows: list[dict[str, Any]], holds: bool) -> Iterator[str]:
    heads = ("d", "N", "L", "d_ff", "w", "cells", "regions", "(2wN)^(dL)", "paper's bound")
    keys = ("d", "N", "L", "d_ff", "w", "cells", "regions", "construction_count", "paper_bound")
    yield columns(heads, [[row[key] for key in keys] for row in rows])
    exactly = all(row["cells"] == row["regions"] == row["construction_count"] for row in rows)
    yield (
        f"{len(rows)} size{'' if len(rows) == 1 else 's'}, every count proved by a certificate that proofs_check "
        f"verified: the paper's bound {'holds' if holds else 'FAILS'}; the construction's count is "
        f"{'confirmed' if exactly else 'REFUTED'}"
    )


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

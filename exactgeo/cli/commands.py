"""The commands. Each takes a ``Job``, prints its answer, and returns the exit code."""

import argparse
import gc
import io
import json
import re
import sys
from collections.abc import Iterable, Iterator

from exactgeo.cells import Cell, OnWall, cell_at, enumerate_cells
from exactgeo.cli.answers import footer, numbers
from exactgeo.cli.job import Job, say_what_is_missing
from exactgeo.counting import Request, network_in, placed
from exactgeo.errors import BadInput
from exactgeo.files import check_writable, shown, written_whole
from exactgeo.network import Network
from exactgeo.network.network import network_from
from exactgeo.rational.numbers import exact_point
from exactgeo.rational.rows import Point
from exactgeo.regions import Regions, linear_regions
from exactgeo.report.location import cell_text, wall_text
from exactgeo.report.records import cell_record
from exactgeo.report.tables import table
from exactgeo.request import Watch

__all__ = ["at", "cells", "count", "request_of"]


def request_of(arguments: argparse.Namespace) -> Request:
    """What ``count`` and ``theorem`` are asked; the latter has no graph, and counts regions."""
    return Request.of(
        count_only=getattr(arguments, "count_only", False),
        method=arguments.method,
        cross_check=arguments.cross_check,
        certificate=arguments.certificate,
        multipliers=arguments.multipliers,
        graph=getattr(arguments, "graph", None),
        max_cells=arguments.max_cells,
        max_states=arguments.max_states,
        max_memory=arguments.max_memory,
        timeout=arguments.timeout,
        workers=arguments.workers,
    )


def count(job: Job) -> int:
    request = request_of(job.arguments)
    request.check_places(_file(job.arguments.network))
    job.check_work_files(request.graph, request.certificate)
    network = _network(job.arguments.network)
    answer = job.answer(job.begin(network, request))
    if job.arguments.json:
        print(json.dumps(answer.as_dict()))
        return 0
    print(network.describe())
    print(table(numbers(answer)))
    for line in footer(answer, request):
        print(line)
    return 0


def cells(job: Job) -> int:
    arguments = job.arguments
    to_stdout = str(arguments.out) == "-"
    if to_stdout:
        if arguments.json:
            raise BadInput("--out - and --json exclude each other: both want stdout")
        if sys.stdout.isatty():
            job.progress.hush()
    else:
        check_writable(arguments.out, other_than=_file(arguments.network))
        job.check_work_files(arguments.out)
    network = job.network = _network(arguments.network)
    watch = job.watch = Request.of(max_cells=arguments.max_cells, timeout=arguments.timeout).watch(job.progress)
    watch.begin("listing cells")
    listed = watch.each(_listed(job, network))
    found = _regions(listed, watch) if arguments.regions else None
    lines = _lines(listed if found is None else found.cells, arguments.all_rows, found)
    if to_stdout:
        for line in lines:
            sys.stdout.write(line)
        job.finish()
        return 0
    with written_whole(arguments.out, packed=arguments.out.suffix == ".gz") as file:
        for line in lines:
            file.write(line.encode())
    seconds = watch.seconds()
    job.finish()
    numbers = {"cells": watch.cells, **({} if found is None else {"regions": len(found)})}
    if arguments.json:
        done = {**numbers, "out": str(arguments.out), "dimension": network.input_dim}
        print(json.dumps({**done, "network_sha256": network.sha256, "seconds": seconds}))
    else:
        what = " in ".join(f"{number:,} {noun[:-1] if number == 1 else noun}" for noun, number in numbers.items())
        print(f"{what} written to {shown(arguments.out)}, one JSON object a line")
    return 0


def _listed(job: Job, network: Network) -> Iterator[Cell]:
    """Every cell, by the method that is asked for."""
    gc.freeze()  # what is loaded stays: the collector need not visit it again and again
    say_what_is_missing()
    arguments = job.arguments
    return enumerate_cells(network, arguments.method, limit=arguments.max_cells, workers=arguments.workers)


def _regions(listed: Iterable[Cell], watch: Watch) -> Regions:
    """The regions, for which all cells are listed first."""
    known = list(listed)
    watch.enter("joining regions")
    found = linear_regions(known)
    watch.enter("writing the cells")
    return found


def _lines(listed: Iterable[Cell], all_rows: bool, regions: Regions | None) -> Iterator[str]:
    """A JSON object for each cell, with the number of its region where regions are known, in their order."""
    number = {} if regions is None else {k: region for region, some in enumerate(regions.members) for k in some}
    for position, cell in enumerate(listed):
        region = {} if regions is None else {"region": number[position]}
        yield json.dumps({**cell_record(cell, all_rows), **region}) + "\n"


def at(job: Job) -> int:
    arguments = job.arguments
    network = _network(arguments.network)
    point = _point(arguments.point, network.input_dim)
    found = cell_at(network, point)
    if isinstance(found, OnWall):
        # Values on walls are not claimed.
        wall = {"stage": found.stage, "selector": found.selector, "tied": found.tied}
        print(json.dumps({"cell": None, "wall": wall, "value": None}) if arguments.json else wall_text(found))
        return 1
    value = [str(x) for x in network.evaluate(point)]
    if arguments.json:
        print(json.dumps({"cell": cell_record(found), "wall": None, "value": value}))
    else:
        print(cell_text(found, [str(x) for x in point], value))
    return 0


STDIN = "-"
"""The name that stands for standard input."""


def _file(name: str) -> str | None:
    """The file of a network, if it is one."""
    return None if name == STDIN else name


def _network(name: str) -> Network:
    """The network in a file or on standard input; an error names it too."""
    if name != STDIN:
        return network_in(name)
    with placed("standard input"):
        return network_from(io.BytesIO() if sys.stdin is None else sys.stdin.buffer, "standard input")


def _point(text: str, dimension: int) -> Point:
    """Coordinates separated by commas or spaces."""
    entries = re.split(r"\s*,\s*|\s+", text.strip()) if text.strip() else []
    try:
        return exact_point(entries, dimension)
    except BadInput as error:
        raise BadInput(f"--point: {error}") from None

"""The commands. Each takes a ``Job``, prints its answer, and returns the exit code."""

import argparse
import json
import re
import sys

from exactgeo.cells import OnWall, cell_at, enumerate_cells
from exactgeo.cli.answers import footer, numbers
from exactgeo.cli.job import Job
from exactgeo.counting import Request, network_in
from exactgeo.errors import BadInput, NotRational
from exactgeo.files import check_writable, shown, written_whole
from exactgeo.rational.numbers import exact
from exactgeo.rational.rows import Point
from exactgeo.report.location import cell_text, wall_text
from exactgeo.report.records import cell_record
from exactgeo.report.tables import describe, table

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
        timeout=arguments.timeout,
    )


def count(job: Job) -> int:
    request = request_of(job.arguments)
    request.check_places(job.arguments.network)
    network = network_in(job.arguments.network)
    answer = job.answer(job.begin(network, request))
    if job.arguments.json:
        print(json.dumps(answer.as_dict()))
        return 0
    print(describe(network))
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
        check_writable(arguments.out, other_than=arguments.network)
    network = job.network = network_in(arguments.network)
    watch = job.watch = Request.of(max_cells=arguments.max_cells, timeout=arguments.timeout).watch(job.progress)
    watch.begin("listing cells")
    listed = watch.each(enumerate_cells(network, arguments.method))
    lines = (json.dumps(cell_record(cell, arguments.irredundant)) + "\n" for cell in listed)
    if to_stdout:
        for line in lines:
            sys.stdout.write(line)
        job.finish()
        return 0
    with written_whole(arguments.out) as file:
        for line in lines:
            file.write(line.encode())
    seconds = watch.seconds()
    job.finish()
    if arguments.json:
        done = {"cells": watch.cells, "out": str(arguments.out), "dimension": network.input_dim}
        print(json.dumps({**done, "network_sha256": network.sha256, "seconds": seconds}))
    else:
        print(f"{watch.cells:,} cells written to {shown(arguments.out)}, one JSON object a line")
    return 0


def at(job: Job) -> int:
    arguments = job.arguments
    network = network_in(arguments.network)
    point = _point(arguments.point, network.input_dim)
    found = cell_at(network, point)
    if isinstance(found, OnWall):
        # Values on walls are not claimed.
        wall = {"stage": found.stage, "selector": found.selector, "tied": found.tied}
        print(json.dumps({"cell": None, "wall": wall, "value": None}) if arguments.json else wall_text(found))
        return 1
    value = [str(x) for x in network.evaluate(point)]
    if arguments.json:
        print(json.dumps({"cell": cell_record(found, irredundant=True), "wall": None, "value": value}))
    else:
        print(cell_text(found, [str(x) for x in point], value))
    return 0


def _point(text: str, dimension: int) -> Point:
    """Coordinates separated by commas or spaces."""
    entries = re.split(r"\s*,\s*|\s+", text.strip()) if text.strip() else []
    point = []
    for number, entry in enumerate(entries, 1):
        try:
            point.append(exact(entry))
        except NotRational as error:
            raise BadInput(f"--point: expected a rational number as coordinate {number}, but {error}") from None
    if len(point) != dimension:
        raise BadInput(f"--point: expected {dimension} coordinates, got {len(point)}")
    return tuple(point)

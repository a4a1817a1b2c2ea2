"""The commands. Each takes a ``Job``, prints its answer, and returns the exit code."""

import argparse
import gc
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from exactgeo.cells import METHODS, Cell, OnWall, cell_at, choose_method, count_cells, dual_graph, enumerate_cells
from exactgeo.cells.cores import core_for
from exactgeo.cells.graph import GRAPH_SUFFIXES, graph_text
from exactgeo.cells.wall_cores import load_walls
from exactgeo.certificate import Counts, check_certifiable, load_search, write_certificate
from exactgeo.cli.job import Job
from exactgeo.cli.sharing import STATES, Beside, Shared, by_states
from exactgeo.errors import BadInput, BadNetwork, Inconsistent, NotRational
from exactgeo.files import check_writable, shown, written_whole
from exactgeo.network import Network, load_network
from exactgeo.rational.numbers import exact
from exactgeo.rational.rows import Point
from exactgeo.regions import linear_regions
from exactgeo.regions.injective import map_determines_cell
from exactgeo.regions.states import Bounds
from exactgeo.report.location import cell_text, wall_text
from exactgeo.report.progress import Progress, brief
from exactgeo.report.records import cell_record
from exactgeo.report.tables import describe, table

__all__ = ["at", "cells", "count", "counted", "print_footer", "told"]


def count(job: Job) -> int:
    arguments = job.arguments
    if arguments.graph is not None:
        if arguments.graph.suffix not in GRAPH_SUFFIXES:
            raise BadInput(f"--graph {shown(arguments.graph)}: expected a name ending in {' or '.join(GRAPH_SUFFIXES)}")
        if arguments.count_only:
            raise BadInput("--graph and --count-only exclude each other: a graph needs every cell")
        if arguments.method == STATES:
            raise BadInput("--graph and --method states exclude each other: a graph needs every cell")
        check_writable(arguments.graph, other_than=arguments.network)
    if arguments.certificate is not None:
        check_writable(arguments.certificate, other_than=arguments.network)
        if arguments.graph is not None and arguments.certificate.resolve() == arguments.graph.resolve():
            raise BadInput(f"--graph and --certificate name the same file, {shown(arguments.graph)}")
    network = _load(arguments.network)
    if arguments.certificate is not None:
        check_certifiable(network)
    job.begin(network)
    counts = counted(network, job)
    if arguments.json:
        print(json.dumps(counts))
        return 0
    print(describe(network))
    print(table([(name, told(counts, key)) for name, key in _SHOWN if told(counts, key) is not None]))
    print_footer(counts, arguments)
    return 0


_SHOWN = (("cells", "cells"), ("regions", "regions"), ("affine maps", "affine_maps"), ("walls", "walls"))


def told(counts: dict[str, Any], key: str) -> object:
    """A number, the bounds that are known of it as a text, or None."""
    if f"{key}_bounds" not in counts:
        return counts.get(key)
    low, high = counts[f"{key}_bounds"]
    return f"not decided, from {low:,} to {high:,}"


def print_footer(counts: dict[str, Any], arguments: argparse.Namespace) -> None:
    if arguments.cross_check:
        print(f"cross-check: {' and '.join(METHODS)} list the same {counts['cells']:,} cells")
    if arguments.graph is not None:
        print(f"dual graph written to {shown(arguments.graph)}")
    if arguments.certificate is not None:
        alone = counts["claim"]["regions"] is None and told(counts, "regions") is not None
        what = "certificate of the cells alone" if alone else "certificate"
        print(f"{what} written to {shown(arguments.certificate)}; python -m proofs_check checks it")
    if counts["method"] == STATES:
        number = f"{counts['states']:,} state{'' if counts['states'] == 1 else 's'}"
        print(f"{counts['seconds']:.3f} s by {STATES}: {number} for {brief(counts['cells'])} cells")
        return
    rate = f", {counts['cells'] / counts['seconds']:,.0f} cells/s" if counts["seconds"] else ""
    print(f"{counts['seconds']:.3f} s by {counts['method']}{rate}")
    if "signs" in counts:
        print(signs_text(counts["signs"]))


def signs_text(signs: dict[str, int]) -> str:
    """How the kernel decided signs, and how much was left to integers of any length."""
    known = (("integers", "64 bits"), ("floats", "floats"), ("modular", "2^64 residues"), ("zeros", "prime residues"))
    ways = [f"{signs[key]:,} by {what}" for key, what in known if signs[key]]
    return f"signs: {', '.join(ways) or 'none'}; handed back: {signs['handed_back']:,} of {signs['nodes']:,} nodes"


def counted(network: Network, job: Job) -> dict[str, Any]:
    """What ``count`` and ``theorem`` report, within the budgets; the files asked for are written."""
    if job.arguments.multipliers and job.arguments.certificate is None:
        raise BadInput("--multipliers belongs to --certificate: there is nothing to write them into")
    arguments, progress = job.arguments, job.progress
    method = arguments.method or choose_method(network)
    shared: Shared | None = None
    listed: list[Cell] = []
    walls = core = None
    # Where a map determines its cell, counting cells counts regions and affine maps.
    told_apart = not (arguments.count_only or arguments.graph or arguments.cross_check) and map_determines_cell(network)
    if method == STATES:
        shared = by_states(network, job)
    else:
        # States need no list of cells, and where one is wanted they cannot give it.
        alone = arguments.method is not None or method != "split" or arguments.cross_check or arguments.graph
        beside = None if alone else Beside(network, job)
        cells = 0
        if beside is not None:
            shared = beside.answer(cells)
        if shared is None:
            with job.untimed():
                phase = progress.phase
                progress.enter("loading the kernel; the first time, compiling it takes a minute or two", at_once=True)
                core = core_for(network, method)
                if not (arguments.count_only or told_apart):
                    load_walls(core)
                gc.freeze()  # what is loaded stays: the collector need not visit it again and again
                progress.enter(phase)
        if arguments.count_only or told_apart:
            ways: Iterator[Cell | int] = iter(count_cells(network, method, core=core))
        else:
            ways = iter(enumerate_cells(network, method, core=core))
        while shared is None and (found := next(ways, None)) is not None:
            if isinstance(found, Cell):
                listed.append(found)
            cells += 1 if isinstance(found, Cell) else found
            job.at_least(cells)
            if beside is not None:
                shared = beside.answer(cells)
    bounds: tuple[Bounds, Bounds] | None = None
    if shared is not None:
        cells, bounds, method = shared.cells, shared.bounds, STATES
    elif told_apart:
        bounds = (cells, cells), (cells, cells)
    elif not arguments.count_only:
        if arguments.graph is not None:
            progress.enter("finding walls")
            graph = dual_graph(listed)
            walls = len(graph.walls)
        progress.enter("joining regions")
        regions = linear_regions(listed if walls is None else graph)
        bounds = (len(regions), len(regions)), (regions.affine_maps, regions.affine_maps)
    if arguments.cross_check:
        known = [cell.pattern for cell in listed] if listed else None
        _cross_check(network, method, cells, known, progress)
    seconds = job.seconds()
    signs = core.report() if core is not None and shared is None else None
    numbers = _numbers(bounds)
    claim: Counts | None = None
    if arguments.certificate is not None:
        claim = Counts(cells, numbers["regions"], numbers["affine_maps"])
        if shared is None:
            progress.enter("loading the proof search; the first time, compiling it takes a minute", at_once=True)
            load_search(network, claim)
        progress.enter("writing the certificate")
        if shared is not None:
            claim = shared.certify(arguments.certificate, arguments.multipliers)
        else:
            write_certificate(network, claim, arguments.certificate, arguments.multipliers, progress.proved)
    if walls is not None:
        progress.enter("writing the graph")
        with written_whole(arguments.graph) as file:
            file.write(graph_text(graph, arguments.graph.suffix).encode())
    job.finish()
    return {
        "cells": cells,
        **numbers,
        "dimension": network.input_dim,
        "network_sha256": network.sha256,
        "method": method,
        **({} if shared is None else {"states": shared.states}),
        **({} if signs is None else {"signs": asdict(signs)}),
        **({} if walls is None else {"walls": walls}),
        **({"cross_check": "agreed"} if arguments.cross_check else {}),
        **({} if claim is None else {"certificate": str(arguments.certificate), "claim": asdict(claim)}),
        "seconds": seconds,
    }


def _numbers(bounds: tuple[Bounds, Bounds] | None) -> dict[str, Any]:
    """Regions and affine maps: numbers, or None and beside it the bounds, where any are known."""
    numbers: dict[str, Any] = {"regions": None, "affine_maps": None}
    for key, (low, high) in zip(numbers.copy(), bounds or (), strict=False):
        if low == high:
            numbers[key] = low
        else:
            numbers[f"{key}_bounds"] = [low, high]
    return numbers


def _cross_check(network: Network, method: str, cells: int, known: Sequence[Any] | None, progress: Progress) -> None:
    """Demand that both methods list the same set of patterns, of the size that was counted.

    ``known`` are the patterns by ``method`` if it has listed them already.
    """
    listed = []
    for each in METHODS:
        progress.enter(f"cross-checking by {each}")
        patterns = known if known is not None and each == method else None
        if patterns is None:
            patterns = [cell.pattern for cell in enumerate_cells(network, each)]
        if len(set(patterns)) != len(patterns):
            raise Inconsistent(f"{each} lists a cell twice")
        listed.append(set(patterns))
    odd = listed[0] ^ listed[1]
    if odd:
        raise Inconsistent(f"{' and '.join(METHODS)} disagree on {len(odd)} cells, one of them {min(odd)}")
    if len(listed[0]) != cells:
        raise Inconsistent(f"{method} counted {cells} cells and listed {len(listed[0])}")


def cells(job: Job) -> int:
    arguments, progress = job.arguments, job.progress
    to_stdout = str(arguments.out) == "-"
    if to_stdout:
        if arguments.json:
            raise BadInput("--out - and --json exclude each other: both want stdout")
        if sys.stdout.isatty():
            progress.hush()
    else:
        check_writable(arguments.out, other_than=arguments.network)
    network = _load(arguments.network)
    job.begin(network)
    listed = job.within(enumerate_cells(network, arguments.method))
    lines = (json.dumps(cell_record(cell, arguments.irredundant)) + "\n" for cell in listed)
    if to_stdout:
        for line in lines:
            sys.stdout.write(line)
        job.finish()
        return 0
    with written_whole(arguments.out) as file:
        for line in lines:
            file.write(line.encode())
    seconds = job.seconds()
    job.finish()
    if arguments.json:
        done = {"cells": progress.cells, "out": str(arguments.out), "dimension": network.input_dim}
        print(json.dumps({**done, "network_sha256": network.sha256, "seconds": seconds}))
    else:
        print(f"{progress.cells:,} cells written to {shown(arguments.out)}, one JSON object a line")
    return 0


def at(job: Job) -> int:
    arguments = job.arguments
    network = _load(arguments.network)
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


def _load(path: str) -> Network:
    """The network in a file; an error names the file too."""
    try:
        return load_network(path)
    except BadNetwork as error:
        raise BadInput(f"{shown(path)}: {error}") from None


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

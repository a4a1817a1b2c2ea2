"""One request, one answer: what the command line and Python users call.

``count`` asks what ``exactgeo count`` asks, with the same options, and answers with an ``Answer``. It works in any
thread: budgets are looked at where cells come in, no signal handler is installed, no timer is set, nothing global is
changed, and nothing is printed unless ``progress`` says so.

>>> from exactgeo.network import Network
>>> tent = Network.mlp([[[1], [1]], [[2, -4]]], [[0, "-1/2"], [0]], domain={"box": [[0, 1]]})
>>> answer = count(tent)
>>> answer.cells, answer.regions, answer.affine_maps, answer.method
(2, 2, 2, 'split')
>>> count(tent, max_cells=1)
Traceback (most recent call last):
exactgeo.errors.BudgetExceeded: --max-cells 1: at least 2 cells

Which way is taken is decided here, in ``Run``. A method that is asked for is taken. Otherwise cells are counted by
split, and by states alongside, which take over where images recur. Cells are listed where somebody wants to see them,
for a graph or to compare two methods, and only counted where numbers are all that is asked.
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from exactgeo.alongside import StatesAlongside, StatesCount, count_by_states
from exactgeo.cells import METHODS, Cell, DualGraph, Method, choose_method, count_cells, dual_graph, enumerate_cells
from exactgeo.cells.cores import CellCore, cell_core
from exactgeo.cells.graph import graph_text
from exactgeo.certificate import Counts, check_certifiable, write_certificate
from exactgeo.errors import BadInput, BadNetwork, Inconsistent
from exactgeo.files import path_of, shown, written_whole
from exactgeo.network import Network, load_network
from exactgeo.regions import linear_regions
from exactgeo.regions.injective import map_determines_cell
from exactgeo.regions.states import Bounds
from exactgeo.report.progress import ProgressLine, brief
from exactgeo.request import STATES, Progress, Request, Watch, progress_of

__all__ = ["Answer", "Progress", "Request", "Run", "count", "network_in", "placed"]


@dataclass(frozen=True, repr=False)
class Answer:
    """What was counted, how, and what was written.

    ``regions`` and ``affine_maps`` are None where cells alone are counted, and where only bounds are known: then
    ``regions_bounds`` and ``affine_maps_bounds`` have the lowest and the highest number. ``way`` says how the
    method was carried out, ``states`` is their number where they were counted, ``signs`` how the native core decided
    signs where it was used, ``walls`` the number of walls in
    the graph that was written, ``cross_check`` "agreed" where that was asked for, and ``claim`` what the certificate
    claims. ``seconds`` are those from the network to the numbers, ``certificate_seconds`` those of the certificate,
    both without loading of code.
    """

    cells: int
    regions: int | None
    affine_maps: int | None
    dimension: int
    network_sha256: str
    method: str
    seconds: float
    regions_bounds: Bounds | None = None
    affine_maps_bounds: Bounds | None = None
    way: str | None = None
    states: int | None = None
    signs: dict[str, int] | None = field(default=None, hash=False)
    walls: int | None = None
    cross_check: str | None = None
    certificate: str | None = None
    claim: Counts | None = None
    certificate_seconds: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """The object that ``exactgeo count --json`` prints: without what was not asked for, or does not apply."""
        bounds = {"regions_bounds": self.regions_bounds, "affine_maps_bounds": self.affine_maps_bounds}
        optional = {
            "way": self.way,
            "states": self.states,
            "signs": self.signs and dict(self.signs),
            "walls": self.walls,
            "cross_check": self.cross_check,
            "certificate": self.certificate,
            "claim": self.claim and asdict(self.claim),
        }
        return {
            "cells": self.cells,
            "regions": self.regions,
            "affine_maps": self.affine_maps,
            **{key: list(pair) for key, pair in bounds.items() if pair is not None},
            "dimension": self.dimension,
            "network_sha256": self.network_sha256,
            "method": self.method,
            **{key: value for key, value in optional.items() if value is not None},
            "seconds": self.seconds,
            **({} if self.certificate_seconds is None else {"certificate_seconds": self.certificate_seconds}),
        }

    def __repr__(self) -> str:
        return f"<Answer: {self.numbers_text()}, by {self.method} in {self.seconds:.3f} s>"

    def numbers_text(self) -> str:
        """The numbers in a few words; long ones are cut."""
        parts = [f"{brief(self.cells)} cell{'' if self.cells == 1 else 's'}"]
        for noun, number, bounds in (
            ("region", self.regions, self.regions_bounds),
            ("affine map", self.affine_maps, self.affine_maps_bounds),
        ):
            if number is not None:
                parts.append(f"{brief(number)} {noun}{'' if number == 1 else 's'}")
            elif bounds is not None:
                parts.append(f"{noun}s {brief(bounds[0])} to {brief(bounds[1])}")
        return ", ".join(parts)


def count(
    network: Network | str | os.PathLike[str],
    *,
    count_only: bool = False,
    method: str | None = None,
    cross_check: bool = False,
    certificate: str | os.PathLike[str] | None = None,
    multipliers: bool = False,
    graph: str | os.PathLike[str] | None = None,
    max_cells: int | None = None,
    max_states: int | None = None,
    max_memory: int | None = None,
    timeout: float | None = None,
    workers: int = 1,
    progress: Progress | Callable[[str, int], object] | bool | None = None,
) -> Answer:
    """Count the cells, the maximal linear regions and the affine maps of a network, or of the network in a file.

    The options are those of ``exactgeo count``: ``count_only`` counts cells alone; ``method`` is "split", "search" or
    "states"; ``cross_check`` lists by two methods and compares; ``certificate`` and ``graph`` are files to write, and
    ``multipliers`` spells these out in the certificate. What cannot be accepted is a ``BadInput``.

    Beyond ``max_cells``, ``max_states``, ``max_memory`` (in MB) or ``timeout`` (in seconds) a ``BudgetExceeded`` tells
    the ``reason`` and how many cells there are at least. ``workers`` is the number of threads: the answer, and every
    byte that is written, is the same for any number. ``progress`` is True for a line on the terminal, a function that
    is called with a phase and a number of cells, or a ``Progress``.
    """
    request = Request.of(
        count_only=count_only,
        method=method,
        cross_check=cross_check,
        certificate=certificate,
        multipliers=multipliers,
        graph=graph,
        max_cells=max_cells,
        max_states=max_states,
        max_memory=max_memory,
        timeout=timeout,
        workers=workers,
    )
    report = progress_of(progress)
    watch = request.watch(report)
    if isinstance(network, Network):
        request.check_places()
        found = network
    elif isinstance(network, (str, os.PathLike)):
        place = path_of("network", network)
        request.check_places(place)
        found = network_in(place)
    else:
        raise BadInput(f"network: expected a Network or a path, got {type(network).__name__}")
    try:
        return Run(found, request, watch).answer()
    finally:
        if progress is True and isinstance(report, ProgressLine):
            report.clear()


def network_in(path: str | os.PathLike[str]) -> Network:
    """The network in a file; an error names the file too."""
    with placed(shown(path)):
        return load_network(path)


@contextmanager
def placed(source: str) -> Iterator[None]:
    """In the block, what is wrong with a network is said with the place where it was read."""
    try:
        yield
    except BadNetwork as error:
        raise BadNetwork(f"{source}: {error.place}" if error.place else source, error.problem) from None


@dataclass(frozen=True, slots=True)
class _Found:
    """The numbers, and what they were found from: ``bounds`` are those of regions and affine maps."""

    method: str
    cells: int
    bounds: tuple[Bounds, Bounds] | None
    states: StatesCount | None = None
    core: CellCore | None = None
    listed: Sequence[Cell] = ()
    graph: DualGraph | None = None


class Run:
    """The work on one request.

    ``counted`` is the answer as soon as all its numbers are known; ``unwritten`` names the file that is being written.
    """

    def __init__(self, network: Network, request: Request, watch: Watch) -> None:
        if request.certificate is not None:
            check_certifiable(network)
        self.network = network
        self.request = request
        self.watch = watch
        self.counted: Answer | None = None
        self.unwritten = ""

    def answer(self) -> Answer:
        """Count, and write the files asked for."""
        self.watch.begin("listing cells")
        found = self._found()
        if self.request.cross_check:
            self._cross_check(found)
        answer = self.counted = self._answer(found, self.watch.seconds())
        if self.request.certificate is not None:
            self.unwritten = "the certificate"
            answer = self.counted = self._certified(answer, found, self.request.certificate)
        if self.request.graph is not None and found.graph is not None:
            self.unwritten = "the graph"
            self._write_graph(found.graph, self.request.graph)
        self.unwritten = ""
        return answer

    # -- counting ------------------------------------------------------------------------------------------------------

    def _found(self) -> _Found:
        request = self.request
        if request.method == STATES:
            return _by_states(count_by_states(self.network, request, self.watch))
        method = request.method or choose_method(self.network)
        # States need no list of cells, and where one is wanted they cannot give it.
        free = request.method is None and method == "split" and not request.cross_check and request.graph is None
        return self._by_cells(method, StatesAlongside(self.network, request, self.watch) if free else None)

    def _by_cells(self, method: Method, alongside: StatesAlongside | None) -> _Found:
        """Count or list the cells, unless the states alongside are done before."""
        request, network = self.request, self.network
        core = cell_core(network, method)
        # Where the map determines the cell, counting cells counts regions and affine maps.
        counted = not (request.graph or request.cross_check)
        determined = counted and not request.count_only and map_determines_cell(network)
        listing = not (request.count_only or determined or (counted and core.joins))
        ways: Iterator[Cell | int]
        limit, workers = request.max_cells, request.workers
        if listing:
            ways = enumerate_cells(network, method, core=core, limit=limit, workers=workers)
        elif request.count_only or determined:
            ways = count_cells(network, method, core=core, limit=limit, workers=workers)
        else:
            ways = core.regions(limit, workers)
        cells, listed = 0, []
        for found in ways:
            if isinstance(found, Cell):
                listed.append(found)
                cells += 1
            else:
                cells += found
            self.watch.at_least(cells)
            states = None if alongside is None else alongside.answer(cells)
            if states is not None:
                return _by_states(states)
        if listing:
            return self._joined(_Found(method, cells, None, None, core, listed))
        regions, maps = (cells, cells) if determined else core.joined or (None, None)
        bounds = None if regions is None or maps is None else ((regions, regions), (maps, maps))
        return _Found(method, cells, bounds, None, core)

    def _joined(self, found: _Found) -> _Found:
        """The same with regions and affine maps, and with the graph where it is asked for."""
        graph = None
        if self.request.graph is not None:
            self.watch.enter("finding walls")
            graph = dual_graph(found.listed)
        self.watch.enter("joining regions")
        regions = linear_regions(found.listed if graph is None else graph)
        bounds = (len(regions), len(regions)), (regions.affine_maps, regions.affine_maps)
        return replace(found, bounds=bounds, graph=graph)

    def _cross_check(self, found: _Found) -> None:
        """Demand that both methods list the same set of patterns, of the size that was counted."""
        listed = []
        for method in METHODS:
            self.watch.enter(f"cross-checking by {method}")
            if found.listed and method == found.method:
                patterns = [cell.pattern for cell in found.listed]
            else:
                patterns = [cell.pattern for cell in self.watch.looked(enumerate_cells(self.network, method))]
            if len(set(patterns)) != len(patterns):
                raise Inconsistent(f"{method} lists a cell twice")
            listed.append(set(patterns))
        odd = listed[0] ^ listed[1]
        if odd:
            raise Inconsistent(f"{' and '.join(METHODS)} disagree on {len(odd)} cells, one of them {min(odd)}")
        if len(listed[0]) != found.cells:
            raise Inconsistent(f"{found.method} counted {found.cells} cells and listed {len(listed[0])}")

    def _answer(self, found: _Found, seconds: float) -> Answer:
        """The answer, before anything is written."""
        regions, maps = found.bounds or (None, None)
        signs = None if found.core is None else found.core.report()
        return Answer(
            cells=found.cells,
            regions=_number(regions),
            affine_maps=_number(maps),
            dimension=self.network.input_dim,
            network_sha256=self.network.sha256,
            method=found.method,
            seconds=seconds,
            regions_bounds=None if _number(regions) is not None else regions,
            affine_maps_bounds=None if _number(maps) is not None else maps,
            states=None if found.states is None else found.states.states,
            signs=None if signs is None else asdict(signs),
            way=None if found.core is None else found.core.way,
            walls=None if found.graph is None else len(found.graph.walls),
            cross_check="agreed" if self.request.cross_check else None,
        )

    # -- writing -------------------------------------------------------------------------------------------------------

    def _certified(self, answer: Answer, found: _Found, path: Path) -> Answer:
        """The answer with the certificate, which is written."""
        watch, multipliers = self.watch, self.request.multipliers
        claim = Counts(answer.cells, answer.regions, answer.affine_maps)
        watch.enter("writing the certificate")
        start = time.perf_counter()
        if found.states is not None:
            claim = found.states.certify(path, multipliers, watch)
        else:
            write_certificate(self.network, claim, path, multipliers, watch.proved)
        seconds = time.perf_counter() - start
        return replace(answer, certificate=str(path), claim=claim, certificate_seconds=seconds)

    def _write_graph(self, graph: DualGraph, path: Path) -> None:
        self.watch.enter("writing the graph")
        with written_whole(path) as file:
            file.write(graph_text(graph, path.suffix).encode())


def _by_states(states: StatesCount) -> _Found:
    return _Found(STATES, states.cells, states.bounds, states)


def _number(bounds: Bounds | None) -> int | None:
    """The number, where the bounds leave one."""
    return bounds[0] if bounds is not None and bounds[0] == bounds[1] else None

"""Many networks of one architecture, counted in one call.

The document is that of ``Network.from_arrays``. Each of its arrays has a known number of axes: a weight, ``keys``,
``values`` and ``log_values`` two, ``bias`` and ``score_bias`` one, ``slope`` none. An array with one axis more, in
front, has one array for each network; an array without it is the same for all. The domain always is.

>>> import numpy as np
>>> tents = {
...     "input_dim": 1,
...     "domain": {"box": [[0, 1]]},
...     "layers": [
...         {"type": "linear", "weight": [[1], [1]], "bias": np.array([[0, -0.5], [0, -1], [-0.25, -0.5]])},
...         {"type": "relu"},
...         {"type": "linear", "weight": [[2, -4]]},
...     ],
... }
>>> count_many(tents).cells.tolist()
[2, 1, 3]
>>> count_many(tents, regions=True).regions.tolist()
[2, 1, 3]

Numbers are exact: integers, floats of any width by their binary value, and in lists and arrays of objects whatever
``Network.from_arrays`` takes. What is no number is refused with its place:

>>> tents["layers"][0]["bias"][1, 0] = np.nan
>>> count_many(tents)
Traceback (most recent call last):
exactgeo.errors.BadNetwork: layers[0].bias[1,0]: expected a rational number, but nan is not a finite number

How the weights of the core come from the numbers is found once for the architecture (``network.program``); after that
no network is touched by Python. Networks go one by one through ``exactgeo.count`` instead, without threads, where
regions are asked for, where a layer is of a kind without ``in_slots`` (one that was added from outside),
and where the native core was not built.
"""

import math
import operator
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from exactgeo import native
from exactgeo.counting import count
from exactgeo.errors import BadInput, BadNetwork, BudgetExceeded, NotRational
from exactgeo.network import Network
from exactgeo.network.canonical import MAX_NESTING, canonical_document
from exactgeo.network.document import FORMAT, read_document
from exactgeo.network.layers import KINDS
from exactgeo.network.layers.linear import KIND as LINEAR
from exactgeo.network.program import Slots, program
from exactgeo.rational.numbers import bounded, exact
from exactgeo.rational.rows import Row, is_constant
from exactgeo.request import Request

__all__ = ["ManyCounts", "count_many"]

MOST = 2**63 - 1
"""The largest number of cells that an entry can hold."""

MOST_THREADS = 256

LOOK = 0.05
"""Seconds between two looks at the clock and at signals."""


@dataclass(frozen=True, eq=False, repr=False)
class ManyCounts:
    """The counts of networks, in their order; arrays that cannot be written.

    ``complete`` tells of each network whether it was counted to the end. Where it was not, because of a budget,
    ``cells`` is a proved lower bound, 1 where nothing was begun, and ``regions`` and ``affine_maps`` are -1; these are
    None where they were not asked for. ``signs`` tells how many signs were decided by floats beyond their error, by
    floats that are exact (grids), and by integers; None where networks went through Python. ``seconds`` are those of
    counting, from the checked arrays on.
    """

    cells: NDArray[np.int64]
    regions: NDArray[np.int64] | None
    affine_maps: NDArray[np.int64] | None
    complete: NDArray[np.bool_]
    seconds: float
    signs: dict[str, int] | None = field(default=None)

    def __len__(self) -> int:
        return len(self.cells)

    def __repr__(self) -> str:
        whole = int(self.complete.sum())
        return f"<ManyCounts: {whole:,} of {len(self):,} networks counted, in {self.seconds:.3f} s>"


def count_many(
    document: object,
    *,
    regions: bool = False,
    workers: int = 1,
    max_cells: int | None = None,
    timeout: float | None = None,
) -> ManyCounts:
    """Count the cells of many networks of one architecture, and their regions and affine maps where these are wanted.

    Entry k is what ``count`` says of the document at k, whatever the number of ``workers``, which are threads. A
    network with more than ``max_cells`` cells is not complete; nor are those that are not done after ``timeout``
    seconds for all together. There may be no networks at all: axes of length 0.
    """
    if not isinstance(regions, bool):
        raise BadInput(f"regions: expected True or False, got {type(regions).__name__}")
    request = Request.of(max_cells=max_cells, timeout=timeout)
    threads = _workers(workers)
    deadline = math.inf if timeout is None else time.monotonic() + timeout
    many = _Many.of(document)
    start = time.perf_counter()
    if regions or not many.native or native.why_not() is not None:
        found = _one_by_one(many, regions, request.max_cells, deadline)
    else:
        found = _natively(many, threads, request.max_cells, deadline)
    cells, joined, maps, complete, signs = found
    for array in (cells, joined, maps, complete):
        if array is not None:
            array.flags.writeable = False
    return ManyCounts(cells, joined, maps, complete, time.perf_counter() - start, signs)


def _workers(value: int) -> int:
    try:
        number = 0 if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = 0
    if number < 1:
        raise BadInput(f"workers: expected a positive integer, got {value!r:.80}")
    return number


# -- reading -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Array:
    """Numbers of the document: floats of 32 or 64 bits, integers of 64 bits, or objects, integers and Fractions."""

    place: str
    values: NDArray[Any]
    each: bool
    """Whether the first axis is that of networks."""

    @property
    def shape(self) -> tuple[int, ...]:
        """That of one network."""
        return self.values.shape[1:] if self.each else self.values.shape

    def at(self, k: int) -> object:
        values = self.values[k] if self.each else self.values
        return values.tolist() if isinstance(values, np.ndarray) else values


@dataclass(frozen=True, slots=True)
class _Many:
    """A document whose arrays were read: ``tree`` is the document with them in their places."""

    tree: dict[str, Any]
    count: int
    input_dim: int
    rows: tuple[Row, ...]

    @staticmethod
    def of(document: object) -> "_Many":
        """Read numbers and structure; ``BadNetwork`` with the place of what is wrong."""
        if not isinstance(document, dict):
            raise BadNetwork("", f"expected an object, got {type(document).__name__}")
        tree = dict(document)
        tree.setdefault("format", FORMAT)
        tree["layers"] = _with_arrays(tree.get("layers"), "layers", _ranks(), 1)
        if tree["layers"] is None:
            del tree["layers"]
        # The reader of files knows what fits together; that does not depend on the numbers.
        read = read_document(canonical_document(_filled(tree, lambda array: np.zeros(array.shape, np.int64).tolist())))
        leading = [array for array in _arrays(tree["layers"]) if array.each]
        if not leading:
            problem = "expected an array with one axis more than in a file, for the networks, got none"
            raise BadNetwork("layers", problem)
        count = len(leading[0].values)
        for array in leading:
            if len(array.values) != count:
                problem = f"expected {count} networks as in {leading[0].place}, got {len(array.values)}"
                raise BadNetwork(array.place, problem)
        rows = tuple([row for row in read.listed_rows if not is_constant(row)])
        return _Many(tree, count, read.input_dim, rows)

    @property
    def native(self) -> bool:
        """Whether all layers can be lowered to a program."""
        known = all(KINDS[layer["type"]].in_slots is not None for layer in self.tree["layers"])
        return known and all(isinstance(numbers, _Array) for numbers in _numbers(self.tree["layers"]))

    def at(self, k: int) -> Network:
        """Network k."""
        return Network.from_arrays(_filled(self.tree, lambda array: array.at(k)))


def _ranks() -> dict[str, int]:
    return {key: rank for kind in KINDS.values() for key, rank in kind.ranks.items()}


def _with_arrays(value: object, place: str, ranks: dict[str, int], depth: int) -> Any:
    """A part of the document with an ``_Array`` wherever numbers stand that have a rank."""
    if depth > MAX_NESTING:
        raise BadNetwork(place, f"expected at most {MAX_NESTING} levels of nesting, got more")
    if isinstance(value, list | tuple):
        return [_with_arrays(entry, f"{place}[{i}]", ranks, depth + 1) for i, entry in enumerate(value)]
    if not isinstance(value, dict):
        return value
    found: dict[object, object] = {}
    for key, entry in value.items():
        inner = f"{place}.{key}"
        if key in ranks and entry is not None and not isinstance(entry, dict):
            found[key] = _array(entry, inner, ranks[key])
        else:
            found[key] = _with_arrays(entry, inner, ranks, depth + 1)
    return found


def _numbers(tree: object) -> Iterator[object]:
    """All that stands where numbers belong that have a rank."""
    if isinstance(tree, dict):
        ranks = _ranks()
        for key, entry in tree.items():
            if key not in ranks:
                yield from _numbers(entry)
            elif entry is not None:
                yield entry
    elif isinstance(tree, list):
        for entry in tree:
            yield from _numbers(entry)


def _arrays(tree: object) -> list[_Array]:
    return [numbers for numbers in _numbers(tree) if isinstance(numbers, _Array)]


def _filled(tree: Any, fill: Callable[[_Array], object]) -> Any:
    """The document with something else for each array."""
    if isinstance(tree, _Array):
        return fill(tree)
    if isinstance(tree, dict):
        return {key: _filled(entry, fill) for key, entry in tree.items()}
    if isinstance(tree, list):
        return [_filled(entry, fill) for entry in tree]
    return tree


def _array(value: object, place: str, rank: int) -> _Array:
    values = _viewed(value, place)
    if values.ndim not in (rank, rank + 1):
        axes = ["a number", "1 axis", "2 axes", "3 axes"]
        problem = f"expected {axes[rank]}, or {axes[rank + 1]} with one for the networks, got {values.ndim}"
        raise BadNetwork(place, problem)
    kind, size = values.dtype.kind, values.dtype.itemsize
    if kind == "f" and size <= 8:
        values = np.ascontiguousarray(values, np.float64 if size == 8 else np.float32).reshape(values.shape)
        finite = np.isfinite(values)
        if not finite.all():
            index = np.unravel_index(int(np.argmin(finite)), values.shape)
            raise BadNetwork(
                _entry(place, index), f"expected a rational number, but {values[index]} is not a finite number"
            )
    elif kind in "iu" and not (kind == "u" and size == 8 and values.size and values.max() > MOST):
        values = np.ascontiguousarray(values, np.int64).reshape(values.shape)
    else:
        values = _exact(values, place)
    return _Array(place, values, values.ndim > rank)


def _viewed(value: Any, place: str) -> NDArray[Any]:
    """Numbers as an array. Lists are arrays of objects first: numpy would round integers that stand beside floats."""
    if isinstance(value, list | tuple):
        try:
            found = np.array(value, dtype=object)
            types = set(map(type, found.flat))
        except ValueError:  # lists with arrays in them
            types = {list}
        if types & {list, tuple}:
            raise BadNetwork(place, "expected lists of equal lengths at each depth, got others")
        if types == {float}:
            return found.astype(np.float64)
        return found
    if hasattr(value, "__array__"):
        try:
            return np.asarray(value)
        except (TypeError, ValueError, RuntimeError):  # a tensor of numbers that numpy does not have, say
            pass
    if hasattr(value, "tolist") and not hasattr(value, "as_integer_ratio"):
        return _viewed(value.tolist(), place)
    return np.array(value, dtype=object)


def _exact(values: NDArray[Any], place: str) -> NDArray[Any]:
    """Any objects as integers of 64 bits, if they all are such, otherwise as Fractions."""
    found = np.empty(values.shape, object)
    for index in np.ndindex(values.shape):
        try:
            found[index] = bounded(exact(values[index]))
        except NotRational as error:
            raise BadNetwork(_entry(place, index), f"expected a rational number, but {error}") from None
    if all(-MOST <= entry.numerator <= MOST and entry.denominator == 1 for entry in found.flat):
        return np.array([entry.numerator for entry in found.flat], np.int64).reshape(values.shape)
    return found


def _entry(place: str, index: tuple[Any, ...]) -> str:
    return f"{place}[{','.join(str(int(i)) for i in index)}]" if index else place


# -- counting ----------------------------------------------------------------------------------------------------------

_Found = tuple[
    NDArray[np.int64], NDArray[np.int64] | None, NDArray[np.int64] | None, NDArray[np.bool_], dict[str, int] | None
]
"""Cells, regions, affine maps, complete, signs."""


def _natively(many: _Many, threads: int, max_cells: int | None, deadline: float) -> _Found:
    layers: list[dict[str, Any]] = many.tree["layers"]
    while layers and KINDS[layers[-1]["type"]] is LINEAR:
        layers = layers[:-1]  # no cell depends on it
    arrays = _arrays(layers)
    slots = Slots()
    found = program(many.input_dim, _filled(layers, lambda array: slots.array(array.shape)), slots)
    tables = [
        (
            [[0] * stage.table.shape[1]] * len(stage.table),
            stage.sizes,
            stage.scores,
            stage.lengths,
            stage.values,
            stage.bases,
        )
        for stage in found.stages
    ]
    job = native.core.ManyJob(
        native.core.Network(many.input_dim, many.rows, tables, False),
        [(_for_core(array.values), math.prod(array.shape), array.each) for array in arrays],
        [(*part.left.shape, part.right.shape[1], part.left, part.right) for part in found.products],
        [stage.table for stage in found.stages],
        many.count,
        MOST if max_cells is None else min(max_cells, MOST),
        max(1, min(threads, many.count, MOST_THREADS)),
    )
    try:
        while not job.wait(max(0.0, min(LOOK, deadline - time.monotonic()))):
            if time.monotonic() >= deadline:
                job.stop()
                deadline = math.inf
    finally:
        job.stop()  # an interrupt must not wait for the job to be forgotten
    tally = job.tally
    signs = {"floats": tally.floats, "grids": tally.grids, "exact": tally.exact}
    return np.frombuffer(job.cells, np.int64), None, None, np.frombuffer(job.complete, np.bool_), signs


def _for_core(values: NDArray[Any]) -> object:
    if values.dtype != object:
        return values
    return [entry.numerator for entry in values.flat], [entry.denominator for entry in values.flat]


def _one_by_one(many: _Many, regions: bool, max_cells: int | None, deadline: float) -> _Found:
    cells = np.ones(many.count, np.int64)
    complete = np.zeros(many.count, np.bool_)
    joined = np.full(many.count, -1, np.int64) if regions else None
    maps = np.full(many.count, -1, np.int64) if regions else None
    for k in range(many.count):
        left = deadline - time.monotonic()
        if left <= 0:
            break
        timeout = None if left == math.inf else left
        try:
            answer = count(many.at(k), count_only=not regions, max_cells=max_cells, timeout=timeout)
        except BudgetExceeded as error:
            cells[k] = min(error.cells_at_least, MOST)
            continue
        cells[k] = min(answer.cells, MOST)
        complete[k] = answer.cells <= MOST
        if joined is not None and maps is not None:
            if answer.regions is None or answer.affine_maps is None:  # bounds are all that is known
                complete[k] = False
            else:
                joined[k], maps[k] = answer.regions, answer.affine_maps
    return cells, joined, maps, complete, None

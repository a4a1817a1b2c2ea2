"""Who does the work: every limit and threshold, and which core is chosen for what.

Three kinds of work have several implementations, *cores*, behind one protocol each:

- counting or listing the cells of a network (``cells.cores``),
- the walls between listed cells, and which of these may have the same map (``cells.wall_cores``),
- the proof below a node (``certificate.provers``).

Each protocol has a table of its cores by name, and a core is imported when it is chosen, never before: a small job pays
for none of them. All cores of a protocol give the same answer; proofs are the same in what they prove, not in their
bytes. So the choice is one of speed, it is made here and
nowhere else, and nobody else knows who did the work.

A further core is an entry in the tables of the protocols that it knows, and its terms in ``TERMS``.

The native core knows two methods in several *ways* each: split keeps a node by its generators, or by rows where there
are too many of these; and hyperplanes on all of R^d are counted flat by flat, without a vertex.

>>> from exactgeo.network import Network
>>> most_cells(Network.mlp([[[1, 0], [0, 1], [1, 1]], [[1, 1, 1]]]))
7
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import comb, prod
from typing import Generic, Literal, TypeVar

from exactgeo import native
from exactgeo.errors import BadInput, Inconsistent
from exactgeo.network import Staged
from exactgeo.polyhedron.cone import Cone

__all__ = [
    "FEW_CELLS",
    "METHODS",
    "MOST_DIMENSIONS",
    "MOST_GENERATORS",
    "TERMS",
    "Entry",
    "Method",
    "Terms",
    "Way",
    "choose_method",
    "entry",
    "few_generators",
    "for_cells",
    "for_proof",
    "for_walls",
    "most_cells",
    "native_way",
]

T = TypeVar("T")

Method = Literal["split", "search"]
METHODS: tuple[Method, ...] = ("split", "search")

Way = Literal["split", "rows", "search", "flats"]
"""How the native core works: by a tree on generators, on rows, along the adjacency graph, or flat by flat."""

MOST_DIMENSIONS = 5
"""The native core splits on generators in so many dimensions.

Beyond, pairs of generators that have to be compared explode: with eight units in three layers rows are 1.2 times as
fast in dimension 6, and 70 times in dimension 8.
"""

MOST_ROWS = 60
"""A domain with more rows than this may have thousands of vertices from dimension 4 on: then split is on rows."""

MOST_GENERATORS = 300
"""In Python, split keeps generators; a domain with more of them is left to search.

That is so from the cube in dimension 9 on. With six units split takes 0.13 s there in dimension 8, 4 s in dimension 9
and 14 s in dimension 10, search 0.7 s, 1.2 s and 1.2 s.
"""

FEW_CELLS = 1000
"""Where a network cannot have more cells, it is not worth while to look for states."""


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms a core is chosen: ``native``, where the native core was built; it proves by these ``methods``, in
    so many ``dimensions``; None is no limit."""

    native: bool = False
    methods: tuple[Method, ...] = METHODS
    dimensions: int | None = None

    def take(self) -> bool:
        """Whether the core can work at all."""
        return not self.native or native.why_not() is None


TERMS: dict[str, Terms] = {
    "native": Terms(native=True, methods=("split",), dimensions=MOST_DIMENSIONS),
    "python": Terms(),
}
"""The terms of each core, the best first: the first whose terms are met does the work."""


@dataclass(frozen=True, slots=True)
class Entry(Generic[T]):
    """A core in the table of its protocol: the module that has it, and what fetches it from there."""

    module: str
    fetch: Callable[[], T]

    def load(self) -> T:
        return self.fetch()


def entry(table: Mapping[str, Entry[T]], name: str) -> Entry[T]:
    """The core of this name, where a caller wants a certain one."""
    if name not in table:
        raise BadInput(f"no core is called {name!r}; there are {', '.join(table)}")
    return table[name]


def choose_method(network: Staged) -> Method:
    """Split, unless it is done in Python and the domain has too many generators."""
    return "split" if native.why_not() is None or few_generators(network) else "search"


def few_generators(network: Staged) -> bool:
    """Whether the domain has few enough generators for Python."""
    return Cone.of(network.domain_rows, network.input_dim, MOST_GENERATORS) is not None


def native_way(network: Staged, method: Method, counting: bool) -> Way:
    """How the native core counts or lists the cells of a network by this method."""
    if method == "search":
        return "search"
    dimension = network.input_dim
    if counting and not network.domain_rows and len(network.stages) == 1:
        sizes = [len(selector.candidates) for selector in network.stages[0].selectors]
        if max(sizes, default=0) <= 2:
            return "flats"
    few = dimension <= 3 or len(network.domain_rows) <= MOST_ROWS
    return "split" if dimension <= MOST_DIMENSIONS and few else "rows"


def most_cells(network: Staged) -> int:
    """An upper bound on the number of cells, without looking at weights.

    A stage cuts a parent by at most n hyperplanes, one for each two candidates of a selector, into at most the sum of
    binomials (n, 0) + ... + (n, d) parts (Schläfli), and has at most as many patterns as choices of candidates.
    """
    bound = 1
    for stage in network.stages:
        sizes = [len(selector.candidates) for selector in stage.selectors]
        planes = sum(comb(size, 2) for size in sizes)
        bound *= min(prod(sizes), sum(comb(planes, k) for k in range(network.input_dim + 1)))
    return bound


def for_cells(table: Mapping[str, Entry[T]]) -> str:
    """Who counts or lists cells."""
    return _first([name for name, terms in _terms(table) if terms.take()])


def for_walls(listed: int, cells: int, table: Mapping[str, Entry[T]]) -> str:
    """Who compares so many cells, of which ``listed`` come in blocks of the native core."""
    names = [name for name, terms in _terms(table) if not terms.native or listed == cells > 0]
    return _first(names)


def for_proof(network: Staged, table: Mapping[str, Entry[T]]) -> list[str]:
    """Who searches for the proof of a network, the best first: one may find that it cannot."""
    method = "split" if native.why_not() is None else choose_method(network)
    return [
        name
        for name, terms in _terms(table)
        if terms.take()
        and method in terms.methods
        and (terms.dimensions is None or network.input_dim <= terms.dimensions)
    ]


def _terms(table: Mapping[str, Entry[T]]) -> list[tuple[str, Terms]]:
    return [(name, terms) for name, terms in TERMS.items() if name in table]


def _first(names: list[str]) -> str:
    if not names:
        raise Inconsistent("no core takes this work")
    return names[0]

"""Who does the work: every limit and threshold, and which core is chosen for what.

Three kinds of work have several implementations, *cores*, behind one protocol each:

- counting or listing the cells below a node (``cells.cores``),
- the walls between listed cells, and which of these may have the same map (``cells.wall_cores``),
- the proof below a node (``certificate.provers``).

Each protocol has a table of its cores by name, and a core is imported when it is chosen, never before: a small job pays
for none of them. All cores of a protocol give the same answer, order included; proofs are the same in what they prove,
not in their bytes. So the choice is one of speed, it is made here and nowhere else, and nobody else knows who did the
work.

A further core is an entry in the tables of the protocols that it knows, and its terms in ``TERMS``.

>>> from exactgeo.network import Network
>>> most_cells(Network.mlp([[[1, 0], [0, 1], [1, 1]], [[1, 1, 1]]]))
7
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import comb, prod
from typing import Generic, Literal, TypeVar

from exactgeo.errors import BadInput, Inconsistent
from exactgeo.network import Staged
from exactgeo.polyhedron.cone import Cone

__all__ = [
    "FEW_CELLS",
    "METHODS",
    "MOST_GENERATORS",
    "TERMS",
    "Entry",
    "Method",
    "Terms",
    "choose_method",
    "entry",
    "for_cells",
    "for_proof",
    "for_walls",
    "most_cells",
]

T = TypeVar("T")

Method = Literal["split", "search"]
METHODS: tuple[Method, ...] = ("split", "search")

MOST_GENERATORS = 300
"""Split keeps generators; a domain with more of them is left to search.

That is so from the cube in dimension 9 on. With six units split takes 0.13 s there in dimension 8, 4 s in dimension 9
and 14 s in dimension 10, search 0.7 s, 1.2 s and 1.2 s.
"""

FEW_CELLS = 1000
"""A network that cannot have more cells is done before the compiled kernel would be loaded."""


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms a core is chosen: the networks that it takes, and from how much work on loading it pays.

    It proves by these ``methods``. It takes so many input ``dimensions``, ``candidates`` of a selector, and
    ``entries``, numbers in the arrays of a network; None is no limit. It is loaded for more than ``cells`` cells, and
    to compare at least ``listed`` cells that come in arrays (``cells.listed``).
    """

    methods: tuple[Method, ...] = METHODS
    dimensions: int | None = None
    candidates: int | None = None
    entries: int | None = None
    cells: int = 0
    listed: int = 0

    def take(self, network: Staged) -> bool:
        """Whether the network keeps to the limits."""
        stages = network.stages
        if self.dimensions is not None and network.input_dim > self.dimensions:
            return False
        sizes = [len(selector.candidates) for stage in stages for selector in stage.selectors]
        if self.candidates is not None and max(sizes, default=0) > self.candidates:
            return False
        entries = [(stage.input_dim + 1) * len(stage.forms.rows) for stage in stages]
        entries += [(stage.input_dim + 1 + stage.mix.input_dim) * stage.output_dim for stage in stages[:-1]]
        return self.entries is None or len(stages) * max(entries) <= self.entries


TERMS: dict[str, Terms] = {
    "native": Terms(("split",), dimensions=5),
    # Loading takes about a second, that of what compares cells as much again.
    "compiled": Terms(("split",), dimensions=9, candidates=63, entries=4_000_000, cells=FEW_CELLS, listed=500),
    "python": Terms(),
}
"""The terms of each core, the best first: the first whose terms are met does the work."""


@dataclass(frozen=True, slots=True)
class Entry(Generic[T]):
    """A core in the table of its protocol: the module that has it, and what fetches it from there."""

    module: str
    fetch: Callable[[], T]

    @property
    def loaded(self) -> bool:
        """Whether the module is there already: then the core costs nothing more."""
        return self.module in sys.modules

    def load(self) -> T:
        try:
            return self.fetch()
        except RuntimeError as error:  # numba's, while it looks for its cache
            raise BadInput(f"set NUMBA_CACHE_DIR to a folder for compiled code that can be written: {error}") from None


def entry(table: Mapping[str, Entry[T]], name: str) -> Entry[T]:
    """The core of this name, where a caller wants a certain one."""
    if name not in table:
        raise BadInput(f"no core is called {name!r}; there are {', '.join(table)}")
    return table[name]


def choose_method(network: Staged) -> Method:
    """Split where the domain has few generators, else search."""
    return "search" if Cone.of(network.domain_rows, network.input_dim, MOST_GENERATORS) is None else "split"


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


def for_cells(network: Staged, table: Mapping[str, Entry[T]]) -> str:
    """Who counts or lists the cells of a network."""
    most = most_cells(network)
    return _first([name for name, terms in _terms(table) if most > terms.cells and terms.take(network)])


def for_walls(listed: int, table: Mapping[str, Entry[T]]) -> str:
    """Who compares cells, of which ``listed`` come in arrays."""
    return _first([name for name, terms in _terms(table) if listed >= terms.listed])


def for_proof(network: Staged, cells: int, table: Mapping[str, Entry[T]]) -> list[str]:
    """Who searches for the proof that a network has so many cells, the best first: one may find that it cannot.

    One that is loaded anyway does so however few they are.
    """
    method = choose_method(network)
    return [
        name
        for name, terms in _terms(table)
        if (cells > terms.cells or table[name].loaded) and method in terms.methods and terms.take(network)
    ]


def _terms(table: Mapping[str, Entry[T]]) -> list[tuple[str, Terms]]:
    return [(name, terms) for name, terms in TERMS.items() if name in table]


def _first(names: list[str]) -> str:
    if not names:
        raise Inconsistent("no core takes this work")
    return names[0]

"""The native core of exactgeo; exactgeo.native is its only importer."""

from collections.abc import Sequence


version: str = ...

def self_test() -> str | None:
    """
    What is wrong with the floating-point arithmetic of the calling thread; None where all is well.
    """

class Network:
    """
    A network and its domain as the core keeps them: exact, and in doubles. It does not change.
    """

    def __init__(self, dimension: int, rows: Sequence[Sequence[int]], stages: Sequence[tuple[Sequence[Sequence[int]], list[int], list[int], list[int], list[int], list[int]]], mapped: bool) -> None:
        """
        Rows (b, a) of the domain b + a.x >= 0. A stage is: the rows of its forms in the terms, the constant first; of each selector the number of candidates; of each candidate its score, a form, and the length of its value; the entries of all values, forms; and the bases, forms, the constant one last. If mapped, the last stage has no selectors, and its forms are the output.
        """

    @property
    def dimension(self) -> int:
        """Of the input."""

    @property
    def mapped(self) -> bool:
        """Whether the last stage is the output."""

    @property
    def depth(self) -> int:
        """How many stages have selectors."""

    def weights(self, stage: int) -> list[list[int]]:
        """The rows of a stage's forms as they were given, for tests."""

class Tally:
    """How many signs were decided by what."""

    @property
    def floats(self) -> int:
        """By floats, beyond their error."""

    @property
    def grids(self) -> int:
        """By floats that are exact, zeros included."""

    @property
    def exact(self) -> int:
        """By integers."""

    @property
    def refined(self) -> int:
        """Forms that were made again in pairs of doubles."""

    @property
    def exact_rays(self) -> int:
        """Rays that were made in integers."""

    @property
    def nodes(self) -> int:
        """Nodes of the tree."""

    @property
    def programs(self) -> int:
        """Linear programs."""

    @property
    def pivots(self) -> int:
        """Their pivots in floats."""

    @property
    def points(self) -> int:
        """Programs decided by a point of floats."""

    @property
    def multipliers(self) -> int:
        """By multipliers in floats, beyond their error."""

    @property
    def whole_multipliers(self) -> int:
        """By small integers as multipliers, exactly."""

    @property
    def exact_programs(self) -> int:
        """By integers."""

class Probe:
    """
    For tests: the levels of a network along one path, from the first to a current one.
    """

    def __init__(self, network: Network, unsure: float = ..., refine: bool = ..., no_grids: bool = ..., seed: int = ...) -> None: ...

    @property
    def level(self) -> int:
        """The current level."""

    def settle(self, winners: Sequence[int]) -> None:
        """Go to the next level, these classes being the winners."""

    def back(self) -> None:
        """Go back to the level before."""

    def classes(self) -> list[list[list[int]]]:
        """For each selector its classes, candidates by their positions."""

    def doubles(self) -> tuple[list[list[float]], list[float], float]:
        """The forms in doubles, the error of each, and the grid of all."""

    def pairs(self) -> tuple[list[list[float]], list[list[float]], list[float]]:
        """The forms in pairs of doubles: high parts, low parts, and errors."""

    def exact(self) -> list[list[int]]:
        """The forms in integers."""

    def shifts(self) -> list[int]:
        """For each form by which power of two its doubles are larger."""

    def gaps(self) -> tuple[list[list[float]], list[float], list[float]]:
        """For each selector the gap in doubles; their sizes; their errors."""

    def difference(self, a: int, b: int) -> tuple[list[float], float, float, float]:
        """Form a minus form b: in doubles, its size, error and grid."""

    def exact_difference(self, a: int, b: int) -> list[int]:
        """The same as a primitive row."""

    @property
    def tally(self) -> Tally:
        """How comparisons were decided so far."""

class Lemma:
    """For tests: the bounds of errors, as lemma.hpp has them."""

    @staticmethod
    def sign(n1: float, er: float, mx: float, e: float, width: int) -> float: ...

    @staticmethod
    def exact_on_grids(n1: float, row_grid: float, mx: float, ray_grid: float) -> bool: ...

    @staticmethod
    def term(er: float, most: float, terms: int) -> float: ...

    @staticmethod
    def difference(er_a: float, er_b: float, most: float) -> float: ...

    @staticmethod
    def mean(er_sum: float, most_sum: float, members: int) -> float: ...

    @staticmethod
    def combination(size: float, error: float, terms: int, width: int, most: float) -> float: ...

    @staticmethod
    def minor(e: float, most: float, n1: float, er: float, k: int) -> float: ...

    @staticmethod
    def pair_sum(terms: Sequence[tuple[float, float]]) -> tuple[float, float]:
        """The sum of products, as a pair of doubles."""

    @staticmethod
    def audit(network: Network, most: int) -> tuple[list[tuple[list[float], float, float, list[int]]], list[tuple[list[float], float, float, list[int]]]]:
        """
        Rows and rays of the cells of a network: in doubles, error, grid, and up to a positive factor exactly.
        """

def split(network: Network, limit: int = ..., listed: bool = ..., unsure: float = ..., refine: bool = ..., no_grids: bool = ..., programs: float = ..., perturbed: bool = ..., point_bits: int = ..., lies: float = ..., seed: int = ...) -> tuple[int, bytes, Tally]:
    """
    The number of cells by the tree on generators; if listed, their patterns, 16 bits for each selector; the tally.
    """

def split_on_rows(network: Network, limit: int = ..., listed: bool = ..., unsure: float = ..., refine: bool = ..., no_grids: bool = ..., programs: float = ..., perturbed: bool = ..., point_bits: int = ..., lies: float = ..., seed: int = ...) -> tuple[int, bytes, Tally]:
    """
    The number of cells by the tree on rows; if listed, their patterns, 16 bits for each selector; the tally.
    """

def search(network: Network, limit: int = ..., listed: bool = ..., unsure: float = ..., refine: bool = ..., no_grids: bool = ..., programs: float = ..., perturbed: bool = ..., point_bits: int = ..., lies: float = ..., seed: int = ...) -> tuple[int, bytes, Tally]:
    """The same by the adjacency graph."""

class CellsJob:
    """Cells that are counted or listed in a thread, which begins at once."""

    def __init__(self, network: Network, method: str, listed: bool = ..., rows: bool = ..., limit: int = ..., path: int = ..., workers: int = ..., limit_bytes: int | None = ..., eager: bool = ..., most_behind: int = ..., failing: int = ..., unsure: float = ..., refine: bool = ..., no_grids: bool = ..., programs: float = ..., perturbed: bool = ..., point_bits: int = ..., seed: int = ...) -> None:
        """
        By split (on generators), rows (split on rows), search, or flats (one stage with two candidates a selector, on all of the space, not listed). The first two may have several workers; order and bytes are those of one. It ends early once there are more cells than the limit, or more bytes in pools than theirs. For tests: eager workers give tasks away at every chance, and wait when so many bytes are behind what can be written; the task that is begun as the failing-th throws.
        """

    def wait(self, seconds: float) -> bool:
        """
        Wait so long, or until there is something to take: whether all is done.
        """

    def stop(self) -> None:
        """Have the work end soon."""

    @property
    def cells(self) -> int:
        """How many are proved so far."""

    @property
    def reason(self) -> str | None:
        """
        Why it has ended, or is about to end, before all was done: cells, memory or stopped; else None.
        """

    def take(self) -> tuple[bytes, bytes, bytes] | None:
        """
        The next listed cells, if there are any: patterns, 16 bits for each selector; for each cell where its rows begin, 64 bits; rows: level, selector, winner and loser, 32 bits each.
        """

    @property
    def tally(self) -> Tally:
        """How signs were decided; once all is done."""

class WallsJob:
    """
    Walls and regions of a network's cells, found in a thread that begins at once. Cells are numbered in the order of split.
    """

    def __init__(self, network: Network, all: bool = ..., limit: int = ..., unsure: float = ..., refine: bool = ..., no_grids: bool = ..., point_bits: int = ..., seed: int = ...) -> None:
        """
        All walls, or those that regions need. Regions are found where the network is mapped.
        """

    def wait(self, seconds: float) -> bool:
        """Wait so long: whether all is done."""

    def stop(self) -> None:
        """Have the work end soon."""

    @property
    def cells(self) -> int:
        """How many are proved so far."""

    @property
    def complete(self) -> bool:
        """Whether it was not stopped; once all is done, like all that follows."""

    @property
    def tally(self) -> Tally:
        """How signs were decided."""

    @property
    def regions(self) -> int:
        """How many maximal linear regions there are."""

    @property
    def affine_maps(self) -> int:
        """How many different maps there are."""

    @property
    def region_of(self) -> bytes:
        """Of each cell its region, 32 bits, numbered by first cells."""

    @property
    def map_of(self) -> bytes:
        """Of each cell the number of its map, 32 bits, by first cells."""

    @property
    def walls(self) -> bytes:
        """
        All walls by their ends, if asked for, 32 bits each: first and second cell; stage and selector, the winner in the first cell and whom it loses to beyond, candidates of the selector: the wall is where their scores are equal.
        """

class ShapesJob:
    """
    Vertices, facets and inner points of a network's cells, made in a thread.
    """

    def __init__(self, network: Network, exact: bool = ..., limit: int = ..., unsure: float = ..., refine: bool = ..., no_grids: bool = ..., point_bits: int = ..., seed: int = ...) -> None:
        """If exact, with the rays in integers."""

    def wait(self, seconds: float) -> bool:
        """Wait so long: whether all is done."""

    def stop(self) -> None:
        """Have the work end soon."""

    @property
    def cells(self) -> int:
        """How many are proved so far."""

    @property
    def complete(self) -> bool:
        """Whether it was not stopped; once all is done, like all that follows."""

    @property
    def tally(self) -> Tally:
        """How signs were decided."""

    @property
    def vertices(self) -> tuple[bytes, bytes, bytes, bytes]:
        """
        Of each cell, and at the end, where its vertices begin, 64 bits; their coordinates, or directions of rays at infinity, in doubles; a bound on the error of each vertex; which are at infinity.
        """

    @property
    def facets(self) -> tuple[bytes, bytes, bytes, bytes]:
        """
        Of each cell where its facets begin; of each facet level, selector, winner and loser, 32 bits each (level -1: row of the domain, -1 for that at infinity); where its vertices begin; their numbers within the cell.
        """

    @property
    def points(self) -> tuple[bytes, dict[int, list[int]]]:
        """
        Of each cell a point strictly inside, in doubles that are meant exactly; where these would not do, by cells, homogeneous integers.
        """

    @property
    def exact_rays(self) -> list[list[int]]:
        """All vertices and rays as homogeneous integers, if asked for."""

    @property
    def lines(self) -> tuple[bytes, list[list[int]]]:
        """Of each cell where its lines begin; the lines, in integers."""

class ProofJob:
    """A proof that is searched for in a thread, which begins at once."""

    def __init__(self, network: Network, domain: Sequence[int], rows: int, multipliers: bool = ..., listed: bool = ..., unsure: float = ..., refine: bool = ..., no_grids: bool = ..., seed: int = ...) -> None:
        """
        By the split on generators. Rows of the domain have these numbers in the certificate, which lists so many; to be listed, the output has to be one form.
        """

    def wait(self, seconds: float) -> bool:
        """
        Wait so long, or until there is something to take: whether all is done.
        """

    def stop(self) -> None:
        """Have the work end soon."""

    @property
    def cells(self) -> int:
        """How many are proved so far."""

    def take(self) -> tuple[bytes, int, int, bytes, bytes, bytes] | None:
        """
        The next block, if there is one: lines; how many records; leaves; if listed, their patterns, 16 bits for each selector; where their lines begin, 64 bits; if listed, for each a sketch and its error, doubles.
        """

    @property
    def longest(self) -> int:
        """Bytes of the longest line taken so far."""

    @property
    def digits(self) -> int:
        """Digits of the longest integer taken so far; 0 if it has few."""

    @property
    def tally(self) -> Tally:
        """How signs were decided; once all is done."""

class ManyJob:
    """Many networks that are counted in threads, which begin at once."""

    def __init__(self, shape: Network, arrays: list[tuple[object, int, bool]], products: list[tuple[int, int, int, object, object]], tables: list[object], count: int, limit: int = ..., workers: int = 1) -> None:
        """
        Networks with the domain and the selectors of a shape. An array is: numbers, contiguous, or two lists of numerators and denominators; how many of them a network has; whether each network has its own. A product is: rows, inner size, columns, and the slots of both matrices. A table has the slots of the weights of a stage.
        """

    def wait(self, seconds: float) -> bool:
        """Wait so long: whether all is done."""

    def stop(self) -> None:
        """Have the work end soon."""

    @property
    def done(self) -> int:
        """How many networks are counted so far."""

    @property
    def cells(self) -> bytes:
        """Of each network, 64 bits; once all is done."""

    @property
    def complete(self) -> bytes:
        """Whether these are all, 8 bits each; once all is done."""

    @property
    def tally(self) -> Tally:
        """How signs were decided; once all is done."""

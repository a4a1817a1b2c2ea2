"""Cells from their patterns: the one thing that whoever lists cells need keep of them.

A pattern determines the trail of its cell, stage by stage: the stage pulled back along the map of the winners before,
its classes, and those that win; and the trail determines all the rest. A cell here has its pattern, and everything else
is made on request, exactly, in Python. Stages pulled back are shared by all cells whose patterns begin alike.

>>> from exactgeo.network import Network
>>> tent = Network.mlp([[[1], [1]], [[2, -4]]], [[0, "-1/2"], [0]], domain={"box": [[0, 1]]})
>>> cell = Patterns(tent).cell([1, 1])
>>> cell.pattern, cell.interior_point, cell.map.rows
(((1, 1),), (Fraction(2, 3),), ((2, -2),))
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise

from exactgeo.cells.cell import Body, Cell, Pattern, Settled
from exactgeo.cells.choice import MOST_GENERATORS
from exactgeo.network import Staged
from exactgeo.network.stages import PulledStage, Stage, homogeneous_matrix
from exactgeo.partition.search import Facetted
from exactgeo.partition.selectors import difference
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Row

__all__ = ["Origin", "Patterned", "Patterns"]

MOST_PULLED = 1000
"""Stages pulled back that are kept for the next cells."""

Origin = Sequence[int]
"""Where a row is from: level, selector, winner and loser, classes by position; or -1 and which row of the domain."""


class Patterns:
    """Makes cells of one network. ``first`` tells for each stage where its selectors begin in a pattern."""

    def __init__(self, network: Staged) -> None:
        self.network = network
        self.first = tuple(accumulate([len(stage.selectors) for stage in network.stages], initial=0))
        self._pulled: dict[tuple[int, tuple[int, ...]], PulledStage] = {}

    def __getstate__(self) -> dict[str, object]:
        """Without what is made again on request."""
        return {**self.__dict__, "_pulled": {}}

    def cell(self, names: Sequence[int], origins: Sequence[Origin] | None = None) -> "Patterned":
        """The cell with this pattern, or a cell of the first stages. Classes are named by lowest members.

        ``origins``, where they are known, are those of some of its rows, with a row of every facet among them.
        """
        return Patterned(self, tuple(names), origins)

    def trail(self, names: tuple[int, ...]) -> tuple[Settled, ...]:
        """The stages of the cell with this pattern."""
        trail: list[Settled] = []
        for t, (begin, end) in enumerate(pairwise(self.first)):
            if end > len(names):
                break
            key = t, names[:begin]
            pulled = self._pulled.get(key)
            if pulled is None:
                identity = AffineMap.identity(self.network.input_dim)
                pulled = self.network.stages[t].pull_back(trail[-1].outer() if t else homogeneous_matrix(identity))
                if len(self._pulled) >= MOST_PULLED:
                    self._pulled.clear()
                self._pulled[key] = pulled
            won = tuple([at[name] for at, name in zip(pulled.positions, names[begin:end], strict=True)])
            trail.append(Settled(pulled, won))
        return tuple(trail)


class Patterned(Cell):
    """A cell of which the pattern is there, and the rest is made on request."""

    __slots__ = ("_names", "_origins", "_source")

    def __init__(self, source: Patterns, names: tuple[int, ...], origins: Sequence[Origin] | None) -> None:
        # Trail and body are not there yet: their slots stay empty until somebody asks.
        self.domain = source.network.domain_rows
        self._matrix = None
        self._source = source
        self._names = names
        self._origins = origins

    @property
    def names(self) -> tuple[int, ...]:
        """The pattern, one selector after the other."""
        return self._names

    @property
    def origins(self) -> Sequence[Origin] | None:
        """Where its rows are from, if that is known: those of all facets are among them."""
        return self._origins

    @property
    def pattern(self) -> Pattern:
        names = self.names
        return tuple([names[a:b] for a, b in pairwise(self._source.first) if b <= len(names)])

    @property
    def dimension(self) -> int:
        return self._source.network.input_dim

    @property
    def stages(self) -> tuple[Stage, ...]:
        return self._source.network.stages[: len(self.pattern)]

    def __reduce__(self) -> tuple[object, ...]:
        """As a cell like any other: it does not take what it comes from with it, and keeps nothing made for that."""
        trail = self._trail if hasattr(self, "_trail") else self._source.trail(self.names)
        body = self._body if hasattr(self, "_body") else self._made_body(trail)
        return Cell(self.domain, trail, body).__reduce__()

    @property
    def trail(self) -> tuple[Settled, ...]:
        if not hasattr(self, "_trail"):
            self._trail = self._source.trail(self.names)
        return self._trail

    @property
    def body(self) -> Body:
        if not hasattr(self, "_body"):
            self._body = self._made_body(self.trail)
        return self._body

    def _made_body(self, trail: tuple[Settled, ...]) -> Body:
        """The shape, by generators unless there are too many."""
        origins = self.origins
        rows = _all_rows(self.domain, trail) if origins is None else self._named_rows(origins, trail)
        cone = Cone.of(rows, self.dimension, MOST_GENERATORS)
        return Facetted.of(rows, self.dimension) if cone is None else cone

    def _named_rows(self, origins: Sequence[Origin], trail: tuple[Settled, ...]) -> tuple[Row, ...]:
        rows = []
        for level, g, winner, loser in origins:
            if level < 0:
                rows.append(self.domain[g])
            else:
                scores = trail[level].selectors[g].rows
                rows.append(difference(scores[winner], scores[loser]))
        return tuple(rows)


def _all_rows(domain: tuple[Row, ...], trail: tuple[Settled, ...]) -> tuple[Row, ...]:
    """All rows that define a cell, each once."""
    return tuple(dict.fromkeys([*domain, *[row for settled in trail for row in settled.rows()]]))

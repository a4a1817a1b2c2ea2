"""The polyhedron of a node, by generators that carry the values of the forms that still matter.

As in ``polyhedron.cone`` a polyhedron is kept as the cone over it, by rows, extreme rays with their tight rows, and
lines. Here a generator is a longer vector: its d + 1 coordinates, and then the value of each of some forms at it.
Values are linear, so every step of the double description method that combines two generators gives the values at the
new one as well, and no form is ever evaluated twice. A form's values are a *column*.

The rows are numbered as certificates do; row 0, the constant 1, has the number -1.

>>> square = NodePiece.of(Cone.of([(0, 1, 0), (1, -1, 0), (0, 0, 1), (1, 0, -1)], 2), (-1, 0, 1, 2, 3))
>>> x, half = [ray[1] for ray in square.rays], [2 * ray[1] - ray[0] for ray in square.rays]
>>> square = square.with_columns([*zip(*square.rays), x], [[], [], [], []])
>>> right, left = square.split(half, [], ((-1, 2, 0), 5), ((1, -2, 0), 4))
>>> sorted(left.rays), left.numbers
([(1, 0, 0, 0), (1, 0, 1, 0), (2, 1, 0, 1), (2, 1, 2, 1)], (-1, 0, 1, 2, 3, 4))
"""

from collections.abc import Iterable, Sequence
from math import gcd

from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.rows import Row, negated

__all__ = ["NodePiece", "Numbered"]

Numbered = tuple[Row, int]
"""A row and its number."""


class NodePiece:
    """Values: no method changes its piece. Invariants as those of ``Cone``, of the coordinates of the generators."""

    __slots__ = ("lines", "numbers", "rays", "rows", "tight")

    def __init__(
        self,
        rows: tuple[Row, ...],
        numbers: tuple[int, ...],
        rays: list[Row],
        tight: list[int],
        lines: list[Row],
    ) -> None:
        self.rows = rows
        self.numbers = numbers
        self.rays = rays
        self.tight = tight
        self.lines = lines

    @staticmethod
    def of(cone: Cone, numbers: tuple[int, ...]) -> "NodePiece":
        """The polyhedron of a cone, without values."""
        return NodePiece(cone.rows, numbers, cone.rays, cone.tight, list(cone.lines))

    @property
    def width(self) -> int:
        """The number of coordinates of a generator."""
        return len(self.rows[0])

    def cone(self) -> Cone:
        """The cone, without values."""
        bare = self.bare()
        return Cone(self.rows, bare.rays, self.tight, [0] * len(self.rays), tuple(bare.lines))

    def bare(self) -> "NodePiece":
        """The same polyhedron without values."""
        width = self.width
        if len(self.rays[0]) == width:
            return self
        rays, lines = [ray[:width] for ray in self.rays], [line[:width] for line in self.lines]
        return NodePiece(self.rows, self.numbers, rays, self.tight, lines)

    def with_columns(self, rays: Iterable[Sequence[int]], lines: Iterable[Sequence[int]]) -> "NodePiece":
        """The same polyhedron, its generators given by columns, one for each coordinate and form."""
        return NodePiece(
            self.rows, self.numbers, list(zip(*rays, strict=True)), self.tight, list(zip(*lines, strict=True))
        )

    def trimmed(self, most: int | None = None) -> "NodePiece":
        """The same polyhedron, without rows that vanish on no ray once there are many of these, or ``most`` rows."""
        supporting = 1
        for rows in self.tight:
            supporting |= rows
        if len(self.rows) <= (2 * supporting.bit_count() + 4 if most is None else most):
            return self
        kept = [k for k in range(len(self.rows)) if supporting >> k & 1]
        tight = [sum([(rows >> k & 1) << position for position, k in enumerate(kept)]) for rows in self.tight]
        numbers = tuple([self.numbers[k] for k in kept])
        return NodePiece(tuple([self.rows[k] for k in kept]), numbers, self.rays, tight, self.lines)

    def split(
        self, values: Sequence[int], along: Sequence[int], above: Numbered | None, below: Numbered | None
    ) -> "tuple[NodePiece | None, NodePiece | None]":
        """The parts where a form is nonnegative and where it is nonpositive, each None where it has no interior.

        ``values`` are those of the form at the rays, ``along`` those at the lines, up to one positive factor. ``above``
        and ``below`` are the rows of the parts; a part without a row is not wanted, and None.
        """
        for place, slope in enumerate(along):
            if slope:
                return self._across(values, along, place, above, below)
        if min(values) >= 0:
            return self if above else None, None
        if max(values) <= 0:
            return None, self if below else None
        crossings, edges = self._crossings(values)
        bit = 1 << len(self.rows)
        edges = [rows | bit for rows in edges]
        upper = lower = None
        if above:
            kept = [(ray, rows if x else rows | bit) for ray, rows, x in self._with(values) if x >= 0]
            upper = self._part(above, kept, crossings, edges)
        if below:
            kept = [(ray, rows if x else rows | bit) for ray, rows, x in self._with(values) if x <= 0]
            lower = self._part(below, kept, crossings, edges)
        return upper, lower

    def _with(self, values: Sequence[int]) -> "zip[tuple[Row, int, int]]":
        return zip(self.rays, self.tight, values, strict=True)

    def _part(self, face: Numbered, kept: list[tuple[Row, int]], rays: list[Row], tight: list[int]) -> "NodePiece":
        rays, tight = [*[ray for ray, _ in kept], *rays], [*[rows for _, rows in kept], *tight]
        return NodePiece((*self.rows, face[0]), (*self.numbers, face[1]), rays, tight, self.lines)

    def _crossings(self, values: Sequence[int]) -> tuple[list[Row], list[int]]:
        """The rays where edges cross the hyperplane on which the values vanish, and the rows tight on these edges."""
        rays, tight, width = self.rays, self.tight, self.width
        # An edge of the pointed part, of dimension D = d + 1 - lines, is tight on at least D - 2 rows. A ray with just
        # D - 1 tight rows has them independent, and D - 2 of them define an edge. Otherwise two rays are adjacent just
        # if no third is tight wherever both are.
        least = width - len(self.lines) - 2
        negative = [(rows, values[j], rays[j]) for j, rows in enumerate(tight) if values[j] < 0]
        found: list[Row] = []
        edges: list[int] = []
        for i, value in enumerate(values):
            if value <= 0:
                continue
            own, ray = tight[i], rays[i]
            simple = own.bit_count() == least + 1
            for rows, other, end in negative:
                common = own & rows
                if common.bit_count() < least:
                    continue
                if not simple and rows.bit_count() != least + 1 and [t & common for t in tight].count(common) > 2:
                    continue
                crossing = [value * y - other * x for x, y in zip(ray, end, strict=True)]
                divisor = gcd(*crossing[:width])
                found.append(tuple([x // divisor for x in crossing]) if divisor > 1 else tuple(crossing))
                edges.append(common)
        return found, edges

    def _across(
        self, values: Sequence[int], along: Sequence[int], place: int, above: Numbered | None, below: Numbered | None
    ) -> "tuple[NodePiece | None, NodePiece | None]":
        """Both parts where the form is not constant on a line: every generator slides along it to the hyperplane."""
        line, slope = self.lines[place], along[place]
        if slope < 0:
            slope, line = -slope, negated(line)
        width = self.width

        def slide(vector: Row, value: int) -> Row:
            moved = [slope * x - value * y for x, y in zip(vector, line, strict=True)]
            divisor = gcd(*moved[:width])
            return tuple([x // divisor for x in moved])

        bit = 1 << len(self.rows)
        rays = [slide(ray, value) for ray, value in zip(self.rays, values, strict=True)]
        tight = [rows | bit for rows in self.tight]
        others = [slide(other, along[k]) for k, other in enumerate(self.lines) if k != place]
        parts: list[NodePiece | None] = []
        for face, end in ((above, line), (below, negated(line))):
            parts.append(None)
            if face:
                rows, numbers = (*self.rows, face[0]), (*self.numbers, face[1])
                parts[-1] = NodePiece(rows, numbers, [*rays, end], [*tight, bit - 1], others)
        return parts[0], parts[1]

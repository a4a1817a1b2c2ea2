"""Templates and references to them: cells counted without being listed (FORMAT.md, section 6).

Part in the soundness theorem: *Templates, Uniform trees*. A template is a tree on the open set G = {g > 0} of R^k,
which psi: R^k -> R^m takes to the space that stage s reads. Let a node with the map f before stage s refer to it,
sigma being the coordinates of f at the pivots. If f = psi o sigma with sigma onto, what the stages from s on do at a
point x of the node is what they do at sigma(x) in the template, classes and ties included. If also sigma(x) is always
in G (`forward`), every cell of the node is the part in it of sigma^-1 of a cell of the template; different ones have
different patterns. And each part is nonempty: either points of the node lie over all anchors, of which every cell of
the template contains a convex combination (R); or the node is all of sigma^-1(G) (Q, `backward`).
"""

from dataclasses import dataclass, field, replace
from math import gcd
from operator import lt, mul
from typing import Any

from ..core.limits import Meter, demand
from ..core.maps import Map, reduced
from ..core.reading import grammar
from ..core.rows import Row, ascending, kernel
from ..core.stage import Model
from ..core.tree import Space, Tree, image, strictly_inside
from ..core.verdict import Rejected, show
from .implied import implied

__all__ = ["MIXED", "RECORDS", "Referring", "Templates"]

RECORDS = grammar(T="I,LIST,LISTS,LISTS,LISTS", R="I,EVIDENCE,LISTS", Q="I,EVIDENCE,EVIDENCE")

NOTHING, MIXED = -1, -2  # `Referring.end` of a tree without cells, and of one that is not uniform

Evidence = list[Any]  # [k, ...] or [[k, ...], [l, ...]]: the grammar has fixed its shape


@dataclass(frozen=True)
class Chart(Space):
    """Where a template lives. With anchors (as lists, [q, p]) a point is given by its convex coordinates."""

    anchors: list[list[int]] = field(default_factory=list)

    def point(self, given: list[int]) -> list[int]:
        if not self.anchors:
            return super().point(given)
        if len(given) != len(self.anchors) or min(given) < 0 or not any(given):
            raise Rejected("point", "", f"convex coordinates {show(given)} for {len(self.anchors)} anchors")
        return [sum(map(mul, given, column)) for column in zip(*self.anchors, strict=True)]


class Referring(Tree):
    """A tree that may refer to templates. `number` is its own among them; so far it is uniform with the `end`."""

    def __init__(self, model: Model, space: Space, number: int = MIXED) -> None:
        super().__init__(model, space)
        self.number, self.end = number, NOTHING

    def listed(self) -> None:
        """A leaf was found: at the end it is all of a template, or else the tree is not uniform."""
        self._uniform(self.number if self.space.first == len(self.model.stages) else MIXED)

    def refer(self, cells: int, end: int) -> None:
        """Close the current node, which has the cells of a template that is uniform with this end."""
        self.count(cells)
        self._uniform(end)

    def _uniform(self, end: int) -> None:
        if self.end == NOTHING:
            self.end = end
        elif end not in (self.end, NOTHING):
            self.end = MIXED

    def at_stage(self, s: int) -> Map:
        """The map before stage s, the node being where that stage begins."""
        self.begin(s)
        if self.unsettled or self.stage() != s:
            raise Rejected("reference-stage", "", f"stage {s} at a node in stage {self.stage() - 1}")
        return self.composed()


@dataclass(frozen=True)
class Template:
    """`solved` has (j, q, (b, a)) for each coordinate j that is no pivot; `cells` and `end` are those of the tree."""

    space: Chart
    pivots: list[int]
    solved: list[tuple[int, int, Row]]
    cells: int = 0
    end: int = MIXED


def _template(model: Model, s: int, pivots: list[int], solved: list[Row], rows: list[Row], anchors: Any) -> Template:
    """["T",s,pivots,solved,rows,anchors]"""
    if not 0 <= s <= len(model.stages):
        raise Rejected("template-stage", "", show(s))
    m, k = model.reads[s], len(pivots)
    if not pivots or pivots[0] < 0 or pivots[-1] >= m or not all(map(lt, pivots, pivots[1:])) or len(solved) != m - k:
        raise Rejected("template-chart", "", f"pivots {show(pivots)}, {len(solved)} solved, of {m} coordinates")
    known = {*pivots}
    others = [j for j in range(m) if j not in known]
    for line in solved:
        if len(line) != k + 2 or line[0] <= 0 or gcd(*line) != 1:
            raise Rejected("template-chart", "", f"solved {show(line)}")
    for row in rows:
        if len(row) != k + 1 or gcd(*row) != 1:
            raise Rejected("template-row", "", show(row))
    for point in anchors:
        if len(point) != k + 1 or point[0] <= 0:
            raise Rejected("point", "", f"anchor {show(point)}")
    chart = [(j, line[0], tuple(line[1:])) for j, line in zip(others, solved, strict=True)]
    return Template(Chart(s, _psi(m, pivots, chart), [tuple(row) for row in rows], True, anchors), pivots, chart)


def _psi(m: int, pivots: list[int], solved: list[tuple[int, int, Row]]) -> Map:
    """The chart as a map: coordinate j is (b + a.u)/q, a pivot its own u."""
    entries, den = m * (len(pivots) + 1), 1
    demand("CHART", entries)
    for _, q, _ in solved:
        den *= q // gcd(den, q)
        demand("CHART_BITS", entries * den.bit_length())
    columns = [[0] * m for _ in range(len(pivots) + 1)]
    for i, pivot in enumerate(pivots, start=1):
        columns[i][pivot] = den
    for j, q, row in solved:
        for column, value in zip(columns, row, strict=True):
            column[j] = value * (den // q)
    return reduced(den, columns)


def _evidence(entry: Evidence) -> tuple[list[int], list[int] | None]:
    """Numbers of rows, and multipliers if given."""
    numbers, given = entry if entry and isinstance(entry[0], list) else (entry, None)
    if given is not None and not numbers:
        raise Rejected("cited-none", "", "multipliers without a row")
    ascending(numbers)
    return numbers, given


class _Pulled:
    """What a template looks like from a node: sigma, and the rows g o sigma."""

    def __init__(self, template: Template, f: Map) -> None:
        den, columns = f
        sigma = [[column[pivot] for pivot in template.pivots] for column in columns]  # times den, by columns
        for j, q, row in template.solved:
            if [q * column[j] for column in columns] != _compose(row, den, sigma):
                raise Rejected("reference-chart", "", f"coordinate {j}")
        if kernel(list(zip(*sigma[1:], strict=True))) != []:
            raise Rejected("reference-rank", "", f"less than {len(template.pivots)}")
        self.sigma: Map = den, sigma
        self.rows = [tuple(_compose(row, den, sigma)) for row in template.space.rows]


def _as_many(entries: list[Any], count: int) -> None:
    if len(entries) != count:
        raise Rejected("reference-size", "", f"{len(entries)} entries, not {count}")


def _compose(row: Row, den: int, sigma: list[list[int]]) -> list[int]:
    """The row of R^k after sigma, times den."""
    constant, *normal = row
    composed = [sum(map(mul, normal, column)) for column in sigma]
    composed[0] += constant * den
    return composed


class Templates:
    """The templates whose trees are done, and the one before its end."""

    def __init__(self, model: Model, meter: Meter) -> None:
        self._model, self._meter = model, meter
        self._done: list[Template] = []
        self._open: Template | None = None

    def begin(self, line: str, fields: list[Any]) -> Referring:
        """["T",...]: the tree of the next template."""
        self._meter.spend("TEMPLATES", 1)
        self._meter.spend("TEMPLATE_INTEGERS", line.count(","))
        self._meter.spend("TEMPLATE_BYTES", len(line))
        self._open = _template(self._model, *fields)
        return Referring(self._model, self._open.space, len(self._done))

    def finish(self, tree: Referring) -> None:
        """The tree of the last template begun is done."""
        self._meter.spend("TEMPLATE_BITS", tree.cells.bit_length())
        if self._open is not None:
            space = replace(self._open.space, map=(1, []))  # no longer needed
            self._done.append(replace(self._open, space=space, cells=tree.cells, end=tree.end))
            self._open = None

    def _referred(self, tree: Referring, number: int, forward: list[Evidence]) -> tuple[Template, _Pulled]:
        """(i) and (ii): the template, as it looks from the current node."""
        if not 0 <= number < len(self._done):
            raise Rejected("reference-template", "", show(number))
        template = self._done[number]
        pulled = _Pulled(template, tree.at_stage(template.space.first))
        _as_many(forward, len(pulled.rows))
        for form, entry in zip(pulled.rows, forward, strict=True):
            numbers, given = _evidence(entry)
            implied(form, tree.cited(numbers), given)
        return template, pulled

    def points(self, tree: Referring, number: int, forward: list[Evidence], points: list[list[int]]) -> None:
        """["R",t,forward,points]"""
        template, pulled = self._referred(tree, number, forward)
        anchors = template.space.anchors
        if not anchors:
            raise Rejected("reference-kind", "", "R to a template without anchors")
        _as_many(points, len(anchors))
        rows = tree.citable()
        for given, anchor in zip(points, anchors, strict=True):
            point = tree.space.point(given)
            strictly_inside(rows, point)
            over = image(pulled.sigma, point)
            if [over[0] * value for value in anchor] != [anchor[0] * value for value in over]:
                raise Rejected("reference-anchor", "", f"{show(over)}, not {show(anchor)}")
        tree.refer(template.cells, MIXED)

    def exact(self, tree: Referring, number: int, forward: list[Evidence], backward: list[Evidence]) -> None:
        """["Q",t,forward,backward]"""
        template, pulled = self._referred(tree, number, forward)
        if isinstance(tree.space, Chart) and tree.space.anchors:
            raise Rejected("reference-kind", "", "Q in a template with anchors")
        rows = tree.citable()
        _as_many(backward, len(rows))
        for row, entry in zip(rows, backward, strict=True):
            numbers, given = _evidence(entry)
            if numbers and numbers[-1] >= len(pulled.rows):
                raise Rejected("not-citable", "", f"row {show(numbers[-1])} of {len(pulled.rows)}")
            implied(row, [pulled.rows[k] for k in numbers], given)
        tree.refer(template.cells, template.end)

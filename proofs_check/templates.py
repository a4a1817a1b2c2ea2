"""Templates and references to them: cells counted without being listed (FORMAT.md, section 6).

Part in the soundness theorem: *Templates, Uniform trees*. A template is a tree on the open set G = {g > 0} of R^k,
which psi: R^k -> R^m takes to the space that stage s reads. Let a node with the map f before stage s refer to it,
sigma being the coordinates of f at the pivots. If f = psi o sigma with sigma onto, what the stages from s on do at a
point x of the node is what they do at sigma(x) in the template, classes and ties included. If also sigma(x) is always
in G (`forward`), every cell of the node is the part in it of sigma^-1 of a cell of the template; different ones have
different patterns. And each part is nonempty: either points of the node lie over all anchors, of which every cell of
the template contains a convex combination (R); or the node is all of sigma^-1(G) (Q, `backward`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import gcd
from operator import lt, mul
from typing import Any

from .farkas import implied
from .maps import Map, reduced
from .rows import Row, ascending, kernel, values
from .stages import Model
from .tree import MIXED, Space, Tree, strictly_inside
from .verdict import Rejected, Unreadable, show

__all__ = ["Template", "Templates"]

# Tighter than FORMAT.md asks for: templates, integers and characters of their T records, bits of their cells' numbers,
TEMPLATES = 10_000
INTEGERS = 400_000
CHARACTERS = 10_000_000
BITS = 100_000_000
ENTRIES = 250_000  # entries of a chart,
CHART_BITS = 100_000_000  # and these times the bits of their denominator

Evidence = list[Any]  # [k, ...] or [[k, ...], [l, ...]]: the grammar has fixed its shape


@dataclass(frozen=True)
class Template:
    """`solved` has (j, q, (b, a)) for each coordinate j that is no pivot; `cells` and `end` are those of the tree."""

    space: Space
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
    return Template(Space(s, _psi(m, pivots, chart), [tuple(row) for row in rows], anchors, True), pivots, chart)


def _psi(m: int, pivots: list[int], solved: list[tuple[int, int, Row]]) -> Map:
    """The chart as a map: coordinate j is (b + a.u)/q, a pivot its own u."""
    entries, den = m * (len(pivots) + 1), 1
    for q in [1, *[q for _, q, _ in solved]]:
        den *= q // gcd(den, q)
        if entries > ENTRIES or entries * den.bit_length() > CHART_BITS:
            raise Unreadable("limit-templates", "", f"a chart of {len(pivots)} in {m} dimensions")
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
        self.den, self.sigma = den, sigma
        self.rows = [tuple(_compose(row, den, sigma)) for row in template.space.rows]

    def image(self, point: list[int]) -> list[int]:
        """sigma of the point, as a list [q, p]."""
        return [self.den * point[0], *values(zip(*self.sigma, strict=True), point)]


def _demand(entries: list[Any], count: int) -> None:
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

    def __init__(self, model: Model) -> None:
        self._model = model
        self._done: list[Template] = []
        self._open: Template | None = None
        self._integers = self._characters = self._bits = 0

    def begin(self, line: str, fields: list[Any]) -> tuple[Space, int]:
        """["T",...]: where the tree of the next template lives, and its number."""
        self._characters += len(line)
        self._integers += line.count(",")
        if len(self._done) >= TEMPLATES or self._integers > INTEGERS or self._characters > CHARACTERS:
            raise Unreadable("limit-templates", "", f"{len(self._done)} templates with {self._integers} integers")
        self._open = _template(self._model, *fields)
        return self._open.space, len(self._done)

    def finish(self, tree: Tree) -> None:
        """The tree of the last template begun is done."""
        self._bits += tree.cells.bit_length()
        if self._bits > BITS:
            raise Unreadable("limit-templates", "", f"numbers of cells with {self._bits} bits")
        if self._open is not None:
            space = replace(self._open.space, map=(1, []))  # no longer needed
            self._done.append(replace(self._open, space=space, cells=tree.cells, end=tree.end))
            self._open = None

    def _referred(self, tree: Tree, number: int, forward: list[Evidence]) -> tuple[Template, _Pulled]:
        """(i) and (ii): the template, as it looks from the current node."""
        if not 0 <= number < len(self._done):
            raise Rejected("reference-template", "", show(number))
        template = self._done[number]
        pulled = _Pulled(template, tree.at_stage(template.space.first))
        _demand(forward, len(pulled.rows))
        for form, entry in zip(pulled.rows, forward, strict=True):
            numbers, given = _evidence(entry)
            implied(form, tree.cited(numbers), given)
        return template, pulled

    def points(self, tree: Tree, number: int, forward: list[Evidence], points: list[list[int]]) -> None:
        """["R",t,forward,points]"""
        template, pulled = self._referred(tree, number, forward)
        anchors = template.space.anchors
        if not anchors:
            raise Rejected("reference-kind", "", "R to a template without anchors")
        _demand(points, len(anchors))
        rows = tree.citable()
        for given, anchor in zip(points, anchors, strict=True):
            point = tree.space.point(given)
            strictly_inside(rows, point)
            image = pulled.image(point)
            if [image[0] * value for value in anchor] != [anchor[0] * value for value in image]:
                raise Rejected("reference-anchor", "", f"{show(image)}, not {show(anchor)}")
        tree.count(template.cells, MIXED)

    def exact(self, tree: Tree, number: int, forward: list[Evidence], backward: list[Evidence]) -> None:
        """["Q",t,forward,backward]"""
        template, pulled = self._referred(tree, number, forward)
        if tree.space.anchors:
            raise Rejected("reference-kind", "", "Q in a template with anchors")
        rows = tree.citable()
        _demand(backward, len(rows))
        for row, entry in zip(rows, backward, strict=True):
            numbers, given = _evidence(entry)
            if numbers and numbers[-1] >= len(pulled.rows):
                raise Rejected("not-citable", "", f"row {show(numbers[-1])} of {len(pulled.rows)}")
            implied(row, [pulled.rows[k] for k in numbers], given)
        tree.count(template.cells, template.end)

"""Certificates of counts by states: templates and references (FORMAT.md, section 6).

Every state is a template: its chart, its facets, and the tree of one stage in it, at whose leaves the node is closed by
a reference to the template of its image. References go backwards, so templates are written from the last stage to the
first, and all that is left for the main tree is a reference to the template of the domain's image. Size and checking
time grow with the states, not with the cells.

A child that contains all that is sent into its image refers *exactly* (Q). Where every child does, and the last stage
has one image, that image's template, with s = S, ends the chain: then regions and affine maps are proved as well. Where
a child does not, because its map forgets more than lines, its reference carries points (R) over the anchors of the
template, and so do all references below it. Anchors are chosen from the last stage upwards, for their hull has to
contain the points of all leaves and references of the template. A child whose image is a point, which no template can
be, is refined where it stands: there scores are constants.

The trees come from ``tree.prove``, on the network of what is left with the template's rows as its domain; only the
numbers of rows are changed. Their leaves must be the children that the count has found.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike

from exactgeo.cells.cell import map_of
from exactgeo.cells.images import Image, Sent
from exactgeo.cells.states import Child, Counting, numbered
from exactgeo.certificate.anchors import Anchors
from exactgeo.certificate.certificate import Counts, framed, write_lines
from exactgeo.certificate.farkas import Evidence
from exactgeo.certificate.limits import check_certifiable, spelled
from exactgeo.certificate.records import Leaf, Record
from exactgeo.certificate.references import Numbered, implied
from exactgeo.errors import BadInput, Inconsistent
from exactgeo.network import Staged
from exactgeo.partition.selectors import difference
from exactgeo.rational.rows import Row

__all__ = ["MOST_TEMPLATES", "proves_regions", "shared_records", "write_shared_certificate"]

MOST_TEMPLATES = 10_000
"""Templates that the checker accepts (FORMAT.md, section 9)."""


def proves_regions(counting: Counting) -> bool:
    """Whether the certificate of a count that has kept its children can prove that all cells have different maps."""
    if counting.domain is None or not counting.domain.exact or len(counting.ends) != 1:
        return False
    levels = counting.children
    return all(child.image.dimension and child.exact for level in levels for each in level.values() for child in each)


def write_shared_certificate(
    counting: Counting,
    path: str | PathLike[str],
    regions: bool,
    multipliers: bool = False,
    look: Callable[[], None] | None = None,
) -> Counts:
    """Write the certificate of a count by states that has kept its children; what it claims.

    With ``regions``, those are claimed too, where they can be proved. The file appears when it is complete. ``look`` is
    called before each record: it may raise.
    """
    check_certifiable(counting.network)
    claim = counting.cells if regions and proves_regions(counting) else None
    counts = Counts(counting.cells, claim, claim)
    records = shared_records(counting, counts, multipliers)
    write_lines(path, framed(counting.network, counts, records if look is None else _looked(records, look)))
    return counts


def _looked(records: Iterator[Record], look: Callable[[], None]) -> Iterator[Record]:
    for record in records:
        look()
        yield record


def shared_records(counting: Counting, counts: Counts, multipliers: bool = False) -> Iterator[Record]:
    """The records between header and last line."""
    writer = _Writer(counting, counts.regions is not None, spelled(counting.network, multipliers))
    yield from writer.run()
    if writer.total != counts.cells:
        raise Inconsistent(f"the engine counts {counts.cells} cells by states, their certificate {writer.total}")


@dataclass(frozen=True, slots=True)
class _Closing:
    """A node where a stage is settled: the child, and a point in it."""

    child: Child
    point: Row


@dataclass(frozen=True, slots=True)
class _Pending:
    """A record whose points wait for the anchors they are to be written in; they are its last entry, or all others."""

    record: Record
    points: list[Row]
    leaf: bool

    def written(self, spell: Callable[[Row], Sequence[int]]) -> Record:
        spelled = [list(spell(point)) for point in self.points]
        return [*self.record, *spelled[0]] if self.leaf else [*self.record, spelled]


class _Writer:
    """Templates by (stage, image): their numbers, cells and anchors. ``total`` is the number of cells at the end."""

    def __init__(self, counting: Counting, ends: bool, multipliers: bool) -> None:
        if counting.domain is None or not counting.done or not counting.keep:
            raise BadInput("a certificate needs a count by states that is done and has kept the children of its states")
        self.network = counting.network
        self.domain: Sent = counting.domain
        self.stages = counting.stages
        self.children = counting.children
        self.end = next(iter(counting.ends)) if ends else None
        self.multipliers = multipliers
        self.total = 0
        self._equal = numbered(self.stages)
        self._first = [0]  # the number of each stage's first candidate, counted through
        for stage in self.stages:
            self._first.append(self._first[-1] + sum(len(selector.candidates) for selector in stage.selectors))
        self._anchored = self._states_with_anchors()
        self._anchors: dict[tuple[int, Image], Anchors] = {}
        self._numbers: dict[tuple[int, Image], int] = {}
        self._cells: dict[tuple[int, Image], int] = {}
        self._trees: dict[tuple[int, Image], list[Record | _Closing]] = {}
        self._evidence: dict[int, _References] = {}  # by the identity of children, which equal stages share

    def run(self) -> Iterator[Record]:
        if not self.domain.image.dimension or not self.stages:
            for item in _proved(self.network, self.multipliers):
                if isinstance(item, Leaf):
                    self.total += 1
                else:
                    yield item
            return
        if sum(map(len, self.children)) + (self.end is not None) > MOST_TEMPLATES:
            raise BadInput(f"a certificate holds at most {MOST_TEMPLATES} states")
        if self.end is not None:
            yield from self._end(self.end)
        for place in reversed(range(len(self.stages))):
            for image in self.children[place]:
                yield from self._template(place, image)
        rows = [(row, number) for number, row in enumerate(self.network.listed_rows)]
        start = (0, self.domain.image)
        reference = self._reference(_References(self.domain, rows), lambda number: number, start, self.domain.exact)
        yield reference.written(lambda point: point) if isinstance(reference, _Pending) else reference
        self.total = self._cells[start]

    def _states_with_anchors(self) -> list[set[Image]]:
        """For each stage the images that some reference reaches with points: below one, all do."""
        found: list[set[Image]] = [set() for _ in range(len(self.stages) + 1)]
        if not self.domain.exact:
            found[0].add(self.domain.image)
        for place, level in enumerate(self.children):
            for image, children in level.items():
                inherited = image in found[place]
                found[place + 1].update(child.image for child in children if inherited or not child.exact)
        return found

    # -- templates -----------------------------------------------------------------------------------------------------

    def _begin(self, place: int, image: Image, cells: int, anchors: Sequence[Row]) -> Record:
        """The T record, which gives the template its number."""
        self._numbers[place, image] = len(self._numbers)
        self._cells[place, image] = cells
        chart = image.chart
        lists = ([list(row) for row in rows] for rows in (chart.solved, image.rows, anchors))
        return ["T", place, list(chart.pivots), *lists]

    def _end(self, image: Image) -> Iterator[Record]:
        yield self._begin(len(self.stages), image, 1, ())
        yield ["L", *image.cone.interior()]

    def _template(self, place: int, image: Image) -> Iterator[Record]:
        rename = self._rename(place, image)
        entries: list[Record | _Pending] = []
        cells = 0
        for item in self._tree(place, image):
            if isinstance(item, list):
                entries.append(_renumbered(item, rename))
            else:
                for entry, amount in self._closed(place, image, item):
                    entries.append(entry)
                    cells += amount
        spell: Callable[[Row], Sequence[int]] = lambda point: point  # noqa: E731
        points: tuple[Row, ...] = ()
        if image in self._anchored[place]:
            wanted = [point for entry in entries if isinstance(entry, _Pending) for point in entry.points]
            anchors = self._anchors[place, image] = Anchors.around(image.cone, wanted)
            points, spell = anchors.points, anchors.coordinates
        yield self._begin(place, image, cells, points)
        for entry in entries:
            yield entry.written(spell) if isinstance(entry, _Pending) else entry

    def _closed(self, place: int, image: Image, closing: _Closing) -> Iterator[tuple[Record | _Pending, int]]:
        """How a node with a settled stage is closed, each record with the cells that it stands for."""
        child = closing.child
        last = place == len(self.stages) - 1
        if last and self.end is None:
            yield _Pending(["L"], [closing.point], leaf=True), 1
        elif not child.image.dimension:
            yield from self._on_the_spot(place, image, closing)
        else:
            evidence = self._evidence.get(id(child))
            if evidence is None:
                evidence = self._evidence[id(child)] = _References(child, self._citable(place, image, child))
            exact = child.exact and image not in self._anchored[place]
            target = (place + 1, child.image)
            yield self._reference(evidence, self._rename(place, image), target, exact), self._cells[target]

    def _on_the_spot(self, place: int, image: Image, closing: _Closing) -> Iterator[tuple[Record | _Pending, int]]:
        """All later stages of a child whose image is a point, where it stands."""
        child = closing.child
        if place == len(self.stages) - 1:
            yield _Pending(["L"], [closing.point], leaf=True), 1
            return
        known = dict(reversed(self._citable(place, image, child)))
        rename = self._rename(place, image)
        rows = child.cone.trimmed().rows[1:]
        names = [rename(known[row]) for row in rows]
        shift = len(image.rows) + self._first[place + 1] - len(rows)
        for item in _proved(Staged.after(map_of(child.matrix), rows, self.stages[place + 1 :]), self.multipliers):
            if isinstance(item, Leaf):
                yield _Pending(["L"], [item.point], leaf=True), 1
            elif item[0] != "L":
                renamed = _renumbered(item, lambda number: names[number] if number < len(rows) else number + shift)
                yield renamed, 0

    # -- one template's tree -------------------------------------------------------------------------------------------

    def _tree(self, place: int, image: Image) -> list[Record | _Closing]:
        """The tree of one stage in an image; rows are numbered as if the network began there."""
        key = (self._equal[place], image)
        if key not in self._trees:
            children = {child.settled.names(): child for child in self.children[place][image]}
            stages = self.stages[place : place + 1]
            found: list[Record | _Closing] = []
            for item in _proved(Staged.after(map_of(image.chart.matrix()), image.rows, stages), self.multipliers):
                if isinstance(item, Leaf):
                    names = item.cell.pattern[0]
                    if names not in children:
                        raise Inconsistent(f"the proof search finds the winners {names}, the count does not")
                    found.append(_Closing(children.pop(names), item.point))
                elif item[0] != "L":
                    found.append(item)
            if children:
                raise Inconsistent(f"the count finds the winners {min(children)}, the proof search does not")
            self._trees[key] = found
        return self._trees[key]

    def _rename(self, place: int, image: Image) -> Callable[[int], int]:
        """From numbers of rows as if the network began with a stage to those in the whole network."""
        rows, first = len(image.rows), self._first[place]
        return lambda number: number if number < rows else number + first

    def _citable(self, place: int, image: Image, child: Child) -> Numbered:
        """The rows of a child, ascending by their numbers, as if the network began with its stage."""
        found: Numbered = [(row, number) for number, row in enumerate(image.rows)]
        first = len(image.rows)
        settled = child.settled
        for selector, classes, w in zip(self.stages[place].selectors, settled.selectors, settled.winners, strict=True):
            for i, score in enumerate(classes.rows):
                if i != w:
                    found.append((difference(classes.rows[w], score), first + classes.members[i][0]))
            first += len(selector.candidates)
        return found

    # -- references ----------------------------------------------------------------------------------------------------

    def _reference(
        self, evidence: "_References", rename: Callable[[int], int], target: tuple[int, Image], exact: bool
    ) -> Record | _Pending:
        """Close a node by a reference to a template."""
        forward = [self._spelled(each, rename) for each in evidence.forward]
        number = self._numbers[target]
        if exact:
            return ["Q", number, forward, [self._spelled(each, lambda row: row) for each in evidence.backward]]
        points = [evidence.projection.lifted(anchor, evidence.sent.cone) for anchor in self._anchors[target].points]
        return _Pending(["R", number, forward], points, leaf=False)

    def _spelled(self, evidence: Evidence, rename: Callable[[int], int]) -> list[object]:
        numbers: list[object] = [rename(number) for number in evidence]
        return [numbers, list(evidence.values())] if self.multipliers and evidence else numbers


class _References:
    """The evidence that a node with these citable rows is sent into a template's set, and exactly so."""

    def __init__(self, sent: Sent, rows: Numbered) -> None:
        self.sent = sent
        self.rows = rows
        self.projection = sent.projection()

    @cached_property
    def forward(self) -> list[Evidence]:
        known = dict(reversed(self.rows))  # a row that is there twice has its first number
        return [implied(self.sent.cone, known, self.projection.pulled(row)) for row in self.sent.image.rows]

    @cached_property
    def backward(self) -> list[Evidence]:
        image = self.sent.image
        known = {row: place for place, row in enumerate(image.rows)}
        return [implied(image.cone, known, self.projection.factor(row)) for row, _ in self.rows if any(row)]


def _proved(network: Staged, multipliers: bool) -> Iterator[Record | Leaf]:
    """The records of a tree, each L followed by its leaf; what searches for it is loaded where it is needed."""
    from exactgeo.certificate.tree import prove

    return prove(network, multipliers)


def _renumbered(record: Record, rename: Callable[[int], int]) -> Record:
    """The record with other numbers of rows, ascending again."""
    place = {"E": 3, "B": 1, "X": 1}.get(str(record[0]))
    if place is None:
        return record
    cited, *multipliers = record[place:]
    if not isinstance(cited, list):
        raise Inconsistent(f"a record without rows: {record}")
    order = sorted(range(len(cited)), key=lambda k: rename(cited[k]))
    lists = [[rename(cited[k]) for k in order], *[[each[k] for k in order] for each in multipliers]]  # type: ignore[index]
    return [*record[:place], *lists]

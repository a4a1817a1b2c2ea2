"""Counting by states: cells that are sent onto the same set have the same number of cells inside them.

Let P be a polyhedron, of any dimension, in the space that stage l reads, and C(l, P) the number of patterns of the
stages l, l+1, ... whose sets are nonempty and open relative to the affine hull of P. Let R be a cell of the stages
before l with the affine map f. The pattern of x from stage l on depends on f(x) alone, f maps the open set R onto the
relative interior of f(R), and preimages under a map that is onto keep and reflect nonempty open sets. So R contains
C(l, f(R)) cells, and

    C(l, P) = sum of C(l + 1, image of Q) over the cells Q of stage l inside P.

Equal images, equal counts. Nothing else is asked of f: it may collapse R to a line; R may be unbounded or contain
lines; candidates are identical where they are equal on the affine hull of P. A *state* is a stage and such an image, in
a form that is equal for equal sets (``Image``): a chart of its affine hull, and generators in the chart's coordinates.

Counting goes forward, stage by stage, over the different images with their multiplicities. The sum of these is the
number of cells of the stages so far, and every one of them contains a cell: so at any moment it is a lower bound, and
every further child of a state adds the state's multiplicity to it. The last stage needs no images, and an image that
is a point has one cell. Where two stages are equal as functions, as in a network of equal blocks, the children of an
image are found once for both.

>>> tent = {"weight": [[1], [1]], "bias": [0, "-1/2"]}, {"weight": [[2, -4]]}
>>> layer = {"type": "ffn", "hidden": tent[0], "output": tent[1]}
>>> network = Network.from_arrays({"input_dim": 1, "domain": {"box": [[0, 1]]}, "layers": [layer] * 200})
>>> counting = Counting(network).run()
>>> counting.cells == 2**200, counting.states
(True, 200)
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from flint import fmpz_mat

from exactgeo.cells.cell import Settled
from exactgeo.cells.projection import Projection
from exactgeo.errors import BadInput, Inconsistent
from exactgeo.network import Network
from exactgeo.network.document import read_document
from exactgeo.network.layers import Linear
from exactgeo.network.stages import Stage, homogeneous_matrix
from exactgeo.partition.split import count, split
from exactgeo.polyhedron.cone import Cone, point_of
from exactgeo.polyhedron.echelon import echelon, reduced
from exactgeo.polyhedron.generators import Generators, rows_of
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Row, dot, primitive

__all__ = [
    "Chart",
    "Child",
    "Counting",
    "Image",
    "Sent",
    "Trial",
    "domain_sent",
    "image_of",
    "numbered",
    "refine",
    "stages_as_read",
    "stages_as_seen",
]

MOST_GENERATORS = 300
"""Images are kept by their generators; a domain with more of them is refused."""


Stages = tuple[AffineMap, tuple[Stage, ...]]
"""The map before the first stage, and the stages."""


def stages_as_seen(network: Network) -> Stages:
    """The network's stages, each as a function of what it depends on.

    A stage reads x through its forms and its base. Where their linear parts do not span all forms of x, it is rewritten
    as a function of v = Vx, the rows of V being a basis of what they span, and V belongs to the stage before. That
    makes more images equal: where only x_1 - x_2 is used, they are those of x_1 - x_2.
    """
    seen = [_seen(stage) for stage in network.stages]
    first = AffineMap.identity(network.input_dim)
    if seen[0] is not None:
        first = seen[0][0]
    stages = []
    for stage, here, following in zip(network.stages, seen, [*seen[1:], None], strict=True):
        forms, base, mix = stage.forms, stage.base, stage.mix
        if here is not None:
            forms, base = forms.compose(here[1]), base.compose(here[1])
        if following is not None:
            base, mix = following[0].compose(base), following[0].compose(mix)
        stages.append(Stage(forms, stage.selectors, base, mix))
    return first, tuple(stages)


def _seen(stage: Stage) -> tuple[AffineMap, AffineMap] | None:
    """A linear map V that the stage depends on, and a map S with VSv = v; None where the stage depends on all of x."""
    size = stage.input_dim
    linear = [list(row[1:]) for row in (*stage.forms.rows, *stage.base.rows) if any(row[1:])]
    reduced_rows, _, rank = fmpz_mat(linear).rref() if linear else (fmpz_mat(0, size), 1, 0)
    if rank == size:
        return None
    basis = [primitive([int(entry) for entry in row]) for row in reduced_rows.tolist()[:rank]]
    pivots = [next(j for j, entry in enumerate(row) if entry) for row in basis]
    back: list[list[Fraction]] = [[Fraction(0)] * (rank + 1) for _ in range(size)]
    for place, (row, pivot) in enumerate(zip(basis, pivots, strict=True)):
        back[pivot][1 + place] = Fraction(1, row[pivot])
    return AffineMap.scaled(size, 1, [(0, *row) for row in basis]), AffineMap.of(back, rank)


def stages_as_read(network: Network) -> Stages:
    """The stages as certificates have them, each as a function of what its own layer reads.

    The engine composes a linear layer into the forms of the stage that follows; here it belongs to the stage before.
    """
    document = read_document(network.document)
    width = document.input_dim
    first = AffineMap.identity(width)
    stages: list[Stage] = []
    for place, layer in enumerate(document.layers):
        if not isinstance(layer, Linear):
            stages.append(layer.stage(AffineMap.identity(width), f"layers[{place}]"))
        elif stages:
            last = stages[-1]
            linear = AffineMap.scaled(width, layer.map.denominator, [(0, *row[1:]) for row in layer.map.rows])
            stages[-1] = Stage(last.forms, last.selectors, layer.map.compose(last.base), linear.compose(last.mix))
        else:
            first = layer.map.compose(first)
        width = layer.output_dim(width)
    return first, tuple(stages)


@dataclass(frozen=True, slots=True)
class Chart:
    """An affine subspace of R^m as the image of psi: R^k -> R^m.

    psi has u_i at coordinate pivots[i], and (b + a.u)/q at the other coordinates, in their order, where solved has the
    primitive rows (q, b, a) with q > 0. The pivots are the first coordinates in which the subspace can be written so:
    equal subspaces have equal charts.
    """

    pivots: tuple[int, ...]
    solved: tuple[Row, ...]

    @property
    def dimension(self) -> int:
        return len(self.pivots)

    def matrix(self) -> fmpz_mat:
        """The homogeneous matrix of psi."""
        scale = lcm(*[row[0] for row in self.solved])
        size = self.dimension
        others = iter(self.solved)
        table = [[scale] + [0] * size]
        for coordinate in range(size + len(self.solved)):
            if coordinate in self.pivots:
                place = self.pivots.index(coordinate)
                table.append([0] + [scale if i == place else 0 for i in range(size)])
            else:
                q, *row = next(others)
                table.append([entry * (scale // q) for entry in row])
        return fmpz_mat(table)


def _chart_of(table: Sequence[Sequence[int]]) -> Chart:
    """The chart of the range of a map, given by the rows of its homogeneous matrix."""
    weight, width = table[0][0], len(table[0])
    size = len(table) - 1
    directions, factor, rank = fmpz_mat([[row[j] for row in table[1:]] for j in range(1, width)]).rref()
    basis = [[int(entry) for entry in row] for row in directions.tolist()[:rank]]
    common = int(factor)
    if common < 0:
        common, basis = -common, [[-entry for entry in row] for row in basis]
    pivots = tuple([next(j for j, entry in enumerate(row) if entry) for row in basis])
    if len(pivots) == size:
        return Chart(pivots, ())
    # The point table[.][0] / weight, moved along the basis to zeros at the pivots; every basis row is over ``common``.
    solved = []
    for j in range(size):
        if j not in pivots:
            column = [row[j] for row in basis]
            shift = sum([table[1 + pivot][0] * entry for pivot, entry in zip(pivots, column, strict=True)])
            constant = common * table[1 + j][0] - shift
            solved.append(primitive([weight * common, constant, *[weight * entry for entry in column]]))
    return Chart(pivots, tuple(solved))


class Image:
    """A polyhedron in some R^m, full-dimensional in its chart: equal and hashed as the set that it is.

    ``rays`` are the extreme rays of the cone over it in the chart's coordinates, modulo ``lines``, which are in echelon
    form; sorted. The cone itself is made when it is asked for.
    """

    __slots__ = ("_cone", "_hash", "_source", "chart", "lines", "rays")

    def __init__(self, chart: Chart, cone: Cone, source: fmpz_mat | None) -> None:
        """``source``: a matrix that takes ``cone`` onto the cone of the image, injective; None if it is that cone."""
        rays, lines = cone.rays, cone.lines
        if source is not None:
            table = [[int(entry) for entry in row] for row in source.tolist()]
            rays = [primitive([dot(row, ray) for row in table]) for ray in rays]
            lines = tuple([tuple([dot(row, line) for row in table]) for line in lines])
        if lines:
            basis, pivots = echelon(lines)
            lines = tuple(basis)
            rays = [primitive(reduced(ray, basis, pivots)) for ray in rays]
        self.chart = chart
        self.rays = tuple(sorted(rays))
        self.lines = lines
        self._source: tuple[Cone, fmpz_mat | None] | None = (cone, source)
        self._cone: Cone | None = None
        self._hash = hash((chart, self.rays, lines))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Image)
            and self._hash == other._hash
            and (self.chart, self.rays, self.lines) == (other.chart, other.rays, other.lines)
        )

    @property
    def dimension(self) -> int:
        return self.chart.dimension

    @property
    def cone(self) -> Cone:
        """The cone over the image in the chart's coordinates: facets as its rows, sorted; rays as in ``rays``."""
        if self._cone is None:
            if self._source is None:
                raise Inconsistent("an image without a source")
            cone, source = self._source
            rows = [cone.rows[k] for k, _ in cone.facet_rows()]
            if source is not None:
                size = abs(int(source.det()))
                inverse = [[int(entry * size) for entry in row] for row in source.inv().tolist()]
                columns = list(zip(*inverse, strict=True))
                rows = [primitive([dot(row, column) for column in columns]) for row in rows]
            table = (cone.rows[0][:1] + (0,) * self.dimension, *sorted(rows))
            tight = [sum([1 << k for k, row in enumerate(table) if not dot(row, ray)]) for ray in self.rays]
            self._cone = Cone(table, list(self.rays), tight, [0] * len(self.rays), self.lines)
            self._source = None
        return self._cone

    @property
    def rows(self) -> tuple[Row, ...]:
        """The facets in the chart's coordinates, sorted."""
        return self.cone.rows[1:]


@dataclass(frozen=True, slots=True)
class Sent:
    """A polyhedron by its cone, the homogeneous matrix of a map, and the image under it."""

    cone: Cone
    matrix: fmpz_mat
    image: Image

    @property
    def exact(self) -> bool:
        """Whether the polyhedron contains, in its interior, all that the map sends into the image's interior.

        It does if the map is injective, or if all that it forgets are lines of the polyhedron.
        """
        lost = self.cone.dimension - self.image.dimension
        if not lost or not self.cone.lines:
            return not lost
        lines = fmpz_mat([list(line) for line in self.cone.lines])
        return bool(len(self.cone.lines) - (lines * self.matrix.transpose()).rank() == lost)

    def projection(self) -> Projection:
        """The map, in the coordinates of the image's chart."""
        table = self.matrix.tolist()
        return Projection(fmpz_mat([table[0], *[table[1 + pivot] for pivot in self.image.chart.pivots]]))


@dataclass(frozen=True, slots=True)
class Child(Sent):
    """A cell of one stage inside an image, in the chart's coordinates, and where the stage sends it."""

    settled: Settled


def refine(image: Image, stage: Stage) -> Iterator[Child]:
    """Every cell of a stage inside an image of what it reads."""
    pulled = stage.pull_back(image.chart.matrix())
    for won, cone in split(image.cone, pulled.selectors):
        settled = Settled(pulled, won)
        matrix = settled.outer()
        yield Child(cone, matrix, image_of(cone, matrix), settled)


def image_of(cone: Cone, matrix: fmpz_mat) -> Image:
    """The image of the polyhedron of a cone under the map of a homogeneous matrix."""
    table = [[int(entry) for entry in row] for row in matrix.tolist()]
    chart = _chart_of(table)
    sigma = [table[0], *[table[1 + pivot] for pivot in chart.pivots]]
    if chart.dimension == cone.dimension:
        return Image(chart, cone, fmpz_mat(sigma))
    return Image(chart, _projected(cone, sigma), None)


def _projected(cone: Cone, sigma: Sequence[Sequence[int]]) -> Cone:
    """The cone over the image of a polyhedron under a map onto a space of smaller dimension."""
    size = len(sigma) - 1
    if not size:
        return Cone.space(0)
    rays = [primitive([dot(row, ray) for row in sigma]) for ray in cone.rays]
    lines = [primitive([dot(row, line) for row in sigma]) for line in cone.lines]
    if size == 1 and not any(map(any, lines)):
        return _interval(rays)
    parts = Generators(
        size,
        tuple(dict.fromkeys([point_of(ray) for ray in rays if ray[0]])),
        tuple(dict.fromkeys([ray[1:] for ray in rays if not ray[0] and any(ray)])),
        tuple(dict.fromkeys([line[1:] for line in lines if any(line)])),
    )
    made = Cone.of(rows_of(parts), size)
    if made is None:
        raise Inconsistent(f"the image of a cell is flat in the chart of its affine hull: {parts}")
    return made


def _interval(rays: Sequence[Row]) -> Cone:
    """The cone over the hull of points and directions of a line."""
    rows: list[Row] = []
    for sign in (1, -1):
        # x >= p_1 / p_0 for the least point, unless some direction leads below it
        if all(ray[0] or sign * ray[1] >= 0 for ray in rays):
            q, p = min((ray for ray in rays if ray[0]), key=lambda ray: Fraction(sign * ray[1], ray[0]))
            rows.append(primitive((-sign * p, sign * q)))
    made = Cone.of(rows, 1)
    if made is None:
        raise Inconsistent(f"the interval of {rays} has no interior")
    return made


def domain_sent(network: Network, first: AffineMap) -> Sent:
    """The domain, and where the map before the first stage sends it."""
    cone = Cone.of(network.domain_rows, network.input_dim, MOST_GENERATORS)
    if cone is None:
        raise BadInput(f"counting by states needs a domain with at most {MOST_GENERATORS} vertices and directions")
    matrix = homogeneous_matrix(first)
    return Sent(cone, matrix, image_of(cone, matrix))


class Counting:
    """The count of a network's cells by states, as far as it has come.

    ``cells`` is a proved lower bound, and the number of cells when ``done``. ``states`` is the number of states met,
    ``images`` that of images computed, and ``fresh`` how many of these were new; ``work`` is what it took, in images of
    the usual kind. Stages are taken as they are seen.

    With ``keep`` they are taken as certificates have them, as read, and what certificates and regions are made of is
    kept: ``children[l][P]`` are those of every state, ``ends`` the images of the last stage's, and ``domain`` is sent
    to the first state.
    """

    def __init__(self, network: Network, keep: bool = False) -> None:
        self.network = network
        self.keep = keep
        self.cells = 1
        self.states = 0
        self.work = self.images = self.fresh = 0
        self.done = False
        self.domain: Sent | None = None
        self.stages: tuple[Stage, ...] = ()
        self.children: list[dict[Image, list[Child]]] = []
        self.ends: dict[Image, int] = {}

    def run(self) -> "Counting":
        """Count to the end."""
        for _ in self.steps():
            pass
        return self

    def steps(self) -> Iterator[None]:
        """The count, in small steps: stop where you like."""
        first, self.stages = (stages_as_read if self.keep else stages_as_seen)(self.network)
        equal = numbered(self.stages)
        self.domain = domain_sent(self.network, first)
        start = self.domain.image
        level = {start: 1} if start.dimension else {}  # images and their multiplicities; a point has one cell
        self.states = len(level)
        final = {number: place for place, number in enumerate(equal)}  # where a stage equal to these comes last
        known: dict[tuple[int, Image], _Refined] = {}
        for place, stage in enumerate(self.stages):
            last = place == len(self.stages) - 1
            following: dict[Image, int] = {}
            kept: dict[Image, list[Child]] = {}
            for image, multiplicity in level.items():
                refined = known.get((equal[place], image))
                if refined is not None:
                    self.cells += multiplicity * (refined.number - 1)
                    for reached, times in refined.images.items():
                        self._reach(following, reached, multiplicity * times, last)
                    yield
                else:
                    refined = _Refined()
                    if last and not self.keep:
                        amounts = count(image.cone, stage.pull_back(image.chart.matrix()).selectors)
                    else:
                        amounts = self._refine(image, stage, multiplicity, last, refined, following)
                    for amount in amounts:
                        self.work += 1 + amount // 8
                        self.cells += multiplicity * (amount if refined.number else amount - 1)
                        refined.number += amount
                        yield
                    if final[equal[place]] > place:
                        known[equal[place], image] = refined
                kept[image] = refined.children
            if self.keep:
                self.children.append(kept)
            level = following
        self.ends = level
        self.done = True

    def _refine(
        self,
        image: Image,
        stage: Stage,
        multiplicity: int,
        last: bool,
        refined: "_Refined",
        following: dict[Image, int],
    ) -> Iterator[int]:
        """One for each cell of a stage inside an image."""
        for child in refine(image, stage):
            self.images += 1
            if child.image.dimension < image.dimension:
                self.work += len(child.cone.rays) ** 2 // 100  # the hull of so many points
            self.fresh += child.image not in following and child.image.dimension > 0
            refined.images[child.image] += 1
            if self.keep:
                refined.children.append(child)
            self._reach(following, child.image, multiplicity, last)
            yield 1

    def _reach(self, level: dict[Image, int], image: Image, multiplicity: int, last: bool) -> None:
        if image.dimension and (self.keep or not last):
            self.states += image not in level and not last
            level[image] = level.get(image, 0) + multiplicity


class _Refined:
    """The cells of a stage inside an image: their number, and with what images; themselves, where they are kept."""

    __slots__ = ("children", "images", "number")

    def __init__(self) -> None:
        self.number = 0
        self.images: Counter[Image] = Counter()
        self.children: list[Child] = []


def numbered(stages: Sequence[Stage]) -> list[int]:
    """For each stage a number, the same for stages that are equal as functions, whatever their names."""
    numbers: dict[object, int] = {}
    return [
        numbers.setdefault(
            (stage.forms, stage.base, stage.mix, tuple([selector.candidates for selector in stage.selectors])),
            len(numbers),
        )
        for stage in stages
    ]


class Trial:
    """Counting by states beside another way of counting, at a small part of its cost, until one of them is done.

    The other way tells how many cells it has found. From some thousand cells on, and then whenever there are four
    times as many, states are allowed one image for every so many of them. Beyond that they go on only as long as it
    pays: as long as at most every eighth image is new, or more cells are proved than listing would find in the time. So
    a network with nothing to share costs the small part more, and where images recur states get all the time there is.
    In a deep network, where one cell is much work, they are tried at once. Nothing depends on a clock.
    """

    def __init__(self, network: Network) -> None:
        self.counting = Counting(network)
        self._steps = self.counting.steps() if len(network.stages) > 1 else None
        self._deep = len(network.stages) // 8 if len(network.stages) >= DEEP else 0
        self._next = 0 if self._deep else FIRST

    def advance(self, cells: int) -> Iterator[int]:
        """Work for as long as it is due, where the other way has found ``cells``; lower bounds as they are proved."""
        if self._steps is None or cells < self._next:
            return
        self._next = max(4 * cells, FIRST)
        allowed = self._deep + cells // PRICE
        counting = self.counting
        while counting.work <= allowed or self._pays():
            if next(self._steps, _OVER) is _OVER:
                self._steps = None
                return
            yield counting.cells

    def _pays(self) -> bool:
        counting = self.counting
        return 8 * counting.fresh <= counting.images or counting.cells >= 100 * counting.work


_OVER = object()

FIRST, PRICE = 10_000, 600
"""How many cells there are when a trial begins, and how many of them are the price of an image.

A cell takes 10 to 40 microseconds, an image half a millisecond to one: a trial is less than a tenth of the time.
"""

DEEP = 64
"""From so many stages on, a trial may compute an image for every eighth of them before there are any cells."""

"""Counting by states: cells that are sent onto the same set have the same number of cells inside them.

Let P be a polyhedron, of any dimension, in the space that stage l reads, and C(l, P) the number of patterns of the
stages l, l+1, ... whose sets are nonempty and open relative to the affine hull of P. Let R be a cell of the stages
before l with the affine map f. The pattern of x from stage l on depends on f(x) alone, f maps the open set R onto the
relative interior of f(R), and preimages under a map that is onto keep and reflect nonempty open sets. So R contains
C(l, f(R)) cells, and

    C(l, P) = sum of C(l + 1, image of Q) over the cells Q of stage l inside P.

Equal images, equal counts. Nothing else is asked of f: it may collapse R to a line; R may be unbounded or contain
lines; candidates are identical where they are equal on the affine hull of P. A *state* is a stage and such an image, in
a form that is equal for equal sets (``cells.images``).

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

from flint import fmpz_mat

from exactgeo.cells.cell import Settled
from exactgeo.cells.choice import FEW_CELLS, MOST_GENERATORS, few_generators, most_cells
from exactgeo.cells.images import Image, Sent, image_of
from exactgeo.errors import BadInput
from exactgeo.network import Network
from exactgeo.network.layers import Linear
from exactgeo.network.layers.parts import linear_part
from exactgeo.network.stages import Stage, homogeneous_matrix
from exactgeo.partition.split import count, split
from exactgeo.polyhedron.cone import Cone
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import primitive

__all__ = [
    "Child",
    "Counting",
    "Stages",
    "Trial",
    "domain_sent",
    "numbered",
    "refine",
    "stages_as_read",
    "stages_as_seen",
]

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
    width = network.input_dim
    first = AffineMap.identity(width)
    stages: list[Stage] = []
    for place, layer in enumerate(network.layers):
        if not isinstance(layer, Linear):
            stages.append(layer.stage(AffineMap.identity(width), f"layers[{place}]"))
        elif stages:
            last = stages[-1]
            mix = linear_part(layer.map).compose(last.mix)
            stages[-1] = Stage(last.forms, last.selectors, layer.map.compose(last.base), mix)
        else:
            first = layer.map.compose(first)
        width = layer.output_dim(width)
    return first, tuple(stages)


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

    The other way tells how many cells it has found. When these are so many, and then whenever there are four times as
    many, states are allowed one image for every so many of them; where a network may have more cells than anyone could
    list, that begins sooner, with a few images. Beyond that they go on only as long as it pays: as long as at most
    every eighth image is new, or more cells are proved than listing would find in the time. So a network with nothing
    to share costs the small part more, and where images recur states get all the time there is.

    Nothing depends on a clock: what is allowed follows from the multiples that were passed, not from when they were.
    """

    def __init__(self, network: Network) -> None:
        self.counting = Counting(network)
        stages = len(network.stages)
        most = most_cells(network)
        self._steps = self.counting.steps() if stages > 1 and most > FEW_CELLS else None
        self._head = max(HEAD, stages // 8) if most > BEYOND else 0  # in a deep network one cell is much work
        self._next = EARLY if self._head else FIRST

    def advance(self, cells: int) -> Iterator[int]:
        """Work for as long as it is due, where the other way has found ``cells``; lower bounds as they are proved."""
        if self._steps is not None and cells >= self._next and not few_generators(self.counting.network):
            self._steps = None
        while self._steps is not None and cells >= self._next:
            allowed = self._head + self._next // PRICE
            self._next *= 4
            while self.counting.work <= allowed or self._pays():
                if next(self._steps, _OVER) is _OVER:
                    self._steps = None
                    return
                yield self.counting.cells

    def _pays(self) -> bool:
        counting = self.counting
        return 8 * counting.fresh <= counting.images or counting.cells >= 100 * counting.work


_OVER = object()

BEYOND = 10**18
"""Cells that nobody lists."""

HEAD, EARLY, FIRST, PRICE = 32, 2_000, 20_000, 2_000
"""How many images come first; with how many cells a trial begins, early or not; the cells that are an image's price.

A cell takes one to five microseconds, an image half a millisecond to one, beside the thread that counts.
"""

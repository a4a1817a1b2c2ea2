"""Constructions with many regions: listed where they are small, counted by states and proved where they are not."""

from collections.abc import Callable
from math import comb
from pathlib import Path

import pytest

from exactgeo import enumerate_cells, linear_regions
from exactgeo.cells.states import Counting
from exactgeo.certificate.shared import proves_regions, write_shared_certificate
from exactgeo.errors import BadInput
from exactgeo.regions.states import region_bounds
from exactgeo.theory.constructions import Construction, folding, jumping, optimal, zigzag
from exactgeo.theory.lower_bound import construction, lower_bound
from proofs_check import check

SMALL: dict[str, tuple[Construction, int]] = {
    "folding 1": (folding(1, [3, 2, 3]), 3 * 2 * 4),
    "folding 2": (folding(2, [4, 4, 4]), 4 * 4 * 11),
    "folding with a spare unit": (folding(2, [5, 4]), 4 * 11),
    "folding of one layer": (folding(3, [4]), 15),
    "zigzag 1, rank 2": (zigzag(1, 2, 3), 27),
    "zigzag 1, rank 3, on the line": (zigzag(1, 3, 2, bounded=False), 25),
    "zigzag 1, rank 4, on the line": (zigzag(1, 4, 2, bounded=False), 49),
    "zigzag 2, on the plane": (zigzag(2, 2, 2, bounded=False), 81),
    "zigzag 2, rank 3": (zigzag(2, 3, 1), 25),
    "zigzag, absorbed": (zigzag(2, 2, 2, absorbed=True), 81),
    "zigzag, absorbed, on the line": (zigzag(1, 3, 3, bounded=False, absorbed=True), 125),
    "jumping, three pieces": (jumping(1, 2, 3, 3), 6**3),
    "jumping in the plane": (jumping(2, 2, 1, 7), 6**2),
    "jumping, one piece": (jumping(1, 3, 2, 1), 9),
    "optimal, two heads": (optimal(1, 2, 2, 2, 3), (3 * 4) ** 2),
    "optimal, one head": (optimal(1, 1, 3, 1, 5), 3 * 6),
    "optimal in the plane": (optimal(2, 1, 2, 1, 7), (2 * 4) ** 2),
}


@pytest.mark.parametrize("name", SMALL)
def test_small_ones_by_listing(name: str) -> None:
    made, cells = SMALL[name]
    found = linear_regions(enumerate_cells(made.network))
    assert made.cells == cells == len(found.cells)
    if made.different:
        assert len(found) == found.affine_maps == cells


ONE_END: dict[str, Callable[[], Construction]] = {
    "zigzag": lambda: zigzag(2, 3, 30),
    "jumping": lambda: jumping(2, 3, 30, 6),
    "optimal": lambda: optimal(1, 3, 4, 50, 5),
    "optimal in the plane": lambda: optimal(2, 2, 2, 20, 6),
}
SEVERAL_ENDS: dict[str, Callable[[], Construction]] = {
    "folding": lambda: folding(2, [4] * 40 + [5]),
    "folding in space": lambda: folding(3, [7] * 20 + [4]),
    "zigzag on the plane": lambda: zigzag(2, 2, 20, bounded=False),
    "zigzag, absorbed": lambda: zigzag(1, 3, 30, absorbed=True),
    "zigzag, absorbed, on the line": lambda: zigzag(1, 3, 20, bounded=False, absorbed=True),
}


@pytest.mark.parametrize("name", [*ONE_END, *SEVERAL_ENDS])
def test_deep_ones_by_states(name: str, tmp_path: Path) -> None:
    """Counted, told apart, proved, and checked; where all cells are sent onto one set, regions are proved too."""
    made = {**ONE_END, **SEVERAL_ENDS}[name]()
    counting = Counting(made.network, keep=True).run()
    assert counting.cells == made.cells > 10**10
    (least, most), maps = region_bounds(counting)
    if made.different:
        assert (least, most) == maps == (made.cells, made.cells)
    else:
        assert 1 < least < most < made.cells
    claim = write_shared_certificate(counting, tmp_path / "proof", regions=True)
    proved = check(str(tmp_path / "proof"))
    assert proved.cells == claim.cells == made.cells
    assert proves_regions(counting) is (name in ONE_END)
    assert proved.regions == ((made.cells, made.cells) if name in ONE_END else (1, made.cells))


def test_more_than_theorem_v7() -> None:
    """With as many keys and units: two pieces for each coordinate in the paper, then three, then four."""
    sizes = (2, 3, 10, 6)
    theorem = lower_bound(*sizes)
    counts = [Counting(made).run().cells for made in (construction(theorem), jumping(*sizes).network)]
    counts.append(Counting(optimal(2, 1, 3, 10, 6).network).run().cells)
    assert counts == [theorem.construction_count, 9**20, 12**20]


def test_general_position() -> None:
    """The last layer of the folding: all cells of the arrangement meet the cube, in any dimension."""
    for n, width in [(1, 6), (2, 6), (3, 5), (4, 5)]:
        made = folding(n, [width])
        assert Counting(made.network).run().cells == made.cells == sum(comb(width, j) for j in range(n + 1))


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: folding(2, []), "needs hidden layers"),
        (lambda: folding(2, [1, 3]), "of width at least 2, got"),
        (lambda: folding(0, [1]), "expected n to be a positive integer, got 0"),
        (lambda: folding(1, [2, 0]), r"expected widths\[1\] to be"),
        (lambda: zigzag(1, 0, 1), "expected K to be"),
        (lambda: jumping(2, 2, 1, 1), "expected d_ff >= d"),
        (lambda: jumping(2, 2, 0, 4), "expected L to be"),
        (lambda: optimal(1, 1, 2, 1, 2), "expected d_ff >= 3d"),
        (lambda: optimal(1, 0, 2, 1, 3), "expected heads to be"),
    ],
)
def test_sizes_that_make_no_network(make: Callable[[], Construction], expected: str) -> None:
    with pytest.raises(BadInput, match=expected):
        make()

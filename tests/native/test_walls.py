"""Walls and shapes of the core are those of Python, on networks that are degenerate and jump, by whatever tier."""

from fractions import Fraction
from math import isfinite

import numpy as np
import pytest

from exactgeo import Network, native
from exactgeo.cells.native_walls import all_shapes, all_walls
from exactgeo.network.lowering import lowered
from exactgeo.partition.selectors import difference
from exactgeo.rational.rows import dot, hyperplane, primitive
from tests.native.wall_networks import MODES, TASTES, known, known_of, networks
from tests.oracles.random_networks import seeded

SEEDS = range(60)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("taste", TASTES)
def test_walls(taste: str, mode: str) -> None:
    some = 0
    for seed, network in networks(taste, SEEDS):
        expected = known(taste, seed)
        walls = all_walls(network, **MODES[mode])
        found = list(zip(walls.first.tolist(), walls.second.tolist(), strict=True))
        assert (walls.cells, found) == (len(expected.cells), expected.ends), seed
        assert walls.region.tolist() == expected.regions, seed
        some += len(found)
    assert some > 100


@pytest.mark.parametrize("taste", TASTES)
def test_recipes_of_walls(taste: str) -> None:
    """The row of a wall is a facet of both its cells, positive on the first."""
    for seed, network in networks(taste, SEEDS):
        cells = known(taste, seed).cells
        walls = all_walls(network)
        for a, b, s, g, winner, loser in zip(
            walls.first, walls.second, walls.stage, walls.selector, walls.winner, walls.loser, strict=True
        ):
            classes = cells[a].trail[s].selectors[g]
            row = primitive(difference(_score(classes, winner), _score(classes, loser)))
            assert dot(row, cells[a].body.interior()) > 0 > dot(row, cells[b].body.interior())
            for cell in (a, b):
                assert hyperplane(row)[0] in [hyperplane(face.row)[0] for face in cells[cell].body.faces()]


def _score(classes: object, candidate: int) -> tuple[int, ...]:
    rows = zip(classes.members, classes.rows, strict=True)  # type: ignore[attr-defined]
    return next(tuple(row) for members, row in rows if candidate in members)


def test_a_jump_divides_facets() -> None:
    """Attention with a residual, then layers: walls are overlays of facets, in dimension 2, 3 and 4."""
    for dimension, units, count in ((2, 6, 4), (3, 4, 3), (4, 3, 1)):
        exact = 0
        for seed in range(count):
            make = seeded(f"jump {dimension} {seed}")
            layers = [make.jump(dimension), {"type": "linear", **make.units(dimension, units)}, {"type": "relu"}]
            box = {"box": [[-3, 3]] * dimension}
            document = {"format": "exactgeo-network/1", "input_dim": dimension, "domain": box, "layers": layers}
            network = Network.from_arrays(document)
            expected = known_of(network)
            for faults in MODES.values():
                walls = all_walls(network, **faults)
                assert list(zip(walls.first.tolist(), walls.second.tolist(), strict=True)) == expected.ends
            job = native.core.WallsJob(lowered(network), all=True)
            while not job.wait(1):
                pass
            exact += job.tally.exact_programs
        assert exact > 0 or dimension == 2


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("taste", TASTES)
def test_shapes(taste: str, mode: str) -> None:
    for seed, network in networks(taste, range(25)):
        cells = known(taste, seed).cells
        shapes = all_shapes(network, exact=True, **MODES[mode])
        assert shapes.exact is not None
        assert len(shapes.points) == len(cells)
        for k, cell in enumerate(cells):
            rays = [tuple(ray) for ray in shapes.exact[shapes.first_vertex[k] : shapes.first_vertex[k + 1]]]
            faces = cell.body.faces()
            planes = {hyperplane(face.row) for face in faces}
            lines = shapes.lines[shapes.first_line[k] : shapes.first_line[k + 1]]
            assert all(dot(face.row, line) == 0 for face in faces for line in lines)
            for n, ray in enumerate(rays, shapes.first_vertex[k]):
                assert all(dot(face.row, ray) >= 0 for face in faces)
                assert shapes.at_infinity[n] == (ray[0] == 0)
                if ray[0] and isfinite(shapes.error[n]):
                    for x, y in zip(shapes.vertices[n].tolist(), ray[1:], strict=True):
                        assert abs(Fraction(x) - Fraction(y, ray[0])) <= Fraction(float(shapes.error[n]))
            # Facets by the rays on them: as many as Python's, each on one of its planes.
            bodies = 0
            for f in range(shapes.first_facet[k], shapes.first_facet[k + 1]):
                on = shapes.members[shapes.first_member[f] : shapes.first_member[f + 1]]
                if tuple(shapes.facets[f, :2]) == (-1, -1):
                    continue
                zero = {plane for plane in planes if all(dot(plane[0], rays[n]) == 0 for n in on)}
                assert zero
                bodies += 1
            assert bodies == len(faces)
            point = shapes.exact_points.get(k, [1, *map(Fraction, shapes.points[k].tolist())])
            assert all(dot(face.row, point) > 0 for face in faces)  # type: ignore[arg-type]


def test_a_pair_is_continuous_and_its_class_is_not() -> None:
    """Keys 0, 1, 2 are one, with values 0, 1/2, 0; key 3 has 0: judged by names, nothing jumps from 0 to 3."""
    keys = {"keys": [["-3/2"], ["-3/2"], ["-3/2"], ["0"]], "values": [["0"], ["1/2"], ["0"], ["0"]]}
    heads = [{"query": {"weight": [[-1, 2]]}, **keys}, {"query": {"weight": [[1, 1]]}, "keys": [[0]], "values": [[1]]}]
    layers = [
        {"type": "attention", "heads": heads, "residual": True},
        {"type": "linear", "weight": [[1, 1], [1, -1], [2, 1]], "bias": [0, 1, -1]},
        {"type": "relu"},
    ]
    box = {"box": [[-3, 3], [-3, 3]]}
    network = Network.from_arrays({"format": "exactgeo-network/1", "input_dim": 2, "domain": box, "layers": layers})
    expected = known_of(network)
    for faults in MODES.values():
        walls = all_walls(network, **faults)
        assert list(zip(walls.first.tolist(), walls.second.tolist(), strict=True)) == expected.ends
        assert walls.region.tolist() == expected.regions


def test_a_job_can_be_stopped_and_limited() -> None:
    network = lowered(Network.mlp([np.eye(3).tolist() * 12, [[1] * 36]], [list(range(36)), [0]]), mapped=True)
    for kind in (native.core.WallsJob, native.core.ShapesJob):
        job = kind(network, limit=5)
        while not job.wait(1):
            pass
        assert not job.complete
        assert job.cells > 5
        job = kind(network)
        with pytest.raises(RuntimeError, match="not done"):
            _ = job.complete
        job.stop()
        while not job.wait(1):
            pass


def test_regions_need_a_map() -> None:
    with pytest.raises(ValueError, match="mapped"):
        native.core.WallsJob(lowered(Network.mlp([[[1]]])))

"""Networks whose cells all have different maps, known without listing a cell.

Let a network have one stage, y = base(x) + mix . (v_1, ..., v_H), with v_g the value of the class that wins selector g.
If the columns of mix are linearly independent, then the map y determines the vectors v_g, as affine maps of x: two
cells with the same y have the same mix . v, hence the same v. If moreover the classes of each selector have different
values, then v_g determines the winner of selector g. So the map y determines the pattern and with it the cell: that
which takes a cell to its map is injective,

    affine_maps = regions = cells,

and counting cells counts all three. A layer of ReLU units is so whatever its weights, as long as what follows does not
lose a unit: the columns are unit vectors, and the values 0 and z_g differ where they are two classes.

With more stages it is not so: cells of different parents may have the same map.

>>> from exactgeo.network import Network
>>> map_determines_cell(Network.mlp([[[1, 0], [1, 1]], [[1, 0], [0, 1]]], [[0, 0], [0, 0]]))
True
>>> map_determines_cell(Network.mlp([[[1, 0], [1, 1]], [[1, 2]]], [[0, 0], [0]]))
False
"""

from math import lcm

from exactgeo.network import Network
from exactgeo.network.stages import PulledStage, homogeneous_matrix
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.rows import Row

__all__ = ["map_determines_cell"]


def map_determines_cell(network: Network) -> bool:
    """Whether the network has one stage, with independent columns and different values in each selector."""
    if len(network.stages) != 1:
        return False
    (stage,) = network.stages
    pulled = stage.pull_back(homogeneous_matrix(AffineMap.identity(network.input_dim)))
    return all(_different(pulled, g) for g in range(len(stage.selectors))) and stage.mixes_independently()


def _different(pulled: PulledStage, g: int) -> bool:
    """Whether the classes of selector g have different values, each the mean over its members."""
    candidates, forms = pulled.stage.selectors[g].candidates, pulled.forms
    classes = pulled.selectors[g].members
    scale = lcm(*map(len, classes))

    def value(members: tuple[int, ...]) -> tuple[Row, ...]:
        """The mean, times the scale."""
        times, entries = scale // len(members), zip(*[candidates[j].value for j in members], strict=True)
        columns = [zip(*[forms[i] for i in indices], strict=True) for indices in entries]
        return tuple([tuple([times * sum(terms) for terms in column]) for column in columns])

    return len(set(map(value, classes))) == len(classes)

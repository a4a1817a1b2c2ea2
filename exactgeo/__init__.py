"""exactgeo: every cell and every maximal linear region of a piecewise-affine network, exactly.

The verbs follow the data: ``load_network`` -> ``enumerate_cells`` -> ``dual_graph`` -> ``linear_regions`` ->
``write_certificate``.

>>> network = Network.mlp([[[1], [1]], [[2, -4]]], [[0, "-1/2"], [0]], domain={"box": [[0, 1]]})
>>> [(cell.pattern, cell.map.fractions()) for cell in enumerate_cells(network)]  # doctest: +NORMALIZE_WHITESPACE
[(((1, 0),), ((Fraction(0, 1), Fraction(2, 1)),)),
 (((1, 1),), ((Fraction(2, 1), Fraction(-2, 1)),))]
"""

from exactgeo.cells import Cell, DualGraph, Wall, cell_at, count_cells, dual_graph, enumerate_cells, to_networkx
from exactgeo.certificate import Counts, write_certificate
from exactgeo.errors import ExactgeoError
from exactgeo.network import Network, load_network, write_network
from exactgeo.polyhedron.polyhedron import Polyhedron
from exactgeo.rational.affine import AffineMap
from exactgeo.rational.numbers import exact, exact_float
from exactgeo.regions import Region, Regions, linear_regions

__all__ = [
    "AffineMap",
    "Cell",
    "Counts",
    "DualGraph",
    "ExactgeoError",
    "Network",
    "Polyhedron",
    "Region",
    "Regions",
    "Wall",
    "cell_at",
    "count_cells",
    "dual_graph",
    "enumerate_cells",
    "exact",
    "exact_float",
    "linear_regions",
    "load_network",
    "to_networkx",
    "write_certificate",
    "write_network",
]

__version__ = "0.1.0"

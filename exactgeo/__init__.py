"""exactgeo: every cell and every maximal linear region of a piecewise-affine network, exactly.

``count`` asks for the numbers, and for a certificate of them. The other verbs follow the data: ``load_network`` ->
``enumerate_cells`` -> ``dual_graph`` -> ``linear_regions`` -> ``write_certificate``.

>>> from exactgeo import Network, count, enumerate_cells
>>> network = Network.mlp([[[1], [1]], [[2, -4]]], [[0, "-1/2"], [0]], domain={"box": [[0, 1]]})
>>> count(network).regions
2
>>> [(cell.pattern, cell.map.fractions()) for cell in enumerate_cells(network)]  # doctest: +NORMALIZE_WHITESPACE
[(((1, 0),), ((Fraction(0, 1), Fraction(2, 1)),)),
 (((1, 1),), ((Fraction(2, 1), Fraction(-2, 1)),))]

A name is imported when it is first asked for, so that whoever starts the command line can be stopped at once.
"""

TYPE_CHECKING = False  # as in typing, which need not be loaded for it

if TYPE_CHECKING:
    from exactgeo.cells import Cell, DualGraph, Wall, cell_at, count_cells, dual_graph, enumerate_cells, to_networkx
    from exactgeo.certificate import Counts, write_certificate
    from exactgeo.counting import Answer, Progress, count
    from exactgeo.errors import BadInput, BudgetExceeded, ExactgeoError, Inconsistent
    from exactgeo.many import ManyCounts, count_many
    from exactgeo.network import Network, load_network, write_network
    from exactgeo.polyhedron.polyhedron import Polyhedron
    from exactgeo.rational.affine import AffineMap
    from exactgeo.rational.numbers import exact, exact_float
    from exactgeo.regions import Region, Regions, linear_regions

__all__ = [
    "AffineMap",
    "Answer",
    "BadInput",
    "BudgetExceeded",
    "Cell",
    "Counts",
    "DualGraph",
    "ExactgeoError",
    "Inconsistent",
    "ManyCounts",
    "Network",
    "Polyhedron",
    "Progress",
    "Region",
    "Regions",
    "Wall",
    "cell_at",
    "count",
    "count_cells",
    "count_many",
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

_MODULES = {
    "cells": "Cell DualGraph Wall cell_at count_cells dual_graph enumerate_cells to_networkx",
    "certificate": "Counts write_certificate",
    "counting": "Answer Progress count",
    "errors": "BadInput BudgetExceeded ExactgeoError Inconsistent",
    "many": "ManyCounts count_many",
    "network": "Network load_network write_network",
    "polyhedron.polyhedron": "Polyhedron",
    "rational.affine": "AffineMap",
    "rational.numbers": "exact exact_float",
    "regions": "Region Regions linear_regions",
}
"""Where each name comes from."""

_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}
_PACKAGES = {"files", "partition", *[module.split(".")[0] for module in _MODULES]}

if not TYPE_CHECKING:  # a type checker knows the names from above, and that there are no others

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name in _HOMES:
            value = getattr(import_module(f"exactgeo.{_HOMES[name]}"), name)
        elif name in _PACKAGES:
            value = import_module(f"exactgeo.{name}")
        else:
            raise AttributeError(f"module 'exactgeo' has no attribute {name!r}")
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_PACKAGES})

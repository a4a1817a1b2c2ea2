"""Hypothesis strategies over the one generator of random networks (``random_networks``).

Each integer that the generator asks for is a draw of its own, so that networks shrink to small ones: fewer layers,
units and keys, zeros for weights, a box for the domain.
"""

from functools import cache
from typing import Any

from hypothesis import strategies as st

from tests.oracles.random_networks import COARSE, MIXED, Maker, Number, Taste

__all__ = ["documents", "domains", "hyperplanes", "jumping", "of_taste", "spelled", "weights"]

weights: st.SearchStrategy[Any] = st.sampled_from(COARSE)

_integers = cache(st.integers)


def _maker(draw: st.DrawFn, taste: Taste) -> Maker:
    return Maker(lambda low, high: draw(_integers(low, high)), taste)


@st.composite
def of_taste(draw: st.DrawFn, taste: Taste) -> dict[str, Any]:
    """A network document to a taste."""
    return _maker(draw, taste).document()


def documents(max_dim: int = 2, max_layers: int = 3, max_units: int = 2) -> st.SearchStrategy[dict[str, Any]]:
    """A network document with every kind of layer; few units, so that brute force stays quick."""
    dimensions = range(1, max_dim + 1)
    return of_taste(Taste(COARSE, dimensions, max_layers, units=max_units, hidden=max_units, heads=max_units))


def spelled() -> st.SearchStrategy[dict[str, Any]]:
    """Larger networks, on all of R^d, with numbers in every spelling."""
    return of_taste(Taste(MIXED, layers=4, units=3, hidden=3, heads=3, domains=("all",)))


@st.composite
def jumping(draw: st.DrawFn) -> dict[str, Any]:
    """A network with a jump before its other layers."""
    make = _maker(draw, Taste(layers=2))
    document = make.document()
    return {**document, "layers": [make.jump(document["input_dim"]), *document["layers"]]}


@st.composite
def domains(draw: st.DrawFn, dimension: int) -> dict[str, Any] | None:
    """A domain of a network document."""
    return _maker(draw, Taste()).domain(dimension)


@st.composite
def hyperplanes(draw: st.DrawFn, dimension: int, most: int = 5) -> list[list[Number]]:
    """Rows (b, a) with a != 0."""
    row = st.lists(weights, min_size=dimension + 1, max_size=dimension + 1)
    return draw(
        st.lists(row.filter(lambda entries: any(entry != "0" for entry in entries[1:])), min_size=1, max_size=most)
    )

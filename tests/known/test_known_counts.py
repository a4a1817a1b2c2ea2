"""The engine reproduces every published count, by each of its methods."""

import pytest

from exactgeo.cells import METHODS, Method, count_cells, enumerate_cells
from exactgeo.network import Network
from exactgeo.regions import linear_regions
from tests.known.published import KNOWN


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", KNOWN)
def test_known_counts(name: str, method: Method) -> None:
    document, expected = KNOWN[name]()
    network = Network.from_arrays(document)
    found = linear_regions(enumerate_cells(network, method))
    counts = {"cells": len(found.cells), "regions": len(found), "affine_maps": found.affine_maps}
    assert {key: counts[key] for key in expected} == expected
    if method == "split" or expected["cells"] <= 100:  # counting by search is listing once more
        assert sum(count_cells(network, method)) == expected["cells"]

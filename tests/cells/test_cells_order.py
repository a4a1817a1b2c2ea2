"""Determinism: the order of cells, their points and walls are the same in every process."""

import json
import os
import subprocess
import sys

from exactgeo.cells import METHODS
from tests.known.degenerate import DEGENERATE
from tests.known.networks import NETWORKS

SCRIPT = """
import json, sys
from exactgeo.cells import dual_graph, enumerate_cells
from exactgeo.cells.graph import graph_text
from exactgeo.network import Network
from exactgeo.regions import linear_regions
for method, document in json.load(sys.stdin):
    graph = dual_graph(enumerate_cells(Network.from_arrays(document), method))
    print(graph_text(graph, ".json"), [cell.irredundant_rows() for cell in graph.cells], linear_regions(graph).members)
"""

NAMES = ["relu-maximum-2-3-3", "regions-do-not-multiply-7", "attention-zigzag-2-2-2-1", "permutohedron-by-segments-3"]


def test_the_order_does_not_depend_on_the_hash_seed() -> None:
    documents = [NETWORKS[name]()[0] for name in NAMES] + [DEGENERATE["strip-cut-across"]()[0]]
    work = json.dumps([(method, document) for method in METHODS for document in documents])
    answers = []
    for seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        ran = subprocess.run(
            [sys.executable, "-c", SCRIPT], input=work, env=environment, capture_output=True, text=True, check=True
        )
        answers.append(ran.stdout)
    assert answers[0] == answers[1] == answers[2]
    assert len(answers[0].splitlines()) == 2 * len(METHODS) * len(documents)

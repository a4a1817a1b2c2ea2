"""relu_edge_subdivision: edges of the complex, cut neuron by neuron, in float32 with PyTorch on one thread.

It is a repository, not a package: ``EXACTGEO_EDGE_SUBDIVISION`` names the folder of a copy. It gives vertices with
their signs; a vertex has d zeros, and the cells around it have every sign there (on the cube's own rows only +), so the
cells are the different rows of signs so found. That step is measured too.

It needs a cube. For an arrangement on R^d that is one around all vertices, as every cell has a vertex.
"""

import contextlib
import os
import sys
import time
from importlib import import_module
from itertools import combinations, product
from types import SimpleNamespace
from typing import Any

from benchmarks.peers.workers.common import Run, answer, job, missing, repeated

FOLDER = "EXACTGEO_EDGE_SUBDIVISION"


def main() -> None:
    asked = job()
    folder = os.environ.get(FOLDER)
    if not folder:
        missing(f"relu_edge_subdivision (no folder in {FOLDER})")
    sys.path.insert(0, str(folder))
    try:
        np, torch = import_module("numpy"), import_module("torch")
        tool = import_module("edge_subdivision")
    except ImportError:
        missing("relu_edge_subdivision or torch")
    torch.set_num_threads(1)
    problem = asked["problem"]
    d, radius = problem["dimension"], problem["radius"] or _around(np, problem)
    layers = [(torch.tensor(weight), torch.tensor(bias)) for weight, bias in problem["layers"]]
    widths = [d, *(len(bias) for _, bias in layers)]

    def values(x: Any, device: Any = None) -> Any:
        found = []
        for weight, bias in layers:
            found.append(x @ weight.T + bias)
            x = torch.relu(found[-1])
        return torch.hstack(found)

    network = SimpleNamespace(ks=widths, ls=list(range(1, len(widths))), eval_block=values, to=lambda device: None)

    def run() -> Run:
        start = time.process_time()
        with torch.no_grad(), contextlib.redirect_stdout(sys.stderr):
            _, _, signs = tool.skeletal_subdivision(
                network, bbox=(-radius, radius), device=torch.device("cpu"), verbose=False
            )
        cells = _cells(np, signs.numpy(), d)
        return {"cells": cells, "seconds": time.process_time() - start}

    run()
    repeated(asked, run)
    answer(f"relu_edge_subdivision, torch {torch.__version__}")


def _around(np: Any, problem: Any) -> float:
    """The radius of a cube around all vertices of the arrangement."""
    weight, bias = (np.array(part) for part in problem["layers"][0])
    chosen = np.array(list(combinations(range(len(bias)), problem["dimension"])))
    regular = np.abs(np.linalg.det(weight[chosen])) > 0.5  # integers
    points = np.linalg.solve(weight[chosen[regular]], -bias[chosen[regular]][:, :, None])
    return float(2 ** np.ceil(np.log2(1.01 * np.abs(points).max())))


def _cells(np: Any, signs: Any, d: int) -> int:
    """How many different rows of signs the vertices' zeros can be resolved to; the first 2d rows are the cube's."""
    zeros = signs[:, 2 * d :] == 0
    bits = signs[:, 2 * d :] > 0
    number = zeros.sum(1)
    found = []
    for k in np.unique(number):
        some = number == k
        at = np.nonzero(zeros[some])[1].reshape(some.sum(), k)
        rows = np.arange(len(at))[:, None]
        for choice in product((False, True), repeat=int(k)):
            resolved = bits[some].copy()
            resolved[rows, at] = choice
            found.append(np.packbits(resolved, axis=1))
    packed = np.ascontiguousarray(np.vstack(found))
    return len(np.unique(packed.view(np.dtype((np.void, packed.shape[1])))))


if __name__ == "__main__":
    main()

"""relucent: breadth-first search in floats with error bounds, linear programs by Gurobi.

It works in child processes, so time is that of this process and its children. What a search with two cells takes is
start-up, and is taken off.
"""

import resource
from importlib import import_module
from typing import Any

from benchmarks.peers.workers.common import Run, answer, job, missing, processor, repeated


def main() -> None:
    asked = job()
    problem = asked["problem"]
    try:
        np, torch, relucent = (import_module(name) for name in ("numpy", "torch", "relucent"))
    except ImportError:
        missing("relucent")

    # It must not start on a hyperplane, and some contain the origin.
    start = np.sqrt(np.arange(2, problem["dimension"] + 2)) / 128

    def network(layers: Any) -> Any:
        modules = []
        for weight, bias in layers:
            affine = torch.nn.Linear(len(weight[0]), len(weight), dtype=torch.float64)
            with torch.no_grad():
                affine.weight.copy_(torch.tensor(weight, dtype=torch.float64))
                affine.bias.copy_(torch.tensor(bias, dtype=torch.float64))
            modules += [affine, torch.nn.ReLU()]
        return torch.nn.Sequential(*modules)

    def search(layers: Any, radius: float | None) -> Run:
        before = processor(resource.RUSAGE_SELF) + processor(resource.RUSAGE_CHILDREN)
        found = relucent.Complex(network(layers))
        inside = {} if radius is None else {"cube_radius": radius, "cube_mode": "clipped"}
        found.bfs(start, nworkers=1, verbose=0, **inside)
        spent = processor(resource.RUSAGE_SELF) + processor(resource.RUSAGE_CHILDREN) - before
        return {"cells": len(found), "seconds": spent}

    idle = search([[[[1.0] * problem["dimension"]], [0.5]]], None)["seconds"]

    def run() -> Run:
        measured = search(problem["layers"], problem["radius"])
        return {**measured, "seconds": max(measured["seconds"] - idle, 1e-3)}

    repeated(asked, run)
    answer(f"relucent {relucent.__version__}", resource.RUSAGE_CHILDREN)


if __name__ == "__main__":
    main()

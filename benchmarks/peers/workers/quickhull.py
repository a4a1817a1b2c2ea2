"""scipy's QuickHull, head by head: hull of the keys, add the next head's keys to all vertices, hull again. Floats."""

import time
from importlib import import_module

from benchmarks.peers.workers.common import Run, answer, job, missing, repeated


def main() -> None:
    asked = job()
    try:
        numpy, spatial, scipy = import_module("numpy"), import_module("scipy.spatial"), import_module("scipy")
    except ImportError:
        missing("scipy")
    heads = [numpy.array(keys, float) for keys in asked["problem"]["keys"]]

    def run() -> Run:
        start = time.process_time()
        vertices = heads[0]
        for keys in [heads[0] * 0, *heads[1:]] if len(heads) == 1 else heads[1:]:
            sums = (vertices[:, None, :] + keys[None, :, :]).reshape(-1, keys.shape[1])
            vertices = sums[spatial.ConvexHull(sums).vertices]
        return {"cells": len(vertices), "seconds": time.process_time() - start}

    run()  # what is loaded at the first call is not to be measured
    repeated(asked, run)
    answer(f"scipy {scipy.__version__}")


if __name__ == "__main__":
    main()

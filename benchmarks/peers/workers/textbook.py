"""The textbook search with cddlib, ``benchmarks.textbook``."""

import time
from importlib.metadata import version
from pathlib import Path

from benchmarks.peers.workers.common import Run, answer, job, repeated
from benchmarks.textbook import textbook_cells
from exactgeo import load_network


def main() -> None:
    asked = job()

    def run() -> Run:
        network = load_network(Path(asked["path"]))
        start = time.process_time()
        cells = sum(1 for _ in textbook_cells(network))
        return {"cells": cells, "seconds": time.process_time() - start}

    repeated(asked, run)
    answer(f"pycddlib {version('pycddlib')}")


if __name__ == "__main__":
    main()

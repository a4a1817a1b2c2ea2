"""exactgeo: cells counted (``count``), or listed with their maps and joined to regions (``regions``).

The network is read and the kernel loaded before the clock starts, as for ``seconds`` on the command line.
"""

import gc
import sys
import time
from pathlib import Path

from benchmarks.peers.workers.common import Run, answer, job, repeated
from exactgeo import __version__, count_cells, enumerate_cells, linear_regions, load_network
from exactgeo.cells.enumerate import kernel_for


def main() -> None:
    asked, what = job(), sys.argv[1]

    def run() -> Run:
        network = load_network(Path(asked["path"]))  # anew, so that nothing is remembered
        kernel = kernel_for(network, "split")
        gc.collect()
        start = time.process_time()
        if what == "count":
            found = {"cells": sum(count_cells(network, "split", kernel=kernel or False))}
        else:
            joined = linear_regions(enumerate_cells(network, "split", kernel=kernel or False))
            found = {"cells": len(joined.cells), "regions": len(joined), "affine_maps": joined.affine_maps}
        seconds = time.process_time() - start
        signs = kernel.report() if kernel else None
        return {
            **found,
            "seconds": seconds,
            "signs": signs.total if signs else None,
            "exact": signs.undecided if signs else None,
            "nodes": signs.nodes if signs else None,
            "handed_back": signs.handed_back if signs else None,
        }

    answer(__version__, repeated(asked, run))


if __name__ == "__main__":
    main()

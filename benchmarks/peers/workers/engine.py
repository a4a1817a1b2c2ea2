"""exactgeo: cells counted (``count``), listed (``list``), listed with walls (``walls``), or with regions (``regions``).

The network is read before the clock starts, as for ``seconds`` on the command line. ``loaded`` is the peak memory at
that moment, in MB.
"""

import gc
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.peers.workers.common import Run, answer, job, repeated
from exactgeo import Network, __version__, count_cells, dual_graph, enumerate_cells, linear_regions, load_network
from exactgeo.cells.cores import CellCore, cell_core
from exactgeo.regions.injective import map_determines_cell

Found = dict[str, int]


def _count(network: Network, core: CellCore) -> Found:
    return {"cells": sum(count_cells(network, "split", core=core))}


def _list(network: Network, core: CellCore) -> Found:
    return {"cells": len(list(enumerate_cells(network, "split", core=core)))}


def _walls(network: Network, core: CellCore) -> Found:
    graph = dual_graph(enumerate_cells(network, "split", core=core))
    return {"cells": len(graph.cells), "walls": len(graph.walls)}


def _regions(network: Network, core: CellCore) -> Found:
    if map_determines_cell(network):
        cells = sum(count_cells(network, "split", core=core))
        return {"cells": cells, "regions": cells, "affine_maps": cells}
    if core.joins:
        cells = sum(core.regions())
        regions, maps = core.joined or (0, 0)
        return {"cells": cells, "regions": regions, "affine_maps": maps}
    joined = linear_regions(enumerate_cells(network, "split", core=core))
    return {"cells": len(joined.cells), "regions": len(joined), "affine_maps": joined.affine_maps}


WORK: dict[str, Callable[[Network, CellCore], Found]] = {
    "count": _count,
    "list": _list,
    "walls": _walls,
    "regions": _regions,
}


def main() -> None:
    work = WORK[sys.argv[1]]
    asked = job()

    def run() -> Run:
        network = load_network(Path(asked["path"]))  # anew, so that nothing is remembered
        core = cell_core(network, "split")
        gc.collect()
        loaded = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        start = time.process_time()
        found: Run = {**work(network, core)}
        found["seconds"] = time.process_time() - start
        found["loaded"] = loaded
        signs = core.report()
        if signs is not None:
            found |= {"signs": signs.total, "exact": signs.exact}
        return found

    repeated(asked, run)
    answer(__version__)


if __name__ == "__main__":
    main()

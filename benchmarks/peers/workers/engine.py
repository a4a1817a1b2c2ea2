"""exactgeo: cells counted (``count``), listed (``list``), listed with walls (``walls``), or with regions (``regions``).

The network is read and the kernel loaded before the clock starts, as for ``seconds`` on the command line. ``loaded`` is
the peak memory at that moment, in MB.
"""

import gc
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.peers.workers.common import Run, answer, job, repeated
from exactgeo import Network, __version__, count_cells, dual_graph, enumerate_cells, linear_regions, load_network
from exactgeo.cells.cores import CellCore, core_for
from exactgeo.cells.wall_cores import load_walls
from exactgeo.regions.injective import map_determines_cell

Found = dict[str, int]
Core = CellCore | None


def _count(network: Network, core: Core) -> Found:
    return {"cells": sum(count_cells(network, "split", core=core))}


def _list(network: Network, core: Core) -> Found:
    return {"cells": len(list(enumerate_cells(network, "split", core=core)))}


def _walls(network: Network, core: Core) -> Found:
    graph = dual_graph(enumerate_cells(network, "split", core=core))
    return {"cells": len(graph.cells), "walls": len(graph.walls)}


def _regions(network: Network, core: Core) -> Found:
    if map_determines_cell(network):
        cells = sum(count_cells(network, "split", core=core))
        return {"cells": cells, "regions": cells, "affine_maps": cells}
    joined = linear_regions(enumerate_cells(network, "split", core=core))
    return {"cells": len(joined.cells), "regions": len(joined), "affine_maps": joined.affine_maps}


WORK: dict[str, Callable[[Network, Core], Found]] = {
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
        core = core_for(network, "split")
        if sys.argv[1] in ("walls", "regions"):
            load_walls(core)
        gc.collect()
        loaded = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        start = time.process_time()
        found: Run = {**work(network, core)}
        found["seconds"] = time.process_time() - start
        found["loaded"] = loaded
        signs = core.report() if core is not None else None
        if signs is not None:
            found |= {"signs": signs.total, "nodes": signs.nodes, "handed_back": signs.handed_back}
        return found

    repeated(asked, run)
    answer(__version__)


if __name__ == "__main__":
    main()

"""The shared workloads, as files, and what is known of each.

``workloads/MANIFEST.json`` gives for each network what it is and, where it is known, ``cells``, ``affine_maps`` or
``cells_if_generic`` (an arrangement that is generic with near certainty; its count proves that it is).
"""

import json
from pathlib import Path
from typing import Any

from exactgeo.network import Network, load_network

__all__ = ["BY_SEARCH", "LISTED", "MANIFEST", "WORKLOADS", "network_of"]

WORKLOADS = Path(__file__).parent / "workloads"
MANIFEST: dict[str, dict[str, Any]] = json.loads((WORKLOADS / "MANIFEST.json").read_text(encoding="utf-8"))

# Larger networks without a published count, counted once by search as well (which takes minutes).
BY_SEARCH = {
    "t_d3_H3_N6_ff6_L2": 1310,
    "t_d4_H2_N5_ff6_L2": 1380,
    "m_2-64-64_box": 5214,
    "m_2-32-32-32_box": 2662,
    "m_3-32-32_box": 29736,
    "m_4-16-16_box": 25353,
    "m_5-12-12_box": 17662,
}
LISTED = [
    name
    for name, entry in MANIFEST.items()
    if entry.get("cells", entry.get("cells_if_generic", BY_SEARCH.get(name, 0))) <= 3000
]
"""Those with few enough cells to list them all in a test."""


def network_of(name: str) -> Network:
    """The workload of this name."""
    return load_network(WORKLOADS / f"{name}.json")

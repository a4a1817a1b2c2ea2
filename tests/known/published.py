"""Every network with a published or derived count, by name: arrangements, networks and degenerate cases together."""

from tests.known.arrangements import ARRANGEMENTS
from tests.known.degenerate import DEGENERATE
from tests.known.networks import NETWORKS

__all__ = ["KNOWN"]

KNOWN = {**ARRANGEMENTS, **NETWORKS, **DEGENERATE}

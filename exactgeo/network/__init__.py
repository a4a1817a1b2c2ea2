"""Weights to stages: the network value, its file format, its layers."""

from exactgeo.network.canonical import canonical_document
from exactgeo.network.document import FORMAT
from exactgeo.network.network import Network, load_network, read_network, write_network
from exactgeo.network.staged import Staged
from exactgeo.network.stages import Candidate, PulledStage, Selector, Stage

__all__ = [
    "FORMAT",
    "Candidate",
    "Network",
    "PulledStage",
    "Selector",
    "Stage",
    "Staged",
    "canonical_document",
    "load_network",
    "read_network",
    "write_network",
]

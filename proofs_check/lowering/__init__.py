"""From the header of a certificate to the model that `core` works on: every kind of layer is known here, and only here.

In reading order:

===========  =========================================================================================
objects      a JSON object, exactly
header       the network and the claim (FORMAT.md, section 1)
numbers      numbers, matrices, affine maps of a network (section 3.1)
network      the network, read strictly
layer        what a kind of layer provides, and
layers       the table of kinds, a file for each (section 3.2)
forms        for the normal form: sparse forms and vectors
evaluate     for the forward pass: rows at a vector, largest scores
heads        what the two kinds with heads have in common
lower        all layers together: the normal form, and the forward pass
===========  =========================================================================================
"""

from .header import read_header
from .lower import lower
from .network import Network, read_network

__all__ = ["Network", "lower", "read_header", "read_network"]

"""proofs_check: an independent checker of exactgeo certificates (`FORMAT.md`, exactgeo-certificate/1).

Standard library only; nothing is shared with the program that writes certificates. The modules, in reading order:

==========  ==========================================================================================
verdict     the two ways of failing, and the table of rules
reading     bytes to lines to JSON: bounded, strict, streaming
rows        integer rows and points, kernels, corners (section 2)
network     the embedded network, read strictly (section 3)
forward     the network at one point, layer by layer: the proof that a leaf is a cell
maps        affine maps and forms in integers, composed
stages      layers as selectors with candidates
frames      a stage begun at a node: scores as forms of the input; classes; rows; the map after it
farkas      when cited rows prove emptiness, or that a form is positive (section 5)
tree        the split tree, of a template or the main one (section 4)
templates   templates and references to them (section 6)
regions     walls, separations, and the bounds lo..hi (section 7)
theorem     the network of Theorem V.7, rebuilt from its formulas
checker     all of it in order
==========  ==========================================================================================

The theorem of section 11 is what acceptance means; each module says which part of it rests on that module.
"""

from .checker import Result, check
from .verdict import RULES, Rejected, Unreadable

__all__ = ["RULES", "Rejected", "Result", "Unreadable", "check"]

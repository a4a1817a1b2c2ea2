"""proofs_check: an independent checker of exactgeo certificates (`FORMAT.md`, exactgeo-certificate/1).

Standard library only; nothing is shared with the program that writes certificates. In reading order:

==========  ==========================================================================================
core        the proof that all cells are listed: lines, rows, Farkas, stages, the tree, the claim
lowering    from the header to the stages that the core works on: all that is known of layers
extensions  templates, regions, the network of a theorem
checker     all of it together
rules       the rules that a verdict can name
==========  ==========================================================================================

The theorem of section 11 is what acceptance means; each module says which part of it rests on that module. FORMAT.md
says which word of a verdict rests on how much of this.
"""

from .checker import Result, check
from .core.verdict import Rejected, Unreadable
from .rules import RULES

__all__ = ["RULES", "Rejected", "Result", "Unreadable", "check"]

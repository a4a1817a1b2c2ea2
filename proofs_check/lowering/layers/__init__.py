"""The table of layer kinds: for each `type` how it is read (FORMAT.md, section 3.2).

A kind is one file here: its keys, its shape, its normal form, its forward pass, what it costs. To add one, write that
file and put it into the table; nothing else in the checker knows a kind by name.
"""

from ..layer import Reader
from . import attention, ffn, linear, maxout, pointwise, tropical

__all__ = ["KINDS"]

KINDS: dict[str, Reader] = linear.KINDS | pointwise.KINDS | maxout.KINDS | ffn.KINDS | attention.KINDS | tropical.KINDS

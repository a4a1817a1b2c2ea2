"""Layer kinds: one file each, registered in one table.

A kind's file says all that exactgeo knows of it: the keys of its document, the shapes that they must have, the stage
that it is lowered to, its value at a point, and what it costs the checker. ``KINDS`` lists the kinds by the name that
stands as ``type`` in a network file, in the order in which messages name them; whoever adds a kind adds its file and
its line here (CONTRIBUTING.md has the recipe, and ``proofs_check`` a table of its own).
"""

from exactgeo.network.layers import attention, ffn, linear, maxout, pointwise, tropical_attention
from exactgeo.network.layers.kind import Cost, Kind, StageLayer
from exactgeo.network.layers.linear import Linear

__all__ = ["KINDS", "Cost", "Kind", "Layer", "Linear", "StageLayer"]

Layer = Linear | StageLayer
"""A layer is an affine map or a stage."""

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        attention.KIND,
        ffn.KIND,
        linear.KIND,
        *pointwise.KINDS,
        maxout.KIND,
        tropical_attention.KIND,
    )
}

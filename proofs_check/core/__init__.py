"""The trusted core: what one has to read to trust a count of cells, given the network in selector normal form.

Some thousand lines for one person and one hour; standard library only. It imports nothing outside itself, and knows no
kind of layer: `lowering` hands it a `Model`. In reading order:

===========  =========================================================================================
verdict      the two ways of failing
limits       what a file may cost at most, in one table; the meter
reading      bytes to lines to records: bounded, strict, streaming (FORMAT.md, section 1)
rows         integer rows and points, kernels, corners (section 2)
farkas       when cited rows prove emptiness (section 5)
maps         affine maps and forms in integers, composed
stage        selectors with candidates: the normal form, and the model (section 3.2)
frames       a *frame* is a stage begun at a node: scores as forms of the input; classes; rows; the map after it
tree         the split tree: records keep every point of the domain, or are rejected (section 4)
certificate  first line to last: the records in order, the hash, the claim (section 1)
===========  =========================================================================================

The argument is section 11 of FORMAT.md; each module says which part of it rests on that module.
"""

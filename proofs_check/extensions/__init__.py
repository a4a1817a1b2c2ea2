"""What a verdict tells beyond cells that are listed.

=========  ===========================================================================================
implied    when cited rows prove that another form is positive (FORMAT.md, section 5)
templates  cells counted without being listed (section 6)
regions    affine maps, walls, separations, and the bounds lo..hi (section 7)
theorem    the network of Theorem V.7, rebuilt from its formulas (section 8)
=========  ===========================================================================================
"""

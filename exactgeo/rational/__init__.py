"""Exact numbers, integer rows, affine maps; no geometry."""

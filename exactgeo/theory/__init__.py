"""Theorems of the field as computations: constructions, bounds, and what is true."""

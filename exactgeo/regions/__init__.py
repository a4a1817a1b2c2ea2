"""Maximal linear regions: cells joined across walls where the affine map stays the same."""

from exactgeo.regions.regions import Region, Regions, linear_regions

__all__ = ["Region", "Regions", "linear_regions"]

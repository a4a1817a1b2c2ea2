"""How fast exactgeo is beside the textbook search, and the picture of the README."""

"""The native core of exactgeo; exactgeo.native is its only importer."""



version: str = ...

def self_test() -> str | None:
    """
    What is wrong with the floating-point arithmetic of the calling thread; None where all is well.
    """

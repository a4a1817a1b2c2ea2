"""The native core of exactgeo; exactgeo.native is its only importer."""

from collections.abc import Sequence


version: str = ...

def self_test() -> str | None:
    """
    What is wrong with the floating-point arithmetic of the calling thread; None where all is well.
    """

class Network:
    """
    A network and its domain as the core keeps them: exact, and in doubles. It does not change.
    """

    def __init__(self, dimension: int, rows: Sequence[Sequence[int]], stages: Sequence[tuple[Sequence[Sequence[int]], list[int], list[int], list[int], list[int], list[int]]], mapped: bool) -> None:
        """
        Rows (b, a) of the domain b + a.x >= 0. A stage is: the rows of its forms in the terms, the constant first; of each selector the number of candidates; of each candidate its score, a form, and the length of its value; the entries of all values, forms; and the bases, forms, the constant one last. If mapped, the last stage has no selectors, and its forms are the output.
        """

    @property
    def dimension(self) -> int:
        """Of the input."""

    @property
    def mapped(self) -> bool:
        """Whether the last stage is the output."""

    @property
    def depth(self) -> int:
        """How many stages have selectors."""

    def weights(self, stage: int) -> list[list[int]]:
        """The rows of a stage's forms as they were given, for tests."""

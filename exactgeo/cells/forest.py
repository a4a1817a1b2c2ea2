"""Components of numbered things, joined one pair at a time."""

__all__ = ["Forest"]


class Forest:
    """Components of positions 0, 1, ..., joined one pair at a time; the root of a component is its lowest position."""

    def __init__(self) -> None:
        self._parent: dict[int, int] = {}

    def root(self, position: int) -> int:
        parents = self._parent
        while (parent := parents.get(position, position)) != position:
            parents[position] = position = parents.get(parent, parent)
        return position

    def join(self, first: int, second: int) -> bool:
        """Join two components; false if they are one already."""
        one, two = self.root(first), self.root(second)
        self._parent[max(one, two)] = min(one, two)
        return one != two

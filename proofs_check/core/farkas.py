"""When cited rows prove that no point satisfies them all (FORMAT.md, section 5).

Part in the soundness theorem: *Prunes*. Let r_i = b_i + a_i.x be rows, each nonnegative, and positive if not zero, at
every point of a node; l_i > 0 and T = sum(l_i r_i). If T is a constant S: at a point of the node 0 <= T = S. So S < 0
is impossible; and if some a_i is not zero, its row is not zero, hence positive, and S = 0 is impossible too. No point
is left.

Multipliers that are not given are found by `kernel`; they are tested as if they had been given.
"""

from .rows import Row, kernel, values
from .verdict import Rejected, show

__all__ = ["combine", "multipliers", "refute"]


def multipliers(normals: list[Row], free: int = 0) -> list[int]:
    """The kernel vector whose entries, except the last `free` ones, are all positive; those entries only."""
    vector = kernel(normals)
    if not vector:
        raise Rejected("kernel", "", f"of the normals {show([show(normal) for normal in normals])}")
    vector = vector[: len(vector) - free]
    if max(vector) < 0:
        vector = [-value for value in vector]
    if min(vector) <= 0:
        raise Rejected("kernel-sign", "", show(vector))
    return vector


def combine(rows: list[Row], given: list[int]) -> list[int]:
    """sum(l_i r_i), after testing that the l_i are as many as the rows and positive."""
    if len(given) != len(rows) or min(given) <= 0:
        raise Rejected("multipliers", "", f"{show(given)} for {len(rows)} rows")
    return values(zip(*rows, strict=True), given)


def refute(rows: list[Row], given: list[int] | None) -> None:
    """Rejected unless the rows, with the multipliers given or found, exclude every point."""
    normals = [row[1:] for row in rows]
    constant, *normal = combine(rows, multipliers(normals) if given is None else given)
    if any(normal):
        raise Rejected("farkas-normal", "", show(normal))
    if constant > 0:
        raise Rejected("farkas-constant", "", show(constant))
    if constant == 0 and not any(map(any, normals)):
        raise Rejected("farkas-proviso", "", "only constant rows, and S = 0")

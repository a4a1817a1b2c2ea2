"""What cited rows prove: that no point satisfies them all, or that another form is positive (FORMAT.md, section 5).

Part in the soundness theorem: *Prunes, Templates, Separations*. Let r_i = b_i + a_i.x be rows, each nonnegative, and
positive if not zero, at every point of a node; l_i > 0 and T = sum(l_i r_i).
- If T is a constant S: at a point of the node 0 <= T = S. So S < 0 is impossible; and if some a_i is not zero, its row
  is not zero, hence positive, and S = 0 is impossible too. No point is left.
- If mu g = T + c with mu > 0 and c >= 0, and g is not constant: then some a_i is not zero, its row is positive, and so
  is g.

Multipliers that are not given are found by `kernel`; they are tested as if they had been given.
"""

from __future__ import annotations

from .rows import Row, kernel, values
from .verdict import Rejected, show

__all__ = ["combine", "implied", "multipliers", "refute", "remainder"]


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


def remainder(total: list[int], form: Row) -> tuple[int, int] | None:
    """With total - mu form a constant r: integers with the signs of mu and of r. None if no mu makes it constant.

    The form is not constant: mu = T_i/f_i for some i, and r = T_0 - mu f_0; both are multiplied by f_i^2 or by |f_i|.
    """
    i = next(i for i, value in enumerate(form) if i and value)
    if any(total[j] * form[i] != total[i] * form[j] for j in range(1, len(form))):
        return None
    return total[i] * form[i], (total[0] * form[i] - total[i] * form[0]) * (1 if form[i] > 0 else -1)


def implied(form: Row, rows: list[Row], given: list[int] | None) -> None:
    """Rejected unless the form is positive where the rows are, by the multipliers given or found."""
    normal = form[1:]
    if not any(normal):
        if rows:
            raise Rejected("implied-normal", "", "rows cited for a constant")
        if form[0] <= 0:
            raise Rejected("implied-constant", "", show(form[0]))
        return
    if not rows:
        raise Rejected("implied-normal", "", f"no rows cited for {show(form)}")
    if given is None:  # of one row, any multiple will do
        up = tuple([-value for value in normal])
        given = [1] if len(rows) == 1 else multipliers([*[row[1:] for row in rows], up])[:-1]
    total = combine(rows, given)
    found = remainder(total, form)
    if found is None or found[0] <= 0:
        raise Rejected("implied-normal", "", f"form {show(form)}, sum {show(total)}")
    if found[1] > 0:
        raise Rejected("implied-constant", "", f"form {show(form)}, sum {show(total)}")

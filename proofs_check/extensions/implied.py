"""What cited rows prove beside emptiness: that another form is positive (FORMAT.md, section 5, *Implied rows*).

Part in the soundness theorem: *Templates, Separations*. Let r_i be rows, each nonnegative, and positive if not zero, at
every point of a set; l_i > 0 and T = sum(l_i r_i). If mu g = T + c with mu > 0 and c >= 0, and g is not constant: then
the normal of some r_i is not zero, its row is positive, and so is g.
"""

from ..core.farkas import combine, multipliers
from ..core.rows import Row
from ..core.verdict import Rejected, show

__all__ = ["implied", "remainder"]


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

"""The two ways of failing; `proofs_check.rules` tells the rules that they name.

REJECTED: a well-formed file that is no proof. UNREADABLE: not such a file. What can be seen without the network and
without the tree (bytes, JSON, the shape of a record, limits, the network itself) is a matter of reading; everything
else is a matter of proof.
"""

__all__ = ["Rejected", "Unreadable", "show"]


class _Failure(Exception):
    """`rule` at `place`: `detail`. The place may be filled in by a caller who knows the line."""

    def __init__(self, rule: str, place: str, detail: str) -> None:
        super().__init__(rule, place, detail)
        self.rule, self.place, self.detail = rule, place, detail


class Rejected(_Failure):
    """A well-formed file that is no proof."""


class Unreadable(_Failure):
    """Not a certificate."""


def show(value: object, width: int = 160) -> str:
    """Numbers for a message: ASCII, one line, of bounded length whatever the size of the integers."""
    if isinstance(value, (list, tuple)):
        text = "(" + ", ".join(map(_entry, value[:20])) + (", ...)" if len(value) > 20 else ")")
    else:
        text = _entry(value)
    return text if len(text) <= width else text[: width - 4] + " ..."


def _entry(value: object) -> str:
    if isinstance(value, int) and value.bit_length() > 1000:  # decimal output of a huge integer is slow
        return f"an integer of {value.bit_length()} bits"
    if isinstance(value, str) and value.isascii() and value.isprintable():
        return value
    return ascii(value)

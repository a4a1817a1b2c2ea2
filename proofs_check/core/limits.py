"""The table of limits, and the meter that counts what a certificate costs (FORMAT.md, section 9).

Part in the soundness theorem: none. Where more is needed than a limit allows, the file is unreadable, and no count is
told. So no file, however made, costs much more time or memory than a checker should spend. Every limit is asked before
the step that it protects. Steps, bytes and digits that add up over a file are counted by one `Meter`.

The same table stands in FORMAT.md; a test compares them.
"""

from collections import Counter
from typing import NamedTuple

from .verdict import Unreadable

__all__ = ["LIMITS", "Limit", "Meter", "demand", "exceeded"]


class Limit(NamedTuple):
    """At `most` so many of `what`; beyond that, unreadable by `rule`. Without a rule nothing is refused."""

    most: int
    rule: str
    what: str


LIMITS: dict[str, Limit] = {
    # the file: bytes of its header or of a network file, and of a record; digits of an integer, and in the claim
    "HEADER": Limit(8_000_000, "limit-line", "bytes"),
    "RECORD": Limit(1_000_000, "limit-line", "bytes"),
    "DIGITS": Limit(4000, "limit-digits", "digits"),
    "CLAIM_DIGITS": Limit(100_000, "limit-digits", "digits"),
    "NESTING": Limit(16, "limit-nesting", "deep"),
    "VALUES": Limit(400_000, "limit-values", "entries of lists and objects in the header"),
    "KEYS": Limit(50_000, "limit-values", "keys in the header"),
    "STRINGS": Limit(450_000, "limit-values", "strings in the header"),
    "LARGE": Limit(
        1_000_000, "limit-network", "in all digits of numbers from 100 digits on, and exponents from 100 on"
    ),
    # the network, and what is made of it
    "INPUT_DIM": Limit(1000, "network-number", "dimensions of the input"),
    "EXPONENT": Limit(4000, "network-number", "in an exponent, or in its negative"),
    "DENOMINATOR_BITS": Limit(50_000, "limit-network", "bits of the common denominator of a matrix"),
    "MATRIX_BITS": Limit(100_000_000, "limit-network", "bits of common denominators times entries, of all matrices"),
    "CANDIDATES": Limit(20_000, "limit-network", "candidates of all stages"),
    "INTEGERS": Limit(350_000, "limit-network", "integers of all stages, or of what is made at once"),
    "STAGE_BITS": Limit(50_000_000, "limit-network", "bits of all stages, or of what is made at once"),
    "STEPS": Limit(5_000_000, "limit-network", "steps, of four products or of 64 bits, to make the stages"),
    "ENTRY_BITS": Limit(100_000, "limit-network", "bits of an entry of a map, with its denominator"),
    # the tree
    "PULLED": Limit(600_000, "limit-network", "integers in the scores and maps of a path, or in the first map"),
    "PRODUCTS": Limit(40_000_000, "limit-network", "products to find the scores and maps of a path"),
    "PULLED_BITS": Limit(200_000_000, "limit-network", "bits of the scores and maps of a path"),
    "UNKNOWNS": Limit(64, "limit-kernel", "vectors to solve for at once"),
    "WORK": Limit(10_000_000, "limit-kernel", "for n^2 m (1 + (nb/500)^2), of n vectors of m entries of b bits"),
    "FREE": Limit(6, "", "vectors to solve for without a look at WORK"),
    "BOUNDED": Limit(31, "limit-bounds", "dimensions of a B record"),
    "PAIRS": Limit(1_000_000, "limit-bounds", "pairs of classes that a B record compares"),
    "SUMS": Limit(4_000_000, "", "bytes of partial sums of maps that are kept for a path"),
    "ROWS": Limit(100_000, "", "integers of rows that are kept for a stage begun"),
    # templates and regions
    "TEMPLATES": Limit(10_000, "limit-templates", "templates"),
    "TEMPLATE_INTEGERS": Limit(400_000, "limit-templates", "integers in T records"),
    "TEMPLATE_BYTES": Limit(10_000_000, "limit-templates", "bytes of T records"),
    "TEMPLATE_BITS": Limit(100_000_000, "limit-templates", "bits in the numbers of cells of templates"),
    "CHART": Limit(250_000, "limit-templates", "entries of a chart"),
    "CHART_BITS": Limit(100_000_000, "limit-templates", "bits of the common denominator of a chart times its entries"),
    "FRAMES": Limit(400_000, "", "integers of stages begun that are kept for the rows of leaves"),
}


def exceeded(name: str, place: str = "") -> Unreadable:
    """The failure of a file that goes beyond a limit."""
    limit = LIMITS[name]
    return Unreadable(limit.rule, place, f"more than {limit.most} {limit.what}")


def demand(name: str, amount: int, place: str = "") -> None:
    """Unreadable if the amount is beyond the limit."""
    if amount > LIMITS[name].most:
        raise exceeded(name, place)


class Meter:
    """What one check has cost so far, by the names of limits."""

    def __init__(self) -> None:
        self.spent: Counter[str] = Counter()

    def spend(self, name: str, amount: int) -> None:
        """So much more is needed; unreadable if that is beyond the limit in all."""
        self.spent[name] += amount
        demand(name, self.spent[name])

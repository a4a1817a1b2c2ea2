"""Walls from the arrays of listed cells, compiled: facets, which of them coincide, and which of the others overlap.

**Facets.** A cell is a pointed cone given by its extreme rays, each with the set of rows that vanish on it. The rays on
a row span a face, and faces are ordered as their sets of rays are. The *closure* of row k is the set of rows that
vanish on all rays of k: on(k) is a subset of on(j) iff j is in the closure of k. So k is a facet iff k is in the
closure of every row of its own closure: nothing larger contains its face. All of these are one facet, named by the
lowest row.

**Face to face.** Rays are divided by their common divisors and get numbers; two facets are the same set iff they have
the same numbers. Hashes only say where to look; integers and sets of numbers are compared.

**Across a selector.** Cells that are too long to be listed with their rays are matched by their patterns, where that is
enough: see ``_flip``.

**The rest.** A facet that has no twin lies on the boundary of the domain, or its other side is cut differently. Two
facets F and G of cells on opposite sides of one hyperplane h meet in dimension d-1 iff they have a common relative
interior point. They have none iff some form is >= 0 on F, <= 0 on G, and not zero on both. In dimension d <= 3 such
a form is among the rows of the two cells: F - G, as a cone in h, which has at most three dimensions, is not all of h.
If it is pointed, its facets are spanned by two rays each: both of F, both of -G, or one of each; F and -G are separated
by x_0 = 0, hence at most two of the facets are of the mixed kind, but there are at least three. If it has a line, one
of its facets contains two independent rays of F or two of G as well. A facet of F - G that contains two rays of F
contains an edge of F, where some other row of its cell vanishes. With fewer dimensions every form is a row. In more
dimensions the rows may refute, a common point may prove, and what remains is for a linear program.

**Signs.** Rows are integers below 2^62. A ray is either given by its integers, also below 2^62, and then the sign of
row . ray is computed with 128 bits where 64 and floats do not suffice. Or it is longer, and given by d rows: its
coordinates are minors, known as floats with a proved error. If the float product is beyond its error its sign is right;
otherwise the product, a determinant, is zero iff it is zero modulo several primes whose product exceeds twice a bound
on it. What remains is *undecided* and is handed back.

No function of ``cells.kernel`` is used, since what numba keeps of a function is made anew only if that function's own
file has changed.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = [
    "APART",
    "MEET",
    "MOST_RAYS",
    "OPEN",
    "Bodies",
    "Facets",
    "Forms",
    "Long",
    "Match",
    "Rows",
    "Scratch",
    "Within",
    "axes",
    "boxes",
    "find_rays",
    "match",
    "name",
    "pull",
    "sweep",
]

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]
Floats = NDArray[np.float64]

MOST_RAYS = 1024
"""Rays of a cell whose rays are found from its rows."""

WHOLE = 4.6e18  # just below 2^62
HUGE = 1e300
UNIT = 2.0**-52
# The largest primes below 2^31.
PRIMES = np.array(
    [2147483647, 2147483629, 2147483587, 2147483579, 2147483563, 2147483549, 2147483543, 2147483497, 2147483489],
    np.int64,
)
MIX = np.uint64(0x9E3779B97F4A7C15)

_OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "_nrt": False}
_compiled = njit(**_OPTIONS)
_small = njit(**_OPTIONS, inline="always")


# Whether two facets meet in dimension d-1.
APART, MEET, OPEN = 0, 1, 2


class Bodies(NamedTuple):
    """Cells one after the other: where the rows and the rays of each begin, and the rows that vanish on each ray."""

    first_row: Ints  # cell + 1
    first_ray: Ints  # cell + 1; a cell without rays is passed over
    tight: Words  # ray: rows of its cell, by bits


class Forms(NamedTuple):
    """Stages pulled back to the cell at hand; see ``kernel.Levels``."""

    inner: Ints  # stage x (1 + inputs) x D
    rows: Ints  # stage x form x D
    size: Floats  # stage x form: sum of absolute values
    low: Ints  # stage x (first candidate + class): lowest candidate, counted from there
    class_of: Ints  # stage x candidate
    members: Ints  # stage x (first candidate + class): how many
    values: Ints  # value x D
    whole: Ints  # stage: 1 if it is there and all its integers are true


class Match(NamedTuple):
    """Rows matched across the selectors of the last stage."""

    twin: Ints  # row: the same row of the cell beyond; -2 where no cell is beyond, -1 where this cannot be told
    own: Ints  # row: the group of selectors that change there
    code: Words  # row: a hash of the pattern without that group
    table: Ints  # slot x (row, cell)
    group: Ints  # selector: the first one with the same hyperplane


class Long(NamedTuple):
    """Rays for signs: integers, or d rows and floats."""

    ints: Ints  # ray x D
    floats: Floats  # ray x D
    size: Floats  # ray: the largest absolute value of a coordinate, or more
    error: Floats  # ray: of any coordinate's float
    chosen: Ints  # ray x d: rows that vanish on it; -1 where the integers are true


class Rows(NamedTuple):
    """The rows of the wanted cells."""

    ints: Ints  # row x D, primitive
    size: Floats  # row: the sum of absolute values; -1 where the integers are too long
    plane: Ints  # row: the first row with the same hyperplane
    canonical: Ints  # row x D: its hyperplane in canonical form


class Facets(NamedTuple):
    """Facets without a twin."""

    cell: Ints
    row: Ints
    plane: Ints
    side: Ints  # 1 or -1
    low: Floats  # facet x d: a box that contains it
    high: Floats


class Within(NamedTuple):
    """Room for the rows of two cells inside a hyperplane, and their rays."""

    rows: Rows
    rays: Long
    tight: Words


class Scratch(NamedTuple):
    square: Ints  # D x (D + 1)
    chosen: Ints  # D
    sign: Ints  # MOST_RAYS
    int_minor: Ints  # 2^D
    float_minor: Floats
    size_minor: Floats
    closure: Words  # 64
    used: Ints  # rays of two facets
    weight: Floats  # of each
    upper: Ints  # facets that a sweep has in hand, on the one side
    lower: Ints  # and on the other


@_small
def _bits(word: Any) -> Any:
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@_small
def _lowest(word: Any) -> Any:
    return _bits((word & (~word + np.uint64(1))) - np.uint64(1))


@_small
def _bit(place: Any) -> Any:
    return np.uint64(1) << np.uint64(place)


@_compiled
def _gcd(first: Any, second: Any) -> Any:
    while second:
        first, second = second, first % second
    return first


@_compiled
def _reduce(row: Any) -> None:
    """Divide by the greatest common divisor."""
    divisor = np.int64(0)
    for k in range(row.shape[0]):
        divisor = _gcd(abs(row[k]), divisor)
        if divisor == 1:
            return
    if divisor > 1:
        for k in range(row.shape[0]):
            row[k] //= divisor


@_compiled
def _number(rows: Any, at: Any, table: Any) -> Any:
    """The place of the first row that is the same as row ``at``, by a table of places, a power of two long."""
    code = np.uint64(0)
    for k in range(rows.shape[1]):
        code = (code ^ np.uint64(rows[at, k])) * MIX
        code ^= code >> np.uint64(29)
    mask = table.shape[0] - 1
    slot = np.int64(code >> np.uint64(7)) & mask
    while table[slot] >= 0:
        other = table[slot]
        same = True
        for k in range(rows.shape[1]):
            if rows[other, k] != rows[at, k]:
                same = False
                break
        if same:
            return other
        slot = (slot + 1) & mask
    table[slot] = at
    return at


@_compiled
def _closures(tight: Any, first: Any, last: Any, closure: Any) -> Any:
    """For each row the rows that vanish on all its rays; the union of all."""
    used = np.uint64(0)
    for k in range(64):
        closure[k] = ~np.uint64(0)
    for i in range(first, last):
        left = tight[i]
        used |= left
        while left:
            closure[_lowest(left)] &= tight[i]
            left &= left - np.uint64(1)
    return used


@_compiled
def _is_facet(closure: Any, k: Any) -> Any:
    """Whether row k is a facet of the cone and the lowest of its rows."""
    left = closure[k]
    bit = _bit(k)
    if left & (bit - np.uint64(1)):
        return False
    while left:
        if not closure[_lowest(left)] & bit:
            return False
        left &= left - np.uint64(1)
    return True


@_compiled
def match(
    bodies: Any,
    origin: Any,
    rays: Any,
    reduced: Any,
    number: Any,
    tables: Any,
    stamp: Any,
    code: Any,
    closure: Any,
    start: Any,
    cell: Any,
    row: Any,
    mate: Any,
) -> Any:
    """The facets of all cells: cell and row of each, and the facet that is the same set, or -1; -1 for a third one.

    ``rays`` are as the kernel has listed them, not yet divided by common divisors.
    """
    raw, canonical, facets = tables
    count = 0
    found = np.int64(0)
    for c in range(bodies.first_ray.shape[0] - 1):
        start[c] = found
        first, last = bodies.first_ray[c], bodies.first_ray[c + 1]
        if first == last:
            continue
        for i in range(first, last):
            known = _number(rays, i, raw)
            if known < i:
                number[i] = number[known]
                continue
            for k in range(rays.shape[1]):
                reduced[count, k] = rays[i, k]
            _reduce(reduced[count])
            number[i] = _number(reduced, count, canonical)
            count += 1
        used = _closures(bodies.tight, first, last, closure)
        while used:
            k = _lowest(used)
            used &= used - np.uint64(1)
            place = bodies.first_row[c] + k
            # Row 0 of the cone that came in is infinity: no facet of the polyhedron.
            if not _is_facet(closure, k) or (origin[place, 0] == -1 and origin[place, 1] == 0):
                continue
            cell[found], row[found], mate[found] = c, place, -1
            sum_ = np.uint64(0)
            size = 0
            for i in range(first, last):
                if bodies.tight[i] >> np.uint64(k) & np.uint64(1):
                    x = np.uint64(number[i] + 1) * MIX
                    x ^= x >> np.uint64(31)
                    sum_ += x * MIX
                    stamp[number[i]] = found
                    size += 1
            code[found] = sum_
            mask = facets.shape[0] - 1
            slot = np.int64((sum_ ^ (sum_ >> np.uint64(32))) & np.uint64(mask))
            while facets[slot] >= 0:
                other = facets[slot]
                if code[other] == sum_:
                    at = cell[other]
                    bit = _bit(row[other] - bodies.first_row[at])
                    same, others = True, 0
                    for i in range(bodies.first_ray[at], bodies.first_ray[at + 1]):
                        if bodies.tight[i] & bit:
                            others += 1
                            if stamp[number[i]] != found:
                                same = False
                                break
                    if same and others == size:
                        if mate[other] >= 0:
                            return -1
                        mate[other] = found
                        mate[found] = other
                        break
                slot = (slot + 1) & mask
            if facets[slot] < 0:
                facets[slot] = found
            found += 1
    start[bodies.first_ray.shape[0] - 1] = found
    return found


# -- rows --------------------------------------------------------------------------------------------------------------


@_compiled
def _forms(net: Any, forms: Any, s: Any) -> Any:
    """Pull the forms of stage s back along ``inner`` and group its candidates; false where 62 bits do not suffice."""
    width = forms.rows.shape[2]
    most = 0.0
    for m in range(net.sizes[s, 2] + 1):
        for k in range(width):
            most = max(most, abs(np.float64(forms.inner[s, m, k])))
    for f in range(net.sizes[s, 0]):
        if net.forms_size[s, f] * most >= WHOLE:
            return False
        size = 0.0
        for k in range(width):
            total = np.int64(0)
            for c in range(net.sizes[s, 2] + 1):
                total += net.forms[s, f, c] * forms.inner[s, c, k]
            forms.rows[s, f, k] = total
            size += abs(np.float64(total))
        forms.size[s, f] = size
    for g in range(net.sizes[s, 1]):
        start = net.start[s, g]
        found = 0
        for j in range(start, net.start[s, g + 1]):
            own = -1
            for c in range(found):
                same = True
                other = net.score[s, start + forms.low[s, start + c]]
                for k in range(width):
                    if forms.rows[s, net.score[s, j], k] != forms.rows[s, other, k]:
                        same = False
                        break
                if same:
                    own = c
                    break
            if own < 0:
                own = found
                forms.low[s, start + own] = j - start
                forms.members[s, start + own] = 0
                found += 1
            forms.class_of[s, j] = own
            forms.members[s, start + own] += 1
    return True


@_compiled
def _compose(net: Any, forms: Any, s: Any, names: Any) -> Any:
    """The map after stage s, where ``names`` are the lowest members of the winners; false beyond 62 bits."""
    width = forms.rows.shape[2]
    mean = np.int64(1)
    for g in range(net.sizes[s, 1]):
        start = net.start[s, g]
        number = forms.members[s, start + forms.class_of[s, start + names[g]]]
        mean = mean // _gcd(mean, number) * number
        if mean > 1 << 20:
            return False
    at = 0
    most = 0.0
    for g in range(net.sizes[s, 1]):
        start = net.start[s, g]
        w = forms.class_of[s, start + names[g]]
        share = mean // forms.members[s, start + w]
        for entry in range(net.lengths[s, g]):
            total_size = 0.0
            for k in range(width):
                forms.values[at, k] = 0
            for j in range(start, net.start[s, g + 1]):
                if forms.class_of[s, j] == w:
                    form = net.values[s, j, entry]
                    total_size += share * forms.size[s, form]
                    if total_size >= WHOLE:
                        return False
                    for k in range(width):
                        forms.values[at, k] += share * forms.rows[s, form, k]
            most = max(most, total_size)
            at += 1
    inner_most = 0.0
    for m in range(net.sizes[s, 2] + 1):
        for k in range(width):
            inner_most = max(inner_most, abs(np.float64(forms.inner[s, m, k])))
    base_scale = net.scales[s, 0]
    if np.float64(net.scales[s, 1]) * np.float64(net.scales[s, 2]) * np.float64(mean) >= WHOLE:
        return False
    mix_scale = net.scales[s, 1] * net.scales[s, 2] * mean
    shared = _gcd(base_scale, mix_scale)
    base_factor, mix_factor = mix_scale // shared, base_scale // shared
    if np.float64(base_factor) * np.float64(base_scale) >= WHOLE:
        return False
    scale = base_factor * base_scale
    if np.float64(scale) * np.float64(forms.inner[s, 0, 0]) >= WHOLE:
        return False
    t = s + 1
    divisor = scale * forms.inner[s, 0, 0]
    forms.inner[t, 0, 0] = divisor
    for k in range(1, width):
        forms.inner[t, 0, k] = 0
    for m in range(net.sizes[s, 3]):
        # In floats before any integer is multiplied: every partial sum stays below 2^62.
        if net.base_size[s, m] * inner_most * base_factor + net.mix_size[s, m] * most * mix_factor >= WHOLE:
            return False
        for k in range(width):
            total = np.int64(0)
            for c in range(net.sizes[s, 2] + 1):
                total += net.base[s, m, c] * forms.inner[s, c, k]
            total *= base_factor
            mixed = np.int64(0)
            for c in range(at):
                mixed += net.mix[s, m, c] * forms.values[c, k]
            total += mixed * mix_factor
            forms.inner[t, m + 1, k] = total
            if divisor > 1:
                divisor = _gcd(divisor, abs(total))
    if divisor > 1:
        for m in range(net.sizes[s, 3] + 1):
            for k in range(width):
                forms.inner[t, m, k] //= divisor
    return True


@_compiled
def pull(
    net: Any,
    forms: Any,
    columns: Any,
    pattern: Any,
    wanted: Any,
    first_row: Any,
    origin: Any,
    node_first: Any,
    node_rows: Any,
    node_size: Any,
    rows: Any,
    size: Any,
    parent: Any,
    asked: Any,
    match: Any,
    gaps: Any,
) -> Any:
    """The integers of the rows of the wanted cells, primitive, and their sums of absolute values; -1 beyond 62 bits.

    A row is named by its origin: see ``listed.rows_of``. Stages are pulled back along the path to the cell, as far as
    it differs from that of the cell before. On the way the rows that are asked for are matched across their selectors.
    False if two cells are beyond a row.
    """
    width = rows.shape[1]
    stages = columns.shape[0] - 1
    last = 0
    while columns[last + 1] < pattern.shape[1]:
        last += 1
    flips = 0  # 1 if selectors of the last stage are grouped, 2 if they cannot be
    valid = 0  # stages that are pulled back, or known not to fit
    before = -1
    for c in range(wanted.shape[0]):
        if not wanted[c]:
            continue
        if before >= 0:
            for s in range(stages):
                if s + 1 >= valid or columns[s + 1] > pattern.shape[1]:
                    break
                same = True
                for column in range(columns[s], columns[s + 1]):
                    if pattern[c, column] != pattern[before, column]:
                        same = False
                        break
                if not same:
                    valid = s + 1
                    break
        if valid <= last:
            flips = 0
        before = c
        fits = True
        for r in range(first_row[c], first_row[c + 1]):
            level, g = np.int64(origin[r, 0]), np.int64(origin[r, 1])
            size[r] = -1.0
            if level < 0:
                at = node_first[c] + g
                for k in range(width):
                    rows[r, k] = node_rows[at, k]
                size[r] = node_size[at]
                fits = fits and size[r] > 0.0
                continue
            while valid <= level:
                s = valid
                if s == 0:
                    for m in range(width):
                        for k in range(width):
                            forms.inner[0, m, k] = 1 if m == k else 0
                    forms.whole[0] = net.sizes[0, 5]
                else:
                    forms.whole[s] = forms.whole[s - 1]
                    if forms.whole[s]:
                        forms.whole[s] = net.sizes[s, 5]
                    if forms.whole[s] and not _compose(net, forms, s - 1, pattern[c, columns[s - 1] : columns[s]]):
                        forms.whole[s] = 0
                if forms.whole[s] and not _forms(net, forms, s):
                    forms.whole[s] = 0
                valid += 1
            if not forms.whole[level]:
                fits = False
                continue
            start = net.start[level, g]
            one = net.score[level, start + forms.low[level, start + origin[r, 2]]]
            two = net.score[level, start + forms.low[level, start + origin[r, 3]]]
            if forms.size[level, one] + forms.size[level, two] >= WHOLE:
                fits = False
                continue
            for k in range(width):
                difference = forms.rows[level, one, k] - forms.rows[level, two, k]
                rows[r, k] = -difference if origin[r, 4] else difference
            _reduce(rows[r])
            total = 0.0
            for k in range(width):
                total += abs(np.float64(rows[r, k]))
            size[r] = total
        if not fits or valid <= last or not forms.whole[last]:
            continue
        if flips == 0:
            flips = 1 if _group(net, forms, last, match.group, gaps) else 2
        if flips == 1 and not _flip(
            rows, pattern, columns[last], columns[last + 1], c, last, first_row, origin, parent, asked, match, gaps
        ):
            return False
    return True


@_compiled
def _group(net: Any, forms: Any, s: Any, group: Any, gaps: Any) -> Any:
    """Group the selectors of a stage by the hyperplanes where they change: all have at most two classes, else false.

    A selector with one class is alone; ``group`` is the first selector with the same hyperplane.
    """
    width = forms.rows.shape[2]
    for g in range(net.sizes[s, 1]):
        start = net.start[s, g]
        two = -1
        for j in range(start, net.start[s, g + 1]):
            if forms.class_of[s, j] > 1:
                return False
            if forms.class_of[s, j] == 1 and two < 0:
                two = j
        group[g] = g
        if two < 0:
            for k in range(width):
                gaps[g, k] = 0
            continue
        one, other = net.score[s, start], net.score[s, two]
        if forms.size[s, one] + forms.size[s, other] >= WHOLE:
            return False
        side = 0
        for k in range(width):
            gaps[g, k] = forms.rows[s, other, k] - forms.rows[s, one, k]
            if side == 0 and k > 0 and gaps[g, k]:
                side = 1 if gaps[g, k] > 0 else -1
        _reduce(gaps[g])
        for k in range(width):
            gaps[g, k] *= side
        if side == 0:
            continue
        for h in range(g):
            same = True
            for k in range(width):
                if gaps[g, k] != gaps[h, k]:
                    same = False
                    break
            if same:
                group[g] = h
                break
    return True


@_compiled
def _flip(
    rows: Any,
    pattern: Any,
    low: Any,
    high: Any,
    c: Any,
    last: Any,
    first_row: Any,
    origin: Any,
    parent: Any,
    asked: Any,
    match: Any,
    gaps: Any,
) -> Any:
    """Match the rows of cell c with those of the cells beyond, in the same parent.

    Where every selector has at most two classes, two cells of one parent share a wall on h iff their patterns differ in
    all selectors that change on h and in no other: on the segment between them all other selectors stay the same, so
    that the point where it meets h is inside every other row of both. Columns ``low`` to ``high`` are the last stage.
    A row of the cone that came in may be a selector's too; if it has no twin, it may as well bound the parent.
    """
    width = gaps.shape[1]
    mask = match.table.shape[0] - 1
    whole = np.uint64(parent[c] + 1) * MIX
    for g in range(high - low):
        x = np.uint64(g * 64 + pattern[c, low + g] + 1) * MIX
        x ^= x >> np.uint64(31)
        whole += x * MIX
    for r in range(first_row[c], first_row[c + 1]):
        if not asked[r]:
            continue
        own = np.int64(-1)
        if origin[r, 0] == last:
            own = match.group[origin[r, 1]]
        elif origin[r, 0] == -1:
            side = 0
            for k in range(1, width):
                if rows[r, k]:
                    side = 1 if rows[r, k] > 0 else -1
                    break
            for g in range(high - low):
                same = side != 0 and match.group[g] == g
                for k in range(width):
                    if gaps[g, k] != side * rows[r, k]:
                        same = False
                        break
                if same:
                    own = np.int64(g)
                    break
        match.own[r] = own
        if own < 0:
            continue
        again = False
        for other in range(first_row[c], r):
            again = again or (asked[other] and match.own[other] == own)
        match.twin[r] = -2 if again or origin[r, 0] == last else -1
        if again:  # the same hyperplane, by another selector
            continue
        rest = whole + np.uint64(own + 1) * MIX
        for g in range(own, high - low):
            if match.group[g] == own:
                x = np.uint64(g * 64 + pattern[c, low + g] + 1) * MIX
                x ^= x >> np.uint64(31)
                rest -= x * MIX
        match.code[r] = rest
        slot = np.int64((rest ^ (rest >> np.uint64(32))) & np.uint64(mask))
        while match.table[slot, 0] >= 0:
            other, cell = match.table[slot, 0], match.table[slot, 1]
            if match.code[other] == rest and parent[cell] == parent[c] and match.own[other] == own:
                same = True
                for g in range(high - low):
                    if (match.group[g] != own) != (pattern[c, low + g] == pattern[cell, low + g]):
                        same = False
                        break
                if same:
                    if match.twin[other] >= 0:
                        return False
                    match.twin[other] = r
                    match.twin[r] = other
                    break
            slot = (slot + 1) & mask
        if match.table[slot, 0] < 0:
            match.table[slot, 0], match.table[slot, 1] = r, c
    return True


# -- signs -------------------------------------------------------------------------------------------------------------


@_compiled
def _exact(row: Any, ray: Any) -> Any:
    """The sign of row . ray in 128 bits, the row's sum of absolute values and each entry of the ray being below 2^62.

    Each product is high * 2^64 + low with low in [0, 2^64): the lows are added with carries.
    """
    high, low = np.int64(0), np.uint64(0)
    for k in range(row.shape[0]):
        a, b = np.uint64(abs(row[k])), np.uint64(abs(ray[k]))
        if a == np.uint64(0) or b == np.uint64(0):
            continue
        a1, a0 = a >> np.uint64(32), a & np.uint64(0xFFFFFFFF)
        b1, b0 = b >> np.uint64(32), b & np.uint64(0xFFFFFFFF)
        middle = (a0 * b0 >> np.uint64(32)) + a1 * b0  # below 2^63
        other = a0 * b1 + (middle & np.uint64(0xFFFFFFFF))
        top = np.int64(a1 * b1 + (middle >> np.uint64(32)) + (other >> np.uint64(32)))  # below 2^60
        bottom = a * b
        if (row[k] < 0) != (ray[k] < 0):
            # -(top 2^64 + bottom) = (-top - 1) 2^64 + (2^64 - bottom), where bottom is not 0.
            top = -top
            if bottom != np.uint64(0):
                top -= 1
                bottom = ~bottom + np.uint64(1)
        total = low + bottom
        if total < low:
            high += 1
        low = total
        high += top
    if high < 0:
        return -1
    return 1 if high > 0 or low != np.uint64(0) else 0


@_compiled
def _inverse(value: Any, prime: Any) -> Any:
    """By Fermat."""
    result, exponent = np.int64(1), np.int64(prime - 2)
    while exponent:
        if exponent & 1:
            result = result * value % prime
        value = value * value % prime
        exponent >>= 1
    return result


@_compiled
def _vanishes(rows: Any, size: Any, chosen: Any, own: Any, own_size: Any, square: Any) -> Any:
    """Whether the determinant of the chosen rows and the row ``own`` is proved to be zero."""
    width = rows.shape[1]
    bound = 2.0 * own_size
    for k in range(width - 1):
        bound *= size[chosen[k]]
    covered = 1.0
    for prime in PRIMES:
        for r in range(width):
            for k in range(width):
                square[r, k] = (rows[chosen[r], k] if r < width - 1 else own[k]) % prime
        zero = False
        for column in range(width):
            pivot = -1
            for r in range(column, width):
                if square[r, column]:
                    pivot = r
                    break
            if pivot < 0:
                zero = True
                break
            for k in range(width):
                square[pivot, k], square[column, k] = square[column, k], square[pivot, k]
            lead = square[column, column]
            for r in range(column + 1, width):
                factor = square[r, column]
                if factor:
                    for k in range(column, width):
                        square[r, k] = (
                            lead * square[r, k] % prime + prime - factor * square[column, k] % prime
                        ) % prime
        if not zero:
            return False
        covered *= 2147000000.0
        if covered > bound:
            return True
    return False


@_compiled
def _sign(rows: Any, r: Any, rays: Any, i: Any, square: Any) -> Any:
    """The sign of row r on ray i, 2 where it is undecided."""
    width = rows.ints.shape[1]
    size = rows.size[r]
    short = rays.chosen[i, 0] < 0
    if short and size * rays.size[i] < WHOLE:
        total = np.int64(0)
        for k in range(width):
            total += rows.ints[r, k] * rays.ints[i, k]
        return 1 if total > 0 else (-1 if total < 0 else 0)
    if not size * rays.size[i] < HUGE:
        return 2
    value = 0.0
    for k in range(width):
        value += np.float64(rows.ints[r, k]) * rays.floats[i, k]
    error = size * (rays.error[i] + (width + 4) * UNIT * rays.size[i])
    if value > error:
        return 1
    if value < -error:
        return -1
    if short:
        return _exact(rows.ints[r], rays.ints[i])
    for k in range(width - 1):
        if rows.plane[rays.chosen[i, k]] == rows.plane[r]:
            return 0
    return 0 if _vanishes(rows.ints, rows.size, rays.chosen[i], rows.ints[r], size, square) else 2


# -- rays from rows ----------------------------------------------------------------------------------------------------


@_compiled
def _independent(rows: Any, first: Any, among: Any, wanted: Any, chosen: Any, square: Any) -> Any:
    """Choose up to ``wanted`` independent rows by elimination modulo a prime: independent there, they are so."""
    width = rows.ints.shape[1]
    prime = PRIMES[0]
    found = 0
    while among and found < wanted:
        row = first + _lowest(among)
        among &= among - np.uint64(1)
        for k in range(width):
            square[found, k] = rows.ints[row, k] % prime
        for other in range(found):
            factor = square[found, square[other, width]]
            if factor:
                for k in range(width):
                    square[found, k] = (square[found, k] - factor * square[other, k]) % prime
        lead = -1
        for k in range(width):
            if square[found, k]:
                lead = k
                break
        if lead < 0:
            continue
        inverse = _inverse(square[found, lead], prime)
        for k in range(width):
            square[found, k] = square[found, k] * inverse % prime
        square[found, width] = lead
        chosen[found] = row
        found += 1
    return found


@_compiled
def _minors(rows: Any, rays: Any, i: Any, sc_int: Any, sc_float: Any, sc_size: Any) -> Any:
    """Ray i from its chosen rows, up to sign: coordinate k is (-1)^k times the minor without column k.

    Entry S of the scratch is the minor of the first |S| rows in the columns S, expanded by its last row: modulo 2^64,
    in floats, and with absolute values throughout, which bounds both the minor and its error.
    """
    width = rows.ints.shape[1]
    sc_int[0], sc_float[0], sc_size[0] = 1, 1.0, 1.0
    full = (1 << width) - 1
    for s in range(1, full):
        length = 0
        for k in range(width):
            length += s >> k & 1
        row = rays.chosen[i, length - 1]
        total, value, most = np.uint64(0), 0.0, 0.0
        behind = length - 1
        for k in range(width):
            if s >> k & 1:
                rest = s ^ (1 << k)
                term = np.uint64(rows.ints[row, k]) * np.uint64(sc_int[rest])
                product = np.float64(rows.ints[row, k]) * sc_float[rest]
                if behind & 1:
                    total -= term
                    value -= product
                else:
                    total += term
                    value += product
                most += abs(np.float64(rows.ints[row, k])) * sc_size[rest]
                behind -= 1
        sc_int[s], sc_float[s], sc_size[s] = np.int64(total), value, most
    size = 0.0
    for k in range(width):
        s = full ^ (1 << k)
        rays.ints[i, k] = -sc_int[s] if k & 1 else sc_int[s]
        rays.floats[i, k] = -sc_float[s] if k & 1 else sc_float[s]
        size = max(size, sc_size[s])
    if not size < HUGE:
        return False
    rays.size[i] = size
    rays.error[i] = size * (width * (width + 3)) * UNIT
    return True


@_compiled
def _orient(rows: Any, rays: Any, i: Any, positive: Any, square: Any) -> Any:
    """Turn ray i so that a row that does not vanish on it is positive there, and use its integers if they are true."""
    width = rows.ints.shape[1]
    if rays.size[i] < WHOLE:
        _reduce(rays.ints[i])
        rays.chosen[i, 0] = -1
        most = 0.0
        for k in range(width):
            rays.floats[i, k] = np.float64(rays.ints[i, k])
            most = max(most, abs(rays.floats[i, k]))
        rays.size[i] = most
        rays.error[i] = most * UNIT
    sign = _sign(rows, positive, rays, i, square)
    if sign == 2 or sign == 0:
        return False
    if sign < 0:
        for k in range(width):
            rays.ints[i, k] = -rays.ints[i, k]
            rays.floats[i, k] = -rays.floats[i, k]
    return True


@_compiled
def _double(rows: Any, first: Any, last: Any, rays: Any, at: Any, tight: Any, sc: Any) -> Any:
    """The extreme rays of the cone of the rows, from place ``at`` on, by double description; their number, or -1.

    -1 says that the cone has lines, that a sign is undecided, or that there is no room; -2 that it has no interior.
    """
    width = rows.ints.shape[1]
    number = last - first
    if number > 64 or number < width or at + 2 * width > tight.shape[0]:
        return -1
    for r in range(first, last):
        if not 0.0 < rows.size[r] < WHOLE:
            return -1
    among = ~np.uint64(0) if number == 64 else _bit(number) - np.uint64(1)
    if _independent(rows, first, among, width, sc.chosen, sc.square) < width:
        return -1
    done = np.uint64(0)
    for k in range(width):
        done |= _bit(sc.chosen[k] - first)
    for k in range(width):
        place = 0
        for other in range(width):
            if other != k:
                rays.chosen[at + k, place] = sc.chosen[other]
                place += 1
        tight[at + k] = done & ~_bit(sc.chosen[k] - first)
        if not _minors(rows, rays, at + k, sc.int_minor, sc.float_minor, sc.size_minor):
            return -1
    for k in range(width):
        if not _orient(rows, rays, at + k, sc.chosen[k], sc.square):
            return -1
    count = width
    for r in range(first, last):
        bit = _bit(r - first)
        if done & bit:
            continue
        above = below = 0
        for i in range(count):
            sc.sign[i] = _sign(rows, r, rays, at + i, sc.square)
            if sc.sign[i] == 2:
                return -1
            above += sc.sign[i] > 0
            below += sc.sign[i] < 0
        if above == 0:
            return -2
        made = count
        if below:
            for i in range(count):
                if sc.sign[i] <= 0:
                    continue
                for j in range(count):
                    if sc.sign[j] >= 0:
                        continue
                    common = tight[at + i] & tight[at + j]
                    if _bits(common) < width - 2:
                        continue
                    adjacent = True
                    for k in range(count):
                        if k != i and k != j and tight[at + k] & common == common:
                            adjacent = False
                            break
                    if not adjacent:
                        continue
                    if at + made >= tight.shape[0] or made >= sc.sign.shape[0]:
                        return -1
                    new = at + made
                    if _independent(rows, first, common, width - 2, sc.chosen, sc.square) < width - 2:
                        return -1
                    for k in range(width - 2):
                        rays.chosen[new, k] = sc.chosen[k]
                    rays.chosen[new, width - 2] = r
                    tight[new] = common | bit
                    if not _minors(rows, rays, new, sc.int_minor, sc.float_minor, sc.size_minor):
                        return -1
                    # A row that vanishes on ray j only is positive on the crossing, a positive combination of both.
                    only = tight[at + j] & ~tight[at + i]
                    if not only or not _orient(rows, rays, new, first + _lowest(only), sc.square):
                        return -1
                    made += 1
        kept = 0
        for i in range(made):
            if i < count and sc.sign[i] < 0:
                continue
            if i < count and sc.sign[i] == 0:
                tight[at + i] |= bit
            if kept != i:
                for k in range(width):
                    rays.ints[at + kept, k] = rays.ints[at + i, k]
                    rays.floats[at + kept, k] = rays.floats[at + i, k]
                for k in range(width - 1):
                    rays.chosen[at + kept, k] = rays.chosen[at + i, k]
                rays.size[at + kept] = rays.size[at + i]
                rays.error[at + kept] = rays.error[at + i]
                tight[at + kept] = tight[at + i]
            kept += 1
        count = kept
        done |= bit
    return count


# -- facets without a twin ---------------------------------------------------------------------------------------------


@_compiled
def find_rays(
    bodies: Any,
    origin: Any,
    given: Any,
    number: Any,
    wanted: Any,
    rows: Any,
    start: Any,
    mate: Any,
    row: Any,
    outer: Any,
    rays: Any,
    first_ray: Any,
    tight: Any,
    facets: Any,
    sc: Any,
) -> Any:
    """The rays of the wanted cells, ready for signs, and their facets without a twin; how many facets.

    ``wanted`` becomes 2 where the rows or the rays of a cell are not to be had; -1 where there is no room. ``outer``
    tells for each row whether nothing is beyond it.
    """
    width = rows.ints.shape[1]
    at = np.int64(0)
    found = np.int64(0)
    for c in range(wanted.shape[0]):
        first_ray[c] = at
        first_ray[c + 1] = at
        if not wanted[c]:
            continue
        first, last = bodies.first_row[c], bodies.first_row[c + 1]
        fits = True
        for r in range(first, last):
            if not 0.0 < rows.size[r] < WHOLE:
                fits = False
        if not fits:
            wanted[c] = 2
            continue
        one, two = bodies.first_ray[c], bodies.first_ray[c + 1]
        if one < two:
            if at + two - one > tight.shape[0]:
                return -1
            for i in range(one, two):
                most = 0.0
                for k in range(width):
                    rays.ints[at, k] = given[number[i], k]
                    rays.floats[at, k] = np.float64(rays.ints[at, k])
                    most = max(most, abs(rays.floats[at, k]))
                rays.size[at] = most
                rays.error[at] = most * UNIT
                rays.chosen[at, 0] = -1
                tight[at] = bodies.tight[i]
                at += 1
            for f in range(start[c], start[c + 1]):
                if mate[f] < 0 and not outer[row[f]]:
                    if found >= facets.cell.shape[0]:
                        return -1
                    facets.cell[found], facets.row[found] = c, row[f]
                    found += 1
        else:
            if at + MOST_RAYS > tight.shape[0]:
                return -1
            count = _double(rows, first, last, rays, at, tight, sc)
            if count < 0:
                wanted[c] = 2
                continue
            used = _closures(tight, at, at + count, sc.closure)
            while used:
                k = _lowest(used)
                used &= used - np.uint64(1)
                r = first + k
                if outer[r] or (origin[r, 0] == -1 and origin[r, 1] == 0) or not _is_facet(sc.closure, k):
                    continue
                if found >= facets.cell.shape[0]:
                    return -1
                facets.cell[found], facets.row[found] = c, r
                found += 1
            at += count
        first_ray[c + 1] = at
    return found


@_compiled
def name(rows: Any, wanted: Any, first_row: Any, table: Any) -> None:
    """Number the hyperplanes of the rows of the wanted cells."""
    width = rows.ints.shape[1]
    for c in range(wanted.shape[0]):
        if not wanted[c]:
            continue
        for r in range(first_row[c], first_row[c + 1]):
            side = 1
            for k in range(1, width):
                if rows.ints[r, k]:
                    side = 1 if rows.ints[r, k] > 0 else -1
                    break
            for k in range(width):
                rows.canonical[r, k] = side * rows.ints[r, k]
            # What does not fit has no hyperplane, and is not asked for it.
            rows.plane[r] = _number(rows.canonical, r, table) if rows.size[r] > 0.0 else -1


@_compiled
def boxes(bodies: Any, rows: Any, rays: Any, first_ray: Any, tight: Any, facets: Any) -> None:
    """The hyperplane of each facet, the side it is on, and a box around it.

    Boxes are rounded outwards; where it is not clear that a ray is a point they are all of space.
    """
    width = rows.ints.shape[1]
    for f in range(facets.cell.shape[0]):
        c, r = facets.cell[f], facets.row[f]
        facets.plane[f] = rows.plane[r]
        facets.side[f] = 1
        for k in range(1, width):
            if rows.ints[r, k]:
                facets.side[f] = 1 if rows.ints[r, k] > 0 else -1
                break
        for k in range(width - 1):
            facets.low[f, k] = np.inf
            facets.high[f, k] = -np.inf
        bit = _bit(r - bodies.first_row[c])
        for i in range(first_ray[c], first_ray[c + 1]):
            if not tight[i] & bit:
                continue
            start = rays.floats[i, 0]
            for k in range(1, width):
                low, high = -np.inf, np.inf
                if start > 2.0 * rays.error[i]:
                    value = rays.floats[i, k] / start
                    slack = 4.0 * rays.error[i] / start * (1.0 + abs(value)) + 1e-12 * abs(value)
                    low, high = value - slack, value + slack
                elif rays.chosen[i, 0] < 0 and rays.ints[i, 0] == 0 and rays.ints[i, k] >= 0:
                    low = np.inf
                    if rays.ints[i, k] == 0:
                        high = -np.inf
                elif rays.chosen[i, 0] < 0 and rays.ints[i, 0] == 0:
                    high = -np.inf
                facets.low[f, k - 1] = min(facets.low[f, k - 1], low)
                facets.high[f, k - 1] = max(facets.high[f, k - 1], high)


@_compiled
def axes(facets: Any, order: Any, key: Any, chosen: Any) -> None:
    """For the facets on each hyperplane, which stand together in ``order``, an axis that keeps them apart.

    Chosen is the axis with the least overlap; the key is the lower end along it.
    """
    first = 0
    while first < order.shape[0]:
        last = first
        while last < order.shape[0] and facets.plane[order[last]] == facets.plane[order[first]]:
            last += 1
        best, axis = np.inf, 0
        for k in range(facets.low.shape[1]):
            low, high = np.inf, -np.inf
            for at in range(first, last):
                f = order[at]
                if facets.low[f, k] > -np.inf:
                    low, high = min(low, facets.low[f, k]), max(high, facets.low[f, k])
                if facets.high[f, k] < np.inf:
                    low, high = min(low, facets.high[f, k]), max(high, facets.high[f, k])
            if not high > low:
                continue
            covered = 0.0
            for at in range(first, last):
                f = order[at]
                covered += (min(facets.high[f, k], high) - max(facets.low[f, k], low)) / (high - low)
            if covered < best:
                best, axis = covered, k
        for at in range(first, last):
            chosen[order[at]] = axis
            key[order[at]] = facets.low[order[at], axis]
        first = last


@_compiled
def _beyond(bodies: Any, rows: Any, rays: Any, first_ray: Any, tight: Any, facets: Any, f: Any, g: Any, sc: Any) -> Any:
    """``APART`` if some other row of facet f's cell is nowhere positive on facet g, else ``MEET``, or ``OPEN``."""
    one, two = facets.cell[f], facets.cell[g]
    first = bodies.first_row[one]
    own, bit = _bit(facets.row[f] - first), _bit(facets.row[g] - bodies.first_row[two])
    same = ~np.uint64(0)  # rows that vanish on all of f
    for i in range(first_ray[one], first_ray[one + 1]):
        if tight[i] & own:
            same &= tight[i]
    answer = MEET
    for r in range(first, bodies.first_row[one + 1]):
        if same >> np.uint64(r - first) & np.uint64(1):
            continue
        positive = unknown = False
        for i in range(first_ray[two], first_ray[two + 1]):
            if tight[i] & bit:
                sign = _sign(rows, r, rays, i, sc.square)
                if sign == 1:
                    positive = True
                    break
                unknown = unknown or sign == 2
        if not positive:
            if not unknown:
                return APART
            answer = OPEN
    return answer


@_compiled
def _vanishing(tight: Any, first: Any, last: Any, bit: Any) -> Any:
    """The rows that vanish on all rays on a facet."""
    same = ~np.uint64(0)
    for i in range(first, last):
        if tight[i] & bit:
            same &= tight[i]
    return same


@_compiled
def _positive(rows: Any, first: Any, last: Any, same: Any, rays: Any, number: Any, sc: Any) -> Any:
    """Whether the point sum(weight . ray) is proved to be positive on all rows of a cell but the ``same`` ones.

    In floats: what is added is known within (number + D + 4) units of size(row) . size(ray) and the ray's error.
    """
    width = rows.ints.shape[1]
    for r in range(first, last):
        if same >> np.uint64(r - first) & np.uint64(1):
            continue
        total, slack = 0.0, 0.0
        for p in range(number):
            if sc.weight[p] > 0.0:
                i = sc.used[p]
                value = 0.0
                for k in range(width):
                    value += np.float64(rows.ints[r, k]) * rays.floats[i, k]
                total += sc.weight[p] * value
                slack += sc.weight[p] * (rays.error[i] + (number + width + 4) * UNIT * rays.size[i])
        if not total > 2.0 * rows.size[r] * slack:
            return False
    return True


@_compiled
def _outside(rows: Any, first: Any, last: Any, same: Any, rays: Any, i: Any) -> Any:
    """Whether a ray is certainly outside a cell; floats suffice, as this only proposes."""
    for r in range(first, last):
        if not same >> np.uint64(r - first) & np.uint64(1):
            value = 0.0
            for k in range(rows.ints.shape[1]):
                value += np.float64(rows.ints[r, k]) * rays.floats[i, k]
            if value < -rows.size[r] * (rays.error[i] + 16 * UNIT * rays.size[i]):
                return True
    return False


@_compiled
def _weight(rays: Any, i: Any) -> Any:
    """What brings a ray to the size of a point near the origin, or of a direction."""
    most = 0.0
    for k in range(rays.floats.shape[1]):
        most = max(most, abs(rays.floats[i, k]))
    return 1.0 / most if most > 0.0 else 0.0


@_compiled
def _between(
    rows: Any,
    low: Any,
    high: Any,
    same: Any,
    other_low: Any,
    other_high: Any,
    other_same: Any,
    rays: Any,
    half: Any,
    number: Any,
    sc: Any,
) -> Any:
    """Where the segment from the sum of the rays of the one facet to that of the other may be inside both, or -1."""
    least, most = 0.0, 1.0
    for part in range(2):
        first, last, skipped = (other_low, other_high, other_same) if part else (low, high, same)
        for r in range(first, last):
            if skipped >> np.uint64(r - first) & np.uint64(1):
                continue
            one, two = 0.0, 0.0
            for p in range(number):
                i = sc.used[p]
                value = 0.0
                for k in range(rows.ints.shape[1]):
                    value += np.float64(rows.ints[r, k]) * rays.floats[i, k]
                if p < half:
                    one += value * _weight(rays, i)
                else:
                    two += value * _weight(rays, i)
            if one > 0.0 and two > 0.0:
                continue
            if one <= 0.0 and two <= 0.0:
                return -1.0
            at = one / (one - two)
            if one > 0.0:
                most = min(most, at)
            else:
                least = max(least, at)
    return (least + most) / 2.0 if least < most else -1.0


@_compiled
def _common_point(
    bodies: Any, rows: Any, rays: Any, first_ray: Any, tight: Any, facets: Any, f: Any, g: Any, sc: Any
) -> Any:
    """Whether a point is proved to be in the relative interior of both facets.

    Tried are the sum of those rays of either that are in the other, the sums of the rays of each, and a point between
    these two. Whatever the weights, such a point is on the hyperplane; floats propose it, and are refused where they
    do not prove that it is inside.
    """
    one, two = facets.cell[f], facets.cell[g]
    low, high = bodies.first_row[one], bodies.first_row[one + 1]
    other_low, other_high = bodies.first_row[two], bodies.first_row[two + 1]
    own, bit = _bit(facets.row[f] - low), _bit(facets.row[g] - other_low)
    same = _vanishing(tight, first_ray[one], first_ray[one + 1], own)
    other_same = _vanishing(tight, first_ray[two], first_ray[two + 1], bit)
    number = 0
    for i in range(first_ray[one], first_ray[one + 1]):
        if tight[i] & own:
            if number == sc.used.shape[0]:
                return False
            sc.used[number] = i
            sc.weight[number] = 0.0 if _outside(rows, other_low, other_high, other_same, rays, i) else _weight(rays, i)
            number += 1
    half = number
    for i in range(first_ray[two], first_ray[two + 1]):
        if tight[i] & bit:
            if number == sc.used.shape[0]:
                return False
            sc.used[number] = i
            sc.weight[number] = 0.0 if _outside(rows, low, high, same, rays, i) else _weight(rays, i)
            number += 1
    for trial in range(4):
        if trial:
            at = 0.0
            if trial == 2:
                at = 1.0
            elif trial == 3:
                at = _between(rows, low, high, same, other_low, other_high, other_same, rays, half, number, sc)
                if at < 0.0:
                    break
            for p in range(number):
                sc.weight[p] = (1.0 - at if p < half else at) * _weight(rays, sc.used[p])
        # The sum of all rays of a facet is in its relative interior, so that its own cell need not be asked.
        if (trial == 1 or _positive(rows, low, high, same, rays, number, sc)) and (
            trial == 2 or _positive(rows, other_low, other_high, other_same, rays, number, sc)
        ):
            return True
    return False


@_compiled
def _inside(
    bodies: Any, rows: Any, first_ray: Any, tight: Any, facets: Any, f: Any, g: Any, within: Any, sc: Any
) -> Any:
    """Whether the rows of both cells have an interior inside the hyperplane: by double description.

    One coordinate is eliminated by the plane: with c > 0 its pivot entry, c . row - (row's pivot entry) . plane is
    c . row on the plane.
    """
    width = rows.ints.shape[1]
    plane = rows.canonical[facets.row[f]]
    pivot = 1
    while plane[pivot] == 0:
        pivot += 1
    plane_size = rows.size[facets.row[f]]
    number = 0
    for half in range(2):
        facet = g if half else f
        c = facets.cell[facet]
        first = bodies.first_row[c]
        same = _vanishing(tight, first_ray[c], first_ray[c + 1], _bit(facets.row[facet] - first))
        for r in range(first, bodies.first_row[c + 1]):
            if same >> np.uint64(r - first) & np.uint64(1):
                continue
            if number == within.rows.size.shape[0] or 2.0 * rows.size[r] * plane_size >= WHOLE:
                return OPEN
            place = 0
            for k in range(width):
                if k != pivot:
                    within.rows.ints[number, place] = plane[pivot] * rows.ints[r, k] - rows.ints[r, pivot] * plane[k]
                    place += 1
            _reduce(within.rows.ints[number])
            total = 0.0
            for k in range(width - 1):
                total += abs(np.float64(within.rows.ints[number, k]))
            within.rows.size[number] = total
            number += 1
    count = _double(within.rows, np.int64(0), np.int64(number), within.rays, np.int64(0), within.tight, sc)
    return MEET if count > 0 else (APART if count == -2 else OPEN)


@_compiled
def _meet(
    bodies: Any,
    rows: Any,
    rays: Any,
    first_ray: Any,
    tight: Any,
    facets: Any,
    f: Any,
    g: Any,
    within: Any,
    sc: Any,
) -> Any:
    """Whether two facets on opposite sides of one hyperplane meet in dimension d-1; ``OPEN`` if that is undecided."""
    for k in range(facets.low.shape[1]):
        if facets.high[f, k] < facets.low[g, k] or facets.high[g, k] < facets.low[f, k]:
            return APART
    there = _beyond(bodies, rows, rays, first_ray, tight, facets, f, g, sc)
    if there == APART:
        return APART
    back = _beyond(bodies, rows, rays, first_ray, tight, facets, g, f, sc)
    if back == APART:
        return APART
    if rows.ints.shape[1] <= 4 and there == MEET and back == MEET:
        return MEET
    if rows.ints.shape[1] == 2:  # facets are points
        return OPEN
    if _common_point(bodies, rows, rays, first_ray, tight, facets, f, g, sc):
        return MEET
    return _inside(bodies, rows, first_ray, tight, facets, f, g, within, sc)


@_compiled
def sweep(
    bodies: Any,
    rows: Any,
    rays: Any,
    first_ray: Any,
    tight: Any,
    facets: Any,
    order: Any,
    axis: Any,
    pairs: Any,
    within: Any,
    sc: Any,
) -> Any:
    """All pairs of facets that meet, or may, as (facet, facet, ``MEET`` or ``OPEN``); their number, -1 without room.

    ``order`` has the facets of each hyperplane together, by their lower ends along an axis: those in hand are the ones
    that end later than the one that comes.
    """
    made = np.int64(0)
    first = 0
    while first < order.shape[0]:
        last = first
        while last < order.shape[0] and facets.plane[order[last]] == facets.plane[order[first]]:
            last += 1
        k = axis[order[first]]
        above = below = 0
        for at in range(first, last):
            f = order[at]
            others = sc.lower if facets.side[f] > 0 else sc.upper
            number = below if facets.side[f] > 0 else above
            kept = 0
            for place in range(number):
                g = others[place]
                if facets.high[g, k] < facets.low[f, k]:
                    continue
                others[kept] = g
                kept += 1
                answer = _meet(bodies, rows, rays, first_ray, tight, facets, f, g, within, sc)
                if answer != APART:
                    if made >= pairs.shape[0]:
                        return -1
                    pairs[made, 0], pairs[made, 1], pairs[made, 2] = f, g, answer
                    made += 1
            if facets.side[f] > 0:
                below = kept
                sc.upper[above] = f
                above += 1
            else:
                above = kept
                sc.lower[below] = f
                below += 1
        first = last
    return made

"""The split of ``partition.split``, through all stages, compiled: the same tree, the same cells, the same order.

A node is a cone kept by its extreme rays and lines, each ray with the set of rows that vanish on it (64 bits, reused as
rows drop out) and, for the stage at hand, the mark: which classes attain the largest score there. Everything is decided
by the signs of integers row . ray. Rows and rays are kept twice:

- ``ints``: their integers modulo 2^64, multiplied as unsigned ones wherever they may wrap;
- ``floats``: for rows within a unit in the last place, and zero only for zero; for rays within a known absolute error.

**Signs.** Let m be a bound on the sum of |row_k ray_k|. If m < 2^62 nothing wraps, and the integer product is the true
one. Otherwise the float product f has a proved error e; if |f| > e, its sign is right. Otherwise the true value is at
most 2e in size, and if 2e < 2^62 it is the wrapping product, which is right modulo 2^64. Otherwise it may still be
zero: the ray is given by d rows that vanish on it, and the determinant of these and the row is zero iff it is zero
modulo several primes whose product exceeds twice a bound on it (the product of the rows' sums of absolute values). What
remains is *undecided*, and the node is handed back to be settled in exact integers of any length. So floats only ever
exclude zero, and integers find it.

**New rays.** Where an edge between rays i and j crosses a row, the crossing is -row(j) ray_i + row(i) ray_j, divided by
the greatest common divisor, if that fits into 62 bits. Otherwise it is, up to sign, the vector of d x d minors of d
independent rows that vanish on it: those common to both ends, of rank d - 1, and the new row. Minors are computed
without division, hence truly modulo 2^64, and in floats beside the sum of the absolute values of all products, which
bounds their error. The sign is that which makes a row positive that is tight at j but not at i.

Where minors would be long they are put off: the ray is then *proposed*, the crossing in floats with its error, and no
integers. It is scaled so that its error is far beyond 2^62, and nobody asks for these. Only where a float does not
decide a sign there, the minors replace it.

**Stages.** On a leaf of a stage the map so far is composed and the next stage pulled back, in 64-bit integers whose
sums are bounded beforehand. If a bound fails, the same is done in integers of 512 bits, of which the rows' integers
modulo 2^64 are the last ones, and their floats the first: weights that are floats with 24 bits need no more for ten
layers and more. If that fails too, the leaf is handed back, and comes again with its next stage computed in Python:
rows of any length are welcome, as they are only needed modulo 2^64 and rounded.

**Counting.** Where only a number is asked for, a node of the last stage that hyperplanes cut is not split any further,
but counted by restriction; see ``cells.restriction`` for the theorem. What it needs to know is which forms cut a slice,
by the signs at the slice's rays as above, or on all of R^d because they are not constant on it, and which of these
coincide there. Both are linear algebra: forms are kept on a slice, in as many coordinates as it has, modulo a prime,
scaled to a leading one. What differs modulo a prime differs. What agrees is a minor that vanishes, and that is proved
by several primes whose product exceeds a bound on it, or else the slice is handed back.

This is one file because what numba keeps of a function is made anew only if that function's own file has changed.

The work is one loop over an explicit stack in arrays, so that it can pause (to show progress, to let Ctrl-C through, to
hand out a full buffer, to get longer arrays) and go on: a node is only replaced when all its children are there.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = [
    "BITS",
    "LIMBS",
    "LONGEST",
    "Levels",
    "Net",
    "Out",
    "Rays",
    "Rows",
    "Scratch",
    "Slices",
    "Stack",
    "classes",
    "enter",
    "run",
    "sketches",
]

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]
Floats = NDArray[np.float64]

BITS = 64
"""Rows that can be tight somewhere on a node."""

WHOLE = 4.6e18  # just below 2^62
LIMBS = 8  # words of a long integer, the lowest first; its negative is its complement plus one
LONGEST, DOUBLE = 2.0**509, 2.0**125  # what long integers are smaller than, and those for which two words are enough
SHORT = 9.0e15  # integers below 2^53 are floats
HUGE = 1e300  # no sum of floats below this overflows
UNIT = 2.0**-52
MERSENNE = 2**31 - 1  # the first of ``PRIMES``
SAMPLES, RARE = 4, 16  # slices that show whether of the forms before less than a sixteenth cut them
LONG = 1e24  # minors below this may well fit into 62 bits
PROPOSED, SMALL = 2.0**200, 2.0**-14  # the size of a ray that is proposed, and its error in relation to that, or less
MINORS_FIRST = 5  # up to this many coordinates minors, which need no division, are quicker than a common divisor
# The largest primes below 2^31.
PRIMES = np.array(
    [2147483647, 2147483629, 2147483587, 2147483579, 2147483563, 2147483549, 2147483543, 2147483497, 2147483489],
    np.int64,
)

# Numbers that are arguments have one type, so that nothing is compiled twice.
NONE, ZERO, ONE = np.int64(-1), np.int64(0), np.int64(1)
# Outcomes of a step, and of ``run``.
FINE, UNDECIDED, SPACE, NO_INTERIOR = 0, 1, 2, 3
DONE, PAUSED, FULL, GROW = 0, 1, 2, 3
# Why a node is handed back.
BY_SIGN, BY_SIZE, BY_SLICE = np.int64(0), np.int64(1), np.int64(2)
# The entries of ``control``.
TOP, LAST, LISTING, CELLS, LISTED, ROWS_LISTED, RAYS_LISTED, LEFT, PARENTS, SKETCHED = range(10)
FEW, SLICES, EVERYWHERE, USES = range(10, 14)
# The entries of ``tests``: signs by integers, by floats, by integers modulo 2^64, by primes, undecided; crossings, and
# those by minors; nodes and slices.
EXACT, FILTERED, WRAPPED, ZEROS, OPEN, CROSSINGS, MINORS, NODES = range(8)


class Net(NamedTuple):
    """The network's stages: for each its sizes, forms, candidates, base and mix; see ``network.stages``."""

    sizes: Ints  # stage x (forms, selectors, inputs, outputs, values, composable)
    forms: Ints  # stage x form x (1 + inputs)
    forms_size: Floats  # stage x form: sum of absolute values
    start: Ints  # stage x (selector + 1): number of its first candidate
    score: Ints  # stage x candidate: a form
    values: Ints  # stage x candidate x entry: a form
    lengths: Ints  # stage x selector: entries of a value
    base: Ints  # stage x output x (1 + inputs)
    base_size: Floats
    mix: Ints  # stage x output x value
    mix_size: Floats
    scales: Ints  # stage x (denominators of the base, of the mix, and of the forms)
    sketch_base: Ints  # 1 + inputs of the last stage: the functional of a sketch after the base, modulo ``PRIMES[0]``
    sketch_mix: Ints  # values of the last stage: the same after the mix


class Levels(NamedTuple):
    """Each stage on the parent at hand."""

    inner: Ints  # stage x (1 + inputs) x D: the homogeneous matrix of the map so far
    inner_long: Words  # the same in long integers, where ``whole`` is 2
    whole: Ints  # stage: 1 if ``inner`` and ``rows`` are the true integers, 2 if ``inner_long`` and ``rows_long`` are
    rows: Ints  # stage x form x D
    rows_long: Words  # the same in long integers, where ``whole`` is 2
    floats: Floats
    size: Floats  # stage x form: sum of absolute values
    classes: Ints  # stage x selector: number of classes
    place: Ints  # stage x selector: first bit in a mark
    low: Ints  # stage x (first candidate of the selector + class): its lowest candidate, counted from there
    class_of: Ints  # stage x candidate
    members: Ints  # stage x (first candidate + class): how many
    gap: Ints  # stage x selector x D: second minus first score, where there are two classes
    gap_floats: Floats
    gap_size: Floats
    words: Ints  # stage: words of a mark
    won: Ints  # stage x selector: the winning class on the path
    sketch: Ints  # (first candidate + class) x D: what a class of the last stage adds to the sketch
    sketch_start: Ints  # D


class Rays(NamedTuple):
    ints: Ints
    floats: Floats
    size: Floats  # the largest absolute value of a coordinate, or more
    error: Floats  # of any coordinate's float
    marks: Words


class Rows(NamedTuple):
    ints: Ints
    floats: Floats
    size: Floats
    origin: Ints  # (stage, selector, winner, loser); (-1, k, 0, 0) is row k of the cone that came in


class Stack(NamedTuple):
    nodes: Ints  # stage, first, rays, first open, open, the tops of rays, members, rows and open at work on it, lines
    path: Words
    table: Ints  # node x bit: 2 * row + (1 if negated), or -1
    member: Ints  # ray numbers of all nodes, for each its rays, then its lines
    tight: Words
    open: Ints


class Scratch(NamedTuple):
    sign: Ints
    int_minor: Ints
    float_minor: Floats
    size_minor: Floats
    chosen: Ints
    modular: Ints
    difference: Ints
    no_floats: Floats
    tally: Ints
    everything: Ints
    common: Words
    table: Ints
    child: Ints  # up to 64 children: first, rays, lines
    child_table: Ints
    values: Ints
    values_long: Words
    total: Words  # a long integer
    divisor: Words  # another one
    wide: Words  # D long integers
    alive: Ints  # entries that are not zero
    proposed: Floats


class Slices(NamedTuple):
    """A count by restriction in progress: slices of the node on top of the stack, each inside the one before."""

    frames: Ints  # slice x (forms, the next of them to slice it, first ray, rays, the tops of rays, members and rows)
    forms: Ints  # slice x form: its selector
    residues: Words  # slice x form x coordinate, the constant one first: the form on the slice, scaled to a leading one
    lead: Ints  # slice x form: the first coordinate after the constant one that is not zero
    chain: Ints  # slice: the selector whose hyperplane it slices with
    table: Ints  # slice x bit, as on the stack
    products: Words
    slots: Ints  # a hash table: number of its use, and form
    long: Ints  # stage x selector x D: gaps modulo the prime where they are longer than 62 bits


class Out(NamedTuple):
    pattern: Ints  # cell x all selectors: lowest candidate of the winning class
    sketch: Ints  # cell x D; -1 where it is not known
    parent: Ints  # cell: a number for the cell of the stages before the last
    first_row: Ints  # cell: where its rows begin
    rows: Ints  # row x (stage, selector, winner, loser, negated): rows of cells, one after the other
    first_ray: Ints  # cell: where its rays begin; there are none where a coordinate is longer than 62 bits, or lines
    rays: Ints  # ray x D
    tight: Words  # ray: which of the cell's rows vanish on it, by bits
    left: Ints  # a node handed back: stage, reason
    left_won: Ints  # node x all selectors: winning class in the stages before
    left_rows: Ints  # node x bit x (stage, selector, winner, loser, negated), stage -2 where there is none
    left_path: Words
    left_slice: Ints  # a slice handed back: length of its chain, number of forms, chain, forms


# Nothing is allocated, so that counting references to the arrays would be work for nothing: half of all work, in fact.
_OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "_nrt": False}
_compiled = njit(**_OPTIONS)
_small = njit(**_OPTIONS, inline="always")


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
def _wrapped(ints: Any, rays: Any, r: Any) -> Any:
    """row . ray modulo 2^64. Unsigned: compiled code takes for granted that signed integers do not overflow."""
    total = np.uint64(0)
    for k in range(ints.shape[0]):
        total += np.uint64(ints[k]) * np.uint64(rays.ints[r, k])
    return total


@_compiled
def _sign(ints: Any, floats: Any, size: Any, rays: Any, r: Any, tests: Any) -> Any:
    """The sign of row . ray, 2 where it is undecided."""
    width = ints.shape[0]
    if size * rays.size[r] < WHOLE:
        total = np.int64(0)
        for k in range(width):
            total += ints[k] * rays.ints[r, k]
        tests[EXACT] += 1
        return 1 if total > 0 else (-1 if total < 0 else 0)
    if not size * rays.size[r] < HUGE:
        return 2
    value = 0.0
    for k in range(width):
        value += floats[k] * rays.floats[r, k]
    error = size * (rays.error[r] + (width + 4) * UNIT * rays.size[r])
    if abs(value) <= error:
        # Term by term the error is smaller, above all where the ray has few entries.
        error = 0.0 if rays.size[r] < SHORT else size * rays.error[r]
        for k in range(width):
            error += (width + 5) * UNIT * abs(floats[k] * rays.floats[r, k])
    if value > error:
        tests[FILTERED] += 1
        return 1
    if value < -error:
        tests[FILTERED] += 1
        return -1
    if 2 * error < WHOLE:
        total = np.int64(_wrapped(ints, rays, r))
        tests[WRAPPED] += 1
        return 1 if total > 0 else (-1 if total < 0 else 0)
    return 2


@_compiled
def _settle_ray(rays: Any, r: Any, reduce: Any) -> Any:
    """Size, error and floats of a ray whose integers are the true ones, divided by their common divisor on request."""
    width = rays.ints.shape[1]
    divisor = np.int64(1)
    if reduce:
        divisor = np.int64(0)
        for k in range(width):
            divisor = _gcd(abs(rays.ints[r, k]), divisor)
            if divisor == 1:
                break
    most = 0.0
    for k in range(width):
        if divisor > 1:
            rays.ints[r, k] //= divisor
        rays.floats[r, k] = np.float64(rays.ints[r, k])
        most = max(most, abs(rays.floats[r, k]))
    rays.size[r] = most
    rays.error[r] = most * UNIT


@_compiled
def _independent(rows: Any, table: Any, common: Any, wanted: Any, sc: Any) -> Any:
    """Choose ``wanted`` independent rows of the tight ones by elimination modulo a prime; false if there are fewer."""
    width = rows.ints.shape[1]
    prime = PRIMES[0]
    found = 0
    while common and found < wanted:
        place = _lowest(common)
        common &= common - np.uint64(1)
        row = table[place] >> 1
        for k in range(width):
            sc.modular[found, k] = rows.ints[row, k] % prime
        for other in range(found):
            lead = sc.modular[other, width]
            factor = sc.modular[found, lead]
            if factor:
                for k in range(width):
                    sc.modular[found, k] = (sc.modular[found, k] - factor * sc.modular[other, k]) % prime
        lead = -1
        for k in range(width):
            if sc.modular[found, k]:
                lead = k
                break
        if lead < 0:
            continue
        # Scale to a leading one: the inverse by Fermat.
        inverse, power, exponent = np.int64(1), sc.modular[found, lead], np.int64(prime - 2)
        while exponent:
            if exponent & 1:
                inverse = inverse * power % prime
            power = power * power % prime
            exponent >>= 1
        for k in range(width):
            sc.modular[found, k] = sc.modular[found, k] * inverse % prime
        sc.modular[found, width] = lead
        sc.chosen[found] = row
        found += 1
    return found == wanted


@_compiled
def _vanishes(ints: Any, size: Any, rows: Any, table: Any, tight: Any, sc: Any, tests: Any) -> Any:
    """Whether a row is proved to vanish on the ray that the ``tight`` rows define."""
    width = rows.ints.shape[1]
    bound = 2.0 * size
    if size >= WHOLE or not _independent(rows, table, tight, width - 1, sc):
        return False
    for k in range(width - 1):
        if rows.size[sc.chosen[k]] >= WHOLE:
            return False
        bound *= rows.size[sc.chosen[k]]
    covered = 1.0
    for prime in PRIMES:
        # Elimination on the chosen rows and the row: all zero in the end iff the determinant is zero.
        for r in range(width):
            for k in range(width):
                sc.modular[r, k] = (rows.ints[sc.chosen[r], k] if r < width - 1 else ints[k]) % prime
        zero = False
        for column in range(width):
            pivot = -1
            for r in range(column, width):
                if sc.modular[r, column]:
                    pivot = r
                    break
            if pivot < 0:
                zero = True
                break
            for k in range(width):
                sc.modular[pivot, k], sc.modular[column, k] = sc.modular[column, k], sc.modular[pivot, k]
            lead = sc.modular[column, column]
            for r in range(column + 1, width):
                factor = sc.modular[r, column]
                if factor:
                    for k in range(column, width):
                        sc.modular[r, k] = (
                            lead * sc.modular[r, k] % prime + prime - factor * sc.modular[column, k] % prime
                        ) % prime
        if not zero:
            return False
        covered *= 2147000000.0
        if covered > bound:
            tests[ZEROS] += 1
            return True
    return False


@_compiled
def _tied(
    lv: Any, net: Any, s: Any, g: Any, c: Any, b: Any, rows: Any, table: Any, tight: Any, sc: Any, tests: Any
) -> Any:
    """Whether classes c and b of selector g are proved to have the same score on the ray that ``tight`` defines."""
    width = rows.ints.shape[1]
    left = tight
    while left:
        row = table[_lowest(left)] >> 1
        left &= left - np.uint64(1)
        if rows.origin[row, 0] == s and rows.origin[row, 1] == g:
            one, two = rows.origin[row, 2], rows.origin[row, 3]
            if (one == c and two == b) or (one == b and two == c):
                tests[ZEROS] += 1
                return True
    start = net.start[s, g]
    one, two = net.score[s, start + lv.low[s, start + c]], net.score[s, start + lv.low[s, start + b]]
    if lv.size[s, one] + lv.size[s, two] >= WHOLE:
        return False
    for k in range(width):
        sc.difference[k] = lv.rows[s, one, k] - lv.rows[s, two, k]
    return _vanishes(sc.difference, lv.size[s, one] + lv.size[s, two], rows, table, tight, sc, tests)


@_compiled
def _largest(
    lv: Any, net: Any, s: Any, g: Any, rays: Any, r: Any, rows: Any, table: Any, tight: Any, sc: Any, tests: Any
) -> Any:
    """The classes of selector g with the largest score at ray r, as bits; 0 where that is undecided."""
    width = rays.ints.shape[1]
    start = net.start[s, g]
    most = 0.0
    for c in range(lv.classes[s, g]):
        most = max(most, lv.size[s, net.score[s, start + lv.low[s, start + c]]])
    best, best_class, found = np.int64(0), ZERO, np.uint64(0)
    if most * rays.size[r] < WHOLE:
        for c in range(lv.classes[s, g]):
            form = net.score[s, start + lv.low[s, start + c]]
            total = np.int64(0)
            for k in range(width):
                total += lv.rows[s, form, k] * rays.ints[r, k]
            if c == 0 or total > best:
                best = total
                found = _bit(c)
            elif total == best:
                found |= _bit(c)
        tests[EXACT] += lv.classes[s, g] - 1
        return found
    if not most * rays.size[r] < HUGE:
        tests[OPEN] += 1
        return np.uint64(0)
    error = 2 * most * (rays.error[r] + (width + 4) * UNIT * rays.size[r])
    best_float, best_residue = 0.0, np.uint64(0)
    for c in range(lv.classes[s, g]):
        form = net.score[s, start + lv.low[s, start + c]]
        residue = _wrapped(lv.rows[s, form], rays, r)
        value = 0.0
        for k in range(width):
            value += lv.floats[s, form, k] * rays.floats[r, k]
        if c == 0 or value - best_float > error:
            tests[FILTERED] += c > 0
            best_residue, best_float, best_class, found = residue, value, c, _bit(c)
        elif best_float - value > error:
            tests[FILTERED] += 1
        elif 2 * error < WHOLE:
            tests[WRAPPED] += 1
            if residue == best_residue:
                found |= _bit(c)
            elif np.int64(residue - best_residue) > 0:
                best_residue, best_float, best_class, found = residue, value, c, _bit(c)
        elif _tied(lv, net, s, g, c, best_class, rows, table, tight, sc, tests):
            found |= _bit(c)
        else:
            tests[OPEN] += 1
            return np.uint64(0)
    return found


@_compiled
def _complete(
    lv: Any,
    net: Any,
    s: Any,
    which: Any,
    first: Any,
    number: Any,
    rays: Any,
    r: Any,
    rows: Any,
    table: Any,
    tight: Any,
    sc: Any,
    tests: Any,
) -> Any:
    """Fill the empty fields of a ray's mark for the selectors ``which``; false where one is undecided."""
    for at in range(first, first + number):
        g = which[at]
        word = lv.place[s, g] >> 6
        shift = np.uint64(lv.place[s, g] & 63)
        count = lv.classes[s, g]
        field = (_bit(count) - np.uint64(1)) << shift
        if rays.marks[r, word] & field:
            continue
        if count == 2:
            sign = _sign(lv.gap[s, g], lv.gap_floats[s, g], lv.gap_size[s, g], rays, r, tests)
            if sign == 2 and _firm(rays, r, rows, table, tight, sc, tests):
                sign = _sign(lv.gap[s, g], lv.gap_floats[s, g], lv.gap_size[s, g], rays, r, tests)
            if sign == 2:
                if not _vanishes(lv.gap[s, g], lv.gap_size[s, g], rows, table, tight, sc, tests):
                    tests[OPEN] += 1
                    return False
                sign = 0
            rays.marks[r, word] |= np.uint64(2 if sign > 0 else (1 if sign < 0 else 3)) << shift
        elif count == 1:
            rays.marks[r, word] |= field
        else:
            found = _largest(lv, net, s, g, rays, r, rows, table, tight, sc, tests)
            if found == np.uint64(0) and _firm(rays, r, rows, table, tight, sc, tests):
                found = _largest(lv, net, s, g, rays, r, rows, table, tight, sc, tests)
            if found == np.uint64(0):
                return False
            rays.marks[r, word] |= found << shift
    return True


@_compiled
def _quick(
    gap: Any,
    gap_size: Any,
    classes: Any,
    places: Any,
    which: Any,
    first: Any,
    number: Any,
    ints: Any,
    size: Any,
    marks: Any,
    tests: Any,
) -> Any:
    """``_complete`` as far as 64-bit integers decide between two classes; false where something is left to do.

    It has few arguments: what a call hands over by value costs more than a sign.
    """
    done = True
    counted = 0
    for at in range(first, first + number):
        g = which[at]
        word = places[g] >> 6
        shift = np.uint64(places[g] & 63)
        if classes[g] != 2:
            done = False
        elif marks[word] >> shift & np.uint64(3) == np.uint64(0):
            if gap_size[g] * size < WHOLE:
                total = np.int64(0)
                for k in range(ints.shape[0]):
                    total += gap[g, k] * ints[k]
                marks[word] |= (
                    (np.uint64(2) if total >= 0 else np.uint64(0)) | (np.uint64(1) if total <= 0 else np.uint64(0))
                ) << shift
                counted += 1
            else:
                done = False
    tests[EXACT] += counted
    return done


@_small
def _minors(rays: Any, r: Any, rows: Any, sc: Any) -> Any:
    """Ray r, up to its sign: the minors of the chosen rows, one less than there are coordinates; false if too long."""
    width = rays.ints.shape[1]
    product = 1.0
    for k in range(width - 1):
        product *= rows.size[sc.chosen[k]]
    exact = product < WHOLE
    sc.int_minor[0] = 1
    sc.float_minor[0] = 1.0
    sc.size_minor[0] = 1.0
    full = (1 << width) - 1
    for mask in range(1, full):
        number = _bits(np.uint64(mask))
        row = sc.chosen[number - 1]
        int_total, float_total, size_total = np.uint64(0), 0.0, 0.0
        odd = (number & 1) == 0  # the last of the columns has the sign +
        for k in range(width):
            if mask >> k & 1:
                rest = mask ^ (1 << k)
                if odd:
                    int_total -= np.uint64(rows.ints[row, k]) * np.uint64(sc.int_minor[rest])
                    if not exact:
                        float_total -= rows.floats[row, k] * sc.float_minor[rest]
                else:
                    int_total += np.uint64(rows.ints[row, k]) * np.uint64(sc.int_minor[rest])
                    if not exact:
                        float_total += rows.floats[row, k] * sc.float_minor[rest]
                if not exact:
                    size_total += abs(rows.floats[row, k]) * sc.size_minor[rest]
                odd = not odd
        if not size_total < HUGE:
            return False
        sc.int_minor[mask] = np.int64(int_total)
        sc.float_minor[mask] = float_total
        sc.size_minor[mask] = size_total
    most, error = 0.0, 0.0
    for k in range(width):
        rest = full ^ (1 << k)
        sign = -1 if k & 1 else 1
        residue = np.uint64(sc.int_minor[rest])
        rays.ints[r, k] = np.int64(np.uint64(0) - residue if k & 1 else residue)
        if not exact:
            rays.floats[r, k] = sign * sc.float_minor[rest]
            most = max(most, abs(rays.floats[r, k]))
            error = max(error, sc.size_minor[rest])
    if not exact:
        error *= (width + 1) * (width + 2) * UNIT
        exact = most + error < WHOLE
        rays.size[r] = most + error
        rays.error[r] = error
    if exact:
        _settle_ray(rays, r, ONE if product >= WHOLE else ZERO)
    return True


@_compiled
def _crossing(
    rays: Any, i: Any, j: Any, r: Any, rows: Any, new: Any, table: Any, tight_i: Any, tight_j: Any, sc: Any, tests: Any
) -> Any:
    """Ray r: where the edge from ray i (row ``new`` positive or negative) to ray j (the opposite) meets that row."""
    width = rays.ints.shape[1]
    tests[CROSSINGS] += 1
    size = rows.size[new]
    common = tight_i & tight_j
    # The product of as many rows as define the edge; with lines there are fewer.
    product, left = 0.0, common
    if _bits(common) >= width - 2:
        product = size
        for _ in range(width - 2):
            product *= rows.size[table[_lowest(left)] >> 1]
            left &= left - np.uint64(1)
    simple = product > 0.0 and left == np.uint64(0)
    short = simple and width <= MINORS_FIRST and product < WHOLE
    if not short and size * rays.size[i] < WHOLE and size * rays.size[j] < WHOLE:
        at_i, at_j = np.int64(0), np.int64(0)
        for k in range(width):
            at_i += rows.ints[new, k] * rays.ints[i, k]
            at_j += rows.ints[new, k] * rays.ints[j, k]
        at_i, at_j = abs(at_i), abs(at_j)
        if np.float64(at_j) * rays.size[i] + np.float64(at_i) * rays.size[j] < WHOLE:
            for k in range(width):
                rays.ints[r, k] = at_j * rays.ints[i, k] + at_i * rays.ints[j, k]
            _settle_ray(rays, r, ONE)
            return FINE
    if product > LONG and _proposed(rays.floats, rays.size, rays.error, i, j, r, rows.floats[new], size):
        return FINE
    tests[MINORS] += 1
    if simple:
        # As many as their rank: they are independent.
        number = 0
        while common:
            sc.chosen[number] = table[_lowest(common)] >> 1
            common &= common - np.uint64(1)
            number += 1
    elif not _independent(rows, table, common, width - 2, sc):
        return UNDECIDED
    sc.chosen[width - 2] = new
    if not _minors(rays, r, rows, sc):
        return UNDECIDED
    guide = tight_j & ~tight_i
    if not guide:
        return UNDECIDED
    code = table[_lowest(guide)]
    sign = _sign(rows.ints[code >> 1], rows.floats[code >> 1], rows.size[code >> 1], rays, r, tests)
    if sign == 2 or sign == 0:
        tests[OPEN] += 1
        return UNDECIDED
    if (sign < 0) != ((code & 1) == 1):
        _turn(rays, r)
    return FINE


@_compiled
def _proposed(floats: Any, sizes: Any, errors: Any, i: Any, j: Any, r: Any, row: Any, size: Any) -> Any:
    """The crossing in floats: |row(j)| ray_i + |row(i)| ray_j, with its error; false where that is not small.

    Each of the two values has an error as in ``_sign``. A weight's error counts times the size of the ray, a ray's
    error times the weight, and each coordinate is rounded three times.
    """
    width = row.shape[0]
    if not size * sizes[i] < HUGE or not size * sizes[j] < HUGE:
        return False
    at_i, at_j = 0.0, 0.0
    for k in range(width):
        at_i += row[k] * floats[i, k]
        at_j += row[k] * floats[j, k]
    at_i, at_j = abs(at_i), abs(at_j)
    error_i = size * (errors[i] + (width + 4) * UNIT * sizes[i])
    error_j = size * (errors[j] + (width + 4) * UNIT * sizes[j])
    error = (
        (error_j + 4 * UNIT * at_j) * sizes[i]
        + at_j * errors[i]
        + (error_i + 4 * UNIT * at_i) * sizes[j]
        + at_i * errors[j]
    )
    error *= 1.0 + 16 * UNIT
    most = 0.0
    for k in range(width):
        floats[r, k] = at_j * floats[i, k] + at_i * floats[j, k]
        most = max(most, abs(floats[r, k]))
    if not error < most * SMALL or not most < HUGE or most < 1.0:
        return False
    # A power of two rounds nothing.
    scale = PROPOSED
    while most * scale >= PROPOSED:
        scale *= 2.0**-64
    for step in (2.0**32, 2.0**16, 2.0**8, 2.0**4, 2.0**2, 2.0, 2.0):
        if most * scale * step < 2 * PROPOSED:
            scale *= step
    for k in range(width):
        floats[r, k] *= scale
    errors[r] = error * scale
    sizes[r] = (most + error) * scale
    return True


@_compiled
def _turn(rays: Any, r: Any) -> None:
    for k in range(rays.ints.shape[1]):
        rays.ints[r, k] = np.int64(np.uint64(0) - np.uint64(rays.ints[r, k]))
        rays.floats[r, k] = -rays.floats[r, k]


@_compiled
def _firm(rays: Any, r: Any, rows: Any, table: Any, tight: Any, sc: Any, tests: Any) -> Any:
    """Replace a ray that is proposed by the minors of rows that are tight there; false where it is none, or they fail.

    The largest coordinate of what was proposed, whose sign is certain, tells the sign.
    """
    width = rays.ints.shape[1]
    if rays.size[r] < PROPOSED or not _independent(rows, table, tight, width - 1, sc):
        return False
    largest, size, error, value = 0, rays.size[r], rays.error[r], 0.0
    for k in range(width):
        if abs(rays.floats[r, k]) > abs(value):
            largest, value = k, rays.floats[r, k]
        # In case of need, what was proposed comes back.
        sc.proposed[k] = rays.floats[r, k]
    tests[MINORS] += 1
    if _minors(rays, r, rows, sc) and abs(rays.floats[r, largest]) > rays.error[r]:
        if (rays.floats[r, largest] > 0.0) != (value > 0.0):
            _turn(rays, r)
        return True
    for k in range(width):
        rays.floats[r, k] = sc.proposed[k]
    rays.size[r] = size
    rays.error[r] = error
    return False


@_compiled
def _cut(
    rays: Any,
    ray_top: Any,
    stack: Any,
    first: Any,
    number: Any,
    lines: Any,
    bit: Any,
    rows: Any,
    new: Any,
    table: Any,
    into: Any,
    sc: Any,
    words: Any,
    tests: Any,
) -> tuple[Any, Any, Any]:
    """All crossings of the node's edges with row ``new``, whose signs at the node's rays are in ``sc.sign``.

    They are written as members from ``into`` on. The outcome, their number, and the new top of the rays.
    """
    least = rays.ints.shape[1] - 2 - lines
    made = 0
    for a in range(first, first + number):
        if sc.sign[a - first] <= 0:
            continue
        i, tight_i = stack.member[a], stack.tight[a]
        simple = _bits(tight_i) == least + 1
        for b in range(first, first + number):
            if sc.sign[b - first] >= 0:
                continue
            tight_j = stack.tight[b]
            common = tight_i & tight_j
            if _bits(common) < least:
                continue
            if not simple and _bits(tight_j) != least + 1:
                others = 0
                for c in range(first, first + number):
                    if stack.tight[c] & common == common:
                        others += 1
                        if others > 2:
                            break
                if others > 2:
                    continue
            j = stack.member[b]
            if ray_top >= rays.size.shape[0] or into + made >= stack.member.shape[0]:
                return SPACE, made, ray_top
            outcome = _crossing(rays, i, j, ray_top, rows, new, table, tight_i, tight_j, sc, tests)
            if outcome != FINE:
                return outcome, made, ray_top
            for word in range(words):
                rays.marks[ray_top, word] = rays.marks[i, word] & rays.marks[j, word]
            stack.member[into + made] = ray_top
            stack.tight[into + made] = common | bit
            made += 1
            ray_top += 1
    return FINE, made, ray_top


@_compiled
def _slide(
    rays: Any,
    ray_top: Any,
    stack: Any,
    first: Any,
    number: Any,
    lines: Any,
    line: Any,
    rows: Any,
    new: Any,
    words: Any,
    sc: Any,
) -> Any:
    """Move all generators of a node along one of its lines onto row ``new``, which is not zero on that line.

    From ``ray_top`` on: the rays, then the other lines, then the line itself, turned to where the row is positive, and
    its negative.
    """
    width = rays.ints.shape[1]
    size = rows.size[new]
    if ray_top + number + lines + 1 > rays.size.shape[0]:
        return SPACE
    along = stack.member[first + number + line]
    if size * rays.size[along] >= WHOLE:
        return UNDECIDED
    slope = np.int64(0)
    for k in range(width):
        slope += rows.ints[new, k] * rays.ints[along, k]
    if slope == 0:
        return UNDECIDED
    turn = -1 if slope < 0 else 1
    slope = abs(slope)
    at = ray_top
    for a in range(number + lines):
        if a == number + line:
            continue
        old = stack.member[first + a]
        if size * rays.size[old] >= WHOLE:
            return UNDECIDED
        value = np.int64(0)
        for k in range(width):
            value += rows.ints[new, k] * rays.ints[old, k]
        if np.float64(slope) * rays.size[old] + abs(np.float64(value)) * rays.size[along] < WHOLE:
            for k in range(width):
                rays.ints[at, k] = slope * rays.ints[old, k] - value * turn * rays.ints[along, k]
        elif not _combine(rays, at, old, slope, along, -value * turn, sc):
            return UNDECIDED
        _settle_ray(rays, at, ONE)
        for word in range(words):
            rays.marks[at, word] = np.uint64(0)
        at += 1
    for sign in (1, -1):
        for k in range(width):
            rays.ints[at, k] = sign * turn * rays.ints[along, k]
        _settle_ray(rays, at, ONE)
        for word in range(words):
            rays.marks[at, word] = np.uint64(0)
        at += 1
    return FINE


@_compiled
def _half(
    stack: Any, first: Any, number: Any, lines: Any, ray_top: Any, side: Any, into: Any, bit: Any, live: Any
) -> None:
    """The members of one side after ``_slide``: the rays, now tight on the new row, the line's end, the other lines."""
    for a in range(number):
        stack.member[into + a] = ray_top + a
        stack.tight[into + a] = stack.tight[first + a] | bit
    stack.member[into + number] = ray_top + number + lines - 1 + side
    stack.tight[into + number] = live
    for a in range(lines - 1):
        stack.member[into + number + 1 + a] = ray_top + number + a
        stack.tight[into + number + 1 + a] = np.uint64(0)


@_compiled
def _live(table: Any) -> Any:
    found = np.uint64(0)
    for place in range(BITS):
        if table[place] >= 0:
            found |= _bit(place)
    return found


@_compiled
def _free(stack: Any, first: Any, number: Any, lines: Any, table: Any) -> Any:
    """A bit for a new row, -1 if there is none.

    A row that is tight nowhere on a pointed cone is no facet, and may be forgotten; with lines every row is kept.
    """
    used = np.uint64(0)
    if lines:
        used = _live(table)
    else:
        for a in range(first, first + number):
            used |= stack.tight[a]
    return -1 if ~used == np.uint64(0) else _lowest(~used)


@_compiled
def _store(rows: Any, at: Any, ints: Any, floats: Any, whole: Any) -> None:
    """Put a row at place ``at``, divided by its common divisor if its integers are the true ones."""
    width = ints.shape[0]
    divisor = np.int64(1)
    if whole:
        divisor = np.int64(0)
        for k in range(width):
            divisor = _gcd(abs(ints[k]), divisor)
            if divisor == 1:
                break
    total = 0.0
    for k in range(width):
        rows.ints[at, k] = ints[k] // divisor if divisor > 1 else ints[k]
        rows.floats[at, k] = np.float64(rows.ints[at, k]) if whole else floats[k]
        total += abs(rows.floats[at, k])
    rows.size[at] = total


@_compiled
def _beaten(
    net: Any, lv: Any, s: Any, g: Any, w: Any, rays: Any, stack: Any, first: Any, number: Any, sc: Any, tests: Any
) -> Any:
    """Whether one other class has at least the score of class w at every ray, so that w wins nowhere inside.

    Floats propose the class, integers decide.
    """
    width = rays.ints.shape[1]
    start = net.start[s, g]
    mine = net.score[s, start + lv.low[s, start + w]]
    for c in range(lv.classes[s, g]):
        if c == w:
            continue
        other = net.score[s, start + lv.low[s, start + c]]
        size = lv.size[s, mine] + lv.size[s, other]
        beaten = True
        for a in range(first, first + number):
            r = stack.member[a]
            value = 0.0
            for k in range(width):
                value += (lv.floats[s, mine, k] - lv.floats[s, other, k]) * rays.floats[r, k]
            if value > 0.0 or size * rays.size[r] >= WHOLE:
                beaten = False
                break
        if not beaten:
            continue
        for a in range(first, first + number):
            r = stack.member[a]
            total = np.int64(0)
            for k in range(width):
                total += (lv.rows[s, mine, k] - lv.rows[s, other, k]) * rays.ints[r, k]
            tests[EXACT] += 1
            if total > 0:
                beaten = False
                break
        if beaten:
            return True
    return False


@_compiled
def _won(
    net: Any,
    lv: Any,
    s: Any,
    g: Any,
    w: Any,
    rays: Any,
    ray_top: Any,
    rows: Any,
    row_top: Any,
    stack: Any,
    first: Any,
    number: Any,
    lines: Any,
    into: Any,
    table: Any,
    sc: Any,
    tests: Any,
) -> tuple[Any, Any, Any, Any, Any, Any, Any]:
    """The part of a node in which class w wins selector g: outcome, first, rays, lines, tops of rays, members, rows.

    Each cut is by score_w - score_i for a class i that beats w somewhere; afterwards i beats w nowhere.
    """
    width = rays.ints.shape[1]
    start = net.start[s, g]
    count = lv.classes[s, g]
    word = lv.place[s, g] >> 6
    shift = np.uint64(lv.place[s, g] & 63)
    full = _bit(count) - np.uint64(1)
    own = _bit(w)
    mine = net.score[s, start + lv.low[s, start + w]]
    for _ in range(count):
        rival, line = NONE, NONE
        for at in range(lines):
            for c in range(count):
                if c != w and rival < 0:
                    sign = _along(net, lv, s, g, w, c, rays, stack.member[first + number + at], sc, tests)
                    if sign == 2:
                        return UNDECIDED, first, number, lines, ray_top, into, row_top
                    if sign != 0:
                        rival, line = c, at
        if lines == 0 and _beaten(net, lv, s, g, w, rays, stack, first, number, sc, tests):
            return NO_INTERIOR, first, number, lines, ray_top, into, row_top
        if rival < 0:
            # The class that is the largest at most rays where w is not.
            for c in range(count):
                sc.tally[c] = 0
            for a in range(first, first + number):
                field = rays.marks[stack.member[a], word] >> shift & full
                if not field & own:
                    c = _lowest(field)
                    sc.tally[c] += 1
                    if rival < 0 or sc.tally[c] > sc.tally[rival]:
                        rival = c
        if rival < 0:
            return FINE, first, number, lines, ray_top, into, row_top
        other = net.score[s, start + lv.low[s, start + rival]]
        if row_top >= rows.size.shape[0] or number > sc.sign.shape[0]:
            return SPACE, first, number, lines, ray_top, into, row_top
        if lv.size[s, mine] + lv.size[s, other] >= WHOLE:
            return UNDECIDED, first, number, lines, ray_top, into, row_top
        for k in range(width):
            sc.difference[k] = lv.rows[s, mine, k] - lv.rows[s, other, k]
        _store(rows, row_top, sc.difference, sc.no_floats, ONE)
        rows.origin[row_top, 0] = s
        rows.origin[row_top, 1] = g
        rows.origin[row_top, 2] = w
        rows.origin[row_top, 3] = rival
        place = _free(stack, first, number, lines, table)
        if place < 0:
            return UNDECIDED, first, number, lines, ray_top, into, row_top
        bit = _bit(place)
        if into + 2 * (number + lines) + 2 > stack.member.shape[0]:
            return SPACE, first, number, lines, ray_top, into, row_top
        if line >= 0:
            outcome = _slide(rays, ray_top, stack, first, number, lines, line, rows, row_top, lv.words[s], sc)
            if outcome != FINE:
                return outcome, first, number, lines, ray_top, into, row_top
            _half(stack, first, number, lines, ray_top, ZERO, into, bit, _live(table))
            table[place] = 2 * row_top
            ray_top += number + lines + 1
            first = into
            number += 1
            lines -= 1
            into += number + lines
            made = number
        else:
            positive = 0
            for a in range(first, first + number):
                field = rays.marks[stack.member[a], word] >> shift
                if field & own:
                    sign = 0 if field & _bit(rival) else 1
                elif field & _bit(rival):
                    sign = -1
                else:
                    ray = stack.member[a]
                    sign = _sign(rows.ints[row_top], rows.floats[row_top], rows.size[row_top], rays, ray, tests)
                    if sign == 2 and _firm(rays, ray, rows, table, stack.tight[a], sc, tests):
                        sign = _sign(rows.ints[row_top], rows.floats[row_top], rows.size[row_top], rays, ray, tests)
                    if sign == 2:
                        if not _tied(lv, net, s, g, w, rival, rows, table, stack.tight[a], sc, tests):
                            tests[OPEN] += 1
                            return UNDECIDED, first, number, lines, ray_top, into, row_top
                        sign = 0
                sc.sign[a - first] = sign
                positive += sign > 0
            if positive == 0:
                return NO_INTERIOR, first, number, lines, ray_top, into, row_top
            outcome, made, top = _cut(
                rays, ray_top, stack, first, number, lines, bit, rows, row_top, table, into, sc, lv.words[s], tests
            )
            if outcome != FINE:
                return outcome, first, number, lines, ray_top, into, row_top
            if into + made + number + lines > stack.member.shape[0]:
                return SPACE, first, number, lines, ray_top, into, row_top
            table[place] = 2 * row_top
            ray_top = top
            at = into + made
            for a in range(first, first + number):
                if sc.sign[a - first] >= 0:
                    stack.member[at] = stack.member[a]
                    stack.tight[at] = stack.tight[a] | bit if sc.sign[a - first] == 0 else stack.tight[a]
                    at += 1
            for a in range(lines):
                stack.member[at + a] = stack.member[first + number + a]
            first, number = into, at - into
            into = at + lines
        row_top += 1
        # The new rays are those at the front.
        for a in range(first, first + made):
            r = stack.member[a]
            if not rays.marks[r, word] >> shift & full:
                found = _largest(lv, net, s, g, rays, r, rows, table, stack.tight[a], sc, tests)
                if found == np.uint64(0) and _firm(rays, r, rows, table, stack.tight[a], sc, tests):
                    found = _largest(lv, net, s, g, rays, r, rows, table, stack.tight[a], sc, tests)
                if found == np.uint64(0):
                    return UNDECIDED, first, number, lines, ray_top, into, row_top
                rays.marks[r, word] |= found << shift
    return UNDECIDED, first, number, lines, ray_top, into, row_top


@_compiled
def _along(net: Any, lv: Any, s: Any, g: Any, w: Any, c: Any, rays: Any, line: Any, sc: Any, tests: Any) -> Any:
    """The sign of score_w - score_c on a line, 2 where it is undecided."""
    start = net.start[s, g]
    one, two = net.score[s, start + lv.low[s, start + w]], net.score[s, start + lv.low[s, start + c]]
    if (lv.size[s, one] + lv.size[s, two]) * rays.size[line] >= WHOLE:
        return 2
    total = np.int64(0)
    for k in range(rays.ints.shape[1]):
        total += (lv.rows[s, one, k] - lv.rows[s, two, k]) * rays.ints[line, k]
    tests[EXACT] += 1
    return 1 if total > 0 else (-1 if total < 0 else 0)


@_compiled
def classes(net: Any, lv: Any, s: Any, residues: Any, long: Any) -> Any:
    """Group the candidates of each selector by equal rows, lay out the marks; false where a selector has too many."""
    width = lv.rows.shape[2]
    place = np.int64(0)
    for g in range(net.sizes[s, 1]):
        start, stop = net.start[s, g], net.start[s, g + 1]
        found = 0
        for j in range(start, stop):
            form = net.score[s, j]
            own = -1
            for c in range(found):
                other = net.score[s, start + lv.low[s, start + c]]
                same = True
                for k in range(width):
                    if lv.rows[s, form, k] != lv.rows[s, other, k]:
                        same = False
                        break
                    for limb in range(1, LIMBS if lv.whole[s] == 2 else 1):
                        same = same and lv.rows_long[s, form, k, limb] == lv.rows_long[s, other, k, limb]
                if same:
                    own = c
                    break
            if own < 0:
                own = found
                lv.low[s, start + own] = j - start
                lv.members[s, start + own] = 0
                found += 1
                if found >= BITS:
                    return False
            lv.class_of[s, j] = own
            lv.members[s, start + own] += 1
        lv.classes[s, g] = found
        if (place & 63) + found > BITS:
            place = (place | 63) + 1
        lv.place[s, g] = place
        place += found
        if found == 2:
            one = net.score[s, start + lv.low[s, start]]
            two = net.score[s, start + lv.low[s, start + 1]]
            total = 0.0
            if lv.size[s, one] + lv.size[s, two] < WHOLE:
                for k in range(width):
                    lv.gap[s, g, k] = lv.rows[s, two, k] - lv.rows[s, one, k]
                    lv.gap_floats[s, g, k] = np.float64(lv.gap[s, g, k])
                    total += abs(lv.gap_floats[s, g, k])
            elif lv.whole[s] == 2:
                for k in range(width):
                    for limb in range(LIMBS):
                        long[limb] = lv.rows_long[s, two, k, limb]
                    _add(long, lv.rows_long[s, one, k], NONE)
                    lv.gap[s, g, k] = np.int64(long[0])
                    lv.gap_floats[s, g, k] = _rounded(long)
                    residues[s, g, k] = _residue(long)
                    total += abs(lv.gap_floats[s, g, k])
            else:
                return False
            lv.gap_size[s, g] = total
    lv.words[s] = (place + 63) >> 6
    return True


@_small
def _product(one: Any, two: Any) -> tuple[Any, Any]:
    """The product of two words: its upper and its lower word."""
    half = np.uint64(0xFFFFFFFF)
    shift = np.uint64(32)
    low, high = (one & half) * (two & half), (one >> shift) * (two >> shift)
    left, right = (one >> shift) * (two & half), (one & half) * (two >> shift)
    middle = (low >> shift) + (left & half) + (right & half)
    return high + (left >> shift) + (right >> shift) + (middle >> shift), (low & half) | (middle << shift)


@_compiled
def _add(total: Any, long: Any, factor: Any) -> None:
    """total += long * factor, in long integers, that is modulo 2^512; the factor is one of 64 bits."""
    size = np.uint64(factor) if factor >= 0 else np.uint64(0) - np.uint64(factor)
    carry = np.uint64(0)
    over = np.uint64(0)  # of the sum, or of the difference
    for limb in range(LIMBS):
        high, low = _product(long[limb], size)
        low += carry
        carry = high + np.uint64(low < carry)
        if factor >= 0:
            value = total[limb] + low
            more = np.uint64(value < low)
            value += over
            over = more + np.uint64(value < over)
        else:
            value = total[limb] - low
            more = np.uint64(total[limb] < low)
            over, value = more + np.uint64(value < over), value - over
        total[limb] = value


@_compiled
def _multiply(long: Any, factor: Any) -> None:
    """long *= factor, which is positive."""
    carry = np.uint64(0)
    for limb in range(LIMBS):
        high, low = _product(long[limb], np.uint64(factor))
        low += carry
        carry = high + np.uint64(low < carry)
        long[limb] = low


@_small
def _lengthen(long: Any, value: Any) -> None:
    """A 64-bit integer as a long one."""
    long[0] = np.uint64(value)
    for limb in range(1, LIMBS):
        long[limb] = np.uint64(0) if value >= 0 else ~np.uint64(0)


@_compiled
def _sum_double(total: Any, longs: Any, k: Any, factors: Any, which: Any, number: Any) -> None:
    """The sum of longs[c, k] * factors[c] over some c, where all sums on the way fit into two words.

    This is where most of the time goes in long maps, hence words in registers.
    """
    low, high = np.uint64(0), np.uint64(0)
    for a in range(number):
        c = which[a]
        factor = factors[c]
        if factor > 0:
            over, part = _product(longs[c, k, 0], np.uint64(factor))
            over += longs[c, k, 1] * np.uint64(factor)
            low += part
            high += over + np.uint64(low < part)
        elif factor < 0:
            over, part = _product(longs[c, k, 0], np.uint64(0) - np.uint64(factor))
            over += longs[c, k, 1] * (np.uint64(0) - np.uint64(factor))
            high -= over + np.uint64(low < part)
            low -= part
    total[0], total[1] = low, high
    for limb in range(2, LIMBS):
        total[limb] = np.uint64(0) - (high >> np.uint64(63))


@_compiled
def _rounded(long: Any) -> Any:
    """A long integer as a float, within a unit in the last place: by its first two words."""
    negative = long[LIMBS - 1] >> np.uint64(63) != np.uint64(0)
    carry = np.uint64(1)
    first, second, before = np.uint64(0), np.uint64(0), np.uint64(0)
    scale, power = 1.0, 1.0
    for limb in range(LIMBS):
        word = long[limb]
        if negative:
            word = ~word + carry
            carry = carry if word == np.uint64(0) else np.uint64(0)
        if word != np.uint64(0):
            first, second, scale = word, before, power
        before = word
        power *= 2.0**64
    value = np.float64(first) * scale + np.float64(second) * (scale * 2.0**-64)
    return -value if negative else value


@_compiled
def _trailing(long: Any) -> Any:
    """How many times two divides a long integer; many times if it is zero."""
    for limb in range(LIMBS):
        if long[limb] != np.uint64(0):
            return 64 * limb + _lowest(long[limb])
    return np.int64(64 * LIMBS)


@_compiled
def _shift(long: Any, places: Any) -> None:
    """Divide a long integer by a power of two that divides it; zero stays zero."""
    negative = long[LIMBS - 1] >> np.uint64(63) != np.uint64(0)
    words, bits = places >> 6, np.uint64(places & 63)
    for limb in range(LIMBS):
        low = ~np.uint64(0) if negative else np.uint64(0)
        high = low
        if limb + words < LIMBS:
            low = long[limb + words]
        if limb + words + 1 < LIMBS:
            high = long[limb + words + 1]
        long[limb] = low if bits == np.uint64(0) else (low >> bits) | (high << (np.uint64(64) - bits))


@_compiled
def _divide_out(one: Any, two: Any) -> None:
    """one = the greatest common divisor of two long integers that are not negative; the other one is used up."""
    if _trailing(two) == 64 * LIMBS:
        return
    if _trailing(one) == 64 * LIMBS:
        for limb in range(LIMBS):
            one[limb] = two[limb]
        return
    zeros = min(_trailing(one), _trailing(two))
    _shift(one, _trailing(one))
    _shift(two, _trailing(two))
    while True:
        larger = 0
        for limb in range(LIMBS):  # the highest that differs decides
            if one[limb] != two[limb]:
                larger = 1 if one[limb] > two[limb] else -1
        if larger > 0:
            _add(one, two, NONE)
            _shift(one, _trailing(one))
        elif larger < 0:
            _add(two, one, NONE)
            _shift(two, _trailing(two))
        else:
            break
    while zeros > 0:
        _multiply(one, np.int64(1) << min(zeros, 32))
        zeros -= 32


@_compiled
def _combine(rays: Any, r: Any, i: Any, factor_i: Any, j: Any, factor_j: Any, sc: Any) -> Any:
    """Ray r: a sum of multiples of two rays, by long integers, and divided by its common divisor; false where 62 bits
    do not hold that."""
    width = rays.ints.shape[1]
    _lengthen(sc.divisor, ZERO)
    for k in range(width):
        wide = sc.wide[k]
        _lengthen(wide, ZERO)
        _lengthen(sc.total, rays.ints[i, k])
        _add(wide, sc.total, factor_i)
        _lengthen(sc.total, rays.ints[j, k])
        _add(wide, sc.total, factor_j)
        _lengthen(sc.total, ZERO)
        _add(sc.total, wide, ONE if wide[LIMBS - 1] >> np.uint64(63) == np.uint64(0) else NONE)
        _divide_out(sc.divisor, sc.total)
    size = _rounded(sc.divisor)
    for k in range(width):
        if abs(_rounded(sc.wide[k])) >= 0.5 * WHOLE * size:
            return False
    zeros = _trailing(sc.divisor)
    _shift(sc.divisor, zeros)
    # An odd number has an inverse modulo 2^64, and a quotient that has no remainder is the product with it.
    odd = sc.divisor[0]
    inverse = (odd * np.uint64(3)) ^ np.uint64(2)  # right modulo 2^5, and twice as many bits with each step
    for _ in range(4):
        inverse *= np.uint64(2) - odd * inverse
    for k in range(width):
        _shift(sc.wide[k], zeros)
        rays.ints[r, k] = np.int64(sc.wide[k, 0] * inverse)
    return True


@_compiled
def _residue(long: Any) -> Any:
    """A long integer modulo 2^31 - 1."""
    prime = np.uint64(MERSENNE)
    total = np.uint64(0)
    for back in range(LIMBS):
        word = long[LIMBS - 1 - back]
        total = ((total << np.uint64(32)) | (word >> np.uint64(32))) % prime
        total = ((total << np.uint64(32)) | (word & np.uint64(0xFFFFFFFF))) % prime
    if long[LIMBS - 1] >> np.uint64(63) != np.uint64(0):
        # 2^512 is too much, which is 2^16, since 2^31 is 1.
        total = (total + prime - np.uint64(1 << (64 * LIMBS) % 31)) % prime
    return np.int64(total)


@_compiled
def _next_stage(net: Any, lv: Any, s: Any, residues: Any, sc: Any) -> Any:
    """Compose the map of stage s on the leaf at hand, and pull stage s + 1 back; false where long integers are too
    short. ``residues`` are those of long gaps."""
    if not lv.whole[s] or not net.sizes[s, 5] or not net.sizes[s + 1, 5]:
        return False
    if lv.whole[s] == 1 and _next_stage_short(net, lv, s, sc):
        lv.whole[s + 1] = 1
    elif _next_stage_long(net, lv, s, sc):
        lv.whole[s + 1] = 2
    else:
        return False
    return classes(net, lv, s + 1, residues, sc.total)


@_compiled
def _next_stage_long(net: Any, lv: Any, s: Any, sc: Any) -> Any:
    """The same as ``_next_stage_short`` in long integers. The map is not reduced but by powers of two."""
    width = lv.rows.shape[2]
    selectors, inputs, outputs = net.sizes[s, 1], net.sizes[s, 2], net.sizes[s, 3]
    mean = _mean(net, lv, s)
    if mean == 0:
        return False
    if lv.whole[s] == 1:
        for m in range(inputs + 1):
            for k in range(width):
                _lengthen(lv.inner_long[s, m, k], lv.inner[s, m, k])
    at = 0
    most = 0.0
    for g in range(selectors):
        start = net.start[s, g]
        w = lv.won[s, g]
        share = mean // lv.members[s, start + w]
        for entry in range(net.lengths[s, g]):
            for k in range(width):
                for limb in range(LIMBS):
                    sc.values_long[at, k, limb] = np.uint64(0)
            total = 0.0
            for j in range(start, net.start[s, g + 1]):
                if lv.class_of[s, j] == w:
                    form = net.values[s, j, entry]
                    total += share * lv.size[s, form]
                    if lv.size[s, form] == 0.0:
                        continue
                    for k in range(width):
                        if lv.whole[s] == 1:
                            _lengthen(lv.rows_long[s, form, k], lv.rows[s, form, k])
                        _add(sc.values_long[at, k], lv.rows_long[s, form, k], share)
            most = max(most, total)
            at += 1
    inner_most = 0.0
    for m in range(inputs + 1):
        for k in range(width):
            inner_most = max(inner_most, abs(_rounded(lv.inner_long[s, m, k])))
    # Over the product of all denominators the base is multiplied by those of the mix, and the mix by that of the base.
    t = s + 1
    factor = np.float64(mean) * np.float64(net.scales[s, 1]) * np.float64(net.scales[s, 2])
    if np.float64(net.scales[s, 0]) * factor * inner_most >= LONGEST or most >= LONGEST:
        return False
    for k in range(width):
        _lengthen(lv.inner_long[t, 0, k], ZERO)
    _add(lv.inner_long[t, 0, 0], lv.inner_long[s, 0, 0], mean)
    for scale in range(3):
        _multiply(lv.inner_long[t, 0, 0], net.scales[s, scale])
    shift = _trailing(lv.inner_long[t, 0, 0])
    for m in range(outputs):
        bound = net.base_size[s, m] * inner_most * factor + net.mix_size[s, m] * most * np.float64(net.scales[s, 0])
        if bound >= LONGEST:
            return False
        mixed = 0
        for c in range(at):
            if net.mix[s, m, c]:
                sc.alive[mixed] = c
                mixed += 1
        double = net.mix_size[s, m] * most < DOUBLE
        for k in range(width):
            entry_long = lv.inner_long[t, m + 1, k]
            _lengthen(entry_long, ZERO)
            if net.base_size[s, m] > 0.0:
                for c in range(inputs + 1):
                    if net.base[s, m, c]:
                        _add(entry_long, lv.inner_long[s, c, k], net.base[s, m, c])
                _multiply(entry_long, net.scales[s, 1])
                _multiply(entry_long, net.scales[s, 2])
                _multiply(entry_long, mean)
            if double:
                _sum_double(sc.total, sc.values_long, k, net.mix[s, m], sc.alive, mixed)
            else:
                _lengthen(sc.total, ZERO)
                for a in range(mixed):
                    _add(sc.total, sc.values_long[sc.alive[a], k], net.mix[s, m, sc.alive[a]])
            _add(entry_long, sc.total, net.scales[s, 0])
            shift = min(shift, _trailing(entry_long))
    inner_most = 0.0
    alive = 0
    for m in range(outputs + 1):
        row_most = 0.0
        for k in range(width):
            _shift(lv.inner_long[t, m, k], shift)
            row_most = max(row_most, abs(_rounded(lv.inner_long[t, m, k])))
        if row_most > 0.0:
            sc.alive[alive] = m
            alive += 1
        inner_most = max(inner_most, row_most)
    for f in range(net.sizes[t, 0]):
        if net.forms_size[t, f] * inner_most >= LONGEST:
            return False
        double = net.forms_size[t, f] * inner_most < DOUBLE
        size = 0.0
        for k in range(width):
            row = lv.rows_long[t, f, k]
            if double:
                _sum_double(row, lv.inner_long[t], k, net.forms[t, f], sc.alive, alive)
            else:
                _lengthen(row, ZERO)
                for a in range(alive):
                    c = sc.alive[a]
                    if net.forms[t, f, c]:
                        _add(row, lv.inner_long[t, c, k], net.forms[t, f, c])
            lv.rows[t, f, k] = np.int64(row[0])
            lv.floats[t, f, k] = _rounded(row)
            size += abs(lv.floats[t, f, k])
        lv.size[t, f] = size
    return True


@_compiled
def _mean(net: Any, lv: Any, s: Any) -> Any:
    """The least common multiple of the numbers of members of the winning classes; 0 where that is large."""
    mean = np.int64(1)
    for g in range(net.sizes[s, 1]):
        number = lv.members[s, net.start[s, g] + lv.won[s, g]]
        mean = mean // _gcd(mean, number) * number
        if mean > 1 << 20:
            return np.int64(0)
    return mean


@_compiled
def _next_stage_short(net: Any, lv: Any, s: Any, sc: Any) -> Any:
    """The map and the rows of stage s + 1 in 64-bit integers; false where 62 bits do not suffice."""
    width = lv.rows.shape[2]
    selectors, inputs, outputs = net.sizes[s, 1], net.sizes[s, 2], net.sizes[s, 3]
    mean = _mean(net, lv, s)
    if mean == 0:
        return False
    at = 0
    most = 0.0
    for g in range(selectors):
        start = net.start[s, g]
        w = lv.won[s, g]
        share = mean // lv.members[s, start + w]
        for entry in range(net.lengths[s, g]):
            if lv.members[s, start + w] == 1:
                form = net.values[s, start + lv.low[s, start + w], entry]
                if share * lv.size[s, form] >= WHOLE:
                    return False
                for k in range(width):
                    sc.values[at, k] = share * lv.rows[s, form, k]
                most = max(most, share * lv.size[s, form])
            else:
                total = 0.0
                for k in range(width):
                    sc.values[at, k] = 0
                for j in range(start, net.start[s, g + 1]):
                    if lv.class_of[s, j] == w:
                        form = net.values[s, j, entry]
                        total += share * lv.size[s, form]
                        if total >= WHOLE:
                            return False
                        for k in range(width):
                            sc.values[at, k] += share * lv.rows[s, form, k]
                most = max(most, total)
            at += 1
    inner_most = 0.0
    for m in range(inputs + 1):
        for k in range(width):
            inner_most = max(inner_most, abs(np.float64(lv.inner[s, m, k])))
    base_scale = net.scales[s, 0]
    if np.float64(net.scales[s, 1]) * np.float64(net.scales[s, 2]) * np.float64(mean) >= WHOLE:
        return False
    mix_scale = net.scales[s, 1] * net.scales[s, 2] * mean
    shared = _gcd(base_scale, mix_scale)
    base_factor, mix_factor = mix_scale // shared, base_scale // shared
    if np.float64(base_factor) * np.float64(base_scale) >= WHOLE:
        return False
    scale = base_factor * base_scale
    if np.float64(scale) * np.float64(lv.inner[s, 0, 0]) >= WHOLE:
        return False
    t = s + 1
    divisor = scale * lv.inner[s, 0, 0]
    lv.inner[t, 0, 0] = divisor
    for k in range(1, width):
        lv.inner[t, 0, k] = 0
    # Matrices are sparse more often than not: a ReLU layer has no base, a mix with one entry in a row, and units that
    # are off.
    for m in range(outputs):
        bound = net.base_size[s, m] * inner_most * base_factor + net.mix_size[s, m] * most * mix_factor
        if bound >= WHOLE:
            return False
        alive = 0
        if net.base_size[s, m] > 0.0:
            for c in range(inputs + 1):
                if net.base[s, m, c]:
                    sc.alive[alive] = c
                    alive += 1
        mixed = alive
        for c in range(at):
            if net.mix[s, m, c]:
                sc.alive[mixed] = c
                mixed += 1
        for k in range(width):
            total = np.int64(0)
            for a in range(alive):
                total += net.base[s, m, sc.alive[a]] * lv.inner[s, sc.alive[a], k]
            total *= base_factor
            part = np.int64(0)
            for a in range(alive, mixed):
                part += net.mix[s, m, sc.alive[a]] * sc.values[sc.alive[a], k]
            total += part * mix_factor
            lv.inner[t, m + 1, k] = total
            if divisor > 1:
                divisor = _gcd(divisor, abs(total))
    if divisor > 1:
        for m in range(outputs + 1):
            for k in range(width):
                lv.inner[t, m, k] //= divisor
    inner_most = 0.0
    alive = 0
    for m in range(outputs + 1):
        row_most = 0.0
        for k in range(width):
            row_most = max(row_most, abs(np.float64(lv.inner[t, m, k])))
        if row_most > 0.0:
            sc.alive[alive] = m
            alive += 1
        inner_most = max(inner_most, row_most)
    for f in range(net.sizes[t, 0]):
        if net.forms_size[t, f] * inner_most >= WHOLE:
            return False
        size = 0.0
        for k in range(width):
            total = np.int64(0)
            for a in range(alive):
                total += net.forms[t, f, sc.alive[a]] * lv.inner[t, sc.alive[a], k]
            lv.rows[t, f, k] = total
            lv.floats[t, f, k] = np.float64(total)
            size += abs(lv.floats[t, f, k])
        lv.size[t, f] = size
    return True


@_compiled
def _power(base: Any, exponent: Any, prime: Any) -> Any:
    result = np.int64(1)
    while exponent:
        if exponent & 1:
            result = result * base % prime
        base = base * base % prime
        exponent >>= 1
    return result


@_compiled
def sketches(net: Any, lv: Any, control: Any, s: Any) -> None:
    """Prepare the sketches of the cells of the last stage in one parent: one functional of the map, modulo a prime."""
    control[PARENTS] += 1
    control[SKETCHED] = 0
    if not control[LISTING] or s != net.sizes.shape[0] - 1 or not lv.whole[s] or not net.sizes[s, 5]:
        return
    prime = PRIMES[0]
    width = lv.rows.shape[2]
    long = lv.whole[s] == 2
    scale = _residue(lv.inner_long[s, 0, 0]) if long else lv.inner[s, 0, 0] % prime
    base_scale, mix_scale = net.scales[s, 0] % prime * scale % prime, net.scales[s, 1] % prime * scale % prime
    mix_scale = net.scales[s, 2] % prime * mix_scale % prime
    if base_scale == 0 or mix_scale == 0:
        return
    control[SKETCHED] = 1
    inverse = _power(base_scale, prime - 2, prime)
    for k in range(width):
        total = np.int64(0)
        for c in range(net.sizes[s, 2] + 1):
            inner = _residue(lv.inner_long[s, c, k]) if long else lv.inner[s, c, k] % prime
            total = (total + net.sketch_base[c] * inner) % prime
        lv.sketch_start[k] = total * inverse % prime
    inverse = _power(mix_scale, prime - 2, prime)
    value = 0
    for g in range(net.sizes[s, 1]):
        start = net.start[s, g]
        for c in range(lv.classes[s, g]):
            for k in range(width):
                lv.sketch[start + c, k] = 0
        for j in range(start, net.start[s, g + 1]):
            c = lv.class_of[s, j]
            for entry in range(net.lengths[s, g]):
                form = net.values[s, j, entry]
                if lv.size[s, form] == 0.0:
                    continue
                weight = net.sketch_mix[value + entry]
                for k in range(width):
                    row = _residue(lv.rows_long[s, form, k]) if long else lv.rows[s, form, k] % prime
                    lv.sketch[start + c, k] = (lv.sketch[start + c, k] + weight * row) % prime
        for c in range(lv.classes[s, g]):
            number = lv.members[s, start + c]
            factor = inverse if number == 1 else inverse * _power(number, prime - 2, prime) % prime
            for k in range(width):
                lv.sketch[start + c, k] = lv.sketch[start + c, k] * factor % prime
        value += net.lengths[s, g]


@_compiled
def _list(
    net: Any, lv: Any, rays: Any, rows: Any, stack: Any, out: Any, control: Any, table: Any, entry: Any, s: Any
) -> None:
    """Write down a cell: its pattern, its sketch, its parent, rows that contain all its facets, and its rays."""
    at = control[LISTED]
    column = 0
    for level in range(s + 1):
        for g in range(net.sizes[level, 1]):
            out.pattern[at, column] = lv.low[level, net.start[level, g] + lv.won[level, g]]
            column += 1
    prime = PRIMES[0]
    for k in range(lv.sketch_start.shape[0]):
        total = np.int64(-1)
        if control[SKETCHED]:
            total = lv.sketch_start[k]
            for g in range(net.sizes[s, 1]):
                total += lv.sketch[net.start[s, g] + lv.won[s, g], k]
            total %= prime
        out.sketch[at, k] = total
    out.parent[at] = control[PARENTS]
    out.first_row[at] = control[ROWS_LISTED]
    used = _live(table) if stack.nodes[entry, 9] else np.uint64(0)
    first, number = stack.nodes[entry, 1], stack.nodes[entry, 2]
    whole = stack.nodes[entry, 9] == 0 and control[RAYS_LISTED] + number <= out.tight.shape[0]
    for a in range(first, first + number):
        used |= stack.tight[a]
        whole = whole and rays.size[stack.member[a]] < WHOLE
    out.first_ray[at] = control[RAYS_LISTED]
    if whole:
        for a in range(first, first + number):
            for k in range(rays.ints.shape[1]):
                out.rays[control[RAYS_LISTED], k] = rays.ints[stack.member[a], k]
            # The bits of the rows in use, moved together.
            left, place, tight = used, ZERO, np.uint64(0)
            while left:
                if stack.tight[a] & left & (~left + np.uint64(1)):
                    tight |= _bit(place)
                left &= left - np.uint64(1)
                place += 1
            out.tight[control[RAYS_LISTED]] = tight
            control[RAYS_LISTED] += 1
    while used:
        code = table[_lowest(used)]
        used &= used - np.uint64(1)
        for k in range(4):
            out.rows[control[ROWS_LISTED], k] = rows.origin[code >> 1, k]
        out.rows[control[ROWS_LISTED], 4] = code & 1
        control[ROWS_LISTED] += 1
    control[LISTED] += 1


@_compiled
def _hand_back(
    net: Any, lv: Any, rows: Any, stack: Any, out: Any, control: Any, table: Any, entry: Any, s: Any, reason: Any
) -> None:
    """Note a node for Python: its stage, the winners before it (for ``BY_SIZE`` also of this stage), its rows."""
    at = control[LEFT]
    out.left[at, 0] = s
    out.left[at, 1] = reason
    out.left_slice[at, 0] = 0
    out.left_path[at] = stack.path[entry]
    place = 0
    for level in range(s + 1):
        for g in range(net.sizes[level, 1]):
            out.left_won[at, place] = lv.won[level, g]
            place += 1
    used = _live(table) if stack.nodes[entry, 9] else np.uint64(0)
    first, number = stack.nodes[entry, 1], stack.nodes[entry, 2]
    for a in range(first, first + number):
        used |= stack.tight[a]
    for bit in range(BITS):
        out.left_rows[at, bit, 0] = -2
        if used >> np.uint64(bit) & np.uint64(1):
            code = table[bit]
            for k in range(4):
                out.left_rows[at, bit, k] = rows.origin[code >> 1, k]
            out.left_rows[at, bit, 4] = code & 1
    control[LEFT] += 1


@_compiled
def _settled(
    net: Any, lv: Any, s: Any, g: Any, rays: Any, stack: Any, first: Any, number: Any, lines: Any, sc: Any, tests: Any
) -> Any:
    """Whether the class that wins selector g at all rays of a node wins on its lines, too; 2 where that is undecided.

    A line goes both ways, so that all classes must agree. In all of R^d two classes do if no entry of the normal is
    there; the float of a row is zero only if the integer is.
    """
    if lines == rays.ints.shape[1] - 1 and lv.classes[s, g] == 2:
        for k in range(1, lines + 1):
            if lv.gap_floats[s, g, k] != 0.0:
                return 0
        return 1
    for at in range(lines):
        for c in range(1, lv.classes[s, g]):
            sign = _along(net, lv, s, g, c, ZERO, rays, stack.member[first + number + at], sc, tests)
            if sign != 0:
                return 2 if sign == 2 else 0
    return 1


@_small
def _times(one: Any, two: Any) -> Any:
    """A product modulo 2^31 - 1."""
    product = one * two
    product = (product & np.uint64(MERSENNE)) + (product >> np.uint64(31))
    return product - np.uint64(MERSENNE) if product >= np.uint64(MERSENNE) else product


@_compiled
def _inverse(value: Any) -> Any:
    """The inverse modulo 2^31 - 1, by Fermat: the power 2^31 - 3 = 4 (2^29 - 1) + 1."""
    ones = value  # the power 2^n - 1
    powers = (value, value, value, value)
    for n in range(4):
        more = ones
        for _ in range(1 << n):
            more = _times(more, more)
        ones = _times(more, ones)
        powers = (powers[1], powers[2], powers[3], ones)
    # 29 = 16 + 8 + 4 + 1
    result = powers[3]
    for _ in range(8):
        result = _times(result, result)
    result = _times(result, powers[2])
    for _ in range(4):
        result = _times(result, result)
    result = _times(result, powers[1])
    result = _times(_times(result, result), value)
    result = _times(result, result)
    return _times(_times(result, result), value)


@_compiled
def _dependent(gap: Any, gap_size: Any, chain: Any, length: Any, one: Any, two: Any, modular: Any, tests: Any) -> Any:
    """Whether the gaps of a chain and of ``one`` and ``two`` are dependent, or, without ``two``, the normals of the
    chain and of ``one``, given that they are modulo the first prime: 1 if so, 0 if not, 2 where that is undecided.

    Dependent: all minors as large as the number of rows are zero. A minor is at most the product of the rows' sums of
    absolute values, so that it is zero if it is modulo primes whose product is larger.
    """
    start = 0 if two >= 0 else 1
    number = length + 2 - start
    width = gap.shape[1]
    bound = 1.0
    for r in range(number):
        size = gap_size[chain[r] if r < length else (one if r == length else two)]
        if size >= WHOLE:
            return 2
        bound *= size
    covered = 2147000000.0
    for p in range(PRIMES.shape[0]):
        prime = PRIMES[p]
        if p > 0:
            for r in range(number):
                g = chain[r] if r < length else (one if r == length else two)
                for k in range(start, width):
                    modular[r, k] = gap[g, k] % prime
            full = True
            for r in range(number):
                lead = -1
                for k in range(start, width):
                    if modular[r, k]:
                        lead = k
                        break
                if lead < 0:
                    full = False
                    break
                for other in range(r + 1, number):
                    factor = modular[other, lead]
                    if factor:
                        for k in range(start, width):
                            modular[other, k] = (
                                modular[r, lead] * modular[other, k] % prime + prime - factor * modular[r, k] % prime
                            ) % prime
            if full:
                return 0
            covered *= 2147000000.0
        if covered > bound:
            tests[ZEROS] += 1
            return 1
    return 2


@_compiled
def _scale(
    slices: Any, at: Any, count: Any, width: Any, gap: Any, gap_size: Any, control: Any, modular: Any, tests: Any
) -> Any:
    """Scale the forms of slice ``at`` to a leading one, keep one of those that coincide; their number, or -1."""
    residues, lead = slices.residues[at], slices.lead[at]
    forms, slots, products = slices.forms[at], slices.slots, slices.products
    total = np.uint64(1)
    for t in range(count):
        products[t] = total
        total = _times(total, residues[t, lead[t]])
    inverse = _inverse(total)
    for back in range(count):
        t = count - 1 - back
        factor = _times(inverse, products[t])
        inverse = _times(inverse, residues[t, lead[t]])
        for c in range(width):
            residues[t, c] = _times(residues[t, c], factor)
    control[USES] += 1
    use = control[USES]
    mask = np.int64(1)
    while mask < 2 * count:
        mask *= 2
    mask -= 1
    kept = 0
    for t in range(count):
        word = np.uint64(0)
        for c in range(width):
            word = (word + residues[t, c]) * np.uint64(0x9E3779B97F4A7C15)
        place = np.int64(word >> np.uint64(33)) & mask
        same = False
        while slots[place] >> 24 == use:
            other = slots[place] & 0xFFFFFF
            equal = True
            for c in range(width):
                if residues[t, c] != residues[other, c]:
                    equal = False
                    break
            if equal:
                verdict = _dependent(gap, gap_size, slices.chain, at, forms[t], forms[other], modular, tests)
                if verdict == 2:
                    return -1
                if verdict == 1:
                    same = True
                    break
            place = (place + 1) & mask
        if same:
            continue
        slots[place] = use << 24 | kept
        if kept < t:
            for c in range(width):
                residues[kept, c] = residues[t, c]
            lead[kept] = lead[t]
            forms[kept] = forms[t]
        kept += 1
    return kept


@_compiled
def _reduce(slices: Any, j: Any, i: Any, count: Any, gap: Any, gap_size: Any, control: Any, sc: Any, tests: Any) -> Any:
    """The forms of slice j at the places ``slices.forms[j + 1]``, on slice j + 1, where form i of slice j vanishes.

    One of those that coincide; their number, or -1 where that is undecided. Where the slices are flats, without those
    that are constant.
    """
    width = gap.shape[1] - j
    pivot = slices.lead[j, i]
    old, new, forms = slices.residues[j], slices.residues[j + 1], slices.forms[j + 1]
    kept = 0
    tests[ZEROS] += count
    for t in range(count):
        m = forms[t]
        factor = np.uint64(MERSENNE) - old[m, pivot]
        lead, to = 0, 0
        for c in range(width):
            if c != pivot:
                value = old[m, c] + _times(factor, old[i, c])
                value = value - np.uint64(MERSENNE) if value >= np.uint64(MERSENNE) else value
                new[kept, to] = value
                if lead == 0 and value != np.uint64(0):
                    lead = to
                to += 1
        g = slices.forms[j, m]
        if lead == 0:
            if (
                not control[EVERYWHERE]
                or _dependent(gap, gap_size, slices.chain, j + 1, g, NONE, sc.modular, tests) != 1
            ):
                return -1
            continue
        slices.lead[j + 1, kept] = lead
        forms[kept] = g
        kept += 1
    return _scale(slices, j + 1, kept, width - 1, gap, gap_size, control, sc.modular, tests)


@_compiled
def _section(
    net: Any, lv: Any, s: Any, rays: Any, rows: Any, stack: Any, slices: Any, j: Any, i: Any, sc: Any, tests: Any
) -> tuple[Any, Any]:
    """Slice j + 1: the rays of slice j on the hyperplane of its form i, and which of the forms before i cut it.

    Outcome, and how many; their places are in ``slices.forms[j + 1]``.
    """
    first, number = slices.frames[j, 2], slices.frames[j, 3]
    ray_top, into, row_top = slices.frames[j, 4], slices.frames[j, 5], slices.frames[j, 6]
    words = lv.words[s]
    table = slices.table[j + 1]
    for b in range(BITS):
        table[b] = slices.table[j, b]
    g = slices.forms[j, i]
    place = _free(stack, first, number, ZERO, table)
    if place < 0:
        return UNDECIDED, 0
    if row_top >= rows.size.shape[0] or number > sc.sign.shape[0]:
        return SPACE, 0
    _store(rows, row_top, lv.gap[s, g], lv.gap_floats[s, g], ONE if lv.gap_size[s, g] < WHOLE else ZERO)
    rows.origin[row_top, 0] = s
    rows.origin[row_top, 1] = g
    rows.origin[row_top, 2] = 1
    rows.origin[row_top, 3] = 0
    word, shift = lv.place[s, g] >> 6, np.uint64(lv.place[s, g] & 63)
    for a in range(first, first + number):
        field = rays.marks[stack.member[a], word] >> shift & np.uint64(3)
        sc.sign[a - first] = 1 if field == np.uint64(2) else (-1 if field == np.uint64(1) else 0)
    bit = _bit(place)
    outcome, made, top = _cut(
        rays, ray_top, stack, first, number, ZERO, bit, rows, row_top, table, into, sc, words, tests
    )
    if outcome != FINE:
        return outcome, 0
    if into + made + number > stack.member.shape[0]:
        return SPACE, 0
    table[place] = 2 * row_top
    for a in range(into, into + made):
        r = stack.member[a]
        if not _quick(
            lv.gap[s],
            lv.gap_size[s],
            lv.classes[s],
            lv.place[s],
            slices.forms[j],
            ZERO,
            i,
            rays.ints[r],
            rays.size[r],
            rays.marks[r],
            tests,
        ) and not _complete(lv, net, s, slices.forms[j], ZERO, i, rays, r, rows, table, stack.tight[a], sc, tests):
            return UNDECIDED, 0
    at = into + made
    for a in range(first, first + number):
        if sc.sign[a - first] == 0:
            stack.member[at] = stack.member[a]
            stack.tight[at] = stack.tight[a] | bit
            at += 1
    slices.frames[j + 1, 2] = into
    slices.frames[j + 1, 3] = at - into
    slices.frames[j + 1, 4] = top
    slices.frames[j + 1, 5] = at
    slices.frames[j + 1, 6] = row_top + 1
    for w in range(words):
        sc.common[w] = ~np.uint64(0)
    for a in range(into, at):
        for w in range(words):
            sc.common[w] &= rays.marks[stack.member[a], w]
    count = 0
    for m in range(i):
        h = slices.forms[j, m]
        if sc.common[lv.place[s, h] >> 6] >> np.uint64(lv.place[s, h] & 63) & np.uint64(3) == np.uint64(0):
            slices.forms[j + 1, count] = m
            count += 1
    return FINE, count


@_compiled
def _begin(
    net: Any,
    lv: Any,
    s: Any,
    rays: Any,
    rows: Any,
    stack: Any,
    slices: Any,
    control: Any,
    table: Any,
    entry: Any,
    open_first: Any,
    number: Any,
    sc: Any,
    tests: Any,
) -> Any:
    """Begin to count the node on top of the stack by restriction: ``FINE``, ``SPACE``, or ``UNDECIDED``.

    The latter also where many forms cut the node and few of these meet: they would be looked at in vain, a number of
    times that grows as the square of theirs. Then a split comes first. A few slices show it.
    """
    width = rays.ints.shape[1]
    for t in range(number):
        g = stack.open[open_first + t]
        lead = 0
        for back in range(width):
            c = width - 1 - back
            value = slices.long[s, g, c] if lv.gap_size[s, g] >= WHOLE else lv.gap[s, g, c] % MERSENNE
            slices.residues[0, t, c] = np.uint64(value)
            if value and c:
                lead = c
        if lead == 0:
            return UNDECIDED
        slices.lead[0, t] = lead
        slices.forms[0, t] = g
    control[EVERYWHERE] = stack.nodes[entry, 9]
    count = _scale(slices, ZERO, number, width, lv.gap[s], lv.gap_size[s], control, sc.modular, tests)
    if count < 0:
        return UNDECIDED
    tests[ZEROS] += number
    for k in range(2):
        slices.frames[0, 2 + k] = stack.nodes[entry, 1 + k]
    for k in range(3):
        slices.frames[0, 4 + k] = stack.nodes[entry, 5 + k]
    for b in range(BITS):
        slices.table[0, b] = table[b]
    if width > 2 and count > max(control[FEW], SAMPLES) and not control[EVERYWHERE]:
        meet = 0
        for sample in range(1, SAMPLES + 1):
            outcome, found = _section(
                net, lv, s, rays, rows, stack, slices, ZERO, count * sample // SAMPLES - 1, sc, tests
            )
            if outcome != FINE:
                return outcome
            meet += found
        if meet * RARE < count * (SAMPLES + 1) // 2:
            return UNDECIDED
    control[CELLS] += 1
    slices.frames[0, 0] = count
    slices.frames[0, 1] = 0
    if width == 2:
        control[CELLS] += count
        slices.frames[0, 0] = 0
    control[SLICES] = 1
    return FINE


@_compiled
def _restrict(
    net: Any,
    lv: Any,
    rays: Any,
    rows: Any,
    stack: Any,
    slices: Any,
    sc: Any,
    out: Any,
    control: Any,
    tests: Any,
    steps: Any,
) -> tuple[Any, Any]:
    """Go on counting by restriction: until all slices are done, for about ``steps``, until one is handed back, or until
    there is no ``SPACE``. The outcome, and the steps that are left."""
    entry = control[TOP] - 1
    s = stack.nodes[entry, 0]
    width = rays.ints.shape[1]
    frames = slices.frames
    gap, gap_size = lv.gap[s], lv.gap_size[s]
    while control[SLICES] > 0 and steps > 0 and control[LEFT] == 0:
        j = control[SLICES] - 1
        i = frames[j, 1]
        if i >= frames[j, 0]:
            control[SLICES] = j
            continue
        if i == 0:
            # No form is before it.
            control[CELLS] += 1
            frames[j, 1] = 1
            continue
        tests[NODES] += 1
        slices.chain[j] = slices.forms[j, i]
        outcome, count = FINE, i
        if control[EVERYWHERE]:
            steps -= 1 + i // 64
            for m in range(i):
                slices.forms[j + 1, m] = m
        else:
            steps -= 1 + frames[j, 3] * frames[j, 3] // 64
            outcome, count = _section(net, lv, s, rays, rows, stack, slices, j, i, sc, tests)
        if outcome == SPACE:
            return SPACE, steps
        frames[j, 1] = i + 1
        if outcome == FINE and (count > 1 or control[EVERYWHERE]):
            count = _reduce(slices, j, i, count, gap, gap_size, control, sc, tests)
        if outcome != FINE or count < 0:
            tests[OPEN] += 1
            _hand_back(net, lv, rows, stack, out, control, slices.table[0], entry, s, BY_SLICE)
            out.left_slice[0, 0] = j + 1
            out.left_slice[0, 1] = i
            for k in range(j + 1):
                out.left_slice[0, 2 + k] = slices.chain[k]
            for m in range(i):
                out.left_slice[0, 3 + j + m] = slices.forms[j, m]
            continue
        control[CELLS] += 1
        if count <= 1 or width - 1 - j == 2:
            control[CELLS] += count
            continue
        frames[j + 1, 0] = count
        frames[j + 1, 1] = 0
        control[SLICES] = j + 2
    return FINE, steps


@_compiled
def run(
    net: Any,
    lv: Any,
    rays: Any,
    rows: Any,
    stack: Any,
    slices: Any,
    sc: Any,
    out: Any,
    control: Any,
    tests: Any,
    steps: Any,
) -> Any:
    """Work on the stack: until it is empty (``DONE``), for about ``steps`` small nodes (``PAUSED``), until a buffer is
    ``FULL``, or until the arrays must ``GROW``."""
    width = rays.ints.shape[1]
    while steps > 0:
        if control[TOP] == 0:
            return DONE
        if (
            control[LEFT] >= out.left.shape[0]
            or control[LISTED] >= out.pattern.shape[0]
            or control[ROWS_LISTED] + BITS > out.rows.shape[0]
        ):
            return FULL
        if control[SLICES]:
            outcome, steps = _restrict(net, lv, rays, rows, stack, slices, sc, out, control, tests, steps)
            if outcome == SPACE:
                return GROW
            if control[SLICES] == 0:
                control[TOP] -= 1
            continue
        entry = control[TOP] - 1
        s, first, number, lines = (
            stack.nodes[entry, 0],
            stack.nodes[entry, 1],
            stack.nodes[entry, 2],
            stack.nodes[entry, 9],
        )
        open_first, open_number = stack.nodes[entry, 3], stack.nodes[entry, 4]
        ray_top, into, row_top, open_top = (
            stack.nodes[entry, 5],
            stack.nodes[entry, 6],
            stack.nodes[entry, 7],
            stack.nodes[entry, 8],
        )
        steps -= 1 + number * number // 64  # pairs of rays are what takes time
        path = stack.path[entry]
        table = sc.table
        for bit in range(BITS):
            table[bit] = stack.table[entry, bit]
        words = lv.words[s]
        tests[NODES] += 1
        if number > sc.sign.shape[0] or open_top + open_number >= stack.open.shape[0] or row_top >= rows.size.shape[0]:
            return GROW
        for word in range(words):
            sc.common[word] = ~np.uint64(0)
        for a in range(first, first + number):
            for word in range(words):
                sc.common[word] &= rays.marks[stack.member[a], word]
        still = ZERO
        outcome = FINE
        for at in range(open_first, open_first + open_number):
            g = stack.open[at]
            place = lv.place[s, g]
            settled = 0
            if sc.common[place >> 6] >> np.uint64(place & 63) & (_bit(lv.classes[s, g]) - np.uint64(1)):
                settled = 1 if lines == 0 else _settled(net, lv, s, g, rays, stack, first, number, lines, sc, tests)
            if settled == 0:
                stack.open[open_top + still] = g
                still += 1
            elif settled == 2:
                outcome = UNDECIDED
        if outcome == UNDECIDED:
            _hand_back(net, lv, rows, stack, out, control, table, entry, s, BY_SIGN)
            control[TOP] = entry
            continue

        if still == 0:
            for g in range(net.sizes[s, 1]):
                place = lv.place[s, g]
                field = sc.common[place >> 6] >> np.uint64(place & 63) & (_bit(lv.classes[s, g]) - np.uint64(1))
                lv.won[s, g] = _lowest(field)
            if s == control[LAST]:
                if control[LISTING] and control[RAYS_LISTED] > 0 and control[RAYS_LISTED] + number > out.tight.shape[0]:
                    return FULL
                control[CELLS] += 1
                if control[LISTING]:
                    _list(net, lv, rays, rows, stack, out, control, table, entry, s)
                control[TOP] = entry
                continue
            if not _next_stage(net, lv, s, slices.long, sc):
                _hand_back(net, lv, rows, stack, out, control, table, entry, s, BY_SIZE)
                control[TOP] = entry
                continue
            t = s + 1
            if t == control[LAST]:
                sketches(net, lv, control, t)
            if (
                ray_top + number + lines > rays.size.shape[0]
                or into + number + lines > stack.member.shape[0]
                or open_top + net.sizes[t, 1] > stack.open.shape[0]
            ):
                return GROW
            opened = net.sizes[t, 1]
            for g in range(opened):
                stack.open[open_top + g] = g
            for a in range(number + lines):
                old, new = stack.member[first + a], ray_top + a
                for k in range(width):
                    rays.ints[new, k] = rays.ints[old, k]
                    rays.floats[new, k] = rays.floats[old, k]
                rays.size[new] = rays.size[old]
                rays.error[new] = rays.error[old]
                for word in range(lv.words[t]):
                    rays.marks[new, word] = np.uint64(0)
                if (
                    a < number
                    and not _quick(
                        lv.gap[t],
                        lv.gap_size[t],
                        lv.classes[t],
                        lv.place[t],
                        sc.everything,
                        ZERO,
                        opened,
                        rays.ints[new],
                        rays.size[new],
                        rays.marks[new],
                        tests,
                    )
                    and not _complete(
                        lv,
                        net,
                        t,
                        sc.everything,
                        ZERO,
                        opened,
                        rays,
                        new,
                        rows,
                        table,
                        stack.tight[first + a],
                        sc,
                        tests,
                    )
                ):
                    outcome = UNDECIDED
                    break
                stack.member[into + a] = new
                stack.tight[into + a] = stack.tight[first + a]
            if outcome == UNDECIDED:
                _hand_back(net, lv, rows, stack, out, control, table, entry, s, BY_SIZE)
                control[TOP] = entry
                continue
            stack.nodes[entry, 0] = t
            stack.nodes[entry, 1] = into
            stack.nodes[entry, 3] = open_top
            stack.nodes[entry, 4] = opened
            stack.nodes[entry, 5] = ray_top + number + lines
            stack.nodes[entry, 6] = into + number + lines
            stack.nodes[entry, 8] = open_top + opened
            stack.path[entry] = np.uint64(1)
            continue

        if still == 1 and s == control[LAST] and not control[LISTING]:
            # One selector is left: the number of its classes that win somewhere; none of their parts is needed.
            g = stack.open[open_top]
            if lv.classes[s, g] == 2:
                control[CELLS] += 2
                control[TOP] = entry
                continue
            place = lv.place[s, g]
            full = _bit(lv.classes[s, g]) - np.uint64(1)
            alone = np.uint64(0)
            for a in range(first, first + number):
                field = rays.marks[stack.member[a], place >> 6] >> np.uint64(place & 63) & full
                if field & (field - np.uint64(1)) == np.uint64(0):
                    alone |= field
            cells = _bits(alone)
            for w in range(lv.classes[s, g]):
                if alone >> np.uint64(w) & np.uint64(1):
                    continue
                for b in range(BITS):
                    sc.child_table[0, b] = table[b]
                outcome, _a, _b, _c, _d, _e, _f = _won(
                    net,
                    lv,
                    s,
                    g,
                    w,
                    rays,
                    ray_top,
                    rows,
                    row_top,
                    stack,
                    first,
                    number,
                    lines,
                    into,
                    sc.child_table[0],
                    sc,
                    tests,
                )
                if outcome == FINE:
                    cells += 1
                elif outcome == NO_INTERIOR:
                    outcome = FINE
                else:
                    break
            if outcome == SPACE:
                return GROW
            if outcome == UNDECIDED:
                _hand_back(net, lv, rows, stack, out, control, table, entry, s, BY_SIGN)
            else:
                control[CELLS] += cells
            control[TOP] = entry
            continue

        chosen = np.int64(path % np.uint64(still))
        if s == control[LAST] and not control[LISTING]:
            several = 0
            for at in range(open_top, open_top + still):
                several += lv.classes[s, stack.open[at]] > 2
            if several == 0 and (lines == 0 or lines == width - 1) and still <= slices.forms.shape[1]:
                outcome = _begin(
                    net, lv, s, rays, rows, stack, slices, control, table, entry, open_top, still, sc, tests
                )
                if outcome == SPACE:
                    return GROW
                if outcome == FINE:
                    continue
                outcome = FINE
            elif 0 < several < still:
                # First those that are no hyperplanes, so that the others can be counted by restriction.
                seen = np.int64(path % np.uint64(several))
                for at in range(still):
                    if lv.classes[s, stack.open[open_top + at]] > 2:
                        if seen == 0:
                            chosen = at
                        seen -= 1
        g = stack.open[open_top + chosen]
        word, shift = lv.place[s, g] >> 6, np.uint64(lv.place[s, g] & 63)
        if entry + lv.classes[s, g] >= stack.path.shape[0]:
            return GROW
        children = 0
        if lv.classes[s, g] == 2:
            place = _free(stack, first, number, lines, table)
            if place < 0:
                outcome = UNDECIDED
            elif into + 2 * (number + lines) + 2 > stack.member.shape[0]:
                outcome = SPACE
            else:
                bit = _bit(place)
                _store(
                    rows,
                    row_top,
                    lv.gap[s, g],
                    lv.gap_floats[s, g],
                    ONE if lv.gap_size[s, g] < WHOLE else ZERO,
                )
                rows.origin[row_top, 0] = s
                rows.origin[row_top, 1] = g
                rows.origin[row_top, 2] = 1
                rows.origin[row_top, 3] = 0
                line = NONE
                for at in range(lines):
                    sign = _sign(
                        lv.gap[s, g],
                        lv.gap_floats[s, g],
                        lv.gap_size[s, g],
                        rays,
                        stack.member[first + number + at],
                        tests,
                    )
                    if sign == 2:
                        outcome = UNDECIDED
                    elif sign != 0 and line < 0:
                        line = at
                top = ray_top
                at = into
                if outcome != FINE:
                    tests[OPEN] += 1
                elif line >= 0:
                    outcome = _slide(rays, ray_top, stack, first, number, lines, line, rows, row_top, words, sc)
                    if outcome == FINE:
                        for side in range(2):
                            at = into + side * (number + lines)
                            _half(stack, first, number, lines, ray_top, 1 - side, at, bit, _live(table))
                            sc.child[side, 0], sc.child[side, 1], sc.child[side, 2] = at, number + 1, lines - 1
                        for side in range(2):
                            for a in range(sc.child[side, 0], sc.child[side, 0] + number + 1):
                                if not _complete(
                                    lv,
                                    net,
                                    s,
                                    sc.everything,
                                    ZERO,
                                    net.sizes[s, 1],
                                    rays,
                                    stack.member[a],
                                    rows,
                                    table,
                                    np.uint64(0),
                                    sc,
                                    tests,
                                ):
                                    outcome = UNDECIDED
                    at = into + 2 * (number + lines)
                    top = ray_top + number + lines + 1
                else:
                    for a in range(first, first + number):
                        field = rays.marks[stack.member[a], word] >> shift & np.uint64(3)
                        sc.sign[a - first] = 1 if field == np.uint64(2) else (-1 if field == np.uint64(1) else 0)
                    outcome, made, top = _cut(
                        rays, ray_top, stack, first, number, lines, bit, rows, row_top, table, into, sc, words, tests
                    )
                    old_code = table[place]
                    table[place] = 2 * row_top
                    if outcome == FINE:
                        for a in range(into, into + made):
                            r = stack.member[a]
                            rays.marks[r, word] |= np.uint64(3) << shift
                            if not _quick(
                                lv.gap[s],
                                lv.gap_size[s],
                                lv.classes[s],
                                lv.place[s],
                                stack.open,
                                open_top,
                                still,
                                rays.ints[r],
                                rays.size[r],
                                rays.marks[r],
                                tests,
                            ) and not _complete(
                                lv,
                                net,
                                s,
                                stack.open,
                                open_top,
                                still,
                                rays,
                                r,
                                rows,
                                table,
                                stack.tight[a],
                                sc,
                                tests,
                            ):
                                outcome = UNDECIDED
                                break
                    table[place] = old_code
                    if outcome == FINE and into + 2 * (made + number + lines) > stack.member.shape[0]:
                        outcome = SPACE
                    at = into
                    if outcome == FINE:
                        # The crossings belong to both sides: below has them first, above copies them.
                        at = into + made
                        for side in range(2):
                            sc.child[side, 0] = into
                            if side:
                                sc.child[side, 0] = at
                                for a in range(into, into + made):
                                    stack.member[at] = stack.member[a]
                                    stack.tight[at] = stack.tight[a]
                                    at += 1
                            for a in range(first, first + number):
                                sign = sc.sign[a - first] if side else -sc.sign[a - first]
                                if sign >= 0:
                                    stack.member[at] = stack.member[a]
                                    stack.tight[at] = stack.tight[a] | bit if sign == 0 else stack.tight[a]
                                    at += 1
                            sc.child[side, 1] = at - sc.child[side, 0]
                            sc.child[side, 2] = lines
                            for a in range(first + number, first + number + lines):
                                stack.member[at] = stack.member[a]
                                at += 1
                for side in range(2):
                    for b in range(BITS):
                        sc.child_table[side, b] = table[b]
                    sc.child_table[side, place] = 2 * row_top + (1 - side)
                into = at
                ray_top = top
                row_top += 1
                children = 2
        else:
            for w in range(lv.classes[s, g]):
                for b in range(BITS):
                    sc.child_table[children, b] = table[b]
                outcome, part_first, part_number, part_lines, ray_end, into_end, row_end = _won(
                    net,
                    lv,
                    s,
                    g,
                    w,
                    rays,
                    ray_top,
                    rows,
                    row_top,
                    stack,
                    first,
                    number,
                    lines,
                    into,
                    sc.child_table[children],
                    sc,
                    tests,
                )
                if outcome == NO_INTERIOR:
                    outcome = FINE
                    continue
                if outcome != FINE:
                    break
                for a in range(part_first, part_first + part_number):
                    r = stack.member[a]
                    # Sliding along a line leaves nothing known of a ray; a crossing knows all that is settled.
                    if r >= ray_top and not _complete(
                        lv,
                        net,
                        s,
                        sc.everything if lines else stack.open,
                        ZERO if lines else open_top,
                        net.sizes[s, 1] if lines else still,
                        rays,
                        r,
                        rows,
                        sc.child_table[children],
                        stack.tight[a],
                        sc,
                        tests,
                    ):
                        outcome = UNDECIDED
                        break
                if outcome != FINE:
                    break
                sc.child[children, 0], sc.child[children, 1], sc.child[children, 2] = (
                    part_first,
                    part_number,
                    part_lines,
                )
                ray_top, into, row_top = ray_end, into_end, row_end
                children += 1
        if outcome == SPACE:
            return GROW
        if outcome == UNDECIDED:
            _hand_back(net, lv, rows, stack, out, control, table, entry, s, BY_SIGN)
            control[TOP] = entry
            continue
        for position in range(children):
            # The first child is the next to be worked on.
            slot = entry + children - 1 - position
            stack.nodes[slot, 0] = s
            stack.nodes[slot, 1] = sc.child[position, 0]
            stack.nodes[slot, 2] = sc.child[position, 1]
            stack.nodes[slot, 3] = open_top
            stack.nodes[slot, 4] = still
            stack.nodes[slot, 5] = ray_top
            stack.nodes[slot, 6] = into
            stack.nodes[slot, 7] = row_top
            stack.nodes[slot, 8] = open_top + still
            stack.nodes[slot, 9] = sc.child[position, 2]
            stack.path[slot] = (
                (path + np.uint64(position + 1)) * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
            ) >> np.uint64(3)
            for b in range(BITS):
                stack.table[slot, b] = sc.child_table[position, b]
        control[TOP] = entry + children
    return PAUSED if control[TOP] else DONE


@_compiled
def enter(net: Any, lv: Any, rays: Any, rows: Any, stack: Any, sc: Any, control: Any, tests: Any, s: Any) -> Any:
    """Complete the marks of the one node on the stack, which has just been put there; false where one is undecided."""
    for a in range(stack.nodes[0, 2]):
        if not _complete(
            lv,
            net,
            s,
            sc.everything,
            ZERO,
            net.sizes[s, 1],
            rays,
            stack.member[a],
            rows,
            stack.table[0],
            stack.tight[a],
            sc,
            tests,
        ):
            return False
    control[TOP] = 1
    return True

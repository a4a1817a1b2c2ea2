"""The proof search of ``certificate.tree``, compiled: the same nodes, the same records, byte for byte.

Nothing here is shared with the kernel that counts (``cells.kernel``): a cell that one of them missed is caught by the
other, and then by the checker.

**Numbers.** Entries of rays, rows, forms and maps are integers of 128 bits in two words, the lower first, and smaller
than 2^126 in size, so that differences fit as well. Products of two of them, and sums of such products, are integers of
256 bits. With rays and rows goes a bound on the bits of their entries: where products stay below 2^62 the lower words
do. Nothing is ever rounded: where a number would be longer, the node is *handed back*, to be done in Python's integers,
and its children come in again.

Floats only propose, as in ``bounds`` and ``witness``: a float is the integer rounded to the nearest, and quotients,
products and sums of floats are made in the same order as there, so that both propose the same.

**Crossings.** Where an edge crosses a hyperplane the new ray is value * y - other * x, divided by the greatest common
divisor g of its coordinates. Let g be that of the first two; a coordinate c is a multiple of it just if q g = c, where
q is c times the inverse of g modulo 2^128, up to powers of two. So most divisions are one multiplication.

**Nodes.** The stack is in arrays: a node has rays, each with its coordinates, its columns (the values of the forms that
matter, see ``piece``), and the rows that vanish on it, by bits; numbers of rows in a pool; its unsettled selectors with
their possible classes; the winners of the others; a hash of its path. What belongs to a node stays where it is as long
as the node or a brother of it is there; children are put after it. A stage on the parent at hand is a *level*: the map
so far, the forms pulled back, which candidates stand for a class. Search is depth first, so nodes of a stage on the
stack all have the same level.

Rows that vanish on no ray of a node vanish on no ray of its children, and nobody asks for them. So they may be dropped
whenever that is useful, and are where there are many, for there are 64 bits.

The work is one loop that can pause at every node. A step changes its node only when nothing can fail any more, or in a
way that repeating it does not matter: what was eliminated once is not found again.
"""

from math import floor, frexp, inf, ldexp
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import extending, njit, types
from numpy.typing import NDArray

__all__ = ["BITS", "FIELDS", "Levels", "Net", "Out", "Scratch", "Stack", "frame", "run"]

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]
Floats = NDArray[np.float64]

BITS = 64
"""Rows of a node."""
LONGEST = 126
"""Bits of a number."""
WHOLE = 61  # bits of a sum that is made in one word

PRIME = 2**31 - 1  # of sketches, as in ``frames``
# As in ``tree``, ``bounds`` and ``witness``.
FEW, VERY_FEW, CORNERS = 12, 4, 12
MOST_CORNERS, MOST_TRIED, CLOSE = 6, 1_000_000, 1 + 2.0**-49
LUCK, DIGITS, FAR = 1, 64, 2.0**200
MOST_DIGITS, LARGE = 61, 2.0**61  # of points that are written here

NONE, ZERO, ONE, TWO = np.int64(-1), np.int64(0), np.int64(1), np.int64(2)
U0, U1, U63, U64 = np.uint64(0), np.uint64(1), np.uint64(63), np.uint64(64)
# Outcomes of a step, and of ``run``.
FINE, SPACE, HAND, MORE = 0, 1, 2, 3
DONE, PAUSED, FULL, GROW, LEFT = 0, 1, 2, 3, 4
# The entries of ``control``.
TOP, BASE, WRITTEN, RECORDS, LEAVES, LEAF_ROWS, LEAF_RAYS, EPOCH, SHARED, MULTIPLIERS, LISTING, NODES = range(12)
# The fields of a node.
STAGE, FRESH, NUM, COLUMNS, RAY, RAYS, ROW, ROWS, OPENS, OPEN, LENGTH, WON = range(12)
NUM_TOP, RAY_TOP, ROW_TOP, POOL_TOP, OPEN_TOP, WON_TOP = range(12, 18)
FIELDS = 18
# Those of a piece: where its numbers, rays and rows begin, how many there are, words from ray to ray.
P_NUM, P_STRIDE, P_RAY, P_RAYS, P_ROW, P_ROWS = range(6)


class Net(NamedTuple):
    """The network's stages, as in ``frames.Layout``; words are flat."""

    sizes: Ints  # stage x (forms, selectors, inputs, outputs, values, candidates, two classes at most)
    forms: Words  # stage x form x (1 + inputs)
    forms_bits: Ints  # stage
    start: Ints  # stage x (selector + 1): number of its first candidate
    selector: Ints  # stage x candidate
    score: Ints  # stage x candidate: a form
    values: Ints  # stage x candidate x entry: a form
    lengths: Ints  # stage x selector: entries of a value
    base: Words  # stage x output x (1 + inputs)
    base_bits: Ints
    mix: Words  # stage x output x value
    mix_bits: Ints
    scale: Words  # stage
    offset: Ints  # stage: number of the row of its first candidate
    sketch_base: Ints  # 1 + inputs of the last stage: residues of the functional, see ``frames``
    sketch: Ints  # candidate of the last stage x entry
    point: Ints  # coordinate


class Levels(NamedTuple):
    """Each stage on the parent at hand."""

    inner: Words  # stage x (1 + inputs) x coordinate
    inner_bits: Ints  # stage
    forms: Words  # stage x form x coordinate
    forms_bits: Ints  # stage x form
    lead: Ints  # stage x candidate: the lowest of its class
    tied: Ints  # stage: whether some class has several members
    won: Ints  # stage x selector: the winner on the path
    epoch: Ints  # stage: a number for this parent
    shares: Ints  # candidate of the last stage: what it adds to the sketch
    total: Ints  # what is there without


class Stack(NamedTuple):
    nodes: Ints  # node x field
    path: Words
    num: Words  # coordinates and columns of rays
    tight: Words  # ray
    bits: Ints  # ray: those of any entry
    short: Ints  # ray: those of any coordinate
    ids: Ints  # rows of nodes, in the pool
    rows: Words  # pool x coordinate
    rows_bits: Ints
    names: Ints  # pool: number of the row, -1 for the constant
    open: Ints  # for each selector its number, how many classes are possible, and these
    won: Ints  # of nodes: the winner of each selector


class Scratch(NamedTuple):
    lost: Ints  # classes beaten
    rival: Ints
    form: Words  # class lost x ray: the value of score_rival - score_lost
    image: Floats  # the same rounded
    value: Words  # ray: of the form at hand
    weight: Floats  # ray
    votes: Ints  # ray
    pairs: Ints  # crossings: two rays each
    number: Words  # numbers of four words
    heights: Floats  # row x ray
    ends: Ints  # ray x edge
    places: Ints  # simple rays
    chosen: Ints  # rows
    least: Floats  # simple ray x edge
    covers: NDArray[np.uint8]
    count: Ints
    found: Ints  # class lost: whether a simplex eliminates it
    left: Ints
    subset: Ints
    slope: Floats  # edge
    other: Words  # edge
    names: Ints
    here: Ints  # the piece at work
    parts: Ints  # class x field of a piece
    smaller: Ints  # the same, fields -1 where there is none
    piece: Ints  # some more pieces
    flags: Ints  # class
    tally: Ints
    order: Ints  # rows
    point: Ints
    means: Floats
    composed: Words  # outputs x coordinate, four words
    chosen_values: Words  # values x coordinate


class Out(NamedTuple):
    text: NDArray[np.uint8]
    pattern: NDArray[np.int32]  # leaf x all selectors: winner
    sketch: Ints  # leaf
    point: Ints  # leaf x coordinate
    first_row: Ints  # leaf
    rows: Words
    first_ray: Ints
    rays: Words
    tight: Words


_OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "_nrt": False, "error_model": "numpy"}
_entry = njit(**_OPTIONS)
_INNER: dict[str, Any] = {**_OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_compiled = njit(**_INNER)  # what nobody but compiled code calls

# -- numbers in words --------------------------------------------------------------------------------------------------

_WORD = ir.IntType(64)
_intrinsic: Any = extending.intrinsic
_tuple: Any = types.UniTuple


def _joined(builder: Any, words: Any, size: int) -> Any:
    """Words, the lowest first, as one integer of ``size`` bits."""
    kind = ir.IntType(size)
    whole = builder.zext(words[0], kind)
    for k, word in enumerate(words[1:], 1):
        whole = builder.or_(whole, builder.shl(builder.zext(word, kind), ir.Constant(kind, 64 * k)))
    return whole


def _parted(context: Any, builder: Any, value: Any, count: int) -> Any:
    """The words of an integer, as a tuple."""
    words = [builder.trunc(builder.lshr(value, ir.Constant(value.type, 64 * k)), _WORD) for k in range(count)]
    return context.make_tuple(builder, _tuple(types.uint64, count), words)


def _signed_product(builder: Any, al: Any, ah: Any, bl: Any, bh: Any) -> Any:
    """The product of two signed numbers of two words, in 256 bits."""
    double, whole = ir.IntType(128), ir.IntType(256)

    def part(x: Any, y: Any, shift: int) -> Any:
        product = builder.mul(builder.zext(x, double), builder.zext(y, double))
        return builder.shl(builder.zext(product, whole), ir.Constant(whole, shift))

    total = builder.add(part(al, bl, 0), part(al, bh, 64))
    total = builder.add(total, part(ah, bl, 64))
    total = builder.add(total, part(ah, bh, 128))
    zero, none = ir.Constant(_WORD, 0), ir.Constant(whole, 0)
    for sign, low, high in ((ah, bl, bh), (bh, al, ah)):
        excess = builder.shl(_joined(builder, [low, high], 256), ir.Constant(whole, 128))
        total = builder.sub(total, builder.select(builder.icmp_signed("<", sign, zero), excess, none))
    return total


def _words(count: int) -> Any:
    return _tuple(types.uint64, count)


@_intrinsic
def _cross4(context: Any, vl: Any, vh: Any, yl: Any, yh: Any, ol: Any, oh: Any, xl: Any, xh: Any) -> Any:
    """v y - o x, in four words."""

    def code(context: Any, builder: Any, signature: Any, words: Any) -> Any:
        value = builder.sub(_signed_product(builder, *words[:4]), _signed_product(builder, *words[4:]))
        return _parted(context, builder, value, 4)

    return _words(4)(*[types.uint64] * 8), code


@_intrinsic
def _add4(context: Any, t0: Any, t1: Any, t2: Any, t3: Any, al: Any, ah: Any, bl: Any, bh: Any) -> Any:
    """t + a b, in four words."""

    def code(context: Any, builder: Any, signature: Any, words: Any) -> Any:
        value = builder.add(_joined(builder, words[:4], 256), _signed_product(builder, *words[4:]))
        return _parted(context, builder, value, 4)

    return _words(4)(*[types.uint64] * 8), code


@_intrinsic
def _cross2(context: Any, v: Any, y: Any, o: Any, x: Any) -> Any:
    """v y - o x of signed words, in two words."""

    def code(context: Any, builder: Any, signature: Any, words: Any) -> Any:
        double = ir.IntType(128)
        a, b, c, d = [builder.sext(word, double) for word in words]
        return _parted(context, builder, builder.sub(builder.mul(a, b), builder.mul(c, d)), 2)

    return _words(2)(*[types.uint64] * 4), code


@_intrinsic
def _product2(context: Any, al: Any, ah: Any, bl: Any, bh: Any) -> Any:
    """a b modulo 2^128."""

    def code(context: Any, builder: Any, signature: Any, words: Any) -> Any:
        value = builder.mul(_joined(builder, words[:2], 128), _joined(builder, words[2:], 128))
        return _parted(context, builder, value, 2)

    return _words(2)(*[types.uint64] * 4), code


@_intrinsic
def _minus2(context: Any, al: Any, ah: Any, bl: Any, bh: Any) -> Any:
    """a - b modulo 2^128."""

    def code(context: Any, builder: Any, signature: Any, words: Any) -> Any:
        value = builder.sub(_joined(builder, words[:2], 128), _joined(builder, words[2:], 128))
        return _parted(context, builder, value, 2)

    return _words(2)(*[types.uint64] * 4), code


@_intrinsic
def _minus4(context: Any, a0: Any, a1: Any, a2: Any, a3: Any, b0: Any, b1: Any, b2: Any, b3: Any) -> Any:
    """a - b modulo 2^256."""

    def code(context: Any, builder: Any, signature: Any, words: Any) -> Any:
        value = builder.sub(_joined(builder, words[:4], 256), _joined(builder, words[4:], 256))
        return _parted(context, builder, value, 4)

    return _words(4)(*[types.uint64] * 8), code


@_intrinsic
def _smaller4(context: Any, a0: Any, a1: Any, a2: Any, a3: Any, b0: Any, b1: Any, b2: Any, b3: Any) -> Any:
    """Whether a < b, unsigned."""

    def code(context: Any, builder: Any, signature: Any, words: Any) -> Any:
        return builder.icmp_unsigned("<", _joined(builder, words[:4], 256), _joined(builder, words[4:], 256))

    return types.boolean(*[types.uint64] * 8), code


@_intrinsic
def _smaller2(context: Any, al: Any, ah: Any, bl: Any, bh: Any) -> Any:
    """Whether a < b, unsigned."""

    def code(context: Any, builder: Any, signature: Any, words: Any) -> Any:
        return builder.icmp_unsigned("<", _joined(builder, words[:2], 128), _joined(builder, words[2:], 128))

    return types.boolean(*[types.uint64] * 4), code


@_intrinsic
def _trailing(context: Any, word: Any) -> Any:
    """Zeros at the low end of a word; 64 for zero."""

    def code(context: Any, builder: Any, signature: Any, words: Any) -> Any:
        return builder.cttz(words[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), code


@_intrinsic
def _leading(context: Any, word: Any) -> Any:
    """Zeros at the high end of a word; 64 for zero."""

    def code(context: Any, builder: Any, signature: Any, words: Any) -> Any:
        return builder.ctlz(words[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), code


@_intrinsic
def _bits(context: Any, word: Any) -> Any:
    """Ones of a word."""

    def code(context: Any, builder: Any, signature: Any, words: Any) -> Any:
        return builder.ctpop(words[0])

    return types.int64(types.uint64), code


@_compiled
def _bit(place: Any) -> Any:
    return U1 << np.uint64(place)


@_compiled
def _negative(high: Any) -> Any:
    return np.int64(high) < 0


@_compiled
def _mask(high: Any) -> Any:
    """All ones for a negative number, else zero."""
    return np.uint64(np.int64(high) >> 63)


@_compiled
def _length(low: Any, high: Any) -> Any:
    """Bits of an unsigned number of two words."""
    return 128 - _leading(high) if high else 64 - _leading(low)


@_compiled
def _length4(a: Any, b: Any, c: Any, d: Any) -> Any:
    if d | c:
        return 128 + _length(c, d)
    return _length(a, b)


@_compiled
def _single(low: Any, high: Any) -> Any:
    """Whether a number is one signed word."""
    return high == _mask(low)


@_compiled
def _absolute(low: Any, high: Any) -> Any:
    if _negative(high):
        return _minus2(U0, U0, low, high)
    return low, high


@_compiled
def _absolute4(a: Any, b: Any, c: Any, d: Any) -> Any:
    if _negative(d):
        return _minus4(U0, U0, U0, U0, a, b, c, d)
    return a, b, c, d


@_compiled
def _fits(a: Any, b: Any, c: Any, d: Any) -> Any:
    """Whether four words are a number of less than 127 bits with sign."""
    mask = _mask(d)
    return c == mask and d == mask and np.uint64(np.int64(b) >> 62) == mask


@_compiled
def _sign(low: Any, high: Any) -> Any:
    if _negative(high):
        return -1
    return 1 if low | high else 0


@_compiled
def _cross_sign(vl: Any, vh: Any, yl: Any, yh: Any, ol: Any, oh: Any, xl: Any, xh: Any) -> Any:
    """The sign of v y - o x."""
    if _single(vl, vh) and _single(yl, yh) and _single(ol, oh) and _single(xl, xh):
        low, high = _cross2(vl, yl, ol, xl)
        return _sign(low, high)
    a, b, c, d = _cross4(vl, vh, yl, yh, ol, oh, xl, xh)
    if _negative(d):
        return -1
    return 1 if a | b | c | d else 0


@_compiled
def _compare(a: Any, p: Any, b: Any, q: Any, c: Any, r: Any, d: Any, s: Any) -> Any:
    """The sign of a b - c d, each at a place in an array."""
    return _cross_sign(a[p], a[p + 1], b[q], b[q + 1], c[r], c[r + 1], d[s], d[s + 1])


@_compiled
def _less(al: Any, ah: Any, bl: Any, bh: Any) -> Any:
    return np.int64(ah) < np.int64(bh) or (ah == bh and al < bl)


@_compiled
def _float(low: Any, high: Any) -> Any:
    """The number rounded to the nearest float."""
    if _single(low, high):
        return np.float64(np.int64(low))
    al, ah = _absolute(low, high)
    shift = _length(al, ah) - 62  # from 2 on
    if shift < 64:
        top = (ah << np.uint64(64 - shift)) | (al >> np.uint64(shift))
        rest = al & (_bit(shift) - U1)
    else:
        top = ah >> np.uint64(shift - 64)
        rest = al | (ah & (_bit(shift - 64) - U1))
    if rest:
        top |= U1  # below what is rounded, so that a half is one just if it is
    found = ldexp(np.float64(np.int64(top)), shift)
    return -found if _negative(high) else found


@_compiled
def _gcd1(a: Any, b: Any) -> Any:
    """The greatest common divisor of two words."""
    if not a:
        return b
    if not b:
        return a
    shift = np.uint64(_trailing(a | b))
    a >>= np.uint64(_trailing(a))
    while b:
        b >>= np.uint64(_trailing(b))
        if a > b:
            a, b = b, a - b
        else:
            b -= a
    return a << shift


@_compiled
def _right2(a: Any, b: Any, shift: Any) -> Any:
    """Two words shifted to the right by less than 128, unsigned."""
    if shift >= 64:
        return b >> np.uint64(shift - 64), U0
    if shift:
        return (a >> np.uint64(shift)) | (b << np.uint64(64 - shift)), b >> np.uint64(shift)
    return a, b


@_compiled
def _right4(a: Any, b: Any, c: Any, d: Any, shift: Any) -> Any:
    """Four words shifted to the right, unsigned."""
    while shift >= 64:
        a, b, c, d = b, c, d, U0
        shift -= 64
    if shift:
        n, m = np.uint64(shift), np.uint64(64 - shift)
        return (a >> n) | (b << m), (b >> n) | (c << m), (c >> n) | (d << m), d >> n
    return a, b, c, d


@_compiled
def _trailing4(a: Any, b: Any, c: Any, d: Any) -> Any:
    if a:
        return _trailing(a)
    if b:
        return 64 + _trailing(b)
    if c:
        return 128 + _trailing(c)
    return 192 + _trailing(d)


@_compiled
def _gcd2(al: Any, ah: Any, bl: Any, bh: Any) -> Any:
    """The greatest common divisor of two numbers of two words, unsigned."""
    if not al | ah:
        return bl, bh
    if not bl | bh:
        return al, ah
    shift = min(_trailing4(al, ah, U0, U0), _trailing4(bl, bh, U0, U0))
    al, ah = _right2(al, ah, _trailing4(al, ah, U0, U0))
    bl, bh = _right2(bl, bh, _trailing4(bl, bh, U0, U0))
    while ah | bh:
        if _smaller2(al, ah, bl, bh):
            bl, bh = _minus2(bl, bh, al, ah)
            bl, bh = _right2(bl, bh, _trailing4(bl, bh, U0, U0))
        else:
            al, ah = _minus2(al, ah, bl, bh)
            if not al | ah:
                al, ah = bl, bh
                bl = bh = U0
                break
            al, ah = _right2(al, ah, _trailing4(al, ah, U0, U0))
    if bl | bh:
        al = _gcd1(al, bl)
    # Both were odd.
    if shift >= 64:
        return U0, al << np.uint64(shift - 64)
    if shift:
        return al << np.uint64(shift), (ah << np.uint64(shift)) | (al >> np.uint64(64 - shift))
    return al, ah


@_compiled
def _gcd4(a0: Any, a1: Any, a2: Any, a3: Any, b0: Any, b1: Any, b2: Any, b3: Any) -> Any:
    """The greatest common divisor of two numbers of four words, unsigned."""
    if not a0 | a1 | a2 | a3:
        return b0, b1, b2, b3
    if not b0 | b1 | b2 | b3:
        return a0, a1, a2, a3
    twos, others = _trailing4(a0, a1, a2, a3), _trailing4(b0, b1, b2, b3)
    a0, a1, a2, a3 = _right4(a0, a1, a2, a3, twos)
    b0, b1, b2, b3 = _right4(b0, b1, b2, b3, others)
    while a2 | a3 | b2 | b3:
        if _smaller4(a0, a1, a2, a3, b0, b1, b2, b3):
            b0, b1, b2, b3 = _minus4(b0, b1, b2, b3, a0, a1, a2, a3)
            b0, b1, b2, b3 = _right4(b0, b1, b2, b3, _trailing4(b0, b1, b2, b3))
        else:
            a0, a1, a2, a3 = _minus4(a0, a1, a2, a3, b0, b1, b2, b3)
            if not a0 | a1 | a2 | a3:
                a0, a1, a2, a3 = b0, b1, b2, b3
                b0 = b1 = b2 = b3 = U0
                break
            a0, a1, a2, a3 = _right4(a0, a1, a2, a3, _trailing4(a0, a1, a2, a3))
    if b0 | b1 | b2 | b3:
        a0, a1 = _gcd2(a0, a1, b0, b1)
    shift = min(twos, others)
    while shift >= 64:
        a0, a1, a2, a3 = U0, a0, a1, a2
        shift -= 64
    if shift:
        n, m = np.uint64(shift), np.uint64(64 - shift)
        a0, a1, a2, a3 = a0 << n, (a1 << n) | (a0 >> m), (a2 << n) | (a1 >> m), (a3 << n) | (a2 >> m)
    return a0, a1, a2, a3


@_compiled
def _inverse1(odd: Any) -> Any:
    """The inverse of an odd word modulo 2^64."""
    found = odd * np.uint64(3) ^ np.uint64(2)  # five bits
    for _ in range(4):
        found *= np.uint64(2) - odd * found
    return found


@_compiled
def _inverse2(low: Any, high: Any) -> Any:
    """The inverse of an odd number modulo 2^128."""
    first = _inverse1(low)
    pl, ph = _product2(low, high, first, U0)
    pl, ph = _minus2(np.uint64(2), U0, pl, ph)
    return _product2(first, U0, pl, ph)


@_compiled
def _dot(a: Any, p: Any, step: Any, b: Any, q: Any, other: Any, number: Any, bits: Any) -> Any:
    """A sum of products of numbers, from places p and q on, and whether it fits.

    ``bits`` is a bound on the bits of the sum.
    """
    if bits <= WHOLE:
        total = U0
        for _ in range(number):
            total += a[p] * b[q]
            p += step
            q += other
        return total, _mask(total), True
    if bits > 254:
        return U0, U0, False
    t0 = t1 = t2 = t3 = U0
    for _ in range(number):
        t0, t1, t2, t3 = _add4(t0, t1, t2, t3, a[p], a[p + 1], b[q], b[q + 1])
        p += step
        q += other
    return t0, t1, _fits(t0, t1, t2, t3)


@_compiled
def _log(number: Any) -> Any:
    """The least n with 2^n >= number."""
    return 64 - _leading(np.uint64(max(number - 1, 0)))


@_compiled
def _size(numbers: Any, at: Any, count: Any) -> Any:
    """A bound on the bits of numbers in a row: none is larger than 2^bits."""
    low = high = U0
    for k in range(at, at + 2 * count, 2):
        mask = _mask(numbers[k + 1])
        low |= numbers[k] ^ mask
        high |= numbers[k + 1] ^ mask
    return _length(low, high)


@_compiled
def _residue(low: Any, high: Any) -> Any:
    # 2^64 is 4.
    return (np.int64(low % np.uint64(PRIME)) + 4 * (np.int64(high) % PRIME)) % PRIME


@_compiled
def _reciprocal(residue: Any) -> Any:
    found, power, rest = ONE, residue, PRIME - 2
    while rest:
        if rest & 1:
            found = found * power % PRIME
        power = power * power % PRIME
        rest >>= 1
    return found


# -- a stage on a parent -----------------------------------------------------------------------------------------------


@_entry
def frame(net: Net, lv: Levels, width: Any, s: Any) -> Any:
    """The forms of a stage on the parent whose map is in ``inner``, and its classes; false where a number is long."""
    forms, inputs, candidates = net.sizes[s, 0], net.sizes[s, 2] + 1, net.sizes[s, 5]
    most, wide = lv.forms_bits.shape[1], lv.inner.size // (len(net.sizes) * width * 2)
    given = net.forms.size // (len(net.sizes) * most * 2)
    bits = net.forms_bits[s] + lv.inner_bits[s] + _log(inputs)
    for k in range(forms):
        at = (s * most + k) * width * 2
        for c in range(width):
            low, high, fits = _dot(
                net.forms,
                (s * most + k) * given * 2,
                TWO,
                lv.inner,
                (s * wide * width + c) * 2,
                2 * width,
                inputs,
                bits,
            )
            if not fits:
                return False
            lv.forms[at + 2 * c] = low
            lv.forms[at + 2 * c + 1] = high
        lv.forms_bits[s, k] = _size(lv.forms, at, width)
    lv.tied[s] = 0
    for c in range(candidates):
        own = (s * most + net.score[s, c]) * width * 2
        lv.lead[s, c] = c
        for other in range(net.start[s, net.selector[s, c]], c):
            if lv.lead[s, other] != other:
                continue
            theirs = (s * most + net.score[s, other]) * width * 2
            for k in range(2 * width):
                if lv.forms[own + k] != lv.forms[theirs + k]:
                    break
            else:
                lv.lead[s, c] = other
                lv.tied[s] = 1
                break
    return True


@_compiled
def _compose(net: Net, lv: Levels, st: Stack, sc: Scratch, control: Any, width: Any, s: Any, won: Any) -> Any:
    """The map after stage s where the winners from ``won`` on have won, as the next level; see ``frames.outer``."""
    most, wide = lv.forms_bits.shape[1], lv.inner.size // (len(net.sizes) * width * 2)
    outputs, number, inputs = net.sizes[s, 3], net.sizes[s, 4], net.sizes[s, 2] + 1
    given = net.base.size // (len(net.sizes) * (wide - 1) * 2)
    mixed = net.mix.size // (len(net.sizes) * (wide - 1) * 2)
    mean = ONE
    if lv.tied[s]:
        for g in range(net.sizes[s, 1]):
            members = ZERO
            for c in range(net.start[s, g], net.start[s, g + 1]):
                members += lv.lead[s, c] == st.won[won + g]
            mean = mean // np.int64(_gcd1(np.uint64(mean), np.uint64(members))) * members
            if mean > 2**31:
                return HAND
    at, bits = ZERO, ZERO
    for g in range(net.sizes[s, 1]):
        winner = st.won[won + g]
        for entry in range(net.lengths[s, g]):
            place = at * width * 2
            source = (s * most + net.values[s, winner, entry]) * width * 2
            if mean == 1:
                for k in range(2 * width):
                    sc.chosen_values[place + k] = lv.forms[source + k]
                bits = max(bits, lv.forms_bits[s, net.values[s, winner, entry]])
            else:
                members = ZERO
                for c in range(net.start[s, g], net.start[s, g + 1]):
                    members += lv.lead[s, c] == winner
                share = np.uint64(mean // members)
                for k in range(0, 2 * width, 2):
                    t0 = t1 = t2 = t3 = U0
                    for member in range(net.start[s, g], net.start[s, g + 1]):
                        if lv.lead[s, member] == winner:
                            source = (s * most + net.values[s, member, entry]) * width * 2 + k
                            t0, t1, t2, t3 = _add4(t0, t1, t2, t3, lv.forms[source], lv.forms[source + 1], share, U0)
                    if not _fits(t0, t1, t2, t3):
                        return HAND
                    sc.chosen_values[place + k] = t0
                    sc.chosen_values[place + k + 1] = t1
                bits = max(bits, _size(sc.chosen_values, place, width))
            at += 1
    most_bits = 1 + max(
        net.mix_bits[s] + bits + _log(number), net.base_bits[s] + lv.inner_bits[s] + _log(inputs) + _log(mean)
    )
    if most_bits > 250:
        return HAND
    first = s * wide * width * 2
    g0, g1, g2, g3 = _add4(U0, U0, U0, U0, net.scale[2 * s], net.scale[2 * s + 1], lv.inner[first], lv.inner[first + 1])
    if not _fits(g0, g1, g2, g3):
        return HAND
    g0, g1, g2, g3 = _add4(U0, U0, U0, U0, g0, g1, np.uint64(mean), U0)
    d0, d1, d2, d3 = g0, g1, g2, g3
    for row in range(outputs):
        for c in range(width):
            t0 = t1 = t2 = t3 = U0
            p, q = (s * (wide - 1) + row) * mixed * 2, 2 * c
            if most_bits <= WHOLE:
                t0, t1, _ = _dot(net.mix, p, TWO, sc.chosen_values, q, 2 * width, number, most_bits)
                p, q = (s * (wide - 1) + row) * given * 2, (s * wide * width + c) * 2
                if net.base_bits[s]:
                    e0, e1, _ = _dot(net.base, p, TWO, lv.inner, q, 2 * width, inputs, most_bits)
                    t0 += e0 * np.uint64(mean)
                t1 = t2 = t3 = _mask(t0)
            else:
                for _ in range(number):
                    t0, t1, t2, t3 = _add4(
                        t0, t1, t2, t3, net.mix[p], net.mix[p + 1], sc.chosen_values[q], sc.chosen_values[q + 1]
                    )
                    p += 2
                    q += 2 * width
            if net.base_bits[s] and most_bits > WHOLE:
                e0 = e1 = e2 = e3 = U0
                p, q = (s * (wide - 1) + row) * given * 2, (s * wide * width + c) * 2
                for _ in range(inputs):
                    e0, e1, e2, e3 = _add4(e0, e1, e2, e3, net.base[p], net.base[p + 1], lv.inner[q], lv.inner[q + 1])
                    p += 2
                    q += 2 * width
                if mean > 1 and not _fits(e0, e1, e2, e3):
                    return HAND
                if mean > 1:
                    t0, t1, t2, t3 = _add4(t0, t1, t2, t3, e0, e1, np.uint64(mean), U0)
                else:
                    e0, e1, e2, e3 = _minus4(U0, U0, U0, U0, e0, e1, e2, e3)
                    t0, t1, t2, t3 = _minus4(t0, t1, t2, t3, e0, e1, e2, e3)
            place = (row * width + c) * 4
            sc.composed[place] = t0
            sc.composed[place + 1] = t1
            sc.composed[place + 2] = t2
            sc.composed[place + 3] = t3
            if g0 != U1 or g1 | g2 | g3:
                t0, t1, t2, t3 = _absolute4(t0, t1, t2, t3)
                g0, g1, g2, g3 = _gcd4(g0, g1, g2, g3, t0, t1, t2, t3)
    twos, length = _trailing4(g0, g1, g2, g3), _length4(g0, g1, g2, g3)
    o0, o1, _, _ = _right4(g0, g1, g2, g3, twos)
    il, ih = _inverse2(o0, o1)
    first = (s + 1) * wide * width * 2
    for k in range(2 * width):
        lv.inner[first + k] = U0
    ql, qh, fits = _divided(d0, d1, d2, d3, twos, length, il, ih)
    if not fits:
        return HAND
    lv.inner[first] = ql
    lv.inner[first + 1] = qh
    first += 2 * width
    for k in range(outputs * width):
        ql, qh, fits = _divided(
            sc.composed[4 * k],
            sc.composed[4 * k + 1],
            sc.composed[4 * k + 2],
            sc.composed[4 * k + 3],
            twos,
            length,
            il,
            ih,
        )
        if not fits:
            return HAND
        lv.inner[first + 2 * k] = ql
        lv.inner[first + 2 * k + 1] = qh
    lv.inner_bits[s + 1] = _size(lv.inner, (s + 1) * wide * width * 2, (outputs + 1) * width)
    for g in range(net.sizes[s, 1]):
        lv.won[s, g] = st.won[won + g]
    control[EPOCH] += 1
    lv.epoch[s + 1] = control[EPOCH]
    return FINE


@_compiled
def _divided(a: Any, b: Any, c: Any, d: Any, twos: Any, length: Any, il: Any, ih: Any) -> Any:
    """A multiple divided by a divisor of ``length`` bits with so many ``twos``, given the inverse of the odd part."""
    mask = _mask(d)
    size = _length4(a ^ mask, b ^ mask, c ^ mask, d ^ mask)
    if size - length > LONGEST - 2:
        return U0, U0, False
    if twos:
        # What comes in from above is beyond the 128 bits that count, or beyond the number.
        while twos >= 64:
            a, b, c, d = b, c, d, mask
            twos -= 64
        if twos:
            n, m = np.uint64(twos), np.uint64(64 - twos)
            a, b = (a >> n) | (b << m), (b >> n) | (c << m)
    ql, qh = _product2(a, b, il, ih)
    return ql, qh, True


@_compiled
def _shares(net: Net, lv: Levels, control: Any, width: Any) -> Any:
    """What classes of the last stage add to the sketch (see ``frames``); false where the denominator is zero."""
    s = len(net.sizes) - 1
    if control[SHARED] == lv.epoch[s]:
        return True
    most, wide = lv.forms_bits.shape[1], lv.inner.size // (len(net.sizes) * width * 2)
    first = s * wide * width * 2
    inverse = _residue(net.scale[2 * s], net.scale[2 * s + 1]) * _residue(lv.inner[first], lv.inner[first + 1]) % PRIME
    if not inverse:
        return False
    inverse = _reciprocal(inverse)
    total = ZERO
    for row in range(net.sizes[s, 2] + 1):
        value = ZERO
        for c in range(width):
            value += _residue(lv.inner[first], lv.inner[first + 1]) * net.point[c] % PRIME
            first += 2
        total += value % PRIME * inverse % PRIME * net.sketch_base[row] % PRIME
    lv.total[0] = total % PRIME
    for c in range(net.sizes[s, 5]):
        lv.shares[c] = 0
    for c in range(net.sizes[s, 5]):
        share = ZERO
        for entry in range(net.lengths[s, net.selector[s, c]]):
            if net.sketch[c, entry]:
                at = (s * most + net.values[s, c, entry]) * width * 2
                value = ZERO
                for k in range(width):
                    value += _residue(lv.forms[at + 2 * k], lv.forms[at + 2 * k + 1]) * net.point[k] % PRIME
                share += value % PRIME * inverse % PRIME * net.sketch[c, entry] % PRIME
        lead = lv.lead[s, c]
        lv.shares[lead] = (lv.shares[lead] + share) % PRIME
    if lv.tied[s]:
        for c in range(net.sizes[s, 5]):
            if lv.lead[s, c] == c:
                members = ZERO
                for other in range(c, net.start[s, net.selector[s, c] + 1]):
                    members += lv.lead[s, other] == c
                lv.shares[c] = lv.shares[c] * _reciprocal(members) % PRIME
    control[SHARED] = lv.epoch[s]
    return True


@_compiled
def _begin(net: Net, lv: Levels, st: Stack, control: Any, width: Any, t: Any) -> Any:
    """Give the node its columns where a stage begins."""
    node = st.nodes[t]
    s = node[STAGE]
    if not frame(net, lv, width, s):
        return HAND
    most = lv.forms_bits.shape[1]
    selectors, rays = net.sizes[s, 1], node[RAYS]
    at, top, columns, opens = node[OPEN_TOP], node[OPEN_TOP], ZERO, ZERO
    if top + 2 * selectors + net.sizes[s, 5] > len(st.open):
        return SPACE
    for g in range(selectors):
        classes = ZERO
        for c in range(net.start[s, g], net.start[s, g + 1]):
            if lv.lead[s, c] == c:
                st.open[top + 2 + classes] = c
                classes += 1
        if classes > 1:
            st.open[top] = g
            st.open[top + 1] = classes
            top += 2 + classes
            columns += 1 if classes == 2 else classes
            opens += 1
    stride = 2 * (width + columns)
    if node[NUM_TOP] + rays * stride > len(st.num):
        return SPACE
    if node[WON] + selectors > len(st.won):
        return SPACE
    place = node[NUM_TOP]
    for r in range(rays):
        source = node[NUM] + r * 2 * (width + node[COLUMNS])
        short = st.short[node[RAY] + r]
        for k in range(2 * width):
            st.num[place + k] = st.num[source + k]
        to, p = place + 2 * width, at
        for _ in range(opens):
            classes = st.open[p + 1]
            before = to
            for k in range(classes):
                form = net.score[s, st.open[p + 2 + k]]
                bits = lv.forms_bits[s, form] + short + _log(width)
                low, high, fits = _dot(lv.forms, (s * most + form) * width * 2, TWO, st.num, source, TWO, width, bits)
                if not fits:
                    return HAND
                if classes == 2 and k:
                    low, high = _minus2(low, high, st.num[before], st.num[before + 1])
                    to = before
                st.num[to] = low
                st.num[to + 1] = high
                to += 2
            p += 2 + classes
        bits = _size(st.num, place, width + columns)
        if bits > LONGEST:
            return HAND
        place += stride
    for r in range(rays):
        st.bits[node[RAY] + r] = _size(st.num, node[NUM_TOP] + r * stride, width + columns)
    for g in range(selectors):
        st.won[node[WON] + g] = net.start[s, g]
    node[FRESH] = 0
    node[NUM] = node[NUM_TOP]
    node[COLUMNS] = columns
    node[NUM_TOP] = place
    node[OPEN] = at
    node[OPENS] = opens
    node[LENGTH] = top - at
    node[OPEN_TOP] = top
    return FINE


# -- who is beaten -----------------------------------------------------------------------------------------------------


@_compiled
def _here(st: Stack, sc: Scratch, width: Any, t: Any) -> Any:
    """The piece of a node is the one at work."""
    node = st.nodes[t]
    sc.here[P_NUM] = node[NUM]
    sc.here[P_STRIDE] = 2 * (width + node[COLUMNS])
    sc.here[P_RAY] = node[RAY]
    sc.here[P_RAYS] = node[RAYS]
    sc.here[P_ROW] = node[ROW]
    sc.here[P_ROWS] = node[ROWS]


@_compiled
def _lose(st: Stack, sc: Scratch, number: Any, lost: Any, rival: Any, high: Any, low: Any, sign: Any) -> Any:
    """Note a class lost. Its form is column ``high`` times ``sign``, or, where that is 0, ``high`` minus ``low``."""
    first, stride, rays = sc.here[P_NUM], sc.here[P_STRIDE], sc.here[P_RAYS]
    sc.lost[number] = lost
    sc.rival[number] = rival
    for r in range(rays):
        p = first + r * stride
        al, ah = st.num[p + 2 * high], st.num[p + 2 * high + 1]
        if sign == 0:
            al, ah = _minus2(al, ah, st.num[p + 2 * low], st.num[p + 2 * low + 1])
        elif sign < 0:
            al, ah = _minus2(U0, U0, al, ah)
        at = number * rays + r
        sc.form[2 * at] = al
        sc.form[2 * at + 1] = ah
        sc.image[at] = _float(al, ah)
    return number + 1


@_compiled
def _dominated(st: Stack, sc: Scratch, number: Any, p: Any, place: Any) -> Any:
    """Note the classes of the selector at ``p`` that another beats; their scores are in columns from ``place`` on."""
    first, stride, rays = sc.here[P_NUM], sc.here[P_STRIDE], sc.here[P_RAYS]
    classes = st.open[p + 1]
    for k in range(classes):
        sc.flags[k] = 1
    for r in range(rays):
        q = first + r * stride + 2 * place
        best = ZERO
        for k in range(1, classes):
            best = (
                k
                if _less(st.num[q + 2 * best], st.num[q + 2 * best + 1], st.num[q + 2 * k], st.num[q + 2 * k + 1])
                else best
            )
        for k in range(classes):
            if st.num[q + 2 * k] != st.num[q + 2 * best] or st.num[q + 2 * k + 1] != st.num[q + 2 * best + 1]:
                sc.flags[k] = 0
    winner = NONE
    for k in range(classes):
        if sc.flags[k]:
            winner = k
            break
    for j in range(classes):
        rival = winner
        if winner < 0:
            for i in range(classes):
                if i == j:
                    continue
                for r in range(rays):
                    q = first + r * stride + 2 * place
                    if _less(st.num[q + 2 * i], st.num[q + 2 * i + 1], st.num[q + 2 * j], st.num[q + 2 * j + 1]):
                        break
                else:
                    rival = i
                    break
        if rival >= 0 and rival != j:
            number = _lose(st, sc, number, st.open[p + 2 + j], st.open[p + 2 + rival], place + rival, place + j, ZERO)
    return number


@_compiled
def _find_lost(net: Net, st: Stack, sc: Scratch, width: Any, t: Any) -> Any:
    """Note the classes that are beaten at the node; how many, or -1 where there is no room."""
    node = st.nodes[t]
    rays = node[RAYS]
    if net.sizes[node[STAGE], 5] * rays * 2 > len(sc.form) or rays > len(sc.weight):
        return NONE
    _here(st, sc, width, t)
    first, stride = sc.here[P_NUM], sc.here[P_STRIDE]
    number, p, place = ZERO, node[OPEN], width
    for _ in range(node[OPENS]):
        classes = st.open[p + 1]
        if classes > 2:
            number = _dominated(st, sc, number, p, place)
            place += classes
        else:
            up = down = True
            q = first + 2 * place
            for _ in range(rays):
                if _negative(st.num[q + 1]):
                    up = False
                elif st.num[q] | st.num[q + 1]:
                    down = False
                if not up and not down:
                    break
                q += stride
            if up:
                number = _lose(st, sc, number, st.open[p + 2], st.open[p + 3], place, place, ONE)
            elif down:
                number = _lose(st, sc, number, st.open[p + 3], st.open[p + 2], place, place, NONE)
            place += 1
        p += 2 + classes
    return number


@_compiled
def _shrink(st: Stack, sc: Scratch, width: Any, t: Any, number: Any) -> Any:
    """Drop the classes lost, which are in the order of the node's selectors and classes, and their columns."""
    node = st.nodes[t]
    old, rays = 2 * (width + node[COLUMNS]), node[RAYS]
    # The plan of the columns: which are kept, or whose difference is.
    columns, place = ZERO, width
    opens, lost = ZERO, ZERO
    p = to = node[OPEN]
    for _ in range(node[OPENS]):
        g, classes = st.open[p], st.open[p + 1]
        left = ZERO
        for k in range(classes):
            c = st.open[p + 2 + k]
            if lost < number and sc.lost[lost] == c:
                lost += 1
                continue
            sc.flags[left] = k
            sc.tally[left] = c
            left += 1
        if left == 1:
            st.won[node[WON] + g] = sc.tally[0]
        else:
            st.open[to] = g
            st.open[to + 1] = left
            for k in range(left):
                st.open[to + 2 + k] = sc.tally[k]
            to += 2 + left
            opens += 1
            if classes == 2:
                sc.pairs[2 * columns] = place
                sc.pairs[2 * columns + 1] = -1
                columns += 1
            elif left == 2:
                sc.pairs[2 * columns] = place + sc.flags[1]
                sc.pairs[2 * columns + 1] = place + sc.flags[0]
                columns += 1
            else:
                for k in range(left):
                    sc.pairs[2 * columns] = place + sc.flags[k]
                    sc.pairs[2 * columns + 1] = -1
                    columns += 1
        place += 1 if classes == 2 else classes
        p += 2 + classes
    new = 2 * (width + columns)
    for r in range(rays):
        source, target = node[NUM] + r * old, node[NUM] + r * new
        for k in range(2 * width):
            st.num[target + k] = st.num[source + k]
        for k in range(columns):
            a, b = source + 2 * sc.pairs[2 * k], sc.pairs[2 * k + 1]
            low, high = st.num[a], st.num[a + 1]
            if b >= 0:
                low, high = _minus2(low, high, st.num[source + 2 * b], st.num[source + 2 * b + 1])
                size = _length(low ^ _mask(high), high ^ _mask(high))
                st.bits[node[RAY] + r] = max(st.bits[node[RAY] + r], size)
            st.num[target + 2 * (width + k)] = low
            st.num[target + 2 * (width + k) + 1] = high
    node[COLUMNS] = columns
    node[OPENS] = opens
    node[LENGTH] = to - node[OPEN]


# -- evidence ----------------------------------------------------------------------------------------------------------


@_compiled
def _height(st: Stack, sc: Scratch, width: Any, k: Any, r: Any) -> Any:
    """The value of row k at ray r, and whether it fits."""
    row = st.ids[sc.here[P_ROW] + k]
    bits = st.rows_bits[row] + st.short[sc.here[P_RAY] + r] + _log(width)
    return _dot(st.rows, row * width * 2, TWO, st.num, sc.here[P_NUM] + r * sc.here[P_STRIDE], TWO, width, bits)


@_compiled
def _find_ends(st: Stack, sc: Scratch, v: Any, at: Any) -> Any:
    """The other ends of the edges of the simple ray v, noted from ``at`` on."""
    first, rays = sc.here[P_RAY], sc.here[P_RAYS]
    own = st.tight[first + v]
    rest = own
    while rest:
        low = rest & (~rest + U1)
        rest ^= low
        edge = own ^ low
        for u in range(rays):
            if st.tight[first + u] & edge == edge and u != v:
                sc.ends[at] = u
                at += 1
                break
    return at


@_compiled
def _supporting(st: Stack, sc: Scratch) -> Any:
    found = U1
    for r in range(sc.here[P_RAY], sc.here[P_RAY] + sc.here[P_RAYS]):
        found |= st.tight[r]
    return found


@_compiled
def _enclosing(st: Stack, sc: Scratch, width: Any, number: Any) -> Any:
    """One simplex for the forms of ``subset``: its ray, its row (-1 and -1 where none is found), and the outcome."""
    first, stride, ray, rays = sc.here[P_NUM], sc.here[P_STRIDE], sc.here[P_RAY], sc.here[P_RAYS]
    size = width - 1
    for r in range(rays):
        sc.votes[r] = 0
        sc.weight[r] = _float(st.num[first + r * stride], st.num[first + r * stride + 1])
    for m in range(number):
        at = sc.subset[m] * rays
        best, least = NONE, inf
        for r in range(rays):
            height = sc.image[at + r] / sc.weight[r] if sc.weight[r] else inf
            if best < 0 or height < least:
                best, least = r, height
        sc.votes[best] += 1
    supporting = _supporting(st, sc)
    for _ in range(MOST_CORNERS):
        # The simple ray with most votes, the first of them; those that were tried have less than none.
        v = NONE
        for r in range(rays):
            if sc.votes[r] >= 0 and (v < 0 or sc.votes[r] > sc.votes[v]) and _bits(st.tight[ray + r]) == size:
                v = r
        if v < 0:
            break
        all_here = sc.votes[v] == number
        sc.votes[v] = -1
        here = first + v * stride
        if all_here:
            for m in range(number):
                at = sc.subset[m] * rays
                for r in range(rays):
                    p = first + r * stride
                    if _compare(sc.form, 2 * (at + r), st.num, here, sc.form, 2 * (at + v), st.num, p) < 0:
                        all_here = False
                        break
                if not all_here:
                    break
            if all_here:
                return v, ZERO, FINE
        edges = _find_ends(st, sc, v, ZERO)
        for e in range(edges):
            slope = inf
            for m in range(number):
                at = sc.subset[m] * rays
                if sc.image[at + v]:
                    slope = min(slope, sc.image[at + sc.ends[e]] / sc.image[at + v])
            sc.slope[e] = slope
        rest = supporting & ~st.tight[ray + v]
        while rest:
            k = _trailing(rest)
            rest &= rest - U1
            hl, hh, fits = _height(st, sc, width, k, v)
            if not fits:
                return NONE, NONE, HAND
            about = _float(hl, hh)
            good = True
            for e in range(edges):
                ol, oh, fits = _height(st, sc, width, k, sc.ends[e])
                if not fits:
                    return NONE, NONE, HAND
                if _float(ol, oh) > sc.slope[e] * about:
                    good = False
                    break
                sc.other[2 * e] = ol
                sc.other[2 * e + 1] = oh
            if good:
                for m in range(number):
                    if not _covered(sc, sc.subset[m], v, ZERO, edges, hl, hh):
                        good = False
                        break
                if good:
                    return v, k, FINE
    return NONE, NONE, FINE


@_compiled
def _covered(sc: Scratch, f: Any, v: Any, at: Any, edges: Any, hl: Any, hh: Any) -> Any:
    """Whether the simplex at v covers a form; its row is h there, and ``other`` at the ends, noted from ``at`` on."""
    p = 2 * f * sc.here[P_RAYS]
    for e in range(edges):
        u = p + 2 * sc.ends[at + e]
        if (
            _cross_sign(
                sc.form[u],
                sc.form[u + 1],
                hl,
                hh,
                sc.other[2 * e],
                sc.other[2 * e + 1],
                sc.form[p + 2 * v],
                sc.form[p + 2 * v + 1],
            )
            < 0
        ):
            return False
    return True


@_compiled
def _tangents(st: Stack, sc: Scratch, width: Any, number: Any) -> Any:
    """Two tangent cones that cover all forms, by their rays; -1 and -1 where it is not so."""
    first, stride, ray, rays = sc.here[P_NUM], sc.here[P_STRIDE], sc.here[P_RAY], sc.here[P_RAYS]
    one = two = NONE
    cones = total = ZERO
    for f in range(number):
        sc.left[f] = 1
    for f in range(number):
        if not sc.left[f]:
            continue
        best = NONE
        for r in range(rays):
            p = first + r * stride
            if not st.num[p] | st.num[p + 1] or _bits(st.tight[ray + r]) != width - 1:
                continue
            if best >= 0:
                q = first + best * stride
                u, v = 2 * (f * rays + r), 2 * (f * rays + best)
                if _compare(sc.form, u, st.num, q, sc.form, v, st.num, p) >= 0:
                    continue
            best = r
        if best < 0:
            return NONE, NONE
        q = first + best * stride
        covered = ZERO
        for m in range(f, number):
            if not sc.left[m]:
                continue
            v = 2 * (m * rays + best)
            good = True
            for r in range(rays):
                p, u = first + r * stride, 2 * (m * rays + r)
                if _compare(sc.form, u, st.num, q, sc.form, v, st.num, p) < 0:
                    good = False
                    break
            if good:
                covered += 1
                sc.left[m] = 0
        sc.left[f] = 0
        if covered:
            if cones == 0:
                one = best
            elif cones == 1:
                two = best
            cones += 1
            total += covered
    if cones == 2 and total == number:
        return one, two
    return NONE, NONE


@_compiled
def _try_few(
    net: Net, lv: Levels, st: Stack, sc: Scratch, out: Out, control: Any, width: Any, s: Any, number: Any
) -> Any:
    """Write one simplex that eliminates all classes lost, or two tangent cones; else the outcome is ``MORE``."""
    for f in range(number):
        sc.subset[f] = f
        sc.left[f] = 1
    if number <= FEW:
        v, k, outcome = _enclosing(st, sc, width, number)
        if outcome != FINE:
            return outcome
        if v >= 0:
            _write_bounds(st, sc, out, control, v, k)
            return FINE
        if number <= VERY_FEW:
            pairs = True
            for f in range(number):
                g = net.selector[s, sc.lost[f]]
                pairs &= net.start[s, g + 1] - net.start[s, g] == 2
            if pairs:
                v, k = _tangents(st, sc, width, number)
                if v >= 0:
                    _write_bounds(st, sc, out, control, v, ZERO)
                    _write_bounds(st, sc, out, control, k, ZERO)
                    return FINE
    else:
        rays = sc.here[P_RAYS]
        for f in range(number):
            largest = sc.image[f * rays]
            for r in range(1, rays):
                largest = max(largest, sc.image[f * rays + r])
            sc.count[f] = 0
            sc.means[f] = largest
        for r in range(rays):
            best, least = ZERO, inf
            for f in range(number):
                height = sc.image[f * rays + r] / sc.means[f]
                if height < least:
                    best, least = f, height
            sc.count[best] = 1
        chosen = ZERO
        for f in range(number):
            if sc.count[f]:
                sc.subset[chosen] = f
                chosen += 1
        v, k, outcome = _enclosing(st, sc, width, chosen)
        if outcome != FINE:
            return outcome
        if v >= 0:
            outcome = _judged(net, lv, st, sc, width, s, number, v, k)
            if outcome != FINE:
                return outcome
            everything = True
            for f in range(number):
                everything &= sc.found[f] == 1
            if everything:
                _write_bounds(st, sc, out, control, v, k)
                return FINE
    for f in range(number):
        sc.left[f] = 1
    return MORE


@_compiled
def _judged(net: Net, lv: Levels, st: Stack, sc: Scratch, width: Any, s: Any, number: Any, v: Any, k: Any) -> Any:
    """Which of the classes lost the simplex of ray v and row k eliminates: ``found``."""
    edges = _find_ends(st, sc, v, ZERO)
    hl, hh, fits = _height(st, sc, width, k, v)
    if not fits:
        return HAND
    for e in range(edges):
        ol, oh, fits = _height(st, sc, width, k, sc.ends[e])
        if not fits:
            return HAND
        sc.other[2 * e] = ol
        sc.other[2 * e + 1] = oh
    for f in range(number):
        sc.found[f] = _covered(sc, f, v, ZERO, edges, hl, hh)
    if net.sizes[s, 6]:
        return FINE
    most = lv.forms_bits.shape[1]
    for f in range(number):
        if sc.found[f]:
            continue
        # Another class may beat it, possible or not.
        lost = sc.lost[f]
        g = net.selector[s, lost]
        for i in range(net.start[s, g], net.start[s, g + 1]):
            if i == lost or lv.lead[s, i] != i or i == sc.rival[f]:
                continue
            one, two = net.score[s, i], net.score[s, lost]
            bits = max(lv.forms_bits[s, one], lv.forms_bits[s, two]) + _log(width)
            good = True
            vl = vh = U0
            for e in range(-1, edges):
                r = sc.ends[e] if e >= 0 else v
                more = bits + st.short[sc.here[P_RAY] + r]
                p = sc.here[P_NUM] + r * sc.here[P_STRIDE]
                al, ah, fits = _dot(lv.forms, (s * most + one) * width * 2, TWO, st.num, p, TWO, width, more)
                bl, bh, also = _dot(lv.forms, (s * most + two) * width * 2, TWO, st.num, p, TWO, width, more)
                if not (fits and also):
                    return HAND
                al, ah = _minus2(al, ah, bl, bh)
                if e < 0:
                    vl, vh = al, ah
                    good = not _negative(ah)
                else:
                    good = _cross_sign(al, ah, hl, hh, sc.other[2 * e], sc.other[2 * e + 1], vl, vh) >= 0
                if not good:
                    break
            if good:
                sc.found[f] = 1
                break
    return FINE


@_compiled
def _by_all_choices(
    net: Net, lv: Levels, st: Stack, sc: Scratch, out: Out, control: Any, width: Any, s: Any, number: Any
) -> Any:
    """All simplices tried at once, see ``bounds``; ``left`` are the classes that no bounds eliminate."""
    ray, rays = sc.here[P_RAY], sc.here[P_RAYS]
    size = width - 1
    simple = ZERO
    for r in range(rays):
        if _bits(st.tight[ray + r]) == size:
            sc.places[simple] = r
            simple += 1
    if not simple:
        return FINE
    supporting = _supporting(st, sc)
    rows = ZERO
    while supporting:
        sc.chosen[rows] = _trailing(supporting)
        supporting &= supporting - U1
        rows += 1
    step = max(MOST_TRIED // (simple * size * rows), 1)
    if rows * rays > len(sc.heights) or min(step, number) * rows * simple > len(sc.covers):
        return SPACE
    if rows * simple > len(sc.count):
        return SPACE
    for k in range(rows):
        for r in range(rays):
            hl, hh, fits = _height(st, sc, width, sc.chosen[k], r)
            if not fits:
                return HAND
            sc.heights[k * rays + r] = _float(hl, hh)
    # The ends stand from ``size`` on, as judging needs the first places.
    for place in range(simple):
        _find_ends(st, sc, sc.places[place], size * (place + 1))
    for place in range(simple):
        v = sc.places[place]
        for e in range(size):
            u = sc.ends[size * (place + 1) + e]
            least = np.nan
            for f in range(number):
                slope = sc.image[f * rays + u] / sc.image[f * rays + v]
                if not slope >= least:  # what is 0/0 does not matter
                    least = slope if slope == slope else least
            sc.least[place * size + e] = least * CLOSE
    whole = NONE
    for k in range(rows):
        for place in range(simple):
            here = sc.heights[k * rays + sc.places[place]]
            good = here > 0
            if good:
                for e in range(size):
                    there = sc.heights[k * rays + sc.ends[size * (place + 1) + e]]
                    if not there / here <= sc.least[place * size + e]:
                        good = False
                        break
            if good:
                whole = k * simple + place
                break
        if whole >= 0:
            break
    if whole >= 0:
        v, k = sc.places[whole % simple], sc.chosen[whole // simple]
        outcome = _judged(net, lv, st, sc, width, s, number, v, k)
        if outcome != FINE:
            return outcome
        everything = True
        for f in range(number):
            everything &= sc.found[f] == 1
        if everything:
            for f in range(number):
                sc.left[f] = 0
            _write_bounds(st, sc, out, control, v, k)
            return FINE
    pairs = rows * simple
    for start in range(0, number, step):
        stop = min(start + step, number)
        for f in range(start, stop):
            at = (f - start) * pairs
            for k in range(rows):
                for place in range(simple):
                    v = sc.places[place]
                    here = sc.heights[k * rays + v]
                    good = here > 0
                    if good:
                        for e in range(size):
                            u = sc.ends[size * (place + 1) + e]
                            if sc.image[f * rays + u] * here < sc.heights[k * rays + u] * sc.image[f * rays + v]:
                                good = False
                                break
                    sc.covers[at] = good
                    at += 1
        while True:
            for pair in range(pairs):
                sc.count[pair] = 0
            for f in range(start, stop):
                if sc.left[f]:
                    at = (f - start) * pairs
                    for pair in range(pairs):
                        sc.count[pair] += sc.covers[at + pair]
            best = ZERO
            for pair in range(1, pairs):
                if sc.count[pair] > sc.count[best]:
                    best = pair
            if not sc.count[best]:
                break
            for f in range(start, stop):
                sc.covers[(f - start) * pairs + best] = 0
            v, k = sc.places[best % simple], sc.chosen[best // simple]
            outcome = _judged(net, lv, st, sc, width, s, number, v, k)
            if outcome != FINE:
                return outcome
            fewer = False
            for f in range(number):
                if sc.left[f] and sc.found[f]:
                    sc.left[f] = 0
                    fewer = True
            if fewer:
                _write_bounds(st, sc, out, control, v, k)
    return FINE


# -- records -----------------------------------------------------------------------------------------------------------


@_compiled
def _write_number(out: Out, control: Any, number: Any) -> Any:
    at = control[WRITTEN]
    if number < 0:
        out.text[at] = 45
        at += 1
        number = -number
    digits, rest = ONE, number // 10
    while rest:
        digits += 1
        rest //= 10
    for k in range(digits):
        out.text[at + digits - 1 - k] = 48 + number % 10
        number //= 10
    control[WRITTEN] = at + digits


@_compiled
def _write_kind(out: Out, control: Any, kind: Any) -> Any:
    at = control[WRITTEN]
    out.text[at] = 91
    out.text[at + 1] = 34
    out.text[at + 2] = kind
    out.text[at + 3] = 34
    control[WRITTEN] = at + 4


@_compiled
def _write(out: Out, control: Any, character: Any) -> Any:
    out.text[control[WRITTEN]] = character
    control[WRITTEN] += 1


@_compiled
def _write_end(out: Out, control: Any) -> Any:
    _write(out, control, 93)
    _write(out, control, 10)
    control[RECORDS] += 1


@_compiled
def _write_names(sc: Scratch, out: Out, control: Any, number: Any) -> Any:
    """The names, ascending, as a list; that of the constant apart."""
    for i in range(1, number):
        name, j = sc.names[i], i
        while j > 0 and sc.names[j - 1] > name:
            sc.names[j] = sc.names[j - 1]
            j -= 1
        sc.names[j] = name
    _write(out, control, 44)
    _write(out, control, 91)
    first = ONE if sc.names[0] < 0 else ZERO
    for i in range(first, number):
        if i > first:
            _write(out, control, 44)
        _write_number(out, control, sc.names[i])
    _write(out, control, 93)


@_compiled
def _write_bounds(st: Stack, sc: Scratch, out: Out, control: Any, v: Any, k: Any) -> Any:
    """The B record of the simplex of ray v and row k."""
    rest, number = st.tight[sc.here[P_RAY] + v] | _bit(k), ZERO
    while rest:
        sc.names[number] = st.names[st.ids[sc.here[P_ROW] + _trailing(rest)]]
        rest &= rest - U1
        number += 1
    _write_kind(out, control, 66)
    _write_names(sc, out, control, number)
    _write_end(out, control)


@_compiled
def _reduced(st: Stack, sc: Scratch, bl: Any, bh: Any, tl: Any, th: Any, k: Any, width: Any) -> Any:
    """Replace each ``value`` by b value - t size, without common divisors, where size is that of row k at the ray.

    False where one is too long.
    """
    rays = sc.here[P_RAYS]
    g0 = g1 = g2 = g3 = U0
    for r in range(rays):
        sl, sh, fits = _height(st, sc, width, k, r)
        if not fits:
            return False
        a, b, c, d = _cross4(bl, bh, sc.value[2 * r], sc.value[2 * r + 1], tl, th, sl, sh)
        if g0 != U1 or g1 | g2 | g3:
            g0, g1, g2, g3 = _gcd4(g0, g1, g2, g3, a, b, c, d)
    if not g0 | g1 | g2 | g3:
        for r in range(2 * rays):
            sc.value[r] = U0
        return True
    twos, length = _trailing4(g0, g1, g2, g3), _length4(g0, g1, g2, g3)
    o0, o1, _, _ = _right4(g0, g1, g2, g3, twos)
    il, ih = _inverse2(o0, o1)
    for r in range(rays):
        sl, sh, fits = _height(st, sc, width, k, r)
        a, b, c, d = _cross4(bl, bh, sc.value[2 * r], sc.value[2 * r + 1], tl, th, sl, sh)
        ql, qh, fits = _divided(a, b, c, d, twos, length, il, ih)
        if not fits:
            return False
        sc.value[2 * r] = ql
        sc.value[2 * r + 1] = qh
    return True


@_compiled
def _peel(st: Stack, sc: Scratch, width: Any, f: Any, vertex: Any) -> Any:
    """The names of the rows that are left when a form is peeled from a vertex (see ``farkas``), and their number.

    -1 where a value is too long.
    """
    first, stride, ray, rays = sc.here[P_NUM], sc.here[P_STRIDE], sc.here[P_RAY], sc.here[P_RAYS]
    for r in range(2 * rays):
        sc.value[r] = sc.form[2 * f * rays + r]
    place, q = 2 * vertex, first + vertex * stride
    tl, th = sc.value[place], sc.value[place + 1]
    if not _reduced(st, sc, st.num[q], st.num[q + 1], tl, th, ZERO, width):
        return NONE
    number = ZERO
    while True:
        usable, done = ~U0, True
        for r in range(rays):
            if sc.value[2 * r] | sc.value[2 * r + 1]:
                done = False
            else:
                usable &= st.tight[ray + r]
        if done:
            return number
        if not usable or number == width:
            return NONE
        k = 63 - _leading(usable)
        best, bl, bh = NONE, U0, U0
        for r in range(rays):
            sl, sh, fits = _height(st, sc, width, k, r)
            if not fits:
                return NONE
            if _sign(sl, sh) <= 0:
                continue
            if best >= 0:
                u, v = 2 * r, 2 * best
                if _cross_sign(sc.value[u], sc.value[u + 1], bl, bh, sc.value[v], sc.value[v + 1], sl, sh) >= 0:
                    continue
            best, bl, bh = r, sl, sh
        tl, th = sc.value[2 * best], sc.value[2 * best + 1]
        if not _reduced(st, sc, bl, bh, tl, th, k, width):
            return NONE
        sc.names[number] = st.names[st.ids[sc.here[P_ROW] + k]]
        number += 1


@_compiled
def _write_elimination(
    net: Net, lv: Levels, st: Stack, sc: Scratch, out: Out, control: Any, width: Any, s: Any, f: Any
) -> Any:
    """The E record of a class lost; see ``farkas``. With multipliers it is handed back."""
    if control[MULTIPLIERS]:
        return HAND
    first, stride, ray, rays = sc.here[P_NUM], sc.here[P_STRIDE], sc.here[P_RAY], sc.here[P_RAYS]
    most = lv.forms_bits.shape[1]
    lost, rival = sc.lost[f], sc.rival[f]
    one, two = (s * most + net.score[s, lost]) * width * 2, (s * most + net.score[s, rival]) * width * 2
    constant = True
    for k in range(2, 2 * width):
        constant &= lv.forms[one + k] == lv.forms[two + k]
    number = ZERO
    if not constant:
        best = NONE
        for r in range(rays):
            p = first + r * stride
            if not st.num[p] | st.num[p + 1]:
                continue
            if best >= 0:
                q, u, v = first + best * stride, 2 * (f * rays + r), 2 * (f * rays + best)
                if _compare(sc.form, u, st.num, q, sc.form, v, st.num, p) >= 0:
                    continue
            best = r
        on = st.tight[ray + best]
        q, v = first + best * stride, 2 * (f * rays + best)
        if _bits(on) != width - 1:
            number = _peel(st, sc, width, f, best)
            if number < 0:
                return HAND
        for r in range(rays if _bits(on) == width - 1 else 0):
            left = on & ~st.tight[ray + r]
            if not left or left & (left - U1):
                continue
            p, u = first + r * stride, 2 * (f * rays + r)
            if _compare(sc.form, u, st.num, q, sc.form, v, st.num, p):
                sc.names[number] = st.names[st.ids[sc.here[P_ROW] + _trailing(left)]]
                number += 1
    sc.names[number] = net.offset[s] + rival
    g = net.selector[s, lost]
    _write_kind(out, control, 69)
    _write(out, control, 44)
    _write_number(out, control, g)
    _write(out, control, 44)
    _write_number(out, control, lost - net.start[s, g])
    _write_names(sc, out, control, number + 1)
    _write_end(out, control)
    return FINE


# -- branches ----------------------------------------------------------------------------------------------------------


@_compiled
def _choose(st: Stack, sc: Scratch, width: Any, t: Any) -> Any:
    """The selector to branch on, by its place among the unsettled ones."""
    node = st.nodes[t]
    opens = node[OPENS]
    chosen = np.int64(st.path[t] % np.uint64(opens))
    if opens > CORNERS:
        return chosen
    first, stride, rays = sc.here[P_NUM], sc.here[P_STRIDE], sc.here[P_RAYS]
    p, place, least = node[OPEN], width, rays
    for k in range(opens):
        classes = st.open[p + 1]
        if classes == 2:
            above = below = ZERO
            q = first + 2 * place
            for _ in range(rays):
                if _negative(st.num[q + 1]):
                    below += 1
                elif st.num[q] | st.num[q + 1]:
                    above += 1
                q += stride
            cut = min(above, below)
            if cut < least:
                chosen, least = k, cut
                if cut == 1:
                    break
            place += 1
        else:
            place += classes
        p += 2 + classes
    return chosen


@_compiled
def _trim(st: Stack, sc: Scratch, t: Any) -> Any:
    """Drop the rows of the node that vanish on no ray."""
    node = st.nodes[t]
    supporting = _supporting(st, sc)
    kept = ZERO
    for k in range(node[ROWS]):
        if supporting & _bit(k):
            st.ids[node[ROW] + kept] = st.ids[node[ROW] + k]
            kept += 1
    for r in range(node[RAY], node[RAY] + node[RAYS]):
        rest, found = st.tight[r], U0
        while rest:
            low = rest & (~rest + U1)
            rest ^= low
            found |= _bit(_bits(supporting & (low - U1)))
        st.tight[r] = found
    node[ROWS] = kept
    sc.here[P_ROWS] = kept


@_compiled
def _new_row(net: Net, lv: Levels, st: Stack, width: Any, s: Any, c: Any, i: Any, top: Any) -> Any:
    """The row score_c - score_i, primitive, and the name of the loser i, at the top of the pool; false if too long."""
    most = lv.forms_bits.shape[1]
    one, two = (s * most + net.score[s, c]) * width * 2, (s * most + net.score[s, i]) * width * 2
    at = top * width * 2
    gl = gh = U0
    for k in range(0, 2 * width, 2):
        low, high = _minus2(lv.forms[one + k], lv.forms[one + k + 1], lv.forms[two + k], lv.forms[two + k + 1])
        st.rows[at + k] = low
        st.rows[at + k + 1] = high
        if gl != U1 or gh:
            al, ah = _absolute(low, high)
            gl, gh = _gcd2(gl, gh, al, ah)
    if gl != U1 or gh:
        twos = _trailing4(gl, gh, U0, U0)
        length = _length(gl, gh)
        ol, oh = _right2(gl, gh, twos)
        il, ih = _inverse2(ol, oh)
        for k in range(0, 2 * width, 2):
            low, high = st.rows[at + k], st.rows[at + k + 1]
            low, high, fits = _divided(low, high, _mask(high), _mask(high), twos, length, il, ih)
            if not fits:
                return False
            st.rows[at + k] = low
            st.rows[at + k + 1] = high
    st.rows_bits[top] = _size(st.rows, at, width)
    st.names[top] = net.offset[s] + i
    return st.rows_bits[top] <= LONGEST


@_compiled
def _opposite(st: Stack, width: Any, name: Any, top: Any) -> Any:
    """The negative of the row before, at the top of the pool."""
    at = top * width * 2
    for k in range(at, at + 2 * width, 2):
        low, high = _minus2(U0, U0, st.rows[k - 2 * width], st.rows[k - 2 * width + 1])
        st.rows[k] = low
        st.rows[k + 1] = high
    st.rows_bits[top] = _size(st.rows, at, width)
    st.names[top] = name


@_compiled
def _crossing(
    st: Stack, sc: Scratch, width: Any, x: Any, y: Any, i: Any, j: Any, columns: Any, drop: Any, to: Any
) -> Any:
    """The ray value * y - other * x, primitive, written at ``to`` without column ``drop``; false where it is too long.

    x and y are where the rays begin, i and j their numbers among the ``value``s; ``columns`` counts coordinates too.
    """
    vl, vh, ol, oh = sc.value[2 * i], sc.value[2 * i + 1], sc.value[2 * j], sc.value[2 * j + 1]
    bits = max(
        _length(vl, vh) + st.bits[sc.here[P_RAY] + j],
        _length(ol ^ _mask(oh), oh ^ _mask(oh)) + st.bits[sc.here[P_RAY] + i],
    )
    if bits < WHOLE:
        g = U0
        for k in range(width):
            c = vl * st.num[y + 2 * k] - ol * st.num[x + 2 * k]
            sc.number[k] = c
            if g != U1:
                g = _gcd1(g, U0 - c if np.int64(c) < 0 else c)
        twos = _trailing(g)
        inverse = _inverse1(g >> np.uint64(twos))
        for k in range(columns):
            if k == drop:
                continue
            c = sc.number[k] if k < width else vl * st.num[y + 2 * k] - ol * st.num[x + 2 * k]
            if g != U1:
                c = np.uint64(np.int64(c) >> twos) * inverse
            st.num[to] = c
            st.num[to + 1] = _mask(c)
            to += 2
        return True
    g0 = g1 = g2 = g3 = U0
    il = ih = U0
    twos = length = ZERO
    whole = False  # whether the inverse is that of the divisor, of two words or less
    for k in range(width):
        a, b, c, d = _cross4(
            vl, vh, st.num[y + 2 * k], st.num[y + 2 * k + 1], ol, oh, st.num[x + 2 * k], st.num[x + 2 * k + 1]
        )
        sc.number[4 * k] = a
        sc.number[4 * k + 1] = b
        sc.number[4 * k + 2] = c
        sc.number[4 * k + 3] = d
        if not a | b | c | d or (g0 == U1 and not g1 | g2 | g3):
            continue
        if whole:
            ql, qh, fits = _divided(a, b, c, d, twos, length, il, ih)
            if fits:
                e0, e1, e2, e3 = _add4(U0, U0, U0, U0, ql, qh, g0, g1)
                if e0 == a and e1 == b and e2 == c and e3 == d:
                    continue
        a, b, c, d = _absolute4(a, b, c, d)
        first = not g0 | g1 | g2 | g3
        g0, g1, g2, g3 = _gcd4(g0, g1, g2, g3, a, b, c, d)
        if not first:
            twos, length = _trailing4(g0, g1, g2, g3), _length4(g0, g1, g2, g3)
            o0, o1, _, _ = _right4(g0, g1, g2, g3, twos)
            il, ih = _inverse2(o0, o1)
            whole = length < 127
    twos, length = _trailing4(g0, g1, g2, g3), _length4(g0, g1, g2, g3)
    o0, o1, _, _ = _right4(g0, g1, g2, g3, twos)
    il, ih = _inverse2(o0, o1)
    for k in range(columns):
        if k == drop:
            continue
        if k < width:
            a, b, c, d = sc.number[4 * k], sc.number[4 * k + 1], sc.number[4 * k + 2], sc.number[4 * k + 3]
        else:
            a, b, c, d = _cross4(
                vl, vh, st.num[y + 2 * k], st.num[y + 2 * k + 1], ol, oh, st.num[x + 2 * k], st.num[x + 2 * k + 1]
            )
        ql, qh, fits = _divided(a, b, c, d, twos, length, il, ih)
        if not fits:
            return False
        st.num[to] = ql
        st.num[to + 1] = qh
        to += 2
    return True


@_compiled
def _split(
    st: Stack, sc: Scratch, tops: Any, width: Any, columns: Any, drop: Any, above: Any, below: Any, up: Any, down: Any
) -> Any:
    """Split the piece at work by the form with the ``value``s; its parts, as ``above`` and ``below``, without a column.

    ``up`` and ``down`` are the rows of the parts, by their places in the pool; a part without one is not wanted.
    ``tops`` are those of numbers, rays and rows. The form has both signs.
    """
    first, stride, ray, rays = sc.here[P_NUM], sc.here[P_STRIDE], sc.here[P_RAY], sc.here[P_RAYS]
    rows = sc.here[P_ROWS]
    if rows >= BITS:
        return HAND
    least = width - 2
    positive = negative = ZERO
    for r in range(rays):
        if _negative(sc.value[2 * r + 1]):
            negative += 1
        elif sc.value[2 * r] | sc.value[2 * r + 1]:
            positive += 1
    # The edges that cross.
    crossings = ZERO
    for i in range(rays):
        if _sign(sc.value[2 * i], sc.value[2 * i + 1]) <= 0:
            continue
        own = st.tight[ray + i]
        simple = _bits(own) == least + 1
        for j in range(rays):
            if not _negative(sc.value[2 * j + 1]):
                continue
            common = own & st.tight[ray + j]
            if _bits(common) < least:
                continue
            if not simple and _bits(st.tight[ray + j]) != least + 1:
                number = ZERO
                for r in range(rays):
                    number += st.tight[ray + r] & common == common
                if number > 2:
                    continue
            if 2 * crossings + 2 > len(sc.pairs):
                return SPACE
            sc.pairs[2 * crossings] = i
            sc.pairs[2 * crossings + 1] = j
            crossings += 1
    width_now = columns - (1 if drop >= 0 else 0)
    wide = 2 * width_now
    total = (rays - negative + crossings if up >= 0 else 0) + (rays - positive + crossings if down >= 0 else 0)
    if (
        tops[0] + total * wide > len(st.num)
        or tops[1] + total > len(st.tight)
        or tops[2] + 2 * (rows + 1) > len(st.ids)
    ):
        return SPACE
    bit = _bit(rows)
    source = NONE
    for side in range(2):
        part, row = (above, up) if side == 0 else (below, down)
        if row < 0:
            continue
        part[P_NUM] = tops[0]
        part[P_STRIDE] = wide
        part[P_RAY] = tops[1]
        part[P_RAYS] = (rays - negative if side == 0 else rays - positive) + crossings
        part[P_ROW] = tops[2]
        part[P_ROWS] = rows + 1
        for k in range(rows):
            st.ids[tops[2] + k] = st.ids[sc.here[P_ROW] + k]
        st.ids[tops[2] + rows] = row
        tops[2] += rows + 1
        to, at = tops[0], tops[1]
        for r in range(rays):
            sign = _sign(sc.value[2 * r], sc.value[2 * r + 1])
            if (sign < 0) if side == 0 else (sign > 0):
                continue
            p = first + r * stride
            for k in range(columns):
                if k != drop:
                    st.num[to] = st.num[p + 2 * k]
                    st.num[to + 1] = st.num[p + 2 * k + 1]
                    to += 2
            st.tight[at] = st.tight[ray + r] if sign else st.tight[ray + r] | bit
            st.bits[at] = st.bits[ray + r]
            st.short[at] = st.short[ray + r]
            at += 1
        if source >= 0:
            # The crossings are known.
            for k in range(crossings * wide):
                st.num[to + k] = st.num[source + k]
            from_ray = above[P_RAY] + above[P_RAYS] - crossings
            for k in range(crossings):
                st.tight[at + k] = st.tight[from_ray + k]
                st.bits[at + k] = st.bits[from_ray + k]
                st.short[at + k] = st.short[from_ray + k]
        else:
            source = to
            for k in range(crossings):
                i, j = sc.pairs[2 * k], sc.pairs[2 * k + 1]
                x, y = first + i * stride, first + j * stride
                if not _crossing(st, sc, width, x, y, i, j, columns, drop, to):
                    return HAND
                st.tight[at + k] = (st.tight[ray + i] & st.tight[ray + j]) | bit
                st.short[at + k] = _size(st.num, to, width)
                st.bits[at + k] = _size(st.num, to, width_now)
                if st.bits[at + k] > LONGEST - 1:
                    return HAND
                to += wide
        tops[0] += part[P_RAYS] * wide
        tops[1] += part[P_RAYS]
    return FINE


@_compiled
def _put_on(st: Stack, t: Any, place: Any, part: Any, chosen: Any, tops: Any) -> Any:
    """Put a child of the node t in the given place of the stack, without its tops."""
    node, child = st.nodes[t], st.nodes[place]
    child[STAGE] = node[STAGE]
    child[FRESH] = 0
    child[NUM] = part[P_NUM]
    child[RAY] = part[P_RAY]
    child[RAYS] = part[P_RAYS]
    child[ROW] = part[P_ROW]
    child[ROWS] = part[P_ROWS]
    p, to = node[OPEN], tops[3]
    child[OPEN] = to
    for k in range(node[OPENS]):
        length = 2 + st.open[p + 1]
        if k != chosen:
            for m in range(length):
                st.open[to + m] = st.open[p + m]
            to += length
        p += length
    child[OPENS] = node[OPENS] - 1
    child[LENGTH] = to - tops[3]
    tops[3] = to


@_compiled
def _branch(net: Net, lv: Levels, st: Stack, sc: Scratch, out: Out, control: Any, width: Any, t: Any) -> Any:
    """Replace the node by its children."""
    node = st.nodes[t]
    s = node[STAGE]
    _here(st, sc, width, t)
    rays = node[RAYS]
    if rays > len(sc.weight):
        return SPACE
    if node[ROWS] > BITS // 2:
        _trim(st, sc, t)
    chosen = _choose(st, sc, width, t)
    p, place = node[OPEN], width
    for _ in range(chosen):
        place += 1 if st.open[p + 1] == 2 else st.open[p + 1]
        p += 2 + st.open[p + 1]
    g, classes = st.open[p], st.open[p + 1]
    columns = width + node[COLUMNS]
    selectors = net.sizes[s, 1]
    if (
        t + classes > len(st.nodes)
        or node[OPEN_TOP] + classes * node[LENGTH] > len(st.open)
        or node[WON_TOP] + classes * selectors > len(st.won)
        or node[POOL_TOP] + classes * classes + 2 > len(st.names)
        or 2 * classes + 4 > len(sc.parts)
    ):
        return SPACE
    tops = sc.order
    tops[0] = node[NUM_TOP]
    tops[1] = node[RAY_TOP]
    tops[2] = node[ROW_TOP]
    tops[3] = node[OPEN_TOP]
    pool = node[POOL_TOP]
    if classes == 2:
        low, high = st.open[p + 2], st.open[p + 3]
        for r in range(rays):
            q = sc.here[P_NUM] + r * sc.here[P_STRIDE] + 2 * place
            sc.value[2 * r] = st.num[q]
            sc.value[2 * r + 1] = st.num[q + 1]
        sc.left[0] = low
        sc.left[1] = high
        if not _new_row(net, lv, st, width, s, high, low, pool):
            return HAND
        _opposite(st, width, net.offset[s] + high, pool + 1)
        outcome = _split(st, sc, tops, width, columns, place, sc.parts[1], sc.parts[0], pool, pool + 1)
        if outcome != FINE:
            return outcome
        pool += 2
        parts = TWO
    else:
        outcome, pool, parts = _won(net, lv, st, sc, out, control, tops, width, columns, place, s, p, pool)
        if outcome != FINE:
            return outcome
    _write_kind(out, control, 77)
    _write(out, control, 44)
    _write_number(out, control, g)
    _write_end(out, control)
    path, won, won_top = st.path[t], node[WON], node[WON_TOP]
    # The first child comes to lie on top, the last where the node is, which goes last.
    for k in range(parts):
        _put_on(st, t, t + parts - 1 - k, sc.parts[k], chosen, tops)
    for k in range(parts):
        at = t + parts - 1 - k
        child, c = st.nodes[at], sc.left[k]
        child[COLUMNS] = columns - width - (1 if classes == 2 else classes)
        child[WON] = won_top
        for m in range(selectors):
            st.won[won_top + m] = st.won[won + m]
        st.won[won_top + g] = c
        won_top += selectors
        mixed = (path + np.uint64(c)) * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        st.path[at] = mixed >> np.uint64(3)
    for k in range(parts):
        child = st.nodes[t + k]
        child[NUM_TOP] = tops[0]
        child[RAY_TOP] = tops[1]
        child[ROW_TOP] = tops[2]
        child[OPEN_TOP] = tops[3]
        child[POOL_TOP] = pool
        child[WON_TOP] = won_top
    control[TOP] = t + parts
    return FINE


@_compiled
def _won(
    net: Net,
    lv: Levels,
    st: Stack,
    sc: Scratch,
    out: Out,
    control: Any,
    tops: Any,
    width: Any,
    columns: Any,
    first: Any,
    s: Any,
    p: Any,
    pool: Any,
) -> Any:
    """The parts in which the classes of the selector at ``p`` win, whose scores are in the columns from ``first`` on.

    See ``tree.Prover``. A class that cannot win is eliminated. The outcome, the top of the pool, and how many parts.
    """
    classes = st.open[p + 1]
    whole = sc.piece[0]
    for k in range(6):
        whole[k] = sc.here[k]
    for k in range(classes):
        sc.smaller[k, 0] = -1
    number = ZERO
    for position in range(classes):
        possible = True
        is_whole = sc.smaller[position, 0] < 0
        for k in range(6):
            sc.here[k] = whole[k] if is_whole else sc.smaller[position, k]
        sc.smaller[position, 0] = -1
        while True:
            place = _rival(st, sc, first, classes, position)
            if place < 0:
                break
            start, stride, rays = sc.here[P_NUM], sc.here[P_STRIDE], sc.here[P_RAYS]
            if rays > len(sc.weight):
                return SPACE, pool, ZERO
            positive = False
            for r in range(rays):
                q = start + r * stride + 2 * first
                low, high = _minus2(
                    st.num[q + 2 * position],
                    st.num[q + 2 * position + 1],
                    st.num[q + 2 * place],
                    st.num[q + 2 * place + 1],
                )
                sc.value[2 * r] = low
                sc.value[2 * r + 1] = high
                positive |= _sign(low, high) > 0
            if not positive:
                # Nothing is left: the rows cut by, and this one, are the evidence.
                for r in range(rays):
                    sc.form[2 * r], sc.form[2 * r + 1] = _minus2(U0, U0, sc.value[2 * r], sc.value[2 * r + 1])
                sc.lost[0] = st.open[p + 2 + position]
                sc.rival[0] = st.open[p + 2 + place]
                outcome = _write_elimination(net, lv, st, sc, out, control, width, s, ZERO)
                if outcome != FINE:
                    return outcome, pool, ZERO
                possible = False
                break
            shared = is_whole and place > position and sc.smaller[place, 0] < 0
            if pool + 2 > len(st.names):
                return SPACE, pool, ZERO
            c, rival = st.open[p + 2 + position], st.open[p + 2 + place]
            if not _new_row(net, lv, st, width, s, c, rival, pool):
                return HAND, pool, ZERO
            down = NONE
            if shared:
                _opposite(st, width, net.offset[s] + c, pool + 1)
                down = pool + 1
            outcome = _split(st, sc, tops, width, columns, NONE, sc.piece[1], sc.piece[2], pool, down)
            if outcome != FINE:
                return outcome, pool, ZERO
            pool += 2 if shared else 1
            is_whole = False
            for k in range(6):
                sc.here[k] = sc.piece[1, k]
                if shared:
                    sc.smaller[place, k] = sc.piece[2, k]
        if not possible:
            continue
        # The part without the columns of the selector, as new rays.
        start, stride, rays = sc.here[P_NUM], sc.here[P_STRIDE], sc.here[P_RAYS]
        new = stride - 2 * classes
        if tops[0] + rays * new > len(st.num) or tops[1] + rays > len(st.tight):
            return SPACE, pool, ZERO
        part = sc.parts[number]
        sc.left[number] = st.open[p + 2 + position]
        number += 1
        part[P_NUM] = tops[0]
        part[P_STRIDE] = new
        part[P_RAY] = tops[1]
        part[P_RAYS] = rays
        part[P_ROW] = sc.here[P_ROW]
        part[P_ROWS] = sc.here[P_ROWS]
        to = tops[0]
        for r in range(rays):
            q = start + r * stride
            for k in range(2 * columns):
                if k < 2 * first or k >= 2 * (first + classes):
                    st.num[to] = st.num[q + k]
                    to += 1
            at, source = tops[1] + r, sc.here[P_RAY] + r
            st.tight[at] = st.tight[source]
            st.bits[at] = st.bits[source]
            st.short[at] = st.short[source]
        tops[0] = to
        tops[1] += rays
    if number < 2:
        return HAND, pool, ZERO
    return FINE, pool, number


@_compiled
def _rival(st: Stack, sc: Scratch, first: Any, classes: Any, position: Any) -> Any:
    """The class to cut by where one shall win, which wins most rays that it does not; -1 if it has won."""
    start, stride, rays = sc.here[P_NUM], sc.here[P_STRIDE], sc.here[P_RAYS]
    for k in range(classes):
        sc.tally[k] = 0
    met = ZERO
    for r in range(rays):
        q = start + r * stride + 2 * first
        best = ZERO
        for k in range(1, classes):
            if _less(st.num[q + 2 * best], st.num[q + 2 * best + 1], st.num[q + 2 * k], st.num[q + 2 * k + 1]):
                best = k
        if st.num[q + 2 * best] != st.num[q + 2 * position] or st.num[q + 2 * best + 1] != st.num[q + 2 * position + 1]:
            if not sc.tally[best]:
                sc.flags[met] = best
                met += 1
            sc.tally[best] += 1
    found = NONE
    for k in range(met):
        if found < 0 or sc.tally[sc.flags[k]] > sc.tally[found]:
            found = sc.flags[k]
    return found


# -- leaves ------------------------------------------------------------------------------------------------------------


@_compiled
def _inside(st: Stack, sc: Scratch, width: Any, rows: Any) -> Any:
    """Whether the ``point`` is strictly inside the rows of ``chosen``; one that it misses comes first."""
    low = U0
    for k in range(width):
        entry = sc.point[k]
        low |= np.uint64(entry ^ (entry >> 63))
    bits = 64 - _leading(low) + _log(width)
    for m in range(rows):
        row = st.ids[sc.here[P_ROW] + sc.chosen[m]]
        at = row * width * 2
        if st.rows_bits[row] + bits <= WHOLE:
            total = U0
            for k in range(width):
                total += st.rows[at + 2 * k] * np.uint64(sc.point[k])
            good = np.int64(total) > 0
        else:
            a = b = c = d = U0
            for k in range(width):
                word = np.uint64(sc.point[k])
                a, b, c, d = _add4(a, b, c, d, st.rows[at + 2 * k], st.rows[at + 2 * k + 1], word, _mask(word))
            good = not _negative(d) and (a | b | c | d) != U0
        if not good:
            sc.chosen[0], sc.chosen[m] = sc.chosen[m], sc.chosen[0]
            return False
    return True


@_compiled
def _find_point(st: Stack, sc: Scratch, width: Any) -> Any:
    """A point with small numbers strictly inside the piece at work, see ``witness``; false where that is to be done."""
    first, stride, rays = sc.here[P_NUM], sc.here[P_STRIDE], sc.here[P_RAYS]
    supporting, rows = _supporting(st, sc), ZERO
    while supporting:
        sc.chosen[rows] = _trailing(supporting)
        supporting &= supporting - U1
        rows += 1
    bounded = True
    for r in range(rays):
        p = first + r * stride
        bounded &= (st.num[p] | st.num[p + 1]) != U0
        sc.weight[r] = _float(st.num[p], st.num[p + 1])
    if bounded:
        extent = -inf
        for k in range(1, width):
            lowest, highest, total = inf, -inf, 0.0
            for r in range(rays):
                p = first + r * stride + 2 * k
                x = _float(st.num[p], st.num[p + 1]) / sc.weight[r]
                lowest, highest = min(lowest, x), max(highest, x)
                total = total + x if r else x
            if highest > FAR or lowest < -FAR:
                return False
            extent = max(extent, highest - lowest)
            sc.means[k] = total / rays
        if not extent:
            return False
        power = max(width - 1 - LUCK - frexp(extent)[1], 0)
        while power < MOST_DIGITS:
            scale = ldexp(1.0, power)
            sc.point[0] = ONE << power
            for k in range(1, width):
                x = sc.means[k] * scale + 0.5
                if not abs(x) < LARGE:
                    return False
                sc.point[k] = floor(x)
            if _inside(st, sc, width, rows):
                return True
            power += 1
        return False
    for k in range(width):
        sc.means[k] = 0.0
    for r in range(rays):
        p = first + r * stride
        size = 0.0
        for k in range(width):
            size = max(size, abs(_float(st.num[p + 2 * k], st.num[p + 2 * k + 1])))
        for k in range(width):
            x = _float(st.num[p + 2 * k], st.num[p + 2 * k + 1]) / size
            sc.means[k] = sc.means[k] + x if r else x
    size = 0.0
    for k in range(width):
        size = max(size, abs(sc.means[k]))
    exponent = frexp(size)[1]
    for digits in range(1, MOST_DIGITS):
        for k in range(width):
            sc.point[k] = floor(ldexp(sc.means[k], digits - exponent) + 0.5)
        if _inside(st, sc, width, rows):
            return True
    return False


@_compiled
def _leaf(net: Net, lv: Levels, st: Stack, sc: Scratch, out: Out, control: Any, width: Any, t: Any) -> Any:
    """Write the node as a leaf, and note what is asked of leaves."""
    node = st.nodes[t]
    _here(st, sc, width, t)
    rays = node[RAYS]
    if rays > len(sc.weight):
        return SPACE
    if not _find_point(st, sc, width):
        return HAND
    last = len(net.sizes) - 1
    if control[LISTING]:
        if not _shares(net, lv, control, width):
            return HAND
        leaf, row, ray = control[LEAVES], control[LEAF_ROWS], control[LEAF_RAYS]
        place, value = ZERO, lv.total[0]
        for s in range(last):
            for g in range(net.sizes[s, 1]):
                out.pattern[leaf, place] = lv.won[s, g]
                place += 1
        for g in range(net.sizes[last, 1]):
            winner = st.won[node[WON] + g]
            out.pattern[leaf, place] = winner
            value += lv.shares[winner]
            place += 1
        out.sketch[leaf] = value % PRIME
        out.first_row[leaf] = row
        out.first_ray[leaf] = ray
        supporting = _supporting(st, sc)
        rest = supporting
        while rest:
            at = st.ids[node[ROW] + _trailing(rest)] * width * 2
            rest &= rest - U1
            for k in range(2 * width):
                out.rows[row * width * 2 + k] = st.rows[at + k]
            row += 1
        for r in range(rays):
            at = node[NUM] + r * sc.here[P_STRIDE]
            for k in range(2 * width):
                out.rays[ray * width * 2 + k] = st.num[at + k]
            rest, found = st.tight[node[RAY] + r], U0
            while rest:
                low = rest & (~rest + U1)
                rest ^= low
                found |= _bit(_bits(supporting & (low - U1)))
            out.tight[ray] = found
            ray += 1
        control[LEAF_ROWS] = row
        control[LEAF_RAYS] = ray
    divisor = U0
    for k in range(width):
        divisor = _gcd1(divisor, np.uint64(abs(sc.point[k])))
    _write_kind(out, control, 76)
    for k in range(width):
        entry = sc.point[k] // np.int64(divisor)
        _write(out, control, 44)
        _write_number(out, control, entry)
        if control[LISTING]:
            out.point[control[LEAVES], k] = entry
    _write_end(out, control)
    control[LEAVES] += 1
    return FINE


@_entry
def run(net: Net, lv: Levels, st: Stack, sc: Scratch, out: Out, control: Any, width: Any, steps: Any) -> Any:
    """Go on until the nodes above ``BASE`` are done: ``DONE``; or why not."""
    most = np.int64(0)
    for s in range(len(net.sizes)):
        most = max(most, net.sizes[s, 5])
    room = (2 * most + 4) * (64 + 20 * (width + 1))
    while control[TOP] > control[BASE]:
        if not steps:
            return PAUSED
        steps -= 1
        t = control[TOP] - 1
        node = st.nodes[t]
        if control[WRITTEN] + room > len(out.text):
            return FULL
        if control[LISTING] and (
            control[LEAVES] == len(out.sketch)
            or control[LEAF_RAYS] + node[RAYS] > len(out.tight)
            or (control[LEAF_ROWS] + node[ROWS]) * width * 2 > len(out.rows)
        ):
            return FULL
        control[NODES] += 1
        written, records, outcome = control[WRITTEN], control[RECORDS], FINE
        if node[FRESH]:
            outcome = _begin(net, lv, st, control, width, t)
        if outcome == FINE and node[OPENS]:
            # What is beaten is eliminated: by bounds as far as they go, then one by one.
            s = node[STAGE]
            number = _find_lost(net, st, sc, width, t)
            if number < 0:
                outcome = SPACE
            elif number:
                outcome = _try_few(net, lv, st, sc, out, control, width, s, number)
            if outcome == MORE:
                outcome = _by_all_choices(net, lv, st, sc, out, control, width, s, number)
                for f in range(number):
                    if outcome == FINE and sc.left[f]:
                        outcome = _write_elimination(net, lv, st, sc, out, control, width, s, f)
            if outcome == FINE and number:
                _shrink(st, sc, width, t, number)
        if outcome == FINE:
            written, records = control[WRITTEN], control[RECORDS]
            if node[OPENS]:
                outcome = _branch(net, lv, st, sc, out, control, width, t)
            elif node[STAGE] + 1 < len(net.sizes):
                outcome = _compose(net, lv, st, sc, control, width, node[STAGE], node[WON])
                if outcome == FINE:
                    node[STAGE] += 1
                    node[FRESH] = 1
                    node[WON] = node[WON_TOP]
                    node[WON_TOP] += net.sizes[node[STAGE], 1]
                    st.path[t] = U1
            else:
                outcome = _leaf(net, lv, st, sc, out, control, width, t)
                if outcome == FINE:
                    control[TOP] = t
        if outcome != FINE:
            control[WRITTEN] = written
            control[RECORDS] = records
            return GROW if outcome == SPACE else LEFT
    return DONE

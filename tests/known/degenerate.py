"""Degenerate networks with counts known by hand: the positions in which careless enumeration goes wrong.

Every builder returns (document, expected counts). Each docstring is the reason for its numbers.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from tests.known.arrangements import Document, Expected, Known

__all__ = ["DEGENERATE"]

Number = int | Fraction
Row = Sequence[Number]
Layers = list[dict[str, Any]]


def _document(dimension: int, layers: Layers, domain: Document | None = None) -> Document:
    document: Document = {"format": "exactgeo-network/1", "input_dim": dimension, "layers": layers}
    return document if domain is None else {**document, "domain": domain}


def _same(count: int) -> Expected:
    return {"cells": count, "regions": count, "affine_maps": count}


def _counts(cells: int, regions: int, maps: int) -> Expected:
    return {"cells": cells, "regions": regions, "affine_maps": maps}


def _linear(*rows: Row) -> dict[str, Any]:
    """The rows (b, a)."""
    return {
        "type": "linear",
        "weight": [[str(entry) for entry in row[1:]] for row in rows],
        "bias": [str(row[0]) for row in rows],
    }


def _relu(*rows: Row) -> Layers:
    return [_linear(*rows), {"type": "relu"}]


def _head(keys: Sequence[Row], values: Sequence[Row], bias: Sequence[Number] | None = None) -> dict[str, Any]:
    """Query x, so that the score of token j is <x, key_j> + bias_j."""
    size = len(keys[0])
    head: dict[str, Any] = {
        "query": {"weight": [[str(int(i == j)) for j in range(size)] for i in range(size)]},
        "keys": [[str(entry) for entry in key] for key in keys],
        "values": [[str(entry) for entry in value] for value in values],
    }
    return head if bias is None else {**head, "score_bias": [str(entry) for entry in bias]}


def _attention(*heads: dict[str, Any], residual: bool = False) -> dict[str, Any]:
    return {"type": "attention", "heads": list(heads), "residual": residual}


def _box(low: Number, high: Number, dimension: int) -> Document:
    return {"box": [[str(low), str(high)]] * dimension}


# Units


def one_line_in_many_ways() -> Known:
    """x_1 = 1 as six units, repeated, opposite and stretched: they flip together."""
    rows: list[Row] = [[-1, 1, 0], [-1, 1, 0], [1, -1, 0], [-3, 3, 0], [Fraction(1, 7), Fraction(-1, 7), 0], [-1, 1, 0]]
    return _document(2, _relu(*rows)), _same(2)


def constant_units() -> Known:
    """Units 0, 1 and -1: none of them cuts anything."""
    return _document(2, _relu([0, 0, 0], [1, 0, 0], [-1, 0, 0])), _same(1)


def zero_weights(layers: int) -> Known:
    """All weights 0, all biases 0: every unit is identically zero, one cell."""
    return _document(2, _relu([0, 0, 0], [0, 0, 0]) * layers, _box(-1, 1, 2)), _same(1)


def cut_only_outside() -> Known:
    """x_1 = 1, x_1 = 2 and x_1 + x_2 = 2 touch or miss the open unit square."""
    return _document(2, _relu([-1, 1, 0], [-2, 1, 0], [-2, 1, 1]), _box(0, 1, 2)), _same(1)


def killed_by_the_second_layer() -> Known:
    """ReLU(-ReLU(x) - 1) is 0: two cells by the first unit, one region."""
    return _document(1, [*_relu([0, 1]), *_relu([-1, -1])]), _counts(2, 1, 1)


def dead_on_one_side() -> Known:
    """ReLU(ReLU(x) - 1): identically off for x < 0, where it does not cut; the first two cells are one region."""
    return _document(1, [*_relu([0, 1]), *_relu([-1, 1])]), _counts(3, 2, 2)


def unit_zero_on_a_cell() -> Known:
    """ReLU(x_1), then ReLU(h), ReLU(-h): on x_1 < 0 both are identically zero and tie, on x_1 > 0 h > 0 throughout."""
    return _document(2, [*_relu([0, 1, 0]), *_relu([0, 1], [0, -1])]), _same(2)


def abs_of_abs() -> Known:
    """||x| - 1|: the pieces -x - 1, x + 1, 1 - x, x - 1."""
    return _document(1, [{"type": "abs"}, _linear([-1, 1]), {"type": "abs"}]), _same(4)


def identity_by_leaky_relu() -> Known:
    """Slope 1: two cells for each unit, one map."""
    return _document(2, [{"type": "leaky_relu", "slope": "1"}]), _counts(4, 1, 1)


def hard_tanh_ladder() -> Known:
    """-1, x, 1."""
    return _document(1, [{"type": "hard_tanh"}]), _same(3)


# Keys


def all_keys_equal() -> Known:
    """Every key the same: the class of all tokens wins everywhere, with the mean of their values."""
    head = _head([[2, 1]] * 4, [[0], [1], [2], [9]])
    return _document(2, [_attention(head)]), _same(1)


def one_key() -> Known:
    """One token: x -> x + value, whatever the query says."""
    return _document(2, [_attention(_head([[3, -1]], [[1, 2]]), residual=True)]), _same(1)


def tied_in_pairs() -> Known:
    """Keys a, b, a, b with values whose means agree: two cells, one map."""
    head = _head([[1], [-1], [1], [-1]], [[0], [1], [4], [3]])
    return _document(1, [_attention(head)]), _counts(2, 1, 1)


def tie_by_score_bias() -> Known:
    """The third token ties with the first two in x = 0, and wins nowhere."""
    head = _head([[1], [-1], [0]], [[1], [2], [3]], [0, 0, 0])
    return _document(1, [_attention(head)]), _same(2)


def tie_made_by_the_layer_before() -> Known:
    """ReLU(x) and ReLU(x) as a query: the keys e_1 and e_2 differ, but tie on the whole image, the diagonal."""
    layers = [*_relu([0, 1], [0, 1]), _attention(_head([[1, 0], [0, 1], [-1, -1]], [[1], [3], [2]]))]
    # x < 0: all three scores are 0, mean 2. x > 0: the first two tie, mean 2. One region of two cells.
    return _document(1, layers), _counts(2, 1, 1)


def two_heads_with_one_wall() -> Known:
    """Heads with proportional score differences flip together; a third crosses them."""
    heads = [
        _head([[1, 0], [-1, 0]], [[1], [0]]),
        _head([[-5, 0], [7, 0]], [[2], [0]]),
        _head([[0, 1], [0, -1]], [[4], [0]]),
    ]
    return _document(2, [_attention(*heads)]), _same(4)


def never_the_winner() -> Known:
    """The third token has score 0 where the best of the others has |x| + 1."""
    head = _head([[1], [-1], [0]], [[1], [2], [3]], [1, 1, 0])
    return _document(1, [_attention(head)]), _same(2)


def winner_changes_past_a_vertex() -> Known:
    """max(0, x, 2x): at 0 all three tie, and the steepest wins beyond; the middle one never does."""
    unit = {"weight": [["0"], ["1"], ["2"]]}
    return _document(1, [{"type": "maxout", "units": [unit]}]), _same(2)


# Domains


def strip(width: int) -> Known:
    """|x_1 + x_2| < 1 times a line in R^n: x_1 + x_2 = 0 cuts it, x_1 + x_2 = 1 and 2 do not."""
    normal = [1, 1, *[0] * (width - 2)]
    rows = [[1, *normal], [1, *[-entry for entry in normal]]]
    domain = {"inequalities": [[str(entry) for entry in row] for row in rows]}
    return _document(width, _relu([0, *normal], [-1, *normal], [-2, *normal]), domain), _same(2)


def strip_cut_across() -> Known:
    """The strip 0 < x_1 < 1 in the plane, cut along (1/2) and twice across."""
    domain = {"inequalities": [["0", "1", "0"], ["1", "-1", "0"]]}
    return _document(2, _relu([-1, 2, 0], [0, 0, 1], [-5, 1, 1]), domain), _same(6)


def simplex_domain(dimension: int) -> Known:
    """x_i > 0, sum x_i < 1, with repeated and void rows; the walls x_i = x_j: d! by order, as in the braid's cube."""
    axes = [["0", *[str(int(i == j)) for j in range(dimension)]] for i in range(dimension)]
    last = ["1", *["-1"] * dimension]
    domain = {"inequalities": [*axes, last, last, ["0", *["0"] * dimension], ["3", *["0"] * dimension], axes[0]]}
    rows = [[0, *[int(k == i) - int(k == j) for k in range(dimension)]] for i in range(dimension) for j in range(i)]
    count = 1
    for k in range(2, dimension + 1):
        count *= k
    return _document(dimension, _relu(*rows), domain), _same(count)


def half_line() -> Known:
    """x > 0 with units at -1, 0, 1: only the last one cuts."""
    return _document(1, _relu([1, 1], [0, 1], [-1, 1]), {"inequalities": [["0", "1"]]}), _same(2)


# Numbers


def sliver(exponent: int) -> Known:
    """x_1 = 0 and x_1 = 10^-e: the strip between them is a cell, however thin."""
    gap = Fraction(1, 10**exponent)
    return _document(2, _relu([0, 1, 0], [-gap, 1, 0], [0, 0, 1]), _box(-1, 1, 2)), _same(6)


def tiny_triangle(exponent: int) -> Known:
    """x = 0, y = 0 and x + y = 10^-e are in general position: 7 cells, one of them a tiny triangle."""
    return _document(2, _relu([0, 1, 0], [0, 0, 1], [-Fraction(1, 10**exponent), 1, 1])), _same(7)


def almost_parallel(exponent: int) -> Known:
    """y = 0 and y = 10^-e x - 1 do meet, far away."""
    return _document(2, _relu([0, 0, 1], [1, -Fraction(1, 10**exponent), 1])), _same(4)


def almost_parallel_in_a_box(exponent: int) -> Known:
    """The same lines one unit apart in (-2, 2)^2: no crossing, 3 cells."""
    document, _ = almost_parallel(exponent)
    return {**document, "domain": _box(-2, 2, 2)}, _same(3)


def scaled(exponent: int) -> Known:
    """A triangle of size 10^e and its medians: 18 cells, at every scale.

    Zaslavsky: 1, plus 6 lines, plus 2 for each point on three lines (the corners, the centre), plus 1 for each point on
    two (the feet of the medians): 1 + 6 + 4 * 2 + 3 = 18.
    """
    s = Fraction(10) ** exponent
    rows: list[Row] = [[0, 1, 0], [0, 0, 1], [-s, 1, 1], [0, 1, -1], [-s, 2, 1], [-s, 1, 2]]
    return _document(2, _relu(*rows)), _same(18)


def mixed_scales() -> Known:
    """Units with weights from 10^-40 to 10^40: the lines x_1 = 10^80 and x_1 = 10^-80 x_2 are in general position."""
    tiny, huge = Fraction(1, 10**40), 10**40
    return _document(2, _relu([-huge, tiny, 0], [0, huge, -tiny])), _same(4)


def nested_scales() -> Known:
    """10^40 (10^-40 x): nothing but the identity and a unit at 0, then at 1."""
    tiny, huge = Fraction(1, 10**40), 10**40
    layers = [*_relu([0, tiny], [0, -tiny]), *_relu([-1, huge, -huge])]
    return _document(1, layers), _counts(3, 2, 2)


# Regions


def checkerboard() -> Known:
    """Opposite quadrants share a map and only the origin: 4 regions, 2 maps.

    Two heads give u = [x > 0] and v = [y > 0]; |u + v - 1| is 1 on the quadrants ++ and --, 0 on the others. No unit
    cuts a quadrant, where u and v are constant.
    """
    heads = [_head([[1, 0], [-1, 0]], [[1], [0]]), _head([[0, 1], [0, -1]], [[1], [0]])]
    layers = [_attention(*heads), *_relu([-1, 1, 1], [1, -1, -1]), _linear([0, 1, 1])]
    return _document(2, layers), _counts(4, 4, 2)


def checkerboard_in_space() -> Known:
    """The same times a line: the quadrants touch in an edge, which joins nothing either."""
    heads = [_head([[1, 0, 0], [-1, 0, 0]], [[1], [0]]), _head([[0, 1, 0], [0, -1, 0]], [[1], [0]])]
    layers = [_attention(*heads), *_relu([-1, 1, 1], [1, -1, -1]), _linear([0, 1, 1])]
    return _document(3, layers, _box(-1, 1, 3)), _counts(4, 4, 2)


def ring() -> Known:
    """5 + 0 ReLU(max(|x|, |y|) - 1): many cells, some around a hole, one map, one region."""
    layers: Layers = [
        {"type": "abs"},
        {"type": "maxout", "units": [{"weight": [["1", "0"], ["0", "1"]]}]},
        *_relu([-1, 1]),
        _linear([5, 0]),
    ]
    # 4 quadrants, each cut by |x| = |y| and by the unit: 4 * 2 * 2.
    return _document(2, layers), _counts(16, 1, 1)


def region_with_a_hole() -> Known:
    """ReLU(1 - max(|x|, |y|)): 0 outside the square, one region around it; inside 4 slopes."""
    layers: Layers = [
        {"type": "abs"},
        {"type": "maxout", "units": [{"weight": [["1", "0"], ["0", "1"]]}]},
        *_relu([1, -1]),
    ]
    # Inside 1 - |x| or 1 - |y| with signs: 8 cells, 4 maps, each of two cells that share a wall on an axis.
    return _document(2, layers), _counts(16, 5, 5)


def jump_along_a_wall() -> Known:
    """x + attention shifts the right half up by 1/2: walls y = 0 on the left and y = -1/2 on the right.

    On the line x = 0 the cells are not face to face: the upper left one borders both right ones.
    """
    head = _head([[-1, 0], [1, 0]], [[0, 0], [0, Fraction(1, 2)]])
    return _document(2, [_attention(head, residual=True), *_relu([0, 0, 1])]), _counts(4, 3, 3)


def merges_past_a_jump() -> Known:
    """The same with the jump in a direction that is thrown away: y alone is kept, continuous, two regions."""
    head = _head([[-1, 0], [1, 0]], [[0, 0], [7, 0]])
    return _document(2, [_attention(head, residual=True), *_relu([0, 0, 1])]), _counts(4, 2, 2)


# Images


def collapse_to_a_line() -> Known:
    """x + y, twice, then units at 0 and 1 of each copy, and of their difference, which is identically 0."""
    layers = [_linear([0, 1, 1], [0, 1, 1]), *_relu([0, 1, 0], [-1, 0, 1], [0, 1, -1])]
    return _document(2, layers), _same(3)


def collapse_to_a_point() -> Known:
    """Everything to (1, 2): later layers cut nothing."""
    layers = [_linear([1, 0, 0], [2, 0, 0]), *_relu([-1, 1, 0], [0, 1, -1], [-5, 2, 2])]
    return _document(2, layers), _same(1)


def collapse_on_one_side() -> Known:
    """ReLU(x), y: the left half goes to the line {0} x R. Then the units h_1 - y and y.

    Right half: the lines y = x and y = 0 make 3 cells. Left half: -y and y share their wall: 2 cells. Maps: on the left
    (-y, 0) and (0, y); on the right (x-y, y), (x-y, 0), (0, y). The two cells with (0, y) share the wall x = 0, y > 0.
    """
    layers = [
        _linear([0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]),
        {"type": "relu"},
        _linear([0, 1, 0, 0, 0], [0, 0, 0, 1, -1]),
        *_relu([0, 1, -1], [0, 0, 1]),
    ]
    # The first layer has y = 0 and x = 0 as walls: quadrants. In ++ the line y = x cuts: 5 cells, nothing else does.
    return _document(2, layers), _counts(5, 4, 4)


def from_a_line_to_a_plane() -> Known:
    """t -> (t, 2t, -t) and two lines through it: the image has no interior, the cells on it have."""
    layers = [_linear([0, 1], [0, 2], [0, -1]), *_relu([-1, 1, 1, 0], [-1, 1, 0, 1], [1, 0, 0, 1])]
    # The units are 3t - 1, -1 (constant) and 1 - t.
    return _document(1, layers), _same(3)


def no_selector() -> Known:
    """Linear layers alone on a simplex: one cell."""
    domain = {"inequalities": [["0", "1", "0"], ["0", "0", "1"], ["1", "-1", "-1"]]}
    return _document(2, [_linear([0, 1, 1]), _linear([1, 0])], domain), _same(1)


DEGENERATE: dict[str, Callable[[], Known]] = {
    "one-line-in-many-ways": one_line_in_many_ways,
    "constant-units": constant_units,
    **{f"zero-weights-{layers}": partial(zero_weights, layers) for layers in (1, 3)},
    "cut-only-outside": cut_only_outside,
    "killed-by-the-second-layer": killed_by_the_second_layer,
    "dead-on-one-side": dead_on_one_side,
    "unit-zero-on-a-cell": unit_zero_on_a_cell,
    "abs-of-abs": abs_of_abs,
    "identity-by-leaky-relu": identity_by_leaky_relu,
    "hard-tanh-ladder": hard_tanh_ladder,
    "all-keys-equal": all_keys_equal,
    "one-key": one_key,
    "tied-in-pairs": tied_in_pairs,
    "tie-by-score-bias": tie_by_score_bias,
    "tie-made-by-the-layer-before": tie_made_by_the_layer_before,
    "two-heads-with-one-wall": two_heads_with_one_wall,
    "never-the-winner": never_the_winner,
    "winner-changes-past-a-vertex": winner_changes_past_a_vertex,
    **{f"strip-{width}": partial(strip, width) for width in (2, 4)},
    "strip-cut-across": strip_cut_across,
    **{f"simplex-domain-{dimension}": partial(simplex_domain, dimension) for dimension in (2, 3)},
    "half-line": half_line,
    **{f"sliver-{exponent}": partial(sliver, exponent) for exponent in (3, 60, 400)},
    **{f"tiny-triangle-{exponent}": partial(tiny_triangle, exponent) for exponent in (60, 400)},
    **{f"almost-parallel-{exponent}": partial(almost_parallel, exponent) for exponent in (20, 60)},
    **{f"almost-parallel-in-a-box-{exponent}": partial(almost_parallel_in_a_box, exponent) for exponent in (1, 60)},
    **{f"scaled-{exponent}": partial(scaled, exponent) for exponent in (-40, 0, 40)},
    "mixed-scales": mixed_scales,
    "nested-scales": nested_scales,
    "checkerboard": checkerboard,
    "checkerboard-in-space": checkerboard_in_space,
    "ring": ring,
    "region-with-a-hole": region_with_a_hole,
    "jump-along-a-wall": jump_along_a_wall,
    "merges-past-a-jump": merges_past_a_jump,
    "collapse-to-a-line": collapse_to_a_line,
    "collapse-to-a-point": collapse_to_a_point,
    "collapse-on-one-side": collapse_on_one_side,
    "from-a-line-to-a-plane": from_a_line_to_a_plane,
    "no-selector-on-a-simplex": no_selector,
}
"""Every degenerate network that the tests count, by name."""

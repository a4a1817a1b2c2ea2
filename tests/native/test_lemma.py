"""The lemma on errors, against exact arithmetic: on doubles of all sizes, and on rows and rays of real trees."""

import math
import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from exactgeo import Network, native
from exactgeo.network.lowering import lowered
from tests.oracles.degenerate_networks import FAMILIES, document
from tests.oracles.random_networks import COARSE, Taste, seeded

Lemma = native.core.Lemma
SLACK = 1.0 + 2.0**-30
EDGES = (
    0.0,
    5e-324,
    -5e-324,
    2.0**-1022,
    2.0**-1074 * 3,
    2.0**53,
    2.0**53 - 1,
    -(2.0**53) + 1,
    1.0,
    1.0 + 2.0**-52,
    -1.0,
)


def doubles(least: int = -1074, most: int = 300) -> st.SearchStrategy[float]:
    """Of any exponent, and what is special among them."""
    mantissas = st.integers(-(2**53) + 1, 2**53 - 1)
    scaled = st.builds(math.ldexp, mantissas.map(float), st.integers(least - 53, most - 53))
    return st.one_of(scaled, st.sampled_from([x for x in EDGES if abs(x) < 2.0**most]))


def vectors(size: int, least: int = -1074, most: int = 300) -> st.SearchStrategy[list[float]]:
    """Of one scale, whose sums cancel, or of any."""
    near = st.integers(least + 60, most).flatmap(lambda k: st.lists(doubles(k - 60, k), min_size=size, max_size=size))
    return st.one_of(near, st.lists(doubles(least, most), min_size=size, max_size=size))


def summed(a: Sequence[float], b: Sequence[float]) -> float:
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total += x * y
    return total


def exactly(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def moved(v: Sequence[float], error: float, signs: Sequence[int]) -> list[Fraction]:
    return [Fraction(x) + sign * Fraction(error) for x, sign in zip(v, signs, strict=True)]


errors = st.one_of(st.just(0.0), doubles(-300, 100).map(abs))
signs_of_errors = st.lists(st.sampled_from([-1, 0, 1]), min_size=8, max_size=8)
sizes = st.integers(2, 4)


@given(data=st.data(), size=sizes, er=errors, e=errors, signs=signs_of_errors)
def test_the_sign_of_a_row_at_a_ray(data: st.DataObject, size: int, er: float, e: float, signs: list[int]) -> None:
    """The value is within its bound, however the true row and ray differ from the doubles."""
    v, x = data.draw(vectors(size)), data.draw(vectors(size))
    s = summed(v, x)
    bound = Lemma.sign(sum(map(abs, v)) * SLACK, er, max(map(abs, x)), e, size)
    assume(math.isfinite(s))
    true = exactly(moved(v, er, signs[:size]), moved(x, e, signs[4 : 4 + size]))
    assert not math.isfinite(bound) or abs(Fraction(s) - true) <= Fraction(bound)


@given(data=st.data(), size=sizes, g=st.integers(-200, 200), h=st.integers(-200, 200), bits=st.integers(1, 53))
def test_products_on_grids_are_exact(data: st.DataObject, size: int, g: int, h: int, bits: int) -> None:
    """To the last bit below 2^53, zero included."""
    v = data.draw(st.lists(st.integers(-(2**bits), 2**bits), min_size=size, max_size=size))
    x = data.draw(st.lists(st.integers(-(2 ** (53 - bits)), 2 ** (53 - bits)), min_size=size, max_size=size))
    row, ray = [math.ldexp(float(k), g) for k in v], [math.ldexp(float(k), h) for k in x]
    if Lemma.exact_on_grids(sum(map(abs, row)) * SLACK, 2.0**g, max(map(abs, ray)), 2.0**h):
        assert Fraction(summed(row, ray)) == exactly([*map(Fraction, row)], [*map(Fraction, ray)])


@pytest.mark.parametrize("row_grid", [0.0, 1.0])
def test_what_is_on_no_grid_or_too_large_is_not_exact(row_grid: float) -> None:
    assert Lemma.exact_on_grids(3.0, row_grid, 5.0, 1.0) == (row_grid == 1.0)
    assert not Lemma.exact_on_grids(2.0**53, row_grid, 1.0, 1.0)
    assert not Lemma.exact_on_grids(math.nan, row_grid, 1.0, 1.0)
    assert not Lemma.exact_on_grids(math.inf, row_grid, 1.0, 1.0)


@given(data=st.data(), terms=st.integers(1, 6), er=errors, signs=signs_of_errors)
def test_composition(data: st.DataObject, terms: int, er: float, signs: list[int]) -> None:
    """A coordinate of a form: weights that were rounded, times values that have errors."""
    weights = data.draw(
        st.lists(st.fractions().filter(lambda x: 2.0**-100 < abs(x) < 2.0**60), min_size=terms, max_size=terms)
    )
    values = data.draw(vectors(terms, -200, 100))
    rounded = [float(w) for w in weights]
    error = (
        sum(abs(w) * Lemma.term(er, abs(x), terms) for w, x in zip(rounded, values, strict=True)) * SLACK + 2.0**-900
    )
    true = exactly(weights, moved(values, er, signs[:terms]))
    assert abs(Fraction(summed(rounded, values)) - true) <= Fraction(error)


@given(data=st.data(), members=st.integers(2, 5), er=errors, signs=signs_of_errors)
def test_differences_and_means(data: st.DataObject, members: int, er: float, signs: list[int]) -> None:
    x = data.draw(vectors(members, -800, 300))
    true = moved(x, er, signs[:members])
    difference = x[0] - x[1]
    assert abs(Fraction(difference) - true[0] + true[1]) <= Fraction(Lemma.difference(er, er, abs(difference)))
    total = 0.0
    for entry in x:
        total += entry
    bound = Lemma.mean(er * members * SLACK, sum(map(abs, x)) * SLACK, members)
    assert abs(Fraction(total / members) - sum(true, Fraction(0)) / members) <= Fraction(bound) + Fraction(2) ** -1000


@given(data=st.data(), k=st.integers(2, 5), e=errors, er=errors, signs=signs_of_errors)
def test_minors(data: st.DataObject, k: int, e: float, er: float, signs: list[int]) -> None:
    """One step of the expansion of a determinant along a row, signs alternating."""
    k = min(k, 4)
    row, before = data.draw(vectors(k, -700, 200)), data.draw(vectors(k, -700, 200))
    found = summed([x if c % 2 == 0 else -x for c, x in enumerate(row)], before)
    bound = Lemma.minor(e, max(map(abs, before)), sum(map(abs, row)) * SLACK, er, k)
    exact = [x if c % 2 == 0 else -x for c, x in enumerate(moved(row, er, signs[:k]))]
    assert abs(Fraction(found) - exactly(exact, moved(before, e, signs[4 : 4 + k]))) <= Fraction(bound)


@given(data=st.data(), terms=st.integers(1, 4), er=errors, signs=signs_of_errors)
@settings(max_examples=40)
def test_combinations(data: st.DataObject, terms: int, er: float, signs: list[int]) -> None:
    """The largest value on a box of a combination of rows with doubles as multipliers, which count as exact."""
    width = 3
    rows = [data.draw(vectors(width, -300, 100)) for _ in range(terms)]
    multipliers = [abs(data.draw(doubles(-200, 50))) for _ in range(terms)]
    low, high = [1.0, -0.3, -7.0], [1.0, 0.1, 1e-9]
    size = sum(m * (sum(map(abs, row)) * SLACK) for m, row in zip(multipliers, rows, strict=True))
    error = sum(m * er for m in multipliers)
    c = [summed(multipliers, column) for column in zip(*rows, strict=True)]
    found = sum(max(x * a, x * b) for x, a, b in zip(c, low, high, strict=True))
    taken = [Fraction(m) for m in multipliers]
    true = [
        exactly(taken, [Fraction(x) + signs[k] * Fraction(er) for x in column])
        for k, column in enumerate(zip(*rows, strict=True))
    ]
    largest = sum(max(x * Fraction(a), x * Fraction(b)) for x, a, b in zip(true, low, high, strict=True))
    assert abs(Fraction(found) - largest) <= Fraction(Lemma.combination(size, error, terms, width, 7.0))


@given(data=st.data(), terms=st.integers(1, 8))
def test_pairs_of_doubles(data: st.DataObject, terms: int) -> None:
    """(n + 1) 2^-100 of the sum of absolute values, however much cancels."""
    a, b = [data.draw(st.lists(doubles(-300, 200), min_size=terms, max_size=terms)) for _ in range(2)]
    if data.draw(st.booleans()):  # nearly nothing is left
        a, b = [*a, *a], [*b, *[-x for x in b[:-1]], -math.nextafter(b[-1], 0.0)]
    high, low = Lemma.pair_sum([*zip(a, b, strict=True)])
    exact = [Fraction(x) * Fraction(y) for x, y in zip(a, b, strict=True)]
    assert (
        abs(Fraction(high) + Fraction(low) - sum(exact))
        <= (len(a) + 1) * Fraction(2) ** -100 * sum(map(abs, exact)) + Fraction(2) ** -900
    )


# Rows and rays of trees


def share(v: Sequence[float], error: float, exact: Sequence[int]) -> Fraction:
    """The least share of its error by which the vector is off a positive multiple of the exact one.

    max |v_k - c y_k| is convex in c, and least where two of its terms are equal or one is 0; c may be near to 0.
    """
    x = [Fraction(entry) for entry in v]
    scales = [a / b for a, b in zip(x, exact, strict=True) if b]
    for i, j in combinations(range(len(x)), 2):
        for sign in (1, -1):
            if exact[i] != sign * exact[j]:
                scales.append((x[i] - sign * x[j]) / (exact[i] - sign * exact[j]))
    least = min(max(abs(a - c * b) for a, b in zip(x, exact, strict=True)) for c in [Fraction(0), *scales] if c >= 0)
    if not least:
        return Fraction(0)
    return least / Fraction(error) if error else Fraction(2)


def audited(network: Network, most: int) -> tuple[Fraction, Fraction, Fraction]:
    """The worst shares of rows, of rays, and of signs of one at the other, of which no one may be above 1."""
    rows, rays = Lemma.audit(lowered(network), most)
    worst_row = max((share(v, er, exact) for v, er, _, exact in rows), default=Fraction(0))
    worst_ray = max((share(x, e, exact) for x, e, _, exact in rays), default=Fraction(0))
    worst_sign = Fraction(0)
    rng = random.Random(1)
    for _ in range(min(most, len(rows) * len(rays))):
        (v, er, row_grid, row), (x, e, ray_grid, ray) = rng.choice(rows), rng.choice(rays)
        n1, mx, s = sum(map(abs, v)) * SLACK, max(map(abs, x)), summed(v, x)
        true = sum(a * b for a, b in zip(row, ray, strict=True))
        if Lemma.exact_on_grids(n1, row_grid, mx, ray_grid):
            assert (s > 0) - (s < 0) == (true > 0) - (true < 0)
            continue
        bound = Lemma.sign(n1, er, mx, e, len(v))
        assert abs(s) <= bound or (s > 0) == (true > 0)
        if not true:
            worst_sign = max(worst_sign, Fraction(abs(s)) / Fraction(bound))
    return worst_row, worst_ray, worst_sign


def real(dimension: int, widths: Sequence[int]) -> Network:
    rng = random.Random(7)
    sizes = [dimension, *widths, 1]
    weights = [[[rng.gauss(0, 1) for _ in range(n)] for _ in range(m)] for n, m in pairwise(sizes)]
    biases = [[rng.gauss(0, 1) for _ in row] for row in weights]
    return Network.mlp(weights, biases, domain={"box": [["-2", "2"]] * dimension})


AUDITED: dict[str, Callable[[], Network]] = {
    "two layers": lambda: real(2, (16, 16)),
    "ten layers": lambda: real(2, (6,) * 10),
    "four dimensions": lambda: real(4, (7, 5)),
}


@pytest.mark.parametrize("name", AUDITED)
def test_audit(name: str) -> None:
    """No row, ray or sign is further off than its bound says; nor are the bounds far too large."""
    shares = audited(AUDITED[name](), 500)
    assert max(shares) <= 1
    assert shares[1] > Fraction(1, 10**6)


def test_audit_of_degenerate_networks() -> None:
    for seed in range(6):
        for family in FAMILIES:
            network = Network.from_arrays(document(family, seed))
            if network.input_dim in (2, 4):
                assert max(audited(network, 40)) <= 1
        network = Network.from_arrays(seeded(seed, Taste(COARSE, (2, 4))).document())
        assert max(audited(network, 60)) <= 1


def test_audited_are_two_dimensions_only() -> None:
    with pytest.raises(ValueError, match="dimensions 2 and 4"):
        Lemma.audit(lowered(real(1, (3,))), 5)

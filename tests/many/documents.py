"""Random documents of many networks, and each of the networks by itself."""

import copy
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from tests.oracles.random_networks import Taste, seeded

__all__ = ["MANY", "STYLES", "drawn"]

RANKS = {"weight": 2, "bias": 1, "keys": 2, "score_bias": 1, "values": 2, "log_values": 2, "slope": 0}
MANY = Taste(dimensions=(1, 2, 3))

Style = tuple[Any, float]
STYLES: tuple[Style, ...] = (
    (object, 1.0),
    (np.float64, 1.0),
    (np.float64, 2.0**-500),
    (np.float64, 1e-300),
    (np.float64, 1e300),
    (np.float32, 1.0),
    (np.float16, 1.0),
    (np.longdouble, 1.0),
    (">f8", 1.0),
    (np.int8, 1.0),
    (np.int16, 1.0),
    (np.int64, 2.0**40),
    (np.uint8, 1.0),
    (np.uint64, 2.0**60),
    (list, 1.0),
)
"""What arrays are made of, and what all their numbers are multiplied with."""


def drawn(seed: int, taste: Taste = MANY) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A document of up to four networks, and the documents of these, with Fractions for numbers.

    The networks are those of ``random_networks``, with numbers changed here and there: zeros, ones, repetitions.
    """
    rng = random.Random(seed)
    many = seeded(seed, taste).document()
    while not list(_places(many["layers"])):
        many["layers"].append({"type": "leaky_relu", "slope": "1/2"})
    count = rng.randint(1, 4)
    singles = [copy.deepcopy(many) for _ in range(count)]
    places = list(_places(many["layers"]))
    leading = rng.randrange(len(places))
    for number, place in enumerate(places):
        each = number == leading or rng.random() < 0.7
        array, values = _array(rng, _at(many["layers"], place), count if each else 1)
        _set(many["layers"], place, array if each else array[0])
        for k, single in enumerate(singles):
            _set(single["layers"], place, _plain(values[k if each else 0]))
    return many, singles


def _array(rng: random.Random, template: Any, count: int) -> tuple[Any, Any]:
    """Variants of an array in some style, and the same as Fractions."""
    entries = np.array(template, dtype=object)
    numbers = [Fraction(entry) for entry in entries.flat]
    kind, scale = rng.choice(STYLES)
    stack = []
    for k in range(count):
        drawn = numbers if k == 0 else [rng.choice([*numbers, Fraction(0), Fraction(1)]) for _ in numbers]
        if kind is not object:
            factor = Fraction(scale)
            drawn = [Fraction(_rounded(kind, entry, factor)) for entry in drawn]
        stack.append(drawn)
    values = np.empty((count, *entries.shape), object)
    values.reshape(-1)[:] = [entry for row in stack for entry in row]
    if kind is object:
        return values, values
    if kind is list:
        return np.array([float(entry) for entry in values.flat]).reshape(values.shape).tolist(), values
    if np.dtype(kind).kind in "iu":
        return np.array([int(entry) for entry in values.flat], kind).reshape(values.shape), values
    return np.array([float(entry) for entry in values.flat], kind).reshape(values.shape), values


def _plain(values: Any) -> Any:
    """As lists; a number by itself is one already."""
    return values.tolist() if isinstance(values, np.ndarray) else values


def _rounded(kind: Any, entry: Fraction, factor: Fraction) -> Fraction:
    """The nearest thing that the kind has."""
    if kind is list:
        return Fraction(float(entry))
    if np.dtype(kind).kind == "i":
        return Fraction(int(entry) * int(factor))
    if np.dtype(kind).kind == "u":
        return Fraction(abs(int(entry)) * int(factor))
    return Fraction(float(np.dtype(kind).type(float(entry) * float(factor))))


def _places(tree: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(tree, dict):
        for key, entry in tree.items():
            if key in RANKS:
                yield (*place, key)
            else:
                yield from _places(entry, (*place, key))
    elif isinstance(tree, list):
        for k, entry in enumerate(tree):
            yield from _places(entry, (*place, k))


def _at(tree: Any, place: tuple[Any, ...]) -> Any:
    for key in place:
        tree = tree[key]
    return tree


def _set(tree: Any, place: tuple[Any, ...], value: Any) -> None:
    _at(tree, place[:-1])[place[-1]] = value

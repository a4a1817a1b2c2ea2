"""The network: a piecewise-affine function on a polyhedral domain, as stages.

A ``Network`` is read from a file of the format ``exactgeo-network/1`` (``load_network``), or built from arrays, where a
float means its exact binary value (``Network.from_arrays``, ``Network.mlp``). It keeps the bytes of its document:
writing it back changes nothing, and its SHA-256 is that of the file. Two networks are equal when their domains and
stages are.

>>> tent = Network.mlp([[[1], [1]], [[2, -4]]], [[0, "-1/2"], [0]], domain={"box": [[0, 1]]})
>>> tent.evaluate(["1/4"]), tent.evaluate(["3/4"]), tent.winners(["1/2"])
((Fraction(1, 2),), (Fraction(1, 2),), (((1,), (0, 1)),))

Where candidates tie at a point the value there is the mean of theirs, the limit of softmax at temperature zero. The
engine claims values on open cells only, where a tie is a tie on the whole cell and means the same.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from os import PathLike
from typing import Any, BinaryIO

from exactgeo.errors import BadInput
from exactgeo.files import new_path, path_of, written_whole
from exactgeo.network.canonical import canonical_document
from exactgeo.network.compiling import compile_layers
from exactgeo.network.document import FORMAT, read_document
from exactgeo.network.foreign import foreign_format
from exactgeo.network.layers import Layer
from exactgeo.network.staged import Staged
from exactgeo.rational.numbers import Number, exact_point
from exactgeo.rational.rows import Point

__all__ = ["MAX_FILE_BYTES", "Network", "load_network", "network_from", "read_network", "write_network"]

MAX_FILE_BYTES = 64 * 2**20
"""Largest network file accepted."""


@dataclass(frozen=True, repr=False)
class Network(Staged):
    """A network and its domain: stages (``Staged``), and what they were made of.

    ``layers`` are those of the document, in its order, as ``listed_rows`` are its inequalities; ``document`` is the
    bytes of the file, or the canonical dump of a network that was made.
    """

    layers: tuple[Layer, ...] = field(compare=False)
    document: bytes = field(compare=False)

    @staticmethod
    def from_arrays(document: object) -> "Network":
        """The network of a document in Python values; see ``canonical_document`` for what may stand for numbers.

        The structure is that of the file; ``format`` may be left out.
        """
        if isinstance(document, dict) and "format" not in document:
            document = {"format": FORMAT, **document}
        return read_network(canonical_document(document))

    @staticmethod
    def mlp(weights: Iterable[object], biases: Iterable[object] | None = None, domain: object = None) -> "Network":
        """The ReLU network linear, relu, ..., linear with these matrices and vectors; None is a bias of zeros."""
        if not isinstance(weights, Iterable) or not (biases is None or isinstance(biases, Iterable)):
            raise BadInput("expected a list of weights and a list of biases, one of each for every layer")
        matrices = list(weights)
        vectors = [None] * len(matrices) if biases is None else list(biases)
        if not matrices or len(matrices) != len(vectors):
            raise BadInput(f"expected as many biases as weights, at least one, got {len(vectors)} and {len(matrices)}")
        layers: list[object] = []
        for weight, bias in zip(matrices, vectors, strict=True):
            layers += [{"type": "linear", "weight": weight, "bias": bias}, {"type": "relu"}]
        first: Any = matrices[0]
        try:
            input_dim = len((first.tolist() if hasattr(first, "tolist") else first)[0])
        except (TypeError, IndexError):
            raise BadInput("expected each weight to be a matrix, output by input, got something else") from None
        if isinstance(domain, dict) and hasattr(domain.get("box"), "__len__"):
            input_dim = len(domain["box"])  # where a weight does not fit the box, it is the weight that is wrong
        return Network.from_arrays({"input_dim": input_dim, "domain": domain, "layers": layers[:-1]})

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the document's bytes, in hexadecimal."""
        return hashlib.sha256(self.document).hexdigest()

    def evaluate(self, point: Iterable[Number]) -> Point:
        """The exact value at a point, inside the domain or not; layer by layer, without the stages."""
        x = exact_point(point, self.input_dim)
        for layer in self.layers:
            x = layer.at(x)
        return x

    def winners(self, point: Iterable[Number]) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For each stage and selector the candidates whose score is the largest at the point."""
        x = exact_point(point, self.input_dim)
        winners = []
        for stage in self.stages:
            forms = stage.forms.at(x)
            values: list[Fraction] = []
            tied = []
            for selector in stage.selectors:
                best = max(forms[candidate.score] for candidate in selector.candidates)
                first = [j for j, candidate in enumerate(selector.candidates) if forms[candidate.score] == best]
                tied.append(tuple(first))
                for indices in zip(*[selector.candidates[j].value for j in first], strict=True):
                    values.append(sum((forms[i] for i in indices), Fraction(0)) / len(first))
            mixed = stage.mix.at(values)
            x = tuple(b + m for b, m in zip(stage.base.at(x), mixed, strict=True))
            winners.append(tuple(tied))
        return tuple(winners)


def read_network(data: bytes) -> Network:
    """The network in the bytes of a document."""
    document = read_document(data)
    stages = compile_layers(document.input_dim, document.layers)
    return Network(document.input_dim, document.listed_rows, stages, document.layers, data)


def load_network(path: str | PathLike[str]) -> Network:
    """The network in a file."""
    name = str(path_of("network", path))
    what = f"the network file {name!r}"
    try:
        file = open(name, "rb")  # noqa: SIM115
    except (OSError, ValueError) as error:
        raise BadInput(f"cannot read {what}: {_reason(error)}") from None
    with file:
        return network_from(file, what, name)


def network_from(file: BinaryIO, what: str, name: str = "") -> Network:
    """The network in an open file; ``what`` it is stands in messages, and its ``name`` may tell the format."""
    try:
        data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise BadInput(f"cannot read {what}: {_reason(error)}") from None
    problem = foreign_format(name, data)
    if not problem and len(data) > MAX_FILE_BYTES:
        problem = f"it has more than {MAX_FILE_BYTES} bytes"
    if problem:
        raise BadInput(f"cannot read {what}: {problem}")
    return read_network(data)


def write_network(network: Network, path: str | PathLike[str]) -> None:
    """Write the network's document, byte for byte."""
    with written_whole(new_path("path", path)) as file:
        file.write(network.document)


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)

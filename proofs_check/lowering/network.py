"""The embedded network, read strictly (FORMAT.md, section 3.1).

Part in the soundness theorem: the theorem is about *the network*, and this module says which one that is.
"""

from dataclasses import dataclass

from ..core.limits import LIMITS, Meter
from ..core.rows import Row, primitive
from ..core.verdict import Unreadable, show
from .layer import Layer
from .layers import KINDS
from .numbers import Matrix, integers, matrix, vector, weigh
from .objects import fields, nonempty

__all__ = ["Network", "read_network"]


@dataclass(frozen=True)
class Network:
    """`domain`: the primitive rows b + a.x >= 0, in the order of their numbers."""

    input_dim: int
    domain: list[Row]
    layers: list[Layer]


def _layer(value: object, inputs: int, where: str, meter: Meter) -> Layer:
    kind = value.get("type") if isinstance(value, dict) else None
    reader = KINDS.get(kind) if isinstance(kind, str) else None
    if reader is None:
        raise Unreadable("network-keys", "network", f"{where}: no layer of type {show(kind, 60)}")
    return reader(value, inputs, where, meter)


def _domain(value: object, dimension: int) -> list[Row]:
    if value is None:
        return []
    if not isinstance(value, dict) or list(value) not in (["box"], ["inequalities"]):
        raise Unreadable("network-domain", "network", "neither null nor {box} nor {inequalities}")
    rows: Matrix = []
    if "box" in value:
        for i, pair in enumerate(matrix(value["box"], "domain.box", dimension, 2)):
            low, high = pair
            if low >= high:
                raise Unreadable("network-domain", "network", f"domain.box[{i}]: not lo < hi")
            unit = [int(j == i) for j in range(dimension)]
            rows += [[-low, *unit], [high, *(-entry for entry in unit)]]
    else:
        inequalities = value["inequalities"]
        if not isinstance(inequalities, list):
            raise Unreadable("network-domain", "network", "domain.inequalities: not a list")
        rows = [vector(row, dimension + 1, f"domain.inequalities[{i}]") for i, row in enumerate(inequalities)]
        meter = Meter()
        for row in rows:
            weigh([row], meter)
    return [primitive(tuple(integers([row])[1][0])) for row in rows]


def read_network(value: object) -> Network:
    """The network of a JSON object, or Unreadable."""
    entry = fields(value, "network", ("format", "input_dim", "layers"), ("domain",))
    if entry["format"] != "exactgeo-network/1":
        raise Unreadable("network-keys", "network", f"format {show(entry['format'], 60)}")
    dimension, most = entry["input_dim"], LIMITS["INPUT_DIM"].most
    if type(dimension) is not int or not 1 <= dimension <= most:
        raise Unreadable("network-number", "network", f"input_dim: not an integer from 1 to {most}")
    domain = _domain(entry.get("domain"), dimension)
    layers: list[Layer] = []
    width, meter = dimension, Meter()
    for i, item in enumerate(nonempty(entry["layers"], "layers")):
        layers.append(_layer(item, width, f"layers[{i}]", meter))
        width = layers[-1].outputs
    return Network(dimension, domain, layers)

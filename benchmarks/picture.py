"""The picture of the README: ``python -m benchmarks.picture`` writes ``figures/regions.svg``.

The cells of a two-block transformer on [-2,2]^2, exactly: vertices are those of the cells' cones, walls are those of
the dual graph, and the counts in the caption are what the engine finds. Rational coordinates are rounded only when they
are written. A region is filled by where the network sends its centre: the direction of the output picks the hue, its
length the lightness. Across a fold (the map is continuous, its slope changes) colours change little; across a jump (a
hard attention head turns to another key, and the map is discontinuous) they need not match at all.
"""

import sys
from collections.abc import Sequence
from fractions import Fraction
from math import atan2, cos, hypot, pi, sin
from pathlib import Path

from exactgeo import Cell, DualGraph, Regions, Wall, dual_graph, enumerate_cells, linear_regions, load_network
from exactgeo.polyhedron.cone import Cone, point_of
from exactgeo.rational.rows import Row, hyperplane

__all__ = ["main", "picture"]

NETWORK = Path("tests/known/workloads/t_d2_H4_N16_ff16_L2.json")
FIGURE = Path("benchmarks/figures/regions.svg")

SIZE, MARGIN, CAPTION = 720, 24, 62
LOWER, UPPER = -2, 2
TURN = 0.55 * pi  # of the colour wheel: blue to orange, which colour-blind readers tell apart too

Point = tuple[Fraction, Fraction]
Segment = tuple[Point, Point]


def main() -> int:
    """Write the picture of the README."""
    FIGURE.parent.mkdir(exist_ok=True)
    graph = dual_graph(enumerate_cells(load_network(NETWORK), "split"))
    FIGURE.write_text(picture(graph, linear_regions(graph)), encoding="utf-8")
    print(f"written to {FIGURE}")
    return 0


def picture(graph: DualGraph, regions: Regions) -> str:
    """The cells in the plane as an SVG document."""
    polygons = [polygon(cell) for cell in graph.cells]
    fills = []
    for members, colour in zip(regions.members, colours(regions, polygons), strict=True):
        # A stroke of the same colour closes the hairlines that anti-aliasing leaves between neighbours.
        shapes = "".join(f"M{'L'.join(_xy(vertex) for vertex in polygons[k])}Z" for k in members)
        fills.append(f'<path d="{shapes}" fill="{colour}" stroke="{colour}"/>')
    folds: list[Segment] = []
    jumps: list[Segment] = []
    for wall in graph.walls:
        if not graph.same_map(wall):
            (folds if graph.continuous(wall) else jumps).append(segment(wall, graph))
    width, height = SIZE + 2 * MARGIN, SIZE + 2 * MARGIN + CAPTION
    title = "The cells of a two-block hard-attention transformer in the plane"
    counts = (
        f"{len(regions.cells):,} cells, {len(regions):,} maximal linear regions, {regions.affine_maps:,} affine maps"
    )
    size = f'width="{width}" height="{height}"'
    font = "font-family=\"Georgia, 'Times New Roman', serif\""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {size}>',
            f"<title>{title}: {counts}</title>",
            f'<rect {size} fill="#fff"/>',
            f'<clipPath id="box"><rect x="{MARGIN}" y="{MARGIN}" width="{SIZE}" height="{SIZE}"/></clipPath>',
            '<g clip-path="url(#box)">',
            '<g stroke-width="0.6" stroke-linejoin="round">',
            *sorted(fills),  # so that the file does not depend on the order of enumeration
            "</g>",
            f'<path d="{_strokes(folds)}" fill="none" stroke="#fff" stroke-opacity="0.75" stroke-width="0.8"/>',
            f'<path d="{_strokes(jumps)}" fill="none" stroke="#1d2440" stroke-width="1.5" stroke-linecap="round"/>',
            "</g>",
            f'<g {font} fill="#1d2440">',
            f'<text x="{MARGIN}" y="{height - MARGIN - 26}" font-size="19">{counts}</text>',
            *_legend(height - MARGIN, len(jumps), len(folds)),
            "</g>",
            "</svg>",
            "",
        ]
    )


def polygon(cell: Cell) -> list[Point]:
    """The vertices of a bounded cell in the plane, counterclockwise."""
    if not isinstance(cell.body, Cone):
        raise TypeError("a picture needs the generators that split keeps")
    vertices = [_point(ray) for ray in cell.body.rays]
    centre = _mean(vertices)
    return sorted(vertices, key=lambda vertex: _angle(vertex[0] - centre[0], vertex[1] - centre[1]))


def _angle(x: Fraction, y: Fraction) -> tuple[bool, bool, Fraction]:
    """Orders directions as their angles from 0 to 2 pi do, exactly: the half-plane, then minus the cotangent."""
    return y < 0 or (y == 0 and x < 0), y != 0, -x / y if y else Fraction()


def segment(wall: Wall, graph: DualGraph) -> Segment:
    """The two ends of a wall: where the edges of its two cells on its line overlap."""
    edges = []
    for k in (wall.first, wall.second):
        face = next(face for face in graph.cells[k].body.faces() if hyperplane(face.row)[0] == wall.row)
        edges.append(sorted(_point(ray) for ray in face.rays))
    (a, b), (c, d) = edges
    return max(a, c), min(b, d)


def colours(regions: Regions, polygons: Sequence[Sequence[Point]]) -> list[str]:
    """The colour of each region."""
    images, areas = [], []
    for region, members in zip(regions, regions.members, strict=True):
        images.append(region.map.at(_mean([vertex for k in members for vertex in polygons[k]])))
        areas.append(sum((_area(polygons[k]) for k in members), Fraction()))
    across, up = (_shares([image[axis] for image in images], areas) for axis in (0, 1))
    return [_colour(u, v) for u, v in zip(across, up, strict=True)]


def _shares(values: Sequence[Fraction], areas: Sequence[Fraction]) -> list[float]:
    """For each value the share of the area with smaller values, from -1 to 1: any distribution is spread out evenly."""
    shares = [0.0] * len(values)
    below, total = Fraction(), sum(areas, Fraction())
    for k in sorted(range(len(values)), key=values.__getitem__):
        shares[k] = float(2 * (below + areas[k] / 2) / total - 1)
        below += areas[k]
    return shares


def _point(ray: Row) -> Point:
    x, y = point_of(ray)
    return x, y


def _mean(points: Sequence[Point]) -> Point:
    return sum((x for x, _ in points), Fraction()) / len(points), sum((y for _, y in points), Fraction()) / len(points)


def _area(vertices: Sequence[Point]) -> Fraction:
    edges = zip(vertices, [*vertices[1:], vertices[0]], strict=True)
    return sum((a * d - b * c for (a, b), (c, d) in edges), Fraction()) / 2


# -- what is written ---------------------------------------------------------------------------------------------------


def _xy(point: Point) -> str:
    """Pixels with two decimals, the second axis upwards."""
    scale = Fraction(SIZE, UPPER - LOWER)
    x, y = MARGIN + (point[0] - LOWER) * scale, MARGIN + (UPPER - point[1]) * scale
    return f"{float(x):.2f} {float(y):.2f}"


def _strokes(segments: Sequence[Segment]) -> str:
    return "".join(f"M{_xy(start)}L{_xy(end)}" for start, end in sorted(segments))


def _legend(baseline: int, jumps: int, folds: int) -> list[str]:
    middle = baseline - 4
    right = MARGIN + SIZE // 2
    text = f'y="{baseline}" font-size="15" fill="#5a6180"'
    return [
        f'<path d="M{MARGIN} {middle}h34" stroke="#1d2440" stroke-width="2"/>',
        f'<text x="{MARGIN + 44}" {text}>{jumps:,} jumps: the map is discontinuous</text>',
        f'<rect x="{right}" y="{middle - 8}" width="34" height="16" fill="#9cc3d9"/>',
        f'<path d="M{right} {middle}h34" stroke="#fff" stroke-width="1.2"/>',
        f'<text x="{right + 44}" {text}>{folds:,} folds: only its slope changes</text>',
    ]


def _colour(u: float, v: float) -> str:
    """Hue by direction, lightness by length, in the OKLCH space (B. Ottosson 2020), where equal steps look equal."""
    length = min(1.0, hypot(u, v))
    lightness = 0.93 - 0.22 * length
    chroma = 0.03 + 0.10 * length
    angle = atan2(v, u) + TURN
    a, b = chroma * cos(angle), chroma * sin(angle)
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    red = 4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short
    green = -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short
    blue = -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short
    return "#" + "".join(f"{_byte(channel):02x}" for channel in (red, green, blue))


def _byte(linear: float) -> int:
    """One sRGB channel."""
    clipped = min(1.0, max(0.0, linear))
    return round(255 * (12.92 * clipped if clipped <= 0.0031308 else 1.055 * clipped ** (1 / 2.4) - 0.055))


if __name__ == "__main__":
    sys.exit(main())

"""What is said of an answer, in lines for a terminal."""

from collections.abc import Iterator

from exactgeo.cells import METHODS
from exactgeo.counting import Answer, Request
from exactgeo.files import shown
from exactgeo.report.progress import brief
from exactgeo.request import STATES

__all__ = ["footer", "numbers", "regions_text", "signs_text"]


def numbers(answer: Answer) -> list[tuple[str, object]]:
    """The rows of the table of ``exactgeo count``."""
    rows: list[tuple[str, object]] = [
        ("cells", answer.cells),
        ("regions", regions_text(answer)),
        ("affine maps", _number_or_bounds(answer.affine_maps, answer.affine_maps_bounds)),
        ("walls", answer.walls),
    ]
    return [(name, value) for name, value in rows if value is not None]


def regions_text(answer: Answer) -> object:
    """The number of regions, the bounds that are known of it as a text, or None."""
    return _number_or_bounds(answer.regions, answer.regions_bounds)


def _number_or_bounds(number: int | None, bounds: tuple[int, int] | None) -> object:
    return number if bounds is None else f"not decided, from {bounds[0]:,} to {bounds[1]:,}"


def footer(answer: Answer, request: Request) -> Iterator[str]:
    """What was compared and written, and how long it took."""
    if answer.cross_check is not None:
        yield f"cross-check: {' and '.join(METHODS)} list the same {answer.cells:,} cells"
    if request.graph is not None:
        yield f"dual graph written to {shown(request.graph)}"
    if request.certificate is not None and answer.claim is not None:
        alone = answer.claim.regions is None and regions_text(answer) is not None
        what = "certificate of the cells alone" if alone else "certificate"
        yield f"{what} written to {shown(request.certificate)}; python -m proofs_check checks it"
    yield _seconds(answer)
    if answer.signs is not None:
        yield signs_text(answer.signs)


def _seconds(answer: Answer) -> str:
    """How long it took, and the certificate by itself."""
    proof = "" if answer.certificate_seconds is None else f"; certificate in {answer.certificate_seconds:.3f} s"
    if answer.method == STATES:
        number = f"{answer.states:,} state{'' if answer.states == 1 else 's'}"
        return f"{answer.seconds:.3f} s by {STATES}: {number} for {brief(answer.cells)} cells{proof}"
    rate = f", {answer.cells / answer.seconds:,.0f} cells/s" if answer.seconds else ""
    return f"{answer.seconds:.3f} s by {answer.way or answer.method}{rate}{proof}"


def signs_text(signs: dict[str, int]) -> str:
    """How the native core decided signs and linear programs."""
    known = (("grids", "exact floats"), ("floats", "floats"), ("exact", "integers"))
    ways = [f"{signs[key]:,} by {what}" for key, what in known if signs[key]]
    programs = ""
    if signs["programs"]:
        by = (("points", "points"), ("multipliers", "multipliers"), ("whole_multipliers", "whole multipliers"))
        told = [f"{signs[key]:,} by {what}" for key, what in (*by, ("exact_programs", "integers")) if signs[key]]
        programs = f"; linear programs: {', '.join(told)}"
    return f"signs: {', '.join(ways) or 'none'}{programs}"

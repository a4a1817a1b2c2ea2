"""python -m proofs_check FILE [--network NET] [--json] [--theorem V.7 --d D --N N --L L [--d-ff F]]

One verdict line on stdout; exit code 0 VERIFIED, 1 REJECTED (or the theorem's bound is not shown), 2 UNREADABLE or
bad options.
"""

import argparse
import json
import os
import sys
import time
from dataclasses import asdict
from typing import NoReturn

from .checker import check
from .core.certificate import Bounds
from .core.verdict import Rejected, Unreadable, show
from .extensions.theorem import Theorem

__all__ = ["main"]


KEYS = ["verdict", "cells", "regions", "affine_maps", "rule", "place", "detail", "network_sha256", "seconds", "records"]


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"proofs_check: {show(message)}\n")


def _parser() -> _Parser:
    parser = _Parser(prog="python -m proofs_check", description="Checks an exactgeo certificate.", allow_abbrev=False)
    parser.add_argument("file", metavar="FILE", help="the certificate; gzip if the name ends in .gz")
    parser.add_argument("--network", metavar="NET", help="demand that the certificate is about this network file")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the verdict line")
    parser.add_argument("--theorem", choices=["V.7"], help="demand that the network is that of the theorem")
    for name, text in (("--d", "dimension"), ("--N", "keys"), ("--L", "blocks"), ("--d-ff", "hidden units (2d)")):
        parser.add_argument(name, type=int, help=f"with --theorem: {text}")
    return parser


def _theorem(parser: _Parser, options: argparse.Namespace) -> Theorem | None:
    sizes = [options.d, options.N, options.L, options.d_ff]
    if options.theorem is None:
        if sizes != [None] * 4:
            parser.error("--d, --N, --L and --d-ff need --theorem")
        return None
    d, n, blocks, d_ff = sizes
    if d is None or n is None or blocks is None:
        parser.error("--theorem needs --d, --N and --L")
    d_ff = 2 * d if d_ff is None else d_ff
    if min(d, n, blocks) < 1 or d_ff < 2 * d:
        parser.error("--d, --N and --L must be positive, and --d-ff at least 2d")
    return Theorem(d, n, blocks, d_ff)


def _text(bounds: Bounds) -> str:
    return str(bounds[0]) if bounds[0] == bounds[1] else f"{bounds[0]}..{bounds[1]}"


def _json(bounds: Bounds) -> int | list[int]:
    return bounds[0] if bounds[0] == bounds[1] else list(bounds)


def _report(options: argparse.Namespace, theorem: Theorem | None) -> tuple[int, list[str], dict[str, object]]:
    """Exit code, lines, and the JSON object."""
    started = time.perf_counter()
    answer: dict[str, object] = dict.fromkeys(KEYS)
    try:
        result = check(options.file, options.network, theorem)
    except (Rejected, Unreadable) as failure:
        verdict, code = ("REJECTED", 1) if isinstance(failure, Rejected) else ("UNREADABLE", 2)
        answer |= {"verdict": verdict, "rule": failure.rule, "place": failure.place, "detail": failure.detail}
        answer["seconds"] = round(time.perf_counter() - started, 6)
        return code, [f"{verdict} {failure.rule} at {failure.place}: {failure.detail}"], answer
    code = 0
    maps, regions = _text(result.affine_maps), _text(result.regions)
    lines = [f"VERIFIED cells={result.cells} regions={regions} affine_maps={maps}"]
    answer |= {"verdict": "VERIFIED", **asdict(result), "seconds": round(time.perf_counter() - started, 6)}
    answer |= {"regions": _json(result.regions), "affine_maps": _json(result.affine_maps)}
    if theorem is not None:
        holds = result.regions[0] >= theorem.paper_bound
        code = 0 if holds else 1
        lines.append(
            f"Theorem V.7 d={theorem.d} N={theorem.N} L={theorem.L} d_ff={theorem.d_ff} w={theorem.w}: "
            f"cells={result.cells} regions={regions} (2wN)^(dL)={theorem.construction_count} "
            f"paper's bound (Nw)^(dL)={theorem.paper_bound}: {'holds' if holds else 'not shown'}"
        )
        answer |= {"theorem": "V.7", **asdict(theorem), "w": theorem.w}
        answer |= {"construction_count": theorem.construction_count}
        answer |= {"paper_bound": theorem.paper_bound, "holds": holds}
    return code, lines, answer


def main(arguments: list[str] | None = None) -> int:
    """Check one file; the exit code."""
    sys.set_int_max_str_digits(0)  # the reader has its own limit, and a count has as many digits as it has
    parser = _parser()
    options = parser.parse_args(arguments)
    code, lines, answer = _report(options, _theorem(parser, options))
    try:
        print(json.dumps(answer) if options.json else "\n".join(lines), flush=True)
    except OSError:  # nobody reads: the exit code still tells
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)

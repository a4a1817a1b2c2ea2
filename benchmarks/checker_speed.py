"""Two checkers beside each other: ``python -m benchmarks.checker_speed OLD NEW [FOLDER ...]``.

OLD and NEW are trees that contain a ``proofs_check``; FOLDERs have network files (those of the tests without any). For
each network a certificate is written, and both checkers read it in turn, in processes of their own, again and again.
The table tells the best processor time of each, without start-up, and the ratio new : old. Both must prove the same.

With ``--most R`` the exit code is 1 if some ratio is larger than R; ``--multipliers`` and ``--states`` write other
certificates of the same networks.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.run import WORKLOADS

__all__ = ["Compared", "compare", "main"]

ENOUGH = 0.2
"""Seconds of checking after which a process stops to repeat."""

CHECK = f"""
import sys, time
sys.path.insert(0, sys.argv[1])
from proofs_check import check
best = total = 0.0
while total < {ENOUGH}:
    started = time.process_time()
    result = check(sys.argv[2])
    seconds = time.process_time() - started
    best, total = min(best or seconds, seconds), total + seconds
print(best, repr((result.cells, result.regions, result.affine_maps, result.records)), sep=";")
"""


@dataclass(frozen=True, slots=True)
class Compared:
    """Best seconds of two checkers on one certificate."""

    name: str
    records: int
    old: float
    new: float

    @property
    def ratio(self) -> float:
        return self.new / self.old


def _checked(tree: Path, proof: Path) -> tuple[float, str]:
    """Best seconds of one process, and what was proved."""
    command = [sys.executable, "-S", "-E", "-c", CHECK, str(tree.resolve()), str(proof)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    seconds, proved = answer.split(";")
    return float(seconds), proved


def compare(name: str, proof: Path, old: Path, new: Path, times: int) -> Compared:
    """Both checkers on one certificate, in turn."""
    best = [float("inf")] * 2
    proved = set()
    for _ in range(times):
        for i, tree in enumerate((old, new)):
            seconds, found = _checked(tree, proof)
            best[i] = min(best[i], seconds)
            proved.add(found)
    if len(proved) > 1:
        raise ArithmeticError(f"{name}: the checkers prove {sorted(proved)}")
    return Compared(name, json.loads(f"[{proved.pop().rsplit(',', 1)[1].rstrip(')')}]")[0], *best)


def _written(network: Path, proof: Path, options: Sequence[str]) -> bool:
    command = [sys.executable, "-m", "exactgeo", "count", str(network), "--certificate", str(proof), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{network.name}: {done.stderr.strip()}", file=sys.stderr, flush=True)
    return not done.returncode


def main(arguments: Sequence[str] | None = None) -> int:
    """The table on stdout."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.checker_speed", description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("folders", type=Path, nargs="*", default=[WORKLOADS])
    parser.add_argument("--times", type=int, default=5, help="processes of each checker for each certificate")
    parser.add_argument("--most", type=float, help="fail if a ratio is larger")
    parser.add_argument("--max-cells", type=int, help="leave out networks with more cells")
    parser.add_argument("--multipliers", action="store_true", help="certificates with multipliers")
    parser.add_argument("--states", action="store_true", help="certificates with templates, of cells only")
    options = parser.parse_args(arguments)
    extra = ["--multipliers"] * options.multipliers + ["--count-only", "--method", "states"] * options.states
    extra += [] if options.max_cells is None else ["--max-cells", str(options.max_cells)]
    worst = 0.0
    print(f"{'network':28} {'records':>9} {'old':>9} {'new':>9} {'new : old':>10}")
    for folder in options.folders:
        for network in sorted(folder.glob("*.json")):
            if network.name.startswith("MANIFEST"):
                continue
            with tempfile.TemporaryDirectory() as place:
                proof = Path(place) / "proof.jsonl"
                if not _written(network, proof, extra):
                    continue
                found = compare(network.stem, proof, options.old, options.new, options.times)
            worst = max(worst, found.ratio)
            line = f"{found.name:28} {found.records:9} {found.old:8.3f}s {found.new:8.3f}s {found.ratio:10.3f}"
            print(line, flush=True)
    print(f"largest ratio {worst:.3f}")
    return int(options.most is not None and worst > options.most)


if __name__ == "__main__":
    sys.exit(main())

"""Programs of their own: normaliz, gfan and polymake, all exact.

- ``normaliz``: head by head, as for QuickHull: extreme rays of the cone over all sums of a vertex and a key.
- ``gfan``: the normal fan of each head's key polytope, refined by the next; cells are its cones of full dimension.
- ``polymake``: heads by Fukuda's Minkowski sum; arrangements by their chambers, in the half-space x_0 >= 0.

normaliz and gfan are measured as whole processes, of which they take some milliseconds to start; polymake takes seconds
to start, so its own clock is read around the computation.
"""

import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.peers.workers.common import Run, answer, job, missing, processor, repeated

Keys = list[list[int]]


def main() -> None:
    name = sys.argv[1]
    asked = job()
    if shutil.which(name) is None:
        missing(name)
    tool = {"normaliz": _normaliz, "gfan": _gfan, "polymake": _polymake}[name]
    with tempfile.TemporaryDirectory() as folder:
        repeated(asked, lambda: tool(asked["problem"], Path(folder)))
    answer(_version(name), resource.RUSAGE_CHILDREN)


def _version(name: str) -> str:
    """What Debian says, else the name alone."""
    query = ["dpkg-query", "--showformat", "${Version}", "--show", name]
    found = subprocess.run(query, capture_output=True, text=True, check=False) if shutil.which(query[0]) else None
    return f"{name} {found.stdout}" if found is not None and found.returncode == 0 else name


def _call(*words: str, text: str = "") -> str:
    done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{words[0]} failed: {' '.join(done.stderr.split())[:80]}")
    return done.stdout


def _measured(work: Callable[[], int]) -> Run:
    start = processor(resource.RUSAGE_CHILDREN)
    cells = work()
    return {"cells": cells, "seconds": processor(resource.RUSAGE_CHILDREN) - start}


def _normaliz(problem: dict[str, Any], folder: Path) -> Run:
    def extreme(points: Keys) -> Keys:
        rows = "".join(f"{' '.join(map(str, point))} 1\n" for point in points)
        (folder / "sum.in").write_text(f"amb_space {len(points[0]) + 1}\ncone {len(points)}\n{rows}ExtremeRays\n")
        _call("normaliz", "-x=1", str(folder / "sum.in"))
        lines = iter((folder / "sum.out").read_text().splitlines())
        at = next(line for line in lines if line.endswith("extreme rays:") and line[0].isdigit())
        return [[int(x) for x in next(lines).split()[:-1]] for _ in range(int(at.split()[0]))]

    def work() -> int:
        first, *others = problem["keys"]
        vertices: Keys = extreme(first)
        for keys in others:
            sums = {tuple(a + b for a, b in zip(v, key, strict=True)) for v in vertices for key in keys}
            vertices = extreme([list(point) for point in sorted(sums)])
        return len(vertices)

    return _measured(work)


def _gfan(problem: dict[str, Any], folder: Path) -> Run:
    names = [f"x{k}" for k in range(problem["dimension"])]
    least = min(x for keys in problem["keys"] for key in keys for x in key)

    def fan(keys: Keys) -> str:
        terms = ("*".join(f"{name}^{x - least}" for name, x in zip(names, key, strict=True)) for key in keys)
        return _call("gfan", "_minkowskisum", text=f"Q[{','.join(names)}]\n{{{'+'.join(terms)}}}\n")

    def work() -> int:
        first, *others = problem["keys"]
        found = fan(first)
        one, two = folder / "one", folder / "two"
        for keys in others:
            one.write_text(found)
            two.write_text(fan(keys))
            found = _call("gfan", "_fancommonrefinement", "-i1", str(one), "-i2", str(two))
        lines = found.splitlines()
        return int(lines[lines.index("F_VECTOR") + 1].split()[-1])

    return _measured(work)


CLOCK = "my ($u, $s, $cu, $cs) = times; my $start = $u + $s + $cu + $cs;"
STOP = '($u, $s, $cu, $cs) = times; print "ANSWER $cells ", $u + $s + $cu + $cs - $start, "\\n";'

SUM = """use application "polytope";
my @summands = map {{ new Polytope<Rational>(POINTS => $_) }} ({points});
{clock}
my $cells = minkowski_sum_fukuda(@summands)->N_VERTICES;
{stop}
"""
CHAMBERS = """use application "fan";
my $half = new polytope::Cone<Rational>(INEQUALITIES => [{half}]);
my $planes = new HyperplaneArrangement<Rational>(HYPERPLANES => [{planes}], SUPPORT => $half);
{clock}
my $cells = $planes->CHAMBER_DECOMPOSITION->N_MAXIMAL_CONES;
{stop}
"""


def _polymake(problem: dict[str, Any], folder: Path) -> Run:
    if problem["kind"] == "heads":
        points = ",".join(str([[1, *key] for key in keys]) for keys in problem["keys"])
        text = SUM.format(points=points, clock=CLOCK, stop=STOP)
    else:
        weight, bias = problem["layers"][0]
        planes = ",".join(str([int(b), *(int(x) for x in a)]) for a, b in zip(weight, bias, strict=True))
        half = str([1, *[0] * problem["dimension"]])
        text = CHAMBERS.format(half=half, planes=planes, clock=CLOCK, stop=STOP)
    script = folder / "script.pl"
    script.write_text(text)
    line = next(line for line in _call("polymake", "--script", str(script)).splitlines() if line.startswith("ANSWER"))
    _, cells, seconds = line.split()
    return {"cells": int(cells), "seconds": float(seconds)}


if __name__ == "__main__":
    main()

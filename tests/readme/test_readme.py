"""The README cannot rot: every example in it is executed, every table in it that the engine can fill is filled again.

Blocks of ``python`` are one doctest session. Lines ``$ command`` in blocks of ``console`` are run, and what they print
must be what the page shows, but for seconds, rates and the kernel's count of signs. A block below
``<!-- file: NAME -->`` is the file that commands read.
"""

import doctest
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmarks import picture, run
from exactgeo import dual_graph, enumerate_cells, linear_regions, load_network
from exactgeo.theory.lower_bound import construction, lower_bound

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language, its text, and the file name in the comment above it."""

    language: str
    text: str
    file: str | None


def _blocks(language: str) -> list[Block]:
    found = re.finditer(r"(?:<!-- file: (\S+) -->\n)?^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    blocks = [Block(kind, text, name) for name, kind, text in (match.groups() for match in found)]
    return [block for block in blocks if block.language == language]


def _commands() -> Iterator[tuple[str, str]]:
    """Each ``$ command`` of the page, and what is printed below it."""
    for block in _blocks("console"):
        for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            yield command, printed


COMMANDS = list(_commands())


def _without_times(text: str) -> str:
    timeless = re.sub(r"\d+\.\d+ s by (\w+)(, [\d,]+ cells/s)?(; certificate in \d+\.\d+ s)?", r"... s by \1", text)
    return re.sub(r"^signs: .*$", "signs: ...", timeless, flags=re.MULTILINE)


def test_python_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session = "\n".join(block.text for block in _blocks("python"))
    test = doctest.DocTestParser().get_doctest(session, {}, "README.md", "README.md", 0)
    complaints: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=complaints.append)
    assert result.attempted > 10
    assert not result.failed, "".join(complaints)


@pytest.mark.parametrize(("command", "printed"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_console_blocks(command: str, printed: str, tmp_path: Path) -> None:
    for block in _blocks("json"):
        if block.file is not None:
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    if "hat.proof --network" in command:
        _run(["exactgeo", "count", "hat.json", "--certificate", "hat.proof"], tmp_path)
    assert _without_times(_run(shlex.split(command), tmp_path)) == _without_times(printed)


def _run(command: list[str], folder: Path) -> str:
    program, *arguments = command
    assert program in ("exactgeo", ".venv/bin/exactgeo", "python")
    ran = subprocess.run(
        [Path(sys.executable).with_name(Path(program).name), *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return ran.stdout


def test_the_page_shows_what_make_demo_runs() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    demo = re.findall(r"^\t@?\$\(BIN\)/(exactgeo .*)$", makefile, re.MULTILINE)
    assert demo
    assert set(demo) <= {command for command, _ in COMMANDS}


THEOREM = [tuple(map(int, row)) for row in re.findall(r"^\|" + r" (\d+) \|" * 8 + "$", README, re.MULTILINE)]


@pytest.mark.parametrize("row", THEOREM)
def test_theorem_table(row: tuple[int, ...]) -> None:
    d, heads_keys, blocks, d_ff, *numbers = row
    bound = lower_bound(d, heads_keys, blocks, d_ff)
    found = linear_regions(enumerate_cells(construction(bound)))
    assert numbers == [len(found.cells), len(found), bound.construction_count, bound.paper_bound]


def test_the_theorem_table_is_there() -> None:
    assert len(THEOREM) >= 5


def test_the_picture_is_what_the_engine_draws() -> None:
    """Colours aside: they go through the platform's cosine."""
    graph = dual_graph(enumerate_cells(load_network(ROOT / picture.NETWORK), "split"))
    drawn = picture.picture(graph, linear_regions(graph))
    stored = (ROOT / picture.FIGURE).read_text(encoding="utf-8")
    assert _shapes(drawn) == _shapes(stored)


def _shapes(svg: str) -> list[str]:
    return sorted(re.sub(r"#[0-9a-f]{6}", "#", svg).splitlines())


def test_the_summary_of_the_benchmark_is_the_measured_one() -> None:
    start, end = run.SUMMARY
    summary = README.split(start)[1].split(end)[0]
    assert summary.count("\n") > 3
    assert summary in (ROOT / run.RESULTS).read_text(encoding="utf-8")


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {re.split(r"[<>=]", dependency)[0] for dependency in project["dependencies"]}
    section = README.split("## Installing with pip")[1].split("\n## ")[0]
    assert set(re.findall(r"^\| `([\w-]+)` \|", section, re.MULTILINE)) == names


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)|src=\"([^\"]+)\"", README)
    targets = [one or two for one, two in links]
    assert targets
    assert [target for target in targets if "://" not in target and not (ROOT / target).exists()] == []

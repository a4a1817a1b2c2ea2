"""Files appear whole or not at all."""

import gzip
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from exactgeo.errors import BadInput
from exactgeo.files import check_writable, left_behind, shown, written_whole


def test_a_file_appears_when_the_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    with written_whole(path) as file:
        file.write(b"one\n")
        assert not path.exists()
    assert path.read_bytes() == b"one\n"
    assert os.listdir(tmp_path) == ["out.txt"]


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt])
def test_a_block_that_fails_leaves_what_was_there(failure: type[BaseException], tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("old")

    def fail() -> None:
        with written_whole(path) as file:
            file.write(b"new")
            raise failure

    with pytest.raises(failure):
        fail()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.txt"]


def test_somebody_elses_part_is_not_touched(tmp_path: Path) -> None:
    """A file FILE.part beside FILE was once overwritten and removed."""
    (tmp_path / "out.txt.part").write_text("mine")
    with written_whole(tmp_path / "out.txt") as file:
        file.write(b"new")
    assert (tmp_path / "out.txt.part").read_text() == "mine"


WRITER = """
import os, signal, sys
from pathlib import Path
from exactgeo.files import written_whole

with written_whole(Path(sys.argv[1]), packed=sys.argv[1].endswith(".gz")) as file:
    file.write(b"half of it")
    file.flush()
    print("there", flush=True)
    sys.stdin.read()
"""


def _writer(path: Path) -> "subprocess.Popen[str]":
    """A process in the middle of writing a file; it ends well when its standard input is closed."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "there\n"
    return process


def _write(path: Path, content: bytes) -> None:
    with written_whole(path, packed=path.suffix == ".gz") as file:
        file.write(content)


@pytest.mark.parametrize("name", ["out.txt", "out.gz"])
def test_what_a_kill_leaves_behind_is_replaced(name: str, tmp_path: Path) -> None:
    path, part = tmp_path / name, tmp_path / f"{name}.part"
    with _writer(path) as process:
        assert left_behind(path) == []  # its owner lives
        process.kill()
    assert part.read_bytes() == b"half of it"
    assert left_behind(path) == [part]
    _write(path, b"whole")
    assert (gzip.decompress(path.read_bytes()) if name.endswith(".gz") else path.read_bytes()) == b"whole"
    assert os.listdir(tmp_path) == [name]
    assert left_behind(path) == []


def test_two_writers_do_not_disturb_each_other(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    with _writer(path) as process:
        _write(path, b"first to end")
        assert path.read_bytes() == b"first to end"
        assert sorted(os.listdir(tmp_path)) == ["out.txt", "out.txt.part"]
        process.communicate()
    assert path.read_bytes() == b"half of it"
    assert os.listdir(tmp_path) == ["out.txt"]


def test_all_that_was_left_behind_is_found(tmp_path: Path) -> None:
    path = tmp_path / "out.gz"
    with _writer(path) as one, _writer(path) as two:
        one.kill()
        two.kill()
    (tmp_path / "out.gz.3.part").write_text("mine")
    assert left_behind(path) == [tmp_path / "out.gz.part", tmp_path / "out.gz.2.part"]
    _write(path, b"whole")  # which takes two work files: one is plain, one packed
    assert sorted(os.listdir(tmp_path)) == ["out.gz", "out.gz.3.part"]


def test_what_is_not_marked_is_somebodys(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    (tmp_path / "out.txt.part").mkdir()
    (tmp_path / "out.txt.2.part").symlink_to("elsewhere")
    os.mkfifo(tmp_path / "out.txt.3.part")
    (tmp_path / "out.txt.4.part").write_text("mine")
    assert left_behind(path) == []
    before = sorted(os.listdir(tmp_path))
    _write(path, b"new")
    assert sorted(os.listdir(tmp_path)) == ["out.txt", *before]
    assert (tmp_path / "out.txt.4.part").read_text() == "mine"


def test_a_place_with_too_many_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactgeo.files.MOST_PARTS", 2)
    for name in ("out.txt.part", "out.txt.2.part"):
        (tmp_path / name).write_text("mine")
    with pytest.raises(BadInput, match="there are 2 files named"):
        _write(tmp_path / "out.txt", b"new")


def test_a_complete_file_is_not_marked(tmp_path: Path) -> None:
    """Named like a work file of another one, it is nobody's to replace."""
    _write(tmp_path / "out.txt.part", b"mine")
    (tmp_path / "plain").write_text("")
    modes = [os.stat(tmp_path / name).st_mode for name in ("out.txt.part", "plain")]
    assert modes[0] == modes[1]
    assert not modes[0] & stat.S_ISVTX
    _write(tmp_path / "out.txt", b"new")
    assert (tmp_path / "out.txt.part").read_bytes() == b"mine"


def test_threads_that_write_one_file(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    contents = [bytes([65 + k]) * 100_000 for k in range(8)]
    threads = [threading.Thread(target=_write, args=(path, content)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_bytes() in contents
    assert os.listdir(tmp_path) == ["out.txt"]


def test_a_file_system_without_locks_and_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be told to be left behind stays."""

    def refuse(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr("exactgeo.files.fcntl.flock", refuse)
    monkeypatch.setattr(os, "fchmod", refuse)
    _write(tmp_path / "out.txt", b"new")
    assert os.listdir(tmp_path) == ["out.txt"]
    part = tmp_path / "out.txt.part"
    part.write_text("?")
    part.chmod(part.stat().st_mode | stat.S_ISVTX)
    assert left_behind(tmp_path / "out.txt") == []
    _write(tmp_path / "out.txt", b"newer")
    assert part.exists()


def test_a_link_is_followed(tmp_path: Path) -> None:
    """The link itself was once replaced by a file."""
    (tmp_path / "target.txt").write_text("old")
    link = tmp_path / "link.txt"
    link.symlink_to("target.txt")
    with written_whole(link) as file:
        file.write(b"new")
    assert link.is_symlink()
    assert (tmp_path / "target.txt").read_text() == "new"


def test_a_pipe_is_written_and_not_replaced(tmp_path: Path) -> None:
    """--out /dev/null as root once replaced the device by a file, for the whole machine."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with written_whole(pipe) as file:
        file.write(b"through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    assert pipe.is_fifo()


def test_a_pipe_without_a_reader_is_an_error(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)

    def write() -> None:
        with written_whole(pipe) as file:
            os.close(reader)
            file.write(b"lost")

    with pytest.raises(BadInput, match="pipe: Broken pipe"):
        write()


def test_places_that_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="it is a folder"):
        check_writable(tmp_path)
    with pytest.raises(BadInput, match="there is no folder"):
        check_writable(tmp_path / "missing" / "out.txt")
    with pytest.raises(BadInput, match="File name too long"):
        check_writable(tmp_path / ("n" * 300))
    with pytest.raises(BadInput, match="null"):
        check_writable(tmp_path / "a\0b")
    (tmp_path / "net.json").write_text("{}")
    (tmp_path / "same.json").hardlink_to(tmp_path / "net.json")
    with pytest.raises(BadInput, match="it is the network file"):
        check_writable(tmp_path / "same.json", other_than=tmp_path / "net.json")
    check_writable(tmp_path / "new.json", other_than=tmp_path / "net.json")
    check_writable(tmp_path / "net.json", other_than=tmp_path / "missing.json")


def test_paths_in_messages() -> None:
    assert shown("net.json") == "net.json"
    assert shown("a\nb\x1b[31m") == r"'a\nb\x1b[31m'"
    assert shown("a\udcff") == r"'a\udcff'"
    assert len(shown("n" * 5000)) == 120


def test_what_output_goes_to_is_not_replaced(tmp_path: Path) -> None:
    """``exactgeo ... --out /dev/stdout >> log`` once replaced the log."""
    log = tmp_path / "log"
    log.write_text("before\n")
    code = """
import sys
from pathlib import Path
from exactgeo.errors import BadInput
from exactgeo.files import check_writable

for path in map(Path, sys.argv[1:]):
    try:
        check_writable(path)
    except BadInput as error:
        print(error)
"""
    places = ["/dev/stdout", str(log), "/dev/null"]
    with open(log, "ab") as file:
        subprocess.run([sys.executable, "-c", code, *places], stdout=file, check=True)
    assert log.read_text().splitlines() == [
        "before",
        "cannot write /dev/stdout: it is the file that output goes to",
        f"cannot write {shown(log)}: it is the file that output goes to",
    ]

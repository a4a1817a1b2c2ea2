"""Files appear whole or not at all."""

import os
from pathlib import Path

import pytest

from exactgeo.errors import BadInput
from exactgeo.files import check_writable, shown, written_whole


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

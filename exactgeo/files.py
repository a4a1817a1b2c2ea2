"""Output files: written whole or not at all.

A file is written beside its place under a name of its own and renamed when it is complete; when the work fails or is
interrupted, nothing is left and what was there before is untouched. A link is followed, so that the file it names is
replaced and not the link. What is no regular file (a pipe, /dev/null) cannot be renamed over: it is written as it
comes. Whether the place can be written is found out before the work begins.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from exactgeo.errors import BadInput

__all__ = ["check_writable", "shown", "written_whole"]


def shown(path: str | os.PathLike[str]) -> str:
    """A path for a message: on one line, without control characters, cut in the middle where it is long."""
    text = os.fspath(path)
    short = text if len(text) <= 120 else f"{text[:40]}...{text[-77:]}"
    return short if short.isprintable() else ascii(short)


def check_writable(path: Path, other_than: str | os.PathLike[str] | None = None) -> None:
    """Refuse a place that cannot take a file, and the file ``other_than``, which is being read."""
    folder = path.parent
    if "\0" in str(path):
        raise BadInput(f"cannot write {shown(path)}: a name cannot have a null character")
    try:
        if path.is_dir():
            raise BadInput(f"cannot write {shown(path)}: it is a folder")
        if not folder.is_dir():
            raise BadInput(f"cannot write {shown(path)}: there is no folder {shown(folder)}")
        if other_than is not None and path.exists() and os.path.exists(other_than) and path.samefile(other_than):
            raise BadInput(f"cannot write {shown(path)}: it is the network file")
        special = path.exists() and not path.is_file()  # written in place; any other file appears beside its place
        if not os.access(path if special else path.resolve().parent, os.W_OK):
            raise BadInput(f"cannot write {shown(path)}: permission denied")
    except OSError as error:
        raise BadInput(f"cannot write {shown(path)}: {error.strerror}") from None


@contextmanager
def written_whole(path: Path, work: Path | None = None, packed: bool = False) -> Iterator[BinaryIO]:
    """A file that appears under its name only when the block ends well.

    The work in progress has the name ``work``, or one of its own. With ``packed`` it is compressed when it is complete,
    without name and time, so that the same content is the same file.
    """
    check_writable(path)
    try:
        if path.exists() and not path.is_file():
            with open(path, "wb") as file:
                if not packed:
                    yield file
                    return
                with _packed(file) as inner:
                    yield inner
            return
        place = path.resolve()
        part = place.with_name(f"{place.name}.{os.getpid()}.part")
        # "x": a file that is already there under this name is somebody's and stays.
        with open(part, "xb") if work is None else open(work, "wb") as file:
            try:
                yield file
                file.close()
                if packed:
                    _pack(Path(file.name), part)
                os.replace(part if packed else file.name, place)
            finally:
                Path(file.name).unlink(missing_ok=True)
                part.unlink(missing_ok=True)
    except OSError as error:
        raise BadInput(f"cannot write {shown(path)}: {error.strerror}") from None


def _pack(source: Path, target: Path) -> None:
    with open(source, "rb") as plain, open(target, "wb") as raw, _packed(raw) as file:
        while block := plain.read(1 << 20):
            file.write(block)


def _packed(raw: BinaryIO) -> BinaryIO:
    """What is written to it goes to ``raw`` compressed, without name and time."""
    import gzip

    return cast(BinaryIO, gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0))

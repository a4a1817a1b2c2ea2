"""Output files: written whole or not at all.

A file is written beside its place, as ``FILE.part``, and renamed when it is complete; when the work fails or is
interrupted, nothing is left and what was there before is untouched. A link is followed, so that the file it names is
replaced and not the link. What is no regular file (a pipe, /dev/null) cannot be renamed over: it is written as it
comes. Whether the place can be written is found out before the work begins.

Only a kill leaves a work file behind, and the next run replaces it. It has to be ours for that: a ``FILE.part`` may
also be somebody's, even the network that is being read. So a work file is *locked* (``flock``) as long as its owner
lives, whoever that is and whatever its number is given to later; and it is *marked*, by the sticky bit, which means
nothing on a regular file and which nobody sets. It is marked while it is locked only, hence: marked and not locked is
left behind. Whatever else stands there stays, and the work goes to ``FILE.2.part``, and so on. Where a file system
knows neither locks nor the bit, nothing is ever taken for left behind.
"""

import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast

from exactgeo.errors import BadInput, brief_repr

__all__ = ["check_writable", "left_behind", "new_path", "path_of", "shown", "written_whole"]

MOST_PARTS = 100
"""Work files beside one place."""


def path_of(name: str, value: object) -> Path:
    """What stands for a path as one; ``name`` is that of the argument. A number is none, though ``open`` takes it."""
    if isinstance(value, (str, os.PathLike)):
        place = os.fspath(value)
        if isinstance(place, str) and place:
            return Path(place)
    raise BadInput(f"{name}: expected a path, got {brief_repr(value)}")


def new_path(name: str, value: object) -> Path:
    """A path to write to: - is no file here, as standard output has the answer; ./- is."""
    if value == "-":
        raise BadInput(f"{name} -: expected the name of a file, as standard output has the answer; ./- is one")
    return path_of(name, value)


def shown(path: str | os.PathLike[str]) -> str:
    """A path for a message: on one line, without control characters, cut in the middle where it is long."""
    text = os.fspath(path)
    short = text if len(text) <= 120 else f"{text[:40]}...{text[-77:]}"
    return short if short.isprintable() else ascii(short)


def check_writable(path: Path, other_than: str | os.PathLike[str] | None = None) -> None:
    """Refuse a place that cannot take a file, the file ``other_than``, which is being read, and that of the output."""
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
        if _is_output(path):
            raise BadInput(f"cannot write {shown(path)}: it is the file that output goes to")
        special = path.exists() and not path.is_file()  # written in place; any other file appears beside its place
        if not os.access(path if special else path.resolve().parent, os.W_OK):
            raise BadInput(f"cannot write {shown(path)}: permission denied")
    except OSError as error:
        raise BadInput(f"cannot write {shown(path)}: {error.strerror}") from None


def _is_output(path: Path) -> bool:
    """Whether a regular file is what standard output or error go to, by which name ever: it must not be replaced."""
    if not path.is_file():
        return False
    found = os.stat(path)
    for number in (1, 2):
        with suppress(OSError):  # closed
            if os.path.samestat(found, os.fstat(number)):
                return True
    return False


@contextmanager
def written_whole(path: Path, packed: bool = False) -> Iterator[BinaryIO]:
    """A file that appears under its name only when the block ends well.

    With ``packed`` it is compressed when it is complete, without name and time, so that the same content is the same
    file; the work in progress is plain.
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
        with _work_file(place) as plain:
            yield plain.file
            plain.file.flush()
            if not packed:
                plain.move(place)
                return
            with _work_file(place) as small:
                _pack(plain.path, small.file)
                small.file.flush()
                small.move(place)
    except OSError as error:
        raise BadInput(f"cannot write {shown(path)}: {error.strerror}") from None


def left_behind(path: Path) -> list[Path]:
    """What runs that were killed have left of their work on this file; it is replaced when the file is written."""
    found = []
    for part in _parts(path.resolve()):
        if not os.path.lexists(part):
            break
        with _abandoned(part) as abandoned:
            if abandoned:
                found.append(part)
    return found


class _Work:
    """A work file: locked and marked until it is moved to its place or given up."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        self.file = file
        self._mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
        self._marked = False

    def mark(self) -> None:
        with suppress(OSError):  # a file system without the bit
            os.fchmod(self.file.fileno(), self._mode | stat.S_ISVTX)
            self._marked = True

    def move(self, place: Path) -> None:
        """Put it in its place; it is locked until it is there, so nobody takes it for left behind."""
        if self._marked:
            os.fchmod(self.file.fileno(), self._mode)
        os.replace(self.path, place)


@contextmanager
def _work_file(place: Path) -> Iterator[_Work]:
    """A new work file beside a place, removed in the end where it has not been moved."""
    with ExitStack() as stack:
        for part in _parts(place):
            with _abandoned(part) as abandoned:
                if abandoned:
                    part.unlink()
            try:
                file = stack.enter_context(open(part, "xb"))  # "x": a file that is already there stays
            except FileExistsError:
                continue
            stack.callback(_remove, part, os.fstat(file.fileno()).st_ino)
            work = _Work(part, file)
            if _locked(file.fileno()):
                work.mark()
            yield work
            return
    raise OSError(errno.EEXIST, f"there are {MOST_PARTS} files named {place.name}.*.part")


def _remove(part: Path, number: int) -> None:
    """Remove a work file of ours, if it is still there."""
    with suppress(FileNotFoundError):
        if os.lstat(part).st_ino == number:
            part.unlink()


@contextmanager
def _abandoned(part: Path) -> Iterator[bool]:
    """Whether a file is marked and nobody's lock is on it; within the block it is ours then."""
    try:
        number = os.open(part, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        yield False
        return
    try:
        # Marked before and after it was locked: its owner may just have come to an end.
        yield _is_marked(number) and _locked(number) and _is_marked(number) and _is_at(part, number)
    finally:
        os.close(number)


def _locked(number: int) -> bool:
    """Lock an open file, if nobody else has."""
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _is_marked(number: int) -> bool:
    mode = os.fstat(number).st_mode
    return stat.S_ISREG(mode) and bool(mode & stat.S_ISVTX)


def _is_at(part: Path, number: int) -> bool:
    """Whether the open file is the one with this name."""
    return os.path.lexists(part) and os.path.samestat(os.lstat(part), os.fstat(number))


def _parts(place: Path) -> Iterator[Path]:
    """The names of work files beside a place, in the order in which they are taken."""
    yield place.with_name(f"{place.name}.part")
    for number in range(2, MOST_PARTS + 1):
        yield place.with_name(f"{place.name}.{number}.part")


def _pack(source: Path, target: BinaryIO) -> None:
    with open(source, "rb") as plain, _packed(target) as file:
        while block := plain.read(1 << 20):
            file.write(block)


def _packed(raw: BinaryIO) -> BinaryIO:
    """What is written to it goes to ``raw`` compressed, without name and time."""
    import gzip

    return cast(BinaryIO, gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=raw, mtime=0))

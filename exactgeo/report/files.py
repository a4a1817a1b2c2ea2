"""Output files: written whole or not at all.

A file is written beside its place as FILE.part and renamed when it is complete; when the work fails or is interrupted,
nothing is left. Whether the place can be written is found out before the work begins.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from exactgeo.errors import BadInput

__all__ = ["check_writable", "written_whole"]


def check_writable(path: Path) -> None:
    """Refuse a place that cannot take a file."""
    folder = path.parent
    if path.is_dir():
        raise BadInput(f"cannot write {path}: it is a folder")
    if not folder.is_dir():
        raise BadInput(f"cannot write {path}: there is no folder {folder}")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise BadInput(f"cannot write {path}: permission denied")


@contextmanager
def written_whole(path: Path) -> Iterator[TextIO]:
    """A text file that appears under its name only when the block ends well."""
    check_writable(path)
    part = path.with_name(path.name + ".part")
    try:
        with open(part, "w", encoding="utf-8", newline="\n") as file:
            yield file
        os.replace(part, path)
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)

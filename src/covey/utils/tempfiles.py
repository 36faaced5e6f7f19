"""Temporary files without a name: whatever kills the process, nothing of them is left."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import FileIO


def nameless_file(folder: Path | None = None) -> FileIO:
    """An open temporary file that never has a name or, where there are none, one in a private folder that is removed at once.

    Where files cannot be unlinked while they are open, the file is deleted when it is closed.
    """
    handle = nameless_handle(folder or Path(tempfile.gettempdir()))
    if handle is not None:
        return os.fdopen(handle, "w+b", buffering=0)
    with tempfile.TemporaryDirectory(prefix=".covey-", dir=folder, ignore_cleanup_errors=True) as private:
        return tempfile.TemporaryFile(dir=private, buffering=0)


def nameless_handle(folder: Path) -> int | None:
    """A handle of a file without a name that may get one later (`give_name`); None where the system has no such files."""
    flag = getattr(os, "O_TMPFILE", None)
    if flag is None:
        return None
    try:
        handle = os.open(folder, flag | os.O_RDWR | getattr(os, "O_CLOEXEC", 0), 0o600)
    except OSError:
        return None
    if not os.path.exists(path_of(handle)):  # noqa: PTH110, which would be reached by that path
        os.close(handle)
        return None
    return handle


def path_of(handle: int) -> str:
    """A path by which this process reaches an open file that has no name."""
    return f"/proc/self/fd/{handle}"


@contextlib.contextmanager
def temporary_path(folder: Path | None = None) -> Iterator[Path]:
    """The path of an empty file that has no name, where there are such files, or is hidden; it is gone afterwards, whatever happens."""
    handle = nameless_handle(folder or Path(tempfile.gettempdir()))
    if handle is not None:
        try:
            yield Path(path_of(handle))
        finally:
            os.close(handle)
        return
    handle, name = tempfile.mkstemp(prefix=".covey-", dir=folder)
    os.close(handle)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def give_name(handle: int, path: Path) -> None:
    """Put a file without a name in its place; an error if there is one already."""
    os.link(path_of(handle), path, src_dir_fd=handle, follow_symlinks=True)

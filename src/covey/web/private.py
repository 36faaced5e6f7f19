"""A private folder for as long as the page runs: what was uploaded and what is to be downloaded lies there, and nowhere else.

A page that is killed cannot remove its folder. Each holds a lock in it for as long as it lives, so that the next page of the same user
knows which folders nobody needs any more, and removes those.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from covey.utils.machine import available

if TYPE_CHECKING:
    from collections.abc import Iterator

PREFIX, LOCK = "covey-web-", "lock"


@contextlib.contextmanager
def private_folder() -> Iterator[Path]:
    """A folder that its owner alone can enter, removed at the end; temporary files of this process and its children go there.

    >>> with private_folder() as folder:
    ...     oct(folder.stat().st_mode & 0o777), tempfile.gettempdir() == str(folder)
    ('0o700', True)
    >>> folder.exists()
    False
    """
    sweep(Path(tempfile.gettempdir()))
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    lock = os.open(folder / "new", os.O_RDWR | os.O_CREAT, 0o600)
    _hold(lock)
    (folder / "new").rename(folder / LOCK)  # never there without being held
    before, variable = tempfile.tempdir, os.environ.get("TMPDIR")
    tempfile.tempdir = os.environ["TMPDIR"] = str(folder)
    try:
        yield folder
    finally:
        tempfile.tempdir = before
        if variable is None:
            os.environ.pop("TMPDIR", None)
        else:
            os.environ["TMPDIR"] = variable
        os.close(lock)
        shutil.rmtree(folder, ignore_errors=True)


def sweep(place: Path) -> None:
    """Remove the folders of pages that were killed: ours, with a lock that nobody holds."""
    if not hasattr(os, "getuid"):
        return
    for folder in place.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # another user's, or gone already
            if folder.stat().st_uid != os.getuid():
                continue
            lock = os.open(folder / LOCK, os.O_RDWR | os.O_NOFOLLOW)
            try:
                if _hold(lock):
                    shutil.rmtree(folder, ignore_errors=True)  # which follows no link
            finally:
                os.close(lock)


def _hold(lock: int) -> bool:
    """Lock a file until it is closed; False where another process has it, or where there are no such locks."""
    try:
        import fcntl

        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):
        return False
    return True


def write_private(path: Path, text: str) -> None:
    """Write a text that its owner alone can read, from the first byte on."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)


def memory_budget() -> int:
    """The largest file that is taken, in bytes: an eighth of the memory that is free, for a table takes several times its file."""
    return max(2**24, available() // 8)

"""Files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from covey.errors import CoveyError, OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator


class StagedFile:
    """A temporary file beside its place, moved there by `commit`. With the path `-`: copied to standard output."""

    def __init__(self, path: Path, *, force: bool) -> None:
        self.path, self.force = path, force
        self.stream = str(path) == "-"
        if not self.stream and path.is_dir():
            msg = f"{path.name!r} is a folder; needed: the name of a file"
            raise OutputError(msg)
        if not self.stream and not force and os.path.lexists(path):
            msg = f"the file {path.name!r} exists already; choose another name, or allow it to be replaced (--force)"
            raise OutputError(msg)
        folder = None if self.stream else path.parent
        with writing(path):
            handle, name = tempfile.mkstemp(prefix=".covey-", suffix=path.suffix, dir=folder)
            os.close(handle)
        self.temporary = Path(name)

    def commit(self) -> None:
        """Put the file in its place."""
        with writing(self.path):
            if self.stream:
                with self.temporary.open("rb") as file:
                    shutil.copyfileobj(file, sys.stdout.buffer)
                sys.stdout.buffer.flush()
                self.temporary.unlink()
                return
            umask = os.umask(0)
            os.umask(umask)
            self.temporary.chmod(0o666 & ~umask)
            with self.temporary.open("rb") as file:
                os.fsync(file.fileno())
            if self.force:
                self.temporary.replace(self.path)
            else:  # never over a file that appeared meanwhile
                self._link()

    def _link(self) -> None:
        try:
            os.link(self.temporary, self.path)
        except FileExistsError:
            msg = f"the file {self.path.name!r} appeared meanwhile; choose another name, or allow it to be replaced (--force)"
            raise OutputError(msg) from None
        except OSError:  # no hard links here
            self.temporary.replace(self.path)
        else:
            self.temporary.unlink()

    def discard(self) -> None:
        """Leave nothing behind."""
        self.temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """What the operating system refuses, said in one line."""
    try:
        yield
    except (CoveyError, KeyboardInterrupt):
        raise
    except OSError as error:
        known = {
            errno.ENOSPC: "the disk is full; make room",
            errno.EDQUOT: "the quota is used up; make room",
            errno.EACCES: "writing there is not permitted; choose another folder",
            errno.EPERM: "writing there is not permitted; choose another folder",
            errno.EROFS: "that file system is read-only; choose another folder",
            errno.ENOENT: "the folder does not exist; create it first",
            errno.ENOTDIR: "the folder does not exist; create it first",
            errno.EPIPE: "the reader of the output has gone",
        }
        reason = known.get(error.errno or 0, "no space left" if "space" in str(error) else type(error).__name__)
        msg = f"{path.name!r} cannot be written: {reason}"
        raise OutputError(msg) from None

"""Files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.errors import CoveyError, OutputError
from covey.utils.arrow import pa
from covey.utils.tempfiles import give_name, nameless_handle, path_of

if TYPE_CHECKING:
    from collections.abc import Iterator


class StagedFile:
    """A temporary file of its owner alone, put in its place by `commit` and taken back by `undo`. The path `-` is standard output.

    It has no name until then, where the system has such files: a process that is killed leaves nothing. Elsewhere it lies hidden
    beside its place. The finished file has the mode that the umask says, or 0600 where it is `private`.
    """

    def __init__(self, path: Path, *, force: bool, private: bool = False) -> None:
        self.stream = str(path) == "-"
        self.path = path if self.stream else path.resolve()  # through a link, to what it names
        self.force, self.private = force, private
        self.old: Path | None = None
        self.done = False
        if not self.stream:
            self._check()
        with writing(path):
            self.handle = nameless_handle(Path(tempfile.gettempdir()) if self.stream else self.path.parent)
            self.temporary = self._new() if self.handle is None else Path(path_of(self.handle))

    def _check(self) -> None:
        if self.path.is_dir():
            raise OutputError(
                f"{self.path.name!r} is a folder; needed: the name of a file, or one that ends with / for a folder"
            )
        if self.path.exists() and not self.path.is_file():
            raise OutputError(f"{self.path.name!r} is no ordinary file; needed: the name of one")
        if self.path.exists() and not self.force:
            raise OutputError(
                f"the file {self.path.name!r} exists already; choose another name, or allow it to be replaced (--force)"
            )

    def _new(self) -> Path:
        folder = None if self.stream else self.path.parent
        handle, name = tempfile.mkstemp(prefix=".covey-", suffix=self.path.suffix, dir=folder)
        os.close(handle)
        return Path(name)

    def commit(self) -> None:
        """Put the file in its place."""
        with writing(self.path):
            if self.stream:
                with self.temporary.open("rb") as file:
                    shutil.copyfileobj(file, sys.stdout.buffer)
                sys.stdout.buffer.flush()
                return
            with self.temporary.open("r+b") as file:  # Windows flushes what is open for writing only
                os.fsync(file.fileno())
            umask = os.umask(0)
            os.umask(umask)
            self.temporary.chmod(0o600 if self.private else 0o666 & ~umask)
            if self.force and self.path.exists():
                self._replace()
            else:
                self._link(self.path)
        self.done = True

    def _replace(self) -> None:
        """In one step: at any time one of the two stands there, the old one or the new."""
        self.old = self._new()
        self.old.unlink()
        try:
            os.link(self.path, self.old)
        except OSError:  # no hard links here
            shutil.copy2(self.path, self.old)
        whole = self.old.with_name(f"{self.old.name}-new")
        try:
            self._link(whole)
            whole.replace(self.path)
        finally:
            whole.unlink(missing_ok=True)

    def _link(self, place: Path) -> None:
        """Give it a name, but never that of a file which appeared meanwhile."""
        try:
            if self.handle is not None:
                give_name(self.handle, place)
                return
            os.link(self.temporary, place)
        except FileExistsError:
            msg = f"the file {self.path.name!r} appeared meanwhile; choose another name, or allow it to be replaced (--force)"
            raise OutputError(msg) from None
        except OSError:  # no hard links here
            if self.handle is not None:
                raise
            self.temporary.replace(place)

    def undo(self) -> None:
        """Leave everything as it was."""
        if self.done:
            self.path.unlink(missing_ok=True)
        if self.old is not None:
            self.old.replace(self.path)
            self.old = None

    def close(self) -> None:
        """Leave nothing else behind."""
        if self.handle is not None:
            os.close(self.handle)
            self.handle = None
        else:
            self.temporary.unlink(missing_ok=True)
        if self.old is not None:
            self.old.unlink(missing_ok=True)


@contextlib.contextmanager
def written(path: Path, compression: str | None = None) -> Iterator[Any]:
    """A file that is written from the start, compressed where that is asked for; the same bytes at any time."""
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(path.open("wb"))
        yield file if compression is None else stack.enter_context(pa.CompressedOutputStream(file, compression))


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
        raise OutputError(f"{path.name!r} cannot be written: {reason}") from None

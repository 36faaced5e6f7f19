"""Folders of a Spark release that appear whole or not at all, on any file system that Spark writes to."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from covey.errors import OutputError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class StagedFolder:
    """A hidden folder beside its place, moved there by `commit` and back by `undo`.

    Executors write to `temporary`, which is then read back. Until then its owner alone may enter the hidden folder. One rename
    puts it in place: atomic on HDFS and local disks, a copy on object stores.
    """

    def __init__(self, session: SparkSession, path: str, *, force: bool) -> None:
        jvm: Any = session._jvm  # noqa: SLF001
        self._path = jvm.org.apache.hadoop.fs.Path
        self.place = self._path(path)
        self.name = self.place.getName()
        self._files = self.place.getFileSystem(session._jsc.hadoopConfiguration())  # noqa: SLF001
        self.place = self._files.makeQualified(self.place)
        self.force, self.done = force, False
        self._check()
        self._hidden = self._beside()
        self._old: Any = None
        self._files.mkdirs(self._hidden, jvm.org.apache.hadoop.fs.permission.FsPermission("700"))
        self.temporary = self._path(self._hidden, "release").toString()

    def _check(self) -> None:
        if self.place.getParent() is None or not self._files.exists(self.place.getParent()):
            raise OutputError(f"{self.name!r} cannot be written: the folder does not exist; create it first")
        if not self._files.exists(self.place):
            return
        if self._files.getFileStatus(self.place).isFile():
            raise OutputError(f"{self.name!r} is a file; needed: the name of a folder")
        if not self.force:
            msg = f"the folder {self.name!r} exists already; choose another name, or allow it to be replaced (--force)"
            raise OutputError(msg)

    def _beside(self) -> Any:
        return self._path(self.place.getParent(), f".covey-{secrets.token_hex(8)}")

    def commit(self) -> None:
        """Put the folder in its place."""
        if self.force and self._files.exists(self.place):
            old = self._beside()
            self._rename(self.place, old)
            self._old = old
        if self._files.exists(self.place):  # a rename would move it into the folder that is there
            msg = f"the folder {self.name!r} appeared meanwhile; choose another name, or allow it to be replaced (--force)"
            raise OutputError(msg)
        self._rename(self._path(self.temporary), self.place)
        self.done = True

    def _rename(self, source: Any, target: Any) -> None:
        if not self._files.rename(source, target):
            raise OutputError(f"{self.name!r} cannot be put in its place; choose another folder")

    def undo(self) -> None:
        """Leave everything as it was."""
        if self.done:
            self._files.delete(self.place, True)  # noqa: FBT003
            self.done = False
        if self._old is not None:
            self._rename(self._old, self.place)
            self._old = None

    def close(self) -> None:
        """Leave nothing else behind."""
        for left in (self._hidden, self._old):
            if left is not None:
                self._files.delete(left, True)  # noqa: FBT003

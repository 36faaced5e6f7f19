"""A folder of Parquet files that appears whole or not at all."""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import OptionError, OutputError
from covey.io import columnar
from covey.io.inference import infer
from covey.io.listing import folder_name
from covey.io.staging import writing
from covey.recipe.roles import unknown_column
from covey.utils.arrow import Array, Column, Table, decoded, is_text, pa, pc
from covey.utils.names import refuse_doubles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from covey.utils.notes import Note
    from covey.utils.typing import Codes

MOST_IN_A_FILE = 1 << 20
"""Rows of a file of a folder."""
_EXCHANGE = 2
"""What Linux calls the exchange of two names in one step."""


class StagedFolder:
    """A folder in a hidden one beside its place, which its owner alone may enter; `commit` puts it there by one rename.

    A folder that is replaced changes its name with the new one in one step where the system can do that (Linux), else in two. A process
    that is killed before leaves the hidden folder, with what was released so far, and nothing of the table that came in.
    """

    def __init__(self, path: Path, *, force: bool) -> None:
        self.path, self.force, self.done = path.resolve(), force, False
        check_folder(self.path, force=force)
        with writing(path):
            self._hidden = Path(tempfile.mkdtemp(prefix=".covey-", dir=self.path.parent))
            self.temporary = self._hidden / "release"
            self.temporary.mkdir()

    def commit(self) -> None:
        """Put the folder in its place."""
        with writing(self.path):
            for file in self.temporary.rglob("*.parquet"):
                with file.open("r+b") as handle:
                    os.fsync(handle.fileno())
            check_folder(self.path, force=self.force, meanwhile=True)
            self._exchange()
        self.done = True

    def _exchange(self) -> None:
        """The folder and what stands in its place, if anything does, change their names."""
        if not self.path.exists():
            self.temporary.rename(self.path)
        elif not _exchanged(self.temporary, self.path):
            old = self._hidden / "old"
            self.path.rename(old)
            try:
                self.temporary.rename(self.path)
            except OSError:
                old.rename(self.path)
                raise
            old.rename(self.temporary)

    def undo(self) -> None:
        """Leave everything as it was."""
        if self.done and self.temporary.exists():
            self._exchange()
        elif self.done:
            self.path.rename(self.temporary)
        self.done = False

    def close(self) -> None:
        """Leave nothing else behind."""
        shutil.rmtree(self._hidden, ignore_errors=True)


def check_folder(path: Path, *, force: bool, meanwhile: bool = False) -> None:
    """An error where a folder cannot be written, or replaced: one that holds anything but Parquet files is somebody's."""
    if not path.parent.is_dir():
        raise OutputError(
            f"{path.name!r} cannot be written: the folder it is to lie in does not exist; create it first"
        )
    if not path.exists():
        return
    if not path.is_dir():
        raise OutputError(f"{path.name!r} is a file, and a folder is to be written; choose another name")
    if not force:
        when = "appeared meanwhile" if meanwhile else "exists already"
        raise OutputError(f"the folder {path.name!r} {when}; choose another name, or allow it to be replaced (--force)")
    if any(one.is_symlink() or not (one.is_dir() or one.suffix == ".parquet") for one in _others(path)):
        msg = f"the folder {path.name!r} holds something else than Parquet files; choose another name, or remove it yourself"
        raise OutputError(msg)


def _others(path: Path) -> Iterator[Path]:
    """All that is in a folder but what Spark leaves beside its files."""
    return (one for one in path.rglob("*") if one.name != "_SUCCESS" and not one.name.endswith(".crc"))


def _exchanged(new: Path, old: Path) -> bool:
    """Whether two names were exchanged in one step; otherwise nothing was done."""
    with contextlib.suppress(AttributeError, OSError):
        here = -100  # paths are what they are without a folder
        return bool(ctypes.CDLL(None).renameat2(here, os.fsencode(new), here, os.fsencode(old), _EXCHANGE) == 0)
    return False


class FolderWriter:
    """Tables as Parquet files of a folder, as they come, by the values of columns where there are some to part them by.

    Rows wait in memory until there are enough for a file, at most `most` of all files together. Columns named in `aside` are not
    written: `tell` gets them with the path of the file that the others went to.
    """

    def __init__(
        self,
        folder: Path,
        columns: Sequence[str],
        most: int = MOST_IN_A_FILE,
        aside: Sequence[str] = (),
        tell: Callable[[Path, Table], None] | None = None,
    ) -> None:
        self.folder, self.columns, self.most = folder, list(columns), most
        self._aside, self._tell = list(aside), tell
        self.notes: list[Note] = []
        self._waiting: dict[str, list[Table]] = {}
        self._sizes: dict[str, int] = {}
        self._rows = 0
        self._files: dict[str, int] = {}
        self._values: dict[str, Column] = {}

    def add(self, table: Table) -> None:
        """Append rows."""
        check_parting(self.columns, [name for name in table.column_names if name not in self._aside])
        for name in self.columns:
            seen = [self._values[name]] if name in self._values else []
            self._values[name] = pa.chunked_array([*seen, decoded(table.column(name))]).unique()
        numbers, names = folders_of(table, self.columns)
        stops = np.cumsum(np.bincount(numbers, minlength=len(names))).tolist()
        rows = table.drop_columns(self.columns).take(pa.array(np.argsort(numbers, kind="stable")))
        for name, start, stop in zip(names, [0, *stops], stops, strict=False):
            for first in range(start, stop, self.most):
                self._wait(name, rows.slice(first, min(self.most, stop - first)))

    def _wait(self, name: str, rows: Table) -> None:
        """Rows of a folder wait until there are enough of them."""
        if self._sizes.get(name, 0) + rows.num_rows > self.most:
            self._write(name)
        self._waiting.setdefault(name, []).append(rows)
        self._sizes[name] = self._sizes.get(name, 0) + rows.num_rows
        self._rows += rows.num_rows
        while self._rows > self.most:
            self._write(max(self._sizes, key=lambda one: self._sizes[one]))

    def _write(self, name: str) -> None:
        if name not in self._waiting:
            return
        number = self._files[name] = self._files.get(name, -1) + 1
        place = self.folder / name
        place.mkdir(parents=True, exist_ok=True)
        path, table = place / f"part-{number:05}.parquet", pa.concat_tables(self._waiting.pop(name))
        columnar.write_parquet(table.drop_columns(self._aside), path)
        if self._tell is not None:
            self._tell(path, table.select(self._aside))
        self._rows -= self._sizes.pop(name)

    def close(self) -> None:
        """Write what waits; an error where names of folders do not say what the values are."""
        for name in list(self._waiting):
            self._write(name)
        for name, values in self._values.items():
            check_told(name, values)


def write_folder(table: Table, folder: Path, columns: Sequence[str]) -> list[Note]:
    """Write a table as Parquet files of a folder."""
    writer = FolderWriter(folder, columns)
    writer.add(table)
    writer.close()
    return writer.notes


def check_parting(columns: Sequence[str], names: Sequence[str]) -> None:
    """An error for columns to part a release by that it does not have, or that no folder can be called by."""
    refuse_doubles(columns)
    for name in columns:
        if name not in names:
            raise unknown_column(name, names, "partition_by")
        if name[0] in "._" or any(sign in "/\\=%" or ord(sign) < 32 for sign in name):
            msg = f"a folder cannot be called by column {name!r}; needed: a name without / \\ = %, and no . or _ before it; rename it"
            raise OptionError(msg)
    if columns and set(columns) == set(names):
        msg = f"partition_by names all {len(columns)} columns, and nothing is left for the files; needed: fewer"
        raise OptionError(msg)


def folders_of(table: Table, columns: Sequence[str]) -> tuple[Codes, list[str]]:
    """The number of every row's folder, and the names of folders by number: in the order in which they are read."""
    numbers, names = np.zeros(table.num_rows, dtype=np.int64), [()]
    for column in columns:
        texts = _texts(column, table.column(column)).dictionary_encode()
        known = [*texts.dictionary.to_pylist(), None]
        codes = texts.indices.fill_null(len(known) - 1).to_numpy().astype(np.int64)
        pairs, numbers = np.unique(numbers * len(known) + codes, return_inverse=True)
        names = [(*names[pair // len(known)], folder_name(column, known[pair % len(known)])) for pair in pairs.tolist()]
    order = sorted(range(len(names)), key=lambda number: names[number])
    places = np.empty(len(names), dtype=np.int64)
    places[order] = np.arange(len(names))
    return places[numbers.reshape(-1)], ["/".join(names[number]) for number in order]


def _texts(name: str, column: Column) -> Array:
    """The values of a column to part a release by, as text."""
    values = decoded(column)
    kind = values.type
    if not (is_text(kind) or pa.types.is_integer(kind) or pa.types.is_boolean(kind) or pa.types.is_date(kind)):
        raise OptionError(
            f"partition_by names column {name!r}, which is published as {kind}; needed: text, whole numbers, true and false, or days"
        )
    return (values.cast(pa.date32()) if pa.types.is_date(kind) else values).cast(pa.string())


def check_told(name: str, values: Column) -> None:
    """An error where the values of a column would be read as others when they are the names of folders."""
    texts = _texts(name, values).drop_null()
    (read,) = infer(pa.table({name: texts}), comma=False)[1]
    same = is_text(read.type) == is_text(values.type) and read.null_count == 0 and not _are_codes(values, texts)
    if len(texts) and not (same and _texts(name, read).equals(texts)):
        raise OutputError(
            f"some texts of column {name!r} could not be read back from names of folders (empty ones, or ones that look like numbers or "
            "days); needed: partition_by with another column, or one file"
        )


def _are_codes(values: Column, texts: Array) -> bool:
    """Whether all are text of digits: with leading zeros they are text here, and numbers to other readers."""
    return is_text(values.type) and pc.all(pc.match_substring_regex(texts, "^[0-9]+$")).as_py() is True

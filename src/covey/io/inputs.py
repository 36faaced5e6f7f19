"""The files of which a table is read: one or many, compressed or not, here or far away.

Whatever reads a table reads `InputFile`s, which `opened` gives for as long as they are needed. Files that are far away are copied once
into a file without a name, one behind the other: every pass sees the same bytes, and nothing of them is left afterwards.
"""

from __future__ import annotations

import contextlib
import io
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from covey.errors import CoveyError, InputError, shown
from covey.io.far import copied, download, fetch, reached
from covey.io.listing import Listed, Tree
from covey.io.location import COMPRESSED, MANY, SUFFIXES, Location, check_compressed, suffix_of
from covey.utils.arrow import pa
from covey.utils.frame import store_rows
from covey.utils.notes import Note, NoteKind
from covey.utils.seal import bytes_hash, folder_hash
from covey.utils.tempfiles import temporary_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Answer = TypeVar("Answer")

COMPRESSED_TIMES = 6
"""About how many times its size a compressed text has."""


@dataclass(frozen=True)
class InputFile:
    """A file to read. `name` is what people see of it: never a value of a partition.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "two.csv.gz"
    ...     _ = path.write_bytes(__import__("gzip").compress(b"a,b"))
    ...     with InputFile(path, path.name, "gzip").open() as file:
    ...         file.read()
    b'a,b'
    """

    path: Path
    name: str
    compression: str | None = None
    piece: tuple[int, int] | None = None
    """Where it begins in the file at `path`, and its length; None: it is all of that."""
    folders: dict[str, str | None] = field(default_factory=dict)
    """What the names of its folders say of all of its rows: column to text, None where it is missing."""
    below: str = ""
    """Its path below the folder that is read."""

    @property
    def size(self) -> int:
        """Its bytes as they lie there."""
        return self.path.stat().st_size if self.piece is None else self.piece[1]

    @property
    def plain_size(self) -> int:
        """About how many bytes it has unpacked."""
        return self.size * (COMPRESSED_TIMES if self.compression else 1)

    def raw(self) -> Any:
        """The bytes as they lie there, to be read at any place, by Arrow."""
        if self.piece is None:
            return pa.OSFile(str(self.path), "rb")
        start, length = self.piece
        if not length:
            return pa.BufferReader(b"")
        mapped = pa.memory_map(str(self.path))
        mapped.seek(start)
        return pa.BufferReader(mapped.read_buffer(length))

    def open(self) -> Any:
        """The unpacked bytes from the start, for Arrow and for Python."""
        return self.raw() if self.compression is None else pa.CompressedInputStream(self.raw(), self.compression)

    def sha256(self) -> str:
        """The SHA-256 of the bytes as they lie there."""
        with self.raw() as file:
            return bytes_hash(file)

    def text(self, encoding: str, newline: str | None = None) -> io.TextIOWrapper:
        """The unpacked bytes as text."""
        return io.TextIOWrapper(self.open(), encoding=encoding, newline=newline)


@dataclass(frozen=True)
class Inputs:
    """All files of a table, in the order in which they are read, their format, and what was noticed of them."""

    name: str
    format: str
    files: list[InputFile]
    notes: list[Note] = field(default_factory=list)
    is_folder: bool = False

    @classmethod
    def of_file(cls, path: Path, form: str, name: str | None = None, compression: str | None = None) -> Inputs:
        """A table in one file."""
        name = path.name if name is None else name
        return cls(name, form, [InputFile(path, name, compression)])

    def sha256(self) -> str:
        """The SHA-256 of the bytes of a file, or of the names and the bytes of a folder."""
        if not self.is_folder:
            return self.one.sha256()
        return folder_hash((file.below, file.sha256()) for file in self.files)

    @property
    def keys(self) -> list[str]:
        """The columns that the names of folders hold."""
        return list(self.files[0].folders)

    @property
    def one(self) -> InputFile:
        """The only file, for formats of which a table is one."""
        return self.files[0]


@contextlib.contextmanager
def opened(place: Location, folder: Path | None = None) -> Iterator[Inputs]:
    """The files of a table for as long as they are read; copies lie in `folder`, without a name, and are gone afterwards."""
    if place.place == "file":
        guarded(place.path.name, lambda: place.path.open("rb").close())  # said once, whatever the reader
        yield Inputs.of_file(place.path, place.format, compression=place.compression)
    elif place.place == "stream":
        with temporary_path(folder) as path:
            copied(sys.stdin.buffer, path)
            yield Inputs.of_file(path, place.format, "standard input")
    elif place.is_web:
        with temporary_path(folder) as path:
            download(place, path)
            yield _of_web(place, path)
    else:
        with temporary_path(folder) if place.place == "remote" else contextlib.nullcontext() as copy:
            yield _of_folder(place, listing(place), copy)


@contextlib.contextmanager
def handed_over(table: object, folder: Path) -> Iterator[Inputs]:
    """A table that is no file, its rows computed once and put into a file in `folder` without a name, which is gone afterwards."""
    with temporary_path(folder) as path:
        store_rows(table, path)
        yield Inputs.of_file(path, "parquet", shown(table))


def format_of(place: Location) -> str:
    """The format of a table, which is looked up where only the files of its folder tell."""
    return place.format or _kind(place, listing(place))


def listing(place: Location) -> Listed:
    """The files of a folder or a pattern, here or far away; an error where there are none."""
    if place.place != "remote":
        return guarded(place.public, lambda: Tree.of(place).listed())
    with reached(place):
        return Tree.of(place).listed()


def plain_size(place: Location) -> int:
    """About how many bytes of text there are, without fetching them."""
    if place.place == "file":
        return Inputs.of_file(place.path, place.format, compression=place.compression).one.plain_size
    if place.is_web:
        return 0  # a server may not tell; what is too large is said when it is read
    entries = listing(place).entries
    return sum(one.size * (COMPRESSED_TIMES if suffix_of(one.parts[-1])[1] else 1) for one in entries)


def _kind(place: Location, listed: Listed) -> str:
    """The one format of all files; an error where there are several, or none that is known."""
    kinds = {place.format or SUFFIXES.get(suffix_of(one.parts[-1])[0]) for one in listed.entries}
    form = next(iter(kinds))
    if len(kinds) > 1 or form is None:
        raise InputError(
            f"{place.public!r} holds {listed.suffixes()}, which is not one kind of table; needed: files of one format "
            f"({', '.join(MANY)}); take them by a pattern ('{place.public}/*.parquet'), or name the format (--format)"
        )
    if len(listed.entries) > 1 and form not in MANY:
        msg = f"{place.public!r} holds {len(listed.entries)} files of {form}; needed, of many files: one of {', '.join(MANY)}; name one"
        raise InputError(msg)
    return form


def _of_folder(place: Location, listed: Listed, copy: Path | None) -> Inputs:
    """The files of a folder; where they are far away, their copies, one behind the other in a file."""
    form, entries = _kind(place, listed), listed.entries
    names, packed = listed.names(), [suffix_of(entry.parts[-1])[1] for entry in entries]
    for name, compression in zip(names, packed, strict=True):
        check_compressed(name, form, compression)
    paths = [copy or Path(entry.path) for entry in entries]
    pieces = [None] * len(entries) if copy is None else [*fetch(place, listed, copy)]
    alone = len(entries) == 1  # a file of its own, also as a copy: some readers want its path
    files = [
        InputFile(path, name, compression, None if alone else piece, entry.folders, "/".join(entry.parts))
        for path, name, compression, piece, entry in zip(paths, names, packed, pieces, entries, strict=True)
    ]
    return Inputs(place.public, form, files, listed.notes(place.public), listed.is_folder)


def _of_web(place: Location, copy: Path) -> Inputs:
    """A file of the web, by its copy."""
    text = f"{place.public} was read over http, where anyone on the way can read it, too; https is safe from that"
    notes = [Note(NoteKind.READING, text)] if place.scheme == "http" else []
    compression = place.compression if place.format in COMPRESSED else None
    return Inputs(place.public, place.format, [InputFile(copy, place.public, compression)], notes)


def guarded(name: str, action: Callable[[], Answer], what: str = "table") -> Answer:
    """Run a reader; what goes wrong becomes an error that shows nothing of the file."""
    try:
        return action()
    except (CoveyError, KeyboardInterrupt, MemoryError):
        raise
    except FileNotFoundError:
        raise InputError(f"there is no file {name!r}; needed: an existing file; check the path") from None
    except IsADirectoryError:
        raise InputError(f"{name!r} is a folder; needed: a file") from None
    except PermissionError:
        raise InputError(f"the file {name!r} may not be read; needed: permission to read it") from None
    except UnicodeError:
        raise InputError(
            f"the file {name!r} holds bytes that are no text, neither in UTF-8 nor in Windows-1252; needed: a {what} in UTF-8; save it as that"
        ) from None
    except Exception as error:
        raise InputError(
            f"the file {name!r} is no {what} that can be read ({type(error).__name__}); needed: a file in that format"
        ) from None

"""The files of a folder or of a pattern of paths, on any file system that pyarrow or fsspec knows.

In the order of their names, folder by folder. What begins with a dot or an underscore is passed over, as `_SUCCESS` and the marks of
other programs are. Folders named column=value say what that column is for all rows in them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from covey.errors import InputError
from covey.io.location import STORES, Location, fixed_and_wild
from covey.utils.extras import load
from covey.utils.names import refuse_doubles
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pyarrow.fs import FileSystem

LOG_OF_DELTA = "_delta_log"
LOGS = {LOG_OF_DELTA: "Delta", ".hoodie": "Hudi"}
"""Where tables say which of their files count: a reader that does not look there finds rows that were deleted."""
MISSING = "__HIVE_DEFAULT_PARTITION__"
"""The name of a folder of rows whose value is missing."""


@dataclass(frozen=True)
class Entry:
    """A file of a folder: where it is, how large, and the names of the folders between, with its own."""

    path: str
    size: int
    parts: tuple[str, ...]

    @property
    def folders(self) -> dict[str, str | None]:
        """What the names of its folders say of its rows: column to text."""
        pairs = [part.partition("=") for part in self.parts[:-1] if "=" in part]
        refuse_doubles([unquote(name) for name, _, _ in pairs])
        return {unquote(name): None if text == MISSING else unquote(text) for name, _, text in pairs}

    @property
    def name(self) -> str:
        """Its name for people, without the values that those of its folders hold."""
        shown = (f"{part.partition('=')[0]}=…" if "=" in part else part for part in self.parts[:-1])
        return "/".join((*shown, self.parts[-1]))


@dataclass(frozen=True)
class Listed:
    """The files of a folder in order, and the file system they are read from."""

    files: FileSystem
    entries: list[Entry]
    is_folder: bool
    """Whether a folder was named, or files by a pattern, and not one file."""

    def names(self) -> list[str]:
        """The names of all files for people; with their numbers, where names without the values of folders do not tell."""
        of = len(self.entries)
        return [
            f"{one.name} (file {number} of {of})" if one.folders and of > 1 else one.name
            for number, one in enumerate(self.entries, 1)
        ]

    def suffixes(self) -> str:
        """How many files have which suffix."""
        counted = Counter(
            "." + one.parts[-1].rpartition(".")[2][:12] if "." in one.parts[-1] else "" for one in self.entries
        )
        return ", ".join(f"{number} of {suffix or 'no suffix'}" for suffix, number in sorted(counted.items()))

    def notes(self, name: str) -> list[Note]:
        """How many files were read, and what their folders say."""
        if not self.is_folder:
            return []
        keys = ", ".join(self.entries[0].folders)
        more = f"; the names of its folders tell {keys}" if keys else ""
        return [Note(NoteKind.READING, f"{name} was read from {_files(len(self.entries))}{more}")]


@dataclass(frozen=True)
class Tree:
    """A place that may hold many files: a file system, the path that is fixed, and the patterns behind it."""

    files: FileSystem
    root: str
    patterns: tuple[str, ...]
    name: str
    has_folders: bool = True
    """Whether it lists folders that nobody made: Google's storage knows names with slashes only."""

    @classmethod
    def of(cls, place: Location) -> Tree:
        """The folder or pattern of a location."""
        if place.place != "remote":
            files, path = load("pyarrow.fs").LocalFileSystem(), place.path.absolute().as_posix()
            if place.path.is_dir():
                return cls(files, path, (), place.public)
        else:
            files, path = _far(place.address)
        fixed, wild = fixed_and_wild(path.split("/"))
        return cls(files, "/".join(fixed) or "/", wild, place.public, files.type_name != "gcs")

    def listed(self) -> Listed:
        """The files that are read, in order."""
        different = {entry.path: entry for entry in self._entries()}  # a pattern may have a folder and what is in it
        entries = sorted(different.values(), key=lambda entry: entry.parts)
        if not entries:
            what = (
                "is a pattern that matches no file" if self.patterns else "is a folder without files that can be read"
            )
            msg = f"{self.name!r} {what}; needed: at least one file (names that begin with . or _ are passed over)"
            raise InputError(msg)
        keys = list(entries[0].folders)
        for one in entries:
            if list(one.folders) != keys:
                raise InputError(
                    f"{one.name!r} of {self.name!r} lies in folders that tell {_told(one.folders)}, and {entries[0].name!r} in ones that "
                    f"tell {_told(keys)}; needed: the same columns for all files"
                )
        alone = len(entries) == 1 and (bool(self.patterns) or entries[0].path == self.root)
        return Listed(self.files, entries, not alone)

    def _entries(self) -> Iterator[Entry]:
        """All files, in no order. A pattern may name folders, all of whose files are then meant."""
        kinds, information = load("pyarrow.fs").FileType, self.files.get_file_info
        for path in dict.fromkeys(self._matched(self.root, self.patterns)):
            place = information(path)
            if place.type == kinds.NotFound:
                raise FileNotFoundError
            if path == self.root and place.is_file:
                yield Entry(path, place.size, (place.base_name,))
                return
            below = [place] if place.is_file else information(load("pyarrow.fs").FileSelector(path, recursive=True))
            for file in below:
                parts = tuple(file.path.removeprefix(self.root).strip("/").split("/"))
                self._refuse_logs(parts)
                if file.is_file and not any(map(_hidden, parts)):
                    yield Entry(file.path, file.size, parts)

    def _matched(self, root: str, patterns: Sequence[str]) -> Iterator[str]:
        """The paths below a root that have the patterns; `**` stands for any folders, also none."""
        if not patterns:
            yield root
            return
        first, rest = patterns[0], patterns[1:]
        if first == "**":
            yield from self._matched(root, rest or ("*",))
        inside = self._inside(root)
        self._refuse_logs(inside)
        for name, is_file in inside.items():
            path = f"{root.rstrip('/')}/{name}"
            if _hidden(name):
                continue
            if first == "**" and not is_file:
                yield from self._matched(path, patterns)
            elif first != "**" and fnmatchcase(name, first) and not (rest and is_file):
                yield from self._matched(path, rest)

    def _refuse_logs(self, names: Iterable[str]) -> None:
        """An error for a table whose files are not all of it."""
        kind = next((LOGS[name] for name in names if name in LOGS), None)
        if kind is not None:
            raise InputError(
                f"{self.name!r} is a table of {kind}, whose files still hold rows that were deleted; needed: what its own reader finds in it "
                "(a dataset or stream that its package gives; Delta also by --spark)"
            )

    def _inside(self, folder: str) -> dict[str, bool]:
        """The names in a folder, and whether each is a file."""
        selected = load("pyarrow.fs").FileSelector(folder, recursive=not self.has_folders)
        parts = [
            (one.path.removeprefix(folder).strip("/").split("/"), one.is_file)
            for one in self.files.get_file_info(selected)
        ]
        return {names[0]: is_file and len(names) == 1 for names, is_file in parts}


def folder_name(column: str, text: str | None) -> str:
    """The name of the folder of the rows with a value.

    >>> folder_name("region", "Nord/Ost"), folder_name("region", None)
    ('region=Nord%2FOst', 'region=__HIVE_DEFAULT_PARTITION__')
    """
    escaped = MISSING if text is None else quote(text, safe=" ")
    return f"{column}={'%5F' + escaped[1:] if text == MISSING else escaped}"


def _files(number: int) -> str:
    return "one file" if number == 1 else f"{number} files, in the order of their names"


def _hidden(name: str) -> bool:
    return name.startswith(".") or (name.startswith("_") and "=" not in name)


def _told(columns: Sequence[str] | dict[str, str | None]) -> str:
    return ", ".join(columns) or "no column"


def _far(address: str) -> tuple[FileSystem, str]:
    """The file system of a URL, and the path there."""
    scheme, _, rest = address.partition("://")
    if scheme.lower() in STORES:
        path, sign, options = rest.partition("?")
        bucket, slash, key = path.partition("/")
        url = f"{STORES[scheme.lower()]}://{bucket}{sign}{options}"
        return load("pyarrow.fs").FileSystem.from_uri(url)[0], f"{bucket.rpartition('@')[2]}{slash}{key}".rstrip("/")
    opened, path = load("fsspec.core").url_to_fs(address)
    filesystem = load("pyarrow.fs").PyFileSystem(load("pyarrow.fs").FSSpecHandler(opened))
    return filesystem, path.rstrip("/")


def package_for(scheme: str) -> str:
    """What fsspec says that must be installed for a kind of address."""
    return str(load("fsspec.registry").known_implementations.get(scheme, {}).get("err", ""))

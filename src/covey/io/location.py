"""Where a table is: a file or many, here or far away, a database, standard input or output."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote, urlsplit

from covey.errors import InputError, OutputError, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

Place = Literal["file", "folder", "remote", "stream", "sqlite", "duckdb", "postgresql"]
SUFFIXES = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".txt": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".xlsx": "xlsx",
    ".sav": "sav",
    ".zsav": "sav",
    ".por": "por",
    ".dta": "dta",
    ".xpt": "xpt",
    ".sas7bdat": "sas7bdat",
}
FORMATS = tuple(dict.fromkeys(SUFFIXES.values()))
COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2"}
"""A suffix behind that of the format, and what it says of the bytes."""
WRITTEN_COMPRESSIONS = ("gzip", "zstd")
COMPRESSED = ("csv", "tsv", "jsonl")
"""Formats that are compressed as a whole; the others compress themselves, or are read at many places at once."""
MANY = ("csv", "tsv", "parquet", "jsonl", "arrow")
"""Formats of which many files are one table."""
_SCHEMES: dict[str, Place] = {
    "sqlite": "sqlite",
    "duckdb": "duckdb",
    "postgresql": "postgresql",
    "postgres": "postgresql",
}
WEB = ("https", "http")
STORES = {"s3": "s3", "s3a": "s3", "s3n": "s3", "gs": "gs", "gcs": "gs"}
"""Object stores that pyarrow speaks to, and what it calls them."""
BY_FSSPEC = (
    *("abfs", "abfss", "adl", "az", "dbfs", "ftp", "gdrive", "github", "hdfs", "hf", "memory", "oci", "oss", "sftp"),
    *("smb", "ssh", "webdav", "webhdfs"),
)
"""Places that fsspec knows, with its own packages for each."""
_WILD = re.compile(r"[*?[]")


@dataclass(frozen=True)
class Location:
    """A parsed path or URL. `table` is the table of a database; `address` what its driver or its store connects to.

    A folder is one, or a pattern of paths; its `format` is empty where only the files in it tell.
    """

    place: Place
    format: str
    path: Path
    address: str = ""
    table: str | None = None
    compression: str | None = None
    columns: tuple[str, ...] = ()
    """Of a folder to be written: the columns whose values are the names of its folders."""

    @property
    def public(self) -> str:
        """The location without user, password and options of the connection."""
        if self.place == "postgresql":
            place = self.address.partition("://")[2].rpartition("@")[2].partition("?")[0]
            return f"postgresql://{place}" + (f"#{self.table}" if self.table else "")
        if self.place == "remote":
            scheme, _, rest = self.address.partition("://")
            return f"{scheme}://{_without_login(rest.partition('?')[0])}"
        if self.place == "stream":
            return "standard input"
        if self.place == "folder":
            fixed, wild = fixed_and_wild(self.path.parts)
            return "/".join((fixed[-1], *wild))
        return self.path.name + (f"#{self.table}" if self.table else "")

    @property
    def scheme(self) -> str:
        """Of the address of what is far away."""
        return self.address.partition("://")[0].lower()

    @property
    def is_web(self) -> bool:
        """Whether it is one file that a server of the web has."""
        return self.place == "remote" and self.scheme in WEB

    @property
    def is_input_file(self) -> bool:
        """Whether it is read from files, few or many, and not by a database."""
        return self.place in ("file", "folder", "remote", "stream")


def locate(given: str | Path, *, format: str | None = None, what: str = "the table") -> Location:  # noqa: A002
    """Where a table is read from: a path, a folder, a pattern, `-`, or a URL.

    URLs are those of databases, such as sqlite:///file.db#table, duckdb:///file.duckdb#table, postgresql://host/db#table, and those
    of files: file://, https://, s3://, gs:// and what fsspec knows.

    >>> locate("people.csv.gz").format
    'csv'
    >>> locate("sqlite:///people.db#persons").table
    'persons'
    >>> locate("s3://key:secret@bucket/people/*.parquet?region=eu-west-1").public
    's3://bucket/people/*.parquet'
    """
    text = _text(given, what)
    scheme = _scheme(text, format)
    if text == "-":
        return Location("stream", format or "csv", Path("-"))
    if scheme in WEB or scheme in STORES or scheme in BY_FSSPEC:
        return _remote(text, scheme, format)
    if scheme and scheme != "file":
        return _database(text, scheme)
    path = _path_of_url(text) if scheme else Path(text)
    if path.is_dir() or (is_wild(str(path)) and not path.exists()):
        return Location("folder", format or "", path)
    return _file(path, format, what)


def locate_output(
    given: str | Path,
    *,
    format: str | None = None,  # noqa: A002
    partition_by: Sequence[str] = (),
) -> Location:
    """Where a table is written to: a file, a folder (a path that ends with a slash, or columns to part it by), `-` or a database.

    >>> locate_output("people/").place, locate_output("people", partition_by=["region"]).columns
    ('folder', ('region',))
    """
    text = _text(given, "the output")
    scheme = _scheme(text, format)
    if scheme in WEB or scheme in STORES or scheme in BY_FSSPEC:
        raise OutputError(
            f"the output is at {scheme}://, where nothing can be put in its place in one step after its recount; needed: a file, a folder "
            "or a database; write it here and copy it there"
        )
    path = _path_of_url(text) if scheme == "file" else Path(text)
    if partition_by or (isinstance(given, str) and text.endswith("/") and scheme in ("", "file")):
        if (scheme and scheme != "file") or text == "-":
            raise OutputError("columns to part the output by are given, and it is no folder; needed: a folder's name")
        if format not in (None, "parquet"):
            raise OutputError(f"a folder cannot be written as {format!r}; needed: parquet, which is what it takes")
        return Location("folder", "parquet", path, columns=tuple(partition_by))
    if text == "-":
        return Location("stream", format or "csv", Path("-"))
    if scheme and scheme != "file":
        return _database(text, scheme)
    place = _file(path, format, "the output")
    if place.compression not in (None, *WRITTEN_COMPRESSIONS):
        raise OutputError(f"the output {path.name!r} cannot be compressed as its suffix says; needed: .gz or .zst")
    return place


def suffix_of(name: str) -> tuple[str, str | None]:
    """The suffix that tells a format, in small letters, and how the file is compressed.

    >>> suffix_of("people.2024.CSV.gz"), suffix_of("people.parquet"), suffix_of("people")
    (('.csv', 'gzip'), ('.parquet', None), ('', None))
    """
    path = Path(name)
    compression = COMPRESSIONS.get(path.suffix.lower())
    return (Path(path.stem).suffix if compression else path.suffix).lower(), compression


def _without_login(rest: str) -> str:
    """A URL behind its scheme without user and password, also where one of them holds a slash that should have been written as %2F."""
    host, sign, path = rest.partition("/")
    torn = "@" in path and ":" in host and "@" not in host and not host.rpartition(":")[2].isdigit()
    return rest.rpartition("@")[2] if torn else f"{host.rpartition('@')[2]}{sign}{path}"


def is_wild(text: str) -> bool:
    """Whether a path has signs that stand for others."""
    return bool(_WILD.search(text))


def fixed_and_wild(parts: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The parts of a path up to the first with signs that stand for others, and the rest.

    >>> fixed_and_wild(["data", "year=*", "*.csv"])
    (('data',), ('year=*', '*.csv'))
    """
    first = next((number for number, part in enumerate(parts) if is_wild(part)), len(parts))
    return tuple(parts[:first]) or (".",), tuple(parts[first:])


def _text(given: object, what: str) -> str:
    """A path or URL as text; an error for anything else, which may hold data."""
    if not isinstance(given, str | Path):
        raise InputError(f"{what} is {shown(given)}; needed: a path or a URL, as text or pathlib.Path")
    return str(given)


def _scheme(text: str, form: str | None) -> str:
    if form is not None and form not in FORMATS:
        raise InputError(f"there is no format {form!r}; known: {', '.join(FORMATS)}")
    found = re.match(r"([A-Za-z][A-Za-z0-9+.]+)://", text)
    return found[1].lower() if found else ""


def _file(path: Path, form: str | None, what: str) -> Location:
    suffix, compression = suffix_of(path.name)
    chosen = form or SUFFIXES.get(suffix)
    if chosen is None:
        if what != "the output" and not path.exists():
            msg = f"there is no file or folder {path.name!r}; needed: an existing one; check the path"
            raise InputError(msg)
        folder = "a name that ends with / for a folder of Parquet files" if what == "the output" else "a folder"
        has = (
            f"the suffix {path.suffix!r}, which tells no format known here"
            if path.suffix
            else "no suffix that tells its format"
        )
        raise InputError(
            f"{what} {path.name!r} has {has}; needed: one of {', '.join(SUFFIXES)} (of text also with "
            f"{', '.join(COMPRESSIONS)} behind it), {folder}, or a URL; or name the format (--format, --output-format)"
        )
    check_compressed(path.name, chosen, compression)
    return Location("file", chosen, path, compression=compression)


def check_compressed(name: str, form: str, compression: str | None) -> None:
    """An error for a compressed file of a format that is not compressed as a whole."""
    if compression is not None and form not in COMPRESSED:
        msg = f"{name!r} is {form} that was compressed once more; needed: text ({', '.join(COMPRESSED)}) or the file itself; unpack it"
        raise InputError(msg)


def _path_of_url(text: str) -> Path:
    """The path of a URL of this machine."""
    host, sign, rest = text.partition("://")[2].partition("/")
    if host not in ("", "localhost"):
        raise InputError(f"file:// names the machine {host!r}; needed: a path on this one (file:///folder/file)")
    return Path(unquote(sign + rest))


def _remote(text: str, scheme: str, form: str | None) -> Location:
    place = Location("remote", "", Path(), text)
    path = urlsplit(place.public).path if scheme in WEB else place.public.partition("://")[2]
    name = path.rsplit("/", 1)[-1]
    suffix, compression = suffix_of(name)
    if is_wild(path) and scheme not in WEB:
        return Location("remote", form or "", Path(), text)
    if scheme in WEB and (not name or "*" in path):
        msg = f"{place.public} is a folder or a pattern, and a server of the web lists no files; needed: the address of one file"
        raise InputError(msg)
    chosen = form or SUFFIXES.get(suffix)
    if chosen is None and scheme in WEB:
        known = ", ".join(SUFFIXES)
        msg = (
            f"{place.public} has no suffix that tells its format; needed: one of {known}; or name the format (--format)"
        )
        raise InputError(msg)
    return Location("remote", chosen or "", Path(name), text, compression=compression)


def _database(text: str, scheme: str) -> Location:
    place = _SCHEMES.get(scheme)
    if place is None:
        raise InputError(
            f"there is no database {scheme!r}; known: sqlite, duckdb, postgresql; files are also read from file://, "
            f"{', '.join(f'{one}://' for one in ('https', 's3', 'gs', *BY_FSSPEC))}"
        )
    address, sign, table = text.rpartition("#")
    if not sign or "@" in table:  # a password may hold the sign
        address, table = text, ""
    if place == "postgresql":
        return Location(place, place, Path(), address, unquote(table) or None)
    path = Path(unquote(address.partition("://")[2].removeprefix("/")))
    return Location(place, place, path, str(path), unquote(table) or None)

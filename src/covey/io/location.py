"""Where a table is: a file, a database, standard input or output."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import unquote

from covey.errors import InputError

Place = Literal["file", "stream", "sqlite", "duckdb", "postgresql"]
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
_SCHEMES: dict[str, Place] = {
    "sqlite": "sqlite",
    "duckdb": "duckdb",
    "postgresql": "postgresql",
    "postgres": "postgresql",
}


@dataclass(frozen=True)
class Location:
    """A parsed path or URL. `table` is the table of a database; `address` what its driver connects to."""

    place: Place
    format: str
    path: Path
    address: str = ""
    table: str | None = None

    @property
    def public(self) -> str:
        """The location without user, password and options of the connection."""
        if self.place == "postgresql":
            place = self.address.partition("://")[2].rpartition("@")[2].partition("?")[0]
            return f"postgresql://{place}" + (f"#{self.table}" if self.table else "")
        if self.place == "stream":
            return "standard input"
        return self.path.name + (f"#{self.table}" if self.table else "")


def locate(given: str | Path, *, format: str | None = None, what: str = "the table") -> Location:  # noqa: A002
    """Parse a path, `-`, or a URL such as sqlite:///file.db#table, duckdb:///file.duckdb#table, postgresql://host/db#table.

    >>> locate("people.csv").format
    'csv'
    >>> locate("sqlite:///people.db#persons").table
    'persons'
    """
    text = str(given)
    if format is not None and format not in FORMATS:
        raise InputError(f"there is no format {format!r}; known: {', '.join(FORMATS)}")
    if text == "-":
        return Location("stream", format or "csv", Path("-"))
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.]+)://", text)
    if scheme:
        return _database(text, scheme[1].lower())
    path = Path(text)
    chosen = format or SUFFIXES.get(path.suffix.lower())
    if chosen is None:
        raise InputError(
            f"{what} {path.name!r} has no suffix that tells its format; needed: one of {', '.join(SUFFIXES)}, or a "
            "database URL; or name the format (--format, --output-format)"
        )
    return Location("file", chosen, path)


def _database(text: str, scheme: str) -> Location:
    place = _SCHEMES.get(scheme)
    if place is None:
        raise InputError(f"there is no database {scheme!r}; known: sqlite, duckdb, postgresql")
    address, sign, table = text.rpartition("#")
    if not sign or "@" in table:  # a password may hold the sign
        address, table = text, ""
    if place == "postgresql":
        return Location(place, place, Path(), address, unquote(table) or None)
    path = Path(unquote(address.partition("://")[2].removeprefix("/")))
    return Location(place, place, path, str(path), unquote(table) or None)

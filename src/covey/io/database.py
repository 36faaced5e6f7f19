"""SQLite, DuckDB and PostgreSQL: a table or query in, a table out in one transaction, or in a new file that appears whole."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from covey.errors import CoveyError, InputError, OutputError
from covey.io.sql import DuckDB, Postgres, Session, Sqlite, duckdb_file, sqlite_file
from covey.io.staging import StagedFile
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from covey.io.loaded import Loaded
    from covey.io.location import Location
    from covey.utils.arrow import Table


def read(place: Location, query: str | None) -> Loaded:
    """Read a table, or the result of a query."""
    if (place.table is None) == (query is None):
        raise InputError(f"{place.public} needs a table (…#table) or a query (--query), one of the two")
    with _guarded(place, "read", InputError), _connected(place, write=False) as session:
        return session.read(query or f"SELECT * FROM {session.quoted(str(place.table))}")


def _check_table(place: Location) -> str:
    if place.table is None:
        raise OutputError(f"{place.public} names no table to write; needed: …#table")
    return place.table


def stage(place: Location, *, force: bool) -> Staged | StagedDatabase:
    """Room for a table: in a transaction of a database, or in a new file of one."""
    new = place.place != "postgresql" and not place.path.exists()
    return StagedDatabase(place) if new else Staged(place, force=force)


class Staged:
    """A table that is written in a transaction and not committed yet."""

    def __init__(self, place: Location, *, force: bool) -> None:
        self.place, self.name = place, _check_table(place)
        self.notes: list[Note] = []
        self.stack = contextlib.ExitStack()
        with _guarded(place, "written", OutputError):
            self.session = self.stack.enter_context(_connected(place, write=True))
            try:
                self._make_room(force=force)
            except BaseException:
                self.stack.close()
                raise

    def _make_room(self, *, force: bool) -> None:
        if not self.session.exists(self.name):
            return
        if not force:
            msg = f"the table {self.name!r} exists already; choose another, or allow it to be replaced (--force)"
            raise OutputError(msg)
        self.session.execute(f"DROP TABLE {self.session.quoted(self.name)}")
        if self.place.place == "duckdb":
            text = "DuckDB keeps the bytes of the table that was replaced in the file; copy the tables to a new file to hand it out"
            self.notes.append(Note(NoteKind.WRITING, text, public=True))

    def write(self, table: Table) -> list[Note]:
        """Write the release."""
        with _guarded(self.place, "written", OutputError):
            return self.notes + self.session.create(self.name, table)

    def read_back(self) -> Table:
        """Read it as anyone would."""
        with _guarded(self.place, "read back", OutputError):
            return self.session.read(f"SELECT * FROM {self.session.quoted(self.name)}").table

    def commit(self) -> None:
        """Publish it."""
        with _guarded(self.place, "written", OutputError):
            self.session.commit()

    def undo(self) -> None:
        """Nothing that was not committed stays; what was is the last of all."""

    def close(self) -> None:
        """End the connection."""
        self.stack.close()


class StagedDatabase:
    """A new database file with one table: made as every file is, and read back from there."""

    def __init__(self, place: Location) -> None:
        self.place, self.name = place, _check_table(place)
        self.file = StagedFile(place.path, force=False)
        self.commit, self.undo, self.close = self.file.commit, self.file.undo, self.file.close

    def write(self, table: Table) -> list[Note]:
        """Write the release."""
        make = sqlite_file if self.place.place == "sqlite" else duckdb_file
        with _guarded(self.place, "written", OutputError):
            return make(self.file.temporary, self.name, table)

    def read_back(self) -> Table:
        """Read it as anyone would."""
        place = self.file.temporary
        with _guarded(self.place, "read back", OutputError):
            session = (
                Sqlite.of_image(place.read_bytes()) if self.place.place == "sqlite" else DuckDB(str(place), write=False)
            )
            with contextlib.closing(session):
                return session.read(f"SELECT * FROM {session.quoted(self.name)}").table


@contextlib.contextmanager
def _guarded(place: Location, what: str, kind: type[CoveyError]) -> Iterator[None]:
    """Errors of drivers show statements and values: say less."""
    try:
        yield
    except (CoveyError, KeyboardInterrupt):
        raise
    except Exception as error:
        msg = f"{place.public} cannot be {what} ({type(error).__name__}); check the address, the table, your rights and the space on the disk"
        raise kind(msg) from None


@contextlib.contextmanager
def _connected(place: Location, *, write: bool) -> Iterator[Session]:
    session: Session
    if place.place == "postgresql":
        session = Postgres(place.address)
    else:
        if not write and not place.path.exists():
            raise InputError(f"there is no file {place.path.name!r}; needed: an existing database; check the path")
        session = Sqlite(str(place.path)) if place.place == "sqlite" else DuckDB(str(place.path), write=write)
    try:
        yield session
    finally:
        session.close()

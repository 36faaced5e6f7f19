"""Connections to SQLite, DuckDB and PostgreSQL with an open transaction, and how Arrow types become theirs."""

from __future__ import annotations

import contextlib
import datetime as dt
import decimal
import shutil
import sqlite3
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey.errors import InputError
from covey.io.inference import Found, find_times
from covey.io.loaded import Loaded
from covey.utils.arrow import Column, DataType, Table, pa
from covey.utils.extras import load
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Callable


def _quote(name: str) -> str:
    return ".".join(map(_quote_one, name.split(".")))


def _quote_one(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _definition(name: str, table: Table, type_of: Callable[[DataType], str]) -> str:
    """The statement that creates a table for an Arrow table."""
    columns = (f"{_quote_one(field.name)} {type_of(field.type)}" for field in table.schema)
    return f"CREATE TABLE {_quote(name)} ({', '.join(columns)})"


class _Connected:
    """A connection with an open transaction: what is not committed is gone when it is closed."""

    connection: Any
    quoted = staticmethod(_quote)

    def execute(self, statement: str) -> None:
        self.connection.execute(statement)

    def commit(self) -> None:
        self.connection.execute("COMMIT")

    def close(self) -> None:
        self.connection.close()


class Sqlite(_Connected):
    """SQLite, by the standard library."""

    def __init__(self, path: str) -> None:
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.execute("PRAGMA secure_delete = ON")  # a table that is replaced leaves nothing behind
        self.connection.execute("BEGIN")

    @classmethod
    def of_image(cls, image: bytes) -> Sqlite:
        """The database whose file holds these bytes."""
        session = cls(":memory:")
        session.connection.execute("COMMIT")
        session.connection.deserialize(image)
        return session

    def read(self, query: str) -> Loaded:
        cursor = self.connection.execute(query)
        names = [column[0] for column in cursor.description]
        rows = cursor.fetchall()
        columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
        noticed = Found()
        arrays = [_sqlite_column(name, values, noticed) for name, values in zip(names, columns, strict=True)]
        return Loaded(pa.table(arrays, names=names), notes=noticed.notes, texts=noticed.texts)

    def exists(self, name: str) -> bool:
        row = self.connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (name,)).fetchone()
        return row is not None

    def create(self, name: str, table: Table) -> list[Note]:
        self.connection.execute(_definition(name, table, _sqlite_type))
        marks = ", ".join("?" * table.num_columns)
        for batch in table.to_batches(max_chunksize=10_000):
            rows = zip(*(map(_sqlite_value, column.to_pylist()) for column in batch.columns), strict=True)
            self.connection.executemany(f"INSERT INTO {_quote(name)} VALUES ({marks})", rows)
        texts = [
            n
            for n, c in zip(table.column_names, table.columns, strict=True)
            if pa.types.is_temporal(c.type) or pa.types.is_decimal(c.type)
        ]
        text = f"SQLite has no dates and no decimals; written as text: {', '.join(texts)}"
        return [Note(NoteKind.WRITING, text, public=True)] if texts else []


def sqlite_file(path: Path, name: str, table: Table) -> list[Note]:
    """Write a database of one table; it is made in memory, so that no other file comes to be."""
    with contextlib.closing(Sqlite(":memory:")) as session:
        notes = session.create(name, table)
        session.commit()
        path.write_bytes(session.connection.serialize())
    return notes


def _sqlite_column(name: str, values: tuple[Any, ...], noticed: Found) -> Column:
    kinds = {type(value) for value in values} - {type(None)}
    if kinds <= {int}:
        return pa.array(values, type=pa.int64())
    if kinds <= {int, float}:
        return pa.array([None if value is None else float(value) for value in values], type=pa.float64())
    if kinds <= {str}:
        return find_times(name, pa.array(values, type=pa.string()), noticed)
    msg = f"column {name!r} of the database mixes types; needed: numbers or text; cast it in a query (--query)"
    raise InputError(msg)


def _sqlite_type(kind: DataType) -> str:
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        return "INTEGER"
    return "REAL" if pa.types.is_floating(kind) else "TEXT"


def _sqlite_value(value: object) -> object:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    return str(value) if isinstance(value, decimal.Decimal | dt.timedelta) else value


class DuckDB(_Connected):
    """DuckDB. Needs the extra `duckdb`."""

    def __init__(self, path: str, *, write: bool) -> None:
        self.connection = load("duckdb").connect(path, read_only=not write)
        if write:
            self.connection.execute("BEGIN TRANSACTION")

    def read(self, query: str) -> Loaded:
        return Loaded(self.connection.sql(query).to_arrow_table().replace_schema_metadata(None))

    def exists(self, name: str) -> bool:
        last = name.rsplit(".", maxsplit=1)[-1]
        query = "SELECT 1 FROM information_schema.tables WHERE table_name = ?"
        return self.connection.execute(query, [last]).fetchone() is not None

    def create(self, name: str, table: Table) -> list[Note]:
        self.connection.register("covey_release", table)
        self.connection.execute(f"CREATE TABLE {_quote(name)} AS SELECT * FROM covey_release")
        self.connection.unregister("covey_release")
        return []


def duckdb_file(path: Path, name: str, table: Table) -> list[Note]:
    """Write a database of one table. DuckDB logs beside its file, so that this is made in a private folder and copied."""
    with tempfile.TemporaryDirectory(prefix=".covey-") as private:
        whole = Path(private) / "database"
        with contextlib.closing(DuckDB(str(whole), write=True)) as session:
            notes = session.create(name, table)
            session.commit()
        shutil.copyfile(whole, path)
    return notes


class Postgres(_Connected):
    """PostgreSQL, by psycopg. Needs the extra `postgresql`."""

    def __init__(self, address: str) -> None:
        self.connection = load("psycopg").connect(address, connect_timeout=15)

    def read(self, query: str) -> Loaded:
        with self.connection.cursor() as cursor:
            cursor.execute(query)
            names = [column.name for column in cursor.description]
            oids = [column.type_code for column in cursor.description]
            rows = cursor.fetchall()
        columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
        arrays = [_postgres_column(oid, values) for oid, values in zip(oids, columns, strict=True)]
        return Loaded(pa.table(arrays, names=names))

    def exists(self, name: str) -> bool:
        with self.connection.cursor() as cursor:
            cursor.execute("SELECT to_regclass(%s)", (_quote(name),))
            return cursor.fetchone()[0] is not None

    def create(self, name: str, table: Table) -> list[Note]:
        self.connection.execute(_definition(name, table, _postgres_type))
        with self.connection.cursor() as cursor, cursor.copy(f"COPY {_quote(name)} FROM STDIN") as copy:
            for batch in table.to_batches(max_chunksize=10_000):
                for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                    copy.write_row(row)
        return []

    def commit(self) -> None:
        self.connection.commit()


Session = Sqlite | DuckDB | Postgres


def _postgres_column(oid: int, values: tuple[Any, ...]) -> Column:
    known = {
        16: pa.bool_(),
        21: pa.int16(),
        23: pa.int32(),
        20: pa.int64(),
        700: pa.float32(),
        701: pa.float64(),
        1082: pa.date32(),
        1083: pa.time64("us"),
        1114: pa.timestamp("us"),
        1184: pa.timestamp("us", "UTC"),
    }
    if oid in known:
        return pa.array(values, type=known[oid])
    if oid == 1700 and any(value is not None for value in values):
        return pa.array(values)
    return pa.array([None if value is None else str(value) for value in values], type=pa.string())


def _postgres_type(kind: DataType) -> str:
    t = pa.types
    tests = (
        (t.is_boolean, "boolean"),
        (t.is_int8, "smallint"),
        (t.is_int16, "smallint"),
        (t.is_int32, "integer"),
        (t.is_integer, "bigint"),
        (t.is_float32, "real"),
        (t.is_floating, "double precision"),
        (t.is_date, "date"),
        (t.is_time, "time"),
        (t.is_duration, "interval"),
    )
    for test, name in tests:
        if test(kind):
            return name
    if t.is_timestamp(kind):
        return "timestamp with time zone" if kind.tz else "timestamp"
    return f"numeric({kind.precision}, {kind.scale})" if t.is_decimal(kind) else "text"

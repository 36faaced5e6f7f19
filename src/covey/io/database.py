"""SQLite, DuckDB and PostgreSQL: a table or query in, a table out in one transaction."""

from __future__ import annotations

import contextlib
import datetime as dt
import decimal
import sqlite3
from typing import TYPE_CHECKING, Any, Protocol

from covey.errors import CoveyError, InputError, OutputError
from covey.extras import load
from covey.io.inference import infer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from covey.io.location import Location


def read(place: Location, query: str | None) -> dict[str, Any]:
    """Read a table, or the result of a query."""
    if (place.table is None) == (query is None):
        msg = f"{place.public} needs a table (…#table) or a query (--query), one of the two"
        raise InputError(msg)
    with _guarded(place, "read", InputError), _connected(place, write=False) as session:
        return {"table": session.read(query or f"SELECT * FROM {session.quoted(str(place.table))}")}


class Session(Protocol):
    """A connection with an open transaction."""

    def quoted(self, name: str) -> str:
        """A name as SQL."""

    def read(self, query: str) -> Any:
        """The result of a query as an Arrow table."""

    def exists(self, name: str) -> bool:
        """Whether there is such a table."""

    def execute(self, statement: str) -> None:
        """Run a statement."""

    def create(self, name: str, table: Any) -> list[str]:
        """Create a table and fill it; what there is to report."""

    def commit(self) -> None:
        """Make it so."""

    def close(self) -> None:
        """End the connection; what was not committed is gone."""


def _check_table(place: Location) -> str:
    if place.table is None:
        msg = f"{place.public} names no table to write; needed: …#table"
        raise OutputError(msg)
    return place.table


class Staged:
    """A table that is written in a transaction and not committed yet."""

    def __init__(self, place: Location, *, force: bool) -> None:
        self.place, self.name = place, _check_table(place)
        self.stack = contextlib.ExitStack()
        self.new = place.place != "postgresql" and not place.path.exists()
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

    def write(self, table: Any) -> list[str]:
        """Write the release."""
        with _guarded(self.place, "written", OutputError):
            return self.session.create(self.name, table)

    def read_back(self) -> Any:
        """Read it as anyone would."""
        with _guarded(self.place, "read back", OutputError):
            return self.session.read(f"SELECT * FROM {self.session.quoted(self.name)}")

    def commit(self) -> None:
        """Publish it."""
        with _guarded(self.place, "written", OutputError):
            self.session.commit()
        self.stack.close()

    def discard(self) -> None:
        """Leave everything as it was."""
        self.stack.close()
        if self.new:
            self.place.path.unlink(missing_ok=True)


@contextlib.contextmanager
def _guarded(place: Location, what: str, kind: type[CoveyError]) -> Iterator[None]:
    """Errors of drivers show statements and values: say less."""
    try:
        yield
    except (CoveyError, KeyboardInterrupt):
        raise
    except Exception as error:
        msg = f"{place.public} cannot be {what} ({type(error).__name__}); check the address, the table and your rights"
        raise kind(msg) from None


@contextlib.contextmanager
def _connected(place: Location, *, write: bool) -> Iterator[Session]:
    session: Session
    if place.place == "postgresql":
        session = _Postgres(place.address)
    else:
        if not write and not place.path.exists():
            msg = f"there is no file {place.path.name!r}; needed: an existing database; check the path"
            raise InputError(msg)
        session = _Sqlite(str(place.path)) if place.place == "sqlite" else _DuckDB(str(place.path), write=write)
    try:
        yield session
    finally:
        session.close()


def _quote(name: str) -> str:
    return ".".join('"' + part.replace('"', '""') + '"' for part in name.split("."))


class _Sqlite:
    def __init__(self, path: str) -> None:
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.execute("BEGIN")

    quoted = staticmethod(_quote)

    def read(self, query: str) -> Any:
        cursor = self.connection.execute(query)
        names = [column[0] for column in cursor.description]
        rows = cursor.fetchall()
        pa = load("pyarrow")
        columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
        return pa.table([_sqlite_column(pa, *pair) for pair in zip(names, columns, strict=True)], names=names)

    def exists(self, name: str) -> bool:
        found = self.connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (name,)).fetchone()
        return found is not None

    def execute(self, statement: str) -> None:
        self.connection.execute(statement)

    def create(self, name: str, table: Any) -> list[str]:
        pa = load("pyarrow")
        kinds = [_sqlite_type(pa, column.type) for column in table.columns]
        columns = ", ".join(f"{_quote_one(n)} {kind}" for n, kind in zip(table.column_names, kinds, strict=True))
        self.connection.execute(f"CREATE TABLE {_quote(name)} ({columns})")
        marks = ", ".join("?" * table.num_columns)
        for batch in table.to_batches(max_chunksize=10_000):
            rows = zip(*(map(_sqlite_value, column.to_pylist()) for column in batch.columns), strict=True)
            self.connection.executemany(f"INSERT INTO {_quote(name)} VALUES ({marks})", rows)
        texts = [
            n
            for n, c in zip(table.column_names, table.columns, strict=True)
            if pa.types.is_temporal(c.type) or pa.types.is_decimal(c.type)
        ]
        return [f"SQLite has no dates and no decimals; written as text: {', '.join(texts)}"] if texts else []

    def commit(self) -> None:
        self.connection.execute("COMMIT")

    def close(self) -> None:
        self.connection.close()


def _quote_one(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _sqlite_column(pa: Any, name: str, values: tuple[Any, ...]) -> Any:
    kinds = {type(value) for value in values} - {type(None)}
    if kinds <= {int}:
        return pa.array(values, type=pa.int64())
    if kinds <= {int, float}:
        return pa.array([None if value is None else float(value) for value in values], type=pa.float64())
    if kinds <= {str}:
        texts = pa.array(["" if value is None else value for value in values])
        typed = infer(pa.table({name: texts}), comma=False)[1][0]
        return typed if pa.types.is_temporal(typed.type) else pa.array(values, type=pa.string())
    msg = f"column {name!r} of the database mixes types; needed: numbers or text; cast it in a query (--query)"
    raise InputError(msg)


def _sqlite_type(pa: Any, kind: Any) -> str:
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        return "INTEGER"
    return "REAL" if pa.types.is_floating(kind) else "TEXT"


def _sqlite_value(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    return str(value) if isinstance(value, decimal.Decimal | dt.timedelta) else value


class _DuckDB:
    def __init__(self, path: str, *, write: bool) -> None:
        self.connection = load("duckdb").connect(path, read_only=not write)
        if write:
            self.connection.execute("BEGIN TRANSACTION")

    quoted = staticmethod(_quote)

    def read(self, query: str) -> Any:
        return self.connection.sql(query).to_arrow_table().replace_schema_metadata(None)

    def exists(self, name: str) -> bool:
        last = name.rsplit(".", maxsplit=1)[-1]
        query = "SELECT 1 FROM information_schema.tables WHERE table_name = ?"
        return self.connection.execute(query, [last]).fetchone() is not None

    def execute(self, statement: str) -> None:
        self.connection.execute(statement)

    def create(self, name: str, table: Any) -> list[str]:
        self.connection.register("covey_release", table)
        self.connection.execute(f"CREATE TABLE {_quote(name)} AS SELECT * FROM covey_release")
        self.connection.unregister("covey_release")
        return []

    def commit(self) -> None:
        self.connection.execute("COMMIT")

    def close(self) -> None:
        self.connection.close()


class _Postgres:
    def __init__(self, address: str) -> None:
        self.connection = load("psycopg").connect(address, connect_timeout=15)

    quoted = staticmethod(_quote)

    def read(self, query: str) -> Any:
        pa = load("pyarrow")
        with self.connection.cursor() as cursor:
            cursor.execute(query)
            names = [column.name for column in cursor.description]
            oids = [column.type_code for column in cursor.description]
            rows = cursor.fetchall()
        columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
        return pa.table([_postgres_column(pa, *pair) for pair in zip(oids, columns, strict=True)], names=names)

    def exists(self, name: str) -> bool:
        with self.connection.cursor() as cursor:
            cursor.execute("SELECT to_regclass(%s)", (_quote(name),))
            return cursor.fetchone()[0] is not None

    def execute(self, statement: str) -> None:
        self.connection.execute(statement)

    def create(self, name: str, table: Any) -> list[str]:
        pa = load("pyarrow")
        kinds = [_postgres_type(pa, column.type) for column in table.columns]
        columns = ", ".join(f"{_quote_one(n)} {kind}" for n, kind in zip(table.column_names, kinds, strict=True))
        self.connection.execute(f"CREATE TABLE {_quote(name)} ({columns})")
        with self.connection.cursor() as cursor, cursor.copy(f"COPY {_quote(name)} FROM STDIN") as copy:
            for batch in table.to_batches(max_chunksize=10_000):
                for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                    copy.write_row(row)
        return []

    def commit(self) -> None:
        self.connection.commit()

    def close(self) -> None:
        self.connection.close()


def _postgres_column(pa: Any, oid: int, values: tuple[Any, ...]) -> Any:
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


def _postgres_type(pa: Any, kind: Any) -> str:
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

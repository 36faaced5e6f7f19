"""Functions that run in executors, and what they may say: errors of Covey by their name, of others the type alone."""

from __future__ import annotations

import contextlib
import pickle
import re
from typing import TYPE_CHECKING, Any, cast

from covey import errors
from covey.errors import CoveyError, MissingExtraError, OptionError
from covey.spark.sql import types
from covey.spark.tasks import LANE, dealt, planned
from covey.utils.arrow import Table, pa

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pyspark.sql import DataFrame

_NAMED = re.compile(r"covey\.errors\.(\w+): (.*)")
_LACKING = re.compile(r"ModuleNotFoundError: No module named '(covey|numpy|pyarrow|pandas|narwhals)\b")
_SHIP = "install them on all nodes or ship an environment, and name its Python (PYSPARK_PYTHON): see the guide, Shipping Covey to executors"
TOGETHER = 2**16
"""Rows that a function gets at a time, at least, while there are some: whatever size of batch the session is set to."""


def map_batches(
    df: DataFrame, function: Callable[[Iterable[Table]], Iterable[Table]], schema: types.StructType | str
) -> DataFrame:
    """`mapInArrow` over tables, for columns of any name: PySpark itself stumbles over dots.

    Errors that are not of Covey's making lose their text, which could show values.
    """
    came, gone, plain = list(df.columns), *_plain(schema)

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        with _discretion():
            for table in function(table.rename_columns(came) for table in _together(batches)):
                yield from table.rename_columns(_numbered(gone)).to_batches()

    return df.toDF(*_numbered(came)).mapInArrow(run, plain).toDF(*gone)


def map_tables(df: DataFrame, function: Callable[[Table], Table], schema: types.StructType | str) -> DataFrame:
    """The same, table by table."""
    return map_batches(df, lambda tables: map(function, tables), schema)


def map_groups(
    df: DataFrame, key: str, function: Callable[[Table], Table], schema: types.StructType | str, groups: int
) -> DataFrame:
    """`applyInArrow` over the groups of a column, likewise. They are numbered from 0 to `groups` - 1, and dealt out to tasks evenly."""
    came, gone, plain = list(df.columns), *_plain(schema)

    def run(table: Table) -> Any:
        with _discretion():
            return function(table.drop_columns([LANE]).rename_columns(came)).rename_columns(_numbered(gone))

    number = _numbered(came)[came.index(key)]
    apart = dealt(df.toDF(*_numbered(came)), number, groups)
    return apart.groupBy(LANE, number).applyInArrow(run, plain).toDF(*gone)


def _together(batches: Iterable[Any]) -> Iterator[Table]:
    """Tables of several batches."""
    waiting: list[Any] = []
    for batch in batches:
        waiting.append(batch)
        if sum(map(len, waiting)) >= TOGETHER:
            yield pa.Table.from_batches(waiting).combine_chunks()
            waiting = []
    if waiting:
        yield pa.Table.from_batches(waiting).combine_chunks()


def _plain(schema: types.StructType | str) -> tuple[list[str], types.StructType]:
    """The names of a schema, and the schema with names that need no quotes."""
    struct = cast("types.StructType", types.StructType.fromDDL(schema)) if isinstance(schema, str) else schema
    fields = struct.fields
    numbered = _numbered([field.name for field in fields])
    safe = [types.StructField(name, field.dataType) for name, field in zip(numbered, fields, strict=True)]
    return [field.name for field in fields], types.StructType(safe)


def _numbered(names: list[str]) -> list[str]:
    return [f"c{place}" for place in range(len(names))]


@contextlib.contextmanager
def _discretion() -> Iterator[None]:
    try:
        yield
    except CoveyError:
        raise
    except Exception as error:  # noqa: BLE001
        msg = f"an executor failed with {type(error).__name__}; its message is withheld, since it could show values"
        raise CoveyError(msg) from None


def collect(df: DataFrame, tasks: int | None = None) -> list[Any]:
    """The few rows of a small dataframe, on the driver. Errors of executors become what they were there.

    With `tasks` the query, of tables that Covey made, has so many after a shuffle; those of users are planned as their session is set.
    """
    try:
        with contextlib.nullcontext() if tasks is None else planned(df.sparkSession, tasks):
            return list(df.collect())
    except CoveyError:
        raise
    except Exception as error:  # noqa: BLE001
        raise known_error(error) from None


def known_error(error: Exception) -> CoveyError:
    """The error of Covey that an executor raised, or what its Python lacks; for others what Spark calls them."""
    text = str(error)
    named = _NAMED.findall(text)
    if named:
        name, said = named[-1]
        kind = getattr(errors, name, CoveyError)
        return CoveyError(said) if not issubclass(kind, CoveyError) else kind(said)
    lacking = _LACKING.search(text)
    if lacking:
        return MissingExtraError(
            f"the Python of the executors has no package {lacking[1]}; needed: Covey and its packages there; {_SHIP}"
        )
    if "PYTHON_VERSION_MISMATCH" in text:
        return OptionError(
            f"the Python of the executors is of another version than that of the driver; needed: the same; {_SHIP}"
        )
    return CoveyError(f"Spark gave up with {type(error).__name__}; look into the logs of the cluster")


def packed(value: object) -> bytes:
    """A value on its way between driver and executors."""
    return pickle.dumps(value, protocol=5)


def unpacked(data: bytes | bytearray) -> Any:
    """The value again. Only what our own executors packed is ever read."""
    return pickle.loads(bytes(data))  # noqa: S301


def one_row(**values: object) -> Table:
    """A table of one row."""
    return pa.table({name: [value] for name, value in values.items()})

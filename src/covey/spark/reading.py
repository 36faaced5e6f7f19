"""Read a folder of Parquet or CSV files with Spark; text gets the type that all of its values have, as on one machine."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from covey.columns.dates import with_dates
from covey.columns.missing_codes import without_codes
from covey.errors import InputError, OptionError
from covey.io.header import check_names, check_values
from covey.io.inference import Declared, Found, TextColumn
from covey.io.listing import LOG_OF_DELTA
from covey.memory import as_text, with_types
from covey.spark.formats import READ, read_as, without_reader
from covey.spark.sensitive import quoted
from covey.spark.shipping import collect, map_batches, map_tables, one_row, packed, unpacked
from covey.spark.sql import functions, types
from covey.utils.arrow import Table, pa

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pyspark.sql import DataFrame, SparkSession

    from covey.recipe.recipe import Recipe
    from covey.utils.notes import Note

_NAMES = {
    "int64": "long",
    "double": "double",
    "bool": "boolean",
    "date32[day]": "date",
    "timestamp[us]": "timestamp_ntz",
    "timestamp[us, tz=UTC]": "timestamp",
}


@dataclass
class Folder:
    """A dataframe and what was noticed while reading it."""

    df: DataFrame
    notes: list[Note] = field(default_factory=list)
    mixed: dict[str, str] = field(default_factory=dict)
    """Columns of text that mostly look like numbers or dates: they must be declared."""
    texts: list[str] = field(default_factory=list)
    """Columns whose type tells less than their text; that stays beside them, named by `as_written`."""
    origin: dict[str, Any] = field(default_factory=dict)

    def settled(self, recipe: Recipe) -> tuple[Recipe, list[Note]]:
        """The recipe with a role for every column, and what to note; columns as they were written where they are published so."""
        names = [name for name in self.df.columns if name not in map(as_written, self.texts)]
        recipe, notes = with_types(recipe.settled(names), self.mixed, ())
        roles, notes = recipe.roles, [*self.notes, *notes]
        published = (*roles.keep, *roles.sensitive)
        columns = []
        for name in names:
            computed = name in (roles.weight, *recipe.coded_beside, *recipe.grid)
            computed = computed or (name in roles.quasi and name not in recipe.looked_up)
            text = name in self.texts and not computed
            columns.append(self.df[quoted(as_written(name) if text else name)].alias(name))
            if text and name in published:
                notes.append(as_text(name))
        self.df = self.df.select(*columns)
        return recipe, notes


def as_written(name: str) -> str:
    """The name of the column that holds the text of another."""
    return f"{name} as it was written"


def read_folder(
    session: SparkSession,
    path: str,
    *,
    format: str | None = None,  # noqa: A002
    header: bool | None = None,
    declared: Declared | None = None,
) -> Folder:
    """Read a folder, or one file, of Parquet or of CSV with a header, or a table of Delta; the files inside tell which."""
    kind = format or _kind(session, path)
    if kind not in READ:
        msg = f"the format is {kind!r}, which Spark does not read here; needed: one of {', '.join(READ)}"
        raise OptionError(msg)
    try:
        df = _csv(session.read, path, named=header is not False) if kind == "csv" else read_as(session, kind, path)
    except Exception as error:  # noqa: BLE001
        if unknown := without_reader(kind, error):
            raise unknown from None
        msg = f"{_name(path)!r} cannot be read as {kind} ({type(error).__name__}); needed: a folder of {kind} files"
        raise InputError(msg) from None
    folder = Folder(df, origin={"source": path})
    if kind == "csv":
        if header is None:
            check_names(_name(path), df.columns)
        typed, noticed = _typed(folder, declared or Declared())
        if header is None:
            check_values(_name(path), noticed, len(df.columns))
        return typed
    if header is not None:
        msg = f"header is given, and the table is {kind}, for which it has no meaning; leave it out"
        raise OptionError(msg)
    return folder


def with_declared(df: DataFrame, declared: Declared) -> Any:
    """A dataframe whose declared codes are missing, and whose declared dates are dates."""
    if not declared.missing_codes and not declared.dates:
        return df
    schema = types.StructType()
    for entry in df.schema.fields:
        kind = (
            types.DateType()
            if entry.name in declared.dates and entry.dataType.typeName() == "string"
            else entry.dataType
        )
        schema = schema.add(entry.name, kind)

    def read(table: Table) -> Table:
        return with_dates(without_codes(table, declared.missing_codes)[0], declared.dates)[0]

    return map_tables(df, read, schema)


def _csv(reader: Any, path: str, *, named: bool) -> Any:
    """The cells of CSV files as text; without names the columns are numbered."""
    df = reader.csv(path, header=named, nullValue="", escape='"')
    return df if named else df.toDF(*[f"column{number}" for number in range(1, len(df.columns) + 1)])


def _name(path: str) -> str:
    return path.rstrip("/").rsplit("/", 1)[-1]


def _kind(session: SparkSession, path: str) -> str:
    jvm: Any = session._jvm  # noqa: SLF001
    place = jvm.org.apache.hadoop.fs.Path(path)
    files = place.getFileSystem(session._jsc.hadoopConfiguration())  # noqa: SLF001
    if not files.exists(place):
        raise InputError(f"there is no {_name(path)!r}; needed: a folder of Parquet or CSV files")
    names = _names_in(files, place)
    if LOG_OF_DELTA in names:
        return "delta"
    kinds = {kind for kind in READ for name in names if name.endswith(f".{kind}")}
    if len(kinds) != 1:
        msg = f"{_name(path)!r} holds no Parquet or CSV files, or both; needed: files of one format; name it (format, --format)"
        raise InputError(msg)
    return kinds.pop()


def _names_in(files: Any, place: Any) -> list[str]:
    """The names in a folder, and in the first of each folder `column=value` inside."""
    entries = list(files.listStatus(place))
    names = [str(entry.getPath().getName()) for entry in entries]
    inner = [entry.getPath() for entry, name in zip(entries, names, strict=True) if entry.isDirectory() and "=" in name]
    return names + (_names_in(files, inner[0]) if inner else [])


def _typed(folder: Folder, declared: Declared) -> tuple[Folder, Found]:
    """Give each column of text the type that all of its values have: looked for in the partitions, by the rules of one file."""
    df = folder.df
    columns = [TextColumn(name, comma=False, decimal=None, declared=declared) for name in df.columns]
    for row in collect(map_batches(df, partial(_look, declared), "seen binary")):
        for column, seen in zip(columns, unpacked(row["seen"]), strict=True):
            column.take_over(*seen)
    noticed = Found()
    for column in columns:
        column.decide(noticed)
    folder.notes, folder.mixed = noticed.notes, noticed.mixed
    typed = [column for column in columns if column.attempt is not None]
    schema = _schema(df, typed)
    chosen = {one.name: one.attempt.pattern for one in typed if one.attempt}
    folder.df = df = map_tables(df, partial(_converted, chosen, declared), schema)
    looks = [functions.lit(0).alias("none")]
    for place, column in enumerate(typed):
        for what, name in (("values", column.name), ("texts", as_written(column.name))):
            looks.append(functions.count_distinct(df[quoted(name)]).alias(f"{place} {what}"))
    (seen,) = collect(df.agg(*looks))
    fewer = [one.name for at, one in enumerate(typed) if seen[f"{at} values"] < seen[f"{at} texts"] or one.loses_form]
    folder.texts = fewer
    kept = [
        name for one in columns for name in (one.name, as_written(one.name)) if name == one.name or one.name in fewer
    ]
    folder.df = df.select(*[df[quoted(name)] for name in kept])
    return folder, noticed


def _look(declared: Declared, batches: Iterable[Any]) -> Iterator[Any]:
    """What the columns of a partition look like."""
    columns: list[TextColumn] = []
    for table in batches:
        names = table.column_names
        columns = columns or [TextColumn(name, comma=False, decimal=None, declared=declared) for name in names]
        for column in columns:
            column.look(_text(table, column.name))
    if columns:
        yield one_row(seen=packed([column.seen() for column in columns]))


def _converted(chosen: Mapping[str, str], declared: Declared, table: Table) -> Table:
    """Columns in their types, each beside its text without what is missing."""
    columns = {}
    for name in table.column_names:
        reader = TextColumn(name, comma=False, decimal=None, declared=declared)
        reader.choose(chosen.get(name))
        text = _text(table, name)
        columns[name] = reader.typed(text)
        if name in chosen:
            columns[as_written(name)] = reader.known(text)
    return pa.table(columns)


def _text(table: Table, name: str) -> Any:
    """A column of text; an empty cell is an empty text here."""
    return table.column(name).combine_chunks().fill_null("")


def _schema(df: DataFrame, typed: list[TextColumn]) -> Any:
    names = {one.name: _NAMES[str(one.typed(pa.array([], pa.string())).type)] for one in typed}
    schema = types.StructType()
    for name in df.columns:
        schema = schema.add(name, names.get(name, "string"))
        schema = schema.add(as_written(name), "string") if name in names else schema
    return schema

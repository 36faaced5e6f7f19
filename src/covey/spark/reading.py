"""Read a folder of Parquet or CSV files with Spark; text gets the type that all of its values have, as on one machine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from covey.errors import InputError, OptionError
from covey.extras import load
from covey.io.inference import BOOLEAN, DATE, INTEGER, MISSING, NUMBER, TIME, ZONE
from covey.spark.judging import quoted

if TYPE_CHECKING:
    from covey.recipe import Recipe

FORMATS = ("parquet", "csv")
_TYPES = {
    INTEGER: "bigint",
    NUMBER: "double",
    BOOLEAN: "boolean",
    DATE: "date",
    f"{TIME}$": "timestamp_ntz",
    f"{TIME}{ZONE}": "timestamp",
}
_CODES = "^0[0-9]+$"


@dataclass
class Folder:
    """A dataframe and what was noticed while reading it."""

    df: Any
    notes: list[str] = field(default_factory=list)
    mixed: dict[str, str] = field(default_factory=dict)
    """Columns of text that mostly look like numbers or dates: they must be declared."""
    texts: list[str] = field(default_factory=list)
    """Columns whose type tells less than their text; that stays beside them, named by `as_written`."""
    origin: dict[str, Any] = field(default_factory=dict)

    def settled(self, recipe: Recipe) -> tuple[Recipe, list[str]]:
        """The recipe with a role for every column, and what to note; columns as they were written where they are published so."""
        names = [name for name in self.df.columns if name not in map(as_written, self.texts)]
        recipe = recipe.with_changes(roles=recipe.roles.settle(names, drop_rest=recipe.drop_rest), drop_rest=False)
        roles, notes = recipe.roles, list(self.notes)
        published = (*roles.keep, *roles.sensitive)
        for name, why in self.mixed.items():
            if name in roles.quasi and name not in (*recipe.nominal, *recipe.ordinal):
                msg = (
                    f"the quasi-identifier {name!r} mixes types: {why}; needed: one type; correct the values, or declare it a "
                    "category (nominal, --nominal)"
                )
                raise InputError(msg)
            notes += [f"column {name!r} mixes types and is published as text: {why}"] if name in published else []
        columns = []
        for name in names:
            text = name in self.texts and name not in roles.quasi and name != roles.weight
            columns.append(self.df[quoted(as_written(name) if text else name)].alias(name))
            if text and name in published:
                notes.append(f"column {name!r} is published as text, as it was written")
        self.df = self.df.select(*columns)
        return recipe, notes


def as_written(name: str) -> str:
    """The name of the column that holds the text of another."""
    return f"{name} as it was written"


def read_folder(session: Any, path: str, *, format: str | None = None) -> Folder:  # noqa: A002
    """Read a folder, or one file, of Parquet or of CSV with a header; the suffix, or the files inside, tell which."""
    kind = format or _kind(session, path)
    if kind not in FORMATS:
        msg = f"the format is {kind!r}, which Spark does not read here; needed: one of {', '.join(FORMATS)}"
        raise OptionError(msg)
    reader = session.read
    try:
        df = reader.parquet(path) if kind == "parquet" else reader.csv(path, header=True, nullValue="", escape='"')
    except Exception as error:  # noqa: BLE001
        msg = f"{_name(path)!r} cannot be read as {kind} ({type(error).__name__}); needed: a folder of {kind} files"
        raise InputError(msg) from None
    found = Folder(df, origin={"source": path})
    return _typed(found) if kind == "csv" else found


def _name(path: str) -> str:
    return path.rstrip("/").rsplit("/", 1)[-1]


def _kind(session: Any, path: str) -> str:
    place = session._jvm.org.apache.hadoop.fs.Path(path)  # noqa: SLF001
    files = place.getFileSystem(session._jsc.hadoopConfiguration())  # noqa: SLF001
    if not files.exists(place):
        msg = f"there is no {_name(path)!r}; needed: a folder of Parquet or CSV files"
        raise InputError(msg)
    names = [status.getPath().getName() for status in files.listStatus(place)]
    kinds = {kind for kind in FORMATS for name in names if name.endswith(f".{kind}")}
    if len(kinds) != 1:
        msg = f"{_name(path)!r} holds no Parquet or CSV files, or both; needed: files of one format; name it (format, --format)"
        raise InputError(msg)
    return kinds.pop()


def _typed(found: Folder) -> Folder:
    """Give each column of text its type. One pass counts what values look like, another what a conversion would lose."""
    functions, df = load("pyspark.sql.functions"), found.df
    known = {name: _known(functions, df, name) for name in df.columns}
    counts = [functions.count(column).alias(f"{place} filled") for place, column in enumerate(known.values())]
    for place, column in enumerate(known.values()):
        for number, pattern in enumerate((*_TYPES, _CODES)):
            counts.append(functions.count_if(column.rlike(pattern)).alias(f"{place} {number}"))
        counts.append(
            functions.count_if(functions.trim(df[quoted(df.columns[place])]).isin(*MISSING)).alias(f"{place} marks")
        )
    counted = df.agg(*counts).first().asDict()
    types = {}
    for place, name in enumerate(df.columns):
        kind = _type_of(found, name, [counted[f"{place} {number}"] for number in range(7)], counted[f"{place} filled"])
        if kind is not None:
            types[name] = kind
            if counted[f"{place} marks"]:
                found.notes.append(
                    f"column {name!r}: {counted[f'{place} marks']} cells such as NA or null were read as missing"
                )
    return _converted(found, known, types)


def _known(functions: Any, df: Any, name: str) -> Any:
    text = functions.trim(df[quoted(name)])
    return functions.when((text != "") & ~text.isin(*MISSING), text)


def _type_of(found: Folder, name: str, matches: list[int], filled: int) -> str | None:
    *likely, codes = matches
    if filled == 0:
        return None
    for kind, number in zip(_TYPES.values(), likely, strict=True):
        if number == filled:
            return kind
    if not codes and 0.5 * filled < max(likely) < filled:
        found.mixed[name] = f"{max(likely)} of {filled} values are numbers or dates of one kind, the others are not"
    return None


def _converted(found: Folder, known: dict[str, Any], types: dict[str, str]) -> Folder:
    """Convert; where two texts become one value, the text stays beside it; where some cannot be converted, all stay text."""
    functions, df = load("pyspark.sql.functions"), found.df
    casts = {name: functions.ltrim(known[name], functions.lit("+")).try_cast(kind) for name, kind in types.items()}
    looks = [functions.lit(0).alias("none")]
    for place, (name, cast) in enumerate(casts.items()):
        looks.append(functions.count_if(cast.isNull() & known[name].isNotNull()).alias(f"{place} lost"))
        looks.append(functions.count_if(known[name].startswith("+")).alias(f"{place} signs"))
        looks.append(functions.count_distinct(known[name]).alias(f"{place} texts"))
        looks.append(functions.count_distinct(cast).alias(f"{place} values"))
    seen = df.agg(*looks).first().asDict()
    columns = []
    for name in df.columns:
        place = list(casts).index(name) if name in casts else -1
        if place < 0 or seen[f"{place} lost"]:
            if place >= 0:
                found.mixed[name] = "they look alike, but some are no such number, day or time"
            text = df[quoted(name)]
            columns.append(functions.when(text != "", text).alias(name))
            continue
        columns.append(casts[name].alias(name))
        if seen[f"{place} values"] < seen[f"{place} texts"] or seen[f"{place} signs"]:
            found.texts.append(name)
            columns.append(df[quoted(name)].alias(as_written(name)))
    found.df = df.select(*columns)
    return found

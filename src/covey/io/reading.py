"""Read a table from wherever it is."""

from __future__ import annotations

import contextlib
import shutil
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from covey.columns.dates import with_dates
from covey.columns.missing_codes import code_notes, without_codes
from covey.errors import CoveyError, InputError, OptionError
from covey.io import columnar, database, delimited, excel, statistical
from covey.io.inference import Declared
from covey.io.location import Location, locate
from covey.io.staging import StagedFile, writing
from covey.utils.names import refuse_blanks, refuse_doubles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from covey.io.loaded import Loaded
    from covey.utils.arrow import Table

    Answer = TypeVar("Answer")


_READERS: dict[str, Callable[[Path], Loaded]] = {
    "csv": delimited.read,
    "tsv": delimited.read,
    "parquet": columnar.read_parquet,
    "jsonl": columnar.read_json_lines,
    "arrow": columnar.read_arrow,
    "xlsx": excel.read,
    **{kind: partial(statistical.read, kind=kind) for kind in ("sav", "por", "dta", "xpt", "sas7bdat")},
}
_TEXT = ("csv", "tsv")
_STRANGERS: dict[str, Callable[[Path], Table]] = {
    "csv": delimited.read_text,
    "tsv": lambda path: delimited.read_text(path, "\t"),
    "jsonl": columnar.read_json_text,
}


def read(
    given: str | Path,
    *,
    format: str | None = None,  # noqa: A002
    query: str | None = None,
    decimal: str | None = None,
    header: bool | None = None,
    missing_codes: Mapping[str, Sequence[str]] | None = None,
    dates: Mapping[str, str] | None = None,
) -> Loaded:
    """Read a file (by its suffix), standard input (`-`) or a table or query of a database.

    Formats and URLs: the page on files and databases. Nothing is guessed in silence: `notes` says what was noticed.

    Parameters
    ----------
    given
        A path, `-`, or the URL of a database with its table.
    format
        Where the suffix does not tell.
    query
        Of a database, in place of a table.
    decimal
        The decimal sign of a text file, where looking at it does not tell.
    header
        Whether the first line of a text file names its columns; without names they are column1, column2, ... An error where it is
        not given and the names look like values.
    missing_codes, dates
        As in `covey.Recipe`: values that stand for a missing one, and the forms in which dates are written.

    Returns
    -------
    Loaded
        The table as Arrow, and what was noticed.

    Raises
    ------
    InputError
        It cannot be read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import covey
    >>> from covey.io import read
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "stays.csv"
    ...     covey.datasets.load_patients().to_csv(path, index=False)
    ...     read(path).table.num_rows
    3000
    """
    if decimal not in (None, ".", ","):
        raise OptionError(f"decimal is {decimal!r}; needed: '.' or ','")
    declared = Declared(missing_codes or {}, dates or {})
    options = {"decimal": decimal, "header": header, "declared": declared}
    place = locate(given, format=format)
    if query is not None and place.place in ("file", "stream"):
        raise InputError("a query is given, and the table is a file; needed: a database URL; leave the query out")
    if place.place == "stream":
        with spooled() as path:
            loaded = _from_file(replace(place, place="file", path=path), "standard input", options)
    elif place.place == "file":
        loaded = _from_file(place, place.path.name, options)
    else:
        check_text(place, options)
        loaded = database.read(place, query)
    origin = {"source": place.public, "format": place.format} | ({"query": query} if query else {})
    loaded = replace(loaded, origin=origin)
    check_columns(loaded.table.column_names)
    if place.format in _TEXT and place.place in ("file", "stream"):
        return replace(loaded, declared=declared)
    return with_declared(loaded, declared)


def with_declared(loaded: Loaded, declared: Declared) -> Loaded:
    """The table with its declared codes missing and its declared dates read, but for those it was read with."""
    done = loaded.declared
    codes = {
        name: c for name, c in declared.missing_codes.items() if tuple(done.missing_codes.get(name, ())) != tuple(c)
    }
    dates = {name: form for name, form in declared.dates.items() if done.dates.get(name) != form}
    table, coded = without_codes(loaded.table, codes)
    table, notes = with_dates(table, dates)
    texts = {name: text for name, text in loaded.texts.items() if name not in (*codes, *dates)}
    mixed = {name: why for name, why in loaded.mixed.items() if name not in dates}
    notes = [*loaded.notes, *code_notes(coded), *notes]
    return replace(loaded, table=table, texts=texts, mixed=mixed, notes=notes, declared=declared)


def read_published(given: str | Path | Location, *, format: str | None = None) -> Table:  # noqa: A002
    """Read a published table as a stranger would: text formats as text, others as they are.

    Parameters
    ----------
    given
        A path, `-`, or the URL of a database with its table.
    format
        Where the suffix does not tell.

    Returns
    -------
    pyarrow.Table
        As a stranger sees it.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import covey
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     published = pathlib.Path(folder) / "published.csv"
    ...     covey.datasets.load_patients().to_csv(published, index=False)
    ...     covey.io.read_published(published).schema.field("age").type
    DataType(string)
    """
    place = given if isinstance(given, Location) else locate(given, format=format)
    if place.place in ("sqlite", "duckdb", "postgresql"):
        return database.read(place, None).table
    if place.place == "stream":
        with spooled() as path:
            return read_published(replace(place, place="file", path=path))
    reader = _STRANGERS.get(place.format)
    if reader is None:
        return _from_file(place, place.path.name, {}).table
    return guarded(place.path.name, lambda: reader(place.path))


def check_text(place: Location, options: Mapping[str, Any]) -> None:
    """An error for options of text files that are given for another format."""
    for name in ("decimal", "header"):
        if options.get(name) is not None and place.format not in _TEXT:
            raise OptionError(
                f"{name} is given, and the table is {place.format}, where nothing is left to say of that; leave it out"
            )


def _from_file(place: Location, name: str, options: Mapping[str, Any]) -> Loaded:
    reader = _READERS[place.format]
    check_text(place, options)
    if place.format in _TEXT:
        reader = partial(delimited.read, delimiter="\t" if place.format == "tsv" else None, **options)

    def read_all() -> Loaded:
        with place.path.open("rb"):  # a file that is not there is an error of its own, whatever the reader
            return reader(place.path)

    return guarded(name, read_all, place.format)


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


def check_columns(names: Sequence[str]) -> None:
    """An error where columns are not named, each by a name of its own, or where there are none."""
    refuse_doubles(names)
    refuse_blanks(names)
    if not names:
        raise InputError("the table has no columns; needed: at least one")


@contextlib.contextmanager
def spooled() -> Iterator[Path]:
    """Standard input as a temporary file that is gone afterwards, whatever happens."""
    kept = StagedFile(Path("-"), force=False)
    try:
        with writing(kept.temporary), kept.temporary.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        yield kept.temporary
    finally:
        kept.close()

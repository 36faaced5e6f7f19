"""Read a table from wherever it is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from covey.columns.dates import with_dates
from covey.columns.missing_codes import code_notes, without_codes
from covey.errors import InputError, OptionError
from covey.io import columnar, database, delimited, excel, statistical
from covey.io.inference import Declared
from covey.io.inputs import Inputs, guarded, opened
from covey.io.location import Location, locate
from covey.utils.names import refuse_blanks, refuse_doubles

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from covey.io.loaded import Loaded
    from covey.utils.arrow import Table


_READERS: dict[str, Callable[[Inputs, Declared], Loaded]] = {
    "parquet": columnar.read_parquet,
    "jsonl": columnar.read_json_lines,
    "arrow": columnar.read_arrow,
    **dict.fromkeys(("sav", "por", "dta", "xpt", "sas7bdat"), lambda inputs, _declared: statistical.read(inputs)),
}
_TEXT = ("csv", "tsv")
_SAID_OF = {"decimal": _TEXT, "header": (*_TEXT, "xlsx")}
"""Of which formats something may be said."""
_STRANGERS: dict[str, Callable[[Inputs, bool | None], Table]] = {
    "csv": lambda inputs, header: delimited.read_text(inputs, header=header),
    "tsv": lambda inputs, header: delimited.read_text(inputs, "\t", header=header),
    "jsonl": lambda inputs, _: columnar.read_json_text(inputs),
    "xlsx": lambda inputs, header: excel.read(inputs, header=header).table,
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
    """Read a file (by its suffix), a folder or a pattern of files, standard input (`-`), or a table or query of a database.

    Files may be far away (https://, s3://, gs:// and what fsspec knows) and compressed. Formats and URLs: the page on files and databases. Nothing is guessed in silence: `notes` says what was noticed.

    Parameters
    ----------
    given
        A path, a folder, a pattern (`people/*.csv.gz`), `-`, or the URL of a file or of a database with its table.
    format
        Where the suffix does not tell.
    query
        Of a database, in place of a table.
    decimal
        The decimal sign of a text file, where looking at it does not tell.
    header
        Whether the first line of a text file, or the first row of a workbook, names its columns; without names they are column1, column2, ... An error where it is
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
    if query is not None and place.is_input_file:
        raise InputError("a query is given, and the table is a file; needed: a database URL; leave the query out")
    if place.format:
        check_text(place.format, options)
    if place.is_input_file:
        with opened(place) as inputs:
            loaded, form = _from_files(inputs, options), inputs.format
    else:
        loaded, form = database.read(place, query), place.format
    origin = {"source": place.public, "format": form} | ({"query": query} if query else {})
    loaded = replace(loaded, origin=origin)
    check_columns(loaded.table.column_names)
    if form in _TEXT:
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


def read_published(
    given: str | Path | Location,
    *,
    format: str | None = None,  # noqa: A002
    header: bool | None = True,
) -> Table:
    """Read a published table as a stranger would: text formats as text, others as they are.

    Parameters
    ----------
    given
        What `read` takes.
    format
        Where the suffix does not tell.
    header
        Whether the first line of a text file, or the first row of a workbook, names its columns; None: an error where it looks like a record.

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
    if not place.is_input_file:
        return database.read(place, None).table
    with opened(place) as inputs:
        return published(inputs, header=header)


def published(inputs: Inputs, *, header: bool | None = True) -> Table:
    """The table in files, as a stranger would read it."""
    reader = _STRANGERS.get(inputs.format)
    if reader is None:
        return _from_files(inputs, {}).table
    return guarded(inputs.name, lambda: reader(inputs, header))


def check_text(form: str, options: Mapping[str, Any]) -> None:
    """An error for options of text files, and of workbooks, that are given for another format."""
    for name, formats in _SAID_OF.items():
        if options.get(name) is not None and form not in formats:
            raise OptionError(f"{name} is given, and the table is {form}, for which it has no meaning; leave it out")


def _from_files(inputs: Inputs, options: Mapping[str, Any]) -> Loaded:
    check_text(inputs.format, options)

    def read_all() -> Loaded:
        if inputs.format in _TEXT:
            return delimited.read(inputs, delimiter="\t" if inputs.format == "tsv" else None, **options)
        if inputs.format == "xlsx":
            return excel.read(inputs, header=options.get("header"))
        return _READERS[inputs.format](inputs, options.get("declared") or Declared())

    loaded = guarded(inputs.name, read_all, inputs.format)
    return replace(loaded, notes=[*inputs.notes, *loaded.notes])


def check_columns(names: Sequence[str]) -> None:
    """An error where columns are not named, each by a name of its own, or where there are none."""
    refuse_doubles(names)
    refuse_blanks(names)
    if not names:
        raise InputError("the table has no columns; needed: at least one")

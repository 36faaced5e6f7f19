"""Some rows of a table as text, as a file would hold them: of a release, and of the original, where identifiers are masked."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from covey.columns.profile import NESTED, type_in_words
from covey.io.delimited import Cells, append
from covey.io.inputs import opened
from covey.io.location import locate
from covey.utils.arrow import pa, parquet

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from covey.io import Loaded
    from covey.utils.arrow import Table

SHOWN = 10
MASK = "•••"
HIDDEN = "…"
"""What stands for lists and structures."""


@dataclass(frozen=True)
class Rows:
    """Names of columns, and cells as text, row by row."""

    names: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]

    def masked(self, columns: Collection[str]) -> Rows:
        """The same rows without what these columns hold.

        >>> Rows(("name", "age"), (("Ann", "30"),)).masked(["name"]).cells
        (('•••', '30'),)
        """
        hidden = [name in columns for name in self.names]
        cells = (tuple(MASK if hide else cell for hide, cell in zip(hidden, row, strict=True)) for row in self.cells)
        return replace(self, cells=tuple(cells))


def first_rows(table: Table, *, decimal: str = ".", formulas: str = "keep") -> Rows:
    """The first rows of an Arrow table, written as a text file holds them; an empty cell is a missing value.

    >>> import pyarrow
    >>> first_rows(pyarrow.table({"age": [30, None], "income": [1.5, 2.5]}), decimal=",").cells
    (('30', '1,5'), ('', '2,5'))
    """
    table, file = table.slice(0, SHOWN), io.BytesIO()
    for place, name in enumerate(table.column_names):
        if type_in_words(table.schema.field(name).type) == NESTED:
            table = table.set_column(place, name, pa.array([HIDDEN] * table.num_rows))
    append(table, file, decimal=decimal, formulas=formulas)
    names, *cells = csv.reader(io.StringIO(file.getvalue().decode("utf-8"), newline=""))
    return Rows(tuple(names), tuple(tuple(row) or ("",) for row in cells))


def original_rows(loaded: Loaded, masked: Collection[str]) -> Rows:
    """The first rows of a table that was read, as they were written, without what identifiers hold."""
    table = loaded.table.slice(0, SHOWN)
    for name, text in loaded.texts.items():
        table = table.set_column(table.column_names.index(name), name, text.slice(0, SHOWN))
    return first_rows(table, decimal=loaded.dialect.get("decimal", ".")).masked(masked)


def written_rows(target: Path, table: Table | None) -> Rows:
    """The first rows of a release: of a text file as they stand there; else of the table that was written, or of its Parquet file."""
    if locate(target).format in ("csv", "tsv"):
        with opened(locate(target)) as inputs:
            delimiter = "\t" if inputs.format == "tsv" else None
            return first_rows(next(iter(Cells(inputs, delimiter, header=True))))
    if table is not None:
        return first_rows(table)
    with parquet.ParquetFile(target) as file:
        return first_rows(pa.Table.from_batches([next(file.iter_batches(SHOWN))]))

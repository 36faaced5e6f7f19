"""The recount of a release that is larger than memory: by DuckDB, on the file as it was written.

Like `covey.recount.classes` this looks at released values alone and imports nothing of the code that makes groups.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from typing import TYPE_CHECKING

import numpy as np

from covey.core.requirement import CLOSENESS, Requirement
from covey.errors import CoveyError, OutputError
from covey.recount.classes import Recount, refuse_lost, refuse_missing, refuse_small
from covey.recount.links import Links, columns_of, few_of
from covey.recount.requirements import Held, Order, held_of
from covey.utils.arrow import Array, pa, parquet
from covey.utils.extras import load

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from covey.utils.typing import Codes

UNIT, SPELLED = "unit_of_row", "unit_as_written"
FILE, FILE_ROW = "file_of_row", "row_of_file"
ROW_NUMBER = "file_row_number"
"""What DuckDB calls the number of a row in its file."""
UNITS_OF_ROWS = ("\0unit", "\0unit as written")
"""The names of columns of units beside others: no column of a release has them."""
TRACK = "\0track"
"""The name of a column that numbers what is seen of linked units."""
BATCH_ROWS = 2_000_000
"""Rows whose sensitive values are looked at at a time."""


@contextlib.contextmanager
def counting(memory: int, folder: Path | None) -> Iterator[DuckDBPyConnection]:
    """A connection that may take so much memory; what does not fit goes to a private folder, gone afterwards."""
    duckdb = load("duckdb")
    with tempfile.TemporaryDirectory(prefix=".covey-", dir=folder, ignore_cleanup_errors=True) as private:
        con = duckdb.connect(":memory:", config={"temp_directory": private, "memory_limit": f"{memory // 2**20}MiB"})
        try:
            con.execute(f"SET threads = {max(1, min(os.cpu_count() or 1, memory // 2**28))}")
            con.execute("SET preserve_insertion_order = false")
            con.execute("SET autoinstall_known_extensions = false")
            yield con
        except duckdb.Error as error:
            raise _said(error) from None
        finally:
            con.close()


def _said(error: Exception) -> CoveyError:
    """What went wrong, without a value of the table."""
    if "space" in str(error).lower() or "max_temp_directory_size" in str(error):
        return OutputError("the recount has no room: the disk is full; make room, or allow more memory (--memory)")
    if "memory" in type(error).__name__.lower():
        return OutputError("the recount does not fit the memory it was given; allow more (--memory)")
    return OutputError(f"the recount failed ({type(error).__name__}); nothing was written")


class Released:
    """A released table as a file, and what is counted on it.

    Columns are addressed by their places, c0, c1, ...: DuckDB takes names for the same that differ in case only.
    """

    def __init__(self, con: DuckDBPyConnection, table: str, columns: Sequence[str], units: Path | None) -> None:
        self.con, self.columns = con, list(columns)
        if units is not None:
            table = (
                f"(SELECT * FROM {table} POSITIONAL JOIN read_parquet({_text(str(units))}) AS units({UNIT}, {SPELLED}))"
            )
        self.table = table

    @classmethod
    def of_parquet(cls, con: DuckDBPyConnection, path: Path, units: Path | None = None) -> Released:
        """A Parquet file; `units` is one with columns of the numbers of the rows' units, as read and as written, in the same order."""
        names = parquet.read_schema(str(path)).names
        places = ", ".join(f"c{place}" for place in range(len(names)))
        return cls(con, f"(SELECT * FROM read_parquet({_text(str(path))}) AS released({places}))", names, units)

    @classmethod
    def of_folder(
        cls,
        con: DuckDBPyConnection,
        files: Sequence[tuple[Path, Mapping[str, str | None]]],
        columns: Sequence[str],
        units: Path | None = None,
    ) -> Released:
        """Parquet files, each with the values of the columns that the names of folders tell.

        `units` is a Parquet file with the numbers of the rows' units, beside the file and the number in it of each row.
        """
        own = parquet.read_schema(str(files[0][0])).names
        paths = [str(path) for path, _ in files]
        values = {f"c{len(own) + number}": [texts[name] for _, texts in files] for number, name in enumerate(columns)}
        con.register(
            "told", pa.table({FILE: paths} | {name: pa.array(one, pa.string()) for name, one in values.items()})
        )
        beside = [*([FILE_ROW] if units else []), FILE]  # in the order in which DuckDB puts them behind the others
        places = ", ".join([*(f"c{place}" for place in range(len(own))), *beside])
        options = f"filename = '{UNITS_OF_ROWS[0]}', file_row_number = {units is not None}"
        table = (
            f"read_parquet([{', '.join(map(_text, paths))}], {options}) AS released({places}) JOIN told USING ({FILE})"
        )
        if units is not None:
            table += f" JOIN read_parquet({_text(str(units))}) AS units USING ({FILE}, {FILE_ROW})"
        return cls(con, f"(SELECT * EXCLUDE ({', '.join(beside)}) FROM {table})", [*own, *columns], None)

    @classmethod
    def of_text(
        cls,
        con: DuckDBPyConnection,
        path: Path,
        names: Sequence[str],
        delimiter: str,
        units: Path | None = None,
        longest: int = 0,
        compression: str | None = None,
    ) -> Released:
        """A CSV file with these columns, every cell as text; `longest` is the length of its longest line."""
        places = ", ".join(f"'c{place}': 'VARCHAR'" for place in range(len(names)))
        line = max(2**21, 2 * longest)
        options = (
            f"columns = {{{places}}}, header = true, auto_detect = false, delim = {_text(delimiter)}, quote = '\"', "
            f"escape = '\"', compression = '{compression or 'none'}', parallel = false, max_line_size = {line}, buffer_size = {max(2**25, 2 * line)}"
        )
        return cls(con, f"read_csv({_text(str(path))}, {options})", names, units)

    def _place(self, name: str) -> str:
        return f"c{self.columns.index(name)}"

    def verify(
        self,
        columns: Sequence[str],
        k: int,
        rows: int,
        *,
        units: bool = False,
        linked: bool = False,
        ids: str | None = None,
    ) -> Recount:
        """Count the classes over these columns, in units where there are some, and refuse the table if one is below k.

        Units that are `linked` are counted by all of their rows; `ids` is the column with their published ids, where there is one.
        """
        refuse_missing(columns, self.columns)
        have = int(self.con.execute(f"SELECT count(*) FROM {self.table}").fetchall()[0][0])
        refuse_lost(have, rows)
        what = f"count(DISTINCT {UNIT})" if units else "count(*)"
        by = ", ".join(self._place(name) for name in columns)
        counted = self._histogram(f"SELECT {what} AS size FROM {self.table} GROUP BY {by}", rows)
        if linked and counted.k >= k:
            counted = self._tracks(columns, UNIT if ids is None else self._place(ids), rows)
        refuse_small(counted, k, columns, "units" if units or linked else "records")
        return counted

    def _tracks(self, columns: Sequence[str], unit: str, rows: int) -> Recount:
        """Units counted by what an observer of all their rows sees."""
        by = ", ".join(self._place(name) for name in columns)
        track = f"SELECT list_sort(list(row({by}))) AS track FROM {self.table} GROUP BY {unit}"
        return self._histogram(f"SELECT count(*) AS size FROM ({track}) GROUP BY track", rows)

    def links(self, k: int) -> Links:
        """What links the rows of units whose ids are not published: see `covey.recount.links`."""
        values = [self._place(name) for name in self.columns]
        same = ", ".join(
            f"min({c}) IS NOT DISTINCT FROM max({c}) AND count({c}) IN (0, count(*)) AS {c}" for c in values
        )
        several = f"SELECT {UNIT}, {same} FROM {self.table} GROUP BY {UNIT} HAVING count(*) > 1"
        sums = ", ".join(f"coalesce(sum({c}::BIGINT), 0)" for c in values)
        units, *alike = map(int, self.con.execute(f"SELECT count(*), {sums} FROM ({several})").fetchall()[0])
        columns = columns_of(self.columns, alike, units) if units else []
        if not columns:
            return Links((), 0, units)
        by = f"hash({', '.join(self._place(name) for name in columns)})"
        pairs = f"SELECT {UNIT}, {by} AS class, count(*) AS number FROM {self.table} GROUP BY 1, 2"
        counted = self.con.execute(
            f"WITH pairs AS ({pairs}), sizes AS (SELECT class, count(*) AS size FROM pairs GROUP BY class), "
            f"whole AS (SELECT any_value(class) AS class FROM pairs GROUP BY {UNIT} HAVING count(*) = 1 AND sum(number) > 1) "
            f"SELECT count(*) FROM whole JOIN sizes USING (class) WHERE size < {few_of(k)}"
        )
        return Links(tuple(columns), int(counted.fetchall()[0][0]), units)

    def _histogram(self, sizes: str, rows: int) -> Recount:
        counted = self.con.execute(f"SELECT size, count(*) FROM ({sizes}) GROUP BY size").fetchall()
        histogram = {int(size): int(number) for size, number in sorted(counted)}
        return Recount(min(histogram, default=0), rows, sum(histogram.values()), histogram)

    def sizes(self, columns: Sequence[str]) -> list[int]:
        """The number of rows of every combination of these columns."""
        by = ", ".join(self._place(name) for name in columns) or "true"
        return [int(n) for (n,) in self.con.execute(f"SELECT count(*) FROM {self.table} GROUP BY {by}").fetchall()]

    def repeats(self, name: str) -> bool:
        """Whether a value of a column occurs more than once."""
        doubles = self.con.execute(
            f"SELECT 1 FROM {self.table} GROUP BY {self._place(name)} HAVING count(*) > 1 LIMIT 1"
        )
        return bool(doubles.fetchall())

    def spellings(self) -> tuple[int, int]:
        """How many units there are as their ids are written, and as they are read."""
        counted = f"SELECT count(DISTINCT {SPELLED}), count(DISTINCT {UNIT}) FROM {self.table}"
        spelled, read = self.con.execute(counted).fetchall()[0]
        return int(spelled), int(read)

    def rare_share(self, name: str, k: int) -> float:
        """The share of rows whose value of a column fewer than k share."""
        sizes = f"SELECT count(*) AS size FROM {self.table} GROUP BY {self._place(name)}"
        query = f"SELECT coalesce(sum(size) FILTER (size < {k}), 0) / sum(size) FROM ({sizes})"
        return float(self.con.execute(query).fetchall()[0][0])

    def different(self, name: str) -> int:
        """How many different values a column has."""
        values = f"SELECT DISTINCT {self._place(name)} FROM {self.table}"
        return int(self.con.execute(f"SELECT count(*) FROM ({values})").fetchall()[0][0])

    def reached(
        self,
        columns: Sequence[str],
        asked: Sequence[Requirement],
        orders: Mapping[str, Order],
        rows: int,
        *,
        units: bool,
        linked: bool = False,
    ) -> tuple[Held, ...]:
        """What the worst class reaches of every requirement; where units are linked, of all rows of those that look the same, and of each.

        The rows of a class are looked at together: those whose class falls into the same of several batches.
        """
        batches = max(1, -(-rows // BATCH_ROWS))
        by = ", ".join(self._place(name) for name in columns)
        names = list(dict.fromkeys([*columns, *(one.column for one in asked)]))
        wanted = [self._place(name) for name in names] + ([UNIT, SPELLED] if units else [])
        overall = {one.column: self._overall(one.column) for one in asked if one.kind == CLOSENESS}
        unit, known, table = UNITS_OF_ROWS if units else None, [list(columns)], self.table
        names = [*names, *(unit or ())]
        if linked:
            track = f"SELECT {UNIT} AS whole, hash(list_sort(list(row({by})))) AS track FROM {self.table} GROUP BY 1"
            table, by = f"(SELECT * FROM {self.table} JOIN ({track}) ON {UNIT} = whole)", "track"
            wanted, names, known = [*wanted, by], [*names, TRACK], [[TRACK], [TRACK, *columns]]
        worst: dict[Requirement, Held] = {}
        for batch in range(batches):
            chosen = f"SELECT {', '.join(wanted)} FROM {table} WHERE hash({by}) % {batches} = {batch}"
            some = self.con.sql(chosen).to_arrow_table().rename_columns(names)
            for seen in known if some.num_rows else []:
                for one in held_of(some, seen, unit, asked, orders, overall):
                    worst[one.asked] = one if one.asked not in worst else worst[one.asked].worse(one)
        return tuple(worst[one] for one in asked)

    def _overall(self, name: str) -> tuple[Array, Codes]:
        """The values of a column and how often each occurs."""
        counted = f"SELECT {self._place(name)} AS value, count(*) AS number FROM {self.table} GROUP BY 1"
        table = self.con.sql(counted).to_arrow_table()
        return table.column("value").combine_chunks(), table.column("number").to_numpy().astype(np.int64)


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"

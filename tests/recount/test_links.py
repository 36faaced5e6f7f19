"""Columns that link the rows of a unit: against the definition, in memory and in DuckDB."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from covey.errors import RefusedError
from covey.recount.duckdb import Released, counting
from covey.recount.links import Links, links_of

if TYPE_CHECKING:
    from pathlib import Path


def slow_links(table: pa.Table, units: list[int], k: int) -> Links:
    """By the definition, row by row."""
    rows: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for unit, row in zip(units, table.to_pylist(), strict=True):
        rows[unit].append(row)
    several = [unit for unit in rows if len(rows[unit]) > 1]
    columns = [
        name
        for name in table.column_names
        if several and sum(len({row[name] for row in rows[unit]}) == 1 for unit in several) >= 0.95 * len(several)
    ]
    seen = {unit: {tuple(row[name] for name in columns) for row in rows[unit]} for unit in rows}
    linked = [
        unit
        for unit in several
        if columns and len(seen[unit]) == 1 and sum(bool(seen[unit] & other) for other in seen.values()) < min(k, 5)
    ]
    return Links(tuple(columns), len(linked), len(several))


def tables() -> list[tuple[pa.Table, list[int]]]:
    given = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        units = rng.integers(0, 30, 80)
        of_unit = rng.integers(0, [40, 8, 2][seed % 3], 30)
        income = of_unit[units].tolist()
        if seed % 4 == 0:
            income[0] = None
        columns = {"income": income, "age": rng.integers(0, 9, 80), "area": [str(one % 2) for one in of_unit[units]]}
        given.append((pa.table(columns), units.tolist()))
    given.append((pa.table({"x": [1, 2, 3]}), [0, 1, 2]))
    given.append((pa.table({"x": [None, None, 1.5, 1.5], "y": ["a", "a", "a", "a"]}), [0, 0, 1, 1]))
    return given


@pytest.mark.parametrize("k", [2, 3, 9])
def test_links_by_the_definition(k: int) -> None:
    found = set()
    for table, units in tables():
        counted = links_of(table, np.array(units), k)
        assert counted == slow_links(table, units, k)
        found.add(counted.linked > 0)
    assert found == {True, False}


def test_a_file_is_looked_at_in_the_same_way(tmp_path: Path) -> None:
    for number, (table, units) in enumerate(tables()):
        pq.write_table(table, tmp_path / f"{number}.parquet")
        pq.write_table(pa.table({"unit": units, "spelled": units}), tmp_path / "units.parquet")
        with counting(2**28, tmp_path) as con:
            released = Released.of_parquet(con, tmp_path / f"{number}.parquet", tmp_path / "units.parquet")
            assert released.links(3) == links_of(table, np.array(units), 3)


def test_what_links_too_many_is_refused() -> None:
    links = Links(("income",), 2, 10)
    links.refuse(0.2)
    with pytest.raises(
        RefusedError, match=r"with one value in all rows of a unit \(income\) link the rows of 2 of 10 units"
    ):
        links.refuse(0.19)

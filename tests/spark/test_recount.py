"""The recount by Spark SQL finds what the recount of one table finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

from covey.errors import RefusedError
from covey.recipe.recipe import Recipe
from covey.recipe.roles import Roles
from covey.recount.readings import Units
from covey.recount.release import recount_release
from covey.spark.recount import recount

if TYPE_CHECKING:
    from numpy.typing import NDArray


def classes(seed: int) -> tuple[pa.Table, NDArray[np.int64]]:
    """Classes of two columns, with missing values, not-a-number and zeros of both signs; two rows for each unit."""
    rng = np.random.default_rng(seed)
    rows = [(None, "a.b"), (float("nan"), "a.b"), (0.0, ""), (-0.0, ""), (2.5, None)]
    some = [rows[place] for place in (*range(5), *rng.integers(0, 5, 45).tolist())] * 2
    table = pa.table({"x.y": pa.array([a for a, _ in some], pa.float64()), "s`t": [b for _, b in some]})
    return table, np.repeat(np.arange(50), 2).astype(np.int64)


def as_frame(spark: Any, table: pa.Table, units: NDArray[np.int64]) -> Any:
    return spark.createDataFrame(table.append_column("unit", pa.array(units))).repartition(3)


@pytest.mark.parametrize("by_units", [False, True])
def test_it_counts_what_the_recount_in_memory_counts(spark: Any, *, by_units: bool) -> None:
    for seed in range(2):
        table, units = classes(seed)
        recipe = Recipe(k=2, roles=Roles(quasi=("x.y", "s`t"), unit="unit" if by_units else None))
        wanted = recount_release(table, recipe, Units(units, None) if by_units else None, table.num_rows)
        found = recount(as_frame(spark, table, units), recipe, table.num_rows, "unit" if by_units else None)
        assert found == wanted


def test_published_units_are_counted_by_all_of_their_rows(spark: Any) -> None:
    table = pa.table({"q": [1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0], "unit": [0, 1, 2, 3, 0, 1, 2]})
    units = table.column("unit").to_numpy().astype(np.int64)
    recipe = Recipe(k=3, roles=Roles(quasi=("q",), unit="unit", random_ids=("unit",)))
    with pytest.raises(RefusedError, match="smallest holds 1"):
        recount_release(table, recipe, Units(units, None), 7)
    with pytest.raises(RefusedError, match="smallest holds 1"):
        recount(spark.createDataFrame(table), recipe, 7, "unit")


def test_what_falls_short_is_refused(spark: Any) -> None:
    df = spark.createDataFrame(pa.table({"q": [1.0, 1.0, 1.0, 2.0, 2.0], "b": [1, 1, 1, 1, 1]}))
    recipe = Recipe(k=3, roles=Roles(quasi=("q",)))
    with pytest.raises(RefusedError, match="2 records in classes below k = 3"):
        recount(df, recipe, 5)
    with pytest.raises(RefusedError, match="found 5 rows, and 6 were released"):
        recount(df, recipe, 6)
    with pytest.raises(RefusedError, match="misses the columns r"):
        recount(df, Recipe(k=2, roles=Roles(quasi=("q", "r"))), 5)
    with pytest.raises(RefusedError, match="over the columns q, b; .*; published weights count as known"):
        recount(df, Recipe(k=3, roles=Roles(quasi=("q",), weight="b"), weights="keep"), 5)

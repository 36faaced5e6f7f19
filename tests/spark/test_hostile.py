"""Tables made to be miscounted, on a cluster: what leaves it holds what the certificate says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import covey
from covey.spark import release
from covey.spark.reading import read_folder
from tests.contract.hostile import Asked, K, as_csv, as_pyarrow, hostile, shortfall

if TYPE_CHECKING:
    from pathlib import Path

TABLES = hostile()
TAKEN = (
    "unit three-ways",
    "unit text-ways",
    "sensitive three-ways",
    "sensitive text-ways",
    "quasi zeros",
    "quasi nothing",
    "quasi decimals",
    "quasi blank-categories",
)


def check(asked: Asked, done: Any, folder: Path) -> None:
    table = done.table.toArrow()
    done.close()
    reached = [one["worst_class"] for one in done.certificate.public["requirements"]]
    path = as_csv({name: table.column(name).to_pylist() for name in table.column_names}, folder)
    assert shortfall(path, asked, done.certificate.k, reached) == ""


@pytest.mark.parametrize("name", TAKEN)
def test_a_dataframe_holds_what_is_certified(name: str, spark: Any, tmp_path: Path) -> None:
    asked = TABLES[name]
    frame = spark.createDataFrame(as_pyarrow(asked.columns, tmp_path)).repartition(2)
    check(asked, release(frame, K, **asked.choices), tmp_path)


@pytest.mark.parametrize("name", ["unit three-ways", "sensitive three-ways"])
def test_a_text_file_holds_what_is_certified(name: str, spark: Any, tmp_path: Path) -> None:
    asked = TABLES[name]
    found = read_folder(spark, str(as_csv(asked.columns, tmp_path)))
    recipe, _ = found.settled(covey.Recipe.from_dict({"k": K, **asked.choices}))
    (tmp_path / "out").mkdir()
    check(asked, release(found.df, recipe=recipe), tmp_path / "out")

"""What the values of columns are, and what kept columns tell, as on one machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

import covey.spark
from covey.errors import InputError
from covey.io.inference import Declared
from covey.spark.reading import read_folder

if TYPE_CHECKING:
    from pathlib import Path

N = 600


def people() -> pd.DataFrame:
    rng = np.random.default_rng(4)
    age = rng.integers(18, 90, N)
    return pd.DataFrame(
        {
            "age": age,
            "income": rng.lognormal(7, 0.5, N).round(2),
            "water": rng.choice([1, 2, 5, 9], N),
            "kids": rng.choice([0, 1, 2, 99], N),
            "eighths": age % 8,
            "ninths": age % 9,
        }
    )


def release(df: Any, **choices: Any) -> Any:
    return covey.spark.release(df, 3, drop_rest=True, readable_scratch=True, **choices)


def test_codes_decimals_and_missing_codes(spark: Any) -> None:
    df = spark.createDataFrame(people()).repartition(3)
    with pytest.raises(
        InputError, match=r"water \(it has few different values.*kids \(a number like.*--nominal water,kids"
    ):
        release(df, quasi=["age", "water", "kids"])
    done = release(
        df,
        quasi=["age", "income", "water", "kids"],
        nominal=["water"],
        missing_codes={"kids": ["99"]},
        missing="coordinate",
    )
    released = done.table.toArrow().to_pandas()
    done.close()
    assert set(released["water"]) <= {1, 2, 5, 9}
    assert released["kids"].max() <= 2
    assert (released["income"] * 100).round(6).eq((released["income"] * 100).round()).all()


def test_kept_columns_are_judged_together(spark: Any) -> None:
    df = spark.createDataFrame(people()).repartition(3)
    with pytest.raises(InputError, match=r"eighths, ninths \(determine the quasi-identifier age"):
        release(df, quasi=["age", "income"], keep=["eighths", "ninths"])


def test_a_folder_without_names_and_with_dates(spark: Any, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for part in range(2):
        rows = [f"{1 + i % 12}/{1 + i % 9}/{1950 + i},{20 + i % 50},?" for i in range(part, 80, 2)]
        (folder / f"{part}.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="--no-header") as error:
        read_folder(spark, str(folder))
    assert "1950" not in str(error.value)
    declared = Declared({"column3": ("?",)}, {"column1": "dd/mm/yyyy"})
    found = read_folder(spark, str(folder), header=False, declared=declared)
    table = found.df.toArrow()
    assert table.num_rows == 80
    assert str(table.schema.field("column1").type) == "date32[day]"
    assert table["column3"].null_count == 80
    unclear = read_folder(spark, str(folder), header=False)
    assert "--dates column1=dd/mm/yyyy" in unclear.mixed["column1"]

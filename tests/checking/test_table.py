"""`covey.check`: any table, as the command checks a file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import covey
from covey import cli

if TYPE_CHECKING:
    from pathlib import Path


def people(n: int = 200) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    ages = rng.integers(20, 30, n)
    return pd.DataFrame(
        {"age": ages, "sex": rng.choice(["f", "m"], n), "ill": rng.choice(["a", "b", "c"], n), "of": ages % 7}
    )


@pytest.mark.parametrize("kind", [lambda frame: frame, pl.from_pandas, pa.Table.from_pandas])
def test_a_frame_is_checked_as_the_command_checks_a_file(kind: Any, tmp_path: Path, capsys: Any) -> None:
    people().to_csv(tmp_path / "p.csv", index=False)
    asked = ["-k", "5", "--quasi", "age,sex", "--sensitive", "ill", "--l-diversity", "2", "--json"]
    code = cli.main(["check", str(tmp_path / "p.csv"), *asked])
    said = json.loads(capsys.readouterr().out)
    checked = covey.check(kind(people()), 5, quasi=["age", "sex"], sensitive="ill", l_diversity=2)
    assert json.loads(checked.to_json()) == said
    assert checked.passed == (code == 0)
    assert (
        checked.to_json()
        == covey.check(tmp_path / "p.csv", 5, quasi=["age", "sex"], sensitive="ill", l_diversity=2).to_json()
    )


def test_units_combinations_and_another_release() -> None:
    by_rows, by_units = (covey.check(people(), 3, quasi="sex", unit=unit).lines[0].value for unit in (None, "of"))
    assert (by_rows > 50, by_units) == (True, 7)
    assert any(
        "special" in line.measure or "unique" in line.measure
        for line in covey.check(people(), 2, quasi=["age", "sex"], suda=True).lines
    )
    both = covey.check(people(), 2, quasi="age", against=people(), link="sex").lines
    assert any("singled out together" in line.measure for line in both)


def test_levels_of_an_index_are_columns() -> None:
    assert (
        covey.check(people().set_index("age"), 2, quasi="age").lines[0].value
        == covey.check(people(), 2, quasi="age").lines[0].value
    )


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ({"quasi": "agee"}, "agee"),
        ({"quasi": []}, "no quasi-identifier"),
        ({"quasi": "age", "linked": True}, "linked"),
        ({"quasi": "age", "k": 0}, "k is 0"),
        ({"quasi": "age", "l_diversity": 2}, "no sensitive column"),
    ],
)
def test_mistakes_are_said(given: dict[str, Any], what: str) -> None:
    with pytest.raises(covey.CoveyError, match=what):
        covey.check(people(), **{"k": 5, **given})


def test_no_table_is_an_error() -> None:
    with pytest.raises(covey.CoveyError, match="needed"):
        covey.check([1, 2, 3], 5, quasi="age")

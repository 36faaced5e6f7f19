"""Ends of kept and sensitive columns, and places on a grid: before anything else is judged, the same in all engines."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

import covey
from covey.columns.places import on_grid, on_grids
from covey.columns.values import read_values
from covey.errors import InputError, OptionError

if TYPE_CHECKING:
    from pathlib import Path


def people(n: int = 80) -> pd.DataFrame:
    draw = np.random.default_rng(3)
    return pd.DataFrame(
        {
            "height": draw.normal(170, 9, n).round(1),
            "age": draw.integers(20, 99, n),
            "cost": np.round(draw.lognormal(6, 1, n), 2),
            "lat": draw.uniform(46, 48, n).round(5),
            "home_longitude": draw.uniform(6, 10, n).round(5),
            "ward": draw.choice(["a", "b"], n),
        }
    )


def release(table: Any = None, **choices: Any) -> Any:
    usual: dict[str, Any] = {
        "quasi": ["height"],
        "drop_rest": True,
        "ledger": False,
        "shuffle": False,
        "refuse_exposed": 1.0,
    }
    return covey.release(people() if table is None else table, 3, **(usual | choices))


def test_kept_and_sensitive_columns_are_published_within_their_ends() -> None:
    table = people()
    table.loc[5, "age"] = 98
    done = release(
        table,
        keep=["age"],
        sensitive=["cost"],
        top={"age": 85, "cost": "90%"},
        bottom={"age": 25},
        accept=["age", "cost"],
    )
    assert done.table["age"].tolist() == table["age"].clip(25, 85).tolist()
    assert done.table["cost"].max() <= table["cost"].quantile(0.9)
    assert (done.table["cost"] == table["cost"]).mean() > 0.8
    moved = [str(note) for note in done.report.notes if "coding of column" in str(note)]
    assert f"top coding of column 'age': {(table['age'] > 85).sum()} values moved" in moved
    assert f"bottom coding of column 'age': {(table['age'] < 25).sum()} values moved" in moved
    assert {(one.column, one.end, one.asked) for one in done.report.public().coding} >= {("age", "top", "85")}


def test_types_stay_and_missing_values_stay_missing() -> None:
    table = pa.table(
        {"x": range(9), "rent": pa.array([Decimal(i) / 4 for i in range(8)] + [None], pa.decimal128(9, 2))}
    )
    done = release(table, quasi=["x"], keep=["rent"], top={"rent": 1}, accept=["rent"])
    assert done.table.schema.field("rent").type == pa.decimal128(9, 2)
    assert done.table.column("rent").to_pylist() == [min(Decimal(i) / 4, Decimal(1)) for i in range(8)] + [None]


def test_requirements_and_exposure_are_judged_on_what_is_published() -> None:
    table = people()
    table["age"] = 90 + np.arange(len(table)) % 9
    with pytest.raises(covey.errors.CoveyError):
        release(table, sensitive=["age"], top={"age": 80}, l_diversity=2, accept=["age"])
    unique = people()
    unique["cost"] = 1000.0 + np.arange(len(unique))
    choices: dict[str, Any] = {"keep": ["cost"], "refuse_exposed": 0.5}
    with pytest.raises(InputError, match="nearly unique"):
        release(unique, **choices)
    assert (release(unique, top={"cost": 999}, **choices).table["cost"] == 999).all()


@pytest.mark.parametrize(
    "choices",
    [
        {"keep": ["ward"], "top": {"ward": 3}},
        {"drop": ["age"], "top": {"age": 85}},
        {"keep": ["age"], "nominal": ["height"], "bottom": {"height": 3}},
        {"keep": ["ward"], "grid": {"ward": 1}},
        {"drop": ["age"], "grid": {"age": 5}},
        {"keep": ["age"], "grid": {"age": 0}},
        {"keep": ["age"], "grid": {"age": 0.5}},
    ],
)
def test_refusals(choices: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        release(**choices)


# -- places


@pytest.mark.parametrize("role", ["quasi", "keep", "sensitive"])
@pytest.mark.parametrize("name", ["lat", "home_longitude"])
def test_places_are_refused_but_on_a_grid(name: str, role: str) -> None:
    choices: dict[str, Any] = {role: [name]} if role == "quasi" else {role: [name], "accept": [name]}
    with pytest.raises(InputError, match="coordinates of places") as caught:
        release(**choices)
    assert f"--grid {name}=0.1" in str(caught.value)
    done = release(grid={name: 0.25}, **choices)
    assert (done.table[name] * 4 == (done.table[name] * 4).round()).all()
    if role != "quasi":
        assert (done.table[name] - people()[name]).abs().max() <= 0.125


@pytest.mark.parametrize(
    "values",
    [np.arange(80), np.linspace(0, 400, 80), np.array(["north"] * 80)],
    ids=["whole", "wide", "text"],
)
def test_columns_that_are_only_called_so_are_no_places(values: Any) -> None:
    release(people().assign(lat=values), keep=["lat"], accept=["lat"])


def test_other_names_are_no_places() -> None:
    release(people().rename(columns={"lat": "latency"}), keep=["latency"], accept=["latency"])


@pytest.mark.parametrize(
    ("values", "step", "expected"),
    [
        ([0.1, 0.124, 0.126, -0.13], 0.25, [0.0, 0.0, 0.25, -0.25]),
        ([7.449, None, 7.451], 0.1, [7.4, None, 7.5]),
        ([1, 2, 3, 7, 8], 5, [0, 0, 5, 5, 10]),
        ([5, 15, -5], 10, [0, 20, 0]),
    ],
)
def test_numbers_go_to_the_nearest_multiple(values: list[Any], step: float, expected: list[Any]) -> None:
    column = on_grid(read_values("x", pa.array(values)), step)
    assert column.build().to_pylist() == expected
    once = on_grids(pa.table({"x": values}), {"x": step})
    assert on_grids(once, {"x": step}).equals(once)


# -- parts


def test_from_file_to_file_it_is_the_same(tmp_path: Path) -> None:
    table = people()
    source, target = tmp_path / "in.parquet", tmp_path / "out.parquet"
    parquet.write_table(pa.Table.from_pandas(table), source, row_group_size=17)
    choices: dict[str, Any] = {
        "quasi": ["lat"],
        "keep": ["age"],
        "sensitive": ["cost"],
        "top": {"age": 85, "cost": 900},
        "grid": {"lat": 0.1},
        "spread": {"cost": 1.0},
        "drop_rest": True,
        "ledger": False,
        "refuse_exposed": 1.0,
        "shuffle": False,
    }
    done, whole = covey.release_file(source, target, 3, **choices), covey.release(source, 3, **choices)
    back = pd.read_parquet(target)
    assert back["age"].tolist() == whole.table.column("age").to_pylist() == table["age"].clip(None, 85).tolist()
    assert back["cost"].tolist() == whole.table.column("cost").to_pylist()
    assert back["lat"].tolist() == whole.table.column("lat").to_pylist()
    said = [{str(note) for note in one.report.notes if "coding of" in str(note)} for one in (done, whole)]
    assert said[0] == said[1] != set()
    with pytest.raises(OptionError, match="quantile"):
        covey.release_file(source, target, 3, force=True, **(choices | {"top": {"age": "90%"}}))
    with pytest.raises(InputError, match="coordinates of places"):
        covey.release_file(source, target, 3, force=True, **(choices | {"grid": {}}))

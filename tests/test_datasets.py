"""The bundled table: the kinds of column real tables have, always the same."""

from __future__ import annotations

import hashlib
import sys

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from covey.datasets import load_contacts, load_households, load_patients, load_workers
from covey.errors import MissingExtraError, OptionError


def test_the_same_table_in_every_form() -> None:
    pandas, polars, pyarrow = load_patients("pandas"), load_patients("polars"), load_patients("pyarrow")
    assert isinstance(pandas, pd.DataFrame)
    assert isinstance(polars, pl.DataFrame)
    assert isinstance(pyarrow, pa.Table)
    assert polars.equals(pl.DataFrame(pl.from_arrow(pyarrow)))
    dates = ["admitted", "discharged"]
    assert polars.equals(pl.from_pandas(pandas).with_columns(pl.col(dates).cast(pl.Date)))


def test_always_the_same() -> None:
    text = load_patients("polars").write_csv()
    assert (
        hashlib.sha256(text.encode()).hexdigest() == "b3776beeeff1c16cd820a0d46c610c574f5336f04d38e20520eb9e13059d15da"
    )


def test_the_kinds_of_column() -> None:
    patients = load_patients("polars")
    assert patients.height == 3000
    assert patients["patient"].n_unique() == 3000
    assert patients["age"].is_between(0, 101).all()
    assert set(patients["sex"].unique()) == {"female", "male", "other"}
    assert patients["region"].n_unique() == 8
    assert patients["admitted"].dtype == patients["discharged"].dtype == pl.Date
    assert (patients["discharged"] > patients["admitted"]).all(ignore_nulls=True)
    assert 0 < patients["discharged"].null_count() < 100
    assert 0 < patients["income"].null_count() < 500
    charge = patients["charge"]
    assert charge.n_unique() < 500  # heavy ties
    assert charge.max() > 20 * charge.median()  # a long tail


def test_the_network_is_always_the_same_and_connected() -> None:
    edges, people = load_contacts()
    assert edges.equals(load_contacts()[0])
    assert set(edges["source"]) | set(edges["target"]) == set(people["vertex"])
    assert people["vertex"].is_unique
    reached, waiting = {people["vertex"][0]}, [people["vertex"][0]]
    near = pd.concat([edges, edges.rename(columns={"source": "target", "target": "source"})]).groupby("source")[
        "target"
    ]
    around = {name: set(group) for name, group in near}
    while waiting:
        new = around[waiting.pop()] - reached
        reached |= new
        waiting += sorted(new)
    assert len(reached) == 240
    assert 0 < people["health"].isna().sum() < 30
    assert edges["metres"].min() >= 0


def test_unknown_and_missing_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OptionError, match="known: pandas, polars, pyarrow"):
        load_patients("excel")  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'covey\[polars\]'"):
        load_patients("polars")


def test_the_simulated_households_are_what_they_say() -> None:
    people = load_households()
    homes = people.groupby("household")
    of_household = ["region", "area", "roof", "walls", "water", "electricity", "expenditure", "income", "weight"]
    assert (homes[of_household].min() == homes[of_household].max()).all().all()
    assert homes.size().between(1, 12).all()
    assert 4.4 < homes.size().mean() < 4.8
    assert (homes.role.apply(lambda roles: (roles == "head").sum()) == 1).all()
    assert (homes.role.apply(lambda roles: (roles == "spouse").sum()) <= 1).all()
    assert people.age[people.role == "head"].between(22, 85).all()
    youngest = people[people.role.isin(["head", "spouse"])].groupby("household").age.min()
    children = people[people.role == "child"]
    assert (youngest[children.household].to_numpy() - children.age.to_numpy()).min() == 20
    assert (people.earnings[(people.age < 15) | (people.age > 70)] == 0).all()
    assert people.illness.nunique() == 8
    text = load_households("polars").write_csv()
    assert (
        hashlib.sha256(text.encode()).hexdigest() == "0cbe5df6a1b3af8707ffb85ef4842a1f4adad2aa97ec16c5efd499a043eddb7c"
    )


def test_workers_are_always_the_same_and_all_in_their_hierarchies() -> None:
    workers, hierarchies = load_workers("polars")
    assert workers.shape == (30_000, 9)
    text = workers.write_csv()
    assert (
        hashlib.sha256(text.encode()).hexdigest() == "fba6a86b0ed6f6c4c7a5ff18979194fff5fcf2c0204137b2832f75198b8a9873"
    )
    assert list(hierarchies) == [name for name in workers.columns if name != "income"]
    for name, labels in hierarchies.items():
        assert set(workers[name].cast(pl.String).unique()) == set(labels)
        assert {len(of_value) for of_value in labels.values()} == {len(next(iter(labels.values())))}
        assert {of_value[-1] for of_value in labels.values()} == {"*"}
    assert workers.select(list(hierarchies)).n_unique() > 25_000

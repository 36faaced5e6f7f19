"""The tables of the contract: made from fixed seeds, with columns that are plainly amounts, dates or categories."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

WARDS = ["north", "south", "east", "west"]
REGIONS = ["hills", "coast", "plain"]
ILLNESSES = ["asthma", "cold", "flu", "gout", "none"]
GRADES = ["low", "middle", "high"]


def with_gaps(values: NDArray[Any] | list[Any], rng: np.random.Generator, share: float) -> list[Any]:
    """The values, a share of them missing."""
    lost = rng.random(len(values)) < share
    return [None if gone else value for value, gone in zip(list(values), lost, strict=True)]


def people(n: int = 240) -> pa.Table:
    """Persons in households: every type of column, none missing."""
    rng = np.random.default_rng(11)
    days = [dt.date(1940, 1, 1) + dt.timedelta(days=int(day)) for day in rng.integers(0, 24_000, n)]
    seen = [dt.datetime(2021, 3, 1, 8) + dt.timedelta(seconds=int(s)) for s in rng.integers(0, 9 * 10**6, n)]
    age = rng.integers(18, 95, n)
    return pa.table(
        {
            "person": [f"person {place:03d}" for place in range(n)],
            "household": [f"home {place // 2:03d}" for place in range(n)],
            "age": pa.array(age, pa.int64()),
            "income": rng.lognormal(9, 0.7, n).round(2),
            "height": pa.array(rng.normal(172, 9, n).round(1), pa.float32()),
            "rent": pa.array([Decimal(int(x)) / 100 for x in rng.integers(20_000, 180_000, n)], pa.decimal128(10, 2)),
            "born": pa.array(days, pa.date32()),
            "seen": pa.array(seen, pa.timestamp("us")),
            "seen_utc": pa.array(seen, pa.timestamp("us", "UTC")),
            "ward": rng.choice(WARDS, n),
            "grade": rng.choice(GRADES, n),
            "smokes": rng.random(n) < 0.3,
            "region": rng.choice(REGIONS, n, p=[0.5, 0.3, 0.2]),
            "weight": rng.uniform(80, 400, n).round(3),
            "illness": rng.choice(ILLNESSES, n),
            "cost": (rng.lognormal(5, 1, n) * 10).round().astype(np.int64),
            "answer": rng.choice(["yes", "no", "perhaps"], n),
        }
    )


def gaps(n: int = 260) -> pa.Table:
    """Missing values in quasi-identifiers, sensitive values and strata."""
    rng = np.random.default_rng(12)
    whole = people(n)
    columns: dict[str, Any] = {name: whole.column(name) for name in whole.column_names}
    for name, share in (("age", 0.1), ("income", 0.15), ("born", 0.1), ("ward", 0.2), ("illness", 0.05), ("cost", 0.1)):
        columns[name] = pa.array(with_gaps(whole.column(name).to_pylist(), rng, share), whole.schema.field(name).type)
    columns["region"] = pa.array(with_gaps(whole.column("region").to_pylist(), rng, 0.03), pa.string())
    return pa.table(columns)


def firms(n: int = 150) -> pa.Table:
    """Firms: skewed amounts, zeros, a sum of two parts, few large ones, small strata."""
    rng = np.random.default_rng(13)
    wages = np.where(rng.random(n) < 0.25, 0, np.round(rng.lognormal(10, 1.5, n))).astype(np.int64)
    rents = np.round(rng.lognormal(8, 1.0, n)).astype(np.int64)
    return pa.table(
        {
            "firm": [f"firm {place:03d}" for place in range(n)],
            "owner": [f"owner {place}" for place in rng.integers(0, n // 2, n)],
            "turnover": rng.lognormal(13, 1.8, n).round(2),
            "wages": wages,
            "rents": rents,
            "costs": wages + rents,
            "branch": rng.choice(["trade", "build", "farm", "mine"], n, p=[0.5, 0.3, 0.18, 0.02]),
            "size": rng.choice(GRADES, n, p=[0.6, 0.3, 0.1]),
            "opened": pa.array(
                [dt.date(1950 + int(y), 1 + int(m), 1) for y, m in rng.integers(0, 12, (n, 2))], pa.date32()
            ),
            "weight": rng.integers(2, 60, n).astype(np.float64),
            "debt": rng.lognormal(9, 2, n).round(2),
            "verdict": rng.choice(["sound", "weak", "failing"], n, p=[0.7, 0.2, 0.1]),
        }
    )


def words(n: int = 200) -> pa.Table:
    """Categories: plain text, text that a spreadsheet would run, dictionaries with and without an order, unused ones."""
    rng = np.random.default_rng(14)
    signs = ["=1+1", "+x", "-y", "@z", "plain", "with,comma", 'quo"te', "two  blanks", "ü"]
    unused = pa.DictionaryArray.from_arrays(pa.array(rng.integers(0, 3, n), pa.int8()), pa.array([*WARDS, "nowhere"]))
    ordered = pa.DictionaryArray.from_arrays(pa.array(rng.integers(0, 3, n), pa.int8()), pa.array(GRADES), ordered=True)
    return pa.table(
        {
            "sign": rng.choice(signs, n),
            "ward": unused,
            "grade": ordered,
            "school": rng.choice([f"school {place}" for place in range(40)], n),
            "member": rng.random(n) < 0.5,
            "answer": rng.choice(["yes", "no", "perhaps"], n),
            "points": rng.integers(0, 1000, n),
        }
    )


def ties(n: int = 120) -> pa.Table:
    """One column with many equal values, large whole numbers, values that differ late, and a column that is constant."""
    rng = np.random.default_rng(15)
    return pa.table(
        {
            "income": np.concatenate([np.full(n // 2, 1500.0), rng.lognormal(8, 1, n - n // 2).round(1)]),
            "large": 2**53 + 1 + 2 * rng.integers(0, 10**6, n),
            "late": 1e9 + rng.random(n).round(6),
            "constant": np.full(n, 7.25),
            "answer": rng.choice(["yes", "no"], n),
        }
    )


TABLES: dict[str, Callable[[], pa.Table]] = {
    "people": people,
    "gaps": gaps,
    "firms": firms,
    "words": words,
    "ties": ties,
}

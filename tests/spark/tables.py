"""Tables for the tests on a cluster."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import numpy as np
import pyarrow as pa


def mixed_table(n: int = 1200, seed: int = 1) -> pa.Table:
    """Columns of every type that Spark and Arrow share, with gaps, and a name for every row."""
    rng = np.random.default_rng(seed)
    days = [dt.date(1950, 1, 1) + dt.timedelta(days=int(day)) for day in rng.integers(0, 20_000, n)]
    moments = [dt.datetime(2020, 1, 1, tzinfo=dt.UTC) + dt.timedelta(seconds=int(s)) for s in rng.integers(0, 10**7, n)]
    charge = [None if lost else float(x) for x, lost in zip(rng.lognormal(6, 1, n), rng.random(n) < 0.1, strict=True)]
    return pa.table(
        {
            "name": [f"person {place}" for place in range(n)],
            "age": pa.array(rng.integers(18, 90, n), pa.int32()),
            "charge.x": pa.array(charge, pa.float64()),
            "price": pa.array([Decimal(int(x)) / 100 for x in rng.integers(100, 99_999, n)], pa.decimal128(10, 2)),
            "born": pa.array(days, pa.date32()),
            "seen": pa.array(moments, pa.timestamp("us", "UTC")),
            "local": pa.array([moment.replace(tzinfo=None) for moment in moments], pa.timestamp("us")),
            "ward": pa.array(rng.choice(["north", "south", "east"], n)),
            "smokes": pa.array(rng.random(n) < 0.3),
            "region": pa.array(np.array(["A", "B", None])[rng.choice(3, n, p=[0.5, 0.4, 0.1])], pa.string()),
            "weight": pa.array(rng.integers(1, 5, n), pa.int64()),
            "diagnosis": pa.array(rng.choice(["flu", "cold", "ache", "none"], n)),
            "note": pa.array(np.array(["x", "y", None])[rng.integers(0, 3, n)], pa.string()),
        }
    )


def one_column(n: int, seed: int = 2) -> pa.Table:
    """A column with ties and a long tail, and the number of every row."""
    rng = np.random.default_rng(seed)
    income = np.concatenate([np.round(rng.lognormal(10, 1, n - n // 4), -2), rng.random(n // 4) * 1e5])
    return pa.table({"income": income, "row": np.arange(n)})

"""Files of a million simulated people: ten mixed columns, or many categories."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.csv

if TYPE_CHECKING:
    from pathlib import Path

ROWS = 1_000_000
K = 5
QUASI = ["age", "income", "charge", "sex", "region", "admitted", "visits", "insured", "height"]
CATEGORIES = ["age", "income", *(f"category{i}" for i in range(8))]


def people(path: Path, rows: int) -> None:
    """A table of ten mixed columns and an identifier, simulated."""
    rng = np.random.default_rng(1)
    table = pa.table(
        {
            "id": np.arange(rows),
            "age": np.clip(rng.gamma(7, 7.5, rows).round(), 0, 101).astype(np.int64),
            "income": np.exp(rng.normal(10.1, 0.6, rows)).round(-2),
            "charge": np.exp(rng.normal(6, 1.4, rows)).round(2),
            "sex": rng.choice(["female", "male", "other"], rows, p=[0.51, 0.48, 0.01]),
            "region": rng.choice([f"R{i:02d}" for i in range(12)], rows),
            "admitted": np.datetime64("2022-01-01") + rng.integers(0, 731, rows),
            "visits": 1 + rng.negative_binomial(1, 0.4, rows),
            "insured": rng.random(rows) < 0.9,
            "height": rng.normal(170, 10, rows).round(1),
            "diagnosis": rng.choice(list("abcdefgh"), rows),
        }
    )
    pyarrow.csv.write_csv(table, path)


def many_categories(path: Path, rows: int) -> None:
    """Two columns of numbers and eight of four to eighteen categories, simulated."""
    rng = np.random.default_rng(2)
    columns = {"age": rng.integers(18, 90, rows), "income": np.exp(rng.normal(10, 0.6, rows)).round(-2)}
    for i, name in enumerate(CATEGORIES[2:]):
        shares = rng.dirichlet(np.ones(4 + 2 * i))
        columns[name] = rng.choice([f"v{j}" for j in range(len(shares))], rows, p=shares)
    columns["diagnosis"] = rng.choice(list("abcdefgh"), rows)
    pyarrow.csv.write_csv(pa.table(columns), path)

"""Small tables on disk, released as if they were large."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import covey
from covey.files import budget, passes, source
from covey.files.release import release_file
from covey.parts import survey

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from covey.files.work import FileRelease


def small(monkeypatch: pytest.MonkeyPatch, *, batch: int = 50, rows: int = 120, sample: int = 2**18) -> None:
    """Batches, buckets, pieces and samples of a few rows."""
    monkeypatch.setattr(source, "BATCH", batch)
    monkeypatch.setattr(passes, "BATCH", batch)
    monkeypatch.setattr(survey, "SAMPLE", sample)
    monkeypatch.setattr(passes, "SAMPLE", sample)
    monkeypatch.setattr(budget.Budget, "surveyed_rows", property(lambda _: 2 * batch))
    monkeypatch.setattr(budget.Budget, "placed_rows", property(lambda _: batch))
    monkeypatch.setattr(passes, "MOST_IN_A_PIECE", rows)
    monkeypatch.setattr(budget.Budget, "sorted_rows", property(lambda _: rows))
    monkeypatch.setattr(budget.Budget, "released_rows", property(lambda _: rows))
    monkeypatch.setattr(budget.Budget, "searched_rows", property(lambda _: rows))


def people(n: int = 900, seed: int = 0, **more: Any) -> pa.Table:
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "age": rng.integers(18, 90, n),
            "income": rng.lognormal(8, 1, n).round(2),
            "illness": pa.array(rng.choice(["flu", "asthma", "gout", "none"], n, p=[0.4, 0.3, 0.2, 0.1])),
            **more,
        }
    )


def released(table: pa.Table, folder: Path, k: int = 5, **choices: Any) -> tuple[FileRelease, pa.Table]:
    """Write a table, release the file, and read the release."""
    pq.write_table(table, folder / "in.parquet", row_group_size=200)
    given: dict[str, Any] = {"quasi": ["age", "income"], "drop_rest": True, "force": True, "ledger": False}
    done = release_file(folder / "in.parquet", folder / "out.parquet", k, **(given | choices))
    return done, pq.read_table(folder / "out.parquet")


def in_memory(table: pa.Table, k: int = 5, **choices: Any) -> covey.Release:
    given: dict[str, Any] = {"quasi": ["age", "income"], "drop_rest": True}
    return covey.release(table, k, **(given | choices))

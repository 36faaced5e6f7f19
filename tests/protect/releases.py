"""A small table and its release, for tests of the path between them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa

import covey


def table(n: int = 60, seed: int = 0, **more: Any) -> pa.Table:
    rng = np.random.default_rng(seed)
    return pa.table({"age": rng.integers(18, 90, n), "income": rng.normal(3000, 800, n).round(2), **more})


def release(given: pa.Table, k: int = 3, **choices: Any) -> covey.Release:
    quasi = [name for name in ("age", "income") if name in given.column_names]
    settled: dict[str, Any] = {"quasi": quasi, "shuffle": False}
    return covey.release(given, k=k, **(settled | choices))


def classes(done: covey.Release, names: list[str]) -> Counter[tuple[Any, ...]]:
    return Counter(zip(*(done.arrow[name].to_pylist() for name in names), strict=True))

"""Small releases beside their originals, for tests of measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from covey.columns.aggregation import aggregate_column, aggregates_for
from covey.columns.coordinates import Scaler
from covey.columns.values import read_values
from covey.core.partition import Partition
from covey.evidence import Evidence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from covey.evidence import Measured


def evidence(columns: dict[str, Any], labels: list[int], **more: Any) -> Evidence:
    """The evidence of releasing these columns in these groups."""
    original = {name: read_values(name, pa.array(values)) for name, values in columns.items()}
    partition = Partition(labels)
    released = {n: aggregate_column(c, partition, aggregates_for(c.kind)[0]) for n, c in original.items()}
    scaler = Scaler(list(original.values()))
    keys = [
        tuple(int(c.physical[i]) if c.physical.dtype.kind == "i" else float(c.physical[i]) for c in released.values())
        for i in range(len(labels))
    ]
    number = {key: place for place, key in enumerate(dict.fromkeys(keys))}
    return Evidence(
        original=original,
        released=released,
        scaler=scaler,
        classes=np.array([number[key] for key in keys]),
        k=int(partition.smallest),
        **more,
    )


def random_evidence(seed: int, n: int = 40, **more: Any) -> Evidence:
    """Numbers, ties and categories in random groups of three or more."""
    rng = np.random.default_rng(seed)
    columns = {
        "age": rng.integers(20, 40, n).tolist(),
        "income": rng.normal(3000, 500, n).round(2).tolist(),
        "ward": rng.choice(["a", "b", "c"], n).tolist(),
    }
    order = np.lexsort((columns["income"], columns["age"]))
    labels = np.empty(n, dtype=int)
    labels[order] = np.minimum(np.arange(n) // 4, n // 4 - 1)
    return evidence(columns, labels.tolist(), **more)


def one(measured: Sequence[Measured], name: str, column: str | None = None) -> float:
    """The value of the measure of that name; there must be one."""
    (found,) = [m.value for m in measured if m.label == name and m.column == column]
    return found


def points(given: Evidence) -> NDArray[np.float64]:
    """The coordinates of all original records."""
    return given.points(np.arange(given.rows))


def released_points(given: Evidence) -> NDArray[np.float64]:
    """The coordinates of all released records."""
    return given.released_points(np.arange(given.rows))

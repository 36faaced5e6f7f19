"""Firms whose amounts are skewed, and the definitions of dominance and of the p % rule."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.core.requirement import Requirement

P = "p_percent"


def contributed(amounts: Sequence[Any], units: Sequence[int]) -> list[Fraction]:
    """What each unit contributes, largest first."""
    sums: dict[int, Fraction] = {}
    for amount, unit in zip(amounts, units, strict=True):
        sums[unit] = sums.get(unit, Fraction(0)) + abs(Fraction(amount))
    return sorted(sums.values(), reverse=True)


def holds(asked: Requirement, amounts: Sequence[Any], units: Sequence[int]) -> bool:
    """The definitions."""
    largest_first = contributed(amounts, units)
    if asked.kind == P:
        return sum(largest_first[2:]) >= Fraction(asked.limit) / 100 * largest_first[0]
    return sum(largest_first[: asked.n]) <= Fraction(asked.limit) / 100 * sum(largest_first)


def firms(n: int = 400, seed: int = 0) -> pa.Table:
    rng = np.random.default_rng(seed)
    sales = np.where(rng.random(n) < 0.3, 0.0, rng.lognormal(3, 1.5, n).round(1))
    return pa.table(
        {
            "sales": sales,
            "staff": rng.integers(1, 60, n),
            "loss": -rng.lognormal(1, 1, n).round(2),
            "region": rng.choice(["n", "s"], n),
            "owner": np.arange(n) // 2,
            "weight": rng.integers(1, 6, n).astype(float),
            "row": np.arange(n),
        }
    )


QUASI = ["sales", "staff", "loss"]


def failing(given: pa.Table, out: pa.Table, asked: Requirement, unit: str = "row", *, weighted: bool = False) -> int:
    """The number of classes of a release that fail, by the definition, found by the number of their rows."""
    known = [out[name].to_pylist() for name in out.column_names if name not in ("row", "weight")]
    members: dict[Any, list[int]] = {}
    for row, key in zip(out["row"].to_pylist(), zip(*known, strict=True), strict=True):
        members.setdefault(key, []).append(row)
    weights = given["weight"].to_pylist() if weighted else [1.0] * given.num_rows
    amounts = [Fraction(x) * Fraction(w) for x, w in zip(given[asked.column].to_pylist(), weights, strict=True)]
    units = given[unit].to_pylist()
    rounded = replace(asked, limit=asked.limit * (1 - 1e-9 if asked.kind == P else 1 + 1e-9))
    return sum(not holds(rounded, [amounts[r] for r in rows], [units[r] for r in rows]) for rows in members.values())

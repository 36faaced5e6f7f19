"""Releases of one quasi-identifier with l-diversity or alpha: what they lose, beside the heuristic alone and k alone."""

from __future__ import annotations

import time
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pyarrow as pa

import covey


class Case(NamedTuple):
    """Lognormal numbers; sensitive values follow them (`follows` from 0, not at all, to 1) and are equally frequent."""

    n: int
    values: int
    follows: float
    k: int
    asked: dict[str, Any]


CASES = tuple(
    Case(n, values, follows, 5, asked)
    for n, values, follows in ((60, 3, 0.9), (99, 3, 0.5), (198, 3, 0.5), (500, 2, 0.5), (300, 6, 0.5), (2000, 8, 0.5))
    for least in (2, 3)
    if values >= least
    for asked in ({"l_diversity": least}, {"alpha": f"1/{least}"})
)


def table_of(case: Case) -> pa.Table:
    rng = np.random.default_rng(0)
    cost = rng.lognormal(3.0, 1.0, case.n).round(2)
    blurred = case.follows * np.argsort(np.argsort(cost)) + (1 - case.follows) * rng.uniform(0, case.n, case.n)
    rank = np.argsort(np.argsort(blurred))
    return pa.table({"cost": cost, "ill": [f"v{code}" for code in rank * case.values // case.n]})


def released(case: Case) -> Any:
    choices: dict[str, Any] = {"quasi": ["cost"], "sensitive": "ill", "accept": ["ill"], "ledger": False}
    return covey.release(table_of(case), k=case.k, **choices, **case.asked).report.groups[0]


def measured(case: Case) -> dict[str, Any]:
    began = time.perf_counter()
    found = released(case)
    seconds = time.perf_counter() - began
    with patch("covey.protect.group.line_of", lambda *_: None):
        heuristic = released(case)
    row = case._asdict() | {"seconds": seconds, "status": found.status, "released": found.loss_percent}
    row |= {"heuristic": heuristic.loss_percent, "k_alone": found.loss_percent_without}
    print(row, flush=True)
    return row


def run_releases() -> dict[str, Any]:
    return {"rows": [measured(case) for case in CASES]}

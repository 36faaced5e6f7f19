"""What leaving records out buys: the loss of the others beside that of all, and how long it takes.

usage: python -m benchmarks.leave_out.run
Writes benchmarks/results/leave-out.json; `make bench` runs it. The tables of the literature are read where they are at hand.
Times are of the processor.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np

import covey
from benchmarks.data.large import table
from benchmarks.harness.measure import write
from tests.space.tables import load_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Matrix = np.ndarray

LITERATURE = ("tarragona", "census", "eia")


def cases() -> Iterator[tuple[str, Matrix, int, int]]:
    """The name of a table, the table, k, and how many may be left out."""
    for name in LITERATURE:
        points = load_table(name)
        if points is not None:
            twentieth = len(points) // 20
            for k, most in ((3, 8), (3, twentieth), (5, 8), (5, twentieth), (10, max(10, len(points) // 100))):
                yield name, points, k, most
    for kind, n, share in (
        *((kind, 10_000, share) for kind in ("heavy tails", "clustered") for share in (100, 20)),
        *(("heavy tails", 100_000, share) for share in (1000, 100)),
    ):
        yield f"{kind}, n = {n:,}, d = 5", table(kind, n, 5), 5, n // share
    column = np.random.default_rng(7).lognormal(sigma=2.0, size=100_000)
    for most in (100, 1000):
        yield "log-normal column, n = 100,000", column.reshape(-1, 1), 5, most


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    start = time.process_time()
    found = call()
    return found, time.process_time() - start


def row(name: str, points: Matrix, k: int, most: int) -> dict[str, Any]:
    whole, alone = timed(lambda: covey.solve(points, k))
    found, took = timed(lambda: covey.leave_out(points, k, most))
    with patch("covey.space.leave_one_by_one.leave_at_price", lambda _table, _budget, _groups, out, _price: out):
        before, earlier = timed(lambda: covey.leave_out(points, k, most))
    centred = points - points.mean(axis=0)
    total, gone = float((centred**2).sum()), float((centred[found.rows] ** 2).sum())
    here = points[found.kept]
    return {
        "table": name,
        "k": k,
        "most": most,
        "left": len(found.rows),
        "all": 100 * whole.loss / total,
        "one_by_one": 100 * before.solution.loss / total,
        "others": 100 * found.solution.loss / total,
        "charged": 100 * (found.solution.loss + gone) / total,
        "own": 100 * found.solution.loss / float(((here - here.mean(axis=0)) ** 2).sum()),
        "proven": found.proven,
        "seconds": took,
        "earlier": earlier,
        "grouping": alone,
    }


def main() -> None:
    rows = []
    for case in cases():
        rows.append(row(*case))
        print(rows[-1], flush=True)
    write("leave-out", "leave_out", {"rows": rows}, "")


if __name__ == "__main__":
    main()

"""k-means of one column, exactly, beside kmeans1d."""

from __future__ import annotations

import functools
from typing import Any

from benchmarks.data.columns import column
from benchmarks.harness.measure import Peer, best_of
from covey.line import OptimalLine

KMEANS_ROWS = (10**4, 10**5, 10**6)
KMEANS_GROUPS = (2, 10, 100, 1000)


def run_kmeans(peer: Peer) -> dict[str, Any]:
    """k-means of one column, exactly: groups of any size, at most m of them, beside kmeans1d."""
    rows: list[dict[str, Any]] = []
    with Peer(peer.python, "kmeans1d") as other:
        for kind, n, groups in [
            (kind, n, m) for kind in ("uniform", "money") for n in KMEANS_ROWS for m in KMEANS_GROUPS
        ]:
            x = column(kind, n)
            ours = OptimalLine(max_groups=groups)
            took = best_of(3, functools.partial(ours.partition, x, 1))
            answers = [other.ask(kind=kind, n=n, groups=groups) for _ in range(3)]
            solution = ours.solve(x, 1)
            row: dict[str, Any] = {"kind": kind, "n": n, "m": groups, "covey": took, "loss": solution.loss}
            row |= {
                "kmeans1d": min(answer["seconds"] for answer in answers),
                "its_excess": answers[0]["sse"] / solution.loss - 1,
            }
            rows.append(row | {"groups": len(solution.partition), "its_groups": answers[0]["groups"]})
            print(rows[-1], flush=True)
        return {"rows": rows, "version": other.greeting["version"]}

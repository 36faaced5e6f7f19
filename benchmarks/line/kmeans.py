"""k-means of one column, exactly, beside kmeans1d."""

from __future__ import annotations

import functools
from typing import Any

from benchmarks.data.columns import column
from benchmarks.harness.measure import Peer, best_of
from covey.line import OptimalLine

KMEANS_ROWS = (10**4, 10**5, 10**6)
KMEANS_GROUPS = (2, 10, 100, 1000)
MOST_CELLS = 10**7  # time and memory of kmeans1d grow with n times m; more is not asked of it


def compare(other: Peer, kind: str, n: int, groups: int) -> dict[str, Any]:
    """Both on one column, the best of three calls each."""
    x = column(kind, n)
    method = OptimalLine(max_groups=groups)
    took = best_of(3, functools.partial(method.partition, x, 1))
    solution = method.solve(x, 1)
    row = {"kind": kind, "n": n, "m": groups, "covey": took, "loss": solution.loss, "groups": len(solution.partition)}
    if n * groups > MOST_CELLS:
        return row | {"kmeans1d": None}
    answers = [other.ask(kind=kind, n=n, groups=groups) for _ in range(3)]
    row |= {"kmeans1d": min(answer["seconds"] for answer in answers), "its_groups": answers[0]["groups"]}
    return row | {"its_excess": answers[0]["sse"] / solution.loss - 1}


def run_kmeans(peer: Peer) -> dict[str, Any]:
    """k-means of one column, exactly: groups of any size, at most m of them, beside kmeans1d."""
    rows = []
    with Peer(peer.python, "kmeans1d") as other:
        for kind in ("uniform", "money"):
            for n in KMEANS_ROWS:
                for groups in KMEANS_GROUPS:
                    rows.append(compare(other, kind, n, groups))
                    print(rows[-1], flush=True)
        return {"rows": rows, "most_cells": MOST_CELLS, "version": other.greeting["version"]}

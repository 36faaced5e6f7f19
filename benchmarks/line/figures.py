"""Figures 4 and 5 of Stamm & Schaub measured again, and what each of their ways to sum loses."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.data.columns import KS, column
from benchmarks.harness.measure import seconds
from covey._kernels import line as kernels
from covey.line import OptimalLine

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.harness.measure import Peer

FIGURE_RUNS = 10  # as in the paper


def repeated(call: Callable[[], Any]) -> dict[str, float]:
    """Mean and standard deviation of as many calls as the paper makes."""
    times = [seconds(call) for _ in range(FIGURE_RUNS)]
    return {"mean": float(np.mean(times)), "std": float(np.std(times))}


def run_figures(_: Peer) -> dict[str, Any]:
    """The data of the paper's figures 4 and 5, on sorted uniform data."""
    n = 10**6
    x, unsorted = np.sort(column("uniform", n)), column("uniform", n)
    figure_4: list[dict[str, Any]] = [
        {"search": "sort (numpy)", "k": k} | repeated(lambda: np.sort(unsorted)) for k in KS
    ]
    figure_4 += [{"search": "sort (covey)", "k": k} | repeated(lambda: kernels.sort(unsorted)) for k in KS]
    for search in ("simple", "simple+", "wilber", "galil-park", "staggered", "auto"):
        for k in KS:
            if search == "simple" and k > 300:
                continue
            method = OptimalLine(search=search)
            figure_4.append({"search": search, "k": k} | repeated(functools.partial(method.partition, x, k)))
            print(figure_4[-1], flush=True)
    figure_5 = []
    for search in ("simple+", "staggered"):
        for k in KS:
            ways: dict[str, Callable[[], Any]] = {
                "pieces (exact)": functools.partial(OptimalLine(search=search).partition, x, k),
                "partial sums (paper)": functools.partial(
                    kernels.partial_sums, x, k, use_staggered=search == "staggered"
                ),
                "prefix sums": functools.partial(kernels.prefix_sums, x, k, use_staggered=search == "staggered"),
                "cheap cost": functools.partial(kernels.cheap_sums, x, k, use_staggered=search == "staggered"),
            }
            figure_5 += [{"search": search, "sums": name, "k": k} | repeated(call) for name, call in ways.items()]
    return {"n": n, "runs": FIGURE_RUNS, "figure_4": figure_4, "figure_5": figure_5}


def run_sums(_: Peer) -> dict[str, Any]:
    """By how much the groups of each way to sum are worse than the best, k = 3."""
    rows = []
    columns = {
        "uniform, n = 1000000": np.sort(column("uniform", 10**6)),
        "1e9 + uniform, n = 20000": np.sort(column("1e9 + uniform", 20_000)),
    }
    for name, x in columns.items():
        least = OptimalLine().solve(x, 3).loss
        ways = {
            "prefix sums": kernels.prefix_sums,
            "partial sums (paper)": kernels.partial_sums,
            "cheap cost": kernels.cheap_sums,
        }
        rows.append(
            {"column": name, "pieces (exact)": 0.0}
            | {way: sums(x, 3, use_staggered=False)[2] / least - 1 for way, sums in ways.items()}
        )
        print(rows[-1], flush=True)
    return {"rows": rows}

"""Tables with many equal rows: how long every method, the bound and a release take beside Gaussian tables of the same size.

usage: python -m benchmarks.duplicates.run [--rows N ...]
Writes benchmarks/results/duplicates.json; `make bench` runs it. Times are of the processor: ratios hold on a busy machine, too.
"""

from __future__ import annotations

import argparse
import functools
import time
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

import covey
from benchmarks.harness.measure import write
from covey import space
from covey.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Table = np.ndarray

K, D = 5, 5
LEFT_OUT = ("optimal-line", "exact", "search")
SMALL_ONLY = ("kmeans", "decompose", "repeated-ordering")
SMALL = 10_000
STARTS = 10
ENOUGH = 0.3  # seconds of repeats, of which the least counts


def tables(n: int) -> dict[str, Table]:
    rng = np.random.default_rng(n)
    plain = rng.normal(size=(n, D))
    return {
        "gaussian": plain,
        "all equal": np.full((n, D), 1.5),
        "90 % equal": np.where(rng.random((n, 1)) < 0.9, 0.25, plain),
        "zero-inflated": np.where(rng.random((n, D)) < 0.7, 0.0, rng.lognormal(size=(n, D))),
        "one-hot": np.eye(D)[rng.integers(0, D, n)],
        "binary": rng.integers(0, 2, size=(n, D)).astype(float),
    }


def frames(n: int) -> dict[str, pd.DataFrame]:
    """Two columns, Gaussian or nine tenths of each one value."""
    rng = np.random.default_rng(n)
    plain = (100 * rng.normal(size=(n, 2))).round(2)
    mostly = np.where(rng.random((n, 2)) < 0.9, 0.0, plain)
    return {name: pd.DataFrame(X, columns=["a", "b"]) for name, X in (("gaussian", plain), ("90 % equal", mostly))}


def calls(n: int) -> Iterator[tuple[str, dict[str, Any], Callable[[Any], Any]]]:
    """What is measured: its name, the tables, and what is done with each."""
    grouped = tables(n)
    for name in ("auto", *METHODS):
        if name in LEFT_OUT or (name in SMALL_ONLY and n > SMALL):
            continue
        options: dict[str, Any] = {"starts": STARTS} if name == "repeated-ordering" else {}
        yield name, grouped, functools.partial(covey.partition, k=K, method=name, **options)
    yield "lower bound", grouped, lambda X: space.lower_bound(X, K)
    yield "release", frames(n), lambda frame: covey.release(frame, k=K, quasi=["a", "b"], measuring=covey.Measuring())


def processor_seconds(call: Callable[[], Any]) -> float:
    least, total = np.inf, 0.0
    while total < ENOUGH:
        start = time.process_time()
        call()
        took = time.process_time() - start
        least, total = min(least, took), total + max(took, 1e-3)
    return float(least)


def run(sizes: list[int]) -> dict[str, Any]:
    rows = []
    for n in sizes:
        for name, given, call in calls(n):
            call(next(iter(given.values()))[:100])  # what is loaded late is loaded
            took = {table: processor_seconds(functools.partial(call, X)) for table, X in given.items()}
            ratios = {table: took[table] / took["gaussian"] for table in given if table != "gaussian"}
            rows.append({"n": n, "method": name, "gaussian": took["gaussian"], "ratios": ratios})
            print(n, name, f"{took['gaussian']:.3f}", {table: round(r, 2) for table, r in ratios.items()}, flush=True)
    return {"k": K, "d": D, "starts": STARTS, "rows": rows}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", nargs="*", type=int, default=[10_000, 40_000, 100_000])
    sizes = parser.parse_args().rows
    warnings.simplefilter("ignore")
    write("duplicates", "duplicates", run(sizes), "--rows " + " ".join(map(str, sizes)))


if __name__ == "__main__":
    main()

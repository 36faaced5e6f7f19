"""Loss, speed and memory of grouping in space, beside the published values and sdcMicro's times.

usage: python -m benchmarks.space.run [--only SECTION ...]
Writes benchmarks/results/space-SECTION.json; `make bench` runs all of it. The tables of the literature are read from
../shared/data; where that folder is not there, the sections that need them say so and are left out.
"""

from __future__ import annotations

import functools
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np

import covey
from benchmarks.harness.measure import best_of, in_new_process, machine, seconds
from benchmarks.harness.sections import run_sections
from benchmarks.space.literature import KINDS, measure_simulated, measure_table
from benchmarks.space.published import (
    AUTO,
    ITERATIONS,
    LONG,
    MILLISECONDS,
    PUBLISHED,
    SDCMICRO,
    SDCMICRO_SORT_MS,
    SEARCH,
)
from covey import space
from covey._kernels import space as kernels
from covey.space.method import labels_of
from covey.space.objective import Objective
from covey.utils.arrays import as_coordinates
from tests.space.tables import load_table

if TYPE_CHECKING:
    from covey.core.method import Method

TABLES = ("tarragona", "census", "eia")
KS = (3, 5, 10)
SEEDS = range(5)

LIMITS = {(10**5, 2): 1.0, (10**5, 5): 1.0, (10**5, 10): 3.5, (10**5, 20): 6.0}
LARGE_LIMITS = {(10**6, 2): 60.0, (10**6, 5): 60.0, (10**6, 10): 600.0}
FIGURE_6_KS = (2, 3, 4, 5, 7, 10, 15, 20, 30, 50)
FIGURE_6_RUNS = 10  # as in the paper


def table(name: str) -> np.ndarray:
    found = load_table(name)
    if found is None:
        sys.exit(f"{name}.csv is not in ../shared/data; run other sections with --only")
    return found


def percent(X: np.ndarray, loss: float) -> float:
    return float(100 * loss / ((X - X.mean(axis=0)) ** 2).sum())


def gaussian(n: int, d: int) -> np.ndarray:
    return np.random.default_rng(n + d).normal(size=(n, d))


def run_loss() -> dict[str, Any]:
    """Median over five seeds, and the longest time."""
    rows = []
    for name in TABLES:
        X = table(name)
        for which, k in enumerate(KS):
            default = space.Search().steps_for(len(X), k)
            runs: list[tuple[str, list[Method], float]] = [
                ("auto", [space.Auto()], AUTO[name][which]),
                ("search", [space.Search(seed=seed) for seed in SEEDS], SEARCH[name][which]),
                ("search, ten times", [space.Search(seed=s, effort=10 * default) for s in SEEDS], LONG[name][which]),
            ]
            for label, methods, target in runs:
                losses, times = [], []
                for method in methods:
                    start = time.perf_counter()
                    losses.append(percent(X, method.solve(X, k).loss))
                    times.append(time.perf_counter() - start)
                row = {"table": name, "k": k, "method": label, "losses": losses, "median": float(np.median(losses))}
                row |= {
                    "seconds": max(times),
                    "target": target,
                    "bound": percent(X, space.lower_bound(X, k, method="neighbours")),
                }
                rows.append(row)
                print(
                    f"{name} k={k} {label}: {row['median']:.4f} (target {target}), {row['seconds']:.2f} s", flush=True
                )
    return {"rows": rows}


def run_mdav() -> dict[str, Any]:
    """MDAV against sdcMicro's times, scaled by np.sort in this run, and against the brute force."""
    scale = machine()["np.sort of 1e6 doubles, ms"] / SDCMICRO_SORT_MS
    rows = []
    for n, reference in SDCMICRO.items():
        took = best_of(2, functools.partial(kernels.mdav, gaussian(n, 10), 5))
        rows.append(
            {"n": n, "d": 10, "seconds": took, "sdcmicro": reference * scale, "ratio": reference * scale / took}
        )
        print(rows[-1], flush=True)
    limits: list[dict[str, Any]] = []
    for (n, d), limit in LIMITS.items():
        X = gaussian(n, d)
        took = best_of(2, functools.partial(kernels.mdav, X, 5))
        brute: list[Any] = []
        slow = seconds(lambda X=X, brute=brute: brute.append(kernels.mdav_by_scan(X, 5)))  # type: ignore[misc]
        same = all(np.array_equal(a, b) for a, b in zip(kernels.mdav(X, 5), brute[0], strict=True))
        limits.append({"n": n, "d": d, "seconds": took, "limit": limit, "brute": slow, "identical": same})
        print(limits[-1], flush=True)
    for (n, d), limit in LARGE_LIMITS.items():
        took = seconds(functools.partial(kernels.mdav, gaussian(n, d), 5))
        limits.append({"n": n, "d": d, "seconds": took, "limit": limit, "brute": None, "identical": None})
        print(limits[-1], flush=True)
    return {"rows": rows, "limits": limits, "scale": scale}


LARGE = """
import time
from pathlib import Path
import covey
from covey import space
import numpy as np

def resident(what):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(what))

X = np.random.default_rng({n}).normal(size=({n}, 5))
covey.partition(X[:50], 5)
Path("/proc/self/clear_refs").write_text("5")
start = time.perf_counter()
solution = covey.solve(X, 5)
took = time.perf_counter() - start
print(took, resident("VmHWM"), solution.loss, space.Mdav().solve(X, 5).loss)
"""


def run_large() -> dict[str, Any]:
    rows = []
    for n in (10**5, 10**6):
        took, peak, loss, mdav = map(float, in_new_process(LARGE.format(n=n)).split())
        rows.append({"n": n, "d": 5, "k": 5, "seconds": took, "peak_mib": peak / 2**20, "loss": loss, "mdav": mdav})
        print(rows[-1], flush=True)
    growth = rows[1]["seconds"] / rows[0]["seconds"] / 10
    print(f"time per record grows by {growth:.2f}")
    return {"rows": rows, "growth": growth}


def run_tables() -> dict[str, Any]:
    """Tables 2 and 3 of Mortazavi 2020, and every other method beside them; times are of all processors."""
    rows, iterations = [], []
    for name in TABLES:
        X = table(name)
        for which, k in enumerate(KS):
            for method in (
                space.Mdav(), space.VMdav(), space.Cbfs(), space.CbfsGrowing(), space.MdavMhm(), space.CbfsMhm(), space.NpnMhm(),
                space.Pca(), space.ZScore(), space.RandomProjection(), space.Tour(), space.Split(), space.Imhm(), space.KMeans(),
                space.NearestNeighbour(), space.Decompose(), space.Auto(), space.Search(),
            ):  # fmt: skip
                start = time.process_time()
                loss = percent(X, method.solve(X, k).loss)
                took = time.process_time() - start
                published = PUBLISHED.get(method.name, {}).get(name)
                row = {"table": name, "k": k, "method": method.name, "loss": loss, "seconds": took}
                rows.append(row | {"published": published[which] if published else None})
            repeated = space.RepeatedOrdering()
            starts = repeated._start_labels(X)
            start = time.process_time()
            order, sizes, losses = kernels.repeated_ordering(X, starts, k)
            took = time.process_time() - start
            loss = percent(X, kernels.loss(X, labels_of(order, sizes)))
            count = sum(map(len, losses))
            row = {"table": name, "k": k, "method": "repeated-ordering", "loss": loss, "seconds": took}
            rows.append(row | {"published": PUBLISHED["repeated-ordering"][name][which]})
            row = {
                "table": name,
                "k": k,
                "iterations": count / len(losses),
                "published_iterations": ITERATIONS[name][which],
            }
            row |= {
                "milliseconds": 1000 * took / count,
                "published_milliseconds": MILLISECONDS[name][which],
                "total": took,
            }
            iterations.append(row)
            print(name, k, f"repeated-ordering {loss:.4f}", iterations[-1], flush=True)
    return {"rows": rows, "iterations": iterations}


def run_literature() -> dict[str, Any]:
    """Every method beside all published values."""
    rows: list[dict[str, Any]] = []
    for name in TABLES:
        for row in measure_table(name, table(name)):
            rows.append(row)
            print(row, flush=True)
    return {"rows": rows}


def run_simulated() -> dict[str, Any]:
    """The simulated tables of the literature."""
    rows: list[dict[str, Any]] = []
    for kind in KINDS:
        for row in measure_simulated(kind):
            rows.append(row)
            print(row, flush=True)
    return {"rows": rows}


def run_figure() -> dict[str, Any]:
    """Figure 6 of Stamm & Schaub: EIA without the identifier (10 columns), and Tarragona."""
    rows: list[dict[str, Any]] = []
    for name in ("eia", "tarragona"):
        X = table(name)
        X = X[:, 1:] if name == "eia" else X
        for k in FIGURE_6_KS:
            series: dict[str, list[Method]] = {
                "pca": [space.Pca()],
                **{
                    f"random {m}": [space.RandomProjection(m, seed=s) for s in range(FIGURE_6_RUNS)]
                    for m in (10, 50, 100)
                },
                **{f"kmeans {f}": [space.KMeans(f, seed=s) for s in range(FIGURE_6_RUNS)] for f in (0.5, 1.0, 2.0)},
                "nearest-neigh": [space.NearestNeighbour()],
                "mdav": [space.Mdav()],
                "auto": [space.Auto()],
            }
            for label, methods in series.items():
                losses = [method.solve(X, k).loss for method in methods]
                row = {
                    "table": name,
                    "k": k,
                    "method": label,
                    "mean": float(np.mean(losses)),
                    "std": float(np.std(losses)),
                }
                rows.append(row)
            print(name, k, {row["method"]: round(row["mean"], 1) for row in rows[-len(series) :]}, flush=True)
    return {"runs": FIGURE_6_RUNS, "rows": rows}


def run_bound() -> dict[str, Any]:
    """The bound by column generation for k = 3, and how far the integer program gets on Tarragona."""
    rows = []
    for name, target in (("tarragona", 13.85), ("census", 4.645), ("eia", 0.321)):
        X = table(name)
        start = time.perf_counter()
        bound = percent(X, space.lower_bound(X, 3, method="columns", time_limit=120))
        row = {"table": name, "bound": bound, "target": target, "seconds": time.perf_counter() - start}
        rows.append(row | {"neighbours": percent(X, space.lower_bound(X, 3, method="neighbours"))})
        print(rows[-1], flush=True)
    X = table("tarragona")
    solution = space.Exact(time_limit=120).solve(X, 3)
    closed = {
        "loss": percent(X, solution.loss),
        "bound": percent(X, solution.bound),
        "status": solution.status,
        "seconds": 120,
    }
    print("Tarragona k = 3, 120 s:", closed)
    exact = []
    for k in (3, 4, 5):
        times, proven = [], 0
        for seed in range(10):
            small = np.random.default_rng(seed).normal(size=(40, 3))
            start = time.perf_counter()
            proven += covey.solve(small, k, method="exact", time_limit=60.0).status == "optimal"
            times.append(time.perf_counter() - start)
        exact.append({"n": 40, "d": 3, "k": k, "proven": proven, "of": 10, "slowest": max(times)})
        print(exact[-1], flush=True)
    return {"rows": rows, "closed": closed, "exact": exact}


def run_costs() -> dict[str, Any]:
    """Medians, maxima and minima: groups that are made for them beside groups for means, by their own cost."""
    rows: list[dict[str, Any]] = []
    for name in TABLES:
        X = table(name)
        coordinates = as_coordinates(X)
        for k in KS:
            means = space.Auto().partition(X, k)
            for cost in ("sae", "roundup", "rounddown"):
                objective = Objective((cost,) * X.shape[1])
                row: dict[str, Any] = {"table": name, "k": k, "cost": cost}
                row["means"] = objective.loss(coordinates, means)
                for method in (space.Auto(cost=cost), space.Search(cost=cost)):
                    start = time.process_time()
                    row[method.name] = method.solve(X, k).loss
                    row[f"{method.name}_seconds"] = time.process_time() - start
                rows.append(row)
                print(row, flush=True)
    return {"rows": rows}


SECTIONS = {
    "loss": run_loss,
    "costs": run_costs,
    "mdav": run_mdav,
    "large": run_large,
    "tables": run_tables,
    "literature": run_literature,
    "simulated": run_simulated,
    "figure": run_figure,
    "bound": run_bound,
}


if __name__ == "__main__":
    run_sections("space", SECTIONS, __doc__)

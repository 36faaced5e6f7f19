"""Groups one table with one package, in a process and an environment of its own. Run by cells.py.

usage: python -m benchmarks.peers.grouping PACKAGE TABLE.npy K LABELS.npy GIB
Prints two JSON lines: before the call what it took to get there, after it seconds and memory, or the error. The package
has made a small call before, so that what it compiles at first use is not counted.
"""

from __future__ import annotations

import importlib.metadata
import json
import resource
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable


def covey(**options: Any) -> Callable[[], Callable[[np.ndarray, int], Any]]:
    def load() -> Callable[[np.ndarray, int], Any]:
        import covey as package

        return lambda X, k: package.partition(X[:, 0] if X.shape[1] == 1 else X, k, **options).labels

    return load


def microagg1d(exact: bool) -> Callable[[], Callable[[np.ndarray, int], Any]]:  # noqa: FBT001
    def load() -> Callable[[np.ndarray, int], Any]:
        from microagg1d import univariate_microaggregation

        def group(X: np.ndarray, k: int) -> Any:
            mode: dict[str, Any] = {}
            if exact:  # the settings with which it is right on most data
                mode = {"method": "simple", "stable": 3} if k <= 21 else {"method": "staggered", "stable": 1}
            return univariate_microaggregation(X[:, 0], k, **mode)

        return group

    return load


def k_means_constrained() -> Callable[[np.ndarray, int], Any]:
    from k_means_constrained import KMeansConstrained

    def group(X: np.ndarray, k: int) -> Any:
        model = KMeansConstrained(n_clusters=max(1, len(X) // k), size_min=k, n_init=1, random_state=0)
        return model.fit_predict(X)

    return group


def anonypyx() -> Callable[[np.ndarray, int], Any]:
    import pandas as pd
    from anonypyx.microaggregation import MDAVGeneric

    def group(X: np.ndarray, k: int) -> Any:
        frame = pd.DataFrame(X, columns=[f"x{c}" for c in range(X.shape[1])])
        labels = np.full(len(X), -1)
        for number, rows in enumerate(MDAVGeneric(frame, list(frame.columns)).partition(k)):
            labels[rows] = number
        return labels

    return group


def k_means_and_merge() -> Callable[[np.ndarray, int], Any]:
    """k-means, then the smallest group joins the one with the nearest mean until all have k."""
    from sklearn.cluster import KMeans

    def group(X: np.ndarray, k: int) -> Any:
        clusters = max(1, len(X) // k)
        labels = KMeans(n_clusters=clusters, n_init=1, random_state=0).fit_predict(X)
        sizes = np.bincount(labels, minlength=clusters).astype(float)
        sums = np.stack([np.bincount(labels, weights=column, minlength=clusters) for column in X.T], axis=1)
        joined = np.arange(clusters)
        sizes[sizes == 0] = np.inf
        while len(X) >= k and sizes.min() < k:
            small = int(np.argmin(sizes))
            distances = ((sums / sizes[:, None] - sums[small] / sizes[small]) ** 2).sum(axis=1)
            distances[[small, *np.flatnonzero(np.isinf(sizes))]] = np.inf
            into = int(np.argmin(distances))
            sizes[into] += sizes[small]
            sums[into] += sums[small]
            sizes[small] = np.inf
            joined[joined == small] = into
        return joined[labels]

    return group


PACKAGES: dict[str, tuple[str, Callable[[], Callable[[np.ndarray, int], Any]]]] = {
    "covey": ("covey", covey()),
    "covey, mdav": ("covey", covey(method="mdav")),
    "covey, search": ("covey", covey(method="search")),
    "microagg1d": ("microagg1d", microagg1d(exact=False)),
    "microagg1d, exact": ("microagg1d", microagg1d(exact=True)),
    "k-means-constrained": ("k-means-constrained", k_means_constrained),
    "anonypyx": ("anonypyx", anonypyx),
    "scikit-learn k-means, merged": ("scikit-learn", k_means_and_merge),
}


def resident(what: str) -> float:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(what))


def tell(**facts: Any) -> None:
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


def attempt(group: Callable[[np.ndarray, int], Any], X: np.ndarray, k: int) -> Any:
    """The labels, or the error in a line."""
    try:
        return group(X, k)
    except Exception as error:  # noqa: BLE001
        first = (str(error).splitlines() or [""])[0]
        return f"{type(error).__name__}: {first[:110]}".rstrip(": ")


def main() -> None:
    name, table, k, target, gib = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4], int(sys.argv[5])
    resource.setrlimit(resource.RLIMIT_AS, (gib * 2**30, gib * 2**30))
    start = time.perf_counter()
    distribution, load = PACKAGES[name]
    group = load()
    X = np.load(table)
    attempt(group, np.random.default_rng(1).random((8 * min(k, 50), X.shape[1])), min(k, 50))
    ready = time.perf_counter() - start
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # forgets the peak so far
    before = resident("VmRSS")
    tell(ready_seconds=ready, before_mib=before, version=importlib.metadata.version(distribution))
    start = time.perf_counter()
    labels = attempt(group, X, k)
    took = time.perf_counter() - start
    peak = resident("VmHWM") - before
    if isinstance(labels, str):
        tell(error=labels, seconds=took, peak_mib=peak)
    else:
        np.save(target, np.asarray(labels))
        tell(seconds=took, peak_mib=peak)


if __name__ == "__main__":
    main()

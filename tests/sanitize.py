"""Runs the kernels of an instrumented build over small and hard columns. Called by test_sanitizers in a process of its own."""

from __future__ import annotations

import importlib.util
import itertools
import sys
from typing import Any

import numpy as np


def load(path: str) -> Any:
    spec = importlib.util.spec_from_file_location("line", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def columns() -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    small = [np.array(v) for n in range(1, 6) for v in itertools.combinations_with_replacement((0.0, 1.0, 3.0), n)]
    large = [rng.random(n) for n in (63, 257, 9000)] + [np.linspace(-1.7, 1.7, 500) * 1e308]
    return [
        *small,
        *large,
        np.full(300, 7.0),
        np.floor(rng.random(400) * 9),
        rng.random(300) * 2e300,
        rng.random(300_000),
    ]


def main(path: str) -> None:
    kernels = load(path)
    named = ("fastest", "simple", "simple_plus", "wilber", "galil_park", "staggered")
    for x in columns():
        n = len(x)
        for k, cost in itertools.product((1, 2, 3, 4, 5, 7, 8, 9, 20, 21, 41, 60), range(5)):
            if k > n or (n > 10_000 and (cost > 1 or k not in (3, 60))):
                continue
            for name in named if n < 10_000 else ("fastest",):
                getattr(kernels, name)(x, kernels.is_sorted(x), k, cost, (k, 2 * k - 1, 0.0, 0.0, 0), 0, True)
            if n < 1000:
                for name in ("fastest", "wilber", "galil_park"):
                    getattr(kernels, name)(x, kernels.is_sorted(x), k, cost, (k, n, 0.1, 0.0, 0), 0, True)
                    getattr(kernels, name)(x, kernels.is_sorted(x), k, cost, (1, n, 0.0, 0.3, k), 2, True)
            if n >= 2 * k and k > 1 and n < 10_000 and x.max() < 1e100:  # these two take scaled values only
                kernels.direct(np.sort(x), k, cost)
                kernels.divide(np.sort(x), k, cost)
        kernels.sort(x)
    kernels.classic(np.arange(200.0), True, 3, 0, (3, 200, 0.0, 0.0, 0), 0, True)
    kernels.classic_own_cost(lambda start, stop: float(stop - start), 20, (3, 20, 0.0, 0.0, 0), 2, False, 0.0)
    print("clean")


if __name__ == "__main__":
    main(sys.argv[1])

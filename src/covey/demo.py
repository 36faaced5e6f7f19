"""What `make demo` shows: columns of the bundled table, grouped, and what was gained."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import covey
from covey.costs import COSTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

K = 5
COLUMNS = (("age", "sse", "mean"), ("visits", "sse", "mean"), ("charge", "sae", "median"))


def main() -> None:
    """Group some columns of the patients, each by itself, and print what that loses and how it compares."""
    patients = covey.datasets.load_patients()
    print(f"covey {covey.__version__}: {len(patients)} simulated hospital stays, groups of at least k = {K}")
    for name, cost, aggregate in COLUMNS:
        values = patients[name].to_numpy().astype(np.float64)
        solution = covey.solve(values, K, cost=cost)
        released = np.empty_like(values)
        for group in solution.partition.groups():
            released[group] = COSTS[cost].representative(values[group])
        fixed = _loss_of_fixed_groups(values, cost)
        print(f"\n{name}, each group published as its {aggregate}")
        print(f"  before: {_rare(values)} stays have a value that fewer than {K} share; after: {_rare(released)}")
        print(f"  {solution.loss:.6g} lost ({cost}), {solution.status}: no other groups of {K} or more lose less")
        print(f"  {fixed:.6g} with {K} at a time in sorted order, {fixed / solution.loss:.2f} times as much")


def _rare(values: NDArray[np.float64]) -> int:
    counts = np.unique(values, return_counts=True)[1]
    return int(counts[counts < K].sum())


def _loss_of_fixed_groups(values: NDArray[np.float64], cost: str) -> float:
    ordered = np.sort(values)
    return sum(COSTS[cost].loss(group) for group in np.array_split(ordered, len(ordered) // K))


if __name__ == "__main__":
    main()

"""The two proofs behind the window recursion: prices that no cluster undercuts, and places without a better solution."""

from __future__ import annotations

import random

import numpy as np
import pytest

from covey._kernels import diverse as kernels
from covey.line import diverse
from tests.line.diverse_oracle import UNIT, best, clusters, cost
from tests.line.test_diverse import coloured, largest_l, random_instance


@pytest.mark.parametrize("objective", ["sum", "sse"])
def test_no_cluster_costs_less_than_its_points_prices(objective: str) -> None:
    """And after some steps the sum of all prices is not far below the optimum."""
    rng = random.Random(4)
    shares = []
    for _ in range(300):
        values, given, l = random_instance(rng)  # noqa: E741
        order = sorted(range(len(values)), key=values.__getitem__)
        x, colours = [values[i] for i in order], tuple(given[i] for i in order)
        least = best(x, colours, l, objective)
        if not least:
            continue
        codes = np.array(colours, dtype=np.int32)
        prices = kernels.prices(np.array(x, dtype=float), codes, 8, l, objective == "sse", 1.1 * least / UNIT, 100)
        for of_first in clusters(colours, l):
            for cluster in of_first:
                if len(cluster) < 2 * l:
                    assert sum(prices[list(cluster)]) <= cost(objective, [x[i] for i in cluster]) / UNIT + 1e-9
        shares.append(prices.sum() * UNIT / least)
    assert len(shares) > 100
    assert np.median(shares) > 0.9


def test_a_place_is_only_hopeless_where_all_is() -> None:
    """No part of a column shows that its optimum is impossible, and some parts show that nothing is below it."""
    rng = random.Random(9)
    proven = 0
    for seed in range(60):
        n, m = rng.randint(20, 60), rng.choice([3, 4])
        colours = coloured(n, m, seed, rng.choice([1.0, 0.8]))
        if largest_l(colours) < 2:
            continue
        x = np.sort(np.random.default_rng(seed).random(n))
        least = diverse(x, colours, 2, "max", "paper").loss
        codes = np.array(colours, dtype=np.int32)
        for first in range(1, n, 3):
            assert not kernels.dies(x, codes, m, 2, np.nextafter(least, 2.0), first, n)
            proven += kernels.dies(x, codes, m, 2, least, first, n)
    assert proven > 50

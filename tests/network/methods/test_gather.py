"""r-gather against all partitions of small graphs, and its lemma."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import pytest

from covey._kernels import network as kernels
from covey.errors import InputError, OptionError
from covey.network.methods import gather
from covey.network.methods.gather import Gather
from tests.network.methods.brute import partitions
from tests.network.methods.kernel_definitions import (
    Csr,
    all_distances,
    as_given,
    csr,
    pieces,
    radius,
    random_graph,
    random_tree,
)

if TYPE_CHECKING:
    from collections.abc import Iterator


def least(far: np.ndarray, lower: int) -> float:
    """Of clusters of any size; to split them changes no radius, so 2 lower - 1 is enough."""
    return min(max(radius(far, c) for c in clusters) for clusters in partitions(len(far), lower, 2 * lower - 1))


def graphs() -> Iterator[tuple[Csr, int]]:
    for seed in range(120):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(3, 9))
        lengths = ("none", "quarters", "any")[seed % 3]
        graph = random_graph(rng, n, int(rng.integers(n - 1, 2 * n)), lengths)
        smallest = min(map(len, pieces(graph, range(n))))
        yield from ((graph, lower) for lower in (1, 2, 3, 4) if lower <= smallest)


def test_the_bound_holds_and_the_radius_is_at_most_twice_the_least() -> None:
    compared, tight, above = 0, 0, 0
    for graph, lower in graphs():
        far = all_distances(graph)
        best = least(far, lower)
        found = kernels.gather(*graph, lower, 10**6)
        assert found is not None
        labels, heads, distances, within = found
        assert np.bincount(labels).min() >= lower
        assert distances == pytest.approx(far[heads[labels], np.arange(graph.n)])
        assert distances.max() <= within * (1 + 1e-12)
        assert within / 2 <= best * (1 + 1e-12)
        solved = Gather().solve(as_given(graph), lower)
        assert solved.partition is not None
        assert solved.partition.sizes.min() >= lower
        assert solved.partition.sizes.max() <= max(1, 2 * lower - 1)
        assert solved.bound <= best * (1 + 1e-9)
        assert best <= solved.radius * (1 + 1e-12)
        assert solved.radius <= 2 * best * (1 + 1e-12)
        compared += 1
        tight += solved.bound == best
        above += solved.radius > best
    assert compared > 150
    assert tight > compared / 2
    assert above > 0, "the heuristic was always right: these graphs show nothing"


def heads_apart(far: np.ndarray, within: float) -> list[int]:
    heads: list[int] = []
    for v in range(len(far)):
        if all(far[h, v] > within for h in heads):
            heads.append(v)
    return heads


def can_serve(far: np.ndarray, heads: list[int], within: float, lower: int) -> bool:
    """Hall's condition: any heads have at least `lower` times as many vertices within reach."""
    for size in range(1, len(heads) + 1):
        for chosen in itertools.combinations(heads, size):
            if np.count_nonzero((far[list(chosen)] <= within).any(axis=0)) < lower * size:
                return False
    return True


def works(far: np.ndarray, within: float, lower: int) -> bool:
    enough = bool(((far <= within).sum(axis=1) >= lower).all())
    return enough and can_serve(far, heads_apart(far, within), within, lower)


def test_the_lemma_and_the_smallest_distance_that_works() -> None:
    """From twice the least radius on, every D works; the D found works, and the next smaller one does not."""
    searched = 0
    for graph, lower in graphs():
        if graph.lengths is not None and not np.all(graph.lengths * 4 % 1 == 0):
            continue  # only sums that are exact can be compared
        far = all_distances(graph)
        values = np.unique(far[np.isfinite(far)])
        assert all(works(far, d, lower) for d in values if d >= 2 * least(far, lower))
        found = kernels.gather(*graph, lower, 10**6)
        assert found is not None
        within = found[3]
        assert works(far, within, lower)
        below = values[values < within]
        assert len(below) == 0 or not works(far, below[-1], lower)
        enough = np.sort(far, axis=1)[:, lower - 1].max()
        searched += within > enough
    assert searched > 0, "counting neighbours was always enough: the search for D was never needed"


@pytest.mark.parametrize("seed", range(5))
def test_larger_graphs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    graph = random_tree(rng, 400, extra=200)
    for lower in (3, 8):
        solved = Gather(upper=2 * lower - 1).solve(as_given(graph), lower)
        assert solved.partition is not None
        assert solved.partition.sizes.min() >= lower
        assert solved.partition.sizes.max() < 2 * lower
        assert solved.bound <= solved.radius <= 2 * solved.bound


def test_a_distance_is_refuted_or_left_open() -> None:
    seen = set()
    for graph, lower in itertools.islice(graphs(), 60):
        solved = Gather().solve(as_given(graph), lower)
        seen.add(solved.status)
        if solved.bound > 0:
            assert Gather(distance=solved.bound * 0.9).solve(as_given(graph), lower).status == "infeasible"
        if solved.status == "feasible":
            assert Gather(distance=solved.radius).solve(as_given(graph), lower).status == "feasible"
            assert Gather(distance=solved.bound).solve(as_given(graph), lower).status == "unknown"
    assert seen == {"optimal", "feasible"}


def test_what_cannot_be_done_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    path = as_given(csr(9, [(v, v + 1) for v in range(8)]))
    with pytest.raises(OptionError, match="at least 5"):
        Gather(upper=4).solve(path, 3)
    assert Gather().solve(as_given(csr(4, [(0, 1), (1, 2)])), 2).status == "infeasible"
    assert kernels.gather(*csr(4, [(0, 1), (1, 2)]), 2, 10**6) is None
    monkeypatch.setattr(gather, "_MOST_PAIRS", 3)
    with pytest.raises(InputError, match="pairs of vertices"):
        Gather().solve(path, 3)

"""The recount accepts the true distance of every vertex to every centre, and nothing less."""

from __future__ import annotations

import numpy as np
import pytest

from covey.errors import RefusedError
from covey.network.methods.checking import check_clusters
from covey.network.methods.problem import as_problem
from tests.network.methods.kernel_definitions import all_distances, as_given, is_connected, random_graph


@pytest.mark.parametrize("lengths", ["none", "quarters", "any"])
@pytest.mark.parametrize("seed", range(12))
def test_true_distances_pass_and_smaller_ones_do_not(seed: int, lengths: str) -> None:
    rng = np.random.default_rng(seed)
    graph = random_graph(rng, 20, 34, lengths)
    if not is_connected(graph, range(20)):
        return
    far = all_distances(graph)
    problem = as_problem(as_given(graph), 1)
    for _ in range(20):
        labels = np.unique(rng.integers(0, 4, 20), return_inverse=True)[1].astype(np.int32)
        centres = rng.integers(0, 20, labels.max() + 1).astype(np.int32)
        distances = far[centres[labels], np.arange(20)]
        check_clusters(problem, labels, centres, distances)
        v = int(rng.choice(np.flatnonzero(distances > 0)))
        distances[v] *= 0.99
        with pytest.raises(RefusedError, match="larger than claimed"):
            check_clusters(problem, labels, centres, distances)

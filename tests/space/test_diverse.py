"""Groups of different colours in any metric: never wider than twice the best of every grouping, with a true bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx
import numpy as np
import pytest

import covey
from covey.errors import InfeasibleError, InputError, OptionError
from covey.space import diverse
from covey.space.gather_colours import euclidean
from covey.space.metric_diversity import gather_colours
from tests.line.diverse_oracle import clusters, colourings

if TYPE_CHECKING:
    from numpy.typing import NDArray


def best(distances: NDArray[np.float64], colours: tuple[int, ...], l: int) -> float:  # noqa: E741
    """The definition: the least largest distance within a group, of every grouping; infinite where there is none."""
    starting = clusters(colours, l)
    known = {0: 0.0}

    def solve(left: int) -> float:
        if left not in known:
            first = (left & -left).bit_length() - 1
            options = [np.inf]
            for group in starting[first]:
                mask = sum(1 << i for i in group)
                if mask & left == mask:
                    options.append(max(distances[np.ix_(group, group)].max(), solve(left ^ mask)))
            known[left] = min(options)
        return known[left]

    return solve((1 << len(colours)) - 1)


def check(distances: NDArray[np.float64], colours: tuple[int, ...], l: int) -> bool:  # noqa: E741
    """What every answer must be; whether it is wider than the best."""
    least = best(distances, colours, l)
    gathered = gather_colours(distances, np.array(colours, dtype=np.int32), l)
    if gathered is None:
        assert np.isinf(least)
        return False
    members = [np.flatnonzero(gathered.labels == group) for group in range(len(gathered.centres))]
    for centre, group in zip(gathered.centres, members, strict=True):
        assert centre in group
        assert len(group) == len({colours[i] for i in group}) >= l
        assert distances[centre, group].max() <= gathered.within
    assert gathered.within <= least
    widest = max(distances[np.ix_(group, group)].max() for group in members)
    assert widest <= 2 * least
    return bool(widest > least)


def test_every_colouring_of_small_tables() -> None:
    rng = np.random.default_rng(0)
    wider = 0
    for n in range(2, 8):
        for turn, colours in enumerate(colourings(n, 4 if n < 7 else 3)):
            frequent = max(map(colours.count, colours))
            points = rng.integers(0, 5, (n, 2)).astype(float) if turn % 2 else rng.normal(size=(n, 2))
            for l in range(2, n // frequent + 1):  # noqa: E741
                wider += check(euclidean(points), colours, l)
    assert wider > 0  # it is no more than an approximation


def test_distances_that_are_no_plane() -> None:
    """Networks, connected or not, and trees of many equal distances."""
    rng = np.random.default_rng(1)
    for seed in range(120):
        n = int(rng.integers(4, 9))
        graph = nx.gnp_random_graph(n, 0.35, seed=seed)
        distances = np.full((n, n), np.inf)
        for source, lengths in nx.all_pairs_shortest_path_length(graph):
            for target, length in lengths.items():
                distances[source, target] = length
        colours = tuple(int(c) for c in rng.integers(0, 4, n))
        check(distances, colours, 2)


@pytest.mark.parametrize("offset", [0.0, 1e9])
def test_larger_tables(offset: float) -> None:
    rng = np.random.default_rng(2)
    for l in (2, 3, 5):  # noqa: E741
        points, colours = rng.normal(size=(150, 3)) + offset, rng.permutation(150) % 6
        solution = diverse(points, colours, l)
        assert solution.bound <= solution.loss <= 2 * solution.bound
        for group in solution.partition.groups():
            assert len(group) == len(set(colours[group].tolist())) >= l
    assert diverse(np.zeros((6, 1)), list("aabbcc"), 3).loss == 0.0
    assert diverse([[1.0]], ["a"], 1).status == "optimal"


def test_on_the_line_it_is_at_most_twice_the_best() -> None:
    rng = np.random.default_rng(3)
    for _ in range(10):
        x, colours = rng.normal(size=40), rng.permutation(40) % 4
        least = covey.line.diverse(x, colours, 3, "max", "window").loss
        solution = diverse(x[:, None], colours, 3)
        assert solution.bound <= least <= solution.loss <= 2 * least


def test_networks() -> None:
    graph = nx.random_geometric_graph(80, 0.25, seed=4)
    colours = np.random.default_rng(4).permutation(80) % 4
    solution = covey.network.diverse(graph, colours, 3)
    assert solution.bound <= solution.loss <= 2 * solution.bound
    ring = nx.Graph()
    ring.add_weighted_edges_from([(0, 1, 9.0), (1, 2, 4.0), (2, 3, 9.0), (3, 0, 4.0)], weight="minutes")
    apart = covey.network.diverse(ring, list("abab"), 2, length="minutes")
    assert (apart.partition.labels.tolist(), apart.loss, apart.bound) == ([0, 1, 1, 0], 4.0, 4.0)
    lone = [(0, 1), (1, 2), (3, 4)]
    with pytest.raises(InfeasibleError, match="some component has no clusters of 2 different colours"):
        covey.network.diverse(lone, list("abcdd"), 2)


def test_mistakes(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InfeasibleError, match="is that of 2 of 3 records"):
        diverse([[1.0], [2.0], [3.0]], list("aba"), 2)
    with pytest.raises(OptionError, match="l is 0"):
        diverse([[1.0]], ["a"], 0)
    monkeypatch.setattr("covey.space.gather_colours.MOST_POINTS", 2)
    with pytest.raises(InputError, match="there are 3 points; needed: at most 2"):
        diverse([[1.0], [2.0], [3.0]], list("abc"), 2)

"""A method of the paper against the brute force: the same answer for every distance, and the same smallest one."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from covey.network.methods.cover.method import CoverMethod
from tests.conftest import EXHAUSTIVE
from tests.network.methods.brute import case_of, connected_graphs, least_radius, random_case

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZES = range(1, 8 if EXHAUSTIVE else 6)  # make exhaustive: 6 and 7, too


@cache
def _answers(n: int, connected: bool) -> list[tuple[Any, int, int, float]]:  # noqa: FBT001
    """Every connected graph of n vertices, every lower and upper, and the smallest distance."""
    return [
        (graph, lower, upper, least_radius(case_of(graph), lower, upper, connected=connected))
        for graph in connected_graphs(n, n)
        for lower in range(1, n + 1)
        for upper in range(lower, n + 1)
    ]


@cache
def _cover(graph: Any) -> list[int]:
    """A minimum one; the random graphs have theirs found by the method."""
    return sorted(set(graph) - set(max(nx.find_cliques(nx.complement(graph)), key=lambda clique: len(list(clique)))))


def check_small_graphs(method: type[Any], n: int, *, connected: bool) -> None:
    for graph, lower, upper, best in _answers(n, connected):
        options = {"cover": _cover(graph)} if issubclass(method, CoverMethod) else {}
        for distance in range(nx.diameter(graph) + 1):
            solution = method(upper=upper, distance=distance, connected=connected, **options).solve(graph, lower)
            assert (solution.partition is not None) == (distance >= best), (list(graph.edges), lower, upper, distance)
            assert (solution.status == "infeasible") == (distance < best)


def random_questions(seed: int, count: int, kind: str) -> Iterator[tuple[Any, int, int]]:
    """Graphs of up to 10 vertices, some in several components, with sizes."""
    rng = np.random.default_rng(seed)
    while count:
        graph = random_case(rng, 10, kind)
        n = graph.number_of_nodes()
        lower = int(rng.integers(2 if n > 8 else 1, 5))
        if lower <= n and graph.number_of_edges():
            yield graph, lower, int(rng.integers(lower, min(n, 2 * lower + 1) + 1))
            count -= 1


@cache
def _random_answers(kind: str, connected: bool, count: int) -> list[tuple[Any, int, int, float]]:  # noqa: FBT001
    return [
        (graph, lower, upper, least_radius(case_of(graph, "length"), lower, upper, connected=connected))
        for graph, lower, upper in random_questions(7, count, kind)
    ]


def check_random_graphs(method: type[Any], kind: str, *, connected: bool, count: int = 60) -> None:
    feasible = 0
    for graph, lower, upper, best in _random_answers(kind, connected, count):
        solution = method(upper=upper, connected=connected, length="length").solve(graph, lower)
        if math.isinf(best):
            assert solution.status == "infeasible"
        else:
            feasible += 1
            assert solution.status == "optimal"
            assert math.isclose(solution.radius, best, rel_tol=1e-9, abs_tol=1e-12), (list(graph.edges), lower, upper)
    assert feasible >= count / 5, "too few of the graphs have clusters: the test shows little"

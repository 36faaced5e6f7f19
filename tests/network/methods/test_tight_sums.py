"""The least sum where clusters cannot be split, with short and long edges: every tree, and every graph with one cycle.

With `upper` below 2 lower - 1 a centre may need several clusters, and long edges make it serve vertices beyond the smallest radius.
Graphs up to isomorphism, and their lengths up to what another numbering of the vertices makes of them: 103 questions of 4
vertices, 15,765 of 6 and 40,099 of 7; other numbers of vertices have no such sizes. `make exhaustive` asks all of them.
"""

from __future__ import annotations

import itertools
import math
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx
import numpy as np
import pytest

from covey.network import microaggregate
from tests.conftest import EXHAUSTIVE
from tests.network.methods.brute import case_of, connected_graphs, least_sum_by_subsets
from tests.network.methods.test_least_sum import least_sum

if TYPE_CHECKING:
    from collections.abc import Iterator

LENGTHS = (1, 2, 10)
SAMPLE = 30
"""How many questions of each size are asked; make exhaustive: all."""


class Question(NamedTuple):
    graph: Any
    lower: int
    upper: int


def with_lengths(graph: Any) -> Iterator[Any]:
    """The graph with all lengths, but for those that another numbering of its vertices makes of others."""
    edges = list(graph.edges)
    place = {frozenset(edge): at for at, edge in enumerate(edges)}
    same = [
        [place[frozenset((moved[u], moved[v]))] for u, v in edges]
        for moved in nx.algorithms.isomorphism.GraphMatcher(graph, graph).isomorphisms_iter()
    ]
    for lengths in itertools.product(LENGTHS, repeat=len(edges)):
        if all(lengths <= tuple(lengths[at] for at in order) for order in same):
            long = graph.copy()
            nx.set_edge_attributes(long, dict(zip(edges, lengths, strict=True)), "length")
            yield long


def sizes_of(n: int) -> list[tuple[int, int]]:
    """Every lower and upper that n vertices fit into, as several clusters that cannot be split."""
    return [
        (lower, upper)
        for lower in range(2, n + 1)
        for upper in range(lower, 2 * lower - 1)
        if math.ceil(n / upper) <= n // lower < n and upper < n
    ]


def few_edges(n: int) -> list[Any]:
    """Every tree and every graph with one cycle."""
    return [graph for graph in connected_graphs(n, n) if graph.number_of_edges() <= n]


def questions(n: int) -> Iterator[Question]:
    sizes = sizes_of(n)
    for graph in few_edges(n):
        for long, (lower, upper) in itertools.product(with_lengths(graph), sizes):
            yield Question(long, lower, upper)


@cache
def asked(n: int) -> list[Question]:
    every = list(questions(n)) if EXHAUSTIVE or n < 7 else _some_of_seven()
    if EXHAUSTIVE or len(every) <= SAMPLE:
        return every
    return [every[at] for at in np.random.default_rng(n).choice(len(every), SAMPLE, replace=False)]


def _some_of_seven() -> list[Question]:
    """As `questions(7)`, without making all of them."""
    rng = np.random.default_rng(1)
    graphs, drawn = few_edges(7), []
    for at in rng.choice(len(graphs), SAMPLE):
        graph = graphs[at].copy()
        nx.set_edge_attributes(graph, {edge: int(rng.choice(LENGTHS)) for edge in graph.edges}, "length")
        drawn.append(Question(graph, 3, 4))
    return drawn


def check(question: Question, *, connected: bool, near: bool) -> None:
    """The same least sum as the definition, and proven; `near`: within half of the distances only."""
    graph, lower, upper = question
    case = case_of(graph, "length")
    distance = float(np.median(case.distances)) if near else None
    most = math.inf if distance is None else distance
    best = least_sum_by_subsets(case, lower, upper, connected=connected, distance=most)
    solution = microaggregate(graph, lower, upper, distance, connected, "sum", "length", time_limit=None)
    words = (list(graph.edges(data="length")), lower, upper, distance)
    assert solution.status == ("infeasible" if math.isinf(best) else "optimal"), words
    assert solution.total == best, words


@pytest.mark.parametrize("near", [False, True])
@pytest.mark.parametrize("connected", [False, True])
@pytest.mark.parametrize("n", [4, 6, 7])
def test_every_small_graph_with_few_edges(n: int, *, connected: bool, near: bool) -> None:
    for question in asked(n):
        check(question, connected=connected, near=near)


@pytest.mark.parametrize("connected", [False, True])
def test_the_definition_by_subsets_is_the_definition(*, connected: bool) -> None:
    for graph, lower, upper in asked(6)[:20] + asked(7)[:10]:
        case = case_of(graph, "length")
        for most in (math.inf, float(np.median(case.distances))):
            slow = least_sum(case, lower, upper, connected=connected, distance=most)
            assert least_sum_by_subsets(case, lower, upper, connected=connected, distance=most) == slow


def test_how_many_questions_there_are() -> None:
    assert [len(few_edges(n)) for n in range(2, 8)] == [1, 2, 4, 8, 19, 44]
    assert [sizes_of(n) for n in (3, 4, 5, 6, 7)] == [[], [(2, 2)], [], [(2, 2), (3, 3), (3, 4)], [(3, 4)]]
    assert [sum(1 for _ in questions(n)) for n in (4, 6)] == [103, 15_765]

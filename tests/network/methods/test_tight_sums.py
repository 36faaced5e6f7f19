"""The least sum where clusters cannot be split, with short and long edges: every tree, and every graph with one cycle.

With `upper` below 2 lower - 1 a centre may need several clusters, and long edges make it serve vertices beyond the smallest radius.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx
import numpy as np
import pytest

from covey.network import microaggregate
from tests.network.methods.agree import EXHAUSTIVE
from tests.network.methods.brute import case_of, connected_graphs
from tests.network.methods.test_least_sum import least_sum

if TYPE_CHECKING:
    from collections.abc import Iterator

LENGTHS = (1, 2, 10)
SAMPLE = 60
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
            made = graph.copy()
            nx.set_edge_attributes(made, dict(zip(edges, lengths, strict=True)), "length")
            yield made


def questions(n: int) -> Iterator[Question]:
    sizes = [
        (lower, upper)
        for lower in range(2, n + 1)
        for upper in range(lower, 2 * lower - 1)
        if math.ceil(n / upper) <= n // lower < n and upper < n
    ]
    for graph in connected_graphs(n, n):
        if sizes and graph.number_of_edges() <= n:
            for made, (lower, upper) in itertools.product(with_lengths(graph), sizes):
                yield Question(made, lower, upper)


def asked(n: int) -> list[Question]:
    every = list(questions(n)) if EXHAUSTIVE or n < 7 else _some_of_seven()
    if EXHAUSTIVE or len(every) <= SAMPLE:
        return every
    return [every[at] for at in np.random.default_rng(n).choice(len(every), SAMPLE, replace=False)]


def _some_of_seven() -> list[Question]:
    """As `questions(7)`, without making all of them."""
    rng = np.random.default_rng(1)
    graphs = [graph for graph in connected_graphs(7, 7) if graph.number_of_edges() <= 7]
    made = []
    for at in rng.choice(len(graphs), SAMPLE):
        graph = graphs[at].copy()
        nx.set_edge_attributes(graph, {edge: int(rng.choice(LENGTHS)) for edge in graph.edges}, "length")
        made.append(Question(graph, 3, 4))
    return made


@pytest.mark.parametrize("connected", [False, True])
@pytest.mark.parametrize("n", [4, 6, 7])
def test_every_small_graph_with_few_edges(n: int, *, connected: bool) -> None:
    for graph, lower, upper in asked(n):
        case = case_of(graph, "length")
        for distance in (None, float(np.median(case.distances))):
            most = math.inf if distance is None else distance
            best = least_sum(case, lower, upper, connected=connected, distance=most)
            found = microaggregate(graph, lower, upper, distance, connected, "sum", "length")
            told = (list(graph.edges(data="length")), lower, upper, distance)
            assert found.status == ("infeasible" if math.isinf(best) else "optimal"), told
            assert found.total == best, told

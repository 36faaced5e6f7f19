"""Theorem 9."""

from __future__ import annotations

import itertools

import networkx as nx
import pytest

from covey.errors import InputError, OptionError
from covey.network.methods.cover import few_centres
from covey.network.methods.cover.cover import minimum_cover, types_of
from covey.network.methods.cover.few_centres import FewCentres, candidate_centres
from covey.network.methods.cover.program import serve
from covey.network.methods.distances import balls
from covey.network.methods.problem import Deadline
from covey.network.reading import as_network
from tests.network.methods.agree import SIZES, check_random_graphs, check_small_graphs
from tests.network.methods.brute import connected_graphs


@pytest.mark.parametrize("n", SIZES)
def test_every_small_graph(n: int) -> None:
    check_small_graphs(FewCentres, n, connected=False)


@pytest.mark.parametrize("kind", ["one", "whole", "quarters", "any"])
def test_random_graphs(kind: str) -> None:
    check_random_graphs(FewCentres, kind, connected=False, count=40)


def test_what_is_no_candidate_can_be_replaced() -> None:
    """Whoever is left out has a candidate, or one of the cover, that has all it has within the distance."""
    for graph, distance in itertools.product(connected_graphs(5), (1, 2)):
        network = as_network(graph)
        cover = minimum_cover(network, Deadline(None))
        assert cover is not None
        within = balls(network, distance)
        types = types_of(network, cover, within)
        assert types is not None
        kept = [*range(types.cover), *candidate_centres(types)]
        ball = [set(within.indices[within.indptr[v] : within.indptr[v + 1]].tolist()) for v in range(network.n)]
        for members in types.members:
            for v in members:
                assert any(ball[v] <= ball[w] for c in kept for w in types.members[c])


def test_of_two_that_can_replace_each_other_one_stays() -> None:
    """Here c and o are of different types, both have everyone within 2.5, and nobody else has."""
    graph = nx.Graph()
    edges = [("a", "p", 1.4), ("b", "q", 1.4), ("a", "c", 1.0), ("b", "c", 1.0), ("a", "o", 1.05), ("b", "o", 1.05)]
    graph.add_weighted_edges_from(edges, weight="length")
    solution = FewCentres(distance=2.5, length="length", cover=["a", "b"]).solve(graph, 6)
    assert solution.centres in (("c",), ("o",))


def test_the_fewest_types_of_centres_outside_the_cover(monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs are asked for no centre outside the cover first, then for one, ..."""
    asked: list[int] = []
    original = serve

    def counted(problem, types, centres, deadline):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        asked.append(len(centres) - types.cover)
        return original(problem, types, centres, deadline)

    monkeypatch.setattr(few_centres, "serve", counted)
    between = nx.Graph([("a", v) for v in range(3)] + [("b", v) for v in range(3, 6)] + [("a", "m"), ("b", "m")])
    cover = ["a", "b"]
    assert FewCentres(upper=9, distance=2, cover=cover).solve(between, 9).status == "optimal"
    assert asked[0] == 0
    assert asked == sorted(asked)
    assert asked[-1] == 1, "only m has all nine within 2"


def test_refusals() -> None:
    with pytest.raises(OptionError, match="connected"):
        FewCentres(connected=True).solve(nx.path_graph(5), 2)
    with pytest.raises(InputError, match="no end in the cover"):
        FewCentres(cover=[1]).solve(nx.path_graph(5), 2)
    assert FewCentres(time_limit=1e-9).solve(nx.path_graph(50), 3).status == "unknown"


def test_reasons_name_theorem_and_distance() -> None:
    spider = nx.Graph([(0, 1), (0, 2), (0, 3), (1, 4), (2, 5), (3, 6)])
    solution = FewCentres(upper=7, distance=1).solve(spider, 3)
    assert solution.reason == "by theorem 9 (vertex cover) no clusters are within the distance 1"

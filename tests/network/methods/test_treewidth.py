"""Theorems 1 and 2, and the tree decompositions they work on."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import numpy as np
import pytest
from networkx.algorithms.approximation import treewidth_min_degree, treewidth_min_fill_in

from covey.errors import InputError
from covey.network.methods.treewidth import connected
from covey.network.methods.treewidth.decomposition import FORGET, INTRODUCE, JOIN, LEAF, NiceDecomposition, decompose
from covey.network.methods.treewidth.method import Treewidth
from covey.network.reading import as_network
from tests.network.methods.agree import SIZES, check_random_graphs, check_small_graphs
from tests.network.methods.brute import case_of, least_radius, radius


@pytest.mark.parametrize("connected", [True, False])
@pytest.mark.parametrize("n", SIZES)
def test_every_small_graph(n: int, connected: bool) -> None:  # noqa: FBT001
    check_small_graphs(Treewidth, n, connected=connected)


@pytest.mark.parametrize("connected", [True, False])
@pytest.mark.parametrize("kind", ["one", "whole", "quarters", "any"])
def test_random_graphs(kind: str, connected: bool) -> None:  # noqa: FBT001
    check_random_graphs(Treewidth, kind, connected=connected)


def bags_of(nice: NiceDecomposition) -> list[set[int]]:
    """The bags after each step; fails where the steps are none of a nice decomposition."""
    stack: list[set[int]] = []
    found = []
    for kind, v in zip(nice.kinds.tolist(), nice.vertices.tolist(), strict=True):
        if kind == LEAF:
            stack.append(set())
        elif kind == JOIN:
            assert stack.pop() == stack[-1]
        elif kind == INTRODUCE:
            assert v not in stack[-1]
            stack[-1] = stack[-1] | {v}
        else:
            assert kind == FORGET
            stack[-1] = stack[-1] - {v}
        found.append(stack[-1])
    assert stack == [set()]
    return found


GRAPHS = [
    nx.empty_graph(3),
    nx.path_graph(9),
    nx.star_graph(9),
    nx.cycle_graph(9),
    nx.complete_graph(6),
    nx.grid_2d_graph(4, 5),
    nx.petersen_graph(),
    nx.disjoint_union(nx.cycle_graph(5), nx.complete_graph(5)),
    nx.gnp_random_graph(30, 0.15, seed=1),
    nx.random_labeled_tree(200, seed=1),
]


@pytest.mark.parametrize("graph", GRAPHS, ids=str)
def test_decompositions_are_nice(graph: Any) -> None:
    network = as_network(graph)
    nice = decompose(network)
    bags = bags_of(nice)
    assert max(map(len, bags)) == nice.width + 1
    tails, heads, _ = network.edges()
    for v, w in zip(tails.tolist(), heads.tolist(), strict=True):
        assert any({v, w} <= bag for bag in bags)
    forgotten = nice.vertices[nice.kinds == FORGET].tolist()
    assert sorted(forgotten) == list(range(network.n)), "the bags of each vertex are connected: it is forgotten once"
    assert nice.width <= max(1, treewidth_min_fill_in(graph)[0], treewidth_min_degree(graph)[0])


@pytest.mark.parametrize(("graph", "width"), [(nx.random_labeled_tree(50, seed=2), 1), (nx.cycle_graph(20), 2)])
def test_low_degrees_come_first_without_networkx(monkeypatch: pytest.MonkeyPatch, graph: Any, width: int) -> None:
    monkeypatch.setattr("covey.network.methods.treewidth.decomposition._orders_of_rest", None)
    assert decompose(as_network(graph)).width == width


@pytest.mark.parametrize("connected", [True, False])
def test_a_decomposition_can_be_passed_in(connected: bool) -> None:  # noqa: FBT001
    graph = nx.relabel_nodes(nx.petersen_graph(), "abcdefghij".__getitem__)
    case = case_of(nx.petersen_graph())
    wide = nx.Graph()
    wide.add_node(frozenset(graph))
    for tree in (treewidth_min_degree(graph)[1], treewidth_min_fill_in(graph)[1], wide):
        solution = Treewidth(connected=connected, upper=4, decomposition=tree).solve(graph, 3)
        assert solution.radius == least_radius(case, 3, 4, connected=connected)


def tree_of(*bags: str, edges: tuple[tuple[int, int], ...] = ()) -> Any:
    tree = nx.Graph()
    tree.add_nodes_from(frozenset(bag) for bag in bags)
    tree.add_edges_from((frozenset(bags[a]), frozenset(bags[b])) for a, b in edges)
    return tree


@pytest.mark.parametrize(
    ("tree", "why"),
    [
        ("ab", "decomposition is 'ab'; needed: a networkx tree"),
        (nx.path_graph(3), "decomposition is a Graph; needed: a networkx tree"),
        (tree_of("ab", "bcd", "x", edges=((0, 1), (1, 2))), "no vertex"),
        (tree_of("ab", "bc", edges=((0, 1),)), "some vertex is in no bag"),
        (tree_of("ab", "bc", "d", edges=((0, 1), (1, 2))), "the ends of some edge"),
        (tree_of("ab", "cd", "bc", edges=((0, 1), (1, 2))), "are not connected"),
        (tree_of("ab", "bc", "bcd", edges=((0, 1), (1, 2), (2, 0))), "it is no tree"),
    ],
)
def test_what_is_no_decomposition_is_refused(tree: Any, why: str) -> None:
    graph = nx.Graph(["ab", "bc", "cd"])
    with pytest.raises(InputError, match=why):
        Treewidth(decomposition=tree).solve(graph, 2)


def test_joins_of_wide_bags_agree_with_another_order() -> None:
    """Two decompositions of one graph make different tables, and must find the same."""
    for seed in range(12):
        graph = nx.gnp_random_graph(16, 0.2, seed=seed)
        graph = graph.subgraph(max(nx.connected_components(graph), key=len)).copy()
        trees = [None, treewidth_min_degree(graph)[1], treewidth_min_fill_in(graph)[1]]
        found = [Treewidth(connected=True, upper=5, decomposition=tree).solve(graph, 3) for tree in trees]
        assert len({(solution.status, solution.radius) for solution in found}) == 1


@pytest.mark.parametrize("seed", range(4))
def test_trees_of_thousands_of_vertices(seed: int) -> None:
    """What is claimed to be the smallest is checked from both sides: the clusters hold, and one less has none."""
    graph = nx.random_labeled_tree(2000, seed=seed)
    solution = Treewidth(connected=True, upper=15).solve(graph, 5)
    if solution.status == "optimal":
        assert solution.partition is not None
        assert solution.partition.sizes.min() >= 5
        assert solution.partition.sizes.max() <= 15
        below = Treewidth(connected=True, upper=15, distance=solution.radius - 1).solve(graph, 5)
        assert below.status == "infeasible"
        assert "by theorem 2" in below.reason or "no vertex within" in below.reason
    else:
        assert "cut vertex" in solution.unnamed_reason


def cuts_of(graph: Any) -> list[tuple[int, int, float]]:
    """For each way to leave out edges: the smallest and the largest size of what is left together, and the radius."""
    case = case_of(graph, "length")
    edges = list(graph.edges)
    found = []
    for left_out in range(2 ** len(edges)):
        whole = nx.empty_graph(len(graph))
        whole.add_edges_from(edge for at, edge in enumerate(edges) if not left_out >> at & 1)
        clusters = [tuple(cluster) for cluster in nx.connected_components(whole)]
        sizes = [len(cluster) for cluster in clusters]
        found.append((min(sizes), max(sizes), max(radius(case, cluster) for cluster in clusters)))
    return found


@pytest.mark.parametrize("seed", range(10))
def test_near_trees_against_all_ways_to_cut_them(seed: int) -> None:
    """Longer paths than the small graphs have: centres that are forgotten still serve vertices to come."""
    rng = np.random.default_rng(seed)
    graph = nx.empty_graph(11)
    for v in range(1, 11):
        graph.add_edge(v, int(rng.integers(max(0, v - 2), v)), length=float(rng.integers(1, 6)))
    for v, w in rng.choice(11, size=(2, 2), replace=False):
        graph.add_edge(int(v), int(w), length=float(rng.integers(1, 9)))
    cuts = cuts_of(graph)
    for lower in range(2, 7):
        for upper in range(lower, 12):
            best = min((far for least, most, far in cuts if lower <= least and most <= upper), default=math.inf)
            assert Treewidth(connected=True, upper=upper, length="length").solve(graph, lower).radius == best


def test_near_neighbours_are_no_connection() -> None:
    """Graphs with a few cycles and small clusters: some would have a smaller distance if pieces could stay apart."""
    rng = np.random.default_rng(5)
    apart = 0
    for seed in range(500):
        n = int(rng.integers(6, 9))
        graph = nx.gnm_random_graph(n, n + int(rng.integers(0, 4)), seed=seed)
        if not nx.is_connected(graph):
            continue
        nx.set_edge_attributes(graph, {edge: float(rng.integers(1, 6)) for edge in graph.edges}, "length")
        lower = int(rng.integers(2, 4))
        upper = int(rng.integers(lower, lower + 2))
        case = case_of(graph, "length")
        best = least_radius(case, lower, upper, connected=True)
        assert Treewidth(connected=True, upper=upper, length="length").solve(graph, lower).radius == best
        apart += least_radius(case, lower, upper, connected=False) < best
    assert apart > 8


def test_no_upper_bound() -> None:
    graph = nx.random_labeled_tree(9, seed=5)
    for lower in (2, 3, 4, 6):
        for together in (True, False):
            best = least_radius(case_of(graph), lower, 9, connected=together)
            assert Treewidth(connected=together).solve(graph, lower).radius == best


def test_limits_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = nx.grid_2d_graph(4, 12)
    monkeypatch.setattr(connected, "MOST_BYTES", 2**15)
    solution = Treewidth(connected=True, upper=7).solve(graph, 4)
    assert (solution.status, solution.partition) == ("unknown", None)
    assert "GiB of states at width 4" in solution.reason
    assert "has width 12" in Treewidth(connected=True).solve(nx.complete_graph(13), 4).reason


@pytest.mark.parametrize("connected", [True, False])
def test_time_ends(connected: bool) -> None:  # noqa: FBT001
    solution = Treewidth(connected=connected, time_limit=1e-9).solve(nx.grid_2d_graph(5, 9), 4)
    assert solution.status == "unknown"
    assert solution.reason == "the time limit came first"


@pytest.mark.parametrize(("connected", "theorem"), [(True, 2), (False, 1)])
def test_reasons_name_theorem_and_distance(connected: bool, theorem: int) -> None:  # noqa: FBT001
    spider = nx.Graph([(0, 1), (0, 2), (0, 3), (1, 4), (2, 5), (3, 6)])
    solution = Treewidth(connected=connected, upper=7, distance=1).solve(spider, 3)
    kind = "connected clusters" if connected else "clusters"
    assert solution.reason == f"by theorem {theorem} (treewidth) no {kind} are within the distance 1"


def test_the_same_every_time() -> None:
    graph = nx.gnp_random_graph(40, 0.06, seed=3)
    graph = graph.subgraph(max(nx.connected_components(graph), key=len)).copy()
    first, again = (Treewidth(connected=True, upper=9).solve(graph, 3) for _ in range(2))
    assert first.partition == again.partition
    assert np.isfinite(first.radius)

"""Theorem 1 beyond what brute force reaches: against the integer program, between decompositions, and at its limits."""

from __future__ import annotations

import itertools
import random
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from networkx.algorithms.approximation import treewidth_min_degree, treewidth_min_fill_in

from covey.network.methods.milp import Multiplicity
from covey.network.methods.treewidth import connected, unconnected
from covey.network.methods.treewidth.method import Treewidth


def partial_tree(n: int, width: int, kept: float, longest: int, seed: int) -> Any:
    """A random k-tree that keeps some of its edges, and all that connect it, with lengths."""
    draw = random.Random(seed)
    graph = nx.complete_graph(width + 1)
    faces = [list(face) for face in itertools.combinations(range(width + 1), width)]
    for v in range(width + 1, n):
        face = draw.choice(faces)
        graph.add_edges_from((v, w) for w in face)
        faces += [[*face[:place], *face[place + 1 :], v] for place in range(width)]
    needed = {frozenset(edge) for edge in nx.minimum_spanning_edges(graph, data=False)}
    for v, w in list(graph.edges):
        if frozenset((v, w)) not in needed and draw.random() > kept:
            graph.remove_edge(v, w)
    nx.set_edge_attributes(graph, {edge: draw.randint(1, longest) for edge in graph.edges}, "length")
    return graph


def agree(graph: Any, lower: int, upper: int | None, distance: float | None = None) -> str:
    """Both methods find the same: the smallest radius, or whether there are clusters within the distance; returns what one says."""
    solution, program = (
        method(upper=upper, distance=distance, length="length").solve(graph, lower)
        for method in (Treewidth, Multiplicity)
    )
    assert (solution.status == "infeasible") == (program.status == "infeasible")
    assert "unknown" not in (solution.status, program.status)
    if distance is None:
        assert solution.radius == program.radius
    return solution.status


@settings(max_examples=60)
@given(st.data())
def test_the_integer_program_finds_the_same(data: st.DataObject) -> None:
    """Sizes that every number can be cut into, and tighter ones; equal lengths, and different ones."""
    n = data.draw(st.integers(2, 24), "n")
    width = data.draw(st.integers(1, min(3, n - 1)), "width")
    kept, longest = data.draw(st.sampled_from([0.3, 0.6, 1.0])), data.draw(st.integers(1, 4), "longest")
    graph = partial_tree(n, width, kept, longest, data.draw(st.integers(0, 2**20), "seed"))
    lower = data.draw(st.integers(1, min(n, 6)), "lower")
    upper = data.draw(st.none() | st.integers(lower, 2 * lower), "upper")
    distance = data.draw(st.none() | st.integers(1, 2 * longest), "distance")
    agree(graph, lower, upper, distance)


def test_all_of_them_in_one_cluster() -> None:
    graph = partial_tree(12, 2, 0.5, 3, seed=4)
    for lower, upper in ((12, 12), (7, 12), (6, 6)):
        assert agree(graph, lower, upper) == "optimal"


FEW_STATES_MISS = [((40, 3, 0.3, 3, 696), 3, 4, 4), ((40, 4, 0.8, 2, 106), 4, 5, 1)]


@pytest.mark.parametrize(("tree", "lower", "upper", "distance"), FEW_STATES_MISS)
def test_more_states_are_tried_where_few_find_nothing(
    tree: tuple[int, int, float, int, int], lower: int, upper: int, distance: int
) -> None:
    assert agree(partial_tree(*tree), lower, upper, distance) != "infeasible"


LATER_IS_BETTER = [((8, 1, 0.3, 3, 66548), 4, 4), ((10, 3, 0.5, 1, 82041), 5, 1), ((12, 3, 0.5, 4, 45986), 3, 2)]


@pytest.mark.parametrize(("tree", "lower", "distance"), LATER_IS_BETTER)
def test_a_centre_may_wait_for_clients_to_come(
    tree: tuple[int, int, float, int, int], lower: int, distance: int
) -> None:
    """Here somebody near must go to a later centre, and somebody who comes later to this one."""
    assert agree(partial_tree(*tree), lower, None, distance) == "optimal"


@pytest.mark.parametrize("upper", [5, 4])
def test_other_decompositions_give_the_same(upper: int) -> None:
    for seed in range(6):
        graph = partial_tree(18, 3, 0.4, 2, seed)
        trees = [None, treewidth_min_degree(graph)[1], treewidth_min_fill_in(graph)[1]]
        solutions = [Treewidth(upper=upper, length="length", decomposition=tree).solve(graph, 3) for tree in trees]
        assert len({(solution.status, solution.radius) for solution in solutions}) == 1


def test_trees_of_a_thousand_vertices() -> None:
    """Clusters that hold, and a proof that there are none one step below."""
    graph = partial_tree(1000, 1, 1.0, 3, seed=1)
    solution = Treewidth(upper=5, length="length").solve(graph, 3)
    assert solution.partition is not None
    assert (solution.status, solution.partition.sizes.min() >= 3) == ("optimal", True)
    below = Treewidth(upper=5, length="length", distance=solution.radius - 1).solve(graph, 3)
    assert below.status == "infeasible"


def test_limits_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = nx.grid_2d_graph(4, 12)
    monkeypatch.setattr(connected, "MOST_BYTES", 2**9)
    assert "theorem 1 needs more than" in Treewidth().solve(graph, 4).reason
    monkeypatch.setattr(unconnected, "_MOST_VERTICES", 40)
    assert "there are 48 vertices; theorem 1 is used here up to 40 vertices" in Treewidth().solve(graph, 4).reason

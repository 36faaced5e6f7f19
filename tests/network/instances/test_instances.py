"""Every instance has the answer of the problem that it was made from, and the structure that its theorem promises."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING, Any

import networkx as nx
import pytest
from networkx.algorithms.approximation import treewidth_min_degree, treewidth_min_fill_in

import covey
from covey.errors import InputError
from covey.network.instances import (
    Instance,
    choice_gadget,
    demand_gadget,
    double_tree,
    equitable_partition,
    multicoloured_clique,
    multicoloured_independent_set,
    subset_sum,
    subset_sum_by_lengths,
)
from covey.network.instances.gadgets import add_ring
from covey.network.instances.instance import Plan

if TYPE_CHECKING:
    from collections.abc import Callable


def solved(instance: Instance) -> bool:
    """What `microaggregate` says, which must be sure."""
    solution = covey.network.microaggregate(
        instance.network, instance.lower, instance.upper, instance.distance, connected=instance.connected
    )
    assert solution.status != "unknown"
    return solution.partition is not None


def graph_of(instance: Instance) -> Any:
    tails, heads, lengths = instance.network.edges()
    assert lengths is not None
    names = instance.network.names
    graph = nx.Graph()
    graph.add_weighted_edges_from((names[a], names[b], w) for a, b, w in zip(tails, heads, lengths, strict=True))
    return graph


def vectors_that(rng: random.Random, dim: int, count: int) -> list[tuple[int, ...]]:
    return [tuple(rng.randint(0, 2) for _ in range(dim)) for _ in range(count)]


def edges_between(sizes: list[int], rng: random.Random, share: float) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    colours = itertools.combinations(range(len(sizes)), 2)
    pairs = (((i, a), (j, b)) for i, j in colours for a in range(sizes[i]) for b in range(sizes[j]))
    return [pair for pair in pairs if rng.random() < share]


@pytest.mark.parametrize("reduce", [subset_sum, subset_sum_by_lengths])
def test_subset_sums(reduce: Callable[..., Instance]) -> None:
    """Vectors that reach some targets and not others; by trying all subsets here."""
    vectors, answers = [(1, 2), (2, 0), (0, 1)], set()
    subsets = [chosen for size in range(4) for chosen in itertools.combinations(vectors, size)]
    sums = {(sum(v[0] for v in chosen), sum(v[1] for v in chosen)) for chosen in subsets}
    for target in [(0, 0), (1, 1), (1, 3), (2, 1), (1, 2), (2, 2), (3, 3), (4, 0)]:
        instance = reduce(vectors, target)
        assert instance.answer == (target in sums)
        assert solved(instance) == instance.answer, target
        answers.add(instance.answer)
    assert answers == {False, True}


def test_lengths_tell_coordinates_apart() -> None:
    """As many copies as asked for in all, of the wrong coordinate."""
    for vectors, target in (([(1, 0), (0, 1)], (1, 0)), ([(1, 0), (1, 0)], (0, 1)), ([(0, 1), (0, 1)], (1, 0))):
        instance = subset_sum_by_lengths(vectors, target)
        assert solved(instance) == instance.answer == (target in vectors)


def test_sizes_and_widths_of_subset_sums() -> None:
    rng = random.Random(1)
    for dim in (1, 2, 3):
        vectors = vectors_that(rng, dim, 6)
        target = vectors[0]
        copies = sum(map(sum, vectors))
        for instance, vertices in (
            (subset_sum(vectors, target), 15 * copies + 6 * dim),
            (subset_sum_by_lengths(vectors, target), 15 * copies + 6),
        ):
            assert instance.network.n == vertices
            assert_narrow(instance)


def assert_narrow(instance: Instance) -> None:
    """A decomposition is at most as wide as promised, and no edge is longer than the distance."""
    graph = graph_of(instance)
    assert instance.treewidth is not None
    assert min(treewidth_min_fill_in(graph)[0], treewidth_min_degree(graph)[0]) <= instance.treewidth
    assert min(nx.get_edge_attributes(graph, "weight").values()) >= 1
    assert max(nx.get_edge_attributes(graph, "weight").values()) <= instance.distance


@pytest.mark.parametrize("connected", [False, True])
def test_independent_sets(connected: bool) -> None:  # noqa: FBT001
    rng, answers = random.Random(2), []
    for sizes in ([2, 2], [3, 2], [3, 3], [1, 3], [2, 2, 2]) * 2:
        instance = multicoloured_independent_set(sizes, edges_between(sizes, rng, 0.8), connected=connected)
        assert solved(instance) == instance.answer
        answers.append(instance.answer)
    assert len(set(answers)) == 2


def test_anchors_and_ports_touch_every_edge() -> None:
    sizes = [4, 5, 3]
    instance = multicoloured_independent_set(sizes, edges_between(sizes, random.Random(3), 0.5))
    graph = graph_of(instance)
    cover = {vertex for vertex in graph if vertex[0] in ("anchor", "up", "down")}
    assert len(cover) == instance.cover == 9
    assert all(cover & {tail, head} for tail, head in graph.edges)
    assert max(nx.get_edge_attributes(graph, "weight").values()) <= instance.distance


def test_an_edge_is_near_all_candidates_but_its_ends() -> None:
    sizes = [4, 3, 2]
    instance = multicoloured_independent_set(sizes, edges_between(sizes, random.Random(4), 0.7))
    graph = graph_of(instance)
    edges = [vertex for vertex in graph if vertex[0] == "edge"]
    assert edges
    for edge in edges:
        near = nx.single_source_dijkstra_path_length(graph, edge, cutoff=instance.distance)
        ends = dict(edge[1:])
        reached = {vertex[1:] for vertex in near if vertex[0] == "candidate"}
        assert reached == {(i, v) for i in ends for v in range(sizes[i]) if v != ends[i]}


@pytest.mark.parametrize(
    ("sizes", "edges"),
    [
        ([2, 1], [((0, 1), (1, 0))]),
        ([2, 1], []),
        ([2, 2], [((0, 1), (1, 0)), ((0, 0), (1, 1))]),
        ([1, 1, 1], [((0, 0), (1, 0)), ((0, 0), (2, 0)), ((1, 0), (2, 0))]),
        ([1, 1, 1], [((0, 0), (1, 0)), ((0, 0), (2, 0))]),
        ([2, 1, 1], [((0, 0), (1, 0)), ((0, 1), (2, 0)), ((1, 0), (2, 0))]),
    ],
)
def test_cliques(sizes: list[int], edges: list[Any]) -> None:
    instance = multicoloured_clique(sizes, edges)
    assert solved(instance) == instance.answer


def test_widths_of_cliques() -> None:
    for sizes in ([4, 3], [2, 3, 2]):
        instance = multicoloured_clique(sizes, edges_between(sizes, random.Random(5), 0.7))
        assert_narrow(instance)
        assert instance.upper == instance.lower + 1 == (9 if len(sizes) == 2 else 10)


def test_an_edge_reaches_what_its_ends_leave_and_nothing_else_does() -> None:
    """Of the active vertices, an edge is near both of a candidate only at its ends; no other vertex is near a whole core."""
    sizes = [3, 3]
    instance = multicoloured_clique(sizes, [((0, 0), (1, 2)), ((0, 1), (1, 1)), ((0, 2), (1, 2))])
    graph = graph_of(instance)
    core = [
        vertex
        for vertex in graph
        if vertex[:1] in (("middle",), ("gate",)) or vertex[:2] == ("leaf", ("middle", (0, 1)))
    ]
    for vertex in graph:
        near = nx.single_source_dijkstra_path_length(graph, vertex, cutoff=instance.distance)
        if vertex[0] == "edge":
            pairs = [set(graph[v]) for v in near if v[1:2] == ("active",)]
            owners = [next(o for o in about if o[1:] == ("v", 2))[0] for about in pairs]
            assert {o[1:] for o in owners if owners.count(o) == 2} == set(vertex[1:])
            assert set(core) <= set(near)
        elif set(core) <= set(near):
            assert vertex[0] == "middle"
            assert not [v for v in near if v[1:2] == ("active",)]


def test_equitable_partitions() -> None:
    rng, answers = random.Random(6), []
    for n, parts in [(6, 2), (6, 3), (8, 2), (9, 3), (10, 5), (8, 4)] * 2:
        tree = [(v, rng.randrange(v)) for v in range(1, n)]
        instance = equitable_partition([*tree, (0, n - 1)], parts)
        assert solved(instance) == instance.answer
        assert instance.network.n == n + n // parts
        answers.append(instance.answer)
    assert len(set(answers)) == 2


def test_one_vertex_next_to_all_widens_a_tree_by_one() -> None:
    rng = random.Random(7)
    instance = equitable_partition([(v, rng.randrange(v)) for v in range(1, 12)], 4)
    assert treewidth_min_fill_in(graph_of(instance))[0] == 2


def test_sizes_alone_do_not_fix_the_number_of_parts() -> None:
    """Three parts of 2 and 3: these eight vertices have none, but four parts of 2."""
    edges = [(f"hub {i}", f"leaf {i}") for i in range(4)] + [(f"hub {i}", f"hub {i + 1}") for i in range(3)]
    with pytest.raises(InputError, match="divides"):
        equitable_partition(edges, 3)
    graph = nx.Graph(edges)
    for sizes in ((2, 2, 2, 2), (3, 3, 2)):
        assert partitions(graph, sizes) == (sizes == (2, 2, 2, 2))


def partitions(graph: Any, sizes: tuple[int, ...]) -> bool:
    """Whether the graph can be cut into connected parts of these sizes, by trying all."""
    if not sizes:
        return True
    return any(
        nx.is_connected(graph.subgraph(part)) and partitions(graph.subgraph(set(graph) - set(part)), sizes[1:])
        for part in itertools.combinations(graph, sizes[0])
    )


@pytest.mark.parametrize(("k", "lower", "distance"), [(1, 5, 2), (2, 7, 4), (3, 7, 3)])
def test_a_choice_alone_leaves_someone_over(k: int, lower: int, distance: int) -> None:
    instance = choice_gadget(k, lower, distance)
    assert instance.network.n == lower + k
    assert solved(instance) == instance.answer is False


def test_a_choice_needs_a_distance_of_two() -> None:
    with pytest.raises(InputError, match="at least 2"):
        choice_gadget(1, 5, 1)


@pytest.mark.parametrize("units", range(4))
def test_a_demand_is_met_exactly(units: int) -> None:
    for supply in range(8):
        instance = demand_gadget(units, supply)
        assert instance.network.n == 3 + 5 * units + supply
        assert solved(instance) == instance.answer, supply


@pytest.mark.parametrize(("units", "supply"), [(1, 0), (2, 1), (3, 2)])
def test_the_printed_demand_is_met_by_one_fewer(units: int, supply: int) -> None:
    """Its root is within the distance of its children and fills one of their clusters itself."""
    lower, distance = 5, 2
    graph = nx.Graph()
    for child in range(units):
        graph.add_edge("root", ("child", child), length=distance - 1)
        graph.add_edges_from(((("child", child), (child, leaf)) for leaf in range(lower - 2)), length=distance - 1)
    graph.add_edges_from((("root", ("active", number)) for number in range(supply)), length=1)
    solution = covey.network.microaggregate(graph, lower, lower + 1, distance, length="length")
    assert solution.partition is not None
    assert supply < units


@pytest.mark.parametrize("copies", [1, 2])
def test_a_ring_leaves_a_side_as_a_whole(copies: int) -> None:
    """Of all sets of its outer vertices, exactly its two sides can be left over."""
    plan = Plan()
    sides = [set(side) for side in add_ring(plan, "ring", copies, 2)]
    names = list(plan.numbers)
    graph = nx.Graph()
    graph.add_weighted_edges_from([(names[a], names[b], w) for a, b, w in plan.edges], weight="length")
    outer = sorted(sides[0] | sides[1], key=str)
    for size in range(len(outer) + 1):
        for left in itertools.combinations(outer, size):
            rest = graph.subgraph(set(graph) - set(left))
            solution = covey.network.microaggregate(rest, 3, 3, 2, length="length")
            assert solution.status != "unknown"
            assert (solution.partition is not None) == (set(left) in sides), left


@pytest.mark.parametrize(("upper", "answer", "clusters"), [(None, True, None), (5, True, 3), (4, False, None)])
def test_figure_1(upper: int | None, answer: bool, clusters: int | None) -> None:  # noqa: FBT001
    instance = double_tree(upper)
    assert solved(instance) == instance.answer == answer
    if clusters is not None:
        solution = covey.network.microaggregate(instance.network, 4, upper, 2, connected=True)
        assert sorted(map(len, solution.clusters())) == [4, 4, 5]


@pytest.mark.parametrize(
    "call",
    [
        lambda: subset_sum([(1, 2)], (1,)),
        lambda: subset_sum_by_lengths([(1, -2)], (1, 1)),
        lambda: subset_sum([], ()),
        lambda: multicoloured_clique([2], []),
        lambda: multicoloured_independent_set([2, 2], [((0, 0), (0, 1))]),
        lambda: multicoloured_clique([2, 2], [((0, 0), (1, 2))]),
        lambda: equitable_partition([(0, 1), (1, 2)], 3),
    ],
)
def test_what_is_no_problem_is_refused(call: Callable[[], Instance]) -> None:
    with pytest.raises(InputError, match="needed:"):
        call()

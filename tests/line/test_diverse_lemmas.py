"""The lemmas that the methods for l-diversity clustering rely on, by looking at every clustering."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from tests.line.diverse_oracle import OBJECTIVES, best, clusterings, cost, small_instances, total

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.line.diverse_oracle import Cluster

    Instance = tuple[list[int], tuple[int, ...], int]

# By what the clusters of an optimum can be ordered, so that each takes the first points left of its colours.
ORDERS = {"max": "left end", "sum": "left end", "sse": "mean"}


def instances() -> Iterator[Instance]:
    """Every colouring of up to 6 points, and random instances of 7."""
    yield from small_instances(6, 4)
    rng = random.Random(7)
    for _ in range(400):
        x = sorted(rng.randrange(rng.choice([4, 15, 60])) for _ in range(7))
        colours = tuple(rng.randrange(rng.choice([3, 4, 5])) for _ in range(7))
        if 2 * max(colours.count(c) for c in colours) <= 7:
            yield x, colours, 2


def key(order: str, x: list[int], cluster: Cluster) -> tuple[Fraction, ...]:
    """Where the cluster stands; ties of points are in the order of their positions."""
    ends = Fraction(cluster[0]), Fraction(cluster[-1])
    if order == "mean":
        return Fraction(sum(x[i] for i in cluster), len(cluster)), *ends
    return ends


def monotone(clustering: list[Cluster], colours: tuple[int, ...]) -> bool:
    """Whether the points of each colour ascend from cluster to cluster."""
    last: dict[int, int] = {}
    for cluster in clustering:
        for i in cluster:
            if last.get(colours[i], -1) > i:
                return False
            last[colours[i]] = i
    return True


def sorted_by_both_ends(clustering: list[Cluster]) -> bool:
    ends = [cluster[-1] for cluster in clustering]
    return ends == sorted(ends)


def holds_the_first_left(clustering: list[Cluster]) -> bool:
    """Whether every cluster holds the leftmost point that no cluster before it took."""
    left = sorted(i for cluster in clustering for i in cluster)
    for cluster in clustering:
        if left[0] not in cluster:
            return False
        left = [i for i in left if i not in cluster]
    return True


def some_optimum(objective: str, good: Callable[[list[Cluster], Instance], bool]) -> None:
    """Every instance has an optimum that is good."""
    for instance in instances():
        x, colours, l = instance  # noqa: E741
        least = best(x, colours, l, objective)
        for clustering in clusterings(colours, l):
            value = total(objective, [cost(objective, [x[i] for i in cluster]) for cluster in clustering])
            if value == least:
                clustering.sort(key=lambda cluster: key(ORDERS[objective], x, cluster))
                if good(clustering, instance):
                    break
        else:
            pytest.fail(f"{x} {colours} {l}")


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_an_optimum_is_monotone_with_its_first_points_and_few_in_a_cluster(objective: str) -> None:
    """All that the recursions need, of one and the same optimum: lemmas 1 and 2 of the paper, and the leftmost point."""
    some_optimum(
        objective,
        lambda clustering, instance: (
            monotone(clustering, instance[1])
            and holds_the_first_left(clustering)
            and all(len(cluster) < 2 * instance[2] for cluster in clustering)
        ),
    )


@pytest.mark.parametrize("objective", ["max", "sum"])
def test_an_optimum_is_sorted_by_both_ends(objective: str) -> None:
    """So the last cluster may be taken to hold the rightmost point, and the recursion can run either way."""
    some_optimum(
        objective,
        lambda clustering, instance: monotone(clustering, instance[1]) and sorted_by_both_ends(clustering),
    )


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_solution_exists_iff_no_colour_is_too_frequent(objective: str) -> None:
    rng = random.Random(3)
    for _ in range(600):
        n = rng.randint(1, 8)
        colours = tuple(rng.randrange(rng.randint(1, 5)) for _ in range(n))
        for l in range(1, n + 1):  # noqa: E741
            feasible = max(colours.count(c) for c in colours) * l <= n
            assert (best(list(range(n)), colours, l, objective) is not None) == feasible


def test_the_swap_of_the_paper_can_fail_for_the_sum() -> None:
    """Its proof of lemma 1 swaps two points of one colour; the claim is true, but not by that."""
    red, green, blue = 0, 9, 10
    assert sum(cost("sum", c) for c in ([red, green, blue], [1, 3])) < sum(
        cost("sum", c) for c in ([red, green, 3], [1, blue])
    )


def test_size_times_span_is_not_monotone() -> None:
    """The reason why that objective is refused."""
    x, colours = [0, 6, 8, 9, 10], (0, 0, 1, 2, 2)
    values = {
        tuple(clustering): sum(cost("size-span", [x[i] for i in cluster]) for cluster in clustering) // 840
        for clustering in clusterings(colours, 2)
    }
    orders = {c: sorted(c, key=lambda cluster: cluster[0]) for c in values}
    others = {c: sorted(c, key=lambda cluster: cluster[-1]) for c in values}
    good = [c for c in values if monotone(orders[c], colours) or monotone(others[c], colours)]
    assert min(values.values()) == 29
    assert min(values[c] for c in good) == 30

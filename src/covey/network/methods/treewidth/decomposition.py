"""Tree decompositions: orders of elimination, their bags, and the steps of a nice decomposition over them."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey._kernels import network as kernels
from covey.errors import InputError, shown
from covey.utils.extras import load

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from covey.network.graph import Network

LEAF, INTRODUCE, FORGET, JOIN = range(4)
_MOST_FILL = 400  # vertices of degree 3 and more up to which the slower heuristic is tried


class NiceDecomposition(NamedTuple):
    """A nice tree decomposition as steps, children first, for a stack of bags.

    A leaf puts an empty bag on the stack, introduce and forget change the last bag by a vertex, join makes one of the last
    two, which are equal. At the end there is one bag and it is empty. `width` is the size of the largest bag less 1.
    """

    kinds: NDArray[np.int8]
    vertices: NDArray[np.int32]
    width: int


def decompose(network: Network, given: Any = None) -> NiceDecomposition:
    """A nice tree decomposition of the network: of the one given, else of the best order of elimination found.

    Vertices of degree 0, 1 and 2 are eliminated first (which is optimal for width 1 and 2), in O(n); the rest by the
    heuristics of networkx, least degree and least fill-in, whichever is narrower. Heuristic: the width may not be the least.

    >>> from covey.network.reading import as_network
    >>> decompose(as_network([(0, 1), (1, 2), (2, 0), (2, 3)])).width
    2
    """
    if given is not None:
        return nice(_bags(network, _order_of(given, network)))
    neighbours = _neighbours(network)
    order = _low_degrees(neighbours)
    rest = [v for v in range(network.n) if neighbours[v] is not None]
    if not rest:
        return nice(_bags(network, order))
    found = [_bags(network, order + tail) for tail in _orders_of_rest(neighbours, rest)]
    return nice(min(found, key=lambda bags: max(map(len, bags.values()))))


def low_width(network: Network) -> int | None:
    """The width of a network of width 0, 1 or 2; None if it is wider. O(n + m) steps in Python.

    Who can be taken out vertex by vertex with at most two neighbours each, which are then joined, has width 2 at most.
    """
    neighbours = _neighbours(network)
    if network.m == 0:
        return 0
    width, order = 1, _low_degrees(neighbours)
    if len(order) < network.n:
        return None
    component = kernels.components(network.indptr, network.indices)
    if network.m > network.n - len(np.unique(component)):
        width = 2
    return width


def _neighbours(network: Network) -> list[Any]:
    rows = np.split(network.indices, network.indptr[1:-1])
    return [set(row.tolist()) for row in rows]


def _eliminate(neighbours: list[Any], v: int) -> set[int]:
    """Take v out and connect its neighbours with each other; they are returned."""
    around: set[int] = neighbours[v]
    neighbours[v] = None
    for w in around:
        neighbours[w].discard(v)
        neighbours[w] |= around
        neighbours[w].discard(w)
    return around


def _low_degrees(neighbours: list[Any]) -> list[int]:
    """Eliminate vertices of degree up to 2 while there are any, those of degree 0 and 1 first; they become None."""
    ends = deque(v for v, around in enumerate(neighbours) if len(around) <= 1)
    middles = deque(v for v, around in enumerate(neighbours) if len(around) == 2)
    order = []
    while ends or middles:
        v = (ends or middles).popleft()
        if neighbours[v] is None:
            continue
        order.append(v)
        for w in sorted(_eliminate(neighbours, v)):
            if len(neighbours[w]) <= 2:
                (middles if len(neighbours[w]) == 2 else ends).append(w)
    return order


def _orders_of_rest(neighbours: list[Any], rest: list[int]) -> Iterator[list[int]]:
    nx = load("networkx")
    approximation = load("networkx.algorithms.approximation")
    graph = nx.Graph((v, w) for v in rest for w in sorted(neighbours[v]) if v < w)
    yield _stripped(approximation.treewidth_min_degree(graph)[1])
    if len(rest) <= _MOST_FILL:
        yield _stripped(approximation.treewidth_min_fill_in(graph)[1])


def _stripped(tree: Any) -> list[int]:
    """An order of elimination that is no wider than a decomposition: leaf after leaf, what only the leaf has."""
    near = {bag: set(tree[bag]) for bag in tree}
    leaves = deque(bag for bag in tree if len(near[bag]) <= 1)
    order: list[int] = []
    while leaves:
        leaf = leaves.popleft()
        for other in near[leaf]:
            near[other].discard(leaf)
            if len(near[other]) == 1:
                leaves.append(other)
        stay: frozenset[int] = next(iter(near[leaf]), frozenset())
        order += sorted(v for v in leaf if v not in stay)
    return order


def _bags(network: Network, order: Sequence[int]) -> dict[int, list[int]]:
    """For each vertex, in order, its neighbours when it is eliminated, itself first, then by the order."""
    neighbours = _neighbours(network)
    place = {v: at for at, v in enumerate(order)}
    return {v: [v, *sorted(_eliminate(neighbours, v), key=place.__getitem__)] for v in order}


def nice(bags: dict[int, list[int]]) -> NiceDecomposition:
    """The steps over the bags of an order of elimination: the bag of v hangs below that of the next one it holds.

    Below a bag, what hangs on the same vertices is joined on those alone, for small bags have few states; then the
    unions grow until the bag of v is complete, and v is forgotten.
    """
    below: dict[int, list[int]] = {v: [] for v in bags}
    roots: list[int] = []
    for v, bag in bags.items():
        (below[bag[1]] if len(bag) > 1 else roots).append(v)
    steps: list[tuple[int, int]] = []
    todo: list[tuple[int, int]] = []
    for count, root in enumerate(roots):
        todo = [(-1, root), *([(JOIN, -1)] if count else [])][::-1]
        while todo:
            kind, v = todo.pop()
            if kind >= 0:
                steps.append((kind, v))
            else:
                todo.extend(reversed(_one_bag(bags, below[v], v)))
    kinds, vertices = np.array(steps, dtype=np.int32).T
    return NiceDecomposition(
        np.ascontiguousarray(kinds, dtype=np.int8), np.ascontiguousarray(vertices), max(map(len, bags.values())) - 1
    )


def _one_bag(bags: dict[int, list[int]], children: list[int], v: int) -> list[tuple[int, int]]:
    """The steps from the children of a bag to the bag without v; (-1, child) stands for all steps of a child."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for child in children:
        groups.setdefault(tuple(bags[child][1:]), []).append(child)
    steps: list[tuple[int, int]] = [] if groups else [(LEAF, -1)]
    joined: set[int] = set()
    for count, (top, members) in enumerate(sorted(groups.items(), key=lambda group: len(group[0]))):
        if count:
            steps += _introduced(top, joined)
        steps += [(-1, members[0])]
        for child in members[1:]:
            steps += [(-1, child), (JOIN, -1)]
        if count:
            steps += [*_introduced(joined, set(top)), (JOIN, -1)]
        joined |= set(top)
    return [*steps, *_introduced(bags[v], joined), (FORGET, v)]


def _introduced(wanted: Iterable[int], bag: set[int]) -> list[tuple[int, int]]:
    return [(INTRODUCE, v) for v in sorted(wanted) if v not in bag]


def _order_of(given: Any, network: Network) -> list[int]:
    """Check that it is a tree decomposition of the network, as networkx gives them, and take an order from it."""
    nx = load("networkx")
    if (
        not isinstance(given, nx.Graph)
        or not len(given)
        or not all(isinstance(bag, frozenset | tuple | set) for bag in given)
    ):
        msg = f"decomposition is {shown(given)}; needed: a networkx tree whose nodes are frozensets of vertices"
        raise InputError(msg)
    number = {name: v for v, name in enumerate(network.names)}
    if not all(name in number for bag in given for name in bag):
        raise _no_decomposition("a bag holds something that is no vertex")
    tree = nx.relabel_nodes(given, {bag: frozenset(number[name] for name in bag) for bag in given})
    if not nx.is_forest(tree):
        raise _no_decomposition("it is no tree")
    _check_bags(tree, network)
    return _stripped(tree)


def _check_bags(tree: Any, network: Network) -> None:
    nx = load("networkx")
    homes: list[list[frozenset[int]]] = [[] for _ in range(network.n)]
    for bag in tree:
        for v in bag:
            homes[v].append(bag)
    if not all(homes):
        raise _no_decomposition("some vertex is in no bag")
    if not all(nx.is_connected(tree.subgraph(home)) for home in homes):
        raise _no_decomposition("the bags of some vertex are not connected")
    tails, heads, _ = network.edges()
    if not all(any(w in bag for bag in homes[v]) for v, w in zip(tails.tolist(), heads.tolist(), strict=True)):
        raise _no_decomposition("the ends of some edge are in no bag together")


def _no_decomposition(why: str) -> InputError:
    return InputError(f"the decomposition is none of this network: {why}; needed: a tree decomposition of it, or None")

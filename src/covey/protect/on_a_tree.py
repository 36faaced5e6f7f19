"""Groups of the values of one hierarchy whose lowest common ancestors lose least: exactly, by a recursion over the tree.

Groups whose label is the same are one class, so what is sought is a label for each record, at its value or above it, such that each
label is that of no record or of k or more. For a node, f(j) is the least loss of the records below it, if j of them are labelled
above it and it is the label of none of the others or of at least k of them.

Lemma: of the best labellings, one that passes as few records up as it can passes at most 2k - 2 up from each node. Take a node and
the labels above it that are those of records below it. Two records, one below the node and labelled high, one not below it and labelled low,
may change labels: each is above both, and neither the loss nor what any node passes up changes. So in the lowest label there are only
records from below the node, which could be labelled by the node as well, all of them: fewer would be passed up; or the higher labels have
none of them. Then the lowest has some from elsewhere, so that it lacks k - 1 at most; of those that it does not need there are at most
k - 1, or the node could be their label.

Records beyond those and k more are labelled by the node for certain, so that its table has 3k - 1 entries at most, and each node takes a
time of the order of k^2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.columns.cells import rows_of_cells

if TYPE_CHECKING:
    from covey.columns.hierarchy.tree import Tree
    from covey.utils.typing import Codes, Floats, Integers

OF_LABELS = "generalisation loss"
"""What such groups are made for, in the words of a report."""
MOST_STEPS = 5_000_000_000
"""Sums of two entries of tables: what takes about half a minute."""


class _Node(NamedTuple):
    """The table of a node."""

    passed: Floats
    """The least loss of the records below it, by how many of them are labelled above it."""
    came: Integers
    """How many records came to it from below then."""
    children: list[tuple[int, Integers, Integers]]
    """Of each child, for each number that came from it and from those before it: how many came from those before it, and from it."""


def best_on_tree(tree: Tree, values: Codes, cells: Codes, k: int) -> Codes | None:
    """The group of every record, numbered within each cell by its label, for the least loss; None where that would take long."""
    inside = rows_of_cells(cells)
    if sum(_steps(tree, len(rows), k) for rows in inside) > MOST_STEPS:
        return None
    groups, used = np.empty(len(values), dtype=np.int64), 0
    for rows in inside:
        groups[rows] = used + _labels(tree, values[rows], k)
        used += len(tree)
    return np.unique(groups, return_inverse=True)[1].astype(np.int64)


def _steps(tree: Tree, records: int, k: int) -> int:
    return len(tree) * min(most_passed(k), records) * min(most_passed(k) + k, records)


def most_passed(k: int) -> int:
    """How many records a node passes up at most."""
    return 2 * k - 2


def least_loss(tree: Tree, values: Codes, k: int) -> float:
    """The least loss of labels of these records, summed; infinite where there are fewer than k."""
    return float(_solved(tree, values, k)[0].passed[0])


def _solved(tree: Tree, values: Codes, k: int) -> dict[int, _Node]:
    """The tables of all nodes with records below them, from those with the largest numbers to the root."""
    own = np.bincount(values, minlength=len(tree))
    below, children = tree.sums_below(own.astype(np.float64)), dict[int, list[int]]()
    solved: dict[int, _Node] = {}
    for node in range(len(tree) - 1, -1, -1):
        if below[node] > 0:
            most = int(min(most_passed(k), below[node])) if node else 0
            size = int(min(most + k, below[node]))
            known = {child: solved[child].passed for child in reversed(children.pop(node, []))}
            solved[node] = _node(float(tree.loss[node]), int(own[node]), known, most, size, k)
            children.setdefault(int(tree.parent[node]), []).append(node)
    return solved


def _node(loss: float, own: int, known: dict[int, Floats], most: int, size: int, k: int) -> _Node:
    """The table of a node that passes `most` records on at most. Of more than `size` records that come to it, the others are labelled by it."""
    cost = np.full(size + 1, np.inf)
    cost[min(own, size)] = loss * max(0, own - size)
    pointers = []
    for child, passed in known.items():
        cost, before, of_child = _joined(cost, passed, loss)
        pointers.append((child, before, of_child))
    here = np.arange(size + 1)
    labelled, passed, came = cost + loss * here, cost[: most + 1].copy(), here[: most + 1].copy()
    for j in range(most + 1):
        if j + k <= size:
            best = j + k + int(np.argmin(labelled[j + k :]))
            if labelled[best] - loss * j < passed[j]:
                passed[j], came[j] = labelled[best] - loss * j, best
    return _Node(passed, came, pointers)


def _joined(cost: Floats, passed: Floats, loss: float) -> tuple[Floats, Integers, Integers]:
    """The least costs when records of one more child come to a node, and how many came before and from it; the last entry is for more, too."""
    last = len(cost) - 1
    least, before, of_child = (
        np.full(last + 1, np.inf),
        np.zeros(last + 1, dtype=np.int64),
        np.zeros(last + 1, dtype=np.int64),
    )
    for j in np.flatnonzero(np.isfinite(passed)).tolist():
        fits = max(0, last - j)
        new = cost[:fits] + passed[j]
        better = np.flatnonzero(new < least[j : j + fits])
        least[j + better], before[j + better], of_child[j + better] = new[better], better, j
        over = cost[fits:] + passed[j] + loss * (np.arange(fits, last + 1) + j - last)
        place = int(np.argmin(over))
        if over[place] < least[last]:
            least[last], before[last], of_child[last] = over[place], fits + place, j
    return least, before, of_child


def _labels(tree: Tree, values: Codes, k: int) -> Codes:
    """The label of each record."""
    solved, asked = _solved(tree, values, k), {0: 0}
    for node in sorted(solved):  # from the root down: how many each child passes up
        number = int(solved[node].came[asked[node]])
        for child, before, of_child in reversed(solved[node].children):
            asked[child], number = int(of_child[number]), int(before[number])
    order, labels = np.argsort(values, kind="stable"), np.empty(len(values), dtype=np.int64)
    stops = np.searchsorted(values[order], np.arange(len(tree)), side="right")
    waiting: dict[int, list[int]] = {}
    for node in sorted(solved, reverse=True):  # and up again, with the records
        start = int(stops[node - 1]) if node else 0
        here = [*order[start : stops[node]].tolist(), *waiting.pop(node, [])]
        keep = len(here) - asked[node]
        labels[here[:keep]] = node
        waiting.setdefault(int(tree.parent[node]), []).extend(here[keep:])
    return labels

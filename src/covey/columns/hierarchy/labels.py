"""What groups publish of a column with a hierarchy, and of several categories together.

`ancestor`: the lowest label that is above all values of a group. `least-loss`: the member's value whose publication loses least, where
what a value loses is the loss of the lowest label above it and what is published; it may be false for some. `medoid`: the member's
combination of several columns that loses least, so that no combination is published that nobody has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.columns.hierarchy.tree import Tree
    from covey.columns.members import Members
    from covey.columns.values import Values
    from covey.utils.typing import Codes, Flags, Floats, Rows


def ancestors(tree: Tree, m: Members) -> Codes:
    """The lowest common ancestor of every group: that of its first and its last value."""
    return tree.common(m.values[m.start], m.values[m.stop - 1])


def lower_without_one(tree: Tree, m: Members, who: Codes | None) -> Flags:
    """Whether a group's label would be a lower one without some member: a record, or a unit where there are some.

    Only a member with the first or the last value can do that. A group of one member alone is one that tells of it.
    """
    label, who = ancestors(tree, m), np.arange(len(m.rows)) if who is None else who
    lower = np.zeros(len(m.start), dtype=bool)
    sizes = m.stop - m.start
    for end in (m.start, m.stop - 1):
        others = who != np.repeat(who[end], sizes)
        first = np.minimum.reduceat(np.where(others, m.values, len(tree)), m.start)
        last = np.maximum.reduceat(np.where(others, m.values, -1), m.start)
        alone = last < 0
        lower |= alone | (tree.common(np.where(alone, 0, first), np.where(alone, 0, last)) != label)
    return lower


def least_losses(tree: Tree, m: Members) -> Codes:
    """The value of every group that loses least; of several, the one that most of the group have, then the first."""
    return m.values[_least(publishing_costs(tree, m), _shares_of_values(m), m.values, m)]


def publishing_costs(tree: Tree, m: Members) -> Floats:
    """For every member: what all members of its group lose together, were its value published for all."""
    paths, whole = tree.paths[m.values], _of_groups(m, m.weights)
    cost = whole * tree.loss[m.values]
    for level in range(1, paths.shape[1]):  # those below a node are next to each other
        node = paths[:, level]
        shared = _of_runs(m, (np.diff(node, prepend=-1) != 0), m.weights)
        cost += (whole - shared) * (tree.loss[paths[:, level - 1]] - tree.loss[node])
    return np.asarray(cost)


def medoids(columns: Sequence[tuple[Values, Members, float]], rows: int) -> Rows:
    """For every group the row of the member whose combination loses least, each column counted by its importance.

    A category that is another one loses 1, one in an order its distance in ranks by the number of ranks less one, one of a hierarchy
    as above. Of several combinations the one that most members have, then the first in the order of the columns' values.
    """
    cost = np.zeros(rows)
    order = np.lexsort([column.physical for column, _, _ in reversed(columns)])
    place = np.empty(rows, dtype=np.int64)
    place[order] = np.arange(rows)
    partition, weighted = columns[0][1].partition, np.ones(rows)
    for column, m, importance in columns:
        cost[m.rows] += importance * _costs(column, m)
        weighted[m.rows] = m.weights
    same = partition.labels.astype(np.int64)
    for column, _, _ in columns:
        keys = same * (int(column.physical.max(initial=0)) + 1) + column.physical
        same = np.unique(keys, return_inverse=True)[1].astype(np.int64)
    share = np.asarray(np.bincount(same, weights=weighted)[same], dtype=np.float64)
    best = np.lexsort((place, -_rounded(share), _rounded(cost), partition.labels))
    starts = np.flatnonzero(np.diff(partition.labels[best], prepend=-1))
    return best[starts]


def _costs(column: Values, m: Members) -> Floats:
    if column.tree is not None:
        return publishing_costs(column.tree, m)
    if column.kind != "ordinal":
        return _of_groups(m, m.weights) - _shares_of_values(m)
    ranks, weights = m.values.astype(np.float64), m.weights
    most = max(1.0, float(len(column.categories) - 1))
    below, sums = (_up_to(m, part) for part in (weights, weights * ranks))
    whole, total = _of_groups(m, weights), _of_groups(m, weights * ranks)
    return np.asarray((ranks * below - sums + (total - sums) - ranks * (whole - below)) / most)


def _up_to(m: Members, amounts: Floats) -> Floats:
    """The sums of the amounts of a group up to each member."""
    total = np.cumsum(amounts)
    return np.asarray(total - np.repeat(total[m.start] - amounts[m.start], m.stop - m.start))


def _of_groups(m: Members, amounts: Floats) -> Floats:
    return np.repeat(np.add.reduceat(amounts, m.start), m.stop - m.start) if len(amounts) else amounts


def _shares_of_values(m: Members) -> Floats:
    """What the members of a group with the same value weigh together."""
    return _of_runs(m, np.diff(m.values, prepend=-1) != 0, m.weights)


def _of_runs(m: Members, changes: Flags, amounts: Floats) -> Floats:
    """The sums of amounts over the runs of each group, which begin where something changes."""
    if not len(amounts):
        return amounts
    begins = changes.copy()
    begins[m.start] = True
    first = np.flatnonzero(begins)
    return np.repeat(np.add.reduceat(amounts, first), np.diff(first, append=len(amounts)))


def _least(cost: Floats, share: Floats, code: Codes, m: Members) -> Rows:
    """The place of the member of every group with the least cost, the largest share, the first code."""
    order = np.lexsort((code, -_rounded(share), _rounded(cost), m.labels))
    return order[np.flatnonzero(np.diff(m.labels[order], prepend=-1))]


def _rounded(amounts: Floats) -> Floats:
    """Amounts in units of the largest, so that sums in another order are equal."""
    return np.asarray(np.round(amounts / max(float(np.abs(amounts).max(initial=0.0)), 1e-300), 12))

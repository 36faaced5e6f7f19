"""Labels of hierarchies that go up one by one, until any few columns together are shared by at least k records.

All records begin with their own values. While fewer than k share the labels of a record in some m columns, that record goes one label up in one column:
the one that is a part of most such combinations for the loss that it adds. A record that is at the root in all of such columns brings others there. Labels
only go up, and where all are roots all records are alike, so that this ends.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from covey.columns.aggregation import aggregate_column
from covey.core.partition import Partition

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from covey.columns.hierarchy.tree import Tree
    from covey.columns.values import Values
    from covey.utils.typing import Codes, Flags, Floats, Rows

FREE = 0.01
"""Added to the loss of a step, so that one that costs nothing is not taken whatever it helps."""
LARGEST = 2**62
"""Numbers of combinations are smaller."""
COUNTED_AS_THEY_ARE = 2**20
"""So many possible combinations are counted without a look at which there are."""


def few_alike(columns: Sequence[Values], importance: Sequence[float], k: int, few: int) -> list[Partition]:
    """Groups for each column by itself, so that in any few columns at least k records are in the same groups.

    Each column has a hierarchy, and there are at least k records.
    """
    trees = [column.tree for column in columns if column.tree is not None]
    labels = np.column_stack([column.physical for column in columns])
    settled = Climb(trees, importance, labels, k, few).settled()
    return [Partition(np.unique(settled[:, j], return_inverse=True)[1]) for j in range(len(columns))]


def loss_of_labels(columns: Sequence[Values], importance: Sequence[float], groups: Sequence[Partition]) -> float:
    """What is lost where each group of a column publishes the lowest common ancestor of its values."""
    losses = 0.0
    for column, weight, partition in zip(columns, importance, groups, strict=True):
        labels = aggregate_column(column, partition, "ancestor").physical
        losses += weight * float(0.0 if column.tree is None else column.tree.losses(column.physical, labels).sum())
    return losses


class Climb:
    """The labels of records, a column for each hierarchy."""

    def __init__(self, trees: Sequence[Tree], importance: Sequence[float], labels: Codes, k: int, few: int) -> None:
        self.trees, self.labels, self.k, self.few = trees, labels.copy(), k, few
        self.losses = [weight * tree.loss for tree, weight in zip(trees, importance, strict=True)]

    def settled(self) -> Codes:
        """The labels, when those of any few columns are shared by k."""
        while short := list(self._short()):
            if not self._step_up(short):
                for columns, _ in short:
                    self._bring_others(list(columns))
        return self.labels

    def _short(self) -> Iterator[tuple[tuple[int, ...], Flags]]:
        """Every few columns in which fewer than k share the labels of some records, and these records."""
        for columns in combinations(range(len(self.trees)), self.few):
            joint = self._joint(columns)
            fails = np.bincount(joint)[joint] < self.k
            if fails.any():
                yield columns, fails

    def _joint(self, columns: Sequence[int]) -> Codes:
        """A number for each combination of labels in some columns."""
        joint, width = np.zeros(len(self.labels), dtype=np.int64), 1
        for j in columns:
            if width * len(self.trees[j]) >= LARGEST:
                joint, width = np.unique(joint, return_inverse=True)[1].reshape(-1), len(joint)
            joint, width = joint * len(self.trees[j]) + self.labels[:, j], width * len(self.trees[j])
        if width > COUNTED_AS_THEY_ARE:
            joint = np.unique(joint, return_inverse=True)[1].reshape(-1)
        return joint.astype(np.int64)

    def _step_up(self, short: Sequence[tuple[tuple[int, ...], Flags]]) -> bool:
        """Each of these records takes a step in the column that helps most for its loss; whether any could."""
        helps = np.zeros(self.labels.shape)
        for columns, fails in short:
            helps[np.ix_(fails, np.array(columns))] += 1.0
        for j in range(len(self.trees)):
            here = self.labels[:, j]
            added = self.losses[j][self.trees[j].parent[here]] - self.losses[j][here]
            helps[:, j] *= (here > 0) / (added + FREE)
        rows = np.flatnonzero(helps.max(axis=1) > 0.0)
        chosen = helps[rows].argmax(axis=1)
        for j, tree in enumerate(self.trees):
            self.labels[rows[chosen == j], j] = tree.parent[self.labels[rows[chosen == j], j]]
        return len(rows) > 0

    def _bring_others(self, columns: list[int]) -> None:
        """So many records go to the roots of these columns that k are there: those that lose least."""
        others: Rows = np.flatnonzero((self.labels[:, columns] > 0).any(axis=1))
        needed = self.k - (len(self.labels) - len(others))
        added: Floats = sum(
            (self.losses[j][0] - self.losses[j][self.labels[others, j]] for j in columns), start=np.zeros(len(others))
        )
        self.labels[np.ix_(others[np.argsort(added, kind="stable")[: max(0, needed)]], np.array(columns))] = 0

"""`Tree`: the hierarchy of a column's values: what each is a part of, and what a label in place of a value loses."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from covey.utils.typing import Codes, Flags, Floats

ROOT = "*"
"""The label of all values, where no other is given."""


class _Families(NamedTuple):
    """What a tree is made from: the parent of every label but the root's, and the children of every label in their order."""

    root: str
    parents: dict[str, str]
    children: dict[str, list[str]]


@dataclass(frozen=True, eq=False)
class Tree:
    """Labels as nodes, numbered so that those below one follow it without a gap: a node's code is its number, the root's is 0.

    So the lowest common ancestor of several nodes is that of the first and the last of them.
    """

    labels: tuple[str, ...]
    parent: Codes
    """The parent of every node; the root is its own."""
    is_value: Flags
    """Which labels are values of the column; a value may be the label of others, too."""
    loss: Floats
    """What is lost where a value below a node is published as that node: from 0 to 1 for the root."""

    def __len__(self) -> int:
        return len(self.labels)

    @cached_property
    def depth(self) -> Codes:
        """How many steps a node is below the root."""
        depth = np.zeros(len(self), dtype=np.int64)
        for node in range(1, len(self)):
            depth[node] = depth[self.parent[node]] + 1
        return depth

    @cached_property
    def paths(self) -> Codes:
        """A row for each node: its ancestors from the root down, then the node itself until the row is full."""
        paths = np.empty((len(self), int(self.depth.max()) + 1), dtype=np.int64)
        paths[0] = 0
        for node in range(1, len(self)):
            paths[node] = paths[self.parent[node]]
            paths[node, self.depth[node] :] = node
        return paths

    @cached_property
    def code_of(self) -> dict[str, int]:
        """The code of every label."""
        return {label: code for code, label in enumerate(self.labels)}

    def common(self, first: Codes, second: Codes) -> Codes:
        """The lowest common ancestors of pairs of nodes."""
        above, other = self.paths[first], self.paths[second]
        shared = np.cumprod(above == other, axis=-1, dtype=np.int64).sum(axis=-1)
        return np.take_along_axis(above, shared[..., None] - 1, axis=-1)[..., 0]

    def losses(self, values: Codes, labels: Codes) -> Floats:
        """What is lost of values that are published as these labels: that of their lowest common ancestor, also where they are not below it."""
        return self.loss[self.common(values, labels)]

    def sums_below(self, amounts: Floats) -> Floats:
        """The sums of amounts of nodes over all that is below each, itself included."""
        total = amounts.astype(np.float64).copy()
        for node in range(len(self) - 1, 0, -1):
            total[self.parent[node]] += total[node]
        return total


def tree_of_rows(column: str, rows: Iterable[Sequence[str]]) -> Tree:
    """The tree of rows of a value and its labels, the lowest first; an error that names a label on two branches.

    A blank label is the one before it. Labels are in the order of their texts. The loss of a node is the share of the other values
    that are below it.
    """
    parents: dict[str, str | None] = {}
    values: dict[str, None] = {}
    for row in rows:
        chain = [label for label, _ in itertools.groupby(text for text in row if text.strip())]
        if not chain or chain[0] != row[0]:
            raise InputError(
                f"the hierarchy of {column!r} has a line without a value; needed: a value and its labels in each"
            )
        values[chain[0]] = None
        for label, above in itertools.zip_longest(chain, chain[1:]):
            if parents.setdefault(label, above) != above:
                raise InputError(
                    f"the label {label!r} in the hierarchy of {column!r} stands on two branches; needed: one label above each, the same in "
                    "all lines; give one of them another name"
                )
    return _built(_rooted(column, parents, in_order=False), values)


def tree_of_parents(column: str, parents: Mapping[str, str | None], values: Mapping[str, float]) -> Tree:
    """The tree of labels and what is above each, in this order, where values have widths: the loss is the share of the width."""
    return _built(_rooted(column, parents, in_order=True), values, widths=values)


def _rooted(column: str, parents: Mapping[str, str | None], *, in_order: bool) -> _Families:
    tops = [label for label, above in parents.items() if above is None]
    if not tops:
        raise InputError(f"the hierarchy of {column!r} is empty; needed: a line for each value")
    root = tops[0]
    if len(tops) > 1 or not any(above == root for above in parents.values()):
        root = ROOT
        while root in parents:
            root += ROOT
    known = {label: root if above is None else above for label, above in parents.items() if label != root}
    children: dict[str, list[str]] = {root: []}
    for label in known if in_order else sorted(known):
        children.setdefault(known[label], []).append(label)
    return _Families(root, known, children)


def _built(families: _Families, values: Mapping[str, object], widths: Mapping[str, float] | None = None) -> Tree:
    labels, waiting = list[str](), [families.root]
    while waiting:  # those below a node follow it
        labels.append(waiting.pop())
        waiting += reversed(families.children.get(labels[-1], ()))
    code = {label: number for number, label in enumerate(labels)}
    parent = np.array([code[families.parents.get(label, label)] for label in labels], dtype=np.int64)
    is_value = np.array([label in values for label in labels])
    plain = Tree(tuple(labels), parent, is_value, np.zeros(len(labels)))
    if widths is not None:
        below = plain.sums_below(np.array([widths.get(label, 0.0) for label in labels]))
        return Tree(plain.labels, parent, is_value, below / below[0])
    below = plain.sums_below(is_value.astype(np.float64))
    return Tree(plain.labels, parent, is_value, (below - 1.0) / max(1.0, below[0] - 1.0))

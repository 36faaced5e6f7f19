"""Values of a hierarchy as points: two are as far from each other as the branches on which only one of them lies are heavy.

The squared distance of two nodes is the sum of the weights of the nodes above one of them, itself included, and not above the other:
that between the indicators of ancestors, times the square roots of the weights. The weight of a node is how much less is lost by its
label than by that of its parent, so that values are at twice the loss of their lowest common ancestor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from covey.columns.hierarchy.tree import Tree
    from covey.columns.values import Values
    from covey.utils.typing import Codes, Flags, Floats, Points


@dataclass(frozen=True, eq=False)
class TreePlace:
    """The points of all nodes of a tree, and that of a missing value last."""

    points: Points

    @property
    def width(self) -> int:
        """The number of coordinates."""
        return int(self.points.shape[1])

    def of(self, column: Values) -> Floats:
        """The points of values, or of labels."""
        return np.asarray(self.points[np.where(column.valid, column.physical, len(self.points) - 1)])


def tree_place(tree: Tree, codes: Codes, counts: Codes, most: int, *, standard: bool) -> TreePlace:
    """The points of the nodes, where these occur so often (a missing value is the number of nodes); in at most so many coordinates.

    A missing value is a branch of its own. Two random records are at a mean squared distance of 2 (`standard`), or values without a
    label in common at one of 1. More values than fit are projected.
    """
    n, parent = len(tree), np.append(tree.parent, 0)
    weight = np.append(tree.loss[tree.parent] - tree.loss, 1.0)
    share = np.zeros(n + 1)
    share[codes] = counts / counts.sum()
    there = share > 0.0
    is_value = there.copy()
    for node in range(n, 0, -1):  # the missing value first
        share[parent[node]] += share[node]
        there[parent[node]] |= there[node]
    mean = float((2.0 * weight * share * (1.0 - share)).sum())
    scale = (2.0 / mean if mean > 0.0 else 0.0) if standard else 0.5
    weight *= scale
    if is_value.sum() - 1 <= most:
        return TreePlace(_exact(parent, weight, there, is_value))
    directions = np.random.RandomState(0).standard_normal((n + 1, most))  # numpy keeps the stream of its RandomState
    directions /= np.sqrt((directions**2).sum(axis=1, keepdims=True))
    return TreePlace(_summed(parent, directions * np.sqrt(weight)[:, None]))


def _summed(parent: Codes, steps: Points) -> Points:
    """The sums of the steps from the root down to every node."""
    points = steps.copy()
    points[0] = 0.0
    for node in range(1, len(parent)):
        points[node] += points[parent[node]]
    return points


def _exact(parent: Codes, weight: Floats, there: Flags, is_value: Flags) -> Points:
    """Points at exactly these distances in one coordinate less than there are values.

    Those of siblings span a simplex. Where their parent is no value itself, the part that all of them share belongs to the parent,
    whose own weight it adds to; it is placed at the foot of the perpendicular.
    """
    children: list[list[int]] = [[] for _ in parent]
    steps: list[tuple[int, int, Floats]] = []
    weight, width = weight.copy(), 0
    for node in range(len(parent) - 1, 0, -1):
        if there[node]:
            width = _spread(node, children, weight, steps, width, whole=not is_value[node])
            children[parent[node]].append(node)
    width = _spread(0, children, weight, steps, width, whole=not is_value[0])
    points = np.zeros((len(parent), max(1, width)))
    for node, start, step in steps:
        points[node, start : start + len(step)] = step
    return _summed(parent, points)


def _spread(
    node: int,
    children: list[list[int]],
    weight: Floats,
    steps: list[tuple[int, int, Floats]],
    width: int,
    *,
    whole: bool,
) -> int:
    """Note the steps of the children of a node, whose own weights are final; the number of coordinates used so far."""
    family = [child for child in children[node] if weight[child] > 0.0]
    heavy = weight[family]
    if not whole or len(family) < len(children[node]):  # someone is where the parent is
        steps += [(child, width + place, np.sqrt(heavy[place : place + 1])) for place, child in enumerate(family)]
        return width + len(family)
    if not family:
        return width
    shared = 1.0 / (1.0 / heavy).sum()
    weight[node] += shared
    steps += [(child, width, step) for child, step in zip(family, _simplex(heavy, shared), strict=True)]
    return width + len(family) - 1


def _simplex(heavy: Floats, shared: float) -> Points:
    """Points whose squared distances are the sums of two weights, around the point of their plane that is nearest to the origin."""
    foot = shared / np.sqrt(heavy)
    points = np.diag(np.sqrt(heavy)) - foot
    mirror = foot / np.sqrt(shared)  # reflected onto the last axis, along which the points do not differ
    mirror[-1] -= 1.0
    square = float((mirror**2).sum())
    if square > 0.0:
        points -= np.outer((points * mirror).sum(axis=1), 2.0 * mirror / square)
    return np.asarray(points[:, :-1])

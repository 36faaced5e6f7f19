"""Groups of units of one composition: as vectors of their members, which are aligned and grouped in turn while the loss falls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.core.method import WeighingMethod
from covey.methods import choose
from covey.space.auto import improved
from covey.space.objective import Objective

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from covey.core.method import Method
    from covey.units.vectors import UnitVectors
    from covey.utils.typing import Codes, Floats, Points

REFINING = ("auto", "search")
"""Methods that are not defined by a paper, so that what they find may be searched further."""
MOST_FOR_TWO = 2000
"""Units of which both starts are searched further; of more, the better one."""
TURNS = 4
"""Further starts of units that are no more than these: their members in the order of a direction that is drawn, always the same ones."""
LEAST_FALL = 1e-3
"""Of the loss, in a round of aligning and searching: with less the search ends."""


def group_units(units: UnitVectors, k: int, method: str, options: Mapping[str, object]) -> tuple[UnitVectors, Codes]:
    """Groups of at least k units, and the units with their members in the slots of their group.

    The method, of a name and with options, groups the vectors. `auto` and `search` also begin from the groups that they make of the units
    as means of their rows, and, of few units, of their members in other orders, go on by local search, and take the best: never more is
    lost than by such flattened units. O(n b^2) for each
    round of aligning members of which b have a choice, beside what the method takes. Heuristic.
    """
    refines = method in REFINING
    several = [(units, units.values)]
    if refines and units.slots > 1:
        several.append((units, units.flattened))
    if refines and units.has_choice and len(units.rows) <= MOST_FOR_TWO:
        directions = np.random.default_rng(0).normal(size=(TURNS, units.width))
        turned = [units.turned(direction) for direction in directions]
        several += [(other, other.values) for other in turned]
    aligned = []
    for start, points in several:
        labels = _labels(points, k, units.weights, choose(points, method, dict(options)))
        aligned.append((start.aligned(labels), labels))
    if refines and len(units.rows) > MOST_FOR_TWO:
        return _refined(*_better(aligned), k)
    return _better([_refined(*start, k) for start in aligned] if refines else aligned)


def improved_units(units: UnitVectors, labels: Codes, k: int) -> tuple[UnitVectors, Codes]:
    """Groups of units that were made apart, after exchanges between all of them; and the units in the slots of their group."""
    return _refined(units.aligned(labels), labels, k)


def _better(several: list[tuple[UnitVectors, Codes]]) -> tuple[UnitVectors, Codes]:
    return min(several, key=lambda pair: pair[0].loss(pair[1]))


def _refined(units: UnitVectors, labels: Codes, k: int) -> tuple[UnitVectors, Codes]:
    """Units exchanged and members aligned in turn, from aligned ones."""
    loss = units.loss(labels)
    while True:
        tidy = units.tidied(labels)
        changed = _searched(tidy, labels, k)
        moved = tidy.aligned(changed)
        least = moved.loss(changed)
        if least >= loss:
            return units, labels
        units, labels = moved, changed
        if least > (1.0 - LEAST_FALL) * loss:
            return units, labels
        loss = least


def _searched(units: UnitVectors, labels: Codes, k: int) -> Codes:
    if len(units.rows) < 2 * k:
        return labels
    values = np.ascontiguousarray(units.values)
    objective = Objective(("sse",) * values.shape[1], units.weights)
    return _numbered(improved(values, labels.astype(np.uint32), k, objective.kernel()))


def _labels(points: Points, k: int, weights: Floats | None, method: Method) -> Codes:
    if weights is not None and isinstance(method, WeighingMethod):
        return _numbered(method.solve(points, k, weights=weights).partition.labels)
    return _numbered(method.solve(points, k).partition.labels)


def _numbered(labels: NDArray[np.integer]) -> Codes:
    return np.asarray(np.unique(labels, return_inverse=True)[1], dtype=np.int64)

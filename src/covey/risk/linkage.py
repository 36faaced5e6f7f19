"""Distance-based record linkage."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.evidence import Evidence, Measured, share
from covey.extras import load

if TYPE_CHECKING:
    from numpy.typing import NDArray

ATTACKER = (
    "knows all quasi-identifiers of a record exactly, as they were, and looks for the most similar published record"
)


def linkage(evidence: Evidence) -> list[Measured]:
    """How often the published record nearest to an original one is its own.

    Released values of a group are one point, so the nearest point stands for all of its records: the right one is hit with the
    chance of one over their number, and of one over the number of all records where several points are equally near. By a k-d
    tree over the different released points; of a sample where there are many records. O(n log n) in few dimensions.

    Source: Domingo-Ferrer & Torra 2001, A quantitative comparison of disclosure control methods for microdata.
    """
    rows = evidence.drawn()
    points, place, size = np.unique(evidence.released_points, axis=0, return_inverse=True, return_counts=True)
    place = place.reshape(-1)
    own = np.sqrt(((evidence.points[rows] - evidence.released_points[rows]) ** 2).sum(axis=1))
    tree = load("scipy.spatial").cKDTree(points)
    nearest, _ = tree.query(evidence.points[rows], workers=-1)
    right = own <= nearest * (1 + 1e-9) + 1e-12
    hits = 0.0
    for row, distance in zip(rows[right], own[right], strict=True):
        hits += 1.0 / _tied(tree, size, evidence.points[row], distance, int(size[place[row]]))
    value, interval = share(hits, len(rows), evidence.rows)
    group, group_interval = share(float(right.sum()), len(rows), evidence.rows)
    return [
        Measured(
            "record linkage",
            value,
            "lower",
            "The share of records that are linked to their own published record, guessing among those that look the same.",
            ATTACKER,
            interval=interval,
        ),
        Measured(
            "group linkage",
            group,
            "lower",
            "The share of records whose group is the nearest: the attacker learns what its members share, not which one it is.",
            ATTACKER,
            interval=group_interval,
        ),
    ]


def _tied(tree: object, size: NDArray[np.int64], point: NDArray[np.float64], distance: float, own: int) -> int:
    """The number of records at the same distance, those of the own group among them."""
    near = tree.query_ball_point(point, distance * (1 + 1e-9) + 1e-12)  # type: ignore[attr-defined]
    return max(own, int(size[near].sum()))

"""All vertices of one centre become clusters of allowed sizes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def cut(centres: NDArray[np.int32], upper: int) -> NDArray[np.int32]:
    """The cluster of each vertex: those with the same centre, cut evenly into as few clusters as `upper` allows.

    Lemma: s vertices can be cut into sizes from l to u if l q <= s <= u q for some q; then the least such q is s / u rounded
    up, and even sizes are at least l. O(n log n).

    >>> cut(np.array([0, 0, 4, 0, 0, 4], dtype=np.int32), 3).tolist()
    [0, 0, 2, 1, 1, 2]
    """
    labels = np.empty(len(centres), dtype=np.int32)
    clusters = 0
    for centre in np.unique(centres):
        members = np.flatnonzero(centres == centre)
        pieces = np.array_split(members, math.ceil(len(members) / upper))
        for piece in pieces:
            labels[piece] = clusters
            clusters += 1
    return labels

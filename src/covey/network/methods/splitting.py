"""Vertices that share a centre cut into clusters of allowed sizes, where clusters need not be connected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.network.methods.problem import Problem
    from covey.utils.typing import Labels


def split(
    problem: Problem, labels: Labels, centres: NDArray[np.int32], apart: NDArray[np.bool_] | None = None
) -> tuple[Labels, NDArray[np.int32]]:
    """Cut every cluster that is too large, or twice as large as it must be, into as many as it can be; O(n log n).

    The pieces keep the centre, so no distance changes. Lemma: s vertices can be cut into sizes from l to u if l q <= s <= u q for
    some q; then s / l rounded down is the largest such q, and even sizes are at most u. A cluster whose size is no sum of allowed
    sizes stays as it is. No two vertices of `apart` share a piece; a cluster must have no more of them than pieces.

    >>> from covey.network.methods.problem import as_problem
    >>> problem = as_problem([(0, i) for i in range(1, 7)], 2, 3)
    >>> labels, centres = split(problem, np.zeros(7, dtype=np.int32), np.zeros(1, dtype=np.int32))
    >>> labels.tolist(), centres.tolist()
    ([0, 0, 0, 1, 1, 2, 2], [0, 0, 0])
    """
    sizes = np.bincount(labels, minlength=len(centres))
    fits = -(-sizes // problem.upper) <= sizes // problem.lower
    pieces = np.where(fits, np.maximum(1, sizes // problem.lower), 1)
    first = np.cumsum(pieces) - pieces
    alone = np.zeros(len(labels), dtype=np.bool_) if apart is None else apart
    order = np.lexsort((~alone, labels))
    own = labels[order]
    rank = np.arange(len(labels)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    dealt = np.bincount(labels, weights=alone, minlength=len(centres)) > 0
    split_labels = np.empty(len(labels), dtype=np.int32)
    split_labels[order] = first[own] + np.where(dealt[own], rank % pieces[own], _slices(rank, sizes[own], pieces[own]))
    return split_labels, np.repeat(centres, pieces).astype(np.int32)


def split_by_centre(problem: Problem, centres: NDArray[np.int32]) -> Labels:
    """The clusters of vertices whose centres are known.

    >>> from covey.network.methods.problem import as_problem
    >>> problem = as_problem([(0, i) for i in range(1, 6)], 2, 3)
    >>> split_by_centre(problem, np.array([0, 0, 4, 0, 0, 4], dtype=np.int32)).tolist()
    [0, 0, 2, 1, 1, 2]
    """
    different, labels = np.unique(centres, return_inverse=True)
    return split(problem, labels.astype(np.int32), different)[0]


def _slices(rank: NDArray[np.intp], sizes: NDArray[np.intp], pieces: NDArray[np.intp]) -> NDArray[np.intp]:
    """Which of the even pieces of a cluster holds the vertex of that rank; the first pieces have one more than the others."""
    share, rest = np.divmod(sizes, pieces)
    large = rest * (share + 1)
    piece: NDArray[np.intp] = np.where(rank < large, rank // (share + 1), rest + (rank - large) // np.maximum(1, share))
    return piece

"""Large clusters of one centre cut into clusters of allowed sizes, where they need not be connected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.network.methods.problem import Problem


def split(
    problem: Problem, labels: NDArray[np.int32], centres: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Cut every cluster that is too large, or twice as large as it must be, into as many as it can be; O(n log n).

    The pieces keep the centre, so no distance changes. A cluster whose size is no sum of allowed sizes stays as it is.

    >>> from covey.network.methods.problem import as_problem
    >>> problem = as_problem([(0, i) for i in range(1, 7)], 2, 3)
    >>> labels, centres = split(problem, np.zeros(7, dtype=np.int32), np.zeros(1, dtype=np.int32))
    >>> labels.tolist(), centres.tolist()
    ([0, 0, 0, 1, 1, 2, 2], [0, 0, 0])
    """
    sizes = np.bincount(labels, minlength=len(centres))
    fits = -(-sizes // problem.upper) <= sizes // problem.lower
    parts = np.where(fits, np.maximum(1, sizes // problem.lower), 1)
    first = np.concatenate([[0], np.cumsum(parts)[:-1]])
    order = np.argsort(labels, kind="stable")
    within = np.arange(len(labels)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    # The first `rest` pieces have one more than the others.
    share, rest = np.divmod(sizes, parts)
    own = labels[order]
    large = rest[own] * (share[own] + 1)
    piece = np.where(
        within < large, within // (share[own] + 1), rest[own] + (within - large) // np.maximum(1, share[own])
    )
    split_labels = np.empty(len(labels), dtype=np.int32)
    split_labels[order] = first[own] + piece
    return split_labels, np.repeat(centres, parts).astype(np.int32)

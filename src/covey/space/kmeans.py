"""k-means, and small clusters merged until all hold k."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from covey.space.method import LabellingMethod, check_number
from covey.utils.arrays import check_seed
from covey.utils.extras import load

if TYPE_CHECKING:
    from covey.space.method import Labels
    from covey.utils.typing import Points


@dataclass(frozen=True)
class KMeans(LabellingMethod):
    """k-means with `factor` times n/k clusters; each cluster below k is merged with the nearest one.

    Clusters below k are taken in random order and merged with the cluster of the nearest centroid, until there are none.
    Groups may hold 2k or more. Heuristic; O(c^2 d) to merge c clusters, beside k-means itself. Needs scikit-learn.

    Source: Stamm & Schaub, Faster optimal univariate microaggregation, section 5.2; their factors are 0.5, 1 and 2.

    Parameters
    ----------
    factor
        How many times n/k clusters k-means makes.
    seed
        Of k-means and of the order of merging.

    Examples
    --------
    >>> KMeans().partition([[0, 0], [5, 6], [1, 0], [6, 6]], k=2).labels.tolist()
    [0, 1, 0, 1]
    """

    name: ClassVar[str] = "kmeans"

    factor: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        check_number("factor", self.factor, 1e-9)
        check_seed(self.seed)

    def _group(self, points: Points, k: int) -> Labels:
        clusters = min(len(points), max(1, round(self.factor * len(points) / k)))
        return merge_small(points, kmeans_labels(points, clusters, self.seed), k, np.random.default_rng(self.seed))


def kmeans_labels(points: Points, clusters: int, seed: int, *, init: str = "k-means++") -> Labels:
    """Cluster by scikit-learn's k-means, one start. Fewer clusters where there are fewer different records."""
    cluster = load("sklearn.cluster")
    one = load("threadpoolctl").threadpool_limits(1)  # several threads add up in the order in which they arrive
    with one, warnings.catch_warnings():
        warnings.simplefilter("ignore", load("sklearn.exceptions").ConvergenceWarning)
        fitted = cluster.KMeans(n_clusters=clusters, init=init, n_init=1, random_state=seed).fit(points)
    _, labels = np.unique(fitted.labels_, return_inverse=True)
    return labels.astype(np.uint32)


def merge_small(points: Points, labels: Labels, k: int, rng: np.random.Generator) -> Labels:
    """Merge clusters below k with the cluster of the nearest centroid, in random order."""
    count = np.bincount(labels).astype(np.float64)
    total = np.zeros((len(count), points.shape[1]))
    np.add.at(total, labels, points)
    parent = np.arange(len(count))
    queue = list(rng.permutation(np.flatnonzero(count < k)))
    while queue:
        small = queue.pop()
        if parent[small] != small or count[small] >= k:
            continue
        alive = np.flatnonzero(parent == np.arange(len(parent)))
        alive = alive[alive != small]
        distance = ((total[alive] / count[alive, None] - total[small] / count[small]) ** 2).sum(axis=1)
        into = alive[np.argmin(distance)]
        parent[small] = into
        count[into] += count[small]
        total[into] += total[small]
    while np.any(parent != parent[parent]):
        parent = parent[parent]
    return parent[labels].astype(np.uint32)

"""Orderings: put the records into one sequence, then cut it optimally.

The cut is the multivariate MHM with incremental group errors (IMHM; Mortazavi, Jalili & Gohargazi 2013): dynamic
programming over groups of k to 2k-1 records in a row, O(k n d), exact for the sequence. What differs is the sequence.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, SupportsIndex

import numpy as np

from covey._kernels import space as kernels
from covey.core.partition import Partition
from covey.space.method import LabellingMethod, labels_of
from covey.utils.arrays import as_coordinates, as_count, check_seed
from covey.utils.extras import load

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    from covey.core.solution import Solution
    from covey.space.method import Labels, Order
    from covey.utils.typing import Floats, Points


class Ordering(LabellingMethod):
    """A sequence of the records, cut optimally."""

    def _group(self, points: Points, k: int) -> Labels:
        order = self._order(points, k)
        sizes, _ = kernels.cut(points, order, k)
        return labels_of(order, sizes)

    @abstractmethod
    def _order(self, points: Points, k: int) -> Order:
        """All records in one sequence."""


@dataclass(frozen=True)
class NpnMhm(Ordering):
    """Nearest point next: from the record farthest from the centroid, always to the nearest record not seen yet.

    Good for clusters far apart. O(n log n) with a k-d tree where it prunes, plus the cut. Heuristic.

    Source: Domingo-Ferrer, Martinez-Balleste, Mateo-Sanz & Sebe 2006, Efficient multivariate data-oriented microaggregation.

    Examples
    --------
    >>> NpnMhm().partition([[0.0], [5.0], [1.0], [6.0]], k=2).labels.tolist()
    [0, 1, 0, 1]
    """

    name: ClassVar[str] = "npn-mhm"

    def _order(self, points: Points, k: int) -> Order:  # noqa: ARG002
        return kernels.nearest_point_next(points)


@dataclass(frozen=True)
class Pca(Ordering):
    """The order along the first principal component.

    Fast, and good where one direction explains most of the variance. O(n d^2 + n log n). Heuristic. Needs scikit-learn.

    Source: Monedero et al. 2019, Efficient k-anonymous microaggregation via principal component analysis.

    Examples
    --------
    >>> Pca().partition([[0, 0], [5, 6], [1, 0], [6, 6]], k=2).labels.tolist()
    [0, 1, 0, 1]
    """

    name: ClassVar[str] = "pca"

    def _order(self, points: Points, k: int) -> Order:  # noqa: ARG002
        if not np.any(points):
            return np.arange(len(points), dtype=np.uint32)
        component = load("sklearn.decomposition").PCA(n_components=1, svd_solver="full").fit(points)
        return _by(component.transform(points)[:, 0])


@dataclass(frozen=True)
class ZScore(Ordering):
    """The order by the sum of the z-scores of a record: all columns count alike and in the same direction.

    O(n d + n log n). Heuristic. Source: as `Pca`.

    Examples
    --------
    >>> ZScore().partition([[0, 10], [5, 60], [1, 20], [6, 70]], k=2).labels.tolist()
    [0, 1, 0, 1]
    """

    name: ClassVar[str] = "zscore"

    def _order(self, points: Points, k: int) -> Order:  # noqa: ARG002
        centred = points - points.mean(axis=0)
        spread = centred.std(axis=0)
        return _by((centred / np.where(spread > 0, spread, 1.0)).sum(axis=1))


@dataclass(frozen=True)
class RandomProjection(Ordering):
    """The order along a random direction; the best of several directions by the loss in space.

    Each direction has coordinates drawn uniformly from 0 to 1. O(m n (log n + k d)) for m directions. Heuristic.

    Source: Stamm & Schaub, Faster optimal univariate microaggregation, section 5.2 (which cuts the projected values; here
    the cut looks at the records themselves).

    Parameters
    ----------
    projections
        How many directions are tried.
    seed
        The same seed tries the same directions.

    Examples
    --------
    >>> RandomProjection(projections=5).partition([[0, 0], [5, 6], [1, 0], [6, 6]], k=2).labels.tolist()
    [0, 1, 0, 1]
    """

    name: ClassVar[str] = "random-projection"

    projections: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "projections", as_count(self.projections, "projections"))
        check_seed(self.seed)

    def _order(self, points: Points, k: int) -> Order:
        rng = np.random.default_rng(self.seed)
        orders = (_by(_along(points, rng.random((points.shape[1],)))) for _ in range(self.projections))
        return min(orders, key=lambda order: kernels.cut(points, order, k)[1])


@dataclass(frozen=True)
class Tour(Ordering):
    """The order along a short tour through all records: a travelling-salesman path, by 2-opt and Or-opt.

    One tour serves any k: `solve_many` cuts it for several. O(n log n) for the tour as a rule, plus the cut. Heuristic.

    Source: Mortazavi & Jalili 2014, Fast data-oriented microaggregation algorithm for large numerical datasets (FDM).

    Parameters
    ----------
    neighbours
        Edges to so many nearest records are tried.

    Examples
    --------
    >>> [s.partition.sizes.tolist() for s in Tour().solve_many([[0.0], [5.0], [1.0], [6.0]], [2, 4])]
    [[2, 2], [4]]
    """

    name: ClassVar[str] = "tour"

    neighbours: int = 10

    def __post_init__(self) -> None:
        object.__setattr__(self, "neighbours", as_count(self.neighbours, "neighbours"))

    def _order(self, points: Points, k: int) -> Order:  # noqa: ARG002
        return kernels.tour(points, self.neighbours)

    def solve_many(self, X: ArrayLike, ks: Iterable[SupportsIndex]) -> list[Solution]:
        """Solve for several k from one tour."""
        coordinates = as_coordinates(X)
        order = kernels.tour(coordinates.values, self.neighbours) if len(coordinates.values) > 1 else None
        solutions = []
        for k in ks:
            least = as_count(k, "k", at_most=len(coordinates.values))
            if order is None or least == 1 or len(order) < 2 * least:
                solutions.append(self.solve(X, least))
                continue
            partition = Partition(labels_of(order, kernels.cut(coordinates.values, order, least)[0]))
            solutions.append(self._solution(partition, coordinates, least))
        return solutions


@dataclass(frozen=True)
class Split(Ordering):
    """Halves along the widest axis, halved again down to single records; then cut.

    The fast one, for millions of records. O(n log n d), plus the cut. Heuristic. A k-d order, as in Mondrian (LeFevre,
    DeWitt & Ramakrishnan 2006), with the cut of `covey.space.ordering` instead of fixed leaves.

    Examples
    --------
    >>> Split().partition([[0, 0], [5, 6], [1, 0], [6, 6]], k=2).labels.tolist()
    [0, 1, 0, 1]
    """

    name: ClassVar[str] = "split"

    def _order(self, points: Points, k: int) -> Order:  # noqa: ARG002
        return kernels.order_by_halves(points)


def _by(key: NDArray[np.float64]) -> Order:
    return np.argsort(key, kind="stable").astype(np.uint32)


def _along(points: Points, direction: Floats) -> Floats:
    """How far records lie along a direction; column by column, since the last bits of BLAS differ between machines."""
    far = np.zeros(len(points))
    for column, step in zip(points.T, direction, strict=True):
        far += column * step
    return far

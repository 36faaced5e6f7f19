"""Microaggregation as a scikit-learn estimator. Needs the extra `sklearn`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from covey.columns.aggregation import aggregate
from covey.costs import Cost, find_cost
from covey.methods import choose
from covey.space import EachColumn
from covey.utils.arrays import as_count
from covey.utils.extras import unusable

__all__ = ["Microaggregator"]

try:
    from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
    from sklearn.metrics import pairwise_distances_argmin
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    missing = unusable("sklearn", error)
    raise missing from error

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from covey.core.method import Method


def _nearest(values: NDArray[np.float64], known: NDArray[np.float64]) -> NDArray[np.intp]:
    """The places of the nearest of ascending values."""
    above = (
        np.clip(np.searchsorted(known, values), 1, max(1, len(known) - 1))
        if len(known) > 1
        else np.zeros(len(values), np.intp)
    )
    below = np.maximum(above - 1, 0)
    return np.asarray(np.where(values - known[below] <= known[above] - values, below, above), dtype=np.intp)


class Microaggregator(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Put every record into a group of at least k and replace it by the group's values.

    `fit_transform` gives every record the values of its own group: what it returns is k-anonymous. `transform` gives records the values of
    the nearest group, so that a model behind this step can predict for new ones; it promises nothing, since a record that was not there
    when the groups were made has no group to hide in, and of the records of `fit` it may return another group than their own.
    Columns are taken as comparable; put a scaler before it, or scale by hand.

    Pickled, it keeps the values of the groups and no more: not which record was in which group.

    Parameters
    ----------
    k
        The least number of records in a group.
    method
        A name that `covey.partition` knows, or a method object.
    cost
        See `covey.line.OptimalLine` for one column and `covey.space.Auto` for several. None: what the method minimises.
    seed
        For a method with randomness. None: the method's own default.
    options
        Further options of a named method.

    Attributes
    ----------
    group_values_ : ndarray of shape (groups, columns)
        What each group publishes. Where a method groups each column by itself: the values of each column, ascending, as a list of arrays.
    partition_ : covey.Partition
        The groups. `labels_` holds their numbers. Neither is pickled.
    loss_ : float
        What replacing the records loses, in the units of the cost. Not pickled.

    Examples
    --------
    >>> from covey.sklearn import Microaggregator
    >>> Microaggregator(k=2).fit_transform([[0.0, 0.0], [9.0, 8.0], [1.0, 0.0], [8.0, 9.0]]).tolist()
    [[0.5, 0.0], [8.5, 8.5], [0.5, 0.0], [8.5, 8.5]]
    """

    def __init__(
        self,
        k: int = 3,
        *,
        method: str | Method = "auto",
        cost: str | Cost | Sequence[str] | None = None,
        seed: int | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.k = k
        self.method = method
        self.cost = cost
        self.seed = seed
        self.options = options

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Group the records of X. `y` is not used."""
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X: ArrayLike, y: object = None) -> NDArray[np.float64]:
        """Group the records of X and return them with the values of their groups."""
        values, method = self._group(X, y)
        named = getattr(method, "cost", "sse")
        costs = named if isinstance(named, tuple) else [named] * values.shape[1]
        if isinstance(method, EachColumn):
            partitions = method.partitions(values, self.k)
        else:
            partitions = [self.partition_] * values.shape[1]
        columns = zip(values.T, partitions, map(find_cost, costs), strict=True)
        published = np.column_stack([aggregate(column, partition, cost) for column, partition, cost in columns])
        if isinstance(method, EachColumn):
            self.group_values_: NDArray[np.float64] | list[NDArray[np.float64]] = [
                np.unique(column) for column in published.T
            ]
        else:
            self.group_values_ = published[np.unique(self.partition_.labels, return_index=True)[1]]
        return published

    def transform(self, X: ArrayLike) -> NDArray[np.float64]:
        """Give every record of X the values of the nearest group. Promises nothing: only what `fit_transform` returns is k-anonymous."""
        check_is_fitted(self, "group_values_")
        values = validate_data(self, X, dtype=np.float64, reset=False)
        if isinstance(self.group_values_, list):
            pairs = zip(values.T, self.group_values_, strict=True)
            return np.column_stack([known[_nearest(column, known)] for column, known in pairs])
        return np.asarray(self.group_values_[pairwise_distances_argmin(values, self.group_values_)])

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: of what was fitted, the values of the groups alone."""
        state: dict[str, Any] = super().__getstate__()
        return {name: value for name, value in state.items() if name not in ("partition_", "labels_", "loss_")}

    def fit_predict(self, X: ArrayLike, y: object = None) -> NDArray[np.intp]:
        """Group the records of X and return the numbers of their groups."""
        return self.fit(X, y).labels_

    def _group(self, X: ArrayLike, y: object) -> tuple[NDArray[np.float64], Method]:
        del y
        least = as_count(self.k, "k")
        values = validate_data(self, X, dtype=np.float64, ensure_min_samples=least)
        given = {name: value for name, value in (("cost", self.cost), ("seed", self.seed)) if value is not None}
        method = choose(values, self.method, given | dict(self.options or {}))
        solution = method.solve(values, least)
        self.partition_ = solution.partition
        self.labels_: NDArray[np.intp] = np.array(solution.partition.labels, dtype=np.intp)
        self.loss_ = solution.loss
        return values, method

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
    from sklearn.utils.validation import validate_data
except ImportError as error:
    missing = unusable("sklearn", error)
    raise missing from error

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from covey.core.method import Method


class Microaggregator(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Put every record into a group of at least k and replace it by the group's values.

    There is `fit`, `fit_transform` and `fit_predict`, and no `transform`: a record that was not there when the groups
    were made has no group to hide in. Columns are taken as comparable; put a scaler before it, or scale by hand.

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
    partition_ : covey.Partition
        The groups. `labels_` holds their numbers.
    loss_ : float
        What replacing the records loses, in the units of the cost.

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
        self._group(X, y)
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
        return np.column_stack([aggregate(column, partition, cost) for column, partition, cost in columns])

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

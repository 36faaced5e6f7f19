"""Individual ranking: every column grouped by itself. Not jointly k-anonymous."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, SupportsIndex

import numpy as np

from covey.core.method import Method
from covey.core.partition import Partition
from covey.core.solution import Solution
from covey.line import OptimalLine
from covey.utils.arrays import as_columns

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from covey.costs import Cost


class NotJointlyAnonymousWarning(UserWarning):
    """Columns were grouped one by one: their combination may single a record out."""


@dataclass(frozen=True)
class EachColumn(Method):
    """Group every column by itself, optimally. The combination of columns is NOT k-anonymous.

    Each released value is shared by k records of that column, but the combination of a record's values may be its own:
    whoever knows two columns may find a single record. Very little is lost, and little is protected. Every call warns.

    `partitions` returns one partition per column. `partition` and `solve` return the joint one, records that share all
    their groups, which shows what an attacker sees: its groups may hold single records. The loss is the sum over the
    columns. Exact for each column; O(d n log n).

    Source: Defays & Nanopoulos 1993 (individual ranking).

    Parameters
    ----------
    cost
        What a column loses: see `covey.line.OptimalLine`.

    Warns
    -----
    NotJointlyAnonymousWarning
        Always.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore", NotJointlyAnonymousWarning)
    ...     EachColumn().partition([[0, 9], [1, 0], [8, 8], [9, 1]], k=2).sizes.tolist()
    [1, 1, 1, 1]
    """

    name: ClassVar[str] = "each-column"

    cost: str | Cost = "sse"

    def __post_init__(self) -> None:
        OptimalLine(cost=self.cost)

    def partitions(self, X: ArrayLike, k: SupportsIndex) -> list[Partition]:
        """One partition per column."""
        return [solution.partition for solution in self._columns(X, k)]

    def solve(self, X: ArrayLike, k: SupportsIndex) -> Solution:
        """The records that share the groups of all columns, and what the columns lose."""
        columns = self._columns(X, k)
        _, joint = np.unique(np.stack([c.partition.labels for c in columns], axis=1), axis=0, return_inverse=True)
        loss = sum(c.loss for c in columns)
        return Solution(Partition(joint.reshape(-1)), loss, bound=loss, status="optimal", method=self)

    def _columns(self, X: ArrayLike, k: SupportsIndex) -> list[Solution]:
        columns = as_columns(X)
        warnings.warn(
            "each-column groups every column by itself: the result is not jointly k-anonymous, a combination of columns "
            "may single out a record; use another method for that",
            NotJointlyAnonymousWarning,
            stacklevel=4,
        )
        method = OptimalLine(cost=self.cost)
        return [method.solve(column, k) for column in columns]

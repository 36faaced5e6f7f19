"""`Solution`: a partition with what it loses and how sure that is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from covey.core.notebook import of_sizes, plot_sizes

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

    from covey.core.method import Method
    from covey.core.partition import Partition

Status = Literal["optimal", "feasible"]


@dataclass(frozen=True, init=False)
class Solution:
    """What a method found. One type for line, space and diversity.

    Attributes
    ----------
    partition
        Which records share a group.
    loss
        The total cost of the partition, in the units of the cost; infinity where that exceeds a float.
    bound
        A proven lower bound on the loss of any partition that meets the same demands; computed when asked for where
        that takes time.
    status
        "optimal" where loss and bound meet, else "feasible".
    gap
        The share of the loss that is not proven necessary, from 0 to 1.
    method
        The method, with its options.
    steps
        The number of steps of a search that counts them; less than it was given if it was interrupted.

    Examples
    --------
    >>> import covey
    >>> found = covey.solve([1.0, 2.0, 9.0, 8.0], k=2)
    >>> found.loss, found.bound, found.status, found.gap
    (1.0, 1.0, 'optimal', 0.0)
    """

    partition: Partition
    loss: float
    status: Status
    method: Method
    steps: int | None

    def __init__(
        self,
        partition: Partition,
        loss: float,
        *,
        bound: float | Callable[[], float],
        status: Status,
        method: Method,
        steps: int | None = None,
    ) -> None:
        values = {
            "partition": partition,
            "loss": loss,
            "status": status,
            "method": method,
            "steps": steps,
            "_bound": bound,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def bound(self) -> float:
        """No partition that meets the same demands loses less. Computed at the first use."""
        bound: float | Callable[[], float] = self.__dict__["_bound"]
        if callable(bound):
            bound = bound()
            self.__dict__["_bound"] = bound  # and the data it was computed from are let go
        return bound

    @property
    def gap(self) -> float:
        """How much of the loss is not proven necessary, from 0 (optimal) to 1."""
        if self.status == "optimal" or self.loss == 0.0:
            return 0.0
        return 1.0 if math.isinf(self.loss) else (self.loss - self.bound) / self.loss

    def with_bound(self, bound: float) -> Solution:
        """The same with another bound."""
        return Solution(
            self.partition, self.loss, bound=bound, status=self.status, method=self.method, steps=self.steps
        )

    def _repr_html_(self) -> str:
        sizes = self.partition.sizes.tolist()
        rows = [("method", str(self.method.name)), ("status", self.status), ("records", f"{sum(sizes):,}")]
        return of_sizes("Solution", rows, sizes)

    def plot(self) -> Figure:
        """How many groups have which size, as a figure of matplotlib."""
        return plot_sizes(self.partition.sizes.tolist())

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_bound": self.bound}

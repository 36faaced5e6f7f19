"""`Solution`: a partition with what it loses and how sure that is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from covey.method import Method
    from covey.partition import Partition

Status = Literal["optimal", "feasible"]


@dataclass(frozen=True)
class Solution:
    """What a method found. One type for all geometries.

    `loss` is the total cost of the partition, in the units of the cost (infinity where that exceeds a float);
    `bound` a proven lower bound on the loss of any partition that meets the same demands; `status` is "optimal"
    where the two meet.
    """

    partition: Partition
    loss: float
    bound: float
    status: Status
    method: Method

    @property
    def gap(self) -> float:
        """How much of the loss is not proven necessary, from 0 (optimal) to 1."""
        if self.status == "optimal" or self.loss == 0.0:
            return 0.0
        return 1.0 if math.isinf(self.loss) else (self.loss - self.bound) / self.loss

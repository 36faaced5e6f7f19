"""Iterative group decomposition (IGD): refine a partition by dissolving and shrinking groups."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from covey._kernels import space as kernels
from covey.errors import OptionError, shown
from covey.space.mdav import Mdav
from covey.space.method import LabellingMethod, SpaceMethod, labels_of
from covey.utils.arrays import Coordinates

if TYPE_CHECKING:
    from covey.space.method import Labels
    from covey.utils.typing import Points


@dataclass(frozen=True)
class Decompose(LabellingMethod):
    """Refine the partition of another method: dissolve groups, shrink groups above k, while the loss falls.

    Dissolve: every record of a group goes to the group with the nearest centroid, groups that reach 2k are split; kept if
    the loss falls. Shrink: of a group above k, the record whose move to another group lowers the loss most, as long as
    there is one; groups that reach 2k are split afterwards. Heuristic; O(n^2 d) a round.

    Source: Khomnotai, Lin, Peng & Santra 2018, Iterative group decomposition for refining microaggregation solutions.

    Parameters
    ----------
    start
        The method whose partition is refined.

    Examples
    --------
    >>> Decompose().partition([[0.0], [5.0], [1.0], [6.0]], k=2).labels.tolist()
    [0, 1, 0, 1]
    """

    name: ClassVar[str] = "decompose"

    start: SpaceMethod = field(default_factory=Mdav)

    def __post_init__(self) -> None:
        if not isinstance(self.start, SpaceMethod):
            msg = f"start is {shown(self.start)}; needed: a method in space, for example covey.space.Mdav()"
            raise OptionError(msg)

    def _group(self, points: Points, k: int) -> Labels:
        start = self.start._solve(Coordinates(points, 0), k).partition
        return labels_of(*kernels.decompose(points, start.labels.astype(np.uint32), k))

"""`LeftOut`: the records that are not published, because that is what lowers the loss most, and the groups of the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from covey.core.solution import Solution
    from covey.utils.typing import Rows


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Which records are left out, and the groups of the others.

    Attributes
    ----------
    rows
        The records that are left out, ascending: none, or at least k.
    kept
        The others, ascending.
    solution
        The groups of the others, in that order, and what they lose.
    bound
        No choice of as many records, or fewer, and no groups of the others lose less; 0 where no bound is known.
    proven
        Whether none loses less: what is left out is the best choice.

    Examples
    --------
    >>> import covey
    >>> covey.leave_out([1, 2, 900, 1, 800, 2, 700], k=2, most=3).kept.tolist()
    [0, 1, 3, 5]
    """

    rows: Rows
    kept: Rows
    solution: Solution
    bound: float = 0.0
    proven: bool = False

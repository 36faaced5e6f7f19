"""How much less labels and groups say than values did: of each column, from 0 to 1, where some column has a hierarchy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.core.measure import Measure
from covey.evidence import COUNTED, Evidence, Measured

if TYPE_CHECKING:
    from covey.utils.typing import Floats

MEANING = (
    "How much less the release tells than the original value, from 0 to 1. With a hierarchy: the share of the other values (with cuts, of the "
    "width) that lie below the lowest label above both the original and the published value. Of a number: the range of its class as a share "
    "of the range of the column. Of a category: 1 where it changed. A record published without its quasi-identifiers, or not at all, counts 1."
)


def generalisation(evidence: Evidence) -> list[Measured]:
    """The generalisation loss of every column and their mean; nothing where no column has a hierarchy.

    Of rows that were drawn from a table the extents of classes are not known: then numbers and the mean are left out.
    """
    if all(column.tree is None for column in evidence.original.values()):
        return []
    left_out, measured = evidence.suppressed_share, []
    for name in evidence.original:
        lost = column_loss(evidence, name)
        if lost is not None:
            mean = left_out + (1.0 - left_out) * float(lost.mean())
            measured.append(Measured(Measure.GENERALISATION, mean, MEANING, column=name))
    if len(measured) < len(evidence.original):
        return measured
    whole = float(np.mean([one.value for one in measured]))
    return [Measured(Measure.GENERALISATION, whole, f"{MEANING} The mean of all columns."), *measured]


def column_loss(evidence: Evidence, name: str) -> Floats | None:
    """The loss of every record in a column: 1 where its value or what is published is missing, but not both. None where it is not known."""
    before, after = evidence.original[name], evidence.released[name]
    known = before.valid & after.valid
    lost = (before.valid != after.valid).astype(np.float64)
    if before.tree is not None:
        lost[known] = before.tree.losses(before.physical[known], after.physical[known])
    elif before.kind not in COUNTED:
        lost[known] = before.physical[known] != after.physical[known]
    elif evidence.looked_at is not None:
        return None
    else:
        lost[known] = _extents(evidence, name)[known]
    if evidence.without_cells:
        lost[~np.logical_or.reduce([column.valid for column in evidence.original.values()])] = 1.0
    return np.asarray(lost)


def _extents(evidence: Evidence, name: str) -> Floats:
    """The extent of each record's class among the original numbers, in the range of all."""
    numbers, _, _ = evidence.numbers(name)
    valid = evidence.original[name].valid
    low, high = np.full(evidence.rows, np.inf), np.full(evidence.rows, -np.inf)
    np.minimum.at(low, evidence.classes[valid], numbers[valid])
    np.maximum.at(high, evidence.classes[valid], numbers[valid])
    widest = float(np.ptp(numbers[valid])) if valid.any() else 0.0
    extent = (high - low)[evidence.classes] / widest if widest > 0 else np.zeros(evidence.rows)
    return np.where(valid, extent, 0.0)

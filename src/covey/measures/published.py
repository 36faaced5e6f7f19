"""What a public report says beyond what follows from the release: a list, each number as coarse as its records are few.

All of it is measured on `Evidence.published`: the release beside originals that are pulled into it. Values that are coded, suppressed
or beyond what is released are therefore not narrowed at all; of others the list tells little, since a number is rounded so that about
k records are needed to change it.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from covey import risk, utility
from covey.core.measure import Measure
from covey.core.ticks import round_above
from covey.utility.marginals import categories

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.evidence import Evidence, Measured

LISTED = {
    "class sizes in units": "how many units share their released values, where k counts units, and the risks that follow from it",
    Measure.RECORD_LINKAGE: "the share of records that are nearest to their own published record, rounded to k records or more",
    Measure.GROUP_LINKAGE: "the share of records whose group is the nearest, rounded to k records or more",
    Measure.INFORMATION_LOSS: "what all columns lost, rounded to two digits or to k / n of it; where no record makes up more than one k-th of it",
    Measure.VARIATION_LOST: "what a column of numbers lost, rounded in the same way",
    Measure.CATEGORIES_CHANGED: "the share of records with another category, of a column, rounded to k records or more",
}
"""The numbers of a public report that are no functions of the release and of the public part of the recipe."""
WITHIN = "Rounded; of originals within the range of the release: those beyond count as its ends."
NARROWED = 4
"""By what factor the list narrows what the release leaves open of a value, at most, for somebody who knows all others: as measured."""


def public_risks(shown: Evidence) -> list[Measured]:
    """The risks of a public report, of `Evidence.published`."""
    return [*public_linkage(shown), *(found for one in risk.COUNTED for found in one(shown))]


def public_linkage(shown: Evidence) -> list[Measured]:
    """Record and group linkage, coarse."""
    of = max(1, len(shown.drawn()))
    return [coarse(one, shown.k / of) for one in linked_within(shown)]


def linked_within(shown: Evidence) -> list[Measured]:
    """Record and group linkage; nothing where a column has a hierarchy: no original lies within labels."""
    return [] if shown.is_on_a_tree else risk.linkage(shown)


def public_uses(shown: Evidence) -> list[Measured]:
    """The losses of a public report, of `Evidence.published`."""
    return of_tables(_public_uses, shown)


def of_tables(measure: Callable[[Evidence], list[Measured]], evidence: Evidence) -> list[Measured]:
    """What a measure finds; of linked tables that of single columns by the rows of each, that of all together by the joined rows."""
    if not evidence.tables:
        return measure(evidence)
    together = [found for found in measure(evidence) if found.column is None]
    return together + [found for one in evidence.of_each_table() for found in measure(one) if found.column is not None]


def _public_uses(shown: Evidence) -> list[Measured]:
    """The losses of all columns together, and of each column."""
    share = shown.k / max(1, shown.rows)
    found = utility.information_loss(shown) if shown.is_public and not shown.is_on_a_tree else []
    found += [one for one in utility.column_losses(shown) if one.column in shown.spread_columns]
    found = [coarse(one, share * one.value) for one in found]
    names = [name for name, column in shown.original.items() if column.categories is not None]
    changed = [one for name in names for one in categories(shown, name) if one.name in LISTED]
    return found + [coarse(one, share) for one in changed]


def coarse(measured: Measured, least: float) -> Measured:
    """The same to two digits, and to multiples of at least `least`, such as 0.02 or 0.05."""
    digits = 10.0 ** (math.floor(math.log10(measured.value)) - 1) if measured.value > 0 else 0.0
    step = round_above(max(least, digits))
    ends = measured.interval
    interval = None if ends is None else (_nearest(ends[0], step), _nearest(ends[1], step))
    meaning = f"{measured.meaning} {WITHIN}"
    return replace(measured, value=_nearest(measured.value, step), interval=interval, meaning=meaning)


def _nearest(value: float, step: float) -> float:
    return float(f"{round(value / step) * step:.12g}")

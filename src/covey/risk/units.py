"""The risk of units of several rows, such as households: that of all of their rows together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from covey.columns.compositions import compositions
from covey.core.measure import Measure
from covey.evidence import Evidence, Measured
from covey.risk.reidentification import classes_at_risk

if TYPE_CHECKING:
    from covey.utils.typing import Codes, Floats


def units_at_risk(evidence: Evidence) -> list[Measured]:
    """The chance to name a unit: of the one at most risk, and how many would be named; nothing where all units have one row.

    Where others see which rows are of one unit, a unit is one of those that look the same in all rows: the expectation of one over the
    number F of these in the population, by household weights (the mean weight of the rows of a unit). Elsewhere its rows are found one by
    one, as if they were independent: 1 - prod(1 - r) over the individual risks r of its rows. Beside units
    that are linked the latter is said of the original alone, in words. In parts, where units are torn, nothing.

    Sources: 1 - prod(1 - r) is the household risk of sdcMicro.
    """
    if evidence.units is None or (evidence.places is None and evidence.looked_at is not None):
        return []
    number = np.unique(evidence.units, return_inverse=True)[1].reshape(-1)
    if len(number) == number.max() + 1:
        return []
    is_linked = evidence.places is not None
    chance = _of_appearances(evidence, number) if is_linked else _of_independent_rows(evidence, number)
    largest, total = _as_in_sdcmicro(evidence, number) if is_linked else ("", "")
    attacker, how = (
        (
            "knows the released values of all rows of a unit",
            "the units that look the same in all rows, by household weights",
        )
        if is_linked
        else (
            "knows the released values of every row of a unit, but not which rows are of one unit",
            "finding any of its rows, as if these were independent: 1 - prod(1 - r)",
        )
    )
    return [
        Measured(
            Measure.UNIT_RISK,
            float(chance.max()),
            f"The chance to name the unit that is at most risk, by {how}.{largest}",
            attacker,
            pooled="largest",
        ),
        Measured(
            Measure.UNITS_NAMED,
            float(chance.sum()),
            f"The number of units that would be named rightly by guessing, by {how}.{total}",
            attacker,
            pooled="sum",
        ),
    ]


def _of_appearances(evidence: Evidence, number: Codes) -> Floats:
    """Of every unit: the expectation of one over how many look the same in all rows."""
    alike = compositions(evidence.classes, number)
    chance = classes_at_risk(replace(evidence, classes=alike)).chance[alike]
    of_unit = np.empty(int(number.max()) + 1)
    of_unit[number] = chance
    return of_unit


def _as_in_sdcmicro(evidence: Evidence, number: Codes) -> tuple[str, str]:
    """What to say of the original of linked units, were its rows found one by one: of the unit at most risk, and of all.

    Nothing of linked tables, whose rows are of two kinds, nor of a part, whose rows are not all.
    """
    if evidence.tables or evidence.looked_at is not None or evidence.released is evidence.original:
        return "", ""
    chance = _of_independent_rows(replace(evidence, places=None).untouched(), number)
    said = " In the original, were rows found one by one, as if they were independent (1 - prod(1 - r)):"
    return f"{said} {chance.max():.4g}.", f"{said} {chance.sum():.4g}."


def _of_independent_rows(evidence: Evidence, number: Codes) -> Floats:
    """Of every unit: the chance that any of its rows is named, were they independent."""
    chance = classes_at_risk(evidence).chance[evidence.classes]
    with np.errstate(divide="ignore"):
        stays = np.bincount(number, weights=np.log1p(-np.minimum(chance, 1.0)))
    return np.asarray(-np.expm1(stays), dtype=np.float64)

"""Special uniques: records that a few of their categories single out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.core.measure import Measure
from covey.evidence import Evidence, Measured
from covey.risk.uniques import MOST_COLUMNS, special_uniques

if TYPE_CHECKING:
    from covey.columns.values import Values
    from covey.utils.typing import Codes

CATEGORIES = ("nominal", "ordinal", "boolean", "hierarchy")
ATTACKER = "knows a few categories of a person who is in the release"


def singled_out(evidence: Evidence) -> list[Measured]:
    """How many records a combination of categories singles out, and what each column contributes (SUDA2).

    Nothing where there are fewer than two columns of categories. With weights that say how many people a record stands for, also the
    chance that a match with a unique record is right (DIS). Nothing of linked tables, whose records are of two kinds.
    """
    if evidence.tables:
        return []
    columns = {name: column for name, column in evidence.released.items() if column.kind in CATEGORIES}
    if not 2 <= len(columns) <= MOST_COLUMNS:
        return []
    uniques = special_uniques([_codes(column) for column in columns.values()])
    by = f"at most {uniques.largest} columns of categories"
    measured = [
        Measured(
            Measure.SPECIAL_UNIQUES,
            float(uniques.singled_out),
            f"The number of records whose values in {by} no other record has.",
            ATTACKER,
        )
    ]
    if evidence.people is not None:
        chance = uniques.disclosure(min(1.0, evidence.rows / float(evidence.people.sum())))
        meaning = "The chance that a person of the population who matches a record without a double is the one (DIS)."
        measured.append(Measured(Measure.MATCH_IS_RIGHT, chance, meaning, ATTACKER))
    meaning = f"The share of the scores of such records (SUDA) that comes from combinations with this column; {by}."
    parts = zip(columns, uniques.contributions.tolist(), strict=True)
    measured += [Measured(Measure.PART_IN_UNIQUES, part, meaning, ATTACKER, name) for name, part in parts]
    return measured


def _codes(column: Values) -> Codes:
    """The values as numbers, missing ones as one of their own."""
    return np.where(column.valid, column.physical, np.iinfo(np.int64).min).astype(np.int64)

"""Who is absent from the release of a table in memory, whatever the reason, and what the weights of the others become for that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.columns.cells import combine
from covey.recount.absent import Absent, refuse_few, refuse_torn

if TYPE_CHECKING:
    from covey.protect.context import Context
    from covey.protect.prepare import Prepared
    from covey.utils.typing import Codes, Flags, Floats


@dataclass(frozen=True, eq=False)
class Absence:
    """Of every row of a table whether it is absent from the release, its published stratum (-1 where there is none), and its unit."""

    gone: Flags
    stratum: Codes
    unit: Codes

    @classmethod
    def of(cls, context: Context, ready: Prepared, leaves: Flags) -> Absence:
        """Absent are the rows that no context has, such as those of small patterns, and those of the context that leave."""
        n = context.table.num_rows
        gone = np.ones(n, dtype=bool)
        gone[context.rows[~leaves]] = False
        stratum = context.merged[combine([np.where(c.valid, c.physical, -1) for c in ready.strata.values()], n)]
        published = np.isin(stratum, np.unique(stratum[~gone]))
        unit = np.arange(n) if ready.units is None else ready.units.number
        return cls(gone, np.where(published, stratum, -1), unit)

    def strata(self, k: int) -> list[Absent]:
        """Who is absent of every published stratum; an error where absence would tell of fewer than k units, or units are torn."""
        here = [self.stratum == one for one in np.unique(self.stratum[~self.gone]).tolist()]
        absent = [Absent(int(some.sum()), int((some & self.gone).sum()), self._units(some)) for some in here]
        refuse_few(absent, self._units(np.ones_like(self.gone)), k)
        refuse_torn(len(np.intersect1d(self.unit[self.gone], self.unit[~self.gone])))
        return absent

    def _units(self, some: Flags) -> int:
        """How many units some rows that are absent are of."""
        return len(np.unique(self.unit[some & self.gone]))

    def factors(self, weight: Floats) -> Floats:
        """By what the weight of each row is multiplied, so that those that stay weigh what all of their stratum did."""
        number, here = np.where(self.stratum < 0, 0, self.stratum), self.stratum >= 0
        before = np.bincount(number, weights=weight * here)
        after = np.bincount(number, weights=weight * (here & ~self.gone))
        lacks = np.bincount(number, weights=here & self.gone) > 0
        return np.where(lacks & (after > 0.0), before / np.where(after > 0.0, after, 1.0), 1.0)[number]

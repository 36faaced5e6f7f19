"""The recount of two released tables that a key links: what is seen of whoever it names, in both of them.

Like `covey.recount.classes` this looks at released values alone and imports nothing of the code that makes groups.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from covey.errors import RefusedError
from covey.recount.classes import Recount, classes_of, recount, refuse_missing, refuse_small, tracks
from covey.recount.readings import Units, coarse_codes
from covey.recount.requirements import Held, Order, recount_requirements
from covey.utils.arrow import Column, Table, decoded, pa

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from covey.core.requirement import Requirement
    from covey.utils.typing import Codes


@dataclass(frozen=True)
class Keyed:
    """Two tables and the numbers of whom their rows are about, the same in both."""

    first: Table
    second: Table
    of_first: Codes
    of_second: Codes

    @classmethod
    def of(cls, first: Table, second: Table, key: str) -> Keyed:
        """By a column of both; ids are read as coarsely as those of units."""
        for table in (first, second):
            refuse_missing([key], table.column_names)
        codes = coarse_codes(pa.concat_arrays([_text(first.column(key)), _text(second.column(key))]))
        return cls(first, second, codes[: len(first)], codes[len(first) :])

    @property
    def repeated(self) -> int:
        """How many rows of the first table have a key that stands there before."""
        return len(self.of_first) - len(np.unique(self.of_first))

    @property
    def orphans(self) -> int:
        """How many rows of the second table have a key that the first lacks."""
        return int((~np.isin(self.of_second, self.of_first)).sum())

    def seen(self, columns: Sequence[str]) -> tuple[Codes, Codes]:
        """Of the rows of both, one table after the other: the classes by these columns, wherever each stands, and of whom they are."""
        refuse_missing(columns, [*self.first.column_names, *self.second.column_names])
        classes = [
            classes_of([table.column(name) for name in columns if name in table.column_names], len(table))
            for table in (self.first, self.second)
        ]
        behind = int(classes[0].max(initial=-1)) + 1
        return np.concatenate([classes[0], behind + classes[1]]), np.concatenate([self.of_first, self.of_second])


def _text(column: Column) -> pa.Array:
    return decoded(column).cast(pa.large_string())


def recount_tables(keyed: Keyed, columns: Sequence[str]) -> Recount:
    """Count who looks the same in both tables: the same row in the first, and the same rows, or none, in the second. O(n log n)."""
    classes, of = keyed.seen(columns)
    return replace(recount(tracks(classes, of)), rows=len(keyed.first))


def verify_tables(
    keyed: Keyed,
    columns: Sequence[str],
    k: int,
    rows: tuple[int, int],
    asked: Sequence[Requirement],
    orders: Mapping[str, Order],
) -> Recount:
    """Recount two released tables and refuse them if fewer than k look the same, or a requirement fails, or rows are lost."""
    if (len(keyed.first), len(keyed.second)) != rows:
        raise RefusedError(
            f"the recount found {len(keyed.first)} and {len(keyed.second)} rows, and {rows[0]} and {rows[1]} were released; the release is "
            "refused, and nothing was written"
        )
    if keyed.repeated or keyed.orphans:
        raise RefusedError(
            f"the recount found keys that repeat in the first table ({keyed.repeated}), or stand in the second alone ({keyed.orphans} of its rows); "
            "the release is refused, and nothing was written"
        )
    counted = recount_tables(keyed, columns)
    refuse_small(counted, k, columns, "units")
    if not asked:
        return counted
    return replace(counted, held=tuple(judge_tables(keyed, columns, asked, orders)))


def judge_tables(
    keyed: Keyed, columns: Sequence[str], asked: Sequence[Requirement], orders: Mapping[str, Order]
) -> list[Held]:
    """What is reached of requirements, on the first table with all that belongs to each of its rows beside it."""
    joined, of, own = left_join(keyed)
    classes = classes_of([*(joined.column(name) for name in columns), pa.chunked_array([own])], joined.num_rows)
    return recount_requirements(joined, classes, Units(of, None), asked, orders, linked=True)


def left_join(keyed: Keyed) -> tuple[Table, Codes, pa.Array]:
    """The first table with the rows of the second beside it, missing values where there are none; of whom rows are, and which are of both."""
    order = np.argsort(keyed.of_first, kind="stable")
    beside = order[np.searchsorted(keyed.of_first[order], keyed.of_second)]
    place = np.concatenate([beside, np.setdiff1d(np.arange(len(keyed.first)), beside)])
    own = np.arange(len(place)) < len(beside)
    there = pa.array(np.where(own, np.arange(len(place)), 0), mask=~own)
    columns = {name: keyed.first.column(name).take(pa.array(place)) for name in keyed.first.column_names}
    more = [name for name in keyed.second.column_names if name not in columns]
    columns |= {name: keyed.second.column(name).take(there) for name in more}
    return pa.table(columns), keyed.of_first[place], pa.array(own)

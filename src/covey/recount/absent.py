"""Who is absent from a release: none or at least k of the table, and of every stratum that is published, counted on what was written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey.errors import InfeasibleError, RefusedError
from covey.recount.classes import classes_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from covey.utils.arrow import Table


class Absent(NamedTuple):
    """Of a stratum that is published: how many records the table has, how many of them are not published, and of how many units these are."""

    records: int
    gone: int
    units: int


def refuse_few(strata: Iterable[Absent], everywhere: int, k: int) -> None:
    """An error where fewer than k units of a published stratum are missing, or fewer than k of the whole table (`everywhere`)."""
    few = sum(0 < one.units < k for one in strata)
    if few or 0 < everywhere < k:
        raise InfeasibleError(
            f"suppress would leave fewer than k = {k} records out of {_strata(few) if few else 'the table'}, together with those of strata and "
            "patterns below k; needed: none or at least k, in each stratum and in all; merge what is small (small_strata = merge, --small-strata "
            "merge), or leave suppress out"
        )


def _strata(number: int) -> str:
    return "1 stratum" if number == 1 else f"{number} strata"


def refuse_torn(units: int) -> None:
    """An error where so many units would be published without their rows in small strata or patterns."""
    if units:
        raise InfeasibleError(
            f"suppress would leave out some rows of {units} {'unit' if units == 1 else 'units'}, those in strata or patterns below k; needed: all rows of a unit, or "
            "none; merge what is small (small_strata = merge, --small-strata merge), leave such units out of the table, or leave suppress out"
        )


def refuse_others(strata: Iterable[Absent], sizes: Iterable[int]) -> None:
    """Refuse a table whose strata have other numbers of records, by their `sizes`, than are left of those that came.

    Strata that a format writes alike, such as a missing label and an empty one, are found as one: their records are counted together.
    """
    counted = sorted(sizes)
    expected = sorted(one.records - one.gone for one in strata)
    if counted != expected and (sum(counted) != sum(expected) or len(counted) >= len(expected)):
        raise RefusedError(
            "the recount found other numbers of records in the strata than were to be published; the release is refused, and nothing was written"
        )


def sizes_of(table: Table, columns: Sequence[str]) -> list[int]:
    """The number of rows of every combination of these columns."""
    rows = table.num_rows
    number: list[int] = np.bincount(classes_of([table.column(name) for name in columns], rows)).tolist()
    return number

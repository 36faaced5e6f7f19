"""Who is absent from a release: none or at least k of every stratum that is published, counted on what was written."""

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


def refuse_few(strata: Iterable[Absent], k: int) -> None:
    """An error where fewer than k units of a published stratum are missing."""
    few = sum(0 < one.units < k for one in strata)
    if few:
        raise InfeasibleError(
            f"with suppress, {few} strata would lack fewer than k = {k} of their records, those of patterns below k among them; needed: none, "
            "or k in each; merge small patterns (small_strata = merge, --small-strata merge), or leave suppress out"
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

"""`release_tables`: two tables that a key links, such as persons and their visits, become two releases that belong together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np

from covey.columns.of_table import own_rows_of
from covey.errors import OptionError
from covey.io.inference import Declared
from covey.io.reading import with_declared
from covey.memory import Release, check_wishes, load_table, recipe_of, release, wished
from covey.protect.prepare import missing_notes
from covey.recipe.engines import Engine
from covey.recipe.keywords import Choices, names_choices
from covey.recount.classes import is_missing
from covey.recount.tables import Keyed, verify_tables
from covey.report.records import TableRecords
from covey.tables.join import NONE, ROW, Joined, check_joined, join
from covey.tables.writing import Beside, write_tables
from covey.utils.arrow import Table, pa, pc

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from covey.io.loaded import Loaded
    from covey.measures.measures import Measuring
    from covey.recipe.recipe import Recipe
    from covey.recount.classes import Recount
    from covey.report.certificate import Certificate
    from covey.report.collect import Report
    from covey.utils.notes import Note
    from covey.utils.typing import Progress


@dataclass(frozen=True, eq=False, repr=False)
class TablesRelease:
    """Two protected tables that a key links, recounted together. Hold nothing of the original. Made by `release_tables`.

    Attributes
    ----------
    first, second
        Of the kinds that came in.
    key
        The column of both with random ids, which agree, and are others in every release.
    certificate, report, recipe
        As in `Release`: k counts keys.
    first_arrow, second_arrow
        The tables as Arrow.
    whole
        The release of both as one table.

    Examples
    --------
    >>> import pyarrow as pa
    >>> import covey
    >>> homes = pa.table({"home": range(4), "rent": [900, 910, 300, 310]})
    >>> members = pa.table({"home": [0, 1, 2, 3, 3, 2], "age": [40, 42, 60, 61, 8, 9]})
    >>> done = covey.release_tables(homes, members, 2, key="home", quasi=["rent", "age"], ledger=False)
    >>> sorted(done.first_arrow["rent"].to_pylist()), sorted(done.second_arrow["age"].to_pylist())
    ([305, 305, 905, 905], [8, 8, 41, 41, 60, 60])
    """

    first: Any
    second: Any
    key: str
    certificate: Certificate
    report: Report
    recipe: Recipe
    first_arrow: Table
    second_arrow: Table
    whole: Release

    def __repr__(self) -> str:
        rows = f"{len(self.first_arrow)} and {len(self.second_arrow)} records"
        return f"<TablesRelease: {rows}, k = {self.certificate.k} of {self.key!r}>"

    def recount(self, first: Table, second: Table) -> Recount:
        """Recount two tables that claim to be this release, as read back from where they were written."""
        rows = (len(self.first_arrow), len(self.second_arrow))
        keyed, recipe = Keyed.of(first, second, self.key), self.recipe
        return verify_tables(keyed, recipe.counted, recipe.k, rows, recipe.requirements, self.whole.orders)

    def write(
        self,
        first: str | Path,
        second: str | Path,
        *,
        force: bool = False,
        ledger: bool = True,
        **options: Unpack[Beside],
    ) -> list[Note]:
        """Write both tables to files, all or none: temporary ones first, which are read back and recounted together.

        `options` are `report`, `internal_report`, `certificate`, `internal`, `formulas` and `refuse_overlap`, as in `covey.io.write_release`.
        Returns what there is to report.
        """
        return write_tables(self, first, second, force=force, ledger=ledger, **options)


@names_choices
def release_tables(
    first: object,
    second: object,
    k: int | None = None,
    *,
    key: str,
    recipe: Recipe | str | Path | None = None,
    progress: Progress | None = None,
    measuring: Measuring | None = None,
    ledger: bool = True,
    refuse_overlap: bool = False,
    **choices: Unpack[Choices],
) -> TablesRelease:
    """Protect two tables that a key links: at least k keys look the same in both of them together.

    A table with one row for each key, such as persons, and one with any number of rows for it, such as their visits. Whoever knows a person
    and any or all of their visits, or that there are none, finds at least k persons of whom that is so. Both tables get random ids of the
    key, which agree, and are others in every release. k is recounted on the two tables as they are released.

    Parameters
    ----------
    first, second
        Tables or paths, as `covey.release` takes them. All columns but the key have names of their own.
    key
        The column of both that links them.
    k, recipe, progress, measuring, ledger, refuse_overlap, choices
        As in `covey.release`: roles name the columns of either table. Rows of a key are linked units.

    Returns
    -------
    TablesRelease
        Both tables, one certificate, one report, one recipe.

    Raises
    ------
    InputError
        A key repeats in the first table, or stands in the second alone.
    RefusedError
        The recount falls short.

    Examples
    --------
    >>> import pyarrow as pa
    >>> import covey
    >>> persons = pa.table({"person": range(6), "age": [20, 21, 22, 60, 61, 62]})
    >>> visits = pa.table({"person": [0, 1, 2, 2, 1, 0], "days": [1, 2, 3, 9, 8, 7]})
    >>> done = covey.release_tables(persons, visits, 3, key="person", quasi=["age", "days"], ledger=False)
    >>> done
    <TablesRelease: 6 and 6 records, k = 3 of 'person'>
    """
    chosen = recipe_of(k, recipe, choices)
    check_wishes(Engine.MEMORY, chosen, wished(measuring), tables=True)
    both = joined_tables(first, second, key, chosen)
    joined = both.joined
    whole = release(
        joined.loaded,
        recipe=joined.recipe,
        progress=progress,
        measuring=measuring,
        ledger=ledger,
        refuse_overlap=refuse_overlap,
    )
    mine, theirs = _parted(whole.arrow, joined.place, both.first, both.second, key)
    asked = _recipe_of_two(chosen, whole.recipe)
    came_in, rows = (len(both.first.table), len(both.second.table)), (len(mine), len(theirs))
    counted = verify_tables(Keyed.of(mine, theirs, key), asked.counted, asked.k, rows, asked.requirements, whole.orders)
    certificate = whole.certificate.of_tables(asked, key, came_in, rows).recounted(asked, counted, whole.orders)
    records = [TableRecords(*number) for number in zip(came_in, rows, strict=True)]
    report = whole.report.of_tables(asked, str(certificate.public["promise"]), records)
    of_kinds = both.native(mine), both.second_native(theirs)
    return TablesRelease(*of_kinds, key, certificate, report, asked, mine, theirs, whole)


class BothTables(NamedTuple):
    """Two tables as they were read, as one, and the ways back to their kinds."""

    first: Loaded
    second: Loaded
    joined: Joined
    native: Callable[[Any], Any]
    second_native: Callable[[Any], Any]


def joined_tables(first: object, second: object, key: str, recipe: Recipe) -> BothTables:
    """Two tables that a key links as one, whose units are linked; an error for what cannot be asked of them."""
    check_joined(recipe, key)
    as_read = recipe.with_changes(missing_codes={}, dates={})  # which name columns of both
    loaded, native = load_table(first, as_read)
    others, other_native = load_table(second, as_read)
    if recipe.roles.weight in others.table.column_names:
        raise OptionError(
            f"the weight {recipe.roles.weight!r} is of the second table; needed: one of the first, for each key; leave it out"
        )
    joined = _declared(join(loaded, others, key, recipe), recipe)
    return BothTables(loaded, others, joined, native, other_native)


def _declared(joined: Joined, recipe: Recipe) -> Joined:
    """The table of both with its missing codes; an error for missing values where there are to be none."""
    loaded = with_declared(joined.loaded, Declared(recipe.missing_codes, recipe.dates))
    gaps = {}
    for name in recipe.roles.quasi if recipe.missing == "error" else ():
        if name in loaded.table.column_names:
            missing = is_missing(loaded.table.column(name))
            gaps[name] = int(missing[own_rows_of(name, loaded.tables, len(missing))].sum())
    missing_notes({name: number for name, number in gaps.items() if number}, recipe.missing)
    return replace(joined, loaded=loaded)


def _recipe_of_two(recipe: Recipe, whole: Recipe) -> Recipe:
    """The recipe with a role for every column of both tables, its secret, and its own rules for what is missing and for roles."""
    return whole.with_changes(member_role=recipe.roles.member_role, missing=recipe.missing)


def _parted(table: Table, place: str, first: Loaded, second: Loaded, key: str) -> tuple[Table, Table]:
    """The released rows of both tables: the first row of each key, and all that stand for one of the second table."""
    there = table.column_names
    begins = np.unique(table.column(key).combine_chunks().dictionary_encode().indices, return_index=True)[1]
    mine = table.take(pa.array(np.sort(begins))).select([name for name in first.table.column_names if name in there])
    is_own = pc.not_equal(table.column(place), NONE).fill_null(fill_value=True)
    names = [name for name in second.table.column_names if name in there and name != ROW]
    return mine, table.filter(is_own).select(names)

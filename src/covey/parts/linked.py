"""Linked units of a table in parts: what all of them are made of, counted and added up, and which piece each belongs to, as a whole.

Whatever the engine, it brings all rows of a unit together, by the number that its id has in all parts. A composition has a number, too,
added up from those of the rows of a unit, so that it is the same wherever it is found. O(n log n) a part; what is kept grows with the
number of different compositions, not with that of units.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from covey.columns.cells import check_enough, combine, pattern_keys
from covey.columns.compositions import columns_of_one_value, refuse_differing, units_of_several_values
from covey.columns.derived import role_texts
from covey.columns.edits import broken_rules, refuse_broken
from covey.columns.order_rules import UnitMembers, check_named_roles
from covey.columns.units import unit_numbers
from covey.columns.values import read_values
from covey.parts.cut_units import PatternsSeen, cut_of
from covey.parts.pieces import Pieces, numbered_pieces
from covey.parts.splits import split
from covey.parts.unit_kinds import Moments, UnitKindCount, kinds_of_units, moments_of
from covey.protect.linked import (
    LinkedUnits,
    check_roles,
    differing,
    refuse_times,
    released_note,
    row_codes,
    with_roles,
    wrong_times,
)
from covey.protect.small_units import Compositions, ReleasedCompositions
from covey.utils.arrow import Table, pa
from covey.utils.hashing import mixed, numbers_of, rows_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from covey.parts.plan import Plan
    from covey.protect.prepare import Prepared
    from covey.recipe.recipe import Recipe
    from covey.utils.typing import Codes, Flags, Numbers, Points


OF_TABLE, AFTER_CODING = "of the table", "after top and bottom coding"
"""When rows break a rule."""


class Whole(NamedTuple):
    """The units of a part that has all rows of each: their numbers, and what they are made of."""

    number: Numbers
    of_row: Codes
    """The place of each row's unit among these."""
    composition: Numbers
    rows: Codes
    is_published: Flags
    """Whether the strata of all of its rows are."""
    means: Points
    """The mean of the coordinates of its rows."""
    points: Points
    """The coordinates of the rows themselves."""
    kinds: Numbers
    """What every row is in its unit."""


def rows_of_units(plan: Plan, table: Table) -> Table:
    """The rows of a part that tears no unit as they are released, with merged roles, and without those that panels lose."""
    table = with_roles(table, plan.recipe)
    if plan.cut is None:
        return table
    whole = whole_units(plan, table, plan.read(table))
    return table.filter(pa.array(plan.cut.keeps(whole.composition[whole.of_row], whole.kinds)))


def whole_units(plan: Plan, table: Table, ready: Prepared) -> Whole:
    """The units of a part that tears none."""
    stratum = plan.cells_of(ready, table.num_rows)[1]
    numbers = unit_numbers(table.column(str(plan.recipe.roles.unit)))
    number, of_row, rows = np.unique(numbers, return_inverse=True, return_counts=True)
    composition = np.zeros(len(number), dtype=np.uint64)
    kinds = _kind_numbers(plan, table, ready, stratum)
    np.add.at(composition, of_row, mixed(kinds))
    is_published = np.ones(len(number), dtype=bool)
    is_published[of_row[stratum < 0]] = False
    points = plan.points(ready.columns)
    means = np.column_stack([np.bincount(of_row, weights=points[:, at]) for at in range(points.shape[1])])
    return Whole(number, of_row, mixed(composition), rows, is_published, means / rows[:, None], points, kinds)


def _kind_numbers(plan: Plan, table: Table, ready: Prepared, stratum: Codes) -> Numbers:
    """What rows are in their units, as numbers that are the same in all parts."""
    patterns = [pattern.astype(np.uint64) for pattern in _patterns(plan, ready)]
    places = [_value_numbers(table, name) for name in plan.recipe.places]
    kinds = rows_of([stratum.astype(np.uint64), *places, *patterns])
    if kinds is None:
        raise ValueError(stratum)
    return kinds


def _patterns(plan: Plan, ready: Prepared) -> list[Codes]:
    return pattern_keys(plan.recipe, {name: ready.columns[name] for name in plan.recipe.roles.quasi})


def _value_numbers(table: Table, name: str) -> Numbers:
    values = read_values(name, table.column(name), nominal=True)
    numbers = np.append(numbers_of(values.categories), np.uint64(0))  # the last: of a missing value
    return np.asarray(numbers[np.where(values.valid, values.physical, -1)])


def linked_rows(plan: Plan, table: Table, ready: Prepared, stratum: Codes) -> LinkedUnits | None:
    """The linked units of a part that tears none, as in memory; None where units are not grouped as wholes."""
    if plan.common is None or ready.units is None:
        return None
    place = combine([row_codes(table, name) for name in plan.recipe.places], table.num_rows)
    kinds = combine([stratum, place, *_patterns(plan, ready)], table.num_rows)
    return LinkedUnits(ready.units.number, kinds, place, plan.common)


@dataclass
class UnitsSeen:
    """What must be known of all units before any is released; `add` looks at a part, `merge` takes over what was seen of others."""

    recipe: Recipe
    share: float
    """Of the units, that are in the sample from which large compositions are split."""
    made_of: dict[int, tuple[int, int, bool]] = field(default_factory=dict)
    """Of every composition: how many units have it, how many rows one has, and whether its strata are published."""
    several: dict[str, int] = field(default_factory=dict)
    """In how many units a quasi-identifier has several values."""
    differing: dict[str, int] = field(default_factory=dict)
    """In how many units strata and weights do."""
    missing: int = 0
    twice: int = 0
    """Rows without a time, and times that stand in several rows of a unit."""
    roles: set[str | None] = field(default_factory=set)
    sample: list[tuple[Numbers, Points]] = field(default_factory=list)
    """Compositions and means of the units that were drawn."""
    roles_of: dict[int, set[str]] = field(default_factory=dict)
    """The roles of the members of every composition, where derived columns or edit rules speak of roles."""
    broken: dict[str, list[int]] = field(default_factory=dict)
    """How many rows break each edit rule over the rows of units: of the table, and with its ends coded."""
    patterns: PatternsSeen = field(default_factory=PatternsSeen)
    """What compositions are made of, where panels are to be cut back."""
    moments: dict[int, Moments] = field(default_factory=dict)
    """Of the coordinates of every composition, where something is required."""

    def add(self, plan: Plan, table: Table) -> None:
        """Look at all units of a part that tears none."""
        roles = self.recipe.roles
        if roles.member_role is not None and self.recipe.merge_roles:
            self.roles |= set(table.column(roles.member_role).cast(pa.string()).unique().to_pylist())
        table = rows_of_units(plan, table)
        ready = plan.read(table)
        whole = whole_units(plan, table, ready)
        _add(self.several, {name: units_of_several_values(one, whole.of_row) for name, one in ready.columns.items()})
        _add(self.differing, differing(table, self.recipe, whole.of_row))
        if roles.time is not None:
            missing, twice = wrong_times(whole.of_row, row_codes(table, roles.time))
            self.missing, self.twice = self.missing + missing, self.twice + twice
        _, first, units = np.unique(whole.composition, return_index=True, return_counts=True)
        columns = (whole.composition[first], units, whole.rows[first], whole.is_published[first])
        self._count(*(column.tolist() for column in columns))
        drawn = unit_order(self.recipe, whole.number) <= np.uint64(min(self.share, 1.0) * (2**64 - 2**12))
        self.sample.append((whole.composition[drawn], whole.means[drawn]))
        if plan.asked:
            self._add_moments(moments_of(whole.points, whole.composition[whole.of_row]))
        if self.recipe.small_units == "cut" and plan.cut is None:
            self.patterns.merge(_patterns_seen(plan, table, ready, whole))
        self._look_at_roles(table, ready, whole)

    def _look_at_roles(self, table: Table, ready: Prepared, whole: Whole) -> None:
        """Which roles the rows of compositions have, and what breaks rules between roles."""
        recipe, role, rows = self.recipe, self.recipe.roles.member_role, np.arange(table.num_rows)
        if role is None or not (recipe.derive or recipe.rules_of_units):
            return
        texts = role_texts(table, role, rows)
        for number, role_text in set(zip(whole.composition[whole.of_row].tolist(), texts.tolist(), strict=True)):
            self.roles_of.setdefault(number, set()).add(role_text)
        members = UnitMembers.of(table, whole.of_row, recipe, rows)
        for when, columns in ((OF_TABLE, ready.uncoded), (AFTER_CODING, ready.columns)):
            self._add_broken({when: broken_rules(recipe.rules_of_units, columns, members)})

    def _add_broken(self, more: Mapping[str, list[int]]) -> None:
        for when, numbers in more.items():
            before = self.broken.get(when, [0] * len(numbers))
            self.broken[when] = [a + b for a, b in zip(before, numbers, strict=True)]

    def _add_moments(self, more: Mapping[int, Moments]) -> None:
        for number, moments in more.items():
            self.moments[number] = self.moments[number].merged(moments) if number in self.moments else moments

    def _count(self, numbers: Sequence[int], units: Sequence[int], rows: Sequence[int], are: Sequence[bool]) -> None:
        for number, more, size, published in zip(numbers, units, rows, are, strict=True):
            self.made_of[number] = (self.made_of.get(number, (0,))[0] + more, size, published)

    def merge(self, other: UnitsSeen) -> None:
        """Take over what was seen of other units."""
        for number, (units, rows, published) in other.made_of.items():
            self._count([number], [units], [rows], [published])
        _add(self.several, other.several)
        _add(self.differing, other.differing)
        self.missing, self.twice = self.missing + other.missing, self.twice + other.twice
        self.roles |= other.roles
        self.sample += other.sample
        self._add_moments(other.moments)
        self._add_broken(other.broken)
        self.patterns.merge(other.patterns)
        for number, roles in other.roles_of.items():
            self.roles_of.setdefault(number, set()).update(roles)

    @property
    def are_rows(self) -> bool:
        """Whether every unit has one row, and nothing tells what it is: then they are released as rows."""
        return not self.recipe.places and all(rows == 1 for _, rows, _ in self.made_of.values())


def _patterns_seen(plan: Plan, table: Table, ready: Prepared, whole: Whole) -> PatternsSeen:
    """The kinds of the rows of every composition, and where each kind stands: by stratum, role, time and what is missing, as in memory."""
    _, first = np.unique(whole.composition, return_index=True)
    rows = np.flatnonzero(np.isin(whole.of_row, first))
    kinds_of: dict[int, list[int]] = {}
    for row in rows.tolist():
        kinds_of.setdefault(int(whole.composition[whole.of_row[row]]), []).append(int(whole.kinds[row]))
    kinds, at = np.unique(whole.kinds, return_index=True)
    keys: list[Sequence[object]] = [plan.cells_of(ready, table.num_rows)[1][at].tolist()]
    for name in plan.recipe.places:
        values = read_values(name, table.column(name).take(pa.array(at)), nominal=True)
        texts = values.categories.to_pylist()
        keys.append(
            [(known, texts[code] if known else "") for code, known in zip(values.physical, values.valid, strict=True)]
        )
    keys += [pattern[at].tolist() for pattern in _patterns(plan, ready)]
    key_of = dict(zip(kinds.tolist(), zip(*keys, strict=True), strict=True))
    return PatternsSeen({number: tuple(several) for number, several in kinds_of.items()}, key_of)


def _add(total: dict[str, int], more: Mapping[str, int]) -> None:
    for name, number in more.items():
        total[name] = total.get(name, 0) + number


@dataclass(frozen=True, eq=False)
class UnitPlan:
    """Which units of a whole table are released, and to which piece each goes. Can be pickled."""

    numbers: Numbers
    """The compositions that are released, ascending; their places number the cells of the pieces."""
    pieces: Pieces
    few: tuple[int, int]
    """A composition of which not all units are released, and how many are not."""
    left_out: Numbers
    """The units that are not, though their composition is."""

    def first_of(self, plan: Plan, table: Table) -> Numbers:
        """The units of a part that may be the few of their composition that are left out: in an order that only the secret tells."""
        table = rows_of_units(plan, table)
        whole = whole_units(plan, table, plan.read(table))
        return self._first(plan.recipe, whole.number[whole.composition == np.uint64(self.few[0])])

    def _first(self, recipe: Recipe, units: Numbers) -> Numbers:
        return units[np.argsort(unit_order(recipe, units))[: self.few[1]]]

    def without(self, recipe: Recipe, several: Sequence[Numbers]) -> UnitPlan:
        """The same without the first of several units."""
        return replace(self, left_out=self._first(recipe, np.concatenate(several)))

    def placed(self, plan: Plan, table: Table) -> tuple[Table, Codes]:
        """The rows of a part as they are released, with merged roles, and their pieces; -1 for those of units that are not released."""
        table = rows_of_units(plan, table)
        whole = whole_units(plan, table, plan.read(table))
        cell = np.minimum(np.searchsorted(self.numbers, whole.composition), len(self.numbers) - 1)
        is_out = (self.numbers[cell] != whole.composition) | np.isin(whole.number, self.left_out)
        cell = np.where(is_out, -1, cell).astype(np.int64)
        return table, self.pieces.place(cell, whole.means, unit_order(plan.recipe, whole.number))[whole.of_row]


def unit_order(recipe: Recipe, units: Numbers) -> Numbers:
    """Numbers of units in an order that only the secret tells."""
    return mixed(units ^ np.uint64(int(str(recipe.entropy)[:16], 16)))


def count_kinds(plan: Plan, seen: UnitsSeen, table: Table) -> UnitKindCount:
    """The kinds of the units of a part that tears none, once all units were looked at."""
    table = rows_of_units(plan, table)
    whole = whole_units(plan, table, plan.read(table))
    common = columns_of_one_value(seen.several, ())
    widths = [
        (name in common, place.width) for name, place in zip(plan.recipe.roles.quasi, plan.scaler.places, strict=True)
    ]
    own = np.flatnonzero(~np.concatenate([np.full(width, is_common) for is_common, width in widths]))
    spread = {number: own[moments.only(own).spread] for number, moments in seen.moments.items()}
    return kinds_of_units(plan, table, whole.points, whole.kinds, whole.of_row, whole.composition, spread)


class UnitPasses(Protocol):
    """The passes of an engine over the units of a table, which it brought together."""

    def seen(self, plan: Plan) -> UnitsSeen:
        """What is seen of all units."""

    def kinds(self, plan: Plan, seen: UnitsSeen) -> UnitKindCount:
        """The kinds of all units."""

    def first(self, plan: Plan, whole: UnitPlan) -> list[Numbers]:
        """From each part the units that may be the few of their composition that are left out."""


def planned_units(plan: Plan, passes: UnitPasses, most: int) -> tuple[Plan, UnitPlan] | None:
    """The plan for units as wholes, and their pieces of about `most` rows; None where all have one row, and are released as rows."""
    seen = passes.seen(plan)
    if seen.are_rows:
        return None
    _check(plan.recipe, seen)
    if plan.recipe.small_units == "cut":
        plan = replace(plan, cut=cut_of(plan.recipe, seen.made_of, seen.patterns))
        seen = replace(passes.seen(plan), several=seen.several)
    plan, whole = plan_units(plan, seen, most, passes.kinds(plan, seen) if plan.asked else None)
    return plan, whole.without(plan.recipe, passes.first(plan, whole)) if whole.few[1] else whole


def _check(recipe: Recipe, seen: UnitsSeen) -> None:
    """An error for units that cannot be released as they are."""
    check_enough(sum(units for units, _, _ in seen.made_of.values()), recipe.k, "units")
    check_roles(recipe, seen.roles)
    refuse_differing(seen.differing)
    for when, broken in seen.broken.items():
        refuse_broken(recipe.rules_of_units, broken, when=when)
    refuse_times(seen.missing, seen.twice)


def plan_units(plan: Plan, seen: UnitsSeen, most: int, kinds: UnitKindCount | None) -> tuple[Plan, UnitPlan]:
    """The plan for units as wholes that may be released, and their pieces; an error where small compositions are one.

    The `kinds` of all units say which compositions hold what is required, where something is.
    """
    recipe = plan.recipe
    common = columns_of_one_value(seen.several, recipe.unit_columns)
    numbers = np.array(sorted(seen.made_of), dtype=np.uint64)
    units, rows, published = zip(*(seen.made_of[number] for number in numbers.tolist()), strict=True)
    made_of = Compositions(np.array(units), np.array(rows), np.array(published))
    fails = None if kinds is None else kinds.failing(plan, numbers)
    released = ReleasedCompositions(recipe, made_of, None if fails is None else lambda _left: fails)
    kept = ~released.is_out
    check_named_roles(recipe, set().union(*(seen.roles_of.get(number, set()) for number in numbers[kept].tolist())))
    few = (int(numbers[released.few[0]]), released.few[1])
    of_cut = () if plan.cut is None else plan.cut.notes
    notes = [*of_cut, *released.notes, released_note(released.units, int(kept.sum()))]
    pieces = _pieces(recipe, seen, numbers[kept], made_of.units[kept], made_of.rows[kept], most)
    cells = replace(plan.settled_cells, judged=kinds is None or fails is not None)
    whole = replace(plan, common=common, cells=cells, notes=(*plan.notes, *notes))
    return whole, UnitPlan(numbers[kept], pieces, few, np.empty(0, dtype=np.uint64))


def _pieces(recipe: Recipe, seen: UnitsSeen, numbers: Numbers, units: Codes, rows: Codes, most: int) -> Pieces:
    """Compositions of more rows than that are split by the means of their units; small ones share a part."""
    of_sample = np.concatenate([composition for composition, _ in seen.sample])
    means = np.concatenate([points for _, points in seen.sample])
    splits = {
        int(cell): split(means[of_sample == numbers[cell]], int(units[cell]), max(1, most // int(rows[cell])), recipe.k)
        for cell in np.flatnonzero(units * rows > most)
    }
    pieces = numbered_pieces(len(numbers), splits, {})
    return pieces.packed(pieces.expected(units * rows), most, str(recipe.entropy))

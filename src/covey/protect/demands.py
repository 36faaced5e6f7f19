"""The requirements of a recipe on the sensitive values of a table, in the form in which groups are made to satisfy them.

What a finished release satisfies is counted by other code: see `covey.recount`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey._kernels import space as kernels
from covey.columns.own_values import contributions, limits_of
from covey.columns.values import AMOUNTS, NUMBERS, Values, read_kept, read_values
from covey.core.requirement import ALPHA, CLOSENESS, DOMINANCE, P_PERCENT, SPREAD, Requirement
from covey.errors import InfeasibleError, OptionError
from covey.privacy.counts import weights_of
from covey.recount.readings import Units, merged
from covey.recount.requirements import Order
from covey.space.different import Different
from covey.utils.arrow import Table, pa

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from covey.protect.prepare import Prepared
    from covey.recipe.recipe import Recipe
    from covey.utils.typing import Floats, Rows

    Amounts = list[tuple[Requirement, Floats]]

NONE = np.uint32(0xFFFFFFFF)
"""The code of a missing value, which never counts."""
NOTHING, NO_CODES = np.zeros(0), np.zeros(0, dtype=np.uint32)
_ROUNDED = 1e-9  # by more than what rounding forgives
MOST_VALUES = 20
"""A column of numbers with more different values is continuous: being different says little."""


class _Rule(NamedTuple):
    """A requirement on a column of the table."""

    asked: Requirement
    kind: str
    code: NDArray[np.uint32]
    value: Floats
    share: Floats
    """For closeness: that of every known value among those of the table."""
    full: Floats
    """And of all values, missing ones last."""
    spelled: bool = False
    """Whether it counts values and units as they are written, and not by their coarse reading."""

    @property
    def different(self) -> int:
        """How many different values a group that satisfies it has at least."""
        if self.kind in ("distinct", "entropy", "recursive"):
            return math.ceil(self.asked.limit - _ROUNDED)
        if self.kind == ALPHA:
            return math.ceil(1.0 / self.asked.limit - _ROUNDED)
        if self.kind == "equal":  # all values that a group lacks are a distance from the whole
            most = np.cumsum(np.sort(self.share)[::-1])
            return 1 + int((most < 1.0 - self.asked.limit - _ROUNDED).sum())
        return 1


class Demands:
    """All requirements, for any rows of a table. Closeness is to the distribution over `whole`, the rows that are published.

    Where the table is a part of a larger one, `overall` has the values of a column in the larger one, ascending, and how often each
    occurs there, missing ones last. Values and units count by their coarse reading; and also as they are written, where fewer are not safer.
    `amounts` are the contributions of the records to columns whose means they must not dominate.
    """

    def __init__(
        self,
        columns: list[tuple[Requirement, Values]],
        units: Units | None,
        whole: Rows,
        overall: Mapping[str, tuple[NDArray[Any], Rows]] | None = None,
        amounts: Amounts | None = None,
    ) -> None:
        self.columns, self.read_units, self.whole, self.overall = columns, units, whole, overall or {}
        self.units: Rows | None = None if units is None else units.number
        self.spelled: Rows | None = None if units is None else units.readings[1]
        self.amounts = amounts or []
        self.rules = [rule for asked, column in columns for rule in self._rules(asked, column)]

    def restricted(self, whole: Rows) -> Demands:
        """The same for a release of these rows."""
        return Demands(self.columns, self.read_units, whole, self.overall, self.amounts)

    def close_to(self, overall: Mapping[str, tuple[NDArray[Any], Rows]]) -> Demands:
        """The same, where closeness is to these values, as often as they occur."""
        return Demands(self.columns, self.read_units, self.whole, overall, self.amounts)

    def among(self, rows: Rows) -> Demands:
        """The same for a table of these rows alone."""
        columns = [(asked, column.take(rows)) for asked, column in self.columns]
        units = None if self.read_units is None else self.read_units.among(rows)
        amounts = [(asked, amount[rows]) for asked, amount in self.amounts]
        return Demands(columns, units, np.arange(len(rows)), self.overall, amounts)

    def about(self, names: Sequence[str]) -> Demands | None:
        """The same for groups that publish these columns, or None where nothing is asked of them."""
        amounts = [(asked, amount) for asked, amount in self.amounts if asked.column in names]
        found = Demands(self.columns, self.read_units, self.whole, self.overall, amounts)
        return found if self.columns or amounts else None

    def orders(self) -> dict[str, Order]:
        """How each column is judged, for the recount."""
        orders = {}
        for _, column in self.columns:
            names = ()
            if column.kind == "ordinal":
                names = tuple(column.categories.cast(pa.string()).to_pylist())
            orders[column.name] = Order(is_ordered(column), column.kind == "time", names)
        return orders

    def kernel(self, rows: Rows, k: int = 0) -> kernels.Demand:
        """The demand on groups of these rows, numbered from 0, which have at least k units where there are some."""
        demand = kernels.Demand()
        self._ask(demand, rows, self.spelled)
        if self.units is not None:
            demand.count_units(_numbered(self.units[rows]), k)
        return demand

    def different(self, rows: Rows) -> list[Different]:
        """How many different values groups of these rows hold at least where they meet all this: what bounds can know."""
        known = [(rule, rule.different) for rule in self.rules]
        return [Different(rule.code[rows], least) for rule, least in known if least > 1]

    def of_slots(self, rows: NDArray[np.int64]) -> kernels.Demand:
        """The demand on groups of linked units, numbered from 0, in every slot: a unit a row, a row of the table for each slot."""
        demand = kernels.Demand()
        for slot in rows.T:
            self._ask(demand, slot, None)
        return demand

    def _ask(self, demand: kernels.Demand, rows: Rows, spelled: Rows | None) -> None:
        for rule in self.rules:
            code = rule.code[rows] if len(rule.code) else rule.code
            value = rule.value[rows] if len(rule.value) else rule.value
            unit = _numbered(spelled[rows]) if rule.spelled and spelled is not None else NO_CODES
            demand.add(rule.kind, code, rule.asked.limit, rule.asked.c, rule.share, rule.full, value, unit)
        for asked, amount in self.amounts:
            demand.add(asked.kind, NO_CODES, asked.limit, asked.n, NOTHING, NOTHING, amount[rows], NO_CODES)

    def codes(self, rows: Rows) -> NDArray[np.uint32] | None:
        """The sensitive values of these rows by which groups can be mixed: of the first closeness, or the first rule."""
        coded = [rule for rule in self.rules if len(rule.code)]
        first = sorted(coded, key=lambda rule: rule.asked.kind != CLOSENESS)[:1]
        return first[0].code[rows] if first else None

    def hold(self, rows: Rows) -> bool:
        """Whether these rows, all in one group, satisfy them."""
        return self.kernel(rows).deficit(np.arange(len(rows), dtype=np.uint32)) == 0.0

    def check_all(self, *, of_any_rows: bool = False) -> None:
        """An error where not even all rows together satisfy a requirement: no groups can.

        With `of_any_rows` only where no rows of the table would: some may be left out, and the others hold what all do not.
        """
        for asked, column in self.columns:
            alone = Demands([(asked, column)], self.read_units, self.whole)
            if alone.hold(self.whole):
                continue
            different = len(np.unique(_coarse_codes(column)[self.whole][column.valid[self.whole]]))
            if not of_any_rows or asked.kind == SPREAD or different < alone.rules[0].different:
                raise cannot_hold(asked, different, units=self.units is not None)
        for asked, amount in () if of_any_rows else self.amounts:
            if not Demands([], self.read_units, self.whole, amounts=[(asked, amount)]).hold(self.whole):
                raise cannot_hold(asked, 0)

    def _rules(self, asked: Requirement, column: Values) -> list[_Rule]:
        """The rule by the coarse reading, and the one by what is written where that is another."""
        if asked.kind == SPREAD:
            scale = 10.0**-column.type.scale if column.kind == "decimal" else 1.0
            value = np.where(column.valid, column.physical.astype(np.float64) * scale, np.nan)
            return [_Rule(asked, SPREAD, NO_CODES, value, NOTHING, NOTHING)]
        coarse = _coarse_codes(column)
        rules = [self._rule(asked, column, coarse, spelled=False)]
        both = self.spelled is not self.units or (coarse != column.physical).any()
        return (
            [*rules, self._rule(asked, column, column.physical, spelled=True)]
            if both and asked.kind != "distinct"
            else rules
        )

    def _rule(self, asked: Requirement, column: Values, values: NDArray[Any], *, spelled: bool) -> _Rule:
        if asked.kind != CLOSENESS:
            code = np.searchsorted(np.unique(values[column.valid]), values).astype(np.uint32)
            return _Rule(asked, asked.kind, np.where(column.valid, code, NONE), NOTHING, NOTHING, NOTHING, spelled)
        kind = "ordered" if is_ordered(column) else "equal"
        if column.name in self.overall:
            there, number = self.overall[column.name]
            there = there if spelled else _coarse_codes(column.replaced(there, np.ones(len(there), dtype=bool)))
            used, place = np.unique(there, return_inverse=True)
            known = np.bincount(place, weights=number[:-1], minlength=len(used)).astype(np.float64)
            everything = np.append(known, number[-1])
        else:
            used = np.unique(values[self.whole][column.valid[self.whole]])
            known, everything = self._weights(column, values, used, self.spelled if spelled else self.units)
        code = np.where(column.valid, np.searchsorted(used, values), NONE).astype(np.uint32)
        full = everything / max(1.0, everything.sum())
        return _Rule(asked, kind, code, NOTHING, known / max(1.0, known.sum()), full, spelled)

    def _weights(
        self, column: Values, values: NDArray[Any], used: NDArray[Any], units: Rows | None
    ) -> tuple[Floats, Floats]:
        """The weights of the known values of what is published, and those of all with missing ones as the last."""
        code = np.where(column.valid, np.searchsorted(used, values), len(used))[self.whole]
        units, there = None if units is None else units[self.whole], code < len(used)
        known = weights_of(code[there], None if units is None else units[there], len(used))
        return known, weights_of(code, units, len(used) + 1)


def _coarse_codes(column: Values) -> NDArray[Any]:
    """The values of a column, where categories of one coarse reading are the first of them."""
    if column.categories is None or len(column.categories) == 0:
        return column.physical
    return np.asarray(merged(np.arange(len(column.categories)), column.categories)[column.physical])


def _numbered(units: Rows) -> NDArray[np.uint32]:
    return np.unique(units, return_inverse=True)[1].reshape(-1).astype(np.uint32)


def cannot_hold(asked: Requirement, different: int, *, units: bool = False) -> InfeasibleError:
    """The error where not even all records together satisfy a requirement."""
    have = f"all records together have {different} different values"
    if units and different >= asked.limit:
        have += ", which too many units share"
    elif asked.kind in ("entropy", "recursive", ALPHA):
        have += ", too unequally often"
    if asked.kind == SPREAD:
        have = "all records together are spread over less"
    if asked.kind in (P_PERCENT, DOMINANCE):
        have = "a few make too much of the amounts of all records together"
    return InfeasibleError(
        f"the requirement of {asked} cannot hold: {have}; needed: a requirement that the table satisfies; ask for less"
    )


def is_ordered(column: Values) -> bool:
    """Whether values lie in an order, so that closeness is by the earth mover's distance."""
    return column.kind in NUMBERS or column.kind == "ordinal"


def read_demands(table: Table, published: Table, recipe: Recipe, ready: Prepared) -> Demands | None:
    """Read the sensitive columns that something is asked of, in their types, and the amounts; None where nothing is.

    `published` is the table with the texts that are published for some of them.
    """
    limits = limits_of(recipe, {name: column.kind for name, column in ready.columns.items()})
    if not recipe.requirements and not limits:
        return None
    columns = []
    for asked in recipe.requirements:
        source = published if asked.column in recipe.nominal else table  # codes are the text that is published
        columns.append((asked, _read(source, asked, recipe)))
    amounts = [(asked, contributions(ready.columns[asked.column], ready.weight)) for asked in limits]
    found = Demands(columns, ready.units, np.arange(table.num_rows), amounts=amounts)
    if ready.units is None or not recipe.roles.strata:  # a unit of several strata may hide in each what it shows in all
        found.check_all(of_any_rows=_are_judged_by_composition(recipe, ready, table.num_rows))
    return found


def _are_judged_by_composition(recipe: Recipe, ready: Prepared, rows: int) -> bool:
    """Whether units are linked, whose compositions are each judged, and left out where that is asked, before there are groups."""
    if ready.units is None or not recipe.is_linked:
        return False
    return bool(recipe.places) or len(np.unique(ready.units.number)) < rows


def _read(table: Table, asked: Requirement, recipe: Recipe) -> Values:
    name = asked.column
    told = name in recipe.nominal or name in recipe.ordinal
    column = (
        read_values(name, table.column(name), nominal=name in recipe.nominal, order=recipe.ordinal.get(name))
        if told
        else read_kept(name, table.column(name))
    )
    column = without_empty(column)
    check_kind(asked, column, len(np.unique(column.physical[column.valid])))
    return column


def without_empty(column: Values) -> Values:
    """The same column, where an empty or blank text is a missing one."""
    if column.kind not in ("nominal", "ordinal"):
        return column
    empty = [place for place, value in enumerate(column.categories.to_pylist()) if not str(value).strip()]
    return column.replaced(column.physical, column.valid & ~np.isin(column.physical, empty))


def check_kind(asked: Requirement, column: Values, different: int) -> None:
    """An error for a requirement that such a column cannot have, with that many different values."""
    name = asked.column
    if asked.kind == SPREAD and column.kind not in AMOUNTS:
        msg = f"a spread is asked of {name!r}, which is {column.kind}; needed: numbers; use l_diversity or t_closeness"
        raise OptionError(msg)
    if asked.kind not in (SPREAD, CLOSENESS) and column.kind in NUMBERS and different > MOST_VALUES:
        raise OptionError(
            f"{'alpha' if asked.kind == ALPHA else 'l-diversity'} is asked of {name!r}, which is continuous ({different} different numbers): "
            "different values may be next "
            "to each other; use t_closeness or a least spread (spread), or declare it a category if its numbers are codes (nominal)"
        )

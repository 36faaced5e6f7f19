"""The recount of requirements: what the sensitive values of the classes of a finished table satisfy.

Like `covey.recount.classes` this looks at released values alone and imports nothing of the code that makes groups.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey import privacy
from covey.core.requirement import ALPHA, CLOSENESS, SPREAD, Requirement
from covey.errors import RefusedError
from covey.recount.classes import classes_of, codes_of, is_missing, linked_classes, ordered_codes, parsed, sorted_codes
from covey.recount.readings import Units, merged
from covey.utils.arrow import Array, Column, Table, array_of, pa

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from covey.utils.typing import Codes, Flags

ROUNDING = 1e-12
MOST_FOR_CLOSENESS = 2**18
"""Different values of a sensitive column up to which its closeness is said though nobody asked: whatever holds the table, these fit memory."""


@dataclass(frozen=True)
class Held:
    """A requirement and what the worst class reaches of it."""

    asked: Requirement
    reached: float
    distance: str | None = None
    """Of closeness: "ordered" or "equal"."""

    def worse(self, other: Held) -> Held:
        """The worse of what two parts reach."""
        larger = max(self, other, key=lambda held: held.reached)
        smaller = min(self, other, key=lambda held: held.reached)
        return larger if self.asked.kind in ("recursive", ALPHA, CLOSENESS) else smaller

    @property
    def holds(self) -> bool:
        """Whether the worst class satisfies it."""
        limit, kind = self.asked.limit, self.asked.kind
        if kind == "recursive":
            return self.reached < self.asked.c
        if kind in (ALPHA, CLOSENESS):
            return self.reached <= limit + ROUNDING
        return self.reached >= limit * (1.0 - ROUNDING)


@dataclass(frozen=True)
class Order:
    """How the values of a sensitive column are judged, whatever type the file gives them back in."""

    ordered: bool
    times: bool = False
    categories: tuple[str, ...] = ()
    """Lowest first, where text has an order of its own."""


def recount_requirements(
    table: Table,
    classes: Codes,
    units: Units | None,
    asked: Sequence[Requirement],
    orders: Mapping[str, Order],
    *,
    linked: bool = False,
) -> list[Held]:
    """Count every requirement on the classes of a table, and refuse the table if one does not hold.

    Where units are linked: on all rows of the units that look the same, and on those of their rows that do.
    """
    counted = _worst(table, classes, units, asked, orders, linked=linked)
    failures(counted)
    return counted


def _worst(
    table: Table,
    classes: Codes,
    units: Units | None,
    asked: Sequence[Requirement],
    orders: Mapping[str, Order],
    *,
    linked: bool,
) -> list[Held]:
    """What the worst class reaches, by rows or, where they are linked, by what is seen of units."""
    seen = linked_classes(classes, units.number) if linked and units is not None else (classes,)
    counted = [
        [judged(table.column(one.column), some, units, one, orders.get(one.column)) for one in asked] for some in seen
    ]
    return [functools.reduce(Held.worse, several) for several in zip(*counted, strict=True)]


def declared(columns: Sequence[str], nominal: Sequence[str], ordinal: Mapping[str, Sequence[str]]) -> dict[str, Order]:
    """How columns are judged that were declared categories, in an order or not: whatever their values look like."""
    nominal_ones = {name: Order(ordered=False) for name in columns if name in nominal}
    return nominal_ones | {
        name: Order(ordered=True, categories=tuple(ordinal[name])) for name in columns if name in ordinal
    }


def to_show(different: Mapping[str, int], *, close: bool = True) -> list[Requirement]:
    """What is counted of sensitive columns to be shown, whatever was asked, from the number of different values of each.

    Different values of the classes, and closeness: not of columns with more values than are compared, and not at all unless `close`.
    """
    compared = [name for name, number in different.items() if close and number <= MOST_FOR_CLOSENESS]
    distinct = [Requirement(name, "distinct", 0.0) for name in different]
    return [*distinct, *(Requirement(name, CLOSENESS, 1.0) for name in compared)]


@dataclass(frozen=True)
class ClassesShow:
    """What the classes show of a sensitive column: how few different values, and how far from the whole one of them is."""

    column: str
    distinct_l: int
    t_closeness: float | None
    distance: str | None
    """Of closeness: "ordered" or "equal"."""


def shown(counted: Sequence[Held]) -> list[ClassesShow]:
    """For each column what the worst class reaches of `to_show`; None for a closeness that was not counted."""
    close = {worst.asked.column: worst for worst in counted if worst.asked.kind == CLOSENESS}
    return [
        ClassesShow(
            column=worst.asked.column,
            distinct_l=int(worst.reached),
            t_closeness=close[worst.asked.column].reached if worst.asked.column in close else None,
            distance=close[worst.asked.column].distance if worst.asked.column in close else None,
        )
        for worst in counted
        if worst.asked.kind != CLOSENESS
    ]


def show(
    table: Table,
    known: Sequence[str],
    units: Units | None,
    sensitive: Sequence[str],
    orders: Mapping[str, Order],
    *,
    linked: bool = False,
) -> list[ClassesShow]:
    """What the classes of a table, by the columns that an observer may know, show of its sensitive columns."""
    classes = classes_of([table.column(name) for name in known], table.num_rows)
    asked = to_show({name: len(table.column(name).unique()) for name in sensitive})
    return shown(_worst(table, classes, units, asked, orders, linked=linked))


def held_of(
    table: Table,
    columns: Sequence[str],
    unit: tuple[str, str] | None,
    asked: Sequence[Requirement],
    orders: Mapping[str, Order],
    overall: Mapping[str, tuple[Array, Codes]],
) -> list[Held]:
    """The same for some whole classes of a larger table, without a judgement.

    `unit` names the columns that number units, by the coarse reading of their ids and as they are written.
    `overall` has, for closeness, the values of a column in the larger table and how often each occurs there.
    """
    classes = classes_of([table.column(name) for name in columns], table.num_rows)
    units = None if unit is None else Units(*(codes_of(table.column(name)) for name in unit))
    return [
        judged(table.column(one.column), classes, units, one, orders.get(one.column), overall.get(one.column))
        for one in asked
    ]


def failures(counted: Sequence[Held]) -> None:
    """An error for requirements that do not hold."""
    failed = [held for held in counted if not held.holds]
    if failed:
        texts = ", ".join(f"{held.asked} (the worst class reaches {held.reached:.6g})" for held in failed)
        msg = f"the recount found classes without {texts}; the release is refused, and nothing was written"
        raise RefusedError(msg)


def judged(
    column: Column,
    classes: Codes,
    units: Units | None,
    asked: Requirement,
    order: Order | None,
    overall: tuple[Array, Codes] | None = None,
) -> Held:
    """What the worst class reaches of a requirement on a column: by the coarse reading of values and units, and as they are written."""
    if asked.kind == SPREAD:
        return Held(asked, _spread(column, classes, ~is_missing(column)))
    if asked.kind == CLOSENESS and overall is not None:  # coded together, so that codes mean the same
        array = array_of(column)
        column = pa.concat_arrays([overall[0].cast(array.type), array])
    known = ~is_missing(column)
    codes, ordered = ordered_codes(column, () if order is None else order.categories)
    if order is not None and order.ordered and not ordered:
        if not order.times:
            msg = f"the recount cannot read the order of {asked.column!r}; the release is refused, and nothing was written"
            raise RefusedError(msg)
        codes, ordered = sorted_codes(column), True  # a text file gives times back as text, which sorts like them
    elif order is not None and not order.ordered:
        codes, ordered = codes_of(column), False
    everyone = None if overall is None else overall[1]
    coarse = merged(codes, column)
    number, spelled = (None, None) if units is None else units.readings
    by_reading = _reached(asked, classes, coarse, known, number, ordered=ordered, everyone=everyone)
    if asked.kind == "distinct" or (
        number is spelled and (coarse == codes).all()
    ):  # different values are fewer by the coarse reading
        return by_reading
    return by_reading.worse(_reached(asked, classes, codes, known, spelled, ordered=ordered, everyone=everyone))


def _reached(
    asked: Requirement,
    classes: Codes,
    codes: Codes,
    known: Flags,
    units: Codes | None,
    *,
    ordered: bool,
    everyone: Codes | None,
) -> Held:
    """What the worst class reaches; the first codes are those of the values of a larger table where it is said how often these occur."""
    if asked.kind == CLOSENESS:
        others, different = len(codes) - len(classes), np.unique(codes[known])
        codes = np.where(
            known, np.searchsorted(different, codes), len(different)
        )  # all that is missing is one value, the last
        weights = None
        if everyone is not None:
            weights = np.bincount(codes[:others], weights=everyone, minlength=len(different) + 1).astype(np.float64)
        t = privacy.t_closeness(classes, codes[others:], known[others:], units, ordered=ordered, overall=weights)
        return Held(asked, t, "ordered" if ordered else "equal")
    if len(np.unique(classes[known])) < len(np.unique(classes)):  # a class of missing values has none
        return Held(asked, {"recursive": np.inf, ALPHA: 1.0}.get(asked.kind, 0.0))
    counts = privacy.count(classes[known], codes[known], None if units is None else units[known])
    if asked.kind == "recursive":
        return Held(asked, privacy.recursive_c(counts, int(asked.limit)))
    if asked.kind == ALPHA:
        return Held(asked, privacy.alpha(counts))
    return Held(asked, float(privacy.distinct_l(counts) if asked.kind == "distinct" else privacy.entropy_l(counts)))


def _spread(column: Column, classes: Codes, known: Flags) -> float:
    """The least difference between the largest and the smallest number of a class."""
    values = (
        parsed(array_of(column)).filter(pa.array(known)).cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    )
    n = int(classes.max(initial=-1)) + 1
    low, high = np.full(n, np.inf), np.full(n, -np.inf)
    np.minimum.at(low, classes[known], values)
    np.maximum.at(high, classes[known], values)
    with np.errstate(over="ignore"):
        return float(np.where(high >= low, high - low, 0.0).min(initial=np.inf))

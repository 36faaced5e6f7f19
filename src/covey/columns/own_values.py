"""Released values that are one member's own, or nearly: counted, column by column, and refused where nothing less was asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from covey._kernels import line as kernels
from covey.columns.aggregation import Aggregate, aggregates_for, trimmed_shares
from covey.columns.hierarchy.labels import lower_without_one
from covey.columns.values import AMOUNTS, Kind, Values
from covey.core.requirement import DOMINANCE, P_PERCENT, Requirement
from covey.errors import OptionError, RefusedError
from covey.utils.words import counted, joined

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from covey.columns.members import Members
    from covey.recipe.recipe import Recipe
    from covey.utils.typing import Flags, Floats, Integers

USUAL_P, USUAL_DOMINANCE = 10.0, (1, 80.0)
"""By these groups are counted where nothing is asked."""


class OwnValues(NamedTuple):
    """How many groups publish one member's own value, and how many a mean that one member dominates."""

    own: int
    p_percent: int
    dominated: int
    groups: int
    """All groups that have a value."""

    @property
    def any(self) -> bool:
        """Whether there are such groups."""
        return self.own + self.p_percent + self.dominated > 0

    def __str__(self) -> str:
        means = counted(self.p_percent, "mean tells", "means tell"), counted(self.dominated, "mean is", "means are")
        said = {
            counted(self.own, "group publishes", "groups publish") + " one member's own value": self.own,
            means[0] + " the largest amount too closely (p % rule)": self.p_percent,
            means[1] + " mostly the largest amount (dominance)": self.dominated,
        }
        return joined([sentence for sentence, number in said.items() if number])


def limits_of(recipe: Recipe, kinds: Mapping[str, Kind]) -> list[Requirement]:
    """What a recipe asks of the amounts behind means; an error where it asks that of another column, or of none."""
    how = {name: recipe.aggregates.get(name) or aggregates_for(kind)[0] for name, kind in kinds.items()}
    means = [name for name, kind in kinds.items() if kind in AMOUNTS and how[name] == "mean"]
    for rule in ("p_percent", "dominance"):
        given = getattr(recipe, rule)
        if given is not None and not means:
            msg = f"{rule} is given, and no quasi-identifier is an amount that is released as its mean; leave it out"
            raise OptionError(msg)
    asked = recipe.limits(means)
    for one in asked:
        if one.column not in means:
            what = f"which is {kinds[one.column]} and released as its {how[one.column]}"
            msg = f"{one.kind} names {one.column!r}, {what}; needed: an amount that is released as its mean"
            raise OptionError(msg)
    return asked


def contributions(column: Values, weights: Floats | None) -> Floats:
    """What each record contributes: its amount with its weight and without its sign, 0 where it is missing.

    In units in which nothing overflows: divided by powers of 2, so that nothing is rounded.
    """
    amounts = np.where(column.valid, np.abs(column.physical.astype(np.float64)), 0.0)
    for factor in (amounts,) if weights is None else (amounts, weights):
        power = int(np.frexp(factor.max(initial=0.0))[1])
        amounts = np.ldexp(factor, -power) if factor is amounts else amounts * np.ldexp(factor, -power)
    return amounts


def own_values(
    column: Values,
    released: Values,
    m: Members,
    how: Aggregate,
    *,
    asked: Sequence[Requirement] = (),
    trim: float = 0.1,
    weights: Floats | None = None,
    units: Integers | None = None,
    alike: Flags | None = None,
) -> OwnValues:
    """Count the groups of a column whose released value gives one member away: a record, or a unit where there are some.

    Own: the aggregate picks a member's value (min, max, a middle one, the mode) and only one member has it; or only one member has
    a value at all, or is left by trimming; of several columns together, only one has all of what is published (`alike`: who does). An
    ancestor is own where it would be a lower label without one member. p % rule: the others but the largest two contribute less than p % of the largest, so
    the second largest knows the largest that well. (n, k) rule: the largest n make more than k % of the total. Both take amounts
    with their weight and without their sign, summed over the rows of a unit; by what is `asked` of the column, or the usual limits. A
    group that fails what is asked is an error: groups are made by other code so that none does.
    """
    if len(m.group) == 0:
        return OwnValues(0, 0, 0, 0)
    who = None if units is None else units[m.rows]
    counts = np.ones(len(m.rows), dtype=bool)
    if how == "trimmed-mean":
        counts = trimmed_shares(m, trim) > 0
    elif alike is not None:
        counts = alike[m.rows]
    elif how not in ("mean", "ancestor"):
        counts = m.values == released.physical[m.rows]
    groups = len(m.group)
    if who is None:  # every row is a member of its own
        different = np.bincount(m.labels[counts], minlength=len(m.partition))
    else:
        different = _different(m.labels[counts], who[counts], len(m.partition))
    own = int((different == 1).sum())
    if how == "ancestor" and column.tree is not None:
        own = int(lower_without_one(column.tree, m, who).sum())
    if how not in ("mean", "trimmed-mean") or column.kind not in AMOUNTS:
        return OwnValues(own, 0, 0, groups)
    amounts = contributions(column, weights)[m.rows]
    mine = {one.kind: one for one in asked if one.column == column.name}
    close, heavy = _dominated(amounts, m, who, mine)
    for one, failing in ((mine.get(P_PERCENT), close), (mine.get(DOMINANCE), heavy)):
        if one is not None and failing:
            raise RefusedError(f"{failing} groups do not have {one}; the release is refused, and nothing was written")
    return OwnValues(own, close, heavy, groups)


def _different(labels: Integers, who: Integers, groups: int) -> Integers:
    """How many different members each group has here."""
    width = int(who.max(initial=0)) + 1
    return np.bincount(np.unique(labels * width + who) // width, minlength=groups)


def _dominated(amounts: Floats, m: Members, who: Integers | None, asked: Mapping[str, Requirement]) -> tuple[int, int]:
    p_percent = asked[P_PERCENT].limit if P_PERCENT in asked else USUAL_P
    n, share = (asked[DOMINANCE].n, asked[DOMINANCE].limit) if DOMINANCE in asked else USUAL_DOMINANCE
    size, stop = amounts, m.stop
    if who is not None:
        width = int(who.max()) + 1
        pairs, place = np.unique(m.labels * width + who, return_inverse=True)
        size = np.bincount(place, weights=amounts).astype(np.float64)
        stop = np.append(np.flatnonzero(np.diff(pairs // width)) + 1, len(pairs))
    size = size[kernels.sorted_runs(-size, np.arange(len(size), dtype=np.uint32), stop)]
    start = np.append(0, stop[:-1])
    count = stop - start
    total, largest = np.add.reduceat(size, start), size[start]
    second = np.where(count > 1, size[np.minimum(start + 1, len(size) - 1)], 0.0)
    close = (largest > 0) & (total - largest - second < p_percent / 100 * largest - 1e-12 * total)
    top = largest
    if n > 1:
        rank = np.arange(len(size)) - np.repeat(start, count)
        top = np.add.reduceat(np.where(rank < n, size, 0.0), start)
    heavy = (total > 0) & (top > share / 100 * total * (1 + 1e-12))
    return int(close.sum()), int(heavy.sum())

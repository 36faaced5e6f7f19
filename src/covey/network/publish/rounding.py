"""Counts of edges as they are published: a value and the range of counts that it may stand for.

The rules. "round": a count is moved to one of the two multiples of `base` around it, to the nearer one more often, so that
its mean is the count (random rounding, as statistical offices do with tables). "suppress": a count within `threshold` of
none or of all is not published, others are as they are. "exact": every count as it is.

A count of edges inside a cluster that is known to be connected is at least its size less 1: that is its `floor`, and only
what is above it is rounded. A multiple that would be more than all pairs is not used. So a range of "round" always holds at least
`base` counts, or all that are possible: neither that all links are there nor that none is can be read from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.errors import OptionError, shown
from covey.utils.arrays import as_count

if TYPE_CHECKING:
    from covey.utils.typing import Floats, Integers

RULES = ("round", "suppress", "exact")
SUPPRESSED = -1


class Ranges(NamedTuple):
    """Published counts: the value (-1: suppressed), and the least and the greatest count that it may stand for."""

    value: Integers
    low: Integers
    high: Integers


@dataclass(frozen=True)
class CountRule:
    """How counts are published: see this module.

    >>> rule = CountRule("round", base=3)
    >>> rule.publish(np.array([4]), np.array([0]), np.array([10]), np.array([0.9]))
    Ranges(value=array([3]), low=array([1]), high=array([5]))
    """

    kind: str = "round"
    base: int = 1
    threshold: int = 1

    def publish(self, counts: Integers, floor: Integers, pairs: Integers, coins: Floats) -> Ranges:
        """Publish counts from `floor` to `pairs`; a coin for each is a random number from 0 to below 1."""
        above, room = counts - floor, pairs - floor
        if self.kind == "round":
            value, low, high = self._rounded(above, room, coins)
        elif self.kind == "suppress":
            value, low, high = self._suppressed(above, room)
        else:
            value, low, high = above, above, above
        return Ranges(np.where(value == SUPPRESSED, SUPPRESSED, value + floor), low + floor, high + floor)

    def _rounded(self, above: Integers, room: Integers, coins: Floats) -> tuple[Integers, ...]:
        rest = above % self.base
        value = above - rest
        up = (coins * self.base < rest) & (value + self.base <= room)
        value = value + np.where(up, self.base, 0)
        return value, np.maximum(value - self.base + 1, 0), np.minimum(value + self.base - 1, room)

    def _suppressed(self, above: Integers, room: Integers) -> tuple[Integers, ...]:
        few, many, tiny = above < self.threshold, above > room - self.threshold, room < 2 * self.threshold - 1
        hidden = few | many | tiny
        low = np.where(tiny | few, 0, room - self.threshold + 1)
        high = np.where(tiny | ~few, room, self.threshold - 1)
        return np.where(hidden, SUPPRESSED, above), np.where(hidden, low, above), np.where(hidden, high, above)

    @property
    def unlisted(self) -> int:
        """Up to how many edges there may be between two clusters that are not listed as linked."""
        return {"round": self.base, "suppress": self.threshold}.get(self.kind, 1) - 1

    def sentence(self, *, connected: bool) -> str:
        """The rule in words, for whoever reads the release."""
        if self.kind == "round":
            above = " (inside a cluster: every count from the size of the cluster on)" if connected else ""
            return (
                f"Every count of edges{above} is rounded at random to one of the two multiples of {self.base} around it, to the "
                "nearer one more often; density is the rounded count divided by the number of pairs."
            )
        if self.kind == "suppress":
            above = " (inside a cluster: counts from the size of the cluster on)" if connected else ""
            return (
                f"Counts of edges{above} below {self.threshold}, and those fewer than {self.threshold} short of all pairs, are "
                "not published; others are exact."
            )
        return "Counts of edges are exact: nothing about links is hidden."


def count_rule(kind: Any, base: Any, threshold: Any, lower: int) -> CountRule:
    """The rule that was asked for, or an error that says what does not fit; None: 3, or less for the threshold of clusters of 2."""
    if kind not in RULES:
        raise OptionError(f"counts is {shown(kind)}; needed: one of {', '.join(RULES)}")
    for name, value, fits in (("base", base, "round"), ("threshold", threshold, "suppress")):
        if value is not None and kind != fits:
            msg = f"{name} is given and counts is {kind!r}; it has an effect with counts={fits!r} only; leave it out"
            raise OptionError(msg)
    if kind == "exact":
        return CountRule(kind)
    if kind == "round":
        return CountRule("round", base=_at_least_two("base", 3 if base is None else as_count(base, "base")))
    most = (lower * lower + 1) // 2  # two clusters of the least size still have a count that is neither few nor many
    chosen = _at_least_two("threshold", min(3, most) if threshold is None else as_count(threshold, "threshold"))
    if chosen > most:
        msg = f"threshold is {chosen}; needed: at most {most} for clusters of at least {lower}, so that some counts are published"
        raise OptionError(msg)
    return CountRule("suppress", threshold=chosen)


def _at_least_two(name: str, value: int) -> int:
    if value < 2:
        raise OptionError(f"{name} is {value}, which would leave counts exact; needed: at least 2, or counts='exact'")
    return value

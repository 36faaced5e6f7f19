"""The recount of requirements: what the sensitive values of the classes of a finished table satisfy.

Like `covey.verify` this looks at released values alone and imports nothing of the code that makes groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from covey import privacy
from covey.errors import RefusedError
from covey.extras import load
from covey.requirement import CLOSENESS, SPREAD
from covey.verify import codes_of, is_missing, numbers_of, ordered_codes, sorted_codes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from covey.requirement import Requirement

    Codes = NDArray[np.int64]

ROUNDING = 1e-12


@dataclass(frozen=True)
class Held:
    """A requirement and what the worst class reaches of it."""

    asked: Requirement
    reached: float
    distance: str | None = None
    """Of closeness: "ordered" or "equal"."""

    @property
    def holds(self) -> bool:
        """Whether the worst class satisfies it."""
        limit, kind = self.asked.limit, self.asked.kind
        if kind == "recursive":
            return self.reached < self.asked.c
        if kind == CLOSENESS:
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
    table: Any, classes: Codes, units: Codes | None, asked: Sequence[Requirement], orders: Mapping[str, Order]
) -> list[Held]:
    """Count every requirement on the classes of a table, and refuse the table if one does not hold."""
    return refuse_failed(
        [held_by(table.column(one.column), classes, units, one, orders.get(one.column)) for one in asked]
    )


def refuse_failed(found: list[Held]) -> list[Held]:
    """What was counted, unless some of it does not hold: then the table is refused."""
    failed = [held for held in found if not held.holds]
    if failed:
        texts = ", ".join(f"{held.asked} (the worst class reaches {held.reached:.6g})" for held in failed)
        msg = f"the recount found classes without {texts}; the release is refused, and nothing was written"
        raise RefusedError(msg)
    return found


def held_by(
    column: Any,
    classes: Codes,
    units: Codes | None,
    asked: Requirement,
    order: Order | None,
    overall: Overall | None = None,
) -> Held:
    """What the worst of some classes reaches of a requirement; `overall` where these are not all classes of the table."""
    known = ~is_missing(column)
    if asked.kind == SPREAD:
        return Held(asked, _spread(column, classes, known))
    codes, ordered = judged_codes(column, order, asked.column)
    codes = np.where(known, codes, codes.max(initial=0) + 1)  # all that is missing is one value
    if asked.kind == CLOSENESS:
        counts = privacy.count(classes, codes, units)
        if overall is not None:
            codes, ordered = overall.codes(column, known), overall.ordered
            counts = privacy.count(classes, codes, units)
            counts = counts._replace(value=np.unique(codes)[counts.value], overall=overall.share)
        t = privacy.t_closeness_ordered(counts) if ordered else privacy.t_closeness_equal(counts)
        return Held(asked, t, "ordered" if ordered else "equal")
    if len(np.unique(classes[known])) < len(np.unique(classes)):  # a class of missing values has none
        return Held(asked, np.inf if asked.kind == "recursive" else 0.0)
    counts = privacy.count(classes[known], codes[known], None if units is None else units[known])
    if asked.kind == "recursive":
        return Held(asked, privacy.recursive_c(counts, int(asked.limit)))
    return Held(asked, float(privacy.distinct_l(counts) if asked.kind == "distinct" else privacy.entropy_l(counts)))


def judged_codes(column: Any, order: Order | None, name: str) -> tuple[Codes, bool]:
    """The values of a column in codes, and whether these are in the order of the values."""
    codes, ordered = ordered_codes(column, () if order is None else order.categories)
    if order is not None and order.ordered and not ordered:
        if not order.times:
            msg = f"the recount cannot read the order of {name!r}; the release is refused, and nothing was written"
            raise RefusedError(msg)
        return sorted_codes(column), True  # a text file gives times back as text, which sorts like them
    return (codes_of(column), False) if order is not None and not order.ordered else (codes, ordered)


@dataclass(frozen=True, eq=False)
class Overall:
    """How often each value of a column occurs in a whole table, in their order; what is missing is the last."""

    values: Any
    share: NDArray[np.float64]
    ordered: bool

    @classmethod
    def of(cls, column: Any, numbers: NDArray[np.int64], order: Order | None, name: str) -> Overall:
        """From the different values of a column, and the number of each."""
        pa, known = load("pyarrow"), ~is_missing(column)
        codes, ordered = judged_codes(column, order, name)
        rows = np.flatnonzero(known)[np.argsort(codes[known], kind="stable")]
        counts = np.append(numbers[rows], numbers[~known].sum()).astype(np.float64)
        counts = counts if counts[-1] else counts[:-1]
        return cls(column.take(pa.array(rows)), counts / counts.sum(), ordered)

    def codes(self, column: Any, known: NDArray[np.bool_]) -> Codes:
        """The places of values of a part of the column."""
        pa, pc = load("pyarrow"), load("pyarrow.compute")
        array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        places = pc.index_in(array, value_set=self.values).fill_null(len(self.values)).to_numpy(zero_copy_only=False)
        return np.where(known, places, len(self.values)).astype(np.int64)


def _spread(column: Any, classes: Codes, known: NDArray[np.bool_]) -> float:
    """The least difference between the largest and the smallest number of a class."""
    pa = load("pyarrow")
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    values = numbers_of(array).filter(pa.array(known)).cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    n = int(classes.max(initial=-1)) + 1
    low, high = np.full(n, np.inf), np.full(n, -np.inf)
    np.minimum.at(low, classes[known], values)
    np.maximum.at(high, classes[known], values)
    with np.errstate(over="ignore"):
        return float(np.where(high >= low, high - low, 0.0).min(initial=np.inf))

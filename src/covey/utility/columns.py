"""What a column holds before and after, as a person reads it: quartiles and mean of numbers, counts of categories."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.columns.coordinates import floats_above, least_integer
from covey.columns.values import NUMBERS, Values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.evidence import Evidence
    from covey.utils.typing import Floats, Integers

MOST_SHOWN = 12
"""So many categories are shown one by one; all others together."""
QUARTILES = (0.25, 0.5, 0.75)
NAMES = ("lower quartile", "median", "upper quartile", "mean")


@dataclass(frozen=True)
class Spread:
    """The quartiles and the mean of a column of numbers or dates, as text."""

    quartiles: tuple[str, ...]
    mean: str | None

    @property
    def named(self) -> dict[str, str]:
        """Each of them by its name."""
        return dict(zip(NAMES, (*self.quartiles, self.mean or ""), strict=True))


@dataclass(frozen=True)
class Category:
    """A category, and how many records have it before and after."""

    value: str
    before: int | None
    after: int


@dataclass(frozen=True)
class ColumnSummary:
    """What a column holds before and after."""

    column: str
    kind: str
    rows: int
    before: Spread | None = None
    after: Spread | None = None
    categories: tuple[Category, ...] = ()
    """In their order: declared, or by name; those beyond the largest together, the last."""
    vanished: int | None = None
    """How many categories of the original are not released."""
    vanished_records: int | None = None
    vanished_values: tuple[str, ...] = ()
    """Their names, where original values are asked for."""

    def public(self) -> ColumnSummary:
        """What follows from the release alone."""
        shown = tuple(replace(one, before=None) for one in self.categories if one.after)
        return replace(self, before=None, categories=shown, vanished=None, vanished_records=None, vanished_values=())

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


def column_summaries(evidence: Evidence, *, named: bool = False) -> list[ColumnSummary]:
    """What every column holds before and after; `named`: with the names of categories that are not released.

    A quartile is the mean of the k values around it, so that it is nobody's own. The largest categories are those of the release, and
    everything of the release depends on released values alone.
    """
    return [
        _numbers(name, column, evidence.released[name], evidence.k)
        if column.kind in NUMBERS
        else _categories(name, column, evidence.released[name], named=named)
        for name, column in evidence.original.items()
    ]


def _numbers(name: str, column: Values, released: Values, k: int) -> ColumnSummary:
    return ColumnSummary(name, column.kind, len(column), _spread(column, k), _spread(released, k))


def _spread(column: Values, k: int) -> Spread | None:
    if not column.valid.any():
        return None
    base = least_integer(column)
    above = np.sort(floats_above(column, base)[column.valid])
    around = [_around(above, int(share * (len(above) - 1)), k) for share in QUARTILES]
    return Spread(tuple(readable(column, base, value) for value in around), readable(column, base, _mean(above)))


def _around(values: Floats, place: int, k: int) -> float:
    """The mean of the k sorted values around a place."""
    start = min(max(0, place - k // 2), max(0, len(values) - k))
    return _mean(values[start : start + k])


def _mean(values: Floats) -> float:
    """The mean of values of any size: of their halves, halved often enough that nothing overflows."""
    power = int(np.frexp(np.abs(values).max())[1])
    return float(np.ldexp(np.ldexp(values, -power).mean(), power))


def readable(column: Values, base: int, above: float) -> str:
    """A mean of values of a column as text: a date as a date where all are, a number to as many digits as say something."""
    if column.kind == "time":
        steps = (base + round(above) + column.step // 2) // column.step
        physical = np.array([steps * column.step], dtype=np.int64)
        moment = replace(column, physical=physical, valid=np.ones(1, dtype=bool)).build().to_pylist()[0]
        return str(moment).removesuffix(" 00:00:00")
    value = base + above
    if column.kind == "decimal":
        value /= 10**column.type.scale
    return short(value)


def short(value: float) -> str:
    """A number to four digits, or all of its whole part.

    >>> short(1227.52), short(52.764), short(0.123456), short(-0.0)
    ('1,228', '52.76', '0.1235', '0')
    """
    if abs(value) >= 1e15:
        return f"{value:.3e}".replace("e+", " x 10^")
    text = f"{value:,.0f}" if abs(value) >= 1000 else f"{float(f'{value:.4g}'):.7f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _categories(name: str, column: Values, released: Values, *, named: bool) -> ColumnSummary:
    names = [str(value) for value in column.categories.to_pylist()]
    before, after = (np.bincount(c.physical[c.valid], minlength=len(names)) for c in (column, released))
    gone = np.flatnonzero((before > 0) & (after == 0))
    shown = [code for code in np.argsort(-after, kind="stable")[:MOST_SHOWN].tolist() if after[code] > 0]
    order = sorted(shown) if column.kind != "nominal" else sorted(shown, key=lambda code: _in_order(names[code]))
    categories = [Category(names[code], int(before[code]), int(after[code])) for code in order]
    categories += _others(before, after, shown)
    missing = Category("missing", int((~column.valid).sum()), int((~released.valid).sum()))
    categories += [missing] if missing.before or missing.after else []
    return ColumnSummary(
        name,
        column.kind,
        len(column),
        categories=tuple(categories),
        vanished=len(gone),
        vanished_records=int(before[gone].sum()),
        vanished_values=tuple(sorted(names[code] for code in gone)) if named else (),
    )


def _others(before: Integers, after: Integers, shown: Sequence[int]) -> list[Category]:
    """All categories that are not shown by themselves, together."""
    left = np.ones(len(after), dtype=bool)
    left[list(shown)] = False
    together = Category("others", int(before[left].sum()), int(after[left].sum()))
    return [together] if together.before or together.after else []


def _in_order(name: str) -> tuple[bool, float, str]:
    """Numbers in their order before other names."""
    try:
        return False, float(name), name
    except ValueError:
        return True, 0.0, name

"""Numbers as a person reads them: no powers of e, no negative zero, as many digits as say something."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from covey.core.measure import Unit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.evidence import Measured

NOTHING = 5e-10
"""Below this a measure is the rounding of a zero."""
SMALLEST = 1e-4
LARGEST = 1e15


def number(value: float | None) -> str:
    """A number to three digits, or all of its whole part.

    >>> [number(value) for value in (0.1814, 3.195e-16, -0.0, 3682560.0, 1227.52, 0.00003, 576.96, 12.0)]
    ['0.181', '0', '0', '3,682,560', '1,228', 'below 0.0001', '577', '12']
    >>> number(2.5e17), number(None), number(-0.00003)
    ('2.5 x 10^17', 'not finite', 'above -0.0001')
    """
    if value is None or not math.isfinite(value):
        return "not finite"
    size = abs(value)
    if size < NOTHING:
        return "0"
    if size < SMALLEST:
        return f"below {_plain(SMALLEST)}" if value > 0 else f"above -{_plain(SMALLEST)}"
    if size >= LARGEST:
        digits, _, power = f"{value:.2e}".partition("e")
        return f"{digits.rstrip('0').rstrip('.')} x 10^{int(power)}"
    return f"{value:,.0f}" if size >= 100 else _plain(float(f"{value:.3g}"))


def records(numbers: Sequence[int], mark: str = "") -> str:
    """How many records, of one table or of each of two that are linked; thousands apart by a mark.

    >>> records([1990]), records([1, 1]), records([1000, 1807], ",")
    ('1990 records', '1 record of the first table and 1 of the second', '1,000 records of the first table and 1,807 of the second')
    """
    first, *others = (f"{one:{mark}}" for one in numbers)
    noun = "record" if numbers[0] == 1 else "records"
    return f"{first} {noun} of the first table and {others[0]} of the second" if others else f"{first} {noun}"


def percent(value: float | None, *, signed: bool = False) -> str:
    """A number of percent, to a tenth from 10 on, to a hundredth below.

    >>> [percent(value) for value in (18.14, 6.256, 0.003, 100.0, 0.0, -1e-12, 99.96, 1250.0)]
    ['18.1 %', '6.26 %', 'less than 0.01 %', '100 %', '0 %', '0 %', '99.9 %', '1,250 %']
    >>> percent(0.25, signed=True), percent(-0.003, signed=True), percent(0.0, signed=True)
    ('+0.25 %', 'less than 0.01 %', '0 %')
    """
    if value is None or not math.isfinite(value):
        return "not finite"
    size = abs(value)
    if size < NOTHING:
        return "0 %"
    if size < 0.01:
        return "less than 0.01 %" if signed or value > 0 else "above -0.01 %"
    digits = 2 if size < 10 else 1 if size < 1000 else 0
    shown = round(size, digits)
    if size < 100 <= shown:
        shown = 99.9  # not all of it
    sign = "-" if value < 0 else "+" if signed else ""
    return f"{sign}{_plain(shown)} %"


def measured(value: float | None, unit: Unit) -> str:
    """A measure in its unit.

    >>> measured(0.1814, Unit.SHARE), measured(6.5503, Unit.PERCENT), measured(576.97, Unit.RECORDS), measured(0.0003216, Unit.NUMBER)
    ('18.1 %', '6.55 %', '577', '0.000322')
    """
    if unit is Unit.SHARE:
        return percent(None if value is None else 100 * value)
    return percent(value) if unit is Unit.PERCENT else number(value)


def of(measure: Measured) -> str:
    """The value of a measure."""
    return measured(measure.finite, measure.name.unit)


def original_of(measure: Measured) -> str:
    """What a risk would be, were the original published; nothing where that is not known."""
    return "" if measure.original is None else measured(measure.original, measure.name.unit)


def interval_of(measure: Measured) -> str:
    """The interval of an estimate; nothing where it is none."""
    ends = measure.interval
    return "" if ends is None else " to ".join(measured(end, measure.name.unit) for end in ends)


def range_of(least: int, most: int) -> str:
    """From the least to the most, or the one number that both are.

    >>> range_of(5, 8), range_of(5, 5)
    ('5 to 8', '5')
    """
    return str(least) if least == most else f"{least} to {most}"


def _plain(value: float) -> str:
    """A number without zeros at its end."""
    text = f"{value:,.7f}"
    return text.rstrip("0").rstrip(".")

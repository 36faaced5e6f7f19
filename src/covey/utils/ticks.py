"""Round numbers: steps and marks of axes that a person reads."""

from __future__ import annotations

import datetime as dt
import decimal
import math


def round_above(least: float) -> float:
    """The least of 1, 2, 5, 10, ... times a power of ten that is no smaller; 1 for nothing.

    >>> [round_above(least) for least in (0.03, 0.07, 1.0, 21.0, 0.0)]
    [0.05, 0.1, 1.0, 50.0, 1.0]
    """
    power = 10.0 ** math.floor(math.log10(least)) if least > 0 else 1.0
    return next(power * factor for factor in (1.0, 2.0, 5.0, 10.0) if power * factor >= least * (1 - 1e-12))


def marks(most: float, number: int = 4) -> list[float]:
    """Round numbers from 0 up to what reaches `most`, about so many.

    >>> marks(0.23), marks(100.0), marks(0.0)
    ([0.0, 0.1, 0.2, 0.3], [0.0, 50.0, 100.0], [0.0, 1.0])
    """
    step = round_above(most / number)
    steps = max(1, math.ceil(most / step - 1e-9))
    return [float(f"{step * place:.12g}") for place in range(steps + 1)]


def as_text(value: object) -> str:
    """A value of a column as a person reads it.

    >>> as_text(75660.0), as_text(dt.datetime(2024, 5, 1)), as_text(0.0000002), as_text(True)
    ('75,660', '2024-05-01', '2 x 10^-7', 'True')
    """
    if isinstance(value, dt.datetime):
        return str(value).removesuffix(" 00:00:00")
    if isinstance(value, float | decimal.Decimal):
        size = abs(float(value))
        if size >= 1e15 or 0 < size < 1e-6:
            digits, _, power = f"{value:.3e}".partition("e")
            return f"{digits.rstrip('0').rstrip('.')} x 10^{int(power)}"
        text = f"{float(f'{value:.6g}'):,.9f}".rstrip("0").rstrip(".")
        return "0" if text in ("-0", "") else text
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)

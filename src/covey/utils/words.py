"""Numbers, values and the words that go with them."""

from __future__ import annotations

import datetime as dt
import decimal


def counted(number: int, noun: str, several: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "group"), counted(3000, "group"), counted(2, "stratum", "strata")
    ('1 group', '3000 groups', '2 strata')
    """
    return f"{number} {noun if number == 1 else several or noun + 's'}"


def joined(parts: list[str]) -> str:
    """Parts of a sentence as a list.

    >>> joined(["a"]), joined(["a", "b"]), joined(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    return " and ".join(part for part in (", ".join(parts[:-1]), parts[-1]) if part)


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

"""The coarsest reading of a value that any format suggests; shares nothing with Covey."""

from __future__ import annotations

import unicodedata
from decimal import Decimal, InvalidOperation


def coarse(text: str) -> str:
    """As a number, with a decimal point or comma, without case, surrounding blanks and leading zeros, in one Unicode normal form; nothing for a missing one."""
    plain = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text.strip()).casefold())
    try:
        number = Decimal(plain.replace(",", ".", 1))
    except InvalidOperation:
        return plain
    return str(number.normalize() + 0) if number.is_finite() else plain

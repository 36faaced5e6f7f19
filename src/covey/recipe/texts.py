"""Choices that are given as text, on the command line and on the page: names of columns, pairs, plain values."""

from __future__ import annotations

import csv
import tomllib
from typing import TYPE_CHECKING

from covey.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def names(texts: Sequence[str] | None) -> list[str]:
    """Column names given as a,b or one by one; a name with a comma, or of several lines, stands in double quotes.

    >>> names(["age, sex", '"income, gross"'])
    ['age', 'sex', 'income, gross']
    """
    try:
        rows = list(csv.reader(texts or (), skipinitialspace=True))
    except csv.Error:
        raise OptionError('a name has a line break; needed: such a name in double quotes, "so"') from None
    return [name.strip() for row in rows for name in row if name.strip()]


def pairs(texts: Sequence[str] | None, option: str, *, text_follows: bool = False) -> dict[str, str]:
    """Pairs given as COLUMN=VALUE, one by one; a value that is text may hold a = of its own.

    >>> pairs(["age=2", "a=b=3"], "importance")
    {'age': '2', 'a=b': '3'}
    """
    values = {}
    for text in texts or ():
        name, sign, value = text.partition("=") if text_follows else text.rpartition("=")
        if not sign or not name.strip() or not value.strip():
            raise OptionError(f"--{option} is given {text!r}; needed: NAME=VALUE")
        values[name.strip()] = value.strip()
    return values


def one_or_each(texts: Sequence[str], option: str, read: Callable[[str], object]) -> object:
    """One value for all columns, or one for each that is named."""
    if len(texts) == 1 and "=" not in texts[0]:
        return read(texts[0])
    return {column: read(value) for column, value in pairs(texts, option).items()}


def plain(text: str) -> object:
    """A number, a date or true/false where the text is one, else the text.

    >>> plain("3"), plain("99%")
    (3, '99%')
    """
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def numbers(text: str) -> list[object]:
    """Numbers with commas between them.

    >>> numbers("1,80")
    [1, 80]
    """
    return [plain(part) for part in text.split(",")]

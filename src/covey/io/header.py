"""Whether the first line of a file names its columns, or is a record already: without quoting it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from covey.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.io.inference import Found

_NUMBER = r"[+-]?[0-9][0-9.,' ]*([eE][+-]?[0-9]+)?%?|[+-]?[.,][0-9]+"
_DATE = r"[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}([T ].*)?|[0-9]{1,2}:[0-9]{2}(:[0-9]{2})?"
_MARK = r"na|n/a|nan|null|none|#n/a|true|false|\.|-"
_ADDRESS = r"[^@\s]+@[^@\s]+\.[^@\s]+|https?://.*"
_VALUE = re.compile(f"({_NUMBER}|{_DATE}|{_MARK}|{_ADDRESS})", re.IGNORECASE)
LEAST_DIGITS = 3
"""A name with so many digits in the places where all values of its column have them is one of them."""
LEAST_NUMBERED = 4
"""So many columns may be named 0, 1, 2, ..., as dataframes without names are written; fewer may be a record."""


def like_values(names: Sequence[str]) -> int:
    """How many of the names of columns look like values: numbers, dates, marks of missing values, addresses.

    Columns numbered from 0 or 1 on have names, and so have consecutive years beside a column with a name of its own.

    >>> like_values(["age", "sex"]), like_values(["34", "female", "2021-03-01"]), like_values(["firm", "2019", "2020"])
    (0, 2, 0)
    """
    stripped = [name.strip() for name in names]
    values = [name for name in stripped if _VALUE.fullmatch(name)]
    if values and all(re.fullmatch("[1-9][0-9]*|0", name) for name in values):
        numbers = [int(name) for name in values]
        consecutive = numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        numbered = len(values) == len(names) >= LEAST_NUMBERED and numbers[0] in (0, 1)
        years = 1 < len(values) < len(names) and 1900 <= numbers[0] <= 2100
        if consecutive and (numbered or years):
            return 0
    return len(values)


def check_names(file: str, names: Sequence[str]) -> None:
    """An error where the first line of a file looks like a record. It quotes nothing of it."""
    number = like_values(names)
    if number:
        raise no_header(file, f"{number} of its {len(names)} cells are numbers, dates or other values")


def shape_of(name: str) -> str | None:
    r"""The pattern of texts with letters and digits where a name has them; None where it has too few of either to tell.

    >>> shape_of("CH-8001"), shape_of("income20"), shape_of("2021")
    ('^\\pL\\pL\\-[0-9][0-9][0-9][0-9]$', None, None)
    """
    digits, letters = sum(map(str.isdecimal, name)), sum(map(str.isalpha, name))
    if digits < LEAST_DIGITS or not letters:
        return None
    return "^" + "".join("[0-9]" if c.isdecimal() else r"\pL" if c.isalpha() else re.escape(c) for c in name) + "$"


def check_values(file: str, noticed: Found, columns: int) -> None:
    """An error where the names of most columns are values of the same columns, or one is written as all of its values are."""
    if noticed.named > 1 and 2 * noticed.named >= columns:
        raise no_header(file, f"{noticed.named} of its {columns} cells occur again below, in the same columns")
    if noticed.shaped:
        same = "have letters and digits where all values below them have some"
        raise no_header(file, f"{noticed.shaped} of its {columns} cells {same}")


def no_header(file: str, why: str) -> InputError:
    """The error for a first line that looks like a record."""
    return InputError(
        f"the first line of {file!r} looks like a record, not like the names of columns: {why}; needed: to know which; say that the "
        "file has no names (header=False, --no-header), or that this line holds them (header=True, --header)"
    )

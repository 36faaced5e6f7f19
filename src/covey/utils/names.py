"""Names of columns: every column has one, and no two have the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence


def refuse_doubles(names: Sequence[str]) -> None:
    """An error where two columns have the same name."""
    doubles = sorted({name for name in names if name and names.count(name) > 1})
    if doubles:
        msg = f"columns named more than once: {', '.join(doubles)}; needed: every name once; rename them first"
        raise InputError(msg)


def refuse_blanks(names: Sequence[str]) -> None:
    """An error where a column has no name."""
    blank = sum(not name.strip() for name in names)
    if blank:
        raise InputError(f"{blank} columns have no name; needed: a name for each; name them first")

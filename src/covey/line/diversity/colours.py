"""Colours: the sensitive value of every record, as small numbers, and whether groups of l different ones exist."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.errors import InfeasibleError, InputError, shown
from covey.utils.frame import is_series

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray


class Colours(NamedTuple):
    """The number of every record's colour, 0, 1, ... by first appearance, and the colours in that order."""

    codes: NDArray[np.int32]
    names: list[Hashable]


def as_colours(colours: Sequence[Hashable] | ArrayLike, n: int) -> Colours:
    """Return the colours of n records as numbers.

    >>> as_colours(["flu", "cold", "flu"], 3).codes.tolist()
    [0, 1, 0]
    """
    values = _values(colours)
    if len(values) != n:
        msg = f"there are {len(values)} colours for {n} records; needed: one for each record"
        raise InputError(msg)
    missing = sum(map(_is_missing, values))
    if missing:
        msg = (
            f"{missing} records have no colour, and a missing sensitive value never counts as a different one; needed: "
            "none missing; drop or fill those records first"
        )
        raise InputError(msg)
    numbers: dict[Hashable, int] = {}
    try:
        codes = np.fromiter((numbers.setdefault(value, len(numbers)) for value in values), dtype=np.int32, count=n)
    except TypeError:
        msg = "colours hold values that cannot be compared (not hashable); needed: strings, numbers or the like"
        raise InputError(msg) from None
    return Colours(codes, list(numbers))


def check_feasible(colours: Colours, l: int) -> None:  # noqa: E741
    """Refuse an l for which there is no solution: each group holds at most one record of the most frequent colour."""
    n, counts = len(colours.codes), np.bincount(colours.codes)
    most = int(counts.max())
    if most * l <= n:
        return
    name = shown(colours.names[int(counts.argmax())])
    msg = (
        f"colour {name} is that of {most} of {n} records, and no group can hold two of them: {most} groups of l = {l} "
        f"would need {most * l} records; needed: l of at most {n // most}, or at most {n // l} records of any colour"
    )
    raise InfeasibleError(msg)


def check_different(colours: Colours, l: int) -> None:  # noqa: E741
    """Refuse an l for which not even all records together have enough different colours."""
    different = len(colours.names)
    if different < l:
        raise InfeasibleError(
            f"there are {different} different colours, and l is {l}; needed: l of at most {different}"
        )


def _values(colours: Any) -> list[Hashable]:
    if is_series(colours):
        values: list[Hashable] = colours.to_pylist() if hasattr(colours, "to_pylist") else colours.to_list()
        return values
    if isinstance(colours, np.ndarray):
        if colours.ndim != 1:
            msg = f"colours have shape {colours.shape}; needed: one for each record"
            raise InputError(msg)
        return list(colours.tolist())  # None where masked
    if isinstance(colours, str) or not hasattr(colours, "__iter__"):
        msg = f"colours are {shown(colours)}; needed: a sequence, one for each record"
        raise InputError(msg)
    listed: Iterable[Hashable] = colours
    return list(listed)


def _is_missing(value: object) -> bool:
    """None, NaN, NaT and NA: what is nothing, or not equal to itself."""
    if value is None:
        return True
    try:
        return bool(value != value)  # noqa: PLR0124
    except (TypeError, ValueError):
        return type(value).__name__ in ("NAType", "NaTType")

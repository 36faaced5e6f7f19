"""Columns that undo the grouping: kept as they are, though nearly unique or telling of a quasi-identifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from covey.cells import combine
from covey.errors import InputError
from covey.values import AMOUNTS, NUMBERS, Values, read_kept

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

RARE = 0.5
"""A column is nearly unique if fewer than k (or `FEW`) records share the value of this share of the records."""
FEW = 5
TELLING = 0.95
"""A column determines another if its value explains this share of the other's variance (or guesses its value this often)."""


def check_exposure(kept: Mapping[str, Any], quasi: Sequence[Values], k: int, accept: Sequence[str]) -> list[str]:
    """An error for the columns that must be accepted by name and are not; else what was accepted, for the report."""
    return refuse_exposed({name: exposures(name, column, quasi, k) for name, column in kept.items()}, accept)


def refuse_exposed(exposed: Mapping[str, Sequence[str]], accept: Sequence[str]) -> list[str]:
    """The same for columns and what is to be said against each."""
    found, refused = [], []
    for name, reasons in exposed.items():
        if reasons:
            found.append(f"column {name!r} is published as it is although it {' and '.join(reasons)}")
            if name not in accept:
                refused.append(f"{name} ({'; '.join(reasons)})")
    if refused:
        names = ",".join(text.split(" (")[0] for text in refused)
        msg = f"kept or sensitive columns may undo the grouping: {'; '.join(refused)}; drop them, or accept them by name (--accept {names})"
        raise InputError(msg)
    return found


def rare_share(codes: NDArray[np.int64], k: int) -> float:
    """The share of records whose value fewer than k share."""
    size = np.bincount(codes)
    return float((size[codes] < k).mean()) if len(codes) else 0.0


def exposures(name: str, column: Any, quasi: Sequence[Values], k: int) -> list[str]:
    """What there is to be said against publishing a column as it is."""
    values = read_kept(name, column)
    known = values.valid
    codes = combine([values.physical[known]], int(known.sum()))
    if len(codes) == 0:
        return []
    few = min(k, FEW)
    share = rare_share(codes, few)
    reasons = (
        [f"is nearly unique: {share:.0%} of its values are shared by fewer than {few} records"] if share > RARE else []
    )
    told = [other.name for other in quasi if _determines(values, codes, other)]
    return reasons + ([f"determines the quasi-identifier {', '.join(told)}"] if told else [])


def _determines(values: Values, codes: NDArray[np.int64], other: Values) -> bool:
    both = other.valid[values.valid]
    mine, theirs = codes[both], other.physical[values.valid][both]
    groups = combine([mine], len(mine))
    if len(mine) < 3 or np.all(theirs == theirs[0]):
        return False
    if other.kind in NUMBERS or other.kind == "ordinal":
        y = _centred(theirs)
        if values.kind in (*AMOUNTS, "time") and _correlation(values.physical[values.valid][both], y) > 0.99:
            return True
        number = int(groups.max()) + 1
        if number > 0.5 * len(y):
            return False
        means = np.bincount(groups, weights=y) / np.bincount(groups)
        inside = float(((y - means[groups]) ** 2).sum()) / max(1, len(y) - number)
        return inside <= (1 - TELLING) * float(((y - y.mean()) ** 2).sum()) / (len(y) - 1)
    pairs = combine([groups, theirs], len(mine))
    size = np.bincount(pairs)
    best = np.zeros(int(groups.max()) + 1)
    owner = np.zeros(len(size), dtype=np.int64)
    owner[pairs] = groups
    np.maximum.at(best, owner, size)
    right = float(best.sum() - len(best)) / max(1, len(mine) - len(best))  # a value that occurs once tells nothing
    usual = float(np.bincount(combine([theirs], len(mine))).max()) / len(mine)
    return right >= TELLING + (1 - TELLING) * max(0.0, usual - 0.5)


def _correlation(x: NDArray[Any], y: NDArray[np.float64]) -> float:
    x = _centred(x)
    norm = float(np.sqrt((x @ x) * (y @ y)))
    return abs(float(x @ y)) / norm if norm > 0 else 0.0


def _centred(values: NDArray[Any]) -> NDArray[np.float64]:
    """The values less their mean, in units in which neither sums nor squares overflow."""
    floats = values.astype(np.float64)
    floats = np.ldexp(floats, -int(np.frexp(np.abs(floats).max())[1]))
    return np.asarray(floats - floats.mean())

"""Columns that undo the grouping: kept as they are, though they single records out or give a quasi-identifier away.

Columns are judged one by one, in pairs, and all together: by the classes of records that share all their values. A record is
*singled out* if fewer than min(k, 5) records are in its class, or the records of fewer units, where units are counted. Its quasi-identifier is *given away* if the best guess from the others
of its class is right: more of them have its value than any other (numbers: values in steps of a fifth of the column's standard
deviation). The share of records of which that holds is taken beyond chance: beyond the largest share of some shuffles of the
values. A class of one gives nothing away.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.columns.cells import combine, counts
from covey.columns.values import AMOUNTS, NUMBERS, Values, read_kept
from covey.errors import InputError, pasted
from covey.utils.arrow import Column, is_text, pc
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from covey.columns.of_table import OfTable
    from covey.recipe.recipe import Recipe
    from covey.utils.typing import Codes, Flags, Floats

FEW = 5
"""A record is singled out if fewer than k (or so many) records are in its class."""
NEAR = 0.2
"""Numbers are nearly the same in a step of so many standard deviations."""
FOLLOWS = 0.99
"""A column of numbers whose correlation with another is above this gives it away."""
SHUFFLES = 5
"""What chance gives away is the most of so many shuffles: few classes are right by chance more or less often."""
JUDGED = 100_000
"""Of larger tables all rows of some classes are looked at for what they give away, about so many."""
WORDS, LETTERS, WORDY = 3, 20, 0.5
"""A column of text is free text if this share of its values have so many words and letters, and it singles some records out."""


@dataclass(frozen=True)
class Exposure:
    """What columns that are kept tell of this share of the records: who they are, or the value of a quasi-identifier."""

    columns: tuple[str, ...]
    share: float
    quasi: str = ""
    free_text: bool = False
    counted: str = "records"
    """What is counted: records or units."""

    def why(self, few: int) -> str:
        """In words that follow the name of the column, or of all."""
        alone = len(self.columns) == 1
        if self.free_text:
            return "is free text, which may say anything"
        if self.quasi:
            return (
                f"determine{'s' if alone else ''} the quasi-identifier {self.quasi} of {self.share:.0%} of the records"
            )
        if alone:
            return f"is nearly unique: {self.share:.0%} of its values are shared by fewer than {few} {self.counted}"
        return f"together single out {self.share:.0%} of the records: fewer than {few} {'' if self.counted == 'records' else self.counted + ' '}share all of these"


class ExposedError(InputError):
    """Columns that are published as they are may undo the grouping.

    Attributes
    ----------
    refused
        The columns, alone or together, and why; no value of theirs.
    """

    def __init__(self, text: str, refused: Mapping[tuple[str, ...], Sequence[str]]) -> None:
        super().__init__(text)
        self.refused = {columns: tuple(why) for columns, why in refused.items()}

    @property
    def by_column(self) -> dict[str, str]:
        """What is said against each column, alone or together with others.

        >>> ExposedError("", {("a",): ["is nearly unique"], ("a", "b"): ["together single out 60 % of the records"]}).by_column["b"]
        'a, b together single out 60 % of the records'
        """
        said: dict[str, str] = {}
        for columns, why in self.refused.items():
            for column in columns:
                reason = f"{'it' if len(columns) == 1 else ', '.join(columns)} {' and '.join(why)}"
                said[column] = f"{said[column]}; {reason}" if column in said else reason
        return said


def sets_of(names: Sequence[str], within: str | None = None) -> list[tuple[str, ...]]:
    """Every column, every pair and all together; with `within`, those that hold this one."""
    sets = [*((name,) for name in names), *itertools.combinations(names, 2)]
    sets += [tuple(names)] if len(names) > 2 else []
    return [one for one in sets if within is None or within in one]


def exposures(
    kept: Mapping[str, Values],
    quasi: Sequence[Values],
    recipe: Recipe,
    *,
    units: Codes | None = None,
    within: str | None = None,
) -> list[Exposure]:
    """What there is to be said against publishing columns as they are; of a set only what its parts do not show.

    With `units`, the number of the unit of each record, those are counted: all records of a unit may have a value that no other has.
    """
    counted = "records" if units is None else "units"
    few, found = min(recipe.k, FEW), list[Exposure]()
    rows = len(next(iter(kept.values()), ()))
    codes = {name: combine([values.physical, values.valid], rows) for name, values in kept.items()}
    for names in sets_of(list(kept), within) if rows > 2 else ():
        classes = combine([codes[name] for name in names], rows)
        size = counts(classes, units)[classes]
        seen = [Exposure(names, float((size < few).mean()), counted=counted)]
        some = _some_classes(classes, size)
        alone = kept[names[0]] if len(names) == 1 else None
        for other in quasi:
            follows = alone is not None and _follows(alone, other)
            share = 1.0 if follows else given_away(classes[some], other.take(some), recipe.note_exposed)
            seen.append(Exposure(names, share, other.name))
        found += [one for one in seen if one.share >= recipe.note_exposed and not _shown(one, found, recipe)]
    return found


def _shown(exposure: Exposure, known: Iterable[Exposure], recipe: Recipe) -> bool:
    """Whether a part of its columns shows as much already."""
    parts = [other for other in known if set(other.columns) < set(exposure.columns) and other.quasi == exposure.quasi]
    return any(other.share >= recipe.refuse_exposed or exposure.share < recipe.refuse_exposed for other in parts)


def _some_classes(classes: Codes, size: Codes) -> Codes:
    """All rows of some of the classes of two records and more, chosen by a hash; all where there are few enough."""
    share = JUDGED / max(JUDGED, int((size > 1).sum()))
    mixed = (classes.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(11)
    return np.flatnonzero(mixed <= np.uint64(share * 2.0**53))


def given_away(classes: Codes, other: Values, least: float = 0.0) -> float:
    """The share of records whose value of another column is given away, beyond chance; 0 where it is below `least`."""
    classes, other = classes[other.valid], other.take(np.flatnonzero(other.valid))
    if len(classes) < 3:
        return 0.0
    classes, values = np.unique(classes, return_inverse=True)[1].astype(np.int64), _steps(other)
    right = _right(classes, values)
    share = float(right.mean())
    if share < least or len(np.unique(classes[right])) < 2:  # one class alone may be an accident
        return 0.0
    random = np.random.RandomState(0)
    chance = max(float(_right(classes, values[random.permutation(len(values))]).mean()) for _ in range(SHUFFLES))
    return max(0.0, share - chance) / (1.0 - chance) if chance < 1 else 0.0


def _right(classes: Codes, values: Codes) -> Flags:
    """Of which records more of the others of the class have the same value than any other one."""
    pairs = combine([classes, values], len(classes))
    size = np.bincount(pairs)
    owner = np.zeros(len(size), dtype=np.int64)
    owner[pairs] = classes
    order = np.lexsort((-size, owner))
    first = np.searchsorted(owner[order], np.arange(int(classes.max()) + 1))
    largest = size[order[first]]
    next_ = np.minimum(first + 1, len(order) - 1)
    second = np.where((next_ > first) & (owner[order[next_]] == owner[order[first]]), size[order[next_]], 0)
    mine = size[pairs]
    return np.asarray((mine == largest[classes]) & (mine - 1 > second[classes]))


def _steps(other: Values) -> Codes:
    """Values as codes; numbers by steps."""
    if other.kind not in NUMBERS and other.kind != "ordinal":
        return other.physical
    centred = _centred(other.physical)
    step = NEAR * float(np.sqrt((centred**2).mean()))
    return np.floor((centred - centred.min()) / step).astype(np.int64) if step > 0 else np.zeros(len(centred), np.int64)


def _follows(mine: Values, other: Values) -> bool:
    both = mine.valid & other.valid
    if mine.kind not in (*AMOUNTS, "time") or other.kind not in NUMBERS or both.sum() < 3:
        return False
    x, y = _centred(mine.physical[both]), _centred(other.physical[both])
    norm = float(np.sqrt((x @ x) * (y @ y)))
    return norm > 0 and abs(float(x @ y)) / norm > FOLLOWS


def _centred(values: NDArray[Any]) -> Floats:
    """The values less their mean, in units in which neither sums nor squares overflow."""
    floats = values.astype(np.float64)
    floats = np.ldexp(floats, -int(np.frexp(np.abs(floats).max())[1]))
    return np.asarray(floats - floats.mean())


def wordy(column: Column) -> int:
    """How many values of an Arrow column are text of several words."""
    if not is_text(column.type):
        return 0
    words = pc.match_substring_regex(column, r"^\s*" + r"\S+\s+" * (WORDS - 1) + r"\S")
    return int(pc.sum(pc.and_(words, pc.greater_equal(pc.utf8_length(column), LETTERS))).as_py() or 0)


def check_exposure(
    kept: Mapping[str, Any],
    quasi: Sequence[Values],
    recipe: Recipe,
    tables: Sequence[OfTable] = (),
    units: Codes | None = None,
) -> list[Note]:
    """An error for the columns that must be accepted by name and are not; else what was accepted, for the report."""
    values = {name: read_kept(name, column) for name, column in kept.items()}
    found = exposures(values, quasi, recipe, units=units)
    if tables:  # columns of the first stand in every row of the second beside it, and would look as if many shared them
        first = tables[0]
        own = {name: column.take(first.numbers) for name, column in values.items() if name in first.columns}
        of_quasi = [column.take(first.numbers) for column in quasi if column.name in first.columns]
        alone = exposures(own, of_quasi, recipe)
        told = {(one.columns, one.quasi) for one in alone}
        found = [*alone, *(one for one in found if (one.columns, one.quasi) not in told)]
    known = {name: len(column) - column.null_count for name, column in kept.items()}
    return refuse_exposed(found, {name: wordy(kept[name]) / max(1, known[name]) for name in kept}, recipe)


def refuse_exposed(exposed: Sequence[Exposure], wordy_shares: Mapping[str, float], recipe: Recipe) -> list[Note]:
    """The same for what was found, and the share of each column's values that are text of several words."""
    few = min(recipe.k, FEW)
    singled = {one.columns[0] for one in exposed if len(one.columns) == 1 and not one.quasi}
    texts = [name for name, share in wordy_shares.items() if share >= WORDY and name in singled]
    everything = [*(Exposure((name,), 1.0, free_text=True) for name in texts), *exposed]
    reasons: dict[tuple[str, ...], list[str]] = {}
    refused: dict[tuple[str, ...], list[str]] = {}
    for one in everything:
        reasons.setdefault(one.columns, []).append(one.why(few))
        if one.share >= recipe.refuse_exposed and not set(one.columns) <= set(recipe.accept):
            refused.setdefault(one.columns, []).append(one.why(few))
    if refused:
        listed = "; ".join(f"{', '.join(names)} ({'; '.join(why)})" for names, why in refused.items())
        names = pasted(dict.fromkeys(name for columns in refused for name in columns))
        msg = f"kept or sensitive columns may undo the grouping: {listed}; drop them, or accept them by name (--accept {names})"
        raise ExposedError(msg, refused)
    return [Note(NoteKind.EXPOSURE, _sentence(names, why)) for names, why in reasons.items()]


def _sentence(names: Sequence[str], why: Sequence[str]) -> str:
    if len(names) == 1:
        return f"column {names[0]!r} is published as it is although it {' and '.join(why)}"
    return f"columns {', '.join(map(repr, names))} are published as they are although they {' and '.join(why)}"


def rare_share(codes: Codes, k: int) -> float:
    """The share of records whose value fewer than k share."""
    size = np.bincount(codes)
    return float((size[codes] < k).mean()) if len(codes) else 0.0

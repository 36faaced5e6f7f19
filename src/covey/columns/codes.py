"""Whole numbers that look like codes: a mean of them is a code that nobody has. Signs, found in parts and added up."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from covey.columns.values import AMOUNTS, Values
from covey.errors import InputError, pasted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from covey.recipe.recipe import Recipe
    from covey.utils.typing import Integers

MOST_VALUES = 32
"""Columns with more different values are judged by their names and by what stands far from the others."""
SHARP = 10
"""Where so many records have a number, and as many the next larger that occurs, nobody between them is no accident."""
MOST_FEW = 20
"""Up to so many different values are few, ..."""
OFTEN = 5
"""... where each is that of so many records on average: amounts differ more the more there are, codes do not."""
_CODES = "code codes zip zipcode plz npa postal postcode postleitzahl fips nuts lau nace naics noga isco isic icd gkz"
_CODES += " sex gender geschlecht sexe relat relation relationship civil marital status category categories cat type typ kind class group"
_CODES += " id ids uid hid pid hhid key region province canton kanton state bundesland county country district municipality gemeinde commune"
_CODES += " occ occup educ etni party lang kommune insee diag diagnosis citizenship blood nation nationality race ethnic ethnicity religion language occupation profession beruf industry branch sector department ward"
CODE_WORDS = frozenset(_CODES.split())
_AMOUNTS = "age alter year years yr jahr jahre born birth birthday birthyear yob month months day days hour hours minute minutes week weeks"
_AMOUNTS += " income einkommen revenu salary lohn wage wages revenue turnover umsatz sales profit assets debt debts budget expend expenditure"
_AMOUNTS += " savings charge price preis cost costs tax rent miete amount value sum total"
_AMOUNTS += " number numbers num nb nombre count counts cnt n anzahl anz children child kids kinder enfants persons personen people members size"
_AMOUNTS += " employees staff rooms bedrooms zimmer cars autos visits stays admissions"
_AMOUNTS += " weight wgt height length width area distance km score points rate percent pct share ratio bmi temperature"
AMOUNT_WORDS = frozenset(_AMOUNTS.split())
_NUMBER_OF = ("num", "anz")
_REPEATED = [int(digit * n) for digit in "789" for n in range(2, 10)] + [
    10**n - rest for n in range(2, 10) for rest in (2, 3)
]
MARKS = frozenset([9, -1, -7, -8, -9, *_REPEATED, *(-mark for mark in _REPEATED)])
"""Numbers that usually stand for a missing value: 9, 99, 98, 97, 88, 77, -1, -9, ..."""


class Sign(Enum):
    """Why whole numbers look like codes; none tells a value."""

    DECLARED = "the file calls its values categories"
    LABELLED = "the file has labels for some of its values"
    NAME = "its name is that of a code"
    GAPS = "it has few different values, with gaps between frequent ones"
    FEW = "it has few different values"
    DAYS = "its numbers are days written as year, month and day, such as 19991231"
    MARK = "a number like those that stand for missing values, such as 99 or -1, lies far from the others"


@dataclass
class WholeNumbers:
    """What a column of whole numbers holds, found in parts: the same whatever the parts are."""

    name: str
    whole: bool = True
    records: int = 0
    low: int | None = None
    high: int | None = None
    """The ends of the values that are no usual mark."""
    days: bool = True
    """Whether all of these are days, written as year, month and day."""
    marks: Counter[int] = field(default_factory=Counter)
    counts: dict[int, int] | None = field(default_factory=dict)
    """How often each value occurs; None where there are too many."""

    def add(self, column: Values) -> None:
        """Look at a part of the column."""
        if not self.whole:
            return
        values = _whole(column)
        if values is None:
            self.whole = False
            return
        part = WholeNumbers(self.name, records=len(values), counts=_counted(values))
        marked = np.isin(values, _MARKS)
        part.marks.update(dict(zip(*(a.tolist() for a in np.unique(values[marked], return_counts=True)), strict=True)))
        if not marked.all():
            part.low, part.high = int(values[~marked].min()), int(values[~marked].max())
            part.days = _are_days(values[~marked])
        self.merge(part)

    def merge(self, other: WholeNumbers) -> None:
        """Take over what was seen in another part."""
        self.whole, self.days = self.whole and other.whole, self.days and other.days
        self.records += other.records
        self.low = _of_known(min, self.low, other.low)
        self.high = _of_known(max, self.high, other.high)
        self.marks.update(other.marks)
        if self.counts is None or other.counts is None:
            self.counts = None
            return
        for value, number in other.counts.items():
            self.counts[value] = self.counts.get(value, 0) + number
        if len(self.counts) > MOST_VALUES:
            self.counts = None

    @property
    def far_marks(self) -> list[int]:
        """The usual marks of missing values that lie far from all other values: they are likely to be no amounts."""
        if self.low is None or self.high is None:
            return []
        span = self.high - self.low
        above = [mark for mark in self.marks if mark > self.high and mark - self.high > max(span, 1)]
        below = [mark for mark in self.marks if mark < 0 <= self.low]
        return sorted(mark for mark in (*below, *above) if self.marks[mark] > 1)


def signs_of(numbers: WholeNumbers, *, labelled: bool = False, declared: bool = False) -> tuple[Sign, ...]:
    """Why a column looks like codes; empty where it looks like amounts, or holds other things than whole numbers."""
    if not numbers.whole or (numbers.low is None and not numbers.marks):
        return ()
    signs = [Sign.DECLARED] if declared else []
    signs += [Sign.LABELLED] if labelled else []
    kind = _kind_of(numbers.name)
    signs += [Sign.NAME] if kind == "code" else []
    signs += [Sign.DAYS] if numbers.days and numbers.low is not None else []
    signs += [Sign.MARK] if numbers.far_marks else []
    values = sorted(numbers.counts or ())
    if kind == "amount" or len(values) < 2 or numbers.counts is None:
        return tuple(signs)
    if _has_gaps(values, numbers.counts):
        return (*signs, Sign.GAPS)
    few = len(values) <= MOST_FEW and numbers.records >= OFTEN * len(values)
    return (*signs, Sign.FEW) if few else tuple(signs)


def undeclared(recipe: Recipe) -> list[str]:
    """The quasi-identifiers of which nobody said what their numbers are."""
    declared = (*recipe.nominal, *recipe.ordinal, *recipe.number, *recipe.hierarchy)
    return [name for name in recipe.roles.quasi if name not in declared]


def looked_at(column: Values) -> WholeNumbers:
    """What a whole column holds."""
    found = WholeNumbers(column.name)
    found.add(column)
    return found


def refuse_codes(signs: Mapping[str, Collection[Sign]]) -> None:
    """An error that asks about all quasi-identifiers that look like codes, with the reasons."""
    asked = [name for name, why in signs.items() if why]
    if not asked:
        return
    listed = "; ".join(f"{name} ({', '.join(sign.value for sign in signs[name])})" for name in asked)
    marked = [name for name in asked if Sign.MARK in signs[name]]
    missing = ", and which numbers stand for missing values: --missing-codes COLUMN=CODE,..." if marked else ""
    days = [f"--dates {pasted([f'{name}=yyyymmdd'])}" for name in asked if Sign.DAYS in signs[name]]
    dates = f", and which are days: {' '.join(days)} (dates)" if days else ""
    names = pasted(asked)
    raise InputError(
        f"quasi-identifiers hold whole numbers that look like codes, and the mean of codes makes no sense: {listed}; needed: which "
        f"are codes and which are amounts; say it: --nominal {names} or --number {names} (nominal, number){dates}{missing}"
    )


_MARKS = np.array(sorted(MARKS))


def _whole(column: Values) -> Integers | None:
    """The values as integers; None where some are none."""
    known = column.physical[column.valid]
    if column.kind not in AMOUNTS:
        return None
    if column.kind == "integer":
        return np.asarray(known)
    if column.kind == "decimal":
        unit = 10**column.type.scale if column.type.scale >= 0 else 1
        return None if np.any(known % unit) else np.asarray(known // unit)
    if np.any(known != np.rint(known)) or np.any(np.abs(known) >= 2.0**53):
        return None
    return np.asarray(known.astype(np.int64))


def _are_days(values: Integers) -> bool:
    """Whether these are all numbers of eight digits that are days, from 1800 on."""
    year, month, day = values // 10_000, values // 100 % 100, values % 100
    return bool(np.all((year >= 1800) & (year < 2100) & (month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)))


def _counted(values: Integers) -> dict[int, int] | None:
    if len(np.unique(values[:4096])) > MOST_VALUES:
        return None
    distinct, counts = np.unique(values, return_counts=True)
    return None if len(distinct) > MOST_VALUES else dict(zip(distinct.tolist(), counts.tolist(), strict=True))


def _of_known(choose: Callable[[list[int]], int], mine: int | None, other: int | None) -> int | None:
    known = [value for value in (mine, other) if value is not None]
    return choose(known) if known else None


def _has_gaps(values: list[int], counts: Mapping[int, int]) -> bool:
    """Whether nobody has a number between two that many have; numbers in even steps have no gaps."""
    step = math.gcd(*(b - a for a, b in itertools.pairwise(values)))
    apart = [(a, b) for a, b in itertools.pairwise(values) if b - a > step]
    return any(counts[a] >= SHARP and counts[b] >= SHARP for a, b in apart)


def _kind_of(name: str) -> str:
    """Whether a name is that of a "code" or of an "amount": its last word that is known decides.

    >>> _kind_of("age_group"), _kind_of("groupSize"), _kind_of("hhcivil"), _kind_of("NUMYOUNG"), _kind_of("x")
    ('code', 'amount', 'code', 'amount', '')
    """
    for word in reversed(words_of(name)):
        for known, kind in ((CODE_WORDS, "code"), (AMOUNT_WORDS, "amount")):
            if word in known or any(len(part) > 3 and word.endswith(part) for part in known):
                return kind
        if word.startswith(_NUMBER_OF):
            return "amount"
    return ""


def words_of(name: str) -> list[str]:
    """The words of a column's name, in their order.

    >>> words_of("birthDate_2")
    ['birth', 'date']
    """
    return re.findall(r"[^\W\d_]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower())

"""Checks of single values that somebody chose: each returns the value as it is kept, or says what was needed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from covey.columns.dates import DateForm
from covey.columns.derived import Derived
from covey.columns.edits import read_rule
from covey.errors import OptionError, did_you_mean, shown
from covey.utils.arrays import as_count

MOST_DECIMALS = 15


def instance_of(kind: type, what: str) -> Callable[[object, str], object]:
    """A check that values are of a kind, which is called so in messages."""

    def check(value: object, label: str) -> object:
        if not isinstance(value, kind):
            raise OptionError(f"{label} is {shown(value)}; needed: {what}")
        return value

    return check


def as_names(value: object, label: str) -> tuple[str, ...]:
    """A list of column names, without doubles. One name may be given as it is."""
    if value is None:
        return ()
    names = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list | tuple | set) else None
    if names is not None:
        names = tuple(str(name) if type(name) is int else name for name in names)  # pandas has columns named by numbers
    if names is None or not all(isinstance(name, str) for name in names):
        raise OptionError(f"{label} is {shown(value)}; needed: the name of a column or a list of names")
    doubles = sorted({name for name in names if names.count(name) > 1})
    if doubles:
        raise OptionError(f"{label} names {', '.join(map(repr, doubles))} more than once; needed: every column once")
    return names


def as_mapping(value: object, label: str) -> dict[str, object]:
    """A mapping whose keys are text."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise OptionError(f"{label} is {shown(value)}; needed: a mapping from names to values")
    return dict(value)


def as_number(value: object, label: str, low: float, high: float | None = None) -> float:
    """A number from `low` to `high`, both included."""
    number = unboxed(value)
    if isinstance(number, int | float) and not isinstance(number, bool) and low <= number <= (high or 1e300):
        return number
    until = f" to {high:g}" if high is not None else " or more"
    raise OptionError(f"{label} is {shown(number)}; needed: a number, {low:g}{until}")


def as_share(value: object, label: str) -> float:
    """A share above 0 and below 1, also as a fraction in text, for one third is no decimal.

    >>> as_share("1/3", "alpha") == 1 / 3
    True
    """
    parts = re.fullmatch(r"\s*(\d{1,9})\s*/\s*(\d{1,9})\s*", value) if isinstance(value, str) else None
    number = unboxed(value) if parts is None or int(parts[2]) == 0 else int(parts[1]) / int(parts[2])
    if isinstance(number, float) and 0.0 < number < 1.0:
        return number
    raise OptionError(f"{label} is {shown(value)}; needed: a share above 0 and below 1, such as 0.5 or 1/3")


def as_word(value: object, label: str, words: Sequence[str]) -> str:
    """One of a few words."""
    if not isinstance(value, str) or value not in words:
        raise OptionError(f"{label} is {shown(value)}{did_you_mean(value, words)}; needed: one of {', '.join(words)}")
    return value


def unboxed(value: object) -> object:
    """A number of numpy as one of Python; anything else as it is."""
    return value.item() if hasattr(value, "item") else value


def as_seed(value: object, label: str) -> int:
    """A whole number of at least 0."""
    if type(value) is not int or value < 0:
        raise OptionError(f"{label} is {shown(value)}; needed: an integer of at least 0")
    return value


def as_budget(value: object, label: str) -> object:
    """A number of records, or a percentage of them as text, "1%"."""
    number = unboxed(value)
    text = str(number).strip() if isinstance(number, str) else ""
    if re.fullmatch(r"[1-9]\d{0,11}", text):
        return int(text)
    if re.fullmatch(r"\d{1,2}(\.\d{1,9})?\s*%", text) and float(text.rstrip("% ")) > 0.0:
        return text.replace(" ", "")
    if type(number) is int and number > 0:
        return number
    raise OptionError(
        f"{label} is {shown(value)}; needed: a whole number of records above 0, or a percentage above 0 and below 100 such as 1%"
    )


def as_k_for(value: object, label: str) -> dict[int, int]:
    """A number of columns, and the k of every so many of them.

    >>> as_k_for({"3": 5}, "k_for")
    {3: 5}
    """
    pairs = list(value.items()) if isinstance(value, Mapping) else []
    texts = [str(unboxed(number)).strip() for pair in pairs for number in pair]
    if not pairs and isinstance(value, Mapping):
        return {}
    if len(texts) == 2 and all(re.fullmatch(r"\d{1,9}", text) for text in texts) and min(map(int, texts)) >= 2:
        return {int(texts[0]): int(texts[1])}
    given = ", ".join(f"{columns}={k}" for columns, k in zip(texts[::2], texts[1::2], strict=True)) or shown(value)
    raise OptionError(
        f"{label} is {given}; needed: one number of columns and one k, both 2 or more, such as 3=5: every 3 columns are shared by 5"
    )


def as_codes(value: object, label: str) -> tuple[str, ...]:
    """Missing codes as text; one may be given as it is."""
    codes = tuple(map(str, value)) if isinstance(value, list | tuple) else (str(value),)
    if not codes or any(not code.strip() for code in codes):
        raise OptionError(f"{label} are {shown(value)}; needed: a list of values, none of them empty")
    return codes


def as_date_form(value: object, _label: str) -> str:
    """How dates are written, such as dd/mm/yyyy."""
    DateForm.parse(value)
    return value  # type: ignore[return-value]


def as_decimals(value: object, label: str) -> int:
    """A number of decimals."""
    if type(value) is not int or not 0 <= value <= MOST_DECIMALS:
        raise OptionError(f"{label} are {shown(value)}; needed: a whole number from 0 to {MOST_DECIMALS}")
    return value


def as_method(value: object, label: str) -> str:
    """The name of a method; whether there is one of that name is known to those who group."""
    if not isinstance(value, str) or value == "each-column":
        msg = f"{label} is {shown(value)}; needed: a name that `covey methods` lists; for columns by themselves: blocks"
        raise OptionError(msg)
    return value


def as_options(value: object, label: str) -> dict[str, object]:
    """The options of a method, but for its cost."""
    options = as_mapping(value, label)
    if "cost" in options:
        msg = "the option cost is given; a release takes the cost that goes with the aggregate; set aggregates instead"
        raise OptionError(msg)
    return options


def as_rules(value: object, label: str) -> tuple[str, ...]:
    """Edit rules, each of which can be read."""
    rules = as_names(value, label)
    for rule in rules:
        read_rule(rule)
    return rules


def as_derived(value: object, label: str) -> str:
    """How a column is derived from the rows of a unit."""
    if not isinstance(value, str):
        raise OptionError(f"{label} is {shown(value)}; needed: a formula, such as count or sum of COLUMN")
    Derived.parse(value)
    return value


def as_blocks(value: object, label: str) -> tuple[tuple[str, ...], ...]:
    """Lists of columns."""
    if not isinstance(value, list | tuple):
        raise OptionError(f"{label} is {shown(value)}; needed: a list of lists of columns")
    return tuple(as_names(block, "a block") for block in value)


def as_dominance(value: object, label: str) -> tuple[int, float]:
    """A number of members and a percentage."""
    pair = tuple(value) if isinstance(value, list | tuple) else ()
    if len(pair) != 2:
        text = ", ".join(map(shown, pair)) or shown(value)
        raise OptionError(f"{label} is {text}; needed: a number of members and a percentage, such as 1,80")
    percentage = as_number(pair[1], f"the percentage of {label}", 0.0, 100.0)
    return as_count(pair[0], "dominance"), float(percentage)


def as_entropy(value: object, label: str) -> object:
    """The secret of a release."""
    if not re.fullmatch(r"[0-9a-f]{64}", str(value)):
        msg = f"{label} is not 64 hexadecimal digits; needed: what an internal certificate holds, or nothing"
        raise OptionError(msg)
    return value

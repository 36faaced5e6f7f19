"""`Recipe`: every choice that makes a release. Reads and writes TOML."""

from __future__ import annotations

import datetime as dt
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, get_args

from covey.columns.aggregation import Aggregate
from covey.columns.coordinates import CATEGORIES, SCALES, Categories, Scale
from covey.columns.dates import DateForm
from covey.columns.edits import EditRule
from covey.core.requirement import CLOSENESS, DOMINANCE, FORMS, P_PERCENT, SPREAD, Requirement
from covey.errors import InputError, OptionError, shown
from covey.recipe.roles import Roles, as_names
from covey.utils.arrays import as_count
from covey.utils.extras import load

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

MOST_DECIMALS = 15
MISSING = ("error", "own-group", "coordinate")
SMALL_STRATA = ("error", "merge", "suppress")
WEIGHTS = ("group", "keep", "drop")
_MAPPINGS = (
    "ordinal",
    "missing_codes",
    "dates",
    "importance",
    "options",
    "aggregates",
    "decimals",
    "top",
    "bottom",
    "spread",
    "reasons",
)
_AGGREGATES: tuple[Aggregate, ...] = get_args(Aggregate)


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """What to release and how. The same recipe and table give the same release, `entropy` included.

    Parameters
    ----------
    k
        At least this many records (units, where the roles name one) share their released values. 2 or more.
    roles
        What the columns are: `covey.Roles`.
    drop_rest
        Drop the columns that have no role, instead of an error.
    accept
        Kept or sensitive columns that are published although they single records out, give a quasi-identifier away, or are free text.
    refuse_exposed, note_exposed
        Kept and sensitive columns, one by one, in pairs and all together, are refused where they single out this share of the records
        or give away a quasi-identifier of this share, and noted from the other share on: see `covey.columns.exposure`.
    nominal, ordinal, number
        Columns to treat as categories: a list; a mapping from column to its categories, lowest first. And columns that are numbers
        although they look like codes, which is an error that asks otherwise.
    missing_codes
        Column to the values that stand for a missing one, such as ["99", "."]: they are missing before anything else.
    dates
        Column to the form in which its dates are written, such as "dd/mm/yyyy".
    missing, penalty
        What to do where a quasi-identifier is missing: "error", "own-group" (records that lack the same columns are
        grouped among themselves) or "coordinate" (placed `penalty` beyond the median; the group's value is released for all).
    small_strata
        What to do with a stratum, or a pattern of missing values, below k: "error", "merge" it with the nearest, or
        "suppress" its records.
    scale, categories, importance
        How columns become comparable: see `covey.columns.coordinates`.
    method, options, seed
        How records are grouped: a name that `covey.partition` knows.
    aggregates, trim
        Column to "mean", "median", "midrange", "min", "max", "mode" or "trimmed-mean" (which cuts a share `trim` at either end).
    decimals
        Column to the number of decimals that its means are released with; by default as many as at least k records use.
    weights, round_weights
        What becomes of the weight column: "group" publishes the group's mean weight, so that weighted totals stay; "keep"
        publishes it as it is, rounded to multiples of `round_weights`; "drop" does not publish it.
    top, bottom
        Column to the largest (smallest) value that is told apart, or a quantile such as "99%". Before grouping.
    zeros_apart
        Columns whose zeros are grouped among themselves, so that a zero stays a zero.
    edits
        Rules such as "income >= 0" and "total = wages + rents", which hold after rounding.
    blocks, allow_blocks
        Columns to group separately. Jointly they reach a lower k, which must be allowed if it is below k.
    p_percent, dominance, refuse_own_values
        A mean gives one member away if the others but the largest two contribute less than `p_percent` % of the largest, or
        if the largest n make more than a percentage of it: `dominance` is (n, percentage). One for all amounts that are released as
        means, or a mapping from column to it: then no group fails. Where nothing is asked, groups that fail at 10 %, or at (1, 80), are counted, and so
        are values that are one member's own; `refuse_own_values` makes them an error.
    l_diversity, diversity, recursive_c
        Every class has at least this many well-represented values of the sensitive columns: a number for all of them, or a mapping
        from column to number. "distinct": so many different values; "entropy": an entropy of at least log l; "recursive": the most
        frequent one occurs less than `recursive_c` times as often as all but the l - 1 most frequent together. A missing value never
        counts.
    t_closeness
        The distribution of the sensitive values of every class is within t of that of the release: the earth mover's distance for
        numbers, dates and ordered categories (one step between neighbouring values), the variational distance for others.
    spread
        Sensitive column of numbers to the least difference between the largest and the smallest of a class.
    reasons
        Column to the reason for its role, a sentence for the report's page on the method.
    shuffle, entropy
        Whether rows leave in random order, and the secret that decides that order and random ids. Drawn from the
        operating system unless it is given; never part of anything public.

    Examples
    --------
    >>> from covey import Recipe, Roles
    >>> Recipe(k=5, roles=Roles(quasi=("age",))).with_changes(k=10).k
    10
    """

    k: int
    roles: Roles = field(default_factory=Roles)
    drop_rest: bool = False
    accept: tuple[str, ...] = ()
    refuse_exposed: float = 0.5
    note_exposed: float = 0.1
    nominal: tuple[str, ...] = ()
    ordinal: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    number: tuple[str, ...] = ()
    missing_codes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dates: Mapping[str, str] = field(default_factory=dict)
    missing: str = "error"
    penalty: float = 2.0
    small_strata: str = "error"
    scale: Scale = "zscore"
    categories: Categories = "match"
    importance: Mapping[str, float] = field(default_factory=dict)
    method: str = "auto"
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None
    aggregates: Mapping[str, Aggregate] = field(default_factory=dict)
    trim: float = 0.1
    decimals: Mapping[str, int] = field(default_factory=dict)
    weights: str = "group"
    round_weights: float | None = None
    top: Mapping[str, Any] = field(default_factory=dict)
    bottom: Mapping[str, Any] = field(default_factory=dict)
    zeros_apart: tuple[str, ...] = ()
    edits: tuple[str, ...] = ()
    blocks: tuple[tuple[str, ...], ...] = ()
    allow_blocks: bool = False
    p_percent: float | Mapping[str, float] | None = None
    dominance: tuple[int, float] | Mapping[str, tuple[int, float]] | None = None
    refuse_own_values: bool = False
    l_diversity: float | Mapping[str, float] | None = None
    diversity: str = "distinct"
    recursive_c: float | None = None
    t_closeness: float | Mapping[str, float] | None = None
    spread: Mapping[str, float] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)
    shuffle: bool = True
    entropy: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.roles, Roles):
            object.__setattr__(self, "roles", Roles(**_mapping(self.roles, "roles")))
        object.__setattr__(self, "k", as_count(self.k, "k", at_least=2))
        for name in ("accept", "nominal", "number", "zeros_apart", "edits"):
            object.__setattr__(self, name, as_names(getattr(self, name), name))
        for name in _MAPPINGS:
            object.__setattr__(self, name, _mapping(getattr(self, name), name))
        order = {column: as_names(given, f"the order of {column}") for column, given in self.ordinal.items()}
        object.__setattr__(self, "ordinal", order)
        codes = {column: _codes(given, column) for column, given in self.missing_codes.items()}
        object.__setattr__(self, "missing_codes", codes)
        for form in self.dates.values():
            DateForm.parse(form)
        for column, why in self.reasons.items():
            if not isinstance(why, str):
                msg = f"the reason for the role of {column!r} is {shown(why)}; needed: a sentence"
                raise OptionError(msg)
        self._check_choices()
        self._check_numbers()
        self._check_requirements()
        self._check_limits()
        self._check_blocks()
        for rule in self.edits:
            EditRule.parse(rule)
        if self.entropy is not None and not re.fullmatch(r"[0-9a-f]{64}", str(self.entropy)):
            msg = "entropy is not 64 hexadecimal digits; needed: what an internal certificate holds, or nothing"
            raise OptionError(msg)

    def _check_choices(self) -> None:
        for name, known in (
            ("missing", MISSING),
            ("small_strata", SMALL_STRATA),
            ("scale", SCALES),
            ("categories", CATEGORIES),
            ("weights", WEIGHTS),
            ("diversity", FORMS),
        ):
            if getattr(self, name) not in known:
                msg = f"{name} is {shown(getattr(self, name))}; needed: one of {', '.join(known)}"
                raise OptionError(msg)
        for column, how in self.aggregates.items():
            if how not in _AGGREGATES:
                msg = f"the aggregate of {column!r} is {shown(how)}; needed: one of {', '.join(_AGGREGATES)}"
                raise OptionError(msg)
        for name in ("drop_rest", "allow_blocks", "refuse_own_values", "shuffle"):
            if not isinstance(getattr(self, name), bool):
                msg = f"{name} is {shown(getattr(self, name))}; needed: true or false"
                raise OptionError(msg)
        if "cost" in self.options:
            msg = "the option cost is given; a release takes the cost that goes with the aggregate; set aggregates instead"
            raise OptionError(msg)
        if not isinstance(self.method, str) or self.method == "each-column":
            msg = f"method is {shown(self.method)}; needed: a name that `covey methods` lists; for columns by themselves: blocks"
            raise OptionError(msg)

    def _check_numbers(self) -> None:
        _number("penalty", self.penalty, 0.0, None)
        _number("trim", self.trim, 0.0, 0.49)
        _number("refuse_exposed", self.refuse_exposed, 1e-9, 1.0)
        _number("note_exposed", self.note_exposed, 1e-9, self.refuse_exposed)
        for column, value in self.importance.items():
            _number(f"the importance of {column!r}", value, 1e-9, None)
        for column, value in self.decimals.items():
            if type(value) is not int or not 0 <= value <= MOST_DECIMALS:
                msg = f"the decimals of {column!r} are {shown(value)}; needed: a whole number from 0 to {MOST_DECIMALS}"
                raise OptionError(msg)
        if self.round_weights is not None:
            _number("round_weights", self.round_weights, 1e-12, None)
        if self.seed is not None and (type(self.seed) is not int or self.seed < 0):
            msg = f"seed is {shown(self.seed)}; needed: an integer of at least 0"
            raise OptionError(msg)

    def _check_requirements(self) -> None:
        least = 1.0 + 1e-9 if self.diversity == "entropy" else 2.0
        for name in ("l_diversity", "t_closeness"):
            given = getattr(self, name)
            if isinstance(given, Mapping):
                object.__setattr__(self, name, {c: _item(value) for c, value in _mapping(given, name).items()})
            else:
                object.__setattr__(self, name, _item(given))
        for column, value in _of_each(self.l_diversity, ("",)).items():
            _number(f"l_diversity{_of(column)}", value, least, None)
            if self.diversity != "entropy" and value != int(value):
                msg = f"l_diversity{_of(column)} is {shown(value)}; needed: a whole number of 2 or more, or diversity = entropy"
                raise OptionError(msg)
        for column, value in _of_each(self.t_closeness, ("",)).items():
            _number(f"t_closeness{_of(column)}", value, 0.0, 1.0)
        for column, value in self.spread.items():
            _number(f"the spread of {column!r}", value, 1e-300, None)
        if (self.diversity == "recursive") != (self.recursive_c is not None):
            msg = "recursive_c and diversity = recursive go together; needed: both or neither"
            raise OptionError(msg)
        if self.recursive_c is not None:
            _number("recursive_c", self.recursive_c, 1e-9, None)
        if self.diversity != "distinct" and self.l_diversity is None:
            msg = f"diversity is {self.diversity!r}, and l_diversity is not given, so that has no effect; leave it out"
            raise OptionError(msg)

    def _check_limits(self) -> None:
        for name, read in (("p_percent", _percentage), ("dominance", _dominance)):
            given = getattr(self, name)
            if isinstance(given, Mapping):
                each = {column: read(value, column) for column, value in _mapping(given, name).items()}
                object.__setattr__(self, name, each)
            elif given is not None:
                object.__setattr__(self, name, read(given, ""))

    @property
    def requirements(self) -> list[Requirement]:
        """What is asked of the sensitive columns, one by one."""
        columns = self.roles.sensitive
        c = 0.0 if self.recursive_c is None else self.recursive_c
        l_of = _of_each(self.l_diversity, columns)
        found = [Requirement(name, self.diversity, least, c) for name, least in l_of.items()]
        found += [Requirement(name, CLOSENESS, t) for name, t in _of_each(self.t_closeness, columns).items()]
        return found + [Requirement(name, SPREAD, least) for name, least in self.spread.items()]

    def limits(self, means: Sequence[str]) -> list[Requirement]:
        """What is asked of the amounts of the columns that are named, or of all these, which are released as means."""
        found = [Requirement(name, P_PERCENT, p) for name, p in _of_each(self.p_percent, means).items()]
        each = _of_each(self.dominance, means).items()
        return found + [Requirement(name, DOMINANCE, percent, n=n) for name, (n, percent) in each]

    def _check_blocks(self) -> None:
        if not isinstance(self.blocks, list | tuple):
            msg = f"blocks is {shown(self.blocks)}; needed: a list of lists of columns"
            raise OptionError(msg)
        blocks = tuple(as_names(block, "a block") for block in self.blocks)
        object.__setattr__(self, "blocks", blocks)
        flat = [column for block in blocks for column in block]
        if blocks and (sorted(flat) != sorted(self.roles.quasi) or not all(blocks)):
            msg = "the blocks do not hold every quasi-identifier once; needed: each in exactly one block; change blocks"
            raise OptionError(msg)

    @property
    def parts(self) -> tuple[tuple[str, ...], ...]:
        """The blocks, or all quasi-identifiers as one."""
        return self.blocks or (self.roles.quasi,)

    @property
    def rules(self) -> list[EditRule]:
        """The edit rules."""
        return [EditRule.parse(rule) for rule in self.edits]

    def with_changes(self, **changes: Any) -> Recipe:
        """The same recipe but for these choices; roles may be given by their own names."""
        roles, others = split_roles(changes)
        if roles:
            others["roles"] = replace(self.roles, **roles)
        return replace(self, **others)

    @property
    def counted(self) -> list[str]:
        """What an observer may know: quasi-identifiers, strata and a published weight."""
        return [*self.roles.quasi, *self.known_beside]

    @property
    def read_columns(self) -> list[str]:
        """The columns that a release looks at: all that have a role but those that are only dropped."""
        unread = [name for name in self.roles.drop if name != self.roles.unit]
        return [name for name in self.roles.named() if name not in unread]

    @property
    def known_beside(self) -> list[str]:
        """What an observer may know beside the quasi-identifiers."""
        weight = [self.roles.weight] if self.roles.weight and self.weights != "drop" else []
        return [*self.roles.strata, *weight]

    def as_dict(self) -> dict[str, Any]:
        """The choices that are not the default, as plain values."""
        shown_ = {"k": self.k}
        for f in fields(self):
            value = getattr(self, f.name)
            default = f.default_factory() if callable(f.default_factory) else f.default
            if f.name in ("k", "roles") or value == default or value is None:
                continue
            shown_[f.name] = _plain(value)
        roles = {name: _plain(value) for name, value in self.roles.as_dict().items() if value}
        return shown_ | {"roles": roles}

    def to_toml(self) -> str:
        """The recipe as a TOML document."""
        text: str = load("tomli_w").dumps(self.as_dict())
        return text

    @classmethod
    def from_toml(cls, text: str) -> Recipe:
        """Read a TOML document."""
        try:
            given = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            msg = f"the recipe is not TOML: {re.sub(r'[^ -~]', '?', str(error))}; needed: key = value lines, as `covey recipe` writes"
            raise InputError(msg) from None
        return cls.from_dict(given)

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Recipe:
        """Build a recipe from plain values; an unknown name is an error."""
        if "k" not in given:
            msg = "k is not given; needed: the least number of records in a group; add k (-k 5)"
            raise OptionError(msg)
        roles, others = split_roles(given)
        inner = others.pop("roles", {})
        inner = inner.as_dict() if isinstance(inner, Roles) else _mapping(inner, "roles")
        known = [f.name for f in fields(Roles)]
        for name in inner:
            if name not in known:
                msg = f"there is no role {name!r}; known: {', '.join(known)}"
                raise OptionError(msg)
        names = [f.name for f in fields(cls)]
        for name in others:
            if name not in names:
                msg = f"there is no choice {name!r} in a recipe; known: {', '.join(names + known)}"
                raise OptionError(msg)
        return cls(roles=Roles(**(inner | roles)), **others)


def read_recipe(path: Path) -> Recipe:
    """Read a recipe file, or the recipe of an internal certificate (.json)."""
    try:
        text = path.read_text(encoding="utf-8")
        return Recipe.from_dict(json.loads(text)["recipe"]) if path.suffix == ".json" else Recipe.from_toml(text)
    except (json.JSONDecodeError, KeyError, TypeError):
        msg = f"{str(path)!r} is no internal certificate; needed: one, or a recipe in TOML"
        raise InputError(msg) from None
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        msg = f"the recipe {str(path)!r} cannot be read: {reason}; needed: a TOML file"
        raise InputError(msg) from None


def split_roles(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The choices that are roles, and the others."""
    names = {f.name for f in fields(Roles)}
    return {n: v for n, v in given.items() if n in names}, {n: v for n, v in given.items() if n not in names}


def _of_each(given: Any, columns: Sequence[str]) -> dict[str, Any]:
    """What is given for every column: one for all, or a mapping."""
    if given is None:
        return {}
    return dict(given) if isinstance(given, Mapping) else dict.fromkeys(columns, given)


def _codes(given: Any, column: str) -> tuple[str, ...]:
    """Missing codes as text; one may be given as it is."""
    codes = tuple(map(str, given)) if isinstance(given, list | tuple) else (str(given),)
    if not codes or any(not code.strip() for code in codes):
        msg = f"the missing codes of {column!r} are {shown(given)}; needed: a list of values, none of them empty"
        raise OptionError(msg)
    return codes


def _percentage(given: Any, column: str) -> float:
    p = _item(given)
    _number(f"p_percent{_of(column)}", p, 0.0, None)
    return float(p)


def _dominance(given: Any, column: str) -> tuple[int, float]:
    pair = tuple(given) if isinstance(given, list | tuple) else ()
    if len(pair) != 2:
        msg = f"dominance{_of(column)} is {shown(given)}; needed: a number of members and a percentage, such as (1, 80)"
        raise OptionError(msg)
    _number(f"the percentage of dominance{_of(column)}", pair[1], 0.0, 100.0)
    return as_count(pair[0], "dominance"), float(pair[1])


def _item(value: Any) -> Any:
    """A number of numpy as one of Python."""
    return value.item() if hasattr(value, "item") else value


def _of(column: str) -> str:
    return f" of {column!r}" if column else ""


def _mapping(given: Any, name: str) -> dict[str, Any]:
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        msg = f"{name} is {shown(given)}; needed: a mapping from names to values"
        raise OptionError(msg)
    return dict(given)


def _number(name: str, value: Any, low: float, high: float | None) -> None:
    good = isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= (high or 1e300)
    if not good:
        until = f" to {high:g}" if high is not None else " or more"
        msg = f"{name} is {shown(value)}; needed: a number, {low:g}{until}"
        raise OptionError(msg)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value if isinstance(value, str | bool | int | float | dt.date) else str(value)

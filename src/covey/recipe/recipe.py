"""`Recipe`: every choice that makes a release. Reads and writes TOML."""

from __future__ import annotations

import datetime as dt
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from covey.columns.derived import Derived
from covey.columns.edits import Rule, read_rule
from covey.columns.hierarchy.declared import is_cuts, is_file
from covey.columns.order_rules import OrderRule
from covey.core.requirement import ALPHA, CLOSENESS, DOMINANCE, P_PERCENT, SPREAD, Requirement
from covey.errors import InputError, OptionError, did_you_mean
from covey.recipe.checks import check_together
from covey.recipe.choice import check_choices, default_of, with_parameters
from covey.recipe.fields import Fields
from covey.recipe.roles import Roles
from covey.recipe.values import as_k_for, as_mapping
from covey.utils import randomness
from covey.utils.extras import load

if TYPE_CHECKING:
    from pathlib import Path


@with_parameters
@dataclass(frozen=True, kw_only=True)
class Recipe(Fields):
    """What to release and how. The same recipe and table give the same release, `entropy` included.

    Examples
    --------
    >>> from covey import Recipe, Roles
    >>> Recipe(k=5, roles=Roles(quasi=("age",))).with_changes(k=10).k
    10
    """

    def __post_init__(self) -> None:
        check_choices(self)
        check_together(self)

    @property
    def requirements(self) -> list[Requirement]:
        """What is asked of the sensitive columns, one by one."""
        columns = self.roles.sensitive
        c = 0.0 if self.recursive_c is None else self.recursive_c
        l_of = _of_each(self.l_diversity, columns)
        diverse = [Requirement(name, self.diversity, least, c) for name, least in l_of.items()]
        shares = [Requirement(name, ALPHA, most) for name, most in _of_each(self.alpha, columns).items()]
        close = [Requirement(name, CLOSENESS, t) for name, t in _of_each(self.t_closeness, columns).items()]
        spread = [Requirement(name, SPREAD, least) for name, least in self.spread.items()]
        return [*diverse, *shares, *close, *spread]

    def limits(self, means: Sequence[str]) -> list[Requirement]:
        """What is asked of the amounts of the columns that are named, or of all these, which are released as means."""
        percentages, pairs = _of_each(self.p_percent, means), _of_each(self.dominance, means)
        limits = [Requirement(name, P_PERCENT, p) for name, p in percentages.items()]
        return limits + [Requirement(name, DOMINANCE, percent, n=n) for name, (n, percent) in pairs.items()]

    @property
    def parts(self) -> tuple[tuple[str, ...], ...]:
        """The blocks, each quasi-identifier by itself where k is for a few of them, or all as one."""
        return tuple((name,) for name in self.roles.quasi) if self.k_for else self.blocks or (self.roles.quasi,)

    @property
    def rules(self) -> list[Rule]:
        """The edit rules."""
        return [read_rule(rule) for rule in self.edits]

    @property
    def rules_of_units(self) -> list[OrderRule]:
        """The edit rules that speak of several rows of a unit."""
        return [rule for rule in self.rules if isinstance(rule, OrderRule) and rule.is_of_units]

    @property
    def rules_of_rows(self) -> list[Rule]:
        """The others."""
        return [rule for rule in self.rules if rule not in self.rules_of_units]

    @property
    def derived(self) -> dict[str, Derived]:
        """How the derived columns of units are made."""
        return {name: Derived.parse(text) for name, text in self.derive.items()}

    def with_changes(self, **changes: Any) -> Recipe:
        """The same recipe but for these choices; roles may be given by their own names."""
        roles, others = split_roles(changes)
        if roles:
            others["roles"] = replace(self.roles, **roles)
        return replace(self, **others)

    def settled(self, columns: Sequence[str]) -> Recipe:
        """The same recipe with a role for every column of a table, and with a secret; an error where a column has none."""
        named = self.roles.named()
        replaced = [name for name in self.derive if name in columns and name not in named]
        roles = replace(self.roles, drop=(*self.roles.drop, *replaced)).settle(columns, drop_rest=self.drop_rest)
        return self.with_changes(roles=roles, drop_rest=False, entropy=self.entropy or randomness.draw())

    @property
    def counted(self) -> list[str]:
        """What an observer may know: quasi-identifiers, strata, a published weight, the role and the time of a row in its unit, and what is derived."""
        return [*self.roles.quasi, *self.known_beside, *self.derive]

    @property
    def read_columns(self) -> list[str]:
        """The columns that a release looks at: all that have a role but those that are only dropped."""
        unread = [name for name in self.roles.drop if name != self.roles.unit]
        return [name for name in self.roles.named() if name not in unread]

    @property
    def carried_columns(self) -> list[str]:
        """The columns that go with rows through a release in parts: those, and those that derived columns replace."""
        return [*self.read_columns, *self.derive]

    @property
    def coded_beside(self) -> list[str]:
        """The kept and sensitive columns whose ends are coded."""
        return [name for name in (*self.roles.keep, *self.roles.sensitive) if name in self.top or name in self.bottom]

    @property
    def looked_up(self) -> list[str]:
        """The columns whose values are looked up in a hierarchy as they are written."""
        return [name for name, hierarchy in self.hierarchy.items() if not is_cuts(hierarchy)]

    @property
    def known_beside(self) -> list[str]:
        """What an observer may know beside the quasi-identifiers."""
        weight = [self.roles.weight] if self.roles.weight and self.weights != "drop" else []
        return [*self.roles.strata, *weight, *self.published_replicates, *self.places]

    @property
    def published_replicates(self) -> tuple[str, ...]:
        """The replicate weights that are published, which go where the weight goes."""
        return () if self.weights == "drop" else self.roles.replicate_weights

    @property
    def places(self) -> list[str]:
        """The columns that say what a row is in its linked unit: its role and its time."""
        return [name for name in (self.roles.member_role, self.roles.time) if name is not None]

    @property
    def of_whole_units(self) -> list[str]:
        """Strata and weights, which have one value in all rows of a linked unit; those of a panel may have another in each wave."""
        roles = self.roles
        if not self.is_linked or roles.time is not None:
            return []
        return [*roles.strata, *([] if roles.weight is None else [roles.weight]), *roles.replicate_weights]

    @property
    def is_linked(self) -> bool:
        """Whether it is taken for known which rows are of one unit."""
        return self.linked is True or self.publishes_units

    @property
    def publishes_units(self) -> bool:
        """Whether the unit gets random ids."""
        return self.roles.unit is not None and self.roles.unit in self.roles.random_ids

    def as_dict(self) -> dict[str, Any]:
        """The choices that are not the default, as plain values."""
        chosen = {"k": self.k}
        for f in fields(self):
            value = getattr(self, f.name)
            if f.name not in ("k", "roles") and value != default_of(f) and value is not None:
                chosen[f.name] = _plain(value)
        roles = {name: _plain(columns) for name, columns in self.roles.as_dict().items() if columns}
        return chosen | {"roles": roles}

    def to_toml(self) -> str:
        """The recipe as a TOML document."""
        text: str = load("tomli_w").dumps(self.as_dict())
        return text

    @classmethod
    def from_toml(cls, text: str, folder: Path | None = None) -> Recipe:
        """Read a TOML document; the files that it names lie in this folder, unless their path is a whole one."""
        try:
            choices = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            msg = f"the recipe is not TOML: {re.sub(r'[^ -~]', '?', str(error))}; needed: key = value lines, as `covey recipe` writes"
            raise InputError(msg) from None
        given = choices.get("hierarchy")
        if folder is not None and isinstance(given, dict):
            choices["hierarchy"] = {name: folder / one if is_file(one) else one for name, one in given.items()}
        return cls.from_dict(choices)

    @classmethod
    def from_dict(cls, choices: Mapping[str, Any]) -> Recipe:
        """Build a recipe from plain values; an unknown name is an error."""
        if "k" not in choices and choices.get("k_for"):
            choices = {**choices, "k": next(iter(as_k_for(choices["k_for"], "k_for").values()))}
        if "k" not in choices:
            raise OptionError("k is not given; needed: the least number of records in a group; add k (-k 5)")
        roles, others = split_roles(choices)
        inner = others.pop("roles", {})
        inner = inner.as_dict() if isinstance(inner, Roles) else as_mapping(inner, "roles")
        known, names = ([f.name for f in fields(kind)] for kind in (Roles, cls))
        _refuse_unknown("there is no role {name!r}", inner, known, known)
        _refuse_unknown("there is no choice {name!r} in a recipe", others, names, names + known)
        return cls(roles=Roles(**(inner | roles)), **others)


def read_recipe(path: Path) -> Recipe:
    """Read a recipe file, or the recipe of an internal certificate (.json)."""
    try:
        text = path.read_text(encoding="utf-8")
        return (
            Recipe.from_dict(json.loads(text)["recipe"])
            if path.suffix == ".json"
            else Recipe.from_toml(text, path.parent)
        )
    except (json.JSONDecodeError, KeyError, TypeError):
        raise InputError(f"{str(path)!r} is no internal certificate; needed: one, or a recipe in TOML") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InputError(f"the recipe {str(path)!r} cannot be read: {reason}; needed: a TOML file") from None


def split_roles(choices: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The choices that are roles, and the others."""
    names = {f.name for f in fields(Roles)}
    roles = {name: value for name, value in choices.items() if name in names}
    return roles, {name: value for name, value in choices.items() if name not in names}


def _refuse_unknown(what: str, choices: Mapping[str, Any], fits: Sequence[str], known: Sequence[str]) -> None:
    for name in choices:
        if name not in fits:
            raise OptionError(f"{what.format(name=name)}{did_you_mean(name, known)}; known: {', '.join(known)}")


def _of_each(value: Any, columns: Sequence[str]) -> dict[str, Any]:
    """What is chosen for every column: one for all, or a mapping."""
    if value is None:
        return {}
    return dict(value) if isinstance(value, Mapping) else dict.fromkeys(columns, value)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value if isinstance(value, str | bool | int | float | dt.date) else str(value)

"""`Roles`: what each column is to someone who tries to recognise a record."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from covey.errors import InputError, OptionError, did_you_mean
from covey.recipe import forms
from covey.recipe.choice import Panel, check_choices, choice, with_parameters

if TYPE_CHECKING:
    from collections.abc import Sequence


TWO = (["drop", "unit"], ["random_ids", "unit"], ["random_ids", "strata"])
"""The roles that a column may have together."""


@with_parameters
@dataclass(frozen=True, kw_only=True)
class Roles:
    """The roles of the columns of a table. A column has one role, or two: the unit, or a stratum, may also be an identifier.

    Examples
    --------
    >>> Roles(quasi=("age",), keep=("ward",)).of("ward")
    'keep'
    """

    quasi: tuple[str, ...] = choice(
        forms.columns(),
        Panel.NEEDED,
        "Quasi-identifiers: grouped.",
        "What is known to others about a person or firm.",
        default=(),
    )
    sensitive: tuple[str, ...] = choice(
        forms.columns(), Panel.NEEDED, "Kept as it is, and checked.", "What others would like to learn.", default=()
    )
    drop: tuple[str, ...] = choice(
        forms.columns(),
        Panel.ROLES,
        "Identifiers: not published.",
        "And anything else that is not published.",
        default=(),
    )
    random_ids: tuple[str, ...] = choice(
        forms.columns(), Panel.ROLES, "Identifiers: replaced by random ids.", default=()
    )
    unit: str | None = choice(
        forms.column(),
        Panel.ROLES,
        "Rows belong to these: k counts units.",
        "The person, household or firm that rows belong to. Not published, unless it is also in `random_ids`.",
        default=None,
    )
    strata: tuple[str, ...] = choice(
        forms.columns(),
        Panel.ROLES,
        "Group within these, never across.",
        "The labels are published; random ids in their place, of clusters of a survey for instance, if it is also in `random_ids`.",
        old=("stratum",),
        default=(),
    )
    weight: str | None = choice(
        forms.column(), Panel.ROLES, "The weight: enters the means, never k.", "The sampling weight.", default=None
    )
    replicate_weights: tuple[str, ...] = choice(
        forms.columns(),
        Panel.ROLES,
        "Replicate weights: published as the weight is.",
        "For variances of survey estimates: of each the mean of the group, its own value, or nothing (`weights`). Known to others as the weight is.",
        default=(),
    )
    keep: tuple[str, ...] = choice(forms.columns(), Panel.ROLES, "Published as it is.", default=())
    member_role: str | None = choice(
        forms.column(),
        Panel.ROLES,
        "What a row is in its unit: head, child, ...",
        "Of linked units. Published, and known to others; members are aligned by it.",
        default=None,
    )
    time: str | None = choice(
        forms.column(),
        Panel.ROLES,
        "The wave of a panel, once in each unit.",
        "Of linked units: a number or an order, the same for all units. Published, and known to others; rows are aligned by it.",
        default=None,
    )

    def __post_init__(self) -> None:
        check_choices(self)

    def named(self) -> dict[str, list[str]]:
        """The columns that have a role, with the role or roles they have."""
        roles: dict[str, list[str]] = {}
        for role, columns in self.as_dict().items():
            for column in (columns,) if isinstance(columns, str) else columns or ():
                roles.setdefault(column, []).append(role)
        return roles

    def of(self, column: str) -> str:
        """The role of a column; of a unit or a stratum with random ids: `random_ids`."""
        return min(self.named()[column], key=lambda role: role == "unit")

    def settle(self, columns: Sequence[str], *, drop_rest: bool) -> Roles:
        """Check the roles against the columns of a table; with `drop_rest`, columns without a role are dropped."""
        named = self.named()
        for column, roles in named.items():
            if column not in columns:
                raise unknown_column(column, columns, roles[0])
            if len(roles) > 1 and sorted(roles) not in TWO:
                msg = f"column {column!r} has two roles, {' and '.join(roles)}; needed: one; remove it from the others"
                raise OptionError(msg)
        if not self.quasi:
            msg = "no quasi-identifier is given; needed: at least one column to group by; name it with quasi (--quasi)"
            raise OptionError(msg)
        rest = [column for column in columns if column not in named]
        if rest and not drop_rest:
            raise OptionError(
                f"columns without a role: {', '.join(rest)}; needed: a role for each, which `covey recipe` suggests with reasons; "
                "to publish none of them: drop_rest (--drop-rest)"
            )
        return replace(self, drop=(*self.drop, *rest))

    def as_dict(self) -> dict[str, tuple[str, ...] | str | None]:
        """The roles by name, as they are given to `Roles`."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def unknown_column(column: str, columns: Sequence[str], what: str) -> InputError:
    """The error for a name that no column has, with the nearest one that there is."""
    hint = did_you_mean(column, columns)
    return InputError(
        f"{what} names the column {column!r}, and there is none of that name{hint}; columns: {', '.join(columns)}"
    )

"""`Roles`: what each column is to someone who tries to recognise a record."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from covey.errors import InputError, OptionError, shown

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, kw_only=True)
class Roles:
    """The roles of the columns of a table. A column has one role, or two: the unit may also be an identifier.

    Parameters
    ----------
    quasi
        Quasi-identifiers: known to others about a person or firm. They are grouped.
    sensitive
        What others would like to learn. Kept as it is, and checked.
    drop
        Identifiers and anything else that is not published.
    random_ids
        Identifiers that are replaced by random ids.
    unit
        The person, household or firm that rows belong to: k counts units, not rows. Not published, unless it is also in
        `random_ids`.
    strata
        Records are grouped within strata, never across; the labels are published.
    weight
        The sampling weight. Enters the means, never k.
    keep
        Published as it is.

    Examples
    --------
    >>> Roles(quasi=("age",), keep=("ward",)).of("ward")
    'keep'
    """

    quasi: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    random_ids: tuple[str, ...] = ()
    unit: str | None = None
    strata: tuple[str, ...] = ()
    weight: str | None = None
    keep: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for field in fields(self):
            given = getattr(self, field.name)
            if field.name in ("unit", "weight"):
                if given is not None and not isinstance(given, str):
                    msg = f"{field.name} is {shown(given)}; needed: the name of one column"
                    raise OptionError(msg)
            else:
                object.__setattr__(self, field.name, as_names(given, field.name))

    def named(self) -> dict[str, list[str]]:
        """The columns that have a role, with the role or roles they have."""
        roles: dict[str, list[str]] = {}
        for field in fields(self):
            given = getattr(self, field.name)
            for column in (given,) if isinstance(given, str) else given or ():
                roles.setdefault(column, []).append(field.name)
        return roles

    def of(self, column: str) -> str:
        """The role of a column; of a unit with random ids: `random_ids`."""
        return min(self.named()[column], key=lambda role: role == "unit")

    def settle(self, columns: Sequence[str], *, drop_rest: bool) -> Roles:
        """Check the roles against the columns of a table; with `drop_rest`, columns without a role are dropped."""
        named = self.named()
        for column, roles in named.items():
            if column not in columns:
                raise unknown_column(column, columns, roles[0])
            if len(roles) > 1 and sorted(roles) not in (["drop", "unit"], ["random_ids", "unit"]):
                msg = f"column {column!r} has two roles, {' and '.join(roles)}; needed: one; remove it from the others"
                raise OptionError(msg)
        if not self.quasi:
            msg = "no quasi-identifier is given; needed: at least one column to group by; name it with quasi (--quasi)"
            raise OptionError(msg)
        rest = [column for column in columns if column not in named]
        if rest and not drop_rest:
            msg = (
                f"columns without a role: {', '.join(rest)}; needed: a role for each, which `covey recipe` suggests with reasons; "
                "to publish none of them: drop_rest (--drop-rest)"
            )
            raise OptionError(msg)
        return replace(self, drop=(*self.drop, *rest))

    def as_dict(self) -> dict[str, tuple[str, ...] | str | None]:
        """The roles by name, as they are given to `Roles`."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def as_names(given: object, what: str) -> tuple[str, ...]:
    """A list of column names, without doubles. One name may be given as it is."""
    if given is None:
        return ()
    names = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, list | tuple | set) else None
    if names is not None:
        names = tuple(str(name) if type(name) is int else name for name in names)  # pandas has columns named by numbers
    if names is None or not all(isinstance(name, str) for name in names):
        msg = f"{what} is {shown(given)}; needed: the name of a column or a list of names"
        raise OptionError(msg)
    doubles = sorted({name for name in names if names.count(name) > 1})
    if doubles:
        msg = f"{what} names {', '.join(map(repr, doubles))} more than once; needed: every column once"
        raise OptionError(msg)
    return names


def unknown_column(column: str, columns: Sequence[str], what: str) -> InputError:
    """The error for a name that no column has, with the nearest one that there is."""
    near = difflib.get_close_matches(column, columns, n=1, cutoff=0.5)
    folded = [name for name in columns if name.casefold() == column.casefold()]
    hint = f"; did you mean {(folded or near)[0]!r}?" if folded or near else ""
    return InputError(
        f"{what} names the column {column!r}, and there is none of that name{hint}; columns: {', '.join(columns)}"
    )

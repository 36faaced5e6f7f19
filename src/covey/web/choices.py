"""What was chosen on the page, as a recipe; and each choice with its consequence in a sentence."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from covey.recipe.choice import choices_of
from covey.recipe.recipe import Recipe

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from covey.columns.profile import Column

ROLES = {
    "quasi": ("Quasi-identifier", "Others may know it. At least k records will share each released value."),
    "sensitive": ("Sensitive", "What others would like to learn. Published as it is, and checked in each class."),
    "drop": ("Drop", "Not published."),
    "keep": ("Keep", "Published as it is. Only where nobody outside can know it."),
    "random_ids": ("Random ids", "Replaced by random ids: rows of one person stay together, the name goes."),
    "unit": ("Unit", "Rows with the same value are one person or firm; k counts those. Not published."),
    "unit_ids": (
        "Unit with random ids",
        "Rows with the same value are one person or firm; k counts those, and random ids show which rows belong together.",
    ),
    "strata": ("Stratum", "Records are grouped within the same value, never across; the value is published."),
    "strata_ids": (
        "Stratum with random ids",
        "Records are grouped within the same value, never across; random ids stand for the values, such as clusters of a survey.",
    ),
    "member_role": (
        "Role in the unit",
        "Head, child, ...: published and known to others; members of linked units are aligned by it.",
    ),
    "time": ("Time", "The wave of a panel: published and known to others; rows of linked units are aligned by it."),
    "weight": ("Weight", "The sampling weight: enters the means, never k; the mean of each group is published."),
    "replicate_weights": ("Replicate weight", "For variances of survey estimates: published as the weight is."),
}
BECOMES = {
    "quasi": "Grouped",
    "sensitive": "Published as they are",
    "keep": "Published as they are",
    "strata": "Never grouped across, and published",
    "random_ids": "Replaced by random ids",
    "strata_ids": "Never grouped across, and replaced by random ids",
    "weight": "Weight, published as the mean of each group",
    "replicate_weights": "Weight, published as the mean of each group",
    "unit": "Not published",
    "unit_ids": "Replaced by random ids",
    "member_role": "Published as it is",
    "time": "Published as it is",
    "drop": "Not published",
}
UNITS = ("unit", "unit_ids")
SINGLE = (*UNITS, "weight", "member_role", "time")
MISSING = {
    "own-group": "Records that lack the same columns are grouped among themselves: what is missing stays missing.",
    "coordinate": "Records that lack a value are placed among the others, and get the value of their group.",
    "error": "Nothing is released while a quasi-identifier has missing values.",
}
SMALL = {
    "merge": "A stratum, or a pattern of missing values, below k joins the nearest one.",
    "suppress": "Records of a stratum, or a pattern of missing values, below k are not published.",
    "error": "Nothing is released while a stratum, or a pattern of missing values, is below k.",
}
METHODS = {
    "auto": "The best choice for most tables: exact for one column; for several, groups of near records and then a local search.",
    "mdav": "The standard of the literature: groups of k around the records farthest from the mean. Loses more than auto.",
    "vmdav": "MDAV whose groups grow where records lie close together: better for clustered data.",
    "search": "A long search for the least loss: better than auto by a little, and takes much longer.",
    "pca": "Sorts by the first principal component and groups that line exactly: fast on very large tables.",
    "kmeans": "k-means clusters made to hold at least k: for data with clear clusters.",
    "repeated-ordering": "Groups many random orderings exactly, and joins the best: slow and good.",
}
LEAST_K, MOST_K = 2, 50


@dataclass(frozen=True)
class Settings:
    """What is chosen beside the roles."""

    k: int = 5
    method: str = "auto"
    l_diversity: object = None
    t_closeness: object = None
    """A number for all sensitive columns, or from a recipe one for each."""
    missing: str = "own-group"
    small_strata: str = "merge"
    accept: tuple[str, ...] = ()
    at: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """Choices about single columns (`AT_COLUMN`): column to what was chosen."""
    others: Mapping[str, str] = field(default_factory=dict)
    """Choices of `OTHERS`, as they were typed."""

    def of(self, name: str, column: str) -> object:
        """What was chosen for a column; None where nothing was."""
        return self.at.get(name, {}).get(column)

    def with_choice(self, name: str, column: str, value: object) -> Settings:
        """The settings with a choice about a column; None takes it back.

        >>> Settings().with_choice("top", "income", "99%").with_choice("top", "age", 90).with_choice("top", "age", None).at
        {'top': {'income': '99%'}}
        """
        by_column = {other: held for other, held in self.at.get(name, {}).items() if other != column}
        by_column |= {} if value is None else {column: value}
        rest = {other: columns for other, columns in self.at.items() if other != name}
        return replace(self, at=rest | ({name: by_column} if by_column else {}))


GROUPED, JUDGED = ("quasi",), ("quasi", "sensitive")
LOOKED_AT = tuple(role for role in ROLES if role != "drop")
AT_COLUMN = {
    "nominal": JUDGED,
    "number": GROUPED,
    "ordinal": JUDGED,
    "dates": LOOKED_AT,
    "missing_codes": LOOKED_AT,
    "decimals": GROUPED,
    "importance": GROUPED,
    "top": GROUPED,
    "bottom": GROUPED,
    "zeros_apart": GROUPED,
    "aggregates": GROUPED,
    "hierarchy": GROUPED,
    "grid": GROUPED,
}
"""Choices that are made at a column, and the roles in which they have an effect."""
LISTS = ("nominal", "number", "zeros_apart")
"""Those of them that are a list of columns."""
ON_THE_PAGE = ({f.name for f in fields(Settings)} | {*AT_COLUMN, "drop_rest"}) - {"at", "others"}
OTHERS = {name: found for name, found in choices_of(Recipe).items() if found.is_option and name not in ON_THE_PAGE}
"""The choices that have no place of their own on the page: they are chosen or typed in fields that are made of their descriptions."""


def recipe_of(roles: Mapping[str, str], settings: Settings, columns: Sequence[Column]) -> Recipe:
    """The recipe that the page stands for. Choices that would have no effect are left out of it.

    >>> recipe_of({"age": "quasi", "name": "drop"}, Settings(k=3), []).k
    3
    """
    by_role: dict[str, Any] = {}
    for column, role in roles.items():
        if role in UNITS:
            by_role["unit"] = column
            by_role.setdefault("random_ids", []).extend([column] if role == "unit_ids" else [])
        elif role in SINGLE:
            by_role[role] = column
        elif role == "strata_ids":
            by_role.setdefault("strata", []).append(column)
            by_role.setdefault("random_ids", []).append(column)
        else:
            by_role.setdefault(role, []).append(column)
    given: dict[str, Any] = {"k": settings.k, "method": settings.method, **by_role}
    if has_gaps(roles, columns):
        given["missing"] = settings.missing
    if has_gaps(roles, columns) or "strata" in by_role:
        given["small_strata"] = settings.small_strata
    if "sensitive" in by_role:
        limits = {"l_diversity": settings.l_diversity, "t_closeness": settings.t_closeness}
        given |= {name: value for name, value in limits.items() if value is not None}
    given |= _at_columns(roles, settings)
    published = [name for name in settings.accept if roles.get(name) in ("keep", "sensitive")]
    typed = {name: OTHERS[name].form.from_text(text, name) for name, text in settings.others.items() if text.strip()}
    return Recipe.from_dict(given | typed | ({"accept": published} if published else {}))


def _at_columns(roles: Mapping[str, str], settings: Settings) -> dict[str, Any]:
    """The choices about single columns that have a role in which they have an effect."""
    given: dict[str, Any] = {}
    for name, by_column in settings.at.items():
        fitting = {column: value for column, value in by_column.items() if roles.get(column) in AT_COLUMN[name]}
        if fitting:
            given[name] = list(fitting) if name in LISTS else fitting
    return given


def roles_in_words(roles: Mapping[str, str]) -> dict[str, list[str]]:
    """What becomes of the columns, for a last look before the release.

    >>> roles_in_words({"age": "quasi", "name": "drop", "diagnosis": "sensitive", "visits": "keep"})
    {'Grouped': ['age'], 'Published as they are': ['diagnosis', 'visits'], 'Not published': ['name']}
    """
    told: dict[str, list[str]] = {title: [] for title in BECOMES.values()}
    for column, role in roles.items():
        told[BECOMES[role]].append(column)
    return {title: names for title, names in told.items() if names}


def has_gaps(roles: Mapping[str, str], columns: Sequence[Column]) -> bool:
    """Whether a quasi-identifier has missing values."""
    return any(column.missing and roles.get(column.name) == "quasi" for column in columns)


def give_role(roles: dict[str, str], column: str, role: str) -> None:
    """Give a column its role; of unit and weight there is one, so the column that had it is dropped."""
    if role in SINGLE:
        alike = UNITS if role in UNITS else (role,)
        for other, held in roles.items():
            if held in alike:
                roles[other] = "drop"
    roles[column] = role

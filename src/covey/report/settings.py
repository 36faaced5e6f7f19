"""The settings of a release as its recipe has them, in words: made from the fields of `Recipe`, so that a new one appears by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from covey.columns.hierarchy.declared import is_cuts
from covey.recipe.choice import choices_of, default_of
from covey.recipe.recipe import Recipe
from covey.utils.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from dataclasses import Field

    from covey.columns.hierarchy.declared import Hierarchy

ELSEWHERE = {"roles", "drop_rest", "reasons", "title", "publisher", "k"}
"""What the report shows in places of its own."""
ALWAYS = {"method", "scale", "missing"}
"""What is said although it was not changed: users of a public file need it."""
PRIVATE = {"entropy", "seed", "edits", "refuse_exposed", "note_exposed", "refuse_links", "accept"}
"""What no public report says: secrets, and what was decided with a look at the original."""
SPELT_OUT = {
    *("aggregates", "k_for", "decimals", "importance", "dates", "top", "bottom", "options"),
    *("p_percent", "dominance", "l_diversity", "t_closeness", "alpha", "spread"),
}
"""Mappings whose values are no values of the data. Of all others a public report names the columns alone."""


LONGEST = 200
"""Of a value, such as a hierarchy, so many letters are shown."""
WORDS = {
    ("missing", "error"): "not allowed: no quasi-identifier was missing",
    ("missing", "own-group"): "grouped among themselves, by which columns are missing, and left missing",
    ("missing", "coordinate"): "grouped with the others and replaced by the values of their groups",
    ("small_units", "suppress"): "not published",
    ("small_units", "cut"): "cut back to times that at least k units have; those that have none, not published",
    ("scale", "zscore"): "in standard deviations of each column",
    ("scale", "range"): "in ranges of each column",
    ("scale", "rank"): "in ranks of each column",
}
"""What some values mean, where their names do not say it."""
MEANINGS = {
    "suppress": "At most so many records, or that share, those that cost most, are not published (or without quasi-identifiers); none, or at least k of a stratum.",
    "p_percent": "No published mean lets anybody know the largest amount of its group within so many percent (p % rule).",
    "edits": "Rules that hold after rounding.",
    "small_units": "Whole units that have as many rows of each kind (role, time, stratum, pattern of missing values) as fewer than k others.",
}
"""What choices are, where their help is an example."""


@dataclass(frozen=True)
class Setting:
    """A choice, its value, and what it is."""

    name: str
    value: str
    public_value: str | None
    """What a public report says; None where it says nothing."""
    meaning: str

    def as_dict(self) -> dict[str, str]:
        """Plain values."""
        return {"name": self.name, "value": self.value, "meaning": self.meaning}


def settings_of(recipe: Recipe) -> list[Setting]:
    """Every choice that was made, and those that a reader needs to know in any case."""
    described = choices_of(Recipe)
    settings = []
    for field in fields(Recipe):
        value = getattr(recipe, field.name)
        if field.name in ELSEWHERE or field.name == "entropy" or not _is_said(field, value):
            continue
        text = WORDS.get((field.name, value)) if isinstance(value, str) else None
        if field.name == "hierarchy":
            value = {name: _in_short(hierarchy) for name, hierarchy in value.items()}
        text = _text(value) if text is None else text
        public = _text(list(value)) if _may_hold_values(field.name, value) else text
        meaning = MEANINGS.get(field.name) or described[field.name].sentence
        settings.append(Setting(field.name, text, None if field.name in PRIVATE else public, meaning))
    return settings


def kinds_of(kinds: Mapping[str, str], recipe: Recipe) -> dict[str, list[str]]:
    """What the quasi-identifiers were taken for, in words, and the columns of each."""
    words = {
        "nominal": "categories",
        "ordinal": "ordered categories",
        "boolean": "yes or no",
        "time": "dates or times",
        "hierarchy": "a hierarchy",
    }
    columns: dict[str, list[str]] = {}
    for name, kind in kinds.items():
        columns.setdefault(words.get(kind, "numbers"), []).append(name)
    codes = [name for name in recipe.number if name in kinds]
    return columns | ({"numbers although they look like codes": codes} if codes else {})


def _in_short(hierarchy: Hierarchy) -> str:
    """Of a hierarchy that is spelt out, how many values and levels it has: the recipe holds all of it."""
    if isinstance(hierarchy, str) or is_cuts(hierarchy):
        return _text(hierarchy)
    levels = max((len(row) for row in hierarchy), default=1) - 1
    return f"{counted(len(hierarchy), 'value')}, {counted(levels, 'level')} above them"


def _is_said(field: Field[object], value: object) -> bool:
    return field.name in ALWAYS or (value is not None and value != default_of(field))


def _may_hold_values(name: str, value: object) -> bool:
    return isinstance(value, Mapping) and name not in SPELT_OUT


def _text(value: object) -> str:
    """A choice as text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {_text(inner)}" for name, inner in value.items())
    if isinstance(value, list | tuple):
        return _listed(value)
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def _listed(values: Sequence[object]) -> str:
    nested = any(isinstance(value, list | tuple) for value in values)
    return ("; " if nested else ", ").join(_text(value) for value in values)

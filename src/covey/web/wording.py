"""Words of the page: choices by the titles that they have there, and errors and notes without parameters and options."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from covey.recipe.choice import choices_of
from covey.recipe.recipe import Recipe
from covey.recipe.roles import Roles

if TYPE_CHECKING:
    from collections.abc import Iterable

TITLES = {
    "accept": "Publish all the same",
    "aggregates": "What a group publishes",
    "allow_blocks": "Allow a lower k for all blocks together",
    "alpha": "Largest share of one sensitive value",
    "blocks": "Columns that are grouped by themselves",
    "bottom": "Lowest value told apart",
    "categories": "Distances between categories",
    "dates": "Order of day, month and year",
    "decimals": "Decimals",
    "derive": "Columns computed from the released rows of a unit",
    "diversity": "How different values are counted",
    "dominance": "Largest share of the largest members",
    "drop_rest": "Drop columns without a role",
    "edits": "Rules between columns",
    "grid": "Rounded to multiples of",
    "hierarchy": "Levels above the values",
    "importance": "How much the column counts",
    "k_for": "Ask k of every so many columns only",
    "l_diversity": "Different values in each class (l)",
    "linked": "Others see which rows are of one unit",
    "max_rows": "Most rows of a unit",
    "merge_roles": "Roles in the unit that are joined",
    "missing": "Missing values",
    "missing_codes": "Values that stand for a missing one",
    "nominal": "Codes",
    "note_exposed": "Share of exposed records that is noted",
    "number": "Amounts",
    "options": "Options of the method",
    "ordinal": "Ordered categories",
    "p_percent": "Distance to the largest member (p % rule)",
    "penalty": "How far away a missing value lies",
    "publisher": "Who publishes the data",
    "quasi": "Quasi-identifiers",
    "reasons": "Reasons for the roles",
    "recursive_c": "The c of recursive diversity",
    "refuse_exposed": "Share of exposed records that is refused",
    "refuse_links": "Share of linked units that is refused",
    "refuse_own_values": "Refuse values that are one member's own",
    "round_weights": "Kept weights are multiples of",
    "scale": "How columns become comparable",
    "seed": "Seed",
    "sensitive": "Sensitive columns",
    "shuffle": "Rows leave in random order",
    "small_strata": "Small strata",
    "small_units": "Units with a rare composition",
    "spread": "Spread of sensitive numbers",
    "suppress": "Records to leave out",
    "suppress_cells": "Publish these without quasi-identifiers",
    "t_closeness": "Distance of a class from the whole (t)",
    "title": "What the data are",
    "top": "Highest value told apart",
    "trim": "Share that a trimmed mean cuts",
    "unit_columns": "Columns with one value a unit",
    "weights": "What becomes of the weight",
    "zeros_apart": "Zeros are grouped among themselves",
}
_NETWORK = {
    "lower": "Smallest cluster",
    "upper": "Largest cluster",
    "connected": "The edges inside connect each cluster",
    "time_limit": "Seconds to look for better clusters",
    "small_components": "Small components",
    "counts": "Counts of edges",
    "follow_directions": "Distances follow directions",
}
WORDS = {
    "own-group": "grouped among themselves",
    "coordinate": "placed among the others",
    "error": "not allowed",
    "merge": "joined with the nearest",
    "suppress": "left out",
    "zscore": "by their standard deviation",
    "range": "by their range",
    "rank": "by ranks",
    "match": "equal or not",
    "round": "rounded",
    "exact": "exact",
    "frequency": "by how frequent they are",
    "distinct": "that many different values",
    "group": "the mean of the group is published",
    "keep": "published as it is",
    "drop": "not published",
    "true": "yes",
    "false": "no",
}
"""Words that may be chosen, as the page says them."""
_CHOICES = frozenset(choices_of(Roles, Recipe))
_OPTION = re.compile(r"-{2}([a-z](?:[a-z-]*[a-z])?)")
_ASIDE = re.compile(r" \((?P<inside>[^()]*)\)(?!-)")
_SEE = re.compile(r"(?:: see| See) `covey[\w.]*`(?=\.|$)")
_COMMAND = re.compile(r"`?covey (release|check|recipe|compare|network|web)\b[^`;,.)]*`?")
_NAME = re.compile(r"(?<![\w'\"])`?(?P<name>[a-z]+(?:_[a-z]+)+)`?(?![\w'\"])")
_TICKED = re.compile(r"`(?P<name>[a-z_]+)`")
_FIRST = re.compile(r"^`?(?P<name>[a-z_]+)`?(?P<more>=| is | names | has | of | and )")


def title_of(name: str) -> str:
    """What a choice is called on the page.

    >>> title_of("small_strata"), title_of("k"), title_of("how_often")
    ('Small strata', 'k', 'How often')
    """
    words = name.replace("_", " ")
    return TITLES.get(name) or _NETWORK.get(name) or (words if len(words) == 1 else words[:1].upper() + words[1:])


def in_words(choices: Iterable[str]) -> dict[str, str]:
    """Words that may be chosen, each with what the page says for it.

    >>> in_words(["merge", "auto"])
    {'merge': 'joined with the nearest', 'auto': 'auto'}
    """
    return {word: WORDS.get(word, word) for word in choices}


def as_sentence(text: str) -> str:
    """An error or a note as the page says it: choices by their titles there, and no option of the command line.

    >>> as_sentence("l_diversity is 1; needed: a number, 2 or more")
    'Different values in each class (l) is 1; needed: a number, 2 or more'
    >>> as_sentence("the table has gaps; choose a rule for them (missing, --missing)")
    'The table has gaps; choose a rule for them'
    """
    text = _COMMAND.sub("the command line", text)
    text = _SEE.sub("", text).replace("..", ".")
    text = _ASIDE.sub(_kept_aside, text)
    text = _OPTION.sub(lambda option: _quoted(option[1].replace("-", "_")), text)
    text = _FIRST.sub(_first_name, text)
    for names in (_TICKED, _NAME):
        text = names.sub(lambda name: _quoted(name["name"]) if _is_choice(name["name"]) else name[0], text)
    return text if " " in text[:2] else text[:1].upper() + text[1:]


def _is_choice(name: str) -> bool:
    return name in _CHOICES or name in _NETWORK


def _quoted(name: str) -> str:
    return f"“{title_of(name)}”"


def _first_name(start: re.Match[str]) -> str:
    name, more = start["name"], start["more"]
    return title_of(name) + (": " if more == "=" else more) if _is_choice(name) else start[0]


def _kept_aside(aside: re.Match[str]) -> str:
    """What stands in brackets, unless it only names choices or options."""
    inside = aside["inside"]
    names_choices = all(_is_choice(part.partition("=")[0]) for part in inside.split(", "))
    return "" if "--" in inside or inside.startswith("-k") or names_choices else aside[0]

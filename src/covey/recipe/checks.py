"""Choices that would have no effect, cannot go together, or do not fit their columns are errors, whatever the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from covey.columns.aggregation import aggregates_for
from covey.columns.coordinates import MOST_CORNERS
from covey.columns.values import AMOUNTS, NUMBERS, Kind
from covey.errors import OptionError, shown
from covey.recipe.few import check_few
from covey.recipe.roles import unknown_column
from covey.recipe.values import as_number
from covey.utils.arrow import decoded_type, is_text
from covey.utils.notes import Note, NoteKind

if TYPE_CHECKING:
    from covey.recipe.recipe import Recipe
    from covey.utils.arrow import DataType


def check_together(recipe: Recipe) -> None:
    """An error for choices that contradict each other, whatever the table."""
    as_number(recipe.note_exposed, "note_exposed", 1e-9, recipe.refuse_exposed)
    _check_diversity(recipe)
    _check_suppress(recipe)
    check_few(recipe)
    flat = [column for block in recipe.blocks for column in block]
    if recipe.blocks and (sorted(flat) != sorted(recipe.roles.quasi) or not all(recipe.blocks)):
        msg = "the blocks do not hold every quasi-identifier once; needed: each in exactly one block; change blocks"
        raise OptionError(msg)


def _check_suppress(recipe: Recipe) -> None:
    """An error for records that are to be left out in a way that would tell of them, or that nobody counts."""
    if recipe.suppress is None:
        return
    if isinstance(recipe.suppress, int) and recipe.suppress < recipe.k:
        raise OptionError(
            f"suppress is {recipe.suppress}, and k is {recipe.k}; needed: at least k, since the absence of fewer would give each of them away; choose a "
            "larger budget, or leave it out"
        )
    others = {
        "several blocks": len(recipe.blocks) > 1,
        "linked units": recipe.is_linked,
        "missing = coordinate beside suppress_cells": recipe.suppress_cells and recipe.missing == "coordinate",
        "edit rules beside suppress_cells": recipe.suppress_cells and bool(recipe.edits),
    }
    for what, given in others.items():
        if given:
            raise OptionError(f"suppress is given beside {what}, which do not go together; leave one of them out")


def _check_diversity(recipe: Recipe) -> None:
    entropy = recipe.diversity == "entropy"
    limits = recipe.l_diversity if isinstance(recipe.l_diversity, Mapping) else {"": recipe.l_diversity}
    for column, limit in limits.items():
        label = f"l_diversity of {column!r}" if column else "l_diversity"
        if limit is not None and as_number(limit, label, 1.0 + 1e-9 if entropy else 2.0) != int(limit) and not entropy:
            raise OptionError(f"{label} is {shown(limit)}; needed: a whole number of 2 or more, or diversity = entropy")
    if (recipe.diversity == "recursive") != (recipe.recursive_c is not None):
        raise OptionError("recursive_c and diversity = recursive go together; needed: both or neither")
    if recipe.diversity != "distinct" and recipe.l_diversity is None:
        msg = f"diversity is {recipe.diversity!r}, and l_diversity is not given, so that has no effect; leave it out"
        raise OptionError(msg)


def _check_linked(recipe: Recipe) -> None:
    """An error for choices about linked units where there are none, and for links that are denied and published."""
    roles = recipe.roles
    if recipe.linked is False and recipe.publishes_units:
        raise OptionError(
            f"linked is false, and the ids of the unit {roles.unit!r} are published, which link its rows; drop the unit, or leave linked out"
        )
    if recipe.linked is not None and roles.unit is None:
        raise OptionError(
            "linked is given, and no unit is; needed: the column that says whose the rows are (unit, --unit)"
        )
    asked = {
        "member_role": roles.member_role is not None,
        "time": roles.time is not None,
        "unit_columns": bool(recipe.unit_columns),
        "small_units": recipe.small_units != "error",
        "max_rows": recipe.max_rows is not None,
        "derive": bool(recipe.derive),
        "an edit rule of roles": bool(recipe.rules_of_units),
    }
    for name, given in asked.items():
        if given and not recipe.is_linked:
            raise OptionError(
                f"{name} is given, and has no effect without linked units; publish ids of the unit (random_ids), or say that its rows can "
                "be linked (linked, --linked)"
            )
    if recipe.rules_of_units and roles.member_role is None:
        raise OptionError(
            "an edit rule is of roles, and there is no member_role; needed: the column of roles (member_role, --member-role)"
        )
    if recipe.small_units == "cut" and roles.time is None:
        raise OptionError(
            "small_units is cut, which is for panels, and there is no time; needed: the column of waves (time, --time); members of households "
            "are never dropped: leave their units out (suppress), or merge roles"
        )
    if recipe.merge_roles and roles.member_role is None:
        raise OptionError("merge_roles is given, and has no effect without a member_role; leave it out")
    _check_derived(recipe)
    if recipe.refuse_links != 0.1 and (roles.unit is None or recipe.is_linked):
        raise OptionError(
            "refuse_links is given, and has no effect without a unit whose rows are not linked; leave it out"
        )


def _check_derived(recipe: Recipe) -> None:
    """An error for derived columns that have a role, and for those of roles or columns that there are not."""
    roles = recipe.roles
    for name, derived in recipe.derived.items():
        others = [role for role in roles.named().get(name, []) if role != "drop"]
        if others:
            raise OptionError(
                f"derive names {name!r}, which is also {others[0]}; needed: one of them; leave the other out"
            )
        if derived.roles and roles.member_role is None:
            raise OptionError(
                f"the derived column {name!r} is of a role, and there is no member_role; needed: the column of roles (member_role, --member-role)"
            )
        if derived.column is not None and derived.column not in roles.quasi:
            raise OptionError(
                f"the derived column {name!r} is of {derived.column!r}; needed: a quasi-identifier, whose released values it is made from"
            )


def check_effects(recipe: Recipe, columns: Sequence[str]) -> None:
    """An error for a choice about a column that has another role, and for a choice that does nothing."""
    _check_roles(recipe, columns)
    kinds = [*recipe.nominal, *recipe.ordinal, *recipe.number, *recipe.hierarchy]
    kinds += [name for name in recipe.grid if name in kinds]
    both = sorted({name for name in kinds if kinds.count(name) > 1})
    if both:
        msg = (
            f"{', '.join(both)} are declared to be of two kinds; needed: one of nominal, ordinal, number and hierarchy"
        )
        raise OptionError(msg)
    _check_linked(recipe)
    _check_medoids(recipe)
    _check_idle(recipe)


def _check_medoids(recipe: Recipe) -> None:
    """An error for a member's combination where groups of units, or missing values beside others, have none."""
    if "medoid" not in recipe.aggregates.values():
        return
    if recipe.is_linked:
        raise OptionError(
            "an aggregate is medoid, which publishes the values of one record, and linked units are grouped as wholes; use mode"
        )
    if recipe.missing == "coordinate":
        raise OptionError(
            "an aggregate is medoid, and missing values have a place among others (missing = coordinate), so that a combination may lack "
            "some; use missing = own-group, or the aggregate mode"
        )


def _check_roles(recipe: Recipe, columns: Sequence[str]) -> None:
    """An error for a choice about a column that has another role."""
    roles = recipe.roles
    for name in ("zeros_apart", "importance", "aggregates", "decimals"):
        _check_columns(name, list(getattr(recipe, name)), roles.quasi, "a quasi-identifier", columns)
    published = (*roles.quasi, *roles.keep, *roles.sensitive)
    for name in ("top", "bottom", "grid"):
        what = "a quasi-identifier, kept or sensitive"
        _check_columns(name, list(getattr(recipe, name)), published, what, columns)
    _check_columns("unit_columns", recipe.unit_columns, roles.quasi, "a quasi-identifier", columns)
    _check_columns("number", recipe.number, roles.quasi, "a quasi-identifier", columns)
    _check_columns("hierarchy", list(recipe.hierarchy), roles.quasi, "a quasi-identifier", columns)
    for name in ("missing_codes", "dates"):
        _check_columns(name, list(getattr(recipe, name)), recipe.read_columns, "in a role that is looked at", columns)
    for name in ("nominal", "ordinal"):
        judged = (*roles.quasi, *roles.sensitive)
        _check_columns(name, list(getattr(recipe, name)), judged, "a quasi-identifier or sensitive", columns)
    _check_requirements(recipe, columns)
    _check_columns("accept", recipe.accept, (*roles.keep, *roles.sensitive), "kept or sensitive", columns)
    _check_columns("reasons", list(recipe.reasons), list(roles.named()), "given a role", columns)


def _check_idle(recipe: Recipe) -> None:
    """An error for a choice that does nothing beside the others."""
    roles = recipe.roles
    idle = {
        "round_weights": (recipe.round_weights is not None and recipe.weights != "keep", "weights = keep"),
        "allow_blocks": (recipe.allow_blocks and len(recipe.blocks) < 2, "two blocks or more"),
        "replicate_weights": (bool(roles.replicate_weights) and roles.weight is None, "a weight"),
        "weights": (recipe.weights != "group" and roles.weight is None, "a weight"),
        "suppress_cells": (recipe.suppress_cells and recipe.suppress is None, "suppress"),
        "trim": (recipe.trim != 0.1 and "trimmed-mean" not in recipe.aggregates.values(), "an aggregate trimmed-mean"),
        "penalty": (recipe.penalty != 2.0 and recipe.missing != "coordinate", "missing = coordinate"),
    }
    for name, (useless, needs) in idle.items():
        if useless:
            raise OptionError(f"{name} is given, and has no effect without {needs}; leave it out")
    if roles.weight and len(recipe.blocks) > 1 and recipe.weights == "group":
        raise OptionError("a weight belongs to one grouping, and several blocks are given; set weights to drop or keep")


def check_kinds(recipe: Recipe, kinds: Mapping[str, Kind]) -> None:
    """An error for choices that quasi-identifiers of these kinds do not have."""
    idle = [name for name in recipe.decimals if kinds[name] not in ("float", "decimal")]
    if idle:
        raise OptionError(f"decimals names {', '.join(idle)}, which have none, so that has no effect; leave them out")
    others = [name for name in recipe.number if kinds[name] not in NUMBERS]
    if others:
        msg = f"number names {', '.join(others)}, which hold no numbers; needed: columns of numbers; leave them out"
        raise OptionError(msg)
    for name in recipe.zeros_apart:
        if kinds[name] not in AMOUNTS:
            raise OptionError(f"zeros_apart names {name!r}, which is {kinds[name]}; needed: numbers")
    for name, how in recipe.aggregates.items():
        known = aggregates_for(kinds[name])
        if how not in known:
            msg = f"the aggregate of {name!r} is {how!r}, and the column is {kinds[name]}; needed: one of {', '.join(known)}"
            raise OptionError(msg)
    for name, derived in recipe.derived.items():
        fits = NUMBERS if derived.how in ("min", "max") else AMOUNTS
        if derived.column is not None and kinds[derived.column] not in fits:
            raise OptionError(
                f"the derived column {name!r} is the {derived.how} of {derived.column!r}, which is {kinds[derived.column]}; needed: numbers"
            )
    if recipe.categories != "match" and not {"nominal", "boolean"} & {*kinds.values()}:
        raise OptionError(
            "categories is given, and no quasi-identifier is an unordered category, so that has no effect; leave it out"
        )


def category_notes(recipe: Recipe, numbers: Mapping[str, int]) -> list[Note]:
    """What to say of columns of unordered categories, with a hierarchy or without, by how many they have."""
    return [
        Note(
            NoteKind.DISTANCES,
            f"column {name!r} has {number} categories: distances between them are approximate, a projection to "
            f"{MOST_CORNERS} coordinates",
        )
        for name, number in numbers.items()
        if (
            number > MOST_CORNERS + 1
            if name in recipe.hierarchy
            else number > MOST_CORNERS and recipe.categories == "match"
        )
    ]


def label_notes(recipe: Recipe, types: Mapping[str, DataType]) -> list[Note]:
    """What to say of columns with a hierarchy, by the types that they came in."""
    changed = [name for name, kind in types.items() if not is_text(decoded_type(kind))]
    texts = [
        f"column {name!r} was of type {types[name]} and is published as text: labels of its hierarchy"
        for name in changed
    ]
    false = [name for name in recipe.hierarchy if recipe.aggregates.get(name, "ancestor") != "ancestor"]
    notes = [Note(NoteKind.TYPES, text) for text in texts]
    if false:
        listed = ", ".join(f"{name} ({recipe.aggregates[name]})" for name in false)
        notes.append(
            Note(
                NoteKind.LABELS,
                f"published labels may not contain the true value of some records: {listed}",
                public=True,
            )
        )
    return notes


def _check_requirements(recipe: Recipe, columns: Sequence[str]) -> None:
    for name in ("l_diversity", "alpha", "t_closeness", "spread", "p_percent", "dominance"):
        given = getattr(recipe, name)
        if given is None or (name == "spread" and not given):
            continue
        if given == {}:
            raise OptionError(f"{name} is an empty mapping, so that has no effect; leave it out")
        if name in ("p_percent", "dominance"):
            named = list(given) if isinstance(given, Mapping) else []
            _check_columns(name, named, recipe.roles.quasi, "a quasi-identifier", columns)
            continue
        if not recipe.roles.sensitive:
            raise OptionError(
                f"{name} is given, and no column is sensitive; needed: the column it is about (sensitive, --sensitive)"
            )
        if not isinstance(given, int | float):
            _check_columns(name, list(given), recipe.roles.sensitive, "sensitive", columns)
    if recipe.requirements and len(recipe.blocks) > 1:
        raise OptionError(
            "requirements on sensitive columns and several blocks are given, and groups of one block say nothing of those of "
            "another; needed: one grouping; leave out the blocks"
        )


def _check_columns(name: str, chosen: Sequence[str], fits: Sequence[str], what: str, columns: Sequence[str]) -> None:
    for column in chosen:
        if column not in columns:
            raise unknown_column(column, columns, name)
        if column not in fits:
            raise OptionError(f"{name} names {column!r}, which is not {what}, so that has no effect; leave it out")

"""Whether `k_for`, the k of every few columns, goes with the other choices."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

from covey.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from covey.recipe.recipe import Recipe

MOST_COMBINATIONS = 5000
"""Each is counted many times."""


def check_few(recipe: Recipe) -> None:
    """An error for columns that cannot be taken a few at a time, and for what nobody counts then."""
    if not recipe.k_for:
        return
    (k,) = recipe.k_for.values()
    if k != recipe.k:
        raise OptionError(f"k is {recipe.k}, and k_for asks for {k}; needed: the same; give k_for alone")
    check_few_of(recipe.k_for, recipe.roles.quasi)
    _check_columns_of_few(recipe)
    for what, given in _others(recipe).items():
        if given:
            raise OptionError(f"k_for is given beside {what}, which do not go together; leave one of them out")


def check_few_of(k_for: Mapping[int, int], quasi: Sequence[str]) -> None:
    """An error for more columns than there are, and for more combinations of them than are counted."""
    few = next(iter(k_for), 0)
    if few and quasi and few >= len(quasi):
        raise OptionError(
            f"k_for is for every {few} columns, and there are {len(quasi)} quasi-identifiers; needed: fewer columns than there are; leave k_for "
            "out, which asks k of all"
        )
    if comb(len(quasi), few) > MOST_COMBINATIONS:
        raise OptionError(
            f"k_for is for every {few} of {len(quasi)} columns, which are {comb(len(quasi), few)} combinations; needed: at most "
            f"{MOST_COMBINATIONS}; ask for fewer columns"
        )


def _check_columns_of_few(recipe: Recipe) -> None:
    without = [name for name in recipe.roles.quasi if name not in recipe.hierarchy]
    if without:
        raise OptionError(
            f"k_for is given, and {', '.join(without)} have no hierarchy; needed: one for each quasi-identifier (hierarchy), for numbers cuts, since "
            "labels go up it until k share them"
        )
    others = [name for name, how in recipe.aggregates.items() if how != "ancestor"]
    if others:
        raise OptionError(
            f"k_for is given, and the aggregate of {others[0]!r} is no ancestor; needed: ancestor; leave it out"
        )


def _others(recipe: Recipe) -> dict[str, bool]:
    """What does not go with columns that are taken a few at a time, and whether it is given."""
    return {
        "blocks": bool(recipe.blocks),
        "strata": bool(recipe.roles.strata),
        "small_strata": recipe.small_strata != "error",
        "a unit": recipe.roles.unit is not None,
        "a weight": recipe.roles.weight is not None,
        "suppress": recipe.suppress is not None,
        "missing values that are allowed (missing)": recipe.missing != "error",
        "zeros_apart": bool(recipe.zeros_apart),
        "edit rules": bool(recipe.edits),
        "requirements on sensitive columns": bool(recipe.requirements),
        "p_percent": recipe.p_percent is not None,
        "dominance": recipe.dominance is not None,
    }

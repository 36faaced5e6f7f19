"""`Choices`: the choices of a release as keyword arguments with types, for those who complete names and check types."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields
from inspect import Parameter
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from covey.recipe.choice import default_of
from covey.recipe.recipe import Recipe
from covey.recipe.roles import Roles

if TYPE_CHECKING:
    from covey.columns.aggregation import Aggregate
    from covey.columns.coordinates import Categories, Scale
    from covey.core.requirement import Diversity
    from covey.recipe.fields import Missing, SmallStrata, SmallUnits, WeightRule

Names = str | Collection[str | int]
"""The name of a column, or several; pandas has columns named by numbers."""
Function = TypeVar("Function", bound=Callable[..., Any])


class Choices(TypedDict, total=False):
    """The fields of `Roles` and of `Recipe` but for k: lists where those keep tuples, one name where several may be given."""

    quasi: Names
    sensitive: Names
    drop: Names
    random_ids: Names
    unit: str | None
    strata: Names
    weight: str | None
    replicate_weights: Names
    keep: Names
    member_role: str | None
    time: str | None
    roles: Roles | Mapping[str, Any]
    drop_rest: bool
    accept: Names
    refuse_exposed: float
    note_exposed: float
    linked: bool | None
    refuse_links: float
    unit_columns: Names
    merge_roles: Mapping[str, str]
    small_units: SmallUnits
    max_rows: int | None
    derive: Mapping[str, str]
    nominal: Names
    ordinal: Mapping[str, Names]
    hierarchy: Mapping[str, Any]
    number: Names
    missing_codes: Mapping[str, Names]
    dates: Mapping[str, str]
    missing: Missing
    penalty: float
    small_strata: SmallStrata
    suppress: int | str | None
    suppress_cells: bool
    scale: Scale
    categories: Categories
    importance: Mapping[str, float]
    method: str
    options: Mapping[str, Any]
    seed: int | None
    aggregates: Mapping[str, Aggregate]
    trim: float
    decimals: Mapping[str, int]
    weights: WeightRule
    round_weights: float | None
    top: Mapping[str, Any]
    bottom: Mapping[str, Any]
    grid: Mapping[str, float]
    zeros_apart: Names
    edits: Names
    blocks: Sequence[Names]
    allow_blocks: bool
    k_for: Mapping[int, int]
    p_percent: float | Mapping[str, float] | None
    dominance: Sequence[float] | Mapping[str, Sequence[float]] | None
    refuse_own_values: bool
    l_diversity: float | Mapping[str, float] | None
    diversity: Diversity
    recursive_c: float | None
    alpha: float | str | Mapping[str, float | str] | None
    t_closeness: float | Mapping[str, float] | None
    spread: Mapping[str, float]
    reasons: Mapping[str, str]
    title: str | None
    publisher: str | None
    shuffle: bool
    entropy: str | None


def names_choices(function: Function) -> Function:
    """The same function, whose signature shows every choice in place of `**choices`, also where it is looked at by a program."""
    defaults = {f.name: default_of(f) for kind in (Roles, Recipe) for f in fields(kind)}
    signature = inspect.signature(function)
    own = [parameter for parameter in signature.parameters.values() if parameter.kind != Parameter.VAR_KEYWORD]
    chosen = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=defaults[name], annotation=kind.__forward_arg__)
        for name, kind in Choices.__annotations__.items()
    ]
    function.__signature__ = signature.replace(parameters=[*own, *chosen])  # type: ignore[attr-defined]
    return function

"""The columns whose values are domains, row by row before and after, and the rows that no figure may hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.columns.own_values import USUAL_P
from covey.columns.values import NUMBERS, read_values
from covey.errors import OptionError
from covey.utility.domains import Domain, DomainFigure, by_domain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from covey.columns.values import Values
    from covey.evidence import Evidence
    from covey.protect.context import Context
    from covey.recipe.recipe import Recipe
    from covey.utils.typing import Codes

PUBLISHED = ("quasi", "strata", "keep", "sensitive")


def check_domains(names: Sequence[str], recipe: Recipe, columns: Mapping[str, Values]) -> None:
    """An error where a column of domains is not published, or holds numbers."""
    for name in names:
        role = recipe.roles.of(name) if name in recipe.roles.named() else None
        if role not in PUBLISHED:
            raise OptionError(
                f"domains names {name!r}, which is not a published column; needed: columns of {', '.join(PUBLISHED)}"
            )
        if name in columns and columns[name].kind in NUMBERS:
            raise OptionError(
                f"domains names {name!r}, whose values are numbers or times; needed: columns of categories"
            )


def domain_figures(
    context: Context, released: Mapping[str, Values], evidence: Evidence, names: Sequence[str]
) -> list[DomainFigure]:
    """The figures of all domains that may be shown: none that holds a record whose values were coded or suppressed."""
    left_out = np.zeros(len(context.rows), dtype=bool)
    for name, column in context.columns.items():
        coded = column.physical != context.uncoded[name].physical
        left_out |= coded | (context.uncoded[name].valid & ~released[name].valid)
    suppressed = np.ones(context.table.num_rows, dtype=bool)
    suppressed[context.rows] = False
    domains = {}
    for name in names:
        column = read_values(name, context.table.column(name), nominal=True)
        codes = np.where(column.valid, column.physical, -1)
        texts = [str(value) for value in column.categories.to_pylist()]
        after = _codes_after(released[name], texts) if name in released else codes[context.rows]
        domains[name] = Domain(codes[context.rows], after, texts, frozenset(codes[suppressed].tolist()))
    given = context.recipe.p_percent
    p = given if isinstance(given, float | int) else USUAL_P
    return by_domain(evidence, domains, left_out, float(p))


def _codes_after(released: Values, texts: list[str]) -> Codes:
    """The released values of a column as numbers of the original ones."""
    number = {text: code for code, text in enumerate(texts)}
    codes = np.array([number.get(str(value), -1) for value in released.categories.to_pylist()] or [-1], dtype=np.int64)
    return np.where(released.valid, codes[released.physical], -1)

"""`Certificate`: what was counted on the release, in a form for everyone and a form for the publisher."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.utils.version import version

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from covey.core.requirement import Requirement
    from covey.protect.facts import Facts
    from covey.recipe.recipe import Recipe
    from covey.recount.classes import Recount
    from covey.recount.few_columns import OfFew
    from covey.recount.requirements import Order
    from covey.utils.seal import Seal

NOTHING_ELSE = "Nothing is promised about other columns, other knowledge or what all members of a group share."


def promise(recipe: Recipe, k: int, checked: Sequence[Requirement] = (), of_few: OfFew | None = None) -> str:
    """What was counted, in words, and what was checked on the original amounts."""
    what = "units" if recipe.roles.unit else "records"
    of_blocks = recipe.k if recipe.blocks else None
    asked, seen = list(map(str, recipe.requirements)), list(map(str, checked))
    return promise_of(k, what, recipe.counted, asked, seen, of_blocks, linked=recipe.is_linked, of_few=of_few)


def promise_of(
    k: int,
    what: str,
    columns: Sequence[str],
    asked: Sequence[str],
    checked: Sequence[str],
    of_blocks: int | None,
    *,
    linked: bool,
    of_few: OfFew | None = None,
) -> str:
    """The same from what a certificate holds; `of_blocks` is the k of every block of columns by itself, and `of_few` that of every few columns, where there are some."""
    of = " of any or all rows of a unit" if linked else ""
    text = f"k-anonymity with k = {k}: nobody can single out fewer than {k} {what} by {', '.join(columns)}{of} alone."
    if of_few is not None:
        text = (
            f"k-anonymity with k = {of_few.k} for every {of_few.columns} columns, not for all: nobody can single out fewer than {of_few.k} {what} "
            f"by any {of_few.columns} of {', '.join(columns)}. Who knows all of these together can single out {k}."
        )
    if asked:
        text += f" Every class has {'; '.join(asked)}."
    if checked:
        text += (
            f" Checked on the original amounts, which a release does not show: every group has {'; '.join(checked)}."
        )
    if of_blocks is not None:
        text += f" Each block of columns by itself has k = {of_blocks} or more."
    return f"{text} {NOTHING_ELSE}"


class TwoForms:
    """What was counted: `public` may be handed out, `internal` must not."""

    public: dict[str, Any]
    internal: dict[str, Any]

    def to_json(self, *, internal: bool = False) -> str:
        """The certificate as JSON."""
        return json.dumps(self.internal if internal else self.public, indent=2, ensure_ascii=False, default=str) + "\n"


@dataclass(frozen=True)
class Certificate(TwoForms):
    """What a release satisfies. `public` may be handed out with it; `internal` must not.

    The public form has the k achieved, the histogram of class sizes, what was asked for, the method and the version, and where the
    release was written, the seal of what was written: see `covey.utils.seal`. The internal form has also the recipe, the seed, the secret,
    the source (without passwords) and a keyed hash of the input.
    """

    k: int
    public: dict[str, Any] = field(repr=False)
    internal: dict[str, Any] = field(repr=False)
    checked: tuple[Requirement, ...] = ()
    """What was checked on the original amounts before the release was made: released values alone do not show it."""

    @classmethod
    def of(cls, recipe: Recipe, counted: Recount, facts: Facts, origin: dict[str, Any]) -> Certificate:
        """The certificate of a release that was recounted."""
        asked = {
            "k_asked": recipe.k,
            "counted_in": "units" if recipe.roles.unit else "records",
            "counted_over": recipe.counted,
            "units_published_as": recipe.roles.unit if recipe.publishes_units else None,
            "rows_of_units_linked": recipe.is_linked,
            "blocks": [list(block) for block in recipe.blocks],
            "records": facts.rows_out,
            "method": recipe.method,
            "aggregates": dict(recipe.aggregates),
            "missing": recipe.missing,
            "top": {name: str(at) for name, at in recipe.top.items()},
            "bottom": {name: str(at) for name, at in recipe.bottom.items()},
            "small_strata": recipe.small_strata,
            "rows_in_random_order": recipe.shuffle,
        }
        if recipe.suppress is not None:
            asked["left_out_where_costly"] = "quasi-identifiers" if recipe.suppress_cells else "records"
        if recipe.hierarchy:
            asked["labels"] = {name: recipe.aggregates.get(name, "ancestor") for name in recipe.hierarchy}
        private = {
            "records_in": facts.rows_in,
            "records_suppressed": facts.suppressed,
            "recipe": recipe.as_dict(),
            "input": origin,
            "python": platform.python_version(),
            "numpy": np.__version__,
        }
        return cls(counted.k, asked, private, tuple(facts.checked)).recounted(recipe, counted, facts.orders)

    def of_tables(self, recipe: Recipe, key: str, came_in: tuple[int, int], rows: tuple[int, int]) -> Certificate:
        """The same for two tables that a key links, and that were released as one by another recipe."""
        private = {
            "tables_in": list(came_in),
            "records_in": came_in[0],
            "records_suppressed": came_in[0] - rows[0],
            "recipe": recipe.as_dict(),
        }
        of_both = {
            "key": key,
            "tables": list(rows),
            "records": rows[0],
            "counted_over": recipe.counted,
            "missing": recipe.missing,
        }
        return replace(self._with(of_both, self.k), internal=self.internal | of_both | private)

    def recounted(self, recipe: Recipe, recount: Recount, orders: Mapping[str, Order]) -> Certificate:
        """The same with what was counted on what was written."""
        claims = {
            "covey": version(),
            "promise": promise(recipe, recount.k, self.checked, recount.of_few),
            "k_achieved": recount.k,
            "classes": recount.classes,
            "class_sizes": {str(size): number for size, number in sorted(recount.histogram.items())},
            "requirements": [
                {"column": held.asked.column, "asked": str(held.asked), "worst_class": held.reached}
                | {"requirement": asdict(held.asked), "order": _order_of(orders.get(held.asked.column))}
                for held in recount.held
            ],
            "checked_on_the_original": [{"column": one.column, "asked": str(one)} for one in self.checked],
        }
        if recount.of_few is not None:
            claims["k_for_every"] = asdict(recount.of_few)
        return self._with(claims, recount.k)

    def sealed(self, *seals: Seal) -> Certificate:
        """The same with what is known of what was written."""
        return self._with({"released": [seal.as_dict() for seal in seals]}, self.k)

    def _with(self, more: dict[str, Any], k: int) -> Certificate:
        public, internal = more | self.public | more, self.internal | more | self.public | more
        return Certificate(k, public, internal, self.checked)


def _order_of(order: Order | None) -> dict[str, Any] | None:
    return None if order is None else asdict(order)

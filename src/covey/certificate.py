"""`Certificate`: what was counted on the release, in a form for everyone and a form for the publisher."""

from __future__ import annotations

import json
import platform
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from covey.protect import Facts
    from covey.recipe import Recipe
    from covey.verify import Recount

PROMISE = (
    "k-anonymity for the columns listed: nobody can single out fewer than k records (units, where one is declared) by these "
    "columns alone. Nothing is promised about other columns, other knowledge or what all members of a group share."
)


@dataclass(frozen=True)
class Certificate:
    """What a release satisfies. `public` may be handed out with it; `internal` must not.

    The public form has the k achieved, the histogram of class sizes, what was asked for, the method and the version; the internal
    form also the recipe, the seed, the secret, the source (without passwords) and a keyed hash of the input.
    """

    k: int
    public: dict[str, Any] = field(repr=False)
    internal: dict[str, Any] = field(repr=False)

    @classmethod
    def of(cls, recipe: Recipe, found: Recount, facts: Facts, origin: dict[str, Any]) -> Certificate:
        """The certificate of a release that was recounted."""
        roles = recipe.roles
        weight = [roles.weight] if roles.weight and recipe.weights != "drop" else []
        public = {
            "covey": version(),
            "promise": PROMISE,
            "k_asked": recipe.k,
            "k_achieved": found.k,
            "counted_in": "units" if roles.unit else "records",
            "counted_over": [*roles.quasi, *roles.strata, *weight],
            "blocks": [list(block) for block in recipe.blocks],
            "records": found.rows,
            "classes": found.classes,
            "class_sizes": {str(size): number for size, number in sorted(found.histogram.items())},
            "method": recipe.method,
            "aggregates": dict(recipe.aggregates),
            "missing": recipe.missing,
            "small_strata": recipe.small_strata,
            "rows_in_random_order": recipe.shuffle,
        }
        internal = public | {
            "records_in": facts.rows_in,
            "records_suppressed": facts.suppressed,
            "recipe": recipe.as_dict(),
            "input": origin,
            "python": platform.python_version(),
            "numpy": np.__version__,
        }
        return cls(found.k, public, internal)

    def to_json(self, *, internal: bool = False) -> str:
        """The certificate as JSON."""
        return json.dumps(self.internal if internal else self.public, indent=2, ensure_ascii=False, default=str) + "\n"


def version() -> str:
    """The version of the package."""
    from importlib.metadata import version as installed

    return installed("covey")

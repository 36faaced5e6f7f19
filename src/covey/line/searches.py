"""The searches of the paper, and what each needs of a cost (Stamm & Schaub, figure 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from covey._kernels import line as kernels
from covey.costs import PROPERTIES, cost_name
from covey.errors import OptionError, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.costs import Cost


@dataclass(frozen=True)
class Search:
    """A search: its name, the properties it needs, and its kernels.

    `kernel` runs it with one of the named costs, `own_cost_kernel` with a cost that lives in Python.
    """

    name: str
    needs: tuple[str, ...]
    kernel: Callable[..., Any]
    own_cost_kernel: Callable[..., Any]


ORDERED, SPLITTING, CONCAVE = PROPERTIES

SEARCHES: dict[str, Search] = {
    search.name: search
    for search in (
        Search("classic", (ORDERED,), kernels.classic, kernels.classic_own_cost),
        Search("simple", (ORDERED, SPLITTING), kernels.simple, kernels.simple_own_cost),
        Search("simple+", (ORDERED, SPLITTING, CONCAVE), kernels.simple_plus, kernels.simple_plus_own_cost),
        Search("wilber", (ORDERED, CONCAVE), kernels.wilber, kernels.wilber_own_cost),
        Search("galil-park", (ORDERED, CONCAVE), kernels.galil_park, kernels.galil_park_own_cost),
        Search("staggered", (ORDERED, SPLITTING, CONCAVE), kernels.staggered, kernels.staggered_own_cost),
    )
}


def find_search(name: object) -> Search | None:
    """The search of that name; None for "auto"."""
    if name == "auto":
        return None
    if not isinstance(name, str) or name not in SEARCHES:
        msg = f"there is no search {shown(name)}; known: auto, {', '.join(SEARCHES)}"
        raise OptionError(msg)
    return SEARCHES[name]


def check_fit(search: Search, cost: Cost, has: dict[str, bool], why_not: dict[str, str]) -> None:
    """Refuse a search that needs a property which the cost, with the options chosen, does not have."""
    lacking = [name for name in search.needs if not has[name]]
    if not lacking:
        return
    reasons = ", ".join(_words(name) + why_not.get(name, "") for name in lacking)
    fitting = [s.name for s in SEARCHES.values() if all(has[name] for name in s.needs)]
    msg = (
        f"search {search.name!r} does not fit cost {cost_name(cost)!r}: it is not {reasons}; use one of "
        f"{', '.join(fitting)}, or auto"
    )
    raise OptionError(msg)


def _words(name: str) -> str:
    return {SPLITTING: "one where splitting is beneficial"}.get(name, name.replace("_", " "))

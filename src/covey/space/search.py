"""Annealed large-neighbourhood search: the lowest loss for the time it is given."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from covey._kernels import space as kernels
from covey.errors import OptionError, shown
from covey.space.auto import good_groups
from covey.space.objective import CostedMethod
from covey.utils.arrays import as_count, check_seed

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.space.method import Labels
    from covey.space.objective import Objective
    from covey.utils.arrays import Coordinates


LONGER = 20  # times that a step takes where distances do not tell what is lost


@dataclass(frozen=True)
class Search(CostedMethod):
    """Take neighbouring groups apart and put them together again, many times, at a falling temperature.

    Starts from `Auto`. One step: 3 to 8 neighbouring groups are rebuilt greedily or shaken by random exchanges, then
    repaired by the best moves and exchanges among them; the result is kept if it is better or, early on, a little worse.
    A step costs the same for any n. Ends with the local search of `Auto` and never returns more loss than it started
    with. Heuristic; the gap of the solution says how far from the best it can be.

    Ctrl-C ends the search early: the solution is the best found so far, and its `steps` says how far it came.

    Parameters
    ----------
    cost
        As for `Auto`: of means, or of other values that are published.
    effort
        The number of steps of each anneal. None: as many as take about a second for tables of a few thousand records,
        more in proportion for larger ones: 4 000 000 / (k^2 + 1) * max(1, n / 4000), see the documentation for times. For other
        costs than "sse", and with weights, a 20th of that.
    restarts
        How many anneals run from the same start, on all cores; the best is kept.
    seed
        The same seed gives the same partition, on any number of cores.
    progress
        Called now and then with (steps done, steps in all, least loss so far).

    Examples
    --------
    >>> points = [[0, 0], [5, 6], [1, 0], [6, 6], [0, 1], [5, 5]]
    >>> Search(effort=10).partition(points, k=3).labels.tolist()
    [0, 1, 0, 1, 0, 1]
    """

    name: ClassVar[str] = "search"

    effort: int | None = None
    restarts: int = 2
    seed: int = 0
    progress: Callable[[int, int, float], object] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.effort is not None:
            object.__setattr__(self, "effort", as_count(self.effort, "effort"))
        object.__setattr__(self, "restarts", as_count(self.restarts, "restarts"))
        check_seed(self.seed)
        if self.progress is not None and not callable(self.progress):
            msg = f"progress is {shown(self.progress)}; needed: a function of (steps done, steps in all, loss), or None"
            raise OptionError(msg)

    def steps_for(self, n: int, k: int, *, weighs: bool = False) -> int:
        """The number of steps of each anneal, for n records."""
        plain = not weighs and set(self.costs) == {"sse"}
        times = 1.0 if plain else 1.0 / LONGER
        return self.effort or max(1, round(times * 4_000_000 / (k * k + 1) * max(1.0, n / 4000)))

    def _search(self, coordinates: Coordinates, k: int, objective: Objective) -> tuple[Labels, int | None]:
        points, done, kernel = coordinates.values, 0, objective.kernel()
        start = good_groups(points, k, kernel)
        steps = self.steps_for(len(points), k, weighs=objective.weights is not None)
        seeds = np.random.SeedSequence(self.seed).generate_state(self.restarts, np.uint64).tolist()
        search = kernels.Search(points, start, k, min(max(60, 12 * k), 120), 2.0, seeds, steps, kernel)
        chunk = max(1, min(steps // 50, 400_000 // (k * k * points.shape[1])))
        try:
            while done < steps:
                loss = search.run(chunk)
                done = min(steps, done + chunk)
                if self.progress is not None:
                    self.progress(done, steps, objective.to_input(loss, coordinates))
        except KeyboardInterrupt:
            pass  # what is found so far is the answer; `steps` of the solution tells
        return search.finish(), done

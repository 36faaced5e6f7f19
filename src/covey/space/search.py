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


ONE_BLOCK = 32_768  # records that are searched as a whole
LONGER = 20  # times that a step takes where distances do not tell what is lost


@dataclass(frozen=True)
class Search(CostedMethod):
    """Take neighbouring groups apart and put them together again, many times, at a falling temperature.

    Starts from `Auto`. One step: 3 to 8 neighbouring groups are rebuilt greedily or shaken by random exchanges, then
    repaired by the best moves and exchanges among them; the result is kept if it is better or, early on, a little worse.
    A step costs the same for any n. Large tables are searched in blocks, on all cores, in twelve rounds whose borders lie
    elsewhere. Ends with the local search of `Auto` and never returns more loss than it started with. Heuristic; the gap of
    the solution says how far from the best it can be.

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
        How many anneals run from the same start; the best is kept. None: 2 for up to 32 768 records, which are one block, so
        that two cores have work; 1 for more, since an anneal of many blocks is like another.
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
    restarts: int | None = None
    seed: int = 0
    progress: Callable[[int, int, float], object] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.effort is not None:
            object.__setattr__(self, "effort", as_count(self.effort, "effort"))
        if self.restarts is not None:
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
        points, kernel = coordinates.values, objective.kernel()
        n, is_large = len(points), len(points) > ONE_BLOCK
        start = good_groups(points, k, kernel)
        steps = self.steps_for(n, k, weighs=objective.weights is not None)
        seeds = np.random.SeedSequence(self.seed).generate_state(self.restarts or (1 if is_large else 2), np.uint64)
        near = min(max(30 if is_large else 60, (6 if is_large else 12) * k), 120)
        search = kernels.Search(points, start, k, near, 2.0, seeds.tolist(), steps, kernel)
        loss, steps_told = kernels.loss(points, start, kernel), 0

        def tell(share: float) -> None:
            nonlocal steps_told
            if self.progress is not None and round(share * steps) > steps_told:
                steps_told = round(share * steps)
                self.progress(steps_told, steps, objective.to_input(loss, coordinates))

        try:
            while search.done < steps:
                loss = search.run(tell)
                tell(search.done / steps)
            search.finish()
        except KeyboardInterrupt:
            pass  # what is found so far is the answer; `steps` of the solution tells
        return search.best(), search.done

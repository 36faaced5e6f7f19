"""What the methods by vertex cover share: a minimum cover, or the one that is given, found once for all distances."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from covey.network.methods.cover.cover import MOST_TYPES, minimum_cover, named_cover, types_of
from covey.network.methods.method import DecisionMethod
from covey.network.methods.problem import Answer, Reason
from covey.network.methods.search import TIME_IS_UP, search

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.network.methods.cover.cover import Types
    from covey.network.methods.distances import Balls
    from covey.network.methods.problem import Deadline, Outcome, Problem
    from covey.utils.typing import Labels

    Cover = Callable[[], list[int] | None]


class TimeIsUpError(Exception):
    """The deadline passed inside a search or a program."""


@dataclass(frozen=True)
class CoverMethod(DecisionMethod):
    """A method whose parameter is the size of a vertex cover. `cover`: the vertices of one; None: a minimum one."""

    cover: Any = None

    def outcome(self, problem: Problem, deadline: Deadline) -> Outcome:
        """One cover for all distances; one that was given is checked in any case."""
        cover = cache(lambda: self._cover(problem, deadline))
        if self.cover is not None:
            cover()
        return search(problem, partial(self._decide, cover=cover), deadline)

    def decide(self, problem: Problem, within: Balls, distance: float, deadline: Deadline) -> Answer:
        return self._decide(problem, within, distance, deadline, lambda: self._cover(problem, deadline))

    def _cover(self, problem: Problem, deadline: Deadline) -> list[int] | None:
        if self.cover is None:
            return minimum_cover(problem.network, deadline)
        return named_cover(problem.network, self.cover)

    def _decide(self, problem: Problem, within: Balls, distance: float, deadline: Deadline, cover: Cover) -> Answer:
        chosen = cover()
        if chosen is None:
            return Answer(None, reason=TIME_IS_UP)
        types = types_of(problem.network, chosen, within)
        if types is None:
            return Answer(None, reason=Reason(f"there are more than {MOST_TYPES} types of vertices outside the cover"))
        try:
            return self.by_types(problem, types, distance, deadline)
        except TimeIsUpError:
            return Answer(None, reason=TIME_IS_UP)

    @abstractmethod
    def by_types(self, problem: Problem, types: Types, distance: float, deadline: Deadline) -> Answer:
        """The answer from the types of the vertices; `TimeIsUpError` if time was up."""


def answer_of(labels: Labels | None, theorem: str, distance: float) -> Answer:
    """Clusters, or by which theorem there are none."""
    if labels is None:
        return Answer(False, reason=Reason(f"by {theorem} no clusters are within the distance {distance:g}"))
    return Answer(True, labels)

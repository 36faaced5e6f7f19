"""The question of network microaggregation as its methods take it, and what they answer."""

from __future__ import annotations

import math
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.errors import OptionError, shown
from covey.network.reading import as_network
from covey.utils.arrays import as_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from covey.network.graph import Network
    from covey.utils.typing import Labels


OBJECTIVES = ("radius", "sum")


@dataclass(frozen=True, eq=False)
class Problem:
    """Clusters of `lower` to `upper` vertices, each within a distance of a centre, which may be any vertex.

    `upper` is the number of vertices where none was asked for. `distance` is the largest that is allowed, None if the
    smallest is wanted. With `connected` the edges inside each cluster must connect it. `objective` is what is least: the
    largest distance of a vertex to its centre ("radius") or the sum of these distances ("sum").
    """

    network: Network
    lower: int
    upper: int
    distance: float | None
    connected: bool
    objective: str

    @property
    def n(self) -> int:
        """The number of vertices."""
        return self.network.n

    @property
    def splits(self) -> bool:
        """Whether every number of at least `lower` vertices can be cut into sizes that are allowed."""
        return self.upper >= min(2 * self.lower - 1, self.n)

    def sizes_fit(self, size: int) -> bool:
        """Whether that many vertices can be cut into clusters of allowed sizes: q of them with lower q <= size <= upper q."""
        return math.ceil(size / self.upper) <= size // self.lower


class Reason(NamedTuple):
    """Why there is no partition, or no proof. `{}` in the text is where the vertex may be named, if one is given."""

    text: str = ""
    vertex: int = -1

    def sentence(self, names: Sequence[Any] | None = None) -> str:
        """The reason in words; without names no vertex is named."""
        of = "" if self.vertex < 0 or names is None else f" of {names[self.vertex]!r}"
        if "vertex{}" in self.text:
            of = of.removeprefix(" of")
        return self.text.replace("{}", of)


class Answer(NamedTuple):
    """Whether there is a partition within some distance (None: not found out), and one.

    `labels` numbers the clusters 0 .. q-1 in any order, `centres[c]` is the vertex that cluster c is near to. `reason`
    says why there is none, or why it was not found out.
    """

    feasible: bool | None
    labels: Labels | None = None
    centres: NDArray[np.int32] | None = None
    reason: Reason = Reason()


class Outcome(NamedTuple):
    """What a method found: clusters (None: none), and a bound that is proven for the objective (infinity: there are none).

    `radius` is the largest distance of a vertex to its centre in what was found, and `distances` are all of them, where the method
    has them already; they are checked either way.
    """

    labels: Labels | None
    centres: NDArray[np.int32] | None
    bound: float
    reason: Reason = Reason()
    distances: NDArray[np.float64] | None = None
    radius: float = math.inf


class Deadline:
    """When to stop; None: never."""

    def __init__(self, seconds: float | None) -> None:
        self._end = math.inf if seconds is None else time.monotonic() + seconds

    def share(self, part: float, most: float) -> Deadline:
        """A part of what is left, and at most that many seconds."""
        return Deadline(min(self.left * part, most))

    @property
    def left(self) -> float:
        """The seconds that are left, at least 0; infinity without a limit."""
        return max(0.0, self._end - time.monotonic())

    @property
    def passed(self) -> bool:
        """Whether time is up."""
        return self.left <= 0.0


def as_problem(
    graph: Any,
    lower: Any,
    upper: Any = None,
    distance: Any = None,
    *,
    connected: bool = False,
    objective: str = "radius",
    length: str | None = None,
) -> Problem:
    """Validate what was given; an error says what is wrong with it."""
    network = as_network(graph, length)
    least = as_count(lower, "lower")
    most = network.n if upper is None else as_count(upper, "upper")
    if upper is not None and most < least:
        msg = f"lower is {least} and upper is {most}; needed: lower of at most upper"
        raise OptionError(msg)
    if not isinstance(objective, str) or objective not in OBJECTIVES:
        msg = f"there is no objective {shown(objective)}; known: {', '.join(OBJECTIVES)}"
        raise OptionError(msg)
    if not isinstance(connected, bool | np.bool_):
        msg = f"connected is {shown(connected)}; needed: True or False"
        raise OptionError(msg)
    return Problem(network, least, min(most, network.n), _as_distance(distance), bool(connected), objective)


def _as_distance(distance: Any) -> float | None:
    if distance is None:
        return None
    is_number = isinstance(distance, int | float | np.integer | np.floating) and not isinstance(distance, bool)
    if not is_number or not 0 <= distance <= sys.float_info.max:
        msg = f"distance is {shown(distance)}; needed: None or a finite number of at least 0"
        raise OptionError(msg)
    return float(distance)

"""`NetworkSolution`: clusters of a network, their centres, and how sure it is that there are none better."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from covey.core.notebook import of_sizes
from covey.core.partition import Partition
from covey.core.solution import Solution
from covey.errors import OptionError
from covey.network.methods.checking import check_clusters
from covey.network.methods.distances import to_centres
from covey.network.methods.plot import plotted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure

    from covey.core.method import Method
    from covey.network.graph import Network
    from covey.network.methods.problem import Outcome, Problem
    from covey.utils.notes import Note

NetworkStatus = Literal["optimal", "feasible", "infeasible", "unknown"]


class NetworkSolution(Solution):
    """What a method found out about a network.

    Attributes
    ----------
    status
        "optimal": the loss is proven to be the least; "feasible": clusters were found; "infeasible": it is proven that
        there are none; "unknown": time was up before either.
    partition
        Which vertices share a cluster, or None.
    centres
        The centre of each cluster, named as in the graph, or None.
    radius, total
        The largest distance of a vertex to its centre, and the sum of all; infinity without clusters.
    bound
        A proven lower bound on the objective.
    reason, unnamed_reason
        Why there are no clusters, or why the bound is not met; the second names no vertex.
    tried
        The names of the methods that were asked, in turn.
    choice
        What `auto` chose, and why.
    found_by
        The name of the method whose clusters these are; `method` is the one that proved most.
    oversize
        The number of clusters above `upper`, which only carving may leave.
    network
        The graph, as the methods see it.
    vertices
        The names of the graph's vertices, in the order of the partition's records.
    notes
        What was left out of the graph.

    Examples
    --------
    >>> import covey.network
    >>> found = covey.network.microaggregate([(1, 2), (2, 3)], lower=3)
    >>> found.status, found.radius, found.centres
    ('optimal', 1.0, (2,))
    """

    partition: Partition | None  # type: ignore[assignment]
    status: NetworkStatus  # type: ignore[assignment]
    centres: tuple[Any, ...] | None
    radius: float
    total: float
    reason: str
    unnamed_reason: str
    tried: tuple[str, ...]
    choice: str
    found_by: str
    oversize: int
    network: Network
    vertices: Sequence[Any]
    notes: tuple[Note, ...]

    def __init__(self, values: dict[str, Any]) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _repr_html_(self) -> str:
        rows = [("method", self.method.name), ("status", self.status), ("vertices", f"{len(self.vertices):,}")]
        return of_sizes(
            "Network solution", rows, [] if self.partition is None else self.partition.sizes.tolist(), "cluster"
        )

    def __setattr__(self, name: str, value: object) -> None:
        msg = f"a solution cannot be changed: {name}"
        raise AttributeError(msg)

    def clusters(self) -> list[list[Any]]:
        """The vertices of every cluster, by their names in the graph."""
        if self.partition is None:
            return []
        return [[self.vertices[v] for v in group] for group in self.partition.groups()]

    def plot(self) -> Figure:
        """Draw the clusters: a colour each, rings around the centres. Not to be published: it shows the original network."""
        if self.partition is None or self.centres is None:
            msg = f"there are no clusters to draw: {self.unnamed_reason or self.status}"
            raise OptionError(msg)
        place = {name: number for number, name in enumerate(self.vertices)}
        centres = np.array([place[centre] for centre in self.centres], dtype=np.int64)
        title = f"{len(self.partition)} clusters, radius {self.radius:g}, {self.status}"
        return plotted(self.network, self.partition.labels, centres, title)

    def __getstate__(self) -> dict[str, Any]:
        return dict(self.__dict__)

    def __repr__(self) -> str:
        found = "" if self.partition is None else f", {len(self.partition)} clusters, radius {self.radius:g}"
        reason = f": {self.unnamed_reason}" if self.unnamed_reason else ""
        return f"<NetworkSolution: {self.status}{found}, by {self.method.name}{reason}>"


def as_solution(
    problem: Problem,
    outcome: Outcome,
    method: Method,
    choice: str = "",
    tried: Sequence[str] = (),
    found_by: str = "",
) -> NetworkSolution:
    """Measure what a method found, have it checked, and say what is proven; the method itself was tried in any case."""
    values: dict[str, Any] = {
        "partition": None,
        "centres": None,
        "radius": math.inf,
        "total": math.inf,
        "loss": math.inf,
        "oversize": 0,
        "method": method,
        "steps": None,
        "_bound": outcome.bound,
        "reason": outcome.reason.sentence(problem.network.names),
        "unnamed_reason": outcome.reason.sentence(),
        "tried": tuple(dict.fromkeys([*tried, method.name])),
        "choice": choice,
        "found_by": found_by or method.name,
        "network": problem.network,
        "vertices": problem.network.names,
        "notes": problem.network.notes,
        "status": "infeasible" if math.isinf(outcome.bound) else "unknown",
    }
    if outcome.labels is not None and outcome.centres is not None:
        values |= _measured(problem, outcome)
        if values["status"] == "optimal":
            values |= {"reason": "", "unnamed_reason": ""}
    return NetworkSolution(values)


def _measured(problem: Problem, outcome: Outcome) -> dict[str, Any]:
    assert outcome.labels is not None
    assert outcome.centres is not None
    partition = Partition(outcome.labels)
    first = np.unique(partition.labels, return_index=True)[1]
    centres = outcome.centres[outcome.labels[first]]
    distances = outcome.distances
    if distances is None:
        distances = to_centres(problem.network, partition.labels, centres)
    check_clusters(problem, partition.labels, centres, distances)
    radius, total = float(distances.max()), math.fsum(distances)
    loss = radius if problem.objective == "radius" else total
    oversize = int(np.count_nonzero(partition.sizes > problem.upper))
    proven = outcome.bound >= loss * (1 - 1e-9) and not oversize
    names = problem.network.names
    return {
        "partition": partition,
        "centres": tuple(names[centre] for centre in centres),
        "radius": radius,
        "total": total,
        "loss": loss,
        "oversize": oversize,
        "_bound": loss if proven else outcome.bound,
        "status": "optimal" if proven else "feasible",
    }

"""`microaggregate`: the question about a network, handed to the method that is named or chosen."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from covey.errors import OptionError, did_you_mean, shown
from covey.network.directions import round_trips
from covey.network.methods import auto
from covey.network.methods.carving import Carving
from covey.network.methods.cover.cluster_types import ClusterTypes
from covey.network.methods.cover.few_centres import FewCentres
from covey.network.methods.cover.kernelization import Kernel
from covey.network.methods.gather import Gather
from covey.network.methods.method import SECONDS, NetworkMethod
from covey.network.methods.milp import Multiplicity
from covey.network.methods.pipeline import Pipeline
from covey.network.methods.problem import Deadline, as_problem
from covey.network.methods.treewidth.method import Treewidth
from covey.network.reading import as_network
from covey.utils.arrays import check_time_limit

if TYPE_CHECKING:
    from covey.network.graph import Network
    from covey.network.methods.solution import NetworkSolution
    from covey.utils.typing import Progress

_ALL: tuple[type[NetworkMethod], ...] = (
    Multiplicity,
    Pipeline,
    Treewidth,
    Kernel,
    ClusterTypes,
    FewCentres,
    Carving,
    Gather,
)
METHODS: dict[str, type[NetworkMethod]] = {method.name: method for method in _ALL}


def microaggregate(
    graph: Any,
    lower: SupportsIndex,
    upper: SupportsIndex | None = None,
    distance: float | None = None,
    connected: bool = False,  # noqa: FBT001, FBT002
    objective: str = "radius",
    length: str | None = None,
    method: str = "auto",
    time_limit: float | None = SECONDS,
    progress: Progress | None = None,
    *,
    directed: bool | None = None,
    follow_directions: bool = False,
    **options: Any,
) -> NetworkSolution:
    """Cluster the vertices of a network, `lower` to `upper` in each, as near to a common centre as can be.

    With a `distance` it answers if there are such clusters within it; without, it finds the smallest. A centre is any vertex,
    in its cluster or not, and may be that of several. NP-hard; where `status` is "optimal" or "infeasible" that is proven,
    else the clusters are the best found and `bound` says how far from the best they may be. Every result is checked by code
    that shares nothing with the methods.

    Source: Blazej, Ganian, Knop, Pokorny, Schierreich, Simonov, The parameterized complexity of network microaggregation.

    Parameters
    ----------
    graph
        A networkx or igraph graph, a scipy matrix, or a list or table of edges.
    lower, upper
        The least and the largest number of vertices in a cluster. Without `connected`, `upper` need not be given: a cluster of
        2 lower or more can be split.
    distance
        The largest distance of a vertex to its centre that is allowed; None: the smallest is wanted.
    connected
        Whether the edges inside each cluster must connect it.
    objective
        What is least: "radius", the largest distance of a vertex to its centre, or "sum", the sum of these distances.
    length
        The edge attribute that holds the lengths; None: every edge is 1.
    method
        "auto" chooses by width, vertex cover and size, and `choice` says what. By name: "milp" (not connected), "pipeline"
        (connected); the algorithms of the paper "treewidth", "kernel", "cluster-types", "few-centres"; "carving" for networks
        of any size; "gather", the 2-approximation. Further options go to the method.
    time_limit
        In seconds; None: no limit.
    progress
        Called with what is being done: of `auto`, each method, and what is known before it.
    directed
        Whether edges have directions: None, as the graph says; True, those of lists, tables and matrices, too; False, none.
    follow_directions
        Whether the distance of two vertices is the longer of the ways there and back; else it ignores directions. For directed networks of
        up to 2000 vertices, and not with `connected`.
    options
        Of the method, passed on to it.

    Returns
    -------
    NetworkSolution
        The clusters, their centres, the radius, a bound, and what is proven.

    Raises
    ------
    InputError
        The graph is empty, or has lengths that are none.
    OptionError
        No such method, or one that does not answer the question.

    Examples
    --------
    >>> solution = microaggregate([("ada", "ben"), ("ben", "cat"), ("cat", "dan")], lower=2, connected=True)
    >>> solution.clusters(), solution.radius, solution.status
    ([['ada', 'ben'], ['cat', 'dan']], 1.0, 'optimal')
    """
    if not isinstance(method, str) or (method != "auto" and method not in METHODS):
        msg = f"there is no method {shown(method)}{did_you_mean(method, METHODS)}; known: auto, {', '.join(METHODS)}"
        raise OptionError(msg)
    asked: dict[str, Any] = {
        "upper": upper,
        "distance": distance,
        "connected": connected,
        "objective": objective,
        "length": length,
        "time_limit": time_limit,
    }
    check_time_limit(time_limit)
    graph = _measured_along(as_network(graph, length, directed=directed), connected=connected, follow=follow_directions)
    if method == "auto":
        if options:
            msg = f"options {', '.join(sorted(options))} are for a method; needed: method=..., or leave them out"
            raise OptionError(msg)
        problem = as_problem(graph, lower, upper, distance, connected=connected, objective=objective, length=length)
        return auto.solve(problem, Deadline(time_limit), asked, progress)
    try:
        chosen = METHODS[method](**asked, **options)
    except TypeError:
        known = sorted({field.name for field in dataclasses.fields(METHODS[method])} - set(asked))
        unknown = sorted(set(options) - set(known))
        hint = did_you_mean(unknown[0], known) if unknown else ""
        msg = f"method {method!r} has no option {', '.join(unknown)}{hint}; known: {', '.join(known) or 'none'}"
        raise OptionError(msg) from None
    if progress is not None:
        progress(f"clustering by {method}")
    return chosen.solve(graph, lower)


def _measured_along(network: Network, *, connected: bool, follow: bool) -> Network:
    """The network whose distances are asked for."""
    if not isinstance(follow, bool | np.bool_):
        raise OptionError(f"follow_directions is {shown(follow)}; needed: True or False")
    if follow and connected:
        msg = "connected is given beside follow_directions, with which paths inside a cluster may lead through other clusters; leave one of the two out"
        raise OptionError(msg)
    return round_trips(network) if follow else network

"""Which clusters are better: a grid of sizes, methods and connection, each with its loss and with what survives in graphs drawn from it."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.errors import CoveyError, OptionError, shown
from covey.network.formats import load_network
from covey.network.methods.registry import microaggregate
from covey.network.publish.release import SmallClustersWarning, release
from covey.network.publish.small_components import check_small_components, without_small_components
from covey.network.publish.utility import assortativity, clustering, degrees_moved, mean_distance, modularity
from covey.utils.arrays import as_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from covey.network.formats import LoadedNetwork
    from covey.network.graph import Network
    from covey.network.methods.solution import NetworkSolution
    from covey.utils.typing import Progress

_NUMBERS: dict[str, Callable[[Network], float]] = {
    "clustering": clustering,
    "assortativity": assortativity,
    "modularity": modularity,
    "mean_distance": mean_distance,
}


class Survival(NamedTuple):
    """What a graph is like, or, on average, graphs drawn from a release; not a number where it takes too long to find out."""

    clustering: float
    assortativity: float
    modularity: float
    mean_distance: float
    degrees_moved: float = 0.0
    """The share of vertices whose degree would have to change for the distribution to be that of the original."""


class NetworkSetting(NamedTuple):
    """One cell of the grid: what was asked, what clusters were found, and what survives; `error` where there are none."""

    lower: int
    method: str
    connected: bool
    status: str = ""
    clusters: int = 0
    radius: float = math.nan
    total: float = math.nan
    bound: float = math.nan
    survival: Survival | None = None
    error: str = ""


@dataclass(frozen=True)
class NetworkComparison:
    """All settings, and the original. Internal: it says more of the original than a release does.

    Attributes
    ----------
    settings
        One for each size, method and connection.
    original
        What the original is like.

    Examples
    --------
    >>> import networkx
    >>> found = compare(networkx.karate_club_graph(), [3, 5], methods=["carving"], samples=1)
    >>> [(one.lower, one.connected, one.clusters) for one in found.settings]
    [(3, False, 9), (3, True, 6), (5, False, 6), (5, True, 5)]
    """

    settings: tuple[NetworkSetting, ...]
    original: Survival

    def rows(self) -> list[dict[str, Any]]:
        """A row for each setting, the original first, as plain values; None where there is no number."""
        rows = [{"lower": None, "method": "original", "connected": None, **self.original._asdict()}]
        for setting in self.settings:
            row = setting._asdict()
            survival = row.pop("survival")
            rows.append(row | ({} if survival is None else survival._asdict()))
        names = list(dict.fromkeys(name for row in reversed(rows) for name in row))
        return [{name: _plain(row.get(name)) for name in names} for row in rows]


def compare(
    graph: Any,
    lower: Sequence[int] = (3, 5, 10),
    *,
    methods: Sequence[str] = ("auto",),
    connected: Sequence[bool] = (False, True),
    objective: str = "radius",
    length: str | None = None,
    header: bool | None = None,
    directed: bool | None = None,
    time_limit: float | None = 60.0,
    small_components: str = "error",
    samples: int = 3,
    seed: int = 0,
    progress: Progress | None = None,
) -> NetworkComparison:
    """Cluster a network in several ways, and see what an analyst still finds in graphs drawn from each release.

    Nothing of it is published, and no ledger is asked: what comes back is for whoever decides.

    Parameters
    ----------
    graph
        What `covey.network.release` takes, or the path of a file.
    lower, methods, connected
        The settings to be crossed.
    objective, length, header, directed, time_limit, small_components
        As in `covey.network.release`, for each setting.
    samples
        So many graphs are drawn of each; their numbers are averaged.
    seed
        Decides the rounding of counts, and what is drawn.
    progress
        Called with what is being done.

    Returns
    -------
    NetworkComparison
        The settings, and the original.

    Examples
    --------
    >>> import networkx
    >>> compare(networkx.karate_club_graph(), [3], connected=[True], samples=1).settings[0].status
    'optimal'
    """
    step = progress or (lambda _what: None)
    sizes, drawn = [as_count(one, "lower") for one in _several(lower, "lower")], as_count(samples, "samples")
    check_small_components(small_components, given=False)
    step("reading")
    loaded = load_network(graph, length, header, directed)
    step("measuring the original")
    original = _survival([loaded.network], loaded.network)
    how = {"objective": objective, "time_limit": time_limit}
    settings = []
    for least in sizes:
        part = without_small_components(loaded, least)[0] if small_components == "suppress" else loaded
        for method in _several(methods, "methods"):
            for linked in _several(connected, "connected"):
                step(f"lower {least}, {method}{', connected' if linked else ''}")
                asked = NetworkSetting(least, str(method), bool(linked))
                settings.append(_settled(asked, part, loaded.network, how, drawn, seed))
    return NetworkComparison(tuple(settings), original)


def _several(values: Iterable[Any], name: str) -> list[Any]:
    if isinstance(values, str) or not hasattr(values, "__iter__") or not list(values):
        raise OptionError(f"{name} is {shown(values)}; needed: a list of at least one")
    return list(values)


def _settled(
    asked: NetworkSetting, loaded: LoadedNetwork, before: Network, how: dict[str, Any], samples: int, seed: int
) -> NetworkSetting:
    """The setting with what came of it."""
    question = {"connected": asked.connected, "method": asked.method, **how}
    solution = microaggregate(loaded.network, asked.lower, **question)
    setting = asked._replace(status=solution.status, bound=solution.bound)
    if solution.partition is None:
        return setting._replace(error=solution.unnamed_reason)
    setting = setting._replace(clusters=len(solution.partition), radius=solution.radius, total=solution.total)
    try:
        return setting._replace(survival=_drawn(setting, loaded, before, solution, samples, seed))
    except CoveyError as error:
        return setting._replace(error=str(error))


def _drawn(
    setting: NetworkSetting, loaded: LoadedNetwork, before: Network, solution: NetworkSolution, samples: int, seed: int
) -> Survival:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SmallClustersWarning)
        done = release(loaded, setting.lower, connected=setting.connected, solution=solution, seed=seed, ledger=False)
    return _survival([done.sample(seed + number).network for number in range(samples)], before)


def _survival(networks: Sequence[Network], before: Network) -> Survival:
    means = {name: float(np.mean([of(network) for network in networks])) for name, of in _NUMBERS.items()}
    return Survival(**means, degrees_moved=float(np.mean([degrees_moved(before, network) for network in networks])))


def _plain(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value
